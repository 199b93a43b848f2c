"""Drawn lines cut, joined and turned round: walls, contours and roads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec

from studio.errors import EditError, nearest
from studio.model.edits import Edit
from studio.model.features import Contour, Feature, Point, Road, Wall
from studio.model.topology.draft import Draft, said
from studio.model.topology.rings import Weights
from studio.model.topology.vertices import insert_corner

__all__ = ["join_lines", "reverse_line", "split_line"]

Line: TypeAlias = Wall | Contour | Road


def split_line(
    features: Mapping[str, Feature], line_id: str, point: Point, *, reach: int = 0, weights: Weights = (1, 3)
) -> tuple[list[Edit], str]:
    """Cut a drawn line in two at a point of it; one that is closed is opened there.

    Parameters
    ----------
    features : mapping of str to Feature
    line_id : str
    point : (x, y)
    reach : int
        Square of the distance up to which the nearest point of the line is taken.
    weights : (int, int)
        What the squares of dx and dy count in that distance.

    Returns
    -------
    edits : list of Edit
    new : str
        Id of the new line; that of the old one where it was closed.

    Raises
    ------
    EditError
        When there is no such line, it is not drawn, or the point is not on it or is its end.
    """
    line = _line(features, line_id, "split")
    draft = Draft(features)
    at = insert_corner(draft, point, reach=reach, weights=weights, of=line_id)
    points = _line({line_id: draft.get(line_id) or line}, line_id, "split").line
    place = points.index(at)
    if points[0] == points[-1]:
        opened = (*points[place:-1], *points[: place + 1])
        draft.put(msgspec.structs.replace(line, line=opened))
        return draft.edits(), line_id
    if place in (0, len(points) - 1):
        msg = f"split {said(line)}: it ends at {at}; choose a point between its ends"
        raise EditError(msg)
    new_id = draft.new_id(str(type(line).__struct_config__.tag))
    draft.put(msgspec.structs.replace(line, line=points[: place + 1]))
    draft.put(msgspec.structs.replace(line, id=new_id, line=points[place:]))
    return draft.edits(), new_id


def join_lines(features: Mapping[str, Feature], ids: Sequence[str], weights: Weights = (1, 3)) -> list[Edit]:
    """Make one line of two, at the ends that are nearest to each other; or close one, where it alone is given.

    The first keeps id, type and name.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : sequence of str
        Two lines, or one.
    weights : (int, int)
        What the squares of dx and dy count in a distance.

    Returns
    -------
    list of Edit
        Where the ends are apart an edge joins them.

    Raises
    ------
    EditError
        When there are more than two, they are of different kinds, types or levels, or one is closed.
    """
    lines = [_line(features, name, "join") for name in dict.fromkeys(ids)]
    draft = Draft(features)
    for line in lines:
        if line.line[0] == line.line[-1]:
            msg = f"join: {said(line)} is closed and has no end; name a line with ends, or split it first"
            raise EditError(msg)
    if len(lines) == 1:
        line = lines[0]
        if len(line.line) < 3:
            msg = f"join: {said(line)} has two corners; a line that is closed needs three"
            raise EditError(msg)
        draft.put(msgspec.structs.replace(line, line=(*line.line, line.line[0])))
        return draft.edits()
    if len(lines) != 2:
        msg = f"join: got {len(lines)} lines; name two of one kind, or one to close it"
        raise EditError(msg)
    first, second = lines
    if _sort(first) != _sort(second):
        msg = (
            f"join: {said(first)} and {said(second)} are not alike ({' '.join(_sort(first))} and "
            f"{' '.join(_sort(second))}); give them the same type first"
        )
        raise EditError(msg)
    a, b = min(
        ((one, other) for one in (first.line[::-1], first.line) for other in (second.line, second.line[::-1])),
        key=lambda pair: _apart(pair[0][-1], pair[1][0], weights),
    )
    joined = (*a, *(b[1:] if a[-1] == b[0] else b))
    if joined[-1] == first.line[-1] or joined[0] == first.line[-1]:
        joined = joined[::-1]  # it goes on the way that the first one went
    draft.delete(second.id)
    draft.put(msgspec.structs.replace(first, line=joined))
    return draft.edits()


def reverse_line(features: Mapping[str, Feature], line_id: str) -> list[Edit]:
    """Turn a drawn line round: a contour has its higher side on the other hand then.

    Parameters
    ----------
    features : mapping of str to Feature
    line_id : str

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When there is no such line.
    """
    line = _line(features, line_id, "reverse")
    draft = Draft(features)
    draft.put(msgspec.structs.replace(line, line=line.line[::-1]))
    return draft.edits()


def _line(features: Mapping[str, Feature], line_id: str, what: str) -> Line:
    found = features.get(line_id)
    if not isinstance(found, Wall | Contour | Road):
        known = [one.id for one in features.values() if isinstance(one, Wall | Contour | Road)]
        msg = f"{what}: no line has the id {line_id!r}; {nearest(str(line_id), known)}"
        raise EditError(msg)
    if not found.line:
        msg = f"{what}: {said(found)} runs through the middles of its hexes and has no corners; draw it as a line first"
        raise EditError(msg)
    return found


def _sort(line: Line) -> list[str]:
    match line:
        case Wall():
            return ["wall", line.type]
        case Contour():
            return ["contour", f"level {line.level}"]
    return ["road", line.surface]


def _apart(a: Point, b: Point, weights: Weights) -> int:
    return weights[0] * (a[0] - b[0]) ** 2 + weights[1] * (a[1] - b[1]) ** 2

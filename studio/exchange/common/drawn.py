"""Features as other programs know them: a shape, and fields of plain values; and the way back.

The shape is a point, a line or a polygon on the lattice. What a feature says without a shape of its own, such as the
hexes of a road, gives the shape and stays a field as well.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from studio.errors import LabelError, StudioError
from studio.exchange.common.lines import hex_path
from studio.model import (
    Aperture,
    Area,
    Contour,
    Crest,
    Dot,
    Feature,
    Link,
    Marker,
    Name,
    Place,
    Road,
    Wall,
)
from studio.survey import Survey

__all__ = ["KINDS", "XY", "Drawn", "Plain", "Shape", "drawn_of", "joined", "nearest_label", "parted", "record_of"]

XY: TypeAlias = tuple[float, float]
Plain: TypeAlias = str | int | float | bool | None

KINDS: dict[str, type[Any]] = {
    "road": Road,
    "crest": Crest,
    "contour": Contour,
    "name": Name,
    "marker": Marker,
    "area": Area,
    "place": Place,
    "wall": Wall,
    "aperture": Aperture,
    "link": Link,
    "dot": Dot,
}
"""Kinds of features with their records."""

_SHAPED = {
    "road": ("line",),
    "contour": ("line",),
    "name": ("at",),
    "area": ("outline", "holes"),
    "place": ("at",),
    "wall": ("line",),
    "aperture": ("at",),
    "dot": ("point",),
}
_LABELLED = {"marker": (("at", 0),), "dot": (("at", 0),), "link": (("a", 0), ("b", -1)), "aperture": (("into", 0),)}
_HAIR = 1e-6
_UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Shape(NamedTuple):
    """Where a feature lies on the lattice.

    Attributes
    ----------
    kind : {"point", "line", "area"}
    rings : tuple of tuple of (x, y)
        One row of points; of an area the outline, then its holes, the first point not repeated.
    """

    kind: Literal["point", "line", "area"]
    rings: tuple[tuple[XY, ...], ...]

    @property
    def points(self) -> tuple[XY, ...]:
        """The first row of points."""
        return self.rings[0]


class Drawn(NamedTuple):
    """A feature as a shape and fields."""

    kind: str
    id: str
    shape: Shape | None
    fields: dict[str, Plain]


def joined(value: Any) -> Plain:
    """Return a value of a record as plain value: lists of words parted by commas, what else is nested as JSON.

    Examples
    --------
    >>> joined(("A1", "A2")), joined((("A1",), ("B1", "B2"))), joined(None), joined(())
    ('A1, A2', '[["A1"],["B1","B2"]]', '', '')
    """
    if value is None:
        return ""
    if isinstance(value, str | bool | int | float):
        return value
    items = list(value)
    words = all(isinstance(one, str) and one.strip() == one and one and "," not in one for one in items)
    if not items:
        return ""
    if words and not items[0].startswith("["):
        return ", ".join(items)
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))


def parted(text: Plain) -> Any:
    """Return the list that :func:`joined` made a text of."""
    if text is None or text == "":
        return []
    plain = str(text).strip()
    if plain.startswith("["):
        try:
            return msgspec.json.decode(plain)
        except (msgspec.DecodeError, RecursionError):
            pass
    return [part.strip() for part in plain.split(",") if part.strip()]


# -- from the map ----------------------------------------------------------------------------------------------------


def drawn_of(survey: Survey, feature: Feature) -> Drawn:
    """Return a feature as a shape and fields."""
    kind = str(type(feature).__struct_config__.tag)
    shaped = _SHAPED.get(kind, ())
    fields = {
        name: joined(getattr(feature, name))
        for name in feature.__struct_fields__
        if name != "id" and (name not in shaped)
    }
    return Drawn(kind, feature.id, _shape(survey, feature), fields)


def _shape(survey: Survey, feature: Feature) -> Shape | None:
    grid = survey.grid
    match feature:
        case Road() | Crest():
            drawn = getattr(feature, "line", ())
            points = drawn or [grid.centre(cell) for cell in survey.model.labels.cells(feature.path)]
            return _line(points)
        case Contour() | Wall():
            return _line(feature.line)
        case Name() | Place() | Aperture():
            return _point(feature.at)
        case Dot():
            return _point(feature.point)
        case Area():
            return Shape("area", (_floats(feature.outline), *map(_floats, feature.holes)))
        case Marker():
            return _dot(survey, feature.at)
        case Link():
            ends = [_dot(survey, feature.a), _dot(survey, feature.b)]
            known = [end.points[0] for end in ends if end is not None]
            return _line(known) if len(known) == 2 else None
    return None


def _floats(points: Iterable[Sequence[float]]) -> tuple[XY, ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _point(at: Sequence[float]) -> Shape:
    return Shape("point", (_floats([at]),))


def _line(points: Iterable[Sequence[float]]) -> Shape:
    """Return a line; a point where there is only one."""
    found = _floats(points)
    return Shape("line" if len(found) > 1 else "point", (found,))


def _dot(survey: Survey, label: str) -> Shape | None:
    number = survey.directory.find(label)
    if number is None:
        cell = survey.model.labels.find(label)
        return None if cell is None else _point(survey.grid.centre(cell))
    return _point(survey.directory.dot(number))


# -- and back --------------------------------------------------------------------------------------------------------


@cache
def _types(kind: str) -> dict[str, tuple[Any, Any]]:
    """Return the type and the default of the fields of a kind."""
    return {field.name: (field.type, field.default) for field in msgspec.structs.fields(KINDS[kind])}


def record_of(survey: Survey, row: Drawn, known: Feature | None = None, *, slack: float = 1.0) -> dict[str, Any]:
    """Return the record of a feature that another program gives, with what the map knew of it.

    Parameters
    ----------
    survey : Survey
        Of the map that it goes on.
    row : Drawn
    known : Feature, optional
        The feature as it was written; what is unchanged in `row` is taken from it, exactly.
    slack : float
        Lattice units by which a point may be off for rounding.

    Returns
    -------
    dict
        To be converted to a Feature.
    """
    before = drawn_of(survey, known) if known is not None else None
    record: dict[str, Any] = msgspec.to_builtins(known) if known is not None else {"kind": row.kind}
    record["id"] = row.id
    for name, value in row.fields.items():
        if name not in _types(row.kind) or name in ("id", "kind"):
            continue
        if before is not None and _same(before.fields.get(name), value):
            continue
        record[name] = _typed(row.kind, name, value)
        if record[name] is msgspec.UNSET:
            del record[name]
    moved = before is None or not same_shape(before.shape, row.shape, slack)
    if row.shape is not None and moved:
        record |= _placed(survey, row.kind, row.shape, record, fresh=before is None, slack=slack)
    return record


def _same(one: Plain, other: Plain) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= _HAIR * max(1.0, abs(one))
    one, other = ("" if value is None else value for value in (one, other))
    return one == other or _folded(str(one)) == _folded(str(other))


def _folded(text: str) -> str:
    """Return a text as every format can hold it: XML has few control characters, and one end of line."""
    return _UNFIT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def _typed(kind: str, name: str, value: Plain) -> Any:
    """Return a plain value as its field has it; what cannot be that stays, for the check to name."""
    type_, default = _types(kind)[name]
    if value is None or (value == "" and type_ is not str and default is not msgspec.NODEFAULT):
        return msgspec.UNSET
    for made in _candidates(value):
        try:
            msgspec.convert(made, type_, strict=not isinstance(made, str))
        except (msgspec.ValidationError, ValueError):
            continue
        return msgspec.to_builtins(msgspec.convert(made, type_, strict=not isinstance(made, str)))
    return value


def _candidates(value: Plain) -> Iterable[Any]:
    yield value
    if isinstance(value, float) and value.is_integer():
        yield int(value)
    yield from (parted(value), str(value))
    if isinstance(value, int):
        yield bool(value)


def same_shape(one: Shape | None, other: Shape | None, slack: float) -> bool:
    """Tell whether two shapes are the same, wherever their rings begin and whichever way they run."""
    if one is None or other is None:
        return one is other
    if one.kind != other.kind or len(one.rings) != len(other.rings):
        return False
    if all(_near(a, b, slack) for a, b in zip(one.rings, other.rings, strict=True)):
        return True
    if one.kind != "area":
        return False
    return all(any(_near_ring(a, b, slack) for b in other.rings) for a in one.rings)


def _near(one: Sequence[XY], other: Sequence[XY], slack: float) -> bool:
    if len(one) != len(other):
        return False
    return bool(np.abs(np.subtract(one, other)).max(initial=0.0) <= slack)


def _near_ring(one: Sequence[XY], other: Sequence[XY], slack: float) -> bool:
    if len(one) != len(other):
        return False
    for ring in (list(other), list(other)[::-1]):
        for start, point in enumerate(ring):
            if _near(one[:1], [point], slack) and _near(one, ring[start:] + ring[:start], slack):
                return True
    return False


def _placed(
    survey: Survey, kind: str, shape: Shape, record: Mapping[str, Any], *, fresh: bool, slack: float
) -> dict[str, Any]:
    """Return the fields that follow from a shape; of a new feature, what its own fields say of its hexes holds."""
    points = tuple((round(x), round(y)) for x, y in shape.points)
    match kind:
        case "road" | "crest":
            return _way(survey, kind, points, record, fresh=fresh, slack=slack)
        case "contour" | "wall":
            return {"line": points}
        case "area":
            rings = [tuple((round(x), round(y)) for x, y in ring) for ring in shape.rings]
            return {"outline": rings[0], "holes": rings[1:]}
    found: dict[str, Any] = {}
    spot = "point" if kind == "dot" else "at"
    if kind in ("name", "place", "aperture", "dot"):
        found[spot] = points[0]
    # Where a label says the place, it is the shape that gives it, unless a new feature brings its own.
    for field, point in _LABELLED.get(kind, ()):
        if not (record.get(field) and (fresh or kind == "aperture")):
            found[field] = nearest_label(survey, points[point])
    return found


def _way(
    survey: Survey,
    kind: str,
    points: tuple[tuple[int, int], ...],
    record: Mapping[str, Any],
    *,
    fresh: bool,
    slack: float,
) -> dict[str, Any]:
    """Return the hexes of a road or a crest, and the line of a road where it does not run through their centres."""
    labels, grid = survey.model.labels, survey.grid
    path = list(record.get("path") or ()) if fresh else []
    if not path:
        path = [labels.label(cell) for cell in hex_path(grid, points)]
    try:
        centres = [grid.centre(cell) for cell in labels.cells(path)]
    except LabelError:
        return {"path": path}
    through = len(centres) == len(points) and _near(_floats(centres), _floats(points), slack)
    if kind == "crest" or through:
        return {"path": path, "line": ()} if kind == "road" else {"path": path}
    return {"path": path, "line": points if len(points) > 1 else ()}


def nearest_label(survey: Survey, point: Sequence[float]) -> str:
    """Return the label of the location whose dot is nearest; of the hex itself where the game plays on hexes.

    Raises
    ------
    StudioError
        When the map has no location.
    """
    directory = survey.directory
    cell = int(survey.grid.cells_at(np.array([point], dtype=float))[0])
    if cell >= 0 and not directory.others and directory.exists(cell):
        return directory.label(cell)
    numbers = directory.numbers
    if not len(numbers):
        msg = "the map has no location that something could be on; draw hexes or areas first"
        raise StudioError(msg)
    dots = np.array([directory.dot(number) for number in itertools.islice(numbers.tolist(), None)], dtype=float)
    away = ((dots - np.array(point, dtype=float)) ** 2).sum(axis=1)
    return directory.label(int(numbers[int(np.argmin(away))]))

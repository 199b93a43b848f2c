"""Openings on walls of a map, each with its arc of fire: the entrances of a layer of points, and those made up."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import EditError
from studio.exchange.common.ground import surveyed
from studio.exchange.geodata.making import pieces_of
from studio.exchange.geodata.options import LayerRule
from studio.grid import HexGrid
from studio.model import Aperture, Area, Wall
from studio.model.features import Feature
from studio.model.topology import Weights, lattice_weights
from studio.model.topology.draft import Draft, strands_of
from studio.model.topology.rings import bounds, lies_on
from studio.model.topology.vertices import insert_corner
from studio.rules.urban_operations.arcs import arc_of_fire
from studio.rules.urban_operations.arrows import Arrow, arrows_from, behind_of
from studio.rules.urban_operations.doorsteps import HEX_APART, Doorsteps
from studio.rules.urban_operations.walls import WallPoint, Walls

if TYPE_CHECKING:
    from studio.exchange.geodata.laying import Laying
    from studio.model import Point
    from studio.survey import Survey

__all__ = ["Wanted", "lay_openings", "set_openings"]

_REACH = 0.5
"""Hexes from an entrance of the data to its wall, at most: walls were tidied, and data disagree."""
_PREFIX = "entrance-"
_BESIDE = 12
"""Square of the distance of two lattice units, up to which a point that was rounded is still that of its wall."""
_MARGIN = 8
"""Lattice units around a wall within which others may lie on it, after it was bent a little."""
_SPREADS = (120, 60, 0)
"""Degrees between the two arrows of an arc, the best first: most of those that are printed are so wide (page 13)."""
_SLANTS = (30, 30, 75)
"""Degrees between the middle of such an arc and the way straight out, at most."""


class Wanted(NamedTuple):
    """An opening to be set.

    Attributes
    ----------
    key : hashable
        What it is for.
    type : str
    spot : WallPoint
    """

    key: Any
    type: str
    spot: WallPoint


def lay_openings(
    laying: Laying,
    rule: LayerRule,
    rows: Sequence[tuple[Mapping[str, Any], Any]],
    values: Sequence[str | None],
    used: Counter[str],
) -> None:
    """Set an opening on the nearest wall of every point of a layer, where one can lead out to hexes.

    Parameters
    ----------
    laying : Laying
    rule : LayerRule
    rows : sequence of (mapping, shapely geometry)
    values : sequence of str or None
        Type of each; None for those to leave out.
    used : Counter of str
        Takes why rows gave nothing.
    """
    survey = surveyed(laying.model, laying.ruleset)
    walls = {kind: Walls(survey, laying.ruleset, kind) for kind in sorted({kind for kind in values if kind})}
    taken = {one.at for one in survey.features_of(Aperture)}
    wanted: list[Wanted] = []
    off: list[Point] = []
    for (_, shape), kind in zip(rows, values, strict=True):
        points = [(round(x), round(y)) for one in pieces_of(shape) if one.kind == "point" for x, y in one.points[:1]]
        if kind is None or not points:
            used["of another shape" if kind else "without a value"] += 1
        if kind is None:
            continue
        for point in points:
            if laying.model.grid.cell_at(*laying.model.grid.to_map(*point)) is None:
                used["off the hexes"] += 1
                continue
            spot = walls[kind].find(point, HEX_APART * _REACH**2)
            if spot is None or spot.at in taken:
                used["on no free wall" if spot is None else "where another one is"] += 1
                off += [point] if spot is None else []
                continue
            taken.add(spot.at)
            wanted.append(Wanted(len(wanted), kind, spot))
    made = set_openings(laying, wanted, _PREFIX)
    closed = [one for one in wanted if one.key not in made]
    used["with no open hex before it"] += len(closed)
    name = rule.layer or "the first layer"
    laying.say("decided", f"{name}: {len(made)} openings are set on the nearest wall", openings=len(made))
    if off:
        text = f"{name}: {len(off)} openings lie {_REACH:g} hexes or more off every free wall and are left out"
        laying.say("finding", text, _labels(laying, off), openings=len(off))
    if closed:
        text = f"{name}: {len(closed)} openings lead to no open hex and are left out"
        laying.say("finding", text, _labels(laying, [one.spot.at for one in closed]), openings=len(closed))


def _labels(laying: Laying, points: Sequence[Point]) -> tuple[str, ...]:
    """Return the hexes of points, each once."""
    cells = laying.model.grid.cells_at(np.array(points, dtype=float))
    return tuple(laying.model.labels.label(int(cell)) for cell in np.unique(cells[cells >= 0]))


def set_openings(
    laying: Laying,
    wanted: Sequence[Wanted],
    prefix: str,
    allowed: Callable[[Any, list[int]], bool] | None = None,
) -> dict[Any, tuple[str, list[int]]]:
    """Set openings on walls, with arcs of fire; the wall gets a corner where no lattice point lies on it.

    Parameters
    ----------
    laying : Laying
    wanted : sequence of Wanted
    prefix : str
        Of their ids; numbers follow.
    allowed : callable, optional
        Is given the key and the hexes before an opening, and tells whether it may be.

    Returns
    -------
    dict of hashable to (str, list of int)
        By the key of each that was set its id, and the hexes before it; without one it is not set.
    """
    model = laying.model
    at = _cornered(laying, wanted)
    survey = surveyed(model, laying.ruleset)
    doorsteps = Doorsteps(survey)
    number = sum(name.startswith(prefix) for name in model.features)
    found: dict[Any, tuple[str, list[int]]] = {}
    for one in wanted:
        made = _with_arc(survey, doorsteps, one, at[one.key]) if one.key in at else None
        if made is None or not (allowed is None or allowed(one.key, made[1])):
            continue
        number += 1
        is_open = "breach" not in laying.ruleset.aperture_types[one.type].sight
        laying.put(msgspec.structs.replace(made[0], id=f"{prefix}{number}", open=is_open))
        found[one.key] = f"{prefix}{number}", made[1]
    return found


def _with_arc(survey: Survey, doorsteps: Doorsteps, wanted: Wanted, at: Point) -> tuple[Aperture, list[int]] | None:
    """Return an opening with the best arc of fire with which it leads out to hexes, and those; None without one."""
    into = wanted.spot.into[0]
    for arrows, arc in _arcs(survey, at, into):
        opening = Aperture(id="new", type=wanted.type, at=at, into=into, arrows=arrows)
        before = doorsteps.before(opening, arc)
        if before:
            return opening, before
    return None


def _cornered(laying: Laying, wanted: Sequence[Wanted]) -> dict[Any, Point]:
    """Return where openings lie exactly on their walls, after these got the corners that they need.

    One whose corner would spoil an outline is left out.
    """
    import shapely

    features, weights = laying.model.features, lattice_weights(laying.model.grid)
    names = [name for name, one in features.items() if isinstance(one, Area | Wall | Aperture)]
    around = np.array([_box(features[name]) for name in names]).reshape(-1, 4)
    tree = shapely.STRtree(shapely.box(*around.T))
    found: dict[Any, Point] = {}
    new: dict[str, list[Aperture]] = defaultdict(list)
    for one in wanted:
        edge = np.array(one.spot.edge)
        reach = shapely.box(*(edge.min(axis=0) - _MARGIN), *(edge.max(axis=0) + _MARGIN))
        near = [names[n] for n in np.sort(tree.query(reach)).tolist()]
        # What the edge holds already stays on it.
        held = {f"new-{n}": opening for n, opening in enumerate(new[one.spot.feature])}
        draft = Draft({name: features[name] for name in near} | held)
        at = _on_wall(draft, one.spot, weights)
        if at is None:
            continue
        found[one.key] = at
        new[one.spot.feature].append(Aperture(id="new", type=one.type, at=at, into=one.spot.into[0]))
        for name in near:
            changed = draft.get(name)
            if changed is not None:
                features[name] = changed
    return found


def _box(feature: Feature) -> tuple[int, int, int, int]:
    """Return the box around an area, a wall or an opening."""
    match feature:
        case Area():
            return bounds(feature.outline)
        case Wall():
            return bounds(feature.line)
        case Aperture():
            return (*feature.at, *feature.at)
    msg = f"{feature.id} is no area, wall or opening"
    raise TypeError(msg)


def _on_wall(draft: Draft, spot: WallPoint, weights: Weights) -> Point | None:
    """Return the point of a wall in a draft, with a corner there where it is needed; None where that spoils a shape."""
    owner = draft.get(spot.feature)
    if owner is None or any(lies_on(spot.at, *edge) for strand in strands_of(owner) for edge in strand.edges()):
        return spot.at if owner is not None else None
    try:
        at = insert_corner(draft, spot.at, reach=_BESIDE, weights=weights, of=spot.feature)
        draft.check()
    except EditError:
        return None
    return at


# -- arcs of fire ----------------------------------------------------------------------------------------------------


def _arcs(survey: Survey, at: Point, into: str) -> Iterator[tuple[tuple[tuple[str, ...], ...], NDArray[np.bool_]]]:
    """Yield arrows that an opening can have, and the hexes in their arc, the best first.

    Those are wide arcs straight out; none leads into the house.
    """
    grid, number = survey.grid, survey.directory.number(into)
    inner = survey.directory.dot(number)
    behind = behind_of(survey, at, inner, number)
    arrows = arrows_from(survey, at, into)
    outward = _outward(grid, behind.edges) if behind.edges else _angle(grid, (at[0] - inner[0], at[1] - inner[1]))
    angles = [_angle(grid, one.step) for one in arrows]
    for spread, slant in zip(_SPREADS, _SLANTS, strict=True):
        for pair in _ranked(arrows, angles, outward, spread, slant):
            labels = tuple(arrows[n].labels for n in dict.fromkeys(pair))
            cells = [survey.model.labels.cells(one) for one in labels]
            arc = arc_of_fire(grid, at, inner, cells)
            if not behind.any_of(grid.centres[arc]):
                yield labels, arc


def _ranked(
    arrows: Sequence[Arrow], angles: Sequence[int], outward: int, spread: int, slant: int
) -> list[tuple[int, int]]:
    """Return pairs of arrows so many degrees apart, by how straight out and how near they begin; one twice for 0."""
    if not spread:
        pairs = [(n, n) for n in range(len(arrows))]
    else:
        alike = [
            (a, b) for a, b in combinations(range(len(arrows)), 2) if len(arrows[a].labels) == len(arrows[b].labels)
        ]
        pairs = [(a, b) for a, b in alike if abs(_turn(angles[a], angles[b])) == spread]
    ranked = []
    for a, b in pairs:
        off = abs(_turn(outward, angles[a] + _turn(angles[a], angles[b]) // 2))
        if off <= slant:
            ranked.append((off // 15, a + b, a, b))
    return [(a, b) for _, _, a, b in sorted(ranked)]


def _angle(grid: HexGrid, step: tuple[float, float]) -> int:
    """Return the true direction of a step on the lattice in whole degrees."""
    return round(math.degrees(math.atan2(step[1] * grid.scale[1], step[0] * grid.scale[0])))


def _turn(a: int, b: int) -> int:
    """Return by how many degrees one direction lies beyond another, from -180 up to 179."""
    return (b - a + 180) % 360 - 180


def _outward(grid: HexGrid, edges: Sequence[tuple[Point, Point]]) -> int:
    """Return the direction straight out of a house whose inside is on the positive side of edges."""
    x = y = 0.0
    for (px, py), (qx, qy) in edges:
        dx, dy = (qx - px) * grid.scale[0], (qy - py) * grid.scale[1]
        length = math.hypot(dx, dy)
        x, y = x + dy / length, y - dx / length
    return round(math.degrees(math.atan2(y, x)))

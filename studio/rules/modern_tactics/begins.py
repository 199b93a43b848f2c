"""How moves begin in Modern Tactics: from off the map (22.6), off a vehicle (23.0.2, 30.5), out of a bunker (13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.errors import GridError
from studio.paths import CostPart
from studio.rules.modern_tactics import footing

if TYPE_CHECKING:
    from studio.rules.modern_tactics.moves import TacticsMoves

__all__ = ["NAMES", "ends", "parts", "special", "usual"]

NAMES = {"off_map": "off the map", "aboard": "aboard", "bunker": "in the bunker"}
"""Names of the states that a move begins in."""


def ends(moves: TacticsMoves, here: int) -> list[int]:
    """Return the states in which a unit comes to the location that it begins at."""
    ways = moves.ways
    if ways.flies and ways.on_road(here):
        return []
    if moves.state.begins == "off_map" and moves.stopped is not None and ways.cell_of(here) in ways.stops:
        return [moves.stopped]
    if moves.turns and moves.state.facing:
        return [moves.states.index(f"facing {moves.state.facing}")]
    return list(range(moves.facings))


def parts(moves: TacticsMoves, here: int, after: int) -> list[CostPart]:
    """Return the parts of the step with which a move begins.

    Parameters
    ----------
    moves : TacticsMoves
    here : int
        Number of the location.
    after : int
        State after the step.

    Raises
    ------
    GridError
        When a move does not begin so there.
    """
    name = moves.survey.directory.label(here)
    if after not in ends(moves, here):
        msg = f"{name}: a move does not begin there like that"
        raise GridError(msg)
    begin = {"off_map": _entering, "aboard": _unloading, "bunker": _leaving_bunker}[moves.state.begins]
    return list(begin(moves, here))


def usual(moves: TacticsMoves, terrain: int | None) -> int | None:
    """Return the half points with which a move begins in a hex of some terrain with nothing special to it.

    Parameters
    ----------
    moves : TacticsMoves
    terrain : int or None
        Half points of the terrain.
    """
    if moves.state.begins != "aboard" or terrain is None:
        return None
    return terrain + moves.ways.figure("load")


def special(moves: TacticsMoves) -> list[int]:
    """Return the locations at which a move begins otherwise than :func:`usual` says."""
    ways, survey = moves.ways, moves.survey
    roads = list(ways.road_at.values())
    if moves.state.begins == "off_map":
        edge = (survey.grid.neighbour_table < 0).any(axis=1) & survey.directory.playable.ravel()
        return [*edge.nonzero()[0].tolist(), *roads]
    if moves.state.begins == "bunker":
        return sorted(cell for cell, kinds in ways.markers.items() if "bunker" in kinds)
    return sorted({*survey.road_hexes, *ways.blocked, *ways.full, *roads})


def _entering(moves: TacticsMoves, here: int) -> Iterator[CostPart]:
    """Yield the cost of entering the map: that of the terrain entered (22.6)."""
    ways, name = moves.ways, moves.survey.directory.label(here)
    cell = ways.cell_of(here)
    if not ways.at_edge(cell):
        yield CostPart("22.6", None, f"{name} is not at the edge of the map")
        return
    by_road = not ways.flies and ways.options["enter_by_road"] == "road" and footing.road_counts(moves, here)
    surface = ways.leaving_roads.get(cell, "") if by_road else ""
    yield _entered(moves, here, surface)
    yield from footing.marked(moves, here)
    yield from footing.held(moves, here)
    yield from footing.crowded(moves, here)
    if moves.covering is not None:
        yield from footing.closing(list(_entering(moves.covering, here)))
    yield from footing.bog(moves, here, [], on_road=bool(surface))


def _entered(moves: TacticsMoves, here: int, surface: str) -> CostPart:
    """Return the cost of the ground on which a unit enters the map."""
    ways, name = moves.ways, moves.survey.directory.label(here)
    if ways.on_road(here) and ways.cell_of(here) in ways.fallen:
        return CostPart("14.10", None, f"{name}: the structure has collapsed, its road no longer counts")
    if surface:
        return CostPart("22.6", ways.road_cost(surface), f"{name}: into the map along the {surface} road")
    if ways.on_road(here) and ways.options["road_from_beside"] != "terrain":
        cost = ways.road_cost("unpaved") if ways.options["road_from_beside"] == "road" else None
        return CostPart("14.7", cost, f"{name}: onto the road from off the map")
    return footing.terrain_part(moves, here)


def _unloading(moves: TacticsMoves, here: int) -> Iterator[CostPart]:
    """Yield the cost of getting off a vehicle: a point and the terrain (23.0.2, 30.5)."""
    ways, name = moves.ways, moves.survey.directory.label(here)
    cell = ways.cell_of(here)
    yield CostPart("23.0.2", ways.figure("load"), f"{name}: off the vehicle")
    open_road = moves.survey.has_road(cell) and cell not in ways.road_at and cell not in ways.fallen
    if ways.on_road(here) or (open_road and ways.options["unload_on_road"] == "road"):
        yield CostPart("14.3", ways.road_cost("unpaved"), f"{name}: onto the road")
    else:
        yield footing.terrain_part(moves, here)
    yield from footing.crowded(moves, here)


def _leaving_bunker(moves: TacticsMoves, here: int) -> Iterator[CostPart]:
    """Yield the cost of leaving a bunker, for the hex around it (13.4)."""
    ways, name = moves.ways, moves.survey.directory.label(here)
    if "bunker" in ways.markers.get(here, ()):
        yield CostPart("13.4", ways.figure("bunker"), f"{name}: out of the bunker")
    else:
        yield CostPart("13.4", None, f"{name}: there is no bunker")

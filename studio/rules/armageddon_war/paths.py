"""Movement in Armageddon War (3.0, 5.43, 5.7): the cost of a step, part by part; figures stand in terrain.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from studio.errors import GridError, UnknownNameError, nearest
from studio.paths import CostPart, Step
from studio.rules import Ruleset, get_ruleset, halves
from studio.survey import Survey

__all__ = ["step"]


def step(
    survey: Survey, a: int, b: int, mover: str, options: Mapping[str, Any] | None = None, *, flank: bool = False
) -> Step:
    """Return the explained cost of moving from a hex to an adjacent one.

    Parameters
    ----------
    survey : Survey
    a, b : int
        Cells.
    mover : str
        ``infantry``, ``wheeled``, ``tracked``, ``amphibious_wheeled`` or ``amphibious_tracked``.
    options : mapping, optional
        Movement has no options in this game.
    flank : bool
        At flank speed: one point less a hex, never below half a point.

    Raises
    ------
    GridError
        When the two hexes are not adjacent.
    UnknownNameError
        When the game has no such mover.
    """
    del options
    ruleset = get_ruleset("armageddon_war")
    if mover not in ruleset.movers:
        msg = f"unknown mover {mover!r} in {ruleset.title}; {nearest(mover, ruleset.movers)}"
        raise UnknownNameError(msg)
    label = survey.model.labels.label
    if survey.grid.direction(a, b) is None:
        msg = f"{label(a)} and {label(b)} are not adjacent: a step leads to a neighbouring hex"
        raise GridError(msg)
    parts = [*_ground(survey, ruleset, a, b, mover), *_climb(survey, ruleset, a, b)]
    parts += [*_hexside(survey, ruleset, a, b, mover), *_markers(survey, ruleset, b)]
    if flank:
        parts.append(CostPart("3.0 flank move", 2 * ruleset.catalogue.movement.flank, "flank speed: 1 less"))
    return Step(label(a), label(b), mover, tuple(parts), halves(ruleset.catalogue.movement.least) or 0)


def _sight_class(survey: Survey, ruleset: Ruleset, cell: int) -> str:
    return ruleset.terrain(survey.model.terrain_at(cell)).sight


def _ground(survey: Survey, ruleset: Ruleset, a: int, b: int, mover: str) -> Iterator[CostPart]:
    """Yield the cost of the ground entered: the road if there is one, else the terrain."""
    road = halves(ruleset.catalogue.movement.road)
    name = survey.model.labels.label(b)
    terrain = survey.model.terrain_at(b)
    term = ruleset.terrain(terrain).name.lower()
    if survey.road_across(a, b):
        yield CostPart("3.0 road", road, f"{name}: along the road")
        return
    in_wadi = [_sight_class(survey, ruleset, cell) == "wadi" for cell in (a, b)]
    if in_wadi[0] != in_wadi[1] and "wadi_end" not in survey.side_kinds(a, b):
        yield CostPart("3.0 wadi", None, f"{name}: a wadi is entered and left at its ends only")
        return
    if terrain == "river" and survey.has_road(b):
        if survey.model.terrain_at(a) != "river":
            yield CostPart("3.0 river", road, f"{name}: onto the bridge, open to every adjacent land hex")
            return
        term = "water under the bridge"
    yield CostPart("3.0", ruleset.move_cost(terrain, mover), f"{name} {term}")


def _climb(survey: Survey, ruleset: Ruleset, a: int, b: int) -> Iterator[CostPart]:
    model = survey.model
    rise = model.level_at(b) - model.level_at(a)
    leaves_wadi = [_sight_class(survey, ruleset, cell) == "wadi" for cell in (a, b)] == [True, False]
    lines = max(rise, 1 if leaves_wadi else 0)
    if lines > 0:
        cost = lines * (halves(ruleset.catalogue.movement.elevation) or 0)
        why = "out of the wadi" if leaves_wadi and rise <= 0 else f"up {lines} level{'s' if lines > 1 else ''}"
        yield CostPart("3.0 elevation", cost, f"{model.labels.label(b)}: {why}")


def _hexside(survey: Survey, ruleset: Ruleset, a: int, b: int, mover: str) -> Iterator[CostPart]:
    kinds = survey.side_kinds(a, b)
    for kind in kinds:
        if kind == "fence" and "breached_fence" in kinds:
            continue  # the breach is the way through
        cost = ruleset.cross_cost(kind, mover)
        if cost != 0:
            side = ruleset.side_kinds[kind]
            yield CostPart(side.section, cost, f"across the {side.name.lower()}")


def _markers(survey: Survey, ruleset: Ruleset, b: int) -> Iterator[CostPart]:
    for kind in survey.markers_at(b):
        marker = ruleset.marker_types.get(kind)
        if marker is not None and marker.enter:
            yield CostPart(marker.section, 2 * marker.enter, f"{survey.model.labels.label(b)}: {marker.name.lower()}")

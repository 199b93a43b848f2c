"""Checks of Ignorant Armies: water that no ground unit crosses, and what leads over it."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject
from studio.model import Road

__all__ = ["CHECKS"]

_GAME = "ignorant_armies"


def _closed(subject: MapSubject) -> set[str]:
    """Return the terrains that no ground unit enters (11.15, 11.17)."""
    return {name for name, kind in subject.ruleset.terrains.items() if kind.move.get("ground") == "X"}


@check(
    "map.road_water",
    "warning",
    "No road leads through a lake, the sea or islands out of play (11.15, 11.17)",
    game=_GAME,
)
def _road_water(subject: MapSubject) -> Iterator[Fault]:
    closed = _closed(subject)
    for road in subject.survey.features_of(Road):
        for label, cell in zip(road.path, subject.labels.cells(road.path), strict=True):
            terrain = subject.model.terrain_at(cell)
            if terrain in closed:
                message = f"{road.id} leads through {terrain.replace('_', ' ')}, where no ground unit can be"
                yield Fault(label, message, "lead it around, or paint the land there", subject.centre(cell))


@check("map.water_side", "warning", "An all-water hexside lies at a hex that units can enter (11.15)", game=_GAME)
def _water_side(subject: MapSubject) -> Iterator[Fault]:
    closed = _closed(subject)
    for (a, b), kinds in sorted(subject.model.sides.items()):
        if "all_water" in kinds and {subject.model.terrain_at(cell) for cell in (a, b)} <= closed:
            label = f"{subject.labels.label(a)}/{subject.labels.label(b)}"
            yield Fault(label, "no unit can be on either side of it", "clear the hexside", subject.between(a, b))


CHECKS = (_road_water, _water_side)

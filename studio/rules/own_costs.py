"""What is wrong with the costs of movement that a game's file gives: no halves, unknown movers and terrain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from studio.errors import Fault, ScenarioRuleError, nearest

if TYPE_CHECKING:
    from studio.rules.catalogue import Catalogue

__all__ = ["MOST_COST", "cost_faults"]

MOST_COST = 1000
"""Most points of one cost: with all that can come together in a step the sum stays far below what means closed."""

_REMEDY = "write 1, '1/2' or 'X'"


def cost_faults(catalogue: Catalogue, halves: Callable[[Any], int | None]) -> Iterator[Fault]:
    """Yield the faults of all costs: of terrain, hexsides, markers, and the table of movement.

    Parameters
    ----------
    catalogue : Catalogue
    halves : callable
        Reads a cost; `ScenarioRuleError` when it is none.
    """
    tables = [
        *((f"$.terrain.{name}.move", one.move) for name, one in catalogue.terrain.items()),
        *((f"$.sides.{name}.cross", one.cross) for name, one in catalogue.sides.items()),
        *((f"$.markers.{name}.move", one.move) for name, one in catalogue.markers.items()),
    ]
    for mover, one in catalogue.movers.items():
        if one.like and one.like not in catalogue.movers:
            yield Fault(f"$.movers.{mover}.like", f"unknown mover {one.like!r}", nearest(one.like, catalogue.movers))
    for place, costs in tables:
        for mover, cost in costs.items():
            yield from _cost(f"{place}.{mover}", cost, halves)
            if mover not in catalogue.movers:
                yield Fault(f"{place}.{mover}", f"unknown mover {mover!r}", nearest(mover, catalogue.movers))
    for name, marker in catalogue.markers.items():
        yield from _cost(f"$.markers.{name}.enter", marker.enter, halves)
    for name in ("road", "elevation", "least"):
        yield from _cost(f"$.movement.{name}", getattr(catalogue.movement, name), halves)
    for name, marker in catalogue.markers.items():
        named = [("becomes", marker.becomes), *(("terrain", terrain) for terrain in marker.terrain)]
        for field, terrain in named:
            if terrain and terrain not in catalogue.terrain:
                message = f"unknown terrain {terrain!r}"
                yield Fault(f"$.markers.{name}.{field}", message, nearest(terrain, catalogue.terrain))


def _cost(place: str, cost: Any, halves: Callable[[Any], int | None]) -> Iterator[Fault]:
    try:
        found = halves(cost)
    except ScenarioRuleError as error:
        yield Fault(place, str(error), _REMEDY)
        return
    if found is not None and not 0 <= found <= 2 * MOST_COST:
        got = cost if -9999 <= found <= 9999 else f"{'-' * (found < 0)}a number far beyond"
        yield Fault(place, f"got {got}, allowed: 0 to {MOST_COST:,} points, or 'X' for closed", _REMEDY)

"""Supply in Ignorant Armies once more, slow and plain: sets of labels and the sentences of section 12, one by one."""

from __future__ import annotations

import itertools

from tests.paths.boards import Board

__all__ = ["closed_hexes", "controls", "is_supplied", "least_off_road", "off_road_cost", "walk", "working_sources"]

HIGHER_COST = {"clear": 1, "city": 1, "hills": 2, "marsh": 2, "mountains": 3}


def terrain_of(board: Board, label: str) -> str:
    return board.terrain.get(label, "clear")


def off_road_cost(board: Board, a: str, b: str) -> int | None:
    """Return the movement points of a step off road, None where there is none."""
    side = frozenset((a, b))
    if terrain_of(board, b) not in HIGHER_COST or side in board.all_water:
        return None
    unbridged = side in board.rivers and side not in board.road_sides
    extra = 1 if unbridged and board.options.get("supply_hexsides", "counts") == "counts" else 0
    return HIGHER_COST[terrain_of(board, b)] + extra


def road_step(board: Board, a: str, b: str) -> bool:
    side = frozenset((a, b))
    wet = any(terrain_of(board, label) not in HIGHER_COST for label in side)
    return side in board.road_sides and side not in board.all_water and not wet


def other(side: str) -> str:
    return {"iraq": "iran", "iran": "iraq"}[side]


def controls(board: Board, side: str, label: str) -> bool:
    """Tell whether a side controls a hex: who stands in it, what is recorded, the country."""
    for unit in board.units:
        if unit.at == label:
            return unit.side == side
    for name, labels in board.control.items():
        if label in labels:
            return name == side
    return board.country(label) == side


def closed_hexes(board: Board, side: str) -> set[str]:
    """Return the hexes that no line of a side may run into."""
    enemies = {unit.at for unit in board.units if unit.side != side}
    own = {unit.at for unit in board.units if unit.side == side}
    cities = {label for label in board.labels() if terrain_of(board, label) == "city"}
    foreign = {label for label in cities if board.country(label) == other(side) and label not in own}
    return enemies | foreign


def working_sources(board: Board, side: str) -> set[str]:
    """Return the cities that supply a side."""
    return {
        label
        for label in board.labels()
        if terrain_of(board, label) == "city"
        and board.country(label) == side
        and controls(board, side, label)
        and label not in board.unrestored
    }


def _on_road_to_source(board: Board, start: str, closed: set[str], sources: set[str]) -> bool:
    """Tell whether the road from a hex leads to a source."""
    seen, pending = {start}, [start]
    while pending:
        label = pending.pop()
        if label in sources:
            return True
        for onward in board.neighbours(label):
            if onward not in seen and onward not in closed and road_step(board, label, onward):
                seen.add(onward)
                pending.append(onward)
    return False


def least_off_road(
    board: Board, side: str, start: str, *, closed: set[str] | None = None, sources: set[str] | None = None
) -> int | None:
    """Return the fewest points off road of any line from a hex, None where there is no line at all."""
    closed = closed_hexes(board, side) if closed is None else closed
    sources = working_sources(board, side) if sources is None else sources
    best = {start: 0}
    for _ in range(len(board.labels())):  # as often as a way can have steps
        changed = False
        for label, spent in list(best.items()):
            for onward in board.neighbours(label):
                cost = off_road_cost(board, label, onward)
                if cost is None or onward in closed:
                    continue
                if spent + cost < best.get(onward, 999):
                    best[onward] = spent + cost
                    changed = True
        if not changed:
            break
    ends = [spent for label, spent in best.items() if _on_road_to_source(board, label, closed, sources)]
    return min(ends, default=None)


def is_supplied(board: Board, side: str, start: str) -> bool:
    """Tell whether a unit in a hex is in supply."""
    needed = least_off_road(board, side, start)
    return needed is not None and needed <= 6


def walk(board: Board, side: str, path: tuple[str, ...], off_road: int) -> int:
    """Walk a supply line step by step; return its points off road; an AssertionError where it breaks a rule."""
    closed = closed_hexes(board, side)
    assert path[-1] in working_sources(board, side)
    total = 0
    for at, (a, b) in enumerate(itertools.pairwise(path)):
        assert b in board.neighbours(a)
        assert b not in closed
        if at < off_road:
            cost = off_road_cost(board, a, b)
            assert cost is not None
            total += cost
        else:
            assert road_step(board, a, b)
    return total

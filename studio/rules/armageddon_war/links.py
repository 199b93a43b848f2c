"""Movement in Armageddon War for all hexes at once: the sums of the steps of :mod:`.moves`, held equal to them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.paths import NEVER, HexTable, Network
from studio.rules import halves

if TYPE_CHECKING:
    from studio.rules.armageddon_war.moves import ArmageddonMoves

__all__ = ["crossings", "network"]


def crossings(moves: ArmageddonMoves, kinds: tuple[str, ...], along_road: bool) -> Iterator[tuple[str, int | None]]:
    """Yield what runs on a hexside and costs something to cross, with its half points, None where it is closed."""
    gate = along_road and moves.options["road_through_fence"] == "gate"
    for kind in kinds:
        if kind == "fence" and (gate or "breached_fence" in kinds):
            continue  # the gate, or the breach, is the way through
        cost = moves.ruleset.cross_cost(kind, moves.mover)
        if cost != 0:
            yield kind, cost


def network(moves: ArmageddonMoves) -> Network:
    """Return the nodes and links of one kind of unit."""
    table = HexTable(moves.survey)
    sums = _sums(moves, table)
    least = halves(moves.ruleset.catalogue.movement.least) or 0
    less = 2 * moves.ruleset.catalogue.movement.flank
    size = len(moves.survey.directory)
    if not moves.in_parts:
        if moves.state.flank:
            sums += less
        return Network.from_table(table.neighbours, table.finish(sums, least), size, mutual=True)
    slow = table.finish(sums, least)
    near = table.plane(moves.near_enemy)
    fast = table.finish(np.where(near[:, None] | table.entered(near), NEVER, sums + less), least)
    before, flank, after = range(3)
    parts = [(before, before, slow), (before, flank, fast), (flank, flank, fast), (flank, after, slow)]
    parts.append((after, after, slow))
    tables = [(begin, end, table.neighbours, costs) for begin, end, costs in parts]
    return Network.from_tables(len(moves.states), tables, size, mutual=True)


def _sums(moves: ArmageddonMoves, table: HexTable) -> NDArray[np.int32]:
    """Add up the half points of every step; ``NEVER`` and more is forbidden."""
    ruleset, survey, model = moves.ruleset, moves.survey, moves.survey.model
    road = halves(ruleset.catalogue.movement.road) or 0
    names = model.terrain_ids
    costs = [ruleset.move_cost(name, moves.mover) for name in names]
    ground = np.array([NEVER if cost is None else cost for cost in costs], dtype=np.int32)[model.terrain]
    sums: NDArray[np.int32] = table.entered(ground)
    river = model.terrain.ravel() == names.index("river")
    has_road = table.plane(survey.road_hexes)
    bridge = river & has_road
    if bridge.any():
        sums[table.entered(bridge) & ~river[:, None]] = road
    _close_wadis(moves, table, sums)
    if moves.options["off_road_in_x"] == "keeps_to_road" and has_road.any():
        sums[(ground.ravel() == NEVER) & has_road & ~river] = NEVER
    sums.ravel()[table.roads] = road
    _climb(moves, table, sums)
    table.add_sides(sums, partial(_crossing, moves))
    _units(moves, table, sums)
    return sums


def _is_wadi(moves: ArmageddonMoves) -> NDArray[np.bool_]:
    model = moves.survey.model
    return np.array([moves.ruleset.terrain(name).sight == "wadi" for name in model.terrain_ids])[model.terrain].ravel()


def _close_wadis(moves: ArmageddonMoves, table: HexTable, sums: NDArray[np.int32]) -> None:
    wadi = _is_wadi(moves)
    if not wadi.any():
        return
    banks = wadi[:, None] != table.entered(wadi)
    for kinds, positions in table.sides.items():
        if "wadi_end" in kinds:
            banks.ravel()[positions] = False
    sums[banks] = NEVER


def _climb(moves: ArmageddonMoves, table: HexTable, sums: NDArray[np.int32]) -> None:
    levels, wadi = moves.survey.model.levels, _is_wadi(moves)
    if not wadi.any() and bool((levels == levels.flat[0]).all()):
        return
    lines = table.climbs
    if wadi.any():
        lines = np.maximum(lines, wadi[:, None] & ~table.entered(wadi))
    sums += lines * np.int32(halves(moves.ruleset.catalogue.movement.elevation) or 0)


def _crossing(moves: ArmageddonMoves, kinds: tuple[str, ...], along_road: bool) -> int | None:
    costs = [cost for _, cost in crossings(moves, kinds, along_road)]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _units(moves: ArmageddonMoves, table: HexTable, sums: NDArray[np.int32]) -> None:
    markers, state = moves.ruleset.marker_types, moves.state
    table.add_markers(sums, {kind: 2 * marker.enter for kind, marker in markers.items() if marker.enter})
    extra = np.zeros(moves.survey.grid.cells, dtype=np.int32)
    marked = moves.survey.cells_with_marker("civilians")
    extra[table.plane(state.civilians.difference(marked))] += 2 * markers["civilians"].enter
    extra[table.plane(state.blocked)] += NEVER
    if extra.any():
        sums += table.entered(extra)
    sums[table.plane(state.enemies)] = NEVER

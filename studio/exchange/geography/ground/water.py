"""Sea and lakes: hexes that are all water, and hexsides between two land hexes that lie in water."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.shares import cover_by_hex, covered, reached
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.ground.heights import listed_hexes
from studio.exchange.geography.work import Work

__all__ = ["lay_coast", "lay_water"]

_SOME = 0.1  # share of land in a hex of water that is worth a line in the report
_HIGH = 50  # mean height in metres of a hex that can hardly be sea


# -- hexes -----------------------------------------------------------------------------------------------------------


def lay_water(work: Work) -> None:
    """Make the hexes all water that sea and lakes cover by their share; a hex with a town stays land.

    Parameters
    ----------
    work : Work
        Gets ``water``, the shares ``sea``, ``lake`` and ``water`` (both together), and the terrain of these hexes.

    Notes
    -----
    Sea is what lies outside of the polygons of land. A lake beyond the land is sea and counts once. The terrain is that
    of sea or lake, whichever covers more; sea where both cover as much. A single hex of water amid land, and a single
    one of land amid water, stay what the data say, and are reported.

    Raises
    ------
    DocumentError
        When the game has no such terrain, or the land lies elsewhere.
    """
    grid, rule = work.placing.grid, work.spec.water
    work.water = np.zeros(grid.cells, dtype=bool)
    if not rule.land and not rule.lakes:
        return
    present = grid.present.ravel()
    land, lakes = _shapes(work)
    over_land = cover_by_hex(grid, land) if rule.land else present.astype(float)
    over_lakes = cover_by_hex(grid, lakes)
    both = cover_by_hex(grid, np.concatenate((land, lakes))) if rule.land and len(lakes) else over_land
    sea = np.where(present, np.round(1 - over_land, 9), 0.0)
    # What lies beyond land and lakes alike, and the lakes: the lake in a bay is not counted twice.
    water = np.where(present, np.clip(np.round(1 - both + over_lakes, 9), 0, 1), 0.0)
    lake = np.round(np.maximum(water - sea, 0), 9)
    work.shares |= {"sea": sea, "lake": lake, "water": water}
    wet = reached(water, rule.share) & present
    _keep_towns(work, wet)
    kinds = np.where(lake > sea, rule.lake, rule.sea)
    for name in (rule.sea, rule.lake):
        cells = np.flatnonzero(wet & (kinds == name))
        if len(cells):
            _check_terrain(work, name, cells)
            work.model.terrain.flat[cells] = work.model.terrain_ids.index(name)
    work.water = wet
    _report_water(work)


def _shapes(work: Work) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the polygons of land and of lakes."""
    rule, none = work.spec.water, np.zeros(0, dtype=object)
    land = read_layer(work, rule.land, "water.land", kinds="area").shapes if rule.land else none
    lakes = read_layer(work, rule.lakes, "water.lakes", kinds="area").shapes if rule.lakes else none
    return np.asarray(land, dtype=object), np.asarray(lakes, dtype=object)


def _check_terrain(work: Work, name: str, cells: NDArray[np.int64]) -> None:
    if name in work.model.terrain_ids:
        return
    field = "sea" if name == work.spec.water.sea else "lake"
    hexes = ", ".join(listed_hexes(work, cells)[:5])
    message = f"{len(cells)} hexes ({hexes} ...) are to be {name!r}; {nearest(name, work.model.terrain_ids)}"
    remedy = f'give water.{field} = "..." a terrain of {work.ruleset.title}, or leave its source out'
    raise refused(work.name, message, remedy, path=f"$.water.{field}")


def _keep_towns(work: Work, wet: NDArray[np.bool_]) -> None:
    """Keep the hexes of towns land, whatever covers them."""
    for town in work.towns:
        if not wet[town.cell]:
            continue
        share = float(work.shares["water"][town.cell])
        text = f"{town.town.name} stands here, so the hex stays land, though water covers {share:.0%} of it"
        work.report.add("water", "decided", text, (work.label(town.cell),), water=share)
    wet[[town.cell for town in work.towns]] = False


def _report_water(work: Work) -> None:
    grid, wet, water, add = work.placing.grid, work.water, work.shares["water"], work.report.add
    present = grid.present.ravel()
    count = int(wet.sum())
    add("water", "note", f"Hexes that are all water: {count}; land: {int(present.sum()) - count}", hexes=count)
    mean = work.heights.get("mean", np.zeros(grid.cells))
    high = np.flatnonzero(wet & (work.shares["sea"] > work.shares["lake"]) & (mean > _HIGH))
    if len(high):
        text = f"Hexes of sea more than {_HIGH} m high: {len(high)}; do the polygons of land end before the map does?"
        add("water", "finding", text, listed_hexes(work, high), hexes=len(high))
    drowned = np.flatnonzero(wet & (water <= 1 - _SOME))
    if len(drowned):
        text = f"Hexes of water a tenth of which, or more, is land: {len(drowned)}"
        add("water", "note", text, listed_hexes(work, drowned), hexes=len(drowned))
    table = grid.neighbour_table
    whole = (table >= 0).all(axis=1) & present  # at the edge of the map more of the same may follow
    alone = whole & (wet[table] != wet[:, None]).all(axis=1)
    for cells, text in (
        (np.flatnonzero(alone & wet), "Hexes of water alone amid land"),
        (np.flatnonzero(alone & ~wet), "Hexes of land alone amid water"),
    ):
        if len(cells):
            add("water", "finding", f"{text}: {len(cells)}", listed_hexes(work, cells), hexes=len(cells))


# -- sides -----------------------------------------------------------------------------------------------------------


def lay_coast(work: Work) -> None:
    """Make the hexsides between two land hexes all water where most of their length lies in sea or lake.

    Parameters
    ----------
    work : Work
        Gets the kind of hexside on these sides.

    Notes
    -----
    A side is all water or a river, not both: where water covers enough of it, the kind of a river there is taken off;
    the course of the river stays as it is. A land hex that no side without water leads out of is reported.

    Raises
    ------
    DocumentError
        When the game has no such kind of hexside.
    """
    import shapely

    rule, kinds = work.spec.water, work.ruleset.side_kinds
    if not rule.side or not (rule.land or rule.lakes):
        return
    if rule.side not in kinds:
        message = f"unknown kind of hexside {rule.side!r}; {nearest(rule.side, kinds)}"
        raise refused(work.name, message, f"name one of {work.ruleset.title}", path="$.water.side")
    sides = _candidates(work)
    if not sides:
        return
    ends = np.array([work.placing.grid.side_ends(*side) for side in sides], dtype=float)
    lines = shapely.linestrings(ends)
    land, lakes = _shapes(work)
    every = covered(lines, np.concatenate((land, lakes))) if rule.land else np.ones(len(lines))
    share = np.clip(np.round(1 - every + covered(lines, lakes), 9), 0, 1)
    laid = [side for side, yes in zip(sides, reached(share, rule.side_share).tolist(), strict=True) if yes]
    _lay_sides(work, laid)
    _report_cut_off(work, laid)


def _candidates(work: Work) -> list[tuple[int, int]]:
    """Return the sides between two land hexes that have some water both, in order."""
    present = work.placing.grid.present.ravel()
    some = present & ~work.water & (work.shares["water"] > 0)
    found = []
    for cell in np.flatnonzero(some).tolist():
        row = work.placing.grid.neighbour_table[cell].tolist()
        found += [(cell, other) for other in sorted(row) if other > cell and some[other]]
    return found


def _lay_sides(work: Work, laid: list[tuple[int, int]]) -> None:
    rule, model = work.spec.water, work.model
    rivers = {river.kind for river in work.spec.rivers} - {rule.side}
    off = []
    for side in laid:
        before = set(model.sides.get(side, ()))
        if before & rivers:
            off.append(work.side_label(side))
        model.sides[side] = tuple(sorted((before - rivers) | {rule.side}))
    text = f"Hexsides between land hexes that lie in water: {len(laid)}"
    work.report.add("water", "note", text, tuple(map(work.side_label, laid)), sides=len(laid))
    if off:
        text = f"Hexsides that a river ran on, and that are all water instead: {len(off)}"
        work.report.add("water", "decided", text, tuple(off), sides=len(off))
    towns = {town.cell: town.town.name for town in work.towns}
    for a, b in laid:
        if a in towns and b in towns:
            text = f"Between {towns[a]} and {towns[b]} lies nothing but water"
            work.report.add("water", "finding", text, (work.side_label((a, b)),))


def _report_cut_off(work: Work, laid: list[tuple[int, int]]) -> None:
    """Report land hexes that no side without water leads out of, though there is land beyond."""
    grid, closed = work.placing.grid, set(laid)
    towns = {town.cell: town.town.name for town in work.towns}
    for cell in sorted({cell for side in laid for cell in side}):
        others = [int(one) for one in grid.neighbour_table[cell] if one >= 0]
        ways = [one for one in others if not work.water[one] and (min(cell, one), max(cell, one)) not in closed]
        if not ways:
            text = f"{towns.get(cell, 'The land')} here is cut off: water lies on every side"
            work.report.add("water", "finding", text, (work.label(cell),))

"""Areas drawn round hexes: those that polygons cover, those of a list; outlines of hexes that belong together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.files import refused
from studio.exchange.common.shares import cover_by_hex, reached
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.naming import check_known, free_id
from studio.exchange.geography.spec import AreaRule
from studio.exchange.geography.work import Work
from studio.grid import HexGrid
from studio.grid.raster import CORNERS
from studio.model import Area, Point
from studio.model.topology.merging import rings_of

__all__ = ["Rings", "add_areas", "connected", "lay_areas", "outlines_of"]

_LEAST = 0.5
"""Part of a hex that polygons must cover for it to belong to their area."""


class Rings(NamedTuple):
    """The outline of hexes that hang together, and the holes in it; the first corner is not repeated."""

    outline: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...]


# -- outlines --------------------------------------------------------------------------------------------------------


def connected(grid: HexGrid, cells: Iterable[int]) -> list[NDArray[np.int64]]:
    """Part hexes into those that hang together by their sides, the largest first, of equal ones by the first cell.

    Parameters
    ----------
    grid : HexGrid
    cells : iterable of int

    Returns
    -------
    list of array of int64
        Cells in order.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    held = np.unique(np.fromiter(cells, dtype=np.int64))
    number = np.full(grid.cells + 1, -1, dtype=np.int64)
    number[held] = np.arange(len(held))
    near = number[grid.neighbour_table[held]]
    row, direction = np.nonzero(near >= 0)
    links = coo_matrix((np.ones(len(row), dtype=bool), (row, near[row, direction])), shape=(len(held),) * 2)
    count, owner = connected_components(links, directed=False) if len(held) else (0, np.zeros(0, dtype=np.int32))
    parts = [held[owner == one] for one in range(count)]
    return sorted(parts, key=lambda part: (-len(part), int(part[0])))


def outlines_of(grid: HexGrid, cells: Iterable[int]) -> list[Rings]:
    """Return the outlines of hexes, one for each part that hangs together, along the hexsides in points of the lattice.

    Parameters
    ----------
    grid : HexGrid
    cells : iterable of int

    Returns
    -------
    list of Rings
        The largest part first.

    Examples
    --------
    >>> grid = HexGrid(columns=3, rows=3)
    >>> [(len(one.outline), len(one.holes)) for one in outlines_of(grid, [cell for cell in range(9) if cell != 4])]
    [(22, 1)]
    """
    found = []
    for part in connected(grid, cells):
        outlines, holes = rings_of(_edges(grid, part), ())
        found.append(Rings(outlines[0], tuple(holes)))
    return found


def _edges(grid: HexGrid, part: NDArray[np.int64]) -> set[tuple[Point, Point]]:
    """Return the hexsides round some hexes, each with its hex on the same hand."""
    inside = np.zeros(grid.cells + 1, dtype=bool)  # the last one is what -1 in the table of neighbours means
    inside[part] = True
    row, direction = np.nonzero(~inside[grid.neighbour_table[part]])
    corners = np.array(CORNERS[grid.orientation], dtype=np.int64)
    middle = grid.centres[part[row]]
    begin, end = middle + corners[direction], middle + corners[(direction + 1) % 6]
    return {((a, b), (c, d)) for a, b, c, d in np.concatenate((begin, end), axis=1).tolist()}


def add_areas(work: Work, cells: Iterable[int], wanted: str, type_: str, name: str) -> list[str]:
    """Draw areas round hexes, one for each part that hangs together; return their ids."""
    ids = []
    for rings in outlines_of(work.model.grid, cells):
        new = free_id(work.model.features, wanted)
        work.model.features[new] = Area(id=new, type=type_, outline=rings.outline, holes=rings.holes, name=name)
        ids.append(new)
    return ids


# -- the rule --------------------------------------------------------------------------------------------------------


def lay_areas(work: Work) -> None:
    """Draw the areas of the specification: round hexes that polygons cover by half, and those of a list.

    Raises
    ------
    DocumentError
        When a label is unknown, or a type is none of the game.
    """
    for rule in work.spec.areas:
        check_known(work, "type of area", rule.type, work.ruleset.area_types, f"area {rule.id}")
        listed = _listed(work, rule)
        chosen = np.zeros(work.model.grid.cells, dtype=bool)
        chosen[listed] = True
        inside = chosen.copy()
        if rule.source:
            layer = read_layer(work, rule.source, f"area {rule.id}", kinds="area")
            inside = reached(cover_by_hex(work.model.grid, layer.shapes), _LEAST)
            chosen |= inside
        cells = np.flatnonzero(chosen)
        if not len(cells):
            text = f"area {rule.id} has no hex on the map: no polygon covers half of one"
            work.report.add("areas", "finding", text if rule.source else f"area {rule.id} names no hex and no source")
            continue
        ids = add_areas(work, cells.tolist(), rule.id, rule.type, rule.name)
        text = f"area {rule.name or rule.id}: {len(cells)} hexes" + (f" in {len(ids)} parts" if len(ids) > 1 else "")
        extra = [cell for cell in listed if not inside[cell]]
        if extra:
            text += f"; {len(extra)} of them are listed and lie outside of the polygons"
        at = tuple(map(work.label, extra))
        work.report.add("areas", "decided", text + (f" ({rule.note})" if rule.note else ""), at, hexes=len(cells))


def _listed(work: Work, rule: AreaRule) -> list[int]:
    """Return the hexes of the list.

    Raises
    ------
    DocumentError
        When the map has no such hex.
    """
    labels = work.model.labels
    wrong = [label for label in rule.hexes if labels.find(label) is None]
    if wrong:
        first, last = (labels.label(int(cell)) for cell in np.flatnonzero(work.model.grid.present)[[0, -1]])
        message = f"area {rule.id} lists the hexes {', '.join(wrong[:8])}, which are not on the map ({first} to {last})"
        raise refused(work.name, message, "name hexes by their labels")
    return sorted({labels.cell(label) for label in rule.hexes})

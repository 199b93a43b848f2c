"""The open ground: which hexes hang together for units on foot, who climb over outer walls but not over houses."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from studio.model import Point
from studio.rules.urban_operations.doorsteps import Doorsteps
from studio.rules.urban_operations.gaps import covered, shadow
from studio.survey import ring_edges

__all__ = ["ground_groups"]

_REACH = 490
"""Lattice units, a little more than from the middle of a hex to its corners."""


def ground_groups(doorsteps: Doorsteps) -> NDArray[np.int64]:
    """Give every group of hexes between which units on foot walk a number (8.1.2, 8.1.6).

    Facades close hexsides, outer walls do not. The hexes of sewers and passages are groups by themselves.

    Parameters
    ----------
    doorsteps : Doorsteps

    Returns
    -------
    array of int64, shape (cells,)
        0 for hexes that are no locations; else the lowest cell of the group plus 1.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    grid, under = doorsteps.grid, doorsteps.under
    playable = doorsteps.directory.playable.ravel()
    cells = np.flatnonzero(playable)
    near = _near(doorsteps, cells)
    pairs = [
        (a, b)
        for a in cells.tolist()
        for b in grid.neighbours(a)
        if b > a and playable[b] and under[a] == under[b] and not _is_closed(doorsteps, near, a, b)
    ]
    found = np.zeros(grid.cells, dtype=np.int64)
    if len(cells):
        a, b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        graph = coo_matrix((np.ones(len(a), dtype=np.int8), (a, b)), shape=(grid.cells, grid.cells))
        group = connected_components(graph, directed=False)[1]
        first = np.full(grid.cells, grid.cells, dtype=np.int64)
        np.minimum.at(first, group[cells], cells)
        found[cells] = first[group[cells]] + 1
    return found


def _near(doorsteps: Doorsteps, cells: NDArray[np.int64]) -> dict[int, list[tuple[Point, Point]]]:
    """Return the pieces of facades that may meet each hex, or lie between it and its dot; only of hexes with some."""
    import shapely

    found: dict[int, list[tuple[Point, Point]]] = defaultdict(list)
    middles, dots = doorsteps.grid.centres[cells].astype(np.int64), doorsteps.dots[cells]
    boxes = shapely.box(
        *np.minimum(middles - _REACH, dots).T.astype(float), *np.maximum(middles + _REACH, dots).T.astype(float)
    )
    for level in (False, True):
        pieces = [edge for ring in doorsteps.facades(under=level) for edge in ring_edges(ring)]
        here = np.flatnonzero(doorsteps.under[cells] == level)
        if not pieces or not len(here):
            continue
        ends = np.array(pieces, dtype=float)
        tree = shapely.STRtree(shapely.box(*ends.min(axis=1).T, *ends.max(axis=1).T))
        at, piece = tree.query(boxes[here])
        for one, number in zip(at.tolist(), piece.tolist(), strict=True):
            found[int(cells[here[one]])].append(pieces[number])
    return dict(found)


def _is_closed(doorsteps: Doorsteps, near: dict[int, list[tuple[Point, Point]]], a: int, b: int) -> bool:
    """Tell whether facades close the side between two hexes: no stretch of it lies open to both dots."""
    if a not in near and b not in near:
        return False
    ends = doorsteps.grid.side_ends(a, b)
    cast = [
        hidden
        for cell in (a, b)
        for edge in near.get(cell, ())
        if (hidden := shadow(doorsteps.directory.dot(cell), ends, *edge)) is not None
    ]
    return covered(cast)

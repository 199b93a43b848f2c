"""How far hexes lie from others and on which side of them: exact, in whole hexes, for all hexes of a map at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError, nearest
from studio.grid import HALF, HexGrid
from studio.survey.sheets import layer_numbers

if TYPE_CHECKING:
    from studio.survey.survey import Survey

__all__ = ["FAR", "hexes_beside", "hexes_from"]

FAR = 1 << 20
"""The distance of hexes from nothing, or across layers: further than any map is wide."""

_SIGNS = {"east": 1, "west": -1, "south": 1, "north": -1}


def hexes_from(survey: Survey, targets: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return how far every hex lies from the nearest of some hexes.

    Parameters
    ----------
    survey : Survey
    targets : array of bool, shape (cells,)

    Returns
    -------
    array of int32, shape (cells,)
        In hexes, counted straight over gaps and what is no hex; ``FAR`` where there is none of them on the same layer.
    """
    found = np.full(survey.grid.cells, FAR, dtype=np.int32)
    for layer, there in _by_layer(survey, targets):
        found[layer] = _spread(survey.grid, there)[layer]
    return found


def _by_layer(survey: Survey, targets: NDArray[np.bool_]) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Return the hexes of each layer that has targets, and these: what lies on several layers has no distance."""
    if survey.grid.joint is None:
        return [(np.ones(survey.grid.cells, dtype=bool), targets)] if targets.any() else []
    layers = layer_numbers(survey)[: survey.grid.cells]
    return [(layers == number, targets & (layers == number)) for number in np.unique(layers[targets]).tolist()]


def _spread(grid: HexGrid, targets: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Spread distances from line to line, there and back; along each line first one way, then the other.

    A shortest way between two hexes needs to cross the lines of the grid in one direction only.
    """
    start = np.where(targets, 0, FAR).astype(np.int32).reshape(grid.rows, grid.columns)
    lines = np.ascontiguousarray(start.T) if grid.flat else start
    steps = np.arange(lines.shape[1], dtype=np.int32)
    for order in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        before = -1
        for line in order:
            here = lines[line]
            if before >= 0:
                last = lines[before] + 1
                np.minimum(here, last, out=here)
                if grid.shifted(line):
                    np.minimum(here[:-1], last[1:], out=here[:-1])
                else:
                    np.minimum(here[1:], last[:-1], out=here[1:])
            np.minimum(here, np.minimum.accumulate(here - steps) + steps, out=here)
            back = here[::-1]
            np.minimum(back, np.minimum.accumulate(back - steps) + steps, out=back)
            before = line
    return np.minimum(lines.T if grid.flat else lines, FAR).astype(np.int32).ravel()


def hexes_beside(survey: Survey, targets: NDArray[np.bool_], direction: str) -> NDArray[np.bool_]:
    """Return the hexes that lie on one side of some hexes, such as east of a crest line.

    A hex lies east of a line where the nearest hex of the line in the same row lies west of it. Of hexes that stand in
    columns, the row of a hex is made of all that lie at most half a hex higher or lower: a line through adjacent hexes
    misses no row that it passes. North of its northernmost hexes, south of its southernmost ones, and in gaps, the
    nearest row that the line has takes the place of its own: the line goes straight on at its ends. A hex of the line
    itself, one exactly above or below an end, and one halfway between two arms of the line lie on neither side. North
    and south go by columns in the same way. Scattered hexes, and single ones, are taken as lines are: east of a single
    hex is all that lies further east, in every row.

    Parameters
    ----------
    survey : Survey
    targets : array of bool, shape (cells,)
    direction : {"north", "east", "south", "west"}

    Returns
    -------
    array of bool, shape (cells,)
        Hexes on layers without targets lie on no side of them.

    Raises
    ------
    UnknownNameError
        When the direction is none of the four.
    """
    if direction not in _SIGNS:
        msg = f"unknown direction {direction!r}; {nearest(direction, _SIGNS)}"
        raise UnknownNameError(msg)
    found = np.zeros(survey.grid.cells, dtype=bool)
    for layer, there in _by_layer(survey, targets):
        found |= _beside(survey.grid, there, direction) & layer
    return found & ~targets


def _beside(grid: HexGrid, targets: NDArray[np.bool_], direction: str) -> NDArray[np.bool_]:
    sideways = direction in ("east", "west")
    sign = _SIGNS[direction]
    places = grid.centres[:, 0 if sideways else 1] * sign
    bands = grid.centres[:, 1 if sideways else 0] // HALF
    # Across the lines of the grid every other hex is half a step off: a band reaches half a hex up and down.
    width = 1 if sideways == grid.flat else 0
    cells = np.flatnonzero(targets)
    of_band: dict[int, list[int]] = {}
    for band, place in zip(bands[cells].tolist(), places[cells].tolist(), strict=True):
        for other in range(band - width, band + width + 1):
            of_band.setdefault(other, []).append(place)
    own: dict[int, list[int]] = {}
    for band, place in zip(bands[cells].tolist(), places[cells].tolist(), strict=True):
        own.setdefault(band, []).append(place)
    rows = np.array(sorted(own))
    found = np.zeros(grid.cells, dtype=bool)
    for band, members in _bands(grid, bands, sideways):
        near = of_band.get(band)
        if near is None:
            off = np.abs(rows - band)
            near = [place for row in rows[off == off.min()].tolist() for place in own[row]]
        found[members] = _behind(places[members], np.unique(near))
    return found


def _bands(grid: HexGrid, bands: NDArray[Any], sideways: bool) -> list[tuple[int, NDArray[np.int64]]]:
    """Return the cells of each band."""
    table = np.arange(grid.cells, dtype=np.int64).reshape(grid.rows, grid.columns)
    lines = table.T if grid.flat else table
    if sideways == grid.flat:
        members = [lines[odd::2, position] for position in range(lines.shape[1]) for odd in (0, 1)]
    else:
        members = list(lines)
    return [(int(bands[some[0]]), some) for some in members if len(some)]


def _behind(places: NDArray[Any], near: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell for each place whether the nearest of some sorted places comes before it."""
    ends = np.concatenate(([-FAR * FAR], near, [FAR * FAR]))
    following = np.searchsorted(ends, places)
    return np.asarray(places - ends[following - 1] < ends[following] - places)

"""Parts of a map by description: what is in play, what lies on an edge, where units may set up or enter."""

from __future__ import annotations

from collections.abc import Iterable

from studio.errors import UnknownNameError, nearest
from studio.grid import HexGrid, Labels
from studio.model import MapUse, SetUp
from studio.survey.survey import Survey

__all__ = ["area_cells", "cells_in_play", "column_index", "on_edge", "row_index"]

_FLAT_SIDE = {"north": 0, "south": 3}
_POINTY_SIDE = {"east": 1, "west": 4}


def on_edge(grid: HexGrid, cell: int, edge: str) -> bool:
    """Tell whether a hex lies on an edge of the map.

    Parameters
    ----------
    grid : HexGrid
    cell : int
    edge : {"north", "east", "south", "west"}
        North is the top of the map.

    Raises
    ------
    UnknownNameError
        When the edge is none of the four.
    """
    row, column = divmod(cell, grid.columns)
    outer = {"north": row == 0, "south": row == grid.rows - 1, "west": column == 0, "east": column == grid.columns - 1}
    if edge not in outer:
        msg = f"unknown edge {edge!r}; {nearest(edge, outer)}"
        raise UnknownNameError(msg)
    direction = (_FLAT_SIDE if grid.flat else _POINTY_SIDE).get(edge)
    return grid.neighbour(cell, direction) is None if direction is not None else outer[edge]


def column_index(labels: Labels, text: str) -> int:
    """Return the raw column (of flat-top maps) that carries a printed text.

    Raises
    ------
    UnknownNameError
        When no column does.
    """
    return _index(labels.tables()["columns"], text, "column")


def row_index(labels: Labels, text: str) -> int:
    """Return the position of a printed row text among the rows of the map.

    Raises
    ------
    UnknownNameError
        When no row has it.
    """
    return _index(labels.tables()["rows"], text, "row")


def _index(texts: list[str], text: str, what: str) -> int:
    if text in texts:
        return texts.index(text)
    hint = f"; did you mean {text.upper()!r}?" if text.upper() in texts else ""
    msg = f"no {what} {text!r}; the {what}s go from {texts[0]} to {texts[-1]}{hint}"
    raise UnknownNameError(msg)


def _texts_of(labels: Labels, cell: int) -> tuple[str, str]:
    """Return the column text and the row text of a hex."""
    tables, grid = labels.tables(), labels.grid
    row, column = divmod(cell, grid.columns)
    line, position = (column, row) if grid.flat else (row, column)
    along = tables["base"][line] + tables["sign"] * position
    return (
        (tables["columns"][column], tables["rows"][along])
        if grid.flat
        else (tables["columns"][along], tables["rows"][row])
    )


def cells_in_play(labels: Labels, use: MapUse) -> set[int]:
    """Return the hexes of the part of a map that is in play.

    Raises
    ------
    UnknownNameError, LabelError
        When a column, a row or a hex is unknown.
    """
    grid = labels.grid
    present = [int(cell) for cell in grid.present.ravel().nonzero()[0]]
    out = set(labels.cells(use.out_of_play))
    limits = [
        (0, use.first_column, use.last_column, labels.tables()["columns"], "column"),
        (1, use.first_row, use.last_row, labels.tables()["rows"], "row"),
    ]
    kept = set(present) - out
    for which, first, last, texts, what in limits:
        if not first and not last:
            continue
        low = _index(texts, first, what) if first else 0
        high = _index(texts, last, what) if last else len(texts) - 1
        order = {text: index for index, text in enumerate(texts)}
        kept = {cell for cell in kept if low <= order[_texts_of(labels, cell)[which]] <= high}
    return kept


def area_cells(survey: Survey, where: SetUp, in_play: Iterable[int]) -> list[int]:
    """Return the hexes that meet every condition of a set-up area, in the order of the cells.

    Raises
    ------
    UnknownNameError, LabelError
        When a column, an edge or a hex is unknown.
    """
    labels, grid, model = survey.model.labels, survey.grid, survey.model
    kept = set(in_play)
    if where.hexes:
        named: set[int] = set()
        for cell in labels.cells(where.hexes):
            named.update(grid.within(cell, where.within))
        kept &= named
    if where.terrain:
        kept = {cell for cell in kept if model.terrain_at(cell) in where.terrain}
    if where.edges:
        kept = {cell for cell in kept if any(on_edge(grid, cell, edge) for edge in where.edges)}
    if where.first_column or where.last_column:
        use = MapUse(file="", first_column=where.first_column, last_column=where.last_column)
        kept &= cells_in_play(labels, use)
    return sorted(kept)

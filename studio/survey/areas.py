"""Parts of a map by description: what is in play, what lies on an edge, where units may set up or enter."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
from numpy.typing import NDArray

from studio.errors import LabelError, UnknownNameError, nearest
from studio.grid import HexGrid, Labels, SheetLabels
from studio.model import Area, MapUse
from studio.survey.survey import Survey

__all__ = [
    "cells_in_play",
    "column_index",
    "ground_in_play",
    "hexes_between",
    "hexes_on_edge",
    "locations_in_play",
    "numbers_called",
    "on_edge",
    "row_index",
]

_ROAD = "road in"  # with its cell, in place of the id of a feature

# The neighbours that a hex has none of on an edge of the map.
_FLAT_SIDES = {"north": (0,), "south": (3,), "west": (4, 5), "east": (1, 2)}
_POINTY_SIDES = {"north": (0, 5), "south": (2, 3), "west": (4,), "east": (1,)}


def on_edge(grid: HexGrid, cell: int, edge: str) -> bool:
    """Tell whether a hex lies on an edge of the map.

    Parameters
    ----------
    grid : HexGrid
    cell : int
    edge : {"north", "east", "south", "west"}
        North is the top of the map. Each part of a map that lies apart has edges of its own.

    Raises
    ------
    UnknownNameError
        When the edge is none of the four.
    """
    sides = _FLAT_SIDES if grid.flat else _POINTY_SIDES
    if edge not in sides:
        msg = f"unknown edge {edge!r}; {nearest(edge, sides)}"
        raise UnknownNameError(msg)
    return all(grid.neighbour(cell, direction) is None for direction in sides[edge])


def hexes_on_edge(grid: HexGrid, edge: str) -> NDArray[np.bool_]:
    """Return the hexes on an edge of the map, as :func:`on_edge` tells of one; bool, shape (cells,).

    Raises
    ------
    UnknownNameError
        When the edge is none of the four.
    """
    sides = _FLAT_SIDES if grid.flat else _POINTY_SIDES
    if edge not in sides:
        msg = f"unknown edge {edge!r}; {nearest(edge, sides)}"
        raise UnknownNameError(msg)
    alone = grid.neighbour_table[:, list(sides[edge])] < 0
    return np.asarray(alone.all(axis=1) & grid.present.ravel())


def column_index(labels: Labels, text: str) -> int:
    """Return the raw column (of flat-top maps) that carries a printed text.

    Raises
    ------
    UnknownNameError
        When no column does.
    """
    return _index(labels.column_texts, text, "column")


def row_index(labels: Labels, text: str) -> int:
    """Return the position of a printed row text among the rows of the map.

    Raises
    ------
    UnknownNameError
        When no row has it.
    """
    return _index(labels.row_texts, text, "row")


def _index(texts: list[str], text: str, what: str, field: str = "") -> int:
    if text in texts:
        return texts.index(text)
    hint = f"; did you mean {text.upper()!r}?" if text.upper() in texts else ""
    msg = f"{field}no {what} {text!r}; the {what}s go from {texts[0]} to {texts[-1]}{hint}"
    raise UnknownNameError(msg)


def cells_in_play(labels: Labels, use: MapUse, *, places: Container[str] = ()) -> set[int]:
    """Return the hexes of the part of a map that is in play.

    Parameters
    ----------
    labels : Labels
    use : MapUse
    places : container of str
        Labels of locations that are no hexes, which ``use.out_of_play`` may name as well.

    Raises
    ------
    UnknownNameError, LabelError
        When a sheet, a column, a row or a hex is unknown, or columns and rows are named though several sheets are in
        play.
    """
    out = set(labels.cells([text for text in use.out_of_play if text not in places]))
    return _within_limits(labels, use) - out


def _within_limits(labels: Labels, use: MapUse) -> set[int]:
    limited = bool(use.first_column or use.last_column or use.first_row or use.last_row)
    if not isinstance(labels, SheetLabels):
        if use.sheets:
            msg = f"no sheet {use.sheets[0]!r}: the map is one sheet only; leave `sheets` out"
            raise UnknownNameError(msg)
        return _cells_between(labels, use)
    numbers = _sheet_numbers(labels, use.sheets)
    if limited and len(numbers) > 1:
        ids = ", ".join(labels.sheets[number].id for number in numbers)
        msg = (
            f"columns and rows in play are those of one sheet, but {len(numbers)} are in play ({ids}); name one in "
            "`sheets`, or the single hexes that are out of play"
        )
        raise UnknownNameError(msg)
    return {
        labels.parts.joint_cell(number, own) for number in numbers for own in _cells_between(labels.own[number], use)
    }


def _sheet_numbers(labels: SheetLabels, ids: Sequence[str]) -> list[int]:
    """Return the numbers of sheets by their ids; of all of them when none is named."""
    known = [sheet.id for sheet in labels.sheets]
    for sheet_id in ids:
        if sheet_id not in known:
            msg = f"no sheet {sheet_id!r} on this map; {nearest(sheet_id, known)}"
            raise UnknownNameError(msg)
    return [number for number, sheet_id in enumerate(known) if sheet_id in ids or not ids]


def _cells_between(labels: Labels, use: MapUse) -> set[int]:
    """Return the hexes of one map between its first and last column and row in play."""
    limits = (use.first_column, use.last_column, use.first_row, use.last_row)
    return set(np.flatnonzero(hexes_between(labels, limits)).tolist())


def hexes_between(labels: Labels, limits: tuple[str, str, str, str]) -> NDArray[np.bool_]:
    """Return the hexes of a map without sheets between two columns and two rows.

    Parameters
    ----------
    labels : Labels
    limits : (first column, last column, first row, last row)
        By their printed texts; empty for no limit.

    Returns
    -------
    array of bool, shape (cells,)

    Raises
    ------
    UnknownNameError
        When no column or row has such a text.
    """
    grid = labels.grid
    kept = grid.present.ravel().copy()
    for what, texts, first, last in (
        ("column", labels.column_texts, *limits[:2]),
        ("row", labels.row_texts, *limits[2:]),
    ):
        if not first and not last:
            continue
        low = _index(texts, first, what, f"first_{what}: ") if first else 0
        high = _index(texts, last, what, f"last_{what}: ") if last else len(texts) - 1
        places = _text_numbers(labels, what)
        kept &= (places >= low) & (places <= high)
    return kept


def _text_numbers(labels: Labels, what: str) -> NDArray[np.int64]:
    """Return for every cell which of the printed texts of the columns, or of the rows, it has."""
    grid = labels.grid
    row, column = np.divmod(np.arange(grid.cells, dtype=np.int64), grid.columns)
    line, position = (column, row) if grid.flat else (row, column)
    if (what == "column") == grid.flat:
        return line
    tables = labels.tables()
    return np.asarray(np.array(tables["base"], dtype=np.int64)[line] + tables["sign"] * position)


def locations_in_play(survey: Survey, use: MapUse) -> set[int]:
    """Return the numbers of the locations in play: hexes, and the zones, roofs and so on whose dots lie among them.

    A zone, a building or another place that is named in ``use.out_of_play`` is out of play with all that is part of it;
    a hex that is named takes the road in it along, but nothing else whose dot it holds. What lies off all hexes is in
    play. A hex that is no location never is.

    Raises
    ------
    UnknownNameError, LabelError
        As :func:`cells_in_play` does.
    """
    directory, labels = survey.directory, survey.model.labels
    limits = _within_limits(labels, use)
    named = _named_places(survey)
    out = {named[text] for text in use.out_of_play if text in named}
    found = cells_in_play(labels, use, places=named)
    found.difference_update(np.flatnonzero(survey.grid.present & ~directory.playable).tolist())
    hexes = frozenset(found)
    for one in directory.others:
        around = hexes if one.kind == "road" else limits
        parts = {f"{_ROAD} {one.cell}"} if one.kind == "road" else {one.feature, *_around(survey, one.within)}
        if (one.cell < 0 or one.cell in around) and not parts & out:
            found.add(one.number)
    return found


def ground_in_play(survey: Survey, use: MapUse) -> set[int]:
    """Return the hexes of the ground in play, those beneath buildings and around zones that are no locations too.

    Parameters
    ----------
    survey : Survey
    use : MapUse

    Raises
    ------
    UnknownNameError, LabelError
        As :func:`cells_in_play` does.
    """
    return cells_in_play(survey.model.labels, use, places=_named_places(survey))


def _named_places(survey: Survey) -> dict[str, str]:
    """Return what is no hex by its label: the id of its feature, or the road of its hex."""
    found: dict[str, str] = {}
    for one in survey.directory.others:
        found.setdefault(one.label, one.feature or f"{_ROAD} {one.cell}")
    for area in survey.features_of(Area):
        # A building with rooms is no location, but can be out of play with them.
        for name in (area.name, area.id):
            if name and survey.model.labels.find(name) is None:
                found.setdefault(name, area.id)
    return found


def _around(survey: Survey, area_id: str) -> set[str]:
    """Return an area and all that it is part of."""
    found: set[str] = set()
    while area_id and area_id not in found:
        found.add(area_id)
        area = survey.model.features.get(area_id)
        area_id = area.within if isinstance(area, Area) else ""
    return found


def numbers_called(survey: Survey, label: str, field: str) -> set[int]:
    """Return the numbers of all that a label stands for: a hex with the road in it, a place, or an area with its parts.

    Parameters
    ----------
    survey : Survey
    label : str
    field : str
        What the label stands in, for messages.

    Raises
    ------
    LabelError
        When the map has nothing of that label.
    """
    directory = survey.directory
    number = directory.find(label)
    if number is not None and number >= survey.grid.cells:
        one = directory.location(number)
        return {number, *(part.number for part in directory.others if one.feature in _around(survey, part.within))}
    cell = survey.model.labels.find(label)
    if cell is not None:
        return {cell, *(road.number for road in directory.of("road") if road.cell == cell)}
    areas = {area.id for area in survey.features_of(Area) if label in (area.name, area.id)}
    parts = {one.number for one in directory.others if areas & {one.feature, *_around(survey, one.within)}}
    if not areas:
        try:
            directory.number(label)
        except LabelError as error:
            msg = f"{field}: {error}"
            raise LabelError(msg) from error
    return parts

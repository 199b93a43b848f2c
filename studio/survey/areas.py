"""Parts of a map by description: what is in play, what lies on an edge, where units may set up or enter."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from studio.errors import UnknownNameError, nearest
from studio.grid import HexGrid, Labels, SheetLabels
from studio.model import Area, MapUse, SetUp
from studio.survey.survey import Survey

__all__ = ["area_cells", "cells_in_play", "column_index", "ground_in_play", "locations_in_play", "on_edge", "row_index"]

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


def _index(texts: list[str], text: str, what: str) -> int:
    if text in texts:
        return texts.index(text)
    hint = f"; did you mean {text.upper()!r}?" if text.upper() in texts else ""
    msg = f"no {what} {text!r}; the {what}s go from {texts[0]} to {texts[-1]}{hint}"
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
    kept = {int(cell) for cell in labels.grid.present.ravel().nonzero()[0]}
    limits = [
        (0, use.first_column, use.last_column, labels.column_texts, "column"),
        (1, use.first_row, use.last_row, labels.row_texts, "row"),
    ]
    for which, first, last, texts, what in limits:
        if not first and not last:
            continue
        low = _index(texts, first, what) if first else 0
        high = _index(texts, last, what) if last else len(texts) - 1
        order = {text: index for index, text in enumerate(texts)}
        kept = {cell for cell in kept if low <= order[labels.texts(cell)[which]] <= high}
    return kept


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
    found = {cell for cell in cells_in_play(labels, use, places=named) if directory.exists(cell)}
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


def area_cells(survey: Survey, where: SetUp, in_play: Iterable[int]) -> list[int]:
    """Return the hexes that meet every condition of a set-up area, in the order of the cells.

    Parameters
    ----------
    survey : Survey
    where : SetUp
        Its ``hexes`` may name zones and other locations too.
    in_play : iterable of int
        Numbers of the locations in play.

    Returns
    -------
    list of int
        Numbers of locations. Those that are no hexes are among them where they are named, and in games that have no
        hexes to be in where none are.

    Raises
    ------
    UnknownNameError, LabelError
        When a sheet, a column, an edge or a location is unknown.
    """
    labels, grid, directory = survey.model.labels, survey.grid, survey.directory
    kept = set(in_play)
    if where.hexes:
        places = [number for text in where.hexes if (number := directory.find(text)) is not None]
        named = {number for number in places if number >= grid.cells}
        for cell in labels.cells([text for text in where.hexes if directory.find(text) not in named]):
            named.update(grid.within(cell, where.within))
        kept &= named
    elif directory.playable.any():
        kept = {number for number in kept if number < grid.cells}
    at = {number: number if number < grid.cells else directory.location(number).cell for number in kept}
    if where.terrain:
        kept = {number for number in kept if directory.location(number).type in where.terrain}
    if where.edges:
        kept = {
            number
            for number in kept
            if at[number] >= 0 and any(on_edge(grid, at[number], edge) for edge in where.edges)
        }
    if where.first_column or where.last_column or where.sheets:
        use = MapUse(file="", first_column=where.first_column, last_column=where.last_column, sheets=where.sheets)
        ground = cells_in_play(labels, use)
        kept = {number for number in kept if at[number] in ground}
    return sorted(kept)

"""Pictures of printed maps, and boards of VASSAL, as the scan of a map with control points."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, GridError
from studio.exchange.common.files import refused
from studio.exchange.common.ground import checked, known_game, model_of, new_map, surveyed
from studio.exchange.common.labelguess import Named, guess_scheme
from studio.exchange.content import Taken
from studio.exchange.pictures.options import ScanReading, VassalGrid
from studio.exchange.vassal.numbering import AxisNumbers, HexNumbers
from studio.files.pictures import PictureFileError, picture_facts, picture_name
from studio.grid import MAX_SIZE, HexGrid, LabelScheme
from studio.model import Backdrop, ControlPoint, MapModel
from studio.model.backdrop import backdrop_faults
from studio.rules import Ruleset
from studio.survey.backdrop import placement

__all__ = ["take_scan"]

_HAIR = 1e-6


def take_scan(source: Path, options: ScanReading, *, beside: Path | None = None) -> Taken:
    """Return a map with a picture as its scan.

    Parameters
    ----------
    source : Path
        The picture.
    options : ScanReading
    beside : Path, optional
        Where the map is to be saved; the scan is named from there. Beside the picture otherwise.

    Raises
    ------
    DocumentError
        When the picture cannot be read, or the points do not fit the map.
    """
    try:
        facts = picture_facts(source)
    except PictureFileError as error:
        raise DocumentError(str(source), [Fault("$", str(error), "name a picture")]) from error
    notes: list[str] = []
    points = options.points
    if options.vassal is not None:
        model, ruleset, points = _on_board(source, options, options.vassal, facts.size, notes)
    elif options.onto is not None:
        ruleset = known_game(options.onto.ruleset, source)
        model = model_of(options.onto, ruleset, source)
    else:
        model, ruleset = _new(source, options)
    scan = Backdrop(file=picture_name(source, beside or source), sha256=facts.sha256, size=facts.size, points=points)
    faults = [Fault(f"$.{fault.field}", fault.message, fault.remedy) for fault in backdrop_faults(scan)]
    if faults:
        raise DocumentError(str(source), faults)
    model.backdrop = scan
    fit = placement(surveyed(model, ruleset), scan)
    if fit.lost:
        lost = [Fault("$.points", f"no place has the label {one.at!r}", "mend the label", one.name) for one in fit.lost]
        raise DocumentError(str(source), lost)
    notes += list(fit.lines())
    return Taken(checked(model, ruleset, source), None, tuple(notes))


def _new(source: Path, options: ScanReading) -> tuple[MapModel, Ruleset]:
    """Return a new map of a size that the options give."""
    if not (options.columns and options.rows):
        raise refused(source, "does not say how large the map is", "give columns= and rows=, or onto= a map")
    ruleset = known_game(options.ruleset, source)
    grid = HexGrid(columns=options.columns, rows=options.rows, orientation=options.orientation, stagger=options.stagger)
    return new_map(ruleset, grid, options.labels, title=options.title or source.stem, source=source), ruleset


# -- boards of VASSAL ------------------------------------------------------------------------------------------------


def _on_board(
    source: Path, options: ScanReading, board: VassalGrid, size: tuple[int, int], notes: list[str]
) -> tuple[MapModel, Ruleset, tuple[ControlPoint, ...]]:
    """Return a map that lies on the grid of a board, and control points at its corners."""
    grid, first = _board_grid(source, board, size)
    centres = np.array([_pixel(board, grid, first, cell) for cell in range(grid.cells)])
    inside = np.flatnonzero(((centres >= 0) & (centres <= np.array(size))).all(axis=1))
    if not len(inside):
        raise refused(source, "has no hex of its grid on it", "check x0, y0, dx and dy")
    points = tuple(
        ControlPoint(
            name=str(number + 1), pixel=(float(centres[cell][0]), float(centres[cell][1])), point=grid.centre(cell)
        )
        for number, cell in enumerate(_corner_cells(inside, centres))
    )
    if options.onto is not None:
        ruleset = known_game(options.onto.ruleset, source)
        model = model_of(options.onto, ruleset, source)
        if (model.grid.columns, model.grid.rows) != (grid.columns, grid.rows):
            got = f"{grid.columns} x {grid.rows}"
            message = f"its grid has {got} hexes, and the map {model.grid.columns} x {model.grid.rows}"
            raise refused(source, message, "give columns= and rows= of the map in vassal=")
        return model, ruleset, points
    ruleset = known_game(options.ruleset, source)
    scheme = _named(board, grid, first, size)
    if scheme is None:
        notes.append("the labels of the board follow no scheme that the studio knows; they are 0101 from the top left")
    title = options.title or source.stem
    model = new_map(ruleset, grid, scheme or LabelScheme(), title=title, source=source)
    return model, ruleset, points


def _corner_cells(cells: NDArray[np.int64], centres: NDArray[np.float64]) -> list[int]:
    """Return the hexes that lie furthest towards the four corners, each once."""
    x, y = centres[cells].T
    found = [int(cells[int(np.argmax(way))]) for way in (-x - y, x - y, y - x, x + y)]
    return list(dict.fromkeys(found))


def _board_grid(source: Path, board: VassalGrid, size: tuple[int, int]) -> tuple[HexGrid, tuple[int, int]]:
    """Return the grid, and the line and place in VASSAL's count of its first hex."""
    wide, high = size if not board.sideways else size[::-1]
    # Hexes whose middle lies on the picture; of those in a line, the lines that are not shifted decide.
    line0, place0 = math.ceil(-board.x0 / board.dx - _HAIR), math.ceil(-board.y0 / board.dy - _HAIR)
    lines = math.floor((wide - board.x0) / board.dx + _HAIR) - line0 + 1
    places = math.floor((high - board.y0) / board.dy + _HAIR) - place0 + 1
    columns, rows = (lines, places) if not board.sideways else (places, lines)
    columns, rows = board.columns or columns, board.rows or rows
    if not (1 <= columns <= MAX_SIZE and 1 <= rows <= MAX_SIZE):
        message = f"its grid would have {columns} x {rows} hexes, allowed {MAX_SIZE} x {MAX_SIZE}"
        raise refused(source, message, "check dx and dy")
    outer = board.dx * 4 / 3
    try:
        grid = HexGrid(
            columns=columns,
            rows=rows,
            orientation="pointy" if board.sideways else "flat",
            stagger="even" if line0 % 2 else "odd",
            hex_width=1.0 if board.sideways else outer / board.dy,
            hex_height=outer / board.dy if board.sideways else 1.0,
        )
    except GridError as error:
        raise refused(source, str(error), "check dx and dy") from error
    return grid, (line0, place0)


def _pixel(board: VassalGrid, grid: HexGrid, first: tuple[int, int], cell: int) -> tuple[float, float]:
    """Return the pixel of the middle of a hex."""
    row, column = divmod(cell, grid.columns)
    line, place = (column, row) if grid.flat else (row, column)
    line, place = line + first[0], place + first[1]
    x = board.x0 + line * board.dx
    y = board.y0 + place * board.dy + (board.dy / 2 if line % 2 else 0.0)
    return (y, x) if board.sideways else (x, y)


def _named(board: VassalGrid, grid: HexGrid, first: tuple[int, int], size: tuple[int, int]) -> LabelScheme | None:
    """Return the scheme of the labels that VASSAL writes on the board; None where there is none."""
    numbers = HexNumbers(
        round(board.x0),
        round(board.y0),
        board.dx,
        board.dy,
        *size,
        AxisNumbers(board.across, board.across_leading, board.across_offset, board.across_descending),
        AxisNumbers(board.along, board.along_leading, board.along_offset, board.along_descending),
        board.sideways,
        board.stagger,
        board.across_first,
        board.separator,
    )
    cells = list(range(grid.cells))
    names = numbers.names(np.array([np.round(_pixel(board, grid, first, cell)) for cell in cells]))
    named = [Named(cell % grid.columns, cell // grid.columns, name) for cell, name in zip(cells, names, strict=True)]
    return guess_scheme(grid, named)

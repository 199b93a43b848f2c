"""Prints maps and scenarios: what goes onto which page, and into which file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from studio.draw.press.front import front_pages, poster_page
from studio.draw.press.furniture import sheet_page
from studio.draw.press.legends import legend_items
from studio.draw.press.options import ONE, PrintError, PrintOptions, read_options
from studio.draw.press.page import Page, Placed
from studio.draw.press.paper import Sheet, Tiling, tile
from studio.draw.press.source import Ground, Source
from studio.model.wording import credit_line

__all__ = ["Printed", "print_map"]

BLOCK = 25_000
"""Hexes of a map that is drawn as a whole; of larger ones each sheet is drawn for itself."""

_SUFFIXES = (".pdf", ".svg", ".png")
_MOST_PIXELS = 400_000_000
_MOST_MM = 4900  # of a side of a page, with its legend


class Printed(NamedTuple):
    """What was printed.

    Attributes
    ----------
    files : tuple of Path
    sheets : int
        Of the map.
    pages : int
        In all.
    hex_mm, flats_mm : float
        Width of a hex, and the distance of two opposite sides, in millimetres.
    notes : tuple of str
        What to know about it.
    """

    files: tuple[Path, ...]
    sheets: int
    pages: int
    hex_mm: float
    flats_mm: float
    notes: tuple[str, ...] = ()


Tilings = list[tuple[Ground, Tiling, list[str]]]


def print_map(document: Any, path: str | os.PathLike[str], **options: Any) -> Printed:
    """Print a map or a scenario to scale.

    Parameters
    ----------
    document : studio.Map or studio.Scenario
    path : str or path
        Its suffix chooses: ``.pdf`` for sheets of paper, ``.svg`` and ``.png`` for one picture of true size.
    **options
        Fields of :class:`studio.draw.press.PrintOptions`.

    Returns
    -------
    Printed

    Raises
    ------
    PrintError
        When an option is wrong, the suffix unknown, or more sheets would be needed than are allowed.
    SaveError
        When a file cannot be written; an older one is whole.
    """
    target, found = Path(path), read_options(options)
    suffix = target.suffix.lower()
    if suffix not in _SUFFIXES:
        raise PrintError(f"print {target.name!r}: suffix {suffix or 'missing'}; allowed are {', '.join(_SUFFIXES)}")
    if not target.parent.is_dir():
        raise PrintError(f"print: there is no folder {target.parent}; make it first, or name another")
    _check_counters(document, suffix, found)
    source = Source(document, found)
    if suffix != ".pdf" or found.paper == ONE:
        _check_size(source, suffix)
    return _pdf(source, target) if suffix == ".pdf" else _picture(source, target, suffix)


def _check_counters(document: Any, suffix: str, options: PrintOptions) -> None:
    if options.counters and not hasattr(document, "_shown"):
        raise PrintError("print: counters are those of a scenario; print a scenario, or the map without counters")
    if options.counters and suffix != ".pdf":
        raise PrintError(f"print: counters go on pages of a PDF, not into {suffix}; name a file that ends in .pdf")


# -- PDF ---------------------------------------------------------------------------------------------------------------


def _pdf(source: Source, target: Path) -> Printed:
    from studio.draw.press.pdf import write_pdf

    options = source.options
    tilings = _tilings(source)
    sheets = sum(len(tiling.sheets) for _, tiling, _ in tilings)
    if sheets > options.most_sheets:
        raise PrintError(_too_many(source, tilings, sheets))
    written = 0

    def write(out: IO[bytes]) -> None:
        nonlocal written
        pages = _posters(source) if options.paper == ONE else _sheets(source, tilings)
        subject = credit_line(source.credits)
        written = write_pdf(out, _with_counters(source, pages), title=source.title, subject=subject, dpi=options.dpi)

    _replace(target, write)
    return Printed((target,), sheets, written, source.hex_mm, source.flats_mm, _notes(source))


def _tilings(source: Source) -> Tilings:
    """Return the parts of the map with their sheets and the names of those."""
    found = []
    grounds = source.grounds()
    for n, ground in enumerate(grounds, 1):
        tiling = tile(ground.box, source.options)
        lead = f"{n}" if len(grounds) > 1 else ""
        named = tuple(sheet._replace(name=f"{lead}{sheet.name}") for sheet in tiling.sheets)
        tiling = tiling._replace(sheets=named)
        found.append((ground, tiling, [sheet.name for sheet in named]))
    return found


def _too_many(source: Source, tilings: Tilings, sheets: int) -> str:
    options, (_, tiling, _) = source.options, tilings[0]
    paper = options.paper if isinstance(options.paper, str) else f"{options.paper[0]:g} x {options.paper[1]:g} mm"
    way = f" ({tiling.columns} x {tiling.rows})" if len(tilings) == 1 else ""
    return (
        f"print: {source.title!r} with hexes {source.hex_mm:g} mm wide needs {sheets} sheets of {paper}{way}, more "
        f"than most_sheets={options.most_sheets}; give smaller hexes, larger paper or paper='one', print a part of it, "
        f"or ask for them with most_sheets={sheets}"
    )


def _plates(source: Source) -> Callable[[Sheet | None], Any]:
    """Return what gives the plate of a sheet: one for all of a map of usual size."""
    if source.grid.cells <= BLOCK:
        whole = source.plate()
        return lambda sheet: whole
    return lambda sheet: source.plate(sheet.window if sheet is not None else None)


def _sheets(source: Source, tilings: Tilings) -> Iterator[Page]:
    options = source.options
    if options.front:
        yield from front_pages(source, tilings, legend_items(source) if options.legend else [])
    plate = _plates(source)
    for ground, tiling, names in tilings:
        for sheet, name in zip(tiling.sheets, names, strict=True):
            yield sheet_page(source, ground, tiling, sheet, plate(sheet), name=name)


def _posters(source: Source) -> Iterator[Page]:
    items = legend_items(source) if source.options.legend and source.options.front else []
    plate = _plates(source)(None)
    for ground in source.grounds():
        yield poster_page(source, ground, Placed(plate), items)


def _with_counters(source: Source, pages: Iterator[Page]) -> Iterator[Page]:
    yield from pages
    if source.options.counters:
        from studio.draw.press.cards import card_pages
        from studio.draw.press.countersheets import counter_pages

        yield from counter_pages(source)
        yield from card_pages(source)


def _notes(source: Source) -> tuple[str, ...]:
    notes = ["Print at 100 %, without fitting to the page, and measure the bars."]
    if source.grid.cells > BLOCK:
        notes.append("Each sheet was drawn for itself, because the map is large.")
    return (*notes, *_hidden_credits(source))


def _hidden_credits(source: Source) -> tuple[str, ...]:
    """Return what to know of sources that nobody sees on the paper: they stand on what `front` asks for."""
    if source.options.front or not source.credits:
        return ()
    return (
        "The sources and their licences are in the properties of the file only; print with front=True, or name them "
        "beside it.",
    )


# -- SVG and PNG -------------------------------------------------------------------------------------------------------


def _picture(source: Source, target: Path, suffix: str) -> Printed:
    """Write one picture a part of the map."""
    options = source.options
    pages = list(_posters(source))
    files = []
    for page, ground in zip(pages, source.grounds(), strict=True):
        file = target if len(pages) == 1 else target.with_name(f"{target.stem}-{ground.id}{suffix}")
        if suffix == ".png":
            _check_pixels(page, options.dpi)
        _replace(file, _picture_writer(source, page, suffix))
        files.append(file)
    return Printed(tuple(files), len(files), len(files), source.hex_mm, source.flats_mm, _hidden_credits(source))


def _picture_writer(source: Source, page: Page, suffix: str) -> Callable[[IO[bytes]], None]:
    options = source.options
    if suffix == ".png":
        from studio.draw.press.png import write_png

        return lambda out: write_png(out, page, dpi=options.dpi, credit=credit_line(source.credits))
    from studio.draw.press.svg import write_svg

    hexes = list(source.hexes()) if options.hex_data else []
    how: dict[str, Any] = {"text": options.text, "hexes": hexes, "dpi": options.dpi}
    return lambda out: write_svg(out, page, title=source.title, credit=credit_line(source.credits), **how)


def _check_size(source: Source, suffix: str) -> None:
    """Refuse one page that is too large to make, or for readers to show."""
    if source.grid.cells > 4 * BLOCK:
        raise PrintError(
            f"print: {source.title!r} has {source.grid.cells} hexes, too many for one page; print a PDF on a paper "
            "such as 'A2', which is made sheet by sheet"
        )
    for ground in source.grounds():
        x0, y0, x1, y1 = ground.box
        if suffix == ".pdf" and max(x1 - x0, y1 - y0) > _MOST_MM:
            raise PrintError(
                f"print: one page would be {x1 - x0:.0f} x {y1 - y0:.0f} mm, and readers of PDF show {_MOST_MM} at most"
                "; give smaller hexes, or a paper such as 'A0'"
            )


def _check_pixels(page: Page, dpi: int) -> None:
    wide, high = page.wide / 25.4 * dpi, page.high / 25.4 * dpi
    if wide * high > _MOST_PIXELS:
        best = int(dpi * (_MOST_PIXELS / (wide * high)) ** 0.5)
        raise PrintError(
            f"print: a PNG of {round(wide)} x {round(high)} pixels at dpi={dpi} is too large; at most "
            f"{_MOST_PIXELS // 1_000_000} million pixels. Give dpi={best}, smaller hexes, or print a PDF"
        )


def _replace(target: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a file whole or not at all; what comes of it waits in a nameless file, not in the memory.

    Raises
    ------
    SaveError
        When it cannot be written; an older one is whole.
    """
    from studio.files import write_atomic

    with tempfile.TemporaryFile() as out:
        write(out)
        out.seek(0)
        write_atomic(target, out.read())

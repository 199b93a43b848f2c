"""The first pages of a print: what it is, how its sheets fit together, a ruler to measure, the legend, the sources."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from studio.draw.press.credits import credit_height, credit_pages, draw_credits
from studio.draw.press.furniture import ruler, upright_ruler
from studio.draw.press.legends import LegendItem, lay_legend
from studio.draw.press.page import Page, Placed
from studio.draw.press.paper import Tiling, page_size
from studio.draw.press.pen import INK, Pen
from studio.draw.press.plate import PictureMark
from studio.draw.press.source import Ground, Source
from studio.draw.press.tones import toned_pixels

__all__ = ["front_pages", "poster_page"]

Pixels = NDArray[np.uint8]

_GREY = "#6b665f"
_LEGEND_COLUMN = 62.0
_HEAD, _FOOT = 17.0, 9.0


def front_pages(
    source: Source, tilings: Sequence[tuple[Ground, Tiling, Sequence[str]]], items: list[LegendItem]
) -> list[Page]:
    """Return the pages before the sheets.

    Parameters
    ----------
    source : Source
    tilings : sequence of (Ground, Tiling, names of its sheets)
    items : list of LegendItem
        What goes into the legend; none without one.
    """
    wide, high = page_size(source.options)
    side = max(15.0, source.options.margin)
    preview = _preview(source)
    # Sources stand at the foot of the first page, unless there are so many that nothing else would fit on it.
    listed = credit_height(source.credits, wide - 2 * side)
    below = high - side - (listed + 4.0 if 0 < listed <= 0.3 * high else 0.0)
    # A smaller diagram where the legend has room then.
    for room in (95.0, 70.0, 52.0, 95.0):
        pen = Pen()
        y = _title(pen, source, side, 22.0, wide - 2 * side)
        y = _how(pen, source, tilings, side, y + 4.0, wide - 2 * side)
        ruler(pen, side, y + 3.5, 100.0 if wide - 2 * side >= 100 else 50.0)
        y += 10.0
        upright_ruler(pen, wide - side - 2, y, 50.0)
        y = _diagrams(pen, source, tilings, (side, y, wide - side - 12.0, min(y + room, below - 40)), preview)
        found, rest, _ = lay_legend(items, (side, y + 12.0, wide - side, below))
        if not rest:
            break
    pages = []
    placed = [Placed(pen.plate)]
    if found:
        pen.text(side, y + 8.0, "Legend", 4.4, bold=True, serif=True)
        placed += found
    beside = below < high - side and y <= below
    if beside:
        draw_credits(pen, source.credits, side, below + 4.0, wide - 2 * side)
    pages.append(Page(wide, high, tuple(placed), "How the sheets fit together"))
    while rest:
        head = Pen()
        head.text(side, side + 6.0, "Legend", 4.4, bold=True, serif=True)
        before = len(rest)
        found, rest, _ = lay_legend(rest, (side, side + 11.0, wide - side, high - side))
        pages.append(Page(wide, high, (Placed(head.plate), *found), "Legend"))
        if len(rest) == before:
            break
    if source.credits and not beside:
        pages += credit_pages(source.credits, (wide, high), side)
    return pages


def _title(pen: Pen, source: Source, x: float, y: float, wide: float) -> float:
    y = pen.lines(x, y, source.title, 7.5, wide, bold=True, serif=True) - 3.5
    for fact in source.facts():
        y = pen.lines(x, y, fact, 3.3, wide, color=_GREY)
    pen.line((x, y - 1.5), (x + wide, y - 1.5), width=0.3)
    return y


def _how(
    pen: Pen,
    source: Source,
    tilings: Sequence[tuple[Ground, Tiling, Sequence[str]]],
    x: float,
    y: float,
    wide: float,
) -> float:
    options = source.options
    count = sum(len(tiling.sheets) for _, tiling, _ in tilings)
    paper = options.paper if isinstance(options.paper, str) else f"{options.paper[0]:g} × {options.paper[1]:g} mm"
    words = [
        "Print at 100 % (“actual size”), never “fit to page”. Measure the two bars: each must be as long as it says.",
        f"{count} sheet{'s' if count != 1 else ''} of {paper}"
        + (
            f"; neighbours share {options.overlap:g} mm. Cut each sheet at its crop marks on the right and at "
            "the foot, lay it over its neighbours so that the round marks and the hexes meet, and glue."
            if count > 1
            else "; cut at the crop marks."
        ),
    ]
    for text in words:
        y = pen.lines(x, y, text, 3.1, wide - 16) + 1.0
    return y


def _diagrams(
    pen: Pen,
    source: Source,
    tilings: Sequence[tuple[Ground, Tiling, Sequence[str]]],
    box: tuple[float, float, float, float],
    preview: Pixels,
) -> float:
    """Draw the parts side by side, each with its sheets on it; return where the lowest ends."""
    gap = 8.0
    room = (box[2] - box[0] - gap * (len(tilings) - 1)) / len(tilings)
    lowest = box[1]
    for n, (ground, tiling, names) in enumerate(tilings):
        x0, y0, x1, y1 = ground.box
        scale = min(room / (x1 - x0), (box[3] - box[1] - 6) / (y1 - y0))
        left, top = box[0] + n * (room + gap), box[1] + (5.0 if ground.title else 0.0)
        if ground.title:
            pen.text(left, box[1] + 2.5, ground.title, 3.1, bold=True)
        _picture(pen, source, preview, ground, (left, top), scale)
        for sheet, name in zip(tiling.sheets, names, strict=True):
            a, b, c, d = sheet.window
            corner = left + (a - x0) * scale, top + (b - y0) * scale
            size = (c - a) * scale, (d - b) * scale
            pen.box(*corner, *size, color=INK, width=0.25)
            letters = min(7.0, 0.4 * min(size))
            middle = corner[0] + size[0] / 2, corner[1] + size[1] / 2
            pen.disc(middle[0], middle[1], 0.8 * letters, fill="#ffffff", color=INK, width=0.2)
            small = letters if len(name) < 3 else letters * 2 / len(name)
            pen.text(middle[0], middle[1] + 0.36 * small, name, small, anchor="middle", bold=True)
        lowest = max(lowest, top + (y1 - y0) * scale)
    return lowest


def _preview(source: Source) -> Pixels:
    """Return a small picture of the whole map without its margin, faded."""
    from PIL import Image

    from studio.draw.map_picture import preview_png

    with Image.open(io.BytesIO(preview_png(source.map, size=1100))) as opened:
        pixels = np.asarray(opened.convert("RGB"))
    pixels = toned_pixels(pixels, "grey" if source.options.inks == "grey" else "full")
    return np.asarray(np.rint(pixels * 0.62 + 255 * 0.38), dtype=np.uint8)


def _picture(pen: Pen, source: Source, preview: Pixels, ground: Ground, at: tuple[float, float], scale: float) -> None:
    """Lay the part of the small picture that a ground is under the diagram of its sheets."""
    corners = np.reshape(source.whole(), (2, 2))
    whole_wide = float(corners[1, 0] - corners[0, 0]) * source.unit
    high, wide = preview.shape[:2]
    # The picture has a margin of some pixels around the map: the same on all four sides.
    rim = max(6.0, 0.35 * (wide - 12) / (whole_wide / (source.unit * source.grid.hex_height)))
    per_mm = (wide - 2 * rim) / whole_wide
    x0, y0, x1, y1 = ground.frame
    columns = [round(rim + x * per_mm) for x in (x0, x1)]
    rows = [round(rim + y * per_mm) for y in (y0, y1)]
    part = preview[max(0, rows[0]) : min(high, rows[1]), max(0, columns[0]) : min(wide, columns[1])]
    if part.size:
        left, top = at[0] + (x0 - ground.box[0]) * scale, at[1] + (y0 - ground.box[1]) * scale
        matrix = ((x1 - x0) * scale, 0.0, 0.0, (y1 - y0) * scale, left, top)
        pen.plate.add("ground", PictureMark(part, matrix))


def poster_page(source: Source, ground: Ground, plate_of: Placed, items: list[LegendItem]) -> Page:
    """Return one page with a part of the map, its title above, the legend beside it, a ruler and the sources below.

    Parameters
    ----------
    source : Source
    ground : Ground
    plate_of : Placed
        The plate with the map; only its plate is used.
    items : list of LegendItem
    """
    options = source.options
    x0, y0, x1, y1 = ground.box
    margin, bleed = options.margin, options.bleed
    head = _HEAD if options.front else 0.0
    foot = _FOOT if options.front else 0.0
    left, top = margin, margin + head
    wide, high = x1 - x0, y1 - y0
    pen = Pen()
    placed = [Placed(plate_of.plate, left - x0, top - y0, 1.0, (x0 - bleed, y0 - bleed, x1 + bleed, y1 + bleed))]
    right, lowest = left + wide, max(high, 60.0 if items else 0.0)
    rest = items
    while rest:  # as many columns as the height of the map needs
        box = (right + 7, top, right + 7 + _LEGEND_COLUMN, top + max(high, 60.0))
        found, less, _ = lay_legend(rest, box, column=_LEGEND_COLUMN)
        placed += found
        right += 7 + _LEGEND_COLUMN
        if len(less) == len(rest):
            break
        rest = less
    if options.front:
        title = f"{source.title} – {ground.title}" if ground.title else source.title
        size = 6.5
        pen.text(left, margin + 6.0, title, size, bold=True, serif=True)
        pen.text(left, margin + 11.5, " · ".join(source.facts()), 3.0, color=_GREY)
        ruler(pen, left, top + high + bleed + 5.0, 100.0 if wide > 100 else 50.0)
        if source.credits:
            draw_credits(pen, source.credits, left, top + lowest + foot + bleed, right - left)
            foot += credit_height(source.credits, right - left) + bleed
    page = right + margin, top + lowest + foot + margin
    trim = (left, top, left + wide, top + high)
    if options.marks and margin >= 6 and not options.front:
        from studio.draw.press.furniture import _crop_marks

        _crop_marks(pen, trim, bleed)
    placed.append(Placed(pen.plate))
    return Page(*page, tuple(placed), ground.title or source.title)

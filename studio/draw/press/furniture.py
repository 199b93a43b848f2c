"""What stands around the map on a sheet: crop and registration marks, names of the neighbours, a ruler."""

from __future__ import annotations

from studio.draw.press.page import Page, Placed
from studio.draw.press.paper import Sheet, Tiling
from studio.draw.press.pen import INK, Pen
from studio.draw.press.plate import Box, Plate
from studio.draw.press.source import Ground, Source

__all__ = ["ruler", "sheet_page", "upright_ruler"]

_GREY = "#6b665f"
_SMALL = 2.6  # millimetres of 1 em
_GAP, _LONG = 1.2, 4.0  # of a crop mark: from the picture, and its length


def sheet_page(source: Source, ground: Ground, tiling: Tiling, sheet: Sheet, plate: Plate, *, name: str) -> Page:
    """Return the page of a sheet.

    Parameters
    ----------
    source : Source
    ground : Ground
        The part of the map.
    tiling : Tiling
    sheet : Sheet
    plate : Plate
        With the map on it, in millimetres from its corner.
    name : str
        Of the sheet, as it stands on the page.
    """
    options = source.options
    left, top = tiling.place(sheet)
    x0, y0, x1, y1 = sheet.window
    trim = (left, top, left + x1 - x0, top + y1 - y0)
    bleed = options.bleed
    seen = (x0 - bleed, y0 - bleed, x1 + bleed, y1 + bleed)
    placed = [Placed(plate, left - x0, top - y0, 1.0, seen)]
    if options.marks:
        pen = Pen()
        _crop_marks(pen, trim, bleed)
        _overlaps(pen, tiling, sheet, trim, bleed)
        if options.margin >= 5:
            strips = [tiling.overlap if tiling.neighbour(sheet, right, 0) else 0.0 for right in (-1, 1)]
            _foot(pen, source, tiling, (trim[0] + strips[0], trim[1], trim[2] - strips[1], trim[3]), name)
        placed.append(Placed(pen.plate))
    grown = (trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed) if bleed else None
    title = " – ".join(part for part in (ground.title or source.title, f"sheet {name}") if part)
    return Page(tiling.wide, tiling.high, tuple(placed), title, trim, grown)


def _crop_marks(pen: Pen, trim: Box, bleed: float) -> None:
    """Draw where the sheet is cut, at its corners."""
    near, far = bleed + _GAP, bleed + _GAP + _LONG
    for x, way in ((trim[0], -1), (trim[2], 1)):
        for y in (trim[1], trim[3]):
            pen.line((x + way * near, y), (x + way * far, y))
    for y, way in ((trim[1], -1), (trim[3], 1)):
        for x in (trim[0], trim[2]):
            pen.line((x, y + way * near), (x, y + way * far))


def _overlaps(pen: Pen, tiling: Tiling, sheet: Sheet, trim: Box, bleed: float) -> None:
    """Draw where neighbours end, the marks that must meet, and the names of the neighbours."""
    near, strip = bleed + _GAP, tiling.overlap
    middle = (trim[0] + trim[2]) / 2, (trim[1] + trim[3]) / 2
    for right in (-1, 1):
        other = tiling.neighbour(sheet, right, 0)
        if other is None:
            continue
        edge = trim[0] if right < 0 else trim[2]
        for y, way in ((trim[1], -1), (trim[3], 1)):
            if strip > 0:
                inner = edge - right * strip
                pen.line((inner, y + way * near), (inner, y + way * (near + 2.5)), color=_GREY, dash=(0.5, 0.5))
            _target(pen, edge - right * strip / 2, y + way * (near + 2.0))
        _neighbour(pen, edge + right * (near + 2.2), middle[1], other.name, right, 0)
    for down in (-1, 1):
        other = tiling.neighbour(sheet, 0, down)
        if other is None:
            continue
        edge = trim[1] if down < 0 else trim[3]
        for x, way in ((trim[0], -1), (trim[2], 1)):
            if strip > 0:
                inner = edge - down * strip
                pen.line((x + way * near, inner), (x + way * (near + 2.5), inner), color=_GREY, dash=(0.5, 0.5))
            _target(pen, x + way * (near + 2.0), edge - down * strip / 2)
        _neighbour(pen, middle[0], edge + down * (near + 2.2), other.name, 0, down)


def _target(pen: Pen, x: float, y: float) -> None:
    """Draw a registration mark: those of two sheets must meet."""
    pen.disc(x, y, 1.0, color=INK, width=0.12)
    pen.line((x - 1.6, y), (x + 1.6, y), width=0.12)
    pen.line((x, y - 1.6), (x, y + 1.6), width=0.12)


def _neighbour(pen: Pen, x: float, y: float, name: str, right: int, down: int) -> None:
    """Write the name of the sheet that joins here, with an arrow to it."""
    if right:
        wide = pen.text(x + 0.35 * _SMALL, y, name, _SMALL, anchor="middle", color=_GREY, angle=90)
        tip, at = x + right * 0.6, y - wide / 2 - 1.8
        pen.shape((tip, at), (tip - right * 1.4, at - 0.8), (tip - right * 1.4, at + 0.8), fill=_GREY)
        return
    tip = y + down * 0.6
    wide = pen.text(x, y + 0.35 * _SMALL, name, _SMALL, anchor="middle", color=_GREY)
    at = x + wide / 2 + 1.8
    pen.shape((at, tip), (at - 0.8, tip - down * 1.4), (at + 0.8, tip - down * 1.4), fill=_GREY)


def _foot(pen: Pen, source: Source, tiling: Tiling, trim: Box, name: str) -> None:
    """Write what the sheet is, below what it does not share, with a ruler."""
    room = trim[2] - trim[0]
    y = trim[3] + source.options.bleed + _GAP + 3.0
    joins = tiling.columns * tiling.rows > 1
    if room < 90:
        pen.text(trim[0] + 6, y, name, _SMALL, bold=True, color=INK)
        return
    ruler(pen, trim[2] - 57, y, 50.0)
    x = trim[0] + 6 + pen.text(trim[0] + 6, y, name, _SMALL, bold=True, color=INK) + 2.2
    words = f"{source.title} · hexes {source.hex_mm:.4g} mm wide"
    most = room - 67 - (x - trim[0])
    if joins:
        most = min(most, room / 2 - 12 - (x - trim[0]))
    for text in (words, source.title):
        if _fits(pen, text, most):
            pen.text(x, y, text, _SMALL, color=_GREY)
            return


def _fits(pen: Pen, text: str, most: float) -> bool:
    from studio.draw.press.fonts import text_width

    return text_width(text, pen.font()) * _SMALL <= most


def ruler(pen: Pen, x: float, y: float, length: float, *, words: bool = True) -> None:
    """Draw a bar of a length in millimetres, with what it must measure."""
    for n in range(round(length) + 1):
        high = 1.9 if n % 10 == 0 else 1.35 if n % 5 == 0 else 0.8
        pen.line((x + n, y), (x + n, y - high), width=0.18 if n % 10 == 0 else 0.1)
    pen.line((x, y), (x + length, y), width=0.2)
    if words:
        pen.text(x + length / 2, y + 2.5, f"this bar is {length:g} mm", 2.1, anchor="middle", color=_GREY)


def upright_ruler(pen: Pen, x: float, y: float, length: float) -> None:
    """Draw the same bar upright: a printer may stretch one way only."""
    for n in range(round(length) + 1):
        wide = 1.9 if n % 10 == 0 else 1.35 if n % 5 == 0 else 0.8
        pen.line((x, y + n), (x + wide, y + n), width=0.18 if n % 10 == 0 else 0.1)
    pen.line((x, y), (x, y + length), width=0.2)
    pen.text(x - 1.0, y + length / 2, f"this bar is {length:g} mm", 2.1, anchor="middle", color=_GREY, angle=90)

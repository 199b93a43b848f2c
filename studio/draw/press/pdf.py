"""Pages as a PDF: lines as lines, letters in embedded fonts, layers to switch on and off, of true size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

import numpy as np
from numpy.typing import NDArray

from studio.draw.press.layers import GROUPS
from studio.draw.press.page import Page, Placed
from studio.draw.press.pdffile import PdfFile, number, text_of
from studio.draw.press.pdffont import PdfFont
from studio.draw.press.pdfpaint import MICRONS, Painter
from studio.draw.press.pictures import sampled
from studio.draw.press.plate import Box, PictureMark, Plate

__all__ = ["write_pdf"]

_MM = 72 / 25.4  # points


def write_pdf(out: IO[bytes], pages: Iterable[Page], *, title: str, subject: str = "", dpi: int = 300) -> int:
    """Write pages as a PDF; return how many there were.

    Parameters
    ----------
    out : binary file
    pages : iterable of Page
        Each is asked for when the one before it is written.
    title, subject : str
        In the properties of the file.
    dpi : int
        Of pictures.
    """
    book = _Book(out, title, subject, dpi)
    for page in pages:
        book.page(page)
    return book.close()


class _Book:
    """A PDF that is being written: what its pages share."""

    def __init__(self, out: IO[bytes], title: str, subject: str, dpi: int) -> None:
        self.file, self.title, self.subject, self.dpi = PdfFile(out), title, subject, dpi
        self.fonts: dict[str, PdfFont] = {}
        self.states: dict[tuple[float, float], int] = {}
        self.groups: dict[str, int] = {}
        self.forms: dict[int, tuple[Plate, int]] = {}  # the plate is kept, so that no other one gets its identity
        self.pages: list[tuple[int, str]] = []
        self.tree, self.common = self.file.reserve(), [self.file.reserve() for _ in range(3)]
        self._objects: dict[str, int] = {}

    # -- what pages ask for ------------------------------------------------------------------------------------------

    def font(self, path: str) -> tuple[str, PdfFont]:
        """Return the name of a font on pages, and the font."""
        if path not in self.fonts:
            self.fonts[path] = PdfFont(path, self.file.reserve())
        return f"/F{list(self.fonts).index(path)}", self.fonts[path]

    def state(self, fill: float, stroke: float) -> str:
        """Return the name of how much is seen through what is drawn."""
        key = (fill, stroke)
        if key not in self.states:
            self.states[key] = self.file.write(f"<< /ca {number(fill)} /CA {number(stroke)} >>")
        return f"/A{list(self.states).index(key)}"

    def group(self, name: str) -> str:
        """Return the name of a group of layers."""
        if name not in self.groups:
            self.groups[name] = self.file.write(f"<< /Type /OCG /Name {text_of(GROUPS[name])} >>")
        return f"/L{list(GROUPS).index(name)}"

    def picture(self, mark: PictureMark, window: Box | None) -> tuple[str, tuple[float, ...]] | None:
        """Return the name of the part of a picture that a window shows, and its matrix."""
        found = sampled(mark, window, self.dpi)
        if found is None:
            return None
        pixels, matrix = found
        if pixels.shape[-1] == 4 and not pixels[..., 3].any():
            return None
        mask = ""
        if pixels.shape[-1] == 4:
            mask = f"/SMask {self._samples(pixels[..., 3], '/DeviceGray', '')} 0 R"
        written = self._samples(pixels[..., :3], "/DeviceRGB", mask)
        name = f"I{written}"
        self._objects[name] = written
        return f"/{name}", matrix

    def _samples(self, pixels: NDArray[np.uint8], space: str, more: str) -> int:
        high, wide = pixels.shape[:2]
        bands = pixels.shape[2] if pixels.ndim == 3 else 1
        rows = np.ascontiguousarray(pixels).reshape(high, wide * bands)
        # Each row as its difference from the one above, which packs well where colours change slowly.
        steps = np.empty((high, wide * bands + 1), dtype=np.uint8)
        steps[:, 0] = 2
        steps[0, 1:] = rows[0]
        steps[1:, 1:] = rows[1:] - rows[:-1]
        return self.file.stream(
            steps.tobytes(),
            f"/Type /XObject /Subtype /Image /Width {wide} /Height {high} /ColorSpace {space} /BitsPerComponent 8 "
            f"/Interpolate true /DecodeParms << /Predictor 15 /Colors {bands} /Columns {wide} >> {more}",
        )

    # -- pages -------------------------------------------------------------------------------------------------------

    def page(self, page: Page) -> None:
        """Write a page."""
        painter = Painter(self)
        self._objects = {}
        for placed in page.placed:
            self._place(painter, page, placed)
        content = self.file.stream(painter.data())
        boxes = [_box("MediaBox", (0, 0, page.wide, page.high), page.high)]
        for name, box in (("TrimBox", page.trim), ("BleedBox", page.bleed)):
            if box is not None:
                boxes.append(_box(name, box, page.high))
        written = self.file.write(
            f"<< /Type /Page /Parent {self.tree} 0 R {' '.join(boxes)} "
            f"/Resources {self._resources(self._objects)} /Contents {content} 0 R >>"
        )
        self.pages.append((written, page.title))

    def _place(self, painter: Painter, page: Page, placed: Placed) -> None:
        scale = _MM / MICRONS * placed.scale
        at = f"{number(placed.x * _MM, 5)} {number((page.high - placed.y) * _MM, 5)}"
        painter.raw(f"q {number(scale, 12)} 0 0 {number(-scale, 12)} {at} cm")
        if placed.window is not None:
            x0, y0, x1, y1 = (round(value * MICRONS) for value in placed.window)
            painter.raw(f"{x0} {y0} {x1 - x0} {y1 - y0} re W n")
        if placed.plate.shared and placed.plate.marks:
            name = f"P{self._form(placed.plate)}"
            self._objects[name] = int(name[1:])
            painter.raw(f"/{name} Do")
        else:
            painter.plate(placed.plate, placed.window)
        painter.raw("Q")

    def _form(self, plate: Plate) -> int:
        """Return the object of a plate that is printed in many places."""
        if id(plate) not in self.forms:
            painter, outer, self._objects = Painter(self), self._objects, {}
            painter.plate(plate)
            low, high = plate.boxes[:, :2].min(axis=0) * MICRONS, plate.boxes[:, 2:].max(axis=0) * MICRONS
            box = " ".join(number(value, 0) for value in (*(low - 1), *(high + 1)))
            resources, self._objects = self._resources(self._objects), outer
            form = self.file.stream(
                painter.data(), f"/Type /XObject /Subtype /Form /BBox [{box}] /Resources {resources}"
            )
            self.forms[id(plate)] = plate, form
        return self.forms[id(plate)][1]

    def _resources(self, objects: dict[str, int]) -> str:
        fonts, states, groups = self.common
        own = " ".join(f"/{name} {at} 0 R" for name, at in objects.items())
        return (
            f"<< /Font {fonts} 0 R /ExtGState {states} 0 R /Properties {groups} 0 R"
            + (f" /XObject << {own} >>" if own else "")
            + " >>"
        )

    # -- the end -----------------------------------------------------------------------------------------------------

    def close(self) -> int:
        """Write what all pages share, and the contents; return the number of pages."""
        file = self.file
        fonts = " ".join(f"/F{n} {font.number} 0 R" for n, font in enumerate(self.fonts.values()))
        states = " ".join(f"/A{n} {at} 0 R" for n, at in enumerate(self.states.values()))
        groups = " ".join(f"{self.group(name)} {at} 0 R" for name, at in self.groups.items())
        for at, entries in zip(self.common, (fonts, states, groups), strict=True):
            file.write(f"<< {entries} >>", at)
        for font in self.fonts.values():
            font.write(file)
        kids = " ".join(f"{at} 0 R" for at, _ in self.pages)
        file.write(f"<< /Type /Pages /Count {len(self.pages)} /Kids [{kids}] >>", self.tree)
        layers = " ".join(f"{self.groups[name]} 0 R" for name in GROUPS if name in self.groups)
        root = file.write(
            f"<< /Type /Catalog /Pages {self.tree} 0 R /Outlines {self._outline()} 0 R /PageMode /UseNone "
            # Readers must not fit the pages to the printer: that would spoil the scale.
            "/ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> "
            f"/OCProperties << /OCGs [{layers}] /D << /Order [{layers}] /ON [{layers}] >> >> >>"
        )
        subject = f" /Subject {text_of(self.subject)}" if self.subject else ""
        info = file.write(f"<< /Title {text_of(self.title)}{subject} >>")
        file.close(root, info)
        return len(self.pages)

    def _outline(self) -> int:
        """Write the list of pages by their titles; return its object."""
        titled = [(at, title) for at, title in self.pages if title]
        top = self.file.reserve()
        places = [self.file.reserve() for _ in titled]
        for n, (at, title) in enumerate(titled):
            before = f"/Prev {places[n - 1]} 0 R " if n else ""
            after = f"/Next {places[n + 1]} 0 R " if n + 1 < len(places) else ""
            self.file.write(
                f"<< /Title {text_of(title)} /Parent {top} 0 R {before}{after}/Dest [{at} 0 R /Fit] >>", places[n]
            )
        ends = f"/First {places[0]} 0 R /Last {places[-1]} 0 R " if places else ""
        self.file.write(f"<< /Type /Outlines {ends}/Count {len(places)} >>", top)
        return top


def _box(name: str, box: Box, high: float) -> str:
    values = box[0], high - box[3], box[2], high - box[1]
    return f"/{name} [{' '.join(number(value * _MM) for value in values)}]"

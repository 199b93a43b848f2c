"""A page as SVG: one file of true size, a group a layer that drawing programs show as layers."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import IO, Any, Literal
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from studio.draw.press.layers import LAYERS
from studio.draw.press.page import Page, Placed
from studio.draw.press.pdffile import number
from studio.draw.press.pictures import sampled
from studio.draw.press.plate import Clip, Look, Mark, PathMark, PictureMark, TextMark

__all__ = ["path_data", "write_svg"]

_DIGITS = 3  # of millimetres
_CAPS = {"butt": "butt", "round": "round", "projecting": "square"}
_TITLES = {layer.id: layer.title for layer in LAYERS}

Text = Literal["paths", "text"]
Hex = tuple[str, str, int, Any]


def write_svg(
    out: IO[bytes],
    page: Page,
    *,
    title: str,
    credit: str = "",
    text: Text = "paths",
    hexes: Sequence[Hex] = (),
    dpi: int = 300,
) -> None:
    """Write a page as SVG.

    Parameters
    ----------
    out : binary file
    page : Page
        The first plate on it is that of the map.
    title : str
    credit : str
        Its sources, as its description and as metadata.
    text : {"paths", "text"}
        Letters as outlines, or as text.
    hexes : sequence of (label, terrain, level, corners)
        Shapes of hexes, with corners in millimetres of the map's plate, that carry their data.
    dpi : int
        Of pictures.
    """
    writer = _Writer(text, dpi)
    body = [line for n, placed in enumerate(page.placed) for line in writer.placed(placed, n, hexes if n == 0 else ())]
    wide, high = number(page.wide, _DIGITS), number(page.high, _DIGITS)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
        f'width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}">\n{_about(title, credit)}'
    )
    out.write(head.encode("utf-8"))
    if writer.clips:
        out.write(("<defs>\n" + "\n".join(writer.clips.values()) + "\n</defs>\n").encode("utf-8"))
    for line in body:
        out.write((line + "\n").encode("utf-8"))
    out.write(b"</svg>\n")


def _about(title: str, credit: str) -> str:
    """Return what a page is and what it rests on, as viewers show it and as Inkscape reads it."""
    words, named = escape(credit), f"<title>{escape(title)}</title>\n"
    if not credit:
        return named
    return (
        f"{named}<desc>{words}</desc>\n"
        '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        'xmlns:cc="http://creativecommons.org/ns#" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<cc:Work rdf:about=""><dc:source>{words}</dc:source>'
        f"<dc:rights><cc:Agent><dc:title>{words}</dc:title></cc:Agent></dc:rights></cc:Work></rdf:RDF></metadata>\n"
    )


class _Writer:
    """Turns marks into elements, and keeps the clips that they use."""

    def __init__(self, text: Text, dpi: int) -> None:
        self.text, self.dpi = text, dpi
        self.clips: dict[int, str] = {}
        self._kept: list[Clip] = []
        self._names: dict[int, str] = {}
        self._windows = 0

    def placed(self, placed: Placed, place: int, hexes: Sequence[Hex]) -> Iterator[str]:
        """Yield the lines of a plate on the page."""
        moved = f"translate({number(placed.x, 5)} {number(placed.y, 5)})"
        if placed.scale != 1:
            moved += f" scale({number(placed.scale, 6)})"
        marks = [(layer, mark) for _, layer, mark in placed.plate.within(placed.window)]
        if not marks:
            return
        yield f'<g transform="{moved}"{self._window(placed)}>'
        # A layer that comes again higher up is a group of its own.
        seen: dict[str, int] = {}
        for layer, found in groupby(marks, key=lambda pair: pair[0]):
            seen[layer] = seen.get(layer, 0) + 1
            name = f"{layer}-{seen[layer]}" if seen[layer] > 1 else layer
            whose = name if place == 0 else f"{name}-{place}"
            yield self._group(whose, _TITLES.get(layer, layer.capitalize()), top=place == 0)
            yield from self._marks([mark for _, mark in found])
            yield "</g>"
        if hexes:
            yield self._group("hex-data", "Hexes with their data", top=True, more=' fill="none" pointer-events="all"')
            yield from map(_hex, hexes)
            yield "</g>"
        yield "</g>"

    def _group(self, name: str, title: str, *, top: bool, more: str = "") -> str:
        layer = f' inkscape:groupmode="layer" inkscape:label={quoteattr(title)}' if top else ""
        return f"<g id={quoteattr(name)}{layer}{more}>"

    def _window(self, placed: Placed) -> str:
        if placed.window is None:
            return ""
        x0, y0, x1, y1 = placed.window
        self._windows += 1
        name = f"window-{self._windows}"
        box = f'<rect x="{number(x0)}" y="{number(y0)}" width="{number(x1 - x0)}" height="{number(y1 - y0)}"/>'
        self.clips[-self._windows] = f'<clipPath id="{name}">{box}</clipPath>'
        return f' clip-path="url(#{name})"'

    def _marks(self, marks: Iterable[Mark]) -> Iterator[str]:
        """Yield marks, those of one clip and one look in a group."""
        for clip, found in groupby(marks, key=lambda mark: mark.clip):
            if clip is not None:
                yield f'<g clip-path="url(#{self._clip(clip)})">'
            for look, alike in groupby(found, key=lambda mark: getattr(mark, "look", None)):
                if look is None:
                    yield from (line for mark in alike for line in self._picture(mark))
                    continue
                inner = [line for mark in alike for line in self._mark(mark)]
                if inner:
                    yield f"<g{_style(look)}>"
                    yield from inner
                    yield "</g>"
            if clip is not None:
                yield "</g>"

    def _clip(self, clip: Clip) -> str:
        if id(clip) not in self.clips:
            self._kept.append(clip)
            # Ids by their order, not by where they lie in memory: equal pictures have equal bytes.
            self._names[id(clip)] = f"clip-{len(self._kept)}"
            shape = f'<path d="{path_data(clip.points, clip.codes)}"/>'
            self.clips[id(clip)] = f'<clipPath id="clip-{len(self._kept)}">{shape}</clipPath>'
        return self._names[id(clip)]

    def _mark(self, mark: Mark) -> Iterator[str]:
        if isinstance(mark, TextMark):
            if self.text == "text":
                yield _text(mark)
                return
            outline = mark.outline()
            if outline is None:
                return
            mark = outline
        if isinstance(mark, PathMark):
            yield f'<path d="{path_data(mark.points, mark.codes)}"/>'

    def _picture(self, mark: Mark) -> Iterator[str]:
        from PIL import Image

        if not isinstance(mark, PictureMark):
            return
        # A viewer smooths by itself: as many dots as there are samples do, and keep the file small.
        found = (mark.pixels, mark.matrix) if mark.smooth else sampled(mark, None, self.dpi)
        if found is None:
            return
        pixels, matrix = found
        buffer = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "PNG", optimize=True)
        data = base64.b64encode(buffer.getvalue()).decode("ascii")
        values = " ".join(number(value, 5) for value in matrix)
        how = "" if mark.smooth else ' image-rendering="pixelated"'
        yield (
            f'<image width="1" height="1" preserveAspectRatio="none" transform="matrix({values})"{how} '
            f'xlink:href="data:image/png;base64,{data}"/>'
        )


def _style(look: Look) -> str:
    parts = [f' fill="{look.fill}"' if look.fill else ' fill="none"']
    if look.fill and look.fill_alpha < 1:
        parts.append(f' fill-opacity="{number(look.fill_alpha, 3)}"')
    if look.stroke:
        parts.append(f' stroke="{look.stroke}" stroke-width="{number(look.width)}"')
        if look.stroke_alpha < 1:
            parts.append(f' stroke-opacity="{number(look.stroke_alpha, 3)}"')
        if look.dash:
            parts.append(f' stroke-dasharray="{" ".join(number(one) for one in look.dash)}"')
            if look.offset:
                parts.append(f' stroke-dashoffset="{number(look.offset)}"')
        if look.cap != "butt":
            parts.append(f' stroke-linecap="{_CAPS[look.cap]}"')
        if look.join != "miter":
            parts.append(f' stroke-linejoin="{look.join}"')
        else:
            parts.append(' stroke-miterlimit="10"')
    return "".join(parts)


def _text(mark: TextMark) -> str:
    from studio.draw.press.fonts import font_of

    family, weight, slant = _font_names(font_of(mark.font))
    # From the middle, so that another font does not shift it.
    turn = np.radians(mark.angle)
    x, y = mark.x + mark.width / 2 * float(np.cos(turn)), mark.y - mark.width / 2 * float(np.sin(turn))
    turned = f' transform="rotate({number(-mark.angle, 3)} {number(x)} {number(y)})"' if mark.angle else ""
    hidden = ' aria-hidden="true"' if mark.halo else ""
    return (
        f'<text x="{number(x, _DIGITS)}" y="{number(y, _DIGITS)}" text-anchor="middle" '
        f'font-size="{number(mark.size, _DIGITS)}" font-family={quoteattr(family)}{weight}{slant}{turned}{hidden}>'
        f"{escape(mark.text)}</text>"
    )


def _font_names(font: Any) -> tuple[str, str, str]:
    names = font["name"]
    family = str(names.getDebugName(16) or names.getDebugName(1) or "sans-serif")
    style = str(names.getDebugName(17) or names.getDebugName(2) or "").lower()
    weight = ' font-weight="bold"' if "bold" in style else ""
    slant = ' font-style="italic"' if "italic" in style or "oblique" in style else ""
    return f"{family}, sans-serif", weight, slant


def _hex(one: Hex) -> str:
    label, terrain, level, corners = one
    points = [*corners, corners[0]]
    codes = [1, *[2] * (len(corners) - 1), 79]
    return (
        f"<path id={quoteattr('hex-' + _identifier(label))} data-label={quoteattr(label)} "
        f'data-terrain={quoteattr(terrain)} data-level="{level}" d="{path_data(points, codes)}"/>'
    )


def _identifier(label: str) -> str:
    return "".join(char if char.isalnum() or char in "-_." else f"_{ord(char):x}_" for char in label)


def path_data(points: Any, codes: Any) -> str:
    """Return a path as SVG has it, with steps from point to point in thousandths of a millimetre.

    Parameters
    ----------
    points : array of shape (n, 2)
        In millimetres.
    codes : sequence of int
        As matplotlib has them.

    Examples
    --------
    >>> path_data([[1, 1], [2, 1.5], [1, 1]], [1, 2, 79])
    'M1 1l1 .5z'
    """
    placed = np.rint(np.asarray(points, dtype=float) * 1000).astype(np.int64).tolist()
    out: list[str] = []
    here = start = (0, 0)
    n, last = 0, ""
    takes = {1: 1, 2: 1, 3: 2, 4: 3}
    while n < len(placed):
        code = int(codes[n])
        if code == 0:
            break
        if code == 79:
            out.append("z")
            here, last = start, ""
            n += 1
            continue
        part = placed[n : n + takes[code]]
        if code == 1:
            out.append(f"M{_steps([part[0]], (0, 0))}")
            start = (part[0][0], part[0][1])
            last = ""
        else:
            op = {2: "l", 3: "q", 4: "c"}[code]
            steps = _steps(part, here)
            out.append(op + steps if op != last else steps if steps[0] == "-" else " " + steps)
            last = op
        here = (part[-1][0], part[-1][1])
        n += takes[code]
    return "".join(out)


def _steps(points: list[list[int]], here: tuple[int, int]) -> str:
    text = ""
    for x, y in points:
        for value in (x - here[0], y - here[1]):
            shown = _short(value)
            text += shown if not text or shown[0] == "-" else " " + shown
    return text


def _short(value: int) -> str:
    """Return thousandths as a decimal number without what goes without saying."""
    sign, value = ("-", -value) if value < 0 else ("", value)
    whole, rest = divmod(value, 1000)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{rest:03d}".rstrip("0")

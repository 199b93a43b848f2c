"""The marks of plates as the operators of PDF, in thousandths of a millimetre, y down."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from studio.draw.press.layers import group_of
from studio.draw.press.pdffile import number
from studio.draw.press.plate import Box, Clip, Look, Mark, PathMark, PictureMark, Plate, TextMark

__all__ = ["MICRONS", "Painter", "Supplies", "path_text"]

MICRONS = 1000
"""Steps of a coordinate to a millimetre."""

_CAPS = {"butt": 0, "round": 1, "projecting": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


class Supplies(Protocol):
    """What a file lends to its pages."""

    def font(self, path: str) -> tuple[str, Any]:
        """Return the name of a font on pages, and the font."""

    def state(self, fill: float, stroke: float) -> str:
        """Return the name of how much is seen through what is drawn."""

    def group(self, name: str) -> str:
        """Return the name of a group of layers."""

    def picture(self, mark: PictureMark, window: Box | None) -> tuple[str, tuple[float, ...]] | None:
        """Return the name of the part of a picture that a window shows, and its matrix; None for nothing."""


def path_text(points: Any, codes: Any) -> str:
    """Return a path as operators.

    Parameters
    ----------
    points : array of shape (n, 2)
        In millimetres.
    codes : sequence of int
        As matplotlib has them.

    Examples
    --------
    >>> path_text([[0, 0], [1, 0.5], [0, 0]], [1, 2, 79])
    '0 0 m 1000 500 l h'
    """
    placed = np.rint(np.asarray(points, dtype=float) * MICRONS).astype(np.int64).tolist()
    out: list[str] = []
    n, count, here = 0, len(placed), (0.0, 0.0)
    while n < count:
        code = int(codes[n])
        x, y = placed[n]
        if code == 2:
            out.append(f"{x} {y} l")
        elif code == 1:
            out.append(f"{x} {y} m")
        elif code == 4:
            (p, q), (x, y) = placed[n + 1], placed[n + 2]
            out.append(f"{placed[n][0]} {placed[n][1]} {p} {q} {x} {y} c")
            n += 2
        elif code == 3:
            cx, cy = x, y
            x, y = placed[n + 1]
            first = here[0] + 2 * (cx - here[0]) / 3, here[1] + 2 * (cy - here[1]) / 3
            then = x + 2 * (cx - x) / 3, y + 2 * (cy - y) / 3
            out.append(f"{first[0]:.0f} {first[1]:.0f} {then[0]:.0f} {then[1]:.0f} {x} {y} c")
            n += 1
        elif code == 79:
            out.append("h")
        elif code == 0:
            break
        if code != 79:
            here = (x, y)
        n += 1
    return " ".join(out)


class Painter:
    """Writes the operators of a page or a form.

    Parameters
    ----------
    supplies : Supplies
    """

    def __init__(self, supplies: Supplies) -> None:
        self._supplies = supplies
        self._out: list[str] = []
        self._set: dict[str, Any] = {}

    def data(self) -> bytes:
        """Return what was written."""
        return "\n".join(self._out).encode("latin-1")

    def raw(self, text: str) -> None:
        """Write operators as they are; nothing is known of the state after them."""
        self._out.append(text)
        self._set = {}

    def plate(self, plate: Plate, window: Box | None = None) -> None:
        """Paint the marks that a window shows, layer by layer.

        Parameters
        ----------
        plate : Plate
        window : (left, top, right, bottom), optional
            In millimetres of the plate.
        """
        group, clip = "", None
        for n, layer, mark in plate.within(window):
            wanted = group_of(layer)
            if (wanted, mark.clip) != (group, clip):
                self._leave(clip)
                if wanted != group:
                    self._out.append(("EMC " if group else "") + f"/OC {self._supplies.group(wanted)} BDC")
                group, clip = wanted, mark.clip
                self._enter(plate, clip)
            self._mark(plate, n, mark, window)
        self._leave(clip)
        if group:
            self._out.append("EMC")

    def _enter(self, plate: Plate, clip: Clip | None) -> None:
        if clip is not None:
            key = -id(clip)
            text = plate.texts.get(key)
            if text is None:
                text = plate.texts[key] = path_text(clip.points, clip.codes)
            self._out.append(f"q {text} W n")
            self._set = {}

    def _leave(self, clip: Clip | None) -> None:
        if clip is not None:
            self._out.append("Q")
            self._set = {}

    def _mark(self, plate: Plate, n: int, mark: Mark, window: Box | None) -> None:
        if isinstance(mark, PictureMark):
            self._picture(mark, window)
            return
        self._look(mark.look)
        if isinstance(mark, TextMark):
            self._text(mark)
            return
        text = plate.texts.get(n)
        if text is None:
            text = plate.texts[n] = path_text(mark.points, mark.codes)
        self._out.append(f"{text} {_paint(mark)}")

    def _look(self, look: Look) -> None:
        """Write what of a look differs from what is set."""
        wanted: dict[str, Any] = {"alpha": (look.fill_alpha, look.stroke_alpha)}
        if look.fill:
            wanted["fill"] = look.fill
        if look.stroke:
            wanted |= {"stroke": look.stroke, "width": look.width, "dash": (look.dash, look.offset)}
            wanted |= {"cap": look.cap, "join": look.join}
        parts = []
        for key, value in wanted.items():
            if self._set.get(key) != value:
                self._set[key] = value
                parts.append(self._setting(key, value))
        if parts:
            self._out.append(" ".join(parts))

    def _setting(self, key: str, value: Any) -> str:
        match key:
            case "fill":
                return f"{_rgb(value)} rg"
            case "stroke":
                return f"{_rgb(value)} RG"
            case "width":
                return f"{number(value * MICRONS, 2)} w"
            case "dash":
                lengths, offset = value
                return f"[{' '.join(number(one * MICRONS, 2) for one in lengths)}] {number(offset * MICRONS, 2)} d"
            case "cap":
                return f"{_CAPS[value]} J"
            case "join":
                return f"{_JOINS[value]} j"
        return f"{self._supplies.state(*value)} gs"

    def _text(self, mark: TextMark) -> None:
        name, font = self._supplies.font(mark.font)
        turn = np.radians(mark.angle)
        c, s = number(float(np.cos(turn)), 6), number(float(-np.sin(turn)), 6)
        minus_c = number(float(-np.cos(turn)), 6)
        mode = 2 if mark.look.fill and mark.look.stroke else 0 if mark.look.fill else 1
        at = f"{number(mark.x * MICRONS, 1)} {number(mark.y * MICRONS, 1)}"
        shown = (
            f"BT {name} {number(mark.size * MICRONS, 1)} Tf {mode} Tr {c} {s} {s} {minus_c} {at} Tm "
            f"<{font.encoded(mark.text)}> Tj ET"
        )
        # What surrounds letters is no text of its own for those who search or read aloud.
        self._out.append(f"/Artifact BMC {shown} EMC" if mark.halo else shown)

    def _picture(self, mark: PictureMark, window: Box | None) -> None:
        found = self._supplies.picture(mark, window)
        if found is None:
            return
        name, (a, b, c, d, e, f) = found
        # Pictures of PDF stand on their lower edge.
        values = (a, b, -c, -d, c + e, d + f)
        self._out.append(f"q {' '.join(number(value * MICRONS, 2) for value in values)} cm {name} Do Q")


def _paint(mark: PathMark) -> str:
    return "B" if mark.look.fill and mark.look.stroke else "f" if mark.look.fill else "S"


def _rgb(color: str) -> str:
    return " ".join(number(int(color[i : i + 2], 16) / 255, 3) for i in (1, 3, 5))

"""Counters in a PDF: drawn once each as a form of vectors, and placed from then on."""

from __future__ import annotations

import re
from typing import Any

from studio.draw.brief.pdf_style import HEAD, SIGNS, register_fonts
from studio.draw.counterpen import FIELD, Face

__all__ = ["counter_flowable"]


def counter_flowable(face: Face, name: str, size: float) -> Any:
    """Return a counter as something that goes into a cell.

    Parameters
    ----------
    face : Face
    name : str
        Of its form, one for each face.
    size : float
        Width and height in points.
    """
    from reportlab.platypus import Flowable

    class Counter(Flowable):  # type: ignore[misc]
        """A counter."""

        def __init__(self) -> None:
            super().__init__()
            self.width = self.height = size

        def draw(self) -> None:
            """Draw the form, or place it where it was drawn before."""
            canvas = self.canv
            if not canvas.hasForm(name):
                canvas.beginForm(name, 0, 0, FIELD, FIELD)
                _draw(canvas, face)
                canvas.endForm()
            canvas.saveState()
            canvas.scale(size / FIELD, size / FIELD)
            canvas.doForm(name)
            canvas.restoreState()

    return Counter()


def _draw(canvas: Any, face: Face) -> None:
    from reportlab.lib.colors import HexColor

    register_fonts()
    canvas.setLineJoin(1)
    for mark in face.marks:
        path = _path(canvas, mark.path)
        if mark.fill:
            canvas.setFillColor(HexColor(mark.fill))
        if mark.stroke:
            canvas.setStrokeColor(HexColor(mark.stroke))
            canvas.setLineWidth(mark.width)
            canvas.setDash([mark.dash, mark.dash] if mark.dash else [])
        canvas.drawPath(path, stroke=int(bool(mark.stroke)), fill=int(bool(mark.fill)))
    for word in face.words:
        canvas.setFillColor(HexColor(word.color))
        canvas.setFont(HEAD if word.bold else SIGNS, word.size)
        canvas.drawCentredString(word.x, FIELD - word.y - 0.36 * word.size, word.text)


def _path(canvas: Any, text: str) -> Any:
    """Return a path of the words M, L, C and Z, y turned upwards."""
    path = canvas.beginPath()
    for op, numbers in re.findall(r"([MLCZ])([^MLCZ]*)", text):
        values = [float(number) for number in numbers.split()]
        turned = [value if n % 2 == 0 else FIELD - value for n, value in enumerate(values)]
        if op == "M":
            path.moveTo(*turned)
        elif op == "L":
            path.lineTo(*turned)
        elif op == "C":
            path.curveTo(*turned)
        else:
            path.close()
    return path

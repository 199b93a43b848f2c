"""Reads printed PDFs back: paths in millimetres on their pages, by layer, as any other program would find them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pypdf import PdfReader
from pypdf.generic import ContentStream

MM = 25.4 / 72


class Found(NamedTuple):
    """A path on a page: its layer, its corners in millimetres from the upper left, and how it is painted."""

    layer: str
    points: Any
    paint: str


def found_paths(page: Any, reader: PdfReader) -> Iterator[Found]:
    """Yield the paths of a page."""
    high = float(page.mediabox.height)
    names = {
        key: str(value.get_object()["/Name"]) for key, value in page["/Resources"]["/Properties"].get_object().items()
    }
    stack: list[Any] = []
    matrix, points, layers = np.eye(3), [], [""]
    for operands, operator in ContentStream(page["/Contents"].get_object(), reader).operations:
        match operator:
            case b"q":
                stack.append(matrix)
            case b"Q":
                matrix = stack.pop()
            case b"cm":
                a, b, c, d, e, f = (float(one) for one in operands)
                matrix = np.array([[a, b, 0], [c, d, 0], [e, f, 1]]) @ matrix
            case b"BDC":
                layers.append(names.get(operands[1], layers[-1]))
            case b"BMC":
                layers.append(layers[-1])
            case b"EMC":
                layers.pop()
            case b"m" | b"l":
                points.append([float(operands[0]), float(operands[1]), 1.0])
            case b"c":
                points.append([float(operands[4]), float(operands[5]), 1.0])
            case b"f" | b"S" | b"B" | b"n":
                if points and operator != b"n":
                    placed = np.asarray(points) @ matrix
                    flat = np.column_stack([placed[:, 0], high - placed[:, 1]]) * MM
                    yield Found(layers[-1], flat, operator.decode())
                points = []


def hull(paths: Iterator[Found], layer: str) -> Any:
    """Return the box around all paths of a layer: left, top, right, bottom in millimetres."""
    points = np.vstack([path.points for path in paths if path.layer == layer])
    return [*points.min(axis=0), *points.max(axis=0)]


def open_pdf(path: Path) -> PdfReader:
    """Open a PDF."""
    return PdfReader(path, strict=True)

"""How VASSAL names the hexes of its own grids, and which settings give a map the names that are printed on it.

The rules are those of the engine (3.6 and 3.8) as measured, its oddities among them: a count that descends starts from
a number that is worked out with the wrong side of the hexes, letters go on Z, AA, BB, and on a grid of pointy hexes the
two axes change places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import HALF, LINE_STEP, STEP, Axis, HexGrid, Labels

__all__ = ["AxisNumbers", "HexNumbers", "ToPixel", "axis_text", "fit_numbers"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

ToPixel = Callable[[float, float], tuple[float, float]]
"""Takes a point of the lattice of a grid to a pixel."""


class AxisNumbers(NamedTuple):
    """How one axis is counted.

    Attributes
    ----------
    style : {"N", "A"}
        Numbers, or letters.
    leading : int
        Zeros that may lead a number: 1 fills it to two digits.
    offset : int
        Added to the count.
    descending : bool
    """

    style: Literal["N", "A"] = "N"
    leading: int = 0
    offset: int = 0
    descending: bool = False


class HexNumbers(NamedTuple):
    """A hex grid of VASSAL with its numbering.

    Attributes
    ----------
    x0, y0 : int
        Pixel of the middle of the first hex; of pointy hexes with x and y exchanged.
    dx, dy : float
        Pixels from one line of hexes to the next, and from hex to hex in a line.
    width, height : int
        Size of what the grid lies on, in pixels.
    across : AxisNumbers
        Of the columns of flat-top hexes, or of the rows of pointy ones: VASSAL's horizontal axis.
    along : AxisNumbers
        Of the other axis.
    sideways : bool
        Pointy hexes.
    stagger : bool
        The lines that are shifted by half a hex count from one more.
    across_first : bool
        Which of the two is written first.
    separator : str
    """

    x0: int
    y0: int
    dx: float
    dy: float
    width: int
    height: int
    across: AxisNumbers
    along: AxisNumbers
    sideways: bool = False
    stagger: bool = False
    across_first: bool = True
    separator: str = ""

    def counts(self, pixels: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the counts of the two axes at pixels, as the engine has them before it writes them.

        Parameters
        ----------
        pixels : array of int, shape (n, 2)

        Returns
        -------
        (across, along) : arrays of int64, shape (n,)
        """
        points = np.asarray(pixels, dtype=np.int64)
        x, y = (points[:, 1], points[:, 0]) if self.sideways else (points[:, 0], points[:, 1])
        line = np.floor((x - self.x0) / self.dx + 0.5).astype(np.int64)
        odd = (line & 1).astype(bool)
        place = np.floor((y - self.y0 - np.where(odd, self.dy / 2, 0.0)) / self.dy + 0.5).astype(np.int64)
        # The most lines and places, each by the wrong side of a hex; pointy grids exchange them once more.
        most_lines, most_places = self._most
        if self.across.descending:
            line = most_lines - line
        if self.along.descending:
            place = most_places - place
        if self.stagger:
            place = place + np.where(odd, -1 if self.along.descending else 1, 0)
        return line + self.across.offset, place + self.along.offset

    @property
    def _most(self) -> tuple[int, int]:
        by_height = math.floor(self.height / self.dx + 0.5)
        by_width = math.floor(self.width / self.dy + 0.5)
        return (by_height, by_width) if self.sideways else (by_width, by_height)

    def names(self, pixels: NDArray[Any]) -> list[str]:
        """Return what the engine calls some pixels.

        Parameters
        ----------
        pixels : array of int, shape (n, 2)
        """
        across, along = self.counts(pixels)
        first = [_texts(across, self.across), _texts(along, self.along)]
        if not self.across_first:
            first.reverse()
        return [f"{a}{self.separator}{b}" for a, b in zip(*first, strict=True)]

    def name(self, x: int, y: int) -> str:
        """Return what the engine calls a pixel."""
        return self.names(np.array([[x, y]]))[0]


def axis_text(count: int, style: str, leading: int) -> str:
    """Write a count as VASSAL does.

    Examples
    --------
    >>> axis_text(7, "N", 1), axis_text(0, "A", 0), axis_text(27, "A", 0), axis_text(-3, "N", 1)
    ('07', 'A', 'BB', '-03')
    """
    sign, count = ("-" if count < 0 else ""), abs(count)
    if style == "A":
        return sign + _LETTERS[count % 26] * (count // 26 + 1)
    zeros = sum(count < 10**power for power in range(leading, 0, -1))
    return f"{sign}{'0' * zeros}{count}"


def _texts(counts: NDArray[np.int64], axis: AxisNumbers) -> list[str]:
    written = {count: axis_text(count, axis.style, axis.leading) for count in np.unique(counts).tolist()}
    return [written[count] for count in counts.tolist()]


def fit_numbers(
    grid: HexGrid, labels: Labels, to_pixel: ToPixel, size: tuple[int, int], pixels: NDArray[Any]
) -> HexNumbers | None:
    """Return the numbering that gives every hex of a map its own label, None where VASSAL has none.

    Parameters
    ----------
    grid : HexGrid
        Of one map, without parts.
    labels : Labels
        Of that grid.
    to_pixel : callable
        Takes a point of its lattice to a pixel.
    size : (width, height)
        Of what the grid lies on, in pixels.
    pixels : array of int, shape (hexes, 2)
        Where the middles of its hexes lie, in the order of their cells.
    """
    wanted = labels.all()
    for tried in _candidates(grid, labels, to_pixel, size):
        fitted = _with_offsets(tried, labels, pixels)
        if fitted is not None and fitted.names(pixels) == wanted:
            return fitted
    return None


def _candidates(grid: HexGrid, labels: Labels, to_pixel: ToPixel, size: tuple[int, int]) -> Iterator[HexNumbers]:
    """Yield the grid of VASSAL that lies on a map, with and without a staggered count; its offsets are left open."""
    scheme = labels.scheme
    # VASSAL shifts its odd lines: where the first line of a map is shifted, it becomes the line 1.
    first = STEP - (LINE_STEP if grid.shifted(0) else 0)
    start, end = (first, HALF), (first + LINE_STEP, HALF + STEP)
    across, along = scheme.columns, scheme.rows
    if not grid.flat:
        start, end, across, along = start[::-1], end[::-1], along, across
    (x0, y0), (x1, y1) = to_pixel(*start), to_pixel(*end)
    if not grid.flat:
        x0, y0, x1, y1 = y0, x0, y1, x1
    if x1 <= x0 or y1 <= y0:
        return  # a map that lies turned
    for stagger in (False, True):
        yield HexNumbers(
            round(x0),
            round(y0),
            x1 - x0,
            y1 - y0,
            *size,
            _axis(across),
            _axis(along),
            not grid.flat,
            stagger,
            (scheme.order == "column_first") == grid.flat,
            scheme.separator,
        )


def _axis(axis: Axis) -> AxisNumbers:
    if axis.style == "numbers":
        return AxisNumbers("N", max(0, axis.pad - 1), 0, axis.descending)
    return AxisNumbers("A", 0, 0, axis.descending)


def _with_offsets(tried: HexNumbers, labels: Labels, pixels: NDArray[Any]) -> HexNumbers | None:
    """Return a numbering with the offsets that name the first hex of a map; None where its label has no count."""
    first = int(labels.grid.present.ravel().argmax())
    texts = labels.texts(first)
    across_text, along_text = texts if labels.grid.flat else texts[::-1]
    across, along = _count(across_text, tried.across.style), _count(along_text, tried.along.style)
    if across is None or along is None:
        return None
    is_across, is_along = (int(count[0]) for count in tried.counts(pixels[:1]))
    return tried._replace(
        across=tried.across._replace(offset=across - is_across), along=tried.along._replace(offset=along - is_along)
    )


def _count(text: str, style: str) -> int | None:
    """Return the count that VASSAL writes as a text, None where there is none."""
    if style == "N":
        return int(text)
    same = len(set(text)) == 1 and text[0] in _LETTERS
    return _LETTERS.index(text[0]) + 26 * (len(text) - 1) if same else None

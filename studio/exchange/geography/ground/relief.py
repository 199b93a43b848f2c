"""Relief: by how much the ground differs around each pixel of a raster of heights, within a distance in metres."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geodata.raster import Raster
from studio.exchange.geodata.world import known_crs, transformer
from studio.grid import apply_affine

__all__ = ["Reach", "relief"]

_WIDE = 24  # pixels of a radius beyond which blocks of pixels stand for single ones
_BAND = 0.01  # part by which pixels may change their form within rows that are filtered together

_Foot: TypeAlias = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, eq=False)
class Reach:
    """The steps of a raster on the ground, by row, in metres east and north.

    Attributes
    ----------
    right, down : array of float, shape (rows, 2)
        From a pixel to the next one of its row, and of its column.
    """

    right: NDArray[np.float64]
    down: NDArray[np.float64]

    @classmethod
    def of(cls, raster: Raster, crs: str) -> Reach:
        """Measure a raster on the ellipsoid, along its middle column.

        Parameters
        ----------
        raster : Raster
        crs : str
            Reference system of its affine.
        """
        rows, columns = raster.values.shape
        y = np.arange(rows) + 0.5
        x = np.full(rows, columns / 2)
        system = known_crs(crs)
        geod, ground = system.get_geod(), system.geodetic_crs

        def step(dx: float, dy: float) -> NDArray[np.float64]:
            ends = [apply_affine(raster.affine, x + half * dx, y + half * dy) for half in (-0.5, 0.5)]  # type: ignore[arg-type]
            if geod is None or ground is None:  # a plane of its own is taken to be in metres
                return np.stack((ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]), axis=1)
            (lon0, lat0), (lon1, lat1) = (transformer(crs, "EPSG:4326").transform(*end) for end in ends)
            turn, _, far = geod.inv(lon0, lat0, lon1, lat1)
            return np.stack((far * np.sin(np.radians(turn)), far * np.cos(np.radians(turn))), axis=1)

        return cls(step(1.0, 0.0), step(0.0, 1.0))

    @property
    def least(self) -> float:
        """Shortest step from a pixel to the next one, in metres, 0 where the raster lies nowhere on earth."""
        steps = np.hypot(*np.concatenate((self.right, self.down)).T)
        steps = steps[np.isfinite(steps)]
        return float(steps.min()) if len(steps) else 0.0

    def bands(self) -> list[tuple[int, int]]:
        """Return runs of rows, first and behind the last, whose pixels are alike in form to a hundredth."""
        length = np.log(np.maximum(np.hypot(*self.right.T), 1e-9)), np.log(np.maximum(np.hypot(*self.down.T), 1e-9))
        keys = np.stack([np.round(one / _BAND) for one in length])
        changes = np.flatnonzero((keys[:, 1:] != keys[:, :-1]).any(axis=0)) + 1
        edges = [0, *changes.tolist(), keys.shape[1]]
        return list(itertools.pairwise(edges))

    def foot(self, row: int, within: float, block: int = 1) -> _Foot:
        """Return the pixels whose middles lie within a distance of the middle of one: (row, first, last column) steps.

        Parameters
        ----------
        row : int
        within : float
            In metres.
        block : int
            Pixels each way that count as one.
        """
        u, v = self.right[row] * block, self.down[row] * block
        a, cross, c = float(u @ u), float(u @ v), float(v @ v)
        free = c - cross * cross / a  # of the steps down, what is across the rows
        most = int(math.sqrt(within * within / free) + 1e-9)
        found = []
        for dy in range(-most, most + 1):
            root = math.sqrt(max(0.0, (cross * dy) ** 2 - a * (c * dy * dy - within * within)))
            first = math.ceil((-cross * dy - root) / a - 1e-9)
            last = math.floor((-cross * dy + root) / a + 1e-9)
            if first <= last:
                found.append((dy, first, last))
        return tuple(found)


def relief(heights: NDArray[Any], known: NDArray[np.bool_], reach: Reach, within: float) -> NDArray[np.float32]:
    """Return by how much the ground differs within a distance around each pixel.

    Parameters
    ----------
    heights : array, shape (rows, columns)
        In metres.
    known : array of bool, shape (rows, columns)
        Pixels that have one.
    reach : Reach
    within : float
        In metres. Where this is more than 24 pixels, blocks of pixels stand for single ones, so that it is kept to the
        size of a block, a twelfth of it at most.

    Returns
    -------
    array of float32, shape (rows, columns)
        0 where nothing is known.
    """
    high = np.where(known, heights, -np.inf).astype(np.float32)
    low = np.where(known, -np.asarray(heights, dtype=np.float32), np.float32(-np.inf))
    found = np.zeros(high.shape, dtype=np.float32)
    for first, last in reach.bands():
        row = (first + last) // 2
        right, down = float(np.hypot(*reach.right[row])), float(np.hypot(*reach.down[row]))
        if not (math.isfinite(right + down) and min(right, down) > 0):
            continue  # the rows lie nowhere on earth
        block = max(1, math.ceil(within / max(right, down) / _WIDE))
        foot = reach.foot(row, within, block)
        above = _highest(high, first, last, foot, block)
        below = _highest(low, first, last, foot, block)
        found[first:last] = np.where(known[first:last], above + below, 0)
    return found


def _highest(values: NDArray[np.float32], first: int, last: int, foot: _Foot, block: int) -> NDArray[np.float32]:
    """Return the highest value around each pixel of some rows."""
    from scipy.ndimage import maximum_filter1d

    if not foot:
        return values[first:last]
    reach = max(abs(dy) for dy, _, _ in foot) * block
    start = max(0, first - reach) // block * block
    part = _blocks(values[start : last + reach], block)
    columns = part.shape[1]  # near the poles a row of pixels is shorter than the distance
    near = ((dy, max(begin, -columns), min(end, columns)) for dy, begin, end in foot)
    foot = tuple(one for one in near if one[1] <= one[2])
    shift = max(max(abs(one), abs(other)) for _, one, other in foot)
    padded = np.pad(part, ((0, 0), (shift, shift)), constant_values=-np.inf)
    from_row, to_row = (first - start) // block, -(-(last - start) // block)
    found = np.full((to_row - from_row, columns), -np.inf, dtype=np.float32)
    widths = sorted({end - begin + 1 for _, begin, end in foot})
    for width in widths:
        wide = maximum_filter1d(padded, width, axis=1, mode="constant", cval=-np.inf)
        for dy, begin, end in foot:
            if end - begin + 1 != width:
                continue
            top, bottom = max(0, from_row + dy), min(len(part), to_row + dy)
            if top >= bottom:
                continue
            at = shift + begin + width // 2  # the filter looks from half its width to the left
            target = found[top - dy - from_row : bottom - dy - from_row]
            np.maximum(target, wide[top:bottom, at : at + columns], out=target)
    if block > 1:
        found = np.repeat(np.repeat(found, block, axis=0), block, axis=1)
    offset = (first - start) % block
    return found[offset : offset + last - first, : values.shape[1]]


def _blocks(values: NDArray[np.float32], block: int) -> NDArray[np.float32]:
    """Return the highest value of each block of pixels."""
    if block == 1:
        return values
    rows, columns = values.shape
    padded = np.pad(values, ((0, -rows % block), (0, -columns % block)), constant_values=-np.inf)
    highest: NDArray[np.float32] = padded.reshape(len(padded) // block, block, -1, block).max(axis=(1, 3))
    return highest

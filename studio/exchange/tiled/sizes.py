"""How large the tiles of a map are, and where points of the lattice lie in the pixels of its Tiled map.

Tiled takes whole, even tile sizes and side lengths only; its hexes are as regular as such numbers allow. A column (or
row) step of exactly three quarters of a tile needs a tile that four divides, so that centres never drift.
"""

from __future__ import annotations

from typing import NamedTuple

from studio.errors import GridError
from studio.grid import HexGrid

__all__ = ["MAX_TILE", "Sizes", "sizes_of"]

MAX_TILE = 1024
"""Largest tile, in pixels either way."""


class Sizes(NamedTuple):
    """Sizes of a Tiled map of hexes.

    Attributes
    ----------
    flat : bool
    wide, high : int
        Of a tile, in pixels.
    side : int
        ``hexsidelength``: length of the straight side along the stagger axis.
    """

    flat: bool
    wide: int
    high: int
    side: int

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point of the lattice."""
        across, down = (960, 480) if self.flat else (480, 960)
        return x * self.wide / across, y * self.high / down

    def lattice(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the lattice at a pixel."""
        across, down = (960, 480) if self.flat else (480, 960)
        return x * across / self.wide, y * down / self.high

    @property
    def slack(self) -> float:
        """A third of a pixel, in lattice units: Tiled writes positions with six digits."""
        return max(1.0, 160 / min(self.wide, self.high))


def sizes_of(grid: HexGrid, hex_px: float) -> Sizes:
    """Return the sizes for hexes about so many pixels high.

    Raises
    ------
    GridError
        When a tile would be smaller than 8 or larger than 1 024 pixels.

    Examples
    --------
    >>> sizes_of(HexGrid(columns=2, rows=2), 90)
    Sizes(flat=True, wide=104, high=90, side=52)
    >>> sizes_of(HexGrid(columns=2, rows=2, orientation="pointy"), 104)
    Sizes(flat=False, wide=90, high=104, side=52)
    """
    wide, high = hex_px * grid.width / grid.hex_height, float(hex_px)
    if grid.flat:
        sizes = Sizes(True, 4 * round(wide / 4), 2 * round(high / 2), 2 * round(wide / 4))
    else:
        sizes = Sizes(False, 2 * round(wide / 2), 4 * round(high / 4), 2 * round(high / 4))
    if not (8 <= sizes.wide <= MAX_TILE and 8 <= sizes.high <= MAX_TILE):
        msg = (
            f"hex_px {hex_px:g}: tiles would have {sizes.wide} x {sizes.high} pixels, allowed 8 to {MAX_TILE} either "
            "way; choose another height"
        )
        raise GridError(msg)
    return sizes

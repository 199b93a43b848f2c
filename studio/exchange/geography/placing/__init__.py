"""Where the grid lies on the world: its corner, a box, or control points with an affine and a rubber sheet."""

from __future__ import annotations

from studio.exchange.geography.placing.grids import Placing, place_grid

__all__ = ["Placing", "place_grid"]

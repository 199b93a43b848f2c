"""The ground under a line of sight, hex by hex, with its true levels."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from studio.model import MapModel
from studio.sight.sighting import PlacedContact, ProfileStep

__all__ = ["ground_profile"]


def ground_profile(
    model: MapModel, ends: tuple[int, int], contacts: Sequence[PlacedContact], terrain: NDArray[np.uint8]
) -> tuple[ProfileStep, ...]:
    """Return the ground under a line from hex centre to hex centre, both ends included.

    Parameters
    ----------
    model : MapModel
    ends : tuple of two int
        Cells of the start and the end.
    contacts : sequence of PlacedContact
        What the line meets; hexes that it only touches are no ground under it.
    terrain : array of uint8, shape (cells,)
        Terrain that each hex counts as.
    """
    start, end = ends
    lying = [(contact.cells, contact.enter, contact.leave) for contact in contacts if contact.how in _UNDER]
    first = lying[0][1] if lying else Fraction(1, 2)
    last = lying[-1][2] if lying else Fraction(1, 2)
    spans = [((start,), Fraction(0), first), *lying, ((end,), last, Fraction(1))]
    if start == end:
        spans = [((start,), Fraction(0), Fraction(1))]
    steps = []
    for cells, enter, leave in spans:
        # Along a side the line lies on the border of both hexes; the higher one is what it has to clear.
        cell = max(cells, key=lambda one: (model.level_at(one), -one))
        name = model.terrain_ids[int(terrain[cell])]
        steps.append(ProfileStep(model.labels.label(cell), model.level_at(cell), name, enter, leave))
    return tuple(steps)


_UNDER = ("through", "along")

"""Random towns of Urban Operations for movement: those of the tests of sight, with blocks, ladders, open breaches."""

import numpy as np

from studio.model import Aperture
from studio.rules.urban_operations.paths import UrbanState
from studio.survey import Survey
from tests.sight.makers.urban_operations import make

__all__ = ["make", "make_state"]


def make_state(rng: np.random.Generator, survey: Survey) -> UrbanState:
    """Return a random state: who is where, which breaches are open, what the block has with it."""
    numbers = survey.directory.numbers

    def some(most: int) -> frozenset[int]:
        size = min(len(numbers), int(rng.integers(0, most)))
        return frozenset(rng.choice(numbers, size=size, replace=False).tolist())

    breaches = [one.id for one in survey.features_of(Aperture)]
    return UrbanState(
        enemies=some(3),
        blocked=some(3),
        friends=some(4),
        vehicles=some(6),
        trucks=some(4),
        ladders=some(4),
        barricades=some(3),
        opened=frozenset(breaches[: int(rng.integers(0, 3))]),
        ladder=bool(rng.random() < 0.3),
        enhanced=bool(rng.random() < 0.2),
    )

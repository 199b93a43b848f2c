"""Random districts of Phantom Fury for movement, those of the tests of sight, with units, control and rubble."""

import numpy as np

from studio.rules import get_ruleset
from studio.rules.phantom_fury.situation import DistrictState, Situation
from studio.survey import Survey
from tests.sight.makers.phantom_fury import make

__all__ = ["make", "make_state"]


def make_state(rng: np.random.Generator, survey: Survey) -> DistrictState:
    """Return a random state: units of both sides, zones under control, what the squad has suffered."""
    others = survey.directory.of()
    plain = Situation(survey, get_ruleset("phantom_fury").options(), DistrictState())
    kinds = {one.number: "box" if plain.is_box(one.number) else one.type for one in others}

    def some(share: float, *wanted: str) -> frozenset[int]:
        return frozenset(
            one.number for one in others if (not wanted or kinds[one.number] in wanted) and rng.random() < share
        )

    return DistrictState(
        enemies=some(0.1, "box"),
        suspects=some(0.1, "box"),
        blocked=some(0.05),
        controlled=some(0.6, "zone"),
        squads=some(0.1, "box", "street"),
        pinned=some(0.05, "box", "street"),
        tanks=some(0.1, "box", "street"),
        security=some(0.1, "zone"),
        fanatics=some(0.1, "zone"),
        reduced=bool(rng.random() < 0.5),
        detached=bool(rng.random() < 0.1),
    )

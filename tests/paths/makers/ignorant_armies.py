"""Random maps of Ignorant Armies: countries, terrain, roads, rivers, water, the Kurdish area, and who stands where."""

import numpy as np

from studio.model import MapModel
from studio.paths import MoveState
from studio.rules.ignorant_armies.paths import IgnorantArmiesState
from studio.survey import Survey
from tests.paths.boards import random_board

__all__ = ["make", "make_state"]


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a random map of two countries, sometimes three."""
    columns, rows = max(columns, 4), max(rows, 2)
    board = random_board(int(rng.integers(0, 10**9)), columns, rows)
    kuwait = int(rng.integers(0, 2))
    first = int(rng.integers(1, columns))
    return board.but(kuwait=kuwait, kurdish=(first, columns)).drawn().model


def make_state(rng: np.random.Generator, survey: Survey) -> MoveState | None:
    """Return enemies, road hexes that are not friendly, a side and a turn."""
    if rng.random() < 0.2:
        return None
    cells = np.arange(survey.grid.cells)
    pick = rng.random((2, len(cells))) < 0.15
    return IgnorantArmiesState(
        enemies=frozenset(cells[pick[0]].tolist()),
        hostile=frozenset(cells[pick[1]].tolist()),
        country=str(rng.choice(["", "Iraq", "Iran"])),
        turn=int(rng.choice([0, 1, 5])),
    )

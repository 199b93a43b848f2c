"""Small and random maps for the tests of sight, of every game that has a maker of random maps.

A game gets its maker as ``tests/sight/makers/<game>.py`` with a function ``make(rng, columns, rows)``, which returns a
map, or a map and its ruleset where the studio does not know the game by its id. It is found by its name.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np

from studio.api import Map
from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel
from studio.rules import Ruleset, get_ruleset
from tests.sight.makers.armageddon_war import random_model

__all__ = ["MAKERS", "RULES", "make_game", "random_model", "small_map"]

RULES = get_ruleset("armageddon_war")

Maker = Callable[[np.random.Generator, int, int], MapModel | tuple[MapModel, Ruleset]]

MAKERS: dict[str, Maker] = {
    path.stem: import_module(f"tests.sight.makers.{path.stem}").make
    for path in sorted((Path(__file__).parent / "makers").glob("[a-z]*.py"))
}
"""The makers of random maps by the name of the game."""


def make_game(game: str, rng: np.random.Generator, columns: int, rows: int) -> tuple[MapModel, Ruleset]:
    """Return a random map of a game, with its ruleset."""
    made = MAKERS[game](rng, columns, rows)
    return made if isinstance(made, tuple) else (made, get_ruleset(made.ruleset))


def small_map(columns: int = 9, rows: int = 9, **terrain: str) -> Map:
    """Return a map of clear terrain with some hexes painted: ``small_map(rough="0202 0203")``."""
    grid = HexGrid(columns=columns, rows=rows)
    made = Map(MapModel("armageddon_war", grid, LabelScheme.ccrr(), RULES.terrain_characters))
    for name, labels in terrain.items():
        made.paint(labels.split(), terrain=name)
    return made

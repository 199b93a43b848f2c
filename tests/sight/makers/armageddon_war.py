"""Random maps of Armageddon War: obstacles, wadis, levels, crests and smoke, strewn at random."""

from typing import Any

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import Crest, MapModel, Marker
from studio.rules import get_ruleset

__all__ = ["make", "random_model"]


def random_model(rng: np.random.Generator, columns: int, rows: int, **grid: Any) -> MapModel:
    """Return a map with everything that bears on sight, strewn at random; how much of it is random, too."""
    made = HexGrid(columns=columns, rows=rows, **grid)
    characters = get_ruleset("armageddon_war").terrain_characters
    model = MapModel("armageddon_war", made, LabelScheme.ccrr(pad=3), characters)
    dense = rng.choice([0.05, 0.2, 0.4])
    kinds = ["light_woods", "dense_urban", "dunes", "refugee_camp", "wadi", "wadi"]
    share = np.zeros(len(model.terrain_ids))
    share[0] = 1 - dense
    for kind in kinds:
        share[model.terrain_ids.index(kind)] += dense / len(kinds)
    model.terrain[:] = rng.choice(len(share), size=model.terrain.shape, p=share)
    if rng.random() < 0.7:
        levels = rng.choice([-1, 1, 1, 1, 2, 3], size=model.levels.shape)
        model.levels[:] = levels * (rng.random(model.levels.shape) < rng.choice([0.1, 0.4]))
    cells = np.flatnonzero(made.present)
    for number in range(int(rng.integers(0, 1 + columns * rows // 15))):
        at = model.labels.label(int(rng.choice(cells)))
        model.features[f"s{number}"] = Marker(id=f"s{number}", type="smoke", at=at)
        at = model.labels.label(int(rng.choice(cells)))
        model.features[f"c{number}"] = Crest(id=f"c{number}", path=(at,))
    return model


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a random map on a grid of any kind."""
    return random_model(
        rng,
        columns,
        rows,
        orientation=str(rng.choice(["flat", "pointy"])),
        stagger=str(rng.choice(["odd", "even"])),
        short=bool(min(columns, rows) > 1 and rng.random() < 0.3),
    )

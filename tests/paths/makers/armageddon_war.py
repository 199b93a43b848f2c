"""Random maps of Armageddon War for movement: all terrain, roads, fences, breaches, wadi ends, markers, levels."""

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel, Marker, Road
from studio.paths import MoveState
from studio.rules import get_ruleset
from studio.rules.armageddon_war.paths import ArmageddonState
from studio.survey import Survey

__all__ = ["make", "make_state"]


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a random map on a grid of any kind."""
    grid = HexGrid(
        columns=columns,
        rows=rows,
        orientation=str(rng.choice(["flat", "pointy"])),
        stagger=str(rng.choice(["odd", "even"])),
        short=bool(min(columns, rows) > 1 and rng.random() < 0.3),
    )
    model = MapModel("armageddon_war", grid, LabelScheme.ccrr(pad=3), get_ruleset("armageddon_war").terrain_characters)
    terrains = ["clear", "wadi", "river", "dense_woods", "dunes", "light_urban", "dense_urban", "soft_sand"]
    model.terrain[:] = rng.choice([model.terrain_ids.index(name) for name in terrains], size=model.terrain.shape)
    if rng.random() < 0.7:
        model.levels[:] = rng.choice([0, 0, -1, 1, 2], size=model.levels.shape)
    cells = np.flatnonzero(grid.present).tolist()
    label = model.labels.label
    for number in range(int(rng.integers(1, 4))):
        way = [int(rng.choice(cells))]
        while len(way) < 4 and grid.neighbours(way[-1]):
            way.append(int(rng.choice(grid.neighbours(way[-1]))))
        model.features[f"r{number}"] = Road(id=f"r{number}", path=tuple(map(label, way)))
    kinds = [("fence",), ("wadi_end",), ("breached_fence", "fence"), ("fence", "wadi_end")]
    for a in cells:
        for b in grid.neighbours(a):
            if a < b and rng.random() < 0.4:
                model.sides[a, b] = kinds[int(rng.integers(len(kinds)))]
    for number, kind in enumerate(("civilians", "barricade", "wreck", "civilians")):
        at = label(int(rng.choice(cells)))
        model.features[f"m{number}"] = Marker(id=f"m{number}", type=kind, at=at)
    return model


def make_state(rng: np.random.Generator, survey: Survey) -> MoveState:
    """Return a random state: enemies, some of them Shaken, Civilians, full hexes, flank speed or not."""
    few = [frozenset(survey.directory.numbers[rng.random(len(survey.directory.numbers)) < 0.1].tolist()) for _ in "abc"]
    shaken = frozenset(number for number in few[0] if rng.random() < 0.5)
    flank = bool(rng.random() < 0.7)
    return ArmageddonState(enemies=few[0], shaken=shaken, civilians=few[1], blocked=few[2], flank=flank)

"""Random maps of Modern Tactics for movement: those of the tests of sight, with roads, farms, wire and mines."""

import numpy as np

from studio.model import MapModel, Marker, Road
from studio.paths import MoveState
from studio.rules.modern_tactics.paths import TacticsState
from studio.survey import Survey
from tests.sight.makers.modern_tactics import strew

__all__ = ["make", "make_state"]


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a random map with everything that movement meets, on a grid of any kind."""
    shape = {
        "orientation": str(rng.choice(["flat", "pointy"])),
        "stagger": str(rng.choice(["odd", "even"])),
        "short": bool(min(columns, rows) > 1 and rng.random() < 0.3),
    }
    model = strew(rng, columns, rows, drawn=True, walls=True, roads=True, **(shape if rng.random() < 0.6 else {}))
    cells, label = np.flatnonzero(model.grid.present).tolist(), model.labels.label
    more = [model.terrain_ids.index(name) for name in ("farm", "bridge", "structure")]
    some = rng.random(model.terrain.shape) < 0.3
    model.terrain[some] = rng.choice(more, size=int(some.sum()))
    for number in range(int(rng.integers(1, 4))):
        way = [int(rng.choice(cells))]
        while len(way) < 5 and model.grid.neighbours(way[-1]):
            way.append(int(rng.choice(model.grid.neighbours(way[-1]))))
        surface = str(rng.choice(["paved", "unpaved"]))
        name = f"road{number}"
        model.features[name] = Road(id=name, path=tuple(map(label, way)), surface=surface)
    kinds = ("wire", "roadblock", "mines", "bunker", "rubble", "wire", "foxholes")
    for number, kind in enumerate(kinds[: int(rng.integers(0, 8))]):
        at = label(int(rng.choice(cells)))
        model.features[f"n{number}"] = Marker(id=f"n{number}", type=kind, at=at)
    return model


def make_state(rng: np.random.Generator, survey: Survey) -> MoveState:
    """Return a random state that can hold for every mover."""
    numbers = survey.directory.numbers

    def some(share: float) -> frozenset[int]:
        return frozenset(numbers[rng.random(len(numbers)) < share].tolist())

    pairs = [(a, b) for a in numbers.tolist() if a < survey.grid.cells for b in survey.grid.neighbours(a)]
    return TacticsState(
        enemies=some(0.15),
        blocked=some(0.05),
        begins=str(rng.choice(["", "", "off_map"])),
        full=some(0.1),
        full_of_singles=some(0.1),
        civilians=some(0.15),
        openings=frozenset(pair for pair in pairs if rng.random() < 0.2),
        objectives=some(0.1),
    )

"""Random maps of a game that a designer wrote: everything that its file can say of movement."""

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel, Marker, Road
from studio.paths import MoveState
from studio.rules import Ruleset, halves
from studio.rules.catalogue import Catalogue, MarkerType, Movement, Mover, SideKind, Terrain
from studio.survey import Survey

__all__ = ["make", "make_state"]


def make(rng: np.random.Generator, columns: int, rows: int) -> tuple[MapModel, Ruleset]:
    """Return a random map of a random game."""

    def cost() -> int | str:
        return [1, 2, "1/2", "3/2", "X", 0][int(rng.integers(6))]

    catalogue = Catalogue(
        id="mine",
        title="A game of one's own",
        levels=(-1, 2),
        terrain={
            "open": Terrain(name="Open", char=".", move={"foot": cost(), "cart": cost()}),
            "wood": Terrain(name="Wood", char="w", move={"foot": cost()}),
            "lake": Terrain(name="Lake", char="~", playable=bool(rng.random() < 0.5)),
        },
        sides={
            "stream": SideKind(name="Stream", cross={"foot": cost()}),
            "wall": SideKind(name="Wall", cross={"cart": cost()}),
        },
        markers={
            "mud": MarkerType(name="Mud", enter=1, move={"cart": cost()}),
            "fire": MarkerType(name="Fire", becomes="wood"),
        },
        movers={"foot": Mover(name="On foot"), "cart": Mover(name="Cart", like="foot")},
        movement=Movement(
            road=cost(),
            elevation=cost(),
            least=["1/2", 0, 1][int(rng.integers(3))],
            bridges=bool(rng.random() < 0.5),
            minimum_one=bool(rng.random() < 0.5),
        ),
    )
    assert halves("1/2") == 1
    ruleset = Ruleset(catalogue)
    grid = HexGrid(columns=columns, rows=rows, orientation=str(rng.choice(["flat", "pointy"])))
    model = MapModel("mine", grid, LabelScheme.ccrr(), ruleset.terrain_characters)
    model.terrain[:] = rng.choice(3, size=model.terrain.shape, p=[0.5, 0.3, 0.2])
    model.terrain[0, 0] = 0  # one hex at least where a unit can be
    model.levels[:] = rng.choice([0, 0, 1, 2, -1], size=model.levels.shape)
    cells = np.arange(grid.cells).tolist()
    label = model.labels.label
    way = [int(rng.choice(cells))]
    while len(way) < 4:
        way.append(int(rng.choice(grid.neighbours(way[-1]))))
    model.features["r"] = Road(id="r", path=tuple(map(label, way)))
    for a in cells:
        for b in grid.neighbours(a):
            if a < b and rng.random() < 0.4:
                model.sides[a, b] = [("stream",), ("wall",), ("stream", "wall")][int(rng.integers(3))]
    for number, kind in enumerate(("mud", "fire", "mud")):
        model.features[f"m{number}"] = Marker(id=f"m{number}", type=kind, at=label(int(rng.choice(cells))))
    return model, ruleset


def make_state(rng: np.random.Generator, survey: Survey) -> MoveState:
    """Return enemies and closed hexes at random."""
    numbers = survey.directory.numbers
    few = [frozenset(numbers[rng.random(len(numbers)) < 0.15].tolist()) for _ in "ab"]
    return MoveState(enemies=few[0], blocked=few[1])

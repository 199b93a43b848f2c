"""Small and random boards of Ignorant Armies, said in plain Python: for the map, and for the slow judges."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import shapely

from studio.api import Map
from studio.api.scenario import Scenario
from studio.grid import HexGrid, LabelScheme
from studio.model import Force, Formation, MapModel, MapUse, ScenarioDocument, ScenarioModel, SpecialRules, UnitRecord
from studio.rules import get_ruleset

__all__ = ["Board", "Unit", "random_board"]

RULES = get_ruleset("ignorant_armies")


@dataclass(frozen=True)
class Unit:
    """A unit on a board."""

    id: str
    side: str
    at: str
    type: str = ""


@lru_cache(maxsize=64)
def outline(columns: int, rows: int, first: int, last: int) -> tuple[tuple[int, int], ...]:
    """Return the border of the hexes of some columns, counted from 1."""
    grid = HexGrid(columns=columns, rows=rows)
    cells = [row * columns + column for column in range(first - 1, last) for row in range(rows)]
    joined = shapely.unary_union([shapely.Polygon(grid.corners(cell)) for cell in cells]).simplify(0)
    return tuple((int(x), int(y)) for x, y in list(joined.exterior.coords)[:-1])


@lru_cache(maxsize=16)
def _neighbours(columns: int, rows: int) -> dict[str, tuple[str, ...]]:
    grid = HexGrid(columns=columns, rows=rows)

    def label(cell: int) -> str:
        return f"{cell % columns + 1:02}{cell // columns + 1:02}"

    return {label(cell): tuple(map(label, grid.neighbours(cell))) for cell in range(grid.cells)}


@dataclass(frozen=True)
class Board:
    """A map of two countries, Iraq in the west, Iran in the east, and what stands on it.

    Labels are those of the map; ``border`` is the last column of Iraq, ``kuwait`` that of Kuwait in the far west.
    """

    columns: int = 12
    rows: int = 10
    border: int = 6
    kuwait: int = 0
    terrain: dict[str, str] = field(default_factory=dict)
    roads: tuple[tuple[str, ...], ...] = ()
    rivers: frozenset[frozenset[str]] = frozenset()
    all_water: frozenset[frozenset[str]] = frozenset()
    towns: frozenset[str] = frozenset()
    units: tuple[Unit, ...] = ()
    control: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unrestored: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    kurdish: tuple[int, int] = (0, 0)

    def but(self, **changes: Any) -> Board:
        """Return the board with some things otherwise."""
        return replace(self, **changes)

    @property
    def grid(self) -> HexGrid:
        """Grid of the map."""
        return HexGrid(columns=self.columns, rows=self.rows)

    def labels(self) -> list[str]:
        """Return all labels."""
        return [f"{column + 1:02}{row + 1:02}" for row in range(self.rows) for column in range(self.columns)]

    def cell(self, label: str) -> int:
        """Return the cell of a label."""
        return (int(label[2:]) - 1) * self.columns + int(label[:2]) - 1

    def neighbours(self, label: str) -> list[str]:
        """Return the labels of the adjacent hexes."""
        return list(_neighbours(self.columns, self.rows)[label])

    @cached_property
    def road_sides(self) -> frozenset[frozenset[str]]:
        """The hexsides that a road crosses."""
        return frozenset(frozenset(pair) for path in self.roads for pair in itertools.pairwise(path))

    def country(self, label: str) -> str:
        """Return the country of a hex."""
        column = int(label[:2])
        return "kuwait" if column <= self.kuwait else "iraq" if column <= self.border else "iran"

    def drawn(self) -> Map:
        """Return the map."""
        scheme = LabelScheme.ccrr()
        made = Map(MapModel("ignorant_armies", self.grid, scheme, RULES.terrain_characters))
        for name in sorted(set(self.terrain.values())):
            made.paint([label for label, terrain in self.terrain.items() if terrain == name], terrain=name)
        for path in self.roads:
            made.add("road", path=list(path))
        for sides, kind in ((self.rivers, "river"), (self.all_water, "all_water")):
            for side in sides:
                a, b = sorted(side)
                made.set_side(a, b, kind)
        for town in sorted(self.towns):
            made.add("marker", type="town", at=town)
        size = (self.columns, self.rows)
        columns = {
            "Kuwait": (1, self.kuwait),
            "Iraq": (self.kuwait + 1, self.border),
            "Iran": (self.border + 1, size[0]),
        }
        for name, (first, last) in columns.items():
            if first <= last:
                made.add("area", id=name.lower(), type="country", name=name, outline=outline(*size, first, last))
        if self.kurdish[0]:
            made.add("area", id="kurds", type="kurdish_area", outline=outline(*size, *self.kurdish))
        return made

    def scenario(self) -> Scenario:
        """Return the scenario on the map."""
        forces = []
        for side in ("iraq", "iran"):
            units = tuple(
                UnitRecord(id=unit.id, type=unit.type or f"{side}.infantry", at=unit.at)
                for unit in self.units
                if unit.side == side
            )
            forces.append(
                Force(id=side, name=side.title(), formations=(Formation(id=f"{side}-1", name="", units=units),))
            )
        document = ScenarioDocument(
            ruleset="ignorant_armies",
            map=MapUse(file="board.map.json"),
            forces=forces,
            control=self.control,
            unrestored=self.unrestored,
            special=SpecialRules(options=self.options),
        )
        return Scenario(ScenarioModel(document), self.drawn())


GROUND = ["clear"] * 6 + ["hills"] * 3 + ["mountains"] * 3 + ["marsh", "city", "city", "lake"]


def _road(rng: np.random.Generator, board: Board) -> tuple[str, ...]:
    """Return a wandering road over hexes that are not all water."""
    at = str(rng.choice(board.labels()))
    path = [at]
    for _ in range(int(rng.integers(1, 9))):
        onward = [
            one for one in board.neighbours(path[-1]) if one not in path and board.terrain.get(one, "clear") != "lake"
        ]
        if not onward:
            break
        path.append(str(rng.choice(onward)))
    return tuple(path)


def random_board(seed: int, columns: int = 9, rows: int = 7) -> Board:
    """Return a board with terrain, roads, rivers, water, units of both sides and some changes of control."""
    rng = np.random.default_rng(seed)
    board = Board(columns=columns, rows=rows, border=int(rng.integers(2, columns - 1)))
    names = board.labels()
    pairs = sorted({tuple(sorted((a, b))) for a in names for b in board.neighbours(a)})
    dense = float(rng.choice([0.2, 0.6, 1.0]))
    terrain = {name: str(rng.choice(GROUND)) for name in names if rng.random() < dense}
    board = board.but(terrain=terrain)
    roads = tuple(_road(rng, board) for _ in range(int(rng.integers(0, 7))))
    rivers = frozenset(frozenset(pair) for pair in pairs if rng.random() < 0.12)
    water = frozenset(frozenset(pair) for pair in pairs if rng.random() < 0.04)
    land = [name for name in names if terrain.get(name, "clear") != "lake"]
    stood = [str(one) for one in rng.choice(land, size=min(len(land), int(rng.integers(2, 16))), replace=False)]
    units = tuple(Unit(f"u{at}", str(rng.choice(["iraq", "iran"])), label) for at, label in enumerate(stood))
    cities = [name for name in names if terrain.get(name) == "city"]
    taken = [str(one) for one in cities if rng.random() < 0.2]
    control = {"iran": tuple(taken)} if taken else {}
    unrestored = tuple(name for name in cities if rng.random() < 0.15)
    return board.but(roads=roads, rivers=rivers, all_water=water, units=units, control=control, unrestored=unrestored)

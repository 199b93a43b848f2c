"""Small and random maps of Modern Tactics."""

import numpy as np

from studio.api import Map
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, Dot, MapModel, Marker, Road, Wall
from studio.rules import get_ruleset

RULES = get_ruleset("modern_tactics")
_NAMES = LabelScheme.lettered(staggered_start=0)


def small_map(columns: int = 12, rows: int = 14, **terrain: str) -> Map:
    """Return open ground, labelled as the printed maps, with some hexes painted: ``small_map(crops="C4 C5")``."""
    grid = HexGrid(columns=columns, rows=rows, stagger="even")
    made = Map(MapModel("modern_tactics", grid, _NAMES, RULES.terrain_characters))
    for name, labels in terrain.items():
        made.paint(labels.split(), terrain=name)
    return made


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a map with everything that bears on sight, strewn at random; how much of it is random, too."""
    return strew(rng, columns, rows, drawn=True, walls=True, roads=True)


def strew(
    rng: np.random.Generator,
    columns: int,
    rows: int,
    *,
    drawn: bool = False,
    walls: bool = False,
    roads: bool = False,
    **shape: object,
) -> MapModel:
    """Return a random map: with drawn structures and hills, with compounds and moved dots, with roads in structures."""
    grid = HexGrid(columns=columns, rows=rows, **{"stagger": "even", **shape})  # type: ignore[arg-type]
    model = MapModel("modern_tactics", grid, LabelScheme.ccrr(pad=3) if shape else _NAMES, RULES.terrain_characters)
    dense = rng.choice([0.05, 0.2, 0.4])
    kinds = ["crops", "marijuana_fields", "grape_fields", "structure", "mixed_woods", "rubble", "ruins", "wadi"]
    share = np.zeros(len(model.terrain_ids))
    share[0] = 1 - dense
    for kind in kinds:
        share[model.terrain_ids.index(kind)] += dense / len(kinds)
    model.terrain[:] = rng.choice(len(share), size=model.terrain.shape, p=share)
    if rng.random() < 0.7:
        levels = rng.choice([-1, 1, 1, 1, 2], size=(rows // 2 + 1, columns // 2 + 1))
        levels = levels * (rng.random(levels.shape) < rng.choice([0.15, 0.4]))
        model.levels[:] = np.kron(levels, np.ones((2, 2), dtype=int))[:rows, :columns]
    _sides(rng, model)
    _markers(rng, model)
    if drawn:
        _shapes(rng, model)
    if walls:
        _walls(rng, model)
    if roads:
        _roads(rng, model)
    return model


def _cells(model: MapModel) -> np.ndarray:
    return np.flatnonzero(model.grid.present)


def _sides(rng: np.random.Generator, model: MapModel) -> None:
    dense = rng.choice([0.0, 0.05, 0.3])
    for cell in _cells(model).tolist():
        for other in model.grid.neighbours(cell):
            if other > cell and rng.random() < dense:
                model.sides[(cell, other)] = (str(rng.choice(["low_wall", "hedge"])),)


def _markers(rng: np.random.Generator, model: MapModel) -> None:
    cells = _cells(model)
    kinds = ["smoke", "smoke_2", "wreck", "roadblock", "rubble", "cover"]
    for number in range(int(rng.integers(0, 1 + len(cells) // 8))):
        at = model.labels.label(int(rng.choice(cells)))
        model.features[f"m{number}"] = Marker(id=f"m{number}", type=str(rng.choice(kinds)), at=at)


def _near(rng: np.random.Generator, model: MapModel, reach: int) -> tuple[int, int]:
    x, y = model.grid.centre(int(rng.choice(_cells(model))))
    dx, dy = rng.integers(-reach, reach + 1, size=2).tolist()
    return x + 60 * dx, y + 60 * dy


def outline(rng: np.random.Generator, model: MapModel, size: int) -> tuple[tuple[int, int], ...]:
    """Return a polygon near some hex: a triangle, a rectangle or an L, often through corners and centres of hexes."""
    x, y = _near(rng, model, 8)
    w, h = (60 * rng.integers(2, size, size=2)).tolist()
    kind = int(rng.integers(3))
    if kind == 0:
        return ((x, y), (x + w, y), (x + w // 2, y + h))
    if kind == 1:
        return ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
    return ((x, y), (x + w, y), (x + w, y + h // 2), (x + w // 2, y + h // 2), (x + w // 2, y + h), (x, y + h))


def _shapes(rng: np.random.Generator, model: MapModel) -> None:
    for number in range(int(rng.integers(1, 2 + model.grid.cells // 10))):
        kind = str(rng.choice(["structure", "structure", "ruins", "hill"]))
        level = int(rng.integers(1, 3)) if kind == "hill" else int(rng.choice([0, 0, 0, 1, 2]))
        shape = outline(rng, model, 24 if kind == "hill" else 14)
        holes = ()
        if kind == "hill" and len(shape) == 4 and rng.random() < 0.5:
            (x0, y0), (x1, y1) = shape[0], shape[2]
            u, v = (x1 - x0) // 4, (y1 - y0) // 4
            holes = (((x0 + u, y0 + v), (x1 - u, y0 + v), (x1 - u, y1 - v), (x0 + u, y1 - v)),)
        name = f"s{number}"
        model.features[name] = Area(id=name, type=kind, outline=shape, holes=holes, level=level)


def _walls(rng: np.random.Generator, model: MapModel) -> None:
    for number in range(int(rng.integers(1, 3))):
        ring = outline(rng, model, 40)
        model.features[f"k{number}"] = Area(id=f"k{number}", type="compound", outline=ring)
        # A structure on the outer wall, and one off it.
        (x, y), (u, _) = ring[0], ring[1]
        at = ((x, y), (x + (u - x) // 2, y), (x + (u - x) // 2, y + 120), (x, y + 120))
        model.features[f"o{number}"] = Area(id=f"o{number}", type="structure", outline=at)
        model.features[f"i{number}"] = Area(id=f"i{number}", type="structure", outline=outline(rng, model, 10))
    if rng.random() < 0.5:
        line = tuple(_near(rng, model, 8) for _ in range(3))
        model.features["w"] = Wall(id="w", type="high_wall", line=line)
    for number, cell in enumerate(rng.choice(_cells(model), size=3, replace=False).tolist()):
        x, y = model.grid.centre(cell)
        dx, dy = (40 * rng.integers(-5, 6, size=2)).tolist()
        name, label = f"d{number}", model.labels.label(cell)
        model.features[name] = Dot(id=name, at=label, point=(x + dx // 2, y + dy))


def _roads(rng: np.random.Generator, model: MapModel) -> None:
    cell = int(rng.choice(_cells(model)))
    path = [cell]
    for _ in range(int(rng.integers(0, 6))):
        near = [other for other in model.grid.neighbours(path[-1]) if other not in path]
        if near:
            path.append(int(rng.choice(near)))
    labels = tuple(model.labels.label(one) for one in path)
    line: tuple[tuple[int, int], ...] = ()
    if rng.random() < 0.5 and len(path) > 1:
        points = [model.grid.centre(one) for one in path]
        line = tuple((x + 20 * int(rng.integers(-6, 7)), y + 20 * int(rng.integers(-6, 7))) for x, y in points)
    model.features["r"] = Road(id="r", path=labels, line=line)

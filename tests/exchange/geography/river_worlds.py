"""Rivers made up to be hard: each world is a grid, rivers as data have them, the true lines, towns and water."""

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely

from studio.exchange.common.corners import radii
from studio.exchange.geography.rivers.snapped import River, TownSpot
from studio.grid import HexGrid

HEX = 3**0.5


@dataclass
class World:
    """`data` are the lines that the program gets, `true` those that they stand for; both by river, in radii."""

    grid: HexGrid
    data: list
    true: list
    points: list = field(default_factory=list)  # of towns, in radii
    wet: Any = None  # a shape in radii: hexes whose middles lie in it are water
    join: float = 0.5
    names: list = field(default_factory=list)

    def __post_init__(self):
        scale = radii(self.grid)
        back = [[shapely.transform(line, lambda p: p / scale) for line in some] for some in self.data]
        names = self.names or [f"R{n}" for n in range(len(back))]
        self.rivers = [River(name, some, join=self.join) for name, some in zip(names, back, strict=True)]
        self.lines = [[shapely.transform(line, lambda p: p / scale) for line in some] for some in self.true]
        places = np.array(self.points, dtype=float).reshape(-1, 2) / scale
        cells = self.grid.cells_at(places).tolist()
        self.water = np.zeros(self.grid.cells, dtype=bool)
        if self.wet is not None:
            self.water = shapely.contains_xy(self.wet, self.grid.centres * scale)
        self.towns = []
        for place, cell in zip(places.tolist(), cells, strict=True):
            if cell >= 0:
                self.towns.append(TownSpot(tuple(place), cell))
                self.water[cell] = False


def size(grid):
    """Width and height of a map in radii."""
    return (np.array(grid.frame[2:]) * radii(grid)).tolist()


def wandering(rng, start, stop, swing=1.0, step=0.4, wave=6.0):
    """Return a line that winds from one point to another: random waves across it, no end of it moved."""
    start, stop = np.asarray(start, float), np.asarray(stop, float)
    length = float(np.hypot(*(stop - start)))
    count = max(4, int(length / step))
    part = np.linspace(0, 1, count + 1)
    across = np.zeros(count + 1)
    for n in range(4):
        waves = max(0.5, length / wave * rng.uniform(0.5, 2.0) * (1 + n) / 2)
        across += swing / (1 + n) * rng.normal() * np.sin(2 * np.pi * (waves * part + rng.uniform()))
    across *= np.minimum(1, 6 * np.minimum(part, 1 - part))
    along = (stop - start) / length
    normal = np.array([-along[1], along[0]])
    return shapely.LineString(start + part[:, None] * (stop - start) + across[:, None] * normal)


def beside(rng, lines, count, spread=0.6, apart=0.05):
    """Return points near lines, none nearer than `apart`."""
    found = []
    every = shapely.union_all(lines)
    for _ in range(count * 4):
        line = lines[int(rng.integers(len(lines)))]
        spot = line.interpolate(rng.uniform(), normalized=True)
        point = (spot.x + rng.normal(0, spread), spot.y + rng.normal(0, spread))
        if every.distance(shapely.Point(point)) > apart:
            found.append(point)
        if len(found) == count:
            break
    return found


def tree(seed, columns=18, rows=16, orientation="flat", count=40, tributaries=4):
    """A river across the map, with tributaries that end on it or on each other, and towns along all of them."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=columns, rows=rows, orientation=orientation, stagger="odd" if seed % 2 else "even")
    w, h = size(grid)
    lines = [wandering(rng, (-2, rng.uniform(0.2, 0.8) * h), (w + 2, rng.uniform(0.2, 0.8) * h))]
    for _ in range(tributaries * 6):
        if len(lines) > tributaries:
            break
        onto = lines[int(rng.integers(len(lines)))]
        mouth = onto.interpolate(rng.uniform(0.15, 0.85), normalized=True)
        head = rng.uniform((-1, -1), (w + 1, h + 1))
        if np.hypot(*(head - (mouth.x, mouth.y))) < 5:
            continue
        line = wandering(rng, head, (mouth.x, mouth.y), swing=0.5)
        others = shapely.union_all(lines)
        free = line.intersection(shapely.difference(others, mouth.buffer(0.05))).is_empty
        far = shapely.difference(line, mouth.buffer(2.5)).distance(others) > 1.2
        if free and far and line.is_simple:
            lines.append(line)
    points = beside(rng, lines, count)
    return World(grid, [[line] for line in lines], [[line] for line in lines], points)


def one_a_hex(world):
    """Return the world with only the first town of each hex."""
    scale = radii(world.grid)
    first = {}
    for town in world.towns:
        first.setdefault(town.cell, (town.point[0] * scale[0], town.point[1] * scale[1]))
    return World(world.grid, world.data, world.true, list(first.values()), world.wet, world.join, world.names)


# -- worlds that are hard in one way -------------------------------------------------------------------------------


def _grid(columns=16, rows=14, **more):
    return HexGrid(columns=columns, rows=rows, **more)


def _line(*points):
    return shapely.LineString(points)


def _plain(grid, lines, points=(), **more):
    return World(grid, [[line] for line in lines], [[line] for line in lines], list(points), **more)


def _meander(start, stop, width, height):
    """Square waves across a line along x: bends that lie `width` apart and are `height` high."""
    x0, y = start
    points, up = [start], False
    for x in np.arange(x0 + width, stop[0] - width, width):
        points += [(x, y - height * up), (x, y - height * (not up))]
        up = not up
    return _line(*points, (points[-1][0] + width, points[-1][1]), stop)


def hard_worlds():
    """Return worlds by name, each with the number of true loops, and of parts in which its paths lie."""
    grid = _grid()
    w, h = size(grid)
    mid = h / 2
    across = _line((-2, mid), (w / 3, mid + 1), (2 * w / 3, mid - 1), (w + 2, mid + 0.5))
    upper = [(x, mid - 0.7) for x in np.arange(2, w - 2, 3.0)]
    lower = [(x, mid + 1.9) for x in np.arange(3, w - 2, 3.0)]
    found = {"across": (_plain(grid, [across], upper[:2] + lower[-2:]), 0, 1)}
    for wide, high, name in ((0.6, 0.8, "small"), (4.0, 4.5, "large")):
        bends = _meander((-2, mid), (w + 2, mid), wide, high)
        rng = np.random.default_rng(5)
        found[f"{name} meanders"] = (_plain(grid, [bends], beside(rng, [bends], 12, 0.3, 0.2)), 0, 1)
    fork = [_line((-2, 2), (10, mid), (w + 2, mid)), _line((-2, h - 2), (10, mid))]
    found["town in the angle"] = (_plain(grid, fork, [(8.6, mid), (9.0, mid - 2.5), (9.0, mid + 2.5)]), 0, 1)
    found["town on the line"] = (_plain(grid, [_line((-2, mid), (w + 2, mid))], [(9, mid), (15, mid)]), 0, 1)
    edge = _line((-2, 0.4), (w / 2, 0.5), (w + 2, 0.3))
    found["along the edge"] = (_plain(grid, [edge]), 0, None)
    in_out = _line((2, -2), (3, 4), (6, 4), (7, -2), (10, -2), (11, 5), (14, 5), (15, -2))
    found["in and out"] = (_plain(grid, [in_out]), 0, 2)
    lakes = shapely.union_all([shapely.Point(5, mid).buffer(3), shapely.Point(w - 5, mid).buffer(3)])
    found["from lake to lake"] = (_plain(grid, [_line((5, mid), (w / 2, mid + 1), (w - 5, mid))], wet=lakes), 0, 1)
    lake = shapely.Point(w / 2, mid).buffer(3)
    found["through a lake"] = (_plain(grid, [across], wet=lake), 0, 2)
    sea = shapely.box(w - 6, -9, w + 9, h + 9)
    mouths = [
        _line((-2, mid), (8, mid), (w, mid)),
        _line((8, mid), (12, 4), (w, 3)),
        _line((8, mid), (12, h - 4), (w, h - 3)),
    ]
    found["delta"] = (_plain(grid, mouths, wet=sea), 0, 1)
    for hexes, loops in ((0.3, 0), (0.8, 0), (2.5, 1), (4.5, 1)):
        r = hexes * HEX / 2
        arms = [_line((-2, mid), (w / 2 - 2 * r, mid), (w / 2, mid - r), (w / 2 + 2 * r, mid), (w + 2, mid))]
        other = _line((w / 2 - 2 * r, mid), (w / 2, mid + r), (w / 2 + 2 * r, mid))
        found[f"island of {hexes} hexes"] = (World(grid, [[*arms, other]], [[*arms, other]], join=0.1), loops, 1)
    banks = [_line((-2, 4), (w + 2, 5)), _line((-2, h - 5), (w + 2, h - 4))]
    canals = [_line((7, 4.33), (7, h - 4.7)), _line((18, 4.78), (18, h - 4.2))]
    found["canals"] = (_plain(grid, [*banks, *canals]), 1, 1)
    twin = shapely.transform(across, lambda p: p + np.array([0.0, 0.1 * HEX]))
    found["doubled banks"] = (World(grid, [[across, twin]], [[across]], upper[:3]), 0, 1)
    found["duplicates"] = (World(grid, [[across, across, across]], [[across]], upper[:3]), 0, 1)
    whole = wandering(np.random.default_rng(8), (-2, mid), (w + 2, mid + 1))
    spots = [whole.interpolate(part, normalized=True) for part in np.linspace(0, 1, 1001)]
    pieces = [shapely.LineString([a, b]) for a, b in itertools.pairwise(spots)]
    line = shapely.LineString(spots)
    towns = beside(np.random.default_rng(9), [line], 8, 0.5, 0.2)
    found["a thousand pieces"] = (World(grid, [pieces[::-1]], [[line]], towns), 0, 1)
    mixed = [piece.reverse() if n % 9 == 0 else piece for n, piece in enumerate(pieces)]
    found["some reversed"] = (World(grid, [mixed], [[line]], towns), 0, 1)
    gapped = [piece for n, piece in enumerate(pieces) if n % 100 > 3]
    found["gaps"] = (World(grid, [gapped], [[line]], towns), 0, 1)
    duct = _line((w / 2, -2), (w / 2 + 1, h + 2))
    found["crossing"] = (_plain(grid, [across, duct]), 0, 1)
    far = [_line((2, 3), (w / 3, 3.5)), _line((2 * w / 3, h - 4), (w - 2, h - 3))]
    found["one name twice"] = (World(grid, [far], [far]), 0, 2)
    found["no names"] = (_plain(grid, [across, *far], names=["", "", ""]), 0, None)
    ring = shapely.Point(w / 2, mid).buffer(5).exterior
    found["ring"] = (_plain(grid, [shapely.LineString(ring.coords)], [(w / 2, mid - 4), (w / 2, mid - 6.2)]), 1, 1)
    nothing = shapely.LineString([(5, 5), (5, 5)])
    found["without length"] = (World(grid, [[nothing, across]], [[across]], upper[:2]), 0, 1)
    one = _grid(1, 1)
    found["one hex"] = (_plain(one, [_line((-1, 0.9), (3, 0.9))]), 0, None)
    two = _grid(2, 9)
    found["two columns"] = (_plain(two, [_line((1.7, -2), (1.9, 8), (1.5, 18))], [(0.9, 5), (2.8, 9)]), 0, 1)
    return found

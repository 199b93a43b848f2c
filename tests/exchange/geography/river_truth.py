"""What is true of rivers on hexsides, told slowly: by faces of polygons, not by the parts of the program.

Everything is asked of the hexsides alone, by the ends that the grid says, and of the lines as they were given.
"""

import itertools
from collections import Counter, defaultdict

import numpy as np
import shapely

from studio.exchange.common.corners import radii
from studio.grid.raster import CORNERS

HEX = 3**0.5
NEAR = 1.5 * HEX


class Truth:
    """Lines, towns and water of a map in radii, and the paths of `made` as corners in radii.

    `lines` are the rivers as they run in the world, each a list of lines in the direction of the river.
    """

    def __init__(self, grid, lines, towns, made, water=None):
        self.grid, self.towns, self.made = grid, list(towns), made
        self.scale = radii(grid)
        self.lines = [[shapely.transform(one, lambda p: p * self.scale) for one in some] for some in lines]
        self.water = np.zeros(grid.cells, dtype=bool) if water is None else water
        self.paths = defaultdict(list)
        for chain in made.chains:
            self.paths[chain.river].append([tuple(made.graph.points[corner].tolist()) for corner in chain.corners])
        self.sides = {river: made.sides(river) for river in range(len(lines))}
        hexes = shapely.polygons((grid.centres[:, None] + np.array(CORNERS[grid.orientation])) * self.scale)
        self.frame = shapely.union_all(hexes[grid.present.ravel() & ~self.water])

    def ends(self, side):
        return [tuple(map(int, point)) for point in self.grid.side_ends(*side)]

    # -- what hexsides are -------------------------------------------------------------------------------------------

    def faults_of_sides(self):
        """Sides that are none, that lie in water or are used twice, and chains that have a gap or meet themselves."""
        found = []
        used = Counter()
        for river, sides in self.sides.items():
            used.update(sides)
            for a, b in sides:
                if a >= b or self.grid.direction(a, b) is None or not self.grid.present.ravel()[[a, b]].all():
                    found.append(f"river {river}: {a}|{b} is no side")
                elif self.water[a] and self.water[b]:
                    found.append(f"river {river}: {a}|{b} lies in water")
        found += [f"side {side} is used {count} times" for side, count in used.items() if count > 1]
        known = {corner: side for side in used for corner in [frozenset(self.ends(side))]}
        for river, paths in self.paths.items():
            for path in paths:
                inner = path[1:-1]
                if len(set(inner)) < len(inner) or {path[0], path[-1]} & set(inner):
                    found.append(f"river {river}: its path meets itself")
                for one, other in itertools.pairwise(path):
                    far = np.hypot(*((np.array(one) - other) * self.scale))
                    if abs(far - 1) > 1e-6:
                        found.append(f"river {river}: gap of {far:.2f} radii")
                    known.pop(frozenset([one, other]), None)
        found += [f"side {side} is on no path" for side in known.values()]
        return found

    def parts(self, river=None):
        """Number of connected parts of all paths, those at the edge of the map too, or of those of one river."""
        graph = [pair for n, some in self.paths.items() for path in some for pair in itertools.pairwise(path)]
        if river is not None:
            graph = [pair for path in self.paths[river] for pair in itertools.pairwise(path)]
        return len(_components(graph))

    def loops(self):
        """Loops of all hexsides: those less the corners, and one a part."""
        pairs = [tuple(self.ends(side)) for side in sorted({side for some in self.sides.values() for side in some})]
        return len(pairs) - len({point for pair in pairs for point in pair}) + len(_components(pairs))

    def true_loops(self, join=1e-3):
        """Islands in the lines as they were given: holes of a thin ribbon along them that have room for a hex."""
        ribbon = shapely.union_all([one.buffer(join / 2) for some in self.lines for one in some])
        ribbon = ribbon.intersection(self.frame)
        rings = [ring for part in shapely.get_parts(ribbon).tolist() for ring in part.interiors]
        return sum(not shapely.Polygon(ring).buffer(-HEX / 2).is_empty for ring in rings)

    # -- banks -------------------------------------------------------------------------------------------------------

    def judged(self, names=()):
        """Yield (town, river, true hand, hands on the map) of each town by the river nearest to it, or that it names.

        A hand is one whose side of the line bounds the face of a disc in which the town lies; all rivers part the disc.
        """
        for number, town in enumerate(self.towns):
            spot = np.array(town.point) * self.scale
            far = [
                min((one.distance(shapely.Point(spot)) for one in some), default=np.inf) if self.paths[n] else np.inf
                for n, some in enumerate(self.lines)
            ]
            river = list(names).index(town.river) if town.river else int(np.argmin(far))
            if not 1e-6 < far[river] <= NEAR:
                continue
            true = _told(self.lines, river, spot, (3, 2.2, 1.7))
            if len(true) != 1:
                continue  # past an end: there is no bank
            here = _told(self._drawn(), river, self.grid.centres[town.cell] * self.scale, (3.5, 2.5))
            yield number, river, next(iter(true)), here

    def _drawn(self):
        return [
            [shapely.LineString(np.array(path) * self.scale) for path in self.paths[n] if len(path) > 1]
            for n in range(len(self.lines))
        ]

    def wrong(self, names=()):
        """Towns on a wrong bank: only the other one is reached from their hexes without crossing a river."""
        return [(town, river, true) for town, river, true, here in self.judged(names) if here and true not in here]

    # -- distances ---------------------------------------------------------------------------------------------------

    def off(self, river):
        """How far the line of a river on the map and its path are apart, whichever is farther from the other."""
        line = shapely.intersection(shapely.union_all(self.lines[river]), self.frame)
        paths = [shapely.LineString(np.array(path) * self.scale) for path in self.paths[river] if len(path) > 1]
        if not paths or line.is_empty:
            return 0.0
        whole = shapely.union_all(paths)
        return max(_far(line, whole), _far(whole, line))


def _far(one, other):
    points = shapely.get_coordinates(shapely.segmentize(one, 0.2))
    return float(shapely.distance(shapely.points(points), other).max())


def _components(pairs):
    group = {}
    for one, other in pairs:
        a, b = group.setdefault(one, {one}), group.setdefault(other, {other})
        if a is not b:
            a |= b
            for point in b:
                group[point] = a
    return {id(some) for some in group.values()}


def _told(rivers, river, spot, reaches):
    """Return the hands of one river in the largest disc in which they are no more than one, else in the smallest."""
    found = set()
    for reach in reaches:
        found = {hand for n, hand in _hands(rivers, spot, reach * HEX) if n == river}
        if len(found) == 1:
            break
    return found


def _hands(rivers, spot, reach):
    """Return the rivers and hands that bound the face of a disc that a point lies in; nothing where no line is near."""
    disc = shapely.Point(spot).buffer(reach, quad_segs=16)
    wide = disc.buffer(0.1)  # so that what is cut crosses the rim of the disc
    cut = [
        (river, part)
        for river, some in enumerate(rivers)
        for one in some
        if one.intersects(wide)
        for part in shapely.get_parts(shapely.intersection(one, wide)).tolist()
        if part.geom_type == "LineString" and part.length > 0
    ]
    if not cut:
        return set()
    every = shapely.union_all([disc.exterior, *(part for _, part in cut)], grid_size=1e-6)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(every).tolist())).tolist()
    face = next((one for one in faces if one.covers(shapely.Point(spot))), None)
    if face is None:
        return set()
    shapely.prepare(face)
    found = set()
    for river, part in cut:
        points = np.array(part.coords)
        step = np.diff(points, axis=0)
        length = np.hypot(*step.T)
        points, step, length = points[:-1][length > 1e-6], step[length > 1e-6], length[length > 1e-6]
        right = np.stack([-step[:, 1], step[:, 0]], axis=1) / length[:, None]  # y points down
        beside = right * np.minimum(1e-5, length / 10)[:, None]
        for hand, way in (("right", beside), ("left", -beside)):
            if shapely.contains_xy(face, points + step / 2 + way).any():
                found.add((river, hand))
    return found

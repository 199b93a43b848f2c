"""Rings of lattice points cut up where they meet, with what lies on either side of every piece. No rounding decides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from shapely import Polygon

    from studio.model import Point

__all__ = ["Arrangement", "Corner", "Piece", "Region"]

Corner: TypeAlias = tuple[Fraction | int, Fraction | int]
"""An exact point: whole numbers on the lattice, fractions where edges cross."""

_WIDE = 10**8  # beyond it products of coordinates might not fit 64 bits


class Piece(msgspec.Struct, frozen=True):
    """A piece of an edge that no other edge meets save at its ends.

    Attributes
    ----------
    p, q : Corner
        Its ends, the lower one first.
    left, right : frozenset of str
        Names of the shapes on its left (of the way from p to q, y counted upwards) and on its right.
    """

    p: Corner
    q: Corner
    left: frozenset[str]
    right: frozenset[str]


class Region(msgspec.Struct, frozen=True):
    """A connected region with exact corners.

    Attributes
    ----------
    outline : tuple of Corner
        The first corner is not repeated.
    holes : tuple of tuple of Corner
    """

    outline: tuple[Corner, ...]
    holes: tuple[tuple[Corner, ...], ...] = ()

    @property
    def area(self) -> Fraction:
        """Exact size in square lattice units."""
        doubled = abs(_doubled_area(self.outline)) - sum(abs(_doubled_area(hole)) for hole in self.holes)
        return Fraction(doubled) / 2

    @property
    def polygon(self) -> Polygon:
        """The region as a shapely polygon; corners that are fractions are rounded to floats."""
        import shapely

        rings = [[(float(x), float(y)) for x, y in ring] for ring in (self.outline, *self.holes)]
        return shapely.Polygon(rings[0], rings[1:])

    @property
    def point(self) -> Point:
        """A lattice point in the region; of a sliver that holds none near its middle, the nearest to its middle."""
        rings = [self.outline, *self.holes]
        middle = self.polygon.representative_point()
        around = range(-2, 3)
        near = [(round(middle.x) + dx, round(middle.y) + dy) for dx in around for dy in around]
        near.sort(key=lambda at: ((at[0] - middle.x) ** 2 + (at[1] - middle.y) ** 2, at))
        return next((at for at in near if _inside((2 * at[0], 2 * at[1]), rings)), near[0])


class Arrangement:
    """Shapes laid over each other.

    Parameters
    ----------
    shapes : mapping of str to sequence of rings
        By name: an outline and its holes, none of which crosses itself or another of its shape.

    Attributes
    ----------
    pieces : list of Piece
    """

    def __init__(self, shapes: Mapping[str, Sequence[Sequence[Point]]]) -> None:
        self._shapes = {name: [list(ring) for ring in rings] for name, rings in shapes.items()}
        owners: dict[tuple[Corner, Corner], tuple[set[str], set[str]]] = {}
        for name, p, q in self._cut():
            low, high = (p, q) if p < q else (q, p)
            sides = owners.setdefault((low, high), (set(), set()))
            sides[0 if p < q else 1].add(name)
        keys = list(owners)
        inside = self._inside(keys, [left | right for left, right in owners.values()])
        self.pieces = [
            Piece(key[0], key[1], frozenset(owners[key][0] | held), frozenset(owners[key][1] | held))
            for key, held in zip(keys, inside, strict=True)
        ]

    # -- cutting ---------------------------------------------------------------------------------------------------

    def _edges(self) -> list[tuple[str, Point, Point]]:
        """Return all edges, each with its shape on its left."""
        found = []
        for name, rings in self._shapes.items():
            for at, ring in enumerate(rings):
                way = ring if (_doubled_area(ring) > 0) == (at == 0) else ring[::-1]
                found += [(name, p, q) for p, q in pairwise((*way, way[0])) if p != q]
        return found

    def _cut(self) -> Iterator[tuple[str, Corner, Corner]]:
        edges = self._edges()
        cuts: dict[int, set[Corner]] = defaultdict(set)
        if edges:
            _find_cuts([(p, q) for _, p, q in edges], cuts)
        for at, (name, p, q) in enumerate(edges):
            if at not in cuts:
                yield name, p, q
                continue
            row = sorted(cuts[at] | {p, q}, reverse=p > q)
            for low, high in pairwise(row):
                yield name, low, high

    # -- inside ----------------------------------------------------------------------------------------------------

    def _inside(self, keys: list[tuple[Corner, Corner]], owners: list[set[str]]) -> list[set[str]]:
        """Return the shapes that each piece lies strictly inside of."""
        import shapely

        found: list[set[str]] = [set() for _ in keys]
        if not keys:
            return found
        names = list(self._shapes)
        # Middles are kept doubled, so that they are whole where the ends are.
        middles = [(p[0] + q[0], p[1] + q[1]) for p, q in keys]
        points = np.array([(float(x) / 2, float(y) / 2) for x, y in middles])
        boxes = np.array([_box(self._shapes[name]) for name in names], dtype=float)
        tree = shapely.STRtree(shapely.points(points))
        shape, near = tree.query(shapely.box(boxes[:, 0] - 1, boxes[:, 1] - 1, boxes[:, 2] + 1, boxes[:, 3] + 1))
        for at, name in enumerate(names):
            rings = self._shapes[name]
            for number in _held([n for n in near[shape == at].tolist() if name not in owners[n]], middles, rings):
                found[number].add(name)
        return found

    # -- regions ---------------------------------------------------------------------------------------------------

    def regions(self, asked: Callable[[Collection[str]], bool]) -> list[tuple[Region, frozenset[str]]]:
        """Return the connected regions of a kind, each with the shapes on the other side of its border.

        Parameters
        ----------
        asked : callable
            Tells from the shapes that cover a side whether it belongs to the regions. Regions that meet in a point only
            are two. The region without end around all shapes is none.
        """
        # Half of the pieces have the region on neither side or on both, and bound nothing.
        ways: dict[tuple[Corner, Corner], frozenset[str]] = {}
        for piece in self.pieces:
            left, right = asked(piece.left), asked(piece.right)
            if left and not right:
                ways[piece.p, piece.q] = piece.right
            elif right and not left:
                ways[piece.q, piece.p] = piece.left
        loops = [loop for ring in _trace(list(ways)) for loop in _simple_loops(ring)]
        shells = sorted((loop for loop in loops if _doubled_area(loop) > 0), key=_doubled_area)
        holes: list[list[list[Corner]]] = [[] for _ in shells]
        for loop in loops:
            if _doubled_area(loop) > 0:
                continue
            middle = (loop[0][0] + loop[1][0], loop[0][1] + loop[1][1])
            for at, shell in enumerate(shells):  # smallest first
                if _inside(middle, [shell]):
                    holes[at].append(loop)
                    break
        found = []
        for shell, inner in zip(shells, holes, strict=True):
            edges = [pair for ring in (shell, *inner) for pair in pairwise((*ring, ring[0]))]
            beside = frozenset[str]().union(*(ways[pair] for pair in edges))
            found.append((Region(_straightened(shell), tuple(map(_straightened, inner))), beside))
        return found


def _doubled_area(ring: Sequence[Corner]) -> Any:
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in pairwise((*ring, ring[0])))


def _box(rings: Sequence[Sequence[Point]]) -> tuple[int, int, int, int]:
    xs, ys = zip(*rings[0], strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _find_cuts(edges: list[tuple[Point, Point]], cuts: dict[int, set[Corner]]) -> None:
    """Find the points inside edges where others meet them."""
    import shapely

    wide = max(abs(value) for edge in edges for point in edge for value in point) > _WIDE
    ends: NDArray[Any] = np.array(edges, dtype=object if wide else np.int64).reshape(-1, 4)
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    boxes = shapely.box(*low.astype(float).T, *high.astype(float).T)
    one, other = shapely.STRtree(boxes).query(boxes)
    one, other = one[one < other], other[one < other]
    a, b, c, d = ends[one, :2], ends[one, 2:], ends[other, :2], ends[other, 2:]
    turns = [_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)]
    # A corner on the inside of another edge cuts that edge; so do corners of edges on one line that overlap.
    for turn, point, hit, p, q in (
        (turns[0], c, one, a, b),
        (turns[1], d, one, a, b),
        (turns[2], a, other, c, d),
        (turns[3], b, other, c, d),
    ):
        between = (np.minimum(p, q) <= point).all(axis=1) & (point <= np.maximum(p, q)).all(axis=1)
        inner = (turn == 0) & between & (point != p).any(axis=1) & (point != q).any(axis=1)
        for at in np.flatnonzero(inner).tolist():
            cuts[int(hit[at])].add((int(point[at, 0]), int(point[at, 1])))
    crossed = (turns[0] * turns[1] < 0) & (turns[2] * turns[3] < 0)
    for at in np.flatnonzero(crossed).tolist():
        i, j = int(one[at]), int(other[at])
        meeting = _crossing(*edges[i], *edges[j])
        cuts[i].add(meeting)
        cuts[j].add(meeting)


def _turn(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """Return on which side of the lines from a to b the points c lie: 1 left, -1 right, 0 on the line."""
    (dx, dy), (ex, ey) = (b - a).T, (c - a).T
    return np.asarray(np.sign(dx * ey - dy * ex), dtype=np.int8)


def _crossing(a: Point, b: Point, c: Point, d: Point) -> Corner:
    dx, dy, ex, ey = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    along = Fraction((c[0] - a[0]) * ey - (c[1] - a[1]) * ex, dx * ey - dy * ex)
    return a[0] + along * dx, a[1] + along * dy


def _held(numbers: list[int], middles: list[Corner], rings: Sequence[Sequence[Point]]) -> list[int]:
    """Return those of some doubled points that lie inside rings; none of them lies on one."""
    whole = [n for n in numbers if all(isinstance(value, int) and abs(value) <= _WIDE for value in middles[n])]
    if len(whole) < 8 or max(map(abs, _box(rings))) > _WIDE:
        return [n for n in numbers if _inside(middles[n], rings)]
    x, y = np.array([middles[n] for n in whole], dtype=np.int64).T[:, :, None]
    p = 2 * np.array([point for ring in rings for point in ring], dtype=np.int64)
    q = 2 * np.array([point for ring in rings for point in (*ring[1:], ring[0])], dtype=np.int64)
    spans = (p[:, 1] > y) != (q[:, 1] > y)
    turn = (q[:, 0] - p[:, 0]) * (y - p[:, 1]) - (q[:, 1] - p[:, 1]) * (x - p[:, 0])
    held = (spans & ((turn > 0) == (q[:, 1] > p[:, 1]))).sum(axis=1) % 2 == 1
    parts = sorted(set(numbers).difference(whole))
    return [n for n, inside in zip(whole, held.tolist(), strict=True) if inside] + [
        n for n in parts if _inside(middles[n], rings)
    ]


def _inside(doubled: Corner, rings: Sequence[Sequence[Corner]]) -> bool:
    """Tell whether a point, given by its doubled coordinates, lies strictly inside rings."""
    x, y = doubled
    inside = False
    for ring in rings:
        for p, q in pairwise((*ring, ring[0])):
            px, py, qx, qy = 2 * p[0], 2 * p[1], 2 * q[0], 2 * q[1]
            turn = (qx - px) * (y - py) - (qy - py) * (x - px)
            if turn == 0 and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
                return False
            if (py > y) != (qy > y) and (turn > 0) == (qy > py):
                inside = not inside
    return inside


def _trace(ways: list[tuple[Corner, Corner]]) -> Iterator[list[Corner]]:
    """Join directed pieces to rings; where several go on, the one that keeps the region on the left together."""
    onward: dict[Corner, list[Corner]] = defaultdict(list)
    for p, q in ways:
        onward[p].append(q)
    left = dict.fromkeys(ways)
    while left:
        back, at = next(iter(left))
        ring: list[Corner] = []
        while (back, at) in left:
            del left[back, at]
            ring.append(back)
            choices = onward[at]
            back, at = at, choices[0] if len(choices) == 1 else _leftmost(at, back, choices)
        yield ring


def _leftmost(at: Corner, back: Corner, choices: list[Corner]) -> Corner:
    """Return where the way from `back` over `at` goes on when it turns left as sharply as it can."""
    bx, by = back[0] - at[0], back[1] - at[1]

    def half(to: Corner) -> int:
        # Clockwise from the way back: 0 for less than half a turn, 1 for the rest.
        dx, dy = to[0] - at[0], to[1] - at[1]
        cross = bx * dy - by * dx
        return 0 if cross < 0 or (cross == 0 and bx * dx + by * dy < 0) else 1

    def compare(one: Corner, other: Corner) -> int:
        if half(one) != half(other):
            return half(one) - half(other)
        ox, oy, tx, ty = one[0] - at[0], one[1] - at[1], other[0] - at[0], other[1] - at[1]
        cross = ox * ty - oy * tx
        return 1 if cross > 0 else -1 if cross < 0 else 0

    return min(choices, key=cmp_to_key(compare))


def _simple_loops(ring: list[Corner]) -> Iterator[list[Corner]]:
    """Cut a ring up at the corners that it visits more than once."""
    stack: list[Corner] = []
    place: dict[Corner, int] = {}
    for corner in ring:
        if corner in place:
            loop = stack[place[corner] :]
            yield loop
            for gone in loop[1:]:
                del place[gone]
            del stack[place[corner] + 1 :]
        else:
            place[corner] = len(stack)
            stack.append(corner)
    yield stack


def _straightened(ring: list[Corner]) -> tuple[Corner, ...]:
    """Leave out the corners at which a ring goes straight on."""
    kept = []
    for at, (x, y) in enumerate(ring):
        (px, py), (qx, qy) = ring[at - 1], ring[(at + 1) % len(ring)]
        if (x - px) * (qy - y) != (y - py) * (qx - x):
            kept.append((x, y))
    return tuple(kept)

"""Random tilings of a rectangle, and an exact proof that areas tile what lies inside one closed line."""

from itertools import pairwise

import numpy as np

from studio.model import Aperture, Area, Feature, Point
from studio.model.topology.rings import area_fault, doubled_area, lies_between, lies_on, line_edges, line_fault

__all__ = ["apertures_on", "frame_of", "random_tiling", "unshared"]


def random_tiling(rng: np.random.Generator, cuts: int, width: int = 1440, height: int = 1200) -> list[Area]:
    """Cut a rectangle with random lines, upright, level or aslant; neighbours do not have each other's corners."""
    pieces: list[tuple[Point, ...]] = [((0, 0), (width, 0), (width, height), (0, height))]
    for _ in range(cuts):
        piece = pieces.pop(int(rng.integers(len(pieces))))
        ends = [_on_edge(rng, *edge) for edge in line_edges(piece, closed=True)]
        first, second = sorted(rng.choice(len(ends), size=2, replace=False).tolist())
        p, q = ends[first], ends[second]
        halves = ((*piece[first + 1 : second + 1], q, p), (*piece[second + 1 :], *piece[: first + 1], p, q))
        cleaned = [tuple(dict.fromkeys(half)) for half in halves]
        if all(len(half) >= 3 and line_fault(half, closed=True) is None for half in cleaned):
            pieces += cleaned
        else:
            pieces.append(piece)
    return [Area(id=f"a{number}", type="room", outline=piece) for number, piece in enumerate(pieces)]


def _on_edge(rng: np.random.Generator, p: Point, q: Point) -> Point:
    steps = int(np.gcd(q[0] - p[0], q[1] - p[1]))
    step = int(rng.integers(steps + 1))
    return (p[0] + (q[0] - p[0]) // steps * step, p[1] + (q[1] - p[1]) // steps * step)


def apertures_on(rng: np.random.Generator, areas: list[Area], count: int) -> list[Feature]:
    """Return apertures at random points of the lattice on random edges."""
    edges = [edge for area in areas for edge in line_edges(area.outline, closed=True)]
    return [
        Aperture(id=f"door{number}", type="aperture", at=_on_edge(rng, *edges[int(rng.integers(len(edges)))]), into="x")
        for number in range(count)
    ]


def unshared(areas: list[Area]) -> list[tuple[Point, Point]]:
    """Return the edges, cut at every corner on them, that no neighbour has the other way round.

    Each area is sound and lies once on every edge, on its inner side: where what is left is one line that does not
    meet itself, the areas cover its inside once, since around a point they wind as often as it does.
    """
    rings = []
    for area in areas:
        assert area_fault(area) is None, area
        for number, ring in enumerate((area.outline, *area.holes)):
            rings.append(ring if (doubled_area(ring) > 0) == (number == 0) else ring[::-1])
    corners = sorted({point for ring in rings for point in ring})
    left: set[tuple[Point, Point]] = set()
    for ring in rings:
        for p, q in line_edges(ring, closed=True):
            on = [point for point in corners if lies_between(point, p, q)]
            on.sort(key=lambda point: abs(point[0] - p[0]) + abs(point[1] - p[1]))
            for u, v in pairwise([p, *on, q]):
                assert (u, v) not in left, f"two areas lie on the same side of {u}-{v}"
                if (v, u) in left:
                    left.remove((v, u))
                else:
                    left.add((u, v))
    return sorted(left)


def frame_of(areas: list[Area]) -> tuple[Point, ...]:
    """Return the line around areas that tile what is inside it; fail where they do not."""
    following = dict(unshared(areas))
    ring = [min(following)]
    while (after := following.pop(ring[-1])) != ring[0]:
        ring.append(after)
    assert not following, f"a gap, or a second piece, at {sorted(following)[:4]}"
    assert line_fault(ring, closed=True) is None
    return tuple(ring)


def on_borders(point: Point, areas: list[Area]) -> bool:
    """Tell whether a point lies on the border of one of the areas."""
    return any(
        lies_on(point, p, q)
        for area in areas
        for ring in (area.outline, *area.holes)
        for p, q in line_edges(ring, closed=True)
    )

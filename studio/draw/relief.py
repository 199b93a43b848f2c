"""Heights on a flat sheet: level regions with rounded outlines, contour lines and relief shading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.draw.areas import area_look
from studio.draw.parts import Channel
from studio.draw.style import Style
from studio.draw.subject import Floats, Subject, areas_of, kind_of, map_points
from studio.survey.shapes import cells_inside, polygon_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Ring", "draw_contours", "draw_levels", "level_rings"]

_ALONG = 0.4  # a contour so near to a drawn hill of its level is that hill's, in hexes
_SAMPLES = 9  # of the relief's picture to a hex height


class Ring(NamedTuple):
    """Rounded outline of one piece of the ground at or above (below 0: at or below) a level.

    Parameters
    ----------
    level : int
    points : array of shape (n, 2)
        Map units, the first point not repeated.
    edge : array of bool, shape (n,)
        True where the piece from a point to the next runs along the map's edge, where no contour is drawn.
    """

    level: int
    points: Floats
    edge: NDArray[np.bool_]


def _heights(subject: Subject, style: Style) -> NDArray[np.int64]:
    """Return the level of every cell; dry beds count as level 0, for their banks are drawn already."""
    dry = [n for n, name in enumerate(subject.terrain_ids) if _is_bed(style, name)]
    levels = subject.levels.ravel().astype(np.int64)
    levels[np.isin(subject.terrain.ravel(), dry) & (levels < 0)] = 0
    levels[~subject.grid.present.ravel()] = 0
    return _not_drawn(subject, style, levels)


def _drawn(subject: Subject, style: Style) -> list[tuple[int, Any]]:
    """Return hills and hollows that are drawn as areas with slopes: level and polygon on the lattice."""
    return [
        (area.level, polygon_of(area)) for area in areas_of(subject) if area.level and area_look(style, area.type).slope
    ]


def _not_drawn(subject: Subject, style: Style, levels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return levels without those whose ground an area shows: every piece of it that drawn hills of the level touch."""
    grid, drawn = subject.grid, _drawn(subject, style)
    if not drawn or not levels.any():
        return levels
    table, left = grid.neighbour_table, levels.copy()
    # From the highest and the deepest ground to level 0: what is taken away there is part of the level below.
    for level in sorted({level for level, _ in drawn}, key=abs, reverse=True):
        sign = 1 if level > 0 else -1
        touched = np.zeros(len(left), dtype=bool)
        for one, polygon in drawn:
            if one * sign >= abs(level):
                touched[cells_inside(grid, polygon)] = True
        beside = touched | (touched[table] & (table >= 0)).any(axis=1)
        inside = left * sign >= abs(level)
        for piece in _pieces(table, inside):
            if touched[piece].any() and beside[piece].all():
                left[piece] = sign * (abs(level) - 1)
    return left


def _pieces(table: NDArray[Any], inside: NDArray[np.bool_]) -> Iterator[list[int]]:
    """Yield the cells of each piece of some ground that hangs together."""
    open_ = set(np.flatnonzero(inside).tolist())
    while open_:
        piece = [open_.pop()]
        for cell in piece:
            for other in table[cell].tolist():
                if other in open_:
                    open_.discard(other)
                    piece.append(other)
        yield piece


def level_rings(subject: Subject, style: Style) -> list[Ring]:
    """Return the outlines of the level regions, low before high, each drawn in a little from the lower hexes."""
    levels = _heights(subject, style)
    rings = []
    for level in range(int(levels.min()), int(levels.max()) + 1):
        if level:
            inside = (levels >= level if level > 0 else levels <= level) & subject.grid.present.ravel()
            rings += [
                _rounded(subject.grid, level, corners, edge, style) for corners, edge in _trace(subject.grid, inside)
            ]
    return rings


def _trace(grid: Any, inside: NDArray[np.bool_]) -> Iterator[tuple[list[tuple[int, int]], list[bool]]]:
    """Yield each closed chain of hexsides around a region, on the lattice, with what runs along the map's edge."""
    table = grid.neighbour_table
    after: dict[tuple[int, int], tuple[tuple[int, int], bool]] = {}
    border = inside & ((table < 0) | ~inside[table]).any(axis=1)
    for cell in np.flatnonzero(border).tolist():
        corners = grid.corners(cell)
        for side, other in enumerate(table[cell].tolist()):
            if other < 0 or not inside[other]:
                after[corners[side]] = corners[(side + 1) % 6], other < 0
    while after:
        start = point = next(iter(after))
        chain, edge = [], []
        while point in after:
            following, off = after.pop(point)
            chain.append(point)
            edge.append(off)
            point = following
        assert point == start
        yield chain, edge


def _rounded(grid: Any, level: int, corners: list[tuple[int, int]], edge: list[bool], style: Style) -> Ring:
    points, flags = map_points(grid, corners), np.asarray(edge)
    fixed = flags | np.roll(flags, 1)
    for _ in range(0 if len(points) < 8 else 1 if len(points) < 12 else 2):
        mean = (np.roll(points, 1, 0) + 2 * points + np.roll(points, -1, 0)) / 4
        points = np.where(fixed[:, None], points, mean)
    along = np.roll(points, -1, 0) - np.roll(points, 1, 0)
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    # The chain runs clockwise on a sheet with y down, so the region lies to the right hand.
    inward = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    moved = points + inward * (style.levels.inset / 1000 * grid.hex_height)
    return Ring(level, np.where(fixed[:, None], points, moved), flags)


def draw_levels(ax: Axes, subject: Subject, style: Style, extent: tuple[float, float, float, float]) -> None:
    """Tint the level regions (zorder 1.5) and shade their slopes (3.5) with light from the north-west.

    Patches of terrain are drawn over the regions in tints of their own, so that marks stay bright on a hill.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    rings = level_rings(subject, style)
    for level in sorted({ring.level for ring in rings}, key=abs):
        color = style.tinted(style.ground, level) if abs(level) > 99 else _tint(style, level)
        pieces = [_closed(ring) for ring in rings if ring.level == level]
        path = Path.make_compound_path(*[Path(vertices, codes) for vertices, codes in pieces])
        alpha = style.levels.strength / 1000 * (1 if abs(level) == 1 else 0.75)
        ax.add_collection(PathCollection([path], facecolors=color, edgecolors="none", alpha=alpha, zorder=1.5))
    if rings:
        _shade(ax, subject, style, extent)


def _tint(style: Style, level: int) -> str:
    known = [int(text) for text in style.levels.tints if (int(text) > 0) == (level > 0)]
    return style.levels.tints[str(min(known, key=lambda n: abs(n - level)))] if known else style.ground


def _closed(ring: Ring) -> tuple[Floats, list[int]]:
    """Return a ring as a closed path: quadratic curves from middle to middle, corners kept along the map's edge."""
    points, fixed = ring.points, ring.edge | np.roll(ring.edge, 1)
    middles = (points + np.roll(points, -1, 0)) / 2
    vertices: list[Floats] = [middles[-1]]
    codes = [1]
    for i, point in enumerate(points):
        vertices += [point, middles[i]]
        codes += [2, 2] if fixed[i] else [3, 3]
    return np.asarray([*vertices, middles[-1]]), [*codes, 79]


def _shade(ax: Axes, subject: Subject, style: Style, extent: tuple[float, float, float, float]) -> None:
    grid = subject.grid
    x0, y0, x1, y1 = extent
    # Large maps are looked at from afar: fewer samples there.
    samples = _SAMPLES if grid.cells <= 4000 else 5
    step = grid.hex_height / samples
    nx, ny = round((x1 - x0) / step), round((y1 - y0) / step)
    xs, ys = x0 + (np.arange(nx) + 0.5) * step, y0 + (np.arange(ny) + 0.5) * step
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) / np.asarray(grid.scale)
    cells = grid.cells_at(points)
    levels = np.where(cells < 0, 0, _heights(subject, style)[cells]).astype(float).reshape(ny, nx)
    # The shadow of a hill ends at a hollow; the shadows of a hollow's banks lie in it, not on the ground around.
    light = _light(np.maximum(levels, 0), samples)
    low = _in_hollows(subject, style, points).reshape(ny, nx)
    light[low] = _light(np.minimum(levels, 0), samples)[low]
    picture = np.empty((ny, nx, 4), dtype=np.uint8)
    for side, color in ((light >= 0, style.levels.light), (light < 0, style.levels.shade)):
        picture[side, :3] = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    picture[..., 3] = np.abs(light) * style.levels.relief * 0.255
    ax.imshow(picture, extent=(x0, x1, y1, y0), interpolation="bilinear", aspect="auto", zorder=3.5)


def _light(levels: Floats, samples: int) -> Floats:
    """Return the light on slopes: above 0 where they face north-west, below it where they face away."""
    for _ in range(3):
        levels = _blur(levels, round(samples * 0.3))
    gy, gx = np.gradient(levels, 1 / samples)
    return np.asarray(np.tanh((gx + gy) * 0.75))


def _in_hollows(subject: Subject, style: Style, points: Floats) -> NDArray[np.bool_]:
    """Tell which of some lattice points lie in a hollow: within the contour below level 0, or in an area drawn so."""
    import shapely

    scale = np.asarray(subject.grid.scale)
    hollows = [shapely.Polygon(ring.points / scale) for ring in level_rings(subject, style) if ring.level == -1]
    low = np.zeros(len(points), dtype=bool)
    for hollow in hollows:
        # A ring within a ring is ground that is not as low.
        low ^= shapely.contains_xy(hollow, points)
    for level, polygon in _drawn(subject, style):
        if level < 0:
            low |= shapely.contains_xy(polygon, points)
    return low


def _is_bed(style: Style, name: str) -> bool:
    return any(isinstance(mark, Channel) and mark.hachure for mark in style.look(name).marks)


def _blur(values: Floats, radius: int) -> Floats:
    """Blur by a box of 2 * radius + 1 samples, both ways; edges repeat."""
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(values, pad, mode="edge"), axis=axis)
        width = 2 * radius + 1
        high, low = np.split(total, [width], axis=axis)[1], np.take(total, np.arange(values.shape[axis]), axis=axis)
        values = (high - low) / width
    return values


def draw_contours(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    """Draw contour lines from the levels, but for levels whose contours the designer drew by hand (zorder 6)."""
    import shapely
    from matplotlib.path import Path

    from studio.draw.subject import catmull_rom

    by_hand = [f for f in subject.features.values() if kind_of(f) == "contour"]
    done = {f.level for f in by_hand}
    paths = [Path(*catmull_rom(map_points(subject.grid, f.line))) for f in by_hand]
    scale = np.asarray(subject.grid.scale)
    drawn = [
        (level, shapely.transform(polygon, lambda points: points * scale)) for level, polygon in _drawn(subject, style)
    ]
    along = _ALONG * subject.grid.hex_height
    for ring in level_rings(subject, style):
        # The contour below a depression is the upper level's.
        if (ring.level if ring.level > 0 else ring.level + 1) not in done:
            paths += [Path(vertices, codes) for vertices, codes in _beside_drawn(drawn, ring, along)]
    if paths:
        _paint_contours(ax, style, paths, line_scale)


def _beside_drawn(drawn: list[tuple[int, Any]], ring: Ring, along: float) -> list[tuple[Floats, list[int]]]:
    """Return the contour of a ring, without what runs in or along a hill that is drawn as an area of that level."""
    import shapely
    from matplotlib.path import Path

    pieces, sign = _open_pieces(ring), 1 if ring.level > 0 else -1
    hidden = [
        polygon.buffer(along) if level == ring.level else polygon
        for level, polygon in drawn
        if level * sign >= abs(ring.level)
    ]
    if not hidden:
        return pieces
    cover = shapely.union_all(hidden)
    found: list[tuple[Floats, list[int]]] = []
    for vertices, codes in pieces:
        points = np.vstack(Path(vertices, codes).to_polygons(closed_only=False))
        rest = shapely.LineString(points).difference(cover)
        if rest.equals(shapely.LineString(points)):
            found.append((vertices, codes))
            continue
        for part in shapely.get_parts(shapely.line_merge(rest) if rest.geom_type == "MultiLineString" else rest):
            line = shapely.get_coordinates(part)
            if len(line) > 1:
                found.append((line, [1, *[2] * (len(line) - 1)]))
    return found


def contour_sample(ax: Axes, style: Style, line_scale: float) -> None:
    """Draw a piece of a contour in a legend's box, 1.1547 wide and 0.5 high."""
    from matplotlib.path import Path

    points = [(0.05, 0.35), (0.4, 0.05), (0.75, 0.6), (1.1, 0.18)]
    _paint_contours(ax, style, [Path(points, [1, 4, 4, 4])], line_scale)


def _paint_contours(ax: Axes, style: Style, paths: list[Any], line_scale: float) -> None:
    from matplotlib.collections import PathCollection

    if paths:
        for width, alpha in ((style.levels.contour_width * 3.6, 0.22), (style.levels.contour_width, 1.0)):
            lines = PathCollection(
                paths,
                facecolors="none",
                edgecolors=style.levels.contour,
                linewidths=width * line_scale,
                alpha=alpha,
                joinstyle="round",
                capstyle="round",
                zorder=6,
            )
            ax.add_collection(lines)


def _open_pieces(ring: Ring) -> list[tuple[Floats, list[int]]]:
    """Return the parts of a ring that do not run along the map's edge."""
    if not ring.edge.any():
        return [_closed(ring)]
    count = len(ring.points)
    starts = [i for i in range(count) if not ring.edge[i] and ring.edge[i - 1]]
    pieces = []
    for start in starts:
        run = [start]
        while not ring.edge[run[-1] % count]:
            run.append(run[-1] + 1)
        points = ring.points[[i % count for i in run]]
        vertices, codes = [points[0]], [1]
        for i in range(1, len(points) - 1):
            vertices += [points[i], (points[i] + points[i + 1]) / 2 if i < len(points) - 2 else points[i + 1]]
            codes += [3, 3]
        if len(points) == 2:
            vertices, codes = [points[0], points[1]], [1, 2]
        pieces.append((np.asarray(vertices), codes))
    return pieces

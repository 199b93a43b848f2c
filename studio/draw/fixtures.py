"""What stands on the ground in matplotlib: walls, openings with their arrows, dots of hexes, triangles of levels."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.areas import area_look
from studio.draw.batch import Batch, Ink
from studio.draw.canvas import Canvas
from studio.draw.recording import belonging, marked, noted, owned
from studio.draw.shapes import ApertureLook, WallLook, looked_up
from studio.draw.style import Style
from studio.draw.subject import Floats, Subject, areas_of, kind_of, map_points

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = [
    "aperture_lines",
    "aperture_sample",
    "arrow_directions",
    "draw_apertures",
    "draw_dots",
    "draw_walls",
    "inner_dot",
    "wall_sample",
]

_WALL = WallLook(color="#4a4038", width=44)
_ARROW = ApertureLook(color="#c4161c")


def draw_walls(canvas: Canvas, subject: Subject) -> None:
    """Draw walls that are lines of their own, casings first so that they join (zorder 8.1)."""
    walls = [f for f in subject.features.values() if kind_of(f) == "wall"]
    by_type: dict[str, list[Any]] = {}
    for wall in walls:
        by_type.setdefault(wall.type, []).append(wall)
    looks = {kind: looked_up(canvas.style.walls, kind) or _WALL for kind in by_type}
    for kind in sorted(by_type, key=lambda kind: looks[kind].width):
        lines = [map_points(subject.grid, wall.line) for wall in by_type[kind]]
        _paint_walls(canvas, lines, looks[kind], [wall.id for wall in by_type[kind]])


def _paint_walls(canvas: Canvas, lines: list[Floats], look: WallLook, owners: Sequence[str] = ()) -> None:
    from matplotlib.collections import LineCollection

    def put(
        segments: list[Any], color: str, width: float, zorder: float, cap: str, alpha: float = 1.0, whose: Any = owners
    ) -> None:
        drawn = LineCollection(
            segments,
            colors=color,
            linewidths=canvas.width(width),
            alpha=alpha,
            capstyle=cap,
            joinstyle="miter",
            zorder=zorder,
        )
        canvas.ax.add_collection(belonging(drawn, whose))

    if look.shade:
        shadow = [line + look.shade * canvas.unit for line in lines]
        put(shadow, "#1c1712", look.casing_width or look.width, 8.05, "projecting", 0.34)
    if look.casing:
        put(lines, look.casing, look.casing_width, 8.1, "projecting")
    put(lines, look.color, look.width, 8.11, "butt" if look.casing else "projecting")
    if look.course:
        courses = [_courses([line], look, canvas.unit) for line in lines]
        whose = [owner for owner, some in zip(owners, courses, strict=False) for _ in some]
        put([one for some in courses for one in some], look.course_color, look.width * 0.22, 8.12, "butt", whose=whose)


def _courses(lines: list[Floats], look: WallLook, unit: float) -> list[Floats]:
    """Return short strokes across a wall, like the joints of its stones."""
    strokes = []
    for line in lines:
        for p, q in itertools.pairwise(line):
            length = float(np.hypot(*(q - p)))
            if not length:
                continue
            across = np.array([p[1] - q[1], q[0] - p[0]]) / length * look.width * unit / 2
            count = max(1, round(length / (look.course * unit)))
            for i in range(count):
                at = p + (q - p) * (i + 0.5) / count
                strokes.append(np.array([at - across, at + across]))
    return strokes


def wall_sample(canvas: Canvas, kind: str) -> None:
    """Draw a piece of a wall in a legend's box, 1.1547 wide and 0.5 high."""
    line = np.array([[0.2, 0.25], [0.95, 0.25]])
    _paint_walls(canvas, [line], looked_up(canvas.style.walls, kind) or _WALL)


# -- openings --------------------------------------------------------------------------------------------------------


def arrow_direction(grid: Any, at: tuple[int, int], cells: list[int], inner: tuple[int, int] | None = None) -> Floats:
    """Return the direction of an opening's arrow, of length 1 in map units, as its arc of fire has it.

    Parameters
    ----------
    grid : HexGrid
    at : (x, y)
        Where the opening is, on the lattice.
    cells : list of int
        One hex: along the row of hexes that begins with it. Two: along the side that they share.
    inner : (x, y), optional
        Dot of the location behind the opening, from which an arrow without a side of its own leads away.
    """
    from studio.rules.urban_operations.arcs import arrow_steps

    steps = map_points(grid, arrow_steps(grid, at, at if inner is None else inner, cells))
    way = (steps / np.hypot(*steps.T)[:, None]).sum(axis=0)
    length = float(np.hypot(*way))
    # Two that lead in opposite directions have no middle.
    return np.asarray(way / length if length > 1e-9 else steps[0] / float(np.hypot(*steps[0])))


def inner_dot(sites: Sites, opening: Any) -> tuple[int, int]:
    """Return the dot of the location behind an opening on the lattice; where it is itself without one."""
    number = None if sites.plain else sites.directory.find(opening.into)
    found: tuple[int, int] = opening.at if number is None else sites.directory.dot(number)
    return found


def arrow_directions(sites: Sites, opening: Any) -> list[Floats]:
    """Return the directions of the arrows of an opening, each of length 1 in map units."""
    inner = inner_dot(sites, opening)
    rows = [[sites.subject.labels.cell(text) for text in labels] for labels in opening.arrows]
    return [arrow_direction(sites.grid, opening.at, cells, inner) for cells in rows]


def aperture_lines(canvas: Canvas, sites: Sites, opening: Any) -> list[tuple[Floats, Floats]]:
    """Return the arrows of an opening as lines in map units."""
    look = looked_up(canvas.style.apertures, opening.type) or _ARROW
    at = map_points(sites.grid, [opening.at])[0]
    return [(at, at + way * look.length * canvas.unit) for way in arrow_directions(sites, opening)]


def draw_apertures(canvas: Canvas, sites: Sites) -> None:
    """Draw the arrows of openings out of their walls (zorder 8.4); one that is not open yet is dashed."""
    if canvas.px < canvas.style.zoom.marks:
        return
    for feature in owned(sites.subject.features.values()):
        if kind_of(feature) == "aperture":
            look = looked_up(canvas.style.apertures, feature.type) or _ARROW
            at = map_points(sites.grid, [feature.at])[0]
            _paint_aperture(canvas, look, at, arrow_directions(sites, feature), is_open=feature.open)


def _paint_aperture(canvas: Canvas, look: ApertureLook, at: Floats, ways: list[Floats], *, is_open: bool) -> None:
    shafts = [np.array([at, at + way * (look.length - look.head) * canvas.unit]) for way in ways]
    if look.cross:
        r = look.cross * canvas.unit / 2
        shafts += [np.array([at - arm, at + arm]) for arm in (np.array([r, r]), np.array([r, -r]))]
    heads = []
    for way in ways:
        across = np.array([-way[1], way[0]]) * look.head * 0.45 * canvas.unit
        base, tip = (at + way * length * canvas.unit for length in (look.length - look.head, look.length))
        heads.append(np.array([base + across, tip, base - across]))
    if not shafts:
        half = look.head * 0.5 * canvas.unit
        heads.append(np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + at)
    width = look.width * canvas.scale
    _shafts_and_heads(canvas, (shafts, heads), (look.halo, look.halo), width * 1.9, 8.4)
    _shafts_and_heads(canvas, (shafts, heads), (look.color, look.color if is_open else "#ffffff"), width, 8.42, is_open)


def _shafts_and_heads(
    canvas: Canvas,
    shapes: tuple[list[Floats], list[Floats]],
    inks: tuple[str, str],
    width: float,
    zorder: float,
    whole: bool = True,
) -> None:
    shafts, heads = shapes
    color, inside = inks
    line = Ink(zorder, edge=color, width=max(0.8, width), dash="solid" if whole else [(0, (1.5, 0.9))])
    for shaft in shafts:
        canvas.shape(shaft, line, closed=False)
    for head in heads:
        canvas.shape(head, Ink(zorder + 0.005, inside, color, max(0.6, width * 0.45)))


def aperture_sample(canvas: Canvas, kind: str) -> None:
    """Draw an opening's arrow in a legend's box, 1.1547 wide and 0.5 high."""
    look = looked_up(canvas.style.apertures, kind) or _ARROW
    _paint_aperture(canvas, look, np.array([0.4, 0.25]), [np.array([1.0, 0.0])], is_open=True)


# -- dots of hexes ---------------------------------------------------------------------------------------------------


def draw_dots(canvas: Canvas, sites: Sites, cells: NDArray[np.int64]) -> None:
    """Draw the dots of hexes that are not in the middle, or all, and the triangles of levels (zorder 8.6)."""
    subject, style = sites.subject, canvas.style
    levels = hex_levels(sites, style) if style.triangles.colors else {}
    look = style.dots
    beside = cells_beside(sites) if look.beside else frozenset()
    if not (levels or sites.moved or look.every or beside):
        return
    dots: dict[str, list[Floats]] = {}
    triangles: dict[str, list[Floats]] = {}
    terrain = [subject.terrain_ids[i] for i in subject.terrain.ravel()[cells].tolist()]
    for cell, name in zip(cells.tolist(), terrain, strict=True):
        if not style.look(name).outlined:
            continue
        level = levels.get(cell, 0)
        color = style.triangles.colors.get(str(level)) if level else None
        if color:
            triangles.setdefault(color, []).append(_triangle(subject, style, cell, level))
        if cell in sites.moved or cell in beside or color or look.every:
            dots.setdefault(color or look.by_terrain.get(name, look.color), []).append(sites.hex_dot(cell))
    if canvas.px >= look.from_px:
        with noted(low=look.from_px):
            _paint_dots(canvas, dots)
    if canvas.px >= style.triangles.from_px:
        with noted(low=style.triangles.from_px):
            _paint_triangles(canvas, triangles)


def _paint_dots(canvas: Canvas, dots: dict[str, list[Floats]]) -> None:
    look, batch = canvas.style.dots, Batch()
    for color, points in dots.items():
        for tint, size, zorder in ((look.halo, 1.45, 8.6), (color, 1.0, 8.61)):
            for at in points:
                canvas._replace(batch=batch).disc(at, look.size * size * canvas.unit / 2, Ink(zorder, tint))
    batch.flush(canvas.ax)


def _paint_triangles(canvas: Canvas, triangles: dict[str, list[Floats]]) -> None:
    from matplotlib.collections import PolyCollection

    for color, shapes in triangles.items():
        drawn = PolyCollection(
            shapes, facecolors=color, edgecolors="#ffffff", linewidths=canvas.width(14, 0.5), zorder=8.6
        )
        canvas.ax.add_collection(marked(drawn))


def triangle_sample(canvas: Canvas, level: int) -> None:
    """Draw the triangle of a level with its dot in a legend's box, 1.1547 wide and 0.5 high."""
    color = canvas.style.triangles.colors[str(level)]
    _paint_triangles(canvas, {color: [_triangle_at(canvas.style, np.array([0.48, 0.25]), level, canvas.unit)]})
    _paint_dots(canvas, {color: [np.array([0.7, 0.25])]})


def dot_sample(canvas: Canvas, color: str) -> None:
    """Draw the dot of a hex in a legend's box, 1.1547 wide and 0.5 high."""
    _paint_dots(canvas, {color: [np.array([0.577, 0.25])]})


def used_dots(sites: Sites, style: Style) -> dict[str, str]:
    """Return the colours of the dots of hexes that are drawn, by the id of the terrain; "" for any other."""
    subject, look = sites.subject, style.dots
    some = set(sites.moved) | (cells_beside(sites) if look.beside else set())
    if not look.every and not some:
        return {}
    terrain = subject.terrain.ravel()
    cells = np.flatnonzero(subject.grid.present.ravel()) if look.every else np.array(sorted(some))
    names = {subject.terrain_ids[i] for i in np.unique(terrain[cells]).tolist()}
    shown = {name for name in names if style.look(name).outlined}
    own = {name: look.by_terrain[name] for name in sorted(shown) if name in look.by_terrain}
    return {**({"": look.color} if shown - set(own) else {}), **own}


def cells_beside(sites: Sites) -> frozenset[int]:
    """Return the hexes that a drawn area or wall touches: where what lies inside and outside must be seen."""
    import shapely

    from studio.survey.shapes import polygon_of

    if "beside" not in sites.kept:
        shapes: list[Any] = [polygon_of(area) for area in areas_of(sites.subject)]
        walls = [f for f in sites.subject.features.values() if kind_of(f) == "wall"]
        shapes += [shapely.LineString(wall.line) for wall in walls]
        found: set[int] = set()
        if shapes:
            grid = sites.grid
            corners = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
            cells = np.flatnonzero(grid.present.ravel())
            hexes = shapely.polygons(grid.centres[cells][:, None, :] + corners[None])
            found = set(cells[shapely.STRtree(hexes).query(shapes, predicate="intersects")[1]].tolist())
        sites.kept["beside"] = frozenset(found)
    beside: frozenset[int] = sites.kept["beside"]
    return beside


def hex_levels(sites: Sites, style: Style) -> dict[int, int]:
    """Return the level of every hex that is not on level 0: its own, or that of an area with triangles on its dot."""
    import shapely

    from studio.survey.shapes import polygon_of

    subject = sites.subject
    plane, present = subject.levels.ravel(), subject.grid.present.ravel()
    found = {cell: int(plane[cell]) for cell in np.flatnonzero((plane != 0) & present).tolist()}
    areas = [area for area in areas_of(subject) if area.level and area_look(style, area.type).triangles]
    if areas:
        dots = subject.grid.centres.copy()
        for cell, dot in sites.moved.items():
            dots[cell] = dot
        tree = shapely.STRtree(shapely.points(dots))
        for area in areas:
            for cell in tree.query(polygon_of(area), predicate="intersects").tolist():
                if present[cell] and abs(area.level) > abs(found.get(cell, 0)):
                    found[cell] = area.level
    return found


def _triangle(subject: Subject, style: Style, cell: int, level: int) -> Floats:
    look, unit = style.triangles, subject.grid.hex_height / 1000
    at = np.asarray(subject.grid.to_map(*subject.grid.centre(cell))) + np.asarray(look.place) * unit
    return _triangle_at(style, at, level, unit)


def _triangle_at(style: Style, at: Floats, level: int, unit: float) -> Floats:
    r = style.triangles.size * unit / 2 * (1 if level > 0 else -1)
    return np.asarray(at + np.array([[0, -r], [0.95 * r, 0.75 * r], [-0.95 * r, 0.75 * r]]))

"""Drawn areas in matplotlib: floors with their patterns, shadows, outlines, shared borders and slopes.

Outlines are drawn exactly as the map has them, corner by corner: lines of sight are judged by them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.hexunit import hash3
from studio.draw.recording import Pattern, belonging, current, lay_pattern, marked, noted
from studio.draw.shapes import AreaLook, Over, looked_up
from studio.draw.style import Style
from studio.draw.subject import Floats, Subject, areas_of, map_points

__all__ = ["area_look", "area_sample", "draw_areas", "polygon_path", "ring_path", "stroke"]

_FLOOR, _FLOOR_OVER, _OVER, _EDGE = 4.4, 5.3, 5.6, 5.7  # zorders; _FLOOR_OVER hides the outlines of hexes (5)
_PLAIN = AreaLook(fill="#d8cbb4", edge="#4b4138")
_PATTERN_PX = 20
_SAMPLE = ((0.16, 0.08), (0.99, 0.08), (0.99, 0.42), (0.16, 0.42), (0.16, 0.08))
_CLOSED = np.array([*_SAMPLE, _SAMPLE[1]])


def area_look(style: Style, kind: str) -> AreaLook:
    """Return how the areas of a type look."""
    return looked_up(style.areas, kind) or _PLAIN


def ring_path(grid: Any, rings: Iterable[Sequence[tuple[int, int]]]) -> Any:
    """Return rings of lattice points as one closed path in map units; all after the first are holes in it."""
    from matplotlib.path import Path

    vertices, codes = [], []
    for n, ring in enumerate(rings):
        points = map_points(grid, [*ring, ring[0]])
        # What is wound the other way round stays empty.
        points = points if (_turn(points) > 0) == (n == 0) else points[::-1]
        vertices.append(points)
        codes += [1, *[2] * (len(points) - 2), 79]
    return Path(np.vstack(vertices), codes)


def polygon_path(polygon: Any) -> Any:
    """Return a shapely polygon, or several, in map units as one path."""
    import shapely
    from matplotlib.path import Path

    vertices, codes = [], []
    for part in shapely.get_parts(polygon):
        for ring in (part.exterior, *part.interiors):
            points = shapely.get_coordinates(ring)
            vertices.append(points)
            codes += [1, *[2] * (len(points) - 2), 79]
    return Path(np.vstack(vertices), codes)


def draw_areas(canvas: Canvas, subject: Subject, *, shared: bool = True) -> None:
    """Draw floors, from the lowest rank to the highest, and above them outlines, the other way round.

    The borders that areas of one type share are drawn with `shared`; without, another does it.
    """
    areas, style = areas_of(subject), canvas.style
    if not areas:
        return
    ranked = sorted(areas, key=lambda area: area_look(style, area.type).rank)
    for n, (rank, found) in enumerate(itertools.groupby(ranked, key=lambda area: area_look(style, area.type).rank)):
        group = list(found)
        for over in (False, True):
            layer = [area for area in group if area_look(style, area.type).under_grid != over]
            zorder = (_FLOOR_OVER if over else _FLOOR) + 0.02 * n
            _shadows(canvas, subject, layer, zorder)
            for kind, alike in itertools.groupby(sorted(layer, key=_type), key=_type):
                _floors(canvas, subject, area_look(style, kind), list(alike), zorder + 0.01)
        _edges(canvas, subject, group, _EDGE - 0.01 * rank)
    if shared:
        _shared(canvas, subject, areas)
    for area in areas:
        look = area_look(style, area.type)
        _lay_over(canvas, subject, area, [look.over, *(look.over_tags.get(tag) for tag in area.tags)])


def _lay_over(canvas: Canvas, subject: Subject, area: Any, layers: Sequence[Over | None]) -> None:
    """Lay tints and patterns over an area and the floors in it, below the outlines."""
    for layer in layers:
        if layer is None:
            continue
        path = _path(subject, area)
        if layer.fill:
            canvas.put(path, Ink(_OVER, layer.fill, alpha=layer.opacity / 1000))
        if layer.pattern != "none" and canvas.px >= _PATTERN_PX:
            _pattern(canvas, layer, [path], _OVER + 0.01)


def _type(area: Any) -> str:
    return str(area.type)


def _path(subject: Subject, area: Any) -> Any:
    return marked(ring_path(subject.grid, (area.outline, *area.holes)), area.id)


def _shadows(canvas: Canvas, subject: Subject, areas: Sequence[Any], zorder: float) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    for area in areas:
        shade = area_look(canvas.style, area.type).shade * canvas.unit
        if shade:
            body = _path(subject, area)
            shadow = marked(Path(body.vertices + shade, body.codes), area.id)
            canvas.ax.add_collection(
                PathCollection([shadow], facecolors="#1c1712", edgecolors="none", alpha=0.34, zorder=zorder)
            )


def _floors(canvas: Canvas, subject: Subject, look: AreaLook, areas: Sequence[Any], zorder: float) -> None:
    from matplotlib.collections import PathCollection

    by_color: dict[str, list[Any]] = {}
    for area in areas:
        color = look.fill
        if look.tint_level and area.level:
            color = canvas.style.tinted(look.fill or canvas.style.ground, area.level)
        if color:
            by_color.setdefault(color, []).append(_path(subject, area))
    for color, paths in by_color.items():
        canvas.ax.add_collection(
            PathCollection(paths, facecolors=color, edgecolors="none", alpha=look.opacity / 1000, zorder=zorder)
        )
    if look.pattern != "none" and canvas.px >= _PATTERN_PX:
        _pattern(canvas, look, [_path(subject, area) for area in areas], zorder + 0.005)


def _pattern(canvas: Canvas, look: AreaLook | Over, paths: Sequence[Any], zorder: float) -> None:
    """Draw the pattern of some floors, cut to them; it goes on from one area to the next."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.path import Path
    from matplotlib.transforms import Bbox

    pitch, width = look.pitch * canvas.unit, canvas.width(look.stroke, 0.3)
    if current() is not None:
        with noted(low=_PATTERN_PX):
            lay_pattern(canvas.ax, paths, Pattern(look.pattern, pitch), look.ink, width, zorder)
        return
    # Cut to the axes here: the clip path of the areas takes the place of the axes' own.
    (left, right), (bottom, top) = canvas.ax.get_xlim(), canvas.ax.get_ylim()
    frame = Bbox([[left, min(top, bottom)], [right, max(top, bottom)]])
    cut = [path for path in (path.clip_to_bbox(frame) for path in paths) if len(path.vertices)]
    if not cut:
        return
    boxes = [(*path.vertices.min(axis=0), *path.vertices.max(axis=0)) for path in cut]
    collection: Any
    if look.pattern in ("dots", "debris"):
        bits = [bit for box in boxes for bit in _bits(look, box, pitch)]
        collection = PolyCollection(bits, facecolors=look.ink, edgecolors="none", zorder=zorder)
    else:
        lines = [line for box in boxes for line in _lines(look.pattern, box, pitch)]
        collection = LineCollection(lines, colors=look.ink, linewidths=width, zorder=zorder)
    collection.set_clip_path(Path.make_compound_path(*cut), transform=canvas.ax.transData)
    canvas.ax.add_collection(collection, autolim=False)


def _bits(look: AreaLook | Over, box: tuple[float, float, float, float], pitch: float) -> list[Floats]:
    """Return small dots, or angular bits of debris of uneven size, on a jittered lattice."""
    x0, y0, x1, y1 = box
    bits = []
    for j in range(int(np.floor(y0 / pitch)), int(np.ceil(y1 / pitch)) + 1):
        for i in range(int(np.floor(x0 / pitch)), int(np.ceil(x1 / pitch)) + 1):
            h = hash3(i & 0xFFFF, j & 0xFFFF, 11)
            at = np.array([i + (h % 100) / 140, j + (h >> 8) % 100 / 140]) * pitch
            size, corners = pitch * 0.14, 8
            if look.pattern == "debris":
                size, corners = pitch * (0.12 + (h >> 16) % 100 / 420), 3 + (h >> 24) % 3
            turn = (h >> 4) % 360
            angles = np.radians(turn + np.arange(corners) * 360 / corners)
            bits.append(at + size * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return bits


def _lines(pattern: str, box: tuple[float, float, float, float], pitch: float) -> list[Any]:
    """Return the lines of a hatch, of planks or of slabs (in courses, like bricks)."""
    x0, y0, x1, y1 = box
    rows = np.arange(np.floor(y0 / pitch), np.ceil(y1 / pitch) + 1)
    columns = np.arange(np.floor(x0 / pitch), np.ceil(x1 / pitch) + 1)
    if pattern in ("hatch", "cross"):
        # Each a line of one family over the whole map, so that the hatch goes on from one area to the next.
        rising = np.arange(np.floor((x0 + y0) / pitch), np.ceil((x1 + y1) / pitch) + 1) * pitch
        lines = [[(at - y1, y1), (at - y0, y0)] for at in rising]
        falling = np.arange(np.floor((x0 - y1) / pitch), np.ceil((x1 - y0) / pitch) + 1) * pitch
        return lines + ([[(at + y0, y0), (at + y1, y1)] for at in falling] if pattern == "cross" else [])
    lines = [[(x0, y * pitch), (x1, y * pitch)] for y in rows]
    if pattern == "slabs":
        lines += [
            [((x + 0.5 * (y % 2)) * pitch, y * pitch), ((x + 0.5 * (y % 2)) * pitch, (y + 1) * pitch)]
            for y in rows
            for x in columns
        ]
    return lines


# -- outlines --------------------------------------------------------------------------------------------------------


def _edges(canvas: Canvas, subject: Subject, areas: Sequence[Any], zorder: float) -> None:
    shared = _shared_segments(areas, canvas.style)
    for kind, found in itertools.groupby(sorted(areas, key=_type), key=_type):
        look, alike = area_look(canvas.style, kind), list(found)
        lines, owners = [], []
        for area in alike:
            open_lines = _open_lines(area, shared.get(area.id, []))
            lines += [map_points(subject.grid, line) for line in open_lines]
            owners += [area.id] * len(open_lines)
        _outline(canvas, look, lines, zorder, owners)
        if look.edge and look.slope:
            for area in alike:
                ticks = _hachures(subject.grid, area, look)
                stroke(canvas, ticks, look.edge, look.width * 0.62, (), zorder, [area.id] * len(ticks))


def _outline(canvas: Canvas, look: AreaLook, lines: Sequence[Any], zorder: float, owners: Sequence[str] = ()) -> None:
    if look.edge and look.casing:
        stroke(canvas, lines, look.casing, look.casing_width, (), zorder, owners)
    if look.edge:
        stroke(canvas, lines, look.edge, look.width, look.dash, zorder + 0.005, owners)


def stroke(
    canvas: Canvas,
    lines: Sequence[Any],
    color: str,
    width: float,
    dash: tuple[int, ...],
    zorder: float,
    owners: Sequence[str] = (),
) -> None:
    """Draw lines in map units, mitred, dashed or not; `owners` are the ids of the features that they belong to."""
    from matplotlib.collections import LineCollection

    points = canvas.width(width)
    drawn = LineCollection(
        list(lines),
        colors=color,
        linewidths=points,
        linestyles=canvas.dash(dash, points),
        capstyle="butt" if dash else "projecting",
        joinstyle="miter",
        zorder=zorder,
    )
    canvas.ax.add_collection(belonging(drawn, owners))


def _shared_segments(areas: Sequence[Any], style: Style) -> dict[str, list[Any]]:
    """Return, by the id of an area, the pieces of its outline that it shares with others of its type."""
    from studio.survey.borders import find_borders

    by_type: dict[str, list[Any]] = {}
    for area in areas:
        if area_look(style, area.type).shared is not None:
            by_type.setdefault(area.type, []).append(area)
    found: dict[str, list[Any]] = {}
    for alike in by_type.values():
        for border in find_borders(alike):
            for name in (border.a, border.b):
                found.setdefault(name, []).extend(border.segments)
    return found


def _open_lines(area: Any, shared: Sequence[Any]) -> list[Any]:
    """Return the outline as lines, without the pieces that it shares."""
    rings = [[*ring, ring[0]] for ring in (area.outline, *area.holes)]
    if not shared:
        # Once more to the second corner, so that the first is mitred like all others.
        return [[*ring, ring[1]] for ring in rings]
    import shapely

    whole = shapely.union_all([shapely.LineString(ring) for ring in rings])
    rest = whole.difference(shapely.MultiLineString([list(segment) for segment in shared]))
    merged = shapely.line_merge(rest) if rest.geom_type == "MultiLineString" else rest
    return [list(part.coords) for part in shapely.get_parts(merged) if part.geom_type == "LineString"]


def _shared(canvas: Canvas, subject: Subject, areas: Sequence[Any]) -> None:
    kinds = {area.id: area.type for area in areas}
    segments: dict[str, set[Any]] = {}
    for name, found in _shared_segments(areas, canvas.style).items():
        segments.setdefault(kinds[name], set()).update(found)
    for kind, pieces in sorted(segments.items()):
        look = area_look(canvas.style, kind).shared
        if look is not None:
            lines = [map_points(subject.grid, piece) for piece in sorted(pieces)]
            stroke(canvas, lines, look.color, look.width, look.dash, _EDGE + 0.02)


def _hachures(grid: Any, area: Any, look: AreaLook) -> list[Floats]:
    """Return short strokes downhill from the outline: outwards from a hill, inwards from a hollow."""
    ticks = []
    length, pitch = look.slope / 1000 * grid.hex_height, 0.085 * grid.hex_height
    for ring, hole in ((area.outline, False), *((ring, True) for ring in area.holes)):
        points = map_points(grid, [*ring, ring[0]])
        # With y down a ring of positive area runs clockwise, and its inside lies to the right of its way.
        way = _turn(points) * (-1 if hole else 1) * (1 if area.level >= 0 else -1)
        for p, q in itertools.pairwise(points):
            run = float(np.hypot(*(q - p)))
            if not run:
                continue
            u = (q - p) / run
            out = np.array([u[1], -u[0]]) * way
            count = max(1, round(run / pitch))
            for i in range(count):
                foot = p + (q - p) * (i + 0.5) / count
                ticks.append(np.array([foot, foot + out * length * (1.0 if i % 2 else 0.6)]))
    return ticks


def _turn(points: Floats) -> int:
    """Return 1 for a closed ring that runs clockwise on a sheet with y down, else -1."""
    x, y = points[:-1].T
    return 1 if float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) >= 0 else -1


def area_sample(canvas: Canvas, kind: str) -> None:
    """Draw a piece of an area in a legend's box, 1.1547 wide and 0.5 high."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    look, style = area_look(canvas.style, kind), canvas.style
    box = Path(_SAMPLE, [1, 2, 2, 2, 79])
    fill = look.fill or (style.tinted(style.ground, 1) if look.tint_level else "none")
    canvas.ax.add_patch(PathPatch(box, facecolor=fill, edgecolor="none", alpha=look.opacity / 1000, zorder=1))
    if look.pattern != "none":
        _pattern(canvas, look, [box], 2)
    _outline(canvas, look, [_CLOSED], 5)

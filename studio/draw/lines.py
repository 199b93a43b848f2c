"""Hex outlines, frame, roads, bridges, hexside lines and crests in matplotlib."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.parts import Road, SideLine
from studio.draw.style import Style
from studio.draw.subject import Floats, Subject, catmull_rom, kind_of, map_points, road_points, roads_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_crests", "draw_frame", "draw_hex_lines", "draw_roads", "draw_sides"]

_PLAIN = SideLine(color="#5b4636", width=60)


# Arms of a tick along and across its hexside; the middle ticks of a breached line are left out.
_ARMS = {"cross": ((1, 1), (1, -1)), "breach": ((1, 1), (1, -1)), "ramp": ((0, 1),)}


def draw_hex_lines(ax: Axes, subject: Subject, style: Style, line_scale: float, cells: NDArray[np.int64]) -> None:
    """Draw every hexside once, thin and see-through, and the border of the map a little stronger (zorder 5)."""
    from matplotlib.collections import LineCollection

    grid = subject.grid
    table = grid.neighbour_table[cells]
    shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
    corners = grid.centres[cells][:, None, :] + shape[None, :, :]
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)
    shown = np.array([style.look(name).outlined for name in subject.terrain_ids])[subject.terrain.ravel()]
    # A side is drawn once, and where at least one of its two hexes is played on.
    inner = (table > cells[:, None]) & (shown[cells][:, None] | shown[np.maximum(table, 0)])
    outer = (table < 0) & shown[cells][:, None]
    look = style.lines
    for mask, width, alpha in ((inner, look.hex_width, look.hex_opacity / 1000), (outer, look.hex_width * 2, 0.8)):
        segments = map_points(grid, ends[mask].reshape(-1, 2)).reshape(-1, 2, 2)
        lines = LineCollection(
            list(segments),
            colors=look.hex_color,
            linewidths=max(0.3, width * line_scale),
            alpha=alpha,
            capstyle="round",
            zorder=5,
        )
        ax.add_collection(lines)


def draw_frame(ax: Axes, subject: Subject, style: Style, line_scale: float, *, clip: bool = False) -> None:
    """Draw the frame line around the playing area (zorder 20); `clip` cuts it to the axes, for a part of a map."""
    from matplotlib.patches import Rectangle

    x0, y0, x1, y1 = subject.grid.frame
    (left, top), (right, bottom) = subject.grid.to_map(x0, y0), subject.grid.to_map(x1, y1)
    frame = Rectangle(
        (left, top),
        right - left,
        bottom - top,
        fill=False,
        edgecolor=style.lines.frame_color,
        linewidth=max(0.8, style.lines.frame_width * line_scale),
        clip_on=clip,
        zorder=20,
    )
    ax.add_patch(frame)


def draw_roads(ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float) -> None:
    """Draw roads, casings first so that they join, and bridges where a road meets a river or dry bed (zorder 7)."""
    from matplotlib.path import Path

    groups: dict[str, list[Any]] = {}
    for road, cells in roads_of(subject):
        drawn = getattr(road, "line", ())
        points = map_points(subject.grid, drawn) if drawn else road_points(subject.grid, cells)
        if len(points) > 1:
            groups.setdefault(road.surface, []).append(Path(*catmull_rom(points)))

    _paint_roads(ax, style, groups, hex_px, line_scale)
    _draw_bridges(ax, subject, style, line_scale)


def _paint_roads(ax: Axes, style: Style, groups: dict[str, list[Any]], hex_px: float, line_scale: float) -> None:
    # Unpaved first: a paved road runs over the tracks that reach it.
    looks = sorted(((_road(style, s), paths) for s, paths in groups.items()), key=lambda pair: pair[0].fill_width)
    for look, paths in looks:
        dash: Sequence[float] = look.dash if hex_px >= style.zoom.full else ()
        _put(ax, paths, look.casing, max(1.4, look.casing_width * line_scale), [d * line_scale for d in dash], 7)
        _put(ax, paths, look.fill, max(0.7, look.fill_width * line_scale), (), 7.2)
        if look.centre is not None and look.centre_width and hex_px >= 40:
            dash = [d * line_scale for d in look.centre_dash]
            _put(ax, paths, look.centre, look.centre_width * line_scale, dash, 7.3)


def _put(ax: Axes, paths: list[Any], color: str, width: float, dash: Sequence[float], zorder: float) -> None:
    from matplotlib.collections import PathCollection

    # Dashes of a collection are multiples of its line width.
    lines = PathCollection(
        paths,
        facecolors="none",
        edgecolors=color,
        linewidths=width,
        linestyles=[(0, [d / width for d in dash])] if dash else "solid",
        capstyle="butt" if dash else "round",
        joinstyle="round",
        zorder=zorder,
    )
    ax.add_collection(lines)


def road_sample(ax: Axes, style: Style, surface: str, line_scale: float) -> None:
    """Draw a piece of road in a legend's box, 1.1547 wide and 0.5 high."""
    from matplotlib.path import Path

    _paint_roads(ax, style, {surface: [Path([(0, 0.25), (1.1547, 0.25)])]}, 60, line_scale)


def side_sample(ax: Axes, style: Style, kind: str, line_scale: float) -> None:
    """Draw a hexside line in a legend's box, 1.1547 wide and 0.5 high."""
    ends = [np.array([[0.288, 0.25], [0.866, 0.25]])]
    _side_lines(ax, ends, style.lines.sides.get(kind, _PLAIN), 0.001, line_scale)


def _road(style: Style, surface: str) -> Road:
    roads = style.lines.roads
    return roads.get(surface) or next(iter(roads.values()))


def _draw_bridges(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    from matplotlib.collections import LineCollection

    decks: list[Floats] = []
    walls: list[Floats] = []
    look = style.lines.bridge
    unit = subject.grid.hex_height / 1000
    half, reach = look.width * unit / 2, look.length * unit / 2
    flare = half * 0.7
    for middle, u in (*_wet_hexes(subject, style), *_wet_sides(subject, style)):
        across = np.array([-u[1], u[0]])
        p, q = middle - u * reach, middle + u * reach
        decks.append(np.array([p, q]))
        walls += [
            np.array(
                [
                    p + across * side * (half + flare) - u * flare,
                    p + across * side * half,
                    q + across * side * half,
                    q + across * side * (half + flare) + u * flare,
                ]
            )
            for side in (-1, 1)
        ]
    if decks:
        ax.add_collection(
            LineCollection(decks, colors=look.deck, linewidths=look.width * line_scale, capstyle="butt", zorder=6.9)
        )
        ax.add_collection(
            LineCollection(
                walls, colors=look.color, linewidths=max(0.8, 28 * line_scale), joinstyle="round", zorder=7.5
            )
        )


def _wet_hexes(subject: Subject, style: Style) -> Iterator[tuple[Floats, Floats]]:
    """Yield the middle and the direction of each bridge in a hex that roads run through on one."""
    grid, index = subject.grid, subject.terrain.ravel()
    for _, cells in roads_of(subject):
        points = road_points(grid, cells)
        start = next((i for i, p in enumerate(points) if np.allclose(p, grid.to_map(*grid.centre(cells[0])))), 0)
        for i, cell in enumerate(cells, start):
            if style.look(subject.terrain_ids[int(index[cell])]).bridged:
                along = points[min(i + 1, len(points) - 1)] - points[max(i - 1, 0)]
                length = float(np.hypot(*along))
                if length:
                    yield points[i], along / length


def _wet_sides(subject: Subject, style: Style) -> Iterator[tuple[Floats, Floats]]:
    """Yield the middle and the direction of each bridge over what runs on a hexside."""
    wet = {kind for kind, look in style.lines.sides.items() if look.bridged}
    if not wet:
        return
    for _, cells in roads_of(subject):
        for a, b in itertools.pairwise(cells):
            if wet.intersection(subject.sides.get((min(a, b), max(a, b)), ())):
                p, q = map_points(subject.grid, [subject.grid.centre(a), subject.grid.centre(b)])
                yield (p + q) / 2, (q - p) / float(np.hypot(*(q - p)))


def draw_sides(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    """Draw what runs on hexsides: a line with a halo, and ticks (zorder 8; what roads bridge below them, 6.6)."""
    kinds = sorted({kind for found in subject.sides.values() for kind in found})
    for kind in kinds:
        pairs = [pair for pair, found in sorted(subject.sides.items()) if kind in found]
        ends = [map_points(subject.grid, subject.grid.side_ends(*pair)) for pair in pairs]
        _side_lines(ax, ends, style.lines.sides.get(kind, _PLAIN), subject.grid.hex_height / 1000, line_scale)


def _side_lines(ax: Axes, ends: list[Floats], look: SideLine, unit: float, line_scale: float) -> None:
    from matplotlib.collections import LineCollection

    ticks: list[Floats] = []
    rails = (
        ends
        if look.tick != "breach"
        else [np.array(s) for p, q in ends for s in ((p, p + (q - p) * 0.3), (q, q + (p - q) * 0.3))]
    )
    arms = _ARMS.get(look.tick, ())
    for p, q in ends:
        length = float(np.hypot(*(q - p)))
        u = (q - p) / length
        across = np.array([-u[1], u[0]])
        count = max(2, round(length / (look.tick_pitch * unit)))
        for i in range(count):
            middle = p + (q - p) * (i + 0.5) / count
            for a, b in () if look.tick == "breach" and 0 < i < count - 1 else arms:
                arm = (u * a + across * b) * look.tick_size * unit / 2
                ticks.append(np.array([middle - arm, middle + arm]))
    layers: list[tuple[list[Floats], str | None, float, list[int]]] = [
        (rails, look.halo, look.halo_width, []),
        (rails, look.color, look.width, look.dash),
        (ticks, look.color, look.width * 0.9, []),
    ]
    for segments, color, width, dash in layers:
        if segments and color:
            points = max(0.6, width * line_scale)
            lines = LineCollection(
                segments,
                colors=color,
                linewidths=points,
                linestyles=[(0, [d * line_scale / points for d in dash])] if dash else "solid",
                capstyle="butt" if dash else "round",
                zorder=6.6 if look.bridged else 8,
            )
            ax.add_collection(lines)


def stairs(points: Floats) -> Floats:
    """Return the corners of the stairs of a crest through hex centres: over, down, over."""
    out = [points[0]]
    for before, point in itertools.pairwise(points):
        x = (before[0] + point[0]) / 2
        out += [np.array([x, before[1]]), np.array([x, point[1]]), point]
    return np.asarray(out)


def draw_crests(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    """Draw crest lines as shaded stairs (zorder 6.5)."""
    grid = subject.grid
    chains = [
        stairs(map_points(grid, [grid.centre(subject.labels.cell(text)) for text in f.path]))
        for f in subject.features.values()
        if kind_of(f) == "crest"
    ]
    if not chains:
        return
    _paint_crests(ax, style, chains, grid.hex_height / 1000, line_scale)


def crest_sample(ax: Axes, style: Style, line_scale: float) -> None:
    """Draw a piece of a crest line in a legend's box, 1.1547 wide and 0.5 high."""
    _paint_crests(ax, style, [stairs(np.array([[0.1, 0.13], [1.05, 0.38]]))], 0.001, line_scale)


def _paint_crests(ax: Axes, style: Style, chains: list[Floats], unit: float, line_scale: float) -> None:
    from matplotlib.collections import LineCollection

    look = style.lines.crest
    shift = look.width * 0.45 * unit
    for move, color, width in ((shift, look.shade, look.width), (-0.6 * shift, look.light, look.width * 0.8)):
        lines = LineCollection(
            [chain + move for chain in chains],
            colors=color,
            linewidths=width * line_scale,
            alpha=look.opacity / 1000,
            capstyle="butt",
            joinstyle="round",
            zorder=6.5,
        )
        ax.add_collection(lines)

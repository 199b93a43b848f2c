"""The ground in matplotlib: tints, patches and marks as a few collections, one a colour and layer."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.draw.glyphs import parse_path
from studio.draw.hexunit import Key, Mark
from studio.draw.marks import mark_key, place
from studio.draw.parts import Channel, Fields, Rows, Scatter
from studio.draw.style import Style, toned
from studio.draw.subject import POINTY, Floats, Subject, end_bits, map_points, road_bits

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Pen", "draw_fills", "draw_marks", "glyph_path"]

_CODES = {"M": 1, "L": 2, "Q": 3, "C": 4, "Z": 79}
_RASTER_PX = 5
_MOVE, _LINE, _CURVE, _CLOSE = 1, 2, 3, 79


class Ink(NamedTuple):
    """How one path of a hex is drawn; paths of equal ink make one collection, in the order of the fields."""

    order: int
    terrain: str
    fill: str
    stroke: str
    width: float
    opacity: int
    butt: bool


class Pen:
    """Vertices and codes of one compound path."""

    def __init__(self) -> None:
        self.vertices: list[Any] = []
        self.codes: list[int] = []
        self._glyphs: list[tuple[Floats, Any]] = []

    def stamp(self, vertices: Floats, codes: Any) -> None:
        """Add a whole piece as arrays."""
        self._glyphs.append((vertices, codes))

    def arrays(self, flat: bool = True) -> tuple[Floats, Any]:
        """Return all vertices, shape (n, 2), and codes; without `flat`, x and y change places but in stamped pieces."""
        pieces = list(self._glyphs)
        if self.vertices:
            vertices = np.asarray(self.vertices, dtype=float)
            pieces.append((vertices if flat else vertices[:, ::-1], np.asarray(self.codes, dtype=np.uint8)))
        return np.concatenate([v for v, _ in pieces]), np.concatenate([c for _, c in pieces])

    def add(self, code: int, *points: tuple[float, float]) -> None:
        """Add points of one code."""
        self.vertices += points
        self.codes += [code] * len(points)

    def line(self, flat: Sequence[float], shift: tuple[float, float] = (0, 0), close: bool = False) -> None:
        """Add a polyline, given as x, y, x, y and so on."""
        points = [(flat[i] + shift[0], flat[i + 1] + shift[1]) for i in range(0, len(flat), 2)]
        self.add(_MOVE, points[0])
        self.add(_LINE, *points[1:])
        if close:
            self.add(_CLOSE, points[0])


def draw_fills(ax: Axes, subject: Subject, style: Style, hex_px: float, cells: NDArray[np.int64]) -> None:
    """Fill hexes: flat tint, or the bare ground where a patch or bed is drawn over it at this size."""
    from matplotlib.collections import PolyCollection

    grid, full = subject.grid, hex_px >= style.zoom.full
    if hex_px < _RASTER_PX:
        _raster(ax, subject, style, hex_px)
        return
    shape = map_points(grid, grid.corners(0)) - map_points(grid, [grid.centre(0)])
    # Grown by a hair, so that no seam shows between two hexes of one tint.
    polygons = map_points(grid, grid.centres[cells])[:, None, :] + shape[None, :, :] * (1 + 0.8 / hex_px)
    index = subject.terrain.ravel()[cells]
    for n in np.unique(index):
        look = style.look(subject.terrain_ids[int(n)])
        bare = full and (look.patch is not None or any(isinstance(m, Channel) for m in look.marks))
        color = style.ground if bare else look.tint
        ax.add_collection(PolyCollection(list(polygons[index == n]), facecolors=color, edgecolors="none", zorder=1))


def _raster(ax: Axes, subject: Subject, style: Style, hex_px: float) -> None:
    """Colour a picture pixel by pixel: hexes of a few pixels need no outlines, and a million of them no polygons."""
    grid = subject.grid
    x0, x1 = ax.get_xlim()
    y1, y0 = ax.get_ylim()
    step = grid.hex_height / hex_px
    xs = np.arange(x0 + step / 2, x1, step)
    ys = np.arange(y0 + step / 2, y1, step)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) / np.asarray(grid.scale)
    tints = [style.look(name).tint for name in subject.terrain_ids] + [style.lines.margin_color]
    palette = np.array([[int(tint[i : i + 2], 16) for i in (1, 3, 5)] for tint in tints], dtype=np.uint8)
    cells = grid.cells_at(points)
    index = np.where(cells < 0, len(tints) - 1, subject.terrain.ravel()[cells])
    picture = palette[index].reshape(len(ys), len(xs), 3)
    ax.imshow(picture, extent=(x0, x1, y1, y0), interpolation="nearest", aspect="auto", zorder=1)


def draw_marks(
    ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float, cells: NDArray[np.int64]
) -> None:
    """Draw patches (zorder 2) and marks (zorder 4) of hexes at the detail that a size in pixels bears.

    Parameters
    ----------
    ax : Axes
    subject : Subject
    style : Style
    hex_px : float
        Height of a hex in pixels.
    line_scale : float
        Points of line width a thousandth of a hex's height.
    cells : array of int
        The hexes to draw.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if hex_px < style.zoom.marks:
        return
    grid = subject.grid
    flat = grid.orientation == "flat"
    unit = np.array([grid.width / (1155 if flat else 1000), grid.hex_height / (1000 if flat else 1155)])
    gathered: dict[Ink, list[Any]] = {}
    for (terrain, key, level), alike in _by_key(subject, style, cells).items():
        centres = map_points(grid, grid.centres[alike])
        for ink, vertices, codes in _plan(style, terrain, key, hex_px, flat, level):
            scaled = vertices * unit
            paths = gathered.setdefault(ink, [])
            paths += [Path._fast_from_codes_and_verts(scaled + centre, codes) for centre in centres]  # type: ignore[attr-defined]
    for ink in sorted(gathered):
        ax.add_collection(
            PathCollection(
                gathered[ink],
                facecolors=ink.fill or "none",
                edgecolors=ink.stroke or "none",
                linewidths=ink.width * line_scale,
                alpha=ink.opacity / 1000,
                capstyle="butt" if ink.butt else "round",
                joinstyle="round",
                zorder=2 if ink.order < 0 else 4,
            )
        )


def _by_key(subject: Subject, style: Style, cells: NDArray[np.int64]) -> dict[tuple[str, Key, int], list[int]]:
    """Return the cells that share a terrain and a pattern of marks."""
    grid, ids = subject.grid, subject.terrain_ids
    index = subject.terrain.ravel().tolist()
    roads, ends = road_bits(subject), end_bits(subject)
    around = grid.neighbour_table if grid.orientation == "flat" else grid.neighbour_table[:, list(POINTY)]
    groups: dict[tuple[str, Key, int], list[int]] = {}
    levels = subject.levels.ravel().tolist()
    for cell in cells.tolist():
        row, col = divmod(cell, grid.columns)
        neighbours = [ids[index[n]] if n >= 0 else None for n in around[cell].tolist()]
        terrain = ids[index[cell]]
        key = mark_key(style, terrain, col, row, neighbours, roads.get(cell, 0), ends.get(cell, 0))
        level = levels[cell] if style.look(terrain).patch is not None else 0
        groups.setdefault((terrain, key, level), []).append(cell)
    return groups


def _plan(style: Style, terrain: str, key: Key, hex_px: float, flat: bool, level: int) -> list[tuple[Ink, Floats, Any]]:
    """Return the paths of a hex's marks, in thousandths around its centre.

    For a pointy top x and y change places, but a tree's shadow falls as before: only the places of glyphs change.
    """
    pens: dict[Ink, Pen] = {}
    look = style.look(terrain)
    for mark in place(style, terrain, key):
        recipe = look.marks[mark[0]] if mark[0] >= 0 else None
        if recipe is None:
            if hex_px >= style.zoom.full:
                color = look.patch.color if look.patch is not None and look.patch.color else look.tint
                color = style.tinted(color, level)
                _patch(pens.setdefault(Ink(-1, terrain, color, "", 0, 1000, False), Pen()), mark[2])
        elif hex_px < recipe.from_px:
            continue
        elif isinstance(recipe, Fields):
            _field(pens, terrain, look.tint, recipe, mark, hex_px)
        elif isinstance(recipe, Channel):
            _bed(pens, terrain, recipe, mark, hex_px)
        else:
            _glyphs(pens, style, terrain, recipe, mark if flat else _swapped(recipe, mark), hex_px)
    return [(ink, *pen.arrays(flat)) for ink, pen in pens.items()]


def _swapped(recipe: Scatter | Rows, mark: Mark) -> Mark:
    """Return a glyph's mark for a pointy top; what stands in rows turns with them."""
    index, name, x, y, size, degrees, colour = mark
    return [index, name, y, x, size, 90 - degrees if isinstance(recipe, Rows) else degrees, colour]


def _patch(pen: Pen, flat: Sequence[int]) -> None:
    points = [(flat[i], flat[i + 1]) for i in range(0, len(flat), 3)]
    on = flat[2::3]

    def middle(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
        return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2

    start = points[0] if on[0] else points[-1] if on[-1] else middle(points[-1], points[0])
    pen.add(_MOVE, start)
    for i, point in enumerate(points):
        n = (i + 1) % len(points)
        if on[i]:
            pen.add(_LINE, point)
        else:
            pen.add(_CURVE, point, points[n] if on[n] else middle(point, points[n]))
    pen.add(_CLOSE, start)


def _field(pens: dict[Ink, Pen], terrain: str, tint: str, recipe: Fields, mark: Mark, hex_px: float) -> None:
    index, kind, colour, flat = mark
    color, order = recipe.colors[colour], (index + 1) * 20
    if kind == "field":
        edge = toned(tint, -220) if hex_px >= 28 else ""
        pens.setdefault(Ink(order, terrain, color, edge, 14 if edge else 0, 1000, False), Pen()).line(flat, close=True)
    else:
        ink = Ink(order + 1, terrain, "", toned(color, recipe.row_tone), recipe.row_width, 1000, False)
        pens.setdefault(ink, Pen()).line(flat)


def _bed(pens: dict[Ink, Pen], terrain: str, recipe: Channel, mark: Mark, hex_px: float) -> None:
    index, kind = mark[:2]
    order = (index + 1) * 20
    if kind == "hachure":
        if hex_px >= 20:
            ink = Ink(order + 19, terrain, "", recipe.hachure_color, recipe.hachure_width, 1000, False)
            pens.setdefault(ink, Pen()).line(mark[2])
        return
    for n, stroke in enumerate(recipe.strokes):
        if hex_px < stroke.from_px or (kind == "wedge" and n == 0):
            continue
        if kind == "bed":
            ink = Ink(order + n, terrain, "", stroke.color, stroke.width, stroke.opacity, True)
            pens.setdefault(ink, Pen()).line(mark[2], stroke.shift)
            continue
        pen = pens.setdefault(Ink(order + n, terrain, stroke.color, "", 0, stroke.opacity, False), Pen())
        if kind == "pool":
            _circle(pen, mark[2] + stroke.shift[0], mark[3] + stroke.shift[1], stroke.width / 2)
        else:
            pen.line(mark[2], stroke.shift, close=True)


def _circle(pen: Pen, x: float, y: float, r: float) -> None:
    k = r * 0.5523
    pen.add(_MOVE, (x, y - r))
    for cx, cy, dx, dy, ex, ey in (
        (x + k, y - r, x + r, y - k, x + r, y),
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
    ):
        pen.add(4, (cx, cy), (dx, dy), (ex, ey))
    pen.add(_CLOSE, (x, y - r))


def _glyphs(
    pens: dict[Ink, Pen], style: Style, terrain: str, recipe: Scatter | Rows, mark: Mark, hex_px: float
) -> None:
    index, name, x, y, size, degrees, colour = mark
    mean = (recipe.size[0] + recipe.size[1]) / 2
    for n, layer in enumerate(style.glyphs[name]):
        if hex_px < layer.from_px:
            continue

        def ink(value: str | None, tone: int = layer.tone) -> str:
            return "" if value is None else toned(recipe.colors[colour] if value == "mark" else value, tone)

        width = layer.width * mean / 1000
        key = Ink((index + 1) * 20 + n, terrain, ink(layer.fill), ink(layer.stroke), width, layer.opacity, False)
        glyph_path(pens.setdefault(key, Pen()), layer.d, (x, y), size, degrees, layer.shift)


def glyph_path(
    pen: Pen, d: str, at: tuple[float, float], size: float, degrees: float, shift: tuple[float, float] = (0, 0)
) -> None:
    """Add path data to a pen: scaled, turned clockwise (y is down) and moved; the shift is not turned."""
    vertices, codes = _glyph(d)
    f, angle = size / 1000, math.radians(degrees)
    c, s = math.cos(angle) * f, math.sin(angle) * f
    turned = vertices @ np.array([[c, s], [-s, c]])
    pen.stamp(turned + np.array([at[0] + shift[0] * f, at[1] + shift[1] * f]), codes)


@functools.lru_cache(maxsize=512)
def _glyph(d: str) -> tuple[Floats, Any]:
    """Return path data as vertices and matplotlib codes."""
    vertices: list[tuple[float, float]] = []
    codes: list[int] = []
    start = (0.0, 0.0)
    for letter, n in parse_path(d):
        points = [(n[i], n[i + 1]) for i in range(0, len(n), 2)]
        if letter == "M":
            start = points[0]
        vertices += points or [start]
        codes += [_CODES[letter]] * max(1, len(points))
    return np.asarray(vertices), np.asarray(codes, dtype=np.uint8)

"""The world that a map was made of, as an atlas would draw it: relief, water, borders, lines and places, and the grid.

Everything lies in the plane of the map's affine, in map units: there the data keep their shape, and where a rubber
sheet laid the map on the world it is the grid that bends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.geography_data import GeographyData
from studio.draw.room import Taken, around
from studio.draw.style import Style, mix, toned
from studio.draw.subject import Floats, Subject, map_points
from studio.draw.washes import DARK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["WATER", "WORLD_INKS", "height_color", "paint_world"]

WATER = "#b9d7e6"
WORLD_INKS = {
    "river": "#2f78a8",
    "line": "#6b4a8a",
    "road": "#a5502e",
    "country": "#7d2f5e",
    "building": "#6a5f58",
    "area": "#4f6d3a",
}
"""Colours of the lines of the data; each has another width or dash as well."""

_LAND, _SHORE = "#ece5cf", "#5f93ad"
_TINTS = ("#d5e0be", "#ebe6c4", "#e4cf9f", "#cda97a", "#a98560", "#e6ddd2")
"""From low to high ground, as in an atlas."""
_STROKES = {"river": (62, "solid"), "line": (52, "solid"), "road": (58, "solid"), "area": (40, (0, (2, 1.4)))}
_ROUGH_PIECES = 3_000_000  # corners of shapes of one layer beyond which they are drawn more simply


def height_color(share: float) -> str:
    """Return the tint of a height, from the lowest on the picture, 0, to the highest, 1; plains have detail too."""
    at = min(max(share, 0.0), 1.0) ** 0.5 * (len(_TINTS) - 1)
    low = min(int(at), len(_TINTS) - 2)
    return mix(_TINTS[low], _TINTS[low + 1], round((at - low) * 1000))


def paint_world(
    ax: Axes, subject: Subject, style: Style, data: GeographyData, hex_px: float
) -> tuple[float, float] | None:
    """Draw the data in axes that show the map's frame, and the grid over them; return the range of heights in metres.

    Parameters
    ----------
    ax : Axes
        With the limits of the map.
    subject : Subject
    style : Style
    data : GeographyData
    hex_px : float
        Height of a hex in pixels.
    """
    world = _World(ax, subject, style, data, hex_px)
    span = world.ground()
    world.shapes()
    world.grid()
    world.places()
    return span


class _World:
    """The panel of the data, while it is drawn."""

    def __init__(self, ax: Axes, subject: Subject, style: Style, data: GeographyData, hex_px: float) -> None:
        self.ax, self.subject, self.style, self.data, self.hex_px = ax, subject, style, data, hex_px
        self.scale = hex_px * 72 / 100 / 1000  # points a thousandth of a hex
        (self.x0, self.x1), (self.y1, self.y0) = ax.get_xlim(), ax.get_ylim()
        self.step = subject.grid.hex_height
        self.shore: Any = None

    def to_frame(self, points: Floats) -> Floats:
        """Lay points of the lattice on the picture."""
        if self.data.frame is not None and len(points):
            return np.asarray(self.data.frame(points), dtype=float)
        return map_points(self.subject.grid, points)

    def laid(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """Lay shapes of the lattice on the picture, simplified to what can be seen."""
        import shapely

        found = np.asarray(shapes, dtype=object)
        found = found[~(shapely.is_missing(found) | shapely.is_empty(found))]
        least = 0.5 * self.step / self.hex_px
        if int(shapely.get_num_coordinates(found).sum()) > _ROUGH_PIECES:
            found = shapely.simplify(found, least * 1000 / self.step)
        return np.asarray(shapely.simplify(shapely.transform(found, self.to_frame), least / 2), dtype=object)

    # -- the ground ----------------------------------------------------------------------------------------------

    def ground(self) -> tuple[float, float] | None:
        """Draw water, land, cover and relief (zorder 1 to 2.2)."""
        import shapely

        land = [self.laid(layer.shapes) for layer in self.data.of("land")]
        self.ax.set_facecolor(_LAND)
        picture, span = self._picture()
        if picture is not None:
            image = self.ax.imshow(
                picture, extent=(self.x0, self.x1, self.y1, self.y0), interpolation="bilinear", zorder=1, aspect="equal"
            )
            image.set_in_layout(False)
        for layer in self.data.of("cover"):
            shapes = self.laid(layer.shapes)
            self.fill(shapes, self.style.tint(layer.terrain), 0.9, zorder=1.6)
            self.dots(shapes, self.style.tint(layer.terrain), zorder=1.7)
        if land:
            self.shore = shore = shapely.union_all(np.concatenate(land))
            panel = shapely.box(self.x0, self.y0, self.x1, self.y1)
            self.fill(np.array([panel.difference(shore)], dtype=object), WATER, 1.0, zorder=2)
            self.lines(shapely.boundary(np.array([shore], dtype=object)), _SHORE, 34, zorder=2.1)
        for layer in self.data.of("lake"):
            shapes = self.laid(layer.shapes)
            self.fill(shapes, WATER, 1.0, zorder=2)
            self.lines(shapely.boundary(shapes), _SHORE, 26, zorder=2.1)
        return span

    def _picture(self) -> tuple[NDArray[Any] | None, tuple[float, float] | None]:
        """Return cover and shaded relief as an image, a pixel a point, and the range of heights."""
        if self.data.heights is None and self.data.cover is None:
            return None, None
        px = self.step / self.hex_px
        xs = np.arange(self.x0 + px / 2, self.x1, px)
        ys = np.arange(self.y0 + px / 2, self.y1, px)
        points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        colors = np.full((len(ys), len(xs), 3), _rgb(_LAND))
        span = None
        if self.data.heights is not None:
            heights = np.asarray(self.data.heights(points), dtype=float).reshape(len(ys), len(xs))
            span = _span(heights)
            if span is not None:
                colors = _relief(heights, span, colors)
        if self.data.cover is not None:
            codes = np.asarray(self.data.cover(points)).reshape(len(ys), len(xs))
            for code, terrain in enumerate(self.data.cover_terrains):
                colors[codes == code] = _rgb(self.style.tint(terrain))
        return colors, span

    # -- shapes --------------------------------------------------------------------------------------------------

    def shapes(self) -> None:
        """Draw areas, buildings, countries and lines (zorder 2.4 to 4)."""
        import shapely

        for role in ("area", "building"):
            for layer in self.data.of(role):
                shapes = self.laid(layer.shapes)
                ink = WORLD_INKS[role]
                self.fill(shapes, ink, 0.14 if role == "area" else 0.75, zorder=2.4)
                self.lines(shapely.boundary(shapes), ink, 30, zorder=2.5)
        for layer in self.data.of("country"):
            edges = shapely.boundary(self.laid(layer.shapes))
            if self.shore is not None:  # the coast is no border
                edges = shapely.difference(edges, self.shore.boundary.buffer(0.15 * self.step, quad_segs=2))
            # Two countries share a border; drawn twice, the dashes of one would fill the gaps of the other.
            edges = np.array([shapely.line_merge(shapely.union_all(edges))], dtype=object)
            self.lines(edges, "#ffffff", 110, zorder=2.6, alpha=0.55)
            self.lines(edges, WORLD_INKS["country"], 46, zorder=2.7, dash=(0, (3, 1.5)))
        for n, role in enumerate(("river", "line", "road")):
            width, dash = _STROKES[role]
            for layer in self.data.of(role):  # type: ignore[arg-type]
                self.lines(self.laid(layer.shapes), WORLD_INKS[role], width, zorder=3 + n / 10, dash=dash)

    def fill(self, shapes: NDArray[Any], color: str, alpha: float, zorder: float) -> None:
        """Fill polygons."""
        from matplotlib.collections import PathCollection

        paths = _paths(shapes)
        if paths:
            made = PathCollection(paths, facecolors=color, edgecolors="none", alpha=alpha, zorder=zorder)
            self.ax.add_collection(made, autolim=False)

    def lines(
        self,
        shapes: NDArray[Any],
        color: str,
        width: float,
        zorder: float,
        dash: Any = "solid",
        alpha: float = 1.0,
    ) -> None:
        """Draw lines, so many thousandths of a hex wide."""
        import shapely
        from matplotlib.collections import LineCollection

        parts = shapely.get_parts(shapely.get_parts(np.asarray(shapes, dtype=object)))
        pieces = [shapely.get_coordinates(part) for part in parts if part.geom_type in ("LineString", "LinearRing")]
        if pieces:
            wide = max(0.8, width * self.scale)
            made = LineCollection(
                pieces, colors=color, linewidths=wide, linestyles=[dash], alpha=alpha, zorder=zorder, joinstyle="round"
            )
            self.ax.add_collection(made, autolim=False)

    def dots(self, shapes: NDArray[Any], color: str, zorder: float) -> None:
        """Draw points, such as single trees."""
        import shapely

        parts = shapely.get_parts(shapes)
        points = shapely.get_coordinates(parts[shapely.get_type_id(parts) == 0])
        if len(points):
            size = max(2.0, 380 * self.scale)
            self.ax.plot(*points.T, "o", ms=size, mfc=color, mec=toned(color, -300), mew=0.4, zorder=zorder)

    # -- grid and places -----------------------------------------------------------------------------------------

    def grid(self) -> None:
        """Draw every hexside where it lies in the world (zorder 5), and the edge of the map stronger."""
        from matplotlib.collections import LineCollection

        grid = self.subject.grid
        cells = np.flatnonzero(grid.present.ravel())
        table = grid.neighbour_table[cells]
        shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
        corners = grid.centres[cells][:, None, :] + shape[None, :, :]
        ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)
        for mask, width, alpha in ((table > cells[:, None], 14, 0.42), (table < 0, 40, 0.85)):
            sides = self.to_frame(ends[mask].reshape(-1, 2)).reshape(-1, 2, 2)
            made = LineCollection(
                list(sides), colors=DARK, linewidths=max(0.35, width * self.scale), alpha=alpha, zorder=5
            )
            self.ax.add_collection(made, autolim=False)

    def places(self) -> None:
        """Draw places where they lie, with a stroke to the hex of those that were nudged, and the names of some."""
        if not self.data.places:
            return
        grid = self.subject.grid
        lattice = np.array([place.point for place in self.data.places], dtype=float)
        cells = np.array([place.cell for place in self.data.places])
        here, there = self.to_frame(lattice), self.to_frame(grid.centres[cells].astype(float))
        nudged = grid.cells_at(lattice) != cells
        size = max(2.6, 150 * self.scale)
        for n in np.flatnonzero(nudged):
            self.ax.plot(*zip(here[n], there[n], strict=True), "-", color=DARK, lw=max(0.9, 34 * self.scale), zorder=6)
        for chosen, face in ((~nudged, DARK), (nudged, "#ffffff")):
            self.ax.plot(
                *here[chosen].T, "o", ms=size, mfc=face, mec=DARK if face != DARK else "#ffffff", mew=0.8, zorder=6.1
            )
        self._names(here)

    def _names(self, here: Floats) -> None:
        from matplotlib.patheffects import Normal, Stroke

        unit = self.step / self.hex_px  # map units a pixel
        taken = Taken()
        for at in here:
            taken.add(at, 7 * unit, 7 * unit)
        for n, place in enumerate(self.data.places):
            if not (place.major and self.x0 < here[n][0] < self.x1 and self.y0 < here[n][1] < self.y1):
                continue
            wide, high = 5.6 * len(place.name) * unit, 11 * unit
            spots = [s for s in around(here[n], (6 * unit, 6 * unit), wide, high) if self._holds(s, wide, high)]
            if not spots:
                continue
            over = taken.overlap(spots, wide, high)
            best = int(np.argmin(over))
            if over[best] > 0.04 * wide * high:
                continue
            taken.add(spots[best], wide, high)
            text = self.ax.text(
                float(spots[best][0]),
                float(spots[best][1]),
                place.name,
                fontsize=7,
                color=DARK,
                ha="center",
                va="center",
                zorder=7,
                parse_math=False,
            )
            text.set_path_effects([Stroke(linewidth=2, foreground="#fffdf4", alpha=0.9), Normal()])

    def _holds(self, at: Floats, wide: float, high: float) -> bool:
        across = self.x0 <= at[0] - wide / 2 and at[0] + wide / 2 <= self.x1
        return bool(across and self.y0 <= at[1] - high / 2 and at[1] + high / 2 <= self.y1)


def _rgb(color: str) -> Floats:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def _span(heights: Floats) -> tuple[float, float] | None:
    """Return the range of heights, but for the last hundredth at either end."""
    known = heights[np.isfinite(heights)]
    if not len(known):
        return None
    low, high = np.quantile(known, (0.01, 0.99)).tolist()
    return (low, high) if high > low else (low, low + 1.0)


def _relief(heights: Floats, span: tuple[float, float], under: Floats) -> Floats:
    """Return heights tinted and lit from the north-west; shape (rows, columns, 3)."""
    low, high = span
    table = np.array([_rgb(height_color(n / 255)) for n in range(256)])
    share = np.clip((np.nan_to_num(heights, nan=low) - low) / (high - low), 0, 1)
    colors = table[np.rint(255 * share).astype(int)]
    filled = np.where(np.isfinite(heights), heights, low)
    down, across = np.gradient(filled) if min(filled.shape) > 1 else (np.zeros_like(filled),) * 2
    slope = across + down
    typical = float(np.quantile(np.abs(slope), 0.9)) or 1.0
    lit = colors * (1 + 0.3 * np.tanh(0.9 * slope / typical))[..., None]
    return np.asarray(np.where(np.isfinite(heights)[..., None], np.clip(lit, 0, 1), under))


def _paths(shapes: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """Return polygons as paths, a polygon a path with its holes."""
    import shapely
    from matplotlib.path import Path

    found = []
    parts = shapely.get_parts(shapely.get_parts(np.asarray(shapes, dtype=object)))
    for part in parts:
        if part.geom_type != "Polygon" or part.is_empty:
            continue
        oriented = shapely.orient_polygons(part)
        pieces = []
        for ring in (oriented.exterior, *oriented.interiors):
            points = shapely.get_coordinates(ring)
            pieces.append(Path(points, np.array([1, *[2] * (len(points) - 2), 79], dtype=np.uint8)))
        found.append(Path.make_compound_path(*pieces))
    return found

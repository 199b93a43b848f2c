"""A route on the map, with its running cost and what bars it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, style_of
from studio.draw.recording import current, noted
from studio.draw.regions import Regions
from studio.draw.road_ways import RoadWays
from studio.draw.sight_picture import _segment
from studio.draw.sites import Sites, sites_of
from studio.draw.state_marks import mark_state, state_entries, titled
from studio.draw.states import beside, sparse_figures
from studio.draw.style import Style
from studio.draw.subject import Floats, kind_of
from studio.draw.washes import DARK, Entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_route"]

_LEAST_PX = 18
_ROOM = 1.6  # hex heights of map around a route
_BADGE, _ASIDE = 0.31, 0.29  # width of a disc with points, and its distance from the dot, in hex heights


@called("plot_route")
def draw_route(
    map: Any, route: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw a route on the part of the map around it, with the points from the start at every step.

    What the points suffice for is green-blue and solid, what lies beyond them amber and dashed; along a road it follows
    the road as it is drawn, and a link to a layer that is drawn elsewhere is thin and dashed. A step that is forbidden
    is crossed out in vermilion, and a grey dotted line goes on to where the mover wanted to be. Enemies, closed
    places and whatever else the route was asked with are counters.

    Parameters
    ----------
    map : studio.Map
    route : studio.paths.Route
        What `Map.route` answered.
    ax : matplotlib.axes.Axes, optional
        Draw here, without the key below the map.
    hex_px : float, optional
        Height of a hex in pixels.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    """
    sites, look = sites_of(map, route), style_of(map, style)
    regions = Regions(sites)
    number = sites.directory.number
    points = np.array([regions.spot(number(label)) for label in route.labels])
    way = _way(map, regions, route)
    arrived = way and route.labels[-1] == route.end
    goal = np.asarray(way[-1].points[-1] if arrived else regions.spot(number(route.end)))
    state = getattr(route.judge, "state", None)
    entries = [*_entries(route, look, way), *state_entries(state)]
    title = titled(route.text, route.warning, state)
    extent = _extent(sites, np.vstack((points, goal)))
    unit = sites.grid.hex_height
    wide, high = (extent[2] - extent[0]) / unit, (extent[3] - extent[1]) / unit
    size = hex_px or min(78.0, max(6.0, min(1100 / wide, 800 / high)))
    picture = begin_keyed(sites, look, title, entries, ax=ax, hex_px=size, extent=extent)
    mark_state(picture, regions, state, {number(label) for label in route.labels})
    _draw_way(picture, route, way, goal)
    _write_costs(picture, regions, route, way)
    return finish_keyed(picture, title, entries, ax)


def _entries(route: Any, look: Style, way: Sequence[_Piece]) -> list[Entry]:
    entries = []
    if _within(route) or route.miss is None:
        entries.append(Entry("way, points so far", look.verdicts["clear"].color))
    if len(route.legs) > _within(route):
        entries.append(Entry("beyond the points", look.verdicts["hindered"].color, 1.0, "//"))
    if _is_barred(route):
        entries.append(Entry("barred", look.verdicts["blocked"].color, 1.0, "xx"))
        entries.append(Entry("not reached", look.verdicts["beyond"].color, 0.6, ".."))
    if any(piece.jumps for piece in way):
        entries.append(Entry("to another layer (dashed)", look.verdicts["clear"].color, 0.55, "--"))
    return entries


def _within(route: Any) -> int:
    """Return how many steps the points suffice for."""
    if route.points is None or route.allowance:
        return len(route.legs)
    return sum(leg.total <= route.points * 2 for leg in route.legs)


def _is_barred(route: Any) -> bool:
    return route.miss is not None and route.miss.short_halves is None


def _extent(sites: Sites, points: Floats) -> tuple[float, float, float, float]:
    """Return the part of the map to show: the way with room around it, at least some hexes either way."""
    grid = sites.grid
    x0, y0, x1, y1 = grid.frame
    frame = np.asarray([grid.to_map(x0, y0), grid.to_map(x1, y1)])
    room = _ROOM * grid.hex_height
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    missing = np.maximum(np.asarray([9.0, 6.0]) * grid.hex_height - (high - low), 0) / 2
    low, high = np.maximum(low - missing, frame[0]), np.minimum(high + missing, frame[1])
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _draw_way(picture: Picture, route: Any, way: Sequence[_Piece], goal: Floats) -> None:
    ax, verdicts = picture.ax, picture.style.verdicts
    width, inside = max(2.2, 62 * picture.line_scale), _within(route)
    end = way[-1].points[-1] if way else goal
    start = way[0].points[0] if way else np.asarray(_spot(picture, route.start))
    if _is_barred(route):
        end = end if way else start
        _segment(ax, np.vstack((end, goal)), verdicts["beyond"], width * 0.7)
    for color, pieces in (("hindered", way[inside:]), ("clear", way[:inside])):
        for jumps, group in itertools.groupby(pieces, key=lambda piece: piece.jumps):
            points = np.vstack([piece.points for piece in group])
            look = replace(verdicts[color], line="dashed") if jumps else verdicts[color]
            _segment(ax, points, look, width * (0.55 if jumps else 1.0))
    if _is_barred(route) and route.miss.step is not None:
        _cross_out(picture, end, _barred_point(picture, route), width)
    size = 0.22 * picture.hex_px * 0.72
    for at in (start, goal):
        ax.plot(*at, "o", ms=max(5.0, size), mfc="#ffffff", mec=DARK, mew=max(1.0, width * 0.4), zorder=37)


def _spot(picture: Picture, label: str) -> Floats:
    return Regions(picture.sites).spot(picture.sites.directory.number(label))


class _Piece(NamedTuple):
    """The line of one step in map units; it jumps where a link leads to another layer of the map."""

    points: Floats
    jumps: bool


def _way(map: Any, regions: Regions, route: Any) -> list[_Piece]:
    """Return the lines of the steps: along a drawn road where the two hexes are joined by one."""
    directory, roads = regions.sites.directory, RoadWays(regions.sites.subject)
    numbers = [directory.number(label) for label in route.labels]
    cells = [directory.location(number).cell for number in numbers]
    on_road = [number < regions.grid.cells or directory.location(number).kind == "road" for number in numbers]
    lines = [
        roads.piece(cells[n], cells[n + 1]) if on_road[n] and on_road[n + 1] else None for n in range(len(numbers) - 1)
    ]
    spots = [np.asarray(regions.spot(number)) for number in numbers]
    for n, line in enumerate(lines):
        if line is not None:  # the next step goes on from where the road is
            spots[n], spots[n + 1] = line[0], line[-1]
    pieces = []
    for n, line in enumerate(lines):
        points = np.vstack((spots[n], spots[n + 1])) if line is None else np.vstack((spots[n], line, spots[n + 1]))
        pieces.append(_Piece(points, _jumps(map, regions, route.labels[n], route.labels[n + 1], points)))
    return pieces


def _jumps(map: Any, regions: Regions, a: str, b: str, points: Floats) -> bool:
    """Tell whether a step leads over stairs or the like to a part of the map that is drawn elsewhere."""
    far = float(np.hypot(*(points[-1] - points[0]))) > 1.6 * regions.grid.hex_height
    types = getattr(getattr(map, "ruleset", None), "link_types", {})
    return far and any(
        {link.a, link.b} == {a, b} and getattr(types.get(link.type), "sight", "") == "vertical"
        for link in regions.sites.subject.features.values()
        if kind_of(link) == "link"
    )


def _barred_point(picture: Picture, route: Any) -> Floats:
    regions = Regions(picture.sites)
    return np.asarray(regions.spot(picture.sites.directory.number(route.miss.step.b)))


def _cross_out(picture: Picture, here: Floats, there: Floats, width: float) -> None:
    """Draw the step that is forbidden, with a cross in its middle."""
    ax, verdict = picture.ax, picture.style.verdicts["blocked"]
    _segment(ax, np.vstack((here, there)), verdict, width * 0.8)
    middle = (here + there) / 2
    for color, extra in (("#ffffff", 3.4), (verdict.color, 0.0)):
        ax.plot(*middle, "x", ms=0.34 * picture.hex_px * 0.72, mec=color, mew=width * 0.8 + extra, zorder=35)


def _write_costs(picture: Picture, regions: Regions, route: Any, way: Sequence[_Piece]) -> None:
    """Write the points from the start at every step, in discs beside the line; in small hexes those with room."""
    from studio.paths.points import points_text

    number = picture.sites.directory.number
    inside, verdicts = _within(route), picture.style.verdicts
    unit = picture.subject.grid.hex_height
    texts = [points_text(leg.total, "").strip() for leg in route.legs]
    taken: list[Floats] = []
    for leg in range(len(route.legs)):
        lines = [way[leg].points[::-1], *([way[leg + 1].points] if leg + 1 < len(way) else [])]
        taken.append(_aside(lines, taken, unit))
    if picture.hex_px < 2 * _LEAST_PX or current() is not None:
        # From the end on: the whole cost is written in any case. Beside a sign, or the line through a hex.
        cells, ends = regions.grid.cells, [number(leg.step.b) for leg in route.legs]
        spots = [at if n < cells else beside(picture, regions, n) for n, at in zip(ends, taken, strict=True)]
        with noted(high=2 * _LEAST_PX):
            sparse_figures(picture, list(zip(spots, texts, strict=True))[::-1], 0.0, 0.34)
    if picture.hex_px < 2 * _LEAST_PX:
        return
    longest = max(map(len, texts), default=1)
    for leg, (at, text) in enumerate(zip(taken, texts, strict=True)):
        _disc(picture, at, text, verdicts["clear" if leg < inside else "hindered"].color, longest)


def _aside(lines: Sequence[Floats], taken: Sequence[Floats], unit: float) -> Floats:
    """Return the middle of a disc in the hex where some lines begin: away from them, from others, and its label."""
    here = lines[0][0]
    angles = [np.arctan2(*(_along(line, 0.35 * unit) - here)[::-1]) for line in lines]

    def worth(way: float) -> tuple[int, float]:
        at = here + _ASIDE * unit * np.array([np.cos(way), np.sin(way)])
        apart = min((float(np.hypot(*(at - other))) for other in taken), default=unit)
        turned = min(abs((way - angle + np.pi) % (2 * np.pi) - np.pi) for angle in angles)
        return int(apart > _BADGE * unit), round(min(turned, 1.2), 3)

    # South-east first; the label of a hex stands at its top.
    ways = [np.radians(degrees) for degrees in (45, 90, 135, 0, 180, 20, 160, 70, 110)]
    best = max(ways, key=worth)
    return np.asarray(here + _ASIDE * unit * np.array([np.cos(best), np.sin(best)]))


def _along(line: Floats, far: float) -> Floats:
    """Return the first point of a line that lies so far from its beginning, its end where none does."""
    away = np.hypot(*(line - line[0]).T)
    found = np.flatnonzero(away >= far)
    return np.asarray(line[int(found[0]) if len(found) else -1])


def _disc(picture: Picture, at: Floats, text: str, color: str, longest: int) -> None:
    """Draw a number in a disc; all discs of a route are of one size, and so are their numbers."""
    points = max(11.5, _BADGE * picture.hex_px * 0.72)
    picture.ax.plot(*at, "o", ms=points, mfc=color, mec="#ffffff", mew=max(0.8, points * 0.05), zorder=36)
    size = points * min(0.58, 1.14 / max(longest, 1))
    look: dict[str, Any] = {"color": "#ffffff", "ha": "center", "va": "center_baseline", "clip_on": True}
    spot = (float(at[0]), float(at[1]))
    picture.ax.text(*spot, text, fontsize=size, fontweight="bold", zorder=36.1, **look)

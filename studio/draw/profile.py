"""The ground under a line of sight from the side: true levels, what stands on them, and the line over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.badge import badge
from studio.draw.shapes import looked_up
from studio.draw.style import Style
from studio.draw.subject import kind_of
from studio.errors import StudioError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.draw.sites import Sites

__all__ = ["draw_profile", "side_view"]

_EYE = 0.3  # of a level: where the line starts over the ground
_TALL = 0.62  # of a level: how high an obstacle of level 0 is drawn
_OBSTACLES = ("obstacle", "block")
_OVER = 2.5  # levels over the line and the ground up to which everything is drawn whole
_TICKS = 8


def draw_profile(ax: Axes, sites: Sites, data: Mapping[str, Any], style: Style, stop: float | None) -> None:
    """Draw the side view of a sighting.

    Parameters
    ----------
    ax : Axes
    sites : Sites
        The map; its game says which terrains stand up, and how high.
    data : dict
        The sighting, with its ``profile``. A step may bring a ``height`` (of what stands on it, in levels) and an
        ``eye`` (height over its ground that the line starts from or goes to).
    style : Style
    stop : float or None
        Where a blocked line stops, from 0 to 1.
    """
    steps = data["profile"]
    run = (sites.dot(data["to"]) - sites.dot(data["from"])) / np.array([sites.grid.width * 0.75, sites.grid.hex_height])
    length = max(1, _distance(sites, data) or round(float(np.hypot(*run))))
    tall = _standing(sites, style)
    levels = [float(step["level"]) for step in steps]
    walls = _walls(sites, data)
    tops = [_top(step, tall) for step in steps] + [top for _, top, _ in walls]
    ends = [_ground(sites, data[name], levels[i]) + _eye(steps[i], tall) for name, i in (("from", 0), ("to", -1))]
    frame = _frame(levels, tops, ends)
    ax.set_facecolor("#eef3f2")
    ax.set_ylim(frame.low, frame.high)
    eyes = np.array(ends)
    for n, step in enumerate(steps):
        _step(ax, step, frame, length, style, tall, eyes if n in (0, len(steps) - 1) else None)
    for t, top, color in walls:
        _block(ax, (t * length - 0.05, t * length + 0.05), (0.0, top), color, style, frame, faint=False)
    _sight_line(ax, eyes, length, data["status"], style, stop)
    _reason_numbers(ax, data, eyes, length, style, tall, frame)
    ax.set_xlim(0, length)
    ax.set_yticks(_ticks(frame.low, frame.cap if frame.cut else frame.high, _TICKS))
    ax.set_xticks(range(length + 1) if length <= 24 else _ticks(0, length, 24))
    ax.tick_params(labelsize=7.5, length=2, color=style.letters.ink, labelcolor=style.letters.ink)
    ax.set_ylabel("level", fontsize=8, color=style.letters.ink)
    ax.set_title(
        "hexes from " + str(data["from"]), fontsize=8, color=style.letters.ink, loc="left", pad=3, parse_math=False
    )
    ax.grid(axis="y", color="#9aa5a3", lw=0.5, alpha=0.5)
    ax.set_axisbelow(True)
    for name, spine in ax.spines.items():
        spine.set_visible(name in ("left", "bottom"))
        spine.set_color(style.letters.ink)


def side_view(sites: Sites, data: Mapping[str, Any], style: Style) -> dict[str, Any]:
    """Return what the side view of a sighting shows, as plain data, for whoever draws it otherwise.

    Parameters
    ----------
    sites, data, style
        As for :func:`draw_profile`.

    Returns
    -------
    dict
        ``steps``: ``at``, ``enter`` and ``leave`` (0 to 1), ``level``, ``tint``, ``top`` (level of what stands there)
        and ``body`` (the level is the top of a building, not ground); ``walls``: where (0 to 1) and how high; ``eyes``:
        the levels that the line runs from and to; ``low``, ``high`` and ``cap``: levels to show, and where what is
        higher is cut.
    """
    steps = data["profile"]
    if "standing" not in sites.kept:
        sites.kept["standing"] = _standing(sites, style)
    tall: _Tall = sites.kept["standing"]
    tints = {name: _tint(name, style) for name in {str(step["terrain"]) for step in steps}}
    levels = [float(step["level"]) for step in steps]
    walls = [(t, top) for t, top, _ in _walls(sites, data)]
    tops = [_top(step, tall) for step in steps]
    eyes = [_ground(sites, data[name], levels[i]) + _eye(steps[i], tall) for name, i in (("from", 0), ("to", -1))]
    frame = _frame(levels, [*tops, *(top for _, top in walls)], eyes)
    shown = [
        {
            "at": step["at"],
            "enter": float(step["enter"]),
            "leave": float(step["leave"]),
            "level": level,
            "tint": tints[str(step["terrain"])],
            "top": top,
            "body": style.terrain.get(str(step["terrain"])) is None and level > 0,
        }
        for step, level, top in zip(steps, levels, tops, strict=True)
    ]
    return {"steps": shown, "walls": walls, "eyes": eyes, "low": frame.low, "high": frame.high, "cap": frame.cap}


def _tint(terrain: str, style: Style) -> str:
    look, area = style.terrain.get(terrain), looked_up(style.areas, terrain)
    return look.tint if look else (area.fill if area is not None and area.fill else style.ground)


class _Frame(NamedTuple):
    """Heights that are shown, in levels: from and to, what stands higher is cut at `cap`, and a unit for distances."""

    low: float
    high: float
    cap: float
    unit: float
    cut: bool


def _frame(levels: list[float], tops: list[float], ends: list[float]) -> _Frame:
    """Return the heights to show: all of the ground and the line, and as much of what towers over them as is useful."""
    lowest, reach = min([0.0, *levels]), max([0.0, *levels, *ends])
    cap = reach + max(_OVER, 0.6 * (reach - lowest))
    cut = any(top > cap for top in tops)
    highest = max([0.8, *(min(top, cap) for top in tops), *ends])
    # Distances for the eye, not heights of the game, grow with what is shown.
    unit = max(1.0, (highest - lowest) / 5)
    return _Frame(lowest - 0.55 * unit, highest + 0.8 * unit, cap, unit, cut)


def _ticks(low: float, high: float, most: int) -> list[int]:
    """Return whole numbers between two, evenly apart by 1, 2 or 5 times a power of ten, no more than `most`.

    Examples
    --------
    >>> _ticks(-0.5, 3.4, 8), _ticks(-0.5, 52, 8)
    ([0, 1, 2, 3], [0, 10, 20, 30, 40, 50])
    """
    for step in (factor * 10**power for power in range(9) for factor in (1, 2, 5)):
        found = list(range(int(np.ceil(low / step)) * step, int(np.floor(high)) + 1, step))
        if len(found) <= most:
            break
    return found


def _distance(sites: Sites, data: Mapping[str, Any]) -> int:
    """Return the distance in hexes, 0 where an end is no hex."""
    try:
        cells = [sites.subject.labels.cell(data[name]) for name in ("from", "to")]
    except StudioError:
        return 0
    return int(sites.grid.distance(*cells))


class _Tall(NamedTuple):
    """What stands up: heights of terrains that hide, in levels, and the hexes with smoke and with crests."""

    terrain: dict[str, float]
    smoke: set[str]
    crest: set[str]


def _ground(sites: Sites, label: str, level: float) -> float:
    """Return the level that a line of sight starts from: that of the ground under a hex, else of the place itself."""
    if sites.plain:
        return level
    place = sites.directory.location(sites.directory.number(label))
    return level if place.kind in ("hex", "road") else float(place.level)


def _standing(sites: Sites, style: Style) -> _Tall:
    found = _Tall({}, set(), set())
    for name, kind in dict(getattr(sites.ruleset, "terrains", None) or {}).items():
        look = style.terrain.get(name)
        hides = kind.height > 0 or any(word in kind.sight for word in _OBSTACLES)
        if hides and (look is None or look.stands):
            found.terrain[name] = float(kind.height or _TALL)
    for feature in sites.subject.features.values():
        if kind_of(feature) == "marker" and feature.type == "smoke":
            found.smoke.update((feature.at, *getattr(feature, "also", ())))
        elif kind_of(feature) == "crest":
            found.crest.update(feature.path)
    return found


def _height(step: Mapping[str, Any], tall: _Tall) -> float:
    """Return how high stands what is on a step, in levels over its ground."""
    given = step.get("height")
    return float(tall.terrain.get(step["terrain"], 0.0) if given is None else given)


def _top(step: Mapping[str, Any], tall: _Tall) -> float:
    """Return the level of the top of a step, with what stands on it."""
    return float(step["level"]) + _height(step, tall)


def _walls(sites: Sites, data: Mapping[str, Any]) -> list[tuple[float, float, str]]:
    """Return where the line crosses drawn walls (0 to 1), their tops and colours."""
    found = []
    types = dict(getattr(sites.ruleset, "wall_types", None) or {})
    walls = {name: f for f in sites.subject.features.values() if kind_of(f) == "wall" for name in (f.id, f.name)}
    for contact in data["contacts"]:
        wall = walls.get(contact["at"]) if isinstance(contact["at"], str) else None
        if wall is not None:
            height = float(getattr(types.get(wall.type), "height", 0) or _TALL)
            found.append((float(contact["enter"]), height, "#5b5148"))
    return found


def _eye(step: Mapping[str, Any], tall: _Tall) -> float:
    """Return how high over the ground of its end a line starts; a unit on a crest line looks from its top."""
    given = step.get("eye")
    return (_EYE if given is None else float(given)) + (step["at"] in tall.crest)


def _step(ax: Axes, step: Mapping[str, Any], frame: _Frame, length: int, style: Style, tall: _Tall, eyes: Any) -> None:
    """Draw a step; `eyes` are the heights of the ends of the line for the steps that these stand in, else None."""
    x0, x1, level = float(step["enter"]) * length, float(step["leave"]) * length, float(step["level"])
    look, tint = style.terrain.get(str(step["terrain"])), _tint(str(step["terrain"]), style)
    own = eyes is not None
    if look is None and level > 0:
        # A body such as a building, whose step is its top.
        if own and eyes[0 if step["enter"] == 0 else 1] > level:
            _own_body(ax, (x0, x1), level, tint, style, [np.interp(x, (0, length), eyes) for x in (x0, x1)])
        else:
            _block(ax, (x0, x1), (0.0, level), tint, style, frame, faint=own)
        level = 0.0
    low, unit = frame.low, frame.unit
    earth = style.tinted(style.ground, round(level)) if level else style.ground
    ax.fill_between([x0, x1], low, level, color=earth, lw=0, zorder=2)
    ax.fill_between([x0, x1], level - 0.14 * unit, level, color=tint, lw=0, zorder=2.1)
    ax.plot([x0, x0, x1, x1], [low, level, level, low], color=style.lines.hex_color, lw=0.5, alpha=0.45, zorder=2.2)
    ax.plot([x0, x1], [level, level], color=style.lines.frame_color, lw=1.4, solid_capstyle="butt", zorder=3)
    height = _height(step, tall)
    if height:
        # The terrain of the ends themselves hides nothing.
        _block(ax, (x0, x1), (level, height), tint, style, frame, faint=own)
    if step["at"] in tall.crest:
        middle = (x0 + x1) / 2
        ax.fill([x0, middle, x1], [level, level + 1, level], fc=style.lines.crest.shade, alpha=0.75, zorder=3.2)
    if step["at"] in tall.smoke:
        top = frame.high + 9
        ax.fill_between([x0, x1], level, top, color="#6e6e74", alpha=0.55, hatch="oo", ec="#f4f4f4", lw=0, zorder=3.3)
    room = (x1 - x0) / length * ax.get_window_extent().width * 72 / ax.figure.dpi
    if room > 0.62 * 6.4 * len(step["at"]):
        ink, middle = style.letters.ink, (x0 + x1) / 2
        ax.text(middle, low + 0.08 * unit, step["at"], fontsize=6.4, ha="center", color=ink, zorder=4, parse_math=False)


def _own_body(ax: Axes, span: tuple[float, float], top: float, tint: str, style: Style, line: Sequence[float]) -> None:
    """Draw the building on whose roof an end stands, as far as it lies below the line: it does not hide anything."""
    xs = np.linspace(*span, 25)
    heights = np.clip(np.interp(xs, span, line) - 0.12, 0.0, top)
    ax.fill_between(xs, 0.0, heights, color=tint, alpha=0.6, lw=0, zorder=3.1)
    ax.plot(xs, heights, color=style.lines.frame_color, lw=0.9, ls=(0, (3, 1.6)), zorder=3.15)
    whole = heights >= top
    ax.plot(xs[whole], heights[whole], color=style.lines.frame_color, lw=1.4, zorder=3.16)


def _block(
    ax: Axes,
    span: tuple[float, float],
    stand: tuple[float, float],
    tint: str,
    style: Style,
    frame: _Frame,
    *,
    faint: bool,
) -> None:
    """Draw what stands on the ground, with a break below its upper end where it reaches over the picture."""
    from matplotlib.patches import Rectangle

    (x0, x1), (level, height) = span, stand
    pad, top = min(0.06, (x1 - x0) * 0.1), level + height
    shown = min(top, frame.cap)
    left, right = x0 + pad, x0 + pad + max(0.02, x1 - x0 - 2 * pad)
    ax.add_patch(
        Rectangle(
            (left, level),
            right - left,
            shown - level,
            facecolor=tint,
            edgecolor=style.lines.frame_color,
            linewidth=0.9,
            hatch="" if faint else "////",
            alpha=0.35 if faint else 0.9,
            zorder=3.1,
        )
    )
    if top > shown:
        _break(ax, left, right, shown, frame.unit, style)
        words, at = f"to {top:g}", ((left + right) / 2, shown + 0.06 * frame.unit)
        ax.text(*at, words, fontsize=6.4, ha="center", va="bottom", color=style.letters.ink, zorder=4)


def _break(ax: Axes, left: float, right: float, top: float, unit: float, style: Style) -> None:
    """Draw the mark of something cut: a white band between two zigzags."""
    count = max(2, round((right - left) / 0.25))
    xs = np.linspace(left - 0.03, right + 0.03, 2 * count + 1)
    teeth = top - 0.62 * unit + 0.12 * unit * (np.arange(2 * count + 1) % 2)
    ax.fill_between(xs, teeth, teeth + 0.2 * unit, color="#ffffff", lw=0, zorder=3.4)
    for rise in (0.0, 0.2 * unit):
        ax.plot(xs, teeth + rise, color=style.lines.frame_color, lw=0.9, zorder=3.45)


def _sight_line(ax: Axes, eyes: Any, length: int, status: str, style: Style, stop: float | None) -> None:
    verdict, end = style.verdicts[status], 1.0 if stop is None else stop
    at = eyes[0] + (eyes[1] - eyes[0]) * end
    dash = (0, (2.6, 1.3)) if verdict.line == "dashed" else "-"
    if stop is not None:
        ax.plot([end * length, length], [at, eyes[1]], color=style.verdicts["beyond"].color, lw=1.8, ls=":", zorder=6)
    ax.plot([0, end * length], [eyes[0], at], color="#ffffff", lw=4.2, solid_capstyle="butt", zorder=5.9)
    ax.plot([0, end * length], [eyes[0], at], color=verdict.color, lw=2.4, ls=dash, zorder=6)
    for x, y in ((0, eyes[0]), (length, eyes[1])):
        ax.plot(x, y, "o", ms=7, mfc="#ffffff", mec=style.letters.name_ink, mew=1.4, zorder=7, clip_on=False)
    if stop is not None:
        ax.plot(end * length, at, "x", ms=10, mec="#ffffff", mew=5, zorder=7)
        ax.plot(end * length, at, "x", ms=9, mec=verdict.color, mew=2.8, zorder=7.1)


def _reason_numbers(
    ax: Axes, data: Mapping[str, Any], eyes: Any, length: int, style: Style, tall: _Tall, frame: _Frame
) -> None:
    """Put the numbers of the reasons over the places they speak of; what was merely passed over stays unnumbered."""
    spans = {step["at"]: (float(step["enter"]) + float(step["leave"])) / 2 for step in data["profile"]}
    ways = {step["at"]: (float(step["enter"]), float(step["leave"])) for step in data["profile"]}
    taken: dict[float, int] = {}
    for n, reason in enumerate(data["reasons"], 1):
        places = (reason["at"],) if isinstance(reason["at"], str) else tuple(reason["at"])
        place = next((name for name in places if name in spans), "")
        look = style.effects.get(str(reason["effect"]))
        if place in spans and look is not None and reason["effect"] != "passes":
            t = spans[place]
            if len(places) == 2 and set(places) <= set(ways) and ways[places[0]][1] == ways[places[1]][0]:
                t = ways[places[0]][1]  # what stands on a hexside
            row = taken[t] = taken.get(t, 0) + 1
            top = _top(next(step for step in data["profile"] if step["at"] == place), tall)
            over = max(min(top, frame.cap), eyes[0] + (eyes[1] - eyes[0]) * t)
            # What is cut has its height written on it.
            y = over + (0.3 if top <= frame.cap else 0.56) * frame.unit + 0.42 * frame.unit * (row - 1)
            badge(ax, (t * length, y), str(n), look, 7)

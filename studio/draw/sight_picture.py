"""A line of sight as a picture: the line on the map, its reasons beside it, the ground below it from the side."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from studio.draw.areas import area_look
from studio.draw.badge import badge
from studio.draw.options import called
from studio.draw.parts import Verdict
from studio.draw.picture import Picture, style_of
from studio.draw.profile import draw_profile
from studio.draw.regions import Regions
from studio.draw.signs import draw_area_discs
from studio.draw.sites import sites_of
from studio.draw.style import Style, toned
from studio.draw.subject import Floats
from studio.draw.symbols import draw_places, place_look
from studio.draw.trail import Trail, key_of
from studio.draw.washes import DARK, border, diagonals, fill
from studio.errors import StudioError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_sight"]

_TEXT_PX = 380
_PROFILE_PX = 190
_UNKNOWN = Verdict(color="#7a7a7a", line="solid", sign="·")


@called("plot_sight")
def draw_sight(
    map: Any, sighting: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw a line of sight on the part of the map around it.

    The ends stand at their dots, whatever they are: hexes, rooms, roofs, roads; zones and boxes are ringed. A clear
    line is green-blue and solid, a hindered one amber and dashed, a blocked one vermilion up to a cross where it stops
    and grey beyond. The numbers on the line are those of the reasons in the list beside it. Blind hexes are hatched. In
    a game of zones both zones are tinted, and the line runs through what connects them; where nothing does, there is
    none, but a dotted hint that says so.

    Parameters
    ----------
    map : studio.Map
    sighting : Sighting or dict
        What `Map.sight` answered, or its ``to_dict()``.
    ax : matplotlib.axes.Axes, optional
        Draw the map's part here, without the list and the side profile.
    hex_px : float, optional
        Height of a hex in pixels.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes
        The map's; ``ax.figure`` holds the panels too.

    Raises
    ------
    StyleError
        When the ruleset has no style.
    LabelError
        When a label of the sighting is not on the map.
    """
    data: Mapping[str, Any] = sighting if isinstance(sighting, Mapping) else sighting.to_dict()
    sites = sites_of(map)
    subject, look = sites.subject, style_of(map, style)
    line = Trail(sites, data)
    extent = line.extent()
    wide, high = (extent[2] - extent[0]) / subject.grid.hex_height, (extent[3] - extent[1]) / subject.grid.hex_height
    size = hex_px or min(78.0, max(22.0, min(880 / wide, 640 / high)))
    profile = bool(data.get("profile"))
    picture = Picture(
        subject,
        look,
        ax=ax,
        hex_px=size,
        extent=extent,
        panels=(0, 0) if ax is not None else (_TEXT_PX, _PROFILE_PX + 24 if profile else 0),
        sites=sites,
    )
    picture.ground()
    _mark_areas(picture, line)
    hatched = _hatch_blind(picture, line)
    _draw_line(picture, line)
    if ax is None:
        bottom = high * picture.hex_px + picture.margin
        _write_reasons(picture, data, wide * picture.hex_px + 2 * picture.margin, hatched=hatched)
        if profile:
            panel = picture.panel(picture.margin + 34, bottom + 22, wide * picture.hex_px - 34, _PROFILE_PX - 34)
            draw_profile(panel, sites, data, look, line.stop)
    return picture.ax


def _mark_areas(picture: Picture, line: Trail) -> None:
    """In a game of zones, lay the verdict's colour over the zones of both ends, and draw their borders."""
    regions, color = Regions(line.sites), picture.style.verdicts[line.data["status"]].color
    numbers = {place.feature: place.number for place in line.sites.others()} if line.areas else {}
    for number in dict.fromkeys(numbers[name] for name in line.areas if name in numbers):
        region = regions.path([number])
        if region is not None:
            fill(picture, region, color, 0.24)
            border(picture, regions.rim(np.arange(len(line.sites.directory)) == number))


def _hatch_blind(picture: Picture, line: Trail) -> bool:
    """Hatch the locations that reasons call blind: the end that one names, or else its place; tell if there are any."""
    regions, hatched = Regions(line.sites), False
    for reason in line.data["reasons"]:
        text = str(reason["text"])
        if not re.search(r"(?<!no )\bblind\b", text) or reason["effect"] not in ("blocks", "hinders", "counts"):
            continue
        ends = [
            end for end in (line.data["to"], line.data["from"]) if re.search(rf"(?<!\w){re.escape(end)}(?!\w)", text)
        ]
        try:
            region = regions.path([line.sites.directory.number(ends[0] if ends else str(reason["at"]))])
        except StudioError:
            continue
        if region is not None:
            fill(picture, region, picture.style.blind, 0.3)
            diagonals(picture, region, 0.2, "#000000", 0.65, max(0.6, 26 * picture.line_scale))
            hatched = True
    return hatched


def _draw_line(picture: Picture, line: Trail) -> None:
    ax, style, px = picture.ax, picture.style, picture.hex_px
    verdict = style.verdicts[line.data["status"]]
    width = max(2.2, 62 * picture.line_scale)
    if line.zonal and line.data["status"] == "blocked":
        _draw_no_line(picture, line, width)
        return
    stop = 1.0 if line.stop is None else line.stop
    if line.stop is not None:
        _segment(ax, line.part(stop, 1.0), style.verdicts["beyond"], width * 0.8)
    _segment(ax, line.part(0.0, stop), verdict, width)
    _draw_ends(picture, line, width)
    if line.stop is not None:
        for color, extra in (("#ffffff", 3.4), (verdict.color, 0.0)):
            ax.plot(*line.at(stop), "x", ms=0.3 * px * 0.72, mec=color, mew=width * 0.8 + extra, zorder=34)
    _draw_numbers(picture, line)


def _draw_ends(picture: Picture, line: Trail, width: float) -> None:
    ax, ink, px = picture.ax, picture.style.letters.name_ink, picture.hex_px * 0.72
    color = picture.style.verdicts[line.data["status"]].color
    for end, name in ((line.a, "from"), (line.b, "to")):
        if _draw_signed_end(picture, line, str(line.data[name])):
            continue
        ax.plot(*end, "o", ms=0.26 * px, mfc="#ffffff", mec=ink, mew=width * 0.45, zorder=33)
        ax.plot(*end, "o", ms=0.12 * px, mfc=color, mec="none", zorder=33.1)
        _tag(picture, end, f" {line.data[name]} ", line, -1 if name == "from" else 1)


def _draw_signed_end(picture: Picture, line: Trail, label: str) -> bool:
    """In a game of zones, lift the sign of an end over the line and put a ring round it; tell whether it has one."""
    if not line.zonal:
        return False
    sites, style = line.sites, picture.style
    place = sites.directory.location(sites.directory.number(label))
    ring = style.verdicts[line.data["status"]].color
    if place.kind == "place":
        look = place_look(style, place.type)
        draw_places(picture.canvas, sites, {place.feature: replace(look, edge=ring, width=2 * look.width + 20)}, 33)
        return True
    disc = area_look(style, place.type)
    if disc.name != "disc":
        return False
    at, size = sites.dot(label), (disc.disc.size + 70) * picture.line_scale
    for edge, width in (("#ffffff", 90), (ring, 55)):
        picture.ax.plot(*at, "o", ms=size, mfc="none", mec=edge, mew=picture.canvas.width(width, 2.0), zorder=33)
    draw_area_discs(picture.canvas, sites, 33.1, {place.feature})
    return True


def _draw_no_line(picture: Picture, line: Trail, width: float) -> None:
    """In a game of zones nothing runs between two that are not connected: join them by a dotted hint, and say so."""
    ends = np.asarray([line.a, line.b])
    grey, ink = picture.style.verdicts["beyond"].color, picture.style.letters.name_ink
    picture.ax.plot(ends[:, 0], ends[:, 1], color=grey, lw=width * 0.5, ls=(0, (1, 3)), alpha=0.8, zorder=32)
    _draw_ends(picture, line, width)
    middle = line.at(0.5)
    picture.ax.text(
        float(middle[0]),
        float(middle[1]),
        "no connection",
        fontsize=max(7.5, 140 * picture.line_scale),
        ha="center",
        va="center",
        color=ink,
        bbox={"boxstyle": "round,pad=0.25", "fc": picture.style.letters.halo, "ec": grey, "lw": 0.9},
        zorder=33.2,
    )
    _draw_numbers(picture, line)


def _segment(ax: Axes, points: Floats, look: Verdict, width: float) -> None:
    from matplotlib.patheffects import Normal, Stroke

    ax.plot(
        points[:, 0],
        points[:, 1],
        color=look.color,
        lw=width,
        ls={"solid": "-", "dashed": (0, (2.6, 1.3)), "dotted": (0, (1, 1.4))}[look.line],
        dash_capstyle="butt",
        solid_capstyle="butt",
        solid_joinstyle="round",
        path_effects=[Stroke(linewidth=width + 2.4, foreground="#ffffff", alpha=0.85), Normal()],
        zorder=32,
    )


def _across(line: Trail) -> Floats:
    along = line.b - line.a
    length = float(np.hypot(*along)) or 1.0
    across = np.asarray([-along[1], along[0]]) / length
    # Always to the upper side, so that numbers read in one row.
    return across if across[1] <= 0 else -across


def _tag(picture: Picture, end: Floats, text: str, line: Trail, way: int) -> None:
    """Write an end's label beyond that end, where the line does not run; beside it at the edge of the picture."""
    style = picture.style
    along = line.points[-1] - line.points[-2] if way > 0 else line.points[1] - line.points[0]
    along = along / (float(np.hypot(*along)) or 1.0) * way
    reach = np.array([0.62, 0.44]) * picture.subject.grid.hex_height
    spots = [end + way * reach for way in (along, _across(line), -_across(line))]
    low, high = np.array(picture.extent[:2]) + reach / 2, np.array(picture.extent[2:]) - reach / 2
    inside = (spot for spot in spots if (spot >= low).all() and (spot <= high).all())
    at = next(inside, np.clip(spots[2 if spots[1][0] > high[0] else 1], low, high))
    picture.ax.text(
        float(at[0]),
        float(at[1]),
        text,
        fontsize=max(7.5, 150 * picture.line_scale),
        fontweight="bold",
        ha="center",
        va="center",
        color=style.letters.name_ink,
        bbox={"boxstyle": "round,pad=0.2", "fc": style.letters.halo, "ec": style.letters.name_ink, "lw": 0.7},
        zorder=33,
        parse_math=False,
    )


def _draw_numbers(picture: Picture, line: Trail) -> None:
    """Put the numbers of the reasons beside the line, or where their places are; those of one place in a row."""
    groups: dict[Any, list[tuple[int, str]]] = {}
    for n, reason in enumerate(line.data["reasons"], 1):
        t = line.share(reason["at"])
        group = key_of(reason["at"]) if t is None else round(t, 6)
        groups.setdefault(group, []).append((n, str(reason["effect"])))
    unit = picture.subject.grid.hex_height
    size = max(7.0, 125 * picture.line_scale)
    wide = size * 2.1 / (picture.line_scale * 1000) * unit
    for group, found in groups.items():
        spot = line.at(group) if isinstance(group, float) else line.spot(group)
        if spot is None:
            continue
        base = spot + _across(line) * 0.34 * unit
        for i, (n, effect) in enumerate(found):
            look = picture.style.effects.get(effect, _UNKNOWN)
            x = base[0] + (i - (len(found) - 1) / 2) * wide
            badge(picture.ax, (x, base[1]), str(n), look, size)


def _hatching_sample(panel: Axes, y: float, style: Style) -> None:
    from matplotlib.patches import Rectangle

    panel.add_patch(Rectangle((4, y - 9), 24, 18, fc=style.blind, ec=DARK, lw=0.8, hatch="////", alpha=0.6))
    panel.text(36, y, "blind: hidden from the end that looks", fontsize=8.4, color=style.letters.name_ink, va="center")


def _write_reasons(picture: Picture, data: Mapping[str, Any], left: float, *, hatched: bool) -> None:
    """Write the verdict and the numbered reasons in the room to the right, and what hatching means, if there is any."""
    style = picture.style
    panel = picture.panel(left, 0, _TEXT_PX, picture.size[1])
    panel.set_xlim(0, _TEXT_PX)
    panel.set_ylim(picture.size[1], 0)
    panel.axis("off")
    verdict = style.verdicts[data["status"]]
    ink = style.letters.name_ink
    panel.text(
        4,
        34,
        f"{data['from']} → {data['to']}",
        fontsize=17,
        fontweight="bold",
        color=ink,
        va="center",
        parse_math=False,
    )
    word = data["status"] + (f" × {data['hindrances']}" if data["hindrances"] > 1 else "")
    figures = "  ".join(f"{value:+d} {unit.replace('_', ' ')}" for unit, value in data["modifiers"].items())
    panel.text(
        4,
        68,
        f" {verdict.sign} {word} ",
        fontsize=13,
        fontweight="bold",
        color="#ffffff",
        va="center",
        bbox={"boxstyle": "round,pad=0.3", "fc": verdict.color, "ec": "none"},
    )
    panel.text(_TEXT_PX - 24, 68, figures, fontsize=13, fontweight="bold", color=ink, va="center", ha="right")
    y = 108.0
    room = picture.size[1] - (56 if hatched else 24)
    if hatched:
        _hatching_sample(panel, room + 16, style)
    for n, reason in enumerate(data["reasons"], 1):
        lines = textwrap.wrap(str(reason["text"]), 46) or [""]
        if y + 18 * len(lines) + 16 > room:
            rest = len(data["reasons"]) - n + 1
            panel.text(34, y, f"… and {rest} more", fontsize=9, color=ink, fontstyle="italic", va="center")
            break
        look = style.effects.get(str(reason["effect"]), _UNKNOWN)
        badge(panel, (14, y), str(n), look, 8)
        for line in lines:
            panel.text(34, y, line.replace("$", r"\$"), fontsize=9.2, color=ink, va="center")
            y += 17
        note = f"{look.sign} {reason['effect']} · {reason['rule']}"
        panel.text(34, y - 1, note.replace("$", r"\$"), fontsize=7.6, color=toned(look.color, -280), va="center")
        y += 25

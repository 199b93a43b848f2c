"""The ground under a line of sight from the side: true levels, what stands on them, and the line over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.badge import badge
from studio.draw.style import Style
from studio.draw.subject import kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_profile"]

_EYE = 0.3  # of a level: where the line starts over the ground
_TALL = 0.62  # of a level: how high an obstacle of level 0 is drawn
_OBSTACLES = {"obstacle", "block", "blocks"}


def draw_profile(ax: Axes, map: Any, subject: Any, data: Mapping[str, Any], style: Style, stop: float | None) -> None:
    """Draw the side view of a sighting.

    Parameters
    ----------
    ax : Axes
    map : studio.Map
        Its ruleset says which terrains stand up.
    subject : Subject
    data : dict
        The sighting, with its ``profile``.
    style : Style
    stop : float or None
        Where a blocked line stops, from 0 to 1.
    """
    steps = data["profile"]
    length = max(1, subject.grid.distance(subject.labels.cell(data["from"]), subject.labels.cell(data["to"])))
    levels = [int(step["level"]) for step in steps]
    low, high = min([0, *levels]) - 0.55, max([0, *levels]) + 1.55
    ax.set_facecolor("#eef3f2")
    tall = _standing(map, subject)
    for n, step in enumerate(steps):
        _step(ax, step, low, length, style, tall, own=n in (0, len(steps) - 1))
    # A unit on a crest line looks from its top.
    ends = [levels[i] + (steps[i]["at"] in tall["crest"]) for i in (0, -1)]
    eyes = np.array(ends) + _EYE
    _sight_line(ax, eyes, length, data["status"], style, stop)
    _reason_numbers(ax, data, eyes, length, style)
    ax.set_xlim(0, length)
    ax.set_ylim(low, high)
    ax.set_yticks(range(int(np.floor(low)) + 1, int(np.floor(high)) + 1))
    ax.set_xticks(range(length + 1) if length <= 24 else range(0, length + 1, 5))
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


def _standing(map: Any, subject: Any) -> dict[str, set[str]]:
    """Return what stands up in which hexes: terrains that hide, smoke and crests, by kind."""
    terrains = dict(getattr(getattr(map, "ruleset", None), "terrains", None) or {})
    standing = {name for name, terrain in terrains.items() if getattr(terrain, "sight", "") in _OBSTACLES}
    found: dict[str, set[str]] = {"terrain": standing, "smoke": set(), "crest": set()}
    for feature in subject.features.values():
        if kind_of(feature) == "marker" and feature.type == "smoke":
            found["smoke"].add(feature.at)
        elif kind_of(feature) == "crest":
            found["crest"] |= set(feature.path)
    return found


def _step(
    ax: Axes, step: Mapping[str, Any], low: float, length: int, style: Style, tall: dict[str, set[str]], *, own: bool
) -> None:
    x0, x1, level = float(step["enter"]) * length, float(step["leave"]) * length, int(step["level"])
    look = style.terrain.get(str(step["terrain"]))
    tint = look.tint if look else style.ground
    earth = style.tinted(style.ground, level) if level else style.ground
    ax.fill_between([x0, x1], low, level, color=earth, lw=0, zorder=2)
    ax.fill_between([x0, x1], level - 0.14, level, color=tint, lw=0, zorder=2.1)
    ax.plot([x0, x0, x1, x1], [low, level, level, low], color=style.lines.hex_color, lw=0.5, alpha=0.45, zorder=2.2)
    ax.plot([x0, x1], [level, level], color=style.lines.frame_color, lw=1.4, solid_capstyle="butt", zorder=3)
    if step["terrain"] in tall["terrain"]:
        # The terrain of the ends themselves hides nothing.
        _block(ax, x0, x1, level, _TALL, tint, style, faint=own)
    if step["at"] in tall["crest"]:
        middle = (x0 + x1) / 2
        ax.fill([x0, middle, x1], [level, level + 1, level], fc=style.lines.crest.shade, alpha=0.75, zorder=3.2)
    if step["at"] in tall["smoke"]:
        top = ax.get_ylim()[1] + 9
        ax.fill_between([x0, x1], level, top, color="#6e6e74", alpha=0.55, hatch="oo", ec="#f4f4f4", lw=0, zorder=3.3)
    if x1 - x0 > 0.3:
        ax.text(
            (x0 + x1) / 2,
            low + 0.08,
            step["at"],
            fontsize=6.4,
            ha="center",
            color=style.letters.ink,
            zorder=4,
            parse_math=False,
        )


def _block(ax: Axes, x0: float, x1: float, level: int, height: float, tint: str, style: Style, *, faint: bool) -> None:
    from matplotlib.patches import Rectangle

    pad = min(0.06, (x1 - x0) * 0.1)
    ax.add_patch(
        Rectangle(
            (x0 + pad, level),
            max(0.02, x1 - x0 - 2 * pad),
            height,
            facecolor=tint,
            edgecolor=style.lines.frame_color,
            linewidth=0.9,
            hatch="" if faint else "////",
            alpha=0.35 if faint else 0.9,
            zorder=3.1,
        )
    )


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


def _reason_numbers(ax: Axes, data: Mapping[str, Any], eyes: Any, length: int, style: Style) -> None:
    """Put the numbers of the reasons over the places they speak of; what was merely passed over stays unnumbered."""
    spans = {step["at"]: (float(step["enter"]) + float(step["leave"])) / 2 for step in data["profile"]}
    taken: dict[float, int] = {}
    for n, reason in enumerate(data["reasons"], 1):
        place = reason["at"] if isinstance(reason["at"], str) else reason["at"][0]
        look = style.effects.get(str(reason["effect"]))
        if place in spans and look is not None and reason["effect"] != "passes":
            t = spans[place]
            row = taken[t] = taken.get(t, 0) + 1
            level = next(int(step["level"]) for step in data["profile"] if step["at"] == place)
            y = max(level + _TALL + 0.3, eyes[0] + (eyes[1] - eyes[0]) * t + 0.3) + 0.42 * (row - 1)
            badge(ax, (t * length, y), str(n), look, 7)

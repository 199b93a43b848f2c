"""Command on the map: leaders and their ranges, the units that they command, and the nearest miss of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import Sites, sites_of
from studio.draw.style import Style
from studio.draw.subject import Floats
from studio.draw.washes import DARK, Entry, border, fill

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_command"]

_IN, _OUT, _LEADER, _CHAIN = "#009E73", "#D55E00", "#F0E442", "#0072B2"
_NAMES_PX = 26
_FIGURES_PX = 14


@called("plot_command")
def draw_command(
    scenario: Any,
    command: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw which units are in command, by whom, and how near the others are to it.

    Leaders are stars. Units in command are green discs, with a solid line from the nearest leader that has them in
    range and the distance on it; those out of command vermilion squares with a cross, with a dotted line to the leader
    that comes nearest. Ranges in hexes are shaded, each with a border. The chain of command is a broad blue
    line, broken where it is too long.

    Parameters
    ----------
    scenario : studio.Scenario
    command : studio.paths.command_answer.Command
        What `Scenario.command` answered.
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
    title, entries = _title(scenario, command), _entries(command)
    sites = sites_of(scenario.played)
    picture = begin_keyed(sites, style_of(scenario.played, style), title, entries, ax=ax, hex_px=hex_px)
    painter = _Painter(picture, sites)
    painter.ranges(command)
    painter.lines(command)
    painter.chains(command)
    painter.units(command)
    painter.leaders(command)
    return finish_keyed(picture, title, entries, ax)


def _title(scenario: Any, command: Any) -> str:
    names = scenario.situation.sides
    sides = list(dict.fromkeys(names.get(one.side, one.side) for one in command))
    return f"Command of {' and '.join(sides) or 'nobody'}"


def _entries(command: Any) -> list[Entry]:
    inside, out = len(command.in_command), len(command.out_of_command)
    entries = [Entry(f"in command ({inside})", _IN, disc=True), Entry(f"✕ out of command ({out})", _OUT)]
    if command.leaders:
        entries.append(Entry("leader (star)", _LEADER))
    if _by_hexes(command):
        entries.append(Entry("in range of a leader", _IN, 0.22))
    if any(chain.links for chain in command.chains):
        entries.append(Entry("chain of command", _CHAIN))
    return entries


def _by_hexes(command: Any) -> bool:
    """Tell whether ranges are counted in hexes, so that they can be shown as regions."""
    links = [link for one in command for link in (*one.links, one.nearest) if link is not None]
    return bool(links) and all(link.measure == "hex" for link in links)


class _Painter:
    """Draws the parts of the picture."""

    def __init__(self, picture: Picture, sites: Sites) -> None:
        self.picture, self.sites, self.ax = picture, sites, picture.ax
        self.unit = picture.subject.grid.hex_height
        self.points = 0.72 * picture.hex_px

    def mark(self, at: Floats, shape: str, size: float, color: str, zorder: float) -> None:
        """Draw a mark, so many hex heights large."""
        points = max(5.0, size * self.points)
        self.ax.plot(*at, shape, ms=points, mfc=color, mec=DARK, mew=max(0.7, 0.06 * points), zorder=zorder)

    def segment(self, a: Floats, b: Floats, color: str, width: float, line: Any, zorder: float) -> None:
        """Draw a line on white."""
        wide = max(1.0, width * self.picture.line_scale)
        xs, ys = (a[0], b[0]), (a[1], b[1])
        self.ax.plot(xs, ys, "-", color="#ffffff", lw=wide + 2, alpha=0.8, zorder=zorder)
        self.ax.plot(xs, ys, linestyle=line, color=color, lw=wide, zorder=zorder + 0.1)

    def word(self, at: Floats, text: str, size: float, edge: str, zorder: float) -> None:
        """Write a word in a white box."""
        self.ax.text(
            float(at[0]),
            float(at[1]),
            text,
            fontsize=max(6.0, size * self.points),
            ha="center",
            va="center",
            color=DARK,
            bbox={"boxstyle": "round,pad=0.15", "fc": "#ffffff", "ec": edge, "lw": 0.7, "alpha": 0.9},
            zorder=zorder,
            parse_math=False,
            clip_on=True,
        )

    def ranges(self, command: Any) -> None:
        """Shade what is in range of each leader, where ranges are counted in hexes."""
        if not _by_hexes(command):
            return
        survey, regions = command.survey, Regions(self.sites)
        within: set[int] = set()
        for _, label, reach in command.leaders.values():
            start = survey.directory.location(survey.directory.number(label)).cell
            near = [cell for cell in survey.grid.within(start, reach) if survey.directory.exists(cell)]
            held = np.zeros(len(survey.directory), dtype=np.int64)
            held[near] = 1
            border(self.picture, regions.rim(held), dash=True)
            within |= set(near)
        region = regions.path(sorted(within))
        if region is not None:
            fill(self.picture, region, _IN, 0.22)

    def lines(self, command: Any) -> None:
        """Draw the line from each unit to its nearest leader, solid where it is in range, and the distance on it."""
        for one in command:
            link = one.links[0] if one.links else one.nearest
            if link is None or link.at == one.at:
                continue
            color, line = (_IN, "-") if one.in_command else (_OUT, (0, (1, 1.4)))
            a, b = self.sites.dot(link.at), self.sites.dot(one.at)
            self.segment(a, b, color, 46, line, 23 if one.in_command else 22)
            if self.picture.hex_px >= _FIGURES_PX:
                self.word((a + b) / 2, str(link.distance), 0.17, color, 25)

    def chains(self, command: Any) -> None:
        """Draw the links of the chain of command."""
        for chain in command.chains:
            for link, to in zip(chain.links, chain.to, strict=True):
                a, b = self.sites.dot(link.at), self.sites.dot(to)
                if link.at != to:
                    wide = max(7.0, 150 * self.picture.line_scale)
                    line = "-" if link.holds else (0, (0.8, 0.8))
                    self.ax.plot((a[0], b[0]), (a[1], b[1]), linestyle=line, color=_CHAIN, lw=wide, zorder=20)

    def units(self, command: Any) -> None:
        """Draw the units, one mark a place, with their number where there are several, and their names."""
        for at, stack in _stacks(command).items():
            spot = self.sites.dot(at)
            inside = all(one.in_command for one in stack)
            if len(stack) == 1 and stack[0].unit in command.leaders and not inside and stack[0].nearest is None:
                self.mark(spot, "o", 0.4, "#ffffff", 30)  # nobody is above this leader
                inside = True
            else:
                self.mark(spot, "o" if inside else "s", 0.4, _IN if inside else _OUT, 30)
            sign = ("" if inside else "✕") if len(stack) == 1 else str(len(stack))
            size = max(6.0, 0.22 * self.points)
            look: dict[str, Any] = {"color": "#ffffff", "fontweight": "bold", "ha": "center", "va": "center"}
            self.ax.text(float(spot[0]), float(spot[1]), sign, fontsize=size, zorder=31, clip_on=True, **look)
            if self.picture.hex_px >= _NAMES_PX:
                self.word(spot + np.array([0.0, 0.38]) * self.unit, _names(stack), 0.15, "none", 32)

    def leaders(self, command: Any) -> None:
        """Draw the leaders."""
        for _, label, _ in command.leaders.values():
            self.mark(self.sites.dot(label) - np.array([0.0, 0.3]) * self.unit, "*", 0.46, _LEADER, 33)


def _stacks(command: Iterable[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for one in command:
        found.setdefault(one.at, []).append(one)
    return found


def _names(stack: Sequence[Any]) -> str:
    return stack[0].unit if len(stack) == 1 else f"{stack[0].unit} +{len(stack) - 1}"

"""Supply on the map: units in and out, their lines with running costs, the road net and its owners; interdiction."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import style_of
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.style import Style
from studio.draw.supply_marks import (
    FIGURES_PX,
    IN,
    NAMES_PX,
    NOBODY,
    OUT,
    OWNERS,
    SHAPE_OF_NOBODY,
    SHAPES,
    SOURCE,
    SupplyPainter,
)
from studio.draw.washes import DARK, Entry, figures, fill, ramp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_interdiction", "draw_supply"]


@called("plot_supply")
def draw_supply(
    scenario: Any,
    supply: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw which units are in supply, and by what lines.

    Units in supply are green discs with a tick, those out of supply vermilion squares with a cross. A line is dashed
    off road, with the points that are spent at each hex, and solid along the road as it is drawn. Of a unit out of
    supply the nearest miss is dotted, with a cross at each hex that cuts it. Road hexes have a mark in the colour of
    the side that controls them, grey where nobody does; sources are stars, hollow where they do not work; enemy units
    are dark triangles. Where a unit stands in a town, at a source or on a road, its mark is beside what is there.

    Parameters
    ----------
    scenario : studio.Scenario
    supply : studio.paths.supply_answer.Supply
        What `Scenario.supply` answered.
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
    title = _title(scenario, supply)
    entries = _entries(scenario, supply)
    look = style_of(scenario.played, style)
    picture = begin_keyed(sites_of(scenario.played), look, title, entries, ax=ax, hex_px=hex_px)
    painter = SupplyPainter(picture)
    painter.roads(supply)
    for ground in supply.grounds.values():
        painter.sources(ground.sources, ground.closed)
    painter.lines(supply)
    painter.hostile(_hostile(supply))
    painter.units(supply)
    return finish_keyed(picture, title, entries, ax)


@called("plot_interdiction")
def draw_interdiction(
    scenario: Any,
    interdiction: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw by how many units each hex cuts off, from light to dark, with the number from 18 pixels a hex on.

    Parameters
    ----------
    scenario : studio.Scenario
    interdiction : studio.paths.supply_answer.Interdiction
        What `Scenario.interdiction` answered.
    ax, hex_px, style
        As for :func:`draw_supply`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    """
    counts = {cell: len(units) for cell, units in interdiction.cells.items()}
    most = max(counts.values(), default=1)
    found = sorted(set(counts.values()))
    shown = found if len(found) <= 7 else [found[round(n * (len(found) - 1) / 6)] for n in range(7)]
    values = Counter(counts.values())
    entries = [Entry(f"{value} ({values[value]})", ramp(value / most)) for value in shown]
    entries += _interdiction_entries(scenario, interdiction.side)
    name = scenario.situation.sides.get(interdiction.side, interdiction.side)
    title = f"Units of {name} cut off by an enemy in a hex, of {interdiction.asked} in supply"
    look = style_of(scenario.played, style)
    picture = begin_keyed(sites_of(scenario.played), look, title, entries, ax=ax, hex_px=hex_px)
    regions = Regions(picture.sites)
    for value in found:
        region = regions.path([cell for cell, count in counts.items() if count == value])
        if region is not None:
            fill(picture, region, ramp(value / most), 0.78)
    painter = SupplyPainter(picture)
    figures(picture, [(painter.at(cell), str(count)) for cell, count in counts.items()], 0.34, FIGURES_PX)
    aside = np.array([0.0, -0.3]) * picture.subject.grid.hex_height
    for cell in _working(scenario, interdiction.side):
        painter.mark(painter.at(cell) + aside, "*", 0.4, SOURCE, DARK, 25)
    painter.hostile(scenario.situation.enemies(interdiction.side))
    own = [unit for unit in scenario.situation.of(interdiction.side) if unit.on_ground]
    stacks: dict[int, list[str]] = {}
    for unit in own:
        stacks.setdefault(unit.cell, []).append(unit.id)
    for cell, names in sorted(stacks.items()):
        at = painter.at(cell) + (
            np.array([0.0, 0.28]) * picture.subject.grid.hex_height if cell in counts else painter.shift(cell)
        )
        painter.mark(at, "o", 0.24, "#ffffff", DARK, 27)
        if picture.hex_px >= NAMES_PX:
            name = names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}"
            painter.name(at + np.array([0.0, 0.24]) * picture.subject.grid.hex_height, name)
    return finish_keyed(picture, title, entries, ax)


def _interdiction_entries(scenario: Any, side: str) -> list[Entry]:
    """Return what the marks over the shades stand for, as far as there are some."""
    situation = scenario.situation
    own, working = [unit for unit in situation.of(side) if unit.on_ground], _working(scenario, side)
    enemies = situation.enemies(side)
    entries = [Entry(f"unit of {situation.sides.get(side, side)} ({len(own)})", "#ffffff", mark="o")] if own else []
    if working:
        entries.append(Entry(f"source ({len(working)})", SOURCE, mark="*"))
    if enemies:
        entries.append(Entry(f"enemy unit ({len(enemies)})", DARK, mark="^"))
    return entries


def _working(scenario: Any, side: str) -> list[int]:
    """Return the sources that work for a side as the scenario stands."""
    options = scenario.ruleset.options(scenario.document.special.options)
    working: list[int] = scenario.ruleset.supply.ground(scenario.situation, side, options).working
    return working


def _title(scenario: Any, supply: Any) -> str:
    if len(supply) == 1:
        one = supply[0]
        return f"{one.unit} at {one.at}: {'in supply' if one.supplied else 'out of supply'}: {one.reason}"
    sides = [scenario.situation.sides.get(side, side) for side in supply.grounds]
    return f"Supply of {' and '.join(sides) or 'nobody'}"


def _entries(scenario: Any, supply: Any) -> list[Entry]:
    fed, out = len(supply.supplied), len(supply.out_of_supply)
    entries = [
        Entry(f"in supply ({fed})", IN, mark="o", sign="✓"),
        Entry(f"out of supply ({out})", OUT, mark="s", sign="✕"),
    ]
    works = [not why and cell not in one.closed for one in supply.grounds.values() for cell, why in one.sources.items()]
    if any(works):
        entries.append(Entry("source", SOURCE, mark="*"))
    if not all(works):
        entries.append(Entry("source that does not work", "#ffffff", mark="*"))
    if any(one.cuts for one in supply):
        entries.append(Entry("cuts the line", OUT, mark="X"))
    if _hostile(supply):
        entries.append(Entry(f"enemy unit ({len(_hostile(supply))})", DARK, mark="^"))
    return entries + _road_entries(scenario, supply)


def _road_entries(scenario: Any, supply: Any) -> list[Entry]:
    """Return whose roads there are: the marks of all sides, and of nobody where some roads are nobody's."""
    if not supply.survey.roads or supply.owner is None:
        return []
    owners = {int(supply.owner[cell]) for cell in supply.survey.road_hexes}
    names = dict(enumerate(scenario.situation.sides.values()))
    entries = [
        Entry(f"road of {name}", OWNERS[n % len(OWNERS)], mark=SHAPES[n % len(SHAPES)])
        for n, name in names.items()
        if n in owners
    ]
    return entries + ([Entry("road of nobody", NOBODY, mark=SHAPE_OF_NOBODY)] if -1 in owners else [])


def _hostile(supply: Any) -> list[int]:
    """Return the hexes with enemies of the side that is asked about; none where both are."""
    if len(supply.grounds) != 1:
        return []  # the units of the one are the enemies of the other
    (ground,) = supply.grounds.values()
    return sorted(cell for cell, cause in ground.closed.items() if cause == "an enemy unit")

"""Pictures of answers for many locations: exposure to units, dead ground, and two games compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import Sites, sites_of
from studio.draw.states import State, beside, mark_start, mark_states, sparse_figures
from studio.draw.style import Style
from studio.draw.view_picture import shade
from studio.draw.washes import (
    DARK,
    Entry,
    border,
    diagonals,
    figures,
    fill,
    ramp,
    specks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_comparison", "draw_dead_ground", "draw_exposure"]

_FIGURES_PX = 18
_REGIONS_PX = 9
_SEEN = (1, 2)
_FIRST, _SECOND, _BOTH = "#0072B2", "#E69F00", "#009E73"


@called("plot_exposure")
def draw_exposure(
    map: Any, exposure: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw how many units see each location: from light to dark, with the number from 18 pixels a hex on.

    Locations that no unit sees are hatched and carry no number.

    Parameters
    ----------
    map : studio.Map
    exposure : studio.sight.answers.Exposure
        What `Map.exposure` answered: its ``counts`` (-1 where there is no location) and ``units``.
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
    sites, look = sites_of(map, exposure), style_of(map, style)
    counts = np.asarray(exposure.counts).ravel()
    most = max(1, int(counts.max(initial=0)))
    title = f"Exposure to {_listed(exposure.units)}"
    present = [value for value in range(most + 1) if (counts == value).any()]
    entries = [
        Entry(
            f"{'unseen' if value == 0 else value} ({int((counts == value).sum())})",
            "#ffffff" if value == 0 else ramp(value / most),
            1.0,
            "" if value else "//",
        )
        for value in (present if len(present) <= 8 else _thinned(present))
    ]
    picture, regions = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px), Regions(sites)
    for value in present:
        numbers = np.flatnonzero(counts == value)
        region = regions.path(numbers)
        if value and region is not None:
            fill(picture, region, ramp(value / most), 0.72)
        elif region is not None:
            fill(picture, region, "#ffffff", 0.42)
            diagonals(picture, region, 0.3, "#5b5b5b", 0.5, max(0.4, 14 * picture.line_scale))
    states = [(_shade(value / most), np.flatnonzero(counts == value)) for value in present]
    mark_states(picture, regions, states)
    # What is unseen is hatched: a figure there would only repeat it.
    _counts(picture, regions, counts)
    _mark_units(picture, regions, exposure.units)
    return finish_keyed(picture, title, entries, ax)


@called("plot_dead_ground")
def draw_dead_ground(
    map: Any, dead: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw what none of some units sees: hatched regions with their outlines and, where they fit, their numbers.

    A region of a single location that is no hex has no number.

    Parameters
    ----------
    map : studio.Map
    dead : studio.sight.answers.DeadGround
        What `Map.dead_ground` answered: its ``mask``, ``units`` and ``regions`` (0 none).
    ax, hex_px, style
        As for :func:`draw_exposure`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    """
    sites, look = sites_of(map, dead), style_of(map, style)
    mask, groups = np.asarray(dead.mask).ravel(), np.asarray(dead.regions).ravel()
    count = int(groups.max(initial=0))
    title = f"Dead ground of {_listed(dead.units)}"
    noun = "region" if count == 1 else "regions"
    entries = [Entry(f"seen by none ({int(mask.sum())}, {count} {noun})", look.blind, 0.6, "////", line=True)]
    picture, regions = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px), Regions(sites)
    region = regions.path(np.flatnonzero(mask))
    if region is not None:
        shade(picture, region)
    border(picture, regions.rim(groups))
    mark_states(picture, regions, [(State(look.blind, 700, DARK), np.flatnonzero(mask))])
    _number_regions(picture, regions, groups)
    _mark_units(picture, regions, dead.units)
    return finish_keyed(picture, title, entries, ax)


@called("plot_comparison")
def draw_comparison(
    map: Any,
    comparison: Any,
    start: str | None = None,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw where two games, or two readings of one, differ.

    From one location: what only the first lets it see (blue, rising lines), what only the second does (amber, falling
    lines), what both do and neither does. Without a start: for each location the number of partners whose verdict
    differs, from light to dark, with the number from 18 pixels a hex on; without difference it stays blank.

    Parameters
    ----------
    map : studio.Map
    comparison : object
        With the names ``first`` and ``second``, ``codes_from(label)`` (the codes of both, over all location numbers),
        and ``differs`` and ``partners`` (by location number).
    start : str, optional
        Label of the location that looks.
    ax, hex_px, style
        As for :func:`draw_exposure`.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    LabelError
        When the map has no location with the label `start`.
    """
    sites, look = sites_of(map, comparison), style_of(map, style)
    if start is None:
        return _draw_numbers(sites, comparison, ax, hex_px, look)
    first, second = (np.asarray(codes).ravel() for codes in comparison.codes_from(start))
    there = (first > 0) & (second > 0)
    one, two = np.isin(first, _SEEN), np.isin(second, _SEEN)
    kinds = (
        (there & one & two, Entry("both see", _BOTH, 0.45)),
        (there & one & ~two, Entry(f"only {comparison.first}", _FIRST, 0.6, "////")),
        (there & ~one & two, Entry(f"only {comparison.second}", _SECOND, 0.7, "\\\\\\\\")),
        (there & ~one & ~two, Entry("neither sees", look.blind, 0.6, "..")),
    )
    for mask, entry in kinds:
        entry.word += f" ({int(mask.sum())})"
    title, entries = f"{comparison.first} and {comparison.second} from {start}", [entry for _, entry in kinds]
    picture, regions = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px), Regions(sites)
    for mask, entry in kinds:
        numbers = np.flatnonzero(mask)
        region = regions.path(numbers)
        if region is not None:
            _difference(picture, region, entry)
    states = [(State(entry.color, 450, entry.color), np.flatnonzero(mask)) for mask, entry in kinds]
    mark_states(picture, regions, states)
    border(picture, regions.rim(there & (one != two)))
    mark_start(picture, regions, start)
    return finish_keyed(picture, title, entries, ax)


def _difference(picture: Picture, region: Any, entry: Entry) -> None:
    width = max(0.6, 30 * picture.line_scale)
    if entry.color == _FIRST:
        fill(picture, region, _FIRST, 0.5)
        diagonals(picture, region, 0.2, "#ffffff", 0.8, width, "/")
    elif entry.color == _SECOND:
        fill(picture, region, _SECOND, 0.62)
        diagonals(picture, region, 0.2, DARK, 0.65, width, "\\")
    elif entry.color == _BOTH:
        fill(picture, region, _BOTH, 0.16)
    else:
        fill(picture, region, picture.style.blind, 0.5)
        specks(picture, region, "#000000", 0.55)


def _draw_numbers(sites: Sites, comparison: Any, ax: Axes | None, hex_px: float | None, look: Style) -> Axes:
    differs, partners = (np.asarray(values).ravel() for values in (comparison.differs, comparison.partners))
    # Locations from which nothing was compared keep the map's own look.
    there = partners > 0
    bounds = _classes(int(differs[there].max(initial=0)))
    # 0 for no difference, then the classes from 1 on.
    level = np.where(there, np.searchsorted([0, *bounds], differs), -1)
    entries = [Entry(f"none ({int((level == 0).sum())})", "#ffffff")]
    for n, (low, high) in enumerate(zip([0, *bounds], bounds, strict=False), 1):
        word = str(high) if high == low + 1 else f"{low + 1}-{high}"
        entries.append(Entry(f"{word} ({int((level == n).sum())})", ramp(n / len(bounds))))
    title = f"{comparison.first} and {comparison.second}: partners judged differently{_of(partners[there])}"
    picture, regions = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px), Regions(sites)
    states = []
    for n in range(len(entries)):
        found = np.flatnonzero(level == n)
        region = regions.path(found)
        if region is not None:
            fill(picture, region, entries[n].color, 0.78 if n else 0.42)
        states.append((_shade(n / max(1, len(bounds))), found))
    mark_states(picture, regions, states)
    _counts(picture, regions, np.where(there, differs, 0))
    return finish_keyed(picture, title, entries, ax)


def _classes(most: int) -> list[int]:
    """Return the upper ends of at most five equal classes from 1 to a number, of 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> _classes(3), _classes(37), _classes(0)
    ([1, 2, 3], [10, 20, 30, 40], [])
    """
    step = next(factor * 10**power for power in range(12) for factor in (1, 2, 5) if factor * 10**power * 5 >= most)
    return list(range(step, most + step, step)) if most else []


def _of(partners: Any) -> str:
    """Return how many partners a location has, as the end of a title."""
    if not len(partners):
        return ""
    low, high = int(partners.min()), int(partners.max())
    return f", of {high}" if low == high else f", of {low} to {high}"


# -- what the pictures share -----------------------------------------------------------------------------------------


def _listed(units: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(map(str, units[:most]))
    return shown if len(units) <= most else f"{shown} and {len(units) - most} more"


def _thinned(values: Sequence[int]) -> list[int]:
    """Return eight of many values for a key, the first and the last among them."""
    return [values[round(i * (len(values) - 1) / 7)] for i in range(8)]


def _number_regions(picture: Picture, regions: Regions, groups: Any) -> None:
    """Write the numbers of regions in their middles, the largest first, where there is room."""
    order = np.argsort(groups, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
    words = [
        (_middle(picture, regions, part), str(groups[part[0]]))
        for part in parts
        if groups[part[0]] and (len(part) > 1 or part[0] < regions.grid.cells)
    ]
    sparse_figures(picture, words, _REGIONS_PX, 0.42)


def _middle(picture: Picture, regions: Regions, numbers: Any) -> Any:
    """Return a point at the location nearest to the middle of a group, rather at a hex or an area than at a place."""
    from math import hypot

    bare = {number for number, _ in regions.spots(numbers)}
    best = [n for n in numbers.tolist() if n not in bare] or numbers.tolist()
    points = np.asarray([regions.spot(n) for n in best])
    off = points - points.mean(axis=0)
    nearest = best[int(np.argmin([hypot(*way) for way in off.tolist()]))]
    return beside(picture, regions, nearest, (1.3, -1.0))


def _shade(share: float) -> State:
    """Return how a place shows a share of the most there is."""
    return State(ramp(share), 850, DARK) if share else State("#ffffff", 500)


def _counts(picture: Picture, regions: Regions, counts: Any) -> None:
    """Write the numbers of locations that have one, beside the sign of a place, from `_FIGURES_PX` on."""
    found = np.flatnonzero(counts > 0).tolist() if picture.hex_px >= _FIGURES_PX else []
    large = [n for n in found if n < regions.grid.cells]
    figures(picture, [(regions.spot(n), str(counts[n])) for n in large], 0.3, _FIGURES_PX)
    small = [(beside(picture, regions, n), str(counts[n])) for n in found if n >= regions.grid.cells]
    figures(picture, small, 0.2, _FIGURES_PX)


def _mark_units(picture: Picture, regions: Regions, units: Sequence[str]) -> None:
    """Mark the locations that look with a square standing on its point, beside their figures."""
    large, small = (max(least, share * picture.hex_px * 0.72) for least, share in ((6.0, 0.3), (5.0, 0.2)))
    hexes, unit_size = picture.sites.grid.cells, picture.subject.grid.hex_height
    for unit in units:
        number = picture.sites.directory.number(unit)
        size = large if number < hexes else small
        shift = np.array([-0.3, -0.22]) * unit_size if number < hexes else np.zeros(2)
        x, y = beside(picture, regions, number, (-1.15, -1.15)) + shift
        picture.ax.plot(x, y, "D", ms=size, mfc="#0072B2", mec="#ffffff", mew=size * 0.16, zorder=30)
        picture.ax.plot(x, y, "D", ms=size * 1.25, mfc="none", mec=DARK, mew=0.9, zorder=30)

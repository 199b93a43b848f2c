"""Pictures of answers for many locations: exposure to units, dead ground, and two games compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import Sites, sites_of
from studio.draw.style import Style
from studio.draw.view_picture import shade
from studio.draw.washes import (
    DARK,
    Entry,
    border,
    diagonals,
    draw_key,
    figures,
    fill,
    key_room,
    ramp,
    specks,
    star,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_comparison", "draw_dead_ground", "draw_exposure"]

_FIGURES_PX = 18
_REGIONS_PX = 9
_SEEN = (1, 2)
_FIRST, _SECOND, _BOTH = "#0072B2", "#E69F00", "#009E73"
_STEPS = 10  # of the scale of shares


def draw_exposure(
    map: Any, exposure: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw how many units see each location: from light to dark, with the number from 18 pixels a hex on.

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
    picture, regions = _begin(sites, title, entries, ax, hex_px, look)
    for value in present:
        numbers = np.flatnonzero(counts == value)
        region = regions.path(numbers)
        if value and region is not None:
            fill(picture, region, ramp(value / most), 0.72)
        elif region is not None:
            fill(picture, region, "#ffffff", 0.42)
            diagonals(picture, region, 0.3, "#5b5b5b", 0.5, max(0.4, 14 * picture.line_scale))
        _discs(picture, regions, numbers, ramp(value / most) if value else "#ffffff")
    there = np.flatnonzero(counts >= 0).tolist() if picture.hex_px >= _FIGURES_PX else []
    figures(picture, [(regions.spot(n), str(counts[n])) for n in there], 0.3, _FIGURES_PX)
    _mark_units(picture, regions, exposure.units)
    return _finish(picture, title, entries, ax)


def draw_dead_ground(
    map: Any, dead: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw what none of some units sees: hatched regions with their outlines and numbers.

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
    picture, regions = _begin(sites, title, entries, ax, hex_px, look)
    region = regions.path(np.flatnonzero(mask))
    if region is not None:
        shade(picture, region)
    border(picture, regions.rim(groups))
    _discs(picture, regions, np.flatnonzero(mask), look.blind)
    if picture.hex_px >= _REGIONS_PX:
        order = np.argsort(groups, kind="stable")
        parts = np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)
        words = [(_middle(regions, part), str(groups[part[0]])) for part in parts if groups[part[0]]]
        figures(picture, words, 0.42, _REGIONS_PX)
    _mark_units(picture, regions, dead.units)
    return _finish(picture, title, entries, ax)


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
    lines), what both do and neither does. Without a start: for each location the share of partners whose verdict
    differs, from light to dark, with per cent from 24 pixels a hex on.

    Parameters
    ----------
    map : studio.Map
    comparison : object
        With the names ``first`` and ``second``, ``codes_from(label)`` (the codes of both, over all location numbers)
        and ``share`` (by location number).
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
        return _draw_shares(sites, comparison, ax, hex_px, look)
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
    picture, regions = _begin(sites, title, entries, ax, hex_px, look)
    for mask, entry in kinds:
        numbers = np.flatnonzero(mask)
        region = regions.path(numbers)
        if region is not None:
            _difference(picture, region, entry)
        _discs(picture, regions, numbers, entry.color)
    border(picture, regions.rim(there & (one != two)))
    star(picture, picture.sites.dot(start), look.verdicts["clear"].color)
    return _finish(picture, title, entries, ax)


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


def _draw_shares(sites: Sites, comparison: Any, ax: Axes | None, hex_px: float | None, look: Style) -> Axes:
    share = np.asarray(comparison.share, dtype=float).ravel()
    numbers = sites.directory.numbers
    # Locations from which nothing was compared keep the map's own look.
    numbers = numbers[~np.isnan(share[numbers])]
    most = max(float(share[numbers].max(initial=0.0)), 1e-9)
    title = f"{comparison.first} and {comparison.second}: share of partners judged differently"
    steps = [0.0, 0.25, 0.5, 0.75, 1.0]
    entries = [Entry(f"{100 * most * step:.3g} %", ramp(step) if step else "#ffffff") for step in steps]
    picture, regions = _begin(sites, title, entries, ax, hex_px, look)
    level = np.ceil(share[numbers] / most * _STEPS).astype(int)
    for step in range(_STEPS + 1):
        found = numbers[level == step]
        region = regions.path(found)
        if region is not None:
            fill(picture, region, ramp(step / _STEPS) if step else "#ffffff", 0.78 if step else 0.42)
        _discs(picture, regions, found, ramp(step / _STEPS) if step else "#ffffff")
    words = [(regions.spot(n), f"{100 * share[n]:.0f}") for n in numbers.tolist() if share[n] > 0]
    figures(picture, words, 0.24, 24)
    return _finish(picture, title, entries, ax)


# -- what the pictures share -----------------------------------------------------------------------------------------


def _begin(
    sites: Sites,
    title: str,
    entries: Sequence[Entry],
    ax: Axes | None,
    hex_px: float | None,
    look: Style,
) -> tuple[Picture, Regions]:
    picture = Picture(
        sites.subject,
        look,
        ax=ax,
        hex_px=hex_px,
        panels=(0, 0 if ax is not None else lambda wide: key_room(wide, title, entries)),
        sites=sites,
    )
    picture.ground()
    return picture, Regions(sites)


def _finish(picture: Picture, title: str, entries: Sequence[Entry], ax: Axes | None) -> Axes:
    if ax is None:
        draw_key(picture, title, entries)
    return picture.ax


def _listed(units: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(map(str, units[:most]))
    return shown if len(units) <= most else f"{shown} and {len(units) - most} more"


def _thinned(values: Sequence[int]) -> list[int]:
    """Return eight of many values for a key, the first and the last among them."""
    return [values[round(i * (len(values) - 1) / 7)] for i in range(8)]


def _middle(regions: Regions, numbers: Any) -> Any:
    """Return the dot nearest to the middle of a group of locations."""
    points = np.asarray([regions.spot(int(number)) for number in numbers])
    off = points - points.mean(axis=0)
    return points[int(np.argmin(np.hypot(off[:, 0], off[:, 1])))]


def _discs(picture: Picture, regions: Regions, numbers: Any, color: str) -> None:
    """Put a disc on locations that have no outline."""
    size = max(6.0, 0.3 * picture.hex_px * 0.72)
    for _, at in regions.spots(numbers):
        picture.ax.plot(at[0], at[1], "o", ms=size, mfc=color, mec=DARK, mew=1.0, zorder=9.7)


def _mark_units(picture: Picture, regions: Regions, units: Sequence[str]) -> None:
    """Mark the locations that look with a square standing on its point, beside their figures."""
    size = max(6.0, 0.3 * picture.hex_px * 0.72)
    unit_size = picture.subject.grid.hex_height
    for unit in units:
        x, y = regions.spot(picture.sites.directory.number(unit)) + np.array([-0.3, -0.22]) * unit_size
        picture.ax.plot(x, y, "D", ms=size, mfc="#0072B2", mec="#ffffff", mew=size * 0.16, zorder=30)
        picture.ax.plot(x, y, "D", ms=size * 1.25, mfc="none", mec=DARK, mew=0.9, zorder=30)

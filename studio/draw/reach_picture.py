"""All that a mover can reach on the map, by its cost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.answers_picture import _shade
from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.state_marks import mark_state, state_entries, titled
from studio.draw.states import State, beside, mark_start, mark_states, sparse_figures
from studio.draw.style import Style
from studio.draw.washes import DARK, Entry, border, diagonals, fill, ramp

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_reach"]

_LEAST_PX = 18
_WASH = 0.42  # strength of the shades: terrain stays to be seen
_MOST_CLASSES = 14


@called("plot_reach")
def draw_reach(
    map: Any, reach: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw what a mover can reach: from light to dark by its cost, with the points from 18 pixels a hex on.

    What it cannot reach is hatched; what only the rule of the first step allows is hatched the other way; where it may
    pass, but no move ends, both ways. Enemies, closed places and whatever else the reach was asked with are counters.

    Parameters
    ----------
    map : studio.Map
    reach : studio.paths.Reach
        What `Map.reach` answered, or `Map.effect_reach`.
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
    reach = _as_reach(reach)
    sites, look = sites_of(map, reach), style_of(map, style)
    halves, state = np.asarray(reach.halves), getattr(reach.judge, "state", None)
    title = titled(_reach_title(reach), reach.warning, state)
    most = max(1, int(halves[~reach.by_allowance].max(initial=0)))
    values = np.unique(halves[(halves >= 0) & ~reach.by_allowance]).tolist()
    passed = np.array([sites.directory.number(label) for label in reach.passed], dtype=np.int64)
    out = np.flatnonzero((halves < 0) & sites.directory.present)
    entries = [*_reach_entries(reach, values, most, len(passed), len(out)), *state_entries(state)]
    picture, regions = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px), Regions(sites)
    _wash(picture, regions, reach, values, most)
    _hatch_out(picture, regions, out)
    _hatch_passed(picture, regions, passed)
    border(picture, regions.rim((halves >= 0).astype(int)))
    states = [(_shade(value / most), np.flatnonzero(halves == value)) for value in values]
    mark_states(picture, regions, [*states, (State("#ffffff", 500), out)])
    if picture.hex_px >= _LEAST_PX:
        _write_figures(picture, regions, reach)
    mark_state(picture, regions, state, set(reach.numbers.tolist()))
    mark_start(picture, regions, reach.start)
    return finish_keyed(picture, title, entries, ax)


def _reach_title(reach: Any) -> str:
    from studio.paths.points import points_text

    within = "" if reach.points is None else f" for {points_text(int(reach.points * 2), reach.unit)}"
    count = len(reach.numbers)
    ends = f", {count - len(reach.passed)} where a move can end" if len(reach.passed) else ""
    return f"Reach from {reach.start} ({reach.mover}){within}: {count} reached{ends}"


def _reach_entries(reach: Any, values: list[int], most: int, passed: int, out: int) -> list[Entry]:
    """Return the key: every class of cost, or a scale where there are many."""
    from studio.paths.points import points_text

    if len(values) <= _MOST_CLASSES:
        entries = [Entry(points_text(value, reach.unit), ramp(value / most), _WASH) for value in values]
    else:
        low, high = (points_text(value, reach.unit) for value in (values[0], values[-1]))
        entries = [Entry(f"{low} to {high}", ramp(1.0), _WASH, scale=True)]
    if reach.by_allowance.any():
        entries.append(Entry(f"first step ({int(reach.by_allowance.sum())})", ramp(1.0), 0.8, "\\\\\\\\"))
    if passed:
        entries.append(Entry(f"passed only, no move ends there ({passed})", "#ffffff", 1.0, "xx"))
    if out:
        entries.append(Entry(f"not reached ({out})", "#ffffff", 1.0, "//"))
    return entries


def _write_figures(picture: Picture, regions: Regions, reach: Any) -> None:
    from studio.paths.points import points_text

    found = [n for n in reach.numbers.tolist() if n != reach.number]
    words = [(beside(picture, regions, n), points_text(int(reach.halves[n]), "").strip()) for n in found]
    sparse_figures(picture, words, _LEAST_PX, 0.3)


def _as_reach(reach: Any) -> Any:
    """Return a reach in effect points, which counts none in halves and has no mover, as one that can be drawn."""
    if hasattr(reach, "halves"):
        return reach
    directory = reach.directory
    halves = np.full(len(directory), -1, dtype=np.int64)
    for label, cost in reach.costs.items():
        halves[directory.number(label)] = 2 * cost
    return SimpleNamespace(
        halves=halves,
        numbers=np.flatnonzero(halves >= 0),
        number=directory.number(reach.start),
        by_allowance=np.zeros(len(halves), dtype=bool),
        passed=[],
        warning="",
        judge=None,
        unit="EP",
        start=reach.start,
        points=reach.points,
        mover="fire" if reach.fire else "effect points",
        directory=directory,
        revision=reach.revision,
    )


def _wash(picture: Picture, regions: Regions, reach: Any, values: list[int], most: int) -> None:
    for value in values:
        region = regions.path(np.flatnonzero((reach.halves == value) & ~reach.by_allowance))
        if region is not None:
            fill(picture, region, ramp(value / most), _WASH)
    region = regions.path(np.flatnonzero(reach.by_allowance))
    if region is not None:
        fill(picture, region, ramp(1.0), 0.5)
        diagonals(picture, region, 0.2, "#ffffff", 0.8, max(0.6, 30 * picture.line_scale), "\\")


def _hatch_passed(picture: Picture, regions: Regions, numbers: Any) -> None:
    region = regions.path(numbers)
    if region is not None:
        fill(picture, region, "#ffffff", 0.3)
        for way in ("/", "\\"):
            diagonals(picture, region, 0.22, DARK, 0.6, max(0.5, 18 * picture.line_scale), way)


def _hatch_out(picture: Picture, regions: Regions, numbers: Any) -> None:
    region = regions.path(numbers)
    if region is not None:
        fill(picture, region, "#ffffff", 0.42)
        diagonals(picture, region, 0.3, "#5b5b5b", 0.5, max(0.4, 14 * picture.line_scale))

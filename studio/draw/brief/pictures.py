"""The pictures of a scenario sheet: the map with what the scenario lays on it, and the turn track, as PNG."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from studio.draw.brief.sheet import Picture
from studio.draw.calendar_picture import draw_calendar
from studio.draw.picture import save_picture
from studio.draw.scenario_picture import draw_scenario
from studio.draw.sites import sites_of
from studio.errors import StudioError
from studio.model.calendar import CalendarRow
from studio.model.wording import Names, map_sentences
from studio.model.wording.english import counted, listed

__all__ = ["map_picture", "track_picture"]

_MAP_PX = 1900
"""Longest side of the map, about what a page prints."""

_COLOURS = 256


def map_picture(scenario: Any, names: Names) -> Picture:
    """Return the map of a scenario: parts in play, areas, entries, objectives, units at the start.

    Parameters
    ----------
    scenario : studio.Scenario
    names : Names
    """
    document = scenario.document
    axes = draw_scenario(scenario, extent=_in_play(scenario), hex_px=None)
    sides = listed(names.side(force.id) for force in document.forces)
    standing = sum(
        unit.count for force in document.forces for part in force.formations for unit in part.units if unit.at
    )
    where = " ".join(map_sentences(document.map))
    alt = (
        f"Map of {document.title}. {where} Shown are the set-up areas and entries of {sides or 'the sides'}, "
        f"{counted(standing, 'counter')} on the map at the start, and the hexes of the objectives."
    )
    return _picture(axes.figure, alt)


def _in_play(scenario: Any) -> tuple[float, float, float, float] | None:
    """Return the part of the map to show: what is in play and a hex around it; None for all of it, or nearly."""
    sites = sites_of(scenario.map)
    grid: Any = sites.grid
    try:
        cells = [number for number in scenario.play_ground.in_play if number < grid.cells]
    except StudioError:
        return None
    if not cells:
        return None
    dots = [sites.hex_dot(cell) for cell in cells]
    pad = 1.1 * grid.hex_height
    (a, b), (c, d) = grid.to_map(*grid.frame[:2]), grid.to_map(*grid.frame[2:])
    xs, ys = [float(x) for x, _ in dots], [float(y) for _, y in dots]
    part = (max(a, min(xs) - pad), max(b, min(ys) - pad), min(c, max(xs) + pad), min(d, max(ys) + pad))
    shown, whole = (part[2] - part[0]) * (part[3] - part[1]), (c - a) * (d - b)
    return part if shown < 0.85 * whole else None


def track_picture(scenario: Any, rows: Sequence[CalendarRow], names: Names) -> Picture:
    """Return the turn track of a scenario, without the notes, which the sheet has as text.

    Parameters
    ----------
    scenario : studio.Scenario
    rows : sequence of CalendarRow
    names : Names
    """
    axes = draw_calendar(scenario, rows=rows, names=names, notes=False)
    length = scenario.document.length
    lasts = f"{names.length(length)}" if length else f"no fixed number of {names.unit}s"
    alt = f"Turn track with {lasts}: who sets up, who arrives when, and numbered badges; the table below says the same."
    return _picture(axes.figure, alt)


def _picture(figure: Any, alt: str) -> Picture:
    from PIL import Image

    wide, high = figure.get_size_inches()
    raw = io.BytesIO()
    save_picture(figure, raw, dpi=_MAP_PX / float(max(wide, 0.6 * high)), kind=".png")
    image = Image.open(raw).convert("RGB")
    few = image.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return Picture(packed.getvalue(), few.size, alt)

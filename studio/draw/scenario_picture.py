"""A scenario on its map: units as counters, set-up areas, entries, objectives, notes, and a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studio.draw.backdrop import scan_of
from studio.draw.counterfaces import QUALITIES, SIDE_SHAPES, STATES, Counters, side_colors
from studio.draw.counters import Standee, draw_stack, spot_of
from studio.draw.legend import LEGEND_PX, draw_legend
from studio.draw.options import called
from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.scenario_marks import ScenarioMarks, areas_of
from studio.draw.sheets import draw_out_of_play, use_of
from studio.draw.sites import Sites, sites_of
from studio.draw.style import Style
from studio.draw.washes import DARK, Entry, draw_key, key_room
from studio.draw.window import part_of
from studio.model import ScenarioDocument, UnitRecord
from studio.rules.standing import PlayGround

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_scenario", "stacks_of"]

_UNITS = 26.0
_MARKS = {"disc": "o", "diamond": "D", "triangle": "v", "square": "s", "ring": "o", "bar": "_"}


@called("plot")
def draw_scenario(
    scenario: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    labels: bool = True,
    legend: bool = False,
    style: Style | str | None = None,
    extent: tuple[float, float, float, float] | None = None,
    around: str | Sequence[str] | None = None,
    margin: float = 3.0,
    arcs: bool | str | Sequence[str] = False,
    backdrop: bool = False,
    in_play: Any = True,
    units: bool = True,
    areas: bool = True,
    objectives: bool = True,
    notes: bool = True,
    key: bool = True,
) -> Axes:
    """Draw a scenario on its map.

    Units are counters: the sign, values and state of the unit, in the colour and with the shape of their side. Set-up
    areas are hatched, each side its own way; entry hexes have an arrow; objectives fly a flag with their points; notes
    are numbered sheets. What is not in play is grey.

    Parameters
    ----------
    scenario : studio.Scenario
    ax : matplotlib.axes.Axes, optional
        Draw here, without the key below the map.
    hex_px : float, optional
        Height of a hex in pixels, 100 to the inch. Fitted to about 1500 pixels otherwise.
    labels, legend, style, extent, around, margin, arcs, backdrop
        As for :func:`studio.draw.draw_map`.
    in_play : bool, MapUse or None
        Grey what is not in play, or what another use of the map leaves out; nothing without.
    units, areas, objectives, notes : bool
        Whether they are drawn.
    key : bool
        What the signs mean, below the map.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnknownNameError
        When the map has nothing with such a label.
    StyleError
        When the ruleset has no style.
    PictureError
        When the picture would be too large.
    PictureFileError
        When the map has no scan, or its picture cannot be read.
    """
    map_, document = scenario.map, scenario.document
    sites = sites_of(map_)
    counters = Counters.of(scenario.ruleset)
    title = document.title
    entries = _entries(document, units=units, areas=areas, objectives=objectives, notes=notes)
    below = ax is None and key

    def room(wide: float) -> float:
        return key_room(wide, title, entries) if below else 0

    picture = Picture(
        subject_of(map_),
        style_of(map_, style),
        ax=ax,
        hex_px=hex_px,
        extent=part_of(sites, extent, around, margin),
        panels=(LEGEND_PX if legend and ax is None else 0, room),
        sites=sites,
    )
    picture.ground(labels=labels, arcs=arcs, scan=scan_of(map_) if backdrop else None)
    if in_play:
        draw_out_of_play(picture.ax, sites.survey, document.map if in_play is True else use_of(in_play))
    marks = ScenarioMarks(picture, document, sites.survey)
    found = areas_of(document, PlayGround(sites.survey, document.map)) if areas else []
    marks.areas(found)
    marks.entries(found)
    if objectives:
        marks.objectives(document.objectives)
    if units:
        _draw_units(picture, sites, document, counters)
    if notes:
        marks.notes(document.place_notes)
    if legend and ax is None:
        draw_legend(picture)
    if below:
        draw_key(picture, title, entries)
    return picture.ax


def stacks_of(document: ScenarioDocument, sites: Sites) -> dict[int, list[tuple[int, UnitRecord]]]:
    """Return the units on the map by location, each with the place of its force; what others carry is left out."""
    directory, labels = sites.directory, sites.subject.labels
    found: dict[int, list[tuple[int, UnitRecord]]] = {}
    for side, force in enumerate(document.forces):
        for formation in force.formations:
            for unit in formation.units:
                if not unit.at:
                    continue
                number = directory.find(unit.at)
                number = labels.find(unit.at) if number is None else number
                if number is not None:
                    found.setdefault(number, []).append((side, unit))
    return found


def _draw_units(picture: Picture, sites: Sites, document: ScenarioDocument, counters: Counters) -> None:
    colors = side_colors(document.forces)
    orientation = sites.grid.orientation
    for number, standing in stacks_of(document, sites).items():
        standees = [
            Standee(counters.face(counters.of_unit(unit, side, colors[side])), unit.facing) for side, unit in standing
        ]
        draw_stack(picture.canvas, standees, spot_of(sites, number), orientation, _UNITS)


# -- the key ---------------------------------------------------------------------------------------------------------


def _entries(document: ScenarioDocument, *, units: bool, areas: bool, objectives: bool, notes: bool) -> list[Entry]:
    entries = []
    records = [unit for force in document.forces for part in force.formations for unit in part.units]
    colors = side_colors(document.forces)
    for n, force in enumerate(document.forces):
        hatched = any(part.arrival == "set_up" and part.where.hexes for part in force.formations) and areas
        mark = _MARKS[SIDE_SHAPES[n % len(SIDE_SHAPES)]]
        on_map = sum(unit.count for part in force.formations for unit in part.units if unit.at)
        whole = sum(unit.count for part in force.formations for unit in part.units)
        words = f"{force.name}: {on_map} of {whole} counters on the map" if units else force.name
        entries.append(Entry(words, colors[n], mark=mark))
        if hatched:
            entries.append(Entry("sets up here", colors[n], 0.85, "///" if n % 2 == 0 else "\\\\\\"))
    parts = [part for force in document.forces for part in force.formations]
    if areas and any(part.arrival == "enter" for part in parts):
        entries.append(Entry("enters here", DARK, mark=">"))
    if objectives and any(one.hexes for one in document.objectives):
        entries.append(Entry("objective, with its points", "#777777", sign="⚑"))
    if units:
        entries += _state_entries([unit for unit in records if unit.at])
    if notes:
        entries += [
            Entry(f"{n}  {note.at}: {_cut(note.text)}", "#fff6c9") for n, note in enumerate(document.place_notes, 1)
        ]
    return entries


def _state_entries(units: Sequence[UnitRecord]) -> list[Entry]:
    states: Counter[str] = Counter(status for unit in units for status in unit.status)
    entries = [Entry(status, DARK, sign=STATES[status]) for status in STATES if states[status]]
    qualities: Counter[str] = Counter(unit.quality for unit in units)
    return entries + [
        Entry(name, "#ffffff", sign=sign, ink=DARK) for name, sign in QUALITIES.items() if qualities[name]
    ]


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

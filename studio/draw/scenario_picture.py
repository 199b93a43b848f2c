"""A scenario on its map: units as counters, set-up areas, entries, objectives, notes, and a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studio.draw.backdrop import scan_of
from studio.draw.counterfaces import QUALITIES, SIDE_SHAPES, STATES, Counters, side_colors
from studio.draw.counters import Spot, Standee, draw_stack, spot_of
from studio.draw.crediting import credit
from studio.draw.legend import LEGEND_PX, draw_legend
from studio.draw.options import called
from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.regions import Regions
from studio.draw.scenario_marks import ScenarioMarks, areas_of
from studio.draw.sheets import draw_out_of_play, use_of
from studio.draw.sites import Sites, sites_of
from studio.draw.style import Style
from studio.draw.washes import DARK, Entry, diagonals, draw_key, fill, key_room
from studio.draw.window import part_of
from studio.model import ScenarioDocument, SetUp, UnitRecord
from studio.rules.played import closed_places
from studio.rules.standing import PlayGround

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_scenario", "scenario_entries", "stacks_of"]

_UNITS, _CLOSED = 26.0, "#5a2a27"
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
    areas are hatched, each side its own way; entry hexes have an arrow; objectives fly a flag with their points; smoke
    that stays is drawn; notes are numbered sheets. What is not in play is grey.

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
    map_, document = scenario._shown, scenario.document
    sites = sites_of(map_)
    counters = Counters.of(scenario.ruleset, document)
    title = document.title
    entries = scenario_entries(document, units=units, areas=areas, objectives=objectives, notes=notes)
    if in_play and document.special.closed:
        entries.append(Entry("nothing may enter", _CLOSED, 0.9, "xxx"))
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
    credit(picture.figure, document)
    picture.ground(labels=labels, arcs=arcs, scan=scan_of(scenario.map) if backdrop else None)
    if in_play:
        draw_out_of_play(picture.ax, sites.survey, document.map if in_play is True else use_of(in_play))
        _draw_closed(picture, sites, document)
    ground = PlayGround(sites.survey, document.map)
    marks = ScenarioMarks(picture, document, sites.survey, ground)
    found = areas_of(document, ground) if areas else []
    marks.smoke(document.special.smoke)
    marks.areas(found)
    marks.entries(found)
    if objectives:
        marks.objectives(document.objectives)
    if units:
        _draw_units(picture, sites, document, counters)
    if notes:
        marks.notes(document.place_notes)
    marks.names(_standing_at(document, sites) if units else ())
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


def _draw_closed(picture: Picture, sites: Sites, document: ScenarioDocument) -> None:
    """Hatch crosswise what nothing may enter."""
    closed = closed_places(document, sites.survey)
    region = Regions(sites).path(sorted(closed)) if closed else None
    if region is None:
        return
    fill(picture, region, _CLOSED, 0.12)
    for way in ("/", "\\"):
        diagonals(picture, region, 0.2, _CLOSED, 0.8, max(0.7, 36 * picture.line_scale), way)


def _draw_units(picture: Picture, sites: Sites, document: ScenarioDocument, counters: Counters) -> None:
    colors = side_colors(document.forces)
    orientation = sites.grid.orientation
    for number, standing in stacks_of(document, sites).items():
        standees = [
            Standee(counters.face(counters.of_unit(unit, side, colors[side])), unit.facing) for side, unit in standing
        ]
        draw_stack(picture.canvas, standees, spot_of(sites, number), orientation, _UNITS)


def _standing_at(document: ScenarioDocument, sites: Sites) -> list[Spot]:
    return [spot_of(sites, number) for number in stacks_of(document, sites)]


# -- the key ---------------------------------------------------------------------------------------------------------


def scenario_entries(
    document: ScenarioDocument, *, units: bool, areas: bool, objectives: bool, notes: bool
) -> list[Entry]:
    """Return the samples of the key to what of a scenario is drawn."""
    entries = []
    records = [unit for force in document.forces for part in force.formations for unit in part.units]
    colors = side_colors(document.forces)
    standing = {unit.id for unit in records if unit.at}
    for n, force in enumerate(document.forces):
        hatched = areas and any(
            part.arrival == "set_up" and part.where != SetUp(text=part.where.text) for part in force.formations
        )
        mark = _MARKS[SIDE_SHAPES[n % len(SIDE_SHAPES)]]
        on_map = sum(
            unit.count for part in force.formations for unit in part.units if unit.at or unit.carried_by in standing
        )
        whole = sum(unit.count for part in force.formations for unit in part.units)
        words = f"{force.name}: {_on_map(on_map, whole)}" if units and whole else force.name
        entries.append(Entry(words, colors[n], mark=mark))
        if hatched:
            entries.append(Entry("sets up here", colors[n], 0.85, "///" if n % 2 == 0 else "\\\\\\"))
    parts = [part for force in document.forces for part in force.formations]
    if areas and any(part.arrival == "enter" for part in parts):
        entries.append(Entry("enters here", DARK, mark=">"))
    aims = [one for one in document.objectives if one.hexes or one.terrain or one.where is not None]
    if objectives and aims:
        points = ", with its points" if any(one.points for one in aims) else ""
        entries.append(Entry(f"objective{points}", "#777777", sign="⚑"))
    if document.special.smoke:
        entries.append(Entry("smoke that stays", "#8d8b86", 0.85))
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


def _on_map(on_map: int, whole: int) -> str:
    counters = "1 counter" if whole == 1 else f"{whole} counters"
    if on_map in (0, whole):
        return f"{counters} on the map" if on_map else f"{counters}, none on the map yet"
    return f"{on_map} of {counters} on the map"


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

"""Checks of places in scenarios: labels that are on the map and in play, areas with hexes, entries on an edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from studio.checks.finding import Fault, Yielded, check
from studio.checks.scenario_subject import ScenarioSubject, listed, says_nothing
from studio.errors import StudioError
from studio.model import Formation, UnitRecord
from studio.survey import locations_in_play, on_edge

__all__ = [
    "check_area",
    "check_entry",
    "check_entry_held",
    "check_in_play",
    "check_outside_area",
    "edge_cells",
    "place_faults",
]

_AS_PRINTED = "name hexes, columns and rows as they are printed on the map"


def place_faults(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the labels, columns, rows, edges and features that are not on the map."""

    def faults(at: str, ask: Callable[[], Any], remedy: str = _AS_PRINTED) -> Iterator[Yielded]:
        try:
            ask()
        except StudioError as error:
            yield at, str(error), remedy

    document, special = subject.document, subject.document.special
    yield from faults("map", lambda: locations_in_play(subject.survey, document.map))
    for place, where, asking in subject.set_ups():
        yield from faults(place, lambda one=where, by=asking: subject.cells(one, by))  # type: ignore[misc]
    named = [(place, unit.at) for place, _, unit in subject.units() if unit.at]
    named += [(one.id, label) for one in document.objectives for label in one.hexes]
    named += [(note.id, note.at) for note in document.place_notes]
    named += [(f"pools/{pool.id}", label) for pool in document.pools for label in pool.places]
    for field, labels in (("smoke", special.smoke), ("closed", special.closed), ("terrain_at", special.terrain_at)):
        named += [(f"special.{field}", label) for label in labels]
    for at, label in named:
        yield from faults(at, lambda one=label: subject.place(one))  # type: ignore[misc]


@check(
    "scenario.in_play",
    "error",
    "Units, objectives, hexes of set-up areas and places of cups are in play, and not closed",
)
def check_in_play(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield what stands, or is to be reached, where nobody plays."""
    document = subject.document
    named = [(place, unit.at) for place, _, unit in subject.units() if unit.at]
    named += [(objective.id, label) for objective in document.objectives for label in objective.hexes]
    named += [(f"pools/{pool.id}", label) for pool in document.pools for label in pool.places]
    for place, label in named:
        number = subject.number(label)
        if number is None:
            continue
        if number not in subject.in_play:
            remedy = "move it, or change the part of the map that is in play"
            yield Fault(place, f"{label} is not in play", remedy, subject.point(number))
        elif number in subject.closed:
            remedy = "move it, or take the place out of special.closed"
            yield Fault(place, f"{label} is closed in this scenario", remedy, subject.point(number))


def _placed(unit: UnitRecord) -> bool:
    return bool(unit.at or unit.carried_by)


@check(
    "scenario.area", "error", "Every described area has hexes: those of set-up, entry, support, restraints, objectives"
)
def check_area(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the descriptions that no hex in play meets."""
    placed = {
        f"{place}/where" for place, formation in subject.formations() if all(_placed(one) for one in formation.units)
    }
    placed |= {f"{place}/where" for place, _, unit in subject.units() if _placed(unit)}
    for place, where, asking in subject.set_ups():
        if subject.described(where, asking) == [] and place not in placed:
            named = [subject.number(label) for label in where.hexes]
            out = [subject.called(one) for one in named if one is not None and one not in subject.in_play]
            why = f"; {listed(out)} is out of play" if out else ""
            yield place, f"no hex in play meets every condition{why}", "widen the area, or drop a condition"


@check("scenario.outside_area", "warning", "Units that have a place stand in their own set-up area")
def check_outside_area(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the units that are placed outside the area that they, or their formation, set up in."""
    for place, formation, unit in subject.units():
        where = unit.where if unit.where is not None else formation.where
        number = subject.number(unit.at) if unit.at else None
        area = subject.area(formation, unit)
        if not subject.fights(unit) or number is None or number not in subject.in_play:
            continue
        if not area or says_nothing(where) or number in area or _is_part(subject, number, area):
            continue
        whose = "its own" if unit.where is not None else f"that of {formation.id}"
        remedy = "move it, widen the area, or give it a `where` of its own"
        yield Fault(place, f"{unit.at} is outside its set-up area, {whose}", remedy, subject.point(number))


def _is_part(subject: ScenarioSubject, number: int, area: list[int]) -> bool:
    """Tell whether a location is part of one in an area, as a box is of its zone."""
    directory = subject.survey.directory
    whole = directory.location(number).within if directory.exists(number) else ""
    return bool(whole) and any(directory.location(one).feature == whole for one in area)


# -- entries -----------------------------------------------------------------------------------------------------------

_EDGES = ("north", "east", "south", "west")

_FEW = 3  # entry hexes that an enemy might really stand in, all of them


@check(
    "scenario.entry", "error", "Entry hexes lie on an edge of the map, are in play, and open to the units that enter"
)
def check_entry(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the entry hexes that are no such, and entries that no unit of the formation gets through."""
    grid = subject.survey.grid
    for place, formation in _entering(subject):
        edges = formation.where.edges or _EDGES
        for label in formation.where.hexes:
            cell = subject.number(label)
            if cell is None or cell >= grid.cells:
                continue
            if not any(on_edge(grid, cell, edge) for edge in edges) and not formation.where.within:
                where = f"the {' or '.join(edges)} edge" if formation.where.edges else "an edge of the map"
                yield f"{place}/where", f"{label} is no hex on {where}", "name a hex on that edge"
            elif cell not in subject.in_play:
                yield f"{place}/where", f"{label} is not in play", "name an entry hex in the part in play"
        for unit in formation.units:
            entry = subject.area(formation, unit)
            if entry and not _placed(unit) and not _gets_in(subject, unit, entry):
                message = f"{unit.type} can enter in none of its entry hexes: {listed(map(subject.called, entry))}"
                yield f"{place}/{unit.id}", message, "name entry hexes with terrain or a road that it can enter"


def _entering(subject: ScenarioSubject) -> Iterator[tuple[str, Formation]]:
    return ((place, formation) for place, formation in subject.formations() if formation.arrival == "enter")


def _gets_in(subject: ScenarioSubject, unit: UnitRecord, entry: list[int]) -> bool:
    kind = subject.roster.get(unit.type)
    return kind is None or subject.rules is None or any(subject.can_stand(kind, number) for number in entry)


@check("scenario.entry_held", "warning", "The enemy cannot set up in every entry hex of a formation")
def check_entry_held(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the entries that the other side may stand in wholly before anybody enters."""
    for place, formation in _entering(subject):
        entry = set(subject.area(formation) or ())
        if not entry or says_nothing(formation.where):
            continue
        side = place.partition("/")[0]
        fixed, free, area = _enemy_set_up(subject, side)
        open_still = entry - fixed
        if not open_still:
            message = f"units of the enemy stand in every entry hex: {listed(map(subject.called, sorted(entry)))}"
            yield f"{place}/where", message, "move them, or name more entry hexes"
        elif len(open_still) <= min(_FEW, free) and open_still <= area:
            hexes = listed(map(subject.called, sorted(open_still)))
            message = f"the enemy can set up in every entry hex that is left: {hexes}"
            yield f"{place}/where", message, "name more entry hexes, or keep its set-up away from them"


def _enemy_set_up(subject: ScenarioSubject, side: str) -> tuple[set[int], int, set[int]]:
    """Return where enemies stand at the start, how many more set up, and where these may."""
    fixed: set[int] = set()
    free, area = 0, set[int]()
    for place, formation, unit in subject.units():
        enemy = subject.enemies(side, place.partition("/")[0]) and subject.fights(unit)
        if not enemy or formation.arrival != "set_up":
            continue
        if unit.at:
            fixed |= {number for number in [subject.number(unit.at)] if number is not None}
        elif not unit.carried_by:
            free += unit.count
            area |= set(subject.area(formation, unit) or ())
    return fixed, free, area


def edge_cells(subject: ScenarioSubject, edges: tuple[str, ...]) -> set[int]:
    """Return the hexes in play on some edges of the map."""
    grid = subject.survey.grid
    hexes = (number for number in subject.in_play if number < grid.cells)
    return {cell for cell in hexes if any(on_edge(grid, cell, edge) for edge in edges)}

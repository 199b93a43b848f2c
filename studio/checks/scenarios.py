"""Checks of scenarios against their map and the roster of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from studio.checks.finding import Findings, Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.checks.standing import check_area_holds, check_carriers, check_facing, check_stacking
from studio.checks.supply import check_control, check_homes, check_one_side, check_spent, check_supply
from studio.errors import ScenarioRuleError, StudioError, nearest
from studio.model import ScenarioDocument
from studio.rules import Ruleset
from studio.survey import Survey, area_cells, ground_in_play, locations_in_play, on_edge

__all__ = ["check_scenario"]


@check("scenario.ids_unique", "error", "Ids of forces, formations, units and objectives are unique")
def _ids_unique(subject: ScenarioSubject) -> Iterator[Yielded]:
    groups: dict[str, Iterable[str]] = {
        "force": [force.id for force in subject.document.forces],
        "formation": [formation.id for _, formation in subject.formations()],
        "unit": [unit.id for _, _, unit in subject.units()],
        "objective": [objective.id for objective in subject.document.objectives],
    }
    for what, ids in groups.items():
        for name, count in Counter(ids).items():
            if count > 1:
                yield name, f"{count} {what}s have the id {name!r}", "give each an id of its own"


@check("scenario.unit_known", "error", "Every unit is in the roster of the game")
def _unit_known(subject: ScenarioSubject) -> Iterator[Yielded]:
    for place, _, unit in subject.units():
        if unit.type not in subject.roster:
            yield place, f"unknown unit type {unit.type!r}", nearest(unit.type, subject.roster)


@check("scenario.unit_quantity", "warning", "No type is used more often than the game has counters of it")
def _unit_quantity(subject: ScenarioSubject) -> Iterator[Yielded]:
    used: Counter[str] = Counter()
    for _, _, unit in subject.units():
        used[unit.type] += unit.count
    for name, count in sorted(used.items()):
        kind = subject.roster.get(name)
        if kind is not None and kind.quantity and count > kind.quantity:
            yield name, f"{count} counters are used, the game has {kind.quantity}", "use fewer, or say what stands in"


@check("scenario.references", "error", "Everything that is referred to exists")
def _references(subject: ScenarioSubject) -> Iterator[Yielded]:
    document = subject.document
    yield from _place_references(subject)
    known = {unit.id for _, _, unit in subject.units()}
    for place, _, unit in subject.units():
        if unit.carried_by and unit.carried_by not in known:
            yield place, f"carried by {unit.carried_by!r}, which is no unit here", nearest(unit.carried_by, known)
    sides = [("first_side", document.first_side)]
    sides += [(objective.id, objective.side) for objective in document.objectives]
    sides += [("special.surveillance", side) for side in document.special.surveillance]
    sides += [(note.id, note.side) for note in document.place_notes]
    if document.victory is not None:
        sides += [("victory", document.victory.side), ("victory", document.victory.otherwise)]
        sides += [("victory.printed_totals", side) for side in document.victory.printed_totals]
    for at, side in sides:
        if side and side not in subject.forces:
            yield at, f"no force has the id {side!r}", nearest(side, subject.forces)
    for objective in document.objectives:
        for name in objective.unit_types:
            if subject.rules is not None and name not in subject.roster:
                yield objective.id, f"unknown unit type {name!r}", nearest(name, subject.roster)
        for terrain in objective.terrain:
            if terrain not in subject.ruleset.terrains:
                yield objective.id, f"unknown terrain {terrain!r}", nearest(terrain, subject.ruleset.terrains)


def _place_references(subject: ScenarioSubject) -> Iterator[Yielded]:
    def faults(at: str, ask: Callable[[], Any]) -> Iterator[Yielded]:
        try:
            ask()
        except StudioError as error:
            yield at, str(error), "name hexes, columns and rows as they are printed on the map"

    document = subject.document
    yield from faults("map", lambda: locations_in_play(subject.survey, document.map))
    for place, formation in subject.formations():
        yield from faults(f"{place}/where", lambda f=formation: area_cells(subject.survey, f.where, set()))  # type: ignore[misc]
        for terrain in formation.where.terrain:
            if terrain not in subject.ruleset.terrains:
                yield f"{place}/where", f"unknown terrain {terrain!r}", nearest(terrain, subject.ruleset.terrains)
    for place, _, unit in subject.units():
        if unit.at:
            yield from faults(place, lambda u=unit: subject.place(u.at))  # type: ignore[misc]
    for objective in document.objectives:
        for label in objective.hexes:
            yield from faults(objective.id, lambda name=label: subject.place(name))  # type: ignore[misc]
    for note in document.place_notes:
        yield from faults(note.id, lambda name=note.at: subject.place(name))  # type: ignore[misc]
    for label in document.special.smoke:
        yield from faults("special.smoke", lambda name=label: subject.place(name))  # type: ignore[misc]


@check("scenario.in_play", "error", "Units and objectives stand in hexes that are in play")
def _in_play(subject: ScenarioSubject) -> Iterator[Yielded]:
    named = [(place, unit.at) for place, _, unit in subject.units() if unit.at]
    named += [(objective.id, label) for objective in subject.document.objectives for label in objective.hexes]
    for place, label in named:
        number = subject.survey.directory.find(label)  # a hex, or a zone or another place
        number = subject.known_cell(label) if number is None else number
        if number is not None and number not in subject.in_play:
            yield place, f"{label} is not in play", "move it, or change the part of the map that is in play"


@check("scenario.area", "error", "Every formation has hexes to set up or to enter in")
def _area(subject: ScenarioSubject) -> Iterator[Yielded]:
    for place, formation in subject.formations():
        placed = all(unit.at or unit.carried_by for unit in formation.units)
        if subject.area(formation) == [] and not placed:
            named = [subject.known_cell(label) for label in formation.where.hexes]
            out = [subject.labels.label(c) for c in named if c is not None and c not in subject.in_play]
            why = f"; {', '.join(out)} is out of play" if out else ""
            yield f"{place}/where", f"no hex in play meets every condition{why}", "widen the area, or drop a condition"


@check("scenario.entry", "error", "Entry hexes lie on an edge of the map and can be entered")
def _entry(subject: ScenarioSubject) -> Iterator[Yielded]:
    grid = subject.survey.grid
    for place, formation in subject.formations():
        if formation.arrival != "enter":
            continue
        edges = formation.where.edges or ("north", "east", "south", "west")
        for label in formation.where.hexes:
            cell = subject.known_cell(label)
            if cell is None:
                continue
            if not any(on_edge(grid, cell, edge) for edge in edges):
                message = f"{label} is no hex of the {' or '.join(edges)} edge"
                yield f"{place}/where", message, "name a hex on that edge"
            elif cell not in subject.in_play:
                yield f"{place}/where", f"{label} is not in play", "name an entry hex in the part in play"


@check("scenario.arrival", "error", "Reinforcements arrive before the end")
def _arrival(subject: ScenarioSubject) -> Iterator[Yielded]:
    document = subject.document
    for place, formation in subject.formations():
        if formation.arrival == "enter" and formation.arrival_turn > document.length:
            message = f"arrives in {document.length_unit} {formation.arrival_turn} of {document.length}"
            yield place, message, "let it arrive earlier, or lengthen the scenario"


@check("scenario.printed_totals", "warning", "Numbers of units and points are as printed")
def _printed_totals(subject: ScenarioSubject) -> Iterator[Yielded]:
    for place, formation in subject.formations():
        units, points = subject.rules.formation_units(formation), subject.rules.formation_points(formation)
        for what, printed, found in (
            ("units", formation.printed_units, units),
            ("points", formation.printed_points, points),
        ):
            if printed is not None and printed != found:
                message = f"{printed} {what} printed, {found} by the roster"
                yield place, message, "compare with the source; if the print errs, say so in the notes"


@check("scenario.victory_points", "warning", "The most points that a side can earn are as printed")
def _victory_points(subject: ScenarioSubject) -> Iterator[Yielded]:
    victory = subject.document.victory
    for side, printed in (victory.printed_totals if victory else {}).items():
        total = 0
        for objective in subject.document.objectives:
            if objective.side != side:
                continue
            if objective.event in {"hold", "other"} and not objective.unit_types:
                total += objective.points * max(1, len(objective.hexes))
                continue
            own = objective.event in {"exit", "loot_and_exit", "hold"}
            total += objective.points * _count_units(subject, side, own=own, types=objective.unit_types)
        if total != printed:
            yield f"victory/{side}", f"{printed} points printed, {total} by the objectives", "compare with the source"


def _count_units(subject: ScenarioSubject, side: str, *, own: bool, types: tuple[str, ...]) -> int:
    count = 0
    for place, _, unit in subject.units():
        if (place.partition("/")[0] == side) != own:
            continue
        kind = subject.roster.get(unit.type)
        counts = unit.type in types if types else kind is not None and kind.kind in {"infantry", "vehicle", "air"}
        count += unit.count if counts else 0
    return count


@check("scenario.exit", "error", "Units that must leave the map can")
def _exit(subject: ScenarioSubject) -> Iterator[Yielded]:
    grid = subject.survey.grid
    try:
        ground = ground_in_play(subject.survey, subject.document.map)
    except StudioError:
        return  # said by the check of references
    for objective in subject.document.objectives:
        for edge in objective.edges:
            if not any(on_edge(grid, cell, edge) for cell in ground):
                yield objective.id, f"no hex in play lies on the {edge} edge", "name an edge of the part in play"


@check("scenario.special_rules", "error", "Options and terrain overrides are the game's")
def _special_rules(subject: ScenarioSubject) -> Iterator[Yielded]:
    special = subject.document.special
    for name, value in special.options.items():
        try:
            subject.ruleset.options({name: value})
        except (ScenarioRuleError, StudioError) as error:
            yield f"special.options.{name}", str(error), "choose an option that `studio rules` lists"
    for pair in special.terrain_overrides.items():
        for terrain in pair:
            if terrain not in subject.ruleset.terrains:
                known = nearest(terrain, subject.ruleset.terrains)
                yield "special.terrain_overrides", f"unknown terrain {terrain!r}", known


@check("scenario.forces", "error", "At least two forces, each with units")
def _forces(subject: ScenarioSubject) -> Iterator[Yielded]:
    if len(subject.forces) < 2:
        count = len(subject.forces)
        yield "forces", f"{count or 'no'} force{'s' * (count != 1)}", "a scenario has two or more"
    for force in subject.document.forces:
        if not any(formation.units for formation in force.formations):
            yield force.id, "a force without units", "add a formation with units"


@check("scenario.sources", "warning", "A scenario says where it comes from")
def _sources(subject: ScenarioSubject) -> Iterator[Yielded]:
    if not subject.document.sources:
        yield "sources", "no source is named", "name at least yourself"


@check("scenario.roster", "warning", "The studio knows the roster of the game")
def _roster(subject: ScenarioSubject) -> Iterator[Yielded]:
    if subject.rules is None:
        message = f"{subject.ruleset.title} has no roster in the studio yet, so that units are not checked against one"
        yield "forces", message, "compare types, numbers and points of units with the game"


_OF_THE_ROSTER = (_unit_known, _unit_quantity, check_area_holds, check_stacking, _printed_totals, _victory_points)
"""Checks that ask what a unit is."""

_CHECKS = (
    _roster,
    _forces,
    _ids_unique,
    _unit_known,
    _unit_quantity,
    _references,
    _in_play,
    _area,
    check_area_holds,
    check_stacking,
    check_facing,
    _entry,
    _arrival,
    check_carriers,
    _printed_totals,
    _victory_points,
    _exit,
    _special_rules,
    check_control,
    check_homes,
    check_spent,
    check_one_side,
    check_supply,
    _sources,
)


def check_scenario(document: ScenarioDocument, survey: Survey, ruleset: Ruleset, *, file: str) -> Findings:
    """Check a scenario; its map is checked by :func:`check_map`.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    file : str
        How the findings call the scenario.

    Returns
    -------
    Findings
        Errors first.
    """
    subject = ScenarioSubject(document, survey, ruleset)
    runs = [run for run in _CHECKS if subject.rules is not None or run not in _OF_THE_ROSTER]
    found = [finding for run in runs for finding in run(subject, file=file)]
    return Findings(sorted(found, key=lambda finding: finding.severity != "error"))

"""Checks of scenarios against their map and the roster of the game: which run, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.checks import scenario_aims as aims
from studio.checks import scenario_draws as draws
from studio.checks import scenario_ids as ids
from studio.checks import scenario_places as places
from studio.checks import scenario_print as printed
from studio.checks import scenario_references as references
from studio.checks import scenario_turns as turns
from studio.checks import scenario_units as units
from studio.checks import scenario_ways as ways
from studio.checks.finding import Finding, Findings
from studio.checks.scenario_carriers import check_carriers, check_carriers_room
from studio.checks.scenario_circles import check_circles
from studio.checks.scenario_reach import Reaching
from studio.checks.scenario_room import check_area_holds
from studio.checks.scenario_special import (
    check_rating_known,
    check_rating_value,
    check_sources,
    check_special_rules,
)
from studio.checks.scenario_subject import ScenarioSubject
from studio.checks.scenario_variants import check_variants
from studio.checks.standing import check_facing, check_stacking
from studio.checks.supply import check_control, check_homes, check_one_side, check_spent, check_supply
from studio.model import ScenarioDocument
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["check_scenario"]

_OF_THE_ROSTER = (
    units.check_unit_known,
    units.check_unit_quantity,
    units.check_own_kinds,
    check_area_holds,
    check_stacking,
    printed.check_printed_totals,
    aims.check_victory_points,
    aims.check_casualty_limits,
)
"""Checks that ask what a unit is."""

_CHECKS = (
    units.check_roster,
    units.check_forces,
    ids.check_ids_unique,
    ids.check_id_once,
    ids.check_named,
    ids.check_same_name,
    units.check_unit_known,
    units.check_unit_quantity,
    units.check_own_kinds,
    units.check_hidden,
    references.check_references,
    references.check_clauses,
    references.check_choices,
    check_circles,
    places.check_in_play,
    places.check_area,
    check_area_holds,
    places.check_outside_area,
    check_stacking,
    check_facing,
    places.check_entry,
    places.check_entry_held,
    turns.check_arrival,
    turns.check_turns,
    turns.check_end,
    turns.check_turn_names,
    turns.check_periods,
    draws.check_dice,
    draws.check_tables,
    draws.check_table_rows,
    draws.check_pools,
    draws.check_cup,
    check_rating_known,
    check_rating_value,
    check_carriers,
    check_carriers_room,
    printed.check_printed_totals,
    printed.check_print_errors,
    printed.check_stale_errata,
    aims.check_victory_points,
    aims.check_results,
    aims.check_teams,
    aims.check_casualty_limits,
    ways.check_exit,
    check_special_rules,
    check_control,
    check_homes,
    check_spent,
    check_one_side,
    check_supply,
    check_sources,
)

_BY_WAYS = (
    ways.check_way_out,
    ways.check_objective_ground,
    ways.check_objective_reached,
    ways.check_sides_meet,
)
"""Checks that ask where units can get to."""

_ORDER = {"error": 0, "warning": 1, "note": 2}


def check_scenario(
    document: ScenarioDocument, survey: Survey, ruleset: Ruleset, *, file: str, played: Survey | None = None
) -> Findings:
    """Check a scenario, and its variants; its map is checked by :func:`check_map`.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    file : str
        How the findings call the scenario.
    played : Survey, optional
        Of the map with the terrain and roads that the special rules of the scenario say, where it is known already.

    Returns
    -------
    Findings
        Errors first, then warnings, then notes.
    """

    def again(other: ScenarioDocument) -> Findings:
        same = other.special == document.special
        return Findings(_found(ScenarioSubject(other, survey, ruleset, played if same else None), file))

    subject = ScenarioSubject(document, survey, ruleset, played)
    found = Findings(_found(subject, file))
    if document.variants:
        found += check_variants(subject, found, again, file=file)
    return Findings(sorted(found, key=lambda finding: _ORDER[finding.severity]))


def _found(subject: ScenarioSubject, file: str) -> Iterator[Finding]:
    runs: list[tuple[Any, ...]] = [
        (run, subject) for run in _CHECKS if subject.rules is not None or run not in _OF_THE_ROSTER
    ]
    reaching = Reaching(subject)
    runs += [(run, subject, reaching) for run in _BY_WAYS]
    for run, *given in runs:
        yield from run(*given, file=file)

"""Checks of a scenario against its source: printed totals, and where the source errs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject, among
from studio.model import Erratum, Formation
from studio.rules.points import formation_points
from studio.rules.roster import count_units

__all__ = ["check_print_errors", "check_printed_totals", "check_stale_errata", "explained"]


def _totals(subject: ScenarioSubject, formation: Formation) -> list[tuple[str, int | None, int]]:
    """Return of units and points what is printed, and what the roster gives."""
    parts = subject.parts_of.get(formation.id, [])
    groups = [formation, *(one for one in parts if one.printed_units is None)]
    units = sum(count_units(subject.roster, one) for one in groups)
    groups = [formation, *(one for one in parts if one.printed_points is None)]
    points = sum(formation_points(subject.ruleset, subject.roster, one) for one in groups)
    return [("units", formation.printed_units, units), ("points", formation.printed_points, points)]


def _numbers(text: str) -> set[int]:
    """Return the whole numbers in a text."""
    return {int(found) for found in re.findall(r"(?<![\w.,])-?[0-9]{1,9}(?![\w]|[.,][0-9])", text)}


def explained(subject: ScenarioSubject, at: str, number: int) -> bool:
    """Tell whether an erratum to a place says that a number there is not as printed.

    Parameters
    ----------
    subject : ScenarioSubject
    at : str
        What the erratum is about, such as ``isil/saleh``.
    number : int
        What holds; it must stand in ``read_as``.
    """
    return any(one.at == at and number in _numbers(one.read_as) for one in subject.document.errata)


@check("scenario.printed_totals", "warning", "Numbers of units and points are as printed, or an erratum says why not")
def check_printed_totals(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the totals that differ from the roster's without an erratum with the number of the roster."""
    for place, formation in subject.formations():
        for what, printed, found in _totals(subject, formation):
            if printed is not None and printed != found and not explained(subject, place, found):
                message = f"{printed} {what} printed, {found} by the roster"
                remedy = f"compare with the source; if it errs, add an erratum at {place} that is read as {found}"
                yield place, message, remedy


@check("scenario.print_error", "note", "The source errs, or contradicts itself; how it is read here")
def check_print_errors(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Tell every erratum."""
    for one in subject.document.errata:
        printed = f"printed: {one.printed}" if one.printed else "the source errs"
        read = f"; read as: {one.read_as}" if one.read_as else ""
        why = f" ({one.text})" if one.text else ""
        yield one.at or one.id, f"{printed}{read}{why}", "nothing to do: it is read like this here"


@check("scenario.stale_erratum", "warning", "An erratum is about something that there is, and its number still holds")
def check_stale_errata(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the errata whose place is gone, and those that explain totals with a number of the past."""
    formations = dict(subject.formations())
    for one in subject.document.errata:
        at = f"errata/{one.id}"
        if not one.printed.strip() and not one.read_as.strip() and not one.text.strip():
            yield at, "an erratum that says nothing", "write what is printed and how it is read, or delete it"
        if one.at in formations and subject.rules is not None:
            yield from _stale(subject, one, formations[one.at], at)
        elif "/" in one.at and one.at.split("/")[0] in subject.forces and not _is_there(subject, one.at):
            yield at, f"about {one.at}, which is not in the scenario", among(one.at, formations)


def _is_there(subject: ScenarioSubject, path: str) -> bool:
    """Tell whether a path begins with force/formation, or force/formation/unit, that there are."""
    places = {place for place, _ in subject.formations()} | {place for place, _, _ in subject.units()}
    return path in places or any(path.startswith(f"{place}/") and "/" not in path[len(place) + 1 :] for place in places)


def _stale(subject: ScenarioSubject, one: Erratum, formation: Formation, at: str) -> Iterator[Yielded]:
    """Yield the fault of an erratum to totals that differ no more, or from another number."""
    totals = [(what, printed, found) for what, printed, found in _totals(subject, formation) if printed is not None]
    read = _numbers(one.read_as)
    said = [total for total in totals if total[1] in _numbers(one.printed)]
    if not said or not read or any(found in read for _, _, found in said):
        return
    now = " and ".join(f"{found} {what}" for what, _, found in said)
    yield (
        at,
        f"read as {one.read_as!r}, but the roster gives {now}",
        "write the number that the roster gives, or delete it",
    )

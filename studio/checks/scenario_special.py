"""Checks of special rules, ratings and sources: options, terrain that is another one here, figures of the sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from studio.checks.finding import Yielded, check
from studio.checks.scenario_draws import roll_of
from studio.checks.scenario_subject import ScenarioSubject, among
from studio.errors import ScenarioRuleError, StudioError

if TYPE_CHECKING:
    from studio.model.forces import Rating
    from studio.rules.catalogue import RatingSpec

__all__ = ["check_rating_known", "check_rating_value", "check_sources", "check_special_rules"]


@check("scenario.special_rules", "error", "Options and terrain overrides are the game's")
def check_special_rules(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the options, and the terrain, that the game does not know; those of periods, too."""
    special, terrains = subject.document.special, subject.ruleset.terrains
    yield from _option_faults(subject, "special.options", special.options)
    for period in subject.document.periods:
        yield from _option_faults(subject, f"periods/{period.id}/options", period.options)
    for pair in special.terrain_overrides.items():
        for terrain in pair:
            if terrain not in terrains:
                yield "special.terrain_overrides", f"unknown terrain {terrain!r}", among(terrain, terrains)
    for label, terrain in special.terrain_at.items():
        if terrain not in terrains:
            yield f"special.terrain_at.{label}", f"unknown terrain {terrain!r}", among(terrain, terrains)
    if special.visibility_modifier and not special.visibility and not special.visibility_roll:
        message = f"a modifier of {special.visibility_modifier} beyond half of a visibility that is not said"
        yield "special.visibility_modifier", message, "give `visibility`, or `visibility_roll`"


def _option_faults(subject: ScenarioSubject, at: str, options: Mapping[str, object]) -> Iterator[Yielded]:
    for name, value in options.items():
        try:
            subject.ruleset.options({name: value})
        except (ScenarioRuleError, StudioError) as error:
            yield f"{at}.{name}", str(error), "choose an option that `studio rules` lists"


@check("scenario.sources", "warning", "A scenario says where it comes from")
def check_sources(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the fault of a scenario without sources, or with one that has no title."""
    if not subject.document.sources:
        yield "sources", "no source is named", "name at least yourself"
    for number, source in enumerate(subject.document.sources, 1):
        if not source.title.strip():
            yield f"sources/{number}", "a source without a title", "write what it is called"


# -- ratings -----------------------------------------------------------------------------------------------------------


def _ratings(subject: ScenarioSubject) -> Iterator[tuple[str, str, str, Rating]]:
    """Yield every rating: what has it, its place, its name and its value."""
    document = subject.document
    yield from (("scenario", f"ratings.{name}", name, value) for name, value in document.ratings.items())
    for force in document.forces:
        yield from (("force", f"{force.id}/ratings.{name}", name, value) for name, value in force.ratings.items())
    for place, formation in subject.formations():
        for name, value in formation.ratings.items():
            yield "formation", f"{place}/ratings.{name}", name, value


@check("scenario.rating_known", "warning", "Ratings are those of the game, and given to what has them there")
def check_rating_known(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the ratings that the game does not know, or gives to something else."""
    known = subject.ruleset.ratings
    if not known:
        return
    for of, at, name, _ in _ratings(subject):
        if name not in known:
            yield at, f"{subject.ruleset.title} has no rating {name!r}", among(name, known)
        elif of not in known[name].of:
            owners = " or a ".join(known[name].of)
            yield at, f"{known[name].title} is not that of a {of}", f"give it to a {owners}"


@check("scenario.rating_value", "error", "A rating has a value of its kind, within its limits")
def check_rating_value(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the ratings with words for numbers, impossible dice, and numbers that are too low or too high."""
    for _, at, name, value in _ratings(subject):
        spec = subject.ruleset.ratings.get(name)
        if spec is not None and not _fits(spec, value):
            yield at, f"{spec.title}: got {str(value)[:60]!r}", f"allowed: {spec.allowed}"


def _fits(spec: RatingSpec, value: Rating) -> bool:
    if spec.value == "choice":
        return value in spec.values
    if isinstance(value, str) and spec.value == "number":
        return False
    roll = roll_of(str(value))
    if roll is None:
        return False
    return (spec.least is None or roll.low >= spec.least) and (spec.most is None or roll.high <= spec.most)

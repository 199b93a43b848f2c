"""Checks of who controls what in a scenario, and of the supply of its units at the start."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from studio.checks.finding import Yielded, check
from studio.errors import StudioError, nearest
from studio.model import Area
from studio.rules.situation import Situation, read_situation
from studio.rules.supplying import SideSupply
from studio.survey.countries import areas_called

__all__ = ["check_control", "check_homes", "check_one_side", "check_spent", "check_supply"]


@check("scenario.control", "error", "Control, homes and spent sources name sides, areas and hexes that there are")
def check_control(subject: Any) -> Iterator[Yielded]:
    """Yield what is wrong with what a scenario says of control."""
    document, labels = subject.document, subject.labels
    held: dict[int, str] = {}
    for side, hexes in document.control.items():
        if side not in subject.forces:
            yield "control", f"no force has the id {side!r}", nearest(side, subject.forces)
        for label in hexes:
            cell = labels.find(label)
            if cell is None:
                yield f"control.{side}", f"no hex {label!r} on the map", "name hexes as they are printed on the map"
            elif held.setdefault(cell, side) != side:
                yield label, f"controlled by {held[cell]} and by {side}", "leave it to one of them"
    for label in document.unrestored:
        if labels.find(label) is None:
            yield "unrestored", f"no hex {label!r} on the map", "name hexes as they are printed on the map"
    for side, names in document.home.items():
        if side not in subject.forces:
            yield "home", f"no force has the id {side!r}", nearest(side, subject.forces)
        for name in names:
            if not areas_called(subject.survey, [name]):
                known = [area.name or area.id for area in subject.survey.features_of(Area)]
                yield f"home.{side}", f"no area {name!r} on the map", nearest(name, known)


@check("scenario.homes", "warning", "Each side has a home country of its own")
def check_homes(subject: Any) -> Iterator[Yielded]:
    """Yield the sides whose home country is another side's, too: each hex of it is home to both of them."""
    situation = _situation(subject)
    homes = {} if situation is None else {side: home for side, home in situation.homes.items() if home.any()}
    for one, other in itertools.combinations(homes, 2):
        shared = np.flatnonzero(homes[one] & homes[other]).tolist()
        if shared:
            label = subject.labels.label(shared[0])
            count = f"{len(shared)} hex{'es' * (len(shared) != 1)}"
            message = f"{one} and {other} have {count} of their home countries in common, such as {label}"
            yield "home", message, "give each side areas of its own"


@check("scenario.unrestored", "warning", "Sources that do not supply again yet are sources")
def check_spent(subject: Any) -> Iterator[Yielded]:
    """Yield the hexes that are said to be spent sources and are none, in a game with supply."""
    if not subject.ruleset.has_supply:
        return
    sources = subject.ruleset.supply.candidates(subject.survey)
    for label in subject.document.unrestored:
        cell = subject.labels.find(label)
        if cell is not None and cell not in sources:
            known = [subject.labels.label(one) for one in sorted(sources)]
            yield "unrestored", f"{label} is no source of supply", nearest(label, known)


@check("scenario.one_side", "error", "Ground units of one side only stand in a hex (11.7)", game="ignorant_armies")
def check_one_side(subject: Any) -> Iterator[Yielded]:
    """Yield the hexes with ground units of several sides, where the rules do not let them be together."""
    situation = _situation(subject) if subject.ruleset.id == "ignorant_armies" else None
    if situation is None:
        return
    for cell in situation.disputed:
        sides = sorted({unit.side for unit in situation.units if unit.cell == cell and unit.on_ground})
        message = f"units of {' and of '.join(sides)} in one hex; nobody controls it"
        yield subject.labels.label(cell), message, "move those of one side elsewhere"


def _situation(subject: Any) -> Situation | None:
    """Return how a scenario stands; None where other checks say what is wrong with it."""
    try:
        return read_situation(subject.survey, subject.ruleset, subject.document)
    except StudioError:
        return None


@check("scenario.supply", "warning", "Units that are on the map at the start are in supply")
def check_supply(subject: Any) -> Iterator[Yielded]:
    """Yield the units that are out of supply at the start; nothing in a game without supply."""
    ruleset, document, survey = subject.ruleset, subject.document, subject.survey
    if not ruleset.has_supply:
        return
    try:
        options = ruleset.options(document.special.options)
        situation = read_situation(survey, ruleset, document)
    except StudioError:
        return  # other checks say what is wrong
    net = ruleset.supply.net(survey, options, situation.out_of_play)
    for side in situation.sides:
        units = [unit for unit in situation.of(side) if unit.cell < survey.grid.cells]
        for answer in SideSupply(ruleset, situation, side, options, net).answers(units):
            if not answer.supplied:
                yield answer.unit, f"{answer.at}: out of supply: {answer.reason}", "move it, or say who controls what"

"""What lists of adjacent places, kept by hand beside a map, say otherwise than the map."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from studio.checks.finding import Fault, Findings, check
from studio.model import Point
from studio.rules import Ruleset
from studio.rules.lists import Disagreement, Disagreements
from studio.survey import Survey

__all__ = ["check_lists"]

_REMEDIES = {
    "not_listed": "add it to the list, or draw what parts the two",
    "not_drawn": "take it out of the list, or mend the drawing",
    "one_way": "add it to the other list too, or take it out of this one",
    "unknown": "mend the name in the list, or on the map",
    "same_name": "rename all of them but one",
}


@check("map.adjacency_list", "error", "A list of adjacent places given with the map agrees with it, and with itself")
def _disagreements(found: Disagreements, survey: Survey) -> Iterator[Fault]:
    for one in found:
        at = " / ".join(filter(None, (one.a, one.b)))
        yield Fault(at, str(one), _REMEDIES[one.kind], _point(one, survey))


def _point(one: Disagreement, survey: Survey) -> Point | None:
    numbers = [survey.directory.find(label) for label in (one.a, one.b) if label]
    return next((survey.directory.dot(number) for number in numbers if number is not None), None)


def check_lists(
    survey: Survey, ruleset: Ruleset, lists: Mapping[str, Any] | str | os.PathLike[str], *, file: str
) -> Findings:
    """Compare a map with lists of what is next to what.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset
    lists : mapping or path
        See :func:`studio.rules.lists.read_lists`.
    file : str
        How the findings call the map.

    Raises
    ------
    DocumentError
        When the lists cannot be read.
    UnsupportedError
        When no area of the map is a location, or the game has not what the lists tell.
    """
    return Findings(_disagreements(ruleset.compare_adjacency(survey, lists), survey, file=file))

"""What every single step costs, by the game's own rules of movement: what spares engines these rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from studio.paths import FORBIDDEN, MoveJudge
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["step_table"]


def step_table(
    ruleset: Ruleset, survey: Survey, options: Mapping[str, Any], open_: Mapping[int, int]
) -> dict[str, list[list[int]]]:
    """Return the cost of every step that the rules of movement allow on a map without units.

    Parameters
    ----------
    ruleset : Ruleset
    survey : Survey
        Of the map as it is played.
    options : mapping
        In force.
    open_ : mapping of int to int
        Places in the list of locations, by number, of those that can be entered.

    Returns
    -------
    dict of str to list of list of int
        By mover; for each location ``[place, half points, place, half points, …]`` of where a step leads.
    """
    rows = {number: place for place, number in enumerate(survey.directory.numbers.tolist())}
    found = {}
    for mover in ruleset.movers:
        judge: MoveJudge = ruleset.paths.judge(survey, mover, options)
        found[mover] = [_row(judge, number, open_) for number in rows]
    return found


def _row(judge: MoveJudge, number: int, open_: Mapping[int, int]) -> list[int]:
    """Return where steps lead from a location, in the order of the locations, each at the least that it costs."""
    network, least = judge.network, dict[int, int]()
    for node in judge.starts(number):
        row = network.row(node)
        for end, cost in zip(network.ends[row].tolist(), network.costs[row].tolist(), strict=True):
            there = open_.get(judge.number(end))
            if there is None or cost == FORBIDDEN or judge.number(end) == number:
                continue
            least[there] = min(cost, least.get(there, cost))
    return np.array(sorted(least.items()), dtype=np.int64).ravel().tolist()

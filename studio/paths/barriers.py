"""What keeps a mover from its end: the way with the fewest barriers, and what is odd about where it starts."""

from __future__ import annotations

import itertools

import numpy as np

from studio.paths.network import Network
from studio.paths.protocol import CostPart, MoveJudge
from studio.paths.search import Search, search

__all__ = ["about_start", "cut_off", "fewest_barriers", "named"]

BARRIER = 1 << 18
"""Half points of a forbidden link, while the way with the fewest of them is looked for."""

FURTHER = 1 << 9
"""Half points of every further rule that forbids the same link."""

_TRIES = 25
"""So often the way is looked for anew while links turn out to be forbidden by several rules."""


def named(part: CostPart) -> str:
    """Return the sentence of a part with the section of the rulebook that it stands in, where it has one."""
    return f"{part.text} [{part.rule}]" if part.rule[:1].isdigit() else part.text


def fewest_barriers(judge: MoveJudge, a: int, b: int) -> list[int] | None:
    """Return the way over the fewest forbidden links; of several that over links which fewer rules forbid.

    A lake behind a closed border is closed twice; dry land beside it only once, and is the better answer.

    Returns
    -------
    list of int or None
        Nodes; None where no links lead there at all.
    """
    network = judge.network
    costs = np.where(network.costs < 0, np.int32(BARRIER), network.costs).astype(np.int32, copy=False)
    known: set[int] = set()
    for tried in range(_TRIES + 1):
        # The arrays of a network are its own, since it keeps what it makes of them.
        opened = Network(network.indptr, network.ends, costs.copy(), network.states, network.width)
        found = search(opened, judge.starts(a))
        nodes = [node for node in judge.nodes(b) if found.costs[node] >= 0]
        if not nodes:
            return None
        path = found.path(min(nodes, key=lambda node: int(found.costs[node])))
        new = [] if tried == _TRIES else _forbidden(network, path, known)
        if not new:
            return path
        for link, one, other in new:
            rules = sum(part.halves is None for part in judge.step(one, other).parts)
            costs[link] += FURTHER * min(max(rules - 1, 0), 3)
            known.add(link)
    return None


def _forbidden(network: Network, path: list[int], known: set[int]) -> list[tuple[int, int, int]]:
    """Return the forbidden links of a way that were not looked at yet, each with its two nodes."""
    found = []
    for one, other in itertools.pairwise(path):
        row = network.row(one)
        links = [link for link in range(row.start, row.stop) if network.ends[link] == other]
        if all(network.costs[link] < 0 for link in links):
            found += [(link, one, other) for link in links if link not in known]
    return found


def cut_off(judge: MoveJudge, found: Search, a: int, b: int) -> tuple[str, str]:
    """Return the nearest location that is reached, and why nothing leads on, where no links lead to the end."""
    directory = judge.survey.directory
    x, y = directory.dot(b)
    reached = np.unique(np.flatnonzero(found.costs >= 0) // len(judge.states)).tolist()

    def far(number: int) -> tuple[int, int]:
        at = directory.dot(number)
        return (at[0] - x) ** 2 + (at[1] - y) ** 2, number

    at = directory.label(min(reached, key=far))
    why = judge.closed_to(b)
    told = f": {named(why).removeprefix(f'{directory.label(b)}: ')}" if why is not None else ""
    nearest = "" if reached == [a] else f"; of all that is reached {at} is nearest"
    return at, f"nothing leads to {directory.label(b)}{told}{nearest}"


def about_start(judge: MoveJudge, number: int) -> str:
    """Return what is odd about a start: the mover cannot be there, or it never moves; empty for nothing."""
    network = judge.network
    if not bool((network.costs >= 0).any()):
        why = judge.closed_to(number)
        told = _first_barrier(judge, number) if why is None else named(why)
        return f"the mover goes nowhere at all: {told}" if told else ""
    if number in _mentioned(judge):
        return ""
    why = _closed_hex(judge, number) or judge.closed_to(number)
    return "" if why is None else f"the mover cannot be where it starts: {named(why)}"


def _mentioned(judge: MoveJudge) -> set[int]:
    """Return the locations that the state speaks of: whoever gave it knows what holds there."""
    state = getattr(judge, "state", None)
    values = [getattr(state, name) for name in getattr(state, "__struct_fields__", ())]
    return {one for value in values if isinstance(value, frozenset) for one in value if isinstance(one, int)}


def _first_barrier(judge: MoveJudge, number: int) -> str:
    """Return what forbids the first link out of a location, empty where there is none."""
    for node in judge.starts(number):
        for end in judge.network.ends[judge.network.row(node)].tolist():
            barrier = judge.step(node, end).barrier if end != node else None
            if barrier is not None:
                return named(barrier).removeprefix(f"{judge.label(end)}: ")
    return ""


def _closed_hex(judge: MoveJudge, number: int) -> CostPart | None:
    """Return what forbids to enter a location from everywhere, the same on all sides; None where nothing does."""
    back, common = judge.network.reversed, None
    for node in judge.nodes(number):
        row = back.row(node)
        for begin, cost in zip(back.ends[row].tolist(), back.costs[row].tolist(), strict=True):
            if judge.number(begin) == number or begin == node:
                continue
            if cost >= 0:
                return None
            bars = [part for part in judge.step(begin, node).parts if part.halves is None]
            common = bars if common is None else [part for part in common if part in bars]
            if not common:
                return None
    return common[0] if common else None

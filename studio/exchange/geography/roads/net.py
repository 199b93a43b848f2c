"""The roads that are laid: every step between two hexes is drawn once."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from studio.exchange.geography.naming import free_id
from studio.exchange.geography.spec import RoadRule
from studio.exchange.geography.work import Work
from studio.model import Road

__all__ = ["Net"]


class Net:
    """The roads that are laid: every step between two hexes once.

    Parameters
    ----------
    work : Work

    Attributes
    ----------
    steps : dict of (int, int) to str
        Surface of each step, the lower cell first.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self.steps: dict[tuple[int, int], str] = {}

    def draws(self, a: int, b: int, surface: str) -> bool:
        """Tell whether a step is to be drawn: no road is there yet, or an unpaved one where a paved one goes."""
        there = self.steps.get((min(a, b), max(a, b)))
        return there is None or (there == "unpaved" and surface == "paved")

    def lay(self, path: Sequence[int], rule: RoadRule, ids: list[str], name: str) -> int:
        """Draw what of a row of hexes is not there yet; return the number of its steps."""
        runs: list[list[int]] = [[]]
        for a, b in itertools.pairwise(path):
            if not self.draws(a, b, rule.surface):
                runs.append([])
                continue
            self.steps[min(a, b), max(a, b)] = rule.surface
            runs[-1] += [b] if runs[-1] else [a, b]
        for run in filter(None, runs):
            features = self.work.model.features
            new = free_id(features, rule.id) if rule.id else self.work.model.new_id("road")
            features[new] = Road(id=new, path=tuple(map(self.work.label, run)), surface=rule.surface, name=name)
            ids.append(new)
        return sum(len(run) - 1 for run in runs if run)

"""What groups of counters choose together: all of a group in one hex, on one edge, or in one area of the map."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from studio.model import SetUp
from studio.rules.set_up_task import Piece, SetUpTask
from studio.survey import hexes_on_edge

__all__ = ["Choices"]

Mask = NDArray[np.bool_]

_CHOICES = 64  # of one group, such as hexes in one of which all of it must be
_STEPS = 20_000  # of choosing: a dozen groups that cannot agree could be tried in millions of ways


class Choices:
    """The choices of a task.

    Parameters
    ----------
    task : SetUpTask
    wanted : callable
        Gives where a piece may be before anything is chosen.
    rng : random.Random, optional
        Mixes the order in which they come.

    Attributes
    ----------
    spent : bool
        Whether they ended before all ways were tried.
    """

    def __init__(self, task: SetUpTask, wanted: Callable[[Piece], Mask], rng: random.Random | None = None) -> None:
        self.task, self._wanted, self.rng = task, wanted, rng
        self.spent = False
        self._steps = 0

    def __iter__(self) -> Iterator[dict[str, Mask]]:
        """Yield what is left of the map to each group that must choose, by group, one way to choose after the other."""
        groups: dict[str, list[Piece]] = defaultdict(list)
        named = {name for piece in self.task.pieces for name in _tied(piece)}
        for piece in self.task.pieces:
            if piece.where.same or _tied(piece) or piece.formation.id in named:
                groups[piece.group].append(piece)
        # Those that others go by choose first.
        yield from self._choose(sorted(groups.values(), key=lambda some: bool(_tied(some[0]))))

    def _choose(self, groups: list[list[Piece]]) -> Iterator[dict[str, Mask]]:
        # With a list of its own: a thousand groups are deeper than functions can call each other.
        chosen: list[tuple[str, Mask]] = []
        before: list[dict[str, str]] = []
        edges: dict[str, str] = {}
        options = [self._mixed(groups[0])] if groups else []
        if not groups:
            yield {}
        while options:
            pieces = groups[len(options) - 1]
            if len(chosen) == len(options):
                chosen.pop()
                edges = before.pop()
            option = next(options[-1], None)
            if option is None:
                options.pop()
                continue
            self._steps += 1
            if self._steps > _STEPS:
                self.spent = True
                return
            if not self._agrees(pieces[0].where, option[0], edges):
                continue
            owner = pieces[0].formation.id
            chosen.append((pieces[0].group, option[1]))
            before.append(edges)
            edges = {**edges, owner: option[0]}
            if len(options) < len(groups):
                options.append(self._mixed(groups[len(options)]))
            else:
                yield dict(chosen)

    def _agrees(self, where: SetUp, name: str, edges: Mapping[str, str]) -> bool:
        """Tell whether an edge goes with those that are chosen already."""
        if not self._by_edge(where):
            return True
        if any(edges.get(other, name) != name for other in where.same_edge_as):
            return False
        return all(edges.get(other) != name for other in where.other_edge_than)

    def _mixed(self, pieces: Sequence[Piece]) -> Iterator[tuple[str, Mask]]:
        options = self._options(pieces)
        if self.rng is not None:
            self.rng.shuffle(options)
        return iter(options[:_CHOICES])

    @staticmethod
    def _by_edge(where: SetUp) -> bool:
        return where.same not in ("hex", "area")

    def _options(self, pieces: Sequence[Piece]) -> list[tuple[str, Mask]]:
        """Return the hexes, edges or areas that a group may choose: those that its counters can all be in."""
        masks = [self._wanted(piece) for piece in pieces]
        where = pieces[0].where
        if self._by_edge(where):
            edges: tuple[str, ...] = where.edges or ("north", "east", "south", "west")
            found = [(edge, self._on_edge(edge)) for edge in edges]
        elif where.same == "area":
            found = self.task.areas.areas.features.each(where.features)
        else:
            every = np.flatnonzero(np.logical_and.reduce(masks)).tolist()
            found = [(str(place), self._alone(place)) for place in self._roomy(pieces, every)]
        return [(name, mask) for name, mask in found if all((own & mask).any() for own in masks)]

    def _roomy(self, pieces: Sequence[Piece], places: Sequence[int]) -> list[int]:
        """Return the places that can hold all counters of a group at once."""
        wanted: dict[tuple[str, int], int] = defaultdict(int)
        for piece in pieces:
            for limit in piece.chain:
                wanted[limit] += piece.number
        used = self.task.used
        return [
            place
            for place in places
            if all(used.get((name, place), 0) + number <= most for (name, most), number in wanted.items())
        ][:_CHOICES]

    def _on_edge(self, edge: str) -> Mask:
        hexes = hexes_on_edge(self.task.survey.grid, edge)
        under = np.array([one.cell for one in self.task.survey.directory.others], dtype=np.int64)
        return np.concatenate((hexes, hexes[under] & (under >= 0)))

    def _alone(self, place: int) -> Mask:
        found = np.zeros(len(self.task.survey.directory), dtype=bool)
        found[place] = True
        return found


def _tied(piece: Piece) -> tuple[str, ...]:
    """Return the formations by whose edge a piece goes."""
    return (*piece.where.same_edge_as, *piece.where.other_edge_than)

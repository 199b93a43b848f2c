"""The ways of Urban Operations on foot (8.1): from hex to hex, through openings, between rooms, up and down."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from studio.checks.subject import MapSubject
from studio.model import Aperture, Link
from studio.rules.urban_operations.arcs import arc_of_fire
from studio.rules.urban_operations.doorsteps import Doorsteps
from studio.rules.urban_operations.ground import ground_groups
from studio.survey import on_edge

__all__ = ["Ways", "arcs"]

_EDGES = ("north", "east", "south", "west")


def arcs(subject: MapSubject) -> dict[str, NDArray[np.int64]]:
    """Return the cells in the arc of fire of every opening that has arrows and a location, by its id."""
    found = {}
    for opening in subject.survey.features_of(Aperture):
        into = subject.directory.find(opening.into)
        if into is not None and opening.arrows:
            arrows = [subject.labels.cells(arrow) for arrow in opening.arrows]
            mask = arc_of_fire(subject.grid, opening.at, subject.directory.dot(into), arrows)
            found[opening.id] = np.flatnonzero(mask).astype(np.int64)
    return found


class Ways:
    """What is reached on foot from the edge of a map.

    A unit climbs over outer walls (8.1.6) and makes breaches (8.2.5), so neither is in the way; facades are. Partitions
    have doors (5.1.3.1), so all rooms of a building that share a wall are joined. An opening is crossed from a hex
    beside it, in its arc of fire (8.1.4).

    Parameters
    ----------
    subject : MapSubject
    """

    def __init__(self, subject: MapSubject) -> None:
        self.subject, self.grid, self.directory = subject, subject.grid, subject.directory
        # Groups of hexes that hang together, each known by a negative number; other locations by their own.
        self.doorsteps = Doorsteps(subject.survey)
        self.group = -ground_groups(self.doorsteps)
        self.surface = {int(number) for number in np.unique(self.group[(self.group < 0) & ~self.doorsteps.under])}
        self._ways: dict[int, set[int]] = defaultdict(set)
        self._find_ways()

    def _node(self, number: int) -> int:
        return number if number >= self.grid.cells else int(self.group[number])

    def _join(self, a: int, b: int) -> None:
        self._ways[self._node(a)].add(self._node(b))
        self._ways[self._node(b)].add(self._node(a))

    def _find_ways(self) -> None:
        subject = self.subject
        for link in subject.survey.features_of(Link):
            a, b = self.directory.find(link.a), self.directory.find(link.b)
            if a is not None and b is not None:
                self._join(a, b)
        number = {place.feature: place.number for place in self.directory.of("area")}
        for border in subject.survey.borders:
            rooms = border.a in number and border.b in number
            if rooms and subject.outermost(border.a) == subject.outermost(border.b):
                self._join(number[border.a], number[border.b])
        for opening in subject.survey.features_of(Aperture):
            for cell in self._before(opening):
                into = self.directory.find(opening.into)
                if into is not None:
                    self._join(into, cell)

    def _before(self, opening: Aperture) -> list[int]:
        """Return the hexes from which an opening is crossed, as movement has it."""
        arc = self.subject.once(arcs).get(opening.id)
        if arc is None:
            return []
        mask = np.zeros(self.grid.cells, dtype=bool)
        mask[arc] = True
        return self.doorsteps.before(opening, mask)

    def _start(self) -> set[int]:
        """Return the groups of hexes of the surface at the edge of the map; the largest where there is none."""
        cells = np.flatnonzero(np.isin(self.group, list(self.surface)))
        found = {
            int(self.group[cell])
            for cell in cells.tolist()
            if len(self.grid.neighbours(cell)) < 6 and any(on_edge(self.grid, cell, edge) for edge in _EDGES)
        }
        if not found and len(cells):
            groups, counts = np.unique(self.group[cells], return_counts=True)
            found = {int(groups[counts.argmax()])}
        return found

    def unreached(self) -> Iterator[tuple[str, int, int]]:
        """Yield what cannot be reached: its label, its number, and how many hexes hang together there (1 of others)."""
        found = self._start()
        queue = deque(found)
        while queue:
            new = self._ways[queue.popleft()] - found
            found |= new
            queue.extend(new)
        groups, first, counts = np.unique(self.group, return_index=True, return_counts=True)
        for group, cell, count in zip(groups.tolist(), first.tolist(), counts.tolist(), strict=True):
            if group < 0 and group not in found:
                yield self.directory.label(cell), cell, count
        for place in self.directory.others:
            if place.number not in found:
                yield place.label, place.number, 1

"""Lines of fire in Phantom Fury for many pairs at once, by sparse matrices of what is beside what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.phantom_fury.district import District
from studio.sight import ABSENT, BLOCKED, CLEAR, PackedCodes

__all__ = ["Matrix"]

_ROWS = 256  # rows of a table that are worked out together


class Matrix:
    """Verdicts of all ordered pairs of zones and street sections, spread over their locations.

    Parameters
    ----------
    district : District
    options : mapping
    rubble : frozenset of str
        Labels of the boxes that no longer exist (4.1.6).
    tank : bool
        An M1A1 Abrams fires (11.1.3).
    """

    def __init__(self, district: District, options: Mapping[str, Any], rubble: frozenset[str], *, tank: bool) -> None:
        directory = district.survey.directory
        self.numbers = directory.numbers
        self.size = len(directory)
        self.within: bool = options["within_zone"] == "clear"
        at = {area_id: index for index, area_id in enumerate(district.areas)}
        # Of every location: the index of its zone or street section (-1 for none), whether it can fire and be fired at.
        self.home: NDArray[np.int64] = np.full(self.size, -1, dtype=np.int64)
        self.fires: NDArray[np.bool_] = np.zeros(self.size, dtype=bool)
        self.is_target: NDArray[np.bool_] = np.zeros(self.size, dtype=bool)
        for location in directory.others:
            area_id = location.within if location.kind == "place" else location.feature
            if area_id not in at or (location.kind == "place" and not district.is_zone(area_id)):
                continue
            number, exists = location.number, location.label not in rubble and not district.out_of_play(area_id)
            self.home[number] = at[area_id]
            self.fires[number] = exists and (not tank or location.type == "street")
            self.is_target[number] = exists and (not tank or location.type != "rooftop")
        self.seen = self._areas(district, at, options)

    @staticmethod
    def _areas(district: District, at: Mapping[str, int], options: Mapping[str, Any]) -> Any:
        """Return which areas have a line of fire to which others; a sparse matrix of bool, its diagonal without."""
        from scipy.sparse import csr_array, diags_array

        count = len(at)

        def matrix(pairs: list[tuple[int, int]]) -> Any:
            rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            return csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=(count, count))

        touching = matrix([(at[a], at[b]) for a, others in district.touching.items() for b in others])
        targets = matrix([(at[a], at[b]) for a, named in district.targets.items() for b in named])
        zone = diags_array([district.is_zone(area_id) for area_id in at], dtype=np.int64)
        street = diags_array([not district.is_zone(area_id) for area_id in at], dtype=np.int64)
        # From a zone to a street section beside it, and on to whatever is beside that.
        across = touching @ street @ touching
        reached = zone @ across @ zone
        if options["street_neighbours"] == "next_section":
            reached = reached + street @ across @ zone + zone @ across @ street
        if options["target_symbols"] == "both_ways":
            targets = targets + targets.T
        seen = (touching + reached + targets) > 0
        return csr_array(seen)

    def codes(self, sources: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the codes from some locations to others; uint8, shape (sources, targets)."""
        here, there = self.home[sources], self.home[targets]
        if self.seen.shape[0]:
            seen = self.seen[np.maximum(here, 0)].toarray()[:, np.maximum(there, 0)]
        else:
            seen = np.zeros((len(here), len(there)), dtype=bool)
        seen[here[:, None] == there[None]] = self.within
        seen &= ((here >= 0) & self.fires[sources])[:, None] & ((there >= 0) & self.is_target[targets])[None]
        seen[sources[:, None] == targets[None]] = True
        return np.where(seen, CLEAR, BLOCKED).astype(np.uint8)

    def field(self, a: int) -> NDArray[np.uint8]:
        """Return the codes of all numbers as seen from one location; uint8, shape (len(directory),)."""
        found = np.full(self.size, ABSENT, dtype=np.uint8)
        found[self.numbers] = self.codes(np.array([a], dtype=np.int64), self.numbers)[0]
        return found

    def table(self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes:
        """Return the codes of all ordered pairs of some locations."""
        packed = PackedCodes(len(numbers))
        for first in range(0, len(numbers), _ROWS):
            rows = slice(first, min(first + _ROWS, len(numbers)))
            packed.set_rows(rows, self.codes(numbers[rows], numbers))
            if progress is not None:
                progress(rows.stop, len(numbers))
        return packed

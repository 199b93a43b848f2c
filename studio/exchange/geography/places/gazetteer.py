"""The places of a source by number and name: as written, whatever the marks and capitals, by a name in brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.errors import nearest
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.naming import alternatives, folded, said
from studio.exchange.geography.spec import TownRule
from studio.exchange.geography.work import Work

__all__ = ["Found", "Gazetteer"]


class Found(NamedTuple):
    """Rows of places that a text means, the largest first; and by what they were found where not as written."""

    rows: list[int]
    how: str


class Gazetteer:
    """The places of a source that lie on a map or beside it.

    Parameters
    ----------
    names, keys : iterable of str
        Empty where there is none.
    people : array of float, shape (n,)
        Populations, 0 where unknown.
    points : array of float, shape (n, 2)
        On the lattice.
    """

    def __init__(self, names: Iterable[str], keys: Iterable[str], people: ArrayLike, points: ArrayLike) -> None:
        self.names, self.keys = list(names), list(keys)
        self.people: NDArray[np.float64] = np.asarray(people, dtype=float)
        self.points: NDArray[np.float64] = np.asarray(points, dtype=float).reshape(-1, 2)

    @classmethod
    def read(cls, work: Work, rule: TownRule) -> Gazetteer:
        """Read the places of the rule; rows without a name are there, and found by number only."""
        import shapely

        columns = (rule.name, rule.key, rule.population)
        layer = read_layer(work, rule.source, "towns", columns=columns, kinds="point")
        count = len(layer.shapes)
        names, keys = ([said(one) for one in layer.columns[name]] if name else [""] * count for name in columns[:2])
        people = [_number(one) for one in layer.columns[rule.population]] if rule.population else [0.0] * count
        middles = shapely.centroid(np.asarray(layer.shapes, dtype=object))
        unnamed = names.count("")
        if unnamed:
            work.report.add("towns", "note", f"{unnamed} places of {rule.source} have no name", places=unnamed)
        return cls(names, keys, people, np.stack((shapely.get_x(middles), shapely.get_y(middles)), axis=1))

    def find(self, text: str) -> Found:
        """Return the places that a text means: by number, else by name, else by a name that is alike.

        Parameters
        ----------
        text : str

        Returns
        -------
        Found
            The largest first, of equal ones those that come first in the rows.

        Examples
        --------
        >>> places = Gazetteer(["Başra", "Basra (old)", "Basra"], ["1", "2", "3"], [9, 8, 7], [(0, 0)] * 3)
        >>> places.find("Basra"), places.find("BASRA").rows, places.find("old")
        (Found(rows=[2], how=''), [0, 2], Found(rows=[1], how='another name'))
        """
        text = said(text)
        for index, key, how in (
            (self._by_key, text, ""),
            (self._by_name, text, ""),
            (self._by_fold, folded(text), "a name that differs in marks or capitals"),
            (self._by_part, folded(text), "another name"),
        ):
            rows = index.get(key, []) if key else []
            if rows:
                return Found(sorted(rows, key=lambda row: (-self.people[row], row)), how)
        return Found([], "")

    def near(self, text: str) -> str:
        """Return which names are like a text, for a message."""
        return nearest(text, self._by_name) if self._by_name else "it has none here"

    @cached_property
    def _by_key(self) -> dict[str, list[int]]:
        return _index(self.keys, lambda key: [key])

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        return _index(self.names, lambda name: [name])

    @cached_property
    def _by_fold(self) -> dict[str, list[int]]:
        return _index(self.names, lambda name: [folded(name)])

    @cached_property
    def _by_part(self) -> dict[str, list[int]]:
        return _index(self.names, lambda name: [folded(part) for part in alternatives(name)])


def _index(texts: Iterable[str], words: Callable[[str], list[str]]) -> dict[str, list[int]]:
    """Return the rows by each of the words of their texts."""
    found: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in dict.fromkeys(words(text)):
            if word:
                found.setdefault(word, []).append(row)
    return found


def _number(value: Any) -> float:
    """Return a population; 0 for what is none."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if 0 <= number < 1e12 else 0.0

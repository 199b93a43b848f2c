"""One drawing judged twice: under the rules of two games, or under two readings of the rules of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.api.rulings import Ruling, rulings_of
from studio.errors import GridError, LabelError, UnsupportedError
from studio.sight import STATUSES, TABLE_LIMIT, Conditions, Sighting, Status
from studio.sight.from_units import location_numbers
from studio.sight.view import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.api.map import Map
    from studio.rules import Ruleset
    from studio.survey import Directory

__all__ = ["Comparison", "DifferingPair", "compare_rulesets"]

_VERDICTS = ("clear", "hindered", "blocked")


class DifferingPair(NamedTuple):
    """A line that is judged differently, with both verdicts."""

    a: str
    b: str
    first: Status
    second: Status


class Comparison:
    """Where two rulings on one drawing differ; made by :func:`compare_rulesets`.

    Attributes
    ----------
    first, second : str
        Names of the two: the game, and the options in which they differ.
    directory : Directory
        Locations of the map by number and label.
    sources : list of int
        Numbers of the locations that were compared from.
    differs, partners : array of int32, shape (len(directory),)
        Of how many lines from each location the verdict differs, and how many lines were compared: those to all other
        locations that both games have. 0 where none was.
    counts : array of int64, shape (3, 3)
        Lines by both verdicts, clear, hindered and blocked: by the first in rows, by the second in columns.
    notes : list of str
        What of the map does not count under one of the rulings.
    """

    def __init__(self, directory: Directory, rulings: tuple[Ruling, Ruling], sources: list[int]) -> None:
        self.directory, self.sources = directory, sources
        self._rulings = rulings
        self._revision = directory.survey.revision
        self.first, self.second = (ruling.name for ruling in rulings)
        self.notes = [note for ruling in rulings for note in ruling.notes]
        self.differs: NDArray[np.int32] = np.zeros(len(directory), dtype=np.int32)
        self.partners: NDArray[np.int32] = np.zeros(len(directory), dtype=np.int32)
        self.counts: NDArray[np.int64] = np.zeros((3, 3), dtype=np.int64)
        for number in sources:
            self._count(number)

    def _count(self, number: int) -> None:
        first, second = self._codes(number)
        tally = np.bincount(4 * first + second, minlength=16).reshape(4, 4)[1:, 1:]
        if first[number] and second[number]:
            tally[first[number] - 1, second[number] - 1] -= 1  # the own location is no partner
        self.counts += tally
        self.partners[number] = tally.sum()
        self.differs[number] = tally.sum() - np.trace(tally)

    def _codes(self, number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        found = [ruling.held(number) for ruling in self._rulings]
        if any(codes is None for codes in found):
            self._check_fresh()
        first, second = (
            ruling.field(number) if codes is None else codes for ruling, codes in zip(self._rulings, found, strict=True)
        )
        return first, second

    def _check_fresh(self) -> None:
        check_fresh(self.directory, self._revision, "compare_rulesets(...)")

    @property
    def share(self) -> NDArray[np.float64]:
        """Share of the lines from each location whose verdict differs; float64 by number, NaN where there are none."""
        share = np.full(len(self.differs), np.nan)
        np.divide(self.differs, self.partners, out=share, where=self.partners > 0)
        return share

    @property
    def compared_count(self) -> int:
        """Number of lines compared; one from a to b and one from b to a are two."""
        return int(self.counts.sum())

    @property
    def differing_count(self) -> int:
        """Number of lines whose verdict differs."""
        return int(self.counts.sum() - np.trace(self.counts))

    def codes_from(self, label: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the codes of all lines from a location, by the first and by the second ruling.

        Returns
        -------
        two arrays of uint8, shape (len(directory),)
            By number: 0 no location under this ruling, 1 clear, 2 hindered, 3 blocked.

        Raises
        ------
        LabelError
            When the map has no such location.
        StaleAnswerError
            When nothing was compared from there and the map has been changed since.
        """
        return self._codes(self.directory.number(label))

    def pairs(self, limit: int | None = None) -> list[DifferingPair]:
        """Return the pairs whose verdict differs.

        Parameters
        ----------
        limit : int, optional
            How many at most; all when left out.

        Returns
        -------
        list of DifferingPair
            In the order of the locations. A pair comes once; it comes the other way round, too, where one of the games
            judges that line differently.
        """
        found: list[DifferingPair] = []
        for pair in self._pairs():
            if limit is not None and len(found) >= limit:
                break
            found.append(pair)
        return found

    def _pairs(self) -> Iterator[DifferingPair]:
        label, listed = self.directory.label, set(self.sources)
        for number in self.sources:
            if not self.differs[number]:
                continue
            first, second = self._codes(number)
            for other in np.flatnonzero((first != second) & (first > 0) & (second > 0)).tolist():
                codes = int(first[other]), int(second[other])
                if other < number and other in listed and codes == self._held_pair(other, number):
                    continue  # the same line the other way, which has been named
                yield DifferingPair(label(number), label(other), _status(codes[0]), _status(codes[1]))

    def _held_pair(self, a: int, b: int) -> tuple[int, int]:
        first, second = (ruling.held_code(a, b) for ruling in self._rulings)
        return first, second

    def why(self, a: str, b: str) -> tuple[Sighting, Sighting]:
        """Explain a line under both rulings.

        Raises
        ------
        LabelError
            When the map, or one of the games, has no such location.
        StaleAnswerError
            When the map has been changed since.
        """
        self._check_fresh()
        numbers = self.directory.number(a), self.directory.number(b)
        for ruling in self._rulings:
            for label, number in zip((a, b), numbers, strict=True):
                if ruling.to[number] < 0:
                    msg = f"{label} is no location under {ruling.name}; see the notes of the comparison"
                    raise LabelError(msg)
        first, second = (ruling.sighting(*numbers) for ruling in self._rulings)
        return first, second

    def to_dict(self, limit: int = 100) -> dict[str, Any]:
        """Return the comparison as plain data for JSON.

        Parameters
        ----------
        limit : int
            How many differing pairs to list at most.

        Returns
        -------
        dict
            ``first``, ``second``, ``notes``; ``lines`` and ``differing`` (how many); ``counts``: verdict of the first,
            then of the second; ``share`` by label; ``pairs``: from, to, first, second.
        """
        share = self.share
        return {
            "first": self.first,
            "second": self.second,
            "notes": list(self.notes),
            "lines": self.compared_count,
            "differing": self.differing_count,
            "counts": {
                verdict: dict(zip(_VERDICTS, row, strict=True))
                for verdict, row in zip(_VERDICTS, self.counts.tolist(), strict=True)
            },
            "share": {
                self.directory.label(number): round(float(share[number]), 6)
                for number in self.sources
                if self.partners[number]
            },
            "pairs": [
                {"from": pair.a, "to": pair.b, "first": pair.first, "second": pair.second} for pair in self.pairs(limit)
            ],
        }

    def to_frame(self) -> GeoDataFrame:
        """Return a GeoDataFrame of the locations, indexed by label.

        Returns
        -------
        GeoDataFrame
            differs, partners (numbers of lines), share (NaN where none was compared), kind and geometry.

        Raises
        ------
        StaleAnswerError
            When the map has been changed since.
        """
        self._check_fresh()
        frame = self.directory.survey.locations()[["kind", "geometry"]].copy()
        numbers = self.directory.numbers
        for at, name in enumerate(("differs", "partners", "share")):
            frame.insert(at, name, getattr(self, name)[numbers])
        return frame

    def __repr__(self) -> str:
        lines = self.compared_count
        part = self.differing_count / lines if lines else 0.0
        return f"Comparison({self.first} with {self.second}, {part:.1%} of {lines:,} lines differ)"

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{verdict}</th>" for verdict in _VERDICTS)
        rows = "".join(
            f"<tr><th>{verdict}</th>{''.join(f'<td>{count:,}</td>' for count in row)}</tr>"
            for verdict, row in zip(_VERDICTS, self.counts.tolist(), strict=True)
        )
        notes = "".join(f"<li>{escape(note)}</li>" for note in self.notes)
        title = f"<b>{escape(self.first)}</b> (rows) with <b>{escape(self.second)}</b> (columns)"
        return f"{title}<table><tr><th></th>{head}</tr>{rows}</table><ul>{notes}</ul>"


def _status(code: int) -> Status:
    status = STATUSES[code]
    assert status is not None
    return status


def compare_rulesets(
    map: Map,
    a: str | Ruleset,
    b: str | Ruleset,
    *,
    terrain: Mapping[str, str] | None = None,
    labels: str | Iterable[str] | None = None,
    options_a: Mapping[str, Any] | None = None,
    options_b: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Judge one drawing under two rulesets, or under two readings of one, and say where the verdicts differ.

    Parameters
    ----------
    map : Map
    a, b : str or Ruleset
        The games, by id or as loaded. For two readings of one game name it twice, with options.
    terrain : mapping of str to str, optional
        What terrain of the map counts as in a game that does not have it: ``{"dunes": "crops"}``. Terrain of the same
        id carries over by itself. Features, hexsides and markers that a game does not know are left out and named in
        the notes of the answer.
    labels : str or iterable of str, optional
        Compare the lines from these locations; those of all pairs when left out.
    options_a, options_b : mapping, optional
        Readings of the rules to use instead of the defaults.
    conditions : Conditions, optional
        Smoke, haze, air units and the like, for both.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    Comparison

    Raises
    ------
    GridError
        When all pairs are asked for and the map has more than ``TABLE_LIMIT`` locations.
    LabelError
        When a label is unknown or named twice.
    UnknownNameError
        When a game, an option or a terrain is unknown, or terrain on the map has no counterpart; a game without
        lines of sight says so by its own error, which is one of these, too.
    UnsupportedError
        When a game does not have a level of the map, or the two games share no locations of it.
    ScenarioRuleError
        When an option cannot have such a value.

    Examples
    --------
    >>> import studio
    >>> desert = studio.new_map("armageddon_war", columns=7, rows=5)
    >>> _ = desert.paint(["0402", "0403"], terrain="light_woods")
    >>> found = studio.compare_rulesets(
    ...     desert, "armageddon_war", "armageddon_war", options_b={"border_rule": "per_border"}
    ... )
    >>> found.second
    'Armageddon War (border_rule=per_border)'
    >>> found.pairs(1)
    [DifferingPair(a='0103', b='0503', first='blocked', second='clear')]
    """
    with map.lock:
        directory = map.survey.directory
        count = len(directory.numbers)
        if labels is None and count > TABLE_LIMIT:
            msg = (
                f"the map has {count:,} locations; lines between all of them are compared up to {TABLE_LIMIT:,}. Name "
                "the locations to compare from: compare_rulesets(map, a, b, labels=[...])"
            )
            raise GridError(msg)
        sources = directory.numbers.tolist() if labels is None else location_numbers(directory, labels, "labels")
        rulings = rulings_of(map, (a, b), (options_a, options_b), terrain or {}, conditions or Conditions())
        _check_shared(directory, rulings)
        for part, ruling in enumerate(rulings):
            ruling.judge_from(None if labels is None else sources, _part_of(progress, part))
        return Comparison(directory, rulings, sources)


def _check_shared(directory: Directory, rulings: tuple[Ruling, Ruling]) -> None:
    """Refuse to compare two games where the map has no two locations that are some in both."""
    first, second = (directory.present & (ruling.to >= 0) for ruling in rulings)
    shared = int((first & second).sum())
    if shared < 2 <= len(directory.numbers):
        counts = int(first.sum()), int(second.sum())
        has = [f"{count} in {ruling.name}" for count, ruling in zip(counts, rulings, strict=True)]
        what = "no location that is one" if not shared else "only one location that is one"
        msg = (
            f"the map has {what} in both games: it has {' and '.join(has)}. Hexes, areas and places are different "
            "locations; compare with a game that is played on the same"
        )
        raise UnsupportedError(msg)


def _part_of(progress: Callable[[int, int], None] | None, part: int) -> Callable[[int, int], None] | None:
    """Return what tells the progress of one half as that of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, 2 * total)

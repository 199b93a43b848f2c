"""Findings: one fault, warning or note each, with its place, its rule and its remedy; and the catalogue of checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from studio.model import Edit, Point, describe

__all__ = ["CATALOGUE", "MOST", "CheckInfo", "Fault", "Finding", "Findings", "Severity", "Yielded", "check", "tally"]

Severity = Literal["error", "warning", "note"]
"""An error keeps a document from being exported, a warning is for the designer to look at, a note only to be known."""

MOST = 200
"""How many findings of one check are listed; a map with more has one cause for most of them."""


def tally(findings: Iterable[Any]) -> str:
    """Return how many errors, warnings and notes there are, as people read it; notes only where there are some.

    Examples
    --------
    >>> tally([])
    '0 errors, 0 warnings'
    """
    counted = Counter(finding.severity for finding in findings)
    told = [("error", counted["error"]), ("warning", counted["warning"]), ("note", counted["note"])]
    return ", ".join(f"{count} {what}{'s' * (count != 1)}" for what, count in told if count or what != "note")


class Finding(msgspec.Struct, frozen=True):
    """One fault, warning or note.

    Attributes
    ----------
    severity : {"error", "warning", "note"}
        An error keeps a map or scenario from being exported; a note is no fault of it at all.
    file : str
    at : str
        Label, id or path in the document.
    rule : str
        Id in the catalogue of checks.
    message : str
    remedy : str
    point : (x, y) or None
        Where on the lattice it is: the corner, the crossing, the dot. None for what has no place on the map.
    repair : Edit or None
        The edit that mends it, where there is only one way; ``map.repair()`` makes it.
    """

    severity: Severity
    file: str
    at: str
    rule: str
    message: str
    remedy: str
    point: Point | None = None
    repair: Edit | None = None

    def __str__(self) -> str:
        mend = f" Repair: {describe(self.repair)}." if self.repair is not None else ""
        return f"{self.severity}: {self.file}: {self.at}: {self.message} [{self.rule}] Remedy: {self.remedy}{mend}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data; ``point`` and the title of the ``repair`` only where there are some."""
        data: dict[str, Any] = {
            name: getattr(self, name) for name in ("severity", "file", "at", "rule", "message", "remedy")
        }
        if self.point is not None:
            data["point"] = list(self.point)
        if self.repair is not None:
            data["repair"] = describe(self.repair)
        return data


class Findings(list[Finding]):
    """A list of findings that a notebook shows as a table.

    Attributes
    ----------
    about : int
        Serial number of the document that they are about, 0 where it is not known.
    """

    about: int = 0

    @property
    def errors(self) -> list[Finding]:
        """The findings that keep a document from being exported."""
        return [finding for finding in self if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """The findings that a designer should look at."""
        return [finding for finding in self if finding.severity == "warning"]

    @property
    def notes(self) -> list[Finding]:
        """The findings that are no faults, such as where a printed source errs and how it is read."""
        return [finding for finding in self if finding.severity == "note"]

    def tally(self) -> str:
        """Return how many errors, warnings and notes there are, as people read it."""
        return tally(self)

    @property
    def repairs(self) -> list[Finding]:
        """The findings that ``map.repair()`` can mend."""
        return [finding for finding in self if finding.repair is not None]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain data for JSON."""
        return {"findings": [finding.to_dict() for finding in self]}

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "no findings"

    def _repr_html_(self) -> str:
        from html import escape

        if not self:
            return "<i>no findings</i>"
        head = "".join(
            f"<th>{name}</th>" for name in ("", "", "at", "point", "message", "remedy", "map.repair()", "rule")
        )
        rows = ""
        for number, one in enumerate(self, 1):
            point = "" if one.point is None else f"{one.point[0]}, {one.point[1]}"
            mend = "" if one.repair is None else describe(one.repair)
            cells = (str(number), one.severity, one.at, point, one.message, one.remedy, mend, one.rule)
            rows += f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in cells)}</tr>"
        return f"<table><tr>{head}</tr>{rows}</table>"


class CheckInfo(msgspec.Struct, frozen=True):
    """One entry of the catalogue: id, what it is about, severity, what it looks for, and the game that it is for."""

    rule: str
    about: Literal["map", "scenario"]
    severity: Severity
    text: str
    game: str = ""


CATALOGUE: dict[str, CheckInfo] = {}
"""Every check by its id; ``studio rules --checks`` lists them."""


class Fault(NamedTuple):
    """What a check yields for every fault: as a finding has it."""

    at: str
    message: str
    remedy: str
    point: Point | None = None
    repair: Edit | None = None


Yielded: TypeAlias = Fault | tuple[str, str, str]
_Checker = Callable[..., Iterable[Yielded]]


def check(
    rule: str, severity: Severity, text: str, *, game: str = ""
) -> Callable[[_Checker], Callable[..., Iterator[Finding]]]:
    """Register a check: a function that yields a :class:`Fault`, or (at, message, remedy), for every fault it finds.

    Parameters
    ----------
    rule : str
        Id, such as ``map.road_end``; what is before the dot says what it is about.
    severity : {"error", "warning", "note"}
    text : str
        What it looks for, for the catalogue.
    game : str
        Id of the game that has it; empty for every game.
    """
    about: Any = rule.partition(".")[0]
    CATALOGUE[rule] = CheckInfo(rule, about, severity, text, game)

    def wrap(function: _Checker) -> Callable[..., Iterator[Finding]]:
        def run(*subject: Any, file: str) -> Iterator[Finding]:
            for number, fault in enumerate(function(*subject)):
                at, message, remedy, point, repair = Fault(*fault)
                if number == MOST:
                    message = f"{MOST} faults of this kind are listed, and there are more, this one the next: {message}"
                yield Finding(severity, file, at, rule, message, remedy, point, repair)
                if number == MOST:
                    return

        run.__doc__, run.__name__ = function.__doc__, function.__name__
        return run

    return wrap

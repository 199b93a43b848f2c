"""Findings: one fault or warning each, with its place, its rule and its remedy; and the catalogue of checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

import msgspec

__all__ = ["CATALOGUE", "CheckInfo", "Finding", "Findings", "Severity", "Yielded", "check"]

Severity = Literal["error", "warning"]


class Finding(msgspec.Struct, frozen=True):
    """One fault or warning.

    Attributes
    ----------
    severity : {"error", "warning"}
        An error keeps a map or scenario from being exported.
    file : str
    at : str
        Label, id or path in the document.
    rule : str
        Id in the catalogue of checks.
    message : str
    remedy : str
    """

    severity: Severity
    file: str
    at: str
    rule: str
    message: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.file}: {self.at}: {self.message} [{self.rule}] Remedy: {self.remedy}"


class Findings(list[Finding]):
    """A list of findings that a notebook shows as a table."""

    @property
    def errors(self) -> list[Finding]:
        """The findings that keep a document from being exported."""
        return [finding for finding in self if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """The findings that a designer should look at."""
        return [finding for finding in self if finding.severity == "warning"]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as plain data for JSON."""
        return {"findings": [msgspec.to_builtins(finding) for finding in self]}

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "no findings"

    def _repr_html_(self) -> str:
        from html import escape

        if not self:
            return "<i>no findings</i>"
        head = "".join(f"<th>{name}</th>" for name in ("", "at", "message", "remedy", "rule"))
        rows = ""
        for one in self:
            cells = (one.severity, one.at, one.message, one.remedy, one.rule)
            rows += f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in cells)}</tr>"
        return f"<table><tr>{head}</tr>{rows}</table>"


class CheckInfo(msgspec.Struct, frozen=True):
    """One entry of the catalogue: id, what it is about, severity, and what it looks for."""

    rule: str
    about: Literal["map", "scenario"]
    severity: Severity
    text: str


CATALOGUE: dict[str, CheckInfo] = {}
"""Every check by its id; ``studio rules --checks`` lists them."""

Yielded = tuple[str, str, str]
_Checker = Callable[..., Iterable[Yielded]]


def check(rule: str, severity: Severity, text: str) -> Callable[[_Checker], Callable[..., Iterator[Finding]]]:
    """Register a check: a function that yields (at, message, remedy) for every fault it finds.

    Parameters
    ----------
    rule : str
        Id, such as ``map.road_end``; what is before the dot says what it is about.
    severity : {"error", "warning"}
    text : str
        What it looks for, for the catalogue.
    """
    about: Any = rule.partition(".")[0]
    CATALOGUE[rule] = CheckInfo(rule, about, severity, text)

    def wrap(function: _Checker) -> Callable[..., Iterator[Finding]]:
        def run(*subject: Any, file: str) -> Iterator[Finding]:
            for at, message, remedy in function(*subject):
                yield Finding(severity, file, at, rule, message, remedy)

        run.__doc__, run.__name__ = function.__doc__, function.__name__
        return run

    return wrap

"""Answers about places under several conditions: each condition with its rule, whether it is met, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.survey import Survey

__all__ = ["Check", "Spot", "Spots"]


class Check(msgspec.Struct, frozen=True):
    """One condition: its rule, whether it is met, and a sentence that says why."""

    rule: str
    met: bool
    text: str


class Spot(msgspec.Struct, frozen=True):
    """A place and the conditions that it has to meet, all of them, or one at least.

    Attributes
    ----------
    at : str
        Label.
    checks : tuple of Check
    one_will_do : bool
        One condition that is met is enough.
    """

    at: str
    checks: tuple[Check, ...]
    one_will_do: bool = False

    @property
    def allowed(self) -> bool:
        """All conditions are met, or one of them where one will do."""
        met = [check.met for check in self.checks]
        return any(met) if self.one_will_do else all(met)

    @property
    def text(self) -> str:
        """The verdict with what decides it."""
        told = [check for check in self.checks if check.met == self.allowed] or list(self.checks)
        return f"{self.at}: {'yes' if self.allowed else 'no'}; " + "; ".join(check.text for check in told)

    def __str__(self) -> str:
        lines = [f"  [{check.rule}] {'met' if check.met else 'not met'}: {check.text}" for check in self.checks]
        return "\n".join([f"{self.at}: {'yes' if self.allowed else 'no'}", *lines])

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON: at, allowed and checks (rule, met, text)."""
        checks = [{"rule": check.rule, "met": check.met, "text": check.text} for check in self.checks]
        return {"at": self.at, "allowed": self.allowed, "checks": checks}


class Spots:
    """The places that meet the conditions, and why any other does not.

    Attributes
    ----------
    question : str
        What was asked, in words.
    spots : list of Spot
        Those that were looked at, in the order of their numbers.
    revision : int
        State of the survey that it was made from.
    """

    def __init__(self, survey: Survey, question: str, numbers: Iterable[int], judge: Callable[[int], Spot]) -> None:
        self.directory, self.revision, self.question = survey.directory, survey.revision, question
        self._judge = judge
        self.spots = [judge(number) for number in sorted(numbers)]

    @property
    def labels(self) -> list[str]:
        """Labels of the places that are allowed."""
        return [spot.at for spot in self.spots if spot.allowed]

    def why(self, label: str) -> Spot:
        """Return whether a place is allowed, with every condition.

        Raises
        ------
        LabelError
            When the map has no such location.
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "the same question")
        return self._judge(self.directory.number(label))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON: question, allowed (labels) and spots."""
        return {"question": self.question, "allowed": self.labels, "spots": [spot.to_dict() for spot in self.spots]}

    def to_frame(self) -> GeoDataFrame:
        """Return the places that were looked at as a GeoDataFrame, indexed by label: allowed, why and outline.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "the same question")
        frame = self.directory.survey.locations()[["geometry"]].loc[[spot.at for spot in self.spots]].copy()
        frame.insert(0, "allowed", [spot.allowed for spot in self.spots])
        frame.insert(1, "why", [spot.text for spot in self.spots])
        return frame

    @property
    def missing(self) -> tuple[Check, ...]:
        """Conditions that fail at every place that was looked at, where none is allowed."""
        if self.labels or not self.spots:
            return ()
        failed: dict[tuple[str, str], list[Check]] = {}
        for spot in self.spots:
            for check in spot.checks:
                if not check.met:
                    failed.setdefault((check.rule, check.text), []).append(check)
        return tuple(found[0] for found in failed.values() if len(found) == len(self.spots))

    @property
    def text(self) -> str:
        """The places that are allowed; where there are none, what is wrong with all of them, or with each."""
        found = ", ".join(self.labels[:12]) + (", …" if len(self.labels) > 12 else "")
        if found:
            return f"{self.question}: {found}"
        told = [check.text for check in self.missing] or [spot.text for spot in self.spots[:6]]
        return f"{self.question}: nowhere" + (f"; {'; '.join(told)}" if told else "")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Spots({self.text})"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(spot.at)}</td><td>{'yes' if spot.allowed else 'no'}</td>"
            f"<td>{escape(spot.text.partition('; ')[2])}</td></tr>"
            for spot in self.spots
        )
        head = "<tr><th>at</th><th>allowed</th><th>why</th></tr>"
        return f"<b>{escape(self.question)}</b><table>{head}{rows}</table>"

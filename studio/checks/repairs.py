"""Repairs: make the mends that findings offer, on a copy of the map first, and keep those that make nothing worse.

A repair changes a few features, so that it is judged by what lies around them: the checks run over that part of the map
before it and after it. What is worse, ``judging.py`` says.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.checks.finding import Finding, Findings
from studio.checks.judging import Part, Surroundings, place_of, why_worse
from studio.checks.running import run_checks
from studio.checks.subject import MapSubject
from studio.errors import EditError
from studio.model import Batch, Delete, Edit, Feature, MapModel, Paint, Put, SetSide, describe
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["Repairs", "plan_repairs", "without_vain_repairs"]

_ENOUGH = 6000  # corners that a check looks at again to tell which repairs can be made; the rest it offers untried
_LONGEST = 12  # repairs that are tried together where each alone is refused

_Key = tuple[str, str, object]


class Repairs(NamedTuple):
    """What was mended, the one edit that does it (None where nothing was), and why other repairs were not made."""

    mended: Findings
    edit: Batch | None
    refused: dict[_Key, str]

    def why_not(self, finding: Finding) -> str:
        """Return why the repair of a finding was not made; empty where nothing is known against it."""
        return self.refused.get(_key(finding), "")


def plan_repairs(
    survey: Survey,
    ruleset: Ruleset,
    wanted: Callable[[Finding], bool],
    allow: Callable[[Edit], None],
    *,
    file: str,
) -> Repairs:
    """Plan the repairs of a map; the map itself stays as it is.

    A repair is kept when its fault is gone after it, no fault has come at another place, no more ground is covered
    twice or not at all, and no two areas that share a border lose it. Repairs that touch the same features are made one
    after the other, each on the map that the one before left; those that were refused are tried again, then together.

    Parameters
    ----------
    survey : Survey
        Of the map.
    ruleset : Ruleset
    wanted : callable
        Tells which findings to mend.
    allow : callable
        Raises an EditError for an edit that the game refuses.
    file : str
        How the findings call the map.

    Returns
    -------
    Repairs
    """
    findings = run_checks(MapSubject(survey, ruleset), file=file)
    return _Plan(survey, ruleset, findings, wanted, allow, file).run()


def without_vain_repairs(survey: Survey, ruleset: Ruleset, findings: Findings, *, file: str) -> Findings:
    """Return findings without the repairs that would not be made; the remedy says why.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset
    findings : Findings
        All of the map.
    file : str

    Returns
    -------
    Findings
    """
    plan = _Plan(survey, ruleset, findings, lambda finding: True, lambda edit: None, file, _ENOUGH).run()
    found = Findings()
    for finding in findings:
        why = plan.why_not(finding)
        if why and finding.repair is not None:
            remedy = f"{finding.remedy} (not offered as a repair: {describe(finding.repair)}; {why})"
            found.append(msgspec.structs.replace(finding, remedy=remedy, repair=None))
        else:
            found.append(finding)
    return found


class _State(NamedTuple):
    """What of a model edits change."""

    features: dict[str, Feature]
    sides: dict[tuple[int, int], tuple[str, ...]]
    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]


class _Plan:
    def __init__(
        self,
        survey: Survey,
        ruleset: Ruleset,
        findings: Findings,
        wanted: Callable[[Finding], bool],
        allow: Callable[[Edit], None],
        file: str,
        enough: float = inf,
    ) -> None:
        self.wanted, self.allow, self.enough = wanted, allow, enough
        self.model = _copied(survey.model)
        self.around = Surroundings(survey, self.model, ruleset, file)
        self.wishes = {_key(finding) for finding in findings if wanted(finding)}
        self.findings: list[Finding] = list(findings)
        self.mended = Findings()
        self.edits: list[Edit] = []
        self.refused: dict[_Key, str] = {}
        self.left = 4 * len(findings.repairs) + 8  # attempts that succeed: an end even where repairs undo each other

    def run(self) -> Repairs:
        going = True
        while going and self._goes_on():
            while (offered := self._next_round()) and self._goes_on():
                self._attempt(offered)
            going = sum(self._attempt_together(group) for group in self._groups()) > 0
        count = len(self.mended)
        title = f"Repair {count} fault{'s' * (count != 1)}" if count != 1 else _title(self.mended[0])
        edit = Batch(title=title, edits=self.edits) if self.edits else None
        return Repairs(self.mended, edit, self.refused)

    def _goes_on(self) -> bool:
        return self.left > 0 and self.around.seen < self.enough

    def _offers(self) -> list[Finding]:
        return [
            one for one in self.findings if one.repair is not None and (_key(one) in self.wishes or self.wanted(one))
        ]

    def _next_round(self) -> list[Finding]:
        """Return findings whose repairs touch different things."""
        found, touched = [], set[str]()
        for finding in self._offers():
            if finding.repair is None or _key(finding) in self.refused:
                continue
            names = _touched(finding.repair)
            if not names & touched:
                touched |= names
                found.append(finding)
        return found

    def _groups(self) -> list[list[Finding]]:
        """Return refused findings whose repairs touch the same things, to be made together."""
        groups: list[tuple[set[str], list[Finding]]] = []
        for finding in self._offers():
            if finding.repair is None:
                continue
            names, together = _touched(finding.repair), [finding]
            apart = []
            for known, members in groups:
                if known & names:
                    names, together = names | known, [*members, *together]
                else:
                    apart.append((known, members))
            groups = [*apart, (names, together)]
        return [group for _, group in groups if 1 < len(group) <= _LONGEST]

    # -- attempts --------------------------------------------------------------------------------------------------

    def _attempt(self, findings: Sequence[Finding]) -> None:
        """Make some repairs; when one of them makes something worse, take them back and try each half."""
        edits = [finding.repair for finding in findings if finding.repair is not None]
        part = self.around.part(_drawn(edits))
        before, state = self.around.look(part), self._state()
        why = self._make(edits)
        if not why:
            after = self.around.look(part)
            why = why_worse(before, after, findings)
            if not why:
                self._keep(part, before.findings, after.findings, findings, edits)
                return
        self._restore(state)
        if len(findings) == 1:
            self.refused[_key(findings[0])] = why
            return
        half = len(findings) // 2
        self._attempt(findings[:half])
        self._attempt(findings[half:])

    def _attempt_together(self, findings: Sequence[Finding]) -> bool:
        """Make repairs of the same things, each of which was refused alone, one after the other, and judge the end."""
        part = self.around.part(_drawn([finding.repair for finding in findings if finding.repair is not None]))
        before, state = self.around.look(part), self._state()
        edits: list[Edit] = []
        after = before
        for finding in findings:
            now = next((one for one in after.findings if _key(one) == _key(finding)), None)
            if now is None:
                continue  # mended by one before it
            if now.repair is None or self._make([now.repair]):
                break
            edits.append(now.repair)
            after = self.around.look(part)
        else:
            if edits and not why_worse(before, after, findings):
                self._keep(part, before.findings, after.findings, findings, edits)
                return True
        self._restore(state)
        return False

    def _keep(
        self,
        part: Part,
        before: Sequence[Finding],
        after: Sequence[Finding],
        mended: Sequence[Finding],
        edits: Sequence[Edit],
    ) -> None:
        """Keep what was made: the findings of the map change as those of the part did."""
        self.left -= 1
        self.mended += mended
        self.edits += edits
        old, new = {_key(one): one for one in before}, {_key(one): one for one in after}
        changed = {name for edit in edits for name in _touched(edit)}
        kept = []
        for finding in self.findings:
            key = _key(finding)
            if key in old and key not in new:
                continue
            # An edit holds the features as they were; and what could not be told may be plain now.
            stale = finding.repair is not None and bool(_touched(finding.repair) & changed)
            is_new = key in new and (stale or key not in old or old[key].repair != new[key].repair)
            kept.append(new[key] if is_new else finding)
        known = {_key(finding) for finding in kept}
        self.findings = [*kept, *(one for key, one in new.items() if key not in old and key not in known)]
        # What was refused here may do now.
        here = {
            key for key, finding in old.items() if finding.repair is not None and _touched(finding.repair) & part.ids
        }
        self.refused = {key: why for key, why in self.refused.items() if key not in here}

    def _state(self) -> _State:
        # Not by the inverse edits: what was there may be what no edit could put there.
        model = self.model
        return _State(dict(model.features), dict(model.sides), model.terrain.copy(), model.levels.copy())

    def _restore(self, state: _State) -> None:
        self.model.features, self.model.sides, self.model.terrain, self.model.levels = state

    def _make(self, edits: Sequence[Edit]) -> str:
        """Make edits; return why that cannot be done, empty where it was."""
        try:
            for edit in edits:
                self.allow(edit)
                self.model.perform(edit)
        except EditError as error:
            return str(error)
        return ""


def _copied(model: MapModel) -> MapModel:
    """Return a model that can be changed without the other: features are never changed, only replaced."""
    found = copy.copy(model)
    found.terrain, found.levels = model.terrain.copy(), model.levels.copy()
    found.sides, found.features = dict(model.sides), dict(model.features)
    return found


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.at, place_of(finding)


def _touched(edit: Edit) -> set[str]:
    match edit:
        case Batch():
            return set[str]().union(*map(_touched, edit.edits))
        case Put():
            return {str(edit.record["id"])}
        case Delete():
            return {edit.id}
        case SetSide():
            return {f"side {edit.a} {edit.b}"}
        case Paint():
            return {f"cell {cell}" for cell in edit.cells}
    return set()


def _drawn(edits: Iterable[Edit]) -> set[str] | None:
    """Return the ids of the features that edits replace; None where they change anything else."""
    found: set[str] = set()
    for edit in edits:
        inner = edit.edits if isinstance(edit, Batch) else [edit]
        if not all(isinstance(one, Put | Delete) for one in inner):
            return None
        found |= _touched(edit)
    return found


def _title(finding: Finding) -> str:
    return finding.repair.title if isinstance(finding.repair, Batch) else f"Repair {finding.at}"

"""The check of a map: what its checks find, with the repairs that can be made."""

from __future__ import annotations

from studio.checks.finding import Findings
from studio.checks.repairs import without_vain_repairs
from studio.checks.running import run_checks
from studio.checks.subject import MapSubject
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["check_map"]


def check_map(survey: Survey, ruleset: Ruleset, *, file: str) -> Findings:
    """Check a map.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset
    file : str
        How the findings call the map.

    Returns
    -------
    Findings
        Errors first. A repair is offered where it can be made; where it would bring another fault the remedy says so.
    """
    found = run_checks(MapSubject(survey, ruleset), file=file)
    return without_vain_repairs(survey, ruleset, found, file=file) if found.repairs else found

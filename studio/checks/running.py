"""Which checks a map runs through, and in which order: those of every game, and those of its own."""

from __future__ import annotations

from studio.checks import (
    backdrop,
    corners,
    fixtures,
    hexes,
    ignorant_armies,
    modern_tactics,
    names,
    outlines,
    phantom_fury,
    tilings,
    walls,
)
from studio.checks import urban_operations as urban
from studio.checks.finding import Findings
from studio.checks.subject import MapSubject

__all__ = ["run_checks"]

_DRAWN = (
    *names.CHECKS,
    *outlines.CHECKS,
    *tilings.CHECKS,
    *corners.CHECKS,
    *fixtures.CHECKS,
    *walls.CHECKS,
    *backdrop.CHECKS,
)

_OF_A_GAME = {
    "ignorant_armies": ignorant_armies.CHECKS,
    "modern_tactics": modern_tactics.CHECKS,
    "phantom_fury": phantom_fury.CHECKS,
    "urban_operations": urban.CHECKS,
}


def run_checks(subject: MapSubject, *, file: str, hexsides: bool = True) -> Findings:
    """Run the checks of a map.

    Parameters
    ----------
    subject : MapSubject
    file : str
        How the findings call the map.
    hexsides : bool
        False leaves out the checks of terrain and hexsides, of which what is drawn changes nothing.

    Returns
    -------
    Findings
        Errors first. Whether a repair would bring another fault is not looked into.
    """
    runs = (*(hexes.CHECKS if hexsides else ()), *_DRAWN, *_OF_A_GAME.get(subject.ruleset.id, ()))
    found = [finding for run in runs for finding in run(subject, file=file)]
    return Findings(sorted(found, key=lambda finding: finding.severity != "error"))

"""Bundles: checked and written for engines, and read back as they would read them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from studio.model import SpecialRules

if TYPE_CHECKING:
    from studio.api.map import Map
    from studio.api.scenario import Scenario
    from studio.files.reader import Bundle

__all__ = ["SIGHT_TABLE_IN_BUNDLE", "export_bundle", "open_bundle"]

SIGHT_TABLE_IN_BUNDLE = 4000
"""Most hexes of a map whose bundle holds the table of all pairs by default."""


def export_bundle(
    map_: Map,
    scenario: Scenario | None,
    path: Path,
    *,
    sight: bool | None = None,
    preview: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Check a map, with a scenario on it or without, and write its bundle.

    Parameters
    ----------
    map_ : Map
    scenario : Scenario or None
    path : Path
    sight : bool, optional
        Whether it holds the sight table; by default when the map has at most ``SIGHT_TABLE_IN_BUNDLE`` hexes.
    preview : bool
        Whether it holds a picture.
    progress : callable, optional
        Called with how much of the sight table is done, and of how much.

    Returns
    -------
    Path

    Raises
    ------
    ExportError
        When the checks find an error; nothing is written, and the findings are in the error.
    """
    from studio.files.bundle import ExportError, write_bundle

    findings = scenario.check() if scenario is not None else map_.check()
    if findings.errors:
        raise ExportError(path, list(findings))
    with map_.lock:
        table = None
        special = scenario.document.special if scenario is not None else SpecialRules()
        conditions = scenario.conditions() if scenario is not None else None
        if sight or (sight is None and int(map_.grid.present.sum()) <= SIGHT_TABLE_IN_BUNDLE):
            table = map_.sight_table(options=special.options, conditions=conditions, progress=progress)
        picture = None
        if preview:
            from studio.draw import preview_png

            picture = preview_png(map_.model)
        return write_bundle(
            path,
            map_model=map_.model,
            scenario_model=scenario.model if scenario is not None else None,
            survey=map_.survey,
            ruleset=map_.ruleset,
            sight_table=table,
            preview=picture,
            findings=list(findings),
        )


def open_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Open a bundle with the reader that other engines use.

    Raises
    ------
    BundleError
        When the bundle is not whole and sound.
    """
    from studio.files.reader import read_bundle

    return read_bundle(os.fspath(path))

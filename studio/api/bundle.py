"""Bundles: checked and written for engines, and read back as they would read them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import StudioError
from studio.model import SpecialRules

if TYPE_CHECKING:
    from studio.api.map import Map
    from studio.api.scenario import Scenario
    from studio.checks import Findings
    from studio.files.reader import Bundle
    from studio.sight import Conditions, SightTable

__all__ = [
    "SIGHT_TABLE_IN_BUNDLE",
    "BundleWork",
    "ExportTargetError",
    "UnsoundBundleError",
    "export_bundle",
    "open_bundle",
]


class ExportTargetError(StudioError, ValueError):
    """A file that an export must not replace."""


class UnsoundBundleError(StudioError, ValueError):
    """A bundle that is not whole and sound."""


SIGHT_TABLE_IN_BUNDLE = 4000
"""Most hexes of a map whose bundle holds the table of all pairs by default."""


class BundleWork:
    """What the bundles of several scenarios on one map have in common, made once: sight tables and the picture."""

    def __init__(self) -> None:
        self._tables: dict[Any, SightTable] = {}
        self._pictures: dict[int, bytes] = {}
        self._maps: list[Map] = []  # kept, so that no other map gets their place in memory

    def table(
        self,
        map_: Map,
        options: Mapping[str, Any],
        conditions: Conditions | None,
        progress: Callable[[int, int], None] | None,
    ) -> SightTable:
        """Return the sight table of a map under some conditions."""
        self._maps.append(map_)
        key = (id(map_), map_.revision, tuple(sorted(map_.ruleset.options(options).items())), _written(conditions))
        if key not in self._tables:
            self._tables[key] = map_.sight_table(options=options, conditions=conditions, progress=progress)
        return self._tables[key]

    def picture(self, map_: Map) -> bytes:
        """Return the picture of a map."""
        from studio.draw import preview_png

        key = id(map_)
        if key not in self._pictures:
            self._maps.append(map_)
            self._pictures[key] = preview_png(map_)
        return self._pictures[key]


def _written(conditions: Conditions | None) -> bytes:
    """Return conditions as bytes, the same for the same ones; those that say nothing are none."""
    from studio.sight import Conditions

    return msgspec.json.encode(conditions or Conditions(), order="sorted")


def export_bundle(
    map_: Map,
    scenario: Scenario | None,
    path: Path,
    *,
    sight: bool | None = None,
    preview: bool = True,
    progress: Callable[[int, int], None] | None = None,
    findings: Findings | None = None,
    work: BundleWork | None = None,
) -> Path:
    """Check a map, with a scenario on it or without, and write its bundle.

    Parameters
    ----------
    map_ : Map
    scenario : Scenario or None
    path : Path
    sight : bool, optional
        Whether it holds the sight table; by default when the game has lines of sight and the map has
        at most ``SIGHT_TABLE_IN_BUNDLE`` hexes.
    preview : bool
        Whether it holds a picture.
    progress : callable, optional
        Called with how much of the sight table is done, and of how much.
    findings : Findings, optional
        What the checks found, where they ran already.
    work : BundleWork, optional
        What was made for other bundles of this map.

    Returns
    -------
    Path

    Raises
    ------
    ExportError
        When the checks find an error; nothing is written, and the findings are in the error.
    ExportTargetError
        When a file that is no bundle would be replaced.
    """
    from studio.files.bundle import ExportError, write_bundle

    _check_target(path)

    if findings is None:
        findings = scenario.check() if scenario is not None else map_.check()
    if findings.errors:
        raise ExportError(path, list(findings))
    work = work or BundleWork()
    with map_.lock:
        table = None
        special = scenario.document.special if scenario is not None else SpecialRules()
        played = scenario.played if scenario is not None else map_
        conditions = scenario._played_conditions() if scenario is not None else None
        small = int(map_.grid.present.sum()) <= SIGHT_TABLE_IN_BUNDLE
        if sight or (sight is None and map_.ruleset.has_sight and small):
            table = work.table(played, special.options, conditions, progress)
        picture = work.picture(map_) if preview else None
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


def _check_target(path: Path) -> None:
    """Refuse to replace a file that is something else than a bundle."""
    if path.is_file():
        with path.open("rb") as file:
            head = file.read(4)
        if head not in (b"", b"PK\x03\x04"):
            msg = f"{path}: this is no bundle, and a bundle would replace it; name another file, or remove it first"
            raise ExportTargetError(msg)


def open_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Open a bundle with the reader that other engines use.

    Raises
    ------
    UnsoundBundleError
        When the bundle is not whole and sound.
    """
    from studio.files.reader import BundleError, read_bundle

    try:
        return read_bundle(os.fspath(path))
    except (BundleError, TypeError, ValueError) as error:
        raise UnsoundBundleError(str(error)) from error

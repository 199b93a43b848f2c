"""Many documents at once: checked and handed over, each map opened, surveyed and checked once, in several processes."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from studio.cli.common import UsageError, is_scenario, remedy, told
from studio.errors import DocumentError, StudioError

if TYPE_CHECKING:
    from studio.api import Map, Scenario
    from studio.api.bundle import BundleWork
    from studio.checks import Finding, Findings

__all__ = ["Group", "Order", "Told", "bundle_names", "crash", "groups_of", "unreadable", "work_on"]

LEAST_APART = 8
"""Scenarios on one map that are worth a process of their own, which has to make the facts of the map again."""


class Order(NamedTuple):
    """What is to be done with every file.

    Attributes
    ----------
    bundles : dict of int to str
        Files to write bundles to, by the places of the documents; empty for none.
    lists : str
        File with lists of what is next to what, to compare with; empty for none.
    repair : bool
        Whether maps are mended and written.
    rules : tuple of str
        Files of games of one's own.
    """

    bundles: dict[int, str]
    lists: str = ""
    repair: bool = False
    rules: tuple[str, ...] = ()


class Told(NamedTuple):
    """What came of one file.

    Attributes
    ----------
    number : int
        Its place among the files that were asked about.
    file : str
    findings : tuple of Finding
        Its own.
    map_key : str
        What tells its map from others; empty where it is not known.
    map_findings : tuple of Finding
        Of the map of a scenario.
    repaired : tuple of Finding
    bundle : str
        File that was written; empty for none.
    size : int
        Of the bundle, in bytes.
    """

    number: int
    file: str
    findings: tuple[Finding, ...]
    map_key: str = ""
    map_findings: tuple[Finding, ...] = ()
    repaired: tuple[Finding, ...] = ()
    bundle: str = ""
    size: int = 0


class Group(NamedTuple):
    """Files that share a map, by their places among all, the map itself first."""

    cost: int
    files: tuple[tuple[int, str], ...]


# -- what belongs together ---------------------------------------------------------------------------------------------


class _MapOf(msgspec.Struct):
    file: str = ""


class _Head(msgspec.Struct):
    map: _MapOf = msgspec.field(default_factory=_MapOf)


def groups_of(files: Sequence[str], processes: int) -> list[Group]:
    """Return the files in groups that share a map, the costliest first.

    Parameters
    ----------
    files : sequence of str
    processes : int
        So many work at once: very many scenarios on one map are shared out among them.
    """
    together: dict[str, list[tuple[int, str]]] = {}
    for number, file in enumerate(files):
        together.setdefault(_map_key(file), []).append((number, file))
    most = max(LEAST_APART, -(-len(files) // max(1, processes)))
    groups = []
    for key, members in together.items():
        members.sort(key=lambda one: is_scenario(one[1]))
        size = Path(key).stat().st_size if Path(key).is_file() else 0
        for first in range(0, len(members), most):
            part = tuple(members[first : first + most])
            groups.append(Group(size * (4 + len(part)), part))
    return sorted(groups, key=lambda group: (-group.cost, group.files))


def _map_key(file: str) -> str:
    """Return the whole path of a map, or of the map of a scenario; of what cannot be read, its own."""
    path = Path(file)
    if is_scenario(file):
        with contextlib.suppress(OSError, ValueError, RecursionError):  # said when it is opened
            path = path.parent / msgspec.json.decode(path.read_bytes(), type=_Head).map.file
    try:
        return str(path.resolve())
    except (OSError, ValueError, RuntimeError):
        return file


def bundle_names(files: Sequence[str]) -> list[str]:
    """Return the names of the bundles of documents: that of the file, and ``map`` where a scenario has the same.

    Raises
    ------
    UsageError
        When two would have one name.

    Examples
    --------
    >>> bundle_names(["scenarios/raid.scenario.json", "maps/raid.map.json", "maps/desert.map.json"])
    ['raid.bundle.zip', 'raid.map.bundle.zip', 'desert.bundle.zip']
    """
    scenarios = {_stem(file) for file in files if is_scenario(file)}
    taken: dict[str, str] = {}
    names = []
    for file in files:
        between = ".map" if not is_scenario(file) and _stem(file) in scenarios else ""
        names.append(f"{_stem(file)}{between}.bundle.zip")
        other = taken.setdefault(names[-1], file)
        if other != file:
            msg = f"{other} and {file} would both be written to {names[-1]}; export them to different folders"
            raise UsageError(msg)
    return names


def _stem(file: str) -> str:
    return Path(file).name.removesuffix(".json").removesuffix(".scenario").removesuffix(".map")


# -- the work ----------------------------------------------------------------------------------------------------------


class _Room:
    """What is known of the maps of one group."""

    def __init__(self) -> None:
        from studio.api.bundle import BundleWork

        self.maps: dict[Path, Map] = {}
        self.checked: dict[int, Findings] = {}
        self.bundles: BundleWork = BundleWork()

    def findings(self, map_: Map) -> Findings:
        """Return what the checks find on a map, found once."""
        if map_.serial not in self.checked:
            self.checked[map_.serial] = map_.check()
        return self.checked[map_.serial]


def work_on(group: Group, order: Order, begin: Callable[[int, str], None]) -> Iterator[Told]:
    """Do what is ordered with the files of a group; what goes wrong with one does not keep the others from it.

    Parameters
    ----------
    group : Group
    order : Order
    begin : callable
        Called with the place and the name of each file when it is begun.
    """
    room = _Room()
    for number, file in group.files:
        begin(number, file)
        try:
            yield _done(number, file, order, room)
        except (StudioError, OSError) as error:
            yield Told(number, file, tuple(unreadable(file, error)))
        except Exception as error:  # a fault of the studio itself; the other files are not to suffer from it
            yield Told(number, file, (crash(file, _said(error)),))


def _said(error: Exception) -> str:
    """Return what went wrong in the studio, and where."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(at.filename).name}, line {at.lineno})"


def crash(file: str, what: str) -> Finding:
    """Return the finding that the studio failed on a file."""
    from studio.checks import Finding

    message = f"the studio failed on this file: {what[:300]}"
    return Finding("error", file, "", "file", message, "report it with the file; the others were checked")


def _done(number: int, file: str, order: Order, room: _Room) -> Told:
    """Check one file and hand it over, as ordered."""
    from studio.api import open_map, open_scenario
    from studio.checks import Findings, check_scenario

    if is_scenario(file):
        scenario = open_scenario(file, recover_unsaved=False, maps=room.maps)
        map_, played = scenario.map, scenario._shown.survey
        own = check_scenario(scenario.document, map_.survey, scenario.ruleset, file=file, played=played)
        own += _compared(map_, file, order.lists)
        bundle, size = _handed_over(number, map_, scenario, Findings([*room.findings(map_), *own]), order, room)
        return Told(number, file, tuple(own), str(map_.path), tuple(room.findings(map_)), (), bundle, size)
    map_ = open_map(file, recover_unsaved=False)
    mended: tuple[Finding, ...] = ()
    if order.repair and (done := map_.repair()):
        map_.save()
        mended = tuple(done)
    room.maps.setdefault(Path(file).resolve(), map_)
    found = Findings([*room.findings(map_), *_compared(map_, file, order.lists)])
    bundle, size = _handed_over(number, map_, None, found, order, room)
    return Told(number, file, tuple(found), str(map_.path), (), mended, bundle, size)


def _compared(map_: Map, file: str, lists: str) -> Findings:
    """Return what lists of adjacent places say otherwise; where they cannot be read, that."""
    from studio.checks import Findings, check_lists

    if not lists:
        return Findings()
    try:
        return check_lists(map_.survey, map_.ruleset, lists, file=file)
    except (StudioError, OSError) as error:
        return unreadable(file, error)


def _handed_over(
    number: int, map_: Map, scenario: Scenario | None, found: Findings, order: Order, room: _Room
) -> tuple[str, int]:
    """Write the bundle of a document without errors; return its file and size, nothing where none is written."""
    from studio.api import export_bundle

    target = order.bundles.get(number, "")
    if not target or found.errors:
        return "", 0
    export_bundle(map_, scenario, Path(target), findings=found, work=room.bundles)
    return target, os.stat(target).st_size


def unreadable(file: str, error: Exception) -> Findings:
    """Return what is wrong with a file that cannot be opened, as findings."""
    from studio.checks import Finding, Findings

    if not isinstance(error, DocumentError):
        return Findings([Finding("error", file, "", "file", str(error), "name a map or a scenario of the studio")])
    # The scenario's map may be the broken file, so the place is the error's own.
    return Findings(
        Finding("error", error.file, fault.at or fault.path, "file", told(fault), remedy(fault))
        for fault in error.faults
    )

"""The commands that check documents and hand them over, many at once if need be."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.cli.batch import Group, Order, Told, bundle_names, groups_of, work_on
from studio.cli.common import FINE, FOUND, USAGE, Command, UsageError, check_folder, check_output, print_answer
from studio.cli.exchange import add_format_arguments, export_in_format, other_format
from studio.cli.processes import cores, in_processes
from studio.model import describe

if TYPE_CHECKING:
    from studio.checks import Findings

__all__ = ["add_checking_commands"]

STOPPED = 130
"""Exit code after Ctrl-C, as shells have it."""

MANY = 8
"""Files that are worth several processes when they are only checked; each process takes a second to begin."""

_DOCUMENTS = (".map.json", ".scenario.json")
_BESIDE = {
    ".geography.json": "it records how a map was made of geography",
    ".geography.toml": "it says how a map is made of geography; studio import makes it",
}
"""What lies beside documents and is none, by how it ends."""


class _Progress:
    """A bar on the error stream that names the file that was begun last; nothing where nobody watches."""

    def __init__(self, title: str, total: int) -> None:
        from tqdm import tqdm

        self.title, self.total, self.begun = title, total, 0
        self.bar: tqdm[Any] = tqdm(
            total=total, desc=title, file=sys.stderr, disable=not sys.stderr.isatty(), leave=False, unit="file"
        )

    def begin(self, _number: int, file: str) -> None:
        """Name a file."""
        self.begun += 1
        self.bar.set_description(f"{self.title} {self.begun} of {self.total}: {Path(file).name}")

    def done(self) -> None:
        """Count a file."""
        self.bar.update(1)

    def close(self) -> None:
        """Take the bar away."""
        self.bar.close()


# -- which files -------------------------------------------------------------------------------------------------------


def _documents(named: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return the documents that are meant, each once, and what is passed over with the reason: what lies beside them.

    A folder stands for its maps and scenarios.
    """
    files: list[str] = []
    passed: dict[str, str] = {}
    for name in named:
        path = Path(name)
        if path.is_dir():
            inside = sorted(one for one in path.iterdir() if one.name.endswith(_DOCUMENTS) and one.is_file())
            if not inside:
                msg = f"{name}: no map and no scenario in this folder; name another one, or files"
                raise UsageError(msg)
            files += [str(one) for one in inside if not one.name.startswith(".")]
        elif path.is_file() and (why := _no_document(path.name)):
            passed[name] = why
        else:
            files.append(name)
    return list(dict.fromkeys(files)), passed


def _no_document(name: str) -> str:
    """Return why a file is no document; empty where its name does not say so."""
    if Path(name).stem.upper() == "README":
        return "it is for people to read"
    return next((why for ending, why in _BESIDE.items() if name.endswith(ending)), "")


def _bundles(files: Sequence[str], folder: str) -> dict[int, str]:
    """Return the files that bundles are written to; their folder is made where its parent is there.

    Raises
    ------
    UsageError
        Naming the folder that cannot be, or two documents with bundles of one name.
    """
    target = Path(folder)
    names = bundle_names(files)
    if target.exists() and not target.is_dir():
        msg = f"{folder} is a file; name a folder for the bundles"
        raise UsageError(msg)
    if not target.exists():
        check_folder(target.absolute())
        target.mkdir()
    for name, file in zip(names, files, strict=True):
        check_output(str(target / name), file)
    return {number: str(target / name) for number, name in enumerate(names)}


# -- the work ----------------------------------------------------------------------------------------------------------


def _processes(args: argparse.Namespace, files: Sequence[str], export: str) -> int:
    """Return how many processes are worth it."""
    if args.jobs is not None:
        if args.jobs < 1:
            msg = f"--jobs: got {args.jobs}, allowed 1 or more"
            raise UsageError(msg)
        return min(int(args.jobs), len(files))
    worth = len(files) > 1 if export else len(files) >= MANY
    return min(cores(), len(files)) if worth else 1


def _work(files: Sequence[str], order: Order, processes: int, title: str) -> tuple[list[Told], bool]:
    """Return what came of the files, in the order in which they were named, and whether somebody stopped it."""
    results: list[Told] = []
    groups = groups_of(files, processes)
    progress = _Progress(title, len(files))

    def done(told: Told) -> None:
        results.append(told)
        progress.done()

    try:
        if min(processes, len(groups)) > 1:
            in_processes(groups, order, min(processes, len(groups)), progress.begin, done)
        else:
            _in_turn(groups, order, progress, done)
    except KeyboardInterrupt:
        return sorted(results, key=lambda told: told.number), True
    finally:
        progress.close()
    return sorted(results, key=lambda told: told.number), False


def _in_turn(groups: Iterable[Group], order: Order, progress: _Progress, done: Any) -> None:
    for group in groups:
        for told in work_on(group, order, progress.begin):
            done(told)


# -- what is told ------------------------------------------------------------------------------------------------------


def _with_maps(results: Sequence[Told]) -> list[tuple[Told, Findings]]:
    """Return all that is found about each file; what is found on a map is told once, with the map where it is named."""
    from studio.checks import Findings

    known = {told.map_key for told in results if not told.file.endswith(".scenario.json")}
    found = []
    for told in results:
        of_map = () if told.map_key in known else told.map_findings
        known.add(told.map_key)
        found.append((told, Findings([*of_map, *told.findings])))
    return found


def _tell(args: argparse.Namespace, results: list[Told], passed: list[str], total: int, *, stopped: bool) -> Findings:
    """Print what was found, file by file, and the sum of it; return the findings."""
    from studio.checks import Findings

    several = total > 1 or bool(args.export)
    lines, everything, entries, repaired = [], Findings(), [], Findings()
    for told, found in _with_maps(results):
        lines += [
            f"repaired: {one.file}: {one.at}: {one.message} [{one.rule}] {describe(one.repair)}"
            for one in told.repaired
            if one.repair is not None
        ]
        repaired += told.repaired
        everything += found
        lines += map(str, found)
        entry: dict[str, Any] = {"file": told.file, "errors": len(found.errors)}
        entry |= {"warnings": len(found.warnings), "notes": len(found.notes)}
        summary = f"{told.file}: {found.tally()}"
        if args.export:
            summary += f"; bundle: {told.bundle} ({told.size:,} bytes)" if told.bundle else "; not exported"
            entry |= {"bundle": told.bundle or None, "bytes": told.size}
        entries.append(entry)
        lines += [summary] if several else []
    mend = f", {len(repaired)} repaired" if args.repair else ""
    written = sum(bool(told.bundle) for told in results)
    handed = f", {written} bundle{'s' * (written != 1)} written" if args.export else ""
    count = f"{len(results)} file{'s' * (len(results) != 1)}" + (f" of {total}" if stopped else "")
    lines.append(f"{count} checked: {everything.tally()}{mend}{handed}")
    data: dict[str, Any] = {**everything.to_dict(), "files": entries}
    data |= {"repaired": repaired.to_dict()["findings"]} if args.repair else {}
    data |= {"skipped": passed} if passed else {}
    data |= {"stopped": True} if stopped else {}
    print_answer(data, "\n".join(lines), as_json=args.json)
    return everything


def _run(args: argparse.Namespace, title: str) -> int:
    """Check the files of a command line, and hand them over where it says so."""
    files, passed = _documents(args.files)
    for name, why in passed.items():
        print(f"skipped {name}: {why}, and is no map and no scenario", file=sys.stderr)
    if not files:
        msg = "no map and no scenario among the files; name some, or a folder with some"
        raise UsageError(msg)
    bundles = _bundles(files, args.export) if args.export else {}
    order = Order(bundles, args.lists or "", bool(args.repair), tuple(args.rules))
    # Mending writes maps that scenarios are checked on, one after the other.
    processes = 1 if args.repair else _processes(args, files, args.export)
    results, stopped = _work(files, order, processes, title)
    found = _tell(args, results, list(passed), len(files), stopped=stopped)
    if stopped:
        print(f"studio: stopped; {len(results)} of {len(files)} files are done", file=sys.stderr)
        return STOPPED
    if any(not Path(file).exists() for file in (*files, *([args.lists] if args.lists else []))):
        return USAGE
    return FOUND if found.errors else FINE


def _check(args: argparse.Namespace) -> int:
    return _run(args, "checking")


def _export(args: argparse.Namespace) -> int:
    format_ = other_format(args)
    if format_ is not None:
        return export_in_format(args, format_, _documents(args.files)[0])
    single = len(args.files) == 1 and not Path(args.files[0]).is_dir() and not Path(args.output).is_dir()
    if single and (args.output.endswith(".zip") or Path(args.output).suffix):
        return _export_one(args)
    if args.output.endswith(".zip"):
        msg = f"{args.output}: {len(args.files)} bundles need a folder, such as -o exports"
        raise UsageError(msg)
    args.export, args.lists, args.repair = args.output, None, False
    return _run(args, "exporting")


def _export_one(args: argparse.Namespace) -> int:
    """Hand one document over as a file that is named."""
    from studio.api import Map, export_bundle
    from studio.checks import Findings
    from studio.cli.common import open_document, progress_bar
    from studio.files.bundle import ExportError

    (file,) = args.files
    check_output(args.output, file)
    if not args.output.endswith(".bundle.zip"):
        name = Path(args.output).name.split(".")[0] or "NAME"
        msg = f"{args.output}: the file of a bundle is named NAME.bundle.zip, such as {name}.bundle.zip"
        raise UsageError(msg)
    document = open_document(file)
    map_, scenario = (document, None) if isinstance(document, Map) else (document.map, document)
    try:
        target = export_bundle(map_, scenario, Path(args.output), progress=progress_bar("sight table"))
    except ExportError as error:
        findings = Findings(error.findings)
        print_answer(findings.to_dict(), f"{findings}\nnothing was written: the checks found errors", as_json=args.json)
        return FOUND
    size = target.stat().st_size
    print_answer({"bundle": str(target), "bytes": size}, f"bundle: {target} ({size:,} bytes)", as_json=args.json)
    return FINE


def add_checking_commands(command: Command) -> None:
    """Add the commands that check documents and hand them over."""
    check = command("check", _check, "Check maps and scenarios, those of folders too.")
    check.add_argument("files", nargs="+", metavar="FILE")
    check.add_argument(
        "--lists",
        metavar="CSV",
        help="compare with lists of adjacent zones: columns zone, adjacent, neighbouring, targets",
    )
    check.add_argument("--repair", action="store_true", help="mend what has only one remedy, and write the maps")
    check.add_argument("--export", default="", metavar="DIR", help="write the bundles of all without errors there")
    check.add_argument("--jobs", type=int, default=None, metavar="N", help="processes at once; by default one a core")

    export = command("export", _export, "Check scenarios or maps and hand them over.")
    export.add_argument("files", nargs="+", metavar="FILE")
    add_format_arguments(export)
    export.add_argument(
        "-o", "--output", required=True, metavar="OUT", help="file to write, such as NAME.bundle.zip; a folder for many"
    )
    export.add_argument("--jobs", type=int, default=None, metavar="N", help="processes at once; by default one a core")

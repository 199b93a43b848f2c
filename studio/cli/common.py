"""What the commands share: opening documents, printing answers, reading ``name=value``, showing progress."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import Fault, StudioError

if TYPE_CHECKING:
    from studio.api import Map, Scenario

__all__ = [
    "FINE",
    "FOUND",
    "USAGE",
    "Command",
    "UsageError",
    "check_folder",
    "check_output",
    "given",
    "is_scenario",
    "name_value_pairs",
    "open_document",
    "option_pairs",
    "print_answer",
    "progress_bar",
    "remedy",
    "told",
    "wrapped",
]

FINE, FOUND, USAGE = 0, 1, 2
"""Exit codes: fine, findings of error, a command line that cannot be carried out."""

_HELD = "\0"  # stands for a space that no line may break at

Command = Callable[[str, Callable[[Any], int], str], Any]
"""Adds a command to the parser: its name, what runs it, what it does."""


class UsageError(StudioError, ValueError):
    """A command line that cannot be carried out."""


def print_answer(data: Any, text: str, *, as_json: bool) -> None:
    """Print an answer as JSON, or as text for people."""
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else text)


def wrapped(head: str, labels: Iterable[str]) -> str:
    """Return labels after a heading, set off by commas, in lines that break no label.

    Examples
    --------
    >>> wrapped("clear", ["25 roof", "0101"])
    'clear: 25 roof, 0101'
    >>> wrapped("clear", ["1, C", "2"])
    'clear: 1, C; 2'
    """
    listed = list(labels)
    mark = "; " if any("," in label for label in listed) else ", "
    text = f"{head}: {mark.join(label.replace(' ', _HELD) for label in listed) or 'none'}"
    lines = textwrap.fill(text, 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return lines.replace(_HELD, " ")


def progress_bar(title: str, form: str | None = None) -> Callable[..., None]:
    """Return a progress bar on the error stream, shown when people watch; it takes done, total and what is done now.

    Parameters
    ----------
    title : str
    form : str, optional
        What the bar says, in place of the numbers of what is counted; see ``bar_format`` of tqdm.
    """
    from tqdm import tqdm

    watched = sys.stderr.isatty()
    bar: tqdm[Any] = tqdm(desc=title, file=sys.stderr, disable=not watched, leave=False, bar_format=form)

    def show(done: int, total: int, now: str = "") -> None:
        bar.total = total
        if now:
            bar.set_description_str(f"{title}: {now}")  # shown at once, however quick the steps are
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return show


def is_scenario(file: str) -> bool:
    """Tell a scenario from a map by its name."""
    return file.endswith(".scenario.json")


def open_document(file: str) -> Map | Scenario:
    """Open a map or a scenario as its file holds it."""
    from studio.api import open_map, open_scenario

    return (open_scenario if is_scenario(file) else open_map)(file, recover_unsaved=False)


def check_output(output: str | None, source: str) -> None:
    """Refuse to write over a document of the studio, or where nothing can be written.

    Raises
    ------
    UsageError
        When the file to write is a document, the one that is read, or a folder, or when its folder does not exist.
    """
    if not output:
        return
    target = Path(output)
    if output.endswith((".map.json", ".scenario.json")) or target.resolve() == Path(source).resolve():
        msg = f"{output}: this would replace a document; name another file to write to"
        raise UsageError(msg)
    check_folder(target)
    if target.is_dir():
        msg = f"{output} is a folder; name a file to write to"
        raise UsageError(msg)


def check_folder(target: Path) -> None:
    """Refuse a file to write whose folder does not exist.

    Raises
    ------
    UsageError
        Naming the folder.
    """
    if not target.parent.is_dir():
        msg = f"{target}: there is no folder {target.parent}; make it first"
        raise UsageError(msg)


def name_value_pairs(pairs: Sequence[str], flag: str, example: str) -> dict[str, str]:
    """Read ``name=value`` pairs.

    Raises
    ------
    UsageError
        When one has no equals sign.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            msg = f"{flag} {pair!r}: write name=value, such as {example}"
            raise UsageError(msg)
        found[name] = value
    return found


def option_pairs(pairs: Sequence[str], flag: str = "--option") -> dict[str, Any]:
    """Read options; true, false and whole numbers are what they look like."""
    words: dict[str, Any] = {"true": True, "false": False}
    return {
        name: words.get(value.lower(), int(value) if re.fullmatch("-?[0-9]{1,9}", value) else value)
        for name, value in name_value_pairs(pairs, flag, "those that `studio rules` lists").items()
    }


def given(options: Mapping[str, Any]) -> str:
    """Return options as they are typed."""
    return ", ".join(f"{name}={str(v).lower() if isinstance(v, bool) else v}" for name, v in options.items())


def told(fault: Fault) -> str:
    """Return the message of a fault; the path in the document comes first where the place is not the path itself."""
    return f"{fault.path}: {fault.message}" if fault.at else fault.message


def remedy(fault: Fault) -> str:
    """Return the remedy of a fault in the words of the command line."""
    return fault.remedy.replace("studio.load_ruleset reads others", "--rules FILE.toml names any other file")

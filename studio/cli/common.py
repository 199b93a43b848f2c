"""What the commands share: opening documents, printing answers, reading ``name=value``, showing progress."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.api import Map, Scenario

__all__ = [
    "FINE",
    "FOUND",
    "USAGE",
    "Command",
    "UsageError",
    "check_output",
    "is_scenario",
    "name_value_pairs",
    "open_document",
    "option_pairs",
    "print_answer",
    "progress_bar",
]

FINE, FOUND, USAGE = 0, 1, 2
"""Exit codes: fine, findings of error, a command line that cannot be carried out."""

Command = Callable[[str, Callable[[Any], int], str], Any]
"""Adds a command to the parser: its name, what runs it, what it does."""


class UsageError(StudioError, ValueError):
    """A command line that cannot be carried out."""


def print_answer(data: Any, text: str, *, as_json: bool) -> None:
    """Print an answer as JSON, or as text for people."""
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else text)


def progress_bar(title: str) -> Callable[[int, int], None]:
    """Return a progress bar on the error stream, shown when people watch."""
    from tqdm import tqdm

    bar: tqdm[Any] = tqdm(desc=title, file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)

    def show(done: int, total: int) -> None:
        bar.total = total
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
    """Refuse to write over a document of the studio.

    Raises
    ------
    UsageError
        When the file to write is a document, or the one that is read.
    """
    if output and (
        output.endswith((".map.json", ".scenario.json")) or Path(output).resolve() == Path(source).resolve()
    ):
        msg = f"{output}: this would replace a document; name another file to write to"
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


def option_pairs(pairs: Sequence[str]) -> dict[str, Any]:
    """Read options; true, false and whole numbers are what they look like."""
    words: dict[str, Any] = {"true": True, "false": False}
    return {
        name: words.get(value.lower(), int(value) if re.fullmatch("-?[0-9]{1,9}", value) else value)
        for name, value in name_value_pairs(pairs, "--option", "those that `studio rules` lists").items()
    }

"""Migrations: how a document of an older version becomes one of today's, step by step, on plain dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from studio.model import MAP_FORMAT, SCENARIO_FORMAT

__all__ = ["MIGRATIONS", "Migration", "migrate", "oldest"]

Migration: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: dict[str, dict[int, Migration]] = {MAP_FORMAT: {}, SCENARIO_FORMAT: {}}
"""By format and old version: the function that makes the next version out of it. It may change its argument."""


def oldest(kind: str, newest: int) -> int:
    """Return the oldest version of a format that can still be read."""
    version = newest
    while version - 1 in MIGRATIONS.get(kind, {}):
        version -= 1
    return version


def migrate(plain: dict[str, Any], kind: str, version: int, newest: int) -> dict[str, Any]:
    """Bring a plain document to the newest version.

    Parameters
    ----------
    plain : dict
        The document as JSON holds it; it may be changed.
    kind : str
        Its format.
    version, newest : int
        The version that it has, and the one that is wanted.

    Returns
    -------
    dict

    Raises
    ------
    LookupError, TypeError, ValueError, AttributeError
        When the document is not even a sound one of its own version.
    """
    for old in range(version, newest):
        plain = MIGRATIONS[kind][old](plain)
        plain["version"] = old + 1
    return plain

"""The games: each a folder with its catalogue in TOML and its logic in small functions."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from studio.errors import DocumentError, Fault, UnknownNameError, nearest
from studio.rules.catalogue import Mover, OptionSpec, Terrain, halves
from studio.rules.own_file import check_file, own_faults
from studio.rules.ruleset import Ruleset

__all__ = [
    "OWN_SUFFIX",
    "Mover",
    "OptionSpec",
    "Ruleset",
    "Terrain",
    "get_ruleset",
    "halves",
    "load_ruleset",
    "ruleset_beside",
    "ruleset_ids",
]

_HERE = Path(__file__).parent

OWN_SUFFIX = ".ruleset.toml"
"""Ending of the file of a designer's own game that lies beside its maps, after the id of the game."""

_own: dict[str, Ruleset] = {}  # games that were read from files of one's own, by id


def ruleset_ids() -> list[str]:
    """Return the ids of the games that the studio knows."""
    return list(_shipped_ids())


@lru_cache(maxsize=1)
def _shipped_ids() -> tuple[str, ...]:
    # Asked for with every unit and hex that rules look at: the folders are read once.
    return tuple(sorted(path.parent.name for path in _HERE.glob("*/terrain.toml")))


def get_ruleset(ruleset_id: str) -> Ruleset:
    """Return the ruleset of a game: one that comes with the studio, or one that was loaded before.

    Parameters
    ----------
    ruleset_id : str
        Such as ``"armageddon_war"``.

    Raises
    ------
    UnknownNameError
        When the studio knows no such game.
    """
    if isinstance(ruleset_id, str) and ruleset_id in ruleset_ids():
        return _shipped(ruleset_id)
    if not isinstance(ruleset_id, str) or ruleset_id not in _own:
        msg = f"unknown ruleset {ruleset_id!r}; {nearest(str(ruleset_id), [*ruleset_ids(), *_own])}"
        raise UnknownNameError(msg)
    return _own[ruleset_id]


@lru_cache(maxsize=32)
def _shipped(ruleset_id: str) -> Ruleset:
    return Ruleset.read(_HERE / ruleset_id / "terrain.toml")


def load_ruleset(toml_path: str | os.PathLike[str]) -> Ruleset:
    """Read a ruleset from a TOML file of one's own.

    From then on maps that name its id can be opened, until the session ends.

    Raises
    ------
    DocumentError
        When the file is no TOML, or does not say what a ruleset must; all faults that can be told apart are listed.
    """
    path = Path(toml_path)
    check_file(path)
    ruleset = Ruleset.read(path)
    faults = list(own_faults(ruleset.catalogue, ruleset_ids()))
    if faults:
        raise DocumentError(str(path), faults)
    _own[ruleset.id] = ruleset
    return ruleset


def ruleset_beside(ruleset_id: str, folder: str | Path) -> Ruleset | None:
    """Read the ruleset whose file ``ID.ruleset.toml`` lies in the folder of a map; None where there is none.

    Raises
    ------
    DocumentError
        When the file is unsound, or that of another game.
    """
    if not re.fullmatch(r"\w[\w-]*", ruleset_id) or ruleset_id in ruleset_ids():
        return None  # an id comes out of a file: it must not lead out of the folder
    file = Path(folder) / f"{ruleset_id}{OWN_SUFFIX}"
    if not file.is_file():
        return None
    ruleset = load_ruleset(file)
    if ruleset.id != ruleset_id:
        message = f"got {ruleset.id!r}, and the file is named for {ruleset_id!r}"
        raise DocumentError(str(file), [Fault("$.id", message, "give the file the name of its id")])
    return ruleset

"""The games: each a folder with its catalogue in TOML and its logic in small functions."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from studio.errors import UnknownNameError, nearest
from studio.rules.ruleset import Mover, OptionSpec, Ruleset, Terrain, halves

__all__ = ["Mover", "OptionSpec", "Ruleset", "Terrain", "get_ruleset", "halves", "load_ruleset", "ruleset_ids"]

_HERE = Path(__file__).parent


def ruleset_ids() -> list[str]:
    """Return the ids of the games that the studio knows."""
    return sorted(path.parent.name for path in _HERE.glob("*/terrain.toml"))


@lru_cache(maxsize=32)
def get_ruleset(ruleset_id: str) -> Ruleset:
    """Return the ruleset of a game.

    Parameters
    ----------
    ruleset_id : str
        Such as ``"armageddon_war"``.

    Raises
    ------
    UnknownNameError
        When the studio knows no such game.
    """
    if not isinstance(ruleset_id, str) or ruleset_id not in ruleset_ids():
        msg = f"unknown ruleset {ruleset_id!r}; {nearest(str(ruleset_id), ruleset_ids())}"
        raise UnknownNameError(msg)
    return Ruleset.read(_HERE / ruleset_id / "terrain.toml")


def load_ruleset(toml_path: str | Path) -> Ruleset:
    """Read a ruleset from a TOML file of one's own.

    Raises
    ------
    DocumentError
        When the file is no TOML, or does not say what a ruleset must; all faults that can be told apart are listed.
    """
    return Ruleset.read(Path(toml_path))

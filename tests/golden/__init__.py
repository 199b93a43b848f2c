"""Golden explanations: what the studio says of chosen lines of sight, word for word, one text file a game.

A game is a module here, named as the game, with ``lines()``: title, map, the two labels, and keywords of ``Map.sight``.
``python -m tests.golden`` writes the files anew; read the difference before you keep it.
"""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from studio.api import Map
from studio.sight import PlacedContact, Sighting

__all__ = ["FOLDER", "Line", "games", "text_of", "written"]

FOLDER = Path(__file__).parent

Line = tuple[str, Map, str, str, dict[str, Any]]


def games() -> list[str]:
    """Return the games that have golden explanations."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith(("_", "test_")))


def text_of(game: str) -> str:
    """Return what the studio says now."""
    lines: Iterable[Line] = import_module(f"{__name__}.{game}").lines()
    parts = [f"# {game}: lines of sight and their reasons, as the studio explains them. Written by `make golden`.\n"]
    for title, map_, a, b, asked in lines:
        parts.append(f"\n== {title}\n{_told(map_.sight(a, b, **asked))}\n")
    return "".join(parts)


def written(game: str) -> Path:
    """Return the file that holds what was said."""
    return FOLDER / f"{game}.txt"


def _told(sighting: Sighting) -> str:
    contacts = "; ".join(map(_contact, sighting.contacts)) or "none"
    return f"{sighting}\n  contacts: {contacts}"


def _contact(contact: PlacedContact) -> str:
    at = contact.at if isinstance(contact.at, str) else " | ".join(contact.at)
    where = str(contact.enter) if contact.enter == contact.leave else f"{contact.enter} to {contact.leave}"
    return f"{at} {contact.how} {where}"

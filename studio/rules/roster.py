"""Rosters: the kinds of units of a game, read from the ``roster.toml`` beside its scenario module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from studio.errors import UnknownNameError, nearest
from studio.model import Formation

__all__ = ["UnitKind", "count_units", "read_roster", "unit_of"]


class UnitKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of unit, support weapon or marker; games add what their counters show.

    Attributes
    ----------
    id : str
        Such as ``us.rifle``.
    name : str
    kind : {"infantry", "vehicle", "air", "support_weapon", "marker"}
    role : str
        What it is in the game; its words are the game's.
    section : str
        Where the text tells of it.
    mover : str
        Way of moving; empty of what does not move by itself.
    transport : bool
        It can carry foot units.
    used_by : str
        Kind of unit that may use a support weapon; any when empty.
    stacks : bool
        It counts towards the stacking limit.
    movement, quantity, points : int
        Movement allowance, counters in the box, cost; 0 where the text gives none.
    """

    id: str = ""
    name: str
    kind: str
    role: str = ""
    section: str = ""
    mover: str = ""
    transport: bool = False
    used_by: str = ""
    stacks: bool = True
    movement: int = 0
    quantity: int = 0
    points: int = 0


K = TypeVar("K", bound=msgspec.Struct)


def read_roster(file: Path, kind: type[K]) -> dict[str, K]:
    """Return the entries of a roster by id: the name of their table, behind that of its group where there is one.

    Parameters
    ----------
    file : Path
    kind : type
        What an entry is.
    """
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    found = {}
    for group, entries in raw.items():
        alone = "name" in entries
        for name, entry in (
            ((group, entries),) if alone else ((f"{group}.{name}", one) for name, one in entries.items())
        ):
            found[name] = msgspec.convert({**entry, "id": name}, kind)
    return found


def unit_of(roster: Mapping[str, K], name: str) -> K:
    """Return one entry of a roster.

    Raises
    ------
    UnknownNameError
        When there is no such entry.
    """
    if name not in roster:
        msg = f"unknown unit type {name!r}; {nearest(name, roster)}"
        raise UnknownNameError(msg)
    return roster[name]


def count_units(roster: Mapping[str, UnitKind], formation: Formation) -> int:
    """Return how many counters of a formation are units: neither support weapons nor markers."""
    fighting = {"infantry", "vehicle", "air"}
    return sum(unit.count for unit in formation.units if unit.type in roster and roster[unit.type].kind in fighting)

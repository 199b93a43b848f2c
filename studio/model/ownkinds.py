"""Kinds of units of a designer's own, beside those of the roster of the game."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text

__all__ = ["OwnKind"]

Number = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class OwnKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of unit that a scenario brings along: new, or like one of the roster but for what is given here.

    Parameters
    ----------
    id : str
        As units name it in their ``type``; not that of a kind of the game.
    name : str
    like : str
        Kind of the game's roster that it is like; empty for one that is new.
    kind : {"", "infantry", "vehicle", "air", "support_weapon", "marker"}
        That of ``like`` when empty; ``infantry`` where there is none.
    role, mover, used_by : str
        As :class:`studio.rules.roster.UnitKind` has them; those of ``like`` when empty.
    transport, stacks : bool or None
    movement, quantity, points : int or None
        Those of ``like``, else those of a plain kind, when None.
    figures : dict of str to int
        What else its counter shows, such as ``attack``; figures that the game's own kinds have count as those.
    notes : str
    """

    id: Identifier
    name: Text
    like: str = ""
    kind: Literal["", "infantry", "vehicle", "air", "support_weapon", "marker"] = ""
    role: str = ""
    mover: str = ""
    used_by: str = ""
    transport: bool | None = None
    stacks: bool | None = None
    movement: Number | None = None
    quantity: Number | None = None
    points: Number | None = None
    figures: dict[Identifier, Annotated[int, msgspec.Meta(ge=-1000, le=100_000)]] = {}
    notes: Text = ""

"""What happens when: triggers, events, support from off the map, markers in the cup, periods such as day and night."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text
from studio.model.setup import SetUp

__all__ = ["CupMarker", "Dice", "Event", "ExtendedPlay", "Period", "Support", "Trigger"]

Turn = Annotated[int, msgspec.Meta(ge=0, le=10_000)]

_ROLL = r"[0-9]{0,3}[dD][0-9]{1,3}"
Dice = Annotated[
    str, msgspec.Meta(pattern=rf"^(-?[0-9]{{1,4}}|{_ROLL}( ?[+-] ?[0-9]{{1,4}})?|[0-9]{{1,4}} ?\+ ?{_ROLL})?$")
]
"""A number, or dice: ``2D6``, ``1D6+3``, ``8+1D6``."""


class Trigger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What makes something happen that has no fixed turn.

    Parameters
    ----------
    kind : {"roll", "initiative", "morale_check", "choice", "clause", "event", "table", "draw", "activation", "other"}
        A roll of ``dice`` for ``least`` or more; winning the initiative by ``least`` or more; a morale check passed;
        a choice of the side; a clause of the scenario that comes true, or an event that happens (both in ``of``);
        results of a random table (in ``of``); a marker drawn from the cup; an activation; anything else, in words.
    side : str
        Id of the force that rolls, wins, chooses or is activated.
    of : str
        Id of the clause, the event, the table, the marker in the cup or the formation.
    dice : str
    least : int
        Lowest result, or lowest difference.
    results : tuple of int
        Results of the table.
    first_turn, last_turn : int
        Turns (or activations) in which it can happen; 0 for no limit.
    automatic_turn : int
        Turn in which it happens if it has not before; 0 for none.
    each : {"turn", "casualty", "initiative", "once"}
        How often it is tried.
    delay : int
        Turns between the trigger and what it brings.
    text : str
        What no field says.
    """

    kind: Literal[
        "roll",
        "initiative",
        "morale_check",
        "choice",
        "clause",
        "event",
        "table",
        "draw",
        "activation",
        "other",
    ]
    side: str = ""
    of: str = ""
    dice: Dice = ""
    least: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    results: tuple[int, ...] = ()
    first_turn: Turn = 0
    last_turn: Turn = 0
    automatic_turn: Turn = 0
    each: Literal["turn", "casualty", "initiative", "once"] = "turn"
    delay: Turn = 0
    text: Text = ""


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that happens in a certain turn, or when something else does.

    Parameters
    ----------
    id : str
    name : str
    kind : {"allotment", "draw", "release", "rule", "support", "weather", "mobilisation", "victory", "other"}
    turn : int
        Turn (or activation) in which it happens first; 0 when ``when`` says it.
    last_turn : int
        Last turn in which it happens again; that of ``turn`` when 0.
    every : int
        It happens every so many turns up to ``last_turn``.
    when : Trigger or None
    side : str
        Id of the force that it is for; for everybody when empty.
    gives : dict of str to str
        What the side receives, with a number or dice: ``{"replacement_points": "5", "basij": "8+1D6"}``.
    most_units : int
        How many units may enter by it; 0 for all.
    once : bool
        It happens once a game.
    text : str
    """

    id: Identifier
    name: Text
    kind: Literal["allotment", "draw", "release", "rule", "support", "weather", "mobilisation", "victory", "other"] = (
        "other"
    )
    turn: Turn = 0
    last_turn: Turn = 0
    every: Turn = 1
    when: Trigger | None = None
    side: str = ""
    gives: dict[Identifier, Dice] = {}
    most_units: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    once: bool = False
    text: Text = ""


class Support(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Support from off the map: artillery, air strikes, rockets, guided munitions, smoke, mines that are fired.

    Parameters
    ----------
    id : str
    side : str
        Id of the force that has it; of nobody when empty.
    kind : {"artillery", "air_strike", "rockets", "guided", "smoke", "mines", "drone", "other"}
    name : str
        Name of its own, where the kind does not do.
    type : str
        Marker in the roster of the game, where it has one.
    missions : int
        How many there are.
    figures : dict of str to int
        Such as ``strength``, ``strength_beside``, ``accuracy`` (lowest roll that hits).
    first_turn, last_turn : int
        Turns (or activations) in which it can be used; 0 for no limit.
    when : Trigger or None
        What makes it available.
    target : SetUp or None
        Where it may fall.
    text : str
    """

    id: Identifier
    side: str = ""
    kind: Literal["artillery", "air_strike", "rockets", "guided", "smoke", "mines", "drone", "other"]
    name: Text = ""
    type: str = ""
    missions: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    figures: dict[Identifier, Annotated[int, msgspec.Meta(ge=-1000, le=1000)]] = {}
    first_turn: Turn = 0
    last_turn: Turn = 0
    when: Trigger | None = None
    target: SetUp | None = None
    text: Text = ""


class CupMarker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A marker that goes into the cup beside those of the formations.

    Parameters
    ----------
    id : str
    type : str
        Marker in the roster of the game.
    side : str
        Id of the force that it is for; of nobody when empty.
    count : int
    enters : {"start", "first_refill", "activation", "event"}
        When it goes into the cup.
    after : int
        Activation after which it does.
    event : str
        Id of the event with which it does.
    returns : bool
        It goes back into the cup when that is filled again.
    support : str
        Id of the support that it stands for.
    formation : str
        Id of the formation that it activates.
    text : str
        What happens when it is drawn.
    """

    id: Identifier
    type: Identifier
    side: str = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    enters: Literal["start", "first_refill", "activation", "event"] = "start"
    after: Turn = 0
    event: str = ""
    returns: bool = True
    support: str = ""
    formation: str = ""
    text: Text = ""


class Period(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Turns in which something holds, such as night.

    Parameters
    ----------
    id : str
    name : str
    first_turn, last_turn : int
    light : {"", "day", "dusk", "night", "dawn"}
    visibility : int
        Longest sight in hexes while it lasts; 0 for what holds otherwise.
    options : dict of str to str, bool or int
        Options of the ruleset that hold while it lasts.
    text : str
    """

    id: Identifier
    name: Text
    first_turn: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    last_turn: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    light: Literal["", "day", "dusk", "night", "dawn"] = ""
    visibility: Annotated[int, msgspec.Meta(ge=0)] = 0
    options: dict[str, str | bool | int] = {}
    text: Text = ""


class ExtendedPlay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Turns that may follow the last one.

    Parameters
    ----------
    turns : int
        Most extra turns.
    when : Trigger
        What decides it.
    """

    turns: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    when: Trigger

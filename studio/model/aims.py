"""What a scenario is about: objectives, conditions, who wins when, and notes to places."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text
from studio.model.setup import SetUp

__all__ = ["Clause", "Condition", "Objective", "PlaceNote", "Result"]


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that earns victory points, or that a side wins with.

    Parameters
    ----------
    id : str
    side : str
        Id of the force that earns the points.
    points : int
        Victory points each time; 0 of what only counts as reached or not.
    event : {"eliminate", "exit", "hold", "loot_and_exit", "capture", "destroy", "survive", "lose", "other"}
        ``hold`` counts at the end, ``capture`` at once and for good; ``survive`` is for units on the map at the end,
        the side's own unless ``of`` names others; ``lose`` for own units that are eliminated.
    unit_types : tuple of str
        Types of unit that it is about; of the enemy for ``eliminate`` and ``destroy``, else of the side's own.
    of : tuple of str
        Ids of units, formations or forces that it is about.
    hexes : tuple of str
        Hexes that it is about.
    terrain : tuple of str
        Terrain that it is about.
    edges : tuple of str
        Map edges that it is about.
    where : SetUp or None
        Hexes that it is about, where labels, terrain and edges do not say them.
    measure : {"each", "once", "casualty_points", "roster_points"}
        ``points`` for each unit or hex; once for all of them; or times the casualty points, or the points of the
        roster, of each unit.
    most : int or None
        Most points that it can earn.
    text : str
        The condition in words.
    """

    id: Identifier
    side: str
    points: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    event: Literal["eliminate", "exit", "hold", "loot_and_exit", "capture", "destroy", "survive", "lose", "other"]
    unit_types: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()
    where: SetUp | None = None
    measure: Literal["each", "once", "casualty_points", "roster_points"] = "each"
    most: int | None = None
    text: Text = ""


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition that others, results and triggers refer to.

    Parameters
    ----------
    id : str
    kind : {"all", "any", "not", "objectives", "points", "casualties", "eliminated", "exited", "turn", "other"}
        All, any or none of the clauses in ``parts``; at least ``count`` of the objectives in ``parts`` (all of
        them when 0); at least ``count`` victory points of a side; at least ``count`` casualty points lost by a side;
        at least ``count`` of the units, formations or forces in ``parts`` eliminated, or off the map (all when 0);
        the end of turn ``count``; anything else, in words.
    side : str
        Id of the force.
    parts : tuple of str
        Ids of clauses, objectives, or units, formations and forces.
    count : int
    text : str
    """

    id: Identifier
    kind: Literal["all", "any", "not", "objectives", "points", "casualties", "eliminated", "exited", "turn", "other"]
    side: str = ""
    parts: tuple[str, ...] = ()
    count: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    text: Text = ""


class Result(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A way in which a scenario ends.

    Parameters
    ----------
    side : str
        Id of the force that wins; empty for a draw.
    level : str
        Such as ``decisive``, ``major`` or ``minor``; empty where there is one kind of victory.
    when : str
        Id of the clause; empty where the points alone decide.
    least_points, most_points : int or None
        Victory points of the winner (or those of the one track that a game has), where they decide.
    immediate : bool
        It ends the game at once, not at the end of the last turn.
    text : str
    """

    side: str = ""
    level: Text = ""
    when: str = ""
    least_points: int | None = None
    most_points: int | None = None
    immediate: bool = False
    text: Text = ""


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wins when.

    Parameters
    ----------
    side : str
        Id of the force that wins; empty when the side with more points does.
    margin : int or None
        Wins with at least this many victory points more than the other side.
    otherwise : str
        Id of the force that wins if the condition is not met.
    printed_totals : dict of str to int
        Most points a side can earn, as printed.
    results : tuple of Result
        The ways in which it ends, the first that is true counts; where one side and a margin do not say it.
    text : str
    """

    side: str = ""
    margin: int | None = None
    otherwise: str = ""
    printed_totals: dict[str, int] = {}
    results: tuple[Result, ...] = ()
    text: Text = ""


class PlaceNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note to a hex, or to another place of the map, such as "reserves assemble here".

    Parameters
    ----------
    id : str
        Unique among the notes.
    at : str
        Label of the place.
    text : str
    side : str
        Id of the force that it is for; for everybody when empty.
    """

    id: Identifier
    at: str
    text: Text
    side: str = ""

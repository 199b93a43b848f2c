"""What a ruleset must offer so that the studio can answer questions about sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.sight.packed import PackedCodes
from studio.sight.sighting import Sighting
from studio.survey import Survey

__all__ = ["Conditions", "SightJudge", "SightRules"]


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for sight at the moment, beside the map: scenario rules and the kind of unit at each end.

    Parameters
    ----------
    smoke : iterable of int
        Numbers of locations (of hexes, their cells) with smoke, beside the smoke markers of the map.
    haze_step : int
        One point of the game's fire modifier for every so many hexes of range; 0 for none.
    visibility : int
        Longest sight in hexes; 0 for no limit.
    visibility_modifier : int
        Fire modifier beyond half the visibility.
    terrain_overrides : dict of str to str
        Terrain that counts as another one.
    surveillance : bool
        The side that looks sees every hex.
    from_air, to_air : bool
        The unit at the start, or at the end, is an air unit.
    from_kind, to_kind : str
        Kind of the unit at the start, or at the end, where the game has rules for it, such as ``"sniper"``.
    vehicles : iterable of int
        Numbers of the locations with a vehicle on them, for games in which vehicles stand in the way.
    opened : iterable of str
        Ids of the breaches that have been made, beside those that are open on the map.
    """

    smoke: frozenset[int] = frozenset()
    haze_step: int = 0
    visibility: int = 0
    visibility_modifier: int = 0
    terrain_overrides: dict[str, str] = {}
    surveillance: bool = False
    from_air: bool = False
    to_air: bool = False
    from_kind: str = ""
    to_kind: str = ""
    vehicles: frozenset[int] = frozenset()
    opened: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for field in ("smoke", "vehicles", "opened"):
            given = getattr(self, field)
            if not isinstance(given, frozenset):
                listed = given if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
                msgspec.structs.force_setattr(self, field, frozenset(listed))


class SightJudge(Protocol):
    """Answers questions about sight on one state of one map.

    Locations go by their numbers in the directory of the survey.
    """

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of one line."""
        ...

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the codes of all numbers as seen from one location, and how often each hindered one is hindered.

        Codes have the shape (len(directory),); (rows, columns) will do where all locations are hexes.
        """
        ...

    def table(
        self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.uint8] | PackedCodes | None:
        """Return the codes of all ordered pairs of locations, None where only fields of view can tell them."""
        ...


class SightRules(Protocol):
    """The ``sight`` module of a ruleset."""

    def judge(self, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> SightJudge:
        """Return a judge for the map as it is now."""
        ...

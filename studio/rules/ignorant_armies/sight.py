"""Sight in Ignorant Armies: there is none. Units fight what is next to them (10.1), so no rule asks who sees whom.

What the game asks of a distance is supply (12.0). Every question about sight, of one line, a field of view or a table,
by the API or on the command line, is answered here, by one error that says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from studio.errors import NoSightError
from studio.sight import Conditions
from studio.survey import Survey

__all__ = ["HAS_SIGHT", "judge"]

HAS_SIGHT = False
"""Nothing that goes with sight (tables in bundles, tools of the editor) is offered for this game."""


def judge(survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> NoReturn:
    """Refuse to judge lines of sight.

    Parameters
    ----------
    survey, options, conditions
        As for the judges of other games.

    Raises
    ------
    NoSightError
        Always; it names what the game has instead.
    """
    msg = (
        "Ignorant Armies has no lines of sight: units attack adjacent hexes only (10.1). "
        "What it has instead is supply, traced along paths to a source (12.0)"
    )
    raise NoSightError(msg)

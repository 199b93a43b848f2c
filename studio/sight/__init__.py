"""Lines of sight: what a line meets, the explained verdict, fields of view and tables; the rules come from a game."""

from studio.sight.protocol import Conditions, SightJudge, SightRules
from studio.sight.shadows import Directions, shadow_sweep
from studio.sight.sighting import Effect, Place, ProfileStep, Reason, Sighting, Status, place_of
from studio.sight.view import (
    ABSENT,
    BLOCKED,
    CLEAR,
    HINDERED,
    STATUSES,
    TABLE_LIMIT,
    FieldOfView,
    SightTable,
    make_table,
)

__all__ = [
    "ABSENT",
    "BLOCKED",
    "CLEAR",
    "HINDERED",
    "STATUSES",
    "TABLE_LIMIT",
    "Conditions",
    "Directions",
    "Effect",
    "FieldOfView",
    "Place",
    "ProfileStep",
    "Reason",
    "SightJudge",
    "SightRules",
    "SightTable",
    "Sighting",
    "Status",
    "make_table",
    "place_of",
    "shadow_sweep",
]

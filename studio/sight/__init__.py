"""Lines of sight: what a line meets, the explained verdict, fields of view and tables; the rules come from a game."""

from studio.sight.fast.shadows import Directions, shadow_sweep
from studio.sight.packed import PackedCodes
from studio.sight.protocol import Conditions, SightJudge, SightRules
from studio.sight.sighting import (
    Effect,
    Place,
    PlacedContact,
    ProfileStep,
    Reason,
    Sighting,
    Status,
    place_contact,
)
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
    "PackedCodes",
    "Place",
    "PlacedContact",
    "ProfileStep",
    "Reason",
    "SightJudge",
    "SightRules",
    "SightTable",
    "Sighting",
    "Status",
    "make_table",
    "place_contact",
    "shadow_sweep",
]

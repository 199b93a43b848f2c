"""Maps, scenarios, features, edits and history: typed records without files, pictures or rules."""

from studio.model.aims import Condition, Objective, PlaceNote
from studio.model.backdrop import Backdrop, ControlPoint
from studio.model.change import Change
from studio.model.documents import (
    MAP_FORMAT,
    MAP_VERSION,
    SCENARIO_FORMAT,
    SCENARIO_VERSION,
    Georeference,
    MapDocument,
    Plane,
    ScenarioDocument,
    Source,
    SpecialRules,
)
from studio.model.edits import Batch, Delete, Edit, Paint, Put, Resize, Restore, SetField, SetSide, describe
from studio.model.features import (
    Aperture,
    Area,
    Contour,
    Crest,
    Dot,
    Feature,
    Link,
    Marker,
    Name,
    Place,
    Point,
    Road,
    Wall,
    feature_kinds,
    feature_points,
    natural_key,
)
from studio.model.forces import Facing, Force, Formation, SetUp, UnitRecord, UnitStatus
from studio.model.history import History
from studio.model.mapmodel import LEVEL_LIMITS, MapModel, feature_cells, level_character
from studio.model.mapuse import MapUse
from studio.model.moved import Moved
from studio.model.scenariomodel import ScenarioModel
from studio.model.sheets import SURFACE, Sheet, layers_of, plain_sheet
from studio.model.sizing import Losses

__all__ = [
    "LEVEL_LIMITS",
    "MAP_FORMAT",
    "MAP_VERSION",
    "SCENARIO_FORMAT",
    "SCENARIO_VERSION",
    "SURFACE",
    "Aperture",
    "Area",
    "Backdrop",
    "Batch",
    "Change",
    "Condition",
    "Contour",
    "ControlPoint",
    "Crest",
    "Delete",
    "Dot",
    "Edit",
    "Facing",
    "Feature",
    "Force",
    "Formation",
    "Georeference",
    "History",
    "Link",
    "Losses",
    "MapDocument",
    "MapModel",
    "MapUse",
    "Marker",
    "Moved",
    "Name",
    "Objective",
    "Paint",
    "Place",
    "PlaceNote",
    "Plane",
    "Point",
    "Put",
    "Resize",
    "Restore",
    "Road",
    "ScenarioDocument",
    "ScenarioModel",
    "SetField",
    "SetSide",
    "SetUp",
    "Sheet",
    "Source",
    "SpecialRules",
    "UnitRecord",
    "UnitStatus",
    "Wall",
    "describe",
    "feature_cells",
    "feature_kinds",
    "feature_points",
    "layers_of",
    "level_character",
    "natural_key",
    "plain_sheet",
]

"""What a drawing means: the table of locations and the table of sides, kept up to date edit by edit."""

from studio.survey.areas import (
    cells_in_play,
    column_index,
    ground_in_play,
    hexes_between,
    hexes_on_edge,
    locations_in_play,
    numbers_called,
    on_edge,
    row_index,
)
from studio.survey.borders import Border, find_borders, ring_edges
from studio.survey.coverage import Coverage, Gap, Overlap, find_gaps, find_overlaps
from studio.survey.directory import ROAD_SUFFIX, Directory, Location, LocationKind, SurveyScheme
from studio.survey.named import FeaturePlaces
from studio.survey.reach import FAR, hexes_beside, hexes_from
from studio.survey.setups import Others, SetUpAreas, area_cells, names_a_place
from studio.survey.sheets import layer_numbers, sheet_numbers, sheets_at
from studio.survey.sides import (
    BORDER,
    OUTLINE,
    Joint,
    Side,
    Stretch,
    area_sides,
    default_joints,
    default_sides,
    hex_sides,
    link_joints,
    parts_by,
    road_joints,
)
from studio.survey.survey import NO_CONTOUR, Survey

__all__ = [
    "BORDER",
    "FAR",
    "NO_CONTOUR",
    "OUTLINE",
    "ROAD_SUFFIX",
    "Border",
    "Coverage",
    "Directory",
    "FeaturePlaces",
    "Gap",
    "Joint",
    "Location",
    "LocationKind",
    "Others",
    "Overlap",
    "SetUpAreas",
    "Side",
    "Stretch",
    "Survey",
    "SurveyScheme",
    "area_cells",
    "area_sides",
    "cells_in_play",
    "column_index",
    "default_joints",
    "default_sides",
    "find_borders",
    "find_gaps",
    "find_overlaps",
    "ground_in_play",
    "hex_sides",
    "hexes_beside",
    "hexes_between",
    "hexes_from",
    "hexes_on_edge",
    "layer_numbers",
    "link_joints",
    "locations_in_play",
    "names_a_place",
    "numbers_called",
    "on_edge",
    "parts_by",
    "ring_edges",
    "road_joints",
    "row_index",
    "sheet_numbers",
    "sheets_at",
]

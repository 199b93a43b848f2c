"""What a drawing means: the table of locations and the table of sides, kept up to date edit by edit."""

from studio.survey.areas import area_cells, cells_in_play, column_index, on_edge, row_index
from studio.survey.borders import Border, find_borders, ring_edges
from studio.survey.directory import ROAD_SUFFIX, Directory, Location, LocationKind, SurveyScheme
from studio.survey.survey import NO_CONTOUR, Survey

__all__ = [
    "NO_CONTOUR",
    "ROAD_SUFFIX",
    "Border",
    "Directory",
    "Location",
    "LocationKind",
    "Survey",
    "SurveyScheme",
    "area_cells",
    "cells_in_play",
    "column_index",
    "find_borders",
    "on_edge",
    "ring_edges",
    "row_index",
]

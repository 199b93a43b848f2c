"""What a drawing means: the table of locations and the table of sides, kept up to date edit by edit."""

from studio.survey.areas import area_cells, cells_in_play, column_index, on_edge, row_index
from studio.survey.survey import NO_CONTOUR, Survey

__all__ = ["NO_CONTOUR", "Survey", "area_cells", "cells_in_play", "column_index", "on_edge", "row_index"]

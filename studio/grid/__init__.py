"""Hex grids, labels and exact lines on an integer lattice; knows nothing of terrain."""

from studio.grid.fitting import Fit, FitError, Residual, apply_affine, fit_points
from studio.grid.hexgrid import DIRECTIONS, HALF, LINE_STEP, MAX_SIZE, STEP, Edge, HexGrid, Orientation, Stagger
from studio.grid.labels import Axis, Labels, LabelScheme, letters
from studio.grid.layout import FlatLayout
from studio.grid.lines import Contact, How, hex_line, line_template, sextant
from studio.grid.parts import QUARTERS, WHOLE, Part, PartIndex, plain_quarters, turned_quarters
from studio.grid.placing import Placing, joint_grid, place
from studio.grid.seams import borders, seams
from studio.grid.sheetlabels import NamedSheet, PrefixError, SheetLabels, bind_labels, prefixes_to_try

__all__ = [
    "DIRECTIONS",
    "HALF",
    "LINE_STEP",
    "MAX_SIZE",
    "QUARTERS",
    "STEP",
    "WHOLE",
    "Axis",
    "Contact",
    "Edge",
    "Fit",
    "FitError",
    "FlatLayout",
    "HexGrid",
    "How",
    "LabelScheme",
    "Labels",
    "NamedSheet",
    "Orientation",
    "Part",
    "PartIndex",
    "Placing",
    "PrefixError",
    "Residual",
    "SheetLabels",
    "Stagger",
    "apply_affine",
    "bind_labels",
    "borders",
    "fit_points",
    "hex_line",
    "joint_grid",
    "letters",
    "line_template",
    "place",
    "plain_quarters",
    "prefixes_to_try",
    "seams",
    "sextant",
    "turned_quarters",
]

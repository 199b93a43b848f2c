"""Hex grids, labels and exact lines on an integer lattice; knows nothing of terrain."""

from studio.grid.hexgrid import DIRECTIONS, HALF, LINE_STEP, MAX_SIZE, STEP, Edge, HexGrid, Orientation, Stagger
from studio.grid.labels import Axis, Labels, LabelScheme, letters
from studio.grid.layout import FlatLayout
from studio.grid.lines import Contact, How, hex_line, line_template, sextant

__all__ = [
    "DIRECTIONS",
    "HALF",
    "LINE_STEP",
    "MAX_SIZE",
    "STEP",
    "Axis",
    "Contact",
    "Edge",
    "FlatLayout",
    "HexGrid",
    "How",
    "LabelScheme",
    "Labels",
    "Orientation",
    "Stagger",
    "hex_line",
    "letters",
    "line_template",
    "sextant",
]

"""The edits that keep shared borders shared: pure functions from features to edits, one batch of which is one step.

Outlines, holes, walls, contours and drawn roads lie on the lattice; where two of them meet they share corners. An
edit of a corner therefore goes to everyone who has it, and what lies on a border goes along. Whole numbers and
fractions decide everywhere.
"""

from studio.model.topology.copying import copy_features, erase_features, with_parts
from studio.model.topology.fitting import fit
from studio.model.topology.laying import lay_area
from studio.model.topology.lines import join_lines, reverse_line, split_line
from studio.model.topology.merging import merge_areas
from studio.model.topology.moving import SnapTarget, belongings, lattice_weights, move_features, shifted, snap
from studio.model.topology.naming import label_fault, label_of, rename
from studio.model.topology.rings import Weights, area_fault
from studio.model.topology.splitting import split_area
from studio.model.topology.vertices import corners, delete_vertex, insert_vertex, move_vertex

__all__ = [
    "SnapTarget",
    "Weights",
    "area_fault",
    "belongings",
    "copy_features",
    "corners",
    "delete_vertex",
    "erase_features",
    "fit",
    "insert_vertex",
    "join_lines",
    "label_fault",
    "label_of",
    "lattice_weights",
    "lay_area",
    "merge_areas",
    "move_features",
    "move_vertex",
    "rename",
    "reverse_line",
    "shifted",
    "snap",
    "split_area",
    "split_line",
    "with_parts",
]

"""The edits that keep shared borders shared: pure functions from features to edits, one batch of which is one step.

Outlines, holes, walls, contours and drawn roads lie on the lattice; where two of them meet they share corners. An
edit of a corner therefore goes to everyone who has it, and what lies on a border goes along. Whole numbers and
fractions decide everywhere.
"""

from studio.model.topology.fitting import fit
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
    "corners",
    "delete_vertex",
    "fit",
    "insert_vertex",
    "label_fault",
    "label_of",
    "lattice_weights",
    "merge_areas",
    "move_features",
    "move_vertex",
    "rename",
    "shifted",
    "snap",
    "split_area",
]

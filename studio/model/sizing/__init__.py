"""Rows and columns added and removed at the edges of a map: everything that stays keeps its hex.

The new frame comes first, then what is drawn is carried into it: moved, cut at the new edge, or gone with its hexes.
"""

from studio.model.sizing.frames import crop_edit
from studio.model.sizing.resizing import Losses, ResizePlan, plan_resize, restored, state_of

__all__ = ["Losses", "ResizePlan", "crop_edit", "plan_resize", "restored", "state_of"]

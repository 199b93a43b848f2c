"""Tiles: one hex of a terrain as a picture of its own, for programs that put maps together from such pictures."""

from __future__ import annotations

import io

import numpy as np

from studio.draw.parts import Channel
from studio.draw.picture import DPI, new_figure
from studio.draw.plain import style_for
from studio.draw.style import Style
from studio.draw.terrain import draw_fills, draw_marks
from studio.grid import HexGrid, LabelScheme, Orientation
from studio.grid.raster import CORNERS
from studio.model import MapModel

__all__ = ["tile_png"]

_FINE = 4  # the outline is cut from a picture so many times as large, so that it is smooth


def tile_png(
    ruleset: str,
    terrain: str,
    width: int,
    height: int,
    *,
    orientation: Orientation = "flat",
    style: Style | None = None,
) -> bytes:
    """Return a hex of one terrain as a PNG, transparent around the hex; the same for the same terrain.

    Parameters
    ----------
    ruleset : str
        Id of the game.
    terrain : str
        Terrain id.
    width, height : int
        In pixels.
    orientation : {"flat", "pointy"}
    style : Style, optional
        That of the game otherwise.

    Raises
    ------
    StyleError
        When a style of one's own has no look for the terrain.
    """
    from PIL import Image, ImageDraw

    look = style or style_for(ruleset, [terrain])
    grid = HexGrid(columns=1, rows=1, orientation=orientation, hex_width=float(width), hex_height=float(height))
    subject = MapModel(ruleset, grid, LabelScheme(), {terrain: "."})
    figure = new_figure(width, height, look.lines.margin_color)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    px = float(height if orientation == "flat" else height * 3**0.5 / 2)
    cells = np.zeros(1, dtype=np.int64)
    # A bed runs on in its neighbours, and alone would be a pond: its tile is water all over.
    bed = any(isinstance(mark, Channel) for mark in look.look(terrain).marks)
    draw_fills(axes, subject, look, min(px, look.zoom.full - 1.0) if bed else px, cells)
    if not bed:
        draw_marks(axes, subject, look, px, px * 72 / DPI / 1000, cells)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    with Image.open(buffer) as drawn:
        picture = drawn.convert("RGBA").resize((width, height))
    middle = grid.reach
    corners = [grid.to_map(x + middle[0], y + middle[1]) for x, y in CORNERS[orientation]]
    mask = Image.new("L", (width * _FINE, height * _FINE), 0)
    ImageDraw.Draw(mask).polygon([(x * _FINE, y * _FINE) for x, y in corners], fill=255)
    picture.putalpha(mask.resize((width, height), Image.Resampling.BOX))
    line = Image.new("RGBA", (width * _FINE, height * _FINE), (0, 0, 0, 0))
    ring = [(x * _FINE, y * _FINE) for x, y in [*corners, corners[0]]]
    ImageDraw.Draw(line).line(ring, fill=look.lines.hex_color, width=_FINE + 2, joint="curve")
    picture.alpha_composite(line.resize((width, height), Image.Resampling.BOX))
    saved = io.BytesIO()
    picture.save(saved, format="PNG")
    return saved.getvalue()

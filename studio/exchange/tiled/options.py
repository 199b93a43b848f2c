"""What can be chosen when a Tiled map is written or read."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

import msgspec

from studio.exchange.content import Pictures
from studio.grid import LabelScheme

__all__ = ["TilePictures", "TiledOptions", "TiledReading"]


class TiledOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a Tiled map is written.

    Parameters
    ----------
    hex_px : float
        Height of a hex in pixels, about: Tiled takes even sizes only.
    tiles : {"atlas", "collection"}
        All terrains in one picture, or a picture each.
    labels : bool
        A layer with the label of every hex.
    levels : bool
        A layer with the level of every hex that is not at level 0.
    whole : bool
        The file carries the whole document along, so that reading it back loses nothing; without it, what the layers
        say is all there is.
    """

    hex_px: Annotated[float, msgspec.Meta(gt=0)] = 90.0
    tiles: Literal["atlas", "collection"] = "atlas"
    labels: bool = True
    levels: bool = True
    whole: bool = True


class TiledReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a Tiled map is read.

    Parameters
    ----------
    ruleset : str
        Game of a map that the studio did not write.
    mapping : dict of str to str
        What tiles mean: terrain by what the tile is called (its property, its class, the name of its picture without
        the ending, or ``TILESET:NUMBER``). An empty terrain stands for a tile that means nothing, so that the one below
        it counts.
    layers : tuple of str
        Tile layers that count, by name; all of them when empty.
    tile_property : str
        Property of tiles that names their terrain.
    labels : LabelScheme or None
        How the hexes of a map that the studio did not write are named; 0101 from the top left without it.
    title : str
    """

    ruleset: str = ""
    mapping: dict[str, str] = {}
    layers: tuple[str, ...] = ()
    tile_property: str = "terrain"
    labels: LabelScheme | None = None
    title: str = ""


class TilePictures(Pictures, Protocol):
    """Who draws tiles as well; other painters get plain ones."""

    def tile(self, terrain: str, width: int, height: int) -> bytes:
        """Draw a hex of one terrain as a PNG, transparent around the hex."""

"""What can be chosen when pictures are read."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.grid import LabelScheme, Orientation, Stagger
from studio.model import ControlPoint, MapDocument

__all__ = ["ColourReading", "HexesAt", "ScanReading", "VassalGrid"]


_Pixel = Annotated[float, msgspec.Meta(ge=-1e7, le=1e7)]
_Zeros = Annotated[int, msgspec.Meta(ge=0, le=20)]
_Offset = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]


class HexesAt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the hexes of a new map lie on a picture, upright.

    Parameters
    ----------
    columns, rows : int
    left, top : float
        Pixel of the corner of the box around the whole map.
    hex_width, hex_height : float
        Outer size of a hex in pixels.
    orientation : {"flat", "pointy"}
    stagger : {"odd", "even"}
    labels : LabelScheme
    """

    columns: Annotated[int, msgspec.Meta(ge=1, le=2000)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=2000)]
    left: _Pixel = 0.0
    top: _Pixel = 0.0
    hex_width: Annotated[float, msgspec.Meta(gt=0)]
    hex_height: Annotated[float, msgspec.Meta(gt=0)]
    orientation: Orientation = "flat"
    stagger: Stagger = "odd"
    labels: LabelScheme = LabelScheme()


class ColourReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a picture whose colours are terrain is read.

    Parameters
    ----------
    colours : dict of str to str
        Terrain by colour, such as ``{"#2e7d32": "dense_woods"}``; an empty terrain stands for a colour that means
        nothing, such as that of the lines between hexes.
    ruleset : str
        Game of a new map.
    title : str
    hexes : HexesAt or None
        Where the hexes of a new map lie.
    onto : MapDocument or None
        A map instead, whose scan has the size of the picture and control points.
    tolerance : int
        How far each of red, green and blue may be off, 0 to 255.
    stray : float
        Part of the pixels on hexes that may have colours that mean nothing, such as the edges between two colours.
    """

    colours: dict[str, str]
    ruleset: str = ""
    title: str = ""
    hexes: HexesAt | None = None
    onto: MapDocument | None = None
    tolerance: Annotated[int, msgspec.Meta(ge=0, le=255)] = 0
    stray: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0


class VassalGrid(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A hex grid as VASSAL has it, on the picture of a board.

    Parameters
    ----------
    dx, dy : float
        Pixels from one line of hexes to the next, and from hex to hex in a line.
    x0, y0 : float
        Pixel of the middle of the first hex; of pointy hexes (`sideways`) with x and y exchanged.
    sideways : bool
        Pointy hexes.
    columns, rows : int
        Hexes of the map; as many as have their middle on the picture when 0.
    across, along : str
        Kind of count of the lines, and of the hexes in a line: ``N`` numbers, ``A`` letters.
    across_leading, along_leading : int
        Zeros that may lead a number.
    across_offset, along_offset : int
        Added to the count.
    across_descending, along_descending : bool
    across_first : bool
    stagger : bool
        The lines that are shifted by half a hex count from one more.
    separator : str
    """

    dx: Annotated[float, msgspec.Meta(gt=1)]
    dy: Annotated[float, msgspec.Meta(gt=1)]
    x0: _Pixel = 0.0
    y0: _Pixel = 0.0
    sideways: bool = False
    columns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    rows: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    across: Literal["N", "A"] = "N"
    along: Literal["N", "A"] = "N"
    across_leading: _Zeros = 1
    along_leading: _Zeros = 1
    across_offset: _Offset = 0
    along_offset: _Offset = 0
    across_descending: bool = False
    along_descending: bool = False
    across_first: bool = True
    stagger: bool = False
    separator: Annotated[str, msgspec.Meta(max_length=20)] = ""


class ScanReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the picture of a printed map becomes the scan of one.

    Parameters
    ----------
    ruleset : str
        Game of a new map.
    title : str
    points : tuple of ControlPoint
        Which pixel is which place.
    columns, rows : int
        Size of a new map.
    orientation : {"flat", "pointy"}
    stagger : {"odd", "even"}
    labels : LabelScheme
    onto : MapDocument or None
        The map that the scan is laid under instead.
    vassal : VassalGrid or None
        The grid of a board of VASSAL on the picture, in place of points; of a ``.vmod`` it is read from its build file.
    board : str
        Name of the board of a ``.vmod``; its only one when empty.
    """

    ruleset: str = ""
    title: str = ""
    points: tuple[ControlPoint, ...] = ()
    columns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    rows: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    orientation: Orientation = "flat"
    stagger: Stagger = "odd"
    labels: LabelScheme = LabelScheme()
    onto: MapDocument | None = None
    vassal: VassalGrid | None = None
    board: str = ""

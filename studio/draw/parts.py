"""The parts of a style: what a TOML file of a look may hold, each with its bounds.

Lengths are thousandths of a hex's height where the name says nothing else; sizes inside a glyph are thousandths of the
mark's size.
"""

from typing import Annotated

import msgspec

__all__ = [
    "Bridge",
    "Channel",
    "Colour",
    "Crest",
    "Fields",
    "Layer",
    "Length",
    "Letters",
    "Levels",
    "Lines",
    "Part",
    "Patch",
    "Permille",
    "Pixels",
    "Recipe",
    "Road",
    "Rows",
    "Scatter",
    "Shift",
    "SideLine",
    "Stroke",
    "Terrain",
    "Verdict",
    "Zoom",
]

Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-fA-F]{6}$", description="a colour as #rrggbb")]
Ink = Annotated[str, msgspec.Meta(pattern="^(mark|#[0-9a-fA-F]{6})$", description="#rrggbb, or the mark's own colour")]
Permille = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Length = Annotated[int, msgspec.Meta(ge=0, le=4000)]
Shift = Annotated[int, msgspec.Meta(ge=-2000, le=2000)]
Pixels = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Span = tuple[Length, Length]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every part of a style: immutable, and a misspelt name is an error."""


class Zoom(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """From which height of a hex, in pixels, the detail appears."""

    marks: Pixels = 14
    full: Pixels = 28
    numbers: Pixels = 18


class Layer(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One stroke or fill of a glyph; all layers of one number are drawn before those of the next."""

    d: str
    fill: Ink | None = None
    stroke: Ink | None = None
    width: Length = 0
    tone: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    opacity: Permille = 1000
    shift: tuple[Shift, Shift] = (0, 0)
    from_px: Pixels = 0


class Patch(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The soft-edged ground of a terrain: it joins its like and draws back from other neighbours.

    A colour of its own may be calmer than the terrain's flat tint, for marks tell the terrains apart on it.
    """

    color: Colour | None = None
    inset: Permille = 60
    wobble: Permille = 25


class Scatter(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="scatter"):
    """Glyphs strewn over the hex on a jittered lattice that continues into the neighbours, unless it stands `alone`."""

    slots: Annotated[int, msgspec.Meta(ge=1, le=127)]
    glyphs: list[str]
    colors: list[Colour]
    jitter: Length = 60
    keep: Permille = 1000
    size: Span = (100, 100)
    turn: tuple[int, int] = (0, 0)
    edge: Length = 0
    thin: Length = 0
    alone: bool = False
    clear_road: Length = 0
    from_px: Pixels = 0


class Rows(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="rows"):
    """Glyphs in rows and files, turned along the road where one passes."""

    pitch: tuple[Annotated[int, msgspec.Meta(ge=60)], Annotated[int, msgspec.Meta(ge=60)]]
    glyphs: list[str]
    colors: list[Colour]
    jitter: Length = 0
    keep: Permille = 1000
    size: Span = (100, 100)
    angle: int = 0
    swing: Annotated[int, msgspec.Meta(ge=0, le=90)] = 0
    quarter: bool = False
    edge: Length = 60
    seam: Length = 40
    clear_road: Length = 0
    from_px: Pixels = 0


class Fields(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="fields"):
    """The hex parted into fields, each with rows of a crop."""

    colors: list[Colour]
    row_pitch: Annotated[int, msgspec.Meta(ge=20, le=500)] = 70
    row_width: Length = 16
    row_tone: int = -180
    from_px: Pixels = 0


class Stroke(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of the strokes that a channel is built of, widest first."""

    color: Colour
    width: Length
    opacity: Permille = 1000
    shift: tuple[Shift, Shift] = (0, 0)
    from_px: Pixels = 0


class Channel(Part, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="recipe", tag="channel"):
    """A bed through the hexes of one kind: water with banks, or a dry bed with hachured banks."""

    strokes: list[Stroke]
    bend: Length = 90
    hachure: Length = 0
    hachure_color: Colour = "#000000"
    hachure_width: Length = 12
    hachure_pitch: Annotated[int, msgspec.Meta(ge=20)] = 80
    hachure_from: Length = 0
    from_px: Pixels = 0


Recipe = Scatter | Rows | Fields | Channel


class Terrain(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one terrain looks.

    Attributes
    ----------
    outlined : bool
        Its hexes have an outline and a number.
    stands : bool
        In a side view, what hides there stands on the ground; False where the ground itself does.
    """

    title: str
    tint: Colour
    joins: list[str] = []
    patch: Patch | None = None
    marks: list[Recipe] = []
    bridged: bool = False
    outlined: bool = True
    stands: bool = True


class Levels(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tint per level, contour lines and the relief's light."""

    tints: dict[str, Colour]
    strength: Permille = 300
    contour: Colour
    contour_width: Length = 26
    inset: Length = 110
    light: Colour = "#ffffff"
    shade: Colour = "#000000"
    relief: Permille = 400


class Road(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A cased line."""

    casing: Colour
    fill: Colour
    casing_width: Length
    fill_width: Length
    dash: list[Length] = []
    centre: Colour | None = None
    centre_width: Length = 0
    centre_dash: list[Length] = []


class SideLine(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line on a hexside, dashed or not, with ticks of one of the known shapes; roads bridge a `bridged` one."""

    color: Colour
    width: Length
    dash: list[Length] = []
    halo: Colour | None = None
    halo_width: Length = 0
    tick: str = "none"
    tick_size: Length = 0
    tick_pitch: Annotated[int, msgspec.Meta(ge=40)] = 200
    bridged: bool = False


class Crest(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The stair-step line of a crest."""

    light: Colour
    shade: Colour
    width: Length
    opacity: Permille = 700


class Bridge(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The deck and the wing walls that carry a road over water."""

    color: Colour
    deck: Colour
    width: Length
    length: Length


class Lines(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The hexes' outline, the frame and everything drawn along lines."""

    hex_color: Colour
    hex_opacity: Permille
    hex_width: Length
    frame_color: Colour
    frame_width: Length
    margin_color: Colour
    roads: dict[str, Road]
    sides: dict[str, SideLine] = {}
    crest: Crest
    bridge: Bridge


class Letters(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fonts, sizes and places of what is written."""

    fonts: list[str]
    ink: Colour
    halo: Colour
    number_size: Length
    number_place: Shift
    number_opacity: Permille
    name_size: Length
    name_halo: Length
    name_fonts: list[str]
    name_ink: Colour


class Verdict(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one verdict or effect is shown: colour, and a second sign for readers without colour."""

    color: Colour
    line: str
    sign: str

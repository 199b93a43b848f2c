"""The parts of a style for what is drawn on the ground: areas, walls, openings, places, links and dots.

Tables are keyed by the type of the feature. A type without an entry of its own takes that whose name it holds
(``stone_structure`` looks like ``structure``), or else ``default``: `looked_up`.

Lengths are thousandths of a hex's height.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

import msgspec

from studio.draw.parts import Colour, Length, Part, Permille, Pixels, Shift

__all__ = [
    "ApertureLook",
    "AreaLook",
    "CloudLook",
    "Disc",
    "DotLook",
    "LinkLook",
    "Over",
    "PlaceLook",
    "SharedEdge",
    "TagSign",
    "Triangles",
    "WallLook",
    "looked_up",
]

Dash = tuple[Length, ...]
LookT = TypeVar("LookT")


def looked_up(table: Mapping[str, LookT], kind: str) -> LookT | None:
    """Return the look of a type: its own, or that of the longest name that the type's name holds, or ``default``.

    Examples
    --------
    >>> looked_up({"default": 0, "wall": 1, "low_wall": 2}, "old_low_wall")
    2
    >>> looked_up({"default": 0, "wall": 1}, "hedge")
    0
    """
    if kind in table:
        return table[kind]
    held = [name for name in table if name in kind]
    return table[max(held, key=len)] if held else table.get("default")


class TagSign(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The sign of a tag of an area or a place.

    Attributes
    ----------
    glyph, size : str, int
    place : (x, y)
        Where it stands from the dot; with `toward`, x along the way there and y to the right of it.
    toward : str
        Type of area whose nearest point it stands towards, such as the street that a door opens on.
    """

    glyph: str
    size: Length = 190
    place: tuple[Shift, Shift] = (0, 0)
    toward: str = ""


class Over(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is laid over a whole area, what stands in it included: a tint, a pattern."""

    fill: Colour | None = None
    opacity: Permille = 500
    pattern: Literal["none", "hatch", "cross", "dots", "slabs", "debris", "planks"] = "none"
    ink: Colour = "#000000"
    pitch: Annotated[int, msgspec.Meta(ge=40, le=4000)] = 150
    stroke: Length = 10


class Disc(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A disc at an area's dot with its number; `by_tag` gives areas with a tag other colours (fill, ink).

    It stands in a box of its own, where markers of control go, if `box` gives its size.
    """

    size: Length = 300
    box: Length = 0
    box_fill: Colour = "#ffffff"
    fill: Colour = "#ffffff"
    ink: Colour = "#1d1a17"
    edge: Colour = "#1d1a17"
    by_tag: dict[str, tuple[Colour, Colour]] = msgspec.field(default_factory=dict)


class SharedEdge(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The border that two areas of one type share, drawn once instead of both their edges; or borders of one kind."""

    color: Colour
    width: Length
    dash: Dash = ()


class AreaLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the areas of a type look.

    Attributes
    ----------
    fill, opacity : str, int
        The floor; no floor without a colour.
    pattern, ink, pitch, stroke : str, str, int, int
        Lines, dots, slabs or debris on the floor, their colour, distance and width.
    edge, width, dash : str, int, list of int
        The outline, drawn exactly as it stands in the map, for lines of sight are judged by it.
    casing, casing_width : str, int
        A wider line below the outline.
    shade : int
        Length of the shadow that a body casts to the south-east.
    slope : int
        Length of hachures that run down from the outline of higher ground into it.
    tint_level : bool
        The floor takes the tint of the area's level.
    rank : int
        Floors are painted from the lowest rank to the highest, outlines the other way round.
    under_grid : bool
        The outlines of the hexes are seen on it.
    triangles : bool
        Its hexes carry the triangle of its level.
    dot : str
        Colour of the dot that lines of sight go to; none is drawn without.
    name : {"none", "disc", "label", "text"}
        What is written of its name: the number in a disc at its dot, the name as small as a hex number below the dot,
        or the name large.
    over : Over
        What is laid over it and all that is in it, such as the tint of the underground.
    over_tags : dict of str to Over
        The same for areas with a tag, such as those out of play.
    tags : dict of str to TagSign
        Signs of tags, beside the dot.
    """

    title: str = ""
    fill: Colour | None = None
    opacity: Permille = 1000
    pattern: Literal["none", "hatch", "cross", "dots", "slabs", "debris", "planks"] = "none"
    ink: Colour = "#000000"
    pitch: Annotated[int, msgspec.Meta(ge=40, le=4000)] = 150
    stroke: Length = 10
    edge: Colour | None = None
    width: Length = 30
    dash: Dash = ()
    casing: Colour | None = None
    casing_width: Length = 0
    shared: SharedEdge | None = None
    shade: Length = 0
    slope: Length = 0
    tint_level: bool = False
    rank: int = 1
    under_grid: bool = True
    triangles: bool = False
    dot: Colour | None = None
    name: Literal["none", "disc", "label", "text"] = "none"
    disc: Disc = Disc()
    over: Over | None = None
    over_tags: dict[str, Over] = msgspec.field(default_factory=dict)
    tags: dict[str, TagSign] = msgspec.field(default_factory=dict)


class WallLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A wall drawn as a line of its own: a cased line, with blocks across it where `course` is given."""

    title: str = ""
    color: Colour
    width: Length
    casing: Colour | None = None
    casing_width: Length = 0
    course: Length = 0
    course_color: Colour = "#000000"
    shade: Length = 0


class ApertureLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An arrow out of a wall; dashed where it is not open yet, a cross with it where a whole wall can be opened."""

    title: str = ""
    color: Colour
    halo: Colour = "#ffffff"
    length: Length = 330
    width: Length = 46
    head: Length = 150
    cross: Length = 0


class PlaceLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The symbol of a place; a square grows a point towards the other end of links of the types in `points_to`.

    Attributes
    ----------
    shape : {"square", "box", "disc", "manhole", "dot", "tray", "exit"}
        A tray is a wide box with its title, an exit a sign with a point downwards.
    size, wide : int
        Height, and width where it is another.
    levels : bool
        The level is written beside it.
    tags : dict of str to TagSign
        Signs of tags.
    """

    title: str = ""
    shape: Literal["square", "box", "disc", "manhole", "dot", "tray", "exit"] = "disc"
    fill: Colour = "#ffffff"
    edge: Colour = "#1d1a17"
    ink: Colour = "#1d1a17"
    size: Length = 260
    wide: Annotated[int, msgspec.Meta(ge=0, le=20_000)] = 0
    width: Length = 22
    dot: Colour | None = None
    text: Literal["none", "letters", "name"] = "letters"
    levels: bool = False
    points_to: tuple[str, ...] = ()
    tags: dict[str, TagSign] = msgspec.field(default_factory=dict)


class CloudLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A marker that covers more than one location: the body that joins head and tail, and the tint of rooms in it."""

    fill: Colour = "#8d8d94"
    edge: Colour = "#4a4a50"
    opacity: Permille = 620


class LinkLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Two locations that belong together.

    Attributes
    ----------
    shape : {"arrow", "line", "twins", "ends", "target", "egress", "none"}
        An arrow (with two heads unless it is one-way), a line, the same sign at both ends (a door, a roof), a sign
        beside both dots with the letters of the link or the label of the other end (a way below the ground), a target
        symbol at the start with the numbers of all its ends, the numbers of the ends in their order, or nothing.
    place : (x, y)
        Where a target symbol or egress numbers stand from the dot of their location.
    glyph : str
        The sign of twins and ends; ends have none beside a marker of the link's type.
    """

    title: str = ""
    shape: Literal["arrow", "line", "twins", "ends", "target", "egress", "none"] = "line"
    color: Colour = "#4a4038"
    halo: Colour | None = None
    width: Length = 16
    dash: Dash = ()
    size: Length = 120
    place: tuple[Shift, Shift] = (0, 0)
    glyph: str = ""


class DotLook(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dots of hexes: those that the designer moved; with `beside` those that a drawn area or wall touches as well.

    With `every` all are drawn; `by_terrain` gives other colours.
    """

    color: Colour = "#2b2620"
    halo: Colour = "#ffffff"
    size: Length = 70
    every: bool = False
    beside: bool = False
    by_terrain: dict[str, Colour] = msgspec.field(default_factory=dict)
    from_px: Pixels = 24


class Triangles(Part, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Triangles beside the dots of hexes on other levels than 0, pointing up, or down below it."""

    colors: dict[str, Colour] = msgspec.field(default_factory=dict)
    size: Length = 130
    place: tuple[Shift, Shift] = (-250, -300)
    from_px: Pixels = 24

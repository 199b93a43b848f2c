"""What a designer draws on a map beside terrain, levels and hexsides: one small record a feature, each with an id."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

import msgspec

__all__ = [
    "Aperture",
    "Area",
    "Contour",
    "Crest",
    "Dot",
    "Feature",
    "Link",
    "Marker",
    "Name",
    "Place",
    "Point",
    "Road",
    "Wall",
    "feature_kinds",
    "feature_points",
    "natural_key",
    "relabelled",
]

Point: TypeAlias = tuple[int, int]
"""A point of the lattice, x to the right and y down."""

Identifier = Annotated[str, msgspec.Meta(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]*$")]
Text = Annotated[str, msgspec.Meta(max_length=20_000)]


class Road(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="road", tag_field="kind"):
    """A road through hex centres.

    Parameters
    ----------
    id : str
    path : tuple of str
        Labels of adjacent hexes, in order. A road that ends in a hex of the map's edge leaves the map there.
    surface : {"paved", "unpaved"}
    name : str
    line : tuple of (x, y)
        The road as drawn, where it does not run through the centres of its hexes; empty where it does.
    """

    id: Identifier
    path: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    surface: Literal["paved", "unpaved"] = "paved"
    name: Text = ""
    line: tuple[Point, ...] = ()


class Crest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="crest", tag_field="kind"):
    """A crest line along a run of adjacent hexes, given by their labels."""

    id: Identifier
    path: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    name: Text = ""


class Contour(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="contour", tag_field="kind"):
    """A contour line drawn by hand: the ground on its higher side has at least this level.

    Parameters
    ----------
    id : str
    level : int
        Level of the higher side.
    line : tuple of (x, y)
        Points of the lattice; a closed contour repeats its first point at the end.
    """

    id: Identifier
    level: Annotated[int, msgspec.Meta(ge=-20, le=100)]
    line: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2)]


class Name(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="name", tag_field="kind"):
    """A place name.

    Parameters
    ----------
    id : str
    text : str
        Shown as it is, whatever it holds.
    at : (x, y)
        Middle of the text on the lattice.
    size : float
        Height of the letters in hex heights.
    angle : float
        Degrees, counter-clockwise.
    """

    id: Identifier
    text: Text
    at: Point
    size: Annotated[float, msgspec.Meta(gt=0, le=20)] = 0.35
    angle: Annotated[float, msgspec.Meta(ge=-360, le=360)] = 0.0


class Marker(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="marker", tag_field="kind"):
    """A marker on a location, such as smoke or a wreck.

    Parameters
    ----------
    id : str
    type : str
        A marker of the ruleset.
    at : str
        Label of the location.
    also : tuple of str
        Labels of further locations that it covers, such as the tail of a cloud.
    """

    id: Identifier
    type: Identifier
    at: str
    also: tuple[str, ...] = ()


Ring: TypeAlias = Annotated[tuple[Point, ...], msgspec.Meta(min_length=3)]
"""The corners of a polygon in order; the first is not repeated."""


class Area(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="area", tag_field="kind"):
    """A drawn area: a structure or a hill inside hexes, a building and its rooms, a zone, a street section.

    Parameters
    ----------
    id : str
    type : str
        An area type of the ruleset; some types are locations, others are only drawn.
    outline : tuple of (x, y)
        Corners on the lattice in order, the first not repeated. Areas that share a border share its corners.
    holes : tuple of tuple of (x, y)
    name : str
        Label of the location, or what is written on the area.
    dot : (x, y) or None
        Point that lines of sight go to; None for a point well inside.
    level : int
        Level of its top (structures, hills) or of its floor (rooms, zones), as the game counts it.
    within : str
        Id of the area that it is part of, such as the building of a room.
    tags : tuple of str
        What else the game needs to know of it, such as ``fortified``.
    """

    id: Identifier
    type: Identifier
    outline: Ring
    holes: tuple[Ring, ...] = ()
    name: Text = ""
    dot: Point | None = None
    level: Annotated[int, msgspec.Meta(ge=-20, le=100)] = 0
    within: str = ""
    tags: tuple[Identifier, ...] = ()


class Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="place", tag_field="kind"):
    """A location with a dot and no outline of its own: a roof, a box of a zone, a reinforcement box.

    Parameters
    ----------
    id : str
    type : str
        A place type of the ruleset.
    name : str
        Label of the location.
    at : (x, y)
        Its dot on the lattice.
    within : str
        Id of the area that it belongs to.
    level : int
    tags : tuple of str
    """

    id: Identifier
    type: Identifier
    name: Annotated[Text, msgspec.Meta(min_length=1)]
    at: Point
    within: str = ""
    level: Annotated[int, msgspec.Meta(ge=-20, le=100)] = 0
    tags: tuple[Identifier, ...] = ()


class Wall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="wall", tag_field="kind"):
    """A wall that is drawn as a line of its own, not along hexsides.

    Parameters
    ----------
    id : str
    type : str
        A wall type of the ruleset.
    line : tuple of (x, y)
        Points of the lattice; a closed wall repeats its first point at the end.
    name : str
    """

    id: Identifier
    type: Identifier
    line: Annotated[tuple[Point, ...], msgspec.Meta(min_length=2)]
    name: Text = ""


class Aperture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="aperture", tag_field="kind"):
    """An opening in a wall, or a place where one can be made, with its arc of fire.

    Parameters
    ----------
    id : str
    type : str
        An aperture type of the ruleset, such as a door or a breach.
    at : (x, y)
        Where it is on the wall.
    into : str
        Label of the location that it belongs to.
    arrows : tuple of tuple of str
        The arc of fire, one or two arrows. An arrow with one label is the row of hexes that begins with that hex; one
        with the labels of two adjacent hexes runs along their common side. Each leads away from ``at``.
    open : bool
        False for a breach that has not been made yet.
    """

    id: Identifier
    type: Identifier
    at: Point
    into: str
    arrows: Annotated[tuple[tuple[str, ...], ...], msgspec.Meta(max_length=2)] = ()
    open: bool = True


class Link(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="link", tag_field="kind"):
    """Two locations that belong together: an arrow between boxes, stairs, a line of fire, an egress route.

    Parameters
    ----------
    id : str
    type : str
        A link type of the ruleset.
    a, b : str
        Labels of the locations.
    one_way : bool
        Holds from a to b only.
    order : int
        Rank among the links of its type from a, such as the priority of an egress route.
    text : str
        What is written at it.
    """

    id: Identifier
    type: Identifier
    a: str
    b: str
    one_way: bool = False
    order: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    text: Text = ""


class Dot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="dot", tag_field="kind"):
    """The dot of a hex where it is not in the middle.

    Parameters
    ----------
    id : str
    at : str
        Label of the hex.
    point : (x, y)
        On the lattice, inside the hex.
    """

    id: Identifier
    at: str
    point: Point


Feature: TypeAlias = Road | Crest | Contour | Name | Marker | Area | Place | Wall | Aperture | Link | Dot


def feature_kinds() -> list[str]:
    """Return the kinds of feature that the model knows."""
    return ["road", "crest", "contour", "name", "marker", "area", "place", "wall", "aperture", "link", "dot"]


def feature_points(feature: Feature) -> list[tuple[str, Point]]:
    """Return the lattice points of a feature, each with the path of its field, such as ``line[2]``.

    Examples
    --------
    >>> feature_points(Name(id="n", text="Quneitra", at=(5, 7)))
    [('at', (5, 7))]
    """

    def several(field: str, points: tuple[Point, ...]) -> list[tuple[str, Point]]:
        return [(f"{field}[{number}]", point) for number, point in enumerate(points)]

    match feature:
        case Name() | Place() | Aperture():
            return [("at", feature.at)]
        case Dot():
            return [("point", feature.point)]
        case Contour() | Wall() | Road():
            return several("line", feature.line)
        case Area():
            found = several("outline", feature.outline)
            for number, hole in enumerate(feature.holes):
                found += several(f"holes[{number}]", hole)
            return found if feature.dot is None else [*found, ("dot", feature.dot)]
    return []


def relabelled(feature: Feature, rename: Callable[[str], str]) -> Feature:
    """Return a feature with the labels of hexes in it renamed.

    Parameters
    ----------
    feature : Feature
    rename : callable
        Gives the new text of a label; of one that is no hex, the same.
    """
    match feature:
        case Road() | Crest():
            return msgspec.structs.replace(feature, path=tuple(map(rename, feature.path)))
        case Marker():
            return msgspec.structs.replace(feature, at=rename(feature.at), also=tuple(map(rename, feature.also)))
        case Dot():
            return msgspec.structs.replace(feature, at=rename(feature.at))
        case Aperture():
            arrows = tuple(tuple(map(rename, arrow)) for arrow in feature.arrows)
            return msgspec.structs.replace(feature, into=rename(feature.into), arrows=arrows)
        case Link():
            return msgspec.structs.replace(feature, a=rename(feature.a), b=rename(feature.b))
    return feature


@lru_cache(maxsize=1 << 16)
def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts ``road-2`` before ``road-10``.

    Examples
    --------
    >>> sorted(["road-10", "road-2"], key=natural_key)
    ['road-2', 'road-10']
    """
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"([0-9]+)", text) if part)

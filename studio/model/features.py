"""What a designer draws on a map beside terrain, levels and hexsides: one small record a feature, each with an id."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

__all__ = ["Contour", "Crest", "Feature", "Marker", "Name", "Point", "Road", "feature_kinds", "natural_key"]

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
    """

    id: Identifier
    path: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    surface: Literal["paved", "unpaved"] = "paved"
    name: Text = ""


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
    """A marker in a hex, such as smoke or a wreck; ``type`` is a marker of the ruleset."""

    id: Identifier
    type: Identifier
    at: str


Feature: TypeAlias = Road | Crest | Contour | Name | Marker


def feature_kinds() -> list[str]:
    """Return the kinds of feature that the model knows."""
    return ["road", "crest", "contour", "name", "marker"]


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts ``road-2`` before ``road-10``.

    Examples
    --------
    >>> sorted(["road-10", "road-2"], key=natural_key)
    ['road-2', 'road-10']
    """
    import re

    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"([0-9]+)", text) if part)

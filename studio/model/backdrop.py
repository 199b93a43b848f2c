"""A scan under the map: which picture, which of its pixels is which place of the map, how it is shown.

Where the picture lies is not written down: it follows from the control points each time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Annotated, Literal, NamedTuple

import msgspec

from studio.errors import EditError
from studio.model.features import Point, Text

__all__ = [
    "MAX_POINTS",
    "MAX_SIDE",
    "Backdrop",
    "BackdropFault",
    "ControlPoint",
    "backdrop_faults",
    "check_backdrop",
    "moved_backdrop",
    "new_point_name",
]

MAX_POINTS = 200
"""Most control points of one picture."""
MAX_SIDE = 100_000
"""Most pixels of a picture either way."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Side = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIDE)]


class ControlPoint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One place of the map and where it is on the picture.

    Parameters
    ----------
    name : str
        Its own among the points, such as ``1``.
    pixel : tuple of 2 floats
        x to the right and y down, in pixels of the picture; (0, 0) is the outer corner of its first pixel.
    at : str
        Label of a hex or another location, whose dot it is; empty where ``point`` says the place.
    point : tuple of 2 ints or None
        The place on the lattice, such as the corner of a hex.
    """

    name: Name
    pixel: tuple[float, float]
    at: Text = ""
    point: Point | None = None

    @property
    def place(self) -> str:
        """The place in words."""
        return self.at or (f"{self.point[0]}, {self.point[1]}" if self.point else "nowhere")


class Backdrop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A scan or photograph of a printed map that lies under the drawing, or over its ground.

    Parameters
    ----------
    file : str
        Path of the picture, relative to the map's own file, with ``/`` between the parts.
    sha256 : str
        Of the picture's file, in hexadecimal; another one is a changed picture. Empty where it is not known.
    size : tuple of 2 ints
        Width and height in pixels, to which the control points refer.
    points : tuple of ControlPoint
    opacity : float
        How strongly the picture shows against the tints of the terrain, 0 to 1.
    layer : {"over", "under"}
        Over the ground, which shines through; or under it, where signs and hexsides stay as strong as they are.
    visible : bool
    locked : bool
        Control points stay where they are.
    """

    file: Text
    sha256: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    size: tuple[Side, Side]
    points: Annotated[tuple[ControlPoint, ...], msgspec.Meta(max_length=MAX_POINTS)] = ()
    opacity: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    layer: Literal["over", "under"] = "over"
    visible: bool = True
    locked: bool = False

    def point(self, name: str) -> ControlPoint | None:
        """Return the control point with a name, None without one."""
        return next((point for point in self.points if point.name == name), None)


class BackdropFault(NamedTuple):
    """What cannot be in a backdrop: the field, what was got and what is allowed, the remedy."""

    field: str
    message: str
    remedy: str


def backdrop_faults(backdrop: Backdrop) -> Iterator[BackdropFault]:
    """Yield what is wrong with a backdrop in itself; labels that no place has are a matter for the checks."""
    name = backdrop.file
    if not name.strip() or any(ord(letter) < 32 for letter in name) or len(name) > 4000:
        remedy = "name the picture's file, such as scan.jpg"
        yield BackdropFault("file", f"got {name[:60]!r}, allowed is the path of a picture", remedy)
    if not math.isfinite(backdrop.opacity):
        yield BackdropFault("opacity", f"got {backdrop.opacity}, allowed 0 to 1", "give a number")
    wide, high = backdrop.size
    seen: dict[str, int] = {}
    for number, point in enumerate(backdrop.points):
        where = f"points[{number}]"
        if point.name in seen:
            message = f"the name {point.name!r} is taken by points[{seen[point.name]}]"
            yield BackdropFault(f"{where}.name", message, "give each point a name of its own")
        seen.setdefault(point.name, number)
        x, y = point.pixel
        if not (0 <= x <= wide and 0 <= y <= high):
            message = f"point {point.name}: got pixel {x:g}, {y:g}, allowed 0 to {wide} and 0 to {high}"
            yield BackdropFault(f"{where}.pixel", message, "set the point on the picture")
        if (point.point is None) == (point.at == ""):
            got = "neither" if point.point is None else "both"
            message = f"point {point.name}: got {got} of a label and a lattice point, allowed is one of them"
            yield BackdropFault(where, message, 'give at="0101", or point=(x, y)')
        elif point.point is not None and max(map(abs, point.point)) > 10_000_000:
            message = f"point {point.name}: {point.point} lies off every map"
            yield BackdropFault(f"{where}.point", message, "positions are in lattice units")


def check_backdrop(backdrop: Backdrop) -> None:
    """Refuse a backdrop that cannot be.

    Raises
    ------
    EditError
        Naming the first fault and its remedy.
    """
    for fault in backdrop_faults(backdrop):
        msg = f"backdrop: {fault.field}: {fault.message}; {fault.remedy}"
        raise EditError(msg)


def moved_backdrop(
    backdrop: Backdrop,
    *,
    rename: Callable[[str], str] | None = None,
    move: Callable[[Point], Point] | None = None,
) -> Backdrop:
    """Return a backdrop whose points keep their places where hexes get other labels, or lie elsewhere on the lattice.

    Parameters
    ----------
    backdrop : Backdrop
    rename : callable, optional
        Gives the new label of a place.
    move : callable, optional
        Gives the new lattice point of an old one.
    """
    points = tuple(
        msgspec.structs.replace(
            point,
            at=rename(point.at) if rename and point.at else point.at,
            point=move(point.point) if move and point.point is not None else point.point,
        )
        for point in backdrop.points
    )
    return backdrop if points == backdrop.points else msgspec.structs.replace(backdrop, points=points)


def new_point_name(backdrop: Backdrop) -> str:
    """Return the first number that names no control point yet."""
    taken = {point.name for point in backdrop.points}
    return next(str(number) for number in range(1, MAX_POINTS + 2) if str(number) not in taken)

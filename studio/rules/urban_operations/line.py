"""The geometry of one line in Urban Operations: its two ends, what it meets, and what lies right in front of an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from studio.grid import Contact
from studio.model import Point
from studio.rules.urban_operations.scene import HEX, ROOF, ROOM, Body, Building, Scene
from studio.sight.trace import AreaContact, LineContact, area_contacts, hex_trace, line_contacts

__all__ = ["End", "Line", "Span", "hex_length", "inside_span", "outside"]

_START, _END = Fraction(0), Fraction(1)

_C = TypeVar("_C", AreaContact, LineContact)

Span = tuple[Fraction, Fraction]
"""A stretch of a line, from 0 at its start to 1 at its end."""


class End(NamedTuple):
    """One end of a line."""

    number: int
    label: str
    kind: int
    level: int
    dot: Point
    building: int
    under: bool

    @classmethod
    def of(cls, scene: Scene, number: int) -> End:
        """Return what matters of a location as an end of a line."""
        return cls(
            number,
            scene.label(number),
            int(scene.kind[number]),
            int(scene.level[number]),
            scene.directory.dot(number),
            int(scene.building[number]),
            bool(scene.under[number]),
        )


def hex_length(a: Point, b: Point, *, flat: bool) -> Fraction:
    """Return the length of a lattice vector in hexes: of one between two centres their distance.

    Examples
    --------
    >>> print(hex_length((0, 0), (720, 240), flat=True), hex_length((0, 0), (1440, 0), flat=True))
    1 2
    """
    (dx, dy) = (b[0] - a[0], b[1] - a[1]) if flat else (b[1] - a[1], b[0] - a[0])
    q, r = 2 * dx, 3 * dy - dx
    return Fraction(max(abs(q), abs(r), abs(q + r)), 1440)


def inside_span(contacts: tuple[AreaContact, ...], *, last: bool) -> Span | None:
    """Return the stretch inside an area that holds the start of a line (or its end), None when the area does not."""
    found = [contact for contact in contacts if contact.how == "through"]
    if not found:
        return None
    chosen = found[-1] if last else found[0]
    holds = chosen.leave == _END if last else chosen.enter == _START
    return (chosen.enter, chosen.leave) if holds else None


def outside(span: Span, built: Sequence[Span]) -> list[Span]:
    """Return what is left of a stretch when others are taken out of it."""
    left = [span]
    for low, high in built:
        pieces = [((a, min(b, low)), (max(a, high), b)) for a, b in left]
        left = [(a, b) for pair in pieces for a, b in pair if a < b]
    return left


class Line:
    """The line between two locations, or the part before `stop` of one that is drawn on beyond its target.

    Parameters
    ----------
    scene : Scene
    start, end : End
    stop : (point, Fraction), optional
        Point that the line is drawn to instead of the dot of its end, and where along it the end's hex begins.
    """

    def __init__(self, scene: Scene, start: End, end: End, stop: tuple[Point, Fraction] | None = None) -> None:
        self.scene, self.start, self.end = scene, start, end
        self.a, self.b = start.dot, end.dot if stop is None else stop[0]
        self.stop = _END if stop is None else stop[1]
        self.low, self.high = sorted((start.level, end.level))
        self.lower, self.higher = (start, end) if start.level < end.level else (end, start)
        self.under = start.under and end.under

    # -- what it meets ---------------------------------------------------------------------------------------------

    @cached_property
    def hexes(self) -> tuple[Contact, ...]:
        """The hexes, those of the ends included."""
        return hex_trace(self.scene.grid, self.a, self.b)

    def own(self, cell: int) -> bool:
        """Tell whether a hex is the location at one end."""
        return cell in (self.start.number, self.end.number)

    @cached_property
    def buildings(self) -> list[tuple[Building, tuple[AreaContact, ...]]]:
        """Buildings that the line meets, the own ones of its ends too, with its contacts."""
        found = []
        for index in self.scene.near_buildings.near(self.a, self.b):
            building = self.scene.buildings[index]
            if building.under == self.under:
                contacts = self.area(index)
                if contacts:
                    found.append((building, contacts))
        return found

    def area(self, index: int) -> tuple[AreaContact, ...]:
        """Return the contacts with one building."""
        if index not in self._met:
            building = self.scene.buildings[index]
            self._met[index] = area_contacts(self.a, self.b, building.outline, building.holes)
        return self._met[index]

    @cached_property
    def _met(self) -> dict[int, tuple[AreaContact, ...]]:
        return {}

    def bodies(self) -> Iterator[tuple[Body, tuple[AreaContact, ...]]]:
        """Yield the rooms with a marker that the line meets; those under the roof of an end do not count."""
        roofs = {end.building for end in (self.start, self.end) if end.kind == ROOF}
        for index in self.scene.near_bodies.near(self.a, self.b):
            body = self.scene.bodies[index]
            apart = bool(self.scene.under[body.number]) != self.under
            if apart or body.number in (self.start.number, self.end.number) or body.building in roofs:
                continue
            contacts = self.counting(area_contacts(self.a, self.b, body.outline, body.holes))
            if contacts:
                yield body, contacts

    @cached_property
    def walls(self) -> list[tuple[int, LineContact]]:
        """Contacts with outer walls, by the number of the wall; none below the ground."""
        if self.under:
            return []
        return [
            (index, contact)
            for index in self.scene.near_walls.near(self.a, self.b)
            for contact in self.counting(line_contacts(self.a, self.b, self.scene.outer_walls[index].line))
        ]

    def counting(self, contacts: tuple[_C, ...]) -> tuple[_C, ...]:
        """Leave out what only holds the dot of an end, and what lies beyond the stop."""
        return tuple(
            contact
            for contact in contacts
            if contact.enter < self.stop and not (contact.enter == contact.leave and contact.enter in (_START, _END))
        )

    # -- the buildings of its ends ---------------------------------------------------------------------------------

    @cached_property
    def exit(self) -> Span | None:
        """Stretch inside the building of a room at the start, up to where the line first leaves it."""
        if self.start.kind != ROOM or self.start.building < 0:
            return None
        return inside_span(self.area(self.start.building), last=False)

    @cached_property
    def entry(self) -> Span | None:
        """Stretch inside the building of a room at the end, from where the line last gets into it."""
        if self.end.kind != ROOM or self.end.building < 0 or self.stop != _END:
            return None
        return inside_span(self.area(self.end.building), last=True)

    @cached_property
    def covered(self) -> list[Span]:
        """Stretches under which hexes do not count: inside the building of an end, or over the roof it stands on."""
        found = [span for span in (self.exit, self.entry) if span is not None]
        for end in (self.start, self.end):
            if end.kind == ROOF and end.building >= 0:
                found += [(one.enter, one.leave) for one in self.area(end.building) if one.how != "touch"]
        return found

    def is_left_out(self, contact: Contact) -> bool:
        """Tell whether a hex is met only where hexes do not count, beyond the stop, or by the dot of an end."""
        if self.stop != _END and contact.enter >= self.stop:
            return True
        if contact.how == "touch" and contact.enter in (_START, _END):
            return True
        return any(low <= contact.enter and contact.leave <= high for low, high in self.covered)

    # -- right in front of the lower end ---------------------------------------------------------------------------

    @cached_property
    def length(self) -> Fraction:
        """Length in hexes."""
        return hex_length(self.a, self.b, flat=self.scene.grid.flat)

    def in_front(self, contact: Contact | LineContact | AreaContact, cell: int = -1) -> bool:
        """Tell whether what the line meets lies right in front of its lower end, so that the end is right behind it.

        Of a hex and a hex that is adjacency. Of anything else it means nearer than half a hex to where the location of
        the lower end begins: the side of its hex, which is half a hex from its dot, or the facade of its building.
        """
        if self.start.level == self.end.level:
            return False
        at_start = self.start.level < self.end.level
        low = self.start if at_start else self.end
        if low.kind == HEX and cell >= 0:
            return self.scene.grid.distance(low.number, cell) == 1
        if low.kind != HEX and self.scene.options["blind_locations"] == "hexes":
            return False
        if at_start:
            edge = self.exit[1] if self.exit is not None else _START
            gap = contact.enter - edge
        else:
            edge = self.entry[0] if self.entry is not None else self.stop
            gap = edge - contact.leave
        whole = low.kind == HEX and (at_start or self.stop == _END)
        return gap * self.length < (1 if whole else Fraction(1, 2))

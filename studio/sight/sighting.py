"""Explained answers about lines of sight: the verdict, and every reason for it with its place and its rule."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, TypeAlias

import msgspec

from studio.grid import Contact, How, Labels

__all__ = ["Effect", "Place", "PlacedContact", "ProfileStep", "Reason", "Sighting", "Status", "place_contact"]

Status = Literal["clear", "hindered", "blocked"]
Effect = Literal["blocks", "counts", "hinders", "modifier", "passes"]
Place: TypeAlias = str | tuple[str, ...]
"""A label, or the labels of the two hexes of a side."""


class Reason(msgspec.Struct, frozen=True):
    """One thing that bears on a line of sight.

    Attributes
    ----------
    rule : str
        Section of the rulebook.
    at : str or tuple of str
        Label of the hex, or of the two hexes of a side; empty for what concerns the whole line.
    effect : {"blocks", "counts", "hinders", "modifier", "passes"}
        Blocks the line; counts towards a number that would block it; hinders it; modifies fire along it; or was passed
        over and does not matter.
    text : str
        The reason in a sentence.
    """

    rule: str
    at: Place
    effect: Effect
    text: str


class PlacedContact(msgspec.Struct, frozen=True):
    """A contact of a line with its place by name.

    Attributes
    ----------
    at : str or tuple of str
        Label of the hex, or of the two hexes of the side that the line runs along.
    contact : Contact
        The same by cells.
    """

    at: Place
    contact: Contact

    @property
    def how(self) -> How:
        """Through the inside, along a side, or touching a corner."""
        return self.contact.how

    @property
    def cells(self) -> tuple[int, ...]:
        """The hex, or the hexes on the two sides."""
        return self.contact.cells

    @property
    def enter(self) -> Fraction:
        """Where the contact begins, 0 to 1 along the line."""
        return self.contact.enter

    @property
    def leave(self) -> Fraction:
        """Where the contact ends, 0 to 1 along the line."""
        return self.contact.leave


class ProfileStep(msgspec.Struct, frozen=True):
    """A stretch of ground under a line of sight.

    Attributes
    ----------
    at : str
    level : int
    terrain : str
    enter, leave : Fraction
        Part of the line, 0 to 1, that lies over it.
    """

    at: str
    level: int
    terrain: str
    enter: Fraction
    leave: Fraction


class Sighting(msgspec.Struct, frozen=True):
    """The answer to "can A see B?".

    Attributes
    ----------
    start, end : str
        Labels of the two ends; the modifiers are those of fire from start to end.
    status : {"clear", "hindered", "blocked"}
    hindrances : int
        How often the line is hindered.
    modifiers : dict of str to int
        Sum of each modifier of the game, such as ``{"DQ": -2}``; none for a blocked line.
    reasons : tuple of Reason
        In the order of the line, first those that concern it as a whole. The first with the effect ``blocks`` is where
        a blocked line stops.
    contacts : tuple of PlacedContact
        What the line meets, in order.
    profile : tuple of ProfileStep
        The true levels under the line, both ends included.

    Examples
    --------
    >>> import studio
    >>> desert = studio.new_map("armageddon_war", columns=5, rows=5)
    >>> sighting = desert.paint("0302", terrain="rough").sight("0301", "0304")
    >>> sighting.status, sighting.blocked_at
    ('blocked', '0302')
    >>> print(sighting.reasons[0].text)
    0302 rough: level 0 obstacle between two units on the ground
    """

    start: str
    end: str
    status: Status
    hindrances: int
    modifiers: dict[str, int]
    reasons: tuple[Reason, ...]
    contacts: tuple[PlacedContact, ...]
    profile: tuple[ProfileStep, ...]

    @property
    def visible(self) -> bool:
        """True unless the line is blocked."""
        return self.status != "blocked"

    @property
    def blocked_at(self) -> Place | None:
        """Where the line stops: the place of the first reason that blocks."""
        return next((reason.at for reason in self.reasons if reason.effect == "blocks"), None)

    @property
    def _where(self) -> str:
        """What stops the line, for the head: at a hex or between two, else by the thing of that name."""
        at = self.blocked_at
        if not at or self.visible or set(at) == {self.start, self.end}:
            return ""
        if not isinstance(at, str):
            return f" between {' and '.join(at)}"
        met: set[Place] = {self.start, self.end, *(step.at for step in self.profile)}
        met |= {contact.at for contact in self.contacts if contact.cells}
        return f" {'at' if at in met else 'by'} {at}"

    def to_dict(self) -> dict[str, Any]:
        """Return the sighting as plain data for JSON."""

        def place(at: Place) -> str | list[str]:
            return at if isinstance(at, str) else list(at)

        return {
            "from": self.start,
            "to": self.end,
            "status": self.status,
            "hindrances": self.hindrances,
            "modifiers": dict(self.modifiers),
            "reasons": [
                {"rule": reason.rule, "at": place(reason.at), "effect": reason.effect, "text": reason.text}
                for reason in self.reasons
            ],
            "contacts": [
                {
                    "at": place(contact.at),
                    "how": contact.how,
                    "enter": float(contact.enter),
                    "leave": float(contact.leave),
                }
                for contact in self.contacts
            ],
            "profile": [
                {
                    "at": step.at,
                    "level": step.level,
                    "terrain": step.terrain,
                    "enter": float(step.enter),
                    "leave": float(step.leave),
                }
                for step in self.profile
            ],
        }

    def __str__(self) -> str:
        head = f"{self.start} to {self.end}: {self.status}{self._where}"
        if self.hindrances:
            head += f" ({self.hindrances})"
        if self.modifiers:
            head += " " + ", ".join(f"{value:+d} {unit.replace('_', ' ')}" for unit, value in self.modifiers.items())
        return "\n".join([head, *(f"  [{reason.rule}] {reason.text} - {reason.effect}" for reason in self.reasons)])

    def _repr_html_(self) -> str:
        from html import escape

        lines = [escape(line) for line in str(self).splitlines()]
        items = "".join(f"<li>{line.strip()}</li>" for line in lines[1:])
        return f"<b>{lines[0]}</b><ul>{items}</ul>"


def place_contact(labels: Labels, contact: Contact) -> PlacedContact:
    """Give a contact its place by name: one label, or both labels of a side."""
    names = tuple(labels.label(cell) for cell in contact.cells)
    return PlacedContact(names[0] if len(names) == 1 else names, contact)

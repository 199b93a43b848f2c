"""How the reasons of sight in a designer's own game say what each thing on a line does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from studio.rules.generic.scene import Scene, Thing

__all__ = ["Line", "Said", "more_hindrances", "told", "why", "why_not"]

_ENDLESS = 500
"""From this height on a thing is said to be higher than everything."""


class Line(NamedTuple):
    """A line between two hexes: their cells, the heights of the eyes, and its length in half hexes."""

    start: int
    end: int
    a: int
    b: int
    m: int

    @property
    def lower(self) -> int:
        """The hex of the lower end; the end where both are as high."""
        return self.start if self.a < self.b else self.end

    @property
    def higher(self) -> int:
        """The hex of the other end."""
        return self.end if self.a < self.b else self.start

    def height(self, place: int) -> Fraction:
        """Return the height of the straight line from eye to eye at a place, in half hexes from the start."""
        return Fraction(self.a * (self.m - place) + self.b * place, self.m)


class Said(NamedTuple):
    """A thing with its place, and why it does what it does to the line."""

    what: str
    why: str


def told(said: Iterable[Said], how: str = "") -> str:
    """Return things and their reasons as one sentence; those with the same reason together.

    Examples
    --------
    >>> told([Said("0402 town", "up to height 1"), Said("0403 town", "up to height 1")], "beside the line")
    '0402 town and 0403 town: up to height 1; beside the line'
    """
    whats: dict[str, list[str]] = {}
    for one in said:
        whats.setdefault(one.why, []).append(one.what)
    parts = [f"{' and '.join(names)}: {reason}" for reason, names in whats.items()]
    return "; ".join([*parts, how] if how else parts)


def why(scene: Scene, thing: Thing, line: Line, place: int) -> str:
    """Say why a thing rises into a line at a place, in half hexes from the start."""
    if thing.top > _ENDLESS:
        return "nobody sees over it"
    if thing.top > line.a and thing.top > line.b:
        return _reaching(thing, "above both ends")
    if scene.blind.kind == "interpolated":
        return _reaching(thing, f"and the line passes below that, at height {_mixed(line.height(place))}")
    lower = scene.model.labels.label(line.lower)
    if place == (0 if line.lower == line.start else line.m):
        return _reaching(thing, f"above a unit in {lower}")
    return _reaching(thing, f"and {lower} is in its blind hexes")


def why_not(scene: Scene, thing: Thing, line: Line, place: int) -> str:
    """Say why a thing does not rise into a line at a place, in half hexes from the start."""
    if thing.top <= min(line.a, line.b):
        return _reaching(thing, "no higher than either end")
    if scene.blind.kind == "interpolated":
        return _reaching(thing, f"and the line passes over it, at height {_mixed(line.height(place))}")
    label = scene.model.labels.label
    return _reaching(thing, f"seen over from {label(line.higher)}; {label(line.lower)} is beyond its blind hexes")


def more_hindrances(number: int, limit: int) -> str:
    """Say that so many hindrances are too many."""
    passing = "none passes" if limit == 0 else "only 1 passes" if limit == 1 else f"only {limit} pass"
    return f"that makes {number} hindrance{'s' * (number > 1)}, and {passing}"


def _reaching(thing: Thing, rest: str) -> str:
    if thing.kind == "ground":
        return rest.removeprefix("and ")
    return f"up to height {thing.top}, {rest}"


def _mixed(number: Fraction) -> str:
    """Write a fraction as players do, such as ``1 7/8``."""
    whole, part = divmod(number, 1)
    return str(number) if not whole or not part else f"{whole} {part}"

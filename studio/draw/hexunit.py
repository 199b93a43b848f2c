"""The hex in which marks are placed: whole numbers around its centre, a hash and a table of sines.

Coordinates are thousandths of a hex's height; see `studio.draw.marks`.
"""

import math
from typing import Any, NamedTuple

__all__ = ["AXES", "CORNERS", "MIDS", "NORMALS", "VARIANTS", "Key", "Mark", "Point", "cosine", "hash3", "sine"]

VARIANTS = 8
NORMALS = ((0, -1000), (866, -500), (866, 500), (0, 1000), (-866, 500), (-866, -500))
CORNERS = ((289, -500), (577, 0), (289, 500), (-289, 500), (-577, 0), (-289, -500))
MIDS = ((0, -500), (433, -250), (433, 250), (0, 500), (-433, 250), (-433, -250))
# The axis of a road through side i, in degrees clockwise from the x axis.
AXES = (90, -30, 30, 90, -30, 30)
_SINES = tuple(math.floor(1000 * math.sin(math.radians(i)) + 0.5) for i in range(360))
_MASK = 0xFFFFFFFF

Point = tuple[int, int]
Mark = list[Any]


class Key(NamedTuple):
    """All that a hex's marks depend on besides style and terrain; sides are bits 0 to 5."""

    variant: int
    same: int
    off: int
    roads: int
    ends: int


def hash3(a: int, b: int, k: int) -> int:
    """Hash three whole numbers to 32 bits (multiply and xorshift, as JavaScript's ``Math.imul`` and ``>>>`` do)."""
    h = (a + 1) * 0x9E3779B1 ^ (b + 1) * 0x85EBCA6B ^ (k + 1) * 0xC2B2AE35
    h &= _MASK
    h ^= h >> 16
    h = h * 0x7FEB352D & _MASK
    h ^= h >> 15
    h = h * 0x846CA68B & _MASK
    return h ^ h >> 16


def cosine(degrees: int) -> int:
    """Return the cosine of whole degrees in thousandths."""
    return _SINES[(degrees + 90) % 360]


def sine(degrees: int) -> int:
    """Return the sine of whole degrees in thousandths."""
    return _SINES[degrees % 360]

"""Palettes for readers of every colour vision: how close two terrains come, and a variant that is safe."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from studio.draw.colour import VISIONS, delta_e

__all__ = ["BOUND", "Closest", "closest", "safe_tints"]

BOUND = 6.5
"""CIEDE2000 that two terrains keep at least, for normal sight and each simulated kind; about 2 is just seen."""

Closest = tuple[float, str, str, str]
"""Difference, one terrain, the other, the kind of sight for which they are so close."""


@lru_cache(maxsize=200_000)
def _least(a: str, b: str) -> tuple[float, str]:
    return min((delta_e(a, b, vision), vision) for vision in VISIONS)


def closest(tints: Mapping[str, str]) -> Closest | None:
    """Return the two terrains that are hardest to tell apart; None of fewer than two.

    Parameters
    ----------
    tints : mapping of str to str
        Colours ``#rrggbb`` by terrain.
    """
    pairs = ((*_least(tints[a], tints[b]), a, b) for a, b in combinations(tints, 2))
    found = min(pairs, default=None)
    return None if found is None else (found[0], found[2], found[3], found[1])


def safe_tints(tints: Mapping[str, str], bound: float = BOUND) -> dict[str, str]:
    """Return tints of which every two keep a difference for every kind of sight, as near to the given ones as can be.

    Terrains keep their colour in their order; one that comes too close to those before gets the nearest colour that
    does not. Where none is left, it gets the one that keeps most apart.

    Parameters
    ----------
    tints : mapping of str to str
    bound : float

    Examples
    --------
    >>> safe_tints({"open": "#ffffff", "woods": "#00aa00"})
    {'open': '#ffffff', 'woods': '#00aa00'}
    """
    kept: dict[str, str] = {}
    for name, tint in tints.items():
        if all(_least(tint, other)[0] >= bound for other in kept.values()):
            kept[name] = tint
            continue
        near = sorted(_colours(), key=lambda colour: delta_e(tint, colour))
        apart = (colour for colour in near if all(_least(colour, other)[0] >= bound for other in kept.values()))
        kept[name] = next(apart, None) or max(
            near, key=lambda colour: min(_least(colour, other)[0] for other in kept.values())
        )
    return kept


@lru_cache(maxsize=1)
def _colours() -> tuple[str, ...]:
    """Return the colours to choose from: those on which black lines and numbers can still be read come first."""
    found = []
    for light in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3):
        for hue in range(0, 360, 20):
            for strength in (0.15, 0.35, 0.6):
                red, green, blue = colorsys.hls_to_rgb(hue / 360, light, strength)
                found.append(f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}")
    return tuple(dict.fromkeys(found))

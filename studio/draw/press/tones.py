"""Inks for paper: all colours, greys, or little ink; and sides told apart without colours."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.draw.counterfaces import SIDE_COLORS
from studio.draw.press.layers import group_of
from studio.draw.style import mix

__all__ = ["Inks", "Tone", "recoloured", "tone_of", "toned_pixels"]

Inks = Literal["full", "safe", "grey", "saver"]
"""All colours; sides in colours that every colour vision tells apart; greys; little ink."""

Tone = Callable[[str, str, bool], str]
"""Returns what a colour becomes, by its layer and whether it fills."""

_GREY_SIDES = ("#1e1e1e", "#787878", "#4c4c4c", "#a0a0a0", "#353535", "#8c8c8c")
"""Greys of the sides, neighbours far apart."""

_LIGHTER = {"terrain": 620, "relief": 550, "areas": 560, "scan": 300, "hexes": 250}
"""Thousandths of white that fills of a group get where ink is saved."""

_THINNER = {"terrain": 380, "relief": 300, "areas": 150}
"""Likewise of lines and of small marks that are drawn along."""


def tone_of(inks: Inks) -> Tone:
    """Return what becomes of colours."""
    if inks == "grey":
        return lambda color, layer, fills: _grey(color)
    if inks == "saver":
        return _saved
    return lambda color, layer, fills: color


@functools.lru_cache(maxsize=4096)
def _grey(color: str) -> str:
    """Return the grey that is as light as a colour, by CIE luminance."""
    red, green, blue = (_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    value = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return "#" + f"{round(255 * value):02x}" * 3


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _saved(color: str, layer: str, fills: bool) -> str:
    share = (_LIGHTER if fills else _THINNER).get(group_of(layer), 0)
    # Marks of terrain tell terrains apart: they stay darker than the ground.
    if layer == "terrain" and fills:
        share = 300
    return mix(color, "#ffffff", share) if share else color


def toned_pixels(pixels: NDArray[np.uint8], inks: Inks) -> NDArray[np.uint8]:
    """Return a picture in the inks asked for; an alpha channel stays.

    Parameters
    ----------
    pixels : array of shape (high, wide, 3 or 4)
    inks : {"full", "safe", "grey", "saver"}
    """
    if inks not in ("grey", "saver"):
        return pixels
    found = pixels.copy()
    colors = pixels[..., :3].astype(np.float64)
    if inks == "grey":
        values = colors / 255
        lines = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
        light = lines @ np.array([0.2126, 0.7152, 0.0722])
        grey = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)
        found[..., :3] = np.rint(255 * grey)[..., None]
    elif pixels.shape[-1] == 4:
        found[..., 3] = np.rint(pixels[..., 3] * 0.55)
    else:
        found[..., :3] = np.rint(colors * 0.5 + 127.5)
    return found


def recoloured(document: Any, inks: Inks) -> Any:
    """Return a scenario's document with colours of its sides that suit the inks."""
    if inks not in ("safe", "grey"):
        return document
    palette = SIDE_COLORS if inks == "safe" else _GREY_SIDES
    forces = [
        msgspec.structs.replace(force, color=palette[n % len(palette)]) for n, force in enumerate(document.forces)
    ]
    return msgspec.structs.replace(document, forces=forces)

"""States of locations without an outline: a tint behind their own sign and a ring round it, so that names stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace

from studio.draw.areas import area_look
from studio.draw.letters import draw_text, text_path
from studio.draw.picture import Picture
from studio.draw.recording import sizes
from studio.draw.regions import Regions
from studio.draw.shapes import PlaceLook
from studio.draw.signs import draw_area_discs
from studio.draw.style import mix
from studio.draw.subject import Floats
from studio.draw.symbols import draw_places, place_look
from studio.draw.washes import DARK, star

__all__ = ["State", "beside", "mark_start", "mark_states", "sparse_figures"]

_RING = 50  # thousandths of a hex height
_OVER = 9.7  # zorder: over the washes
_HEIGHT, _LEAST_PX = 0.24, 7.5  # of figures: in hex heights, and in pixels at least


class State(NamedTuple):
    """How a state of a location shows: the tint of its sign, how strong it is (0 to 1000), its ring; a road's disc."""

    tint: str
    strength: int
    ring: str = ""
    disc: Literal["full", "half", "cross"] = "full"


def mark_states(picture: Picture, regions: Regions, groups: Iterable[tuple[State, Iterable[int]]]) -> None:
    """Draw the signs of places and areas anew over the washes, those of places tinted and ringed by their states.

    A road has no sign; it carries a disc.

    Parameters
    ----------
    picture : Picture
    regions : Regions
    groups : iterable of (State, numbers)
        States, and the numbers of the locations that have them; hexes and areas among them are left to the washes.
    """
    sites, style = regions.sites, picture.style
    looks: dict[str, PlaceLook] = {}
    for state, numbers in groups:
        for number, at in regions.spots(numbers):
            place = sites.directory.location(number)
            if place.kind == "place":
                looks[place.feature] = _tinted(place_look(style, place.type), state)
            else:
                _disc(picture, at, state)
    with picture.batched() as canvas:
        if looks:
            draw_places(canvas, sites, looks, _OVER)
        if not sites.plain:
            draw_area_discs(canvas, sites, _OVER)


def _tinted(look: PlaceLook, state: State) -> PlaceLook:
    """Return the look of a place in a state; its letters are dark on a light tint and light on a dark one."""
    fill = mix(look.fill.lower(), state.tint.lower(), state.strength) if state.strength else look.fill
    ink = look.ink if not state.strength else DARK if _light(fill) > 110 else "#ffffff"
    if not state.ring:
        return replace(look, fill=fill, ink=ink)
    return replace(look, fill=fill, ink=ink, edge=state.ring, width=_RING)


def _light(color: str) -> float:
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _disc(picture: Picture, at: Floats, state: State) -> None:
    size = max(5.0, 0.2 * picture.hex_px * 0.72)
    ax, part = picture.ax, "left" if state.disc == "half" else "full"
    look: dict[str, Any] = {"mec": "#ffffff", "mew": size * 0.16, "zorder": _OVER}
    ax.plot(at[0], at[1], "o", ms=size, mfc=state.tint, mfcalt="#ffffff", fillstyle=part, **look)
    ax.plot(at[0], at[1], "o", ms=size * 1.2, mfc="none", mec=DARK, mew=0.8, zorder=_OVER)
    if state.disc == "cross":
        ax.plot(at[0], at[1], "x", ms=size * 0.5, **look)


def beside(picture: Picture, regions: Regions, number: int, way: tuple[float, float] = (1.0, 1.0)) -> Floats:
    """Return a point for a figure or a mark of a location that leaves its sign readable, in map units.

    Parameters
    ----------
    picture : Picture
    regions : Regions
    number : int
    way : (x, y)
        On which side of a sign.
    """
    at, unit = regions.spot(number), picture.subject.grid.hex_height
    if number < regions.grid.cells:
        return at
    place = regions.sites.directory.location(number)
    if place.kind == "place":
        reach = place_look(picture.style, place.type).size / 2000 + 0.02
    elif place.kind == "area":
        look = area_look(picture.style, place.type)
        if look.name == "label":
            return np.asarray(at - np.array([0.0, 0.14]) * unit)
        reach = look.disc.size / 2000 + 0.06 if look.name == "disc" else 0.0
    else:
        reach = 0.0
    return np.asarray(at + np.array(way) * reach * unit)


def mark_start(picture: Picture, regions: Regions, label: str) -> None:
    """Mark the location that looks with a star: on its dot, or a smaller one beside its sign."""
    sites, color = regions.sites, picture.style.verdicts["clear"].color
    number = None if sites.plain else sites.directory.number(label)
    if number is None or sites.directory.location(number).kind in ("hex", "road"):
        star(picture, sites.dot(label), color)
    else:
        star(picture, beside(picture, regions, number, (-1.15, -1.15)), color, 0.62)


def sparse_figures(
    picture: Picture, words: Sequence[tuple[Floats, str]], least_px: float, height: float = _HEIGHT
) -> list[str]:
    """Write figures where they do not run into one written before, none in hexes below `least_px` (zorder 9.8).

    Returns
    -------
    list of str
        Those written.
    """
    if picture.hex_px < least_px:
        return []
    written: list[str] = []
    with picture.batched() as canvas:
        for px in sizes(picture.hex_px, max(least_px, _LEAST_PX)):
            size = max(height, _LEAST_PX / px) * picture.subject.grid.hex_height
            boxes = np.zeros((len(words), 4))
            written = []
            for at, text in words:
                half = np.array([text_path(text, picture.style.letters.fonts)[2] * size, size]) * 0.5 + 0.06 * size
                box = np.concatenate((at - half, at + half))
                others = boxes[: len(written)]
                if ((box[:2] < others[:, 2:]) & (box[2:] > others[:, :2])).all(axis=1).any():
                    continue
                boxes[len(written)] = box
                written.append(text)
                draw_text(canvas, text, at, size, DARK, 9.8, halo="#ffffff")
    return written

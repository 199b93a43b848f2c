"""What held for a move: enemies, closed places and the rest of its state as small counters, with their words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.regions import Regions
from studio.draw.washes import DARK, Entry

if TYPE_CHECKING:
    from studio.draw.picture import Picture

__all__ = ["mark_state", "state_entries", "state_words", "titled"]

_ENEMY, _CLOSED, _OTHERS = "#1d1a17", "#8c8c8c", ("#56B4E9", "#CC79A7", "#F0E442", "#009E73", "#0072B2")
_NAMES = {"enemies": "enemies", "blocked": "closed"}
_SIZE = 0.25  # of a counter, in hex heights


def _places(state: Any) -> dict[str, list[int]]:
    """Return the fields of a state that hold locations, with their numbers; those that hold none are left out."""
    found: dict[str, list[int]] = {}
    for name in getattr(state, "__struct_fields__", ()):
        value = getattr(state, name)
        if isinstance(value, frozenset) and value and all(isinstance(one, int) for one in value):
            found[name] = sorted(value)
    return found


def _looks(state: Any) -> dict[str, tuple[str, str, str]]:
    """Return the colour, the sign and the colour of the sign of each field with locations."""
    looks: dict[str, tuple[str, str, str]] = {}
    for name in _places(state):
        if name == "enemies":
            looks[name] = (_ENEMY, "✕", "#ffffff")
        elif name == "blocked":
            looks[name] = (_CLOSED, "–", "#ffffff")
        else:
            color = _OTHERS[len(looks) % len(_OTHERS)]
            looks[name] = (color, name[0].upper(), DARK)
    return looks


def state_entries(state: Any) -> list[Entry]:
    """Return the entries of a key for what holds: each kind of place, with how many there are."""
    places, looks = _places(state), _looks(state)
    return [
        Entry(f"{_NAMES.get(name, name.replace('_', ' '))} ({len(places[name])})", color, sign=sign, ink=ink)
        for name, (color, sign, ink) in looks.items()
    ]


def state_words(state: Any) -> str:
    """Return what else holds in words, such as ``flank, turn 1``; empty for nothing."""
    told, nothing = [], None if state is None else type(state)()
    for name in getattr(state, "__struct_fields__", ()):
        value = getattr(state, name)
        if value == getattr(nothing, name):
            continue
        if value is True:
            told.append(name.replace("_", " "))
        elif isinstance(value, int | str) and value and not isinstance(value, bool):
            told.append(f"{name.replace('_', ' ')} {value}")
    return ", ".join(told)


def mark_state(picture: Picture, regions: Regions, state: Any, busy: frozenset[int] | set[int] = frozenset()) -> None:
    """Put a counter into every place that a state speaks of (zorder 29).

    Parameters
    ----------
    picture : Picture
    regions : Regions
    state : MoveState or None
    busy : set of int
        Locations with a figure in their middle: the counter goes beside it.
    """
    x0, y0, x1, y1 = picture.extent
    unit, at = picture.subject.grid.hex_height, dict[int, int]()
    for name, numbers in _places(state).items():
        color, sign, ink = _looks(state)[name]
        for number in numbers:
            nth = at[number] = at.get(number, -1) + 1
            aside = np.array([0.27, 0.2]) if number in busy else np.array([0.0, 0.04])
            spot = regions.spot(number) + (aside + np.array([-0.27 * nth, 0.0])) * unit
            if x0 <= spot[0] <= x1 and y0 <= spot[1] <= y1:
                _counter(picture, spot, color, sign, ink)


def _counter(picture: Picture, at: Any, color: str, sign: str, ink: str) -> None:
    points = max(5.0, _SIZE * picture.hex_px * 0.72)
    ax, edge = picture.ax, max(0.7, points * 0.09)
    ax.plot(*at, "s", ms=points + 2 * edge, mfc=DARK, mec="none", zorder=29, gid="state")
    ax.plot(*at, "s", ms=points, mfc=color, mec="#ffffff", mew=edge, zorder=29.1)
    look: dict[str, Any] = {"mec": ink, "mew": max(0.9, points * 0.13), "zorder": 29.2}
    if sign == "✕":
        ax.plot(*at, "x", ms=points * 0.55, **look)
    elif sign == "–":
        ax.plot(*at, "_", ms=points * 0.65, **look)
    elif points >= 8:
        spot, size = (float(at[0]), float(at[1])), points * 0.7
        written: dict[str, Any] = {"color": ink, "ha": "center", "va": "center_baseline", "clip_on": True}
        ax.text(*spot, sign, fontsize=size, fontweight="bold", zorder=29.3, **written)


def titled(text: str, warning: str, state: Any) -> str:
    """Return a title with what is odd about the start, and what else holds."""
    words = state_words(state)
    return text + (f" (with {words})" if words else "") + (f" – warning: {warning}" if warning else "")

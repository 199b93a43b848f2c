"""Values of the options that pictures share: what is none is refused by name before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from numbers import Real
from typing import Any

from studio.draw.style import Style
from studio.errors import StudioError, shortened, texts_of

__all__ = ["OptionError", "check_values"]

_LARGEST = 10**12  # larger whole numbers are no measure of a picture


class OptionError(StudioError, TypeError):
    """An option that a picture does not have, or with a value that it cannot have."""


def _is_number(got: Any) -> bool:
    return isinstance(got, Real) and not isinstance(got, bool) and not (isinstance(got, int) and abs(got) > _LARGEST)


def _is_axes(got: Any) -> bool:
    from matplotlib.axes import Axes

    return got is None or isinstance(got, Axes)


def _is_extent(got: Any) -> bool:
    if got is None:
        return True
    try:
        return len(got) == 4 and all(map(_is_number, got))
    except TypeError:
        return False


def _are_texts(got: Any) -> bool:
    return isinstance(got, Collection) and texts_of(got) is not None


_CHECKS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "ax": (_is_axes, "axes of matplotlib, or None for a figure of its own"),
    "hex_px": (
        lambda got: not isinstance(got, int) or abs(got) <= _LARGEST,
        "the height of a hex in pixels, a number of 1 or more",
    ),
    "extent": (_is_extent, "(x0, y0, x1, y1), four numbers in map units"),
    "around": (lambda got: got is None or _are_texts(got), "the label of a location or a feature, or several"),
    "margin": (_is_number, "a number of hexes, 0 or more"),
    "arcs": (
        lambda got: isinstance(got, bool) or _are_texts(got),
        "True, False, or the ids of openings or labels of their locations",
    ),
    "style": (lambda got: got is None or isinstance(got, str | Style), "a Style, the id of one, or a TOML file"),
}
"""Options of many pictures: what tells their values, and those in words."""


def check_values(name: str, options: Mapping[str, Any]) -> None:
    """Refuse options with values that they cannot have.

    Parameters
    ----------
    name : str
        The method of the map, for the message.
    options : mapping of str to anything

    Raises
    ------
    OptionError
        With the option, what was got and what is allowed.
    """
    for option, got in options.items():
        fits, words = _CHECKS.get(option, (None, ""))
        if fits is not None and not fits(got):
            msg = f"{name}: got {option}={shortened(got)}; allowed: {words}"
            raise OptionError(msg)

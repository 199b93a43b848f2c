"""Options of pictures: unknown ones and wrong values are refused by the name under which people call the picture."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from studio.draw.arguments import OptionError, check_values
from studio.errors import nearest, shortened

__all__ = ["OptionError", "called"]

P = ParamSpec("P")
R = TypeVar("R")


def called(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator for a function that draws the picture of ``map.NAME(...)``.

    Parameters
    ----------
    name : str
        The method of the map, which a message about an unknown option names.
    """

    def wrap(draw: Callable[P, R]) -> Callable[P, R]:
        known = [one.name for one in inspect.signature(draw).parameters.values() if one.kind is one.KEYWORD_ONLY]
        passed = set(inspect.signature(draw).parameters)

        @functools.wraps(draw)
        def checked(*args: P.args, **options: P.kwargs) -> R:
            for option in options:
                if option not in passed:
                    raise OptionError(f"{name}: unknown option {shortened(option)}; {nearest(option, known)}")
            check_values(name, options)
            return draw(*args, **options)

        return checked

    return wrap

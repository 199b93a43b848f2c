"""The little drawings of a style: a subset of SVG path data.

Absolute ``M L Q C Z`` with numbers apart by spaces or commas: what `Path2D` of a canvas and a matplotlib `Path` both
draw. A vector program exports it after "convert to absolute, no arcs".
"""

import functools
import re

__all__ = ["parse_path"]

_COUNT = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}
_TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?")

Command = tuple[str, tuple[float, ...]]


@functools.lru_cache(maxsize=512)
def parse_path(d: str) -> tuple[Command, ...]:
    """Return the commands of SVG path data, each a letter and its numbers.

    Raises
    ------
    ValueError
        When the text holds another command, a wrong count of numbers or anything else.

    Examples
    --------
    >>> parse_path("M 0 0 L 10 0 Z")
    (('M', (0.0, 0.0)), ('L', (10.0, 0.0)), ('Z', ()))
    """
    rest = _TOKEN.sub("", d).replace(",", "").strip()
    if rest:
        raise ValueError(f"path data holds {rest[:20]!r}; only M L Q C Z and numbers are allowed")
    commands: list[Command] = []
    letter, numbers = "", []
    for token in [*_TOKEN.findall(d), ""]:
        if token and not token.isalpha():
            numbers.append(float(token))
            continue
        if letter:
            commands += _split(letter, numbers)
        elif numbers:
            raise ValueError("path data must begin with M")
        letter, numbers = token, []
    if not commands or commands[0][0] != "M":
        raise ValueError("path data must begin with M")
    return tuple(commands)


def _split(letter: str, numbers: list[float]) -> list[Command]:
    """Cut the numbers after one letter into commands, as SVG repeats the letter silently."""
    if letter not in _COUNT:
        raise ValueError(f"path command {letter!r}: only M L Q C Z (absolute) are allowed")
    count = _COUNT[letter]
    if count == 0 and not numbers:
        return [(letter, ())]
    if count == 0 or not numbers or len(numbers) % count:
        raise ValueError(f"path command {letter} takes {count} numbers, got {len(numbers)}")
    pairs = [tuple(numbers[i : i + count]) for i in range(0, len(numbers), count)]
    return [("L" if letter == "M" and i else letter, pair) for i, pair in enumerate(pairs)]

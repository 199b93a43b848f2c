"""Words that the reasons of several games share."""

from __future__ import annotations

__all__ = ["counted", "hexes", "join_rules"]


def hexes(number: int) -> str:
    """Return a number of hexes in words.

    Examples
    --------
    >>> hexes(1), hexes(6)
    ('1 hex', '6 hexes')
    """
    return f"{number} hex" if number == 1 else f"{number} hexes"


def join_rules(*sections: str) -> str:
    """Join sections of a rulebook, each once; one that is named with a part of it goes without itself.

    Examples
    --------
    >>> join_rules("4.14", "4.141", "4.14"), join_rules("4.14", "4.14 elevation")
    ('4.14, 4.141', '4.14 elevation')
    """
    found = dict.fromkeys(sections)
    return ", ".join(one for one in found if not any(other.startswith(f"{one} ") for other in found))


def counted(how: str, number: int, noun: str = "hex") -> str:
    """Say what the hex, or the border, of some number does where two of them block a line.

    Parameters
    ----------
    how : str
        How the line meets it.
    number : int
        1 for the first one.
    noun : str
        What is counted.

    Examples
    --------
    >>> counted("beside the line", 2)
    'beside the line, the second such hex: two block'
    """
    if number == 1:
        return f"{how}, where one {noun} does not block"
    return f"{how}, the second such {noun}: two block" if number == 2 else f"{how}, one more such {noun}"

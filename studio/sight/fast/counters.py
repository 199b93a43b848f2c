"""Counting in sets of hexes: how many of many sets hold each hex, in binary digits that are sets themselves."""

from __future__ import annotations

__all__ = ["BitCounter", "ladder"]


class BitCounter:
    """A number for every hex, as binary digits.

    Attributes
    ----------
    digits : list of int
        Sets of the hexes whose number has that digit, the lowest first.

    Examples
    --------
    >>> counter = BitCounter()
    >>> for hexes in (0b0111, 0b0011, 0b0001):
    ...     counter.add(hexes)
    >>> bin(counter.more_than(0)), bin(counter.more_than(1)), bin(counter.more_than(2))
    ('0b111', '0b11', '0b1')
    """

    __slots__ = ("digits",)

    def __init__(self) -> None:
        self.digits: list[int] = []

    def add(self, hexes: int) -> None:
        """Add one to the number of some hexes."""
        digits, place = self.digits, 0
        while hexes:
            if place == len(digits):
                digits.append(hexes)
                return
            digit = digits[place]
            digits[place] = digit ^ hexes
            hexes &= digit
            place += 1

    def more_than(self, limit: int) -> int:
        """Return the hexes whose number is greater than a limit."""
        if limit >> len(self.digits):
            return 0
        more, equal = 0, -1
        for place in reversed(range(len(self.digits))):
            digit = self.digits[place]
            if limit >> place & 1:
                equal &= digit
            else:
                more |= equal & digit
                equal &= ~digit
        return more


def ladder(sets: list[int]) -> list[int]:
    """Return the hexes that are in at least one, at least two, ... of some sets.

    Examples
    --------
    >>> [bin(hexes) for hexes in ladder([0b0110, 0b0011])]
    ['0b111', '0b10']
    """
    rungs: list[int] = []
    for hexes in sets:
        more = hexes
        for place, rung in enumerate(rungs):
            rungs[place], more = rung | more, rung & more
        rungs.append(more)
    return rungs

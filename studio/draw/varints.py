"""Whole numbers as bytes: seven bits a byte, the lowest first; the eighth bit says that more follow."""

from __future__ import annotations

__all__ = ["varint", "zigzag"]


def zigzag(number: int) -> int:
    """Return a whole number as one that is not below zero.

    Examples
    --------
    >>> [zigzag(number) for number in (0, -1, 1, -2)]
    [0, 1, 2, 3]
    """
    return number * 2 if number >= 0 else -number * 2 - 1


def varint(out: bytearray, number: int) -> None:
    """Append a whole number that is not below zero.

    Examples
    --------
    >>> out = bytearray()
    >>> varint(out, 300)
    >>> out.hex()
    'ac02'
    """
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)

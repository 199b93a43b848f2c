"""Which rows of a layer a source wants: those with some values in some columns, with so much at most or at least."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geodata.stores import plain_value
from studio.exchange.geography.spec import DataSource

__all__ = ["chosen_rows", "value_number", "value_text"]


def chosen_rows(source: DataSource, table: dict[str, NDArray[Any]], count: int) -> NDArray[np.int64]:
    """Return the rows that ``where``, ``most`` and ``least`` of a source leave.

    Parameters
    ----------
    source : DataSource
    table : dict of str to array of shape (count,)
    count : int
    """
    keep = np.ones(count, dtype=bool)
    for name, allowed in source.where.items():
        keep &= _is_one_of(table[name], allowed)
    for limits, sign in ((source.most, 1.0), (source.least, -1.0)):
        for name, limit in limits.items():
            with np.errstate(invalid="ignore"):
                keep &= sign * _numbers(table[name]) <= sign * limit
    return np.flatnonzero(keep)


def _is_one_of(column: NDArray[Any], allowed: Iterable[str]) -> NDArray[np.bool_]:
    """Tell which values are one of some that are written as texts; numbers are compared as numbers, 6 is 6.0."""
    words = set(allowed)
    if column.dtype.kind == "b":
        words = {word.lower() for word in words}
        return np.asarray((column & bool(words & {"true", "1"})) | (~column & bool(words & {"false", "0"})))
    if column.dtype.kind in "iu":
        limits = np.iinfo(column.dtype)
        numbers = [one for one in map(_whole, words) if one is not None and int(limits.min) <= one <= int(limits.max)]
        return np.isin(column, np.array(numbers, dtype=column.dtype))
    if column.dtype.kind == "f":
        given = np.array([value_number(word) for word in words], dtype=float)
        same = np.isin(column, given[np.isfinite(given)].astype(column.dtype))
        return np.asarray(same | (np.isnan(column) & ("" in words)))
    known_texts: dict[Any, bool] = {}
    found = np.zeros(len(column), dtype=bool)
    for row, value in enumerate(column.tolist()):
        key = value if isinstance(value, str) or value is None else value_text(value)
        if key not in known_texts:
            known_texts[key] = value_text(key) in words
        found[row] = known_texts[key]
    return found


def _whole(word: str) -> int | None:
    """Return a text as a whole number, also where it is written as 6.0; None where it is none."""
    try:
        return int(word)
    except ValueError:
        number = value_number(word)
        return int(number) if number.is_integer() else None


def _numbers(column: NDArray[Any]) -> NDArray[np.float64]:
    """Return a column as numbers, also where they are written as texts; not a number where they are none."""
    if column.dtype.kind in "biuf":
        return column.astype(float)
    return np.array([value_number(value) for value in column.tolist()], dtype=float).reshape(len(column))


def value_text(value: Any) -> str:
    """Return a value as a specification writes it: whole numbers without a point, true and false in small letters."""
    plain = plain_value(value)
    if plain is None:
        return ""
    if isinstance(plain, bool):
        return str(plain).lower()
    return str(int(plain)) if isinstance(plain, float) and plain.is_integer() else str(plain)


def value_number(value: Any) -> float:
    """Return a value as a number, also one that is written as a text; not a number where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")

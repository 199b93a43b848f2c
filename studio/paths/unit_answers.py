"""Answers unit by unit: a list of them that can be asked by the id of a unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar, overload

from studio.errors import UnknownNameError, nearest

__all__ = ["UnitAnswers"]


class _Answer(Protocol):
    @property
    def unit(self) -> str: ...


A = TypeVar("A", bound=_Answer)


class UnitAnswers(Sequence[A]):
    """Answers about units, in order.

    Attributes
    ----------
    units : tuple
        One answer a unit, each with the id of its ``unit``.
    """

    units: tuple[A, ...]

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[A]: ...
    def __getitem__(self, index: int | slice) -> A | Sequence[A]:
        return self.units[index]

    def __len__(self) -> int:
        return len(self.units)

    def __iter__(self) -> Iterator[A]:
        return iter(self.units)

    def unit(self, name: str) -> A:
        """Return the answer for a unit.

        Raises
        ------
        UnknownNameError
            When there is none of it.
        """
        for one in self.units:
            if one.unit == name:
                return one
        msg = f"no answer about a unit {name!r}; {nearest(name, [one.unit for one in self.units])}"
        raise UnknownNameError(msg)

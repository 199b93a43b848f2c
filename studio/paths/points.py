"""Movement points as people write and read them, and as halves."""

from __future__ import annotations

from fractions import Fraction

from studio.errors import ScenarioRuleError

__all__ = ["Points", "points_text", "to_halves"]

Points = int | str | float | Fraction

MOST_POINTS = 1_000_000_000
"""More than any way costs; what is beyond is a slip, and nothing that a search can count with."""


def to_halves(points: Points | None) -> int | None:
    """Return points as half points, None for None.

    Raises
    ------
    ScenarioRuleError
        When they are below 0, more than any way costs, or no whole number of halves.

    Examples
    --------
    >>> to_halves(3), to_halves("7/2"), to_halves(2.5), to_halves(None)
    (6, 7, 5, None)
    >>> to_halves("7½"), to_halves("½"), to_halves("3 MP")
    (15, 1, 6)
    """
    if points is None:
        return None
    try:
        doubled = _read(points) * 2 if not isinstance(points, bool) else Fraction(1, 3)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        doubled = Fraction(1, 3)
    if doubled.denominator != 1 or not 0 <= doubled <= 2 * MOST_POINTS:
        got = f"more than {MOST_POINTS:,}" if doubled > 2 * MOST_POINTS else repr(points)
        msg = f"points: got {got}, allowed are 0 to {MOST_POINTS:,}, whole ones or halves such as '7/2' or '3½'"
        raise ScenarioRuleError(msg)
    return int(doubled)


_LONGEST = 40  # characters of a number


def _read(points: Points) -> Fraction:
    if isinstance(points, str):
        points = points.strip().removesuffix("MP").strip()  # as answers write it
        if len(points) > _LONGEST or "e" in points.lower():
            raise ValueError  # "1e999999999" would be counted out
        if points.endswith("½"):
            return Fraction(points.removesuffix("½").strip() or 0) + Fraction(1, 2)
    return Fraction(points)


def points_text(halves: int, unit: str = "MP") -> str:
    """Return half points as a person reads them.

    Examples
    --------
    >>> points_text(6), points_text(1), points_text(9), points_text(2, "hexes"), points_text(4, "hexes")
    ('3 MP', '½ MP', '4½ MP', '1 hex', '2 hexes')
    """
    whole, half = divmod(halves, 2)
    number = f"{whole or ''}½" if half else str(whole)
    return f"{number} {unit if halves != 2 else unit.removesuffix('es')}"

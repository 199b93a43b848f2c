"""What units cost or count: by the roster, by the scale of the game from their figures, and a formation in all."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from studio.errors import UnsupportedError
from studio.model import Formation, UnitRecord
from studio.rules.roster import FIGHTING, kinds_of_unit

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = [
    "Cost",
    "CostPart",
    "PointScale",
    "ScaleEntry",
    "formation_points",
    "free_markers",
    "measure_of",
    "point_scale",
    "scale_cost",
    "unit_points",
]

_HERE = Path(__file__).parent


class ScaleEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the scale of a game: points for a figure, for a value, or for two figures that are the same.

    Attributes
    ----------
    name : str
    points : int
        For each point of ``figure``, or each ``each`` points of it, rounded up; else once.
    figure : str
    each : int
    instead : str
        Figure that holds the points themselves, where the text prints these and not the figure.
    any : dict of str to tuple
        Figures with the values for which it holds; one of them is enough.
    same : tuple of str
        Figures that must be the same, and not empty.
    """

    name: str
    points: int
    figure: str = ""
    each: int = 1
    instead: str = ""
    any: dict[str, tuple[str | bool, ...]] = {}
    same: tuple[str, ...] = ()


class Markers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Markers that cost points: that of a formation, and hidden ones with what is hidden free of them."""

    formation: str = ""
    hidden: str = ""
    free_of_hidden: tuple[str, ...] = ()


class PointScale(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the ``points.toml`` of a game says: its scale, the figures that it needs by kind, and markers."""

    scale: tuple[ScaleEntry, ...] = ()
    needs: dict[str, tuple[str, ...]] = {}
    markers: Markers = Markers()


class CostPart(NamedTuple):
    """A part of what a counter costs by the scale: its name and its points."""

    name: str
    points: int


class Cost(NamedTuple):
    """What a counter costs by the scale of its game.

    Attributes
    ----------
    kind : str
        Id of its type.
    parts : tuple of CostPart
        In the order of the scale.
    missing : tuple of str
        Figures that the text does not print, so that the sum is only a part of the cost; nothing else is known
        to be missing.
    """

    kind: str
    parts: tuple[CostPart, ...]
    missing: tuple[str, ...]

    @property
    def points(self) -> int:
        """Sum of the parts."""
        return sum(part.points for part in self.parts)

    def __repr__(self) -> str:
        parts = ", ".join(f"{part.name} {part.points:+d}" for part in self.parts) or "nothing that is known"
        more = f"; not printed: {', '.join(self.missing)}" if self.missing else ""
        return f"{self.kind}: {self.points} points{' of what is known' if self.missing else ''} = {parts}{more}"


@lru_cache(maxsize=32)
def point_scale(game: str) -> PointScale:
    """Return the scale of a game; an empty one where its text has none.

    Parameters
    ----------
    game : str
        Its id.
    """
    file = _HERE / game / "points.toml"
    if not game.isidentifier() or not file.is_file():
        return PointScale()
    return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), PointScale)


def scale_cost(ruleset: Ruleset, kind: Any) -> Cost:
    """Return what a counter costs by its figures (Armageddon War 7.2).

    Parameters
    ----------
    ruleset : Ruleset
    kind : UnitKind
        From the roster, or one of a designer's own.

    Raises
    ------
    UnsupportedError
        When the game has no scale.

    Examples
    --------
    >>> from studio.rules import get_ruleset
    >>> war = get_ruleset("armageddon_war")
    >>> scale_cost(war, war.scenario.unit_type("rebel.militia")).points
    4
    """
    scale = point_scale(ruleset.id)
    if not scale.scale:
        msg = f"{ruleset.title} has no scale of points by figures; Armageddon War has one (7.2)"
        raise UnsupportedError(msg)
    parts = [(entry.name, _entry_points(entry, kind)) for entry in scale.scale]
    missing = [name for name in scale.needs.get(kind.kind, ()) if not _known(scale, kind, name)]
    return Cost(kind.id, tuple(CostPart(*part) for part in parts if part[1]), tuple(missing))


def _entry_points(entry: ScaleEntry, kind: Any) -> int:
    if entry.figure:
        given = getattr(kind, entry.instead, 0) if entry.instead else 0
        return int(given) * entry.points or -(-int(getattr(kind, entry.figure, 0)) // entry.each) * entry.points
    if entry.same:
        values = {getattr(kind, name, "") for name in entry.same}
        return entry.points if len(values) == 1 and all(values) else 0
    return entry.points if any(getattr(kind, name, None) in values for name, values in entry.any.items()) else 0


def _known(scale: PointScale, kind: Any, name: str) -> bool:
    instead = next((entry.instead for entry in scale.scale if entry.figure == name and entry.instead), "")
    return bool(getattr(kind, name, 0) or (instead and getattr(kind, instead, 0)))


# -- what counts -----------------------------------------------------------------------------------------------------


def measure_of(ruleset: Ruleset) -> Literal["points", "casualty points"]:
    """Return what the strength of a side is counted in: points of the roster, or casualty points of its units."""
    return "casualty points" if ruleset.has_scenario and hasattr(ruleset.scenario, "casualty_points") else "points"


def unit_points(ruleset: Ruleset, kind: Any, unit: UnitRecord | None = None) -> int:
    """Return the points of one counter: what it costs, or the casualty points that the enemy gets for it.

    Parameters
    ----------
    ruleset : Ruleset
    kind : UnitKind
    unit : UnitRecord, optional
        Says whether it is reduced, or a wreck, which counts nothing.
    """
    if unit is not None and "wreck" in unit.status:
        return 0
    if measure_of(ruleset) == "casualty points":
        points: int = ruleset.scenario.casualty_points(kind, reduced=unit is not None and "reduced" in unit.status)
        return points
    return int(kind.points)


def free_markers(ruleset: Ruleset, formation: Formation) -> int:
    """Return how many hidden markers of a formation cost nothing: one for each sniper and IED that is not in the open.

    Parameters
    ----------
    ruleset : Ruleset
    formation : Formation

    Notes
    -----
    Armageddon War 7.2. A unit with a place at the start is in the open, unless it is said to be hidden.
    """
    markers = point_scale(ruleset.id).markers
    hiding = [
        unit.count
        for unit in formation.units
        if unit.type in markers.free_of_hidden and (not unit.at or "hidden" in unit.status)
    ]
    bought = sum(unit.count for unit in formation.units if markers.hidden and unit.type == markers.hidden)
    return min(sum(hiding), bought)


def formation_points(ruleset: Ruleset, roster: Mapping[str, Any], formation: Formation) -> int:
    """Return the points of a formation: its units, support weapons and markers, those that activate it among them.

    Parameters
    ----------
    ruleset : Ruleset
    roster : mapping of str to UnitKind
        Kinds that the scenario can use; what it does not know counts nothing.
    formation : Formation
    """
    casualties = measure_of(ruleset) == "casualty points"  # of civilians they are nobody's strength
    total = sum(
        unit.count * unit_points(ruleset, kind, unit)
        for unit, kind in kinds_of_unit(formation.units, roster)
        if not casualties or kind.kind in FIGHTING
    )
    markers = point_scale(ruleset.id).markers
    if markers.formation in roster:
        total += formation.activation_markers * int(roster[markers.formation].points)
    if markers.hidden in roster:
        total -= free_markers(ruleset, formation) * int(roster[markers.hidden].points)
    return total

"""How strong the sides of a scenario are: points and units of each, their ratio, and how they grow with the turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.model import Force, Formation, ScenarioDocument
from studio.rules.points import formation_points, measure_of
from studio.rules.roster import FIGHTING, kinds_of_unit, roster_of

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["FormationStrength", "SideStrength", "ratio_words", "strengths"]


class FormationStrength(NamedTuple):
    """What one formation is worth.

    Attributes
    ----------
    side, force, formation : str
        Ids: of the side (the word of its team, else the id of the force), of the force, of the formation.
    name : str
    units, points : int
        Units and points by the roster; wrecks are no units.
    printed_units, printed_points : int or None
        As the source prints them.
    turn : int
        Turn in which it is there: 0 at the start, else the first in which it can enter.
    certain : bool
        It comes whatever happens: no roll, choice or pool decides it.
    choice : str
        Of the formations of its force with the same word only one comes.
    """

    side: str
    force: str
    formation: str
    name: str
    units: int
    points: int
    printed_units: int | None
    printed_points: int | None
    turn: int
    certain: bool
    choice: str

    @property
    def difference(self) -> int | None:
        """Points by the roster less the printed ones, None where none are printed."""
        return None if self.printed_points is None else self.points - self.printed_points


class SideStrength(NamedTuple):
    """What one side is worth, its forces together.

    Attributes
    ----------
    side, name : str
    forces : tuple of str
        Ids.
    formations : tuple of FormationStrength
        In the order of battle.
    player : bool
        Somebody plays it: not all its forces act by rules alone.
    breaks_at : int or None
        Casualty points at which it breaks contact, where the scenario says so.
    """

    side: str
    name: str
    forces: tuple[str, ...]
    formations: tuple[FormationStrength, ...]
    player: bool
    breaks_at: int | None

    @property
    def counted(self) -> tuple[FormationStrength, ...]:
        """Formations that count together: of those of which only one comes, the strongest."""
        best: dict[tuple[str, str], FormationStrength] = {}
        for one in self.formations:
            key = (one.force, one.choice)
            if one.choice and (key not in best or one.points > best[key].points):
                best[key] = one
        return tuple(one for one in self.formations if not one.choice or best[one.force, one.choice] is one)

    @property
    def points(self) -> int:
        """Points of all that can come."""
        return sum(one.points for one in self.counted)

    @property
    def units(self) -> int:
        """Units of all that can come."""
        return sum(one.units for one in self.counted)

    @property
    def printed_points(self) -> int | None:
        """Printed points of all, None where one formation has none."""
        given = [one.printed_points for one in self.counted]
        return None if not given or None in given else sum(one for one in given if one is not None)

    @property
    def break_share(self) -> Fraction | None:
        """Share of its points at whose loss it breaks contact, None where nothing says so."""
        return Fraction(self.breaks_at, self.points) if self.breaks_at and self.points else None

    def at(self, turn: int, *, certain: bool = True) -> int:
        """Return the points that have come by a turn, its own included; with those that may come, if not `certain`."""
        some = (one for one in self.counted if one.turn <= turn and (one.certain or not certain))
        return sum(one.points for one in some)


def strengths(document: ScenarioDocument, ruleset: Ruleset) -> tuple[SideStrength, ...]:
    """Return what the sides of a scenario are worth, in their order.

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset

    Returns
    -------
    tuple of SideStrength
        Forces of one team are one side. Counted are points of the roster (Armageddon War 7.2), in Modern Tactics
        casualty points (1.6), in a game of one's own the points of its kinds.
    """
    roster = roster_of(ruleset, document)
    sides: dict[str, list[Force]] = {}
    for force in document.forces:
        sides.setdefault(force.team or force.id, []).append(force)
    return tuple(_side(name, forces, document, ruleset, roster) for name, forces in sides.items())


def _side(
    side: str, forces: list[Force], document: ScenarioDocument, ruleset: Ruleset, roster: Mapping[str, Any]
) -> SideStrength:
    formations = [
        _formation(side, force, formation, ruleset, roster) for force in forces for formation in force.formations
    ]
    return SideStrength(
        side,
        " and ".join(force.name for force in forces),
        tuple(force.id for force in forces),
        tuple(formations),
        any(force.played_by != "rules" for force in forces),
        _breaks_at(forces, document) if measure_of(ruleset) == "casualty points" else None,
    )


def _breaks_at(forces: Iterable[Force], document: ScenarioDocument) -> int | None:
    """Return the casualty points at which a side breaks contact (Modern Tactics Playbook 5)."""
    ids = {force.id for force in forces}
    found = [force.ratings["break_contact"] for force in forces if isinstance(force.ratings.get("break_contact"), int)]
    found += [
        clause.count
        for clause in document.clauses
        if clause.kind == "casualties" and clause.side in ids and clause.count
    ]
    return int(min(int(one) for one in found)) if found else None


def _formation(
    side: str, force: Force, formation: Formation, ruleset: Ruleset, roster: Mapping[str, Any]
) -> FormationStrength:
    units = sum(
        unit.count
        for unit, kind in kinds_of_unit(formation.units, roster)
        if kind.kind in FIGHTING and "wreck" not in unit.status
    )
    return FormationStrength(
        side,
        force.id,
        formation.id,
        formation.name,
        units,
        formation_points(ruleset, roster, formation),
        formation.printed_units,
        formation.printed_points,
        0 if formation.arrival == "set_up" else formation.arrival_turn,
        formation.arrival != "pool" and not _may_stay_away(formation),
        formation.choice,
    )


def _may_stay_away(formation: Formation) -> bool:
    return formation.when is not None and not formation.when.automatic_turn and formation.arrival == "enter"


def ratio_words(ratio: Fraction) -> str:
    """Return a ratio in words: the smaller side as 1, the other to two decimals.

    Examples
    --------
    >>> ratio_words(Fraction(37, 48)), ratio_words(Fraction(48, 37)), ratio_words(Fraction(2))
    ('1:1.30', '1.30:1', '2.00:1')
    """
    large = max(ratio, 1 / ratio)
    hundredths = (200 * large.numerator + large.denominator) // (2 * large.denominator)
    words = f"{hundredths // 100}.{hundredths % 100:02}"
    return f"1:{words}" if ratio < 1 else f"{words}:1"

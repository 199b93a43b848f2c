"""How strong the sides of a scenario are, and what bids for a side mean, for a notebook."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from studio.api.bids import Bid, BidMeaning
from studio.api.kinds import ScenarioKinds
from studio.errors import ScenarioRuleError, UnknownNameError, nearest
from studio.model import ScenarioDocument
from studio.rules import Ruleset
from studio.rules.balance import FormationStrength, SideStrength, ratio_words, strengths
from studio.rules.bidding import bidding, leave_out, may_add, substitutes
from studio.rules.points import measure_of, point_scale
from studio.rules.roster import roster_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["Balance", "ScenarioBalance"]


class Balance:
    """How strong the sides of a scenario are.

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset

    Attributes
    ----------
    sides : tuple of SideStrength
    measure : {"points", "casualty points"}
        What is counted.
    """

    def __init__(self, document: ScenarioDocument, ruleset: Ruleset) -> None:
        self.document, self.ruleset = document, ruleset
        self.sides: tuple[SideStrength, ...] = strengths(document, ruleset)
        self.measure = measure_of(ruleset)

    @property
    def formations(self) -> list[FormationStrength]:
        """All formations, in the order of battle."""
        return [one for side in self.sides for one in side.formations]

    @property
    def differences(self) -> list[FormationStrength]:
        """Formations whose printed points or units are others than those of the roster."""
        return [
            one
            for one in self.formations
            if one.difference or (one.printed_units is not None and one.printed_units != one.units)
        ]

    def side(self, name: str) -> SideStrength:
        """Return a side by its id, or by the id of one of its forces.

        Raises
        ------
        UnknownNameError
            When the scenario has no such side.
        """
        for one in self.sides:
            if name == one.side or name in one.forces:
                return one
        msg = f"no side {name!r}; {nearest(str(name), [one.side for one in self.sides])}"
        raise UnknownNameError(msg)

    def ratio(self, a: str = "", b: str = "", *, turn: int | None = None) -> Fraction:
        """Return the points of one side over those of another one, exactly.

        Parameters
        ----------
        a, b : str
            Sides; the first two otherwise.
        turn : int, optional
            Of what has come for certain by that turn; of all that can come otherwise.

        Raises
        ------
        UnknownNameError
            When the scenario has no such side.
        ScenarioRuleError
            When there are no two sides, or the second one has no points.
        """
        if len(self.sides) < 2:
            msg = "balance: a ratio is that of two sides; the scenario has fewer"
            raise ScenarioRuleError(msg)
        first = self.side(a) if a else self.sides[0]
        second = self.side(b) if b else next(one for one in self.sides if one is not first)
        top, bottom = (one.points if turn is None else one.at(turn) for one in (first, second))
        if not bottom:
            msg = f"balance: {second.side} has no {self.measure}" + (f" in turn {turn}" if turn is not None else "")
            raise ScenarioRuleError(msg)
        return Fraction(top, bottom)

    def ratio_words(self, a: str = "", b: str = "", *, turn: int | None = None) -> str:
        """Return the ratio of two sides in words, such as ``1:1.30``; as :meth:`ratio`, and ``0:1`` for nothing.

        Raises
        ------
        UnknownNameError, ScenarioRuleError
            As for :meth:`ratio`.
        """
        ratio = self.ratio(a, b, turn=turn)
        return ratio_words(ratio) if ratio else "0:1"

    @property
    def turns(self) -> list[int]:
        """Turns in which something comes, 0 for the start, in order."""
        return sorted({0, *(one.turn for side in self.sides for one in side.counted)})

    def by_turn(self) -> dict[str, dict[int, int]]:
        """Return the points of each side that have come for certain, by the turns in which something comes."""
        return {side.side: {turn: side.at(turn) for turn in self.turns} for side in self.sides}

    def bid(self, side: str, points: int) -> BidMeaning:
        """Return what a side must leave out, or may add, to have so many points (Armageddon War 7.3).

        Raises
        ------
        UnknownNameError
            When the scenario has no such side.
        ScenarioRuleError
            When the points are no whole number from 0.
        """
        if isinstance(points, bool) or not isinstance(points, int) or points < 0:
            msg = f"bid: got {points!r}; allowed are whole numbers from 0"
            raise ScenarioRuleError(msg)
        found = self.side(side)
        over = points - found.points
        gone = leave_out(self.document, self.ruleset, found, -over)
        more = may_add(self.document, self.ruleset, found, over) if over > 0 else ()
        return BidMeaning(found.side, points, found.points, gone, more)

    def substitutes(self, side: str) -> dict[str, list[str]]:
        """Return by type of unit what could stand in for it: other types of its nation and kind (7.3, option 3).

        Raises
        ------
        UnknownNameError
            When the scenario has no such side.
        """
        found = self.side(side)
        forces = [force for force in self.document.forces if force.id in found.forces]
        units = [unit for force in forces for part in force.formations for unit in part.units]
        return substitutes(roster_of(self.ruleset, self.document), units)

    # -- telling -----------------------------------------------------------------------------------------------------

    def _counted(self, one: FormationStrength) -> str:
        """Return what the points of a formation are for: its units, and its markers where those cost something."""
        units = "1 unit" if one.units == 1 else f"{one.units} units"
        if not point_scale(self.ruleset.id).markers.formation:
            return units
        parts = {part.id: part.activation_markers for force in self.document.forces for part in force.formations}
        markers = parts.get(one.formation, 0)
        return units + (f", {markers} markers" if markers > 1 else ", 1 marker" if markers else "")

    def _when(self, one: FormationStrength) -> str:
        if not one.turn and one.certain:
            return ""
        words = f"from {self.document.length_unit} {one.turn}" if one.turn else "later"
        return f", {words}" if one.certain else f", {words} at the earliest, not for certain"

    def __repr__(self) -> str:
        lines = [f"Balance of {self.document.title!r}, {self.measure} by the roster"]
        for side in self.sides:
            printed = side.printed_points
            told = f", {printed} printed" if printed is not None and printed != side.points else ""
            lines.append(f"  {side.name} ({side.side}): {side.points} ({side.units} units{told})")
            if side.breaks_at is not None:
                share = f", {side.break_share} of it" if side.break_share is not None else ""
                lines[-1] += f"; breaks contact at {side.breaks_at}{share}"
            for one in side.formations:
                lines.append(f"    {one.name}: {one.points} ({self._counted(one)}){self._when(one)}{_printed(one)}")
        if len(self.sides) > 1 and all(side.points for side in self.sides):
            for second in self.sides[1:]:
                words = self.ratio_words(self.sides[0].side, second.side)
                lines.append(f"  {self.sides[0].side} to {second.side}: {words}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        for side in self.sides:
            rows.append(_row("th", side.name, side.units, side.points, side.printed_points))
            for one in side.formations:
                rows.append(_row("td", one.name + self._when(one), one.units, one.points, one.printed_points))
        head = "".join(f"<th>{name}</th>" for name in ("", "units", self.measure, "printed"))
        told = ""
        if len(self.sides) == 2 and all(side.points for side in self.sides):
            told = f"<br>{escape(self.sides[0].name)} to {escape(self.sides[1].name)}: {self.ratio_words()}"
        return f"<b>{escape(self.document.title)}</b><table><tr>{head}</tr>{''.join(rows)}</table>{told}"

    def to_dict(self) -> dict[str, Any]:
        """Return the balance as plain data; ratios as texts, such as ``37/48``."""
        names = [side.side for side in self.sides]
        ratios = {
            f"{a}:{b}": {"exact": str(self.ratio(a, b)), "words": self.ratio_words(a, b)}
            for n, a in enumerate(names)
            for b in names[n + 1 :]
            if self.side(b).points
        }
        return {
            "title": self.document.title,
            "measure": self.measure,
            "sides": [
                {
                    "side": side.side,
                    "name": side.name,
                    "forces": list(side.forces),
                    "units": side.units,
                    "points": side.points,
                    "printed_points": side.printed_points,
                    "breaks_at": side.breaks_at,
                    "break_share": None if side.break_share is None else str(side.break_share),
                    "formations": [{**one._asdict(), "difference": one.difference} for one in side.formations],
                }
                for side in self.sides
            ],
            "ratios": ratios,
            "by_turn": {
                side: {str(turn): points for turn, points in found.items()} for side, found in self.by_turn().items()
            },
        }

    def to_frame(self) -> DataFrame:
        """Return a row a formation, with what it is worth, as a DataFrame."""
        import pandas as pd

        rows = [{**one._asdict(), "difference": one.difference} for one in self.formations]
        columns = [*FormationStrength._fields, "difference"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.astype(dict.fromkeys(("printed_units", "printed_points", "difference"), "Int64"))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw a bar a side, with its formations; see :func:`studio.draw.draw_balance`.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Draw here.
        """
        from studio.draw import draw_balance, pyplot_figures

        with pyplot_figures():
            axes: Axes = draw_balance(self, ax=ax)
            return axes


def _row(tag: str, *cells: str | int | None) -> str:
    shown = ("" if cell is None else escape(str(cell)) for cell in cells)
    return "<tr>" + "".join(f"<{tag} style='text-align:left'>{cell}</{tag}>" for cell in shown) + "</tr>"


def _printed(one: FormationStrength) -> str:
    told = []
    if one.difference:
        told.append(f"{one.printed_points} points")
    if one.printed_units is not None and one.printed_units != one.units:
        told.append(f"{one.printed_units} units")
    return f"; printed {', '.join(told)}" if told else ""


class ScenarioBalance(ScenarioKinds):
    """A scenario whose sides can be weighed against each other."""

    def balance(self) -> Balance:
        """Return how strong the sides are, by the points of the roster (in Modern Tactics casualty points).

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> found = raid.balance()
        >>> found.side("rebel").points, found.side("isil").points, found.ratio_words()
        (37, 48, '1:1.30')
        """
        with self.lock:
            return Balance(self.document, self.ruleset)

    def bid(self, option: Literal[1, 2, 3] = 1, *, base: Literal[1, 2] = 1) -> Bid:
        """Return the bidding for a side (Armageddon War 7.3).

        Parameters
        ----------
        option : {1, 2, 3}
            From the points as they are; from a tenth more, a tenth going to the other side; or with a tenth of the
            units changed for others.
        base : {1, 2}
            What option 3 goes with.

        Raises
        ------
        UnsupportedError
            When the game has no points to bid with.
        ScenarioRuleError
            When there is no such option, or fewer than two sides of players with points.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.bid(option=2).start, raid.bid(option=2).means(51).over
        (53, 3)
        """
        with self.lock:
            found = self.balance()
            return Bid(bidding(found.document, self.ruleset, option, base=base), found)

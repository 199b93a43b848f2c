"""Answers about supply: which units are in supply, by what line, or what keeps them out; and interdiction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from studio.paths.unit_answers import UnitAnswers
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    import numpy as np
    from geopandas import GeoDataFrame
    from numpy.typing import NDArray

    from studio.paths.supply import SupplyGround
    from studio.survey import Survey

__all__ = ["Interdiction", "Supply", "Told", "UnitSupply"]


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says beside yes or no; the attributes are those of :class:`UnitSupply`."""

    source: str = ""
    path: tuple[str, ...] = ()
    cost: Fraction | None = None
    reason: str = ""
    costs: tuple[Fraction, ...] = ()
    off_road: int = 0
    cuts: tuple[str, ...] = ()
    attempt: tuple[str, ...] = ()
    short: Fraction | None = None
    warning: str = ""


class UnitSupply:
    """Whether a unit is in supply, and why.

    Parameters
    ----------
    unit, side, at : str
        Id of the unit, id of its force, label of its hex.
    supplied : bool
    told : Told or callable
        The rest, or what finds it when it is asked for.
    """

    __slots__ = ("_told", "at", "side", "supplied", "unit")

    def __init__(self, unit: str, side: str, at: str, supplied: bool, told: Told | Callable[[], Told]) -> None:
        self.unit, self.side, self.at, self.supplied, self._told = unit, side, at, supplied, told

    @property
    def told(self) -> Told:
        """The rest of the answer.

        Raises
        ------
        StaleAnswerError
            When it was not found yet, one of a great many, and the map has changed since.
        """
        return self._told if isinstance(self._told, Told) else self._told()

    @property
    def source(self) -> str:
        """Label of the source; empty without a line."""
        return self.told.source

    @property
    def path(self) -> tuple[str, ...]:
        """Labels from the unit to the source, both included; empty without a line."""
        return self.told.path

    @property
    def cost(self) -> Fraction | None:
        """Movement points off road; None without a line."""
        return self.told.cost

    @property
    def reason(self) -> str:
        """The line in words, or the nearest miss."""
        return self.told.reason

    @property
    def costs(self) -> tuple[Fraction, ...]:
        """Running cost at each hex of the path, or of the attempt."""
        return self.told.costs

    @property
    def off_road(self) -> int:
        """How many steps of the path, or of the attempt, are off road; they come first."""
        return self.told.off_road

    @property
    def cuts(self) -> tuple[str, ...]:
        """Out of supply: the fewest hexes that would have to be otherwise for a line to be there."""
        return self.told.cuts

    @property
    def attempt(self) -> tuple[str, ...]:
        """Out of supply: the line that comes nearest, over the cuts or beyond the limit."""
        return self.told.attempt

    @property
    def short(self) -> Fraction | None:
        """Points that the best line as things are is over the limit; None where there is no such line."""
        return self.told.short

    @property
    def warning(self) -> str:
        """What is odd about its hex: no such unit can be there. Empty for nothing."""
        return self.told.warning

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnitSupply):
            return NotImplemented
        mine, its = ((one.unit, one.side, one.at, one.supplied, one.told) for one in (self, other))
        return mine == its

    def __hash__(self) -> int:
        return hash((self.unit, self.side, self.at, self.supplied))

    def __repr__(self) -> str:
        return f"UnitSupply({self})"

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data for JSON.

        Returns
        -------
        dict
            ``unit``, ``side``, ``at``, ``supplied``, ``source``, ``path``, ``cost`` (points off road) and ``reason``;
            ``off_road`` (steps off road of the path or the attempt, they come first) and ``costs`` (running, at each
            of its hexes); out of supply also ``attempt`` (labels), ``cuts`` (labels) and ``short`` (points, or None);
            ``warning`` where no such unit can be in the hex.
        """
        told, missed = self.told, dict[str, Any]()
        if not self.supplied:
            missed = {"attempt": list(told.attempt), "cuts": list(told.cuts), "short": _number(told.short)}
        return {
            "unit": self.unit,
            "side": self.side,
            "at": self.at,
            "supplied": self.supplied,
            "source": told.source,
            "path": list(told.path),
            "cost": _number(told.cost),
            "reason": told.reason,
            "off_road": told.off_road,
            "costs": [_number(cost) for cost in told.costs],
            **missed,
            **({"warning": told.warning} if told.warning else {}),
        }

    @property
    def who(self) -> str:
        """The unit and its hex; a place that is asked about stands for itself."""
        return self.at if self.unit == self.at else f"{self.unit} at {self.at}"

    def __str__(self) -> str:
        told = self.told
        warning = f" (warning: {told.warning})" if told.warning else ""
        return f"{self.who}: {'in supply' if self.supplied else 'OUT OF SUPPLY'}: {told.reason}{warning}"


def _number(points: Fraction | None) -> int | float | None:
    """Return points as a number of JSON: whole, or with a half, which is exact there."""
    return None if points is None else float(points) if points.denominator > 1 else int(points)


class Supply(UnitAnswers[UnitSupply]):
    """The supply of units, one answer each, in the order of the scenario.

    Parameters
    ----------
    units : sequence of UnitSupply
    survey : Survey
        Of the map.
    grounds : mapping of str to SupplyGround
        What holds for each side that was asked about, for pictures.
    owner : array of int, optional
        Place of the side that controls each hex, -1 for nobody, for pictures.

    Attributes
    ----------
    state : object
        State of the scenario that it was asked of, None where it was none: it tells old answers.
    """

    state: object = None

    def __init__(
        self,
        units: Sequence[UnitSupply],
        survey: Survey,
        grounds: Mapping[str, SupplyGround] | None = None,
        owner: NDArray[np.int32] | None = None,
    ) -> None:
        self.units, self.survey, self.revision = tuple(units), survey, survey.revision
        self.grounds, self.owner = dict(grounds or {}), owner

    def only(self, *units: str) -> Supply:
        """Return the answers for some units alone."""
        kept = [one for one in self.units if one.unit in units]
        only = Supply(kept, self.survey, self.grounds, self.owner)
        only.state = self.state
        return only

    @property
    def supplied(self) -> list[str]:
        """Ids of the units in supply."""
        return [one.unit for one in self.units if one.supplied]

    @property
    def out_of_supply(self) -> list[str]:
        """Ids of the units out of supply."""
        return [one.unit for one in self.units if not one.supplied]

    def to_dict(self) -> dict[str, Any]:
        """Return all answers as plain data."""
        return {"units": [one.to_dict() for one in self.units]}

    def to_frame(self) -> GeoDataFrame:
        """Return the answers as a GeoDataFrame by unit, with the lines in map units; no geometry without a line.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        import geopandas
        import shapely

        check_fresh(self.survey.directory, self.revision, "scenario.supply(...)")
        grid, cell = self.survey.grid, self.survey.model.labels.cell
        lines = []
        for one in self.units:
            path = one.path
            points = [grid.to_map(*grid.centre(cell(label))) for label in (path * 2 if len(path) == 1 else path)]
            lines.append(shapely.LineString(points) if path else None)
        records = [one.to_dict() for one in self.units]
        columns = ["unit", "side", "at", "supplied", "source", "path", "cost", "reason"]
        data = {name: [record[name] for record in records] for name in columns}
        return geopandas.GeoDataFrame(data, geometry=lines).set_index("unit")

    def __repr__(self) -> str:
        return "\n".join([self._head(), *map(str, self.units)])

    def _head(self) -> str:
        count, out = len(self.units), len(self.out_of_supply)
        noun = "place" if self.units and all(one.unit == one.at for one in self.units) else "unit"
        return f"{count} {noun}{'s' * (count != 1)}, {out or 'none'} out of supply"

    def _repr_html_(self) -> str:
        rows = ""
        for one in self.units:
            state = "✓ in supply" if one.supplied else "✗ out of supply"
            cost = "" if one.cost is None else str(one.to_dict()["cost"])
            why = f"{one.reason} (warning: {one.warning})" if one.warning else one.reason
            cells = (one.unit, one.side, one.at, state, one.source, cost, why)
            rows += f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in cells)}</tr>"
        names = ("unit", "side", "at", "supply", "source", "MP", "reason")
        head = "".join(f"<th>{name}</th>" for name in names)
        return f"<b>{escape(self._head())}</b><table><tr>{head}</tr>{rows}</table>"


class Interdiction:
    """By how many units each hex would cut off from supply if an enemy stood there.

    Parameters
    ----------
    units : mapping of int to sequence of str
        Ids of the units that are cut off, by hex; hexes that cut off none are left out.
    survey : Survey
    side : str
        Id of the force whose supply it is.
    asked : int
        How many units of it are in supply as things are.

    Attributes
    ----------
    state : object
        As of :class:`Supply`.
    """

    state: object = None

    def __init__(self, units: Mapping[int, Sequence[str]], survey: Survey, side: str, asked: int) -> None:
        self.survey, self.side, self.asked, self.revision = survey, side, asked, survey.revision
        self.cells = {cell: tuple(names) for cell, names in units.items()}

    @property
    def counts(self) -> dict[str, int]:
        """Number of units that each hex would cut off, by label; the most first."""
        label = self.survey.model.labels.label
        order = sorted(self.cells, key=lambda cell: (-len(self.cells[cell]), cell))
        return {label(cell): len(self.cells[cell]) for cell in order}

    def count(self, label: str) -> int:
        """Return how many units a hex would cut off.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        return len(self.units(label))

    def units(self, label: str) -> tuple[str, ...]:
        """Return the ids of the units that a hex would cut off.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        return self.cells.get(self.survey.model.labels.cell(label), ())

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        names = {label: list(self.units(label)) for label in self.counts}
        return {"side": self.side, "in_supply": self.asked, "hexes": names}

    def to_frame(self) -> GeoDataFrame:
        """Return the hexes that cut off units as a GeoDataFrame, indexed by label: how many, which, and the outline.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.survey.directory, self.revision, "scenario.interdiction(...)")
        counts = self.counts
        frame = self.survey.locations()[["geometry"]].loc[list(counts)].copy()
        frame.insert(0, "cuts_off", list(counts.values()))
        frame.insert(1, "units", [", ".join(self.units(label)) for label in counts])
        return frame

    def __repr__(self) -> str:
        one = len(self.cells) == 1
        hexes = f"{len(self.cells)} hex{'' if one else 'es'} cut{'s' if one else ''} off units"
        lines = [f"{self.side}: {hexes}, of {self.asked} in supply"]
        lines += [f"{label}: {count} ({', '.join(self.units(label))})" for label, count in self.counts.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{count}</td><td>{escape(', '.join(self.units(label)))}</td></tr>"
            for label, count in self.counts.items()
        )
        head = f"<b>{escape(self.side)}: hexes that cut off units ({self.asked} in supply)</b>"
        return f"{head}<table><tr><th>hex</th><th>units</th><th>ids</th></tr>{rows}</table>"

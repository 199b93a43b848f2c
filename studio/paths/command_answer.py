"""Answers about command: which leaders or headquarters have each unit in range, by what distance, or how near it is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from studio.paths.unit_answers import UnitAnswers
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.survey import Survey

__all__ = ["Command", "CommandLink", "ForceChain", "UnitCommand", "commanded"]


class CommandLink(msgspec.Struct, frozen=True, kw_only=True):
    """How far a unit is from a leader or headquarters.

    Attributes
    ----------
    leader, role, at : str
        Id of the leader, what it is in words, label of its location.
    distance, limit : int
        How far it is, and how far it may be.
    measure : str
        What is counted: ``hex`` or ``EP``.
    path : tuple of str
        Labels from the leader to the unit, where the way matters.
    bar : str
        What keeps the leader from commanding though it is near enough; empty for nothing.
    """

    leader: str
    role: str
    at: str
    distance: int
    limit: int
    measure: str
    path: tuple[str, ...] = ()
    bar: str = ""

    @property
    def holds(self) -> bool:
        """Whether the unit is in range of a leader that can command."""
        return self.distance <= self.limit and not self.bar

    @property
    def short(self) -> int:
        """How much too far it is, 0 for not at all."""
        return max(0, self.distance - self.limit)

    @property
    def told(self) -> str:
        """The distance in words."""
        if self.measure != "hex":
            return f"{self.distance} {self.measure}"
        return f"{self.distance} hex{'es' * (self.distance != 1)}"

    @property
    def text(self) -> str:
        """Leader, place, distance and range in words."""
        bar = f", {self.bar}" if self.bar else ""
        return f"{self.told} from {self.role} {self.leader} at {self.at} (range {self.limit}){bar}"

    def to_dict(self) -> dict[str, Any]:
        """Return the link as plain data."""
        return {**msgspec.to_builtins(self), "path": list(self.path), "holds": self.holds, "text": self.text}


class UnitCommand(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit is in command, and why.

    Attributes
    ----------
    unit, side, formation, at : str
        Ids of the unit, its force and its formation, and the label of its location.
    in_command : bool
    links : tuple of CommandLink
        To every leader that has it in range, the nearest first.
    nearest : CommandLink or None
        Out of command: what comes nearest; None where nobody could command it.
    reason : str
        The nearest leader in words, or the nearest miss.
    """

    unit: str
    side: str
    formation: str
    at: str
    in_command: bool
    links: tuple[CommandLink, ...] = ()
    nearest: CommandLink | None = None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {
            "unit": self.unit,
            "side": self.side,
            "formation": self.formation,
            "at": self.at,
            "in_command": self.in_command,
            "links": [link.to_dict() for link in self.links],
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
            "reason": self.reason,
        }

    def __str__(self) -> str:
        return f"{self.unit} at {self.at}: {'in command' if self.in_command else 'OUT OF COMMAND'}: {self.reason}"


class ForceChain(msgspec.Struct, frozen=True, kw_only=True):
    """How many units of a formation can be activated by the chain of command.

    Attributes
    ----------
    side, formation : str
    blocks : int
    text : str
        Why.
    links : tuple of CommandLink
        Of the chain, as far as its members are on the map; each with the id of the unit that it leads to.
    to : tuple of str
        Labels of the locations that the links lead to, in their order.
    """

    side: str
    formation: str
    blocks: int
    text: str
    links: tuple[CommandLink, ...] = ()
    to: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the chain as plain data."""
        links = [{**link.to_dict(), "to": to} for link, to in zip(self.links, self.to, strict=True)]
        known = {"side": self.side, "formation": self.formation, "blocks": self.blocks, "text": self.text}
        return {**known, "links": links}

    def __str__(self) -> str:
        return f"{self.formation} ({self.side}): {self.blocks} units can be activated: {self.text}"


def commanded(
    unit: str, side: str, formation: str, at: str, links: Sequence[CommandLink], nobody: str = ""
) -> UnitCommand:
    """Return the answer for a unit from its distances to all that could command it.

    Parameters
    ----------
    unit, side, formation, at : str
    links : sequence of CommandLink
    nobody : str
        Why there is no link at all.
    """
    by_distance = sorted(links, key=lambda link: (link.distance, link.leader))
    holding = tuple(link for link in by_distance if link.holds)
    if holding:
        reason = "; ".join(link.text for link in holding)
        return UnitCommand(
            unit=unit, side=side, formation=formation, at=at, in_command=True, links=holding, reason=reason
        )
    miss = min(by_distance, key=lambda link: (link.short, bool(link.bar), link.distance, link.leader), default=None)
    reason = nobody or "the side has nobody on the map who commands"
    if miss is not None:
        beyond = f"{miss.short} {'EP' if miss.measure == 'EP' else 'hex' + 'es' * (miss.short != 1)} too far: "
        reason = (beyond if miss.short else "") + miss.text
    return UnitCommand(unit=unit, side=side, formation=formation, at=at, in_command=False, nearest=miss, reason=reason)


class Command(UnitAnswers[UnitCommand]):
    """The command of units, one answer each, in the order of the scenario.

    Parameters
    ----------
    units : sequence of UnitCommand
    survey : Survey
        Of the map.
    leaders : mapping of str to (str, str, int)
        Of every leader its side, its label and its range, for pictures.
    chains : sequence of ForceChain
        In games with a chain of command, one a formation.

    Attributes
    ----------
    state : object
        State of the scenario that it was asked of, None where it was none: it tells old answers.
    """

    state: object = None

    def __init__(
        self,
        units: Sequence[UnitCommand],
        survey: Survey,
        leaders: dict[str, tuple[str, str, int]] | None = None,
        chains: Sequence[ForceChain] = (),
    ) -> None:
        self.units, self.survey, self.revision = tuple(units), survey, survey.revision
        self.leaders, self.chains = dict(leaders or {}), tuple(chains)

    @property
    def in_command(self) -> list[str]:
        """Ids of the units in command."""
        return [one.unit for one in self.units if one.in_command]

    @property
    def out_of_command(self) -> list[str]:
        """Ids of the units out of command."""
        return [one.unit for one in self.units if not one.in_command]

    def to_dict(self) -> dict[str, Any]:
        """Return all answers as plain data."""
        found: dict[str, Any] = {"units": [one.to_dict() for one in self.units]}
        if self.chains:
            found["chains"] = [chain.to_dict() for chain in self.chains]
        return found

    def to_frame(self) -> GeoDataFrame:
        """Return the answers as a GeoDataFrame by unit, with a line from the nearest leader in range, in map units.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        import geopandas
        import shapely

        directory, grid = self.survey.directory, self.survey.grid
        check_fresh(directory, self.revision, "scenario.command(...)")

        def point(label: str) -> tuple[float, float]:
            return grid.to_map(*directory.dot(directory.number(label)))

        columns: dict[str, list[Any]] = {
            "unit": [one.unit for one in self.units],
            "side": [one.side for one in self.units],
            "formation": [one.formation for one in self.units],
            "at": [one.at for one in self.units],
            "in_command": [one.in_command for one in self.units],
            "leaders": [[link.leader for link in one.links] for one in self.units],
            "distance": [one.links[0].distance if one.links else None for one in self.units],
            "reason": [one.reason for one in self.units],
        }
        lines = [
            shapely.LineString([point(one.links[0].at), point(one.at)]) if one.links else None for one in self.units
        ]
        return geopandas.GeoDataFrame(columns, geometry=lines).set_index("unit")

    def __repr__(self) -> str:
        return "\n".join([self._head(), *map(str, self.chains), *map(str, self.units)])

    def _head(self) -> str:
        count, out = len(self.units), len(self.out_of_command)
        return f"{count} unit{'s' * (count != 1)}, {out or 'none'} out of command"

    def _repr_html_(self) -> str:
        rows = ""
        for one in self.units:
            state = "✓ in command" if one.in_command else "✗ out of command"
            leaders = ", ".join(link.leader for link in one.links)
            cells = (one.unit, one.side, one.formation, one.at, state, leaders, one.reason)
            rows += f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in cells)}</tr>"
        names = ("unit", "side", "formation", "at", "command", "leaders", "reason")
        head = "".join(f"<th>{name}</th>" for name in names)
        chains = "".join(f"<li>{escape(str(chain))}</li>" for chain in self.chains)
        listed = f"<ul>{chains}</ul>" if chains else ""
        return f"<b>{escape(self._head())}</b>{listed}<table><tr>{head}</tr>{rows}</table>"

"""Movement in Phantom Fury (12): the links between boxes and street sections, explained one by one and all at once.

A squad crosses a street section from box to box in one link of two points, since it does not stay in it (12.2.3, 12.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, cast

from studio.errors import GridError
from studio.paths import FORBIDDEN, CostPart, MoveJudge, MoveState, Network, Step, read_state
from studio.paths.points import points_text
from studio.paths.state import check_mover
from studio.rules import get_ruleset
from studio.rules.phantom_fury.moves import IIF, TANK, Move, moves_of, parts_of
from studio.rules.phantom_fury.retreat import Infiltration, Retreat, infiltrations_of, retreat_of
from studio.rules.phantom_fury.situation import DistrictState, Situation
from studio.survey import Survey

__all__ = ["STATE", "DistrictState", "Judge", "entries", "infiltrations", "judge", "retreat"]

STATE = DistrictState

GUERILLAS = "guerillas"


def judge(
    survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> Judge:
    """Return a judge of movement for the map as it is now.

    Parameters
    ----------
    survey : Survey
    mover : str
        ``usmc_squad``, ``iif_squad``, ``m1a1_abrams``, or ``guerillas``, which move by retreat only.
    options : mapping, optional
        Readings to use instead of the defaults.
    state : DistrictState, optional

    Raises
    ------
    UnknownNameError
        When the game has no such mover or option.
    ScenarioRuleError
        When an option cannot have such a value, or the state is of another game.
    """
    return Judge(survey, mover, options, state)


def retreat(
    survey: Survey,
    unit: str,
    attacker: str = "",
    *,
    options: Mapping[str, Any] | None = None,
    state: MoveState | None = None,
) -> Retreat:
    """Return the Retreat Movement of a 'Guerillas' unit: which egress route it takes, and why (13.6).

    Parameters
    ----------
    survey : Survey
    unit : str
        Label of its box or zone.
    attacker : str
        Whoever attacked: it makes no difference in this game.
    options, state
        As of :func:`judge`.

    Raises
    ------
    LabelError
        When the map has no such location.
    GridError
        When the location is no zone, and no box of one.
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`.
    """
    del attacker
    return Judge(survey, GUERILLAS, options, state).retreat(survey.directory.number(unit))


def infiltrations(
    survey: Survey, *, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> list[Infiltration]:
    """Return for every zone under control and without USMC units whether it is infiltrated, and why (14.4).

    Parameters
    ----------
    survey : Survey
    options, state
        As of :func:`judge`.

    Raises
    ------
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`.
    """
    return Judge(survey, GUERILLAS, options, state).infiltrations()


def entries(
    survey: Survey, mover: str, *, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> list[Step]:
    """Return where reinforcements may be placed, and what keeps them out elsewhere (10).

    Parameters
    ----------
    survey : Survey
    mover, options, state
        As of :func:`judge`.

    Raises
    ------
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`.
    """
    return Judge(survey, mover, options, state).entries()


class Judge(MoveJudge):
    """Movement of one kind of unit on one state of a district; see :func:`judge`."""

    def __init__(
        self, survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
    ) -> None:
        super().__init__(survey, mover)
        self.ruleset = get_ruleset("phantom_fury")
        check_mover(mover, self.ruleset.movers, self.ruleset.title)
        self.state = cast(DistrictState, read_state(survey.directory, DistrictState, state))
        self.situation = Situation(survey, self.ruleset.options(options), self.state)
        self.figures = self.ruleset.catalogue.modifiers

    # -- moves -----------------------------------------------------------------------------------------------------

    @cached_property
    def _moves(self) -> dict[tuple[int, int], list[Move]]:
        found: dict[tuple[int, int], list[Move]] = {}
        if self.mover != GUERILLAS:
            for move in moves_of(self.situation, self.mover):
                found.setdefault((move.a, move.b), []).append(move)
        return found

    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of a move from a location to an Adjacent one, or across a street section.

        Raises
        ------
        GridError
            When the two are not Adjacent, and no street section is crossed between them.
        """
        label = self.situation.label
        if (a, b) not in self._moves:
            if self.mover == GUERILLAS:
                msg = f"{label(a)} to {label(b)}: 'Guerillas' units move by retreat only; ask for a retreat"
                raise GridError(msg)
            msg = f"{label(a)} and {label(b)} are not Adjacent: no arrow, entry symbol or street section joins them"
            raise GridError(msg)
        steps = [
            Step(label(a), label(b), self.mover, tuple(parts_of(self.situation, self.mover, move)))
            for move in self._moves[a, b]
        ]
        # Of several ways a free one, the cheapest; of those that are not, the first.
        return min(steps, key=lambda step: (step.halves is None, step.halves or 0))

    @cached_property
    def network(self) -> Network:
        """All nodes and links."""
        links = []
        for a, b in self._moves:
            halves = self.step(a, b).halves
            links.append((a, b, FORBIDDEN if halves is None else halves))
        return Network.from_links(len(self.survey.directory), links)

    def stop(self, node: int) -> CostPart | None:
        """Return what keeps a unit from ending its move in a location, None when nothing does (12.2, 12.6.3)."""
        situation, name = self.situation, self.situation.label(node)
        if node not in situation.home:
            return None
        home = situation.home[node]
        if self.mover == TANK:
            return self._tank_stop(home, name)
        if situation.is_street(node):
            return CostPart("12.2.3", None, f"{name}: no squad ends its move in a street section of its own will")
        if node in self.state.squads | self.state.pinned and (situation.controlled(home) or situation.holy(home)):
            return CostPart("12.2.2", None, f"{name}: another squad, to be passed through only")
        return None

    def _tank_stop(self, home: str, name: str) -> CostPart | None:
        district, situation = self.situation.district, self.situation
        near = district.neighbouring(home) if district.is_zone(home) else district.zones_beside(home)
        if district.is_zone(home) and situation.options["abrams_end"] == "own_zone":
            near |= {home}
        if any(situation.controlled(zone) for zone in near):
            return None
        kind = "Neighbouring" if district.is_zone(home) else "Adjacent"
        return CostPart("12.6.3", None, f"{name}: no {kind} zone is under USMC control")

    def closed_to(self, number: int) -> CostPart | None:
        """Return why a kind of unit is never in a location (12.2, 12.6, 13.6), None where it can be."""
        name, situation = self.situation.label(number), self.situation
        if self.mover == GUERILLAS:
            return CostPart("13.6", None, "'Guerillas' units move by retreat only; ask for a retreat")
        if self.mover == TANK:
            if number not in self._tank_places:
                return CostPart("12.6", None, f"{name}: an M1A1 Abrams keeps to street sections and Open Ground")
        elif not (situation.is_box(number) or situation.is_street(number)):
            return CostPart("12.2", None, f"{name}: squads move from box to box")
        return None

    @cached_property
    def _tank_places(self) -> set[int]:
        """Street sections, and boxes of Open Ground that a tank gets into."""
        streets = {self.situation.numbers[street] for street in self.situation.district.streets}
        return streets | {number for pair in self._moves for number in pair}

    def allowances(self) -> dict[str, str]:
        """Return the points of a move (5.1.1, 12.6.1), as ``"4 MP"``; of an M1A1 Abrams by what the die shows."""
        if self.mover == GUERILLAS:
            return {}
        if self.mover != TANK:
            return {"move": points_text(2 * int(self.figures["move_squad"]), self.unit)}
        return {str(self.figures[f"abrams_{points}"]): points_text(2 * points, self.unit) for points in (4, 3, 2, 1)}

    # -- what else moves -------------------------------------------------------------------------------------------

    def retreat(self, number: int) -> Retreat:
        """Return the Retreat Movement of a 'Guerillas' unit in a box or zone: which route it takes, and why (13.6).

        Raises
        ------
        GridError
            When the location is no zone, and no box of one.
        """
        return retreat_of(self.situation, number)

    def infiltrations(self) -> list[Infiltration]:
        """Return for every zone under control and without USMC units whether it is infiltrated, and why (14.4)."""
        return list(infiltrations_of(self.situation))

    def entries(self) -> list[Step]:
        """Return where reinforcements of this kind may be placed, and what keeps them out elsewhere (10)."""
        return list(self._tank_entries() if self.mover == TANK else self._squad_entries())

    def _squad_entries(self) -> Iterator[Step]:
        situation, district = self.situation, self.situation.district
        if self.mover == GUERILLAS:
            return
        early = self._too_early()
        for zone in district.zones:
            if "start" not in district.areas[zone].tags:
                continue
            for number in situation.box_numbers(zone):
                if "entry" not in district.boxes[situation.label(number)].tags:
                    continue
                name = situation.label(number)
                parts = [CostPart("10.1", 0, f"{name}: the entry symbol of start zone {district.label(zone)}"), *early]
                if not situation.controlled(zone):
                    parts.append(CostPart("10.1", None, f"zone {district.label(zone)}: not under USMC control"))
                yield Step("reinforcements", name, self.mover, tuple(parts))

    def _too_early(self) -> list[CostPart]:
        """Return what keeps IIF squads off the map until a zone Neighbouring to the mosque is controlled (10.4)."""
        situation, district = self.situation, self.situation.district
        if self.mover != IIF:
            return []
        holy = [zone for zone in district.zones if situation.holy(zone)]
        if any(situation.controlled(zone) for mosque in holy for zone in district.neighbouring(mosque)):
            return []
        return [CostPart("10.4", None, "no zone that is Neighbouring to the mosque is under USMC control")]

    def _tank_entries(self) -> Iterator[Step]:
        situation, district = self.situation, self.situation.district
        for street in district.streets:
            if "north-edge" not in district.areas[street].tags:
                continue
            name = district.label(street)
            parts = [CostPart("10.2", 0, f"{name}: on the north edge")]
            if situation.shut(street):
                parts.append(CostPart("12.4.1", None, f"{name}: out of play"))
            if situation.tanks_in(street):
                parts.append(CostPart("12.2.3", None, f"{name}: an M1A1 Abrams is in it already"))
            if not any(situation.controlled(zone) for zone in district.zones_beside(street)):
                parts.append(CostPart("10.2", None, f"{name}: no zone beside it is under USMC control"))
            yield Step("reinforcements", name, self.mover, tuple(parts))

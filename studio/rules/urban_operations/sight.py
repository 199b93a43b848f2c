"""Lines of sight in Urban Operations (5.1.9, 8.2.7.8.1, 13.5): the readable judge of one line.

The judge decides which rules a line is under: between the two ends of a vertical link, within one building, or in the
open. What it then meets is told by :mod:`studio.rules.urban_operations.open_line` and
:mod:`studio.rules.urban_operations.inside`. The field of view in :mod:`studio.rules.urban_operations.field` gives the
same verdicts for all locations at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import Contact
from studio.rules.urban_operations import field as fast
from studio.rules.urban_operations.effect_points import EffectPoints, count_effect_points
from studio.rules.urban_operations.inside import inner_view, inside_facts
from studio.rules.urban_operations.line import End, Line, outside
from studio.rules.urban_operations.open_line import Fact, open_line_facts
from studio.rules.urban_operations.plan import Plan
from studio.rules.urban_operations.scene import NOTHING, ROOF, ROOM, Scene
from studio.sight import Conditions, PackedCodes, PlacedContact, ProfileStep, Reason, Sighting, place_contact
from studio.sight.trace import AreaContact, LineContact
from studio.survey import Survey

__all__ = ["CONDITIONS", "OPTIONS", "Judge", "judge"]


CONDITIONS: dict[str, tuple[str, ...]] = {
    "smoke": (),
    "vehicles": (),
    "opened": (),
    "from_kind": ("sniper",),
    "to_kind": ("sniper",),
}
"""Conditions that the rules of sight know, with the texts that they may be."""


LAYERS = True
"""What lies underground is judged by the rules of the game (5.1.6): an access joins it to the surface."""


OPTIONS = frozenset(
    {
        "wall_touch",
        "wall_along",
        "ground_border",
        "low_ground",
        "level_change",
        "blind_locations",
        "arc",
        "wall_breach_line",
        "whole_hex_breach",
        "inner_zones",
    }
)
"""Readings of the rules that bear on sight; the others are about movement and command."""


def judge(survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> Judge:
    """Return a judge for the map as it is now.

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions
    """
    return Judge(Scene(survey, options, conditions))


class Judge:
    """Judges lines of sight on one state of a map.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.options, self.conditions = scene.options, scene.conditions

    # -- one line --------------------------------------------------------------------------------------------------

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of the line from a location to another; a and b are their numbers."""
        line = self.line(a, b)
        facts = sorted(self.facts(line), key=lambda fact: fact.where)
        if any(fact.effect == "blocks" for fact in facts):
            facts = self._inner(line) or facts
        blocked = any(fact.effect == "blocks" for fact in facts)
        reasons = tuple(Reason(fact.rule, fact.at, fact.effect, fact.text) for fact in facts)
        return Sighting(
            start=line.start.label,
            end=line.end.label,
            status="blocked" if blocked else "clear",
            hindrances=0,
            modifiers={},
            reasons=reasons or (self._nothing(line),),
            contacts=self._contacts(line),
            profile=self._profile(line),
        )

    def _nothing(self, line: Line) -> Reason:
        """Say that nothing lies on a line, and that what stands at its ends does not count."""
        if line.start.number == line.end.number:
            return Reason("5.1.9", "", "passes", "Both ends are the same location")
        held = [end.label for end in (line.start, line.end) if self._in_obstacle(end)]
        if held:
            text = f"No obstacle lies between; a line may start and end in one, as in {' and '.join(held)}"
            return Reason("5.1.9.1", "", "passes", text)
        return Reason("5.1.9.1", "", "passes", "No obstacle lies between")

    def _in_obstacle(self, end: End) -> bool:
        number = end.number
        return number < self.scene.grid.cells and int(self.scene.obstacle[number]) > NOTHING

    def visible(self, a: int, b: int) -> bool:
        """Tell whether the line from a location to another is clear, without its reasons."""
        line = self.line(a, b)
        return not any(fact.effect == "blocks" for fact in self.facts(line)) or self._inner(line) is not None

    def line(self, a: int, b: int) -> Line:
        """Return the line between two locations."""
        return Line(self.scene, End.of(self.scene, a), End.of(self.scene, b))

    def facts(self, line: Line) -> Iterator[Fact]:
        """Yield what bears on a line, in no order; it is blocked when anything of it blocks."""
        start, end = line.start, line.end
        if start.number == end.number:
            return
        above = self._vertical(start, end)
        if above is not None:
            yield above
        elif start.kind == ROOM and end.kind == ROOM and start.building == end.building:
            yield from inside_facts(self.scene, line)
        else:
            yield from open_line_facts(self.scene, line)

    def _vertical(self, start: End, end: End) -> Fact | None:
        """Places above and below each other (p. 15, "Vertical LoS")."""
        link = self.scene.links.get(start.number, {}).get(end.number)
        where = Fraction(0)
        if link is not None:
            article = "an" if link[0] in "aeiou" else "a"
            text = f"{start.label} and {end.label} are the two ends of {article} {link}"
            return Fact(where, "passes", "5.1.9, p. 15", "", text)
        if start.under != end.under:
            below, other = (start, end) if start.under else (end, start)
            text = f"{below.label}: underground, and {other.label} is not the other end of its access"
            return Fact(where, "blocks", "5.1.9, p. 15", below.label, text)
        kinds = {start.kind, end.kind}
        if kinds == {ROOF, ROOM} and start.building == end.building:
            roof, room = (start, end) if start.kind == ROOF else (end, start)
            text = f"{roof.label}: hides {room.label} below it, which does not hold its access"
            return Fact(where, "blocks", "5.1.9, p. 15", roof.label, text)
        return None

    def _inner(self, line: Line) -> list[Fact] | None:
        """Return the view from an inner zone (13.5.2), None where the rule is not in force or does not help."""
        who = self.options["inner_zones"]
        if who == "none" or self._vertical(line.start, line.end) is not None:
            return None
        if who == "snipers":
            sniper = self.conditions.from_kind == "sniper"
            return inner_view(self.scene, line.start, line.end) if sniper else None
        return inner_view(self.scene, line.start, line.end) or inner_view(self.scene, line.end, line.start)

    # -- what lies under the line ----------------------------------------------------------------------------------

    def _contacts(self, line: Line) -> tuple[PlacedContact, ...]:
        """Return everything that the line meets but the hexes at its own ends, in order."""
        if line.start.number == line.end.number:
            return ()
        labels = self.scene.model.labels
        placed = [
            place_contact(labels, contact)
            for contact in line.hexes
            if not any(line.own(cell) for cell in contact.cells)
        ]
        for index, wall_contact in line.walls:
            wall = self.scene.outer_walls[index]
            placed.append(_placed(wall.name or wall.id, wall_contact))
        for building, contacts in line.buildings:
            placed += [_placed(building.name, contact) for contact in contacts]
        return tuple(sorted(placed, key=lambda one: (one.enter, one.leave)))

    def _profile(self, line: Line) -> tuple[ProfileStep, ...]:
        """Return the levels under the line: of the ground, and of the buildings on it."""
        scene = self.scene
        if line.start.number == line.end.number:
            return (ProfileStep(line.start.label, line.start.level, "", Fraction(0), Fraction(1)),)
        built = [
            (one.enter, one.leave, building.name, -1 if building.under else 2, "building")
            for building, contacts in line.buildings
            for one in contacts
            if one.how == "through"
        ]
        spans = list(built)
        for contact in line.hexes:
            if contact.how != "touch":
                # Along a side the line lies on the border of both hexes; the higher one is what it has to clear.
                cell = max(contact.cells, key=lambda one: (int(scene.ground[one]), -one))
                step = (scene.label(cell), int(scene.ground[cell]), scene.model.terrain_at(cell))
                left = outside((contact.enter, contact.leave), [(span[0], span[1]) for span in built])
                spans += [(low, high, *step) for low, high in left]
        return tuple(
            ProfileStep(label, level, terrain, low, high) for low, high, label, level, terrain in sorted(spans)
        )

    # -- effect points ---------------------------------------------------------------------------------------------

    def effect_points(self, a: int, b: int, *, fire: bool = False) -> EffectPoints:
        """Return the explained distance between two locations in effect points (4.3.7.1, ER9).

        Parameters
        ----------
        a, b : int
            Numbers of the locations.
        fire : bool
            Along the line of sight, as for fire; else along the most direct path, as for command.
        """
        return count_effect_points(self.scene, a, b, fire=fire)

    # -- all locations at once -------------------------------------------------------------------------------------

    @cached_property
    def plan(self) -> Plan:
        """The same map in arrays."""
        return Plan(self.scene)

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the codes of all numbers seen from a location; nothing is hindered in this game."""
        return fast.field(self, a), {}

    def table(self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes:
        """Return the codes of all ordered pairs."""
        return fast.table(self, numbers, progress)


def _placed(name: str, contact: LineContact | AreaContact) -> PlacedContact:
    enter, leave = contact.enter.as_integer_ratio(), contact.leave.as_integer_ratio()
    return PlacedContact(name, Contact(contact.how, (), enter, leave))

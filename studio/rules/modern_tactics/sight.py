"""Lines of sight in Modern Tactics (12.1 to 12.4, 13.6 to 13.9, 14, 30, Playbook 2): the readable judge of one line.

The judge asks of every hex, hexside and high wall that a line meets what it does to the line
(:meth:`Judge.effects`): it blocks, it degrades, or it lets the line pass. Two degradations pass, the third blocks.
The fields of view in :mod:`studio.rules.modern_tactics.field` and the table give the same verdicts for all hexes at
once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import Contact
from studio.rules.modern_tactics import facts
from studio.rules.modern_tactics import field as fast
from studio.rules.modern_tactics import table as bits
from studio.rules.modern_tactics.facts import Fact
from studio.rules.modern_tactics.ground import Ground
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.outlines import Outlines
from studio.rules.modern_tactics.road import best_line, least
from studio.rules.modern_tactics.scene import BLOCK, DEGRADE, Scene
from studio.sight import Conditions, PackedCodes, Place, PlacedContact, ProfileStep, Reason, Sighting, place_contact
from studio.survey import Survey

__all__ = ["CONDITIONS", "OPTIONS", "Judge", "judge"]

LIMIT = 2
"""Most degradations that a line bears; one more blocks it (12.3)."""


CONDITIONS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("smoke", "terrain_overrides", "visibility", "surveillance", "from_air", "to_air"), ()
)
"""Conditions that the rules of sight know, with the texts that they may be."""


OPTIONS = frozenset(
    {
        "touch_counts",
        "graze_hits",
        "spine_side",
        "crest",
        "other_hill",
        "gully_edge",
        "air_into_gully",
        "walls_from_above",
        "mixed_woods",
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


class _Met(NamedTuple):
    """One thing that counts along a line: where, its place by name, and what it does, the heaviest first."""

    where: Fraction
    at: Place
    facts: list[Fact]


class Judge:
    """Judges lines of sight on one state of a map.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.options, self.conditions = scene.options, scene.conditions
        self.labels = scene.model.labels

    # -- one line --------------------------------------------------------------------------------------------------

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of the line from one location to another."""
        start = self.scene.end(a, air=self.conditions.from_air)
        end = self.scene.end(b, air=self.conditions.to_air)
        line, aims = best_line(self, start, end)
        if self.conditions.surveillance:
            reasons = [Reason("special rule", "", "passes", "Total surveillance: this side sees every hex")]
            return self._answer(line, reasons, 0)
        count, reasons = self._reasons(line)
        aimed = [Reason("14.7", label, "passes", text) for label, text in aims]
        return self._answer(line, aimed + reasons, count)

    def verdict(self, a: int, b: int) -> int:
        """Return how often the line from one location to another is degraded; more than two for one that is blocked."""
        if self.conditions.surveillance or a == b:
            return 0
        start = self.scene.end(a, air=self.conditions.from_air)
        end = self.scene.end(b, air=self.conditions.to_air)
        if (start.road or end.road) and start.cell != end.cell:
            return least(self, start, end)
        return self.weigh(Line(self.scene, start, end))

    def weigh(self, line: Line) -> int:
        """Return how often a line is degraded; more than two for one that is blocked."""
        if any(fact.weight == BLOCK for fact in facts.whole_line(line)):
            return LIMIT + 1
        weights = [met.facts[0].weight for met in self._met(line, bare=False)]
        return LIMIT + 1 if BLOCK in weights else min(sum(weights), LIMIT + 1)

    def _reasons(self, line: Line) -> tuple[int, list[Reason]]:
        """Return how often a line is degraded, and everything that bears on it, in order."""
        reasons = [_reason(fact, fact.at) for fact in facts.whole_line(line)]
        count = 0
        for met in self._met(line):
            first = met.facts[0]
            if first.weight == DEGRADE:
                count += 1
                if count > LIMIT:
                    text = f"{first.text}; that makes {count}, and only {LIMIT} pass"
                    reasons.append(Reason(f"12.3, {first.rule}", met.at, "blocks", text))
                else:
                    reasons.append(_reason(first, met.at))
            else:
                reasons.append(_reason(first, met.at))
            for fact in met.facts[1:]:
                if fact.weight == BLOCK:
                    reasons.append(_reason(fact, met.at))
                else:
                    text = fact.text if fact.weight < DEGRADE else f"{fact.text}, but its hex counts only once"
                    reasons.append(Reason(fact.rule, met.at, "passes", text))
        return count, reasons

    def _answer(self, line: Line, reasons: list[Reason], count: int) -> Sighting:
        blocked = any(reason.effect == "blocks" for reason in reasons)
        modifiers: dict[str, int] = {}
        if not blocked:
            modifiers = self._modifiers(line, reasons, count)
        directory = self.scene.directory
        placed = sorted(self._placed(line), key=lambda one: one.contact.enter + one.contact.leave)
        return Sighting(
            start=directory.label(line.start.number),
            end=directory.label(line.end.number),
            status="blocked" if blocked else "hindered" if count else "clear",
            hindrances=0 if blocked else count,
            modifiers=modifiers,
            reasons=tuple(reasons),
            contacts=tuple(placed),
            profile=self._profile(line),
        )

    def _modifiers(self, line: Line, reasons: list[Reason], count: int) -> dict[str, int]:
        """Return the modifiers of fire from start to end (12.3, 13.8), and give smoke at the start a reason."""
        figures = self.scene.ruleset.catalogue.modifiers
        firepower, to_hit = str(figures["firepower"]), str(figures["to_hit"])
        found = {firepower: count * int(figures["degraded"]), to_hit: count * int(figures["degraded"])}
        if self.scene.smoke[line.start.cell] and not line.start.air:
            figure, name = int(figures["smoke_at_start"]), self.labels.label(line.start.cell)
            found[firepower] += figure
            reasons.append(
                Reason("13.8", name, "modifier", f"{name} smoke: {figure:+d} {firepower} for fire out of it")
            )
        return {name: value for name, value in found.items() if value}

    def _placed(self, line: Line) -> Iterator[PlacedContact]:
        for contact in line.contacts:
            yield place_contact(self.labels, contact)
        for wall in self.scene.drawn.walls:
            for met in line.wall_contacts(wall):
                ratios = met.enter.as_integer_ratio(), met.leave.as_integer_ratio()
                yield PlacedContact(wall.name, Contact(met.how, (), *ratios))

    # -- what the line meets ---------------------------------------------------------------------------------------

    def _met(self, line: Line, *, bare: bool = True) -> list[_Met]:
        """Return everything along a line, in order; hexes with nothing in them only where they are asked for."""
        if line.distance == 0:
            return []
        found = [
            one
            for contact in line.contacts
            if bare or contact.how != "through" or not self._is_bare(line, contact.cells[0])
            for one in self._hexes(line, contact)
        ]
        found += self._hexsides(line)
        found += self._own_sides(line) if bare else []
        found += self._walls(line)
        return sorted(found, key=lambda met: met.where)

    def _hexes(self, line: Line, contact: Contact) -> Iterator[_Met]:
        """Yield what a contact with one hex, or with the two hexes of a side, does to the line."""
        middle = (contact.enter + contact.leave) / 2
        if contact.how == "touch" and not self.options["touch_counts"]:
            return
        inside = line.areas_along(contact.cells) if contact.how == "along" and self._is_drawn(contact.cells) else []
        heaviest: list[Fact] = []
        for cell in contact.cells:
            found = sorted(self.effects(line, cell, contact.how, inside), key=lambda fact: -fact.weight)
            if not heaviest or found[0].weight > heaviest[0].weight:
                heaviest = found
        at = place_contact(self.labels, contact).at
        if contact.how == "touch":
            heaviest = [fact._replace(text=f"{fact.text}; touched in its corner") for fact in heaviest]
        if contact.how == "along":
            fact = heaviest[0]
            names = " and ".join(map(self.labels.label, contact.cells))
            text = f"{names}: beside the line, nothing there that counts"
            if fact.weight:
                text = f"{fact.text}; beside the line, as the heavier hex"
            heaviest = [Fact(fact.weight, f"14.0, {fact.rule}" if fact.weight else "14.0", at, text)]
            if len(contact.cells) == 2:
                beside = facts.hexside(line, *contact.cells)
                if beside and beside.weight:
                    beside = beside._replace(text=f"{beside.text}; the line runs along it")
                if beside and self.options["spine_side"] == "adds":
                    yield _Met(middle, at, [beside])
                elif beside:
                    heaviest = sorted([*heaviest, beside], key=lambda fact: -fact.weight)
        yield _Met(middle, at, heaviest)

    def _is_bare(self, line: Line, cell: int) -> bool:
        """Tell whether nothing in a hex can bear on a line."""
        level = int(self.scene.ground[cell])
        may_be_a_hill = level > line.low or level == line.high >= 1
        return not self.scene.holds[cell] and not may_be_a_hill

    def _is_drawn(self, cells: tuple[int, ...]) -> bool:
        shapes = self.scene.drawn
        return any(cell in shapes.structure_at or cell in shapes.hill_at for cell in cells)

    def effects(self, line: Line, cell: int, how: str, inside: list[Any]) -> list[Fact]:
        """Return everything that a hex under the line does to it; at least one fact.

        Parameters
        ----------
        line : Line
        cell : int
        how : {"through", "along", "touch"}
        inside : list of Area
            Drawn areas that a line along the hex's side runs through.
        """
        found = [
            *facts.smoke(line, cell),
            *facts.on_the_ground(line, cell),
            *facts.structure(line, cell, how, inside),
            *facts.hill(line, cell, how, inside),
        ]
        if not found:
            name = self.labels.label(cell)
            found.append(Fact(0, "12.1", name, f"{name} {self.scene.terrain_name(cell)}: no effect"))
        return found

    def _hexsides(self, line: Line) -> Iterator[_Met]:
        """Yield the hexsides with terrain that the line crosses (14.4)."""
        if not self.scene.sides:
            return
        through = [contact for contact in line.contacts if contact.how == "through"]
        for one, other in itertools.pairwise(through):
            (a,), (b,) = one.cells, other.cells
            if one.leave == other.enter and self.scene.grid.distance(a, b) == 1 and line.crosses_side(a, b):
                fact = facts.hexside(line, a, b)
                if fact:
                    yield _Met(one.leave, fact.at, [fact])

    def _own_sides(self, line: Line) -> Iterator[_Met]:
        """Yield the hexsides with terrain of the hexes of the ends that the line crosses, which do nothing (14.4)."""
        through = [contact for contact in line.contacts if contact.how == "through"]
        start, end = line.start.cell, line.end.cell
        pairs = [(start, end, line.leaves)] if line.distance == 1 else []
        if through:
            first, last = through[0], through[-1]
            pairs += [(start, first.cells[0], line.leaves)] if first.enter == line.leaves else []
            pairs += [(end, last.cells[0], line.enters)] if last.leave == line.enters else []
        for own, beside, where in pairs:
            if self.scene.grid.distance(own, beside) == 1 and line.crosses_side(own, beside):
                fact = facts.own_side(line, own, beside)
                if fact:
                    yield _Met(where, fact.at, [fact])

    def _walls(self, line: Line) -> Iterator[_Met]:
        for wall in self.scene.drawn.walls:
            for contact in line.wall_contacts(wall):
                for fact in facts.high_wall(line, wall, contact):
                    yield _Met((contact.enter + contact.leave) / 2, fact.at, [fact])

    # -- the ground under the line ---------------------------------------------------------------------------------

    def _profile(self, line: Line) -> tuple[ProfileStep, ...]:
        scene = self.scene
        spans: list[tuple[tuple[int, ...], Fraction, Fraction]]
        if line.start.cell == line.end.cell:
            spans = [((line.start.cell,), Fraction(0), Fraction(1))]
        else:
            lying = [(c.cells, c.enter, c.leave) for c in line.contacts if c.how != "touch"]
            first, last = ((line.start.cell,), Fraction(0), line.leaves), ((line.end.cell,), line.enters, Fraction(1))
            spans = [first, *lying, last]
        steps = []
        for cells, enter, leave in spans:
            # Along a side the line lies on the border of both hexes; the higher one is what it has to clear.
            cell = max(cells, key=lambda one: (int(scene.level[one]), -one))
            terrain = scene.model.terrain_ids[scene.terrain[cell]]
            steps.append(ProfileStep(self.labels.label(cell), int(scene.level[cell]), terrain, enter, leave))
        return tuple(steps)

    @cached_property
    def ground_of_fields(self) -> Ground:
        """What all fields of view have in common."""
        return Ground(self.scene)

    @cached_property
    def outlines(self) -> Outlines:
        """What may stand in the way of lines from any point of a road."""
        return Outlines(self)

    # -- all hexes at once -----------------------------------------------------------------------------------------

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the codes of all locations as seen from one, and how often each hindered one is degraded."""
        return fast.field(self, a)

    def table(
        self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None
    ) -> PackedCodes | None:
        """Return the codes of all ordered pairs, None where only fields of view can tell them."""
        return bits.table(self, numbers, progress) if bits.suits(self.scene) else None


def _reason(fact: Fact, at: Place) -> Reason:
    effect = ("passes", "hinders", "blocks")[fact.weight]
    return Reason(fact.rule, at, effect, fact.text)  # type: ignore[arg-type]

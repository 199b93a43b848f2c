"""Lines of sight in a designer's own game: the readable judge of one line, for every choice of the ``[sight]`` table.

The judge asks of every hex and hexside that a line meets which things in it rise into the line, and adds the answers
up: points towards blocking (two block) and hindrances (one more than the limit blocks). Fields of view in
:mod:`studio.rules.generic.field` and tables in :mod:`studio.rules.generic.table` give the same verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnsupportedError
from studio.grid import hex_line
from studio.rules.generic import field as fast
from studio.rules.generic import table as bits
from studio.rules.generic.borders import BLOCKED_FROM, border_hindrances, border_points, touch_points
from studio.rules.generic.heights import rises
from studio.rules.generic.scene import Scene, Thing
from studio.rules.generic.settings import SETTINGS
from studio.rules.generic.words import Line, Said, more_hindrances, told, why, why_not
from studio.sight import Conditions, Effect, PackedCodes, Place, PlacedContact, Reason, Sighting, place_contact
from studio.sight.profile import ground_profile
from studio.sight.trace.hexsides import side_template
from studio.sight.words import counted, hexes, join_rules
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["GenericSight", "Judge"]

_RULE = "sight"


class GenericSight:
    """The sight rules of one designer's own game.

    Parameters
    ----------
    ruleset : Ruleset
        Its catalogue says what each thing does, its options how.
    """

    CONDITIONS: ClassVar[dict[str, tuple[str, ...]]] = dict.fromkeys(
        (
            "smoke",
            "terrain_overrides",
            "visibility",
            "surveillance",
            "from_air",
            "to_air",
            "haze_step",
            "visibility_modifier",
        ),
        (),
    )
    OPTIONS: ClassVar[frozenset[str]] = frozenset(SETTINGS)

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def judge(self, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> Judge:
        """Return a judge for the map as it is now.

        Parameters
        ----------
        survey : Survey
        options : mapping
            Options of the ruleset, all of them.
        conditions : Conditions
            Of which counts: smoke (as the marker ``smoke`` of the game, or else it blocks), haze, visibility, terrain
            overrides, surveillance, air units.
        """
        return Judge(Scene(self.ruleset, survey, options, conditions))


class _Found(NamedTuple):
    """What something on the line does: points towards blocking, hindrances, and how to say so."""

    place: int
    at: Place
    rule: str
    points: int
    hindrances: int
    text: str
    noun: str = "hex"


class _Seen(NamedTuple):
    """What the things of one hex or hexside do to a line."""

    blocks: list[Said]
    hinders: list[Said]
    passes: list[Said]
    rules: list[str]

    @property
    def rule(self) -> str:
        """Sections of the rulebook that the things name."""
        return join_rules(*filter(None, self.rules)) or _RULE


class Judge:
    """Judges lines of sight on one state of a map.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.options, self.conditions = scene, scene.options, scene.conditions
        self.labels = scene.model.labels

    # -- one line --------------------------------------------------------------------------------------------------

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of the line from a hex to another; a and b are cells.

        Raises
        ------
        UnsupportedError
            When one of them is no hex.
        """
        self._only_hexes(a, b)
        scene, conditions = self.scene, self.conditions
        distance = scene.grid.distance(a, b)
        eyes = scene.eye(a, air=conditions.from_air), scene.eye(b, air=conditions.to_air)
        line = Line(a, b, *eyes, 2 * distance)
        placed = tuple(place_contact(self.labels, contact) for contact in hex_line(scene.grid, a, b))
        if conditions.surveillance:
            found = [Reason("special rule", "", "passes", "Total surveillance: this side sees every hex")]
            return self._answer(line, placed, found, 0)
        reasons = list(self._range(distance))
        hindrances = 0
        if a != b:
            beside = self.options["adjacent"] and distance == 1
            met = sorted(self._meets(line, placed), key=lambda one: one.place)
            more, hindrances = self._add_up(met, never_blocks=beside)
            reasons += more
            if beside:
                reasons.append(Reason(_RULE, "", "passes", "Adjacent hexes always see each other"))
        return self._answer(line, placed, reasons, hindrances)

    def _only_hexes(self, *numbers: int) -> None:
        for number in numbers:
            if number >= self.scene.grid.cells:
                msg = f"{self.scene.ruleset.title} has lines of sight between hexes only; name the labels of two hexes"
                raise UnsupportedError(msg)

    def _range(self, distance: int) -> Iterator[Reason]:
        limit = self.scene.range
        if limit and distance > limit:
            yield Reason(_RULE, "", "blocks", f"Sight reaches {hexes(limit)}, the range is {distance}")

    def _add_up(self, met: list[_Found], *, never_blocks: bool) -> tuple[list[Reason], int]:
        """Return the reasons in the order of the line, and the number of hindrances."""
        points = hindrances = 0
        limit = self.options["hindrance_limit"]
        reasons = []
        for one in met:
            effect: Effect = "passes"
            text = one.text
            if one.points and not never_blocks:
                points += one.points
                effect = "blocks" if points >= BLOCKED_FROM else "counts"
                if one.points < BLOCKED_FROM:
                    text = counted(text, points, one.noun)
            elif one.hindrances:
                hindrances += one.hindrances
                effect = "hinders" if hindrances <= limit or never_blocks else "blocks"
                if effect == "blocks":
                    text += f"; {more_hindrances(hindrances, limit)}"
            reasons.append(Reason(one.rule, one.at, effect, text))
        return reasons, hindrances

    def _answer(
        self, line: Line, placed: tuple[PlacedContact, ...], reasons: list[Reason], hindrances: int
    ) -> Sighting:
        blocked = any(reason.effect == "blocks" for reason in reasons)
        modifiers: dict[str, int] = {}
        if not blocked:
            for unit, value, reason in self._modifiers(line.m // 2, hindrances):
                modifiers[unit] = modifiers.get(unit, 0) + value
                reasons.append(reason)
        return Sighting(
            start=self.labels.label(line.start),
            end=self.labels.label(line.end),
            status="blocked" if blocked else "hindered" if hindrances else "clear",
            hindrances=0 if blocked else hindrances,
            modifiers={unit: value for unit, value in modifiers.items() if value},
            reasons=tuple(reasons),
            contacts=placed,
            profile=ground_profile(self.scene.model, (line.start, line.end), placed, self.scene.terrain),
        )

    def _modifiers(self, distance: int, hindrances: int) -> Iterator[tuple[str, int, Reason]]:
        catalogue, conditions = self.scene.ruleset.catalogue, self.conditions
        table = catalogue.sight.get("modifiers", {}) if isinstance(catalogue.sight, dict) else {}
        if hindrances:
            for unit, value in table.items():
                text = f"{hindrances} hindrance{'s' * (hindrances > 1)}: {value * hindrances:+d} {_plain(unit)}"
                yield unit, value * hindrances, Reason(_RULE, "", "modifier", text)
        unit = str(catalogue.modifiers.get("unit", next(iter(table), "fire")))
        step, far = conditions.haze_step, conditions.visibility_modifier
        if step and distance >= step:
            value = -(distance // step)
            text = f"Haze: {value:+d} {_plain(unit)} at a range of {hexes(distance)}"
            yield unit, value, Reason("special rule", "", "modifier", text)
        if far and conditions.visibility and 2 * distance > conditions.visibility:
            text = f"Beyond half the visibility of {hexes(conditions.visibility)}: {far:+d} {_plain(unit)}"
            yield unit, far, Reason("special rule", "", "modifier", text)

    # -- what the line meets ---------------------------------------------------------------------------------------

    def _meets(self, line: Line, placed: tuple[PlacedContact, ...]) -> Iterator[_Found]:
        yield from self._ends(line)
        for contact in placed:
            place = 2 * self.scene.grid.distance(line.start, contact.cells[0])
            seen = {cell: self._hex(cell, line, place) for cell in contact.cells}
            if contact.how == "along":
                how = "beside the line" if len(seen) == 2 else "beside the line at the map edge"
                yield from self._pair(place, contact.at, list(seen.values()), how, "hex")
            elif contact.how == "through":
                yield from self._one(place, contact.at, seen[contact.cells[0]], BLOCKED_FROM)
            else:
                yield from self._touched(place, contact.at, seen[contact.cells[0]])
        yield from self._sides(line)

    def _ends(self, line: Line) -> Iterator[_Found]:
        if self.options["ends"] == "ignored":
            return
        for cell, place in ((line.start, 0), (line.end, line.m)):
            counted = ("marker", "terrain") if self.options["ends"] == "all" else ("marker",)
            things = [thing for thing in self.scene.things(cell) if thing.kind in counted]
            seen = self._look(self.labels.label(cell), things, line, place)
            if seen.blocks or seen.hinders:
                yield from self._one(place, self.labels.label(cell), seen, BLOCKED_FROM, "in the hex of an end")

    def _hex(self, cell: int, line: Line, place: int) -> _Seen:
        name = self.labels.label(cell)
        seen = self._look(name, self.scene.things(cell), line, place)
        if not (seen.blocks or seen.hinders or seen.passes):
            seen.passes.append(Said(f"{name} {self.scene.terrain_name(cell)}", "no effect"))
        level = int(self.scene.level[cell])
        if self.scene.ground is None and level > max(line.a, line.b):
            seen.passes.insert(0, Said(f"{name} ground of level {level}", "above both ends, but ground does not count"))
        return seen

    def _look(self, name: str, things: Iterable[Thing], line: Line, place: int) -> _Seen:
        """Sort the things of one hex or hexside by what they do to the line."""
        seen = _Seen([], [], [], [])
        for thing in things:
            blind = self.scene.ground if thing.kind == "ground" else self.scene.blind
            assert blind is not None
            if rises(blind, thing.top, line.a, line.b, place, line.m):
                into = seen.blocks if thing.blocks else seen.hinders
                into.append(Said(f"{name} {thing.name}", why(self.scene, thing, line, place)))
                seen.rules.append(thing.section)
            elif thing.kind != "ground":
                seen.passes.append(Said(f"{name} {thing.name}", why_not(self.scene, thing, line, place)))
                seen.rules.append(thing.section)
        return seen

    def _count(self, seen: _Seen) -> int:
        return min(1, len(seen.hinders)) if self.options["hinder_hex"] == "once" else len(seen.hinders)

    def _one(self, place: int, at: Place, seen: _Seen, points: int, how: str = "") -> Iterator[_Found]:
        """Yield what a hex or hexside does by itself."""
        if seen.blocks:
            yield _Found(place, at, seen.rule, points, 0, told(seen.blocks[:1], how))
        hindrances = self._count(seen)
        if hindrances:
            yield _Found(place, at, seen.rule, 0, hindrances, told(seen.hinders, how))
        if not seen.blocks and not seen.hinders:
            for one in seen.passes:
                yield _Found(place, at, seen.rule, 0, 0, told([one], how))

    def _touched(self, place: int, at: Place, seen: _Seen) -> Iterator[_Found]:
        """Yield what a hex does that the line touches in a corner."""
        if self.options["touch"] == "counts":
            yield from self._one(place, at, seen, touch_points(self.options), "touched in its corner")
        elif seen.blocks or seen.hinders:
            text = told([*seen.blocks, *seen.hinders], "touched in its corner only, which is free")
            yield _Found(place, at, seen.rule, 0, 0, text)

    def _pair(self, place: int, at: Place, pair: list[_Seen], how: str, noun: str) -> Iterator[_Found]:
        """Yield what two hexes beside the line, or two hexsides that it passes between, do together."""
        both = [*pair, _Seen([], [], [], [])][:2]
        there = True, len(pair) == 2
        blocks = bool(both[0].blocks), bool(both[1].blocks)
        points = int(border_points(self.options, blocks, there))
        counts = self._count(both[0]), self._count(both[1])
        hindrances = int(border_hindrances(self.options, counts, blocks, there))
        rule = join_rules(*(one.rule for one in pair))
        blocking = [said for one in pair for said in one.blocks[:1]]
        hindering = [said for one in pair for said in one.hinders]
        alone = len(pair) == 1 and self.options["off_map"] == "absent_decides_nothing"
        if blocking:
            tail = "" if points == 1 else _pair_blocks(self.options, len(blocking), noun, alone=alone)
            yield _Found(place, at, rule, points, 0, told(blocking, how + tail), noun)
        if hindering:
            tail = "" if alone else _pair_hinders(self.options, counts, noun)
            yield _Found(place, at, rule, 0, hindrances, told(hindering, how + tail))
        if not blocking and not hindering:
            yield _Found(place, at, rule, 0, 0, told([said for one in pair for said in one.passes], how))

    def _sides(self, line: Line) -> Iterator[_Found]:
        scene = self.scene
        if not scene.side_layers:
            return
        (qa, ra), (qb, rb) = scene.grid.axial(line.start), scene.grid.axial(line.end)
        for how, sides, place in side_template(qb - qa, rb - ra):
            cells = [
                tuple(sorted(cell for q, r in side if (cell := scene.grid.from_axial(qa + q, ra + r)) is not None))
                for side in sides
            ]
            present = [pair for pair in cells if len(pair) == 2]
            if not present or not any(any(True for _ in scene.side_things(*pair)) for pair in present):
                continue
            names = [tuple(self.labels.label(cell) for cell in pair) for pair in present]
            seen = [
                self._once(self._look("/".join(name), scene.side_things(*pair), line, place))
                for name, pair in zip(names, present, strict=True)
            ]
            at = tuple(dict.fromkeys(name for pair in names for name in pair)) if how == "corner" else names[0]
            free = self._free_sides(line, present, how)
            if free:
                for said in (said for one in seen for said in (*one.blocks, *one.hinders)):
                    yield _Found(place, at, _RULE, 0, 0, told([said], free))
            elif how == "corner":
                yield from self._pair(place, at, seen, "at a corner that the line passes", "hexside")
            else:
                along = "the line runs along it" if how == "along" else ""
                yield from self._one(place, at, seen[0], BLOCKED_FROM, along)

    def _free_sides(self, line: Line, sides: Sequence[tuple[int, ...]], how: str) -> str:
        """Say why hexsides on the line do nothing to it, empty when they count."""
        if self.options["end_sides"] == "ignored":
            ends = [cell for cell in (line.start, line.end) if any(cell in side for side in sides)]
            if ends:
                return f"on a side of {self.labels.label(ends[0])} itself, which does not count"
        free = how == "along" and self.options["along_side"] == "free"
        return "the line runs along it, which does not count" if free else ""

    @staticmethod
    def _once(seen: _Seen) -> _Seen:
        """Return the same with one hindrance at most: a hexside hinders once, whatever stands on it."""
        return _Seen(seen.blocks, seen.hinders[:1], seen.passes, seen.rules)

    # -- all hexes at once -----------------------------------------------------------------------------------------

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the plane of codes seen from a cell, and how often each hindered cell is hindered.

        Raises
        ------
        UnsupportedError
            When the place that looks is no hex.
        """
        self._only_hexes(a)
        return fast.field(self.scene, a)

    def table(
        self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None
    ) -> PackedCodes | None:
        """Return the codes of all ordered pairs, None where only fields of view can tell them."""
        return bits.table(self.scene, numbers, progress) if bits.suits(self.scene, numbers) else None


def _plain(unit: str) -> str:
    return unit.replace("_", " ")


def _pair_blocks(options: Mapping[str, Any], blocking: int, noun: str, *, alone: bool) -> str:
    """Say what it takes to block beside a line along a hexside, where one or two do."""
    if alone:
        return ", where it decides alone"
    if blocking == 2:
        return " on both sides"
    plural = "hexes" if noun == "hex" else f"{noun}s"
    return f", where one {noun} blocks" if options["along"] == "either" else f", where both {plural} must block"


def _pair_hinders(options: Mapping[str, Any], counts: tuple[int, int], noun: str) -> str:
    """Say how hindrances beside a line along a hexside count."""
    if options["along_hinder"] == "each":
        return f", where each {noun} counts" if all(counts) else ""
    if counts[0] == counts[1]:
        return ", where they count once"
    if options["along_hinder"] == "lighter":
        return f", where the {noun} that hinders less counts"
    return f", where the {noun} that hinders more counts" if all(counts) else ""

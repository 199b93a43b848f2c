"""Lines of sight in a designer's own game: the readable judge of one line, for every choice of the ``[sight]`` table.

The judge asks of every hex and hexside that a line meets which things in it rise into the line, and adds the answers
up: points towards blocking (two block) and hindrances (one more than the limit blocks). Fields of view in
:mod:`studio.rules.generic.field` and tables in :mod:`studio.rules.generic.table` give the same verdicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnsupportedError
from studio.grid import hex_line
from studio.rules.generic import field as fast
from studio.rules.generic import table as bits
from studio.rules.generic.borders import BLOCKED_FROM, border_hindrances, border_points, touch_points
from studio.rules.generic.heights import rises
from studio.rules.generic.scene import Scene, Thing
from studio.sight import Conditions, Effect, PackedCodes, Place, PlacedContact, Reason, Sighting, place_contact
from studio.sight.hexsides import side_template
from studio.sight.profile import ground_profile
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


class _Line(NamedTuple):
    """A line between two hexes: their cells, the heights of the eyes, and its length in half hexes."""

    start: int
    end: int
    a: int
    b: int
    m: int


class _Found(NamedTuple):
    """What something on the line does: points towards blocking, hindrances, and how to say so."""

    place: int
    at: Place
    rule: str
    points: int
    hindrances: int
    text: str


class _Seen(NamedTuple):
    """What the things of one hex or hexside do to a line."""

    blocks: list[str]
    hinders: list[str]
    passes: list[str]
    rules: list[str]

    @property
    def rule(self) -> str:
        """Sections of the rulebook that the things name."""
        return ", ".join(dict.fromkeys(rule for rule in self.rules if rule)) or _RULE


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
        line = _Line(a, b, *eyes, 2 * distance)
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
            yield Reason(_RULE, "", "blocks", f"Sight reaches {limit} hexes, the range is {distance}")

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
                text += "; two such hexes block" if one.points < BLOCKED_FROM else ""
            elif one.hindrances:
                hindrances += one.hindrances
                effect = "hinders" if hindrances <= limit or never_blocks else "blocks"
                if effect == "blocks":
                    text += f"; hindrance {hindrances}, and only {limit} pass"
            reasons.append(Reason(one.rule, one.at, effect, text))
        return reasons, hindrances

    def _answer(
        self, line: _Line, placed: tuple[PlacedContact, ...], reasons: list[Reason], hindrances: int
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
                text = f"{hindrances} hindrance{'s' * (hindrances > 1)}: {value * hindrances:+d} {unit}"
                yield unit, value * hindrances, Reason(_RULE, "", "modifier", text)
        unit = str(catalogue.modifiers.get("unit", next(iter(table), "fire")))
        step, far = conditions.haze_step, conditions.visibility_modifier
        if step and distance >= step:
            value = -(distance // step)
            text = f"Haze: {value:+d} {unit} at a range of {distance} hexes"
            yield unit, value, Reason("special rule", "", "modifier", text)
        if far and conditions.visibility and 2 * distance > conditions.visibility:
            text = f"Beyond half the visibility of {conditions.visibility} hexes: {far:+d} {unit}"
            yield unit, far, Reason("special rule", "", "modifier", text)

    # -- what the line meets ---------------------------------------------------------------------------------------

    def _meets(self, line: _Line, placed: tuple[PlacedContact, ...]) -> Iterator[_Found]:
        yield from self._ends(line)
        for contact in placed:
            place = 2 * self.scene.grid.distance(line.start, contact.cells[0])
            seen = {cell: self._hex(cell, line, place) for cell in contact.cells}
            if contact.how == "along":
                how = "the line runs along their side" if len(seen) == 2 else "the line runs along its outer side"
                yield from self._pair(place, contact.at, list(seen.values()), how)
            elif contact.how == "through":
                yield from self._one(place, contact.at, seen[contact.cells[0]], BLOCKED_FROM)
            elif self.options["touch"] == "counts":
                touched = seen[contact.cells[0]]
                yield from self._one(place, contact.at, touched, touch_points(self.options), "; the line touches it")
        yield from self._sides(line)

    def _ends(self, line: _Line) -> Iterator[_Found]:
        if self.options["ends"] == "ignored":
            return
        for cell, place in ((line.start, 0), (line.end, line.m)):
            counted = ("marker", "terrain") if self.options["ends"] == "all" else ("marker",)
            things = [thing for thing in self.scene.things(cell) if thing.kind in counted]
            seen = self._look(self.labels.label(cell), things, line, place)
            if seen.blocks or seen.hinders:
                yield from self._one(place, self.labels.label(cell), seen, BLOCKED_FROM)

    def _hex(self, cell: int, line: _Line, place: int) -> _Seen:
        name = self.labels.label(cell)
        seen = self._look(name, self.scene.things(cell), line, place)
        if not (seen.blocks or seen.hinders or seen.passes):
            seen.passes.append(f"{name} {self.scene.terrain_name(cell)}: does nothing to the line")
        return seen

    def _look(self, name: str, things: Iterable[Thing], line: _Line, place: int) -> _Seen:
        """Sort the things of one hex or hexside by what they do to the line."""
        seen = _Seen([], [], [], [])
        for thing in things:
            blind = self.scene.ground if thing.kind == "ground" else self.scene.blind
            assert blind is not None
            if rises(blind, thing.top, line.a, line.b, place, line.m):
                into = seen.blocks if thing.blocks else seen.hinders
                into.append(f"{name} {thing.name}: {self._why(thing, line, place)}")
                seen.rules.append(thing.section)
            elif thing.kind != "ground":
                seen.passes.append(f"{name} {thing.name}: {self._why_not(thing, line, place)}")
                seen.rules.append(thing.section)
        return seen

    def _why(self, thing: Thing, line: _Line, place: int) -> str:
        reach = "nobody sees over it" if thing.top > 500 else f"it reaches height {thing.top}"
        if thing.top > line.a and thing.top > line.b:
            return f"{reach}, above both ends ({line.a} and {line.b})"
        if self.scene.blind.kind == "interpolated":
            return f"{reach}, and the line passes at {self._height(line, place)}"
        lower = line.start if line.a < line.b else line.end
        far = abs(place - (0 if lower == line.start else line.m))
        hexes = f"{far // 2}" if far % 2 == 0 else f"{far}/2"
        return f"{reach}, and hides {self.labels.label(lower)}, {hexes} hexes behind it, from the higher end"

    def _why_not(self, thing: Thing, line: _Line, place: int) -> str:
        reach = f"it reaches height {thing.top}"
        if self.scene.blind.kind == "interpolated":
            return f"{reach}, and the line passes at {self._height(line, place)}"
        if thing.top <= min(line.a, line.b):
            return f"{reach}, not above the lower end ({min(line.a, line.b)})"
        lower = self.labels.label(line.start if line.a < line.b else line.end)
        return f"{reach}, is seen over from height {max(line.a, line.b)}, and {lower} is not in its blind hexes"

    @staticmethod
    def _height(line: _Line, place: int) -> str:
        return f"height {Fraction(line.a * (line.m - place) + line.b * place, line.m)}"

    def _count(self, seen: _Seen) -> int:
        return min(1, len(seen.hinders)) if self.options["hinder_hex"] == "once" else len(seen.hinders)

    def _one(self, place: int, at: Place, seen: _Seen, points: int, how: str = "") -> Iterator[_Found]:
        """Yield what a hex or hexside does by itself."""
        for text in seen.blocks[:1]:
            yield _Found(place, at, seen.rule, points, 0, text + how)
        hindrances = self._count(seen)
        if hindrances:
            yield _Found(place, at, seen.rule, 0, hindrances, "; ".join(seen.hinders) + how)
        if not seen.blocks and not seen.hinders:
            for text in seen.passes:
                yield _Found(place, at, seen.rule, 0, 0, text + how)

    def _pair(self, place: int, at: Place, pair: list[_Seen], how: str) -> Iterator[_Found]:
        """Yield what two hexes beside the line, or two hexsides that it passes between, do together."""
        both = [*pair, _Seen([], [], [], [])][:2]
        there = True, len(pair) == 2
        blocks = bool(both[0].blocks), bool(both[1].blocks)
        points = int(border_points(self.options, blocks, there))
        counts = self._count(both[0]), self._count(both[1])
        hindrances = int(border_hindrances(self.options, counts, blocks, there))
        rule = ", ".join(dict.fromkeys(one.rule for one in pair))
        blocking = [text for one in pair for text in one.blocks[:1]]
        hindering = [text for one in pair for text in one.hinders]
        if points:
            yield _Found(place, at, rule, points, 0, f"{'; '.join(blocking)}; {how}")
        if hindrances:
            yield _Found(place, at, rule, 0, hindrances, f"{'; '.join(hindering)}; {how}")
        if not points and not hindrances:
            idle = [*blocking, *hindering]
            tail = "and one of the two is not enough" if idle else "and nothing beside it reaches into it"
            here = "" if idle else f"{'/'.join(at) if isinstance(at, tuple) else at}: "
            yield _Found(place, at, rule, 0, 0, f"{here}{''.join(text + '; ' for text in idle)}{how}, {tail}")

    def _sides(self, line: _Line) -> Iterator[_Found]:
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
            if self.options["end_sides"] == "ignored" and any({line.start, line.end} & set(p) for p in present):
                continue
            if how == "along" and self.options["along_side"] == "free":
                continue
            names = [tuple(self.labels.label(cell) for cell in pair) for pair in present]
            seen = [
                self._once(self._look("/".join(name), scene.side_things(*pair), line, place))
                for name, pair in zip(names, present, strict=True)
            ]
            if how == "corner":
                at = tuple(dict.fromkeys(name for pair in names for name in pair))
                yield from self._pair(place, at, seen, "the line passes through their corner")
            else:
                yield from self._one(place, names[0], seen[0], BLOCKED_FROM)

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

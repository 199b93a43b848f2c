"""Lines of sight in Armageddon War (3.0, 4.14, 4.141, 5.23, 5.6): the readable judge of one line.

The judge asks of every hex that a line meets what it does to the line (:meth:`Judge.effects`), and adds the answers up:
a hex that the line runs through decides by itself, hexes beside a line along hexsides count together. The field of view
in :mod:`studio.rules.armageddon_war.field` gives the same verdicts for all hexes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import hex_line
from studio.rules.armageddon_war import field as fast
from studio.rules.armageddon_war import table as bits
from studio.rules.armageddon_war import words
from studio.rules.armageddon_war.scene import End, Scene
from studio.sight import Conditions, Effect, Place, PlacedContact, Reason, Sighting, place_contact
from studio.sight.packed import PackedCodes
from studio.sight.profile import ground_profile
from studio.sight.words import counted, hexes, join_rules
from studio.survey import Survey

__all__ = ["CONDITIONS", "OPTIONS", "Judge", "judge"]


CONDITIONS: dict[str, tuple[str, ...]] = dict.fromkeys(
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
"""Conditions that the rules of sight know, with the texts that they may be."""


OPTIONS = frozenset(
    {
        "border_rule",
        "off_map",
        "touch_blocks",
        "contour_in_end_hex",
        "other_hill",
        "obstacle_below_both",
        "wadi_blocks_across",
        "crest_counts_uphill",
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


class _Fact(NamedTuple):
    """What one hex does to a line: ``blocks``, ``partial`` (seen over, right in front of the target) or ``passes``."""

    kind: str
    rule: str
    text: str


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
        """Return the explained verdict of the line from a hex to another; a and b are cells."""
        contacts = hex_line(self.scene.grid, a, b)
        start = self.scene.end(a, air=self.conditions.from_air)
        end = self.scene.end(b, air=self.conditions.to_air)
        distance = self.scene.grid.distance(a, b)
        placed = tuple(place_contact(self.labels, contact) for contact in contacts)
        if self.conditions.surveillance:
            reasons = [Reason("special rule", "", "passes", "Total surveillance: this side sees every hex")]
            return self._answer(start, end, distance, placed, reasons, see_all=True)
        reasons = list(self._whole_line(start, end, distance))
        if distance > 1:
            reasons += self._along_line(start, end, placed)
        if not distance and not reasons:
            reasons = [Reason("4.14", "", "passes", "Both ends are in the same hex")]
        return self._answer(start, end, distance, placed, reasons)

    def _answer(
        self,
        start: End,
        end: End,
        distance: int,
        placed: tuple[PlacedContact, ...],
        reasons: list[Reason],
        *,
        see_all: bool = False,
    ) -> Sighting:
        blocked = any(reason.effect == "blocks" for reason in reasons)
        hindrances = 0 if see_all else sum(reason.effect == "hinders" for reason in reasons)
        modifiers: dict[str, int] = {}
        if not blocked:
            total = sum(value for value, _ in self._fire_modifiers(start, end, distance, reasons))
            reasons += [reason for _, reason in self._fire_modifiers(start, end, distance, reasons) if reason]
            if total:
                modifiers[self._unit] = total
        return Sighting(
            start=self.labels.label(start.cell),
            end=self.labels.label(end.cell),
            status="blocked" if blocked else "hindered" if hindrances else "clear",
            hindrances=0 if blocked else hindrances,
            modifiers=modifiers,
            reasons=tuple(reasons),
            contacts=placed,
            profile=ground_profile(self.scene.model, (start.cell, end.cell), placed, self.scene.terrain),
        )

    @property
    def _unit(self) -> str:
        return str(self.scene.ruleset.catalogue.modifiers["unit"])

    def _figure(self, name: str) -> int:
        return int(self.scene.ruleset.catalogue.modifiers[name])

    # -- what concerns the whole line ------------------------------------------------------------------------------

    def _whole_line(self, start: End, end: End, distance: int) -> Iterator[Reason]:
        yield from self._range(distance)
        yield from self._smoke_at_ends(start, end, distance)
        yield from self._wadi_at_ends(start, end)
        if distance == 1 and not start.wadi and not end.wadi:
            yield Reason("4.14", "", "passes", "Adjacent hexes always see each other")

    def _range(self, distance: int) -> Iterator[Reason]:
        limit = self.conditions.visibility
        if limit and distance > limit:
            text = f"Visibility is {hexes(limit)}, the range is {distance}"
            yield Reason("special rule", "", "blocks", text)

    def _smoke_at_ends(self, start: End, end: End, distance: int) -> Iterator[Reason]:
        smoky = [place for place in dict.fromkeys((start.cell, end.cell)) if self.scene.smoke[place]]
        for cell in smoky:
            name = self.labels.label(cell)
            if distance > 1:
                yield Reason("5.23", name, "blocks", f"{name} smoke: only adjacent hexes see in or out")
        if smoky and distance == 1:
            name = self.labels.label(smoky[0])
            figure = self._figure("smoke")
            text = f"{name} smoke: adjacent hexes see in and out with {figure:+d} {self._unit}"
            yield Reason("5.23", name, "hinders", text)

    def _wadi_at_ends(self, start: End, end: End) -> Iterator[Reason]:
        for one, other in ((start, end), (end, start)):
            if not one.wadi or one.air:
                continue
            name = self.labels.label(one.cell)
            if other.wadi != one.wadi:
                text = f"{name} wadi: sees, and is seen from, the same wadi only"
                yield Reason("3.0 wadi", name, "blocks", text)
            elif one is start or start.air:
                yield Reason("3.0 wadi", name, "passes", f"{name} wadi: both ends are in it")

    @staticmethod
    def _inside_wadi(start: End, end: End) -> int:
        """Return the wadi that the whole line must keep to, 0 for none."""
        if start.wadi and start.wadi == end.wadi and not (start.air and end.air):
            return start.wadi
        return 0

    # -- what the line meets ---------------------------------------------------------------------------------------

    def _along_line(self, start: End, end: End, placed: tuple[PlacedContact, ...]) -> list[Reason]:
        reasons: list[Reason] = []
        borders = 0
        for contact in placed:
            at = contact.at
            facts = {cell: self.effects(cell, start, end) for cell in contact.cells}
            if contact.how == "through":
                reasons += [self._reason(fact, at) for fact in facts[contact.cells[0]]]
            elif contact.how == "along":
                weight, found = self._border(facts, at, borders)
                borders += weight
                reasons += found
            elif _blocks(facts[contact.cells[0]]):
                fact = _blocking(facts[contact.cells[0]])
                if self.options["touch_blocks"]:
                    borders += 1
                    how = counted("touched in its corner", borders)
                    reasons.append(self._counted(fact, at, borders, how))
                else:
                    text = f"{fact.text}; touched in its corner only, which is free"
                    reasons.append(Reason(join_rules("4.14", fact.rule), at, "passes", text))
        return reasons

    def _border(self, facts: dict[int, list[_Fact]], at: Place, before: int) -> tuple[int, list[Reason]]:
        """Return what one stretch along a side adds to the count of borders, and its reasons."""
        blocking = [_blocking(found) for found in facts.values() if _blocks(found)]
        names = [self.labels.label(cell) for cell in facts]
        if not blocking:
            text = f"{' and '.join(names)}: beside the line, and neither blocks"
            if len(names) == 1:
                text = f"{names[0]}: beside the line at the map edge, and does not block"
            return 0, [Reason("4.14", at, "passes", text)]
        if len(facts) == 1 and self.options["off_map"] == "absent_decides_nothing":
            return 2, [self._counted(blocking[0], at, 2, "beside the line at the map edge, where it decides alone")]
        side = "beside the line"
        if self.options["border_rule"] == "per_border":
            weight = 1
            hows = [counted(side, before + 1, "border"), f"{side}, and the same border: it counts once"]
        elif len(blocking) == 2:
            weight, hows = 2, [f"{side}, as {name} is: two block" for name in names[::-1]]
        else:
            weight, hows = 1, [counted(side, before + 1)]
        total = before + weight
        return weight, [self._counted(fact, at, total, how) for fact, how in zip(blocking, hows, strict=False)]

    @staticmethod
    def _counted(fact: _Fact, at: Place, total: int, how: str) -> Reason:
        """Return the reason of a hex beside the line, where so many count by now."""
        effect: Effect = "blocks" if total >= 2 else "counts"
        return Reason(join_rules("4.14", fact.rule), at, effect, f"{fact.text}; {how}")

    @staticmethod
    def _reason(fact: _Fact, at: Place) -> Reason:
        effect: Effect = "blocks" if fact.kind == "blocks" else "modifier" if fact.kind == "partial" else "passes"
        return Reason(fact.rule, at, effect, fact.text)

    def effects(self, cell: int, start: End, end: End) -> list[_Fact]:
        """Return everything that a hex under the line does to it, the terrain last."""
        scene = self.scene
        name = self.labels.label(cell)
        facts: list[_Fact] = []
        if scene.smoke[cell]:
            facts.append(_Fact("blocks", "5.23", f"{name} smoke: nobody sees through or over it"))
        inside = self._inside_wadi(start, end)
        if inside:
            if scene.wadi[cell] == inside:
                facts.append(_Fact("passes", "3.0 wadi", f"{name} wadi: the line keeps to its bed"))
            else:
                what = f"{name} {scene.terrain_name(cell)}"
                facts.append(_Fact("blocks", "3.0 wadi", f"{what}: outside the wadi, whose banks hide everything"))
            return facts
        if scene.wadi[cell]:
            facts.append(self._across_wadi(cell, name, start, end))
        facts += self._crest(cell, name, start, end)
        facts += self._hill(cell, name, start, end)
        facts += self._obstacle(cell, name, start, end)
        if not facts:
            facts.append(_Fact("passes", "4.14", f"{name} {scene.terrain_name(cell)}: no obstacle"))
        return facts

    def _across_wadi(self, cell: int, name: str, start: End, end: End) -> _Fact:
        """Tell what a wadi does to a line that does not keep to its bed (4.14)."""
        if not self.options["wadi_blocks_across"]:
            return _Fact("passes", "4.14 wadi", f"{name} wadi: seen across")
        ends = sum(one.wadi == int(self.scene.wadi[cell]) for one in (start, end))
        why = (
            "the line crosses it from outside, and it hides what is beyond",
            "the line leaves its bed, and the banks hide what is outside",
            "not looked into, even from the air",
        )[ends]
        return _Fact("blocks", "4.14 wadi", f"{name} wadi: {why}")

    def _crest(self, cell: int, name: str, start: End, end: End) -> Iterator[_Fact]:
        if not self.scene.crest[cell]:
            return
        top = int(self.scene.level[cell]) + 1
        higher = start if start.height >= end.height else end
        if higher.height < top:
            yield _Fact("blocks", "3.0 crest", f"{name} crest line: as high as level {top}, and neither end is")
        else:
            text = f"{name} crest line: no higher than {self.labels.label(higher.cell)} (level {higher.height})"
            yield _Fact("passes", "3.0 crest", text)

    def _hill(self, cell: int, name: str, start: End, end: End) -> Iterator[_Fact]:
        """Contours and hills (4.14 elevation)."""
        scene = self.scene
        hill = int(scene.hill[cell])
        if not hill:
            return
        contour, level = int(scene.contour[cell]), int(scene.level[cell])
        height = max(contour, level)
        low, high = sorted((start.height, end.height))
        what = f"{name} contour of level {contour}" if contour >= 1 else f"{name} ground of level {level}"
        own = [end_ for end_ in (start, end) if end_.hill == hill]
        edges = [end_ for end_ in own if self._in_end_hex(contour, end_)]
        kind = "passes"
        if height > high:
            kind, why = "blocks", "higher than both ends"
        elif not own:
            if self.options["other_hill"] == "summit":
                height = int(scene.summit[cell])
            blocks, why = words.other_hill(height, low, summit=self.options["other_hill"] == "summit")
            kind = "blocks" if blocks else "passes"
        elif contour < 1:
            why = "within the hill of an end, and no contour line"
        elif low == high:
            why = f"no higher than both ends (level {high})"
        elif edges:
            why = words.seen_over(self.labels, edges[0])
        else:
            kind, why = "blocks", words.hidden(self.labels, start, end, own)
        yield _Fact(kind, "4.14 elevation", f"{what}: {why}")

    def _in_end_hex(self, contour: int, end: End) -> bool:
        if not end.has_contour:
            return False
        return contour < end.height or (self.options["contour_in_end_hex"] == "line" and contour <= end.contour)

    def _obstacle(self, cell: int, name: str, start: End, end: End) -> Iterator[_Fact]:
        """Level 0 obstacles and what is seen over them (4.14, 4.141)."""
        scene = self.scene
        if not scene.obstacle[cell]:
            return
        level = int(scene.level[cell])
        low, high = sorted((start.height, end.height))
        what = f"{name} {scene.terrain_name(cell)}: level 0 obstacle"
        if level >= high:
            ground = level == high == 0 and not start.air and not end.air
            why = "between two units on the ground" if ground else f"on level {level}, and neither end is higher"
            yield _Fact("blocks", "4.14", f"{what} {why}")
            return
        if level < low and self.options["obstacle_below_both"] == "ignored":
            yield _Fact("passes", "4.141", f"{what}, lower than both ends")
            return
        behind = [one for one in (start, end) if one.height == low and scene.grid.distance(one.cell, cell) == 1]
        hidden = next((one for one in behind if one.obstacle), None)
        if hidden is not None:
            lower = self.labels.label(hidden.cell)
            text = f"{what} right in front of the one in {lower}, not seen over even from level {high}"
            yield _Fact("blocks", "4.141", text)
        elif end in behind and start.height > end.height:
            figure, target = self._figure("obstructed_view"), self.labels.label(end.cell)
            text = f"{what} right in front of {target}, seen over from level {high} with {figure:+d} {self._unit}"
            yield _Fact("partial", "4.141", text)
        else:
            yield _Fact("passes", "4.141", f"{what}, seen over from level {high}")

    # -- modifiers of fire -----------------------------------------------------------------------------------------

    def _fire_modifiers(
        self, start: End, end: End, distance: int, reasons: list[Reason]
    ) -> Iterator[tuple[int, Reason | None]]:
        """Yield the modifiers of fire from start to end, each with a reason unless the reasons name it already."""
        unit = self._unit
        if any(reason.effect == "modifier" and reason.rule == "4.141" for reason in reasons):
            yield self._figure("obstructed_view"), None
        if any(reason.effect == "hinders" for reason in reasons):
            yield self._figure("smoke"), None
        crest = self.options["crest_counts_uphill"]
        above = end.height - start.height if crest else end.level + end.air - start.level - start.air
        if above > 0 and not end.air:
            figure, name = self._figure("uphill"), self.labels.label(end.cell)
            text = f"{name} uphill of {self.labels.label(start.cell)}: {figure:+d} {unit}"
            yield figure, Reason("4.14 elevation", name, "modifier", text)
        step = self.conditions.haze_step
        if step and distance >= step:
            figure = -(distance // step)
            text = f"Haze: {figure:+d} {unit} at a range of {hexes(distance)}"
            yield figure, Reason("special rule", "", "modifier", text)
        far = self.conditions.visibility_modifier
        if far and self.conditions.visibility and 2 * distance > self.conditions.visibility:
            text = f"Beyond half the visibility of {hexes(self.conditions.visibility)}: {far:+d} {unit}"
            yield far, Reason("special rule", "", "modifier", text)

    # -- the ground under the line ---------------------------------------------------------------------------------

    # -- all hexes at once -----------------------------------------------------------------------------------------

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the plane of codes seen from a cell, and how often each hindered cell is hindered."""
        return fast.field(self.scene, a)

    def table(self, cells: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes | None:
        """Return the codes of all ordered pairs, None where only fields of view can tell them."""
        return bits.table(self.scene, cells, progress) if bits.suits(self.scene) else None


def _blocks(facts: list[_Fact]) -> bool:
    return any(fact.kind == "blocks" for fact in facts)


def _blocking(facts: list[_Fact]) -> _Fact:
    return next(fact for fact in facts if fact.kind == "blocks")

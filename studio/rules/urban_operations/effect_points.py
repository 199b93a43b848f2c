"""Effect points in Urban Operations: the distance for ranges and command, step by step (4.3.7.1, ER9, clarifications).

A line is laid out as *stops* - the hexes, rooms and zones that it runs through, each with its stretch - and *crossings*
of walls, facades and partitions. The track along it is the cheapest chain of stops; a crossing is paid instead of the
location behind it. From or to a roof every location counts one point, and only an opening at the lower end costs more.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from studio.rules.urban_operations.inside import partition_places, rooms_crossed
from studio.rules.urban_operations.line import End, Line, Span, outside
from studio.rules.urban_operations.open_line import wall_opened
from studio.rules.urban_operations.scene import ROOF, ROOM, Scene

__all__ = ["EffectPoints", "EffectStep", "count_effect_points"]

_RULE, _ROOF_RULE = "4.3.7.1", "4.3.7.1, ER9"
_START, _END = Fraction(0), Fraction(1)


class EffectStep(msgspec.Struct, frozen=True):
    """One step of a distance in effect points.

    Attributes
    ----------
    at : str
        Label of the location that is reached.
    cost : int
        Effect points.
    rule : str
        Section of the rulebook.
    text : str
        What is paid for.
    """

    at: str
    cost: int
    rule: str
    text: str


class EffectPoints(msgspec.Struct, frozen=True):
    """The distance between two locations in effect points, with every step.

    Attributes
    ----------
    start, end : str
        Labels of the two locations.
    fire : bool
        Counted along the line of sight, as for fire; else along the most direct path.
    total : int
    steps : tuple of EffectStep
        In order; their costs add up to the total.
    """

    start: str
    end: str
    fire: bool
    total: int
    steps: tuple[EffectStep, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the distance as plain data for JSON."""
        return {
            "from": self.start,
            "to": self.end,
            "fire": self.fire,
            "total": self.total,
            "steps": [msgspec.to_builtins(step) for step in self.steps],
        }

    def __str__(self) -> str:
        head = f"{self.start} to {self.end}: {self.total} EP{' along the line of fire' if self.fire else ''}"
        return "\n".join([head, *(f"  {step.cost} [{step.rule}] {step.text}" for step in self.steps)])


class _Stop(NamedTuple):
    """A location that the line runs through, or an end: its stretch, and what it costs to get into it."""

    enter: Fraction
    leave: Fraction
    label: str
    cost: int
    cell: int
    text: str

    @property
    def middle(self) -> Fraction:
        return (self.enter + self.leave) / 2


class _Crossing(NamedTuple):
    """A wall, facade or partition on the line; `adds` when the location behind it is paid as well."""

    where: Fraction
    cost: int
    adds: bool
    text: str


def count_effect_points(scene: Scene, a: int, b: int, *, fire: bool) -> EffectPoints:
    """Return the distance between two locations in effect points.

    Parameters
    ----------
    scene : Scene
    a, b : int
        Numbers of the locations.
    fire : bool
        Along the line of sight; else along the most direct path, by stairs from and to roofs.
    """
    start, end = End.of(scene, a), End.of(scene, b)
    steps = _along_line(scene, start, end, fire=True) if fire else _direct(scene, start, end)
    return EffectPoints(start.label, end.label, fire, sum(step.cost for step in steps), tuple(steps))


# -- the most direct path --------------------------------------------------------------------------------------------


def _direct(scene: Scene, start: End, end: End) -> list[EffectStep]:
    """Return the steps of the most direct path: by the stairs of a roof, and by the access to the underground."""
    if start.number == end.number:
        return []
    if start.kind == ROOF and end.kind == ROOF:
        return _along_line(scene, start, end, fire=False)
    if ROOF not in (start.kind, end.kind) and start.under == end.under:
        return _along_line(scene, start, end, fire=False)
    found = list(_by_links(scene, start, end))
    if not found:
        return _along_line(scene, start, end, fire=False)
    return min(found, key=lambda path: sum(step.cost for step in path))


def _by_links(scene: Scene, start: End, end: End) -> Iterator[list[EffectStep]]:
    """Yield the paths by every vertical link that takes an end off its roof, or changes between above and below."""
    if start.kind == ROOF:
        for roof, way in _linked_roofs(scene, start).items():
            for lower in _below(scene, roof):
                down = _by_link(scene, End.of(scene, roof), lower)
                yield [*_links_along(scene, way), down, *_direct(scene, lower, end)]
        return
    if end.kind == ROOF:
        for roof, way in _linked_roofs(scene, end).items():
            for lower in _below(scene, roof):
                up = _by_link(scene, lower, End.of(scene, roof))
                yield [*_direct(scene, start, lower), up, *_links_along(scene, way[::-1])]
        return
    for number, others in scene.links.items():
        here = End.of(scene, number)
        for other in others:
            there = End.of(scene, other)
            if here.under == start.under and there.under == end.under and ROOF not in (here.kind, there.kind):
                access = _by_link(scene, here, there)
                yield [*_direct(scene, start, here), access, *_direct(scene, there, end)]


def _linked_roofs(scene: Scene, start: End) -> dict[int, list[int]]:
    """Return the roofs that links from roof to roof lead to, each once, with the roofs on the shortest way there."""
    found = {start.number: [start.number]}
    for at in (queue := [start.number]):
        for other in scene.links.get(at, ()):
            if other not in found and End.of(scene, other).kind == ROOF:
                found[other] = [*found[at], other]
                queue.append(other)
    return found


def _below(scene: Scene, roof: int) -> Iterator[End]:
    """Yield what the stairs of a roof lead to that is no roof."""
    for other in scene.links.get(roof, ()):
        end = End.of(scene, other)
        if end.kind != ROOF:
            yield end


def _links_along(scene: Scene, way: list[int]) -> list[EffectStep]:
    return [_by_link(scene, End.of(scene, a), End.of(scene, b)) for a, b in pairwise(way)]


def _by_link(scene: Scene, a: End, b: End) -> EffectStep:
    kind = scene.links[a.number][b.number]
    cost = int(scene.figures["ep_stairs" if ROOF in (a.kind, b.kind) else "ep_access"])
    return EffectStep(b.label, cost, _RULE, f"{a.label} to {b.label} by the {kind}")


# -- along the line --------------------------------------------------------------------------------------------------


def _along_line(scene: Scene, start: End, end: End, *, fire: bool) -> list[EffectStep]:
    line = Line(scene, start, end)
    if start.number == end.number:
        return []
    if end.number in scene.links.get(start.number, ()):
        return [_by_link(scene, start, end)]
    roof = ROOF in (start.kind, end.kind)
    stops = _stops(scene, line, roof=roof, fire=fire)
    crossings = _roof_crossings(scene, line, fire=fire) if roof else sorted(_crossings(scene, line, fire=fire))
    return _cheapest(scene, line, stops, crossings, _ROOF_RULE if roof else _RULE)


def _stops(scene: Scene, line: Line, *, roof: bool, fire: bool) -> list[_Stop]:
    """Return the locations under a line in order, its ends first and last."""
    start, end = line.start, line.end
    one = int(scene.figures["ep_location"])
    stops: list[_Stop] = []
    built: list[Span] = []
    for building, contacts in line.buildings:
        spans = [(contact.enter, contact.leave) for contact in contacts if contact.how == "through"]
        built += spans
        own = {one.number for one in (start, end) if one.building == building.index}
        if building.index in {one.building for one in (start, end) if one.kind == ROOF}:
            continue
        if roof and not own and scene.options["roof_over_building"] == "building":
            stops += [_Stop(*span, building.name, one, -1, f"{building.name} building") for span in spans]
            continue
        rooms = [room for room in rooms_crossed(scene, line, building.index) if room[2] not in own]
        stops += [_Stop(low, high, scene.label(n), one, -1, scene.label(n)) for low, high, n in rooms]
        if not scene.buildings[building.index].rooms:
            stops += [_Stop(*span, building.name, one, -1, f"{building.name} building") for span in spans]
    stops += _hex_stops(scene, line, built, roof=roof)
    stops.sort(key=lambda stop: (stop.middle, stop.label))
    first = _Stop(
        _START, _own_stretch(scene, line, start, built, fire=fire)[1], start.label, 0, _cell(scene, start), ""
    )
    cost = _end_cost(scene, end, roof)
    last = _Stop(
        _own_stretch(scene, line, end, built, fire=fire)[0], _END, end.label, cost, _cell(scene, end), end.label
    )
    return [first, *stops, last]


def _own_stretch(scene: Scene, line: Line, end: End, built: list[Span], *, fire: bool) -> Span:
    """Return the stretch of a line in the hex or room of an end, to the opening it fires through or over its roof."""
    at = _START if end is line.start else _END
    own = line.exit if end is line.start else line.entry
    if end.kind == ROOM:
        if fire and own is not None and _passed_by_opening(scene, line, own):
            return own
        spans = [(low, high) for low, high, number in rooms_crossed(scene, line, end.building) if number == end.number]
    elif end.kind == ROOF and end.building >= 0:
        spans = [(one.enter, one.leave) for one in line.area(end.building)]
    else:
        mine = [(one.enter, one.leave) for one in line.hexes if end.number in one.cells]
        spans = [piece for span in mine for piece in outside(span, built)]
    return next((span for span in spans if span[0] <= at <= span[1]), (at, at))


def _passed_by_opening(scene: Scene, line: Line, span: Span) -> bool:
    """Tell whether a stretch lies between a unit and the opening that it fires through, which alone counts then."""
    for end, other, own in ((line.start, line.end, line.exit), (line.end, line.start, line.entry)):
        if own is not None and own != (_START, _END) and own[0] <= span[0] and span[1] <= own[1]:
            return bool(_opening(scene, end, other))
    return False


def _cell(scene: Scene, end: End) -> int:
    return end.number if end.number < scene.grid.cells else -1


def _end_cost(scene: Scene, end: End, roof: bool) -> int:
    cell = _cell(scene, end)
    return int(scene.figures["ep_location"]) if roof or cell < 0 else _hex_cost(scene, cell)


def _hex_cost(scene: Scene, cell: int) -> int:
    return int(scene.figures[f"ep_{scene.model.terrain_at(cell)}"])


def _hex_stops(scene: Scene, line: Line, built: list[Span], *, roof: bool) -> Iterator[_Stop]:
    """Yield the hexes that the line runs through or beside, as far as they lie outside buildings."""
    one = int(scene.figures["ep_location"])
    for contact in line.hexes:
        if contact.how == "touch":
            continue
        for cell in contact.cells:
            if line.own(cell) or bool(scene.under[cell]) != line.under or not scene.kind[cell]:
                continue
            cost = one if roof else _hex_cost(scene, cell)
            for low, high in outside((contact.enter, contact.leave), built):
                yield _Stop(low, high, scene.label(cell), cost, cell, scene.hex_name(cell))


def _crossings(scene: Scene, line: Line, *, fire: bool) -> Iterator[_Crossing]:
    """Yield the walls, facades and partitions that a line on one level crosses."""
    figures, options = scene.figures, scene.options
    whole = int(figures["ep_crossing"])
    for index, contact in line.walls:
        if contact.how != "cross":
            continue
        name = scene.outer_walls[index].name or scene.outer_walls[index].id
        opened = wall_opened(scene, line, contact)
        if opened is not None and opened.sight == "wall_breach":
            yield _Crossing(contact.enter, int(options["wall_breach_ep"]), False, f"through the breach {opened.id}")
        elif opened is not None:
            yield _Crossing(contact.enter, whole, False, f"through the {opened.sight} {opened.id}")
        else:
            yield _Crossing(contact.enter, whole, False, f"over the outer wall {name}")
    for building, contacts in line.buildings:
        for span in contacts:
            if span.how == "through":
                for edge in (span.enter, span.leave):
                    if edge not in (_START, _END):
                        yield _Crossing(edge, whole, False, _facade_text(scene, line, building.name, edge))
        for where, names in partition_places(scene, line, building.index):
            if not (fire and _passed_by_opening(scene, line, (where, where))):
                added = options["partition_ep"] == "added"
                yield _Crossing(where, int(figures["ep_partition"]), added, f"through the partition {names}")


def _facade_text(scene: Scene, line: Line, name: str, edge: Fraction) -> str:
    for end, other, own in (
        (line.start, line.end, line.exit and line.exit[1]),
        (line.end, line.start, line.entry and line.entry[0]),
    ):
        if own == edge:
            opening = _opening(scene, end, other)
            if opening:
                return f"through the {opening}"
    return f"through the facade of {name}"


def _opening(scene: Scene, end: End, other: End) -> str:
    """Return the opening of a room that looks upon a location, empty when there is none."""
    for opening in scene.openings_of.get(end.number, ()):
        if opening.open and scene.in_arc(opening, other.number):
            return f"{opening.sight} {opening.id} of {end.label}"
    return ""


def _roof_crossings(scene: Scene, line: Line, *, fire: bool) -> list[_Crossing]:
    """Return what counts on a line from or to a roof: the opening right in front of the lower end (ER9)."""
    whole = int(scene.figures["ep_crossing"])
    found = []
    for end, other, own in (
        (line.start, line.end, line.exit and line.exit[1]),
        (line.end, line.start, line.entry and line.entry[0]),
    ):
        if fire and end.kind == ROOM and other.kind == ROOF and own:
            opening = _opening(scene, end, other)
            if opening:
                found.append(_Crossing(own, whole, False, f"through the {opening}"))
    if fire:
        for _, contact in line.walls:
            opened = wall_opened(scene, line, contact)
            if opened is not None and line.in_front(contact):
                what = "aperture" if opened.sight == "aperture" else "breach"
                found.append(_Crossing(contact.enter, whole, False, f"through the {what} {opened.id}"))
    return sorted(found)[:1]


# -- the cheapest track ----------------------------------------------------------------------------------------------


def _cheapest(scene: Scene, line: Line, stops: list[_Stop], crossings: list[_Crossing], rule: str) -> list[EffectStep]:
    """Return the steps of the cheapest chain of stops from the first to the last."""
    best: list[tuple[int, int, int]] = [(0, 0, -1)]  # points, steps, stop before
    blocks = [
        (contact.enter, contact.leave)
        for _, contacts in line.buildings
        for contact in contacts
        if contact.how == "through"
    ]
    for at in range(1, len(stops)):
        joined = [before for before in range(at) if _joined(scene, stops, before, at, blocks)] or [at - 1]
        choices = []
        for before in joined:
            points, count, _ = best[before]
            cost = sum(step.cost for step in _step(stops, before, at, crossings, rule))
            choices.append((points + cost, count + 1, before))
        best.append(min(choices))
    track = [len(stops) - 1]
    while track[-1] > 0:
        track.append(best[track[-1]][2])
    track.reverse()
    pairs = pairwise(track)
    return [step for before, at in pairs for step in _step(stops, before, at, crossings, rule)]


def _joined(scene: Scene, stops: list[_Stop], before: int, at: int, blocks: list[Span]) -> bool:
    """Tell whether a track may go from one stop straight to another: nothing lies between, or they are adjacent."""
    one, other = stops[before], stops[at]
    if one.leave <= other.enter and not any(
        one.leave <= stop.enter and stop.leave <= other.enter for stop in stops[before + 1 : at]
    ):
        return True
    if scene.options["fire_track"] == "every" or one.cell < 0 or other.cell < 0:
        return False
    near = scene.grid.direction(one.cell, other.cell) is not None
    return near and not any(one.middle <= low and high <= other.middle for low, high in blocks)


def _step(stops: list[_Stop], before: int, at: int, crossings: list[_Crossing], rule: str) -> list[EffectStep]:
    """Return what it costs to get from a stop to a later one: the crossings between them, else the location."""
    low = stops[before].middle if before else _START
    stop = stops[at]
    high = stop.middle if at + 1 < len(stops) else _END
    between = [one for one in crossings if low < one.where <= high]
    steps = [EffectStep(stop.label, one.cost, rule, f"{stop.label}: {one.text}") for one in between]
    if all(one.adds for one in between) and stop.cost:
        steps.append(EffectStep(stop.label, stop.cost, rule, stop.text))
    return steps

"""What single things do to a line of sight in Modern Tactics, each rule in one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from studio.model import Area
from studio.rules.modern_tactics.drawn import HighWall
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.scene import BLOCK, DEGRADE, NONE, End
from studio.sight import Place
from studio.sight.trace.contacts import LineContact
from studio.sight.words import hexes

__all__ = ["Fact", "hexside", "high_wall", "hill", "on_the_ground", "own_side", "smoke", "structure", "whole_line"]

_ONCE = "one degradation"


class Fact(NamedTuple):
    """What one thing does to a line: ``weight`` 0 passes, 1 degrades, 2 blocks."""

    weight: int
    rule: str
    at: Place
    text: str


def _name(line: Line, cell: int) -> str:
    return line.scene.model.labels.label(cell)


# -- the whole line ------------------------------------------------------------------------------------------------


def whole_line(line: Line) -> Iterator[Fact]:
    """Yield what concerns a line as a whole: visibility, gullies, plateaus, one structure of several hexes."""
    if line.distance == 0:
        yield Fact(NONE, "12.1", "", "Both ends are in the same hex")
        return
    limit = line.scene.conditions.visibility
    if limit and line.distance > limit:
        yield Fact(BLOCK, "special rule", "", f"Visibility is {hexes(limit)}, the range is {line.distance}")
    yield from _gully(line)
    yield from _plateau(line)
    yield from _same_structure(line)
    if line.distance == 1:
        yield Fact(NONE, "12.1", "", "Adjacent hexes: no other hex lies between them")


def _gully(line: Line) -> Iterator[Fact]:
    """Yield what gullies do: the inside is seen into, and out of, from the rim only (12.4, 14.5)."""
    scene, (start, end) = line.scene, line.ends
    if not scene.has_gullies or start.gully == end.gully:
        return
    for one, other in ((start, end), (end, start)):
        if not one.gully:
            continue
        name = _name(line, one.cell)
        if scene.gully_edge[one.cell]:
            yield Fact(NONE, "14.5", name, f"{name} edge of a gully: sees out of it, and is seen, as at level 0")
        elif other.air and scene.options["air_into_gully"]:
            yield Fact(NONE, "30.0", name, f"{name} inside of a gully: seen into from the air")
        elif not other.air and other.cell in scene.rim(one.gully):
            yield Fact(
                NONE, "12.4", name, f"{name} inside of a gully: seen into from {_name(line, other.cell)} on its rim"
            )
        else:
            yield Fact(BLOCK, "12.4", name, f"{name} inside of a gully: only units on its rim see into it")


def _plateau(line: Line) -> Iterator[Fact]:
    """Lower levels are seen from crest hexes only (12.4)."""
    higher = line.higher
    if line.low == line.high or higher.air or higher.ground < 1 or (higher.level != higher.ground):
        return
    name = _name(line, higher.cell)
    if line.scene.crest[higher.cell]:
        yield Fact(NONE, "12.4", name, f"{name} crest hex of level {higher.ground}: sees lower levels")
    else:
        text = f"{name} middle of a plateau of level {higher.ground}: only its crest hexes see lower levels"
        yield Fact(BLOCK, "12.4", name, text)


def _same_structure(line: Line) -> Iterator[Fact]:
    """Inside one structure of several hexes only adjacent hexes are seen (14.8)."""
    scene, (start, end) = line.scene, line.ends
    if line.distance < 2 or not (start.indoors and end.indoors):
        return
    there = {area.id for area in scene.standing.get(end.cell, ())}
    if any(area.id in there for area in scene.standing.get(start.cell, ())):
        yield Fact(BLOCK, "14.8", "", "Inside one structure only adjacent hexes are seen")


# -- one hex -------------------------------------------------------------------------------------------------------


def _seen_over(line: Line, cell: int) -> tuple[bool, str]:
    """Tell whether something lower than the higher end still counts: for the one hex behind it (12.4); and why."""
    if not line.is_behind(cell):
        return False, f"seen over from {'the air' if line.higher.air else f'level {line.high}'}"
    if line.is_slope(cell):
        return False, f"down the slope from {_name(line, line.higher.cell)}, which has no blind hex"
    return True, f"{_name(line, line.lower.cell)} is in the blind hex behind it"


def _effect(why: str, weight: int) -> str:
    """Add to a reason what comes of it, but for what blocks."""
    return f"{why}, {_ONCE}" if why and weight == DEGRADE else why or _ONCE


def _standing(line: Line, cell: int, floor: int, weight: int, rule: str, what: str, why: str = "") -> Fact:
    """Return what a thing of tangible height that stands on a level does to the line (12.1, 12.4), and why."""
    at = _name(line, cell)
    if floor >= line.high:
        return Fact(weight, rule, at, f"{at} {what}: {_effect(why, weight)}")
    if floor < line.low:
        return Fact(NONE, "12.4", at, f"{at} {what}: lower than both ends")
    counts, why = _seen_over(line, cell)
    if counts:
        return Fact(weight, f"12.4, {rule}", at, f"{at} {what}: {_effect(why, weight)}")
    return Fact(NONE, "12.4", at, f"{at} {what}: {why}")


def smoke(line: Line, cell: int) -> Iterator[Fact]:
    """Smoke degrades at every height (13.8)."""
    if line.scene.smoke[cell]:
        name = _name(line, cell)
        yield Fact(DEGRADE, "13.8", name, f"{name} smoke: not seen over from any height, {_ONCE}")


def on_the_ground(line: Line, cell: int) -> Iterator[Fact]:
    """Terrain and markers of tangible height (12.1, 13.6, 13.7, 13.9, Playbook 1)."""
    scene = line.scene
    if not scene.effect[cell]:
        return
    floor = int(scene.ground[cell])
    weight = int(scene.soil[cell])
    if weight:
        why = "too dense to see through" if weight == BLOCK else "seen through"
        yield _standing(line, cell, floor, weight, "Playbook 1", scene.terrain_name(cell), why)
    sections = {"roadblock": "13.6", "rubble": "13.7", "wreck": "13.9"}
    for kind in scene.markers.get(cell, ()):
        yield _standing(line, cell, floor, DEGRADE, sections[kind], kind, "seen past")


def structure(line: Line, cell: int, how: str, inside: list[Area]) -> Iterator[Fact]:
    """Yield what a structure does: it blocks where it is drawn, and degrades in the rest of its hex (12.2, 14.6)."""
    scene = line.scene
    if not scene.structure[cell]:
        return
    floor = int(scene.level[cell])
    areas = scene.standing.get(cell)
    hit = areas is None or _is_hit(line, cell, how, inside, areas)
    what = "structure" if not scene.raised[cell] else f"structure of {floor + 1} storeys"
    if hit:
        yield _standing(line, cell, floor, BLOCK, "14.6", what, "stands in the way of the line")
    else:
        yield _standing(line, cell, floor, DEGRADE, "12.2", f"{what}{_MISSED}")


_MISSED = " that the line misses in this hex"


def _is_hit(line: Line, cell: int, how: str, inside: list[Area], areas: list[Area]) -> bool:
    """Tell whether a line hits one of some drawn areas in a hex; in a corner that is touched it never does."""
    ids = {area.id for area in areas}
    if how == "along":
        return any(area.id in ids for area in inside)
    shapes = line.scene.drawn.shapes.get(cell, ())
    return how == "through" and any(shape.area.id in ids and line.hits(shape) for shape in shapes)


def hill(line: Line, cell: int, how: str, inside: list[Area]) -> Iterator[Fact]:
    """Yield what hills do: they block where they are drawn and degrade in the rest of the hex (12.2, 14.5).

    Without a drawing, the hill fills its hex.
    """
    scene = line.scene
    drawn = scene.drawn.hill_at.get(cell, [])
    by_level: dict[int, list[Area] | None] = {}
    for level in sorted({area.level for area in drawn}):
        by_level[level] = [area for area in drawn if area.level == level]
    by_level.setdefault(int(scene.ground[cell]), None)
    for level, areas in by_level.items():
        if level < line.high and level <= line.low:
            continue
        if level == line.high and level < 1 and line.low == level:
            continue  # level ground is no hill
        if areas is None or _is_hit(line, cell, how, inside, areas):
            yield from _hill(line, cell, level, BLOCK, f"{'ground' if areas is None else 'hill'} of level {level}")
        else:
            yield from _hill(line, cell, level, DEGRADE, f"hill of level {level}{_MISSED}")


def _hill(line: Line, cell: int, level: int, weight: int, what: str) -> Iterator[Fact]:
    at, higher, rule = _name(line, cell), _name(line, line.higher.cell), "14.5"
    scene = line.scene
    if level > line.high:
        why = "higher than both ends"
    elif level < line.high:
        counts, why = _seen_over(line, cell)
        weight, rule = (weight, "12.4, 14.5") if counts else (NONE, "12.4")
    elif scene.is_other_hill(level, cell, line.ends):
        both = "both ends" if line.low == level else higher
        weight = weight if scene.options["other_hill"] == "blocks" else NONE
        why = f"another hill, as high as {both}" if weight else f"another hill, no higher than {both}"
    elif line.low < level and scene.options["crest"] == "line":
        why, rule = f"lies between {higher} and the crest of its hill", "12.4"
    else:
        own = scene.end_on_hill(level, cell, line.ends)
        why = f"on the same hill as {_name(line, own.cell)}" if own and level >= 1 else f"no higher than {higher}"
        weight = NONE
    yield Fact(weight, rule, at, f"{at} {what}: {_effect(why, weight)}")


# -- hexsides and walls --------------------------------------------------------------------------------------------


def hexside(line: Line, a: int, b: int) -> Fact | None:
    """Return what the side of two hexes does to a line across or along it (14.4), None without terrain."""
    scene = line.scene
    level = scene.sides.get((min(a, b), max(a, b)))
    if level is None or {a, b} & {line.start.cell, line.end.cell}:
        return None
    at, what = _side(line, a, b)
    if line.low != line.high:
        return Fact(NONE, "12.4", at, f"{what}: no effect between different levels")
    if level < line.high:
        return Fact(NONE, "14.5", at, f"{what}: lower than both ends")
    return Fact(DEGRADE, "14.4", at, f"{what}: seen over, {_ONCE}")


def own_side(line: Line, own: int, beside: int) -> Fact | None:
    """Return that terrain on a side of the hex of an end does nothing (14.4), None without terrain."""
    if (min(own, beside), max(own, beside)) not in line.scene.sides:
        return None
    at, what = _side(line, own, beside)
    return Fact(NONE, "14.4", at, f"{what}: on a side of {_name(line, own)} itself, which does not count")


def _side(line: Line, a: int, b: int) -> tuple[tuple[str, str], str]:
    """Return the place of a hexside, and what reasons call it."""
    at = (_name(line, min(a, b)), _name(line, max(a, b)))
    kinds = (line.scene.ruleset.side_kinds[kind].name.lower() for kind in line.scene.survey.side_kinds(a, b))
    return at, f"{at[0]}/{at[1]} {' and '.join(kinds)}"


def high_wall(line: Line, wall: HighWall, contact: LineContact) -> Iterator[Fact]:
    """Yield what a high wall does: it blocks, but for units whose own hex holds that piece of it (Playbook 2)."""
    scene = line.scene
    first, last = max(contact.enter, line.leaves), min(contact.leave, line.enters)
    if contact.how == "touch" and not (scene.options["graze_hits"] and first <= last):
        return
    if contact.how == "along":
        if first < last:
            cells = line.cells_at((first + last) / 2)
            yield _wall_fact(line, wall, [cell for cell in cells if cell not in (line.start.cell, line.end.cell)])
        return
    own = [end for end in line.ends if end.cell in line.cells_at(contact.enter)]
    if not own:
        yield _wall_fact(line, wall, line.cells_at(contact.enter))
        return
    shut = [end for end in own if not _looks_out(line, wall, end)]
    name = _name(line, own[0].cell)
    if len(shut) == len(own):
        text = f"{name} {wall.spoken}: an inner structure does not look out over it"
        yield Fact(BLOCK, "Playbook 2", name, text)
    else:
        yield Fact(NONE, "Playbook 2", name, f"{name} {wall.spoken}: units at it look across")


def _looks_out(line: Line, wall: HighWall, end: End) -> bool:
    """Tell whether a unit sees across the wall in its hex: not out of an inner structure, save to units at the wall."""
    if not end.indoors or wall not in line.scene.drawn.inside_only(end.point):
        return True
    other = line.end if end is line.start else line.start
    return not other.air and bool(line.scene.drawn.wall_cells(wall)[other.cell])


def _wall_fact(line: Line, wall: HighWall, cells: list[int]) -> Fact:
    """Return what a high wall does that stands in hexes of neither end."""
    scene = line.scene
    what, why = wall.spoken, "too high to see over"
    if not cells:
        return Fact(BLOCK, "Playbook 2", wall.name, f"{what[0].upper()}{what[1:]}: {why}")
    if scene.options["walls_from_above"] == "block":
        at = _name(line, cells[0])
        return Fact(BLOCK, "Playbook 2", at, f"{at} {what}: too high to see over, even from above")
    found = [_standing(line, cell, int(scene.ground[cell]), BLOCK, "Playbook 2", what, why) for cell in cells]
    return max(found, key=lambda fact: fact.weight)

"""What a step costs in Urban Operations, part by part, and what forbids it (8.1, page 22, ER6); figures are data.

Costs are not cumulative: who crosses something pays for the crossing, and not for the location behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.paths import CostPart
from studio.rules import halves
from studio.rules.urban_operations.effect_points import count_effect_points
from studio.rules.urban_operations.scene import HEX, ROOF, ROOM, Opening
from studio.rules.urban_operations.ways import Way

if TYPE_CHECKING:
    from studio.rules.urban_operations.paths import Judge

__all__ = ["around_barricades", "closed", "near_barricades", "notes", "offers"]

VEHICLE = "vehicle"
WAREHOUSE = "warehouse"
"""Tag of the buildings that vehicles may enter (8.1.4)."""

_STAIRS = {
    "roof_access": ("8.1.8", "mp_roof_stairs", "by the roof access"),
    "linked_roofs": ("8.1.9", "mp_roof_to_roof", "from roof to roof"),
    "underground_access": ("8.1.10", "mp_access", "by the underground access"),
}


def offers(judge: Judge, a: int, b: int) -> Iterator[CostPart]:
    """Yield what a step from one location to another can be paid as; None in it forbids this way of going.

    Parameters
    ----------
    judge : Judge
    a, b : int
        Numbers. Nothing is yielded when no way leads from the one to the other.
    """
    for way in judge.ways.between(a, b):
        yield _by_way(judge, way, a, b)
    if judge.are_beside(a, b):
        yield _over_ground(judge, a, b)


# -- from hex to hex (8.1.2, 8.1.6) ----------------------------------------------------------------------------------


def _over_ground(judge: Judge, a: int, b: int) -> CostPart:
    name = judge.scene.label(b)
    side, barrier = judge.ways.gaps.side(a, b)
    if side == "open":
        terrain = judge.ruleset.terrain(judge.scene.model.terrain_at(b))
        return CostPart("8.1", _entry(judge, b), f"{name}: {terrain.name.lower()}")
    assert barrier is not None  # whatever closes a side is named
    if side == "facade":
        building = judge.scene.building_name(judge.scene.buildings[barrier.piece_of])
        text = f"{name}: behind the facade of {building}, which is crossed through apertures and breaches only"
        return CostPart("5.1.3.1", None, text)
    wall = judge.scene.wall_name(judge.scene.outer_walls[barrier.piece_of])
    if judge.mover == VEHICLE:
        return CostPart("8.1.6", None, f"{name}: behind {wall}, which vehicles cross through opened breaches only")
    if judge.state.ladder:
        return judge.paid("8.1.6", "mp_wall_ladder", f"{name}: over {wall} with the ladder")
    for helper in (a, b):
        if helper in judge.climbed_over:
            text = f"{name}: over {wall} by the {judge.climbed_over[helper]} in {judge.scene.label(helper)}"
            return judge.paid("8.1.6", "mp_wall_over", text)
    return judge.paid("8.1.6", "mp_wall", f"{name}: over {wall}")


def _entry(judge: Judge, cell: int) -> int | None:
    """Return what entering a hex costs; what is closed to a mover is said by :func:`closed`."""
    terrain = judge.scene.model.terrain_at(cell)
    cost = judge.ruleset.move_cost(terrain, judge.mover)
    return 2 if cost is None else cost


# -- all other ways --------------------------------------------------------------------------------------------------


def _by_way(judge: Judge, way: Way, a: int, b: int) -> CostPart:
    label = judge.scene.label
    if way.opening is not None:
        return _through(judge, way.kind, way.opening, b)
    if way.kind in ("zone", "partition"):
        return _inside(judge, way.kind, b)
    if way.kind == "climb":
        return _climb(judge, way.helper, b)
    if way.kind == "sewer_entrance":
        # No extra cost (5.1.6): the hex behind it is paid as any other.
        return CostPart("5.1.6", _entry(judge, b), f"{label(b)}: by the sewer entrance")
    rule, figure, how = _STAIRS[way.kind]
    if judge.mover == VEHICLE:
        return CostPart(rule, None, f"{label(b)}: {how}, where blocks on foot go only")
    return judge.paid(rule, figure, f"{label(b)}: {how}")


def _through(judge: Judge, kind: str, opening: Opening, b: int) -> CostPart:
    """Return what it costs to cross an aperture or breach."""
    name = judge.scene.label(b)
    breach = "breach" in kind
    rule = "8.1.5" if breach else "8.1.4"
    what = f"the {opening.name} of {judge.scene.label(opening.number)}"
    if not opening.open:
        return CostPart(rule, None, f"{name}: through {what}, which has not been opened")
    lets_in = kind == "wall_breach" or (kind == "aperture" and _is_warehouse(judge, opening.number))
    if judge.mover == VEHICLE and not lets_in:
        return CostPart(rule, None, f"{name}: through {what}, where blocks on foot go only")
    return judge.paid(rule, "mp_breach" if breach else "mp_aperture", f"{name}: through {what}")


def _inside(judge: Judge, kind: str, b: int) -> CostPart:
    name = judge.scene.label(b)
    if kind == "zone":
        return judge.paid("8.1.3", "mp_zone", f"{name}: the next zone of the room")
    if judge.mover == VEHICLE and judge.scene.options["warehouses"] == "zones":
        return CostPart("8.1.3", None, f"{name}: behind a partition, where blocks on foot go only")
    return judge.paid("8.1.3", "mp_partition", f"{name}: through the partition")


def _climb(judge: Judge, helper: int, b: int) -> CostPart:
    name, foot = judge.scene.label(b), judge.scene.label(helper)
    if judge.mover == VEHICLE:
        return CostPart("8.1.7", None, f"{name}: up or down the facade, where blocks on foot go only")
    if judge.state.ladder:
        return judge.paid("8.1.7", "mp_roof_ladder", f"{name}: up or down the facade with the ladder")
    if helper in judge.climbed_to_roofs:
        text = f"{name}: up or down the facade by the {judge.climbed_to_roofs[helper]} in {foot}"
        return judge.paid("8.1.7", "mp_roof_over", text)
    text = f"{name}: up or down the facade takes a ladder, or a truck, APC, MBT or block with a ladder in {foot}"
    return CostPart("8.1.7", None, text)


# -- what closes a location, and what else happens there -------------------------------------------------------------


def closed(judge: Judge, a: int, b: int) -> Iterator[CostPart]:
    """Yield what forbids any step into a location: its terrain, what is there, who is there."""
    scene, name = judge.scene, judge.scene.label(b)
    vehicle = judge.mover == VEHICLE
    if b < scene.grid.cells:
        terrain = judge.ruleset.terrain(scene.model.terrain_at(b))
        if judge.ruleset.move_cost(scene.model.terrain_at(b), judge.mover) is None:
            yield CostPart(terrain.section, None, f"{name}: {terrain.name.lower()} is closed to {judge.mover} blocks")
    elif vehicle and not (scene.kind[b] == ROOM and _is_warehouse(judge, b)):
        where = "below the ground" if scene.under[b] else "on a roof" if scene.kind[b] == ROOF else "in a building"
        yield CostPart("8.1.3, 8.1.4", None, f"{name}: no vehicle goes {where}")
    for kind in judge.markers_at(b):
        marker = judge.ruleset.marker_types[kind]
        if halves(marker.move.get(judge.mover, 0)) is None:
            yield CostPart(marker.section, None, f"{name}: no block moves through a {_spoken(marker.name)}")
    if b in judge.state.enemies:
        yield CostPart("8.1.1", None, f"{name}: an enemy block, and a block passes through friendly blocks only")
    if b in judge.state.blocked:
        yield CostPart("8.1", None, f"{name}: closed at the moment")
    if judge.state.enhanced:
        yield from _in_the_open(judge, a, b)


def _in_the_open(judge: Judge, a: int, b: int) -> Iterator[CostPart]:
    """Yield what forbids a step at the pace of 8.1.14: an enemy that sees its start or its end, or being below."""
    for number in dict.fromkeys((a, b)):
        if judge.seen[number]:
            text = f"{judge.scene.label(number)}: an enemy sees it, and enhanced movement stays out of sight"
            yield CostPart("8.1.14", None, text)
        if judge.scene.under[number]:
            text = f"{judge.scene.label(number)}: below the ground there is no enhanced movement"
            yield CostPart("8.1.14", None, text)


def near_barricades(judge: Judge, a: int, b: int, part: CostPart) -> CostPart:
    """Return what a step costs next to a barricade: at least two points into each location around it (5.2.2.5, ER6)."""
    least = 2 * int(judge.figures["mp_barricade"])
    if part.halves is None or b not in judge.around_barricades or part.halves >= least:
        return part
    where = judge.scene.label(judge.around_barricades[b])
    return CostPart("5.2.2.5, ER6", least, f"{part.text}, next to the barricade in {where}")


def notes(judge: Judge, b: int) -> Iterator[CostPart]:
    """Yield what else happens to a block that enters a location; it costs no points."""
    name, markers = judge.scene.label(b), judge.markers_at(b)
    if "toxic_cloud" in markers:
        yield CostPart("5.2.3.3.3", 0, f"{name}: in the toxic cloud the block loses a level of strength")
    if "at_mine" in markers and judge.mover == VEHICLE:
        yield CostPart("5.2.2.6.2", 0, f"{name}: the vehicle sets off the mine, which destroys it on 0 to 7")
    if "unknown_counter" in markers or "toxic_waste" in markers:
        yield CostPart("8.1.13", 0, f"{name}: its counter is revealed as soon as a block is adjacent")


def around_barricades(judge: Judge) -> dict[int, int]:
    """Return the locations within the radius of a barricade, in effect points, each with the barricade."""
    scene, found = judge.scene, dict[int, int]()
    radius = int(judge.figures["barricade_radius"])
    for at in sorted(judge.barricades):
        near = set(judge.ways.all.get(at, ()))
        if at < scene.grid.cells:
            near |= {cell for cell in scene.grid.within(at, radius) if scene.kind[cell] == HEX}
        for number in sorted(near - {at}):
            # What is above the ground does not reach below it.
            if (
                scene.under[number] == scene.under[at]
                and count_effect_points(scene, at, number, fire=False).total <= radius
            ):
                found.setdefault(number, at)
    return found


def _is_warehouse(judge: Judge, number: int) -> bool:
    index = int(judge.scene.building[number])
    if index < 0:
        return False
    area = judge.scene.survey.area(judge.scene.buildings[index].id)
    return WAREHOUSE in area.tags


def _spoken(name: str) -> str:
    return name if name[:3].isupper() else name.lower()

"""What a step from a location to the next one costs in Modern Tactics, each rule in one place (13, 14, 18, 22, 24)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studio.errors import GridError
from studio.paths import CostPart
from studio.rules.modern_tactics.move_state import VEHICLES

if TYPE_CHECKING:
    from studio.rules.modern_tactics.moves import TacticsMoves

__all__ = ["bog", "closing", "crowded", "held", "marked", "parts", "road_counts", "terrain_part"]


def parts(moves: TacticsMoves, here: int, there: int) -> list[CostPart]:
    """Return the parts of a step between two locations, whatever the facing.

    Parameters
    ----------
    moves : TacticsMoves
    here, there : int
        Numbers of the locations.

    Raises
    ------
    GridError
        When no step leads from the one to the other.
    """
    _check(moves, here, there)
    found = [*_ground(moves, here, there), *_climb(moves, here, there)]
    if moves.ways.cell_of(here) == moves.ways.cell_of(there):
        return [*found, *_covered(moves, here, there)]
    found += [*_hexside(moves, here, there), *_high_wall(moves, here, there), *marked(moves, there)]
    found += [*_enemies(moves, here, there), *crowded(moves, there)]
    return [*found, *_covered(moves, here, there), *_bog(moves, here, there)]


def _check(moves: TacticsMoves, here: int, there: int) -> None:
    """Refuse a step that is none."""
    ways, label = moves.ways, moves.survey.directory.label
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    if ca != cb and moves.survey.grid.direction(ca, cb) is None:
        msg = f"{label(here)} and {label(there)} are not adjacent: a step leads to a neighbouring hex"
        raise GridError(msg)
    by_road = ways.on_road(here) or ways.on_road(there)
    if ways.flies:
        if ways.on_road(there) or ca == cb:
            msg = f"{label(here)} to {label(there)}: helicopters fly from hex to hex, not onto roads"
            raise GridError(msg)
    elif by_road and ca != cb and ways.options["road_from_beside"] == "no" and not ways.surface(ca, cb):
        msg = f"{label(here)} and {label(there)} are not adjacent: no road leads from the one to the other"
        raise GridError(msg)


# -- the ground ------------------------------------------------------------------------------------------------------


def along(moves: TacticsMoves, here: int, there: int) -> str:
    """Return the surface of the road that a unit moves along, empty where it does not (14.2, 14.7)."""
    ways = moves.ways
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    indoors = not ways.on_road(here) and ca in ways.road_at
    if ca == cb or (indoors and ways.options["road_from_structure"] == "terrain"):
        return ""
    return ways.surface(ca, cb)


def uses_road(moves: TacticsMoves, here: int, there: int) -> str:
    """Return the surface of the road whose cost a step to a hex pays, empty where it pays for terrain."""
    return along(moves, here, there) if road_counts(moves, there) else ""


def road_counts(moves: TacticsMoves, there: int) -> bool:
    """Tell whether units on the road pay for it in a location: not in a structure, nor on a bridge (Playbook 1)."""
    ways, cell = moves.ways, moves.ways.cell_of(there)
    if not ways.on_road(there) and cell in ways.road_at:
        return False
    return ways.terrain_name(cell) != "bridge" or ways.options["road_on_bridge"] == "road"


def _ground(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield the cost of the ground entered: of the road, or of the terrain (14.2, 14.3, 14.7)."""
    ways, name = moves.ways, moves.survey.directory.label(there)
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    if ca == cb and ways.options["within_structure_hex"] == "on_entering":
        yield CostPart("14.7", None, f"{name}: road or structure is chosen on entering the hex")
        return
    if ways.flies:
        yield CostPart("30.0", ways.terrain_cost(ways.terrain_name(cb)), f"{name}: flies")
        return
    if ways.on_road(there) and cb in ways.fallen:
        yield CostPart("14.10", None, f"{name}: the structure has collapsed, its road no longer counts")
        return
    surface = uses_road(moves, here, there)
    if surface:
        yield CostPart("14.2", ways.road_cost(surface), f"{name}: along the {surface} road")
    elif ways.on_road(there) and (ca == cb or ways.options["road_from_beside"] == "road"):
        yield CostPart("14.7", ways.road_cost("unpaved"), f"{name}: onto the road")
    else:
        yield terrain_part(moves, there)


def terrain_part(moves: TacticsMoves, there: int) -> CostPart:
    """Return the cost of the terrain of a location."""
    ways = moves.ways
    terrain = moves.ruleset.terrain(ways.terrain_name(ways.cell_of(there)))
    cost = ways.terrain_cost(ways.terrain_name(ways.cell_of(there)))
    closed = "" if cost is not None else f": closed to {moves.mover} vehicles"
    return CostPart(terrain.section, cost, f"{moves.survey.directory.label(there)} {terrain.name.lower()}{closed}")


def _climb(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield what levels cost, up or down (14.5)."""
    ways = moves.ways
    levels = ways.levels(here, there)
    if not levels:
        return
    ground = next(iter(_ground(moves, here, there))).halves
    if ground is not None:
        text = f"{moves.survey.directory.label(there)}: {levels} level{'s' * (levels > 1)} up or down"
        yield CostPart("14.5", int(ways.climb_cost(levels, ground)), text)


# -- between the hexes -----------------------------------------------------------------------------------------------


def _hexside(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield what hexside terrain costs to cross, beside the terrain (14.4)."""
    ways = moves.ways
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    for kind in moves.survey.side_kinds(ca, cb):
        cost = ways.side_cost((kind,), bool(ways.surface(ca, cb)))
        if cost != 0:
            side = moves.ruleset.side_kinds[kind]
            yield CostPart(side.section, cost, f"across the {side.name.lower()}")


def _high_wall(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield what a high wall costs to cross; a road goes through a gate (Playbook 2)."""
    if not _is_walled(moves, here, there) or moves.ways.flies:
        return
    cost = moves.ways.wall_cost
    if cost is None:
        label = moves.survey.directory.label
        between = f"between {label(here)} and {label(there)}"
        text = f"the high wall {between} is closed to {moves.mover} units: no gate or breach is open there"
        yield CostPart("Playbook 2", None, text)
    elif cost or not moves.state.assault:
        yield CostPart("Playbook 2", cost, "over the high wall")


def _is_walled(moves: TacticsMoves, here: int, there: int) -> bool:
    ways = moves.ways
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    return (min(ca, cb), max(ca, cb)) in ways.walled and not ways.surface(ca, cb)


# -- what is there ---------------------------------------------------------------------------------------------------


def marked(moves: TacticsMoves, there: int) -> Iterator[CostPart]:
    """Yield what the markers in a hex cost (13.5, 13.6), and what they do to those who enter (13.3)."""
    ways, name = moves.ways, moves.survey.directory.label(there)
    if ways.flies:
        return
    for kind in ways.markers.get(ways.cell_of(there), ()):
        marker, cost = moves.ruleset.marker_types[kind], moves.ruleset.marker_cost(kind, moves.mover)
        if kind == "mines":
            yield CostPart(marker.section, 0, f"{name}: mines attack all but their owner's units and Engineers")
        elif cost is None:
            text = f"{name}: a {marker.name.lower()}, closed to vehicles until it is cleared or blown up"
            yield CostPart(marker.section, None, text)
        elif cost:
            removed = ", which the vehicle removes unless it bogs down" * (kind == "wire" and moves.turns)
            yield CostPart(marker.section, cost, f"{name}: {marker.name.lower()}{removed}")


def _enemies(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield what enemies forbid (22.0), and what an assault move asks for (24.0, 24.1)."""
    ways, name = moves.ways, moves.survey.directory.label(there)
    cell = ways.cell_of(there)
    if moves.state.assault:
        if cell not in ways.enemies | ways.objectives:
            yield CostPart("24.0", None, f"{name}: an assault move enters a hex with an enemy, or an objective")
        elif cell in ways.enemies:
            structure = bool(ways.scene.structure[cell]) and not ways.on_road(there)
            bunker = "bunker" in ways.markers.get(cell, ())
            if structure or bunker or _is_walled(moves, here, there):
                yield CostPart("24.1", 0, f"{name}: after a breach roll")
    else:
        yield from held(moves, there)


def held(moves: TacticsMoves, there: int) -> Iterator[CostPart]:
    """Yield what closes a hex with an enemy (22.0); helicopters fly over it (30.0), Bombers enter it (Playbook 3)."""
    ways = moves.ways
    if ways.cell_of(there) in ways.enemies and not ways.flies and moves.state.kind != "bomber":
        yield CostPart("22.0", None, f"{moves.survey.directory.label(there)}: an enemy unit is there")


def crowded(moves: TacticsMoves, there: int) -> Iterator[CostPart]:
    """Yield what closes a location that holds as much as it can (18.0)."""
    ways, name = moves.ways, moves.survey.directory.label(there)
    cell = ways.cell_of(there)
    if cell in ways.blocked:
        yield CostPart("18.0", None, f"{name}: no room to enter")
    elif cell in ways.full:
        single = moves.state.kind != "unit"
        most = moves.ways.figures["stacking_singles"] if single else moves.ruleset.catalogue.stacking
        yield CostPart("18.0", None, f"{name}: {most} {'single persons' if single else 'units'} are there already")


# -- bogging down, and units that move together -----------------------------------------------------------------------


def _bog(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield the Bog Roll of a step; one only, whatever asks for it (14.4, 22.5)."""
    ways, causes = moves.ways, []
    ca, cb = ways.cell_of(here), ways.cell_of(there)
    if moves.mover not in VEHICLES:
        return
    causes += [kind for kind in moves.survey.side_kinds(ca, cb) if ways.side_cost((kind,), bool(ways.surface(ca, cb)))]
    causes = [kind for kind in causes if moves.mover in moves.ruleset.side_kinds[kind].bog]
    if _is_walled(moves, here, there) and ways.wall_cost:
        causes.append("high_wall")
    yield from bog(moves, there, causes, on_road=bool(uses_road(moves, here, there)))


def bog(moves: TacticsMoves, there: int, causes: list[str], *, on_road: bool) -> Iterator[CostPart]:
    """Yield the Bog Roll for entering a location, for what is on the way and in its hex.

    Parameters
    ----------
    moves : TacticsMoves
    there : int
        Number of the location.
    causes : list of str
        What is crossed and asks for a roll.
    on_road : bool
        The unit keeps to a road: the terrain beside it asks for none.
    """
    ways, mover = moves.ways, moves.mover
    if mover not in VEHICLES:
        return
    cell, causes = ways.cell_of(there), list(causes)
    terrain = ways.terrain_name(cell)
    if not on_road and not ways.on_road(there) and mover in moves.ruleset.terrain(terrain).bog:
        causes.append(terrain)
    causes += [kind for kind in ways.markers.get(cell, ()) if mover in moves.ruleset.marker_types[kind].bog]
    if causes:
        most = int(ways.figures[f"bog_{mover}"])
        rolls = "1" if most == 1 else f"1 to {most}"
        named = ", ".join(cause.replace("_", " ") for cause in dict.fromkeys(causes))
        text = f"{moves.survey.directory.label(there)}: Bog Roll ({named}), a {mover} vehicle bogs down on {rolls} of 6"
        yield CostPart("22.5", 0, text)


def _covered(moves: TacticsMoves, here: int, there: int) -> Iterator[CostPart]:
    """Yield what the vehicle that gives rolling cover cannot do, and its Bog Roll (22.2)."""
    if moves.covering is not None:
        yield from closing(parts(moves.covering, here, there))


def closing(found: list[CostPart]) -> Iterator[CostPart]:
    """Yield those parts of another unit's step that hold for a group with it: what is closed, and the Bog Roll."""
    for part in found:
        if part.halves is None or part.rule == "22.5":
            yield part

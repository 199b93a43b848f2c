"""Ranges in effect points in Urban Operations: what lies within them, and the chain of command (7.1, 7.2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import ScenarioRuleError
from studio.rules import get_ruleset
from studio.rules.urban_operations.doorsteps import HEX_APART
from studio.rules.urban_operations.effect_points import EffectPoints, count_effect_points
from studio.rules.urban_operations.scene import HEX, ROOF, Scene
from studio.sight import Conditions
from studio.survey import Survey

__all__ = ["Chain", "EffectReach", "chain_of_command", "effect_reach"]


_SAMPLE = 0.25  # hexes from one spot on a path to the next, where it is looked at what lies there


class EffectReach(msgspec.Struct, frozen=True):
    """What lies within so many effect points of a location.

    Attributes
    ----------
    start : str
        Label.
    points : int
    fire : bool
        Counted along lines of sight, as for fire.
    costs : dict of str to int
        Effect points to every location within the range, by label, its own with 0.
    directory, revision : Directory, int
        Locations of the map, and the state of the survey that it was made from.
    """

    start: str
    points: int
    fire: bool
    costs: dict[str, int]
    directory: Any = None
    revision: int = 0

    @property
    def labels(self) -> list[str]:
        """Labels of the locations within the range."""
        return list(self.costs)

    def to_dict(self) -> dict[str, Any]:
        """Return the range as plain data for JSON."""
        return {"from": self.start, "points": self.points, "fire": self.fire, "costs": dict(self.costs)}

    def __repr__(self) -> str:
        return f"EffectReach({self.start}, {len(self.costs)} locations within {self.points} EP)"

    def __str__(self) -> str:
        by_cost: dict[int, list[str]] = {}
        for label, cost in self.costs.items():
            by_cost.setdefault(cost, []).append(label)
        lines = [f"  {cost} EP: {' '.join(by_cost[cost])}" for cost in sorted(by_cost)]
        along = " along lines of sight" if self.fire else ""
        head = f"{self.start}: {len(self.costs)} locations within {self.points} EP{along}"
        return "\n".join([head, *lines])


class Chain(msgspec.Struct, frozen=True):
    """How many blocks of a platoon can be activated, and why.

    Attributes
    ----------
    blocks : int
    links : tuple of EffectPoints
        From the company commander to the platoon commander and to the command post, as far as they are on the map.
    text : str
    """

    blocks: int
    links: tuple[EffectPoints, ...]
    text: str

    def __str__(self) -> str:
        return "\n".join([f"{self.blocks} blocks: {self.text}", *(str(link) for link in self.links)])


def effect_reach(
    survey: Survey,
    start: str,
    points: int | None = None,
    *,
    fire: bool = False,
    options: Mapping[str, Any] | None = None,
    opened: Iterable[str] = (),
) -> EffectReach:
    """Return what lies within so many effect points of a location (4.3.7.1).

    Parameters
    ----------
    survey : Survey
    start : str
        Label of the location.
    points : int, optional
        The command range of 7.1 when left out.
    fire : bool
        Along the line of sight; else along the most direct path.
    options : mapping, optional
        Readings to use instead of the defaults.
    opened : iterable of str
        Ids of the breaches that have been made.

    Raises
    ------
    LabelError
        When the map has no such location.
    UnknownNameError, ScenarioRuleError
        When an option or a breach is unknown, or an option cannot have such a value; when the points are no whole
        number from 0.
    """
    if points is not None and (isinstance(points, bool) or not isinstance(points, int) or points < 0):
        msg = f"points: got {points!r}, allowed are whole effect points from 0"
        raise ScenarioRuleError(msg)
    scene = _scene(survey, options, opened)
    number = survey.directory.number(start)
    limit = int(scene.figures["command_range"]) if points is None else points
    ground = _OpenGround(scene, limit)
    found = _on_one_level(scene, ground, number, limit, fire)
    if not fire:
        _by_accesses(scene, ground, number, limit, found)
    costs = {scene.label(other): found[other] for other in sorted(found)}
    return EffectReach(scene.label(number), limit, fire, costs, survey.directory, survey.revision)


def _on_one_level(scene: Scene, ground: _OpenGround, start: int, limit: int, fire: bool) -> dict[int, int]:
    """Return what is within a range on the same side of the ground, and the rest where no access leads there."""
    apart = not fire and _accesses(scene, start)
    found = {}
    for number in ground.candidates(start, limit, fire):
        if apart and scene.under[number] != scene.under[start]:
            continue
        total = count_effect_points(scene, start, number, fire=fire).total
        if total <= limit:
            found[number] = total
    return found


def _by_accesses(scene: Scene, ground: _OpenGround, start: int, limit: int, found: dict[int, int]) -> None:
    """Add what is within a range on the other side of the ground: one access leads there, and on from its end."""
    for upper, lower in _accesses(scene, start):
        if upper not in found:
            continue
        spent = found[upper] + int(scene.figures["ep_access"])
        for number, total in _on_one_level(scene, ground, lower, limit - spent, fire=False).items():
            if scene.under[number] == scene.under[lower]:
                found[number] = min(total + spent, found.get(number, limit))


def _accesses(scene: Scene, start: int) -> list[tuple[int, int]]:
    """Return the ends of the accesses that lead to the other side of the ground; a roof without stairs has no way."""
    kind, under = scene.kind, scene.under
    if kind[start] == ROOF and not scene.links.get(start):
        return []
    return [
        (upper, lower)
        for upper, others in sorted(scene.links.items())
        for lower in sorted(others)
        if under[upper] == under[start] != under[lower] and ROOF not in (kind[upper], kind[lower])
    ]


def _scene(survey: Survey, options: Mapping[str, Any] | None, opened: Iterable[str]) -> Scene:
    force = get_ruleset("urban_operations").options(options)
    scene = Scene(survey, force, Conditions(opened=frozenset(opened)))
    if scene.conditions.opened:
        _ = scene.openings  # names a breach that the map does not have
    return scene


# -- what may be within a range --------------------------------------------------------------------------------------


class _OpenGround:
    """Tells what may be within a range, more rather than fewer: counting exactly takes its time.

    Every hex of open ground that a path leads through costs a point at the least, so a path is no shorter than the
    open ground along it, less something for the ends of each stretch; what lies in buildings is not counted.
    """

    def __init__(self, scene: Scene, points: int) -> None:
        import shapely

        self.scene, hexes = scene, scene.grid.cells
        # Hexes as they are, not as the lattice squeezes them, at a distance of 1.
        self.scale = np.array([1.0, np.sqrt(3.0)] if scene.grid.flat else [np.sqrt(3.0), 1.0]) / np.sqrt(HEX_APART)
        dots = [scene.directory.dot(number) for number in range(len(scene.directory))]
        self.dots = np.array(dots, dtype=np.float64).reshape(-1, 2)
        self.crossing = float(scene.figures["ep_crossing"])
        below = scene.under[:hexes]
        # On a line above the ground the hexes there count, on one below it those below.
        self.counts = [(scene.kind[:hexes] == HEX) & (below == under) for under in (False, True)]
        rings = [np.array(building.outline, dtype=np.float64) for building in scene.buildings]
        shapes = [shapely.make_valid(shapely.Polygon(ring)) for ring in rings]
        #: Buildings above the ground, and rooms below it.
        self.built = [
            shapely.union_all([shape for shape, one in zip(shapes, scene.buildings, strict=True) if one.under == under])
            for under in (False, True)
        ]
        for built in self.built:
            shapely.prepare(built)
        # No point leads further than across one hex or one building.
        sizes = [np.hypot(*(np.ptp(ring, axis=0) * self.scale)) for ring in rings]
        self.farthest = (points + 2) * max([2.0, *map(float, sizes)])

    def candidates(self, start: int, points: int, fire: bool) -> list[int]:
        """Return the locations that may be within a range, in order.

        But along lines of fire a path from or to a roof takes its stairs, if it has some, except from roof to roof.
        """
        if points < 0:
            return []
        kind, links = self.scene.kind, self.scene.links
        least = self.between(start)
        from_roof = kind[start] == ROOF
        by_stairs = least
        if not fire and from_roof and links.get(start):
            by_stairs = np.min([self.between(room) for room in links[start]], axis=0)
        found = []
        for number in self.scene.directory.numbers.tolist():
            if fire or (from_roof and kind[number] == ROOF):
                lowest = least[number]
            elif kind[number] == ROOF and links.get(number):
                lowest = min(by_stairs[room] for room in links[number])
            else:
                lowest = by_stairs[number]
            if lowest <= points or number in links.get(start, ()):
                found.append(number)
        return found

    def between(self, number: int) -> NDArray[np.float64]:
        """Return the least points from a location to all others, infinite beyond reach; shape (len(directory),)."""
        import shapely

        away = self.dots - self.dots[number]
        length = np.hypot(*(away * self.scale).T)
        found = np.full(len(length), np.inf)
        near = np.flatnonzero(length <= self.farthest)
        steps = max(1, int(np.ceil(length[near].max() / _SAMPLE)))
        along = (np.arange(steps) + 0.5) / steps
        spots = (self.dots[number] + away[near, None] * along[:, None]).reshape(-1, 2)
        cells = self.scene.grid.cells_at(np.rint(spots).astype(np.int64))
        inside = [shapely.contains_xy(built, spots[:, 0], spots[:, 1]) for built in self.built]
        deep = np.repeat(self.scene.under[near] & self.scene.under[number], steps)
        counted = np.where(deep, self.counts[1][cells], self.counts[0][cells])
        open_ground = ((cells >= 0) & counted & ~inside[0] & ~inside[1]).reshape(len(near), steps)
        least = open_ground.mean(axis=1) * length[near] - 2.0 * _runs(open_ground)
        # A line on the ground crosses the facade on either side of every building between its ends.
        kind, under = self.scene.kind, self.scene.under
        same = (under[near] == under[number]) & (kind[near] != ROOF) & (kind[number] != ROOF)
        built = inside[int(under[number])].reshape(len(near), steps)
        between = _runs(built) - built[:, 0] - built[:, -1]
        found[near] = np.maximum(0.0, least + np.where(same, 2.0 * self.crossing * np.maximum(between, 0), 0.0))
        return found


def _runs(along: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how many stretches of true there are in each row."""
    return np.asarray(along[:, 0].astype(np.int64) + (along[:, 1:] & ~along[:, :-1]).sum(axis=1))


def chain_of_command(
    survey: Survey,
    *,
    platoon: str = "",
    company: str = "",
    post: str = "",
    options: Mapping[str, Any] | None = None,
    opened: Iterable[str] = (),
) -> Chain:
    """Return how many blocks of a platoon can be activated (7.1.1, 7.2.1).

    Parameters
    ----------
    survey : Survey
    platoon, company, post : str
        Labels of the locations of the platoon commander, the company commander and the command post; empty when it is
        not on the map.
    options, opened
        As of :func:`effect_reach`.

    Raises
    ------
    LabelError
        When the map has no such location.
    UnknownNameError, ScenarioRuleError
        As of :func:`effect_reach`.
    """
    scene, number = _scene(survey, options, opened), survey.directory.number
    figures = scene.figures
    limit = int(figures["command_range"])
    if not platoon:
        return Chain(int(figures["blocks_without_platoon_commander"]), (), "the platoon commander is not on the map")
    fewer = int(figures["blocks_with_platoon_commander"])
    if not company:
        return Chain(fewer, (), "the company commander is not on the map")
    links: list[EffectPoints] = []
    missing = []
    for name, label in (("platoon commander", platoon), ("command post", post)):
        if not label:
            missing.append(f"the {name} is not on the map")
            continue
        links.append(count_effect_points(scene, number(company), number(label), fire=False))
        if links[-1].total > limit:
            missing.append(f"the {name} is {links[-1].total} EP from the company commander, {limit} allowed")
    if missing:
        return Chain(fewer, tuple(links), "; ".join(missing))
    text = f"the platoon commander and the command post are within {limit} EP of the company commander"
    return Chain(int(figures["blocks_with_chain_of_command"]), tuple(links), text)

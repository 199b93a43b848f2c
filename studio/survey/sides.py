"""What parts and what joins the locations of a map: sides with their kinds, and joints that no side makes.

What kind a side is, is for the game to say (``places.py`` in its folder). Games without a say of their own have the
rules of this module: a drawn wall that runs along the border of two areas gives its type, and so does one that runs
between two adjacent hexes; the rest of a border is a ``border``, and what is next to nothing an ``outline``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from studio.model import Area, Link, Wall
from studio.survey.borders import ring_edges
from studio.survey.parted import cells_parted
from studio.survey.stretches import Segment, Stretches

if TYPE_CHECKING:
    from studio.model import Point
    from studio.survey.survey import Survey

__all__ = [
    "BORDER",
    "OUTLINE",
    "Joint",
    "Side",
    "Stretch",
    "area_sides",
    "default_joints",
    "default_sides",
    "hex_sides",
    "link_joints",
    "parts_by",
    "road_joints",
]

BORDER, OUTLINE = "border", "outline"
"""Kinds that every game with areas has: a common border on which nothing is drawn, and an outline towards nothing."""


class Stretch(msgspec.Struct, frozen=True):
    """A stretch of a side that is of one kind.

    Attributes
    ----------
    kind : str
        Name in ``Ruleset.border_kinds``.
    segments : tuple of ((x, y), (x, y))
        Pieces of straight lines on the lattice.
    """

    kind: str
    segments: tuple[Segment, ...]


class Side(msgspec.Struct, frozen=True):
    """What lies between two locations, or between one and what is none.

    Attributes
    ----------
    a, b : str
        Labels, in the order of the directory, but a hex after an area; `b` is empty where nothing is on the other side.
    a_id, b_id : str
        Ids of the areas, empty for hexes and for nothing.
    stretches : tuple of Stretch
    through : tuple of str
        Ids of what pierces it: apertures, breaches, doors, entry symbols.
    joined : bool
        The two locations are next to each other: not all of the side is closed, or it is pierced by something open.
    """

    a: str
    b: str
    a_id: str
    b_id: str
    stretches: tuple[Stretch, ...]
    through: tuple[str, ...] = ()
    joined: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of its stretches, each once, in their order."""
        return tuple(dict.fromkeys(stretch.kind for stretch in self.stretches))

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All pieces of straight lines."""
        return tuple(segment for stretch in self.stretches for segment in stretch.segments)


class Joint(msgspec.Struct, frozen=True):
    """Two locations that are next to each other though they have no side in common.

    Attributes
    ----------
    a, b : str
        Labels.
    by : str
        What joins them: the type of a link, ``road``, ``within``, or a word of the game.
    link : str
        Id of the feature that does, empty for none.
    one_way : bool
        One goes from a to b only; being next to each other is mutual all the same.
    """

    a: str
    b: str
    by: str
    link: str = ""
    one_way: bool = False


Parts: TypeAlias = Callable[[Area, Area | None, tuple[Segment, ...]], Iterable[Stretch]]
"""Says of which kinds the pieces of a border are; the second area is None where nothing is on the other side."""


def parts_by(walls: Mapping[str, Stretches], segments: Iterable[Segment], rest: str) -> Iterator[Stretch]:
    """Yield the stretches of a border by what is drawn along it.

    Parameters
    ----------
    walls : mapping of str to Stretches
        Drawn walls by the kind that they give; where several run, the first counts.
    segments : iterable of Segment
        The border.
    rest : str
        Kind of what nothing is drawn along.
    """
    left = list(segments)
    for kind, lines in walls.items():
        held = [part for segment in left for part in lines.inside(segment)]
        if held:
            left = [part for segment in left for part in lines.outside(segment)]
            yield Stretch(kind, tuple(held))
    if left:
        yield Stretch(rest, tuple(left))


def area_sides(survey: Survey, parts: Parts, closing: Iterable[str] = ()) -> Iterator[Side]:
    """Yield the sides of all areas that are locations, in the order of the directory, those towards nothing last.

    Parameters
    ----------
    survey : Survey
    parts : callable
        See :data:`Parts`.
    closing : iterable of str
        Kinds that close a border.

    Notes
    -----
    What an area that is part of another location does not share with others lies between those two.
    """
    located = {location.feature: location for location in survey.directory.of("area")}
    closed = frozenset(closing)
    found: dict[tuple[int, int], Side] = {}
    shared: dict[str, list[Segment]] = defaultdict(list)

    def add(one: str, other: str, segments: tuple[Segment, ...]) -> None:
        a, b = sorted((one, other), key=lambda name: located[name].number)
        stretches = tuple(parts(survey.area(a), survey.area(b), segments))
        joined = any(stretch.kind not in closed for stretch in stretches)
        side = Side(located[a].label, located[b].label, a, b, stretches, joined=joined)
        found[located[a].number, located[b].number] = side

    for border in survey.borders:
        if border.a in located and border.b in located:
            add(border.a, border.b, border.segments)
            shared[border.a] += border.segments
            shared[border.b] += border.segments
    after = len(survey.directory)
    for name, location in located.items():
        area = survey.area(name)
        taken = Stretches(shared[name])
        edges = [edge for ring in (area.outline, *area.holes) for edge in ring_edges(ring)]
        rest = [part for edge in edges for part in taken.outside(edge)]
        outer = _outer(survey, area, located)
        if outer is not None:
            around = Stretches(edge for ring in (outer.outline, *outer.holes) for edge in ring_edges(ring))
            inner = tuple(part for segment in rest for part in around.outside(segment))
            rest = [part for segment in rest for part in around.inside(segment)]
            if inner:
                add(name, outer.id, inner)
        if rest:
            stretches = tuple(parts(area, None, tuple(rest)))
            found[location.number, after] = Side(location.label, "", name, "", stretches, joined=False)
    for key in sorted(found):
        yield found[key]


def _outer(survey: Survey, area: Area, located: Mapping[str, object]) -> Area | None:
    """Return the location that an area is part of, None for none."""
    seen: set[str] = set()
    name = area.within
    while name and name not in seen:
        if name in located:
            return survey.area(name)
        seen.add(name)
        feature = survey.model.features.get(name)
        name = feature.within if isinstance(feature, Area) else ""
    return None


def hex_sides(survey: Survey, lines: Mapping[str, Iterable[tuple[Point, ...]]]) -> Iterator[Side]:
    """Yield the sides of adjacent hexes on which something is drawn, or between whose dots drawn lines pass.

    Parameters
    ----------
    survey : Survey
    lines : mapping of str to iterable of lines
        Drawn lines by the kind that they give; a closed one repeats its first point.

    Notes
    -----
    Hexes stay next to each other whatever stands between them: what it costs to cross is for the game to say.
    """
    found: dict[tuple[int, int], dict[str, None]] = {}
    for pair, kinds in survey.model.sides.items():
        found[pair] = dict.fromkeys(kinds)
    for kind, drawn in lines.items():
        for line in drawn:
            for pair in cells_parted(survey, line):
                found.setdefault(pair, {})[kind] = None
    label = survey.model.labels.label
    for a, b in sorted(found):
        segment = survey.grid.side_ends(a, b)
        yield Side(label(a), label(b), "", "", tuple(Stretch(kind, (segment,)) for kind in found[a, b]))


def default_sides(survey: Survey, closing: Iterable[str] = ()) -> tuple[Side, ...]:
    """Return the sides of a game that has no say of its own: drawn walls give their type.

    Parameters
    ----------
    survey : Survey
    closing : iterable of str
        Types of walls that close a border.
    """
    by_type: dict[str, list[tuple[Point, ...]]] = defaultdict(list)
    for wall in survey.features_of(Wall):
        by_type[wall.type].append(wall.line)
    walls = {kind: Stretches.of_lines(lines) for kind, lines in sorted(by_type.items())}

    def parts(a: Area, b: Area | None, segments: tuple[Segment, ...]) -> Iterable[Stretch]:
        return parts_by(walls, segments, BORDER if b is not None else OUTLINE)

    return (*hex_sides(survey, dict(sorted(by_type.items()))), *area_sides(survey, parts, closing))


# -- joints ----------------------------------------------------------------------------------------------------------


def default_joints(survey: Survey) -> tuple[Joint, ...]:
    """Return the joints of a game that has no say of its own: links that join, roads, places in their area."""
    located = {location.feature: location for location in survey.directory.of("area")}
    inside = [
        Joint(located[place.within].label, place.label, "within")
        for place in survey.directory.of("place")
        if place.within in located
    ]
    return (*link_joints(survey), *road_joints(survey), *inside)


def link_joints(survey: Survey) -> Iterator[Joint]:
    """Yield the joints that links make whose type joins; ends that the map has not are passed over."""
    find = survey.directory.find
    for link in survey.features_of(Link):
        if link.type in survey.scheme.joining and find(link.a) is not None and find(link.b) is not None:
            yield Joint(link.a, link.b, link.type, link.id, link.one_way)


def road_joints(survey: Survey) -> Iterator[Joint]:
    """Yield what roads that are locations are next to: their own hex, and where they lead."""
    label = survey.directory.label
    roads = {location.cell: location.label for location in survey.directory.of("road")}
    for cell, name in roads.items():
        yield Joint(label(cell), name, "road")
        for other in survey.grid.neighbours(cell):
            if survey.road_across(cell, other) and (other not in roads or cell < other):
                if other in roads:
                    yield Joint(name, roads[other], "road")
                elif survey.directory.exists(other):
                    yield Joint(name, label(other), "road")

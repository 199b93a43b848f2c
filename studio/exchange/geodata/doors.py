"""Doors that no data give, made up: one for each building, and one for each yard that nobody would get into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import surveyed
from studio.exchange.geodata.openings import Wanted, set_openings
from studio.model import Aperture, Area
from studio.model.topology.rings import turns_sharply
from studio.rules.urban_operations.doorsteps import Doorsteps
from studio.rules.urban_operations.ground import ground_groups
from studio.rules.urban_operations.walls import WallPoint, Walls
from studio.survey import on_edge

if TYPE_CHECKING:
    from studio.exchange.geodata.laying import Laying
    from studio.model import Point

__all__ = ["make_up_doors"]

_PREFIX = "made-up-"
_STREET = 2.0
"""Hexes from a line of the streets to the middles of hexes that are taken to be of the street."""
_LEAST = 0.5
"""Hexes of facade: a shorter stretch is taken only where there is no longer one."""
_NEAR = 1.8
"""How much larger hexes are made: facades that come so near face them, and a door there is a step away."""
_PART = 0.05
"""Of the open hexes those that hang together with the edge of the map, to be the ground that one comes from."""
_TRIES = 2
"""Points of a stretch of facade that are tried, until one has an open hex before it."""
_ROUNDS = 8
"""Such points of one building."""
_SIDES = ("north", "east", "south", "west")

_Edge = tuple["Point", "Point"]


class _Contact(NamedTuple):
    """What of an edge of a facade faces a hex: its length in hexes, the edge, and its middle."""

    length: float
    edge: _Edge
    middle: Point


class _Stretch(NamedTuple):
    """A stretch of facade without a sharp turn, as far as it faces hexes of one group, or such of a street.

    Attributes
    ----------
    house : str
        Id of the location that it belongs to.
    group : int
    outside, street : bool
        Whether these hexes hang together with the edge of the map, and whether they are of a street.
    length : float
        In hexes; what faces two of them counts twice.
    contacts : list of _Contact
        In order.
    """

    house: str
    group: int
    outside: bool
    street: bool
    length: float
    contacts: list[_Contact]

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """Higher where a door is likelier."""
        return (self.outside, self.length >= _LEAST, self.street, round(self.length, 3))

    def spots(self) -> Iterator[_Contact]:
        """Yield contacts, those of some length and nearest to the middle of the stretch first."""
        done, ranked = 0.0, []
        for n, one in enumerate(self.contacts):
            off = abs(done + one.length / 2 - self.length / 2)
            ranked.append((one.length < min(_LEAST, self.length) / 2, off, n))
            done += one.length
        for _, _, n in sorted(ranked):
            yield self.contacts[n]


def make_up_doors(laying: Laying, type: str, ids: Sequence[str], streets: Sequence[Any]) -> None:
    """Give a door to every building that has no opening, and one to every yard that cannot be got into.

    The door of a building is on its longest facade that faces a street that hangs together with the edge of the map;
    where there is none, one that faces other hexes; in the middle of what of its wall faces a hex. The door of a yard
    is in the longest facade at it of a building that can be got into.

    Parameters
    ----------
    laying : Laying
        Its report says which doors are made up, and so do the notes of the map.
    type : str
        Of the openings.
    ids : sequence of str
        Of the areas and their parts; locations among them get doors.
    streets : sequence of shapely geometries
        Lines of streets on the lattice, where they are known.

    Raises
    ------
    DocumentError
        When the game has no such openings.
    """
    known = laying.ruleset.aperture_types
    if type not in known:
        message = f"{type!r} is no opening of {laying.ruleset.title}; {nearest(type, known)}"
        raise refused(laying.source, message, "name one of them in doors")
    town = _Town(laying, type, ids, streets)
    if not town.labels:
        text = f"no {type} is made up: none of these areas is a location; name a part that is one"
        laying.say("finding", text)
    houses, yards = town.make_up()
    closed = town.closed()
    if houses or yards:
        last = houses + yards
        text = (
            f"No data give the openings {_PREFIX}1 to {_PREFIX}{last}; they are made up, one for each of "
            f"{houses} buildings on the longest facade at a street, and one for each of {yards} yards."
        )
        laying.model.notes = "\n".join(filter(None, [laying.model.notes.rstrip(), text]))
    if closed:
        text = f"{len(closed)} buildings cannot be got into: no facade of theirs lies at open hexes within reach"
        laying.say("finding", text, tuple(closed), buildings=len(closed))


class _Town:
    """Buildings, their facades, and the open hexes before them."""

    def __init__(self, laying: Laying, type: str, ids: Sequence[str], streets: Sequence[Any]) -> None:
        self.laying, self.type = laying, type
        self.tried: set[Point] = set()
        self.survey = surveyed(laying.model, laying.ruleset)
        self.grid, self.directory = self.survey.grid, self.survey.directory
        self.walls = Walls(self.survey, laying.ruleset, type)
        kept = set(ids)
        self.labels = {place.feature: place.label for place in self.directory.of("area") if place.feature in kept}
        self.ground = np.flatnonzero(self.directory.playable.ravel())
        doorsteps = Doorsteps(self.survey)
        self.groups = ground_groups(doorsteps)
        self.outside = self._outside()
        self.street = self._street(streets)
        self.doors: list[tuple[str, list[int]]] = [
            (one.into, doorsteps.before(one)) for one in self.survey.features_of(Aperture)
        ]
        self.reached = self._reached()

    # -- the ground ------------------------------------------------------------------------------------------------

    def _outside(self) -> set[int]:
        """Return the large groups of hexes at the edge of the map, not yards that it cuts; the largest without one."""
        groups, counts = np.unique(self.groups[self.ground], return_counts=True)
        large = set(groups[counts >= _PART * len(self.ground)].tolist())
        found = {
            int(self.groups[cell])
            for cell in self.ground[np.isin(self.groups[self.ground], sorted(large))].tolist()
            if len(self.grid.neighbours(cell)) < 6 and any(on_edge(self.grid, cell, side) for side in _SIDES)
        }
        return found or ({int(groups[counts.argmax()])} if len(groups) else set())

    def _street(self, streets: Sequence[Any]) -> NDArray[np.bool_]:
        """Return the hexes that are of a street; bool, shape (cells,)."""
        import shapely

        found = np.zeros(self.grid.cells, dtype=bool)
        if len(streets):
            scale = np.array(self.grid.scale)
            lines = shapely.transform(np.array(streets, dtype=object), lambda points: points * scale)
            middles = shapely.points(self.grid.centres[self.ground] * scale)
            reach = _STREET * float(self.grid.hex_height if self.grid.flat else self.grid.width)
            found[self.ground[np.unique(shapely.STRtree(middles).query(lines, "dwithin", distance=reach)[1])]] = True
        return found

    # -- facades ---------------------------------------------------------------------------------------------------

    @cached_property
    def stretches(self) -> list[_Stretch]:
        """All stretches of free facade that face open hexes, those near to them too."""
        import shapely

        runs = list(self._runs())
        edges = [(number, edge) for number, (_, run) in enumerate(runs) for edge in run]
        if not edges or not len(self.ground):
            return []
        corners = (np.array(self.grid.corners(0)) - np.array(self.grid.centre(0))) * _NEAR
        hexes = shapely.polygons(self.grid.centres[self.ground][:, None, :] + corners[None])
        lines = shapely.linestrings(np.array([edge for _, edge in edges], dtype=float))
        line, cell = shapely.STRtree(hexes).query(lines, predicate="intersects")
        pieces = shapely.intersection(lines[line], hexes[cell])
        scale = np.array(self.grid.scale)
        lengths = shapely.length(shapely.transform(pieces, lambda points: points * scale))
        lengths /= float(self.grid.hex_height if self.grid.flat else self.grid.width)
        middles = shapely.get_coordinates(shapely.centroid(pieces))
        contacts: dict[tuple[int, int, bool], list[_Contact]] = defaultdict(list)
        begins = np.array([edge[0] for _, edge in edges])[line]
        along = ((middles - begins) ** 2).sum(axis=1)  # grows along each edge
        order = np.lexsort((along, line))
        for at in order[lengths[order] > 0].tolist():
            number, here = edges[line[at]][0], int(self.ground[cell[at]])
            x, y = middles[at]
            contact = _Contact(float(lengths[at]), edges[line[at]][1], (round(x), round(y)))
            contacts[number, int(self.groups[here]), bool(self.street[here])].append(contact)
        return [
            _Stretch(runs[number][0], group, group in self.outside, street, sum(one.length for one in parts), parts)
            for (number, group, street), parts in sorted(contacts.items(), key=lambda one: one[0])
        ]

    def _runs(self) -> Iterator[tuple[str, list[_Edge]]]:
        """Yield the location and the edges of each stretch of facade without a sharp turn and without a neighbour."""
        held: dict[_Edge, set[str]] = defaultdict(set)
        areas = {name: area for name in self.labels if isinstance(area := self.laying.model.features[name], Area)}
        rings = [(name, ring) for name, area in areas.items() for ring in (area.outline, *area.holes)]
        for name, ring in rings:
            for p, q in zip(ring, (*ring[1:], ring[0]), strict=True):
                held[min(p, q), max(p, q)].add(name)
        for name, ring in rings:
            run: list[_Edge] = []
            for before, p, q in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True):
                free = len(held[min(p, q), max(p, q)]) == 1
                if run and (not free or turns_sharply(before, p, q)):
                    yield name, run
                    run = []
                if free:
                    run.append((p, q))
            if run:
                yield name, run

    def _spots(self, stretches: Sequence[_Stretch]) -> Iterator[WallPoint]:
        """Yield the points of stretches at which a door can be, the likeliest first."""
        for stretch in sorted(stretches, key=lambda one: one.rank, reverse=True):
            area = self.laying.model.features[stretch.house]
            assert isinstance(area, Area)
            for one in islice(stretch.spots(), _TRIES):
                spot = self.walls.point_on(one.edge, area, one.middle) if self.walls.is_free(area, one.edge) else None
                if spot is not None and spot.at not in self.tried:
                    yield spot

    # -- doors -----------------------------------------------------------------------------------------------------

    def make_up(self) -> tuple[int, int]:
        """Make up doors of buildings that have no opening, and then so many more that all can be got into.

        Returns
        -------
        (int, int)
            How many buildings and how many yards got one.
        """
        has = {label for label, before in self.doors if before}
        houses = self._of_houses(lambda one: self.labels[one.house] not in has)
        yards: list[str] = []
        grown = True
        while grown:
            new = self._of_yards(self._leads_to_a_yard)
            more = self._of_houses(self._leads_to_a_house)
            yards, houses, grown = yards + new, houses + more, bool(new or more)
        if houses:
            text = (
                f"{len(houses)} buildings get a door that is made up, on the longest facade at a street or open hexes"
            )
            self.laying.say("decided", text, tuple(houses), openings=len(houses))
        if yards:
            text = f"{len(yards)} yards get a door that is made up, from a building at them"
            self.laying.say("decided", text, tuple(yards), openings=len(yards))
        return len(houses), len(yards)

    def _leads_to_a_yard(self, one: _Stretch) -> bool:
        """Tell whether a facade is that of a building that can be got into, at hexes that cannot."""
        return one.group not in self.reached[0] and self.labels[one.house] in self.reached[1]

    def _leads_to_a_house(self, one: _Stretch) -> bool:
        """Tell whether a facade is that of a building that cannot be got into, at hexes that can."""
        return one.group in self.reached[0] and self.labels[one.house] not in self.reached[1]

    def _of_houses(self, which: Callable[[_Stretch], bool]) -> list[str]:
        """Make up a door of each building with stretches of some kind, and return their labels."""
        best: dict[str, list[_Stretch]] = defaultdict(list)
        for stretch in filter(which, self.stretches):
            best[stretch.house].append(stretch)
        return [self.labels[house] for house in self._set(best)]

    def _of_yards(self, which: Callable[[_Stretch], bool]) -> list[str]:
        """Make up a door to each group of hexes that stretches of some kind face, and return their first hexes."""
        best: dict[int, list[_Stretch]] = defaultdict(list)
        for stretch in filter(which, self.stretches):
            best[stretch.group].append(stretch)
        made = self._set(best, lambda group, before: group in self.groups[before])
        return [self.laying.model.labels.label(group - 1) for group in made]

    def closed(self) -> list[str]:
        """Return the labels of the buildings that nobody gets into."""
        return [label for label in self.labels.values() if label not in self.reached[1]]

    def _set(
        self, best: Mapping[Any, list[_Stretch]], allowed: Callable[[Any, list[int]], bool] | None = None
    ) -> list[Any]:
        """Set a door for each key, at the first point of its stretches that has an open hex before it."""
        found: list[Any] = []
        left = {key: self._spots(stretches) for key, stretches in best.items()}
        for _ in range(_ROUNDS):
            wanted = [Wanted(key, self.type, spot) for key, points in left.items() if (spot := next(points, None))]
            if not wanted:
                break
            self.tried |= {one.spot.at for one in wanted}
            for key, (name, before) in set_openings(self.laying, wanted, _PREFIX, allowed).items():
                opening = self.laying.model.features[name]
                assert isinstance(opening, Aperture)
                self.doors.append((opening.into, before))
                found.append(key)
                del left[key]
        self.reached = self._reached()
        return found

    def _reached(self) -> tuple[set[int], set[str]]:
        """Return the groups of hexes and the labels of the locations that are reached from the edge of the map."""
        groups, houses = set(self.outside), set[str]()
        ways = [(label, {int(self.groups[cell]) for cell in before}) for label, before in self.doors]
        grown = True
        while grown:
            grown = False
            for label, beside in ways:
                if (label in houses or beside & groups) and not (label in houses and beside <= groups):
                    houses.add(label)
                    groups |= beside
                    grown = True
        return groups, houses

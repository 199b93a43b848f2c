"""Things set exactly where they belong: openings on walls with their arcs of fire, labels that are free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Self

import numpy as np

from studio.api.shaping import MapShaping, PointLike
from studio.errors import EditError, shortened
from studio.model import Area, Batch, Delete, Dot, Edit, MapModel, Place, Put, natural_key
from studio.model.topology import lattice_weights
from studio.model.topology.draft import Draft
from studio.model.topology.vertices import insert_corner
from studio.rules.urban_operations.arcs import arc_of_fire
from studio.rules.urban_operations.arrows import Arrow, arrows_from
from studio.rules.urban_operations.walls import WallPoint, Walls, check_type
from studio.sight.trace import hex_trace

__all__ = ["Arrow", "MapPlacing", "WallPoint"]


_BESIDE = 12
"""Square of the distance, of two lattice units, up to which a point that was rounded is still that of its wall."""


class MapPlacing(MapShaping):
    """A map on which things are set where they belong."""

    def __init__(self, model: MapModel, **known: Any) -> None:
        super().__init__(model, **known)
        self._walls_at = -1
        self._known_walls: dict[str, Walls] = {}

    def _walls(self, type: str) -> Walls:
        """Return the walls for openings of a type, found anew when the map has changed."""
        if self._walls_at != self.revision:
            self._walls_at, self._known_walls = self.revision, {}
        if type not in self._known_walls:
            self._known_walls[type] = Walls(self.survey, self.ruleset, type)
        return self._known_walls[type]

    def snap_to_wall(self, point: PointLike, *, type: str = "", reach: float = 0.5) -> WallPoint:
        """Return the point of a wall nearest to a point, where an opening can be.

        In a game with facades, an opening of a room or zone is in the facade of its house where no other house stands
        behind it (Urban Operations 5.1.3.2). It is set a little off the corners.

        Parameters
        ----------
        point : (x, y) or str
            On the lattice, or the label of a hex for its middle.
        type : str
            The type of opening, such as ``"breach"``, which says on what walls it can be; any without it.
        reach : float
            How far the wall may be, in map units (a hex is 1 high).

        Returns
        -------
        WallPoint

        Raises
        ------
        EditError
            When no such wall is within reach.
        LabelError
            When a label is unknown.
        UnknownNameError
            When the game has no such openings.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("urban_operations", columns=6, rows=6)
        >>> house = [[1000, 500], [2000, 500], [2000, 1500], [1000, 1500]]
        >>> around = town.add("area", type="building", name="1", outline=house)
        >>> _ = town.add("area", type="room", name="1.1", outline=house, within=around)
        >>> town.snap_to_wall([1410, 440], type="aperture")
        WallPoint(at=(1410, 500), edge=((1000, 500), (2000, 500)), feature='area-2', into=('1.1',), corner=False)
        """
        with self.lock:
            if type:
                check_type(self.ruleset, type)
            at, limit = self._point("snap_to_wall: point", point), float(self._reach("snap_to_wall", reach))
            found = self._walls(type).find(at, limit)
            if found is None:
                what = self.ruleset.aperture_types[type].name.lower() if type else "opening"
                msg = f"snap_to_wall: no wall for {what} within {reach:g} of {at}; point at a facade or an outer wall"
                raise EditError(msg)
            return found

    def arrows_at(self, point: PointLike, into: str) -> list[Arrow]:
        """Return the arrows that an opening can have: rows of hexes and lines along their sides that lead outwards.

        Parameters
        ----------
        point : (x, y) or str
            Where the opening is; it need not be there yet.
        into : str
            Label of the location that it belongs to.

        Returns
        -------
        list of Arrow
            Those that begin nearest first; they begin within two hexes of the opening.

        Raises
        ------
        EditError
            When it is no point.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            at = self._point("arrows_at: point", point)
            edge = None
            found = self._walls("").find(at, _BESIDE)
            if found is not None and found.corner:
                edge = found.edge
            return arrows_from(self.survey, at, into, edge)

    def arc_of_fire(self, point: PointLike, into: str, arrows: Iterable[Sequence[str]]) -> list[str]:
        """Return the labels of the hexes that an opening would look upon, which need not be there yet.

        Parameters
        ----------
        point : (x, y) or str
            Where it is.
        into : str
            Label of the location that it belongs to.
        arrows : iterable of sequences of str
            One arrow or two, as an aperture has them.

        Raises
        ------
        EditError
            When it is no point, or there are no such arrows.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("urban_operations", columns=6, rows=4)
        >>> house = [[1000, 500], [2000, 500], [2000, 1500], [1000, 1500]]
        >>> around = town.add("area", type="building", name="1", outline=house)
        >>> _ = town.add("area", type="room", name="1.1", outline=house, within=around)
        >>> town.arrows_at([2000, 1000], "1.1")[0].labels
        ('0402',)
        >>> town.arc_of_fire([2000, 1000], "1.1", [["0402"], ["0403"]])
        ['0601', '0402', '0502', '0602', '0403', '0503', '0603', '0504', '0604']
        """
        with self.lock:
            at = self._point("arc_of_fire: point", point)
            rows = [self.labels.cells(list(arrow)) for arrow in arrows]
            if not 1 <= len(rows) <= 2 or any(len(row) not in (1, 2) for row in rows):
                msg = "arc_of_fire: give one arrow or two, each of one label, or of two adjacent hexes"
                raise EditError(msg)
            for row in rows:
                if len(row) == 2 and self.grid.direction(*row) is None:
                    labels = " and ".join(map(self.labels.label, row))
                    msg = f"arc_of_fire: {labels} are not adjacent; name two hexes that share a side"
                    raise EditError(msg)
            inner = self.survey.directory.dot(self.survey.directory.number(into))
            mask = arc_of_fire(self.grid, at, inner, rows)
            return [self.labels.label(cell) for cell in np.flatnonzero(mask).tolist()]

    def add_opening(
        self,
        type: str,
        point: PointLike,
        *,
        into: str = "",
        arrows: Iterable[Sequence[str]] = (),
        open: bool | None = None,
        id: str = "",
        reach: float = 0.5,
    ) -> str:
        """Add an opening on the wall nearest to a point, or move one there, as one step.

        Parameters
        ----------
        type : str
            Such as ``"aperture"``.
        point : (x, y) or str
        into : str
            Label of the location that it belongs to; the one beside the wall without it.
        arrows : iterable of sequences of str
            Its arc of fire, one or two arrows as :meth:`arrows_at` lists them.
        open : bool, optional
            Whether it is open from the start; by default all but breaches are.
        id : str
            Of an opening to be replaced, or for a new one.
        reach : float
            How far the wall may be, in map units.

        Returns
        -------
        str
            The id.

        Raises
        ------
        EditError
            When no such wall is within reach, or the opening does not fit.
        LabelError
            When a label is unknown.
        UnknownNameError
            When the game has no such openings.
        """
        with self.lock:
            found = self.snap_to_wall(point, type=type, reach=reach)
            begin: list[Edit] = []
            at = found.at
            if found.corner:
                draft = Draft(self.features)
                at = insert_corner(draft, at, reach=_BESIDE, weights=lattice_weights(self.grid), of=found.feature)
                draft.check()
                begin = draft.edits()
            sight = self.ruleset.aperture_types[type].sight
            record: dict[str, Any] = {
                "kind": "aperture",
                "id": id or self.model.new_id("aperture"),
                "type": type,
                "at": list(at),
                "into": into or found.into[0],
                "arrows": [list(arrow) for arrow in arrows],
                "open": "breach" not in sight if open is None else open,
            }
            title = f"Set {type.replace('_', ' ')} of {record['into']}"
            self.apply(Batch(title=title, edits=[*begin, Put(collection="features", record=record)]))
            return str(record["id"])

    def move_dot(self, hex: str, to: PointLike | None, *, id: str = "") -> Self:
        """Move the dot of a hex, to which lines of sight go, as one step; back to the middle with None.

        Parameters
        ----------
        hex : str
            Its label.
        to : (x, y), str or None
            A point inside the hex on the lattice.
        id : str
            Of a new dot.

        Raises
        ------
        EditError
            When the point lies outside of the hex.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            cell = self.labels.cell(hex)
            old = [one.id for one in self.survey.features_of(Dot) if self.labels.find(one.at) == cell]
            steps: list[Edit] = [Delete(collection="features", id=name) for name in old]
            middle = self.grid.centre(cell)
            at = middle if to is None else self._point("move_dot: to", to)
            if not any(contact.how == "through" and cell in contact.cells for contact in hex_trace(self.grid, at, at)):
                msg = f"move_dot: {at} does not lie inside {hex}, whose middle is {middle}; choose a point in it"
                raise EditError(msg)
            if at != middle:
                name = old[0] if old else id or self.model.new_id("dot")
                record = {"kind": "dot", "id": name, "at": self.labels.label(cell), "point": list(at)}
                steps = [*steps[1:], Put(collection="features", record=record)]
            self._step(f"Move the dot of {hex}", steps)
        return self

    def free_label(self, type: str, within: str = "") -> str:
        """Return a label for a new place or area that fits those that there are, and is free.

        Parameters
        ----------
        type : str
            A type of place or area of the game, such as ``"first_story"``.
        within : str
            Id or label of the area that it will be part of.

        Returns
        -------
        str
            As others of its type are called: ``"12 roof"`` in house 12 beside ``"11 roof"``; with a number, counted on.

        Raises
        ------
        EditError
            When there is no such area.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("phantom_fury", columns=8, rows=8)
        >>> for number in (1, 2):
        ...     x = 960 * number
        ...     ring = [[x, 0], [x + 960, 0], [x + 960, 960], [x, 960]]
        ...     _ = town.add("area", type="zone", name=str(number), outline=ring)
        >>> _ = town.add("place", type="courtyard", name="1 C", at=[1440, 480], within="1")
        >>> town.free_label("courtyard", "2"), town.free_label("zone")
        ('2 C', '3')
        """
        with self.lock:
            around = ""
            if within:
                area = self.features[self._ids("free_label", [within])[0]]
                around = area.name or area.id if isinstance(area, Area) else ""
            known = [one for one in self.features.values() if isinstance(one, Area | Place)]
            return next(
                label for label in _proposals(known, type, around, self._type_name(type)) if self._is_free(label)
            )

    def _type_name(self, type: str) -> str:
        kind = self.ruleset.place_types.get(type) or self.ruleset.area_types.get(type)
        if kind is None:
            known = [*self.ruleset.place_types, *self.ruleset.area_types]
            has = f"it has {', '.join(known)}"
            msg = f"free_label: {self.ruleset.title} has no place and no area {shortened(type)}; {has}"
            raise EditError(msg)
        return kind.name

    def _is_free(self, label: str) -> bool:
        try:
            self._free("free_label", label)
        except EditError:
            return False
        return self.survey.directory.find(label) is None


def _proposals(known: Sequence[Area | Place], type: str, around: str, name: str) -> Iterator[str]:
    """Yield labels, the likeliest first, without end: as others of the type end, else with numbers counted on."""
    same = [one for one in known if one.type == type and one.name]
    if around:
        names = {one.id: one.name for one in known if isinstance(one, Area) and one.name}
        ends = Counter(
            one.name.removeprefix(names[one.within])
            for one in same
            if one.within in names and one.name.startswith(names[one.within])
        )
        likely = sorted(ends, key=lambda end: (-ends[end], natural_key(end))) or [f" {name.lower()}"]
        yield from (around + end for end in likely)
        stem, start = around + likely[0].rstrip("0123456789"), 2
    else:
        alone = [one for one in same if not one.within]
        stems = Counter(one.name.rstrip("0123456789") for one in alone if one.name[-1].isdigit())
        bare = not same and any(one.name.isdigit() for one in known)
        stem = max(stems, key=lambda text: (stems[text], text)) if stems else "" if bare else f"{name} "
        counted = [one.name.removeprefix(stem) for one in same if one.name.startswith(stem)]
        start = max((int(text) for text in counted if text.isdecimal() and len(text) < 10), default=0) + 1
    yield from (f"{stem}{number}" for number in count(start))

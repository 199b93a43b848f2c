"""Towns: where they lie, which hex each is given, and what they become on the map."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import listed as in_words
from studio.exchange.geography.data.sources import point_of
from studio.exchange.geography.naming import check_known, folded, free_id, slug
from studio.exchange.geography.places.gazetteer import Gazetteer
from studio.exchange.geography.spec import ControlPoint, Town, TownRule
from studio.exchange.geography.work import PlacedTown, Work
from studio.model import Marker, Name, Place

__all__ = ["MOST_UNLISTED", "find_towns", "lay_towns"]

MOST_UNLISTED = 2000
"""Most places that are no towns of the list but become some by their population."""
_SIZES = (0.42, 0.32)
"""Height of the letters of the first rank whose names are written, and of the others."""
_BESIDE = 0.3125
"""How far below the middle of its hex a name is written, in hexes: within the hex, which bears the name then."""
_LETTER = 0.68
"""Width of a letter in its height, on average."""
_SAME = 2
"""Hexes between a listed town and a place of its name that is that town."""


class _Spot(NamedTuple):
    """Where a town lies: the point on the lattice, and its row in the source, -1 for none."""

    point: tuple[float, float]
    row: int


class _Box(NamedTuple):
    """Where a name is written, in map units: its middle, width and height."""

    x: float
    y: float
    wide: float
    tall: float

    def meets(self, other: _Box) -> float:
        """Return the area that two names have in common."""
        across = (self.wide + other.wide) / 2 - abs(self.x - other.x)
        down = (self.tall + other.tall) / 2 - abs(self.y - other.y)
        return max(0.0, min(across, self.wide, other.wide)) * max(0.0, min(down, self.tall, other.tall))


def find_towns(work: Work) -> None:
    """Find where the towns lie, and give each its hex.

    A listed town lies where the specification says by degrees, else where the source of places has it by number or
    name; what `at` says is its hex in any case. A listed town off the map is a finding and left out. Places that are
    not listed come after them, the largest of each hex where no town is yet.

    Raises
    ------
    DocumentError
        When a town is not in the source, or the rule names what the game, the map or the source does not have.
    """
    rule = work.spec.towns
    _check(work, rule)
    places = Gazetteer.read(work, rule) if rule.source else Gazetteer([], [], [], [])
    taken: set[int] = set()
    for number, town in enumerate(rule.listed):
        given = _given_cell(work, town)
        spot = _locate(work, town, f"towns.listed[{number}]", places, given)
        taken.add(spot.row)
        cell = int(work.model.grid.cells_at(np.array([spot.point]))[0])
        if given is not None:
            _report_given(work, town, spot.point, cell, given)
        elif cell < 0:
            work.report.add("towns", "finding", f"{town.name} lies off the map and is left out")
            continue
        work.towns.append(PlacedTown(town, spot.point, cell if given is None else given))
    _report_doubles(work)
    if rule.every and len(places.names):
        work.towns.extend(_unlisted(work, rule, places, taken))


def _check(work: Work, rule: TownRule) -> None:
    """Refuse ranks, terrain, markers and places that are not known."""
    for field, names in (
        ("terrain", work.ruleset.terrains),
        ("marker", work.ruleset.marker_types),
        ("place", work.ruleset.place_types),
    ):
        for rank, name in getattr(rule, field).items():
            check_known(work, field, name, names, f"towns.{field}.{rank}")
    ranks = {*rule.terrain, *rule.marker, *rule.place, *rule.label, *rule.every}
    for number, town in enumerate(rule.listed):
        if not town.name.strip():
            message = f"towns.listed[{number}] has no name"
            raise refused(work.name, message, "give it the name that it is to have on the map")
        if town.rank and town.rank not in ranks:
            close = nearest(town.rank, ranks) if ranks else "there is none yet"
            message = f"{town.name} has the rank {town.rank!r}; {close}"
            raise refused(work.name, message, "say in towns.terrain, marker, place or label what the rank becomes")
    _check_ranks(work, rule)
    if rule.every and not (rule.source and rule.population):
        message = "towns.every needs places with their population"
        raise refused(work.name, message, "name towns.source and the column towns.population, or leave it out")


def _check_ranks(work: Work, rule: TownRule) -> None:
    """Refuse ranks that are most likely slips, and report those that no town has, or that become nothing.

    Raises
    ------
    DocumentError
        When no town can have a rank, and one that is written nearly so is missing beside it.
    """
    had = {*rule.every, *(town.rank for town in rule.listed if town.rank)}
    for field in ("terrain", "marker", "place", "label"):
        given = [*getattr(rule, field)]
        for rank in given:
            if rank in had:
                continue
            missing = sorted(had - {*given})
            close = nearest(rank, missing) if missing else ""
            if close.startswith("did you mean"):
                message = f"towns.{field} names the rank {rank!r}, which neither every nor a listed town has; {close}"
                raise refused(work.name, message, "write a rank alike everywhere", path=f"$.towns.{field}")
            text = f"towns.{field} names the rank {rank}, which neither every nor a listed town has"
            work.report.add("towns", "finding" if had else "note", text)
    for rank in sorted(had - {*rule.terrain, *rule.marker, *rule.place, *rule.label}):
        text = f"towns of rank {rank} become nothing on the map: say in towns.terrain, marker, place or label what"
        work.report.add("towns", "finding", text)


def _given_cell(work: Work, town: Town) -> int | None:
    """Return the hex that the designer gives a town.

    Raises
    ------
    DocumentError
        When the map has no such hex.
    """
    if not town.at:
        return None
    cell = work.model.labels.find(town.at)
    if cell is None:
        message = f"{town.name} is to be at {town.at!r}, which is no hex of the map"
        raise refused(work.name, message, "name a hex by its label, or leave `at` out")
    return cell


def _locate(work: Work, town: Town, rule: str, places: Gazetteer, given: int | None) -> _Spot:
    """Return where a town lies.

    Raises
    ------
    DocumentError
        When nothing says where, or its place is not in the source.
    """
    if town.lon is not None and town.lat is not None and math.isfinite(town.lon + town.lat):
        point = work.placing.from_degrees(np.array([town.lon]), np.array([town.lat]))[0]
        if np.isfinite(point).all():
            return _Spot((float(point[0]), float(point[1])), -1)
    if town.lon is not None or town.lat is not None:
        message = f"{rule}, {town.name}: lon {town.lon} and lat {town.lat} are no point of the map's reference system"
        raise refused(work.name, message, "give both in degrees, or neither")
    text = town.place or town.name
    found = places.find(text)
    if found.rows:
        row = found.rows[0]
        if found.how or len(found.rows) > 1:
            _report_choice(work, town, text, places, found.rows, found.how)
        x, y = places.points[row].tolist()
        return _Spot((x, y), row)
    if given is not None and not town.place:
        if work.spec.towns.source:
            note = f"{town.name} is not in {work.spec.towns.source}; it is taken to lie in the middle of its hex"
            work.report.add("towns", "note", note, (town.at,))
        x, y = work.model.grid.centre(given)
        return _Spot((x, y), -1)
    if not work.spec.towns.source:
        message = f"{rule}, {town.name}: nothing says where it lies"
        raise refused(work.name, message, "give lon and lat, or a hex with at, or name towns.source")
    return _Spot(_beyond(work, town, text), -1)


def _beyond(work: Work, town: Town, text: str) -> tuple[float, float]:
    """Return where a place of the source lies that is not near the map.

    Raises
    ------
    DocumentError
        When the source has no such place at all.
    """
    sought = ControlPoint(name=town.name, at=town.at, place=text, source=work.spec.towns.source)
    lon, lat = point_of(work.spec, work.folder, work.name, sought)
    x, y = work.placing.from_degrees(np.array([lon]), np.array([lat]))[0].tolist()
    return (x, y) if math.isfinite(x + y) else (-1e9, -1e9)


# -- reports ---------------------------------------------------------------------------------------------------------


def _report_choice(work: Work, town: Town, text: str, places: Gazetteer, rows: Sequence[int], how: str) -> None:
    """Report by which name a town was found, and which of several places of one name it is."""
    row = rows[0]
    words = f"{town.name} is {places.names[row]} of {work.spec.towns.source}" + (f", found by {how}" if how else "")
    if len(rows) > 1:
        known = work.spec.towns.population and places.people[row] > places.people[rows[1]]
        words += f", {'the largest' if known else 'the first'} of {len(rows)} places that {text!r} means"
        largest, second = places.people[row], places.people[rows[1]]
        words += f" ({largest:g} people, {second:g} in the next one)" if known else ""
        work.report.add("towns", "decided" if known else "finding", words, people=largest, second=second)
    else:
        work.report.add("towns", "decided", words)


def _report_given(work: Work, town: Town, point: tuple[float, float], cell: int, given: int) -> None:
    """Report how far the hex that a town is given is from where it lies."""
    grid = work.model.grid
    if cell == given:
        return
    dx, dy = (np.array(point) - grid.centre(given)) * np.array(grid.scale)
    across = grid.hex_height if grid.flat else grid.width
    off = float(grid.distance(cell, given)) if cell >= 0 else max(1.0, float(np.hypot(dx, dy)) / across)
    where = f"lies in {work.label(cell)}" if cell >= 0 else "lies off the map"
    text = f"{town.name} {where}, and is given {town.at}, {off:.3g} hex{'es' * (off != 1)} away"
    text += f" ({town.note})" if town.note else ""
    work.report.add("towns", "finding" if off > 1 else "nudged", text, (town.at,), off=off)


def _report_doubles(work: Work) -> None:
    """Report listed towns that share a hex and a rank, or a name."""
    by_hex: dict[tuple[int, str], list[str]] = {}
    by_name: dict[str, int] = {}
    for placed in work.towns:
        by_hex.setdefault((placed.cell, placed.town.rank), []).append(placed.town.name)
        by_name[placed.town.name] = by_name.get(placed.town.name, 0) + 1
    for (cell, rank), names in by_hex.items():
        if len(names) > 1:
            text = f"{' and '.join(names)} share a hex" + (f" as {rank}" if rank else "")
            work.report.add("towns", "finding", text, (work.label(cell),))
    for name, count in by_name.items():
        if count > 1:
            work.report.add("towns", "finding", f"{name} is listed {count} times; roads go to the first")


# -- places that are not listed --------------------------------------------------------------------------------------


def _unlisted(work: Work, rule: TownRule, places: Gazetteer, taken: set[int]) -> list[PlacedTown]:
    """Return the largest place of each hex that has no town, by the ranks of their populations."""
    grid = work.model.grid
    least = sorted(rule.every.items(), key=lambda item: (-item[1], item[0]))
    cells = grid.cells_at(places.points)
    fit = (cells >= 0) & (places.people >= least[-1][1]) & np.array([bool(name) for name in places.names])
    fit[[row for row in taken if row >= 0]] = False
    order = np.lexsort((np.arange(len(cells)), -places.people))
    rows = order[fit[order]].tolist()
    # What bears the name of a listed town, and lies about where it does, is that town.
    named = {(cell, folded(one.town.name)) for one in work.towns for cell in grid.within(one.cell, _SAME)}
    near = {cell for cell, _ in named}
    used = {placed.cell for placed in work.towns}
    found: list[PlacedTown] = []
    left: dict[str, list[int]] = {}
    for row in rows:
        cell, people = int(cells[row]), places.people[row]
        if cell in near and (cell, folded(places.names[row])) in named:
            continue
        rank = next(rank for rank, bound in least if people >= bound)
        if cell in used or len(found) >= MOST_UNLISTED:
            left.setdefault(rank, []).append(row)
            continue
        used.add(cell)
        x, y = places.points[row].tolist()
        found.append(PlacedTown(Town(name=places.names[row], rank=rank, place=places.keys[row]), (x, y), cell))
    for rank, bound in least:
        own = [placed for placed in found if placed.town.rank == rank]
        text = f"places of {bound:g} people and more that are not listed become {rank}: {len(own)}"
        work.report.add("towns", "decided", text, tuple(work.label(placed.cell) for placed in own), towns=len(own))
        if rank in left:
            why = "lie in hexes with a town, or a larger place"
            if len(found) >= MOST_UNLISTED:
                why += f", or come after the {MOST_UNLISTED} largest"
            text = f"{len(left[rank])} more of rank {rank} {why}: {in_words(places.names[row] for row in left[rank])}"
            at = tuple(work.label(cell) for cell in sorted({int(cells[row]) for row in left[rank]}))
            work.report.add("towns", "note", text, at, places=len(left[rank]))
    return found


# -- on the map ------------------------------------------------------------------------------------------------------


def lay_towns(work: Work) -> None:
    """Make towns what their ranks say: terrain, markers, places of the game, and names on the map.

    Of several towns in one hex the first gives it its terrain. A marker that the game does not allow on the terrain of
    its hex is left out, and reported.
    """
    rule, model = work.spec.towns, work.model
    painted: dict[int, str] = {}
    for placed in work.towns:
        terrain = rule.terrain.get(placed.town.rank)
        if terrain and painted.setdefault(placed.cell, placed.town.name) == placed.town.name:
            model.terrain.flat[placed.cell] = model.terrain_ids.index(terrain)
        elif terrain and model.terrain_at(placed.cell) != terrain:
            text = f"{placed.town.name} would be {terrain}, but {painted[placed.cell]} gives the hex its terrain"
            work.report.add("towns", "finding", text, (work.label(placed.cell),))
    for placed in work.towns:
        _mark(work, placed)
    _write_names(work)
    for rank, own in _by_rank(work):
        parts = [rule.terrain.get(rank), rule.marker.get(rank), rule.place.get(rank), "a name" * (rank in rule.label)]
        text = f"{len(own)} of rank {rank or 'none'}: {', '.join(part for part in parts if part) or 'nothing drawn'}"
        work.report.add("towns", "decided", text, tuple(work.label(one.cell) for one in own), towns=len(own))


def _by_rank(work: Work) -> Iterator[tuple[str, list[PlacedTown]]]:
    for rank in dict.fromkeys(placed.town.rank for placed in work.towns):
        yield rank, [placed for placed in work.towns if placed.town.rank == rank]


def _mark(work: Work, placed: PlacedTown) -> None:
    """Put the marker and the place of a town on its hex."""
    rule, model, town = work.spec.towns, work.model, placed.town
    at = work.label(placed.cell)
    type_ = rule.marker.get(town.rank, "")
    if type_:
        allowed, terrain = work.ruleset.marker_types[type_].terrain, model.terrain_at(placed.cell)
        if allowed and terrain not in allowed:
            text = f"{town.name} has no {type_}: it lies in {terrain}, and one may be in {', '.join(allowed)}"
            work.report.add("towns", "finding", text, (at,))
        elif not any(one.type == type_ and one.at == at for one in model.features.values() if isinstance(one, Marker)):
            new = free_id(model.features, f"{type_}-{slug(town.name, slug(at, 'town'))}")
            model.features[new] = Marker(id=new, type=type_, at=at)
    if rule.place.get(town.rank):
        new = free_id(model.features, f"place-{slug(town.name, slug(at, 'town'))}")
        x, y = model.grid.centre(placed.cell)
        model.features[new] = Place(id=new, type=rule.place[town.rank], name=town.name, at=(x, y))


def _write_names(work: Work) -> None:
    """Write the names of towns within their hexes: below the middle, or above it where that is clear of other names.

    Names of the first rank choose first, then the others, in the order of the towns.
    """
    rule, model, grid = work.spec.towns, work.model, work.model.grid
    across = grid.hex_height if grid.flat else grid.width
    below = round(_BESIDE * across / grid.scale[1])
    named = [placed for placed in work.towns if placed.town.rank in rule.label]
    sizes = [_SIZES[rule.label.index(placed.town.rank) > 0] for placed in named]
    boxes: list[_Box] = []
    chosen: dict[int, tuple[int, int]] = {}
    for number in sorted(range(len(named)), key=lambda number: -sizes[number]):
        placed, size = named[number], sizes[number]
        x, y = grid.centre(placed.cell)
        spots = [spot for spot in ((x, y + below), (x, y - below)) if _holds(work, placed.cell, spot)] or [(x, y)]
        tall = size * across
        wide = _LETTER * tall * len(placed.town.name)
        around = [_Box(a * grid.scale[0], b * grid.scale[1], wide, tall) for a, b in spots]
        best = min(range(len(spots)), key=lambda spot: sum(around[spot].meets(box) for box in boxes))
        chosen[number] = spots[best]
        boxes.append(around[best])
    for number, placed in enumerate(named):
        # By the town, not by a number: edits are kept by id, and a town more must not shift the others.
        new = free_id(model.features, f"name-{slug(placed.town.name, slug(work.label(placed.cell), 'town'))}")
        model.features[new] = Name(id=new, text=placed.town.name, at=chosen[number], size=sizes[number])


def _holds(work: Work, cell: int, spot: tuple[int, int]) -> bool:
    found: NDArray[Any] = work.model.grid.cells_at(np.array([spot]))
    return int(found[0]) == cell

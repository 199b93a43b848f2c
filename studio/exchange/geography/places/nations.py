"""Countries: whose each hex is, by the land that they cover, and the areas and borders that are drawn of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import listed as in_words
from studio.exchange.common.shares import cover_by_hex, covered
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.naming import check_known, said, slug
from studio.exchange.geography.places.areas import add_areas, connected
from studio.exchange.geography.spec import CountryRule
from studio.exchange.geography.work import Entry, Work
from studio.grid import HexGrid
from studio.grid.raster import CORNERS

__all__ = ["CLEAR", "draw_countries", "lay_countries", "shares_in_order"]

CLEAR = 0.6
"""Part of its land that a country must cover for a hex to be clearly its own."""
_OVERLAP = 0.02
"""Part of a hex that two countries may both cover, as borders that were simplified do, without a word in the report."""
_NEAR = 480.0
"""How far from a country, in lattice units, a town on a coast may lie that the data draw coarsely: about a hex."""


class _Countries(NamedTuple):
    """Countries by name in order, those that are left out as one without a name at the end; and their polygons."""

    names: list[str]
    shapes: NDArray[Any]


def lay_countries(work: Work) -> None:
    """Say whose each hex is: of the country that covers most of its land.

    Land that no polygon covers, or a country that is left out, is nobody's land and counts like a country. A hex with a
    listed town belongs to the country in which the town lies. All-water hexes are nobody's. Where countries overlap,
    the first by name has what both cover. Where nobody's land is to be outside of the game, places on it that are not
    listed are left out.

    Raises
    ------
    DocumentError
        When the rule names what the game or the source does not have.
    """
    rule, grid = work.spec.countries, work.model.grid
    work.country = [""] * grid.cells
    if rule is None:
        return
    check_known(work, "type of area", rule.type, work.ruleset.area_types, "countries.type")
    check_known(work, "kind of hexside", rule.side, work.ruleset.side_kinds, "countries.side")
    check_known(work, "terrain", rule.outside, work.ruleset.terrains, "countries.outside")
    found = _read(work, rule)
    if not any(found.names):
        text = "no country lies on the map, so every hex is nobody's" + ("; none is made outside" * bool(rule.outside))
        work.report.add("countries", "finding", text)
        return
    land = ~_water(work) & grid.present.ravel()
    own, lost = shares_in_order(grid, found.shapes)
    _report_overlaps(work, found, lost)
    shares = _of_land(work, found, own)
    best = np.argmax(shares, axis=1)
    best[~land] = len(found.names)
    names = [*found.names, ""]
    work.country = [names[number] for number in best.tolist()]
    fixed = _keep_towns(work, found, shares)
    doubtful = land & ~_clear_of_water(work, found, own)
    cells = [cell for cell in np.flatnonzero(doubtful).tolist() if cell not in fixed]
    _report_hexes(work, names, shares, cells)
    _report_pieces(work)
    if rule.outside:
        _leave_places(work)
        _lay_outside(work, rule.outside, land)


def _water(work: Work) -> NDArray[np.bool_]:
    cells = work.model.grid.cells
    return work.water if len(work.water) == cells else np.zeros(cells, dtype=bool)


def _read(work: Work, rule: CountryRule) -> _Countries:
    """Return the countries of the source, by the names that they have on the map."""
    import shapely

    if not rule.name:
        message = "countries.name is empty: no column says which country a polygon is"
        raise refused(work.name, message, "name the column of the source with the names of the countries")
    layer = read_layer(work, rule.source, "countries", columns=(rule.name,), kinds="area")
    given = [said(value) for value in layer.columns[rule.name]]
    for name in sorted(set(rule.names) - set(given)):
        close = nearest(name, [one for one in given if one]) if any(given) else "there is none"
        work.report.add("countries", "finding", f"countries.names renames {name!r}, which is not on the map; {close}")
    if "" in given:
        text = f"polygons of {rule.source} without a name, whose land is nobody's: {given.count('')}"
        work.report.add("countries", "finding", text)
    mapped = [rule.names.get(name, name).strip() if name else "" for name in given]
    names = sorted({name for name in mapped if name}) + [""] * ("" in mapped)
    grouped = [[shape for shape, own in zip(layer.shapes, mapped, strict=True) if own == name] for name in names]
    shapes = np.empty(len(names), dtype=object)
    shapes[:] = [shapely.union_all(group) for group in grouped]
    return _Countries(names, shapes)


# -- shares ----------------------------------------------------------------------------------------------------------


def shares_in_order(grid: HexGrid, shapes: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what part of each hex each of some shapes has for itself, and what it lost to those before it.

    Parameters
    ----------
    grid : HexGrid
    shapes : array of shapely polygons, shape (n,)
        On the lattice. What several cover is the first one's.

    Returns
    -------
    own, lost : array of float, shape (cells, n)
    """
    import shapely

    alone = np.zeros((grid.cells, len(shapes)))
    for number in range(len(shapes)):
        alone[:, number] = cover_by_hex(grid, shapes[number : number + 1])
    own = alone.copy()
    shared = np.flatnonzero((alone > 0).sum(axis=1) > 1)
    corners = grid.centres[shared][:, None, :] + np.array(CORNERS[grid.orientation])[None]
    hexes = shapely.polygons(corners.astype(float))
    before = np.zeros(len(shared))
    for number in range(len(shapes)):
        together = covered(hexes, shapes[: number + 1])
        own[shared, number] = np.maximum(0.0, together - before)
        before = together
    return own, alone - own


def _report_overlaps(work: Work, found: _Countries, lost: NDArray[np.float64]) -> None:
    """Report the hexes in which a country lost land to one that comes before it."""
    for number, name in enumerate(found.names):
        cells = np.flatnonzero(lost[:, number] > _OVERLAP)
        if len(cells):
            size = float(lost[cells, number].sum())
            whose = name or "what is left out"
            text = f"{whose} overlaps countries before it by {size:.2g} hexes in all; they keep what both cover"
            at = tuple(map(work.label, cells.tolist()))
            work.report.add("countries", "finding", text, at, hexes=size)


def _of_land(work: Work, found: _Countries, own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the part of the land of each hex that each country has, nobody's in the last column.

    Returns
    -------
    array of float, shape (cells, countries + 1)
    """
    sea = work.shares.get("sea", np.zeros(len(own)))
    nobody = np.maximum(0.0, 1.0 - sea - own.sum(axis=1))
    table = np.column_stack((own, nobody))
    if found.names[-1] == "":
        table[:, -1] += table[:, -2]
        table[:, -2] = 0.0
    whole = table.sum(axis=1)
    whole[whole == 0] = 1.0
    return np.asarray(table / whole[:, None])


def _clear_of_water(work: Work, found: _Countries, own: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell the hexes that are clearly one country's, save for land of no polygon that may as well be water.

    Coasts of countries and of land are seldom drawn alike: what no country covers of a hex with as much water as that,
    or more, is where they differ, and no land that somebody else might have.

    Returns
    -------
    array of bool, shape (cells,)
    """
    none = np.zeros(len(own))
    sea, water = work.shares.get("sea", none), work.shares.get("water", none)
    taken = own.sum(axis=1)
    rest = np.maximum(0.0, 1.0 - sea - taken)
    named = own[:, [bool(name) for name in found.names]].max(axis=1)
    return np.asarray((rest > 0) & (rest <= np.maximum(sea, water)) & (rest <= named) & (named >= CLEAR * taken))


def _keep_towns(work: Work, found: _Countries, shares: NDArray[np.float64]) -> set[int]:
    """Give hexes with listed towns to the countries of the towns; return the hexes that were decided so."""
    listed = {id(town) for town in work.spec.towns.listed}
    fixed: dict[int, str] = {}
    for placed in work.towns:
        number = _country_at(found, placed.point) if id(placed.town) in listed else None
        if number is None:
            continue
        own, cell, town = found.names[number], placed.cell, placed.town.name
        where = (work.label(cell),)
        if fixed.get(cell, own) != own:
            text = f"{town} lies in {own or 'nobody'}'s land, but a town listed before it gives its hex to "
            work.report.add("countries", "finding", text + (fixed[cell] or "nobody"), where)
            continue
        fixed[cell] = own
        if work.country[cell] != own:
            share = float(shares[cell, number if own else -1])
            text = f"the hex of {town} is {own or 'nobody'}'s, where the town lies, with {share:.0%} of its land; "
            text += f"most is {work.country[cell] or 'nobody'}'s"
            work.report.add("countries", "nudged", text, where, share=share)
            work.country[cell] = own
    return set(fixed)


def _country_at(found: _Countries, point: tuple[float, float]) -> int | None:
    """Return the number of the country in which a point lies, else of the nearest one within a hex."""
    import shapely

    spot = shapely.Point(point)
    inside = np.flatnonzero(shapely.intersects(found.shapes, spot))
    if len(inside):
        return int(inside[0])
    away = shapely.distance(found.shapes, spot)
    number = int(np.argmin(away))
    return number if away[number] <= _NEAR else None


# -- reports ---------------------------------------------------------------------------------------------------------


def _report_hexes(work: Work, names: Sequence[str], shares: NDArray[np.float64], cells: Sequence[int]) -> None:
    """Report how many hexes each country has, and those that are not clearly of one."""
    for name in sorted({*work.country} - {""}):
        count = work.country.count(name)
        text = f"{name} has {count} hex{'es' * (count != 1)}"
        work.report.add("countries", "decided", text, hexes=float(count))
    for cell in cells:
        if shares[cell].max() < CLEAR:
            order = sorted(np.flatnonzero(shares[cell] > 0.005).tolist(), key=lambda one: (-shares[cell, one], one))
            figures = {names[one] or "nobody": float(shares[cell, one]) for one in order}
            parts = ", ".join(f"{name} {100 * share:.0f} %" for name, share in figures.items())
            text = f"is not clearly {work.country[cell] or 'nobody'}'s: {parts}"
            rounded = {name: round(share, 3) for name, share in figures.items()}
            at = (work.label(cell),)
            work.report.entries.append(Entry(step="countries", kind="finding", at=at, text=text, figures=rounded))


def _report_pieces(work: Work) -> None:
    """Report single hexes that the land of others cuts off from their country."""
    grid = work.model.grid
    for name, cells in _hexes_of(work):
        parts = connected(grid, cells)
        for part in parts[1:]:
            others = {work.country[cell] for cell in grid.neighbours(int(part[0]))} - {"", name}
            if len(part) == 1 and others:
                text = f"one hex of {name} is cut off from the rest by {', '.join(sorted(others))}"
                work.report.add("countries", "finding", text, (work.label(int(part[0])),))


def _hexes_of(work: Work) -> Iterator[tuple[str, list[int]]]:
    """Yield the countries by name, with their hexes."""
    found: dict[str, list[int]] = {}
    for cell, name in enumerate(work.country):
        if name and work.model.grid.present.flat[cell]:
            found.setdefault(name, []).append(cell)
    yield from sorted(found.items())


def _leave_places(work: Work) -> None:
    """Leave out places on nobody's land that are not listed: it is to be outside of the game."""
    listed = {id(town) for town in work.spec.towns.listed}
    gone = [one for one in work.towns if id(one.town) not in listed and not work.country[one.cell]]
    if gone:
        names = in_words(one.town.name for one in gone)
        text = f"places that are not listed and lie on land of no country are left out ({len(gone)}): {names}"
        work.report.add("countries", "note", text, tuple(work.label(one.cell) for one in gone), places=len(gone))
        work.towns = [one for one in work.towns if one not in gone]


def _lay_outside(work: Work, terrain: str, land: NDArray[np.bool_]) -> None:
    """Give land that is nobody's its terrain; hexes with towns keep theirs."""
    nobody = land & np.array([not name for name in work.country])
    nobody[[placed.cell for placed in work.towns]] = False
    work.model.terrain.flat[np.flatnonzero(nobody)] = work.model.terrain_ids.index(terrain)
    text = f"land of no country becomes {terrain}: {int(nobody.sum())} hexes"
    work.report.add("countries", "decided", text, hexes=float(nobody.sum()))


# -- drawing ---------------------------------------------------------------------------------------------------------


def draw_countries(work: Work, land: Collection[int] = ()) -> None:
    """Draw an area round the hexes of each country and connected part, and the borders of two countries on land.

    Parameters
    ----------
    work : Work
    land : collection of int
        Hexes that count as land whatever their terrain, since the designer gave them to a country.
    """
    rule = work.spec.countries
    if rule is None or not work.country:
        return
    if rule.type:
        for name, cells in _hexes_of(work):
            add_areas(work, cells, slug(name, "country"), rule.type, name)
    if rule.side:
        _draw_borders(work, rule.side, land)


def _draw_borders(work: Work, kind: str, land: Collection[int]) -> None:
    model, table = work.model, work.model.grid.neighbour_table
    numbers = {name: number for number, name in enumerate(sorted({*work.country, ""}))}
    own = np.array([numbers[name] for name in work.country])
    wet = [
        number for number, name in enumerate(model.terrain_ids) if name in (work.spec.water.sea, work.spec.water.lake)
    ]
    under_water = np.isin(model.terrain.ravel(), wet)
    under_water[list(land)] = False
    own[under_water | ~model.grid.present.ravel()] = 0
    other = own[table]
    cells, directions = np.nonzero((own[:, None] > 0) & (other > 0) & (other != own[:, None]) & (table >= 0))
    for a, b in sorted(zip(cells.tolist(), table[cells, directions].tolist(), strict=True)):
        if a < b:
            model.sides[a, b] = tuple(sorted({*model.sides.get((a, b), ()), kind}))

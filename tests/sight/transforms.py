"""A map turned, mirrored, enlarged, cut out of a larger one or put beside another: the same hexes in another place."""

from collections.abc import Callable

import msgspec
import numpy as np

from studio.errors import LabelError
from studio.grid import LINE_STEP, STEP, HexGrid
from studio.model import Aperture, Area, Contour, Dot, Feature, Link, MapModel, Name, Place, Road, Sheet, Wall
from studio.model.features import relabelled

__all__ = ["added", "cropped", "joined", "mirrored", "moved", "pinned", "rotated"]

Point = tuple[int, int]
Shift = Callable[[Point], Point]


def _lines(grid: HexGrid) -> tuple[int, int]:
    """Return how many straight lines of hexes there are, and how many hexes in each."""
    return (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)


def _grid(grid: HexGrid, lines: int, positions: int, first_shifted: int) -> HexGrid:
    """Return a grid of another size, whose first line is shifted or not."""
    columns, rows = (lines, positions) if grid.flat else (positions, lines)
    stagger = "even" if first_shifted else "odd"
    return msgspec.structs.replace(grid, columns=columns, rows=rows, stagger=stagger, half=())


def _by_axes(grid: HexGrid, across: Callable[[int], int], along: Callable[[int], int]) -> Shift:
    """Return what moves a point: by one function across the lines of hexes, and by another along them."""
    if grid.flat:
        return lambda point: (across(point[0]), along(point[1]))
    return lambda point: (along(point[0]), across(point[1]))


def moved(
    model: MapModel, grid: HexGrid, shift: Shift, sheets: tuple[Sheet, ...] = ()
) -> tuple[MapModel, dict[int, int]]:
    """Return a map on another grid with every hex, side and feature in its new place, and where each cell has gone.

    Hexes that have no place on the new grid are left out, and with them the sides and features that need them. Hexes
    without an origin have the first terrain and level 0.
    """
    names = model.labels.scheme
    made = MapModel(model.ruleset, grid, names, model.terrain_characters, title=model.title, sheets=sheets)
    at = {tuple(centre): cell for cell, centre in enumerate(grid.centres.tolist()) if grid.has(cell)}
    places = {}
    for cell in np.flatnonzero(model.grid.present).tolist():
        place = at.get(shift(model.grid.centre(cell)))
        if place is not None:
            places[cell] = place
            made.terrain.flat[place] = model.terrain.flat[cell]
            made.levels.flat[place] = model.levels.flat[cell]
    for (a, b), kinds in model.sides.items():
        if a in places and b in places:
            first, last = sorted((places[a], places[b]))
            made.sides[first, last] = kinds
    for name, feature in model.features.items():
        found = _feature(feature, model, made, places, shift)
        if found is not None:
            made.features[name] = found
    return made, places


def _feature(feature: Feature, model: MapModel, made: MapModel, places: dict[int, int], shift: Shift) -> Feature | None:
    """Return a feature in its new place, None where one of its hexes has gone."""
    gone = False

    def rename(label: str) -> str:
        nonlocal gone
        hex_label = label.removesuffix(" road")
        try:
            cell = model.labels.cell(hex_label)
        except LabelError:
            return label
        if cell not in places:
            gone = True
            return label
        return made.labels.label(places[cell]) + label[len(hex_label) :]

    def line(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(map(shift, points))

    feature = relabelled(feature, rename)
    replace = msgspec.structs.replace
    if gone:
        return None
    match feature:
        case Area():
            holes = tuple(map(line, feature.holes))
            dot = None if feature.dot is None else shift(feature.dot)
            return replace(feature, outline=line(feature.outline), holes=holes, dot=dot)
        case Wall() | Contour() | Road():
            return replace(feature, line=line(feature.line))
        case Place() | Name() | Aperture():
            return replace(feature, at=shift(feature.at))
        case Dot():
            return replace(feature, point=shift(feature.point))
    return feature


def rotated(model: MapModel) -> tuple[MapModel, dict[int, int]]:
    """Turn a map by half a turn."""
    return _turned(model, across=True, along=True)


def mirrored(model: MapModel, *, across: bool) -> tuple[MapModel, dict[int, int]]:
    """Mirror a map: the order of its lines of hexes (`across`), or of the hexes in every line."""
    return _turned(model, across=across, along=not across)


def _turned(model: MapModel, *, across: bool, along: bool) -> tuple[MapModel, dict[int, int]]:
    grid = model.grid
    lines, positions = _lines(grid)
    first = grid.shifted(lines - 1) if across else grid.shifted(0)
    # Of full lines the shifted ones stand out at one end, and at the other after a turn; short ones do so at neither.
    if along and not grid.short:
        first = 1 - first
    wide, long = 2 * STEP + (lines - 1) * LINE_STEP, positions * STEP + (0 if grid.short else STEP // 2)
    shift = _by_axes(grid, lambda u: wide - u if across else u, lambda v: long - v if along else v)
    return moved(model, _grid(grid, lines, positions, first), shift)


def added(model: MapModel, lines: tuple[int, int], positions: tuple[int, int]) -> tuple[MapModel, dict[int, int]]:
    """Add lines of hexes before the first and after the last, and hexes at both ends of every line.

    Negative numbers take away.
    """
    grid = model.grid
    many, long = _lines(grid)
    first = grid.shifted(0) ^ (lines[0] & 1)
    shift = _by_axes(grid, lambda u: u + lines[0] * LINE_STEP, lambda v: v + positions[0] * STEP)
    return moved(model, _grid(grid, many + sum(lines), long + sum(positions), first), shift)


def cropped(model: MapModel, lines: tuple[int, int], positions: tuple[int, int]) -> tuple[MapModel, dict[int, int]]:
    """Take lines of hexes away at either end, and hexes at both ends of every line."""
    return added(model, (-lines[0], -lines[1]), (-positions[0], -positions[1]))


def joined(model: MapModel, other: MapModel, between: int) -> tuple[MapModel, dict[int, int]]:
    """Put another map beside a map, behind its last line of hexes and so many empty ones; both have lines alike long.

    Returns
    -------
    MapModel
    dict of int to int
        Where the cells of the first map have gone.
    """
    many, _ = _lines(model.grid)
    more, _ = _lines(other.grid)
    made, places = added(model, (0, between + more), (0, 0))
    start = many + between
    if made.grid.shifted(start) != other.grid.shifted(0):
        msg = "the lines of the second map are shifted the other way; leave one empty line more or less between them"
        raise ValueError(msg)
    shift = _by_axes(other.grid, lambda u: u + start * LINE_STEP, lambda v: v)
    second, _ = moved(other, made.grid, shift)
    taken = set(places.values())
    for cell in np.flatnonzero(made.grid.present).tolist():
        if cell not in taken:
            made.terrain.flat[cell], made.levels.flat[cell] = second.terrain.flat[cell], second.levels.flat[cell]
    made.sides |= second.sides
    for name, feature in second.features.items():
        made.features[f"other-{name}"] = _renamed(feature)
    return made, places


def _renamed(feature: Feature) -> Feature:
    """Give a feature of the second map an id, and its place a name, that the first one does not have."""
    changes: dict[str, str] = {"id": f"other-{feature.id}"}
    if isinstance(feature, Area | Place) and feature.name:
        changes["name"] = f"other-{feature.name}"
    if isinstance(feature, Area | Place) and feature.within:
        changes["within"] = f"other-{feature.within}"
    if isinstance(feature, Link):
        changes |= {"a": f"other-{feature.a}", "b": f"other-{feature.b}"}
    return msgspec.structs.replace(feature, **changes)


def pinned(model: MapModel, dots: dict[str, Point]) -> MapModel:
    """Give areas without a drawn dot the dot that they have: a point well inside need not turn with its area."""
    for name, dot in dots.items():
        feature = model.features[name]
        if isinstance(feature, Area) and feature.dot is None:
            model.features[name] = msgspec.structs.replace(feature, dot=dot)
    return model

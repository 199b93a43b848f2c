"""Regions cut out of a map: which hexes, hexsides and features belong to one, and what stays when it is taken away."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import EditError
from studio.grid import HexGrid, Labels
from studio.model.edits import Delete, Edit, Paint, SetSide
from studio.model.features import (
    Aperture,
    Area,
    Crest,
    Feature,
    Link,
    Marker,
    Place,
    Point,
    Road,
    feature_points,
    natural_key,
    relabelled,
)
from studio.model.region import Region, RegionHex, RegionSide, with_points

__all__ = ["Drawn", "copy_region", "cut_edits", "hexes_at", "middle_of", "region_features"]

_ROAD = " road"


class Drawn(Protocol):
    """A map, as far as regions are cut out of it and put into it."""

    ruleset: str
    grid: HexGrid
    labels: Labels
    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]
    terrain_ids: list[str]
    sides: dict[tuple[int, int], tuple[str, ...]]
    features: dict[str, Feature]


class Inside(NamedTuple):
    """The features of a region.

    Attributes
    ----------
    whole : dict of str to Feature
        What lies in it with all its points and labels.
    runs : list of Feature
        The parts of roads and crest lines in it that go on beyond it; each has the id of its line.
    """

    whole: dict[str, Feature]
    runs: list[Feature]


def hexes_at(grid: HexGrid, point: Point) -> list[int]:
    """Return the hexes that hold a point of the lattice, all of them where it lies on a side or a corner."""
    across, along = point if grid.flat else point[::-1]
    found = []
    first = (across - 480) // 720
    for line in (first, first + 1):
        shift = 240 * ((line & 1) ^ (grid.stagger == "even"))
        base = (along - shift) // 480
        for position in (base - 1, base):
            far, off = abs(across - 480 - 720 * line), abs(along - 240 - 480 * position - shift)
            column, row = (line, position) if grid.flat else (position, line)
            if off <= 240 and far + off <= 480 and 0 <= column < grid.columns and 0 <= row < grid.rows:
                cell = row * grid.columns + column
                found += [cell] if grid.has(cell) else []
    return found


def middle_of(grid: HexGrid, cells: Iterable[int]) -> int:
    """Return the hex of a region that is nearest to its middle.

    Raises
    ------
    EditError
        When it has no hexes.
    """
    listed = np.fromiter(cells, dtype=np.int64)
    if not len(listed):
        msg = "region: got no hexes; name one or more"
        raise EditError(msg)
    centres = grid.centres[listed]
    away = 2 * centres - (centres.min(axis=0) + centres.max(axis=0))
    weights = (1, 3) if grid.flat else (3, 1)
    return int(listed[np.lexsort((listed, (away * away * weights).sum(axis=1)))[0]])


def region_features(model: Drawn, cells: Collection[int]) -> Inside:
    """Return the features that lie in a region.

    Parameters
    ----------
    model : MapModel
    cells : collection of int
    """
    hexes = set(cells)

    def inside(point: Point) -> bool:
        return any(cell in hexes for cell in hexes_at(model.grid, point))

    whole: dict[str, Feature] = {}
    runs: list[Feature] = []
    names: set[str] = set()
    for feature in model.features.values():
        if isinstance(feature, Area | Place) and all(inside(point) for _, point in feature_points(feature)):
            whole[feature.id] = feature
            names |= {feature.name or feature.id, feature.id}

    def held(label: str) -> bool:
        cell = model.labels.find(label.removesuffix(_ROAD))
        return label in names or (cell is not None and cell in hexes)

    for feature in model.features.values():
        match feature:
            case Area() | Place():
                continue
            case Road() | Crest():
                if all(map(held, feature.path)) and all(inside(point) for _, point in feature_points(feature)):
                    whole[feature.id] = feature
                elif isinstance(feature, Crest) or not feature.line:
                    runs += [msgspec.structs.replace(feature, path=path) for path in _runs(feature.path, held)]
                continue
            case Marker():
                fits = held(feature.at)
            case Link():
                fits = held(feature.a) and held(feature.b)
            case Aperture():
                fits = held(feature.into) and inside(feature.at)
            case _:
                fits = all(inside(point) for _, point in feature_points(feature))
        if fits:
            whole[feature.id] = feature
    return Inside(whole, runs)


def _runs(path: tuple[str, ...], held: Callable[[str], bool]) -> Iterator[tuple[str, ...]]:
    """Yield the runs of two hexes and more that are held."""
    for there, labels in groupby(path, held):
        run = tuple(labels)
        if there and len(run) > 1:
            yield run


def copy_region(
    model: Drawn, cells: Collection[int], anchor: int | None = None, *, features: bool = True, runs: bool = True
) -> Region:
    """Return a region of a map.

    Parameters
    ----------
    model : MapModel
    cells : collection of int
    anchor : int, optional
        The hex that it is held by; the one nearest to its middle by default.
    features : bool
        Take what is drawn in it along: what lies in it whole.
    runs : bool
        And of roads and crest lines that go on beyond it the parts in it.

    Returns
    -------
    Region

    Raises
    ------
    EditError
        When it has no hexes.
    """
    chosen = sorted(set(cells))
    middle = middle_of(model.grid, chosen) if anchor is None else anchor
    q0, r0 = model.grid.axial(middle)
    codes = sorted({int(model.terrain.flat[cell]) for cell in chosen})
    number = {code: place for place, code in enumerate(codes)}

    def axial(cell: int) -> tuple[int, int]:
        q, r = model.grid.axial(cell)
        return q - q0, r - r0

    hexes = [
        RegionHex(*axial(cell), number[int(model.terrain.flat[cell])], int(model.levels.flat[cell])) for cell in chosen
    ]
    held = set(chosen)
    sides = [RegionSide(*axial(a), *axial(b), kinds) for (a, b), kinds in model.sides.items() if a in held or b in held]
    taken: list[Feature] = []
    if features:
        inside = region_features(model, chosen)
        taken = [*inside.whole.values(), *(_numbered(inside) if runs else ())]
    return Region(
        ruleset=model.ruleset,
        orientation=model.grid.orientation,
        terrains=tuple(model.terrain_ids[code] for code in codes),
        hexes=tuple(hexes),
        sides=tuple(sides),
        features=tuple(_freed(model, feature, middle) for feature in sorted(taken, key=lambda f: natural_key(f.id))),
    )


def _numbered(inside: Inside) -> Iterator[Feature]:
    """Yield the runs with an id each."""
    taken = set(inside.whole)
    for run in inside.runs:
        number = 1
        while f"{run.id[:90]}.{number}" in taken:
            number += 1
        taken.add(f"{run.id[:90]}.{number}")
        yield msgspec.structs.replace(run, id=f"{run.id[:90]}.{number}")


def _freed(model: Drawn, feature: Feature, anchor: int) -> Feature:
    """Return a feature with points and labels as a region has them."""
    (q0, r0), (x0, y0) = model.grid.axial(anchor), model.grid.centre(anchor)
    named = {one.name or one.id for one in model.features.values() if isinstance(one, Area | Place)}

    def label(text: str) -> str:
        bare = text.removesuffix(_ROAD)
        cell = None if text in named else model.labels.find(bare)
        if cell is None:
            return "=" + text
        q, r = model.grid.axial(cell)
        return f"@{q - q0},{r - r0}{text[len(bare) :]}"

    return with_points(relabelled(feature, label), lambda point: (point[0] - x0, point[1] - y0))


def cut_edits(model: Drawn, cells: Collection[int], *, features: bool = True, keep: Collection[int] = ()) -> list[Edit]:
    """Return the edits that take a region away: the game's first terrain at level 0, no hexsides, no features inside.

    Hexsides on its rim stay: they are its neighbours' as well.

    Parameters
    ----------
    model : MapModel
    cells : collection of int
    features : bool
        Take what is drawn in it away too.
    keep : collection of int
        Hexes that are painted anew in the same step.
    """
    held, spared = set(cells), set(keep)
    bare = sorted(held - spared)
    edits: list[Edit] = []
    changed = [cell for cell in bare if model.terrain.flat[cell]]
    if changed:
        edits.append(Paint(plane="terrain", cells=changed, values=[model.terrain_ids[0]]))
    raised = [cell for cell in bare if model.levels.flat[cell]]
    if raised:
        edits.append(Paint(plane="levels", cells=raised, values=[0]))
    edits += [SetSide(a=a, b=b, kinds=()) for a, b in model.sides if a in held and b in held]
    if features:
        gone = region_features(model, held).whole
        gone = {**gone, **_hanging(model, gone)}
        edits += [Delete(collection="features", id=name) for name in gone]
    return edits


def _hanging(model: Drawn, gone: dict[str, Feature]) -> dict[str, Feature]:
    """Return what hangs on places that go: it could not stay without them."""
    names = {one.name or one.id for one in gone.values() if isinstance(one, Area | Place)} | {
        one.id for one in gone.values() if isinstance(one, Area | Place)
    }
    return {
        feature.id: feature
        for feature in model.features.values()
        if feature.id not in gone and names.intersection(_labels_of(feature))
    }


def _labels_of(feature: Feature) -> tuple[str, ...]:
    """Return the labels of locations without which a feature could not be."""
    match feature:
        case Link():
            return feature.a, feature.b
        case Marker():
            return feature.at, *feature.also
        case Aperture():
            return (feature.into,)
    return ()

"""The data that a map was made of, read once more for the picture that shows them beside the map."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from studio.draw.geography_data import DataLayer, DataPlace, GeographyData, Role, Sampler
from studio.grid.fitting import apply_affine, inverse_affine

if TYPE_CHECKING:
    from studio.exchange.geodata.options import LayerRule
    from studio.exchange.geography.work import Work

__all__ = ["picture_data"]

_TO: dict[str, tuple[Role | None, Literal["point", "line", "area"]]] = {
    "roads": ("road", "line"),
    "sides": ("line", "line"),
    "walls": ("line", "line"),
    "contours": ("line", "line"),
    "areas": ("building", "area"),
    "terrain": ("cover", "area"),
    "levels": ("area", "area"),
}
"""What layers are on the picture, and their shapes, by what they become on the map."""
_NAMED: dict[str, Role] = {"line": "road", "area": "area"}
"""What carries a name is drawn as well."""


def picture_data(work: Work) -> GeographyData:
    """Read the data that a map was made of as far as they lie on it.

    Parameters
    ----------
    work : Work
        Of the import; nothing is written into its report.

    Returns
    -------
    GeographyData

    Raises
    ------
    DocumentError
        When a file is no longer there, or no longer what it was.
    """
    from studio.exchange.geography.work import Report

    work = dataclasses.replace(work, report=Report())
    spec = work.spec
    cover, terrains = _cover(work)
    heights = _heights_source(work)
    shown = set(spec.towns.label)
    places = tuple(
        DataPlace(one.town.name, one.point, one.cell, not shown or one.town.rank in shown) for one in work.towns
    )
    credits = dict.fromkeys(_credit(one.title or one.file, one.licence) for one in spec.sources)
    return GeographyData(
        frame=_frame(work),
        layers=tuple(_layers(work)),
        heights=_sampler(work, heights[0], "picture", smooth=True) if heights else None,
        cover=cover,
        cover_terrains=terrains,
        places=places,
        credits=tuple(credits),
    )


def _credit(title: str, licence: str) -> str:
    title = title.rstrip(".")
    return f"{title} ({licence})" if licence else title


def _frame(work: Work) -> Any:
    """Return what lays points of the lattice where the affine alone has them; None without a rubber sheet."""
    placing = work.placing
    if not placing.warped:
        return None
    back = inverse_affine(placing.affine)

    def frame(points: NDArray[Any]) -> NDArray[np.float64]:
        x, y = placing.to_world(points).T
        return np.stack(apply_affine(back, x, y), axis=1)

    return frame


# -- shapes ----------------------------------------------------------------------------------------------------------


def _layers(work: Work) -> Iterator[DataLayer]:
    """Yield the vector data: the ground, what is drawn round hexes, lines, and layers that are taken as they are."""
    yield from _ground(work)
    spec = work.spec
    for area in spec.areas:
        if area.source:
            yield _layer(work, area.source, "area", area.name or _words(area.type), "area")
    if spec.countries is not None:
        yield _layer(work, spec.countries.source, "country", "border", "area")
    for role, rules in (("river", spec.rivers), ("line", spec.lines)):
        for rule in rules:
            yield _layer(work, rule.source, role, _words(rule.kind), "line")  # type: ignore[arg-type]
    for road in spec.roads:
        if road.source:
            yield _layer(work, road.source, "road", road.name or "road", "line")
    for layer in spec.layers:
        yield from _taken(work, layer)


def _taken(work: Work, rule: LayerRule) -> Iterator[DataLayer]:
    """Yield a layer that becomes features as it is, without the rows that the rule leaves out."""
    from studio.exchange.geography.data.sources import read_layer

    role, kind = _TO.get(rule.to, (None, "point"))
    if rule.to == "names":
        role = _NAMED.get(rule.shape)
    if role is None or (role == "cover" and not rule.type):
        return
    found = read_layer(work, rule.layer, "picture", columns=tuple(rule.where), kinds=rule.shape or kind)
    keep = np.ones(len(found.shapes), dtype=bool)
    for column, value in rule.where.items():
        keep &= np.array([str(one) == value for one in found.columns[column]], dtype=bool)
    yield DataLayer(role, _words(rule.type or rule.layer), found.shapes[keep], rule.type)


def _ground(work: Work) -> Iterator[DataLayer]:
    """Yield land, polygons of terrain and lakes."""
    spec = work.spec
    if spec.water.land:
        yield _layer(work, spec.water.land, "land", "land", "area")
    for one in spec.terrain.classes:
        raster = one.values or one.above is not None or one.below is not None or one.relief
        if not raster and not (one.outside and one.source == spec.water.land):
            yield _cover_layer(work, one)
    if spec.water.lakes:
        yield _layer(work, spec.water.lakes, "lake", "lakes", "area")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _layer(work: Work, source: str, role: Role, title: str, kind: Any, terrain: str = "") -> DataLayer:
    from studio.exchange.geography.data.sources import read_layer

    return DataLayer(role, title, read_layer(work, source, "picture", kinds=kind).shapes, terrain)


def _cover_layer(work: Work, rule: Any) -> DataLayer:
    """Return the ground of one terrain, or what lies outside its polygons."""
    import shapely

    found = _layer(work, rule.source, "cover", _words(rule.terrain), "area", rule.terrain)
    if not rule.outside:
        return found
    rest = shapely.box(*work.placing.box).difference(shapely.union_all(found.shapes))
    shapes = np.empty(1, dtype=object)
    shapes[0] = rest
    return dataclasses.replace(found, shapes=shapes)


# -- rasters ---------------------------------------------------------------------------------------------------------


def _heights_source(work: Work) -> list[str]:
    """Return the sources of heights that the rules name."""
    spec = work.spec
    found = [spec.levels.source] if spec.levels is not None else []
    for one in spec.terrain.classes:
        if one.above is not None or one.below is not None or one.relief:
            found.append(one.source)
    return found


def _cover(work: Work) -> tuple[Sampler | None, tuple[str, ...]]:
    """Return what tells the terrain of a raster of codes, of the first one, and the terrains."""
    classes = [one for one in work.spec.terrain.classes if one.values]
    if not classes:
        return None, ()
    source = classes[0].source
    classes = [one for one in classes if one.source == source]
    codes = {value: number for number, one in enumerate(classes) for value in one.values}
    values = _sampler(work, source, "picture", smooth=False)

    def cover(points: NDArray[Any]) -> NDArray[np.int64]:
        found = values(points)
        out = np.full(len(found), -1, dtype=np.int64)
        for text, number in codes.items():
            out[found == float(text)] = number
        return out

    return cover, tuple(one.terrain for one in classes)


def _sampler(work: Work, source: str, rule: str, *, smooth: bool) -> Sampler:
    """Return what reads a raster at points in the map units of the affine."""
    from studio.exchange.geodata.world import transformer
    from studio.exchange.geography.data.sources import read_raster

    raster, placing = read_raster(work, source, rule), work.placing
    turn = transformer(placing.crs, raster.crs)
    back = inverse_affine(raster.affine)
    values = np.asarray(raster.values, dtype=float)
    if raster.empty is not None:
        values = np.where(raster.values == raster.empty, np.nan, values)

    def sample(points: NDArray[Any]) -> NDArray[np.float64]:
        x, y = apply_affine(placing.affine, points[:, 0], points[:, 1])  # type: ignore[arg-type]
        x, y = turn.transform(x, y)
        across, down = apply_affine(back, x, y)
        return _between(values, across, down) if smooth else _nearest(values, across, down)  # type: ignore[arg-type]

    return sample


def _nearest(values: NDArray[np.float64], across: NDArray[Any], down: NDArray[Any]) -> NDArray[np.float64]:
    """Return the pixel under each point, NaN off the raster."""
    rows, columns = values.shape
    inside = (across >= 0) & (across < columns) & (down >= 0) & (down < rows)
    found = np.full(len(across), np.nan)
    found[inside] = values[down[inside].astype(np.int64), across[inside].astype(np.int64)]
    return found


def _between(values: NDArray[np.float64], across: NDArray[Any], down: NDArray[Any]) -> NDArray[np.float64]:
    """Return heights between the middles of four pixels, of those that have one; NaN where the pixel has none."""
    rows, columns = values.shape
    own = _nearest(values, across, down)
    known = np.isfinite(own)
    x, y = across[known] - 0.5, down[known] - 0.5
    left, top = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    total, weight = np.zeros(len(x)), np.zeros(len(x))
    for right in (0, 1):
        for below in (0, 1):
            column, row = np.clip(left + right, 0, columns - 1), np.clip(top + below, 0, rows - 1)
            share = np.abs(1 - right - (x - left)) * np.abs(1 - below - (y - top))
            height = values[row, column]
            share = np.where(np.isfinite(height), share, 0.0)
            total += share * np.nan_to_num(height)
            weight += share
    own[known] = total / np.maximum(weight, 1e-12)
    return own

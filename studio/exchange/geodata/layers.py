"""The layers of a map for geodata: locations, their dots, sides, features by kind, units, set-up areas, sight lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.exchange.common.drawn import KINDS, Plain, Shape, drawn_of, joined
from studio.exchange.common.forces import areas_of, cells_polygons, set_up_of, units_of
from studio.exchange.content import Content
from studio.exchange.geodata.options import GeodataOptions
from studio.survey import Survey, locations_in_play

__all__ = ["Layer", "all_layers", "kind_layer", "shape_in", "shapely_of"]


class Layer(NamedTuple):
    """A layer: its columns, and a shape a row.

    Attributes
    ----------
    name : str
    columns : dict of str to list
    shapes : array of shapely shapes or None, shape (rows,)
        On the lattice until they are written.
    """

    name: str
    columns: dict[str, list[Any]]
    shapes: NDArray[Any]


def kind_layer(kind: str) -> str:
    """Return the name of the layer of a kind of feature."""
    return f"{kind}s"


def shapely_of(shape: Shape | None) -> Any:
    """Return a shape as shapely has it."""
    import shapely

    if shape is None:
        return None
    if shape.kind == "point":
        return shapely.Point(shape.points[0])
    return shapely.LineString(shape.points) if shape.kind == "line" else shapely.Polygon(shape.points, shape.rings[1:])


def shape_in(geometry: Any) -> Shape | None:
    """Return a shape of shapely, simple ones within collections of one too; None for what is none of ours."""
    if geometry is None or geometry.is_empty:
        return None
    kind = geometry.geom_type
    if kind.startswith("Multi") and len(geometry.geoms) == 1:
        return shape_in(geometry.geoms[0])
    if kind == "Point":
        return Shape("point", (((geometry.x, geometry.y),),))
    if kind == "LineString":
        return Shape("line", (tuple((x, y) for x, y, *_ in geometry.coords),))
    if kind == "Polygon":
        rings = (geometry.exterior, *geometry.interiors)
        return Shape("area", tuple(tuple((x, y) for x, y, *_ in list(ring.coords)[:-1]) for ring in rings))
    return None


def all_layers(content: Content, options: GeodataOptions, notes: list[str]) -> list[Layer]:
    """Return every layer that has a row.

    Parameters
    ----------
    content : Content
    options : GeodataOptions
    notes : list of str
        Takes what is left out.
    """
    found = [*_locations(content, notes), _sides(content.survey), *_features(content.survey)]
    if content.scenario is not None:
        try:
            set_up = set_up_of(content)
            found += [_units(content, set_up), _areas(content, set_up)]
        except StudioError as error:
            notes.append(f"units and set-up areas are left out: {error}")
    if options.sight:
        found.append(_sight(content, options.sight))
    return [layer for layer in found if len(layer.shapes)]


def _layer(name: str, rows: Iterable[tuple[dict[str, Any], Any]]) -> Layer:
    pairs = list(rows)
    columns: dict[str, list[Any]] = {key: [] for key in (pairs[0][0] if pairs else ())}
    for record, _ in pairs:
        for key, values in columns.items():
            values.append(record[key])
    shapes = np.empty(len(pairs), dtype=object)
    for number, (_, shape) in enumerate(pairs):
        shapes[number] = shape
    return Layer(name, columns, shapes)


# -- ground ----------------------------------------------------------------------------------------------------------

_TAKEN = ("label", "kind", "q", "r", "column", "row", "terrain", "level", "contour", "crest", "road", "half")


def _locations(content: Content, notes: list[str]) -> Iterator[Layer]:
    """Yield the polygons of all hexes and of the areas that are locations, and the dots of all locations."""
    import shapely

    survey = content.survey
    grid, model, directory = survey.grid, survey.model, survey.directory
    records = {record["label"]: record for record in survey.location_records()}
    playing = _in_play(content, notes)
    sx, sy = grid.scale
    polygons: list[tuple[dict[str, Any], Any]] = []
    dots: list[tuple[dict[str, Any], Any]] = []
    cells = np.flatnonzero(grid.present)
    outlines = shapely.transform(grid.outlines(cells), lambda points: points / np.array((sx, sy)))
    for cell, outline in zip(cells.tolist(), outlines, strict=True):
        label = model.labels.label(cell)
        record = records.get(label) if directory.exists(cell) else None
        known = record or _no_location(survey, cell)
        row = _row(known, playable=record is not None, in_play=cell in playing)
        polygons.append((row, outline))
        if record is not None:
            dots.append((row, shapely.Point(directory.dot(cell))))
    for one in directory.others:
        row = _row(records[one.label], playable=True, in_play=one.number in playing)
        feature = model.features.get(one.feature)
        if one.kind == "area" and feature is not None:
            polygons.append((row, shapely_of(drawn_of(survey, feature).shape)))
        dots.append((row, shapely.Point(one.dot)))
    yield _layer("locations", polygons)
    yield _layer("location_dots", dots)


def _in_play(content: Content, notes: list[str]) -> set[int]:
    every = set(content.survey.directory.numbers.tolist())
    if content.scenario is None:
        return every
    try:
        return locations_in_play(content.survey, content.scenario.map)
    except StudioError as error:
        notes.append(f"what is in play cannot be told, so that everything is: {error}")
        return every


def _row(record: dict[str, Any], *, playable: bool, in_play: bool) -> dict[str, Any]:
    found = {name: record[name] for name in _TAKEN}
    found |= {"playable": playable, "in_play": in_play, "within": record["within"]}
    found |= {name: joined(record[name]) for name in ("markers", "tags", "neighbours")}
    return found | {"sheet": record.get("sheet", ""), "sheet_layer": record.get("layer", "")}


def _no_location(survey: Survey, cell: int) -> dict[str, Any]:
    """Return the record of a hex in which no unit can be."""
    grid, model = survey.grid, survey.model
    row, column = divmod(cell, grid.columns)
    q, r = grid.axial(cell)
    plain: dict[str, Any] = {"contour": None, "crest": False, "road": cell in survey.road_hexes, "within": ""}
    return plain | {
        "label": model.labels.label(cell),
        "kind": "hex",
        "q": q,
        "r": r,
        "column": column,
        "row": row,
        "terrain": model.terrain_at(cell),
        "level": model.level_at(cell),
        "half": grid.is_half(cell),
        "markers": [],
        "tags": [],
        "neighbours": [],
    }


def _sides(survey: Survey) -> Layer:
    """Return the sides; ``hexside`` is what the map says of a hexside, ``kinds`` what follows from it and the walls."""
    import shapely

    labels, model = survey.model.labels, survey.model
    scale = np.array(survey.grid.scale)
    rows: list[tuple[dict[str, Any], Any]] = []
    listed: set[tuple[int, int]] = set()
    for record in survey.side_records():
        a, b = labels.find(record["a"]), labels.find(record["b"]) if record["b"] else None
        set_here: tuple[str, ...] = ()
        if a is not None and b is not None:
            key = (min(a, b), max(a, b))
            set_here = model.sides.get(key, ())
            listed.add(key)
        lines = [np.array(line) / scale for line in record["lines"]]
        shape = shapely.LineString(lines[0]) if len(lines) == 1 else shapely.MultiLineString(lines)
        row = {"a": record["a"], "b": record["b"], "kinds": joined(record["kinds"]), "hexside": joined(set_here)}
        row |= {"roads": joined(record["roads"]), "rise": record["rise"], "through": joined(record["through"])}
        rows.append((row, shape))
    for (a, b), kinds in sorted(model.sides.items()):
        if (a, b) not in listed:  # beside a hex that is no location nothing is a side, but the map has it
            row = {"a": labels.label(a), "b": labels.label(b), "kinds": "", "hexside": joined(kinds)}
            row |= {"roads": "", "rise": model.level_at(b) - model.level_at(a), "through": ""}
            rows.append((row, shapely.LineString(survey.grid.side_ends(a, b))))
    return _layer("sides", rows)


def _features(survey: Survey) -> Iterator[Layer]:
    for kind, record in KINDS.items():
        drawn = [drawn_of(survey, feature) for feature in survey.model.features_of(record)]
        yield _layer(kind_layer(kind), (({"id": row.id, **row.fields}, shapely_of(row.shape)) for row in drawn))


# -- scenario --------------------------------------------------------------------------------------------------------


def _units(content: Content, set_up: dict[str, Any]) -> Layer:
    rows: list[tuple[dict[str, Any], Any]] = []
    for unit in units_of(content, set_up):
        fields: dict[str, Plain] = {"id": unit.id, "at": unit.at, "own": unit.own, **unit.fields}
        rows.append((fields, shapely_of(None if unit.point is None else Shape("point", ((unit.point,),)))))
    return _layer("units", rows)


def _areas(content: Content, set_up: dict[str, Any]) -> Layer:
    rows: list[tuple[dict[str, Any], Any]] = []
    for area in areas_of(content, set_up):
        fields: dict[str, Plain] = {"id": area.id, "side": area.side, **area.fields}
        rows.append((fields, cells_polygons(content.survey, area.cells, area.areas)))
    return _layer("setup_areas", rows)


def _sight(content: Content, pairs: tuple[tuple[str, str], ...]) -> Layer:
    """Return lines of sight with their verdicts and reasons."""
    import shapely

    from studio.sight import Conditions
    from studio.sight.layers import knows_layers, layered

    survey, ruleset = content.survey, content.ruleset
    options = ruleset.options(content.scenario.special.options if content.scenario is not None else None)
    judge = ruleset.sight.judge(survey, options, Conditions())
    judge = judge if knows_layers(ruleset.sight) else layered(judge, survey)
    number, dot = survey.directory.number, survey.directory.dot
    rows: list[tuple[dict[str, Any], Any]] = []
    for a, b in pairs:
        found = judge.sighting(number(a), number(b))
        reasons = " ".join(reason.text for reason in found.reasons)
        row = {"a": a, "b": b, "verdict": found.status, "reasons": reasons}
        rows.append((row, shapely.LineString([dot(number(a)), dot(number(b))])))
    return _layer("sight_lines", rows)

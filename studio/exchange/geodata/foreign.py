"""Geodata of others: what the layers of any vector file, and rasters, become on a map."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused, source_bytes
from studio.exchange.common.ground import checked, known_game, model_of, new_map, set_plane
from studio.exchange.content import Taken
from studio.exchange.geodata.doors import make_up_doors
from studio.exchange.geodata.laying import Laying
from studio.exchange.geodata.options import GeodataReading, LayerRule
from studio.exchange.geodata.raster import shares_of
from studio.exchange.geodata.stores import library_reads, listed_layers, refuse_pointer
from studio.exchange.geodata.world import World, known_crs, place_of, unit_grid
from studio.model import Georeference, MapModel
from studio.rules import Ruleset

__all__ = ["take_foreign"]


def take_foreign(source: Path, options: GeodataReading) -> Taken:
    """Return a map with what the layers of a file become on it.

    Raises
    ------
    DocumentError
        When the file cannot be read, names of it mean nothing, or no map is named to lay it on.
    """
    model, ruleset = _base(source, options)
    world = place_of(model.grid, model.georeference, ruleset.catalogue.hex_metres)
    notes: list[str] = []

    def say(_kind: str, text: str, _at: tuple[str, ...] = (), **_figures: float) -> None:
        notes.append(text)

    laying = Laying(source, model, ruleset, say)
    for raster in options.rasters:
        values, note = shares_of(source.parent, raster, model, ruleset, world)
        notes.append(note)
        set_plane(model, raster.to, values)
    if options.layers:
        refuse_pointer(source, source_bytes(source))
        closed: list[tuple[LayerRule, list[str]]] = []
        streets: list[Any] = []
        for rule in options.layers:
            rows = list(_rows(source, model, world, rule, notes))
            laying.lay(rule, rows)
            closed += [(rule, list(laying.laid))] if rule.doors else []
            streets += [shape for _, shape in rows] if rule.to == "roads" else []
        for rule, ids in closed:
            make_up_doors(laying, rule.doors, ids, streets)
    elif not options.rasters:
        names = ", ".join(name for name, _ in listed_layers(source))
        raise refused(
            source, f"holds the layers {names}", "say what they become: layers=(LayerRule(layer=..., to=...),)"
        )
    return Taken(checked(model, ruleset, source), None, tuple(notes))


def _base(source: Path, options: GeodataReading) -> tuple[MapModel, Ruleset]:
    """Return the map that everything is laid on."""
    if options.onto is not None:
        ruleset = known_game(options.onto.ruleset, source)
        return model_of(options.onto, ruleset, source), ruleset
    if options.frame is None:
        raise refused(source, "is to be laid on no map", "give onto=, a map, or frame=, where a new one lies")
    frame = options.frame
    ruleset = known_game(options.ruleset, source)
    grid = unit_grid(frame.columns, frame.rows, orientation=frame.orientation, stagger=frame.stagger)
    model = new_map(ruleset, grid, frame.labels, title=options.title or source.stem, source=source)
    known_crs(frame.crs)
    size = frame.hex_size
    affine = (size, 0.0, frame.left, 0.0, -size, frame.top)
    model.georeference = Georeference(crs=frame.crs, affine=affine)
    return model, ruleset


def _rows(
    source: Path, model: MapModel, world: World, rule: LayerRule, notes: list[str]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield fields and shape, on the lattice, of the rows that a rule is about and that lie on the map."""
    import pyogrio
    import shapely

    names = [name for name, _ in listed_layers(source)]
    layer = rule.layer or (names[0] if names else "")
    if layer not in names:
        raise refused(source, f"has no layer {layer!r}; {nearest(layer, names)}", "name one that it has")
    # Coordinates that are no numbers are found below; numpy need not warn of them.
    with library_reads(source), np.errstate(invalid="ignore", over="ignore"):
        frame = pyogrio.read_dataframe(source, layer=layer, force_2d=True)
    missing = sorted(set(rule.columns) - set(frame.columns))
    if missing:
        known = nearest(missing[0], map(str, frame.columns))
        raise refused(source, f"layer {layer!r} has no column {missing[0]!r}; {known}", "name one that it has")
    for column, value in rule.where.items():
        frame = frame[frame[column].astype(str) == value]
    with np.errstate(invalid="ignore", over="ignore"):
        shapes = np.array(_placed(source, world, frame, layer, notes), dtype=object)
    coordinates, owners = shapely.get_coordinates(shapes, return_index=True)
    nowhere = np.unique(owners[~np.isfinite(coordinates).all(axis=1)])
    if len(nowhere):
        notes.append(f"layer {layer!r}: {len(nowhere)} rows are left out: a coordinate is no number")
        shapes[nowhere] = None
    x0, y0, x1, y1 = model.grid.frame
    near = shapely.intersects(shapes, shapely.box(x0, y0, x1, y1))
    columns = [column for column in frame.columns if column != frame.geometry.name]
    records = frame[columns].to_dict("records")
    for record, shape, inside in zip(records, shapes, near, strict=True):
        if inside:
            yield record, shape


def _placed(source: Path, world: World, frame: Any, layer: str, notes: list[str]) -> NDArray[Any]:
    """Return the shapes of a table on the lattice."""
    crs = known_crs(world.crs)
    if frame.crs is None:
        notes.append(f"layer {layer!r} names no coordinate reference system; its numbers are taken as they are")
    elif world.real:
        frame = frame.to_crs(crs)
    elif frame.crs.is_geographic or frame.crs.is_projected:
        message = f"layer {layer!r} lies in the real world ({frame.crs.name}), and the map has no place in it"
        raise refused(source, message, "give the map a georeference, or a new one a frame")
    return world.shapes_to_lattice(np.array(frame.geometry.values, dtype=object))

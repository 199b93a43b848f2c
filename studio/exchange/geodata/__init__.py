"""Geodata for users of geographical information systems: GeoPackage, GeoParquet and GeoJSON, and what these import."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from studio.exchange.common.forces import played_notes
from studio.exchange.content import Content, Pictures, Taken, Written
from studio.exchange.geodata.foreign import take_foreign
from studio.exchange.geodata.layers import all_layers
from studio.exchange.geodata.options import Frame, GeodataOptions, GeodataReading, LayerRule, RasterRule
from studio.exchange.geodata.own import Frame as MapFrame
from studio.exchange.geodata.own import take_own
from studio.exchange.geodata.stores import store_of
from studio.exchange.geodata.world import world_of
from studio.grid import LabelScheme

__all__ = [
    "Frame",
    "GeodataOptions",
    "GeodataReading",
    "LayerRule",
    "Options",
    "RasterRule",
    "Reading",
    "read",
    "write",
]

Options, Reading = GeodataOptions, GeodataReading

FORMAT = "wargame-studio/geodata"


def write(
    content: Content,
    target: str | os.PathLike[str],
    *,
    options: GeodataOptions | None = None,
    pictures: Pictures | None = None,
) -> Written:
    """Write a map, and its scenario where there is one, as layers of geodata.

    Parameters
    ----------
    content : Content
    target : path
        ``.gpkg``, ``.geojson``, or ``.parquet`` (a file a layer, beside the target).
    options : GeodataOptions, optional
    pictures : Pictures, optional
        Not used: geodata have no pictures.

    Returns
    -------
    Written

    Raises
    ------
    UnsupportedError
        When the file has another ending, or the library for GeoParquet is missing.
    UnknownNameError
        When the coordinate reference system of the map is unknown.
    LabelError
        When a line of sight is wanted from or to what is no location.
    SaveError
        When the file cannot be written; the old one is whole.
    """
    path, chosen = Path(target), options or GeodataOptions()
    store = store_of(path)
    model = content.model
    world = world_of(model, content.ruleset)
    notes = played_notes(content)
    layers = all_layers(content, chosen, notes)
    placed = [layer._replace(shapes=world.shapes_to_world(layer.shapes)) for layer in layers]
    frame = MapFrame(
        title=model.title,
        grid=model.grid,
        labels=LabelScheme() if model.sheets else model.labels.scheme,
        sheets=list(model.sheets),
        georeference=model.georeference,
    )
    texts = {
        "format": FORMAT,
        "version": "1",
        "title": content.title,
        "ruleset": model.ruleset,
        "crs": world.crs,
        "affine": msgspec.json.encode(world.affine).decode(),
        "frame": msgspec.json.encode(frame).decode(),
    }
    if chosen.whole:
        texts["document"] = msgspec.json.encode(model.to_document()).decode()
    else:
        notes.append("notes, sources and the scan of the map are in no layer")
    if content.scenario is not None:
        texts["scenario"] = msgspec.json.encode(content.scenario).decode()
        notes.append("units and set-up areas are layers; turns, aims, events and special rules go along as a text")
    files = store.write(path, placed, world, texts)
    return Written(files, tuple(notes))


def read(source: str | os.PathLike[str], *, options: GeodataReading | None = None) -> Taken:
    """Read geodata: those that the studio wrote, with what was changed since, or any vector file and rasters.

    Parameters
    ----------
    source : path
    options : GeodataReading, optional
        What layers and rasters of others become, and on which map.

    Returns
    -------
    Taken
        Its notes say what was changed, what was decided, and what was not read.

    Raises
    ------
    DocumentError
        When it cannot be read, or holds what the game does not have.
    UnsupportedError
        When the library for GeoParquet is missing.
    """
    path, chosen = Path(source), options or GeodataReading()
    if not chosen.layers and not chosen.rasters and path.suffix.lower() in _OWN:
        found = store_of(path).read(path)
        if found is not None:
            return take_own(path, found, chosen)
    return take_foreign(path, chosen)


_OWN = (".gpkg", ".parquet", ".geoparquet", ".geojson", ".json")

"""A map as Tiled's JSON has it; the XML form says the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.exchange.common.forces import areas_of, played_notes, set_up_of, units_of
from studio.exchange.content import Content, Pictures
from studio.exchange.tiled.objects import Objects
from studio.exchange.tiled.options import TiledOptions
from studio.exchange.tiled.sizes import Sizes, sizes_of
from studio.exchange.tiled.tiles import Tileset, counter_tiles, level_tiles, prop, terrain_tiles, tileset
from studio.model import MapDocument, MapModel, Plane

__all__ = ["STUDIO", "Planned", "plan_map"]

STUDIO = "wargame-studio/map"
"""Value of the map's property ``studio``, by which the studio knows its own maps."""


class Planned(NamedTuple):
    """A map for Tiled: its JSON, the pictures beside it, and what it does not say."""

    data: dict[str, Any]
    files: dict[str, bytes]
    notes: list[str]


def plan_map(content: Content, stem: str, options: TiledOptions, pictures: Pictures | None) -> Planned:
    """Return a map as Tiled's JSON has it.

    Parameters
    ----------
    content : Content
    stem : str
        What the names of the pictures begin with.
    options : TiledOptions
    pictures : Pictures or None
        Draws terrains and counters; plain ones without it.

    Raises
    ------
    GridError
        When the tiles would be too small or too large.
    """
    model, grid = content.model, content.model.grid
    sizes = sizes_of(grid, options.hex_px)
    objects = Objects(content, sizes)
    sets = list(_ground_sets(content, stem, sizes, options, pictures))
    layers = list(_ground(content, objects, sets, options))
    layers += [objects.sides(), *objects.features(), objects.frame()]
    if options.labels:
        layers.append(objects.labels())
    notes = [*played_notes(content), *_notes(model)]
    if not options.levels and not options.whole and model.levels.any():
        notes.append("the levels of the hexes are in no layer, and are lost")
    if content.scenario is not None:
        first = sets[-1].data["firstgid"] + sets[-1].tiles
        layers += _scenario(content, objects, (stem, first, options, pictures), sets, notes)
    data = {
        "type": "map",
        "version": "1.10",
        "orientation": "hexagonal",
        "renderorder": "right-down",
        "width": grid.columns,
        "height": grid.rows,
        "tilewidth": sizes.wide,
        "tileheight": sizes.high,
        "hexsidelength": sizes.side,
        "staggeraxis": "x" if grid.flat else "y",
        "staggerindex": grid.stagger,
        "infinite": False,
        "compressionlevel": -1,
        "nextlayerid": objects.next_layer,
        "nextobjectid": objects.next_id,
        "properties": _properties(content, options),
        "tilesets": [one.data for one in sets],
        "layers": layers,
    }
    files = {name: png for one in sets for name, png in one.files.items()}
    return Planned(data, files, notes)


def _properties(content: Content, options: TiledOptions) -> list[dict[str, Any]]:
    document = content.model.to_document()
    carried = document if options.whole else _bare(document)
    found: dict[str, Any] = {
        "studio": STUDIO,
        "whole": options.whole,
        "title": content.title,
        "ruleset": content.model.ruleset,
        "document": msgspec.json.encode(carried).decode("utf-8"),
    }
    if content.ruleset.catalogue.hex_metres:
        found["hex_metres"] = content.ruleset.catalogue.hex_metres
    if content.scenario is not None:
        found["scenario"] = msgspec.json.encode(content.scenario).decode("utf-8")
    return [prop(name, found[name]) for name in sorted(found)]


def _bare(document: MapDocument) -> MapDocument:
    """Return a document without what the layers say: the grid, the labels and the sheets are left."""
    first = next(iter(document.terrain.legend))
    rows = ["".join(" " if mark == " " else first for mark in row) for row in document.terrain.rows]
    terrain = Plane(legend=document.terrain.legend, rows=rows)
    return msgspec.structs.replace(document, terrain=terrain, levels=None, sides=[], features=[])


# -- ground ----------------------------------------------------------------------------------------------------------


def _ground_sets(
    content: Content, stem: str, sizes: Sizes, options: TiledOptions, pictures: Pictures | None
) -> Iterator[Tileset]:
    size = (sizes.wide, sizes.high)
    terrain = tileset("terrain", f"{stem}-terrain", 1, terrain_tiles(content, sizes, pictures), size, options)
    yield terrain
    if options.levels:
        levels = content.model.levels
        low, high = content.ruleset.levels
        low, high = min(low, int(levels.min()), 0), max(high, int(levels.max()), 0)
        tiles = level_tiles(low, high, sizes)
        yield tileset("levels", f"{stem}-levels", 1 + terrain.tiles, tiles, size, options)


def _ground(content: Content, objects: Objects, sets: list[Tileset], options: TiledOptions) -> Iterator[dict[str, Any]]:
    """Yield the tile layers: terrain and levels, in a group a sheet where there are several."""
    model = content.model
    present = model.grid.present
    terrain = np.where(present, model.terrain.astype(np.int64) + 1, 0)
    planes = [("terrain", terrain)]
    if options.levels:
        first = sets[1].data["firstgid"]
        low = sets[1].data["tiles"][0]["properties"][0]["value"]
        levels = model.levels.astype(np.int64)
        planes.append(("levels", np.where(present & (levels != 0), levels - low + first, 0)))
    if model.grid.joint is None:
        for name, plane in planes:
            yield _tile_layer(objects, name, plane)
        return
    owner = model.grid.joint.owner.reshape(present.shape)
    for number, sheet in enumerate(model.sheets):
        inner = [_tile_layer(objects, name, np.where(owner == number, plane, 0)) for name, plane in planes]
        yield {
            "type": "group",
            "id": objects.layer_id(),
            "name": f"sheet {sheet.id}",
            "opacity": 1,
            "visible": True,
            "x": 0,
            "y": 0,
            "properties": [prop("layer", sheet.layer), prop("prefix", sheet.prefix), prop("title", sheet.title)],
            "layers": inner,
        }


def _tile_layer(objects: Objects, name: str, gids: NDArray[np.int64]) -> dict[str, Any]:
    return {
        "type": "tilelayer",
        "id": objects.layer_id(),
        "name": name,
        "width": gids.shape[1],
        "height": gids.shape[0],
        "opacity": 1,
        "visible": True,
        "x": 0,
        "y": 0,
        "data": gids.ravel().tolist(),
    }


# -- scenario --------------------------------------------------------------------------------------------------------


def _scenario(
    content: Content,
    objects: Objects,
    counters: tuple[str, int, TiledOptions, Pictures | None],
    sets: list[Tileset],
    notes: list[str],
) -> list[dict[str, Any]]:
    """Return the layers of set-up areas and units; add the tileset of counters, which has the name and gid given."""
    assert content.scenario is not None
    stem, first, options, pictures = counters
    try:
        set_up = set_up_of(content)
    except StudioError as error:
        notes.append(f"units and set-up areas are left out: {error}")
        return []
    px = 2 * round(min(objects.sizes.wide, objects.sizes.high) * 0.3)
    records = [
        (unit, force.id) for force in content.scenario.forces for part in force.formations for unit in part.units
    ]
    tiles, number = counter_tiles(records, pictures, px)
    layers = [objects.areas(areas_of(content, set_up), content.survey)]
    if not tiles:
        return layers
    sets.append(tileset("counters", f"{stem}-counters", first, tiles, (px, px), options, objectalignment="center"))
    gids = {name: first + index for name, index in number.items()}
    layers += objects.units(units_of(content, set_up), gids, px)
    notes.append("Tiled shows units and set-up areas; turns, aims, events and special rules go along unseen")
    return layers


def _notes(model: MapModel) -> list[str]:
    notes = []
    if any(model.grid.is_half(cell) for cell in np.flatnonzero(model.grid.present).tolist()):
        notes.append("Tiled shows half hexes whole; the layer 'frame' has the edge of the map")
    if any(getattr(feature, "holes", ()) for feature in model.features.values()):
        notes.append("Tiled shows areas without their holes, which are in the property 'holes'")
    if model.georeference is not None:
        notes.append("Tiled knows no place in the world; it goes along unseen")
    return notes

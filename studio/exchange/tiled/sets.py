"""What the gids of a map mean: the tiles of its tilesets, within the map or in files beside it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from studio.exchange.common.files import beside, parse_json, parse_xml, refused, source_bytes
from studio.exchange.tiled.grids import whole
from studio.exchange.tiled.xmlform import from_xml

__all__ = ["TileFacts", "decoded", "properties_of", "tiles_of"]

_MAX_SETS = 500


class TileFacts(NamedTuple):
    """What a tile is called.

    Attributes
    ----------
    properties : dict
    names : tuple of str
        What may name its terrain, the surest first; ``TILESET:NUMBER`` last.
    """

    properties: dict[str, Any]
    names: tuple[str, ...]


def decoded(source: Path) -> dict[str, Any]:
    """Return a map or tileset in the form of Tiled's JSON.

    Raises
    ------
    DocumentError
        When it cannot be read, or is neither.
    """
    data = source_bytes(source)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        root = parse_xml(data, source)
        if root.tag not in ("map", "tileset"):
            raise refused(source, f"is a file of <{root.tag[:40]}>, allowed <map> or <tileset>", "name a Tiled map")
        return from_xml(root)
    plain = parse_json(data, source)
    if not isinstance(plain, dict):
        raise refused(source, "is no Tiled map", "name a .tmj or .tmx file")
    return plain


def properties_of(data: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of something by their names."""
    found = data.get("properties")
    if isinstance(found, dict):  # as versions before 1.2 write them
        return dict(found)
    rows = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return {str(one.get("name", "")): one.get("value", "") for one in rows}


def tiles_of(data: dict[str, Any], source: Path, tile_property: str) -> dict[int, TileFacts]:
    """Return what each gid means; gids of tiles that say nothing of themselves are named by their number.

    Parameters
    ----------
    data : dict
        Of the map.
    source : Path
        Its file; tilesets of their own lie beside it.
    tile_property : str
        Property that names the terrain of a tile.

    Raises
    ------
    DocumentError
        When a tileset cannot be read, or lies elsewhere.
    """
    sets = data.get("tilesets")
    rows = [one for one in sets if isinstance(one, dict)] if isinstance(sets, list) else []
    if len(rows) > _MAX_SETS:
        raise refused(source, f"names {len(rows)} tilesets, allowed {_MAX_SETS}", "this is another kind of file")
    found: dict[int, TileFacts] = {}
    for one in rows:
        first = whole(one.get("firstgid", 1), "firstgid", source)
        inner = decoded(beside(source, str(one["source"]))) if one.get("source") else one
        _add_tiles(found, inner, first, source, tile_property)
    return found


def _add_tiles(found: dict[int, TileFacts], data: dict[str, Any], first: int, source: Path, tile_property: str) -> None:
    name = str(data.get("name", ""))
    tiles = data.get("tiles")
    if isinstance(tiles, dict):  # as versions before 1.2 write them
        tiles = [{"id": key, **value} for key, value in tiles.items() if isinstance(value, dict)]
    known = {}
    for tile in tiles if isinstance(tiles, list) else []:
        if isinstance(tile, dict):
            known[whole(tile.get("id"), "id of a tile", source)] = tile
    count = whole(data.get("tilecount", 0) or 0, "tilecount", source)
    numbers = {*known, *range(min(count, 100_000))}
    for number in sorted(numbers):
        tile = known.get(number, {})
        properties = properties_of(tile)
        stem = PurePosixPath(str(tile.get("image", "")).replace("\\", "/")).stem
        kind = str(tile.get("type", "") or tile.get("class", ""))
        names = [str(properties.get(tile_property, "")), kind, stem, f"{name}:{number}"]
        found[first + number] = TileFacts(properties, tuple(one for one in names if one))

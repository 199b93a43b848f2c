"""Tilesets: the pictures of terrains, levels and counters, in one picture or one each."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.exchange.content import Content, Pictures
from studio.exchange.tiled.options import TiledOptions
from studio.exchange.tiled.sizes import Sizes
from studio.grid.raster import CORNERS
from studio.model import UnitRecord

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Tile", "Tileset", "counter_tiles", "level_tiles", "terrain_tiles"]

_COLUMNS = 8
_COLORS = ("#e8dcc0", "#b9cf9b", "#8aa86a", "#d9b38c", "#b7a58f", "#a9c6d9", "#d8d08f", "#c9a9b8", "#9fb8ae", "#cfcfcf")


class Tile(NamedTuple):
    """A tile: its name, its picture as a PNG, and its properties."""

    name: str
    png: bytes
    properties: list[dict[str, Any]]


class Tileset(NamedTuple):
    """A tileset as Tiled's JSON has it, and the pictures beside it by file name."""

    data: dict[str, Any]
    files: dict[str, bytes]
    tiles: int


def prop(name: str, value: Any) -> dict[str, Any]:
    """Return a property as Tiled's JSON has it."""
    kind = "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "float"
    return {"name": name, "type": "string" if isinstance(value, str) else kind, "value": value}


def terrain_tiles(content: Content, sizes: Sizes, pictures: Pictures | None) -> list[Tile]:
    """Return a tile a terrain of the game, drawn by the painter or plain."""
    draw = getattr(pictures, "tile", None)
    found = []
    for number, (name, terrain) in enumerate(content.ruleset.terrains.items()):
        png = draw(name, sizes.wide, sizes.high) if draw is not None else _plain_tile(sizes, number, terrain.char)
        properties = [
            prop("terrain", name),
            prop("title", terrain.name),
            prop("char", terrain.char),
            prop("playable", terrain.playable),
        ]
        found.append(Tile(name, png, properties))
    return found


def level_tiles(low: int, high: int, sizes: Sizes) -> list[Tile]:
    """Return a tile a level: its number below the middle of the hex, all else transparent."""
    return [
        Tile(f"level {level}", _number_tile(sizes, level), [prop("level", level)]) for level in range(low, high + 1)
    ]


def counter_tiles(
    units: Sequence[tuple[UnitRecord, str]], pictures: Pictures | None, px: int
) -> tuple[list[Tile], dict[str, int]]:
    """Return the counters of units, alike ones once, and the number of its tile by the id of each unit."""
    tiles: list[Tile] = []
    number: dict[str, int] = {}
    known: dict[bytes, int] = {}
    for unit, side in units:
        png = pictures.counter(unit, side, px) if pictures is not None else _plain_counter(unit, px)
        if png not in known:
            known[png] = len(tiles)
            tiles.append(Tile(f"{side} {unit.type}", png, [prop("side", side), prop("unit_type", unit.type)]))
        number[unit.id] = known[png]
    return tiles, number


def tileset(
    name: str, stem: str, first: int, tiles: Sequence[Tile], size: tuple[int, int], options: TiledOptions, **more: Any
) -> Tileset:
    """Return a tileset of tiles of one size.

    Parameters
    ----------
    name : str
        Of the tileset.
    stem : str
        What the names of its pictures begin with.
    first : int
        Its first gid.
    tiles : sequence of Tile
    size : (width, height)
        Of a tile.
    options : TiledOptions
    **more
        Further keys of the tileset.
    """
    wide, high = size
    data: dict[str, Any] = {
        "firstgid": first,
        "name": name,
        "tilewidth": wide,
        "tileheight": high,
        "tilecount": len(tiles),
        "margin": 0,
        "spacing": 0,
        **more,
    }
    if options.tiles == "collection":
        names = [f"{stem}-{number}-{_file(tile.name)}.png" for number, tile in enumerate(tiles)]
        data |= {"columns": 0, "grid": {"height": 1, "orientation": "orthogonal", "width": 1}}
        data["tiles"] = [
            {"id": n, "type": tile.name, "image": names[n], "imagewidth": wide, "imageheight": high}
            | {"properties": tile.properties}
            for n, tile in enumerate(tiles)
        ]
        return Tileset(data, {names[n]: tile.png for n, tile in enumerate(tiles)}, len(tiles))
    columns = min(_COLUMNS, len(tiles))
    rows = -(-len(tiles) // columns)
    picture = f"{stem}.png"
    data |= {"columns": columns, "image": picture, "imagewidth": columns * wide, "imageheight": rows * high}
    data["tiles"] = [{"id": n, "type": tile.name, "properties": tile.properties} for n, tile in enumerate(tiles)]
    return Tileset(data, {picture: _atlas(tiles, columns, rows, size)}, len(tiles))


def _file(name: str) -> str:
    return "".join(mark if mark.isalnum() and mark.isascii() else "_" for mark in name)


# -- pictures --------------------------------------------------------------------------------------------------------


def _atlas(tiles: Sequence[Tile], columns: int, rows: int, size: tuple[int, int]) -> bytes:
    from PIL import Image

    sheet = Image.new("RGBA", (columns * size[0], rows * size[1]), (0, 0, 0, 0))
    for number, tile in enumerate(tiles):
        with Image.open(io.BytesIO(tile.png)) as picture:
            place = (number % columns * size[0], number // columns * size[1])
            sheet.paste(
                picture.convert("RGBA").resize(size) if picture.size != size else picture.convert("RGBA"), place
            )
    return _png(sheet)


def _png(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def _corners(sizes: Sizes, factor: int) -> list[tuple[float, float]]:
    middle = (480, 240) if sizes.flat else (240, 480)
    corners = CORNERS["flat" if sizes.flat else "pointy"]
    points = [sizes.pixel(x + middle[0], y + middle[1]) for x, y in corners]
    return [(x * factor, y * factor) for x, y in points]


def _plain_tile(sizes: Sizes, number: int, char: str) -> bytes:
    """Return a hex in a colour of its own with the character of its terrain, where nobody draws the game's look."""
    from PIL import Image, ImageDraw

    factor = 4  # drawn larger and reduced, so that edges are smooth
    picture = Image.new("RGBA", (sizes.wide * factor, sizes.high * factor), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    pen.polygon(_corners(sizes, factor), fill=_COLORS[number % len(_COLORS)], outline="#7d7362", width=factor)
    small = picture.resize((sizes.wide, sizes.high), Image.Resampling.BOX)
    _write(small, char, (sizes.wide / 2, sizes.high * 0.7), min(sizes.wide, sizes.high) * 0.25)
    return _png(small)


def _number_tile(sizes: Sizes, level: int) -> bytes:
    from PIL import Image

    picture = Image.new("RGBA", (sizes.wide, sizes.high), (0, 0, 0, 0))
    if level:
        _write(picture, str(level), (sizes.wide * 0.7, sizes.high * 0.78), min(sizes.wide, sizes.high) * 0.22)
    return _png(picture)


def _plain_counter(unit: UnitRecord, px: int) -> bytes:
    from PIL import Image, ImageDraw

    picture = Image.new("RGBA", (px, px), "#f2f0e6")
    ImageDraw.Draw(picture).rectangle((0, 0, px - 1, px - 1), outline="#333333", width=max(1, px // 24))
    _write(picture, unit.type[:9], (px / 2, px / 2), px * 0.18)
    return _png(picture)


def _write(picture: Any, text: str, middle: tuple[float, float], size: float) -> None:
    from PIL import ImageDraw, ImageFont

    font = ImageFont.load_default(max(6, round(size)))
    ImageDraw.Draw(picture).text(middle, text, fill="#40382c", font=font, anchor="mm")

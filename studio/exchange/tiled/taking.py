"""Reading Tiled maps: those that the studio wrote, and those of others."""

from __future__ import annotations

from pathlib import Path

from studio.exchange.common.files import refused
from studio.exchange.content import Taken
from studio.exchange.tiled.foreign import ForeignMap
from studio.exchange.tiled.options import TiledReading
from studio.exchange.tiled.own import OwnMap
from studio.exchange.tiled.plan import STUDIO
from studio.exchange.tiled.sets import decoded, properties_of

__all__ = ["take_map"]


def take_map(source: Path, options: TiledReading) -> Taken:
    """Read a Tiled map.

    Raises
    ------
    DocumentError
        When it cannot be read, is no map of hexes, or has tiles that mean nothing.
    """
    data = decoded(source)
    if data.get("type", "map") != "map" or "layers" not in data:
        raise refused(source, "is no Tiled map", "name the map itself, not a tileset or a template")
    if data.get("orientation") != "hexagonal":
        got = str(data.get("orientation"))[:40]
        raise refused(
            source, f"is a map of orientation {got!r}, allowed 'hexagonal'", "set it in Tiled: Map properties"
        )
    said = properties_of(data)
    if said.get("studio") == STUDIO:
        return OwnMap(source, data, options).take(said)
    return ForeignMap(source, data, options).take()

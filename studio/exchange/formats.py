"""The formats that maps and scenarios are handed over in: what they are called, and how their files end."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from studio.errors import UnknownNameError, nearest

__all__ = ["Format", "format_of", "formats"]


class Format(NamedTuple):
    """A format to write.

    Attributes
    ----------
    id : str
        Its name, such as ``vassal``.
    title : str
        What it is for, in words.
    suffixes : tuple of str
        How its files end, the usual one first.
    what : {"map", "scenario", "both"}
        What can be written in it.
    module : str
        Module with its ``write``; "" for the bundle, which the studio writes by itself.
    options : str
        Class of its options in that module.
    extra : str
        What has to be installed for it beside the studio, "" for nothing.
    printed : bool
        It is drawn: the module has ``print_map`` instead.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    what: Literal["map", "scenario", "both"]
    module: str = ""
    options: str = ""
    extra: str = ""
    printed: bool = False

    def load(self) -> Any:
        """Import the module that writes it."""
        return importlib.import_module(self.module)

    @property
    def options_type(self) -> Any:
        """Class of its options."""
        return getattr(self.load(), self.options)

    @property
    def example(self) -> str:
        """What a file of it is called."""
        return f"NAME{self.suffixes[0]}"


_PRINTED = ("studio.draw.press", "PrintOptions", "", True)
_FORMATS: tuple[Format, ...] = (
    Format("bundle", "bundle for game engines", (".bundle.zip",), "both"),
    Format(
        "vassal", "VASSAL module and saved game", (".vmod", ".vsav"), "both", "studio.exchange.vassal", "VassalOptions"
    ),
    Format(
        "tiled", "Tiled map for game programmers", (".tmj", ".tmx"), "both", "studio.exchange.tiled", "TiledOptions"
    ),
    Format(
        "geodata",
        "layers for geographical information systems",
        (".gpkg", ".geojson", ".parquet"),
        "both",
        "studio.exchange.geodata",
        "GeodataOptions",
        "geoparquet",
    ),
    Format("tables", "tables of hexes, sides and units", (".csv",), "both", "studio.exchange.tables", "TableOptions"),
    Format("pdf", "print to scale, on sheets", (".pdf",), "both", *_PRINTED),
    Format("svg", "drawing to scale, in layers", (".svg",), "both", *_PRINTED),
    Format("png", "picture to scale", (".png",), "both", *_PRINTED),
)


def formats(what: str = "") -> tuple[Format, ...]:
    """Return the formats that the studio writes; with `what`, those for a map or for a scenario.

    Examples
    --------
    >>> [one.id for one in formats()][:2]
    ['bundle', 'vassal']
    """
    return tuple(one for one in _FORMATS if what in ("", one.what) or one.what == "both")


def format_of(path: Path, to: str = "", *, default: str = "") -> Format:
    """Return a format by its name, or by how a file ends.

    Parameters
    ----------
    path : Path
    to : str
        Name of a format; the file's ending says it when empty.
    default : str
        Format of a file without an ending, or of a folder.

    Raises
    ------
    UnknownNameError
        When there is no such format, or no format has such an ending.

    Examples
    --------
    >>> format_of(Path("day.vmod")).id, format_of(Path("day.x"), "bundle").id
    ('vassal', 'bundle')
    """
    if to:
        named = {one.id: one for one in _FORMATS}
        if to not in named:
            msg = f"unknown export format {to!r}; {nearest(to, named)}"
            raise UnknownNameError(msg)
        return named[to]
    ending = [one for one in _FORMATS if path.name.lower().endswith(one.suffixes)]
    if ending:
        return ending[0]
    if default and (path.suffix.lower() in ("", ".zip") or path.is_dir()):
        return format_of(path, default)
    msg = f"{path}: the ending names no format; allowed are {_listed(_FORMATS)}, or say which with `to`"
    raise UnknownNameError(msg)


def _listed(known: Iterable[Format]) -> str:
    return ", ".join(f"{suffix} ({one.id})" for one in known for suffix in one.suffixes)

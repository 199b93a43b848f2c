"""Taking in what others made: bundles, Tiled maps, geodata, tables, pictures, boards of VASSAL modules."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.geography import SPEC_ENDINGS, import_geography
from studio.api.map import Map, new_map, open_map
from studio.api.remaking import make_folder
from studio.api.scenario import Scenario, open_scenario
from studio.draw.arguments import OptionError
from studio.errors import StudioError, nearest, shortened

if TYPE_CHECKING:
    from studio.exchange.content import Taken
    from studio.model import ScenarioModel

__all__ = ["BUNDLE", "PICTURES", "import_file"]

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".gif")
"""Endings of pictures that can lie under a map."""

BUNDLE = ".bundle.zip"
_READERS = {
    ".tmj": "tiled",
    ".tmx": "tiled",
    ".csv": "tables",
    ".gpkg": "geodata",
    ".geojson": "geodata",
    ".parquet": "geodata",
    ".shp": "geodata",
    ".fgb": "geodata",
    ".kml": "geodata",
    ".vmod": "pictures",
}
"""What reads files of each ending; pictures are looked at one by one."""


def import_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    notes: list[str] | None = None,
    **options: Any,
) -> Map | Scenario:
    """Make a map or a scenario of a file that is none of ours.

    Parameters
    ----------
    source : path
        A bundle (``.bundle.zip``), whose map and scenario are written out as documents; a Tiled map (``.tmj``,
        ``.tmx``); geodata (``.gpkg``, ``.geojson``, ``.parquet`` and other vector files); a table (``.csv``); a VASSAL
        module (``.vmod``), whose board becomes a backdrop; or a picture: of colours that are terrain with ``colours``,
        a scan with ``points`` such as ``{"0101": (312, 290), ...}``, else one that a new map gets as its backdrop. A
        specification (``.geography.toml``) goes to :func:`studio.import_geography`, which says more.
    target : path
        The map's file to write; it must not exist yet, save one that was made of geography. A scenario is written
        beside it.
    notes : list of str, optional
        What was decided, and what could not be read, is appended to it, in sentences.
    **options
        How it is read: fields of ``TiledReading``, ``GeodataReading``, ``TableReading``, ``ColourReading`` or
        ``ScanReading`` of :mod:`studio.exchange`; of a new map under a picture ``ruleset``, ``columns``, ``rows`` and
        the rest as for `new_map`. With ``onto="mine.map.json"`` it is laid over a map of the studio. Of a specification
        of geography ``keep`` and ``folder``.

    Returns
    -------
    Map or Scenario

    Raises
    ------
    StudioError
        When the file is of no such kind, or something stands in the way of what is to be written.
    DocumentError
        When it cannot be read; with every reason.
    OptionError
        When an option is unknown, or its value wrong.
    """
    path, goal = Path(source), Path(target)
    if not path.is_file():
        msg = f"{path}: no such file"
        raise StudioError(msg)
    if path.name.lower().endswith(SPEC_ENDINGS):
        return _from_geography(path, goal, notes, options)
    if goal.exists():
        msg = f"{goal}: this file is there already; name another one"
        raise StudioError(msg)
    make_folder(goal)
    if path.name.lower().endswith(BUNDLE):
        return _from_bundle(path, goal)
    ending = path.suffix.lower()
    pictured = {"colours", "points", "vassal", "hexes", "onto"} & options.keys()
    if ending in PICTURES and not pictured:
        made = new_map(**{"title": path.stem, **options})
        made.save(goal)
        try:
            made.set_backdrop(path)
        except StudioError:
            goal.unlink()  # so that the same name can be tried again
            raise
        made.save()
        return made
    if ending not in _READERS and ending not in PICTURES:
        kinds = ", ".join((BUNDLE, *_READERS, *PICTURES, SPEC_ENDINGS[0]))
        msg = f"{path.name}: the studio does not take in such a file; it takes {kinds}"
        raise StudioError(msg)
    taken = _read(path, goal, options)
    if notes is not None:
        notes.extend(taken.notes)
    return _written(taken, goal)


def _read(path: Path, goal: Path, options: dict[str, Any]) -> Taken:
    """Read a file with the reader for its kind."""
    import importlib

    name = _READERS.get(path.suffix.lower(), "pictures")
    module = importlib.import_module(f"studio.exchange.{name}")
    kind = module.ColourReading if "colours" in options else module.Reading
    given = dict(options)
    if isinstance(given.get("onto"), str | os.PathLike):
        given["onto"] = open_map(given["onto"]).model.to_document()
    points = _words(given.get("points"))
    if isinstance(points, dict):  # as `set_backdrop` has them
        given["points"] = [
            {"name": str(number), "at": place, "pixel": pixel}
            for number, (place, pixel) in enumerate(points.items(), 1)
        ]
    fields = kind.__struct_fields__
    for one in given:
        if one not in fields:
            msg = f"import {path.name}: no option {shortened(one)}; {nearest(one, fields)}"
            raise OptionError(msg)
    try:
        plain = {one: value if isinstance(value, msgspec.Struct) else _words(value) for one, value in given.items()}
        chosen = msgspec.convert(plain, kind, strict=False)
    except msgspec.ValidationError as error:
        msg = f"import {path.name}: an option is wrong: {error}"
        raise OptionError(msg) from error
    more = {"beside": goal} if name == "pictures" else {}
    taken: Taken = module.read(path, options=chosen, **more)
    return taken


def _words(value: Any) -> Any:
    """Return an option as it is meant: what looks like JSON on a command line is read as such."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return msgspec.json.decode(value)
        except msgspec.DecodeError:
            return value
    return value


def _written(taken: Taken, goal: Path) -> Map | Scenario:
    """Write what was taken in, and open it."""
    from studio.files import write_map_text
    from studio.model import ScenarioModel

    model = None if taken.scenario is None else ScenarioModel(taken.scenario)
    return _put(goal, write_map_text(taken.document), model)


def _put(goal: Path, text: bytes, scenario: ScenarioModel | None) -> Map | Scenario:
    """Write a map, and a scenario beside it, where nothing lies yet; open what was written.

    Raises
    ------
    StudioError
        When a scenario lies there already.
    """
    from studio.files import write_atomic, write_scenario_text

    beside = goal.with_name(goal.name.removesuffix(".map.json") + ".scenario.json")
    if scenario is not None and beside.exists():
        msg = f"{beside}: this scenario is there already; name the map otherwise, its scenario is named after it"
        raise StudioError(msg)
    write_atomic(goal, text)
    if scenario is None:
        return open_map(goal)
    scenario.document.map = msgspec.structs.replace(scenario.document.map, file=goal.name)
    write_atomic(beside, write_scenario_text(scenario))
    return open_scenario(beside)


def _from_geography(path: Path, goal: Path, notes: list[str] | None, options: dict[str, Any]) -> Map:
    """Make a map of geography; what was found goes into the notes."""
    from studio.exchange.geography.report import finding_line

    known = ("keep", "folder", "progress")
    for one in options:
        if one not in known:
            msg = f"import {path.name}: no option {shortened(one)}; {nearest(one, known)}"
            raise OptionError(msg)
    made = import_geography(path, goal, **options)
    if notes is not None:
        notes.extend([*made.notes, *map(finding_line, made.record.of("finding"))])
    return made.map


def _from_bundle(path: Path, goal: Path) -> Map | Scenario:
    """Write the documents of a bundle, once it is proved sound."""
    from studio.api.bundle import UnsoundBundleError, open_bundle
    from studio.files import load_scenario

    open_bundle(path)
    model = None
    try:
        with zipfile.ZipFile(path) as members:
            text = members.read("map.json")
            scenario = members.read("scenario.json") if "scenario.json" in members.namelist() else b""
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:  # it heeds what readers need not
        msg = f"{path}: cannot be unpacked: {error}"
        raise UnsoundBundleError(msg) from error
    if scenario:
        model = load_scenario(scenario, name=str(path)).model
    return _put(goal, text, model)

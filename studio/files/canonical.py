"""Canonical text of documents: JSON made for git, where the same content gives the same bytes.

The keys stand in the order of the documents' fields. What a designer changes one by one stands on a line of its own: a
row of terrain, a hexside, a feature, a unit of a formation. Fields that hold their defaults are left out, save those
without which a reader who never saw this code could not make sense of the file: the grid and the labels are complete.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec
from msgspec import NODEFAULT

from studio.errors import DocumentError, Fault
from studio.files.faults import FaultList
from studio.grid import HexGrid
from studio.model import Backdrop, MapDocument, MapModel, Name, ScenarioDocument, ScenarioModel

__all__ = ["map_text", "scenario_text", "write_map_text", "write_scenario_text"]

_ENCODE = msgspec.json.Encoder().encode
_Line = Callable[[Any, str], str]


def _inline(value: Any, indent: str = "") -> str:
    """Write a value on one line, with a space after commas and colons."""
    del indent
    return msgspec.json.format(_ENCODE(value), indent=0).decode("utf-8")


def _members(pairs: Iterable[tuple[str, str]], indent: str, marks: str = "{}") -> str:
    """Write texts one a line between two brackets."""
    inner = indent + "  "
    lines = [f"{inner}{key}{text}" for key, text in pairs]
    return f"{marks[0]}\n" + ",\n".join(lines) + f"\n{indent}{marks[1]}" if lines else marks


def _key(name: str) -> str:
    return f"{_inline(name)}: "


def _block(value: Any, indent: str, lines: dict[str, _Line] | None = None) -> str:
    """Write a Struct or a dict with one line a field; fields in `lines` are written by their own function."""
    lines = lines or {}
    fields = value.items() if isinstance(value, dict) else _fields(value)
    inner = indent + "  "
    return _members(((_key(name), lines.get(name, _inline)(part, inner)) for name, part in fields), indent)


def _list(line: _Line = _inline) -> _Line:
    """Return a writer of lists with one item a line."""

    def write(values: Any, indent: str) -> str:
        inner = indent + "  "
        return _members((("", line(value, inner)) for value in values), indent, "[]")

    return write


def _fields(record: msgspec.Struct) -> Iterable[tuple[str, Any]]:
    return ((name, getattr(record, name)) for name in record.__struct_fields__)


def _plain(record: Any, keep: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a record that say more than their defaults; required fields and `keep` always."""
    plain: dict[str, Any] = {}
    config = record.__struct_config__
    if config.tag_field is not None:
        plain[config.tag_field] = config.tag
    for name, required, default in _defaults(record.__class__):
        value = getattr(record, name)
        if required or name in keep or value != default:
            plain[name] = value
    return plain


@cache
def _defaults(kind: type[msgspec.Struct]) -> list[tuple[str, bool, Any]]:
    return [
        (info.name, info.required, info.default if info.default_factory is NODEFAULT else info.default_factory())
        for info in msgspec.structs.fields(kind)
    ]


def _tidy(value: Any) -> Any:
    """Return a value as plain data in which no record, however deep, says what its defaults say."""
    if isinstance(value, msgspec.Struct):
        return {name: _tidy(part) for name, part in _plain(value).items()}
    if isinstance(value, list | tuple):
        return [_tidy(part) for part in value]
    if isinstance(value, dict):
        return {name: _tidy(part) for name, part in value.items()}
    return value


def _floats(record: Any, *names: str) -> Any:
    """Turn numbers into floats without a negative zero, so that 45, 45.0 and what is read back are the same text."""
    changed = {}
    for name in names:
        value = float(getattr(record, name)) + 0.0
        if not math.isfinite(value):
            where = getattr(record, "id", type(record).__name__)
            raise DocumentError("document", [Fault(f"{where}.{name}", f"got {value}, allowed finite numbers")])
        changed[name] = value
    return msgspec.structs.replace(record, **changed)


def _feature(record: Any, indent: str = "") -> str:
    if isinstance(record, Name):
        record = _floats(record, "size", "angle")
    return _inline(_plain(record))


def _grid(grid: HexGrid) -> dict[str, Any]:
    """Return the grid with all its fields; parts, which most maps do not have, only where there are some."""
    return {
        name: value for name, value in _fields(_floats(grid, "hex_width", "hex_height")) if name != "parts" or value
    }


def _backdrop(backdrop: Backdrop) -> dict[str, Any]:
    """Return a backdrop with what says more than its defaults, and its numbers as floats."""
    points = tuple(
        msgspec.structs.replace(point, pixel=tuple(float(number) + 0.0 for number in point.pixel))
        for point in backdrop.points
    )
    return _plain(msgspec.structs.replace(_floats(backdrop, "opacity"), points=points), keep=("sha256", "points"))


def map_text(document: MapDocument) -> bytes:
    """Write a map document as canonical text, without reading it back.

    Parameters
    ----------
    document : MapDocument

    Returns
    -------
    bytes
        UTF-8 with a newline at the end.

    Raises
    ------
    DocumentError
        When a value cannot be written: text that is not Unicode, a number that is not finite or has over 64 bits.
    """
    plain = _plain(document, keep=("format", "version", "title", "labels", "sides", "features"))
    plain["grid"] = _grid(document.grid)
    if document.sheets:
        del plain["labels"]  # each sheet has its own
    if document.backdrop is not None:
        plain["backdrop"] = _backdrop(document.backdrop)
    if document.georeference is not None:
        affine = tuple(float(number) for number in document.georeference.affine)
        plain["georeference"] = msgspec.structs.replace(document.georeference, affine=affine)

    def plane(value: Any, indent: str) -> str:
        return _block(value, indent, {"legend": _block, "rows": _list()})

    record: _Line = lambda value, indent: _inline(_plain(value))  # noqa: E731
    lines: dict[str, _Line] = {
        "grid": lambda value, indent: _block(value, indent, {"parts": _list(record)}),
        "sheets": _list(lambda value, indent: _block(_plain(value, keep=("title", "labels")), indent)),
        "labels": _block,
        "terrain": plane,
        "levels": plane,
        "sides": _list(),
        "features": _list(_feature),
        "sources": _list(record),
        "backdrop": lambda value, indent: _block(value, indent, {"points": _list(record)}),
    }
    return _write(plain, lines)


def scenario_text(document: ScenarioDocument) -> bytes:
    """Write a scenario document as canonical text, without reading it back.

    Raises
    ------
    DocumentError
        When a value cannot be written: text that is not Unicode, a number that is not finite or has over 64 bits.
    """
    keep = ("format", "version", "title", "length", "length_unit", "forces", "objectives")
    rows = _list()
    table: _Line = lambda value, indent: _block(value, indent, {"rows": rows, "lots": rows, "changes": rows})  # noqa: E731
    lines: dict[str, _Line] = {
        "forces": _list(_force),
        "victory": _victory,
        "special": lambda value, indent: _block(value, indent, {"texts": rows}),
        "home": _block,
        "control": _block,
        "pools": _list(table),
        "tables": _list(table),
        "variants": _list(table),
    }
    lines.update(dict.fromkeys(_ONE_A_LINE, rows))
    plain = _plain(document, keep=keep)
    return _write({name: _tidy(value) for name, value in plain.items()}, lines)


def _victory(value: Any, indent: str) -> str:
    if not value or "results" not in value:
        return _inline(value)
    return _block(value, indent, {"results": _list()})


_ONE_A_LINE = (
    "roster",
    "objectives",
    "clauses",
    "events",
    "support",
    "cup",
    "periods",
    "place_notes",
    "rules_introduced",
    "errata",
    "sources",
)
"""Lists of a scenario with one record a line."""


def _force(force: Any, indent: str) -> str:
    return _block(force, indent, {"formations": _list(_formation)})


def _formation(formation: Any, indent: str) -> str:
    return _block(formation, indent, {"units": _list(), "restraints": _list()})


def _write(plain: dict[str, Any], lines: dict[str, _Line]) -> bytes:
    try:
        return (_block(plain, "", lines) + "\n").encode("utf-8")
    except UnicodeEncodeError as error:
        fault = Fault("$", f"text that is not Unicode: {error.object[:60]!r}", "take out the broken character")
        raise DocumentError("document", [fault]) from error
    except (OverflowError, TypeError, RecursionError) as error:
        fault = Fault("$", f"a value that JSON cannot hold: {error}", "give texts, whole numbers and lists only")
        raise DocumentError("document", [fault]) from error


def write_map_text(model: MapModel | MapDocument) -> bytes:
    """Return a map as canonical text that is known to read back.

    Parameters
    ----------
    model : MapModel or MapDocument

    Returns
    -------
    bytes
        UTF-8 with a newline at the end; equal maps give equal bytes.

    Raises
    ------
    DocumentError
        When the text could not be opened again, with every reason; nothing is written blindly.
    """
    from studio.files.decode import MAP, typed
    from studio.files.mapcheck import check_reach

    document = model if isinstance(model, MapDocument) else model.to_document()
    text = map_text(document)
    typed(text, MAP, "map to be saved")
    faults = FaultList()
    check_reach(document, faults)
    if faults:
        raise DocumentError("map to be saved", faults.all())
    return text


def write_scenario_text(model: ScenarioModel | ScenarioDocument) -> bytes:
    """Return a scenario as canonical text that is known to read back.

    Raises
    ------
    DocumentError
        When the text could not be opened again, with every reason.
    """
    from studio.files.decode import SCENARIO, typed

    text = scenario_text(model if isinstance(model, ScenarioDocument) else model.to_document())
    typed(text, SCENARIO, "scenario to be saved")
    return text

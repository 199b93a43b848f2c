"""From bytes to a typed document: size, encoding, JSON, version, structure; every fault with its place and remedy."""

from __future__ import annotations

import codecs
import gc
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from studio.errors import DocumentError, Fault, nearest
from studio.files import migrations
from studio.files.faults import FaultList, line_column, shown
from studio.files.regular import open_regular
from studio.model import MAP_FORMAT, MAP_VERSION, SCENARIO_FORMAT, SCENARIO_VERSION, MapDocument, ScenarioDocument

__all__ = [
    "FULL_LIST_BYTES",
    "MAP",
    "MAX_BYTES",
    "MAX_DEPTH",
    "SCENARIO",
    "Kind",
    "MissingFileError",
    "file_bytes",
    "typed",
]

MAX_BYTES = 64 * 1024 * 1024
"""Largest document that is opened without asking, in bytes; a map of four million hexes needs a quarter of it."""
MAX_DEPTH = 32
"""Deepest nesting of a document; ours need less than ten."""

FULL_LIST_BYTES = 2 * 1024 * 1024
"""Largest document whose structural faults are listed together, in bytes; of a larger one the first is told."""
FULL_LIST_VALUES = 200_000
"""Most values and keys of such a document: each may be a fault, and each fault takes two kilobytes to find."""
BYTES_A_VALUE = 32
"""Bytes of the size limit for each value of a document: small values fill the memory, not large ones."""
_BLOCK = 1024 * 1024

T = TypeVar("T", MapDocument, ScenarioDocument)


@dataclass(frozen=True)
class Kind(Generic[T]):
    """A kind of document.

    Parameters
    ----------
    name : str
        In words.
    format, version : str, int
        What its file says of itself, and the newest version that this code knows.
    type : type
        Its Struct.
    opener : str
        Function that opens it.
    """

    name: str
    format: str
    version: int
    type: type[T]
    opener: str


MAP = Kind("map", MAP_FORMAT, MAP_VERSION, MapDocument, "studio.open_map")
SCENARIO = Kind("scenario", SCENARIO_FORMAT, SCENARIO_VERSION, ScenarioDocument, "studio.open_scenario")
_OPENERS = {MAP.format: MAP.opener, SCENARIO.format: SCENARIO.opener, "wargame-studio/bundle": "studio.open_bundle"}


class MissingFileError(DocumentError, FileNotFoundError):
    """A file that is not there."""


_NOTHING = msgspec.Raw(b"null")


class _Head(msgspec.Struct):
    """What a file says of itself, not yet decoded: it may be anything of any size."""

    format: msgspec.Raw = _NOTHING
    version: msgspec.Raw = _NOTHING


# -- bytes -----------------------------------------------------------------------------------------------------------


def file_bytes(path: str | os.PathLike[str], *, limit: int = MAX_BYTES) -> bytes:
    """Read a file whole.

    Parameters
    ----------
    path : str or path
    limit : int
        Largest size in bytes; it is looked at before anything is read.

    Returns
    -------
    bytes

    Raises
    ------
    MissingFileError
        When it is not there; the message names files with a similar name.
    DocumentError
        When it is no plain file, too large, or may not be read.
    """
    name = os.fspath(path)
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            raise _refused(name, "is a folder, not a file", "name the file in it, such as NAME.map.json")
        if not stat.S_ISREG(found.st_mode):
            raise _refused(name, "is not a plain file (a device or a pipe)", "name a plain file")
        if found.st_size > limit:
            raise _refused(name, f"has {found.st_size} bytes, allowed {limit}", _TOO_LARGE)
        with open(open_regular(path), "rb") as file:
            data = file.read(limit + 1)
    except DocumentError:
        raise
    except FileNotFoundError as error:
        raise MissingFileError(name, [Fault("$", "there is no such file", _similar(Path(path)))]) from error
    except NotADirectoryError as error:
        raise _refused(name, "a part of the path is a file, not a folder", "check the path") from error
    except PermissionError as error:
        raise _refused(name, "may not be read", "ask for the right to read it, or copy it") from error
    except (OSError, ValueError) as error:
        raise _refused(name, f"cannot be read: {error}", "check the path and the disk") from error
    if len(data) > limit:
        raise _refused(name, f"has over {limit} bytes", _TOO_LARGE)
    return data


_TOO_LARGE = "split the map, or raise `limit` when you trust the file"


def _refused(name: str, message: str, remedy: str) -> DocumentError:
    return DocumentError(name, [Fault("$", message, remedy)])


def _similar(path: Path) -> str:
    try:
        # Journals are the studio's own, and begin with a dot.
        names = [entry.name for entry in path.parent.iterdir() if not entry.name.startswith(".") and entry.is_file()][
            :1000
        ]
    except OSError:
        return f"there is no folder {str(path.parent)!r} either; check the path"
    hint = nearest(path.name, names)
    return hint if hint.startswith("did") else "check the path"


# -- text ------------------------------------------------------------------------------------------------------------

_MARKS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\xef\xbb\xbf", "a UTF-8 byte order mark"))
_SPECIAL = re.compile(rb"[-+]?(NaN|Infinity|inf|nan)")


def _check_text(data: bytes, name: str) -> None:
    if not data[:1].strip() and not data.strip():
        raise _refused(
            name, "the file is empty", "take it from git or a backup; look for unsaved work (studio.unsaved)"
        )
    for mark, what in _MARKS:
        if data.startswith(mark):
            raise _refused(name, f"begins with {what}, allowed UTF-8 without a mark", "save it as plain UTF-8")
    try:
        if not _is_utf8(data):
            data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end == len(data) and error.reason == "unexpected end of data":
            raise _cut_off(data, name, error.start) from error
        line, column = line_column(data, error.start)
        message = f"not UTF-8 at byte {error.start} (line {line}, byte {column} of it): got 0x{data[error.start]:02x}"
        raise _refused(name, message, "save it as UTF-8, or take it from git or a backup") from error


def _is_utf8(data: bytes) -> bool:
    """Decode piece by piece: one rare character in a text makes four bytes of each of its characters."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _cut_off(data: bytes, name: str, offset: int) -> DocumentError:
    line, column = line_column(data, offset)
    message = f"the file seems cut off: it ends at line {line}, column {column} (byte {offset}), within the document"
    return _refused(name, message, "take it from git, a backup or its journal")


def _malformed(data: bytes, name: str, error: Exception) -> DocumentError:
    """Say what is wrong with text that is not JSON."""
    conflict = re.search(rb"^(<<<<<<<|>>>>>>>|=======)", data, re.MULTILINE)
    if conflict:
        line, _ = line_column(data, conflict.start())
        return _refused(
            name, f"line {line} holds the marks of an unfinished git merge", "finish the merge, then open it"
        )
    message = str(error)
    found = re.search(r"byte (\d+)", message)
    offset = int(found[1]) if found else len(data)
    line, column = line_column(data, offset)
    place = f"line {line}, column {column} (byte {offset})"
    if "trailing" not in message and ("truncated" in message or offset >= len(data.rstrip())):
        return _cut_off(data, name, offset)
    special = _SPECIAL.match(data, max(0, offset - 1)) or _SPECIAL.match(data, offset)
    if special:
        got = special[0].decode("ascii")
        return _refused(name, f"{place}: got {got}, allowed finite numbers only", "write a number, or take the key out")
    got = data[offset : offset + 40].split(b"\n")[0].decode("utf-8", "replace")
    why = message.rpartition(": ")[2].partition(" (byte")[0]
    return _refused(name, f"not JSON at {place}: {why}, before {got!r}", "check commas, quotes and brackets there")


_TOO_DEEP = f"nested deeper than {MAX_DEPTH}"


def _nesting(name: str) -> DocumentError:
    return _refused(
        name, f"{_TOO_DEEP}: no map or scenario is like that", "this is another kind of file, or a broken one"
    )


def _depth_within(value: Any, most: int) -> bool:
    level = [value]
    for _ in range(most):
        level = [
            part
            for item in level
            for part in (item.values() if isinstance(item, dict) else item)
            if isinstance(part, dict | list)
        ]
        if not level:
            return True
    return False


# -- documents -------------------------------------------------------------------------------------------------------


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Keep the cyclic garbage collector from walking over half-made documents; it triples the time to open one."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _version(head: _Head, kind: Kind[Any], name: str) -> int:
    """Check what the file says of itself; return its version."""
    faults = FaultList()
    found, version = _said(head.format), _said(head.version)
    if found != kind.format:
        other = _OPENERS.get(found) if isinstance(found, str) else None
        remedy = f"open it with {other}" if other else "check that this is the right file"
        got = "no format" if found is None else shown(found)
        faults.add("$.format", f"got {got}, allowed {kind.format!r}", remedy)
    if isinstance(version, bool) or not isinstance(version, int):
        got = "no version" if version is None else shown(version)
        faults.add("$.version", f"got {got}, allowed a whole number up to {kind.version}", f"write {kind.version}")
    elif version > kind.version and found == kind.format:
        message = f"version {shown(version)} was made by a newer studio; this one knows up to {kind.version}"
        faults.add("$.version", message, "update: pip install --upgrade wargame-studio")
    elif version < migrations.oldest(kind.format, kind.version):
        lowest = migrations.oldest(kind.format, kind.version)
        message = f"got {shown(version)}, allowed {lowest} to {kind.version}"
        faults.add("$.version", message, "no studio wrote such a version; check the file")
    if faults:
        raise DocumentError(name, faults.all())
    return int(version)


def _said(raw: msgspec.Raw) -> Any:
    """Return what a file says of itself, as text when it is too long to be true."""
    text = bytes(raw)
    if len(text) > 1000:
        return text[:1000].decode("utf-8", "replace")
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text.decode("utf-8", "replace")


def _check_count(data: bytes, name: str, limit: int) -> bool:
    """Refuse what would take many times its size in memory, before anything is made of it.

    Returns
    -------
    bool
        True when the document is small enough for a list of all its faults.
    """
    most = max(limit, MAX_BYTES) // BYTES_A_VALUE
    count = 0
    if len(data) > FULL_LIST_VALUES:
        # Those within texts are counted too; what people write between quotes does not change the order of magnitude.
        count = sum(data.count(mark) for mark in (b",", b"[", b"{", b":"))
        if count > most:
            remedy = f"split the map, or raise `limit` to {count * BYTES_A_VALUE} when you trust the file"
            raise _refused(name, f"holds {count} values and keys, allowed {most}", remedy)
    return len(data) <= FULL_LIST_BYTES and count <= FULL_LIST_VALUES


def typed(data: bytes, kind: Kind[T], name: str, *, limit: int = MAX_BYTES) -> tuple[T, int]:
    """Turn the bytes of a file into its typed document.

    Parameters
    ----------
    data : bytes
    kind : Kind
        What it should be.
    name : str
        The file, as errors call it.
    limit : int
        Largest size in bytes that was allowed; the number of values goes by it.

    Returns
    -------
    document : MapDocument or ScenarioDocument
    version : int
        The version that the file has; older ones were brought to today's.

    Raises
    ------
    DocumentError
        With every structural fault; with the first one when the file is large (:data:`FULL_LIST_BYTES`).
    """
    _check_text(data, name)
    with quiet_collector():
        try:
            head = msgspec.json.decode(data, type=_Head)
        except msgspec.ValidationError as error:
            got = data.lstrip()[:1].decode("utf-8", "replace")
            raise _refused(
                name, f"got a file that begins with {got!r}, allowed one JSON object", "check the file"
            ) from error
        except msgspec.DecodeError as error:
            raise _malformed(data, name, error) from error
        except RecursionError as error:
            raise _nesting(name) from error
        version = _version(head, kind, name)
        full = _check_count(data, name, limit)
        _check_keys(data, name)
        if version == kind.version:
            try:
                return msgspec.json.decode(data, type=kind.type), version
            except msgspec.ValidationError as error:
                if not full:
                    raise _first_only(name, str(error)) from error
                raise _structural(_plain(data, name), kind, name, str(error)) from error
            except RecursionError as error:
                raise _nesting(name) from error
        return _migrated(_plain(data, name), kind, name, version, full=full), version


def _check_keys(data: bytes, name: str) -> None:
    """Refuse an object with the same key twice: one of the two values would vanish without a word."""
    faults = FaultList()

    def note(pairs: list[tuple[str, Any]]) -> None:
        if not faults.stopped and len(dict(pairs)) < len(pairs):
            for key, count in Counter(key for key, _ in pairs).items():
                if count > 1 and not faults.stop():
                    message = f"an object holds the key {shown(key).removeprefix('text ')} {_times(count)}"
                    faults.add("$", message, "keep one of them")

    try:
        # The values do not matter here, and long numbers take long to make.
        json.loads(data, object_pairs_hook=note, parse_float=bool, parse_int=bool)
    except RecursionError as error:
        raise _nesting(name) from error
    except ValueError as error:
        raise _refused(name, f"not JSON: {error}", "check the place named") from error
    if faults:
        raise DocumentError(name, faults.all())


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _plain(data: bytes, name: str) -> Any:
    try:
        plain = msgspec.json.decode(data)
    except RecursionError as error:
        raise _nesting(name) from error
    except msgspec.DecodeError as error:
        raise _refused(name, f"{error}: a number beyond every limit", "write a smaller number") from error
    if not _depth_within(plain, MAX_DEPTH):
        raise _nesting(name)
    return plain


def _migrated(plain: Any, kind: Kind[T], name: str, version: int, *, full: bool) -> T:
    try:
        plain = migrations.migrate(plain, kind.format, version, kind.version)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        message = f"version {version} cannot be brought to {kind.version}: {type(error).__name__}: {error}"
        raise _refused(name, message, "open it with the studio that wrote it and check it there") from error
    try:
        return msgspec.convert(plain, kind.type)
    except msgspec.ValidationError as error:
        if not full:
            raise _first_only(name, str(error)) from error
        raise _structural(plain, kind, name, str(error)) from error


def _first_only(name: str, first: str) -> DocumentError:
    """Say what the typed decoder said of a large file."""
    found = _PLACED.fullmatch(first[-_LONG:])
    message, path = (found[1], found[2]) if found else (first, "$")
    faults = [
        Fault(path, message if len(message) <= _LONG else f"{message[:_LONG]}…", "see the JSON Schema"),
        Fault(
            "$",
            "further faults of a file as large as this are listed once this one is mended",
            "mend it and open the file again",
        ),
    ]
    return DocumentError(name, faults)


_LONG = 500
_PLACED = re.compile(r"(.*) - at `([^`]*)`", re.DOTALL)


def _structural(plain: Any, kind: Kind[Any], name: str, first: str) -> DocumentError:
    from studio.files.structure import structural_faults

    return DocumentError(name, structural_faults(plain, kind.type, first))

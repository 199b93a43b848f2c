"""Reading files of other programs without trusting them, and writing several files so that old ones stay whole."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import msgspec

from studio.errors import DocumentError, Fault, UnsupportedError
from studio.files import check_target, write_atomic
from studio.files.decode import file_bytes

__all__ = [
    "MAX_SOURCE",
    "beside",
    "inflate",
    "need_library",
    "parse_json",
    "parse_xml",
    "plain_json",
    "refused",
    "source_bytes",
    "source_text",
    "write_files",
    "written_by",
]

MAX_SOURCE = 128 * 1024 * 1024
"""Largest file of another program that is read, in bytes."""
MAX_DEPTH, MAX_ELEMENTS = 60, 2_000_000
"""Deepest nesting, and most elements, of an XML or JSON file that is read."""
_CHUNK = 1024 * 1024


def refused(name: str | os.PathLike[str], message: str, remedy: str, *, path: str = "$", at: str = "") -> DocumentError:
    """Return the error for a file that is not read, with one fault."""
    return DocumentError(os.fspath(name), [Fault(path, message, remedy, at)])


def source_bytes(path: str | os.PathLike[str], *, limit: int = MAX_SOURCE) -> bytes:
    """Read a file of another program whole.

    Raises
    ------
    DocumentError
        When it is not there, no plain file, or too large.
    """
    return file_bytes(path, limit=limit)


def source_text(path: str | os.PathLike[str], *, limit: int = MAX_SOURCE) -> str:
    """Read a text file: UTF-8 with or without a mark, UTF-16 with one, else Windows-1252 as old spreadsheets write it.

    Raises
    ------
    DocumentError
        When it is not there, no plain file, too large, or no text.
    """
    data = source_bytes(path, limit=limit)
    codec = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        if codec == "utf-16":
            raise refused(path, f"no UTF-16 text at byte {error.start}", "save it as UTF-8") from error
        text = data.decode("cp1252", "replace")
    if "\0" in text:
        raise refused(path, "holds zero bytes: this is no text", "name a text file")
    return text


# -- structures ------------------------------------------------------------------------------------------------------


def parse_json(data: bytes, name: str | os.PathLike[str]) -> Any:
    """Decode JSON that others wrote.

    Raises
    ------
    DocumentError
        When it is no JSON, or nested deeper than any file of this kind.
    """
    try:
        plain = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as error:
        raise refused(name, "is nested too deep", "this is another kind of file") from error
    except msgspec.DecodeError as error:
        raise refused(name, f"not JSON: {error}", "check that the file is whole") from error
    level = [plain] if isinstance(plain, dict | list) else []
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return plain
        level = [
            part
            for item in level
            for part in (item.values() if isinstance(item, dict) else item)
            if isinstance(part, dict | list)
        ]
    raise refused(name, f"is nested deeper than {MAX_DEPTH}", "this is another kind of file")


def parse_xml(data: bytes, name: str | os.PathLike[str]) -> Element:
    """Parse XML that others wrote; document types and entities are refused, since they can fill the memory.

    Raises
    ------
    DocumentError
        When it is no XML, has a document type, or is larger or deeper than any file of this kind.
    """
    builder, depth, count = TreeBuilder(), 0, 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > MAX_DEPTH or count > MAX_ELEMENTS:
            limits = f"{MAX_DEPTH} levels and {MAX_ELEMENTS} elements"
            raise refused(name, f"holds more than {limits}", "this is another kind of file")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def no_doctype(*_: Any) -> None:
        raise refused(name, "declares a document type, which may hide entities", "take the DOCTYPE line out")

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = no_doctype
    parser.EntityDeclHandler = no_doctype
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as error:
        raise refused(name, f"not XML: {error}", "check that the file is whole") from error


def inflate(data: bytes, kind: str, limit: int, name: str | os.PathLike[str]) -> bytes:
    """Unpack what is packed by zlib, gzip or zstd, up to a limit.

    Raises
    ------
    DocumentError
        When it does not unpack, or to more than the limit.
    UnsupportedError
        When the library for zstd is not installed.
    """
    if kind == "zstd":
        unpacked = _zstd(data, limit)
    else:
        worker = zlib.decompressobj(wbits=47)  # the header tells zlib from gzip
        try:
            unpacked = worker.decompress(data, limit + 1)
        except zlib.error as error:
            raise refused(name, f"does not unpack by {kind}: {error}", "check that the file is whole") from error
        if not worker.eof and len(unpacked) <= limit:
            raise refused(name, f"ends within what is packed by {kind}", "check that the file is whole")
    if len(unpacked) > limit:
        raise refused(name, f"unpacks to more than the {limit} bytes that belong there", "the file is broken")
    return unpacked


def _zstd(data: bytes, limit: int) -> bytes:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        zstandard = need_library("zstandard", "layers packed by zstd", "pip install zstandard, or choose zlib")
        found: bytes = zstandard.ZstdDecompressor().decompressobj().decompress(data)[: limit + 1]
        return found
    worker = zstd.ZstdDecompressor()
    return bytes(worker.decompress(data, limit + 1))


def need_library(module: str, what: str, remedy: str) -> Any:
    """Import a library that not everybody has.

    Raises
    ------
    UnsupportedError
        When it is not installed, with the remedy.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        msg = f"{what} need the library {module}, which is not installed: {remedy}"
        raise UnsupportedError(msg) from error


# -- paths -----------------------------------------------------------------------------------------------------------


def beside(source: Path, name: str) -> Path:
    """Return the file that another one names, only where it lies in the same folder or below.

    Raises
    ------
    DocumentError
        When the name leads out of the folder.
    """
    plain = name.replace("\\", "/")
    parts = PurePosixPath(plain)
    folder = source.parent.resolve()
    drive = len(plain) > 1 and plain[1] == ":"
    if not plain or "\0" in plain or parts.is_absolute() or drive or ".." in parts.parts:
        message = f"names the file {name[:80]!r}, which leads out of its folder"
        raise refused(source, message, "put the file beside it and name it without a path")
    found = (folder / parts).resolve()
    if not found.is_relative_to(folder):
        message = f"names the file {name[:80]!r}, a link that leads out of its folder"
        raise refused(source, message, "put the file itself there")
    return found


def write_files(target: Path, parts: Mapping[str, bytes]) -> tuple[Path, ...]:
    """Write a file and what belongs beside it; the one that names the others is written last.

    Parameters
    ----------
    target : Path
        The main file.
    parts : mapping of str to bytes
        Content by file name; that of the target's own name goes last.

    Returns
    -------
    tuple of Path
        The target first.

    Raises
    ------
    SaveError
        When one of them cannot be written; where that is known before, none is.
    """
    for name in parts:
        check_target(target.with_name(name))
    order = sorted(parts, key=lambda name: name == target.name)
    for name in order:
        write_atomic(target.with_name(name), parts[name])
    return (target, *(target.with_name(name) for name in order if name != target.name))


def plain_json(value: Any) -> str:
    """Write JSON that is the same for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def written_by(target: Path, make: Callable[[Path], None]) -> None:
    """Let a library write a file beside its place, and move it there when it is whole.

    Parameters
    ----------
    target : Path
    make : callable
        Writes the file that it is given the path of, which has the suffix of the target.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="studio-") as folder:
        made = Path(folder) / f"made{target.suffix.lower()}"  # any name that the target has, libraries may stumble over
        make(made)
        write_atomic(target, made.read_bytes())

#!/usr/bin/env python3
"""Reader of bundles: one file, the standard library only. Copy it into an engine; the format is in bundle-format.md.

    bundle = read_bundle("desert.bundle.zip")
    bundle.locations[0]["label"], bundle.sight("A1", "C5")

A bundle may come from anywhere. Everything is measured before it is read, nothing is unpacked to the disk, and what is
not exactly a bundle is refused with a BundleError that says why. ``python reader.py FILE`` prints a summary.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterable
from typing import Any, BinaryIO

__all__ = ["FORMAT", "VERSION", "Bundle", "BundleError", "read_bundle"]

FORMAT, VERSION = "wargame-studio/bundle", 1

REQUIRED = ("map.json", "ruleset.json", "locations.json", "sides.json")
OPTIONAL = ("scenario.json", "sight.bin", "preview.png")
MIB = 1024 * 1024
LIMITS = {"map.json": 64 * MIB, "scenario.json": 16 * MIB, "ruleset.json": 4 * MIB, "preview.png": 64 * MIB}
MAX_FILE = 256 * MIB
"""Largest bundle, and largest sum of its members, in bytes."""
MAX_MEMBER = 128 * MIB
MAX_MANIFEST = MIB
MAX_MEMBERS = 32
"""Most entries of the archive; more than can be right, so that a wrong one is named."""
MAX_ITEMS = 8_000_000
"""Most commas and opening brackets of one JSON member: what keeps the memory in proportion."""
MAX_DEPTH = 32
RATIO, RATIO_FROM = 200, 8 * MIB
"""A member above this size that is packed tighter than this is a bomb."""

SIGHT_MAGIC = b"WGSIGHT1"
STATUSES = ("clear", "hindered", "blocked", "none")
_END = struct.Struct("<4s4H2LH")


class BundleError(ValueError):
    """A file that is not a sound bundle; the message says what is wrong and where."""


class Bundle:
    """A bundle that was read and found sound.

    Attributes
    ----------
    manifest : dict
        ``bundle.json``: format, version, ruleset, title, sources, members.
    map, ruleset : dict
        The map document, and the tables and options of the game in force.
    scenario : dict or None
        The scenario document.
    locations, sides : list of dict
        What the drawing means: every place a unit can be, and every side with something on it.
    preview : bytes or None
        A picture of the map, PNG.
    """

    def __init__(self, manifest: dict[str, Any], parts: dict[str, Any]) -> None:
        self.manifest = manifest
        self.map: dict[str, Any] = parts["map.json"]
        self.scenario: dict[str, Any] | None = parts.get("scenario.json")
        self.ruleset: dict[str, Any] = parts["ruleset.json"]
        self.locations: list[dict[str, Any]] = parts["locations.json"]
        self.sides: list[dict[str, Any]] = parts["sides.json"]
        self.preview: bytes | None = parts.get("preview.png")
        self._table: bytes | None = parts.get("sight.bin")
        self._index = {location["label"]: number for number, location in enumerate(self.locations)}

    @property
    def title(self) -> str:
        """Title of the scenario, or of the map where there is none."""
        return str(self.manifest["title"])

    @property
    def has_sight(self) -> bool:
        """True when the bundle holds the table of all sight lines."""
        return self._table is not None

    def location(self, label: str) -> dict[str, Any]:
        """Return one location.

        Raises
        ------
        KeyError
            When the map has none of that label.
        """
        if label not in self._index:
            msg = f"no location {label!r}; the bundle has {len(self.locations)}, such as {self.locations[0]['label']!r}"
            raise KeyError(msg)
        return self.locations[self._index[label]]

    def sight(self, a: str, b: str) -> str:
        """Return the verdict of the sight line from one location to another.

        Returns
        -------
        {"clear", "hindered", "blocked", "none"}

        Raises
        ------
        KeyError
            When the map has no such location.
        BundleError
            When the bundle holds no sight table.
        """
        if self._table is None:
            msg = "the bundle holds no sight table (sight.bin): the map was too large, or the game has no sight"
            raise BundleError(msg)
        self.location(a), self.location(b)
        pair = self._index[a] * len(self.locations) + self._index[b]
        return STATUSES[self._table[12 + (pair >> 2)] >> 2 * (pair & 3) & 3]

    def __repr__(self) -> str:
        return f"Bundle({self.title!r}, {len(self.locations)} locations, {len(self.sides)} sides)"


def read_bundle(source: str | os.PathLike[str] | BinaryIO) -> Bundle:
    """Read a bundle and verify all of it.

    Parameters
    ----------
    source : str, path or binary file
        A file must be seekable.

    Returns
    -------
    Bundle

    Raises
    ------
    BundleError
        When it is not a sound bundle.
    """
    if not isinstance(source, str | os.PathLike):
        return _read(source)
    name = os.fspath(source)
    try:
        with _opened(name) as file:
            return _read(file)
    except BundleError as error:
        raise BundleError(f"{_printable(name)}: {error}") from error
    except OSError as error:
        raise BundleError(f"{_printable(name)}: cannot be read: {error.strerror or error}") from error


def _printable(name: str) -> str:
    return name if name.isprintable() else repr(name)


def _opened(name: str) -> BinaryIO:
    """Open a regular file; a pipe is not waited for, and a device not read."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    if os.path.isdir(name):
        msg = "is a folder"
        raise BundleError(msg)
    try:
        descriptor = os.open(name, flags)
    except FileNotFoundError as error:
        msg = "there is no such file"
        raise BundleError(msg) from error
    except ValueError as error:
        msg = f"is no regular file: no file can have such a name ({error})"
        raise BundleError(msg) from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    msg = "is no regular file (a pipe, a socket or a device)"
    raise BundleError(msg)


def _read(file: BinaryIO) -> Bundle:
    try:
        _check_frame(file)
        with zipfile.ZipFile(file) as archive:
            infos = _check_members(archive)
            manifest = _manifest(_member(archive, infos["bundle.json"], MAX_MANIFEST))
            parts: dict[str, Any] = {}
            for entry in _entries(manifest, infos):
                name = entry["name"]
                data = _member(archive, infos[name], LIMITS.get(name, MAX_MEMBER))
                _check_content(name, data, entry)
                parts[name] = _json(name, data) if name.endswith(".json") else data
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, RuntimeError) as error:
        msg = f"the archive is damaged: {error}"
        raise BundleError(msg) from error
    except (OSError, OverflowError, UnicodeError) as error:
        msg = f"the archive cannot be read: {error}"
        raise BundleError(msg) from error
    _check_meaning(manifest, parts)
    return Bundle(manifest, parts)


# -- the archive -----------------------------------------------------------------------------------------------------


def _check_frame(file: BinaryIO) -> None:
    """Look at the last bytes of the archive before a library believes them."""
    size = file.seek(0, os.SEEK_END)
    if size > MAX_FILE:
        msg = f"the file has {size} bytes, allowed {MAX_FILE}"
        raise BundleError(msg)
    if size < _END.size:
        msg = f"not a bundle: the file has {size} bytes only"
        raise BundleError(msg)
    file.seek(size - _END.size)
    mark, disk, first_disk, here, total, length, offset, comment = _END.unpack(file.read(_END.size))
    if mark != b"PK\5\6" or comment:
        msg = "not a bundle, or cut off: no end of a ZIP archive in the last 22 bytes"
        raise BundleError(msg)
    if disk or first_disk or here != total:
        msg = "the archive is split over several files"
        raise BundleError(msg)
    if total > MAX_MEMBERS or length > 64 * 1024:
        msg = f"the archive has {total} members in a directory of {length} bytes, allowed {MAX_MEMBERS} in 65536"
        raise BundleError(msg)
    if offset + length + _END.size != size:
        msg = "the archive has data before, between or after its parts"
        raise BundleError(msg)


def _check_members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Check every member by its directory entry; nothing has been unpacked yet."""
    known = {"bundle.json", *REQUIRED, *OPTIONAL}
    found: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.orig_filename
        if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name or "\0" in name:
            msg = f"member {name!r}: the name leads out of the bundle"
            raise BundleError(msg)
        if name in found:
            msg = f"member {name!r} is there twice"
            raise BundleError(msg)
        kind = info.external_attr >> 16 & 0o170000
        if info.is_dir() or kind not in (0, 0o100000):
            msg = f"member {name!r} is a link, a folder or a device, allowed plain files"
            raise BundleError(msg)
        if name not in known:
            msg = f"member {name!r} does not belong into a bundle; allowed: {', '.join(sorted(known))}"
            raise BundleError(msg)
        if info.flag_bits & 1:
            msg = f"member {name!r} is encrypted"
            raise BundleError(msg)
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            msg = f"member {name!r} is packed with method {info.compress_type}, allowed 0 (stored) and 8 (deflated)"
            raise BundleError(msg)
        found[name] = info
    for name in ("bundle.json", *REQUIRED):
        if name not in found:
            msg = f"member {name!r} is missing"
            raise BundleError(msg)
    _check_sizes(found.values(), archive.start_dir)
    return found


def _check_sizes(infos: Iterable[zipfile.ZipInfo], directory: int) -> None:
    total, ordered = 0, sorted(infos, key=lambda info: info.header_offset)
    for info, end in zip(ordered, [*(info.header_offset for info in ordered[1:]), directory], strict=True):
        total += info.file_size
        limit = MAX_MANIFEST if info.filename == "bundle.json" else LIMITS.get(info.filename, MAX_MEMBER)
        if info.file_size > limit or total > MAX_FILE:
            msg = f"member {info.filename!r} has {info.file_size} bytes, allowed {limit}, and {MAX_FILE} for all"
            raise BundleError(msg)
        packed = info.file_size if info.compress_type == zipfile.ZIP_STORED else info.compress_size
        if info.file_size > RATIO_FROM and info.file_size > RATIO * packed:
            msg = f"member {info.filename!r} unpacks to over {RATIO} times its size"
            raise BundleError(msg)
        if info.header_offset + 30 + info.compress_size > end:
            msg = f"member {info.filename!r} overlaps another part of the archive"
            raise BundleError(msg)


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    """Unpack one member, never more of it than it declares."""
    with archive.open(info) as file:
        data = file.read(min(limit, info.file_size) + 1)
    if len(data) != info.file_size:
        msg = f"member {info.filename!r} has {len(data)} bytes, the directory says {info.file_size}"
        raise BundleError(msg)
    return data


# -- JSON ------------------------------------------------------------------------------------------------------------


def _json(name: str, data: bytes) -> Any:
    """Read JSON strictly: no key twice, no NaN, no number too large, no endless nesting, sound Unicode."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            seen: set[str] = set()
            double = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            msg = f"{name}: the key {double!r} is there twice in one object"
            raise BundleError(msg)
        return made

    def refuse(text: str) -> Any:
        msg = f"{name}: {text} is no number of JSON"
        raise BundleError(msg)

    def finite(text: str) -> float:
        value = float(text)
        if value in (float("inf"), float("-inf")):
            msg = f"{name}: the number {text[:40]} is too large"
            raise BundleError(msg)
        return value

    if data.count(b",") + data.count(b"[") + data.count(b"{") > MAX_ITEMS:
        msg = f"{name}: holds over {MAX_ITEMS} values"
        raise BundleError(msg)
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=once, parse_constant=refuse, parse_float=finite)
        if re.search(rb"\\u[dD][89a-fA-F]", data):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except BundleError:
        raise
    except UnicodeError as error:
        msg = f"{name}: not sound UTF-8: {error}"
        raise BundleError(msg) from error
    except RecursionError as error:
        msg = f"{name}: nested deeper than {MAX_DEPTH}"
        raise BundleError(msg) from error
    except ValueError as error:
        msg = f"{name}: not JSON: {error}"
        raise BundleError(msg) from error
    _check_depth(name, value)
    return value


def _check_depth(name: str, value: Any) -> None:
    level = [value] if type(value) in (dict, list) else []
    for _ in range(MAX_DEPTH):
        nested: list[Any] = []
        for item in level:
            nested += [
                part for part in (item.values() if isinstance(item, dict) else item) if type(part) in (dict, list)
            ]
        if not nested:
            return
        level = nested
    msg = f"{name}: nested deeper than {MAX_DEPTH}"
    raise BundleError(msg)


# -- the manifest ----------------------------------------------------------------------------------------------------


def _expect(condition: bool, message: str) -> None:
    if not condition:
        raise BundleError(message)


def _manifest(data: bytes) -> dict[str, Any]:
    manifest: dict[str, Any] = _json("bundle.json", data)
    _expect(isinstance(manifest, dict), "bundle.json: got no object")
    found = manifest.get("format")
    _expect(found == FORMAT, f"bundle.json: got the format {found!r}, allowed {FORMAT!r}")
    version: Any = manifest.get("version")
    _expect(type(version) is int and version >= 1, f"bundle.json: got the version {version!r}, allowed 1 to {VERSION}")
    if version > VERSION:
        msg = (
            f"bundle.json: version {version} is newer than this reader, which knows up to {VERSION}: get a newer reader"
        )
        raise BundleError(msg)
    for key in ("title", "ruleset"):
        _expect(isinstance(manifest.get(key), str), f"bundle.json: {key} is no text")
    sources = manifest.get("sources")
    _expect(
        isinstance(sources, list) and all(isinstance(source, dict) for source in sources),
        "bundle.json: sources is no list of objects",
    )
    return manifest


def _entries(manifest: dict[str, Any], infos: dict[str, zipfile.ZipInfo]) -> list[dict[str, Any]]:
    entries = manifest.get("members")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        msg = "bundle.json: members is no list of objects"
        raise BundleError(msg)
    names = [entry.get("name") for entry in entries]
    for name in infos:
        _expect(name == "bundle.json" or name in names, f"member {name!r} is not listed in bundle.json")
    for entry in entries:
        name, size, digest = entry.get("name"), entry.get("size"), entry.get("sha256")
        _expect(isinstance(name, str) and name != "bundle.json", f"bundle.json: {name!r} cannot be listed as a member")
        _expect(name in infos, f"bundle.json lists {name!r}, which is missing")
        _expect(names.count(name) == 1, f"bundle.json lists {name!r} twice")
        sound = type(size) is int and isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest)
        _expect(bool(sound), f"bundle.json: {name!r} needs a size and a sha256 of 64 hexadecimal digits")
    return entries


def _check_content(name: str, data: bytes, entry: dict[str, Any]) -> None:
    if len(data) != entry["size"]:
        msg = f"member {name!r} has {len(data)} bytes, bundle.json says {entry['size']}"
        raise BundleError(msg)
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        msg = f"member {name!r} is not what bundle.json says: its sha256 differs, so it was changed or damaged"
        raise BundleError(msg)
    if name == "preview.png":
        _expect(data.startswith(b"\x89PNG\r\n\x1a\n"), "preview.png: not a PNG picture")


# -- what the members say --------------------------------------------------------------------------------------------


def _check_meaning(manifest: dict[str, Any], parts: dict[str, Any]) -> None:
    for name, kind in (("map.json", "wargame-studio/map"), ("scenario.json", "wargame-studio/scenario")):
        if name in parts:
            part = parts[name]
            _expect(isinstance(part, dict) and part.get("format") == kind, f"{name}: got no {kind!r}")
            game = part.get("ruleset")
            _expect(game == manifest["ruleset"], f"{name}: is for {game!r}, bundle.json says {manifest['ruleset']!r}")
    ruleset = parts["ruleset.json"]
    _expect(isinstance(ruleset, dict), "ruleset.json: got no object")
    _expect(
        ruleset.get("id") == manifest["ruleset"], f"ruleset.json: got {ruleset.get('id')!r}, not that of bundle.json"
    )
    labels = _check_locations(parts["locations.json"])
    _check_sides(parts["sides.json"], labels)
    if "sight.bin" in parts:
        _check_sight(parts["sight.bin"], len(labels))


def _check_locations(locations: Any) -> set[str]:
    _expect(isinstance(locations, list) and bool(locations), "locations.json: got no list of locations")
    labels: set[str] = set()
    for number, location in enumerate(locations):
        label = location.get("label") if isinstance(location, dict) else None
        if not isinstance(label, str) or label in labels:
            what = "has no label" if not isinstance(label, str) else f"has the label {label!r} of another one"
            msg = f"locations.json: location {number} {what}"
            raise BundleError(msg)
        for key in ("sheet", "layer"):  # of maps of several sheets only
            _expect(isinstance(location.get(key, ""), str), f"locations.json: {label!r}: {key} is no text")
        labels.add(label)
    around: dict[str, set[str]] = {}
    for location in locations:
        neighbours = location.get("neighbours")
        if not isinstance(neighbours, list) or not all(isinstance(name, str) and name in labels for name in neighbours):
            msg = f"locations.json: {location['label']!r} has neighbours that are no locations"
            raise BundleError(msg)
        around[location["label"]] = set(neighbours)
    for label, names in around.items():
        for name in names:
            if label not in around[name]:
                msg = f"locations.json: {label!r} is next to {name!r}, but not the other way round"
                raise BundleError(msg)
    return labels


def _check_sides(sides: Any, labels: set[str]) -> None:
    _expect(isinstance(sides, list), "sides.json: got no list")
    for number, side in enumerate(sides):
        a, b = (side.get("a"), side.get("b")) if isinstance(side, dict) else (None, None)
        # The outline of an area may have no location on its other side: then b is empty.
        if not (isinstance(a, str) and a in labels and isinstance(b, str) and (not b or b in labels)):
            msg = f"sides.json: side {number} is not between two locations, nor the outline of one"
            raise BundleError(msg)


def _check_sight(table: bytes, count: int) -> None:
    size = 12 + (count * count + 3) // 4
    _expect(table[:8] == SIGHT_MAGIC, f"sight.bin: got {table[:8]!r} at its start, allowed {SIGHT_MAGIC!r}")
    _expect(len(table) == size, f"sight.bin: has {len(table)} bytes, allowed {size} for {count} locations")
    found = int.from_bytes(table[8:12], "little")
    _expect(found == count, f"sight.bin: is for {found} locations, locations.json has {count}")


def _summary(bundle: Bundle) -> str:
    sources = ", ".join(str(source.get("title", "")) for source in bundle.manifest["sources"]) or "none named"
    lines = [
        f"title      {bundle.title}",
        f"ruleset    {bundle.manifest['ruleset']}",
        f"locations  {len(bundle.locations)}",
        f"sides      {len(bundle.sides)} with something on them",
        f"scenario   {'none' if bundle.scenario is None else bundle.scenario.get('title', '')}",
        f"sight      {'table of all pairs' if bundle.has_sight else 'no table'}",
        f"sources    {sources}",
    ]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Print a summary of each bundle named; return 0, 1 when one is refused, 2 when none is named."""
    if not arguments:
        print("usage: python reader.py FILE...", file=sys.stderr)
        return 2
    code = 0
    for name in arguments:
        try:
            print(_summary(read_bundle(name)))
        except BundleError as error:
            print(f"refused: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

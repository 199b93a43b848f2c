#!/usr/bin/env python3
"""Reader of bundles: one file, the standard library only. Copy it into an engine; the format is in bundle-format.md.

    bundle = read_bundle("desert.bundle.zip")
    bundle.locations[0]["label"], bundle.sight("A1", "C5")

A bundle may come from anywhere. Everything is measured before it is read, nothing is unpacked to the disk, and what is
not exactly a bundle is refused with a BundleError that says why, and whose ``code`` is a word for programs.
``python reader.py FILE`` prints a summary. ``reader.mjs`` is the same in JavaScript, check for check.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import struct
import sys
import zlib
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NamedTuple

__all__ = ["FORMAT", "MINOR", "VERSION", "Bundle", "BundleError", "read_bundle", "upgraded"]

FORMAT, VERSION, MINOR = "wargame-studio/bundle", 1, 0

REQUIRED = ("map.json", "ruleset.json", "locations.json", "sides.json")
OPTIONAL = ("scenario.json", "roster.json", "setup.json", "steps.json", "sight.bin", "preview.png")
WITH_SCENARIO = ("roster.json", "setup.json")
LATER = re.compile(r"[a-z][a-z0-9_-]{0,40}\.(?:json|bin|png)")
"""Names that members of later minor versions can have."""

MIB = 1024 * 1024
LIMITS = {
    **{"bundle.json": MIB, "ruleset.json": 4 * MIB, "roster.json": 4 * MIB, "scenario.json": 8 * MIB},
    **{"map.json": 16 * MIB, "setup.json": 16 * MIB, "preview.png": 32 * MIB},
}
MAX_FILE = 256 * MIB
"""Largest bundle, and largest sum of its members, in bytes."""
MAX_MEMBER = 128 * MIB
MAX_MEMBERS = 32
"""Most entries of the archive; more than can be right, so that a wrong one is named."""
RATIO, RATIO_FROM = 50, 4 * MIB
"""A member above this size that is packed tighter than this is a bomb."""
WEIGHTS = {b",": 2, b":": 5, b"[": 3, b"{": 7, b'"': 1}
"""What the bytes of JSON weigh: in proportion to the memory that a reader needs for them."""
MAX_WEIGHT, MAX_WEIGHT_STORED = 2_500_000, 40_000_000
"""Most weight of a JSON member; the second holds for those of `LONG` that are stored, whose file is as large."""
LONG = ("locations.json", "sides.json", "steps.json")
MAX_DEPTH = 32
MAX_WHOLE = 2**53 - 1

SIGHT_MAGIC = b"WGSIGHT1"
STATUSES = ("clear", "hindered", "blocked", "none")
_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")


class BundleError(ValueError):
    """A file that is not a sound bundle; the message says what is wrong and where.

    Attributes
    ----------
    code : str
        Kind of fault in one word, as listed in bundle-format.md.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Bundle:
    """A bundle that was read and found sound.

    Attributes
    ----------
    manifest : dict
        ``bundle.json``: format, version, generator, ruleset, title, sources, members.
    map, ruleset : dict
        The map document, and the tables and options of the game in force.
    scenario, setup : dict or None
        The scenario document, and the same with every condition resolved; bundles from before 1.0 have no ``setup``.
    roster : dict
        Kinds of units that the scenario uses, by id.
    locations, sides : list of dict
        What the drawing means: every place a unit can be, and every side with something on it.
    preview : bytes or None
        A picture of the map, PNG.
    """

    def __init__(self, manifest: dict[str, Any], parts: dict[str, Any]) -> None:
        self.manifest = manifest
        self.map: dict[str, Any] = parts["map.json"]
        self.scenario: dict[str, Any] | None = parts.get("scenario.json")
        self.setup: dict[str, Any] | None = parts.get("setup.json")
        self.roster: dict[str, Any] = parts["roster.json"]
        self.ruleset: dict[str, Any] = parts["ruleset.json"]
        self.locations: list[dict[str, Any]] = parts["locations.json"]
        self.sides: list[dict[str, Any]] = parts["sides.json"]
        self.preview: bytes | None = parts.get("preview.png")
        self._table: bytes | None = parts.get("sight.bin")
        self._steps: dict[str, list[list[int]]] | None = parts.get("steps.json")
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
            raise BundleError("no-sight", msg)
        self.location(a), self.location(b)
        pair = self._index[a] * len(self.locations) + self._index[b]
        return STATUSES[self._table[12 + (pair >> 2)] >> 2 * (pair & 3) & 3]

    @property
    def has_steps(self) -> bool:
        """True when the bundle says what every step costs."""
        return self._steps is not None

    def steps(self, label: str, mover: str) -> list[tuple[str, int]]:
        """Return where a mover can go from a location in one step, and the half points that it costs.

        Raises
        ------
        KeyError
            When the map has no such location, or the game no such mover.
        BundleError
            When the bundle does not say what steps cost.
        """
        if self._steps is None:
            msg = "the bundle does not say what steps cost (steps.json): the game has no movement"
            raise BundleError("no-steps", msg)
        self.location(label)
        row = self._steps[mover][self._index[label]]
        return [(self.locations[row[n]]["label"], row[n + 1]) for n in range(0, len(row), 2)]

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
        raise BundleError(error.code, f"{_printable(name)}: {error}") from error
    except OSError as error:
        raise BundleError("file", f"{_printable(name)}: cannot be read: {error.strerror or error}") from error


def _printable(name: str) -> str:
    return name if name.isprintable() else repr(name)


def _opened(name: str) -> BinaryIO:
    """Open a regular file; a pipe is not waited for, and a device not read."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
    _expect(not os.path.isdir(name), "file", "is a folder")
    try:
        descriptor = os.open(name, flags)
    except FileNotFoundError as error:
        raise BundleError("file", "there is no such file") from error
    except ValueError as error:
        raise BundleError("file", f"is no regular file: no file can have such a name ({error})") from error
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return open(descriptor, "rb")
    os.close(descriptor)
    raise BundleError("file", "is no regular file (a pipe, a socket or a device)")


def _expect(condition: object, code: str, message: str) -> None:
    if not condition:
        raise BundleError(code, message)


def _read(file: BinaryIO) -> Bundle:
    try:
        entries = _directory(file)
        manifest = _manifest(_json("bundle.json", _member(file, entries["bundle.json"])))
        parts: dict[str, Any] = {}
        for said in _listed(manifest, entries):
            name, entry = said["name"], entries[said["name"]]
            data = _member(file, entry)
            _check_content(name, data, said)
            if name in REQUIRED or name in OPTIONAL:
                parts[name] = _json(name, data, entry.method == 0) if name.endswith(".json") else data
    except (OSError, OverflowError, struct.error) as error:
        raise BundleError("damaged", f"the archive cannot be read: {error}") from error
    _check_meaning(manifest, parts)
    return Bundle(*upgraded(manifest, parts))


# -- the archive -----------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """What the directory of the archive says of a member."""

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    end: int = 0


def _directory(file: BinaryIO) -> dict[str, _Entry]:
    """Read the directory of the archive and check every member by it; nothing has been unpacked yet."""
    size = file.seek(0, os.SEEK_END)
    _expect(size <= MAX_FILE, "too-large", f"the file has {size} bytes, allowed {MAX_FILE}")
    _expect(size >= _END.size, "not-zip", f"not a bundle: the file has {size} bytes only")
    file.seek(size - _END.size)
    mark, disk, first_disk, here, total, length, offset, comment = _END.unpack(file.read(_END.size))
    msg = "not a bundle, or cut off: no end of a ZIP archive in the last 22 bytes"
    _expect(mark == b"PK\5\6" and not comment, "not-zip", msg)
    _expect(not disk and not first_disk and here == total, "split", "the archive is split over several files")
    msg = f"the archive has {total} members in a directory of {length} bytes, allowed {MAX_MEMBERS} in 65536"
    _expect(total <= MAX_MEMBERS and length <= 65536, "too-many", msg)
    msg = "the archive has data before, between or after its parts"
    _expect(offset + length + _END.size == size, "layout", msg)
    file.seek(offset)
    data, place = file.read(length), 0
    found: dict[str, _Entry] = {}
    for number in range(total):
        damaged = f"the archive is damaged: its directory does not hold member {number}"
        _expect(place + _ENTRY.size <= length, "damaged", damaged)
        fields = _ENTRY.unpack_from(data, place)
        names, extra, note, first = fields[10:14]
        place += _ENTRY.size
        _expect(fields[0] == b"PK\1\2" and place + names + extra + note <= length, "damaged", damaged)
        name = data[place : place + names].decode("latin-1")
        place += names + extra + note
        _check_entry(name, found, fields[3], fields[4], fields[15] >> 16)
        _expect(first == 0, "split", f"member {name!r} lies in another file of a split archive")
        found[name] = _Entry(name, fields[3], fields[4], fields[7], fields[8], fields[9], fields[16])
    _expect(place == length, "damaged", "the archive is damaged: its directory has data that is no member")
    for name in ("bundle.json", *REQUIRED):
        _expect(name in found, "missing", f"member {name!r} is missing")
    return _measured(found, offset)


def _check_entry(name: str, found: Mapping[str, _Entry], flags: int, method: int, mode: int) -> None:
    outside = name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or ":" in name or "\0" in name
    _expect(not outside, "path", f"member {name!r}: the name leads out of the bundle")
    _expect(name not in found, "twice", f"member {name!r} is there twice")
    plain = mode & 0o170000 in (0, 0o100000) and not name.endswith("/")
    _expect(plain, "not-a-file", f"member {name!r} is a link, a folder or a device, allowed plain files")
    msg = f"member {name!r} does not belong into a bundle; allowed: bundle.json, {', '.join((*REQUIRED, *OPTIONAL))}"
    _expect(LATER.fullmatch(name), "unknown-member", msg)
    _expect(not flags & 0x2041, "encrypted", f"member {name!r} is encrypted")
    msg = f"member {name!r} is packed with method {method}, allowed 0 (stored) and 8 (deflated)"
    _expect(method in (0, 8), "method", msg)


def _measured(found: dict[str, _Entry], directory: int) -> dict[str, _Entry]:
    """Check sizes and places of all members; return them with where the next one begins."""
    ordered, total = sorted(found.values(), key=lambda entry: entry.offset), 0
    made: dict[str, _Entry] = {}
    _expect(ordered[0].offset == 0, "layout", "the archive has data before, between or after its parts")
    for entry, end in zip(ordered, [*(entry.offset for entry in ordered[1:]), directory], strict=True):
        total += entry.size
        limit = LIMITS.get(entry.name, MAX_MEMBER)
        msg = f"member {entry.name!r} has {entry.size} bytes, allowed {limit}, and {MAX_FILE} for all"
        _expect(entry.size <= limit and total <= MAX_FILE, "too-large", msg)
        msg = f"the archive is damaged: member {entry.name!r} is stored, but has two sizes"
        _expect(entry.method or entry.packed == entry.size, "damaged", msg)
        msg = f"member {entry.name!r} unpacks to over {RATIO} times its size"
        _expect(entry.size <= RATIO_FROM or entry.size <= RATIO * entry.packed, "bomb", msg)
        msg = f"member {entry.name!r} overlaps another part of the archive"
        _expect(entry.offset + _LOCAL.size + len(entry.name) + entry.packed <= end, "overlap", msg)
        made[entry.name] = entry._replace(end=end)
    return made


def _member(file: BinaryIO, entry: _Entry) -> bytes:
    """Unpack one member, never more of it than the directory declares."""
    name, damaged = entry.name, f"the archive is damaged at member {entry.name!r}"
    file.seek(entry.offset)
    head = file.read(_LOCAL.size)
    mark, _, flags, method, _, _, crc, packed, size, names, extra = _LOCAL.unpack(head)
    _expect(mark == b"PK\3\4" and file.read(names) == name.encode("latin-1"), "damaged", f"{damaged}: another name")
    same = flags == entry.flags and method == entry.method
    if not flags & 8:  # else sizes follow the content
        same = same and (crc, packed, size) == (entry.crc, entry.packed, entry.size)
    _expect(same, "damaged", f"{damaged}: its two headers differ")
    rest = entry.end - (entry.offset + _LOCAL.size + names + extra + entry.packed)
    msg = f"member {name!r} overlaps another part of the archive"
    _expect(rest >= 0, "overlap", msg)
    msg = "the archive has data before, between or after its parts"
    _expect(rest == 0 or (flags & 8 and rest in (12, 16)), "layout", msg)
    file.seek(extra, os.SEEK_CUR)
    data = file.read(entry.packed)
    if entry.method:
        unpacking = zlib.decompressobj(-15)
        try:
            data = unpacking.decompress(data, entry.size + 1)
        except zlib.error as error:
            raise BundleError("damaged", f"{damaged}: {error}") from error
        whole = unpacking.eof and not unpacking.unused_data and not unpacking.unconsumed_tail
        _expect(whole or len(data) > entry.size, "damaged", f"{damaged}: it is not packed as it should be")
    msg = f"{damaged}: it unpacks to another size than {entry.size} bytes"
    _expect(len(data) == entry.size, "damaged", msg)
    _expect(zlib.crc32(data) == entry.crc, "damaged", f"{damaged}: its CRC differs")
    return data


# -- JSON ------------------------------------------------------------------------------------------------------------


def _json(name: str, data: bytes, stored: bool = False) -> Any:
    """Read JSON strictly: no key twice, no NaN, no number too large, no endless nesting, sound Unicode."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            seen: set[str] = set()
            double = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise BundleError("key-twice", f"{name}: the key {double!r} is there twice in one object")
        return made

    def refuse(text: str) -> Any:
        raise BundleError("number", f"{name}: {text} is no number of JSON")

    def large(text: str) -> BundleError:
        return BundleError("number", f"{name}: the number {text[:40]} is too large")

    def finite(text: str) -> float:
        value = float(text)
        if value - value != 0:
            raise large(text)
        return value

    def whole(text: str) -> int:
        if len(text) < 16:
            return int(text)
        if len(text) > 17 or abs(int(text)) > MAX_WHOLE:
            raise large(text)
        return int(text)

    lists = stored and name in LONG
    most = MAX_WEIGHT_STORED if lists else MAX_WEIGHT
    weight = sum(data.count(byte) * each for byte, each in WEIGHTS.items())
    _expect(weight <= most, "too-many-values", f"{name}: holds more values than are read (weight {weight} over {most})")
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=once, parse_constant=refuse, parse_float=finite, parse_int=whole)
        if re.search(rb"\\u[dD][89a-fA-F]", data):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except BundleError:
        raise
    except UnicodeError as error:
        raise BundleError("not-utf8", f"{name}: not sound UTF-8: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise BundleError("deep", f"{name}: nested deeper than {MAX_DEPTH}") from error
    except ValueError as error:
        raise BundleError("not-json", f"{name}: not JSON: {error}") from error
    _check_depth(name, value)
    return value


def _check_depth(name: str, value: Any) -> None:
    level = [value] if type(value) in (dict, list) else []
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for part in level:
            below += [one for one in (part.values() if type(part) is dict else part) if type(one) in (dict, list)]
        level = below
    _expect(not level, "deep", f"{name}: nested deeper than {MAX_DEPTH}")


# -- the manifest ----------------------------------------------------------------------------------------------------


def _whole(value: Any, least: int | None = None) -> bool:
    """Tell whether a value is a whole number; 1.0 is one, true is none."""
    number = type(value) is int or (type(value) is float and value == int(value))
    return number and (least is None or value >= least)


def _manifest(manifest: Any) -> dict[str, Any]:
    _expect(isinstance(manifest, dict), "manifest", "bundle.json: got no object")
    found, version, minor = manifest.get("format"), manifest.get("version"), manifest.get("minor", 0)
    _expect(found == FORMAT, "format", f"bundle.json: got the format {found!r}, allowed {FORMAT!r}")
    msg = f"bundle.json: got the version {version!r}, allowed 1 to {VERSION}"
    _expect(_whole(version, 1), "version", msg)
    msg = f"bundle.json: version {version} is newer than this reader, which knows up to {VERSION}: get a newer reader"
    _expect(version <= VERSION, "version", msg)
    _expect(_whole(minor, 0), "version", f"bundle.json: got the minor version {minor!r}, allowed a whole number")
    for key in ("title", "ruleset"):
        _expect(isinstance(manifest.get(key), str), "manifest", f"bundle.json: {key} is no text")
    generator, sources = manifest.get("generator", {}), manifest.get("sources")
    _expect(_texts_of(generator, ("name", "version")), "manifest", "bundle.json: generator is no name and version")
    sound = isinstance(sources, list) and all(_texts_of(one, ("title", "licence", "note", "url")) for one in sources)
    _expect(sound, "manifest", "bundle.json: sources is no list of objects with a title and a licence in words")
    return dict(manifest)


def _texts_of(value: Any, keys: tuple[str, ...]) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key, ""), str) for key in keys)


def _listed(manifest: dict[str, Any], found: Mapping[str, _Entry]) -> list[dict[str, Any]]:
    """Return what the manifest says of the members, which must be those of the archive."""
    listed = manifest.get("members")
    sound = isinstance(listed, list) and all(isinstance(said, dict) for said in listed)
    _expect(sound, "manifest", "bundle.json: members is no list of objects")
    entries: list[dict[str, Any]] = listed if isinstance(listed, list) else []
    names = [said.get("name") for said in entries]
    known = ("bundle.json", *REQUIRED, *OPTIONAL)
    for name in found:
        msg = f"member {name!r} does not belong into a bundle; allowed: {', '.join(known)}"
        _expect(name in known or manifest.get("minor", 0) > MINOR, "unknown-member", msg)
        listed_here = name == "bundle.json" or name in names
        _expect(listed_here, "unlisted", f"member {name!r} is not listed in bundle.json")
    for said in entries:
        name, size, digest = str(said.get("name")), said.get("size"), said.get("sha256")
        sound = isinstance(said.get("name"), str) and name != "bundle.json"
        _expect(sound, "manifest", f"bundle.json: {name!r} cannot be listed as a member")
        _expect(name in found, "missing", f"bundle.json lists {name!r}, which is missing")
        _expect(names.count(name) == 1, "manifest", f"bundle.json lists {name!r} twice")
        sound = _whole(size, 0) and isinstance(digest, str) and bool(re.fullmatch("[0-9a-f]{64}", digest))
        _expect(sound, "manifest", f"bundle.json: {name!r} needs a size and a sha256 of 64 hexadecimal digits")
    if "minor" in manifest and "scenario.json" in found:
        for name in WITH_SCENARIO:
            _expect(name in found, "missing", f"member {name!r} is missing: it belongs to scenario.json")
    for name in WITH_SCENARIO:
        alone = name in found and "scenario.json" not in found
        _expect(not alone, "stray", f"member {name!r} belongs to scenario.json, which is missing")
    return entries


def _check_content(name: str, data: bytes, said: dict[str, Any]) -> None:
    msg = f"member {name!r} has {len(data)} bytes, bundle.json says {said['size']}"
    _expect(len(data) == said["size"], "hash", msg)
    msg = f"member {name!r} is not what bundle.json says: its sha256 differs, so it was changed or damaged"
    _expect(hashlib.sha256(data).hexdigest() == said["sha256"], "hash", msg)
    if name == "preview.png":
        _expect(data.startswith(b"\x89PNG\r\n\x1a\n"), "picture", "preview.png: not a PNG picture")


# -- what the members say --------------------------------------------------------------------------------------------


def _flag(value: Any) -> bool:
    return type(value) is bool


def _text(value: Any) -> bool:
    return type(value) is str


def _texts(value: Any) -> bool:
    return type(value) is list and all(type(one) is str for one in value)


def _maybe(value: Any) -> bool:
    return value is None or _whole(value)


def _costs(value: Any) -> bool:
    return type(value) is dict and all(one is None or _whole(one) for one in value.values())


def _point(value: Any) -> bool:
    return type(value) is list and len(value) == 2 and all(type(one) in (int, float) for one in value)


def _points(value: Any) -> bool:
    return type(value) is list and all(map(_point, value))


def _lines(value: Any) -> bool:
    return type(value) is list and all(map(_points, value))


def _object(value: Any) -> bool:
    return type(value) is dict


def _objects(value: Any) -> bool:
    return type(value) is list and all(type(one) is dict for one in value)


def _number(value: Any) -> bool:
    return _whole(value, 0)


def _numbers(value: Any) -> bool:
    return type(value) is dict and all(_whole(one) for one in value.values())


Kinds = Mapping[str, Callable[[Any], bool]]
"""What the values of keys must be; a key with a question mark may be missing."""

LOCATION: Kinds = {
    **dict.fromkeys(("label", "kind", "terrain", "within", "sheet?", "layer?"), _text),
    **dict.fromkeys(("q", "r", "column", "row", "contour"), _maybe),
    **dict.fromkeys(("crest", "road", "half", "in_play", "closed?"), _flag),
    **dict.fromkeys(("markers", "neighbours", "tags?", "edges?"), _texts),
    **{"level": _whole, "enter_halves": _costs, "dot": _point, "outline": _points, "holes": _lines},
}
SIDE: Kinds = {
    **{"a": _text, "b": _text, "kinds": _texts, "roads": _texts, "rise": _whole, "cross_halves": _costs},
    **{"ends": _points, "through?": _texts, "lines?": _lines},
}
RULESET: Kinds = {
    **{"id": _text, "title": _text, "options": _object, "movers": _object, "movement?": _object},
    **dict.fromkeys(("terrain", "sides", "markers", "borders?", "areas?", "places?", "links?"), _object),
}
KIND: Kinds = {
    **dict.fromkeys(("id", "name", "kind", "role?", "section?", "mover?", "used_by?"), _text),
    **{"transport?": _flag, "stacks?": _flag, "movement?": _whole, "quantity?": _whole, "points?": _whole},
    "figures?": _numbers,
}
SETUP: Kinds = {
    **dict.fromkeys(("sides", "areas", "formations", "units", "objectives?", "turns?"), _objects),
    **{"order": lambda value: type(value) is list and all(map(_texts, value)), "other_areas?": _numbers},
}
AREA: Kinds = {
    **{"labels": _texts, "exact?": _flag, "edges?": _texts, "distances?": _objects, "empty?": _flag, "text?": _text},
    **{"same?": _text, "least_in_hex?": _number, "most_in_hex?": _number, "most_in_area?": _number},
}
SIDE_OF_GAME: Kinds = {
    **{"id": _text, "name": _text, "team?": _text, "color?": _text, "played_by?": _text},
    **dict.fromkeys(("enemies?", "formations?", "home?", "control?"), _texts),
}
FORMATION: Kinds = {
    **{"id": _text, "side": _text, "name": _text, "arrival": _text, "arrival_turn": _number, "area": _number},
    **{"units?": _texts, "restraints?": _objects, "hidden?": _number, "activation_markers?": _number},
}
UNIT: Kinds = {
    **dict.fromkeys(("id", "formation", "side", "type", "name", "at?", "carried_by?", "facing?", "quality?"), _text),
    **{"area": _number, "count?": lambda value: _whole(value, 1), "movement?": _number, "status?": _texts},
    "figures?": _numbers,
}
OBJECTIVE: Kinds = {"id": _text, "side": _text, "labels?": _texts, "units?": _texts}
TURN: Kinds = {
    **{"turn": _number, "name?": _text, "light?": _text, "visibility?": _number, "extra?": _flag},
    **dict.fromkeys(("arrivals?", "events?", "support?"), _texts),
}


def _fault(record: Any, kinds: Kinds) -> str:
    """Return the first key of a record that is not what it must be; empty where all are."""
    for key, sound in kinds.items():
        name = key.rstrip("?")
        if name not in record:
            if name == key:
                return f"the key {name!r} is missing"
        elif not sound(record[name]):
            return f"{name!r} is {_shown(record[name])}"
    return ""


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return json.dumps(value[:40] if isinstance(value, str) else value)


def _check_records(where: str, records: Any, kinds: Kinds, code: str) -> None:
    for number, record in enumerate(records):
        fault = _fault(record, kinds)
        _expect(not fault, code, f"{where} {number}: {fault}, which it cannot be")


def _check_meaning(manifest: dict[str, Any], parts: dict[str, Any]) -> None:
    for name, kind in (("map.json", "wargame-studio/map"), ("scenario.json", "wargame-studio/scenario")):
        if name in parts:
            part = parts[name]
            sound = isinstance(part, dict) and part.get("format") == kind and _whole(part.get("version"), 1)
            _expect(sound, "document", f"{name}: got no {kind!r} with a version")
            game, meant = part.get("ruleset"), manifest["ruleset"]
            _expect(game == meant, "game", f"{name}: is for {game!r}, bundle.json says {meant!r}")
    ruleset = parts["ruleset.json"]
    _expect(isinstance(ruleset, dict), "record", "ruleset.json: got no object")
    _check_records("ruleset.json", [ruleset], RULESET, "record")
    msg = f"ruleset.json: got {ruleset['id']!r}, not that of bundle.json"
    _expect(ruleset["id"] == manifest["ruleset"], "game", msg)
    labels = _check_locations(parts["locations.json"], ruleset)
    _check_sides(parts["sides.json"], labels)
    if "sight.bin" in parts:
        _check_sight(parts["sight.bin"], len(labels))
    if "steps.json" in parts:
        _check_steps(parts["steps.json"], ruleset["movers"], len(labels))
    if "roster.json" in parts:
        _check_roster(parts["roster.json"])
    if "setup.json" in parts:
        _check_setup(parts["setup.json"], labels)


def _check_locations(locations: Any, ruleset: dict[str, Any]) -> set[str]:
    sound = _objects(locations) and bool(locations)
    _expect(sound, "record", "locations.json: got no list of locations")
    _check_records("locations.json: location", locations, LOCATION, "record")
    around: dict[str, set[str]] = {}
    for location in locations:
        label, movers = location["label"], ruleset["movers"].keys()
        where = f"locations.json: {label!r}"
        _expect(label and label not in around, "label", f"{where}: a label that is empty or is there twice")
        around[label] = set(location["neighbours"])
        if location["kind"] == "hex":
            sound = location["terrain"] in ruleset["terrain"]
            _expect(sound, "terrain", f"{where} has a terrain that ruleset.json does not have")
            sound = location["enter_halves"].keys() == movers
            _expect(sound, "movers", f"{where}: enter_halves has other movers than ruleset.json")
    for label, names in around.items():
        for name in names:
            if name not in around or label not in around[name]:
                wrong = "not the other way round" if name in around else "which there is not"
                raise BundleError("neighbours", f"locations.json: {label!r} is next to {name!r}, but {wrong}")
    return set(around)


def _check_sides(sides: Any, labels: set[str]) -> None:
    _expect(_objects(sides), "record", "sides.json: got no list of sides")
    _check_records("sides.json: side", sides, SIDE, "record")
    for number, side in enumerate(sides):
        # The outline of an area may have no location on its other side: then b is empty.
        between = side["a"] in labels and (not side["b"] or side["b"] in labels)
        _expect(between, "sides", f"sides.json: side {number} is not between two locations, nor the outline of one")


def _check_sight(table: bytes, count: int) -> None:
    size = 12 + (count * count + 3) // 4
    msg = f"sight.bin: got {table[:8]!r} at its start, allowed {SIGHT_MAGIC!r}"
    _expect(table[:8] == SIGHT_MAGIC, "sight", msg)
    _expect(len(table) == size, "sight", f"sight.bin: has {len(table)} bytes, allowed {size} for {count} locations")
    found = int.from_bytes(table[8:12], "little")
    _expect(found == count, "sight", f"sight.bin: is for {found} locations, locations.json has {count}")
    unused = table[-1] >> 2 * (count * count % 4) if count * count % 4 else 0
    _expect(not unused, "sight", "sight.bin: the unused bits at its end are not 0")


def _check_steps(steps: Any, movers: dict[str, Any], count: int) -> None:
    _expect(_object(steps), "steps", "steps.json: got no object of movers")
    for mover, rows in steps.items():
        _expect(mover in movers, "steps", f"steps.json: {mover!r} is no mover of ruleset.json")
        sound = type(rows) is list and len(rows) == count and all(type(row) is list for row in rows)
        _expect(sound, "steps", f"steps.json: {mover!r} has not one list for each of {count} locations")
        for place, row in enumerate(rows):
            sound = len(row) % 2 == 0 and all(_whole(one, 0) for one in row) and all(one < count for one in row[::2])
            _expect(sound, "steps", f"steps.json: {mover!r}: the steps from location {place} are no places and costs")


def _check_roster(roster: Any) -> None:
    sound = _object(roster) and all(_object(kind) for kind in roster.values())
    _expect(sound, "roster", "roster.json: got no object of kinds of units")
    for name, kind in roster.items():
        fault = _fault(kind, KIND) or ("" if kind["id"] == name else f"'id' is {kind['id']!r}")
        _expect(not fault, "roster", f"roster.json: {name!r}: {fault}, which it cannot be")


def _check_setup(setup: Any, labels: set[str]) -> None:
    _expect(_object(setup), "setup", "setup.json: got no object")
    _check_records("setup.json", [setup], SETUP, "setup")
    lists = {
        **{"sides": SIDE_OF_GAME, "areas": AREA, "formations": FORMATION, "units": UNIT},
        **{"objectives": OBJECTIVE, "turns": TURN},
    }
    for key, kinds in lists.items():
        _check_records(f"setup.json: {key}", setup.get(key, []), kinds, "setup")
    ids = {key: {one["id"] for one in setup[key]} for key in ("sides", "formations", "units")}
    for key, found in ids.items():
        _expect(len(found) == len(setup[key]), "setup", f"setup.json: two of {key} have the same id")

    def known(where: str, names: Any, among: set[str]) -> None:
        for name in names:
            _expect(name in among, "setup", f"setup.json: {where} names {name!r}, which there is not")

    areas = len(setup["areas"])
    for number, area in enumerate(setup["areas"]):
        known(f"area {number}", area["labels"], labels)
    for side in setup["sides"]:
        known(f"side {side['id']!r}", [*side.get("home", []), *side.get("control", [])], labels)
        known(f"side {side['id']!r}", side.get("formations", []), ids["formations"])
        known(f"side {side['id']!r}", side.get("enemies", []), ids["sides"])
    for one in (*setup["formations"], *setup["units"]):
        known(f"{one['id']!r}", [one["side"]], ids["sides"])
        _expect(one["area"] < areas, "setup", f"setup.json: {one['id']!r} has the area {one['area']} of {areas}")
    for formation in setup["formations"]:
        known(f"formation {formation['id']!r}", formation.get("units", []), ids["units"])
    for unit in setup["units"]:
        where = f"unit {unit['id']!r}"
        known(where, [unit["formation"]], ids["formations"])
        known(where, [unit["at"]] if unit.get("at") else [], labels)
        known(where, [unit["carried_by"]] if unit.get("carried_by") else [], ids["units"])
    for names in setup["order"]:
        known("order", names, ids["formations"])
    for one in setup.get("objectives", []):
        known(f"objective {one['id']!r}", one.get("labels", []), labels)
        known(f"objective {one['id']!r}", one.get("units", []), ids["units"])
    for turn in setup.get("turns", []):
        known(f"turn {turn['turn']}", turn.get("arrivals", []), ids["formations"])


# -- older bundles ---------------------------------------------------------------------------------------------------


def upgraded(manifest: dict[str, Any], parts: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bring a sound bundle of an older version, or of before 1.0, to what this version holds.

    Bundles of before 1.0 have no ``minor``, ``generator``, ``roster.json`` and ``setup.json``, and their locations know
    neither ``closed`` nor ``edges``. What can be known is filled in; a set-up cannot: export the scenario again for it.

    Parameters
    ----------
    manifest, parts : dict
        ``bundle.json``, and the other members by name. The locations may be changed.

    Returns
    -------
    (dict, dict)
    """
    generator = {"name": "", "version": "", **manifest.get("generator", {})}
    for location in parts["locations.json"]:
        for key, value in (("closed", False), ("edges", []), ("tags", []), ("sheet", ""), ("layer", "")):
            if key not in location:
                location[key] = list(value) if isinstance(value, list) else value
    for side in parts["sides.json"]:
        side.setdefault("through", [])
        side.setdefault("lines", [side["ends"]])
    return {**manifest, "minor": manifest.get("minor", 0), "generator": generator}, {"roster.json": {}, **parts}


# -- from the command line -------------------------------------------------------------------------------------------


def _summary(bundle: Bundle) -> str:
    sources = ", ".join(str(source.get("title", "")) for source in bundle.manifest["sources"]) or "none named"
    units = 0 if bundle.setup is None else sum(unit.get("count", 1) for unit in bundle.setup["units"])
    lines = [
        f"title      {bundle.title}",
        f"ruleset    {bundle.manifest['ruleset']}",
        f"locations  {len(bundle.locations)}",
        f"sides      {len(bundle.sides)} with something on them",
        f"scenario   {'none' if bundle.scenario is None else bundle.scenario.get('title', '')}",
        f"units      {units} of {len(bundle.roster)} kinds",
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
            print(f"refused [{error.code}]: {error}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A third reader, written from docs/bundle-format.md alone: as little as an engine of one's own can do with."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from typing import Any

WORDS = ("clear", "hindered", "blocked", "none")
KNOWN = {
    f"{name}.json"
    for name in ("bundle", "map", "scenario", "ruleset", "roster", "setup", "locations", "sides", "steps")
}
KNOWN |= {"sight.bin", "preview.png"}


class Unsound(Exception):
    """Not a bundle."""


def check(condition: bool, why: str) -> None:
    if not condition:
        raise Unsound(why)


def members_of(data: bytes) -> dict[str, bytes]:
    """Unpack the archive: stored and deflated members, by its directory."""
    check(len(data) >= 22 and data[-22:-18] == b"PK\5\6" and data[-2:] == b"\0\0", "no archive")
    count, length, offset = struct.unpack("<H2L", data[-12:-2])
    check(count <= 32 and offset + length + 22 == len(data), "not one archive")
    found: dict[str, bytes] = {}
    at = offset
    for _ in range(count):
        check(data[at : at + 4] == b"PK\1\2", "directory")
        flags, method = struct.unpack("<2H", data[at + 8 : at + 12])
        packed, size, names, extra, note = struct.unpack("<2L3H", data[at + 20 : at + 34])
        mode, begin = struct.unpack("<2L", data[at + 38 : at + 46])
        name = data[at + 46 : at + 46 + names].decode("latin-1")
        at += 46 + names + extra + note
        check(name not in found and not flags & 1 and method in (0, 8), f"{name}: twice, encrypted or packed oddly")
        check(
            mode >> 28 in (0, 8) and size <= 128 << 20 and (size <= 4 << 20 or size <= 50 * packed), f"{name}: no file"
        )
        here, more = struct.unpack("<2H", data[begin + 26 : begin + 30])
        begin += 30 + here + more
        raw = data[begin : begin + packed]
        found[name] = zlib.decompressobj(-15).decompress(raw, size + 1) if method else raw
        check(len(found[name]) == size, f"{name}: other size")
    return found


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    check(len(dict(pairs)) == len(pairs), "a key twice")
    return dict(pairs)


def read(data: bytes) -> tuple[dict[str, Any], Any]:
    """Return the members, JSON decoded, and what asks the sight table."""
    try:
        members = members_of(data)
        manifest = json.loads(members["bundle.json"].decode("utf-8"), object_pairs_hook=once)
        check(manifest["format"] == "wargame-studio/bundle" and manifest["version"] == 1, "format")
        listed = {said["name"]: said for said in manifest["members"]}
        check({*listed, "bundle.json"} == set(members) and len(listed) == len(manifest["members"]), "members")
        check(set(members) <= KNOWN or manifest.get("minor", 0) > 0, "unknown members")
        for name, said in listed.items():
            check(len(members[name]) == said["size"], f"{name}: size")
            check(hashlib.sha256(members[name]).hexdigest() == said["sha256"], f"{name}: hash")
        found: dict[str, Any] = {
            name: json.loads(raw.decode("utf-8"), object_pairs_hook=once) if name.endswith(".json") else raw
            for name, raw in members.items()
        }
        places = {place["label"]: number for number, place in enumerate(found["locations.json"])}
        table = found.get("sight.bin", b"")
        check(not table or len(table) == 12 + (len(places) ** 2 + 3) // 4, "sight")
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, struct.error, zlib.error) as error:
        raise Unsound(str(error)) from error

    def sight(a: str, b: str) -> str:
        k = places[a] * len(places) + places[b]
        return WORDS[(table[12 + (k >> 2)] >> (2 * (k & 3))) & 3]

    return found, sight

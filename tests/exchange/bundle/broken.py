"""The broken bundles of the conformance corpus: one fault each, with the word that a reader has for it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tests.exchange.bundle.packing import (
    DEFLATED,
    DIRECTORY,
    END,
    LOCAL,
    bundled,
    changed,
    deflated,
    manifest_for,
    parts_of,
    patched,
    text,
    zipped,
)
from tests.exchange.bundle.valid import bare, tiny

Make = Callable[[], bytes]


def parts(**members: bytes | None) -> dict[str, bytes]:
    """Return the members of the tiny bundle, some of them replaced (``map_json=b"{}"``) or left out (``None``)."""
    made = parts_of(tiny())
    for name, data in members.items():
        where = ".".join(name.rsplit("_", 1))
        if data is None:
            del made[where]
        else:
            made[where] = data
    return made


def manifest(**changes: Any) -> bytes:
    """Return the tiny bundle with another manifest."""
    return bundled(parts(), changes, method=DEFLATED)


def record(name: str, change: Callable[[Any], Any]) -> bytes:
    """Return the tiny bundle with one member changed."""
    return bundled(changed(parts(), name, change), method=DEFLATED)


def location(key: str, value: Any) -> bytes:
    return record("locations.json", lambda records: records[0].update({key: value}))


def swapped(**members: bytes | None) -> bytes:
    """Return the tiny bundle with other bytes for some members, or without them."""
    return bundled(parts(**members), method=DEFLATED)


def member(data: bytes) -> bytes:
    """Return the tiny bundle with other bytes for its sides."""
    return swapped(sides_json=data)


def entry(name: str, **changes: Any) -> bytes:
    """Return the tiny bundle with a lie in the directory of the archive."""
    return bundled(parts_of(bare()), entries={name: changes})


def added(name: str, **changes: Any) -> bytes:
    """Return the tiny bundle with a member more, which its manifest does not list."""
    return bundled(parts_of(bare()), extra=[(name, b"x", changes)])


def patch(signature: bytes, offset: int, value: bytes) -> bytes:
    return patched(bare(), signature, offset, value)


def listing(change: Callable[[list[dict[str, Any]]], Any]) -> bytes:
    """Return the tiny bundle with another list of members."""
    members = {name: data for name, data in parts().items() if name != "bundle.json"}
    made = manifest_for(members, _json(parts()["bundle.json"]))
    change(made["members"])
    return zipped({"bundle.json": text(made), **members}, method=DEFLATED)


def _json(data: bytes) -> Any:
    import json

    return json.loads(data)


def bomb(*, honest: bool) -> bytes:
    """A picture of eight mebibytes in eight kibibytes; one that is not honest declares less."""
    picture = parts()["preview.png"] + bytes(8 * 1024 * 1024)
    said: Mapping[str, Any] = {"how": DEFLATED} if honest else {"how": DEFLATED, "size": 100, "both": True}
    return bundled(parts(preview_png=picture), entries={"preview.png": said})


def quine() -> bytes:
    """Members that lie over each other: each in the directory twice as long as it is."""
    members = parts()
    return bundled(members, entries={"map.json": {"packed": len(members["map.json"]), "how": DEFLATED}})


def with_gap() -> bytes:
    """A bundle with bytes between two members that belong to none."""
    data = tiny()
    at, gap = data.index(b"map.json", data.index(b"PK\3\4", 4)) - 30, b"hidden"
    moved = bytearray(data[:at] + gap + data[at:])
    place = moved.rindex(END)
    (offset,) = struct.unpack_from("<L", moved, place + 16)
    struct.pack_into("<L", moved, place + 16, offset + len(gap))
    here = offset + len(gap)
    while moved[here : here + 4] == DIRECTORY:
        names, extra, note = struct.unpack_from("<3H", moved, here + 28)
        (old,) = struct.unpack_from("<L", moved, here + 42)
        struct.pack_into("<L", moved, here + 42, old + (len(gap) if old >= at else 0))
        here += 46 + names + extra + note
    return bytes(moved)


def stream(data: bytes) -> bytes:
    """The tiny bundle with a deflated member whose packed bytes are these."""
    sides = parts()["sides.json"]
    whole = bundled(parts(), entries={"sides.json": {"how": DEFLATED}})
    old = deflated(sides)
    assert whole.count(old) == 1
    padded = data[: len(old)].ljust(len(old), b"\0")
    return whole.replace(old, padded)


def first_unit(**changes: Any) -> bytes:
    return record("setup.json", lambda setup: setup["units"][0].update(changes))


BROKEN: dict[str, tuple[str, Make]] = {
    # the archive
    "empty-file": ("not-zip", lambda: b""),
    "no-archive": ("not-zip", lambda: b"This is a map, honestly.\n" * 8),
    "cut-off": ("not-zip", lambda: tiny()[:-40]),
    "comment": ("not-zip", lambda: tiny()[:-2] + b"\1\0x"),
    "data-before": ("layout", lambda: b"#!/bin/sh\n" + tiny()),
    "data-between": ("layout", with_gap),
    "several-disks": ("split", partial(patch, END, 4, b"\1\0")),
    "many-members": ("too-many", partial(patch, END, 8, b"\xff\xff\xff\xff")),
    "directory-damaged": ("damaged", partial(patch, DIRECTORY, 0, b"PK\1\3")),
    "zip64": ("too-large", partial(entry, "preview.png", packed=0xFFFFFFFF, size=0xFFFFFFFF)),
    "path-up": ("path", partial(added, "../map.json")),
    "path-absolute": ("path", partial(added, "/etc/passwd")),
    "path-drive": ("path", partial(added, "C:map.json")),
    "path-backslash": ("path", partial(added, "..\\map.json")),
    "path-zero": ("path", partial(added, "map.json\0.png")),
    "symlink": ("not-a-file", partial(entry, "preview.png", mode=0o120777)),
    "folder": ("not-a-file", partial(added, "preview/")),
    "device": ("not-a-file", partial(entry, "preview.png", mode=0o020666)),
    "member-twice": ("twice", partial(added, "map.json")),
    "unknown-member": ("unknown-member", partial(added, "extra.json")),
    "odd-name": ("unknown-member", partial(added, "Map.JSON")),
    "encrypted": ("encrypted", partial(entry, "map.json", flags=1, both=True)),
    "bzip2": ("method", partial(entry, "map.json", method=12, both=True)),
    "bomb": ("bomb", partial(bomb, honest=True)),
    "bomb-that-lies": ("damaged", partial(bomb, honest=False)),
    "declared-too-large": ("too-large", partial(entry, "ruleset.json", size=5 * 1024 * 1024, packed=5 * 1024 * 1024)),
    "overlap": ("overlap", quine),
    "same-place": ("overlap", partial(entry, "ruleset.json", offset=0)),
    "headers-differ": ("damaged", partial(patch, LOCAL, 14, b"\0\0\0\0")),
    "other-name-inside": ("damaged", partial(patch, LOCAL, 30, b"Preview.png")),
    "content-changed": ("damaged", lambda: tiny().replace(b'"Tiny"', b'"Tidy"')),
    "deflate-garbage": ("damaged", partial(stream, b"\xff" * 400)),
    "deflate-cut": ("damaged", lambda: stream(deflated(parts()["sides.json"])[:-6])),
    # the manifest
    "no-manifest": ("missing", lambda: zipped({n: d for n, d in parts().items() if n != "bundle.json"})),
    "no-map": ("missing", lambda: swapped(map_json=None)),
    "no-sides": ("missing", lambda: swapped(sides_json=None)),
    "no-roster": ("missing", lambda: swapped(roster_json=None)),
    "no-setup": ("missing", lambda: swapped(setup_json=None)),
    "setup-without-scenario": ("stray", lambda: swapped(scenario_json=None)),
    "listed-but-missing": ("missing", lambda: listing(lambda m: m.append({**m[0], "name": "extra.json"}))),
    "unlisted": ("unlisted", lambda: listing(lambda members: members.pop())),
    "listed-twice": ("manifest", lambda: listing(lambda members: members.append(members[0]))),
    "lists-itself": ("manifest", lambda: listing(lambda m: m.append({**m[0], "name": "bundle.json"}))),
    "wrong-size": ("hash", lambda: listing(lambda members: members[0].update(size=members[0]["size"] + 1))),
    "wrong-hash": ("hash", lambda: listing(lambda members: members[0].update(sha256="0" * 64))),
    "hash-in-capitals": ("manifest", lambda: listing(lambda m: m[0].update(sha256=m[0]["sha256"].upper()))),
    "size-as-text": ("manifest", lambda: listing(lambda members: members[0].update(size=str(members[0]["size"])))),
    "manifest-is-list": ("manifest", lambda: zipped({**parts(), "bundle.json": b"[]"})),
    "members-is-object": ("manifest", partial(manifest, members={"map.json": 1})),
    "title-is-number": ("manifest", partial(manifest, title=3)),
    "sources-is-text": ("manifest", partial(manifest, sources="x")),
    "licence-is-number": ("manifest", partial(manifest, sources=[{"title": "a", "licence": 4}])),
    "generator-is-text": ("manifest", partial(manifest, generator="by hand")),
    "other-format": ("format", partial(manifest, format="someone/else")),
    "newer-version": ("version", partial(manifest, version=2)),
    "version-as-text": ("version", partial(manifest, version="1")),
    "version-true": ("version", partial(manifest, version=True)),
    "version-half": ("version", partial(manifest, version=1.5)),
    "minor-as-text": ("version", partial(manifest, minor="0")),
    "other-game": ("game", partial(manifest, ruleset="chess")),
    # JSON
    "key-twice": ("key-twice", partial(member, b'[{"a": "0101", "a": "0102"}]')),
    "nan": ("number", partial(member, b"[NaN]")),
    "infinity": ("number", partial(member, b"[1e999]")),
    "digits": ("number", partial(member, b"[" + b"9" * 5000 + b"]")),
    "beyond-53-bits": ("number", partial(member, b"[9007199254740993]")),
    "deep": ("deep", partial(member, b"[" * 40 + b"]" * 40)),
    "very-deep": ("deep", partial(member, b"[" * 400_000 + b"]" * 400_000)),
    "many-values": ("too-many-values", partial(member, b"[" + b"0," * 1_900_000 + b"0]")),
    "half-character": ("not-utf8", partial(member, b'["\\ud800"]')),
    "latin-1": ("not-utf8", partial(member, '["Falludscha-Süd"]'.encode("latin-1"))),
    "long-utf8": ("not-utf8", partial(member, b'["\xc0\xaf"]')),
    "byte-order-mark": ("not-json", partial(member, b"\xef\xbb\xbf[]")),
    "comma-at-end": ("not-json", partial(member, b"[{},]")),
    "comment-in-json": ("not-json", partial(member, b"[] // none")),
    "leading-zero": ("not-json", partial(member, b"[01]")),
    "raw-newline": ("not-json", partial(member, b'["a\nb"]')),
    "nothing": ("not-json", partial(member, b"")),
    # what the members say
    "map-of-another-kind": ("document", lambda: record("map.json", lambda value: [value])),
    "map-for-another-game": ("game", lambda: record("map.json", lambda value: value.update(ruleset="chess"))),
    "ruleset-is-list": ("record", lambda: record("ruleset.json", lambda value: [value])),
    "no-locations": ("record", lambda: record("locations.json", lambda _: [])),
    "label-twice": ("label", lambda: record("locations.json", lambda v: v[1].update(label=v[0]["label"]))),
    "label-is-number": ("record", partial(location, "label", 101)),
    "level-as-text": ("record", partial(location, "level", "1")),
    "level-half": ("record", partial(location, "level", 0.5)),
    "column-as-text": ("record", partial(location, "column", "0")),
    "in-play-as-number": ("record", partial(location, "in_play", 1)),
    "cost-as-text": ("record", partial(location, "enter_halves", {"foot": "2", "wheels": 2})),
    "point-of-three": ("record", partial(location, "dot", [1, 2, 3])),
    "point-as-text": ("record", partial(location, "dot", ["1", "2"])),
    "sheet-is-number": ("record", partial(location, "sheet", 1)),
    "key-missing": ("record", lambda: record("locations.json", lambda value: value[0].__delitem__("terrain"))),
    "unknown-terrain": ("terrain", partial(location, "terrain", "lava")),
    "inherited-terrain": ("terrain", partial(location, "terrain", "constructor")),
    "unknown-mover": ("movers", partial(location, "enter_halves", {"foot": 2, "wings": 1})),
    "unknown-neighbour": ("neighbours", partial(location, "neighbours", ["9999"])),
    "one-way-neighbour": ("neighbours", partial(location, "neighbours", [])),
    "side-of-nowhere": ("sides", lambda: record("sides.json", lambda value: value[0].update(a="9999"))),
    "side-without-location": ("sides", lambda: record("sides.json", lambda value: value[0].update(a="", b="0101"))),
    "rise-as-text": ("record", lambda: record("sides.json", lambda value: value[0].update(rise="1"))),
    "sight-magic": ("sight", lambda: swapped(sight_bin=b"WGSIGHT2" + parts()["sight.bin"][8:])),
    "sight-short": ("sight", lambda: swapped(sight_bin=parts()["sight.bin"][:-1])),
    "sight-of-other-map": ("sight", lambda: swapped(sight_bin=b"WGSIGHT1\5" + parts()["sight.bin"][9:])),
    "sight-huge": ("sight", lambda: swapped(sight_bin=b"WGSIGHT1" + b"\xff" * 4)),
    "steps-short": ("steps", lambda: record("steps.json", lambda value: value["foot"].__delitem__(0))),
    "steps-to-nowhere": ("steps", lambda: record("steps.json", lambda value: value["foot"][0].extend([4, 2]))),
    "steps-without-cost": ("steps", lambda: record("steps.json", lambda value: value["foot"][0].append(1))),
    "steps-cost-as-text": ("steps", lambda: record("steps.json", lambda value: value["foot"][0].extend([1, "2"]))),
    "steps-other-mover": ("steps", lambda: record("steps.json", lambda value: value.update(wings=value["foot"]))),
    "preview-svg": ("picture", lambda: swapped(preview_png=b"<svg/>")),
    "roster-other-id": ("roster", lambda: record("roster.json", lambda value: value["car"].update(id="tank"))),
    "roster-movement-text": ("roster", lambda: record("roster.json", lambda value: value["car"].update(movement="8"))),
    "setup-is-list": ("setup", lambda: record("setup.json", lambda value: [value])),
    "setup-unknown-label": (
        "setup",
        lambda: record("setup.json", lambda value: value["areas"][0].update(labels=["x"])),
    ),
    "setup-unknown-area": ("setup", partial(first_unit, area=99)),
    "setup-area-as-text": ("setup", partial(first_unit, area="0")),
    "setup-no-such-place": ("setup", partial(first_unit, at="9999")),
    "setup-no-such-carrier": ("setup", partial(first_unit, carried_by="nobody")),
    "setup-no-such-formation": ("setup", partial(first_unit, formation="nobody")),
    "setup-id-twice": ("setup", partial(first_unit, id="squad-2")),
    "setup-count-nought": ("setup", partial(first_unit, count=0)),
    "setup-order-unknown": ("setup", lambda: record("setup.json", lambda value: value.update(order=[["nobody"]]))),
}

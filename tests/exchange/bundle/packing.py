"""Packing bundles by hand: right ones in other ways than the studio does it, and wrong ones."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from studio.files import reader

DIRECTORY, LOCAL, END = b"PK\1\2", b"PK\3\4", b"PK\5\6"
STORED, DEFLATED = 0, 8


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the members of a sound bundle by name."""
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def deflated(data: bytes) -> bytes:
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(data) + packing.flush()


def zipped(
    members: Mapping[str, bytes],
    *,
    method: int = STORED,
    streamed: bool = False,
    entries: Mapping[str, Mapping[str, Any]] | None = None,
    extra: list[tuple[str, bytes, Mapping[str, Any]]] | None = None,
) -> bytes:
    """Pack members; ``entries`` changes what the directory says of single ones, ``extra`` adds further ones.

    Changes are ``name``, ``mode``, ``method``, ``flags``, ``crc``, ``packed``, ``size``, ``offset``; with ``both`` the
    local header says the same. ``how`` is the method that a member is really packed by, ``stream`` its packed bytes.
    """
    body, directory = bytearray(), bytearray()
    listed: list[tuple[str, bytes, Mapping[str, Any]]] = [
        (name, data, (entries or {}).get(name, {})) for name, data in members.items()
    ]
    for name, data, changes in [*listed, *(extra or [])]:
        how = changes.get("how", method)
        packed = changes.get("stream") or (deflated(data) if how == DEFLATED else data)
        flags = 8 if streamed else 0
        true = {"name": name, "flags": flags, "method": how, "crc": zlib.crc32(data), "packed": len(packed)}
        true |= {"size": len(data), "offset": len(body), "mode": 0o100644}
        said = {**true, **{key: value for key, value in changes.items() if key in true}}
        here = said if changes.get("both") else true
        sizes = (0, 0, 0) if streamed else (here["crc"], here["packed"], here["size"])
        label = here["name"].encode()
        body += struct.pack("<4s5H3L2H", LOCAL, 20, here["flags"], here["method"], 0, 33, *sizes, len(label), 0)
        body += label + packed
        if streamed:
            body += struct.pack("<4s3L", b"PK\7\x08", true["crc"], true["packed"], true["size"])
        label = said["name"].encode()
        directory += struct.pack(
            "<4s6H3L5H2L",
            *(DIRECTORY, 3 << 8 | 20, 20, said["flags"], said["method"], 0, 33),
            *(said["crc"], said["packed"], said["size"], len(label), 0, 0, 0, 0, said["mode"] << 16, said["offset"]),
        )
        directory += label
    count = len(listed) + len(extra or [])
    return bytes(body + directory + struct.pack("<4s4H2LH", END, 0, 0, count, count, len(directory), len(body), 0))


def manifest_for(
    parts: Mapping[str, bytes], manifest: Mapping[str, Any], changes: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a manifest that fits some members, with changes."""
    listed = [
        {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in parts.items()
    ]
    return {**manifest, "members": listed, **(changes or {})}


def bundled(
    parts: Mapping[str, bytes], changes: Mapping[str, Any] | None = None, *, drop: tuple[str, ...] = (), **how: Any
) -> bytes:
    """Pack members with a manifest that fits them, save for its changes and the keys that are dropped."""
    members = {name: data for name, data in parts.items() if name != "bundle.json"}
    made = manifest_for(members, json.loads(parts["bundle.json"]), changes)
    for key in drop:
        del made[key]
    return zipped({"bundle.json": text(made), **members}, **how)


def text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def changed(parts: Mapping[str, bytes], name: str, change: Callable[[Any], Any]) -> dict[str, bytes]:
    """Return members of which one was decoded, changed (in place, or by what the change returns) and encoded."""
    value = json.loads(parts[name])
    found = change(value)
    return {**parts, name: text(value if found is None else found)}


def patched(data: bytes, signature: bytes, offset: int, value: bytes) -> bytes:
    """Change bytes behind the last header with a signature."""
    place = data.rindex(signature) + offset
    return data[:place] + value + data[place + len(value) :]


def facts_of(bundle: reader.Bundle) -> dict[str, Any]:
    """Return what a reader must find in a bundle, to compare."""
    labels = [location["label"] for location in bundle.locations]
    units = bundle.setup["units"] if bundle.setup is not None else []
    some = [labels[0], labels[len(labels) // 3], labels[-1]]
    sight = [[a, b, bundle.sight(a, b)] for a in some for b in some] if bundle.has_sight else []
    return {
        "title": bundle.title,
        "ruleset": bundle.manifest["ruleset"],
        "locations": len(labels),
        "first": labels[0],
        "last": labels[-1],
        "neighbours": sum(len(location["neighbours"]) for location in bundle.locations),
        "sides": len(bundle.sides),
        "kinds": len(bundle.roster),
        "units": sum(unit["count"] for unit in units),
        "steps": sum(len(bundle.steps(label, mover)) for label in labels for mover in bundle.ruleset["movers"])
        if bundle.has_steps
        else 0,
        "sight": sight,
    }

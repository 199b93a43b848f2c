"""Bundles: the same bytes from the same content, nothing written with errors, and a reader that trusts nobody."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import struct
import subprocess
import sys
import time
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.errors import StudioError
from studio.files import Stamp, bundle_members, reader, write_map_text
from studio.files.bundle import ExportError, bundle_bytes, write_bundle
from studio.files.reader import BundleError, read_bundle
from studio.files.records import BUNDLE_FORMAT, BUNDLE_MINOR, BUNDLE_VERSION, Location, Side
from studio.files.setup_records import (
    AreaRecord,
    FormationRecord,
    KindRecord,
    ObjectiveRecord,
    PlacedUnitRecord,
    RestraintRecord,
    SetUpRecord,
    SideRecord,
    TurnRecord,
)
from studio.model import MapModel, MapUse, Marker, ScenarioDocument, ScenarioModel, Source, SpecialRules
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.files.helpers import sample_map

PNG = b"\x89PNG\r\n\x1a\nnot really"
READER = Path(reader.__file__)
DOCUMENTATION = Path(__file__).parents[2] / "docs" / "bundle-format.md"


def desert() -> MapModel:
    ruleset = get_ruleset("armageddon_war")
    small = sample_map()
    model = MapModel("armageddon_war", small.grid, small.labels.scheme, ruleset.terrain_characters, title="Desert")
    model.terrain[1, 2] = 1
    model.levels[1, 1] = 1
    model.sides[0, 1] = (next(iter(ruleset.side_kinds)),)
    model.features = {**small.features, "marker-1": Marker(id="marker-1", type="smoke", at="0303")}
    model.sources = [Source(title="drawn for the tests", licence="CC0-1.0")]
    return model


def scenario(file: str = "../maps/desert.map.json") -> ScenarioModel:
    document = ScenarioDocument(
        title="First contact",
        ruleset="armageddon_war",
        map=MapUse(file=file, first_column="02", out_of_play=("0303",)),
        special=SpecialRules(smoke=("0102",)),
        sources=[Source(title="drawn for the tests", licence="CC0-1.0"), Source(title="a magazine")],
    )
    return ScenarioModel(document)


def made(**changes: Any) -> bytes:
    model = desert()
    count = model.grid.cells
    options: dict[str, Any] = {
        "map_model": model,
        "scenario_model": scenario(),
        "survey": Survey(model),
        "ruleset": get_ruleset("armageddon_war"),
        "sight_table": np.fromfunction(lambda a, b: (3 * a + b) % 4, (count, count), dtype=int),
        "preview": PNG,
    }
    return bundle_bytes(**(options | changes))


WHOLE = made()


def read(data: bytes) -> reader.Bundle:
    return read_bundle(io.BytesIO(data))


# -- writing -----------------------------------------------------------------------------------------------------------


def test_a_bundle_holds_what_was_exported() -> None:
    model, found = desert(), read(WHOLE)
    assert found.title == "First contact"
    assert found.map == json.loads(write_map_text(model))
    assert found.manifest["generator"] == {"name": "Wargame Studio", "version": studio.__version__}
    assert (found.manifest["version"], found.manifest["minor"]) == (reader.VERSION, reader.MINOR)
    assert [source["of"] for source in found.manifest["sources"]] == [["map", "scenario"], ["scenario"]]
    assert found.scenario is not None
    assert found.scenario["map"] == {"file": "map.json", "first_column": "02", "out_of_play": ["0303"]}
    assert found.preview == PNG
    assert [source["title"] for source in found.manifest["sources"]] == ["drawn for the tests", "a magazine"]
    assert len(found.locations) == model.grid.cells
    assert set(found.locations[0]) == set(Location.__struct_fields__)
    assert set(found.sides[0]) == set(Side.__struct_fields__)
    here = found.location("0302")
    assert here["terrain"] == model.terrain_ids[1]
    assert found.location("0202")["level"] == 1
    assert {place["label"] for place in found.locations if not place["in_play"]} == {
        *(f"01{row:02}" for row in range(1, 5)),
        "0303",
    }
    costs = found.ruleset["terrain"][here["terrain"]]["enter_halves"]
    assert here["enter_halves"] == costs
    (river,) = [side for side in found.sides if side["kinds"]]
    assert (river["a"], river["b"]) == ("0101", "0201")
    assert river["cross_halves"] == found.ruleset["sides"][river["kinds"][0]]["cross_halves"]


def test_every_pair_of_the_sight_table_comes_back() -> None:
    found, labels = read(WHOLE), desert().labels.all()
    for a, first in enumerate(labels):
        for b, second in enumerate(labels):
            assert found.sight(first, second) == ("none", "clear", "hindered", "blocked")[(3 * a + b) % 4]
    with pytest.raises(KeyError, match="9999"):
        found.sight("0101", "9999")
    with pytest.raises(BundleError, match="no sight table"):
        read(made(sight_table=None)).sight("0101", "0102")
    with pytest.raises(StudioError, match="make it anew"):
        made(sight_table=np.ones((3, 3), dtype=np.uint8))


def test_the_same_content_gives_the_same_bytes_in_another_process() -> None:
    code = "import hashlib; from tests.files.test_bundle import made; print(hashlib.sha256(made()).hexdigest())"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == hashlib.sha256(WHOLE).hexdigest()
    assert made(scenario_model=scenario("elsewhere/desert.map.json")) == WHOLE


def test_an_error_in_the_findings_refuses_the_bundle(tmp_path: Path) -> None:
    model = desert()
    options: dict[str, Any] = {
        "map_model": model,
        "survey": Survey(model),
        "ruleset": get_ruleset("armageddon_war"),
    }
    findings = [{"severity": "warning", "message": "w"}, {"severity": "error", "message": "e"}]
    with pytest.raises(ExportError, match="no bundle written: the checks found 1 error") as caught:
        write_bundle(tmp_path / "x.bundle.zip", findings=findings, **options)
    assert caught.value.findings == findings
    assert isinstance(caught.value, StudioError)
    assert os.listdir(tmp_path) == []
    path = write_bundle(tmp_path / "x.bundle.zip", findings=findings[:1], **options)
    assert path == tmp_path / "x.bundle.zip"
    assert read_bundle(path).title == "Desert"
    assert read_bundle(path).scenario is None
    assert all(place["in_play"] for place in read_bundle(path).locations)
    before = Stamp.of_file(path)
    write_bundle(path, **options)
    assert Stamp.of_file(path) == before


def test_the_layout_is_the_documented_one() -> None:
    assert (bundle_members.SIGHT_MAGIC, BUNDLE_FORMAT) == (reader.SIGHT_MAGIC, reader.FORMAT)
    assert (BUNDLE_VERSION, BUNDLE_MINOR) == (reader.VERSION, reader.MINOR)
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as archive:
        assert archive.testzip() is None
        names = [info.filename for info in archive.infolist()]
        assert names == [
            *("bundle.json", "map.json", "scenario.json", "ruleset.json", "roster.json", "setup.json"),
            *("locations.json", "sides.json", "steps.json", "sight.bin", "preview.png"),
        ]
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}


# -- the reader --------------------------------------------------------------------------------------------------------


def test_the_reader_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    tree = ast.parse(READER.read_text(encoding="utf-8"))
    imported = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else node.names[0].name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported <= sys.stdlib_module_names
    file = tmp_path / "x.bundle.zip"
    file.write_bytes(WHOLE)
    command = [sys.executable, "-I", "-S", str(READER), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "First contact" in done.stdout
    file.write_bytes(WHOLE[:-1])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "refused" in done.stderr
    assert reader.main([]) == 2


def parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(WHOLE)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(contents: dict[str, bytes], *, method: int = zipfile.ZIP_STORED, **changes: Any) -> bytes:
    """Pack members, with a manifest that fits them unless they bring their own."""
    members = dict(contents)
    manifest = json.loads(members.pop("bundle.json"))
    if "raw" not in changes:
        manifest["members"] = [
            {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in members.items()
        ]
    manifest |= {key: value for key, value in changes.items() if key != "raw"}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("bundle.json", json.dumps(manifest))
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def with_json(name: str, change: Callable[[Any], Any]) -> bytes:
    members = parts()
    value = json.loads(members[name])
    changed = change(value)
    members[name] = json.dumps(value if changed is None else changed).encode()
    return packed(members)


def with_text(name: str, text: bytes) -> bytes:
    return packed(parts() | {name: text})


def without(name: str) -> bytes:
    members = parts()
    del members[name]
    return packed(members)


def with_info(name: str, **changes: Any) -> bytes:
    """Add a member whose directory entry says something special."""
    buffer = io.BytesIO(packed(parts()))
    with zipfile.ZipFile(buffer, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        info = zipfile.ZipInfo(name)
        for key, value in changes.items():
            setattr(info, key, value)
        archive.writestr(info, b"x")
    return buffer.getvalue()


def patched(signature: bytes, offset: int, value: bytes, data: bytes = WHOLE) -> bytes:
    """Change bytes behind the first header with a signature."""
    place = data.index(signature) + offset
    return data[:place] + value + data[place + len(value) :]


DIRECTORY, LOCAL, END = b"PK\1\2", b"PK\3\4", b"PK\5\6"


def bomb(*, declared: bool) -> bytes:
    """A member of a gigabyte in a megabyte."""
    data = packed(parts() | {"preview.png": PNG + bytes(20_000_000)}, method=zipfile.ZIP_DEFLATED)
    if declared:
        return data
    place = data.rindex(DIRECTORY)
    honest = patched(DIRECTORY, 24, struct.pack("<L", 100), data[place:])
    return data[:place] + honest


def huge_table() -> bytes:
    return with_text("sight.bin", b"WGSIGHT1" + (10**6).to_bytes(4, "little"))


BROKEN: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "0 bytes only"),
    "no archive": (lambda: b"x" * 100, "no end of a ZIP archive"),
    "a comment": (lambda: WHOLE[:-2] + b"\1\0x", "no end of a ZIP archive"),
    "data before": (lambda: b"#!/bin/sh\n" + WHOLE, "data before"),
    "too many members": (lambda: patched(END, 8, b"\xff\xff\xff\xff"), "65535 members"),
    "several disks": (lambda: patched(END, 4, b"\1\0"), "several files"),
    "name with dots": (lambda: with_info("../map.json"), "leads out"),
    "absolute name": (lambda: with_info("/map.json"), "leads out"),
    "drive": (lambda: with_info("C:map.json"), "leads out"),
    "backslashes": (lambda: with_info("..\\map.json"), "leads out"),
    "folder": (lambda: with_info("preview.png/"), "a folder"),
    "link": (lambda: with_info("extra.json", external_attr=0o120777 << 16), "is a link"),
    "unknown member": (lambda: with_info("extra.json"), "does not belong"),
    "same member twice": (lambda: with_info("map.json"), "there twice"),
    "unlisted member": (lambda: packed(parts(), members=[]), "not listed in bundle.json"),
    "missing map": (lambda: without("map.json"), "'map.json' is missing"),
    "missing sides": (lambda: without("sides.json"), "'sides.json' is missing"),
    "encrypted": (lambda: patched(DIRECTORY, 8, b"\1\0"), "encrypted"),
    "bzip2": (lambda: packed(parts(), method=zipfile.ZIP_BZIP2), "packed with method 12"),
    "changed content": (lambda: WHOLE.replace(b'"Desert"', b'"desert"'), "damaged"),
    "wrong hash": (lambda: packed(parts() | {"map.json": b"{}"}, raw=True), "map.json"),
    "wrong name inside": (lambda: patched(LOCAL, 30, b"Bundle.json"), "damaged"),
    "bomb by ratio": (lambda: bomb(declared=True), "unpacks to over 50 times"),
    "bomb that lies": (lambda: bomb(declared=False), "preview.png"),
    "declared too large": (lambda: patched(DIRECTORY, 24, b"\xff\xff\xff\x7f"), "2147483647 bytes"),
    "two sizes": (lambda: patched(DIRECTORY, 20, struct.pack("<L", 50_000)), "has two sizes"),
    "format": (lambda: packed(parts(), format="other"), "got the format 'other'"),
    "newer version": (lambda: packed(parts(), version=2), "newer than this reader"),
    "version as text": (lambda: packed(parts(), version="1"), "got the version '1'"),
    "version true": (lambda: packed(parts(), version=True), "got the version True"),
    "title": (lambda: packed(parts(), title=3), "title is no text"),
    "sources": (lambda: packed(parts(), sources="x"), "sources"),
    "members": (lambda: packed(parts(), members={"map.json": 1}), "members is no list"),
    "member itself": (lambda: packed(parts(), members=[{"name": "bundle.json"}]), "is not listed"),
    "other game": (lambda: packed(parts(), ruleset="chess"), "bundle.json says 'chess'"),
    "key twice": (lambda: with_text("sides.json", b'[{"a": 1, "a": 2}]'), "key 'a' is there twice"),
    "NaN": (lambda: with_text("sides.json", b"[NaN]"), "NaN is no number"),
    "infinity": (lambda: with_text("sides.json", b"[1e999]"), "too large"),
    "digits": (lambda: with_text("sides.json", b"[" + b"9" * 10_000 + b"]"), "too large"),
    "nesting": (lambda: with_text("sides.json", b"[" * 40 + b"]" * 40), "nested deeper"),
    "deep nesting": (lambda: with_text("sides.json", b"[" * 10**6 + b"]" * 10**6), "nested deeper"),
    "half a character": (lambda: with_text("sides.json", b'["\\ud800"]'), "not sound UTF-8"),
    "not UTF-8": (lambda: with_text("sides.json", b'["\xff"]'), "not sound UTF-8"),
    "byte order mark": (lambda: with_text("sides.json", b"\xef\xbb\xbf[]"), "not JSON"),
    "many values": (lambda: with_text("map.json", b"[" + b"0," * 1_300_000 + b"0]"), "more values than are read"),
    "map of another kind": (lambda: with_json("map.json", lambda _: []), "map.json: got no"),
    "no locations": (lambda: with_json("locations.json", lambda _: []), "no list of locations"),
    "label twice": (lambda: with_json("locations.json", lambda v: v[1].update(label="0101")), "there twice"),
    "no label": (lambda: with_json("locations.json", lambda v: v[1].update(label=3)), "'label' is 3"),
    "unknown neighbour": (
        lambda: with_json("locations.json", lambda v: v[0].update(neighbours=["x"])),
        "which there is not",
    ),
    "sheet as number": (lambda: with_json("locations.json", lambda v: v[0].update(sheet=1)), "'sheet' is 1"),
    "one-way neighbour": (lambda: with_json("locations.json", lambda v: v[0].update(neighbours=[])), "other way round"),
    "side of nowhere": (lambda: with_json("sides.json", lambda v: v[0].update(a="x")), "not between two locations"),
    "sight magic": (lambda: with_text("sight.bin", b"x" * 112), "at its start"),
    "sight length": (huge_table, "allowed 112 for 20"),
    "preview": (lambda: with_text("preview.png", b"<svg>"), "not a PNG"),
}


def test_repacked_bundles_are_read() -> None:
    assert read(packed(parts())).title == "First contact"
    assert read(packed(parts(), method=zipfile.ZIP_DEFLATED)).sight("0101", "0102") == read(WHOLE).sight("0101", "0102")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_bundle_is_refused_quickly_and_in_little_memory(name: str) -> None:
    make, words = BROKEN[name]
    data = make()
    tracemalloc.start()
    try:
        start = time.perf_counter()
        with pytest.raises(BundleError) as caught:
            read(data)
        taken, (_, peak) = time.perf_counter() - start, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert words in str(caught.value)
    assert taken < 5  # a second, and room for a machine under load that traces memory
    assert peak < 64 * 1024 * 1024 + 2 * len(data)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no such file"):
        read_bundle(tmp_path / "x")
    with pytest.raises(BundleError, match="is a folder"):
        read_bundle(tmp_path)
    with pytest.raises(BundleError, match=r"x\.zip: not a bundle"):
        (tmp_path / "x.zip").write_bytes(b"")
        read_bundle(tmp_path / "x.zip")


def test_what_is_no_regular_file_is_said_once_and_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(BundleError) as caught:
        read_bundle("nofile")
    assert str(caught.value) == "nofile: there is no such file"
    with pytest.raises(BundleError, match="no regular file: no file can have such a name"):
        read_bundle("nul\0byte")
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(BundleError) as caught:
            read_bundle(path)
        assert str(caught.value) == f"{path}: is no regular file (a pipe, a socket or a device)"


def test_every_cut_bundle_is_refused() -> None:
    for length in range(0, len(WHOLE), 37):
        with pytest.raises(BundleError):
            read(WHOLE[:length])


@settings(max_examples=300)
@given(st.data())
def test_random_damage_is_refused_or_harmless(data: st.DataObject) -> None:
    damaged = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        near_end = data.draw(st.booleans())
        low = len(WHOLE) - 700 if near_end else 0
        damaged[data.draw(st.integers(low, len(WHOLE) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = read(bytes(damaged))
    except BundleError as error:
        assert str(error)
    else:
        # Dates, permissions and reserved fields of the archive carry no content.
        whole = read(WHOLE)
        assert (found.map, found.locations, found.sides) == (whole.map, whole.locations, whole.sides)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(JSON, st.data())
def test_random_json_in_any_place_is_refused_or_read(value: Any, data: st.DataObject) -> None:
    members = parts()
    name = data.draw(st.sampled_from([name for name in members if name.endswith(".json")]))
    document = json.loads(members[name])
    here = document
    for _ in range(data.draw(st.integers(0, 3))):
        if not isinstance(here, dict | list) or not here:
            break
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if data.draw(st.booleans()) or not isinstance(here[key], dict | list):
            here[key] = value
            break
        here = here[key]
    members[name] = json.dumps(document).encode()
    try:
        read(packed(members, **({"raw": True} if name == "bundle.json" else {})))
    except BundleError as error:
        assert str(error)


@given(st.binary(max_size=200))
def test_random_members_are_refused_or_read(data: bytes) -> None:
    for name in ("map.json", "sides.json"):
        try:
            read(with_text(name, data))
        except BundleError as error:
            assert name in str(error)


def test_the_documentation_names_every_key_and_its_example_is_right() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    kinds: list[type[msgspec.Struct]] = [Location, Side, SetUpRecord, SideRecord, AreaRecord, FormationRecord]
    for kind in (*kinds, PlacedUnitRecord, RestraintRecord, ObjectiveRecord, TurnRecord, KindRecord):
        for name in kind.__struct_fields__:
            assert f"`{name}`" in text, (kind, name)
    for name in (*reader.REQUIRED, *reader.OPTIONAL):
        assert f"`{name}`" in text, name
    codes = np.array([[1, 1], [3, 1]])
    assert bundle_members.sight_bytes(codes, ["a", "b"]).hex(" ") == "57 47 53 49 47 48 54 31 02 00 00 00 20"
    assert "57 47 53 49 47 48 54 31  02 00 00 00  20" in text

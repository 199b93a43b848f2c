"""Both readers: the same verdict, the same word and the same content, on the corpus and on damaged bundles."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.files import reader
from tests.exchange.bundle.broken import BROKEN, tiny
from tests.exchange.bundle.corpus import FOLDER, write_corpus
from tests.exchange.bundle.node import READER, NodeReader, python_code
from tests.exchange.bundle.packing import DEFLATED, bundled, deflated, facts_of, parts_of, zipped
from tests.exchange.bundle.valid import VALID, bare, small
from tests.project.tree import ROOT

DOCUMENTATION = ROOT / "docs" / "bundle-format.md"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
LISTED: dict[str, dict[str, Any]] = {one["file"]: one for one in MANIFEST["bundles"]}
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def node() -> Iterator[NodeReader]:
    with NodeReader() as running:
        yield running


# -- the corpus --------------------------------------------------------------------------------------------------------


def test_the_corpus_is_whole_and_small() -> None:
    files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.bundle.zip")}
    assert files == set(LISTED)
    assert files == {f"valid/{name}.bundle.zip" for name in VALID} | {f"broken/{name}.bundle.zip" for name in BROKEN}
    assert sum(path.stat().st_size for path in FOLDER.rglob("*")) < 1_500_000
    assert len(VALID) >= 12
    assert len(BROKEN) >= 40


@pytest.mark.parametrize("file", LISTED)
def test_the_python_reader_judges_the_corpus_as_it_says(file: str) -> None:
    said = LISTED[file]
    data = (FOLDER / file).read_bytes()
    assert python_code(data) == said.get("code", "")
    if said["verdict"] == "valid":
        assert facts_of(reader.read_bundle(io.BytesIO(data))) == said["facts"]


@pytest.mark.node
@pytest.mark.parametrize("file", LISTED)
def test_the_javascript_reader_judges_the_corpus_as_it_says(node: NodeReader, file: str) -> None:
    found = node.verdict((FOLDER / file).read_bytes())
    assert found["code"] == LISTED[file].get("code", "")
    assert bool(found["message"]) == bool(found["code"])


@pytest.mark.node
@pytest.mark.parametrize("name", VALID)
def test_both_readers_find_the_same_content(node: NodeReader, name: str) -> None:
    data = (FOLDER / "valid" / f"{name}.bundle.zip").read_bytes()
    mine, other = reader.read_bundle(io.BytesIO(data)), node.whole(data)
    for part, value in other["content"].items():
        assert value == getattr(mine, part), part
    preview = None if mine.preview is None else base64.b64encode(mine.preview).decode()
    assert other["preview"] == preview
    if other["sight"] is not None:
        labels = [location["label"] for location in mine.locations][:40]
        assert other["sight"] == [[mine.sight(a, b) for b in labels] for a in labels]


QUICK = [name for name in VALID if not name.endswith("-scenario")]
HASHES = """
import hashlib
from tests.exchange.bundle.test_readers import BROKEN, QUICK, VALID
for name, (_, make) in [*((name, VALID[name]) for name in [*QUICK, "fury-scenario"]), *BROKEN.items()]:
    print(name, hashlib.sha256(make()).hexdigest())
"""


def test_the_corpus_is_made_alike_every_time() -> None:
    outputs = []
    for seed, zone in (("3", "Asia/Tokyo"), ("4", "America/Lima")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        command = [sys.executable, "-c", HASHES]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == len(QUICK) + 1 + len(BROKEN)


def test_the_corpus_can_be_written_anew(tmp_path: Path) -> None:
    made = write_corpus(tmp_path, valid=["own-game", "draft"], broken=["bomb", "empty-file"])
    assert json.loads((tmp_path / "manifest.json").read_text("utf-8")) == made
    assert [one["file"] for one in made["bundles"]] == [
        *("valid/own-game.bundle.zip", "valid/draft.bundle.zip"),
        *("broken/bomb.bundle.zip", "broken/empty-file.bundle.zip"),
    ]
    for one in made["bundles"]:
        assert python_code((tmp_path / one["file"]).read_bytes()) == one.get("code", "")


def test_the_runner_in_python_agrees_and_tells_what_is_wrong(tmp_path: Path) -> None:
    run = FOLDER / "run.py"
    done = subprocess.run([sys.executable, "-E", "-S", str(run)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(LISTED)} of {len(LISTED)} bundles judged rightly\n")
    careless = tmp_path / "careless.py"
    careless.write_text("import sys, zipfile\nzipfile.ZipFile(sys.argv[1]).read('bundle.json')\n", encoding="utf-8")
    write_corpus(tmp_path, valid=["own-game"], broken=["wrong-hash", "empty-file"])
    shutil.copy(run, tmp_path)
    command = [sys.executable, str(tmp_path / "run.py"), "--", sys.executable, "-S", str(careless)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "broken/wrong-hash.bundle.zip: found valid, is broken" in done.stdout
    assert done.stdout.endswith("2 of 3 bundles judged rightly\n")


@pytest.mark.node
def test_the_runner_in_javascript_agrees() -> None:
    done = subprocess.run(["node", str(FOLDER / "run.mjs")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{len(LISTED)} of {len(LISTED)} bundles judged rightly\n")


def test_the_documentation_lists_the_words_and_the_limits() -> None:
    text = DOCUMENTATION.read_text("utf-8")
    for code in {code for code, _ in BROKEN.values()}:
        assert f"| `{code}` |" in text, code
    for name, limit in reader.LIMITS.items():
        assert f"| `{name}` | {limit // MIB} MiB |" in text, name
    flat = " ".join(text.split())
    assert f"{reader.MAX_FILE // MIB} MiB" in flat
    assert f"{reader.RATIO} times its packed size" in flat
    assert f"{reader.MAX_WEIGHT:,}".replace(",", " ") in flat
    assert f"{reader.MAX_WEIGHT_STORED:,}".replace(",", " ") in flat


def test_the_readers_have_the_same_limits() -> None:
    text = READER.read_text("utf-8")
    assert f"MAX_WEIGHT = {reader.MAX_WEIGHT:_}, MAX_WEIGHT_STORED = {reader.MAX_WEIGHT_STORED:_}" in text
    assert f"RATIO = {reader.RATIO}, RATIO_FROM = {reader.RATIO_FROM // MIB} * MIB" in text
    assert f"MAX_FILE = {reader.MAX_FILE // MIB} * MIB" in text
    assert f"MAX_MEMBER = {reader.MAX_MEMBER // MIB} * MIB" in text
    assert f"MAX_DEPTH = {reader.MAX_DEPTH}" in text
    for name, limit in reader.LIMITS.items():
        assert f'"{name}": {"" if limit == MIB else f"{limit // MIB} * "}MIB' in text, name


# -- damage ------------------------------------------------------------------------------------------------------------


BASES = {"stored": small(), "deflated": bundled(parts_of(tiny()), method=DEFLATED), "no more": tiny()}
JSONS = sorted(name for name in parts_of(tiny()) if name.endswith(".json"))


@pytest.mark.node
@given(st.data())
def test_bytes_that_flip_get_the_same_verdict(node: NodeReader, data: st.DataObject) -> None:
    base = BASES[data.draw(st.sampled_from(sorted(BASES)))]
    damaged = bytearray(base)
    for _ in range(data.draw(st.integers(1, 4))):
        low = len(base) - 900 if data.draw(st.booleans()) else 0
        damaged[data.draw(st.integers(low, len(base) - 1))] = data.draw(st.integers(0, 255))
    mine, other = python_code(bytes(damaged)), node.verdict(bytes(damaged))["code"]
    assert bool(mine) == bool(other)


PIECES = st.sampled_from(
    [
        *(b'"', b"\\", b"\\u", b"\\ud83d", b"\\ude00", b"\\u0000", b"{", b"}", b"[", b"]", b",", b":", b"-", b"/"),
        *(b"0", b"01", b"1e5", b"1E400", b"-0", b"0.5", b".", b"true", b"nul", b"null", b"NaN", b"-Infinity", b"1.0"),
        *(b" ", b"\n", b"\x00", b"\x7f", b"\xc3\xa9", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x8f\xb0", b"\xe2\x80\xa8"),
        *(b"9007199254740992", b'"__proto__"', b'"label"', b"\xef\xbb\xbf", b'"a":1,'),
    ]
)


@pytest.mark.node
@given(st.data())
def test_json_that_is_edited_gets_the_same_verdict(node: NodeReader, data: st.DataObject) -> None:
    """The hash is right: what is left is the JSON, and what it says."""
    parts = parts_of(tiny())
    name = data.draw(st.sampled_from([name for name in JSONS if name != "bundle.json"]))
    text = bytearray(parts[name])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(PIECES)
    damaged = bundled({**parts, name: bytes(text)})
    mine, other = python_code(damaged), node.verdict(damaged)["code"]
    assert bool(mine) == bool(other), (mine, other)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
    | st.sampled_from(["0101", "squad-1", "patrol", "__proto__", "constructor", "clear", "", 0, 1, 1.0, -1, "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.node
@given(st.data())
def test_values_that_are_changed_get_the_same_word(node: NodeReader, data: st.DataObject) -> None:
    parts = parts_of(tiny())
    name = data.draw(st.sampled_from(JSONS))
    document = json.loads(parts[name])
    here = document
    while isinstance(here, dict | list) and here:
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or data.draw(st.integers(0, 3)) == 0:
            if isinstance(here, dict) and data.draw(st.integers(0, 4)) == 0:
                del here[key]
            else:
                here[key] = data.draw(VALUES)
            break
        here = here[key]
    changed = {**parts, name: json.dumps(document).encode()}
    damaged = zipped(changed) if name == "bundle.json" else bundled(changed)
    mine, other = python_code(damaged), node.verdict(damaged)["code"]
    assert mine == other


SIGN = b"\x89PNG\r\n\x1a\n"
CONTENTS = st.binary(max_size=2000) | st.builds(
    lambda pieces, times: b"".join(pieces) * times, st.lists(st.binary(max_size=40), max_size=8), st.integers(1, 300)
)


def with_stream(content: bytes, stream: bytes) -> bytes:
    """Return a bundle whose picture is packed as given."""
    parts = {**parts_of(bare()), "preview.png": content}
    return bundled(parts, entries={"preview.png": {"how": DEFLATED, "stream": stream}})


@pytest.mark.node
@given(CONTENTS, st.integers(0, 9), st.integers(0, 4), st.integers(9, 15), st.integers(1, 9))
def test_what_is_deflated_in_any_way_is_unpacked_alike(
    node: NodeReader, content: bytes, level: int, strategy: int, window: int, memory: int
) -> None:
    packing = zlib.compressobj(level, zlib.DEFLATED, -window, memory, strategy)
    stream = packing.compress(SIGN + content[: len(content) // 2])
    stream += packing.flush(zlib.Z_FULL_FLUSH) + packing.compress(content[len(content) // 2 :]) + packing.flush()
    data = with_stream(SIGN + content, stream)
    assert reader.read_bundle(io.BytesIO(data)).preview == SIGN + content
    assert base64.b64decode(node.whole(data)["preview"]) == SIGN + content


@pytest.mark.node
@given(CONTENTS, st.data())
def test_deflated_bytes_that_are_changed_are_unpacked_alike_or_refused(
    node: NodeReader, content: bytes, data: st.DataObject
) -> None:
    """Sizes and hashes are those of what the changed bytes unpack to, so that nothing else refuses them."""
    stream = bytearray(deflated(SIGN + content))
    for _ in range(data.draw(st.integers(1, 2))):
        stream[data.draw(st.integers(min(8, len(stream) - 1), len(stream) - 1))] = data.draw(st.integers(0, 255))
    unpacking = zlib.decompressobj(-15)
    try:
        found = unpacking.decompress(bytes(stream), 1_000_000)
    except zlib.error:
        found = SIGN + content
    damaged = with_stream(found, bytes(stream))
    assert python_code(damaged) == node.verdict(damaged)["code"]


# -- hostile files -----------------------------------------------------------------------------------------------------


def hostile() -> dict[str, bytes]:
    """Return files that cost a careless reader much more than they weigh; up to 2 MB each."""
    parts = parts_of(tiny())

    def with_(name: str, data: bytes, method: int = DEFLATED) -> bytes:
        return bundled({**parts, name: data}, method=method)

    return {
        "a picture of 60 MB in 60 kB": with_("preview.png", parts["preview.png"] + bytes(60_000_000)),
        "4 MiB of spaces": with_("sides.json", b" " * (4 * MIB - 2)),
        "lists in lists": with_("sides.json", b"[" * 800_000 + b"]" * 800_000),
        "objects in objects": with_("sides.json", b'{"a":' * 175_000 + b"1" + b"}" * 175_000),
        "empty lists": with_("sides.json", b"[" + b"[]," * 490_000 + b"[]]"),
        "empty objects": with_("sides.json", b"[" + b"{}," * 270_000 + b"{}]"),
        "small objects": with_("sides.json", b"[" + b'{"a":1},' * 150_000 + b"{}]"),
        "keys": with_("sides.json", b"[{" + b",".join(b'"%06x":1' % n for n in range(275_000)) + b"}]"),
        "floats": with_("sides.json", b"[" + b"0.1," * 1_000_000 + b"1]"),
        "texts": with_("sides.json", b"[" + b'"\xc3\xa91",' * 600_000 + b'""]'),
        "half characters": with_("sides.json", b"[" + b'"\\udc00",' * 400_000 + b'""]'),
        "digits": with_("sides.json", b"[" + b"9" * 3_000_000 + b"]"),
        "one long text": with_("sides.json", b'["' + b"a" * (4 * MIB - 10) + b'"]'),
        "stored empty objects": with_("sides.json", b"[" + b"{}," * 660_000 + b"{}]", 0),
        "a table of billions": with_("sight.bin", b"WGSIGHT1" + b"\xff" * 4 + bytes(4 * MIB)),
        **{name: make() for name, (_, make) in BROKEN.items()},
    }


@pytest.fixture(scope="module")
def hostile_files() -> dict[str, bytes]:
    return hostile()


# Linux tells the most memory that a process has had; what Python says of it begins with that of its parent.
MEASURED = """
import io, re, sys, time
sys.path.append(sys.argv[1])
import reader

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) * 1024

data = sys.stdin.buffer.read()
before, used = peak(), []
for _ in range(2):
    begun, code = time.process_time(), ""
    try:
        reader.read_bundle(io.BytesIO(data))
    except reader.BundleError as error:
        code = error.code
    used.append(time.process_time() - begun)
print(code, peak() - before, min(used))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.slow
def test_the_python_reader_refuses_hostile_files_quickly_and_in_little_memory(hostile_files: dict[str, bytes]) -> None:
    for name, data in hostile_files.items():
        assert len(data) < 2_100_000
        if name in BROKEN and len(data) < 20_000:
            begun = time.process_time()
            assert python_code(data), name
            assert time.process_time() - begun < 1, name
            continue
        command = [sys.executable, "-S", "-c", MEASURED, str(READER.parent)]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        code, memory, seconds = done.stdout.split()
        assert code, name
        assert int(memory) < 100 * MIB, name
        assert float(seconds) < 1, name


@pytest.mark.node
@pytest.mark.slow
def test_the_javascript_reader_refuses_hostile_files_quickly_and_in_little_memory(
    hostile_files: dict[str, bytes],
) -> None:
    for name, data in hostile_files.items():
        if name in BROKEN and len(data) < 20_000:
            continue
        with NodeReader() as one:
            one.verdict(tiny())
            before = one.memory()
            found = one.verdict(data)
            assert found["code"], name
            # What the test hands over, in base64 and as bytes, is not the reader's.
            assert one.memory() - before - 4 * len(data) < 100 * MIB, name
            assert min(found["seconds"], one.verdict(data)["seconds"]) < 1, name

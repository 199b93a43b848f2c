"""Maps as text: round trips to the byte, and faults that name their place."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import DocumentError, StudioError
from studio.files import MIGRATIONS, MissingFileError, read_map, read_scenario, write_map_text, write_scenario_text
from studio.files.faults import MAX_FAULTS
from studio.files.reading import load_map
from studio.grid import Axis, HexGrid, LabelScheme
from studio.model import (
    MAP_FORMAT,
    Condition,
    Force,
    Formation,
    MapModel,
    MapUse,
    Name,
    Objective,
    ScenarioDocument,
    SetUp,
    SpecialRules,
    UnitRecord,
)
from tests.files.helpers import STUB, maps, new_map, sample_map


def opened(text: bytes) -> MapModel:
    return read_map(text, ruleset=STUB)


def plain() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(write_map_text(sample_map()))
    return document


def faults_of(document: Any, **options: Any) -> list[Any]:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(DocumentError) as caught:
        read_map(text, ruleset=STUB, **options)
    return caught.value.faults


def only_fault(document: Any) -> Any:
    faults = faults_of(document)
    assert len(faults) == 1, faults
    return faults[0]


# -- text --------------------------------------------------------------------------------------------------------------


@given(maps())
def test_a_map_comes_back_and_gives_the_same_bytes(model: MapModel) -> None:
    text = write_map_text(model)
    back = opened(text)
    assert write_map_text(back) == text
    assert (back.terrain == model.terrain).all()
    assert (back.levels == model.levels).all()
    assert (back.sides, back.labels.scheme) == (model.sides, model.labels.scheme)
    assert back.features == model.features
    assert text.endswith(b"}\n")
    assert b"\r" not in text


def test_the_text_is_made_for_git() -> None:
    before = write_map_text(sample_map()).decode().splitlines()
    model = sample_map()
    model.terrain[2, 3] = 1
    model.features["road-2"] = model.features["road-1"].__class__(id="road-2", path=("0101", "0102"))
    after = write_map_text(model).decode().splitlines()
    # One row, one road, and the comma of the record that was the last one.
    assert len(set(after) - set(before)) == 3
    assert len(set(before) - set(after)) == 1


def test_grid_and_labels_are_complete_and_defaults_of_features_are_left_out() -> None:
    document = plain()
    assert set(document["grid"]) == set(HexGrid.__struct_fields__) - {"parts"}
    assert set(document["labels"]) == set(LabelScheme.__struct_fields__)
    assert set(document["labels"]["columns"]) == set(Axis.__struct_fields__)
    assert document["features"][-1] == {"kind": "road", "id": "road-1", "path": ["0101", "0201", "0301"]}
    assert list(document)[:6] == ["format", "version", "title", "ruleset", "grid", "labels"]


def test_whole_numbers_and_floats_give_the_same_text() -> None:
    one, two = new_map(), new_map()
    one.features["n"] = Name(id="n", text="x", at=(0, 0), size=1, angle=-0.0)
    two.features["n"] = Name(id="n", text="x", at=(0, 0), size=1.0, angle=0.0)
    assert write_map_text(one) == write_map_text(two)


@pytest.mark.parametrize(
    "feature",
    [
        Name(id="n", text="x", at=(0, 0), size=float("nan")),
        Name(id="n", text="x", at=(0, 0), size=float("inf")),
        Name(id="n", text="\ud800", at=(0, 0)),
        Name(id="no spaces", text="x", at=(0, 0)),
        Name(id="far", text="x", at=(10**7, 0)),
        Name(id="far", text="x", at=(10**30, 0)),
    ],
)
def test_nothing_is_written_that_could_not_be_read(feature: Name) -> None:
    model = new_map()
    model.features["n"] = feature
    with pytest.raises(DocumentError):
        write_map_text(model)


# -- faults of the file ----------------------------------------------------------------------------------------------


def test_every_cut_file_says_that_it_is_cut() -> None:
    text = write_map_text(sample_map())
    for length in range(1, len(text) - 2):
        fault = only_fault(text[:length])
        assert "cut off" in fault.message, text[:length][-20:]
        assert "line " in fault.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "UTF-16"),
        (b'{"format": "wargame-studio/map",\n "title": "\xe9"}', "not UTF-8 at byte 44 (line 2"),
        (b"[1]", "one JSON object"),
        (b"null", "one JSON object"),
        (b"{'a': 1}", "not JSON at line 1, column 2"),
        (b'{"a": NaN}', "got NaN"),
        (b'{"a": -Infinity}', "got -Infinity"),
        (b'{"a": 1}}', "not JSON"),
        (b'{"a": 1,\n<<<<<<< HEAD\n', "git merge"),
        (b'{"a":' + b"[" * 200_000, "nested deeper"),
    ],
)
def test_a_file_that_is_no_document(data: bytes, words: str) -> None:
    fault = only_fault(data)
    assert words in fault.message
    assert fault.remedy


def test_files_that_cannot_be_opened(tmp_path: Any) -> None:
    (tmp_path / "valley.map.json").write_bytes(b"{}")
    with pytest.raises(MissingFileError, match=r"did you mean 'valley.map.json'"):
        read_map(tmp_path / "vally.map.json")
    with pytest.raises(FileNotFoundError):
        read_map(tmp_path / "nowhere" / "x")
    with pytest.raises(DocumentError, match="is a folder"):
        read_map(tmp_path)
    with pytest.raises(DocumentError, match="allowed 1"):
        read_map(tmp_path / "valley.map.json", limit=1)
    with pytest.raises(DocumentError, match="allowed 1"):
        read_map(b"{}", limit=1)
    with pytest.raises(DocumentError, match="cannot be read"):
        read_map("nul\0byte")
    with pytest.raises(DocumentError, match="not a folder"):
        read_map(tmp_path / "valley.map.json" / "x")
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DocumentError, match="not a plain file"):
        read_map(tmp_path / "pipe")


def test_a_key_given_twice_is_no_silent_loss() -> None:
    text = write_map_text(sample_map()).replace(b'"T": "town"', b'"l": "town"')
    assert "'l' twice" in only_fault(text).message


def test_keys_given_twice_are_counted_but_not_all_listed() -> None:
    many = ",".join(['{"a": 1, "a": 2}'] * 5000)
    faults = faults_of(write_map_text(sample_map())[:-2] + f', "zz": [{many}]}}'.encode())
    assert len(faults) == MAX_FAULTS + 1
    assert "was not looked at" in faults[-1].message
    long, times = "k" * 10_000, ",".join(['"kkk": 1'] * 100_000)
    fault = only_fault(write_map_text(sample_map())[:-2] + f', "zz": {{{times}}}}}'.encode())
    assert "'kkk' 100000 times" in fault.message
    fault = only_fault(f'{{"format": "wargame-studio/map", "version": 1, "{long}": 1, "{long}": 1}}'.encode())
    assert len(fault.message) < 200


# -- hostile files -----------------------------------------------------------------------------------------------------


def _more(text: str, place: str = "") -> bytes:
    """Return the sample map with more in one of its lists, or with another key."""
    sample = write_map_text(sample_map()).decode()
    if place:
        assert place in sample
        return sample.replace(place, f"{place}{text},", 1).encode()
    return f'{sample[:-2]}, "zz": [{text}]}}'.encode()


HOSTILE = {
    "lists": (lambda: _more(",".join(["[]"] * 3_000_000)), "values and keys, allowed"),
    "unknown key": (lambda: _more(",".join(["[]"] * 500_000)), "unknown field `zz`"),
    "sources": (lambda: _more(",".join(["{}"] * 150_000), '"sources": ['), "missing required field"),
    "few sources": (lambda: _more(",".join(["{}"] * 15_000), '"sources": ['), "is missing"),
    "sides": (lambda: _more(",".join(['["", "", []]'] * 100_000), '"sides": ['), "malformed hex label"),
    "kinds": (
        lambda: _more('["0101", "0102", [' + ",".join(['"k"'] * 60_000) + "]]", '"sides": ['),
        "unknown hexside",
    ),
    "rows": (lambda: _more(",".join(['""'] * 900_000), '"rows": ['), "rows, allowed 4"),
    "legend": (
        lambda: _more(",".join(f'"{chr(0x10000 + number)}": 1' for number in range(100_000)), '"legend": {'),
        "allowed 1000",
    ),
    "format": (lambda: b'{"format": [' + b"[]," * 500_000 + b"[]]}", "got text '[[],"),
    "long label": (lambda: _more(f'["{"x" * 5_000_000}", "0101", []]', '"sides": ['), "label of 5000000 characters"),
    "long number": (lambda: _more("9" * 5_000_000), "unknown field"),
    "emoji": (lambda: _more('"' + "x" * 20_000_000 + '\U0001f600"'), "unknown field"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_little_time_and_memory(name: str) -> None:
    make, words = HOSTILE[name]
    data = make()
    tracemalloc.start()
    try:
        start = time.process_time()
        with pytest.raises(DocumentError) as caught:
            read_map(data, ruleset=STUB)
        taken, (_, peak) = time.process_time() - start, tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert words in str(caught.value)
    assert len(caught.value.faults) <= MAX_FAULTS + 1
    assert len(str(caught.value)) < 20_000
    assert taken < 6  # two seconds, and what tracing the memory costs
    assert peak < 300 * 1024 * 1024 + len(data)


def test_of_a_large_file_the_first_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    document = plain()
    document["grid"]["columns"] = "5"
    document["sides"] = 7
    assert len(faults_of(document)) == 2
    monkeypatch.setattr("studio.files.decode.FULL_LIST_BYTES", 100)
    first, note = faults_of(document)
    assert first.path == "$.grid.columns"
    assert "got `str`" in first.message
    assert "once this one is mended" in note.message


def test_the_limit_of_values_goes_by_the_limit_of_bytes() -> None:
    line = ",".join(["[0,0]"] * 800_000)
    text = _more(f'{{"kind": "contour", "id": "c", "level": 1, "line": [{line}]}}', '"features": [')
    assert "raise `limit` to " in only_fault(text).remedy
    needed = int(only_fault(text).remedy.split("`limit` to ")[1].split()[0])
    assert len(read_map(text, ruleset=STUB, limit=needed).features) == 6


# -- versions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("format", "wargame-studio/scenario", "open it with studio.open_scenario"),
        ("format", "other", "right file"),
        ("format", None, "right file"),
        ("version", "1", "write 1"),
        ("version", True, "write 1"),
        ("version", 1.5, "write 1"),
        ("version", 2, "update"),
        ("version", 10**30, "update"),
        ("version", 0, "check the file"),
    ],
)
def test_what_a_file_says_of_itself(key: str, value: Any, words: str) -> None:
    document = plain() | {key: value}
    fault = only_fault(document)
    assert fault.path == f"$.{key}"
    assert words in fault.remedy


def test_an_old_version_is_brought_to_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(old: dict[str, Any]) -> dict[str, Any]:
        title = old.pop("name")
        return {**old, "title": title}

    monkeypatch.setitem(MIGRATIONS[MAP_FORMAT], 0, first)
    document = plain()
    old = {"name": document.pop("title"), **document, "version": 0}
    loaded = load_map(json.dumps(old).encode(), ruleset=STUB)
    assert loaded.model.title == "Sample «map»"
    assert "version 0" in loaded.notes[0]
    assert write_map_text(loaded.model) == write_map_text(sample_map())
    del old["name"]
    assert "cannot be brought to 1" in only_fault(old).message
    assert faults_of({**old, "name": 3})[0].path == "$.title"


# -- structure -------------------------------------------------------------------------------------------------------


def test_all_structural_faults_come_together() -> None:
    document = plain()
    document["grid"]["columns"] = "5"
    document["grid"]["stagger"] = "Odd"
    document["titel"] = document.pop("title")
    document["terrain"]["rows"][1] = 7
    del document["terrain"]["legend"]
    document["sides"] = [["0101", "0201"], ["0101", "0201", "fence"]]
    document["features"][0]["id"] = "no good"
    document["features"][1]["kind"] = "rode"
    del document["features"][2]["at"]
    document["levels"] = {"rows": []}
    found = {fault.path: fault for fault in faults_of(document)}
    assert "quotes" in found["$.grid.columns"].remedy
    assert "'odd'" in found["$.grid.stagger"].message
    assert "'titel'; did you mean 'title'" in found["$"].message
    assert "whole number" not in found["$.terrain.rows[1]"].message
    assert "'legend' is missing" in found["$.terrain"].message
    assert "$.sides[0]" in found
    assert found["$.sides[1][2]"].at == "0101/0201"
    assert found["$.features[0].id"].at == "no good"
    assert "road" in found["$.features[1].kind"].message
    assert "'at' is missing" in found["$.features[2]"].message
    assert "'legend' is missing" in found["$.levels"].message


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"columns": 0}, "$.grid"),
        ({"columns": 2001}, "$.grid"),
        ({"columns": 1e400}, "$.grid.columns"),
        ({"hex_height": -1}, "$.grid"),
        ({"half": ["top", "top"]}, "$.grid"),
        ({"half": ["up"]}, "$.grid.half[0]"),
    ],
)
def test_grids_that_cannot_be(change: dict[str, Any], path: str) -> None:
    document = plain()
    document["grid"] |= change
    text = json.dumps(document).replace("Infinity", "1e400").encode()
    assert any(fault.path.startswith("$.grid") or "number" in fault.message for fault in faults_of(text)), path


@pytest.mark.parametrize(
    ("axis", "change"),
    [
        ("columns", {"pad": 10**9}),
        ("columns", {"start": 10**12}),
        ("columns", {"style": "doubled_letters", "start": 10**6}),
        ("rows", {"skip": ["x"] * 2000}),
        ("columns", {"style": "letters", "start": 0}),
        ("columns", {"pad": -1}),
    ],
)
def test_labels_that_cannot_be(axis: str, change: dict[str, Any]) -> None:
    document = plain()
    document["labels"][axis] |= change
    assert only_fault(document).path.startswith("$.labels")


# -- the map ---------------------------------------------------------------------------------------------------------


def test_an_unknown_terrain_code_names_file_row_column_code_and_the_nearest(tmp_path: Any) -> None:
    file = tmp_path / "broken.map.json"
    document = plain()
    row = document["terrain"]["rows"][1]
    document["terrain"]["rows"][1] = row[:2] + "L" + row[3:]
    file.write_text(json.dumps(document))
    with pytest.raises(DocumentError) as caught:
        read_map(file, ruleset=STUB)
    message = str(caught.value)
    assert str(file) in message
    assert "row 2, column 3, hex 0302" in message
    assert "unknown terrain code 'L'; nearest known codes: 'l' (light_woods)" in message
    assert caught.value.faults[0].path == "$.terrain.rows[1][2]"


def test_a_code_of_the_ruleset_that_the_legend_lacks() -> None:
    document = plain()
    del document["terrain"]["legend"]["l"]
    assert "add 'l': 'light_woods' to the legend" in only_fault(document).remedy


def test_all_faults_of_the_map_come_together() -> None:
    document = plain()
    document["terrain"]["legend"]["?"] = "lite_woods"
    document["terrain"]["legend"]["ab"] = "marsh"
    document["terrain"]["legend"]["!"] = 3
    document["terrain"]["rows"][0] = "?. .."
    document["levels"]["legend"]["z"] = 13
    document["levels"]["legend"]["y"] = "one"
    document["levels"]["rows"].pop()
    document["sides"] += [
        ["0101", "0301", ["fence"]],
        ["0201", "0101", ["wall"]],
        ["0101", "9901", ["fense"]],
    ]
    features = document["features"]
    features.append({"kind": "marker", "id": "marker-1", "type": "smok", "at": "0101"})
    features.append({"kind": "road", "id": "r", "path": ["0101", "0301", "0x"]})
    features.append({"kind": "name", "id": "far", "text": "", "at": [10**30, 0]})
    features.append({"kind": "contour", "id": "c", "level": 50, "line": [[0, 0], [0, -99999]]})
    found = {fault.path: str(fault) for fault in faults_of(document)}
    expected = {
        "$.terrain.legend['?']": "did you mean 'light_woods'",
        "$.terrain.legend.ab": "one character",
        "$.terrain.legend['!']": "got the number 3",
        "$.terrain.rows[0][2]": "got a space",
        "$.levels.legend.z": "allowed -2 to 12",
        "$.levels.legend.y": "whole number",
        "$.levels.rows": "got 3 rows, allowed 4",
        "$.sides[1]": "not adjacent (distance 2)",
        "$.sides[2]": "listed already as $.sides[0]",
        "$.sides[3][1]": "9901",
        "$.sides[3][2][0]": "did you mean 'fence'",
        "$.features[5].id": "taken by $.features[2]",
        "$.features[5].type": "did you mean 'smoke'",
        "$.features[6].path[1]": "list every hex",
        "$.features[6].path[2]": "0x",
        "$.features[7].at": "off the map",
        "$.features[8].level": "allowed -2 to 12",
        "$.features[8].line[1]": "off the map",
    }
    assert set(found) == set(expected)
    for path, words in expected.items():
        assert words in found[path]


def test_short_lines_have_spaces() -> None:
    text = write_map_text(new_map(HexGrid(columns=3, rows=2, short=True)))
    document = json.loads(text)
    assert document["terrain"]["rows"] == ["...", ". ."]
    document["terrain"]["rows"][1] = "..."
    assert "no hex here" in only_fault(document).message


def test_many_faults_are_counted_but_not_all_listed() -> None:
    document = json.loads(write_map_text(new_map(HexGrid(columns=60, rows=60))))
    document["terrain"]["rows"] = ["#" * 60] * 60
    faults = faults_of(document)
    assert len(faults) == MAX_FAULTS + 1
    assert faults[-1].message.startswith(f"{3600 - MAX_FAULTS} more")


def test_an_unknown_ruleset() -> None:
    with pytest.raises(DocumentError, match=r"\$\.ruleset") as caught:
        read_map(write_map_text(sample_map()))
    assert len(caught.value.faults) == 1


def test_other_characters_than_ascii_are_codes_too() -> None:
    text = write_map_text(sample_map()).decode()
    document = json.loads(text)
    legend = document["terrain"]["legend"]
    legend["\N{DECIDUOUS TREE}"] = legend.pop("l")
    document["terrain"]["rows"] = [row.replace("l", "\N{DECIDUOUS TREE}") for row in document["terrain"]["rows"]]
    assert write_map_text(opened(json.dumps(document).encode())).decode() == text


@settings(max_examples=300)
@given(st.data())
def test_random_damage_gives_a_map_or_one_of_our_errors(data: st.DataObject) -> None:
    text = bytearray(write_map_text(sample_map()))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        match data.draw(st.integers(0, 2)):
            case 0:
                text[place] = data.draw(st.integers(0, 255))
            case 1:
                del text[place : place + data.draw(st.integers(1, 30))]
            case _:
                text[place:place] = data.draw(st.sampled_from((b'"', b"1e999", b"{", b"]", b"null", b"-", b"\\ud800")))
        if not text:
            break
    try:
        model = opened(bytes(text))
    except StudioError as error:
        assert str(error)
    else:
        assert opened(write_map_text(model)).features == model.features


# -- scenarios -------------------------------------------------------------------------------------------------------


def scenario() -> ScenarioDocument:
    return ScenarioDocument(
        title="First contact",
        ruleset="stub",
        map=MapUse(file="../maps/sample.map.json", first_column="01"),
        forces=[
            Force(
                id="blue",
                name="Blue",
                formations=(
                    Formation(
                        id="b1",
                        name="B1",
                        units=(UnitRecord(id="u1", type="tank", count=2), UnitRecord(id="u2", type="inf", at="0101")),
                        where=SetUp(hexes=("0101",), within=1),
                    ),
                ),
            ),
            Force(id="red", name="Red"),
        ],
        length=6,
        objectives=[Objective(id="o1", side="blue", points=3, event="hold", hexes=("0303",))],
        victory=Condition(side="blue", margin=2, otherwise="red"),
        special=SpecialRules(options={"border_rule": "strict"}, smoke=("0102",), texts=("No night.",)),
    )


def test_a_scenario_comes_back_and_gives_the_same_bytes() -> None:
    text = write_scenario_text(scenario())
    model = read_scenario(text, ruleset=STUB)
    assert model.document == scenario()
    assert write_scenario_text(model) == text
    assert b'{"id": "u1", "type": "tank", "count": 2},\n' in text


def test_faults_of_a_scenario() -> None:
    document = json.loads(write_scenario_text(scenario()))
    document["forces"][1]["id"] = "blue"
    with pytest.raises(DocumentError, match=r"forces\[1\].id .*taken by \$.forces\[0\]"):
        read_scenario(json.dumps(document).encode(), ruleset=STUB)
    document["forces"][0]["formations"][0]["units"][0]["count"] = 0
    document["objectives"][0]["event"] = "holds"
    with pytest.raises(DocumentError) as caught:
        read_scenario(json.dumps(document).encode(), ruleset=STUB)
    paths = [fault.path for fault in caught.value.faults]
    assert paths == ["$.forces[0].formations[0].units[0].count", "$.objectives[0].event"]
    with pytest.raises(DocumentError, match=r"studio\.open_map"):
        read_scenario(write_map_text(sample_map()))

"""Maps of several sheets in files and bundles: read back whole, and refused with the place where they cannot be."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.api import JoinWarning, Map, export_bundle
from studio.errors import DocumentError
from studio.files import load_map
from studio.model import MapUse, Source

HALF = ("left", "right", "top", "bottom")


@pytest.fixture(scope="module")
def joint() -> Map:
    def board(title: str) -> Map:
        made = studio.new_map("armageddon_war", columns=5, rows=4, title=title, half=HALF, short=True)
        made.set("sources", [Source(title="drawn for the tests", licence="CC0-1.0")])
        return made

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        both = studio.join_maps(board("West"), board("East"), turned=True, prefixes=("", "E"))
        return studio.join_maps(both, board("Caves"), edge="apart", prefixes=("", "U-"))


def plain(joint: Map) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(joint.to_text())
    return document


def test_a_joint_map_reads_back_to_the_byte(joint: Map) -> None:
    text = joint.to_text().encode()
    back = load_map(text, name="joint").model
    assert back.grid == joint.grid
    assert back.sheets == joint.model.sheets
    assert Map(back).to_text().encode() == text
    document = plain(joint)
    assert "labels" not in document
    assert [sheet["id"] for sheet in document["sheets"]] == ["west", "east", "caves"]
    assert document["grid"]["parts"][1]["turned"] is True
    # The half hexes of each map are those that it has alone; absent hexes are spaces.
    assert sum(row.count(" ") for row in document["terrain"]["rows"]) == joint.grid.cells - joint.grid.present.sum()


def test_maps_of_one_sheet_say_nothing_of_sheets() -> None:
    document = json.loads(studio.new_map("armageddon_war", columns=4, rows=3).to_text())
    assert "sheets" not in document
    assert "parts" not in document["grid"]


def drop(key: str, number: int) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        del (document["grid"]["parts"] if key == "parts" else document[key])[number]

    return change


def part(number: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["grid"]["parts"][number].update(fields)


def sheet(number: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["sheets"][number].update(fields)


HOSTILE: list[tuple[Callable[[dict[str, Any]], None], str, str]] = [
    (part(1, q=0, r=0, turned=False), "$.grid", "overlap"),
    (part(2, q=400), "$.grid", "reach out of the grid"),
    (part(2, q=-(10**15)), "$.grid", "reach out of the grid"),
    (part(0, columns=2000, rows=2000), "$.grid", "reach out of the grid"),
    (part(0, columns=10**9), "$.grid", "reach out of the grid"),
    (part(0, half=["left", "left"]), "$.grid", "each edge at most once"),
    (part(0, surprise=1), "$.grid.parts[0]", "surprise"),
    (part(0, stagger="both"), "$.grid.parts[0].stagger", "both"),
    (lambda document: document["grid"].update(parts=[document["grid"]["parts"][0]] * 65), "$.grid", "allowed 64"),
    (lambda document: document["grid"].update(half=["left"]), "$.grid", "leave `short` and `half`"),
    (drop("sheets", 2), "$.sheets", "got 2 sheets, allowed 3"),
    (lambda document: document.pop("sheets"), "$.sheets", "got 0 sheets, allowed 3"),
    (drop("parts", 2), "$.sheets", "got 3 sheets, allowed 2"),
    (sheet(1, prefix=""), "$.sheets", "names a hex of the sheet 'west' and another one of the sheet 'east'"),
    (sheet(1, id="west"), "$.sheets", "two have the id 'west'"),
    (sheet(1, id="no good"), "$.sheets[1].id", "rename it"),
    (sheet(1, prefix="x" * 21), "$.sheets[1].prefix", "20"),
    (sheet(1, layer="underground"), "$.sheets", "different layers, but touch"),
    (sheet(1, surprise=1), "$.sheets[1]", "surprise"),
    (lambda document: document["sheets"][1]["labels"]["columns"].update(pad=10**6), "$.sheets[1].labels", "pad"),
]


@pytest.mark.parametrize(("change", "path", "words"), HOSTILE)
def test_sheets_that_cannot_be_are_refused_with_their_place(
    joint: Map, change: Callable[[dict[str, Any]], None], path: str, words: str
) -> None:
    document = plain(joint)
    change(document)
    with pytest.raises(DocumentError) as caught:
        load_map(json.dumps(document).encode(), name="hostile")
    assert any(fault.path.startswith(path) and words in str(fault) for fault in caught.value.faults), caught.value


def test_the_bundle_says_of_every_location_where_it_lies(joint: Map, tmp_path: Path) -> None:
    joint.save(tmp_path / "joint.map.json")
    bundle = studio.open_bundle(export_bundle(joint, None, tmp_path / "joint.bundle.zip", preview=False))
    assert bundle.location("U-0302")["sheet"] == "caves"
    assert bundle.location("U-0302")["layer"] == "underground"
    assert bundle.location("E0301")["sheet"] == "east"
    assert len(bundle.locations) == int(joint.grid.present.sum())
    assert bundle.sight("0202", "U-0202") == "blocked"
    owners = {one["label"]: one["layer"] for one in bundle.locations}
    for one in bundle.locations:
        assert {owners[name] for name in one["neighbours"]} == {one["layer"]}


def test_in_play_of_the_bundle_is_that_of_the_sheets(joint: Map) -> None:
    from studio.files.bundle_members import _in_play

    use = MapUse(file="map.json", sheets=("caves",), out_of_play=("U-0101",))
    found = _in_play(joint.survey, use)
    assert found == {label for label in joint.labels.all() if label.startswith("U-")} - {"U-0101"}
    assert msgspec.json.decode(msgspec.json.encode(use), type=MapUse) == use

"""What the tools for things ask of Python: walls and arrows exactly, labels that are free, clouds, links and dots."""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.editor import MapEditor
from studio.errors import EditError
from studio.model import Aperture, Dot, Link, Marker, Place
from studio.model.topology.rings import lies_on

MAPS = Path(__file__).parents[2] / "maps"


class Asked:
    """An editor without a browser: what is sent to it, and what it sends back."""

    def __init__(self, document: Any) -> None:
        self.document, self.editor = document, MapEditor(document)
        self.sent: list[tuple[dict[str, Any], list[Any]]] = []
        self.editor.send = lambda content, buffers=None: self.sent.append((content, list(buffers or [])))
        self.seq = 0

    def ask(self, asked: str, /, **detail: Any) -> list[dict[str, Any]]:
        self.sent.clear()
        self.editor._on_message(self.editor, {"type": asked, "client": "me", **detail}, [])
        return [content for content, _ in self.sent]

    def one(self, asked: str, /, **detail: Any) -> dict[str, Any]:
        return next(content for content in self.ask(asked, **detail) if content["type"] == asked)

    def request(self, asked: str, /, **detail: Any) -> dict[str, Any]:
        self.seq += 1
        answers = self.ask(asked, seq=self.seq, **detail)
        assert any((one.get("ack") or {}).get("seq") == self.seq for one in answers), answers
        return next((one for one in answers if one["type"] == "error"), {})


def opened(tmp_path: Path, name: str) -> Asked:
    file = tmp_path / f"{name}.map.json"
    shutil.copy(MAPS / f"{name}.map.json", file)
    return Asked(studio.open_map(file, recover_unsaved=False))


@pytest.fixture
def house() -> Asked:
    """A house of two rooms, its facade slanted on one side, and an outer wall below it."""
    town = studio.new_map("urban_operations", columns=12, rows=10)
    ring = [[1800, 960], [3700, 960], [3907, 2101], [1800, 2101]]
    town.add("area", id="house", type="building", name="7", outline=ring)
    for name, label, (west, south_west), (east, south_east) in (
        ("left", "7.1", (1800, 1800), (2700, 2700)),
        ("right", "7.2", (2700, 2700), (3700, 3907)),
    ):
        room = [[west, 960], [east, 960], [south_east, 2101], [south_west, 2101]]
        town.add("area", id=name, type="room", name=label, within="house", outline=room)
    town.add("wall", id="wall", type="outer_wall", line=[[1200, 3120], [4500, 3120]])
    return Asked(town)


def test_the_choices_are_those_of_the_game(tmp_path):
    for name, kinds in {
        "urban-1": ("places", "apertures", "links", "markers"),
        "phantom-fury": ("places", "links", "markers"),
        "tactics-1": ("markers",),
        "armageddon-1": ("markers",),
    }.items():
        asked = opened(tmp_path, name)
        found, rules = asked.one("things"), asked.document.ruleset
        for kind in ("places", "apertures", "links", "markers"):
            listed = [one["id"] for one in found[kind]]
            assert listed == list(rules.drawn_types(kind[:-1]))
            assert bool(listed) == (kind in kinds)
        assert len(found["winds"]) == (12 if name == "urban-1" else 0)
    links = {one["id"]: one["ordered"] for one in opened(tmp_path, "phantom-fury").one("things")["links"]}
    assert links["egress"] is True
    assert links["arrow"] is False


def test_every_opening_of_a_map_is_found_where_it_is(tmp_path):
    """Each lies on its wall, belongs to its room, and its arrows are among those offered."""
    asked = opened(tmp_path, "urban-1")
    document = asked.document
    asked.one("wall", x=0, y=0, kind="aperture", reach=0.5)
    taken = []
    for one in document.survey.features_of(Aperture):
        begin = time.thread_time()
        found = asked.one("wall", x=one.at[0], y=one.at[1], kind=one.type, reach=0.5)["found"]
        # An edge of one unit lies at one of them.
        assert max(abs(found["at"][0] - one.at[0]), abs(found["at"][1] - one.at[1])) <= 1
        assert one.into in found["into"]
        options = asked.one("arrows", x=one.at[0], y=one.at[1], into=one.into)["options"]
        taken.append(time.thread_time() - begin)
        offered = {frozenset(option["labels"]) for option in options}
        assert {frozenset(arrow) for arrow in one.arrows} <= offered
    assert statistics.median(taken) < 0.05


def test_an_opening_snaps_to_its_wall_and_the_checks_are_content(house):
    document = house.document
    before = {one.message for one in document.check()}
    found = house.one("wall", x=3850, y=1500, kind="aperture", reach=0.5)["found"]
    assert found["into"] == ("7.2",)
    options = house.one("arrows", x=found["at"][0], y=found["at"][1], into="7.2")["options"]
    arrows = [list(options[0]["labels"]), list(options[1]["labels"])]
    record = {"id": "door", "type": "aperture", "at": found["at"], "into": "7.2", "arrows": arrows, "open": True}
    steps = len(document.history)
    assert house.request("opening", record=record) == {}
    assert len(document.history) == steps + 1
    door = document.features["door"]
    # Both outlines hold the point exactly, with a corner of their own where the lattice has none on the edge.
    for name in ("house", "right"):
        ring = document.features[name].outline
        assert any(lies_on(door.at, p, q) for p, q in zip(ring, (*ring[1:], ring[0]), strict=True))
    new = [one for one in document.check() if one.message not in before and "door" in (one.at, *[one.at])]
    assert new == []
    document.undo()
    assert "door" not in document.features
    assert len(document.features["house"].outline) == 4


def test_openings_are_in_facades_breaches_of_walls_in_outer_walls(house):
    # The partition between the rooms and a corner of the house are no place for an opening.
    inner = house.one("wall", x=2700, y=1530, kind="aperture", reach=0.4)["found"]
    assert inner is None
    corner = house.one("wall", x=1790, y=950, kind="breach", reach=0.5)["found"]
    assert corner["at"] not in ((1800, 960), [1800, 960])
    assert house.one("wall", x=2000, y=3100, kind="breach", reach=0.2)["found"] is None
    gap = house.one("wall", x=2000, y=3100, kind="wall_breach", reach=0.2)["found"]
    assert gap["at"][1] == 3120
    assert gap["into"]
    for label in gap["into"]:
        number = house.document.survey.directory.number(label)
        assert number < house.document.grid.cells


def test_the_arc_is_shaded_as_the_rules_have_it(house):
    house.ask("arc", key="k", x=3700, y=1100, into="7.2", arrows=[["0502"], ["0503"]])
    content, buffers = house.sent[0]
    cells = np.frombuffer(buffers[0], dtype="<u4").tolist()
    assert content == {"type": "arc", "client": "me", "key": "k"}
    assert [house.document.labels.label(cell) for cell in cells] == house.document.arc_of_fire(
        [3700, 1100], "7.2", [["0502"], ["0503"]]
    )
    assert house.document.labels.cell("0502") in cells
    errors = house.ask("arc", key="k", x=3700, y=1100, into="7.2", arrows=[["0502", "0902"]])
    assert any("not adjacent" in one.get("message", "") for one in errors)


def test_a_place_goes_into_its_area_with_the_next_free_label(tmp_path, house):
    record = house.one("place_at", kind="roof", x=2250, y=1500)["record"]
    assert (record["within"], record["name"], record["level"]) == ("house", "7 roof", 2)
    assert house.request("put_place", record=record) == {}
    assert isinstance(house.document.features[record["id"]], Place)
    again = house.one("place_at", kind="roof", x=2250, y=1500)["record"]
    assert again["name"] != "7 roof"
    refused = house.request("put_place", record={**again, "name": "7.1"})
    assert "7.1 is the label of another location" in refused["message"].replace("'", "")
    fury = opened(tmp_path, "phantom-fury")
    x, y = fury.document.survey.directory.dot(fury.document.survey.directory.number("1"))
    box = fury.one("place_at", kind="rooftop", x=x, y=y)["record"]
    assert fury.document.features[box["within"]].name == "1"
    assert box["name"].startswith("1 ")
    assert fury.document.survey.directory.find(box["name"]) is None


def test_links_join_locations_and_are_counted_on(tmp_path):
    fury = opened(tmp_path, "phantom-fury")
    document = fury.document
    old = [one.order for one in document.survey.features_of(Link) if one.type == "egress" and one.a == "1"]
    record = {
        "kind": "link",
        "id": "new",
        "type": "egress",
        "a": "1",
        "b": "S1",
        "one_way": True,
        "order": -1,
        "text": "",
    }
    assert fury.request("put_link", record=record) == {}
    assert document.features["new"].order == max(old, default=0) + 1
    assert "no" in fury.request("put_link", record={**record, "id": "bad", "b": "nowhere"})["message"]
    assert "both ends" in fury.request("put_link", record={**record, "id": "bad", "b": "1"})["message"]
    assert "bad" not in document.features


def test_a_dot_is_moved_inside_its_hex_only(house):
    document = house.document
    x, y = document.grid.centre(document.labels.cell("0808"))
    assert house.request("move_dot", hex="0808", to=[x + 100, y - 90]) == {}
    (dot,) = document.survey.features_of(Dot)
    assert (dot.at, dot.point) == ("0808", (x + 100, y - 90))
    assert house.request("move_dot", hex="0808", to=[x + 120, y]) == {}
    assert [one.point for one in document.survey.features_of(Dot)] == [(x + 120, y)]
    assert "inside" in house.request("move_dot", hex="0808", to=[x + 900, y])["message"]
    assert house.request("move_dot", hex="0808", to=None) == {}
    assert not document.survey.features_of(Dot)
    document.undo()
    assert document.survey.features_of(Dot)
    with pytest.raises(EditError, match="lie inside"):
        document.move_dot("0808", "0809")


def test_a_cloud_lies_downwind_and_turns(house):
    document = house.document
    labels = house.one("cloud", key="a", kind="smoke", at="0907", wind="N")["labels"]
    assert labels == ["0906", "0905"]
    record = {"kind": "marker", "id": "marker-1", "type": "smoke", "at": "0907"}
    assert house.request("put_cloud", record=record, wind="N") == {}
    (cloud,) = document.survey.features_of(Marker)
    assert cloud.also == ("0906", "0905")
    assert house.request("turn_clouds", wind="S") == {}
    assert document.features[cloud.id].also == ("0908", "0909")
    assert house.one("cloud", key="a", kind="smoke", at="0907", wind="Q")["labels"] == []
    assert "wind" in house.request("put_cloud", record=record, wind="Q")["message"]

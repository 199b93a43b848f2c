"""The inspector: fields of what is chosen, each a reversible edit, faults at their fields."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.editor import MapEditor
from studio.editor.fields import FIELDS, kind_of
from studio.editor.panels.inspect import InspectPanel
from studio.errors import EditError
from studio.model import Area, Place, feature_kinds

MAPS = Path(__file__).parents[2] / "maps"


class Inspector:
    """The panel of an editor without a browser."""

    def __init__(self, document: Any) -> None:
        self.document, self.editor = document, MapEditor(document)
        self.told: list[dict[str, Any]] = []
        self.editor.send = lambda content, buffers=None: self.told.append(content)
        self.panel: Any = self.editor.desk.panels["inspect"]
        assert isinstance(self.panel, InspectPanel)

    def choose(self, *ids: str) -> dict[str, dict[str, Any]]:
        self.editor.selected = ids
        return self.fields()

    def all(self) -> list[dict[str, Any]]:
        def walk(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
            return [one for node in nodes for one in (node, *walk(node.get("nodes", [])))]

        return walk(self.panel.nodes())

    def fields(self) -> dict[str, dict[str, Any]]:
        return {node["id"]: node for node in self.all() if node["t"] == "field"}

    def set(self, name: str, value: Any) -> dict[str, Any]:
        self.panel.act("set", {"id": name, "value": value})
        return self.fields().get(name, {})

    def words(self) -> str:
        return " ".join(str(node.get("text", "")) for node in self.all())


def opened(tmp_path: Path, name: str) -> Inspector:
    file = tmp_path / f"{name}.map.json"
    shutil.copy(MAPS / f"{name}.map.json", file)
    return Inspector(studio.open_map(file, recover_unsaved=False))


def test_every_feature_of_every_game_has_its_fields(tmp_path):
    assert set(FIELDS) == set(feature_kinds())
    for name in ("urban-1", "phantom-fury", "tactics-1", "armageddon-1", "practice-front"):
        seen = opened(tmp_path, name)
        kinds = {}
        for one in seen.document.features.values():
            kinds.setdefault((kind_of(one), getattr(one, "type", "")), one)
        for (kind, type_), one in kinds.items():
            fields = seen.choose(one.id)
            listed = [field for field in FIELDS[kind] if field != "tags"]
            assert [field for field in fields if field in listed] == listed
            if type_:
                allowed = [key for key, _ in fields["type"]["choices"]]
                assert allowed == list(seen.document.ruleset.drawn_types(kind))
                assert fields["type"]["value"] == type_


def test_a_label_is_followed_and_every_change_is_one_step(tmp_path):
    seen = opened(tmp_path, "urban-1")
    document = seen.document
    fields = seen.choose("b1.2")
    assert fields["name"]["label"] == "Label"
    steps = len(document.history)
    seen.set("name", "1.2x")
    assert document.features["b1.2"].name == "1.2x"
    assert document.features["stairs-1"].a == "1.2x"
    assert document.features["door-1.2-1"].into == "1.2x"
    assert len(document.history) == steps + 1
    document.undo()
    assert document.features["stairs-1"].a == "1.2"
    fault = seen.set("name", "1.3")
    assert "already" in fault["fault"]
    assert fault["value"] == "1.3"
    assert document.features["b1.2"].name == "1.2"
    assert "fault" not in seen.set("name", "1.2")


def test_fields_of_each_kind_change_what_they_say(tmp_path):
    seen = opened(tmp_path, "urban-1")
    features = seen.document.features
    seen.choose("b1")
    seen.set("tag:warehouse", True)
    assert features["b1"].tags == ("warehouse",)
    seen.choose("b1.1")
    seen.set("tag:room:", "hall")
    assert features["b1.1"].tags == ("room:hall",)
    seen.set("tag:room:", "")
    assert features["b1.1"].tags == ()
    seen.set("within", "2")
    assert features["b1.1"].within == "b2"
    assert "no such area" in seen.set("within", "zzz")["fault"]
    seen.set("dot", "4452, 700")
    assert features["b1.1"].dot == (4452, 700)
    assert "allowed: a point" in seen.set("dot", "here")["fault"]
    seen.set("level", 1)
    assert features["b1.1"].level == 1
    assert "-20 to 100" in seen.set("level", 1000)["fault"]
    seen.choose("breach-1.4-1")
    seen.set("open", True)
    seen.set("arrow_2", "1002 1102")
    assert features["breach-1.4-1"].open
    assert features["breach-1.4-1"].arrows == (("1102",), ("1002", "1102"))
    assert "adjacent" in seen.set("arrow_1", "1002 1902")["fault"]
    seen.set("arrow_2", "")
    assert features["breach-1.4-1"].arrows == (("1102",),)
    assert "unknown location" in seen.set("into", "77.7")["fault"]
    seen.choose("name-4")
    seen.set("angle", 12.5)
    seen.set("size", 0.9)
    assert (features["name-4"].angle, features["name-4"].size) == (12.5, 0.9)
    seen.choose("access-A")
    seen.set("one_way", True)
    seen.set("order", 3)
    seen.set("text", "Q")
    assert (features["access-A"].one_way, features["access-A"].order, features["access-A"].text) == (True, 3, "Q")
    seen.choose("dot-0213")
    seen.set("point", "1300, 6300")
    assert features["dot-0213"].point == (1300, 6300)
    count = len(seen.document.history)
    for _ in range(count):
        seen.document.undo()
    assert features == studio.open_map(MAPS / "urban-1.map.json", recover_unsaved=False).features


def test_an_id_takes_all_along_that_goes_by_it(tmp_path):
    seen = opened(tmp_path, "urban-1")
    features = seen.document.features
    rooms = {one.id for one in features.values() if isinstance(one, Area | Place) and one.within == "b1"}
    seen.choose("b1")
    seen.set("id", "corner-house")
    assert {one.id for one in features.values() if getattr(one, "within", "") == "corner-house"} == rooms
    assert seen.editor.selected == ("corner-house",)
    assert "taken" in seen.set("id", "b2")["fault"]
    assert "allowed" in seen.set("id", "no blanks")["fault"]
    seen.document.undo()
    assert "b1" in features


def test_several_share_their_common_fields(tmp_path):
    seen = opened(tmp_path, "urban-1")
    fields = seen.choose("b1.1", "b1.2", "b2.1")
    assert {"type", "level", "within"} <= set(fields)
    assert not {"name", "id", "dot"} & set(fields)
    assert fields["within"]["value"] is None
    assert "different" in fields["within"]["hint"]
    steps = len(seen.document.history)
    seen.set("level", 1)
    assert [seen.document.features[name].level for name in ("b1.1", "b1.2", "b2.1")] == [1, 1, 1]
    assert len(seen.document.history) == steps + 1
    assert "3 × Room" in seen.words()
    mixed = seen.choose("b1.1", "stairs-1")
    assert "type" not in mixed


def test_it_tells_what_a_feature_means_and_leads_to_it(tmp_path):
    seen = opened(tmp_path, "urban-1")
    seen.choose("b1.2")
    words = seen.words()
    assert "Location 1.2" in words
    assert "neighbours" in words
    assert "facade" in words.lower()
    seen.panel.act("go", {})
    assert seen.told[-1]["what"] == "goto"
    seen.choose("b1")
    seen.panel.act("inside", {})
    assert {"b1.1", "roof-1"} <= set(seen.editor.selected)
    seen.choose("name-4")
    before = len(seen.document.features)
    seen.panel.act("duplicate", {})
    assert len(seen.document.features) == before + 1
    (copy,) = seen.editor.selected
    assert seen.document.features[copy].text == "Gate Street"
    seen.panel.act("delete", {})
    assert len(seen.document.features) == before
    assert seen.editor.selected == ()


def test_what_goes_by_labels_is_copied_into_the_next_hex_or_along_with_its_rooms(tmp_path):
    seen = Inspector(studio.new_map("armageddon_war", columns=6, rows=5))
    desert = seen.document
    desert.add("marker", type="smoke", at="0303", also=["0304"])
    desert.add("road", path=["0202", "0303"])
    desert.add("marker", type="smoke", at="0605")
    seen.choose("marker-1", "road-1")
    seen.panel.act("duplicate", {})
    marker, road = (desert.features[name] for name in seen.editor.selected)
    assert (marker.at, marker.also, road.path) == ("0403", ("0404",), ("0303", "0403"))
    desert.undo()
    assert len(desert.features) == 3
    with pytest.raises(EditError, match="off the map"):
        desert.duplicate(["marker-2"], 4800, 0)
    town = opened(tmp_path, "urban-1").document
    with pytest.raises(EditError, match="goes by labels"):
        town.duplicate(["access-A"], 720, 240)
    room = next(one for one in town.features.values() if isinstance(one, Area) and one.name == "12.4")
    copy = town.features[town.duplicate(["access-A", room.within], 720, 240)[0]]
    there = next(one for one in town.features.values() if isinstance(one, Area) and one.name == copy.a)
    assert copy.a != "12.4" and copy.b == "A" and there.outline[0][0] == room.outline[0][0] + 720


def test_the_hex_and_the_side_under_the_cursor():
    desert = studio.new_map("armageddon_war", columns=6, rows=5)
    seen = Inspector(desert)
    cell = desert.labels.cell("0303")
    desert.add("marker", type="smoke", at="0303")
    seen.panel.point_at(cell, 0)
    other = desert.labels.label(desert.grid.neighbour(cell, 0))
    fields = seen.fields()
    assert fields["terrain"]["value"] == "clear"
    terrain = [key for key, _ in fields["terrain"]["choices"]][1]
    seen.panel.act("hex", {"id": "terrain", "value": terrain})
    seen.panel.act("hex", {"id": "level", "value": 2})
    assert (desert.model.terrain_at(cell), desert.model.level_at(cell)) == (terrain, 2)
    kind = next(iter(desert.ruleset.side_kinds))
    seen.panel.act("side", {"id": kind, "value": True})
    assert desert.survey.side_kinds(cell, desert.labels.cell(other)) == (kind,)
    assert seen.fields()[kind]["value"] is True
    seen.panel.act("side", {"id": kind, "value": False})
    assert desert.survey.side_kinds(cell, desert.labels.cell(other)) == ()
    (line,) = next(node for node in seen.all() if node["t"] == "rows")["rows"]
    seen.panel.act(line["action"], line["values"])
    assert seen.editor.selected == ("marker-1",)


def test_the_map_itself_title_notes_sources_and_where_it_lies():
    desert = studio.new_map("armageddon_war", columns=4, rows=4)
    seen = Inspector(desert)
    seen.set("map.title", "Wadi")
    seen.set("map.notes", "Drawn\nby hand")
    seen.panel.act("source", {"add": True})
    seen.set("map.source.0.title", "Survey sheet")
    seen.set("map.source.0.licence", "CC BY 4.0")
    seen.set("map.crs", "EPSG:32637")
    seen.set("map.affine", "10, 0, 500, 0, -10, 900")
    model = desert.model
    assert (model.title, model.notes) == ("Wadi", "Drawn\nby hand")
    assert (model.sources[0].title, model.sources[0].licence) == ("Survey sheet", "CC BY 4.0")
    assert model.georeference.affine == (10, 0, 500, 0, -10, 900)
    assert "6 numbers" in seen.set("map.affine", "1 2 3")["fault"].replace("six", "6")
    assert "allowed" in seen.set("map.affine", "a b c d e f")["fault"]
    seen.panel.act("source", {"remove": 0})
    assert model.sources == []
    for _ in range(len(desert.history)):
        desert.undo()
    assert (model.title, model.georeference) == ("Untitled map", None)


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "a" * 10_000, "\u202eשלום עולם", "🏚️ 1"])
def test_names_that_nobody_expects(name):
    town = studio.new_map("urban_operations", columns=6, rows=6)
    town.add("area", id="room", type="room", name="1", outline=[[1000, 500], [2000, 500], [2000, 1500]])
    town.add("name", id="word", text="x", at="0303")
    seen = Inspector(town)
    seen.choose("word")
    assert seen.set("text", name)["value"] == name
    assert town.features["word"].text == name
    head = next(node for node in seen.all() if node["t"] == "heading")
    assert len(head["text"]) <= 60
    seen.choose("room")
    seen.set("name", name)
    assert town.features["room"].name == name
    assert len(seen.words()) < 600

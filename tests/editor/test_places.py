"""The locations that are no hexes, as the browser is told of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import studio
from studio.editor import MapEditor
from studio.editor.places import PlacesWatch, closed_terrain, places_of
from studio.model import Area, Paint, Place, Put, SetField

MAPS = Path(__file__).parents[2] / "maps"
SQUARE = ((480, 480), (2400, 480), (2400, 1920), (480, 1920))


def put(record):
    return Put(collection="features", record=msgspec.to_builtins(record))


@pytest.fixture
def town():
    made = studio.new_map("urban_operations", columns=8, rows=7)
    made.apply(put(Area(id="b", type="building", outline=SQUARE, name="9")))
    made.apply(put(Area(id="r", type="room", outline=SQUARE, name="9.1", within="b")))
    made.apply(put(Place(id="top", type="roof", name="9 roof", at=(1440, 1200), within="b", level=2)))
    return made


@pytest.mark.parametrize("name", ["urban-1", "phantom-fury", "tactics-1", "armageddon-1"])
def test_all_locations_of_a_map_are_told(name):
    document = studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False)
    found, others = places_of(document), document.survey.directory.others
    told = [(p["label"], p["number"], p["kind"], p["id"], p["cell"], p["level"], tuple(p["dot"])) for p in found]
    assert told == [(o.label, o.number, o.kind, o.feature, o.cell, o.level, o.dot) for o in others]
    assert all(("reach" in place) == (place["kind"] != "area") for place in found)
    assert all(place["text"] for place in found)
    document.close()


def test_words_say_what_a_location_is_and_where(town):
    words = {place["label"]: place["text"] for place in places_of(town)}
    assert words == {"9 roof": "roof of building 9, level 2", "9.1": "room of building 9"}
    assert closed_terrain(town) == sorted(town.survey.scheme.unplayable)


def test_sheets_and_layers_are_named(town):
    below = studio.new_map("urban_operations", columns=4, rows=4, title="Sewers")
    below.apply(put(Area(id="z", type="zone", outline=((480, 480), (1400, 480), (1400, 1000)), name="U1", level=-1)))
    town.apply(SetField(field="title", value="Quarter"))
    both = studio.join_maps(town, below, edge="apart", layer="underground", prefixes=("", "S"))
    words = {place["label"]: place["text"] for place in places_of(both)}
    assert words["9.1"] == "room of building 9, Quarter (surface)"
    assert next(text for label, text in words.items() if label.endswith("U1")).endswith("Sewers (underground)")


def test_a_road_beside_a_structure_is_pointed_at_on_the_road():
    document = studio.open_map(MAPS / "tactics-1.map.json", recover_unsaved=False)
    road = next(place for place in places_of(document) if place["kind"] == "road")
    assert road["text"] == "the road beside the structure"
    assert road["spot"] != road["dot"]
    document.close()


def test_locations_are_sent_anew_only_when_they_changed(town):
    watch = PlacesWatch(town)
    stop = town.on_change(watch.note)
    town.apply(put(Place(id="door", type="roof", name="9 hut", at=(1000, 1000), within="b", level=2)))
    assert [place["label"] for place in watch.news()] == ["9 hut", "9 roof", "9.1"]
    assert watch.news() is None
    # Paint can make locations, so it is looked at; nothing came of it.
    town.apply(Paint(plane="terrain", cells=[40], values=[list(town.ruleset.terrain_characters)[-1]]))
    assert watch.news() is None
    town.undo()
    town.undo()
    assert [place["label"] for place in watch.news()] == ["9 roof", "9.1"]
    stop()


def test_paint_on_a_map_of_hexes_asks_nothing():
    document = studio.new_map("armageddon_war", columns=6, rows=5)
    watch = PlacesWatch(document)
    document.on_change(watch.note)
    document.paint("0303", terrain="rough")
    assert watch._due is False
    assert places_of(document) == []


def test_state_and_patches_hold_the_locations(town):
    editor = MapEditor(town)
    sent = []
    editor.send = lambda message, buffers=None: sent.append(message)
    assert [place["label"] for place in editor.get_state()["places"]] == ["9 roof", "9.1"]
    assert editor.get_state()["catalogue"]["closed"] == closed_terrain(town)
    editor._on_message(editor, {"type": "undo", "client": "me", "seq": 1}, [])
    patch = next(message for message in sent if message["type"] == "patch")
    assert [place["label"] for place in patch["places"]] == ["9.1"]
    sent.clear()
    editor._on_message(editor, {"type": "resync", "client": "me"}, [])
    assert [place["label"] for place in sent[0]["state"]["places"]] == ["9.1"]
    editor.close()

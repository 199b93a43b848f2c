"""What a designer is told who draws something that cannot be, or asks to draw what is no answer."""

from typing import Any

import numpy as np
import pytest

import studio
from studio.api import Map
from studio.errors import EditError, LabelError, UnsupportedError
from studio.rules import get_ruleset, ruleset_ids


def new(ruleset: str) -> Map:
    return studio.new_map(ruleset, columns=6, rows=6)


@pytest.mark.parametrize(
    ("ruleset", "kind", "fields", "words"),
    [
        ("urban_operations", "breach", {}, ['add("aperture", type="breach", ...)', "has the kinds area, place"]),
        ("modern_tactics", "hill", {}, ['hill is a type of the kind area: add("area", type="hill", ...)']),
        ("modern_tactics", "low_wall", {}, ['set_side(a, b, "low_wall")']),
        ("modern_tactics", "crops", {}, ['paint(labels, terrain="crops")']),
        ("modern_tactics", "aria", {}, ["did you mean 'area'?", "the kinds road, area, wall, dot, marker, name"]),
        ("urban_operations", "road", {"path": ["0101"]}, ["no feature 'road'", "the kinds area, place, wall"]),
        ("urban_operations", "area", {}, ["missing type and outline", "building, divided_room", 'type="building"']),
        ("urban_operations", "area", {"type": "shed", "outline": []}, ["no area 'shed'", "outline: got []"]),
        ("urban_operations", "area", {"colour": 1}, ["no field 'colour'; it has id, type, outline"]),
        (
            "urban_operations",
            "area",
            {"type": "room", "outline": ["0101", "0202", "0303"]},
            ["outline[0]: got '0101'", "[x, y] in whole lattice units", "map.grid.centre"],
        ),
        ("modern_tactics", "area", {"type": "hill", "outline": [[1, 2], [3, 4.5], [5, 6]]}, ["outline[1][1]: got 4.5"]),
        ("urban_operations", "aperture", {"type": "aperture", "at": "0101", "into": "x"}, ["at: got '0101'", "[x, y]"]),
        ("armageddon_war", "marker", {"type": "smoke", "at": 3}, ["at: got 3; allowed: a label"]),
        ("armageddon_war", "road", {"id": "a b", "path": ["0101"]}, ["id: got 'a b'; allowed: letters"]),
        ("phantom_fury", "link", {"type": "arrow", "a": "1"}, ["missing b", "two locations that belong together"]),
    ],
)
def test_a_feature_that_cannot_be(ruleset: str, kind: str, fields: dict[str, Any], words: list[str]) -> None:
    map_ = new(ruleset)
    with pytest.raises(EditError) as caught:
        map_.add(kind, **fields)
    for word in words:
        assert word in str(caught.value)
    assert "Expected" not in str(caught.value)
    assert map_.features == {}


def test_a_record_without_a_kind() -> None:
    with pytest.raises(EditError, match=r"a feature needs a kind, .* has the kinds road, crest, contour"):
        new("armageddon_war").add({"type": "smoke"})


def test_every_type_of_every_game_is_found_by_its_name() -> None:
    for ruleset_id in ruleset_ids():
        map_, rules = new(ruleset_id), get_ruleset(ruleset_id)
        for kind in rules.feature_kinds:
            for name in set(rules.drawn_types(kind)) - set(rules.feature_kinds):
                with pytest.raises(EditError, match=f'{name} is a type of the kind \\w+: add\\("\\w+", type="{name}"'):
                    map_.add(name)


def test_points_may_be_tuples_and_arrays_and_a_place_goes_by_a_label() -> None:
    town = new("urban_operations")
    cell = town.labels.cell("0202")
    corners = town.grid.corners(cell)
    town.add("area", type="room", name="1.1", outline=np.array(corners))
    town.add("area", type="room", name="1.2", outline=tuple(corners))
    assert town.features["area-1"].outline == town.features["area-2"].outline == tuple(corners)  # type: ignore[union-attr]
    roof = town.add("place", type="roof", name="1 roof", at="0202")
    assert town.features[roof].at == town.grid.centre(cell)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("title", 3, "allowed: a text"), ("sources", "x", "a list of texts"), ("georeference", "x", "a Georeference")],
)
def test_a_field_of_the_map_says_what_it_takes(field: str, value: Any, words: str) -> None:
    with pytest.raises(EditError, match=f"set {field}: got .*{words}"):
        new("armageddon_war").set(field, value)


def test_only_answers_are_drawn() -> None:
    map_ = new("armageddon_war")
    with pytest.raises(UnsupportedError, match=r"got '0103'; allowed: the Sighting that map.sight\(a, b\) answers"):
        map_.plot_sight("0103")  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="plot_exposure: got DeadGround; allowed: the Exposure that"):
        map_.plot_exposure(map_.dead_ground("0101"))  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="plot_dead_ground: got Exposure"):
        map_.plot_dead_ground(map_.exposure("0101"))  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="plot_comparison: got 1; allowed: the Comparison"):
        map_.plot_comparison(1)  # type: ignore[arg-type]
    with pytest.raises(UnsupportedError, match="plot_field_of_view: got None"):
        map_.plot_field_of_view(None)  # type: ignore[arg-type]


def test_a_building_is_no_location_but_its_rooms_are() -> None:
    town = new("urban_operations")
    ring = town.grid.corners(town.labels.cell("0303"))
    town.add("area", id="house", type="building", name="29", outline=ring)
    town.add("area", id="hall", type="divided_room", name="hall", outline=ring, within="house")
    town.add("area", type="zone", name="29.1", outline=ring, within="hall")
    town.add("area", id="shed", type="building", name="30", outline=ring)
    for label, words in (
        ("29", "29 is no location but a drawn building; its locations are 29.1"),
        ("30", "30 is no location but a drawn building; no location belongs to it"),
        ("77", r"unknown location '77'.* \(hexes are 0101 to 0606\)"),
    ):
        with pytest.raises(LabelError, match=words):
            town.sight("0101", label)


def test_two_games_without_a_common_location_cannot_be_compared() -> None:
    quarter = new("phantom_fury")
    for name, x in (("1", 0), ("2", 960)):
        quarter.add("area", type="zone", name=name, outline=[[x, 0], [x + 960, 0], [x + 960, 960], [x, 960]])
    with pytest.raises(UnsupportedError, match="one in both games: it has 2 in Phantom Fury and 0 in"):
        studio.compare_rulesets(quarter, "phantom_fury", "armageddon_war", terrain={"outside": "clear"})


def test_the_same_rules_twice_are_said_to_be_the_same() -> None:
    map_ = new("armageddon_war")
    for options in (None, {"border_rule": "per_hex"}):
        found = studio.compare_rulesets(map_, "armageddon_war", "armageddon_war", options_b=options)
        assert found.notes == ["both rulings are of one game with the same options: no verdict can differ"]
        assert found.differing_count == 0


def test_the_first_line_of_a_sighting_names_what_stops_it() -> None:
    def head(map_: Map, a: str, b: str) -> str:
        return str(map_.sight(a, b)).splitlines()[0]

    desert = new("armageddon_war").paint(["0302", "0402", "0403"], terrain="rough")
    assert head(desert, "0301", "0304") == "0301 to 0304: blocked at 0302"
    assert head(desert, "0303", "0503") == "0303 to 0503: blocked between 0402 and 0403"
    assert head(desert, "0101", "0102") == "0101 to 0102: clear"
    town = new("urban_operations")
    x, y = town.grid.centre(town.labels.cell("0302"))
    town.add("wall", type="outer_wall", name="Long wall", line=[[x - 480, y + 240], [x + 480, y + 240]])
    assert head(town, "0301", "0304") == "0301 to 0304: blocked by Long wall"

"""What parts and what joins locations, game by game: kinds of borders, openings, links; and who is next to whom."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.model import Link, MapModel, Wall
from studio.rules import get_ruleset, ruleset_ids
from studio.rules.phantom_fury.district import District
from studio.survey import Side, Survey
from tests.sight.makers.phantom_fury import UNIT, box, empty, make, put, street, zone
from tests.sight.urban_town import Town


def sides_of(map_: Map) -> dict[tuple[str, str], Side]:
    return {(side.a, side.b): side for side in map_.survey.boundaries}


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_kind_of_border_has_a_name_and_a_section(name: str) -> None:
    ruleset = get_ruleset(name)
    assert all(kind.name and kind.section for kind in ruleset.border_kinds.values())
    assert set(ruleset.wall_types) <= set(ruleset.border_kinds)
    bundle = ruleset.to_bundle()
    assert set(bundle["borders"]) == set(ruleset.border_kinds)
    assert all({"defence", "bog"} <= set(bundle["sides"][side]) for side in ruleset.side_kinds)
    assert all({"defence", "bog"} <= set(bundle["markers"][marker]) for marker in ruleset.marker_types)


def test_low_walls_and_wrecks_tell_engines_what_they_do() -> None:
    bundle = get_ruleset("modern_tactics").to_bundle()
    assert bundle["sides"]["low_wall"]["bog"] == ["wheeled", "tracked"]
    assert bundle["sides"]["low_wall"]["defence"]["foot"] == 2


# -- Phantom Fury ----------------------------------------------------------------------------------------------------


def quarter() -> MapModel:
    """Return zones 1 and 2 side by side, zone 3 behind a continuous line, and two street sections below them."""
    model = put(empty(8, 8), zone("1", (0, 0, 2, 2)), zone("2", (2, 0, 4, 2)), zone("3", (4, 0, 6, 2)))
    put(model, street("S1", (0, 2, 3, 3)), street("S2", (3, 2, 6, 3)))
    put(model, Wall(id="w", type="solid", line=((4 * UNIT, 0), (4 * UNIT, 2 * UNIT))))
    return model


def fury(model: MapModel) -> Survey:
    return Survey(model, get_ruleset("phantom_fury").survey_scheme)


def test_zones_and_street_sections_part_by_lines_of_their_kinds() -> None:
    survey = fury(quarter())
    kinds = {(side.a, side.b): (side.kinds, side.joined) for side in survey.boundaries}
    assert kinds == {
        ("1", "2"): (("dashed",), True),
        ("1", "S1"): (("street_side",), True),
        ("1", ""): (("outline",), False),
        ("2", "3"): (("solid",), False),
        ("2", "S1"): (("street_side",), True),
        ("2", "S2"): (("street_side",), True),
        ("2", ""): (("outline",), False),
        ("3", "S2"): (("street_side",), True),
        ("3", ""): (("outline",), False),
        ("S1", "S2"): (("dotted",), True),
        ("S1", ""): (("outline",), False),
        ("S2", ""): (("outline",), False),
    }
    assert survey.joined["2"] == ["1", "S1", "S2"]


def test_doors_and_symbols_lead_across_borders() -> None:
    model = put(quarter(), box("1", "1"), box("1", "2", (20, 20)), box("1", "OG", (30, 30), "door"), box("2", "2"))
    links = [("arrow", "1 1", "1 2"), ("roof", "1 2", "2 2"), ("line_of_fire", "1", "3")]
    for kind, a, b in links:
        put(model, Link(id=kind, type=kind, a=a, b=b))
    survey = fury(model)
    sides = {(side.a, side.b): side.through for side in survey.boundaries if side.through}
    assert sides == {("1", "2"): ("roof",), ("1", "S1"): ("box-1-OG",)}
    assert {(joint.a, joint.b, joint.by, joint.link) for joint in survey.joints} == {
        ("1 1", "1 2", "arrow", "arrow"),
        ("1 2", "2 2", "roof", "roof"),
        ("S1", "1 OG", "street", ""),
    }
    # A target symbol is for fire only.
    assert survey.joined["1"] == ["2", "S1"]
    assert survey.joined["S1"] == ["1", "1 OG", "2", "S2"]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_who_is_next_to_whom_in_a_district_is_what_its_rules_say(seed: int) -> None:
    survey = fury(make(np.random.default_rng(seed), 8, 8))
    district = District(survey)
    for area_id in district.areas:
        beside = district.zones_beside(area_id) | district.streets_beside(area_id)
        joined = set(survey.joined.get(district.label(area_id), []))
        assert {district.label(other) for other in beside} == joined - set(district.boxes)
    pairs = {frozenset((one.a, one.b)) for one in district.passages()}
    inside = {*district.boxes, *map(district.label, district.streets)}  # what a unit moves through, zones apart
    assert pairs == {
        frozenset((a, b)) for a, others in survey.joined.items() for b in others if a in inside and b in inside
    }


# -- Urban Operations ------------------------------------------------------------------------------------------------


def test_rooms_part_by_partitions_zones_by_zone_boundaries_buildings_by_facades() -> None:
    town = Town()
    left, top, right, bottom = town.box("0303", "0503")
    town.house("25", (left, top, right, bottom), rooms=2)
    town.house("26", (right, top, right + 900, bottom), rooms=2, zones=True)
    sides = sides_of(town.map)
    assert {pair: side.kinds for pair, side in sides.items()} == {
        ("25.1", "25.2"): ("partition",),
        ("25.1", ""): ("facade",),
        ("25.2", "26.1"): ("facade",),
        ("25.2", ""): ("facade",),
        ("26.1", "26.2"): ("zone_boundary",),
        ("26.1", ""): ("facade",),
        ("26.2", ""): ("facade",),
    }
    assert town.map.survey.joined == {"25.1": ["25.2"], "25.2": ["25.1"], "26.1": ["26.2"], "26.2": ["26.1"]}
    # A partition that is drawn along a zone boundary makes it one.
    x = (right + right + 900) // 2
    town.wall((x, top), (x, bottom), kind="partition")
    assert sides_of(town.map)["26.1", "26.2"].kinds == ("partition",)


def test_openings_join_rooms_with_hexes_and_with_rooms_wall_to_wall() -> None:
    town = Town()
    left, top, right, bottom = town.box("0303", "0503")
    town.house("25", (left, top, right, bottom))
    town.house("26", (right, top, right + 900, bottom))
    middle = (top + bottom) // 2
    town.opening("25.1", (right, middle), "0604", id="between")
    x, _ = town.centre("0302")
    town.opening("25.1", (x, top), "0302", id="front")
    town.opening("26.1", (right + 500, bottom), "0603", id="hole", kind="breach", open=False)
    sides = sides_of(town.map)
    assert sides["25.1", "26.1"].through == ("between",)
    assert sides["25.1", "26.1"].joined
    assert (sides["25.1", "0302"].kinds, sides["25.1", "0302"].through) == (("facade",), ("front",))
    assert sides["25.1", "0302"].segments == (((left, top), (right, top)),)
    shut = next(side for side in sides.values() if side.through == ("hole",))
    assert (shut.a, shut.joined) == ("26.1", False)
    assert town.map.survey.joined["25.1"] == ["26.1", "0302"]
    records = {record["label"]: record["neighbours"] for record in town.map.survey.location_records()}
    assert "25.1" in records["0302"]
    assert shut.b not in town.map.survey.joined["26.1"]
    town.map.remove("hole")
    town.opening("26.1", (right + 500, bottom), "0603", id="hole", kind="breach", open=True)
    assert shut.b in town.map.survey.joined["26.1"]


def test_outer_walls_stand_between_hexes_and_breaches_pierce_them() -> None:
    town = Town()
    x, y = town.centre("0404")
    town.wall((x - 200, y + 240), (x + 200, y + 240))
    town.opening("0404", (x, y), "0405", kind="wall_breach", id="breach")
    sides = sides_of(town.map)
    assert {pair: (side.kinds, side.through, side.joined) for pair, side in sides.items()} == {
        ("0404", "0405"): (("outer_wall",), ("breach",), True)
    }
    assert town.map.sides.iloc[0].kinds == "outer_wall"


def test_below_the_ground_the_same_holds_and_access_points_join() -> None:
    town = Town()
    box = town.box("0808", "1008")
    left, top, right, bottom = box
    middle = (left + right) // 2
    town.area("U", "underground", box)
    town.area("U1", "room", (left, top, middle, bottom), within="area-U")
    town.area("U2", "room", (middle, top, right, bottom), within="area-U")
    town.map.add("link", id="a", type="underground_access", a="0202", b="U1")
    sides = sides_of(town.map)
    assert sides["U1", "U2"].kinds == ("partition",)
    assert sides["U1", ""].kinds == ("facade",)
    assert town.map.survey.joined == {"U1": ["0202", "U2"], "U2": ["U1"], "0202": ["U1"]}
    assert [(joint.by, joint.link) for joint in town.map.survey.joints] == [("underground_access", "a")]


# -- Modern Tactics --------------------------------------------------------------------------------------------------


def test_walls_structures_and_hexside_terrain_lie_between_hexes() -> None:
    map_ = studio.new_map("modern_tactics", 8, 8)
    centre = {label: map_.grid.centre(map_.labels.cell(label)) for label in ("0404", "0405")}
    x, y = centre["0404"]
    ring = [[x - 250, y - 200], [x + 250, y - 200], [x + 250, y + 200], [x - 250, y + 200]]
    map_.add("area", id="yard", type="compound", outline=ring)
    map_.add("area", id="house", type="structure", outline=[[x - 100, y], [x + 100, y - 100], [x + 100, y + 220]])
    map_.set_side("0404", "0405", "low_wall")
    sides = sides_of(map_)
    assert sides["0404", "0405"].kinds == ("low_wall", "high_wall", "structure")
    around = {pair for pair, side in sides.items() if "high_wall" in side.kinds}
    assert {frozenset(pair) for pair in around} == {
        frozenset(("0404", other)) for other in map_.locations.loc["0404"].neighbours.split(", ")
    }
    assert map_.survey.joined == {}
    row = map_.sides.set_index(["a", "b"]).loc[("0404", "0405")]
    assert row.kinds == "low_wall, high_wall, structure"


def test_hexsides_without_anything_else_are_as_they_were() -> None:
    map_ = studio.new_map("armageddon_war", 6, 6).set_side("0101", "0102", "breached_fence")
    map_.add("road", path=["0202", "0203"])
    frame = map_.sides
    assert frame[["a", "b", "kinds", "roads"]].to_numpy().tolist() == [
        ["0101", "0102", "breached_fence", ""],
        ["0202", "0203", "", "paved"],
    ]
    assert (frame.through == "").all()


def test_borders_of_a_survey_with_another_scheme_are_found_anew() -> None:
    rules, model = get_ruleset("phantom_fury"), quarter()
    assert rules.borders(Survey(model)) == fury(model).boundaries

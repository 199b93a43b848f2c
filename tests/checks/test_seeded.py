"""Every check of a map finds its fault at its place, and a sound map has no findings."""

from pathlib import Path

import pytest

import studio
from studio.checks import CATALOGUE, Findings
from studio.errors import GridError
from studio.model import describe
from tests.checks.faults import SEEDED, Seeded
from tests.checks.makers import MAKERS, SOURCES, change, drop, put, rectangle, town
from tests.sight.maps import small_map

PLACELESS = {"map.sources"}
# What needs a file beside the map: lists of neighbours, a scan; tests/cases has their faults.
ELSEWHERE = {"map.adjacency_list", "map.backdrop_file", "map.backdrop_fit"}


def name(fault: Seeded) -> str:
    return f"{fault.rule} {fault.at}"


@pytest.mark.parametrize("name", MAKERS)
def test_a_sound_map_has_no_findings(name: str) -> None:
    findings = MAKERS[name]().check()
    assert findings == []
    assert str(findings) == "no findings"
    assert "no findings" in findings._repr_html_()


@pytest.mark.parametrize("fault", SEEDED, ids=name)
def test_a_seeded_fault_is_found_at_its_place(fault: Seeded) -> None:
    map_ = MAKERS[fault.map]()
    fault.alter(map_)
    found = map_.check()
    hits = [finding for finding in found if (finding.rule, finding.at) == (fault.rule, fault.at)]
    assert hits, str(found)
    assert hits[0].severity == CATALOGUE[fault.rule].severity
    assert fault.point in (None, hits[0].point)
    assert all(finding.message and finding.remedy for finding in found)
    assert all((finding.point is None) == (finding.rule in PLACELESS) for finding in found)


def test_every_check_of_a_map_has_a_seeded_fault() -> None:
    rules = {rule for rule, info in CATALOGUE.items() if info.about == "map"}
    assert rules - ELSEWHERE == {fault.rule for fault in SEEDED}
    assert len(rules) >= 60


def test_the_rules_of_a_game_are_asked_of_its_maps_alone() -> None:
    games = {info.game for info in CATALOGUE.values()}
    assert games == {"", "armageddon_war", "ignorant_armies", "phantom_fury", "urban_operations", "modern_tactics"}
    for fault in SEEDED:
        game = CATALOGUE[fault.rule].game
        assert game in ("", MAKERS[fault.map]().ruleset.id)


# -- what is no fault ------------------------------------------------------------------------------------------------


def test_contact_in_a_corner_is_no_fault() -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    map_.add("area", id="a", type="zone", name="1", outline=rectangle(200, 200, 800, 500))
    map_.add("area", id="b", type="zone", name="2", outline=rectangle(800, 500, 1400, 900))
    shapes = {finding.rule for finding in map_.check().errors}
    assert shapes == set()


def test_a_hole_that_is_another_zone_is_no_fault_and_an_empty_one_is_a_gap_where_the_game_has_no_gaps() -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    hole = rectangle(400, 300, 600, 400)
    put(map_, studio.model.Area(id="a", type="zone", name="1", outline=rectangle(200, 200, 800, 500), holes=(hole,)))
    assert [finding.rule for finding in map_.check().errors] == ["map.gap"]
    map_.add("area", id="b", type="zone", name="2", outline=hole)
    assert map_.check().errors == []
    compound = studio.new_map("modern_tactics", 6, 6)
    compound.add(
        "area", type="compound", outline=rectangle(200, 200, 2000, 1500), holes=[rectangle(400, 400, 900, 900)]
    )
    assert compound.check().errors == []


def test_a_t_junction_without_a_corner_in_the_long_side_is_no_fault() -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    map_.add("area", id="a", type="zone", name="1", outline=rectangle(200, 200, 800, 500))
    map_.add("area", id="b", type="zone", name="2", outline=rectangle(200, 500, 503, 900))
    map_.add("area", id="c", type="zone", name="3", outline=rectangle(503, 500, 800, 900))
    map_.add("area", id="d", type="zone", name="4", outline=rectangle(200, 0, 500, 200))
    map_.add("area", id="e", type="zone", name="5", outline=rectangle(500, 0, 800, 200))
    assert map_.check().errors == []


def test_a_room_without_a_door_is_reached_through_its_neighbours_or_not_at_all() -> None:
    map_ = town()
    assert not any(opening.into == "1.3" for opening in map_.survey.features_of(studio.model.Aperture))
    assert map_.check() == []
    drop(map_, "door-1", "door-2")
    assert {finding.at for finding in map_.check() if finding.rule == "map.reachable"} == {
        "1.1", "1.2", "1.3", "2.1", "1 roof", "2 roof"
    }  # fmt: skip


# -- the rest of the map ---------------------------------------------------------------------------------------------


def test_an_outline_that_crosses_itself_is_named_before_a_line_is_judged() -> None:
    map_ = town()
    map_.add("area", id="bow", type="building", name="9", outline=[[0, 0], [400, 400], [400, 0], [0, 300]])
    with pytest.raises(GridError, match="bow: its outline crosses itself"):
        map_.sight("0102", "0105")
    assert ("map.area_shape", "bow") in {(finding.rule, finding.at) for finding in map_.check()}


def test_a_marker_whose_place_is_gone_is_saved_opened_and_named(tmp_path: Path) -> None:
    map_ = town()
    map_.add("marker", id="m", type="fortified", at="2 roof")
    drop(map_, "roof-2", "up-2", "roofs")
    map_.save(tmp_path / "town.map.json")
    again = studio.open_map(tmp_path / "town.map.json")
    assert [(finding.rule, finding.at) for finding in again.check()] == [("map.marker", "2 roof")]


def test_a_game_of_ones_own_says_what_lies_side_by_side(tmp_path: Path) -> None:
    text = """
id = "duchies"
title = "Duchies"
levels = [0, 2]
orientation = "flat"
features = ["area"]
tiles = ["province"]

[terrain.clear]
name = "Clear"
char = "."

[areas.province]
name = "Province"
location = true
[areas.castle]
name = "Castle"
layer = "castles"
parts = ["ward"]
[areas.ward]
name = "Ward"
location = true
"""
    file = tmp_path / "duchies.ruleset.toml"
    file.write_text(text, encoding="utf-8")
    map_ = studio.new_map(studio.load_ruleset(file), 12, 12)
    map_.set("sources", SOURCES)
    for name, x0, y0, x1, y1 in (
        ("n", 0, 0, 900, 300),
        ("w", 0, 300, 300, 600),
        ("e", 600, 300, 900, 600),
        ("s", 0, 600, 900, 900),
    ):
        map_.add("area", id=name, type="province", outline=rectangle(x0, y0, x1, y1))
    map_.add("area", id="keep", type="castle", outline=rectangle(2000, 2000, 2400, 2400))
    map_.add("area", id="ward", type="ward", within="keep", outline=rectangle(2000, 2000, 2400, 2300))
    map_.add("area", id="fort", type="castle", outline=rectangle(2300, 2350, 2600, 2500))
    assert [(finding.rule, finding.at, finding.point) for finding in map_.check()] == [
        ("map.overlap", "fort/keep", (2350, 2375)),
        ("map.gap", "keep", (2200, 2350)),
        ("map.gap", "e/n/s/w", (450, 450)),
    ]
    drop(map_, "fort")
    map_.add("area", id="middle", type="province", outline=rectangle(300, 300, 600, 600))
    map_.add("area", id="yard", type="ward", within="keep", outline=rectangle(2000, 2300, 2400, 2400))
    assert map_.check() == []


# -- the list --------------------------------------------------------------------------------------------------------


def test_findings_as_data_and_as_a_table() -> None:
    map_ = small_map()
    map_.add("name", id="n", text="<script>alert(1)</script>", at=[-10, 0])
    map_.add("name", id="e", text="", at=[480, 240])
    findings = map_.check()
    assert isinstance(findings, Findings)
    fields = {"severity", "file", "at", "rule", "message", "remedy"}
    by_place = {entry["at"]: entry for entry in findings.to_dict()["findings"]}
    assert set(by_place["sources"]) == fields
    assert set(by_place["n"]) == {*fields, "point"}
    assert by_place["n"]["point"] == [-10, 0]
    assert set(by_place["e"]) == {*fields, "point", "repair"}
    (offered,) = findings.repairs
    assert offered.repair is not None
    assert by_place["e"]["repair"] == describe(offered.repair)
    table = findings._repr_html_()
    assert "<script>" not in table
    assert "-10, 0" in table
    assert describe(offered.repair) in table
    assert describe(offered.repair) in str(offered)


def test_a_long_list_ends_with_a_word_that_there_are_more() -> None:
    map_ = small_map(12, 12)
    map_.model.levels[::2] = 3
    map_.survey = type(map_.survey)(map_.model, map_.survey.scheme)
    steps = [finding for finding in map_.check() if finding.rule == "map.level_step"]
    assert len(steps) == 201
    assert "there are more" in steps[-1].message
    assert "there are more" not in steps[-2].message


def test_a_fault_past_the_api_changes_nothing_else() -> None:
    map_ = town()
    change(map_, "door-1", arrows=())
    assert {finding.rule for finding in map_.check()} == {"map.arc_missing"}

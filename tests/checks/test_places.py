"""Every check of drawn places finds its fault at its place, and a sound map of zones has none."""

from collections.abc import Callable
from pathlib import Path

import pytest

import studio
from studio.api import Map
from studio.checks import CATALOGUE
from studio.errors import GridError
from studio.model import Area, Dot, Link, Wall


def sound() -> Map:
    """Return two zones with a street between them, and a box in one."""
    made = studio.new_map("phantom_fury", 4, 4)
    for number, (name, kind, y) in enumerate((("1", "zone", 200), ("S1", "street", 500), ("2", "zone", 600))):
        low = 600 if number == 1 else y + 300
        ring = [[200, y], [800, y], [800, low], [200, low]]
        made.add("area", id=f"area-{name}", type=kind, name=name, outline=ring)
    made.add("place", id="box-1", type="courtyard", name="1 C", at=[400, 300], within="area-1")
    made.add("place", id="box-2", type="courtyard", name="2 C", at=[400, 700], within="area-2")
    made.add("link", id="door", type="door", a="1 C", b="2 C")
    made.set("sources", [{"title": "drawn for the tests"}])
    return made


def put(map_: Map, feature: object) -> None:
    """Put a feature on the map past the API, as a hand-edited file would."""
    map_.model.features[feature.id] = feature  # type: ignore[attr-defined,assignment]
    map_.survey = type(map_.survey)(map_.model, map_.survey.scheme)


ROOM = ((300, 650), (500, 650), (500, 800), (300, 800))

PLACE_FAULTS: dict[str, tuple[Callable[[Map], object], str]] = {
    "map.drawn_type": (lambda m: put(m, Wall(id="w", type="hedge", line=((0, 0), (9, 9)))), "w"),
    "map.label_once": (lambda m: put(m, Area(id="twin", type="zone", name="1", outline=ROOM)), "1"),
    "map.area_shape": (
        lambda m: put(m, Area(id="bow", type="zone", outline=((300, 650), (500, 800), (500, 650), (300, 790)))),
        "bow",
    ),
    "map.dot_inside": (lambda m: put(m, Area(id="a", type="zone", dot=(9, 9), outline=ROOM)), "a"),
    "map.part_of": (lambda m: put(m, Area(id="a", type="zone", within="block", outline=ROOM)), "a"),
    "map.ends_exist": (lambda m: put(m, Link(id="l", type="door", a="1 C", b="2 D")), "l"),
}


def test_a_sound_map_of_zones_has_no_findings() -> None:
    assert sound().check() == []


@pytest.mark.parametrize("rule", PLACE_FAULTS)
def test_a_seeded_fault_is_found_at_its_place(rule: str) -> None:
    map_ = sound()
    alter, place = PLACE_FAULTS[rule]
    alter(map_)
    assert (rule, place) in {(finding.rule, finding.at) for finding in map_.check()}
    assert all(finding.message and finding.remedy for finding in map_.check())
    assert CATALOGUE[rule].severity == "error"


def test_dots_of_hexes_and_areas_within_themselves() -> None:
    map_ = studio.new_map("phantom_fury", 4, 4)
    put(map_, Dot(id="d", at="0101", point=(900, 900)))
    put(map_, Area(id="a", type="zone", within="b", outline=ROOM))
    put(map_, Area(id="b", type="zone", within="a", outline=ROOM))
    found = {(finding.rule, finding.at) for finding in map_.check()}
    assert {("map.dot_inside", "0101"), ("map.part_of", "a"), ("map.part_of", "b")} <= found


def test_the_rest_of_the_map_is_not_hurt_by_a_marker_that_lies_nowhere() -> None:
    map_ = sound()
    map_.add("marker", id="m", type="activated_zone", at="1")
    map_.remove("area-1")
    assert ("map.marker", "1") in {(finding.rule, finding.at) for finding in map_.check()}


def house() -> Map:
    """Return a house in a town, the hexes under it unplayable, with a door."""
    town = studio.new_map("urban_operations", 5, 5)
    x, y = town.grid.centre(town.labels.cell("0303"))
    ring = [[x - 400, y - 200], [x + 400, y - 200], [x + 400, y + 200], [x - 400, y + 200]]
    town.add("area", id="house-1", type="building", name="1", outline=ring)
    town.add("area", id="room-1", type="room", name="1.1", within="house-1", outline=ring)
    town.paint("0303", terrain="unplayable")
    town.add("aperture", id="door-1", type="aperture", at=[x, y - 200], into="1.1", arrows=[["0302"]])
    town.set("sources", [{"title": "drawn for the tests"}])
    return town


TOWN_FAULTS: dict[str, tuple[Callable[[Map], object], str]] = {
    "map.covered_hex": (lambda m: m.paint("0303", terrain="clear"), "0303"),
    "map.aperture_on_wall": (
        lambda m: m.add("aperture", id="odd", type="aperture", at=[40, 40], into="1.1", arrows=[["0302"]]),
        "odd",
    ),
}


def test_a_sound_house_has_no_findings() -> None:
    assert house().check() == []


@pytest.mark.parametrize("rule", TOWN_FAULTS)
def test_a_seeded_fault_of_a_house_is_found(rule: str) -> None:
    town = house()
    alter, place = TOWN_FAULTS[rule]
    alter(town)
    assert (rule, place) in {(finding.rule, finding.at) for finding in town.check()}


def test_an_outline_that_crosses_itself_is_named_before_a_line_is_judged() -> None:
    town = house()
    town.add("area", id="bow", type="building", name="2", outline=[[0, 0], [400, 400], [400, 0], [0, 300]])
    with pytest.raises(GridError, match="bow: its outline crosses itself"):
        town.sight("0101", "0105")
    assert len(town.locations) == 25  # the table is there all the same


def test_a_marker_whose_place_is_gone_is_saved_opened_and_named(tmp_path: Path) -> None:
    town = house()
    roof = town.add("place", type="roof", name="1 roof", at=[2400, 1200], within="house-1")
    town.add("marker", id="m", type="smoke", at="1 roof")
    town.remove(roof)
    town.save(tmp_path / "town.map.json")
    again = studio.open_map(tmp_path / "town.map.json")
    assert [(finding.rule, finding.at) for finding in again.check()] == [("map.marker", "1 roof")]

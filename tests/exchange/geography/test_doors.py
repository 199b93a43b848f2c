"""Openings of data and doors that are made up: every building and yard of a town can be got into, and seen out of."""

from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely import LineString, Point, Polygon, affinity, box

import studio
from studio.checks import check_map
from studio.errors import DocumentError
from studio.exchange.common.ground import surveyed
from studio.exchange.geodata.options import LayerRule
from studio.exchange.geography.work import Work
from studio.files import write_map_text
from studio.model import Aperture, Area, Link, Place
from studio.model.topology.rings import lies_on
from studio.rules.urban_operations.doorsteps import Doorsteps
from studio.rules.urban_operations.ground import ground_groups
from studio.survey import ring_edges
from tests.exchange.geography.placed import entries, said
from tests.exchange.geography.test_layers import HOUSES, draw, errors, laid, polygon

TOWN = HOUSES | {"part": "room", "under": "unplayable", "clear": 0.1}
MADE_UP = TOWN | {"doors": "aperture"}
ENTRANCES = {"layer": "entrances", "to": "openings", "type": "aperture"}
STREETS = {"layer": "streets", "to": "names", "name": "name", "shape": "line"}


def openings(work: Work) -> dict[str, Aperture]:
    return {one.id: one for one in work.model.features_of(Aperture)}


def unreached(work: Work) -> list[str]:
    found = check_map(surveyed(work.model, work.ruleset), work.ruleset, file="small")
    return [str(one.at) for one in found.warnings if one.rule == "map.reachable"]


def opened(work: Work, folder: Path) -> studio.Map:
    file = folder / "town.map.json"
    file.write_bytes(write_map_text(work.model.to_document()))
    return studio.open_map(file)


def on_facade(work: Work, one: Aperture) -> bool:
    """Whether an opening lies exactly on the outline of its room, and of its building."""
    room = next(area for area in work.model.features_of(Area) if area.name == one.into)
    whole = work.model.features[room.within]
    assert isinstance(whole, Area)
    return all(
        any(lies_on(one.at, *edge) for ring in (area.outline, *area.holes) for edge in ring_edges(ring))
        for area in (room, whole)
    )


# -- openings of data ------------------------------------------------------------------------------------------------


def test_entrances_become_openings_of_the_room_behind_the_nearest_wall(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 3400, 2650), box(3400, 1000, 5600, 2650))
    points = [Point(2000, 990), Point(4700, 2655), Point(3402, 1700), Point(7500, 4000), Point(-600, 300)]
    draw(tmp_path, "entrances", *points)
    work = laid(tmp_path, TOWN, ENTRANCES)
    found = openings(work)
    assert {name: one.into for name, one in found.items()} == {"entrance-1": "1.1", "entrance-2": "2.1"}
    assert all(on_facade(work, one) and one.open for one in found.values())
    assert Point(found["entrance-1"].at).distance(points[0]) < 12
    # The third lies on the wall of two houses, the fourth in a field; the fifth is not on the map.
    assert said(work, "off every free wall").figures == {"openings": 2.0}
    assert said(work, "entrances to openings").text.endswith("not used: 1 off the hexes, 2 on no free wall")
    assert not errors(work)


def test_an_opening_is_looked_and_walked_through_along_its_arc(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 3400, 2650))
    draw(tmp_path, "entrances", Point(2160, 2650))
    work = laid(tmp_path, TOWN, ENTRANCES)
    (one,) = openings(work).values()
    town = opened(work, tmp_path)
    assert len(one.arrows) == 2
    seen = town.arc_of_fire(one.at, "1.1", one.arrows)
    door = next(label for label in seen if town.route("1.1", label, mover="foot").labels == ["1.1", label])
    assert town.sight("1.1", door).status == town.sight(door, "1.1").status == "clear"
    assert town.sight("1.1", "0301").status == "blocked"
    assert town.route("0301", "1.1", mover="foot").labels[-2:] == [door, "1.1"]


def test_a_breach_of_the_data_is_closed_at_the_start(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 3400, 2650))
    draw(tmp_path, "entrances", Point(2160, 2650), Point(1000, 1800), kind=["hole", "door"])
    rule = {
        "layer": "entrances",
        "to": "openings",
        "attribute": "kind",
        "mapping": {"hole": "breach", "door": "aperture"},
    }
    found = openings(laid(tmp_path, TOWN, rule)).values()
    assert {one.type: one.open for one in found} == {"breach": False, "aperture": True}


# -- doors that are made up ------------------------------------------------------------------------------------------


def test_every_building_without_an_opening_gets_one_and_every_yard(tmp_path: Path) -> None:
    yard = box(3900, 1400, 5100, 2600)
    houses = [box(600, 900, 2900, 3100), box(2900, 900, 6000, 3100).difference(yard), box(6900, 900, 8200, 3100)]
    draw(tmp_path, "houses", *houses)
    draw(tmp_path, "entrances", Point(7500, 3100))
    before = laid(tmp_path, TOWN)
    assert set(unreached(before)) >= {"1.1", "2.1", "3.1"} and len(unreached(before)) == 4
    work = laid(tmp_path, MADE_UP, ENTRANCES)
    assert {name: one.into for name, one in openings(work).items()} == {
        "entrance-1": "3.1", "made-up-1": "1.1", "made-up-2": "2.1", "made-up-3": "2.1",
    }  # fmt: skip
    assert all(on_facade(work, one) for one in openings(work).values())
    assert not unreached(work) and not errors(work)
    assert work.model.notes.startswith("No data give the openings made-up-1 to made-up-3; they are made up")
    assert said(work, "buildings get a door").at == ("1.1", "2.1")
    assert said(work, "yards get a door").figures == {"openings": 1.0}


def test_a_door_is_at_the_street_on_the_longest_facade(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(2000, 1500, 6500, 2900))
    draw(tmp_path, "streets", LineString([(7300, 0), (7300, 4800)]), name=["Street"])
    without = openings(laid(tmp_path, MADE_UP))["made-up-1"].at
    assert without[1] in (1500, 2900) and 3500 < without[0] < 5000
    (one,) = openings(laid(tmp_path, MADE_UP, STREETS)).values()
    assert one.at[0] == 6500 and 1700 < one.at[1] < 2700


def test_a_door_of_the_data_to_a_closed_yard_does_not_spare_the_one_to_the_street(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 900, 5000, 4000).difference(box(2300, 1700, 3700, 3100)))
    draw(tmp_path, "entrances", Point(3000, 1700))
    work = laid(tmp_path, MADE_UP, ENTRANCES)
    assert set(openings(work)) == {"entrance-1", "made-up-1"} and not unreached(work)


def test_yards_on_both_sides_of_a_wall_are_two(tmp_path: Path) -> None:
    left = box(600, 600, 3900, 3900).difference(box(2100, 1300, 3880, 3200))
    right = box(3900, 600, 7200, 3900).difference(box(3920, 1300, 5700, 3200))
    draw(tmp_path, "houses", left, right)
    before = laid(tmp_path, TOWN)
    groups = ground_groups(Doorsteps(surveyed(before.model, before.ruleset)))
    assert len(set(groups.tolist()) - {0}) == 3
    assert len([label for label in unreached(before) if "." not in label]) == 2
    work = laid(tmp_path, MADE_UP)
    assert sorted(one.into for one in openings(work).values()) == ["1.1", "1.1", "2.1", "2.1"]
    assert not unreached(work) and not errors(work)


def test_a_building_between_others_is_told(tmp_path: Path) -> None:
    around = box(1000, 900, 5000, 4000)
    draw(tmp_path, "houses", around.difference(box(2300, 1700, 3700, 3100)), box(2300, 1700, 3700, 3100))
    work = laid(tmp_path, MADE_UP)
    assert unreached(work) == ["2.1"]
    assert said(work, "cannot be got into", "finding").at == ("2.1",)


def test_yards_within_yards_small_houses_and_slivers(tmp_path: Path) -> None:
    ring = box(700, 600, 7000, 4300).difference(box(1500, 1200, 6200, 3700))
    inner = box(2300, 1700, 5300, 3200).difference(box(3100, 2200, 4500, 2750))
    hut = box(7700, 900, 7950, 1150)  # smaller than a hex, in the middle of none
    sliver = Polygon([(7025, 600), (8000, 600), (8000, 610), (7025, 640)])
    draw(tmp_path, "houses", ring, inner, hut, sliver)
    work = laid(tmp_path, MADE_UP | {"least": 0.1})
    whole = [one for one in work.model.features_of(Area) if one.type == "building"]
    assert len(whole) == 3 and sum(len(one.holes) for one in whole) == 2
    assert not unreached(work) and not errors(work)


def test_what_covers_or_repeats_or_leaves_the_map_gets_its_doors_too(tmp_path: Path) -> None:
    one = box(1000, 900, 4200, 2500)
    bow = Polygon([(5500, 800), (7500, 2300), (7500, 800), (5500, 2300)])
    beyond = box(-2000, 3300, 2500, 6000)
    shapes = [one, one, affinity.translate(one, 500, 60), affinity.scale(one, 0.3, 0.3), bow, beyond]
    draw(tmp_path, "houses", *shapes)
    work = laid(tmp_path, MADE_UP)
    whole = [polygon(area) for area in work.model.features_of(Area) if area.type == "building"]
    assert shapely.coverage_is_valid(whole) and all(area.is_valid for area in whole)
    assert not unreached(work) and not errors(work)


def test_a_building_of_three_hundred_hexes_has_one_door(tmp_path: Path) -> None:
    work = laid_on(tmp_path, {"columns": 30, "rows": 24, "hex_size": 7}, [box(1200, 1100, 19500, 9700)])
    assert len(openings(work)) == 1
    assert said(work, "have their dot under").figures["hexes"] > 300
    assert not unreached(work) and not errors(work)


def laid_on(folder: Path, grid: dict[str, Any], houses: list[Any]) -> Work:
    from studio.exchange.geography.layers import lay_layers
    from tests.exchange.geography.placed import save, work_of

    save(folder, "houses", houses, grid=grid)
    work = work_of(folder, grid=grid, ruleset="urban_operations", layers=[MADE_UP])
    lay_layers(work)
    return work


def test_the_same_data_make_the_same_doors(tmp_path: Path) -> None:
    houses = [affinity.rotate(box(700 + 2000 * n, 900, 2300 + 2000 * n, 2700), 7 * n) for n in range(4)]
    draw(tmp_path, "houses", *houses)
    one, other = (laid(tmp_path, MADE_UP) for _ in range(2))
    assert one.model.to_document() == other.model.to_document() and one.report.entries == other.report.entries
    assert len(openings(one)) == 4 and not errors(one) and not unreached(one)


# -- roofs, and what is refused --------------------------------------------------------------------------------------


def test_roofs_lie_on_buildings_and_are_reached_from_their_rooms(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 3400, 2650), box(5000, 500, 5600, 3000))
    work = laid(tmp_path, MADE_UP | {"roof": "roof", "stairs": "roof_access"})
    roofs = {one.name: one for one in work.model.features_of(Place)}
    assert {one.level for one in roofs.values()} == {2} and sorted(roofs) == ["1 roof", "2 roof"]
    assert {(link.a, link.b) for link in work.model.features_of(Link)} == {("1.1", "1 roof"), ("2.1", "2 roof")}
    for one in roofs.values():
        whole = work.model.features[one.within]
        assert isinstance(whole, Area) and polygon(whole).contains(Point(one.at))
    assert not unreached(work) and not errors(work)
    town = opened(work, tmp_path)
    assert town.route("0101", "1 roof", mover="foot").labels[-2:] == ["1.1", "1 roof"]
    assert town.sight("1 roof", "2 roof").status == "clear"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (TOWN | {"doors": "door"}, "'door' is no opening of Urban Operations"),
        (HOUSES | {"roof": "roof"}, "name its type in part"),
        (TOWN | {"roof": "rof"}, "did you mean 'roof'"),
        (TOWN | {"stairs": "steps"}, "'steps' is no link"),
        ({"layer": "houses", "to": "openings", "type": "gate"}, "'gate' is no opening"),
        ({"layer": "houses", "to": "openings"}, "such as 'aperture'"),
    ],
)  # fmt: skip
def test_unknown_openings_and_roofs_are_refused(tmp_path: Path, rule: dict[str, Any], words: str) -> None:
    draw(tmp_path, "houses", Point(1000, 1000) if rule["to"] == "openings" else box(1000, 1000, 2000, 2000))
    with pytest.raises(DocumentError, match=words):
        laid(tmp_path, rule)


def test_a_game_without_openings_has_none(tmp_path: Path) -> None:
    draw(tmp_path, "entrances", Point(1000, 1000))
    with pytest.raises(DocumentError, match="openings"):
        laid(tmp_path, ENTRANCES, game="modern_tactics")


def test_without_a_location_no_door_is_made_up(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 2500, 2500))
    work = laid(tmp_path, HOUSES | {"doors": "aperture"})
    assert not openings(work) and not work.model.notes
    assert "name a part that is one" in next(one.text for one in entries(work, "finding"))


def test_the_columns_that_a_rule_reads_are_its_own() -> None:
    assert LayerRule(to="openings", attribute="kind", doors="aperture").columns == ("kind",)

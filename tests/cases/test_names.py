"""What callers name: features by id or label, one text where several may be, labels that lists can hold."""

from pathlib import Path

import pytest
import shapely

import studio
from studio.api import Map
from studio.cli.main import main
from studio.errors import EditError, StudioError
from studio.sight import Conditions
from tests.checks.makers import change, district, rectangle, town

# -- ids and labels --------------------------------------------------------------------------------------------------


def test_a_feature_is_named_by_its_id_or_its_label() -> None:
    map_ = district()
    assert map_.geometry("S1").equals(map_.geometry("s1"))
    assert map_.geometry("1 C").geom_type == "Point"
    map_.remove("3 C")
    assert "box-3-C" not in map_.features
    with pytest.raises(EditError, match="geometry: no feature has the id or the label '9 C'; did you mean"):
        map_.geometry("9 C")
    with pytest.raises(EditError, match="remove: no feature has the id or the label 'nobody'"):
        map_.remove("nobody")


def test_within_takes_a_label() -> None:
    map_ = district()
    box = map_.add("place", type="courtyard", name="3 1", at=[1200, 800], within="3")
    assert map_.features[box].within == "a3"  # type: ignore[union-attr]
    kept = map_.add("place", type="courtyard", name="3 2", at=[1300, 800], within="a3")
    assert map_.features[kept].within == "a3"  # type: ignore[union-attr]


def test_a_label_that_two_areas_have_is_left_for_the_check() -> None:
    map_ = district()
    change(map_, "a2", name="1")
    box = map_.add("place", type="courtyard", name="x", at=[1200, 800], within="1")
    assert ("map.part_of", box) in {(one.rule, one.at) for one in map_.check()}


# -- one or several --------------------------------------------------------------------------------------------------


def test_one_text_will_do_where_several_are_allowed() -> None:
    map_ = town()
    map_.snap("r4", "vertices").snap("r4", ["corners", "sides"])
    map_.move_vertex([2520, 1000], [2530, 1000], only="b2")
    assert map_.features["b2"].outline[1] == (2530, 1000)  # type: ignore[union-attr]
    cloud = map_.add("marker", type="smoke", at="0102", also="0103")
    assert map_.features[cloud].also == ("0103",)  # type: ignore[union-attr]
    zone = district()
    new = zone.add("area", type="zone", name="9", outline=rectangle(1500, 0, 1700, 100), tags="holy")
    assert zone.features[new].tags == ("holy",)  # type: ignore[union-attr]
    assert studio.new_map("phantom_fury", 4, 4, half="top").grid.half == ("top",)
    with pytest.raises(EditError, match="got to='corner'; allowed"):
        map_.snap("r4", "corner")  # type: ignore[arg-type]
    with pytest.raises(EditError, match="got 1 area"):
        map_.merge_areas("1.1")


# -- shapes ----------------------------------------------------------------------------------------------------------


def test_only_what_lies_on_one_line_is_refused_as_such() -> None:
    map_ = studio.new_map("phantom_fury", 4, 4)
    bow = map_.add("area", type="zone", name="1", outline=[[0, 0], [900, 900], [900, 0], [0, 900]])
    assert ("map.area_shape", bow) in {(one.rule, one.at) for one in map_.check()}
    for flat in ([[0, 0], [300, 300], [900, 900]], [[0, 0], [900, 0], [0, 0], [300, 0]], [[5, 5]] * 3):
        with pytest.raises(EditError, match="lie on one line"):
            map_.add("area", type="zone", name="2", outline=flat)


@pytest.mark.parametrize(
    ("areas", "words"),
    [
        (["1.1", "1.2"], "parts of different areas: room 1.1 .r1. of b1 and zone 1.2 .z2. of r2"),
        (["1.2", "1.1"], "parts of different areas"),
        (["1.1", "2.1"], "parts of different areas"),
        (["r2", "1.2"], "zone 1.2 .z2. is part of divided room r2; name areas beside each other"),
        (["1.2", "b1"], "is part of building 1"),
    ],
)
def test_parts_of_different_areas_are_not_merged(areas: list[str], words: str) -> None:
    map_ = town()
    text = map_.to_text()
    with pytest.raises(EditError, match=words):
        map_.merge_areas(areas)
    assert map_.to_text() == text
    assert map_.merge_areas(["1.2", "1.3"]) == "z2"
    with pytest.raises(EditError, match="are of different types, 'room' and 'divided_room'; name areas of one type"):
        map_.merge_areas(["r1", "r2"])


def test_far_points_are_told_in_the_units_that_were_given() -> None:
    map_ = studio.new_map("phantom_fury", 4, 4)
    with pytest.raises(EditError, match=r"the point \(1e\+09, 0\) lies far off the map.* in map units"):
        map_.add("area", type="zone", name="1", geometry=shapely.box(0, 0, 1e9, 1))


# -- labels ----------------------------------------------------------------------------------------------------------

BAD = ["1, C", "1\nC", " 1 C", "1 C ", " ", "1\tC", "1\u2028C"]


@pytest.mark.parametrize("label", BAD)
def test_a_label_that_no_list_could_hold_is_refused_and_found(label: str) -> None:
    map_ = district()
    text = map_.to_text()
    asks = (
        lambda: map_.add("place", type="courtyard", name=label, at=[1200, 800], within="a3"),
        lambda: map_.add("area", type="zone", name=label, outline=rectangle(1500, 0, 1700, 100)),
        lambda: map_.rename("1 C", label),
        lambda: map_.split_area("3", [[1000, 600], [1000, 900]], label),
        lambda: map_.merge_areas(["2", "3"], name=label),
    )
    for ask in asks:
        with pytest.raises(EditError, match="the label"):
            ask()
    assert map_.to_text() == text
    change(map_, "box-1-C", name=label)
    assert ("map.label_form", "box-1-C") in {(one.rule, one.at) for one in map_.check().errors}
    map_.move("box-1-C", 10, 0)  # what has the label already can be mended step by step
    map_.rename("box-1-C", "1 C")
    assert "map.label_form" not in {one.rule for one in map_.check()}


def test_the_name_of_what_is_no_location_may_be_any_text() -> None:
    map_ = town()
    map_.add("area", id="b1", type="building", name="Mill, old", outline=map_.features["b1"].outline)  # type: ignore[union-attr]
    assert "map.label_form" not in {one.rule for one in map_.check()}


# -- locations of the map in messages --------------------------------------------------------------------------------


def test_a_marker_on_nothing_is_told_the_locations_of_the_map() -> None:
    map_ = studio.new_map("phantom_fury", 8, 8)
    with pytest.raises(EditError, match="unknown location '77'; the map has none yet"):
        map_.add("marker", type="rubble", at="77")
    map_.add("area", type="zone", name="7", outline=rectangle(0, 0, 900, 900))
    with pytest.raises(EditError, match="unknown location '77'; did you mean '7'") as caught:
        map_.add("marker", type="rubble", at="77")
    assert "0707" not in str(caught.value)
    with pytest.raises(EditError) as caught:
        map_.add("marker", type="rubble")
    assert 'at="7"' in str(caught.value)
    desert = studio.new_map("armageddon_war", 4, 4)
    with pytest.raises(EditError, match="malformed hex label '77'"):
        desert.add("marker", type="barricade", at="77")


# -- conditions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [["door-2"], ("door-2",), {"door-2"}, "door-2", iter(["door-2"])])
def test_conditions_take_any_iterable(given: object) -> None:
    map_ = town()
    assert map_.sight("2.1", "0407").status == "blocked"
    opened = Conditions(opened=given)  # type: ignore[arg-type]
    assert opened.opened == frozenset({"door-2"})
    assert map_.sight("2.1", "0407", conditions=opened).status == "clear"


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ({"opened": ["nope"]}, "opened names 'nope', which is no breach"),
        ({"smoke": ["0101"]}, "smoke got '0101': no location has the number"),
        ({"vehicles": [10**6]}, "vehicles got 1000000: no location has the number"),
        ({"vehicles": -1}, "vehicles got -1"),
        ({"smoke": [True]}, "smoke got True"),
    ],
)
def test_what_conditions_name_and_the_map_has_not_is_told(conditions: dict[str, object], words: str) -> None:
    with pytest.raises(StudioError, match=words):
        town().sight("2.1", "0407", conditions=Conditions(**conditions))  # type: ignore[arg-type]


def test_compared_games_refuse_such_conditions_too() -> None:
    map_ = studio.new_map("armageddon_war", 4, 4)
    with pytest.raises(StudioError, match="smoke got 999"):
        studio.compare_rulesets(map_, "armageddon_war", "modern_tactics", conditions=Conditions(smoke=[999]))


# -- files that are not there ----------------------------------------------------------------------------------------


def check(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str]:
    code = main(["check", *map(str, args)])
    return code, capsys.readouterr().out


def test_missing_files_are_a_command_that_cannot_be_carried_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    map_: Map = district()
    map_.add("link", type="door", a="3 C", b="2 C")
    file = tmp_path / "quarter.map.json"
    map_.save(file)
    (tmp_path / ".quarterx.map.json.journal").write_text("", encoding="utf-8")
    code, out = check(capsys, tmp_path / "quarterx.map.json", file)
    assert code == 2 and "did you mean 'quarter.map.json'?" in out and ".journal" not in out
    assert "map.link_twice" in out
    code, out = check(capsys, file, "--lists", tmp_path / "nope.csv")
    assert code == 2 and "nope.csv" in out and "map.link_twice" in out
    (tmp_path / "bad.csv").write_bytes(b"\xff\xfe\x00")
    code, out = check(capsys, file, "--lists", tmp_path / "bad.csv")
    assert code == 1 and "bad.csv" in out and "map.link_twice" in out
    assert check(capsys, file)[0] == 0

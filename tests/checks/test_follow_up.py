"""Routes that end, zones nobody enters, houses over hexes on any layer, clouds with a gap, links from either end."""

import studio
from studio.model import Area
from tests.checks.makers import change, district, drop, put, rectangle, town


def found(map_: studio.api.Map, rule: str) -> list[tuple[str, str]]:
    return [(one.at, one.message) for one in map_.check() if one.rule == rule]


def test_a_route_that_ends_is_named_where_it_ends_and_a_circle_where_it_turns() -> None:
    map_ = district()
    drop(map_, "out-2")
    (end,) = found(map_, "map.egress_exit")
    assert end == ("2", "the egress routes of 1, 3 end here: this zone has no route, so they lead to no EXIT")
    map_.undo()
    change(map_, "out-2", b="3")
    circle = "from here the egress routes lead round in a circle, to no EXIT"
    assert found(map_, "map.egress_exit") == [("2", circle), ("3", circle)]  # 1 leads into it, and comes right with it


def test_open_ground_has_boxes_and_routes_but_what_nobody_controls_or_enters_has_none() -> None:
    for tag, asked in (("open", True), ("no_control", False), ("out_of_play", False)):
        map_ = district()
        change(map_, "a3", tags=(tag,))
        new = map_.split_area("3", [[1000, 600], [1000, 900]], "3b")
        assert map_.features[new].tags == (tag,)  # type: ignore[union-attr]
        assert bool(found(map_, "map.zone_boxes")) is asked
        assert bool(found(map_, "map.egress_missing")) is asked


def test_target_symbols_and_routes_from_either_end_are_two_and_a_door_is_one() -> None:
    map_ = district()
    map_.add("link", id="t1", type="line_of_fire", a="1", b="3")
    map_.add("link", id="t2", type="line_of_fire", a="3", b="1")
    map_.add("link", id="o2", type="egress", a="2", b="3", order=2)
    assert found(map_, "map.link_twice") == []
    map_.add("link", id="d2", type="door", a="3 C", b="2 C")
    assert found(map_, "map.link_twice") == [("door", "door between 2 C and 3 C is drawn twice: d2 and door")]
    map_.repair("map.link_twice")
    assert found(map_, "map.link_twice") == []


def test_two_one_way_arrows_there_and_back_are_two() -> None:
    map_ = district()
    drop(map_, "arrow")
    map_.add("link", type="arrow", a="1 C", b="1 1", one_way=True)
    map_.add("link", type="arrow", a="1 1", b="1 C", one_way=True)
    assert found(map_, "map.link_twice") == []


def test_all_hexes_under_a_house_are_painted_as_one_repair() -> None:
    map_ = town()
    x, y = map_.grid.centre(map_.labels.cell("0804"))
    ring = rectangle(x - 100, y - 100, x + 100, y + 900)
    map_.add("area", id="b9", type="building", name="9", outline=ring)
    map_.add("area", id="r9", type="room", name="9.1", within="9", outline=ring)
    ((at, message),) = found(map_, "map.covered_hex")
    assert at == "0804" and "0805" in message
    mended = map_.repair("map.covered_hex")
    assert [one.repair.title for one in mended] == ["Paint 2 hexes under 9 unplayable"]  # type: ignore[union-attr]
    assert [map_.survey.directory.exists(map_.labels.cell(label)) for label in ("0804", "0805")] == [False, False]
    map_.undo()
    assert found(map_, "map.covered_hex")


def test_hexes_beneath_an_underground_building_are_asked_on_their_own_layer_alone() -> None:
    surface, below = (studio.new_map("urban_operations", 5, 5, title=title) for title in ("Surface", "Below"))
    for map_ in (surface, below):
        x, y = map_.grid.centre(map_.labels.cell("0303"))
        ring = rectangle(x - 200, y - 150, x + 200, y + 150)
        map_.add("area", id="u", type="underground", outline=ring)
        map_.add("area", id="ur", type="room", name=f"{map_.title} A", within="u", outline=ring)
    assert found(surface, "map.covered_hex") == []
    joint = studio.join_maps(surface, below, edge="apart", prefixes=("", "U"), layer="underground")
    assert [at for at, _ in found(joint, "map.covered_hex")] == ["U0303"]


def test_a_cloud_that_is_cut_off_at_the_edge_is_whole_and_one_with_a_gap_is_not() -> None:
    map_ = town()
    for at, wind in (("0102", "N"), ("0901", "NE"), ("0902", "NNE")):
        map_.add_cloud("smoke", at, wind=wind)
    assert found(map_, "map.cloud") == []
    change(map_, "smoke", also=("0506",))
    ((_, message),) = found(map_, "map.cloud")
    assert message.endswith("leaves out 0507, which its marker covers")


def test_a_type_has_its_article() -> None:
    map_ = studio.new_map("urban_operations", 6, 6)
    put(map_, Area(id="u", type="underground", outline=rectangle(200, 200, 900, 700)))
    put(map_, Area(id="z", type="zone", name="A", within="u", outline=rectangle(200, 200, 900, 700)))
    ((_, message),) = found(map_, "map.whole")
    assert message == "a zone is part of u, an underground"

"""Supply by the table of a game of one's own: every setting with its values, and every fault of the file."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api.scenario import Scenario
from studio.errors import DocumentError
from studio.model import Force, Formation, MapUse, ScenarioDocument, ScenarioModel, UnitRecord
from studio.paths import Network
from studio.paths.dominators import Dominators
from studio.paths.shortfall import Shortfalls
from studio.paths.supply import SupplyGround, SupplyLines, SupplyNet, SupplyRule
from studio.rules import Ruleset

GAME = """
id = "supplied"
title = "Supplied"
levels = [0, 0]
features = ["road", "marker", "area"]
[movers.foot]
name = "Foot"
[movers.truck]
name = "Truck"
[terrain.clear]
name = "Clear"
char = "."
move = { foot = 1, truck = "1/2" }
[terrain.woods]
name = "Woods"
char = "w"
move = { foot = 2, truck = "X" }
[terrain.port]
name = "Port"
char = "p"
move = { foot = 1, truck = 1 }
[markers.depot]
name = "Depot"
[areas.base]
name = "Base"
[sides.stream]
name = "Stream"
cross = { foot = 1, truck = 2 }
[sides.cliff]
name = "Cliff"
cross = { foot = "X", truck = "X" }
"""

PLAIN = 'mover = "foot"\noff_road = 3\nsources = { terrain = ["port"] }\nsource_control = "not_enemy"'


def game(tmp_path: Path, supply: str) -> Ruleset:
    file = tmp_path / "supplied.ruleset.toml"
    file.write_text(f"{GAME}\n[supply]\n{supply}\n", encoding="utf-8")
    return studio.load_ruleset(file)


def scene(rules: Ruleset, units: dict[str, str], draw: Any = None) -> Scenario:
    """Return a scenario of blue and red: units by their hex, blue ones with small letters."""
    made = studio.new_map(rules, columns=12, rows=6).paint("0103", terrain="port")
    if draw is not None:
        draw(made)
    records = {
        side: tuple(UnitRecord(id=name, type="any", at=at) for name, at in units.items() if name.islower() == low)
        for side, low in (("blue", True), ("red", False))
    }
    forces = [
        Force(id=side, name=side.title(), formations=(Formation(id=side, name="", units=found),))
        for side, found in records.items()
    ]
    document = ScenarioDocument(ruleset=rules.id, map=MapUse(file="x"), forces=forces)
    return Scenario(ScenarioModel(document), made)


def is_in(rules: Ruleset, at: str, *, draw: Any = None, enemies: tuple[str, ...] = (), **options: Any) -> bool:
    units = {"a": at, **{f"X{n}": label for n, label in enumerate(enemies)}}
    return scene(rules, units, draw).supply("blue", options=options).unit("a").supplied


def road(made: Any) -> None:
    made.add("road", path=[f"{column:02}03" for column in range(1, 12)], surface="unpaved")


def test_off_road_limit_in_points_and_without(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN)
    assert is_in(rules, "0403")
    assert not is_in(rules, "0503")
    assert is_in(rules, "0503", supply_off_road=4)
    assert is_in(rules, "1203", supply_off_road=9999)
    assert not is_in(rules, "0203", supply_off_road=0)


def test_the_mover_of_the_table_or_hexes(tmp_path: Path) -> None:
    def woods(made: Any) -> None:
        made.paint([f"0{column}0{row}" for column in (2, 3) for row in range(1, 7)], terrain="woods")

    assert not is_in(game(tmp_path, PLAIN), "0403", draw=woods)
    assert is_in(game(tmp_path, PLAIN.replace('"foot"', '"truck"')), "0603")
    assert not is_in(game(tmp_path, PLAIN.replace('"foot"', '"truck"')), "0703")
    assert not is_in(game(tmp_path, PLAIN.replace('"foot"', '"truck"')), "0403", draw=woods)
    assert is_in(game(tmp_path, PLAIN.replace('mover = "foot"\n', "")), "0403", draw=woods)


def test_hexsides_count_or_are_free_and_cliffs_stay_closed(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN)

    def streams(made: Any) -> None:
        for row in range(1, 7):
            for other in made.grid.neighbours(made.labels.cell(f"020{row}")):
                made.set_side(f"020{row}", made.labels.label(other), "stream")

    assert not is_in(rules, "0403", draw=streams)
    assert is_in(rules, "0403", draw=streams, supply_hexsides="free")

    def cliffs(made: Any) -> None:
        for other in made.grid.neighbours(made.labels.cell("0203")):
            made.set_side("0203", made.labels.label(other), "cliff")

    assert not is_in(rules, "0203", draw=cliffs, supply_hexsides="free")


def test_roads_of_some_surfaces(tmp_path: Path) -> None:
    assert is_in(game(tmp_path, PLAIN), "1103", draw=road)
    assert not is_in(game(tmp_path, PLAIN + '\nroads = ["paved"]'), "1103", draw=road)
    assert not is_in(game(tmp_path, PLAIN + "\nroads = []"), "1103", draw=road)


def test_a_road_may_be_needed_and_may_be_short(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN)
    assert not is_in(rules, "0303", supply_road_needed=True)
    assert is_in(rules, "0304", supply_road_needed=True, draw=road)
    assert is_in(rules, "0103", supply_road_needed=True)  # in the source itself
    assert is_in(rules, "0903", supply_road_hexes=5, draw=road)
    assert not is_in(rules, "1003", supply_road_hexes=5, draw=road)
    found = scene(rules, {"a": "1103"}, road).supply("blue", options={"supply_road_hexes": 5, "supply_off_road": 2})
    assert found.unit("a").reason == "3 hexes short: 8 hexes by road to the source 0103, 5 allowed"


@pytest.mark.parametrize(
    ("blocked_by", "beside", "held"),
    [
        ("units", True, True),
        ("neighbours", False, False),
        ("neighbours_unless_held", False, True),
        ("nothing", True, True),
    ],
)
def test_what_enemies_block(tmp_path: Path, blocked_by: str, beside: bool, held: bool) -> None:
    rules = game(tmp_path, PLAIN.replace("off_road = 3", "off_road = 0"))
    # The enemy stands beside the road, not on it; in the second scene a unit of one's own holds each of its neighbours.
    options = {"supply_blocked_by": blocked_by}
    open_ = scene(rules, {"a": "1103", "X": "0604"}, road)
    assert open_.supply("blue", options=options).unit("a").supplied is beside
    grid, labels = open_.map.grid, open_.map.labels
    around = map(labels.label, grid.neighbours(labels.cell("0604")))
    guards = dict(zip("bcdefg", around, strict=False))
    guarded = scene(rules, {"a": "1103", "X": "0604", **guards}, road)
    assert guarded.supply("blue", options=options).unit("a").supplied is held
    on_it = scene(rules, {"a": "1103", "X": "0603"}, road)
    assert on_it.supply("blue", options=options).unit("a").supplied is (blocked_by == "nothing")


def test_sources_by_terrain_marker_and_area(tmp_path: Path) -> None:
    def depots(made: Any) -> None:
        made.add("marker", type="depot", at="1206")
        corners = made.grid.corners(made.labels.cell("1201"))
        made.add("area", id="base", type="base", outline=corners)

    named = PLAIN.replace('terrain = ["port"]', 'markers = ["depot"], areas = ["base"]')
    rules = game(tmp_path, named)
    found = scene(rules, {"a": "1205", "b": "1102", "c": "0203"}, depots).supply("blue")
    assert [one.source for one in found] == ["1206", "1201", ""]
    assert "short of the source" in found.unit("c").reason


def test_who_must_control_a_source(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN)
    assert is_in(rules, "0203")
    assert not is_in(rules, "0203", enemies=("0103",))
    assert not is_in(rules, "0203", supply_source_control="held")
    there = scene(rules, {"a": "0203", "b": "0103"}).supply("blue", options={"supply_source_control": "held"})
    assert there.unit("a").supplied
    assert not is_in(rules, "0203", supply_home_only=True)


def test_a_map_without_sources_says_so(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN.replace('terrain = ["port"]', 'markers = ["depot"]'))
    assert scene(rules, {"a": "0203"}).supply("blue").unit("a").reason == "no source: the map has none for Blue"


@pytest.mark.parametrize(
    ("line", "place", "says"),
    [
        ("off_road = -1", "$.supply.off_road", "whole numbers from 0 to 9999"),
        ("off_road = true", "$.supply.off_road", "got True"),
        ('hexsides = "some"', "$.supply.hexsides", "'counts', 'free'"),
        ('mover = "boot"', "$.supply.mover", "did you mean 'foot'"),
        ('roads = "paved"', "$.supply.roads", "a list"),
        ('roads = ["pavd"]', "$.supply.roads", "did you mean 'paved'"),
        ('sources = { terrain = ["porta"] }', "$.supply.sources.terrain", "did you mean 'port'"),
        ('sources = { terrian = ["port"] }', "$.supply.sources.terrian", "did you mean 'terrain'"),
        ("sources = {}", "$.supply.sources", "needs sources"),
        ("of_road = 3", "$.supply.of_road", "did you mean 'off_road'"),
        ("section = 3", "$.supply.section", "allowed: a text"),
    ],
)
def test_faults_of_the_table(tmp_path: Path, line: str, place: str, says: str) -> None:
    name = line.partition(" =")[0]
    kept = "\n".join(one for one in PLAIN.splitlines() if not one.startswith(f"{name} ="))
    with pytest.raises(DocumentError) as caught:
        game(tmp_path, f"{kept}\n{line}")
    assert [fault.path for fault in caught.value.faults] == [place]
    assert says in str(caught.value.faults[0])


def test_an_option_may_not_have_the_name_of_a_setting(tmp_path: Path) -> None:
    option = "\n[options.supply_off_road]\ndefault = 1\nvalues = [1, 2]\n"
    with pytest.raises(DocumentError, match="setting of supply"):
        game(tmp_path, PLAIN + option)


def test_a_file_of_ones_own_names_no_module(tmp_path: Path) -> None:
    file = tmp_path / "supplied.ruleset.toml"
    file.write_text('supply_module = "os"\n' + GAME, encoding="utf-8")
    with pytest.raises(DocumentError, match="names no module"):
        studio.load_ruleset(file)


# -- the machinery below it --------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(2, 9), st.data())
def test_dominators_are_what_taking_each_node_away_shows(size: int, data: st.DataObject) -> None:
    pairs = list(itertools.combinations(range(size), 2))
    links = data.draw(st.sets(st.sampled_from(pairs)))
    roots = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=3))
    network = Network.from_links(size, [(a, b, 1) for a, b in links] + [(b, a, 1) for a, b in links])
    found = Dominators(network, roots)

    def reached(without: int) -> set[int]:
        seen = roots - {without}
        while True:
            onward = {b for a, b in [*links, *((b, a) for a, b in links)] if a in seen and b != without} - seen
            if not onward:
                return seen
            seen |= onward

    everywhere = reached(-1)
    for node in range(size):
        assert found.reaches(node) == (node in everywhere)
        if node in everywhere:
            assert set(found.chain(node)) == {cut for cut in range(size) if node not in reached(cut)}
    some = sorted(everywhere)
    if some:
        shared = set.intersection(*(set(found.chain(node)) for node in some))
        assert set(found.chain(found.common(some))) == shared


def test_a_line_may_start_in_a_closed_hex_and_none_runs_through_it() -> None:
    net = SupplyNet(Network.from_links(4, []), [(0, 1), (1, 2), (2, 3)], SupplyRule())
    lines = SupplyLines(net, SupplyGround({1: "an enemy unit"}, {0: ""}))
    assert [lines.cost(cell) for cell in range(4)] == [0, 0, -1, -1]
    assert lines.line(1).path == (1, 0)  # type: ignore[union-attr]


def test_a_net_without_roads_or_sources() -> None:
    net = SupplyNet(Network.from_links(3, [(0, 1, 2), (1, 2, 2)]), [], SupplyRule(off_road=2))
    assert SupplyLines(net, SupplyGround({}, {})).line(0) is None
    lines = SupplyLines(net, SupplyGround({}, {2: ""}))
    assert [lines.cost(cell) for cell in range(3)] == [-1, 2, 0]


@pytest.mark.parametrize("blocked_by", ["neighbours", "neighbours_unless_held"])
def test_in_a_source_next_to_an_enemy_a_unit_is_in_supply(tmp_path: Path, blocked_by: str) -> None:
    rules = game(tmp_path, PLAIN)
    found = scene(rules, {"a": "0103", "b": "0303", "X": "0104"}).supply(
        "blue", options={"supply_blocked_by": blocked_by}
    )
    assert found.unit("a").reason == "in the source 0103"
    assert found.unit("b").supplied is (blocked_by == "neighbours_unless_held")
    if blocked_by == "neighbours":
        assert found.unit("b").reason == "no source works: 0103 is closed by an enemy unit next to it, at 0104"


@pytest.mark.parametrize("most", [3, 300, 9999])
def test_a_miss_under_every_size_of_the_limit(tmp_path: Path, most: int) -> None:
    wall = [f"030{row}" for row in range(1, 7)]
    rules = game(tmp_path, PLAIN)
    where = scene(rules, {"a": "0503" if most > 3 else "0403", **{f"X{n}": at for n, at in enumerate(wall)}})
    answer = where.supply("blue", options={"supply_off_road": most}).unit("a")
    assert not answer.supplied
    assert len(answer.cuts) == 1
    assert answer.cuts[0] in wall
    assert answer.reason.startswith(f"way off road closed at {answer.cuts[0]} by an enemy unit")


def test_a_miss_where_lines_run_by_road_only(tmp_path: Path) -> None:
    rules = game(tmp_path, PLAIN.replace("off_road = 3", "off_road = 0"))
    answer = scene(rules, {"a": "1103", "X": "0603"}, road).supply("blue").unit("a")
    assert answer.cuts == ("0603",)
    assert answer.reason == "road cut at 0603 by an enemy unit; the next best line needs 6 MP off road"
    assert scene(rules, {"a": "1104"}, road).supply("blue").unit("a").short == 1


def test_a_step_beyond_the_limit_is_no_step_in_a_miss() -> None:
    # Half points: 13 are over a limit of 12, though all other costs are whole points.
    across = Network.from_links(3, [(0, 1, 13), (1, 2, 2), (2, 1, 2)])
    ground = SupplyGround({2: "an enemy unit"}, {2: ""})
    net = SupplyNet(across, [], SupplyRule(off_road=12))
    miss = Shortfalls(SupplyLines(net, ground), [0, 1])
    assert miss.of(0).cuts == ()
    assert miss.of(1).cuts == (2,)

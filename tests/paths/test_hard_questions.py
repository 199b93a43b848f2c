"""Questions about supply and movement at the limits: closed hexes, odd values, many forces, large and old answers."""

from __future__ import annotations

import itertools
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.api.scenario import Scenario
from studio.cli import main
from studio.errors import (
    DocumentError,
    LabelError,
    ScenarioRuleError,
    StaleAnswerError,
    UnknownNameError,
)
from studio.model import Force, Formation, MapUse, ScenarioDocument, ScenarioModel, SetField, UnitRecord
from studio.paths import Network
from studio.paths.state import read_state
from studio.paths.supply import SupplyGround, SupplyLines, SupplyNet, SupplyRule
from studio.rules import load_ruleset
from studio.rules.own_costs import MOST_COST
from tests.paths.boards import Board, Unit
from tests.paths.test_supply_scenarios import board
from tests.sight.urban_town import Town


def force(side: str, **at: str) -> Force:
    units = tuple(UnitRecord(id=name, type=f"{side}.infantry", at=label) for name, label in at.items())
    return Force(id=side, name=side.title(), formations=(Formation(id=f"{side}-1", name=side, units=units),))


def on(map_: studio.Map, *forces: Force, **fields: Any) -> Scenario:
    document = ScenarioDocument(ruleset="ignorant_armies", map=MapUse(file="x"), forces=list(forces), **fields)
    return Scenario(ScenarioModel(document), map_)


# -- hexes that are closed from everywhere, and hexes out of play ----------------------------------------------------


@pytest.mark.parametrize("short", [False, True])
def test_a_closed_hex_at_the_edge_is_warned_of(short: bool) -> None:
    land = studio.new_map("ignorant_armies", columns=5, rows=4, short=short)
    edge = [cell for cell in range(land.grid.cells) if land.grid.has(cell) and len(land.grid.neighbours(cell)) < 6]
    labels = [land.labels.label(cell) for cell in edge]
    land.paint(labels, terrain="lake")
    answers = on(land, force("iraq"), force("iran")).supply("iraq", at=labels)
    assert [one.at for one in answers] == labels
    assert all("no such unit can be there" in one.warning for one in answers)


def test_a_road_through_a_hex_out_of_play_does_not_matter() -> None:
    land = studio.new_map("ignorant_armies", columns=5, rows=4)
    land.add("road", path=["0102", "0202", "0302", "0402"])
    scenario = on(land, force("iraq", a="0102"), force("iran"))
    assert "0302" in scenario.movement_state("iraq")["hostile"]
    land.paint("0302", terrain="out_of_play")
    state = scenario.movement_state("iraq")
    assert "0302" not in state["hostile"]
    assert "0402" in state["hostile"]
    assert land.route("0101", "0104", mover="ground", state=state).found
    for field in ("at", "enemy_at"):
        with pytest.raises(LabelError, match="0302 is no location"):
            scenario.supply("iraq", **{field: ["0302"]})


# -- both sides in one hex, many sides -------------------------------------------------------------------------------


def test_a_hex_with_both_sides_in_it_is_nobody_s_and_found_by_the_checks() -> None:
    land = studio.new_map("ignorant_armies", columns=6, rows=4)
    forces = [force("iraq", a="0202", c="0303"), force("iran", b="0202")]
    for order in (forces, forces[::-1]):
        scenario = on(land, *order)
        assert scenario.situation.owner_name(land.labels.cell("0202")) == "nobody"
        assert scenario.situation.owner_name(land.labels.cell("0303")) == "Iraq"
        assert [(found.at, found.severity) for found in scenario.check() if found.rule == "scenario.one_side"] == [
            ("0202", "error")
        ]
    assert not [found for found in on(land, force("iraq", a="0202")).check() if found.rule == "scenario.one_side"]


def test_a_scenario_with_more_than_127_sides() -> None:
    land = studio.new_map("ignorant_armies", columns=20, rows=20)
    sides = [Force(id=f"s{n}", name=f"Side {n}", formations=force("x", **{f"u{n}": label}).formations)
             for n, label in enumerate(land.labels.all()[:200])]  # fmt: skip
    owner = on(land, *sides).situation.owner
    assert owner[:200].tolist() == list(range(200))
    assert owner[200] == -1


def test_spent_hexes_that_are_no_sources_and_shared_homes_are_found() -> None:
    spent = board(unrestored=("0305",)).scenario()
    assert [found.at for found in spent.check() if found.rule == "scenario.unrestored"] == ["unrestored"]
    assert not [
        found for found in board(unrestored=("0105",)).scenario().check() if found.rule == "scenario.unrestored"
    ]
    plain = board().scenario()
    assert not [found for found in plain.check() if found.rule == "scenario.homes"]
    plain.apply(SetField(field="home", value={"iraq": ["Iraq"], "iran": ["Iraq"]}))
    assert ["iraq and iran" in found.message for found in plain.check() if found.rule == "scenario.homes"] == [True]


# -- values that cannot be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"control": ["0204"]}, "control: got .* give a mapping"),
        ({"control": {"iran": 5}}, "got 5"),
        ({"without": 3}, "got 3"),
        ({"at": 101}, "got 101"),
        ({"options": [1]}, "options: got .* give a mapping"),
    ],
)
def test_odd_questions_about_supply_are_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioRuleError, match=said):
        board().scenario().supply("iraq", **asked)


def test_one_label_needs_no_list_and_none_says_nothing() -> None:
    scenario = board().scenario()
    assert repr(scenario.supply("iraq", at="0301")) == repr(scenario.supply("iraq", at=["0301"]))
    one, several = ({"iran": labels} for labels in ("0105", ["0105"]))
    assert repr(scenario.supply("iraq", control=one)) == repr(scenario.supply("iraq", control=several))
    assert repr(scenario.supply("iraq", at=None, without=None, enemy_at=None)) == repr(scenario.supply("iraq"))
    # An iterator holds for every side.
    assert repr(scenario.supply(without=iter(["0305"]))) == repr(scenario.supply(without=["0305"]))


@pytest.mark.parametrize("turn", ["x", True, -1, 1.5])
def test_a_turn_is_a_whole_number(turn: Any) -> None:
    scenario = board().scenario()
    for ask in (scenario.strategic_movement, scenario.movement_state):
        with pytest.raises(ScenarioRuleError, match="turn: got"):
            ask("iraq", turn=turn)


def test_a_mover_that_is_no_text_is_no_mover() -> None:
    with pytest.raises(UnknownNameError, match="unknown mover"):
        board().scenario().map.route("0101", "0102", mover=["ground"])  # type: ignore[arg-type]


@pytest.mark.parametrize("points", ["1e309", "1e999999999", 10**400, 1e300, float("inf"), "9" * 39])
def test_points_beyond_all_ways_are_refused(points: Any) -> None:
    land = board().scenario().map
    with pytest.raises(ScenarioRuleError, match="points: got"):
        land.route("0101", "0102", mover="ground", points=points)
    with pytest.raises(ScenarioRuleError, match="points: got"):
        land.reach("0101", mover="ground", points=points)


def test_points_beyond_all_ways_are_refused_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.map.json"
    board().scenario().map.save(file)
    assert main(["reach", str(file), "0101", "--mover", "ground", "--points", "1e309"]) != 0
    assert "points: got '1e309'" in capsys.readouterr().err


@pytest.mark.parametrize("points", ["x", float("nan"), -1, True])
def test_effect_points_are_whole_numbers(points: Any) -> None:
    with pytest.raises(ScenarioRuleError, match="points: got"):
        Town().map.effect_reach("0405", points)


def test_fields_beside_a_state_are_put_into_it() -> None:
    land = studio.new_map("armageddon_war", columns=5, rows=5)
    state = read_state(land.survey.directory, land.ruleset.paths.STATE, {"enemies": ["0302"]})
    by_object = land.step("0301", "0302", mover="tracked", state=state, flank=True)
    by_mapping = land.step("0301", "0302", mover="tracked", state={"enemies": ["0302"]}, flank=True)
    assert str(by_object) == str(by_mapping)
    assert str(by_object) != str(land.step("0301", "0302", mover="tracked", flank=True))
    with pytest.raises(ScenarioRuleError, match="state: got 5"):
        land.step("0301", "0302", mover="tracked", state=5, flank=True)  # type: ignore[arg-type]


def test_a_unit_that_an_enemy_would_take_the_place_of_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = board().scenario()
    scenario.map.save(tmp_path / "b.map.json")
    made = studio.new_scenario(scenario.map, title="x")
    made.apply(SetField(field="forces", value=list(scenario.document.forces)))
    made.save(tmp_path / "b.scenario.json")
    file = str(tmp_path / "b.scenario.json")
    assert main(["supply", file, "--unit", "a", "--enemy-at", "1605"]) != 0
    assert "it is gone when an enemy stands in its hex, 1605" in capsys.readouterr().err


# -- old answers -----------------------------------------------------------------------------------------------------


def test_answers_are_old_once_the_scenario_has_changed() -> None:
    import matplotlib as mpl

    mpl.use("agg")
    scenario = board().scenario()
    supply, cut = scenario.supply("iraq"), scenario.interdiction("iraq")
    scenario.plot_supply(supply.only("a"))
    forces = list(scenario.document.forces)
    scenario.apply(SetField(field="forces", value=[force("iraq", zzz="0101"), forces[1]]))
    for plot, answer in ((scenario.plot_supply, supply), (scenario.plot_supply, supply.only("a")),
                         (scenario.plot_interdiction, cut)):  # fmt: skip
        with pytest.raises(StaleAnswerError, match="scenario has changed"):
            plot(answer)
    scenario.plot_supply(scenario.supply("iraq"))


def test_a_reach_of_an_older_map_says_so() -> None:
    land = board().scenario().map
    reach = land.reach("0101", mover="ground", points=3)
    assert reach.cost("0102") is not None
    land.paint("0102", terrain="hills")
    with pytest.raises(StaleAnswerError):
        reach.cost("0102")


# -- ties, costs along a way, great many hexes -----------------------------------------------------------------------


def test_of_lines_that_cost_the_same_the_one_over_the_fewest_hexes_is_given() -> None:
    # From 0 two steps lead to the source 4, or one that costs as much; by 5 and 6 a road leads to the source 7, too.
    straight = [(0, 3, 2), (3, 4, 2), (0, 4, 4), (1, 5, 2), (1, 8, 1), (8, 9, 1), (9, 7, 0)]
    net = SupplyNet(Network.from_links(10, straight), [(5, 6), (6, 7)], SupplyRule(off_road=12))
    lines = SupplyLines(net, SupplyGround({}, {4: "", 7: ""}))
    assert lines.line(0).path == (0, 4)  # type: ignore[union-attr]
    # By road over 5 and 6 there are as many hexes as over 8 and 9: straight on is first.
    assert lines.line(1).path == (1, 8, 9, 7)  # type: ignore[union-attr]
    longer = SupplyNet(
        Network.from_links(11, [*straight[:-1], (9, 10, 0), (10, 7, 0)]), [(5, 6), (6, 7)], SupplyRule(off_road=12)
    )
    assert SupplyLines(longer, SupplyGround({}, {7: ""})).line(1).path == (1, 5, 6, 7)  # type: ignore[union-attr]


def test_costs_along_a_way_are_those_of_its_links() -> None:
    rng = np.random.default_rng(5)
    links = [(int(a), int(b), int(c)) for a, b, c in rng.integers((0, 0, -1), (9, 9, 7), (60, 3)) if a != b]
    net = Network.from_links(9, links)
    ways = [rng.integers(0, 9, 6).tolist() for _ in range(40)]
    for way in ways:
        expected = [-1 if (cost := net.cost(a, b)) is None else cost for a, b in itertools.pairwise(way)]
        assert net.costs_along(way).tolist() == expected
    assert net.costs_along([3]).tolist() == net.costs_along([]).tolist() == []


@pytest.mark.parametrize("roads", [(), (tuple(f"{column:02}20" for column in range(1, 91)),)])
def test_a_great_many_hexes_are_asked_about_at_once(roads: tuple[tuple[str, ...], ...]) -> None:
    large = Board(
        columns=90, rows=90, border=45, terrain={"0120": "city"}, roads=roads, units=(Unit("a", "iraq", "0101"),)
    )
    scenario = large.scenario()
    labels = scenario.map.labels.all()
    single = {label: scenario.supply("iraq", at=label)[0] for label in labels[::997]}
    tracemalloc.start()
    begin = time.process_time()
    found = scenario.supply("iraq", at=labels)
    spent, size = time.process_time() - begin, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found) == 8100
    assert spent < 5
    assert size < 100_000_000
    assert all(found[at] == single[label] for at, label in list(enumerate(labels))[::997])
    scenario.map.paint("0505", terrain="hills")
    with pytest.raises(StaleAnswerError):
        _ = found[4].reason


# -- roofs that are linked in a circle -------------------------------------------------------------------------------


@pytest.mark.parametrize("links", [[("1 roof", "1 roof")], [("1 roof", "2 roof"), ("2 roof", "1 roof")]])
def test_roofs_linked_in_a_circle(links: list[tuple[str, str]]) -> None:
    town = Town(columns=12, rows=12)
    town.house("1", town.box("0403"), roof=True)
    town.house("2", town.box("0703"), roof=True)
    for a, b in links:
        town.map.add("link", type="roof_access", a=a, b=b)
    reach = town.map.effect_reach("1 roof", 8)
    assert reach.costs["1.1"] == town.map.effect_reach("1.1", 8).costs["1 roof"]
    assert "0405" in reach.costs
    assert town.map.chain_of_command(platoon="1 roof", company="0405", post="2 roof").links
    town.map.add("marker", type="barricade", at="0404")
    assert town.map.route("0406", "1 roof", mover="foot") is not None


def test_a_roof_without_stairs_is_reached_over_the_next_one() -> None:
    town = Town(columns=12, rows=12)
    town.house("1", town.box("0403"), roof=True)
    for link in [link for link in town.map.model.features.values() if getattr(link, "type", "") == "roof_access"]:
        town.map.remove(link.id)
    town.house("2", town.box("0503"), roof=True)
    town.map.add("link", type="roof_access", a="1 roof", b="2 roof")
    reach = town.map.effect_reach("1 roof", 8)
    stairs = town.map.effect_reach("2 roof", 8)
    assert reach.costs["2.1"] == stairs.costs["2.1"] + stairs.costs["1 roof"]


# -- games of one's own ----------------------------------------------------------------------------------------------

GAME = """
id = "mine"
title = "Mine"
levels = [0, 2]
[terrain.clear]
name = "Clear"
char = "."
move = {{ foot = {move} }}
[sides.river]
name = "River"
cross = {{ foot = {cross} }}
[movers.foot]
name = "Foot"
{mover}
[movement]
road = {road}
elevation = {elevation}
"""
FINE = {"move": "1", "cross": "1", "mover": "", "road": "1", "elevation": "0"}


def load(folder: Path, **changes: str) -> list[str]:
    file = folder / "mine.ruleset.toml"
    file.write_text(GAME.format(**{**FINE, **changes}), "utf-8")
    try:
        load_ruleset(file)
    except DocumentError as error:
        return [fault.path for fault in error.faults]
    return []


@pytest.mark.parametrize(
    ("field", "place"),
    [
        ("move", "$.terrain.clear.move.foot"),
        ("cross", "$.sides.river.cross.foot"),
        ("road", "$.movement.road"),
        ("elevation", "$.movement.elevation"),
    ],
)
def test_costs_out_of_bounds_are_refused_when_a_game_is_loaded(tmp_path: Path, field: str, place: str) -> None:
    assert load(tmp_path) == []
    assert load(tmp_path, **{field: str(MOST_COST)}) == []
    for cost in ("-1", '"-1/2"', str(MOST_COST + 1), str(2**30), '"1e999999999"'):
        assert load(tmp_path, **{field: cost}) == [place], cost


def test_costs_like_those_of_nobody_are_refused_when_a_game_is_loaded(tmp_path: Path) -> None:
    assert load(tmp_path, mover='like = "horse"') == ["$.movers.foot.like"]

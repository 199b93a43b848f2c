"""Command in scenarios: who is in range of whom, the nearest miss, the chain of command, other forms of the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.cli import main
from studio.errors import LabelError, ScenarioRuleError, StaleAnswerError, UnknownNameError, UnsupportedError
from studio.files import write_scenario_text
from tests.maps.quarter import Quarter
from tests.paths.units import force, scenario, unit

LAND = studio.new_map("modern_tactics", columns=9, rows=9)
SERGEANT = unit("sergeant", "us.sergeant", "0505", figures={"command_range": 2})
QUARTER = Quarter()
STREETS = [label for label in QUARTER.labels.all() if QUARTER.directory.find(label) is not None][::23]


def squads(*others: Any, **said: Any) -> Any:
    near, far = unit("near", "us.rifle", "0503"), unit("far", "us.rifle", "0502")
    return scenario(LAND, force("us", SERGEANT, near, far, *others), **said)


def test_units_within_the_command_range_of_a_leader() -> None:
    """7.1: the hex of the leader does not count."""
    found = squads(unit("with", "us.mortar", "0505")).command("us")
    assert found.in_command == ["near", "with"]
    assert found.unit("near").reason == "2 hexes from Sergeant sergeant at 0505 (range 2)"
    assert str(found.unit("far")) == (
        "far at 0502: OUT OF COMMAND: 1 hex too far: 3 hexes from Sergeant sergeant at 0505 (range 2)"
    )
    assert found.unit("sergeant").reason == "no other Leader of its side is on the map"


def test_leaders_command_each_other_and_their_own_side() -> None:
    captain = unit("captain", "us.captain", "0506", figures={"command_range": 4})
    enemy = force("insurgent", unit("fighters", "insurgent.fighters", "0504"))
    us = force("us", SERGEANT, captain, unit("near", "us.rifle", "0503"))
    found = scenario(LAND, us, enemy).command()
    assert found.in_command == ["sergeant", "captain", "near"]
    assert [link.leader for link in found.unit("near").links] == ["sergeant", "captain"]
    assert found.unit("fighters").reason == "no other Leader of its side is on the map"


def test_a_leader_that_cannot_help() -> None:
    """16.0 and 19.0: it is in good order, and not hidden."""
    for status, why in (("shaken", "which is shaken (16.0)"), ("hidden", "which is hidden (19.0)")):
        leader = unit("leader", "us.sergeant", "0505", figures={"command_range": 2}, status=(status,))
        one = scenario(LAND, force("us", leader, unit("near", "us.rifle", "0503"))).command().unit("near")
        assert not one.in_command
        assert one.reason.endswith(why)


def test_armor_leaders_command_vehicles() -> None:
    """7.3"""
    tank = unit("tank", "canadian.leopard_2", "0505")
    leader = unit("armor", "other.armor_leader", carried_by="tank", figures={"command_range": 3})
    bison, rifle = unit("bison", "canadian.bison", "0503"), unit("rifle", "canadian.rifle", "0504")
    found = scenario(LAND, force("canadian", tank, leader, bison, rifle)).command()
    assert found.in_command == ["tank", "bison"]


def test_the_range_of_a_leader_has_to_be_said() -> None:
    bare = scenario(LAND, force("us", unit("sergeant", "us.sergeant", "0505"), unit("near", "us.rifle", "0503")))
    with pytest.raises(ScenarioRuleError, match="command range of sergeant is on the counter only"):
        bare.command()
    assert bare.command(ranges={"sergeant": 2}).in_command == ["near"]
    assert bare.command(ranges={"sergeant": 1}).out_of_command == ["sergeant", "near"]
    assert squads().command(ranges={"sergeant": 3}).in_command == ["near", "far"]
    with pytest.raises(UnknownNameError, match="did you mean 'sergeant'"):
        bare.command(ranges={"sergant": 2})
    with pytest.raises(ScenarioRuleError, match="whole hexes"):
        bare.command(ranges={"sergeant": -1})


def test_places_where_a_unit_might_stand() -> None:
    found = squads().command("us", at=["0503", "0502"])
    assert (found.in_command, found.out_of_command) == (["0503"], ["0502"])
    with pytest.raises(ScenarioRuleError, match="say whose"):
        squads().command(at=["0503"])
    assert squads().command("us", at="0503").in_command == ["0503"]
    with pytest.raises(LabelError):
        squads().command("us", at=["9999"])
    with pytest.raises(UnknownNameError, match="no force"):
        squads().command("uk")


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_command_is_what_the_map_says_of_a_leader(data: st.DataObject) -> None:
    labels = LAND.labels.all()
    leader, reach = data.draw(st.sampled_from(labels)), data.draw(st.integers(0, 8))
    at = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=8))
    units = [unit(f"u{n}", "us.rifle", label) for n, label in enumerate(at)]
    board = scenario(LAND, force("us", unit("leader", "us.captain", leader, figures={"command_range": reach}), *units))
    spots = LAND.command(leader, reach, at)
    told = {spot.at: spot.allowed for spot in spots.spots}
    assert [one.in_command for one in board.command() if one.unit != "leader"] == [told[label] for label in at]


# -- Urban Operations ------------------------------------------------------------------------------------------------


def company(coy: str = "1210", plt: str = "1213", cp: str = "1110", *others: Any) -> Any:
    staff = {"foot.coy_comd": coy, "foot.plt_comd": plt, "vehicle.cp": cp}
    units = [unit(kind.rpartition(".")[2], kind, at) for kind, at in staff.items() if at]
    return scenario(QUARTER.map, force("green", *units, unit("squad", "foot.infantry", "1218"), *others))


def test_the_chain_of_command() -> None:
    """7.1.1 and 7.2.1: seven blocks, five or three."""
    blocks = {
        (): 7,
        ("1210", "1213", ""): 5,
        ("", "1213", "1110"): 5,
        ("1210", "1213", "0908"): 5,
        ("1210", "", "1110"): 3,
    }
    for staff, count in blocks.items():
        found = company(*staff).command()
        assert [chain.blocks for chain in found.chains] == [count], staff
    chain = company().command().chains[0]
    assert (chain.formation, [link.holds for link in chain.links], chain.to) == (
        "green",
        [True, True],
        ("1213", "1110"),
    )
    far = company("1210", "1213", "0908").command()
    assert far.chains[0].text == "the command post is 7 EP from the company commander, 6 allowed"
    assert far.unit("cp").reason == "1 EP too far: 7 EP from Company Commander coy_comd at 1210 (range 6)"


def test_blocks_are_commanded_by_their_own_platoon_commander() -> None:
    own = (unit("one", "foot.plt_comd", "1213"), unit("squad", "foot.infantry", "1218"))
    other = (unit("two", "foot.plt_comd", "1212"),)
    lost = (unit("lost", "foot.sniper", "1211"),)
    board = scenario(QUARTER.map, force("green", first=own, second=other, third=lost))
    found = board.command("green")
    assert [link.leader for link in found.unit("squad").links] == ["one"]
    assert found.unit("squad").links[0].path[0] == "1213"
    assert found.unit("squad").links[0].path[-1] == "1218"
    assert found.unit("lost").reason == "its platoon commander is not on the map"
    assert found.unit("one").reason == "the company commander is not on the map"
    assert board.command("green", at=["1218"]).unit("1218").links[0].leader == "one"
    assert [(chain.formation, chain.blocks) for chain in found.chains] == [("first", 5), ("second", 5), ("third", 3)]


def test_the_company_commander_is_commanded_by_nobody() -> None:
    one = company().command().unit("coy_comd")
    assert (one.in_command, one.links, one.reason) == (True, (), "commands the company")
    with pytest.raises(ScenarioRuleError, match="6 EP for every commander"):
        company().command(ranges={"coy_comd": 3})


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(STREETS), st.lists(st.sampled_from(STREETS), min_size=1, max_size=6))
def test_command_is_what_the_map_says_of_effect_points(plt: str, at: list[str]) -> None:
    units = [unit(f"u{n}", "foot.infantry", label) for n, label in enumerate(at)]
    found = scenario(QUARTER.map, force("green", unit("plt", "foot.plt_comd", plt), *units)).command()
    reach = QUARTER.map.effect_reach(plt).costs
    for one, label in zip(list(found)[1:], at, strict=True):
        assert one.in_command == (label in reach)
        link = one.links[0] if one.in_command else one.nearest
        assert link is not None
        assert link.distance == reach.get(label, link.distance)


# -- games without, and other forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "instead"),
    [("armageddon_war", "map.initiative"), ("ignorant_armies", "scenario.supply"), ("phantom_fury", "map.retreat")],
)
def test_games_without_a_command_rule_say_what_they_have(game: str, instead: str) -> None:
    board = scenario(studio.new_map(game, columns=3, rows=3), force("one"))
    with pytest.raises(UnsupportedError, match=f"has no command rule.*{instead}"):
        board.command()


def test_an_answer_in_other_forms() -> None:
    found = squads().command()
    data = json.loads(json.dumps(found.to_dict()))
    assert set(data) == {"units"}
    near = data["units"][1]
    assert (near["unit"], near["in_command"], near["links"][0]["distance"], near["nearest"]) == ("near", True, 2, None)
    assert data["units"][2]["nearest"]["holds"] is False
    frame = found.to_frame()
    assert list(frame.index) == ["sergeant", "near", "far"]
    assert frame.geometry.notna().tolist() == [False, True, False]
    assert repr(found).splitlines()[0] == "3 units, 2 out of command"
    assert "✗ out of command" in found._repr_html_()
    assert found[1].unit == "near"
    with pytest.raises(UnknownNameError, match="did you mean 'near'"):
        found.unit("nera")
    chained = company().command()
    assert [link["to"] for link in chained.to_dict()["chains"][0]["links"]] == ["1213", "1110"]
    assert "<li>" in chained._repr_html_()


def test_pictures_of_command() -> None:
    land = studio.new_map("modern_tactics", columns=9, rows=9)
    board = scenario(land, force("us", SERGEANT, unit("far", "us.rifle", "0502"), unit("near", "us.rifle", "0504")))
    words = [text.get_text() for text in board.plot_command("us").texts]
    assert {"far", "near", "3", "1", "✕"} <= set(words)
    found = board.command()
    land.paint("0101", terrain="crops")
    with pytest.raises(StaleAnswerError):
        board.plot_command(found)
    assert company("1210", "1213", "0908").plot_command().figure.axes


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LAND_FILE = tmp_path / "board.map.json"
    LAND.save(LAND_FILE)
    file = tmp_path / "board.scenario.json"
    file.write_bytes(write_scenario_text(squads().document))
    assert main(["command", str(file), "--side", "us"]) == 0
    assert "far at 0502: OUT OF COMMAND" in capsys.readouterr().out
    picture = tmp_path / "command.png"
    assert main(["command", str(file), "--range", "sergeant=3", "--json", "--picture", str(picture)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["in_command"] for one in data["units"]] == [False, True, True]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["command", str(file), "--side", "us", "--at", "0502"]) == 0
    assert "1 unit" in capsys.readouterr().out
    for wrong in (["--side", "uk"], ["--range", "sergeant=x"], ["--range", "nobody=3"], ["--at", "0503"]):
        assert main(["command", str(file), *wrong]) == 2
        assert "Traceback" not in capsys.readouterr().err
    assert main(["command", str(LAND_FILE)]) == 2
    assert "scenario" in capsys.readouterr().err

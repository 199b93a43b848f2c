"""A designer's own kinds of units: merged with those of the game, and used wherever a scenario asks what a unit is."""

import json
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.draw.counterfaces import SIDE_COLORS, Counters
from studio.editor.forcesfeed import ForcesFeed, palette_of
from studio.errors import EditError, UnknownNameError
from studio.model import OwnKind
from studio.rules import get_ruleset, load_ruleset, ruleset_ids
from studio.rules.points import formation_points, unit_points
from studio.rules.roster import UnitKind, count_units, figure_of, roster_of, rules_of
from tests.paths.units import force, scenario, unit

OWN_GAME = """
id = "skirmish"
title = "Skirmish"
levels = [0, 3]
stacking = 2

[terrain.open]
name = "Open"
char = "."
move = { foot = 1, wheels = 1 }

[terrain.swamp]
name = "Swamp"
char = "s"
move = { foot = 2, wheels = "X" }

[movers.foot]
name = "On foot"
[movers.wheels]
name = "Wheels"
"""


def desert(**roster: Any) -> studio.Scenario:
    """A scenario of Armageddon War with kinds of its own."""
    land = studio.new_map("armageddon_war", columns=6, rows=6).paint("0303", terrain="dense_woods")
    return scenario(land, force("us"), force("isil"), **roster)


# -- merging -----------------------------------------------------------------------------------------------------------


def test_fields_go_over_those_of_what_a_kind_is_like() -> None:
    """Everything that is not said comes from the kind of the game; figures that the game knows are its fields."""
    war = get_ruleset("armageddon_war")
    made = desert(
        roster=[
            OwnKind(id="us.m1a5", name="M1A5", like="us.m1a4", points=31, figures={"range": 11, "crew": 3}),
            OwnKind(id="us.m1a6", name="M1A6", like="us.m1a5", mover="tracked"),
        ]
    )
    roster = roster_of(war, made.document)
    old, new, newest = roster["us.m1a4"], roster["us.m1a5"], roster["us.m1a6"]
    assert (new.points, new.range, new.name, new.id) == (31, 11, "M1A5", "us.m1a5")
    assert (new.kind, new.firepower, new.quantity) == (old.kind, old.firepower, old.quantity)
    assert (newest.points, newest.range, newest.mover) == (31, 11, "tracked")
    assert [figure_of(kind, "crew") for kind in (old, new, newest, None)] == [None, 3, 3, None]
    assert war.scenario.roster() == {name: roster[name] for name in war.scenario.roster()}
    assert roster_of(war, desert().document) is war.scenario.roster()


def test_false_and_nought_are_said_too() -> None:
    kind = OwnKind(id="us.lone", name="Lone tank", like="us.m1a4", stacks=False, points=0, quantity=0)
    found = roster_of(get_ruleset("armageddon_war"), desert(roster=[kind]).document)["us.lone"]
    assert (found.stacks, found.points, found.quantity) == (False, 0, 0)


@pytest.mark.parametrize("name", ruleset_ids())
def test_a_new_kind_can_be_made_in_every_game(name: str) -> None:
    ruleset = get_ruleset(name)
    document = scenario(
        studio.new_map(name, columns=3, rows=3), roster=[OwnKind(id="own.thing", name="Thing", figures={"attack": 4})]
    ).document
    kind = roster_of(ruleset, document)["own.thing"]
    assert isinstance(kind, UnitKind)
    assert kind.kind == ("ground" if name == "ignorant_armies" else "infantry")
    assert figure_of(kind, "attack") == 4
    assert rules_of(ruleset, document) is ruleset.scenario


def test_casualty_points_of_own_kinds() -> None:
    """Modern Tactics: what is said counts, half of it when reduced; else the role, else what it is."""
    tactics = get_ruleset("modern_tactics")
    own = [
        OwnKind(id="own.platoon", name="Platoon", like="us.rifle", points=5),
        OwnKind(id="own.jeep", name="Jeep", kind="vehicle"),
        OwnKind(id="own.balloon", name="Balloon", kind="air"),
        OwnKind(id="own.flag", name="Flag", kind="marker"),
    ]
    roster = roster_of(tactics, scenario(studio.new_map("modern_tactics", columns=3, rows=3), roster=own).document)
    records = [unit(f"u{n}", one.id) for n, one in enumerate(own)]
    assert [unit_points(tactics, roster[one.type], one) for one in records] == [5, 2, 3, 0]
    reduced, wreck = unit("r", "own.platoon", status=("reduced",)), unit("w", "own.jeep", status=("wreck",))
    assert [unit_points(tactics, roster[one.type], one) for one in (reduced, wreck)] == [3, 0]


# -- in a scenario -----------------------------------------------------------------------------------------------------


def test_kinds_are_added_changed_and_taken_away() -> None:
    made = desert()
    assert made.add_kind("us.m1a5", "M1A5", like="us.m1a4", points=31, firepower=8) == "us.m1a5"
    assert (made.kinds["us.m1a5"].points, made.kinds["us.m1a5"].firepower) == (31, 8)
    made.change_kind("us.m1a5", points=33, range=10)
    assert (made.kinds["us.m1a5"].points, made.kinds["us.m1a5"].firepower, made.kinds["us.m1a5"].range) == (33, 8, 10)
    made.change_kind("us.m1a5", points=None, firepower=None)
    assert (made.kinds["us.m1a5"].points, made.kinds["us.m1a5"].firepower) == (29, 7)
    made.undo()
    assert made.kinds["us.m1a5"].points == 33
    made.remove_kind("us.m1a5")
    assert "us.m1a5" not in made.kinds


def test_what_is_wrong_with_a_kind_is_said() -> None:
    made = desert()
    made.add_kind("us.m1a5", "M1A5", like="us.m1a4")
    with pytest.raises(EditError, match=r"a kind 'us\.m1a4' already"):
        made.add_kind("us.m1a4", "Abrams")
    with pytest.raises(EditError, match=r"a kind 'us\.m1a5' already"):
        made.add_kind("us.m1a5", "Abrams")
    with pytest.raises(UnknownNameError, match=r"no kind 'us\.m1a3' that it could be like"):
        made.add_kind("us.m1a7", "Abrams", like="us.m1a3")
    with pytest.raises(UnknownNameError, match="unknown mover 'hover'"):
        made.add_kind("us.m1a7", "Abrams", mover="hover")
    with pytest.raises(EditError, match="points"):
        made.add_kind("us.m1a7", "Abrams", points=-3)
    with pytest.raises(UnknownNameError, match=r"no kind of its own 'us\.m1a4'"):
        made.change_kind("us.m1a4", points=3)
    with pytest.raises(UnknownNameError, match=r"no kind of its own 'us\.m1a9'"):
        made.remove_kind("us.m1a9")
    made.place("us.m1a5", "0101", force="us", formation="us", unit_id="tank")
    with pytest.raises(EditError, match="tank need it"):
        made.remove_kind("us.m1a5")


def test_own_kinds_stand_stack_and_move() -> None:
    """Woods are closed to what has tracks, three of them are too many, and the allowance is its own."""
    made = desert(roster=[OwnKind(id="own.crawler", name="Crawler", kind="vehicle", mover="tracked", movement=3)])
    assert made.why_not("own.crawler", "0303", force="us") == "Crawler cannot enter dense woods"
    assert made.why_not("own.crawler", "0101", force="us", count=2) == ""
    assert "stacking limit is 2" in made.why_not("own.crawler", "0101", force="us", count=3)
    made.place("own.crawler", "0101", force="us", formation="us", unit_id="crawler")
    reach = made.reach("crawler")
    assert {"0101", "0104"} <= set(reach.labels)
    assert "0105" not in set(reach.labels)
    placed = next(one for one in made.situation.units if one.id == "crawler")
    assert (placed.figure("movement"), placed.kind.name) == (3, "Crawler")
    with pytest.raises(UnknownNameError, match=r"no unit type 'own\.walker'"):
        made.place("own.walker", "0101", force="us", formation="us")


def test_own_kinds_are_checked() -> None:
    said = force("us", unit("a", "own.crawler", "0303"), unit("b", "own.walker", "0101"))
    kinds = [OwnKind(id="own.crawler", name="Crawler", kind="vehicle", mover="tracked", quantity=3)]
    land = studio.new_map("armageddon_war", columns=6, rows=6).paint("0303", terrain="dense_woods")
    found = {(one.rule, one.at) for one in scenario(land, said, force("isil"), roster=kinds).check()}
    assert ("scenario.unit_known", "us/us/b") in found
    assert ("scenario.stacking", "us/us/a") in found
    assert ("scenario.unit_known", "us/us/a") not in found


def test_own_kinds_are_in_supply_or_not() -> None:
    """Ignorant Armies: a unit of one's own traces its line as those of the game do, unless it never needs to."""
    land = studio.new_map("ignorant_armies", columns=6, rows=6)
    kinds = [
        OwnKind(id="iraq.own", name="Own division", like="iraq.infantry"),
        OwnKind(id="iraq.band", name="Band", like="iraq.kdpi"),
    ]
    said = force("iraq", unit("own", "iraq.own", "0303"), unit("band", "iraq.band", "0404"))
    found = scenario(land, said, force("iran"), roster=kinds).supply("iraq")
    assert {one.unit: one.supplied for one in found} == {"own": False, "band": True}


def test_own_kinds_have_counters_and_a_place_in_the_palette() -> None:
    """The sign is that of what the kind is like, the figures are its own."""
    kinds = [
        OwnKind(id="own.gunship", name="Gunship", like="us.ah_64d_apache", points=40),
        OwnKind(id="own.beast", name="Beast", kind="vehicle", points=12),
    ]
    made = desert(roster=kinds)
    counters = Counters.of(made.ruleset, made.document)
    faces = {
        name: counters.face(counters.of_type(name, 0, SIDE_COLORS[0]))
        for name in ("own.gunship", "us.ah_64d_apache", "own.beast", "us.m1a4")
    }
    paths = {name: [mark.path for mark in face.marks] for name, face in faces.items()}
    assert paths["own.gunship"] == paths["us.ah_64d_apache"]
    assert paths["own.beast"] == paths["us.m1a4"]
    assert {"Gunship", "40"} <= {word.text for word in faces["own.gunship"].words}
    groups = {group["title"]: group["types"] for group in palette_of(made.ruleset, made.document)}
    assert [one["type"] for one in groups["Your own"]] == ["own.gunship", "own.beast"]
    assert "12 points" in groups["Your own"][1]["note"]


def test_the_editor_is_told_when_a_kind_changes() -> None:
    made = desert(roster=[OwnKind(id="own.beast", name="Beast", kind="vehicle", points=12)])
    made.place("own.beast", "0101", force="us", formation="us")
    feed = ForcesFeed(made)
    first = feed.whole()
    made.on_change(feed.note)
    made.change_kind("own.beast", name="Monster", points=14)
    news = feed.news()
    assert news is not None
    assert news["whole"]
    assert (first["names"], news["names"]) == ({"own.beast": "Beast"}, {"own.beast": "Monster"})
    assert first["faces"] != news["faces"]


def test_own_kinds_count_and_are_exported(tmp_path: Path) -> None:
    """Two beasts of 12 and a marker of the formation make 26; the bundle holds the kinds."""
    land = studio.new_map("armageddon_war", columns=6, rows=6)
    kinds = [OwnKind(id="own.beast", name="Beast", kind="vehicle", points=12)]
    sides = force("us", unit("a", "own.beast", "0101", count=2)), force("isil", unit("b", "isil.militia", "0505"))
    made = scenario(land, *sides, roster=kinds)
    part, roster = made.document.forces[0].formations[0], roster_of(made.ruleset, made.document)
    assert (formation_points(made.ruleset, roster, part), count_units(roster, part)) == (26, 2)
    assert made.balance().side("us").points == 26
    made.document.sources = land.model.sources = [studio.model.Source(title="Test")]
    file = made.export(tmp_path / "own.bundle.zip", preview=False)
    held = studio.open_bundle(file).scenario
    assert [one["id"] for one in json.loads(json.dumps(held))["roster"]] == ["own.beast"]


# -- a game of one's own -----------------------------------------------------------------------------------------------


def test_a_game_without_a_roster_has_the_kinds_of_the_scenario(tmp_path: Path) -> None:
    """They stand by the table of the game, stack by its limit, and move by their own allowance."""
    file = tmp_path / "skirmish.ruleset.toml"
    file.write_text(OWN_GAME, encoding="utf-8")
    game = load_ruleset(file)
    land = studio.new_map("skirmish", columns=5, rows=5).paint("0202", terrain="swamp")
    assert rules_of(game, scenario(land).document) is None
    made = scenario(land, force("red"), force("blue"))
    made.add_kind("car", "Car", kind="vehicle", mover="wheels", movement=2, points=7)
    assert made.why_not("car", "0202", force="red") == "Car cannot enter swamp"
    assert "stacking limit is 2" in made.why_not("car", "0101", force="red", count=3)
    made.place("car", "0101", force="red", formation="red", unit_id="car")
    assert "0103" in set(made.reach("car").labels)
    assert made.balance().side("red").points == 7
    assert "scenario.roster" not in {found.rule for found in made.check()}
    counters = Counters.of(made.ruleset, made.document)
    assert counters.name("car") == "Car"

"""What bundles say of movement and supply is what the games do."""

from __future__ import annotations

import io

import pytest

import studio
from studio.files.bundle import bundle_bytes
from studio.files.reader import read_bundle
from studio.model import MapUse, ScenarioDocument, ScenarioModel, SpecialRules
from studio.rules import get_ruleset, load_ruleset, ruleset_ids


@pytest.mark.parametrize("game", ruleset_ids())
def test_the_first_location_of_a_move_is_in_the_bundle(game: str) -> None:
    """Ignorant Armies 11.3, Armageddon War 3.0 and Modern Tactics 22.0 have a least move, the others have none."""
    ruleset = get_ruleset(game)
    judge = studio.new_map(game, columns=3, rows=3).movement(next(iter(ruleset.movers)))
    said = ruleset.to_bundle()["movement"]
    assert said["minimum_one"] is bool(judge.first_step)
    assert said["bridges"] is True


def test_supply_is_in_the_bundle_as_it_is_in_force() -> None:
    ruleset = get_ruleset("ignorant_armies")
    land = studio.new_map("ignorant_armies", columns=3, rows=3)
    special = SpecialRules(options={"supply_off_road": 4})
    document = ScenarioDocument(
        title="Border", ruleset="ignorant_armies", map=MapUse(file="a.map.json"), special=special
    )
    data = bundle_bytes(
        map_model=land.model,
        scenario_model=ScenarioModel(document),
        survey=land.survey,
        ruleset=ruleset,
        sight_table=None,
        preview=None,
    )
    supply = read_bundle(io.BytesIO(data)).ruleset["supply"]
    assert (supply["off_road"], supply["mover"], supply["home_only"]) == (4, "ground", True)
    assert (supply["roads"], supply["sources"]) == (["paved", "unpaved"], {"terrain": ["city"]})
    assert (supply["hexsides"], supply["section"]) == ("counts", "12.4 to 12.6")
    assert ruleset.to_bundle()["supply"]["off_road"] == 6
    for game in ruleset_ids():
        assert ("supply" in get_ruleset(game).to_bundle()) == (game == "ignorant_armies")


def test_a_game_of_ones_own_hands_its_supply_over(tmp_path: object) -> None:
    file = f"{tmp_path}/mine.ruleset.toml"
    with open(file, "w", encoding="utf-8") as out:
        out.write(
            'id = "mine_supplied"\ntitle = "Mine"\nlevels = [0, 2]\n'
            '[movers.foot]\nname = "Foot"\n[movement]\nbridges = false\nminimum_one = true\n'
            '[terrain.clear]\nname = "Clear"\nchar = "."\nmove = { foot = 1 }\n'
            '[terrain.depot]\nname = "Depot"\nchar = "d"\nmove = { foot = 1 }\n'
            '[supply]\noff_road = 3\nroad_hexes = 9\nsources = { terrain = ["depot"] }\n'
        )
    tables = load_ruleset(file).to_bundle()
    assert (tables["movement"]["bridges"], tables["movement"]["minimum_one"]) == (False, True)
    assert (tables["supply"]["off_road"], tables["supply"]["road_hexes"], tables["supply"]["mover"]) == (3, 9, "")
    assert tables["supply"]["roads"] == ["paved", "unpaved"]

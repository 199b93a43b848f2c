"""Movement in a game of one's own: what its file says, added up and explained."""

from fractions import Fraction
from pathlib import Path

import pytest

import studio
from studio.api import Map
from studio.errors import UnsupportedError

GAME = """
id = "border_war"
title = "Border War"
levels = [-1, 3]
features = ["road", "marker"]
[movers.foot]
name = "Foot"
[movers.wheels]
name = "Wheels"
[terrain.clear]
name = "Clear"
char = "."
move = { foot = 1, wheels = 1 }
[terrain.woods]
name = "Woods"
char = "w"
move = { foot = 2, wheels = "X" }
[terrain.dry]
name = "Desert without a word on movement"
char = "d"
[sides.river]
name = "River"
section = "7.2"
cross = { foot = 2, wheels = "X" }
[markers.mud]
name = "Mud"
enter = 1
move = { wheels = 3 }
[markers.felled]
name = "Felled trees"
becomes = "woods"
"""


def border_war(tmp_path: Path, movement: str = "") -> Map:
    file = tmp_path / "border_war.ruleset.toml"
    file.write_text(GAME + (f"[movement]\n{movement}" if movement else ""), encoding="utf-8")
    return studio.new_map(studio.load_ruleset(file), columns=6, rows=6)


def test_terrain_hexsides_and_markers_add_up(tmp_path: Path) -> None:
    map_ = border_war(tmp_path).paint("0303", terrain="woods").set_side("0303", "0304", "river")
    map_.add("marker", type="mud", at="0303")
    step = map_.step("0304", "0303", mover="foot")
    assert [(part.rule, part.halves) for part in step.parts] == [("terrain.move", 4), ("7.2", 4), ("markers.enter", 2)]
    assert map_.step("0303", "0304", mover="wheels").cost is None
    assert map_.step("0202", "0203", mover="wheels").cost == 1
    map_.add("marker", type="mud", at="0203")
    map_.add("marker", type="felled", at="0404")
    assert map_.step("0202", "0203", mover="wheels").cost == 4
    assert map_.step("0403", "0404", mover="foot").cost == 2
    assert "0404 woods: closed to wheels" in str(map_.step("0403", "0404", mover="wheels"))
    map_.paint("0505", terrain="dry")
    assert map_.step("0504", "0505", mover="foot").cost is None
    assert not map_.route("0101", "0505", mover="foot").found


def test_roads_levels_and_the_least_cost(tmp_path: Path) -> None:
    map_ = border_war(tmp_path, 'road = "1/2"\nelevation = 1\nleast = "3/2"\n')
    map_.paint("0303", level=2)
    map_.add("road", path=["0303", "0304"])
    assert map_.step("0302", "0303", mover="foot").cost == 3
    assert map_.step("0303", "0302", mover="foot").cost == Fraction(3, 2)
    assert map_.step("0304", "0303", mover="foot").cost == Fraction(5, 2)
    dear = border_war(tmp_path, "road = 3\n")
    dear.add("road", path=["0303", "0304"])
    assert dear.step("0303", "0304", mover="foot").cost == 1  # nobody has to take the road


@pytest.mark.parametrize(("bridges", "expected"), [("true", 1), ("false", 3)])
def test_bridges_or_fords(tmp_path: Path, bridges: str, expected: int) -> None:
    map_ = border_war(tmp_path, f"bridges = {bridges}\n").set_side("0303", "0304", "river")
    map_.add("road", path=["0303", "0304"])
    assert map_.step("0303", "0304", mover="foot").cost == expected
    assert (map_.step("0303", "0304", mover="wheels").cost is None) is (bridges == "false")


@pytest.mark.parametrize("least", ["true", "false"])
def test_one_hex_at_least(tmp_path: Path, least: str) -> None:
    map_ = border_war(tmp_path, f"minimum_one = {least}\n").paint("0303", terrain="woods")
    assert map_.route("0302", "0303", mover="foot", points=1).found is (least == "true")
    assert not map_.route("0302", "0303", mover="wheels", points=1).found


def test_enemies_and_closed_hexes_are_not_entered(tmp_path: Path) -> None:
    map_ = border_war(tmp_path)
    assert "0303: an enemy is there" in map_.route("0302", "0303", mover="foot", state={"enemies": ["0303"]}).text
    assert map_.route("0302", "0304", mover="foot", state={"blocked": ["0303"]}).cost == 3


def test_a_game_without_figures_has_no_movement(tmp_path: Path) -> None:
    file = tmp_path / "still.ruleset.toml"
    file.write_text('id = "still"\ntitle = "Still"\nlevels = [0, 0]\n[terrain.a]\nname = "A"\nchar = "a"\n', "utf-8")
    map_ = studio.new_map(studio.load_ruleset(file), columns=3, rows=3)
    for ask in (lambda: map_.route("0101", "0102", mover="foot"), lambda: map_.reach("0101", mover="foot")):
        with pytest.raises(UnsupportedError, match="Still has no movement"):
            ask()
    with pytest.raises(UnsupportedError, match="Still has no rule of retreat"):
        map_.retreat("0101", "0102")

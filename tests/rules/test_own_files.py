"""The file of a game of one's own: every fault with its place, what was found, and what is allowed."""

from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.errors import DocumentError
from studio.rules import get_ruleset, ruleset_ids

GAME = """
id = "bad"
title = "Bad"
levels = [0, 3]
featurs = ["road"]
[movers.foot]
name = "Foot"
[terrain.clear]
name = "Clear"
char = "."
move = { foot = 1.5 }
[terrain.woods]
name = "Woods"
char = "w"
move = { fot = 2 }
[markers.wire]
name = "Wire"
enter = { foot = 1 }
becomes = "wods"
[sides.wall]
name = "Wall"
cross = { foot = "1/3" }
[movement]
road = "1/3"
"""


def faults(tmp_path: Path, text: str) -> dict[str, tuple[str, str]]:
    file = tmp_path / "bad.ruleset.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        studio.load_ruleset(file)
    return {fault.path: (fault.message, fault.remedy) for fault in caught.value.faults}


def test_all_faults_are_told_with_their_places(tmp_path: Path) -> None:
    found = faults(tmp_path, GAME)
    assert set(found) == {
        "$.featurs",
        "$.terrain.clear.move.foot",
        "$.terrain.woods.move.fot",
        "$.markers.wire.enter",
        "$.markers.wire.becomes",
        "$.sides.wall.cross.foot",
        "$.movement.road",
    }
    message, remedy = found["$.markers.wire.enter"]
    assert message == "got a table, \"{'foot': 1}\", allowed: a whole number"
    assert "move = { foot = 1 }" in remedy
    assert found["$.featurs"][1] == "did you mean 'features' or 'apertures'?"
    assert "'1/3'" in found["$.movement.road"][0]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    found = faults(tmp_path, GAME.replace('name = "Wire"\n', "").replace("levels = [0, 3]\n", ""))
    assert found["$.markers.wire.name"][0] == found["$.levels"][0] == "is missing"
    assert "$.markers.wire.enter" in found


def test_the_games_of_the_studio_have_no_faults() -> None:
    for name in ruleset_ids():
        assert list(get_ruleset(name)._faults()) == []


def test_costs_and_tables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "ignorant_armies"]) == 0
    out = capsys.readouterr().out
    assert "points to enter terrain, X is closed\n  clear " in out
    assert "mountain_infantry 1" in out
    assert "points more across hexsides" in out
    assert "[movement]: what is not of one terrain\n  road = ½" in out
    assert "[supply]: what the file says" in out
    assert "sources = terrain: city" in out


def test_the_file_of_the_guide_is_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "own-game.md").read_text("utf-8")
    text = next(block.partition("```")[0] for block in page.split("```toml\n") if block.startswith('id = "harbor_war"'))
    file = tmp_path / "harbor_war.ruleset.toml"
    file.write_text(text, encoding="utf-8")
    rules = studio.load_ruleset(file)
    made = studio.new_map(rules, columns=4, rows=4)
    made.add("marker", type="mine", at="0202")
    made.add("marker", type="abatis", at="0303")
    made.add("marker", type="roadblock", at="0203")
    assert made.step("0201", "0202", mover="foot").cost == 3
    assert made.step("0302", "0303", mover="trucks").cost is None
    assert made.step("0302", "0303", mover="foot").cost == 2
    assert made.step("0202", "0203", mover="trucks").cost is None
    assert made.step("0202", "0203", mover="foot").cost == 1
    assert rules.has_supply

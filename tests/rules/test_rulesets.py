"""Every ruleset keeps the house rules, and a faulty catalogue is refused with all its faults."""

import re
from pathlib import Path

import pytest

import studio
from studio.draw import load_style
from studio.errors import DocumentError, ScenarioRuleError
from studio.rules import get_ruleset, halves, load_ruleset, ruleset_ids

FOLDER = Path(studio.__file__).parent / "rules"
ROOMS = ("terrain.toml", "sight.py", "README.md")


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_ruleset_has_the_same_rooms(name: str) -> None:
    catalogue = get_ruleset(name).catalogue
    modules = {
        "paths.py": catalogue.paths_module,
        "places.py": catalogue.places_module,
        "scenario.py": catalogue.scenario_module,
    }
    rooms = [*ROOMS, *(room for room, module in modules.items() if module)]
    assert [room for room in rooms if not (FOLDER / name / room).is_file()] == []


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_ruleset_keeps_the_conventions(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.id == name
    assert len(set(ruleset.terrain_characters.values())) == len(ruleset.terrains)
    for terrain in ruleset.terrains:
        assert re.fullmatch(r"[a-z0-9_]+", terrain)
        for mover in ruleset.movers:
            ruleset.move_cost(terrain, mover)
    for side in ruleset.side_kinds:
        for mover in ruleset.movers:
            ruleset.cross_cost(side, mover)
    for option, spec in ruleset.option_specs.items():
        assert spec.text
        assert spec.section
        for value in spec.values:
            assert ruleset.options({option: value})[option] == value
    data = ruleset.to_bundle()
    assert data["id"] == name
    assert set(data["terrain"]) == set(ruleset.terrains)


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_terrain_and_marker_has_a_look(name: str) -> None:
    look = load_style(name).to_dict()
    assert set(get_ruleset(name).terrains) <= set(look["terrain"])


@pytest.mark.parametrize("name", [*ruleset_ids(), "generic"])
def test_the_readme_names_files_and_tests_that_exist(name: str) -> None:
    text = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    root = FOLDER.parents[1]
    code = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / name).glob("*.py"))
    tests = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.py"))
    rows = [line for line in text.splitlines() if line.startswith("| ") and "test_" in line]
    assert rows
    for row in rows:
        for word in re.findall(r"`([^`]+)`", row):
            if word.startswith("test_"):
                assert f"def {word}(" in tests, word
            elif word.endswith("()"):
                assert f"def {word[:-2].rpartition('.')[2]}(" in code, word


def test_a_faulty_catalogue_lists_its_faults(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\n'
        '[movers.foot]\nname = "Foot"\n'
        '[terrain.clear]\nname = "Clear"\nchar = "."\nmove = { foot = "1/3", horse = 1 }\n'
        '[terrain.mud]\nname = "Mud"\nchar = "."\n'
        '[terrain.ice]\nname = "Ice"\nchar = "  "\n'
        '[options.rule]\ndefault = "c"\nvalues = ["a", "b"]\n'
    )
    with pytest.raises(DocumentError) as caught:
        load_ruleset(file)
    places = [fault.path for fault in caught.value.faults]
    assert places == [
        "$.terrain.clear.move.foot",
        "$.terrain.clear.move.horse",
        "$.terrain.mud.char",
        "$.terrain.ice.char",
        "$.options.rule.default",
    ]
    file.write_text("id = ")
    with pytest.raises(DocumentError, match="is no TOML"):
        load_ruleset(file)
    file.write_text('id = "mine"\ntitle = "Mine"\n')
    with pytest.raises(DocumentError, match="terrain"):
        load_ruleset(file)
    with pytest.raises(DocumentError, match="cannot be read"):
        load_ruleset(tmp_path / "none.toml")


def test_a_ruleset_of_ones_own_makes_a_map(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\n[movers.foot]\nname = "Foot"\n'
        '[terrain.clear]\nname = "Clear"\nchar = "."\nmove = { foot = 1 }\n'
        '[terrain.mud]\nname = "Mud"\nchar = "m"\nmove = { foot = "3/2" }\n'
    )
    mine = load_ruleset(file)
    assert mine.move_cost("mud", "foot") == 3
    map_ = studio.new_map(mine, 3, 3).paint("0202", terrain="mud")
    assert map_.model.terrain_at(4) == "mud"
    assert map_.sight("0101", "0303").status == "clear"


def test_costs_come_in_halves() -> None:
    assert [halves(cost) for cost in (0, 2, "1/2", "3/2", "X")] == [0, 4, 1, 3, None]
    for wrong in ("1/3", "one", "1/0"):
        with pytest.raises(ScenarioRuleError):
            halves(wrong)


BASE = 'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\n[terrain.clear]\nname = "Clear"\nchar = "."\n'


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('id = "mine"', 'id = "../evil"', "$.id"),
        ('id = "mine"', 'id = ""', "$.id"),
        ('id = "mine"', 'id = "a\\n"', "$.id"),
        ('id = "mine"', 'id = "armageddon_war"', "$.id"),
        ('id = "mine"', 'id = "mine"\nsight_module = "os"', "$.sight_module"),
        ('id = "mine"', 'id = "mine"\npaths_module = "os"', "$.paths_module"),
        ('id = "mine"', 'id = "mine"\nplaces_module = "os"', "$.places_module"),
        ('id = "mine"', 'id = "mine"\nclouds_module = "os"', "$.clouds_module"),
        ("[terrain.clear]", '[borders."<b>"]\nname = "B"\n[terrain.clear]', "$.borders"),
        ('id = "mine"', 'id = "mine"\nfeatures = ["roads"]', "$.features"),
        ('id = "mine"', 'id = "mine"\nstacking = -1', "$.stacking"),
        ('id = "mine"', 'id = "mine"\nhex_metres = -3', "$.hex_metres"),
        ("[0, 2]", "[3, -1]", "$.levels"),
        ("[0, 2]", "[1, 3]", "$.levels"),
        ("[0, 2]", "[-100, 1000]", "$.levels"),
        ("[terrain.clear]", '[terrain."<script>"]', "$.terrain"),
        ("[terrain.clear]", '[movers.a]\nname = "A"\nlike = "a"\n[terrain.clear]', "$.movers.a.like"),
    ],
)
def test_a_file_of_ones_own_is_not_trusted(tmp_path: Path, old: str, new: str, place: str) -> None:
    file = tmp_path / "mine.ruleset.toml"
    file.write_text(BASE.replace(old, new))
    with pytest.raises(DocumentError) as caught:
        load_ruleset(file)
    assert [fault.path for fault in caught.value.faults] == [place]
    assert all(fault.message and fault.remedy for fault in caught.value.faults)


def test_what_is_no_small_regular_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.ruleset.toml"
    file.write_text("# " + "x" * 1_000_000)
    for path, match in ((file, "allowed are 1,000,000"), (tmp_path, "no regular file")):
        with pytest.raises(DocumentError, match=match):
            load_ruleset(path)
    file.write_text("x = " + "[" * 5000)
    with pytest.raises(DocumentError, match="is no TOML"):
        load_ruleset(file)

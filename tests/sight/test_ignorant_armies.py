"""Ignorant Armies: the catalogue of the text, and one clear error for every question about sight."""

import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

import studio
from studio.api import Map, export_bundle
from studio.cli import main
from studio.errors import NoSightError, StudioError, UnknownNameError
from studio.rules import get_ruleset, halves
from studio.sight import Conditions

RULES = get_ruleset("ignorant_armies")


@pytest.fixture
def border() -> Map:
    drawn = studio.new_map("ignorant_armies", columns=6, rows=5)
    return drawn.paint("0302", terrain="mountains").set_side("0101", "0102", "river")


def test_every_question_about_sight_has_one_answer(border: Map) -> None:
    texts = set()
    questions = [
        lambda: border.sight("0101", "0302"),
        lambda: border.field_of_view("0101"),
        border.sight_table,
        border.judge,
        lambda: border.sight("0101", "0302", conditions=Conditions(visibility=3)),
    ]
    for ask in questions:
        with pytest.raises(NoSightError) as caught:
            ask()
        texts.add(str(caught.value))
    assert len(texts) == 1
    text = texts.pop()
    assert "no lines of sight" in text
    # It names what the game has instead.
    assert "supply, traced along paths to a source (12.0)" in text


def test_the_error_is_one_that_callers_know() -> None:
    assert issubclass(NoSightError, UnknownNameError)
    assert issubclass(NoSightError, StudioError)
    assert issubclass(NoSightError, KeyError)
    assert not RULES.has_sight
    assert get_ruleset("armageddon_war").has_sight


def test_a_bundle_goes_without_a_sight_table(border: Map, tmp_path: Path) -> None:
    target = export_bundle(border, None, tmp_path / "border.bundle.zip", preview=False)
    with zipfile.ZipFile(target) as bundle:
        assert "sight.bin" not in bundle.namelist()


@pytest.mark.parametrize("command", [("sight", "0101", "0302"), ("view", "0101"), ("table",)])
@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_line_says_the_same_and_returns_2(
    command: tuple[str, ...], as_json: bool, border: Map, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "border.map.json"
    border.save(file)
    name, *places = command
    target = ["-o", str(tmp_path / "table.csv")] if name == "table" else []
    assert main([name, str(file), *places, *target, *(["--json"] if as_json else [])]) == 2
    out, err = capsys.readouterr()
    assert "Ignorant Armies has no lines of sight" in err
    assert "Traceback" not in err
    assert ("no lines of sight" in out) == as_json
    assert not (tmp_path / "table.csv").exists()


def test_movement_costs_of_the_text() -> None:
    # 11.10 to 11.13, 11.15, 11.20: all other units, and mountain infantry.
    table = {
        "clear": (1, 1),
        "hills": (2, 1),
        "mountains": (3, 1),
        "marsh": (2, 2),
        "city": (1, 1),
        "lake": (None, None),
        "sea": (None, None),
        "out_of_play": (None, None),
    }
    assert set(table) == set(RULES.terrains)
    for terrain, costs in table.items():
        for mover, cost in zip(("ground", "mountain_infantry"), costs, strict=True):
            found = RULES.move_cost(terrain, mover)
            assert found == (None if cost is None else 2 * cost), (terrain, mover)
    assert halves(RULES.catalogue.movement.road) == 2 * Fraction(1, 2)


def test_rivers_and_water() -> None:
    # 11.14: one more across a river, nothing for the marines (11.16); never across an all-water hexside (11.15).
    crossing = {mover: RULES.cross_cost("river", mover) for mover in RULES.movers}
    assert crossing == {"ground": 2, "mountain_infantry": 2, "marines": 0, "kurdish": 2, "garrison": 0}
    assert {RULES.cross_cost("all_water", mover) for mover in RULES.movers} == {None}
    assert {RULES.cross_cost("border", mover) for mover in RULES.movers} == {0}


def test_columns_of_the_odds() -> None:
    # 10.13, 10.14, 10.25.
    shifts = {name: terrain.defence.get("ground", 0) for name, terrain in RULES.terrains.items() if terrain.playable}
    assert shifts == {"clear": 0, "hills": -1, "mountains": -2, "marsh": -1, "city": -3, "lake": 0, "sea": 0}
    assert RULES.marker_types["town"].defence == {"ground": -1}


def test_the_islands_are_no_locations() -> None:
    drawn = studio.new_map("ignorant_armies", columns=26, rows=35).paint(["2634", "2635"], terrain="out_of_play")
    assert not drawn.survey.directory.exists(drawn.labels.cell("2634"))
    assert drawn.survey.directory.exists(drawn.labels.cell("2633"))


def test_the_grid_is_that_of_the_numbers() -> None:
    # Straight columns of hexes 20 km across (1.2), every second column one hex shorter.
    drawn = studio.new_map("ignorant_armies", columns=40, rows=35, stagger="even", short=True)
    assert drawn.grid.flat
    assert RULES.catalogue.hex_metres == 20_000
    kuwait = ["2234", "2235", "2334", "2434", "2435", "2534"]
    named = [*kuwait, "1521", "2529", "2533", "2633", "2634", "2635", "2731", "2733", "2834", "3435", "3812"]
    assert len(set(drawn.labels.cells(named))) == len(named)
    assert all(int(label[:2]) % 2 == 0 for label in named if label.endswith("35"))
    # The six hexes of Kuwait (4.3) hang together on such a grid.
    mainland = drawn.labels.cells(kuwait)
    reached, pending = set(), [mainland[0]]
    while pending:
        cell = pending.pop()
        if cell not in reached:
            reached.add(cell)
            pending += [other for other in drawn.grid.neighbours(cell) if other in mainland]
    assert reached == set(mainland)

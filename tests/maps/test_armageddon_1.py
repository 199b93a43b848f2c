"""Map 1 of Armageddon War is a reconstruction: it has to obey every fact that the rulebook gives about the print."""

import itertools
from pathlib import Path

import pytest

import studio
from studio.survey import on_edge

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def printed() -> studio.Map:
    return studio.open_map(ROOT / "maps" / "armageddon-1.map.json", recover_unsaved=False)


def terrain(printed: studio.Map, label: str) -> str:
    return printed.model.terrain_at(printed.labels.cell(label))


NAMED = (
    "U9 W1 Y1 AA1 G15 H14 H15 I14 G11 H11 G13 I12 G12 F13 S1 S7 Y1 Y7 V1 T7 T9 V8 V10 E11 H9 J12 M12 I13 K13 L12 "
    "L4 M4 Q4 P3 J2 L1 W8 X7 Z7 AA8 O10 G4 M7 T11 F12 V7"
)


@pytest.mark.parametrize("label", NAMED.split())
def test_every_hex_that_the_text_names_is_on_the_map(printed: studio.Map, label: str) -> None:
    assert printed.grid.has(printed.labels.cell(label))


def test_columns_run_from_a_to_aa(printed: studio.Map) -> None:
    assert printed.labels.tables()["columns"][0] == "A"
    assert printed.labels.tables()["columns"][-1] == "AA"
    assert printed.grid.flat


def test_half_hexes_lie_between_w1_y1_and_aa1_on_the_north_edge(printed: studio.Map) -> None:
    for whole in ("W1", "Y1", "AA1"):
        cell = printed.labels.cell(whole)
        assert on_edge(printed.grid, cell, "north")
        assert not printed.grid.is_half(cell)
    for half in ("X0", "Z0"):
        cell = printed.labels.cell(half)
        assert on_edge(printed.grid, cell, "north")
        assert printed.grid.is_half(cell)
        assert printed.grid.distance(cell, printed.labels.cell(chr(ord(half[0]) - 1) + "1")) == 1


@pytest.mark.parametrize("chain", ["V8 W8 X7 Y7 Z7 AA8", "I13 J12 K13 L12"])
def test_hexes_that_the_text_lists_as_a_column_are_adjacent(printed: studio.Map, chain: str) -> None:
    cells = printed.labels.cells(chain.split())
    assert all(printed.grid.distance(a, b) == 1 for a, b in itertools.pairwise(cells))


def test_the_citadel_is_rough_and_elevated(printed: studio.Map) -> None:
    """3.0 rough, 7.1, scenario 3: it blocks sight, land vehicles cannot enter, it has a level of elevation."""
    assert terrain(printed, "G12") == "rough"
    assert printed.model.level_at(printed.labels.cell("G12")) == 1
    for mover in ("wheeled", "tracked"):
        assert printed.step("G11", "G12", mover=mover).halves is None
    assert not printed.survey.has_road(printed.labels.cell("G12"))


def test_the_stadium_is_light_urban(printed: studio.Map) -> None:
    assert terrain(printed, "F13") == "light_urban"


def test_the_town_in_the_southwest_and_the_village_in_the_southeast(printed: studio.Map) -> None:
    """7.1; scenario 3 sets up in dense urban terrain, scenarios 5 and 9 name hexes of the village."""
    for label in ("G11", "H11", "G13", "I12", "G15", "H14", "H15", "I14"):
        assert terrain(printed, label) == "dense_urban"
    for label in ("T7", "T9", "U9", "V8", "V10"):
        assert terrain(printed, label) == "light_urban"


def test_v7_is_light_woods_and_blocks(printed: studio.Map) -> None:
    """Scenario 1, and 7.1: the regular trees of the village are light woods."""
    assert terrain(printed, "V7") == "light_woods"
    assert printed.sight("V6", "V8").status == "blocked"


def test_trucks_find_cultivated_ground_on_the_way_to_the_village(printed: studio.Map) -> None:
    near = printed.grid.within(printed.labels.cell("U9"), 4)
    assert any(printed.model.terrain_at(cell) == "cultivated" for cell in near)
    assert printed.step("T4", "T5", mover="wheeled").cost == 2


def test_a_hill_lies_north_east_of_the_rebel_set_up(printed: studio.Map) -> None:
    x, y = printed.grid.centre(printed.labels.cell("U9"))
    hills = [cell for cell in range(printed.grid.cells) if printed.grid.has(cell) and printed.model.level_at(cell) >= 1]
    near = [cell for cell in hills if printed.grid.distance(cell, printed.labels.cell("U9")) <= 7]
    assert any(printed.grid.centre(cell)[0] > x and printed.grid.centre(cell)[1] < y for cell in near)


def test_lines_of_sight_that_the_text_gives(printed: studio.Map) -> None:
    """4.14 elevation."""
    assert printed.sight("G4", "M7").status == "clear"
    assert printed.sight("G4", "T11").status == "clear"
    assert printed.sight("T11", "F12").status == "blocked"


def test_a_river_cuts_the_south_west_off_and_roads_lead_over_it(printed: studio.Map) -> None:
    """Scenario 8: units enter south and west of the river, and leave by the easternmost road hex."""
    grid, survey = printed.grid, printed.survey
    wet = {cell for cell in range(grid.cells) if grid.has(cell) and printed.model.terrain_at(cell) == "river"}
    start = printed.labels.cell("A16")
    reached, queue = {start}, [start]
    while queue:
        for other in grid.neighbours(queue.pop()):
            if other not in reached and other not in wet:
                reached.add(other)
                queue.append(other)
    assert printed.labels.cell("H12") not in reached
    assert any(on_edge(grid, cell, "west") for cell in reached)
    assert any(on_edge(grid, cell, "south") for cell in reached)
    assert any(survey.has_road(cell) for cell in wet)
    assert any(survey.has_road(cell) and on_edge(grid, cell, "east") for cell in range(grid.cells))


def test_both_kinds_of_road_are_there(printed: studio.Map) -> None:
    surfaces = {surface for crossing in printed.survey.roads.values() for surface in crossing}
    assert surfaces == {"paved", "unpaved"}


def test_it_says_that_it_is_a_reconstruction_and_where_its_facts_come_from(printed: studio.Map) -> None:
    assert "reconstruction" in printed.model.notes
    assert printed.model.sources


def test_it_checks_clean_and_is_written_as_the_studio_writes(printed: studio.Map) -> None:
    assert printed.check() == []
    assert (ROOT / "maps" / "armageddon-1.map.json").read_text(encoding="utf-8") == printed.to_text()

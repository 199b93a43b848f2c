"""Parts of a map of several sheets: what is in play, which edges there are, which sheet a place lies on."""

import warnings
from typing import Any

import numpy as np
import pytest

import studio
from studio.api import JoinWarning, Map
from studio.errors import LabelError, StudioError, UnknownNameError
from studio.model import MapUse, SetUp
from studio.survey import area_cells, cells_in_play, layer_numbers, locations_in_play, on_edge, sheet_numbers, sheets_at


def board(title: str, **shape: Any) -> Map:
    return studio.new_map("armageddon_war", columns=5, rows=4, title=title, half=("left", "right"), **shape)


@pytest.fixture(scope="module")
def joint() -> Map:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        both = studio.join_maps(board("West"), board("East"), prefixes=("", "E"))
        return studio.join_maps(both, board("Caves"), edge="apart", prefixes=("", "U"))


def labels_of(made: Map, cells: set[int]) -> set[str]:
    return {made.labels.label(cell) for cell in cells if cell < made.grid.cells}


def use(**fields: Any) -> MapUse:
    return MapUse(file="x.map.json", **fields)


def test_all_sheets_are_in_play_unless_some_are_named(joint: Map) -> None:
    everything = set(np.flatnonzero(joint.grid.present).tolist())
    assert cells_in_play(joint.labels, use()) == everything
    west = labels_of(joint, cells_in_play(joint.labels, use(sheets=("west",))))
    assert len(west) == 20
    assert "0501" in west  # the hex that half of West and half of East make up is in play with either
    assert "0501" in labels_of(joint, cells_in_play(joint.labels, use(sheets=("east",))))
    two = cells_in_play(joint.labels, use(sheets=("west", "caves"), out_of_play=("U0302", "E0101")))
    caves = {f"U{column:02}{row:02}" for column in range(1, 6) for row in range(1, 5)}
    assert labels_of(joint, two) == (west | caves) - {"0501", "U0302"}


def test_columns_and_rows_are_those_of_the_one_sheet_in_play(joint: Map) -> None:
    found = cells_in_play(joint.labels, use(sheets=("caves",), first_column="02", last_column="03", last_row="02"))
    assert labels_of(joint, found) == {"U0201", "U0202", "U0301", "U0302"}
    with pytest.raises(UnknownNameError, match=r"3 are in play \(west, east, caves\); name one in `sheets`"):
        cells_in_play(joint.labels, use(first_column="02"))
    with pytest.raises(UnknownNameError, match="no sheet 'wets' on this map; did you mean 'west'"):
        cells_in_play(joint.labels, use(sheets=("wets",)))
    with pytest.raises(UnknownNameError, match="the map is one sheet only"):
        cells_in_play(board("One").labels, use(sheets=("west",)))


def test_set_up_areas_know_sheets(joint: Map) -> None:
    everything = cells_in_play(joint.labels, use())
    found = area_cells(joint.survey, SetUp(sheets=("caves",), edges=("west",)), everything)
    assert [joint.labels.label(cell) for cell in found] == ["U0101", "U0102", "U0103", "U0104"]
    assert area_cells(joint.survey, SetUp(sheets=("caves",)), cells_in_play(joint.labels, use(sheets=("west",)))) == []


def test_every_part_that_lies_apart_has_edges_of_its_own(joint: Map) -> None:
    cells = np.flatnonzero(joint.grid.present).tolist()

    def edge(name: str) -> set[str]:
        return labels_of(joint, {cell for cell in cells if on_edge(joint.grid, cell, name)})

    assert edge("west") == {f"{sheet}010{row}" for sheet in ("", "U") for row in range(1, 5)}
    assert edge("east") == {f"{sheet}050{row}" for sheet in ("E", "U") for row in range(1, 5)}
    assert {"0101", "0501", "E0201", "U0301"} <= edge("north")
    with pytest.raises(UnknownNameError, match="unknown edge"):
        on_edge(joint.grid, 0, "up")


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("short", [False, True])
def test_edges_of_a_plain_map_are_its_outer_rows_and_columns(orientation: Any, stagger: Any, short: bool) -> None:
    grid = studio.HexGrid(columns=5, rows=4, orientation=orientation, stagger=stagger, short=short)
    for cell in np.flatnonzero(grid.present).tolist():
        row, column = divmod(cell, grid.columns)
        far_row = 3 - (short and grid.flat and grid.shifted(column))
        far_column = 4 - (short and not grid.flat and grid.shifted(row))
        # Of a ragged edge every outer hex is on it, of a straight one with short lines those too that stand back.
        assert on_edge(grid, cell, "north") == (row == 0)
        assert on_edge(grid, cell, "south") == (row == far_row)
        assert on_edge(grid, cell, "west") == (column == 0)
        assert on_edge(grid, cell, "east") == (column == far_column)


def test_places_go_with_the_sheet_under_their_dots() -> None:
    def town(title: str) -> Map:
        made = studio.new_map("urban_operations", columns=6, rows=6, title=title)
        corners = [[1200, 480], [2640, 480], [2640, 1440], [1200, 1440]]
        made.add("area", id="b", type="building", name="1", outline=corners)
        made.add("area", id="r", type="room", name="1.1", outline=corners, within="b", dot=[1900, 960])
        return made

    made = studio.join_maps(town("One"), town("Two"), edge="apart", prefixes=("", "U"))
    survey = made.survey
    number = survey.directory.number
    numbers = locations_in_play(survey, use(sheets=("two",)))
    assert number("U1.1") in numbers
    assert number("1.1") not in numbers
    assert number("1.1") not in locations_in_play(survey, use(out_of_play=("1.1",)))
    # A hex that is out of play leaves what is built on it alone.
    cell = survey.directory.location(number("1.1")).cell
    assert number("1.1") in locations_in_play(survey, use(out_of_play=(made.labels.label(cell),)))
    with pytest.raises(LabelError):
        locations_in_play(survey, use(out_of_play=("no such",)))
    assert sheets_at(survey, number("U1.1")) == (1,)
    assert sheet_numbers(survey)[number("1.1")] == 0
    assert layer_numbers(survey)[number("U1.1")] == 1
    plain = town("Three").survey
    assert sheets_at(plain, 0) == ()
    assert not layer_numbers(plain).any()
    assert (sheet_numbers(plain) == -1).all()


def test_checks_of_scenarios_know_sheets(tmp_path: Any, joint: Map) -> None:
    joint.save(tmp_path / "joint.map.json", overwrite=True)
    made = studio.new_scenario(joint)
    for fields, message in (
        ({"sheets": ("wets",)}, "no sheet 'wets'"),
        ({"first_column": "02"}, "name one in `sheets`"),
    ):
        made.model.document.map = use(**fields)
        assert any(message in str(finding) for finding in made.check()), fields
    made.model.document.map = use(sheets=("west",))
    assert not any("sheet" in str(finding) for finding in made.check().errors)
    with pytest.raises(StudioError):
        made.map.survey.directory.number("E9999")

"""The survey: what it derives, and that following edits gives the same as surveying afresh."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.model import Crest, History, MapModel, MapUse, Paint, Put, SetUp
from studio.survey import NO_CONTOUR, Survey, area_cells, cells_in_play, on_edge
from tests.model.test_edits import edit_lists, make_model


@given(steps=edit_lists)
def test_a_survey_that_followed_the_edits_equals_a_fresh_one(steps: list) -> None:
    model = make_model()
    history, survey = History(model), Survey(model)
    for step in steps:
        change = history.undo() if step == "undo" else history.redo() if step == "redo" else history.apply(step)
        if change is not None:
            survey.update(change)
        assert survey.state() == Survey(model).state()


def slow_contours(model: MapModel) -> np.ndarray:
    """A hex carries the contour of its level when a neighbour lies lower."""
    plane = np.full(model.levels.shape, NO_CONTOUR)
    for cell in range(model.grid.cells):
        level = model.level_at(cell)
        if any(model.level_at(other) < level for other in model.grid.neighbours(cell)):
            plane.flat[cell] = level
    return plane


@given(levels=st.lists(st.integers(-1, 3), min_size=30, max_size=30))
def test_contours_and_hills_from_the_levels(levels: list[int]) -> None:
    model = make_model()
    model.levels[:] = np.array(levels).reshape(5, 6)
    survey = Survey(model)
    assert (survey.contours == slow_contours(model)).all()
    groups: dict[int, set[int]] = {}
    for cell, hill in enumerate(survey.hills.ravel().tolist()):
        assert (hill > 0) == (model.level_at(cell) >= 1)
        groups.setdefault(hill, set()).add(cell)
    for hill, cells in groups.items():
        for cell in cells:
            around = {other for other in model.grid.neighbours(cell) if model.level_at(other) >= 1}
            assert not hill or around <= cells
        if hill:
            assert hill == min(cells) + 1


def test_a_drawn_contour_lies_in_the_hexes_whose_inside_it_meets() -> None:
    model = make_model()
    (x, y), (x2, y2) = model.grid.centre(7), model.grid.centre(9)
    record = {"kind": "contour", "id": "c", "level": 2, "line": [[x, y], [x2, y2]]}
    model.perform(Put(collection="features", record=record))
    expected = {7, 9}  # from centre to centre two columns on, the line follows the side between the two hexes
    assert set(np.flatnonzero(Survey(model).contours.ravel() == 2).tolist()) == expected


def test_roads_are_known_by_the_sides_they_cross() -> None:
    model = make_model()
    history, survey = History(model), Survey(model)
    for name, path in (("r1", ["0101", "0102", "0103"]), ("r2", ["0102", "0103"])):
        survey.update(history.apply(Put(collection="features", record={"kind": "road", "id": name, "path": path})))
    cells = model.labels.cells(["0101", "0102", "0103"])
    assert survey.road_across(cells[0], cells[1])
    assert survey.road_across(cells[2], cells[1])
    assert not survey.road_across(cells[0], cells[2])
    survey.update(history.undo())  # type: ignore[arg-type]
    assert survey.road_across(cells[1], cells[2])


def test_tables_for_gis_users() -> None:
    model = make_model()
    model.perform(Paint(plane="terrain", cells=[7], values=["rough"]))
    model.perform(Put(collection="features", record={"kind": "road", "id": "r", "path": ["0101", "0102"]}))
    model.sides[0, 1] = ("fence",)
    survey = Survey(model)
    locations = survey.locations()
    assert list(locations.index) == model.labels.all()
    assert locations.loc["0202", "terrain"] == "rough"
    assert locations.geometry.is_valid.all()
    assert {"q", "r", "terrain", "level", "geometry"} <= set(locations.columns)
    sides = survey.sides()
    assert sides[["a", "b", "kinds", "roads"]].values.tolist() == [
        ["0101", "0201", "fence", ""],
        ["0101", "0102", "", "paved"],
    ]
    shared = locations.loc["0101"].geometry.intersection(locations.loc["0201"].geometry)
    assert shared.length == pytest.approx(sides.geometry.iloc[0].length)


def test_edges_and_areas() -> None:
    model = make_model()
    survey = Survey(model)
    names = {
        edge: {model.labels.label(c) for c in range(30) if on_edge(model.grid, c, edge)}
        for edge in ("north", "south", "west", "east")
    }
    assert names["north"] == {f"{c:02d}01" for c in range(1, 7)}
    assert names["south"] == {f"{c:02d}05" for c in range(1, 7)}
    assert names["west"] == {f"01{r:02d}" for r in range(1, 6)}
    play = cells_in_play(model.labels, MapUse(file="", first_column="03", last_row="04", out_of_play=("0404",)))
    assert {model.labels.label(c) for c in play} == {f"{c:02d}{r:02d}" for c in (3, 4, 5, 6) for r in range(1, 5)} - {
        "0404"
    }
    area = area_cells(survey, SetUp(hexes=("0303",), within=1, first_column="03"), range(30))
    assert {model.labels.label(c) for c in area} == {"0303", "0302", "0304", "0402", "0403"}


def test_crest_lines_count_once_a_feature() -> None:
    model = make_model()
    model.features["c"] = Crest(id="c", path=("0101", "0102", "0101"))
    assert Survey(model).crests.sum() == 2

"""Locations beyond hexes: their numbers and labels, exact borders, shapes in hexes, and markers on them."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import EditError, LabelError, UnknownNameError
from studio.grid import HexGrid, LabelScheme
from studio.model import (
    Area,
    Delete,
    Dot,
    Feature,
    History,
    MapModel,
    Marker,
    Paint,
    Place,
    Put,
    Road,
    SetField,
    feature_kinds,
)
from studio.survey import Survey, SurveyScheme, find_borders

SCHEME = SurveyScheme(
    unplayable=frozenset({"outside"}),
    location_areas=frozenset({"room"}),
    places=True,
    road_in=frozenset({"house", "town"}),
)


def model_of(*features: Feature, columns: int = 6, rows: int = 6) -> MapModel:
    model = MapModel(
        "test", HexGrid(columns=columns, rows=rows), LabelScheme.ccrr(), {"clear": ".", "outside": "#", "town": "t"}
    )
    model.features = {feature.id: feature for feature in features}
    return model


def box(area_id: str, x0: int, y0: int, x1: int, y1: int, **more: object) -> Area:
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Area(id=area_id, type=str(more.pop("type", "room")), outline=ring, **more)  # type: ignore[arg-type]


def test_numbers_begin_with_the_hexes_and_go_on_in_the_order_of_the_labels() -> None:
    model = model_of(
        box("a", 0, 0, 400, 400, name="10"),
        box("b", 400, 0, 800, 400, name="2", dot=(500, 100)),
        Place(id="roof", type="roof", name="2 R", at=(600, 200), within="b", level=2),
        box("house", 0, 0, 800, 400, type="building"),
    )
    directory = Survey(model, SCHEME).directory
    assert [(item.number, item.label, item.kind, item.level) for item in directory.others] == [
        (36, "2", "area", 0),
        (37, "2 R", "place", 2),
        (38, "10", "area", 0),
    ]
    assert len(directory) == 39
    assert directory.number("2 R") == 37
    assert directory.dot(36) == (500, 100)
    assert directory.dot(38) == (200, 200)
    assert directory.location(37).within == "b"
    assert directory.number("0101") == 0
    assert directory.label(0) == "0101"
    assert directory.numbers.tolist() == list(range(39))
    with pytest.raises(LabelError, match="unknown location 'attic'"):
        directory.number("attic")
    with pytest.raises(LabelError, match="no location has the number 99"):
        directory.location(99)


def test_hexes_where_no_unit_can_be_are_no_locations() -> None:
    model = model_of(box("a", 0, 0, 400, 400, name="1"))
    survey = Survey(model, SCHEME)
    history = History(model)
    survey.update(history.apply(Paint(plane="terrain", cells=[0, 7], values=["outside"])))
    directory = survey.directory
    assert not directory.exists(0)
    assert directory.numbers.tolist() == [n for n in range(37) if n not in (0, 7)]
    with pytest.raises(LabelError, match="0101 is no location: its terrain is outside"):
        directory.number("0101")
    assert [record["label"] for record in survey.location_records()][-1] == "1"
    assert len(survey.locations()) == 35


def test_two_locations_with_one_name_are_told_apart_and_noted() -> None:
    model = model_of(
        box("a", 0, 0, 9, 9, name="Midlands"), box("b", 20, 0, 29, 9, name="Midlands"), box("0303", 40, 0, 50, 9)
    )
    directory = Survey(model, SCHEME).directory
    assert directory.clashes == {"Midlands": ["a", "b"], "0303": ["hex 0303", "0303"]}
    assert directory.number("Midlands") == directory.of("area")[1].number
    assert directory.location(directory.number("b")).feature == "b"


def test_a_road_beside_a_structure_is_a_location_of_its_own() -> None:
    model = model_of(box("h", 1100, 1000, 1300, 1100, type="house"), Road(id="r", path=("0201", "0202", "0203")))
    model.terrain.flat[model.labels.cell("0201")] = 2
    assert [item.label for item in Survey(model, SCHEME).directory.of("road")] == ["0201 road", "0202 road"]


def test_dots_that_are_moved() -> None:
    model = model_of(Dot(id="d", at="0202", point=(1200, 1100)))
    directory = Survey(model, SCHEME).directory
    assert directory.dot(model.labels.cell("0202")) == (1200, 1100)
    assert directory.location(model.labels.cell("0202")).dot == (1200, 1100)
    assert directory.moved_dots == {model.labels.cell("0202"): (1200, 1100)}


def test_markers_lie_on_locations_of_every_kind_and_clouds_on_several() -> None:
    model = model_of(
        box("a", 0, 0, 400, 400, name="1"),
        Marker(id="s", type="smoke", at="1", also=("0101", "0102")),
        Marker(id="t", type="wreck", at="0101"),
        Marker(id="gone", type="wreck", at="cellar"),
    )
    survey = Survey(model, SCHEME)
    assert survey.cells_with_marker("smoke") == [0, 6, 36]
    assert survey.markers_at(0) == ["smoke", "wreck"]
    assert survey.cells_with_marker("wreck") == [0]


def test_areas_share_borders_and_corners_are_none() -> None:
    areas = [
        box("a", 0, 0, 100, 100),
        box("b", 100, 40, 200, 160),
        box("c", 200, 160, 300, 300),
        box("inner", 0, 0, 50, 50, within="a"),
    ]
    found = find_borders(areas)
    assert [(border.a, border.b, border.segments) for border in found] == [("a", "b", (((100, 40), (100, 100)),))]


def test_slanted_borders_are_exact() -> None:
    a = Area(id="a", type="room", outline=((0, 0), (300, 100), (0, 400)))
    b = Area(id="b", type="room", outline=((60, 20), (270, 90), (400, -100)))
    off = Area(id="off", type="room", outline=((60, 21), (270, 91), (400, 900)))
    assert find_borders([a, b])[0].segments == (((60, 20), (270, 90)),)
    assert find_borders([a, off]) == ()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60)
def test_borders_are_those_that_shapely_sees_on_the_lattice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    areas = []
    for number in range(int(rng.integers(2, 9))):
        x, y = (rng.integers(0, 6, 2) * 60).tolist()
        wide, high = (rng.integers(1, 4, 2) * 60).tolist()
        areas.append(box(f"z{number}", x, y, x + wide, y + high))
    found = {
        (border.a, border.b): sum(abs(q[0] - p[0]) + abs(q[1] - p[1]) for p, q in border.segments)
        for border in find_borders(areas)
    }
    for i, a in enumerate(areas):
        for b in areas[i + 1 :]:
            common = shapely.Polygon(a.outline).exterior.intersection(shapely.Polygon(b.outline).exterior)
            assert found.get((a.id, b.id), 0) == common.length


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_survey_that_followed_edits_of_places_equals_one_made_afresh(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = model_of()
    history, survey = History(model), Survey(model, SCHEME)
    for _ in range(12):
        x, y = (rng.integers(0, 40, 2) * 60).tolist()
        name = f"f{rng.integers(4)}"
        kind = int(rng.integers(6))
        edit: object = SetField(field="title", value="a map")
        if kind == 0:
            edit = Put(
                collection="features",
                record={"kind": "area", "id": name, "type": "room", "outline": [[x, y], [x + 90, y], [x, y + 60]]},
            )
        elif kind == 1:
            edit = Put(
                collection="features", record={"kind": "place", "id": name, "type": "roof", "name": name, "at": [x, y]}
            )
        elif kind == 2 and name in model.features:
            edit = Delete(collection="features", id=name)
        elif kind == 3:
            edit = Paint(plane="terrain", cells=[int(rng.integers(36))], values=[str(rng.choice(model.terrain_ids))])
        elif kind == 4:
            at = str(rng.choice(["0101", "0202", "f0", "f1"]))
            if isinstance(model.features.get(at), Area | Place) or at[0] == "0":
                edit = Put(
                    collection="features", record={"kind": "marker", "id": f"m{name}", "type": "smoke", "at": at}
                )
        else:
            edit = Put(collection="features", record={"kind": "dot", "id": name, "at": "0202", "point": [x, y]})
        survey.update(history.apply(edit))  # type: ignore[arg-type]
        if rng.random() < 0.2:
            survey.update(history.undo())  # type: ignore[arg-type]
        fresh = Survey(model, SCHEME)
        assert survey.state() == fresh.state()
        assert survey.directory.numbers.tolist() == fresh.directory.numbers.tolist()


def test_shapes_and_the_hexes_they_cover() -> None:
    model = model_of()
    x, y = model.grid.centre(model.labels.cell("0202"))
    model.features["small"] = box("small", x - 50, y - 50, x + 50, y + 50)
    model.features["bow"] = Area(id="bow", type="room", outline=((0, 0), (400, 400), (400, 0), (0, 300)))
    survey = Survey(model, SCHEME)
    assert survey.area_cells("small") == [model.labels.cell("0202")]
    assert survey.polygon("bow").is_valid
    with pytest.raises(UnknownNameError, match="no area has the id"):
        survey.area("smal")


def test_a_change_of_labels_renames_the_hexes_in_features_and_leaves_the_places() -> None:
    model = model_of(
        box("a", 0, 0, 400, 400, name="1"),
        Marker(id="m", type="smoke", at="0101", also=("1", "0202 road")),
        Dot(id="d", at="0102", point=(480, 700)),
    )
    History(model).apply(
        SetField(field="labels", value={"columns": {"style": "letters"}, "rows": {"pad": 0}, "separator": ""})
    )
    assert model.features["m"].also == ("1", "B2 road")
    assert model.features["d"].at == "A2"


def test_the_list_of_kinds_is_whole() -> None:
    assert set(feature_kinds()) == {
        "road",
        "crest",
        "contour",
        "name",
        "marker",
        "area",
        "place",
        "wall",
        "aperture",
        "link",
        "dot",
    }


def test_paint_that_makes_a_location_brings_its_marker_back() -> None:
    model = model_of(Marker(id="s", type="smoke", at="0303"))
    cell = model.labels.cell("0303")
    survey, history = Survey(model, SCHEME), History(model)
    survey.update(history.apply(Paint(plane="terrain", cells=[cell], values=["outside"])))
    assert survey.cells_with_marker("smoke") == []
    survey.update(history.apply(Paint(plane="terrain", cells=[cell], values=["clear"])))
    assert survey.cells_with_marker("smoke") == [cell]


def test_undoing_a_change_of_labels_is_exact_even_where_a_name_is_a_label_of_the_new_scheme() -> None:
    model = model_of(box("a", 0, 0, 400, 400, name="003003"), Marker(id="m", type="smoke", at="003003"))
    before = model.to_document()
    history = History(model)
    history.apply(SetField(field="labels", value={"columns": {"pad": 3}, "rows": {"pad": 3}}))
    history.undo()
    assert model.to_document() == before
    history.redo()
    history.undo()
    assert model.to_document() == before


@pytest.mark.parametrize(
    "record",
    [
        {"kind": "link", "id": "x", "type": "stairs", "a": "0101", "b": "0102", "text": "\ud800"},
        {"kind": "wall", "id": "x", "type": "wall", "line": [[0, 0], [9, 9]], "name": "\ud800"},
        {"kind": "aperture", "id": "x", "type": "door", "at": [0, 0], "into": "\ud800"},
        {"kind": "area", "id": "x", "type": "room", "outline": [[0, 0], [9, 0], [9, 9]], "within": "\ud800"},
    ],
)
def test_half_a_character_is_refused_wherever_it_stands(record: dict[str, object]) -> None:
    with pytest.raises(EditError, match="half of a pair"):
        model_of().perform(Put(collection="features", record=record))

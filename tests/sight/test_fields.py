"""Fields of view and tables: the fast paths give the verdicts of the readable judge, and those of a slow sweep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.errors import GridError
from studio.grid import HexGrid, hex_line
from studio.sight import STATUSES, Conditions, Directions, shadow_sweep
from studio.survey import Survey
from tests.sight.maps import RULES, random_model, small_map


@given(seed=st.integers(0, 10**6))
@settings(max_examples=120)
def test_a_field_of_view_is_what_the_judge_says_of_every_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = {
        "orientation": str(rng.choice(["flat", "pointy"])),
        "stagger": str(rng.choice(["odd", "even"])),
        "short": bool(rng.random() < 0.3),
    }
    model = random_model(rng, int(rng.integers(2, 13)), int(rng.integers(2, 13)), **shape)
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    options = RULES.options(chosen if rng.random() < 0.5 else {})
    conditions = Conditions(
        from_air=bool(rng.random() < 0.2),
        to_air=bool(rng.random() < 0.2),
        visibility=int(rng.choice([0, 0, 5])),
        terrain_overrides={"dense_urban": "clear"} if rng.random() < 0.2 else {},
        surveillance=bool(rng.random() < 0.05),
    )
    judge = RULES.sight.judge(Survey(model), options, conditions)
    cells = np.flatnonzero(model.grid.present)
    for a in rng.choice(cells, size=min(4, len(cells)), replace=False).tolist():
        plane, hindrances = judge.field(a)
        assert (plane.ravel() == 0).tolist() == (~model.grid.present.ravel()).tolist()
        for b in cells.tolist():
            one = judge.sighting(a, b)
            assert STATUSES[plane.flat[b]] == one.status, (a, b, str(one))
            assert hindrances.get(b, 0) == one.hindrances


def slow_sweep(grid: HexGrid, cell: int, blocks: np.ndarray, target_class: np.ndarray) -> np.ndarray:
    """Walk the exact line to every target."""
    visible = target_class >= 0
    for target in np.flatnonzero(visible).tolist():
        for contact in hex_line(grid, cell, target):
            if contact.how == "through" and blocks[target_class[target], contact.cells[0]]:
                visible[target] = False
    return visible


@given(seed=st.integers(0, 10**6))
def test_ring_shadows_hide_what_exact_lines_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = HexGrid(
        columns=int(rng.integers(1, 28)),
        rows=int(rng.integers(1, 28)),
        orientation=str(rng.choice(["flat", "pointy"])),
        stagger=str(rng.choice(["odd", "even"])),
    )
    cell = int(rng.integers(grid.cells))
    classes = int(rng.integers(1, 4))
    blocks = rng.random((classes, grid.cells)) < rng.choice([0.01, 0.1, 0.4])
    target_class = rng.integers(-1, classes, size=grid.cells)
    target_class[cell] = -1
    found = shadow_sweep(Directions(grid, cell), blocks, target_class)
    assert (found == slow_sweep(grid, cell, blocks, target_class)).all()


def test_ring_shadows_on_a_large_map() -> None:
    rng = np.random.default_rng(7)
    grid = HexGrid(columns=130, rows=120)
    blocks = rng.random((1, grid.cells)) < 0.004
    target_class = np.full(grid.cells, -1)
    target_class[rng.choice(grid.cells, 1500, replace=False)] = 0
    cell = grid.cell(3, 4)
    target_class[cell] = -1
    found = shadow_sweep(Directions(grid, cell), blocks, target_class.copy())
    assert (found == slow_sweep(grid, cell, blocks, target_class)).all()


def test_a_table_holds_the_fields_of_view() -> None:
    map_ = small_map(rough="0303 0304", light_woods="0505")
    seen: list[tuple[int, int]] = []
    table = map_.sight_table(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]
    assert table.to_array().shape == (81, 81)
    for a in ("0101", "0302", "0909"):
        view = map_.field_of_view(a)
        for b in map_.labels.all():
            assert table.status(a, b) == view.status(b) == map_.sight(a, b).status
    assert sum(status == "blocked" for _, _, status in table.rows()) == int((table.to_array() == 3).sum())


@given(seed=st.integers(0, 10**6))
@settings(max_examples=80)
def test_a_table_in_bits_is_what_the_fields_of_view_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = {
        "orientation": str(rng.choice(["flat", "pointy"])),
        "stagger": str(rng.choice(["odd", "even"])),
        "short": bool(rng.random() < 0.3),
    }
    model = random_model(rng, int(rng.integers(2, 12)), int(rng.integers(2, 12)), **shape)
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    chosen |= {"obstacle_below_both": "ignored", "contour_in_end_hex": "hex"}
    conditions = Conditions(visibility=int(rng.choice([0, 0, 4])))
    judge = RULES.sight.judge(Survey(model), RULES.options(chosen if rng.random() < 0.6 else {}), conditions)
    cells = np.flatnonzero(model.grid.present).astype(np.int64)
    codes = judge.table(cells)
    assert codes is not None
    for row, cell in enumerate(cells.tolist()):
        assert (codes[row] == judge.field(cell)[0].ravel()[cells]).all(), (row, cell)


def test_readings_that_bits_cannot_express_fall_back_on_fields_of_view() -> None:
    map_ = small_map(5, 5, rough="0303")
    air = Conditions(from_air=True)
    assert map_.judge(None, air).table(np.arange(25)) is None
    table = map_.sight_table(conditions=air)
    for b in map_.labels.all():
        assert table.status("0302", b) == map_.sight("0302", b, conditions=air).status


def test_a_field_of_view_as_data() -> None:
    map_ = small_map(columns=4, rows=4, rough="0202")
    map_.add("marker", type="smoke", at="0402")
    data = map_.field_of_view("0401").to_dict()
    assert data["from"] == "0401"
    assert data["hindered"] == {"0402": 1}
    assert sorted([*data["clear"], *data["hindered"], *data["blocked"]]) == sorted(map_.labels.all())


def test_a_table_that_is_too_large_says_what_it_would_cost() -> None:
    map_ = studio.new_map("armageddon_war", 200, 200)
    with pytest.raises(GridError, match=r"1,600 million pairs, take 400 MB .* minutes.*fields of view"):
        map_.sight_table()

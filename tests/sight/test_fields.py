"""Fields of view and tables: the fast paths give the verdicts of the readable judge, and those of a slow sweep."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.errors import GridError
from studio.grid import FlatLayout, HexGrid, hex_line
from studio.grid.lines import SEXTANTS
from studio.sight import STATUSES, Conditions, Directions, shadow_sweep
from studio.sight.fast.pairs import Pairs, Records
from studio.sight.fast.sectors import open_hexes
from studio.sight.fast.walks import Walk, WalkSums
from studio.sight.fast.weighted import side_ends
from studio.sight.packed import PackedCodes
from studio.survey import Survey
from tests.sight.makers.armageddon_war import make
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
    classes = int(rng.integers(1, 7))  # few are swept one by one, more of them together
    blocks = rng.random((classes, grid.cells)) < rng.choice([0.01, 0.1, 0.4])
    target_class = rng.integers(-1, classes, size=grid.cells)
    target_class[cell] = -1
    found = shadow_sweep(Directions(grid, cell), blocks, target_class)
    assert (found == slow_sweep(grid, cell, blocks, target_class)).all()


@pytest.mark.parametrize("classes", [1, 4])
def test_ring_shadows_on_a_large_map(classes: int) -> None:
    rng = np.random.default_rng(7)
    grid = HexGrid(columns=130, rows=120)
    blocks = rng.random((classes, grid.cells)) < 0.004
    target_class = np.full(grid.cells, -1)
    target_class[rng.choice(grid.cells, 1500, replace=False)] = rng.integers(classes, size=1500)
    cell = grid.cell(3, 4)
    target_class[cell] = -1
    found = shadow_sweep(Directions(grid, cell), blocks, target_class.copy())
    assert (found == slow_sweep(grid, cell, blocks, target_class)).all()


@given(seed=st.integers(0, 10**6))
def test_a_sector_is_swept_as_far_as_it_is_told_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = make(rng, int(rng.integers(1, 20)), int(rng.integers(1, 20))).grid
    layout, cell, limit = FlatLayout(grid), int(rng.integers(grid.cells)), int(rng.integers(1, 12))
    present = grid.present.ravel()
    blocks = (rng.random((1, grid.cells)) < rng.choice([0.02, 0.2])) & present
    found = open_hexes(layout, cell, layout.pack(blocks[0], False), limit)[layout.index]
    rings = np.array([grid.distance(cell, other) for other in range(grid.cells)])
    targets = np.where((rings > 0) & (rings <= limit) & present, 0, -1)
    assert (found & present == slow_sweep(grid, cell, blocks, targets)).all()


@given(seed=st.integers(0, 10**6))
def test_what_lines_meet_is_what_each_of_them_meets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = make(rng, int(rng.integers(1, 9)), int(rng.integers(1, 9))).grid
    layout = FlatLayout(grid)
    hexes = rng.integers(0, 9, size=grid.cells).astype(np.uint16) * grid.present.ravel()
    sides = np.zeros((6, grid.cells), dtype=np.uint16)
    for a in range(grid.cells):
        for b in grid.neighbours(a):
            sides[SEXTANTS.index(tuple((grid.axials[b] - grid.axials[a]).tolist())), b] = a * b % 7
    corners, ends = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    pairs = Pairs(grid, layout)
    keys = pairs.keys(grid.present.ravel())
    sums = WalkSums(layout, hexes, list(sides), ends=ends)
    for span in pairs.spans():
        if span.first < 0:
            continue
        if span.times == 1:
            walk = Walk(layout, span, corners=corners)
        under = sums.under(span, walk)
        starts = np.flatnonzero(pairs.origins(span, keys))
        if span.alone:
            assert (sums.under_some(span, walk, starts) == under[starts]).all()
        for start in starts.tolist():
            a, b = int(layout.cells[start]), int(layout.cells[start + span.step])
            met = [(contact.enter, contact.cells[0]) for contact in hex_line(grid, a, b) if contact.how == "through"]
            path = [a, *(cell for _, cell in sorted(met)), b]
            expected = sum(int(hexes[cell]) for cell in path[1:-1])
            for number, (one, other) in enumerate(itertools.pairwise(path)):
                last = number in (0, len(path) - 2)
                if other in grid.neighbours(one) and (ends or not last):
                    expected += one * other % 7 * (corners or not _through_a_corner(grid, (a, b), (one, other)))
            if all(other in grid.neighbours(one) for one, other in itertools.pairwise(path)):
                assert under[start] == expected


def _through_a_corner(grid: HexGrid, line: tuple[int, int], side: tuple[int, int]) -> bool:
    start, end = (np.array(grid.axial(cell)) * 3 for cell in line)
    for corner in range(2):
        at = side_ends(grid, np.array([side]))[corner, 0] - start
        if at[0] * (end - start)[1] == at[1] * (end - start)[0]:
            return True
    return False


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
        assert (codes.row(row) == judge.field(cell)[0].ravel()[cells]).all(), (row, cell)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_table_is_what_the_judge_says_of_every_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make(rng, int(rng.integers(1, 7)), int(rng.integers(1, 7)))
    if rng.random() < 0.3:  # wadis that bend, branch and reach the edges
        model.terrain[rng.random(model.terrain.shape) < 0.4] = model.terrain_ids.index("wadi")
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    chosen |= {"obstacle_below_both": "ignored", "contour_in_end_hex": "hex"}
    conditions = Conditions(visibility=int(rng.choice([0, 3])))
    judge = RULES.sight.judge(Survey(model), RULES.options(chosen), conditions)
    cells = np.flatnonzero(model.grid.present).astype(np.int64)
    codes = judge.table(cells)
    for i, a in enumerate(cells.tolist()):
        for j, b in enumerate(cells.tolist()):
            assert STATUSES[codes.get(i, j)] == judge.sighting(a, b).status, (a, b)


def test_a_table_of_a_large_map_has_the_rows_of_the_fields_of_view() -> None:
    rng = np.random.default_rng(4)
    model = random_model(rng, 45, 37, stagger="even")
    judge = RULES.sight.judge(Survey(model), RULES.options({}), Conditions())
    cells = np.flatnonzero(model.grid.present).astype(np.int64)
    codes = judge.table(cells)
    for row in rng.choice(len(cells), size=40, replace=False).tolist():
        assert (codes.row(row) == judge.field(int(cells[row]))[0].ravel()[cells]).all()


def test_a_map_with_more_hills_than_bits_is_judged_by_fields_of_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.rules.armageddon_war.table.MOST_BITS", 4)
    map_ = small_map(rough="0303")
    map_.paint(["0202", "0505", "0506"], level=1)
    assert map_.judge().table(np.arange(81)) is None
    assert map_.sight_table().status("0201", "0203") == map_.sight("0201", "0203").status == "blocked"


# -- displacements ---------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6))
def test_displacements_name_every_pair_once_and_what_lies_between(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = make(rng, int(rng.integers(1, 9)), int(rng.integers(1, 9))).grid
    layout = FlatLayout(grid)
    limit = int(rng.choice([0, 4]))
    pairs = Pairs(grid, layout, limit)
    usable = rng.random(grid.cells) < 0.8
    kind = rng.integers(0, 3, size=grid.cells)
    keys = pairs.keys(usable, kind)
    here = [rng.random(grid.cells) < 0.1 for _ in range(int(rng.choice([3, 70])))]
    records = Records(layout, here)
    found: dict[tuple[int, int], tuple] = {}
    for span in pairs.spans():
        under = records.under(span)
        for index in np.flatnonzero(pairs.origins(span, keys)).tolist():
            pair = int(layout.cells[index]), int(layout.cells[index + span.step])
            assert pair not in found and pair[::-1] not in found
            steps = [tuple(sorted(layout.cells[index + np.array(one)].tolist())) for one in span.along]
            touched = layout.cells[index + np.array(span.touch, dtype=int)].tolist()
            bits = [bool(under[n // 64 if len(under) > 1 else 0][index] >> n % 64 & 1) for n in range(len(here))]
            found[pair] = (steps, touched, bits, span.first < 0)
    assert pairs.count == sum(1 for _ in pairs.spans())
    expected = set()
    for a in np.flatnonzero(usable & grid.present.ravel()).tolist():
        for b in np.flatnonzero(usable & grid.present.ravel() & (kind == kind[a])).tolist():
            if a != b and (not limit or grid.distance(a, b) <= limit):
                expected.add(frozenset((a, b)))
    assert {frozenset(pair) for pair in found} == expected
    for (a, b), (steps, touched, bits, spine) in found.items():
        line = hex_line(grid, a, b)
        through = [contact.cells[0] for contact in line if contact.how == "through"]
        assert bits == [bool(plane[through].any()) for plane in here]
        sides = [contact.cells for contact in line if contact.how == "along"]
        assert [tuple(cell for cell in step if cell >= 0) for step in steps if max(step) >= 0] == sides
        assert sorted(c for c in touched if c >= 0) == sorted(c.cells[0] for c in line if c.how == "touch")
        assert spine or not sides


# -- packed codes ----------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), size=st.integers(0, 40))
def test_packed_codes_are_the_codes(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, size=(size, size)).astype(np.uint8)
    packed = PackedCodes.from_array(codes)
    assert packed.nbytes == size * -(-size // 4)
    assert (packed.to_array() == codes).all() and packed.shape == codes.shape
    assert packed.counts().tolist() == np.bincount(codes.ravel(), minlength=4).tolist()
    for i in range(size):
        assert (packed.row(i) == codes[i]).all() and (packed.column(i) == codes[:, i]).all()
        j = int(rng.integers(size))
        assert packed.get(i, j) == codes[i, j]
    if size:
        chosen = np.unravel_index(rng.choice(size * size, size=size, replace=False), (size, size))
        code = int(rng.integers(4))
        packed.set(*chosen, code)
        codes[chosen] = code
        assert packed == PackedCodes.from_array(codes)
        packed.set_row(0, np.full(size, 3))
        assert (packed.rows(slice(0, 1)) == 3).all()


def test_a_packed_table_takes_two_bits_a_pair() -> None:
    assert PackedCodes(10_000).nbytes == 25_000_000


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

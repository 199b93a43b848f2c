"""Answers for several locations at once: exposure, dead ground, and two rulings on one drawing."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.errors import (
    GridError,
    LabelError,
    NoSightError,
    StaleAnswerError,
    UnknownNameError,
    UnsupportedError,
)
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, MapModel, Place
from studio.sight import Conditions, PackedCodes
from studio.sight.answers import make_dead_ground, make_exposure
from studio.sight.tablefile import write_table
from studio.survey import Directory, Survey, SurveyScheme
from tests.sight.maps import RULES, random_model, small_map

OWN = "armageddon_war"


def random_map(seed: int) -> tuple[np.random.Generator, Map, list[str]]:
    rng = np.random.default_rng(seed)
    shape = {"stagger": str(rng.choice(["odd", "even"])), "short": bool(rng.random() < 0.3)}
    map_ = Map(random_model(rng, int(rng.integers(2, 8)), int(rng.integers(2, 8)), **shape))
    return rng, map_, map_.labels.all()


def random_options(rng: np.random.Generator) -> dict[str, Any]:
    return {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}


# -- exposure and dead ground ------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_exposure_and_dead_ground_are_what_every_single_line_says(seed: int) -> None:
    rng, map_, labels = random_map(seed)
    units = rng.choice(labels, size=min(3, len(labels)), replace=False).tolist()
    asked = {
        "options": random_options(rng) if rng.random() < 0.5 else None,
        "conditions": Conditions(from_air=bool(rng.random() < 0.3), visibility=int(rng.choice([0, 3]))),
    }
    exposure, dead = map_.exposure(units, **asked), map_.dead_ground(units, **asked)
    counts = dict.fromkeys(labels, 0)
    for label in labels:
        lines = [map_.sight(unit, label, **asked) for unit in units]
        seers = [(line.start, line.status) for line in lines if line.visible]
        counts[label] = len(seers)
        assert (exposure.status(label), exposure.seers(label)) == (len(seers), seers)
        assert (label in dead.labels) == (not seers)
        assert exposure.why(label) == dead.why(label) == lines
    assert exposure.to_dict()["counts"] == counts
    assert exposure.seen_count + len(dead.labels) == len(labels)
    there = np.zeros(map_.grid.cells, dtype=bool)
    there[map_.labels.cells(labels)] = True
    assert (exposure.counts == -1).tolist() == (~there).tolist()
    assert not dead.mask[~there].any()


def flood(map_: Map, labels: list[str]) -> list[set[str]]:
    """Group adjacent hexes the plain way."""
    left, groups = set(labels), []
    while left:
        edge = {min(left)}
        group: set[str] = set()
        while edge:
            group |= edge
            near = {map_.labels.label(n) for one in edge for n in map_.grid.neighbours(map_.labels.cell(one))}
            edge = (near & left) - group
        groups.append(group)
        left -= group
    return groups


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_regions_are_connected_groups_the_largest_first(seed: int) -> None:
    rng, map_, labels = random_map(seed)
    dead = map_.dead_ground(str(rng.choice(labels)))
    parts = [set(part["labels"]) for part in dead.to_dict()["regions"]]
    assert sorted(map(sorted, parts)) == sorted(map(sorted, flood(map_, dead.labels)))
    assert dead.sizes == sorted(map(len, parts), reverse=True) == [len(part) for part in parts]
    for number, part in enumerate(parts, 1):
        assert all(dead.region(label) == number for label in part)
    assert ((dead.regions > 0) == dead.mask).all()


def test_a_unit_counts_for_its_own_location() -> None:
    map_ = small_map(3, 3, dunes="0202")
    assert map_.exposure(["0202"]).seers("0202") == [("0202", "clear")]
    assert "0202" not in map_.dead_ground("0202").labels


def test_the_verdict_is_that_from_the_unit_to_the_location() -> None:
    bed = small_map(wadi="0303 0304 0305")
    air = Conditions(from_air=True)
    assert bed.exposure("0303", conditions=air).status("0302") == 1
    assert bed.exposure("0302", conditions=air).status("0303") == 0


def test_hindered_counts_as_seen_and_is_told_apart() -> None:
    map_ = small_map()
    map_.add("marker", type="smoke", at="0305")
    found = map_.exposure(["0304", "0101"])
    assert found.seers("0305") == [("0304", "hindered")]
    assert found.to_dict()["seers"]["0305"] == {"0304": "hindered"}


def test_two_readings_of_an_option_give_two_answers() -> None:
    spine = small_map(light_woods="0402 0403")
    per_border = {"border_rule": "per_border"}
    assert spine.exposure("0303").status("0703") == 0
    assert spine.exposure("0303", options=per_border).status("0703") == 1
    assert "0703" in spine.dead_ground("0303").labels
    assert "0703" not in spine.dead_ground("0303", options=per_border).labels


@pytest.mark.parametrize("ask", ["exposure", "dead_ground"])
def test_units_are_checked(ask: str) -> None:
    question = getattr(small_map(), ask)
    with pytest.raises(LabelError, match="0101 is named twice"):
        question(["0101", "0202", "0101"])
    with pytest.raises(LabelError, match="got none; name one location"):
        question([])
    with pytest.raises(LabelError, match="9901"):
        question(["0101", "9901"])
    with pytest.raises(LabelError, match="got 7; name one location"):
        question(7)
    with pytest.raises(LabelError):
        question(["0101"]).why("9901")


def test_after_an_edit_nothing_is_explained_on_another_map() -> None:
    map_ = small_map(rough="0303")
    exposure, dead = map_.exposure("0301"), map_.dead_ground("0301")
    map_.paint("0303", terrain="clear")
    assert exposure.status("0305") == 0  # what was found stays
    assert dead.region("0305") == 1
    for ask in (lambda: exposure.why("0305"), lambda: dead.why("0305"), exposure.to_frame, dead.regions_frame):
        with pytest.raises(StaleAnswerError, match=r"make it anew with map\.(exposure|dead_ground)"):
            ask()


def test_frames_and_plain_data() -> None:
    map_ = small_map(5, 5, rough="0302")
    exposure, dead = map_.exposure(["0301", "0501"]), map_.dead_ground("0301")
    frame = exposure.to_frame()
    assert list(frame.columns) == ["count", "share", "units", "kind", "geometry"]
    assert frame.loc["0304", ["count", "share", "units"]].tolist() == [1, 0.5, "0501"]
    unseen, regions = dead.to_frame(), dead.regions_frame()
    assert unseen.index.tolist() == dead.labels
    assert (regions["size"].tolist(), regions.index.tolist()) == ([len(unseen)], [1])
    assert regions.geometry.area.sum() == pytest.approx(unseen.geometry.area.sum())
    for answer in (exposure, dead):
        assert json.loads(json.dumps(answer.to_dict())) == answer.to_dict()
    assert repr(exposure) == "Exposure(2 units, 24 of 25 hexes seen, by 2 at most)"
    assert repr(dead) == "DeadGround(0301 sees nothing of 11 of 25 hexes in 1 region)"
    assert "<td>2</td><td>10</td>" in exposure._repr_html_()
    assert "<td>1</td><td>11</td>" in dead._repr_html_()


def test_everything_seen_leaves_no_region() -> None:
    dead = small_map(4, 4).dead_ground(["0101", "0404"])
    assert (dead.labels, dead.sizes, dead.to_dict()["regions"]) == ([], [], [])
    assert len(dead.to_frame()) == len(dead.regions_frame()) == 0
    assert repr(dead) == "DeadGround(2 units see nothing of 0 of 16 hexes)"


def test_every_answer_has_a_picture() -> None:
    from matplotlib import pyplot

    map_ = small_map(5, 5, rough="0302")
    compared = studio.compare_rulesets(map_, OWN, OWN, options_b={"touch_blocks": True})
    for axes in (
        map_.plot_exposure(map_.exposure(["0301", "0501"])),
        map_.plot_dead_ground(map_.dead_ground("0301")),
        map_.plot_comparison(compared),
        map_.plot_comparison(compared, "0301"),
    ):
        assert axes.figure is not None
        pyplot.close(axes.figure)


def test_progress_is_told_unit_by_unit() -> None:
    seen: list[tuple[int, int]] = []
    small_map().exposure(["0101", "0202", "0303"], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


# -- locations that are no hexes ---------------------------------------------------------------------------------------


class Blindfolded:
    """A judge under which a location sees itself, and the locations whose numbers are listed for it."""

    def __init__(self, directory: Directory, sees: dict[str, list[str]]) -> None:
        self.directory = directory
        self.sees = {directory.number(a): [directory.number(b) for b in others] for a, others in sees.items()}

    def field(self, a: int) -> tuple[np.ndarray, dict[int, int]]:
        codes = np.where(self.directory.present, 3, 0).astype(np.uint8)
        codes[[a, *self.sees.get(a, ())]] = 1
        return codes, {}


def district() -> Directory:
    """Four zones in a row, the third cut off from the others by a gap, and a box; no hex is a location."""
    grid = HexGrid(columns=4, rows=4)
    model = MapModel(OWN, grid, LabelScheme.ccrr(), RULES.terrain_characters)
    lefts = {"A": 0, "B": 400, "D": 800, "C": 1300}
    for name, x in lefts.items():
        outline = ((x, 0), (x + 400, 0), (x + 400, 500), (x, 500))
        model.features[name] = Area(id=name, type="zone", name=f"zone {name}", outline=outline)
    model.features["box"] = Place(id="box", type="box", name="box", at=(100, 100), within="A")
    scheme = SurveyScheme(unplayable=frozenset(["clear"]), location_areas=frozenset(["zone"]), places=True)
    return Survey(model, scheme).directory


def test_areas_hang_together_by_their_borders_and_places_with_their_areas() -> None:
    directory = district()
    labels = [directory.label(number) for number in directory.numbers.tolist()]
    assert labels == ["box", "zone A", "zone B", "zone C", "zone D"]
    blind = make_dead_ground(directory, Blindfolded(directory, {}), ["zone D"])  # type: ignore[arg-type]
    assert blind.labels == ["box", "zone A", "zone B", "zone C"]
    assert [blind.region(label) for label in labels] == [1, 1, 1, 2, 0]
    assert blind.sizes == [3, 1]
    split = make_dead_ground(directory, Blindfolded(directory, {}), ["zone B"])  # type: ignore[arg-type]
    assert split.sizes == [2, 1, 1]
    assert repr(split) == "DeadGround(zone B sees nothing of 4 of 5 locations in 3 regions)"
    assert sorted(split.regions_frame().geometry.geom_type) == ["Polygon", "Polygon", "Polygon"]


def test_exposure_of_locations_that_are_no_hexes() -> None:
    directory = district()
    judge = Blindfolded(directory, {"zone A": ["box", "zone C"], "box": ["zone C"]})
    found = make_exposure(directory, judge, ["zone A", "box"])  # type: ignore[arg-type]
    assert found.to_dict()["counts"] == {"box": 2, "zone A": 1, "zone B": 0, "zone C": 2, "zone D": 0}
    assert (found.counts[: directory.grid.cells] == -1).all()
    assert [seer.unit for seer in found.seers("zone C")] == ["zone A", "box"]
    assert found.to_frame().loc["box", "units"] == "zone A, box"


# -- two rulings -------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_a_comparison_is_what_every_single_line_says(seed: int) -> None:
    rng, map_, labels = random_map(seed)
    first, second = random_options(rng), random_options(rng)
    some = rng.choice(labels, size=min(4, len(labels)), replace=False).tolist() if rng.random() < 0.5 else None
    found = studio.compare_rulesets(map_, OWN, OWN, labels=some, options_a=first, options_b=second)
    counts = dict.fromkeys([(a, b) for a in found.to_dict()["counts"] for b in found.to_dict()["counts"]], 0)
    differing = []
    for a in some or labels:
        before = len(differing)
        one, two = found.codes_from(a)
        for b in labels:
            verdicts = map_.sight(a, b, options=first).status, map_.sight(a, b, options=second).status
            at = map_.labels.cell(b)
            assert (one[at], two[at]) == tuple(["", "clear", "hindered", "blocked"].index(v) for v in verdicts)
            if a != b:
                counts[verdicts] += 1
                differing += [(a, b, *verdicts)] if verdicts[0] != verdicts[1] else []
        number = map_.labels.cell(a)
        assert found.differs[number] == len(differing) - before
        assert found.partners[number] == len(labels) - 1
    assert {(a, b): n for a, row in found.to_dict()["counts"].items() for b, n in row.items()} == counts
    assert found.differing_count == len(differing)
    listed = set(differing)
    pairs = found.pairs()
    assert set(pairs) <= listed
    # Every differing line is named, one way or the other, and none both ways.
    assert {frozenset(pair[:2]) for pair in pairs} == {frozenset(pair[:2]) for pair in listed}
    assert len({frozenset(pair[:2]) for pair in pairs}) == len(pairs)
    assert found.pairs(2) == pairs[:2]
    assert np.isnan(found.share).sum() == map_.grid.cells - (len(some or labels) if len(labels) > 1 else 0)


def test_a_comparison_explains_and_names_its_readings() -> None:
    spine = small_map(light_woods="0402 0403")
    found = studio.compare_rulesets(spine, OWN, RULES, options_b={"border_rule": "per_border", "touch_blocks": True})
    assert found.first == "Armageddon War (border_rule=per_hex, touch_blocks=false)"
    assert found.second == "Armageddon War (border_rule=per_border, touch_blocks=true)"
    assert [line.status for line in found.why("0303", "0703")] == ["blocked", "clear"]
    frame = found.to_frame()
    assert list(frame.columns) == ["differs", "partners", "share", "kind", "geometry"]
    assert frame.loc["0303", "share"] == found.share[spine.labels.cell("0303")] > 0
    data = found.to_dict(limit=1)
    assert json.loads(json.dumps(data)) == data
    assert (len(data["pairs"]), data["lines"], data["notes"]) == (1, 81 * 80, [])
    assert "Armageddon War (border_rule=per_border" in found._repr_html_()
    assert repr(found).endswith("lines differ)")
    spine.paint("0101", terrain="rough")
    assert found.pairs(1) == [tuple(data["pairs"][0].values())]
    with pytest.raises(StaleAnswerError, match="compare_rulesets"):
        found.why("0303", "0703")


def test_a_comparison_from_some_locations_answers_for_others_too() -> None:
    spine = small_map(light_woods="0402 0403")
    found = studio.compare_rulesets(spine, OWN, OWN, labels="0303", options_b={"border_rule": "per_border"})
    assert (found.compared_count, found.differing_count) == (80, len(found.pairs()))
    one, two = found.codes_from("0703")
    at = spine.labels.cell("0303")
    assert (one[at], two[at]) == (3, 1)
    assert np.isnan(found.share[spine.labels.cell("0703")])


OTHER = """
id = "steppe"
title = "Steppe"
levels = [0, 2]
features = ["road", "marker"]
[sight]
along = "count"
[terrain.clear]
name = "Clear"
char = "."
[terrain.crops]
name = "Crops"
char = "c"
sight = "hinder"
height = 1
[terrain.light_woods]
name = "Light woods"
char = "w"
sight = "block"
height = 1
[markers.smoke]
name = "Smoke"
sight = "block"
height = 3
"""


@pytest.fixture
def steppe(tmp_path: Path) -> Any:
    (tmp_path / "steppe.toml").write_text(OTHER)
    return studio.load_ruleset(tmp_path / "steppe.toml")


def test_a_map_under_the_rules_of_another_game(steppe: Any) -> None:
    map_ = small_map(dunes="0303", light_woods="0503")
    map_.set_side("0101", "0102", "fence").add("marker", type="wreck", at="0101")
    map_.add("crest", path=["0707", "0708"])
    map_.add("marker", type="smoke", at="0703")
    found = studio.compare_rulesets(map_, OWN, steppe, terrain={"dunes": "crops"})
    assert (found.first, found.second) == ("Armageddon War", "Steppe")
    assert found.notes == [
        "Steppe has no crest: 1 left out",
        "Steppe has no hexside fence: 1 left out",
        "Steppe has no marker wreck: 1 left out",
    ]
    verdicts = {
        column: [line.status for line in found.why(f"{column}02", f"{column}05")] for column in ("03", "05", "07")
    }
    assert verdicts == {"03": ["blocked", "hindered"], "05": ["blocked", "blocked"], "07": ["blocked", "blocked"]}
    assert found.counts[2, 1] == len([pair for pair in found.pairs() if pair[2:] == ("blocked", "hindered")]) * 2
    # The drawing itself is as it was.
    assert map_.sight("0302", "0305").status == "blocked"


def test_terrain_without_a_counterpart_is_named_all_at_once(steppe: Any) -> None:
    map_ = small_map(dunes="0303 0304", rough="0101")
    with pytest.raises(UnknownNameError) as caught:
        studio.compare_rulesets(map_, OWN, steppe)
    text = str(caught.value)
    assert "dunes (2 hexes), rough (1 hex)" in text
    assert 'terrain={"dunes": "...", "rough": "..."}' in text
    assert text.endswith("Steppe: clear, crops, light_woods")
    with pytest.raises(UnknownNameError, match="the map has no terrain 'dune'; did you mean 'dunes'"):
        studio.compare_rulesets(map_, OWN, steppe, terrain={"dune": "crops"})
    with pytest.raises(UnknownNameError, match="Steppe has no terrain 'crop'; did you mean 'crops'"):
        studio.compare_rulesets(map_, OWN, steppe, terrain={"dunes": "crop"})
    with pytest.raises(UnknownNameError, match="both rulesets are the map's own"):
        studio.compare_rulesets(map_, OWN, OWN, terrain={"dunes": "rough"})


def test_a_level_that_the_other_game_does_not_have(steppe: Any) -> None:
    map_ = small_map().paint(["0202", "0303"], level=3)
    with pytest.raises(UnsupportedError, match=r"levels 0 to 2, but 0202 has level 3 \(1 more place like it\)"):
        studio.compare_rulesets(map_, OWN, steppe)


def test_a_game_without_sight_says_so() -> None:
    for pair in ((OWN, "ignorant_armies"), ("ignorant_armies", OWN)):
        with pytest.raises(NoSightError, match="no lines of sight"):
            studio.compare_rulesets(small_map(rough="0303"), *pair)


def test_conditions_go_along(steppe: Any) -> None:
    map_ = small_map()
    smoke = Conditions(smoke=frozenset([map_.labels.cell("0303")]), terrain_overrides={"dunes": "clear"})
    found = studio.compare_rulesets(map_, OWN, steppe, conditions=smoke)
    assert [line.status for line in found.why("0302", "0305")] == ["blocked", "blocked"]
    assert found.notes == ["Steppe has no terrain for dunes counting as clear: left out"]


# -- large maps --------------------------------------------------------------------------------------------------------


def test_a_map_above_the_limit_of_tables() -> None:
    wide = studio.new_map(OWN, columns=120, rows=100)
    wide.paint([wide.labels.label(cell) for cell in range(0, wide.grid.cells, 7)], terrain="rough")
    with pytest.raises(GridError, match=r"12,000 locations.*compare_rulesets\(map, a, b, labels="):
        studio.compare_rulesets(wide, OWN, OWN, options_b={"border_rule": "per_border"})
    units = [wide.labels.label(wide.grid.cell(column, row)) for column, row in ((60, 50), (3, 97))]
    found = studio.compare_rulesets(wide, OWN, OWN, labels=units, options_b={"border_rule": "per_border"})
    assert found.compared_count == 2 * 11_999
    exposure, dead = wide.exposure(units), wide.dead_ground(units)
    assert exposure.seen_count + len(dead.labels) == 12_000
    assert sum(dead.sizes) == len(dead.labels) > 0


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
def test_a_table_as_a_file(tmp_path: Path, suffix: str) -> None:
    table = small_map(7, 5, rough="0302 0303").sight_table()
    for name in ("a", "b"):
        write_table(table, tmp_path / (name + suffix))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    if suffix == ".csv":
        lines = [line.split(",") for line in (tmp_path / "a.csv").read_text().splitlines()]
        assert lines == [["from", "to", "status"], *map(list, table.rows())]
        return
    with np.load(tmp_path / "a.npz") as held:
        assert held["labels"].tolist() == table.names
        assert PackedCodes.from_array(held["codes"]) == table.packed


@pytest.mark.slow
def test_a_table_is_never_held_in_whole_bytes_beside_its_bits() -> None:
    # 100 x 100 hexes take 25 MB and 61 MB while they are made; less than a byte a pair. Small ones have a fixed part.
    wide = studio.new_map(OWN, columns=50, rows=50)
    rng = np.random.default_rng(1)
    wide.paint([wide.labels.label(int(cell)) for cell in np.flatnonzero(rng.random(2_500) < 0.15)], terrain="rough")
    wide.paint([wide.labels.label(int(cell)) for cell in np.flatnonzero(rng.random(2_500) < 0.05)], level=1)
    wide.field_of_view("0101")  # what every question needs
    tracemalloc.start()
    try:
        table = wide.sight_table()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert table.packed.nbytes == 2_500**2 / 4
    assert peak < 1.5 * 2_500**2


def test_an_answer_is_not_drawn_on_a_map_that_has_changed_or_on_another() -> None:
    map_, other = small_map(), small_map()
    answers = (
        (Map.plot_field_of_view, map_.field_of_view("0301")),
        (Map.plot_exposure, map_.exposure("0301")),
        (Map.plot_dead_ground, map_.dead_ground("0301")),
    )
    table = map_.sight_table()
    for plot, answer in answers:
        with pytest.raises(StaleAnswerError, match="another map"):
            plot(other, answer)  # type: ignore[operator]
    map_.paint("0302", terrain="rough")
    for plot, answer in answers:
        with pytest.raises(StaleAnswerError, match="has changed since"):
            plot(map_, answer)  # type: ignore[operator]
    for frame in (answers[0][1].to_frame, table.to_frame):  # type: ignore[attr-defined]
        with pytest.raises(StaleAnswerError, match="has changed since"):
            frame()

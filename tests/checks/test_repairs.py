"""Repairs mend what they say, as one step, and never make anything worse."""

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.checks import Findings
from studio.checks.slits import SLIVER
from studio.cli.main import main
from studio.errors import UnknownNameError, UnsupportedError
from studio.model import Area, Point
from tests.checks.faults import SEEDED, Seeded
from tests.checks.makers import MAKERS, change, district, put, rectangle, town


@pytest.mark.parametrize("fault", [one for one in SEEDED if one.repaired], ids=lambda one: f"{one.rule} {one.at}")
def test_an_offered_repair_mends_its_fault_as_one_step(fault: Seeded) -> None:
    map_ = MAKERS[fault.map]()
    fault.alter(map_)
    before, steps, found = dict(map_.features), len(map_.history), map_.check()
    mended = map_.repair(fault.rule)
    assert (fault.rule, fault.at) in {(finding.rule, finding.at) for finding in mended}
    assert fault.rule not in {finding.rule for finding in map_.check()}
    assert len(map_.history) == steps + 1
    map_.undo()
    assert map_.features == before
    assert map_.check() == found


@pytest.mark.parametrize("fault", [one for one in SEEDED if not one.repaired], ids=lambda one: f"{one.rule} {one.at}")
def test_what_offers_no_repair_is_left(fault: Seeded) -> None:
    map_ = MAKERS[fault.map]()
    fault.alter(map_)
    steps = len(map_.history)
    assert map_.repair(fault.rule) == []
    assert len(map_.history) == steps


def test_all_or_one_or_some() -> None:
    map_ = town()
    change(map_, "door-1", at=(1720, 995))
    change(map_, "z3", outline=((1920, 1203), (2320, 1200), (2320, 1400), (1920, 1400)))
    change(map_, "b2", dot=(0, 0))
    offered = map_.check().repairs
    assert {finding.rule for finding in offered} == {"map.aperture_on_wall", "map.borders_meet", "map.dot_inside"}
    assert map_.repair(offered[0]) == [offered[0]]
    left = [finding for finding in offered if finding is not offered[0]]
    assert {finding.rule for finding in map_.repair([left[0], left[1].rule])} == {finding.rule for finding in left}
    assert map_.check() == []
    assert map_.repair() == []


def test_repairs_of_one_shape_are_made_one_after_the_other() -> None:
    map_ = town()
    change(map_, "z3", outline=((1920, 1203), (2320, 1197), (2320, 1404), (1920, 1400)))
    mended = map_.repair()
    assert [finding.rule for finding in mended] == ["map.borders_meet"] * 3
    assert map_.check() == []
    assert map_.features["z3"] == town().features["z3"]
    assert map_.history[-1] == "Repair 3 faults"


def test_a_repair_that_would_bring_another_fault_is_not_made() -> None:
    map_ = town()
    x, y = map_.grid.centre(map_.labels.cell("0202"))
    put(map_, studio.model.Dot(id="d", at="0303", point=(x, y)))  # without it the middle is under a building
    map_.paint("0303", terrain="clear")
    (finding,) = [one for one in map_.check() if one.rule == "map.dot_inside"]
    assert finding.repair is None
    assert "it would bring map.covered_hex at 0303" in finding.remedy
    assert map_.repair() == []
    assert "d" in map_.features


def test_what_cannot_be_repaired_is_said() -> None:
    map_ = town()
    with pytest.raises(UnknownNameError, match=r"map\.borders_meet"):
        map_.repair("map.border_meets")
    map_.set("sources", [])
    with pytest.raises(UnsupportedError, match="offers a repair"):
        map_.repair(map_.check()[0])
    with pytest.raises(UnsupportedError):
        map_.repair([7])  # type: ignore[list-item]


# -- tilings ---------------------------------------------------------------------------------------------------------


def tiling(columns: int, rows: int) -> Map:
    """Return zones side by side, their inner corners moved about a little, so that few edges are straight."""
    corners = {
        (column, row): (
            300 + 400 * column + 37 * ((row * 3 + column) % 3) * (0 < column < columns),
            300 + 300 * row + 23 * ((column * 5 + row) % 4) * (0 < row < rows),
        )
        for column, row in product(range(columns + 1), range(rows + 1))
    }
    made = studio.new_map("phantom_fury", 8, 8)
    zones = []
    for column, row in product(range(columns), range(rows)):
        ring = [corners[column + dx, row + dy] for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
        zones.append(Area(id=f"z{column}-{row}", type="zone", outline=tuple(ring)))
    put(made, *zones)
    return made


def moved(map_: Map, zone: str, corner: int, by: Point) -> None:
    """Move a corner of one zone alone."""
    area = map_.features[zone]
    assert isinstance(area, Area)
    ring = list(area.outline)
    ring[corner] = (ring[corner][0] + by[0], ring[corner][1] + by[1])
    put(map_, Area(id=zone, type="zone", outline=tuple(ring)))


def shape_faults(map_: Map) -> Counter[tuple[str, str]]:
    return Counter((finding.rule, finding.at) for finding in map_.check().errors)


def ground_wrong(map_: Map) -> float:
    """Return how much ground is covered twice or not at all."""
    coverage = map_.survey.coverage(map_.features)
    return float(sum(one.area for one in (*coverage.gaps, *coverage.overlaps)))


jitter = st.tuples(
    st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.tuples(st.integers(-2, 2), st.integers(-2, 2))
)


@settings(max_examples=60, deadline=None)
@given(st.lists(jitter, min_size=1, max_size=5))
def test_a_jittered_tiling_is_mended_or_its_faults_are_left(jitters: list[tuple[int, int, int, Point]]) -> None:
    map_ = tiling(3, 3)
    assert not shape_faults(map_)
    for column, row, corner, by in jitters:
        moved(map_, f"z{column}-{row}", corner, by)
    before, wrong = shape_faults(map_), ground_wrong(map_)
    mended = map_.repair()
    after = shape_faults(map_)
    assert ground_wrong(map_) <= wrong
    assert (before == after) == (not mended)
    assert map_.check().repairs == []
    assert all(map_.survey.is_sound(name) for name in map_.features)
    if not after:
        assert not map_.survey.coverage(map_.features).gaps
        assert not map_.survey.coverage(map_.features).overlaps


@settings(max_examples=60, deadline=None)
@given(jitter)
def test_one_corner_that_was_moved_goes_back(one: tuple[int, int, int, Point]) -> None:
    column, row, corner, by = one
    map_ = tiling(3, 3)
    sound = dict(map_.features)
    moved(map_, f"z{column}-{row}", corner, by)
    broken_features = dict(map_.features)
    broken = broken_features != sound
    shared = sum(sound[f"z{column}-{row}"].outline[corner] in zone.outline for zone in sound.values())  # type: ignore[union-attr]
    found = map_.check()
    map_.repair()
    if shared > 2:
        assert ("map.borders_meet" in {finding.rule for finding in found}) == broken
        assert map_.features == sound
    # Where two corners are as likely, neither is moved onto the other.
    assert map_.features in (sound, broken_features)


def named(found: Findings) -> Counter[tuple[str, str]]:
    """Count the findings of which the place keeps its name while they are mended."""
    kept = (one for one in found if one.rule not in {"map.gap", "map.overlap", "map.sliver", "map.borders_meet"})
    return Counter((one.rule, one.at) for one in kept)


HOUSES = ("b1", "r1", "r2", "z2", "z3", "b2", "r4")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(HOUSES), st.integers(0, 3), st.tuples(st.integers(-3, 3), st.integers(-3, 3))),
        min_size=1,
        max_size=4,
    )
)
def test_jittered_houses_are_mended_or_their_faults_are_left(jitters: list[tuple[str, int, Point]]) -> None:
    """Rooms in buildings wall to wall, with doors, stairs and roofs: what lies on a wall goes along."""
    map_ = town()
    for name, corner, (dx, dy) in jitters:
        area = map_.features[name]
        assert isinstance(area, Area)
        ring = list(area.outline)
        ring[corner] = (ring[corner][0] + dx, ring[corner][1] + dy)
        change(map_, name, outline=tuple(ring))
    before = map_.check()
    mended = map_.repair()
    after = map_.check()
    assert not named(after) - named(before)
    assert bool(mended) == (after != before)
    assert after.repairs == []
    assert all(map_.survey.is_sound(name) for name in HOUSES)


@pytest.mark.parametrize("gap", range(1, SLIVER))
def test_borders_are_mended_up_to_the_limit(gap: int) -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    put(
        map_,
        Area(id="a", type="zone", outline=rectangle(200, 200, 800, 500)),
        Area(id="b", type="zone", outline=rectangle(800 + gap, 200, 1400, 500)),
    )
    assert len(map_.survey.borders) == 0
    assert {finding.rule for finding in map_.check().errors} == {"map.borders_meet", "map.sliver"}
    map_.repair()
    assert map_.check().errors == []
    assert [border.segments for border in map_.survey.borders] == [(((800, 200), (800, 500)),)]


def test_a_wider_gap_is_no_fault_of_two_zones_alone() -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    put(
        map_,
        Area(id="a", type="zone", outline=rectangle(200, 200, 800, 500)),
        Area(id="b", type="zone", outline=rectangle(800 + SLIVER, 200, 1400, 500)),
    )
    assert map_.check().errors == []


def test_a_corner_near_a_slanted_border_becomes_a_corner_of_it() -> None:
    map_ = studio.new_map("phantom_fury", 6, 6)
    put(
        map_,
        Area(id="a", type="zone", outline=((200, 200), (801, 207), (801, 500), (200, 500))),
        Area(id="b", type="zone", outline=((200, 200), (200, 0), (500, 0), (500, 205))),
        Area(id="c", type="zone", outline=((500, 205), (500, 0), (801, 0), (801, 207))),
    )
    map_.repair()
    assert map_.check().errors == []
    assert (500, 205) in map_.features["a"].outline  # type: ignore[union-attr]


# -- the command line ------------------------------------------------------------------------------------------------


def broken_file(folder: Path) -> Path:
    map_ = town()
    change(map_, "door-1", at=(1720, 995))
    change(map_, "gap", arrows=())
    file = folder / "town.map.json"
    map_.save(file)
    return file


def test_check_repairs_a_file_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = broken_file(tmp_path)
    text = file.read_text(encoding="utf-8")
    assert main(["check", str(file)]) == 1
    assert file.read_text(encoding="utf-8") == text
    assert "Repair: Move door-1 to (1720, 1000), onto the wall" in capsys.readouterr().out
    assert main(["check", str(file), "--repair"]) == 1  # the gap without an arc of fire is left
    out = capsys.readouterr().out
    assert f"repaired: {file}: door-1" in out
    assert "1 error, 0 warnings, 1 repaired" in out
    assert "map.arc_missing" in out
    assert [finding.rule for finding in studio.open_map(file).check()] == ["map.arc_missing"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["town.map.json"]


def test_check_and_repair_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = broken_file(tmp_path)
    main(["check", str(file), "--repair", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert [entry["rule"] for entry in data["findings"]] == ["map.arc_missing"]
    (done,) = data["repaired"]
    assert (done["rule"], done["at"], done["point"]) == ("map.aperture_on_wall", "door-1", [1720, 995])
    assert done["repair"] == "Move door-1 to (1720, 1000), onto the wall"
    main(["check", str(file), "--json"])
    assert set(json.loads(capsys.readouterr().out)) == {"findings", "files"}


def test_a_sound_file_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "district.map.json"
    district().save(file)
    file.write_text(file.read_text(encoding="utf-8").replace("\n", "\r\n"), encoding="utf-8")
    before = file.read_bytes()
    assert main(["check", str(file), "--repair"]) == 0
    assert "0 repaired" in capsys.readouterr().out
    assert file.read_bytes() == before


def test_scenarios_are_checked_and_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    for folder, name in (("maps", "armageddon-1.map.json"), ("scenarios", "armageddon-01.scenario.json")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes((root / folder / name).read_bytes())
    file = tmp_path / "scenarios" / "armageddon-01.scenario.json"
    before = file.read_bytes()
    assert main(["check", str(file), "--repair"]) == 0
    assert "0 repaired" in capsys.readouterr().out
    assert file.read_bytes() == before

"""Things that went wrong in other tools, as small inputs: each comes out right here, and so does its whole kind."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import studio
from studio.api import RecoveredWarning
from studio.errors import ConflictError, DocumentError, StudioError
from studio.files import SaveError
from studio.grid import Axis, HexGrid, Labels, LabelScheme
from tests.sight.maps import small_map

ROOT = Path(__file__).parents[2]


# -- lines along a spine, looking down, points near corners ------------------------------------------------------------


def test_a_clear_line_along_one_spine_is_clear_and_meets_that_side_only() -> None:
    found = small_map(5, 5).sight("0101", "0202")
    assert found.status == "clear"
    assert [(contact.how, set(contact.at)) for contact in found.contacts] == [("along", {"0102", "0201"})]


def test_two_blocking_hexes_either_side_of_a_spine_block() -> None:
    assert small_map(5, 5, rough="0102 0201").sight("0101", "0202").status == "blocked"
    assert small_map(5, 5, rough="0102").sight("0101", "0202").status == "clear"
    assert small_map(5, 5, rough="0201").sight("0101", "0202").status == "clear"


def test_a_line_along_the_sides_names_both_hexes_of_each_from_either_end() -> None:
    map_ = small_map()
    for ends in (("0505", "0905"), ("0905", "0505")):
        places = [contact.at for contact in map_.sight(*ends).contacts]
        met = {name for at in places for name in ([at] if isinstance(at, str) else at)}
        assert met == {"0604", "0605", "0705", "0804", "0805"}


def axial_spines(map_: studio.Map, start: str) -> list[tuple[str, str, str]]:
    """Return every (start, end, ...) two hexes away along a spine, with the two hexes beside the line."""
    grid, labels = map_.grid, map_.labels
    cell = labels.cell(start)
    around = grid.neighbours(cell)
    found = []
    for a, b in zip(around, around[1:] + around[:1], strict=True):
        common = set(grid.neighbours(a)) & set(grid.neighbours(b)) - {cell}
        found += [(labels.label(far), labels.label(a), labels.label(b)) for far in common]
    return found


@pytest.mark.parametrize("rule", ["per_hex", "per_border"])
def test_along_one_spine_in_every_direction(rule: str) -> None:
    spines = axial_spines(small_map(), "0505")
    assert len(spines) == 6
    for far, a, b in spines:
        clear = small_map()
        found = clear.sight("0505", far, options={"border_rule": rule})
        assert found.status == "clear"
        assert [(set(contact.at), contact.how) for contact in found.contacts] == [({a, b}, "along")]
        for beside in (a, b):
            one = small_map(rough=beside).sight("0505", far, options={"border_rule": rule})
            assert one.status == "clear"  # one such border does not block under either rule
    both = [small_map(rough=f"{a} {b}").sight("0505", far).status for far, a, b in spines]
    assert both == ["blocked"] * 6


def test_a_spine_pair_with_one_hex_off_the_map_is_decided_by_the_present_hex() -> None:
    map_ = small_map(5, 5, rough="0201")
    found = map_.sight("0101", "0301")
    assert (found.status, found.blocked_at) == ("blocked", "0201")
    assert map_.sight("0301", "0101").status == "blocked"
    assert small_map(5, 5).sight("0101", "0301").status == "clear"


def test_looking_down_across_a_pit_is_clear_and_the_profile_is_true() -> None:
    map_ = small_map(5, 5)
    map_.paint("0101", level=2).paint("0102", level=-1).paint("0103", level=1)
    found = map_.sight("0101", "0103")
    assert found.status == "clear"
    assert [(step.at, step.level) for step in found.profile] == [("0101", 2), ("0102", -1), ("0103", 1)]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
def test_a_point_one_pixel_inside_a_corner_has_the_name_of_its_hex(orientation: str, stagger: str) -> None:
    grid = HexGrid(columns=6, rows=6, orientation=orientation, stagger=stagger, hex_width=60.0, hex_height=52.0)
    labels = Labels(LabelScheme.ccrr(), grid)
    for name in labels.all():
        cell = labels.cell(name)
        cx, cy = grid.to_map(*grid.centre(cell))
        for corner in grid.corners(cell):
            x, y = grid.to_map(*corner)
            length = ((cx - x) ** 2 + (cy - y) ** 2) ** 0.5
            assert labels.label(grid.cell_at(x + (cx - x) / length, y + (cy - y) / length)) == name


# -- wide maps, squashed grids, numbering ------------------------------------------------------------------------------


def test_centres_do_not_drift_on_wide_maps() -> None:
    grid = HexGrid(columns=40, rows=30, hex_width=71.45, hex_height=61.85)
    for column in range(40):
        for row in (0, 29):
            x, y = grid.to_map(*grid.centre(grid.cell(column, row)))
            assert x == pytest.approx(71.45 / 2 + column * 0.75 * 71.45, abs=1e-6)
            assert y == pytest.approx(61.85 / 2 + row * 61.85 + (column % 2) * 61.85 / 2, abs=1e-6)
    records = studio.new_map("armageddon_war", 40, 2, hex_width=71.45, hex_height=61.85).survey.location_records()
    last = next(record for record in records if record["label"] == "4001")
    assert last["dot"] == pytest.approx([71.45 / 2 + 39 * 0.75 * 71.45, 61.85], abs=1e-3)


def test_distance_on_a_squashed_grid_counts_coordinates() -> None:
    squashed = HexGrid(columns=20, rows=20, hex_width=40.0, hex_height=100.0)
    regular = HexGrid(columns=20, rows=20)
    assert all(squashed.distance(5, cell) == regular.distance(5, cell) for cell in range(400))


@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("start", [None, 0, 1])
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_both_staggers_and_both_first_rows_round_trip(stagger: str, start: int | None, orientation: str) -> None:
    grid = HexGrid(columns=33, rows=20, stagger=stagger, orientation=orientation)
    labels = (
        Labels(LabelScheme(columns=Axis(style="doubled_letters"), rows=Axis(), staggered_start=start), grid)
        if (orientation == "flat")
        else Labels(LabelScheme(columns=Axis(), rows=Axis(), separator="-", staggered_start=start), grid)
    )
    assert [labels.cell(name) for name in labels.all()] == list(range(660))


# -- undo, files -------------------------------------------------------------------------------------------------------


def test_undo_takes_back_labels_and_markers_to_the_byte() -> None:
    map_ = studio.new_map("armageddon_war", 6, 6)
    states = [map_.to_text()]
    map_.add("name", text="Bir Hasana", at=[1200, 900])
    states.append(map_.to_text())
    map_.add("marker", type="wreck", at="0303")
    states.append(map_.to_text())
    map_.paint(["0101", "0202"], terrain="marsh", level=1)
    states.append(map_.to_text())
    for state in reversed(states[:-1]):
        map_.undo()
        assert map_.to_text() == state
    for state in states[1:]:
        map_.redo()
        assert map_.to_text() == state


def run_until_killed(program: str, path: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a program that ends by killing itself, as a kernel dies; its argument is the map's file."""
    run = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, cwd=ROOT, check=False)
    assert run.returncode == -9, run.stderr.decode()
    return run


def made_map(folder: Path) -> Path:
    path = folder / "desert.map.json"
    map_ = studio.new_map("armageddon_war", 5, 4, title="Desert")
    map_.save(path)
    map_.close()
    return path


def test_a_failed_save_leaves_the_file_and_the_work(tmp_path: Path) -> None:
    path = made_map(tmp_path)
    before = path.read_bytes()
    map_ = studio.open_map(path)
    map_.paint("0202", terrain="rough")
    unsaved = map_.to_text()
    blocked = tmp_path / "taken"
    blocked.mkdir()
    with pytest.raises((SaveError, StudioError)):
        map_.save(blocked)  # a folder of that name
    with pytest.raises(SaveError):
        map_.save(tmp_path / "nowhere" / "x.map.json")
    assert path.read_bytes() == before
    assert map_.dirty
    map_.close()
    with pytest.warns(RecoveredWarning, match="1 unsaved step"):
        again = studio.open_map(path)
    assert again.to_text() == unsaved
    again.save()
    assert not again.dirty


def test_a_killed_process_loses_no_edit(tmp_path: Path) -> None:
    path = made_map(tmp_path)
    before = path.read_bytes()
    program = (
        "import os, sys, studio\n"
        "map_ = studio.open_map(sys.argv[1])\n"
        "map_.paint('0202', terrain='rough')\n"
        "map_.add('name', text='Well', at=[900, 700])\n"
        "map_.undo()\n"
        "map_.paint('0303', level=1)\n"
        "sys.stdout.write(map_.to_text()); sys.stdout.flush()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run = run_until_killed(program, path)
    assert path.read_bytes() == before
    with pytest.warns(RecoveredWarning, match="4 unsaved steps"):
        again = studio.open_map(path)
    assert again.to_text() == run.stdout.decode()
    assert again.dirty
    again.undo()
    assert again.model.level_at(again.labels.cell("0303")) == 0
    assert again.model.terrain_at(again.labels.cell("0202")) == "rough"


def test_a_process_killed_in_the_middle_of_a_save_leaves_a_whole_file(tmp_path: Path) -> None:
    path = made_map(tmp_path)
    before = path.read_bytes()
    program = (
        "import os, sys, studio\n"
        "map_ = studio.open_map(sys.argv[1])\n"
        "map_.paint('0202', terrain='rough')\n"
        "os.replace = os.rename = lambda *paths: os.kill(os.getpid(), 9)\n"
        "map_.save()\n"
    )
    run_until_killed(program, path)
    assert path.read_bytes() == before
    with pytest.warns(RecoveredWarning):
        again = studio.open_map(path)
    assert again.model.terrain_at(again.labels.cell("0202")) == "rough"


def test_a_file_that_someone_else_changed_is_not_overwritten(tmp_path: Path) -> None:
    path = made_map(tmp_path)
    mine, theirs = studio.open_map(path), studio.open_map(path)
    theirs.paint("0101", terrain="marsh").save()
    mine.paint("0202", terrain="rough")
    with pytest.raises(ConflictError, match="overwrite=True"):
        mine.save()
    assert studio.open_map(path, recover_unsaved=False).model.terrain_at(0) == "marsh"
    mine.save(overwrite=True)
    assert studio.open_map(path).model.terrain_at(0) == "clear"
    for opened in (mine, theirs):
        opened.close()


def test_an_unknown_terrain_code_is_named_with_its_place(tmp_path: Path) -> None:
    path = made_map(tmp_path)
    lines = path.read_text().splitlines()
    index = next(i for i, line in enumerate(lines) if line.strip().startswith('"....."')) + 1
    lines[index] = lines[index].replace(".....", "..X..")
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(DocumentError) as caught:
        studio.open_map(path)
    text = str(caught.value)
    assert str(path) in text
    assert "rows[1]" in text
    assert "0302" in text
    assert "'X'" in text
    assert len(caught.value.faults) == 1


def test_unknown_things_on_the_way_in_are_clear_errors(tmp_path: Path) -> None:
    map_ = studio.new_map("armageddon_war", 5, 5)
    for ask, words in (
        (lambda: map_.paint("9999", terrain="clear"), "no hex '9999'"),
        (lambda: map_.paint("0101", terrain="lava"), "unknown terrain 'lava'"),
        (lambda: map_.paint("0101", level=7), "level 7"),
        (lambda: map_.set_side("0101", "0103", "fence"), "not adjacent"),
        (lambda: map_.set_side("0101", "0102", "fense"), "did you mean 'fence'"),
        (lambda: map_.sight("0101", "banana"), "malformed"),
        (lambda: studio.new_map("checkers", 5, 5), "unknown ruleset 'checkers'"),
        (lambda: studio.open_map(tmp_path / "none.map.json"), "none.map.json"),
        (lambda: map_.remove("road-9"), "road-9"),
    ):
        with pytest.raises(StudioError, match=words):
            ask()
    assert map_.history == []


def test_a_map_without_a_file_comes_back_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    program = (
        "import os, studio\n"
        "map_ = studio.new_map('armageddon_war', 4, 4, title='Sketch')\n"
        "map_.paint('0202', terrain='rough')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert run.returncode == -9, run.stderr.decode()
    found = [work for work in studio.unsaved() if work.title == "Sketch"]
    assert len(found) == 1
    assert "1 step, no file yet" in repr(found[0])
    with pytest.warns(RecoveredWarning, match="1 unsaved step"):
        again = studio.recover_map(found[0])
    assert again.title == "Sketch"
    assert again.model.terrain_at(again.labels.cell("0202")) == "rough"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again.save(tmp_path / "sketch.map.json")
    assert not [work for work in studio.unsaved() if work.title == "Sketch"]


def test_a_million_hexes_are_painted_a_hundred_at_a_time() -> None:
    map_ = studio.new_map("armageddon_war", 1024, 1024)
    labels = [map_.labels.label(cell) for cell in range(5000, 5100)]
    map_.paint(labels, terrain="soft_sand")
    assert int((map_.terrain == map_.terrain_ids.index("soft_sand")).sum()) == 100
    map_.undo()
    assert not np.any(map_.terrain)

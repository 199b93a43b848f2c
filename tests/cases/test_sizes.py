"""Rows and columns come and go: units, roads and names stay on their hexes, and undo brings all of it back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import RecoveredWarning, ResizeWarning, Scenario
from studio.errors import EditError, LabelError, StudioError
from studio.files import load_map
from studio.grid import LabelScheme
from studio.model import Marker, Put, Resize, SetField
from studio.survey import Survey

ROOT = Path(__file__).parents[2]

MAPS = sorted(path for path in (ROOT / "maps").glob("*.map.json") if path.name != "urban-1.map.json")


def opened(path: Path) -> studio.Map:
    return studio.open_map(path, recover_unsaved=False)


# -- a column on the left moves units too ------------------------------------------------------------------------------


@pytest.fixture
def battle(tmp_path: Path) -> Scenario:
    """A scenario with a label in every field that can hold one, on a map of 8 x 6."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "scenarios").mkdir()
    map_ = studio.new_map("armageddon_war", 8, 6, title="Wadi")
    map_.paint("0202", terrain="rough").add("road", path=["0101", "0201", "0302", "0402"])
    map_.save(tmp_path / "maps" / "wadi.map.json")
    scenario = studio.new_scenario(map_, title="Dawn")
    units = [
        {"id": "tank", "type": "isil.bmp_2", "at": "0202"},
        {"id": "truck", "type": "other.truck", "at": "0302 road", "notes": "Full of fuel."},
        {"id": "rider", "type": "isil.militia", "carried_by": "truck"},
    ]
    where = {"hexes": ["0202", "0505"], "first_column": "02", "last_column": "07"}
    formation = {"id": "first", "name": "First", "units": units, "where": where}
    scenario.apply(
        Put(collection="forces", record={"id": "isil", "name": "ISIL", "formations": [formation]}),
    )
    objective = {"id": "hold", "side": "isil", "points": 2, "event": "hold", "hexes": ["0202", "0404"]}
    scenario.apply(Put(collection="objectives", record=objective))
    scenario.apply(Put(collection="place_notes", record={"id": "n1", "at": "0202", "text": "Dust"}))
    for field, value in (
        ("special", {"smoke": ["0202", "0303"]}),
        ("control", {"isil": ["0202"]}),
        ("unrestored", ["0202"]),
        ("map", {"file": scenario.document.map.file, "first_row": "02", "last_row": "05", "out_of_play": ["0202"]}),
    ):
        scenario.apply(SetField(field=field, value=value))
    scenario.save(tmp_path / "scenarios" / "dawn.scenario.json")
    return scenario


def labels_in(scenario: Scenario) -> dict[str, Any]:
    document = scenario.document
    formation = document.forces[0].formations[0]
    return {
        "units": [unit.at for unit in formation.units],
        "where": formation.where.hexes,
        "columns": (formation.where.first_column, formation.where.last_column),
        "rows": (document.map.first_row, document.map.last_row),
        "out": document.map.out_of_play,
        "objective": document.objectives[0].hexes,
        "note": [note.at for note in document.place_notes],
        "smoke": document.special.smoke,
        "control": document.control,
        "unrestored": document.unrestored,
    }


def test_one_column_on_the_left_moves_everything_by_one(battle: Scenario) -> None:
    report = battle.map.resize(left=1)
    assert labels_in(battle) == {
        "units": ["0302", "0402 road", ""],
        "where": ("0302", "0605"),
        "columns": ("03", "08"),
        "rows": ("02", "05"),
        "out": ("0302",),
        "objective": ("0302", "0504"),
        "note": ["0302"],
        "smoke": ("0302", "0403"),
        "control": {"isil": ("0302",)},
        "unrestored": ("0302",),
    }
    assert battle.map.model.terrain_at(battle.map.labels.cell("0302")) == "rough"
    assert battle.map.features["road-1"].path == ("0201", "0301", "0402", "0502")  # type: ignore[union-attr]
    assert report.scenarios == {"Dawn": []}
    assert battle.history[-1] == "Follow the map: Add 1 column on the left"


def test_kept_labels_leave_the_scenario_as_it_is(battle: Scenario) -> None:
    before, steps = battle._text(), battle.history
    battle.map.resize(left=1, labels="keep")
    assert battle.map.labels.label(0) == "0001"
    assert (battle._text(), battle.history) == (before, steps)
    battle.map.undo()
    assert (battle._text(), battle.history) == (before, steps)


def test_new_labels_are_followed_as_well(battle: Scenario) -> None:
    before = battle._text()
    battle.map.set("labels", LabelScheme.lettered())
    assert labels_in(battle)["units"] == ["B2", "C2 road", ""]
    assert labels_in(battle)["columns"] == ("B", "G")
    battle.map.undo()
    assert battle._text() == before


@pytest.mark.parametrize("from_scenario", [False, True])
def test_units_of_removed_hexes_come_back_with_them(battle: Scenario, from_scenario: bool) -> None:
    states = battle.map.to_text(), battle._text()
    report = battle.map.resize(left=-2)
    formation = battle.document.forces[0].formations[0]
    assert [unit.at for unit in formation.units] == ["", "0102 road", ""]
    assert formation.units[0].notes == "Unplaced: 0202 was removed from the map."
    assert formation.where.hexes == ("0305",)
    assert formation.where.first_column == ""  # all that is left of the part
    assert battle.document.place_notes == []
    assert any("isil/first/tank: not placed any more" in line for line in report.scenarios["Dawn"])
    smaller = battle.map.to_text(), battle._text()
    document = battle if from_scenario else battle.map
    document.undo()
    assert (battle.map.to_text(), battle._text()) == states
    assert not battle.map.dirty
    assert not battle.dirty
    document.redo()
    assert (battle.map.to_text(), battle._text()) == smaller
    document.undo()
    assert (battle.map.to_text(), battle._text()) == states


def test_what_was_done_to_the_scenario_since_stays(battle: Scenario) -> None:
    before = labels_in(battle)
    battle.map.resize(left=-2)
    battle.apply(SetField(field="title", value="Noon"))
    battle.map.undo()
    assert battle.title == "Noon"
    assert labels_in(battle) == before
    assert battle.document.forces[0].formations[0].units[0].notes == ""
    battle.undo()  # both make the step again together
    assert battle.map.grid.columns == 6
    assert labels_in(battle)["units"] == ["", "0102 road", ""]
    battle.undo()
    assert battle.title == "Dawn"
    battle.undo()
    assert battle.map.grid.columns == 8
    assert labels_in(battle) == before


def test_a_step_that_followed_is_not_taken_back_alone(battle: Scenario) -> None:
    battle.map.resize(left=1)
    battle.map.paint("0101", terrain="marsh")
    before = battle.map.to_text(), battle._text()
    with pytest.raises(EditError, match=r"followed the map.*scenario\.map\.undo"):
        battle.undo()
    assert (battle.map.to_text(), battle._text()) == before
    battle.map.undo()
    battle.undo()
    assert (battle.map.grid.columns, labels_in(battle)["units"][0]) == (8, "0202")


def test_what_would_mean_every_hex_is_refused(battle: Scenario) -> None:
    before = battle.map.to_text(), battle._text()
    for change, words in (
        ({"left": -5}, r"objective hold: all of its hexes would go"),
        ({"bottom": -5}, r"isil/first: all of its hexes would go"),
        ({"top": -5}, r"isil/first: all of its hexes would go.*objective hold"),
    ):
        with pytest.raises(EditError, match=words):
            battle.map.resize(**change)
        with pytest.raises(EditError, match="cannot follow"):
            battle.map.apply(Resize(**change))
    assert (battle.map.to_text(), battle._text()) == before


def test_a_part_in_play_that_would_vanish_is_refused(battle: Scenario) -> None:
    battle.apply(SetField(field="map", value={"file": battle.document.map.file, "first_column": "08"}))
    with pytest.raises(EditError, match="first column 08 has no place"):
        battle.map.resize(right=-1)
    battle.map.resize(left=1)
    assert battle.document.map.first_column == "09"


def test_scenarios_that_are_not_open_are_named(battle: Scenario, tmp_path: Path) -> None:
    other = opened(tmp_path / "maps" / "wadi.map.json")
    assert [file.name for file in other.resize(left=1, dry_run=True).unopened] == ["dawn.scenario.json"]
    assert other.grid.columns == 8
    with pytest.warns(ResizeWarning, match=r"dawn\.scenario\.json: this scenario names the map and is not open"):
        other.resize(left=1)
    other.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert battle.map.resize(left=1).unopened == []


def test_checks_find_the_labels_of_a_scenario_that_did_not_follow(battle: Scenario, tmp_path: Path) -> None:
    map_file, scenario_file = tmp_path / "maps" / "wadi.map.json", tmp_path / "scenarios" / "dawn.scenario.json"
    other = opened(map_file)
    with pytest.warns(ResizeWarning):
        other.resize(left=-6)
    other.save()
    found = studio.open_scenario(scenario_file, recover_unsaved=False).check()
    assert {one.at for one in found.errors} >= {"hold", "isil/first/truck"}


# -- undo, and shrinking by accident -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MAPS, ids=[path.name.split(".")[0] for path in MAPS])
def test_every_map_of_the_studio_shrinks_grows_and_comes_back_to_the_byte(path: Path, tmp_path: Path) -> None:
    map_ = opened(Path(shutil.copy(path, tmp_path)))
    states = [map_.to_text()]
    sizes: list[dict[str, Any]] = [
        {"left": -1},
        {"left": 2, "top": -1},
        {"right": -4, "bottom": -3},
        {"top": 3, "left": -3, "right": 2, "terrain": map_.terrain_ids[-1]},
    ]
    for size in sizes:
        try:
            map_.resize(**size)
        except EditError as error:
            assert "fall apart" in str(error)
            continue
        states.append(map_.to_text())
        assert map_.survey.state() == Survey(map_.model, map_.ruleset.survey_scheme).state()
        assert load_map(map_.to_text().encode(), name=path.name).model.grid == map_.grid
    assert len(states) > 2
    for state in reversed(states[:-1]):
        map_.undo()
        assert map_.to_text() == state
    for state in states[1:]:
        map_.redo()
        assert map_.to_text() == state
    map_.revert()
    assert map_.to_text() == states[0]
    map_.close()


@settings(max_examples=25)
@given(data=st.data())
def test_labels_units_and_sizes_undone_and_done_again_are_equal_to_the_byte(data: st.DataObject) -> None:
    map_ = studio.new_map("armageddon_war", 5, 4)
    states = [map_.to_text()]
    numbers = st.integers(-2, 2)
    for _ in range(data.draw(st.integers(1, 8))):
        label = data.draw(st.sampled_from(map_.labels.all()))
        what = data.draw(st.sampled_from(["name", "marker", "paint", "size", "labels"]))
        try:
            if what == "size":
                edges = {edge: data.draw(numbers) for edge in ("left", "right", "top", "bottom")}
                map_.resize(**edges, labels=data.draw(st.sampled_from(["renumber", "keep"])))
            elif what == "labels":
                map_.set("labels", data.draw(st.sampled_from([LabelScheme.ccrr(pad=3), LabelScheme.lettered()])))
            elif what == "paint":
                map_.paint(label, terrain="marsh", level=1)
            elif what == "name":
                map_.add("name", text="Bir", at=label)
            else:
                map_.add("marker", type="wreck", at=label)
        except EditError:
            continue
        states.append(map_.to_text())
    for state in reversed(states[:-1]):
        map_.undo()
        assert map_.to_text() == state
    for state in states[1:]:
        map_.redo()
        assert map_.to_text() == state
    map_.revert()
    map_.close()


def test_a_killed_process_loses_no_change_of_size(battle: Scenario, tmp_path: Path) -> None:
    battle.close()
    battle.map.close()
    file = tmp_path / "scenarios" / "dawn.scenario.json"
    program = (
        "import json, os, sys, studio\n"
        "s = studio.open_scenario(sys.argv[1])\n"
        "s.map.resize(left=-2)\n"
        "s.map.resize(right=1, labels='keep')\n"
        "s.map.undo()\n"
        "s.map.paint('0101', terrain='marsh')\n"
        "sys.stdout.write(json.dumps([s.map.to_text(), s._text().decode()])); sys.stdout.flush()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, cwd=ROOT, check=False)
    assert run.returncode == -9, run.stderr.decode()
    with pytest.warns(RecoveredWarning):
        again = studio.open_scenario(file)
    assert [again.map.to_text(), again._text().decode()] == json.loads(run.stdout)
    # The step that followed still goes with that of the map, and what was lost comes back.
    with pytest.raises(EditError, match="followed the map"):
        again.undo()
    again.map.undo()
    again.undo()
    assert (again.map.to_text(), again._text()) == (battle_text(tmp_path), file.read_bytes().rstrip() + b"\n")


def battle_text(folder: Path) -> str:
    return (folder / "maps" / "wadi.map.json").read_text(encoding="utf-8")


def test_an_undo_beyond_a_save_survives_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "practice-front.map.json"
    shutil.copy(ROOT / "maps" / "practice-front.map.json", file)
    before = opened(file).to_text()
    program = (
        "import os, sys, studio\n"
        "m = studio.open_map(sys.argv[1])\n"
        "m.resize(left=-5, bottom=-4)\n"
        "m.save()\n"
        "m.undo()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, cwd=ROOT, check=False)
    assert run.returncode == -9, run.stderr.decode()
    with pytest.warns(RecoveredWarning, match="1 unsaved step"):
        again = studio.open_map(file)
    assert again.to_text() == before
    again.save()


def test_a_state_of_another_game_in_a_journal_is_refused() -> None:
    map_ = studio.new_map("armageddon_war", 4, 4)
    inverse, _ = map_.model.perform(Resize(left=1))
    before = map_.to_text()
    for change, words in (
        ({"sides": [(0, 1, ("moat",))]}, "moat"),
        ({"levels": b"\x7f" * 16}, "level"),
        ({"features": [Marker(id="m", type="ufo", at="0101")]}, "ufo"),
        ({"features": [Marker(id="m", type="wreck", at="0901")]}, "0901"),
    ):
        with pytest.raises(EditError, match=words):
            map_.apply(msgspec.structs.replace(inverse, **change))  # type: ignore[arg-type,type-var]
        assert map_.to_text() == before
    map_.apply(inverse)
    assert map_.grid.columns == 4
    map_.revert()
    map_.close()


# -- cropping ----------------------------------------------------------------------------------------------------------


@given(
    columns=st.integers(2, 8),
    rows=st.integers(2, 8),
    orientation=st.sampled_from(["flat", "pointy"]),
    stagger=st.sampled_from(["odd", "even"]),
    short=st.booleans(),
    chosen=st.lists(st.integers(0, 63), min_size=1, max_size=4),
)
def test_a_crop_is_the_smallest_frame_that_holds_the_hexes(
    columns: int, rows: int, orientation: Any, stagger: Any, short: bool, chosen: list[int]
) -> None:
    map_ = studio.new_map("armageddon_war", columns, rows, orientation=orientation, stagger=stagger, short=short)
    names = map_.labels.all()
    picked = [names[number % len(names)] for number in chosen]
    middles = [map_.grid.centre(map_.labels.cell(name)) for name in picked]
    for name in picked:
        map_.paint(name, terrain="marsh")
    count = len(set(picked))
    try:
        map_.crop(picked)
    except StudioError as error:
        assert "as it is" in str(error) or "short lines need 2" in str(error)
        map_.revert()
        map_.close()
        return
    marsh = np.flatnonzero(map_.terrain == map_.terrain_ids.index("marsh"))
    assert len(marsh) == count
    there = [map_.grid.centre(int(cell)) for cell in marsh]
    span = [{(x - min(p[0] for p in some), y - min(p[1] for p in some)) for x, y in some} for some in (middles, there)]
    assert span[0] == span[1]
    row, column = np.divmod(marsh, map_.grid.columns)
    assert (row.min(), column.min()) == (0, 0)
    for edge in ("right", "bottom"):
        size = {edge: -1}
        if (map_.grid.columns if edge == "right" else map_.grid.rows) > 1:
            try:
                lost = map_.resize(**size, dry_run=True).losses
            except StudioError:
                continue
            assert lost.drawn
    map_.revert()
    map_.close()


def test_crop_takes_an_extent_in_map_units_too() -> None:
    map_ = studio.new_map("armageddon_war", 9, 8)
    one = map_.crop((2.5, 1.0, 5.5, 5.0), dry_run=True)
    inside = [
        label
        for label in map_.labels.all()
        if 2.5 <= map_.grid.to_map(*map_.grid.centre(map_.labels.cell(label)))[0] <= 5.5
        and 1.0 <= map_.grid.to_map(*map_.grid.centre(map_.labels.cell(label)))[1] <= 5.0
    ]
    assert one.title == map_.crop(inside, dry_run=True).title
    assert map_.history == []


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda m: m.resize(left=1.5), EditError, r"left: got 1\.5; allowed are whole numbers"),
    (lambda m: m.resize(left=True), EditError, "left: got True"),
    (lambda m: m.resize(1, labels="same"), EditError, "labels: got 'same'"),
    (lambda m: m.resize(1, terrain=5), EditError, "terrain: got 5"),
    (lambda m: m.resize(1, terrain="mash"), EditError, "did you mean 'marsh'"),
    (lambda m: m.resize(), EditError, "no columns and no rows"),
    (lambda m: m.crop("9999"), LabelError, "9999"),
    (lambda m: m.crop([]), EditError, "no hex"),
    (lambda m: m.crop(7), EditError, "got 7"),
    (lambda m: m.crop((0.0, 0.0, 0.1, 0.1)), EditError, "no hex"),
    (lambda m: m.crop(["0101", "0504"]), EditError, "the map as it is"),
    (lambda m: m.crop(["0101"], labels="old"), EditError, "labels: got 'old'"),
]


@pytest.mark.parametrize(("ask", "kind", "words"), WRONG, ids=range(len(WRONG)))
def test_wrong_sizes_are_clear_errors(ask: Any, kind: type[Exception], words: str) -> None:
    map_ = studio.new_map("armageddon_war", 5, 4)
    with pytest.raises(kind, match=words):
        ask(map_)
    assert map_.history == []


def test_a_map_of_several_sheets_names_the_remedy() -> None:
    map_ = opened(ROOT / "maps" / "urban-1.map.json")
    with pytest.raises(EditError, match=r"2 sheets.*join them again"):
        map_.resize(left=1)


def test_a_location_is_not_parted_in_two_with_one_label() -> None:
    map_ = studio.new_map("phantom_fury", columns=8, rows=8, half=("left",))
    x0 = 720 + 480
    outline = [[x0 - 300, 600], [x0 + 300, 600], [x0 + 300, 900], [x0 - 100, 900]]
    outline += [[x0 - 100, 1500], [x0 + 300, 1500], [x0 + 300, 1900], [x0 - 300, 1900]]
    map_.add("area", type="zone", name="1", outline=outline)
    with pytest.raises(EditError, match=r"fall apart at the new edge: area-1.*map\.split_area"):
        map_.resize(left=-1)
    assert not map_.resize(right=-1).losses


def test_a_report_says_what_was_lost_and_prints_well() -> None:
    map_ = studio.new_map("armageddon_war", 6, 5)
    map_.paint("0101", terrain="marsh").add("road", path=["0101", "0201", "0302"])
    map_.add("marker", type="wreck", at="0102")
    map_.set_side("0101", "0102", "fence")
    planned = map_.resize(left=-1, dry_run=True)
    assert (planned.done, map_.grid.columns) == (False, 6)
    report = map_.resize(left=-1)
    assert report.lines() == planned.lines()
    assert str(report).splitlines() == [
        "Remove 1 column on the left: 5 x 5 hexes",
        "1 of 5 removed hexes had a terrain or a level",
        "1 hexside removed",
        "1 feature removed: marker-1",
        "1 feature cut at the new edge: road-1",
    ]
    assert json.loads(json.dumps(report.to_dict()))["losses"]["cut"] == {"road-1": []}
    assert "<b>Remove 1 column" in report._repr_html_()
    assert os.linesep not in repr(report)
    map_.revert()
    map_.close()

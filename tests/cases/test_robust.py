"""What a hostile or hasty user does: every refusal is clear, and nothing is lost or changed by it."""

import os
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.api import RecoveredWarning
from studio.errors import DocumentError, EditError, StudioError
from studio.grid import Axis, HexGrid, Labels, LabelScheme
from studio.model import Batch, Edit, Paint, Put, SetField
from studio.sight import Conditions
from tests.cases.test_cases import run_until_killed

ROOT = Path(__file__).parents[2]
MAP = ROOT / "maps" / "armageddon-1.map.json"
SCENARIO = ROOT / "scenarios" / "armageddon-01.scenario.json"


def labels(**columns: Any) -> SetField:
    return SetField(field="labels", value={"columns": columns})


HOSTILE: list[Edit] = [
    labels(style="letters", start=0),
    labels(pad=-3),
    labels(pad=10**18),
    labels(style="doubled_letters", start=10**12),
    SetField(field="labels", value={"staggered_start": 10**12}),
    SetField(field="labels", value={"separator": "1"}),
    SetField(field="title", value="x" * 30_000),
    SetField(field="title", value="\ud800"),
    SetField(field="georeference", value={"crs": "EPSG:4326", "affine": [float("nan")] * 6}),
    Paint(plane="terrain", cells=[10**23], values=["marsh"]),
    Paint(plane="terrain", cells=[[1, 2]], values=["marsh"]),  # type: ignore[list-item]
    Paint(plane="terrain", cells=["a"], values=["marsh"]),  # type: ignore[list-item]
    Paint(plane="levels", cells=[1], values=[True]),
    Put(collection=["forces"], record={}),  # type: ignore[arg-type]
    Put(collection="features", record={"kind": "marker", "id": "m", "type": [], "at": "0101"}),
    Put(collection="features", record={"kind": "name", "id": "n", "text": "far", "at": [10**23, 0]}),
    Put(collection="features", record={"kind": "name", "id": "n", "text": "\udfff", "at": [0, 0]}),
]


@pytest.mark.parametrize("edit", HOSTILE, ids=lambda edit: type(edit).__name__)
def test_a_batch_with_a_hostile_edit_changes_nothing(edit: Edit) -> None:
    map_ = studio.new_map("armageddon_war", 5, 5)
    before = map_.to_text()
    with pytest.raises(EditError):
        map_.apply(Batch(title="both", edits=[Paint(plane="terrain", cells=[0], values=["marsh"]), edit]))
    with pytest.raises(EditError):
        map_.model.perform(Batch(title="both", edits=[Paint(plane="terrain", cells=[0], values=["marsh"]), edit]))
    assert map_.to_text() == before
    assert map_.history == []


def test_batches_within_batches_have_an_end() -> None:
    map_ = studio.new_map("armageddon_war", 3, 3)
    deep: Edit = Paint(plane="terrain", cells=[0], values=["marsh"])
    for _ in range(200):
        deep = Batch(title="deeper", edits=[deep])
    with pytest.raises(EditError, match="lie in each other"):
        map_.model.perform(deep)


@pytest.mark.parametrize(
    "ask",
    [
        lambda m: studio.new_map("armageddon_war", "5", 5),
        lambda m: studio.new_map("armageddon_war", 5.0, 5),
        lambda m: studio.new_map("armageddon_war", True, 5),
        lambda m: studio.new_map(None, 5, 5),
        lambda m: studio.new_map("armageddon_war", 5, 5, labels="A1"),
        lambda m: studio.new_map("armageddon_war", 5, 5, half=5),
        lambda m: studio.new_map("armageddon_war", 1, 1, half=("top", "bottom", "left", "right")),
        lambda m: m.paint(101, terrain="clear"),
        lambda m: m.paint(None, terrain="clear"),
        lambda m: m.paint("0101", terrain=["clear"]),
        lambda m: m.add(None),
        lambda m: m.add("name", text="no place"),
        lambda m: m.set("title", object()),
        lambda m: m.remove(None),
        lambda m: m.set_side("0101", "0102", 5),
        lambda m: m.sight("0101", "0102", options=[1]),
        lambda m: m.sight("0101", "0102", options={5: 1}),
        lambda m: m.sight("0101", "0102", conditions={"smoke": []}),
        lambda m: m.sight("0101", "0102", conditions=Conditions(smoke=frozenset({10**6}))),
        lambda m: m.sight("0101", "0102", conditions=Conditions(haze_step="x")),  # type: ignore[arg-type]
        lambda m: m.save("a\0b"),
    ],
)
def test_wrong_kinds_of_value_are_studio_errors(ask: Any) -> None:
    with pytest.raises(StudioError):
        ask(studio.new_map("armageddon_war", 5, 5))


def test_ambiguous_separators_are_refused() -> None:
    scheme = LabelScheme(columns=Axis(pad=2), rows=Axis(pad=3), separator="1")
    with pytest.raises(StudioError, match="read in one way only"):
        Labels(scheme, HexGrid(columns=5, rows=5))


def test_a_name_can_be_placed_by_a_label() -> None:
    map_ = studio.new_map("armageddon_war", 5, 5)
    name = map_.add("name", text="Well", at="0303")
    assert map_.features[name].at == map_.grid.centre(map_.labels.cell("0303"))  # type: ignore[union-attr]


def test_saving_does_not_depend_on_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub" / "maps").mkdir(parents=True)
    (tmp_path / "maps").mkdir()
    monkeypatch.chdir(tmp_path)
    studio.new_map("armageddon_war", 4, 4).save("maps/a.map.json")
    map_ = studio.open_map("maps/a.map.json").paint("0101", terrain="marsh")
    monkeypatch.chdir(tmp_path / "sub")
    map_.save()
    assert not list((tmp_path / "sub" / "maps").iterdir())
    assert studio.open_map(tmp_path / "maps" / "a.map.json").model.terrain_at(0) == "marsh"


def test_a_new_scenario_names_its_map_from_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("maps", "scenarios", "other/deep"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    map_ = studio.new_map("armageddon_war", 4, 4)
    map_.save("maps/a.map.json")
    scenario = studio.new_scenario(map_, title="Raid")
    scenario.save("scenarios/raid.scenario.json")
    assert scenario.document.map.file == "../maps/a.map.json"
    assert studio.open_scenario("scenarios/raid.scenario.json").title == "Raid"
    scenario.save("other/deep/raid.scenario.json")
    assert studio.open_scenario("other/deep/raid.scenario.json").map.path == map_.path


def test_edits_after_closing_are_kept_too(tmp_path: Path) -> None:
    path = tmp_path / "a.map.json"
    studio.new_map("armageddon_war", 4, 4).save(path)
    map_ = studio.open_map(path)
    map_.close()
    map_.paint("0101", terrain="marsh")
    text = map_.to_text()
    map_.close()
    with pytest.warns(RecoveredWarning, match="1 unsaved step"):
        assert studio.open_map(path).to_text() == text


def test_undoing_to_the_saved_state_is_not_unsaved(tmp_path: Path) -> None:
    path = tmp_path / "a.map.json"
    map_ = studio.new_map("armageddon_war", 4, 4)
    map_.paint("0101", terrain="marsh").save(path)
    assert not map_.dirty
    map_.paint("0202", terrain="rough")
    assert map_.dirty
    map_.undo()
    assert not map_.dirty
    map_.undo()
    assert map_.dirty
    map_.redo()
    assert not map_.dirty
    map_.close()
    assert [file.name for file in tmp_path.iterdir()] == ["a.map.json"]


def test_a_journal_with_a_bad_step_loses_neither_the_good_steps_nor_later_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.map.json"
    studio.new_map("armageddon_war", 4, 4).save(path)
    program = (
        "import os, sys, studio\nmap_ = studio.open_map(sys.argv[1])\nmap_.paint('0101', level=1)\n"
        "map_.add('marker', type='smoke', at='0202')\nos.kill(os.getpid(), 9)\n"
    )
    run_until_killed(program, path)
    journal = next(file for file in tmp_path.iterdir() if "journal" in file.name)
    journal.write_bytes(journal.read_bytes().replace(b'"0202"', b'"9999"'))
    second = (
        "import os, sys, warnings, studio\nwarnings.simplefilter('ignore')\nmap_ = studio.open_map(sys.argv[1])\n"
        "map_.paint('0303', level=1)\nos.kill(os.getpid(), 9)\n"
    )
    run_until_killed(second, path)
    with pytest.warns(RecoveredWarning):
        again = studio.open_map(path)
    assert [again.model.level_at(again.labels.cell(name)) for name in ("0101", "0303")] == [1, 1]


def test_a_journal_cannot_bring_in_what_the_game_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "a.map.json"
    studio.new_map("armageddon_war", 4, 4).save(path)
    program = (
        "import os, sys, studio\nmap_ = studio.open_map(sys.argv[1])\nmap_.set_side('0101', '0102', 'fence')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run_until_killed(program, path)
    journal = next(file for file in tmp_path.iterdir() if "journal" in file.name)
    journal.write_bytes(journal.read_bytes().replace(b'"fence"', b'"zorks"'))
    with pytest.warns(RecoveredWarning, match="zorks"):
        assert studio.open_map(path).model.sides == {}


def test_exports_replace_nothing_but_bundles(tmp_path: Path) -> None:
    map_ = tmp_path / "a.map.json"
    map_.write_bytes(MAP.read_bytes())
    scenario = studio.open_scenario(SCENARIO, recover_unsaved=False)
    with pytest.raises(StudioError, match="the ending names no format"):
        scenario.export(map_)
    with pytest.raises(StudioError, match="is no bundle"):
        scenario.export(map_, to="bundle")
    assert map_.read_bytes() == MAP.read_bytes()
    from studio.cli import main

    for command in (
        ["export", str(map_), "-o", str(map_)],
        ["draw", str(map_), "-o", str(map_)],
        ["sight", str(map_), "A1", "A2", "--picture", str(map_)],
        ["draw", str(map_), "-o", str(tmp_path / "x.png"), "--hex-px", "nan"],
        ["sight", str(map_), "A1", "A2", "--option", "border_rule=²"],
    ):
        assert main(command) == 2
    assert map_.read_bytes() == MAP.read_bytes()


def test_a_scenario_says_that_its_map_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "x.scenario.json"
    file.write_bytes(SCENARIO.read_bytes())
    with pytest.raises(DocumentError, match=r"\$\.map\.file"):
        studio.open_scenario(file)


def test_a_scenario_keeps_to_the_map_that_it_is_open_on() -> None:
    scenario = studio.open_scenario(SCENARIO, recover_unsaved=False)
    with pytest.raises(EditError, match="make a new one"):
        scenario.apply(SetField(field="map", value={"file": "another.map.json"}))


def test_a_cell_that_is_run_again_says_what_it_leaves_behind() -> None:
    first = studio.new_map("armageddon_war", 7, 7, title="Twin").paint("0101", terrain="marsh")
    with pytest.warns(RecoveredWarning, match="1 unsaved steps"):
        studio.new_map("armageddon_war", 7, 7, title="Twin")
    work = next(work for work in studio.unsaved() if work.title == "Twin")
    assert work.open() is first
    assert os.linesep not in repr(work)


def test_a_long_contour_that_crosses_itself_is_quick() -> None:
    import math

    map_ = studio.new_map("armageddon_war", 6, 6)
    line = [[2000 + round(1500 * math.sin(2.1 * n)), 1500 + round(1200 * math.cos(1.7 * n))] for n in range(8000)]
    map_.add("contour", level=1, line=[*line, line[0]])
    assert (map_.survey.contours == 1).sum() > 10

"""Many files at once: each map once, files in order, several processes, what fails alone, what is passed over."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.api import Map
from studio.checks import Findings
from studio.cli import batch, checking, main, processes
from studio.cli.batch import Group, Order, Told, bundle_names, groups_of

ROOT = Path(__file__).parents[2]
SOUND = "armageddon-01.scenario.json"


@pytest.fixture
def raids(tmp_path: Path) -> list[str]:
    """Make three scenarios on one map, the second with an error, and one on another map."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "scenarios").mkdir()
    for name in ("armageddon-1", "practice-front"):
        shutil.copy(ROOT / "maps" / f"{name}.map.json", tmp_path / "maps")
    text = (ROOT / "scenarios" / SOUND).read_text(encoding="utf-8")
    files = []
    for name, change in (("a", ("", "")), ("b", ('"count": 2}', '"count": 900}')), ("c", ("16", "15"))):
        file = tmp_path / "scenarios" / f"{name}.scenario.json"
        file.write_text(text.replace(*change, 1) if change[0] else text, encoding="utf-8")
        files.append(str(file))
    front = tmp_path / "scenarios" / "front.scenario.json"
    shutil.copy(ROOT / "scenarios" / "practice-front.scenario.json", front)
    return [*files, str(front)]


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def counted(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> list[Any]:
    """Count the calls of a method."""
    calls: list[Any] = []
    own = getattr(kind, name)

    def call(self: Any, *args: Any, **fields: Any) -> Any:
        calls.append(self)
        return own(self, *args, **fields)

    monkeypatch.setattr(kind, name, call)
    return calls


def test_files_are_told_in_order_with_a_sum_each(capsys: pytest.CaptureFixture[str], raids: list[str]) -> None:
    code, out, _ = run(capsys, "check", *raids)
    lines = [line for line in out.splitlines() if not line.startswith(("error:", "warning:", "note:"))]
    assert code == 1
    assert [line.partition(": ")[0] for line in lines[:-1]] == raids
    assert lines[0].endswith(": 0 errors, 0 warnings, 2 notes")
    assert lines[-1].startswith("4 files checked: 1 error, ")
    data = json.loads(run(capsys, "check", *raids, "--json")[1])
    assert [entry["file"] for entry in data["files"]] == raids
    assert [entry["errors"] for entry in data["files"]] == [0, 1, 0, 0]
    assert {one["file"] for one in data["findings"] if one["severity"] == "error"} == {raids[1]}


def test_notes_are_no_warnings_and_stop_no_export(
    capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path
) -> None:
    code, out, _ = run(capsys, "check", raids[0], "--export", tmp_path / "out")
    assert (code, (tmp_path / "out" / "a.bundle.zip").is_file()) == (0, True)
    assert "0 errors, 0 warnings, 2 notes, 1 bundle written" in out
    assert out.count("note: ") == 2


def test_one_map_is_opened_checked_and_looked_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, raids: list[str], tmp_path: Path
) -> None:
    made = counted(monkeypatch, Map, "__init__")
    checks, tables = counted(monkeypatch, Map, "check"), counted(monkeypatch, Map, "sight_table")
    run(capsys, "check", *raids[:3], "--export", tmp_path / "out", "--jobs", 1)
    assert (len(made), len(checks), len(tables)) == (1, 1, 1)
    written = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert written == ["a.bundle.zip", "c.bundle.zip"]


def test_a_table_is_that_of_the_scenario(tmp_path: Path, raids: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    raw = json.loads(Path(raids[2]).read_text(encoding="utf-8"))
    raw["special"] |= {"visibility": 2}
    Path(raids[2]).write_text(json.dumps(raw), encoding="utf-8")
    run(capsys, "check", raids[0], raids[2], "--export", tmp_path / "out")
    first, second = (studio.open_bundle(tmp_path / "out" / f"{name}.bundle.zip") for name in "ac")
    assert (first.sight("G4", "M7"), second.sight("G4", "M7")) == ("clear", "blocked")


def test_faults_of_a_map_are_told_once(capsys: pytest.CaptureFixture[str], raids: list[str]) -> None:
    map_ = Path(raids[0]).parents[1] / "maps" / "armageddon-1.map.json"
    raw = json.loads(map_.read_text(encoding="utf-8"))
    raw["sources"] = []
    map_.write_text(json.dumps(raw), encoding="utf-8")
    for files in (raids[:3], [*raids[:3], str(map_)]):
        data = json.loads(run(capsys, "check", *files, "--json")[1])
        assert [one["rule"] for one in data["findings"]].count("map.sources") == 1
    assert data["files"][3]["warnings"] == 1


def test_processes_tell_and_write_the_same(
    capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path
) -> None:
    told = []
    for jobs in (1, 2):
        code, out, err = run(capsys, "check", *raids, "--export", tmp_path / f"out-{jobs}", "--jobs", jobs)
        assert (code, err) == (1, "")
        told.append(out.replace(f"out-{jobs}", "out"))
    assert told[0] == told[1]
    names = sorted(file.name for file in (tmp_path / "out-1").iterdir())
    assert names == ["a.bundle.zip", "c.bundle.zip", "front.bundle.zip"]
    for name in names:
        assert (tmp_path / "out-1" / name).read_bytes() == (tmp_path / "out-2" / name).read_bytes()


def test_a_file_that_the_studio_fails_on_does_not_lose_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, raids: list[str]
) -> None:
    own = studio.checks.check_scenario

    def failing(document: Any, *args: Any, file: str, **fields: Any) -> Findings:
        if file == raids[0]:
            raise ZeroDivisionError("by nobody")
        return own(document, *args, file=file, **fields)

    monkeypatch.setattr(studio.checks, "check_scenario", failing)
    code, out, _ = run(capsys, "check", *raids)
    assert code == 1
    assert f"{raids[0]}: : the studio failed on this file: ZeroDivisionError: by nobody (test_batch.py, line" in out
    assert "4 files checked: 2 errors" in out


def _dying(connection: Any, order: Order) -> None:
    """Serve as a process does that dies of the file `b`."""
    del order
    while (group := connection.recv()) is not None:
        for number, file in group.files:
            connection.send(("begins", number, file))
            if Path(file).name.startswith("b."):
                os._exit(3)
            connection.send(("told", Told(number, file, ())))
        connection.send(("done",))


def test_a_process_that_dies_takes_its_file_only(monkeypatch: pytest.MonkeyPatch, raids: list[str]) -> None:
    monkeypatch.setattr(processes, "_serve", _dying)
    told: list[Told] = []
    groups = groups_of(raids, 2)
    processes.in_processes(groups, Order({}), 2, lambda number, file: None, told.append)
    told.sort(key=lambda one: one.number)
    assert [one.file for one in told] == raids
    assert [len(one.findings) for one in told] == [0, 1, 0, 0]
    assert "its process ended with code 3" in told[1].findings[0].message


def test_files_that_cannot_be_read_are_told_and_the_rest_is_checked(
    capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path
) -> None:
    broken = tmp_path / "scenarios" / "broken.scenario.json"
    broken.write_text('{"format": "wargame-studio/scenario", "version": 1', encoding="utf-8")
    code, out, _ = run(capsys, "check", broken, raids[0])
    assert code == 1
    assert "broken.scenario.json" in out
    assert f"{raids[0]}: 0 errors" in out
    code, out, _ = run(capsys, "check", tmp_path / "nothing.map.json", raids[0])
    assert code == 2
    assert f"{raids[0]}: 0 errors" in out


def test_what_is_for_people_in_a_folder_is_passed_over_with_a_word(
    capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path
) -> None:
    readme = tmp_path / "scenarios" / "README.md"
    readme.write_text("# Raids", encoding="utf-8")
    code, out, err = run(capsys, "check", raids[0], readme)
    assert (code, out.splitlines()[-1][:15]) == (0, "1 file checked:")
    assert f"skipped {readme}" in err
    code, out, err = run(capsys, "check", tmp_path / "scenarios")
    assert (code, out.splitlines()[-1][:16]) == (1, "4 files checked:")
    code, _, err = run(capsys, "check", readme)
    assert (code, "no map and no scenario" in err) == (2, True)
    notes = tmp_path / "notes.txt"
    notes.write_text("x", encoding="utf-8")
    assert run(capsys, "check", notes)[0] == 1


def test_the_record_of_an_import_beside_a_map_is_passed_over_with_a_word(
    capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path
) -> None:
    for ending in ("json", "toml"):
        beside = tmp_path / f"gulf.geography.{ending}"
        beside.write_text("{}", encoding="utf-8")
        code, out, err = run(capsys, "check", raids[0], beside)
        assert (code, out.splitlines()[-1][:15]) == (0, "1 file checked:")
        assert f"skipped {beside}: it " in err


def test_several_are_exported_to_a_folder(capsys: pytest.CaptureFixture[str], raids: list[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "export", raids[0], raids[3], "-o", tmp_path / "bundles")
    assert (code, "2 bundles written" in out) == (0, True)
    for name in ("a", "front"):
        assert studio.open_bundle(tmp_path / "bundles" / f"{name}.bundle.zip").locations
    code, _, err = run(capsys, "export", *raids[:2], "-o", tmp_path / "one.bundle.zip")
    assert (code, "need a folder" in err) == (2, True)
    code, _, err = run(capsys, "check", raids[0], "--export", raids[0])
    assert (code, "is a file" in err) == (2, True)
    code, _, err = run(capsys, "check", raids[0], "--export", tmp_path / "no" / "folder")
    assert (code, "there is no folder" in err) == (2, True)
    assert run(capsys, "check", raids[0], "--jobs", 0)[0] == 2


def test_bundles_have_names_of_their_own() -> None:
    with pytest.raises(studio.errors.StudioError, match="different folders"):
        bundle_names(["a/raid.scenario.json", "b/raid.scenario.json"])


def test_very_many_scenarios_on_one_map_are_shared_out(raids: list[str]) -> None:
    many = [raids[0]] * 30
    assert [len(group.files) for group in groups_of(many, 2)] == [15, 15]
    assert [len(group.files) for group in groups_of(many, 1)] == [30]
    assert sorted(len(group.files) for group in groups_of(raids, 2)) == [1, 3]


def test_ctrl_c_tells_what_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, raids: list[str]
) -> None:
    own: Callable[..., Any] = batch.work_on

    def stopping(group: Group, order: Order, begin: Any) -> Any:
        for told in own(group, order, begin):
            yield told
            raise KeyboardInterrupt

    monkeypatch.setattr(checking, "work_on", stopping)
    code, out, err = run(capsys, "check", *raids)
    assert code == 130
    assert "1 file of 4 checked" in out
    assert "stopped; 1 of 4 files are done" in err


def _lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name == "nt", reason="signals to a group of processes")
def test_ctrl_c_leaves_no_process_and_no_half_file(raids: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "studio.cli", "check", *raids, "--export", str(out), "--jobs", "2"]
    started = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=-1, stderr=-1, text=True)
    time.sleep(2.5)
    os.killpg(started.pid, signal.SIGINT)
    said = started.communicate(timeout=30)[1]
    assert "Traceback" not in said
    assert started.returncode in (0, 1, 130)
    deadline = time.monotonic() + 20
    while _lives(started.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _lives(started.pid)
    assert all(file.name.endswith(".bundle.zip") for file in out.glob("*"))

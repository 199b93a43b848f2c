"""The journal: what was done is found again, whatever ended the session."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import StudioError
from studio.files import (
    Journal,
    Recovery,
    RecoveryError,
    Stamp,
    read_map,
    recover,
    recoveries,
    save_document,
    unsaved,
    write_map_text,
)
from studio.model import History, MapModel, Paint, Put, SetField
from tests.files.helpers import STUB, edits, new_map, sample_map


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("state")
    monkeypatch.setattr("studio.files.places.state_folder", lambda: folder)
    monkeypatch.setattr("studio.files.recovery.state_folder", lambda: folder)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "valley.map.json"
    path.write_bytes(write_map_text(sample_map()))
    return path


def session(file: Path) -> tuple[MapModel, Journal, History]:
    model = read_map(file, ruleset=STUB)
    journal = Journal(file, opened=Stamp.of_file(file))
    return model, journal, History(model, journal.record)


def title(text: str) -> SetField:
    return SetField(field="title", value=text)


def found(file: Path) -> Recovery:
    recovery = recover(file)
    assert recovery is not None
    return recovery


def recovered(file: Path) -> MapModel:
    model = read_map(file, ruleset=STUB)
    found(file).replay(History(model))
    return model


def test_a_document_that_is_only_looked_at_has_no_journal(file: Path) -> None:
    _, journal, _ = session(file)
    journal.close()
    assert os.listdir(file.parent) == [file.name]


def test_steps_are_in_the_file_when_the_call_returns(file: Path) -> None:
    _, journal, history = session(file)
    assert journal.file is None
    history.apply(title("one"))
    history.undo()
    history.redo()
    assert journal.file == file.parent / ".valley.map.json.journal"
    lines = journal.file.read_text().splitlines()
    assert lines[0].startswith('{"format":"wargame-studio/journal","version":1,"kind":"map"')
    assert lines[1:] == [
        '{"edit":{"op":"set","field":"title","value":"one"}}',
        '{"undo":true}',
        '{"redo":true}',
    ]
    assert journal.file.stat().st_mode & 0o077 == 0


def test_nothing_is_recovered_while_the_session_lives(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    assert recover(file) is None
    journal.close()
    assert recovered(file).title == "one"


def test_the_lock_ends_with_the_journal_object(file: Path) -> None:
    session(file)[2].apply(title("one"))
    assert recovered(file).title == "one"


def test_a_save_empties_the_journal(file: Path) -> None:
    model, journal, history = session(file)
    history.apply(title("one"))
    text = write_map_text(model)
    journal.saving(Stamp.of(text))
    stamp = save_document(file, text, opened=Stamp.of_file(file))
    journal.saved(file, stamp)
    assert os.listdir(file.parent) == [file.name]
    history.apply(title("two"))
    journal.close()
    assert [step.edit for step in found(file).steps] == [title("two")]
    assert recovered(file).title == "two"


@settings(max_examples=60)
@given(st.data())
def test_replay_gives_the_same_map_whatever_was_done(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    file = tmp_path_factory.mktemp("replay") / "valley.map.json"
    file.write_bytes(write_map_text(sample_map()))
    model, journal, history = session(file)
    for _ in range(data.draw(st.integers(1, 12))):
        match data.draw(st.sampled_from(("edit", "edit", "undo", "undo", "redo", "save"))):
            case "edit":
                history.apply(data.draw(edits(model)))
            case "undo":
                history.undo()
            case "redo":
                history.redo()
            case "save":
                text = write_map_text(model)
                journal.saving(Stamp.of(text))
                journal.saved(file, save_document(file, text, opened=journal._opened))
    wanted = write_map_text(model)
    steps = journal.steps
    journal.close()
    recovery = recover(file)
    assert (recovery is not None) == bool(steps)
    again = read_map(file, ruleset=STUB)
    if recovery is not None:
        assert recovery.base_matches
        assert recovery.replay(History(again)) == steps
    assert write_map_text(again) == wanted


@given(st.data())
def test_undo_and_redo_are_equal_to_the_byte(data: st.DataObject) -> None:
    model = sample_map()
    history = History(model)
    texts = [write_map_text(model)]
    for _ in range(data.draw(st.integers(1, 8))):
        history.apply(data.draw(edits(model)))
        texts.append(write_map_text(model))
    for text in reversed(texts[:-1]):
        history.undo()
        assert write_map_text(model) == text
    for text in texts[1:]:
        history.redo()
        assert write_map_text(model) == text


def test_undo_of_what_was_saved_without_its_edit_is_told(file: Path) -> None:
    journal = Journal(file, opened=Stamp.of_file(file))
    journal.record("undo")
    journal.close()
    recovery = found(file)
    recovery.replay(History(read_map(file, ruleset=STUB)))
    assert "before the last save" in recovery.notes[-1]


def test_a_cut_last_line_is_left_out_and_told(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    history.apply(title("two"))
    journal.close()
    assert journal.file is not None
    text = journal.file.read_bytes()
    for cut in range(1, len(text.splitlines()[-1])):
        journal.file.write_bytes(text[:-cut])
        recovery = found(file)
        assert len(recovery.steps) == 1
        assert "cut off" in recovery.notes[0]
        assert not recovery.damaged


def test_a_damaged_middle_line_ends_recovery_and_the_journal_is_kept(file: Path) -> None:
    _, journal, history = session(file)
    for text in ("one", "two", "three"):
        history.apply(title(text))
    journal.close()
    assert journal.file is not None
    damaged = journal.file.read_bytes().replace(b'"two"', b"tw")
    journal.file.write_bytes(damaged)
    recovery = found(file)
    assert [step.edit for step in recovery.steps] == [title("one")]
    assert "line 3 of .valley.map.json.journal cannot be read; 1 steps before it" in recovery.notes[0]
    assert journal.file.read_bytes() == damaged  # looking changes nothing
    resumed = recovery.resume()
    aside = file.parent / ".valley.map.json.journal.damaged-1"
    assert aside.read_bytes() == damaged
    resumed.record("edit", title("four"))
    resumed.close()
    assert recovered(file).title == "four"
    assert [entry.journal.name for entry in unsaved(file.parent)] == [".valley.map.json.journal"]


def test_a_recovered_journal_goes_on(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    history.apply(title("two"))
    history.undo()
    journal.close()
    model = read_map(file, ruleset=STUB)
    recovery, again = found(file), History(model)
    recovery.replay(again)
    resumed = recovery.resume()
    again.record = resumed.record
    assert recover(file) is None
    again.redo()
    again.apply(title("three"))
    resumed.close()
    assert recovered(file).title == "three"
    with pytest.raises(StudioError):
        first, second = found(file), found(file)
        keep = first.resume()
        second.resume()
    keep.discard()
    assert os.listdir(file.parent) == [file.name]


def test_a_file_that_changed_since_is_told(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    journal.close()
    file.write_bytes(write_map_text(new_map()))
    recovery = found(file)
    assert not recovery.base_matches
    assert "changed or removed since" in recovery.notes[0]


def test_a_step_that_cannot_be_made_again(file: Path) -> None:
    journal = Journal(file, opened=Stamp.of_file(file))
    journal.record("edit", title("one"))
    journal.record("edit", Paint(plane="terrain", cells=[10**30], values=["marsh"]))
    journal.close()
    model = read_map(file, ruleset=STUB)
    with pytest.raises(RecoveryError, match="step 2 of 2"):
        found(file).replay(History(model))
    assert model.title == "one"


def test_two_sessions_have_two_journals(file: Path) -> None:
    _, first, one = session(file)
    _, second, two = session(file)
    one.apply(title("one"))
    two.apply(title("two"))
    assert second.file is not None
    assert second.file.name == ".valley.map.json.journal.2"
    assert "open in another session" in second.notice
    assert not first.notice
    first.close()
    second.close()
    os.utime(second.file, (1, 1))
    assert [recovery.steps[0].edit for recovery in recoveries(file)] == [title("one"), title("two")]
    assert "older unsaved work" in found(file).notes[-1]


def test_a_session_never_writes_over_what_another_left(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("left"))
    journal.close()
    _, later, again = session(file)
    again.apply(title("later"))
    later.close()
    assert {recovery.steps[0].edit.value for recovery in recoveries(file)} == {"left", "later"}  # type: ignore[union-attr]


LIVE = """
import sys
from studio.files import Journal, Stamp
from studio.model import SetField
journal = Journal(sys.argv[1], opened=Stamp.of_file(sys.argv[1]))
journal.record("edit", SetField(field="title", value="theirs"))
print("ready", flush=True)
sys.stdin.read()
"""


def test_the_lock_ends_with_its_process(file: Path) -> None:
    command = [sys.executable, "-c", LIVE, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"ready\n"
        _, mine, history = session(file)
        history.apply(title("mine"))
        assert mine.file is not None
        assert mine.file.name.endswith(".journal.2")
        assert recover(file) is None
        other.kill()
    assert recovered(file).title == "theirs"


# -- documents without a file ------------------------------------------------------------------------------------------


def test_a_document_without_a_file(state: Path, tmp_path: Path) -> None:
    model = new_map()
    journal = Journal(None, text=write_map_text(model))
    history = History(model, journal.record)
    assert unsaved() == []
    history.apply(title("never saved"))
    journal.close()
    (recovery,) = unsaved()
    assert recovery.document is None
    assert recovery.header.kind == "map"
    again = read_map(recovery.text, ruleset=STUB)
    recovery.replay(History(again))
    assert write_map_text(again) == write_map_text(model)

    resumed = recovery.resume()
    file = tmp_path / "saved.map.json"
    resumed.saved(file, save_document(file, write_map_text(again)))
    assert unsaved() == []
    assert os.listdir(state) == []
    resumed.record("edit", title("later"))
    assert resumed.file == tmp_path / ".saved.map.json.journal"


def test_unsaved_work_beside_documents(file: Path) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    journal.close()
    (recovery,) = unsaved(file.parent, file.parent / "no such folder")
    assert recovery.document == file
    assert recovery.base_matches
    recovery.discard()
    assert unsaved(file.parent) == []


# -- trouble -----------------------------------------------------------------------------------------------------------


def test_a_full_disk_neither_blocks_nor_loses_a_step(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, journal, history = session(file)
    history.apply(title("one"))
    write, room = os.write, [10]

    def full(descriptor: int, line: bytes) -> int:
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, line[: room.pop()])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        history.apply(title("two"))
        history.apply(title("three"))
    assert "2 not in the journal" in journal.fault
    assert "Remedy: save soon" in journal.fault
    assert len(history.steps) == 3
    history.apply(title("four"))
    assert not journal.fault
    journal.close()
    recovery = found(file)
    assert [step.edit for step in recovery.steps] == [title(text) for text in ("one", "two", "three", "four")]


def test_a_folder_that_takes_no_journal(file: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refuse(path: Any, *arguments: Any) -> int:
        if os.fspath(path).startswith(os.fspath(file.parent)):
            raise PermissionError(errno.EACCES, "no")
        return real(path, *arguments)

    _, journal, history = session(file)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        history.apply(title("one"))
    assert not journal.fault
    assert journal.file is not None
    assert journal.file.parent == state
    journal.close()
    assert recovered(file).title == "one"
    assert [recovery.document for recovery in unsaved()] == [file]


def test_no_journal_anywhere(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    _, journal, history = session(file)
    monkeypatch.setattr(os, "open", refuse)
    history.apply(title("one"))
    assert "Permission denied" in journal.fault
    journal.close()
    journal.discard()
    assert not journal.fault


def test_what_json_cannot_hold_is_told_at_recovery(file: Path) -> None:
    journal = Journal(file, opened=Stamp.of_file(file))
    numbers = Paint(plane="terrain", cells=np.array([1, 2]), values=["marsh"])  # type: ignore[arg-type]
    journal.record("edit", numbers)
    journal.record("edit", Put(collection="features", record={"id": object()}))
    journal.record("edit", title("three"))
    journal.close()
    recovery = found(file)
    assert [step.edit for step in recovery.steps] == [Paint(plane="terrain", cells=[1, 2], values=["marsh"])]
    assert "was not written" in recovery.notes[0]
    with pytest.raises(ValueError, match="'edit', 'undo' or 'redo'"):
        journal.record("do")


@settings(max_examples=200)
@given(st.data())
def test_random_damage_never_breaks_recovery(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    file = tmp_path_factory.mktemp("damage") / "valley.map.json"
    file.write_bytes(write_map_text(sample_map()))
    _, journal, history = session(file)
    history.apply(Paint(plane="terrain", cells=[1, 2], values=["marsh"]))
    history.apply(title("one"))
    history.undo()
    journal.close()
    assert journal.file is not None
    text = bytearray(journal.file.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        # The length of the text depends on the name of the folder; what is drawn must not.
        place = data.draw(st.integers(0, 100_000)) % len(text)
        if data.draw(st.booleans()):
            text[place] = data.draw(st.integers(0, 255))
        else:
            del text[place : place + data.draw(st.integers(1, 10))]
    journal.file.write_bytes(text)
    recovery = recover(file)
    if recovery is not None:
        model = read_map(file, ruleset=STUB)
        try:
            recovery.replay(History(model))
        except StudioError as error:
            assert str(error)
        recovery.resume().discard()


# -- several journals, spent ones, strange ones ------------------------------------------------------------------------


def left(file: Path, text: str, *, moment: int, kind: str = "map") -> Path:
    """Leave a journal with one step behind."""
    journal = Journal(file, opened=Stamp.of_file(file), kind=kind)
    journal.record("edit", title(text))
    journal.close()
    assert journal.file is not None
    os.utime(journal.file, (moment, moment))
    return journal.file


def test_the_latest_work_on_the_file_as_it_is_comes_first_and_the_others_are_named(file: Path) -> None:
    now = file.read_bytes()
    older, latest = left(file, "older", moment=1), left(file, "latest that fits", moment=2)
    file.write_bytes(write_map_text(new_map()))
    changed = left(file, "later, on another state", moment=3)
    file.write_bytes(now)
    recovery = found(file)
    assert recovery.journal == latest
    assert recovery.base_matches
    assert [entry.journal for entry in recoveries(file)] == [latest, older, changed]
    assert f"another state of the file too, in {changed.name}" in recovery.notes[0]
    assert recovery.notes[1].endswith(f"older unsaved work too, in {older.name}")
    older.unlink()
    latest.unlink()
    assert found(file).journal == changed


def killed_after_the_rename(file: Path) -> Path:
    model, journal, history = session(file)
    history.apply(title("saved"))
    text = write_map_text(model)
    journal.saving(Stamp.of(text))
    file.write_bytes(text)
    journal.close()
    assert journal.file is not None
    return journal.file


def test_a_journal_of_a_save_that_was_done_is_removed_when_it_is_found(file: Path) -> None:
    for look in (lambda: recover(file), lambda: recover(file, kind="map"), lambda: unsaved(file.parent) or None):
        before = file.read_bytes()
        spent = killed_after_the_rename(file)
        assert spent.exists()
        assert look() is None
        assert not spent.exists()
        file.write_bytes(before)  # the file goes back, by git for one: nothing comes up again
        assert recover(file) is None


def test_a_journal_without_a_step_is_removed_but_not_one_that_is_damaged_or_held(file: Path) -> None:
    journal = left(file, "one", moment=1)
    header = journal.read_bytes().partition(b"\n")[0] + b"\n"
    for rest, stays in ((b"", False), (b"what\n", True), (b'{"edit"', True)):
        journal.write_bytes(header + rest)
        assert recover(file) is None
        assert journal.exists() == stays
    journal.unlink()
    _, held, history = session(file)
    history.apply(title("one"))
    assert held.file is not None
    held.file.write_bytes(header)
    assert recover(file) is None
    assert held.file.exists()


def test_a_journal_of_another_kind_is_left_alone(file: Path) -> None:
    other = left(file, "of a scenario", moment=2, kind="scenario")
    assert recover(file, kind="map") is None
    mine = left(file, "of a map", moment=1)
    recovery = recover(file, kind="map")
    assert recovery is not None
    assert recovery.journal == mine
    assert f"{other.name} holds steps of a scenario, not of a map" in recovery.notes[0]
    theirs = recover(file, kind="scenario")
    assert theirs is not None
    assert theirs.journal == other
    other.write_bytes(other.read_bytes().partition(b"\n")[0] + b"\n")
    assert len(recoveries(file, kind="map")) == 1
    assert other.exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_and_devices_are_not_waited_for(file: Path, state: Path) -> None:
    pipe = file.parent / ".valley.map.json.journal"
    os.mkfifo(pipe)
    os.mkfifo(state / "unsaved-map-1.journal")
    (file.parent / ".valley.map.json.journal.2").symlink_to("/dev/zero")
    assert recoveries(file) == []
    assert unsaved(file.parent) == []
    # A new journal takes the next number.
    mine = left(file, "one", moment=1)
    assert mine.name.endswith(".journal.3")
    for device in (pipe, Path("/dev/zero"), Path("/dev/tty"), file.parent):
        with pytest.raises(OSError):
            Stamp.of_file(device)
        mine.write_text(mine.read_text().replace(str(file), str(device)))
        (recovery,) = unsaved(file.parent)
        assert not recovery.base_matches
        mine.write_text(mine.read_text().replace(f'"{device}"', f'"{file}"'))
    with pytest.raises(OSError, match="over 10 bytes"):
        Stamp.of_file(file, limit=10)


def test_what_lies_beyond_the_limit_of_a_journal_is_told_and_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, journal, history = session(file)
    for number in range(20):
        history.apply(title(f"{number:02d}"))
    journal.close()
    assert journal.file is not None
    whole = journal.file.read_bytes()
    monkeypatch.setattr("studio.files.recovery.MAX_JOURNAL", len(whole) - 70)
    recovery = found(file)
    assert len(recovery.steps) == 18
    assert "the steps beyond them are not recovered" in recovery.notes[0]
    recovery.resume().close()
    assert journal.file.with_name(f"{journal.file.name}.damaged-1").read_bytes() == whole

"""Saving: the old file is whole whatever happens, and nobody's work is overwritten without a word."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from studio.errors import ConflictError, StudioError
from studio.files import SaveError, Stamp, read_map, recover, save_document, write_map_text
from studio.files.store import write_atomic
from studio.model import History
from tests.files.helpers import STUB, new_map, sample_map

OLD, NEW = b"old\n", b"new\n"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    file = tmp_path / "x.map.json"
    file.write_bytes(OLD)
    return file


def assert_whole(target: Path) -> None:
    """The old content, and nothing beside it."""
    assert target.read_bytes() == OLD
    assert os.listdir(target.parent) == [target.name]


def test_a_save_replaces_the_file_and_keeps_its_mode(target: Path) -> None:
    target.chmod(0o640)
    stamp = save_document(target, NEW, opened=Stamp.of(OLD))
    assert target.read_bytes() == NEW
    assert target.stat().st_mode & 0o777 == 0o640
    assert stamp == Stamp.of(NEW) == Stamp.of_file(target)
    assert os.listdir(target.parent) == [target.name]


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        save_document(tmp_path / "new", NEW)
    finally:
        os.umask(old)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(target: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "link.map.json"
    link.symlink_to(target)
    save_document(link, NEW, opened=Stamp.of(OLD))
    assert link.is_symlink()
    assert target.read_bytes() == NEW


def test_what_others_changed_is_not_overwritten(target: Path) -> None:
    opened = Stamp.of(OLD)
    target.write_bytes(b"theirs\n")
    with pytest.raises(ConflictError, match=r"git.*notebook.*Remedy: save to another path.*overwrite=True"):
        save_document(target, NEW, opened=opened)
    assert target.read_bytes() == b"theirs\n"
    assert save_document(target, NEW, opened=opened, overwrite=True) == Stamp.of(NEW)
    assert target.read_bytes() == NEW


def test_a_file_of_the_same_size_and_time_is_told_apart(target: Path) -> None:
    moment = target.stat().st_mtime_ns
    target.write_bytes(b"0ld\n")
    os.utime(target, ns=(moment, moment))
    with pytest.raises(ConflictError):
        save_document(target, NEW, opened=Stamp.of(OLD))


def test_an_existing_file_that_was_never_opened(target: Path) -> None:
    with pytest.raises(ConflictError, match="was not opened from here"):
        save_document(target, NEW)
    assert save_document(target, OLD) == Stamp.of(OLD)  # the same content: nothing to write, nothing to lose


def test_a_file_that_was_removed_is_written_again(target: Path) -> None:
    target.unlink()
    save_document(target, NEW, opened=Stamp.of(OLD))
    assert target.read_bytes() == NEW


def test_a_read_only_file_is_left_alone(target: Path) -> None:
    target.chmod(0o444)
    with pytest.raises(SaveError, match=r"read-only .*Remedy: save to another path"):
        save_document(target, NEW, opened=Stamp.of(OLD))
    assert_whole(target)


def test_places_that_cannot_be(target: Path, tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="there is no folder"):
        save_document(tmp_path / "no" / "x", NEW)
    with pytest.raises(SaveError, match="is a folder"):
        save_document(tmp_path, NEW)
    with pytest.raises(SaveError):
        save_document(target / "x", NEW)
    with pytest.raises(SaveError):
        save_document(tmp_path / ("x" * 300), NEW)
    with pytest.raises(SaveError):
        save_document("nul\0byte", NEW)
    if not hasattr(os, "mkfifo"):
        return
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SaveError, match="no plain file"):
        write_atomic(tmp_path / "pipe", NEW)


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_trouble_on_the_way_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(StudioError, match=r"x\.map\.json: not saved: .*The old file is whole\. Remedy: ") as caught:
        save_document(target, NEW, opened=Stamp.of(OLD))
    monkeypatch.undo()
    assert ("the disk is full" in str(caught.value)) == (code == errno.ENOSPC)
    assert_whole(target)


def test_an_interrupt_leaves_the_old_file(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_document(target, NEW, opened=Stamp.of(OLD))
    assert_whole(target)


def test_a_change_while_we_write_is_noticed(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def meanwhile(descriptor: int) -> None:
        target.write_bytes(b"theirs\n")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(ConflictError):
        save_document(target, NEW, opened=Stamp.of(OLD))
    assert target.read_bytes() == b"theirs\n"
    assert os.listdir(target.parent) == [target.name]


def test_rests_of_killed_saves_are_swept(target: Path) -> None:
    old, young = (target.parent / f".{target.name}.{mark * 8}.tmp" for mark in "ab")
    for rest in (old, young):
        rest.write_bytes(b"")
    os.utime(old, (time.time() - 10_000,) * 2)
    save_document(target, NEW, opened=Stamp.of(OLD))
    assert sorted(os.listdir(target.parent)) == sorted([young.name, target.name])


KILLED = """
import os, signal, sys
from studio.files import Journal, Stamp, load_map, save_document, write_map_text
from studio.model import History, Paint, SetField
from tests.files.helpers import STUB

path, moment = sys.argv[1:]
loaded = load_map(path, ruleset=STUB)
journal = Journal(path, opened=loaded.stamp)
history = History(loaded.model, journal.record)
history.apply(Paint(plane="terrain", cells=[1, 2, 3], values=["marsh"]))
history.apply(SetField(field="title", value="Unsaved"))
history.undo()
history.apply(Paint(plane="levels", cells=[0], values=[2]))
replace = os.replace
def kill(*arguments):
    if moment == "after":
        replace(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
os.replace = kill
text = write_map_text(loaded.model)
journal.saving(Stamp.of(text))
save_document(path, text, opened=loaded.stamp)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_around_the_rename(tmp_path: Path, moment: str) -> None:
    file = tmp_path / "valley.map.json"
    old = write_map_text(sample_map())
    file.write_bytes(old)
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), moment], cwd=Path.cwd(), check=False)
    assert done.returncode == -signal.SIGKILL

    wanted = sample_map()
    wanted.terrain.flat[[1, 2, 3]] = wanted.terrain_ids.index("marsh")
    wanted.levels.flat[0] = 2
    assert file.read_bytes() == (old if moment == "before" else write_map_text(wanted))
    model = read_map(file, ruleset=STUB)
    recovery = recover(file)
    if moment == "before":
        assert recovery is not None
        assert recovery.base_matches
        history = History(model)
        assert recovery.replay(history) == 4
    else:
        assert recovery is None  # the save was complete: nothing is made twice
    assert write_map_text(model) == write_map_text(wanted)


def test_saves_of_the_same_map_give_the_same_bytes(tmp_path: Path) -> None:
    stamp = save_document(tmp_path / "a", write_map_text(new_map()))
    assert save_document(tmp_path / "b", write_map_text(new_map())) == stamp

"""A map made anew: what is killed, full, gone, moved or done by two at once never loses an edit without a word."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import geopandas
import pyogrio
import pytest

import studio
from studio.errors import ConflictError, DocumentError, StudioError
from studio.exchange.geography.overrides.gathered import overrides_text, read_overrides
from studio.exchange.geography.record import read_record
from studio.exchange.geography.spec import Override
from studio.files import SaveError, store
from studio.files.canonical import map_text
from studio.model import SetField
from tests.exchange.geography.delta import lay_delta

MARSH = Override(hexes=("0101", "0203"), terrain="marsh")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data, the map and its record, which no test writes into."""
    folder = tmp_path_factory.mktemp("delta")
    studio.import_geography(lay_delta(folder), folder / "delta.map.json").map.close()
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return copied(original, tmp_path / "delta")


def copied(source: Path, folder: Path) -> Path:
    folder.mkdir()
    for file in source.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def again(folder: Path, **options: Any) -> studio.GeographyImport:
    made = studio.import_geography(folder / "delta.geography.toml", folder / "delta.map.json", **options)
    made.map.close()
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def edit(folder: Path) -> None:
    map_ = studio.open_map(folder / "delta.map.json")
    map_.paint(["0101", "0203"], terrain="marsh").save()
    map_.close()


def rewrite(folder: Path, old: str, new: str) -> None:
    spec = folder / "delta.geography.toml"
    text = spec.read_text(encoding="utf-8")
    assert old in text
    spec.write_text(text.replace(old, new, 1), encoding="utf-8")


# -- killed, full ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that end in the middle")
@pytest.mark.parametrize("lowered", [True, False], ids=["other data", "same data"])
def test_a_process_that_is_killed_leaves_whole_files_and_the_next_run_goes_on(folder, tmp_path, monkeypatch, lowered):
    """At every step of writing: the map with other data and edits, and one whose text stays as it is."""
    (folder / "delta.overrides.json").write_bytes(overrides_text([Override(hexes=("0505",), terrain="hills")]))
    again(folder)
    edit(folder)
    if lowered:
        rewrite(folder, "above = 400.0", "above = 50.0")
    expected = copied(folder, tmp_path / "expected")
    made = _building_once(monkeypatch)
    again(expected, keep=True)
    made.clear()
    states = set()
    for number in range(40):
        here = copied(folder, tmp_path / f"killed-{number}")
        ended = _killed(number, lambda: again(here, keep=True))  # noqa: B023
        found = contents(here)
        states.add(tuple(found[name] == contents(expected)[name] for name in _WRITTEN))
        studio.open_map(here / "delta.map.json").close()
        read_record(here / "delta.geography.json")
        read_overrides(here / "delta.overrides.json")
        made.clear()
        again(here, keep=True)
        left = {name: text for name, text in contents(here).items() if not name.endswith(".tmp")}
        assert left == contents(expected)
        if ended:
            break
    assert ended
    assert len(states) >= (4 if lowered else 3)


_WRITTEN = ("delta.map.json", "delta.geography.json", "delta.overrides.json")


def _building_once(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Let runs in processes of this one take what was built for the first."""
    from studio.exchange.geography import build

    made: dict[str, Any] = {}
    whole = build.build

    def once(*args: Any, **options: Any) -> Any:
        if "made" not in made:
            made["made"] = whole(*args, **options)
        return made["made"]

    monkeypatch.setattr(build, "build", once)
    return made


def _killed(number: int, run: Callable[[], object]) -> bool:
    """Run in a process that ends before it writes, renames or removes for that time; tell whether it did not."""
    child = os.fork()
    if child == 0:
        calls = 0

        def deadly(call: Callable[..., Any]) -> Callable[..., Any]:
            def counted(*args: Any, **options: Any) -> Any:
                nonlocal calls
                if calls == number:
                    os._exit(9)
                calls += 1
                return call(*args, **options)

            return counted

        for name in ("replace", "unlink", "fsync", "write"):
            setattr(os, name, deadly(getattr(os, name)))
        try:
            run()
        except BaseException:
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 0


@pytest.mark.parametrize("file", ["next", "overrides", "map"])
def test_a_full_disk_changes_nothing(folder, monkeypatch, file):
    (folder / "delta.overrides.json").write_bytes(b"[]\n")
    again(folder)
    edit(folder)
    rewrite(folder, "above = 400.0", "above = 50.0")
    before = contents(folder)
    writing = store._write_beside

    def full(target: Path, data: bytes, mode: int | None) -> Path:
        if file in target.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return writing(target, data, mode)

    monkeypatch.setattr(store, "_write_beside", full)
    with pytest.raises(SaveError, match="disk is full"):
        again(folder, keep=True)
    assert contents(folder) == before
    monkeypatch.undo()
    assert again(folder, keep=True).notes[0].startswith("kept as overrides")
    assert read_overrides(folder / "delta.overrides.json") == [MARSH]


def test_a_file_of_overrides_that_may_not_be_written_is_told_before_any_work(folder):
    file = folder / "delta.overrides.json"
    file.write_bytes(b"[]\n")
    again(folder)
    edit(folder)
    file.chmod(0o444)
    steps: list[str] = []
    with pytest.raises(SaveError, match=r"delta\.overrides\.json.*read-only"):
        again(folder, keep=True, progress=lambda step, _: steps.append(step))
    assert steps == []


def test_a_folder_that_cannot_be_made_is_told(folder):
    file = folder / "delta.geography.toml"
    for given in (file, folder / "delta.gpkg"):
        with pytest.raises(SaveError, match="its folder cannot be made"):
            studio.import_file(given, file / "in it" / "x.map.json")


# -- two at once -------------------------------------------------------------------------------------------------------


def test_of_two_imports_at_once_the_record_is_that_of_the_map(folder):
    """The other one ends first: with the same data both are done, with other data the second is refused."""

    def other(step: str, _: float) -> None:
        if step == "done":
            again(folder)

    again(folder, progress=other)
    rewrite(folder, "above = 400.0", "above = 50.0")

    def another(step: str, _: float) -> None:
        if step == "done":
            rewrite(folder, "above = 50.0", "above = 20.0")
            again(folder)

    with pytest.raises(ConflictError, match="was changed since"):
        again(folder, progress=another)
    record = read_record(folder / "delta.geography.json")
    assert map_text(record.base) == (folder / "delta.map.json").read_bytes()
    assert not [name for name in contents(folder) if name.startswith(".")]
    again(folder)


def test_overrides_that_somebody_writes_meanwhile_stay(folder):
    file = folder / "delta.overrides.json"
    edit(folder)
    own = overrides_text([Override(hexes=("0404",), terrain="hills", note="by hand")])

    def meddle(step: str, _: float) -> None:
        if step == "done":
            file.write_bytes(own)

    before = contents(folder)
    with pytest.raises(ConflictError, match=r"delta\.overrides\.json"):
        again(folder, keep=True, progress=meddle)
    assert contents(folder) == before | {file.name: own}
    again(folder, keep=True)
    assert read_overrides(file) == [Override(hexes=("0404",), terrain="hills", note="by hand"), MARSH]


# -- always a word -----------------------------------------------------------------------------------------------------


def test_a_grid_that_lies_elsewhere_is_told_where_overrides_name_hexes(folder):
    rewrite(folder, "left = 500000", "left = 501000")
    assert again(folder).notes == []
    edit(folder)
    again(folder, keep=True)
    rewrite(folder, "left = 501000", "left = 520000")
    assert any("grid lies otherwise" in note and "delta.overrides.json" in note for note in again(folder).notes)
    assert not any("grid lies otherwise" in note for note in again(folder).notes)


def test_edits_of_hexes_that_a_smaller_grid_does_not_have_are_refused_and_stay(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    map_.paint(["0101", "0902"], terrain="marsh").save()
    map_.close()
    rewrite(folder, "columns = 9", "columns = 6")
    rewrite(folder, '"Basra", "Ahwaz"]', '"Basra", "0101"]')
    before = contents(folder)
    with pytest.raises(DocumentError, match=r"(?s)no hex '0902'.*is not written yet.*keep them first"):
        again(folder, keep=True)
    assert contents(folder) == before


def test_a_file_of_overrides_that_is_gone_is_told(folder):
    edit(folder)
    again(folder, keep=True)
    (folder / "delta.overrides.json").unlink()
    assert again(folder).notes == ["the overrides in delta.overrides.json, which the map had, are gone with that file"]
    assert again(folder).notes == []


def test_a_map_of_another_game_is_not_replaced(folder):
    text = (folder / "delta.geography.toml").read_text(encoding="utf-8")
    other = text[: text.index("[terrain]")].replace("ignorant_armies", "armageddon_war")
    (folder / "delta.geography.toml").write_text(other, encoding="utf-8")
    before = contents(folder)
    for keep in (False, True):
        with pytest.raises(ConflictError, match="game ignorant_armies, and the specification is for armageddon_war"):
            again(folder, keep=keep)
    assert contents(folder) == before


def test_sources_that_were_edited_stay_and_those_of_new_data_are_added(folder):
    map_ = studio.open_map(folder / "delta.map.json")
    map_.apply(SetField(field="sources", value=[{"title": "My survey", "licence": "CC0"}]))
    map_.save()
    map_.close()
    again(folder, keep=True)
    more = (
        '[[sources]]\nid = "more"\nfile = "delta.gpkg"\nlayer = "land"\ntitle = "More"\nlicence = "ODbL"\n[terrain]\n'
    )
    rewrite(folder, "[terrain]\n", more)
    titles = [one.title for one in again(folder, keep=True).map.document.sources]
    assert titles == ["My survey", "More"]


def test_a_map_that_will_not_find_its_own_game_is_told(folder, tmp_path):
    game = "\n".join(
        [
            'id = "delta_war"',
            'title = "Delta War"',
            "levels = [0, 1]",
            "hex_metres = 200",
            'features = ["road", "name"]',
            "[movers.foot]",
            'name = "Foot"',
            "[terrain.clear]",
            'name = "Clear"',
            'char = "."',
        ]
    )
    (folder / "delta_war.ruleset.toml").write_text(game, encoding="utf-8")
    text = (folder / "delta.geography.toml").read_text(encoding="utf-8")
    own = text[: text.index("[[sources]]")].replace("ignorant_armies", "delta_war")
    spec = folder / "own.geography.toml"
    spec.write_text(own, encoding="utf-8")
    assert studio.import_geography(spec, folder / "own.map.json").notes == []
    (note,) = studio.import_geography(spec, tmp_path / "own.map.json").notes
    assert "delta_war.ruleset.toml, which does not exist" in note


def test_a_map_whose_record_cannot_be_read_names_the_file(folder):
    (folder / "delta.geography.json").write_bytes(b"[")
    with pytest.raises(StudioError, match=r"delta\.geography\.json"):
        again(folder)


# -- the same bytes ----------------------------------------------------------------------------------------------------

_RUN = "import sys, studio; studio.import_geography(sys.argv[1], sys.argv[2])"


def test_another_process_place_time_and_language_give_the_same_bytes(folder, tmp_path):
    for name in ("delta.map.json", "delta.geography.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
        (folder / name).unlink()
    own = os.environ | {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
    root = str(Path(studio.__file__).parent.parent)
    own |= {"PYTHONPATH": root}
    files = [str(folder / name) for name in ("delta.geography.toml", "delta.map.json")]
    subprocess.run([sys.executable, "-c", _RUN, *files], check=True, env=own, cwd=tmp_path)
    for name in ("delta.map.json", "delta.geography.json"):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes()


def test_rows_in_another_order_give_the_same_map_and_report(folder):
    before = read_record(folder / "delta.geography.json")
    file = folder / "delta.gpkg"
    tables = {name: geopandas.read_file(file, layer=name) for name, _ in pyogrio.list_layers(file)}
    file.unlink()
    for name, table in tables.items():
        table.iloc[::-1].to_file(file, layer=name, driver="GPKG")
    again(folder)
    after = read_record(folder / "delta.geography.json")
    assert [one.name for one in after.files if one not in before.files] == ["delta.gpkg"]
    assert (after.base, after.entries, after.hexes) == (before.base, before.entries, before.hexes)

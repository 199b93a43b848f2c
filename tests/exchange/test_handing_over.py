"""Exports and imports as people call them: by how the file ends, from Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.cli.main import main
from studio.draw.arguments import OptionError
from studio.errors import DocumentError, StudioError, UnknownNameError
from studio.exchange.formats import formats
from studio.files import write_map_text, write_scenario_text

ROOT = Path(__file__).parents[2]
GAMES = ["armageddon-01", "tactics-16", "practice-front"]


@pytest.fixture(scope="module", params=GAMES)
def scenario(request: pytest.FixtureRequest) -> Any:
    return studio.open_scenario(ROOT / "scenarios" / f"{request.param}.scenario.json", recover_unsaved=False)


def test_every_format_says_how_its_files_end_and_can_be_loaded() -> None:
    endings = [suffix for one in formats() for suffix in one.suffixes]
    assert len(endings) == len(set(endings))
    for one in formats():
        if one.module:
            assert hasattr(one.load(), "print_map" if one.printed else "write"), one.id
            assert one.options_type.__struct_fields__


@pytest.mark.parametrize("ending", [".tmj", ".tmx", ".gpkg", ".geojson"])
def test_a_map_and_its_scenario_come_back(scenario: Any, ending: str, tmp_path: Path) -> None:
    notes: list[str] = []
    written = scenario.export(tmp_path / f"day{ending}", notes=notes)
    assert written.stat().st_size > 1000
    back: Any = studio.import_file(written, tmp_path / "back.map.json")
    assert back.kind == "scenario"
    assert write_map_text(back.map.model) == write_map_text(scenario.map.model)
    mine, theirs = (json.loads(write_scenario_text(one.model)) for one in (scenario, back))
    assert mine.pop("map")["file"] != theirs.pop("map")["file"]
    assert mine == theirs


def test_tables_keep_hexes_sides_and_units_and_say_what_they_lose(scenario: Any, tmp_path: Path) -> None:
    notes: list[str] = []
    scenario.export(tmp_path / "day.csv", notes=notes)
    assert any("tables hold the units alone" in one for one in notes)
    back: Any = studio.import_file(tmp_path / "day.csv", tmp_path / "back.map.json")
    mine, theirs = scenario.map.model.to_document(), back.map.model.to_document()
    assert (mine.terrain, mine.sides, mine.grid) == (theirs.terrain, theirs.sides, theirs.grid)
    units = [
        [unit.id for force in one.document.forces for part in force.formations for unit in part.units]
        for one in (scenario, back)
    ]
    assert units[0] == units[1]


def test_a_map_alone_goes_to_every_format_for_maps(tmp_path: Path) -> None:
    desert = studio.new_map("armageddon_war", columns=6, rows=5, title="Wells")
    desert.paint(["0202", "0303"], terrain="light_woods")
    desert.save(tmp_path / "wells.map.json")
    for one in formats("map"):
        for suffix in one.suffixes:
            if suffix in (".vsav", ".parquet"):
                continue  # the one goes with a module, the other needs a library that not everybody has
            written = desert.export(tmp_path / f"wells{suffix}")
            assert written.is_file(), suffix


def test_wrong_names_and_options_are_said(tmp_path: Path) -> None:
    desert = studio.new_map("armageddon_war", columns=4, rows=4)
    desert.save(tmp_path / "a.map.json")
    with pytest.raises(UnknownNameError, match="vassal"):
        desert.export(tmp_path / "a.tmj", to="vasal")
    with pytest.raises(OptionError, match="hex_px"):
        desert.export(tmp_path / "a.tmj", hex_pix=64)
    with pytest.raises(StudioError, match="no such file"):
        studio.import_file(tmp_path / "none.tmj", tmp_path / "b.map.json")
    (tmp_path / "a.doc").write_text("x")
    with pytest.raises(StudioError, match="does not take in such a file"):
        studio.import_file(tmp_path / "a.doc", tmp_path / "b.map.json")
    written = desert.export(tmp_path / "a.tmj")
    with pytest.raises(StudioError, match="there already"):
        studio.import_file(written, tmp_path / "a.map.json")
    with pytest.raises(OptionError, match="mapping"):
        studio.import_file(written, tmp_path / "b.map.json", mappings={})
    written.write_text("{")
    with pytest.raises(DocumentError):
        studio.import_file(written, tmp_path / "b.map.json")
    assert not (tmp_path / "b.map.json").exists()


def test_the_command_line_hands_over_and_takes_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(ROOT / "maps" / "tactics-4.map.json")
    assert main(["export", source, "-o", str(tmp_path / "t.tmx"), "--option", "tiles=collection"]) == 0
    capsys.readouterr()
    assert main(["import", str(tmp_path / "t.tmx"), "-o", str(tmp_path / "back.map.json"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["written"] == [str(tmp_path / "back.map.json")]
    assert (tmp_path / "back.map.json").read_bytes() == Path(source).read_bytes()


def test_a_table_of_somebody_else_is_read_with_a_mapping(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("hex,ground\n0101,sand\n0201,sand\n0102,trees\n0202,sand\n", encoding="utf-8")
    arguments = ["import", str(tmp_path / "mine.csv"), "-o", str(tmp_path / "mine.map.json")]
    options = {
        "mapping": {"sand": "soft_sand", "trees": "light_woods"},
        "headers": {"label": "hex", "terrain": "ground"},
        "labels": {},
        "columns": 2,
        "rows": 2,
    }
    for name, value in options.items():
        arguments += ["--option", f"{name}={msgspec.json.encode(value).decode()}"]
    assert main([*arguments, "--ruleset", "armageddon_war"]) == 0
    made = studio.open_map(tmp_path / "mine.map.json", recover_unsaved=False)
    assert made.model.terrain_at(made.labels.cell("0102")) == "light_woods"

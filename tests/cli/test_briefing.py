"""`studio brief` and `studio calendar`: sheets and turn tracks from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from studio.cli import main

RAID = "scenarios/armageddon-01.scenario.json"


def test_a_sheet_is_written(tmp_path: Path, capsys: Any) -> None:
    for name, start in (("sheet.html", b"<!DOCTYPE html>"), ("sheet.pdf", b"%PDF-")):
        target = tmp_path / name
        assert main(["brief", RAID, "-o", str(target), "--no-pictures", "--paper", "letter"]) == 0
        assert target.read_bytes().startswith(start)
        assert "Holding action" in capsys.readouterr().out


def test_a_sheet_as_json(tmp_path: Path, capsys: Any) -> None:
    assert main(["brief", RAID, "-o", str(tmp_path / "s.html"), "--no-pictures", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sections"][0] == "At a glance"


def test_a_calendar_is_told_and_drawn(tmp_path: Path, capsys: Any) -> None:
    picture = tmp_path / "track.png"
    assert main(["calendar", RAID, "-o", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "Activation 16" in out and f"picture: {picture}" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["calendar", RAID, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["unit"] == "activation" and told["rows"][1]["items"][0]["kind"] == "arrival"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["brief", "maps/armageddon-1.map.json", "-o", "x.html"], "a sheet is made of a scenario"),
        (["calendar", "maps/armageddon-1.map.json"], "a calendar is made of a scenario"),
        (["brief", RAID, "-o", "x.docx"], "allowed suffixes are .html"),
        (["brief", RAID, "-o", RAID], "would replace a document"),
        (["brief", RAID, "-o", "nowhere/x.pdf"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_done_is_refused(arguments: list[str], said: str, capsys: Any) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err

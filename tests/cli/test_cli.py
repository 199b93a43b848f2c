"""The command line: output as documented, exit codes 0 fine, 1 findings of error, 2 usage."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

import studio
from studio.cli import main

ROOT = Path(__file__).parents[2]
MAP = str(ROOT / "maps" / "armageddon-1.map.json")
SCENARIO = str(ROOT / "scenarios" / "armageddon-01.scenario.json")


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> Any:
    found, out, err = run(capsys, *args, "--json")
    assert found == code, err
    return json.loads(out)


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "check", MAP, SCENARIO)
    assert {one["severity"] for one in data["findings"]} <= {"note"}  # where the print errs
    assert [(one["file"], one["errors"], one["warnings"]) for one in data["files"]] == [(MAP, 0, 0), (SCENARIO, 0, 0)]
    code, out, _ = run(capsys, "check", MAP)
    assert (code, out) == (0, "1 file checked: 0 errors, 0 warnings\n")


def test_sight(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "sight", MAP, "T11", "F12")
    assert set(data) >= {"from", "to", "status", "hindrances", "modifiers", "reasons", "contacts"}
    assert (data["from"], data["to"], data["status"]) == ("T11", "F12", "blocked")
    assert all(set(reason) == {"rule", "at", "effect", "text"} for reason in data["reasons"])
    assert all(set(contact) == {"at", "how", "enter", "leave"} for contact in data["contacts"])
    code, out, _ = run(capsys, "sight", MAP, "G4", "M7")
    assert code == 0
    assert out.startswith("G4 to M7: clear\n")


def test_sight_with_another_reading_and_with_a_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "sight", MAP, "A1", "A2", "--option", "border_rule=none")
    assert (code, "'per_hex', 'per_border'" in err) == (2, True)
    assert as_json(capsys, "sight", SCENARIO, "W1", "U9")["status"] == "blocked"
    code, _, err = run(capsys, "sight", MAP, "A1", "A2", "--option", "border_rule")
    assert (code, "name=value" in err) == (2, True)


def test_view(capsys: pytest.CaptureFixture[str]) -> None:
    data = as_json(capsys, "view", MAP, "U9")
    hexes = sorted([*data["clear"], *data["hindered"], *data["blocked"]])
    assert hexes == sorted(studio.open_map(MAP, recover_unsaved=False).labels.all())
    assert data["from"] == "U9"
    assert "U9" in data["clear"]


def test_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    small = tmp_path / "small.map.json"
    as_json(capsys, "new", small, "--ruleset", "armageddon_war", "--columns", 6, "--rows", 5)
    assert as_json(capsys, "table", small, "-o", tmp_path / "t.csv")["hexes"] == 30
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert (len(lines), lines[0], lines[1]) == (901, "from,to,status", "0101,0101,clear")
    as_json(capsys, "table", small, "-o", tmp_path / "t.npz")
    with np.load(tmp_path / "t.npz") as held:
        assert held["codes"].shape == (30, 30)
        assert held["labels"][0] == "0101"
    code, _, err = run(capsys, "table", small, "-o", tmp_path / "t.txt")
    assert (code, ".csv" in err) == (2, True)


def test_new(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "desert.map.json"
    args = ("new", target, "--ruleset", "armageddon_war", "--columns", 9, "--rows", 4)
    code, out, _ = run(capsys, *args, "--labels", "letters", "--title", "Bir Hasana")
    assert (code, str(target) in out) == (0, True)
    made = studio.open_map(target)
    assert (made.title, made.labels.label(0), made.grid.columns, made.grid.rows) == ("Bir Hasana", "A1", 9, 4)
    code, _, err = run(capsys, *args)
    assert (code, "exists already" in err) == (2, True)
    code, _, err = run(capsys, "new", tmp_path / "no" / "x.map.json", *args[2:])
    assert (code, "no folder" in err) == (2, True)
    code, _, err = run(capsys, "new", tmp_path / "y.map.json", "--ruleset", "go", "--columns", 9, "--rows", 4)
    assert (code, "unknown ruleset 'go'" in err) == (2, True)
    code, _, err = run(
        capsys, "new", tmp_path / "y.map.json", "--ruleset", "armageddon_war", "--columns", 0, "--rows", 4
    )
    assert (code, "allowed 1 to 2000" in err) == (2, True)


def test_draw_and_the_pictures_of_sight_and_view(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    as_json(capsys, "draw", MAP, "-o", tmp_path / "m.png", "--hex-px", 16)
    as_json(capsys, "sight", MAP, "W1", "U9", "--picture", tmp_path / "s.png")
    as_json(capsys, "view", MAP, "U9", "--picture", tmp_path / "v.png")
    for name in ("m.png", "s.png", "v.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_two_exports_are_equal_and_the_bundle_loads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        as_json(capsys, "export", SCENARIO, "--to", "bundle", "-o", tmp_path / f"{name}.bundle.zip")
    first, second = (tmp_path / f"{name}.bundle.zip" for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    bundle = studio.open_bundle(first)
    printed = studio.open_map(MAP, recover_unsaved=False)
    assert [entry["label"] for entry in bundle.locations] == printed.labels.all()
    for a, b in (("G4", "M7"), ("T11", "F12"), ("W1", "U9"), ("U9", "V8")):
        assert bundle.sight(a, b) == printed.sight(a, b).status


def test_a_scenario_with_a_fault_exports_nothing_and_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = (
        Path(SCENARIO).read_text().replace("../maps/", f"{ROOT}/maps/").replace('"rebel.technical"', '"rebel.tecnical"')
    )
    broken = tmp_path / "broken.scenario.json"
    broken.write_text(text)
    target = tmp_path / "broken.bundle.zip"
    data = as_json(capsys, "export", broken, "--to", "bundle", "-o", target, code=1)
    errors = [finding for finding in data["findings"] if finding["severity"] == "error"]
    assert [(entry["rule"], entry["at"]) for entry in errors] == [
        ("scenario.unit_known", "rebel/rebels/rebel-technical")
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.scenario.json"]
    assert as_json(capsys, "check", broken, code=1)["findings"][0]["rule"] == "scenario.unit_known"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"{", "cut off"),
        (b"[1, 2]", "object"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b'{"format": "wargame-studio/map", "version": 99}', "newer"),
        (b'{"format": "something"}', "format"),
        (b"[" * 100_000, ""),
    ],
)
def test_files_that_are_no_maps(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "bad.map.json"
    file.write_bytes(content)
    data = as_json(capsys, "check", file, code=1)
    assert words in " ".join(finding["at"] + finding["message"] + finding["remedy"] for finding in data["findings"])
    assert all(finding["file"] == str(file) for finding in data["findings"])
    code, _, err = run(capsys, "sight", file, "A1", "A2")
    assert (code, str(file) in err) == (1, True)
    assert file.read_bytes() == content


def test_a_missing_file_and_an_unknown_label(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "sight", tmp_path / "none.map.json", "A1", "A2")
    assert (code, "none.map.json" in err) == (2, True)
    code, _, err = run(capsys, "sight", MAP, "A1", "u9")
    assert (code, "did you mean 'U9'" in err) == (2, True)
    assert "error" in as_json(capsys, "view", MAP, "Q99", code=2)
    assert as_json(capsys, "check", tmp_path / "none.map.json", code=2)["findings"][0]["severity"] == "error"


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"id": "armageddon_war", "title": "Armageddon War"} in as_json(capsys, "rules")["rulesets"]
    data = as_json(capsys, "rules", "armageddon_war")
    assert data["options"]["border_rule"] == "per_hex"
    code, out, _ = run(capsys, "rules", "armageddon_war")
    assert (code, "border_rule = per_hex * | per_border" in out) == (0, True)
    checks = as_json(capsys, "rules", "--checks")["checks"]
    assert {"map.road_end", "scenario.entry"} <= {entry["rule"] for entry in checks}


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for args in ([], ["fly"], ["sight", MAP], ["export", MAP, "--to", "papyrus", "-o", "x"]):
        with pytest.raises(SystemExit) as caught:
            main(args)
        assert caught.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_the_command_is_installed() -> None:
    command = [sys.executable, "-m", "studio.cli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == f"studio {studio.__version__}\n"


def test_lab_names_a_missing_notebook(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "lab", "nowhere.ipynb")
    assert (code, "no such notebook" in err) == (2, True)


def test_lab_makes_a_launcher_where_there_is_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda command: called.append(command) or 0)
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "lab", "--no-browser", "--json")
    assert code == 0 and json.loads(out)["notebook"] == "studio-start.ipynb"
    book = json.loads((tmp_path / "studio-start.ipynb").read_text())
    assert "studio.launcher()" in book["cells"][1]["source"]
    (tmp_path / "studio-start.ipynb").write_text("mine")
    run(capsys, "lab", "--no-browser")
    assert (tmp_path / "studio-start.ipynb").read_text() == "mine", "what is there is never written over"
    assert called[0][2:5] == ["jupyter", "lab", "studio-start.ipynb"]
    # The connection that the option names is there, and is the server's own but for one thing.
    module, _, name = called[0][5].partition("=")[2].rpartition(".")
    assert issubclass(getattr(importlib.import_module(module), name), ZMQChannelsWebsocketConnection)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00-start.ipynb").write_text("{}")
    code, out, _ = run(capsys, "lab", "--no-browser", "--json")
    assert json.loads(out)["notebook"] == "notebooks/00-start.ipynb"

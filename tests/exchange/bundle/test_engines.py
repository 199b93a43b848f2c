"""The engines that have nothing but a reader beside them: the same transcript from both, and right costs."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from studio.files import reader
from tests.exchange.bundle.corpus import FOLDER
from tests.exchange.bundle.test_format import GAMES, exported
from tests.exchange.bundle.valid import VALID
from tests.project.tree import ROOT

ENGINE = ROOT / "exports" / "engine"
READERS = ROOT / "studio" / "files"

SCRIPT = """board
units
area squad-2
place squad-2 0401
place squad-2 0301
place squad-1 0101
place car-1 0104
move squad-1 0303
enter car-1 0104
sight 0101 0404
sight 0101 0103
next
move squad-1 0303
move squad-1 0302
move squad-1 0302
enter car-1 0104
next
enter car-1 0404
enter car-1 0104
enter squad-3 0104
move car-1 0201
move car-1 0101
units
board
next
move squad-2 0101
next
next
sight 0101 9999
march squad-1
help
quit
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the engines and the readers, and nothing else."""
    folder = tmp_path_factory.mktemp("engine")
    for file in (ENGINE / "engine.py", ENGINE / "engine.mjs", READERS / "reader.py", READERS / "reader.mjs"):
        shutil.copy(file, folder)
    return folder


def played(command: list[str], folder: Path, name: str, script: str) -> str:
    bundle = FOLDER / "valid" / f"{name}.bundle.zip"
    done = subprocess.run(
        [*command, str(bundle)], input=script, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert not done.stderr
    return done.stdout


def in_python(folder: Path, name: str, script: str) -> str:
    # Neither the packages that are installed nor the environment of this process.
    return played([sys.executable, "-S", "-E", "engine.py"], folder, name, script)


def answers(transcript: str) -> dict[str, str]:
    """Return the last answer to each command."""
    return dict(part.split("\n", 1) for part in ("\n" + transcript.rstrip("\n")).split("\n> ")[1:])


def test_a_game_is_played_by_what_the_bundle_says(alone: Path) -> None:
    said = answers(in_python(alone, "own-game", SCRIPT))
    assert said["area squad-2"] == "squad-2: in row 01: 0101 0201 0401"  # 0301 is closed
    assert said["place squad-2 0401"] == "squad-2 at 0401"
    assert said["place squad-2 0301"] == "no: squad-2 is on the map"
    assert said["place car-1 0104"] == "no: car-1 does not come that way, but by: enter"
    assert said["sight 0101 0404"] == "no: 0404 is not in play"
    assert said["sight 0101 0103"] == "0101 to 0103: clear"
    assert said["move squad-1 0303"] == "no: squad-1 has 4 points; 0101 0102 0202 0303 costs 4½"
    assert said["move squad-1 0302"] == "no: squad-1 has moved in this turn"
    assert said["enter car-1 0404"] == "no: 0404 is not in play"
    assert said["enter car-1 0104"] == "car-1 enters at 0104"
    assert said["move car-1 0201"] == "car-1: 0104 0103 0102 0201 for 2 of 8 points"
    assert "squad-3: 0201" in said["units"]  # carried along
    assert said["next"] == "no: the game is over"
    assert said["march squad-1"] == "no: no command march; try help"


@pytest.mark.node
def test_both_engines_say_the_same(alone: Path) -> None:
    assert in_python(alone, "own-game", SCRIPT) == played(["node", "engine.mjs"], alone, "own-game", SCRIPT)


@pytest.mark.node
@pytest.mark.parametrize("name", VALID)
def test_both_engines_say_the_same_of_every_valid_bundle(alone: Path, name: str) -> None:
    bundle = reader.read_bundle(FOLDER / "valid" / f"{name}.bundle.zip")
    setup: dict[str, Any] = bundle.setup or {"units": [], "areas": []}
    lines = ["board", "units"]
    for unit in setup["units"]:
        labels = setup["areas"][unit["area"]]["labels"]
        lines += [f"area {unit['id']}", *(f"place {unit['id']} {label}" for label in labels[:1])]
    for _ in range(3):
        lines.append("next")
        for unit in setup["units"]:
            labels = setup["areas"][unit["area"]]["labels"]
            lines += [f"enter {unit['id']} {label}" for label in labels[:1]]
            places = [unit["at"] or (labels or [""])[0]]
            around = bundle.location(places[0])["neighbours"] if places[0] else []
            lines += [f"move {unit['id']} {label}" for label in around[:2]]
    labels = [place["label"] for place in bundle.locations][:12]
    lines += [f"sight {a} {b}" for a in labels for b in labels[::5] if " " not in a]
    script = "\n".join([*lines, "units", "board", ""])
    mine = in_python(alone, name, script)
    assert mine == played(["node", "engine.mjs"], alone, name, script)
    assert mine.count("\n> ") == len(lines) + 2


def test_engines_are_short() -> None:
    for name in ("engine.py", "engine.mjs"):
        assert len((ENGINE / name).read_text("utf-8").splitlines()) <= 250


@pytest.mark.parametrize("name", ["armageddon-01", "own-game"])
def test_what_the_page_adds_up_to_is_what_steps_cost_between_hexes(name: str) -> None:
    """The page says so of Armageddon War and of games of one's own; in the others more comes in."""
    spec = importlib.util.spec_from_file_location("bundle_engine", ENGINE / "engine.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bundle = exported(name) if name in GAMES else reader.read_bundle(FOLDER / "valid" / f"{name}.bundle.zip")
    engine, compared = module.Engine(bundle), 0
    hexes = {place["label"] for place in bundle.locations if place["kind"] == "hex" and place["in_play"]}
    for mover in bundle.ruleset["movers"]:
        for label in sorted(hexes):
            wanted = {there: cost for there, cost in bundle.steps(label, mover) if there in hexes}
            beside = [there for there in bundle.location(label)["neighbours"] if there in hexes]
            added = {there: engine.step(label, there, mover) for there in beside}
            assert {there: cost for there, cost in added.items() if cost is not None} == wanted, label
            compared += len(added)
    assert compared > 100

"""The real engine loads what is written: boards, pixels and names are compared with the map and the scenario.

``VASSAL_DUMP`` names a program that loads a module, and a saved game, in VASSAL and prints one JSON object a line: the
``module``; each ``board`` with ``width`` and ``height``; each ``piece`` with ``x``, ``y`` and ``location``; every line
with ``from`` ("new game" or "saved game") and the ``map`` window.
"""

import io
import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

import studio
from studio.exchange.vassal import VassalOptions, write
from studio.exchange.vassal.track import TRACK, turn_names
from studio.grid import LabelScheme
from studio.model import Force, Formation, MapUse, ScenarioDocument, UnitRecord
from tests.exchange.vassal.reading import Module, NoPaint, content_of, opened, wanted_places

DUMP = os.environ.get("VASSAL_DUMP", "")
pytestmark = [
    pytest.mark.programs,
    pytest.mark.slow,
    pytest.mark.skipif(not DUMP, reason="VASSAL_DUMP names no program that loads files in VASSAL"),
]

SCENARIOS = ["armageddon-13", "tactics-13", "phantom-fury", "urban-day", "ignorant-armies", "practice-front"]
MAPS = {
    "armageddon-1": None,
    "tactics-1": None,
    "phantom-fury": None,
    "urban-1": None,
    "practice-front": None,
    "slanted": lambda: studio.new_map("armageddon_war", columns=20, rows=12, labels=LabelScheme(slant=1)),
    "wide": lambda: studio.new_map("armageddon_war", columns=40, rows=20, hex_width=71.45, hex_height=61.85),
    "pointy": lambda: studio.new_map("armageddon_war", columns=20, rows=12, orientation="pointy", stagger="even"),
}


class Blank(NoPaint):
    """Pictures of the right size with nothing on them, which are made in no time."""

    def board(self, hex_px, **part):
        made = super().board(hex_px, **part)
        return made._replace(png=blank(made.width, made.height))

    def counter(self, unit, side, px):
        return blank(px, px)

    def marker(self, name, words, color, px):
        return blank(px, px)

    def boxes(self, boxes, size):
        return blank(*size)


def blank(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", (width, height), 200).save(buffer, "PNG")
    return buffer.getvalue()


def dumped(target: Path) -> list[dict]:
    """What the engine says of a module and its saved game."""
    files = [str(target), str(target.with_suffix(".vsav"))]
    done = subprocess.run([DUMP, *files], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def check_boards(lines: list[dict], target: Path) -> None:
    wanted = {(name, board.picture.width, board.picture.height) for name, board in Module(target).boards.items()}
    assert {(line["board"], line["width"], line["height"]) for line in lines if "board" in line} == wanted


def pieces(lines: list[dict], when: str) -> list[dict]:
    return [line for line in lines if "piece" in line and line["from"] == when]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_engine_has_every_counter_where_the_scenario_says(tmp_path, name):
    scenario, target = opened(name), tmp_path / "x.vmod"
    scenario.export(target)
    lines = dumped(target)
    check_boards(lines, target)
    wanted = wanted_places(scenario.document)
    waiting, track = wanted.pop("", 0), bool(turn_names(scenario.document))
    for when in ("new game", "saved game"):
        found = pieces(lines, when)
        assert Counter(line["location"] for line in found if line["map"] != TRACK) == wanted
        assert sum(line["map"] == TRACK for line in found) == waiting + track
        assert all(line["location"] for line in found)


@pytest.mark.parametrize("name", MAPS)
def test_the_engine_calls_every_place_by_its_label(tmp_path, name):
    map_ = opened(name, "map") if MAPS[name] is None else MAPS[name]()
    directory = map_.survey.directory
    labels = [directory.label(number) for number in directory.numbers.tolist()]
    units = tuple(UnitRecord(id=f"u{n}", type="x", at=label) for n, label in enumerate(labels))
    force = Force(id="red", name="Red", formations=(Formation(id="part", name="Part", units=units),))
    document = ScenarioDocument(ruleset=map_.ruleset.id, map=MapUse(file="x"), forces=[force])
    target, hex_px = tmp_path / "x.vmod", 61.85 if name == "wide" else 0.0
    pictures = Blank(map_)
    write(content_of(map_, document), target, options=VassalOptions(hex_px=hex_px), pictures=pictures)
    lines = dumped(target)
    check_boards(lines, target)
    for when in ("new game", "saved game"):
        found = [line for line in pieces(lines, when) if line["map"] != TRACK]
        assert Counter(line["location"] for line in found) == Counter(labels)
        if name == "wide":
            picture = pictures.board(hex_px)
            for line in found:
                x, y = picture.pixel(*directory.dot(directory.number(line["location"])))
                assert max(abs(line["x"] - x), abs(line["y"] - y)) <= 0.5

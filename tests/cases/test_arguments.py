"""Arguments that nothing can be done with: each is refused by name with what was got and what is allowed, in short."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import studio
from studio.api import Map
from studio.checks import Findings
from studio.errors import EditError, GridError, ScenarioRuleError, StaleAnswerError, StudioError, shortened
from studio.files import MissingFileError
from studio.model import MapUse
from studio.survey import locations_in_play

HUGE = 10**400
LONG = "x" * 10_000
SPACED = "x y " * 2_500
SQUARE = [[0, 0], [960, 0], [960, 960], [0, 960]]


@pytest.fixture(scope="module")
def town() -> Map:
    made = studio.new_map("phantom_fury", columns=8, rows=8, title="Quarter")
    made.add("area", id="z1", type="zone", name="1", outline=SQUARE)
    made.add("area", id="z2", type="zone", name="2", outline=[[x + 960, y] for x, y in SQUARE])
    return made


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"around": 5}, "plot: got around=5; allowed: the label"),
        ({"around": [None]}, "got around=[None]"),
        ({"extent": "abcd"}, "plot: got extent='abcd'; allowed: (x0, y0, x1, y1)"),
        ({"extent": 5}, "got extent=5"),
        ({"extent": (None,) * 4}, "got extent=(None, None, None, None)"),
        ({"extent": (HUGE,) * 4}, "four numbers"),
        ({"arcs": None}, "got arcs=None"),
        ({"arcs": 5}, "got arcs=5"),
        ({"arcs": [None]}, "got arcs=[None]"),
        ({"ax": 5}, "got ax=5; allowed: axes"),
        ({"ax": 5, "findings": True}, "got ax=5; allowed: axes"),
        ({"margin": None, "around": "1"}, "got margin=None"),
        ({"margin": HUGE, "around": "1"}, "a number of hexes"),
        ({"hex_px": HUGE}, "got hex_px="),
        ({"style": 5}, "got style=5"),
        ({"in_play": 5}, "in_play: got a int"),
        *(({"findings": got}, f"plot: got findings={got!r}; allowed: True") for got in (None, "x", [1], 5, "map.gap")),
    ],
)
def test_options_of_pictures(town: Map, options: dict[str, Any], words: str) -> None:
    with pytest.raises(StudioError) as raised:
        town.plot(**options)
    assert words in str(raised.value)


def test_findings_and_arcs_in_one_picture() -> None:
    made = studio.new_map("urban_operations", columns=5, rows=4, title="Arcs")
    made.add("area", type="room", name="r", outline=SQUARE)
    made.add("aperture", id="w", type="aperture", at=[480, 0], into="r", arrows=[["0202"]])
    with_arcs, without = made.plot(findings=True, arcs=True), made.plot(findings=True)
    assert len(with_arcs.patches) + len(with_arcs.collections) > len(without.patches) + len(without.collections)
    assert made.plot(findings=True, in_play=MapUse(file="m", out_of_play=("r",))).figure is not without.figure


def test_findings_of_another_map_are_not_drawn(town: Map) -> None:
    twin = studio.new_map("phantom_fury", columns=8, rows=8, title="Twin").set("title", "Quarter")
    other = studio.new_map("phantom_fury", columns=8, rows=8, title="Other")
    for findings in (twin.check(), other.check(), list(other.check())):
        assert findings
        with pytest.raises(StaleAnswerError, match=r"about another map; ask this one: map\.check\(\)"):
            town.plot(findings=findings)
    own = twin.check()
    twin.set("title", "Renamed")
    for findings in (own, list(own), own[:1], Findings(own), []):
        assert isinstance(twin.plot(findings=findings).figure, Figure)


@pytest.mark.parametrize(
    "ask",
    [
        lambda town: town.insert_vertex([480, 0], reach=HUGE),
        lambda town: town.insert_vertex([HUGE, 1]),
        lambda town: town.insert_vertex([10**5000, 1]),
        lambda town: town.snap("z1", reach=HUGE),
        lambda town: town.vertices([0, 0], reach=HUGE),
        lambda town: town.move("z1", HUGE, 0),
        lambda town: town.move_vertex([0, 0], [HUGE, 0]),
        lambda town: town.split_area("z1", [[HUGE, 0], [0, 0]]),
        lambda town: town.geometry([]),
        lambda town: town.geometry(["z1", "z2"]),
        lambda town: town.remove(None),
        lambda town: town.repair(5),
        lambda town: town.repair([None]),
        lambda town: town.survey.coverage(None),
        lambda town: town.survey.coverage([None]),
        lambda town: town.survey.coverage([["z1"]]),
        lambda town: town.survey.coverage("z1"),
        lambda town: town.survey.coverage(["z1"], within=5),
        lambda town: town.survey.coverage(["z1"], within=["z2"]),
    ],
)
def test_what_is_no_value_is_a_studio_error(town: Map, ask: Callable[[Map], Any]) -> None:
    before = town.to_text()
    with pytest.raises(StudioError) as raised:
        ask(town)
    assert 10 < len(str(raised.value)) < 300
    assert town.to_text() == before


@pytest.mark.parametrize(
    "fields",
    [
        {"sheets": ("b",), "first_column": 1},
        {"sheets": 5},
        {"sheets": "b"},
        {"sheets": (5,)},
        {"out_of_play": "B0101"},
        {"out_of_play": None},
        {"file": 5},
    ],
)
def test_a_part_in_play_is_told_in_texts(fields: dict[str, Any]) -> None:
    with pytest.raises(ScenarioRuleError, match=r"MapUse: got \w+=.*; allowed: "):
        MapUse(**{"file": "m", **fields})


def test_parts_in_play_may_be_lists(town: Map) -> None:
    use = MapUse(file="m", out_of_play=["1"])  # type: ignore[arg-type]
    assert len(locations_in_play(town.survey, use)) == 1


@pytest.mark.parametrize("text", [LONG, SPACED, LONG + ","])
@pytest.mark.parametrize(
    "ask",
    [
        lambda town, text: town.sight(text, "1"),
        lambda town, text: town.paint(text, terrain="clear"),
        lambda town, text: town.paint("0101", terrain=LONG),
        lambda town, text: town.rename(text, "q"),
        lambda town, text: town.rename("1", LONG + ","),
        lambda town, text: town.add("marker", type="rubble", at=text),
        lambda town, text: town.add("area", type="zone", name=text + ",", outline=SQUARE),
        lambda town, text: town.set_side(text, "0102", None),
        lambda town, text: town.geometry(text),
        lambda town, text: town.remove(text),
        lambda town, text: town.repair(text),
        lambda town, text: town.set(LONG, 1),
        lambda town, text: town.survey.coverage([text]),
        lambda town, text: town.plot(around=LONG),
        lambda town, text: town.plot(style=LONG),
        lambda town, text: town.plot(**{text: 1}),
        lambda town, text: town.labels.cell("0" * 10_000),
        lambda town, text: studio.new_map(LONG, 2, 2),
        lambda town, text: studio.open_map(LONG),
    ],
)
def test_a_long_text_is_cut_in_messages(town: Map, ask: Callable[[Map, str], Any], text: str) -> None:
    with pytest.raises(StudioError) as raised:
        ask(town, text)
    assert len(str(raised.value)) < 1000


def test_whole_words_stay_in_messages() -> None:
    path = "/" + "folder/" * 40 + "town.map.json"
    assert str(GridError(path)) == path
    cut = str(GridError(f"no hex {LONG} here"))
    assert cut == f"no hex {'x' * 40}...{'x' * 40} here"
    assert str(StudioError("a", 5)) == "a 5"
    assert shortened(10**5000) == "a number of 16610 bits"
    assert shortened("12b") == "'12b'"


def test_a_label_that_is_the_id_of_another_is_refused() -> None:
    made = studio.new_map("phantom_fury", columns=8, rows=8, title="Ids")
    made.add("area", id="z1", type="zone", name="1", outline=SQUARE)
    made.add("area", id="z2", type="zone", name="2", outline=[[x + 960, y] for x, y in SQUARE])
    with pytest.raises(EditError, match=r"'z1' is the id of zone 1 already, .* choose another"):
        made.rename("z2", "z1")
    with pytest.raises(EditError, match="'z1' is the id of zone 1"):
        made.split_area("z2", [[1440, 0], [1440, 960]], "z1")
    made.rename("z2", "z2").rename("z2", "3")
    # A file may hold such labels all the same: an id comes first wherever both are taken.
    made.add("area", id="z3", type="zone", name="z1", outline=[[x + 1920, y] for x, y in SQUARE])
    assert made.geometry("z1").bounds == made.geometry("1").bounds
    assert made.plot(around="z1", margin=0.5).get_xlim() == made.plot(around="1", margin=0.5).get_xlim()
    with pytest.raises(EditError, match="is the id of zone 1"):
        made.rename("z3", "z1")
    assert made.remove("z1").features.keys() == {"z2", "z3"}


def test_unsaved_work_on_a_file_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = (
        "import os, studio; made = studio.new_map('armageddon_war', 4, 3); made.save('gone.map.json'); "
        "made.paint('0101', terrain='rough'); os._exit(0)"
    )
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    text = (tmp_path / "gone.map.json").read_bytes()
    (tmp_path / "gone.map.json").unlink()
    (found,) = [work for work in studio.unsaved() if "gone.map.json" in work.title]
    with pytest.raises(MissingFileError, match="on which 1 unsaved step was made is gone") as raised:
        found.open()
    assert "did you mean" not in str(raised.value)
    assert "put the file back" in str(raised.value)
    (tmp_path / "gone.map.json").write_bytes(text)
    with pytest.warns(UserWarning, match="1 unsaved step"):
        opened = found.open()
    assert isinstance(opened, Map)
    assert opened.model.terrain_at(0) == "rough"
    opened.save()

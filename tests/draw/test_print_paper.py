"""Prints: sheets, options, names of sheets, what is refused."""

import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.draw.press import PAPERS, PrintError, PrintOptions, print_map
from studio.draw.press.faces import CounterSet
from studio.draw.press.layers import GROUPS, LAYERS, group_of, layer_at
from studio.draw.press.options import read_options
from studio.draw.press.paper import tile
from studio.draw.press.source import Source
from studio.draw.press.tones import recoloured, tone_of

SIZES = st.floats(20, 3000)


@given(SIZES, SIZES, st.sampled_from(sorted(PAPERS)), st.floats(0, 20), st.floats(0, 25))
def test_sheets_cover_all_and_share_just_the_overlap(
    wide: float, high: float, paper: str, margin: float, overlap: float
) -> None:
    options = PrintOptions(paper=paper, margin=margin, overlap=overlap)
    found = tile((5.0, 7.0, 5.0 + wide, 7.0 + high), options)
    for number, low, size, room in (
        (found.columns, 5.0, wide, found.wide - 2 * margin),
        (found.rows, 7.0, high, found.high - 2 * margin),
    ):
        axis = 0 if low == 5.0 else 1
        spans = sorted({(sheet.window[axis], sheet.window[axis + 2]) for sheet in found.sheets})
        assert len(spans) == number
        assert math.isclose(spans[0][0], low) and math.isclose(spans[-1][1], low + size)
        assert all(b - a <= room + 1e-5 for a, b in spans)
        for (_, end), (start, _) in itertools.pairwise(spans):
            assert math.isclose(end - start, overlap, abs_tol=1e-6)
        # One sheet fewer would not do.
        if number > 1:
            assert (number - 1) * room - (number - 2) * overlap < size


def test_auto_takes_the_way_with_the_fewest_sheets() -> None:
    box = (0.0, 0.0, 380.0, 130.0)
    ways = {
        way: len(tile(box, PrintOptions(orientation=way)).sheets)  # type: ignore[arg-type]
        for way in ("portrait", "landscape", "auto")
    }
    assert ways == {"portrait": 3, "landscape": 2, "auto": 2}


def test_sheets_stand_in_the_middle_of_their_pages() -> None:
    found = tile((0.0, 0.0, 500.0, 300.0), PrintOptions())
    for sheet in found.sheets:
        left, top = found.place(sheet)
        x0, y0, x1, y1 = sheet.window
        assert math.isclose(2 * left + x1 - x0, found.wide) and math.isclose(2 * top + y1 - y0, found.high)
    assert [sheet.name for sheet in found.sheets][:2] == ["A1", "A2"]
    first = found.sheets[0]
    right = found.neighbour(first, 1, 0)
    assert right is not None and right.name == "A2" and found.neighbour(first, -1, 0) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hexmm": 3}, "unknown option"),
        ({"hex_mm": 0}, "hex_mm=0; allowed: 3 to 300 mm"),
        ({"hex_mm": float("nan")}, "hex_mm=nan"),
        ({"hex_mm": "16"}, "hex_mm"),
        ({"paper": "A44"}, "'A4'"),
        ({"paper": (20, 400)}, "paper width=20"),
        ({"inks": "gray"}, "'grey'"),
        ({"hide": "label"}, "'labels'"),
        ({"margin": 95}, "needs 30"),
        ({"overlap": 180}, "overlap=180"),
        ({"bleed": 6}, "crop marks need a margin of 11"),
        ({"orientation": "upright"}, "portrait"),
        ({"most_sheets": 0}, "most_sheets=0"),
        ({"counter_mm": 2}, "counter_mm=2; allowed: 5 to 60 mm"),
        ({"flats_mm": 1}, "flats_mm=1"),
    ],
)
def test_wrong_options_are_refused_by_their_names(options: dict[str, object], words: str) -> None:
    with pytest.raises(PrintError, match="print") as caught:
        read_options(options)
    assert words in str(caught.value)


def test_papers_are_known_however_they_are_written() -> None:
    assert read_options({"paper": "a4"}).paper == "A4"
    assert read_options({"paper": [330, 480]}).size() == (330, 480)
    assert read_options({"paper": "ONE"}).size() is None
    assert read_options({"hide": "labels"}).hide == ("labels",)


def test_too_many_sheets_are_refused_with_their_number(tmp_path: Path) -> None:
    large = studio.new_map("armageddon_war", columns=1000, rows=1000, title="Continent")
    with pytest.raises(PrintError, match=r"'Continent' .* needs 3432 sheets of A4 \(66 x 52\).* most_sheets=3432"):
        large.print(tmp_path / "large.pdf", hex_mm=16)
    with pytest.raises(PrintError, match="1000000 hexes, too many for one page"):
        large.print(tmp_path / "large.svg")
    with pytest.raises(PrintError, match="1000000 hexes, too many for one page"):
        large.print(tmp_path / "large.pdf", paper="one")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_printed_is_said(tmp_path: Path) -> None:
    small = studio.new_map("armageddon_war", columns=4, rows=4)
    wide = studio.new_map("armageddon_war", columns=300, rows=4)
    for options, words in (
        ({"counters": True}, "counters are those of a scenario"),
        ({"only_in_play": True}, "only_in_play is for scenarios"),
        ({"parts": ["surface"]}, "is one sheet"),
    ):
        with pytest.raises(PrintError, match=words):
            small.print(tmp_path / "x.pdf", **options)
    with pytest.raises(PrintError, match=r"allowed are \.pdf, \.svg, \.png"):
        small.print(tmp_path / "x.map.json")
    with pytest.raises(PrintError, match="there is no folder"):
        small.print(tmp_path / "nowhere" / "x.pdf")
    with pytest.raises(PrintError, match="one page would be 7213 x 130 mm"):
        wide.print(tmp_path / "x.pdf", hex_mm=32, paper="one")
    with pytest.raises(PrintError, match="is too large; at most 400 million pixels"):
        wide.print(tmp_path / "x.png", hex_mm=32, dpi=1200, front=False)
    assert not list(tmp_path.iterdir())


def test_a_failed_print_leaves_the_older_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = studio.new_map("armageddon_war", columns=4, rows=4)
    target = tmp_path / "x.pdf"
    target.write_bytes(b"older")

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("studio.draw.press.pdf.PdfFile.close", fail)
    with pytest.raises(OSError, match="disk full"):
        small.print(target, front=False)
    assert target.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["x.pdf"]


def test_layers_follow_the_zorders_without_gaps() -> None:
    belows = [layer.below for layer in LAYERS]
    assert belows == sorted(belows) and math.isinf(belows[-1])
    assert {layer.group for layer in LAYERS} | {"press"} == set(GROUPS)
    assert [group_of(layer_at(z)) for z in (1, 1.5, 2, 3.5, 5, 6, 7, 8.1, 10, 12, 20, 26)] == [
        "terrain",
        "relief",
        "terrain",
        "relief",
        "hexes",
        "relief",
        "roads",
        "sides",
        "labels",
        "labels",
        "frame",
        "units",
    ]


def test_greys_are_as_light_as_the_colours() -> None:
    grey = tone_of("grey")
    assert grey("#ffffff", "ground", True) == "#ffffff" and grey("#000000", "ground", True) == "#000000"
    assert grey("#808080", "ground", True) == "#808080"
    yellow, blue = (int(grey(color, "ground", True)[1:3], 16) for color in ("#ffff00", "#0000ff"))
    assert yellow > 240 and blue < 90
    saver = tone_of("saver")
    assert saver("#406040", "patches", True) > "#a0a0a0" and saver("#221a10", "labels", True) == "#221a10"


@pytest.mark.parametrize("inks", ["safe", "grey"])
def test_sides_are_told_apart_in_the_inks(inks: str) -> None:
    document = studio.open_scenario("scenarios/armageddon-13.scenario.json", recover_unsaved=False).document
    colors = [force.color for force in recoloured(document, inks).forces]  # type: ignore[arg-type]
    assert len(set(colors)) == len(document.forces) == 5
    if inks == "grey":
        lights = [int(color[1:3], 16) for color in colors]
        assert abs(lights[0] - lights[1]) > 60


def test_counters_are_as_many_as_the_scenario_has_with_their_other_sides() -> None:
    scenario = studio.open_scenario("scenarios/phantom-fury.scenario.json", recover_unsaved=False)
    found = CounterSet(Source(scenario, read_options({"counters": True})))
    units = list(found.units())
    assert len(units) == sum(
        unit.count for force in scenario.document.forces for part in force.formations for unit in part.units
    )
    squads = [cut for cut in units if cut.front is not cut.back]
    assert squads and all(cut.front.marks != cut.back.marks for cut in squads)
    markers = list(found.markers())
    words = {mark.text for cut in markers for _, mark in cut.front.marks if hasattr(mark, "text")}
    assert "Rubble" in words and "Turn" in words


def test_print_map_is_what_the_methods_call(tmp_path: Path) -> None:
    small = studio.new_map("armageddon_war", columns=4, rows=4)
    first = small.print(tmp_path / "a.pdf", front=False)
    second = print_map(small, tmp_path / "b.pdf", front=False)
    assert first._replace(files=()) == second._replace(files=())
    assert first.files[0].read_bytes() == second.files[0].read_bytes()

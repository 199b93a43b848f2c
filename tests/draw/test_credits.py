"""Sources and licences go out with what is printed and drawn: where one reads them, and in the properties of files."""

import io
import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

import studio
from studio.api import Map
from studio.draw import draw_map, draw_scenario, draw_sight, preview_png, save_picture
from tests.draw.print_reader import found_paths, open_pdf

SVG = "{http://www.w3.org/2000/svg}"
DC = "{http://purl.org/dc/elements/1.1/}"
PLACES = {"title": "GeoNames: places", "licence": "CC-BY-4.0", "url": "https://www.geonames.org/"}
STREETS = {"title": "OpenStreetMap <streets> & more", "licence": "ODbL 1.0", "note": "© OpenStreetMap contributors"}
SAID = (
    "GeoNames: places (CC-BY-4.0). https://www.geonames.org/",
    "OpenStreetMap <streets> & more (ODbL 1.0). © OpenStreetMap contributors.",
)
LINE = f"Sources: {SAID[0]} · {SAID[1]}"
BOOK = "A book of battles (facts only)."


def town(*sources: dict[str, str]) -> Map:
    made = studio.new_map("armageddon_war", columns=5, rows=4, title="Town")
    return made.set("sources", list(sources or (PLACES, STREETS)))


def raid(tmp_path: Path) -> Any:
    """Return a scenario that names one source of its map again, and one more."""
    made = town()
    made.save(tmp_path / "town.map.json")
    scenario = studio.new_scenario(made, title="Raid")
    scenario.save(tmp_path / "raid.scenario.json")
    record = json.loads((tmp_path / "raid.scenario.json").read_text("utf-8"))
    record["sources"] = [STREETS, {"title": "A book of battles", "licence": "facts only"}]
    (tmp_path / "raid.scenario.json").write_text(json.dumps(record), "utf-8")
    return studio.open_scenario(tmp_path / "raid.scenario.json", recover_unsaved=False)


def words(page: Any) -> str:
    return " ".join(page.extract_text().split())


# -- paper -------------------------------------------------------------------------------------------------------------


def test_the_first_page_and_the_properties_of_a_pdf_name_them(tmp_path: Path) -> None:
    printed = town().print(tmp_path / "x.pdf")
    reader = open_pdf(tmp_path / "x.pdf")
    first, second = words(reader.pages[0]), words(reader.pages[1])
    assert all(one in first for one in SAID) and "Sources" in first
    assert "GeoNames" not in second and printed.pages == 2
    assert reader.metadata is not None and reader.metadata.subject == LINE
    assert not [note for note in printed.notes if "ources" in note]


def test_bars_measure_what_they_say_beside_the_list(tmp_path: Path) -> None:
    town().print(tmp_path / "x.pdf")
    reader = open_pdf(tmp_path / "x.pdf")
    bars = [one.points for one in found_paths(reader.pages[0], reader) if one.layer.startswith("Crop")]
    flat = [np.ptp(points[:, 0]) for points in bars if len(points) == 2 and np.ptp(points[:, 1]) == 0]
    assert any(math.isclose(one, 100.0, abs_tol=0.002) for one in flat)


def test_a_scenario_names_those_of_its_map_and_its_own_once(tmp_path: Path) -> None:
    raid(tmp_path).print(tmp_path / "x.pdf")
    reader = open_pdf(tmp_path / "x.pdf")
    first = words(reader.pages[0])
    assert [first.count(one) for one in (*SAID, BOOK)] == [1, 1, 1]
    assert reader.metadata is not None and reader.metadata.subject == f"{LINE} · {BOOK}"


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png"])
def test_a_print_without_its_first_page_says_that_they_are_hidden(tmp_path: Path, suffix: str) -> None:
    printed = town().print(tmp_path / f"x{suffix}", front=False, dpi=60)
    assert "name them beside it" in printed.notes[-1]
    handed: list[str] = []
    town().export(tmp_path / f"z{suffix}", notes=handed, front=False, dpi=60)
    assert handed == list(printed.notes)
    none = studio.new_map("armageddon_war", columns=5, rows=4).print(tmp_path / f"y{suffix}", front=False, dpi=60)
    assert not [note for note in none.notes if "ources" in note]


def test_many_sources_get_pages_of_their_own(tmp_path: Path) -> None:
    many = [
        {"title": f"Survey number {n:03d} of the town and all its quarters", "licence": "CC0-1.0"} for n in range(150)
    ]
    printed = town(*many).print(tmp_path / "x.pdf")
    reader = open_pdf(tmp_path / "x.pdf")
    pages = [words(page) for page in reader.pages]
    assert printed.pages == 5 and "Survey" not in pages[0]
    listed = f"{pages[1]} {pages[2]} {pages[3]}"
    assert [listed.count(f"Survey number {n:03d}") for n in range(150)] == [1] * 150
    assert [item["/Title"] for item in reader.outline][1:4] == ["Sources"] * 3  # type: ignore[call-overload]


def test_a_small_page_has_room_for_a_long_address(tmp_path: Path) -> None:
    """All that is written stays on the page, also where an address is wider than the map."""
    made = studio.new_map("armageddon_war", columns=2, rows=2, title="T")
    made.set("sources", [{"title": "Plan", "url": "https://example.org/" + "a" * 120}])
    made.print(tmp_path / "x.svg", text="text", legend=False)
    root = ET.parse(tmp_path / "x.svg").getroot()
    wide, high = (float(value) for value in root.attrib["viewBox"].split()[2:])
    found = [one for one in root.iter(f"{SVG}text") if "aaa" in "".join(one.itertext())]
    assert "".join("".join(one.itertext()) for one in found).count("a") >= 120
    for one in found:
        assert 0 < float(one.attrib["y"]) < high - 5
        half = min(float(one.attrib["x"]), wide - float(one.attrib["x"]))
        assert half > 0.25 * float(one.attrib["font-size"]) * len("".join(one.itertext()))


def test_pictures_of_true_size_name_them_below_and_in_their_properties(tmp_path: Path) -> None:
    town().print(tmp_path / "x.svg", text="text")
    root = ET.parse(tmp_path / "x.svg").getroot()
    texts = " ".join(one.text or "" for one in root.iter(f"{SVG}text"))
    assert all(one in texts for one in SAID)
    assert root.findtext(f"{SVG}desc") == LINE
    assert [one.text for one in root.iter(f"{DC}source")] == [LINE]
    assert [one.text for one in root.iter(f"{DC}rights") for one in one.iter(f"{DC}title")] == [LINE]
    town().print(tmp_path / "x.png", dpi=60)
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.text == {"Source": LINE, "Copyright": LINE}  # type: ignore[attr-defined]


def test_a_map_of_nobody_names_nobody(tmp_path: Path) -> None:
    made = studio.new_map("armageddon_war", columns=5, rows=4, title="Town")
    for name in ("x.pdf", "x.svg", "x.png"):
        made.print(tmp_path / name, dpi=60)
    reader = open_pdf(tmp_path / "x.pdf")
    assert "Sources" not in words(reader.pages[0])
    assert reader.metadata is not None and reader.metadata.subject is None
    root = ET.parse(tmp_path / "x.svg").getroot()
    assert root.find(f"{SVG}desc") is None and root.find(f"{SVG}metadata") is None
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.text == {}  # type: ignore[attr-defined]


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png"])
def test_equal_maps_have_equal_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("a", "b"):
        town().print(tmp_path / f"{name}{suffix}", dpi=60)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


# -- pictures ----------------------------------------------------------------------------------------------------------


def saved(axes: Any, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    save_picture(axes, out, kind=kind, **options)
    return out.getvalue()


def texts_of(png: bytes) -> dict[str, str]:
    with Image.open(io.BytesIO(png)) as picture:
        return dict(picture.text)  # type: ignore[attr-defined]


def test_saved_pictures_tell_their_sources() -> None:
    made = town()
    for axes in (draw_map(made, hex_px=20), draw_sight(made, made.sight("0101", "0403"))):
        assert texts_of(saved(axes, ".png")) == {"Source": LINE, "Copyright": LINE}
    axes = draw_map(made, hex_px=20)
    root = ET.fromstring(saved(axes, ".svg"))
    assert [one.text for one in root.iter(f"{DC}source")] == [LINE]
    found = PdfReader(io.BytesIO(saved(axes, ".pdf"))).metadata
    assert found is not None and found.subject == LINE
    assert saved(draw_map(made, hex_px=20), ".png") == saved(draw_map(made, hex_px=20), ".png")


def test_a_picture_of_a_scenario_tells_both_and_figures_keep_apart(tmp_path: Path) -> None:
    axes = draw_scenario(raid(tmp_path), hex_px=20)
    assert texts_of(saved(axes, ".png"))["Source"] == f"{LINE} · {BOOK}"
    assert texts_of(saved(draw_map(town(PLACES), hex_px=20), ".png"))["Source"] == f"Sources: {SAID[0]}"
    assert texts_of(saved(axes, ".png", credits=())) == {}
    assert texts_of(saved(axes, ".png", credits=["Me."]))["Source"] == "Sources: Me."


def test_previews_have_none_since_what_holds_them_does() -> None:
    assert texts_of(preview_png(town(), size=200)) == {}


def test_the_command_line_draws_with_its_sources(tmp_path: Path) -> None:
    from studio.cli import main

    town().save(tmp_path / "town.map.json")
    assert main(["draw", str(tmp_path / "town.map.json"), "-o", str(tmp_path / "x.png")]) == 0
    assert texts_of((tmp_path / "x.png").read_bytes())["Copyright"] == LINE


# -- sheets of scenarios -----------------------------------------------------------------------------------------------


def test_a_scenario_sheet_names_the_sources_of_its_map_and_its_own(tmp_path: Path) -> None:
    brief = raid(tmp_path).brief(pictures=False)
    section = next(one for one in brief.sheet.sections if one.id == "sources")
    (items,) = section.blocks
    assert items.items == tuple(("", one) for one in (*SAID, BOOK))
    assert "GeoNames: places (CC-BY-4.0). https://www.geonames.org/" in brief.to_html()
    pages = PdfReader(io.BytesIO(brief.to_pdf())).pages
    assert "GeoNames: places (CC-BY-4.0)" in " ".join(map(words, pages))

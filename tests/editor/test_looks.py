"""What the panels about looking say: places in numbers, print scale, palettes."""

from __future__ import annotations

from itertools import combinations

import pytest

import studio
from studio.draw.colour import VISIONS, delta_e
from studio.editor import MapEditor
from studio.editor.palettes import BOUND, closest, safe_tints
from studio.errors import EditError
from studio.model import Georeference, SetField


@pytest.fixture
def document():
    return studio.new_map("armageddon_war", columns=12, rows=10)


@pytest.fixture
def editor(document):
    made = MapEditor(document)
    made.said = []
    made.send = lambda content, buffers=None: made.said.append(content)
    yield made
    made.close()


def lines(panel):
    return {row["cells"][0]: row["cells"][1] for node in panel.nodes() if node["t"] == "rows" for row in node["rows"]}


def test_the_place_under_the_pointer_in_words_and_numbers(document, editor):
    document.paint("0304", terrain="marsh", level=1)
    document.set_side("0304", "0305", "fence")
    document.add("road", path=["0304", "0305"], name="Route 1")
    affine = (100.0, 0.0, 500000.0, 0.0, -100.0, 3800000.0)
    document.apply(SetField(field="georeference", value={"crs": "EPSG:32637", "affine": affine}))
    panel, (x, y) = editor.desk["where"], document.grid.centre(document.labels.cell("0304"))
    assert panel.nodes()[0]["t"] == "hint"
    panel.act("point", {"at": [x, y], "pressed": list(document.grid.centre(document.labels.cell("0301")))})
    said = lines(panel)
    assert said["Hex"] == "0304"
    assert said["Column, row"] == "3, 4"
    assert said["Terrain"] == "Marsh"
    assert said["Level"] == "1"
    assert said["Hexsides"] == "fence to 0305"
    assert said["Drawn here"] == "road Route 1"
    assert said["Lattice"] == f"{x:,}, {y:,}"
    east, north = document.grid.to_map(x, y)
    assert said["EPSG:32637"] == f"{500000 + 100 * east:,.1f}, {3800000 - 100 * north:,.1f}"
    assert said["Longitude, latitude"].startswith("39.0")
    assert said["From the last press"].startswith("3 hexes S of 0301, 3 map units")
    panel.act("point", {"at": [-9000, 0], "pressed": None})
    assert lines(panel)["Hex"] == "off the map"
    panel.act("point", {"at": ["nan", {}], "pressed": 7})
    assert panel.nodes()[0]["t"] == "hint"


def test_degrees_are_told_where_the_map_is_in_degrees_and_nothing_where_the_system_is_unknown(document, editor):
    panel = editor.desk["where"]
    for crs, told in (("EPSG:4326", True), ("EPSG:999999", False)):
        document.apply(SetField(field="georeference", value={"crs": crs, "affine": (0.01, 0, 35.0, 0, -0.01, 33.0)}))
        assert document.model.georeference == Georeference(crs=crs, affine=(0.01, 0, 35.0, 0, -0.01, 33.0))
        panel.act("point", {"at": [480, 240], "pressed": None})
        assert ("Longitude, latitude" in lines(panel)) == told


def words(panel):
    found = []

    def walk(nodes):
        for node in nodes:
            found.append(str(node.get("text", "")))
            walk(node.get("nodes", ()))

    walk(panel.nodes())
    return " ".join(found)


def test_print_scale_is_told_in_millimetres_and_paper(document, editor):
    panel = editor.desk["looks"]
    grid = document.grid
    x0, _, x1, _ = grid.frame
    wide = (x1 - x0) * grid.scale[0] * 16 / grid.width
    assert f"hex 16 mm: the map is {wide:.0f} × " in words(panel)
    assert "fits A4" in words(panel)
    panel.act("set", {"id": "mm", "value": 60})
    assert "fits A2" in words(panel) or "fits A1" in words(panel)
    panel.act("set", {"id": "dpi", "value": 110})
    editor.client = "page"
    panel.act("print", {})
    assert editor.said[-1] == {"type": "tell", "what": "print", "client": "page", "mm": 60.0, "dpi": 110.0}
    for bad in (0, 1e9, None, "16", True, float("nan")):
        with pytest.raises(EditError, match="print scale"):
            panel.act("set", {"id": "mm", "value": bad})


@pytest.mark.parametrize("ruleset", ["armageddon_war", "ignorant_armies", "modern_tactics", "urban_operations"])
def test_shipped_palettes_are_safe_and_say_so(ruleset):
    editor = MapEditor(studio.new_map(ruleset, columns=4, rows=4))
    assert "Safe: every two terrains keep 6.5" in words(editor.desk["looks"])
    editor.close()


def test_a_palette_that_is_not_safe_gets_a_variant_that_is(editor):
    panel = editor.desk["looks"]
    panel._tints = lambda: {"clear": "#d0b080", "marsh": "#d0b288", "dunes": "#d8b080"}
    assert "not safe" in words(panel)
    panel.act("safe", {"value": True})
    told = editor.said[-1]
    assert told["what"] == "palette"
    tints = {name: told["look"]["terrain"][name]["tint"] for name in ("clear", "marsh", "dunes")}
    assert closest(tints)[0] >= BOUND
    assert tints["clear"] == "#d0b080"
    panel.act("safe", {"value": False})
    assert editor.said[-1]["look"]["terrain"]["marsh"]["tint"] != tints["marsh"]
    panel.act("sight", {"value": "grey"})
    assert editor.said[-1]["id"] == "grey"
    with pytest.raises(EditError, match="colours"):
        panel.act("sight", {"value": "x-ray"})


def test_a_safe_palette_keeps_every_pair_apart_for_every_sight():
    tints = {f"terrain {n}": colour for n, colour in enumerate(["#c8c090"] * 9)}
    safe = safe_tints(tints)
    for a, b in combinations(safe.values(), 2):
        assert all(delta_e(a, b, vision) >= BOUND for vision in VISIONS)
    assert safe_tints(safe) == safe
    assert closest({"alone": "#ffffff"}) is None

"""Terrain and regions by pointer and by keys: what is on the screen, and what Python then holds."""

from __future__ import annotations

import json

import pytest

import studio
from studio.model import Road
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

GROUND, ABOVE = 0, 2
COLUMNS, ROWS = 20, 14


def at(column, row):
    return row * COLUMNS + column


@pytest.fixture
def document():
    return studio.new_map("armageddon_war", columns=COLUMNS, rows=ROWS)


def painted(document, terrain):
    code = document.terrain_ids.index(terrain)
    return {cell for cell in range(COLUMNS * ROWS) if document.terrain.flat[cell] == code}


def same_planes(view, document):
    """The browser holds what Python holds."""
    view.idle()
    planes = view.js("(() => { const p = window.studio.store.planes; return [[...p.terrain], [...p.levels]]; })()")
    assert planes[0] == document.terrain.ravel().tolist()
    assert planes[1] == document.levels.ravel().tolist()
    sides = view.js("[...window.studio.store.sides.values()].map(({ a, b, kinds }) => [a, b, kinds])")
    assert {(a, b): tuple(kinds) for a, b, kinds in sides} == document.model.sides


def test_lasso_paints_the_hexes_whose_middle_lies_within(document, editor_page):
    view = editor_page(document)
    view.tool("lasso")
    view.page.click('[data-id="marsh"]')
    before = view.pixel(GROUND, at(6, 6), 3, 4)
    view.drag(at(4, 3), at(9, 3), at(9, 9), at(4, 9), at(4, 4), steps=8)
    view.idle()
    marsh = painted(document, "marsh")
    assert at(6, 6) in marsh
    assert at(8, 8) in marsh
    assert at(2, 6) not in marsh
    assert at(11, 6) not in marsh
    assert view.pixel(GROUND, at(6, 6), 3, 4) != before
    assert document.history == ["Paint marsh"]
    view.key("Control+z")
    view.idle()
    # By keys: Space begins, the line runs from hex to hex, Space closes it; what it runs through is meant too.
    view.key("Escape")
    view.js("cell => { window.studio.view.cursor = cell; window.studio.view.keyboard = true; }", at(5, 5))
    view.key(" ")
    for key in (
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowDown",
        "ArrowDown",
        "ArrowDown",
        "ArrowLeft",
        "ArrowLeft",
    ):
        view.key(key)
    view.key(" ")
    view.idle()
    marsh = painted(document, "marsh")
    assert {at(5, 5), at(8, 5), at(8, 8), at(6, 8), at(7, 6)} <= marsh
    view.key(" ")
    view.key("ArrowRight")
    view.key("Escape")
    view.idle()
    assert painted(document, "marsh") == marsh
    same_planes(view, document)


def test_replace_says_how_many_and_stays_in_the_region(document, editor_page):
    document.paint([document.labels.label(at(c, r)) for c in range(2, 8) for r in range(2, 5)], terrain="dunes")
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("y")
    view.loaded()
    view.page.click('[data-id="rough"]')
    view.page.mouse.move(*view.at(at(3, 3)))
    view.page.wait_for_function("document.querySelector('.wgs-side')?.textContent.includes('18 hexes')")
    view.click(at(3, 3))
    view.idle()
    assert len(painted(document, "rough")) == 18
    assert "18 hexes" in view.page.inner_text(".wgs-live")
    view.key("Control+z")
    view.idle()
    view.tool("region")
    view.drag(at(2, 2), at(4, 4))
    view.tool("replace")
    view.click(at(3, 3))
    view.idle()
    assert painted(document, "rough") == {at(c, r) for c in (2, 3, 4) for r in (2, 3, 4)}
    view.page.get_by_role("radio", name="Everywhere").click()
    view.click(at(7, 3))
    view.idle()
    assert len(painted(document, "rough")) == 18


def _town(document):
    grid, label = document.grid, document.labels.label
    document.paint([label(cell) for cell in grid.within(at(5, 5), 1)], terrain="dense_woods")
    document.paint(label(at(5, 4)), terrain="dense_urban", level=1)
    document.set_side(label(at(5, 5)), label(at(5, 4)), "fence")
    document.add("road", path=[label(at(5, 4)), label(at(5, 5)), label(at(5, 6))])


def test_region_is_copied_turned_mirrored_and_pasted(document, editor_page):
    _town(document)
    view = editor_page(document)
    steps = len(document.history)
    view.tool("region")
    view.drag(at(3, 3), at(7, 7))
    assert view.js("window.studio.view.region.size") == 25
    view.key("Control+c")
    view.page.wait_for_function("window.studio.view.tool.held")
    assert "25 hexes, 1 feature" in view.page.inner_text(".wgs-live")
    view.page.click('[data-action="Paste a region"]')
    view.page.wait_for_function("window.studio.view.tool.float")
    empty = view.pixel(ABOVE, at(13, 7), 3, 3)
    view.page.mouse.move(*view.at(at(13, 8)))
    view.key(".")
    view.idle()
    # The piece floats over the map before it is set down: the town lies one sixth of a turn on.
    assert view.pixel(ABOVE, at(14, 8), 3, 3)[3] > 150 and empty[3] == 0
    view.click(at(13, 8))
    view.idle()
    east = document.grid.neighbour(at(13, 8), 1)
    assert document.model.terrain_at(east) == "dense_urban"
    assert document.model.level_at(east) == 1
    assert document.model.sides[tuple(sorted((at(13, 8), east)))] == ("fence",)
    roads = [feature for feature in document.features.values() if isinstance(feature, Road)]
    assert document.labels.label(east) in roads[1].path
    assert len(document.history) == steps + 1
    same_planes(view, document)
    view.key("Control+z")
    view.idle()
    same_planes(view, document)


def test_region_is_dragged_turned_in_place_cut_and_emptied(document, editor_page):
    _town(document)
    view = editor_page(document)
    before = document.to_text()
    view.tool("region")
    view.drag(at(3, 3), at(7, 7))
    view.drag(at(5, 5), at(12, 7), steps=10)
    view.idle()
    assert document.history[-1] == "Move 25 hexes"
    assert document.model.terrain_at(at(5, 4)) == "clear"
    (road,) = document.features.values()
    assert document.labels.label(next(iter(painted(document, "dense_urban")))) == road.path[0]
    moved = painted(document, "dense_urban")
    assert len(moved) == 1
    same_planes(view, document)
    for _ in range(6):
        view.key(",")
        view.idle()
    assert painted(document, "dense_urban") == moved
    assert document.history[-1] == "Turn 25 hexes"
    view.key("x")
    view.idle()
    view.key("Shift+X")
    view.idle()
    assert document.history[-1] == "Mirror 25 hexes"
    assert painted(document, "dense_urban") != moved
    same_planes(view, document)
    view.key("Delete")
    view.idle()
    assert not painted(document, "dense_urban")
    assert not document.features
    same_planes(view, document)
    while document.can_undo and document.to_text() != before:
        view.key("Control+z")
        view.idle()
    assert document.to_text() == before
    same_planes(view, document)


def test_region_by_keys_with_levels_and_terrain(document, editor_page):
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("d")
    view.loaded()
    view.js("cell => { window.studio.view.cursor = cell; window.studio.view.keyboard = true; }", at(4, 4))
    view.key(" ")
    for _ in range(2):
        view.key("ArrowRight")
        view.key("ArrowDown")
    view.key(" ")
    assert view.js("window.studio.view.region.size") == 9
    for key in ("PageUp", "PageUp", "PageDown"):
        view.key(key)
        view.idle()
    assert document.model.level_at(at(5, 5)) == 1
    assert document.history == ["Raise region", "Raise region", "Lower region"]
    view.page.click('[data-id="marsh"]')
    view.page.click('[data-action="Paint the region"]')
    view.idle()
    assert len(painted(document, "marsh")) == 9
    view.page.click('[data-action="Cut the region"]')
    view.idle()
    assert not painted(document, "marsh")
    view.page.focus(".wgs-area")
    view.page.click('[data-action="Paste a region"]')
    view.page.wait_for_function("window.studio.view.tool.float")
    view.page.focus(".wgs-area")
    view.key("ArrowRight")
    view.key("Enter")
    view.idle()
    assert len(painted(document, "marsh")) == 9
    view.key("Control+a")
    assert view.js("window.studio.view.region.size") == COLUMNS * ROWS
    view.key("Escape")
    assert view.js("window.studio.view.region.size") == 0
    same_planes(view, document)


COPY = """kind => {
  const data = new DataTransfer(), event = new ClipboardEvent(kind, { clipboardData: data, cancelable: true });
  document.dispatchEvent(event);
  return [event.defaultPrevented, data.getData("text/plain")];
}"""
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
  document.dispatchEvent(event);
  return event.defaultPrevented;
}"""
ASTRAY = """() => {
  const paint = { op: "paint", plane: "terrain", cells: [0], values: ["marsh"] };
  window.studio.store.request("region_move", { cells: [999999], at: 0 }, { op: "batch", edits: [paint] });
}"""


def test_region_goes_as_text_into_a_map_of_another_notebook(document, editor_page):
    _town(document)
    view = editor_page(document)
    view.tool("region")
    view.drag(at(3, 3), at(7, 7))
    view.page.focus(".wgs-area")
    assert view.js(COPY, "copy")[0]
    view.page.wait_for_function("window.studio.view.tool.held")
    stopped, text = view.js(COPY, "copy")
    assert stopped
    assert json.loads(text)["studio"] == "region"
    other = studio.new_map("armageddon_war", columns=9, rows=9)
    second = editor_page(other)
    second.page.focus(".wgs-area")
    # Part of the tools is there only once the tool was taken up; other text is none of our business.
    second.tool("region")
    second.tool("pan")
    second.page.focus(".wgs-area")
    assert not second.js(PASTE, "hello")
    assert second.js(PASTE, text)
    second.page.wait_for_function("window.studio.view.tool.float")
    second.page.mouse.move(*second.at(4 * 9 + 4))
    second.click(4 * 9 + 4)
    second.idle()
    assert other.history == ["Paste 25 hexes"]
    assert "road-1" in other.features
    # Hostile text is refused in words, and nothing changes.
    for bad in (
        '{"studio":"region","version":1}',
        text.replace('"@0,0"', '"=0101<img>"').replace("dense_urban", "dragons"),
    ):
        before = other.to_text()
        second.js("document.querySelector('.wgs-messages').replaceChildren()")
        second.page.focus(".wgs-area")
        assert second.js(PASTE, bad)
        second.page.wait_for_selector(".wgs-message")
        assert other.to_text() == before
        assert not second.js("!!window.studio.view.tool.float")


def test_what_falls_off_is_said_and_a_refusal_brings_the_map_back(document, editor_page):
    _town(document)
    view = editor_page(document)
    view.tool("region")
    view.drag(at(3, 3), at(7, 7))
    view.drag(at(5, 5), at(1, 5), steps=10)
    view.page.wait_for_function("document.querySelector('.wgs-live').textContent.includes('fell off the map')")
    same_planes(view, document)
    view.js(ASTRAY)
    view.page.wait_for_selector(".wgs-message")
    same_planes(view, document)


def test_digits_and_every_terrain_tool_is_one_step_in_every_layout(editor_page):
    for orientation in ("flat", "pointy"):
        document = FakeMap(16, 12, orientation=orientation, stagger="even")
        view = editor_page(document)
        drawn = {"rectangle": "dunes", "line": "marsh", "lasso": "cultivated", "fill": "rough"}
        for tool, terrain in drawn.items():
            view.tool(tool)
            view.page.click(f'[data-id="{terrain}"]')
            steps = len(document.history)
            if tool == "fill":
                view.click(3 * 16 + 3)
            else:
                view.drag(3 * 16 + 3, 3 * 16 + 7, 8 * 16 + 9)
            view.idle()
            assert len(document.history) == steps + 1, tool
        view.page.close()


LOCK = "([id, change]) => window.studio.stage.setLayer(id, change)"


def test_a_locked_or_hidden_layer_is_not_drawn_on_by_any_way(document, editor_page):
    _town(document)
    view = editor_page(document)
    view.tool("region")
    view.drag(at(3, 3), at(7, 7))
    before, steps = document.to_text(), len(document.history)
    for change in ({"locked": True}, {"locked": False, "shown": False}):
        view.js(LOCK, ["terrain", change])
        view.page.focus(".wgs-area")
        for key in ("Delete", "PageUp", ".", "x", "Control+x"):
            view.key(key)
        for title in ("Paint the region", "Cut the region", "Empty the region", "Turn to the left"):
            view.page.click(f'[data-action="{title}"]')
        view.drag(at(5, 5), at(12, 7))
        view.idle()
        assert not view.js("!!window.studio.view.tool.float")
        assert "locked or hidden" in view.page.inner_text(".wgs-live")
    view.js(LOCK, ["road", {"locked": True}])
    view.tool("side")
    view.js("cell => Object.assign(window.studio.view, { cursor: cell, cursorSide: 0, keyboard: true })", at(5, 5))
    view.page.focus(".wgs-area")
    for key in ("Control+ArrowRight", "Control+ArrowRight", "Enter", " ", "Delete"):
        view.key(key)
    view.idle()
    assert (document.to_text(), len(document.history)) == (before, steps)
    view.js(LOCK, ["road", {"locked": False}])
    view.key("Escape")
    view.key("Delete")
    view.idle()
    assert len(document.history) == steps + 1


def test_a_region_is_forgotten_when_hexes_move_below_it(document, editor_page):
    view = editor_page(document)
    view.tool("region")
    view.drag(at(15, 9), at(19, 13))
    assert view.js("window.studio.view.region.size") == 25
    document.crop(["0101", "0606"])
    view.push()
    view.page.wait_for_function("window.studio.store.grid.columns === 6")
    view.idle()
    before = document.to_text()
    view.page.focus(".wgs-area")
    for key in ("PageUp", "Delete", "."):
        view.key(key)
    view.idle()
    assert document.to_text() == before
    view.tool("replace")
    view.page.click('[data-id="marsh"]')
    view.click(7)
    view.idle()
    assert len([1 for code in document.terrain.flat if document.terrain_ids[code] == "marsh"]) == 36


def test_many_hexes_are_chosen_painted_and_outlined_quickly(editor_page):
    document = studio.new_map("armageddon_war", columns=400, rows=400)
    view = editor_page(document)
    view.js("window.studio.view.fit()")
    view.tool("fill")
    view.page.click('[data-id="marsh"]')
    view.click(200 * 400 + 200)
    view.idle()
    assert (document.terrain == document.terrain_ids.index("marsh")).all()
    view.tool("region")
    view.page.focus(".wgs-area")
    view.key("Control+a")
    view.idle()
    assert view.js("window.studio.view.region.size") == 160_000
    # The outline is made once; a hundred pictures of it take no time.
    spent = view.js("""() => {
      const { view, stage } = window.studio, start = performance.now();
      for (let n = 0; n < 100; n++) stage.drawTop();
      return performance.now() - start;
    }""")
    assert spent < 1500
    for key in (".", "Control+x"):
        view.key(key)
    assert "too many to move or copy" in view.page.inner_text(".wgs-live")
    view.idle()
    assert len(document.history) == 1
    view.key("Delete")
    view.idle()
    assert not document.terrain.any()
    view.key("Control+z")
    view.idle()
    assert document.terrain.all()

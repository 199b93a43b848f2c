"""Hexsides by pointer and by keys: single sides, runs along corners, kinds that need something."""

from __future__ import annotations

import pytest

import studio
from studio.editor.sideneeds import side_needs
from studio.rules import get_ruleset, ruleset_ids
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

COLUMNS, ROWS, ABOVE = 20, 14, 2

MIDDLE = """([a, b]) => {
  const { view } = window.studio, [p, q] = view.grid.sideEnds(a, b), box = view.frame.area.getBoundingClientRect();
  const [x, y] = view.camera.toScreen((p[0] + q[0]) / 2, (p[1] + q[1]) / 2);
  return [box.left + x / view.dpr, box.top + y / view.dpr];
}"""
CORNER = """([cell, n]) => {
  const { view } = window.studio, box = view.frame.area.getBoundingClientRect();
  const [x, y] = view.camera.toScreen(...view.grid.corners(cell)[n]);
  return [box.left + x / view.dpr, box.top + y / view.dpr];
}"""


def at(column, row):
    return row * COLUMNS + column


def side(document, cell, direction):
    other = document.grid.neighbour(cell, direction)
    return (min(cell, other), max(cell, other))


def press(view, document, cell, direction):
    view.page.mouse.click(*view.js(MIDDLE, list(side(document, cell, direction))))
    view.idle()


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_click_sets_a_side_and_a_second_one_clears_it(orientation, editor_page):
    document = FakeMap(COLUMNS, ROWS, orientation=orientation)
    view = editor_page(document)
    view.tool("side")
    for direction in range(6):
        press(view, document, at(8, 6), direction)
        assert document.sides == {side(document, at(8, 6), direction): ("fence",)}
        press(view, document, at(8, 6), direction)
        assert document.sides == {}
    assert document.history[:2] == ["Draw fence", "Clear fence"]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_drag_follows_the_corners_and_goes_back_with_the_pointer(orientation, editor_page):
    document = FakeMap(COLUMNS, ROWS, orientation=orientation)
    view = editor_page(document)
    view.tool("side")
    corners = [view.js(CORNER, [at(8, 6), n]) for n in range(6)]
    view.page.mouse.move(*corners[0])
    view.page.mouse.down()
    for corner in corners[1:5]:
        view.page.mouse.move(*corner, steps=4)
    assert view.js("window.studio.view.tool.run.length") == 4
    assert "4 sides" in view.page.inner_text(".wgs-side")
    # Back over two corners: these sides are given up.
    for corner in corners[3:1:-1]:
        view.page.mouse.move(*corner, steps=4)
    assert view.js("window.studio.view.tool.run.length") == 2
    view.page.mouse.up()
    view.idle()
    assert set(document.sides) == {side(document, at(8, 6), n) for n in (0, 1)}
    assert document.history == ["Draw fence"]
    # Esc while dragging gives the run up; a run that begins on the kind clears it.
    view.page.mouse.move(*corners[0])
    view.page.mouse.down()
    view.page.mouse.move(*corners[1], steps=4)
    view.key("Escape")
    view.page.mouse.up()
    view.idle()
    assert len(document.history) == 1
    view.page.mouse.move(*corners[0])
    view.page.mouse.down()
    for corner in corners[1:4]:
        view.page.mouse.move(*corner, steps=4)
    view.page.mouse.up()
    view.idle()
    assert document.sides == {}
    assert document.history == ["Draw fence", "Clear fence"]


def test_a_long_drag_across_the_map_is_one_connected_run(editor_page):
    document = FakeMap(COLUMNS, ROWS)
    view = editor_page(document)
    view.tool("side")
    start, end = view.js(CORNER, [at(3, 3), 5]), view.js(CORNER, [at(15, 9), 2])
    view.page.mouse.move(*start)
    view.page.mouse.down()
    view.page.mouse.move(*end, steps=3)
    view.page.mouse.up()
    view.idle()
    ends = [set(document.grid.side_ends(a, b)) for a, b in document.sides]
    counts = {}
    for pair in ends:
        for point in pair:
            counts[point] = counts.get(point, 0) + 1
    assert sorted(counts.values()).count(1) == 2  # one line: two loose ends, every other corner joins two sides
    assert set(counts.values()) == {1, 2}
    assert len(document.sides) > 20
    assert document.history == ["Draw fence"]


def test_kinds_that_need_something_can_be_only_where_it_is(editor_page):
    document = studio.new_map("armageddon_war", columns=COLUMNS, rows=ROWS)
    label = document.labels.label
    document.paint(label(at(8, 6)), terrain="wadi")
    view = editor_page(document)
    view.tool("side")
    view.page.click('[data-id="breached_fence"]')
    assert "lies on a fence" in view.page.inner_text(".wgs-options")
    press(view, document, at(4, 4), 2)
    assert document.model.sides == {}
    assert "lies on a fence" in view.page.inner_text(".wgs-live")
    view.page.click('[data-id="fence"]')
    press(view, document, at(4, 4), 2)
    view.page.click('[data-id="breached_fence"]')
    press(view, document, at(4, 4), 2)
    assert document.model.sides == {side(document, at(4, 4), 2): ("breached_fence", "fence")}  # two kinds on one side
    # The fence goes with its breach: nothing is left that could not be there.
    view.page.click('[data-id="fence"]')
    press(view, document, at(4, 4), 2)
    assert document.model.sides == {}
    view.page.click('[data-id="wadi_end"]')
    press(view, document, at(4, 4), 2)
    assert document.model.sides == {}
    press(view, document, at(8, 6), 2)
    assert document.model.sides == {side(document, at(8, 6), 2): ("wadi_end",)}
    # What is there is picked by a key, and told in the status line.
    view.page.click('[data-id="fence"]')
    view.page.mouse.move(*view.js(MIDDLE, list(side(document, at(8, 6), 2))))
    assert "wadi end" in view.page.inner_text(".wgs-side")
    view.page.focus(".wgs-area")
    view.key(";")
    assert view.js("window.studio.view.options.kind") == "wadi_end"


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_the_editor_asks_for_what_the_checks_find(ruleset):
    rules = get_ruleset(ruleset)
    needs = side_needs(rules)
    document = studio.new_map(ruleset, columns=6, rows=6)
    label = document.labels.label
    a, b = label(14), label(document.grid.neighbour(14, 1))
    for kind in rules.side_kinds:
        document.set_side(a, b, kind)
        found = {finding.rule for finding in document.check()} & {"map.side_pair", "map.wadi_end"}
        assert bool(found) == (kind in needs), kind
        if "side" in needs.get(kind, {}):
            document.set_side(a, b, [kind, needs[kind]["side"]])
        elif "one_of" in needs.get(kind, {}):
            document.paint(a, terrain=needs[kind]["one_of"][0])
        found = {finding.rule for finding in document.check()} & {"map.side_pair", "map.wadi_end"}
        assert not found, kind


def test_by_keys_a_side_is_chosen_set_and_walked_along(editor_page):
    document = FakeMap(COLUMNS, ROWS)
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("w")
    view.loaded()
    view.js("cell => { window.studio.view.cursor = cell; window.studio.view.keyboard = true; }", at(8, 6))
    view.key("Shift+ArrowRight")
    view.key(" ")
    view.idle()
    assert set(document.sides) == {side(document, at(8, 6), 1)}
    view.key("Delete")
    view.idle()
    assert document.sides == {}
    for _ in range(4):
        view.key("Control+ArrowRight")
    assert view.js("window.studio.view.tool.run.length") == 4
    view.key("Backspace")
    assert view.js("window.studio.view.tool.run.length") == 3
    view.key("Escape")
    assert view.js("window.studio.view.tool.run.length") == 0
    for _ in range(3):
        view.key("Control+ArrowDown")
    view.key("Enter")
    view.idle()
    assert len(document.sides) == 3
    assert document.history[-1] == "Draw fence"

"""Many strokes in a short time, slow links, and huge maps: nothing is lost, and little is done for a stroke."""

from __future__ import annotations

import numpy as np
import pytest

from studio.model import Paint
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

# Strokes as a person makes them, as fast as the page can take them: press, move, release.
STROKES = """([count, terrains, offset]) => {
  const { view } = window.studio, { grid } = view;
  view.select("brush");
  const event = (cell) => {
    const [x, y] = grid.centre(cell), [px, py] = view.camera.toScreen(x, y);
    return { cell, x, y, px, py, side: null, shift: false };
  };
  for (let n = 0; n < count; n++) {
    const from = (offset + n * 37) % grid.size, to = grid.step(from, 2, 1);
    view.options.terrain = terrains[n % terrains.length];
    view.tool.down(event(from));
    view.tool.move(event(to));
    view.tool.up(event(to));
  }
}"""
PLANE = "Array.from(window.studio.store.planes.terrain)"
SLOW = """wait => {
  const { model } = window, deliver = model.deliver.bind(model);
  const later = (message) => new Promise((done) => setTimeout(() => { deliver(message); done(); }, wait));
  model.deliver = (message) => { model.late = (model.late || Promise.resolve()).then(() => later(message)); };
}"""
COUNT = """() => {
  const { stage, view } = window.studio, counts = { uploads: 0, stamps: 0, tiles: 0 };
  const { backdrop, terrain } = stage, { upload, stamp } = backdrop, { touch } = terrain;
  backdrop.upload = function (...at) { counts.uploads += 1; return upload.apply(this, at); };
  backdrop.stamp = function (cells) { counts.stamps += cells.length; return stamp.call(this, cells); };
  terrain.touch = function (...about) { counts.tiles += 1; return touch.apply(this, about); };
  window.counts = counts;
  view.zoom((26 * view.dpr) / view.camera.scale);
}"""
BAKED = """() => {
  const { stage, camera } = window.studio, tiles = stage.groundTiles;
  return tiles.now.scale === camera.scale && tiles.now.tiles.size && !tiles.missing(camera).length;
}"""
MIDDLE = """() => {
  const { view } = window.studio, { camera } = view;
  return view.grid.cellAt(...camera.toWorld(camera.width / 2, camera.height / 2));
}"""
TERRAINS = ["marsh", "dunes", "rough", "clear", "cultivated"]


def settled(view, document):
    view.idle()
    assert view.js(PLANE) == document.terrain.ravel().tolist()


def test_five_hundred_strokes_in_a_second_are_five_hundred_steps(editor_page):
    document = FakeMap(40, 30)
    view = editor_page(document)
    before = view.js("window.model.sent.length")
    view.js(STROKES, [500, TERRAINS, 0])
    settled(view, document)
    # A stroke over its own terrain changes nothing and is none.
    assert 400 <= len(document.history) <= 500
    assert view.js("window.model.sent.length") - before < 60
    painted = document.terrain.copy()
    for _ in range(40):
        view.js("window.studio.store.undo()")
    for _ in range(40):
        view.js("window.studio.store.redo()")
    settled(view, document)
    assert np.array_equal(document.terrain, painted)


def test_a_slow_link_loses_no_stroke_and_shows_no_old_one(editor_page):
    document = FakeMap(40, 30)
    view = editor_page(document)
    view.js(SLOW, 700)
    shown = []
    for part in range(4):
        view.js(STROKES, [30, TERRAINS, part * 211])
        shown.append(view.js(PLANE))
        view.page.wait_for_timeout(150)
        # Nothing that was drawn goes away again while the answers are on their way.
        assert view.js(PLANE) == shown[-1]
        # A cell changes the same map meanwhile.
        document.apply(Paint(plane="levels", cells=[part * 7], values=[1]))
    settled(view, document)
    assert document.terrain.ravel().tolist() == shown[-1]
    assert [int(document.levels.flat[part * 7]) for part in range(4)] == [1, 1, 1, 1]
    view.page.wait_for_function("window.studio.store.planes.levels[21] === 1", timeout=15_000)


def test_undo_and_strokes_in_turn_over_a_slow_link(editor_page):
    document = FakeMap(40, 30)
    view = editor_page(document)
    view.js(SLOW, 400)
    for part in range(3):
        view.js(STROKES, [10, TERRAINS, part * 97])
        view.js("window.studio.store.undo(); window.studio.store.undo(); window.studio.store.redo();")
        view.js(STROKES, [10, TERRAINS[::-1], part * 61])
    settled(view, document)


def test_a_stroke_on_a_million_hexes_repaints_what_it_touches_and_no_more(editor_page):
    document = FakeMap(1024, 1024)
    view = editor_page(document)
    view.js(COUNT)
    view.page.wait_for_function(BAKED)
    view.page.wait_for_timeout(600)  # what comes in parts of its own has come
    view.page.wait_for_function(BAKED)
    view.idle()
    tiles = view.js("window.studio.stage.groundTiles.now.tiles.size")
    baked = view.js("window.studio.stage.groundTiles.baked")
    view.tool("brush")
    view.page.click('[data-id="marsh"]')
    view.page.focus(".wgs-area")
    view.key("6")  # 91 hexes a dab
    middle = view.js(MIDDLE)
    view.click(middle)
    view.idle()
    assert int((document.terrain == document.terrain_ids.index("marsh")).sum()) == 91
    counts = view.js("window.counts")
    # The far view: single pixels, no square of it goes to the screen anew. The near one: the tiles under the brush.
    assert counts["uploads"] == 0
    assert counts["stamps"] == 91
    assert 1 <= counts["tiles"] <= 9
    assert tiles >= counts["tiles"]
    assert view.js("window.studio.stage.groundTiles.baked") - baked <= 9
    assert view.js("window.studio.store.link.bytes") < 2_000

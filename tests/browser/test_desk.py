"""Panels beside the map, notices, long work and the read-only view, used as a person would."""

from __future__ import annotations

import threading
import time

import pytest

import studio
from studio.editor import MapEditor
from tests.browser.page import EditorPage

pytestmark = pytest.mark.browser


@pytest.fixture
def document(request):
    made = studio.new_map("armageddon_war", columns=20, rows=14, title=request.node.name)
    yield made
    made.close()


def unfold(view, name):
    view.page.locator("summary", has_text=name).first.click()


def test_a_finding_leads_to_its_place_and_is_mended(editor_page):
    town = studio.new_map("urban_operations", columns=40, rows=30)
    far = [(21_600, 12_000), (21_609, 12_000), (21_609, 12_000)]
    town.set("sources", [{"title": "drawn here"}]).add("wall", type="outer_wall", line=far)
    view = editor_page(town)
    unfold(view, "Findings")
    view.page.click('[data-action="findings:check"]')
    row = view.page.locator('[data-panel="findings"] .wgs-finding').first
    row.wait_for()
    assert "wall-1" in row.inner_text()
    row.click()
    x, y = view.js(
        "(() => { const v = window.studio.view; return v.camera.toWorld(v.camera.width / 2, v.camera.height / 2); })()"
    )
    kx, ky = view.js("[window.studio.view.grid.kx, window.studio.view.grid.ky]")
    assert abs(x / kx - 21_600) < 400 and abs(y / ky - 12_000) < 400
    view.page.locator('[data-action="findings:mend"]').click()
    view.page.wait_for_function(
        "document.querySelector('[data-panel=\"findings\"]').textContent.includes('Nothing found')"
    )
    assert town.check() == [] and len(town.history) == 3
    view.page.focus(".wgs-area")
    view.key("Control+z")
    view.idle()
    assert len(town.check()) == 1
    town.close()


def test_the_history_is_one_list_for_pointer_and_python(document, editor_page):
    view = editor_page(document)
    unfold(view, "History")
    view.tool("brush")
    view.page.click('[data-id="dunes"]')
    view.click(105)
    view.idle()
    document.paint("0303", terrain="marsh")
    steps = view.page.locator('[data-panel="history"] .wgs-finding')
    view.page.wait_for_function("document.querySelectorAll('[data-panel=\"history\"] .wgs-finding').length === 3")
    texts = steps.all_inner_texts()
    assert "marsh" in texts[0] and "dunes" in texts[1] and "opened" in texts[2]
    steps.nth(2).click()
    view.page.wait_for_function("window.studio.store.terrainAt(105) === 'clear'")
    assert document.history == [] and len(document.undone) == 2
    steps.nth(0).focus()
    view.key("Enter")
    view.page.wait_for_function("window.studio.store.terrainAt(105) === 'dunes'")
    assert len(document.history) == 2


def test_a_panel_follows_as_long_as_one_of_the_views_shows_it(document, editor_page):
    view = editor_page(document)
    view.js("window.second()")
    view.page.wait_for_function("document.querySelectorAll('.wgs[data-ready=\"1\"]').length === 2")
    heads = view.page.locator("summary", has_text="History")
    for n in (0, 1):
        heads.nth(n).click()
    bodies = view.page.locator('[data-panel="history"]')
    bodies.nth(1).get_by_text("Nothing was changed").wait_for()
    heads.nth(1).click()
    view.idle()
    document.paint("0303", terrain="marsh")
    bodies.nth(0).get_by_text("Paint marsh").wait_for(timeout=10_000)
    heads.nth(0).click()
    view.page.wait_for_function("!window.studio.store.link.waiting.length")
    view.page.wait_for_timeout(150)
    assert "history" not in view.editor.desk._open
    document.close()


def test_typing_in_a_panel_is_not_taken_away(document, editor_page):
    view = editor_page(document)
    unfold(view, "Movement")
    points = view.page.get_by_label("Points", exact=True)
    points.click()
    view.page.keyboard.type("7")
    document.paint("0303", terrain="marsh")
    time.sleep(0.4)
    view.page.wait_for_timeout(200)
    view.page.keyboard.type("/2")
    assert points.input_value() == "7/2"
    view.key("Tab")
    view.page.wait_for_timeout(200)
    assert view.page.get_by_label("Points", exact=True).input_value() == "7/2"
    view.page.get_by_label("Points", exact=True).fill("many")
    view.key("Tab")
    view.tool("ways")
    view.click(105)
    view.page.wait_for_selector('[data-panel="ways"] [data-tone="error"]')


def test_recovered_work_is_offered(tmp_path, editor_page):
    file = tmp_path / "wadi.map.json"
    first = studio.new_map("armageddon_war", columns=20, rows=14, title="Wadi")
    first.save(file)
    first.paint("0303", terrain="marsh")
    first.close()
    with pytest.warns(studio.api.RecoveredWarning):
        again = studio.open_map(file)
    view = editor_page(again)
    notice = view.page.locator('[data-notice="recovered"]')
    assert "1 unsaved step" in notice.inner_text()
    notice.locator('[data-action="notice:revert"]').click()
    view.page.wait_for_selector('[data-notice="recovered"]', state="detached")
    assert not again.dirty
    again.close()


def test_long_work_shows_how_far_it_is_and_stops(document, editor_page):
    view = editor_page(document)
    seen = threading.Event()

    def job(progress):
        for number in range(100_000):
            progress(number % 100, 100)
            seen.set()
            time.sleep(0.005)

    thread = view.editor.work("Counting grains", job)
    view.page.wait_for_selector(".wgs-work progress[value]")
    view.tool("brush")
    view.page.click('[data-id="dunes"]')
    view.click(105)
    view.idle()
    assert document.model.terrain_at(105) == "dunes", "the map can be drawn on meanwhile"
    view.page.click('[data-action="cancel-work"]')
    view.page.wait_for_selector(".wgs-work", state="detached")
    thread.join(5)
    assert not thread.is_alive()
    assert "cancelled" in view.page.inner_text(".wgs-live")


def test_the_read_only_view_looks_and_asks(document, new_page, bundle_server):
    document.paint("0303", terrain="dense_woods")
    shown = MapEditor(document, readonly=True)
    view = EditorPage(new_page(), shown, bundle_server)
    tools = view.js("[...document.querySelectorAll('[data-tool]')].map((b) => b.dataset.tool)")
    assert {"pan", "sight"} <= set(tools) and not {"brush", "side", "road", "name", "eraser"} & set(tools)
    assert not view.page.locator('[data-action="undo"], [data-action="save"]').locator("visible=true").count()
    before = view.js("window.model.sent.length")
    for key in ("b", "Delete", "Control+z", "Control+s"):
        view.page.focus(".wgs-area")
        view.key(key)
    view.page.wait_for_timeout(100)
    assert document.history == ["Paint dense woods on 1 hex"]
    view.tool("sight")
    view.drag(document.labels.cell("0302"), document.labels.cell("0304"))
    view.page.wait_for_selector('.wgs-verdict[data-status="blocked"]')
    assert view.js("window.model.sent.length") > before
    document.paint("0303", terrain="clear")
    view.page.wait_for_selector('.wgs-verdict[data-status="clear"]')
    shown.close()


def test_undo_in_the_middle_of_a_stroke_takes_back_the_stroke(document, editor_page):
    document.paint("0303", terrain="marsh")
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="dunes"]')
    view.page.mouse.move(*view.at(105))
    view.page.mouse.down()
    view.page.mouse.move(*view.at(108), steps=4)
    assert view.js("window.studio.store.terrainAt(107)") == "dunes"
    view.key("Control+z")
    view.page.mouse.move(*view.at(112), steps=4)
    view.page.mouse.up()
    view.idle()
    shown = {view.js(f"window.studio.store.terrainAt({cell})") for cell in range(105, 113)}
    assert shown == {"clear"} and document.history == ["Paint marsh on 1 hex"]

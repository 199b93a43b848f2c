"""The editor in an empty page, used by somebody who clicks everywhere, types at any time and loses the kernel."""

from __future__ import annotations

import pytest

import studio
from studio.model import Paint
from tests.browser.page import EditorPage
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

FEATURES = 1

# The notebook around the editor: it takes the focus of whatever lets go of it, and counts the keys that reach it.
NOTEBOOK = """() => {
    const out = document.getElementById('out'); out.tabIndex = 0; window.leaked = [];
    const tell = (ev) => { if (!ev.target.closest?.('[data-lm-suppress-shortcuts]')) window.leaked.push(ev.key); };
    document.addEventListener('keydown', tell, true);
    out.addEventListener('keydown', (ev) => window.leaked.push(ev.key));
    out.addEventListener('mousedown', () => window.leaked.push('mousedown'));
}"""
INSIDE = "() => document.querySelector('.wgs').contains(document.activeElement)"
# The first control of every sort in the side panel takes the focus in turn; what it is, null after the last.
FOCUS = """() => {
    for (const el of document.querySelectorAll('.wgs-panel :is(button, input, select, textarea, summary)')) {
        const sort = `${el.tagName}-${el.draggable ? 'drag' : el.list ? 'list' : el.type || ''}-${el.className}`;
        if (window.tried.has(sort) || el.disabled) continue;
        el.focus();
        if (document.activeElement !== el) continue;
        window.tried.add(sort);
        return sort;
    }
    return null;
}"""
ON_MAP = "() => document.activeElement === document.querySelector('.wgs-area')"


@pytest.fixture
def document():
    return FakeMap(20, 14)


def in_notebook(view):
    view.js(NOTEBOOK)
    return view


def press_dangerous_keys(view):
    for key in ("x", "m", "y", "a", "d", "d", "z", "c", "s"):
        view.key(key)


# -- the focus stays -------------------------------------------------------------------------------------------------


def test_a_click_on_any_text_leaves_the_keys_with_the_editor(document, editor_page):
    document.apply(Paint(plane="terrain", cells=[105], values=["light_woods"]))
    view = in_notebook(editor_page(document))
    view.tool("sight")
    view.drag(102, 109)
    view.page.wait_for_selector(".wgs-reasons li")
    view.page.get_by_text("History", exact=True).click()
    document.fail_sight = True
    view.drag(82, 89)
    view.page.wait_for_selector(".wgs-message")
    places = [
        ".wgs-reasons",
        ".wgs-status",
        ".wgs-under",
        ".wgs-saved",
        '[data-panel="history"] .wgs-finding',
        ".wgs-message span",
    ]
    places += [".wgs-panel h3", ".wgs-verdict", ".wgs-facts", ".wgs-top", ".wgs-tools", '[data-action="redo"]']
    for place in places:
        view.page.locator(place).first.click(force=True, position={"x": 3, "y": 3})
        view.page.wait_for_timeout(20)
        assert view.js(INSIDE), place
        press_dangerous_keys(view)
        assert view.js("window.leaked") == [], place
    view.page.locator(".wgs-status").click()
    view.page.wait_for_function(ON_MAP)


def test_text_of_a_message_can_be_selected_and_inputs_typed_in(document, editor_page):
    view = in_notebook(editor_page(document))
    document.fail_sight = True
    view.tool("sight")
    view.drag(102, 106)
    text = view.page.locator(".wgs-message span").first
    text.dblclick(position={"x": 12, "y": 6})
    assert view.js("String(getSelection()).trim().length") > 2
    assert view.js(INSIDE)
    view.page.click(".wgs-find")
    view.page.keyboard.type("xd")
    assert view.page.input_value(".wgs-find") == "xd"
    view.tool("level")
    view.page.get_by_role("radio", name="Set to").click()
    number = view.page.get_by_label("Level", exact=True)
    number.fill("2")
    assert view.js("() => document.activeElement.type") == "number"
    assert view.js("window.leaked") == []


def test_keys_live_on_after_a_choice_in_the_panel(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    view = in_notebook(editor_page(document))
    view.tool("brush")
    view.page.click('[data-id="marsh"]')
    assert view.js("() => document.activeElement.dataset.id") == "marsh"
    view.page.get_by_role("radio", name="3", exact=True).click()
    assert view.js("() => document.activeElement.textContent") == "3"
    view.page.locator("summary", has_text="Findings").click()
    view.page.click('[data-action="findings:check"]')
    view.page.wait_for_selector('[data-panel="findings"] .wgs-say')
    assert view.js("() => document.activeElement.dataset.action") == "findings:check"
    view.key("r")
    assert view.js("window.studio.tool") == "rectangle"
    view.page.click('[data-id="dunes"]')
    view.key("Control+s")
    view.page.wait_for_selector(".wgs-dialog input")
    assert view.js("window.leaked") == []
    document.close()


def test_a_button_that_goes_dead_hands_the_focus_to_the_map(document, editor_page):
    view = in_notebook(editor_page(document))
    view.tool("brush")
    view.click(64)
    view.idle()
    view.page.click('[data-action="undo"]')
    view.idle()
    view.page.wait_for_function(ON_MAP)
    view.key("Control+Shift+z")
    view.idle()
    assert document.can_undo
    # What lies outside of the editor keeps the focus that it was given.
    view.js("() => { const i = document.createElement('input'); i.id = 'other'; document.body.append(i); }")
    view.page.click("#other")
    document.undo()
    view.push()
    assert view.js("() => document.activeElement.id") == "other"


# -- the kernel ------------------------------------------------------------------------------------------------------


def end_kernel(view, how="restarting"):
    view.js("how => { const k = window.model.widget_manager.kernel; k.status = how; k.statusChanged.emit(how); }", how)


@pytest.mark.parametrize("how", ["restarting", "autorestarting", "dead"])
def test_a_kernel_that_ends_is_noticed_before_the_next_stroke(how, document, editor_page):
    view = editor_page(document, kernel=True)
    view.tool("brush")
    view.click(64)
    view.idle()
    end_kernel(view, how)
    banner = view.page.inner_text(".wgs-message")
    assert "studio.unsaved()" in banner and "brought back" not in banner
    assert "Saved" not in view.page.inner_text(".wgs-saved")
    before = view.js("window.studio.store.terrainAt(70)")
    sent = view.js("window.model.sent.length")
    view.click(70)
    view.key("ArrowRight")
    view.key(" ")
    view.key("Control+z")
    view.key("Control+s")
    assert view.js("window.studio.store.terrainAt(70)") == before
    assert view.js("window.model.sent.length") == sent
    assert view.page.locator(".wgs-dialog").count() == 0
    assert view.page.locator('[data-action="save"]').is_disabled()
    # The warning sign stands before the words, not over them.
    sign, words = (view.page.locator(".wgs-message .wgs-line > *").nth(n).bounding_box() for n in (0, 1))
    assert sign["x"] + sign["width"] <= words["x"] and sign["width"] < 40
    # It can still be looked at.
    view.drag(64, 70)
    assert view.js("window.studio.view.moved")


def test_the_banner_promises_what_is_true(document, editor_page):
    document.save("here.map.json")
    view = editor_page(document, kernel=True)
    end_kernel(view)
    banner = view.page.inner_text(".wgs-message")
    assert "Run the cell that opens it again: what was drawn is brought back" in banner
    assert "unsaved()" not in banner and "may be missing" not in banner


def test_a_stroke_that_never_arrived_is_owned_up_to(document, editor_page):
    view = editor_page(document, kernel=True)
    view.tool("brush")
    view.js("() => { window.model.send = () => {}; }")
    view.click(64)
    view.page.wait_for_timeout(50)
    end_kernel(view)
    assert "may be missing" in view.page.inner_text(".wgs-message")


def test_a_verdict_on_the_screen_outlives_the_kernel(document, editor_page):
    view = editor_page(document, kernel=True)
    view.tool("sight")
    view.drag(102, 106)
    view.page.wait_for_selector('.wgs-verdict[data-status="clear"]')
    end_kernel(view)
    view.page.mouse.move(*view.at(170))
    assert view.page.locator('.wgs-verdict[data-status="clear"]').is_visible()
    assert view.page.inner_text(".wgs-facts").endswith("4 hexes")


@pytest.mark.parametrize(
    "sign",
    [
        "window.model.trigger('comm:close')",
        "(window.model.state.layout = { comm_live: false }, window.model.trigger('comm_live_update'))",
        "(window.model.send = () => { throw new Error('Cannot send'); }, window.studio.store.hello())",
    ],
    ids=["closed", "channel", "send"],
)
def test_a_channel_that_closes_is_noticed_too(sign, document, editor_page):
    view = editor_page(document)
    view.js(sign)
    view.page.wait_for_selector('.wgs[data-dead="1"]')
    assert "drawing is switched off" in view.page.inner_text(".wgs-message")


def test_a_kernel_that_shows_no_sign_is_asked(document, editor_page):
    view = editor_page(document)
    # Not a word comes any more, not even one that is on its way.
    view.js("() => { window.model.send = window.model.deliver = () => {}; window.studio.store.kernel.heard = -1e6; }")
    view.page.focus(".wgs-area")
    view.page.wait_for_function("document.querySelector('.wgs-busy').textContent.includes('no answer')", timeout=9000)


def test_what_waits_for_a_kernel_that_is_gone_says_so(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14, title="Waits in vain")
    view = editor_page(document, kernel=True)
    view.page.locator("summary", has_text="Size").first.click()
    view.page.wait_for_selector('[data-panel="size"] input')
    view.editor.send({"type": "work", "id": 7, "title": "Counting", "done": 1, "total": 2, "state": "running"})
    view.page.wait_for_selector(".wgs-work")
    end_kernel(view)
    assert view.page.locator(".wgs-work").count() == 0, "a bar that goes nowhere"
    assert view.js("[...document.querySelectorAll('[data-panel=\"size\"] input')].every((el) => el.disabled)")
    view.page.focus(".wgs-area")
    for key in ("g", "Shift+D", "?", "/"):
        view.key(key)
    view.page.wait_for_function("!window.studio.view.tool.stub")
    words = " ".join(view.page.locator(".wgs-message").all_inner_texts())
    assert "the kernel is gone" in words
    view.page.focus(".wgs-area")
    before = view.js("window.studio.view.cursor")
    view.key("ArrowRight")
    view.key("ArrowRight")
    assert view.js("window.studio.view.cursor") != before, "no key is kept for a tool that never comes"
    document.close()


@pytest.mark.parametrize("kind", ["map", "scenario"])
def test_no_control_of_any_panel_hands_its_keys_on(kind, new_page, bundle_server):
    opener = studio.open_scenario if kind == "scenario" else studio.open_map
    file = {"map": "maps/urban-1.map.json", "scenario": "scenarios/armageddon-01.scenario.json"}[kind]
    document = opener(file, recover_unsaved=False)
    editor = document.edit()
    view = in_notebook(EditorPage(new_page(), editor, bundle_server))
    view.loaded()
    view.page.evaluate("document.querySelectorAll('.wgs-part').forEach((el) => { el.open = true; })")
    view.page.wait_for_function(
        "[...document.querySelectorAll('.wgs-nodes')].every((el) => el.closest('details').open && el.children.length)"
    )
    view.page.evaluate("document.querySelectorAll('.wgs-fold').forEach((el) => { el.open = true; })")
    seen = []
    view.js("window.tried = new Set()")
    while sort := view.js(FOCUS):
        seen.append(sort)
        for key in ("x", "d", "Escape", "ArrowDown", "Shift+M"):
            view.key(key)
        assert view.js(INSIDE), sort
    assert view.js("window.leaked") == [], seen
    tags = {sort.split("-")[0] for sort in seen}
    assert {"BUTTON", "SELECT", "INPUT", "SUMMARY"} <= tags and len(seen) > 8, seen
    editor.close()
    document.close()


# -- windows over the map --------------------------------------------------------------------------------------------


def test_esc_closes_the_help_and_leaves_the_sight_line(document, editor_page):
    view = editor_page(document)
    view.tool("sight")
    view.drag(102, 106)
    view.page.wait_for_selector('.wgs-verdict[data-status="clear"]')
    view.key("?")
    view.page.wait_for_selector(".wgs-help")
    view.key("b")
    assert view.js("window.studio.tool") == "sight"
    view.key("Escape")
    assert view.page.locator(".wgs-help").count() == 0
    assert view.page.locator('.wgs-verdict[data-status="clear"]').count() == 1
    assert view.js(ON_MAP)
    view.key("Escape")
    assert view.page.locator('.wgs-verdict[data-status="clear"]').count() == 0


@pytest.mark.parametrize("width", [1000, 580, 420])
def test_help_can_be_read_at_any_width(width, document, editor_page):
    view = editor_page(document, width=width)
    view.page.focus(".wgs-area")
    view.key("?")
    # The list grows once the tools of the parts have told their keys; then it stays as it is.
    view.page.wait_for_selector(".wgs-help")
    view.page.wait_for_function("!window.studio.view.tools.all.some((tool) => tool.stub)")
    view.page.wait_for_timeout(50)
    narrowest = view.js("Math.min(...[...document.querySelectorAll('.wgs-key span')].map((s) => s.offsetWidth))")
    tallest = view.js("Math.max(...[...document.querySelectorAll('.wgs-key')].map((s) => s.offsetHeight))")
    assert narrowest > 60 and tallest < 80
    help_box, host = view.page.locator(".wgs-help").bounding_box(), view.page.locator(".wgs").bounding_box()
    assert help_box["height"] <= host["height"] and help_box["width"] >= min(560, width - 40)
    view.page.locator(".wgs-key").last.scroll_into_view_if_needed()
    assert view.page.locator(".wgs-key").last.is_visible()


def test_the_panel_makes_room_where_the_editor_is_narrow(document, editor_page):
    view = editor_page(document, width=580)
    assert not view.page.locator(".wgs-panel").is_visible()
    assert view.page.locator(".wgs-area").bounding_box()["width"] > 480
    # A tool brings its options; the first press on the map puts them away.
    view.tool("brush")
    view.page.click('[data-id="rough"]')
    view.click(64)
    view.idle()
    assert document.terrain_at(64) == "rough"
    assert not view.page.locator(".wgs-panel").is_visible()
    view.page.click('[data-action="panel"]')
    view.click(63)
    assert view.page.locator(".wgs-panel").is_visible()
    view.js("document.getElementById('out').style.width = '900px'")
    view.page.wait_for_function("!document.querySelector('.wgs').classList.contains('wgs-over')")
    assert view.page.locator(".wgs-panel").is_visible()


def test_save_as_is_modal_and_adds_the_ending(tmp_path, monkeypatch, editor_page):
    monkeypatch.chdir(tmp_path)
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    view = in_notebook(editor_page(document))
    view.tool("brush")
    view.click(64)
    view.idle()
    steps = len(document.history)
    view.key("Control+s")
    view.page.wait_for_selector(".wgs-dialog input")
    # Nothing behind it can be painted on or reached by key.
    view.page.mouse.click(*view.at(164))
    view.page.locator(".wgs-dialog button").last.focus()
    for key in ("b", "Control+z", "Delete", "Tab", "Shift+Tab", "Tab"):
        view.key(key)
        assert view.js("() => !!document.activeElement.closest('.wgs-dialog')"), key
    view.idle()
    assert len(document.history) == steps
    view.page.fill(".wgs-dialog input", "nowhere/deep/map")
    assert "nowhere/deep/map.map.json" in view.page.inner_text(".wgs-dialog .wgs-hint")
    assert str(tmp_path) in view.page.inner_text(".wgs-dialog .wgs-hint")
    (tmp_path / "taken.map.json").write_text("{}")
    view.page.fill(".wgs-dialog input", "taken")
    view.key("Enter")
    view.page.wait_for_selector(".wgs-dialog .wgs-fault:not([hidden])")
    assert "taken.map.json" in view.page.inner_text(".wgs-fault")
    assert view.page.input_value(".wgs-dialog input") == "taken"
    assert view.page.locator(".wgs-message").count() == 0
    view.page.fill(".wgs-dialog input", "wadi")
    view.key("Enter")
    view.page.wait_for_selector(".wgs-dialog", state="detached")
    assert (tmp_path / "wadi.map.json").exists()
    assert document.path == tmp_path / "wadi.map.json"
    assert view.page.inner_text(".wgs-live") == "Saved as wadi.map.json"
    assert view.js(ON_MAP)
    assert view.js("window.leaked") == []
    document.close()


def test_only_the_view_that_saves_asks_for_a_name(document, editor_page):
    view = editor_page(document)
    view.page.evaluate("window.second()")
    view.page.wait_for_function("document.querySelectorAll('.wgs[data-ready=\"1\"]').length === 2")
    view.page.locator(".wgs-area").first.focus()
    view.key("Control+s")
    view.page.wait_for_selector(".wgs-dialog input")
    assert view.page.locator(".wgs-dialog").count() == 1


# -- what is shown and said ------------------------------------------------------------------------------------------


def test_the_field_of_view_ends_at_the_frame(editor_page):
    document = FakeMap(9, 7, half=("top", "bottom"))
    document.apply(Paint(plane="terrain", cells=list(range(63)), values=["dense_woods"]))
    view = editor_page(document)
    view.tool("sight")
    view.drag(31, 32)
    view.key("v")
    view.page.wait_for_function("window.studio.stage.shade.plane")
    view.idle()
    spilt = view.js(
        """() => { const s = window.studio, box = document.querySelector('.wgs-area').getBoundingClientRect();
        const [x0, y0, x1, y1] = s.view.grid.bounds; let spilt = 0, shaded = 0;
        for (let i = 1; i < 60; i++) { const x = x0 + (x1 - x0) * i / 60;
            for (const [y, out] of [[y0 - 0.12, 1], [y1 + 0.12, 1], [y0 + 0.2, 0], [y1 - 0.2, 0]]) {
                const [px, py] = s.camera.toScreen(x, y), alpha = s.pixel(1, box.left + px, box.top + py)[3];
                if (out) spilt += alpha > 0; else shaded += alpha > 0; } }
        return [spilt, shaded]; }"""
    )
    assert spilt[0] == 0 and spilt[1] > 60


def test_what_was_said_is_over_with_the_next_action(document, editor_page):
    view = editor_page(document)
    view.tool("road")
    view.drag(42, 43, 44, 45)
    view.idle()
    assert view.page.inner_text(".wgs-live").startswith("Road from")
    view.tool("brush")
    assert view.page.inner_text(".wgs-live") == ""
    view.tool("road")
    view.drag(82, 83, 84, 85)
    view.page.wait_for_function("document.querySelector('.wgs-live').textContent === ''", timeout=7000)


def test_the_status_line_says_no_numbers_but_the_printed_ones(document, editor_page):
    view = editor_page(document)
    view.page.mouse.move(*view.at(105))
    text = view.page.inner_text(".wgs-under")
    assert document.labels.label(105) in text
    assert "column" not in text and "row" not in text


def test_the_chosen_hexside_is_named(document, editor_page):
    view = editor_page(document)
    kind = next(iter(document.ruleset.side_kinds))
    name = document.ruleset.side_kinds[kind].name.lower()
    view.page.focus(".wgs-area")
    view.key("w")
    view.page.click(f'[data-id="{kind}"]')
    view.page.focus(".wgs-area")
    view.key("ArrowRight")
    view.key("Shift+ArrowRight")
    chosen = view.js("(({ a, b }) => [a, b])(window.studio.view.tool.near)")
    a, b = (document.labels.label(cell) for cell in chosen)
    assert f"side {a}/{b}: nothing" in view.page.locator(".wgs-live").text_content()
    view.key(" ")
    view.idle()
    assert f"side {a}/{b}: {name}" in view.page.locator(".wgs-live").text_content()


def test_a_map_that_nearly_fits_opens_with_its_numbers(editor_page):
    view = editor_page(FakeMap(20, 17))
    least = view.js("window.studio.store.style.zoom.numbers * 1.3")
    assert view.js("window.studio.camera.scale") >= least
    view.page.focus(".wgs-area")
    view.key("Home")
    x0, y0, x1, y1 = view.js("window.studio.camera.visible()")
    left, top, right, bottom = view.js("window.studio.view.grid.bounds")
    assert x0 <= left and y0 <= top and x1 >= right and y1 >= bottom


def test_zoom_by_key_keeps_the_cursor_in_its_place(document, editor_page):
    view = editor_page(document)
    view.page.focus(".wgs-area")
    for _ in range(5):
        view.key("ArrowRight")
    cursor = view.js("window.studio.view.cursor")
    x, y = view.at(cursor)
    view.key("+")
    view.key("+")
    u, v = view.at(cursor)
    assert abs(u - x) < 3 and abs(v - y) < 3


def test_findings_are_scrolled_into_view(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    document.paint("0505", terrain="river")
    view = editor_page(document)
    view.tool("brush")
    for part in ("Legend", "Layers", "Findings"):
        view.page.locator("summary", has_text=part).click()
    view.page.click('[data-action="findings:check"]')
    view.page.wait_for_selector('[data-panel="findings"] .wgs-say')
    box = view.page.locator('[data-panel="findings"] .wgs-say').bounding_box()
    panel = view.page.locator(".wgs-panel").bounding_box()
    assert panel["y"] <= box["y"] and box["y"] + box["height"] <= panel["y"] + panel["height"]
    document.close()


def test_end_b_is_fixed_by_drag_and_by_enter(document, editor_page):
    view = editor_page(document)
    view.tool("sight")
    view.page.wait_for_selector(".wgs-facts .wgs-hint")
    hint = view.page.inner_text(".wgs-facts")
    assert "letting go" in hint and "Enter" in hint
    view.drag(102, 106)
    view.page.mouse.move(*view.at(170))
    ends = "(({ a, b, held }) => [a?.cell, b?.cell, held])(window.studio.view.tool)"
    assert view.js(ends) == [102, 106, True]
    view.key("Escape")
    view.key("ArrowRight")
    start = view.js("window.studio.view.cursor")
    view.key("Enter")
    for _ in range(3):
        view.key("ArrowRight")
    end = view.js("window.studio.view.cursor")
    view.key("Enter")
    view.key("ArrowDown")
    assert view.js(ends) == [start, end, True]
    view.key("Enter")
    assert view.js("window.studio.view.tool.b") is None

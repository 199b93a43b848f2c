"""Comfort for everyone: names of controls, contrast in both themes, small windows, touch, keys that are told apart."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import studio
from studio.rules import ruleset_ids
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

THEMES = Path(sys.prefix) / "share" / "jupyter" / "lab" / "themes" / "@jupyterlab"

# Every text in sight with the contrast to what lies behind it, as the eye gets it: colours laid over each other.
CONTRAST = """() => {
  const ctx = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    ctx.clearRect(0, 0, 1, 1);
    ctx.fillStyle = colour;
    ctx.fillRect(0, 0, 1, 1);
    return [...ctx.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, under) => [0, 1, 2].map((i) => (top[i] * top[3] + under[i] * (255 - top[3])) / 255);
  const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (c) => c.map((v) => linear(v / 255)).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (el) => {
    const list = [];
    for (; el; el = el.parentElement) list.unshift(rgba(getComputedStyle(el).backgroundColor));
    return list.reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const textOf = (el) => {
    const own = [...el.childNodes].map((node) => (node.nodeType === 3 ? node.textContent.trim() : "")).join("");
    return own || (el.matches("input[type=text], input[type=number], input[type=search]") ? el.value : "");
  };
  const found = [];
  for (const el of document.querySelectorAll(".wgs *")) {
    const text = textOf(el);
    if (!text || !el.checkVisibility() || el.closest(":disabled, svg, option, style")) continue;
    const under = behind(el), ink = over(rgba(getComputedStyle(el).color), under);
    const [a, b] = [light(ink), light(under)].sort((m, n) => n - m);
    found.push([(a + 0.05) / (b + 0.05), text.slice(0, 40), `${el.tagName} ${el.className}`]);
  }
  return found.sort((m, n) => m[0] - n[0]);
}"""

NAMELESS = """() => {
  const controls = ".wgs button, .wgs input, .wgs select, .wgs textarea, .wgs summary, .wgs [role]";
  const quiet = ["status", "alert", "group", "list", "listitem", "presentation"];
  const named = (el) => el.getAttribute("aria-label") || el.textContent.trim() || el.title || el.closest("label");
  return [...document.querySelectorAll(controls)]
    .filter((el) => el.checkVisibility() && !named(el) && !quiet.includes(el.getAttribute("role")))
    .map((el) => el.outerHTML.slice(0, 120));
}"""
THEMED = """([values, dark]) => {
  for (const [key, value] of Object.entries(values)) document.documentElement.style.setProperty(key, value);
  document.body.style.background = dark ? "#111" : "#fff";
}"""
PLACE = "document.activeElement.closest('.wgs-top, .wgs-tools, .wgs-area, .wgs-panel')?.className || ''"


def theme(name):
    """The colours of JupyterLab's own theme, as it ships them."""
    text = (THEMES / f"theme-{name}-extension" / "index.css").read_text(encoding="utf-8")
    found = dict(re.findall(r"(--(?:jp|md)-[\w-]+):\s*([^;}]+)[;}]", text))

    def value(key):
        while (link := re.fullmatch(r"var\((--[\w-]+)\)", found[key].strip())) is not None:
            key = link[1]
        return found[key]

    colours = {key: value(key) for key in found if re.match(r"--jp-(layout-color|ui-font-color|border-color)\d$", key)}
    assert len(colours) > 8
    return colours


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_text_has_contrast_in_the_themes_of_jupyterlab(name, editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    document.add("marker", type="smoke", at="0505")
    document.paint("0505", terrain="river")
    view = editor_page(document)
    view.js(THEMED, [theme(name), name == "dark"])
    seen = {}

    def look(where):
        low = [entry for entry in view.js(CONTRAST) if entry[0] < 4.5]
        if low:
            seen[where] = low[:4]

    look("pan")
    for summary in ("Legend", "Layers", "Findings", "Under the pointer", "Print and colours"):
        view.page.locator("summary", has_text=summary).first.click()
    view.page.mouse.move(*view.at(105))
    view.page.wait_for_selector("[data-legend]")
    look("panels")
    for tool in ("brush", "region", "side", "sight", "replace"):
        view.tool(tool)
        view.page.mouse.move(*view.at(110))
        look(tool)
    view.editor.report(studio.StudioError("something is wrong"))
    view.push()
    view.page.focus(".wgs-area")
    view.page.keyboard.press("Control+f")
    view.page.keyboard.type("zzz")
    view.page.wait_for_selector(".wgs-wrong")
    look("message, nothing found")
    view.page.focus(".wgs-area")
    view.key("?")
    view.page.wait_for_selector(".wgs-help")
    look("help")
    assert not seen, seen


def test_every_control_has_a_name_and_tab_reaches_the_parts_in_order(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    view = editor_page(document)
    for summary in ("Legend", "Layers", "Print and colours"):
        view.page.locator("summary", has_text=summary).first.click()
    for tool in ("brush", "region", "side", "sight", "replace", "level", "marker"):
        view.tool(tool)
        assert view.js(NAMELESS) == [], tool
    view.page.focus(".wgs-title")
    order = []
    for _ in range(40):
        view.key("Tab")
        order.append(view.js(PLACE))
        if "wgs-panel" in order[-1]:
            break
    places = [place for n, place in enumerate(order) if n == 0 or order[n - 1] != place]
    assert [place.split()[0] for place in places] == ["wgs-top", "wgs-tools", "wgs-area", "wgs-panel"]


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_no_two_tools_have_one_letter_and_the_help_lists_them_all(ruleset, editor_page):
    view = editor_page(studio.new_map(ruleset, columns=8, rows=8))
    tools = view.js("window.studio.view.tools.all.map((tool) => [tool.letter, tool.title])")
    letters = [letter for letter, _ in tools]
    assert len(set(letters)) == len(letters), sorted(letters)
    assert "f" not in letters  # full screen
    view.page.click('[data-action="help"]')
    view.page.wait_for_selector(".wgs-help")
    view.page.wait_for_function("!window.studio.view.tools.all.some((tool) => tool.stub)")
    text = view.page.inner_text(".wgs-help")
    assert all(title in text for _, title in tools)
    if any(title == "Region: copy, move, turn" for _, title in tools):
        view.page.wait_for_function("document.querySelector('.wgs-help').innerText.includes('mirror left and right')")


@pytest.mark.parametrize(("width", "size"), [(1000, (1024, 700)), (500, (512, 350)), (640, (660, 500))])
def test_small_windows_and_200_percent_leave_everything_in_reach(width, size, editor_page):
    # 200 % zoom of a window of 1024 x 700 is one of 512 x 350.
    view = editor_page(FakeMap(20, 14), width=width, viewport={"width": size[0], "height": size[1]})
    host = view.page.locator(".wgs").bounding_box()
    assert host["width"] <= size[0]
    for tool in view.js("window.studio.view.tools.all.map((tool) => tool.id)"):
        button = view.page.locator(f'button[data-tool="{tool}"]')
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
    view.tool("region")
    panel = view.page.locator(".wgs-panel")
    assert panel.is_visible()
    last = view.page.locator(".wgs-panel summary").last
    last.scroll_into_view_if_needed()
    assert last.is_visible()
    assert view.js("document.documentElement.scrollWidth <= window.innerWidth")


TOUCH = """([kind, pointerId, clientX, clientY]) => {
  const about = { pointerId, clientX, clientY, pointerType: "touch", bubbles: true, cancelable: true };
  document.querySelector(".wgs-area").dispatchEvent(new PointerEvent(kind, { ...about, button: 0 }));
}"""


def test_two_fingers_move_and_zoom_and_draw_nothing(editor_page):
    document = FakeMap(40, 30)
    view = editor_page(document, has_touch=True)
    view.js("document.querySelector('.wgs-area').setPointerCapture = () => {}")
    view.tool("brush")
    scale = view.js("window.studio.camera.scale")
    under = "(() => window.studio.view.event({ clientX: 400, clientY: 300 }).cell)()"
    cell = view.js(under)

    def touch(kind, finger, x, y):
        view.js(TOUCH, [kind, finger, x, y])

    touch("pointerdown", 1, 360, 300)
    touch("pointerdown", 2, 440, 300)
    touch("pointermove", 1, 320, 300)
    touch("pointermove", 2, 480, 300)
    assert view.js("window.studio.camera.scale") == pytest.approx(scale * 2, rel=0.02)
    assert view.js(under) == cell  # what was between the fingers stays there
    touch("pointermove", 1, 320, 340)
    touch("pointermove", 2, 480, 340)
    moved = view.js(under)
    assert moved != cell
    touch("pointerup", 2, 480, 340)
    touch("pointermove", 1, 200, 200)
    touch("pointerup", 1, 200, 200)
    view.idle()
    assert document.history == []
    # One finger draws again.
    touch("pointerdown", 3, 400, 300)
    touch("pointerup", 3, 400, 300)
    view.idle()
    assert len(document.history) == 1


def test_reduced_motion_keeps_the_ring_still(editor_page):
    view = editor_page(FakeMap(20, 14), reduced_motion="reduce")
    assert view.js("getComputedStyle(document.querySelector('.wgs-button')).transitionDuration") == "0s"

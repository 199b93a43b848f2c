"""The editor in a real JupyterLab where it is harder: launcher, parts, hidden tab, small screen, zoom, dark theme."""

from __future__ import annotations

import pytest

import studio
from tests.browser.lab import LabPage, write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.lab]

NEW = """import studio
m = studio.new_map("modern_tactics", columns=16, rows=10, title="Lab comfort")
m.edit()"""


@pytest.fixture
def opened(lab_page, lab_root, request):
    name = f"{request.node.name}.ipynb"
    write_notebook(lab_root / name, NEW)
    lab_page.open(name)
    lab_page.run_all()
    lab_page.ready()
    return lab_page


def test_the_launcher_opens_what_is_there(lab_page, lab_root):
    folder = lab_root / "begin"
    folder.mkdir()
    studio.new_map("armageddon_war", columns=12, rows=8, title="Oasis").save(folder / "oasis.map.json")
    write_notebook(folder / "start.ipynb", "import studio\nstart = studio.launcher()\nstart")
    page = lab_page.page
    lab_page.open("begin/start.ipynb")
    lab_page.run_all()
    page.get_by_role("button", name="Open", exact=True).click()
    lab_page.ready()
    assert page.inner_text(".wgs-title") == "Oasis"
    assert lab_page.in_kernel("start.map.title") == "'Oasis'"
    page.get_by_role("tab", name="New map").click()
    page.get_by_role("spinbutton").first.fill("9")
    page.get_by_placeholder("Untitled map").fill("Fresh")
    page.get_by_role("button", name="Make", exact=True).first.click()
    page.wait_for_function("() => document.querySelector('.wgs-title')?.textContent === 'Fresh'")
    assert lab_page.in_kernel("(start.map.grid.columns, start.map.dirty)") == "(9, False)"
    page.get_by_role("tab", name="Import").click()
    page.get_by_placeholder("a bundle").fill("nothing.bundle.zip")
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_function("() => document.body.innerText.includes('nothing.bundle.zip: no such file')")


def test_parts_load_and_panels_answer(opened):
    page = opened.page
    opened.tool("area")
    page.wait_for_function("() => document.querySelector('.wgs').__studio.tool === 'area'", timeout=15_000)
    page.locator("summary", has_text="Findings").click()
    page.click('[data-action="findings:check"]')
    page.wait_for_selector('[data-panel="findings"] .wgs-say')


def test_a_hidden_tab_catches_up(opened, lab_root):
    write_notebook(lab_root / "other.ipynb", "1")
    page = opened.page
    opened.tool("brush")
    opened.click(84)
    opened.idle()
    page.evaluate("() => { window.mine = window.jupyterapp.shell.currentWidget; }")
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:open', { path: 'other.ipynb' })")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget !== window.mine")
    page.evaluate(
        """async () => {
            const kernel = window.mine.sessionContext.session.kernel;
            await kernel.requestExecute({ code: '_ = m.paint("B3", terrain="woods") if False else m.undo()' }).done;
        }"""
    )
    page.evaluate("() => window.jupyterapp.shell.activateById(window.mine.id)")
    page.wait_for_function("() => window.jupyterapp.shell.currentWidget === window.mine")
    page.wait_for_function("() => !document.querySelector('.wgs').__studio.store.status.can_undo")
    opened.idle()
    opened.click(84)
    opened.idle()
    assert opened.in_kernel("len(m.history)") == "1"


def test_dark_theme_is_dark_and_readable(opened):
    page = opened.page
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
    try:
        found = page.evaluate(
            """() => {
                const ctx = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                const rgb = (text) => {
                    ctx.clearRect(0, 0, 1, 1); ctx.fillStyle = text; ctx.fillRect(0, 0, 1, 1);
                    return [...ctx.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255);
                };
                const light = (text) => {
                    const [r, g, b] = rgb(text).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ground = light(getComputedStyle(document.querySelector('.wgs')).backgroundColor);
                return ['.wgs-title', '.wgs-panel h3', '.wgs-hint', '.wgs-status', 'summary'].map((name) => {
                    const ink = light(getComputedStyle(document.querySelector('.wgs ' + name)).color);
                    const [a, b] = [Math.max(ink, ground), Math.min(ink, ground)];
                    return [name, ground, (a + 0.05) / (b + 0.05)];
                });
            }"""
        )
    finally:
        page.evaluate(
            "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })"
        )
    for name, ground, contrast in found:
        assert ground < 0.1, name
        assert contrast >= 4.5, (name, contrast)


@pytest.mark.parametrize(("width", "height", "ratio"), [(1024, 700, 1), (640, 400, 2)], ids=["small", "zoom-200"])
def test_all_is_reached_on_a_small_screen_and_at_200_percent(width, height, ratio, new_page, lab, lab_root):
    """A browser at 200 % has half the pixels of CSS, and two of the device for each."""
    name = f"small-{width}.ipynb"
    write_notebook(lab_root / name, NEW)
    page = new_page(viewport={"width": width, "height": height}, device_scale_factor=ratio)
    opened = LabPage(page, lab)
    opened.open(name)
    page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
    opened.run_all()
    opened.ready()
    opened.tool("brush")
    opened.click(84)
    opened.idle()
    assert opened.in_kernel("len(m.history)") == "1"
    box = page.locator(".wgs").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    if not page.locator(".wgs-panel").is_visible():
        page.click('[data-action="panel"]')
    for target in (
        '[data-tool="sight"]',
        '[data-action="undo"]',
        '[data-action="help"]',
        'summary:has-text("History")',
    ):
        page.locator(target).first.scroll_into_view_if_needed()
        page.locator(target).first.click(trial=True)
    opened.page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")

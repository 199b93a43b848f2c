"""The editor in a real JupyterLab: what only the real thing can show."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.lab]

NEW = """import studio
m = studio.new_map("armageddon_war", columns=16, rows=10, title="Lab map")
e = m.edit()
e"""


@pytest.fixture
def opened(lab_page, lab_root, request):
    name = f"{request.node.name}.ipynb"
    write_notebook(lab_root / name, NEW, "1 + 1")
    lab_page.open(name)
    lab_page.run_all()
    lab_page.ready()
    return lab_page


def terrain(page, cell):
    return page.in_kernel(f"m.model.terrain_at({cell})").strip("'")


def test_paint_undo_sight_and_save(opened, lab_root):
    page = opened
    page.tool("brush")
    page.page.click('[data-id="dense_woods"]')
    page.click(84)
    page.idle()
    assert terrain(page, 84) == "dense_woods"
    page.page.keyboard.press("Control+z")
    page.idle()
    assert terrain(page, 84) == "clear"
    page.page.keyboard.press("Control+Shift+z")
    page.idle()
    assert terrain(page, 84) == "dense_woods"
    page.tool("sight")
    page.drag(82, 86)
    page.page.wait_for_selector('.wgs-verdict[data-status="blocked"]')
    latency = page.page.evaluate("document.querySelector('.wgs').__studio.view.tools.get('sight').latency")
    assert latency < 1000
    page.page.keyboard.press("Control+s")
    page.page.wait_for_selector(".wgs-dialog input")
    page.page.keyboard.press("Control+a")
    page.page.keyboard.type("by-key.map.json")
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector('.wgs[data-dirty="0"]')
    assert json.loads((lab_root / "by-key.map.json").read_text())["title"] == "Lab map"


def test_keys_leave_the_notebook_alone(opened):
    page = opened
    count = page.cells()
    page.tool("brush")
    page.click(84)
    for key in ("x", "d", "d", "a", "b", "m", "y", "z", "Shift+m", "Enter", "Escape", "ArrowDown", "c", "v"):
        page.page.keyboard.press(key)
    page.page.wait_for_timeout(200)
    assert page.cells() == count
    kinds = page.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.map((w) => w.model.type)")
    assert kinds == ["code"] * count


def test_a_click_on_text_in_the_editor_leaves_the_notebook_alone(opened):
    page = opened
    count = page.cells()
    page.tool("sight")
    page.page.click('[data-action="panel"]')
    if not page.page.locator(".wgs-panel").is_visible():
        page.page.click('[data-action="panel"]')
    page.drag(82, 86)
    page.page.wait_for_selector(".wgs-reasons li")
    for place in (
        ".wgs-reasons li",
        ".wgs-status",
        ".wgs-panel h3",
        ".wgs-verdict",
        ".wgs-top",
        '[data-action="redo"]',
    ):
        page.page.locator(place).first.click(force=True, position={"x": 3, "y": 3})
        page.page.wait_for_timeout(50)
        for key in ("x", "m", "b", "a", "d", "d", "y", "c", "v", "v", "s"):
            page.page.keyboard.press(key)
        page.page.wait_for_timeout(50)
        kinds = page.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets.map((w) => w.model.type)"
        )
        assert kinds == ["code"] * count, place
        assert page.page.evaluate("document.querySelector('.wgs').contains(document.activeElement)"), place


@pytest.mark.parametrize("end", ["restart", "kill"])
def test_a_kernel_that_ends_is_noticed_at_once(opened, end):
    page = opened
    page.tool("brush")
    page.click(84)
    page.idle()
    if end == "restart":
        page.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
        page.page.wait_for_selector('.wgs[data-dead="1"]', timeout=1000)
    else:
        # How soon the server sees that a kernel died is its own affair: it looks every few seconds.
        page.execute("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", wait=False)
        page.page.wait_for_selector('.wgs[data-dead="1"]', timeout=15_000)
    assert "studio.unsaved()" in page.page.inner_text(".wgs-message")
    before = page.terrain(87)
    page.click(87)
    assert page.terrain(87) == before


def test_edits_from_python_show_and_the_history_is_one(opened):
    page = opened
    page.tool("brush")
    page.click(84)
    page.idle()
    page.execute('_ = m.paint(["0303", "0304"], terrain="marsh")')
    cell = int(page.in_kernel('m.labels.cell("0303")'))
    page.page.wait_for_function(
        "cell => document.querySelector('.wgs').__studio.store.terrainAt(cell) === 'marsh'", arg=cell
    )
    page.page.focus(".wgs-area")
    page.page.keyboard.press("Control+z")
    page.idle()
    assert terrain(page, cell) == "clear"
    assert page.in_kernel("len(m.history)") == "1"


def test_reload_with_a_live_kernel_shows_the_edited_map(opened):
    page = opened
    page.tool("brush")
    page.page.click('[data-id="dunes"]')
    page.drag(50, 54)
    page.idle()
    page.execute('_ = m.paint("0101", terrain="rough")')
    page.command("docmanager:save")
    page.page.wait_for_timeout(300)
    page.reload()
    page.ready()
    assert page.terrain(50) == page.terrain(54) == "dunes"
    assert page.terrain(int(page.in_kernel('m.labels.cell("0101")'))) == "rough"
    # And it still edits the same map.
    page.tool("brush")
    page.page.click('[data-id="marsh"]')
    page.click(84)
    page.idle()
    assert terrain(page, 84) == "marsh"


def test_two_views_and_a_second_editor_stay_together(lab_page, lab_root):
    write_notebook(lab_root / "views.ipynb", NEW, "e", "m.edit()")
    lab_page.open("views.ipynb")
    lab_page.run_all()
    lab_page.ready(3)
    lab_page.page.locator('[data-tool="brush"]').first.click()
    lab_page.click(84)
    lab_page.idle()
    lab_page.page.wait_for_function(
        """() => new Set([...document.querySelectorAll('.wgs')].map((w) => w.__studio.store.terrainAt(84))).size === 1
        && document.querySelector('.wgs').__studio.store.terrainAt(84) !== 'clear'"""
    )


@pytest.mark.parametrize("subshells", ["perCommTarget", "disabled"])
def test_a_busy_kernel_loses_nothing(subshells, lab_page, lab_root):
    page = lab_page
    write_notebook(lab_root / f"busy-{subshells}.ipynb", NEW)
    page.open(f"busy-{subshells}.ipynb")
    page.page.evaluate(
        "s => { window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.commsOverSubshells = s }", subshells
    )
    page.run_all()
    page.ready()
    page.execute("import time; time.sleep(2)", wait=False)
    page.tool("brush")
    page.page.click('[data-id="rough"]')
    page.click(84)
    page.click(87)
    assert page.terrain(84) == page.terrain(87) == "rough"
    page.idle()
    assert terrain(page, 84) == terrain(page, 87) == "rough"


def test_a_killed_kernel_loses_no_edit(lab_page, lab_root):
    code = """import pathlib, warnings, studio
warnings.simplefilter("ignore")
if not pathlib.Path("kept.map.json").exists():
    studio.new_map("armageddon_war", columns=12, rows=8, title="Kept").save("kept.map.json")
m = studio.open_map("kept.map.json")
m.edit()"""
    write_notebook(lab_root / "killed.ipynb", code)
    lab_page.open("killed.ipynb")
    lab_page.run_all()
    lab_page.ready()
    lab_page.tool("brush")
    lab_page.page.click('[data-id="light_woods"]')
    lab_page.drag(40, 44)
    lab_page.idle()
    lab_page.execute("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", wait=False)
    lab_page.page.wait_for_timeout(1500)
    lab_page.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    lab_page.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.info")
    lab_page.command("notebook:run-all-cells")
    lab_page.page.wait_for_function(
        """() => { const w = document.querySelector('.wgs'); const s = w && w.__studio && w.__studio.store;
        return s && s.status.can_undo && w.dataset.ready && s.terrainAt(40) === 'light_woods'; }""",
        timeout=30_000,
    )
    assert lab_page.in_kernel("m.model.terrain_at(44)") == "'light_woods'"
    assert lab_page.in_kernel("m.dirty") == "True"


def test_saving_in_a_cell_clears_the_mark(opened):
    page = opened
    page.tool("brush")
    page.click(84)
    page.page.wait_for_selector('.wgs[data-dirty="1"]')
    page.execute('_ = m.save("in-cell.map.json")')
    page.page.wait_for_selector('.wgs[data-dirty="0"]')

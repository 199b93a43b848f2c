"""Maps of geography as a designer has them in JupyterLab: the bar, the report, the launcher, edits that are kept."""

from __future__ import annotations

import json

import pytest

import studio
from studio.errors import ConflictError
from tests.browser.lab import write_notebook
from tests.exchange.geography.delta import lay_delta

pytestmark = [pytest.mark.browser, pytest.mark.lab]

# Every text that shows a percentage, as it comes.
WATCH = """() => {
    window.seen = [];
    new MutationObserver(() => {
        for (const node of document.querySelectorAll('.jp-OutputArea :is(.widget-hbox, .jupyter-widget-hbox)')) {
            const text = node.innerText.replace(/\\s+/g, ' ').trim();
            if (text.includes('%') && window.seen.at(-1) !== text) window.seen.push(text);
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}"""

CONTRAST = """() => {
    const ctx = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (text) => {
        ctx.clearRect(0, 0, 1, 1); ctx.fillStyle = text; ctx.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...ctx.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor);
    return [...document.querySelectorAll('.jp-OutputArea details[open] :is(th, td, summary)')].map((one) => {
        const ink = light(getComputedStyle(one).color);
        return [ground, (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05)];
    });
}"""


@pytest.fixture
def folder(lab_root, request):
    made = lab_root / request.node.name
    made.mkdir()
    lay_delta(made)
    return made


def start(page, folder, *cells):
    write_notebook(folder / "work.ipynb", *cells)
    page.open(f"{folder.name}/work.ipynb")


def test_a_run_shows_a_bar_that_ends_and_a_report_that_folds(lab_page, folder):
    page = lab_page.page
    start(lab_page, folder, "import studio\nmade = studio.import_geography('delta.geography.toml')\nmade")
    page.evaluate(WATCH)
    lab_page.run_all()
    page.wait_for_selector(".jp-OutputArea details[open] table")
    seen = page.evaluate("window.seen")
    assert len(seen) >= 2, seen
    parts = [int(text.split("%")[0].split()[-1]) for text in seen]
    assert parts == sorted(parts) and parts[-1] > 50
    page.wait_for_function("() => !document.querySelector('.jp-OutputArea progress, .jp-OutputArea .progress')")
    shown = page.locator(".jp-OutputArea details")
    titles = shown.locator("summary").all_inner_texts()
    assert titles[0].startswith("Findings (") and any(one.startswith("Provenance (5") for one in titles)
    assert page.locator(".jp-OutputArea table:visible").count() == 1
    height = page.evaluate("document.querySelector('.jp-OutputArea').offsetHeight")
    assert height < 700
    heads = page.evaluate("[...document.querySelectorAll('.jp-OutputArea th')].map((th) => th.scope)")
    assert heads and set(heads) == {"col"}
    shown.nth(1).locator("summary").press("Enter")
    assert page.locator(".jp-OutputArea table:visible").count() == 2
    wide = (
        "(() => { const one = document.querySelector('.jp-OutputArea'); return one.scrollWidth - one.clientWidth })()"
    )
    assert page.evaluate(wide) <= 1
    page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
    try:
        page.wait_for_timeout(500)
        found = page.evaluate(CONTRAST)
    finally:
        page.evaluate(
            "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Light' })"
        )
    assert found and all(ground < 0.1 and contrast >= 4.5 for ground, contrast in found), found


def test_the_launcher_makes_it_and_keeps_edits_of_the_pointer(lab_page, folder):
    page = lab_page.page
    start(lab_page, folder, "import studio\nstart = studio.launcher()\nstart")
    lab_page.run_all()
    page.get_by_role("tab", name="Import").click()
    page.get_by_placeholder("a bundle").fill("delta.geography.toml")
    page.get_by_text("delta.map.json is new").wait_for()
    assert page.get_by_role("spinbutton").locator("visible=true").count() == 0
    take = page.get_by_role("button", name="Import", exact=True)
    take.click()
    lab_page.ready()
    assert page.inner_text(".wgs-title") == "Delta"
    report = page.get_by_role("region", name="How the map was made")
    assert report.locator("summary", has_text="Findings (").count() == 1
    assert lab_page.in_kernel("start.imported.map is start.map") == "True"
    cell = int(lab_page.in_kernel("start.map.labels.cell('0203')"))
    lab_page.tool("brush")
    page.click('[data-id="marsh"]')
    lab_page.click(cell)
    lab_page.idle()
    take.click()
    page.get_by_text("is open here with unsaved changes").first.wait_for()
    page.focus(".wgs-area")
    page.keyboard.press("Control+s")
    page.wait_for_selector('.wgs[data-dirty="0"]')
    take.click()
    page.get_by_text("Nothing was written. Tick").wait_for()
    page.get_by_label("Keep what was edited by hand").check()
    take.click()
    page.get_by_text("kept as overrides in").wait_for()
    lab_page.ready()
    lab_page.idle()
    assert lab_page.terrain(cell) == "marsh"
    kept = json.loads((folder / "delta.overrides.json").read_text())
    assert [(one["hexes"], one["terrain"]) for one in kept] == [(["0203"], "marsh")]


def test_edits_survive_a_run_from_elsewhere_and_a_conflict_is_asked(lab_page, folder):
    page, spec, target = lab_page.page, folder / "delta.geography.toml", folder / "delta.map.json"
    studio.import_geography(spec, target).map.close()
    start(lab_page, folder, "import studio\nm = studio.open_map('delta.map.json')\nm.edit()")
    lab_page.run_all()
    lab_page.ready()
    mine, other = (int(lab_page.in_kernel(f"m.labels.cell('{label}')")) for label in ("0203", "0304"))
    lab_page.tool("brush")
    page.click('[data-id="marsh"]')
    lab_page.click(mine)
    lab_page.idle()
    with pytest.raises(ConflictError, match="unsaved work on it"):
        studio.import_geography(spec, target, keep=True)
    page.keyboard.press("Control+s")
    page.wait_for_selector('.wgs[data-dirty="0"]')
    studio.import_geography(spec, target, keep=True).map.close()
    # The map is the same: nobody is asked, and work goes on.
    lab_page.click(other)
    lab_page.idle()
    page.keyboard.press("Control+s")
    page.wait_for_selector('.wgs[data-dirty="0"]')
    assert not page.locator('[data-notice="conflict"]').count()
    made = studio.import_geography(spec, target, keep=True)
    assert [made.map.model.terrain_at(cell) for cell in (mine, other)] == ["marsh", "marsh"]
    made.map.close()
    # Now the data have it otherwise: what is in the file is not written over.
    spec.write_text(spec.read_text().replace("above = 400.0", "above = 5000.0"))
    studio.import_geography(spec, target).map.close()
    before = target.read_bytes()
    lab_page.click(int(lab_page.in_kernel("m.labels.cell('0404')")))
    lab_page.idle()
    page.keyboard.press("Control+s")
    notice = page.locator('[data-notice="conflict"]')
    notice.wait_for()
    assert "changed" in notice.inner_text() and target.read_bytes() == before
    assert page.locator(".wgs").get_attribute("data-dirty") == "1"


def test_the_panel_under_the_pointer_says_why(tmp_path, editor_page):
    made = studio.import_geography(lay_delta(tmp_path), tmp_path / "delta.map.json")
    view = editor_page(made.map)
    view.page.locator("summary", has_text="Under the pointer").click()
    view.page.mouse.move(*view.at(made.map.labels.cell("0108")))
    view.page.locator('[data-panel="where"] summary', has_text="Of the geography").click()
    view.page.get_by_text("sea by water, whatever the ground is").wait_for()
    hill = next(one.label for one in made.record.hexes if one.won)
    view.page.mouse.move(*view.at(made.map.labels.cell(hill)))
    view.page.get_by_text("hills won:").wait_for()
    made.map.close()

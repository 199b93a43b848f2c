"""Looking closer: finding, the legend, places in numbers, print size, and the map as others see it."""

from __future__ import annotations

import pytest

import studio
from studio.editor import MapEditor
from studio.model import Batch, Put

pytestmark = pytest.mark.browser

COLUMNS, ROWS = 20, 14


def at(column, row):
    return row * COLUMNS + column


def opened(view, title):
    view.page.locator("summary", has_text=title).first.click()


@pytest.fixture
def document():
    found = studio.new_map("modern_tactics", columns=COLUMNS, rows=ROWS)
    label = found.labels.label
    found.paint([label(cell) for cell in found.grid.within(at(6, 6), 1)], terrain="crops")
    found.set_side(label(at(3, 3)), label(at(3, 4)), "hedge")
    found.add("road", path=[label(at(9, 3)), label(at(9, 4))], name="Route 5")
    found.add("marker", type="smoke", at=label(at(12, 4)))
    found.add("name", text="Tel Aviv", at=label(at(4, 9)))
    return found


def test_what_is_sought_is_listed_while_somebody_types(document, editor_page):
    view = editor_page(document)
    view.page.keyboard.press("Tab")
    view.page.focus(".wgs-area")
    view.key("Control+f")
    view.page.keyboard.type("tel")
    view.page.wait_for_selector(".wgs-match")
    assert view.page.inner_text(".wgs-match span") == "Tel Aviv"
    assert view.page.get_attribute(".wgs-find", "aria-expanded") == "true"
    view.key("ArrowDown")
    assert view.page.get_attribute(".wgs-match", "aria-selected") == "true"
    view.key("Enter")
    view.idle()
    assert view.js("window.studio.view.cursor") == at(4, 9)
    assert view.page.is_hidden(".wgs-found")
    # A hex by its label goes without the list; what is not there is said.
    view.key("/")
    view.page.keyboard.type(document.labels.label(at(12, 4)))
    view.key("Enter")
    assert view.js("window.studio.view.cursor") == at(12, 4)
    view.key("Control+f")
    view.page.keyboard.type("nowhere")
    view.key("Enter")
    view.page.wait_for_function("document.querySelector('.wgs-live').textContent.includes('nowhere')")


def test_ten_thousand_names_are_found_at_once_and_never_as_markup(editor_page):
    document = studio.new_map("armageddon_war", columns=120, rows=100)
    names = [f"Tel {n} <b>é שלום 🌍" for n in range(10_000)]
    puts = [
        Put(
            collection="features",
            record={"kind": "name", "id": f"name-{n}", "text": name, "at": list(document.grid.centre(n))},
        )
        for n, name in enumerate(names)
    ]
    document.apply(Batch(title="Names", edits=puts))
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("Control+f")
    view.page.keyboard.type("tel 9876")
    view.page.wait_for_selector(".wgs-match")
    assert view.page.inner_text(".wgs-match span") == names[9876]
    assert view.page.locator(".wgs-found b").count() == 0
    took = view.js(
        """() => {
          const { frame } = window.studio.view, start = performance.now();
          for (let n = 0; n < 10; n++) { frame.find.value = `tel ${n}`; frame.finder.show(); }
          return [(performance.now() - start) / 10, frame.finder.el.textContent];
        }"""
    )
    assert "of 1,111" in took[1]
    print(f"one letter more among 10 000 names: {took[0]:.1f} ms")
    view.key("ArrowDown")
    view.key("Enter")
    view.idle()
    assert document.labels.label(view.js("window.studio.view.cursor")) == document.labels.label(9)


def test_legend_counts_what_there_is_follows_and_takes_up_tools(document, editor_page):
    view = editor_page(document)
    opened(view, "Legend")
    view.page.wait_for_selector("[data-legend]")

    def said(name):
        return view.page.inner_text(f'[data-legend="{name}"]').split("\n")

    assert said("crops") == ["Crops", "7"]
    assert said("hedge") == ["Hedge", "1"]
    assert said("smoke")[-1] == "1"
    assert said("paved")[-1] == "1"
    assert said("name")[-1] == "1"
    view.page.click('[data-legend="hedge"]')
    view.loaded()
    assert view.js("[window.studio.tool, window.studio.view.options.kind]") == ["side", "hedge"]
    view.page.click('[data-legend="crops"]')
    assert view.js("[window.studio.tool, window.studio.view.options.terrain]") == ["brush", "crops"]
    view.click(at(12, 8))
    view.page.wait_for_function("document.querySelector('[data-legend=crops]')?.innerText.includes('8')")
    view.page.get_by_role("button", name="Go to the next: Hedge").click()
    view.idle()
    assert view.js("window.studio.view.cursor") in (at(3, 3), at(3, 4), at(2, 3), at(4, 3), at(2, 4), at(4, 4))


def test_the_panel_and_the_status_line_tell_where_the_pointer_is(document, editor_page):
    view = editor_page(document)
    opened(view, "Under the pointer")
    view.click(at(6, 3))
    view.page.mouse.move(*view.at(at(6, 6)))
    x, y = document.grid.centre(at(6, 6))
    view.page.wait_for_function("document.querySelector('[data-panel=where]').innerText.includes('Crops')")
    text = view.page.inner_text('[data-panel="where"]')
    assert "3 hexes S of" in text
    status = view.page.inner_text(".wgs-status .wgs-wide")
    assert status.startswith("column 7, row 7 · ")
    assert status.endswith(" · 3 from the press")
    found = [int(part) for part in status.split(" · ")[1].split(", ")]
    assert abs(found[0] - x) < 40
    assert abs(found[1] - y) < 40
    view.js("cell => { window.studio.view.cursor = cell; }", at(6, 6))
    view.page.focus(".wgs-area")
    view.key("ArrowRight")
    view.page.wait_for_function("document.querySelector('.wgs-status .wgs-wide').textContent.startsWith('column 8')")


def test_print_size_shows_a_hex_as_wide_as_on_paper(document, editor_page):
    for density in (1, 2):
        view = editor_page(document, device_scale_factor=density)
        opened(view, "Print and colours")
        field = view.page.locator('[data-panel="looks"] [data-id="mm"]')
        field.fill("20")
        field.press("Enter")
        view.page.wait_for_function("document.querySelector('[data-panel=looks]').innerText.includes('hex 20 mm')")
        view.page.click('[data-action="looks:print"]')
        view.page.wait_for_function("document.querySelector('.wgs-live').textContent === 'Print size: hex 20 mm'")
        wide = view.js("window.studio.camera.scale * window.studio.view.grid.w / window.studio.view.dpr")
        assert wide == pytest.approx(20 / 25.4 * 96, rel=1e-3)


def test_the_map_is_shown_as_others_see_it_and_in_a_safe_palette(document, editor_page):
    view = editor_page(document)
    opened(view, "Print and colours")
    box = view.page.locator(".wgs-area").bounding_box()
    clip = {"x": box["x"] + 300, "y": box["y"] + 150, "width": 120, "height": 120}
    plain = view.page.screenshot(clip=clip)
    shown = {"normal": plain}
    for sight in ("deuteranopia", "protanopia", "tritanopia", "grey"):
        view.page.select_option('[data-panel="looks"] select', sight)
        view.page.wait_for_function(f"document.querySelector('.wgs').dataset.vision === '{sight}'")
        shown[sight] = view.page.screenshot(clip=clip)
    assert len(set(shown.values())) == 5
    view.page.select_option('[data-panel="looks"] select', "normal")
    view.page.wait_for_function("document.querySelector('.wgs').dataset.vision === 'normal'")
    assert view.page.evaluate("getComputedStyle(document.querySelector('.wgs-area')).filter") == "none"
    # Tints come from Python; the map is drawn with them at once.
    before = view.pixel(0, at(15, 10), 3, 5)
    view.editor.tell("palette", look=_tinted(view.js("window.studio.store.style"), "open", "#20b0f0"))
    view.push()
    view.page.wait_for_function("window.studio.store.style.terrain.open.tint === '#20b0f0'")
    view.idle()
    assert view.pixel(0, at(15, 10), 3, 5) != before


def _tinted(style, terrain, tint):
    looks = {**style["terrain"], terrain: {**style["terrain"][terrain], "tint": tint}}
    return {**style, "terrain": looks}


def test_who_only_looks_finds_goes_and_sees_the_legend(document, editor_page, new_page, bundle_server):
    from tests.browser.page import EditorPage

    editor = MapEditor(document, readonly=True)
    view = EditorPage(new_page(), editor, bundle_server)
    opened(view, "Legend")
    view.page.wait_for_selector("[data-legend]")
    view.page.click('[data-legend="smoke"]')
    view.idle()
    assert view.js("window.studio.view.cursor") == at(12, 4)
    view.page.focus(".wgs-area")
    view.key("Control+f")
    view.page.keyboard.type("tel")
    view.page.wait_for_selector(".wgs-match")
    view.key("Enter")
    view.idle()
    assert view.js("window.studio.view.cursor") == at(4, 9)
    opened(view, "Under the pointer")
    view.page.mouse.move(*view.at(at(4, 9)))
    view.page.wait_for_function("document.querySelector('[data-panel=where]').innerText.includes('Tel Aviv')")
    editor.close()

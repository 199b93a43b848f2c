"""Rows and columns added and removed beside the map, and everything that is painted stays on its hex on the screen."""

from __future__ import annotations

import pytest

import studio
from tests.browser.test_module import FEATURES, GROUND, alike

pytestmark = pytest.mark.browser

HOLD = """(() => {
  window.held = [];
  const own = window.model.deliver;
  window.model.deliver = (message) => window.held.push(message);
  window.release = () => {
    window.model.deliver = own;
    window.held.forEach((message) => own.call(window.model, message));
  };
})()"""
"""Holds back what Python says until it is released."""


@pytest.fixture
def document(request):
    made = studio.new_map("armageddon_war", columns=12, rows=9, title=request.node.name)
    made.paint(["0404", "0505"], terrain="dense_woods").add("road", path=["0602", "0702", "0802"])
    made.add("marker", type="wreck", at="0606")
    yield made
    made.close()


def unfold(view, name="Size"):
    view.page.locator("summary", has_text=name).first.click()
    view.page.wait_for_selector('[data-panel="size"] input')


def columns(view, count):
    view.page.wait_for_function("n => window.studio.store.grid.columns === n", arg=count)
    view.idle()


def seen(view, document, names, layer, *, dx=0, dy=0):
    return [view.pixel(layer, document.labels.cell(name), dx, dy) for name in names]


def test_a_column_on_the_left_by_pointer_and_back_by_key(document, editor_page):
    view = editor_page(document)
    woods, clear = seen(view, document, ["0404", "0303"], GROUND, dx=4, dy=8)
    road = view.pixel(FEATURES, document.labels.cell("0702"))
    assert not alike(woods, clear)
    assert road[3] > 200
    unfold(view)
    view.page.locator('[data-action="size:more"]').first.click()
    view.page.get_by_text("Then 13 columns x 9 rows").wait_for()
    assert document.grid.columns == 12
    view.page.click('[data-action="size:apply"]')
    columns(view, 13)
    assert document.history[-1] == "Add 1 column on the left"
    assert document.features["marker-1"].at == "0706"
    # Painted hexes, the road and the marker lie where their hexes are now, and nowhere else.
    after = seen(view, document, ["0504", "0605", "0404"], GROUND, dx=4, dy=8)
    assert not alike(after[0], after[2])
    assert [view.js("c => window.studio.store.terrainAt(c)", document.labels.cell(n)) for n in ("0504", "0404")] == [
        "dense_woods",
        "clear",
    ]
    assert view.pixel(FEATURES, document.labels.cell("0802"))[3] > 200
    assert view.pixel(FEATURES, document.labels.cell("0202"))[3] == 0
    where = view.js("window.studio.store.features.get('marker-1').points[0]")
    assert where == view.js("c => window.studio.store.grid.centre(c)", document.labels.cell("0706"))
    view.page.focus(".wgs-area")
    view.key("Control+z")
    columns(view, 12)
    assert document.features["marker-1"].at == "0606"
    assert alike(view.pixel(GROUND, document.labels.cell("0404"), 4, 8), woods)
    view.key("Control+Shift+z")
    columns(view, 13)


def test_a_view_that_was_moved_keeps_every_hex_where_it_is(document, editor_page):
    view = editor_page(document)
    view.page.mouse.move(*view.at(document.labels.cell("0404")))
    view.page.focus(".wgs-area")
    view.page.mouse.wheel(0, -600)
    view.idle()
    place = view.at(document.labels.cell("0404"))
    document.resize(left=3, top=2)
    columns(view, 15)
    moved = view.at(document.labels.cell("0706"))
    assert max(abs(a - b) for a, b in zip(place, moved, strict=True)) <= 2
    document.resize(left=-1, right=1)  # the very same grid, but other hexes
    view.page.wait_for_function("window.studio.store.moves === 2")
    view.idle()
    moved = view.at(document.labels.cell("0606"))
    assert max(abs(a - b) for a, b in zip(place, moved, strict=True)) <= 2


def test_keys_alone_crop_to_two_corners(document, editor_page):
    view = editor_page(document)
    unfold(view)
    view.page.locator('[data-panel="size"] summary', has_text="Crop").press("Enter")
    pick = view.page.locator('[data-action="size:pick"]')
    pick.wait_for()
    pick.press("Enter")
    view.page.get_by_text("Click one corner").first.wait_for()
    for name in ("0303", "0808"):
        view.page.focus(".wgs-area")
        view.js("cell => { window.studio.view.cursor = cell; }", document.labels.cell(name))
        view.key("ArrowDown")
        view.key("ArrowUp")
        view.key("Enter")
        view.idle()
    view.page.get_by_text("Then 6 columns x 6 rows").wait_for()
    view.page.locator('[data-action="size:apply"]').press("Enter")
    columns(view, 6)
    assert document.model.terrain_at(document.labels.cell("0202")) == "dense_woods"
    assert document.features["marker-1"].at == "0404"


def test_what_would_be_lost_is_told_and_a_number_is_typed(document, editor_page):
    view = editor_page(document)
    unfold(view)
    field = view.page.get_by_label("Left (columns)", exact=True)
    field.fill("-6")
    field.press("Tab")
    view.page.get_by_text("What would be lost").wait_for()
    assert "marker-1" in view.page.locator('[data-panel="size"]').inner_text()
    field = view.page.get_by_label("Left (columns)", exact=True)
    field.fill("-12")
    field.press("Tab")
    view.page.get_by_text("at least one column stays").wait_for()
    view.page.locator('[data-action="size:clear"]').click()
    view.page.wait_for_function("!document.querySelector('[data-action=\"size:apply\"]')")
    assert document.grid.columns == 12


def test_a_stroke_under_way_lands_on_no_wrong_hex(document, editor_page):
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="marsh"]')
    before = document.to_text()
    start, end = document.labels.cell("0202"), document.labels.cell("0502")
    view.page.mouse.move(*view.at(start))
    view.page.mouse.down()
    view.page.mouse.move(*view.at(end), steps=4)
    document.resize(left=1)
    larger = document.to_text()
    columns(view, 13)
    view.page.mouse.move(*view.at(document.labels.cell("0905")), steps=3)
    view.page.mouse.up()
    view.idle()
    assert document.to_text() == larger
    assert not view.js(
        "[...window.studio.store.planes.terrain].some((t) => window.studio.store.terrainIds[t] === 'marsh')"
    )
    view.click(document.labels.cell("0202"))
    view.idle()
    assert document.model.terrain_at(document.labels.cell("0202")) == "marsh"
    document.undo()
    document.undo()
    assert document.to_text() == before


def test_a_click_on_the_map_as_it_was_is_refused_and_the_true_map_shown(document, editor_page):
    view, other = editor_page(document), editor_page(document)
    for page in (view, other):
        page.tool("brush")
        page.page.click('[data-id="marsh"]')
    # Both pages still show the smaller map when they paint: what Python says is held back until then.
    for page in (view, other):
        page.js(HOLD)
    document.resize(left=1)
    larger = document.to_text()
    for page in (view, other):
        page.page.mouse.click(*page.at(page.js("window.studio.store.grid.columns") * 2 + 3))
        page.page.wait_for_function("window.held.some((m) => m[0].includes('on its way'))")
        page.js("window.release()")
    for page in (view, other):
        columns(page, 13)
        assert page.page.get_by_text("moved while this was on its way").count()
        assert page.js("window.studio.store.pending.length") == 0
        names = page.js("[...window.studio.store.planes.terrain].map((t) => window.studio.store.terrainIds[t])")
        assert names == [document.model.terrain_at(cell) for cell in range(document.grid.cells)]
    assert document.to_text() == larger

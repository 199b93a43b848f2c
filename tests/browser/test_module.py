"""The editor's module in an empty page, used as a person would: pointer, keys, and what is then on the screen."""

from __future__ import annotations

import pytest

import studio
from studio.grid import hex_line
from studio.model import Crest, Marker, Name, Paint, Put, Road, SetSide
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

GROUND, FEATURES, ABOVE = 0, 1, 2


@pytest.fixture
def document():
    return FakeMap(20, 14)


def terrain(document, *cells):
    return [document.terrain_at(cell) for cell in cells]


def alike(a, b):
    """Tell whether two pixels are the same but for the smoothing of edges."""
    return max(abs(m - n) for m, n in zip(a, b, strict=True)) <= 16


def test_brush_paints_at_once_and_python_follows(document, editor_page):
    view = editor_page(document)
    before = view.pixel(GROUND, 105, 4, 8)
    view.tool("brush")
    view.page.click('[data-id="dense_woods"]')
    view.click(105)
    view.idle()
    assert terrain(document, 105) == ["dense_woods"]
    assert view.pixel(GROUND, 105, 4, 8) != before
    assert document.history == ["Paint dense woods"]


def test_stroke_is_one_message_one_step_without_gaps(document, editor_page):
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="marsh"]')
    sent = view.js("window.model.sent.length")
    view.drag(102, 112, steps=2)
    view.idle()
    row = document.grid.distance(102, 112)
    assert len([cell for cell in range(280) if terrain(document, cell) == ["marsh"]]) >= row + 1
    assert len(document.history) == 1
    assert view.js("window.model.sent.length") == sent + 1


@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 7), (3, 19), (7, 127)])
def test_digits_choose_the_size_of_the_brush(size, count, editor_page):
    document = FakeMap(30, 24)
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="river"]')
    middle = 12 * 30 + 15
    view.click(middle)
    view.key("Control+z")
    view.key(str(size))
    view.click(middle)
    view.idle()
    assert int((document.terrain == document.terrain_ids.index("river")).sum()) == count


def test_undo_and_redo_by_key_and_button(document, editor_page):
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="rough"]')
    start = view.pixel(GROUND, 64, 5, 6)
    view.click(64)
    view.idle()
    painted = view.pixel(GROUND, 64, 5, 6)
    view.key("Control+z")
    view.idle()
    assert terrain(document, 64) == ["clear"]
    assert alike(view.pixel(GROUND, 64, 5, 6), start)
    view.key("Control+Shift+z")
    view.idle()
    assert terrain(document, 64) == ["rough"]
    assert alike(view.pixel(GROUND, 64, 5, 6), painted)
    assert not alike(start, painted)
    view.page.click('[data-action="undo"]')
    view.idle()
    assert terrain(document, 64) == ["clear"]
    view.page.click('[data-action="redo"]')
    view.idle()
    assert terrain(document, 64) == ["rough"]


def test_fill_rectangle_line_and_pick(document, editor_page):
    view = editor_page(document)
    view.tool("rectangle")
    view.page.click('[data-id="dunes"]')
    view.drag(42, 85)
    view.idle()
    assert terrain(document, 42, 45, 85, 82) == ["dunes"] * 4
    assert terrain(document, 46) == ["clear"]
    view.tool("fill")
    view.page.click('[data-id="rough"]')
    view.click(63)
    view.idle()
    assert terrain(document, 42, 85) == ["rough", "rough"]
    assert int((document.terrain == document.terrain_ids.index("rough")).sum()) == 12
    view.tool("line")
    view.page.click('[data-id="wadi"]')
    view.drag(122, 130)
    view.idle()
    assert terrain(document, 122, 130) == ["wadi", "wadi"]
    view.tool("pick")
    view.click(63)
    assert view.js("window.studio.tool") == "brush"
    view.click(150)
    view.idle()
    assert terrain(document, 150) == ["rough"]
    assert len(document.history) == 4


def test_levels_rise_sink_and_are_set(document, editor_page):
    view = editor_page(document)
    view.tool("level")
    view.drag(100, 103)
    view.idle()
    assert document.level_at(100) == document.level_at(103) == 1
    view.page.keyboard.down("Shift")
    view.click(103)
    view.page.keyboard.up("Shift")
    view.idle()
    assert document.level_at(103) == 0
    view.page.get_by_role("radio", name="Set to").click()
    view.page.fill('.wgs-panel input[type="number"]', "3")
    view.page.keyboard.press("Tab")
    view.click(120)
    view.idle()
    assert document.level_at(120) == 3


def test_hexsides_by_click_and_by_drag(document, editor_page):
    view = editor_page(document)
    kind = next(iter(document.ruleset.side_kinds))
    view.tool("side")
    view.page.click(f'[data-id="{kind}"]')
    other = document.grid.neighbour(105, 3)
    (x0, y0), (x1, y1) = view.at(105), view.at(other)
    view.page.mouse.click((x0 + x1) / 2, (y0 + y1) / 2)
    view.idle()
    assert document.sides == {(105, other): (kind,)}
    view.page.mouse.click((x0 + x1) / 2, (y0 + y1) / 2)
    view.idle()
    assert document.sides == {}
    # Around half a hex, along its corners.
    corners = view.js(
        "cell => window.studio.view.grid.corners(cell).map(([x, y]) => window.studio.camera.toScreen(x, y))", 105
    )
    box = view.page.locator(".wgs-area").bounding_box()
    points = [(box["x"] + x, box["y"] + y) for x, y in corners]
    view.page.mouse.move(*points[0])
    view.page.mouse.down()
    for point in points[1:4]:
        view.page.mouse.move(*point, steps=5)
    view.page.mouse.up()
    view.idle()
    wanted = {tuple(sorted((105, document.grid.neighbour(105, d)))) for d in (0, 1, 2)}
    assert set(document.sides) == wanted
    assert document.history[-1].startswith("Draw")


def test_road_by_clicks_by_drag_and_given_up(document, editor_page):
    view = editor_page(document)
    view.tool("road")
    view.click(42)
    view.click(46)
    view.page.mouse.dblclick(*view.at(106))
    view.idle()
    (road,) = document.features.values()
    assert isinstance(road, Road)
    cells = document.labels.cells(road.path)
    assert cells[0] == 42 and cells[-1] == 106 and 46 in cells
    assert road.surface == "paved"
    view.page.get_by_role("radio", name="Unpaved").click()
    view.drag(162, 163, 164)
    view.idle()
    assert len(document.features) == 2
    assert document.features["road-2"].surface == "unpaved"
    view.click(200)
    view.click(204)
    view.key("Escape")
    view.idle()
    assert len(document.features) == 2
    view.page.mouse.move(*view.at(163))
    view.key("Delete")
    view.idle()
    assert list(document.features) == ["road-1"]
    view.key("Control+z")
    view.idle()
    assert set(document.features) == {"road-1", "road-2"}


def test_crest_line(document, editor_page):
    view = editor_page(document)
    view.tool("crest")
    view.click(42)
    view.click(45)
    view.key("Enter")
    view.idle()
    (crest,) = document.features.values()
    assert isinstance(crest, Crest)
    assert len(crest.path) == 4


def test_place_name_written_changed_moved_and_removed(document, editor_page):
    view = editor_page(document)
    view.tool("name")
    view.click(105)
    view.page.keyboard.type("<b>Tell & Wadi</b>")
    view.key("Enter")
    view.idle()
    (name,) = document.features.values()
    assert isinstance(name, Name)
    assert name.text == "<b>Tell & Wadi</b>"
    assert document.grid.cell_at(*document.grid.to_map(*name.at)) == 105
    assert view.page.locator(".wgs b", has_text="Tell").count() == 0
    view.drag(105, 125)
    view.idle()
    moved = document.features[name.id]
    assert document.grid.cell_at(*document.grid.to_map(*moved.at)) == 125
    view.click(125)
    view.page.keyboard.press("Control+a")
    view.page.keyboard.type("Ridge")
    view.key("Enter")
    view.idle()
    assert document.features[name.id].text == "Ridge"
    view.page.mouse.move(*view.at(125))
    view.key("Delete")
    view.idle()
    assert not document.features


def test_markers_and_eraser(document, editor_page):
    view = editor_page(document)
    view.tool("marker")
    view.click(105)
    view.idle()
    (marker,) = document.features.values()
    assert isinstance(marker, Marker)
    assert document.labels.cell(marker.at) == 105
    view.drag(105, 108)
    view.idle()
    assert document.labels.cell(document.features[marker.id].at) == 108
    kind = next(iter(document.ruleset.side_kinds))
    document.apply(SetSide(a=108, b=document.grid.neighbour(108, 3), kinds=(kind,)))
    view.push()
    view.tool("eraser")
    view.click(108)
    view.idle()
    assert not document.features
    x, y = view.at(108)
    u, v = view.at(document.grid.neighbour(108, 3))
    view.page.mouse.click((x + u) / 2, (y + v) / 2)
    view.idle()
    assert not document.sides


def test_sight_line_follows_and_tells_why(document, editor_page):
    document.apply(Paint(plane="terrain", cells=[104], values=["light_woods"]))
    document.apply(Paint(plane="terrain", cells=[109], values=["dense_woods"]))
    view = editor_page(document)
    view.tool("sight")
    view.page.mouse.move(*view.at(102))
    view.page.mouse.down()
    view.page.mouse.move(*view.at(106), steps=4)
    view.page.wait_for_selector('.wgs-verdict[data-status="hindered"]')
    assert "104" in view.page.inner_text(".wgs-reasons") or "0506" in view.page.inner_text(".wgs-reasons")
    view.page.mouse.move(*view.at(113), steps=4)
    view.page.wait_for_selector('.wgs-verdict[data-status="blocked"]')
    assert view.page.locator(".wgs-reasons li").count() >= 1
    assert view.js("window.studio.view.tools.get('sight').latency") < 500
    view.page.mouse.move(*view.at(142), steps=4)
    view.page.wait_for_selector('.wgs-verdict[data-status="clear"]')
    view.page.mouse.up()
    view.idle()
    # The line is on the screen, in the colour of its verdict.
    (x0, y0), (x1, y1) = view.at(102), view.at(142)
    middle = view.js("([x, y]) => window.studio.pixel(2, x, y)", [(x0 + x1) / 2, (y0 + y1) / 2])
    assert middle[:3] == [0, 158, 115]
    view.key("x")
    assert view.page.inner_text(".wgs-facts").startswith(document.labels.label(142))


def test_a_verdict_follows_the_map(document, editor_page):
    view = editor_page(document)
    view.tool("sight")
    view.drag(102, 106)
    view.page.wait_for_selector('.wgs-verdict[data-status="clear"]')
    cells = [contact.cells[0] for contact in hex_line(document.grid, 102, 106)]
    document.apply(Paint(plane="terrain", cells=sorted(set(cells)), values=["dense_woods"]))
    view.push()
    view.page.wait_for_selector('.wgs-verdict[data-status="blocked"]')


def test_field_of_view_shades_what_is_blind(document, editor_page):
    document.apply(Paint(plane="terrain", cells=[104, 124, 84], values=["dense_woods"]))
    view = editor_page(document)
    view.tool("sight")
    view.drag(102, 103)
    assert view.pixel(FEATURES, 110, 3, 9)[3] == 0
    view.key("v")
    view.page.wait_for_function("window.studio.stage.shade.plane")
    view.idle()
    blind, seen = view.pixel(FEATURES, 110, 3, 9), view.pixel(FEATURES, 3, 3, 9)
    assert blind[3] > 80
    assert seen[3] == 0
    view.key("v")
    view.idle()
    assert view.pixel(FEATURES, 110, 3, 9)[3] == 0


def test_everything_by_keyboard(document, editor_page):
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("b")
    view.key("]")
    for _ in range(3):
        view.key("ArrowRight")
    view.key("ArrowDown")
    view.key(" ")
    view.idle()
    assert len(document.history) == 1
    view.key("Escape")
    view.key("s")
    view.key("Enter")
    for _ in range(4):
        view.key("ArrowLeft")
    view.page.wait_for_selector('.wgs-verdict:not([data-status="none"]):not([data-status="waiting"])')
    view.key("w")
    view.key("Shift+ArrowRight")
    view.key(" ")
    view.idle()
    assert len(document.sides) == 1
    view.key("p")
    view.key(" ")
    for _ in range(3):
        view.key("ArrowUp")
    view.key("Enter")
    view.idle()
    assert [len(feature.path) for feature in document.features.values()] == [4]
    view.key("r")
    view.key(" ")
    view.key("ArrowRight")
    view.key("ArrowDown")
    view.key(" ")
    view.idle()
    assert document.history[-1].startswith("Paint")


def test_help_lists_the_keys_and_closes(document, editor_page):
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("?")
    text = view.page.inner_text(".wgs-help")
    assert "Ctrl+Z" in text and "Brush" in text
    view.key("Escape")
    assert view.page.locator(".wgs-help").count() == 0


def test_find_goes_to_a_hex_and_to_a_name(document, editor_page):
    record = {"kind": "name", "id": "name-1", "text": "Old Mill", "at": list(document.grid.centre(270))}
    document.apply(Put(collection="features", record=record))
    view = editor_page(document)
    view.page.focus(".wgs-area")
    view.key("/")
    view.page.keyboard.type("0503")
    view.key("Enter")
    assert view.js("window.studio.view.cursor") == document.labels.cell("0503")
    view.key("/")
    view.page.keyboard.type("old m")
    view.key("Enter")
    assert view.js("window.studio.view.cursor") == 270


def test_save_asks_for_a_name_once(document, editor_page):
    view = editor_page(document)
    view.tool("brush")
    view.click(64)
    view.key("Control+s")
    view.page.wait_for_selector(".wgs-dialog input")
    view.page.fill(".wgs-dialog input", "here.map.json")
    view.key("Enter")
    view.page.wait_for_selector('.wgs[data-dirty="0"]')
    assert document.path == "here.map.json"
    view.click(65)
    view.page.wait_for_selector('.wgs[data-dirty="1"]')
    view.key("Control+s")
    view.page.wait_for_selector('.wgs[data-dirty="0"]')


def test_title_is_changed_in_the_top_bar(document, editor_page):
    view = editor_page(document)
    view.page.click(".wgs-title")
    view.page.keyboard.press("Control+a")
    view.page.keyboard.type("Ridge <2>")
    view.key("Enter")
    view.page.wait_for_function("document.querySelector('.wgs-title').textContent === 'Ridge <2>'")
    assert document.title == "Ridge <2>"
    assert document.history == ["Set title"]


def test_tools_that_the_game_has_no_use_for_are_left_out(document, editor_page, monkeypatch):
    monkeypatch.setattr(document.ruleset, "side_kinds", {})
    monkeypatch.setattr(document.ruleset, "feature_kinds", ("name",))
    view = editor_page(document)
    shown = view.js("[...document.querySelectorAll('[data-tool]')].map((b) => b.dataset.tool)")
    assert "name" in shown and "brush" in shown
    assert not {"side", "road", "crest", "marker"} & set(shown)


def test_findings_lead_to_their_place(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    # A road that ends in the open may be right or not; whatever the checks say, each finding leads somewhere.
    document.paint("0505", terrain="river")
    document.add("marker", type="barricade", at="0909")
    view = editor_page(document)
    view.page.locator("summary", has_text="Findings").click()
    view.page.click('[data-action="findings:check"]')
    view.page.wait_for_selector('[data-panel="findings"] .wgs-say')
    found = document.check()
    assert view.page.locator(".wgs-finding").count() == len(found)
    places = [finding.at for finding in found if finding.at in document.labels.all()]
    if places:
        view.page.locator(".wgs-finding", has_text=places[0]).first.click()
        assert view.js("window.studio.view.cursor") == document.labels.cell(places[0])
    document.close()


def test_sight_shows_the_ground_from_the_side(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    document.paint(["0706", "0707"], level=2)
    view = editor_page(document)
    view.tool("sight")
    view.drag(document.labels.cell("0306"), document.labels.cell("1206"))
    view.page.wait_for_selector('.wgs-verdict[data-status="blocked"]')
    assert view.page.locator(".wgs-profile").is_visible()
    document.close()


def test_an_error_is_shown_and_the_state_stays_whole(document, editor_page):
    view = editor_page(document)
    document.fail_sight = True
    view.tool("sight")
    view.drag(102, 106)
    view.page.wait_for_selector(".wgs-message")
    assert "out of order" in view.page.inner_text(".wgs-message")
    view.page.click(".wgs-message summary")
    assert "Traceback" in view.page.inner_text(".wgs-message pre")
    view.page.click(".wgs-message button")
    document.fail_sight = False
    # An edit that Python refuses comes off the screen again.
    before = view.js("window.studio.store.terrainAt(64)")
    shown = view.js(
        """() => { const { store } = window.studio; store.apply({ op: 'batch', title: 'x', edits: [
            { op: 'paint', plane: 'terrain', cells: [64], values: ['marsh'] },
            { op: 'paint', plane: 'terrain', cells: [65], values: ['lava'] }] });
            return store.terrainAt(64); }"""
    )
    assert shown == "marsh"
    view.idle()
    assert view.js("window.studio.store.terrainAt(64)") == before
    assert "lava" in view.page.inner_text(".wgs-messages")


def test_edits_from_python_show_and_a_stroke_under_way_stays(document, editor_page):
    view = editor_page(document)
    document.apply(Paint(plane="terrain", cells=[30, 31], values=["marsh"]))
    view.push()
    assert view.js("window.studio.store.terrainAt(31)") == "marsh"
    view.tool("brush")
    view.page.click('[data-id="rough"]')
    view.page.mouse.move(*view.at(105))
    view.page.mouse.down()
    view.page.mouse.move(*view.at(145), steps=3)
    document.apply(Paint(plane="terrain", cells=[105, 200], values=["marsh"]))
    view.page.wait_for_timeout(60)
    view.push()
    assert view.js("[105, 200].map((c) => window.studio.store.terrainAt(c))") == ["rough", "marsh"]
    view.page.mouse.up()
    view.idle()
    assert terrain(document, 105, 125, 145, 200) == ["rough", "rough", "rough", "marsh"]


def test_two_views_of_one_editor(document, editor_page):
    view = editor_page(document)
    view.page.evaluate("window.second()")
    view.page.wait_for_function("document.querySelectorAll('.wgs[data-ready=\"1\"]').length === 2")
    view.page.locator('[data-tool="brush"]').first.click()
    view.click(64)
    view.idle()
    same = "(c) => [...document.querySelectorAll('.wgs')].map((w) => w.__studio.store.terrainAt(c))"
    assert len(set(view.js(same, 64))) == 1
    scales = view.js(
        """() => { const [a, b] = [...document.querySelectorAll('.wgs')].map((w) => w.__studio);
        a.view.zoom(2); return [a.camera.scale, b.camera.scale]; }"""
    )
    assert scales[0] > 1.5 * scales[1]


def test_wheel_zooms_only_with_focus(document, editor_page):
    view = editor_page(document)
    scale = view.js("window.studio.camera.scale")
    view.page.mouse.move(*view.at(105))
    view.page.mouse.wheel(0, -300)
    view.page.wait_for_timeout(150)
    assert view.js("window.studio.camera.scale") == scale
    view.click(105)
    view.page.mouse.wheel(0, -300)
    view.page.wait_for_function("s => window.studio.camera.scale > s * 1.2", arg=scale)


def test_hover_and_pan_never_paint_terrain_again(document, editor_page):
    view = editor_page(document)
    view.tool("brush")
    view.page.mouse.move(*view.at(64))
    view.idle()
    ground = view.js("window.studio.stats.ground")
    view.page.mouse.move(*view.at(109), steps=20)
    view.idle()
    assert view.js("window.studio.stats.ground") == ground
    assert view.js("window.studio.stats.above") > 3
    baked = view.js("window.studio.stage.groundTiles.baked")
    view.js("for (let i = 0; i < 20; i++) window.studio.view.pan(2, 1)")
    view.idle()
    assert view.js("window.studio.stage.groundTiles.baked") - baked <= 8


def test_many_messages_are_gathered(document, editor_page):
    view = editor_page(document)
    sent = view.js("window.model.sent.length")
    view.js(
        """() => { for (let i = 0; i < 50; i++) window.studio.store.apply({ op: 'batch', title: 'dot', edits: [
            { op: 'paint', plane: 'terrain', cells: [i], values: ['marsh'] }] }); }"""
    )
    view.idle()
    assert len(document.history) == 50
    assert view.js("window.model.sent.length") - sent <= 3


@pytest.mark.parametrize(
    "grid",
    [
        {"orientation": "pointy"},
        {"stagger": "even"},
        {"short": True},
        {"half": ("top", "bottom")},
        {"orientation": "pointy", "short": True, "hex_width": 1.0, "hex_height": 1.3},
    ],
    ids=str,
)
def test_every_grid_is_hit_where_it_is_drawn(grid, editor_page):
    document = FakeMap(9, 7, **grid)
    view = editor_page(document)
    view.tool("brush")
    view.page.click('[data-id="river"]')
    cells = [cell for cell in range(63) if document.grid.has(cell)][::5]
    for cell in cells:
        view.click(cell)
    view.idle()
    assert [cell for cell in range(63) if terrain(document, cell) == ["river"]] == cells
    labels = view.js("cells => cells.map((c) => window.studio.store.labels.of(c))", cells)
    assert labels == [document.labels.label(cell) for cell in cells]


def test_geometry_is_that_of_python(editor_page):
    document = FakeMap(12, 10, orientation="flat", stagger="even", short=True)
    view, grid = editor_page(document), document.grid
    found = view.js(
        """() => { const { grid } = window.studio.view, cells = [...Array(grid.size).keys()].filter((c) => grid.has(c));
            const of = (c) => [c, grid.centreLattice(c), grid.around(c), grid.axial(c), grid.disk(c, 2).length];
            return cells.map(of); }"""
    )
    for cell, centre, around, axial, near in found:
        assert tuple(centre) == grid.centre(cell)
        assert around == [-1 if n is None else n for n in (grid.neighbour(cell, d) for d in range(6))]
        assert tuple(axial) == grid.axial(cell)
        assert near == len(grid.within(cell, 2))


def test_fits_1024_by_700_and_narrower(document, editor_page):
    view = editor_page(document, width=640)
    for width in (640, 480):
        view.js("w => { document.getElementById('out').style.width = w + 'px'; }", width)
        view.page.wait_for_timeout(100)
        assert view.js("document.querySelector('.wgs').scrollWidth") <= width
        area = view.page.locator(".wgs-area").bounding_box()
        assert area["width"] > 250 and area["height"] > 300
    assert view.page.locator('.wgs [data-action="help"]').is_visible()


def test_dark_theme_and_high_resolution(document, editor_page):
    view = editor_page(document, device_scale_factor=2, color_scheme="dark")
    view.js(
        "document.body.style.cssText = '--jp-layout-color1: #111; --jp-ui-font-color1: #eee; --jp-layout-color2: #222'"
    )
    assert view.js("getComputedStyle(document.querySelector('.wgs')).backgroundColor") == "rgb(17, 17, 17)"
    assert view.js("window.studio.stage.canvases[0].width") > 1000
    view.tool("brush")
    view.click(64)
    view.idle()
    assert terrain(document, 64) != ["clear"]


def test_accessible_roles_and_names(document, editor_page):
    view = editor_page(document)
    area = view.page.locator('.wgs [role="application"]')
    assert "Fake map" in area.get_attribute("aria-label")
    assert view.page.locator('.wgs[data-lm-suppress-shortcuts="true"]').count() == 1
    assert view.page.locator('.wgs-status [aria-live="polite"]').count() == 1
    nameless = view.js(
        "[...document.querySelectorAll('.wgs button')]"
        ".filter((b) => !b.textContent.trim() && !b.getAttribute('aria-label')).length"
    )
    assert nameless == 0


def test_a_map_of_several_sheets_is_drawn_named_and_painted(editor_page):
    shape = {"columns": 5, "rows": 4, "half": ("left", "right", "top", "bottom"), "short": True}
    west, east = (studio.new_map("armageddon_war", title=title, **shape) for title in ("West", "East"))
    both = studio.join_maps(west, east, turned=True, prefixes=("", "E"))
    document = studio.join_maps(both, west, edge="apart", prefixes=("", "U"))
    view = editor_page(document)
    gap = next(cell for cell in range(document.grid.cells) if not document.grid.has(cell))
    assert view.pixel(GROUND, gap)[3] == 0
    for label in ("0302", "0501", "E0302", "U0303"):
        cell = document.labels.cell(label)
        assert view.js("label => window.studio.store.labels.cell(label)", label) == cell
        assert view.js("cell => window.studio.store.labels.of(cell)", cell) == label
        assert view.pixel(GROUND, cell, -3, 2)[3] == 255
    view.tool("brush")
    view.page.click('[data-id="marsh"]')
    view.click(document.labels.cell("E0302"))
    view.click(gap)
    view.idle()
    assert document.model.terrain_at(document.labels.cell("E0302")) == "marsh"
    assert len(document.history) == 1

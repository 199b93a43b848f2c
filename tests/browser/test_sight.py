"""Sight in the browser: locations under the pointer, lines with their reasons, views, and what several see."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import studio
from studio.editor.places import places_of
from studio.model import Area
from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

MAPS = Path(__file__).parents[2] / "maps"
FEATURES, ABOVE = 1, 2
FOUND = """points => { const { places } = window.studio.store, { grid } = window.studio.store;
    return points.map(([x, y]) => places.stack(x * grid.kx, y * grid.ky)[0]?.label ?? null); }"""
WHERE = """label => { const s = window.studio, p = s.store.places.find(label);
    const b = s.view.frame.area.getBoundingClientRect(), [x, y] = s.camera.toScreen(p.u ?? p.x, p.v ?? p.y);
    return [b.left + x / s.view.dpr, b.top + y / s.view.dpr]; }"""
SHOW = """labels => { const s = window.studio, all = labels.map((l) => s.store.places.find(l));
    while (s.camera.scale < 40) s.view.zoom(1.5);
    s.camera.centreOn(all.reduce((n, p) => n + p.x, 0) / all.length, all.reduce((n, p) => n + p.y, 0) / all.length);
    s.view.afterMove(); }"""
VERDICT = '.wgs-verdict[data-status="{}"]'


@pytest.fixture
def opened(editor_page, tmp_path):
    """Open a copy of a shipped map, with the sight tool taken up."""
    documents = []

    def make(name, **about):
        document = studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False) if isinstance(name, str) else name
        if document.path is not None:
            document.save(tmp_path / f"{name}.map.json")
        documents.append(document)
        view = editor_page(document, **about)
        view.tool("sight")
        view.page.wait_for_selector(".wgs-facts")
        return view, document

    yield make
    for document in documents:
        document.close()


def where(view, label):
    return view.js(WHERE, label)


def show(view, *labels):
    view.js(SHOW, list(labels))
    view.idle()


def line(view, a, b):
    """Drag from one location to another; return the verdict that is shown."""
    show(view, a, b)
    view.page.mouse.move(*where(view, a))
    view.page.mouse.down()
    view.page.mouse.move(*where(view, b), steps=4)
    view.page.mouse.up()
    return verdict(view, a, b)


def verdict(view, a, b):
    view.page.wait_for_function(
        "([a, b]) => { const t = window.studio.view.tools.get('sight');"
        " return t.a?.label === a && t.b?.label === b && t.result && t.result.from === a && t.result.to === b; }",
        arg=[a, b],
    )
    view.idle()
    return view.page.locator(".wgs-sight .wgs-verdict").get_attribute("data-status")


# -- locations ---------------------------------------------------------------------------------------------------------


def oracle(document, reach, x, y):
    """Return the label of what lies uppermost at a point, None for nothing, "?" where a border or a sign is near."""
    import shapely

    survey, directory = document.survey, document.survey.directory
    height = document.grid.hex_height
    point = shapely.Point(x, y)
    for one in directory.others:
        off = np.abs(np.asarray(document.grid.to_map(*one.dot)) - document.grid.to_map(x, y)) / height
        if one.kind != "area" and (off < np.asarray(reach[one.number]) / 1000 + 0.02).all():
            return "?"
    inside = []
    for one in directory.of("area"):
        shape = survey.polygon(one.feature)
        if shape.boundary.distance(point) < 2:
            return "?"
        if shape.contains(point):
            inside.append((shape.area, one.label))
    if inside:
        return min(inside)[1]
    cells = set(document.grid.cells_at(np.array([(x + dx, y + dy) for dx in (-2, 2) for dy in (-2, 2)])).tolist())
    if len(cells) > 1:
        return "?"
    cell = cells.pop()
    return directory.label(cell) if cell >= 0 and directory.exists(cell) else None


@pytest.mark.parametrize("name", ["urban-1", "phantom-fury"])
def test_the_location_under_a_point_is_that_of_the_survey(name, opened):
    view, document = opened(name)
    x0, y0, x1, y1 = document.grid.frame
    chance, told = random.Random(7), {place["number"]: place.get("reach") for place in places_of(document)}
    points = [(chance.randrange(x0, x1), chance.randrange(y0, y1)) for _ in range(2500)]
    known = [(point, oracle(document, told, *point)) for point in points]
    known = [(point, label) for point, label in known if label != "?"]
    assert len(known) > 150
    assert len({label for _, label in known}) > 60
    assert view.js(FOUND, [point for point, _ in known]) == [label for _, label in known]
    # A sign, and every dot of an area.
    others = document.survey.directory.others
    signs = [one for one in others if one.kind == "place"]
    assert view.js(FOUND, [one.dot for one in signs]) == [one.label for one in signs]
    areas = [one for one in others if one.kind == "area"]
    found = view.js(
        """points => { const { places, grid } = window.studio.store;
        return points.map(([x, y]) => places.stack(x * grid.kx, y * grid.ky).map((p) => p.label)); }""",
        [one.dot for one in areas],
    )
    assert all(one.label in labels for one, labels in zip(areas, found, strict=True))


def test_a_room_with_a_hole_and_an_area_that_moves(opened):
    document = studio.new_map("urban_operations", columns=8, rows=7)
    ring, hole = [(480, 480), (3000, 480), (3000, 2400), (480, 2400)], [(1200, 1000), (1900, 1000), (1900, 1700)]
    room = document.add("area", type="room", outline=ring, holes=[hole], name="9.1")
    document.add("area", type="room", outline=hole, name="9.2")
    view, _ = opened(document)
    points = [(700, 700), (1700, 1200), (3100, 700)]
    first = view.js(FOUND, points)
    assert first[:2] == ["9.1", "9.2"]
    view.js("id => window.studio.store.places.index || window.studio.store.places.build()")
    assert document.model.features_of(Area)
    document.remove(room)
    view.push()
    view.page.wait_for_function("!window.studio.store.places.byLabel('9.1')")
    assert view.js(FOUND, points)[1] == "9.2"
    document.undo()
    view.page.wait_for_function("window.studio.store.places.byLabel('9.1')")
    assert view.js(FOUND, points) == first
    # Moved in the browser, before Python has said anything.
    view.js(
        """id => { const { store } = window.studio, record = store.features.get(id).record;
        window.deaf = true;
        store.apply({ op: 'put', collection: 'features',
            record: { ...record, outline: record.outline.map(([x, y]) => [x + 600, y]), holes: [] } }); }""",
        room,
    )
    assert view.js(FOUND, [(700, 700), (3100, 700)])[1] == "9.1"


def test_status_line_says_what_is_under_the_pointer(opened):
    view, _ = opened("urban-1")
    show(view, "1.1", "1 roof")
    view.page.mouse.move(*where(view, "1 roof"))
    assert view.page.inner_text(".wgs-under").split("\n")[0].startswith("1 roof")
    assert "roof of building 1, level 2" in view.page.inner_text(".wgs-under")
    view.page.mouse.move(*where(view, "1.1"))
    assert "room of building 1" in view.page.inner_text(".wgs-under")
    assert view.js(
        "() => ['1 ROOF', '29roof', 'u5.5', '0101', 'nowhere'].map("
        "(t) => window.studio.store.places.find(t)?.label ?? null)"
    ) == ["1 roof", "29 roof", "U5.5", "0101", None]


# -- lines -------------------------------------------------------------------------------------------------------------


def test_line_between_a_room_and_a_roof(opened):
    view, document = opened("urban-1")
    assert line(view, "1.1", "2 roof") == document.sight("1.1", "2 roof").status == "blocked"
    assert "outside the arcs of fire" in view.page.inner_text(".wgs-reasons")
    assert "room of building 1" in view.page.inner_text(".wgs-facts")
    assert view.page.locator(".wgs-profile").is_visible()
    # The cross stands where it stops, in the colour of the verdict; the rest of the line is grey.
    x, y = where(view, "1.1")
    ring = view.js("([x, y]) => window.studio.pixel(2, x, y)", [x, y])
    assert ring[3] == 255
    view.page.click('[data-action="swap"]')
    assert verdict(view, "2 roof", "1.1") == document.sight("2 roof", "1.1").status
    for end, label in (("a", "14 roof"), ("b", "21 roof")):
        view.page.fill(f'[data-end="{end}"]', label)
        view.key("Enter")
    assert verdict(view, "14 roof", "21 roof") == "clear"


def test_line_of_a_game_of_zones_runs_through_the_street(opened):
    view, document = opened("phantom-fury")
    assert line(view, "39 C", "41 R") == "clear"
    way = view.js("window.studio.view.tools.get('sight').result.way")
    assert len(way) == 5
    grid = (
        "([x, y]) => { const s = window.studio, g = s.store.grid, b = s.view.frame.area.getBoundingClientRect();"
        " const [u, v] = s.camera.toScreen(x * g.kx, y * g.ky);"
        " return window.studio.pixel(2, b.left + u / s.view.dpr, b.top + v / s.view.dpr); }"
    )
    middle = view.js(grid, [(way[1][0] + way[2][0]) / 2, (way[1][1] + way[2][1]) / 2])
    assert middle[:3] == [0, 158, 115]
    # Both zones are ringed in the verdict's colour.
    outline = document.features["zone-39"].outline
    corner = view.js(grid, [(outline[0][0] + outline[1][0]) / 2, (outline[0][1] + outline[1][1]) / 2])
    assert corner[3] > 0
    assert line(view, "7", "37 C") == "blocked"
    assert "no common border" in view.page.inner_text(".wgs-reasons")


def test_reasons_lead_to_their_places(opened):
    view, _ = opened("tactics-1")
    assert line(view, "S2 road", "P9") == "blocked"
    reason = view.page.locator(".wgs-reasons li").first
    reason.hover()
    assert view.js("window.studio.view.tools.get('sight').marked.at") == "Q6"
    view.idle()
    yellow = view.js(
        """() => { const c = window.studio.stage.canvases[2];
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;
        for (let i = 0; i < d.length; i += 4) n += d[i] === 240 && d[i + 1] === 228 && d[i + 2] === 66; return n; }"""
    )
    assert yellow > 60
    reason.click()
    assert view.js("window.studio.view.ping !== null")
    view.page.mouse.move(5, 5)
    view.page.wait_for_function("window.studio.view.tools.get('sight').marked === null")
    passed = view.page.locator(".wgs-passed summary").first
    passed.click()
    assert view.page.locator(".wgs-passed li").count() >= 1
    again = view.page.locator(".wgs-passed summary", has_text="Ask the same again")
    again.click()
    assert "studio sight" in view.page.inner_text(".wgs-sight code")


def test_everything_by_keys(opened):
    view, document = opened("urban-1")
    view.page.focus('[data-end="a"]')
    view.page.keyboard.type("1.1")
    view.key("Enter")
    view.page.focus('[data-end="b"]')
    view.page.keyboard.type("2 ROOF")
    view.key("Enter")
    assert verdict(view, "1.1", "2 roof") == "blocked"
    view.page.fill('[data-end="b"]', "no such place")
    view.key("Enter")
    assert view.page.locator('[data-end="b"]').get_attribute("aria-invalid") == "true"
    view.page.focus(".wgs-area")
    view.key("Escape")
    cell = document.survey.directory.location(document.survey.directory.number("1 roof")).cell
    view.js("cell => window.studio.view.goTo(cell)", cell)
    view.key("ArrowRight")
    view.key("ArrowLeft")
    seen = []
    for _ in range(8):
        view.key(".")
        seen.append(view.js("window.studio.view.cursorEvent().label"))
    assert "1 roof" in seen
    while view.js("window.studio.view.cursorEvent().label") != "1 roof":
        view.key(".")
    view.key("Enter")
    for _ in range(4):
        view.key("ArrowDown")
    label = view.js("window.studio.view.cursorEvent().label")
    view.key("Enter")
    assert verdict(view, "1 roof", label) == document.sight("1 roof", label).status
    assert view.js("window.studio.view.tools.get('sight').held")
    view.key("x")
    assert verdict(view, label, "1 roof") == document.sight(label, "1 roof").status


def test_a_second_press_and_alt_take_what_is_stacked(opened):
    view, _ = opened("urban-1")
    room, roof = "1.2", "1 roof"
    show(view, room)
    view.page.mouse.click(*where(view, room))
    first = view.js("window.studio.view.tools.get('sight').a.label")
    view.page.mouse.click(*where(view, room))
    second = view.js("window.studio.view.tools.get('sight').a.label")
    assert {first, second} == {room, roof}
    view.key("Escape")
    view.page.keyboard.down("Alt")
    view.page.mouse.click(*where(view, room))
    view.page.keyboard.up("Alt")
    assert view.js("window.studio.view.tools.get('sight').a.label") == second


def test_a_wood_on_the_line_changes_the_verdict_at_once(opened):
    document = studio.new_map("armageddon_war", columns=16, rows=12)
    view, _ = opened(document)
    assert line(view, "0306", "1106") == "clear"
    all_through = [c.at for c in document.sight("0306", "1106").contacts if c.how == "through"]
    through = all_through[len(all_through) // 2]
    view.js(
        """cell => window.studio.store.apply({ op: 'batch', title: 'Paint', edits: [
            { op: 'paint', plane: 'terrain', cells: [cell], values: ['dense_woods'] }] })""",
        document.labels.cell(through),
    )
    view.page.wait_for_selector(".wgs-sight " + VERDICT.format("blocked"))
    assert through in view.page.inner_text(".wgs-reasons")
    document.undo()
    view.page.wait_for_selector(".wgs-sight " + VERDICT.format("clear"))


def test_a_fixed_line_stays_while_the_map_is_painted(opened):
    document = studio.new_map("armageddon_war", columns=16, rows=12)
    view, _ = opened(document)
    assert line(view, "0306", "1106") == "clear"
    all_through = [c.at for c in document.sight("0306", "1106").contacts if c.how == "through"]
    view.tool("brush")
    view.page.click('[data-id="dense_woods"]')
    view.click(document.labels.cell(all_through[len(all_through) // 2]))
    view.page.wait_for_function("window.studio.view.tools.get('sight').result.status === 'blocked'")
    view.idle()
    x, y = where(view, "1106")
    assert view.js("([x, y]) => window.studio.pixel(2, x, y)", [x, y])[3] == 255
    view.tool("sight")
    view.page.wait_for_selector(".wgs-sight " + VERDICT.format("blocked"))
    view.page.focus(".wgs-area")
    view.key("Escape")
    view.idle()
    assert view.js("([x, y]) => window.studio.pixel(2, x, y)", [x, y])[3] == 0


def test_a_busy_kernel_is_told_and_the_newest_question_wins(opened):
    document = studio.new_map("armageddon_war", columns=16, rows=12)
    view, _ = opened(document)
    cell = document.labels.cell
    view.js("() => { const m = window.model; m.later = []; m.send = (...all) => m.later.push(all); }")
    view.page.mouse.move(*view.at(cell("0306")))
    view.page.mouse.down()
    for label in ("0506", "0706", "0906", "1106"):
        view.page.mouse.move(*view.at(cell(label)), steps=3)
    view.page.mouse.up()
    view.page.wait_for_function("document.querySelector('.wgs-sight .wgs-verdict').textContent.includes('kernel busy')")
    asked = view.js("window.model.later.flatMap((a) => a[0].messages).filter((m) => m.type === 'sight').length")
    assert asked == 1
    view.js("() => { const m = window.model, l = m.later; delete m.send; l.forEach((all) => m.send(...all)); }")
    assert verdict(view, "0306", "1106") == "clear"


def test_an_error_is_shown_and_the_next_question_is_answered(opened):
    document = FakeMap(20, 14)
    document.path = None
    document.close = lambda: None
    view, _ = opened(document)
    document.fail_sight = True
    view.drag(102, 106)
    view.page.wait_for_selector(".wgs-message")
    view.page.click(".wgs-message summary")
    assert "Traceback" in view.page.inner_text(".wgs-message pre")
    document.fail_sight = False
    view.page.click(".wgs-message button")
    view.idle()
    view.drag(103, 110)
    view.page.wait_for_selector(".wgs-sight " + VERDICT.format("clear"))


# -- views and forces --------------------------------------------------------------------------------------------------


def test_a_view_shades_rooms_and_rings_roofs(opened):
    view, document = opened("urban-1")
    show(view, "1.1", "1 roof", "0606")
    view.page.mouse.click(*where(view, "1.1"))
    view.key("v")
    view.page.wait_for_function("window.studio.stage.shade.plane")
    view.idle()
    seen = document.field_of_view("1.1")
    assert f"Seen {len(seen.clear)}, hindered 0, blind {len(seen.blocked)} locations" in view.page.inner_text(
        ".wgs-sight"
    )
    shown = ["1.2", "1.3", "0605", "0405"]
    codes = view.js(
        "labels => labels.map((l) => window.studio.stage.shade.plane[window.studio.store.places.find(l).number])", shown
    )
    assert codes == [int(seen.codes[document.survey.directory.number(label)]) for label in shown]
    assert len(set(codes)) > 1


def test_observers_their_count_and_two_rulings(opened):
    document = studio.new_map("armageddon_war", columns=12, rows=9)
    document.paint(["0502", "0503"], terrain="light_woods")
    view, _ = opened(document)
    show(view, "0505")
    view.page.keyboard.down("Shift")
    view.page.mouse.click(*where(view, "0203"))
    view.page.mouse.click(*where(view, "0706"))
    view.page.keyboard.up("Shift")
    panel, other = '[data-panel="sight"]', {"options_b": {"border_rule": "per_border"}}
    start = document.compare("armageddon_war", **other).pairs(1)[0].a
    found = document.exposure(["0203", "0706"])
    view.page.wait_for_function(
        "([p, text]) => document.querySelector(p).textContent.includes(text)",
        arg=[panel, f"{found.seen_count} of 108 hexes are seen"],
    )
    assert view.editor.desk["sight"].observers == ["0203", "0706"]
    view.page.locator(panel + " summary", has_text="Compare").click()
    view.page.select_option(panel + ' [data-id="rival"]', "armageddon_war")
    view.page.wait_for_function(
        "p => document.querySelectorAll(p + ' select[data-id=border_rule]').length === 2", arg=panel
    )
    selects = view.page.locator(panel + ' select[data-id="border_rule"]')
    selects.last.select_option("per_border")
    view.page.fill(panel + ' [data-id="start"]', start)
    view.key("Enter")
    view.page.click('[data-action="sight:compare"]')
    view.page.wait_for_function("p => document.querySelector(p).textContent.includes('lines differ')", arg=panel)
    pair = document.compare("armageddon_war", labels=start, **other).pairs(1)[0]
    view.page.locator(panel + " .wgs-finding", has_text=f"{pair.a} → {pair.b}").first.click()
    assert verdict(view, pair.a, pair.b) == pair.first
    assert pair.second.capitalize() in view.page.inner_text(".wgs-other")


def test_a_double_click_is_one_end_and_an_end_that_is_gone_is_none(opened):
    document = studio.new_map("urban_operations", columns=8, rows=7)
    ring = [(480, 480), (3000, 480), (3000, 2400), (480, 2400)]
    house = document.add("area", type="building", outline=ring, name="9", level=1)
    room = document.add("area", type="room", outline=ring, name="9.1")
    view, _ = opened(document)
    ends = "(() => { const t = window.studio.view.tools.get('sight'); return [t.a?.label, t.b?.label, t.held]; })()"
    show(view, "9.1", "0605")
    x, y = where(view, "9.1")
    view.page.mouse.dblclick(x + 8, y + 12)
    a, *rest = view.js(ends)
    assert a != "9.1"  # the second press has taken what is stacked there
    assert rest == [None, False]
    view.key("Escape")
    assert line(view, "9.1", "0605") == document.sight("9.1", "0605").status
    for one in (room, house):
        document.remove(one)
    view.push()
    view.page.wait_for_function("window.studio.view.tools.get('sight').a === null")
    assert view.js(ends)[1:] == [None, False]
    assert view.page.locator(".wgs-sight .wgs-verdict").get_attribute("data-status") == "none"

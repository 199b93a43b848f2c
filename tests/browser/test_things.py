"""Things on maps of three games, set, moved, changed and removed by pointer and by keys: in Python and in pixels."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.model import Aperture, Dot, Link, Marker, Name, Place
from tests.browser.page import EditorPage

MAPS = Path(__file__).parents[2] / "maps"
ABOVE = "window.studio.stage.canvases.length - 1"


@pytest.fixture
def opened(tmp_path: Path, editor_page: Any) -> Any:
    """Open a copy of a map of the studio in an editor, near one of its points."""

    def make(name: str, x: int, y: int, scale: float = 70) -> tuple[Any, EditorPage]:
        file = tmp_path / f"{name}.map.json"
        shutil.copy(MAPS / f"{name}.map.json", file)
        document = studio.open_map(file, recover_unsaved=False)
        view = editor_page(document)
        look(view, x, y, scale)
        return document, view

    return make


def look(view: EditorPage, x: int, y: int, scale: float = 70) -> None:
    view.js(
        """([x, y, scale]) => {
          const { view } = window.studio, c = view.camera, g = view.grid;
          c.zoom(scale / c.scale, c.width / 2, c.height / 2, performance.now());
          c.centreOn(x * g.kx, y * g.ky);
          view.afterMove(); view.frame.area.focus();
        }""",
        [x, y, scale],
    )
    view.idle()


def spot(view: EditorPage, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the lattice is on the screen."""
    found = view.js(
        """([x, y]) => {
          const { view } = window.studio, box = view.frame.area.getBoundingClientRect(), g = view.grid;
          const [px, py] = view.camera.toScreen(x * g.kx, y * g.ky);
          return [box.left + px / view.dpr, box.top + py / view.dpr];
        }""",
        [x, y],
    )
    return found[0], found[1]


def click(view: EditorPage, x: float, y: float) -> None:
    view.page.mouse.move(*spot(view, x, y), steps=2)
    view.page.mouse.click(*spot(view, x, y))


def drag(view: EditorPage, a: tuple[float, float], b: tuple[float, float]) -> None:
    view.page.mouse.move(*spot(view, *a))
    view.page.mouse.down()
    view.page.mouse.move(*spot(view, *b), steps=6)
    view.page.mouse.up()


def tool(view: EditorPage, name: str) -> None:
    view.tool(name)
    view.page.wait_for_function("name => window.studio.tool === name && window.studio.store.things", arg=name)


def until(view: EditorPage, condition: str) -> None:
    view.page.wait_for_function(condition, timeout=10_000)


def follows(view: EditorPage, condition: Callable[[], bool]) -> None:
    """Wait until Python has done what a panel asked for."""
    for _ in range(100):
        if condition():
            break
        view.page.wait_for_timeout(50)
    assert condition()


def red(view: EditorPage, x: float, y: float) -> bool:
    """Tell whether the topmost canvas shows the red of arcs at a point."""
    r, g, b, a = view.js(f"([x, y]) => window.studio.pixel({ABOVE}, x, y)", list(spot(view, x, y)))
    return a > 20 and r > 140 and r > g + 60 and r > b + 60


def of(document: Any, kind: type, known: set[str]) -> Any:
    (found,) = [one for one in document.features.values() if isinstance(one, kind) and one.id not in known]
    return found


def test_an_opening_with_its_arc_on_a_wall(opened):
    document, view = opened("urban-1", 6300, 1400)
    before = {one.message for one in document.check()}
    known = set(document.features)
    tool(view, "aperture")
    click(view, 6290, 1300)
    until(view, "window.studio.view.tool.drawn?.options.length > 3")
    at = view.js("window.studio.view.tool.drawn.at")
    # The arc is shaded while the arrow is aimed, before anything is set.
    below = document.grid.centre(document.labels.cell("0905"))
    view.page.mouse.move(*spot(view, *below), steps=3)
    until(view, "window.studio.view.tool.cells.length > 2")
    view.idle()
    shaded = view.js("window.studio.view.tool.cells.map(Number)")
    arrow = view.js("window.studio.view.tool.labels()")
    assert [document.labels.label(cell) for cell in shaded] == document.arc_of_fire(at, "1.4", arrow)
    assert red(view, *document.grid.centre(shaded[2]))
    assert not set(document.features) - known
    view.page.mouse.click(*spot(view, *below))
    aside = document.grid.centre(document.labels.cell("0704"))
    view.page.mouse.move(*spot(view, *aside), steps=3)
    view.idle()
    view.page.mouse.click(*spot(view, *aside))
    view.idle()
    made = of(document, Aperture, known)
    assert (made.into, made.type, made.open) == ("1.4", "aperture", True)
    assert len(made.arrows) == 2
    assert {one.message for one in document.check() if one.at == made.id} <= before
    assert len(document.history) == 1
    view.key("Control+z")
    view.idle()
    assert set(document.features) == known
    assert document.features == studio.open_map(MAPS / "urban-1.map.json", recover_unsaved=False).features
    view.key("Control+y")
    view.idle()
    assert made.id in document.features


def test_an_opening_by_keys_moved_and_removed(opened):
    document, view = opened("urban-1", 6300, 1400)
    known = set(document.features)
    view.page.focus(".wgs-area")
    view.key("Shift+O")
    until(view, "window.studio.tool === 'aperture' && window.studio.store.things")
    view.js("label => window.studio.view.goTo(window.studio.store.labels.cell(label))", "0804")
    view.key("ArrowUp")
    view.key(" ")
    until(view, "window.studio.view.tool.drawn?.options.length > 3")
    view.key("ArrowDown")
    until(view, "window.studio.view.tool.drawn?.now")
    view.key(".")
    chosen = view.js("window.studio.view.tool.drawn.now.labels")
    view.key(" ")
    view.key("Enter")
    view.idle()
    made = of(document, Aperture, known)
    assert made.arrows == (tuple(chosen),)
    # Dragged, it goes along its wall and stays exactly on it.
    x, y = made.at
    drag(view, (x, y), (x - 130, y + 40))
    view.idle()
    until(view, "!window.studio.view.tool.moving")
    view.idle()
    moved = document.features[made.id]
    assert moved.at != made.at
    assert moved.arrows == made.arrows
    assert not [one for one in document.check() if one.at == made.id and "wall" in one.message]
    view.page.mouse.move(*spot(view, *moved.at))
    view.key("Delete")
    view.idle()
    assert made.id not in document.features
    view.key("Control+z")
    view.idle()
    assert document.features[made.id] == moved


def test_rooms_and_roofs_linked_a_roof_set_and_a_cloud_blown(opened):
    document, view = opened("urban-1", 6300, 900)
    known = set(document.features)
    tool(view, "link")
    view.page.click('[data-id="linked_roofs"]')
    directory = document.survey.directory
    # From the roof of one house to a room, by a drag.
    a, b = (directory.location(directory.number(label)).dot for label in ("1 roof", "1.3"))
    drag(view, a, b)
    view.idle()
    link = of(document, Link, known)
    assert (link.type, link.a, link.b) == ("linked_roofs", "1 roof", "1.3")
    # By label, for what lies one above the other.
    view.page.click('[data-id="roof_access"]')
    view.page.fill('[data-id="link-a"]', "1.4")
    view.page.press('[data-id="link-a"]', "Tab")
    view.page.fill('[data-id="link-b"]', "1 roof")
    view.page.click('[data-action="join"]')
    view.idle()
    stairs = of(document, Link, known | {link.id})
    assert (stairs.a, stairs.b, stairs.type) == ("1.4", "1 roof", "roof_access")
    # A new roof: its area and the next label are offered.
    tool(view, "place")
    click(view, 6654, 974)
    view.page.wait_for_selector(".wgs-text")
    assert view.page.input_value(".wgs-text").startswith("1 roof")
    view.page.fill(".wgs-text", "<i>attic</i>")
    view.key("Enter")
    view.idle()
    roof = of(document, Place, known)
    assert (roof.name, roof.within, roof.level, roof.type) == ("<i>attic</i>", "b1", 2, "roof")
    assert view.page.locator(".wgs i", has_text="attic").count() == 0
    # A cloud over rooms, downwind.
    tool(view, "marker")
    view.page.click('[data-id="smoke"]')
    view.page.get_by_role("radio", name="NE", exact=True).click()
    at = document.grid.centre(document.labels.cell("0905"))
    click(view, *at)
    view.idle()
    cloud = of(document, Marker, known)
    assert cloud.also == document.ruleset.clouds.covered(document.survey, "0905", "NE", document.ruleset.options())
    steps = len(document.history)
    view.page.get_by_role("radio", name="S", exact=True).click()
    view.page.click('[data-action="turn-clouds"]')
    view.idle()
    options = document.ruleset.options()
    assert document.features[cloud.id].also == document.ruleset.clouds.covered(document.survey, "0905", "S", options)
    assert len(document.history) == steps + 1


def test_a_dot_is_moved_nudged_and_put_back(opened):
    document, view = opened("urban-1", 6300, 2000)
    known = set(document.features)
    cell = document.labels.cell("0904")
    x, y = document.grid.centre(cell)
    tool(view, "dot")
    drag(view, (x, y), (x + 150, y + 60))
    view.idle()
    dot = of(document, Dot, known)
    assert dot.at == "0904"
    assert abs(dot.point[0] - x - 150) < 20
    assert abs(dot.point[1] - y - 60) < 20
    view.js(f"window.studio.view.goTo({cell})")
    view.key("ArrowUp")
    view.key("ArrowDown")
    view.key("Shift+ArrowLeft")
    view.idle()
    assert document.features[dot.id].point == (dot.point[0] - 30, dot.point[1])
    view.key("Delete")
    view.idle()
    assert dot.id not in document.features
    # Outside of its hex it is refused, and the map stays as it is.
    drag(view, (x, y), (x + 1500, y))
    view.idle()
    assert not [one for one in document.features.values() if isinstance(one, Dot) and one.id not in known]
    view.page.wait_for_selector(".wgs-message")
    view.idle()
    until(view, "[...window.studio.store.features.values()].every((e) => e.record.at !== '0904')")


def test_boxes_of_a_zone_and_egress_in_order(opened):
    document, view = opened("phantom-fury", 2500, 2300)
    known = set(document.features)
    zone = next(one for one in document.survey.directory.of("area") if one.label == "1")
    tool(view, "place")
    view.page.click('[data-id="courtyard"]')
    spare = (zone.dot[0] + 330, zone.dot[1] - 120)
    click(view, *spare)
    view.page.wait_for_selector(".wgs-text")
    label = view.page.input_value(".wgs-text")
    view.key("Enter")
    view.idle()
    box = of(document, Place, known)
    assert (box.name, box.type) == (label, "courtyard")
    assert document.features[box.within].name == "1"
    # Click it to rename it; what goes by its label follows.
    document.add("link", id="way", type="arrow", a=box.name, b="1 1")
    view.push()
    click(view, *box.at)
    view.page.wait_for_selector(".wgs-text")
    view.page.fill(".wgs-text", "1 Yard")
    view.key("Enter")
    view.idle()
    assert document.features[box.id].name == "1 Yard"
    assert document.features["way"].a == "1 Yard"
    tool(view, "link")
    view.page.click('[data-id="egress"]')
    old = max(
        (one.order for one in document.survey.features_of(Link) if one.type == "egress" and one.a == "1"), default=0
    )
    view.page.fill('[data-id="link-a"]', "1")
    view.page.press('[data-id="link-a"]', "Tab")
    view.page.fill('[data-id="link-b"]', "S1")
    view.page.click('[data-action="join"]')
    view.idle()
    route = of(document, Link, known | {"way"})
    assert (route.a, route.b, route.order) == ("1", "S1", old + 1)
    # The eraser takes a zone with its boxes; one step brings all back.
    tool(view, "eraser")
    outline = document.features[zone.feature].outline
    x, y = (outline[0][0] + outline[1][0]) / 2, (outline[0][1] + outline[1][1]) / 2
    click(view, x, y)
    view.idle()
    gone = {name for name in known if name not in document.features}
    assert zone.feature in gone or any(document.features.get(name) is None for name in gone)
    view.key("Control+z")
    view.idle()
    assert known <= set(document.features)


def test_names_along_a_line_and_names_that_nobody_expects(editor_page):
    document = studio.new_map("armageddon_war", columns=20, rows=14)
    view = editor_page(document)
    shown = set(view.js("[...document.querySelectorAll('[data-tool]')].map((el) => el.dataset.tool)"))
    assert {"name", "marker", "eraser"} <= shown
    assert not shown & {"place", "aperture", "link", "dot"}
    tool(view, "name")
    view.drag(105, 110)
    view.page.wait_for_selector(".wgs-text")
    view.page.keyboard.type("Long ridge")
    view.key("Enter")
    view.idle()
    (name,) = document.features.values()
    assert isinstance(name, Name)
    (x0, _), (x1, _) = document.grid.centre(105), document.grid.centre(110)
    assert abs(name.at[0] - (x0 + x1) / 2) < 30
    assert -45 <= name.angle <= 45
    view.page.mouse.move(*spot(view, *name.at))
    view.key(".")
    view.idle()
    assert document.features[name.id].angle == name.angle - 15
    width = view.js("document.querySelector('.wgs').scrollWidth")
    for number, text in enumerate(['<img src=x onerror="window.ran=1">', "x" * 10_000, "\u202eשלום עולם", "🏚️ 1 <b>"]):
        view.click(145 + 40 * number)
        view.page.wait_for_selector(".wgs-text")
        view.page.fill(".wgs-text", text)
        view.key("Enter")
        view.idle()
        assert text in {one.text for one in document.features.values()}
    assert view.js("window.ran") is None
    assert view.page.locator(".wgs img").count() == 0
    assert view.js("document.querySelector('.wgs').scrollWidth") == width
    view.page.locator("summary", has_text="Inspector").click()
    view.page.wait_for_selector('[data-panel="inspect"] [data-id="text"]')
    long = next(one.id for one in document.features.values() if len(one.text) == 10_000)
    view.js("id => window.studio.view.choose([id])", long)
    until(view, "document.querySelector('[data-panel=inspect] [data-id=text]').value.length === 10000")
    assert view.js(
        "document.querySelector('.wgs-panel').scrollWidth <= document.querySelector('.wgs-panel').clientWidth + 1"
    )


def test_the_inspector_changes_what_is_chosen(opened):
    document, view = opened("urban-1", 6300, 900)
    view.page.locator("summary", has_text="Inspector").click()
    view.page.wait_for_selector('[data-panel="inspect"] .wgs-hint')
    view.js("window.studio.view.choose(['b1.3'])")
    label = view.page.locator('[data-panel="inspect"] [data-id="name"]')
    label.wait_for()
    assert label.input_value() == "1.3"
    label.fill("1.9")
    label.press("Enter")
    view.idle()
    until(view, "document.querySelector('[data-panel=inspect] h4')?.textContent === 'Room 1.9'")
    assert document.features["b1.3"].name == "1.9"
    assert document.features["door-1.3-1"].into == "1.9"
    label.fill("1.2")
    label.press("Enter")
    view.page.wait_for_selector('[data-panel="inspect"] .wgs-fault')
    assert document.features["b1.3"].name == "1.9"
    view.js("window.studio.view.choose(['door-1.3-1'])")
    box = view.page.locator('[data-panel="inspect"] [data-id="open"]')
    box.wait_for()
    box.uncheck()
    follows(view, lambda: document.features["door-1.3-1"].open is False)
    view.page.locator(".wgs-area").focus()
    view.key("Control+z")
    follows(view, lambda: document.features["door-1.3-1"].open is True)
    # The hex under the cursor.
    view.js("window.studio.view.choose([])")
    at = document.grid.centre(document.labels.cell("0905"))
    tool(view, "dot")
    view.page.focus(".wgs-area")
    view.js("label => window.studio.view.goTo(window.studio.store.labels.cell(label))", "0905")
    view.key("ArrowUp")
    view.key("ArrowDown")
    terrain = view.page.locator('[data-panel="inspect"] [data-id="terrain"]')
    terrain.wait_for()
    terrain.select_option("wood")
    follows(view, lambda: document.model.terrain_at(document.labels.cell("0905")) == "wood")
    assert view.js("([x, y]) => window.studio.pixel(0, x, y)", list(spot(view, *at)))[3] > 0


def test_every_marker_by_its_swatch_and_by_keys(opened):
    document, view = opened("tactics-1", 9000, 5000, 40)
    known = set(document.features)
    tool(view, "marker")
    x, y = view.js(
        "(() => { const { view } = window.studio, g = view.grid, c = view.camera;"
        " const [X, Y] = c.toWorld(c.width / 2, c.height / 2); return [X / g.kx, Y / g.ky]; })()"
    )
    start = document.grid.cell_at(*document.grid.to_map(round(x), round(y)))
    assert start is not None
    free = [cell for cell in document.grid.within(start, 3) if not document.survey.markers_at(cell)]
    types = list(document.ruleset.marker_types)
    for kind, cell in zip(types, free, strict=False):
        view.page.click(f'.wgs-options [data-id="{kind}"]')
        view.page.mouse.click(*spot(view, *document.survey.directory.dot(cell)))
    view.idle()
    made = [one for one in document.features.values() if isinstance(one, Marker) and one.id not in known]
    assert sorted(one.type for one in made) == sorted(types)
    # Shift+click: the last one covers a further hex, and no longer.
    other = free[len(types)]
    for expected in (True, False):
        view.page.keyboard.down("Shift")
        view.page.mouse.click(*spot(view, *document.survey.directory.dot(other)))
        view.page.keyboard.up("Shift")
        view.idle()
        last = document.features[made[-1].id]
        assert (len(last.also) == 1) is expected
    steps = len(document.history)
    view.js("cell => window.studio.view.goTo(cell)", free[len(types) + 1])
    view.page.focus(".wgs-area")
    view.key("ArrowUp")
    view.key("ArrowDown")
    view.key(" ")
    view.idle()
    assert len(document.history) == steps + 1
    view.key("Control+z")
    view.idle()
    assert len([one for one in document.features if one not in known]) == len(types)


def test_a_link_by_keys_and_a_breach_in_an_outer_wall(opened):
    document, view = opened("urban-1", 7000, 4300)
    known = set(document.features)
    tool(view, "link")
    view.page.focus(".wgs-area")
    directory = document.survey.directory
    for label, key in (("0810", " "), ("0811", "Enter")):
        cell = document.labels.cell(label)
        assert directory.exists(cell)
        view.js("cell => window.studio.view.goTo(cell)", cell)
        view.key("ArrowUp")
        view.key("ArrowDown")
        view.key(key)
    view.idle()
    link = of(document, Link, known)
    assert (link.a, link.b) == ("0810", "0811")
    wall = document.features["wall-5"].line
    look(view, *wall[1])
    tool(view, "aperture")
    view.page.click('[data-id="wall_breach"]')
    click(view, wall[1][0] + 30, (wall[1][1] + wall[2][1]) // 2)
    until(view, "window.studio.view.tool.drawn?.options.length > 1")
    view.page.mouse.move(*spot(view, wall[1][0] - 500, (wall[1][1] + wall[2][1]) // 2), steps=3)
    until(view, "window.studio.view.tool.drawn?.now")
    view.key("Enter")
    view.idle()
    gap = of(document, Aperture, known)
    assert (gap.type, gap.open, gap.at[0]) == ("wall_breach", False, wall[1][0])
    assert directory.number(gap.into) < document.grid.cells
    assert len(gap.arrows) == 1
    assert not [one for one in document.check() if one.at == gap.id]


def test_the_eraser_takes_what_it_points_at_by_delete_but_nothing_that_is_locked(opened):
    document, view = opened("urban-1", 6300, 1400)
    opening = next(one for one in document.features.values() if isinstance(one, Aperture))
    look(view, *opening.at)
    tool(view, "eraser")
    view.js("window.studio.stage.setLayer('sign', { locked: true })")
    view.js("window.studio.stage.setLayer('border', { locked: true })")
    view.js("window.studio.stage.setLayer('area', { locked: true })")
    view.page.mouse.move(*spot(view, *opening.at), steps=2)
    assert view.js("window.studio.view.tool.target") is None
    view.js("window.studio.stage.setLayer('sign', { locked: false })")
    view.page.mouse.move(*spot(view, opening.at[0] + 8, opening.at[1]), steps=2)
    view.key("Delete")
    until(view, f"!window.studio.store.features.has('{opening.id}')")
    view.idle()
    assert opening.id not in document.features
    assert len(document.history) == 1

"""Movement and supply in the browser: reach, route and what an enemy would cut, by pointer and by keys."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.editor import ScenarioEditor
from studio.editor.ways import journey_of, supply_of
from tests.browser.page import EditorPage

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
ABOVE = 2
WHERE = """label => { const s = window.studio, p = s.store.places.find(label);
    const b = s.view.frame.area.getBoundingClientRect(), [x, y] = s.camera.toScreen(p.u ?? p.x, p.v ?? p.y);
    return [b.left + x / s.view.dpr, b.top + y / s.view.dpr]; }"""
SHOW = """labels => { const s = window.studio, all = labels.map((l) => s.store.places.find(l));
    while (s.camera.scale < 40) s.view.zoom(1.5);
    s.camera.centreOn(all.reduce((n, p) => n + p.x, 0) / all.length, all.reduce((n, p) => n + p.y, 0) / all.length);
    s.view.afterMove(); }"""
ENDS = "(() => { const t = window.studio.view.tool; return [t.a?.label ?? '', t.b?.label ?? '', t.held]; })()"
CARRIED = "(() => { const t = window.studio.view.tool; return [t.lift, t.drop?.label ?? '']; })()"


class WaysPage(EditorPage):
    """A page with the tool of movement or supply."""

    def until(self, true: Callable[[], bool]) -> None:
        for _ in range(900):
            if true():
                break
            self.page.wait_for_timeout(30)
        assert true()
        self.idle()

    def show(self, *labels: str) -> None:
        self.js(SHOW, list(labels))
        self.idle()

    def where(self, label: str) -> tuple[float, float]:
        x, y = self.js(WHERE, label)
        return x, y

    def press(self, label: str) -> None:
        self.page.mouse.click(*self.where(label))

    def go(self, label: str) -> None:
        self.page.mouse.move(*self.where(label), steps=4)

    def pull(self, a: str, b: str) -> None:
        self.go(a)
        self.page.mouse.down()
        self.go(b)
        self.page.mouse.up()

    def cursor(self, label: str) -> None:
        """Put the cursor of the keys on a hex."""
        self.js(
            """label => { const { view } = window.studio; view.frame.area.focus();
            view.cursor = view.store.labels.cell(label); view.cursorPlace = undefined; view.pointedByKey(); }""",
            label,
        )

    def inked(self, change: Callable[[], None], name: str) -> None:
        """Wait for the next picture of an overlay after a change."""
        count = "name => window.model.overlays?.[name] ?? 0"
        self.js(
            """() => { const m = window.model; if (m.overlays) return; m.overlays = {};
            m.on("msg:custom", (c) => { if (c.type === "overlay" && c.parts)
                m.overlays[c.name] = (m.overlays[c.name] ?? 0) + 1; }); }"""
        )
        before = self.js(count, name)
        change()
        self.page.wait_for_function(f"([name, n]) => ({count})(name) > n", arg=[name, before], timeout=30_000)
        self.idle()

    def above(self, label: str) -> list[int]:
        x, y = self.where(label)
        found: list[int] = self.js("([x, y]) => window.studio.pixel(2, x, y)", [x, y])
        return found


@pytest.fixture
def ways_page(new_page: Callable[..., Any], bundle_server: str) -> Any:
    from studio.editor import MapEditor

    editors: list[Any] = []

    def make(document: Any, **options: Any) -> WaysPage:
        kind = MapEditor if isinstance(document, studio.Map) else ScenarioEditor
        editors.append(kind(document))
        return WaysPage(new_page(**options), editors[-1], bundle_server, 1000)

    yield make
    for editor in editors:
        editor.close()


def shipped(name: str, folder: Path) -> Any:
    shutil.copy(ROOT / "maps" / f"{name}.map.json", folder)
    return studio.open_map(folder / f"{name}.map.json", recover_unsaved=False)


def front(folder: Path) -> Any:
    for kind, name in (("maps", "practice-front.map.json"), ("scenarios", "practice-front.scenario.json")):
        (folder / kind).mkdir()
        shutil.copy(ROOT / kind / name, folder / kind)
    return studio.open_scenario(folder / "scenarios" / "practice-front.scenario.json", recover_unsaved=False)


def test_reach_and_route_by_pointer_and_keys(tmp_path: Path, ways_page: Any) -> None:
    document = shipped("armageddon-1", tmp_path)
    page = ways_page(document)
    page.page.click(".wgs-area")
    page.key("j")
    page.loaded()
    journey = journey_of(page.editor)
    page.show("G9", "J9")
    page.inked(lambda: page.press("G9"), "ways")
    page.until(lambda: journey.reach is not None and journey.reach.start == "G9")
    assert page.above("G9")[3] == 255
    # With the start set the way follows; a drag holds its goal.
    page.go("K9")
    page.until(lambda: journey.b == "K9" and journey.route is not None)
    page.inked(lambda: page.pull("G9", "J9"), "ways")
    page.until(lambda: journey.b == "J9")
    assert page.js(ENDS) == ["G9", "J9", True]
    page.page.wait_for_function("document.querySelector('[data-panel=\"ways\"]').innerText.includes('Can go')")
    assert page.above("J9")[3] == 255
    page.go("H11")
    assert page.js(ENDS) == ["G9", "J9", True]
    page.key("x")
    page.until(lambda: (journey.a, journey.b) == ("J9", "G9"))
    # A double click is one start; Escape in the middle of a drag takes all back, and letting go brings nothing.
    page.page.mouse.dblclick(*page.where("K9"))
    page.until(lambda: (journey.a, journey.b) == ("K9", ""))
    assert page.js(ENDS) == ["K9", "", False]
    page.go("G9")
    page.page.mouse.down()
    page.go("J9")
    page.key("Escape")
    page.go("J8")
    page.page.mouse.up()
    page.until(lambda: (journey.a, journey.b) == ("", ""))
    assert page.js(ENDS) == ["", "", False]
    # Keys alone: Space sets start and goal and keeps them, and so does Enter.
    for key in (" ", "Enter"):
        page.cursor("G9")
        page.key(key)
        page.until(lambda: journey.a == "G9")
        for _ in range(2):
            page.key("ArrowRight")
        page.key(key)
        end = document.labels.label(page.js("window.studio.view.cursor"))
        page.until(lambda end=end: journey.b == end)
        page.key("ArrowRight")
        assert page.js(ENDS) == ["G9", end, True]
        page.key("Escape")
        page.until(lambda: journey.a == "")
    # What is drawn meanwhile from Python counts at once.
    page.pull("G9", "J9")
    page.until(lambda: journey.b == "J9" and journey.route is not None)
    asked = journey.route
    document.paint(["H9", "I9", "H10", "I10"], terrain="dense_woods")
    page.push()
    page.until(lambda: journey.route is not asked and journey.route is not None)
    assert journey.route.text == document.route("G9", "J9", mover=journey.mover).text
    # Another tool takes the answer away, and this one begins anew.
    page.tool("pan")
    page.until(lambda: journey.a == "" and journey.route is None)
    page.tool("ways")
    assert page.js(ENDS) == ["", "", False]


def test_rooms_roofs_and_zones(tmp_path: Path, ways_page: Any) -> None:
    town = studio.new_map("urban_operations", columns=8, rows=7)
    hall = town.add("area", type="building", outline=[(480, 480), (3000, 480), (3000, 2400), (480, 2400)], name="9")
    town.add("area", type="room", outline=[(480, 480), (3000, 480), (3000, 2400), (480, 2400)], name="9.1")
    page = ways_page(town)
    page.tool("ways")
    journey = journey_of(page.editor)
    page.show("9.1")
    x, y = page.where("9.1")
    page.page.mouse.click(x + 8, y + 12)
    page.until(lambda: journey.a == "9.1")
    others = [place["label"] for place in page.js("window.studio.store.places.list") if place["kind"] != "area"]
    if others:
        page.page.keyboard.down("Alt")
        page.page.mouse.click(x + 8, y + 12)
        page.page.keyboard.up("Alt")
        page.until(lambda: journey.a == others[0])
        page.page.mouse.click(x + 8, y + 12)
        page.until(lambda: journey.a == "9.1")
    # A start that is gone takes the question along: no fault is left to read.
    town.remove(hall)
    for area in [one.id for one in town.features.values() if getattr(one, "name", "") == "9.1"]:
        town.remove(area)
    page.push()
    page.until(lambda: journey.a == "")
    assert page.js(ENDS) == ["", "", False]
    district = shipped("phantom-fury", tmp_path)
    other = ways_page(district)
    other.tool("ways")
    asked = journey_of(other.editor)
    other.show("40 1", "44 1")
    other.inked(lambda: other.pull("40 1", "44 1"), "ways")
    other.until(lambda: (asked.a, asked.b) == ("40 1", "44 1"))
    other.page.wait_for_function("document.querySelector('[data-panel=\"ways\"]').innerText.includes('Can')")


def test_supply_follows_an_enemy_that_is_dragged(tmp_path: Path, ways_page: Any) -> None:
    scenario = front(tmp_path)
    page = ways_page(scenario)
    page.page.wait_for_function("window.studio.store.forces?.ready")
    supply = supply_of(page.editor)
    page.page.click('[data-tool="pan"]')
    page.page.click(".wgs-area")
    page.inked(lambda: page.key("q"), "supply")
    page.until(lambda: supply.answer is not None)
    assert supply.answer.out_of_supply == ["armor-10"]
    page.show("1507", "1106")
    page.inked(lambda: page.pull("1507", "1206"), "supply")
    page.until(lambda: (supply.lift, supply.drop) == ("1507", "1206"))
    page.page.wait_for_function("window.studio.view.tool.ids.join() === 'inf-28'")
    assert page.js("[...window.studio.view.forces.hidden]") == ["inf-28"]  # it is drawn where it is supposed to be
    assert page.above("1206")[3] == 255
    # On from where it is supposed to stand: it is the same one.
    page.pull("1206", "1106")
    page.until(lambda: (supply.lift, supply.drop) == ("1507", "1106"))
    cut = set(supply.answer.out_of_supply) - {"armor-10"}
    page.page.wait_for_function(
        "document.querySelector('[data-panel=\"supply\"]').innerText.includes('cut off by this')"
    )
    assert cut and not scenario.dirty
    page.page.click('[data-action="supply:clear"]')
    page.page.wait_for_function("window.studio.view.tool.drop === null && !window.studio.view.tool.ids.length")
    assert page.js(CARRIED) == ["", ""]
    assert page.js("[...window.studio.view.forces.hidden]") == []
    assert supply.drop == ""
    # Keys alone.
    page.cursor("1507")
    page.key(" ")
    page.until(lambda: (supply.lift, supply.drop) == ("1507", "1507"))
    page.key("ArrowLeft")
    page.key("Enter")
    end = scenario.map.labels.label(page.js("window.studio.view.cursor"))
    page.until(lambda: (supply.lift, supply.drop) == ("1507", end))
    page.key("Delete")
    page.until(lambda: supply.drop == "")
    assert page.js(CARRIED) == ["", ""]
    # Escape in the middle of a drag.
    page.go("1507")
    page.page.mouse.down()
    page.go("1206")
    page.key("Escape")
    page.go("1106")
    page.page.mouse.up()
    page.until(lambda: supply.drop == "")
    assert page.js(CARRIED) == ["", ""]
    # A unit moved from Python counts at once; leaving the tool leaves nothing.
    asked = supply.answer
    scenario.move("inf-28", "1106", anyway=True)
    page.push()
    page.until(lambda: supply.answer is not asked and supply.answer is not None)
    assert set(supply.answer.out_of_supply) == set(scenario.supply("iraq").out_of_supply)
    page.tool("pan")
    page.until(lambda: supply.answer is None)
    assert page.js("[...window.studio.view.forces.hidden]") == []


def test_a_unit_of_the_scenario_moves_and_a_game_without_movement_has_no_tool(tmp_path: Path, ways_page: Any) -> None:
    scenario = front(tmp_path)
    page = ways_page(scenario)
    page.page.wait_for_function("window.studio.store.forces?.ready")
    assert page.page.locator('[data-tool="sight"]').count() == 0
    page.tool("ways")
    journey = journey_of(page.editor)
    page.show("1612", "1712")
    page.press("1612")
    page.until(lambda: journey.unit == "inf-11" and journey.reach is not None)
    page.page.wait_for_selector('[data-panel="ways"] [data-id="unit"]')
    page.go("1712")
    page.until(lambda: journey.b == "1712" and journey.route is not None)
    assert not journey.route.found
    path = tmp_path / "still_war.ruleset.toml"
    path.write_text(
        'id = "still_war"\ntitle = "Still War"\nlevels = [0, 1]\nsight = false\n[terrain.a]\nname = "A"\nchar = "."\n'
    )
    made = studio.new_map(studio.load_ruleset(path), columns=4, rows=3)
    made.save(tmp_path / "still.map.json")
    for document in (made, studio.new_scenario(made, title="Still")):
        bare = ways_page(document)
        shown = bare.js("[...document.querySelectorAll('[data-tool]')].map((el) => el.dataset.tool)")
        assert not {"ways", "supply", "sight"} & set(shown)
        bare.page.click(".wgs-area")
        for key in ("j", "q", "s"):
            bare.key(key)
        assert bare.js("window.studio.tool") not in ("ways", "supply", "sight")

"""The scan under the map in a browser: control points by pointer and by keys, opacity, layer, lock, the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from tests.browser.page import EditorPage
from tests.editor.scans import Known, colour, draw

pytestmark = pytest.mark.browser

GROUND, ABOVE = 0, 2
FOUR = ("0202", "1102", "0208", "1108")

ON_SCREEN = """([x, y]) => {
  const s = window.studio, [a, b, c, d, e, f] = s.store.backdrop.affine;
  const [u, v] = s.camera.toScreen(a * x + b * y + c, d * x + e * y + f);
  const box = s.view.frame.area.getBoundingClientRect();
  return [box.left + u / s.view.dpr, box.top + v / s.view.dpr];
}"""
SLIDE = "el => { el.value = 0.5; el.dispatchEvent(new Event('change')) }"
SECOND = """() => {
  const scan = document.querySelectorAll(".wgs")[1].__studio.stage.scan;
  return scan?.tiles.size && scan.missing === null;
}"""
COMPLETE = "() => { const scan = window.studio.stage.scan; return scan && scan.tiles.size && scan.missing === null }"


class Desk:
    """A page with a map and its scan."""

    def __init__(self, view: EditorPage, game: Any, scan: Known) -> None:
        self.view, self.game, self.scan = view, game, scan

    def settle(self) -> None:
        """Wait until the page shows what Python has."""
        for _ in range(100):
            self.view.push()
            self.view.page.wait_for_timeout(15)
            self.view.idle()
            shown = self.view.js("() => window.studio.store.backdrop")
            if shown == self.view.editor.scan.state() and not self.view.outbox:
                return
        raise AssertionError(f"the page shows {shown}, and Python has {self.view.editor.scan.state()}")

    def complete(self) -> None:
        """Wait until the scan is there in full."""
        self.settle()
        self.view.page.wait_for_function(COMPLETE)
        self.view.idle()

    def panel_says(self, words: str) -> None:
        """Wait until the panel says something; it follows a moment after the map."""
        for _ in range(100):
            self.view.push()
            if words in self.view.page.inner_text('[data-panel="backdrop"]'):
                return
            self.view.page.wait_for_timeout(20)
        raise AssertionError(f"the panel does not say {words!r}")

    def on_screen(self, pixel: tuple[float, float]) -> tuple[float, float]:
        x, y = self.view.js(ON_SCREEN, list(pixel))
        return x, y

    def press(self, pixel: tuple[float, float]) -> None:
        self.view.page.mouse.click(*self.on_screen(pixel))

    def set_point(self, label: str) -> None:
        """Click the middle of a hex on the scan, then that hex of the map."""
        self.press(self.scan.of(label))
        self.view.click(self.game.labels.cell(label))
        self.settle()

    def shown(self, label: str) -> Any:
        """Return the colour in the lower part of a hex on the ground."""
        cell = self.game.labels.cell(label)
        scale = self.view.js("() => window.studio.camera.scale / window.studio.view.dpr")
        return np.array(self.view.pixel(GROUND, cell, 0, 0.3 * scale)[:3])


@pytest.fixture
def desk(tmp_path: Path, editor_page: Any) -> Desk:
    game = studio.new_map("armageddon_war", columns=12, rows=9)
    game.save(tmp_path / "m.map.json")
    scan = draw(game.grid, game.labels, tmp_path / "scan.png")
    return Desk(editor_page(game), game, scan)


@pytest.fixture
def fitted(desk: Desk) -> Desk:
    desk.game.set_backdrop(desk.scan.path, desk.scan.points(*FOUR), opacity=1)
    desk.complete()
    return desk


def test_a_skewed_scan_is_fitted_by_four_clicks_each_on_picture_and_map(desk: Desk) -> None:
    view, game = desk.view, desk.game
    view.tool("backdrop")
    view.page.wait_for_selector('.wgs[data-tool="backdrop"]')
    view.page.fill('[data-panel="backdrop"] [data-id="file"]', "scan.png")
    view.key("Enter")
    view.page.wait_for_function("() => window.studio.store.backdrop.file")
    desk.complete()
    for label in FOUR:
        desk.set_point(label)
    fit = game.backdrop.fit()
    assert [point.at for point in game.model.backdrop.points] == list(FOUR)
    assert all(one.pixels < 1 for one in fit.residuals)
    assert fit.fit.shear == pytest.approx(0.015, abs=0.004) and fit.fit.turn == pytest.approx(0.7, abs=0.3)
    assert len(game.history) == 5
    for words in ("Fits", "0208", " px"):
        desk.panel_says(words)
    # Every hex shows its own part of the scan, mixed with the ground.
    game.set_backdrop(desk.scan.path, opacity=1)
    desk.complete()
    for label in ("0101", "0605", "1209", "1201", "0109"):
        assert np.abs(desk.shown(label) - colour(game.labels.cell(label))).max() <= 16
    for _ in range(6):
        view.key("Control+z")
    desk.settle()
    assert game.backdrop is None and not game.can_undo
    assert np.abs(desk.shown("0605") - colour(game.labels.cell("0605"))).max() > 16


def test_points_are_dragged_nudged_typed_and_removed(fitted: Desk) -> None:
    view, game, scan = fitted.view, fitted.game, fitted.scan
    view.tool("backdrop")
    view.page.wait_for_selector('.wgs[data-tool="backdrop"]')
    start = game.model.backdrop.point("2").pixel
    x, y = fitted.on_screen(start)
    per_pixel = fitted.on_screen((start[0] + 1, start[1]))[0] - x
    # Taken beside its middle it does not jump.
    view.page.mouse.move(x + 4, y + 3)
    view.page.mouse.down()
    view.page.mouse.move(x + 24, y + 13, steps=5)
    assert view.js("() => !!window.studio.view.tool.drag.moved")
    assert len(game.history) == 1
    view.page.mouse.up()
    fitted.settle()
    dx, dy = np.subtract(game.model.backdrop.point("2").pixel, start)
    assert (dx * per_pixel, dy * per_pixel) == pytest.approx((20, 10), abs=0.6)
    assert game.history[-1] == "Move control point 2"
    # The chosen point is nudged; the steps of one go are one step.
    at = game.model.backdrop.point("2").pixel
    view.page.focus(".wgs-map" if view.page.query_selector(".wgs-map") else '[role="application"]')
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowUp", "ArrowDown"):
        view.key(key)
    view.page.wait_for_timeout(700)
    fitted.settle()
    assert game.model.backdrop.point("2").pixel == pytest.approx((at[0] - 2, at[1] - 9), abs=0.01)
    assert len(game.history) == 3
    # Esc in the middle of a drag leaves everything as it was.
    x, y = fitted.on_screen(game.model.backdrop.point("3").pixel)
    view.page.mouse.move(x, y)
    view.page.mouse.down()
    view.page.mouse.move(x + 30, y, steps=3)
    view.key("Escape")
    view.page.mouse.up()
    fitted.settle()
    assert len(game.history) == 3
    # A new point whose place is typed.
    fitted.press(scan.of("0605"))
    assert view.js("() => !!window.studio.view.tool.fresh")
    view.page.keyboard.type("0605")
    view.key("Enter")
    fitted.settle()
    assert game.model.backdrop.point("5").at == "0605"
    assert game.backdrop.fit().outlier in ("", "2")
    view.key("Delete")
    fitted.settle()
    assert game.model.backdrop.point("5") is None
    # Half set, then given up.
    fitted.press(scan.of("0605"))
    view.key("Escape")
    view.click(game.labels.cell("0605"))
    view.key("Escape")
    fitted.settle()
    assert len(game.model.backdrop.points) == 4


def test_a_click_near_a_corner_means_the_corner_and_wrong_labels_are_refused(fitted: Desk) -> None:
    view, game, scan = fitted.view, fitted.game, fitted.scan
    view.tool("backdrop")
    view.page.wait_for_selector('.wgs[data-tool="backdrop"]')
    corner = game.grid.corners(game.labels.cell("0605"))[2]
    pixel = scan.of_point(corner)
    fitted.press(pixel)
    x, y = fitted.on_screen(pixel)
    view.page.mouse.click(x - 3, y + 1)
    fitted.settle()
    assert game.model.backdrop.point("5").point == corner
    assert game.backdrop.fit().rms < 1
    fitted.press(scan.of("0405"))
    view.page.keyboard.type("9999")
    view.key("Enter")
    view.page.wait_for_selector(".wgs-messages >> text=9999")
    fitted.settle()
    assert len(game.model.backdrop.points) == 5


def test_by_keyboard_alone(desk: Desk) -> None:
    view, game, scan = desk.view, desk.game, desk.scan
    game.set_backdrop(scan.path)
    desk.complete()
    view.page.focus('[role="application"]')
    view.key("Shift+B")
    view.page.wait_for_selector('.wgs[data-tool="backdrop"]')
    for number, label in enumerate(FOUR, 1):
        goal = game.labels.cell(label)
        while view.js("() => window.studio.view.cursor") != goal:
            # From wherever the cursor is, step by step.
            cell = view.js("() => window.studio.view.cursor")
            here = divmod(cell if cell >= 0 else 0, game.grid.columns)
            there = divmod(goal, game.grid.columns)
            view.key("ArrowDown" if there[0] > here[0] else "ArrowUp" if there[0] < here[0] else
                     "ArrowRight" if there[1] > here[1] else "ArrowLeft")  # fmt: skip
        view.key("Space")
        desk.settle()
        point = game.model.backdrop.point(str(number))
        assert point.at == label
        away = np.round(np.subtract(scan.of(label), point.pixel)).astype(int)
        for axis, names in ((0, ("ArrowRight", "ArrowLeft")), (1, ("ArrowDown", "ArrowUp"))):
            name = names[int(away[axis] < 0)]
            for _ in range(abs(away[axis]) // 10):
                view.key(f"Shift+{name}")
            for _ in range(abs(away[axis]) % 10):
                view.key(name)
        view.key("Enter")
        view.page.wait_for_timeout(650)
        desk.settle()
        view.key("Escape")
        desk.settle()
    assert all(one.pixels < 1 for one in game.backdrop.fit().residuals)
    view.key("]")
    view.key("]")
    view.key("Delete")
    desk.settle()
    assert [point.name for point in game.model.backdrop.points] == ["1", "3", "4"]


def test_opacity_layer_lock_and_show(fitted: Desk) -> None:
    view, game = fitted.view, fitted.game
    game.paint("0605", terrain="marsh")
    fitted.settle()
    whole = fitted.shown("0304")
    assert np.abs(whole - colour(game.labels.cell("0304"))).max() <= 16
    panel = '[data-panel="backdrop"]'
    view.tool("backdrop")
    view.page.wait_for_selector(f"{panel} [data-id=opacity]")
    view.page.eval_on_selector(f"{panel} [data-id=opacity]", SLIDE)
    fitted.settle()
    half = fitted.shown("0304")
    view.page.uncheck(f"{panel} [data-id=visible]")
    fitted.settle()
    none = fitted.shown("0304")
    assert game.model.backdrop.opacity == 0.5 and not game.model.backdrop.visible
    assert np.abs((whole + none) / 2 - half).max() <= 4
    assert np.abs(whole - none).max() > 30
    view.page.check(f"{panel} [data-id=visible]")
    view.page.select_option(f"{panel} [data-id=layer]", "under")
    fitted.complete()
    view.page.wait_for_timeout(300)
    view.idle()
    under = fitted.shown("0304")
    assert np.abs(under - half).max() <= 40  # the tint lets as much of it through; signs of terrain do not
    view.page.check(f"{panel} [data-id=locked]")
    fitted.settle()
    before = game.to_text()
    x, y = fitted.on_screen(game.model.backdrop.point("1").pixel)
    view.page.mouse.move(x, y)
    view.page.mouse.down()
    view.page.mouse.move(x + 30, y, steps=3)
    view.page.mouse.up()
    view.key("ArrowLeft")
    view.key("Delete")
    fitted.settle()
    assert game.to_text() == before


def test_the_layer_of_a_view_hides_fades_locks_and_turns_about_the_scan(fitted: Desk) -> None:
    view, game = fitted.view, fitted.game
    before, steps = game.to_text(), len(game.history)
    change = "(change) => window.studio.stage.setLayer('backdrop', change)"

    def seen(**settings: Any) -> np.ndarray[Any, Any]:
        view.js(change, settings)
        fitted.settle()
        return fitted.shown("0304")

    # Under or over is what the map says until somebody turns it about here.
    assert view.js("window.studio.stage.layers.at('backdrop').below") is False
    whole, none, half = seen(), seen(shown=False), seen(shown=True, alpha=0.5)
    assert np.abs(whole - none).max() > 30
    assert np.abs((whole + none) / 2 - half).max() <= 4
    assert np.abs(seen(below=True) - half).max() <= 40
    assert view.js("!!window.studio.stage.layers.fade") is True
    assert np.abs(seen(below=False, alpha=1) - whole).max() <= 4
    assert view.js("window.studio.stage.layers.fade") is None
    view.tool("backdrop")
    for settings in ({"locked": True}, {"locked": False, "shown": False}):
        view.js(change, settings)
        x, y = fitted.on_screen(game.model.backdrop.point("1").pixel)
        view.page.mouse.move(x, y)
        view.page.mouse.down()
        view.page.mouse.move(x + 30, y, steps=3)
        view.page.mouse.up()
        for key in ("ArrowLeft", "Delete", " "):
            view.key(key)
        view.page.wait_for_timeout(700)
        fitted.settle()
        assert "locked" in view.page.inner_text(".wgs-live")
    assert (game.to_text(), len(game.history)) == (before, steps)


def test_a_second_view_a_reload_and_a_far_zoom_show_the_scan(fitted: Desk, editor_page: Any) -> None:
    game, view = fitted.game, fitted.view
    view.js("() => window.second()")
    view.page.wait_for_function(SECOND)
    again = Desk(editor_page(game), game, fitted.scan)
    again.complete()
    assert np.abs(again.shown("0605") - colour(game.labels.cell("0605"))).max() <= 16
    for factor in (4, 0.1):
        again.view.js(f"() => window.studio.view.zoom({factor})")
        again.view.page.wait_for_timeout(300)
        again.complete()
        assert np.abs(again.shown("0605") - colour(game.labels.cell("0605"))).max() <= 16


def test_a_missing_picture_is_told_and_stops_nothing(fitted: Desk, editor_page: Any) -> None:
    game = fitted.game
    fitted.scan.path.unlink()
    later = Desk(editor_page(game), game, fitted.scan)
    later.view.tool("backdrop")
    later.view.page.wait_for_selector('.wgs[data-tool="backdrop"]')
    later.panel_says("there is no such picture")
    later.view.tool("brush")
    later.view.page.click('[data-id="marsh"]')
    later.view.click(game.labels.cell("0605"))
    later.settle()
    assert game.model.terrain_at(game.labels.cell("0605")) == "marsh"

"""The screenshots of the editor in README and docs: run by `make screenshots`, nothing is asserted."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import studio
from studio.editor import MapEditor
from tests.browser.lab import FLAGS
from tests.browser.page import EditorPage, serve

TARGET = Path("docs/pictures")
SIZE = {"width": 1440, "height": 900}


def at(view: EditorPage, label: str) -> tuple[float, float]:
    """Return where a location is on the screen: a hex, or a place that is drawn."""
    spot = view.js(
        """label => {
            const { store, view, camera } = window.studio, place = store.places.byLabel(label);
            const cell = store.labels.cell(label), [x, y] = place ? [place.x, place.y] : view.grid.centre(cell);
            const box = view.frame.area.getBoundingClientRect(), [px, py] = camera.toScreen(x, y);
            return [box.left + px / view.dpr, box.top + py / view.dpr];
        }""",
        label,
    )
    return float(spot[0]), float(spot[1])


def look(view: EditorPage, label: str, px: float) -> None:
    """Show the map around a location, a hex so many pixels high."""
    view.js(
        """([label, px]) => {
            const { store, view, camera } = window.studio, place = store.places.byLabel(label);
            const [x, y] = place ? [place.x, place.y] : view.grid.centre(store.labels.cell(label));
            camera.zoom((px * view.dpr) / camera.scale, camera.width / 2, camera.height / 2, performance.now());
            camera.centreOn(x, y);
            view.afterMove();
        }""",
        [label, px],
    )
    rest(view)


def rest(view: EditorPage, ms: int = 1500) -> None:
    view.page.wait_for_timeout(ms)
    view.idle()


def sight(view: EditorPage, a: str, b: str) -> None:
    view.tool("sight")
    view.page.mouse.move(*at(view, a))
    view.page.mouse.down()
    view.page.mouse.move(*at(view, b), steps=8)
    view.page.mouse.up()
    rest(view, 2500)


def armageddon(view: EditorPage) -> None:
    sight(view, "X5", "U9")


def tactics(view: EditorPage) -> None:
    sight(view, "S7", "Q12")
    view.key("v")
    rest(view, 3500)


def urban(view: EditorPage) -> None:
    look(view, "1812", 46)
    sight(view, "29 roof", "2210")


def fury(view: EditorPage) -> None:
    look(view, "29", 44)
    view.tool("select")
    rest(view, 800)
    x, y = at(view, "29")
    view.page.mouse.click(x + 34, y + 30)
    rest(view)


def supply(view: EditorPage) -> None:
    view.tool("supply")
    rest(view, 2500)


def forces(view: EditorPage) -> None:
    view.tool("units")
    rest(view, 2500)


SCENES: dict[str, tuple[str, Callable[[EditorPage], None]]] = {
    "editor": ("maps/armageddon-1.map.json", armageddon),
    "editor-tactics": ("maps/tactics-1.map.json", tactics),
    "editor-urban": ("maps/urban-1.map.json", urban),
    "editor-fury": ("maps/phantom-fury.map.json", fury),
    "editor-supply": ("scenarios/practice-front.scenario.json", supply),
    "editor-forces": ("scenarios/armageddon-01.scenario.json", forces),
}


def main(names: list[str]) -> None:
    """Take the screenshots that are named, all of them by default."""
    from playwright.sync_api import sync_playwright

    warnings.simplefilter("ignore")
    with serve() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for name, (file, act) in SCENES.items():
            if names and name not in names:
                continue
            document: Any
            if file.endswith(".scenario.json"):
                document = studio.open_scenario(file, recover_unsaved=False)
                editor = document.edit()
            else:
                document = studio.open_map(file, recover_unsaved=False)
                editor = MapEditor(document)
            page = browser.new_page(viewport=SIZE)
            view = EditorPage(page, editor, base, SIZE["width"] - 40)
            view.js("() => { document.querySelector('.wgs').style.height = '820px'; }")
            rest(view, 3500)
            act(view)
            page.locator(".wgs").screenshot(path=TARGET / f"{name}.png")
            print(TARGET / f"{name}.png")
            page.close()
            editor.close()


if __name__ == "__main__":
    main(sys.argv[1:])

"""The editor's own figures: the module in an empty page with a real widget behind it, and in a real JupyterLab."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.editor import MapEditor
from tests.benchmarks.editor_gauge import Frames, Wire, drag, heap, new_page, renderer, spread, wheel
from tests.browser.lab import LabPage, write_notebook
from tests.browser.page import STATIC, EditorPage

__all__ = ["Figures", "in_lab", "in_page", "open_cells"]

Figures = dict[str, float]

CLOSE = 30  # px a hex: a few hundred hexes on the screen, with their marks and numbers

WORK = "window.studio.stats.times.map(([, work]) => work)"

AT_ONCE = """async () => {
    const { view, store } = window.studio, { camera, grid } = view, found = [];
    const middle = grid.cellAt(...camera.toWorld(camera.width / 2, camera.height / 2));
    if (middle < 0 || grid.disk(middle, 6).length < 100) return [];
    const cells = grid.disk(middle, 6).slice(0, 100);
    for (let k = 0; k < 6; k++) {
        const id = store.terrainIds[(store.planes.terrain[middle] + 1) % store.terrainIds.length];
        const began = performance.now();
        store.apply({ op: 'batch', title: 'x', edits: [{ op: 'paint', plane: 'terrain', cells, values: [id] }] });
        found.push(await new Promise((done) => window.bench.painted((t) => done(t - began))));
        await new Promise((done) => setTimeout(done, 250));
    }
    return found;
}"""


class CountedPage(EditorPage):
    """An editor's page that counts what its widget says."""

    state = said = 0

    def _state(self) -> dict[str, Any]:
        found = super()._state()
        self.state = len(json.dumps(found["state"])) + sum(len(data) * 3 // 4 for _, data in found["buffers"])
        return found

    def _take(self) -> list[list[Any]]:
        taken = super()._take()
        self.said += sum(len(content) + sum(len(one) * 3 // 4 for one in buffers) for content, buffers in taken)
        return taken


def in_page(browser: Any, base: str, document: Any) -> Figures:
    """Measure one map in the page of the module."""
    started = time.perf_counter()
    editor = MapEditor(document)
    found: Figures = {"made": (time.perf_counter() - started) * 1000}
    page = new_page(browser)
    view = CountedPage(page, editor, base, width=1240)
    try:
        opened = page.evaluate("window.bench.opened")
        for name, key in (("first", "first"), ("exact", "exact"), ("last", "settled")):
            found[key] = opened[name] - opened["began"]
        found |= {"state": view.state / 1e6, "messages": view.said / 1e6}
        found["open"] = (STATIC / "editor.js").stat().st_size / 1e6 + found["state"] + found["messages"]
        found |= moving(view) | painting(view, document) | sighting(view)
        found |= {"heap": heap(page), "process": renderer()}
    finally:
        page.close()
        editor.close()
    return found


def _middle(page: Any) -> tuple[float, float]:
    box = page.locator(".wgs-area").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _close(view: Any) -> None:
    view.js(f"() => {{ const v = window.studio.view; v.fit(); v.zoom({CLOSE} * v.dpr / v.camera.scale); }}")
    view.page.wait_for_timeout(200)
    view.idle()


def _moving(view: Any, name: str, act: Callable[[], None]) -> Figures:
    view.js("window.studio.stats.times.length = 0")
    before, started = view.js("window.studio.frames"), time.perf_counter()
    with Frames(view.page) as frames:
        act()
    drawn = (view.js("window.studio.frames") - before) / (time.perf_counter() - started)
    work, most = spread(view.js(WORK))
    view.idle()
    found = {name: frames.rate, f"{name} slow": frames.slow, f"{name} work": work, f"{name} work 95": most}
    return {**found, f"{name} drawn": drawn}


def moving(view: Any) -> Figures:
    """Measure frames: pan of the whole map and of a close view, zoom."""
    page = view.page
    view.tool("pan")
    view.js("window.studio.view.fit()")
    page.wait_for_timeout(200)
    view.idle()
    x, y = _middle(page)
    found = _moving(view, "pan", lambda: drag(page, x, y))
    view.js("window.studio.view.fit()")
    page.wait_for_timeout(200)
    view.idle()
    found |= _moving(view, "zoom", lambda: wheel(page, x, y))
    _close(view)
    return found | _moving(view, "pan close", lambda: drag(page, x, y))


def _row(grid: Any, cell: int, direction: int, length: int) -> list[int]:
    found = [cell]
    while len(found) < length and (following := grid.neighbour(found[-1], direction)) is not None:
        found.append(following)
    return found


def painting(view: Any, document: Any, strokes: int = 6) -> Figures:
    """Measure strokes of 100 hexes by the brush of size 4, ten hexes far, and 100 hexes at once on the whole map."""
    page, grid = view.page, document.model.grid
    ids = list(document.model.terrain_ids)
    if len(ids) < 2 or not page.locator('[data-tool="brush"]').count():
        return {}
    _close(view)
    view.tool("brush")
    view.js("window.studio.view.set('brush', 4)")
    view.js(
        "window.bench.strokes(window.studio.view.frame.area); window.bench.moves = []; window.bench.painting = true"
    )
    x, y = (value / 2 for value in view.js("[window.studio.camera.width, window.studio.camera.height]"))
    middle = view.js("([x, y]) => window.studio.view.grid.cellAt(...window.studio.camera.toWorld(x, y))", [x, y])
    sent, said, work = view.bytes_out(), view.said, []
    for number in range(strokes):
        view.js("id => window.studio.view.set('terrain', id)", ids[number % 2])
        view.js("window.studio.stats.times.length = 0")
        cells = _row(grid, middle, number % 6, 10)
        page.mouse.move(*view.at(cells[0]))
        page.mouse.down()
        for cell in cells[1:]:
            page.mouse.move(*view.at(cell))
        page.mouse.up()
        work += view.js(WORK)
        view.idle()
    view.js("window.bench.painting = false")
    moves = view.js("window.bench.moves")
    done, most = spread([one for one, _ in moves])
    whole, whole_most = spread([one for _, one in moves])
    found = {"paint": done, "paint 95": most, "paint input": whole, "paint input 95": whole_most}
    found["paint work"], found["paint work 95"] = spread(work)
    found["stroke up"] = (view.bytes_out() - sent) / strokes
    found["stroke down"] = (view.said - said) / strokes
    view.js("window.studio.view.fit()")
    page.wait_for_timeout(200)
    view.idle()
    found["at once"], found["at once most"] = spread(view.js(AT_ONCE))
    view.idle()
    return found


def sighting(view: Any, moves: int = 40) -> Figures:
    """Measure live sight: a press in the middle, then moves of the pointer, each until its verdict is painted."""
    page, rng = view.page, random.Random(5)
    if not page.locator('[data-tool="sight"]').count():
        return {}
    _close(view)
    view.tool("sight")
    page.wait_for_selector(".wgs-facts")
    view.js("window.bench.sights(window.studio)")
    x, y = _middle(page)
    page.mouse.click(x, y)
    page.wait_for_timeout(300)
    for number in range(moves):
        page.mouse.move(x + rng.randrange(-250, 250), y + rng.randrange(-200, 200))
        page.wait_for_timeout(100 if number else 2000)
    verdicts = view.js("window.bench.verdicts")
    if not verdicts:
        return {}
    done, most = spread([one for one, _ in verdicts[1:]])
    page.keyboard.press("Escape")
    return {
        "sight first": verdicts[0][0],
        "sight": done,
        "sight 95": most,
        "sight input": spread([b for _, b in verdicts[1:]])[0],
    }


# -- in JupyterLab -----------------------------------------------------------------------------------------------------

OPEN = """import studio
m = studio.open_map("{file}", recover_unsaved=False)
ready = len(m.survey.directory.others)"""

# The messages of the kernel as they come, each with its time and whether it brings a picture.
LISTEN = """() => {
    const { bench } = window, { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session;
    bench.heard = [];
    kernel.anyMessage.connect((_, { msg, direction }) => {
        if (direction !== 'recv') return;
        const { content, buffers, header } = msg, data = content?.data?.content?.data;
        const image = header.msg_type === 'comm_msg' && !!buffers?.length && String(data).includes('binary');
        bench.heard.push([performance.now(), header.msg_type, image, image ? buffers[0].byteLength : 0]);
    });
}"""

# How long the kernel and what lies between take for an answer that needs no work.
ECHO = """async () => {
    const { kernel } = window.jupyterapp.shell.currentWidget.sessionContext.session, found = [];
    for (let k = 0; k < 20; k++) {
        const began = performance.now();
        await kernel.requestKernelInfo();
        found.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 80));
    }
    return found;
}"""

RUN = """async ([index]) => {
    const { content, sessionContext } = window.jupyterapp.shell.currentWidget;
    content.activeCellIndex = index;
    window.bench.ran = performance.now();
    window.bench.heard = [];
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""


def open_cells(lab: LabPage, root: Path, name: str, *cells: str) -> Wire:
    """Open a notebook that has a map in its first cell, run that, and listen to the kernel."""
    write_notebook(root / f"{name}.ipynb", OPEN.format(file="sample.map.json"), *cells)
    wire = Wire(lab.page)
    lab.open(f"{name}.ipynb")
    lab.page.evaluate(LISTEN)
    lab.page.evaluate(RUN, [0])
    assert lab.in_kernel("ready") == "0"
    wire.reset()
    return wire


def in_lab(browser: Any, base: str, root: Path) -> Figures:
    """Measure the map of the notebook's folder in JupyterLab."""
    lab = LabPage(new_page(browser), base)
    page = lab.page
    wire = open_cells(lab, root, "ours", "m.edit()")
    page.evaluate("() => { window.bench.opened = window.bench.open(); }")
    page.evaluate(RUN, [1])
    opened = page.evaluate("window.bench.opened")
    lab.ready()
    ran = page.evaluate("window.bench.ran")
    answered = page.evaluate("window.bench.heard.find(([, type]) => type === 'comm_open')[0]")
    found: Figures = {"lab run first": opened["first"] - ran, "lab run exact": opened["exact"] - ran}
    found |= {"lab first": opened["first"] - answered, "lab exact": opened["exact"] - answered}
    found |= {"lab settled": opened["last"] - answered, "lab wire": wire.received / 1e6}
    page.evaluate("() => { window.studio = document.querySelector('.wgs').__studio; }")
    view = _LabView(lab)
    wire.reset()
    moved = moving(view)
    found |= {f"lab {name}": value for name, value in moved.items()}
    found["lab pan wire"] = wire.received + wire.sent
    found |= {f"lab {name}": value for name, value in sighting(view).items()}
    found["lab echo"], found["lab echo 95"] = spread(page.evaluate(ECHO))
    found["lab heap"] = heap(page)
    page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    page.close()
    return found


class _LabView:
    """An editor in JupyterLab, as `EditorPage` shows one in a page."""

    def __init__(self, lab: LabPage) -> None:
        self.page, self.idle, self.tool = lab.page, lab.idle, lab.tool

    def js(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

"""The editor in a browser without a GPU: frames a second, first picture, strokes, bytes, size of the module.

Run as ``python -m tests.benchmarks.bench_editor``; it needs Chromium and prints one table. The page is the module with
a real widget behind it, without Jupyter in between.
"""

from __future__ import annotations

import random
import shutil
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from studio.editor import MapEditor
from studio.model import Put, SetSide
from tests.browser.lab import FLAGS
from tests.browser.page import STATIC, EditorPage, serve
from tests.editor.fake import FakeMap

SIZES = ((50, 40), (160, 125), (1024, 1024))

FRAMES = """async ([kind, ms]) => {
    const { view, camera } = window.studio, times = [];
    const start = performance.now();
    let last = start, n = 0;
    if (kind === 'still') return [];
    while (last - start < ms) {
        await new Promise((done) => requestAnimationFrame(done));
        const now = performance.now();
        times.push(now - last);
        last = now; n += 1;
        if (kind === 'pan') { const a = n / 25; view.pan(Math.cos(a) * 22, Math.sin(a) * 22); }
        if (kind === 'zoom') view.zoom(Math.floor(n / 40) % 2 ? 1.03 : 1 / 1.03);
        if (kind === 'hover') { view.hovered = null; view.stage.redraw(2); }
    }
    return times.slice(2);
}"""

# Slowest of some strokes: until it is painted into tiles, and the frame that then shows it.
STROKES = """async ([count, times]) => {
    const { view, store, stats } = window.studio, { camera, grid } = view, worst = [0, 0];
    const middle = grid.cellAt(...camera.toWorld(camera.width / 2, camera.height / 2));
    for (let k = 0; k < times; k++) {
        const cells = grid.disk(middle, 6).slice(0, count);
        const id = store.terrainIds[(store.planes.terrain[middle] + 1) % store.terrainIds.length];
        const start = performance.now(), edit = { op: 'paint', plane: 'terrain', cells, values: [id] };
        store.apply({ op: 'batch', title: 'x', edits: [edit] });
        worst[0] = Math.max(worst[0], performance.now() - start);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        worst[1] = Math.max(worst[1], stats.times[stats.times.length - 1][1]);
        await new Promise((done) => setTimeout(done, 250));
    }
    return worst;
}"""


def scatter(document: FakeMap, count: int) -> None:
    """Give a map woods, towns, hills, roads and names in proportion to its size."""
    rng, grid = random.Random(3), document.grid
    plane = document.model.terrain
    for _ in range(count):
        column, row = rng.randrange(grid.columns), rng.randrange(grid.rows)
        wide, high = rng.randrange(2, 9), rng.randrange(2, 9)
        plane[row : row + high, column : column + wide] = rng.randrange(len(document.terrain_ids))
        document.model.levels[row : row + high, column : column + wide] = rng.choice((0, 0, 1, 2))
    for number in range(min(300, count // 8)):
        cell = rng.randrange(grid.cells)
        path = [cell]
        direction = rng.randrange(6)
        for _ in range(rng.randrange(5, 30)):
            following = grid.neighbour(path[-1], direction if rng.random() < 0.8 else (direction + 1) % 6)
            if following is None or following in path:
                break
            path.append(following)
        labels = [document.labels.label(one) for one in path]
        document.apply(Put(collection="features", record={"kind": "road", "id": f"road-{number}", "path": labels}))
        record = {"kind": "name", "id": f"name-{number}", "text": f"Place {number}", "at": list(grid.centre(cell))}
        document.apply(Put(collection="features", record=record))
    kinds = list(document.ruleset.side_kinds)
    for _ in range(min(2000, count) if kinds else 0):
        cell = rng.randrange(grid.cells)
        other = grid.neighbour(cell, rng.randrange(6))
        if other is not None:
            document.apply(SetSide(a=cell, b=other, kinds=(kinds[0],)))


def frames(page: EditorPage, kind: str, ms: int = 2500) -> str:
    page.js("window.studio.stats.times.length = 0")
    times = sorted(page.js(FRAMES, [kind, ms]))
    work = sorted(entry[1] for entry in page.js("window.studio.stats.times"))
    mean, most = sum(times) / len(times), work[int(len(work) * 0.98)] if work else 0
    return f"{1000 / mean:.0f}/s, work {sum(work) / max(1, len(work)):.1f} ms (98 %: {most:.0f})"


def measure(browser: Any, base: str, columns: int, rows: int) -> dict[str, str]:
    document = FakeMap(columns, rows)
    scatter(document, columns * rows // 60)
    started = time.perf_counter()
    editor = MapEditor(document)
    made = time.perf_counter() - started
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    state, _, _ = editor.get_state(), None, None
    size = sum(len(v) if isinstance(v, str | bytes) else len(str(v)) for v in state.values())
    started = time.perf_counter()
    view = EditorPage(page, editor, base, width=1240)
    ready = time.perf_counter() - started
    row = {"hexes": f"{columns * rows:,}", "widget made": f"{made * 1000:.0f} ms", "to open": f"{size / 1e6:.2f} MB"}
    row["page to ready"] = f"{ready * 1000:.0f} ms"
    row["first picture"] = f"{view.js('window.studio.first'):.0f} ms"
    row["pan, whole map"] = frames(view, "pan")
    view.js("window.studio.view.fit()")
    row["zoom"] = frames(view, "zoom")
    view.js("() => { const v = window.studio.view; v.fit(); v.zoom(30 / v.camera.scale); }")
    view.idle()
    row["pan, 30 px a hex"] = frames(view, "pan")
    view.idle()
    row["hover"] = frames(view, "hover", 1000)
    view.idle()
    painted, drawn = view.js(STROKES, [91, 6])
    row["stroke of 91 hexes"] = f"{painted:.1f} ms + frame {drawn:.1f} ms"
    painted, drawn = view.js(STROKES, [1, 10])
    row["one hex"] = f"{painted:.1f} ms + frame {drawn:.1f} ms"
    view.idle()
    before = view.bytes_out()
    document_revision = document.revision
    view.js(STROKES, [37, 1])
    view.idle()
    row["bytes of that stroke"] = f"{view.bytes_out() - before:.0f}"
    assert document.revision == document_revision + 1
    page.close()
    return row


def main() -> int:
    chromium = shutil.which("chromium")
    if chromium is None:
        print("Chromium is not installed", file=sys.stderr)
        return 2
    print(f"module: {Path(STATIC / 'editor.js').stat().st_size:,} bytes")
    with serve() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        rows = [measure(browser, base, *size) for size in SIZES]
        browser.close()
    for name in rows[0]:
        print(f"{name:22}", *(f"{row[name]:>42}" for row in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())

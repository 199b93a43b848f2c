"""The editor's canvas and matplotlib draw one map alike: the same ground, marks, roads and heights, hex by hex."""

import base64
import functools
import http.server
import io
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import load_style
from studio.draw.picture import Picture
from studio.editor.protocol import document_state, planes_of

SOURCES = Path(__file__).parents[2] / "studio" / "editor" / "web" / "src"
HEX_PX = 48
STYLE = load_style("armageddon_war")

# Paints with the editor's own painters, as a tile does, on a store that was told a map and can tell nothing back.
PAINT = """async ([state, planes, scale]) => {
  const { Store } = await import("/store.js"), { TerrainPainter } = await import("/layers/terrain.js");
  const { FeaturePainter } = await import("/layers/features.js"), { Layers } = await import("/layers/layers.js");
  const told = { ...state, uid: "test" };
  for (const [name, bytes] of Object.entries(planes)) told[name] = new DataView(Uint8Array.from(bytes).buffer);
  const store = new Store({ get: (name) => told[name], set() {}, on() {}, off() {}, send() {}, save_changes() {} });
  const [x0, y0, x1, y1] = store.grid.bounds, layers = new Layers(), tile = 256;
  for (const id of ["number", "name"]) layers.set(id, { shown: false });
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((x1 - x0) * scale);
  canvas.height = Math.round((y1 - y0) * scale);
  const ctx = canvas.getContext("2d"), left = Math.round(x0 * scale), top = Math.round(y0 * scale);
  for (let j = Math.floor(top / tile); j * tile < y1 * scale; j++) {
    for (let i = Math.floor(left / tile); i * tile < x1 * scale; i++) {
      const part = new OffscreenCanvas(tile, tile), pen = part.getContext("2d");
      pen.translate(-i * tile, -j * tile);
      const box = [i, j, i + 1, j + 1].map((n) => (n * tile) / scale);
      for (const Painter of [TerrainPainter, FeaturePainter]) {
        for (const _ of new Painter(store, layers).paint(pen, box, scale)) { /* to the end */ }
      }
      ctx.drawImage(part, i * tile - left, j * tile - top);
    }
  }
  return canvas.toDataURL("image/png").split(",")[1];
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            if self.path in ("/", "/favicon.ico"):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
            else:
                super().do_GET()

    handler = functools.partial(Quiet, directory=str(SOURCES))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def country(**options: Any) -> Any:
    made = studio.new_map("armageddon_war", columns=14, rows=12, half=("top", "bottom", "left", "right"), **options)
    label = made.labels.label
    for n, name in enumerate(name for name in STYLE.terrain if name not in ("clear", "river", "wadi")):
        spot = made.grid.cell(1 + 2 * (n % 5), 1 + 3 * (n // 5))
        made.paint([label(cell) for cell in [spot, *made.grid.neighbours(spot)[:3]]], terrain=name)
    made.paint([label(made.grid.cell(4, row)) for row in range(12)], terrain="river")
    made.paint([label(made.grid.cell(7, row)) for row in range(7, 12)], terrain="wadi")
    made.paint([label(cell) for cell in made.grid.within(made.grid.cell(11, 8), 1)], level=1)
    made.add({"kind": "road", "path": [label(cell) for cell in straight(made.grid, made.grid.cell(0, 3))]})
    return made


def straight(grid: Any, cell: int) -> list[int]:
    """Cells eastwards to the edge of the map."""
    path, turn = [cell], 0
    while (after := grid.neighbour(path[-1], (1, 2)[turn % 2])) is not None:
        path.append(after)
        turn += 1
    return path


@pytest.mark.browser
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_canvas_and_matplotlib_agree(address: str, chromium: str, orientation: str) -> None:
    from PIL import Image
    from playwright.sync_api import sync_playwright

    made = country(orientation=orientation)
    model, grid = made.model, made.grid
    planes = {name: list(data) for name, data in planes_of(made).items()}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        answer = page.evaluate(PAINT, [document_state(made), planes, HEX_PX])
        browser.close()
    with Image.open(io.BytesIO(base64.b64decode(answer))) as opened:
        theirs = np.asarray(opened.convert("RGB")).astype(float)
    high, wide = theirs.shape[:2]

    picture = Picture(model, STYLE, hex_px=HEX_PX)
    picture.ground(labels=False, frame=False)
    picture.figure.canvas.draw()
    image = np.asarray(picture.figure.canvas.buffer_rgba())[..., :3].astype(float)
    left, top = (round(v) for v in picture.ax.transAxes.transform((0, 1)))
    top = image.shape[0] - top
    ours = image[top : top + high, left : left + wide]
    assert ours.shape == theirs.shape

    worst = {}
    for cell in range(grid.cells):
        x, y = np.array(grid.to_map(*grid.centre(cell))) - grid.to_map(*grid.frame[:2])
        box = (
            slice(max(0, int((y - 0.4) * HEX_PX)), int((y + 0.4) * HEX_PX)),
            slice(max(0, int((x - 0.4) * HEX_PX)), int((x + 0.4) * HEX_PX)),
        )
        if ours[box].size:
            worst[made.labels.label(cell)] = float(
                np.abs(ours[box].mean(axis=(0, 1)) - theirs[box].mean(axis=(0, 1))).max()
            )
    # Mean colour of each hex, of 255.
    assert max(worst.values()) < 14, sorted(worst.items(), key=lambda item: -item[1])[:5]
    assert np.mean(list(worst.values())) < 4

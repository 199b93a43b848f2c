"""The editor's canvas and matplotlib draw one map alike: the same ground, marks, roads and heights, hex by hex."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import load_style
from studio.draw.picture import Picture
from studio.draw.subject import end_bits, kind_of, road_bits, roads_of

SOURCES = Path(__file__).parents[2] / "studio" / "editor" / "web" / "src"
HEX_PX = 48
STYLE = load_style("armageddon_war")

PAINT = """async ([d, scale]) => {
  const look = await import("/look.js"), heights = await import("/heights.js"), ways = await import("/ways.js");
  const { Grid } = await import("/grid.js");
  const grid = new Grid(d.geometry), style = d.style, at = (cell) => d.ids[d.terrain[cell]];
  const [x0, y0, x1, y1] = grid.bounds;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((x1 - x0) * scale);
  canvas.height = Math.round((y1 - y0) * scale);
  const ctx = canvas.getContext("2d"), px = ([x, y]) => [(x - x0) * scale, (y - y0) * scale];
  const home = () => ctx.setTransform(1, 0, 0, 1, 0, 0);
  const path = new Path2D();
  grid.shape.forEach(([x, y], i) => path[i ? "lineTo" : "moveTo"](x * scale * 1.01, y * scale * 1.01));
  path.closePath();
  for (let cell = 0; cell < grid.size; cell++) {
    ctx.setTransform(1, 0, 0, 1, ...px(grid.centre(cell)));
    look.drawHexFill(ctx, style, at(cell), 0, path, scale);
  }
  ctx.setTransform(1, 0, 0, 1, -x0 * scale, -y0 * scale);
  const rings = heights.levelRings(style, grid, d.levels, at);
  heights.drawLevels(ctx, style, rings, scale);
  home();
  for (let cell = 0; cell < grid.size; cell++) {
    const around = grid.around(cell).map((n) => (n < 0 ? null : at(n)));
    const options = { roads: d.roads[cell] || 0, ends: d.ends[cell] || 0, pointy: !grid.flat };
    options.level = d.levels[cell];
    const size = [...px(grid.centre(cell)), grid.w * scale, scale];
    look.drawHexMarks(ctx, style, at(cell), grid.col(cell), grid.row(cell), ...size, around, options);
  }
  ctx.setTransform(1, 0, 0, 1, -x0 * scale, -y0 * scale);
  heights.drawRelief(ctx, style, grid, d.levels, at, grid.bounds, scale);
  heights.drawContours(ctx, style, rings, scale);
  home();
  const decks = d.paths.flatMap((road) => ways.bridges(style, grid, road.cells, at));
  for (const [p, q] of decks) look.drawBridge(ctx, style, px(p), px(q), scale);
  const roads = d.paths.map(({ surface, cells }) => ({ surface, points: ways.roadLine(grid, cells).map(px) }));
  look.drawRoads(ctx, style, roads, scale);
  const size = [canvas.width, canvas.height];
  return { size, pixels: Array.from(ctx.getImageData(0, 0, ...size).data) };
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
    made = studio.new_map("armageddon_war", columns=10, rows=9, half=("top", "bottom", "left", "right"), **options)
    label = made.labels.label
    for n, name in enumerate(name for name in STYLE.terrain if name not in ("clear", "river", "wadi")):
        spot = made.grid.cell(1 + 2 * (n % 5), 1 + 3 * (n // 5))
        made.paint([label(cell) for cell in [spot, *made.grid.neighbours(spot)[:3]]], terrain=name)
    made.paint([label(made.grid.cell(4, row)) for row in range(9)], terrain="river")
    made.paint([label(made.grid.cell(7, row)) for row in range(6, 9)], terrain="wadi")
    made.paint([label(cell) for cell in made.grid.within(made.grid.cell(2, 6), 1)], level=1)
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
    from playwright.sync_api import sync_playwright

    made = country(orientation=orientation)
    model, grid = made.model, made.grid
    order = (0, 1, 2, 3, 4, 5) if orientation == "flat" else (4, 3, 2, 1, 0, 5)

    def turned(bits: dict[int, int]) -> dict[str, int]:
        return {str(c): sum(1 << order[i] for i in range(6) if b >> i & 1) for c, b in bits.items()}

    data = {
        "style": STYLE.to_dict(),
        "geometry": {
            "columns": grid.columns,
            "rows": grid.rows,
            "orientation": grid.orientation,
            "stagger": grid.stagger,
            "hex_width": grid.width,
            "hex_height": grid.hex_height,
            "frame": list(grid.frame),
            "half": list(grid.half),
        },
        "ids": model.terrain_ids,
        "terrain": model.terrain.ravel().tolist(),
        "levels": model.levels.ravel().tolist(),
        "roads": turned(road_bits(model)),
        "ends": turned(end_bits(model)),
        "paths": [{"surface": f.surface, "cells": cells} for f, cells in roads_of(model)],
    }
    assert {kind_of(f) for f in model.features.values()} == {"road"}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        answer = page.evaluate(PAINT, [data, HEX_PX])
        browser.close()
    wide, high = answer["size"]
    theirs = np.array(answer["pixels"], dtype=float).reshape(high, wide, 4)[..., :3]

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
    # Mean colour of each hex, of 255; the hex outlines are ours alone here.
    assert max(worst.values()) < 14, sorted(worst.items(), key=lambda item: -item[1])[:5]
    assert np.mean(list(worst.values())) < 4

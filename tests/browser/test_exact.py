"""What lies under the pointer, to the pixel: in every layout, at several zooms and densities of the screen."""

from __future__ import annotations

import pytest

from tests.editor.fake import FakeMap

pytestmark = pytest.mark.browser

CORNERS = """cell => {
  const { view } = window.studio, box = view.frame.area.getBoundingClientRect();
  const screen = (p) => view.camera.toScreen(...p), [cx, cy] = screen(view.grid.centre(cell));
  return view.grid.corners(cell).map(screen).map(([x, y]) => {
    const far = Math.hypot(cx - x, cy - y);
    return [box.left + (x + (cx - x) / far) / view.dpr, box.top + (y + (cy - y) / far) / view.dpr];
  });
}"""
LAYOUTS = {
    "flat": {"orientation": "flat"},
    "flat low": {"orientation": "flat", "stagger": "even"},
    "pointy": {"orientation": "pointy"},
    "pointy low": {"orientation": "pointy", "stagger": "even"},
    "half hexes": {"half": ("top", "left", "bottom", "right")},
    "squashed": {"hex_width": 71.45, "hex_height": 48.0},
    "pointy, tall": {"orientation": "pointy", "hex_width": 40.0, "hex_height": 61.85},
}

# Points one pixel of the screen inside each corner of every hex: [hex expected, hex found, x, y on the lattice].
INSIDE = """scale => {
  const { view } = window.studio, { grid, camera, dpr } = view, found = [];
  const box = view.frame.area.getBoundingClientRect();
  view.zoom((scale * dpr) / camera.scale);
  for (let cell = 0; cell < grid.size; cell++) {
    if (!grid.has(cell)) continue;
    const [cx, cy] = camera.toScreen(...grid.centre(cell));
    for (const corner of grid.corners(cell)) {
      let [x, y] = camera.toScreen(...corner);
      const far = Math.hypot(cx - x, cy - y);
      x += ((cx - x) / far) * dpr;
      y += ((cy - y) / far) * dpr;
      const [u, v] = camera.toWorld(x, y), [x0, y0, x1, y1] = grid.bounds;
      if (u <= x0 || v <= y0 || u >= x1 || v >= y1) continue;
      const e = view.event({ clientX: box.left + x / dpr, clientY: box.top + y / dpr });
      found.push([cell, e.cell, u / grid.kx, v / grid.ky]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("density", [1, 1.5, 2])
@pytest.mark.parametrize("name", LAYOUTS)
def test_one_pixel_inside_each_corner_is_the_hex(name, density, editor_page):
    document = FakeMap(9, 8, **LAYOUTS[name])
    view = editor_page(document, device_scale_factor=density)
    for scale in (17, 33.3, 64, 150):
        found = view.js(INSIDE, scale)
        assert len(found) > 300
        wrong = [entry for entry in found if entry[0] != entry[1]]
        assert not wrong, (scale, wrong[:3])
        # The same hexes as Python finds at the same places.
        points = document.grid.cells_at([[x, y] for *_, x, y in found]).tolist()
        assert points == [cell for cell, *_ in found]


@pytest.mark.parametrize("name", ["flat", "pointy", "half hexes"])
def test_the_pointer_itself_finds_0303_at_each_corner(name, editor_page):
    document = FakeMap(9, 8, **LAYOUTS[name])
    view = editor_page(document)
    cell = document.labels.cell("0303")
    corners = view.js(CORNERS, cell)
    for x, y in corners:
        view.page.mouse.move(x, y)
        assert view.page.inner_text(".wgs-label") == "0303"

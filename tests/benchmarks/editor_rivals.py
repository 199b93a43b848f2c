"""What the editor is measured against: `geopandas.explore` (folium, Leaflet), and matplotlib's canvas in JupyterLab."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.editor_gauge import Frames, drag, heap, new_page, renderer, wheel
from tests.benchmarks.editor_ours import RUN, Figures, open_cells
from tests.browser.lab import LabPage

__all__ = ["explore", "explore_page", "on_canvas"]

_NPM = re.compile(r"/npm/((?:@[^/]+/)?[^/@]+)@([\d.]+)/(.+)$")
_JQUERY = re.compile(r"/jquery-([\d.]+)\.min\.js$")
_CACHE = Path(tempfile.gettempdir()) / "studio-bench-npm"
_USED = ("leaflet", "jquery", "bootstrap")
"""What a map of polygons needs; fonts and symbols of markers are answered with nothing."""

SHAPES = """count => new Promise((done, fail) => {
    setTimeout(() => fail(new Error('the map does not show')), 120000);
    requestAnimationFrame(function look() {
        const map = Object.values(window).find((one) => one && window.L && one instanceof L.Map);
        let n = 0;
        map?.eachLayer((layer) => { n += layer instanceof L.Path ? 1 : 0; });
        const drawn = map?.options.preferCanvas ? !!document.querySelector('.leaflet-overlay-pane canvas')
            : document.querySelectorAll('path.leaflet-interactive').length >= count;
        if (n >= count && drawn) { window.bench.painted((t) => { window.theirs = map; done(t); }); return; }
        requestAnimationFrame(look);
    });
})"""


def _packed(name: str, version: str, file: str) -> bytes:
    """Return a file of a package of npm, which is fetched once."""
    _CACHE.mkdir(exist_ok=True)
    archive = _CACHE / f"{name.replace('/', '-').lstrip('@')}-{version}.tgz"
    if not archive.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise OSError("npm is not installed")
        command = [npm, "pack", f"{name}@{version}", "--silent", "--pack-destination", str(_CACHE)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    with tarfile.open(archive) as packed:
        member = packed.extractfile(f"package/{file}")
        assert member is not None
        return member.read()


def _serve(route: Any) -> None:
    url = route.request.url
    found, jquery = _NPM.search(url), _JQUERY.search(url)
    name, version, file = found.groups() if found is not None else ("", "", "")
    if jquery is not None:
        name, version, file = "jquery", jquery[1], "dist/jquery.min.js"
    kind = "text/css" if url.endswith(".css") else "text/javascript"
    route.fulfill(body=_packed(name, version, file) if name in _USED else b"", content_type=kind)


def explore(document: Any, **options: Any) -> tuple[str, float]:
    """Return the page that `geopandas.explore` makes of the terrain of a map, and the ms that it took."""
    table = document.locations[["terrain", "geometry"]]
    start = time.perf_counter()
    made = table.explore("terrain", **options)
    stream = io.BytesIO()
    made.save(stream, close_file=False)
    return stream.getvalue().decode(), (time.perf_counter() - start) * 1000


def explore_page(browser: Any, html: str, count: int) -> Figures:
    """Measure that page: the first picture, pan, zoom, memory.

    Raises
    ------
    OSError
        When npm does not give the libraries that the page asks for.
    """
    for name, version in (("leaflet", "1.9.3"), ("jquery", "3.7.1")):
        _packed(name, version, "package.json")
    page = new_page(browser)
    page.route(re.compile("^https?:"), _serve)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "map.html"
        file.write_text(html)
        page.goto(file.as_uri(), wait_until="commit")
        found: Figures = {"first": page.evaluate(SHAPES, count)}
        page.wait_for_timeout(1000)
        with Frames(page) as frames:
            drag(page, 640, 400)
        found |= {"pan": frames.rate, "pan slow": frames.slow}
        assert page.evaluate("window.theirs.getPanes().mapPane.style.transform || window.theirs._mapPane._leaflet_pos")
        page.wait_for_timeout(1000)
        with Frames(page) as frames:
            wheel(page, 640, 400)
        found |= {"zoom": frames.rate, "zoom slow": frames.slow}
        page.wait_for_timeout(1000)
        found |= {"heap": heap(page), "process": renderer()}
    page.close()
    return found


CANVAS = """%matplotlib widget
from matplotlib import pyplot as plt
figure, axes = plt.subplots(figsize=(9, 6), layout="constrained")
m.plot(ax=axes);"""

IMAGES = "window.bench.heard.filter(([, , image]) => image)"


def _still(page: Any, most: float = 60) -> None:
    """Wait until no picture has come for three seconds."""
    end, before = time.perf_counter() + most, -1
    while time.perf_counter() < end:
        now = page.evaluate(f"{IMAGES}.length")
        if now == before:
            return
        before = now
        page.wait_for_timeout(3000)


def on_canvas(browser: Any, base: str, root: Path) -> Figures:
    """Measure matplotlib's interactive canvas with the map of the notebook's folder."""
    lab = LabPage(new_page(browser), base)
    page = lab.page
    wire = open_cells(lab, root, "theirs", CANVAS)
    page.evaluate(RUN, [1])
    page.wait_for_function(f"{IMAGES}.length > 0", timeout=180_000)
    page.wait_for_selector(".jupyter-matplotlib-canvas-div canvas")
    _still(page)
    # The last of the pictures that make the first one: an empty canvas may come before it.
    pictures = page.evaluate(IMAGES)
    found: Figures = {"run first": pictures[0][0] - page.evaluate("window.bench.ran")}
    biggest = max(pictures, key=lambda one: one[3])
    found |= {"run exact": biggest[0] - page.evaluate("window.bench.ran"), "wire": wire.received / 1e6}
    lab.execute("figure.canvas.toolbar.pan()")
    canvas = page.locator(".jupyter-matplotlib-canvas-div canvas").last
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for name, button in (("pan", "left"), ("zoom", "right")):
        wire.reset()
        page.evaluate("() => { window.bench.heard = []; window.bench.ran = performance.now(); }")
        drag(page, x, y, button=button, reach=150)
        stopped = page.evaluate("performance.now() - window.bench.ran")
        _still(page)
        times = [one[0] - page.evaluate("window.bench.ran") for one in page.evaluate(IMAGES)]
        within = [one for one in times if one <= stopped]
        found[name] = 1000 * len(times) / max([*times, stopped])
        found |= {f"{name} within": float(len(within)), f"{name} pictures": float(len(times))}
        found |= {f"{name} wire": float(wire.received + wire.sent), f"{name} lag": max([*times, stopped]) - stopped}
    page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
    page.close()
    return found

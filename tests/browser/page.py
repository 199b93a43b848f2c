"""The editor's module in an empty page, with a model that talks to a real widget in this process.

No Jupyter is needed: the page gets the widget's state, what it sends is handed to the widget, and what the widget sends
is delivered to the page, buffers included.
"""

from __future__ import annotations

import base64
import collections
import contextlib
import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ipywidgets.widgets.widget import _remove_buffers

STATIC = Path(__file__).parents[2] / "studio" / "editor" / "static"

PAGE = """<!doctype html><meta charset="utf-8"><title>editor</title>
<style>html, body { margin: 0; background: #fff } #out { width: WIDTHpx }</style><div id="out"></div>
<script type="module">
import editor from "/editor.js";
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (view) => {
  const all = view instanceof ArrayBuffer ? new Uint8Array(view)
    : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  let out = "";
  for (let i = 0; i < all.length; i += 32768) out += String.fromCharCode(...all.subarray(i, i + 32768));
  return btoa(out);
};
// As those of Lumino, by which JupyterLab tells what its kernel does.
const signal = () => {
  const slots = new Set();
  return {
    connect: (f) => slots.add(f), disconnect: (f) => slots.delete(f),
    emit: (...about) => slots.forEach((f) => f(null, ...about)),
  };
};
class Model {
  constructor(state) {
    Object.assign(this, { state, heard: {}, sent: [], received: 0 });
    const kernel = { status: "idle", isDisposed: false, statusChanged: signal(), disposed: signal() };
    if (window.withKernel) this.widget_manager = { kernel };
  }
  get(name) { return this.state[name]; }
  set() {} save_changes() {}
  on(name, f) { (this.heard[name] ||= []).push(f); }
  off(name, f) { this.heard[name] = (this.heard[name] || []).filter((g) => g !== f); }
  trigger(name, ...about) { for (const f of [...(this.heard[name] || [])]) f(...about); }
  send(content, callbacks, buffers) {
    const packed = (buffers || []).map(text);
    const size = JSON.stringify(content).length + packed.reduce((n, b) => n + b.length * 0.75, 0);
    this.sent.push({ content, size });
    this.out = (this.out || Promise.resolve())
      .then(() => window.toPython(JSON.stringify(content), packed))
      .then((answers) => { for (const a of answers) this.deliver(a); });
  }
  deliver([content, buffers]) {
    this.received += 1;
    const views = buffers.map((b) => new DataView(bytes(b).buffer));
    this.trigger("msg:custom", JSON.parse(content), views);
  }
}
window.start = async () => {
  const { state, buffers } = await window.stateOf();
  for (const [name, data] of buffers) state[name] = new DataView(bytes(data).buffer);
  window.model = new Model(state);
  window.stop1 = await editor.initialize({ model: window.model });
  window.stop2 = await editor.render({ model: window.model, el: document.getElementById("out") });
  window.studio = document.querySelector(".wgs").__studio;
  // What Python sends of its own accord, in the order of everything else.
  setInterval(() => {
    if (window.deaf) return;
    const m = window.model;
    const deliver = (some) => { for (const a of some) m.deliver(a); };
    m.out = (m.out || Promise.resolve()).then(() => window.fromPython()).then(deliver);
  }, 50);
};
window.second = async () => {
  const el = document.createElement("div"); document.body.append(el);
  await editor.render({ model: window.model, el });
};
window.loaded = true;
</script>"""


class EditorPage:
    """One editor in one page.

    Parameters
    ----------
    page : playwright page
    editor : MapEditor
    base : str
        Address of the server of `serve`.
    width : int
        Width of the editor in pixels.
    kernel : bool
        Whether the page shows its widgets the kernel, as JupyterLab does.
    """

    def __init__(self, page: Any, editor: Any, base: str, width: int = 1000, kernel: bool = False) -> None:
        self.page, self.editor = page, editor
        # Threads of the widget send as well: nothing may be lost between two looks.
        self.outbox: collections.deque[tuple[Any, list[Any]]] = collections.deque()
        editor.send = lambda content, buffers=None: self.outbox.append((content, list(buffers or [])))
        page.expose_function("stateOf", self._state)
        page.expose_function("toPython", self._receive)
        page.expose_function("fromPython", self._take)
        page.goto(f"{base}/page-{width}.html")
        page.wait_for_function("window.loaded")
        page.evaluate("kernel => { window.withKernel = kernel; return window.start(); }", kernel)
        self.ready()

    def _state(self) -> dict[str, Any]:
        state, paths, buffers = _remove_buffers(self.editor.get_state())
        keep = {name: value for name, value in state.items() if not name.startswith("_") and name != "layout"}
        packed = [[path[0], base64.b64encode(buffer).decode()] for path, buffer in zip(paths, buffers, strict=True)]
        return json.loads(json.dumps({"state": keep, "buffers": packed}))

    def _receive(self, content: str, buffers: list[str]) -> list[list[Any]]:
        self.editor._on_message(self.editor, json.loads(content), [base64.b64decode(data) for data in buffers])
        return self._take()

    def _take(self) -> list[list[Any]]:
        taken = [self.outbox.popleft() for _ in range(len(self.outbox))]
        return [[json.dumps(content), [base64.b64encode(b).decode() for b in buffers]] for content, buffers in taken]

    def push(self) -> None:
        """Deliver what Python sent of its own accord."""
        for message in self._take():
            self.page.evaluate("message => window.model.deliver(message)", message)

    def ready(self) -> None:
        self.page.wait_for_selector('.wgs[data-ready="1"]', timeout=30_000)
        self.idle()

    def idle(self) -> None:
        """Wait until nothing is on its way and nothing is left to draw."""
        self.page.wait_for_function("window.studio.idle", timeout=30_000)

    def js(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

    def at(self, cell: int) -> tuple[float, float]:
        place = self.js("cell => window.studio.hexToScreen(cell)", cell)
        return place["x"], place["y"]

    def click(self, cell: int, **options: Any) -> None:
        self.page.mouse.click(*self.at(cell), **options)

    def drag(self, *cells: int, steps: int = 6) -> None:
        self.page.mouse.move(*self.at(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.at(cell), steps=steps)
        self.page.mouse.up()

    def key(self, keys: str) -> None:
        self.page.keyboard.press(keys)

    def tool(self, name: str) -> None:
        self.page.click(f'[data-tool="{name}"]')
        self.loaded()

    def loaded(self) -> None:
        """Wait until a tool that comes in a part of its own is there."""
        self.page.wait_for_function("!window.studio.view.tool.stub", timeout=30_000)

    def pixel(self, layer: int, cell: int, dx: float = 0, dy: float = 0) -> list[int]:
        x, y = self.at(cell)
        found: list[int] = self.js("([l, x, y]) => window.studio.pixel(l, x, y)", [layer, x + dx, y + dy])
        return found

    def bytes_out(self) -> int:
        return int(self.js("window.model.sent.reduce((n, m) => n + m.size, 0)"))


class _Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.startswith("/page-"):
            body = PAGE.replace("WIDTH", self.path.split("-")[1].split(".")[0]).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """Serve the bundle and the page on loopback."""
    handler = functools.partial(_Handler, directory=str(STATIC))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()

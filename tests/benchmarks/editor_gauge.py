"""What the editor's figures are measured with: a browser, pointers that move by the clock, and a watch in the page.

A frame counts when the page's main thread came to draw it. A thing counts as shown when the frame that draws it has
been painted: a message that is posted in a frame is heard after its painting.
"""

from __future__ import annotations

import contextlib
import itertools
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

from tests.browser.lab import FLAGS

__all__ = ["SIZE", "WATCH", "Frames", "Wire", "drag", "heap", "launch", "new_page", "renderer", "spread", "wheel"]

SIZE = {"width": 1280, "height": 800}

WATCH = """(() => {
    const bench = (window.bench = { moves: [], verdicts: [] }), { port1, port2 } = new MessageChannel();
    let waiting = [], ticking = 0;
    port1.onmessage = () => {
        const now = performance.now(), some = waiting;
        waiting = [];
        some.forEach((f) => f(now));
    };
    // Calls back when the next frame has been painted.
    bench.painted = (f) => requestAnimationFrame(() => { waiting.push(f); port2.postMessage(0); });
    bench.start = () => {
        const run = (ticking += 1);
        bench.ticks = [];
        requestAnimationFrame(function tick(t) {
            bench.ticks.push(t);
            if (run === ticking) requestAnimationFrame(tick);
        });
    };
    bench.stop = () => { ticking += 1; return bench.ticks; };
    // When the editor shows something, when all is exact, and when nothing has been drawn any more for half a second.
    bench.open = () => new Promise((done) => {
        const found = { began: performance.now() };
        requestAnimationFrame(function look() {
            const host = document.querySelector('.wgs'), studio = host?.__studio, now = performance.now();
            if (studio?.stats.frames) {
                if (!found.frames) bench.painted((t) => (found.first = t));
                if (studio.stats.frames !== found.frames) {
                    found.frames = studio.stats.frames;
                    bench.painted((t) => (found.last = t));
                }
                if (host.dataset.ready) found.exact ||= now;
                const still = found.exact && studio.idle && studio.stage.layers.paint;
                if (still && now - found.last > 500) { done(found); return; }
            }
            requestAnimationFrame(look);
        });
    });
    // The setting of the model is the last thing before the editor's own code runs.
    let model;
    Object.defineProperty(window, 'model', {
        get: () => model,
        set: (value) => { model = value; bench.opened = bench.open(); },
    });
    // A move of the pointer while a button is down: its work, and until the frame with it is painted.
    bench.strokes = (area) => area.addEventListener('pointermove', (ev) => {
        if (!ev.buttons || !bench.painting) return;
        const began = performance.now();
        bench.painted((t) => bench.moves.push([t - began, t - ev.timeStamp]));
    }, true);
    // A move of the pointer with the sight tool, until the verdict is painted.
    bench.sights = ({ view, store }) => {
        let moved = null;
        view.frame.area.addEventListener('pointermove', (ev) => {
            moved = { began: performance.now(), stamp: ev.timeStamp };
        }, true);
        store.on('sight', () => {
            const tool = view.tools.get('sight'), asked = moved;
            if (!asked || !tool.result || tool.result.to !== tool.b?.label) return;
            moved = null;
            bench.painted((t) => bench.verdicts.push([t - asked.began, t - asked.stamp]));
        });
    };
})();"""


@contextlib.contextmanager
def launch(playwright: Any, chromium: str) -> Iterator[Any]:
    """Start a browser of its own, so that the memory of one measurement is not that of another."""
    browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, "--enable-precise-memory-info"])
    try:
        yield browser
    finally:
        browser.close()


def new_page(browser: Any) -> Any:
    """Return a page with the watch in it."""
    page = browser.new_page(viewport=SIZE)
    page.add_init_script(WATCH)
    return page


class Frames:
    """Counts frames: ``with Frames(page) as frames: …``, then `rate` and `slow`.

    Attributes
    ----------
    rate : float
        Frames a second.
    slow : float
        The interval in ms that one frame in twenty exceeds.
    """

    def __init__(self, page: Any) -> None:
        self.page, self.rate, self.slow = page, 0.0, 0.0

    def __enter__(self) -> Frames:
        self.page.evaluate("window.bench.start()")
        return self

    def __exit__(self, *_: object) -> None:
        ticks = self.page.evaluate("window.bench.stop()")
        gaps = sorted(b - a for a, b in itertools.pairwise(ticks))
        if gaps:
            self.rate, self.slow = 1000 * len(gaps) / sum(gaps), gaps[int(len(gaps) * 0.95)]


def _sway(seconds: float, reach: float) -> float:
    """Return how far a hand that goes to and fro has come, from -reach to reach."""
    phase = (seconds * 600 / reach + 1) % 4
    return reach * (phase - 1 if phase < 2 else 3 - phase)


def drag(page: Any, x: float, y: float, seconds: float = 2, button: str = "left", reach: float = 300) -> None:
    """Hold a button and move to and fro, 600 px a second, as many moves as the page takes."""
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    start = time.perf_counter()
    while (gone := time.perf_counter() - start) < seconds:
        page.mouse.move(x + _sway(gone, reach), y + _sway(gone, reach) * 0.4)
    page.mouse.up(button=button)


def wheel(page: Any, x: float, y: float, seconds: float = 2, notch: float = 60, pause: float = 0.03) -> None:
    """Turn the wheel, a second one way and a second the other, a notch every 30 ms."""
    page.mouse.move(x, y)
    start, turned = time.perf_counter(), 0
    while (gone := time.perf_counter() - start) < seconds:
        if gone >= turned * pause:
            turned += 1
            page.mouse.wheel(0, -notch if int(gone) % 2 == 0 else notch)
        else:
            time.sleep(0.002)


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the median and the value that one in twenty exceeds."""
    ordered = sorted(values)
    if not ordered:
        return float("nan"), float("nan")
    return statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]


def heap(page: Any) -> float:
    """Return the JavaScript heap in MB, once what is not needed has been collected."""
    page.request_gc()
    return float(page.evaluate("performance.memory.usedJSHeapSize")) / 1e6


def renderer() -> float:
    """Return the memory of the process that draws the page in MB: the one that takes most."""
    taken = [0.0]
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "--type=renderer" in process.cmdline():
                taken.append(process.memory_full_info().uss / 1e6)
    return max(taken)


class Wire:
    """Counts the bytes of a page's websockets, both ways, as they come out of the frames."""

    def __init__(self, page: Any) -> None:
        self.received = self.sent = self.images = 0
        session = page.context.new_cdp_session(page)
        session.on("Network.webSocketFrameReceived", lambda about: self._note(about, "received"))
        session.on("Network.webSocketFrameSent", lambda about: self._note(about, "sent"))
        session.send("Network.enable")

    def _note(self, about: dict[str, Any], way: str) -> None:
        frame = about["response"]
        data = frame["payloadData"]
        setattr(self, way, getattr(self, way) + (len(data) * 3 // 4 if frame["opcode"] == 2 else len(data)))

    def reset(self) -> None:
        """Begin to count anew."""
        self.received = self.sent = 0

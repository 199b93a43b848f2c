"""The editor in a browser without a GPU, beside two other ways to look at the same map; one table with ratios.

Run as ``python -m tests.benchmarks.bench_editor [runs]``; it needs Chromium. The page is the module with a real widget
behind it, without Jupyter in between; then the same map in a real JupyterLab, in `geopandas.explore`, and on the
interactive canvas of matplotlib. Pointer and wheel are real input. Nothing is asserted about time: the bars stand
beside the figures.
"""

from __future__ import annotations

import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

__all__ = ["main"]

LARGE = "20 000"
CASES = {"2 000": (50, 40), LARGE: (160, 125), "1 M": (1024, 1024)}
SHIPPED = ("phantom-fury", "urban-1")
MAPS = Path(__file__).parents[2] / "maps"

ROWS = (
    ("made", "widget made in Python", "ms", ""),
    ("state", "state that a page gets", "MB", ""),
    ("messages", "messages until it is still (parts, ink)", "MB", ""),
    ("open", "both, and the module", "MB", "20 000: <= 1"),
    ("first", "first picture (flat tints)", "ms", "20 000: < 1000"),
    ("exact", "first exact picture", "ms", "20 000: < 1000"),
    ("settled", "nothing left to draw, ink too", "ms", ""),
    ("pan", "pan, whole map", "/s", "60; 1 M: >= 30"),
    ("pan drawn", "  of them drawn by the editor", "/s", ""),
    ("pan slow", "  an interval in twenty is longer than", "ms", ""),
    ("pan work", "  work a frame", "ms", ""),
    ("pan work 95", "  work of a frame in twenty, at least", "ms", ""),
    ("pan close", "pan, 30 px a hex", "/s", "60; 1 M: >= 30"),
    ("pan close drawn", "  of them drawn by the editor", "/s", ""),
    ("pan close slow", "  an interval in twenty is longer than", "ms", ""),
    ("pan close work", "  work a frame", "ms", ""),
    ("pan close work 95", "  work of a frame in twenty, at least", "ms", ""),
    ("zoom", "zoom by the wheel", "/s", "60"),
    ("zoom drawn", "  of them drawn by the editor", "/s", ""),
    ("zoom slow", "  an interval in twenty is longer than", "ms", ""),
    ("zoom work", "  work a frame", "ms", ""),
    ("zoom work 95", "  work of a frame in twenty, at least", "ms", ""),
    ("paint", "brush: pointer handled to frame painted", "ms", "< 16; 1 M: < 100"),
    ("paint 95", "  one in twenty, at least", "ms", ""),
    ("paint input", "  from the input's own time", "ms", ""),
    ("paint input 95", "  from the input's own time, one in twenty", "ms", ""),
    ("paint work", "  work a frame", "ms", ""),
    ("paint work 95", "  work of a frame in twenty, at least", "ms", ""),
    ("stroke up", "bytes of a stroke of 100 hexes", "B", ""),
    ("stroke down", "bytes of its answer", "B", ""),
    ("at once", "100 hexes at once, whole map, to frame", "ms", "1 M: < 100"),
    ("sight", "live sight: pointer to verdict painted", "ms", "< 50"),
    ("sight 95", "  one in twenty, at least", "ms", ""),
    ("sight input", "  from the input's own time", "ms", ""),
    ("sight first", "  the first of all", "ms", ""),
    ("heap", "JavaScript heap", "MB", ""),
    ("process", "memory of the process that draws", "MB", ""),
)


def medians(measure: Callable[[], dict[str, float]], runs: int) -> dict[str, float]:
    """Measure some times; return the median of each figure."""
    found = [measure() for _ in range(runs)]
    return {name: statistics.median(one[name] for one in found if name in one) for name in found[0]}


def _shown(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _table(head: str, columns: dict[str, dict[str, float]]) -> None:
    print(f"\n{head:48}" + "".join(f"{name:>14}" for name in columns) + "   bar")
    for key, title, unit, bar in ROWS:
        cells = "".join(f"{_shown(column.get(key)):>14}" for column in columns.values())
        print(f"{title + ', ' + unit:48}{cells}   {bar}".rstrip())


def _against(ours: dict[str, float], lab: dict[str, float], rivals: dict[str, dict[str, float]]) -> None:
    """Print the figures of the others beside ours, and how many times ours are better."""
    print(f"\n{LARGE + ' hexes':48}{'ours':>12}{'theirs':>12}{'ratio':>9}   bar")

    def line(title: str, mine: float | None, theirs: float | None, bar: str = "", *, more: bool = False) -> None:
        if mine is None or theirs is None:
            return
        ratio = mine / theirs if more else theirs / mine
        print(f"{title:48}{_shown(mine):>12}{_shown(theirs):>12}{ratio:>8.1f}x   {bar}".rstrip())

    for name, found in rivals.items():
        print(f"-- {name}")
        if "run first" in found:
            line("run of the cell to first picture, ms", lab.get("lab run first"), found.get("run exact"))
            line("run of the cell to exact picture, ms", lab.get("lab run exact"), found.get("run exact"))
            line("bytes over the websocket for it, MB", lab.get("lab wire"), found.get("wire"), "<= 1")
            line("pan, pictures/s", lab.get("lab pan"), found.get("pan"), "60", more=True)
            line("zoom, pictures/s", lab.get("lab zoom"), found.get("zoom"), "60", more=True)
            line("bytes over the websocket for a pan of 2 s", lab.get("lab pan wire"), found.get("pan wire"))
            print(f"{'the picture lags behind the hand, ms':48}{'-':>12}{found['pan lag']:>12,.0f}")
            continue
        line("made in Python, ms", ours.get("made"), found.get("made"))
        line("bytes to open, MB", ours.get("open"), found.get("bytes"), "<= 1")
        line("first picture, ms", ours.get("first"), found.get("first"), "< 1000")
        line("exact picture, ms", ours.get("exact"), found.get("first"), "< 1000")
        line("pan, frames/s", ours.get("pan"), found.get("pan"), "60", more=True)
        line("zoom, frames/s", ours.get("zoom"), found.get("zoom"), "60", more=True)
        line("pan, longest twentieth of the intervals, ms", ours.get("pan slow"), found.get("pan slow"))
        line("zoom, longest twentieth of the intervals, ms", ours.get("zoom slow"), found.get("zoom slow"))
        line("JavaScript heap, MB", ours.get("heap"), found.get("heap"))
        line("memory of the process that draws, MB", ours.get("process"), found.get("process"))


def _sizes() -> None:
    from tests.browser.page import STATIC

    sizes = {file.stem: file.stat().st_size for file in sorted(STATIC.glob("*.js"))}
    print(f"module: {sizes.pop('editor'):,} bytes (bar: <= 150,000)")
    print("parts: " + ", ".join(f"{name} {size:,}" for name, size in sizes.items()))


def _in_pages(playwright: Any, chromium: str, runs: int) -> dict[str, float]:
    """Measure ours in the page of the module; return the figures of the large map."""
    import studio
    from tests.benchmarks.editor_gauge import launch
    from tests.benchmarks.editor_maps import sample
    from tests.benchmarks.editor_ours import in_page
    from tests.browser.page import serve

    columns: dict[str, dict[str, float]] = {}

    def once(name: str) -> dict[str, float]:
        shipped = name in SHIPPED
        document = (
            studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False) if shipped else sample(*CASES[name])
        )
        try:
            with launch(playwright, chromium) as browser:
                return in_page(browser, base, document)
        finally:
            document.close()

    with serve() as base:
        for name in (*CASES, *SHIPPED):
            columns[name] = medians(partial(once, name), runs)
    _table("the module in a page, a real widget behind it", columns)
    return columns[LARGE]


def _explored(playwright: Any, chromium: str, runs: int) -> dict[str, dict[str, float]]:
    from tests.benchmarks.editor_gauge import launch
    from tests.benchmarks.editor_maps import sample
    from tests.benchmarks.editor_rivals import explore, explore_page

    columns, rows = CASES[LARGE]
    document, found = sample(columns, rows), {}
    try:
        for name, options in (("geopandas.explore, SVG", {}), ("geopandas.explore, canvas", {"prefer_canvas": True})):
            html, made = explore(document, **options)

            def once(html: str = html) -> dict[str, float]:
                with launch(playwright, chromium) as browser:
                    return explore_page(browser, html, columns * rows)

            found[name] = {**medians(once, runs), "made": made, "bytes": len(html) / 1e6}
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        print(f"no figures of geopandas.explore: {error}")
    finally:
        document.close()
    return found


def _in_labs(playwright: Any, chromium: str, runs: int) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
    from tests.benchmarks.editor_gauge import launch
    from tests.benchmarks.editor_maps import sample
    from tests.benchmarks.editor_ours import in_lab
    from tests.benchmarks.editor_rivals import on_canvas
    from tests.browser.lab import jupyter_lab

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        document = sample(*CASES[LARGE])
        document.save(root / "sample.map.json")
        document.close()

        def once(measure: Callable[..., dict[str, float]]) -> dict[str, float]:
            with launch(playwright, chromium) as browser:
                return measure(browser, base, root)

        with jupyter_lab(root) as base:
            ours = medians(lambda: once(in_lab), runs)
            try:
                import ipympl  # noqa: F401

                theirs = {"matplotlib's canvas in JupyterLab": medians(lambda: once(on_canvas), runs)}
            except ImportError as error:
                print(f"no figures of matplotlib's canvas: {error}")
                theirs = {}
    return ours, theirs


def _lab_table(lab: dict[str, float]) -> None:
    print(f"\n{LARGE + ' hexes in JupyterLab':48}{'':>14}   bar")
    for key, title, bar in (
        ("lab first", "the kernel's answer to the first picture, ms", "< 1000"),
        ("lab exact", "the kernel's answer to the exact picture, ms", "< 1000"),
        ("lab settled", "the kernel's answer to nothing left to draw, ms", ""),
        ("lab run first", "run of the cell to the first picture, ms", ""),
        ("lab wire", "bytes over the websocket to open, MB", "<= 1"),
        ("lab pan", "pan, whole map, frames/s", "60"),
        ("lab pan close", "pan, 30 px a hex, frames/s", "60"),
        ("lab zoom", "zoom by the wheel, frames/s", "60"),
        ("lab sight", "live sight: pointer to verdict painted, ms", "< 50"),
        ("lab sight 95", "  one in twenty, at least, ms", ""),
        ("lab echo", "  of it an empty round trip to the kernel, ms", ""),
        ("lab echo 95", "  an empty round trip in twenty, at least, ms", ""),
        ("lab sight first", "  the first of all, ms", ""),
    ):
        print(f"{title:48}{_shown(lab.get(key)):>14}   {bar}".rstrip())


def main(runs: int = 2) -> int:
    """Print all figures."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        print("Chromium is not installed", file=sys.stderr)
        return 2
    print(f"medians of {runs} runs; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    _sizes()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as state, sync_playwright() as playwright:
        os.environ["XDG_STATE_HOME"] = state  # where unsaved steps are kept
        ours = _in_pages(playwright, chromium, runs)
        lab, canvas = _in_labs(playwright, chromium, runs)
        _lab_table(lab)
        _against(ours, lab, {**_explored(playwright, chromium, runs), **canvas})
    print(f"load of the machine at the end {os.getloadavg()[0]:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2))

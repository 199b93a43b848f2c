"""A JupyterLab of its own on loopback, driven in Chromium: what tests of the editor share.

Each odd-looking step stands because a test failed without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from studio.cli.documents import PROMPT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# News and update toasts would lie over what a test clicks.
_QUIET = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    }
}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _environment(folder: Path, root: Path) -> dict[str, str]:
    """Return an environment in which neither the user's settings nor their kernels take part."""
    places = {
        "HOME": "home",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    for name in places.values():
        (folder / name).mkdir(exist_ok=True)
    source = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return {
        **os.environ,
        **{key: str(folder / name) for key, name in places.items()},
        "PYTHONPATH": path,
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


@contextlib.contextmanager
def jupyter_lab(root: Path, settings: dict[str, Any] | None = None) -> Iterator[str]:
    """Run a JupyterLab over a folder and yield its address."""
    port = _free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        env = _environment(folder, root)
        for plugin, values in {**_QUIET, **(settings or {})}.items():
            file = folder / "settings" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values))
        command = [
            sys.executable,
            "-m",
            "jupyter",
            "lab",
            "--no-browser",
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            "--allow-root",
            "--IdentityProvider.token=",
            "--ServerApp.password=",
            "--ServerApp.disable_check_xsrf=True",
            f"--ServerApp.root_dir={root}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--LabApp.news_url=",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            PROMPT,  # as `studio lab` starts it
        ]
        log = folder / "lab.log"
        with log.open("wb") as out:
            process = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT)
        try:
            _await_answer(process, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _await_answer(process: subprocess.Popen[bytes], base: str, log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError("JupyterLab ended: " + log.read_text()[-3000:])
        try:
            with urllib.request.urlopen(base + "/api", timeout=1) as answer:
                answer.read()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("JupyterLab did not answer within a minute: " + log.read_text()[-3000:])


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, path)


class LabPage:
    """A notebook open in a browser page, with what a person does to it."""

    def __init__(self, page: Any, base: str) -> None:
        self.page, self.base = page, base

    def open(self, name: str) -> None:
        """Open a notebook and wait until its kernel answers: the toolbar says idle too early, and a run then hangs."""
        self.page.goto(f"{self.base}/lab/tree/{name}?reset", wait_until="domcontentloaded")
        self.settle()

    def settle(self) -> None:
        page = self.page
        page.wait_for_selector("#jupyterlab-splash", state="detached", timeout=120_000)
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext", timeout=120_000)
        page.evaluate(
            """async () => {
                const app = window.jupyterapp; await app.restored;
                const panel = app.shell.currentWidget;
                await panel.context.ready; await panel.sessionContext.ready;
                await panel.sessionContext.session.kernel.info;
            }"""
        )
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)

    def reload(self) -> None:
        self.page.reload(wait_until="domcontentloaded")
        self.settle()

    def command(self, name: str) -> None:
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def run_all(self) -> None:
        self.command("notebook:run-all-cells")

    def in_kernel(self, expression: str) -> str:
        """Evaluate in the notebook's kernel and return the repr, without touching a cell."""
        return str(
            self.page.evaluate(
                """async (code) => {
                    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                    const future = kernel.requestExecute(
                        { code: '', silent: false, store_history: false, user_expressions: { r: code } }, true);
                    const r = (await future.done).content.user_expressions.r;
                    return r.status === 'ok' ? r.data['text/plain'] : 'ERROR ' + r.ename + ': ' + r.evalue;
                }""",
                expression,
            )
        )

    def execute(self, code: str, wait: bool = True) -> None:
        """Run code in the kernel without a cell."""
        self.page.evaluate(
            """async ([code, wait]) => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                if (wait) await future.done;
            }""",
            [code, wait],
        )

    def cells(self) -> int:
        return int(self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length"))

    # -- the editor in the notebook ----------------------------------------------------------------------------------

    def ready(self, count: int = 1) -> None:
        self.page.wait_for_function(
            "count => document.querySelectorAll('.wgs[data-ready=\"1\"]').length >= count", arg=count, timeout=120_000
        )
        self.page.evaluate("() => document.querySelector('.wgs').scrollIntoView({ block: 'center' })")
        self.idle()

    def idle(self) -> None:
        self.page.wait_for_function("() => document.querySelector('.wgs').__studio.idle", timeout=60_000)

    def at(self, cell: int, editor: int = 0) -> tuple[float, float]:
        place = self.page.evaluate(
            "([cell, n]) => document.querySelectorAll('.wgs')[n].__studio.hexToScreen(cell)", [cell, editor]
        )
        return place["x"], place["y"]

    def terrain(self, cell: int, editor: int = 0) -> str:
        """Return what the browser's copy holds."""
        return str(
            self.page.evaluate(
                "([cell, n]) => document.querySelectorAll('.wgs')[n].__studio.store.terrainAt(cell)", [cell, editor]
            )
        )

    def tool(self, name: str) -> None:
        self.page.click(f'[data-tool="{name}"]')

    def click(self, cell: int) -> None:
        self.page.mouse.click(*self.at(cell))

    def drag(self, *cells: int) -> None:
        self.page.mouse.move(*self.at(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.at(cell), steps=6)
        self.page.mouse.up()

"""One Chromium and one JupyterLab for all browser tests; a picture of the page is kept when a test fails."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.lab import FLAGS, LabPage, jupyter_lab
from tests.browser.page import EditorPage, serve


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    pages = item.stash.get(PAGES, [])
    if report.when == "call" and report.failed and pages:
        folder = Path(tempfile.mkdtemp(prefix="studio-pictures-"))
        for number, page in enumerate(pages):
            file = folder / f"{item.name}-{number}.png".replace("/", "_")
            page.screenshot(path=file)
            report.sections.append(("picture of the page", str(file)))


PAGES = pytest.StashKey[list[Any]]()


# Of this package alone: Playwright allows one at a time, and other tests start their own.
@pytest.fixture(scope="package")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def bundle_server() -> Iterator[str]:
    with serve() as base:
        yield base


@pytest.fixture
def new_page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Make a page of 1024 x 700; an error in its scripts fails the test."""
    pages: list[Any] = []
    faults: list[str] = []
    request.node.stash[PAGES] = pages

    def note(fault: str) -> None:
        # JupyterLab says the first of its own requests when a kernel dies, the second when it changes its theme; the
        # editor calls no removeChild.
        if "Canceled future" not in fault and "removeChild" not in fault:
            faults.append(fault)

    def make(**options: Any) -> Any:
        page = browser.new_page(**{"viewport": {"width": 1024, "height": 700}, **options})
        page.on("pageerror", lambda error: note(str(error)))
        pages.append(page)
        return page

    yield make
    for page in pages:
        page.close()
    assert not faults, f"errors in the page: {faults}"


@pytest.fixture
def editor_page(new_page: Callable[..., Any], bundle_server: str) -> Iterator[Callable[..., EditorPage]]:
    """Show a map in an empty page: ``editor_page(document, width=…, **page options)``."""
    from studio.editor import MapEditor

    editors: list[Any] = []

    def make(document: Any, width: int = 1000, kernel: bool = False, **options: Any) -> EditorPage:
        editor = MapEditor(document)
        editors.append(editor)
        return EditorPage(new_page(**options), editor, bundle_server, width, kernel)

    yield make
    for editor in editors:
        editor.close()


@pytest.fixture(scope="session")
def lab_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="session")
def lab(lab_root: Path) -> Iterator[str]:
    with jupyter_lab(lab_root) as base:
        yield base


@pytest.fixture
def lab_page(new_page: Callable[..., Any], lab: str) -> Iterator[LabPage]:
    opened = LabPage(new_page(), lab)
    yield opened
    # The kernels of one test must not slow the next one down.
    opened.page.evaluate("() => window.jupyterapp?.serviceManager.sessions.shutdownAll()")

"""Settings shared by all tests: Hypothesis profiles, and what happens where a browser or Node.js is missing."""

import os
import shutil
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# No test may open a window; set before anything imports matplotlib.
os.environ.setdefault("MPLBACKEND", "Agg")

# A laptop in use and a busy CI machine are slow now and then: time is measured by the benchmarks, not by Hypothesis.
_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=50, **_COMMON)
settings.register_profile("ci", max_examples=150, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# Marker -> the program that its tests need.
PROGRAMS = {"browser": "chromium", "lab": "chromium", "node": "node"}


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Close what pyplot keeps open, as a notebook does after each cell; tests that draw nothing need not load it."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the Chromium that Playwright drives."""
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("Chromium is not installed; `make test` installs it")
    return path


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests whose program is missing, unless STUDIO_TESTS_NEED names it: then they run, and fail.

    `make test` and CI name what they have set up, so that a test never falls silent there.
    """
    needed = os.environ.get("STUDIO_TESTS_NEED", "").split()
    missing = {
        marker: program
        for marker, program in PROGRAMS.items()
        if program not in needed and shutil.which(program) is None
    }
    for item in items:
        for marker, program in missing.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=f"{program} is not installed"))

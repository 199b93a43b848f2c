"""The built JavaScript: its size, that it is what its sources build, and its own tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

EDITOR = Path(__file__).parents[2] / "studio" / "editor"
WEB = EDITOR / "web"
BUNDLE = EDITOR / "static" / "editor.js"


def test_bundle_is_small_and_whole():
    text = BUNDLE.read_text(encoding="utf-8")
    assert len(text.encode()) < 150_000
    assert "export{" in text.replace(" ", "")
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def test_text_of_maps_never_becomes_markup():
    for file in (WEB / "src").rglob("*.js"):
        source = file.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "removeChild"):
            assert word not in source, f"{file.name} uses {word}"


@pytest.mark.node
def test_unit_tests_of_the_sources_pass():
    done = subprocess.run(["node", "--test", "tests/"], cwd=WEB, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.node
def test_bundle_is_what_its_sources_build():
    if not (WEB / "node_modules" / "esbuild").exists():
        pytest.skip("esbuild is not installed: run npm ci in studio/editor/web")
    done = subprocess.run(["node", "build.mjs", "--check"], cwd=WEB, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

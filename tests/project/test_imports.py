"""Imports go down the floors of the house, and `import studio` stays light."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT, modules

HEAVY = {"anywidget", "geopandas", "ipywidgets", "matplotlib", "pandas", "scipy", "shapely"}


def test_floors_hold():
    pytest.importorskip("importlinter")
    lint = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("module", ["studio", "studio.cli"])
def test_import_is_light(module):
    if not any(name == module for name, _ in modules()):
        pytest.skip(f"there is no {module}")
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True).stdout)
    assert not HEAVY.intersection(loaded)


def test_nothing_is_imported_from_the_front_door():
    """`import studio` gives whoever comes from outside the whole house: inside, a floor names the room it means."""
    names = {name for name, _ in modules()}
    wrong = []
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                wrong += [f"{module}:{node.lineno}: import studio" for alias in node.names if alias.name == "studio"]
            elif isinstance(node, ast.ImportFrom) and node.module == "studio" and node.level == 0:
                wrong += [
                    f"{module}:{node.lineno}: from studio import {alias.name}"
                    for alias in node.names
                    if f"studio.{alias.name}" not in names and alias.name != "__version__"
                ]
    assert not wrong, "\n".join(wrong)

"""The project's own files, as the tests of its structure see them."""

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def project_files() -> tuple[Path, ...]:
    """Return the files of the repository, those too that are new and not ignored; skip the test outside of one."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    paths = (ROOT / name for name in listing.split("\0") if name)
    return tuple(sorted({path for path in paths if path.is_file()}))


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield the dotted name and the syntax tree of every module of the package."""
    for path in sorted((ROOT / "studio").rglob("*.py")):
        if "node_modules" in path.parts:
            continue
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, ast.parse(path.read_text("utf-8"), filename=str(path))

"""What lies where, how big it is, and what no file may say."""

import re
import tomllib

import pytest

import studio
from tests.project.tree import ROOT, project_files

ALLOWED_AT_THE_TOP = {
    ".ci",
    ".gitattributes",
    ".gitignore",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "docs",
    "exports",
    "maps",
    "notebooks",
    "pyproject.toml",
    "scenarios",
    "studio",
    "tests",
}

LARGEST = 1_500_000  # bytes; git keeps every version of a big file for good

# A path of one machine tells a reader on another nothing; a registry's address is the installing machine's business.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w./~-])/(?:work|tmp|root|farm)/|(?<![\w./~-])/home/\w|(?<![\w./~-])/Users/\w",
    "a package registry's address": (
        r"https?://[\w.-]*(?:registry|packag|pypi|pythonhosted|npm|debian|yarnpkg|unpkg|jsdelivr)"
        r"|\b(?:registry|files|deb|security|cdn)\.(?:npmjs|yarnpkg|pythonhosted|debian|jsdelivr)\."
    ),
    "the number of a report instead of its reason": r"(?i)\bissues? #\d",
}


def test_top_level_holds_only_what_belongs_there():
    found = {path.relative_to(ROOT).parts[0] for path in project_files()}
    assert found <= ALLOWED_AT_THE_TOP, f"not expected at the top: {sorted(found - ALLOWED_AT_THE_TOP)}"


def test_no_file_is_too_big():
    big = {str(path.relative_to(ROOT)): path.stat().st_size for path in project_files()}
    big = {name: size for name, size in big.items() if size > LARGEST}
    assert not big, f"bigger than {LARGEST} bytes: {big}"


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what):
    pattern = re.compile(FORBIDDEN[what])
    hits = []
    for path in project_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture or an archive
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            hits.append(f"{path.relative_to(ROOT)}:{line}: {match[0]}")
    assert not hits, f"{what}:\n" + "\n".join(hits)


def test_version_is_the_same_everywhere():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    top = re.search(r"^## \[?v?(\d[\w.]*)", changelog, re.MULTILINE)
    assert top, "CHANGELOG.md has no heading like '## 0.1.0'"
    assert top[1] == version
    assert studio.__version__ == version


def test_package_says_that_it_is_typed():
    assert (ROOT / "studio" / "py.typed").is_file()

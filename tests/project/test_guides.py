"""The examples of the guides run, and give what they say."""

import doctest
import re
from pathlib import Path

import pytest

from tests.project.tree import ROOT

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUIDES = [file for file in sorted((ROOT / "docs").glob("*.md")) if BLOCK.search(file.read_text("utf-8"))]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda file: file.name)
def test_the_examples_of_a_guide(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = guide.read_text("utf-8")
    # Everything but the blocks goes, line by line, so that a failure names the line of the guide.
    kept, at = [], 0
    for block in BLOCK.finditer(text):
        kept.append(re.sub(r"[^\n]+", "", text[at : block.start(1)]))
        kept.append(block[1])
        at = block.end(1)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    example = doctest.DocTestParser().get_doctest("".join(kept), {}, guide.name, str(guide), 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=flags).run(example, out=said.append)
    assert outcome.attempted
    assert not outcome.failed, "".join(said)


def test_there_are_guides() -> None:
    assert "sight.md" in [guide.name for guide in GUIDES]

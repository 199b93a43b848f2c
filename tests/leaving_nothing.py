"""A plugin for tests and for the examples in docstrings: they leave nothing behind, neither here nor at home."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# Journals of documents without a file are theirs alone, and gone with them. Set before anything asks for the folder.
_STATE = tempfile.mkdtemp(prefix="studio-state-")
os.environ["XDG_STATE_HOME"] = _STATE
atexit.register(shutil.rmtree, _STATE, ignore_errors=True)

from studio.files import journal, places  # noqa: E402

_ROOT = Path(__file__).resolve().parents[1]
_BESIDE = Path(_STATE) / "beside"
_BESIDE.mkdir()
_plain = places.journal_path


def _journal_path(document: Path, number: int = 1, *, beside: bool = True) -> Path:
    """Return the path of a journal, for the project's own maps and scenarios not beside them.

    Tests and examples change these without saving, and some processes do so at once.
    """
    found = _plain(document, number, beside=beside)
    if beside and document.is_relative_to(_ROOT):
        return _BESIDE / str(document.parent.relative_to(_ROOT)).replace(os.sep, "-") / found.name
    return found


for _folder in ("maps", "scenarios"):
    (_BESIDE / _folder).mkdir()
places.journal_path = journal.journal_path = _journal_path

"""Where journals lie: beside their document, or in the user's state folder where that is not possible."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["MAX_JOURNALS", "journal_path", "journals_of", "state_folder", "unsaved_path"]

MAX_JOURNALS = 99
"""Most journals of one document, counting those of sessions that run side by side."""


def state_folder() -> Path:
    """Return the folder for journals of documents that have no file yet; it need not exist.

    ``$XDG_STATE_HOME/wargame-studio`` or ``~/.local/state/wargame-studio`` on Linux, and where the system wants it on
    macOS and Windows.
    """
    import platformdirs

    return Path(platformdirs.user_state_dir("wargame-studio", appauthor=False)) / "journals"


def journal_path(document: Path, number: int = 1, *, beside: bool = True) -> Path:
    """Return the path of a document's journal.

    Parameters
    ----------
    document : Path
        The document's real path.
    number : int
        From 1; more than one where sessions ran side by side or left work behind.
    beside : bool
        In the document's folder, else in the state folder.
    """
    tail = "" if number == 1 else f".{number}"
    if beside:
        return document.parent / f".{document.name}.journal{tail}"
    folder = hashlib.sha256(os.fsencode(document)).hexdigest()[:16]
    return state_folder() / f"{folder}-{document.name[:100]}.journal{tail}"


def journals_of(document: Path) -> Iterator[Path]:
    """Yield the journals that a document has now, those beside it first."""
    for beside in (True, False):
        first = journal_path(document, beside=beside)
        try:
            names = set(os.listdir(first.parent))
        except OSError:
            continue
        for number in range(1, MAX_JOURNALS + 1):
            path = journal_path(document, number, beside=beside)
            if path.name in names:
                yield path


def unsaved_path(kind: str) -> Path:
    """Return a path that is not taken, for the journal of a document without a file."""
    import secrets

    moment = time.strftime("%Y%m%d-%H%M%S")
    return state_folder() / f"unsaved-{kind}-{moment}-{secrets.token_hex(4)}.journal"

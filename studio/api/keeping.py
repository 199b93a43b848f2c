"""What was edited on a map that was made of geography, on its way into the file of overrides."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from studio.errors import DocumentError, Fault, StudioError
from studio.files import Stamp, check_target, save_document, write_atomic

if TYPE_CHECKING:
    from studio.api.remaking import Standing

__all__ = ["Kept", "gather", "hinting"]


class Kept(NamedTuple):
    """Overrides that are to be written together with a map.

    Parameters
    ----------
    file : Path
    text : bytes or None
        What the file is to hold; None where it stays as it is.
    before : bytes or None
        What it held when it was read; None where there was none.
    notes : list of str
        What is done, in sentences.
    """

    file: Path
    text: bytes | None = None
    before: bytes | None = None
    notes: list[str] = []  # noqa: RUF012

    def write(self) -> None:
        """Write the file.

        Raises
        ------
        ConflictError
            When somebody has changed it since it was read.
        SaveError
            When it cannot be written.
        """
        if self.text is not None:
            opened = None if self.before is None else Stamp.of(self.before)
            save_document(self.file, self.text, opened=opened)

    def take_back(self) -> None:
        """Make the file what it was, unless it is not what was written."""
        if self.text is None or Stamp.of_file(self.file) != Stamp.of(self.text):
            return
        if self.before is None:
            self.file.unlink(missing_ok=True)
        else:
            with contextlib.suppress(StudioError):  # what it says more is on the map as well, and is gathered again
                write_atomic(self.file, self.before)


def gather(file: Path, standing: Standing) -> Kept:
    """Return what was edited, together with what a file of overrides says already.

    Parameters
    ----------
    file : Path
    standing : Standing

    Returns
    -------
    Kept

    Raises
    ------
    DocumentError
        When the file is there and cannot be read.
    SaveError
        When it cannot be written.
    """
    from studio.exchange.common.files import source_bytes
    from studio.exchange.geography.overrides.gathered import differences, merged, overrides_text, read_overrides

    if not standing.edits:
        return Kept(file)
    check_target(file)
    before = source_bytes(file) if file.exists() else None
    old = read_overrides(file, before) if before is not None else []
    note = f"kept as overrides in {file}: {differences(standing.edits)}"
    return Kept(file, overrides_text(merged(old, standing.edits)), before, [note])


@contextlib.contextmanager
def hinting(kept: Kept) -> Iterator[None]:
    """Say of overrides at fault that they are gathered and stand in no file yet.

    Raises
    ------
    DocumentError
        What went wrong, and that.
    """
    try:
        yield
    except DocumentError as error:
        if kept.text is None or not any(f"{kept.file.name}: " in one.path for one in error.faults):
            raise
        message = "is not written yet: these are the edits of the map that is there, and what the file says already"
        remedy = "keep them first, with the specification that the map was made of; mend the file; then change that"
        raise DocumentError(error.file, [*error.faults, Fault(kept.file.name, message, remedy)]) from error

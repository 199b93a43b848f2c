"""Whether a map that was made of geography may be made anew: what was edited since, and what is not saved yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from studio.api.document import LIVE
from studio.errors import ConflictError, StudioError
from studio.files import Stamp, check_target, load_map, recoveries, write_atomic
from studio.files.canonical import map_text
from studio.files.places import journals_of

if TYPE_CHECKING:
    from studio.exchange.geography.record import Record
    from studio.exchange.geography.spec import Override
    from studio.model import MapDocument
    from studio.rules import Ruleset

__all__ = ["Standing", "keeping", "record_path", "with_own"]

_MAP = ".map.json"


def record_path(target: Path) -> Path:
    """Return where the record of a map lies: beside it.

    Parameters
    ----------
    target : Path
        The map, NAME.map.json.

    Raises
    ------
    StudioError
        When the map is named otherwise.
    """
    if not target.name.endswith(_MAP) or target.name == _MAP:
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0] or 'x'}.map.json"
        raise StudioError(msg)
    return target.with_name(target.name.removesuffix(_MAP) + ".geography.json")


class Standing:
    """What lies where a map is to be written.

    Parameters
    ----------
    target : Path
    spec_file : Path or None
    ruleset : Ruleset
        Game of the new map.

    Attributes
    ----------
    record_file : Path
    document : MapDocument or None
        The map that is there; None where there is none.
    record : Record or None
        Of the import that made it.
    edits : list of Override
        What was changed on it since.
    own : list of str
        Fields that were changed and that no override can say.

    Raises
    ------
    DocumentError
        When what is there is no sound map, or has a damaged record, or was given another size or other labels.
    ConflictError
        When there is unsaved work on it.
    SaveError, StudioError
        When nothing can be written there.
    """

    def __init__(self, target: Path, spec_file: Path | None, ruleset: Ruleset) -> None:
        from studio.exchange.geography.overrides.gathered import not_carried, overrides_between
        from studio.exchange.geography.record import read_record

        self.target, self.record_file = target, record_path(target)
        for path in (target, self.record_file):
            check_target(path)
        if spec_file is not None and os.path.realpath(spec_file) == os.path.realpath(self.record_file):
            msg = (
                f"{self.record_file}: this is the specification, and the record of the map would be written there. "
                "Remedy: name the map, or the specification, otherwise"
            )
            raise StudioError(msg)
        _refuse_unsaved(target)
        self.record: Record | None = read_record(self.record_file) if self.record_file.exists() else None
        self.document: MapDocument | None = None
        self.stamp: Stamp | None = None
        self.edits: list[Override] = []
        self.own: list[str] = []
        if not target.exists():
            return
        loaded = load_map(target, ruleset=ruleset)
        self.document, self.stamp = loaded.model.to_document(), loaded.stamp
        if self.record is not None and map_text(self.document) != map_text(self.record.base):
            self.edits = overrides_between(self.record.base, self.document, ruleset)
            self.own = not_carried(self.record.base, self.document)

    @property
    def edited(self) -> str:
        """What was changed since the map was made, in words; empty for nothing."""
        from studio.exchange.geography.overrides.gathered import differences

        return ", ".join(part for part in (differences(self.edits), *self.own) if part)

    def check(self, keep: bool) -> None:
        """Refuse to lose what was edited.

        Parameters
        ----------
        keep : bool
            It is kept.

        Raises
        ------
        ConflictError
            When it would be lost.
        """
        if self.edited and not keep:
            msg = (
                f"{self.target}: was edited since it was made: {self.edited}. Nothing was written. Remedy: keep=True "
                "(--keep) keeps it as overrides; or name another file for the new map"
            )
            raise ConflictError(msg)

    def write(self, document: MapDocument, record: Record) -> None:
        """Write a map and its record.

        Parameters
        ----------
        document : MapDocument
        record : Record

        Raises
        ------
        ConflictError
            When another map is there that no record tells to be one that was made, or it was changed meanwhile.
        SaveError
            When a file cannot be written; the old one is whole.
        """
        from studio.exchange.geography.record import record_text
        from studio.files import save_document, write_map_text

        text = write_map_text(document)
        strange = self.document is not None and self.record is None and map_text(self.document) != text
        if strange:
            msg = (
                f"{self.target}: is there already and is another map; no {self.record_file.name} beside it says that "
                "it was made of geography. Nothing was written. Remedy: name another file, or remove it first"
            )
            raise ConflictError(msg)
        # Somebody may have begun to edit while the map was made.
        _refuse_unsaved(self.target)
        save_document(self.target, text, opened=self.stamp)
        write_atomic(self.record_file, record_text(record))


def _refuse_unsaved(target: Path) -> None:
    """Refuse to replace a map that somebody has unsaved work on, in this process, in another, or in one that ended."""
    real = Path(os.path.realpath(target))
    for one in list(LIVE):
        if one.path is not None and one.dirty and os.path.realpath(one.path) == str(real):
            msg = (
                f"{target}: is open here with unsaved changes ({one.history[-1]}). Remedy: save or revert() them first"
            )
            raise ConflictError(msg)
    left = recoveries(target)
    names = [one.journal.name for one in left] or [one.name for one in journals_of(real)]
    if names:
        msg = f"{target}: there is unsaved work on it, in {', '.join(names)}. Nothing was written. Remedy: " + (
            "open the map, which makes the steps again, and save it" if left else "save it where it is open"
        )
        raise ConflictError(msg)


@contextmanager
def keeping(file: Path, standing: Standing) -> Iterator[list[str]]:
    """Gather what was edited into the file of overrides, for as long as all goes well.

    Parameters
    ----------
    file : Path
    standing : Standing

    Yields
    ------
    list of str
        What was done, in sentences.

    Raises
    ------
    DocumentError
        When the file is there and cannot be read.
    SaveError
        When it cannot be written.
    """
    from studio.exchange.geography.overrides.gathered import differences, merged, overrides_text, read_overrides

    if not standing.edits:
        yield []
        return
    before = file.read_bytes() if file.exists() else None
    old = read_overrides(file) if before is not None else []
    write_atomic(file, overrides_text(merged(old, standing.edits)))
    try:
        yield [f"kept as overrides in {file}: {differences(standing.edits)}"]
    except BaseException:
        if before is None:
            file.unlink(missing_ok=True)
        else:
            write_atomic(file, before)
        raise


def with_own(document: MapDocument, standing: Standing) -> tuple[MapDocument, list[str]]:
    """Leave on a map what was edited and no override can say.

    Parameters
    ----------
    document : MapDocument
        As it was made anew.
    standing : Standing

    Returns
    -------
    document : MapDocument
    notes : list of str
        What stays, in a sentence.
    """
    if standing.document is None or not standing.own:
        return document, []
    kept = {name: getattr(standing.document, name) for name in standing.own}
    note = (
        f"{', '.join(standing.own)} of the map stays as it was edited: overrides cannot say it; write it into the "
        "specification where that can, else every new run needs keep=True (--keep)"
    )
    return msgspec.structs.replace(document, **kept), [note]

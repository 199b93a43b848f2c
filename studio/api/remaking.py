"""Whether a map that was made of geography may be made anew: what was edited since, and what is not saved yet."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from studio.api.document import LIVE
from studio.errors import ConflictError, DocumentError, StudioError
from studio.files import SaveError, Stamp, check_target, load_map, recoveries, save_document, write_atomic
from studio.files.canonical import map_text
from studio.files.places import journals_of
from studio.rules import OWN_SUFFIX, ruleset_ids

if TYPE_CHECKING:
    from studio.api.keeping import Kept
    from studio.exchange.geography.record import Record
    from studio.exchange.geography.spec import Override
    from studio.model import MapDocument
    from studio.rules import Ruleset

__all__ = ["Standing", "game_note", "lost_note", "make_folder", "moved_note", "record_path", "with_own"]

_MAP = ".map.json"
_OVERRIDES = ".overrides.json"
_NEXT = ".next"
"""Ending of a record whose map is not there yet."""


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
    from studio.exchange.geography.record import record_beside

    if not target.name.endswith(_MAP) or target.name == _MAP:
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0] or 'x'}.map.json"
        raise StudioError(msg)
    return record_beside(target)


def make_folder(target: Path) -> None:
    """Make the folder of a map where there is none.

    Parameters
    ----------
    target : Path
        The map.

    Raises
    ------
    SaveError
        When that cannot be.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"{target}: its folder cannot be made: {error.strerror or error}. Remedy: name a file in another folder"
        raise SaveError(msg) from error


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
        from studio.exchange.geography.overrides.gathered import not_carried

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
        # What a process left that was killed while it wrote: the map may be the one that it made, or the one before.
        self.left = list(_pending(self.record_file))
        records = list(_records(self.record_file, self.left))
        self.record: Record | None = records[0] if records else None
        self.document: MapDocument | None = None
        self.stamp: Stamp | None = None
        self.edits: list[Override] = []
        self.own: list[str] = []
        if not target.exists():
            return
        game = self.record.base.ruleset if self.record is not None else ruleset.id
        if game != ruleset.id:
            msg = (
                f"{target}: was made for the game {game}, and the specification is for {ruleset.id}. "
                "Nothing was written. Remedy: name another file for the new map, or remove this one first"
            )
            raise ConflictError(msg)
        loaded = load_map(target, ruleset=ruleset)
        self.document, self.stamp = loaded.model.to_document(), loaded.stamp
        if records:
            self.record, self.edits = _nearest(records, self.document, ruleset, str(target))
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

    def write(self, document: MapDocument, record: Record, kept: Kept) -> None:
        """Write a map, its record and what was gathered of it.

        A process that is killed at any moment leaves whole files that fit each other: the record lies under another
        name until the map is there, and overrides are there before the map is that has them.

        Parameters
        ----------
        document : MapDocument
        record : Record
        kept : Kept

        Raises
        ------
        ConflictError
            When another map is there that no record tells to be one that was made, or a file was changed meanwhile.
        SaveError
            When a file cannot be written; the old ones are whole.
        """
        from studio.exchange.geography.record import record_text
        from studio.files import write_map_text

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
        final = Path(os.path.realpath(self.record_file))
        pending = final.with_name(f".{final.name}.{Stamp.of(text).sha256[:16]}{_NEXT}")
        content = record_text(record)
        try:
            # A record that is pending says that its overrides are kept.
            kept.write()
            write_atomic(pending, content, name=str(self.record_file))
            save_document(self.target, text, opened=self.stamp)
        except BaseException:
            if not (pending.exists() and Stamp.of_file(self.target) == Stamp.of(text)):
                pending.unlink(missing_ok=True)
                kept.take_back()
            raise
        try:
            os.replace(pending, final)
        except FileNotFoundError:  # another import of the same map has tidied up meanwhile
            write_atomic(self.record_file, content)
        for file in self.left:
            file.unlink(missing_ok=True)


# -- the record that a map goes with -----------------------------------------------------------------------------------


def _pending(record_file: Path) -> Iterator[Path]:
    """Yield records that were written for a map of which nobody knows whether it was."""
    final = Path(os.path.realpath(record_file))
    yield from sorted(final.parent.glob(f".{glob.escape(final.name)}.{'?' * 16}{_NEXT}"))


def _records(record_file: Path, left: Sequence[Path]) -> Iterator[Record]:
    """Yield the record of a map, and those that were left.

    Raises
    ------
    DocumentError
        When the record is damaged.
    """
    from studio.exchange.geography.record import read_record

    if record_file.exists():
        yield read_record(record_file)
    for file in left:
        with contextlib.suppress(DocumentError):
            yield read_record(file)


def _nearest(
    records: Sequence[Record], document: MapDocument, ruleset: Ruleset, name: str
) -> tuple[Record, list[Override]]:
    """Return the record from whose map a map differs the least, and in what.

    Raises
    ------
    DocumentError
        When the map has another size or other labels than that of any record.
    """
    from studio.exchange.geography.overrides.gathered import overrides_between

    found: list[tuple[int, Record, list[Override]]] = []
    text = map_text(document)
    for record in records:
        if map_text(record.base) == text:
            return record, []
        try:
            edits = overrides_between(record.base, document, ruleset, name)
        except DocumentError:
            if len(records) == 1:
                raise
            continue
        found.append((sum(1 + len(one.hexes) + len(one.sides) for one in edits), record, edits))
    if not found:
        overrides_between(records[0].base, document, ruleset, name)
    _, best, edits = min(found, key=lambda one: one[0])
    return best, edits


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
    if standing.document is None or standing.record is None or not standing.own:
        return document, []
    kept = {name: getattr(standing.document, name) for name in standing.own}
    if "sources" in kept:
        # Data that were added since have a licence as well.
        known = {*standing.record.base.sources, *kept["sources"]}
        kept["sources"] = (*kept["sources"], *(one for one in document.sources if one not in known))
    note = (
        f"{', '.join(standing.own)} of the map stays as it was edited: overrides cannot say it; write it into the "
        "specification where that can, else every new run needs keep=True (--keep)"
    )
    return msgspec.structs.replace(document, **kept), [note]


def lost_note(record: Record, standing: Standing) -> list[str]:
    """Say that a file of overrides is gone which the map was made with before.

    Parameters
    ----------
    record : Record
        Of the map as it was made anew.
    standing : Standing

    Returns
    -------
    list of str
        None where it is there, or there was none.
    """
    before = standing.record.files if standing.record is not None else ()
    names = {one.name for one in record.files}
    gone = [one.name for one in before if one.name.endswith(_OVERRIDES) and one.name not in names]
    return [f"the overrides in {name}, which the map had, are gone with that file" for name in gone]


def game_note(ruleset: Ruleset, target: Path) -> list[str]:
    """Say what to do where a map will not find the file of its game.

    Parameters
    ----------
    ruleset : Ruleset
    target : Path
        The map.

    Returns
    -------
    list of str
        None where it will.
    """
    file = target.with_name(f"{ruleset.id}{OWN_SUFFIX}")
    if ruleset.id in ruleset_ids() or file.is_file():
        return []
    return [f"the map looks for its game {ruleset.id} in {file}, which does not exist; copy the file of the game there"]


def moved_note(document: MapDocument, standing: Standing, overrides: Path) -> list[str]:
    """Say that overrides name hexes which lie elsewhere now.

    Parameters
    ----------
    document : MapDocument
        As it was made anew.
    standing : Standing
    overrides : Path
        File of overrides, if there is one.

    Returns
    -------
    list of str
        None where the grid lies as it did, or nothing was gathered.
    """
    old = standing.record.base if standing.record is not None else document
    if (old.grid, old.labels, old.georeference) == (document.grid, document.labels, document.georeference):
        return []
    if not overrides.exists():
        return []
    return [
        f"the grid lies otherwise than when the map was made before: the overrides in {overrides.name} name hexes by "
        "their labels, and features by points of the map; look whether they are still where they should be"
    ]

"""Maps made of what other programs say: which terrain a word means, a new map, a map that is checked as a file is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from studio.errors import DocumentError, EditError, Fault, GridError, UnknownNameError, nearest, shortened
from studio.files import read_map, read_scenario
from studio.files.faults import FaultList
from studio.files.mapcheck import build_map, find_ruleset
from studio.grid import HexGrid, LabelScheme
from studio.model import LEVEL_LIMITS, MapDocument, MapModel, ScenarioDocument, Sheet
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["Words", "checked", "known_game", "model_of", "new_map", "scenario_in", "surveyed"]

_SHOWN = 20


def known_game(name: str, source: Path) -> Ruleset:
    """Return the game with an id, also one whose file lies beside the source.

    Raises
    ------
    DocumentError
        When there is none, or none was named.
    """
    if not name:
        message = "does not say which game it is for"
        raise DocumentError(str(source), [Fault("$", message, "name it: ruleset='armageddon_war', say")])
    try:
        found = find_ruleset(name, [source.parent])
    except UnknownNameError as error:
        raise DocumentError(
            str(source), [Fault("$.ruleset", str(error), "name a game that the studio knows")]
        ) from error
    assert isinstance(found, Ruleset)
    return found


class Words:
    """What the words of another program mean among the names of a game.

    Parameters
    ----------
    what : str
        Such as ``terrain``, for messages.
    names : mapping of str to object
        The names of the game, each with what has a ``name`` and perhaps a ``char``.
    mapping : mapping of str to str
        What the designer says that single words mean; an empty name says that the word means nothing.
    """

    def __init__(self, what: str, names: Mapping[str, Any], mapping: Mapping[str, str] | None = None) -> None:
        self.what, self.names = what, names
        self.mapping = {str(word).strip(): name for word, name in (mapping or {}).items()}
        self.unknown: Counter[str] = Counter()
        self.first: dict[str, str] = {}
        self._folded = {_fold(name): name for name in names}
        for name, kind in names.items():
            self._folded.setdefault(_fold(str(getattr(kind, "name", name))), name)
        self._chars = {str(kind.char): name for name, kind in names.items() if getattr(kind, "char", "")}
        for word, name in self.mapping.items():
            if name and name not in names:
                msg = f"mapping: {word!r} is to mean the {what} {name!r}; {nearest(name, names)}"
                raise UnknownNameError(msg)

    def find(self, word: str) -> str | None:
        """Return the name that a word means; None where it means nothing known."""
        plain = str(word).strip()
        if plain in self.mapping:
            return self.mapping[plain]
        if plain in self.names:
            return plain
        found = self._folded.get(_fold(plain))
        return found if found is not None else self._chars.get(plain)

    def take(self, word: str, at: str) -> str | None:
        """Return the name that a word means, and remember where it stood when it means nothing known."""
        found = self.find(word)
        if found is None:
            self.unknown[str(word)] += 1
            self.first.setdefault(str(word), at)
        return found

    def faults(self) -> list[Fault]:
        """Return a fault for each word that means nothing, with the nearest names."""
        found = []
        for word, count in self.unknown.most_common(_SHOWN):
            where = self.first[word] + (f" and {count - 1} more" if count > 1 else "")
            message = f"unknown {self.what} {shortened(word)}; {nearest(word, self.names)}"
            found.append(Fault("$", message, f"say what it means: mapping={{{word[:40]!r}: '...'}}", where))
        rest = len(self.unknown) - _SHOWN
        if rest > 0:
            found.append(Fault("$", f"{rest} more words are unknown", "mend these first"))
        return found

    def check(self, source: Path | str) -> None:
        """Refuse what holds words that mean nothing.

        Raises
        ------
        DocumentError
            With every word, how often it stands there, and the nearest names.
        """
        if self.unknown:
            raise DocumentError(str(source), self.faults())


def _fold(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def new_map(
    ruleset: Ruleset,
    grid: HexGrid,
    scheme: LabelScheme | None = None,
    *,
    title: str = "Untitled map",
    sheets: Sequence[Sheet] = (),
    source: Path | str = "",
) -> MapModel:
    """Return an empty map.

    Raises
    ------
    DocumentError
        When the labels do not suit the grid.
    """
    try:
        return MapModel(
            ruleset.id,
            grid,
            scheme or LabelScheme(),
            ruleset.terrain_characters,
            title=title,
            sheets=sheets,
        )
    except GridError as error:
        raise DocumentError(str(source), [Fault("$.grid", str(error), "give another grid or label scheme")]) from error


def model_of(document: MapDocument, ruleset: Ruleset, source: Path | str) -> MapModel:
    """Return the model of a document, checked as a file is.

    Raises
    ------
    DocumentError
        With every fault.
    """
    faults = FaultList()
    model = build_map(document, faults, ruleset)
    if model is None:
        raise DocumentError(str(source), faults.all())
    return model


def checked(model: MapModel, ruleset: Ruleset, source: Path | str) -> MapDocument:
    """Return the document of a map that was read, checked as a file is.

    Raises
    ------
    DocumentError
        With every fault, such as a feature of a type that the game does not have.
    """
    document = model.to_document()
    model_of(document, ruleset, source)
    return document


def surveyed(model: MapModel, ruleset: Ruleset) -> Survey:
    """Return the survey of a map as its game has it."""
    return Survey(model, ruleset.survey_scheme)


def document_in(text: str, ruleset: Ruleset | None, source: Path | str) -> MapModel:
    """Return the map that a file of another program carries along as text.

    Raises
    ------
    DocumentError
        When it is not sound.
    """
    return read_map(text.encode("utf-8"), name=f"{source} (the map in it)", ruleset=ruleset)


def scenario_in(text: str, source: Path | str) -> ScenarioDocument:
    """Return the scenario that a file of another program carries along as text.

    Raises
    ------
    DocumentError
        When it is not sound.
    """
    return read_scenario(text.encode("utf-8"), name=f"{source} (the scenario in it)").document


def set_plane(model: MapModel, plane: str, values: Mapping[int, Any]) -> int:
    """Give hexes the terrain or level that was read; return how many are other than before.

    Raises
    ------
    EditError
        When a level is beyond what a map can hold.
    """
    low, high = LEVEL_LIMITS
    array = model.terrain if plane == "terrain" else model.levels
    before = array.copy()
    for cell, value in values.items():
        if plane == "terrain":
            array.flat[cell] = model.terrain_ids.index(value)
        else:
            if not low <= value <= high:
                msg = f"{model.labels.label(cell)}: got level {value}, allowed {low} to {high}"
                raise EditError(msg)
            array.flat[cell] = value
    return int(np.count_nonzero(before != array))


def as_level(value: Any) -> int | None:
    """Return a level as a whole number; None where it is none.

    Examples
    --------
    >>> as_level("2"), as_level(3.0), as_level("high"), as_level("1.5")
    (2, 3, None, None)
    """
    try:
        number = float(str(value).strip())
    except ValueError:
        return None
    return int(number) if number.is_integer() and abs(number) < 1e6 else None


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names as a list in words, cut when it is long."""
    every = list(names)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest} more" if rest > 0 else "")


def scheme_from(plain: Any) -> LabelScheme:
    """Return the label scheme that plain data describe.

    Raises
    ------
    DocumentError
        When they describe none.
    """
    try:
        return msgspec.convert(plain, LabelScheme)
    except msgspec.ValidationError as error:
        raise DocumentError("labels", [Fault("$.labels", str(error), "write it as in a map file")]) from error

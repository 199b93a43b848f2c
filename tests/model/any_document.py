"""Documents of every shape: records made by their types alone, at random or with a word of its own in each text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from studio.model import ScenarioDocument

IDS = [f"r{n}" for n in range(12)]
DICE = ["1D6", "2D6", "1D6+3", "8+1D6", "5", "D66", "-1"]
WORDS = st.lists(
    st.sampled_from(["all", "the", "units", "of", "Blue", "may", "enter", "W19", "when", "3", "are", "gone"]),
    max_size=8,
)
TEXTS = WORDS.map(" ".join) | WORDS.map(lambda words: " ".join(words) + "." if words else "")


def patterned(pattern: str) -> st.SearchStrategy[str]:
    """Return texts that match the pattern of a field."""
    if "#" in pattern:
        return st.sampled_from(["", "#0072b2"])
    if "[dD]" in pattern:
        return st.sampled_from(["", *DICE])
    return st.sampled_from(IDS)


def any_of(kind: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """Return values of a type of a field."""
    match kind:
        case inspect.StrType(pattern=None, max_length=None):
            return st.sampled_from(["", *IDS, "A1", "U9", "zone 25"])
        case inspect.StrType(pattern=None):
            return TEXTS
        case inspect.StrType():
            return patterned(kind.pattern)
        case inspect.IntType():
            low, high = kind.ge if kind.ge is not None else -3, kind.le if kind.le is not None else 12
            return st.integers(low, min(high, low + 20))
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.UnionType():
            return st.one_of([any_of(one, depth) for one in kind.types])
        case inspect.ListType() | inspect.VarTupleType():
            few = 0 if depth > 5 else max(kind.min_length or 0, 2)
            items = any_of(kind.item_type, depth + 1)
            if isinstance(kind.item_type, inspect.StrType):
                items = items.filter(bool)  # a label without letters names nothing
            found = st.lists(
                items,
                min_size=kind.min_length or 0,
                max_size=max(few, kind.min_length or 0),
            )
            return found if isinstance(kind, inspect.ListType) else found.map(tuple)
        case inspect.DictType():
            return st.dictionaries(
                any_of(kind.key_type, depth).filter(bool), any_of(kind.value_type, depth), max_size=2
            )
        case inspect.StructType():
            return any_record(kind.cls, depth + 1)
        case inspect.AnyType():
            return st.sampled_from(["a word", 3, True, None, ["a", "b"], {"id": "x", "name": "New"}])
    raise AssertionError(kind)


def any_record(kind: type[Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Return records of a type; of deep ones only what they must have."""
    told = inspect.type_info(kind)
    assert isinstance(told, inspect.StructType)
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for field in told.fields:
        if depth > 6 and not field.required:
            continue
        named = field.name in ("name", "nation", "level", "licence", "title")  # no sentences, which end with a stop
        values = st.deferred(lambda kind=field.type, depth=depth: any_of(kind, depth))
        values = WORDS.map(" ".join) if named else values
        fields[field.name] = values if field.required else st.one_of(st.just(_default(field)), values)
    return st.fixed_dictionaries(fields).map(lambda given: kind(**given))


def _default(field: inspect.Field) -> Any:
    if field.default is not msgspec.NODEFAULT:
        return field.default
    return field.default_factory()  # type: ignore[operator]


ANY_DOCUMENT = any_record(ScenarioDocument)

# -- a word of its own in each text ----------------------------------------------------------------------------------

UNSAID = {"id", "format", "version", "ruleset", "file", "color"}
"""Fields that are no words of a scenario: keys, and where the file of the map lies."""


class Planter:
    """Makes records in which every field is filled, each text with a word that stands nowhere else."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self._count = count()

    def word(self, path: str) -> str:
        """Return a new word, and remember where it stands."""
        n = next(self._count)
        made = "q" + "".join("bcdfghjklm"[int(digit)] for digit in f"{n:04d}") + "x"
        self.words[made] = path
        return made

    def value(self, kind: Any, path: str, depth: int) -> Any:
        """Return a value of a type of a field."""
        match kind:
            case inspect.StrType(pattern=None):
                return self.word(path)
            case inspect.StrType():
                return "#0072b2" if "#" in kind.pattern else "1D6+3" if "[dD]" in kind.pattern else self.word(path)
            case inspect.IntType():
                return max(kind.ge or 0, 1)
            case inspect.BoolType():
                return True
            case inspect.LiteralType():
                return next(one for one in kind.values if one)
            case inspect.UnionType():
                return self.value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), path, depth)
            case inspect.ListType():
                return list(self.each(kind.item_type, path, depth))
            case inspect.VarTupleType():
                return tuple(self.each(kind.item_type, path, depth))
            case inspect.DictType():
                key = self.value(kind.key_type, path, depth)
                return {key: self.value(kind.value_type, path, depth)}
            case inspect.StructType():
                return next(self.records(kind.cls, path, depth + 1))
        raise AssertionError(kind)

    def each(self, kind: Any, path: str, depth: int) -> Iterator[Any]:
        """Yield items of a list: of records one for each value of each of its fields with a choice."""
        if isinstance(kind, inspect.UnionType | inspect.AnyType):
            return
        if not isinstance(kind, inspect.StructType):
            yield self.value(kind, path, depth)
        elif depth < 5:
            yield from self.records(kind.cls, path, depth + 1)

    def records(self, kind: type[Any], path: str, depth: int) -> Iterator[Any]:
        """Yield records of a type, the first one plain, the others with another choice each."""
        told = inspect.type_info(kind)
        assert isinstance(told, inspect.StructType)
        choices: list[dict[str, Any]] = [{}]
        for field in told.fields:
            if isinstance(field.type, inspect.LiteralType) and depth < 4:
                choices += [{field.name: one} for one in field.type.values[1:] if one]
        for choice in choices:
            given = {}
            for field in told.fields:
                if depth >= 5 and not field.required and isinstance(field.type, inspect.VarTupleType):
                    continue
                at = f"{path}.{field.name}"
                before = len(self.words)
                given[field.name] = choice.get(field.name) or self.value(field.type, at, depth)
                if field.name in UNSAID:
                    for word in list(self.words)[before:]:
                        del self.words[word]
            yield kind(**given)


def planted() -> tuple[ScenarioDocument, dict[str, str]]:
    """Return a document in which every field is filled, and where each of its words stands."""
    planter = Planter()
    document = next(planter.records(ScenarioDocument, "$", 0))
    return document, planter.words


def squeezed(text: str) -> str:
    """Return a text without its gaps, so that a line break within a word does not matter."""
    return re.sub(r"\s+", "", text)

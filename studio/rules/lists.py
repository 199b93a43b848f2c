"""Where a list of what is next to what, kept by hand, and the drawn map disagree: of any game with areas to be in."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import msgspec

from studio.errors import DocumentError, Fault, UnsupportedError, nearest
from studio.model import Area, natural_key
from studio.survey import Survey, ring_edges
from studio.survey.stretches import on_segment

if TYPE_CHECKING:
    from studio.model import Point

__all__ = [
    "Disagreement",
    "Disagreements",
    "DrawnAreas",
    "DrawnPlaces",
    "Relation",
    "ZoneLists",
    "common_corner",
    "compare_lists",
    "read_lists",
]

Relation: TypeAlias = Literal["adjacent", "neighbouring", "targets"]

RELATIONS: tuple[Relation, ...] = ("adjacent", "neighbouring", "targets")

MAX_BYTES = 4_000_000
"""Largest file of lists that is read."""


class ZoneLists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a list says of one zone; None for what it does not say, which is then not compared.

    Parameters
    ----------
    adjacent, neighbouring, targets : tuple of str, or None
        Labels of zones.
    """

    adjacent: tuple[str, ...] | None = None
    neighbouring: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None

    def of(self, relation: Relation) -> tuple[str, ...] | None:
        """Return one of the three lists."""
        found: tuple[str, ...] | None = getattr(self, relation)
        return found


class Disagreement(msgspec.Struct, frozen=True):
    """One point in which a list and the map, or a list and itself, disagree.

    Attributes
    ----------
    kind : {"not_listed", "not_drawn", "one_way", "unknown", "same_name"}
        Drawn, but not in the list; in the list, but not drawn; one zone lists the other, which does not list it; a
        name that no zone of the map has; several zones with one name.
    relation : {"adjacent", "neighbouring", "targets"} or ""
    rule : str
        Section of the rulebook.
    a, b : str
        The zones, by the names of the list; b may be empty.
    text : str
        The fault in a sentence.
    """

    kind: Literal["not_listed", "not_drawn", "one_way", "unknown", "same_name"]
    relation: Literal["adjacent", "neighbouring", "targets", ""]
    rule: str
    a: str
    b: str
    text: str

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]" if self.rule else self.text


class Disagreements(list[Disagreement]):
    """What a comparison found; prints as text, and as a table in a notebook."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "the lists and the map agree"

    def _repr_html_(self) -> str:
        if not self:
            return "<i>the lists and the map agree</i>"
        names = ("a", "b", "relation", "kind", "text", "rule")
        head = "".join(f"<th>{name}</th>" for name in names)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(getattr(one, name))}</td>' for name in names)}</tr>" for one in self
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


class DrawnPlaces(Protocol):
    """What a comparison asks a map: who is next to whom, by label."""

    @property
    def rules(self) -> Mapping[Relation, str]:
        """The relations that the game knows, with their sections."""
        ...

    @property
    def mutual(self) -> frozenset[Relation]:
        """Those that hold both ways."""
        ...

    @property
    def named(self) -> Mapping[str, list[str]]:
        """Ids of the areas by the name that they bear."""
        ...

    @property
    def zones(self) -> Mapping[str, str]:
        """Ids of the zones by label, in order."""
        ...

    def related(self, label: str, relation: Relation) -> set[str]:
        """Return the labels of the zones that stand in a relation to one."""
        ...

    def why(self, a: str, b: str, relation: Relation) -> str:
        """Return why two zones are related, as what follows their names."""
        ...

    def why_not(self, a: str, b: str, relation: Relation) -> str:
        """Return why the second zone is not related to the first, as a clause."""
        ...


# -- reading ---------------------------------------------------------------------------------------------------------


def read_lists(given: Mapping[str, Any] | str | os.PathLike[str]) -> dict[str, ZoneLists]:
    """Read lists of what is next to what.

    Parameters
    ----------
    given : mapping or path
        By zone, the labels of those adjacent to it, or ``{"adjacent": [...], "neighbouring": [...], "targets": [...]}``
        with as many of the three as are known, or a ZoneLists. Or a CSV file: its first column names the zone, the
        others are ``adjacent``, ``neighbouring``, ``targets``; their labels are parted by commas or semicolons, or
        else by spaces.

    Returns
    -------
    dict of str to ZoneLists

    Raises
    ------
    DocumentError
        When the file cannot be read, or what is given is no such list; all faults at once.
    """
    if isinstance(given, str | os.PathLike):
        return _read_csv(Path(given))
    faults: list[Fault] = []
    found: dict[str, ZoneLists] = {}
    form = "give {'3': ['2', '4']} or {'3': {'adjacent': ['2', '4'], 'neighbouring': ['14']}}"
    if not isinstance(given, Mapping):
        raise DocumentError("lists", [Fault("$", f"got {given!r}", f"{form}, or the path of a CSV file")])
    for zone, lists in given.items():
        plain = lists if isinstance(lists, Mapping | ZoneLists | str) else {"adjacent": lists}
        try:
            made = plain if isinstance(plain, ZoneLists) else msgspec.convert(plain, ZoneLists)
        except msgspec.ValidationError as error:
            faults.append(Fault(f"$[{zone!r}]", f"got {lists!r}: {error}", form))
        else:
            found[str(zone)] = made
    if faults:
        raise DocumentError("lists", faults)
    return found


def _read_csv(path: Path) -> dict[str, ZoneLists]:
    file = os.fspath(path)
    try:
        if path.stat().st_size > MAX_BYTES or not path.is_file():
            raise DocumentError(file, [Fault("$", f"is no file of {MAX_BYTES:,} bytes at most", "name a CSV file")])
        text = path.read_text(encoding="utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except OSError as error:
        raise DocumentError(file, [Fault("$", f"cannot be read: {error.strerror}", "name a CSV file")]) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise DocumentError(file, [Fault("$", f"is no CSV: {error}", "save it as CSV in UTF-8")]) from error
    head = [name.strip().lower() for name in rows[0]] if rows else []
    allowed = f"a column with the zone, and then some of {', '.join(RELATIONS)}"
    unknown = [name for name in head[1:] if name not in RELATIONS]
    if len(head) < 2 or unknown or len(set(head)) < len(head):
        got = ", ".join(head) or "nothing"
        fault = Fault("line 1", f"got the columns {got}; allowed: {allowed}", "name the columns so")
        raise DocumentError(file, [fault])
    found: dict[str, ZoneLists] = {}
    faults = []
    for number, row in enumerate(rows[1:], 2):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        if not cells[0] or len(cells) > len(head) or cells[0] in found:
            what = (
                "no zone" if not cells[0] else f"{len(cells)} cells" if len(cells) > len(head) else f"{cells[0]} again"
            )
            faults.append(Fault(f"line {number}", f"got {what}", f"give each zone one line of {len(head)} cells"))
            continue
        lists = {name: _labels(cell) for name, cell in zip(head[1:], cells[1:], strict=False)}
        found[cells[0]] = msgspec.convert(lists, ZoneLists)
    if faults:
        raise DocumentError(file, faults)
    return found


def _labels(cell: str) -> list[str]:
    parts = cell.replace(";", ",").split(",") if "," in cell or ";" in cell else cell.split()
    return [part.strip() for part in parts if part.strip()]


# -- comparing -------------------------------------------------------------------------------------------------------


def compare_lists(drawn: DrawnPlaces, given: Mapping[str, ZoneLists]) -> Disagreements:
    """Compare what is drawn with a list, both ways, and the list with itself.

    Parameters
    ----------
    drawn : DrawnPlaces
    given : mapping of str to ZoneLists
        By the label of the zone. Zones that it leaves out are not compared, but may be named.

    Returns
    -------
    Disagreements
        Names first, then relation by relation, zones in natural order.

    Raises
    ------
    UnsupportedError
        When the lists have a relation that the game has not.
    """
    for name, lists in given.items():
        for relation in RELATIONS:
            if lists.of(relation) is not None and relation not in drawn.rules:
                msg = f"{name}: the list says what is {relation}; this game knows {', '.join(drawn.rules)} only"
                raise UnsupportedError(msg)
    found = Disagreements(_names(drawn, given))
    for relation in drawn.rules:
        found += _drawn_and_listed(drawn, given, relation)
        if relation in drawn.mutual:
            found += _one_way(drawn, given, relation)
    return found


def _names(drawn: DrawnPlaces, given: Mapping[str, ZoneLists]) -> Iterator[Disagreement]:
    section = next(iter(drawn.rules.values())).rpartition(".")[0]
    for name, ids in sorted(drawn.named.items(), key=lambda item: natural_key(item[0])):
        if len(ids) > 1:
            text = f"{name}: {len(ids)} areas have this name ({', '.join(ids)}); give each a name of its own"
            yield Disagreement("same_name", "", section, name, "", text)
    for name in sorted(given, key=natural_key):
        if name not in drawn.zones:
            text = f"{name}: the list has this zone, the map has not; {nearest(name, drawn.zones)}"
            yield Disagreement("unknown", "", section, name, "", text)
        for relation, rule in drawn.rules.items():
            for other in dict.fromkeys(given[name].of(relation) or ()):
                if other not in drawn.zones:
                    text = f"{name}: its list names {other}, which is no zone of the map; {nearest(other, drawn.zones)}"
                    yield Disagreement("unknown", relation, rule, name, other, text)


def _drawn_and_listed(drawn: DrawnPlaces, given: Mapping[str, ZoneLists], relation: Relation) -> Iterator[Disagreement]:
    rule = drawn.rules[relation]
    for name in sorted(given.keys() & drawn.zones.keys(), key=natural_key):
        listed = given[name].of(relation)
        if listed is None:
            continue
        there = drawn.related(name, relation)
        for other in sorted(there - set(listed), key=natural_key):
            text = f"{name} and {other} {drawn.why(name, other, relation)}, but the list of {name} has not {other}"
            yield Disagreement("not_listed", relation, rule, name, other, text)
        for other in sorted((set(listed) - there) & drawn.zones.keys(), key=natural_key):
            text = f"{name}: its list has {other}, but {drawn.why_not(name, other, relation)}"
            yield Disagreement("not_drawn", relation, rule, name, other, text)


def _one_way(drawn: DrawnPlaces, given: Mapping[str, ZoneLists], relation: Relation) -> Iterator[Disagreement]:
    for name in sorted(given, key=natural_key):
        for other in sorted(set(given[name].of(relation) or ()), key=natural_key):
            back = given[other].of(relation) if other in given else None
            if back is not None and name not in back:
                text = f"{name}: its list has {other} as {relation}, the list of {other} has not {name}"
                yield Disagreement("one_way", relation, drawn.rules[relation], name, other, text)


# -- games without rules of their own --------------------------------------------------------------------------------


class DrawnAreas:
    """The areas of any map that are locations: adjacent are those that a side joins.

    Parameters
    ----------
    survey : Survey
    title : str
        Title of the game.

    Raises
    ------
    UnsupportedError
        When no area of the map is a location.
    """

    mutual: frozenset[Relation] = frozenset({"adjacent"})

    def __init__(self, survey: Survey, title: str) -> None:
        self.survey = survey
        self.rules: dict[Relation, str] = {"adjacent": ""}
        self.zones = {location.label: location.feature for location in survey.directory.of("area")}
        if not self.zones:
            msg = f"{title}: no area of this map is a location, so there is nothing that a list could say of it"
            raise UnsupportedError(msg)
        self.named: dict[str, list[str]] = {}
        for area in map(survey.area, self.zones.values()):
            self.named.setdefault(area.name or area.id, []).append(area.id)

    @cached_property
    def _sides(self) -> dict[frozenset[str], tuple[str, ...]]:
        return {
            frozenset((side.a, side.b)): () if side.joined else side.kinds
            for side in self.survey.boundaries
            if side.a_id and side.b_id
        }

    @cached_property
    def _related(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for pair, closed in self._sides.items():
            if not closed:
                a, b = sorted(pair)
                found.setdefault(a, set()).add(b)
                found.setdefault(b, set()).add(a)
        return found

    def related(self, label: str, relation: Relation) -> set[str]:
        """Return the labels of the areas next to one; `relation` is always "adjacent"."""
        return self._related.get(label, set())

    def why(self, a: str, b: str, relation: Relation) -> str:
        """Return why two areas are next to each other, as what follows their names."""
        return "share a border"

    def why_not(self, a: str, b: str, relation: Relation) -> str:
        """Return why two areas are not next to each other, as a clause."""
        if a == b:
            return "that is the zone itself"
        closed = self._sides.get(frozenset((a, b)))
        if closed:
            return f"all of their border is closed ({', '.join(closed)})"
        corner = common_corner(self.survey.area(self.zones[a]), self.survey.area(self.zones[b]))
        return "they share no border" if corner is None else f"they meet at a corner only, at {corner[0]}, {corner[1]}"


def common_corner(a: Area, b: Area) -> Point | None:
    """Return the first point at which a corner of one area meets the outline of another, None without any."""
    outlines = [[edge for ring in (area.outline, *area.holes) for edge in ring_edges(ring)] for area in (a, b)]
    found = [
        corner
        for edges, others in (outlines, outlines[::-1])
        for corner, _ in edges
        if any(on_segment(corner, other) for other in others)
    ]
    return min(found, default=None)

"""Set-up areas, entries and distances in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from studio.model.setup import Distance, SetUp
from studio.model.wording.english import counted, fields_told, listed, opened, phrase, spoken
from studio.model.wording.names import Names

__all__ = [
    "area_parts",
    "area_phrase",
    "area_words",
    "between",
    "describe_area",
    "distance_phrase",
    "edges_phrase",
    "labels_phrase",
]


def labels_phrase(labels: Sequence[str], word: str = "or", most: int = 0) -> str:
    """Return labels as a list, of many only the first.

    Examples
    --------
    >>> labels_phrase(["A1", "A2", "A3", "A4"], most=2), labels_phrase(["A1", "A2"])
    ('A1, A2 and 2 more', 'A1 or A2')
    >>> labels_phrase([*(f"D{row}" for row in range(9, 14)), "E9", "E10", "E11", "E12"])
    'D9 to D13 or E9 to E12'
    """
    labels = [label for label in labels if label]
    if most and len(labels) > most:
        return f"{', '.join(labels[:most])} and {len(labels) - most} more"
    return listed(_runs(labels), word)


def _runs(labels: Sequence[str]) -> list[str]:
    """Return labels with those that follow one another in a column drawn together, where there are many."""
    if len(labels) < _MANY:
        return list(labels)
    runs: list[list[str]] = []
    for label in labels:
        if runs and _follows(runs[-1][-1], label):
            runs[-1].append(label)
        else:
            runs.append([label])
    return [text for run in runs for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]


def _follows(before: str, label: str) -> bool:
    old, new = _NUMBERED.fullmatch(before), _NUMBERED.fullmatch(label)
    return bool(old and new) and old[1] == new[1] and int(new[2]) == int(old[2]) + 1  # type: ignore[index]


_MANY = 9
_NUMBERED = re.compile(r"([A-Za-z]+)([0-9]{1,4})")


def distance_phrase(distance: Distance, names: Names | None = None) -> str:
    """Return a distance in words.

    Examples
    --------
    >>> distance_phrase(Distance(places=("X14",), least=7))
    'at least 7 hexes from X14'
    >>> distance_phrase(Distance(features=("crest-2",), direction="east", least=3))
    'at least 3 hexes east of crest-2'
    >>> distance_phrase(Distance(edges=("north",), most=0)), distance_phrase(Distance(terrain=("woods",), most=1))
    ('on the north edge', 'in or adjacent to woods')
    >>> distance_phrase(Distance(places=("A1",), least=2, most=4))
    '2 to 4 hexes from A1'
    """
    names = names or Names()
    what = _named(distance, names) or "a place that is not named"
    way = f"{distance.direction} of" if distance.direction else ""
    far = _how_far(distance)
    if way:
        return phrase(far, way, what)
    if far:
        return f"{far} from {what}"
    if distance.most == 0:
        return f"{'on' if distance.edges and not distance.terrain else 'in'} {what}"
    return f"in or adjacent to {what}" if distance.most == 1 else f"in or within {distance.most} hexes of {what}"


def _how_far(distance: Distance) -> str:
    """Return how many hexes; empty where the distance is better said by being in or near."""
    least, most = distance.least, distance.most
    if most is None:
        return f"at least {counted(least, 'hex')}" if least or not distance.direction else ""
    if least == most and most:
        return f"exactly {counted(most, 'hex')}"
    if least:
        return f"{least} to {counted(most, 'hex')}"
    return f"at most {counted(most, 'hex')}" if distance.direction else ""


def _named(distance: Distance, names: Names) -> str:
    parts = [
        *distance.places,
        edges_phrase(distance.edges).replace("any edge", "every edge"),
        *(names.terrain(one) for one in distance.terrain),
        *(names.feature(one) for one in distance.features),
        *(names.whom(one) for one in distance.units),
        *(f"the area of {names.whom(one)}" for one in distance.areas_of),
    ]
    return listed(parts, "or")


def area_phrase(where: SetUp, names: Names | None = None, *, most: int = 0) -> str:
    """Return where units may be placed, enter, stay or leave, without the words that its author added.

    Parameters
    ----------
    where : SetUp
    names : Names, optional
    most : int
        Labels that are listed; all of them when 0.

    Examples
    --------
    >>> area_phrase(SetUp(hexes=("U9",), within=2)), area_phrase(SetUp(edges=("north",), first_column="W"))
    ('at U9 or within 2 hexes of it', 'on the north edge, in columns from W on')
    >>> area_phrase(SetUp())
    'anywhere in play'
    """
    names = names or Names()
    own = phrase(*_conditions(where, names, most), *_limits(where, names), mark=", ")
    if not where.also:
        return own or "anywhere in play"
    others = [_bracketed(other, names, most) for other in where.also]
    return "; or ".join([own] * bool(own) + others)


def edges_phrase(edges: Sequence[str]) -> str:
    """Return edges of the map in words.

    Examples
    --------
    >>> edges_phrase(["north", "east"]), edges_phrase(["north", "east", "south", "west"]), edges_phrase([])
    ('the north or east edge', 'any edge', '')
    """
    if not edges:
        return ""
    return "any edge" if len(set(edges)) == 4 else f"the {listed(edges, 'or')} edge"


def area_words(where: SetUp, names: Names | None = None, *, most: int = 0, lead: str = "") -> str:
    """Return an area with what its author wrote of it, as one phrase.

    Words that say all that the fields say stand alone; others explain what the fields say.

    Parameters
    ----------
    where : SetUp
    names : Names, optional
    most : int
        Labels that are listed; all of them when 0.
    lead : str
        What goes before, such as "sets up".

    Examples
    --------
    >>> area_words(SetUp(hexes=("B8",), within=1, text="In B8 or beside it."), lead="sets up")
    'sets up: in B8 or beside it'
    >>> area_words(SetUp(first_column="E", text="East of hexline D."), lead="sets up")
    'sets up in columns from E on: east of hexline D'
    """
    own, text = area_parts(where, names, most=most)
    head = phrase(lead, own)
    return f"{head}: {text}" if head and text else head or text


def _bracketed(where: SetUp, names: Names, most: int) -> str:
    own, text = area_parts(where, names, most=most)
    return f"{own} ({text})" if own and text else own or text


def area_parts(where: SetUp, names: Names | None = None, *, most: int = 0) -> tuple[str, str]:
    """Return an area by its fields, empty where the words of its author say as much, and these words.

    Examples
    --------
    >>> area_parts(SetUp(edges=("west",), text="Anywhere on the west edge."))
    ('', 'anywhere on the west edge')
    """
    text = where.text.strip().rstrip(".")
    own = area_phrase(where, names, most=most)
    if not text:
        return own, ""
    if where == SetUp(text=where.text) or fields_told(own, text):
        own = ""
    return own, opened(text)


def _conditions(where: SetUp, names: Names, most: int) -> list[str]:
    terrain = listed((names.terrain(one) for one in where.terrain), "or")
    features = listed((names.feature(one) for one in where.features), "or")
    barred = [
        *where.without,
        *(names.terrain(one) for one in where.without_terrain),
        *(names.feature(one) for one in where.without_features),
    ]
    return [
        _hexes(where, most),
        f"in {terrain} hexes" if terrain else "",
        f"{'on' if 'road' in features.lower() else 'in'} {features}" if features else "",
        f"on {edges_phrase(where.edges)}" if where.edges else "",
        f"on {listed(map(spoken, where.sheets), 'or')}" if where.sheets else "",
        between("column", where.first_column, where.last_column),
        between("row", where.first_row, where.last_row),
        *(distance_phrase(one, names) for one in where.distances),
        f"not in {labels_phrase(barred, 'or', most)}" if barred else "",
        "in an empty hex" if where.empty else "",
    ]


def _hexes(where: SetUp, most: int) -> str:
    labels = labels_phrase(where.hexes, "or", most)
    if not labels:
        return ""
    if not where.within:
        return f"at {labels}"
    if len(where.hexes) == 1:
        near = "adjacent to it" if where.within == 1 else f"within {where.within} hexes of it"
        return f"at {labels} or {near}"
    return f"on or adjacent to {labels}" if where.within == 1 else f"on or within {where.within} hexes of {labels}"


def between(what: str, first: str, last: str) -> str:
    """Return a stretch of columns or rows by their printed texts; no text is no limit.

    Examples
    --------
    >>> between("column", "Q", ""), between("row", "5", "5"), between("row", "", "4")
    ('in columns from Q on', 'in row 5', 'in rows up to 4')
    """
    if first and last:
        return f"in {what} {first}" if first == last else f"in {what}s {first} to {last}"
    if first:
        return f"in {what}s from {first} on"
    return f"in {what}s up to {last}" if last else ""


_SAME = {"hex": "all in the same hex", "edge": "all by the same edge", "area": "all in the same area"}


def _limits(where: SetUp, names: Names) -> list[str]:
    least, most = where.least_in_hex, where.most_in_hex
    if least and most:
        held = f"{least} to {counted(most, 'unit')} in each hex" if least != most else f"{counted(most, 'unit')} a hex"
    elif least or most:
        held = f"at {'least' if least else 'most'} {counted(least or most, 'unit')} in a hex"
    else:
        held = ""
    return [
        _SAME.get(where.same, ""),
        f"by the same edge as {names.all_of(where.same_edge_as)}" if where.same_edge_as else "",
        f"by another edge than {names.all_of(where.other_edge_than)}" if where.other_edge_than else "",
        f"in other hexes than {names.all_of(where.other_hex_than)}" if where.other_hex_than else "",
        held,
        f"at most {counted(where.most_in_area, 'unit')} in an area" if where.most_in_area else "",
    ]


def describe_area(where: SetUp, names: Names | None = None) -> str:
    """Return a set-up area in few words: of long lists of labels the first six.

    Examples
    --------
    >>> describe_area(SetUp(hexes=("U9",), within=2))
    'at U9 or within 2 hexes of it'
    >>> describe_area(SetUp(edges=("north",)))
    'on the north edge'
    """
    return area_phrase(where, names, most=6)

"""What is wrong with the record of a feature, told as a designer speaks of it: the kind, its fields, and an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

import msgspec

from studio.errors import EditError, nearest
from studio.model import Feature
from studio.model.topology.rings import turn
from studio.rules import Ruleset

__all__ = ["check_record", "check_surface"]

_POINT = (
    "a point is [x, y] in whole lattice units, as map.grid.centre(map.labels.cell('0101')) gives the middle of a hex"
)
_POINTS = f"give [[x, y], [x, y], ...]; {_POINT}"
_LABELS = "give labels, such as ['0101', '0102']"
_WORDS = {
    "id": "letters, digits and _ . : - that begin with a letter or digit, 100 at most",
    "type": "a type of the game as a text",
    "path": _LABELS,
    "surface": "'paved' or 'unpaved'",
    "line": _POINTS,
    "outline": f"{_POINTS}; three corners or more in order, the first not repeated",
    "holes": f"give a list of outlines, of points [[x, y], [x, y], ...]; {_POINT}",
    "at": "a label, such as '0101'",
    "also": _LABELS,
    "dot": _POINT,
    "point": _POINT,
    "level": "a whole number from -20 to 100",
    "size": "a number above 0, 20 at most",
    "angle": "degrees from -360 to 360",
    "tags": "texts, such as ['fortified']",
    "arrows": "one arrow or two, each the label of a hex or those of two adjacent hexes: [['0504'], ['0504', '0604']]",
    "open": "True or False",
    "one_way": "True or False",
    "into": "the label of a location",
    "a": "the label of a location",
    "b": "the label of a location",
    "order": "a whole number from 0 to 1000",
}


class _Kind(NamedTuple):
    what: str
    example: str


_KINDS = {
    "road": _Kind("a road through adjacent hexes", 'map.add("road", path=["0101", "0102"])'),
    "crest": _Kind("a crest line through adjacent hexes", 'map.add("crest", path=["0101", "0102"])'),
    "contour": _Kind("a contour line", 'map.add("contour", level=1, line=[[x, y], [x, y], ...])'),
    "name": _Kind("a place name", 'map.add("name", text="Quneitra", at="0101")'),
    "marker": _Kind("a marker on a location", 'map.add("marker", type="{type}", at="0101")'),
    "area": _Kind("a drawn shape", 'map.add("area", type="{type}", outline=[[x, y], [x, y], [x, y], ...])'),
    "place": _Kind("a location without an outline", 'map.add("place", type="{type}", name="1 top", at=[x, y])'),
    "wall": _Kind("a wall drawn as a line", 'map.add("wall", type="{type}", line=[[x, y], [x, y], ...])'),
    "aperture": _Kind(
        "an opening in a wall", 'map.add("aperture", type="{type}", at=[x, y], into="29.1", arrows=[["0504"]])'
    ),
    "link": _Kind("two locations that belong together", 'map.add("link", type="{type}", a="1", b="2")'),
    "dot": _Kind("the dot of a hex, where it is not in its middle", 'map.add("dot", at="0101", point=[x, y])'),
}
_STRUCTS: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in get_args(Feature)}


def check_record(ruleset: Ruleset, record: Mapping[str, Any], known_label: Callable[[], str] | None = None) -> None:
    """Refuse the record of a feature that cannot be one of this game, with everything that is wrong with it.

    Parameters
    ----------
    ruleset : Ruleset
    record : mapping
        The fields of the feature and its ``kind``.
    known_label : callable, optional
        Returns the label of a location of the map, for the examples of what lies on one.

    Raises
    ------
    EditError
        Naming the kind, the fields, what was got and what is allowed.
    """
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in ruleset.feature_kinds:
        raise EditError(_unknown_kind(ruleset, kind))
    fields = {field.name: field for field in msgspec.structs.fields(_STRUCTS[kind])}
    types = ruleset.drawn_types(kind)
    example = _KINDS[kind].example.replace("{type}", next(iter(types), ""))
    lacking = [name for name, field in fields.items() if field.required and name not in record]
    faults = [f"missing {' and '.join(lacking)}"] if lacking else []
    for name, value in record.items():
        if name == "kind":
            continue
        if name not in fields:
            faults.append(f"no field {name!r}; it has {', '.join(fields)}")
        elif name == "type" and isinstance(value, str) and value not in types:
            near = nearest(value, types)
            known = "" if near.startswith("allowed") else f" It has {', '.join(types)}"
            faults.append(f"{ruleset.title} has no {kind} {value!r}; {near}{known}")
        else:
            faults += _value_faults(kind, name, value, fields[name].type)
    if faults:
        named = f"{kind} {record['id']}" if "id" in record else kind
        needs = f" of one of the types {', '.join(types)}" if "type" in lacking else ""
        told = ". ".join(faults)
        msg = f"{named}: {told}. {kind} is {_KINDS[kind].what}{needs}, such as {example}"
        if kind == "marker" and known_label is not None:
            msg = msg.replace("0101", known_label())
        raise EditError(msg)


def check_surface(record: Mapping[str, Any]) -> None:
    """Refuse an outline or a hole that encloses nothing, and a line that goes nowhere.

    What crosses itself is drawn, and found by the checks: a designer mends it on the map.

    Parameters
    ----------
    record : mapping
        Fields that may be anything; only points in whole numbers are looked at.

    Raises
    ------
    EditError
        Naming the feature, the points that were got and what is allowed.
    """
    kind = record.get("kind")
    named = f"{kind} {record.get('id', '')}".strip()
    if kind == "area":
        holes = record.get("holes")
        rings = {"outline": record.get("outline")}
        rings.update({f"holes[{n}]": hole for n, hole in enumerate(holes if isinstance(holes, list) else [])})
        for name, ring in rings.items():
            points = _whole_points(ring)
            if points and _on_one_line(points):
                msg = f"{named}: {name}: got {points[:6]}, which lie on one line; {_WORDS['outline']}"
                raise EditError(msg)
    elif kind in ("wall", "contour"):
        points = _whole_points(record.get("line"))
        if points and len(set(points)) < 2:
            msg = f"{named}: line: got {points[0]} alone, again and again; give two points or more that differ"
            raise EditError(msg)


def _on_one_line(points: list[tuple[int, int]]) -> bool:
    """Tell whether points lie on one line; a bow tie encloses as much on one hand as on the other, but does not."""
    p = points[0]
    q = next((point for point in points if point != p), p)
    return all(turn(p, q, point) == 0 for point in points)


def _whole_points(value: Any) -> list[tuple[int, int]]:
    """Return the points of a ring or a line, none where they are not points; that is told elsewhere."""
    try:
        return msgspec.convert(value, list[tuple[int, int]])
    except msgspec.ValidationError:
        return []


def _value_faults(kind: str, name: str, value: Any, type_: Any) -> list[str]:
    try:
        msgspec.convert(value, type_, strict=True)
    except msgspec.ValidationError as error:
        found = re.search(r"at `\$(.*)`", str(error))
        place, got = name, value
        for step in re.findall(r"\[([0-9]+)\]", found[1] if found else ""):
            if isinstance(got, str):
                break
            place, got = f"{place}[{step}]", got[int(step)]
        allowed = _POINT if name == "at" and kind in ("place", "aperture", "name") else _WORDS.get(name, "a text")
        return [
            f"{place}: got {got!r}; {allowed if allowed.startswith(('give', 'a point')) else f'allowed: {allowed}'}"
        ]
    return []


def _unknown_kind(ruleset: Ruleset, kind: Any) -> str:
    """Say what a word is in this game, when it is no kind of feature."""
    has = f"{ruleset.title} has the kinds {', '.join(ruleset.feature_kinds)}"
    if kind is None:
        return f"a feature needs a kind, as in map.add(kind, ...); {has}"
    for owner in ruleset.feature_kinds:
        if kind in ruleset.drawn_types(owner):
            return f'{kind} is a type of the kind {owner}: add("{owner}", type="{kind}", ...); {has}'
    if kind in ruleset.side_kinds:
        return f'{kind} is what runs on a hexside: set_side(a, b, "{kind}"); {has}'
    if kind in ruleset.terrains:
        return f'{kind} is terrain: paint(labels, terrain="{kind}"); {has}'
    near = nearest(str(kind), ruleset.feature_kinds)
    meant = f"{near} " if near.startswith("did") else ""
    return f"{ruleset.title} has no feature {kind!r}; {meant}It has the kinds {', '.join(ruleset.feature_kinds)}"

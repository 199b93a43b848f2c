"""The single members of a bundle: locations, sides and the sight table as bytes, checked against their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import numpy as np

from studio.errors import StudioError
from studio.files.records import Location, Side
from studio.model import MapUse
from studio.survey import Survey, hexes_on_edge, locations_in_play

__all__ = ["SIGHT_MAGIC", "ContentError", "checked", "lines", "location_list", "pretty", "side_list", "sight_bytes"]

SIGHT_MAGIC = b"WGSIGHT1"
EDGES = ("north", "east", "south", "west")


class ContentError(StudioError, ValueError):
    """Something that is not what a bundle promises to its readers."""


def pretty(value: Any) -> bytes:
    """Write one value indented."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def lines(records: list[dict[str, Any]]) -> bytes:
    """Write a list with one record a line."""
    if not records:
        return b"[]\n"
    encode = msgspec.json.Encoder().encode
    return b"[\n" + b",\n".join(encode(record) for record in records) + b"\n]\n"


def checked(record: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a record with the keys of its type first, in their order, after a check that it is one.

    Raises
    ------
    ContentError
        When it is none.
    """
    try:
        msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        msg = f"{kind.__name__.lower()} {record.get('label', record.get('id', ''))}: {error}; the bundle format differs"
        raise ContentError(msg) from error
    known = {name: record[name] for name in kind.__struct_fields__ if name in record}
    return {**known, **{name: record[name] for name in sorted(record) if name not in known}}


def _point(point: Iterable[float]) -> list[float]:
    """Round to a millionth of a map unit, so that no last digit of a float differs between machines."""
    return [round(float(value), 6) + 0.0 for value in point]


def _sum(costs: Iterable[int | None]) -> int | None:
    """Add costs; one that is impassable makes the sum impassable."""
    total = 0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total


def location_list(
    survey: Survey, tables: Mapping[str, Any], use: MapUse | None = None, closed: frozenset[int] = frozenset()
) -> list[dict[str, Any]]:
    """Return every location as a bundle has it.

    Parameters
    ----------
    survey : Survey
        Of the map as it is played.
    tables : mapping
        Of the ruleset, as the bundle has them.
    use : MapUse, optional
        What of the map is in play; all of it without.
    closed : frozenset of int
        Numbers of locations that nothing may enter.

    Raises
    ------
    ContentError
        When a record is not what the format promises.
    """
    in_play = None if use is None else _in_play(survey, use)
    shut = {survey.directory.label(number) for number in closed if survey.directory.exists(number)}
    edges = _edges(survey)
    found = []
    for record in survey.location_records():
        label = record["label"]
        full = {
            **record,
            "in_play": in_play is None or label in in_play,
            "closed": label in shut,
            "edges": edges.get(label, []) if record["kind"] == "hex" else [],
            "enter_halves": _enter(record, tables, shut) if record["kind"] == "hex" else {},
            "dot": _point(record["dot"]),
            "outline": [_point(corner) for corner in record["outline"]],
            "holes": [[_point(corner) for corner in hole] for hole in record["holes"]],
        }
        found.append(checked(full, Location))
    return found


def _enter(record: Mapping[str, Any], tables: Mapping[str, Any], shut: set[str]) -> dict[str, int | None]:
    """Return the half points to enter a hex by mover: its terrain, or what its markers make of it, and its markers."""
    terrain, markers = record["terrain"], [tables["markers"][name] for name in record["markers"]]
    for marker in markers:
        terrain = marker["becomes"] or terrain
    costs = tables["terrain"][terrain]["enter_halves"]
    if record["label"] in shut:
        return dict.fromkeys(tables["movers"])
    return {
        mover: _sum((costs.get(mover), *(marker["move_halves"].get(mover) for marker in markers)))
        for mover in tables["movers"]
    }


def _edges(survey: Survey) -> dict[str, list[str]]:
    """Return the edges of the map that hexes lie on, by label; those in the middle are left out."""
    found: dict[str, list[str]] = {}
    for edge in EDGES:
        for cell in np.flatnonzero(hexes_on_edge(survey.grid, edge)).tolist():
            if survey.directory.exists(cell):
                found.setdefault(survey.directory.label(cell), []).append(edge)
    return found


def _in_play(survey: Survey, use: MapUse) -> set[str]:
    """Return the labels of the locations in play."""
    return {survey.directory.label(number) for number in locations_in_play(survey, use)}


def side_list(survey: Survey, tables: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every side with something on it as a bundle has it.

    Raises
    ------
    ContentError
        When a record is not what the format promises.
    """
    movers, kinds = tables["movers"], tables["sides"]
    found = []
    for record in survey.side_records():
        cross = {
            mover: _sum(kinds[kind]["cross_halves"].get(mover, 0) for kind in record["kinds"] if kind in kinds)
            for mover in movers
        }
        drawn = [[_point(point) for point in line] for line in record["lines"]]
        full = {**record, "cross_halves": cross, "ends": [_point(end) for end in record["ends"]], "lines": drawn}
        found.append(checked(full, Side))
    return found


def sight_bytes(table: Any, labels: list[str]) -> bytes:
    """Pack a sight table: 2 bits an ordered pair, row by row, the first pair in the lowest bits of a byte.

    Raises
    ------
    ContentError
        When the table is for other locations, or for the same in another order.
    """
    names = getattr(table, "names", labels)
    codes = table.packed if hasattr(table, "packed") else np.asarray(table)
    count = len(labels)
    size = codes.size if hasattr(table, "packed") else len(codes)
    if size != count or list(names) != labels:
        msg = f"the sight table is for {size} locations in another order, the map has {count}; make it anew"
        raise ContentError(msg)
    # Rows of a whole number of bytes at a time, so that a large table is never held at a byte a pair.
    parts = []
    for first in range(0, count, 256):
        last = min(count, first + 256)
        rows = codes.rows(slice(first, last)) if hasattr(codes, "rows") else codes[first:last]
        pairs = ((rows.astype(np.uint8).ravel() - 1) & 3).astype(np.uint8)
        pairs = np.concatenate((pairs, np.zeros(-len(pairs) % 4, dtype=np.uint8))).reshape(-1, 4)
        packed = pairs[:, 0] | pairs[:, 1] << 2 | pairs[:, 2] << 4 | pairs[:, 3] << 6
        parts.append(packed.astype(np.uint8).tobytes())
    return SIGHT_MAGIC + count.to_bytes(4, "little") + b"".join(parts)

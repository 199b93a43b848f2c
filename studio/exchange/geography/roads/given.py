"""Roads of a source: their lines as rows of hexes, and what the report says of the rivers that they cross."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geography.data.sources import columns_of, read_layer
from studio.exchange.geography.naming import said
from studio.exchange.geography.roads.along import Along, Led
from studio.exchange.geography.roads.net import Net
from studio.exchange.geography.roads.ways import Ways
from studio.exchange.geography.spec import RoadRule
from studio.exchange.geography.work import Work
from studio.grid import HALF

__all__ = ["lay_given"]

_AROUND = 3
"""Steps that a road of a source may go further to get round water that its line grazes."""


class _Bridges:
    """How often the roads of one name cross each river, in the data and on the map."""

    def __init__(self) -> None:
        self.data: Counter[int] = Counter()
        self.map: Counter[int] = Counter()
        self.sides: dict[tuple[int, int], list[int]] = {}
        self.spots: list[tuple[int, tuple[float, float]]] = []

    def count(self, along: Along, led: Led, paths: Sequence[Sequence[int]]) -> None:
        """Count those of a line."""
        self.data.update(one.river for one in led.crossings)
        self.spots += [(one.river, one.spot) for one in led.crossings]
        for side in (side for path in paths for side in along.streams.crossed(path)):
            self.sides[side] = along.streams.of(side)
            self.map.update(self.sides[side])

    def tell(self, work: Work, along: Along, name: str) -> None:
        """Write them into the report; a finding where the map is not as the data."""
        data, laid = self.data.total(), self.map.total()
        if not data and not laid:
            return
        other = sorted(river for river in {*self.data, *self.map} if self.data[river] != self.map[river])
        if not other:
            at = tuple(work.side_label(side) for side in sorted(self.sides))
            text = f"{name} crosses rivers as often on the map as in the data: {_times(data)}"
            work.report.add("roads", "decided", text, at, data=data, map=laid)
            return
        parts = [
            f"{along.streams.names[one]} {_times(self.data[one])} in the data, {_times(self.map[one])} on the map"
            for one in other
        ]
        spots = np.array([spot for river, spot in self.spots if river in other]).reshape(-1, 2) / along.scale
        cells = sorted({cell for cell in along.grid.cells_at(spots).tolist() if cell >= 0})
        sides = [side for side, rivers in sorted(self.sides.items()) if set(rivers) & set(other)]
        at = (*map(work.label, cells), *map(work.side_label, sides))
        work.report.add("roads", "finding", f"{name} crosses {'; '.join(parts)}", at, data=data, map=laid)


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def lay_given(work: Work, rule: RoadRule, where: str, net: Net) -> None:
    """Lay the lines of a source.

    Parameters
    ----------
    work : Work
    rule : RoadRule
    where : str
        What messages call the rule.
    net : Net
        The roads that are there already.

    Raises
    ------
    DocumentError
        When the source cannot be read.
    """
    column = rule.name if rule.name and rule.name in columns_of(work, rule.source, where) else ""
    layer = read_layer(work, rule.source, where, columns=[column], kinds="line")
    names = [said(one) for one in layer.columns[column]] if column else [rule.name] * len(layer.shapes)
    ways, along = Ways(work, rule.costs), Along(work)
    ids: list[str] = []
    around: list[tuple[int, int]] = []
    cut: list[int] = []
    short: list[int] = []
    bridges: dict[str, _Bridges] = {}
    steps = 0
    for name, line in _lines(work, layer.shapes, names):
        for led in along.lead(line):
            paths = list(_dry(ways, led.path, around, cut))
            steps += sum(net.lay(path, rule, ids, name) for path in paths)
            short += led.short
            bridges.setdefault(name, _Bridges()).count(along, led, paths)
    title = rule.source if column else rule.name or rule.source
    text = f"{title}: {len(ids)} roads of {len(layer.shapes)} lines"
    work.report.add("roads", "decided" if ids else "finding", text, roads=len(ids), steps=steps)
    for name in sorted(bridges):
        bridges[name].tell(work, along, name or title)
    if around:
        at = tuple(dict.fromkeys(work.label(cell) for pair in around for cell in pair))
        work.report.add("roads", "nudged", f"{title} is led round water or closed ground in {len(around)} places", at)
    if short:
        text = f"{title} ends before its lines do, rather than cross a river that they do not cross"
        work.report.add("roads", "nudged", text, tuple(dict.fromkeys(map(work.label, short))))
    if cut:
        text = f"{title} ends at water or closed ground, through which its lines lead on"
        work.report.add("roads", "finding", text, tuple(dict.fromkeys(map(work.label, cut))))


def _lines(work: Work, shapes: NDArray[Any], names: Sequence[str]) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield names and lines on the map, what has one name and joins end to end as one, the longest first."""
    import shapely

    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    x0, y0, x1, y1 = work.model.grid.frame
    found: list[tuple[float, bytes, str, Any]] = []
    for name, own in rows.items():
        parts = shapely.get_parts(np.asarray(shapes, dtype=object)[own])
        parts = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
        different = {shapely.to_wkb(one): one for one in shapely.normalize(parts)}
        merged = shapely.get_parts(
            shapely.line_merge(shapely.multilinestrings([different[key] for key in sorted(different)]))
        )
        # In the notches of a ragged edge a road stays on the map; beyond them it leaves it.
        inside = shapely.get_parts(shapely.clip_by_rect(merged, x0 - HALF, y0 - HALF, x1 + HALF, y1 + HALF))
        inside = inside[(shapely.get_type_id(inside) == 1) & (shapely.length(inside) > 0)]
        found += [(-round(float(shapely.length(one)), 3), shapely.to_wkb(one), name, one) for one in inside]
    for *_, name, one in sorted(found, key=lambda row: row[:3]):
        yield name, shapely.get_coordinates(one)


def _dry(ways: Ways, path: Sequence[int], around: list[tuple[int, int]], cut: list[int]) -> Iterator[list[int]]:
    """Yield what of a row of hexes leads over open ground; small detours round what is closed are made.

    Parameters
    ----------
    ways : Ways
    path : sequence of int
        Adjacent cells.
    around : list of (int, int)
        Is given the hexes between which a detour leads.
    cut : list of int
        Is given the hexes at which the road ends.
    """
    fine = [number for number, cell in enumerate(path) if ways.enter[cell] < np.inf]
    if not fine:
        cut += path[:1] if len(path) > 1 else []
        return
    part = [path[fine[0]]]
    for before, after in itertools.pairwise(fine):
        a, b = path[before], path[after]
        if after == before + 1 and ways.open(a, b):
            part.append(b)
            continue
        way = None if a == b else ways.find(a, b)
        if a == b:
            cut.append(a)  # out over water, and back
        elif way is not None and len(way.cells) - 1 <= after - before + _AROUND:
            part += way.cells[1:]
            around.append((a, b))
        else:
            yield part
            part = [b]
            cut += [a, b]
    cut += [path[end] for end in (fine[0], fine[-1]) if end not in (0, len(path) - 1)]
    yield part

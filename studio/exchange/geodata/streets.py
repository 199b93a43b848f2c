"""Lines of others that belong together: pieces of one street joined, roads that only repeat others found."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from studio.exchange.geodata.options import LayerRule
from studio.grid import HexGrid
from studio.model import MapModel, Road

__all__ = ["joined_rows", "repeated"]


def joined_rows(
    grid: HexGrid, rows: Sequence[tuple[Mapping[str, Any], Any]], rule: LayerRule
) -> list[tuple[Mapping[str, Any], Any]]:
    """Return a row for each name and value, with lines that meet end to end as one; longer ones first.

    Parameters
    ----------
    grid : HexGrid
    rows : sequence of (mapping, shapely geometry)
    rule : LayerRule
        Of names, only the longest line of each stays. A row without a name is joined with others of its value only.

    Returns
    -------
    list of (mapping, shapely geometry)
        With the columns of the first row of each.
    """
    import shapely

    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, (record, _) in enumerate(rows):
        key = tuple(str(record[column]) if column else "" for column in (rule.name, rule.attribute))
        groups[key[0], key[1]].append(number)
    scale = np.array(grid.scale)
    found: list[tuple[float, int, Any]] = []
    for members in groups.values():
        lines = [
            part
            for number in members
            for part in shapely.get_parts(rows[number][1]).tolist()
            if part.geom_type == "LineString"
        ]
        if not lines:
            continue
        merged = shapely.line_merge(shapely.multilinestrings(lines))
        true = shapely.transform(shapely.get_parts(merged), lambda points: points * scale)
        longest = int(np.argmax(shapely.length(true)))
        shape = shapely.get_parts(merged)[longest] if rule.to == "names" else merged
        found.append((float(shapely.length(true[longest])), members[0], shape))
    found.sort(key=lambda one: (-one[0], one[1]))
    return [(rows[first][0], shape) for _, first, shape in found]


def repeated(model: MapModel, path: Sequence[int], surface: str) -> bool:
    """Tell whether roads of the map lead along every step of a row of hexes already, as good ones at least.

    Parameters
    ----------
    model : MapModel
    path : sequence of int
        A single hex is repeated when a road runs through it.
    surface : {"paved", "unpaved"}
    """
    roads = [road for road in model.features_of(Road) if surface != "paved" or road.surface == "paved"]
    rows = [model.labels.cells(road.path) for road in roads]
    if len(path) < 2:
        return any(path[0] in row for row in rows)
    known = {frozenset(pair) for row in rows for pair in itertools.pairwise(row)}
    return all(frozenset(pair) in known for pair in itertools.pairwise(path))

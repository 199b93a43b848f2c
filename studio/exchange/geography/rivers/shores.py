"""Where the rivers of a map run on land: their lines cut to it, and what the ends of these are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.corners import CornerGraph
from studio.exchange.geography.rivers.strands import Strand
from studio.exchange.geography.rivers.streams import Network

__all__ = ["HEX", "Ground", "holds_hex", "led_on"]

HEX = 3**0.5
"""From a hex to the next one, in radii."""

_GRAZED = 0.5  # radii that a line may leave the land for without being cut there
_AT_EDGE = 0.25  # radii from the edge of the map within which a line that ends was cut there
_NEAR = 4.0  # radii around the lines of what the land is known


def led_on(ground: Ground, network: Network, strand: Strand, ends: list[str]) -> Strand:
    """Return a strand that ends within a hex of water led on to it: its line is short of the shore of the hexes.

    Parameters
    ----------
    ground : Ground
    network : Network
        The node where the strand ends is moved with it.
    strand : Strand
    ends : list of str
        What each node is; changed for that node.

    Returns
    -------
    Strand
    """
    import shapely

    node = strand.nodes[-1]
    if ends[node] not in ("", "shore") or ground.water.is_empty:
        return strand
    (_, _), (x, y) = shapely.shortest_line(shapely.Point(strand.points[-1]), ground.water).coords
    away = float(np.hypot(*(strand.points[-1] - (x, y))))
    if not 0 < away <= HEX:
        return strand
    network.nodes[node] = x, y
    ends[node] = "shore"
    places = (*strand.places[:-1], strand.places[-1] + 1)
    return Strand(strand.river, strand.nodes, places, np.concatenate([strand.points, [(x, y)]]))


class Ground:
    """The land near some lines.

    Parameters
    ----------
    graph : CornerGraph
    lines : sequence of shapely LineString
        On the lattice.
    wet : array of bool, shape (cells,)
        Hexes that are all water.

    Attributes
    ----------
    land, water, map : shapely geometry
        In radii, as far as they are near.
    """

    def __init__(self, graph: CornerGraph, lines: Sequence[Any], wet: NDArray[np.bool_]) -> None:
        import shapely

        self.graph = graph
        scaled = [_scaled(line, graph.scale) for line in lines if not line.is_empty]
        cells = graph.cells_near(shapely.MultiLineString(scaled), _NEAR) if scaled else np.zeros(0, dtype=np.int64)
        units = np.array(graph.grid.scale) / graph.scale
        dry, damp = (
            shapely.union_all(_hexes(graph, some, units)) if len(some) else shapely.Polygon()
            for some in (cells[~wet[cells]], cells[wet[cells]])
        )
        self.land, self.water = dry, damp
        self.map = shapely.union(dry, damp, grid_size=1e-9) if not damp.is_empty else dry
        self.wide = shapely.buffer(self.land, _GRAZED)
        for shape in (self.land, self.wide, self.map):
            shapely.prepare(shape)

    def cut(self, lines: Sequence[Any]) -> tuple[list[Any], bool]:
        """Return what of lines lies on land, in radii, and whether the edge of the map cut any of it off.

        Where a line leaves the land for less than half a radius it stays whole; its ends are exact.
        """
        import shapely
        from shapely.ops import substring

        found: list[Any] = []
        outside = False
        for line in lines:
            scaled = _scaled(line, self.graph.scale)
            if not shapely.covers(self.map, scaled):
                outside = True
            for part in _strings(shapely.intersection(scaled, self.wide)):
                dry = list(_strings(shapely.intersection(part, self.land)))
                if not dry:
                    continue
                if part.is_ring:  # it has no ends to be cut
                    found += dry
                    continue
                spots = [part.project(shapely.Point(piece.coords[n])) for piece in dry for n in (0, -1)]
                whole = substring(part, min(spots), max(spots))
                if whole.geom_type == "LineString" and whole.length > 0:
                    found.append(whole)
        return found, outside

    def ends(self, network: Network, joins: Sequence[float]) -> list[str]:
        """Return what each node is: a joint of several edges, the edge of the map, shore, or nothing else."""
        import shapely

        kinds = [""] * len(network.nodes)
        degrees = network.degrees()
        border = shapely.boundary(self.map)
        for edge in network.edges:
            for node in (edge.a, edge.b):
                if degrees[node] > 1:
                    kinds[node] = "joint"
                    continue
                spot = shapely.Point(network.nodes[node])
                shore = self.water.distance(spot) if not self.water.is_empty else np.inf
                if shore <= joins[edge.river]:
                    kinds[node] = "shore"
                elif border.distance(spot) <= _AT_EDGE:
                    kinds[node] = "edge"
        return kinds


def holds_hex(face: Any) -> bool:
    """Tell whether a polygon in radii has room for a whole hex: for the circle within it, wherever that lies."""
    return not face.buffer(-HEX / 2).is_empty


def _hexes(graph: CornerGraph, cells: NDArray[np.int64], units: NDArray[np.float64]) -> NDArray[Any]:
    """Return outlines, cut at the edge of the map, in radii."""
    import shapely

    found: NDArray[Any] = shapely.transform(graph.grid.outlines(cells), lambda points: points / units)
    return found


def _scaled(line: Any, scale: NDArray[np.float64]) -> Any:
    import shapely

    return shapely.LineString(shapely.get_coordinates(line) * scale)


def _strings(shape: Any) -> list[Any]:
    """Return the lines in a shape, put together where a cut left them in pieces."""
    import shapely

    lines = [part for part in shapely.get_parts(shape).tolist() if part.geom_type == "LineString" and part.length > 0]
    return shapely.get_parts(shapely.line_merge(shapely.MultiLineString(lines))).tolist()  # type: ignore[no-any-return]

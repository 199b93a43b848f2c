"""Rivers, and other lines on hexsides: what the specification asks for, and what the report says of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from studio.exchange.common.apart import farthest, segments
from studio.exchange.common.corners import corner_graph
from studio.exchange.common.lines import side_path
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.naming import check_known, folded, said
from studio.exchange.geography.rivers.banks import Banks
from studio.exchange.geography.rivers.shores import HEX, Ground
from studio.exchange.geography.rivers.snapped import Kept, River, Snapped, TownSpot, snap_rivers
from studio.exchange.geography.work import Work

__all__ = ["lay_lines", "lay_rivers"]

_FAR = 1.0
"""Radii off its line from where on a river is a finding."""
_LOST = 0.5  # hexes of a river that may go with a false loop without a word


class _Named(NamedTuple):
    name: str
    kind: str
    river: River


def lay_rivers(work: Work) -> None:
    """Lay the rivers of the specification on hexsides, and write down how well they lie there.

    Raises
    ------
    DocumentError
        When a rule names a kind of hexside, a source or a column that there is not.
    """
    named = _gathered(work)
    if not work.spec.rivers:
        return
    towns = [TownSpot(one.point, one.cell, one.town.river) for one in work.towns]
    made = snap_rivers(work.model.grid, [one.river for one in named], towns, work.water)
    for number, one in enumerate(named):
        sides = made.sides(number)
        if not sides:
            continue
        _add_sides(work, sides, one.kind)
        known = work.rivers.setdefault(one.name, [])
        known += [side for side in sides if side not in known]
        line = made.line(number)
        before = work.river_lines.get(one.name)
        work.river_lines[one.name] = line if before is None else before.union(line)
    _Told(work, made, named).tell()


def _add_sides(work: Work, sides: Iterable[tuple[int, int]], kind: str) -> None:
    model = work.model
    for key in sides:
        model.sides[key] = tuple(sorted({*model.sides.get(key, ()), kind}))


def _gathered(work: Work) -> list[_Named]:
    """Return the rivers of all rules: what has one name is one river, and lines without a name are one each."""
    import shapely

    found: list[_Named] = []
    nameless = 0
    for index, rule in enumerate(work.spec.rivers):
        at = f"rivers[{index}]"
        check_known(work, "kind of hexside", rule.kind, work.ruleset.side_kinds, f"{at}.kind")
        layer = read_layer(work, rule.source, at, columns=[rule.name], kinds="line")
        names = layer.columns[rule.name] if rule.name else [None] * len(layer.shapes)
        groups: dict[str, tuple[str, list[Any]]] = {}
        loose: list[Any] = []
        for name, shape in zip(map(said, names), layer.shapes.tolist(), strict=True):
            lines = _lines(shape)
            if name:
                groups.setdefault(folded(name) or name, (name, []))[1].extend(lines)
            else:
                loose += lines
        for name, lines in groups.values():
            found.append(_Named(name, rule.kind, River(name, lines, rule.join, rule.least)))
        for line in _lines(shapely.line_merge(shapely.MultiLineString(loose))) if loose else []:
            nameless += 1
            found.append(_Named(f"river {nameless}", rule.kind, River("", [line], rule.join, rule.least)))
    return found


def _lines(shape: Any) -> list[Any]:
    import shapely

    return [part for part in shapely.get_parts(shape).tolist() if part.geom_type == "LineString" and part.length > 0]


class _Told:
    """What the report says of the rivers.

    Parameters
    ----------
    work : Work
    made : Snapped
    named : sequence of _Named
    """

    def __init__(self, work: Work, made: Snapped, named: Sequence[_Named]) -> None:
        self.work, self.made, self.named = work, made, named

    def _add(self, kind: Any, text: str, at: tuple[str, ...] = (), **figures: float) -> None:
        self.work.report.add("rivers", kind, text, at, **figures)

    def tell(self) -> None:
        """Write all of it."""
        for number, one in enumerate(self.named):
            self._river(number, one.name)
            self._junctions(number, one.name)
            self._left_out(number, one.name)
        self._towns()
        figures = self.work.report.figures
        figures["river_cycles"] = float(self.made.cycles)
        figures["true_cycles"] = float(self.made.network.cycles)
        figures["towns_by_rivers"] = float(len(self.made.kept))
        figures["wrong_banks"] = float(sum(not one.kept for one in self.made.kept))
        figures["plain_wrong_banks"] = float(sum(not one.plain for one in self.made.kept))
        if figures["river_cycles"] != figures["true_cycles"]:
            text = (
                f"The rivers on the map close {self.made.cycles} loops, in the world {self.made.network.cycles}; look "
                "where rivers lie close together, or choose smaller hexes"
            )
            self._add("finding", text, river_cycles=self.made.cycles, true_cycles=self.made.network.cycles)

    def _river(self, number: int, name: str) -> None:
        made = self.made
        strands = [n for n, strand in enumerate(made.strands) if strand.river == number]
        sides = made.sides(number)
        if not strands or not sides:
            return
        length = sum(made.strands[n].length for n in strands) / HEX
        off = max(made.offs[n].distance for n in strands)
        gaps = made.network.gaps[number]
        ends = "1 end of its pieces was" if gaps == 1 else f"{gaps} ends of its pieces were"
        closed = f"; {ends} led on to what they join" if gaps else ""
        text = f"{name} runs along {len(sides)} hexsides, {off:.1f} radii off its line at most{closed}"
        self._add("decided", text, sides=len(sides), length=length, off=off, gaps=gaps)
        for n in strands:
            if made.offs[n].distance > _FAR:
                at = self._labels_at(made.offs[n].point)
                text = f"{name} and its line are {made.offs[n].distance:.1f} radii apart here"
                self._add("finding", text, at, off=made.offs[n].distance)

    def _labels_at(self, point: tuple[float, float]) -> tuple[str, ...]:
        """Return the label of the hex at a place on the lattice, or of the nearest one."""
        graph = self.made.graph
        cell = int(graph.grid.cells_at(np.array([point]))[0])
        if cell < 0:
            present = np.flatnonzero(graph.grid.present)
            away = (graph.grid.centres[present] - np.asarray(point)) * graph.scale
            cell = int(present[np.argmin((away**2).sum(axis=1))])
        return (self.work.label(cell),)

    def _junctions(self, number: int, name: str) -> None:
        made = self.made
        seen: set[tuple[int, int]] = set()
        for chain in made.chains:
            for joint in chain.joints if chain.river == number else ():
                other = made.chains[joint.chain].river
                if other == number or (other, joint.corner) in seen:
                    continue
                seen.add((other, joint.corner))
                at = tuple(self.work.label(cell) for cell in made.graph.cells_at(joint.corner))
                what = f"{name} and {self.named[other].name} meet in the corner of these hexes"
                moved = joint.early or joint.off > _FAR
                text = f"{what}, {joint.off:.1f} radii from where they do in the world" if moved else what
                self._add("nudged" if moved else "decided", text, at, off=joint.off)

    def _left_out(self, number: int, name: str) -> None:
        made = self.made
        if number in made.outside:
            self._add("note", f"{name} does not touch the land of the map: not drawn")
        if number in made.cut:
            self._add("note", f"{name} is cut off at the edge of the map")
        lost = made.network.lost.get(number, 0.0) / HEX
        if lost > _LOST:
            text = f"{lost:.1f} hexes of {name} are left out: no whole hex lies between them and another arm or river"
            self._add("note", text, lost=lost)
        if made.short[number]:
            least = self.named[number].river.least
            text = f"{name} has {made.short[number]} pieces shorter than {least:g} hexes, which join nothing; left out"
            self._add("note", text, pieces=made.short[number])
        for chain in made.failed:
            if chain.river == number:
                at = self._labels_at(tuple((np.array(chain.line.coords[0]) / made.graph.scale).tolist()))
                text = f"Other rivers leave {name} no hexsides for {chain.line.length / HEX:.1f} hexes from here"
                self._add("finding", text, at, length=chain.line.length / HEX)
        parts, gap = _parts(made, number)
        if parts > 1:
            text = f"{name} is in {parts} parts, the nearest {gap:.1f} radii from each other; a larger join joins them"
            self._add("note", text, parts=parts, gap=gap)

    def _towns(self) -> None:
        beside: dict[tuple[int, int], list[Kept]] = defaultdict(list)
        for one in self.made.kept:
            beside[one.river, self.work.towns[one.town].cell].append(one)
        for one in self.made.kept:
            town, river = self.work.towns[one.town], self.named[one.river].name
            at = (self.work.label(town.cell),)
            if one.kept:
                self._add("decided", f"{town.town.name} lies {one.hand} of {river}, as its line runs", at)
                continue
            rivals = [
                self.work.towns[other.town].town.name
                for other in beside[one.river, town.cell]
                if other.hand != one.hand and other.kept
            ]
            text = f"{town.town.name} lies {one.hand} of {river} in the world, as its line runs, and not so on the map"
            hint = self._better_hex(one)
            if rivals:
                text += (
                    f"; {' and '.join(rivals)} in the same hex {'lie' if len(rivals) > 1 else 'lies'} on the other bank"
                )
            if hint:
                text += f'; at = "{hint}" would put it on its own'
            self._add("finding", text, at)
        self._unknown_rivers()

    def _better_hex(self, one: Kept) -> str:
        """Return the hex on the true bank that is nearest to a town, of those around its own; empty where none is."""
        town, made = self.work.towns[one.town], self.made
        if town.town.at:
            return ""
        banks = [
            Banks(made.graph, chain.corners) for chain in made.chains if chain.river == one.river and chain.corners
        ]
        around = made.graph.grid.neighbours(town.cell)
        away = np.hypot(*((made.graph.grid.centres[around] - np.asarray(town.point)) * made.graph.scale).T)
        for n in np.argsort(away, kind="stable").tolist():
            hands = {bank.touches(around[n]) for bank in banks} - {None}
            if hands == {one.hand} and not self.work.water[around[n]]:
                return self.work.label(around[n])
        return ""

    def _unknown_rivers(self) -> None:
        near = Counter((one.town, folded(self.named[one.river].name)) for one in self.made.kept)
        for number, one in enumerate(self.work.towns):
            name = one.town.river
            if name and not near[number, folded(name)]:
                text = f"{one.town.name} is to keep its bank of {name}, but no river of that name is near"
                self._add("finding", text, (self.work.label(one.cell),))


def _parts(made: Snapped, number: int) -> tuple[int, float]:
    """Return in how many parts a river is, and the smallest gap between two of them in radii."""
    import shapely

    lines = [strand.line for strand in made.strands if strand.river == number]
    if len(lines) < 2:
        return len(lines), 0.0
    root = list(range(len(made.network.nodes)))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for edge in made.network.edges:
        root[find(edge.a)] = find(edge.b)
    groups: dict[int, list[Any]] = defaultdict(list)
    for strand in made.strands:
        if strand.river == number:
            groups[find(strand.nodes[0])].append(strand.line)
    wholes = [shapely.MultiLineString(those) for those in groups.values()]
    gaps = [one.distance(other) for n, one in enumerate(wholes) for other in wholes[:n]]
    return len(wholes), min(gaps, default=0.0)


def lay_lines(work: Work) -> None:
    """Lay the other lines of the specification on hexsides, each by itself.

    Raises
    ------
    DocumentError
        When a rule names a kind of hexside or a source that there is not.
    """
    grid = work.model.grid
    for index, rule in enumerate(work.spec.lines):
        at = f"lines[{index}]"
        check_known(work, "kind of hexside", rule.kind, work.ruleset.side_kinds, f"{at}.kind")
        layer = read_layer(work, rule.source, at, kinds="line")
        graph = corner_graph(grid)
        lines = [line for shape in layer.shapes.tolist() for line in _lines(shape)]
        ground = Ground(graph, lines, np.zeros(grid.cells, dtype=bool))
        found: set[tuple[int, int]] = set()
        worst, where = 0.0, (0, 0)
        for part in ground.cut(lines)[0]:
            path = side_path(grid, (np.array(part.coords) / graph.scale).tolist())
            found.update(path)
            for side in path:
                spots = np.array(grid.side_ends(*side)) * graph.scale
                off = farthest(spots[None], segments(part)).distance
                if off > worst:
                    worst, where = off, side
        _add_sides(work, sorted(found), rule.kind)
        text = f"{len(lines)} lines of {rule.source} lie on {len(found)} hexsides ({rule.kind})"
        work.report.add("lines", "decided", text, lines=len(lines), sides=len(found), off=worst)
        if worst > _FAR:
            text = f"A line of {rule.source} and its hexsides are {worst:.1f} radii apart here"
            work.report.add("lines", "finding", text, (work.side_label(where),), off=worst)

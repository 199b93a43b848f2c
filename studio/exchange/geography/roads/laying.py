"""Roads: of lines, or the cheapest way through towns and hexes; and the bridges where they cross rivers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import listed as in_words
from studio.exchange.common.lines import hex_path
from studio.exchange.geography.data.sources import read_layer
from studio.exchange.geography.naming import check_known, folded, free_id
from studio.exchange.geography.roads.ways import Ways, check_costs
from studio.exchange.geography.spec import RoadRule
from studio.exchange.geography.work import Work
from studio.grid import HALF
from studio.model import Road

__all__ = ["lay_bridges", "lay_roads"]

_AROUND = 3
"""Steps that a road of a source may go further to get round water that its line grazes."""
_NAMED = 40
"""Roads that the map's notes name one by one."""


class _Net:
    """The roads that are laid: every step between two hexes once."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.steps: dict[tuple[int, int], str] = {}

    def draws(self, a: int, b: int, surface: str) -> bool:
        """Tell whether a step is to be drawn: no road is there yet, or an unpaved one where a paved one goes."""
        there = self.steps.get((min(a, b), max(a, b)))
        return there is None or (there == "unpaved" and surface == "paved")

    def lay(self, path: Sequence[int], rule: RoadRule, ids: list[str]) -> int:
        """Draw what of a row of hexes is not there yet; return the number of its steps."""
        runs: list[list[int]] = [[]]
        for a, b in itertools.pairwise(path):
            if not self.draws(a, b, rule.surface):
                runs.append([])
                continue
            self.steps[min(a, b), max(a, b)] = rule.surface
            runs[-1] += [b] if runs[-1] else [a, b]
        for run in filter(None, runs):
            features = self.work.model.features
            new = free_id(features, rule.id) if rule.id else self.work.model.new_id("road")
            features[new] = Road(id=new, path=tuple(map(self.work.label, run)), surface=rule.surface, name=rule.name)
            ids.append(new)
        return sum(len(run) - 1 for run in runs if run)


def lay_roads(work: Work) -> None:
    """Lay the roads of the specification, in order; a step from hex to hex is drawn once, whatever runs there.

    Raises
    ------
    DocumentError
        When a rule names what the game, the map or the sources do not have.
    """
    net, made_up = _Net(work), []
    for number, rule in enumerate(work.spec.roads):
        where = f"roads[{number}]" + (f" ({rule.id})" if rule.id else "")
        if bool(rule.source) == bool(rule.through):
            message = (
                f"{where} names {'both a source and' if rule.source else 'neither a source nor'} what it leads through"
            )
            raise refused(work.name, message, "name either source or through")
        check_costs(work, rule.costs, where)
        if rule.source:
            _lay_given(work, rule, where, net)
        else:
            ids = _lay_through(work, rule, where, net)
            made_up += [f"{rule.name} ({ids[0]})" if rule.name else ids[0]] if ids else []
    if made_up:
        text = f"No data give these roads; they are made up, each as the cheapest way: {in_words(made_up, _NAMED)}."
        work.model.notes = "\n".join(filter(None, [work.model.notes.rstrip(), text]))


# -- roads of a source -----------------------------------------------------------------------------------------------


def _lay_given(work: Work, rule: RoadRule, where: str, net: _Net) -> None:
    """Lay the lines of a source."""
    layer = read_layer(work, rule.source, where, kinds="line")
    ways = Ways(work, rule.costs)
    ids: list[str] = []
    around: list[tuple[int, int]] = []
    cut: list[int] = []
    steps = 0
    for line in _lines(work, layer.shapes):
        for path in _unbroken(work, hex_path(work.model.grid, line.tolist())):
            for dry in _dry(ways, path, around, cut):
                steps += net.lay(dry, rule, ids)
    text = f"{rule.name or rule.source}: {len(ids)} roads of {len(layer.shapes)} lines"
    kind = "decided" if ids else "finding"
    work.report.add("roads", "decided" if kind == "decided" else "finding", text, roads=len(ids), steps=steps)
    if around:
        at = tuple(dict.fromkeys(work.label(cell) for pair in around for cell in pair))
        text = f"{rule.name or rule.source} is led round water or closed ground in {len(around)} places"
        work.report.add("roads", "nudged", text, at)
    if cut:
        text = f"{rule.name or rule.source} ends at water or closed ground, through which its lines lead on"
        work.report.add("roads", "finding", text, tuple(dict.fromkeys(map(work.label, cut))))


def _lines(work: Work, shapes: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
    """Yield lines on the map, what joins end to end as one, the longest first."""
    import shapely

    parts = shapely.get_parts(np.asarray(shapes, dtype=object))
    parts = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
    if not len(parts):
        return
    different = {shapely.to_wkb(one): one for one in shapely.normalize(parts)}
    merged = shapely.get_parts(
        shapely.line_merge(shapely.multilinestrings([different[key] for key in sorted(different)]))
    )
    x0, y0, x1, y1 = work.model.grid.frame
    # In the notches of a ragged edge a road stays on the map; beyond them it leaves it.
    inside = shapely.get_parts(shapely.clip_by_rect(merged, x0 - HALF, y0 - HALF, x1 + HALF, y1 + HALF))
    inside = inside[(shapely.get_type_id(inside) == 1) & (shapely.length(inside) > 0)]
    order = sorted(inside, key=lambda one: (-round(float(shapely.length(one)), 3), shapely.to_wkb(one)))
    yield from (shapely.get_coordinates(one) for one in order)


def _unbroken(work: Work, path: Sequence[int]) -> Iterator[list[int]]:
    """Yield the parts of a row of hexes in which each is adjacent to the next."""
    part = list(path[:1])
    for a, b in itertools.pairwise(path):
        if work.model.grid.direction(a, b) is None:
            yield part
            part = []
        part.append(b)
    if part:
        yield part


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


# -- roads that are made up ------------------------------------------------------------------------------------------


def _lay_through(work: Work, rule: RoadRule, where: str, net: _Net) -> list[str]:
    """Lay the cheapest way through towns and hexes; return the ids of the roads that came of it."""
    stops = [_stop(work, text, where) for text in rule.through]
    ways, laid = Ways(work, rule.costs), set(net.steps)
    paths: list[list[int]] = [[]]
    points, shared, name = 0.0, 0, rule.name or rule.id or where
    for (text_a, a), (text_b, b) in itertools.pairwise(zip(rule.through, stops, strict=True)):
        if a == b and a is not None:
            work.report.add("roads", "note", f"{name}: {text_a} and {text_b} are in one hex", (work.label(a),))
            continue
        way = None if a is None or b is None else ways.find(a, b, laid)
        if way is None:
            at = tuple(work.label(cell) for cell in (a, b) if cell is not None)
            why = "one of them is not on the map" if None in (a, b) else "no way leads over open ground"
            text = f"{name} does not lead from {text_a} to {text_b}: {why}"
            work.report.add("roads", "finding", text, at)
            paths.append([])
            continue
        points += way.points
        steps = {(min(pair), max(pair)) for pair in itertools.pairwise(way.cells)}
        shared += len(steps & laid)
        laid |= steps
        paths[-1] += way.cells[1:] if paths[-1] else way.cells
    ids: list[str] = []
    count = sum(net.lay(path, rule, ids) for path in paths if path)
    if any(paths):
        text = f"{name} is made up: the cheapest way through {', '.join(rule.through)}"
        text += f"; steps along roads that are there already: {shared}" if shared else ""
        text += f" ({rule.note})" if rule.note else ""
        at = tuple(work.label(cell) for cell in stops if cell is not None)
        work.report.add("roads", "decided", text, at, points=points, steps=count, shared=shared)
    return ids


def _stop(work: Work, text: str, where: str) -> int | None:
    """Return the hex of a town or a label; None for a town that was left out.

    Raises
    ------
    DocumentError
        When neither a town nor a hex is called so.
    """
    for same in (str, folded):
        for placed in work.towns:
            if same(placed.town.name) == same(text) and same(text):
                return placed.cell
    cell = work.model.labels.find(text)
    names = [town.name for town in work.spec.towns.listed]
    if cell is None and folded(text) not in {folded(name) for name in names}:
        known = [*names, *(placed.town.name for placed in work.towns)]
        close = nearest(text, known) if known else "there are no towns"
        message = f"{where} leads through {text!r}, which is no town and no hex of the map; {close}"
        raise refused(work.name, message, "name towns of [[towns.listed]], or hexes by their labels")
    return cell


# -- bridges ---------------------------------------------------------------------------------------------------------


def lay_bridges(work: Work) -> None:
    """Mark the hexsides where roads cross rivers, where the game has a kind for them, and count them in any case.

    Raises
    ------
    DocumentError
        When the kind is none of the game.
    """
    check_known(work, "kind of hexside", work.spec.bridge, work.ruleset.side_kinds, "bridge")
    rivers = {rule.kind for rule in work.spec.rivers}
    model, found = work.model, set[tuple[int, int]]()
    for road in model.features_of(Road):
        for a, b in itertools.pairwise(model.labels.cells(road.path)):
            key = (min(a, b), max(a, b))
            if rivers.intersection(model.sides.get(key, ())):
                found.add(key)
    if work.spec.bridge:
        for key in sorted(found):
            model.sides[key] = tuple(sorted({*model.sides[key], work.spec.bridge}))
    if found:
        what = f"marked {work.spec.bridge}" if work.spec.bridge else "with no mark of their own"
        at = tuple(map(work.side_label, sorted(found)))
        work.report.add("bridges", "decided", f"roads cross rivers on these hexsides, {what}", at, bridges=len(found))

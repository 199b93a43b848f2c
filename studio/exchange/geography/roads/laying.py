"""Roads: of lines, or the cheapest way through towns and hexes; and the bridges where they cross rivers."""

from __future__ import annotations

import itertools

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import listed as in_words
from studio.exchange.geography.naming import check_known, folded
from studio.exchange.geography.places.gazetteer import Gazetteer
from studio.exchange.geography.roads.given import lay_given
from studio.exchange.geography.roads.net import Net
from studio.exchange.geography.roads.ways import Ways, check_costs
from studio.exchange.geography.spec import RoadRule
from studio.exchange.geography.work import Work
from studio.model import Road

__all__ = ["lay_bridges", "lay_roads"]

_NAMED = 40
"""Roads that the map's notes name one by one."""


def lay_roads(work: Work) -> None:
    """Lay the roads of the specification, in order; a step from hex to hex is drawn once, whatever runs there.

    Raises
    ------
    DocumentError
        When a rule names what the game, the map or the sources do not have.
    """
    net, made_up = Net(work), []
    for number, rule in enumerate(work.spec.roads):
        where = f"roads[{number}]" + (f" ({rule.id})" if rule.id else "")
        if bool(rule.source) == bool(rule.through):
            message = (
                f"{where} names {'both a source and' if rule.source else 'neither a source nor'} what it leads through"
            )
            raise refused(work.name, message, "name either source or through")
        check_costs(work, rule.costs, where)
        if rule.source:
            lay_given(work, rule, where, net)
        else:
            ids = _lay_through(work, rule, where, net)
            made_up += [f"{rule.name} ({ids[0]})" if rule.name else ids[0]] if ids else []
    if made_up:
        text = f"No data give these roads; they are made up, each as the cheapest way: {in_words(made_up, _NAMED)}."
        work.model.notes = "\n".join(filter(None, [work.model.notes.rstrip(), text]))


# -- roads that are made up ------------------------------------------------------------------------------------------


def _lay_through(work: Work, rule: RoadRule, where: str, net: Net) -> list[str]:
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
    count = sum(net.lay(path, rule, ids, rule.name) for path in paths if path)
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
        _check_source(work, text, where)
        known = [*names, *(placed.town.name for placed in work.towns)]
        close = nearest(text, known) if known else "there are no towns"
        message = f"{where} leads through {text!r}, which is no town and no hex of the map; {close}"
        raise refused(
            work.name,
            message,
            "name towns that the map has, or hexes by label; [[towns.listed]] puts a place of the source onto the map",
        )
    return cell


def _check_source(work: Work, text: str, where: str) -> None:
    """Refuse a stop that the source of places has, but the map has not.

    Raises
    ------
    DocumentError
        With why it is no town, and how it becomes one.
    """
    rule = work.spec.towns
    if not rule.source:
        return
    places = Gazetteer.read(work, rule)
    rows = [row for row in places.find(text).rows if work.model.grid.cells_at(places.points[row : row + 1])[0] >= 0]
    if not rows:
        return
    row = rows[0]
    people = f" ({places.people[row]:.0f} people)" if rule.population else ""
    least = min(rule.every.values(), default=None)
    if least is None:
        why = "but without towns.every only places that are listed are on the map"
    elif places.people[row] < least:
        why = f"but which is smaller than towns.every asks for (from {least:g} people)"
    else:
        why = "but whose hex has another town"
    message = f"{where} leads through {text!r}, which the source {rule.source} has{people}, {why}"
    ranks = sorted({*rule.every, *rule.terrain, *rule.marker, *rule.place, *rule.label})
    rank = f', rank = "{ranks[-1]}"' if len(ranks) == 1 else " and its rank" if ranks else ""
    named = f", one of {', '.join(ranks)}" if len(ranks) > 1 else ""
    raise refused(work.name, message, f'put it onto the map: [[towns.listed]] with name = "{text}"{rank}{named}')


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

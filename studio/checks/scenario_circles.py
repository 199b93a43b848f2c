"""The check of circles: what waits for itself never happens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.model import Trigger

__all__ = ["check_circles", "circles_in"]

_TOLD = 8

_Node = tuple[str, str]
"""What something is and its id, as in ``("clause", "bridge-held")``."""


@check(
    "scenario.circle",
    "error",
    "Clauses, events, entries and whatever else waits for something do not wait for themselves",
)
def check_circles(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the circles of clauses and triggers, each told once."""
    for circle in circles_in(_waits(subject)):
        names = [name for _, name in circle]
        way = [*names, names[0]] if len(names) <= _TOLD else [*names[:_TOLD], f"... ({len(names)} in all)", names[0]]
        kind, name = circle[0]
        at = f"{subject.side_of[name]}/{name}" if kind == "formation" else f"{_FOLDERS[kind]}/{name}"
        yield at, f"refers to itself in a circle: {' -> '.join(way)}", "take one of these references out"


_FOLDERS = {"clause": "clauses", "event": "events", "table": "tables", "cup": "cup"}
_OF = {"clause": "clause", "event": "event", "table": "table", "draw": "cup", "activation": "formation"}


def _waits(subject: ScenarioSubject) -> dict[_Node, list[_Node]]:
    """Return what each clause, event, table, marker in the cup and formation waits for."""
    document = subject.document
    found: dict[_Node, list[_Node]] = {}
    for clause in document.clauses:
        kind = {"eliminated": "formation", "exited": "formation"}.get(clause.kind, "clause")
        logical = clause.kind in {"all", "any", "not"}
        found["clause", clause.id] = [(kind, part) for part in clause.parts if logical or kind == "formation"]
    for event in document.events:
        found["event", event.id] = _of(event.when)
    for table in document.tables:
        found["table", table.id] = _of(table.when)
    for marker in document.cup:
        found["cup", marker.id] = [("event", marker.event)] if marker.enters == "event" and marker.event else []
    for _, formation in subject.formations():
        # What comes back out of a pool has been on the map before.
        found["formation", formation.id] = [] if formation.arrival == "pool" else _of(formation.when)
    return found


def _of(trigger: Trigger | None) -> list[_Node]:
    """Return what a trigger waits for; what comes by itself in the end waits for nothing."""
    if trigger is None or trigger.automatic_turn or trigger.kind not in _OF or not trigger.of:
        return []
    return [(_OF[trigger.kind], trigger.of)]


def circles_in(links: Mapping[_Node, list[_Node]]) -> Iterator[list[_Node]]:
    """Yield circles of a graph, at least one of each part that has some; links to what is unknown lead nowhere.

    Examples
    --------
    >>> a, b, c = ("clause", "a"), ("clause", "b"), ("clause", "c")
    >>> list(circles_in({a: [b], b: [c], c: [b]}))
    [[('clause', 'b'), ('clause', 'c')]]
    """
    done: set[_Node] = set()
    for first in links:
        if first not in done:
            yield from _circles_from(first, links, done)


def _circles_from(first: _Node, links: Mapping[_Node, list[_Node]], done: set[_Node]) -> Iterator[list[_Node]]:
    # Walked with a list of its own: a chain of thousands of clauses is deeper than functions can call each other.
    path, place = [first], {first: 0}
    rests = [iter(links[first])]
    while path:
        following = next(rests[-1], None)
        if following is None:
            rests.pop()
            node = path.pop()
            del place[node]
            done.add(node)
        elif following in place:
            yield path[place[following] :]
        elif following in links and following not in done:
            place[following] = len(path)
            path.append(following)
            rests.append(iter(links[following]))

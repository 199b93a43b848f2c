"""Turn by turn what happens in a scenario: set-up, arrivals, events, support, markers, day and night, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from studio.model.documents import ScenarioDocument
from studio.model.forces import Force, Formation
from studio.model.schedule import CupMarker, Event, Period, Support, Trigger
from studio.model.wording import (
    Names,
    arrival_sentences,
    clause_sentences,
    cup_sentences,
    ends_at_once,
    event_sentences,
    extended_sentence,
    period_sentences,
    support_name,
    support_sentences,
)
from studio.model.wording.english import sentence

__all__ = ["ANY_TIME", "MOST_ROWS", "CalendarItem", "CalendarRow", "ItemKind", "calendar_rows"]

ItemKind = Literal[
    "set_up",
    "pool",
    "arrival",
    "arrival_latest",
    "period",
    "event",
    "support",
    "cup",
    "first",
    "ending",
    "end",
    "extended",
]
"""What an item of a calendar tells of, in the order in which they stand in a turn."""

_ORDER: tuple[ItemKind, ...] = (
    "first",
    "period",
    "set_up",
    "pool",
    "arrival",
    "arrival_latest",
    "event",
    "support",
    "cup",
    "ending",
    "end",
    "extended",
)

_OFTEN = 3
"""Times that an event of every turn is told; one that goes on is told once."""

ANY_TIME = -1
"""Turn of the row with what has no turn."""

MOST_ROWS = 60
"""Turns that are told one by one; of longer scenarios those in which something happens, and those beside them."""


class CalendarItem(NamedTuple):
    """Something that happens.

    Parameters
    ----------
    kind : str
        One of `ItemKind`.
    title : str
        In few words: the formation, the event.
    text : str
        In sentences.
    side, formation : str
        Ids; empty where there is none.
    first, last : int
        Turns in which it holds; 0 for no limit.
    record : str
        Id of the event, the support, the marker, the period or the clause.
    """

    kind: ItemKind
    title: str
    text: str
    side: str = ""
    formation: str = ""
    first: int = 0
    last: int = 0
    record: str = ""


class CalendarRow(NamedTuple):
    """A turn, or turns in which nothing begins.

    Parameters
    ----------
    turn : int
        0 for the set-up, -1 for what can happen at any time.
    last : int
        Last turn of several; `turn` of a single one.
    name : str
        Such as "Turn 3".
    title : str
        Name of the turn, where the scenario gives one.
    light : {"", "day", "dusk", "night", "dawn"}
    extra : bool
        It is one of those that may follow the last.
    items : tuple of CalendarItem
    """

    turn: int
    last: int
    name: str
    title: str = ""
    light: str = ""
    extra: bool = False
    items: tuple[CalendarItem, ...] = ()

    @property
    def quiet(self) -> bool:
        """Whether the row stands for several turns in which nothing begins."""
        return self.last > self.turn


def calendar_rows(
    document: ScenarioDocument, names: Names | None = None, *, most: int = MOST_ROWS
) -> tuple[CalendarRow, ...]:
    """Return what happens turn by turn: the set-up first, what can happen at any time last.

    Parameters
    ----------
    document : ScenarioDocument
    names : Names, optional
        What things are called.
    most : int
        Of a scenario with more turns only those are rows of their own in which something begins or ends, and those
        beside them; the others are one row for each stretch.

    Examples
    --------
    >>> from studio.model import MapUse
    >>> battle = ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="a.map.json"), length=3)
    >>> [(row.turn, row.name) for row in calendar_rows(battle)]
    [(0, 'Set-up'), (1, 'Turn 1'), (2, 'Turn 2'), (3, 'Turn 3')]
    """
    told = _Telling(document, names or Names(document), most)
    found = told.items()
    rows = [told.row(first, last, found) for first, last in told.stretches(found)]
    loose = tuple(sorted(found.get(ANY_TIME, []), key=_place))
    return (*rows, CalendarRow(ANY_TIME, ANY_TIME, "At any time", items=loose)) if loose else tuple(rows)


def _place(item: CalendarItem) -> int:
    return _ORDER.index(item.kind)


class _Telling:
    """Gathers the items of a scenario by their turns."""

    def __init__(self, document: ScenarioDocument, names: Names, most: int) -> None:
        self.document, self.names, self.most = document, names, most
        self.more = document.extended.turns if document.extended is not None else 0
        self.short = document.length > most

    def items(self) -> dict[int, list[CalendarItem]]:
        """Return all items by turn."""
        found: dict[int, list[CalendarItem]] = {}
        for turn, item in self._all():
            found.setdefault(turn, []).append(item)
        return found

    def _all(self) -> Iterator[tuple[int, CalendarItem]]:
        document = self.document
        for force, part in set_up_order(document):
            yield from self._formation(force, part)
        for period in document.periods:
            yield period.first_turn, self._period(period)
        for event in document.events:
            yield from self._event(event)
        for support in document.support:
            yield from self._support(support)
        for marker in document.cup:
            yield self._cup_turn(marker), self._cup(marker)
        if document.first_side or document.first_formation:
            first = self.names.side(document.first_side) or self.names.whom(document.first_formation)
            yield 1, CalendarItem("first", first, f"{first} acts first.", document.first_side)
        yield from self._ends()

    # -- arrivals ----------------------------------------------------------------------------------------------------

    def _formation(self, force: Force, part: Formation) -> Iterator[tuple[int, CalendarItem]]:
        title, text = self.names.of_part(part), " ".join(arrival_sentences(part, self.names))

        def item(kind: ItemKind, words: str, first: int = 0, last: int = 0) -> CalendarItem:
            return CalendarItem(kind, title, f"{self.names.side(force.id)}: {words}", force.id, part.id, first, last)

        if part.arrival != "enter":
            yield 0, item("pool" if part.arrival == "pool" else "set_up", text)
            return
        when = part.when
        first = max(part.arrival_turn, _first_of(when))
        last = first if when is None else when.last_turn
        yield first, item("arrival", text, first, last)
        if when is not None and when.automatic_turn > first:
            turn = when.automatic_turn
            yield turn, item("arrival_latest", f"Enters now if it has not yet ({self.names.turn(turn)}).", turn, turn)

    # -- what happens ------------------------------------------------------------------------------------------------

    def _period(self, period: Period) -> CalendarItem:
        text = " ".join(period_sentences(period, self.names))
        return CalendarItem(
            "period", period.name, text, first=period.first_turn, last=period.last_turn, record=period.id
        )

    def _event(self, event: Event) -> Iterator[tuple[int, CalendarItem]]:
        names = self.names
        title, text = names.called("event", event.id), " ".join(event_sentences(event, names))
        first, last = event.turn, max(event.last_turn, event.turn)
        turn = first or _first_of(event.when)
        made = CalendarItem("event", title, text, event.side, "", turn, last, event.id)
        if not turn and not event.last_turn:
            yield ANY_TIME, made
            return
        turns = range(turn or 1, max(last, turn) + 1, max(event.every, 1))
        # A row for each time would drown the rest: its words say when it comes again.
        often = self.short or (event.every < 2 and len(turns) > _OFTEN)
        for nth, each in enumerate(turns[:1] if often else turns):
            yield each, made if not nth else made._replace(text=sentence("happens again"))
        automatic = event.when.automatic_turn if event.when is not None else 0
        if automatic and automatic not in turns:
            yield automatic, made._replace(text="Happens now if it has not yet.", first=automatic, last=automatic)

    def _support(self, support: Support) -> Iterator[tuple[int, CalendarItem]]:
        title = support_name(support, self.names)
        text = " ".join(support_sentences(support, self.names))
        first, last = support.first_turn or _first_of(support.when), support.last_turn
        turn = first or (ANY_TIME if support.when is not None else 1)
        made = CalendarItem("support", title, text, support.side, "", first, last, support.id)
        yield turn, made
        if last > max(turn, 0):
            whose = f"{self.names.side(support.side)}: " if support.side else ""
            yield last, made._replace(text=f"{whose}can be used for the last time.")

    def _cup_turn(self, marker: CupMarker) -> int:
        if marker.enters == "start":
            return 0
        if marker.enters == "event":
            event = self.names.find("event", marker.event)
            return (event.turn or ANY_TIME) if event is not None else ANY_TIME
        return marker.after or ANY_TIME

    def _cup(self, marker: CupMarker) -> CalendarItem:
        title, text = self.names.called("cup", marker.id), " ".join(cup_sentences(marker, self.names))
        return CalendarItem("cup", title, text, marker.side, marker.formation, marker.after, 0, marker.id)

    def _ends(self) -> Iterator[tuple[int, CalendarItem]]:
        document, names = self.document, self.names
        for name in document.ends:
            clause = names.find("clause", name)
            words = " ".join(clause_sentences(clause, names)) if clause is not None else f"Condition “{name}”."
            turn = clause.count if clause is not None and clause.kind == "turn" else 0
            lead = "at once when" if ends_at_once(document, name) else f"with the {names.unit} in which"
            yield turn or ANY_TIME, CalendarItem("ending", "Early end", f"The game ends {lead}: {words}", record=name)
        if document.length:
            yield document.length, CalendarItem("end", "End", f"The last {names.unit}.", first=document.length)
        if document.extended is not None:
            turn = document.length + 1 if document.length else ANY_TIME
            text = extended_sentence(document.extended, names)
            yield (
                turn,
                CalendarItem("extended", "Extended play", text, first=max(turn, 0), last=max(turn, 0) + self.more - 1),
            )

    # -- rows --------------------------------------------------------------------------------------------------------

    def stretches(self, found: dict[int, list[CalendarItem]]) -> list[tuple[int, int]]:
        """Return the turns that are rows, and the stretches of turns between them in which nothing begins."""
        length, busy = self.document.length, {turn for turn in found if turn > 0}
        extra = set(range(length + 1, length + min(self.more, 6) + 1)) if length else set()
        if self.short or not length:
            changes = {turn for one in self.document.periods for turn in (one.first_turn, one.last_turn + 1)}
            near = {turn + by for turn in busy | changes for by in (-1, 0, 1)} | {1}
            shown = {turn for turn in near if turn > 0 and (not length or turn <= length or turn in busy)}
        else:
            shown = set(range(1, length + 1)) | busy
        last, stretches = 0, [(0, 0)]
        for turn in sorted(shown | extra):
            if turn > last + 1:
                stretches.append((last + 1, turn - 1))
            stretches.append((turn, turn))
            last = turn
        return stretches

    def row(self, first: int, last: int, found: dict[int, list[CalendarItem]]) -> CalendarRow:
        """Return a row with what happens in it."""
        unit, names = self.names.unit.capitalize(), self.names
        length = self.document.length
        title = names.turns[first - 1] if first == last and 0 < first <= len(names.turns) else ""
        name = "Set-up" if not first else f"{unit} {first}" if first == last else f"{unit}s {first} to {last}"
        items = tuple(sorted(found.get(first, ()), key=_place)) if first == last else ()
        return CalendarRow(first, last, name, title, self._light(first), bool(length) and first > length, items)

    def _light(self, turn: int) -> str:
        lit = [one.light for one in self.document.periods if one.light and one.first_turn <= turn <= one.last_turn]
        return lit[-1] if lit else ""


def _first_of(when: Trigger | None) -> int:
    return when.first_turn if when is not None else 0


def set_up_order(document: ScenarioDocument) -> list[tuple[Force, Formation]]:
    """Return the formations in the order in which they set up: by their own place, else by that of their side."""
    parts = [(force, part) for force in document.forces for part in force.formations]
    return sorted(parts, key=lambda pair: (pair[1].set_up_order or pair[0].set_up_order, pair[0].set_up_order))

"""Overrides on their way onto a map: what they name, what they changed, and where one says otherwise than another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from studio.errors import LabelError, nearest
from studio.exchange.common.ground import listed
from studio.exchange.geography.spec import Override
from studio.exchange.geography.work import Work
from studio.files.faults import FaultList

__all__ = ["Applying", "Entry"]


@dataclass
class Entry:
    """An override, where it is written, and what came of it.

    Attributes
    ----------
    said : Override
    path : str
        Its place in the specification or in the file of overrides.
    name : str
        What the report calls it.
    hexes : list of (str, int)
        Labels and cells, each once; those that the map does not have left out.
    changed : Counter of str
        What it changed, such as ``clear to city``, with the number of hexes.
    at : dict of str to None
        Places that it changed, in order.
    same : int
        What it names that was so already.
    hint : str
        Why that may be no wonder.
    left : bool
        It was not done, and a finding says why.
    """

    said: Override
    path: str
    name: str
    hexes: list[tuple[str, int]] = field(default_factory=list)
    changed: Counter[str] = field(default_factory=Counter)
    at: dict[str, None] = field(default_factory=dict)
    same: int = 0
    hint: str = ""
    left: bool = False

    def change(self, what: str, at: str = "") -> None:
        """Note a change."""
        self.changed[what] += 1
        if at:
            self.at.setdefault(at)


class Applying:
    """The overrides on their way onto the map.

    Parameters
    ----------
    work : Work
    entries : sequence of Entry

    Attributes
    ----------
    model, rules
        Of the work.
    faults : FaultList
        What is named and is not there.
    renamed : dict of str to str
        Ids that features were given, since the data have one of theirs.
    """

    def __init__(self, work: Work, entries: Sequence[Entry]) -> None:
        self.work, self.model, self.rules, self.entries = work, work.model, work.ruleset, entries
        self.faults = FaultList()
        # Who said last what of a place; and who said otherwise than whom, of what, and where.
        self.said: dict[tuple[Any, ...], tuple[Any, Entry]] = {}
        self.against: dict[tuple[str, str, str], list[str]] = {}
        self.renamed: dict[str, str] = {}

    # -- names ---------------------------------------------------------------------------------------------------

    def find_hexes(self) -> None:
        """Look up the hexes of all overrides."""
        for entry in self.entries:
            found: dict[int, str] = {}
            for number, text in enumerate(entry.said.hexes):
                try:
                    cell = self.model.labels.cell(text)
                except LabelError as error:
                    self.faults.add(f"{entry.path}.hexes[{number}]", str(error), "name a hex of the map", text[:40])
                else:
                    found.setdefault(cell, self.work.label(cell))
            entry.hexes = [(label, cell) for cell, label in found.items()]
            self._check_places(entry)

    def _check_places(self, entry: Entry) -> None:
        """Refuse what is said of no hex, or of no hexside."""
        one = entry.said
        for name in ("terrain", "level", "country", "within", "out_of", "marker", "no_marker", "name"):
            value = getattr(one, name)
            said = value is not None if name in ("level", "country") else bool(value)
            if said and not one.hexes:
                self.faults.add(f"{entry.path}.{name}", "is said of no hex", "name some: hexes = ['0101']")
        for name in ("add", "remove"):
            if getattr(one, name) and not one.sides:
                self.faults.add(f"{entry.path}.{name}", "is said of no hexside", "name some: sides = ['0101|0102']")

    def known(self, entry: Entry, place: str, what: str, name: str, names: Any) -> bool:
        """Tell whether there is such a name, and note a fault where there is not."""
        if name in names:
            return True
        close = nearest(name, names) if names else f"{self.rules.title} has none"
        self.faults.add(f"{entry.path}.{place}", f"unknown {what} {name[:80]!r}; {close}", "name one that there is")
        return False

    def say(self, entry: Entry, key: tuple[Any, ...], value: Any, place: str, words: str) -> None:
        """Remember who says what of a place; note it where somebody said otherwise."""
        before = self.said.get(key)
        if before is not None and before[0] != value:
            of = (before[1].name, entry.name, words)
            self.against.setdefault(of, []).append(place)
        self.said[key] = value, entry

    def level_fits(self, entry: Entry, place: str, level: int) -> bool:
        """Tell whether the game has such a level, and note a fault where it has not."""
        low, high = self.rules.levels
        if low <= level <= high:
            return True
        message = f"got level {level}, allowed {low} to {high}"
        self.faults.add(f"{entry.path}.{place}", message, f"give a level of {self.rules.title}")
        return False

    def set(self, entry: Entry, label: str, key: tuple[Any, ...], old: Any, new: Any, prefix: str) -> None:
        """Note what a hex becomes."""
        self.say(entry, key, new, label, f"the {key[0]}")
        if old == new:
            entry.same += 1
        else:
            entry.change(f"{prefix}{old} to {new}", label)

    def report(self) -> None:
        """Write down what each override changed, and which contradict each other."""
        add = self.work.report.add
        for entry in self.entries:
            note = f" ({entry.said.note})" if entry.said.note else ""
            if not entry.changed:
                if entry.left:
                    continue
                places = tuple(label for label, _ in entry.hexes) or entry.said.sides
                add("overrides", "note", f"{entry.name} changes nothing: all is so already{entry.hint}{note}", places)
                continue
            told = [what + (f" ({count} times)" if count > 1 else "") for what, count in entry.changed.items()]
            same = f"; {entry.same} of what it says was so already{entry.hint}" if entry.same else ""
            text = f"{entry.name}: {listed(told)}{same}{note}"
            add("overrides", "override", text, tuple(entry.at))
        for (first, second, what), found in self.against.items():
            one = f"{first} says two things" if first == second else f"{first} and {second} say different things"
            add("overrides", "finding", f"{one} of {what}; the later one holds", tuple(dict.fromkeys(found)))

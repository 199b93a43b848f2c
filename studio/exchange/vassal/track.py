"""The board beside the map: boxes of who sets up and who waits, and a turn track with those who enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from studio.exchange.content import Pictures
from studio.exchange.vassal.boards import Board, Box, box_board
from studio.exchange.vassal.kit import Group, Kit, Slot, Stack, stack_shift
from studio.exchange.vassal.pieces import clean
from studio.model import Formation, ScenarioDocument

__all__ = ["TRACK", "lay_track", "turn_names"]

TRACK = "Turn track and forces"
"""Name of the board."""

_MOST_TURNS = 150
_HIGHEST = 12  # counters of a stack that a box has room for above the first
_ACROSS = 18  # stacks beside each other on the whole board


class _Wanted(NamedTuple):
    """A box before it has a place: its title, its colour, and the stacks that lie in it, each with a name."""

    title: str
    color: str
    stacks: Sequence[tuple[str, Sequence[Slot]]]
    least: int = 2


def turn_names(document: ScenarioDocument) -> list[str]:
    """Return what the turns are called; none where only conditions end the game.

    Examples
    --------
    >>> from studio.model import MapUse
    >>> turn_names(ScenarioDocument(ruleset="x", map=MapUse(file="m"), length=2, length_unit="activation"))
    ['Activation 1', 'Activation 2']
    """
    more = document.extended.turns if document.extended is not None else 0
    unit = document.length_unit.capitalize()
    names = document.turn_names
    count = max(document.length, len(names))
    found = [
        f"{unit} {n}: {names[n - 1]}" if n <= len(names) and names[n - 1] else f"{unit} {n}"
        for n in range(1, count + 1)
    ]
    return found + [f"{unit} {n} (extended)" for n in range(count + 1, count + more + 1) if count]


def lay_track(document: ScenarioDocument, kit: Kit, pictures: Pictures, unknown: set[str]) -> tuple[Board, list[Stack]]:
    """Return the board of boxes, and what lies on it.

    Parameters
    ----------
    document : ScenarioDocument
    kit : Kit
    pictures : Pictures
    unknown : set of str
        Units whose place on the map is none; they wait with those that the players place.
    """
    wanted = _waiting(document, kit, unknown) + _turns(document, kit, unknown)
    taken: dict[str, int] = {}
    for n, box in enumerate(wanted):
        taken[box.title] = taken.get(box.title, 0) + 1
        if taken[box.title] > 1:
            wanted[n] = box._replace(title=f"{box.title} ({taken[box.title]})")
    boxes, size = _laid(wanted, kit.px)
    png = pictures.boxes([(b.left, b.top, b.width, b.height, b.title, b.color) for b in boxes], size)
    stacks = [
        Stack(TRACK, name, *pixel, tuple(slots))
        for box, one in zip(boxes, wanted, strict=True)
        for pixel, (name, slots) in zip(box.stacks, one.stacks, strict=True)
    ]
    return box_board(TRACK, tuple(boxes), png, size), stacks


def _groups(kit: Kit, unknown: set[str], part: Formation) -> list[tuple[str, Group]]:
    """Return the stacks of a formation that are not on the map."""
    found = []
    for group in kit.groups:
        _, its, unit = group[0]
        if its is part and (not unit.at or unit.id in unknown):
            found.append((kit.name_of(unit), group))
    return found


def _waiting(document: ScenarioDocument, kit: Kit, unknown: set[str]) -> list[_Wanted]:
    wanted = []
    for force in document.forces:
        for part in force.formations:
            groups = _groups(kit, unknown, part)
            if not groups or _enters(part, document):
                continue
            does = {"pool": "in the pool", "enter": "enters"}.get(part.arrival, "sets up")
            stacks = [(name, kit.slots_of(group)) for name, group in groups]
            wanted.append(_Wanted(clean(f"{force.name}: {part.name}, {does}"), force.id, stacks))
    return wanted


def _enters(part: Formation, document: ScenarioDocument) -> bool:
    """Tell whether a formation waits in the box of a turn."""
    return part.arrival == "enter" and _turn_of(part) <= min(len(turn_names(document)), _MOST_TURNS)


def _turn_of(part: Formation) -> int:
    return max(part.arrival_turn, part.when.first_turn if part.when is not None else 1)


def _turns(document: ScenarioDocument, kit: Kit, unknown: set[str]) -> list[_Wanted]:
    wanted = []
    for turn, name in enumerate(turn_names(document)[:_MOST_TURNS], 1):
        stacks: list[tuple[str, Sequence[Slot]]] = [("Turn", (kit.turn_marker(),))] if turn == 1 else []
        for force in document.forces:
            for part in force.formations:
                if _enters(part, document) and _turn_of(part) == turn:
                    stacks += [(called, kit.slots_of(group)) for called, group in _groups(kit, unknown, part)]
        wanted.append(_Wanted(clean(name), "", stacks))
    return wanted


def _laid(wanted: Sequence[_Wanted], px: int) -> tuple[list[Box], tuple[int, int]]:
    """Lay the boxes in rows, each as large as what lies in it."""
    title, gap, plain = round(px * 0.4), round(px * 0.15), round(px * 1.25)
    most = _ACROSS * plain
    boxes: list[Box] = []
    x = y = gap
    high = 0
    before = wanted[0].color if wanted else ""
    for box in wanted:
        # A stack reaches up and to the right of where it lies.
        lean = stack_shift(px) * min(_HIGHEST, max((len(slots) - 1 for _, slots in box.stacks), default=0))
        cell = plain + lean
        # A title needs room as well: about its letters at a third of the height of its line.
        letters = -(-len(box.title) * round(title * 0.36) // cell)
        columns = max(box.least, letters, min(len(box.stacks), 6))
        rows = -(-max(len(box.stacks), 1) // columns)
        width, height = columns * cell, title + rows * cell
        if boxes and (x + width + gap > most or bool(box.color) != bool(before)):
            x, y, high = gap, y + high + gap, 0
        pixels = tuple(
            (x + cell * (n % columns) + plain // 2, y + title + cell * (n // columns) + lean + plain // 2)
            for n in range(len(box.stacks))
        )
        boxes.append(Box(box.title, x, y, width, height, box.color, pixels))
        x, high, before = x + width + gap, max(high, height), box.color
    right = max((box.left + box.width for box in boxes), default=0) + gap
    return boxes, (max(right, 4 * plain), max(y + high + gap, 2 * plain))

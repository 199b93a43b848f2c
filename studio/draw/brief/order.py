"""The order of battle of a scenario sheet: sides, formations, counters."""

from __future__ import annotations

import msgspec

from studio.draw.brief.sheet import Block, FormationCard, Section, SideHead, UnitLine
from studio.draw.counterfaces import SIDE_SHAPES, Counters, side_colors
from studio.model import Force, Formation, ScenarioDocument, UnitRecord
from studio.model.wording import Names, alike_units, force_sentences, formation_sentences, unit_lines
from studio.model.wording.english import counted

__all__ = ["MOST_COUNTERS", "order_section"]

MOST_COUNTERS = 40
"""Counters of a formation that are drawn: of a longer list the words are enough."""

_MOST_DRAWN = 600
"""Counters of a whole sheet that are drawn."""


def order_section(document: ScenarioDocument, names: Names, counters: Counters) -> list[Section]:
    """Return the order of battle: a section a side.

    Parameters
    ----------
    document : ScenarioDocument
    names : Names
    counters : Counters
        Draws the faces.
    """
    found, room = [], _MOST_DRAWN
    for side, (force, color) in enumerate(zip(document.forces, side_colors(document.forces), strict=True)):
        blocks: list[Block] = []
        for part in force.formations:
            card = _card(part, names, counters, (side, color), room)
            room -= sum(line.face is not None for line in card.units)
            blocks.append(card)
        found.append(
            Section(
                f"side-{side}", f"Order of battle: {names.side(force.id)}", (_head(force, side, color, names), *blocks)
            )
        )
    return found


def _head(force: Force, side: int, color: str, names: Names) -> SideHead:
    counters = sum(unit.count for part in force.formations for unit in part.units)
    many = f"{counted(counters, 'counter')} in {counted(len(force.formations), 'formation')}."
    lines = (many, *force_sentences(force, names))
    return SideHead(names.side(force.id), color, SIDE_SHAPES[side % len(SIDE_SHAPES)], lines)


def _card(part: Formation, names: Names, counters: Counters, side: tuple[int, str], room: int) -> FormationCard:
    alike = alike_units(part.units)
    drawn = len(alike) <= min(MOST_COUNTERS, room)
    units = tuple(
        UnitLine(counters.face(counters.of_unit(_shown(unit, count), *side)) if drawn else None, text)
        for (unit, count), text in zip(alike, unit_lines(part.units, names), strict=True)
    )
    return FormationCard(names.of_part(part), side[1], tuple(formation_sentences(part, names)), units)


def _shown(unit: UnitRecord, count: int) -> UnitRecord:
    return msgspec.structs.replace(unit, count=count)

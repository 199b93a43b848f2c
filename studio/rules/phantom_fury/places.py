"""What parts and what joins the locations of a Phantom Fury map: kinds of borders, doors, symbols, arrows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from studio.model import Link, Place
from studio.rules.phantom_fury.compare import compare_adjacency
from studio.rules.phantom_fury.district import District
from studio.rules.phantom_fury.kinds import SOLID, STREET_SIDE, BorderParts
from studio.survey import Joint, Side, Survey, area_sides

__all__ = ["borders", "compare_adjacency", "joints"]


def borders(survey: Survey) -> Iterator[Side]:
    """Yield the borders of zones and street sections, with the doors and entry symbols that lead across them.

    Parameters
    ----------
    survey : Survey
    """
    doors, symbols = _doors(survey), _symbols(survey)
    for side in area_sides(survey, BorderParts(survey), [SOLID]):
        pair = frozenset((side.a_id, side.b_id))
        through: Iterable[str] = symbols.get(pair, ())
        if STREET_SIDE in side.kinds:
            through = [name for area in pair for name in doors.get(area, ())]
        through = tuple(through) if side.joined else ()
        yield msgspec.structs.replace(side, through=through) if through else side


def _doors(survey: Survey) -> dict[str, list[str]]:
    """Return the ids of the boxes with a door entry symbol, by the zone that they are part of."""
    district = District(survey)
    found: dict[str, list[str]] = defaultdict(list)
    for box in survey.features_of(Place):
        if box.within and box.name in district.doors:
            found[box.within].append(box.id)
    return found


def _symbols(survey: Survey) -> dict[frozenset[str], list[str]]:
    """Return the ids of the door and roof entry symbols that join boxes of two zones, by those zones."""
    home = {place.name: place.within for place in survey.features_of(Place)}
    found: dict[frozenset[str], list[str]] = defaultdict(list)
    for link in survey.features_of(Link):
        if link.type in ("door", "roof") and link.a in home and link.b in home:
            found[frozenset((home[link.a], home[link.b]))].append(link.id)
    return found


def joints(survey: Survey) -> Iterator[Joint]:
    """Yield the Adjacent locations that no border tells (4.2.2, 4.3.1.1): boxes among themselves and with streets.

    Parameters
    ----------
    survey : Survey
    """
    for passage in District(survey).passages():
        if passage.by != "section":  # two street sections have a side in common
            yield Joint(passage.a, passage.b, passage.by, passage.link, passage.one_way)

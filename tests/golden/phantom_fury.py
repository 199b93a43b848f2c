"""Phantom Fury: Adjacent, Neighbouring, target symbols, street sections, boxes, the M1A1 Abrams (4.1 to 4.3, 11.1)."""

from collections.abc import Iterator

from studio.api import Map
from studio.model import MapModel, Wall
from studio.sight import Conditions
from tests.golden import Line
from tests.sight.makers.phantom_fury import UNIT, box, empty, put, street, target, zone


def lines() -> Iterator[Line]:
    """Yield the lines, all of them on one district and its variants."""
    plain = Map(_district())
    yield "4.1.1 two zones with a common border", plain, "1", "2", {}
    yield "4.1.1 two zones that meet at a corner only", plain, "1", "4", {}
    yield "4.1.2 two zones beside one street section", plain, "2", "5", {}
    yield "4.1.2 two zones that no street section is beside both of", plain, "1", "6", {}
    yield "4.3.1.1 a zone and the street section beside it", plain, "2", "S1", {}
    yield "4.3.1.1 two street sections with a common side", plain, "S1", "S2", {}
    yield "4.3.1.1 two street sections further apart", plain, "S1", "S3", {}
    yield "4.3.1.2 a zone and a street section that is not beside it", plain, "3", "S3", {}
    yield "11.1.1 two boxes of one zone", plain, "2 1", "2 R", {}
    reaches = {"options": {"within_zone": "clear"}}
    yield "11.1.1 two boxes of one zone, the other reading", plain, "2 1", "2 R", reaches
    yield "11.1 from box to box", plain, "2 1", "5 C", {}
    yield "one and the same location", plain, "2 1", "2 1", {}
    yield "4.1.2 a street section and a zone beside the next one", plain, "S1", "6", {}
    beyond = {"options": {"street_neighbours": "next_section"}}
    yield "4.1.2 a street section and a zone beside the next one, the other reading", plain, "S1", "6", beyond
    closed = Map(_closed())
    yield "4.1.1 a border that is a continuous line", closed, "1", "2", {}
    aimed = Map(put(_district(), target("1", "6"), target("S3", "2")))
    yield "4.1.2.1 a target symbol", aimed, "1", "6", {}
    yield "4.1.2.1 a target symbol, from the other end", aimed, "6", "1", {}
    printed = {"options": {"target_symbols": "as_printed"}}
    yield "4.1.2.1 a target symbol as printed, from the other end", aimed, "6", "1", printed
    yield "4.3.1.2 the target symbol of a street section", aimed, "2", "S3", {}
    tank = {"conditions": Conditions(from_kind="m1a1_abrams")}
    yield "11.1.3 an M1A1 Abrams from a zone", plain, "2", "5", tank
    yield "11.1.3 an M1A1 Abrams from a street section at a rooftop", plain, "S1", "2 R", tank
    ruined = Map(_district())
    ruined.add("marker", type="rubble", at="2 R")
    yield "4.1.6 a box that is rubble", ruined, "2 R", "5", {}


def _district() -> MapModel:
    """Return a block of four zones, a street in three sections to the right of it, and two zones beyond the street.

    ::

        1 2 S1 5
        3 4 S2 6
            S3
    """
    model = put(
        empty(12, 12),
        zone("1", (0, 0, 4, 4)),
        zone("2", (4, 0, 8, 4)),
        zone("3", (0, 4, 4, 8)),
        zone("4", (4, 4, 8, 8)),
        zone("5", (10, 0, 14, 4)),
        zone("6", (10, 4, 14, 8)),
        street("S1", (8, 0, 10, 4)),
        street("S2", (8, 4, 10, 8)),
        street("S3", (8, 8, 10, 12)),
    )
    return put(model, box("2", "1"), box("2", "R"), box("5", "C"))


def _closed() -> MapModel:
    line = ((4 * UNIT, 0), (4 * UNIT, 4 * UNIT))
    return put(_district(), Wall(id="line", type="solid", line=line))

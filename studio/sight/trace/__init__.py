"""What a line meets, exactly: hexes, hexsides, drawn lines and areas. Pure geometry, no rules; integers decide.

``trace(b, a)`` is ``trace(a, b)`` reversed, with ``enter`` and ``leave`` counted from the other end. A segment of no
length lies wholly in what it meets, so its contacts go from 0 to 1. Lines and areas are looked at one by one:
:class:`Shapes` finds those that are near. Many segments at once: :func:`segments_hit_ring`, :func:`segments_meet_line`.
"""

from studio.sight.trace.contacts import AreaContact, LineContact, LineHow, Point, area_contacts, line_contacts
from studio.sight.trace.hexes import Shapes, hex_trace
from studio.sight.trace.many import ALONG, COORDINATE_LIMIT, CROSS, TOUCH, segments_hit_ring, segments_meet_line

__all__ = [
    "ALONG",
    "COORDINATE_LIMIT",
    "CROSS",
    "TOUCH",
    "AreaContact",
    "LineContact",
    "LineHow",
    "Point",
    "Shapes",
    "area_contacts",
    "hex_trace",
    "line_contacts",
    "segments_hit_ring",
    "segments_meet_line",
]

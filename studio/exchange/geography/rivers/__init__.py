"""Rivers on hexsides, from lines to paths.

`shores.py` cuts lines to the land, `streams.py` puts the true network together, `strands.py` orders it, `bed.py` lays
it on the corners of hexes with the help of `banks.py` and `bends.py`, and `righting.py` mends banks; `snapped.py` is
the whole of that, and `laying.py` what the specification asks for.
"""

from __future__ import annotations

from studio.exchange.geography.rivers.laying import lay_lines, lay_rivers

__all__ = ["lay_lines", "lay_rivers"]

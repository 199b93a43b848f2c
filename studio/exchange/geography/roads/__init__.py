"""Roads of lines, or the cheapest way through towns; and the bridges where they cross rivers."""

from __future__ import annotations

from studio.exchange.geography.roads.laying import lay_bridges, lay_roads

__all__ = ["lay_bridges", "lay_roads"]

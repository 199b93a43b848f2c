"""Countries, areas and towns: whose each hex is, and what stands in it."""

from __future__ import annotations

from studio.exchange.geography.places.areas import lay_areas
from studio.exchange.geography.places.nations import draw_countries, lay_countries
from studio.exchange.geography.places.towns import find_towns, lay_towns

__all__ = ["draw_countries", "find_towns", "lay_areas", "lay_countries", "lay_towns"]

"""The ground of each hex: heights and relief, terrain by shares and priority, water, levels, and how sure it is."""

from __future__ import annotations

from studio.exchange.geography.ground.terrain import lay_ground, lay_levels, rate_confidence
from studio.exchange.geography.ground.water import lay_coast, lay_water

__all__ = ["lay_coast", "lay_ground", "lay_levels", "lay_water", "rate_confidence"]

"""The designer's last word: overrides applied, and the edits of a map gathered as overrides."""

from __future__ import annotations

from studio.exchange.geography.overrides.applying import apply_overrides
from studio.exchange.geography.overrides.gathered import overrides_between

__all__ = ["apply_overrides", "overrides_between"]

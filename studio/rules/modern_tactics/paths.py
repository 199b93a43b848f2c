"""Movement in Modern Tactics, and what goes by ranges: what the studio asks this game for."""

from studio.rules.modern_tactics.finish import entries, finish
from studio.rules.modern_tactics.move_state import TacticsState
from studio.rules.modern_tactics.moves import STATE, TacticsMoves, judge
from studio.rules.modern_tactics.ranges import command, spotting

__all__ = ["STATE", "TacticsMoves", "TacticsState", "command", "entries", "finish", "judge", "spotting"]

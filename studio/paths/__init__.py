"""Movement: what a step from one location to the next costs a mover, and why; the figures come from a game."""

from studio.paths.protocol import CostPart, MovementRules, Step

__all__ = ["CostPart", "MovementRules", "Step"]

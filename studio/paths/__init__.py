"""Movement: networks of locations, searches in them, and explained ways; the figures come from a game."""

from studio.paths.hexes import NEVER, HexTable
from studio.paths.network import FORBIDDEN, Network
from studio.paths.protocol import CostPart, MoveJudge, MovementRules, MoveState, Step
from studio.paths.reach import Reach, make_reach
from studio.paths.route import Leg, Miss, Route, make_route
from studio.paths.search import Search, costs_between, search
from studio.paths.state import read_state

__all__ = [
    "FORBIDDEN",
    "NEVER",
    "CostPart",
    "HexTable",
    "Leg",
    "Miss",
    "MoveJudge",
    "MoveState",
    "MovementRules",
    "Network",
    "Reach",
    "Route",
    "Search",
    "Step",
    "costs_between",
    "make_reach",
    "make_route",
    "read_state",
    "search",
]

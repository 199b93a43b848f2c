"""Movement in Armageddon War, and what goes by ways and sight together: what the studio asks this game for."""

from studio.rules.armageddon_war.initiative import initiative
from studio.rules.armageddon_war.logistics import logistics, resupply
from studio.rules.armageddon_war.moves import STATE, ArmageddonMoves, ArmageddonState, judge, step
from studio.rules.armageddon_war.retreat import retreat

__all__ = [
    "STATE",
    "ArmageddonMoves",
    "ArmageddonState",
    "initiative",
    "judge",
    "logistics",
    "resupply",
    "retreat",
    "step",
]

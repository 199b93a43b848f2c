"""What a bundle says of its ruleset: every table of the game as whole numbers, with the options in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from studio.rules.catalogue import halves
from studio.rules.generic import supply_settings as own_supply

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["bundle_tables"]


def bundle_tables(ruleset: Ruleset, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what an engine needs of the ruleset, with the options in force.

    Parameters
    ----------
    ruleset : Ruleset
    options : mapping, optional
        Options chosen instead of the defaults.

    Returns
    -------
    dict
        Costs are in half points (``null`` is impassable), so that every figure is a whole number.
    """
    movers = list(ruleset.movers)
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "hex_metres": ruleset.catalogue.hex_metres,
        "levels": list(ruleset.levels),
        "stacking": ruleset.catalogue.stacking,
        "options": ruleset.options(options),
        "movers": {name: mover.name for name, mover in ruleset.movers.items()},
        "movement": {
            "road_halves": halves(ruleset.catalogue.movement.road),
            "elevation_halves": halves(ruleset.catalogue.movement.elevation),
            "least_halves": halves(ruleset.catalogue.movement.least),
            "flank_halves": 2 * ruleset.catalogue.movement.flank,
            "bridges": ruleset.catalogue.movement.bridges,
            "minimum_one": ruleset.catalogue.movement.minimum_one,
        },
        **({"supply": _supply(ruleset, options)} if ruleset.catalogue.supply else {}),
        "modifiers": dict(ruleset.catalogue.modifiers),
        "terrain": {
            name: {
                "name": terrain.name,
                "sight": terrain.sight,
                "height": terrain.height,
                "playable": terrain.playable,
                "section": terrain.section,
                "enter_halves": {mover: ruleset.move_cost(name, mover) for mover in movers},
                "defence": dict(terrain.defence),
                "bog": list(terrain.bog),
            }
            for name, terrain in ruleset.terrains.items()
        },
        "sides": {
            name: {
                "name": side.name,
                "section": side.section,
                "cross_halves": {mover: ruleset.cross_cost(name, mover) for mover in movers},
                "defence": dict(side.defence),
                "bog": list(side.bog),
            }
            for name, side in ruleset.side_kinds.items()
        },
        "markers": {
            name: {
                "name": marker.name,
                "section": marker.section,
                "enter_halves": 2 * marker.enter,
                "move_halves": {mover: ruleset.marker_cost(name, mover) for mover in movers},
                "sight": marker.sight,
                "height": marker.height,
                "defence": dict(marker.defence),
                "bog": list(marker.bog),
                "becomes": marker.becomes,
            }
            for name, marker in ruleset.marker_types.items()
        },
        "borders": {name: msgspec.to_builtins(kind) for name, kind in ruleset.border_kinds.items()},
        **{
            f"{kind}s": {name: msgspec.to_builtins(drawn) for name, drawn in ruleset.drawn_types(kind).items()}
            for kind in ("area", "place", "wall", "aperture", "link")
        },
    }


def _supply(ruleset: Ruleset, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the figures of the ``[supply]`` table: those that are options as they are in force, and the rest."""
    table, force, prefix = ruleset.catalogue.supply, ruleset.options(options), own_supply.PREFIX
    return {
        "section": table.get("section", ""),
        "mover": table.get("mover", ""),
        "roads": list(table.get("roads", own_supply.SURFACES)),
        "sources": {kind: list(names) for kind, names in table.get("sources", {}).items()},
        **{name: force[prefix + name] for name in own_supply.SUPPLY_SETTINGS},
    }

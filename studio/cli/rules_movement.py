"""What `studio rules` says of movement and supply: the costs of a game, and the settings of its two tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studio.rules import Ruleset

__all__ = ["movement_parts"]


def movement_parts(ruleset: Ruleset) -> list[list[str]]:
    """Return the parts of the list, each with its heading first; headings without anything below them are left out.

    Parameters
    ----------
    ruleset : Ruleset
    """
    catalogue = ruleset.catalogue
    markers = {
        name: {**({"all": one.enter} if one.enter else {}), **one.move, **_becomes(one)}
        for name, one in ruleset.marker_types.items()
    }
    parts = [
        ["points to enter terrain, X is closed", *_costs({name: one.move for name, one in ruleset.terrains.items()})],
        ["points more across hexsides", *_costs({name: one.cross for name, one in ruleset.side_kinds.items()})],
        ["points more in hexes with markers", *_costs(markers)],
    ]
    if ruleset.has_movement:
        movement = catalogue.movement
        said = {name: getattr(movement, name) for name in movement.__struct_fields__}
        parts.append(["[movement]: what is not of one terrain", *_settings(said)])
    if catalogue.supply:
        parts.append(["[supply]: what the file says; the rest stands under options", *_settings(catalogue.supply)])
    return parts


def _becomes(marker: Any) -> dict[str, str]:
    return {"counts as": marker.becomes} if marker.becomes else {}


def _costs(entries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [
        f"  {name:24} " + ", ".join(f"{mover} {str(cost).replace('1/2', '½')}" for mover, cost in costs.items())
        for name, costs in entries.items()
        if costs
    ]


def _settings(table: Mapping[str, Any]) -> list[str]:
    return [f"  {name} = {_typed(value)}" for name, value in table.items()]


def _typed(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_typed(inner)}" for name, inner in value.items() if inner)
    if isinstance(value, list | tuple):
        return ", ".join(map(_typed, value))
    return str(value).replace("1/2", "½")

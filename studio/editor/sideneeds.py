"""What a hexside needs before something can run on it, so that the editor offers it only where it can be.

The checks ``map.side_pair`` and ``map.wadi_end`` find what breaks these rules on maps that were drawn otherwise.
"""

from __future__ import annotations

from typing import Any

from studio.rules import Ruleset

__all__ = ["side_needs"]

_BREACHED = "breached_"


def side_needs(ruleset: Ruleset) -> dict[str, dict[str, Any]]:
    """Return what kinds of hexside need.

    Parameters
    ----------
    ruleset : Ruleset

    Returns
    -------
    dict
        By kind, for those that need something: ``side`` (another kind on the same side) or ``one_of`` (terrain ids, of
        which exactly one of the two hexes has one), and ``text`` for the designer.
    """
    kinds = ruleset.side_kinds
    found: dict[str, dict[str, Any]] = {}
    for kind in kinds:
        base = kind.removeprefix(_BREACHED)
        if kind != base and base in kinds:
            found[kind] = {"side": base, "text": f"lies on a {kinds[base].name.lower()}"}
    beds = [name for name, terrain in ruleset.terrains.items() if terrain.sight == "wadi"]
    if "wadi_end" in kinds and beds:
        found["wadi_end"] = {"one_of": beds, "text": "lies between a wadi and a hex that is none"}
    return found

"""Wargame Studio: author maps and scenarios for tabletop wargames, see why a sight line is blocked, hand over bundles.

The names that notebooks and engines rely on are handed out here; each is loaded when it is first used, so that
``import studio`` stays light.

Examples
--------
>>> import studio
>>> desert = studio.new_map("armageddon_war", columns=5, rows=5)
>>> _ = desert.paint(["0302", "0303"], terrain="light_woods")
>>> desert.sight("0301", "0305").status
'blocked'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "Map": "studio.api",
    "Scenario": "studio.api",
    "compare_rulesets": "studio.api",
    "geography_record": "studio.api",
    "import_file": "studio.api",
    "import_geography": "studio.api",
    "join_maps": "studio.api",
    "launcher": "studio.api",
    "turn_map": "studio.api",
    "new_map": "studio.api",
    "new_scenario": "studio.api",
    "open_map": "studio.api",
    "open_scenario": "studio.api",
    "open_bundle": "studio.api",
    "recover_map": "studio.api",
    "recover_scenario": "studio.api",
    "unsaved": "studio.api",
    "load_ruleset": "studio.rules",
    "HexGrid": "studio.grid",
    "LabelScheme": "studio.grid",
    "StudioError": "studio.errors",
}

__all__ = [
    "HexGrid",
    "LabelScheme",
    "Map",
    "Scenario",
    "StudioError",
    "__version__",
    "compare_rulesets",
    "geography_record",
    "import_file",
    "import_geography",
    "join_maps",
    "launcher",
    "load_ruleset",
    "new_map",
    "new_scenario",
    "open_bundle",
    "open_map",
    "open_scenario",
    "recover_map",
    "recover_scenario",
    "turn_map",
    "unsaved",
]

if TYPE_CHECKING:
    from studio.api import (
        Map,
        Scenario,
        compare_rulesets,
        geography_record,
        import_file,
        import_geography,
        join_maps,
        launcher,
        new_map,
        new_scenario,
        open_bundle,
        open_map,
        open_scenario,
        recover_map,
        recover_scenario,
        turn_map,
        unsaved,
    )
    from studio.errors import StudioError
    from studio.grid import HexGrid, LabelScheme
    from studio.rules import load_ruleset


def __getattr__(name: str) -> Any:
    """Load a public name from the module it lives in."""
    if name not in _WHERE:
        msg = f"module 'studio' has no attribute {name!r}; it has {', '.join(sorted(_WHERE))}"
        raise AttributeError(msg)
    value = getattr(import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__

"""What the ``[supply]`` table of a game can say: every setting, its values and its default.

Settings with few values are options of the ruleset too, by their name after ``supply_``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from studio.errors import Fault, nearest
from studio.rules.generic.settings import Setting, Value

if TYPE_CHECKING:
    from studio.rules.catalogue import Catalogue

__all__ = ["NO_LIMIT", "PREFIX", "SUPPLY_SETTINGS", "SURFACES", "chosen_supply", "supply_faults"]

NO_LIMIT = 9999
"""Points off road that stand for no limit."""

PREFIX = "supply_"
"""What comes before the name of a setting in the name of its option."""

SURFACES = ("paved", "unpaved")

_SOURCES = ("terrain", "markers", "areas")
_OTHERS = ("mover", "roads", "sources", "section")

SUPPLY_SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "off_road",
            6,
            tuple(range(NO_LIMIT + 1)),
            f"Most movement points of a line from the unit to the road, or to a source; {NO_LIMIT} for no limit.",
        ),
        Setting(
            "hexsides",
            "counts",
            ("counts", "free"),
            "Off road a line pays for hexsides such as rivers what the mover pays, a bridged one nothing (counts), or "
            "hexsides that can be crossed cost it nothing (free).",
        ),
        Setting(
            "road_needed",
            False,
            (False, True),
            "A line always ends by road (true), or a source within the limit off road needs none (false).",
        ),
        Setting("road_hexes", 0, tuple(range(4001)), "Most hexes of a line along the road, 0 for any number."),
        Setting(
            "blocked_by",
            "units",
            ("units", "neighbours", "neighbours_unless_held", "nothing"),
            "No line runs into hexes with enemy units (units), nor into their neighbours (neighbours), save those with "
            "a unit of one's own (neighbours_unless_held); or enemies stop no line (nothing).",
        ),
        Setting(
            "source_control",
            "held",
            ("held", "not_enemy"),
            "A source works for the side that controls it (held), or unless an enemy does (not_enemy).",
        ),
        Setting(
            "home_only",
            False,
            (False, True),
            "Only sources in the home country of a side are its own (true), or all that it controls (false).",
        ),
    )
}
"""All settings by name, in the order of the documentation."""


def chosen_supply(table: Mapping[str, Any]) -> dict[str, Value]:
    """Return the value of every setting by the name of its option: what a ``[supply]`` table says, else the default."""
    return {PREFIX + name: table.get(name, setting.default) for name, setting in SUPPLY_SETTINGS.items()}


def supply_faults(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield every fault of what a catalogue says about supply.

    Parameters
    ----------
    catalogue : Catalogue
    """
    table: Mapping[str, Any] = catalogue.supply
    for name, value in table.items():
        place = f"$.supply.{name}"
        if name in SUPPLY_SETTINGS:
            setting = SUPPLY_SETTINGS[name]
            if not setting.allows(value):
                written = str(setting.default).lower() if isinstance(setting.default, bool) else repr(setting.default)
                remedy = f"choose one; without it the file has {written}"
                yield Fault(place, f"got {value!r}, allowed: {setting.allowed}", remedy)
        elif name not in _OTHERS:
            yield Fault(
                place, "there is no such setting", f"{nearest(name, [*SUPPLY_SETTINGS, *_OTHERS])} Or take it out"
            )
    yield from _other_faults(catalogue, table)
    for name in catalogue.options:
        if table and name in chosen_supply({}):
            yield Fault(f"$.options.{name}", "is the name of a setting of supply", "give the option another name")


def _other_faults(catalogue: Catalogue, table: Mapping[str, Any]) -> Iterator[Fault]:
    mover = table.get("mover", "")
    if not isinstance(mover, str) or (mover and mover not in catalogue.movers):
        allowed = nearest(str(mover), catalogue.movers) if catalogue.movers else "the file has no movers"
        yield Fault("$.supply.mover", f"got {mover!r}, allowed: a mover of the file, or none", allowed)
    if not isinstance(table.get("section", ""), str):
        yield Fault(
            "$.supply.section", f"got {table['section']!r}, allowed: a text", "write the section as it is printed"
        )
    yield from _list_faults("$.supply.roads", table.get("roads", []), SURFACES, "surfaces of roads")
    sources = table.get("sources", {})
    if table and not (isinstance(sources, dict) and sources):
        message = "a supply rule needs sources: terrain, markers or areas"
        yield Fault("$.supply.sources", message, 'write sources = { terrain = ["city"] }')
        return
    known = {"terrain": catalogue.terrain, "markers": catalogue.markers, "areas": catalogue.areas}
    for kind, names in sources.items():
        if kind not in _SOURCES:
            yield Fault(f"$.supply.sources.{kind}", "there is no such kind of source", nearest(kind, _SOURCES))
        else:
            yield from _list_faults(f"$.supply.sources.{kind}", names, known[kind], f"{kind} of the file")


def _list_faults(place: str, value: Any, allowed: Any, what: str) -> Iterator[Fault]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        yield Fault(place, f"got {value!r}, allowed: a list of {what}", "write names in square brackets")
        return
    for name in value:
        if name not in allowed:
            yield Fault(place, f"got {name!r}, allowed: {what}", nearest(name, allowed))

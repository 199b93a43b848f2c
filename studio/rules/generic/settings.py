"""What the ``[sight]`` table of a designer's own game can say: every setting, its values and its default.

Each setting is an option of the ruleset too, so that another reading can be tried without touching the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from studio.errors import Fault, nearest

if TYPE_CHECKING:
    from studio.rules.catalogue import Catalogue

__all__ = ["EFFECTS", "SETTINGS", "TALLEST", "Setting", "chosen", "faults"]

Value = str | bool | int

TALLEST = 999
"""Greatest height that a file may give."""

EFFECTS = ("open", "hinder", "block")
"""What terrain, a marker or a hexside can do to a line of sight."""

_MODIFIERS = "modifiers"


class Setting(NamedTuple):
    """One rule that a designer chooses.

    Attributes
    ----------
    name : str
        Key in the ``[sight]`` table, and name of the option.
    default : str, bool or int
    values : tuple
        All that it can be.
    text : str
        What each value means.
    """

    name: str
    default: Value
    values: tuple[Value, ...]
    text: str

    def allows(self, value: Any) -> bool:
        """Tell whether a value is one of those allowed; 1 is not true."""
        return any(value == one and type(value) is type(one) for one in self.values)

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if type(self.default) is int:
            return f"whole numbers from {self.values[0]} to {self.values[-1]}"
        return ", ".join(str(value).lower() if isinstance(value, bool) else repr(value) for value in self.values)


def _numbers(last: int) -> tuple[int, ...]:
    return tuple(range(last + 1))


SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            "hindrance_limit",
            2,
            _numbers(99),
            "So many hindrances pass, the next one blocks the line.",
        ),
        Setting(
            "along",
            "both",
            ("both", "either", "count"),
            "A line along the side of two hexes is blocked when both of them block (both), when one of them does "
            "(either), or each blocking hex beside the line counts one and two or more block it (count).",
        ),
        Setting(
            "along_hinder",
            "heavier",
            ("heavier", "each", "lighter"),
            "Beside a line along a hexside the hex that hinders more counts, once (heavier), each of the two counts "
            "(each), or the one that hinders less counts (lighter).",
        ),
        Setting(
            "touch",
            "free",
            ("free", "counts"),
            "A hex that the line touches in a corner only does nothing (free), or counts like a hex beside a line "
            "along a hexside that has no other hex (counts); where along is count, as one such hex.",
        ),
        Setting(
            "off_map",
            "absent_decides_nothing",
            ("absent_decides_nothing", "absent_is_clear"),
            "Along a hexside whose other hex is off the map the hex that is there decides alone "
            "(absent_decides_nothing), or the missing one counts as open ground (absent_is_clear).",
        ),
        Setting(
            "blind",
            "fixed",
            ("fixed", "proportional", "interpolated"),
            "What is hidden behind an obstacle that the higher end looks over: blind_depth hexes (fixed), more of "
            "them the higher the obstacle and the less it is overlooked (proportional), or what the true line from "
            "eye to eye does not clear (interpolated).",
        ),
        Setting(
            "blind_depth",
            1,
            _numbers(99),
            "Number of blind hexes where blind is fixed; the factor where it is proportional.",
        ),
        Setting(
            "ground",
            "full",
            ("full", "summit", "ignored"),
            "The ground itself is an obstacle as high as its level, with blind hexes behind it (full), blocks where "
            "it is higher than both ends only (summit), or does nothing (ignored).",
        ),
        Setting("eye", 0, _numbers(99), "How many levels above the ground a unit sees, and is seen."),
        Setting("air", 1, _numbers(TALLEST), "How many levels an air unit is above that."),
        Setting(
            "height",
            1,
            _numbers(TALLEST),
            "Height of terrain, markers and hexsides that hinder or block and give no height of their own.",
        ),
        Setting(
            "adjacent",
            True,
            (True, False),
            "Adjacent hexes always see each other (true), or what is between or in them can block (false).",
        ),
        Setting(
            "ends",
            "ignored",
            ("ignored", "markers", "all"),
            "In the hexes of the two ends nothing counts (ignored), markers such as smoke count (markers), or the "
            "terrain does too (all).",
        ),
        Setting(
            "hinder_hex",
            "once",
            ("once", "each"),
            "A hex hinders once whatever is in it (once), or its terrain and each kind of marker once (each).",
        ),
        Setting(
            "end_sides",
            "ignored",
            ("ignored", "counts"),
            "Hexsides of the hexes of the two ends do nothing (ignored), or count like all others (counts).",
        ),
        Setting(
            "along_side",
            "counts",
            ("counts", "free"),
            "A line along a hexside counts what stands on it (counts), or it does nothing (free).",
        ),
        Setting("sight_range", 0, _numbers(4000), "Longest line of sight in hexes, 0 for no limit."),
    )
}
"""All settings by name, in the order of the documentation."""


def chosen(table: Mapping[str, Any]) -> dict[str, Value]:
    """Return the value of every setting: what a ``[sight]`` table says, else the default."""
    return {name: table.get(name, setting.default) for name, setting in SETTINGS.items()}


def faults(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield every fault of what a catalogue says about sight.

    Parameters
    ----------
    catalogue : Catalogue
        Of a game that has no sight module of its own.
    """
    table = catalogue.sight if isinstance(catalogue.sight, dict) else {}
    for name, value in table.items():
        place = f"$.sight.{name}"
        if name == _MODIFIERS:
            yield from _modifier_faults(value)
        elif name not in SETTINGS:
            known = [*SETTINGS, _MODIFIERS]
            yield Fault(place, "there is no such setting", f"{nearest(name, known)} Or take it out")
        elif not SETTINGS[name].allows(value):
            setting = SETTINGS[name]
            written = str(setting.default).lower() if isinstance(setting.default, bool) else repr(setting.default)
            remedy = f"choose one; without it the file has {written}"
            yield Fault(place, f"got {value!r}, allowed: {setting.allowed}", remedy)
    for name in catalogue.options:
        if name in SETTINGS:
            yield Fault(f"$.options.{name}", "is the name of a setting of sight", "give the option another name")
    for kind, things in (("terrain", catalogue.terrain), ("markers", catalogue.markers), ("sides", catalogue.sides)):
        for name, thing in things.items():
            yield from _thing_faults(f"$.{kind}.{name}", thing.sight, thing.height)


def _modifier_faults(value: Any) -> Iterator[Fault]:
    remedy = "write a table such as { DQ = -1 }: the modifier of each hindrance"
    if not isinstance(value, dict):
        yield Fault("$.sight.modifiers", f"got {value!r}, allowed: names with whole numbers", remedy)
        return
    for name, figure in value.items():
        if type(figure) is not int:
            yield Fault(f"$.sight.modifiers.{name}", f"got {figure!r}, allowed: whole numbers", remedy)


def _thing_faults(place: str, sight: str, height: int) -> Iterator[Fault]:
    if sight and sight not in EFFECTS:
        allowed = ", ".join(map(repr, EFFECTS))
        yield Fault(f"{place}.sight", f"got {sight!r}, allowed: {allowed}", nearest(sight, EFFECTS))
    if not 0 <= height <= TALLEST:
        remedy = f"write the levels that it rises above the ground; {TALLEST} for what nobody sees over"
        yield Fault(f"{place}.height", f"got {height}, allowed: 0 to {TALLEST}", remedy)

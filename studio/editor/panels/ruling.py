"""Fields for what a ruling is made of: readings of the rules, and the conditions that hold beside the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from studio.editor.panels.nodes import Node, field
from studio.editor.sight import LABELS
from studio.errors import EditError, ScenarioRuleError, UnknownNameError, nearest
from studio.sight import Conditions

if TYPE_CHECKING:
    from studio.editor.sight import Inquiry
    from studio.rules import Ruleset

__all__ = ["condition_fields", "option_fields", "read_condition", "read_option"]

_WORDS = {
    "smoke": ("Smoke in", "labels with commas between them"),
    "vehicles": ("Vehicles in", "labels with commas between them"),
    "opened": ("Breaches made", "ids with commas between them"),
    "haze_step": ("Haze: −1 for every so many hexes", ""),
    "visibility": ("Visibility in hexes", "0: no limit"),
    "visibility_modifier": ("Modifier beyond half the visibility", ""),
    "terrain_overrides": ("Terrain that counts as other", "such as rough=clear, with commas between them"),
    "surveillance": ("The side that looks sees everything", ""),
    "from_air": ("An air unit looks", ""),
    "to_air": ("An air unit is looked at", ""),
    "from_kind": ("Kind of the unit that looks", ""),
    "to_kind": ("Kind of the unit looked at", ""),
}


# -- readings of the rules -------------------------------------------------------------------------------------------


def option_fields(ruleset: Ruleset, chosen: Mapping[str, Any], action: str) -> list[Node]:
    """Return a field for every reading of a game's rules that bears on sight.

    Parameters
    ----------
    ruleset : Ruleset
    chosen : mapping
        Readings instead of the defaults.
    action : str
        Of the panel; gets the name of the reading and the value as text.
    """
    force, found = ruleset.options(chosen), []
    bearing = getattr(ruleset.sight, "OPTIONS", ruleset.option_specs)
    for name, spec in ruleset.option_specs.items():
        if name not in bearing:
            continue
        words, about = name.replace("_", " "), f"{spec.text} ({spec.section})" if spec.section else spec.text
        value = force[name]
        if all(type(one) is bool for one in spec.values):
            found.append(field(name, words, value, kind="check", action=action, hint=about))
        elif all(type(one) is int for one in spec.values) and len(spec.values) > 8:
            numbers = [int(one) for one in spec.values]
            low, high = min(numbers), max(numbers)
            found.append(
                field(name, words, value, kind="number", low=low, high=high, step=1, action=action, hint=about)
            )
        else:
            choices = [(str(one), str(one).replace("_", " ")) for one in spec.values]
            found.append(field(name, words, str(value), kind="choice", choices=choices, action=action, hint=about))
    return found


def read_option(ruleset: Ruleset, values: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the name and the value of a reading that was chosen in its field.

    Raises
    ------
    UnknownNameError
        When the game has no such reading.
    ScenarioRuleError
        When it cannot have such a value.
    """
    name, written = str(values["id"]), values["value"]
    if name not in ruleset.option_specs:
        msg = f"unknown option {name!r} in {ruleset.title}; {nearest(name, ruleset.option_specs)}"
        raise UnknownNameError(msg)
    if isinstance(written, float) and written.is_integer():
        written = int(written)
    for allowed in ruleset.option_specs[name].values:
        if (type(allowed) is type(written) and allowed == written) or str(allowed) == written:
            return name, allowed
    ruleset.options({name: written})  # says what is allowed
    msg = f"option {name}: got {written!r}"
    raise ScenarioRuleError(msg)


# -- conditions ------------------------------------------------------------------------------------------------------


def condition_fields(map_: Any, asked: Inquiry) -> list[Node]:
    """Return a field for every condition that the rules of a map's game know."""
    known: Mapping[str, Any] = getattr(map_.ruleset.sight, "CONDITIONS", None) or {}
    return [_condition(name, tuple(known[name]), asked) for name in _WORDS if name in known]


def _condition(name: str, texts: tuple[str, ...], asked: Inquiry) -> Node:
    words, about = _WORDS[name]
    value = asked.held.get(name)
    more: dict[str, Any] = {"action": "condition", "hint": about or None}
    default = getattr(Conditions(), name)
    if name in LABELS:
        return field(name, words, ", ".join(value or ()), **more)
    if name == "terrain_overrides":
        return field(name, words, ", ".join(f"{one}={other}" for one, other in (value or {}).items()), **more)
    if isinstance(default, bool):
        return field(name, words, bool(value), kind="check", **more)
    if isinstance(default, int):
        low = 0 if name != "visibility_modifier" else None
        return field(name, words, value or 0, kind="number", low=low, step=1, **more)
    if texts:
        choices = [("", "any"), *((one, one) for one in texts)]
        return field(name, words, value or "", kind="choice", choices=choices, **more)
    return field(name, words, value or "", **more)


def read_condition(map_: Any, values: Mapping[str, Any]) -> tuple[str, Any]:
    """Return the name and the value of a condition that was written in its field.

    Raises
    ------
    EditError
        When there is no such condition, or what was written is none.
    LabelError
        When the map has no location of a label.
    """
    name, written = str(values["id"]), values["value"]
    if name not in _WORDS:
        msg = f"no condition {name!r}; {nearest(name, _WORDS)}"
        raise EditError(msg)
    default = getattr(Conditions(), name)
    if isinstance(default, bool):
        return name, bool(written)
    if isinstance(default, int):
        if written is not None and float(written) != int(written):
            msg = f"{_WORDS[name][0]}: got {written}; give a whole number"
            raise EditError(msg)
        return name, int(written or 0)
    parts = [part.strip() for part in str(written or "").split(",") if part.strip()]
    if name in LABELS:
        return name, _places(map_, name, parts)
    if name == "terrain_overrides":
        pairs = [part.partition("=") for part in parts]
        if not all(sign for _, sign, _ in pairs):
            msg = f"{_WORDS[name][0]}: got {written!r}; write {_WORDS[name][1]}"
            raise EditError(msg)
        return name, {one.strip(): other.strip() for one, _, other in pairs}
    return name, str(written or "").strip()


def _places(map_: Any, name: str, parts: list[str]) -> list[str]:
    if name != "opened":
        directory = map_.survey.directory
        return [directory.label(directory.number(part)) for part in parts]
    for part in parts:
        if part not in map_.model.features:
            msg = f"{_WORDS[name][0]}: no feature of the map has the id {part!r}; {nearest(part, map_.model.features)}"
            raise EditError(msg)
    return parts

"""Which values of a game's file have the wrong form: all of them, each with its place, what was found and allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from studio.errors import Fault, nearest

__all__ = ["form_faults"]

_FOUND = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "float": "a number with a fraction",
    "array": "a list",
    "object": "a table",
}
_COSTS = "write 1, '1/2' or 'X'"
_REMEDIES = {
    "enter": "enter adds the same for every mover; for single ones write move = { foot = 1 }",
    "move": f"name movers, each with its cost: {_COSTS}",
    "cross": f"name movers, each with its cost: {_COSTS}",
    "road": _COSTS,
    "elevation": _COSTS,
    "least": _COSTS,
    "becomes": "name a terrain of the file",
}


def form_faults(raw: dict[str, Any], kind: Any) -> tuple[list[Fault], dict[str, Any] | None]:
    """Return what has the wrong form in a file, and the file without it.

    Parameters
    ----------
    raw : dict
        What the file says.
    kind : type
        What it must be, a msgspec Struct.

    Returns
    -------
    faults : list of Fault
    rest : dict or None
        To look for what else is wrong; None where something needed is wrong or missing.
    """
    rest = deepcopy(raw)
    faults = list(_faults(rest, kind, "$"))
    try:
        msgspec.convert(rest, kind, strict=True)
    except msgspec.ValidationError:
        return faults, None
    return faults, rest


def _faults(raw: Any, kind: Any, place: str) -> Iterator[Fault]:
    """Yield what is wrong in a table, and take it out of the table."""
    types, known = get_type_hints(kind), {field.name: field for field in msgspec.structs.fields(kind)}
    for name in list(raw):
        if name not in known:
            yield Fault(f"{place}.{name}", "is nothing that the studio knows here", nearest(name, known))
            del raw[name]
            continue
        yield from _value(raw, name, types[name], f"{place}.{name}")
    for name, field in known.items():
        if field.required and name not in raw:
            yield Fault(f"{place}.{name}", "is missing", f"give {name} = ...")


def _value(raw: dict[str, Any], name: str, kind: Any, place: str) -> Iterator[Fault]:
    inner = get_args(kind)[1] if get_origin(kind) is dict else None
    if inner is not None and isinstance(raw[name], dict):
        for key in list(raw[name]):
            yield from _value(raw[name], key, inner, f"{place}.{key}")
        return
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(raw[name], dict):
        yield from _faults(raw[name], kind, place)
        return
    try:
        msgspec.convert(raw[name], kind, strict=True)
    except msgspec.ValidationError as error:
        parts = place.split(".")
        field = next((part for part in reversed(parts) if part in _REMEDIES), "")
        yield Fault(place, _said(str(error), raw[name]), _REMEDIES.get(field, "write what is allowed, or leave it out"))
        del raw[name]


def _said(message: str, value: Any) -> str:
    """Return a message of msgspec in plain words."""
    found = re.match(r"Expected `([^`]*)`, got `([^`]*)`", message)
    if found is None:
        return f"got {value!r}: {message.partition(' - at ')[0]}"
    allowed = " or ".join(_FOUND.get(word.strip(), word.strip()) for word in found[1].split("|"))
    got = _FOUND.get(found[2], found[2])
    return f"got {got}, {str(value)[:60]!r}, allowed: {allowed}"

"""What the fields of a record can hold, by their types; and records with one field changed, however deep it lies."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from studio.errors import EditError

__all__ = ["blank", "label_of", "shape_of", "types_of", "with_value", "written"]

_WORDS = {
    "of": "Of",
    "where": "Where",
    "also": "Or else",
    "least": "At least",
    "most": "At most",
    "most_in_hex": "At most in a hex",
    "least_in_hex": "At least in a hex",
    "most_in_area": "At most in an area",
    "for_units": "For units",
    "areas_of": "Areas of",
    "event": "Event",
    "turn": "Turn",
    "each": "Tried each",
    "every": "Every so many turns",
}
"""Names of fields that their own names do not tell well."""


def with_value(record: msgspec.Struct, path: str, value: Any) -> msgspec.Struct:
    """Return a record in which one field, however deep, has what was typed or chosen.

    Parameters
    ----------
    record : Struct
    path : str
        Names of fields and places in lists, with points between them: ``when.dice``, ``distances.0.least``. A path
        that ends at a place behind the last record of a list adds one; at a record that is not there, makes it.
    value : object
        What the field holds. For a record, ``None`` takes it away and anything else makes a blank one.

    Raises
    ------
    EditError
        When there is no such field, or the value is none of those allowed.

    Examples
    --------
    >>> from studio.model import Event
    >>> with_value(Event(id="dust", name="Dust"), "gives", "smoke = 1D6").gives
    {'smoke': '1D6'}
    """
    name, _, rest = path.partition(".")
    hints = types_of(type(record))
    if name not in hints:
        msg = f"no field {name!r}"
        raise EditError(msg)
    kind, inner, optional = shape_of(hints[name])
    now = getattr(record, name)
    if kind == "record":
        made = with_value(now, rest, value) if rest and now is not None else None if value is None else blank(inner)
        if made is None and not optional:
            made = blank(inner)
    elif kind == "records":
        made = _changed_list(now, inner, rest, value)
    else:
        made = _read(name, kind, hints[name], value)
    try:
        whole = {**msgspec.to_builtins(record), name: msgspec.to_builtins(made)}
        return msgspec.convert(whole, type(record))
    except msgspec.ValidationError as error:
        msg = f"{label_of(name)}: {error}"
        raise EditError(msg) from error


def _changed_list(now: Sequence[Any], kind: type[Any], rest: str, value: Any) -> tuple[Any, ...]:
    place, _, deeper = rest.partition(".")
    number, found = int(place) if place.isdigit() else -1, list(now)
    if not 0 <= number <= len(found):
        msg = f"no number {place!r} in a list of {len(found)}"
        raise EditError(msg)
    if number == len(found):
        found.append(blank(kind))
    elif deeper:
        found[number] = with_value(found[number], deeper, value)
    elif value is None:
        del found[number]
    return tuple(found)


# -- values ------------------------------------------------------------------------------------------------------------


def written(value: Any) -> str:
    """Return a list, or pairs, as they are typed."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_one(part)}" for name, part in value.items())
    return ", ".join(map(str, value))


def _one(part: Any) -> str:
    if isinstance(part, bool):
        return "yes" if part else "no"
    return " ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)


def _read(name: str, kind: str, hint: Any, value: Any) -> Any:
    """Return what was typed as the field holds it."""
    if kind == "list":
        parts = [part.strip() for part in str(value or "").split(",") if part.strip()]
        numbers = _item(hint) is int
        return [_whole(part, name) for part in parts] if numbers else parts
    if kind == "pairs":
        return dict(_pair(part, name, hint) for part in str(value or "").split(",") if part.strip())
    if kind == "number":
        return None if value is None else _whole(value, name)
    if kind == "check":
        return {"yes": True, "no": False, "": None}.get(value) if isinstance(value, str) else bool(value)
    if kind == "data":
        try:
            return [msgspec.json.decode(line) for line in str(value or "").splitlines() if line.strip()]
        except msgspec.DecodeError as error:
            msg = f"{label_of(name)}: {error}; write one edit a line, as JSON"
            raise EditError(msg) from error
    if kind == "choice":
        return value if value or "" in get_args(_bare(hint)[0]) else None
    return str(value if value is not None else "")


def _pair(part: str, name: str, hint: Any) -> tuple[str, Any]:
    key, sign, written = (one.strip() for one in part.partition("="))
    if not sign or not key:
        msg = f"{label_of(name)}: got {part.strip()!r}; write name = value"
        raise EditError(msg)
    _, wanted = get_args(_bare(hint)[0])
    allowed = {_bare(one)[0] for one in (get_args(wanted) if _is_union(wanted) else (wanted,))}
    if bool in allowed and written in ("yes", "no"):
        return key, written == "yes"
    if int in allowed and written.lstrip("-").isdigit():
        return key, int(written)
    if any(get_origin(one) is tuple for one in allowed):
        return key, written.split()
    return key, written


def _whole(value: Any, name: str) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.5
    if isinstance(value, bool) or not number.is_integer():
        msg = f"{label_of(name)}: got {value!r}; allowed: a whole number"
        raise EditError(msg)
    return int(number)


def label_of(name: str) -> str:
    """Return what stands before a field."""
    return _WORDS.get(name) or name.replace("_", " ").capitalize()


# -- types -------------------------------------------------------------------------------------------------------------


@cache
def types_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a record, with what is said about them; found once."""
    found: dict[str, Any] = get_type_hints(kind, include_extras=True)
    return found


def _is_union(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType)


def _bare(hint: Any) -> tuple[Any, list[msgspec.Meta], bool]:
    """Return a type without what is said about it, that, and whether None is allowed."""
    metas: list[msgspec.Meta] = []
    optional = False
    while True:
        if hasattr(hint, "__metadata__"):
            metas += [one for one in hint.__metadata__ if isinstance(one, msgspec.Meta)]
            hint = hint.__origin__
        elif _is_union(hint) and type(None) in get_args(hint):
            (hint, *more) = [one for one in get_args(hint) if one is not type(None)]
            optional = True
            if more:
                return hint, metas, optional
        else:
            return hint, metas, optional


def _item(hint: Any) -> Any:
    """Return what a list holds."""
    arguments = get_args(_bare(hint)[0])
    return _bare(arguments[0])[0] if arguments else str


def shape_of(hint: Any) -> tuple[str, Any, bool]:
    """Return how a field of a type is filled in, what belongs to that, and whether it may be left empty."""
    bare, metas, optional = _bare(hint)
    origin = get_origin(bare)
    if origin is Literal:
        return "choice", get_args(bare), optional
    if origin in (tuple, list):
        item = _item(bare)
        if isinstance(item, type) and issubclass(item, msgspec.Struct):
            return "records", item, optional
        return ("data", item, optional) if _is_union(item) else ("list", item, optional)
    if origin is dict:
        return "pairs", None, optional
    if isinstance(bare, type) and issubclass(bare, msgspec.Struct):
        return "record", bare, optional
    if bare is bool:
        return "check", None, optional
    if bare is int:
        limits = {"low": [one.ge for one in metas if one.ge is not None], "high": [one.le for one in metas if one.le]}
        return "number", {name: values[0] for name, values in limits.items() if values}, optional
    return "text", None, optional


_BLANKS: dict[str, Callable[[Any], Any]] = {
    "choice": lambda inner: inner[0],
    "number": lambda inner: inner.get("low", 0),
    "list": lambda item: [1] if item is int else [],
    "records": lambda _: [],
    "pairs": lambda _: {},
    "check": lambda _: False,
    "text": lambda _: "",
}


def blank(kind: type[Any]) -> Any:
    """Return a record with what it must say, as little as that is."""
    fields: dict[str, Any] = {}
    known: Any = kind
    for info in msgspec.structs.fields(known):
        if info.required:
            shape, inner, _ = shape_of(types_of(known)[info.name])
            fields[info.name] = msgspec.to_builtins(blank(inner)) if shape == "record" else _BLANKS[shape](inner)
    return msgspec.convert(fields, kind)

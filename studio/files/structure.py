"""Every structural fault of a document at once, found with the JSON Schema of its type."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from studio.errors import Fault, nearest
from studio.files.faults import FaultList, json_path, shown

__all__ = ["structural_faults"]

_NAMED, _COMPARED = 20, 100
"""Most unknown keys that are named, and most characters that are compared with known names."""
_NAMES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


@cache
def _validator(kind: type[msgspec.Struct]) -> tuple[Any, dict[str, Any]]:
    import jsonschema_rs

    from studio.files.schemas import document_schema

    schema = document_schema(kind)
    return jsonschema_rs.validator_for(schema), schema


def structural_faults(plain: Any, kind: type[msgspec.Struct], first: str) -> list[Fault]:
    """List the structural faults of a plain document.

    Parameters
    ----------
    plain : object
        The document as JSON holds it.
    kind : type of Struct
        What it should be.
    first : str
        What the typed decoder said; kept when the schema cannot say the same.

    Returns
    -------
    list of Fault
        At least one.
    """
    validator, schema = _validator(kind)
    faults = FaultList()
    try:
        for error in validator.iter_errors(plain):
            if faults.stop():
                break
            _describe(error, schema, plain, faults)
    except ValueError:  # more nesting or larger numbers than the validator takes; the decoder's word remains
        pass
    found = re.fullmatch(r"(.*?)(?: - at `(.*)`)?", first, re.DOTALL)
    message, path = (found[1], found[2] or "$") if found else (first, "$")
    stem = path.split("[...]")[0]
    if not any(fault.path.startswith(stem) for fault in faults.kept):
        faults.add(path, message, "write what is expected; whole numbers have neither point nor exponent")
    return faults.all()


def _describe(error: Any, schema: dict[str, Any], plain: Any, faults: FaultList) -> None:
    path, kind = list(error.instance_path), error.kind
    if kind.name == "anyOf":
        for branch in kind.context:
            inner = [part for part in branch if not (part.kind.name == "type" and part.kind.types == ["null"])]
            if inner and not (len(inner) == 1 and inner[0].kind.name == "type" and inner[0].instance_path == path):
                for part in inner:
                    _describe(part, schema, plain, faults)
                return
    message, remedy = _words(error, kind, schema)
    at = _place(plain, path)
    faults.add(json_path(path), message, remedy, at)


def _words(error: Any, kind: Any, schema: dict[str, Any]) -> tuple[str, str]:
    """Return what was got and allowed, and the remedy."""
    got = shown(error.instance)
    parent = _at(schema, list(error.schema_path)[:-1])
    match kind.name:
        case "type":
            allowed = " or ".join(_NAMES.get(name, name) for name in kind.types)
            quoted = isinstance(error.instance, str) and {"integer", "number"} & set(kind.types)
            return f"got {got}, allowed {allowed}", "take the quotes away" if quoted else "give a value of that kind"
        case "required":
            return f"the key {kind.property!r} is missing", "add it; keys are spelled as in the JSON Schema"
        case "additionalProperties":
            known = list(parent.get("properties", {}))
            names = ", ".join(shown(key).removeprefix("text ") for key in kind.unexpected[:_NAMED])
            more = f" and {len(kind.unexpected) - _NAMED} more" if len(kind.unexpected) > _NAMED else ""
            near = nearest(kind.unexpected[0][:_COMPARED], known)
            return f"unknown key {names}{more}; {near}", "rename it or take it out"
        case "enum":
            allowed = parent.get("enum", [])
            texts = [str(value) for value in allowed]
            hint = (
                nearest(error.instance[:_COMPARED], texts)
                if isinstance(error.instance, str)
                else f"allowed {', '.join(texts)}"
            )
            return f"got {got}; {hint}", "use one of them"
        case "pattern":
            return f"got {got}, allowed letters, digits and _ . : - after a first letter or digit", "rename it"
        case "anyOf":
            return f"got {got}: {error.message.split(' is not ')[-1]}", "see the JSON Schema"
    rule = {key: value for key, value in parent.items() if key == kind.name}
    limits = ", ".join(f"{key} {value}" for key, value in rule.items())
    return f"got {got}, allowed {limits}" if limits else error.message, "see the JSON Schema"


def _at(schema: Any, path: list[Any]) -> dict[str, Any]:
    for part in path:
        try:
            schema = schema[part]
        except (KeyError, IndexError, TypeError):
            return {}
    return schema if isinstance(schema, dict) else {}


def _place(plain: Any, path: list[Any]) -> str:
    """Name the record that a fault lies in, by its id or by its labels."""
    place, value = "", plain
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            break
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            place = value["id"][:60]
    if path[:1] == ["sides"] and len(path) > 1 and isinstance(path[1], int):
        record = plain["sides"][path[1]]
        if isinstance(record, list) and all(isinstance(part, str) for part in record[:2]):
            place = "/".join(part[:20] for part in record[:2])
    return place

"""JSON Schemas of documents and bundles, made from their Structs; ``python -m studio.files.schemas`` renews them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from studio.files.records import BundleManifest, Location, RulesetRecord, Side
from studio.files.setup_records import KindRecord, SetUpRecord
from studio.model import MapDocument, ScenarioDocument

__all__ = ["FOLDER", "all_schemas", "document_schema", "schema_text", "write_schemas"]

FOLDER = Path(__file__).parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"

STEPS: dict[str, Any] = {
    "$schema": DIALECT,
    "description": "steps.json: by mover, and for each location in the order of locations.json, where a step leads and "
    "what it costs: place, half points, place, half points and so on.",
    "type": "object",
    "additionalProperties": {"type": "array", "items": {"$ref": "#/$defs/Steps"}},
    "$defs": {
        "Steps": {
            "title": "Steps",
            "description": "Steps from one location: a place in locations.json and half movement points, by turns.",
            "type": "array",
            "items": {"type": "integer", "minimum": 0},
        }
    },
}


def document_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema of a document.

    Parameters
    ----------
    kind : type of Struct

    Returns
    -------
    dict
        Draft 2020-12. Unions of records are written as one ``if`` a kind, so that a validator names the fault in the
        record instead of saying that no alternative fits.
    """
    schema: dict[str, Any] = msgspec.json.schema(kind)
    root = schema["$defs"][kind.__name__]
    for name in ("format", "version"):
        # A reader has defaults for them; a file must say what it is.
        if name in root["properties"] and name not in root["required"]:
            root["required"].append(name)
    root["required"].sort(key=list(root["properties"]).index)
    named: dict[str, Any] = _tidy(schema)
    return {"$schema": DIALECT, **named}


def _tidy(node: Any) -> Any:
    if isinstance(node, list):
        return [_tidy(part) for part in node]
    if not isinstance(node, dict):
        return node
    node = {key: _tidy(value) for key, value in node.items()}
    if isinstance(node.get("description"), str) and "title" in node:
        node["description"], fields = _prose(node["description"])
        for name, text in fields.items():
            if name in node.get("properties", {}):
                node["properties"][name] = {"description": text, **node["properties"][name]}
    if "discriminator" in node and "anyOf" in node:
        return _by_kind(node)
    return node


def _by_kind(node: dict[str, Any]) -> dict[str, Any]:
    tag, mapping = node["discriminator"]["propertyName"], node["discriminator"]["mapping"]
    return {
        "type": "object",
        "properties": {tag: {"enum": list(mapping)}},
        "required": [tag],
        "allOf": [
            {"if": {"properties": {tag: {"const": name}}, "required": [tag]}, "then": {"$ref": reference}}
            for name, reference in mapping.items()
        ],
    }


def _prose(docstring: str) -> tuple[str, dict[str, str]]:
    """Take a docstring apart: what the record is, and what its fields are; exceptions and examples are left out."""
    text = re.split(r"\n(?:Raises|Examples|Returns)\n-+\n", docstring)[0]
    summary, _, parameters = text.partition("\nParameters\n----------\n")
    fields: dict[str, str] = {}
    for entry in re.split(r"\n(?=\w)", parameters):
        head, _, body = entry.partition("\n")
        names = head.partition(" : ")[0]
        words = " ".join(line.strip() for line in body.splitlines()).strip()
        fields.update(
            {name.strip(): words.replace("``", "`").replace("None", "null") for name in names.split(",") if words}
        )
    return summary.strip().replace("``", "`"), fields


def all_schemas() -> dict[str, dict[str, Any]]:
    """Return every published schema by its file's name."""
    return {
        "map.schema.json": document_schema(MapDocument),
        "scenario.schema.json": document_schema(ScenarioDocument),
        "bundle.schema.json": document_schema(BundleManifest),
        "locations.schema.json": _list_schema(Location, "locations.json: every location, in the order of sight.bin."),
        "sides.schema.json": _list_schema(Side, "sides.json: every side with something on it."),
        "ruleset.schema.json": document_schema(RulesetRecord),
        "roster.schema.json": _map_schema(KindRecord, "roster.json: every kind of unit that the scenario uses, by id."),
        "setup.schema.json": document_schema(SetUpRecord),
        "steps.schema.json": STEPS,
    }


def _list_schema(kind: type[msgspec.Struct], description: str) -> dict[str, Any]:
    schema = document_schema(kind)
    item = {"$ref": schema["$ref"]}
    return {"$schema": DIALECT, "description": description, "type": "array", "items": item, "$defs": schema["$defs"]}


def _map_schema(kind: type[msgspec.Struct], description: str) -> dict[str, Any]:
    schema = document_schema(kind)
    inner = {"$ref": schema["$ref"]}
    return {
        "$schema": DIALECT,
        "description": description,
        "type": "object",
        "additionalProperties": inner,
        "$defs": schema["$defs"],
    }


def schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode("utf-8") + "\n"


def write_schemas(folder: Path = FOLDER) -> list[Path]:
    """Write every schema; return the files."""
    written = []
    for name, schema in all_schemas().items():
        (folder / name).write_text(schema_text(schema), encoding="utf-8", newline="\n")
        written.append(folder / name)
    return written

"""The published schemas: fresh, understood by a validator, and true of what we write."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given

from studio.files import read_map, write_map_text, write_scenario_text
from studio.files.reader import read_bundle
from studio.files.schemas import FOLDER, all_schemas, schema_text, write_schemas
from studio.model import MapModel
from tests.files.helpers import STUB, maps, sample_map
from tests.files.test_bundle import WHOLE
from tests.files.test_documents import scenario

SCHEMAS = {name: jsonschema_rs.validator_for(schema) for name, schema in all_schemas().items()}


def test_the_files_are_what_the_structs_give(tmp_path: Path) -> None:
    stale = [
        name for name, schema in all_schemas().items() if (FOLDER / name).read_text("utf-8") != schema_text(schema)
    ]
    assert not stale, "run: python -m studio.files.schemas"
    assert {path.name for path in FOLDER.glob("*.json")} == set(SCHEMAS)
    assert [path.name for path in write_schemas(tmp_path)] == list(SCHEMAS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_sound_and_says_what_things_are(name: str) -> None:
    schema = all_schemas()[name]
    jsonschema_rs.meta.validate(schema)
    for record in schema["$defs"].values():
        assert record["title"]
        assert "Raises" not in record["description"]
        assert ">>>" not in record["description"]


@given(maps())
def test_every_map_that_we_write_is_valid(model: MapModel) -> None:
    SCHEMAS["map.schema.json"].validate(json.loads(write_map_text(model)))


def test_scenarios_and_bundles_that_we_write_are_valid() -> None:
    SCHEMAS["scenario.schema.json"].validate(json.loads(write_scenario_text(scenario())))
    bundle = read_bundle(io.BytesIO(WHOLE))
    for name, part in (
        ("bundle", bundle.manifest),
        ("map", bundle.map),
        ("scenario", bundle.scenario),
        ("ruleset", bundle.ruleset),
        ("locations", bundle.locations),
        ("sides", bundle.sides),
        ("roster", bundle.roster),
        ("setup", bundle.setup),
    ):
        SCHEMAS[f"{name}.schema.json"].validate(part)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "x"},
        {"version": 0},
        {"title": 3},
        {"grid": {}},
        {"sides": [["0101"]]},
        {"features": [{"kind": "road", "id": "r"}]},
        {"features": [{"kind": "rod", "id": "r"}]},
        {"extra": 1},
    ],
)
def test_what_the_schema_refuses_the_reader_refuses_too(change: dict[str, Any]) -> None:
    document = json.loads(write_map_text(sample_map())) | change
    assert not SCHEMAS["map.schema.json"].is_valid(document)
    with pytest.raises(ValueError, match=r"fault"):
        read_map(json.dumps(document).encode(), ruleset=STUB)

"""The maps that are made of geography come out of their specifications as they are kept, to the byte."""

from pathlib import Path

import pytest

import studio
from tests.project.tree import ROOT

SPECS = sorted((ROOT / "maps" / "geography").glob("*/*.geography.toml"))
NAMES = [spec.name.split(".")[0] for spec in SPECS]


def test_every_specification_has_its_map() -> None:
    assert NAMES == ["helsinki", "iran-iraq"]


@pytest.mark.parametrize("spec", SPECS, ids=NAMES)
def test_the_specification_makes_the_map_and_its_record(spec: Path, tmp_path: Path) -> None:
    name = spec.name.split(".")[0]
    made = studio.import_geography(spec, tmp_path / f"{name}.map.json")
    made.map.close()
    for ending in ("map.json", "geography.json"):
        kept = ROOT / "maps" / f"{name}.{ending}"
        assert (tmp_path / f"{name}.{ending}").read_bytes() == kept.read_bytes(), (
            f"maps/{name}.{ending} is older than what makes it: run `studio import` with its specification again"
        )
    assert not [one for one in made.record.sources if not one.licence]

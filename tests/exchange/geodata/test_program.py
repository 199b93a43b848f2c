"""GDAL's own ogrinfo reads what we write: layers, counts, kinds of shapes and the reference system."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from studio.exchange import geodata
from studio.model import Georeference
from tests.exchange.contents import GAMES, content, content_of, own_map, program

pytestmark = pytest.mark.programs


def said(path: Path) -> dict[str, tuple[str, int, str]]:
    """Kind of shapes, number of rows and name of the reference system by layer, as ogrinfo has them."""
    found = subprocess.run(
        [program("ogrinfo"), "-so", "-al", str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    assert not found.stderr.strip(), found.stderr
    layers = {}
    for part in re.split(r"^Layer name: ", found.stdout, flags=re.MULTILINE)[1:]:
        crs = re.search(r'^(?:ENGCRS|PROJCRS|GEOGCRS)\["([^"]*)"', part, re.MULTILINE)
        kind, count = re.search(r"^Geometry: (.*)$", part, re.M)[1], re.search(r"^Feature Count: (\d+)$", part, re.M)[1]
        layers[part.splitlines()[0]] = (kind, int(count), crs[1] if crs else "")
    return layers


@pytest.mark.parametrize(("name", "scenario"), GAMES)
def test_layers_and_counts_of_every_game(name, scenario, tmp_path: Path):
    what = content_of(name, scenario)
    geodata.write(what, tmp_path / "m.gpkg")
    layers = said(tmp_path / "m.gpkg")
    local = "Wargame map, metres"
    hexes = int(what.model.grid.present.sum())
    directory = what.survey.directory
    assert layers["locations"] == ("Polygon", hexes + len(directory.of("area")), local)
    assert layers["location_dots"] == ("Point", len(directory.numbers), local)
    sides = what.survey.side_records()
    assert layers["sides"][1] >= len(sides)
    kinds: dict[str, int] = {}
    for feature in what.model.features.values():
        kind = f"{type(feature).__struct_config__.tag}s"
        kinds[kind] = kinds.get(kind, 0) + 1
    assert {name: layers[name][1] for name in kinds} == kinds
    assert layers["studio"][0] == "None"
    if what.scenario is not None:
        count = sum(len(part.units) for force in what.scenario.forces for part in force.formations)
        assert layers["units"][:2] == ("Point", count)
        assert layers["setup_areas"][1] > 0


def test_geojson_and_a_place_in_the_world(tmp_path: Path):
    model = own_map(columns=4, rows=4)
    model.georeference = Georeference(crs="EPSG:32638", affine=(1000.0, 0.0, 5e5, 0.0, -1000.0, 3.5e6))
    geodata.write(content(model), tmp_path / "m.geojson")
    geodata.write(content(model), tmp_path / "m.gpkg")
    number = len(json.loads((tmp_path / "m.geojson").read_bytes())["features"])
    name = "WGS 84 / UTM zone 38N"
    assert said(tmp_path / "m.geojson") == {"m": ("Unknown (any)", number, name)}
    assert said(tmp_path / "m.gpkg")["locations"] == ("Polygon", 16, name)
    geodata.write(content_of("tactics-3"), tmp_path / "local.geojson")
    assert said(tmp_path / "local.geojson")["local"][2] == "Wargame map, metres"

"""Four thousand named hexes with rivers between them: engines and GIS get them as regions, drawn by nobody."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
import shapely

import studio
from studio.model import Batch, SetSide


@pytest.fixture(scope="module")
def front() -> studio.Map:
    made = studio.new_map("ignorant_armies", columns=80, rows=50, title="Four thousand")
    grid = made.grid
    rivers = [
        SetSide(a=cell, b=other, kinds=("river",))
        for cell in range(grid.cells)
        for other in grid.neighbours(cell)
        if cell < other and cell % 80 == 39 and other % 80 == 40
    ]
    made.apply(Batch(title="A river", edits=list(rivers)))
    made.set("sources", [{"title": "drawn for the tests"}])
    return made


def test_every_hex_is_a_region_with_its_name_and_outline(front: studio.Map) -> None:
    places = front.locations
    assert len(places) == 4000
    assert places.index.is_unique
    assert places.index[0] == "0101"
    assert places.index[-1] == "8050"
    whole = shapely.union_all(places.geometry.to_numpy())
    assert whole.area == pytest.approx(places.area.sum())  # no region over another
    assert not whole.interiors  # and none missing between them


def test_rivers_lie_between_the_regions_that_they_part(front: studio.Map) -> None:
    sides, places = front.sides, front.locations
    rivers = sides[sides.kinds.str.contains("river")]
    assert len(rivers) == 99  # along 50 hexes of a column: two sides each, one at the end
    for river in rivers.itertuples():
        for end in (river.a, river.b):
            assert places.geometry[end].boundary.buffer(1e-6).covers(river.geometry)


def test_a_bundle_has_them_all(front: studio.Map, tmp_path: Path) -> None:
    from studio.api.bundle import export_bundle

    file = export_bundle(front, None, tmp_path / "front.bundle.zip", sight=False, preview=False)
    with zipfile.ZipFile(file) as held:
        locations = json.loads(held.read("locations.json"))
        sides = json.loads(held.read("sides.json"))
    assert [one["label"] for one in locations] == list(front.locations.index)
    assert all(len(one["outline"]) == 6 for one in locations)
    assert sum("river" in side["kinds"] for side in sides) == 99

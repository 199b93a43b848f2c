"""What a picture gets of the data of a map: shapes where the map has them, heights where the world has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import shapely

from studio.api.geographydata import picture_data
from studio.exchange.common.ground import known_game, new_map
from studio.exchange.geography.data.sources import point_of
from studio.exchange.geography.placing.grids import place_grid
from studio.exchange.geography.spec import Geography
from studio.exchange.geography.work import PlacedTown, Report, Work
from studio.grid.fitting import apply_affine

CRS = "EPSG:32638"
LEFT, TOP, SIZE = 500_000.0, 3_500_000.0, 1000.0


def write(folder: Path) -> None:
    """A plane that rises to the east, land, a lake, a wood and a river, in the reference system of the map."""
    geopandas = pytest.importorskip("geopandas")
    rows, columns, step = 60, 80, 200.0
    x = LEFT - 3000 + (np.arange(columns) + 0.5) * step
    np.savez(
        folder / "heights.npz",
        elevation=np.tile((x - LEFT) / 100, (rows, 1)),
        west=LEFT - 3000,
        north=TOP + 3000,
        step=step,
        crs=CRS,
    )
    codes = np.where(np.arange(columns) < 40, 7, 9)
    np.savez(
        folder / "cover.npz",
        codes=np.tile(codes, (rows, 1)).astype(np.uint8),
        west=LEFT - 3000,
        north=TOP + 3000,
        step=step,
        crs=CRS,
    )
    box = shapely.box(LEFT - 9000, TOP - 19000, LEFT + 5000, TOP + 9000)
    layers = {
        "land": [box],
        "lakes": [shapely.Point(LEFT + 2000, TOP - 2000).buffer(400)],
        "woods": [shapely.box(LEFT + 1000, TOP - 4000, LEFT + 2000, TOP - 3000)],
        "rivers": [shapely.LineString([(LEFT, TOP - 4000), (LEFT + 5000, TOP - 1000)])],
    }
    for name, shapes in layers.items():
        geopandas.GeoDataFrame({"name": [name]}, geometry=shapes, crs=CRS).to_file(
            folder / "data.gpkg", layer=name, driver="GPKG"
        )


def plain(**more: Any) -> dict[str, Any]:
    vectors = [
        {"id": name, "file": "data.gpkg", "layer": name, "title": f"Atlas: {name}", "licence": "CC0"}
        for name in ("land", "lakes", "woods", "rivers")
    ]
    rasters = [{"id": name, "file": f"{name}.npz", "title": "Survey."} for name in ("heights", "cover")]
    return {
        "title": "Plain",
        "ruleset": "ignorant_armies",
        "crs": CRS,
        "grid": {"columns": 8, "rows": 6, "hex_size": SIZE, "left": LEFT, "top": TOP},
        "sources": [*vectors, *rasters],
        "water": {"land": "land", "lakes": "lakes"},
        "terrain": {
            "classes": [
                {"terrain": "marsh", "source": "woods"},
                {"terrain": "hills", "source": "woods", "outside": True},
                {"terrain": "mountains", "source": "heights", "above": 30},
                {"terrain": "city", "source": "cover", "values": ["9"]},
            ]
        },
        "rivers": [{"source": "rivers"}],
        **more,
    }


def work_of(folder: Path, **more: Any) -> Work:
    spec = msgspec.convert(plain(**more), Geography)
    report = Report()
    placing = place_grid(spec, "plain", report, lambda point: point_of(spec, folder, "plain", point))
    ruleset = known_game(spec.ruleset, folder / "spec")
    model = new_map(ruleset, placing.grid, spec.grid.labels)
    return Work(spec, folder, "plain", model, ruleset, placing, report)


def pull() -> list[dict[str, Any]]:
    """Four corners where they are, and two in the middle that no affine lays into their hexes as well."""
    from pyproj import Transformer

    turn = Transformer.from_crs(CRS, "EPSG:4326", always_xy=True)
    grid = work_grid()
    points = []
    off = {(3, 2): 800, (4, 3): -800}
    for column, row in ((0, 0), (7, 0), (0, 5), (7, 5), *off):
        cell = grid.cell(column, row)
        x, y = np.multiply(grid.to_map(*grid.centre(cell)), SIZE)
        x += off.get((column, row), 0)
        lon, lat = turn.transform(LEFT + x, TOP - y)
        points.append({"name": f"{column} {row}", "at": f"{column + 1:02}{row + 1:02}", "lon": lon, "lat": lat})
    return points


def work_grid() -> Any:
    from studio.exchange.geodata.world import unit_grid

    return unit_grid(8, 6)


def test_shapes_have_their_parts_on_the_picture(tmp_path: Path) -> None:
    write(tmp_path)
    work = work_of(tmp_path)
    before = len(work.report.entries)
    data = picture_data(work)
    assert [(layer.role, layer.title, layer.terrain) for layer in data.layers] == [
        ("land", "land", ""),
        ("cover", "marsh", "marsh"),
        ("cover", "hills", "hills"),
        ("lake", "lakes", ""),
        ("river", "river", ""),
    ]
    wood, rest = (shapely.union_all(data.layers[n].shapes) for n in (1, 2))
    assert wood.intersection(rest).area < 1e-6 * wood.area
    assert np.isclose(wood.area + rest.area, shapely.box(*work.placing.box).area)
    scale = work.placing.scale
    assert np.isclose(wood.area * scale.prod(), 1.0)  # a square kilometre, in hexes of a kilometre
    assert len(work.report.entries) == before


def test_heights_are_those_of_the_world_and_none_lie_beyond_the_raster(tmp_path: Path) -> None:
    write(tmp_path)
    work = work_of(tmp_path)
    data = picture_data(work)
    assert data.heights is not None
    points = np.array([[0.5, 1.0], [2.25, 3.5], [4.0, 0.1]])
    assert np.allclose(data.heights(points), points[:, 0] * SIZE / 100, atol=1e-6)
    assert np.isnan(data.heights(np.array([[500.0, 2.0]]))).all()


def test_codes_are_terrains(tmp_path: Path) -> None:
    write(tmp_path)
    data = picture_data(work_of(tmp_path))
    assert data.cover is not None
    assert data.cover_terrains == ("city",)
    # The codes change 40 pixels of 200 m from the raster's edge, 3 000 m left of the map: at 5 000 m.
    assert data.cover(np.array([[4.9, 2.0], [5.1, 2.0]])).tolist() == [-1, 0]


def test_a_rubber_sheet_is_undone_for_the_picture(tmp_path: Path) -> None:
    write(tmp_path)
    straight = work_of(tmp_path)
    assert picture_data(straight).frame is None
    grid = {"columns": 8, "rows": 6}
    work = work_of(tmp_path, grid=grid, fit={"kind": "sheet", "points": pull()})
    assert work.placing.warped
    data = picture_data(work)
    assert data.frame is not None
    # A river that is straight in the world is straight on the picture, and lies there where the affine has it.
    (river,) = [layer for layer in data.layers if layer.role == "river"]
    line = data.frame(shapely.get_coordinates(river.shapes))
    world = np.stack(apply_affine(work.placing.affine, *line.T), axis=1)
    along = np.array([5000.0, 3000.0]) / np.hypot(5000, 3000)
    off = (world - [LEFT, TOP - 4000]) @ np.array([-along[1], along[0]])
    assert np.abs(off).max() < 0.02 * SIZE
    bent = shapely.get_coordinates(river.shapes) * work.placing.scale
    assert np.abs(bent - line).max() > 0.05


def test_towns_with_a_name_on_the_map_are_named(tmp_path: Path) -> None:
    write(tmp_path)
    work = work_of(tmp_path, towns={"label": ["city"]})
    town = work.spec.towns
    from studio.exchange.geography.spec import Town

    assert town.label == ("city",)
    work.towns = [
        PlacedTown(Town(name="Kut", rank="city"), (1.0, 2.0), 3),
        PlacedTown(Town(name="Ur", rank="hamlet"), (5.0, 6.0), 7),
    ]
    places = picture_data(work).places
    assert [(one.name, one.point, one.cell, one.major) for one in places] == [
        ("Kut", (1.0, 2.0), 3, True),
        ("Ur", (5.0, 6.0), 7, False),
    ]


def test_sources_are_credited_once_with_their_licences(tmp_path: Path) -> None:
    write(tmp_path)
    credits = picture_data(work_of(tmp_path)).credits
    assert credits == (
        "Atlas: land (CC0)",
        "Atlas: lakes (CC0)",
        "Atlas: woods (CC0)",
        "Atlas: rivers (CC0)",
        "Survey",
    )


def test_layers_of_features_are_drawn_as_they_are(tmp_path: Path) -> None:
    write(tmp_path)
    layers = [
        {"layer": "woods", "to": "areas", "type": "country"},
        {"layer": "rivers", "to": "roads"},
        {"layer": "rivers", "to": "names", "shape": "line"},
        {"layer": "woods", "to": "names", "shape": "area", "where": {"name": "fields"}},
        {"layer": "woods", "to": "names"},
        {"layer": "woods", "to": "terrain", "attribute": "name", "mapping": {"woods": "hills"}},
    ]
    found = picture_data(work_of(tmp_path, layers=layers)).layers[5:]
    assert [(layer.role, layer.title, len(layer.shapes)) for layer in found] == [
        ("building", "country", 1),
        ("road", "rivers", 1),
        ("road", "rivers", 1),
        ("area", "woods", 0),
    ]

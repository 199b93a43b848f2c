"""Small works of an import, with rasters and polygons written for them, laid on a grid in metres."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyogrio
import shapely
from hypothesis import strategies as st
from numpy.typing import NDArray

from studio.exchange.common.ground import new_map
from studio.exchange.geography.placing.grids import place_grid
from studio.exchange.geography.spec import DataSource, Geography, GridRule, Town
from studio.exchange.geography.work import PlacedTown, Report, Work
from studio.rules import Ruleset, load_ruleset

CRS = "EPSG:32638"
LEFT, TOP, SIZE = 500_000.0, 3_500_000.0, 1000.0

GAME = """
id = "grounds"
title = "Grounds"
levels = [-1, 3]
features = ["road"]
sight = false
[terrain.clear]
name = "Clear"
char = "."
[terrain.hills]
name = "Hills"
char = "h"
[terrain.mountains]
name = "Mountains"
char = "m"
[terrain.sea]
name = "Sea"
char = "~"
[terrain.lake]
name = "Lake"
char = "l"
[sides.river]
name = "River"
[sides.border]
name = "Border"
[sides.water]
name = "All water"
"""


@cache
def game(text: str = GAME) -> Ruleset:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grounds.ruleset.toml"
        path.write_text(text, encoding="utf-8")
        return load_ruleset(path)


def grids(most: int) -> st.SearchStrategy[GridRule]:
    """Grids of two to so many columns and rows, of every kind, in one place."""
    return st.builds(
        GridRule,
        columns=st.integers(2, most),
        rows=st.integers(2, most),
        hex_size=st.just(SIZE),
        left=st.just(LEFT),
        top=st.just(TOP),
        orientation=st.sampled_from(["flat", "pointy"]),
        stagger=st.sampled_from(["odd", "even"]),
        short=st.booleans(),
    )


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for the data of one example."""
    path = Path(tempfile.mkdtemp(prefix="grounds-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


def work_of(
    folder: Path,
    *,
    files: dict[str, str] | None = None,
    grid: GridRule | None = None,
    rules: Ruleset | None = None,
    columns: int = 4,
    rows: int = 3,
    said: str = "",
    **rest: Any,
) -> Work:
    """A work that has a grid and nothing on it; ``files`` are sources by id, ``said`` is their reference system."""
    laid = grid or GridRule(columns=columns, rows=rows, hex_size=SIZE, left=LEFT, top=TOP)
    sources = tuple(DataSource(id=name, file=file, licence="free", crs=said) for name, file in (files or {}).items())
    spec = Geography(title="Test", ruleset="grounds", crs=CRS, grid=laid, sources=sources, **rest)
    report, ruleset = Report(), rules or game()
    placing = place_grid(spec, "test", report, lambda point: (0.0, 0.0))
    model = new_map(ruleset, placing.grid, spec.grid.labels, source="test")
    return Work(spec, folder, "test", model, ruleset, placing, report)


def save_raster(path: Path, values: NDArray[Any], affine: tuple[float, ...], crs: str = CRS) -> str:
    np.savez(path, elevation=values, affine=np.array(affine, dtype=float), crs=np.array(crs))
    return path.name


def over_map(work: Work, pixel: float, margin: float = 0.0) -> tuple[tuple[float, ...], int, int]:
    """Affine, rows and columns of a raster of square pixels in metres that covers the map and a margin around it."""
    x0, y0, x1, y1 = work.placing.grid.frame
    (left, top), (right, bottom) = work.placing.to_world(np.array([(x0, y0), (x1, y1)]))
    left, top, right, bottom = left - margin, top + margin, right + margin, bottom - margin
    rows, columns = int(np.ceil((top - bottom) / pixel)), int(np.ceil((right - left) / pixel))
    return (pixel, 0.0, float(left), 0.0, -pixel, float(top)), rows, columns


def save_polygons(path: Path, shapes: list[Any], crs: str = CRS, layer: str = "shapes") -> str:
    """Write polygons in the world; they may be broken."""
    geometry = np.array([shapely.to_wkb(one) for one in shapes], dtype=object)
    kind = "Unknown" if len({one.geom_type for one in shapes}) != 1 else shapes[0].geom_type
    numbers = [np.arange(len(shapes))]
    pyogrio.raw.write(path, geometry, numbers, ["number"], layer=layer, driver="GPKG", geometry_type=kind, crs=crs)
    return path.name


def in_world(work: Work, shape: Any) -> Any:
    """Turn a shape of the lattice into the world."""
    return shapely.transform(shape, work.placing.to_world)


def hex_of(work: Work, cell: int) -> Any:
    return shapely.Polygon(work.placing.grid.corners(cell))


def town_at(work: Work, cell: int, name: str = "Basra") -> PlacedTown:
    x, y = work.placing.grid.centre(cell)
    return PlacedTown(Town(name=name), (float(x), float(y)), cell)


def terrains(work: Work) -> list[str]:
    return [work.model.terrain_at(cell) for cell in range(work.placing.grid.cells) if work.placing.grid.has(cell)]


def texts(work: Work, *kinds: str, step: str = "") -> str:
    return "\n".join(f"{' '.join(one.at)}: {one.text}" for one in work.report.of(*kinds, step=step))

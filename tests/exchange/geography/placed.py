"""Small maps of geography for tests: a work on a grid in the real world, and files drawn on its lattice."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import geopandas
import msgspec
import numpy as np
import shapely

from studio.exchange.common.ground import new_map
from studio.exchange.geography.placing.grids import place_grid
from studio.exchange.geography.spec import Geography
from studio.exchange.geography.work import Entry, Report, Work
from studio.grid import HexGrid
from studio.grid.raster import CORNERS
from studio.rules import get_ruleset

CRS = "EPSG:32638"
GAME = "ignorant_armies"


def work_of(folder: Path, columns: int = 6, rows: int = 5, grid: Mapping[str, Any] | None = None, **spec: Any) -> Work:
    """Return the work on an empty map of clear hexes; every file of the folder is a source by its name."""
    shape = {"columns": columns, "rows": rows, "hex_size": 20_000, "left": 500_000, "top": 3_700_000} | dict(grid or {})
    files = [{"id": path.stem, "file": path.name, "licence": "CC0"} for path in sorted(folder.glob("*.gpkg"))]
    plain = {"title": "Small", "ruleset": GAME, "crs": CRS, "grid": shape, "sources": files} | spec
    made = msgspec.convert(plain, Geography)
    ruleset, report = get_ruleset(made.ruleset), Report()
    placing = place_grid(made, "small", report, lambda _: (0.0, 0.0))
    model = new_map(ruleset, placing.grid, made.grid.labels, title=made.title, source="small")
    work = Work(made, folder, "small", model, ruleset, placing, report)
    work.water = np.zeros(placing.grid.cells, dtype=bool)
    report.entries.clear()
    return work


def save(folder: Path, name: str, shapes: Sequence[Any], columns: Mapping[str, Any] | None = None, **grid: Any) -> None:
    """Write a source whose shapes are given on the lattice of the map of `work_of`."""
    placing = work_of(folder, **grid).placing
    laid = shapely.transform(np.array(list(shapes), dtype=object), placing.to_world)
    table = geopandas.GeoDataFrame(dict(columns or {"n": list(range(len(laid)))}), geometry=list(laid), crs=CRS)
    table.to_file(folder / f"{name}.gpkg")


def hexagon(grid: HexGrid, cell: int) -> shapely.Polygon:
    return shapely.Polygon((grid.centres[cell] + np.array(CORNERS[grid.orientation])).tolist())


def cell(work: Work, label: str) -> int:
    return work.model.labels.cell(label)


def paint(work: Work, terrain: str, *labels: str) -> None:
    for label in labels:
        work.model.terrain.flat[cell(work, label)] = work.model.terrain_ids.index(terrain)


def entries(work: Work, *kinds: str, step: str = "") -> list[Entry]:
    return list(work.report.of(*kinds, step=step))


def said(work: Work, words: str, kind: str = "") -> Entry:
    """Return the one line of the report that has some words in it."""
    found = [one for one in work.report.entries if words in one.text and (not kind or one.kind == kind)]
    assert len(found) == 1, [one.text for one in work.report.entries]
    return found[0]

"""Layers that become features as they are: buildings, walls, streets and trees of a tactical map."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.ground import surveyed
from studio.exchange.geodata.doors import make_up_doors
from studio.exchange.geodata.laying import SHAPES, Laying, Row
from studio.exchange.geodata.options import LayerRule
from studio.exchange.geography.data.sources import Kind, Layer, read_layer
from studio.exchange.geography.work import Work
from studio.model import Area

__all__ = ["lay_layers"]

_STEP = "layers"
_WITHIN = 0.5
"""Hexes of a street under a building, at most, of which nothing is said: corners that it cuts."""


def lay_layers(work: Work) -> None:
    """Lay the layers of a specification, one after another, and say which streets run under what was laid.

    Parameters
    ----------
    work : Work
        ``model`` takes the features, terrain, levels and hexsides, ``report`` what was decided.

    Raises
    ------
    DocumentError
        When a rule names what the data or the game do not have, or a row makes no sound feature.
    """
    if not work.spec.layers:
        return
    streets: list[tuple[str, Any]] = []
    covering: list[str] = []
    closed: list[tuple[str, LayerRule, list[str]]] = []
    for number, rule in enumerate(work.spec.layers):
        where = f"layers[{number}]"
        kind = cast(Kind, rule.shape or SHAPES[rule.to])
        layer = read_layer(work, rule.layer, where, columns=rule.columns, kinds=kind)
        rows = _rows(work, rule, layer)
        laying = Laying(f"{work.name}: {where}", work.model, work.ruleset, _Saying(work))
        laying.lay(rule, rows)
        if rule.to == "areas":
            covering += laying.laid
            closed += [(where, rule, list(laying.laid))] if rule.doors else []
        elif kind == "line" and rule.to in ("roads", "names"):
            streets += [(_name(rule, record), shape) for record, shape in rows]
    for where, rule, ids in closed:
        laying = Laying(f"{work.name}: {where}", work.model, work.ruleset, _Saying(work))
        make_up_doors(laying, rule.doors, ids, [shape for _, shape in streets])
    _under(work, streets, covering)


class _Saying:
    """Writes what laying does into the report."""

    def __init__(self, work: Work) -> None:
        self.report = work.report

    def __call__(self, kind: Any, text: str, at: tuple[str, ...] = (), **figures: float) -> None:
        self.report.add(_STEP, kind, text, at, **figures)


def _rows(work: Work, rule: LayerRule, layer: Layer) -> list[Row]:
    """Return the rows that a rule is about; lines and areas are cut at the frame of the map."""
    import shapely

    shapes: NDArray[Any] = layer.shapes
    if (rule.shape or SHAPES[rule.to]) != "point":
        x0, y0, x1, y1 = work.model.grid.frame
        # Tidying cuts areas itself, and tells which.
        shapes = shapes if rule.tidies else shapely.intersection(shapes, shapely.box(x0, y0, x1, y1))
    found: list[Row] = []
    for at, shape in enumerate(shapes):
        record = {name: values[at] for name, values in layer.columns.items()}
        if all(str(record[column]) == value for column, value in rule.where.items()) and not shape.is_empty:
            found.append((record, shape))
    return found


def _name(rule: LayerRule, record: Any) -> str:
    value = record[rule.name] if rule.name else None
    return str(value) if value else ""


def _under(work: Work, streets: list[tuple[str, Any]], ids: list[str]) -> None:
    """Say which streets run under areas that were laid: passages, or data that disagree."""
    import shapely

    survey = surveyed(work.model, work.ruleset)
    areas = [area for area in survey.features_of(Area) if area.id in set(ids) and not area.within]
    if not areas or not streets:
        return
    polygons = np.array([shapely.Polygon(area.outline, area.holes) for area in areas], dtype=object)
    scale = np.array(work.model.grid.scale)
    found: dict[tuple[str, str], tuple[float, str]] = {}
    street, area = shapely.STRtree(polygons).query([shape for _, shape in streets], predicate="intersects")
    for one, other in sorted(zip(street.tolist(), area.tolist(), strict=True)):
        inside = shapely.intersection(streets[one][1], polygons[other])
        length = float(shapely.transform(inside, lambda points: points * scale).length) / _hex(work)
        key = (streets[one][0] or "a street without a name", areas[other].name or areas[other].id)
        middle = inside.representative_point()
        cell = int(work.model.grid.cells_at(np.array([[middle.x, middle.y]]))[0])
        before, label = found.get(key, (0.0, work.label(cell) if cell >= 0 else ""))
        found[key] = (before + length, label)
    for (name, over), (length, label) in found.items():
        if length > _WITHIN:
            text = f"{name} runs under {over}: a passage, or the data disagree; look whether units can go there"
            work.report.add(_STEP, "finding", text, (label,) if label else (), hexes=length)


def _hex(work: Work) -> float:
    """Return map units from a hex to the next."""
    grid = work.model.grid
    return float(grid.hex_height if grid.flat else grid.width)

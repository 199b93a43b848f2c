"""Polygons of others as areas of a map: tidied, numbered, with their storeys, their parts and the hexes under them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.errors import DocumentError, Fault, StudioError
from studio.exchange.common.footprints import Tidied, Tidying, tidy
from studio.exchange.geodata.dots import clear_dots, cover, reach_into
from studio.exchange.geodata.layers import shape_in
from studio.exchange.geodata.making import area_of, as_text, pieces_of, storeys_of
from studio.exchange.geodata.options import LayerRule
from studio.model import Area, Link, Place

if TYPE_CHECKING:
    from studio.exchange.geodata.laying import Laying

__all__ = ["lay_areas"]

_ASIDE = 0.4
"""Hexes from the middle of an area to the dot on top of it, at most."""


def lay_areas(
    laying: Laying,
    rule: LayerRule,
    rows: Sequence[tuple[Mapping[str, Any], Any]],
    values: Sequence[str | None],
    used: Counter[str],
) -> None:
    """Lay the areas of one layer.

    Parameters
    ----------
    laying : Laying
    rule : LayerRule
    rows : sequence of (mapping, shapely geometry)
    values : sequence of str or None
        Type of each; None for those to leave out.
    used : Counter of str
        Takes why rows gave nothing.

    Raises
    ------
    DocumentError
        With every row that makes no sound area.
    """
    faults: list[Fault] = []
    shapes = [shape if value is not None else None for (_, shape), value in zip(rows, values, strict=True)]
    used["without a value"] += sum(value is None for value in values)
    for row, shape in _shapes(laying, rule, shapes, values, used):
        record = rows[row[0]][0]
        name = next((text for text in (_text(rows[one][0], rule.name) for one in row) if text), "")
        try:
            area = area_of(laying.new_id("area"), values[row[0]] or "", name, shape)
        except (StudioError, ValueError) as error:
            faults.append(Fault("$", str(error), "mend the row", f"{rule.layer}, row {row[0] + 1}"))
            continue
        if isinstance(area, Area):
            laying.put(_raised(laying, rule, area, [rows[one][0] for one in row] or [record]))
    if faults:
        raise DocumentError(str(laying.source), faults)
    ids = list(laying.laid)
    if rule.part:
        _part(laying, rule, ids)
    if rule.reached:
        reach_into(laying, rule, ids)
    if rule.under:
        cover(laying, rule.under, ids)
    if rule.clear:
        clear_dots(laying, rule.clear, ids)


def _text(record: Mapping[str, Any], column: str) -> str:
    return as_text(record[column]) if column else ""


def _shapes(
    laying: Laying, rule: LayerRule, shapes: list[Any], values: Sequence[str | None], used: Counter[str]
) -> list[tuple[tuple[int, ...], Any]]:
    """Return the outlines with the rows that they come from: as they are, or tidied."""
    if not rule.tidies:
        found: list[tuple[tuple[int, ...], Any]] = [
            ((row,), one) for row, shape in enumerate(shapes) for one in pieces_of(shape) if one.kind == "area"
        ]
        used["of another shape, or off the hexes"] += sum(
            shape is not None and not any(one.kind == "area" for one in pieces_of(shape)) for shape in shapes
        )
        return found
    how = Tidying(rule.least, rule.simplify, rule.touching, rule.close)
    tidied = tidy(laying.model.grid, shapes, how, [value or "" for value in values])
    used["beside the map, or of another shape"] += len(tidied.beside)
    used[f"smaller than {rule.least:g} hexes"] += len(tidied.small)
    used["under others"] += len(tidied.covered)
    _tell(laying, rule, shapes, tidied)
    return [(one.rows, shape) for one in tidied.footprints if (shape := shape_in(one.polygon)) is not None]


def _tell(laying: Laying, rule: LayerRule, shapes: list[Any], tidied: Tidied) -> None:
    """Say what tidying did, with the hexes where single areas changed."""
    name = rule.layer or "the first layer"
    for rows, text in (
        (tidied.repaired, "cross themselves and are repaired"),
        (tidied.cut, "are cut at the edge of the map"),
        (tidied.small, f"are smaller than {rule.least:g} hexes and left out"),
        (tidied.covered, "lie under larger ones and are left out"),
    ):
        if rows:
            laying.say("decided", f"{name}: {len(rows)} areas {text}", _where(laying, [shapes[row] for row in rows]))
    before, after = tidied.corners
    text = f"{name}: {len(tidied.footprints)} areas are drawn; corners: {after}, before {before}"
    laying.say("decided", text, areas=len(tidied.footprints), corners=after, corners_before=before)
    for size, text in (
        (tidied.overlaps, "ground that two areas cover belongs to the larger one"),
        (tidied.closed, "narrow gaps and small yards are closed"),
    ):
        if size > 0:
            laying.say("decided", f"{name}: {text}, {size:.2f} hexes of it", hexes=size)
    if tidied.merged:
        text = f"{name}: {tidied.merged} areas became part of those that they touch"
        laying.say("decided", text, merged=tidied.merged)


def _where(laying: Laying, shapes: Sequence[Any]) -> tuple[str, ...]:
    """Return the hexes in which shapes lie, each once."""
    import shapely

    points = np.array([one.representative_point().coords[0] for one in shapes if not shapely.is_empty(one)])
    cells = laying.model.grid.cells_at(points) if len(points) else np.zeros(0, dtype=np.int64)
    return tuple(laying.model.labels.label(int(cell)) for cell in np.unique(cells[cells >= 0]))


def _raised(laying: Laying, rule: LayerRule, area: Area, records: Sequence[Mapping[str, Any]]) -> Area:
    """Return an area with the level of its top floor, that of the highest of its rows."""
    import msgspec

    if not rule.storeys:
        return area
    known = [storeys_of(record[rule.storeys], rule.storey_height) for record in records]
    storeys = [one for one in known if one is not None]
    low, high = laying.ruleset.levels
    level = min(max(int(max(storeys, default=1.0)) - 1, 0, low), high)
    return msgspec.structs.replace(area, level=level)


def _part(laying: Laying, rule: LayerRule, ids: Sequence[str]) -> None:
    """Give areas numbers in the order of their hexes, and each of them a part with its outline."""
    import msgspec
    import shapely

    areas = [laying.model.features[one] for one in ids]
    polygons = [shapely.Polygon(one.outline, one.holes) for one in areas if isinstance(one, Area)]
    points = np.array([one.representative_point().coords[0] for one in polygons]).reshape(-1, 2)
    cells = laying.model.grid.cells_at(points).tolist()
    order = sorted(range(len(areas)), key=lambda at: (cells[at], *points[at][::-1].tolist()))
    for number, at in enumerate(order, 1):
        area = areas[at]
        assert isinstance(area, Area)
        name = f"{number} {area.name}".strip()
        laying.put(msgspec.structs.replace(area, name=name))
        part = msgspec.structs.replace(
            area, id=laying.new_id("area"), type=rule.part, name=f"{number}.1", within=area.id
        )
        laying.put(part)
        if rule.roof:
            _roof(laying, rule, area, number, polygons[at])


def _roof(laying: Laying, rule: LayerRule, area: Area, number: int, polygon: Any) -> None:
    """Put a place on top of an area, beside the dot of its part, and the link that leads there."""
    import shapely

    grid = laying.model.grid
    radius = shapely.maximum_inscribed_circle(polygon)
    (x, y), room = radius.coords[0], radius.length
    # To the right as far as half the room that there is: the middle is often the dot of the part.
    right = min(room / 2, _ASIDE * (grid.hex_height if grid.flat else grid.width) / grid.scale[0])
    kind = laying.ruleset.place_types[rule.roof]
    name = f"{number} {kind.name.lower()}"
    roof = Place(
        id=laying.new_id("place"),
        type=rule.roof,
        name=name,
        at=(round(x + right), round(y)),
        within=area.id,
        level=kind.height,
    )
    laying.put(roof)
    if rule.stairs:
        laying.put(Link(id=laying.new_id("link"), type=rule.stairs, a=f"{number}.1", b=name))

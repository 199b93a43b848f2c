"""The tables of a survey: every location and every side that has something on it, as plain records and as frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.model import Area

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.model import Point
    from studio.survey.directory import Location
    from studio.survey.survey import Survey

__all__ = ["NO_CONTOUR", "location_records", "locations_frame", "side_records", "sides_frame"]

NO_CONTOUR = -128
"""Value of the contour plane in a hex without a contour line."""


def location_records(survey: Survey) -> list[dict[str, Any]]:
    """Return every location as a plain record, in the order of the directory.

    Returns
    -------
    list of dict
        label, kind, q, r, column, row (None save for hexes), terrain (or the type of an area or a place), level,
        contour (or None), crest, road, half, markers, neighbours (labels), within (id of an area), dot, outline
        and holes (map units).
    """
    return [*_hex_records(survey), *(_other_record(survey, location) for location in survey.directory.others)]


def _hex_records(survey: Survey) -> Iterator[dict[str, Any]]:
    import shapely

    grid, model = survey.grid, survey.model
    label = model.labels.label
    cells = np.flatnonzero(survey.directory.playable).tolist()
    names = {cell: label(cell) for cell in cells}
    outlines = grid.outlines(cells)
    axials = grid.axials.tolist()
    contours, crests = survey.contours.ravel().tolist(), survey.crests.ravel().tolist()
    for cell, outline in zip(cells, outlines, strict=True):
        row, column = divmod(cell, grid.columns)
        yield {
            "label": names[cell],
            "kind": "hex",
            "q": axials[cell][0],
            "r": axials[cell][1],
            "column": column,
            "row": row,
            "terrain": model.terrain_at(cell),
            "level": model.level_at(cell),
            "contour": None if contours[cell] == NO_CONTOUR else contours[cell],
            "crest": crests[cell],
            "road": cell in survey.road_hexes,
            "half": grid.is_half(cell),
            "markers": survey.markers_at(cell),
            "neighbours": [names[other] for other in grid.neighbours(cell) if other in names],
            "within": "",
            "dot": _map_point(survey, survey.directory.dot(cell)),
            "outline": [[round(x, 6), round(y, 6)] for x, y in shapely.get_coordinates(outline)[:-1].tolist()],
            "holes": [],
        }


def _other_record(survey: Survey, location: Location) -> dict[str, Any]:
    feature = survey.model.features.get(location.feature)
    drawn = feature if isinstance(feature, Area) else None
    return {
        "label": location.label,
        "kind": location.kind,
        "q": None,
        "r": None,
        "column": None,
        "row": None,
        "terrain": location.type,
        "level": location.level,
        "contour": None,
        "crest": False,
        "road": location.kind == "road",
        "half": False,
        "markers": survey.markers_at(location.number),
        "neighbours": survey.area_neighbours.get(location.label, []),
        "within": location.within,
        "dot": _map_point(survey, location.dot),
        "outline": [_map_point(survey, point) for point in drawn.outline] if drawn else [],
        "holes": [[_map_point(survey, point) for point in hole] for hole in drawn.holes] if drawn else [],
    }


def _map_point(survey: Survey, point: Point) -> list[float]:
    return [round(value, 6) for value in survey.grid.to_map(*point)]


def side_records(survey: Survey) -> list[dict[str, Any]]:
    """Return every hexside that has something on it as a plain record.

    Returns
    -------
    list of dict
        a, b (labels), kinds, roads (surfaces that cross it), rise (level of b less level of a) and
        ends (two corners in map units). A side is listed when something runs on it or a road crosses it.
    """
    grid, label = survey.grid, survey.model.labels.label
    records = []
    for a, b in sorted({*survey.model.sides, *survey.roads}):
        ends = [grid.to_map(*corner) for corner in grid.side_ends(a, b)]
        records.append(
            {
                "a": label(a),
                "b": label(b),
                "kinds": list(survey.side_kinds(a, b)),
                "roads": sorted(survey.roads.get((a, b), ())),
                "rise": survey.model.level_at(b) - survey.model.level_at(a),
                "ends": [[round(x, 6), round(y, 6)] for x, y in ends],
            }
        )
    return records


def locations_frame(survey: Survey) -> GeoDataFrame:
    """Return the locations as a GeoDataFrame, indexed by label; areas by their outline, places by their dot."""
    import shapely
    from geopandas import GeoDataFrame

    records = location_records(survey)
    columns = ["q", "r", "kind", "terrain", "level", "contour", "crest", "road", "half"]
    if survey.directory.others:
        columns.append("within")
    data = {name: [record[name] for record in records] for name in columns}
    shapes = [
        shapely.Polygon(record["outline"], record["holes"]) if record["outline"] else shapely.Point(record["dot"])
        for record in records
    ]
    outlines = np.array(shapes, dtype=object)
    # A designer may look at a table while an outline still crosses itself: `studio check` names it.
    outlines = np.where(shapely.is_valid(outlines), outlines, shapely.make_valid(outlines))
    frame = GeoDataFrame(data, geometry=outlines, index=[record["label"] for record in records])
    frame.index.name = "label"
    return frame


def sides_frame(survey: Survey) -> GeoDataFrame:
    """Return the hexsides with something on them as a GeoDataFrame of lines."""
    import shapely
    from geopandas import GeoDataFrame

    records = side_records(survey)
    columns = ("a", "b", "kinds", "roads", "rise")
    data: dict[str, list[Any]] = {name: [record[name] for record in records] for name in columns}
    data["kinds"] = [", ".join(kinds) for kinds in data["kinds"]]
    data["roads"] = [", ".join(roads) for roads in data["roads"]]
    lines = [shapely.LineString(record["ends"]) for record in records]
    return GeoDataFrame(data, geometry=lines)

"""The tables of a survey: every location and every side that has something on it, as plain records and as frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.errors import UnknownNameError
from studio.model import Area
from studio.survey.sheets import sheet_numbers
from studio.survey.stretches import chains

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
        contour (or None), crest, road, half, markers, neighbours (labels), within (id of an area), tags, dot, outline
        and holes (map units), and on a map of several sheets sheet and layer (ids). Neighbours are the adjacent hexes
        of a hex, clockwise, and then what is next to a location across a side that is not closed, or by a link of the
        game: :attr:`Survey.joined`.
    """
    records = [*_hex_records(survey), *(_other_record(survey, location) for location in survey.directory.others)]
    return _with_sheets(survey, records) if survey.model.sheets else records


def _with_sheets(survey: Survey, records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the ids of the sheet and the layer of every location; empty where it lies on none."""
    sheets, numbers = survey.model.sheets, sheet_numbers(survey)[survey.directory.numbers].tolist()
    for record, number in zip(records, numbers, strict=True):
        record["sheet"], record["layer"] = (sheets[number].id, sheets[number].layer) if number >= 0 else ("", "")
    return records


def _hex_records(survey: Survey) -> Iterator[dict[str, Any]]:
    import shapely

    grid, model = survey.grid, survey.model
    label = model.labels.label
    cells = np.flatnonzero(survey.directory.playable).tolist()
    names = {cell: label(cell) for cell in cells}
    outlines = grid.outlines(cells)
    axials = grid.axials.tolist()
    joined = survey.joined
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
            "neighbours": [names[other] for other in grid.neighbours(cell) if other in names]
            + joined.get(names[cell], []),
            "within": "",
            "tags": [],
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
        "neighbours": survey.joined.get(location.label, []),
        "within": location.within,
        "tags": list(getattr(feature, "tags", ())),
        "dot": _map_point(survey, location.dot),
        "outline": [_map_point(survey, point) for point in drawn.outline] if drawn else [],
        "holes": [[_map_point(survey, point) for point in hole] for hole in drawn.holes] if drawn else [],
    }


def _map_point(survey: Survey, point: Point) -> list[float]:
    return [round(value, 6) for value in survey.grid.to_map(*point)]


def side_records(survey: Survey) -> list[dict[str, Any]]:
    """Return every side that has something on it as a plain record: hexsides in the order of the hexes, then areas.

    Returns
    -------
    list of dict
        a, b (labels; b is empty where nothing is on the other side), kinds, roads (surfaces that cross it), rise (level
        of b less level of a), through (ids of what pierces it), lines (points in map units) and ends (the first point
        and the last). A hexside between two locations is listed when something runs on it or a road crosses it, a
        border of an area always; beside a hex that is no location, such as one out of play, there are no sides.
    """
    return [*_hexside_records(survey), *_border_records(survey)]


def _hexside_records(survey: Survey) -> Iterator[dict[str, Any]]:
    grid, labels, model = survey.grid, survey.model.labels, survey.model
    drawn = {
        (labels.cell(side.a), labels.cell(side.b)): side
        for side in survey.boundaries
        if side.b and not side.a_id and not side.b_id
    }
    played = survey.directory.playable.ravel()
    for a, b in sorted({*drawn, *survey.roads}):
        if not (played[a] and played[b]):
            continue
        side = drawn.get((a, b))
        ends = [_map_point(survey, corner) for corner in grid.side_ends(a, b)]
        yield {
            "a": labels.label(a),
            "b": labels.label(b),
            "kinds": list(side.kinds) if side else [],
            "roads": sorted(survey.roads.get((a, b), ())),
            "rise": model.level_at(b) - model.level_at(a),
            "through": list(side.through) if side else [],
            "ends": ends,
            "lines": [ends],
        }


def _border_records(survey: Survey) -> Iterator[dict[str, Any]]:
    directory = survey.directory

    def level(label: str) -> int:
        return directory.location(directory.number(label)).level

    for side in survey.boundaries:
        if side.a_id or side.b_id:
            lines = [[_map_point(survey, point) for point in line] for line in chains(side.segments)]
            yield {
                "a": side.a,
                "b": side.b,
                "kinds": list(side.kinds),
                "roads": [],
                "rise": level(side.b) - level(side.a) if side.b else 0,
                "through": list(side.through),
                "ends": [lines[0][0], lines[-1][-1]],
                "lines": lines,
            }


def locations_frame(survey: Survey) -> GeoDataFrame:
    """Return the locations as a GeoDataFrame, indexed by label; areas by their outline, places by their dot.

    Returns
    -------
    GeoDataFrame
        Columns as of :func:`location_records`; lists (markers, neighbours, tags) are texts, parted by commas, so that
        every file format takes them. In the coordinates of the world where the map has a georeference, else in map
        units, y down.

    Raises
    ------
    UnknownNameError
        When the coordinate reference system of the map is unknown.
    """
    import shapely

    records = location_records(survey)
    plain = ["q", "r", "kind", "terrain", "level", "contour", "crest", "road", "half", "within"]
    data: dict[str, list[Any]] = {name: [record[name] for record in records] for name in plain}
    for name in ("sheet", "layer"):  # empty on a map of one sheet, so that every map has the same columns
        data[name] = [record.get(name, "") for record in records]
    for name in ("neighbours", "markers", "tags"):
        data[name] = [", ".join(record[name]) for record in records]
    shapes = [
        shapely.Polygon(record["outline"], record["holes"]) if record["outline"] else shapely.Point(record["dot"])
        for record in records
    ]
    outlines = np.array(shapes, dtype=object)
    # A designer may look at a table while an outline still crosses itself: `studio check` names it.
    outlines = np.where(shapely.is_valid(outlines), outlines, shapely.make_valid(outlines))
    return _frame(survey, data, outlines, index=[record["label"] for record in records])


def sides_frame(survey: Survey) -> GeoDataFrame:
    """Return the sides with something on them as a GeoDataFrame of lines.

    Returns
    -------
    GeoDataFrame
        a, b, kinds, roads, rise, through as of :func:`side_records`, lists as texts parted by commas; map_length in map
        units; geometry, a line or several, in the coordinates of the world where the map has a georeference.

    Raises
    ------
    UnknownNameError
        When the coordinate reference system of the map is unknown.
    """
    import shapely

    records = side_records(survey)
    data: dict[str, list[Any]] = {name: [record[name] for record in records] for name in ("a", "b")}
    data["kinds"] = [", ".join(record["kinds"]) for record in records]
    data["roads"] = [", ".join(record["roads"]) for record in records]
    data["rise"] = [record["rise"] for record in records]
    data["through"] = [", ".join(record["through"]) for record in records]
    lines = [
        shapely.LineString(record["lines"][0])
        if len(record["lines"]) == 1
        else shapely.MultiLineString(record["lines"])
        for record in records
    ]
    shapes = np.array(lines, dtype=object)
    data["map_length"] = shapely.length(shapes).tolist()
    return _frame(survey, data, shapes)


_TYPES = {"level": "int64", "rise": "int64", "map_length": "float64", "crest": "bool", "road": "bool", "half": "bool"}
_NUMBERS = ("q", "r", "contour")  # whole, or none


def _frame(survey: Survey, data: dict[str, Any], shapes: Any, index: list[str] | None = None) -> GeoDataFrame:
    """Put a table together; also one without rows has its columns with their types."""
    import shapely
    from geopandas import GeoDataFrame

    place, crs = survey.model.georeference, None
    if place is not None:
        a, b, c, d, e, f = place.affine
        turn = np.array([[a, d], [b, e]])
        shapes = shapely.transform(shapes, lambda points: points @ turn + (c, f))
        crs = _crs(place.crs)
    frame = GeoDataFrame(data, geometry=list(shapes), crs=crs, index=index)
    for name in data:
        if name in _NUMBERS:
            frame[name] = frame[name].astype("Int64")
        elif name in _TYPES:
            frame[name] = frame[name].astype(_TYPES[name])
        else:
            frame[name] = frame[name].astype(object)
    if index is not None:
        frame.index.name = "label"
    return frame


def _crs(name: str) -> Any:
    from pyproj import CRS
    from pyproj.exceptions import CRSError

    try:
        return CRS.from_user_input(name)
    except CRSError as error:
        msg = f"georeference: unknown coordinate reference system {name!r}; give one such as 'EPSG:32637'"
        raise UnknownNameError(msg) from error

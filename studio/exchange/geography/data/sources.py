"""The data of a specification: layers of vector files and rasters, read by the map's box and laid on the lattice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError, nearest
from studio.exchange.common.files import refused
from studio.exchange.geodata.rasterfiles import Raster, raster_file
from studio.exchange.geodata.stores import listed_layers, plain_value
from studio.exchange.geodata.world import known_crs, transformer
from studio.exchange.geography.data.choosing import chosen_rows, value_number, value_text
from studio.exchange.geography.data.shaping import WORDS, Laid, lay_shapes, map_boxes
from studio.exchange.geography.data.vectors import local_file, quiet_reads, wkb_batches
from studio.exchange.geography.data.windows import cut_raster
from studio.exchange.geography.placing.grids import Placing
from studio.exchange.geography.spec import ControlPoint, DataSource, Geography
from studio.exchange.geography.work import Report, Work

__all__ = ["Kind", "Layer", "columns_of", "point_of", "read_layer", "read_raster"]

Kind = Literal["point", "line", "area"]
_STEP = "sources"
MAX_ROWS = 2_000_000
"""Most rows of a layer that are kept in memory: half a gigabyte of points, several hundred to a hex of a large map."""


class Layer(NamedTuple):
    """What a source says of the map.

    Attributes
    ----------
    shapes : array of shapely shapes, shape (rows,)
        On the lattice, cut to the map and two hexes around it, valid and not empty, simple or multiple ones.
    columns : dict of str to list
        The columns that were asked for, a value a shape; what is missing is None.
    source : DataSource
    total : int
        Rows of the file.
    """

    shapes: NDArray[Any]
    columns: dict[str, list[Any]]
    source: DataSource
    total: int


def read_layer(work: Work, source_id: str, rule: str, *, columns: Sequence[str] = (), kinds: Kind) -> Layer:
    """Read a layer of a vector file, as far as it lies on the map.

    Parameters
    ----------
    work : Work
    source_id : str
        Of one of the sources.
    rule : str
        What the source is for, for messages, such as ``rivers[0]``.
    columns : sequence of str
        Columns that the rule needs; empty names are passed over.
    kinds : {"point", "line", "area"}
        Shapes that the rule wants; others are left out, with a note.

    Returns
    -------
    Layer

    Raises
    ------
    DocumentError
        When the file cannot be read, has no such layer, column or reference system, or is land and not on the map.
    """
    source = work.source(source_id, rule)
    path = local_file(work.folder, source, work.name)
    _note_licence(work.report, source)
    with quiet_reads(path):
        layer, facts = _facts(path, source)
    crs = _crs_of(path, source, facts["crs"], work.report)
    wanted = list(dict.fromkeys(name for name in columns if name))
    asked = list(dict.fromkeys([*wanted, *source.where, *source.most, *source.least]))
    _check_columns(path, layer, asked, facts["fields"], rule)
    boxes = map_boxes(work.placing, crs)
    shapes: list[NDArray[Any]] = []
    values: dict[str, list[Any]] = {name: [] for name in wanted}
    laid, seen, chosen = Laid(), 0, 0
    for table, geometry in wkb_batches(path, layer, asked, boxes.one, int(facts["features"]), facts["total_bounds"]):
        seen += len(geometry)
        keep = chosen_rows(source, table, len(geometry))
        chosen += len(keep)
        with np.errstate(invalid="ignore", over="ignore"):
            found, rows = lay_shapes(geometry[keep], crs, boxes, work.placing, kinds, laid)
        shapes.append(found)
        for name in wanted:
            column = table[name]
            values[name].extend(plain_value(column[row]) for row in keep[rows].tolist())
        if sum(map(len, shapes)) > MAX_ROWS:
            message = f"more than {MAX_ROWS} rows of the layer {layer!r} lie on the map, which {rule} cannot do with"
            raise refused(path, message, "choose those that matter by where, most or least in the source")
    total = max(int(facts["features"]), seen)
    every = np.concatenate(shapes) if shapes else np.zeros(0, dtype=object)
    order = _order(every, values)
    every, values = every[order], {name: [found[row] for row in order] for name, found in values.items()}
    lies = "" if len(every) else _where(facts, crs, work.placing)
    _report_layer(work, source, path, kinds, laid, (total, chosen, len(every)), lies)
    return Layer(every, values, source, total)


def columns_of(work: Work, source_id: str, rule: str) -> list[str]:
    """Return the columns of a vector file, by the names that it gives them.

    Raises
    ------
    DocumentError
        When there is no such source, file or layer.
    """
    source = work.source(source_id, rule)
    path = local_file(work.folder, source, work.name)
    with quiet_reads(path):
        return [str(name) for name in _facts(path, source)[1]["fields"]]


def _order(shapes: NDArray[Any], values: Mapping[str, Sequence[Any]]) -> list[int]:
    """Return rows from the top of the map to its bottom, whatever order their file has them in.

    Where two are alike to the last corner, their columns decide.
    """
    import shapely

    # In whole units of the lattice, so that the last bits of a projection do not decide.
    x0, y0, x1, y1 = np.rint(shapely.bounds(shapes)).T if len(shapes) else np.zeros((4, 0))
    order = np.lexsort((y1, x1, x0, y0))
    boxes = np.stack((x0, y0, x1, y1), axis=1)[order]
    parted = np.flatnonzero((boxes[1:] != boxes[:-1]).any(axis=1)) + 1

    def key(row: int) -> tuple[bytes, list[str]]:
        return shapely.to_wkb(shapes[row]), [str(found[row]) for found in values.values()]

    return [row for group in np.split(order, parted) for row in sorted(group.tolist(), key=key)]


def _facts(path: Path, source: DataSource) -> tuple[str, dict[str, Any]]:
    """Return the name of the layer of a source, and what the file says of it."""
    import pyogrio

    names = [name for name, _ in listed_layers(path)]
    if not names:
        raise refused(path, "has no layer", "name a vector file that holds features")
    if not source.layer and len(names) > 1:
        message = f"has {len(names)} layers, and the source {source.id!r} names none; {nearest('', names)}"
        raise refused(path, message, 'give layer = "..." in the source')
    layer = source.layer or names[0]
    if layer not in names:
        raise refused(path, f"has no layer {layer!r}; {nearest(layer, names)}", "name one that it has")
    facts = pyogrio.read_info(path, layer=layer)
    if facts["geometry_type"] is None:
        raise refused(path, f"layer {layer!r} has no shapes", "name a layer of points, lines or polygons")
    return layer, facts


def _crs_of(path: Path, source: DataSource, said: str | None, report: Report) -> str:
    """Return the reference system of a source.

    Raises
    ------
    DocumentError
        When neither the file nor the specification says it, or it is unknown.
    """
    remedy = f'give crs = "EPSG:4326" in the source {source.id!r}, or what it is'
    own: Any = None
    for name in (said, source.crs):
        if name and _elsewhere(name):
            message = f"is in {name[:80]!r}, which is on another planet than the map"
            raise refused(path, message, "name data of the earth")
    if source.crs:
        try:
            own = known_crs(source.crs)
        except UnknownNameError as error:
            raise refused(path, str(error), remedy) from error
    if said:
        try:
            found = known_crs(said)
        except UnknownNameError:
            found = None
        if found is not None and (found.is_geographic or found.is_projected):
            if own is not None and own != found:
                text = f"The file of {source.id} is in {found.name}, and the source says {own.name}; the file counts"
                _add_once(report, "finding", text)
            return said
    if own is None:
        raise refused(path, "does not say its coordinate reference system", remedy)
    return source.crs


def _elsewhere(name: str) -> bool:
    """Tell whether a reference system is one of another planet, or a moon."""
    try:
        transformer(name, "EPSG:4326")
    except UnknownNameError:
        return False
    except RuntimeError:  # of pyproj: there is no way from one to the other
        return True
    return False


def _check_columns(path: Path, layer: str, asked: Sequence[str], fields: Any, rule: str) -> None:
    known = [str(name) for name in fields]
    for name in asked:
        if name not in known:
            message = f"layer {layer!r} has no column {name!r}, which {rule} needs; {nearest(name, known)}"
            raise refused(path, message, "name a column that it has")


# -- what the report says --------------------------------------------------------------------------------------------


def _add_once(report: Report, kind: Any, text: str, **figures: float) -> None:
    """Write a line that is not there yet: several rules may read one source."""
    if not any(one.text == text for one in report.of(step=_STEP)):
        report.add(_STEP, kind, text, (), **figures)


def _note_licence(report: Report, source: DataSource) -> None:
    if not source.licence.strip():
        text = f"The source {source.id} ({source.file}) names no licence; give licence = in [[sources]]"
        _add_once(report, "finding", text)


def _report_layer(
    work: Work, source: DataSource, path: Path, kinds: Kind, laid: Laid, counts: tuple[int, int, int], lies: str
) -> None:
    """Write how many rows lie on the map, what was mended and left out; refuse land that lies elsewhere."""
    total, chosen, kept = counts
    named = f"{source.id} ({source.file}{f', {source.layer}' if source.layer else ''})"
    text = f"{named}: {kept} of {total} rows lie on the map, as {WORDS[kinds]}"
    _add_once(work.report, "decided", text, rows=total, kept=kept, vertices=laid.vertices)
    if laid.mended:
        text = f"{named}: {laid.mended} invalid {'polygon was' if laid.mended == 1 else 'polygons were'} mended"
        _add_once(work.report, "note", text, mended=laid.mended)
    for why, count in sorted(laid.out.items()):
        kind = "note" if "empty" in why else "finding"
        _add_once(
            work.report, kind, f"{named}: {count} {'row is' if count == 1 else 'rows are'} left out: {why}", rows=count
        )
    if kept:
        return
    if not total:
        message = f"{named} has no rows"
    elif chosen or not (source.where or source.most or source.least):
        message = f"{named}: none of its {total} rows lies on the map{lies}"
    else:
        message = f"{named}: where, most and least leave none of the rows on the map"
    if source.id == work.spec.water.land:
        raise refused(path, message, "name land polygons around the map, or leave water.land empty")
    _add_once(work.report, "finding", message)


def _where(facts: dict[str, Any], crs: str, placing: Placing) -> str:
    """Return where a layer lies and where the map does, in the units of the layer."""
    bounds, net = facts.get("total_bounds"), placing.net(crs, around=False).reshape(-1, 2)
    if bounds is None or not np.isfinite(bounds).all() or not np.isfinite(net).all():
        return ""
    x0, y0, x1, y1 = (float(one) for one in bounds)
    (a0, b0), (a1, b1) = net.min(axis=0), net.max(axis=0)
    digits = 3 if known_crs(crs).is_geographic else 0
    lies, asked = (", ".join(f"{one:.{digits}f}" for one in four) for four in ((x0, y0, x1, y1), (a0, b0, a1, b1)))
    there = x0 <= a1 and x1 >= a0 and y0 <= b1 and y1 >= b0
    crossed = y0 <= a1 and y1 >= a0 and x0 <= b1 and x1 >= b0
    swapped = "; its x and y seem to be swapped" if crossed and not there else ""
    return f"; it reaches over {lies}, and the map over {asked}{swapped}"


# -- points ----------------------------------------------------------------------------------------------------------


def point_of(spec: Geography, folder: Path, name: str, point: ControlPoint) -> tuple[float, float]:
    """Return longitude and latitude of a control point: its own, or those of a place of a source of points.

    Raises
    ------
    DocumentError
        When it has neither, or there is no such place.
    """
    if point.lon is not None and point.lat is not None:
        return point.lon, point.lat
    at, source_id = point.name or point.at, point.source or spec.towns.source
    if not point.place and not point.name:
        message = f"the control point {at!r} has neither lon and lat nor a place"
        raise refused(name, message, "give one of them", path="$.fit.points")
    sources = {one.id: one for one in spec.sources}
    if source_id not in sources:
        message = f"the control point {at!r} names the source {source_id!r}; {nearest(source_id, sources)}"
        raise refused(name, message, "name one of [[sources]] by its id", path="$.fit.points")
    return _place_in(spec, sources[source_id], local_file(folder, sources[source_id], name), point.place or point.name)


def _place_in(spec: Geography, source: DataSource, path: Path, place: str) -> tuple[float, float]:
    """Return longitude and latitude of a place by its name or number, the largest of several."""
    import shapely

    with quiet_reads(path):
        layer, facts = _facts(path, source)
    crs = _crs_of(path, source, facts["crs"], Report())
    own = spec.towns.source == source.id
    name, key, size = (spec.towns.name, spec.towns.key, spec.towns.population) if own else ("name", "", "")
    asked = [one for one in (name, key, size, *source.where, *source.most, *source.least) if one]
    _check_columns(path, layer, asked, facts["fields"], "a control point")
    names: set[str] = set()
    found: list[tuple[float, float, float]] = []
    for table, geometry in wkb_batches(path, layer, list(dict.fromkeys(asked)), None):
        for row in chosen_rows(source, table, len(geometry)).tolist():
            said = {value_text(table[one][row]) for one in (name, key) if one}
            names.add(value_text(table[name][row]))
            shape = shapely.from_wkb(geometry[row]) if place in said and geometry[row] is not None else None
            if shape is not None and not shape.is_empty:
                middle = shape if shape.geom_type == "Point" else shape.centroid
                found.append((value_number(table[size][row]) if size else 0.0, middle.x, middle.y))
    if not found:
        raise refused(path, f"has no place {place!r}; {nearest(place, names)}", "name one that it has")
    best = max(found, key=lambda one: one[0] if one[0] == one[0] else -1.0)
    if len({one[1:] for one in found if one[0] == best[0]}) > 1:
        message = f"has {len(found)} places {place!r}, and nothing says which is meant"
        raise refused(path, message, "give lon and lat instead, or the number of the place")
    lon, lat = transformer(crs, "EPSG:4326").transform(best[1], best[2])
    return float(lon), float(lat)


# -- rasters ---------------------------------------------------------------------------------------------------------


def read_raster(work: Work, source_id: str, rule: str) -> Raster:
    """Read a raster, cut to the map, what lies around it and what a class of terrain looks at.

    Parameters
    ----------
    work : Work
    source_id : str
    rule : str
        What it is for, for messages.

    Returns
    -------
    Raster
        With its reference system.

    Raises
    ------
    DocumentError
        When it cannot be read, does not say its reference system, or lies elsewhere.
    """
    source = work.source(source_id, rule)
    path = local_file(work.folder, source, work.name)
    _note_licence(work.report, source)
    file = raster_file(path)
    crs = _crs_of(path, source, file.crs, work.report)
    within = max((one.within for one in work.spec.terrain.classes if one.source == source_id), default=0.0)
    found, message = cut_raster(file._replace(crs=crs), work.placing, within)
    if found is None:
        raise refused(path, message, "name a raster of the place where the map lies, and check both reference systems")
    rows, columns = found.values.shape
    text = f"{source.id} ({source.file}): {columns} x {rows} pixels on and around the map"
    every = round(math.hypot(found.affine[0], found.affine[3]) / math.hypot(file.affine[0], file.affine[3]))
    text += f"; one of {every} is read, each way" if every > 1 else ""
    _add_once(work.report, "decided", text)
    return found

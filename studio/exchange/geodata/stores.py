"""The three formats: each writes layers with a few texts beside them, and reads both back."""

from __future__ import annotations

import datetime
import json
import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError, UnsupportedError, shortened
from studio.exchange.common.files import (
    need_library,
    parse_json,
    plain_json,
    refused,
    source_bytes,
    write_files,
    written_by,
)
from studio.exchange.geodata.layers import Layer
from studio.exchange.geodata.world import World, known_crs

__all__ = [
    "META",
    "Found",
    "Store",
    "library_reads",
    "listed_layers",
    "plain_value",
    "refuse_pointer",
    "store_of",
    "without_network",
]

META = "studio"
"""Name of the table, member or key with the texts."""
# A fixed time, so that the same map gives the same bytes; the file is moved to its place only when it is whole.
_SETTINGS = {"OGR_CURRENT_DATE": "2000-01-01T00:00:00.000Z", "OGR_SQLITE_SYNCHRONOUS": "OFF"}
_POINTERS = (b"<OGRVRT", b"<OGRWFS", b"<OGRGML", b"gdal_streamed_alg", b"<WMS_", b"<GDAL_")
"""How files begin that only point to other files or to the network."""
_NO_NETWORK = {"GDAL_HTTP_PROXY": "127.0.0.1:9", "GDAL_HTTPS_PROXY": "127.0.0.1:9", "GML_DOWNLOAD_SCHEMA": "NO"}
_OFFLINE = threading.Lock()
_BEFORE: dict[str, Any] = {"users": 0, "said": {}}
_PARQUET_HINT = "pip install 'wargame-studio[geoparquet]'"


class Found(NamedTuple):
    """What a file holds.

    Attributes
    ----------
    layers : dict of str to Layer
        Shapes in the world of the file.
    texts : dict of str to str
        Empty where the studio did not write the file.
    """

    layers: dict[str, Layer]
    texts: dict[str, str]


class Store(Protocol):
    """A format."""

    def write(self, target: Path, layers: list[Layer], world: World, texts: Mapping[str, str]) -> tuple[Path, ...]:
        """Write layers whose shapes are in the world."""

    def read(self, source: Path) -> Found | None:
        """Read what the studio wrote; None for a file of others."""


def store_of(path: Path) -> Store:
    """Return the format of a file by its ending.

    Raises
    ------
    UnsupportedError
        When it is none of the three.
    """
    kinds: dict[str, type[Any]] = {".gpkg": _GeoPackage, ".parquet": _GeoParquet, ".geoparquet": _GeoParquet}
    kinds |= {".geojson": _GeoJSON, ".json": _GeoJSON}
    if path.suffix.lower() not in kinds:
        msg = f"{path.name}: geodata end in .gpkg, .parquet or .geojson; give it one of these"
        raise UnsupportedError(msg)
    made: Store = kinds[path.suffix.lower()]()
    return made


def _frame(layer: Layer, world: World) -> Any:
    """Return a layer as a GeoDataFrame, whole numbers with gaps kept whole."""
    from geopandas import GeoDataFrame

    frame = GeoDataFrame(dict(layer.columns), geometry=list(layer.shapes), crs=known_crs(world.crs))
    for name, values in layer.columns.items():
        whole = all(value is None or (isinstance(value, int) and not isinstance(value, bool)) for value in values)
        if whole and any(value is not None for value in values):
            frame[name] = frame[name].astype("Int64" if None in values else "int64")
    return frame


def _layer(name: str, frame: Any) -> Layer:
    columns = {
        str(column): [plain_value(value) for value in frame[column].tolist()]
        for column in frame.columns
        if column != frame.geometry.name
    }
    shapes: NDArray[Any] = np.array(frame.geometry.values, dtype=object)
    return Layer(name, columns, shapes)


def plain_value(value: Any) -> Any:
    """Return a value of a table as a plain one; what is missing is None."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, datetime.date):
        return value.isoformat()
    return None if str(value) in ("<NA>", "NaT") else str(value)


# -- GeoPackage ------------------------------------------------------------------------------------------------------


class _GeoPackage:
    """GeoPackage: a table a layer, the texts in a table of attributes."""

    def write(self, target: Path, layers: list[Layer], world: World, texts: Mapping[str, str]) -> tuple[Path, ...]:
        """Write layers; the moment of the last change is a fixed one."""
        import pyogrio
        from pandas import DataFrame

        def make(path: Path) -> None:
            before = {name: pyogrio.get_gdal_config_option(name) for name in _SETTINGS}
            pyogrio.set_gdal_config_options(_SETTINGS)
            try:
                for number, layer in enumerate(layers):
                    more: dict[str, Any] = {"append": True} if number else {"dataset_options": {"VERSION": "1.3"}}
                    kinds = {shape.geom_type for shape in layer.shapes if shape is not None}
                    if len(kinds) <= 1:  # rows without a shape would make it a layer of anything
                        more["geometry_type"] = next(iter(kinds), "Point")
                    pyogrio.write_dataframe(_frame(layer, world), path, layer=layer.name, driver="GPKG", **more)
                table = DataFrame({"key": list(texts), "value": list(texts.values())})
                more = {"append": True} if layers else {"dataset_options": {"VERSION": "1.3"}}
                pyogrio.write_dataframe(table, path, layer=META, driver="GPKG", **more)
            finally:
                pyogrio.set_gdal_config_options(before)

        written_by(target, make)
        return (target,)

    def read(self, source: Path) -> Found | None:
        """Read the layers of a GeoPackage."""
        import pyogrio

        if source_bytes(source)[68:72] not in (b"GPKG", b"GP10", b"GP11"):
            raise refused(source, "is no GeoPackage", "check that the file is whole")
        names = [str(name) for name, _ in listed_layers(source)]
        if META not in names:
            return None
        with library_reads(source):
            table = pyogrio.read_dataframe(source, layer=META, read_geometry=False)
        if not {"key", "value"} <= set(table.columns):
            return None
        texts = dict(zip(map(str, table["key"]), map(str, table["value"]), strict=True))
        layers = {}
        for name in names:
            if name != META:
                with library_reads(source):
                    frame = pyogrio.read_dataframe(source, layer=name)
                if hasattr(frame, "geometry"):
                    layers[name] = _layer(name, frame)
        return Found(layers, texts)


@contextmanager
def library_reads(source: Path) -> Iterator[None]:
    """Turn what libraries raise on broken files, each kinds of its own, into a refusal of the file.

    Raises
    ------
    DocumentError
    """
    try:
        with without_network():
            yield
    except (StudioError, MemoryError):
        raise
    except Exception as error:
        raise refused(source, f"cannot be read: {shortened(str(error))}", "check that the file is whole") from error


@contextmanager
def without_network() -> Iterator[None]:
    """Keep GDAL from fetching what files name by an address, such as a schema of GML or a reference system of GeoJSON.

    It is told of a proxy that nobody answers at, since it has no option that says so; others that run at the same time
    are told the same, and it is taken back when the last one is done.
    """
    import pyogrio

    with _OFFLINE:
        if not _BEFORE["users"]:
            _BEFORE["said"] = {name: pyogrio.get_gdal_config_option(name) for name in _NO_NETWORK}
            pyogrio.set_gdal_config_options(_NO_NETWORK)
        _BEFORE["users"] += 1
    try:
        yield
    finally:
        with _OFFLINE:
            _BEFORE["users"] -= 1
            if not _BEFORE["users"]:
                pyogrio.set_gdal_config_options(_BEFORE["said"])


def refuse_pointer(source: Path, data: bytes) -> None:
    """Refuse a file that only points to other files or to the network, by how its data begin.

    Raises
    ------
    DocumentError
    """
    if any(mark in data[:4096] for mark in _POINTERS):
        raise refused(source, "only points to other files", "name the file that holds the features")


def listed_layers(source: Path) -> list[tuple[str, str]]:
    """Return the layers of a vector file with their kinds of shapes.

    Raises
    ------
    DocumentError
        When GDAL cannot read it.
    """
    import pyogrio
    from pyogrio.errors import DataLayerError, DataSourceError

    try:
        with without_network():
            return [(str(name), str(kind)) for name, kind in pyogrio.list_layers(source)]
    except (DataSourceError, DataLayerError, ValueError) as error:
        raise refused(source, f"cannot be read: {error}", "name a vector file that GDAL reads") from error


# -- GeoParquet ------------------------------------------------------------------------------------------------------


class _GeoParquet:
    """GeoParquet: a file a layer; the first holds the locations and the texts."""

    def write(self, target: Path, layers: list[Layer], world: World, texts: Mapping[str, str]) -> tuple[Path, ...]:
        """Write layers, each to a file of its own beside the target."""
        import io

        parquet = need_library("pyarrow.parquet", "GeoParquet files", _PARQUET_HINT)
        from geopandas.io.arrow import _geopandas_to_arrow  # the table before it is written, for the texts

        parts = {}
        for number, layer in enumerate(layers):
            table = _geopandas_to_arrow(_frame(layer, world), index=False)
            if not number:
                names = plain_json([one.name for one in layers])
                more = {META.encode(): plain_json({**texts, "layers": names}).encode()}
                table = table.replace_schema_metadata({**(table.schema.metadata or {}), **more})
            buffer = io.BytesIO()
            parquet.write_table(table, buffer, compression="zstd")
            parts[_part(target, layer.name, number).name] = buffer.getvalue()
        return write_files(target, parts)

    def read(self, source: Path) -> Found | None:
        """Read a file and those that it names beside it."""
        parquet = need_library("pyarrow.parquet", "GeoParquet files", _PARQUET_HINT)
        from geopandas import read_parquet

        source_bytes(source)
        with library_reads(source):
            metadata = parquet.read_schema(source).metadata or {}
        if META.encode() not in metadata:
            return None
        plain = parse_json(metadata[META.encode()], source)
        texts = {str(key): str(value) for key, value in plain.items()} if isinstance(plain, dict) else {}
        names = parse_json(texts.pop("layers", "[]").encode(), source)
        layers = {}
        for number, name in enumerate(names if isinstance(names, list) else []):
            path = _part(source, "".join(mark for mark in str(name) if mark.isalnum() or mark == "_"), number)
            if path.is_file():
                with library_reads(path):
                    frame = read_parquet(path)
                layers[str(name)] = _layer(str(name), frame)
        return Found(layers, texts)


def _part(target: Path, name: str, number: int) -> Path:
    return target if not number else target.with_name(f"{target.stem}-{name}{target.suffix}")


# -- GeoJSON ---------------------------------------------------------------------------------------------------------


class _GeoJSON:
    """GeoJSON: all features in one collection, each with the name of its layer."""

    def write(self, target: Path, layers: list[Layer], world: World, texts: Mapping[str, str]) -> tuple[Path, ...]:
        """Write layers; in degrees as RFC 7946 wants them, else with the older member that names the system."""
        import shapely

        crs = known_crs(world.crs)
        head: dict[str, Any] = {"type": "FeatureCollection", "name": target.stem}
        geographic = bool(crs.is_geographic)
        if geographic and crs.to_epsg() != 4326:
            layers = [_degrees(layer, crs) for layer in layers]
        elif not geographic:
            name = f"urn:ogc:def:crs:EPSG::{crs.to_epsg()}" if crs.to_epsg() else crs.to_wkt()
            head["crs"] = {"type": "name", "properties": {"name": name}}
        head[META] = dict(texts)
        lines = []
        for layer in layers:
            # RFC 7946 wants outlines counter-clockwise; the older form leaves rings as they are drawn.
            shapes = shapely.orient_polygons(layer.shapes) if geographic else layer.shapes
            for number, shape in enumerate(shapes):
                fields = {"layer": layer.name} | {name: values[number] for name, values in layer.columns.items()}
                geometry = None if shape is None else _rounded(shapely.geometry.mapping(shape), geographic)
                record = {"type": "Feature", "properties": fields, "geometry": geometry}
                lines.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
        opening = json.dumps(head, ensure_ascii=False, separators=(",", ":"))[:-1]
        text = opening + ',"features":[\n' + ",\n".join(lines) + "\n]}\n"
        return write_files(target, {target.name: text.encode("utf-8")})

    def read(self, source: Path) -> Found | None:
        """Read a collection that the studio wrote."""
        plain = parse_json(source_bytes(source), source)
        if not isinstance(plain, dict) or not isinstance(plain.get(META), dict):
            return None
        texts = {str(key): str(value) for key, value in plain[META].items()}
        features = plain.get("features")
        return Found(dict(_collected(features if isinstance(features, list) else [], source)), texts)


def _degrees(layer: Layer, crs: Any) -> Layer:
    from geopandas import GeoSeries

    shapes = GeoSeries(list(layer.shapes), crs=crs).to_crs("EPSG:4326")
    return layer._replace(shapes=np.array(shapes.values, dtype=object))


def _rounded(geometry: Any, geographic: bool) -> Any:
    digits = 10 if geographic else 6

    def plain(part: Any) -> Any:
        if isinstance(part, tuple | list):
            return [plain(one) for one in part]
        return round(part, digits) + 0.0

    return {"type": geometry["type"], "coordinates": plain(geometry["coordinates"])}


def _collected(features: list[Any], source: Path) -> Iterator[tuple[str, Layer]]:
    import shapely

    rows: dict[str, list[tuple[dict[str, Any], Any]]] = {}
    for number, feature in enumerate(features):
        fields = feature.get("properties") if isinstance(feature, dict) else None
        if not isinstance(fields, dict):
            raise refused(source, "is no feature", "check the file", path=f"$.features[{number}]")
        geometry = feature.get("geometry")
        try:
            shape = None if geometry is None else shapely.from_geojson(msgspec.json.encode(geometry))
        except (shapely.errors.ShapelyError, ValueError, TypeError) as error:
            raise refused(source, f"no shape: {error}", "check the file", path=f"$.features[{number}]") from error
        rows.setdefault(str(fields.get("layer", "")), []).append((fields, shape))
    for name, pairs in rows.items():
        keys = dict.fromkeys(key for fields, _ in pairs for key in fields if key != "layer")
        shapes = np.empty(len(pairs), dtype=object)
        for number, (_, shape) in enumerate(pairs):
            shapes[number] = shape
        columns = {str(key): [plain_value(fields.get(key)) for fields, _ in pairs] for key in keys}
        yield name, Layer(name, columns, shapes)

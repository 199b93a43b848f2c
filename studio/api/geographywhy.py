"""The record of a map that was made of geography, opened later: why a hex is what it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.geographyreport import GeographyReport
from studio.api.map import Map
from studio.api.remaking import record_path
from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.exchange.geography.record import Record
    from studio.exchange.geography.why import Why
    from studio.model import MapModel

__all__ = ["GeographyRecord", "geography_record", "terrain_now"]


class GeographyRecord:
    """What is kept of an import beside its map.

    Parameters
    ----------
    record : Record
    model : MapModel or None
        The map as it is today.

    Attributes
    ----------
    record : Record
    """

    def __init__(self, record: Record, model: MapModel | None = None) -> None:
        self.record, self._model = record, model

    @property
    def report(self) -> GeographyReport:
        """What was decided, nudged, overridden and found."""
        return GeographyReport(self.record)

    @property
    def confidence(self) -> dict[str, float]:
        """How sure the terrain of each hex is, 0 to 1, by its label."""
        return {one.label: one.confidence for one in self.record.hexes}

    def hex_table(self) -> list[dict[str, Any]]:
        """Return shares, heights, country and confidence of each hex as rows for ``pandas.DataFrame``."""
        from studio.exchange.geography.report import hex_table

        return hex_table(self.record)

    def why(self, label: str) -> Why:
        """Tell why a hex is what it is: shares, heights, which rule won, what was decided, overridden and found.

        Parameters
        ----------
        label : str

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        from studio.exchange.geography.why import why

        return why(self.record, label, now=terrain_now(self._model, label))

    def __repr__(self) -> str:
        return f"GeographyRecord({self.record.title!r}, {len(self.record.hexes)} hexes)"

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def terrain_now(model: MapModel | None, label: str) -> str:
    """Return the terrain of a hex on a map, an empty text where it has no such hex."""
    cell = None if model is None else model.labels.find(label.strip())
    return "" if model is None or cell is None else model.terrain_at(cell)


def geography_record(map_: Map | str | os.PathLike[str]) -> GeographyRecord:
    """Open the record that lies beside a map of geography.

    Parameters
    ----------
    map_ : Map or path
        The map, or its file, ``NAME.map.json``; the record is ``NAME.geography.json``.

    Returns
    -------
    GeographyRecord

    Raises
    ------
    StudioError
        When the map has no file yet, or no record lies beside it.
    DocumentError
        When one of them is damaged.

    Examples
    --------
    >>> import studio
    >>> print(studio.geography_record("maps/iran-iraq.map.json").why("1005").lines[0][1])
    out of play by an override, whatever the ground is
    """
    from studio.exchange.geography.record import read_record
    from studio.files import load_map

    if isinstance(map_, Map) and map_.path is None:
        msg = f"{map_.title}: the record of an import lies beside the file of its map, and this map has none yet"
        raise StudioError(msg)
    path = Path(map_.path if isinstance(map_, Map) and map_.path else map_)  # type: ignore[arg-type]
    file = record_path(path)
    if not file.exists():
        what = "no such file" if not path.exists() else f"was not made of geography: no {file.name} lies beside it"
        msg = f"{path}: {what}. Remedy: name a map that `studio import NAME.geography.toml -o NAME.map.json` made"
        raise StudioError(msg)
    record = read_record(file)
    if isinstance(map_, Map):
        return GeographyRecord(record, map_.model)
    return GeographyRecord(record, load_map(path).model if path.exists() else None)

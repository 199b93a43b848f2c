"""Tables (``.csv``) of hexes, hexsides and units: written for spreadsheets and scripts, and read back."""

from __future__ import annotations

import os
from pathlib import Path

from studio.errors import UnsupportedError
from studio.exchange.common.drawn import joined
from studio.exchange.common.files import write_files
from studio.exchange.common.forces import played_notes
from studio.exchange.content import Content, Pictures, Taken, Written
from studio.exchange.tables.options import TableOptions, TableReading
from studio.exchange.tables.rows import HEXES, SIDES, UNITS, hex_rows, map_rows, side_rows, unit_rows
from studio.exchange.tables.taking import take_tables
from studio.exchange.tables.text import table_text
from studio.model.wording import credit_sentences

__all__ = ["Options", "Reading", "TableOptions", "TableReading", "read", "write"]

Options, Reading = TableOptions, TableReading


def write(
    content: Content,
    target: str | os.PathLike[str],
    *,
    options: TableOptions | None = None,
    pictures: Pictures | None = None,
) -> Written:
    """Write a map as tables: hexes, and beside them hexsides, units and what the map itself is.

    Parameters
    ----------
    content : Content
    target : path
        ``NAME.csv`` for the hexes; ``NAME-sides.csv``, ``NAME-units.csv`` and ``NAME-map.csv`` lie beside it.
    options : TableOptions, optional
    pictures : Pictures, optional
        Not used: tables have no pictures.

    Returns
    -------
    Written

    Raises
    ------
    UnsupportedError
        When the file has another ending.
    SaveError
        When a file cannot be written; old ones are whole.
    """
    path, chosen = Path(target), options or TableOptions()
    if path.suffix.lower() != ".csv":
        msg = f"{path.name}: tables end in .csv; give it that"
        raise UnsupportedError(msg)
    excel, notes = chosen.excel, played_notes(content)
    parts = {
        path.name: table_text(HEXES, hex_rows(content), excel=excel),
        f"{path.stem}-sides.csv": table_text(SIDES, side_rows(content), excel=excel),
        f"{path.stem}-map.csv": table_text(("key", "value"), map_rows(content), excel=excel),
    }
    features = content.model.features
    if features:
        kinds = sorted({str(type(one).__struct_config__.tag) for one in features.values()})
        notes.append(f"{len(features)} features are in no table ({joined(kinds)}); a GeoPackage holds them")
    if content.scenario is not None:
        parts[f"{path.stem}-units.csv"] = table_text(UNITS, unit_rows(content.scenario), excel=excel)
        notes.append("of the scenario, tables hold the units alone")
    model = content.model
    unseen = {"notes": model.notes, "scan": model.backdrop, "place": model.georeference}
    lost = [name for name, value in unseen.items() if value]
    if lost:
        notes.append(f"of the map, tables do not hold: {', '.join(lost)}")
    if credit_sentences(model, content.scenario):
        beside = f"{path.stem}-map.csv"
        notes.append(f"sources and licences are in {beside}, to be handed out with the tables; none is read back")
    return Written(write_files(path, parts), tuple(notes))


def read(source: str | os.PathLike[str], *, options: TableReading | None = None) -> Taken:
    """Read tables: of hexes, of hexsides or of units; those beside a table of hexes are read along.

    Parameters
    ----------
    source : path
    options : TableReading, optional

    Returns
    -------
    Taken

    Raises
    ------
    DocumentError
        When it is no table, or words and labels in it mean nothing; each with its line and what is nearest.
    """
    return take_tables(Path(source), options or TableReading())

"""The import as a whole: one step after another, on one map."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from studio.exchange.common.ground import checked, known_game, new_map
from studio.exchange.geography.data import point_of
from studio.exchange.geography.ground import lay_coast, lay_ground, lay_levels, lay_water, rate_confidence
from studio.exchange.geography.layers import lay_layers
from studio.exchange.geography.overrides import apply_overrides
from studio.exchange.geography.places import find_towns, lay_areas, lay_countries, lay_towns
from studio.exchange.geography.placing import place_grid
from studio.exchange.geography.record import Record, record_of, spec_fingerprint
from studio.exchange.geography.rivers import lay_lines, lay_rivers
from studio.exchange.geography.roads import lay_bridges, lay_roads
from studio.exchange.geography.spec import Geography
from studio.exchange.geography.work import Progress, Report, Work
from studio.model import MapDocument

__all__ = ["Made", "build"]

_STEPS: tuple[tuple[str, float, Callable[[Work], None]], ...] = (
    ("towns", 1, find_towns),
    ("terrain", 8, lay_ground),
    ("water", 2, lay_water),
    ("countries", 2, lay_countries),
    ("towns", 1, lay_towns),
    ("rivers", 8, lay_rivers),
    ("lines", 1, lay_lines),
    ("coast", 1, lay_coast),
    ("areas", 1, lay_areas),
    ("roads", 4, lay_roads),
    ("bridges", 1, lay_bridges),
    ("layers", 2, lay_layers),
    ("levels", 2, lay_levels),
    ("overrides", 1, apply_overrides),
    ("confidence", 1, rate_confidence),
)
"""Name, weight in the time of the whole, and what does it. The step of the overrides draws the countries as well."""


class Made(NamedTuple):
    """What an import made.

    Attributes
    ----------
    document : MapDocument
        An ordinary map.
    record : Record
        The report, what each hex was judged by, and the map as it was made.
    work : Work
        What the steps worked on, for pictures.
    seconds : float
        How long it took; the record does not say it, so that equal imports are equal files.
    """

    document: MapDocument
    record: Record
    work: Work
    seconds: float


def build(
    spec: Geography,
    folder: Path,
    *,
    name: str = "geography",
    progress: Progress | None = None,
    overrides: bytes | None = None,
) -> Made:
    """Make a map of geography.

    Parameters
    ----------
    spec : Geography
    folder : Path
        Where the files that it names are.
    name : str
        What messages call the specification.
    progress : callable, optional
        Is told the step that runs and the part that is done.
    overrides : bytes, optional
        What the file of overrides is going to hold, where that is not what it holds now.

    Returns
    -------
    Made

    Raises
    ------
    DocumentError
        When a file cannot be read, or the specification names what the game or the data do not have.
    """
    began = time.perf_counter()
    tell = progress or (lambda _step, _part: None)
    ruleset = known_game(spec.ruleset, folder / name)
    asked = spec
    if not spec.grid.orientation:
        grid = msgspec.structs.replace(spec.grid, orientation=ruleset.catalogue.orientation)
        spec = msgspec.structs.replace(spec, grid=grid)
    report = Report()
    tell("fit", 0.0)
    placing = place_grid(spec, name, report, lambda point: point_of(spec, folder, name, point))
    model = new_map(ruleset, placing.grid, spec.grid.labels, title=spec.title, source=name)
    model.georeference = placing.georeference
    model.notes = spec.notes
    model.sources = [source.provenance for source in spec.sources]
    work = Work(spec, folder, name, model, ruleset, placing, report, overrides=overrides)
    whole, done = 1 + sum(weight for _, weight, _ in _STEPS), 1.0
    for step, weight, run in _STEPS:
        tell(step, done / whole)
        before = model.terrain.copy()
        run(work)
        if run is not lay_ground:
            work.laid_by |= dict.fromkeys(np.flatnonzero(model.terrain != before).tolist(), step)
        done += weight
    document = checked(model, ruleset, name)
    report.figures["hexes"] = float(placing.grid.present.sum())
    tell("done", 1.0)
    record = msgspec.structs.replace(record_of(work, document), spec=spec_fingerprint(asked))
    return Made(document, record, work, time.perf_counter() - began)

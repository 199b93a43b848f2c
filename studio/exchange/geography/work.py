"""What the steps of an import work on and write down: the map as far as it is made, its place, and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.exchange.geography.spec import DataSource, Geography, Town
from studio.model import MapModel
from studio.rules import Ruleset

if TYPE_CHECKING:
    from studio.exchange.geography.ground.heights import Pixels
    from studio.exchange.geography.placing.grids import Placing

__all__ = ["Entry", "EntryKind", "PlacedTown", "Progress", "Report", "Work"]

EntryKind = Literal["decided", "nudged", "override", "note", "finding"]
Progress = Callable[[str, float], None]
"""Is told the step that runs, and what part of the whole is done, 0 to 1."""


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of the report.

    Parameters
    ----------
    step : str
        Such as ``fit``, ``terrain``, ``rivers``.
    kind : {"decided", "nudged", "override", "note", "finding"}
        ``nudged`` is what lies elsewhere than in the world; ``finding`` is what a designer should look at.
    at : tuple of str
        Labels of hexes, or hexsides as ``2731|2732``.
    text : str
        A sentence with the numbers that matter: people read it without the figures.
    figures : dict of str to float
        What was measured, for tables, such as ``{"off": 1.2}`` in radii of a hex.
    """

    step: str
    kind: EntryKind
    at: tuple[str, ...] = ()
    text: str = ""
    figures: dict[str, float] = {}


@dataclass
class Report:
    """Everything that an import decided, nudged and found, in the order of its steps.

    Attributes
    ----------
    entries : list of Entry
    residuals : list of dict
        Of each control point: ``name``, ``at``, ``dx``, ``dy``, ``off`` (hexes, by the affine), ``sheet_off`` (hexes,
        after the rubber sheet), ``inside`` (bool).
    figures : dict of str to float
        Of the whole: ``hexes``, ``seconds``, ``rms`` of the fit in hexes, ``river_cycles`` ...
    """

    entries: list[Entry] = field(default_factory=list)
    residuals: list[dict[str, Any]] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def add(self, step: str, kind: EntryKind, text: str, at: tuple[str, ...] = (), **figures: float) -> None:
        """Write a line."""
        rounded = {name: round(float(value), 3) for name, value in figures.items()}
        self.entries.append(Entry(step=step, kind=kind, at=at, text=text, figures=rounded))

    def of(self, *kinds: str, step: str = "") -> Iterator[Entry]:
        """Yield the lines of some kinds, all kinds when none is named, of one step or of all."""
        for one in self.entries:
            if (not kinds or one.kind in kinds) and (not step or one.step == step):
                yield one


@dataclass(frozen=True)
class PlacedTown:
    """A town on the map.

    Attributes
    ----------
    town : Town
    point : (float, float)
        Where it lies in the world, on the lattice.
    cell : int
        Hex that it is given.
    """

    town: Town
    point: tuple[float, float]
    cell: int


@dataclass
class Work:
    """The map as far as it is made.

    Attributes
    ----------
    spec : Geography
    folder : Path
        Where the files of the specification are looked for.
    name : str
        Name of the specification, for messages.
    model : MapModel
    ruleset : Ruleset
    placing : Placing
        Where the lattice lies in the world.
    report : Report
    shares : dict of str to array of float, shape (cells,)
        Part of each hex that a terrain class covers, by ``terrain:source``; ``sea`` and ``lake`` too.
    pixels : dict of str to Pixels
        Rasters that were read, by their source, with the hex of each pixel.
    heights : dict of str to array, shape (cells,)
        ``mean``, ``lowest``, ``highest`` and ``relief`` of the ground by hex in metres, where a raster says them.
    water : array of bool, shape (cells,)
        All-water hexes.
    country : list of str
        Country of each cell, empty for none.
    towns : list of PlacedTown
    rivers : dict of str to list of (int, int)
        Hexsides of each river, in order.
    river_lines : dict of str to object
        Its line, a shapely geometry on the lattice.
    confidence : array of float, shape (cells,)
        How sure the terrain of each hex is, 0 to 1.
    laid_by : dict of int to str
        Step that gave a cell its terrain, of those whose terrain is not that of the ground.
    overrides : bytes or None
        What the file of overrides is going to hold; None where it is what it holds.
    """

    spec: Geography
    folder: Path
    name: str
    model: MapModel
    ruleset: Ruleset
    placing: Placing
    report: Report
    shares: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    pixels: dict[str, Pixels] = field(default_factory=dict)
    heights: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    water: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    country: list[str] = field(default_factory=list)
    towns: list[PlacedTown] = field(default_factory=list)
    rivers: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    river_lines: dict[str, Any] = field(default_factory=dict)
    confidence: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    laid_by: dict[int, str] = field(default_factory=dict)
    overrides: bytes | None = None

    def source(self, name: str, rule: str) -> DataSource:
        """Return a source by its id.

        Raises
        ------
        DocumentError
            When a rule names one that the specification does not have.
        """
        from studio.errors import nearest
        from studio.exchange.common.files import refused

        for one in self.spec.sources:
            if one.id == name:
                return one
        message = f"{rule} names the source {name!r}; {nearest(name, [one.id for one in self.spec.sources])}"
        raise refused(self.name, message, "name one of [[sources]] by its id")

    def label(self, cell: int) -> str:
        """Return the label of a hex."""
        return self.model.labels.label(cell)

    def side_label(self, side: tuple[int, int]) -> str:
        """Return how the report names a hexside."""
        return "|".join(map(self.label, side))

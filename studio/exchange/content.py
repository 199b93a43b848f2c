"""What exporters are given and give back, and what importers give back: the same for every format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from studio.model import MapDocument, MapModel, ScenarioDocument, UnitRecord
from studio.rules import Ruleset
from studio.survey import Survey

__all__ = ["BoardPicture", "Content", "Pictures", "Taken", "Written"]


class Content(NamedTuple):
    """A map, with a scenario on it or without.

    Attributes
    ----------
    model : MapModel
        The map.
    survey : Survey
        Of the map: its locations, and what joins them.
    ruleset : Ruleset
    scenario : ScenarioDocument or None
    roster : mapping of str to object
        Kinds of units by type, those of the scenario's own among them.
    """

    model: MapModel
    survey: Survey
    ruleset: Ruleset
    scenario: ScenarioDocument | None = None
    roster: Mapping[str, Any] = {}

    @property
    def title(self) -> str:
        """Title of the scenario, else of the map."""
        return self.model.title if self.scenario is None else self.scenario.title


class BoardPicture(NamedTuple):
    """A picture of a map, and where the map lies in it.

    Attributes
    ----------
    png : bytes
    width, height : int
        In pixels.
    left, top : float
        Pixel of the point (0, 0) of the lattice.
    across, down : float
        Pixels of one lattice unit across and down.
    """

    png: bytes
    width: int
    height: int
    left: float
    top: float
    across: float
    down: float

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point of the lattice."""
        return self.left + x * self.across, self.top + y * self.down


class Pictures(Protocol):
    """Who draws for exporters: the studio's own painters, or none in a test."""

    def board(self, hex_px: float, *, sheet: str = "", layer: str = "") -> BoardPicture:
        """Draw the map with hexes so many pixels high, or one of its sheets, or the sheets of one of its layers."""

    def counter(self, unit: UnitRecord, side: str, px: int) -> bytes:
        """Draw the counter of a unit of a side as a square PNG."""

    def marker(self, name: str, words: str, color: str, px: int) -> bytes:
        """Draw a square marker with a word on it as a PNG; `color` is one, or the id of a side with its own."""

    def boxes(self, boxes: Sequence[tuple[int, int, int, int, str, str]], size: tuple[int, int]) -> bytes:
        """Draw boxes as a PNG of a size: each left, top, width, height in pixels, title, and colour or id of a side."""

    def page(self) -> str:
        """Write what the scenario says as plain HTML that old viewers show; "" without a scenario."""


class Written(NamedTuple):
    """What an export wrote.

    Attributes
    ----------
    files : tuple of Path
        The file, and what belongs beside it.
    notes : tuple of str
        What the format cannot say, as sentences.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


class Taken(NamedTuple):
    """What an import took in.

    Attributes
    ----------
    document : MapDocument
    scenario : ScenarioDocument or None
    notes : tuple of str
        What was decided, and what could not be read, as sentences.
    """

    document: MapDocument
    scenario: ScenarioDocument | None = None
    notes: tuple[str, ...] = ()

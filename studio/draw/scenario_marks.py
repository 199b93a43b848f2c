"""What a scenario lays on its map beside units: set-up areas, entries, objectives, notes; told by shape and word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from studio.draw.batch import Ink
from studio.draw.counterfaces import side_colors
from studio.draw.letters import draw_text
from studio.draw.picture import Picture
from studio.draw.regions import Regions
from studio.draw.subject import Floats
from studio.draw.washes import DARK, diagonals, fill
from studio.errors import StudioError
from studio.model import Formation, Objective, PlaceNote, ScenarioDocument, SetUp
from studio.rules.standing import PlayGround
from studio.survey import Survey, area_cells, on_edge

__all__ = ["FormationArea", "ScenarioMarks", "areas_of", "edges_of"]

_WAYS: tuple[Literal["/", "\\"], ...] = ("/", "\\")
_OUT = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0)}
_ARROW = [(-0.62, -0.09), (-0.12, -0.09), (-0.12, -0.24), (0.22, 0.0), (-0.12, 0.24), (-0.12, 0.09), (-0.62, 0.09)]
"""An arrow that points to the right, in hex heights."""

_NAMES_PX = 16
_AREAS, _ENTRIES, _AIMS = 9.45, 24.0, 27.0


class FormationArea(NamedTuple):
    """Where a formation sets up or enters.

    Parameters
    ----------
    side : int
        Place of its force among the forces.
    formation : Formation
    numbers : tuple of int
        Of the locations.
    whole : bool
        Nothing is said of it, so that it is the whole of what is in play.
    """

    side: int
    formation: Formation
    numbers: tuple[int, ...]
    whole: bool

    @property
    def enters(self) -> bool:
        """Whether it enters during play."""
        return self.formation.arrival == "enter"


def areas_of(
    document: ScenarioDocument, ground: PlayGround, kept: dict[SetUp, tuple[int, ...]] | None = None
) -> list[FormationArea]:
    """Return where the formations set up or enter; of a faulty description nothing, which the check tells of.

    Parameters
    ----------
    document : ScenarioDocument
    ground : PlayGround
        The part of its map in play.
    kept : dict, optional
        What was found for the same ground before; what is new is added.
    """
    kept = {} if kept is None else kept
    found = []
    for side, force in enumerate(document.forces):
        for formation in force.formations:
            whole = formation.where == SetUp(text=formation.where.text)
            if not whole and formation.where not in kept:
                try:
                    kept[formation.where] = tuple(area_cells(ground.survey, formation.where, ground.in_play))
                except StudioError:
                    kept[formation.where] = ()
            found.append(FormationArea(side, formation, () if whole else kept[formation.where], whole))
    return found


def edges_of(survey: Survey, cell: int, wanted: Sequence[str]) -> list[str]:
    """Return the edges of the map on which a hex lies, of those wanted, of all where none is."""
    return [edge for edge in (wanted or tuple(_OUT)) if on_edge(survey.grid, cell, edge)]


class ScenarioMarks:
    """Draws what belongs to a scenario.

    Parameters
    ----------
    picture : Picture
        With the map on it already.
    document : ScenarioDocument
    survey : Survey
    """

    def __init__(self, picture: Picture, document: ScenarioDocument, survey: Survey) -> None:
        self.picture, self.document, self.survey = picture, document, survey
        self.colors = side_colors(document.forces)
        self.regions = Regions(picture.sites)
        self.unit: float = picture.subject.grid.hex_height

    def areas(self, areas: Sequence[FormationArea]) -> None:
        """Hatch the set-up areas, each side its own way, with a border and the name of the formation."""
        shown = [area for area in areas if area.numbers and not area.enters]
        for area in shown:
            self._area(area)

    def _area(self, area: FormationArea) -> None:
        color, picture = self.colors[area.side], self.picture
        region = self.regions.path(area.numbers)
        if region is not None:
            fill(picture, region, color, 0.1, _AREAS - 0.02)
            width = max(0.7, 36 * picture.line_scale)
            diagonals(picture, region, 0.24 + 0.06 * (area.side // 2), color, 0.75, width, _WAYS[area.side % 2])
        groups = np.zeros(max(len(self.survey.directory), self.survey.grid.cells), dtype=np.int64)
        groups[list(area.numbers)] = 1
        self._rim(self.regions.rim(groups), color, dashed=area.side % 2 == 1)
        for _, at in self.regions.spots(area.numbers):
            picture.ax.plot(
                *at, "o", ms=max(6, 0.5 * 0.72 * picture.hex_px), mfc="none", mec=color, mew=2, zorder=_AREAS
            )
        self._name(area, color)

    def _rim(self, lines: Sequence[Floats], color: str, *, dashed: bool) -> None:
        from matplotlib.collections import LineCollection

        line: Any = (0, (4, 2)) if dashed else "solid"
        plain: Any = "solid"
        for ink, width, style in (("#ffffff", 92, plain), (color, 52, line)):
            drawn = LineCollection(
                list(lines), colors=ink, linewidths=max(0.8, width * self.picture.line_scale), zorder=_AREAS + 0.05
            )
            drawn.set_linestyle([style])
            drawn.set_capstyle("round")
            self.picture.ax.add_collection(drawn, autolim=False)

    def _name(self, area: FormationArea, color: str) -> None:
        if self.picture.hex_px < _NAMES_PX:
            return
        spots = np.asarray([self.regions.spot(number) for number in area.numbers])
        middle = spots.mean(axis=0)
        at = spots[np.argmin(((spots - middle) ** 2).sum(axis=1))] + np.array([0.0, -0.3]) * self.unit
        with self.picture.batched() as canvas:
            draw_text(canvas, area.formation.name, at, 0.26 * self.unit, color, 13, halo="#ffffff", bold=True)

    # -- entries -----------------------------------------------------------------------------------------------------

    def entries(self, areas: Sequence[FormationArea]) -> None:
        """Draw an arrow into each entry hex, and the name and turn of the formation at the first."""
        taken: dict[int, int] = {}
        for area in areas:
            if not area.enters:
                continue
            numbers = list(area.numbers)
            spots = [self._entry(number, area, taken) for number in _thinned(numbers, bool(area.formation.where.hexes))]
            if spots and self.picture.hex_px >= _NAMES_PX:
                unit = self.document.length_unit
                words = f"{area.formation.name}: {unit} {area.formation.arrival_turn}"
                at = spots[len(spots) // 2] + np.array([0.0, 0.42]) * self.unit
                with self.picture.batched() as canvas:
                    halo = "#ffffff"
                    draw_text(
                        canvas,
                        words,
                        at,
                        0.25 * self.unit,
                        self.colors[area.side],
                        _ENTRIES + 0.3,
                        halo=halo,
                        bold=True,
                    )

    def _entry(self, number: int, area: FormationArea, taken: dict[int, int]) -> Floats:
        grid = self.survey.grid
        at = np.asarray(self.regions.spot(number))
        cell = number if number < grid.cells else self.survey.directory.location(number).cell
        edges = edges_of(self.survey, cell, area.formation.where.edges) if cell >= 0 else []
        way = -np.asarray(_OUT[edges[0]]) if edges else np.array([0.0, 1.0])
        across = np.array([-way[1], way[0]])
        # Several formations that enter by one hex have their arrows side by side.
        beside = 0.26 * taken.get(number, 0)
        taken[number] = taken.get(number, 0) + 1
        base = at + across * beside * self.unit - way * 0.16 * self.unit
        corners = [base + (a * way + b * across) * self.unit for a, b in _ARROW]
        with self.picture.batched() as canvas:
            ink = Ink(_ENTRIES, self.colors[area.side], "#ffffff", max(0.6, 30 * self.picture.line_scale), join="round")
            canvas.shape(corners, ink)
        return at

    # -- objectives and notes ----------------------------------------------------------------------------------------

    def objectives(self, objectives: Iterable[Objective]) -> None:
        """Fly a flag in each place that earns points: in the colour of the side, with the points on it."""
        held: dict[int, int] = {}
        sides = [force.id for force in self.document.forces]
        for one in objectives:
            color = self.colors[sides.index(one.side)] if one.side in sides else "#555555"
            for label in one.hexes:
                number = self._number(label)
                if number is None:
                    continue
                at = (
                    np.asarray(self.regions.spot(number))
                    + np.array([0.26, -0.1 + 0.3 * held.get(number, 0)]) * self.unit
                )
                held[number] = held.get(number, 0) + 1
                self._flag(at, color, str(one.points))

    def _flag(self, at: Floats, color: str, text: str) -> None:
        u, width = self.unit, max(0.6, 30 * self.picture.line_scale)
        with self.picture.batched() as canvas:
            canvas.shape(
                [at + np.array(p) * u for p in ((0, -0.28), (0, 0.24))],
                Ink(_AIMS, "none", DARK, 2 * width),
                closed=False,
            )
            cloth = [at + np.array(p) * u for p in ((0, -0.28), (0.36, -0.2), (0.27, -0.12), (0.36, -0.02), (0, 0.0))]
            canvas.shape(cloth, Ink(_AIMS + 0.01, color, DARK, width, join="round"))
            if self.picture.hex_px >= _NAMES_PX:
                draw_text(canvas, text, at + np.array([0.14, -0.14]) * u, 0.2 * u, "#ffffff", _AIMS + 0.02, bold=True)

    def notes(self, notes: Sequence[PlaceNote]) -> None:
        """Pin a numbered sheet to each place with a note."""
        for n, note in enumerate(notes, 1):
            number = self._number(note.at)
            if number is None:
                continue
            at = np.asarray(self.regions.spot(number)) + np.array([-0.3, -0.24]) * self.unit
            u = self.unit
            sheet = [
                at + np.array(p) * u
                for p in ((-0.12, -0.15), (0.06, -0.15), (0.12, -0.08), (0.12, 0.15), (-0.12, 0.15))
            ]
            with self.picture.batched() as canvas:
                canvas.shape(sheet, Ink(_AIMS + 0.1, "#fff6c9", DARK, max(0.5, 22 * self.picture.line_scale)))
                draw_text(canvas, str(n), at + np.array([0, 0.01]) * u, 0.19 * u, DARK, _AIMS + 0.11, bold=True)

    def _number(self, label: str) -> int | None:
        found = self.survey.directory.find(label)
        return self.survey.model.labels.find(label) if found is None else found


def _thinned(numbers: list[int], named: bool) -> list[int]:
    """Return all hexes that are named, of a whole edge about eight."""
    if named or len(numbers) <= 8:
        return numbers
    return [numbers[round(n * (len(numbers) - 1) / 7)] for n in range(8)]

"""What a scenario lays on its map beside units: set-up areas, entries, objectives, notes; told by shape and word."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from studio.draw.batch import Ink
from studio.draw.counterfaces import side_colors
from studio.draw.counters import Spot
from studio.draw.letters import draw_glyph, draw_text
from studio.draw.picture import Picture
from studio.draw.regions import Regions
from studio.draw.scenario_names import ARROW, LINE, SIGN, NameRoom, Words, words_of
from studio.draw.subject import Floats
from studio.draw.washes import DARK, diagonals, fill
from studio.errors import StudioError
from studio.model import Formation, Objective, PlaceNote, ScenarioDocument, SetUp
from studio.rules.areas import ScenarioAreas, depends_on_units
from studio.rules.standing import PlayGround
from studio.survey import Survey, on_edge

__all__ = ["FormationArea", "ScenarioMarks", "areas_of", "edges_of", "points_text"]

_WAYS: tuple[Literal["/", "\\"], ...] = ("/", "\\")
_OUT = {"north": (0.0, -1.0), "south": (0.0, 1.0), "west": (-1.0, 0.0), "east": (1.0, 0.0)}
_ARROW = [(-0.62, -0.09), (-0.12, -0.09), (-0.12, -0.24), (0.22, 0.0), (-0.12, 0.24), (-0.12, 0.09), (-0.62, 0.09)]
"""An arrow that points to the right, in hex heights."""

_NAMES_PX = 16
_AREAS, _SMOKE, _ENTRIES, _AIMS, _NAMES = 9.45, 9.6, 24.0, 27.0, 27.5
_FLAGS = 24  # places of one objective that have a flag each
_TAKEN = ("hold", "capture")


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
    areas: ScenarioAreas | None = None
    for side, force in enumerate(document.forces):
        for formation in force.formations:
            whole = formation.where == SetUp(text=formation.where.text)
            numbers = () if whole else kept.get(formation.where)
            if numbers is None:
                try:
                    areas = areas or ScenarioAreas(document, ground.survey, ground=ground)
                    numbers = tuple(areas.cells(formation.where, formation.id))
                except StudioError:
                    numbers = ()
                if not document.special.closed and not depends_on_units(formation.where):
                    kept[formation.where] = numbers
            found.append(FormationArea(side, formation, numbers, whole))
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
    ground : PlayGround, optional
        The part of the map in play, where it is known already.
    """

    def __init__(
        self, picture: Picture, document: ScenarioDocument, survey: Survey, ground: PlayGround | None = None
    ) -> None:
        self.picture, self.document, self.survey = picture, document, survey
        self.ground = ground or PlayGround(survey, document.map)
        self.colors = side_colors(document.forces)
        self.regions = Regions(picture.sites)
        self.unit: float = picture.subject.grid.hex_height
        self.room = NameRoom(picture)
        self._named: list[tuple[Words, str, Callable[[Words], Floats]]] = []

    # -- set-up areas ------------------------------------------------------------------------------------------------

    def areas(self, areas: Sequence[FormationArea]) -> None:
        """Hatch the set-up areas, each side its own way, with a border; formations of a side in one area share it."""
        shared: dict[tuple[int, tuple[int, ...]], list[str]] = {}
        for area in areas:
            if area.numbers and area.formation.arrival == "set_up":
                shared.setdefault((area.side, area.numbers), []).append(area.formation.name)
        for (side, numbers), names in shared.items():
            self._area(side, numbers)
            spots = np.asarray([self.regions.spot(number) for number in numbers])
            self._name(names, self.colors[side], partial(self.room.in_area, spots=spots))

    def _area(self, side: int, numbers: tuple[int, ...]) -> None:
        color, picture = self.colors[side], self.picture
        region = self.regions.path(numbers)
        if region is not None:
            fill(picture, region, color, 0.1, _AREAS - 0.02)
            width = max(0.7, 36 * picture.line_scale)
            diagonals(picture, region, 0.24 + 0.06 * (side // 2), color, 0.75, width, _WAYS[side % 2])
        self._rim(self._around(numbers), color, dashed=side % 2 == 1)
        for _, at in self.regions.spots(numbers):
            picture.ax.plot(
                *at, "o", ms=max(6, 0.5 * 0.72 * picture.hex_px), mfc="none", mec=color, mew=2, zorder=_AREAS
            )

    def _around(self, numbers: Iterable[int]) -> list[Floats]:
        groups = np.zeros(max(len(self.survey.directory), self.survey.grid.cells), dtype=np.int64)
        groups[list(numbers)] = 1
        return self.regions.rim(groups)

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

    # -- names -------------------------------------------------------------------------------------------------------

    def _name(self, names: Sequence[str], color: str, place: Callable[[Words], Floats]) -> None:
        """Keep names for :meth:`names`, which knows all that they must not hide."""
        if self.picture.hex_px >= _NAMES_PX:
            self._named.append((words_of(self.picture, names), color, place))

    def names(self, counters: Iterable[Spot] = ()) -> None:
        """Write the names of areas and entries: within the picture, not over one another, off the counters.

        Parameters
        ----------
        counters : iterable of Spot
            Where counters stand.
        """
        self.room.keep_counters(counters)
        with self.picture.batched() as canvas:
            for words, color, place in self._named:
                at = place(words)
                first = at - np.array([0.0, (words.high - 1.15 * words.size) / 2])
                for n, line in enumerate(words.lines):
                    spot = first + np.array([0.0, n * LINE * words.size])
                    draw_text(canvas, line, spot, words.size, color, _NAMES, halo="#ffffff", bold=True)
        self._named.clear()

    # -- entries -----------------------------------------------------------------------------------------------------

    def entries(self, areas: Sequence[FormationArea]) -> None:
        """Draw an arrow into each entry hex, one a side, and beside one of them who enters there, and when."""
        shared: dict[tuple[int, tuple[int, ...]], list[FormationArea]] = {}
        sides: dict[int, list[int]] = {}
        for area in areas:
            if area.enters and area.numbers:
                numbers = tuple(_thinned(list(area.numbers), bool(area.formation.where.hexes)))
                shared.setdefault((area.side, numbers), []).append(area)
                for number in numbers:
                    beside = sides.setdefault(number, [])
                    beside.extend(() if area.side in beside else (area.side,))
        drawn: dict[tuple[int, int], tuple[Floats, Floats]] = {}
        for (side, numbers), group in shared.items():
            for number in numbers:
                if (side, number) not in drawn:
                    wanted = group[0].formation.where.edges
                    drawn[side, number] = self._entry(number, side, wanted, sides[number].index(side))
            spots, ways = zip(*(drawn[side, number] for number in numbers), strict=True)
            lines = [self._arrival(area.formation) for area in group]
            self._name(lines, self.colors[side], partial(self.room.at_entry, spots=spots, ways=ways))

    def _arrival(self, formation: Formation) -> str:
        since = "from " if formation.when is not None else ""
        return f"{formation.name}: {since}{self.document.length_unit} {formation.arrival_turn}"

    def _entry(self, number: int, side: int, wanted: Sequence[str], beside: int) -> tuple[Floats, Floats]:
        """Draw an arrow, whole within the picture; return its tip's hex and its direction."""
        at, way = np.asarray(self.regions.spot(number)), self._way_in(number, wanted)
        across = np.array([-way[1], way[0]])
        # Sides that enter by one hex have their arrows side by side.
        base = at + across * 0.3 * beside * self.unit - way * 0.16 * self.unit
        corners = np.asarray([base + (a * way + b * across) * self.unit for a, b in _ARROW])
        x0, y0, x1, y1 = self.picture.extent
        pad = 0.05 * self.unit
        low, end = np.array([x0, y0]) + pad, np.array([x1, y1]) - pad
        if ((at >= low - self.unit) & (at <= end + self.unit)).all():
            corners += np.clip(low - corners.min(axis=0), 0, None) - np.clip(corners.max(axis=0) - end, 0, None)
        with self.picture.batched() as canvas:
            ink = Ink(_ENTRIES, self.colors[side], "#ffffff", max(0.6, 30 * self.picture.line_scale), join="round")
            canvas.shape(corners, ink)
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        wide, high = corners.max(axis=0) - corners.min(axis=0)
        self.room.keep(middle, float(wide), float(high), ARROW)
        return middle + way * 0.3 * self.unit, way

    def _way_in(self, number: int, wanted: Sequence[str]) -> Floats:
        """Return the direction of an entry: from the edge of the map, or from what is not in play."""
        grid = self.survey.grid
        cell = number if number < grid.cells else self.survey.directory.location(number).cell
        edges = edges_of(self.survey, cell, wanted) if cell >= 0 else []
        if edges:
            return -np.asarray(_OUT[edges[0]])
        if cell >= 0:
            here = np.asarray(grid.to_map(*grid.centre(cell)))
            near = [int(n) for n in grid.neighbour_table[cell] if n >= 0 and int(n) not in self.ground.in_play]
            out = sum((np.asarray(grid.to_map(*grid.centre(n))) - here for n in near), np.zeros(2))
            if near and float(np.hypot(*out)) > 0.1 * self.unit:
                return np.asarray(-out / np.hypot(*out))
        return self._clear_way(np.asarray(self.regions.spot(number)))

    def _clear_way(self, at: Floats) -> Floats:
        """Return the direction in which an arrow hides least of the map's names: downwards, if all are alike."""
        ways = [np.array(way) for way in ((0.0, 1.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0))]
        hidden = self.room.hidden(np.asarray([at - 0.4 * self.unit * way for way in ways]), self.unit, self.unit)
        return ways[int(np.argmin(np.round(hidden, 9)))]

    # -- objectives, notes and smoke ---------------------------------------------------------------------------------

    def objectives(self, objectives: Iterable[Objective]) -> None:
        """Fly a flag in each place that earns points: in the colour of the side, with the points on it if it has any.

        An objective of very many places has one flag in their middle, and a line around them.
        """
        held: dict[int, int] = {}
        sides = [force.id for force in self.document.forces]
        for one in objectives:
            color = self.colors[sides.index(one.side)] if one.side in sides else "#555555"
            numbers = self._aimed_at(one)
            if len(numbers) > _FLAGS:
                self._rim(self._around(numbers), color, dashed=True)
                spots = np.asarray([self.regions.spot(number) for number in numbers])
                away = ((spots - spots.mean(axis=0)) ** 2).sum(axis=1)
                numbers = [numbers[int(np.argmin(away))]]
            for number in numbers:
                shift = np.array([0.26, -0.1 + 0.3 * held.get(number, 0)]) * self.unit
                held[number] = held.get(number, 0) + 1
                self._flag(np.asarray(self.regions.spot(number)) + shift, color, points_text(one.points))

    def _aimed_at(self, objective: Objective) -> list[int]:
        """Return the places that an objective is about; of a faulty description none, which the check tells of."""
        found = [number for label in objective.hexes if (number := self._number(label)) is not None]
        where = objective.where
        if where is None and objective.terrain and objective.event in _TAKEN:
            where = SetUp(terrain=objective.terrain, edges=objective.edges)
        if where is not None and where != SetUp(text=where.text):
            with contextlib.suppress(StudioError):
                found += ScenarioAreas(self.document, self.survey, ground=self.ground).cells(where)
        return list(dict.fromkeys(found))

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
            if text and self.picture.hex_px >= _NAMES_PX:
                draw_text(canvas, text, at + np.array([0.14, -0.14]) * u, 0.2 * u, "#ffffff", _AIMS + 0.02, bold=True)
        self.room.keep(at + np.array([0.18, -0.02]) * u, 0.36 * u, 0.52 * u, SIGN)

    def smoke(self, labels: Iterable[str]) -> None:
        """Draw smoke that stays in these places."""
        glyph = self.picture.style.markers.get("smoke", "smoke")
        with self.picture.batched() as canvas:
            for label in labels:
                number = self._number(label)
                if number is not None and glyph in canvas.style.glyphs:
                    x, y = self.regions.spot(number)
                    draw_glyph(canvas, glyph, (float(x), float(y)), 0.8 * self.unit, _SMOKE)

    def notes(self, notes: Sequence[PlaceNote]) -> None:
        """Pin a numbered sheet to each place with a note."""
        for n, note in enumerate(notes, 1):
            number = self._number(note.at)
            if number is None:
                continue
            at = np.asarray(self.regions.spot(number)) + np.array([-0.3, -0.24]) * self.unit
            u = self.unit
            self.room.keep(at, 0.24 * u, 0.3 * u, SIGN)
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


def points_text(points: int) -> str:
    """Return victory points as a flag shows them: nothing where an objective only counts as reached.

    Examples
    --------
    >>> points_text(3), points_text(0), points_text(-2)
    ('3', '', '−2')
    """
    return str(points).replace("-", "−") if points else ""


def _thinned(numbers: list[int], named: bool) -> list[int]:
    """Return all hexes that are named, of a whole edge about eight."""
    if named or len(numbers) <= 8:
        return numbers
    return [numbers[round(n * (len(numbers) - 1) / 7)] for n in range(8)]

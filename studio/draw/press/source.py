"""What is printed: a map or a scenario, its scale, its parts, drawn on plates in millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.press.options import PrintError, PrintOptions
from studio.draw.press.plate import Box, Look, PathMark, Plate
from studio.draw.press.tones import recoloured, tone_of
from studio.draw.sites import Sites, sites_of
from studio.draw.subject import map_points
from studio.model import MapUse, layers_of
from studio.model.wording import credit_sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.draw.style import Style

__all__ = ["EDGE", "FINE", "Ground", "ShownScenario", "Source", "plain_axes"]

FINE = 1.5
"""Paper shows so much finer detail than a screen of 100 dots per inch."""

EDGE = 2.5
"""Millimetres of blank ground around the frame of a map."""

_INCH = 25.4


class ShownScenario:
    """A scenario as it is drawn: what the painters read of one, in the colours that the paper gets.

    Parameters
    ----------
    scenario : studio.Scenario
    document : ScenarioDocument
        With those colours.
    """

    def __init__(self, scenario: Any, document: Any) -> None:
        self.document, self.ruleset = document, scenario.ruleset
        self.map, self._shown = scenario.map, scenario._shown


class Ground(NamedTuple):
    """A part of a map that is printed for itself: sheets of one layer, or what is in play of them.

    Parameters
    ----------
    id, title : str
    frame : (left, top, right, bottom)
        In millimetres from the corner of the whole map.
    """

    id: str
    title: str
    frame: Box

    @property
    def box(self) -> Box:
        """What is printed: the frame with the blank ground around it."""
        x0, y0, x1, y1 = self.frame
        return x0 - EDGE, y0 - EDGE, x1 + EDGE, y1 + EDGE


class Source:
    """A map, or a scenario on its map, at the scale of a print.

    Parameters
    ----------
    document : studio.Map or studio.Scenario
    options : PrintOptions

    Attributes
    ----------
    unit : float
        Millimetres of a map unit.
    hex_mm : float
        Width of a hex.
    credits : tuple of str
        Sources with their licences, as sentences.
    """

    def __init__(self, document: Any, options: PrintOptions) -> None:
        from studio.draw.picture import style_of, subject_of

        self.options = options
        self.is_scenario = hasattr(document, "_shown")
        self.map = document._shown if self.is_scenario else document
        self.shown: Any = None
        if self.is_scenario:
            self.shown = ShownScenario(document, recoloured(document.document, options.inks))
        self.title: str = document.title
        self.credits = credit_sentences(self.map.model, self.shown.document if self.is_scenario else None)
        self.game: str = self.map.ruleset.title
        self.subject, self.grid = subject_of(self.map), self.map.grid
        self.style: Style = style_of(self.map, None)
        self.sites: Sites = sites_of(self.map)
        flat = self.grid.orientation == "flat"
        flats = self.grid.hex_height if flat else self.grid.width
        if options.flats_mm is not None:
            self.unit = options.flats_mm / float(flats)
        else:
            self.unit = options.hex_mm / float(self.grid.width)
        self.hex_mm = float(self.grid.width) * self.unit
        self.flats_mm = float(flats) * self.unit
        self.origin = np.asarray(self.grid.to_map(*self.grid.frame[:2]), dtype=float)

    @property
    def use(self) -> MapUse | None:
        """The part of the map that the scenario uses, None for a map."""
        return self.shown.document.map if self.is_scenario else None

    def millimetres(self, points: Any) -> Any:
        """Return points of the lattice in millimetres from the corner of the map; shape (n, 2)."""
        return (map_points(self.grid, np.asarray(points, dtype=float)) - self.origin) * self.unit

    # -- parts ---------------------------------------------------------------------------------------------------------

    def grounds(self) -> list[Ground]:
        """Return what is printed for itself: the layers of a map of several sheets, else all of it.

        Raises
        ------
        PrintError
            When the map has no such part, or nothing of it is in play.
        """
        frames = self._frames()
        found = []
        for name, title, frame in frames:
            part = self._in_play(frame) if self.options.only_in_play else frame
            if part is not None:
                found.append(Ground(name, title, part))
        if not found:
            raise PrintError("print: nothing of the map is in play; print it without only_in_play")
        return found

    def _frames(self) -> list[tuple[str, str, Box]]:
        """Return id, title and frame of each layer, or of those that are asked for."""
        joint, wanted = self.grid.joint, self.options.parts
        if joint is None:
            if wanted:
                raise PrintError(
                    f"print: got parts={list(wanted)}, but {self.map.title!r} is one sheet; leave them out"
                )
            return [("map", "", self._box(np.reshape(self.grid.frame, (2, 2))))]
        sheets = list(self.subject.sheets)  # type: ignore[attr-defined]
        known = {name for sheet in sheets for name in (sheet.id, sheet.layer)}
        wrong = [name for name in wanted if name not in known]
        if wrong:
            raise PrintError(f"print: got parts={wrong}; the map has {', '.join(sorted(known))}")
        by_layer: dict[str, list[Any]] = {name: [] for name in layers_of(self.grid, sheets)}
        for sheet, frame in zip(sheets, joint.frames, strict=True):
            if not wanted or sheet.id in wanted or sheet.layer in wanted:
                by_layer[sheet.layer].append((sheet, frame))
        found = []
        for layer, pairs in by_layer.items():
            if pairs:
                corners = np.asarray([frame for _, frame in pairs], dtype=float).reshape(-1, 4)
                box = self._box(np.array([corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)]))
                found.append((layer, ", ".join(sheet.title or sheet.id for sheet, _ in pairs), box))
        return found

    def _box(self, corners: Any) -> Box:
        (x0, y0), (x1, y1) = self.millimetres(corners).tolist()
        return x0, y0, x1, y1

    def _in_play(self, frame: Box) -> Box | None:
        """Return the box around what is in play within a frame, None where nothing is."""
        from studio.survey import ground_in_play

        if self.use is None:
            raise PrintError("print: only_in_play is for scenarios; a map is in play as a whole")
        cells = sorted(ground_in_play(self.map.survey, self.use))
        centres = self.millimetres(self.grid.centres[cells]) if cells else np.zeros((0, 2))
        inside = (centres >= [frame[0] - 1e-6, frame[1] - 1e-6]).all(axis=1)
        inside &= (centres <= [frame[2] + 1e-6, frame[3] + 1e-6]).all(axis=1)
        if not inside.any():
            return None
        half = np.array([self.grid.width, self.grid.hex_height]) * self.unit / 2
        low = np.maximum(centres[inside].min(axis=0) - half, frame[:2])
        high = np.minimum(centres[inside].max(axis=0) + half, frame[2:])
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    # -- plates --------------------------------------------------------------------------------------------------------

    def plate(self, window: Box | None = None) -> Plate:
        """Draw the map, or what a window in millimetres shows of it and a hex around, on a plate."""
        from studio.draw.press.recorder import record
        from studio.draw.said import keep_words

        extent = self._extent(window)
        whole = extent or self.whole()
        plate = Plate()
        self._paper(plate, window)
        hex_px = self.unit * self.grid.hex_height / _INCH * 100 * FINE
        ax = plain_axes(whole, hex_px / self.grid.hex_height)
        with keep_words():
            self._draw(ax, extent)
        corner = (np.asarray(whole[:2]) - self.origin) * self.unit
        mm = self.unit * self.grid.hex_height / hex_px
        record(ax, plate, mm=mm, at=(float(corner[0]), float(corner[1])), inks=self.options.inks)
        return self._without_hidden(plate)

    def whole(self) -> Box:
        """Return the frame of the map in map units."""
        x0, y0, x1, y1 = self.grid.frame
        return (*self.grid.to_map(x0, y0), *self.grid.to_map(x1, y1))

    def _extent(self, window: Box | None) -> Box | None:
        """Return a window with a rim of two hexes in map units, within the map."""
        if window is None:
            return None
        whole, rim = self.whole(), 2 * max(self.grid.width, self.grid.hex_height)
        corners = np.reshape(window, (2, 2)) / self.unit + self.origin
        low = np.maximum(corners[0] - rim, whole[:2])
        high = np.minimum(corners[1] + rim, whole[2:])
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def _paper(self, plate: Plate, window: Box | None) -> None:
        """Tint the blank ground around the frame."""
        if self.options.inks == "saver" or self.options.only_in_play:
            return
        color = tone_of(self.options.inks)(self.style.lines.margin_color, "paper", True)
        (x0, y0), (x1, y1) = (np.reshape(self.whole(), (2, 2)) - self.origin) * self.unit
        rim = EDGE + self.options.bleed
        x0, y0, x1, y1 = (
            (window[0] - rim, window[1] - rim, window[2] + rim, window[3] + rim)
            if window
            else (
                x0 - rim,
                y0 - rim,
                x1 + rim,
                y1 + rim,
            )
        )
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]])
        plate.add("ground", PathMark(corners, [1, 2, 2, 2, 79], Look(color)))

    def _draw(self, ax: Axes, extent: Box | None) -> None:
        from studio.draw.map_picture import draw_map
        from studio.draw.scenario_picture import draw_scenario
        from studio.draw.sheets import draw_out_of_play

        options = self.options
        how: dict[str, Any] = {"ax": ax, "labels": options.labels, "extent": extent, "backdrop": options.backdrop}
        if self.is_scenario:
            units = options.units if options.units is not None else not options.counters
            draw_scenario(self.shown, units=units, **how)
        else:
            draw_map(self.map, **how)
        if options.only_in_play and self.use is not None:
            draw_out_of_play(ax, self.map.survey, self.use, hide=self.style.lines.frame_color)

    def _without_hidden(self, plate: Plate) -> Plate:
        from studio.draw.press.layers import group_of

        hidden = set(self.options.hide)
        if hidden:
            plate.marks = [pair for pair in plate.marks if group_of(pair[0]) not in hidden]
        return plate

    # -- words ---------------------------------------------------------------------------------------------------------

    def facts(self) -> list[str]:
        """Return what the title block says."""
        grid = self.grid
        size = f"{int(np.count_nonzero(grid.present))} hexes"
        if grid.joint is None:
            size = f"{grid.columns} × {grid.rows} hexes"
        scale = f"hexes {self.hex_mm:.4g} mm wide, {self.flats_mm:.4g} mm from side to side"
        lines = [self.game, f"{size}; {scale}"]
        if self.is_scenario:
            lines.insert(1, f"on the map {self.map.title}")
        return lines

    def hexes(self) -> Iterable[tuple[str, str, int, Any]]:
        """Yield label, terrain, level and corners in millimetres of each hex."""
        grid, subject = self.grid, self.subject
        index, levels = subject.terrain.ravel(), subject.levels.ravel()
        shape = map_points(grid, grid.corners(0)) - map_points(grid, [grid.centre(0)])
        for cell in np.flatnonzero(grid.present).tolist():
            middle = map_points(grid, [grid.centre(cell)])
            corners = (middle + shape - self.origin) * self.unit
            label = str(subject.labels.label(cell))
            yield label, str(subject.terrain_ids[int(index[cell])]), int(levels[cell]), corners


def plain_axes(extent: Box, px: float) -> Axes:
    """Return axes over a part of a map, of so many pixels a map unit."""
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    class Unmeasured(Axes):
        """Axes that never search for the limits of what is drawn."""

        def add_collection(self, collection: Any, autolim: Any = False) -> Any:
            return super().add_collection(collection, autolim=False)

    wide, high = (extent[2] - extent[0]) * px, (extent[3] - extent[1]) * px
    figure = Figure(figsize=(wide / 100, high / 100), dpi=100)
    axes = Unmeasured(figure, (0, 0, 1, 1))
    figure.add_axes(axes)
    return axes

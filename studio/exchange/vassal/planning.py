"""Lays a map out on boards: a board a layer, with zones, regions and numberings such that every name is right."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnsupportedError
from studio.exchange.content import BoardPicture, Content, Pictures
from studio.exchange.vassal.boards import Board, Pixel, Region, Zone
from studio.exchange.vassal.numbering import HexNumbers, ToPixel, fit_numbers
from studio.exchange.vassal.pieces import clean
from studio.grid import HexGrid, Labels, SheetLabels
from studio.model import layers_of
from studio.survey import layer_numbers

__all__ = ["HEX_PX", "hex_pixels", "plan_boards"]

HEX_PX = 96.0
"""Height of a hex in pixels where the map leaves room for it."""

_LEAST_PX, _LONGEST, _MOST = 16.0, 14_000, 48_000_000  # VASSAL keeps a whole board in memory
_APART = 0.3  # of a hex, between two places that have one dot
_SEAM = 3  # pixels that a sheet's zone reaches beyond its edge, where hexes lie on the edge


def hex_pixels(grid: HexGrid, asked: float = 0.0) -> float:
    """Return the height of a hex in pixels: the one asked for, else the largest that suits a board.

    Raises
    ------
    UnsupportedError
        When the board would be too large for VASSAL, or its hexes too small to play on.
    """
    x0, y0, x1, y1 = grid.frame
    wide, high = (value / grid.hex_height for value in np.subtract(grid.to_map(x1, y1), grid.to_map(x0, y0)))
    most = min(_LONGEST / max(wide, high), math.sqrt(_MOST / (wide * high)))
    if asked and not (math.isfinite(asked) and _LEAST_PX <= asked <= most):
        msg = f"hex_px: got {asked:g}; allowed for a board of this map: {_LEAST_PX:g} to {most:.0f} pixels"
        raise UnsupportedError(msg)
    if most < _LEAST_PX:
        msg = (
            f"vassal: {grid.columns} x {grid.rows} hexes are more than a board can hold (a hex would be {most:.1f} "
            f"pixels high, and {_LEAST_PX:g} are the least to play on); crop the map, or play on a part of it"
        )
        raise UnsupportedError(msg)
    return asked or float(min(HEX_PX, math.floor(most)))


def plan_boards(
    content: Content, pictures: Pictures, hex_px: float, *, regions: bool = False
) -> tuple[list[Board], list[str]]:
    """Return the boards of a map, one a layer, and what of their names could not be as it is on the map.

    Parameters
    ----------
    content : Content
    pictures : Pictures
    hex_px : float
        Height of a hex in pixels.
    regions : bool
        Name every place by itself, also where VASSAL could number the hexes.
    """
    model, survey = content.model, content.survey
    names = layers_of(model.grid, model.sheets)
    of_layer = layer_numbers(survey)
    boards, notes = [], []
    for index, name in enumerate(names):
        picture = pictures.board(hex_px, layer=name if len(names) > 1 else "")
        numbers = [n for n in survey.directory.numbers.tolist() if max(int(of_layer[n]), 0) == index]
        cells = np.flatnonzero(model.grid.present.ravel() & (of_layer[: model.grid.cells] == index))
        sheets = [n for n, sheet in enumerate(model.sheets) if sheet.layer == name] if model.grid.parts else []
        title = model.title if len(names) == 1 else _called(name, [model.sheets[n].title for n in sheets])
        layer = _Layer(content, title, picture, numbers, cells, hex_px)
        boards.append(layer.board(sheets, regions=regions))
        notes += layer.notes
    return boards, notes


def _called(layer: str, titles: Sequence[str]) -> str:
    """Return the name of the board of a layer: that of its only sheet, told apart from others by its layer."""
    only = titles[0] if len(titles) == 1 else ""
    word = layer.replace("_", " ").capitalize()
    return f"{only} ({layer})" if only and only.lower() != word.lower() else word


class _Layer:
    """One layer of a map on its board."""

    def __init__(
        self,
        content: Content,
        title: str,
        picture: BoardPicture,
        numbers: Sequence[int],
        cells: NDArray[np.int64],
        hex_px: float,
    ) -> None:
        self.model, self.survey, self.directory = content.model, content.survey, content.survey.directory
        self.title, self.picture, self.hex_px = clean(title).replace("/", "-"), picture, hex_px
        self.grid, self.cells = content.model.grid, cells
        self.notes: list[str] = []
        self.spots: dict[int, Pixel] = {number: self.pixel(*self.directory.dot(number)) for number in numbers}
        # Hexes that are no locations have a name all the same, and something may lie there.
        for cell in cells.tolist():
            self.spots.setdefault(cell, self.pixel(*self.grid.centre(cell)))

    def pixel(self, x: float, y: float) -> Pixel:
        """Return the pixel of a point of the lattice."""
        across, down = self.picture.pixel(x, y)
        return round(across), round(down)

    def label(self, number: int) -> str:
        """Return the label of a location, or of a hex that is none."""
        return self.directory.label(number)

    # -- the board ---------------------------------------------------------------------------------------------------

    def board(self, sheets: Sequence[int], *, regions: bool) -> Board:
        """Return the board on which every location bears its own name."""
        areas = self._area_paths()
        held = self._held(areas)
        crowded = self._crowded(held)
        numbers, sheet_zones = (None, []) if regions else self._numberings(sheets)
        made = self._made(areas, held, crowded, numbers, sheet_zones)
        wrong = set(self._misnamed(made)) & set(range(self.grid.cells))
        if wrong and (numbers is not None or sheet_zones):
            # Dots that lie where VASSAL's square fields count them to a neighbour: the hex gets a zone of its own.
            made = self._made(areas, held, crowded | wrong, numbers, sheet_zones)
        if self._misnamed(made) and (numbers is not None or sheet_zones):
            made = self._made(areas, held, crowded, None, [])
        for number in self._misnamed(made):
            self.notes.append(f"{self.label(number)}: places overlap here, so that VASSAL gives it another name.")
        return made

    def _misnamed(self, board: Board) -> list[int]:
        numbers = sorted(self.spots)
        names = board.names_at(np.array([self.spots[number] for number in numbers]))
        return [
            number
            for number, name in zip(numbers, names, strict=True)
            if name != self.label(number) and self.directory.exists(number)
        ]

    def _made(
        self,
        areas: dict[int, tuple[Pixel, ...]],
        held: dict[int, list[int]],
        crowded: set[int],
        numbers: HexNumbers | None,
        sheet_zones: list[Zone],
    ) -> Board:
        """Put the zones in their order: areas, the smaller ones first, hexes with several places, sheets."""
        inside = {number for found in held.values() for number in found}
        zones = [Zone(self.label(area), areas[area], self._regions(held[area] or [area])) for area in areas]
        in_cell: dict[int, list[int]] = {cell: [] for cell in sorted(crowded)}
        for number in self.spots:
            cell = number if number < self.grid.cells else self.directory.location(number).cell
            if cell in in_cell and number not in inside:
                in_cell[cell].append(number)
        for cell, found in in_cell.items():
            if found:
                corners = tuple(self.pixel(x, y) for x, y in self.grid.corners(cell))
                zones.append(Zone(f"hex {self.label(cell)}", corners, self._regions(found)))
                inside.update(found)
        rest: tuple[Region, ...] = ()
        if numbers is None and not sheet_zones:
            rest = self._regions([number for number in sorted(self.spots) if number not in inside])
        return Board(
            name=self.title,
            picture=self.picture,
            zones=(*zones, *sheet_zones),
            numbers=numbers,
            regions=rest,
            spots=self.spots,
        )

    def _regions(self, numbers: Sequence[int]) -> tuple[Region, ...]:
        return tuple(Region(self.label(number), *self.spots[number]) for number in numbers)

    # -- zones of areas ----------------------------------------------------------------------------------------------

    def _area_paths(self) -> dict[int, tuple[Pixel, ...]]:
        """Return the outlines in pixels of the areas that are locations, the smallest first."""
        import shapely

        found = {}
        for place in self.directory.of("area"):
            if place.number in self.spots:
                ring = self.survey.area(place.feature).outline
                path = tuple(dict.fromkeys(self.pixel(x, y) for x, y in ring))
                if len(path) > 2 and shapely.Polygon(path).area > 0:
                    found[place.number] = path
        return dict(sorted(found.items(), key=lambda item: (shapely.Polygon(item[1]).area, item[0])))

    def _held(self, areas: dict[int, tuple[Pixel, ...]]) -> dict[int, list[int]]:
        """Return the locations that lie in each area: each in the smallest one that holds its dot."""
        import shapely

        held: dict[int, list[int]] = {area: [] for area in areas}
        numbers = [number for number in sorted(self.spots) if self.directory.exists(number)]
        if not areas:
            return held
        order = list(areas)
        tree = shapely.STRtree([shapely.Polygon(areas[area]) for area in order])
        point, zone = tree.query(shapely.points([self.spots[number] for number in numbers]), predicate="within")
        first: dict[int, int] = {}
        for at, number in zip(point.tolist(), zone.tolist(), strict=True):
            first[at] = min(number, first.get(at, number))
        for at, number in sorted(first.items()):
            held[order[number]].append(numbers[at])
        return held

    def _crowded(self, held: dict[int, list[int]]) -> set[int]:
        """Return the hexes that hold other places than areas; places with one dot are set apart."""
        inside = {number for found in held.values() for number in found}
        taken: dict[Pixel, int] = {}
        crowded: set[int] = set()
        for number in sorted(self.spots):
            if not self.directory.exists(number):
                continue
            place = self.directory.location(number)
            if place.kind != "hex" and number not in inside and place.cell >= 0:
                crowded.add(place.cell)
            if self.spots[number] in taken:
                self.spots[number] = self._apart(self.spots[number], taken)
            taken[self.spots[number]] = number
        return crowded

    def _apart(self, spot: Pixel, taken: dict[Pixel, int]) -> Pixel:
        """Return a pixel beside one that another location has: below, above, left, right of it."""
        far = round(_APART * self.hex_px)
        tried = [(0, far), (0, -far), (-far, 0), (far, 0), (far // 2, far // 2), (-far // 2, far // 2)]
        beside = [(spot[0] + dx, spot[1] + dy) for dx, dy in tried]
        return next((one for one in beside if one not in taken), spot)

    # -- numberings --------------------------------------------------------------------------------------------------

    def _numberings(self, sheets: Sequence[int]) -> tuple[HexNumbers | None, list[Zone]]:
        """Return the numbering of the hexes: of the board, or of a zone a sheet; nothing if it cannot be."""
        size = (self.picture.width, self.picture.height)
        labels = self.model.labels
        if self.grid.joint is None or not isinstance(labels, SheetLabels):
            pixels = self._pixels(self.grid, self.picture.pixel)
            return fit_numbers(self.grid, labels, self.picture.pixel, size, pixels), []
        if len(sheets) == 1 and not self.model.sheets[sheets[0]].prefix:
            return self._of_sheet(labels, sheets[0], size), []
        zones = []
        for number in sheets:
            sheet, (left, top, right, bottom) = self.model.sheets[number], self._sheet_box(labels, number, size)
            numbers = self._of_sheet(labels, number, (right - left, bottom - top))
            if numbers is None:
                return None, []
            path = ((left, top), (right, top), (right, bottom), (left, bottom))
            zones.append(Zone(sheet.title or sheet.id, path, (), numbers, sheet.prefix))
        return None, zones

    def _sheet_box(self, labels: SheetLabels, number: int, size: Pixel) -> tuple[int, int, int, int]:
        """Return the rectangle of a sheet on the board, a little larger: hexes may lie on its edge."""
        x0, y0, x1, y1 = labels.parts.frames[number]
        (left, top), (right, bottom) = self.pixel(x0, y0), self.pixel(x1, y1)
        return max(left - _SEAM, 0), max(top - _SEAM, 0), min(right + _SEAM, size[0]), min(bottom + _SEAM, size[1])

    def _of_sheet(self, labels: SheetLabels, number: int, size: Pixel) -> HexNumbers | None:
        """Return the numbering of a sheet in a zone, or on a board, of a size."""
        own: Labels = labels.own[number]
        (ax, ay), (bx, by) = labels.parts.point(number, 0, 0), labels.parts.point(number, 1, 1)

        def to_pixel(x: float, y: float) -> tuple[float, float]:
            return self.picture.pixel(ax + (bx - ax) * x, ay + (by - ay) * y)

        return fit_numbers(own.grid, own, to_pixel, size, self._pixels(own.grid, to_pixel))

    @staticmethod
    def _pixels(grid: HexGrid, to_pixel: ToPixel) -> NDArray[np.int64]:
        found = [to_pixel(x, y) for x, y in grid.centres[np.flatnonzero(grid.present)].tolist()]
        return np.array([(round(x), round(y)) for x, y in found], dtype=np.int64)

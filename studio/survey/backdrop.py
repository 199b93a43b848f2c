"""Where the scan of a map lies: its control points looked up on the map, and the fit that follows from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.grid import Fit, FitError, HexGrid, fit_points
from studio.grid.fitting import Residual
from studio.model import Backdrop, ControlPoint, Point
from studio.survey.survey import Survey

__all__ = ["BackdropFit", "fit_backdrop", "placement"]


@dataclass(frozen=True)
class BackdropFit:
    """How the scan of a map fits its hexes.

    Attributes
    ----------
    backdrop : Backdrop
    grid : HexGrid
    fit : Fit
        From pixels to map units, and what is left over.
    places : dict of str to (x, y)
        Where the control points are on the lattice, by their names; one whose label no place has is left out.
    fault : str
        Why the points fix no place, and the remedy; empty where they do. The fit is then the nearest that can be shown.
    """

    backdrop: Backdrop
    grid: HexGrid
    fit: Fit
    places: dict[str, Point]
    fault: str = ""

    @property
    def lost(self) -> tuple[ControlPoint, ...]:
        """Control points whose label no place of the map has."""
        return tuple(point for point in self.backdrop.points if point.name not in self.places)

    @property
    def affine(self) -> tuple[float, float, float, float, float, float]:
        """From pixels to map units: x' = a x + b y + c, y' = d x + e y + f."""
        return self.fit.affine

    @property
    def residuals(self) -> tuple[Residual, ...]:
        """What is left over at each control point."""
        return self.fit.residuals

    @property
    def rms(self) -> float:
        """Root mean square of the residuals in pixels."""
        return self.fit.rms

    @property
    def worst(self) -> str:
        """Name of the point that fits the others worst; empty where nothing can be left over."""
        return self.fit.worst

    @property
    def outlier(self) -> str:
        """Name of a point that the errors of the others cannot explain; empty without one."""
        return self.fit.outlier

    def hexes(self, residual: Residual) -> float:
        """Return a residual in heights of a hex."""
        return residual.units / self.grid.hex_height

    @property
    def hex_size(self) -> tuple[float, float]:
        """Width and height of a hex on the picture, in pixels along and across the rows."""
        along, across = self.fit.scale
        return along * self.grid.width, across * self.grid.hex_height

    @property
    def column_step(self) -> float:
        """Step from one column (flat) or row (pointy) to the next by the hex's size across; 0.866 is regular."""
        wide, high = self.hex_size
        return 0.75 * wide / high if self.grid.flat else 0.75 * high / wide

    @property
    def squash(self) -> float:
        """Width of the picture's hexes by their height, as a part of that of the map's hexes; 1 where they agree."""
        along, across = self.fit.scale
        return along / across

    def lines(self) -> Iterator[str]:
        """Yield the fit in words, a line a control point first."""
        known = {residual.name: residual for residual in self.residuals}
        for point in self.backdrop.points:
            left = known.get(point.name)
            if left is None:
                yield f"{point.name} {point.place}: no place of the map has this label"
                continue
            mark = " (does not fit the others)" if point.name == self.outlier else ""
            mark = mark or (" (worst)" if point.name == self.worst else "")
            yield f"{point.name} {point.place}: {left.pixels:.2f} px, {self.hexes(left):.3f} hexes{mark}"
        wide, high = self.hex_size
        yield f"{self.fit.kind} by {len(self.residuals)} points, root mean square {self.rms:.2f} px"
        yield f"hex {wide:.2f} x {high:.2f} px, turn {self.fit.turn:.2f}°, shear {100 * self.fit.shear:.2f} %"
        if self.fault:
            yield self.fault

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        from html import escape

        return "<br>".join(map(escape, self.lines()))


def fit_backdrop(survey: Survey, backdrop: Backdrop) -> BackdropFit:
    """Fit the scan of a map by its control points.

    Raises
    ------
    FitError
        When there is none on the map, or they lie on one line or are twice the same.
    """
    found = placement(survey, backdrop)
    if found.fault:
        raise FitError(found.fault)
    return found


def placement(survey: Survey, backdrop: Backdrop) -> BackdropFit:
    """Return where a scan is shown: fitted by its points, or as nearly as can be told of those that fix no place.

    Without any point it lies in the middle of the map, all of it inside.

    Raises
    ------
    FitError
        When a point is too far out to be reckoned with.
    """
    grid = survey.grid
    places = {point.name: place for point in backdrop.points if (place := _place(survey, point)) is not None}
    used = [point for point in backdrop.points if point.name in places]
    pixels = [point.pixel for point in used]
    ground = [grid.to_map(*places[point.name]) for point in used]
    names = [point.name for point in used]
    (left, top), (right, bottom) = grid.to_map(*grid.frame[:2]), grid.to_map(*grid.frame[2:])
    wide, high = backdrop.size
    scale = max(wide / (right - left), high / (bottom - top))
    if not used:
        middle = fit_points([(wide / 2, high / 2)], [((left + right) / 2, (top + bottom) / 2)], [""], scale=scale)
        fit = Fit("shift", middle.affine, middle.inverse, (), 0.0)
        return BackdropFit(backdrop, grid, fit, places, "no control point is set; set one, better four")
    try:
        return BackdropFit(backdrop, grid, fit_points(pixels, ground, names, scale=scale), places)
    except FitError as error:
        fault = str(error)
    for count in (len(used), 1):
        try:
            fit = fit_points(pixels[:count], ground[:count], names[:count], scale=scale, stiff=True)
            return BackdropFit(backdrop, grid, fit, places, fault)
        except FitError:
            continue
    raise FitError(fault)  # one point always fixes a shift


def _place(survey: Survey, point: ControlPoint) -> Point | None:
    if point.point is not None:
        return point.point
    directory = survey.directory
    number = directory.find(point.at)
    if number is not None:
        dot = directory.dot(number)
        return int(dot[0]), int(dot[1])
    cell = survey.model.labels.find(point.at)
    return None if cell is None else survey.grid.centre(cell)

"""Fitting a picture to a map by control points: shift, similarity or affine, with what is left over at each point.

The fit goes from the map to the picture and makes the least of the squares of what is left over in pixels. Both sides
are moved to their middle and brought to one size first, so that large pictures and large maps are as well conditioned
as small ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.errors import StudioError

__all__ = ["Affine", "Fit", "FitError", "Residual", "apply_affine", "fit_points", "inverse_affine"]

Affine: TypeAlias = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f with x' = a x + b y + c and y' = d x + e y + f."""

FLAT = 1e-3
"""Breadth of points across their common line, as a part of their length, below which they lie on one line."""
CLOSE = 0.5
"""Distance in pixels below which two points are one."""
DOUBT = 0.01
"""Chance that errors of one size would leave over as much at a point as it has, below which the point is an outlier."""
LEAST = 1.0
"""An outlier is off by more than so many pixels."""
SEEN = 0.005
"""Root mean square in pixels below which nothing is left over but rounding."""


class FitError(StudioError, ValueError):
    """Control points that fix no place for the picture: on one line, or twice the same."""


@dataclass(frozen=True)
class Residual:
    """What is left over at one control point.

    Attributes
    ----------
    name : str
    dx, dy : float
        From where the point was set on the picture to where the fit has its place, in pixels.
    pixels : float
        Its length.
    units : float
        Its length in map units.
    """

    name: str
    dx: float
    dy: float
    pixels: float
    units: float


@dataclass(frozen=True)
class Fit:
    """Where a picture lies on a map.

    Attributes
    ----------
    kind : {"shift", "similarity", "affine"}
    affine : tuple of 6 floats
        From pixels of the picture to map units.
    inverse : tuple of 6 floats
        From map units to pixels.
    residuals : tuple of Residual
        One a control point, in their order.
    rms : float
        Root mean square of the residuals, in pixels.
    worst : str
        Name of the point that the others fit together best without; empty where nothing is left over.
    outlier : str
        The same, where errors as large as those of the others cannot explain it; empty without one.
    """

    kind: Literal["shift", "similarity", "affine"]
    affine: Affine
    inverse: Affine
    residuals: tuple[Residual, ...]
    rms: float
    worst: str = ""
    outlier: str = ""

    @cached_property
    def scale(self) -> tuple[float, float]:
        """Pixels a map unit, along the rows of the map and across them."""
        a, b, _, d, e, _ = self.inverse
        along = math.hypot(a, d)
        return along, abs(a * e - b * d) / along

    @cached_property
    def turn(self) -> float:
        """How far the rows of the map are turned on the picture, in degrees clockwise."""
        a, _, _, d, _, _ = self.inverse
        return math.degrees(math.atan2(d, a))

    @cached_property
    def shear(self) -> float:
        """How far the map leans to the right on the picture, in parts of its height going down: 0.015 is 1.5 %."""
        a, b, _, d, e, _ = self.inverse
        return (a * b + d * e) / (a * e - b * d)

    @property
    def mirrored(self) -> bool:
        """True when the picture lies mirrored, which no scan does: two points were mistaken for each other."""
        a, b, _, d, e, _ = self.affine
        return a * e - b * d < 0

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Return the place of a pixel in map units."""
        return apply_affine(self.affine, x, y)

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a place in map units."""
        return apply_affine(self.inverse, x, y)


def apply_affine(affine: Affine, x: float, y: float) -> tuple[float, float]:
    """Return a point as an affine has it."""
    a, b, c, d, e, f = affine
    return a * x + b * y + c, d * x + e * y + f


def inverse_affine(affine: Affine) -> Affine:
    """Return the affine that takes another back.

    Raises
    ------
    FitError
        When it lays the plane onto a line.
    """
    a, b, c, d, e, f = affine
    det = a * e - b * d
    if det == 0 or not math.isfinite(det):
        msg = f"affine: {affine} lays the picture onto a line; check the control points"
        raise FitError(msg)
    return e / det, -b / det, (b * f - c * e) / det, -d / det, a / det, (c * d - a * f) / det


def fit_points(
    pixels: Sequence[tuple[float, float]],
    places: Sequence[tuple[float, float]],
    names: Sequence[str],
    *,
    scale: float,
    stiff: bool = False,
    apart: bool = True,
) -> Fit:
    """Fit a picture to a map.

    Parameters
    ----------
    pixels : sequence of (x, y)
        Control points on the picture, at least one.
    places : sequence of (x, y)
        The same on the map, in map units.
    names : sequence of str
    scale : float
        Pixels a map unit where there is only one point, which can tell no scale.
    stiff : bool
        A similarity however many points there are: what can still be shown of points that fix no affine.
    apart : bool
        Two points at one place are refused; without it they count twice, as two towns of one hex do.

    Returns
    -------
    Fit
        With one point a shift, with two a similarity, with three an exact affine, with more that of least squares.

    Raises
    ------
    FitError
        When points lie on one line or are twice the same; the message names them and the remedy.
    """
    image, ground = np.asarray(pixels, dtype=float), np.asarray(places, dtype=float)
    count = len(image)
    if not count or image.shape != (count, 2) or ground.shape != (count, 2):
        msg = f"fit: got {len(image)} pixels and {len(ground)} places; give one or more of each, in pairs"
        raise FitError(msg)
    if count == 1:
        x, y = image[0] - scale * ground[0]
        return _described("shift", (scale, 0.0, float(x), 0.0, scale, float(y)), image, ground, names)
    if apart:
        _check_doubles(image, ground, names)
    if count == 2 or stiff:
        return _described("similarity", _similarity(image, ground), image, ground, names)
    _check_breadth(image, "on the picture", names)
    _check_breadth(ground, "on the map", names)
    inverse, leverage = _affine(image, ground)
    return _described("affine", inverse, image, ground, names, leverage)


def _check_doubles(image: NDArray[Any], ground: NDArray[Any], names: Sequence[str]) -> None:
    size = float(np.ptp(ground, axis=0).max())
    for points, least, where in ((image, CLOSE, "on the picture"), (ground, 1e-9 * size, "on the map")):
        away = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        i, j = divmod(int(np.argmin(away)), len(away))
        if away[i, j] <= least:
            msg = f"points {names[i]} and {names[j]} are at the same place {where}; move or remove one of them"
            raise FitError(msg)


def _check_breadth(points: NDArray[Any], where: str, names: Sequence[str]) -> None:
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if sizes[1] < FLAT * sizes[0]:
        shown = ", ".join(names[:6]) + (" ..." if len(names) > 6 else "")
        msg = f"points {shown} lie on one line {where}, so the breadth across it is open; set a point well away from it"
        raise FitError(msg)


def _similarity(image: NDArray[Any], ground: NDArray[Any]) -> Affine:
    """Return the similarity from the map to the picture of least squares, by numbers of the complex plane."""
    p, m = image @ (1, 1j), ground @ (1, 1j)
    p0, m0 = p.mean(), m.mean()
    turn = np.vdot(m - m0, p - p0) / np.vdot(m - m0, m - m0).real
    if abs(turn) < 1e-12:
        turn = np.std(image) / np.std(ground)  # points that are at odds with each other: upright, of the right size
    shift = p0 - turn * m0
    a, b = float(turn.real), float(turn.imag)
    return a, -b, float(shift.real), b, a, float(shift.imag)


def _affine(image: NDArray[Any], ground: NDArray[Any]) -> tuple[Affine, NDArray[Any]]:
    """Return the affine from the map to the picture of least squares, and the leverage of each point."""
    p0, m0 = image.mean(axis=0), ground.mean(axis=0)
    size = np.abs(ground - m0).max()
    # Both columns have the middle 0, so the constant stands apart from them and is found exactly.
    basis, triangle = np.linalg.qr((ground - m0) / size)
    linear = np.linalg.solve(triangle, basis.T @ (image - p0)).T / size
    shift = p0 - linear @ m0
    (a, b), (d, e) = linear.tolist()
    leverage = (basis**2).sum(axis=1) + 1 / len(image)
    return (a, b, float(shift[0]), d, e, float(shift[1])), leverage


def _described(
    kind: Literal["shift", "similarity", "affine"],
    inverse: Affine,
    image: NDArray[Any],
    ground: NDArray[Any],
    names: Sequence[str],
    leverage: NDArray[Any] | None = None,
) -> Fit:
    affine = inverse_affine(inverse)
    a, b, c, d, e, f = inverse
    left = ground @ np.array([[a, d], [b, e]]) + (c, f) - image
    back = left @ np.array([[affine[0], affine[3]], [affine[1], affine[4]]])
    length, units = np.hypot(*left.T), np.hypot(*back.T)
    residuals = tuple(
        Residual(names[i], float(left[i, 0]), float(left[i, 1]), float(length[i]), float(units[i]))
        for i in range(len(names))
    )
    rms = math.sqrt(float((length**2).mean()))
    worst = outlier = ""
    if leverage is not None and len(names) > 3 and rms > SEEN:
        worst, outlier = _suspects(length, leverage, names)
    elif kind == "similarity" and len(names) > 2 and rms > SEEN:
        worst = names[int(np.argmax(length))]
    return Fit(kind, affine, inverse, residuals, rms, worst, outlier)


def _suspects(length: NDArray[Any], leverage: NDArray[Any], names: Sequence[str]) -> tuple[str, str]:
    """Return the point without which the least is left over at the others, and whether it is an outlier.

    A wrong point far out draws the fit towards itself, so its own residual may be small: what counts is how far it is
    off the fit of all the others, which its leverage tells without fitting anew.
    """
    count = len(names)
    if count == 4:
        # Any three of them fit exactly, so none can be told from the others.
        return names[int(np.argmax(length))], ""
    room = np.maximum(1 - leverage, 1e-9)
    gain = length**2 / room
    i = int(np.argmax(gain))
    rest = max(float((length**2).sum() - gain[i]), 0.0)
    freedom = 2 * (count - 4)
    spread = rest / freedom
    off = float(length[i] / room[i])
    if off <= LEAST:
        return names[i], ""
    ratio = math.inf if spread == 0 else float(gain[i]) / 2 / spread
    chance = 0.0 if math.isinf(ratio) else (1 + 2 * ratio / freedom) ** (-freedom / 2)
    return names[i], names[i] if count * chance < DOUBT else ""

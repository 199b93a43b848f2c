"""A printed grid laid on the world by control points: least squares, pinned points inside their hexes, a rubber sheet.

Points are in map units here, y down, in which a hex measures 1 across its flats: what is left over is told in hexes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, GridError, LabelError
from studio.exchange.common.files import refused
from studio.exchange.geodata.world import moved, transformer
from studio.exchange.geography.placing.inside import SLACK, ControlPoints, all_inside, deepest, rounded
from studio.exchange.geography.placing.sheet import Sheet, stiffest_sheet
from studio.exchange.geography.placing.slips import found_slip
from studio.exchange.geography.spec import ControlPoint, FitRule, Geography
from studio.exchange.geography.work import EntryKind, Report
from studio.grid import HexGrid, Labels, fit_points
from studio.grid.fitting import Affine, Fit, FitError, inverse_affine
from studio.grid.raster import CORNERS

__all__ = ["fit_grid"]

_LEAST = {"similarity": 2, "affine": 3, "sheet": 3}
_MOST = 300  # control points; a rubber sheet takes as long as their number to the third power
_ONE_PLACE = 1e-3  # hexes within which two points are at one place
_SQUEEZED = 0.3  # area of the sheet, as a part of what it was, below which it is a finding
_SQUASHED = 1.15  # sides of the ground of a hex, as a part of each other, above which it is a finding
_PATH = "$.fit.points"


def fit_grid(
    spec: Geography,
    grid: HexGrid,
    name: str,
    report: Report,
    places: Callable[[ControlPoint], tuple[float, float]],
) -> tuple[Affine, Sheet | None]:
    """Return the affine from map units to the world by control points, and the rubber sheet where one is wanted.

    Raises
    ------
    DocumentError
        When points are too few, at odds with each other, or name hexes that are not there.
    """
    rule = spec.fit
    assert rule is not None
    points = _control_points(spec, rule, grid, name, places)
    fit = _least_squares(points, rule, name)
    squares = rounded(_turned(fit.affine))
    affine, sheet = squares, None
    doubt = _doubt(points, fit, spec.crs)
    slip = None if doubt else found_slip(points, grid, Labels(spec.grid.labels, grid))
    if slip is not None:
        report.add("fit", "finding", slip[1], (points.points[slip[0]].at,))
    best = deepest(points, stiff=rule.kind == "similarity")
    report.figures["fit_depth"] = round(best, 3)
    lies = points.depth(points.by(squares))[points.pinned]
    shallow = bool(len(lies)) and float(lies.min()) < rule.margin - SLACK
    if shallow:
        goal = rule.margin if best >= rule.margin + SLACK else 0.0
        inside = all_inside(points, goal, stiff=rule.kind == "similarity") if best > goal + SLACK else None
        if inside is not None and (goal == rule.margin or (rule.kind != "sheet" and float(lies.min()) < 0)):
            affine = rounded(inside)
            text = (
                "Least squares leave pinned points outside of what they may be in their hexes, so the grid lies by "
                f"another {_word(rule)}, the nearest one that lays every pinned point inside its hex"
            )
            report.add("fit", "decided", text, best_depth=best)
        elif rule.kind == "sheet":
            sheet = _sheet(points, rule, squares, grid, name, report, doubt)
    if doubt:
        i = points.names.index(fit.outlier)
        report.add("fit", "finding", doubt, (points.points[i].at,), off=fit.residuals[i].pixels)
    _describe(points, fit, rule, affine, sheet, report, best)
    return affine, sheet


def _word(rule: FitRule) -> str:
    return "similarity" if rule.kind == "similarity" else "affine"


# -- control points --------------------------------------------------------------------------------------------------


def _control_points(
    spec: Geography,
    rule: FitRule,
    grid: HexGrid,
    name: str,
    places: Callable[[ControlPoint], tuple[float, float]],
) -> ControlPoints:
    least = _LEAST[rule.kind]
    if len(rule.points) < least:
        message = f"got {len(rule.points)} control points, and a fit by {rule.kind} needs {least} or more"
        remedy = f"give {least - len(rule.points)} more, far from the others and not on one line with them"
        raise refused(name, message, remedy, path=_PATH)
    if len(rule.points) > _MOST:
        message = f"got {len(rule.points)} control points, allowed {_MOST}"
        raise refused(name, message, "keep those that are spread best; fifty tell as much", path=_PATH)
    try:
        labels = Labels(spec.grid.labels, grid)
    except GridError as error:
        raise refused(name, str(error), "mend the labels", path="$.grid.labels") from error
    faults: list[Fault] = []
    degrees, cells = [], []
    for number, point in enumerate(rule.points):
        path, at = f"{_PATH}[{number}]", point.name or point.at
        try:
            cells.append(labels.cell(point.at))
        except LabelError as error:
            faults.append(Fault(f"{path}.at", str(error), "name a hex of the printed grid by its label", at))
            continue
        lon, lat = _degrees(point, path, places, faults)
        degrees.append((lon, lat))
    if faults:
        raise DocumentError(name, faults)
    lonlat = np.array(degrees, dtype=float)
    world = np.stack(transformer("EPSG:4326", spec.crs).transform(lonlat[:, 0], lonlat[:, 1]), axis=1)
    for number in np.flatnonzero(~np.isfinite(world).all(axis=1)).tolist():
        lon, lat = degrees[number]
        message = f"{lon:g}, {lat:g} lies beyond what {spec.crs[:80]} can show"
        remedy = "give lon and lat in degrees, in this order; are they swapped?"
        faults.append(Fault(f"{_PATH}[{number}]", message, remedy, rule.points[number].name))
    if faults:
        raise DocumentError(name, faults)
    middles = grid.centres[cells] * np.array(grid.scale)
    corners = np.array(CORNERS[grid.orientation]) * np.array(grid.scale)
    halves = (corners + np.roll(corners, -1, axis=0)) / 2
    normals = halves / np.hypot(*halves.T)[:, None]
    return ControlPoints(rule.points, lonlat, world, middles, normals)


def _degrees(
    point: ControlPoint,
    path: str,
    places: Callable[[ControlPoint], tuple[float, float]],
    faults: list[Fault],
) -> tuple[float, float]:
    """Return longitude and latitude of a point; what is none of them is a fault."""
    at = point.name or point.at
    if (point.lon is None) != (point.lat is None):
        faults.append(Fault(path, "one of lon and lat is missing", "give both, or a place and its source", at))
        return 0.0, 0.0
    if point.lon is not None and point.lat is not None:
        lon, lat = point.lon, point.lat
    else:
        lon, lat = places(point)
    if abs(lat) > 90:
        swapped = "; lon and lat seem to be swapped" if abs(lon) <= 90 else ""
        message = f"got latitude {lat:g}, allowed -90 to 90{swapped}"
        faults.append(Fault(f"{path}.lat", message, "give lon in degrees east and lat in degrees north", at))
    return lon, lat


# -- affines ---------------------------------------------------------------------------------------------------------


def _least_squares(points: ControlPoints, rule: FitRule, name: str) -> Fit:
    """Return the fit of least squares, on a picture whose y goes up, as that of the world does."""
    picture = points.middles * (1, -1)
    apart = len(np.unique(np.round(picture, 6), axis=0))
    if apart < _LEAST[rule.kind] or _spread(points.world) < _LEAST[rule.kind]:
        message = f"the control points are at {min(apart, _spread(points.world))} different places"
        remedy = f"a fit by {rule.kind} needs {_LEAST[rule.kind]} or more, in different hexes"
        raise refused(name, message, remedy, path=_PATH)
    pairs = [tuple(one) for one in picture.tolist()], [tuple(one) for one in points.world.tolist()]
    try:
        fit = fit_points(*pairs, points.names, scale=1.0, stiff=rule.kind == "similarity", apart=False)
        plain = _plain(pairs, points.names) if rule.kind == "similarity" else fit
    except FitError as error:
        remedy = "give points well away from the line of the others"
        message = str(error).replace("on the picture", "on the grid").replace("on the map", "in the world")
        raise refused(name, message, remedy, path=_PATH) from error
    if plain is not None and plain.mirrored:
        message = "the grid would lie mirrored on the world, which no printed map does"
        remedy = "check that lon and lat are not swapped, and that no labels are exchanged"
        raise refused(name, message, remedy, path=_PATH)
    return fit


def _plain(pairs: tuple[list[Any], list[Any]], names: list[str]) -> Fit | None:
    """Return the affine of points, to tell whether they are mirrored; None where they fix none."""
    try:
        return fit_points(*pairs, names, scale=1.0, apart=False) if len(names) > 2 else None
    except FitError:
        return None


def _spread(world: NDArray[np.float64]) -> int:
    """Return how many different places there are, to a millionth of their extent."""
    size = float(np.ptp(world, axis=0).max()) or 1.0
    return len(np.unique(np.round((world - world.mean(axis=0)) / size, 6), axis=0))


def _turned(affine: Affine) -> Affine:
    """Return an affine from points whose y goes up as one from points whose y goes down."""
    a, b, c, d, e, f = affine
    return a, -b, c, d, -e, f


# -- the sheet -------------------------------------------------------------------------------------------------------


def _sheet(
    points: ControlPoints, rule: FitRule, affine: Affine, grid: HexGrid, name: str, report: Report, doubt: str
) -> Sheet:
    """Return the stiffest sheet, or refuse with the names of the points that are at odds.

    Raises
    ------
    DocumentError
        When points of one place are pinned to different hexes, or the sheet would be folded.
    """
    lies = points.by(affine)
    _check_pairs(points, lies, name)
    keep = _single(points, lies)
    x0, y0, x1, y1 = (float(one) for one in np.array(grid.frame) * np.tile(grid.scale, 2))
    frame = (x0 - 3, y0 - 3, x1 + 3, y1 + 3)
    sheet = stiffest_sheet(
        lies[keep], points.middles[keep], points.pinned[keep], points.normals, rule.margin + SLACK, frame
    )
    if sheet is None:
        one, two, away = _closest(points, lies)
        message = (
            f"no rubber sheet lays all pinned points inside their hexes; {one} and {two} are {away:.2f} hexes apart"
        )
        raise refused(name, message, "check these two, make the margin smaller, or set pin = false", path=_PATH)
    least, most, where = sheet.stretch()
    if least <= 0:
        near = np.argsort(np.hypot(*(lies - where).T), kind="stable")[:3]
        shown = ", ".join(f"{points.names[i]} ({points.points[i].at})" for i in near.tolist())
        message = f"the rubber sheet would be folded near {shown}: their order in the world and on the grid differs"
        remedy = doubt or "check their labels and coordinates, or set pin = false for one of them"
        raise refused(name, message, remedy, path=_PATH)
    text = f"A rubber sheet lays all pinned points inside their hexes; it changes areas by {least:.2f} to {most:.2f}"
    report.add("fit", "decided", text, smoothing=sheet.smoothing, least=least, most=most)
    if least < _SQUEEZED:
        i = int(np.argmin(np.hypot(*(lies - where).T)))
        text = f"The rubber sheet squeezes the land near {points.names[i]} to {least:.2f} of its area"
        report.add("fit", "finding", text, (points.points[i].at,), least=least)
    report.figures["sheet_least"], report.figures["sheet_most"] = round(least, 3), round(most, 3)
    return sheet


def _check_pairs(points: ControlPoints, lies: NDArray[np.float64], name: str) -> None:
    """Refuse points of one place that are pinned to different hexes."""
    pairs = [
        f"{points.names[i]} ({points.points[i].at}) and {points.names[j]} ({points.points[j].at})"
        for i, j in itertools.combinations(np.flatnonzero(points.pinned).tolist(), 2)
        if math.dist(lies[i], lies[j]) < _ONE_PLACE and points.points[i].at != points.points[j].at
    ]
    if pairs:
        message = f"pinned points of one place are in different hexes: {'; '.join(pairs)}"
        raise refused(name, message, "mend a label or a coordinate, or set pin = false for one", path=_PATH)


def _single(points: ControlPoints, lies: NDArray[np.float64]) -> list[int]:
    """Return the points without those at the place of another one; pinned ones are kept before others."""
    found: list[int] = []
    for i in sorted(range(len(lies)), key=lambda i: not points.points[i].pin):
        if all(math.dist(lies[i], lies[j]) >= _ONE_PLACE for j in found):
            found.append(i)
    return sorted(found)


def _closest(points: ControlPoints, lies: NDArray[np.float64]) -> tuple[str, str, float]:
    """Return the two pinned points in different hexes that are nearest to each other, and how far they are apart."""
    pairs = [
        (math.dist(lies[i], lies[j]), i, j)
        for i, j in itertools.combinations(np.flatnonzero(points.pinned).tolist(), 2)
        if points.points[i].at != points.points[j].at
    ]
    away, i, j = min(pairs, default=(0.0, 0, 0))
    return f"{points.names[i]} ({points.points[i].at})", f"{points.names[j]} ({points.points[j].at})", away


# -- the report ------------------------------------------------------------------------------------------------------


def _describe(
    points: ControlPoints, fit: Fit, rule: FitRule, affine: Affine, sheet: Sheet | None, report: Report, best: float
) -> None:
    """Write the residual of every point, and how the grid lies."""
    lies = points.by(affine)
    final = lies if sheet is None else sheet.bend(lies)
    off, last = lies - points.middles, np.hypot(*(final - points.middles).T)
    length, depth = np.hypot(*off.T), points.depth(final)
    rms = math.sqrt(float((length**2).mean()))
    report.figures["rms"] = round(rms, 4)
    report.figures["rms_squares"] = round(fit.rms, 4)
    report.figures["rms_final"] = round(math.sqrt(float((last**2).mean())), 4)
    _describe_affine(affine, rule, len(lies), rms, report)
    for i, point in enumerate(points.points):
        inside = bool(depth[i] >= 0)
        report.residuals.append(
            {
                "name": point.name,
                "at": point.at,
                "dx": round(float(off[i, 0]), 4),
                "dy": round(float(off[i, 1]), 4),
                "off": round(float(length[i]), 4),
                "sheet_off": round(float(last[i]), 4),
                "inside": inside,
            }
        )
        text = f"{points.names[i]} lies {length[i]:.2f} hexes from the middle of {point.at}"
        text += f" by the affine, {last[i]:.2f} on the rubber sheet" if sheet is not None else ""
        if not inside:
            beyond = -float(depth[i]) / 2
            text += f", {beyond:.2f} hexes outside of it"
            text += "" if point.pin else "; it is not pinned"
        kind: EntryKind = "finding" if point.pin and not inside else "decided" if point.pin else "note"
        report.add("fit", kind, text, (point.at,), off=length[i], sheet_off=last[i])
    if sheet is None and best < 0 and points.pinned.any() and not (depth[points.pinned] >= 0).all():
        text = (
            f"No {_word(rule)} lays all pinned points inside their hexes. Look for a slip in a label first; "
            'kind = "sheet" would bend the world until they fit, slips too'
        )
        report.add("fit", "finding", text, best_depth=best)


def _describe_affine(affine: Affine, rule: FitRule, count: int, rms: float, report: Report) -> None:
    a, b, _, d, e, _ = affine
    det = abs(a * e - b * d)
    along = math.hypot(a, d)
    across = det / along
    turn = math.degrees(math.atan2(d, a))
    shear = (a * b + d * e) / det
    text = (
        f"{count} control points by {_word(rule)}: {rms:.3f} hexes off (root mean square); a hex measures {along:.6g} "
        f"along rows and {across:.6g} across them on the ground, rows turn {turn:.2f} degrees, columns lean {shear:.3f}"
    )
    report.add("fit", "decided", text, rms=rms, along=along, across=across, turn=turn, shear=shear)
    wide = max(along / across, across / along)
    if wide > _SQUASHED:
        text = (
            f"Hexes are {wide:.2f} times as long one way as the other on the ground, and printed ones are regular: "
            'look for a slip in a label, or give kind = "similarity"'
        )
        report.add("fit", "finding", text, wide=wide)
    if count == _LEAST[rule.kind]:
        text = f"{count} control points always fit by {_word(rule)}; one more would show how large errors are"
        report.add("fit", "note", text)


def _doubt(points: ControlPoints, fit: Fit, crs: str) -> str:
    """Name the point that errors as large as those of the others do not explain, and tell whether it is swapped."""
    if not fit.outlier:
        return ""
    i = points.names.index(fit.outlier)
    text = f"{fit.outlier} fits the other points badly: check its label {points.points[i].at} and its coordinates"
    rest = [j for j in range(len(points.points)) if j != i]
    try:
        pairs = [tuple(points.middles[j] * (1, -1)) for j in rest], [tuple(points.world[j]) for j in rest]
        others = fit_points(*pairs, [points.names[j] for j in rest], scale=1.0, apart=False)
    except FitError:
        return text
    lon, lat = points.degrees[i]
    swapped = np.array([transformer("EPSG:4326", crs).transform(lat, lon)])
    lies = moved(inverse_affine(_turned(others.affine)), swapped)[0]
    near = bool(np.isfinite(lies).all()) and math.dist(lies, points.middles[i]) < max(1.0, 3 * others.rms)
    return text + "; its lon and lat seem to be swapped" if near else text

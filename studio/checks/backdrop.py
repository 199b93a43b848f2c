"""Checks of the scan under a map: its control points, and its file."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject
from studio.survey.backdrop import BackdropFit, placement

__all__ = ["CHECKS", "check_file"]

_MUCH = 0.25
"""A residual from which tracing lands in the wrong place, in heights of a hex."""


@check("map.backdrop_fit", "warning", "The control points of the scan fix its place, and fit each other")
def _fit(subject: MapSubject) -> Iterator[Fault]:
    backdrop = subject.model.backdrop
    if backdrop is None:
        return
    found = placement(subject.survey, backdrop)
    for point in found.lost:
        message = f"control point {point.name} of the scan is at {point.at!r}, which no place of the map is called"
        yield Fault(point.at, message, "give the point the label of a place, or remove it")
    if found.fault and found.places:
        yield Fault("backdrop", found.fault, "move or add control points: three that form a triangle fix the scan")
        return
    yield from _bad_points(found)


def _bad_points(found: BackdropFit) -> Iterator[Fault]:
    if found.fit.kind == "affine" and found.fit.mirrored:
        message = "the scan lies mirrored: two of its control points are mistaken for each other"
        yield Fault("backdrop", message, "look at the places of the points; give each its own")
        return
    for left in found.residuals:
        point = found.backdrop.point(left.name)
        hexes = found.hexes(left)
        if point is None or not (left.name == found.outlier or (left.name == found.worst and hexes > _MUCH)):
            continue
        message = (
            f"control point {left.name} at {point.place} is {left.pixels:.1f} pixels ({hexes:.2f} hexes) off the fit"
        )
        remedy = "see whether it is at the right place of the picture and of the map; set more points if it is"
        yield Fault(point.at or "backdrop", message, remedy, found.places[left.name])


@check("map.backdrop_file", "warning", "The picture of the scan is there, sound, and the one that was chosen")
def check_file(fault: str) -> Iterator[Fault]:
    """Yield what :func:`studio.files.pictures.check_picture` says of the picture."""
    if fault:
        remedy = "put the picture back, or choose it anew; the map itself is complete without it"
        yield Fault("backdrop", fault, remedy)


CHECKS = (_fit,)

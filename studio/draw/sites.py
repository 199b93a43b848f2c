"""Where the locations of a map lie: their dots and outlines, by label and by number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import ring_path
from studio.draw.subject import Floats, Subject, kind_of, map_points
from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.survey import Survey
    from studio.survey.directory import Directory, Location

__all__ = ["Sites", "prefix_of", "short_label", "sites_of"]


class Sites:
    """The locations of a map, for pictures.

    Parameters
    ----------
    subject : Subject
        The map's drawing.
    survey : Survey, optional
        What it means; made when it is needed otherwise.
    ruleset : studio.rules.Ruleset or str, optional
        The game, which says what a location is.
    """

    def __init__(self, subject: Subject, survey: Survey | None = None, ruleset: Any = None) -> None:
        self.subject, self.grid = subject, subject.grid
        self._survey, self._ruleset = survey, ruleset if ruleset is not None else getattr(subject, "ruleset", None)
        # Whether the picture tells the sheets apart by their titles, so that names need no prefix of their sheet.
        self.titled = False
        self.kept: dict[str, Any] = {}

    @property
    def ruleset(self) -> Any:
        """The game, None where the studio does not know it."""
        from studio.rules import get_ruleset, ruleset_ids

        if isinstance(self._ruleset, str):
            return get_ruleset(self._ruleset) if self._ruleset in ruleset_ids() else None
        return self._ruleset

    @cached_property
    def survey(self) -> Survey:
        """What the drawing means."""
        from studio.survey import Survey, SurveyScheme

        if self._survey is not None:
            return self._survey
        model: Any = self.subject
        if self.ruleset is not None:
            return Survey(model, self.ruleset.survey_scheme)
        # An unknown game: whatever has a name can be a location.
        kinds = {feature.type for feature in self.subject.features.values() if kind_of(feature) == "area"}
        return Survey(model, SurveyScheme(location_areas=frozenset(kinds), places=True))

    @cached_property
    def plain(self) -> bool:
        """Whether all locations are hexes, which can be told without a survey of a large map."""
        if not hasattr(self.subject, "features_of"):
            return True
        kinds = {kind_of(feature) for feature in self.subject.features.values()}
        scheme = getattr(self.ruleset, "survey_scheme", None)
        return not kinds & {"area", "place"} and not ("road" in kinds and scheme is not None and scheme.road_in)

    @property
    def directory(self) -> Directory:
        """Every location by number and label."""
        return self.survey.directory

    @cached_property
    def moved(self) -> dict[int, tuple[int, int]]:
        """Dots of the hexes where they are not in the middle, on the lattice, by cell."""
        cell = self.subject.labels.cell
        return {cell(f.at): f.point for f in self.subject.features.values() if kind_of(f) == "dot"}

    def hex_dot(self, cell: int) -> Floats:
        """Return the dot of a hex in map units: its centre, unless the designer moved it."""
        return np.asarray(self.grid.to_map(*self.moved.get(cell, self.grid.centre(cell))))

    def dot(self, label: Any) -> Floats:
        """Return the dot of a location in map units.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        if self.plain:
            return self.hex_dot(self.subject.labels.cell(label))
        directory = self.directory
        return np.asarray(self.grid.to_map(*directory.dot(directory.number(label))))

    def find(self, label: Any) -> Floats | None:
        """Return the dot of a location in map units, None where the map has no such location."""
        try:
            return self.dot(label)
        except StudioError:
            return None

    def where(self, name: Any) -> Floats | None:
        """Return a point for the label of a location or of its hex, or the id or name of a feature, if there is one."""
        found = self.find(name)
        if found is not None:
            return found
        try:
            return self.hex_dot(self.subject.labels.cell(name))
        except StudioError:
            pass
        for feature in self.subject.features.values():
            if name in (feature.id, getattr(feature, "name", None)):
                return self.middle(feature)
        return None

    def middle(self, feature: Any) -> Floats | None:
        """Return a point that stands for a feature: where it is, or the middle of its drawn line."""
        if kind_of(feature) in ("place", "aperture", "name"):
            return np.asarray(self.grid.to_map(*feature.at))
        if kind_of(feature) == "area":
            return np.asarray(self.grid.to_map(*self.area_dot(feature)))
        if kind_of(feature) in ("wall", "contour") or (kind_of(feature) == "road" and feature.line):
            return along(map_points(self.grid, feature.line), 0.5)
        return None

    def area_dot(self, area: Any) -> tuple[int, int]:
        """Return the dot of an area on the lattice: the one drawn, else a point well inside."""
        from studio.survey.shapes import inner_point, polygon_of

        if area.dot is not None:
            found: tuple[int, int] = area.dot
            return found
        return inner_point(polygon_of(area))

    def frame_at(self, at: tuple[int, int]) -> tuple[int, int, int, int]:
        """Return the frame of the sheet that a point lies on, or of the whole map."""
        found: tuple[int, int, int, int] = self.grid.frame
        for frame in self.grid.joint.frames if self.grid.joint is not None else ():
            if within(frame, at):
                found = frame
        return found

    def shown(self, name: str, at: tuple[int, int], number: bool = False) -> str:
        """Return a name at a point as the picture writes it: without the prefix of its sheet where the title tells it.

        With `number` only the number at the end of a name such as ``Zone 17``, with the prefix where there is one.
        """
        prefix = prefix_of(self.subject, name, at)
        bare = name[len(prefix) :]
        text = short_label(bare) if number else bare
        return text if self.titled else prefix + text

    def outline(self, location: Location) -> Any:
        """Return the outline of a location as a path in map units; None for a place or a road."""
        if location.kind == "hex":
            return ring_path(self.grid, [self.grid.corners(location.number)])
        if location.kind == "area":
            area = self.subject.features[location.feature]
            return ring_path(self.grid, (area.outline, *area.holes))
        return None

    def others(self) -> list[Location]:
        """Return the locations that are no hexes."""
        return [] if self.plain else self.directory.others


def sites_of(map: Any, answer: Any = None) -> Sites:
    """Return the locations of a map: with the survey and the game of a `studio.Map`, or those of its model.

    An answer that was made from a survey of that very model brings it along.
    """
    subject: Any = getattr(map, "model", map)
    for survey in (getattr(map, "survey", None), getattr(getattr(answer, "directory", None), "survey", None)):
        if survey is not None and survey.model is subject:
            return Sites(subject, survey, getattr(map, "ruleset", None))
    return Sites(subject, None, getattr(map, "ruleset", None))


def within(frame: tuple[int, int, int, int], at: tuple[int, int]) -> bool:
    """Tell whether a point lies in a frame or on its edge."""
    return frame[0] <= at[0] <= frame[2] and frame[1] <= at[1] <= frame[3]


def prefix_of(subject: Subject, name: str, at: tuple[int, int]) -> str:
    """Return the prefix that a name at a point has from its sheet of a joint map, "" without one."""
    joint = getattr(subject.grid, "joint", None)
    if joint is None:
        return ""
    for sheet, frame in zip(getattr(subject, "sheets", ()), joint.frames, strict=False):
        held = sheet.prefix and name.startswith(sheet.prefix) and len(name) > len(sheet.prefix)
        if held and within(frame, at):
            return str(sheet.prefix)
    return ""


def along(points: Floats, share: float) -> Floats:
    """Return the point at a share of a polyline's length."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    ends = np.concatenate(([0.0], np.cumsum(steps)))
    at = share * ends[-1]
    return np.stack([np.interp(at, ends, points[:, 0]), np.interp(at, ends, points[:, 1])])


def short_label(label: Any) -> str:
    """Return the number at the end of a label, or the whole label where there is none.

    Examples
    --------
    >>> short_label("Zone 17"), short_label("mosque"), short_label("17.2'")
    ('17', 'mosque', "17.2'")
    """
    found = re.search(r"(?:^|[^\d.'])(\d+)$", str(label))
    return found.group(1) if found else str(label)


def box_letters(label: Any, within: Iterable[str] = ()) -> str:
    """Return what is written in a box: its label without the name of its area in front.

    Examples
    --------
    >>> box_letters("17 OG"), box_letters("Zone 17 2'"), box_letters("R")
    ('OG', "2'", 'R')
    """
    text = str(label)
    for name in sorted((n for n in within if n), key=len, reverse=True):
        if text.startswith(name) and len(text) > len(name):
            return text[len(name) :].strip(" .:/-_")
    return re.split(r"[ .:/_-]", text)[-1]

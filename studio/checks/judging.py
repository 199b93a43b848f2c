"""What a repair does to the map around it: the part of the map that it can change, looked at before and after it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.checks.finding import Finding, Findings
from studio.checks.running import run_checks
from studio.checks.slits import SLIVER
from studio.checks.subject import MapSubject
from studio.checks.tilings import Flaw, flaws
from studio.model import Aperture, Area, Feature, Link, MapModel, Marker, Place, Wall, feature_points
from studio.rules import Ruleset
from studio.survey import Survey

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from studio.model import Point

__all__ = ["Look", "Part", "Surroundings", "place_of", "why_worse"]

_BY_PLACE = frozenset({"map.borders_meet", "map.gap", "map.overlap", "map.sliver"})
"""Checks whose faults are told apart by where they are: the areas around one can change while it is mended."""

_DRAWN = (Area, Aperture, Place, Wall)
_Segment = tuple["Point", "Point"]


def place_of(finding: Finding) -> object:
    """Return what tells a finding from others of its check with the same name."""
    return finding.point if finding.rule in _BY_PLACE else finding.message


class Part(NamedTuple):
    """The features around some that a repair changes; ``whole`` where that is the map with its hexes."""

    ids: frozenset[str]
    whole: bool


class Look(NamedTuple):
    """What the checks say of a part of a map, the ground covered wrongly there, and which areas share borders."""

    findings: Findings
    flaws: list[Flaw]
    borders: dict[frozenset[str], tuple[_Segment, ...]]

    @property
    def ground(self) -> float:
        """How much ground is covered wrongly, in square lattice units."""
        return sum(float(flaw.ground.area) for flaw in self.flaws)


class Surroundings:
    """What lies around the features of a map while repairs change it.

    Parameters
    ----------
    survey : Survey
        Of the map before all repairs.
    model : MapModel
        The copy that repairs change.
    ruleset : Ruleset
    file : str
    """

    def __init__(self, survey: Survey, model: MapModel, ruleset: Ruleset, file: str) -> None:
        self._survey, self.model, self.ruleset, self.file = survey, model, ruleset, file
        self.seen = 0  # corners of areas that were looked at
        self._ids: list[str] = []
        boxes = []
        for feature in model.features.values():
            if isinstance(feature, _DRAWN):
                self._ids.append(feature.id)
                boxes.append(_box([feature]))
        self._boxes = np.array(boxes, dtype=float).reshape(-1, 4)
        self._at = {name: number for number, name in enumerate(self._ids)}

    def part(self, touched: set[str] | None) -> Part:
        """Return the features that can have to do with those that a repair changes: neighbours, and theirs, and links.

        Parameters
        ----------
        touched : set of str or None
            Ids; None where the repair changes more than features.
        """
        features = self.model.features
        if touched is None or not all(name in self._at for name in touched):
            return Part(frozenset(features), True)
        found = set(touched)
        for name in touched:
            # Two steps: what a corner of a neighbour says depends on the neighbours of that one.
            once = self._near(self._boxes[self._at[name]])
            near = self._boxes[once]
            box = (near[:, 0].min(), near[:, 1].min(), near[:, 2].max(), near[:, 3].max())
            found.update(self._ids[number] for number in np.flatnonzero(self._near(np.array(box))))
        return Part(frozenset(self._with_named(found)), False)

    def _near(self, box: NDArray[np.float64]) -> NDArray[np.bool_]:
        x0, y0, x1, y1 = self._boxes.T
        reach = 2 * SLIVER
        x, y = (x0 <= box[2] + reach) & (x1 >= box[0] - reach), (y0 <= box[3] + reach) & (y1 >= box[1] - reach)
        return np.asarray(x & y)

    def _with_named(self, ids: set[str]) -> set[str]:
        """Return ids with those of what the features are part of, and of the links and markers at them."""
        features, found = self.model.features, set(ids)
        for name in ids:
            within = getattr(features.get(name), "within", "")
            while within in features and within not in found:
                found.add(within)
                within = getattr(features[within], "within", "")
        names = found | {getattr(features.get(name), "name", "") for name in found}
        for feature in features.values():
            match feature:
                case Link() if feature.a in names or feature.b in names:
                    found.add(feature.id)
                case Marker() if feature.at in names:
                    found.add(feature.id)
        return found

    def look(self, part: Part) -> Look:
        """Return what the checks say of a part of the map as it is now."""
        model = copy.copy(self.model)
        if not part.whole:
            model.features = {name: feature for name, feature in model.features.items() if name in part.ids}
        self.seen += sum(len(one.outline) for one in model.features.values() if isinstance(one, Area))
        survey = self._survey.of_features(model)
        subject = MapSubject(survey, self.ruleset)
        findings = run_checks(subject, file=self.file, hexsides=part.whole)
        borders = {frozenset((one.a, one.b)): tuple(one.segments) for one in survey.borders}
        return Look(findings, subject.once(flaws), borders)


def _box(features: Collection[Feature]) -> tuple[float, float, float, float]:
    points = [point for feature in features for _, point in feature_points(feature)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


# -- worse -----------------------------------------------------------------------------------------------------------


def why_worse(before: Look, after: Look, mended: Sequence[Finding]) -> str:
    """Return what is worse after a repair than before it; empty where nothing is.

    Parameters
    ----------
    before, after : Look
        At the same part of the map.
    mended : sequence of Finding
        What the repair should mend.
    """
    old, new = _names(before.findings), _names(after.findings)
    for rule, at in new - old:
        return f"it would bring {rule} at {at}"
    left = {(one.rule, one.at, place_of(one)) for one in after.findings}
    gone = old - new
    for finding in mended:
        stays = (finding.rule, finding.at, finding.point) in left if finding.rule in _BY_PLACE else False
        if stays or (finding.rule not in _BY_PLACE and not gone[finding.rule, finding.at]):
            return "its fault would stay"
    if after.ground > before.ground + 1e-3:
        return "more ground would be covered twice or not at all"
    return _new_place(before, after) or _lost_border(before, after)


def _names(findings: Findings) -> Counter[tuple[str, str]]:
    return Counter((one.rule, one.at) for one in findings if one.rule not in _BY_PLACE)


def _new_place(before: Look, after: Look) -> str:
    """Return where a border or a tiling is wrong after a repair, and was right before it."""
    import shapely

    known = [flaw.ground for flaw in before.flaws]
    known += [shapely.Point(one.point) for one in before.findings if one.rule in _BY_PLACE and one.point is not None]
    wrong: list[tuple[BaseGeometry, Point]] = [(flaw.ground, flaw.point) for flaw in after.flaws]
    wrong += [(shapely.Point(one.point), one.point) for one in after.findings if one.rule in _BY_PLACE and one.point]
    for ground, point in wrong:
        if not any(ground.dwithin(one, SLIVER) for one in known):
            return f"it would bring a fault at {point}"
    return ""


def _lost_border(before: Look, after: Look) -> str:
    """Return which two areas shared a border before a repair and do not after it.

    Along ground that was covered wrongly they may have met by accident: it counts where the ground there was sound.
    """
    import shapely

    for pair in sorted(map(sorted, before.borders.keys() - after.borders.keys())):
        line = shapely.MultiLineString([list(segment) for segment in before.borders[frozenset(pair)]])
        wrong = shapely.union_all([flaw.ground.buffer(1) for flaw in before.flaws if flaw.ground.dwithin(line, 1)])
        if not wrong.covers(line):
            return f"{' and '.join(pair)} would not be neighbours any more"
    return ""

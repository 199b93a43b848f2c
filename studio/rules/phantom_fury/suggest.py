"""Proposals for target symbols: pairs that see each other straight along the streets, for the designer to judge.

What counts as a view is defined exactly, and whole numbers decide it:

* The *open ground* is the union of the street sections and of the zones tagged ``open`` or ``no_control``. Its *edge*
  is what it has of outlines but for borders between two of its own areas, and every continuous line that is drawn.
* The *front* of a zone is its border with the open ground; that of a street section is its border with the next ones,
  from where it looks out. Straight fronts are cut into *windows* of at most ``window`` lattice units.
* Two windows *see each other* when each lies in front of the other, the quadrilateral between them has nothing of the
  edge inside it, and both are at least ``width`` wide as seen along the line between their middles.
* The *score* of a pair is the share of its pairs of windows, of all within ``reach``, that see each other.

Pairs that have a line of fire already are left out. The same map gives the same proposals, in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import gcd, hypot
from typing import Any

import msgspec

from studio.errors import ScenarioRuleError
from studio.model import Link, Wall, natural_key
from studio.rules import get_ruleset
from studio.rules.phantom_fury.district import OPEN, District
from studio.rules.phantom_fury.views import Windows, clear_views, oriented
from studio.sight.trace import Shapes
from studio.sight.trace.contacts import area_contacts
from studio.survey import Survey, ring_edges
from studio.survey.stretches import Segment, Stretches

__all__ = ["OpenGround", "Proposal", "links_for", "suggest_lines_of_fire"]


class Proposal(msgspec.Struct, frozen=True):
    """A line of fire that the streets suggest.

    Attributes
    ----------
    a, b : str
        Labels: the target symbol of `a` (a zone or a street section) would name zone `b`.
    segment : ((x, y), (x, y))
        The shortest clear view, from the middle of a window of `a` to that of one of `b`, in lattice units.
    length : float
        Of that segment, in lattice units.
    through : tuple of str
        Labels of the street sections and open zones that it runs through, in order.
    views : int
        Pairs of windows that see each other.
    score : Fraction
        Their share of all pairs of windows of the two within reach, 0 to 1.
    """

    a: str
    b: str
    segment: tuple[tuple[float, float], tuple[float, float]]
    length: float
    through: tuple[str, ...]
    views: int
    score: Fraction


def suggest_lines_of_fire(
    survey: Survey,
    options: Mapping[str, Any] | None = None,
    *,
    width: int = 60,
    window: int = 240,
    reach: int = 5760,
    streets: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> list[Proposal]:
    """Propose target symbols from straight unobstructed views along the streets (4.1.2.1, 4.3.1.2).

    Parameters
    ----------
    survey : Survey
    options : mapping, optional
        Readings of the rules; with ``target_symbols="as_printed"`` two zones get a proposal each way.
    width : int
        Least width of a view, lattice units; a hexside of the drawing board is 480.
    window : int
        Longest piece of a front that is looked from as one, lattice units.
    reach : int
        Longest view, between the middles of two windows, lattice units.
    streets : bool
        Propose symbols of street sections too.
    progress : callable, optional
        Called with how many windows are done, and of how many.

    Returns
    -------
    list of Proposal
        Best first: by score, then by length, then by labels.

    Raises
    ------
    ScenarioRuleError
        When a measure is not a positive whole number.
    UnknownNameError
        When there is no such option.
    """
    for name, value in (("width", width), ("window", window), ("reach", reach)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            msg = f"{name}: got {value!r}; allowed are whole numbers of lattice units from 1"
            raise ScenarioRuleError(msg)
    force = get_ruleset("phantom_fury").options(options)
    district = District(survey)
    ground = OpenGround(district)
    windows = ground.windows(window, streets=streets)
    known = list(district.areas)
    both = force["target_symbols"] == "both_ways"

    def wanted(a: int, b: int) -> bool:
        return _wanted(district, known[a], known[b], both=both)

    seen, looked_at = clear_views(
        windows, ground.edge, lambda a, b: wanted(a, b) or wanted(b, a), width, reach, progress
    )
    views: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for i, j in seen.tolist():
        views[int(windows.owner[i]), int(windows.owner[j])].append((i, j))
    found = []
    for (a, b), pairs in views.items():
        score = Fraction(len(pairs), looked_at[a, b])
        if wanted(a, b):
            found.append(_proposal(ground, windows, (known[a], known[b]), pairs, score))
        if wanted(b, a):
            back = [(j, i) for i, j in pairs]
            found.append(_proposal(ground, windows, (known[b], known[a]), back, score))
    found.sort(key=lambda one: (-one.score, one.length, natural_key(one.a), natural_key(one.b)))
    return found


def links_for(survey: Survey, proposals: Iterable[Proposal]) -> list[Link]:
    """Return accepted proposals as links that can be put on the map.

    Parameters
    ----------
    survey : Survey
    proposals : iterable of Proposal

    Returns
    -------
    list of Link
        With ids that are not taken; each named zone comes after those that the symbol names already.
    """
    taken = set(survey.model.features)
    drawn = [link for link in survey.features_of(Link) if link.type == "line_of_fire"]
    last = {link.a: max(one.order for one in drawn if one.a == link.a) for link in drawn}
    links = []
    number = 0
    for proposal in proposals:
        number += 1
        while f"line_of_fire-{number}" in taken:
            number += 1
        last[proposal.a] = last.get(proposal.a, 0) + 1
        id_ = f"line_of_fire-{number}"
        links.append(Link(id=id_, type="line_of_fire", a=proposal.a, b=proposal.b, order=last[proposal.a]))
    return links


def _wanted(district: District, a: str, b: str, *, both: bool) -> bool:
    """Tell whether a target symbol of `a` that names `b` would give a line that is not there yet."""
    if a == b or not district.is_zone(b) or b in district.touching[a]:
        return False
    if OPEN.intersection(district.areas[a].tags) or OPEN.intersection(district.areas[b].tags):
        return False
    if b in district.targets.get(a, ()) or (both and a in district.targets.get(b, ())):
        return False
    if not district.is_zone(a):
        return True
    if both and district.sorted((a, b)) != [a, b]:
        return False  # one proposal a pair, at the first of the two
    return b not in district.neighbouring(a)


def _proposal(
    ground: OpenGround, windows: Windows, ends: tuple[str, str], pairs: list[tuple[int, int]], score: Fraction
) -> Proposal:
    """Describe the views of one pair by the shortest of them."""
    segments = [(windows.middle(i), windows.middle(j)) for i, j in pairs]
    p, q = min(segments, key=lambda ends: (_squared(*ends), ends))
    return Proposal(
        a=ground.district.label(ends[0]),
        b=ground.district.label(ends[1]),
        segment=((p[0] / 2, p[1] / 2), (q[0] / 2, q[1] / 2)),
        length=hypot(q[0] - p[0], q[1] - p[1]) / 2,
        through=ground.through(p, q),
        views=len(pairs),
        score=score,
    )


def _squared(p: tuple[int, int], q: tuple[int, int]) -> int:
    return (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2


class OpenGround:
    """The open ground of a district: its edge, and the windows that look into it.

    Parameters
    ----------
    district : District

    Attributes
    ----------
    open : list of str
        Ids of its areas.
    edge : list of Segment
        What ends it: outlines but for borders between two of its areas, and continuous lines.
    """

    def __init__(self, district: District) -> None:
        self.district = district
        self.open = [
            area_id for area_id, area in district.areas.items() if area.type == "street" or OPEN.intersection(area.tags)
        ]
        self.edge = self._edge()
        areas = [district.areas[area_id] for area_id in self.open]
        # In half lattice units, as the middles of windows are.
        self._rings = [[[(2 * x, 2 * y) for x, y in ring] for ring in (one.outline, *one.holes)] for one in areas]
        self._shapes = Shapes([rings[0] for rings in self._rings])

    def _edge(self) -> list[Segment]:
        inner: dict[str, list[Segment]] = defaultdict(list)
        is_open = set(self.open)
        for area_id in self.open:
            for other, segments in self.district.touching[area_id].items():
                if other in is_open:
                    inner[area_id] += segments
        found: list[Segment] = []
        for area_id in self.open:
            area, shared = self.district.areas[area_id], Stretches(inner[area_id])
            for ring in (area.outline, *area.holes):
                for edge in ring_edges(ring):
                    found += shared.outside(edge)
        walls = [wall.line for wall in self.district.survey.features_of(Wall) if wall.type == "solid"]
        return found + [(p, q) for line in walls for p, q in pairwise(line) if p != q]

    def windows(self, longest: int, *, streets: bool) -> Windows:
        """Return the windows of all fronts, the open ground on the left of each."""
        index = {area_id: number for number, area_id in enumerate(self.district.areas)}
        is_open = set(self.open)
        fronts: list[tuple[int, Segment]] = []
        for area_id, area in self.district.areas.items():
            if area_id in is_open and (area.type == "zone" or not streets):
                continue
            for other, segments in self.district.touching[area_id].items():
                if other in is_open:
                    outward = oriented(self.district.areas[other], segments)
                    fronts += [(index[area_id], segment) for segment in outward]
        cut = [(owner, part) for owner, front in fronts for part in _cut(front, longest)]
        cut.sort()
        return Windows(cut)

    def through(self, p: tuple[int, int], q: tuple[int, int]) -> tuple[str, ...]:
        """Return the labels of the open areas that a segment runs through; its ends are given in half lattice units."""
        found = []
        for number in self._shapes.near(p, q):
            area_id = self.open[number]
            outline, *holes = self._rings[number]
            contacts = [one for one in area_contacts(p, q, outline, holes) if one.how == "through"]
            found += [(one.enter, self.district.label(area_id)) for one in contacts[:1]]
        return tuple(label for _, label in sorted(found))


def _cut(front: Segment, longest: int) -> list[Segment]:
    """Cut a straight front into equal windows as far as lattice points lie on it."""
    (x0, y0), (x1, y1) = front
    steps = gcd(x1 - x0, y1 - y0)
    parts = 1
    while parts < steps and (x1 - x0) ** 2 + (y1 - y0) ** 2 > (parts * longest) ** 2:
        parts += 1
    at = [number * steps // parts for number in range(parts + 1)]
    dx, dy = (x1 - x0) // steps, (y1 - y0) // steps
    points = [(x0 + step * dx, y0 + step * dy) for step in at]
    return list(pairwise(points))

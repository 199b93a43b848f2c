"""Continuous lines: a drawn wall that closes a border lies on one, along all of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from studio.checks.finding import Fault, check
from studio.checks.fixtures import REACH
from studio.checks.misses import near_on_segment
from studio.checks.subject import MapSubject, mend, put
from studio.model import Batch, Point, Wall
from studio.survey import Side
from studio.survey.parted import cells_parted
from studio.survey.stretches import Segment, Stretches, chains, on_segment

__all__ = ["CHECKS"]


class _Closing:
    """The walls of a map that close borders, and the borders that they can close."""

    def __init__(self, subject: MapSubject) -> None:
        kinds = {name for name, kind in subject.ruleset.wall_types.items() if kind.closes}
        walls = [wall for wall in subject.survey.features_of(Wall) if wall.type in kinds]
        # Between hexes a line parts two dots, so that it need not lie on a border of areas.
        hexes = bool(subject.directory.playable.any())
        self.walls = [wall for wall in walls if not (hexes and cells_parted(subject.survey, wall.line))]
        self.sides: list[Side] = []
        self.borders = self.drawn = Stretches([])
        if self.walls:
            drawn = [side for side in subject.survey.boundaries if side.a_id]
            self.sides = [side for side in drawn if side.b_id]
            # Along an outline towards nothing there is nothing to close, and a line there does no harm.
            self.borders = Stretches(segment for side in drawn for segment in side.segments)
            self.drawn = Stretches.of_lines(wall.line for wall in walls)

    def on_border(self, wall: Wall) -> bool:
        """Tell whether some of a wall lies on a border."""
        return any(self.borders.inside(piece) for piece in _pieces(wall))

    def off_border(self, wall: Wall) -> list[Segment]:
        """Return the pieces of a wall that lie on no border."""
        return [part for piece in _pieces(wall) for part in self.borders.outside(piece)]

    def half_closed(self, wall: Wall) -> tuple[Side, Segment] | None:
        """Return a border of which a wall closes a part, and a piece that stays open; None where there is none."""
        line = Stretches(_pieces(wall))
        for side in self.sides:
            if any(line.inside(segment) for segment in side.segments):
                left = [part for segment in side.segments for part in self.drawn.outside(segment)]
                if left:
                    return side, left[0]
        return None

    def onto_border(self, wall: Wall) -> Batch | None:
        """Return the repair of a wall that lies beside borders: where they make one line that it closes, it runs there.

        Of a border that would stay open in part it is not said whether all of it is meant.
        """
        ends = {end for side in self.sides for segment in side.segments for end in segment}
        near = [segment for side in self.sides for segment in side.segments if _boxes_meet(wall, segment)]
        lines = chains(part for segment in near for part in _parted(segment, ends) if _lies_beside(wall, part))
        if len(lines) != 1:
            return None
        line = lines[0]
        if not _is_near(wall.line[0], line[0]) or not _is_near(wall.line[-1], line[-1]):
            line = line[::-1]
        if not _is_near(wall.line[0], line[0]) or not _is_near(wall.line[-1], line[-1]):
            return None
        new = Stretches.of_lines([tuple(line)])
        along = list(pairwise(line))
        if any(all(near_on_segment(point, piece, REACH) is None for piece in along) for point in wall.line):
            return None
        for side in self.sides:
            closed = any(new.inside(segment) for segment in side.segments)
            if closed and any(new.outside(segment) for segment in side.segments):
                return None
        return mend(f"Lay {wall.id} onto the border from {line[0]} to {line[-1]}", put(wall, line=tuple(line)))


def _pieces(wall: Wall) -> list[Segment]:
    return [(p, q) for p, q in pairwise(wall.line) if p != q]


def _is_near(a: Point, b: Point) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= REACH * REACH


def _lies_beside(wall: Wall, segment: Segment) -> bool:
    """Tell whether both ends of a piece of a border are near a wall."""
    return all(any(near_on_segment(end, piece, REACH) is not None for piece in _pieces(wall)) for end in segment)


def _boxes_meet(wall: Wall, segment: Segment) -> bool:
    (px, py), (qx, qy) = segment
    xs, ys = [x for x, _ in wall.line], [y for _, y in wall.line]
    return (
        min(px, qx) <= max(xs) + REACH
        and max(px, qx) >= min(xs) - REACH
        and min(py, qy) <= max(ys) + REACH
        and max(py, qy) >= min(ys) - REACH
    )


def _parted(segment: Segment, ends: set[Point]) -> list[Segment]:
    """Return the pieces of a segment between the points on it at which others end."""
    p, _ = segment
    held = sorted(
        (end for end in ends if on_segment(end, segment)), key=lambda end: abs(end[0] - p[0]) + abs(end[1] - p[1])
    )
    return list(pairwise(held))


def _closing(subject: MapSubject) -> _Closing:
    return _Closing(subject)


@check("map.wall_border", "error", "A line that closes borders, such as a continuous one, lies on a border")
def _wall_border(subject: MapSubject) -> Iterator[Fault]:
    closing = subject.once(_closing)
    for wall in closing.walls:
        if _pieces(wall) and not closing.on_border(wall):
            what = subject.ruleset.wall_types[wall.type].name.lower()
            message = f"the {what} from {wall.line[0]} to {wall.line[-1]} closes no border: it lies on none"
            remedy = "draw it through the corners that the two areas share (map.snap(id, 'vertices')), or delete it"
            yield Fault(wall.id, message, remedy, wall.line[0], closing.onto_border(wall))


@check("map.wall_part", "warning", "A line that closes borders closes all of each, and does not run on beyond them")
def _wall_part(subject: MapSubject) -> Iterator[Fault]:
    closing = subject.once(_closing)
    told: set[tuple[str, str]] = set()
    for wall in closing.walls:
        if not closing.on_border(wall):
            continue  # named by another check
        half, stray = closing.half_closed(wall), closing.off_border(wall)
        if half is not None and (half[0].a, half[0].b) not in told:
            side, left = half
            told.add((side.a, side.b))
            message = f"it closes only part of the border between {side.a} and {side.b}: from {left[0]} on it is open"
            remedy = "draw it on to both ends of the border, if all of it is meant"
            yield Fault(wall.id, message, remedy, left[0], closing.onto_border(wall))
        elif stray:
            message = f"from {stray[0][0]} to {stray[0][1]} it lies on no border, and closes nothing there"
            remedy = "draw it through the corners that two areas share"
            yield Fault(wall.id, message, remedy, stray[0][0], closing.onto_border(wall))


CHECKS = (_wall_border, _wall_part)

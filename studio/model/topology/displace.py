"""Corners moved all at the same time in every outline and line; what lies on their edges is carried along."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import msgspec

from studio.model.features import Aperture, Area, Place, Point
from studio.model.topology.draft import Draft, PointIndex
from studio.model.topology.rings import bounds, lies_on

__all__ = ["Piece", "Straight", "along", "carry", "displace", "piece_of"]

Piece: TypeAlias = tuple[Point, Point]
"""An edge between neighbouring corners, whoever has it, its lower end first."""


def displace(draft: Draft, moves: Mapping[Point, Point]) -> None:
    """Move corners, all at the same time, in every strand of a draft; what lies on their edges is carried along.

    Parameters
    ----------
    draft : Draft
    moves : mapping of (x, y) to (x, y)
    """
    moves = {point: to for point, to in moves.items() if point != to}
    if not moves:
        return
    draft.node(moves)
    strands = [
        strand for strand in draft.strands(bounds(tuple(moves))) if any(point in moves for point in strand.points)
    ]
    pieces = {
        piece_of(p, q) for strand in strands if strand.border for p, q in strand.edges() if p in moves or q in moves
    }
    ends = {piece: (moves.get(piece[0], piece[0]), moves.get(piece[1], piece[1])) for piece in pieces}
    carried = carry(draft, {piece: Straight(piece, *to) for piece, to in ends.items()})
    bends = {piece: found for piece, found in carried.items() if not all(lies_on(at, *ends[piece]) for at in found)}
    for strand in strands:
        points: list[Point] = []
        for p, q in strand.edges():
            points.append(moves.get(p, p))
            if strand.border:
                points += along(bends, p, q)
        if not strand.closed:
            points.append(moves.get(strand.points[-1], strand.points[-1]))
        draft.set_points(strand, points)
    for feature in list(draft.all()):
        if not draft.may_change(feature.id):
            continue
        match feature:
            case Aperture() | Place() if feature.at in moves:
                draft.put(msgspec.structs.replace(feature, at=moves[feature.at]))
            case Area() if feature.dot is not None and feature.dot in moves:
                draft.put(msgspec.structs.replace(feature, dot=moves[feature.dot]))


def piece_of(p: Point, q: Point) -> Piece:
    """Return the piece between two neighbouring corners."""
    return (p, q) if p < q else (q, p)


class Straight(msgspec.Struct, frozen=True):
    """Where a piece of a border comes to lie: from a to b, of which the part from low to high is meant for it."""

    piece: Piece
    a: Point
    b: Point
    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)

    def carried(self, point: Point) -> Point:
        """Return the lattice point nearest to where a point of the piece comes to lie."""
        (px, py), (qx, qy) = self.piece
        along = Fraction(point[0] - px, qx - px) if px != qx else Fraction(point[1] - py, qy - py)
        part = self.low + (self.high - self.low) * along
        (ax, ay), (bx, by) = self.a, self.b
        return (ax + round(part * (bx - ax)), ay + round(part * (by - ay)))


def carry(draft: Draft, pieces: Mapping[Piece, Straight]) -> dict[Piece, list[Point]]:
    """Carry the apertures inside pieces of borders along; return where they came to lie, from the lower end on."""
    apertures: dict[Point, list[Aperture]] = {}
    for feature in draft.all():
        if isinstance(feature, Aperture) and draft.may_change(feature.id):
            apertures.setdefault(feature.at, []).append(feature)
    index = PointIndex(apertures)
    carried: dict[Piece, list[Point]] = {}
    for piece in sorted(pieces):
        for at in index.on(*piece):
            to = pieces[piece].carried(at)
            carried.setdefault(piece, []).append(to)
            for aperture in apertures.pop(at, ()):
                draft.put(msgspec.structs.replace(aperture, at=to))
    return carried


def along(bends: Mapping[Piece, list[Point]], p: Point, q: Point) -> list[Point]:
    """Return the corners that the edge from p to q needs, in its order."""
    found = bends.get(piece_of(p, q), [])
    return found if p < q else found[::-1]

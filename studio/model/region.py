"""A piece of a map, free of it: its hexes by their places around one of them, to be turned, mirrored and pasted.

In a region every place is counted from its anchor: hexes by axial steps, points in lattice units. The labels in its
features are those of no map: ``@q,r`` is the hex at these steps (``@q,r road`` the road in it), ``=NAME`` a drawn
place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

import msgspec

from studio.errors import EditError
from studio.grid import Orientation
from studio.model.features import (
    Aperture,
    Area,
    Contour,
    Dot,
    Feature,
    Identifier,
    Name,
    Place,
    Point,
    Road,
    Wall,
    feature_points,
    relabelled,
)

__all__ = ["MAX_TEXT", "Mirror", "Region", "RegionHex", "RegionSide", "read_region", "with_points", "write_region"]

Mirror: TypeAlias = Literal["", "left-right", "top-bottom"]

MAX_TEXT = 8_000_000
"""Most characters of a region as text."""

_REACH = 4000
_FARTHEST = _REACH * 720
_LABEL = re.compile(r"@(-?[0-9]{1,4}),(-?[0-9]{1,4})( road)?")

Axial = Annotated[int, msgspec.Meta(ge=-_REACH, le=_REACH)]


class RegionHex(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A hex of a region: axial steps from the anchor, number of its terrain in the region's list, level."""

    q: Axial
    r: Axial
    terrain: Annotated[int, msgspec.Meta(ge=0, le=255)]
    level: Annotated[int, msgspec.Meta(ge=-20, le=35)]


class RegionSide(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What runs on the side between two hexes, at least one of which is of the region."""

    q: Axial
    r: Axial
    q2: Axial
    r2: Axial
    kinds: tuple[Identifier, ...]


class Region(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece of a map.

    Parameters
    ----------
    ruleset : str
        Id of the game that it was drawn for.
    orientation : {"flat", "pointy"}
    terrains : tuple of str
        Terrain ids.
    hexes : tuple of RegionHex
        The anchor is at (0, 0) and need not be one of them.
    sides : tuple of RegionSide
        Those between its hexes, and those on its rim that have something.
    features : tuple of Feature
        With points from the anchor, and labels as the module says.
    studio : {"region"}
    version : {1}
    """

    studio: Literal["region"] = "region"
    version: Literal[1] = 1
    ruleset: Identifier
    orientation: Orientation
    terrains: tuple[Identifier, ...]
    hexes: tuple[RegionHex, ...]
    sides: tuple[RegionSide, ...] = ()
    features: tuple[Feature, ...] = ()

    def __repr__(self) -> str:
        return f"Region({len(self.hexes)} hexes, {len(self.sides)} sides, {len(self.features)} features)"

    def placed(self, turn: int = 0, mirror: Mirror = "") -> Region:
        """Return the region mirrored, then turned about its anchor.

        Hexes, hexsides and whatever lies on them go exactly where they belong. Of a drawn point whose x and y add up to
        an odd number, an odd number of sixths of a turn gives halves, which are rounded up.

        Parameters
        ----------
        turn : int
            Sixths of a turn, clockwise.
        mirror : {"", "left-right", "top-bottom"}

        Returns
        -------
        Region

        Raises
        ------
        EditError
            When there is no such mirror, or the turn is no whole number.

        Examples
        --------
        >>> line = Region(
        ...     ruleset="armageddon_war", orientation="flat", terrains=("marsh",), hexes=(RegionHex(0, -2, 0, 0),)
        ... )
        >>> line.placed(1).hexes[0].q, line.placed(1).hexes[0].r
        (2, -2)
        """
        move = Motion(self.orientation, turn, mirror)
        return msgspec.structs.replace(
            self,
            hexes=tuple(RegionHex(*move.axial(one.q, one.r), one.terrain, one.level) for one in self.hexes),
            sides=tuple(
                RegionSide(*move.axial(one.q, one.r), *move.axial(one.q2, one.r2), one.kinds) for one in self.sides
            ),
            features=tuple(map(move.feature, self.features)),
        )


# Cosine and sine of the sixths of a turn, doubled; on the lattice the longer axis counts thrice in the sine.
_TURNS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


class Motion:
    """How a region is mirrored and turned about its anchor."""

    def __init__(self, orientation: Orientation, turn: int = 0, mirror: Mirror = "") -> None:
        if not isinstance(turn, int) or isinstance(turn, bool):
            msg = f"turn: got {turn!r}; give whole sixths of a turn, clockwise"
            raise EditError(msg)
        if mirror not in ("", "left-right", "top-bottom"):
            msg = f"mirror: got {mirror!r}; allowed: '', 'left-right', 'top-bottom'"
            raise EditError(msg)
        self.turn, self.mirror, self.flat = turn % 6, mirror, orientation == "flat"

    def axial(self, q: int, r: int) -> tuple[int, int]:
        """Return where a hex comes to lie."""
        # One mirror keeps each straight line of hexes (its number is q with flat tops, r with pointy ones), the other
        # exchanges the lines on both sides of the anchor's.
        if self.mirror:
            across = (self.mirror == "left-right") == self.flat
            if self.flat:
                q, r = (-q, q + r) if across else (q, -q - r)
            else:
                q, r = (q + r, -r) if across else (-q - r, r)
        for _ in range(self.turn):
            q, r = -r, q + r
        return q, r

    def point(self, point: Point) -> Point:
        """Return where a point comes to lie."""
        x, y = point
        x, y = (-x if self.mirror == "left-right" else x), (-y if self.mirror == "top-bottom" else y)
        cosine, sine = _TURNS[self.turn]
        wide, high = (3, 1) if self.flat else (1, 3)
        return (cosine * x - wide * sine * y + 1) >> 1, (high * sine * x + cosine * y + 1) >> 1

    def label(self, text: str) -> str:
        """Return the label in a feature of the region."""
        found = _LABEL.fullmatch(text)
        if found is None:
            return text
        q, r = self.axial(int(found[1]), int(found[2]))
        return f"@{q},{r}{found[3] or ''}"

    def feature(self, feature: Feature) -> Feature:
        """Return a feature where it comes to lie; names stay readable."""
        moved = with_points(relabelled(feature, self.label), self.point)
        match moved:
            case Area() if self.mirror:
                return msgspec.structs.replace(
                    moved, outline=moved.outline[::-1], holes=tuple(hole[::-1] for hole in moved.holes)
                )
            case Name():
                return msgspec.structs.replace(moved, angle=self.angle(moved.angle))
        return moved

    def angle(self, angle: float) -> float:
        """Return how a text stands: level ones stay level, others turn along and never stand on their head."""
        if not angle:
            return angle
        turned = (-angle if self.mirror else angle) - 60 * self.turn
        turned = (turned + 90) % 180 - 90
        return 90.0 if turned == -90 else round(turned, 9)


def with_points(feature: Feature, move: Callable[[Point], Point]) -> Feature:
    """Return a feature with every point of it moved.

    Parameters
    ----------
    feature : Feature
    move : callable
        Gives the new place of a point.
    """
    replace = msgspec.structs.replace

    def all_of(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(map(move, points))

    match feature:
        case Area():
            dot = None if feature.dot is None else move(feature.dot)
            return replace(feature, outline=all_of(feature.outline), holes=tuple(map(all_of, feature.holes)), dot=dot)
        case Wall() | Contour() | Road():
            return replace(feature, line=all_of(feature.line))
        case Place() | Name() | Aperture():
            return replace(feature, at=move(feature.at))
        case Dot():
            return replace(feature, point=move(feature.point))
    return feature


# -- as text -----------------------------------------------------------------------------------------------------------


def write_region(region: Region) -> str:
    """Return a region as text, for a clipboard or a file.

    Raises
    ------
    EditError
        When the text would be too long to be read again.
    """
    # msgspec leaves out nothing here, so that a text tells by its beginning what it is.
    text = msgspec.json.encode(region).decode("utf-8")
    if len(text) > MAX_TEXT:
        msg = f"region: {len(region.hexes):,} hexes are too many for a clipboard; copy it in several parts"
        raise EditError(msg)
    return text


def read_region(text: str) -> Region:
    """Return the region that a text holds.

    Raises
    ------
    EditError
        When the text is none: it names what is wrong and where.
    """
    if not isinstance(text, str) or not text.strip():
        msg = "region: got no text; copy a region of a map first"
        raise EditError(msg)
    if len(text) > MAX_TEXT:
        msg = f"region: got {len(text):,} characters, allowed are {MAX_TEXT:,}; copy a smaller region"
        raise EditError(msg)
    try:
        region = msgspec.json.decode(text.encode("utf-8"), type=Region, strict=True)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        msg = f"region: the text is no region of a map ({error}); copy one with Ctrl+C in the region tool"
        raise EditError(msg) from error
    _check(region)
    return region


def _check(region: Region) -> None:
    """Refuse what no map could have given."""
    places = {(one.q, one.r) for one in region.hexes}
    faults = []
    if not region.hexes:
        faults.append("it has no hexes")
    if len(places) != len(region.hexes):
        faults.append("a hex is listed twice")
    if any(one.terrain >= len(region.terrains) for one in region.hexes):
        faults.append(f"a hex has a terrain beyond the {len(region.terrains)} that are listed")
    for one in region.sides:
        dq, dr = one.q2 - one.q, one.r2 - one.r
        if max(abs(dq), abs(dr), abs(dq + dr)) != 1 or not {(one.q, one.r), (one.q2, one.r2)} & places:
            faults.append(f"the side of ({one.q}, {one.r}) and ({one.q2}, {one.r2}) is none of its hexes'")
            break
    if len({feature.id for feature in region.features}) != len(region.features):
        faults.append("two features have one id")
    for feature in region.features:
        far = [point for _, point in feature_points(feature) if max(map(abs, point)) > _FARTHEST]
        strange: list[str] = []
        relabelled(feature, lambda text, bad=strange: _plain(text, bad))  # type: ignore[misc]
        if far or strange:
            what = f"the point {far[0]}" if far else f"the label {strange[0]!r}"
            faults.append(f"{feature.id} has {what}, which no region has")
            break
    if faults:
        msg = f"region: {'; '.join(faults)}; copy it from its map again"
        raise EditError(msg)


def _plain(text: str, bad: list[str]) -> str:
    if not text.startswith("=") and _LABEL.fullmatch(text) is None:
        bad.append(text[:40])
    return text

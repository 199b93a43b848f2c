"""Laying one map at an edge of another: where its hexes go so that the two edges fit, and the grid that holds both.

Positions are counted across the straight lines of hexes (``u``: columns of flat-top hexes, rows of pointy ones) and
along them in halves of a hex (``h``), in the axial frame of the first grid. A half turn is a change of both signs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.grid.hexgrid import MAX_SIZE, HexGrid, Stagger
from studio.grid.parts import WHOLE, Part, plain_quarters, turned_quarters

__all__ = ["Placing", "joint_grid", "place"]

_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


class Placing(NamedTuple):
    """Where a grid lies in the axial frame of another: its own (x, y) is (q + x, r + y), or (q - x, r - y) turned."""

    q: int = 0
    r: int = 0
    turned: bool = False


class _Hexes:
    """The hexes of a grid, turned or not: lines, halves along them, and what is left of each."""

    def __init__(self, grid: HexGrid, *, turned: bool = False) -> None:
        self.grid = grid
        quarters = plain_quarters(grid) if grid.joint is None else grid.joint.quarters
        cells = np.flatnonzero(quarters)
        axials = grid.axials[cells].astype(np.int64) * (-1 if turned else 1)
        self.quarters = turned_quarters(quarters[cells]) if turned else quarters[cells]
        self.u, along = (axials[:, 0], axials[:, 1]) if grid.flat else (axials[:, 1], axials[:, 0])
        self.h = 2 * along + self.u
        # The bits of the quarters before and after the middle, across the lines and along them.
        left, top = 1 | 4, 1 | 2
        self.before, self.above = (left, top) if grid.flat else (top, left)
        self.after, self.below = WHOLE - self.before, WHOLE - self.above

    @property
    def start(self) -> int:
        """Where the map begins along its lines, in halves."""
        return int((self.h - ((self.quarters & self.above) > 0)).min())

    @property
    def end(self) -> int:
        """Where the map ends along its lines, in halves."""
        return int((self.h + ((self.quarters & self.below) > 0)).max())

    def outer(self, line: int, bits: int) -> bool | None:
        """Tell whether the hexes of a line are cut on one side: all of them True, none False, some None."""
        cut = (self.quarters[self.u == line] & bits) == 0
        return True if cut.all() else None if cut.any() else False

    def ends(self, *, last: bool) -> dict[int, tuple[int, bool]]:
        """Return for each line the place of its first or last hex, and whether it is cut there."""
        found: dict[int, tuple[int, bool]] = {}
        order = np.argsort(self.h if last else -self.h, kind="stable")  # the outermost comes last and stays
        bits = self.below if last else self.above
        for u, h, quarters in zip(
            self.u[order].tolist(), self.h[order].tolist(), self.quarters[order].tolist(), strict=True
        ):
            found[u] = (h, not quarters & bits)
        return found


def place(first: HexGrid, second: HexGrid, edge: str, *, turned: bool, shift: Fraction, gap: int = 1) -> Placing:
    """Find where a second map lies at an edge of a first one.

    Parameters
    ----------
    first, second : HexGrid
    edge : {"right", "left", "top", "bottom", "apart"}
        Edge of the first map; apart is to the right with columns of no hexes between.
    turned : bool
        The second map is turned by half a turn.
    shift : Fraction
        How far the second map is moved along the edge, in hexes to the right or down; halves where the edge runs
        along the straight lines of hexes.
    gap : int
        How many columns of no hexes are between maps that lie apart, 1 or more.

    Returns
    -------
    Placing

    Raises
    ------
    GridError
        When the two edges do not fit; the message says what would.
    """
    if (first.orientation, first.width, first.hex_height) != (second.orientation, second.width, second.hex_height):
        msg = (
            f"the hexes differ: {first.orientation} {first.width:g} x {first.hex_height:g} and {second.orientation} "
            f"{second.width:g} x {second.hex_height:g}; draw both maps on hexes alike"
        )
        raise GridError(msg)
    try:
        return _place(first, second, edge, turned, shift, gap)
    except _MisfitError as error:
        ways = [(f"turned={not turned}", not turned, shift)]
        ways += [(f"shift={float(shift + Fraction(n, 2)):g}", turned, shift + Fraction(n, 2)) for n in (1, -1, 2)]
        others = [f"{words} fits" for words, turn, by in ways if _fits(first, second, edge, turn, by, gap)]
        remedy = "; ".join(others) or "give both edges half hexes, or neither, and stagger them alike"
        msg = f"the {edge} edge of the first map and the {_OPPOSITE[edge]} edge of the second do not fit: {error}"
        raise GridError(f"{msg}. Remedy: {remedy}") from None


class _MisfitError(Exception):
    pass


def _fits(first: HexGrid, second: HexGrid, edge: str, turned: bool, shift: Fraction, gap: int) -> bool:
    try:
        placing = _place(first, second, edge, turned, shift, gap)
        joint_grid(first, second, placing)
    except (_MisfitError, GridError):
        return False
    return True


def _place(first: HexGrid, second: HexGrid, edge: str, turned: bool, shift: Fraction, gap: int) -> Placing:
    one, two = _Hexes(first), _Hexes(second, turned=turned)
    along_lines = edge in (("left", "right") if first.flat else ("top", "bottom"))
    if edge == "apart":
        du, dh = _apart(one, two, shift, gap)
    elif edge in ("left", "top"):
        du, dh = (_beside if along_lines else _behind)(two, one, -shift)
        du, dh = -du, -dh
    else:
        du, dh = (_beside if along_lines else _behind)(one, two, shift)
    along = (dh - du) // 2
    return Placing(du, along, turned) if first.flat else Placing(along, du, turned)


def _beside(one: _Hexes, two: _Hexes, shift: Fraction) -> tuple[int, int]:
    """Lay the first line of the second map behind the last one of the first: over it where both are halves."""
    last, first = int(one.u.max()), int(two.u.min())
    cut, other = one.outer(last, one.after), two.outer(first, two.before)
    if cut is None or other is None:
        raise _MisfitError("an edge has whole and half hexes")
    if cut != other:
        raise _MisfitError(f"one has {_WHAT[cut]}, the other {_WHAT[other]}")
    halves = shift * 2
    if halves.denominator != 1:
        raise GridError(f"shift: got {float(shift)}, allowed are whole and half hexes along this edge")
    du = last - first + (not cut)
    dh = one.start - two.start + int(halves)
    if (dh - du) % 2:
        raise _MisfitError("the hexes are staggered the other way, so that they would lie half a hex off")
    ends, starts = one.h[one.u == last], two.h[two.u == first] + dh
    meet = [starts] if cut else [starts - 1, starts + 1]
    if not np.isin(ends, np.concatenate(meet)).any():
        raise GridError(_APART.format(shift=float(shift)))
    return du, dh


_APART = "shift: got {shift:g}, which leaves the two maps without a common edge; shift it less"
_WHAT = {True: "half hexes", False: "whole hexes"}


def _behind(one: _Hexes, two: _Hexes, shift: Fraction) -> tuple[int, int]:
    """Lay the lines of the second map on from the ends of those of the first."""
    if shift.denominator != 1:
        raise GridError(f"shift: got {float(shift)}, allowed are whole hexes along this edge")
    du = int(one.u.min()) - int(two.u.min()) + int(shift)
    ends, starts = one.ends(last=True), two.ends(last=False)
    common = [u for u in ends if u - du in starts]
    if not common:
        raise GridError(_APART.format(shift=float(shift)))
    needs = {u: ends[u][0] - starts[u - du][0] + (0 if ends[u][1] and starts[u - du][1] else 2) for u in common}
    dh = max(needs.values())
    # Further in than a hex and a half is a corner between maps that were joined before, not this edge.
    near = [u for u in common if dh - needs[u] <= 3]
    mixed = [u for u in near if ends[u][1] != starts[u - du][1]]
    if mixed:
        cut = ends[mixed[0]][1]
        raise _MisfitError(f"one has {_WHAT[cut]} where the other has {_WHAT[not cut]}")
    if any(needs[u] != dh for u in near):
        raise _MisfitError("the hexes are staggered so that holes would be left between them")
    return du, dh


def _apart(one: _Hexes, two: _Hexes, shift: Fraction, gap: int) -> tuple[int, int]:
    """Lay the second map to the right with a gap: by lines where they are columns, else along them."""
    if gap < 1:
        raise GridError(f"gap: got {gap}, allowed 1 and more columns between maps that lie apart")
    if one.grid.flat:
        du = int(one.u.max()) - int(two.u.min()) + 1 + gap
        dh = one.start - two.start + round(2 * shift)
        # A further column of no hexes turns the stagger round.
        return (du, dh) if (dh - du) % 2 == 0 else (du + 1, dh)
    du = int(one.u.min()) - int(two.u.min()) + round(shift)
    dh = one.end - two.start + 2 * gap
    return du, dh + (dh - du) % 2


# -- the grid of both ------------------------------------------------------------------------------------------------


def joint_grid(first: HexGrid, second: HexGrid | None, placing: Placing) -> tuple[HexGrid, Placing, Placing]:
    """Return the grid that holds two maps, or one that is turned.

    Parameters
    ----------
    first, second : HexGrid
    placing : Placing
        Where the second lies in the axial frame of the first; where there is no second, how the first one is turned.

    Returns
    -------
    grid : HexGrid
        As small as can be, with the parts of the first map before those of the second.
    first, second : Placing
        Where each of the two lies in it.

    Raises
    ------
    GridError
        When the maps overlap, or the grid would be too large.
    """
    laid = [(first, Placing())] if second is not None else [(first, placing)]
    if second is not None:
        laid.append((second, placing))
    axials = np.concatenate([_present(grid, where) for grid, where in laid])
    u, along = (axials[:, 0], axials[:, 1]) if first.flat else (axials[:, 1], axials[:, 0])
    line0 = int(u.min())
    line = u - line0
    # The first line of the joint grid may stand high or low, whichever wastes no position; else as on the first map.
    like_first = (first.stagger == "even") ^ bool(line0 & 1)
    spans = {}
    for even in (like_first, not like_first):
        position = along + ((line + even) >> 1)
        spans[even] = (int(position.min()), int(position.max()))
    even = min(spans, key=lambda key: (spans[key][1] - spans[key][0], key != like_first))
    along0, last = spans[even]
    size = (int(line.max()) + 1, last - along0 + 1)
    return _assemble(first, laid, (line0, along0), size, even)


def _present(grid: HexGrid, where: Placing) -> NDArray[np.int64]:
    sign = -1 if where.turned else 1
    return grid.axials[grid.present.ravel()].astype(np.int64) * sign + (where.q, where.r)


def _assemble(
    first: HexGrid, laid: list[tuple[HexGrid, Placing]], origin: tuple[int, int], size: tuple[int, int], even: bool
) -> tuple[HexGrid, Placing, Placing]:
    columns, rows = size if first.flat else size[::-1]
    if max(columns, rows) > MAX_SIZE:
        msg = f"the joint map would have {columns} x {rows} hexes, allowed {MAX_SIZE} each; join smaller maps"
        raise GridError(msg)
    q0, r0 = origin if first.flat else origin[::-1]
    moved = [Placing(where.q - q0, where.r - r0, where.turned) for _, where in laid]
    parts = [part for (grid, _), where in zip(laid, moved, strict=True) for part in _parts(grid, where)]
    stagger: Stagger = "even" if even else "odd"
    grid = msgspec.structs.replace(
        first, columns=columns, rows=rows, stagger=stagger, short=False, half=(), parts=tuple(parts)
    )
    return grid, moved[0], moved[-1]


def _parts(grid: HexGrid, where: Placing) -> list[Part]:
    """Return the parts of a map, or the one that a plain map is, laid in another grid."""
    own = grid.parts or (
        Part(
            columns=grid.columns,
            rows=grid.rows,
            stagger=grid.stagger,
            short=grid.short,
            half=grid.half,
        ),
    )
    sign = -1 if where.turned else 1
    return [
        msgspec.structs.replace(
            part, q=where.q + sign * part.q, r=where.r + sign * part.r, turned=part.turned != where.turned
        )
        for part in own
    ]

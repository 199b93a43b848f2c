"""Where a terrain's marks stand in a hex: whole numbers only, the same in Python and in the editor's JavaScript.

`marks` is a pure function of the style, the terrain, the cell and what lies around it. It is written twice, here and in
``studio/editor/web/src/marks.js``; a test compares the two lists number by number, so every division rounds down and no
float takes part. A renderer in each language then draws the list.

Coordinates are thousandths of a hex's height from its centre, x to the right and y down, in a regular hex with a flat
top (±577 wide, ±500 high). Renderers stretch them to the grid's own hex and swap x and y for a pointy top. Sides and
neighbours count clockwise from the top: N, NE, SE, S, SW, NW. Corner ``i`` lies between side ``i`` and the next.

A hex takes one of `studio.draw.hexunit.VARIANTS` patterns by a hash of its column and row, so a renderer need not keep
a picture per hex.
"""

import functools
import math
from collections.abc import Sequence

from studio.draw.channels import channel
from studio.draw.hexunit import AXES, CORNERS, MIDS, NORMALS, VARIANTS, Key, Mark, Point, cosine, hash3, sine
from studio.draw.parts import Channel, Fields, Patch, Recipe, Rows, Scatter
from studio.draw.style import Style

__all__ = ["lattice", "mark_key", "marks", "place"]


def mark_key(
    style: Style, terrain: str, col: int, row: int, neighbours: Sequence[str | None], roads: int = 0, ends: int = 0
) -> Key:
    """Return what the marks of a hex depend on; equal keys give equal marks.

    Parameters
    ----------
    style : Style
        The game's look.
    terrain : str
        The hex's terrain id.
    col, row : int
        The cell, counted from 0.
    neighbours : sequence of six
        Terrain ids clockwise from the top, None where the map ends.
    roads, ends : int
        Bit ``i`` is set where a road, or the open end of a wadi, crosses side ``i``.
    """
    look = style.look(terrain)
    same = off = 0
    for i, other in enumerate(neighbours):
        if other is None:
            off |= 1 << i
        elif other == terrain or other in look.joins:
            same |= 1 << i
    # Leave out what changes nothing, so that many hexes share one pattern.
    kinds = look.marks
    if look.patch is None and all(isinstance(m, Scatter) and m.alone for m in kinds):
        same = off = 0
    if not any(isinstance(m, Rows) or (isinstance(m, Scatter) and m.clear_road) for m in kinds):
        roads = 0
    if not any(isinstance(m, Channel) for m in kinds):
        ends = 0
    return Key(hash3(col, row, 0) % VARIANTS, same, off, roads, ends)


def marks(
    style: Style, terrain: str, col: int, row: int, neighbours: Sequence[str | None], roads: int = 0, ends: int = 0
) -> list[Mark]:
    """Return the marks of a hex, in drawing order; see `mark_key` for the parameters and `place` for the marks."""
    return place(style, terrain, mark_key(style, terrain, col, row, neighbours, roads, ends))


def place(style: Style, terrain: str, key: Key) -> list[Mark]:
    """Return the marks for a key.

    Returns
    -------
    list
        Each ``[recipe, kind, ...]`` with the recipe's index, or -1 for the ground patch:
        ``[-1, "patch", [x, y, on, ...]]`` (``on`` 0 marks a quadratic control point),
        ``[r, glyph, x, y, size, degrees, colour index]``, ``[r, "field", colour index, [x, y, ...]]``,
        ``[r, "crop", colour index, [x0, y0, x1, y1]]``, ``[r, "bed", [x, y, ...]]``, ``[r, "pool", x, y]``,
        ``[r, "wedge", [x, y, ...]]``, ``[r, "hachure", [x0, y0, x1, y1]]``.
    """
    look = style.look(terrain)
    salt = sum(map(ord, terrain)) * 8
    join = key.same | key.off
    out: list[Mark] = []
    if look.patch is not None:
        outline = _patch(look.patch, key.variant, salt, join)
        out.append([-1, "patch", [n for point in outline for n in point]])
    for index, recipe in enumerate(look.marks):
        out += _recipe(recipe, index, key, salt + index + 1, look.patch)
    return out


def _recipe(recipe: Recipe, index: int, key: Key, salt: int, patch: Patch | None) -> list[Mark]:
    if isinstance(recipe, Scatter):
        return _scatter(recipe, index, key, salt)
    if isinstance(recipe, Rows):
        return _rows(recipe, index, key, salt)
    if isinstance(recipe, Fields):
        return _fields(recipe, index, key, salt, patch or Patch(inset=0, wobble=0))
    return channel(recipe, index, key, salt)


@functools.lru_cache(maxsize=64)
def lattice(count: int) -> tuple[Point, ...]:
    """Return `count` evenly spread places of a hex, whose pattern goes on unbroken in the neighbouring hexes.

    They are a triangular lattice turned against the hexes' own, so that no place falls on a hexside.

    Raises
    ------
    ValueError
        When no such lattice has `count` places to a hex.
    """
    turns = [(a, b) for a in range(1, 12) for b in range(1, a) if a * a + a * b + b * b == count]
    if count == 1:
        return ((0, 0),)
    if not turns:
        raise ValueError(f"{count} places cannot be spread evenly; use 1, 7, 13, 19, 31, 37, 43, 61 or 91")
    a, b = turns[0]
    reach = 2 * (a + b)
    found = []
    for j in range(-reach, reach + 1):
        for i in range(-reach, reach + 1):
            p, q = i * (a + b) + j * b, -i * b + j * a
            if max(abs(2 * p + q), abs(p + 2 * q), abs(p - q)) < count:
                found.append((q * 866 // count, (-1000 * p - 500 * q) // count))
    if len(found) != count:
        raise ValueError(f"{count} places cannot be spread evenly; use 1, 7, 13, 19, 31, 37, 43, 61 or 91")
    return tuple(sorted(found, key=lambda xy: (xy[1], xy[0])))


def _to_side(x: int, y: int, side: int) -> int:
    """Return the distance to a side, positive inside the hex."""
    nx, ny = NORMALS[side]
    return 500 - (x * nx + y * ny) // 1000


def _nearest(x: int, y: int, sides: int) -> int:
    """Return the distance to the nearest of some sides, 1000 when there are none."""
    if not sides:
        return 1000
    return min(_to_side(x, y, i) for i in range(6) if sides >> i & 1)


def _on_road(x: int, y: int, roads: int, clear: int) -> bool:
    """Tell whether a place is nearer than `clear` to a road from the centre to one of the sides."""
    for i in range(6):
        if roads >> i & 1:
            mx, my = MIDS[i]
            along = x * mx + y * my
            if along <= 0:
                square = x * x + y * y
            elif along >= 250000:
                square = (x - mx) * (x - mx) + (y - my) * (y - my)
            else:
                across = abs(x * my - y * mx) // 500
                square = across * across
            if square < clear * clear:
                return True
    return False


def _patch(patch: Patch, variant: int, salt: int, join: int) -> list[tuple[int, int, int]]:
    """Return the outline of the ground patch: up to a joining side and a little over it, back from the others."""
    out = []
    inset = patch.inset
    for i in range(6):
        x, y = CORNERS[i]
        here, after = join >> i & 1, join >> (i + 1) % 6 & 1
        nx, ny = CORNERS[(i + 1) % 6]
        if here and after:
            out.append((x * 1010 // 1000, y * 1010 // 1000, 1))
        elif here or after:
            ox, oy = CORNERS[(i + 5) % 6] if here else (nx, ny)
            px, py = x + (ox - x) * inset // 500, y + (oy - y) * inset // 500
            out.append((px * 1010 // 1000, py * 1010 // 1000, 1))
        else:
            out.append((x * (500 - inset) // 500, y * (500 - inset) // 500, 0))
        if not after:
            for part in (1, 2):
                swing = hash3(variant, salt, 2 * i + part) % (2 * patch.wobble + 1) - patch.wobble
                px, py = (x * (3 - part) + nx * part) // 3, (y * (3 - part) + ny * part) // 3
                out.append((px * (500 - inset + swing) // 500, py * (500 - inset + swing) // 500, 0))
    return out


def _scatter(recipe: Scatter, index: int, key: Key, salt: int) -> list[Mark]:
    out: list[Mark] = []
    edges = 63 if recipe.alone else 63 & ~(key.same | key.off)
    low, high = recipe.size
    for k, (sx, sy) in enumerate(lattice(recipe.slots)):
        h = hash3(key.variant, salt, 3 * k)
        span = 2 * recipe.jitter + 1
        x, y = sx + h % span - recipe.jitter, sy + (h >> 12) % span - recipe.jitter
        h = hash3(key.variant, salt, 3 * k + 1)
        size, keep = low + h % (high - low + 1), recipe.keep
        near = _nearest(x, y, edges)
        # Where the map ends nothing sticks out of it.
        if near < recipe.edge or _nearest(x, y, key.off) < size // 2:
            continue
        if near < recipe.thin:
            share = (near - recipe.edge) * 1000 // (recipe.thin - recipe.edge)
            keep = keep * (400 + share * 600 // 1000) // 1000
            size = size * (650 + share * 350 // 1000) // 1000
        if (h >> 12) % 1000 >= keep:
            continue
        if recipe.clear_road and _on_road(x, y, key.roads, recipe.clear_road + size // 4):
            continue
        h = hash3(key.variant, salt, 3 * k + 2)
        glyph = recipe.glyphs[h % len(recipe.glyphs)]
        turn = recipe.turn[0] + (h >> 8) % (recipe.turn[1] - recipe.turn[0] + 1)
        out.append([index, glyph, x, y, size, turn, (h >> 20) % len(recipe.colors)])
    return out


def _rows(recipe: Rows, index: int, key: Key, salt: int) -> list[Mark]:
    angle = recipe.angle + hash3(key.variant, salt, 0) % (2 * recipe.swing + 1) - recipe.swing
    if key.roads:
        angle = next(AXES[i] for i in range(6) if key.roads >> i & 1)
    c, s = cosine(angle), sine(angle)
    wide, high = recipe.pitch
    reach_u, reach_v = 640 // wide + 1, 640 // high + 1
    out: list[Mark] = []
    for j in range(-reach_v, reach_v + 1):
        for i in range(-reach_u, reach_u + 1):
            v = j * high
            if key.roads:
                # The first row stands at the road's kerb on either side; there is no row on the road itself.
                if j == 0:
                    continue
                v = (1 if j > 0 else -1) * (recipe.clear_road + recipe.size[1] // 8) + (j - (1 if j > 0 else -1)) * high
            k = ((j + 16) * 64 + i + 16) * 2 + 1
            out += _stand(recipe, index, key, salt, k, (i * wide + (j & 1) * (wide // 3), v), (angle, c, s))
    return out


def _stand(
    recipe: Rows, index: int, key: Key, salt: int, k: int, place: Point, axis: tuple[int, int, int]
) -> list[Mark]:
    """Return the glyph that stands at a place of the rows, or nothing."""
    angle, c, s = axis
    h = hash3(key.variant, salt, k)
    span = 2 * recipe.jitter + 1
    u, v = place[0] + h % span - recipe.jitter, place[1] + (h >> 10) % span - recipe.jitter
    x, y = (u * c - v * s) // 1000, (u * s + v * c) // 1000
    join = key.same | key.off
    if (h >> 20) % 1000 >= recipe.keep or _nearest(x, y, 63 & ~join) < recipe.edge:
        return []
    if _nearest(x, y, key.same) < recipe.seam or _nearest(x, y, key.off) < recipe.seam:
        return []
    if _on_road(x, y, key.roads, recipe.clear_road):
        return []
    h = hash3(key.variant, salt, k + 1)
    low, high = recipe.size
    size = low + h % (high - low + 1)
    turn = angle + (90 * ((h >> 8) % 4) if recipe.quarter else 0)
    glyph = recipe.glyphs[(h >> 12) % len(recipe.glyphs)]
    return [[index, glyph, x, y, size, turn, (h >> 20) % len(recipe.colors)]]


def _fields(recipe: Fields, index: int, key: Key, salt: int, patch: Patch) -> list[Mark]:
    """Part the hex into two or three fields between its corners and draw the rows of each."""
    outline = _patch(patch, key.variant, salt - index - 1, key.same | key.off)
    h = hash3(key.variant, salt, 0)
    cut, odd = h % 4, (h >> 4) % 2
    # Three ways to halve a hex between opposite corners, one (in two turns) to part it in three rhombs.
    spokes = (cut, cut + 3) if cut < 3 else (odd, odd + 2, odd + 4)
    starts = _corner_starts(key.same | key.off)
    centre = ((h >> 8) % 161 - 80, (h >> 16) % 161 - 80)
    out: list[Mark] = []
    for n, spoke in enumerate(spokes):
        first, last = starts[spoke], starts[spokes[(n + 1) % len(spokes)]]
        if last <= first:
            last += len(outline)
        ring = [outline[i % len(outline)][:2] for i in range(first, last + 1)]
        h = hash3(key.variant, salt, n + 1)
        colour = h % len(recipe.colors)
        ring.append(centre)
        out.append([index, "field", colour, [z for xy in ring for z in xy]])
        side = CORNERS[(spoke + (h >> 8) % 2) % 6], CORNERS[(spoke + (h >> 8) % 2 + 1) % 6]
        along = (side[1][0] - side[0][0], side[1][1] - side[0][1])
        out += [[index, "crop", colour, line] for line in _furrows(ring, along, recipe.row_pitch)]
    return out


def _corner_starts(join: int) -> list[int]:
    """Return where the points of each corner begin in the outline of `_patch`."""
    starts, n = [], 0
    for i in range(6):
        starts.append(n)
        n += 1 if join >> (i + 1) % 6 & 1 else 3
    return starts


def _furrows(ring: list[Point], along: Point, pitch: int) -> list[list[int]]:
    """Return the lines parallel to `along`, `pitch` apart, cut to a polygon and a little short of its edge."""
    length = math.isqrt(along[0] * along[0] + along[1] * along[1])
    nx, ny = -along[1] * 1000 // length, along[0] * 1000 // length
    offsets = [(x * nx + y * ny) // 1000 for x, y in ring]
    out = []
    for at in range(min(offsets) + pitch // 2, max(offsets), pitch):
        cuts = []
        for i, (x, y) in enumerate(ring):
            j = (i + 1) % len(ring)
            a, b = offsets[i] - at, offsets[j] - at
            if (a < 0) != (b < 0):
                t = a * 1000 // (a - b)
                cuts.append((x + (ring[j][0] - x) * t // 1000, y + (ring[j][1] - y) * t // 1000))
        cuts.sort(key=lambda xy: xy[0] * along[0] + xy[1] * along[1])
        for (x0, y0), (x1, y1) in zip(cuts[::2], cuts[1::2], strict=False):
            run = math.isqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0))
            if run > 110:
                dx, dy = (x1 - x0) * 28 // run, (y1 - y0) * 28 // run
                out.append([x0 + dx, y0 + dy, x1 - dx, y1 - dy])
    return out

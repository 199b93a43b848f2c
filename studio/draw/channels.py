"""Beds of rivers and wadis through a hex, in whole numbers; the twin of the same functions in ``marks.js``."""

import itertools
import math

from studio.draw.hexunit import CORNERS, MIDS, Key, Mark, Point, cosine, hash3, sine
from studio.draw.parts import Channel

__all__ = ["channel"]


def channel(recipe: Channel, index: int, key: Key, salt: int) -> list[Mark]:
    """Return the bed of a river or wadi through the hex, from side to side or to its spring."""
    sides = _openings(key)
    h = hash3(key.variant, salt, 0)
    span = 2 * recipe.bend + 1
    cx, cy = h % span - recipe.bend, (h >> 12) % span - recipe.bend
    out: list[Mark] = []
    beds: list[list[Point]] = []
    if len(sides) < 2:
        cx, cy = cx // 2, cy // 2
        out.append([index, "pool", cx, cy])
    if len(sides) == 1:
        mx, my = MIDS[sides[0]]
        beds.append(_curve((mx, my), (mx // 2, my // 2), (cx + mx // 4, cy + my // 4), (cx, cy)))
    if len(sides) > 1:
        a, b = _main(sides)
        (ax, ay), (bx, by) = MIDS[a], MIDS[b]
        cx, cy = cx + (ax + bx) // 4, cy + (ay + by) // 4
        tx, ty = (ax - bx) * 18 // 100, (ay - by) * 18 // 100
        first = _curve((ax, ay), (ax // 2, ay // 2), (cx + tx, cy + ty), (cx, cy))
        beds.append(first[:-1] + _curve((cx, cy), (cx - tx, cy - ty), (bx // 2, by // 2), (bx, by)))
        for i in sides:
            if i not in (a, b):
                mx, my = MIDS[i]
                beds.append(_curve((mx, my), (mx // 2, my // 2), (cx + mx // 8, cy + my // 8), (cx, cy)))
    out += [[index, "bed", [z for xy in bed for z in xy]] for bed in beds]
    for i in range(6):
        if key.same >> i & 1 and key.same >> (i + 1) % 6 & 1:
            corners = (MIDS[i], CORNERS[i], MIDS[(i + 1) % 6], (cx, cy))
            out.append([index, "wedge", [z for xy in corners for z in xy]])
    if recipe.hachure:
        out += [[index, "hachure", line] for line in _hachures(recipe, beds, key, salt)]
        if len(sides) < 2:
            out += [[index, "hachure", line] for line in _round(recipe, (cx, cy), sides)]
    return out


def _openings(key: Key) -> list[int]:
    """Return the sides a channel runs through; one that reaches the map's edge runs on to it."""
    bits = key.same | key.ends
    sides = [i for i in range(6) if bits >> i & 1]
    if len(sides) == 1:
        ahead = [(sides[0] + turn) % 6 for turn in (3, 2, 4)]
        sides += [i for i in ahead if key.off >> i & 1][:1]
    return sides


def _main(sides: list[int]) -> Point:
    """Return the two sides that lie most nearly opposite each other."""
    best, pair = 0, (sides[0], sides[1])
    for n, a in enumerate(sides):
        for b in sides[n + 1 :]:
            turn = min(b - a, 6 - b + a)
            if turn > best:
                best, pair = turn, (a, b)
    return pair


def _curve(p: Point, q: Point, r: Point, s: Point) -> list[Point]:
    """Return nine points of a cubic curve."""
    out = []
    for i in range(9):
        j = 8 - i
        w = (j * j * j, 3 * i * j * j, 3 * i * i * j, i * i * i)
        x = (p[0] * w[0] + q[0] * w[1] + r[0] * w[2] + s[0] * w[3]) // 512
        y = (p[1] * w[0] + q[1] * w[1] + r[1] * w[2] + s[1] * w[3]) // 512
        out.append((x, y))
    return out


def _hachures(recipe: Channel, beds: list[list[Point]], key: Key, salt: int) -> list[list[int]]:
    """Return short strokes from both banks of every bed down towards its middle."""
    out = []
    half, count = recipe.hachure_from, 0
    for n, bed in enumerate(beds):
        others = [point for m, other in enumerate(beds) if m != n for point in other]
        walked = recipe.hachure_pitch // 2
        for (x0, y0), (x1, y1) in itertools.pairwise(bed):
            dx, dy = x1 - x0, y1 - y0
            length = math.isqrt(dx * dx + dy * dy)
            while length and walked <= length:
                x, y = x0 + dx * walked // length, y0 + dy * walked // length
                for sign in (-1, 1):
                    count += 1
                    deep = recipe.hachure * (450 + hash3(key.variant, salt, 100 + count) % 800) // 1000
                    nx, ny = -dy * sign, dx * sign
                    bx, by = x + nx * half // length, y + ny * half // length
                    if all((bx - ox) * (bx - ox) + (by - oy) * (by - oy) >= half * half for ox, oy in others):
                        out.append([bx, by, x + nx * (half - deep) // length, y + ny * (half - deep) // length])
                walked += recipe.hachure_pitch
            walked -= length
    return out


def _round(recipe: Channel, centre: Point, sides: list[int]) -> list[list[int]]:
    """Return the strokes around the closed end of a bed."""
    out = []
    near, far = recipe.hachure_from, recipe.hachure_from - recipe.hachure
    for degrees in range(0, 360, 24):
        c, s = cosine(degrees), sine(degrees)
        if not sides or c * MIDS[sides[0]][0] + s * MIDS[sides[0]][1] < 0:
            x, y = centre
            out.append([x + c * near // 1000, y + s * near // 1000, x + c * far // 1000, y + s * far // 1000])
    return out

"""What sight is measured against: the usual loop, shapely, fields of view on squares, and what memory does at best."""

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid

__all__ = ["bandwidth", "cube_lerp", "loop_seconds", "shapely_seconds", "tcod_seconds"]

Pairs = Iterable[tuple[int, int]]


def cube_lerp(grid: HexGrid, blocking: list[bool], a: int, b: int) -> bool:
    """Judge a line as most programs do: interpolate cube coordinates, round, look at the terrain. Often wrong."""
    (qa, ra), (qb, rb) = grid.axial(a), grid.axial(b)
    steps = grid.distance(a, b)
    for step in range(1, steps):
        t = step / steps
        q, r = qa + (qb - qa) * t, ra + (rb - ra) * t
        s = -q - r
        rq, rr, rs = round(q), round(r), round(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        if dq > dr and dq > ds:
            rq = -rr - rs
        elif dr > ds:
            rr = -rq - rs
        cell = grid.from_axial(rq, rr)
        if cell is not None and blocking[cell]:
            return False
    return True


def loop_seconds(grid: HexGrid, blocking: NDArray[np.bool_], pairs: list[tuple[int, int]]) -> float:
    """Return the seconds of processor time a pair that the loop takes."""
    masked = blocking.tolist()
    start = time.process_time()
    for a, b in pairs:
        cube_lerp(grid, masked, a, b)
    return (time.process_time() - start) / len(pairs)


def shapely_seconds(grid: HexGrid, blocking: NDArray[np.bool_], pairs: list[tuple[int, int]]) -> float:
    """Return the seconds a pair that a LineString and an STRtree of the blocking hexes take, in the lattice frame."""
    import shapely

    cells = np.flatnonzero(blocking)
    hexes = shapely.polygons([grid.corners(cell) for cell in cells.tolist()]) if len(cells) else np.array([])
    tree = shapely.STRtree(hexes)
    start = time.perf_counter()
    for a, b in pairs:
        line = shapely.LineString([grid.centre(a), grid.centre(b)])
        for index in tree.query(line):
            if cells[index] not in (a, b) and shapely.relate_pattern(line, hexes[index], "1********"):
                break
    return (time.perf_counter() - start) / len(pairs)


def tcod_seconds(grid: HexGrid, blocking: NDArray[np.bool_], sources: list[int]) -> float | None:
    """Return the seconds of one field of view of tcod on as many squares, None where tcod is not installed.

    It answers another question: squares, and a shadow cast that is symmetric but not the exact line.
    """
    try:
        import tcod.constants
        import tcod.map
    except ImportError:
        return None
    clear = ~blocking.reshape(grid.rows, grid.columns)
    start = time.perf_counter()
    for cell in sources:
        tcod.map.compute_fov(clear, divmod(cell, grid.columns), algorithm=tcod.constants.FOV_SYMMETRIC_SHADOWCAST)
    return (time.perf_counter() - start) / len(sources)


def bandwidth(size: int, *, work: str = "fill") -> float:
    """Return the bytes a second that numpy fills, or or-s into others (`work` = "or"), in blocks of a size."""
    block: Any = np.zeros(size, dtype=np.uint8)
    other = np.ones(size, dtype=np.uint8)
    times = max(1, 200_000_000 // size)
    start = time.perf_counter()
    for _ in range(times):
        if work == "fill":
            block.fill(1)
        else:
            np.bitwise_or(block, other, block)
    return times * size / (time.perf_counter() - start)

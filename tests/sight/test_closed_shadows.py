"""Closed shadows against the lines themselves: hexes that a line runs through, along or touches hide what is behind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.grid import FlatLayout, HexGrid, sextant
from studio.sight.fast.fan import line_shape_pairs
from studio.sight.fast.sectors import open_hexes
from studio.sight.trace.steps import line_steps


def hidden(grid: HexGrid, layout: FlatLayout, cell: int, target: int, blocks: set[int], closed: bool) -> bool:
    """Walk one line, ring by ring."""
    (q, r), (tq, tr) = grid.axial(cell), grid.axial(target)
    k, a, b = sextant(tq - q, tr - r)
    one, other = layout.offsets[k], layout.offsets[(k + 1) % 6]
    for step in line_steps(a, b):
        met = (*step.through, *step.along, *step.touch) if closed else step.through
        for i in met:
            if int(layout.cells[layout.index[cell] + (step.ring - i) * one + i * other]) in blocks:
                return True
    return False


@pytest.mark.parametrize("closed", [True, False])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_shadows_hide_what_the_lines_say(closed: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = HexGrid(
        columns=int(rng.integers(1, 26)),
        rows=int(rng.integers(1, 26)),
        orientation=str(rng.choice(["flat", "pointy"])),  # type: ignore[arg-type]
        stagger=str(rng.choice(["odd", "even"])),  # type: ignore[arg-type]
    )
    layout = FlatLayout(grid)
    blocks = rng.random(grid.cells) < rng.choice([0.01, 0.05, 0.3])
    cell = int(rng.integers(grid.cells))
    seen = open_hexes(layout, cell, layout.pack(blocks, False), closed=closed)[layout.index]
    walls = set(np.flatnonzero(blocks).tolist())
    for target in range(grid.cells):
        if target != cell:
            assert seen[target] != hidden(grid, layout, cell, target, walls, closed), (cell, target)


def test_a_line_along_a_side_passes_open_shadows_only() -> None:
    grid = HexGrid(columns=5, rows=5)
    layout = FlatLayout(grid)
    cell = grid.cell(1, 2)
    k = next(
        k for k in range(6) if layout.cells[layout.index[cell] + layout.offsets[k] + layout.offsets[(k + 1) % 6]] >= 0
    )
    behind = int(layout.index[cell] + layout.offsets[k] + layout.offsets[(k + 1) % 6])
    blocks = np.zeros(layout.size, dtype=bool)
    blocks[layout.index[cell] + layout.offsets[k]] = True
    assert open_hexes(layout, cell, blocks)[behind]
    assert not open_hexes(layout, cell, blocks, closed=True)[behind]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_pairs_of_line_and_shape_leave_out_none_that_meet(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scale = int(rng.choice([4, 30, 100_000]))
    a = rng.integers(-scale, scale + 1, 2)
    b = rng.integers(-scale, scale + 1, (40, 2))
    b = b[(b != a).any(axis=1)]
    corner = rng.integers(-scale, scale + 1, (30, 2))
    boxes = np.concatenate((corner, corner + rng.integers(0, scale, (30, 2))), axis=1)
    settled = rng.random(len(b)) < 0.2
    pairs = [
        pair for lines, shapes in line_shape_pairs(a, b, boxes, settled) for pair in zip(lines, shapes, strict=True)
    ]
    assert len(set(pairs)) == len(pairs)
    assert not any(settled[line] for line, _ in pairs)
    for line in np.flatnonzero(~settled).tolist():
        for shape in range(len(boxes)):
            if segment_meets_box(a.tolist(), b[line].tolist(), boxes[shape].tolist()):
                assert (line, shape) in pairs


def segment_meets_box(a: list[int], b: list[int], box: list[int]) -> bool:
    """Tell whether a segment and a box have a point in common: by their shadows on both axes and on the segment."""
    if max(a[0], b[0]) < box[0] or min(a[0], b[0]) > box[2] or max(a[1], b[1]) < box[1] or min(a[1], b[1]) > box[3]:
        return False
    sides = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) for x in (box[0], box[2]) for y in (box[1], box[3])
    ]
    return min(sides) <= 0 <= max(sides)


def test_lines_that_are_settled_meanwhile_are_left_out() -> None:
    a, b = np.array([0, 0]), np.array([[100_000, 1], [-100_000, 1]])
    near = np.array([[10, -5, 20, 5], [30_000, -5, 30_010, 5], [-20, -5, -10, 5]])
    boxes = np.concatenate((near, np.repeat(near[1:2], 20_000, axis=0)))
    settled = np.zeros(2, dtype=bool)
    found = line_shape_pairs(a, b, boxes, settled)
    lines, shapes = next(found)
    assert {(0, 0), (1, 2)} <= set(zip(lines.tolist(), shapes.tolist(), strict=True))
    settled[:] = True
    assert list(found) == []

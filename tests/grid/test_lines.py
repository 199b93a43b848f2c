"""Exact lines against an independent reference: rational clipping of the line by every hex polygon on the lattice."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.grid import HexGrid, Labels, LabelScheme, hex_line, line_template

GRIDS = [
    HexGrid(columns=15, rows=12),
    HexGrid(columns=15, rows=12, stagger="even"),
    HexGrid(columns=12, rows=15, orientation="pointy"),
    HexGrid(columns=12, rows=15, orientation="pointy", stagger="even"),
]


def near_line(grid: HexGrid, start: tuple[int, int], step: tuple[int, int]) -> list[int]:
    """Leave out the hexes that lie wholly on one side of the line, or beyond its ends: integers, nothing rounded."""
    corners = grid.centres[:, None, :] + np.array(grid.corners(0))[None] - np.array(grid.centre(0)) - np.array(start)
    across = corners[..., 0] * step[1] - corners[..., 1] * step[0]
    along = corners[..., 0] * step[0] + corners[..., 1] * step[1]
    length = step[0] ** 2 + step[1] ** 2
    meets = (
        (across.min(axis=1) <= 0) & (across.max(axis=1) >= 0) & (along.max(axis=1) >= 0) & (along.min(axis=1) <= length)
    )
    return np.flatnonzero(meets).tolist()


def reference_contacts(grid: HexGrid, a: int, b: int) -> set[tuple]:
    """Clip the segment by each hex (convex, six half planes, rationals); pair up the hexes that share a stretch."""
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    dx, dy = bx - ax, by - ay
    found: dict[tuple[Fraction, Fraction], list[int]] = {}
    contacts = set()
    for cell in near_line(grid, (ax, ay), (dx, dy)):
        if cell in (a, b) or not grid.has(cell):
            continue
        corners = grid.corners(cell)
        enter, leave, inside = Fraction(0), Fraction(1), True
        on_border = False
        for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
            # Inside is where the cross product is not negative; the corners go clockwise with y down.
            start = (qx - px) * (ay - py) - (qy - py) * (ax - px)
            slope = (qx - px) * dy - (qy - py) * dx
            if slope == 0:
                inside &= start >= 0
                on_border |= start == 0
            elif slope > 0:
                enter = max(enter, Fraction(-start, slope))
            else:
                leave = min(leave, Fraction(-start, slope))
        if not inside or enter > leave:
            continue
        if enter == leave:
            contacts.add(("touch", (cell,), enter, leave))
        elif on_border:
            found.setdefault((enter, leave), []).append(cell)
        else:
            contacts.add(("through", (cell,), enter, leave))
    contacts |= {("along", tuple(sorted(cells)), *span) for span, cells in found.items()}
    return contacts


def as_set(grid: HexGrid, a: int, b: int) -> set[tuple]:
    return {(contact.how, contact.cells, contact.enter, contact.leave) for contact in hex_line(grid, a, b)}


def test_every_pair_of_a_15_by_12_grid_has_the_contacts_of_the_reference() -> None:
    # A shift by two columns, or by a row, turns the endless grid into itself: one reference line a displacement, drawn
    # in the middle of a larger grid, serves all pairs with that displacement that start in a like column.
    grid, large = GRIDS[0], HexGrid(columns=46, rows=36)
    lines: dict[tuple[int, int, int], list[tuple]] = {}
    for a in range(grid.cells):
        row_a, column_a = divmod(a, grid.columns)
        for b in range(grid.cells):
            row_b, column_b = divmod(b, grid.columns)
            key = column_a % 2, column_b - column_a, row_b - row_a
            first = 16 + key[0]
            if key not in lines:
                start = large.cell(first, 12)
                found = reference_contacts(large, start, large.cell(first + key[1], 12 + key[2]))
                lines[key] = [(how, [divmod(cell, 46) for cell in cells], *span) for how, cells, *span in found]
            expected = set()
            for how, places, enter, leave in lines[key]:
                moved = [(row - 12 + row_a, column - first + column_a) for row, column in places]
                cells = tuple(sorted(r * 15 + c for r, c in moved if 0 <= c < 15 and 0 <= r < 12))
                if cells:
                    expected.add((how, cells, enter, leave))
            assert as_set(grid, a, b) == expected, (a, b)


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.orientation}-{grid.stagger}")
@given(data=st.data())
def test_every_orientation_has_the_contacts_of_the_reference(grid: HexGrid, data: st.DataObject) -> None:
    a, b = (data.draw(st.integers(0, grid.cells - 1)) for _ in range(2))
    assert as_set(grid, a, b) == reference_contacts(grid, a, b)


@given(data=st.data(), columns=st.integers(1, 60), rows=st.integers(1, 60), short=st.booleans())
def test_contacts_are_reciprocal(data: st.DataObject, columns: int, rows: int, short: bool) -> None:
    grid = HexGrid(columns=columns, rows=rows + short, short=short)
    cells = np.flatnonzero(grid.present).tolist()
    a, b = data.draw(st.sampled_from(cells)), data.draw(st.sampled_from(cells))
    there = [(c.how, c.cells, c.enter, c.leave) for c in hex_line(grid, a, b)]
    back = [(c.how, c.cells, 1 - c.leave, 1 - c.enter) for c in hex_line(grid, b, a)]
    assert there == back[::-1]


@given(dq=st.integers(-1500, 1500), dr=st.integers(-1500, 1500))
def test_a_line_of_any_length_is_covered_without_gaps(dq: int, dr: int) -> None:
    steps = [step for step in line_template(dq, dr) if step[0] != "touch"]
    spans = [(Fraction(*enter), Fraction(*leave)) for _, _, enter, leave in steps]
    assert all(first[1] == second[0] for first, second in itertools.pairwise(spans))


def test_spine_lines_name_both_hexes_of_every_side() -> None:
    grid = HexGrid(columns=9, rows=9)
    labels = Labels(LabelScheme.ccrr(), grid)

    def names(a: str, b: str) -> list[tuple[str, set[str]]]:
        line = hex_line(grid, labels.cell(a), labels.cell(b))
        return [(contact.how, {labels.label(cell) for cell in contact.cells}) for contact in line]

    there = names("0505", "0905")
    assert there == [("along", {"0604", "0605"}), ("through", {"0705"}), ("along", {"0804", "0805"})]
    assert names("0905", "0505") == there[::-1]

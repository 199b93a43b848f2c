"""VASSAL's numbering of hexes, held equal to what the engine answered, and the settings chosen for our labels."""

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import GridError
from studio.exchange.vassal.numbering import AxisNumbers, HexNumbers, axis_text, fit_numbers
from studio.grid import Axis, HexGrid, Labels, LabelScheme

DATA = Path(__file__).parent / "data"
SETTINGS = json.loads((DATA / "numbering_settings.json").read_text("utf-8"))


def measured() -> dict[str, list[tuple[tuple[int, int], str]]]:
    text = gzip.decompress((DATA / "numbering.tsv.gz").read_bytes()).decode("utf-8")
    found: dict[str, list[tuple[tuple[int, int], str]]] = {}
    for row in csv.DictReader(io.StringIO(text), delimiter="\t"):
        x, y = row["point"].split(",")
        found.setdefault(row["board"], []).append(((int(x), int(y)), row["name"]))
    return found


MEASURED = measured()


def numbers_of(board: dict) -> HexNumbers:
    sideways = board["sideways"] == "true"
    # Pointy hexes: each axis descends by the switch of the other one.
    down = [board["hDescend"] == "true", board["vDescend"] == "true"]
    across_down, along_down = down[::-1] if sideways else down
    across = AxisNumbers(board["hType"], board["hLeading"], board["hOff"], across_down)
    along = AxisNumbers(board["vType"], board["vLeading"], board["vOff"], along_down)
    return HexNumbers(
        board["x0"],
        board["y0"],
        board["dx"],
        board["dy"],
        board["W"],
        board["H"],
        across,
        along,
        sideways,
        board["stagger"] == "true",
        board["first"] == "H",
        board["sep"],
    )


def test_there_are_as_many_rows_as_were_measured():
    assert sum(map(len, MEASURED.values())) == 8160
    assert set(MEASURED) == set(SETTINGS)


@pytest.mark.parametrize("board", sorted(SETTINGS))
def test_every_name_is_the_engines(board):
    numbers = numbers_of(SETTINGS[board])
    points = np.array([point for point, _ in MEASURED[board]])
    assert numbers.names(points) == [name for _, name in MEASURED[board]]


# -- the settings that are chosen --------------------------------------------------------------------------------------


def laid(grid: HexGrid, hex_px: float = 61.85):
    """A board of a grid: takes lattice points to pixels, and lists the pixels of the hexes."""
    sx, sy = grid.scale
    px = hex_px / grid.hex_height

    def to_pixel(x: float, y: float) -> tuple[float, float]:
        return 30 + x * sx * px, 30 + y * sy * px

    cells = np.flatnonzero(grid.present)
    pixels = np.array([to_pixel(x, y) for x, y in grid.centres[cells].tolist()])
    size = tuple((pixels.max(axis=0) + 60).astype(int).tolist())
    return to_pixel, size, np.rint(pixels).astype(np.int64)


def fitted(grid: HexGrid, scheme: LabelScheme) -> HexNumbers | None:
    to_pixel, size, pixels = laid(grid)
    return fit_numbers(grid, Labels(scheme, grid), to_pixel, size, pixels)


SIMPLE = LabelScheme.ccrr()


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("columns_down", [False, True])
@pytest.mark.parametrize("rows_down", [False, True])
@pytest.mark.parametrize("order", ["column_first", "row_first"])
def test_plain_schemes_are_numbered_by_the_grid(orientation, stagger, columns_down, rows_down, order):
    columns, rows = Axis(pad=2, descending=columns_down), Axis(pad=2, descending=rows_down)
    grid = HexGrid(columns=40, rows=23, orientation=orientation, stagger=stagger)
    assert fitted(grid, LabelScheme(columns=columns, rows=rows, order=order, separator=".")) is not None


def test_letters_and_a_row_less_in_every_second_column():
    """The counts of Modern Tactics and Armageddon War: A1 beside B0, AA beside Z."""
    grid = HexGrid(columns=33, rows=19, stagger="even")
    numbers = fitted(grid, LabelScheme.lettered(staggered_start=0))
    assert numbers is not None
    assert numbers.stagger


UNSAYABLE = {
    "slanted down": LabelScheme(slant=1),
    "slanted up": LabelScheme(slant=-1, rows=Axis(pad=2, start=20)),
    "AA, AB after Z": LabelScheme.lettered(doubled=False),
    "no I": LabelScheme(columns=Axis(style="doubled_letters", skip=("I",)), rows=Axis()),
    "a row more in the columns that stand high": LabelScheme.lettered(staggered_start=5),
}


@pytest.mark.parametrize("what", UNSAYABLE)
def test_what_the_grid_cannot_number_is_found_out(what):
    assert fitted(HexGrid(columns=30, rows=12), UNSAYABLE[what]) is None


AXES = st.builds(
    Axis,
    style=st.sampled_from(["numbers", "letters", "doubled_letters"]),
    start=st.integers(1, 30),
    pad=st.sampled_from([0, 2, 3]),
    descending=st.booleans(),
    skip=st.sampled_from([(), ("I", "O"), ("07",)]),
)
SCHEMES = st.builds(
    LabelScheme,
    columns=AXES,
    rows=AXES,
    order=st.sampled_from(["column_first", "row_first"]),
    separator=st.sampled_from(["", "-"]),
    staggered_start=st.sampled_from([None, 1, 2]),
    slant=st.sampled_from([0, 0, 0, 1]),
)
GRIDS = st.builds(
    HexGrid,
    columns=st.integers(2, 40),
    rows=st.integers(2, 12),
    orientation=st.sampled_from(["flat", "pointy"]),
    stagger=st.sampled_from(["odd", "even"]),
    short=st.booleans(),
    hex_width=st.sampled_from([0.0, 0.8, 1.155]),
)


@given(GRIDS, SCHEMES)
def test_a_numbering_is_given_only_where_every_name_is_right(grid, scheme):
    try:
        labels = Labels(scheme, grid)
    except GridError:
        return
    to_pixel, size, pixels = laid(grid)
    numbers = fit_numbers(grid, labels, to_pixel, size, pixels)
    if numbers is not None:
        assert [numbers.name(x, y) for x, y in pixels.tolist()] == labels.all()


def test_counts_beyond_the_letters_and_below_zero():
    assert [axis_text(n, "A", 0) for n in (25, 26, 51, 52)] == ["Z", "AA", "ZZ", "AAA"]
    assert [axis_text(n, "N", 2) for n in (0, 5, 50, 500, -5)] == ["000", "005", "050", "500", "-005"]

"""Label schemes are found out from labels and where they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.exchange.common.labelguess import Named, guess_scheme
from studio.grid import Axis, HexGrid, Labels, LabelScheme
from tests.exchange.contents import GAMES, content_of, grids

CASE_22 = [
    LabelScheme.ccrr(),
    LabelScheme.lettered(),
    LabelScheme.lettered(staggered_start=0),
    LabelScheme(slant=1),
    LabelScheme(slant=-1, rows=Axis(pad=2, start=1)),
    LabelScheme(columns=Axis(pad=2, descending=True), rows=Axis(pad=2), order="row_first"),
    LabelScheme(columns=Axis(start=7), rows=Axis(start=0), separator="."),
    LabelScheme(columns=Axis(pad=2), rows=Axis(style="letters", descending=True), order="row_first"),
]


def named(labels: Labels) -> list[Named]:
    grid = labels.grid
    cells = [cell for cell in range(grid.cells) if grid.has(cell)]
    return [Named(cell % grid.columns, cell // grid.columns, labels.label(cell)) for cell in cells]


@pytest.mark.parametrize("scheme", CASE_22)
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_schemes_of_printed_maps(scheme, stagger, orientation):
    grid = HexGrid(columns=31, rows=19, stagger=stagger, orientation=orientation)
    if orientation == "pointy" and scheme.staggered_start == 0:
        scheme = LabelScheme(
            rows=Axis(style="letters"), staggered_start=0
        )  # there it is the columns that begin elsewhere
    every = named(Labels(scheme, grid))
    found = guess_scheme(grid, every)
    assert found is not None
    assert Labels(found, grid).all() == [one.label for one in every]


@pytest.mark.parametrize("name", sorted({name for name, _ in GAMES if name != "urban-1"}))
def test_the_maps_of_the_games(name):
    labels = content_of(name).model.labels
    found = guess_scheme(labels.grid, named(labels))
    assert found is not None and Labels(found, labels.grid).all() == labels.all()


@given(grid=grids(9), scheme=st.sampled_from([*CASE_22[:2], *CASE_22[3:]]))
def test_whatever_is_found_gives_the_same_labels(grid, scheme):
    every = named(Labels(scheme, grid))
    found = guess_scheme(grid, every)
    assert found is not None and Labels(found, grid).all() == [one.label for one in every]


def test_names_that_follow_no_scheme():
    grid = HexGrid(columns=2, rows=1)
    assert guess_scheme(grid, [Named(0, 0, "Rome"), Named(1, 0, "Paris")]) is None
    assert guess_scheme(grid, [Named(0, 0, "0101"), Named(9, 0, "1001")]) is None
    assert guess_scheme(grid, []) is None

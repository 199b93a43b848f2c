"""Label schemes: every one of them is one-to-one, and says clearly what is wrong with a label."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from studio.errors import GridError, LabelError, StudioError
from studio.grid import Axis, HexGrid, Labels, LabelScheme, letters

axes = st.builds(
    Axis,
    style=st.sampled_from(["numbers", "letters", "doubled_letters"]),
    start=st.integers(0, 30),
    pad=st.integers(0, 4),
    descending=st.booleans(),
    skip=st.sampled_from([(), ("I", "O"), ("13",)]),
)
schemes = st.builds(
    LabelScheme,
    columns=axes,
    rows=axes,
    order=st.sampled_from(["column_first", "row_first"]),
    separator=st.sampled_from(["", ".", "-", "/", " "]),
    staggered_start=st.sampled_from([None, 0, 1, 5]),
    slant=st.sampled_from([-1, 0, 1]),
)


@given(
    scheme=schemes,
    columns=st.integers(1, 60),
    rows=st.integers(1, 60),
    orientation=st.sampled_from(["flat", "pointy"]),
    short=st.booleans(),
)
def test_labels_round_trip(scheme: LabelScheme, columns: int, rows: int, orientation: str, short: bool) -> None:
    assume(not short or (rows if orientation == "flat" else columns) > 1)
    grid = HexGrid(columns=columns, rows=rows, orientation=orientation, short=short)
    try:
        labels = Labels(scheme, grid)
    except GridError:
        return  # refused for a reason that the tests below look at
    names = labels.all()
    assert len(set(names)) == len(names)
    assert [labels.cell(name) for name in names] == np.flatnonzero(grid.present).tolist()


@given(
    scheme=schemes, columns=st.integers(1, 40), rows=st.integers(1, 40), orientation=st.sampled_from(["flat", "pointy"])
)
def test_the_tables_give_the_same_labels(scheme: LabelScheme, columns: int, rows: int, orientation: str) -> None:
    grid = HexGrid(columns=columns, rows=rows, orientation=orientation)
    try:
        labels = Labels(scheme, grid)
    except GridError:
        return
    tables = labels.tables()
    for cell in range(grid.cells):
        row, column = divmod(cell, columns)
        line, position = (column, row) if tables["along"] == "row" else (row, column)
        along = tables["base"][line] + tables["sign"] * position
        if tables["along"] == "row":
            parts = [tables["columns"][column], tables["rows"][along]]
        else:
            parts = [tables["columns"][along], tables["rows"][row]]
        if tables["order"] == "row_first":
            parts.reverse()
        assert tables["separator"].join(parts) == labels.label(cell)


@given(text=st.text(max_size=8))
def test_any_text_is_a_label_or_a_clear_error(text: str) -> None:
    labels = Labels(LabelScheme.ccrr(), HexGrid(columns=40, rows=30))
    try:
        assert labels.label(labels.cell(text)) == text
    except LabelError as error:
        assert repr(text) in str(error)


def test_both_kinds_of_double_letters() -> None:
    assert [letters(n) for n in (1, 26, 27, 28, 52, 53, 702, 703)] == ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
    doubled = [letters(n, doubled=True) for n in (1, 26, 27, 28, 52, 53)]
    assert doubled == ["A", "Z", "AA", "BB", "ZZ", "AAA"]


def test_row_0_in_every_second_column() -> None:
    scheme = LabelScheme.lettered(staggered_start=0)
    labels = Labels(scheme, HexGrid(columns=33, rows=20, stagger="even", short=True))
    for name in ("D0", "Z0", "FF0", "A1", "GG19", "B0"):
        assert labels.label(labels.cell(name)) == name
    with pytest.raises(LabelError, match="column A has the rows 1 to 19"):
        labels.cell("A0")


@pytest.mark.parametrize("slant", [1, -1])
def test_slanted_rows(slant: int) -> None:
    start = 0 if slant == 1 else 1
    scheme = LabelScheme(columns=Axis(), rows=Axis(start=start), separator=".", slant=slant)
    labels = Labels(scheme, HexGrid(columns=10, rows=10))
    expected = {(c, r): f"{c + 1}.{r + slant * (c // 2) + start}" for c in range(10) for r in range(10)}
    assert {(c, r): labels.label(r * 10 + c) for c, r in expected} == expected
    assert [labels.cell(name) for name in labels.all()] == list(range(100))


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left", "bottom right"])
def test_any_corner_is_the_origin(corner: str) -> None:
    scheme = LabelScheme(
        columns=Axis(pad=2, descending="right" in corner), rows=Axis(pad=2, descending="bottom" in corner)
    )
    grid = HexGrid(columns=6, rows=5)
    origin = (5 if "right" in corner else 0) + (4 * 6 if "bottom" in corner else 0)
    assert Labels(scheme, grid).label(origin) == "0101"


def test_labels_that_could_be_read_in_two_ways_are_refused_with_a_remedy() -> None:
    grid = HexGrid(columns=120, rows=120)
    with pytest.raises(GridError, match=r"two ways.*separator.*pad.*3 digits"):
        Labels(LabelScheme.ccrr(), grid)
    assert Labels(LabelScheme.ccrr(pad=3), grid).label(0) == "001001"
    with pytest.raises(GridError, match="letters of different lengths"):
        Labels(LabelScheme(columns=Axis(style="letters"), rows=Axis(style="letters")), grid)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0000", "no hex '0000'"),
        ("0601", "columns go from 01 to 05"),
        ("0106", "column 01 has the rows 01 to 05"),
        ("A1", "look like '0101'"),
        ("", "malformed"),
        (" 0101", "did you mean '0101'"),
        ("١٢٣٤", "malformed"),
    ],
)
def test_a_wrong_label_is_named_with_what_is_allowed(text: str, words: str) -> None:
    labels = Labels(LabelScheme.ccrr(), HexGrid(columns=5, rows=5))
    with pytest.raises(LabelError, match=words) as caught:
        labels.cell(text)
    assert isinstance(caught.value, KeyError)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, StudioError)


def test_a_label_must_be_a_text() -> None:
    labels = Labels(LabelScheme.ccrr(), HexGrid(columns=5, rows=5))
    with pytest.raises(LabelError, match="a text such as '0101'"):
        labels.cell(101)  # type: ignore[arg-type]

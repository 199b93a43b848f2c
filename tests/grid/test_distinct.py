"""Each value once: as numpy does it, and quickly where values come in a row."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.grid.distinct import distinct
from studio.model import Batch, Paint


@given(st.lists(st.integers(-50, 50), max_size=60))
def test_as_numpy_does_it(values):
    array = np.array(values, dtype=np.int64)
    assert distinct(array).tolist() == np.unique(array).tolist()
    assert array.tolist() == values


@pytest.mark.parametrize("twice", [False, True])
def test_a_million_hexes_are_painted_and_taken_back_quickly(twice):
    document = studio.new_map("armageddon_war", columns=1000, rows=1000)
    cells = np.arange(1_000_000).tolist()
    edits = [Paint(plane="terrain", cells=cells, values=["marsh"])]
    edits += [Paint(plane="levels", cells=cells[::-1], values=[1])] if twice else []
    start = time.process_time()
    change = document.apply(Batch(title="all", edits=edits))
    document.undo()
    assert time.process_time() - start < 3
    assert len(change.cells) == 1_000_000
    assert not document.terrain.any()
    assert not document.levels.any()

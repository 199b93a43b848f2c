"""Sight on maps of several sheets: with holes in the grid, hexes that merged, and maps that are turned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.sight import STATUSES, Conditions, PackedCodes, make_table
from studio.survey import Survey
from tests.sight.effort import random_maps
from tests.sight.makers_joint import cut_into_sheets
from tests.sight.maps import MAKERS, make_game

SIZES = st.tuples(st.integers(3, 9), st.integers(3, 7))
SEEDS = st.integers(0, 10**6)
FEW = random_maps(12)


@pytest.mark.parametrize("game", [game for game in MAKERS if game != "phantom_fury"])
@given(seed=SEEDS, size=SIZES)
@FEW
def test_one_line_a_field_of_view_and_the_table_agree_on_a_grid_with_holes(
    game: str, seed: int, size: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    whole, ruleset = make_game(game, rng, *size)
    model = cut_into_sheets(rng, whole)
    if model is None:
        return
    readings = {name: spec.values[int(rng.integers(len(spec.values)))] for name, spec in ruleset.option_specs.items()}
    survey = Survey(model, ruleset.survey_scheme)
    options = ruleset.options(readings if rng.random() < 0.5 else {})
    judge, directory = ruleset.sight.judge(survey, options, Conditions()), survey.directory
    numbers = directory.numbers
    chosen = rng.permutation(numbers)[:12].tolist()
    there = np.zeros(len(directory), dtype=bool)
    there[numbers] = True
    for a in chosen:
        lines = [judge.sighting(a, b) for b in numbers.tolist()]
        field, hindered = judge.field(a)
        field = np.pad(field.ravel(), (0, len(directory) - field.size))
        assert not field[~there].any()
        for b, one in zip(numbers.tolist(), lines, strict=True):
            assert STATUSES[field[b]] == one.status, str(one)
            assert hindered.get(b, 0) == one.hindrances
    fields = [np.pad(judge.field(a)[0].ravel(), (0, len(directory)))[numbers] for a in numbers.tolist()]
    codes = np.array(fields).reshape(len(numbers), len(numbers))
    assert (make_table(directory, judge).to_array() == codes).all()
    raw = judge.table(numbers)
    if raw is not None:
        assert ((raw.to_array() if isinstance(raw, PackedCodes) else raw) == codes).all()

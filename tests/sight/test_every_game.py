"""What holds for sight in every game: one truth for one line, for a field of view and for the table of all pairs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studio.errors import NoSightError
from studio.rules import get_ruleset, ruleset_ids
from studio.sight import BLOCKED, CLEAR, STATUSES, Conditions, PackedCodes, SightJudge, make_table
from studio.survey import Survey
from tests.sight.effort import random_maps
from tests.sight.maps import MAKERS, make_game

EXCEPTIONS: dict[str, Callable[[dict[str, Any]], bool]] = {
    # A target symbol as it is printed names zones to fire at, not to be fired at from (4.1.2.1).
    "phantom_fury": lambda options: options["target_symbols"] == "as_printed",
}
"""Rulebooks that let one end see the other without being seen: for a game, under which readings.

Rules for kinds of unit do not belong here: the maps are judged without any.
"""

SIZES = st.tuples(st.integers(2, 5), st.integers(2, 4))
SEEDS = st.integers(0, 10**6)
FEW = random_maps(10)


def judged(game: str, seed: int, size: tuple[int, int]) -> tuple[Survey, SightJudge, dict[str, Any]]:
    """Return a random map with its judge and the readings of the rules, which are often random too."""
    rng = np.random.default_rng(seed)
    model, ruleset = make_game(game, rng, *size)
    readings = {name: spec.values[int(rng.integers(len(spec.values)))] for name, spec in ruleset.option_specs.items()}
    survey = Survey(model, ruleset.survey_scheme)
    options = ruleset.options(readings if rng.random() < 0.5 else {})
    return survey, ruleset.sight.judge(survey, options, Conditions()), options


def test_every_game_with_lines_of_sight_has_a_maker_of_random_maps() -> None:
    without = set()
    for game in ruleset_ids():
        try:
            get_ruleset(game).sight.judge(None, {}, Conditions())
        except NoSightError:
            without.add(game)
        except (AttributeError, KeyError, TypeError):
            continue  # it has lines of sight, and misses the map
    assert set(ruleset_ids()) - without <= set(MAKERS)


@pytest.mark.parametrize("game", MAKERS)
@given(seed=SEEDS, size=SIZES)
@example(seed=373777, size=(5, 4))  # a slope below a level whose every hex a drawn hill raises
@FEW
def test_one_line_a_field_of_view_and_the_table_agree(game: str, seed: int, size: tuple[int, int]) -> None:
    survey, judge, options = judged(game, seed, size)
    directory = survey.directory
    numbers = directory.numbers
    lines = [[judge.sighting(a, b) for b in numbers.tolist()] for a in numbers.tolist()]
    codes = np.array([[STATUSES.index(one.status) for one in row] for row in lines], dtype=np.uint8)
    there = np.zeros(len(directory), dtype=bool)
    there[numbers] = True
    for a, row, expected in zip(numbers.tolist(), lines, codes, strict=True):
        field, hindered = judge.field(a)
        field = np.pad(field.ravel(), (0, len(directory) - field.size))
        assert (field[numbers] == expected).all(), (directory.label(a), field[numbers], expected)
        assert not field[~there].any()
        found = [hindered.get(number, 0) for number in numbers.tolist()]
        assert found == [one.hindrances for one in row], directory.label(a)
    assert (np.diagonal(codes) == CLEAR).all()  # every location sees itself
    assert (make_table(directory, judge).to_array() == codes).all()
    raw = judge.table(numbers)
    if raw is not None:
        assert ((raw.to_array() if isinstance(raw, PackedCodes) else raw) == codes).all()
    # What sees is seen.
    if EXCEPTIONS.get(game, lambda options: False)(options):
        return
    for i in range(len(numbers)):
        for j in range(i):
            one, back = lines[i][j], lines[j][i]
            assert (one.status, one.hindrances) == (back.status, back.hindrances), f"{one}\n{back}"


@pytest.mark.parametrize("game", MAKERS)
@given(seed=SEEDS, size=SIZES)
@FEW
def test_contacts_are_reciprocal_and_verdicts_have_reasons(game: str, seed: int, size: tuple[int, int]) -> None:
    survey, judge, _ = judged(game, seed, size)
    numbers = survey.directory.numbers
    rng = np.random.default_rng(seed)
    for a, b in rng.choice(numbers, size=(40, 2)).tolist() if len(numbers) else []:
        one = judge.sighting(a, b)
        there = [(contact.how, contact.at, contact.enter, contact.leave) for contact in one.contacts]
        back = judge.sighting(b, a).contacts
        turned = [(contact.how, contact.at, 1 - contact.leave, 1 - contact.enter) for contact in back]
        assert a == b or sorted(there, key=repr) == sorted(turned, key=repr)
        blocks = [reason for reason in one.reasons if reason.effect == "blocks"]
        assert (one.status == STATUSES[BLOCKED]) == bool(blocks), str(one)
        assert all(reason.text and reason.rule for reason in one.reasons)

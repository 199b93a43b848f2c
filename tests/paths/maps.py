"""Random maps and states for the tests of movement, of every game that has a maker of them.

A game gets its maker as ``tests/paths/makers/<game>.py`` with two functions: ``make(rng, columns, rows)`` returns a
map, or a map and its ruleset where the studio does not know the game by its id; ``make_state(rng, survey)`` returns
what holds for movement, or None.
"""

from importlib import import_module
from pathlib import Path

import numpy as np

from studio.paths import MoveJudge
from studio.rules import get_ruleset
from studio.survey import Survey

__all__ = ["MAKERS", "random_judge"]

MAKERS = {
    path.stem: import_module(f"tests.paths.makers.{path.stem}")
    for path in sorted((Path(__file__).parent / "makers").glob("[a-z]*.py"))
}
"""The makers by the name of the game."""


def random_judge(game: str, seed: int, columns: int, rows: int) -> MoveJudge:
    """Return the judge of a random mover on a random map, often with random readings of the rules and a state."""
    rng = np.random.default_rng(seed)
    made = MAKERS[game].make(rng, columns, rows)
    model, ruleset = made if isinstance(made, tuple) else (made, get_ruleset(made.ruleset))
    survey = Survey(model, ruleset.survey_scheme)
    readings = {name: spec.values[int(rng.integers(len(spec.values)))] for name, spec in ruleset.option_specs.items()}
    options = ruleset.options(readings if rng.random() < 0.5 else {})
    state = MAKERS[game].make_state(rng, survey) if rng.random() < 0.6 else None
    judge: MoveJudge = ruleset.paths.judge(survey, str(rng.choice(list(ruleset.movers))), options, state)
    return judge

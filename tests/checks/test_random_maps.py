"""Random maps of every game, with features altered at random: checked without a traceback, repaired without harm."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from studio.api import Map
from studio.checks import Findings
from studio.model import Point
from tests.checks.makers import put
from tests.sight.maps import MAKERS, make_game


def moved(points: tuple[Point, ...], random: Random) -> tuple[Point, ...]:
    """Move one point a little, far, or onto the one before it."""
    if not points:
        return points
    at = random.randrange(len(points))
    x, y = points[at]
    near = (x + random.randint(-5, 5), y + random.randint(-5, 5))
    return (*points[:at], random.choice([near, points[at - 1], (10**9, 5)]), *points[at + 1 :])


ALTER: dict[str, Callable[[Any, Random], Any]] = {
    "outline": moved,
    "line": moved,
    "dot": lambda _, random: (random.randint(-100, 9999), random.randint(-100, 9999)),
    "at": lambda old, random: old if isinstance(old, str) else moved((old,), random)[0],
    "within": lambda _, random: random.choice(["", "nowhere"]),
    "a": lambda _, random: random.choice(["0101", "nowhere"]),
    "into": lambda _, random: random.choice(["0101", "nowhere"]),
    "type": lambda _, random: "nonsense",
    "arrows": lambda *_: (),
    "also": lambda *_: ("0101", "0404"),
}


def named(found: Findings) -> Counter[tuple[str, str]]:
    """Count the findings of which the place keeps its name while they are mended."""
    kept = (one for one in found if one.rule not in {"map.gap", "map.overlap", "map.sliver", "map.borders_meet"})
    return Counter((one.rule, one.at) for one in kept)


def vandalised(game: str, seed: int) -> Map:
    random = Random(seed)
    model, rules = make_game(game, np.random.default_rng(seed), 8, 8)
    map_ = Map(model, ruleset=rules)
    drawn = [feature for feature in map_.features.values() if not hasattr(feature, "path")]
    for feature in random.sample(drawn, min(len(drawn), 6)):
        names = [name for name in feature.__struct_fields__ if name in ALTER]
        if names:
            name = random.choice(names)
            put(map_, msgspec.structs.replace(feature, **{name: ALTER[name](getattr(feature, name), random)}))
    return map_


@pytest.mark.parametrize("game", MAKERS)
@pytest.mark.parametrize("seed", range(6))
def test_nothing_breaks_and_no_repair_makes_it_worse(game: str, seed: int) -> None:
    map_ = vandalised(game, seed)
    found = map_.check()
    assert str(found)
    assert found.to_dict()["findings"]
    assert found._repr_html_().count("<tr>") == len(found) + 1
    mended, after = map_.repair(), map_.check()
    assert not named(after) - named(found)
    assert bool(mended) == (after != found)

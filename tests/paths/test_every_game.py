"""What holds for movement in every game: one truth for the explained step, the network and what is found in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import GridError
from studio.paths import make_reach, make_route
from studio.paths.points import points_text
from studio.rules import get_ruleset, ruleset_ids
from tests.paths.maps import MAKERS, random_judge
from tests.sight.effort import random_maps

SIZES = st.tuples(st.integers(2, 4), st.integers(2, 4))
SEEDS = st.integers(0, 10**6)
FEW = random_maps(15)


def test_every_game_with_movement_has_a_maker_of_random_maps() -> None:
    with_movement = {game for game in ruleset_ids() if get_ruleset(game).catalogue.paths_module}
    assert {*with_movement, "generic"} <= set(MAKERS)


@pytest.mark.parametrize("game", MAKERS)
@given(seed=SEEDS, size=SIZES)
@FEW
def test_every_link_costs_what_its_step_explains(game: str, seed: int, size: tuple[int, int]) -> None:
    judge = random_judge(game, seed, *size)
    network = judge.network
    assert network.size == len(judge.survey.directory) * len(judge.states)
    linked = set()
    for a, b, cost in network.links.tolist():
        step = judge.step(a, b)
        assert (step.a, step.b) == (judge.label(a), judge.label(b))
        assert step.halves == (None if cost < 0 else cost), step
        assert step.parts
        assert (step.barrier is None) == (cost >= 0)
        linked.add((a, b))
    # And what is no link is no step.
    nodes = [node for number in judge.survey.directory.numbers.tolist() for node in judge.nodes(number)]
    for a in nodes[:40]:
        for b in nodes:
            if a != b and (a, b) not in linked:
                with pytest.raises(GridError):
                    judge.step(a, b)


@pytest.mark.parametrize("game", MAKERS)
@given(seed=SEEDS, size=SIZES, halves=st.none() | st.integers(0, 12))
@FEW
def test_routes_and_reach_agree(game: str, seed: int, size: tuple[int, int], halves: int | None) -> None:
    judge = random_judge(game, seed, *size)
    directory = judge.survey.directory
    points = None if halves is None else f"{halves}/2"
    start = int(directory.numbers[seed % len(directory.numbers)])
    reach = make_reach(judge, start, points)
    for number in directory.numbers.tolist():
        route = make_route(judge, start, number, points)
        label = directory.label(number)
        assert route.found == (reach.halves[number] >= 0)
        assert route.to_dict() == reach.route(label).to_dict()
        assert route.labels[0] == directory.label(start)
        assert [leg.step.halves for leg in route.legs] == [
            leg.total - before for leg, before in zip(route.legs, [0, *(one.total for one in route.legs)], strict=False)
        ]
        if route.found:
            assert route.labels[-1] == label
            assert route.halves == reach.halves[number]
            assert halves is None or route.allowance or route.halves <= halves
            assert (len(route.legs) == 1 and route.halves > halves) if route.allowance else not route.allowance
        else:
            miss = route.miss
            assert miss is not None
            assert miss.text in str(route)
            if miss.short_halves is not None:
                assert halves is not None
                assert route.halves == halves + miss.short_halves
                assert points_text(miss.short_halves, judge.unit) in miss.text
            else:
                assert route.cost is None
                assert miss.step is None or miss.step.halves is None

"""Ranges in effect points and the chain of command of Urban Operations (4.3.7.1, 7.1, 7.2.1)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.errors import LabelError, UnknownNameError, UnsupportedError
from studio.rules.urban_operations.command import effect_reach
from studio.survey import Survey
from tests.sight.makers.urban_operations import RULES, make
from tests.sight.urban_town import Town


def test_the_command_range_is_6_effect_points() -> None:
    town = Town(columns=20, rows=20)
    found = town.map.effect_reach("1010")
    grid, cell = town.map.grid, town.map.labels.cell("1010")
    assert (found.start, found.points) == ("1010", 6)
    assert {town.map.labels.cell(label) for label in found.labels} == set(grid.within(cell, 6))
    assert found.costs["1010"] == 0
    assert found.to_dict()["costs"] == found.costs
    assert repr(found) == "EffectReach(1010, 127 locations within 6 EP)"


def test_walls_and_stairs_shorten_the_range() -> None:
    town = Town()
    town.wall_below("0405")
    town.house("1", town.box("0403"), roof=True)
    found = town.map.effect_reach("0405", 3)
    assert found.costs["0406"] == 2
    assert "0408" not in found.costs
    assert found.costs["1.1"] == 1 + 2
    assert "1 roof" not in found.costs
    assert town.map.effect_reach("0405", 4).costs["1 roof"] == 4


def test_ranges_along_the_line_of_fire() -> None:
    town = Town()
    town.house("A", town.box("0503"), roof=True)
    town.wall_below("0505")
    assert town.map.effect_reach("A roof", 4, fire=True).costs["0507"] == 4
    assert "0507" not in town.map.effect_reach("A roof", 4).costs


def test_entrances_to_the_underground_are_no_end_of_a_range() -> None:
    town = Town(columns=30, rows=12)
    town.area("U", "underground", town.box("2805", "2806"))
    town.area("U.1", "room", town.box("2805", "2806"), within="area-U")
    town.map.add("link", type="underground_access", a="0205", b="U.1")
    assert town.map.effect_reach("0206").costs["U.1"] == 1 + 1
    assert town.map.effect_reach("U.1").costs["0205"] == 1


@given(seed=st.integers(0, 10**6), points=st.integers(0, 7), fire=st.booleans())
@settings(max_examples=20, deadline=None)
def test_a_range_is_what_the_distances_say(seed: int, points: int, fire: bool) -> None:
    rng = np.random.default_rng(seed)
    survey = Survey(make(rng, int(rng.integers(3, 7)), int(rng.integers(3, 7))), RULES.survey_scheme)
    numbers = survey.directory.numbers.tolist()
    if not numbers:
        return
    start = numbers[seed % len(numbers)]
    judge = RULES.sight.judge(survey, RULES.options({}), studio.sight.Conditions())
    label = survey.directory.label
    told = {label(number): judge.effect_points(start, number, fire=fire).total for number in numbers}
    expected = {name: total for name, total in told.items() if total <= points}
    assert effect_reach(survey, label(start), points, fire=fire).costs == expected


def test_how_many_blocks_are_activated() -> None:
    town = Town(columns=20, rows=20)
    command = town.map.chain_of_command
    assert command(company="0404").blocks == 3
    assert command(platoon="0404").blocks == 5
    assert command(platoon="0404", company="0408").blocks == 5
    whole = command(platoon="0404", company="0408", post="0412")
    assert whole.blocks == 7
    assert [(link.start, link.end, link.total) for link in whole.links] == [("0408", "0404", 4), ("0408", "0412", 4)]
    assert str(whole).startswith("7 blocks: the platoon commander and the command post are within 6 EP of the company")
    far = command(platoon="0401", company="0408", post="0415")
    assert far.blocks == 5
    assert far.text == (
        "the platoon commander is 7 EP from the company commander, 6 allowed; "
        "the command post is 7 EP from the company commander, 6 allowed"
    )


def test_mistakes_are_named() -> None:
    town = Town()
    with pytest.raises(LabelError, match="9999"):
        town.map.effect_reach("9999")
    with pytest.raises(UnknownNameError, match="partition"):
        town.map.effect_reach("0404", options={"partition": "added"})
    with pytest.raises(UnknownNameError, match="gap"):
        town.map.effect_reach("0404", opened=["gap"])
    desert = studio.new_map("armageddon_war", columns=5, rows=5)
    with pytest.raises(UnsupportedError, match="no distance in effect points"):
        desert.effect_reach("0303")
    with pytest.raises(UnsupportedError, match="no chain of command"):
        desert.chain_of_command()
    with pytest.raises(UnsupportedError, match="no infiltration"):
        desert.infiltrations()
    with pytest.raises(UnsupportedError, match="no places of entry"):
        desert.entries("tracked")

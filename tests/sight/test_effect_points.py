"""Effect points in Urban Operations (4.3.7.1, ER9, the clarifications on effect points), with both readings of each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.sight import Conditions
from studio.survey import Survey
from tests.sight.makers.urban_operations import RULES, make
from tests.sight.urban_town import Town

# -- along the line of fire ------------------------------------------------------------------------------------------


def test_in_the_open_effect_points_are_hexes() -> None:
    town = Town(columns=9, rows=9, wood="0303 0404", water="0505", elevation="0606")
    grid, labels = town.map.grid, town.map.labels
    for a in ("0101", "0505", "0309"):
        for b in labels.all():
            assert town.cost(a, b) == grid.distance(labels.cell(a), labels.cell(b))
            assert town.cost(a, b, fire=False) == town.cost(a, b)


def test_every_hex_that_the_line_runs_through_may_count() -> None:
    town = Town(columns=9, rows=9)
    grid, labels = town.map.grid, town.map.labels
    far = [b for b in labels.all() if town.cost("0101", b, fire_track="every") > town.cost("0101", b)]
    assert far
    for b in far:
        through = [contact for contact in town.sight("0101", b).contacts if contact.how == "through"]
        assert town.cost("0101", b, fire_track="every") >= len(through) + 1 > grid.distance(0, labels.cell(b))


def test_of_two_hexes_beside_the_line_the_cheaper_one_counts() -> None:
    town = Town(wood="0404")
    judge = town.map.judge()
    number = town.map.survey.directory.number
    judge.scene.figures = {**judge.scene.figures, "ep_wood": 3}  # type: ignore[attr-defined]
    points = judge.effect_points(number("0305"), number("0505"), fire=True)  # type: ignore[attr-defined]
    assert [(step.at, step.cost) for step in points.steps] == [("0405", 1), ("0505", 1)]
    town.map.paint("0405", terrain="wood")
    judge = town.map.judge()
    judge.scene.figures = {**judge.scene.figures, "ep_wood": 3}  # type: ignore[attr-defined]
    assert judge.effect_points(number("0305"), number("0505"), fire=True).total == 4  # type: ignore[attr-defined]


def test_between_two_hexes_a_crossing_counts_instead() -> None:
    town = Town()
    x, y = town.centre("0305")
    town.wall((x + 600, y - 100), (x + 600, y + 100))
    points = town.points("0305", "0505")
    assert [step.cost for step in points.steps] == [2, 1]
    assert "over the outer wall wall" in str(points)


def roofs() -> Town:
    """Return illustration 1: A on a roof; south of it an alley, building C, an alley, building D with a roof."""
    town = Town()
    town.house("A", town.box("0503"), roof=True)
    town.house("C", town.box("0505"), roof=True)
    town.house("D", town.box("0507"), roof=True)
    return town


def test_from_roof_to_roof_every_location_is_one() -> None:
    town = roofs()
    assert town.cost("A roof", "C roof") == 2
    assert town.cost("A roof", "D roof") == 4
    assert town.cost("D roof", "A roof") == 4
    town.house("E", town.box("0509"), roof=True)
    town.wall_below("0508", name="yard")
    assert town.cost("A roof", "E roof") == 6  # over two buildings and an outer wall
    assert town.cost("A roof", "E roof", fire=False) == 6


def test_from_a_roof_to_the_ground_walls_and_terrain_count_nothing_more() -> None:
    town = Town(wood="0505", water="0506")
    town.house("A", town.box("0503"), roof=True)
    town.wall_below("0505")
    assert town.cost("A roof", "0507") == 4  # G, and D to B
    assert town.cost("0507", "A roof") == 4
    assert town.cost("A roof", "0501") == 2


def test_from_a_roof_through_a_breach_to_the_hex_right_behind_it() -> None:
    town = Town()
    town.house("A", town.box("0503"), roof=True)
    town.wall_below("0504")
    town.opening("0505", town.centre("0505"), "0504", kind="wall_breach", id="gap")
    assert town.cost("A roof", "0505") == 3  # B
    assert town.cost("A roof", "0506") == 3  # F, a hex farther
    assert "through the breach gap" in str(town.points("A roof", "0505"))
    assert town.cost("0505", "A roof") == 3


def test_from_a_roof_into_a_room_the_aperture_costs_two() -> None:
    town = roofs()
    x, y = town.centre("0505")
    town.opening("C.1", (x, y - 200), "0504")
    assert town.cost("A roof", "C.1") == 3
    assert town.cost("C.1", "A roof") == 3
    assert [step.cost for step in town.points("C.1", "A roof").steps] == [2, 1]


def test_from_inside_the_aperture_of_the_firer_counts() -> None:
    town = Town()
    town.house("25", town.box("0503"), roof=True)
    x, y = town.centre("0503")
    town.opening("25.1", (x, y + 200), "0504")
    assert town.cost("25 roof", "0509") == 6
    assert town.cost("25.1", "0509") == 7
    points = town.points("25.1", "0509")
    assert points.steps[0].text == "0504: through the aperture door of 25.1"
    assert points.to_dict()["steps"][0] == {"at": "0504", "cost": 2, "rule": "4.3.7.1", "text": points.steps[0].text}


def test_rooms_before_the_aperture_of_the_firer_do_not_count() -> None:
    town = Town()
    town.house("25", town.box("0505", "0506", wide=200), rooms=2)
    x, y = town.centre("0505")
    town.opening("25.1", (x - 200, y), "0404", "0604")
    assert [step.cost for step in town.points("25.1", "0604").steps] == [2]
    assert [step.cost for step in town.points("25.1", "0604", fire=False).steps] == [1, 1, 2]


def test_a_building_under_a_line_from_a_roof() -> None:
    town = Town()
    town.house("A", town.box("0305"), roof=True)
    town.house("C", town.box("0505"), rooms=2)
    town.house("D", town.box("0705"), roof=True)
    assert town.cost("A roof", "D roof") == 5
    assert town.cost("A roof", "D roof", roof_over_building="building") == 4


# -- along the most direct path --------------------------------------------------------------------------------------


def test_crossings_cost_two_and_take_the_place_of_the_next_hex() -> None:
    town = Town()
    town.wall_below("0505")
    assert town.cost("0505", "0506", fire=False) == 2
    assert town.cost("0504", "0507", fire=False) == 4
    town.house("25", town.box("0803"))
    assert town.cost("0802", "25.1", fire=False) == 2  # a facade
    town.map.add("area", type="building", outline=[[1700, 600], [2400, 600], [2400, 800], [1700, 800]])
    town.map.paint("0302", terrain="unplayable")
    assert town.cost("0301", "0303", fire=False) == 4  # a building without rooms
    assert town.cost("0802", "0804", fire=False) == 4  # in and out again
    x, y = town.centre("0803")
    town.opening("25.1", (x, y - 200), "0802")
    assert town.cost("0802", "25.1", fire=False) == 2  # an aperture
    assert "through the aperture door of 25.1" in str(town.points("0802", "25.1", fire=False))


@pytest.mark.parametrize(("reading", "cost"), [(1, 1), (2, 2)])
def test_a_breach_in_an_outer_wall(reading: int, cost: int) -> None:
    town = Town()
    town.wall_below("0505")
    town.opening("0506", town.centre("0506"), "0505", kind="wall_breach", id="gap")
    assert town.cost("0505", "0506", fire=False, wall_breach_ep=reading) == cost


@pytest.mark.parametrize(("reading", "cost"), [("added", 2), ("instead", 1)])
def test_a_partition(reading: str, cost: int) -> None:
    town = Town()
    town.house("25", town.box("0505"), rooms=2)
    town.house("26", town.box("0805"), rooms=2, zones=True)
    assert town.cost("25.1", "25.2", fire=False, partition_ep=reading) == cost
    assert town.cost("26.1", "26.2", fire=False, partition_ep=reading) == 1  # a zone boundary
    assert "through the partition 25.1 | 25.2" in str(town.points("25.1", "25.2", fire=False))


def test_a_path_to_a_roof_takes_the_stairs() -> None:
    town = Town()
    town.house("25", town.box("0503"), rooms=1, roof=True)
    assert town.cost("25.1", "25 roof", fire=False) == 1
    assert town.cost("25 roof", "0506", fire=False) == 1 + 2 + 1 + 1
    assert town.cost("0506", "25 roof", fire=False) == 1 + 1 + 2 + 1
    assert town.points("0506", "25 roof", fire=False).steps[-1].text == "25.1 to 25 roof by the roof access"
    town.house("26", town.box("0507"), rooms=2, roof=True)
    assert town.cost("26 roof", "26.2", fire=False) == 1 + 2
    assert town.cost("25 roof", "26 roof", fire=False) == 4


def test_a_roof_without_stairs_is_reached_straight() -> None:
    town = Town()
    town.house("25", town.box("0503"))
    town.map.add("place", type="roof", name="top", at=list(town.centre("0503")), within="area-25", level=2)
    assert town.cost("top", "0505", fire=False) == 2


def test_underground() -> None:
    town = Town()
    town.area("U", "underground", town.box("0505", "0506"))
    x, y = town.centre("0505")
    town.area("U.1", "room", (x - 300, y - 200, x + 300, y + 200), within="area-U")
    town.area("U.2", "room", (x - 300, y + 200, x + 300, y + 680), within="area-U")
    town.map.add("link", type="underground_access", a="0503", b="U.1")
    assert town.cost("0503", "U.1", fire=False) == 1
    assert town.cost("0501", "U.2", fire=False) == 2 + 1 + 2
    assert town.cost("U.2", "0501", fire=False) == 2 + 1 + 2
    assert town.cost("U.1", "U.2") == 2


def test_a_location_is_no_distance_from_itself() -> None:
    town = Town()
    assert town.points("0505", "0505", fire=True).steps == town.points("0505", "0505", fire=False).steps == ()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_every_distance_adds_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make(rng, int(rng.integers(3, 8)), int(rng.integers(3, 8)))
    survey = Survey(model, RULES.survey_scheme)
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    judge = RULES.sight.judge(survey, RULES.options(chosen), Conditions())
    numbers = survey.directory.numbers
    for a, b in rng.choice(numbers, size=(25, 2)).tolist():
        for fire in (True, False):
            points = judge.effect_points(a, b, fire=fire)
            assert points.total == sum(step.cost for step in points.steps)
            assert (points.total == 0) == (a == b)
            assert all(step.cost > 0 and step.rule and step.text for step in points.steps)
            hexes = max(a, b) < survey.grid.cells and not survey.directory.moved_dots
            if hexes and not (judge.scene.under[a] or judge.scene.under[b]):
                # No way is shorter than the hexes between, but for those without a dot, and breaches.
                played = (judge.scene.kind > 0) & ~judge.scene.under & ~judge.plan.in_buildings.any(axis=1)
                free = survey.grid.cells - int(played[: survey.grid.cells].sum())
                assert points.total + free >= survey.grid.distance(a, b)

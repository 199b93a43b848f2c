"""Movement in Armageddon War: the tables of 3.0 and 4.161 against the catalogue, and every rule about a single step."""

from fractions import Fraction

import pytest

from studio.errors import GridError, UnknownNameError
from studio.rules import get_ruleset
from tests.sight.maps import small_map

RULES = get_ruleset("armageddon_war")

# The reference table as printed: MP infantry, wheeled, tracked; DQ infantry, wheeled, tracked; does it block sight?
PRINTED = """
clear         1 2 1   0  0  0 no
cultivated    1 2 1  -1  0  0 no
soft_sand     2 3 2  -1  0  0 no
dunes         3 4 3  -2 -1 -1 yes
rough         2 X X  -2 -2 -2 yes
light_woods   1 2 2  -1 -1 -1 yes
dense_woods   2 X X  -2 -1 -1 yes
light_urban   1 1 1  -1  0  0 yes
dense_urban   1 2 2  -2 -1 -1 yes
marsh         3 X X  -1  0  0 no
river         X X X   1  1  1 no
refugee_camp  1 2 1  -1 -1 -1 yes
"""
MOVERS = ("infantry", "wheeled", "tracked")


@pytest.mark.parametrize("line", PRINTED.split("\n")[1:-1])
def test_the_catalogue_is_the_printed_table(line: str) -> None:
    name, *figures = line.split()
    terrain = RULES.terrain(name)
    costs = [None if figure == "X" else 2 * int(figure) for figure in figures[:3]]
    assert [RULES.move_cost(name, mover) for mover in MOVERS] == costs
    assert [terrain.defence[mover] for mover in MOVERS] == [int(figure) for figure in figures[3:6]]
    assert (terrain.sight == "obstacle") == (figures[6] == "yes")


def test_the_wadi_has_its_own_row() -> None:
    assert [RULES.terrain("wadi").defence[mover] for mover in MOVERS] == [-1, 0, 0]
    assert [RULES.move_cost("wadi", mover) for mover in MOVERS] == [2, 2, 2]  # along its bed, reference note 1


def cost(map_, a: str, b: str, mover: str = "infantry", **asked: bool) -> Fraction | None:
    return map_.step(a, b, mover=mover, **asked).cost


def test_road_movement_needs_the_side_that_the_road_crosses() -> None:
    woods = small_map(dense_woods="0303 0304 0403")
    woods.add("road", path=["0302", "0303", "0304"])
    assert [cost(woods, "0302", "0303", mover) for mover in MOVERS] == [Fraction(1, 2)] * 3
    assert [cost(woods, "0403", "0304", mover) for mover in MOVERS] == [2, None, None]  # into the road hex from aside
    assert [cost(woods, "0303", "0403", mover) for mover in MOVERS] == [2, None, None]


def test_climbing_costs_a_point_a_level_and_going_down_none() -> None:
    hill = small_map()
    hill.paint("0303", level=1).paint("0304", level=2)
    assert [cost(hill, "0302", "0303"), cost(hill, "0303", "0304"), cost(hill, "0304", "0303")] == [2, 2, 1]
    assert cost(hill, "0403", "0304") == 3  # two contour lines at once


def test_a_fence_and_a_breach() -> None:
    fenced = small_map()
    fenced.set_side("0302", "0303", "fence")
    assert [cost(fenced, "0302", "0303", mover) for mover in MOVERS] == [5, None, 4]
    fenced.set_side("0302", "0303", ["fence", "breached_fence"])
    assert [cost(fenced, "0302", "0303", mover) for mover in MOVERS] == [2, 3, 2]


def test_a_wadi_is_entered_and_left_at_its_ends_only() -> None:
    bed = small_map(wadi="0303 0304")
    assert cost(bed, "0302", "0303") is None
    assert cost(bed, "0303", "0302") is None
    bed.set_side("0302", "0303", "wadi_end")
    assert cost(bed, "0302", "0303", "wheeled") == 1
    assert cost(bed, "0303", "0304", "wheeled") == 1
    assert cost(bed, "0303", "0302") == 2  # out of it counts as going uphill


def test_rivers_bridges_and_amphibious_vehicles() -> None:
    river = small_map(river="0303 0403 0503")
    assert [cost(river, "0302", "0303", mover) for mover in MOVERS] == [None] * 3
    assert cost(river, "0302", "0303", "amphibious_tracked") == 4
    river.add("road", path=["0302", "0303", "0304"])
    assert cost(river, "0302", "0303", "wheeled") == Fraction(1, 2)
    aside = next(
        name
        for name in map(river.labels.label, river.grid.neighbours(river.labels.cell("0303")))
        if name not in {"0302", "0304", "0403"}
    )
    assert cost(river, aside, "0303", "tracked") == Fraction(1, 2)  # a bridge is open to every adjacent land hex
    assert cost(river, "0403", "0303", "amphibious_tracked") == 4  # but from the water it is water


def test_barricades_and_civilians() -> None:
    street = small_map(light_urban="0303")
    street.add("marker", type="barricade", at="0303")
    assert cost(street, "0302", "0303") == 3
    street.add("marker", type="civilians", at="0303")
    assert cost(street, "0302", "0303") == 4


def test_flank_speed_takes_a_point_off_but_never_below_half_a_point() -> None:
    open_ground = small_map(dunes="0303")
    assert cost(open_ground, "0302", "0303", flank=True) == 2
    assert cost(open_ground, "0303", "0302", flank=True) == Fraction(1, 2)


def test_a_step_explains_itself() -> None:
    hill = small_map(light_woods="0303")
    hill.paint("0303", level=1)
    step = hill.step("0302", "0303", mover="tracked")
    assert [(part.rule, part.halves) for part in step.parts] == [("3.0", 4), ("3.0 elevation", 2)]
    assert str(step) == "0302 to 0303 (tracked): 3 MP; 0303 light woods; 0303: up 1 level"


def test_what_is_no_step() -> None:
    with pytest.raises(GridError, match="not adjacent"):
        small_map().step("0101", "0303", mover="infantry")
    with pytest.raises(UnknownNameError, match="did you mean 'tracked'"):
        small_map().step("0101", "0102", mover="trakced")

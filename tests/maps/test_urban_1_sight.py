"""Lines of sight and effect points in the town quarter, worked out by hand from the drawing."""

import pytest

from studio.sight import Conditions
from tests.maps.quarter import Quarter


@pytest.fixture(scope="module")
def quarter() -> Quarter:
    return Quarter()


SIGHTS = [
    # In the street nothing stands between; the trees west of the mosque do (5.1.9.1).
    ("1812", "1816", "clear", "no obstacle"),
    ("1907", "2207", "blocked", "2007 wood"),
    ("1907", "2007", "clear", ""),  # a line may end on an obstacle
    # 25.2 looks east: 1923 is in the arc, 1926 is not, and 2223 hides behind the churchyard wall (5.1.9.4, 5.1.9.1).
    ("25.2", "1923", "clear", "1923 lies in its arc of fire"),
    ("25.2", "1926", "blocked", "1926 lies outside the arcs of fire"),
    ("25.2", "2223", "blocked", "Churchyard west outer wall: level 1, higher than both ends"),
    ("10.3", "1107", "blocked", "no aperture, and no breach has been made"),
    # The roof of 24 looks over its own building, not over 25 (plateau effect, 5.1.9.3), but to the roof of 25.
    ("24 roof", "1925", "blocked", "25 building: level 2, as high as 24 roof, and hides 1925 below (plateau effect)"),
    ("24 roof", "1424", "clear", "its own roof"),
    ("24 roof", "25 roof", "clear", "its own roof"),
    # From the roof of 25 the hex right behind the churchyard wall is blind, the next one is not.
    ("25 roof", "2023", "blocked", "2023 (level 0) is in the blind hex"),
    ("25 roof", "2123", "clear", "seen over from level 2"),
    # The same with the stalls in the square: 2513 lies right behind 2412, 2612 does not.
    ("29 roof", "2513", "blocked", "2412 defensive terrain: level 1, and 2513 (level 0) is in the blind hex"),
    ("29 roof", "2612", "clear", "2412 defensive terrain: level 1, seen over"),
    # The bank hides the sewer from all but who stands on its edge; a roof sees into it (5.1.9.3).
    ("3320", "3321", "clear", ""),
    ("3320", "3322", "clear", "3321 open sewer: no obstacle"),
    ("3321", "3323", "blocked", "plateau effect"),
    ("20 roof", "2421", "clear", ""),
    # The levee stands between the quay and the river; from the top one sees both.
    ("3704", "4204", "blocked", "elevation"),
    ("3704", "4004", "clear", ""),
    ("4004", "4204", "clear", ""),
    # Above and below each other (page 15).
    ("25 roof", "25.1", "clear", "two ends"),
    ("25 roof", "25.4", "blocked", "does not hold its access"),
    ("10.1", "B", "clear", "two ends"),
    ("10 roof", "B", "blocked", "underground"),
    ("2121", "4611", "clear", "two ends"),
    ("2221", "4611", "blocked", "underground"),
    ("10 roof", "11 roof", "clear", "its own roof"),
    # Within a building: zones of one room, one partition, two partitions (8.2.7.8.1).
    ("26.1", "26.6", "clear", "same room"),
    ("26.8", "26.3", "clear", "one partition"),
    ("26.8", "26.7", "blocked", "partition 2"),
    ("9.1", "9.3", "blocked", "partition 2"),
    # Underground: along a sewer, through a door, and through solid ground (5.1.7).
    ("5512", "5517", "clear", "open, as clear terrain is"),
    ("F", "5212", "clear", "arc of fire"),
    ("5207", "5213", "blocked", "solid ground"),
]


@pytest.mark.parametrize(("a", "b", "status", "why"), SIGHTS)
def test_lines_of_sight(quarter: Quarter, a: str, b: str, status: str, why: str) -> None:
    sighting = quarter.map.sight(a, b)
    assert (sighting.status, quarter.map.sight(b, a).status) == (status, status)
    decisive = {"blocks"} if status == "blocked" else {"passes", "counts"}
    texts = [reason.text for reason in sighting.reasons if reason.effect in decisive]
    assert not why or any(why in text for text in texts), texts


@pytest.mark.parametrize(
    ("breach", "a", "b", "beside"),
    [
        ("breach-2.6-1", "2.6", "1604", "1702"),  # it looks south, not east
        ("wall-breach-5", "1617", "1718", ""),  # both beside the wall of the school yard
        ("wall-breach-5", "1518", "1817", "1717"),  # along the line through the breach, and past it
    ],
)
def test_a_breach_is_a_wall_until_it_is_opened(quarter: Quarter, breach: str, a: str, b: str, beside: str) -> None:
    opened = Conditions(opened=frozenset({breach}))
    assert quarter.map.sight(a, b).status == "blocked"
    assert quarter.map.sight(a, b, conditions=opened).status == "clear"
    if beside:
        assert quarter.map.sight(a, beside, conditions=opened).status == "blocked"


def test_fields_of_view_say_what_single_lines_say(quarter: Quarter) -> None:
    judge, number = quarter.map.judge(), quarter.directory.number
    targets = quarter.directory.numbers.tolist()[::9]
    for label in ("25.2", "29 roof", "2421", "1812", "U5.1"):
        codes = judge.field(number(label))[0].ravel()
        seen = [judge.sighting(number(label), target).status == "clear" for target in targets]
        assert [codes[target] == 1 for target in targets] == seen


# -- effect points (4.3.7.1, ER9) ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "fire", "steps"),
    [
        ("1812", "1816", True, (1, 1, 1, 1)),  # four hexes of street
        ("25.2", "1923", True, (2,)),  # the aperture instead of the hex behind it
        ("24 roof", "25 roof", True, (1, 1, 1)),  # a street hex, the alley, the other roof
        ("29 roof", "2612", True, (1, 1, 1, 1, 1)),  # whatever the terrain
        ("1718", "1617", True, (2,)),  # over the outer wall
        ("26.1", "26.3", True, (1, 1)),  # two zones
        ("9.1", "9.2", True, (1, 1)),  # the partition is added
        ("1923", "25 roof", False, (2, 1, 1, 1)),  # facade, partition and room, stairs
    ],
)
def test_effect_points(quarter: Quarter, a: str, b: str, fire: bool, steps: tuple[int, ...]) -> None:
    number = quarter.directory.number
    found = quarter.map.judge().effect_points(number(a), number(b), fire=fire)  # type: ignore[attr-defined]
    assert tuple(step.cost for step in found.steps) == steps
    assert found.total == sum(steps)


def test_effect_points_through_an_opened_breach(quarter: Quarter) -> None:
    judge = quarter.map.judge(conditions=Conditions(opened=frozenset({"wall-breach-5"})))
    ends = map(quarter.directory.number, ("1817", "1518"))
    found = judge.effect_points(*ends, fire=True)  # type: ignore[attr-defined]
    assert [(step.at, step.cost) for step in found.steps] == [("1718", 1), ("1617", 1), ("1518", 1)]

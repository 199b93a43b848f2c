"""What single games offer beside lines of sight is asked of the map, and refused clearly where the game has none."""

import pytest

import studio
from studio.errors import UnsupportedError
from tests.sight.maps import small_map


def street_map() -> studio.Map:
    """Return two zones that face each other across one street section, with a second one behind it."""
    map_ = studio.new_map("phantom_fury", 10, 10)
    for name, kind, x, y in (
        ("1", "zone", 300, 300),
        ("S1", "street", 1500, 300),
        ("S2", "street", 2700, 300),
        ("2", "zone", 3900, 300),
        ("3", "zone", 1500, 1500),
    ):
        ring = [[x, y], [x + 1200, y], [x + 1200, y + 1200], [x, y + 1200]]
        map_.add("area", id=f"area-{name}", type=kind, name=name, outline=ring)
    return map_


def test_lines_of_fire_are_proposed_and_accepted_as_one_step() -> None:
    map_ = street_map()
    assert map_.sight("1", "2").status == "blocked"
    found = map_.suggest_lines_of_fire(streets=False)
    assert [(proposal.a, proposal.b) for proposal in found] == [("1", "2"), ("2", "3")]
    ids = map_.accept(found[:1])
    assert map_.sight("1", "2").status == "clear"
    assert map_.features[ids[0]].type == "line_of_fire"  # type: ignore[union-attr]
    assert map_.accept(found[:1]) == []  # it is there already
    map_.undo()
    assert map_.sight("1", "2").status == "blocked"
    assert map_.accept([]) == []


def test_wrong_measures_and_proposals_are_named() -> None:
    map_ = street_map()
    with pytest.raises(UnsupportedError, match="got bogus=3"):
        map_.suggest_lines_of_fire(bogus=3)
    for wrong in ("1", ["1"], 7):
        with pytest.raises(UnsupportedError, match="give proposals of suggest_lines_of_fire"):
            map_.accept(wrong)  # type: ignore[arg-type]


def test_effect_points_are_counted_where_the_game_has_them() -> None:
    town = studio.new_map("urban_operations", 6, 6)
    assert town.effect_points("0101", "0104", fire=True).total == town.grid.distance(0, 18)


def test_games_without_them_say_so() -> None:
    with pytest.raises(UnsupportedError, match="Armageddon War has no target symbols"):
        small_map().suggest_lines_of_fire()
    with pytest.raises(UnsupportedError, match="measures no distance in effect points"):
        small_map().effect_points("0101", "0103")

"""Sight in Urban Operations, rule by rule (5.1.9), each with its other readings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import HexGrid, LabelScheme
from studio.model import Dot, MapModel
from studio.sight import CLEAR, STATUSES, Conditions
from studio.survey import Survey
from tests.sight.makers.urban_operations import RULES, make
from tests.sight.urban_town import Town

OBSTACLES = ["wood", "defensive_terrain", "elevation"]
OBSTACLE_MARKERS = ["smoke", "wreck", "fortified", "vehicle"]
OTHER_MARKERS = ["toxic_cloud", "barricade", "ied_uxo", "civilian_population", "at_mine", "underground_access"]


# -- 5.1.9.1: what stands in the way ---------------------------------------------------------------------------------


@pytest.mark.parametrize("terrain", OBSTACLES)
def test_obstacle_terrain_hides_what_is_behind_it(terrain: str) -> None:
    town = Town(**{terrain: "0504"})
    found = town.sight("0502", "0506")
    assert found.status == "blocked"
    assert found.blocked_at == "0504"


@pytest.mark.parametrize("terrain", ["clear", "alley", "water", "open_sewer", "unplayable"])
def test_other_terrain_hides_nothing_between_units_on_the_ground(terrain: str) -> None:
    assert Town(**{terrain: "0504"}).status("0502", "0506") == "clear"


@pytest.mark.parametrize("kind", OBSTACLE_MARKERS)
def test_obstacle_markers_hide_what_is_behind_them(kind: str) -> None:
    town = Town()
    town.marker(kind, "0504")
    assert town.status("0502", "0506") == "blocked"
    assert town.status("0502", "0504") == "clear"


@pytest.mark.parametrize("kind", OTHER_MARKERS)
def test_other_markers_hide_nothing(kind: str) -> None:
    town = Town()
    town.marker(kind, "0504")
    assert town.status("0502", "0506") == "clear"


def test_the_tail_of_a_cloud_hides_too() -> None:
    town = Town()
    town.marker("smoke", "0504", "0604", "0705")
    assert town.status("0703", "0707") == "blocked"


def test_smoke_and_vehicles_of_the_moment() -> None:
    town = Town()
    number = town.map.survey.directory.number
    smoke = Conditions(smoke=frozenset({number("0504")}))
    vehicle = Conditions(vehicles=frozenset({number("0504")}))
    assert town.status("0502", "0506", smoke) == "blocked"
    assert town.status("0502", "0506", vehicle) == "blocked"
    assert town.status("0502", "0506") == "clear"
    with pytest.raises(GridError, match="no location has the number 9999 for smoke"):
        town.sight("0502", "0506", Conditions(smoke=frozenset({9999})))


@pytest.mark.parametrize("terrain", OBSTACLES)
def test_a_line_may_start_and_end_on_an_obstacle(terrain: str) -> None:
    assert Town(**{terrain: "0502 0506"}).status("0502", "0506") == "clear"


def test_the_los_examples() -> None:
    town = Town(wood="0203 0205 0504 0604")
    a, b, c, d, e = "0203", "0205", "0403", "0603", "0605"
    assert town.status(a, b) == "clear"  # starts and ends on an obstacle
    assert town.status(a, c) == "clear"  # starts on one
    assert "0504 wood (along its side)" in town.why(c, d)
    assert "0604 wood:" in town.why(d, e)
    assert town.status(c, d) == town.status(d, e) == "blocked"
    assert town.status("0801", "0805") == "clear"  # F and G: no contact with the wood beside it


def test_a_line_that_touches_the_corner_of_an_obstacle_is_blocked() -> None:
    town = Town()
    touches = [
        (label, contact.at)
        for label in town.map.labels.all()
        for contact in town.sight("0101", label).contacts
        if contact.how == "touch"
    ]
    assert touches
    for label, corner in touches[:4]:
        wooded = Town(wood=str(corner))
        assert wooded.status("0101", label) == "blocked"
        assert "(at its corner)" in wooded.why("0101", label)


def test_adjacent_locations_see_each_other() -> None:
    town = Town(wood="0504", elevation="0505", water="0604")
    for other in ("0504", "0505", "0604", "0404"):
        assert town.status("0504" if other != "0504" else "0503", other) == "clear"


# -- walls: their outline only ---------------------------------------------------------------------------------------


def test_an_outer_wall_hides_by_its_outline_only() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.wall((x - 400, y + 100), (x - 100, y + 100))  # in the same hex, beside the line
    assert town.status("0502", "0506") == "clear"
    town.wall((x - 100, y + 100), (x + 300, y + 100), name="north wall")
    assert town.status("0502", "0506") == "blocked"
    assert town.why("0502", "0506") == ("north wall: level 1, higher than both ends")
    assert town.status("0504", "0505") == "blocked"  # adjacent hexes with a wall between them


def test_a_line_that_touches_the_end_of_a_wall() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.wall((x, y + 100), (x + 300, y + 100))
    assert town.status("0502", "0506") == "blocked"
    assert town.status("0502", "0506", wall_touch="passes") == "clear"


def test_a_line_along_a_wall() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.wall((x, y - 100), (x, y + 100))
    assert town.status("0502", "0506") == "blocked"
    assert town.status("0502", "0506", wall_along="passes") == "clear"
    assert town.status("0504", "0506") == "blocked"


def test_a_wall_under_the_dot_of_an_end_does_not_count() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.wall((x - 300, y), (x + 300, y))
    assert town.status("0504", "0506") == town.status("0502", "0504") == "clear"
    assert town.status("0502", "0506") == "blocked"


def test_a_building_hides_by_its_facade() -> None:
    town = Town()
    town.house("25", town.box("0504", wide=200))
    assert town.status("0502", "0506") == "blocked"
    assert town.why("0502", "0506") == "25 building: level 2, higher than both ends"
    assert town.status("0402", "0406") == "clear"


def test_a_line_along_a_facade_and_at_its_corner() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.house("25", (x, y - 100, x + 300, y + 100))
    town.map.paint("0504", terrain="clear")
    assert town.status("0502", "0506") == "blocked"
    assert town.status("0502", "0506", wall_along="passes") == "clear"
    corner = Town()
    corner.map.add("area", type="building", outline=[[x, y - 100], [x + 300, y - 200], [x + 300, y + 200]])
    assert corner.status("0502", "0506") == "blocked"
    assert corner.status("0502", "0506", wall_touch="passes") == "clear"


# -- what is told ----------------------------------------------------------------------------------------------------


def test_everything_met_is_told_in_order() -> None:
    town = Town(wood="0503", defensive_terrain="0507")
    town.house("25", town.box("0505"), roof=True)
    town.wall_below("0508", name="south wall")
    found = town.sight("0502", "0510")
    assert [reason.at for reason in found.reasons if reason.effect == "blocks"] == ["0503", "25", "0507", "south wall"]
    assert found.blocked_at == "0503"
    assert [contact.at for contact in found.contacts if not contact.cells] == ["25", "south wall"]
    enters = [contact.enter for contact in found.contacts]
    assert enters == sorted(enters)
    assert [(step.at, step.level) for step in found.profile][:5] == [
        ("0502", 0), ("0503", 0), ("0504", 0), ("0505", 0), ("25", 2),
    ]  # fmt: skip
    assert found.profile[0].enter == 0
    assert found.profile[-1].leave == 1
    assert str(found).startswith("0502 to 0510: blocked")


def test_a_location_sees_itself() -> None:
    found = Town(wood="0503").sight("0503", "0503")
    assert (found.status, found.contacts, len(found.profile)) == ("clear", (), 1)


# -- all locations at once -------------------------------------------------------------------------------------------


def random_judge(seed: int, size: int = 9, plain: bool = False) -> tuple[Survey, object]:
    rng = np.random.default_rng(seed)
    model = make(rng, int(rng.integers(3, size)), int(rng.integers(3, size)))
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    survey = Survey(model, RULES.survey_scheme)
    numbers = survey.directory.numbers
    conditions = Conditions(
        from_kind="sniper" if rng.random() < 0.3 else "",
        smoke=frozenset(rng.choice(numbers, 1).tolist()) if rng.random() < 0.3 else frozenset(),
        vehicles=frozenset(rng.choice(numbers, 2).tolist()) if rng.random() < 0.3 else frozenset(),
    )
    options = RULES.options(chosen if rng.random() < 0.5 and not plain else {})
    return survey, RULES.sight.judge(survey, options, conditions)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_a_field_of_view_is_what_the_judge_says_of_every_line(seed: int) -> None:
    survey, judge = random_judge(seed)
    numbers = survey.directory.numbers
    for a in np.random.default_rng(seed).choice(numbers, size=min(3, len(numbers)), replace=False).tolist():
        codes, hindrances = judge.field(a)  # type: ignore[attr-defined]
        assert hindrances == {}
        assert codes.shape == (len(survey.directory),)
        assert np.flatnonzero(codes).tolist() == numbers.tolist()
        for b in numbers.tolist():
            assert STATUSES[codes[b]] == judge.sighting(a, b).status, (a, b)  # type: ignore[attr-defined]


def random_country(seed: int) -> tuple[Survey, object]:
    """Return a judge for hexes alone, on every level: they are looked at all together."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(
        columns=int(rng.integers(4, 22)),
        rows=int(rng.integers(4, 22)),
        orientation=str(rng.choice(["flat", "pointy"])),  # type: ignore[arg-type]
        stagger=str(rng.choice(["odd", "even"])),  # type: ignore[arg-type]
    )
    model = MapModel("urban_operations", grid, LabelScheme.ccrr(pad=3), RULES.terrain_characters)
    dense = float(rng.choice([0.02, 0.1, 0.3]))
    kinds = ["wood", "defensive_terrain", "elevation", "water", "alley", "unplayable", "underground_sewer"]
    share = dict.fromkeys(model.terrain_ids, 0.0) | dict.fromkeys(kinds, dense / len(kinds)) | {"clear": 1 - dense}
    model.terrain[:] = rng.choice(len(share), size=model.terrain.shape, p=list(share.values()))
    model.levels[:] = rng.choice([-1, 0, 1, 2], size=model.levels.shape, p=rng.dirichlet([0.3, 3, 0.3, 0.3]))
    for cell in rng.choice(grid.cells, size=3 * int(rng.integers(2)), replace=False).tolist():
        x, y = grid.centre(cell)
        point = (x + int(rng.integers(-200, 200)), y + int(rng.integers(-200, 200)))
        model.features[f"dot-{cell}"] = Dot(id=f"dot-{cell}", at=model.labels.label(cell), point=point)
    chosen = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    survey = Survey(model, RULES.survey_scheme)
    return survey, RULES.sight.judge(survey, RULES.options(chosen if rng.random() < 0.7 else {}), Conditions())


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_field_of_view_over_hexes_is_what_the_judge_says_of_every_line(seed: int) -> None:
    survey, judge = random_country(seed)
    numbers = survey.directory.numbers
    rng = np.random.default_rng(seed)
    for a in rng.choice(numbers, size=min(3, len(numbers)), replace=False).tolist():
        codes, _ = judge.field(a)  # type: ignore[attr-defined]
        for b in rng.choice(numbers, size=min(120, len(numbers)), replace=False).tolist():
            assert (codes[b] == CLEAR) == judge.visible(a, b), (a, b)  # type: ignore[attr-defined]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_a_table_is_what_the_fields_of_view_say(seed: int) -> None:
    survey, judge = random_judge(seed, size=7)
    numbers = survey.directory.numbers
    codes = judge.table(numbers)  # type: ignore[attr-defined]
    for row, a in enumerate(numbers.tolist()):
        assert codes.row(row).tolist() == judge.field(a)[0][numbers].tolist()  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(10))
def test_verdicts_are_reciprocal(seed: int) -> None:
    survey, judge = random_judge(seed, size=7, plain=True)
    numbers = survey.directory.numbers.tolist()
    for at, a in enumerate(numbers):
        for b in numbers[:at]:
            assert judge.visible(a, b) == judge.visible(b, a), (a, b)  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(3))
def test_lines_are_the_same_from_both_ends(seed: int) -> None:
    survey, judge = random_judge(seed, size=7, plain=True)
    numbers = survey.directory.numbers
    for a, b in np.random.default_rng(seed).choice(numbers, size=(60, 2)).tolist():
        there, back = judge.sighting(a, b), judge.sighting(b, a)  # type: ignore[attr-defined]
        turned = {(one.at, one.how, 1 - one.leave, 1 - one.enter) for one in back.contacts}
        assert {(one.at, one.how, one.enter, one.leave) for one in there.contacts} == turned
        assert {reason.at for reason in there.reasons if reason.effect == "blocks"} == {
            reason.at for reason in back.reasons if reason.effect == "blocks"
        }

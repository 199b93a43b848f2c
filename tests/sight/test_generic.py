"""Sight in a designer's own game: every choice of its file, the judge against its fast paths, faulty files."""

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.errors import DocumentError, NoSightError, ScenarioRuleError, UnknownNameError, UnsupportedError
from studio.grid import HexGrid, LabelScheme, hex_line
from studio.grid.lines import line_template, sextant
from studio.model import MapModel
from studio.rules import Ruleset, get_ruleset, load_ruleset, ruleset_beside
from studio.rules.generic.heights import FOREVER, Blind, least_top, rises, span
from studio.rules.generic.plain import suits_plainly
from studio.rules.generic.settings import SETTINGS
from studio.sight import STATUSES, Conditions, Directions, Sighting
from studio.sight.fast.weighted import side_ends, side_shadows
from studio.sight.trace.hexsides import side_template
from studio.sight.trace.steps import line_steps
from studio.survey import Survey
from tests.sight.makers.generic import RULES, draw_options, game, make, random_map

PAGE = Path(__file__).parents[2] / "docs" / "own-game.md"


def small(columns: int = 9, rows: int = 9, rules: Ruleset = RULES, **terrain: str) -> Map:
    """Return a map of clear terrain with some hexes painted: ``small(wood="0202 0203")``."""
    grid = HexGrid(columns=columns, rows=rows)
    made = Map(MapModel(rules.id, grid, LabelScheme.ccrr(), rules.terrain_characters), ruleset=rules)
    for name, labels in terrain.items():
        made.paint(labels.split(), terrain=name)
    return made


def look(map_: Map, a: str, b: str, conditions: Conditions | None = None, **options: Any) -> Sighting:
    """Judge a line with some options, and see that the other end, the field of view and the table agree."""
    found = map_.sight(a, b, options=options, conditions=conditions)
    view = map_.field_of_view(a, options=options, conditions=conditions)
    assert view.status(b) == found.status
    assert view.hindrances.get(b, 0) == found.hindrances
    if conditions is None or conditions.from_air == conditions.to_air:
        assert map_.sight(b, a, options=options, conditions=conditions).status == found.status
        assert map_.sight_table(options=options, conditions=conditions).status(b, a) == found.status
    return found


# -- lines along a side, pits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", SETTINGS["along"].values)
def test_a_clear_line_along_one_side_is_clear_and_meets_that_side_only(rule: str) -> None:
    found = look(small(5, 5), "0101", "0202", along=rule)
    assert found.status == "clear"
    assert [(contact.how, set(contact.at)) for contact in found.contacts] == [("along", {"0102", "0201"})]


@pytest.mark.parametrize("rule", SETTINGS["along"].values)
def test_two_blocking_hexes_beside_a_line_block_under_every_rule_and_one_by_the_rule(rule: str) -> None:
    assert look(small(5, 5, wood="0102 0201"), "0101", "0202", along=rule).status == "blocked"
    for one in ("0102", "0201"):
        expected = "blocked" if rule == "either" else "clear"
        assert look(small(5, 5, wood=one), "0101", "0202", along=rule).status == expected


def test_single_blocking_hexes_beside_a_line_are_counted_if_so_chosen() -> None:
    line = ("0101", "0304")
    first, middle, second = (contact.at for contact in small().sight(*line).contacts)
    assert middle == "0202"
    map_ = small(wood=f"{first[0]} {second[0]}")
    assert look(map_, *line, along="both").status == "clear"
    found = look(map_, *line, along="count")
    assert found.status == "blocked"
    assert [reason.effect for reason in found.reasons if reason.effect in ("counts", "blocks")] == ["counts", "blocks"]


def test_a_line_along_sides_names_both_hexes_of_each_from_either_end() -> None:
    for ends in (("0505", "0905"), ("0905", "0505")):
        met = {at if isinstance(at, str) else tuple(sorted(at)) for at in (c.at for c in small().sight(*ends).contacts)}
        assert met == {("0604", "0605"), "0705", ("0804", "0805")}


def test_beside_the_edge_of_the_map_the_hex_that_is_there_decides_unless_chosen_otherwise() -> None:
    map_ = small(5, 5, wood="0201")
    for rule in SETTINGS["along"].values:
        found = look(map_, "0101", "0301", along=rule)
        assert (found.status, found.blocked_at) == ("blocked", "0201")
        expected = "blocked" if rule == "either" else "clear"
        assert look(map_, "0101", "0301", along=rule, off_map="absent_is_clear").status == expected
    assert look(small(5, 5), "0101", "0301").status == "clear"
    hedged = small(5, 5, town="0201")
    assert look(hedged, "0101", "0301", along_hinder="lighter").status == "hindered"
    assert look(hedged, "0101", "0301", along_hinder="lighter", off_map="absent_is_clear").status == "clear"


@pytest.mark.parametrize("blind", SETTINGS["blind"].values)
def test_looking_down_across_a_pit_is_clear_and_the_profile_is_true(blind: str) -> None:
    map_ = small(5, 5)
    map_.paint("0101", level=2).paint("0102", level=-1).paint("0103", level=1)
    found = look(map_, "0101", "0103", blind=blind)
    assert found.status == "clear"
    assert [(step.at, step.level) for step in found.profile] == [("0101", 2), ("0102", -1), ("0103", 1)]


@pytest.mark.parametrize(
    ("rule", "count"),
    [("heavier", 2), ("each", 3), ("lighter", 1)],
)
def test_what_hinders_beside_a_line(rule: str, count: int) -> None:
    map_ = small(town="0102 0201")
    map_.add("marker", type="wreck", at="0201")
    found = look(map_, "0101", "0202", along_hinder=rule, hinder_hex="each", hindrance_limit=9)
    assert (found.status, found.hindrances) == ("hindered", count)


def test_a_corner_is_free_or_counts() -> None:
    grid = small().grid
    touched = [
        (a, b, contact.cells[0])
        for a in range(grid.cells)
        for b in range(grid.cells)
        for contact in hex_line(grid, a, b)
        if contact.how == "touch"
    ]
    assert touched
    a, b, cell = touched[0]
    names = [small().labels.label(one) for one in (a, b, cell)]
    blocked, hindered = small(wood=names[2]), small(town=names[2])
    assert look(blocked, names[0], names[1]).status == look(hindered, names[0], names[1]).status == "clear"
    for rule in ("both", "either"):
        assert look(blocked, names[0], names[1], touch="counts", along=rule).status == "blocked"
    assert look(blocked, names[0], names[1], touch="counts", along="count").status == "clear"
    assert look(hindered, names[0], names[1], touch="counts").status == "hindered"


# -- hindrances --------------------------------------------------------------------------------------------------------


def test_so_many_hindrances_pass_and_the_next_one_blocks() -> None:
    map_ = small(town="0103 0105 0107")
    assert [look(map_, "0101", b).hindrances for b in ("0103", "0104", "0106")] == [0, 1, 2]
    found = look(map_, "0101", "0109")
    assert (found.status, found.hindrances, found.blocked_at) == ("blocked", 0, "0107")
    assert "only 2 pass" in next(reason.text for reason in found.reasons if reason.effect == "blocks")
    assert look(map_, "0101", "0109", hindrance_limit=3).status == "hindered"
    assert look(map_, "0101", "0104", hindrance_limit=0).status == "blocked"


def test_a_hex_hinders_once_or_for_each_thing_in_it() -> None:
    map_ = small(town="0103")
    map_.add("marker", type="wreck", at="0103")
    map_.add("marker", type="flag", at="0103")
    assert look(map_, "0101", "0105").hindrances == 1
    assert look(map_, "0101", "0105", hinder_hex="each").hindrances == 2


def test_hindrances_bring_their_modifiers() -> None:
    rules = game({"modifiers": {"DQ": -1, "range": 2}})
    found = look(small(rules=rules, town="0103 0104"), "0101", "0106")
    assert found.modifiers == {"DQ": -2, "range": 4}
    assert look(small(rules=rules), "0101", "0106").modifiers == {}


# -- heights -----------------------------------------------------------------------------------------------------------


def test_an_obstacle_blocks_between_lower_ends_and_is_seen_over_from_its_own_height() -> None:
    map_ = small(wood="0105")
    assert look(map_, "0101", "0109").blocked_at == "0105"
    map_.paint(["0101", "0109"], level=1)
    assert look(map_, "0101", "0109").status == "clear"
    assert look(map_, "0101", "0108").status == "clear"


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_fixed_blind_hexes_behind_an_obstacle(depth: int) -> None:
    map_ = small(wood="0104").paint("0101", level=3)
    seen = [look(map_, "0101", f"010{row}", blind_depth=depth).status for row in range(5, 10)]
    assert seen == ["blocked"] * depth + ["clear"] * (5 - depth)


def test_blind_hexes_in_proportion_to_the_height() -> None:
    map_ = small(1, 12, wood="0104").paint("0101", level=3)
    hidden = [look(map_, "0101", f"01{row:02}", blind="proportional", blind_depth=4).status for row in range(5, 13)]
    # The wood reaches 1 above the target and 2 below the viewer: 4 times 1 by 2 hexes.
    assert hidden == ["blocked"] * 2 + ["clear"] * 6
    map_.paint("0101", level=1)
    assert look(map_, "0101", "0112", blind="proportional").status == "blocked"  # as high as the top: all behind it


def test_the_true_line_from_eye_to_eye() -> None:
    map_ = small(1, 12, wood="0104").paint("0101", level=3)
    hidden = [look(map_, "0101", f"01{row:02}", blind="interpolated").status for row in range(5, 13)]
    # Of N hexes the line to the ground is 3 (N - 3) / N high over the wood: above 1 from N = 5 on.
    expected = ["blocked" if 1 * n > 3 * (n - 3) else "clear" for n in range(4, 12)]
    assert hidden == expected
    low = map_.sight("0101", "0105", options={"blind": "interpolated"})
    assert "0104 wood: up to height 1, and the line passes below that, at height 3/4" in str(low)


def test_the_ground_is_an_obstacle_or_a_summit_or_nothing() -> None:
    slope = small().paint("0101", level=2).paint("0102", level=1)
    assert [look(slope, "0101", "0103", ground=rule).status for rule in ("full", "summit", "ignored")] == [
        "blocked",
        "clear",
        "clear",
    ]
    ridge = small().paint("0103", level=1)
    assert [look(ridge, "0101", "0105", ground=rule).status for rule in ("full", "summit", "ignored")] == [
        "blocked",
        "blocked",
        "clear",
    ]


def test_eyes_above_the_ground_and_units_in_the_air() -> None:
    map_ = small(wood="0105")
    assert look(map_, "0101", "0109", eye=1).status == "clear"
    assert look(map_, "0101", "0109", eye=1, height=2).status == "blocked"
    assert look(map_, "0101", "0109", Conditions(from_air=True)).status == "clear"
    assert look(map_, "0101", "0109", Conditions(from_air=True), air=0).status == "blocked"
    assert look(map_, "0101", "0106", Conditions(from_air=True)).status == "blocked"
    assert look(map_, "0101", "0109", Conditions(from_air=True, to_air=True)).status == "clear"


def test_things_without_a_height_have_the_common_one() -> None:
    map_ = small(wood="0105").paint(["0101", "0109"], level=1)
    assert look(map_, "0101", "0109").status == "clear"
    assert look(map_, "0101", "0109", height=2).status == "blocked"
    assert look(small(forest="0105").paint(["0101", "0109"], level=1), "0101", "0109").status == "blocked"


# -- ends, neighbours, range, sides ------------------------------------------------------------------------------------


def test_the_hexes_of_the_ends_do_nothing_or_their_markers_or_all() -> None:
    map_ = small(wood="0101")
    assert [look(map_, "0101", "0104", ends=rule).status for rule in SETTINGS["ends"].values] == [
        "clear",
        "clear",
        "blocked",
    ]
    map_ = small()
    map_.add("marker", type="smoke", at="0104")
    assert [look(map_, "0101", "0104", ends=rule).status for rule in SETTINGS["ends"].values] == [
        "clear",
        "blocked",
        "blocked",
    ]


def test_adjacent_hexes_always_see_each_other_or_not() -> None:
    map_ = small(wood="0101", hedges="0103")
    assert look(map_, "0101", "0102", ends="all").status == "clear"
    assert look(map_, "0101", "0102", ends="all", adjacent=False).status == "blocked"
    assert look(map_, "0102", "0103", ends="all", hindrance_limit=0).status == "hindered"
    assert look(map_, "0102", "0103", ends="all", hindrance_limit=0, adjacent=False).status == "blocked"


def test_sight_reaches_so_far() -> None:
    assert look(small(), "0101", "0106", sight_range=5).status == "clear"
    found = look(small(), "0101", "0107", sight_range=5)
    assert found.status == "blocked"
    assert "reaches 5 hexes" in found.reasons[0].text
    assert look(small(), "0101", "0105", Conditions(visibility=3), sight_range=5).status == "blocked"


def test_what_stands_on_hexsides() -> None:
    map_ = small()
    map_.set_side("0103", "0104", ["hedge"])
    map_.set_side("0105", "0106", ["wall", "river"])
    assert look(map_, "0101", "0105").status == "hindered"
    assert look(map_, "0101", "0107").blocked_at == ("0105", "0106")
    assert look(map_, "0101", "0106").status == "hindered"  # the wall is a side of the end's own hex
    assert look(map_, "0101", "0106", end_sides="counts").status == "blocked"
    assert look(map_, "0105", "0106", end_sides="counts").status == "clear"
    assert look(map_, "0105", "0106", end_sides="counts", adjacent=False).status == "blocked"


def test_a_line_along_a_hexside_and_between_two() -> None:
    map_ = small()
    map_.set_side("0102", "0201", "wall")
    assert look(map_, "0101", "0202").status == "blocked"
    assert look(map_, "0101", "0202", along_side="free").status == "clear"
    line = ("0101", "0304")
    corner, beyond = small(), small().sight(*line).contacts[2].at
    corner.set_side("0202", beyond[0], "wall")
    assert any("corner" in reason.text for reason in look(corner, *line).reasons)
    assert look(corner, *line).status == "clear"
    assert look(corner, *line, along="either").status == "blocked"
    corner.set_side("0202", beyond[1], "wall")
    for rule in SETTINGS["along"].values:
        assert look(corner, *line, along=rule).status == "blocked"


# -- conditions --------------------------------------------------------------------------------------------------------


def test_scenario_conditions() -> None:
    map_ = small(wood="0103")
    smoke = Conditions(smoke=frozenset({map_.labels.cell("0105")}))
    assert look(map_, "0104", "0107", smoke).blocked_at == "0105"
    assert look(map_, "0101", "0105", Conditions(terrain_overrides={"wood": "town"})).status == "hindered"
    assert look(map_, "0101", "0105", Conditions(surveillance=True)).status == "clear"
    with pytest.raises(UnknownNameError, match="did you mean 'wood'"):
        map_.sight("0101", "0105", conditions=Conditions(terrain_overrides={"wod": "town"}))
    dim = Conditions(haze_step=2, visibility=8, visibility_modifier=-1)
    assert look(small(rules=game({"modifiers": {"DQ": -1}})), "0101", "0107", dim).modifiers == {"DQ": -4}


def test_smoke_of_a_scenario_blocks_where_the_game_does_not_say_what_it_does() -> None:
    rules = game(markers={})
    map_ = small(rules=rules).paint("0101", level=3)
    smoke = Conditions(smoke=frozenset({map_.labels.cell("0105")}))
    assert look(map_, "0101", "0109", smoke).status == "blocked"


def test_reasons_name_the_place_the_thing_and_the_effect() -> None:
    texts = [reason.text for reason in small(wood="0103", town="0104").sight("0101", "0106").reasons]
    assert texts[:2] == [
        "0102 clear: no effect",
        "0103 wood: up to height 1, above both ends",
    ]
    assert texts[2].startswith("0104 town: ")
    over = small(wood="0103").paint("0101", level=2).sight("0101", "0106")
    assert over.reasons[1].text == "0103 wood: up to height 1, seen over from 0101; 0106 is beyond its blind hexes"


# -- the judge and its fast paths --------------------------------------------------------------------------------------


def drawn(seed: int, most: int) -> tuple[np.random.Generator, MapModel, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    shape = {
        "orientation": str(rng.choice(["flat", "pointy"])),
        "stagger": str(rng.choice(["odd", "even"])),
        "short": bool(rng.random() < 0.3),
    }
    model = random_map(rng, int(rng.integers(2, most)), int(rng.integers(2, most)), **shape)
    return rng, model, draw_options(rng)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=80)
def test_a_field_of_view_is_what_the_judge_says_of_every_line(seed: int) -> None:
    rng, model, options = drawn(seed, 13)
    conditions = Conditions(
        from_air=bool(rng.random() < 0.15),
        to_air=bool(rng.random() < 0.15),
        visibility=int(rng.choice([0, 0, 0, 5])),
        surveillance=bool(rng.random() < 0.03),
    )
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), options, conditions)
    cells = np.flatnonzero(model.grid.present)
    for a in rng.choice(cells, size=min(3, len(cells)), replace=False).tolist():
        plane, hindrances = judge.field(a)
        assert (plane.ravel() == 0).tolist() == (~model.grid.present.ravel()).tolist()
        for b in cells.tolist():
            one = judge.sighting(a, b)
            assert STATUSES[plane.flat[b]] == one.status, (a, b, str(one))
            assert hindrances.get(b, 0) == one.hindrances, (a, b, str(one))


@given(seed=st.integers(0, 10**6), plain=st.booleans())
@settings(max_examples=60)
def test_a_table_is_what_the_fields_of_view_say(seed: int, plain: bool) -> None:
    rng, model, options = drawn(seed, 12)
    if plain:  # rules that only block, with few blind hexes: they have a table of their own
        model.sides.clear()
        model.features.clear()
        model.terrain[model.terrain > 2] = 0
        options |= {"touch": "free", "ends": "ignored", "blind": "fixed", "blind_depth": int(rng.integers(5))}
    air = bool(rng.random() < 0.1)
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), options, Conditions(from_air=air, to_air=air))
    cells = np.flatnonzero(model.grid.present).astype(np.int64)
    if plain:
        assert suits_plainly(judge.scene) == (len(np.unique(model.levels.ravel()[cells])) > 1)
    codes = judge.table(cells)
    assert codes is not None
    for row, cell in enumerate(cells.tolist()):
        assert (codes.row(row) == judge.field(cell)[0].ravel()[cells]).all(), (row, cell, options)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_verdicts_are_the_same_from_either_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model, rules = make(rng, int(rng.integers(2, 8)), int(rng.integers(2, 8)))
    judge = rules.sight.judge(Survey(model, rules.survey_scheme), rules.options(), Conditions())
    cells = np.flatnonzero(model.grid.present).tolist()
    for a in cells:
        for b in cells:
            one, other = judge.sighting(a, b), judge.sighting(b, a)
            assert (one.status, one.hindrances, one.modifiers) == (other.status, other.hindrances, other.modifiers)


def test_only_fields_of_view_tell_what_differs_from_the_two_ends() -> None:
    map_ = small(5, 5, wood="0303")
    air = Conditions(from_air=True)
    assert map_.judge(None, air).table(np.arange(25)) is None
    table = map_.sight_table(conditions=air)
    for b in map_.labels.all():
        assert table.status("0302", b) == map_.sight("0302", b, conditions=air).status


@given(st.integers(-12, 12), st.integers(-12, 12))
def test_ring_steps_are_those_of_the_exact_line(dq: int, dr: int) -> None:
    k, a, b = sextant(dq, dr)
    met: dict[str, list[int]] = {"through": [], "along": [], "touch": []}
    for how, hexes, _, _ in line_template(dq, dr):
        met[how] += [sextant(q, r)[1] + sextant(q, r)[2] for q, r in hexes[:1]]
    steps = line_steps(a, b)
    assert [step.ring for step in steps for _ in step.through] == met["through"]
    assert [step.ring for step in steps if step.along] == met["along"]
    assert sorted(step.ring for step in steps for _ in step.touch) == sorted(met["touch"])
    assert k in range(6)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30)
def test_shadows_of_hexsides_are_the_sides_that_exact_lines_cross(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=int(rng.integers(3, 12)), rows=int(rng.integers(3, 12)))
    start = int(rng.integers(grid.cells))
    sides = [(a, b) for a in range(grid.cells) for b in grid.neighbours(a) if a < b]
    low, high = side_shadows(grid, start, side_ends(grid, np.array(sides)))
    view = Directions(grid, start)
    (q0, r0) = grid.axial(start)
    for target in range(grid.cells):
        if target == start or 2 * view.position[target] == view.ring[target]:
            continue
        (q, r) = grid.axial(target)
        crossed = {
            frozenset((q0 + dq, r0 + dr) for dq, dr in side)
            for _, pairs, _ in side_template(q - q0, r - r0)
            for side in pairs
        }
        key = int(view.keys(np.array([target]))[0])
        for (a, b), begin, end in zip(sides, low.tolist(), high.tolist(), strict=True):
            if view.ring[a] + view.ring[b] < 2 * view.ring[target]:
                inside = begin <= key < end or begin <= key - (6 << 40) < end
                assert inside == (frozenset((grid.axial(a), grid.axial(b))) in crossed), (a, b, target)


@given(
    st.builds(Blind, st.sampled_from(SETTINGS["blind"].values), st.integers(0, 4)),
    st.integers(-3, 9),
    st.integers(-2, 6),
    st.integers(-2, 6),
    st.integers(1, 20),
)
def test_heights_are_the_same_from_either_end_and_so_are_their_short_cuts(
    blind: Blind, top: int, a: int, b: int, x: int
) -> None:
    after, until = span(blind, np.array([top]), a, b, np.array([x]))
    for n in range((x + 2) // 2, 40):
        up = bool(rises(blind, top, a, b, x, 2 * n))
        assert up == bool(rises(blind, top, b, a, 2 * n - x, 2 * n))
        assert up == (after[0] < n <= until[0])
        tops = tuple(range(-4, 10))
        assert up == (top >= least_top(blind, tops, a, b, x, 2 * n))
    assert until[0] == FOREVER or until[0] < 2000


# -- the file ----------------------------------------------------------------------------------------------------------

CLEAR = 'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\n[terrain.clear]\nname = "Clear"\nchar = "."\n'
WOOD = '[terrain.wood]\nname = "Wood"\nchar = "w"\nsight = "block"\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.ruleset.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_that_says_nothing_about_sight_has_the_defaults(tmp_path: Path) -> None:
    rules = load_ruleset(written(tmp_path, CLEAR + WOOD))
    assert {name: rules.options()[name] for name in SETTINGS} == {n: s.default for n, s in SETTINGS.items()}
    map_ = studio.new_map(rules, 3, 5).paint("0103", terrain="wood")
    assert map_.sight("0101", "0105").blocked_at == "0103"
    assert map_.field_of_view("0101").status("0105") == "blocked"
    assert map_.sight_table().status("0101", "0105") == "blocked"


def test_a_file_can_have_no_sight(tmp_path: Path) -> None:
    rules = load_ruleset(written(tmp_path, CLEAR.replace("[terrain", "sight = false\n[terrain")))
    assert not rules.option_specs
    with pytest.raises(NoSightError, match=r"no lines of sight.*sight = false"):
        studio.new_map(rules, 3, 3).sight("0101", "0103")


def test_what_the_file_says_is_the_default_of_the_option(tmp_path: Path) -> None:
    rules = load_ruleset(written(tmp_path, CLEAR + WOOD + '[sight]\nalong = "either"\nsight_range = 7\n'))
    assert rules.options()["along"] == "either"
    assert rules.options({"along": "both"})["along"] == "both"
    assert rules.option_specs["sight_range"].choices == "0 to 4000"
    with pytest.raises(ScenarioRuleError, match="sight_range: got -1, allowed: 0 to 4000"):
        rules.options({"sight_range": -1})
    assert all(spec.text for spec in rules.option_specs.values())


def test_all_faults_of_a_file_are_listed_with_place_choice_and_remedy(tmp_path: Path) -> None:
    text = CLEAR + (
        '[terrain.wood]\nname = "Wood"\nchar = "w"\nsight = "blocks"\nheight = -1\n'
        '[markers.smoke]\nname = "Smoke"\nsight = "all"\n'
        '[sides.wall]\nname = "Wall"\nsight = "block"\nheight = 1000\n'
        '[options.touch]\ndefault = "a"\nvalues = ["a"]\n'
        '[sight]\nalong = "neither"\nblind_depth = "two"\nadjacent = 1\nhindrance_limt = 3\nsight_range = 5000\n'
        'modifiers = { DQ = "-1" }\n'
    )
    with pytest.raises(DocumentError) as caught:
        load_ruleset(written(tmp_path, text))
    found = {fault.path: fault for fault in caught.value.faults}
    assert set(found) == {
        "$.sight.along",
        "$.sight.blind_depth",
        "$.sight.adjacent",
        "$.sight.hindrance_limt",
        "$.sight.sight_range",
        "$.sight.modifiers.DQ",
        "$.options.touch",
        "$.terrain.wood.sight",
        "$.terrain.wood.height",
        "$.markers.smoke.sight",
        "$.sides.wall.height",
    }
    assert all(fault.remedy for fault in found.values())
    assert "'both', 'either', 'count'" in found["$.sight.along"].message
    assert "whole numbers from 0 to 99" in found["$.sight.blind_depth"].message
    assert "hindrance_limit" in found["$.sight.hindrance_limt"].remedy
    assert "did you mean 'block'" in found["$.terrain.wood.sight"].remedy
    with pytest.raises(DocumentError, match=r"\$\.sight\.modifiers: got 3"):
        load_ruleset(written(tmp_path, CLEAR + "[sight]\nmodifiers = 3\n"))


def test_a_game_with_a_module_of_its_own_takes_no_settings(tmp_path: Path) -> None:
    text = CLEAR.replace("[terrain", 'sight_module = "studio.rules.armageddon_war.sight"\n[terrain', 1)
    with pytest.raises(DocumentError, match="sight module of its own"):
        load_ruleset(written(tmp_path, text + "[sight]\ntouch = 'free'\n"))


def test_a_hex_that_is_no_location_still_blocks(tmp_path: Path) -> None:
    text = CLEAR + WOOD.replace('sight = "block"', 'sight = "block"\nplayable = false')
    rules = load_ruleset(written(tmp_path, text))
    for level in (0, 1):
        map_ = small(3, 5, rules, wood="0103").paint("0305", level=level)
        assert map_.field_of_view("0101").plane[2, 0] == 0
        assert look(map_, "0101", "0105").blocked_at == "0103"
        assert "0103" not in map_.sight_table().names


def test_places_beside_hexes_have_no_lines(tmp_path: Path) -> None:
    text = CLEAR.replace("[terrain", 'features = ["place"]\n[terrain', 1) + '[places.roof]\nname = "Roof"\n'
    map_ = studio.new_map(load_ruleset(written(tmp_path, text)), 3, 3)
    map_.add("place", type="roof", name="Roof 1", at=[960, 960])
    for ask in (lambda: map_.sight("0101", "Roof 1"), lambda: map_.field_of_view("Roof 1")):
        with pytest.raises(UnsupportedError, match="between hexes only"):
            ask()


# -- opening maps of such a game ---------------------------------------------------------------------------------------


def own_map(folder: Path, name: str) -> Path:
    """Save a map of a game of its own, with the file of the game beside it."""
    (folder / f"{name}.ruleset.toml").write_text((CLEAR + WOOD).replace('"mine"', f'"{name}"'), encoding="utf-8")
    map_ = studio.new_map(load_ruleset(folder / f"{name}.ruleset.toml"), 3, 5).paint("0103", terrain="wood")
    map_.save(folder / "one.map.json")
    map_.close()
    return folder / "one.map.json"


def test_a_map_finds_the_file_of_its_game_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = own_map(tmp_path, "own_beside")
    monkeypatch.setattr("studio.rules._own", {})
    opened = studio.open_map(file)
    assert opened.ruleset.id == "own_beside"
    assert opened.sight("0101", "0105").status == "blocked"
    opened.close()
    with_hills = (tmp_path / "own_beside.ruleset.toml").read_text().replace("[0, 2]", "[0, 5]")
    (tmp_path / "own_beside.ruleset.toml").write_text(with_hills)
    assert studio.open_map(file).ruleset.levels == (0, 5)


def test_a_game_that_was_loaded_is_known_until_the_session_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_map(tmp_path, "own_loaded")
    (tmp_path / "own_loaded.ruleset.toml").rename(tmp_path / "elsewhere.toml")
    monkeypatch.setattr("studio.rules._own", {})
    with pytest.raises(DocumentError, match=r"unknown ruleset 'own_loaded'.*\.ruleset\.toml beside the map"):
        studio.open_map(file)
    load_ruleset(tmp_path / "elsewhere.toml")
    assert studio.open_map(file).ruleset is get_ruleset("own_loaded")


def test_a_file_of_ones_own_never_replaces_a_game_of_the_studio(tmp_path: Path) -> None:
    text = CLEAR.replace('"mine"', '"armageddon_war"')
    (tmp_path / "armageddon_war.ruleset.toml").write_text(text)
    with pytest.raises(DocumentError, match="a game that comes with the studio"):
        load_ruleset(tmp_path / "armageddon_war.ruleset.toml")
    assert get_ruleset("armageddon_war").title == "Armageddon War"
    assert ruleset_beside("armageddon_war", tmp_path) is None


def test_an_id_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    written(tmp_path, CLEAR)
    assert ruleset_beside("mine", tmp_path) is not None
    assert ruleset_beside("../mine", tmp_path / "inside") is None
    (tmp_path / "other.ruleset.toml").write_text(CLEAR)
    with pytest.raises(DocumentError, match="named for 'other'"):
        ruleset_beside("other", tmp_path)


# -- the page of the documentation -------------------------------------------------------------------------------------


def test_the_example_of_the_documentation_is_a_game(tmp_path: Path) -> None:
    blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    whole = next(block for block in blocks if block.startswith("id ="))
    rules = load_ruleset(written(tmp_path, whole))
    assert set(tomllib.loads(whole)["sight"]) == {*SETTINGS, "modifiers"}
    map_ = studio.new_map(rules, 9, 9)
    for name in rules.terrains:
        map_.paint("0404", terrain=name)
        assert map_.sight("0401", "0407").status in ("clear", "hindered", "blocked")


def test_the_documentation_lists_every_setting_with_its_default() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, setting in SETTINGS.items():
        default = str(setting.default).lower() if isinstance(setting.default, bool) else str(setting.default)
        row = re.search(rf"^\| `{name}` \| (.*?) \| `{default}` \|", page, re.MULTILINE)
        assert row, name
        for value in setting.values if len(setting.values) < 5 else ():
            assert f"`{str(value).lower() if isinstance(value, bool) else value}`" in row[1]

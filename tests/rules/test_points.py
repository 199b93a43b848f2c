"""Points: the scale of Armageddon War 7.2, hidden markers, balance of the sides, and bids (7.3)."""

import json
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.cli import main
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError
from studio.model import Clause, Force, Formation, OwnKind, SetField, Trigger, UnitRecord
from studio.rules import get_ruleset
from studio.rules.armageddon_war.scenario import UnitType
from studio.rules.balance import ratio_words
from studio.rules.bidding import leave_out, tenth
from studio.rules.points import formation_points, free_markers, scale_cost, unit_points
from studio.rules.roster import roster_of
from tests.paths.units import force, scenario, unit

SCENARIOS = Path(__file__).parents[2] / "scenarios"
WAR = get_ruleset("armageddon_war")
TACTICS = get_ruleset("modern_tactics")


def opened(name: str) -> studio.Scenario:
    return studio.open_scenario(SCENARIOS / f"{name}.scenario.json", recover_unsaved=False)


def war(*forces: Force, **said: object) -> studio.Scenario:
    return scenario(studio.new_map("armageddon_war", columns=5, rows=5), *forces, **said)


def part(*units: UnitRecord, **said: object) -> Formation:
    return Formation(id="part", name="Part", units=units, **said)  # type: ignore[arg-type]


# -- the scale ---------------------------------------------------------------------------------------------------------


def test_both_printed_examples() -> None:
    """7.2: 3 + 1 + 2 + 1 - 3 = 4 of a militia, 7 + 9 + 5 + 4 + 1 + 3 = 29 of an Armata."""
    militia, armata = (
        scale_cost(WAR, WAR.scenario.unit_type(name)) for name in ("rebel.militia", "russia.t_14_armata")
    )
    assert [tuple(one) for one in militia.parts] == [
        ("firepower", 3), ("range", 1), ("movement", 2), ("defence", 1), ("green bolt", -3),
    ]  # fmt: skip
    assert [tuple(one) for one in armata.parts] == [
        ("firepower", 7), ("range", 9), ("movement", 5), ("defence", 4), ("specialized defence", 1), ("red bolt", 3),
    ]  # fmt: skip
    assert (militia.points, militia.missing, armata.points, armata.missing) == (4, (), 29, ())


def test_every_line_of_the_scale() -> None:
    """7.2, line by line, on a counter of one's own."""
    plain = {"name": "x", "kind": "vehicle", "tech": "black"}
    lines = [
        ({"firepower": 4}, 4), ({"range": 6}, 6), ({"indirect": True}, 1),
        ({"attack": "vehicle", "second": "vehicle"}, -1),
        ({"attack": "vehicle", "second": "infantry"}, 0), ({"fixed_range": True, "no_move": True}, -1),
        ({"no_move": True}, -1), ({"limited": True}, -2), ({"kind": "support_weapon", "limited": True}, -2),
        ({"movement": 5}, 3), ({"movement": 6}, 3), ({"mover": "tracked"}, 1), ({"mover": "wheeled"}, 0),
        ({"mover": "amphibious_tracked"}, 2), ({"mover": "amphibious_wheeled"}, 1), ({"transport": True}, 1),
        ({"defence": 3}, 3), ({"special_shield": True}, 1), ({"shield": "soft"}, -1), ({"shield": "vehicle"}, 0),
        ({"recon": True}, 1), ({"autonomous": True}, 2), ({"tech": "green"}, -3), ({"tech": "red"}, 3), ({}, 0),
    ]  # fmt: skip
    for said, points in lines:
        assert scale_cost(WAR, UnitType(**{**plain, **said})).points == points, said  # type: ignore[arg-type]


def test_the_roster_agrees_with_the_scale_where_all_figures_are_printed() -> None:
    """7.3: those of which the text prints every figure; of the others the scale gives a part."""
    whole = {}
    for name, kind in WAR.scenario.roster().items():
        cost = scale_cost(WAR, kind)
        if cost.parts and not cost.missing and kind.kind != "marker":
            whole[name] = (cost.points, kind.points)
    assert set(whole) == {"isil.militia", "rebel.militia", "russia.t_14_armata", "russia.t_14_armata_low"}
    assert all(found == printed for found, printed in whole.values())
    assert scale_cost(WAR, WAR.scenario.unit_type("isil.t_72m")).missing == ("range",)


def test_other_games_have_no_scale() -> None:
    with pytest.raises(UnsupportedError, match="no scale of points"):
        scale_cost(TACTICS, TACTICS.scenario.unit_type("us.rifle"))
    made = war()
    assert made.cost("rebel.militia").points == 4
    with pytest.raises(UnknownNameError, match="no unit type"):
        made.cost("rebel.nobody")


def test_hidden_markers_of_snipers_and_of_ieds_cost_nothing() -> None:
    """7.2; Scenario 4: four markers of which that of the IED is free, and a sniper in the open."""
    four = unit("h", "other.hidden_marker", count=4)
    ied, sniper = unit("i", "other.ied"), unit("s", "rebel.sniper")
    open_sniper, hidden = unit("s", "rebel.sniper", "0101"), unit("s", "rebel.sniper", "0101", status=("hidden",))
    roster = WAR.scenario.roster()
    found = {
        "none": part(four), "ied": part(four, ied), "both": part(four, ied, sniper),
        "open": part(four, ied, open_sniper),
        "hidden": part(four, hidden), "few": part(unit("h", "other.hidden_marker"), ied, sniper),
    }  # fmt: skip
    assert {name: free_markers(WAR, one) for name, one in found.items()} == {
        "none": 0, "ied": 1, "both": 2, "open": 1, "hidden": 1, "few": 1,
    }  # fmt: skip
    assert formation_points(WAR, roster, found["open"]) == 2 + 3 * 2 + 4 + 3
    assert WAR.scenario.formation_points(found["open"]) == 2 + 3 * 2 + 4 + 3


def test_casualty_points_of_a_group() -> None:
    """1.6: a squad 2, reduced 1, a vehicle 2, a wreck and the civilians nothing."""
    group = part(
        unit("a", "us.rifle", count=2), unit("b", "us.rifle", status=("reduced",)), unit("c", "us.stryker"),
        unit("d", "us.stryker", status=("wreck",)), unit("e", "field.civilians"), unit("f", "support.lmg"),
    )  # fmt: skip
    assert formation_points(TACTICS, TACTICS.scenario.roster(), group) == 7
    assert unit_points(TACTICS, TACTICS.scenario.unit_type("field.civilians")) == 1


# -- balance -----------------------------------------------------------------------------------------------------------


def test_the_balance_of_the_first_scenario() -> None:
    found = opened("armageddon-01").balance()
    assert [(one.side, one.points, one.units, one.printed_points) for one in found.sides] == [
        ("rebel", 37, 5, 37),
        ("isil", 48, 10, 48),
    ]
    assert (found.ratio(), found.ratio("isil", "rebel")) == (Fraction(37, 48), Fraction(48, 37))
    assert (found.ratio_words(), found.ratio_words("isil", "rebel")) == ("1:1.30", "1.30:1")
    assert found.differences == []
    assert (found.measure, found.turns) == ("points", [0, 1])
    assert found.by_turn() == {"rebel": {0: 37, 1: 37}, "isil": {0: 0, 1: 48}}
    assert found.ratio("isil", "rebel", turn=0) == 0
    assert found.ratio_words("isil", "rebel", turn=0) == "0:1"
    with pytest.raises(ScenarioRuleError, match="isil has no points in turn 0"):
        found.ratio("rebel", "isil", turn=0)
    frame = found.to_frame()
    assert frame["points"].tolist() == [37, 48]
    assert frame["difference"].tolist() == [0, 0]
    assert "1:1.30" in found._repr_html_()
    assert "rebel to isil: 1:1.30" in repr(found)
    axes = found.plot()
    assert {text.get_text() for text in axes.texts} >= {" 37", " 48"}


def test_printed_totals_that_differ_are_told() -> None:
    made = opened("armageddon-01")
    path = "forces/isil/formations/saleh/"
    changed = made.supposing(
        SetField(field=path + "printed_points", value=50), SetField(field=path + "printed_units", value=9)
    ).balance()
    assert [(one.formation, one.difference) for one in changed.differences] == [("saleh", -2)]
    assert "printed 50 points, 9 units" in repr(changed)


def test_what_comes_later_and_what_may_not_come() -> None:
    """Teams count together; a pool and a roll are not certain, a choice counts once, with its strongest."""
    militia = unit("a", "rebel.militia")

    def of(name: str, **said: object) -> Formation:
        units = (unit(f"{name}-{n}", "rebel.militia") for n in range(said.pop("count", 1)))  # type: ignore[arg-type, call-overload]
        return Formation(id=name, name=name, units=tuple(units), activation_markers=0, **said)  # type: ignore[arg-type]

    rolled = Trigger(kind="roll", dice="1D6", least=4)
    forced = Trigger(kind="roll", dice="1D6", least=4, automatic_turn=7)
    one = Force(
        id="one", name="One", team="east", formations=(of("first"), of("second", arrival="enter", arrival_turn=5))
    )
    two = Force(
        id="two",
        name="Two",
        team="east",
        formations=(
            of("maybe", arrival="enter", arrival_turn=2, when=rolled),
            of("surely", arrival="enter", arrival_turn=3, when=forced),
            of("pool", arrival="pool"),
            of("left", choice="x", count=2, arrival="enter", arrival_turn=4),
            of("right", choice="x", count=3, arrival="enter", arrival_turn=6),
        ),
    )
    found = war(one, two, force("west", militia)).balance()
    east = found.side("two")
    assert (east, east.name) == (found.side("east"), "One and Two")
    assert (east.points, east.units) == (4 * 8, 8)
    assert [east.at(turn) for turn in range(7)] == [4, 4, 4, 8, 8, 12, 24]
    assert [east.at(turn, certain=False) for turn in (1, 2, 6)] == [8, 12, 32]
    assert found.turns == [0, 1, 2, 3, 5, 6]
    with pytest.raises(UnknownNameError, match="no side 'north'"):
        found.side("north")


def test_breaking_contact_as_a_share() -> None:
    """Modern Tactics: 3 of 6 casualty points; the lower of a rating and a clause counts."""
    land = studio.new_map("modern_tactics", columns=3, rows=3)
    sides = (
        Force(id="us", name="US", formations=(part(unit("a", "us.rifle", count=3)),), ratings={"break_contact": 4}),
        Force(
            id="ins", name="Insurgents", formations=(Formation(id="i", name="I", units=(unit("b", "insurgent.hmg"),)),)
        ),
    )
    made = scenario(land, *sides, clauses=[Clause(id="few", kind="casualties", side="us", count=3)]).balance()
    us, insurgents = made.sides
    assert (made.measure, us.points, us.breaks_at, us.break_share) == ("casualty points", 6, 3, Fraction(1, 2))
    assert (insurgents.breaks_at, insurgents.break_share) == (None, None)
    assert "breaks contact at 3, 1/2 of it" in repr(made)
    assert any("breaks at 3" in text.get_text() for text in made.plot().texts)
    with pytest.raises(UnsupportedError, match="casualty points only"):
        scenario(land, *sides).bid()


@given(st.fractions(min_value=Fraction(1, 90), max_value=90))
def test_ratios_in_words_are_the_nearest_hundredth(ratio: Fraction) -> None:
    first, second = (Fraction(one) for one in ratio_words(ratio).split(":"))
    told = first / second
    large, shown = (max(one, 1 / one) for one in (ratio, told))
    assert min(first, second) == 1
    assert abs(large - shown) <= Fraction(1, 200)
    assert (told < 1) == (ratio < 1) or shown == 1


# -- bids --------------------------------------------------------------------------------------------------------------


def test_the_examples_of_bids() -> None:
    """7.3: from 48, 46 leaves a truck behind; with a tenth more from 53, 51 leaves room for an RPG-7V, Rebels get 4."""
    made = opened("armageddon-01")
    one = made.bid(option=1)
    assert (one.side, one.start, one.means(48).over) == ("isil", 48, 0)
    gone = one.means(46)
    assert gone.leave_out[0] == (2, (("other.truck", 1),))
    assert (gone.over, gone.may_add) == (-2, ())
    two = made.bid(option=2)
    assert (two.start, two.found.bonus) == (53, {"rebel": 4})
    more = two.means(51)
    assert (more.over, more.leave_out) == (3, ())
    assert ("support.rpg_7v", 3) in {(item.type, item.points) for item in more.may_add}
    (rebels,) = two.others()
    assert (rebels.has, rebels.points) == (37, 41)
    assert {"support.rpg_29", "support.m2_hmg_vehicle"} <= {item.type for item in rebels.may_add}
    assert all(item.points <= 4 for item in rebels.may_add)
    three = made.bid(option=3, base=2)
    assert (three.start, three.substitutes) == (53, {"rebel": 1, "isil": 1})
    assert "rebel.sandcrawler" in made.balance().substitutes("rebel")["rebel.technical"]
    assert "rebel.militia" not in made.balance().substitutes("rebel")["rebel.technical"]
    assert "bids for isil from 53 points down" in repr(two)


def test_bids_that_cannot_be() -> None:
    made = opened("armageddon-01")
    for wrong in (49, -1, True, "46", 46.0):
        with pytest.raises(ScenarioRuleError, match="whole numbers from 0 to 48"):
            made.bid(option=1).means(wrong)  # type: ignore[arg-type]
    with pytest.raises(ScenarioRuleError, match="allowed are options 1, 2 and 3"):
        made.bid(option=4)  # type: ignore[arg-type]
    with pytest.raises(ScenarioRuleError, match="whole numbers from 0"):
        made.balance().bid("rebel", -4)
    with pytest.raises(ScenarioRuleError, match="two sides of players"):
        war(force("rebel", unit("a", "rebel.militia"))).bid()
    ruled = Force(id="isil", name="ISIL", played_by="rules", formations=(part(unit("b", "isil.t_72m")),))
    with pytest.raises(ScenarioRuleError, match="two sides of players"):
        war(force("rebel", unit("a", "rebel.militia")), ruled).bid()


def test_the_box_limits_what_may_be_added() -> None:
    """Both ISIL T-62M are in play, of the four Humvees one is left."""
    made = war(
        force("isil", unit("a", "isil.t_62m", count=2), unit("b", "isil.humvee", count=3)),
        force("rebel", unit("c", "rebel.militia")),
    )
    found = {item.type: item.left for item in made.balance().bid("isil", 200).may_add}
    assert "isil.t_62m" not in found
    assert found["isil.humvee"] == 1
    assert "us.m1a4" not in found
    assert "formation_marker" not in found


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 4)), min_size=1, max_size=5), st.integers(1, 60))
def test_what_is_left_out_is_the_least_that_is_enough(counters: list[tuple[int, int]], need: int) -> None:
    """Against all ways to leave counters out, tried one by one."""
    kinds = [OwnKind(id=f"own.k{n}", name="k", kind="vehicle", points=points) for n, (points, _) in enumerate(counters)]
    units = [unit(f"u{n}", f"own.k{n}", count=count) for n, (_, count) in enumerate(counters)]
    made = war(force("own", *units), roster=kinds)
    found = leave_out(made.document, WAR, made.balance().side("own"), need)
    ways = {(0, 0)}
    for points, count in counters:
        ways = {(total + n * points, number + n) for total, number in ways for n in range(count + 1)}
    enough = sorted(way for way in ways if way[0] >= need)
    if not enough:
        assert found == ()
        return
    assert (found[0].points, sum(count for _, count in found[0].counters)) == enough[0]
    for way in found:
        worth = {one.id: one.points for one in kinds}
        assert way.points == sum(count * (worth[name] or 0) for name, count in way.counters) >= need
        held = {one.type: one.count for one in units}
        assert all(count <= held[name] for name, count in way.counters)


def test_a_tenth_is_rounded_up() -> None:
    assert [tenth(number) for number in (0, 1, 10, 11, 37, 48, 50)] == [0, 1, 1, 2, 4, 5, 5]


def test_points_of_one_s_own_kinds_count() -> None:
    kinds = [OwnKind(id="own.mech", name="Mech", kind="vehicle", points=40)]
    made = war(force("a", unit("a", "own.mech")), force("b", unit("b", "isil.militia")), roster=kinds)
    assert roster_of(WAR, made.document)["own.mech"].points == 40
    assert made.balance().side("a").points == 42


# -- on the command line -----------------------------------------------------------------------------------------------


def test_balance_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, picture = str(SCENARIOS / "armageddon-01.scenario.json"), str(tmp_path / "bars.png")
    assert main(["balance", file, "--bid", "2", "--points", "51", "-o", picture]) == 0
    out = capsys.readouterr().out
    assert "rebel to isil: 1:1.30" in out
    assert "bids for isil from 53 points down" in out
    assert Path(picture).read_bytes()[:4] == b"\x89PNG"
    assert main(["balance", file, "--json", "--bid", "1", "--points", "46"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["ratios"]["rebel:isil"] == {"exact": "37/48", "words": "1:1.30"}
    assert data["bid"]["means"]["leave_out"][0] == [2, [["other.truck", 1]]]
    assert main(["balance", file, "--points", "46"]) == 2
    assert main(["balance", str(SCENARIOS.parent / "maps" / "armageddon-1.map.json")]) == 2
    assert "balance is asked of a scenario" in capsys.readouterr().err


def test_the_table_of_kinds_tells_what_is_not_printed() -> None:
    raid = opened("armageddon-01")
    frame = raid.kinds_frame("rebel.")
    assert set(frame.index) == {name for name in raid.kinds if name.startswith("rebel.")}
    for name, row in frame.iterrows():
        kind = raid.kinds[name]
        assert row.points == kind.points
        assert row.firepower == kind.firepower if kind.firepower else pd.isna(row.firepower)
    assert raid.kinds_frame("MILITIA").index.tolist() == [
        name for name, kind in raid.kinds.items() if "militia" in name or "militia" in kind.name.lower()
    ]


def test_a_cost_tells_its_parts_and_what_is_missing() -> None:
    raid = opened("armageddon-01")
    assert str(raid.cost("rebel.militia")).startswith("rebel.militia: 4 points = firepower +3, range +1")
    told = str(raid.cost("rebel.technical"))
    assert "0 points of what is known" in told
    assert "not printed: firepower, range" in told


def test_the_balance_tells_units_and_markers_and_when_they_come() -> None:
    raid = opened("armageddon-01")
    told = repr(raid.balance())
    assert "Rebels: 37 (5 units, 2 markers)" in told
    assert "Saleh Militia: 48 (10 units, 2 markers), from activation 1" in told

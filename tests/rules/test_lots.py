"""Dice, cups and tables: what they can give, and the same again for the same seed; the draws of Phantom Fury."""

from collections import Counter

import pytest

import studio
from studio.api import Scenario
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError
from studio.model import DrawPool, Force, Formation, Lot, MapUse, RandomTable, ScenarioDocument, TableRow, UnitRecord
from studio.rules.lots import draw_lots, lucky, roll_dice, roll_table
from studio.rules.phantom_fury.draws import Cups

DOCUMENT = ScenarioDocument(
    ruleset="armageddon_war",
    map=MapUse(file="m"),
    forces=[
        Force(
            id="red",
            name="Red",
            formations=(Formation(id="c", name="C", units=(UnitRecord(id="contact", type="x", count=3),)),),
        )
    ],
)


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ("2D6", set(range(2, 13))),
        ("1D6+3", set(range(4, 10))),
        ("8 + 1d6", set(range(9, 15))),
        ("D10", set(range(1, 11))),
        ("1D10-1", set(range(10))),
        ("D66", {10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)}),
        ("-4", {-4}),
    ],
)
def test_dice_give_all_that_they_can_and_nothing_else(dice: str, expected: set[int]) -> None:
    rng = lucky(1, dice)
    assert {roll_dice(dice, rng) for _ in range(2000)} == expected


@pytest.mark.parametrize("dice", ["", "two", "D", "1D0", "2D6+"])
def test_what_is_no_dice_is_refused(dice: str) -> None:
    with pytest.raises(ScenarioRuleError, match="allowed: a number, or dice"):
        roll_dice(dice, lucky(1, "dice"))


def test_a_cup_gives_each_lot_once_and_keeps_the_rest() -> None:
    lots = (Lot(type="tank"), Lot(type="mine", count=2), Lot(count=3))
    pool = DrawPool(id="cup", name="Cup", lots=lots, for_units=("contact",), places=("A1",))
    found = draw_lots(DOCUMENT, pool, lucky(4, "cup"))
    assert [place for place, _ in found.drawn] == ["contact", "contact", "contact", "A1"]
    together = Counter({lot.type: lot.count for lot in found.left})
    together.update(lot.type for _, lot in found.drawn)
    assert together == {"tank": 1, "mine": 2, "": 3}
    assert found == draw_lots(DOCUMENT, pool, lucky(4, "cup"))
    assert len({repr(draw_lots(DOCUMENT, pool, lucky(seed, "cup")).drawn) for seed in range(30)}) > 5


def test_a_cup_that_lots_go_back_into_stays_as_it_is() -> None:
    pool = DrawPool(id="cup", name="Cup", lots=(Lot(type="tank"), Lot(type="mine")), draws=9, returns=True)
    found = draw_lots(DOCUMENT, pool, lucky(4, "cup"))
    assert len(found.drawn) == 9
    assert found.left == pool.lots
    short = DrawPool(id="cup", name="Cup", lots=(Lot(type="tank"),), draws=2)
    with pytest.raises(ScenarioRuleError, match="2 lots to draw, and it holds 1"):
        draw_lots(DOCUMENT, short, lucky(4, "cup"))


def test_rows_count_in_their_turns() -> None:
    early = TableRow(rolls=(1, 2, 3), name="early", last_turn=2, gives={"points": "2D6"})
    late = TableRow(rolls=(1, 2, 3), name="late", first_turn=3)
    table = RandomTable(id="t", name="T", dice="1D6", rows=(early, late))
    for turn, name in ((1, "early"), (2, "early"), (3, "late"), (0, "early")):
        rolls = [roll_table(table, lucky(seed, "t"), turn) for seed in range(40)]
        assert {roll.row.name for roll in rolls if roll.row is not None} == {name}
        assert all((roll.row is None) == (roll.dice > 3) for roll in rolls)
        assert all(2 <= roll.gives["points"] <= 12 for roll in rolls if roll.gives)


# -- Phantom Fury ------------------------------------------------------------------------------------------------------


@pytest.fixture
def fury() -> Scenario:
    return studio.open_scenario("scenarios/phantom-fury.scenario.json", recover_unsaved=False)


def test_the_draws_hold_what_the_text_says(fury: Scenario) -> None:
    cups = Cups()
    rolls: Counter[int] = Counter()
    for seed in range(60):
        drawn = fury.draw_set_up(seed, strong_points=1 + seed % 4)
        squads = [*drawn.squads.values(), *drawn.company, *drawn.battalion]
        assert Counter(squads) == Counter(cups.squads)
        assert (len(drawn.squads), len(drawn.company), len(drawn.battalion), len(set(drawn.caats))) == (9, 3, 3, 4)
        assert Counter(one.zone for one in drawn.suspects) == dict.fromkeys("123456789", 2)
        assert drawn.zones_left + drawn.strong_points == 50
        boxes = [one.box for one in drawn.suspects if one.box]
        assert len(set(boxes)) == len(boxes)
        assert drawn.suspects_left == len(cups.suspects)  # activated ones go back
        assert len(drawn.insurgents) + len(drawn.insurgents_left) == len(cups.insurgents)
        for one in drawn.suspects:
            rolls[one.roll] += 1
            expected = "guerillas" if 6 <= one.roll <= 8 else "martyrs" if one.roll == 9 else "dummy"
            assert one.result == (expected if one.box else "back")
            assert bool(one.combat) == (one.box in drawn.insurgents)
        assert all(label in drawn.insurgents for label in drawn.contested)
    assert set(rolls) >= set(range(10))


def test_suspects_go_to_the_first_free_box_that_they_name(fury: Scenario) -> None:
    order = ("C", "1", "OG", "2", "R")
    drawn = fury.draw_set_up(3, cups=Cups(suspects=(order,) * 40))
    assert [one.box for one in drawn.suspects[:2]] == ["1 C", "1 1"]
    assert [one.box for one in drawn.suspects if one.zone == "7"] == ["7 1", "7 1'"]  # it has no courtyard


def test_the_draws_are_one_step_on_the_map(fury: Scenario) -> None:
    drawn = fury.draw_set_up(5, strong_points=2)
    assert drawn == fury.draw_set_up(5, strong_points=2)
    assert drawn != fury.draw_set_up(6, strong_points=2)
    before = fury._text()
    fury.place_drawn(drawn)
    units = {unit.id: unit for force in fury.document.forces for part in force.formations for unit in part.units}
    assert {u.at: u.figures["combat"] for u in units.values() if u.type == "usmc.squad" and u.at} == drawn.squads
    shown = {u.at: (u.type.split(".")[1], u.figures["combat"]) for u in units.values() if u.id.startswith("drawn-")}
    assert shown == drawn.insurgents
    assert not [u for u in units.values() if u.type == "insurgents.suspect"]
    carried = {units[u.carried_by].at for u in units.values() if u.type == "usmc.caat"}
    assert carried == set(drawn.caats)
    assert sorted(u.figures["combat"] for u in units.values() if u.type == "usmc.squad" and not u.at) == sorted(
        [*drawn.company, *drawn.battalion]
    )
    assert not fury.check().errors
    fury.undo()
    assert fury._text() == before


def test_what_cannot_be_drawn_is_told(fury: Scenario) -> None:
    with pytest.raises(ScenarioRuleError, match="strong_points: got 5; allowed are 1 to 4"):
        fury.draw_set_up(1, strong_points=5)
    with pytest.raises(ScenarioRuleError, match=r"cups\.squads: 3 squads for 9 entry boxes"):
        fury.draw_set_up(1, cups=Cups(squads=(4, 5, 6)))
    with pytest.raises(ScenarioRuleError, match=r"cups\.suspects: no marker is left"):
        fury.draw_set_up(1, cups=Cups(suspects=()))
    raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    with pytest.raises(UnsupportedError, match="draws no set-up"):
        raid.draw_set_up(1)
    with pytest.raises(UnknownNameError, match="no pool 'squad'; did you mean 'squads'"):
        fury.draw("squad", 1)
    with pytest.raises(UnknownNameError, match="no table 'reactoin'; did you mean 'reaction'"):
        fury.roll("reactoin", 1)


def test_cups_and_tables_of_a_scenario_by_its_seed(fury: Scenario) -> None:
    assert fury.draw("squads", 9) == fury.draw("squads", 9)
    assert len(fury.draw("squads", 9).drawn) == 15
    assert fury.roll("reaction", 9) == fury.roll("reaction", 9)
    assert {fury.roll("reaction", seed).dice for seed in range(200)} == set(range(10))


def test_a_roll_tells_what_happens() -> None:
    rows = (
        TableRow(rolls=(1,), name="Truce", text="Nobody attacks."),
        TableRow(rolls=(2,), name="Arms", gives={"replacement_points": "3"}),
        TableRow(rolls=(3,), units=(Lot(type="iran.infantry", count=2),)),
        TableRow(rolls=(4,), name="Rain", last_turn=2),
    )
    table = RandomTable(id="events", name="Events", dice="1D6", rows=rows)
    told = {str(roll_table(table, lucky(seed, "t"), 3)) for seed in range(80)}
    assert told == {
        "events: 1, Truce; Nobody attacks.",
        "events: 2, Arms; replacement points 3",
        "events: 3, 2 x iran.infantry",
        "events: 4, nothing happens",
        "events: 5, nothing happens",
        "events: 6, nothing happens",
    }

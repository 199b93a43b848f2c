"""The words of scenarios: every kind of record and every choice in plain sentences, whatever the document holds."""

import re
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given

from studio.model import (
    Clause,
    Condition,
    CupMarker,
    Distance,
    DrawPool,
    Erratum,
    Event,
    ExtendedPlay,
    Force,
    Formation,
    Lot,
    MapUse,
    Objective,
    OwnKind,
    Period,
    PlaceNote,
    RandomTable,
    Restraint,
    Result,
    ScenarioDocument,
    SetUp,
    Source,
    SpecialRules,
    Support,
    TableRow,
    Trigger,
    UnitRecord,
    UnitStatus,
    Variant,
)
from studio.model import wording as w
from studio.model.calendar import calendar_rows
from studio.model.edits import Delete, Put, SetField
from studio.model.wording.english import fields_told, sentence, sentences
from tests.model.any_document import ANY_DOCUMENT


def battle(**fields: Any) -> ScenarioDocument:
    forces = [
        Force(
            id="us",
            name="US",
            formations=(
                Formation(
                    id="platoon", name="1st Platoon", units=(UnitRecord(id="lead", type="us.tank", name="Lead"),)
                ),
            ),
        ),
        Force(id="reds", name="Insurgents"),
    ]
    given: dict[str, Any] = {"ruleset": "modern_tactics", "map": MapUse(file="a.map.json"), "forces": forces, **fields}
    return ScenarioDocument(**given)


NAMES = w.Names(
    battle(
        clauses=[
            Clause(id="two", kind="objectives", side="us", parts=("hill", "town"), count=1),
            Clause(id="loop", kind="all", parts=("loop", "two")),
        ],
        objectives=[
            Objective(id="hill", side="us", event="capture", hexes=("H2",)),
            Objective(id="town", side="us", event="hold", hexes=("N3",), text="The town."),
        ],
        events=[Event(id="rain", name="Rain")],
        tables=[RandomTable(id="luck", name="Luck", dice="1D6")],
        cup=[CupMarker(id="storm", type="storm_marker")],
        support=[Support(id="guns", kind="artillery")],
        turn_names=("1980-III", "1981-I"),
    ),
    types={"us.tank": "M1 tank", "us.rifle": "Rifle squad"},
    terrain={"light_urban": "Light urban"},
    features={"crest-2": "the central crest", "road": "a road"},
)


def test_a_carrier_is_named_with_its_formation_only_where_it_is_in_another() -> None:
    def part(name: str) -> Formation:
        truck = UnitRecord(id=f"{name}-truck", type="us.truck")
        gun = UnitRecord(id=f"{name}-gun", type="us.gun", carried_by="a-truck", at="A1", where=SetUp(hexes=("A1",)))
        return Formation(id=name, name=name.upper(), units=(truck, gun))

    names = w.Names(battle(forces=[Force(id="us", name="US", formations=(part("a"), part("b")))]))
    lines = [w.unit_lines(names.find("formation", name).units, names)[1] for name in "ab"]
    assert lines == ["1 × gun, at A1, with truck", "1 × gun, at A1, with truck of A"]


CHOICES = {
    (kind, field.name): field.type.values
    for kind in (Support, Event)
    for field in msgspec.inspect.type_info(kind).fields
    if isinstance(field.type, msgspec.inspect.LiteralType)
}


def one(lines: list[str]) -> str:
    return " ".join(lines)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (SetUp(), "anywhere in play"),
        (SetUp(hexes=("A1", "B2")), "at A1 or B2"),
        (SetUp(hexes=("A1",), within=1), "at A1 or adjacent to it"),
        (SetUp(hexes=("A1",), within=3), "at A1 or within 3 hexes of it"),
        (SetUp(hexes=("A1", "B2"), within=1), "on or adjacent to A1 or B2"),
        (SetUp(hexes=("A1", "B2"), within=2), "on or within 2 hexes of A1 or B2"),
        (SetUp(terrain=("light_urban", "marsh")), "in light urban or marsh hexes"),
        (SetUp(edges=("north", "east")), "on the north or east edge"),
        (SetUp(edges=("north", "east", "south", "west")), "on any edge"),
        (SetUp(sheets=("map-1",)), "on map-1"),
        (SetUp(first_column="B", last_column="N"), "in columns B to N"),
        (SetUp(first_column="B", last_column="B"), "in column B"),
        (SetUp(first_row="5"), "in rows from 5 on"),
        (SetUp(last_row="4"), "in rows up to 4"),
        (SetUp(features=("crest-2",)), "in the central crest"),
        (SetUp(features=("road",)), "on a road"),
        (
            SetUp(without=("A1",), without_terrain=("marsh",), without_features=("crest-2",)),
            "not in A1, marsh or the central crest",
        ),
        (SetUp(empty=True), "in an empty hex"),
        (SetUp(same="hex"), "all in the same hex"),
        (SetUp(same="edge"), "all by the same edge"),
        (SetUp(same="area"), "all in the same area"),
        (SetUp(same_edge_as=("platoon",)), "by the same edge as 1st Platoon"),
        (SetUp(other_edge_than=("platoon",)), "by another edge than 1st Platoon"),
        (SetUp(other_hex_than=("platoon",)), "in other hexes than 1st Platoon"),
        (SetUp(least_in_hex=2), "at least 2 units in a hex"),
        (SetUp(most_in_hex=1), "at most 1 unit in a hex"),
        (SetUp(least_in_hex=1, most_in_hex=2), "1 to 2 units in each hex"),
        (SetUp(least_in_hex=2, most_in_hex=2), "2 units a hex"),
        (SetUp(most_in_area=1), "at most 1 unit in an area"),
        (SetUp(hexes=("A1",), also=(SetUp(hexes=("B2",), text="the bridge"),)), "at A1; or at B2 (the bridge)"),
        (SetUp(distances=(Distance(units=("reds", "lead"), least=2),)), "at least 2 hexes from Insurgents or Lead"),
        (
            SetUp(distances=(Distance(areas_of=("platoon",), most=4),)),
            "in or within 4 hexes of the area of 1st Platoon",
        ),
    ],
)
def test_areas(where: SetUp, said: str) -> None:
    assert w.area_phrase(where, NAMES) == said


@pytest.mark.parametrize(
    ("distance", "said"),
    [
        (Distance(places=("X14",), least=7), "at least 7 hexes from X14"),
        (Distance(features=("crest-2",), direction="east", least=3), "at least 3 hexes east of the central crest"),
        (Distance(places=("X14",), direction="north"), "north of X14"),
        (Distance(places=("X14",), direction="south", most=2), "at most 2 hexes south of X14"),
        (Distance(places=("X14",), least=2, most=2), "exactly 2 hexes from X14"),
        (Distance(edges=("north", "east", "south", "west"), least=4), "at least 4 hexes from every edge"),
        (Distance(terrain=("marsh",), most=0), "in marsh"),
        (Distance(direction="west"), "west of a place that is not named"),
    ],
)
def test_distances(distance: Distance, said: str) -> None:
    assert w.distance_phrase(distance, NAMES) == said


@pytest.mark.parametrize(
    ("trigger", "said"),
    [
        (Trigger(kind="roll", side="us", dice="1D6", least=5), "when US rolls 5 or more on 1D6"),
        (Trigger(kind="roll", side="reds", dice="1D6", least=5), "when Insurgents roll 5 or more on 1D6"),
        (Trigger(kind="roll", dice="2D6", least=7, each="once"), "when a roll of 2D6 is 7 or more, tried once"),
        (Trigger(kind="initiative", side="us", least=3), "when US wins the initiative by 3 or more"),
        (Trigger(kind="morale_check", side="us", dice="2D6"), "when US passes a morale check on 2D6"),
        (Trigger(kind="choice", side="us", first_turn=2, last_turn=3), "when US chooses, in turns 2 to 3"),
        (Trigger(kind="choice", side="us", last_turn=3), "when US chooses, up to turn 3"),
        (Trigger(kind="clause", of="two"), "once US reaches at least 1 of the objectives “H2 captured” and “The town”"),
        (Trigger(kind="clause"), "once the condition is met"),
        (Trigger(kind="event", of="rain", delay=1), "once “Rain” happens, 1 turn later"),
        (Trigger(kind="table", of="luck", results=(3, 4)), "on a result of 3 or 4 in the table “Luck”"),
        (Trigger(kind="draw", of="storm"), "when storm marker is drawn from the cup"),
        (Trigger(kind="activation", of="platoon"), "when 1st Platoon is activated"),
        (Trigger(kind="other", text="When a gun has fired."), "when a gun has fired"),
        (Trigger(kind="other", text="Smoke clears."), "on this condition: Smoke clears"),
        (
            Trigger(kind="roll", dice="1D6", least=4, each="casualty"),
            "when a roll of 1D6 is 4 or more, tried for each casualty",
        ),
        (
            Trigger(kind="roll", dice="1D6", least=4, each="initiative"),
            "when a roll of 1D6 is 4 or more, tried at each initiative",
        ),
        (
            Trigger(kind="roll", dice="1D6", least=4, automatic_turn=2),
            "when a roll of 1D6 is 4 or more, at the latest in turn 2 (1981-I)",
        ),
    ],
)
def test_triggers(trigger: Trigger, said: str) -> None:
    assert w.trigger_phrase(trigger, NAMES) == said


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({}, "Sets up anywhere in play."),
        ({"where": SetUp(hexes=("B8",), within=1, text="In B8 or beside it.")}, "Sets up: in B8 or beside it."),
        (
            {"where": SetUp(first_column="E", text="East of hexline D.")},
            "Sets up in columns from E on: east of hexline D.",
        ),
        ({"loaded": "must", "where": SetUp(hexes=("A9",))}, "Sets up, loaded, at A9."),
        (
            {"arrival": "enter", "arrival_turn": 3, "loaded": "may", "where": SetUp(hexes=("W19", "GG19"))},
            "Enters in turn 3, loaded or not, at W19 or GG19.",
        ),
        (
            {
                "arrival": "enter",
                "arrival_turn": 2,
                "where": SetUp(edges=("west",)),
                "when": Trigger(kind="roll", side="us", dice="1D6", least=4, first_turn=2),
            },
            "Enters from turn 2 (1981-I) on, on the west edge, when US rolls 4 or more on 1D6.",
        ),
        ({"arrival": "pool", "arrival_turn": 3}, "Waits in the pool, from turn 3 on, anywhere in play."),
        ({"hidden": 2}, "Sets up anywhere in play. 2 of its units, as the player chooses, set up hidden."),
        (
            {"choice": "relief"},
            "Sets up anywhere in play. Of the formations “relief” only one enters, as the player chooses.",
        ),
    ],
)
def test_arrivals(part: dict[str, Any], said: str) -> None:
    assert one(w.arrival_sentences(Formation(id="a", name="A", **part), NAMES)) == said


def test_what_else_is_said_of_a_formation() -> None:
    part = Formation(
        id="a",
        name="A",
        quality="veteran",
        nation="Army",
        part_of="platoon",
        set_up_order=3,
        activation_markers=2,
        ratings={"morale_check": 8, "impulse_bonus": "1D6"},
        leaves=SetUp(edges=("north",)),
        printed_units=1,
        printed_points=37,
        notes="Tired.",
        restraints=(
            Restraint(
                stay=SetUp(hexes=("A1",)),
                forbidden=("fire", "exit"),
                units=("lead",),
                until=Trigger(kind="event", of="rain"),
            ),
            Restraint(stay=SetUp(hexes=("B1",)), forbidden=("enter",), against=("reds",)),
            Restraint(forbidden=("move",), text="They wait."),
        ),
    )
    assert w.formation_sentences(part, NAMES) == [
        "Sets up anywhere in play.",
        "Sets up as number 3 of all formations.",
        "Part of 1st Platoon, by whose markers it acts.",
        "2 activation markers.",
        "Lead must stay at A1 and may not fire or leave the map, until “Rain” happens.",
        "May not enter hexes at B1 against Insurgents, for the whole game.",
        "May not move, for the whole game.",
        "They wait.",
        "May leave the map on the north edge.",
        "Its troops are veteran.",
        "Nation: Army.",
        "Morale check 8, impulse bonus 1D6.",
        "Printed: 1 unit and 37 points.",
        "Tired.",
    ]


def test_units_that_are_alike_are_one_line() -> None:
    units = [
        *(UnitRecord(id=f"r{n}", type="us.rifle", count=2) for n in range(600)),
        UnitRecord(
            id="s", type="us.rifle", quality="elite", status=("hidden", "ladder"), facing="NE", figures={"movement": 4}
        ),
        UnitRecord(id="g", type="support.mg", carried_by="lead", at="A1", notes="Heavy"),
        UnitRecord(id="x", type="us.tank", name="Boss", where=SetUp(hexes=("C3",))),
    ]
    assert w.unit_lines(units, NAMES) == [
        "1200 × Rifle squad",
        "1 × Rifle squad (elite, hidden, with ladders, facing NE, movement 4)",
        "1 × mg, at A1, with Lead. Heavy.",
        "1 × Boss, M1 tank, at C3",
    ]


@pytest.mark.parametrize("status", get_args(UnitStatus))
def test_every_status_is_said(status: str) -> None:
    said = w.unit_phrase(UnitRecord(id="a", type="us.tank", status=(status,)), NAMES)
    assert ("ladders" if status == "ladder" else status) in said


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ({"event": "eliminate"}, "each enemy unit eliminated"),
        ({"event": "eliminate", "unit_types": ("us.tank",)}, "each M1 tank eliminated"),
        ({"event": "eliminate", "of": ("platoon",), "measure": "once"}, "1st Platoon eliminated"),
        ({"event": "exit", "edges": ("north",)}, "each own unit that leaves by the north edge"),
        (
            {"event": "loot_and_exit", "terrain": ("light_urban",)},
            "each own unit that loots in light urban and later leaves the map",
        ),
        ({"event": "hold", "hexes": ("A1", "B2")}, "each of A1 and B2 held at the end"),
        ({"event": "capture", "hexes": ("A1",)}, "A1 captured"),
        ({"event": "capture", "terrain": ("light_urban",)}, "each hex of light urban captured"),
        ({"event": "destroy", "hexes": ("A1",)}, "A1 destroyed"),
        ({"event": "destroy", "unit_types": ("us.tank",), "measure": "once"}, "M1 tank destroyed"),
        ({"event": "survive"}, "each own unit on the map at the end"),
        ({"event": "lose", "measure": "once"}, "own units eliminated"),
        ({"event": "other", "hexes": ("A1",)}, "concerns A1"),
        ({"event": "other"}, ""),
    ],
)
def test_objectives(objective: dict[str, Any], said: str) -> None:
    assert w.objective_phrase(Objective(id="o", side="us", **objective), NAMES) == said


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("each", "Each enemy unit eliminated."),
        ("once", "Enemy units eliminated, once."),
        ("casualty_points", "Enemy units eliminated, times the casualty points of each."),
        ("roster_points", "Enemy units eliminated, times the points of the roster of each."),
    ],
)
def test_how_points_are_counted(measure: Any, said: str) -> None:
    objective = Objective(id="o", side="us", event="eliminate", points=2, measure=measure, most=9)
    assert w.objective_sentences(objective, NAMES) == [said, "At most 9 points."]


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        (
            {"kind": "all", "parts": ("two", "rain")},
            "all of this holds: US reaches at least 1 of the objectives “H2 captured” and “The town”; rain",
        ),
        (
            {"kind": "any", "parts": ("hill", "town")},
            "one of this holds: the objective “H2 captured” is reached; the objective “The town” is reached",
        ),
        (
            {"kind": "any", "count": 2, "parts": ("hill", "town")},
            "at least 2 of this holds: the objective “H2 captured” is reached; the objective “The town” is reached",
        ),
        ({"kind": "not", "parts": ("hill",)}, "it is not the case that the objective “H2 captured” is reached"),
        (
            {"kind": "objectives", "side": "us", "parts": ("hill", "town")},
            "US reaches both of the objectives “H2 captured” and “The town”",
        ),
        ({"kind": "points", "side": "reds", "count": 7}, "Insurgents have at least 7 victory points"),
        ({"kind": "casualties", "side": "us", "count": 1}, "US has lost at least 1 casualty point"),
        ({"kind": "eliminated", "parts": ("lead", "platoon")}, "all of Lead and 1st Platoon are eliminated"),
        (
            {"kind": "eliminated", "parts": ("lead", "platoon"), "count": 1},
            "at least 1 of Lead and 1st Platoon is eliminated",
        ),
        ({"kind": "exited", "side": "reds", "count": 3}, "at least 3 units of Insurgents are off the map"),
        ({"kind": "turn", "count": 4}, "turn 4 has ended"),
        ({"kind": "turn"}, "the last turn has ended"),
        ({"kind": "other", "text": "The bridge is down."}, "the bridge is down"),
    ],
)
def test_clauses(clause: dict[str, Any], said: str) -> None:
    names = w.Names(
        msgspec.structs.replace(NAMES.document, clauses=[*NAMES.document.clauses, Clause(id="c", **clause)])
    )
    assert w.clause_phrase("c", names) == said


def test_clauses_that_run_in_a_circle_are_named_once() -> None:
    said = w.clause_phrase("loop", NAMES)
    assert said.count("condition “loop” holds") == 1
    assert "at least 1 of the objectives" in said


def test_counters_of_a_clause_are_counted_not_its_parts() -> None:
    column = Formation(id="column", name="Column", units=(UnitRecord(id="trucks", type="lorry", count=3),))
    leave = Clause(id="leave", kind="exited", parts=("trucks",), count=2)
    document = battle(forces=[Force(id="us", name="US", formations=(column,))], clauses=[leave])
    assert w.clause_phrase("leave", w.Names(document)) == "at least 2 of 3 × lorry are off the map"
    for part in ("column", "us"):
        document.clauses = [msgspec.structs.replace(leave, parts=(part,))]
        assert w.clause_phrase("leave", w.Names(document)).startswith("at least 2 of ")
    document.clauses = [msgspec.structs.replace(leave, count=3)]
    assert "at least" not in w.clause_phrase("leave", w.Names(document))


def test_an_end_that_its_result_puts_off_comes_with_the_turn() -> None:
    def lasts(*results: Result) -> str:
        document = battle(length=4, ends=("two",), clauses=NAMES.document.clauses, victory=Condition(results=results))
        items = [item.text for row in calendar_rows(document) for item in row.items if item.kind == "ending"]
        found = w.length_sentences(document, w.Names(document))[1]
        assert ("at once" in found) == ("at once" in items[0]) == w.ends_at_once(document, "two")
        return found[: found.index(" US")]

    assert lasts() == lasts(Result(side="us", when="two", immediate=True)) == "Ends at once when"
    assert lasts(Result(side="us", when="two"), Result(side="reds")) == "Ends with the turn, once"


def test_formations_enter_with_one_of_their_activations() -> None:
    part = Formation(id="a", name="A", arrival="enter", where=SetUp(hexes=("A1",)))
    for unit, said in (("turn", "Enters in turn 1, at A1."), ("activation", "Enters from activation 1 on, at A1.")):
        assert w.arrival_sentences(part, w.Names(battle(length_unit=unit))) == [said]


def test_results_and_victory() -> None:
    results = [
        (Result(side="us", level="major", least_points=10), "US wins a major victory with at least 10 victory points."),
        (Result(side="reds", most_points=3), "Insurgents win with at most 3 victory points."),
        (Result(level="even", least_points=4, most_points=9), "The game is a draw (even) with 4 to 9 victory points."),
        (
            Result(side="us", when="two", immediate=True),
            "US wins at once when US reaches at least 1 of the objectives “H2 captured” and “The town”.",
        ),
        (Result(side="us", text="With more points."), "US wins. With more points."),
        (Result(side="us", text="If none is left."), "US wins: if none is left."),
    ]
    for result, said in results:
        assert one(w.result_sentences(result, NAMES)) == said
    victory = Condition(side="us", margin=4, otherwise="reds", printed_totals={"us": 18, "reds": 16})
    assert w.victory_sentences(victory, NAMES) == [
        "US wins with at least 4 victory points more than the other side; otherwise Insurgents win.",
        "Most points that can be earned, as printed: US 18 and Insurgents 16.",
    ]
    assert w.victory_sentences(Condition(), NAMES) == ["The side with more victory points wins."]


def test_the_schedule() -> None:
    said = {
        "event": one(
            w.event_sentences(
                Event(
                    id="e",
                    name="Men",
                    kind="allotment",
                    turn=2,
                    last_turn=8,
                    every=3,
                    side="us",
                    gives={"replacement_points": "5", "basij": "8+1D6"},
                    most_units=4,
                    once=True,
                    text="Not later.",
                ),
                NAMES,
            )
        ),
        "plain": one(w.event_sentences(Event(id="e", name="Men", when=Trigger(kind="choice")), NAMES)),
        "support": one(
            w.support_sentences(
                Support(
                    id="s",
                    kind="guided",
                    side="reds",
                    missions=2,
                    figures={"strength": 8},
                    first_turn=3,
                    target=SetUp(hexes=("A1",)),
                ),
                NAMES,
            )
        ),
        "cup": one(
            w.cup_sentences(
                CupMarker(
                    id="c",
                    type="storm",
                    side="us",
                    count=2,
                    enters="activation",
                    after=4,
                    returns=False,
                    support="guns",
                    formation="platoon",
                ),
                NAMES,
            )
        ),
        "period": one(
            w.period_sentences(
                Period(
                    id="p", name="Night", first_turn=3, last_turn=5, light="night", visibility=4, options={"dark": True}
                ),
                NAMES,
            )
        ),
        "extended": w.extended_sentence(ExtendedPlay(when=Trigger(kind="roll", dice="2D6", least=7)), NAMES),
    }
    assert said == {
        "event": "Allotment, in turn 2 (1981-I), again every 3 turns up to turn 8: US receives 5 replacement points "
        "and 8 + 1D6 basij. At most 4 units may enter by it. Once a game. Not later.",
        "plain": "When the player chooses.",
        "support": "Insurgents have 2 missions, from turn 3 on, strength 8. May fall at A1.",
        "cup": "2 of them go into the cup, after turn 4, for US. Activates 1st Platoon. Stands for Artillery. "
        "Does not go back into the cup.",
        "period": "In turns 3 to 5: by night, sight at most 4 hexes, dark: yes.",
        "extended": "After that 1 more turn, when a roll of 2D6 is 7 or more.",
    }


@pytest.mark.parametrize(
    ("enters", "said"),
    [
        ("start", "Goes into the cup at the start."),
        ("first_refill", "Goes into the cup when it is filled again for the first time."),
        ("activation", "Goes into the cup, after an activation."),
        ("event", "Goes into the cup with an event."),
    ],
)
def test_when_a_marker_goes_into_the_cup(enters: Any, said: str) -> None:
    assert w.cup_sentences(CupMarker(id="c", type="storm", enters=enters), NAMES) == [said]


@pytest.mark.parametrize("kind", CHOICES[Support, "kind"])
def test_every_kind_of_support_has_a_name(kind: Any) -> None:
    assert re.fullmatch(r"[A-Z][a-z ]+", w.support_name(Support(id="s", kind=kind), NAMES))


def test_support_has_the_name_that_it_is_given() -> None:
    named = Support(id="s", kind="guided", name="Copperhead", type="us.tank")
    assert w.support_name(named, NAMES) == "Copperhead (M1 tank, guided munitions)"


@pytest.mark.parametrize("kind", CHOICES[Event, "kind"])
def test_every_kind_of_event_is_said(kind: Any) -> None:
    said = one(w.event_sentences(Event(id="e", name="E", kind=kind, turn=3), NAMES))
    assert said == ("In turn 3." if kind == "other" else f"{kind.capitalize()}, in turn 3.")


def test_what_chance_decides() -> None:
    pool = DrawPool(
        id="p",
        name="Cup",
        side="reds",
        draws=1,
        for_units=("lead",),
        places=("25", "26"),
        how="chosen",
        when="set_up",
        returns=True,
        where=SetUp(hexes=("A1",)),
        text="In secret.",
    )
    assert one(w.pool_sentences(pool, NAMES)) == (
        "1 lot is chosen and noted down in secret by Insurgents for each of Lead and for each of 25 and 26 before the "
        "first turn. Placed at A1. What is drawn goes back. In secret."
    )
    lot = Lot(
        type="us.tank",
        name="Ace",
        figures={"attack": 3},
        beside=("support.mg",),
        choose=("us.rifle", "us.tank"),
        text="One.",
    )
    assert w.lot_phrase(lot, NAMES) == (
        "1 × Ace, M1 tank (attack 3) with mg and, as the owner chooses, Rifle squad or M1 tank (One)"
    )
    assert w.lot_phrase(Lot(type="us.tank", count=0), NAMES) == "some M1 tank"
    table = RandomTable(
        id="t", name="T", side="us", dice="D66", when=Trigger(kind="event", of="rain"), limit=1, where=SetUp()
    )
    assert one(w.table_sentences(table, NAMES)) == (
        "US rolls D66, once “Rain” happens. Counts at most once. Units that it brings enter anywhere in play."
    )
    row = TableRow(
        rolls=(11, 12, 13, 21),
        name="Aid",
        units=(Lot(type="us.tank", count=2),),
        gives={"points": "1D6"},
        once=True,
        first_turn=3,
    )
    assert w.rolls_phrase(row) == "11–13, 21"
    assert w.row_sentences(row, NAMES) == [
        "Aid.",
        "2 × M1 tank.",
        "Receive 1D6 points.",
        "Once a game.",
        "Counts from turn 3 on.",
    ]
    assert w.row_sentences(TableRow(rolls=(1,)), NAMES) == ["Nothing (1 result)."]


def test_special_rules() -> None:
    special = SpecialRules(
        options={"border_rule": "per_border", "fog": False},
        terrain_overrides={"light_urban": "marsh"},
        terrain_at={"C2": "rubble", "C3": "rubble"},
        defence_at={"C2": 3},
        road_surface="unpaved",
        closed=("D4",),
        opened=("breach-1",),
        smoke=("A1", "A2"),
        haze_step=3,
        visibility=9,
        visibility_roll="2D6",
        visibility_modifier=-2,
        surveillance=("us",),
        texts=("No air support",),
    )
    assert w.special_sentences(special, NAMES) == [
        "All light urban counts as marsh.",
        "C2 and C3 are rubble.",
        "The defence of C2 is 3.",
        "All roads count as unpaved.",
        "Nothing may enter D4.",
        "Open at the start: breach-1.",
        "Options of the rules: border rule: per border; fog: no.",
        "Permanent smoke at A1 and A2.",
        "Haze: 1 point of hindrance for every 3 hexes of range.",
        "Visibility is 9 hexes; visibility is rolled: 2D6.",
        "Fire beyond half of the visibility has a modifier of -2.",
        "US sees every hex.",
        "No air support.",
    ]


def test_the_rest_of_a_scenario() -> None:
    assert w.map_sentences(MapUse(file="x")) == ["The whole map is in play."]
    part = MapUse(file="x", sheets=("map-1",), first_column="Q", last_row="9", out_of_play=("A1",))
    assert w.map_sentences(part) == ["In play: map-1, columns from Q on, rows up to 9.", "Not in play: A1."]
    kind = OwnKind(
        id="k",
        name="Mule",
        like="us.tank",
        kind="vehicle",
        role="carrier",
        mover="foot",
        used_by="infantry",
        transport=True,
        stacks=False,
        movement=4,
        points=2,
        figures={"attack": 1},
        notes="Slow.",
    )
    assert w.kind_sentences(kind, NAMES) == [
        "Vehicle, like M1 tank, role carrier, moves as foot, used by infantry, can carry foot units, "
        "does not count towards stacking, movement 4, points 2, attack 1.",
        "Slow.",
    ]
    erratum = Erratum(id="e", at="reds/platoon", printed="SETUP TURN 14", read_as="turn 1", text="A slip.")
    assert w.erratum_sentences(erratum, NAMES) == [
        "Insurgents, 1st Platoon: printed “SETUP TURN 14”, read as “turn 1”.",
        "A slip.",
    ]
    variant = Variant(
        id="v",
        name="V",
        text="As it was.",
        changes=(
            Put(collection="forces/us/formations", record={"id": "n", "name": "New"}),
            Delete(collection="objectives", id="hill"),
            SetField(field="forces/us/name", value="Marines of the US"),
        ),
    )
    assert w.variant_sentences(variant, NAMES) == [
        "As it was.",
        "Forces, US, formations: New is added or replaced.",
        "Objectives: hill is left out.",
        "Forces, US, name becomes “Marines of the US”.",
    ]
    assert w.note_sentence(PlaceNote(id="n", at="A1", text="Reserves", side="us"), NAMES) == "A1 (for US): Reserves."
    assert (
        w.source_sentence(Source(title="Book", licence="CC0", note="All", url="https://example.org"))
        == "Book (CC0). All. https://example.org"
    )
    document = battle(
        home={"us": ("base",)},
        control={"reds": ("A1", "A2")},
        unrestored=("City",),
        length=0,
        first_side="us",
        first_formation="platoon",
        ends=("two",),
    )
    names = w.Names(document)
    assert w.control_sentences(document, names) == [
        "Home of US: base.",
        "Insurgents control A1 and A2 at the start.",
        "Sources of supply that do not work yet: City.",
    ]
    assert w.length_sentences(document, names) == [
        "Lasts until a condition ends it.",
        "Ends at once when “two” holds.",
        "US acts first, with 1st Platoon.",
    ]
    force = Force(id="f", name="F", team="allies", played_by="rules", ratings={"impulse": "3D6"}, notes="Brave.")
    assert w.force_sentences(force, NAMES) == [
        "Nobody plays it: it acts by rules.",
        "On the side of allies.",
        "Impulse 3D6.",
        "Brave.",
    ]
    assert w.force_sentences(msgspec.structs.replace(force, team="", ratings={}, notes="", played_by="us"), NAMES) == [
        "Played by US."
    ]


def test_words_of_the_designer_are_not_repeated() -> None:
    assert sentences("each BMP-2 eliminated", "Each BMP-2 that is eliminated.") == ["Each BMP-2 that is eliminated."]
    assert fields_told("at least 2 hexes from U9", "Two hexes or more from U9.")
    assert not fields_told("at least 2 hexes from U9", "Far from U9.")
    assert sentence("Why?") == "Why?"


# -- whatever the document holds -------------------------------------------------------------------------------------


def everything(document: ScenarioDocument) -> list[str]:
    """Return all words of a document."""
    names = w.Names(document)
    lines = [
        *w.length_sentences(document, names),
        *w.map_sentences(document.map),
        *w.special_sentences(document.special, names),
    ]
    lines += w.control_sentences(document, names)
    for force in document.forces:
        lines += w.force_sentences(force, names)
        for part in force.formations:
            lines += [
                *w.formation_sentences(part, names),
                *w.unit_lines(part.units, names),
                w.describe_area(part.where, names),
            ]
    told: list[tuple[list[Any], Any]] = [
        (document.objectives, w.objective_sentences),
        (document.clauses, w.clause_sentences),
        (document.events, w.event_sentences),
        (document.support, w.support_sentences),
        (document.cup, w.cup_sentences),
        (document.pools, w.pool_sentences),
        (document.tables, w.table_sentences),
        (document.periods, w.period_sentences),
        (document.roster, w.kind_sentences),
        (document.errata, w.erratum_sentences),
        (document.variants, w.variant_sentences),
    ]
    lines += [line for records, words in told for record in records for line in words(record, names)]
    lines += [line for table in document.tables for row in table.rows for line in w.row_sentences(row, names)]
    lines += [w.lot_phrase(lot, names) for pool in document.pools for lot in pool.lots]
    if document.victory is not None:
        lines += w.victory_sentences(document.victory, names)
        lines += [line for result in document.victory.results for line in w.result_sentences(result, names)]
    lines += [w.note_sentence(note, names) for note in document.place_notes]
    lines += [item.text for row in calendar_rows(document, names) for item in row.items]
    return lines + [w.source_sentence(source) for source in document.sources]


@given(ANY_DOCUMENT)
def test_any_document_has_words(document: ScenarioDocument) -> None:
    for line in everything(document):
        assert line.strip(), "an empty bullet"
        assert "None" not in line, line
        assert not re.search(r"[.,;:!?]{2,}| [.,;:!?]|\(\)|“”|  ", line), line
        assert "_" not in line, line

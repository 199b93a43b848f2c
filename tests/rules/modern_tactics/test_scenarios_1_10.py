"""Scenarios 1 to 10 of Modern Tactics: Afghanistan, fact by fact against a table of what their sheets say."""

import functools
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.files import write_scenario_text
from studio.model import Formation, UnitRecord
from studio.rules.areas import ScenarioAreas
from tests.rules.modern_tactics.sheets_1_10 import (
    AFGHAN,
    AREAS,
    CANADIAN,
    CAPTURED,
    CUPS,
    FIELD,
    GROUPS,
    HEADS,
    INSURGENT,
    PLACES,
    RESULTS,
    SUPPORT,
)

ROOT = Path(__file__).parents[3]
NUMBERS = range(1, 11)


@functools.cache
def scenario(number: int) -> studio.Scenario:
    return studio.open_scenario(ROOT / "scenarios" / f"tactics-{number:02d}.scenario.json", recover_unsaved=False)


def formation(number: int, name: str) -> Formation:
    (found,) = (one for force in scenario(number).document.forces for one in force.formations if one.id == name)
    return found


def unit(number: int, name: str) -> UnitRecord:
    units = (one for force in scenario(number).document.forces for f in force.formations for one in f.units)
    (found,) = (one for one in units if one.id == name)
    return found


def one_of(records: Any, name: str) -> Any:
    (found,) = (one for one in records if one.id == name)
    return found


def area(number: int, name: str, **placed: str) -> set[str]:
    """Return the labels of the hexes where a formation, or a unit with an area of its own, may be placed.

    Units that stand somewhere already are named with their hex, with ``_`` in place of ``-``.
    """
    opened = scenario(number)
    areas = ScenarioAreas(
        opened.document,
        opened.map.survey,
        opened.ruleset,
        ground=opened.play_ground,
        placed={one.replace("_", "-"): (opened.map.labels.cell(label),) for one, label in placed.items()},
    )
    formations = {one.id: one.where for force in opened.document.forces for one in force.formations}
    where = formations[name] if name in formations else unit(number, name).where
    assert where is not None
    return {opened.map.survey.directory.label(cell) for cell in areas.cells(where, name)}


# -- the head of each sheet ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_heads(number: int) -> None:
    head, document = HEADS[number], scenario(number).document
    assert document.title == f"Scenario {number}: {head.name}"
    assert document.map.file.endswith(f"tactics-{head.map}.map.json")
    assert (document.length, document.length_unit, document.date) == (head.turns, "turn", head.date)
    assert document.ratings == {"luck_cards": head.luck_cards}
    assert document.situation
    assert document.extended is not None
    assert document.extended.turns == 1
    when = document.extended.when
    assert (when.kind, when.dice, when.least, when.each) == ("roll", "2D6", 7, "once")


@pytest.mark.parametrize("number", NUMBERS)
def test_sides(number: int) -> None:
    head, document = HEADS[number], scenario(number).document
    assert {force.id for force in document.forces} == set(head.sides)
    for force in document.forces:
        impulse, smoke, losses = head.sides[force.id]
        given = {"impulse": impulse, "infantry_smoke": smoke, "break_contact": losses}
        assert force.ratings == {name: value for name, value in given.items() if value}
        assert force.set_up_order == (1 if force.id == head.first else 2)
        limits = [one for one in document.clauses if one.kind == "casualties" and one.side == force.id]
        assert [limit.count for limit in limits] == ([losses] if losses else [])


# -- the groups of units ---------------------------------------------------------------------------------------------


def words(nation: str) -> dict[str, str]:
    own = {"insurgent": INSURGENT, "canadian": CANADIAN, "afghan": AFGHAN, "us": {"Apache": "apache"}}[nation]
    found = {word: f"{nation}.{name}" for word, name in own.items()}
    found |= {word: f"support.{name}" for word, name in SUPPORT.items()}
    return found | {word: f"field.{name}" for word, name in FIELD.items()}


def read(nation: str, text: str) -> Counter[tuple[str, str]]:
    """Return kinds of units with what holds for them, and how many: "3 Rifle, 2 Rifle (reduced)"."""
    found: Counter[tuple[str, str]] = Counter()
    for part in text.split(", "):
        match = re.fullmatch(r"(\d+) ([^(]+?)(?: \((\w+)\))?", part)
        assert match, part
        found[words(nation)[match[2]], match[3] or ""] += int(match[1])
    return found


def counted(group: Formation) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for one in group.units:
        found[one.type, " ".join((*one.status, *([one.quality] if one.quality else [])))] += one.count
    return found


@pytest.mark.parametrize(("number", "name"), [(n, name) for n, groups in GROUPS.items() for name in groups])
def test_groups(number: int, name: str) -> None:
    printed, group = GROUPS[number][name], formation(number, name)
    assert counted(group) == read(printed.nation, printed.units)
    assert (group.arrival, group.arrival_turn) == (("enter", printed.enters) if printed.enters else ("set_up", 1))
    assert (group.loaded, group.when is not None) == (printed.loaded, printed.waits)
    check = "gut_check" if (number, name) == (1, "canadian") else "morale_check"
    ratings = {check: printed.check} if printed.check else {}
    assert group.ratings == {**ratings, **({"impulse_bonus": "1D6"} if printed.die else {})}
    assert not any(one.at or one.carried_by for one in group.units)


@pytest.mark.parametrize("number", NUMBERS)
def test_there_are_no_other_groups(number: int) -> None:
    found = {one.id for force in scenario(number).document.forces for one in force.formations}
    others = {4: {"contacts", "civilians"}, 5: {"contacts", "civilians"}, 6: {"contacts", "civilians"}}
    others |= {7: {"contacts", "civilians"}, 8: {"contacts"}}
    assert found == set(GROUPS[number]) | others.get(number, set())


def test_what_activates_groups() -> None:
    def when(number: int, name: str) -> tuple[Any, ...]:
        one = formation(number, name).when
        assert one is not None
        return one.kind, one.side, one.dice, one.least, one.first_turn, one.last_turn, one.automatic_turn, one.each

    assert when(1, "canadian") == ("roll", "coalition", "1D6", 4, 2, 0, 7, "turn")
    assert when(2, "qrf") == ("initiative", "canadian", "", 3, 2, 0, 0, "initiative")
    assert when(3, "air-support") == ("roll", "canadian", "2D6", 7, 7, 0, 0, "turn")
    assert when(7, "canadian-2") == ("initiative", "canadian", "", 5, 0, 0, 0, "initiative")
    assert when(9, "qrf") == ("morale_check", "canadian", "", 0, 2, 2, 3, "once")
    assert when(5, "civilians") == ("initiative", "insurgent", "", 1, 0, 0, 0, "initiative")


def test_names_of_nations_and_persons() -> None:
    assert formation(1, "afghan").nation == formation(6, "afghan").nation == "Afghan National Army"
    assert formation(1, "canadian").nation == formation(6, "canadian").nation == "Canada"
    assert formation(3, "air-support").nation == "United States"
    assert (unit(2, "barton").name, unit(2, "barton").type) == ("Sergeant Barton", "canadian.sergeant")
    assert "doubles" in unit(3, "air-support-apache").notes


# -- where they set up, enter and leave ------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "name", "hexes"), AREAS)
def test_areas_that_name_their_hexes(number: int, name: str, hexes: str) -> None:
    assert area(number, name) == set(hexes.split())


def near(number: int, steps: int, *labels: str) -> set[str]:
    m = scenario(number).map
    cells = {cell for label in labels for cell in m.grid.within(m.labels.cell(label), steps)}
    return {m.labels.label(cell) for cell in cells}


def every(number: int) -> set[str]:
    m = scenario(number).map
    return {m.labels.label(cell) for cell in range(m.grid.cells) if m.grid.has(cell)}


def column(label: str) -> tuple[int, str]:
    letters = label.rstrip("0123456789")
    return len(letters), letters


def row(label: str) -> int:
    return int(label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


@pytest.mark.parametrize(
    ("number", "name", "steps", "labels"),
    [
        (1, "insurgent-1", 1, "X2"),
        (1, "insurgent-2", 1, "FF9"),
        (1, "insurgent-3", 1, "H10"),
        (1, "afghan", 3, "V14 W13"),
        (2, "canadian-1", 2, "F6 G7 H7 I8"),
        (8, "canadian-1", 1, "N5 O6"),
        (9, "insurgent-1", 2, "Q5 Q15"),
        (9, "canadian-1", 4, "H3 G4 G5 G6"),
        (9, "civilians", 4, "H3 G4 G5 G6"),
    ],
)
def test_areas_around_hexes(number: int, name: str, steps: int, labels: str) -> None:
    """Where a vehicle that may stand in several hexes is the centre, these are all places until it stands."""
    assert area(number, name) == near(number, steps, *labels.split())


def test_areas_follow_the_vehicle_that_they_are_measured_from() -> None:
    for name in ("canadian-1", "civilians"):
        assert area(9, name, canadian_1_bison="G6") == near(9, 4, "G6")
    both = {"canadian_1_bison": "F6", "canadian_1_bison_wreck": "I8"}
    assert area(2, "canadian-1", **both) == near(2, 2, "F6", "I8")


@pytest.mark.parametrize(
    ("number", "name", "holds"),
    [
        (3, "insurgent-1", lambda label: True),
        (6, "insurgent-1", lambda label: column(label) > (1, "R")),
        (7, "insurgent-1", lambda label: row(label) > 4),
        (8, "insurgent-1", lambda label: column(label) < (1, "L")),
    ],
)
def test_areas_by_hexlines(number: int, name: str, holds: Any) -> None:
    assert area(number, name) == {label for label in every(number) if holds(label)}


@pytest.mark.parametrize(
    ("number", "name", "edges"),
    [
        (2, "insurgent-1", "north east west"),
        (5, "insurgent-2", "north east south west"),
        (7, "insurgent-2", "south"),
        (7, "canadian-1", "north"),
        (7, "canadian-2", "north"),
        (8, "insurgent-2", "north east south west"),
        (9, "insurgent-2", "south"),
        (10, "insurgent-2", "north east south west"),
    ],
)
def test_entries_by_whole_edges(number: int, name: str, edges: str) -> None:
    last, low, high = ("O", 9, 8) if number in {2, 8} else ("GG", 19, 18)
    odd = {label for label in every(number) if not (ord(label[0]) - ord("A")) & 1}
    sides = {
        "north": {label for label in every(number) if row(label) == (1 if label in odd else 0)},
        "south": {label for label in every(number) if row(label) == (low if label in odd else high)},
        "west": {label for label in every(number) if column(label) == (1, "A")},
        "east": {label for label in every(number) if column(label) == (len(last), last)},
    }
    assert area(number, name) == set().union(*(sides[edge] for edge in edges.split()))


@pytest.mark.parametrize("number", [5, 10])
def test_four_hexes_from_the_edges(number: int) -> None:
    """A hex of an edge is 0 hexes away from it: rows 5 to 15, and 4 to 14 of the columns that begin with row 0."""
    inside = {
        label
        for label in every(number)
        if (1, "E") <= column(label) <= (2, "CC")
        and (5 <= row(label) <= 15 if not (ord(label[0]) - ord("A")) & 1 else 4 <= row(label) <= 14)
    }
    found = area(number, "insurgent-1")
    if number == 10:
        assert found == inside
        assert "M15" in found
        assert not {"F15", "F16"} & found  # the two that no garrison can hold at the start
    else:
        assert found < inside
        assert not {"P5", "Q11", "T5", "U10", "P11"} & found  # in the compounds of the contacts


def test_nobody_enters_beside_canadians() -> None:
    for number, squad, label in (
        (5, "canadian_1_jtf_2", "GG1"),
        (8, "canadian_1_rifle", "O6"),
        (10, "canadian_1_rifle", "GG3"),
    ):
        before = area(number, "insurgent-2")
        taken = before & near(number, 1, label)
        assert len(taken) == 3
        assert area(number, "insurgent-2", **{squad: label}) == before - taken


def test_units_with_an_area_of_their_own() -> None:
    assert area(2, "canadian-1-bison") == area(2, "canadian-1-bison-wreck") == {"F6", "G7", "H7", "I8"}
    assert area(2, "canadian-1-bison-wreck", canadian_1_bison="G7") == {"F6", "H7", "I8"}
    for name in ("mines", "ied", "wire"):
        assert area(3, f"insurgent-1-{name}") == every(3) - {"H7", "F15", "X4", "Y5", "AA9", "EE15"}
    for name in ("ied", "wire"):
        assert area(7, f"insurgent-1-{name}") == area(7, "insurgent-1") - {"H15", "P11", "W15"}
    assert area(8, "canadian-1-bison") == area(8, "canadian-1-g-wagon") == {"N5", "O6"}
    assert area(8, "canadian-1-g-wagon", canadian_1_bison="O6") == {"N5"}
    assert area(9, "canadian-1-bison") == {"H3", "G4", "G5", "G6"}
    assert area(10, "insurgent-1-ied") == area(10, "insurgent-1") - near(10, 1, "M15", "F15", "F16")


def test_who_keeps_together_and_who_needs_an_empty_hex() -> None:
    same = {(n, f.id): f.where.same for n in NUMBERS for force in scenario(n).document.forces for f in force.formations}
    assert {key: value for key, value in same.items() if value} == {
        (4, "section-1"): "hex",
        (4, "section-2"): "hex",
        (5, "canadian-1"): "edge",
        (5, "canadian-2"): "edge",
        (8, "insurgent-2"): "edge",
        (9, "qrf"): "hex",
    }
    assert formation(4, "insurgent-2").where.empty
    assert formation(7, "insurgent-2").where.empty
    assert formation(4, "section-2").where.other_hex_than == ("section-1",)
    assert formation(5, "canadian-2").where.same_edge_as == ("canadian-1",)
    contacts = formation(7, "contacts")
    assert (contacts.where.features, contacts.where.most_in_area) == (("compound",), 1)
    assert [(one.type, one.count) for one in contacts.units] == [("field.contact", 5)]


def test_who_must_stay_and_where_they_leave() -> None:
    (afghan,) = formation(1, "afghan").restraints
    assert afghan.stay is not None
    assert (afghan.stay.hexes, afghan.stay.within, afghan.forbidden) == (("V14", "W13"), 3, ("exit",))
    assert afghan.until is not None
    assert (afghan.until.kind, afghan.until.of) == ("event", "relief")
    (patrol,) = formation(2, "canadian-1").restraints
    assert patrol.stay is not None
    assert patrol.stay.distances[0].most == 2
    assert set(patrol.units) == {"canadian-1-rifle", "canadian-1-rifle-reduced", "barton"}
    (civilians,) = formation(9, "civilians").restraints
    assert civilians.stay is not None
    assert civilians.stay.distances[0].most == 4
    leaves = {
        (n, f.id): (f.leaves.hexes, f.leaves.edges, f.leaves.features, f.leaves.same)
        for n in NUMBERS
        for force in scenario(n).document.forces
        for f in force.formations
        if f.leaves is not None
    }
    by_road = ((), ("north", "east", "south", "west"), ("road",), "")
    assert leaves == {
        (1, "afghan"): (("W19", "GG19"), (), (), ""),
        (2, "canadian-1"): (("A2", "O8"), (), (), "hex"),
        (2, "qrf"): (("A2", "O8"), (), (), "hex"),
        (5, "canadian-1"): by_road,
        (5, "canadian-2"): by_road,
        (9, "civilians"): (("A8", "A9", "A10"), (), (), ""),
    }
    contacts = formation(5, "contacts").restraints
    assert [one.forbidden for one in contacts] == [("move",)]
    for name in ("insurgent-1", "insurgent-2"):
        shut = [one.stay.features[0] for one in formation(5, name).restraints if one.stay is not None]
        assert len(set(shut)) == 4
        assert all(one.forbidden == ("enter",) for one in formation(5, name).restraints)
        found = {one for compound in shut for one in scenario(5).map.survey.area_cells(compound)}
        assert set(scenario(5).map.labels.cells(["P5", "Q11", "T5", "U10"])) <= found


# -- contacts, civilians, chance -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", PLACES)
def test_contacts_and_civilians_stand_where_the_sheet_says(number: int) -> None:
    contacts, civilians = (text.split() for text in PLACES[number])
    assert [one.at for one in formation(number, "contacts").units if one.at] == contacts
    assert {one.type for one in formation(number, "contacts").units} == {"field.contact"}
    if civilians:
        assert [one.at for one in formation(number, "civilians").units] == civilians
    if number != 8:
        assert all(one.figures == {"casualty_points": 2} for one in formation(number, "civilians").units)
        assert {one.type for one in formation(number, "civilians").units} == {"field.civilians"}
        own = next(force for force in scenario(number).document.forces if force.id == "insurgent")
        assert {"contacts", "civilians"} <= {one.id for one in own.formations}


@pytest.mark.parametrize("number", CUPS)
def test_what_the_contacts_are(number: int) -> None:
    how, when, lots, null, units = CUPS[number]
    (pool,) = scenario(number).document.pools
    assert (pool.side, pool.how, pool.when, pool.returns, len(pool.for_units)) == ("insurgent", how, when, False, units)
    assert set(pool.for_units) == {one.id for one in formation(number, "contacts").units}
    assert Counter({(lot.type, ""): lot.count for lot in pool.lots if lot.type}) == read("insurgent", lots)
    assert sum(lot.count for lot in pool.lots if not lot.type) == null


def test_qasim_and_the_civilians_who_turn_up() -> None:
    (pool,) = scenario(5).document.pools
    qasim = next(lot for lot in pool.lots if lot.name)
    assert (qasim.type, qasim.name) == ("insurgent.leader", "Qasim")
    assert qasim.beside == ("insurgent.fanatics", "support.lmg")
    where = formation(5, "civilians").where
    assert where.empty
    assert [(one.units, one.most) for one in where.distances] == [(("contacts", "insurgent-1", "insurgent-2"), 4)]
    assert formation(5, "civilians").arrival == "pool"


def test_random_reinforcements() -> None:
    (table,) = scenario(2).document.tables
    assert (table.side, table.dice, table.limit) == ("insurgent", "1D6", 0)
    assert {row.rolls: (row.units[0].type, row.units[0].beside) for row in table.rows} == {
        (6,): ("insurgent.fanatics", ("support.lmg",)),
        (5,): ("insurgent.fighters", ("support.rpg_7",)),
        (4,): ("insurgent.fighters", ("support.lmg",)),
        (3,): ("insurgent.bomber", ()),
        (2,): ("insurgent.recruits", ("support.rpg_7",)),
        (1,): ("insurgent.recruits", ()),
    }
    assert table.when is not None
    assert (table.when.kind, table.when.side, table.when.least, table.when.first_turn) == (
        "initiative", "insurgent", 1, 2,
    )  # fmt: skip
    assert table.where is not None
    assert set(table.where.edges) == {"north", "east", "west"}
    assert [(one.units, one.least) for one in table.where.distances] == [(("canadian",), 2)]
    more = one_of(scenario(2).document.events, "insurgent-impulse")
    assert (more.side, more.gives, more.once) == ("insurgent", {"impulse": "1D6"}, True)
    assert more.when is not None
    assert (more.when.kind, more.when.of) == ("table", "reinforcements")


def test_artillery() -> None:
    found = {n: scenario(n).document.support for n in NUMBERS if scenario(n).document.support}
    assert set(found) == {1, 3}
    (one,), (two,) = found.values()
    assert (one.side, one.kind, one.missions, one.first_turn) == ("coalition", "artillery", 1, 3)
    assert one.figures == {"strength": 8, "strength_beside": 4, "accuracy": 3, "accuracy_afghan": 4}
    assert (two.side, two.kind, two.missions, two.first_turn) == ("canadian", "artillery", 2, 1)
    assert two.figures == {"strength": 8, "strength_beside": 4, "accuracy": 3}


# -- what they fight for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", CAPTURED)
def test_objectives_that_are_captured(number: int) -> None:
    found = [one for one in scenario(number).document.objectives if one.event == "capture"]
    assert [one.hexes for one in found] == [(label,) for label in CAPTURED[number].split()]
    assert [one.id for one in found] == [f"objective-{label.lower()}" for label in CAPTURED[number].split()]
    assert {(one.side, one.points) for one in found} == {("canadian", 3 if number == 3 else 0)}


def test_the_other_objectives() -> None:
    def aim(number: int, name: str) -> tuple[Any, ...]:
        one = one_of(scenario(number).document.objectives, name)
        return one.side, one.event, one.hexes

    assert aim(1, "objective-v14") == ("coalition", "other", ("V14",))
    assert aim(1, "objective-w13") == ("coalition", "other", ("W13",))
    assert aim(1, "exit-ana") == ("coalition", "exit", ("W19", "GG19"))
    assert aim(2, "exit-foot") == ("canadian", "exit", ("A2", "O8"))
    between = tuple(f"GG{n}" for n in range(9, 19))
    assert aim(6, "exit-canadian") == aim(6, "exit-ana") == ("coalition", "exit", between)
    assert aim(8, "objective-bunker") == ("canadian", "destroy", ("D2", "B5", "D8"))
    assert aim(9, "exit-civilians") == ("canadian", "exit", ("A8", "A9", "A10"))
    for label in ("m15", "f15", "f16"):
        assert aim(10, f"collapse-{label}") == ("canadian", "destroy", (label.upper(),))
    points = {one.id: (one.side, one.points, one.measure) for one in scenario(3).document.objectives}
    assert points["uncaptured"] == ("insurgent", 3, "each")
    assert points["insurgent-losses"] == ("canadian", 1, "casualty_points")
    assert points["canadian-losses"] == ("insurgent", 2, "casualty_points")


@pytest.mark.parametrize("number", NUMBERS)
def test_who_wins_and_when(number: int) -> None:
    document = scenario(number).document
    assert document.victory is not None
    found = [(one.side, one.level, one.when, one.immediate) for one in document.victory.results]
    assert found == RESULTS[number]
    side = "coalition" if number in {1, 6} else "canadian"
    assert (document.victory.side, document.victory.otherwise) == (("", "") if number == 3 else (side, "insurgent"))
    clauses = {one.id for one in document.clauses}
    assert {when for _, _, when, _ in found if when} <= clauses
    over = {when for _, _, when, at_once in found if at_once}
    over |= {"all-captured", "both-out", "bunker-destroyed", "all-taken"} & clauses  # the game ends with that turn
    assert set(document.ends) == over


def test_what_the_clauses_ask_for() -> None:
    def clause(number: int, name: str) -> tuple[Any, ...]:
        one = one_of(scenario(number).document.clauses, name)
        return one.kind, set(one.parts), one.count

    assert clause(1, "relief-done") == ("all", {"relieved", "ana-out"}, 0)
    assert clause(1, "ana-out") == ("objectives", {"exit-ana"}, 1)
    assert clause(1, "ana-destroyed") == ("eliminated", {"afghan"}, 0)
    foot = {"canadian-1-rifle", "canadian-1-rifle-reduced", "barton"}
    assert clause(2, "foot-out") == ("exited", foot, 0)
    assert clause(2, "rescued") == ("all", {"foot-out", "few-losses"}, 0)
    assert clause(2, "few-losses") == ("not", {"break-contact"}, 0)
    assert clause(4, "all-captured") == ("objectives", {"objective-h13", "objective-k16", "objective-d15"}, 0)
    assert clause(5, "qasim-out") == ("objectives", {"capture-qasim", "exit-qasim"}, 0)
    assert clause(5, "killed-and-out") == ("all", {"qasim-killed", "unit-out"}, 0)
    assert clause(6, "both-out") == ("objectives", {"exit-canadian", "exit-ana"}, 0)
    assert clause(7, "all-captured") == ("objectives", {"objective-h15", "objective-p11", "objective-w15"}, 0)
    assert clause(9, "civilian-out") == ("objectives", {"exit-civilians"}, 1)
    assert clause(9, "civilians-destroyed") == ("eliminated", {"civilians"}, 0)
    for label in ("m15", "f15", "f16"):
        assert clause(10, f"taken-{label}") == ("objectives", {f"objective-{label}", f"collapse-{label}"}, 1)
    assert clause(10, "all-taken") == ("all", {"taken-m15", "taken-f15", "taken-f16"}, 0)


def test_events_that_release_units() -> None:
    released = {1: ("relief", "relieved", 0), 2: ("release", "qrf-at-h7", 7), 9: ("release", "qrf-arrived", 0)}
    for number, (name, clause, turn) in released.items():
        event = one_of(scenario(number).document.events, name)
        assert event.when is not None
        assert (event.kind, event.when.kind, event.when.of, event.when.automatic_turn) == (
            "release", "clause", clause, turn,
        )  # fmt: skip
    assert one_of(scenario(2).document.events, "release").gives == {"canadian.team": "1"}


def test_special_terrain_and_civilians_of_one_scenario() -> None:
    special = scenario(8).document.special
    assert special.terrain_at == {"C2": "rubble", "C3": "rubble"}
    assert special.road_surface == "unpaved"
    assert unit(9, "contractors").figures == {"defence": 3}
    noted = {one.at: one.text for one in scenario(10).document.place_notes}
    assert set(noted) == {"M15", "F15", "F16"}
    assert scenario(10).document.special.defence_at == {"M15": 3, "F15": 3, "F16": 3}
    assert all("3" in text for text in noted.values())


ERRATA = {
    1: {"gut-check", "reach", "allied"},
    3: {"no-area"},
    5: {"near-contacts"},
    6: {"immediately"},
    8: {"immediately"},
    10: {"near-the-edge"},
}


@pytest.mark.parametrize("number", NUMBERS)
def test_it_is_sound_and_says_where_the_print_errs(number: int) -> None:
    opened = scenario(number)
    assert [finding for finding in opened.check() if finding.severity == "error"] == []
    assert opened.path is not None
    assert Path(opened.path).read_bytes() == write_scenario_text(opened.model)
    assert {one.id for one in opened.document.errata} == ERRATA.get(number, set())
    assert opened.document.sources[0].licence == "facts only"

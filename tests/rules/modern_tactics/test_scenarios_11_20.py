"""Scenarios 11 to 20 of Modern Tactics: Afghanistan against a table of facts typed from the playbook on its own."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import studio
from studio.files.canonical import scenario_text
from studio.model import Clause, Formation, Lot, Objective, SetUp, Trigger
from studio.rules.areas import ScenarioAreas

ROOT = Path(__file__).parents[3]
NUMBERS = tuple(range(11, 21))


class Sheet(NamedTuple):
    title: str
    turns: int
    map: int
    luck_cards: int
    smoke: tuple[str, int]
    sets_up_first: str
    impulse: dict[str, str]
    break_contact: int
    objectives: str


class Group(NamedTuple):
    units: str
    """As printed; `-` before a type is a reduced squad, `?` a hidden unit, `!` a covert bomber."""
    arrival: str
    """set_up, or the turn of entry."""
    ratings: str
    """Morale check, `g` a gut check, `+` an impulse die more."""
    loaded: str = ""
    inside: str = ""
    outside: str = ""


SHEETS = {
    11: Sheet("Into the Valley", 9, 4, 2, ("us", 4), "insurgent", {"insurgent": "2D6+2", "us": "2D6+3"}, 8, "H2 N3"),
    12: Sheet("Knife Fight", 11, 1, 2, ("us", 4), "insurgent", {"insurgent": "3D6", "us": "1D6+5"}, 0, ""),
    13: Sheet("Backhand Blow", 14, 1, 3, ("us", 4), "insurgent", {"insurgent": "4D6", "us": "2D6+4"}, 14, "Y8 T2 BB14"),
    14: Sheet(
        "The Badlands",
        8,
        3,
        2,
        ("coalition", 4),
        "coalition",
        {"insurgent": "3D6+1", "coalition": "1D6+2"},
        0,
        "C3 H4",
    ),
    15: Sheet("Surgical Strike", 9, 2, 2, ("us", 4), "insurgent", {"insurgent": "2D6", "us": "2D6+2"}, 8, "X4 Y4 Y5"),
    16: Sheet("Luckless Convoy", 7, 4, 1, ("us", 4), "insurgent", {"insurgent": "2D6", "us": "1D6+3"}, 0, ""),
    17: Sheet("COP Bandit", 10, 4, 2, ("us", 4), "us", {"insurgent": "2D6+1", "us": "1D6+4"}, 0, "H8 L8 I9 J8 K9"),
    18: Sheet("Route Red Dog", 10, 2, 2, ("us", 4), "insurgent", {"insurgent": "3D6", "us": "2D6+3"}, 9, "V10 Z6 Z15"),
    19: Sheet("Rangers Up", 9, 3, 2, ("us", 4), "insurgent", {"insurgent": "2D6", "us": "1D6+5"}, 7, "N3 M9"),
    20: Sheet(
        "Operation Werewolf",
        13,
        1,
        3,
        ("us", 4),
        "insurgent",
        {"insurgent": "2D6+3", "us": "3D6+3"},
        0,
        "H7 O17 P6 Q11 T2 W15 Y8",
    ),
}

GROUPS = {
    (11, "insurgent-1"): Group(
        "3 fighters 4 recruits 1 hmg 2 leader 3 lmg 1 rpg_7 2 foxholes 2 wire",
        "set_up",
        "8",
        inside="E1 E9 O9 H2",
        outside="D0 D4 A1",
    ),
    (11, "insurgent-2"): Group("2 fighters 1 lmg", "6", "8 +", inside="A5 O1 G1 G9", outside="B1 H4"),
    (11, "us-1"): Group(
        "4 rifle 1 mortar 1 captain 1 sergeant 2 lmg 1 demo", "set_up", "7", inside="B8 B7 A8 C9", outside="B6 A7 D8"
    ),
    (11, "gunship"): Group("1 apache", "3", "7", inside="A1 A9", outside="B0 O1"),
    (12, "insurgent-1"): Group(
        "1 fanatics 2 fighters 3 recruits 1 ?sniper 1 !bomber 1 leader 2 lmg 2 rpg_7",
        "set_up",
        "8",
        inside="A1 Y8 F0 X8",
        outside="Z0 Z8 A9 Y9",
    ),
    (12, "insurgent-2"): Group("2 fighters 1 leader 1 lmg", "7", "8", inside="A19 A1 GG1 F0", outside="GG2 F18 B1"),
    (12, "us-1"): Group(
        "3 rifle 3 -rifle 1 lieutenant 2 sergeant 2 lmg 1 at_4 1 demo",
        "set_up",
        "7",
        inside="EE15 EE16 EE14 EE17 DD15",
        outside="EE13 EE18 CC16",
    ),
    (12, "us-2"): Group("1 humvee 1 humvee_gl", "2", "7 +", inside="A17", outside="A16 GG1"),
    (13, "insurgent-1"): Group(
        "4 fanatics 5 fighters 4 recruits 1 hmg 1 fam 2 ?sniper 3 leader 3 lmg 5 rpg_7 2 roadblock 4 wire",
        "set_up",
        "8",
        inside="G1 GG19 Y8",
        outside="F0 F17 A1",
    ),
    (13, "us-1"): Group(
        "5 rifle 1 mortar 1 captain 1 lieutenant 3 lmg 1 at_4 1 demo 2 maxxpro 1 maxxpro_gl 3 stryker",
        "1",
        "7",
        "must",
        inside="A17",
        outside="A16 GG1",
    ),
    (13, "rangers"): Group(
        "2 ranger 1 ranger_sergeant 1 lmg 1 demo 2 blackhawk", "5", "6 +", "must", inside="A1 A19", outside="B1"
    ),
    (14, "insurgent-1"): Group(
        "1 fanatics 4 fighters 3 recruits 1 ?sniper 2 leader 3 lmg 2 rpg_7 4 bomber",
        "set_up",
        "8",
        inside="O1 O9",
        outside="N0 N8",
    ),
    (14, "afghan-1"): Group("3 ana 1 lieutenant 2 lmg", "set_up", "8", inside="A1 G9 C3", outside="H0 H4 I1"),
    (14, "afghan-2"): Group("1 ana 1 lmg 1 bunker", "set_up", "8", inside="I6", outside="I5 H6"),
    (14, "afghan-3"): Group("1 humvee", "2", "8", inside="A3", outside="A2 A4"),
    (14, "us-1"): Group("1 rifle 1 sniper 1 sergeant 1 lmg", "2", "g7 +", inside="A6 A7 A8", outside="A5 A9"),
    (15, "insurgent-1"): Group(
        "2 fanatics 2 fighters 1 recruits 1 hmg 1 leader 2 lmg 1 rpg_7",
        "set_up",
        "8",
        inside="X4 Y9 X0 T4",
        outside="Y10 S4 X9",
    ),
    (15, "insurgent-2"): Group(
        "2 fighters 1 recruits 1 lmg 2 rpg_7 1 leader 1 technical 1 truck",
        "3",
        "8 +",
        "may",
        inside="W19 GG19",
        outside="X18 GG18",
    ),
    (15, "us-1"): Group(
        "4 ranger 1 ranger_lieutenant 1 lmg 1 at_4 2 demo 1 chinook 2 blackhawk",
        "1",
        "6",
        "must",
        inside="A1 A19",
        outside="B1 GG1",
    ),
    (16, "insurgent-1"): Group(
        "1 fanatics 4 fighters 2 recruits 1 leader 2 lmg 3 rpg_7 2 foxholes 1 roadblock",
        "set_up",
        "8",
        inside="D0 O9",
        outside="C1 C9",
    ),
    (16, "insurgent-2"): Group("2 recruits 1 rpg_7", "3", "8 +", inside="A1 O9 G1 G9", outside="H4"),
    (16, "us-1"): Group(
        "2 rifle 1 sergeant 2 lmg 1 mat_v 1 mat_v_gl", "1", "7", "must", inside="A1 A2 A9", outside="B1 O8"
    ),
    (16, "us-2"): Group("1 sniper 3 humvee 1 humvee_gl", "2", "7 +", "may", inside="A2", outside="A1 A3"),
    (17, "insurgent-1"): Group(
        "2 fanatics 2 fighters 2 recruits 1 sniper 1 leader 2 lmg 2 rpg_7",
        "1",
        "8",
        inside="A1 O1 O9 G1",
        outside="A2 G9",
    ),
    (17, "insurgent-2"): Group(
        "1 fanatics 3 fighters 2 recruits 1 fam 1 leader 2 lmg", "2", "8 +", inside="A1 O9", outside="A2 G9"
    ),
    (17, "insurgent-3"): Group(
        "2 fanatics 2 fighters 2 bomber 1 sniper 1 leader 1 lmg 1 rpg_7", "5", "8 +", inside="A9 O9 G1", outside="G9"
    ),
    (17, "us-1"): Group(
        "2 rifle 2 -rifle 1 ?sniper 1 hmg 1 mortar 1 lieutenant 2 lmg 3 wire 2 ?mines",
        "set_up",
        "7",
        inside="H8 L8 J8 H5 E8 O7",
        outside="H4 D8 J4",
    ),
    (18, "insurgent-1"): Group(
        "2 fanatics 3 fighters 4 recruits 1 ?spg_9 1 ?sniper 2 leader 2 lmg 2 rpg_7",
        "set_up",
        "8",
        inside="V10 V9 GG3",
        outside="F11 G12 H11 I11 GG10",
    ),
    (18, "us-1"): Group(
        "3 rifle 2 -rifle 1 captain 1 sergeant 2 lmg 3 stryker 1 humvee 1 humvee_gl",
        "set_up",
        "7",
        "must",
        inside="A9 B9 C10 D10 E11",
        outside="F11 A10",
    ),
    (19, "insurgent-1"): Group(
        "2 fighters 2 recruits 1 leader 2 lmg", "set_up", "9", inside="M2 M1 N2 L1", outside="M4 O2"
    ),
    (19, "insurgent-2"): Group(
        "2 fanatics 2 fighters 1 leader 2 lmg", "set_up", "9", inside="N6 N7 N5 N8 M6", outside="N4 N9 L6"
    ),
    (19, "insurgent-3"): Group("2 fighters 1 technical", "2", "9 +", inside="O1 O9", outside="N0"),
    (19, "us-1"): Group(
        "4 ranger 2 -ranger 1 sniper 1 ranger_lieutenant 2 lmg 2 at_4", "1", "6", inside="A1 A9", outside="B1"
    ),
    (20, "insurgent-1"): Group(
        "2 fanatics 4 fighters 4 recruits 1 ?sniper 3 !bomber 1 ?ied 1 hmg 3 leader 3 lmg 4 rpg_7 2 roadblock 4 wire",
        "set_up",
        "8",
        inside="D0 DD18 H7",
        outside="C1 EE1",
    ),
    (20, "insurgent-2"): Group("2 fanatics 1 sniper 1 lmg 1 rpg_7", "6", "8 +", inside="A1 GG19 F18", outside="H7"),
    (20, "section-1"): Group(
        "4 rifle 1 captain 1 sergeant 2 lmg 1 at_4 1 demo 3 stryker 1 maxxpro",
        "1",
        "7",
        "must",
        inside="A17 GG1 GG10 GG19",
        outside="A16 GG2 Z0",
    ),
    (20, "section-2"): Group(
        "3 rifle 1 sniper 1 lieutenant 2 lmg 1 demo 2 mat_v 1 mat_v_gl",
        "1",
        "7",
        "must",
        inside="A17 GG1 GG10 GG19",
        outside="A16 GG2 Z0",
    ),
    (20, "choice-a"): Group(
        "1 -rifle 2 mortar 3 humvee", "4", "7 +", "must", inside="A17 GG1 GG10 GG19", outside="A16 GG2 Z0"
    ),
    (20, "choice-b"): Group("2 ranger 1 lmg 1 at_4 1 chinook", "7", "7 g6 +", "must", inside="A16 GG2", outside="Z0"),
}

MARKED = {
    (12, "civilians"): "F14 K7 M16 U4",
    (13, "civilians"): "L3 T15 U10 EE9",
    (13, "contact"): "L11 N4 Q15 V6 Y13",
    (17, "bunker"): "H8 L8",
}
"""Markers that the rules of engagement place."""

LOOSE_CONTACTS = {12: 6, 18: 4, 20: 6}

CUPS = {
    12: "3 fanatics 3 fighters 2 recruits 2 ied 2 bomber 2 civilians 3 null",
    13: "2 fanatics 3 fighters 3 ied 3 bomber 2 civilians 2 null",
    20: "3 fighters 3 recruits 2 ied 3 bomber 2 civilians 3 null",
}


@pytest.fixture(scope="module")
def scenes() -> dict[int, studio.Scenario]:
    return {number: studio.open_scenario(path(number), recover_unsaved=False) for number in NUMBERS}


def path(number: int) -> Path:
    return ROOT / "scenarios" / f"tactics-{number}.scenario.json"


def formation(scene: studio.Scenario, name: str) -> Formation:
    return next(one for force in scene.document.forces for one in force.formations if one.id == name)


def counters(group: Formation) -> Counter[str]:
    """Count the counters of a formation with marks as in the table."""
    marks = {"reduced": "-", "hidden": "?", "covert": "!"}
    found: Counter[str] = Counter()
    for unit in group.units:
        found["".join(marks[status] for status in unit.status) + unit.type.partition(".")[2]] += unit.count
    return found


def listed(text: str) -> Counter[str]:
    words = text.split()
    return Counter(dict(zip(words[1::2], map(int, words[::2]), strict=True)))


def area(scene: studio.Scenario, where: SetUp) -> set[str]:
    areas = ScenarioAreas(scene.document, scene.map.survey, scene.ruleset)
    return {scene.map.labels.label(cell) for cell in areas.cells(where) if cell < scene.map.grid.cells}


def clause(scene: studio.Scenario, name: str) -> Clause:
    return next(one for one in scene.document.clauses if one.id == name)


def objective(scene: studio.Scenario, name: str) -> Objective:
    return next(one for one in scene.document.objectives if one.id == name)


def lots(found: tuple[Lot, ...]) -> Counter[str]:
    return Counter({lot.type.partition(".")[2] or lot.name.lower(): lot.count for lot in found})


@pytest.mark.parametrize("number", NUMBERS)
def test_it_checks_clean_and_is_written_as_the_studio_writes(scenes: dict[int, studio.Scenario], number: int) -> None:
    scene = scenes[number]
    assert [finding for finding in scene.check() if finding.severity != "note"] == []
    assert path(number).read_bytes() == scenario_text(scene.document)
    (source,) = scene.document.sources
    assert f"scenario {number} ({SHEETS[number].title})" in source.title


@pytest.mark.parametrize("number", NUMBERS)
def test_the_sheet(scenes: dict[int, studio.Scenario], number: int) -> None:
    """Turns, map, Luck cards, smoke, who sets up first, impulse, break contact; one turn of extended play (1.3)."""
    sheet, document = SHEETS[number], scenes[number].document
    assert document.title == f"Scenario {number}: {sheet.title}"
    assert (document.length, document.length_unit) == (sheet.turns, "turn")
    assert Path(document.map.file).name == f"tactics-{sheet.map}.map.json"
    assert document.ratings == {"luck_cards": sheet.luck_cards}
    side, smoke = sheet.smoke
    assert {force.id: force.ratings.get("infantry_smoke") for force in document.forces} == {
        name: smoke if name == side else None for name in sheet.impulse
    }
    assert min(document.forces, key=lambda force: force.set_up_order).id == sheet.sets_up_first
    assert {force.id: force.ratings["impulse"] for force in document.forces} == sheet.impulse
    breaks = {force.id: force.ratings["break_contact"] for force in document.forces if "break_contact" in force.ratings}
    assert breaks == ({side: sheet.break_contact} if sheet.break_contact else {})
    assert document.extended is not None
    assert (document.extended.turns, document.extended.when.dice, document.extended.when.least) == (1, "2D6", 7)


@pytest.mark.parametrize("number", NUMBERS)
def test_break_contact_loses_at_once(scenes: dict[int, studio.Scenario], number: int) -> None:
    """3.1."""
    document, limit = scenes[number].document, SHEETS[number].break_contact
    losses = [(one.side, one.count) for one in document.clauses if one.kind == "casualties"]
    assert losses == ([("us", limit)] if limit else [])
    assert ("break-contact" in document.ends) is bool(limit)
    assert document.victory is not None
    first = document.victory.results[0]
    assert (first.when == "break-contact") is bool(limit)
    if limit:
        assert (first.side, first.immediate) == ("insurgent", True)


@pytest.mark.parametrize("number", NUMBERS)
def test_objective_hexes(scenes: dict[int, studio.Scenario], number: int) -> None:
    found = [one for one in scenes[number].document.objectives if one.id.startswith("objective-")]
    hexes = [label for one in found for label in one.hexes if one.id == f"objective-{label.lower()}"]
    assert " ".join(hexes) == SHEETS[number].objectives


@pytest.mark.parametrize(("number", "name"), GROUPS)
def test_groups(scenes: dict[int, studio.Scenario], number: int, name: str) -> None:
    """Counters, arrival, morale, impulse dice, loaded, and hexes inside and outside of the area."""
    expected, group = GROUPS[number, name], formation(scenes[number], name)
    assert counters(group) == listed(expected.units)
    arrival = group.arrival if group.arrival == "set_up" else str(group.arrival_turn)
    assert arrival == expected.arrival
    words = expected.ratings.split()
    ratings: dict[str, str | int] = {"impulse_bonus": "1D6"} if "+" in words else {}
    for word in set(words) - {"+"}:
        ratings["gut_check" if word.startswith("g") else "morale_check"] = int(word.strip("g"))
    assert group.ratings == ratings
    assert group.loaded == expected.loaded
    found = area(scenes[number], group.where)
    assert set(expected.inside.split()) <= found
    assert not set(expected.outside.split()) & found


@pytest.mark.parametrize("number", NUMBERS)
def test_no_other_groups(scenes: dict[int, studio.Scenario], number: int) -> None:
    names = {one.id for force in scenes[number].document.forces for one in force.formations}
    assert names - {"contacts", "civilians", "battlefield"} == {name for of, name in GROUPS if of == number}


@pytest.mark.parametrize(("number", "kind"), MARKED)
def test_markers_that_the_rules_of_engagement_place(scenes: dict[int, studio.Scenario], number: int, kind: str) -> None:
    records = [
        unit
        for force in scenes[number].document.forces
        for one in force.formations
        for unit in one.units
        if unit.type == f"field.{kind}"
    ]
    assert [(unit.at, unit.count) for unit in records] == [(label, 1) for label in MARKED[number, kind].split()]
    if kind == "civilians":
        assert {unit.figures["casualty_points"] for unit in records} == {2}


@pytest.mark.parametrize("number", LOOSE_CONTACTS)
def test_contacts_that_the_player_places(scenes: dict[int, studio.Scenario], number: int) -> None:
    scene = scenes[number]
    group = formation(scene, "contacts")
    assert counters(group) == {"contact": LOOSE_CONTACTS[number]}
    found = area(scene, group.where)
    if number == 12:
        assert group.where.most_in_area == 1
        assert {"G4", "W3", "CC2", "H7"} <= found
        assert not {"Q11", "X7", "BB7", "BB14", "K8", "A1"} & found
    elif number == 18:
        assert {"J11", "GG1"} <= found
        assert not {"I11", "A9", "G8"} & found
    else:
        assert {"U10", "H15", "BB14", "CC2"} <= found
        assert not {*SHEETS[20].objectives.split(), "G7", "P11", "A1"} & found


@pytest.mark.parametrize("number", CUPS)
def test_contact_cups(scenes: dict[int, studio.Scenario], number: int) -> None:
    (pool,) = scenes[number].document.pools
    assert lots(pool.lots) == listed(CUPS[number])
    assert (pool.side, pool.how, pool.when, pool.returns) == ("insurgent", "drawn", "revealed", False)
    assert set(pool.for_units) == {unit.id for unit in formation(scenes[number], "contacts").units}
    chosen = {lot.type: lot.choose for lot in pool.lots if lot.choose}
    assert chosen == ({"insurgent.fighters": ("support.lmg", "support.rpg_7")} if number == 12 else {})


def test_the_contacts_of_18_are_chosen_with_one_null(scenes: dict[int, studio.Scenario]) -> None:
    (pool,) = scenes[18].document.pools
    assert (pool.how, pool.when, pool.draws) == ("chosen", "set_up", 4)
    assert lots(pool.lots) == listed("3 ied 3 bomber 3 sniper 3 fanatics 1 null")


@pytest.mark.parametrize(
    ("number", "name", "closed"),
    [
        (11, "insurgent-1-wire", "H2 N3"),
        (13, "insurgent-1-wire", "Y8 T2 BB14"),
        (13, "insurgent-1-roadblock", "Y8 T2 BB14"),
        (16, "insurgent-1-roadblock", "O8 O9"),
        (17, "us-1-wire", "H8 L8 I9 J8 K9"),
        (17, "us-1-mines", "H8 L8 I9 J8 K9"),
        (20, "insurgent-1-wire", "H7 O17 P6 Q11 T2 W15 Y8 H8 P7 Y9"),
        (20, "insurgent-1-roadblock", "H7 O17 P6 Q11 T2 W15 Y8 G7 O16 X8"),
        (20, "insurgent-1-ied", "H7 O17 P6 Q11 T2 W15 Y8 H6 Q10 T3"),
    ],
)
def test_markers_keep_off_these_hexes_only(
    scenes: dict[int, studio.Scenario], number: int, name: str, closed: str
) -> None:
    scene = scenes[number]
    group = formation(scene, name.rpartition("-")[0])
    (unit,) = (one for one in group.units if one.id == name)
    assert unit.where is not None
    whole, own = area(scene, group.where), area(scene, unit.where)
    assert own < whole
    lost = whole - own
    assert set(closed.split()) <= lost
    if number != 20:
        assert lost == set(closed.split())


TRIGGERS = {
    (11, "gunship"): Trigger(kind="roll", side="us", dice="1D6", least=5, first_turn=3),
    (12, "us-2"): Trigger(kind="roll", side="us", dice="1D6", least=4, each="casualty", delay=1),
    (13, "rangers"): Trigger(kind="choice", side="us", first_turn=5),
    (14, "us-1"): Trigger(kind="initiative", side="coalition", least=1, first_turn=2),
    (16, "us-2"): Trigger(kind="choice", side="us", first_turn=2, last_turn=3, each="once"),
    (19, "insurgent-3"): Trigger(kind="clause", side="us", of="us-at-h", each="once", delay=1),
}


def test_what_activates_reinforcements(scenes: dict[int, studio.Scenario]) -> None:
    found = {
        (number, one.id): one.when
        for number in NUMBERS
        for force in scenes[number].document.forces
        for one in force.formations
        if one.when is not None
    }
    assert found.keys() == TRIGGERS.keys()
    for key, trigger in TRIGGERS.items():
        got = found[key]
        for field in (
            "kind",
            "side",
            "of",
            "dice",
            "least",
            "first_turn",
            "last_turn",
            "automatic_turn",
            "each",
            "delay",
        ):
            assert getattr(got, field) == getattr(trigger, field), (key, field)


def test_support(scenes: dict[int, studio.Scenario]) -> None:
    found = {number: scenes[number].document.support for number in NUMBERS if scenes[number].document.support}
    assert set(found) == {11, 19}
    (oba,), (strike,) = found[11], found[19]
    assert (oba.side, oba.kind, oba.missions) == ("insurgent", "artillery", 1)
    assert (oba.first_turn, oba.last_turn) == (7, 7)
    assert oba.figures == {"strength": 4, "strength_beside": 2, "accuracy": 5}
    assert (strike.side, strike.kind, strike.missions) == ("us", "air_strike", 1)
    assert strike.figures == {"strength": 8, "hexes": 2}


def test_edges_and_hexes_that_groups_share(scenes: dict[int, studio.Scenario]) -> None:
    for number, name, same, other in (
        (17, "insurgent-1", "edge", ()),
        (17, "insurgent-2", "edge", ("insurgent-1",)),
        (17, "insurgent-3", "edge", ()),
        (20, "insurgent-2", "edge", ()),
        (20, "section-1", "hex", ()),
        (20, "section-2", "hex", ("section-1",)),
        (20, "choice-a", "", ()),
    ):
        where = formation(scenes[number], name).where
        assert (where.same, where.other_edge_than) == (same, other), name
    assert formation(scenes[20], "insurgent-2").where.empty
    assert formation(scenes[18], "us-1").where.most_in_hex == 1
    (distance,) = formation(scenes[16], "insurgent-2").where.distances
    assert (distance.units, distance.least) == (("us",), 2)


def test_choice_quality_and_hidden_units(scenes: dict[int, studio.Scenario]) -> None:
    def with_field(field: str) -> set[tuple[int, str]]:
        return {
            (number, one.id)
            for number in NUMBERS
            for force in scenes[number].document.forces
            for one in force.formations
            if getattr(one, field)
        }

    assert with_field("choice") == {(20, "choice-a"), (20, "choice-b")}
    assert len({formation(scenes[20], name).choice for name in ("choice-a", "choice-b")}) == 1
    assert with_field("quality") == {(15, "us-1"), (19, "us-1")}
    assert with_field("hidden") == {(16, "insurgent-1")}
    assert formation(scenes[16], "insurgent-1").hidden == 2
    elite = [unit.type for unit in formation(scenes[20], "choice-b").units if unit.quality == "elite"]
    assert elite == ["us.ranger"]


@pytest.mark.parametrize(
    ("number", "names", "exits"),
    [
        (12, "us-1 us-2", "A6 A7 C1 D0 J0 K1"),
        (16, "us-1 us-2", "O8 O9"),
        (18, "us-1", "GG3 GG19"),
    ],
)
def test_exits(scenes: dict[int, studio.Scenario], number: int, names: str, exits: str) -> None:
    for name in names.split():
        leaves = formation(scenes[number], name).leaves
        assert leaves is not None
        assert area(scenes[number], leaves) == set(exits.split())


@pytest.mark.parametrize(("number", "names"), [(13, "us-1 rangers"), (15, "us-1")])
def test_exits_by_the_east_edge(scenes: dict[int, studio.Scenario], number: int, names: str) -> None:
    for name in names.split():
        leaves = formation(scenes[number], name).leaves
        assert leaves is not None
        assert area(scenes[number], leaves) == {f"GG{row}" for row in range(1, 20)}


def test_knife_fight_counts_foot_units_that_leave_and_all_that_stay(scenes: dict[int, studio.Scenario]) -> None:
    gone = objective(scenes[12], "us-exit")
    assert (gone.side, gone.event, gone.measure, gone.points) == ("us", "exit", "casualty_points", 1)
    assert " ".join(gone.hexes) == "A6 A7 C1 D0 J0 K1"
    roster = scenes[12].ruleset.scenario.roster()
    assert {roster[name].mover for name in gone.unit_types} == {"foot"}
    of_the_insurgents = {one.id: (one.event, one.of) for one in scenes[12].document.objectives if one is not gone}
    assert of_the_insurgents == {
        "us-losses": ("eliminate", ("us", "civilians")),
        "us-remaining": ("survive", ("us",)),
    }
    assert {one.measure for one in scenes[12].document.objectives} == {"casualty_points"}


def test_backhand_blow_needs_two_objectives_or_three_with_the_rangers(scenes: dict[int, studio.Scenario]) -> None:
    scene = scenes[13]
    assert clause(scene, "two-captured").count == 2
    assert clause(scene, "all-captured").count == 0
    assert clause(scene, "two-will-do").parts == ("two-captured", "rangers-not-called")
    assert clause(scene, "us-needed").parts == ("two-will-do", "all-captured")
    assert (clause(scene, "us-exited").kind, clause(scene, "us-exited").count) == ("points", 6)
    for name in ("us-1", "rangers"):
        (restraint,) = formation(scene, name).restraints
        assert restraint.forbidden == ("exit",)
        assert restraint.until is not None
        assert restraint.until.of == "us-needed"
    assert {(one.at, one.printed) for one in scene.document.errata} == {
        ("insurgent/insurgent-1", "SETUP TURN 14"),
        ("us/us-1", "ENTER TURN 14"),
    }


def test_points_of_the_badlands_and_of_werewolf(scenes: dict[int, studio.Scenario]) -> None:
    points = {one.id: (one.side, one.points) for one in scenes[14].document.objectives}
    assert points == {
        "objective-c3": ("insurgent", 2),
        "objective-h4": ("insurgent", 2),
        "objective-c3-destroyed": ("insurgent", 4),
        "objective-h4-destroyed": ("insurgent", 4),
        "bunker-destroyed": ("insurgent", 4),
        "kept": ("coalition", 2),
        "coalition-losses": ("insurgent", 1),
        "insurgent-losses": ("coalition", 1),
    }
    captured = [one for one in scenes[20].document.objectives if one.event == "capture"]
    assert [(one.side, one.points) for one in captured] == [("us", 3)] * 7
    kept = objective(scenes[20], "uncaptured")
    assert (kept.side, kept.points, " ".join(kept.hexes)) == ("insurgent", 2, SHEETS[20].objectives)


def test_how_many_of_what_decides(scenes: dict[int, studio.Scenario]) -> None:
    assert (clause(scenes[16], "us-exited").kind, clause(scenes[16], "us-exited").count) == ("exited", 4)
    assert clause(scenes[17], "cop-overrun").count == 3
    assert clause(scenes[18], "us-captured").count == 2
    assert clause(scenes[18], "us-exited").count == 1
    for number in (11, 19):
        assert clause(scenes[number], "us-captured").count == 0
        assert "us-captured" in scenes[number].document.ends
    for label in ("x4", "y4", "y5"):
        assert clause(scenes[15], f"{label}-done").count == 1
    assert set(clause(scenes[15], "us-wins").parts) == {"x4-done", "y4-done", "y5-done", "us-gone"}
    assert scenes[18].document.special.road_surface == "unpaved"
    assert objective(scenes[19], "objective-n3").unit_types == ("us.ranger",)

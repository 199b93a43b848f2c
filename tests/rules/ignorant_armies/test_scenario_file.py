"""The campaign of Ignorant Armies against tables typed from its text: 2 to 9, 12 and 13."""

from pathlib import Path
from typing import Any

import pytest

import studio
from studio.files import write_scenario_text
from studio.model import SetField
from studio.rules.ignorant_armies.scenario import year_of

FILE = Path(__file__).parents[3] / "scenarios" / "ignorant-armies.scenario.json"

MISSILES = {1984: (3, 2), 1985: (4, 3), 1986: (6, 3), 1987: (6, 2), 1988: (6, 2)}  # 13.3: Iraq, Iran
FIRST_TURNS = {1981: 2, 1982: 5, 1983: 8, 1984: 11, 1985: 14, 1986: 17, 1987: 20, 1988: 23}  # 3.4, 13.3, 13.9
EVENTS = {  # 6.3, as far as it is printed: rolls, once a game, first turn
    (11,): (False, 0),
    (12, 13, 14): (False, 0),
    (15,): (False, 0),
    (16,): (True, 0),
    (21,): (True, 0),
    (22, 23, 24): (True, 8),
    (25,): (True, 0),
    (26,): (False, 0),
}
MOVES_POINTS = (35, 45, 54, 63, 64, 65, 66)  # 4.4, beside those that are printed
NAMED = {  # units that the text names, with what brings them in, or what is said of it
    "baghdad-division": ("iraq.baghdad", "set_up", 1, ()),
    "corps-1": ("iraq.headquarters", "pool", 1, ()),
    "iraq-aircraft": ("iraq.aircraft", "enter", 2, ()),
    "corps-4": ("iraq.headquarters", "enter", 5, ()),
    "infantry-1986": ("iraq.infantry", "enter", 17, ()),
    "infantry-1987": ("iraq.infantry", "enter", 20, ()),
    "infantry-1988": ("iraq.infantry", "enter", 23, ()),
    "adnan": ("iraq.adnan", "pool", 1, (12, 13, 14)),
    "nebuchenezzar": ("iraq.nebuchenezzar", "pool", 1, (12, 13, 14)),
    "hammurabi": ("iraq.hammurabi", "pool", 1, (12, 13, 14)),
    "medina": ("iraq.medina", "pool", 1, (12, 13, 14)),
    "tawikalna": ("iraq.tawikalna", "pool", 1, (12, 13, 14)),
    "naval-1": ("iraq.naval_infantry", "pool", 1, (26,)),
    "baghdad-garrison": ("iraq.baghdad_garrison", "pool", 1, ()),
    "kdpi": ("iraq.kdpi", "pool", 1, ()),
    "iran-hq": ("iran.headquarters", "pool", 1, ()),
    "iran-armor": ("iran.armor", "pool", 1, ()),
    "special-force-29": ("iran.special_force_29", "pool", 1, ()),
    "marine-23": ("iran.marine_23", "pool", 1, ()),
    "guard-marine-brigades": ("iran.guard_marine", "pool", 1, (55, 56, 61)),
    "kdp": ("iran.kdp", "pool", 1, ()),
    "puk": ("iran.puk", "pool", 1, ()),
}
COUNTS = {"infantry-1987": 2, "iran-hq": 3, "iran-armor": 4, "guard-marine-brigades": 3}  # 14.16, 6.3, 14.7, 11.16
KUWAIT = ("2234", "2235", "2334", "2434", "2435", "2534")  # 4.3
HEXES = {  # that the text numbers
    "1521": "Baghdad",
    "3812": "Tehran",
    "2731": "Khorramshahr",
    "2533": "Umm Qasr",
    "3435": "Bandace Deylam",
    "2529": "Majnoon Islands",
    **dict.fromkeys(KUWAIT, "mainland Kuwait"),
    "2634": "Kuwaiti islands",
    "2635": "Kuwaiti islands",
    "2733": "Shatt al Arab",
    "2834": "Shatt al Arab",
    "2633": "coast",
}


@pytest.fixture(scope="module")
def scenario() -> studio.Scenario:
    return studio.open_scenario(FILE, recover_unsaved=False)


def test_it_checks_and_is_written_as_the_studio_writes(scenario: studio.Scenario) -> None:
    assert {finding.severity for finding in scenario.check()} <= {"note"}
    assert FILE.read_bytes() == write_scenario_text(scenario.model)
    for variant in scenario.document.variants:
        changed = scenario.supposing(SetField(field="variants", value=[]), *variant.changes)
        assert {finding.severity for finding in changed.check()} <= {"note"}


def test_turns_are_named_by_the_calendar(scenario: studio.Scenario) -> None:
    names = scenario.document.turn_names
    assert (len(names), scenario.document.length) == (24, 24)
    assert (names[0], names[4], names[13], names[-1]) == ("1980-III", "1982-I", "1985-I", "1988-II")
    assert [int(name[:4]) for name in names] == [year_of(turn) for turn in range(1, 25)]
    assert {year: names.index(f"{year}-I") + 1 for year in FIRST_TURNS} == FIRST_TURNS


def test_the_war_can_go_on_into_1989(scenario: studio.Scenario) -> None:
    changes = next(one for one in scenario.document.variants if one.id == "into-1989").changes
    changed = scenario.supposing(*changes).document
    assert (changed.length, changed.turn_names[24:]) == (28, ("1988-III", "1989-I", "1989-II", "1989-III"))
    basij = next(one for one in changed.events if one.id == "basij-1989")
    assert (basij.turn, basij.gives) == (26, {"basij": "2+1D6"})
    assert [year_of(turn) for turn in (25, 26, 28)] == [1988, 1989, 1989]


def test_points_and_rates(scenario: studio.Scenario) -> None:
    iraq, iran = scenario.document.forces
    assert iraq.ratings == {"replacement_points": 4, "replacement_rate": 5, "most_replacements": 10}
    assert iran.ratings == {"replacement_points": 6, "replacement_rate": 8}
    events = {one.id: one for one in scenario.document.events}
    for name, points in (("iraq-replacements", "5"), ("iran-replacements", "8")):
        one = events[name]
        assert (one.turn, one.last_turn, one.every, one.gives) == (2, 24, 1, {"replacement_points": points})
    six = events["iraq-six"]
    assert six.when is not None
    assert (six.when.results, six.gives, six.once) == ((12, 13, 14), {"replacement_rate": "6"}, True)
    assert (events["basij-1981"].turn, events["basij-1981"].gives) == (2, {"basij": "8+1D6"})
    later = events["basij-later"]
    assert (later.turn, later.last_turn, later.every, later.gives) == (5, 23, 3, {})
    assert {events[f"{side}-reinforcements"].most_units for side in ("iraq", "iran")} == {4}


def test_missiles(scenario: studio.Scenario) -> None:
    found = {one.id: (one.turn, one.gives["ssm"]) for one in scenario.document.events if "ssm" in one.gives}
    assert found == {
        f"{side}-ssm-{year}": (FIRST_TURNS[year], str(number))
        for year, numbers in MISSILES.items()
        for side, number in zip(("iraq", "iran"), numbers, strict=True)
    }
    assert {one.side: (one.missions, one.figures["most_per_turn"]) for one in scenario.document.support} == {
        "iraq": (6, 3),
        "iran": (3, 3),
    }


def test_random_events(scenario: studio.Scenario) -> None:
    table = next(one for one in scenario.document.tables if one.id == "random-events")
    assert table.dice == "D66"
    rolls = sorted(roll for row in table.rows for roll in row.rolls)
    assert rolls == [10 * first + second for first in range(1, 7) for second in range(1, 7)]
    rows = {row.rolls: row for row in table.rows}
    for printed, said in EVENTS.items():
        assert (rows[printed].once, rows[printed].first_turn) == said
    by_roll = {roll: row for row in table.rows for roll in row.rolls}
    for roll in MOVES_POINTS:
        assert "moves the victory points" in by_roll[roll].text
    assert by_roll[31].name == by_roll[62].name == "No event"
    assert table.when is not None
    assert table.when.first_turn == 2
    fire = next(one for one in scenario.document.tables if one.id == "cease-fire")
    rows = [(row.rolls, row.first_turn) for row in fire.rows]
    assert rows == [((1,), 1), ((1, 2), 11), ((1, 2, 3), 20), ((4, 5, 6), 0)]


def test_named_units(scenario: studio.Scenario) -> None:
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for force in scenario.document.forces:
        for formation in force.formations:
            results = formation.when.results if formation.when is not None else ()
            for unit in formation.units:
                found[unit.id] = (unit.type, formation.arrival, formation.arrival_turn, results)
                counts[unit.id] = unit.count
    assert found == NAMED
    assert {name: count for name, count in counts.items() if count > 1} == COUNTS


def test_restrictions_of_the_first_turns_and_human_waves(scenario: studio.Scenario) -> None:
    turns = {one.id: (one.first_turn, one.last_turn) for one in scenario.document.periods}
    assert turns == {"opening": (1, 1), "apart": (1, 2), "waves-early": (2, 7), "waves-late": (17, 24)}
    assert scenario.document.ratings == {"victory_points": 0, "track_end": 5, "strategic_moves": 6}


def test_victory(scenario: studio.Scenario) -> None:
    document = scenario.document
    points = {one.id: (one.side, one.points) for one in document.objectives if one.points}
    assert points == {
        "iraq-towns": ("iraq", 1),
        "iraq-cities": ("iraq", 2),
        "iraq-shatt": ("iraq", 2),
        "iraq-defends-chemical": ("iraq", 1),
        "iran-towns": ("iran", 1),
        "iran-cities": ("iran", 2),
        "iran-shatt": ("iran", 2),
        "iran-defends-chemical": ("iran", 1),
        "abadan": ("iraq", 3),
        "basra": ("iran", 3),
    }
    assert document.victory is not None
    levels = [(one.side, one.level, one.least_points, one.most_points) for one in document.victory.results]
    decisive = "instant and decisive"
    assert levels == [
        ("iraq", decisive, None, None),
        ("iraq", decisive, None, None),
        ("iran", decisive, None, None),
        ("iran", decisive, None, None),
        ("iran", "major", 4, 5),
        ("iran", "minor", 2, 3),
        ("", "draw", 0, 1),
        ("iraq", "minor", 2, 3),
        ("iraq", "major", 4, 5),
    ]
    assert [one.immediate for one in document.victory.results] == [True] * 4 + [False] * 5


def test_hexes_that_the_text_numbers_are_told_in_words(scenario: studio.Scenario) -> None:
    listed = scenario.document.special.texts[-1]
    for label, name in HEXES.items():
        assert label in listed
        assert name in listed
    clauses = {one.id: one.text for one in scenario.document.clauses}
    assert "3812" in clauses["tehran-entered"]
    assert "1521" in clauses["baghdad-entered"]
    assert all(label in clauses["kuwait-entered"] for label in KUWAIT)
    for variant in scenario.document.variants:
        changed = scenario.supposing(SetField(field="variants", value=[]), *variant.changes).document
        assert changed.special.texts[-1] == listed
    told = " ".join((scenario.document.notes, *(one.note for one in scenario.document.sources)))
    assert "stand-in" not in told
    assert "made of geography" in told


def test_hexes_that_the_text_numbers_are_those_of_the_map(scenario: studio.Scenario) -> None:
    document = scenario.document
    assert document.map.file == "../maps/iran-iraq.map.json"
    assert set(document.map.out_of_play) == {"2634", "2635"}  # 11.17
    objectives = {one.id: one for one in document.objectives}
    abadan, basra = objectives["abadan"].hexes, objectives["basra"].hexes
    assert objectives["tehran"].hexes == ("3812",)
    assert set(objectives["baghdad-kuwait"].hexes) == {"1521", *KUWAIT}
    shatt = objectives["iraq-shatt"].hexes
    assert objectives["iran-shatt"].hexes == shatt
    assert len(set(shatt)) == 8  # 4.4
    assert {"2733", "2834", *abadan, *basra} <= set(shatt)
    cities = {}
    for name in ("iraq-cities", "iran-cities"):
        where = objectives[name].where
        assert where is not None
        cities[name] = set(where.without)
    assert cities == {"iraq-cities": {"3812", *abadan}, "iran-cities": {"1521", *basra}}  # 4.4
    terrain, cell = scenario.map.model.terrain_at, scenario.map.labels.cell
    assert {terrain(cell(label)) for label in ("1521", "3812", *abadan, *basra)} == {"city"}


def test_it_begins_with_the_baghdad_division_in_baghdad(scenario: studio.Scenario) -> None:
    found = scenario.supply("iraq")
    assert [(one.unit, one.at, one.supplied) for one in found] == [("baghdad-division", "1521", True)]
    assert {side: scenario.entry_places(side).out_of_supply for side in ("iraq", "iran")} == {"iraq": [], "iran": []}

"""Bad scenarios: each fault is found with its place and told as what it is, however many there are."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.checks import Findings, check_scenario
from studio.errors import DocumentError
from studio.model import ScenarioDocument

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "scenarios" / "armageddon-01.scenario.json"
Raw = dict[str, Any]

MANY = 10_000


@pytest.fixture(scope="module")
def scenario() -> studio.Scenario:
    return studio.open_scenario(SCENARIO, recover_unsaved=False)


def checked(scenario: studio.Scenario, alter: Callable[[Raw], object]) -> Findings:
    raw = msgspec.to_builtins(scenario.document)
    alter(raw)
    document = msgspec.convert(raw, ScenarioDocument)
    return check_scenario(document, scenario.map.survey, scenario.ruleset, file="raid")


def rebels(raw: Raw) -> Raw:
    return raw["forces"][0]["formations"][0]


# -- one fault, told as what it is -----------------------------------------------------------------------------------

WHOLE: dict[str, tuple[Callable[[Raw], object], str, str, str]] = {
    "unit off the map": (
        lambda r: rebels(r)["units"][0].update(at="ZZ9"),
        "scenario.references",
        "rebel/rebels/rebel-militia-1",
        "'ZZ9'",
    ),
    "unknown unit": (
        lambda r: rebels(r)["units"][0].update(type="rebel.militja"),
        "scenario.unit_known",
        "rebel/rebels/rebel-militia-1",
        "'rebel.militja'",
    ),
    "set-up area too small": (
        lambda r: rebels(r)["where"].update(within=0),
        "scenario.area_holds",
        "rebel/rebels/where",
        "4 units in U9, which holds 2",
    ),
    "reinforcement after the end": (
        lambda r: r["forces"][1]["formations"][0].update(arrival_turn=20),
        "scenario.arrival",
        "isil/saleh",
        "activation 20 of 16",
    ),
    "two units with one id": (
        lambda r: rebels(r)["units"][1].update(id="rebel-militia-1"),
        "scenario.ids_unique",
        "rebel-militia-1",
        "2 units",
    ),
    "a condition in a circle": (
        lambda r: r.update(
            clauses=[
                {"id": "won", "kind": "all", "parts": ["held", "alive"]},
                {"id": "alive", "kind": "turn", "count": 3},
                {"id": "held", "kind": "not", "parts": ["won"]},
            ]
        ),
        "scenario.circle",
        "clauses/won",
        "won -> held -> won",
    ),
    "an exit that nobody gets to": (
        lambda r: (
            r["special"].update(closed=["U8", "V8", "V9", "U10", "T9", "T8"]),
            r["objectives"][1].update(event="exit", hexes=["U9"], edges=[], terrain=[]),
        ),
        "scenario.way_out",
        "isil-loot",
        "no way for saleh-trucks to U9",
    ),
}


@pytest.mark.parametrize("what", WHOLE)
def test_it_is_found_with_its_place(scenario: studio.Scenario, what: str) -> None:
    alter, rule, at, words = WHOLE[what]
    found = [one for one in checked(scenario, alter) if one.rule == rule]
    assert [one.at for one in found] == [at], str(found)
    assert words in found[0].message
    assert found[0].remedy


def test_an_objective_in_the_sea() -> None:
    front = studio.open_scenario(ROOT / "scenarios" / "practice-front.scenario.json", recover_unsaved=False)
    raw = msgspec.to_builtins(front.document)
    raw["special"]["terrain_at"] = {"1212": "sea"}
    side = raw["forces"][0]["id"]
    raw["objectives"] = [{"id": "island", "side": side, "event": "hold", "points": 3, "hexes": ["1212"]}]
    document = msgspec.convert(raw, ScenarioDocument)
    found = check_scenario(document, front.map.survey, front.ruleset, file="front").errors
    assert [(one.rule, one.at) for one in found] == [("scenario.objective_ground", "island")]
    assert "1212 is sea" in found[0].message
    assert found[0].point == front.map.grid.centre(front.map.labels.cell("1212"))


# -- what does not load ----------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[str, str, str, str]] = {
    "a negative count": ('"count": 2}', '"count": -2}', "$.forces[0].formations[0].units[2].count", "-2"),
    "no count": ('"count": 2}', '"count": null}', "$.forces[0].formations[0].units[2].count", "null"),
    "a huge count": ('"count": 2}', f'"count": {10**9}}}', "$.forces[0].formations[0].units[2].count", "1000000000"),
    "half a unit": ('"count": 2}', '"count": 1.5}', "$.forces[0].formations[0].units[2].count", "1.5"),
    "an empty id": ('"id": "rebel-militia-1"', '"id": ""', "$.forces[0].formations[0].units[0].id", "''"),
    "a negative length": ('"length": 16', '"length": -16', "$.length", "-16"),
    "an endless length": ('"length": 16', f'"length": {10**20}', "$.length", "10000000000"),
    "a number that is none": ('"length": 16', '"length": NaN', "$", "NaN"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_its_path(tmp_path: Path, what: str) -> None:
    sound, bad, path, words = REFUSED[what]
    text = SCENARIO.read_text(encoding="utf-8")
    assert sound in text
    file = tmp_path / "bad.scenario.json"
    file.write_text(text.replace(sound, bad, 1), encoding="utf-8")
    with pytest.raises(DocumentError) as refused:
        studio.open_scenario(file)
    assert {fault.path for fault in refused.value.faults} == {path}
    assert words in " ".join(fault.message for fault in refused.value.faults)


def test_empty_names_are_warned_of(scenario: studio.Scenario) -> None:
    def unnamed(raw: Raw) -> None:
        raw["title"] = ""
        raw["forces"][0]["name"] = rebels(raw)["name"] = "  "

    found = checked(scenario, unnamed)
    assert {one.at for one in found if one.rule == "scenario.named"} == {"title", "rebel", "rebel/rebels"}
    assert found.errors == []


# -- very many -------------------------------------------------------------------------------------------------------


def militia(**fields: Any) -> Callable[[int], Raw]:
    return lambda number: {"id": f"u{number}", "type": "rebel.militia", **fields}


CROWDS: dict[str, Callable[[Raw], object]] = {
    "10 000 units": lambda r: rebels(r).update(units=[militia()(n) for n in range(MANY)]),
    "10 000 units in a hex": lambda r: rebels(r).update(units=[militia(at="U9")(n) for n in range(MANY)]),
    "10 000 units off the map": lambda r: rebels(r).update(
        units=[{**militia()(n), "at": f"ZZ{n}"} for n in range(MANY)]
    ),
    "10 000 unknown types": lambda r: rebels(r).update(
        units=[{"id": f"u{n}", "type": f"rebel.x{n}"} for n in range(MANY)]
    ),
    "10 000 clauses in a chain": lambda r: r.update(
        clauses=[
            *({"id": f"c{n}", "kind": "all", "parts": [f"c{n + 1}"]} for n in range(MANY)),
            {"id": f"c{MANY}", "kind": "turn", "count": 3},
        ]
    ),
    "10 000 clauses in a circle": lambda r: r.update(
        clauses=[{"id": f"c{n}", "kind": "all", "parts": [f"c{(n + 1) % MANY}"]} for n in range(MANY)]
    ),
    "10 000 clauses of nothing": lambda r: r.update(
        clauses=[{"id": f"c{n}", "kind": "any", "parts": [f"d{n}"]} for n in range(MANY)]
    ),
    "10 000 events by each other": lambda r: r.update(
        events=[{"id": f"e{n}", "name": "E", "when": {"kind": "event", "of": f"e{n + 1}"}} for n in range(MANY)]
    ),
    "1 000 forces": lambda r: r.update(
        forces=[
            *r["forces"],
            *(
                {
                    "id": f"f{n}",
                    "name": f"Force {n}",
                    "formations": [{"id": f"g{n}", "name": "All", "units": [militia()(n)]}],
                }
                for n in range(1000)
            ),
        ]
    ),
}


@pytest.mark.parametrize("what", CROWDS)
def test_very_many_are_checked_in_seconds_and_told_in_bounds(scenario: studio.Scenario, what: str) -> None:
    begin = time.process_time()
    found = checked(scenario, CROWDS[what])
    assert time.process_time() - begin < 10
    assert max(len(str(one)) for one in found) < 1000
    rules = [one.rule for one in found]
    assert all(rules.count(rule) <= 201 for rule in rules)


def test_a_chain_is_no_fault_and_a_circle_is_one(scenario: studio.Scenario) -> None:
    chain = checked(scenario, CROWDS["10 000 clauses in a chain"])
    assert chain.errors == []
    (circle,) = checked(scenario, CROWDS["10 000 clauses in a circle"]).errors
    assert (circle.rule, circle.at) == ("scenario.circle", "clauses/c0")
    assert "c0 -> c1 -> c2" in circle.message
    assert "10000 in all" in circle.message


def test_numbers_as_large_as_they_can_be_are_counted(scenario: studio.Scenario) -> None:
    def large(raw: Raw) -> None:
        raw["objectives"][0].update(points=1000, most=10**18)
        raw["victory"]["printed_totals"] = {"isil": 10**18}

    (found,) = [one for one in checked(scenario, large) if one.rule == "scenario.victory_points"]
    assert str(10**18) in found.message


def test_the_file_of_very_many_opens_and_is_checked(tmp_path: Path) -> None:
    raw = json.loads(SCENARIO.read_text(encoding="utf-8"))
    raw["map"]["file"] = str(ROOT / "maps" / "armageddon-1.map.json")
    CROWDS["10 000 units"](raw)
    file = tmp_path / "many.scenario.json"
    file.write_text(json.dumps(raw), encoding="utf-8")
    found = studio.open_scenario(file, recover_unsaved=False).check()
    assert "scenario.area_holds" in {one.rule for one in found.errors}

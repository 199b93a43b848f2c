"""Every scenario check finds its fault at its place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.checks import CATALOGUE, check_scenario
from studio.model import ScenarioDocument
from studio.rules import get_ruleset

ROOT = Path(__file__).parents[2]
RULES = get_ruleset("armageddon_war")
Raw = dict[str, Any]


@pytest.fixture(scope="module")
def scenario() -> studio.Scenario:
    return studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)


def rebels(raw: Raw) -> Raw:
    return raw["forces"][0]["formations"][0]


def saleh(raw: Raw) -> Raw:
    return raw["forces"][1]["formations"][0]


def unit(formation: Raw, name: str) -> Raw:
    return next(entry for entry in formation["units"] if entry["id"] == name)


FAULTS: dict[str, list[tuple[str, Callable[[Raw], object], str]]] = {
    "scenario.forces": [("one force", lambda r: r["forces"].pop(), "forces")],
    "scenario.ids_unique": [
        (
            "two units with one id",
            lambda r: unit(rebels(r), "rebel-militia-2").update(id="rebel-technical"),
            "rebel-technical",
        ),
        ("two objectives", lambda r: r["objectives"][1].update(id="isil-eliminate"), "isil-eliminate"),
    ],
    "scenario.unit_known": [
        (
            "no such type",
            lambda r: unit(rebels(r), "rebel-technical").update(type="rebel.tecnical"),
            "rebel/rebels/rebel-technical",
        )
    ],
    "scenario.unit_quantity": [
        ("too many", lambda r: unit(rebels(r), "rebel-technical").update(count=3), "rebel.technical")
    ],
    "scenario.references": [
        ("note off the map", lambda r: r.update(place_notes=[{"id": "n", "at": "Q99", "text": "x"}]), "n"),
        ("note to nobody", lambda r: r.update(place_notes=[{"id": "n", "at": "Q5", "text": "x", "side": "us"}]), "n"),
        ("carrier", lambda r: unit(rebels(r), "rebel-sagger").update(carried_by="nobody"), "rebel/rebels/rebel-sagger"),
        (
            "unit off the map",
            lambda r: unit(rebels(r), "rebel-technical").update(at="ZZ9"),
            "rebel/rebels/rebel-technical",
        ),
        ("set-up hex", lambda r: rebels(r)["where"].update(hexes=["U99"]), "rebel/rebels/where"),
        ("terrain", lambda r: rebels(r)["where"].update(terrain=["lava"]), "rebel/rebels/where"),
        ("column", lambda r: r["map"].update(first_column="QQQ"), "map"),
        ("side", lambda r: r["objectives"][0].update(side="nato"), "isil-eliminate"),
        ("winner", lambda r: r["victory"].update(otherwise="nato"), "victory"),
        ("first side", lambda r: r.update(first_side="nato"), "first_side"),
        ("objective hex", lambda r: r["objectives"][0].update(hexes=["A99"]), "isil-eliminate"),
        ("objective type", lambda r: r["objectives"][2].update(unit_types=["isil.bmp2"]), "rebel-bmp-2"),
        ("smoke", lambda r: r["special"].update(smoke=["A99"]), "special.smoke"),
    ],
    "scenario.in_play": [
        ("unit", lambda r: unit(rebels(r), "rebel-technical").update(at="C5"), "rebel/rebels/rebel-technical"),
        ("objective", lambda r: r["objectives"][0].update(hexes=["C5"]), "isil-eliminate"),
    ],
    "scenario.area": [("nothing left", lambda r: rebels(r)["where"].update(terrain=["wadi"]), "rebel/rebels/where")],
    "scenario.area_holds": [
        ("too small", lambda r: rebels(r)["where"].update(within=0), "rebel/rebels/where"),
        ("10 000 units", lambda r: unit(rebels(r), "rebel-militia-3").update(count=1000), "rebel/rebels/where"),
    ],
    "scenario.stacking": [
        ("three in a hex", lambda r: [u.update(at="U9") for u in rebels(r)["units"] if "militia" in u["type"]], "U9"),
        (
            "a truck in rough",
            lambda r: unit(saleh(r), "saleh-trucks").update(at="R14", count=1),
            "isil/saleh/saleh-trucks",
        ),
    ],
    "scenario.facing": [
        (
            "a game without",
            lambda r: unit(rebels(r), "rebel-technical").update(facing="N"),
            "rebel/rebels/rebel-technical",
        ),
        (
            "no such side",
            lambda r: unit(rebels(r), "rebel-technical").update(facing="E"),
            "rebel/rebels/rebel-technical",
        ),
    ],
    "scenario.entry": [
        ("not on the edge", lambda r: saleh(r)["where"].update(hexes=["W5"]), "isil/saleh/where"),
        ("not in play", lambda r: saleh(r)["where"].update(hexes=["W1", "C1"]), "isil/saleh/where"),
    ],
    "scenario.arrival": [("after the end", lambda r: saleh(r).update(arrival_turn=17), "isil/saleh")],
    "scenario.carriers": [
        (
            "no transport",
            lambda r: unit(rebels(r), "rebel-militia-1").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-militia-1",
        ),
        (
            "wrong user",
            lambda r: unit(rebels(r), "rebel-sagger").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-sagger",
        ),
        (
            "itself",
            lambda r: unit(rebels(r), "rebel-technical").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-technical",
        ),
        (
            "an enemy",
            lambda r: unit(rebels(r), "rebel-militia-1").update(carried_by="saleh-trucks"),
            "rebel/rebels/rebel-militia-1",
        ),
        (
            "in a circle",
            lambda r: (
                unit(rebels(r), "rebel-militia-1").update(carried_by="rebel-militia-2"),
                unit(rebels(r), "rebel-militia-2").update(carried_by="rebel-militia-1"),
            ),
            "rebel/rebels/rebel-militia-1",
        ),
    ],
    "scenario.printed_totals": [
        ("points", lambda r: rebels(r).update(printed_points=38), "rebel/rebels"),
        ("units", lambda r: saleh(r).update(printed_units=9), "isil/saleh"),
    ],
    "scenario.victory_points": [("total", lambda r: r["victory"]["printed_totals"].update(isil=20), "victory/isil")],
    "scenario.exit": [("no such edge in play", lambda r: r["objectives"][1].update(edges=["west"]), "isil-loot")],
    "scenario.special_rules": [
        ("option", lambda r: r["special"].update(options={"border_rule": "both"}), "special.options.border_rule"),
        (
            "override",
            lambda r: r["special"].update(terrain_overrides={"light_urban": "lava"}),
            "special.terrain_overrides",
        ),
    ],
    "scenario.control": [
        ("side", lambda r: r.update(control={"nato": ["U9"]}), "control"),
        ("hex", lambda r: r.update(control={"isil": ["A99"]}), "control.isil"),
        ("two sides", lambda r: r.update(control={"isil": ["U9"], "rebel": ["U9"]}), "U9"),
        ("home", lambda r: r.update(home={"isil": ["Raqqa"]}), "home.isil"),
        ("home of nobody", lambda r: r.update(home={"nato": []}), "home"),
        ("source", lambda r: r.update(unrestored=["A99"]), "unrestored"),
    ],
    "scenario.sources": [("none", lambda r: r.update(sources=[]), "sources")],
}
CASES = [(rule, name, alter, at) for rule, faults in FAULTS.items() for name, alter, at in faults]


@pytest.mark.parametrize(("rule", "name", "alter", "at"), CASES, ids=[f"{rule}-{name}" for rule, name, *_ in CASES])
def test_a_seeded_fault_is_found_at_its_place(
    scenario: studio.Scenario, rule: str, name: str, alter: Callable[[Raw], object], at: str
) -> None:
    raw = msgspec.to_builtins(scenario.document)
    alter(raw)
    document = msgspec.convert(raw, ScenarioDocument)
    findings = check_scenario(document, scenario.map.survey, RULES, file="x")
    assert (rule, at, CATALOGUE[rule].severity) in [(f.rule, f.at, f.severity) for f in findings], str(findings)
    assert all(f.message and f.remedy for f in findings)


def test_every_scenario_check_has_a_seeded_fault() -> None:
    # Of a game that has supply, in tests/paths/test_supply_scenarios.py and test_hard_questions.py; of one without a
    # roster, in test_no_roster.py.
    elsewhere = {"scenario.supply", "scenario.homes", "scenario.unrestored", "scenario.one_side", "scenario.roster"}
    assert {rule for rule, info in CATALOGUE.items() if info.about == "scenario"} == set(FAULTS) | elsewhere


@pytest.mark.parametrize("fault", [{"count": 0}, {"count": -3}, {"count": 10_000}])
def test_impossible_counts_do_not_even_load(scenario: studio.Scenario, fault: dict) -> None:
    raw = msgspec.to_builtins(scenario.document)
    rebels(raw)["units"][0].update(fault)
    with pytest.raises(msgspec.ValidationError, match="count"):
        msgspec.convert(raw, ScenarioDocument)

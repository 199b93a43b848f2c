"""Every scenario check finds its fault at its place."""

from functools import lru_cache
from pathlib import Path

import msgspec
import pytest

import studio
from studio.checks import CATALOGUE, check_scenario
from studio.model import ScenarioDocument
from tests.checks.scenario_faults import FAULTS, Seed, rebels

ROOT = Path(__file__).parents[2]


@lru_cache(maxsize=4)
def opened(base: str) -> studio.Scenario:
    return studio.open_scenario(ROOT / "scenarios" / f"{base}.scenario.json", recover_unsaved=False)


CASES = [(rule, seed) for rule, seeds in FAULTS.items() for seed in seeds]


@pytest.mark.parametrize(("rule", "seed"), CASES, ids=[f"{rule}-{seed.name}" for rule, seed in CASES])
def test_a_seeded_fault_is_found_at_its_place(rule: str, seed: Seed) -> None:
    scenario = opened(seed.base)
    before = check_scenario(scenario.document, scenario.map.survey, scenario.ruleset, file="x")
    raw = msgspec.to_builtins(scenario.document)
    seed.alter(raw)
    document = msgspec.convert(raw, ScenarioDocument)
    findings = check_scenario(document, scenario.map.survey, scenario.ruleset, file="x")
    assert (rule, seed.at, CATALOGUE[rule].severity) in [(f.rule, f.at, f.severity) for f in findings], str(findings)
    assert all(f.message and f.remedy for f in findings)
    assert rule == "scenario.print_error" or (rule, seed.at) not in [(f.rule, f.at) for f in before]


@pytest.mark.parametrize("base", sorted({seed.base for seeds in FAULTS.values() for seed in seeds}))
def test_the_sound_scenarios_have_no_errors(base: str) -> None:
    scenario = opened(base)
    findings = check_scenario(scenario.document, scenario.map.survey, scenario.ruleset, file="x")
    assert findings.errors == []


def test_every_scenario_check_has_a_seeded_fault() -> None:
    # Of a game that has supply, in tests/paths/test_supply_scenarios.py and test_hard_questions.py; of one without a
    # roster, in test_no_roster.py.
    elsewhere = {"scenario.supply", "scenario.homes", "scenario.unrestored", "scenario.one_side", "scenario.roster"}
    assert {rule for rule, info in CATALOGUE.items() if info.about == "scenario"} == set(FAULTS) | elsewhere


@pytest.mark.parametrize("fault", [{"count": 0}, {"count": -3}, {"count": 10_000}])
def test_impossible_counts_do_not_even_load(fault: dict) -> None:
    raw = msgspec.to_builtins(opened("armageddon-01").document)
    rebels(raw)["units"][0].update(fault)
    with pytest.raises(msgspec.ValidationError, match="count"):
        msgspec.convert(raw, ScenarioDocument)

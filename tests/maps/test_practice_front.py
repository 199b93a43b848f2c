"""The practice front of Ignorant Armies: it checks clean, and shows every part of a supply answer."""

from pathlib import Path

import pytest

import studio

ROOT = Path(__file__).parents[2]
MAP = ROOT / "maps" / "practice-front.map.json"
SCENARIO = ROOT / "scenarios" / "practice-front.scenario.json"


@pytest.fixture(scope="module")
def front() -> studio.Scenario:
    return studio.open_scenario(SCENARIO, recover_unsaved=False)


def test_the_map_checks_clean_and_is_written_as_the_studio_writes(front: studio.Scenario) -> None:
    assert front.map.check() == []
    assert MAP.read_text(encoding="utf-8") == front.map.to_text()
    assert "invented" in front.map.model.notes


def test_the_scenario_has_no_finding_but_the_units_that_are_meant_to_starve(front: studio.Scenario) -> None:
    assert {(finding.rule, finding.at) for finding in front.check()} == {
        ("scenario.supply", "armor-10"),
        ("scenario.supply", "rg-1"),
    }


def test_every_kind_of_answer_is_there(front: studio.Scenario) -> None:
    iraq, iran = front.supply("iraq"), front.supply("iran")
    assert {one.unit for one in (*iraq, *iran) if not one.supplied} == {"armor-10", "rg-1"}
    assert "cut at 1909 by an enemy unit" in iraq.unit("armor-10").reason
    assert iraq.unit("popular-2").cost == 0  # in the source
    assert iraq.unit("mountain-1").off_road > 1  # through the mountains, where it pays one point a hex
    assert len(iraq.unit("armor-6").path) > 10  # along the road into the enemy's country


def test_an_enemy_cuts_off_as_many_as_the_interdiction_map_says(front: studio.Scenario) -> None:
    found = front.interdiction("iraq")
    assert set(found.counts) >= {"1106", "1407"}
    before = {one.unit for one in front.supply("iraq") if one.supplied}
    for label in (*found.counts, "0813", "1412", "0408"):
        after = {one.unit: one.supplied for one in front.supply("iraq", enemy_at=[label])}
        lost = [unit for unit in before if after.get(unit) is False]
        assert len(lost) == found.count(label), label

"""Lists of a scenario in the editor: events, tables and the rest are filled in by pointer and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.editor import ScenarioEditor
from tests.browser.test_forces import ScenarioPage

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(new_page: Callable[..., Any], bundle_server: str) -> Iterator[ScenarioPage]:
    scenario = studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)
    editor = ScenarioEditor(scenario)
    made = ScenarioPage(new_page(), editor, bundle_server, 1000, False)
    made.shown()
    yield made
    editor.close()
    scenario.close()


def test_an_event_with_a_roll_is_made_by_pointer_and_keys(page: ScenarioPage) -> None:
    panel = page.page.locator("[data-panel='events']")
    page.page.locator("summary", has_text="Events and support").click()
    panel.locator("summary", has_text="Events").first.click()
    panel.get_by_role("button", name="Add an event").click()
    name = panel.get_by_label("Name", exact=True).first
    name.fill("Relief column")
    name.press("Tab")
    page.page.wait_for_function("document.activeElement.dataset.typed === undefined")
    turn = panel.get_by_label("Turn", exact=True)
    turn.fill("8")
    turn.press("Enter")
    panel.get_by_role("button", name="Add: when").click()
    panel.get_by_label("Dice").fill("1D6")
    panel.get_by_label("Dice").press("Enter")
    panel.get_by_label("At least").fill("5")
    panel.get_by_label("At least").press("Enter")
    page.idle()
    for _ in range(50):
        (event,) = page.scenario.document.events
        if event.when is not None and event.when.least == 5:
            break
        page.page.wait_for_timeout(100)
    assert (event.name, event.turn) == ("Relief column", 8)
    assert event.when is not None
    assert (event.when.dice, event.when.least) == ("1D6", 5)
    # The list tells of it, and undo takes back step by step.
    panel.get_by_text("Relief column, activation 8").first.wait_for()
    page.scenario.undo()
    page.idle()
    assert page.scenario.document.events[0].when.least == 0


def test_a_wrong_value_is_said_and_nothing_is_lost(page: ScenarioPage) -> None:
    page.scenario.add_record("tables", name="Weather", dice="1D6")
    page.page.locator("summary", has_text="Cups and tables").click()
    panel = page.page.locator("[data-panel='chance']")
    panel.locator("summary", has_text="Tables (1)").click()
    panel.get_by_text("Weather").first.click()
    dice = panel.get_by_label("Dice", exact=True)
    dice.fill("many")
    dice.press("Enter")
    page.page.get_by_text("matching regex").first.wait_for()
    assert page.scenario.document.tables[0].dice == "1D6"

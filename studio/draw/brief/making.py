"""Makes the sheet of a scenario: its words, its pictures, its sections in their order."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from studio.draw.brief.order import order_section
from studio.draw.brief.pictures import map_picture, track_picture
from studio.draw.brief.sections import (
    aims_sections,
    chance_sections,
    facts_block,
    rest_sections,
    schedule_section,
    track_table,
)
from studio.draw.brief.sheet import Block, Section, Sheet
from studio.draw.calendar_picture import badge_numbers
from studio.draw.counterfaces import Counters
from studio.model import ScenarioDocument
from studio.model.calendar import calendar_rows
from studio.model.wording import credit_sentences
from studio.model.wording.english import listed
from studio.rules.balance import strengths
from studio.rules.points import measure_of
from studio.rules.words import scenario_names

__all__ = ["make_sheet"]


def make_sheet(scenario: Any, *, pictures: bool = True, made_by: str = "") -> Sheet:
    """Return the sheet of a scenario.

    Parameters
    ----------
    scenario : studio.Scenario
    pictures : bool
        With the map and the turn track.
    made_by : str
        Program and version, for the foot of the pages.
    """
    document: ScenarioDocument = scenario.document
    names = scenario_names(document, scenario.ruleset, scenario.map.survey)
    rows = calendar_rows(document, names)
    at_a_glance: list[Block] = [facts_block(document, scenario.map.title, names)]
    track: list[Block] = [track_table(rows, badge_numbers(rows), names)]
    if pictures:
        at_a_glance.append(map_picture(scenario, names))
        track.insert(0, track_picture(scenario, rows, names))
    sections = [
        Section("glance", "At a glance", tuple(at_a_glance)),
        *order_section(document, names, Counters.of(scenario.ruleset)),
        Section("track", "Turn track", tuple(track)),
        *schedule_section(document, names),
        *chance_sections(document, names),
        *aims_sections(document, names),
        *rest_sections(
            document,
            names,
            _balance(document, scenario.ruleset),
            credit_sentences(scenario.map.model, document),
        ),
    ]
    title = document.title.strip() or "Untitled scenario"
    footer = f"{title} · edition {_edition(document)}" + (f" · {made_by}" if made_by else "")
    return Sheet(
        scenario.ruleset.title, title, document.date.strip(), document.situation.strip(), tuple(sections), footer
    )


def _balance(document: ScenarioDocument, ruleset: Any) -> str:
    """Return how the sides compare by the roster; empty where it says nothing."""
    sides = strengths(document, ruleset)
    if len(sides) < 2 or not any(side.points for side in sides):
        return ""
    totals = listed(f"{side.name} {side.points}" for side in sides)
    return f"Strength by the roster, in {measure_of(ruleset)}: {totals}."


def _edition(document: ScenarioDocument) -> str:
    """Return what tells one state of a scenario from another: equal documents have equal editions."""
    return hashlib.sha256(msgspec.json.encode(document, order="deterministic")).hexdigest()[:8]

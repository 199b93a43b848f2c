"""The sections of a scenario sheet, made of the scenario's data: what stands where, in which words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from studio.draw.brief.sheet import Block, Facts, Items, Section, Table, Text
from studio.model import ScenarioDocument
from studio.model.calendar import CalendarRow, set_up_order
from studio.model.wording import (
    Names,
    clause_sentences,
    control_sentences,
    cup_sentences,
    erratum_sentences,
    event_sentences,
    kind_sentences,
    length_sentences,
    lot_phrase,
    map_sentences,
    note_sentence,
    objective_sentences,
    period_sentences,
    pool_sentences,
    result_sentences,
    rolls_phrase,
    row_sentences,
    special_sentences,
    support_name,
    support_sentences,
    table_sentences,
    variant_sentences,
    victory_sentences,
)
from studio.model.wording.english import listed, rolled, shown, spoken

__all__ = ["aims_sections", "chance_sections", "facts_block", "rest_sections", "schedule_section", "track_table"]


def facts_block(document: ScenarioDocument, map_title: str, names: Names) -> Facts:
    """Return the facts at the top: map, length, who is who, in which order they set up."""
    pairs = [("Aim", document.aim.strip())] if document.aim.strip() else []
    pairs += [
        ("Map", f"{map_title}. {' '.join(map_sentences(document.map))}"),
        ("Length", " ".join(length_sentences(document, names))),
    ]
    order = _order(document, names)
    pairs += [("Set-up order", order)] if order else []
    pairs += [(spoken(name).capitalize(), shown(value)) for name, value in document.ratings.items()]
    if document.turn_names:
        pairs.append(("Turns", ", ".join(f"{n} = {name}" for n, name in enumerate(document.turn_names, 1))))
    return Facts(tuple(pairs))


def _order(document: ScenarioDocument, names: Names) -> str:
    """Return who sets up in which order; formations only where they have places of their own."""
    at_start = [(force, part) for force, part in set_up_order(document) if part.arrival == "set_up"]
    if len(at_start) < 2:
        return ""
    single = any(part.set_up_order for _, part in at_start)
    called = [names.of_part(part) if single else names.side(force.id) for force, part in at_start]
    return ", then ".join(dict.fromkeys(called)) if len(set(called)) > 1 else ""


_DID: dict[str, str] = {
    "set_up": "Set up",
    "pool": "In the pool",
    "arrival": "Enters",
    "arrival_latest": "Enters at the latest",
    "period": "Begins",
    "event": "Event",
    "support": "Support",
    "cup": "Into the cup",
    "first": "Acts first",
}


def track_table(rows: Sequence[CalendarRow], numbers: Mapping[tuple[str, str], int], names: Names) -> Table:
    """Return the calendar as a table, of the turns in which something happens."""
    found = []
    for row in rows:
        if not row.items:
            continue
        words: dict[str, list[str]] = {}
        for item in row.items:
            number = numbers.get((item.kind, item.record))
            badge = f" [{number}]" if number else ""
            side = f" ({names.side(item.side)})" if item.side and item.kind != "first" else ""
            did = _DID.get(item.kind, "")
            words.setdefault(did, []).append(f"{item.title}{side}{badge}" if did else f"{item.text.rstrip('.')}{badge}")
        lines = [f"{did}: {listed(texts)}" if did else "; ".join(texts) for did, texts in words.items()]
        when = f"{row.name}" + (f", {row.title}" if row.title else "") + (f", {row.light}" if row.light else "")
        found.append((when, "; ".join(lines) + "."))
    return Table(("When", "What"), tuple(found), (0.22, 0.78))


def _listing(
    records: Iterable[Any], name: Callable[[Any], str], words: Callable[[Any], list[str]]
) -> list[tuple[str, str]]:
    return [(name(one), " ".join(words(one))) for one in records]


def schedule_section(document: ScenarioDocument, names: Names) -> list[Section]:
    """Return events, periods, support and markers in the cup."""
    parts: list[tuple[str, str, list[tuple[str, str]]]] = [
        (
            "periods",
            "Periods",
            _listing(document.periods, lambda one: one.name, lambda one: period_sentences(one, names)),
        ),
        ("events", "Events", _listing(document.events, lambda one: one.name, lambda one: event_sentences(one, names))),
        (
            "support",
            "Support from off the map",
            _listing(document.support, lambda one: support_name(one, names), lambda one: support_sentences(one, names)),
        ),
        (
            "cup",
            "In the cup",
            _listing(document.cup, lambda one: names.type(one.type), lambda one: cup_sentences(one, names)),
        ),
    ]
    return [Section(ident, title, (Items(tuple(items)),)) for ident, title, items in parts if items]


def chance_sections(document: ScenarioDocument, names: Names) -> list[Section]:
    """Return draw pools and random tables."""
    found = []
    if document.pools:
        blocks: list[Block] = []
        for pool in document.pools:
            lots = tuple((str(lot.count or "?"), _without_count(lot_phrase(lot, names))) for lot in pool.lots)
            blocks.append(Items(((pool.name, " ".join(pool_sentences(pool, names))),)))
            if lots:
                blocks.append(Table(("Lots", "What"), lots, (0.1, 0.9)))
        found.append(Section("draws", "Draws", tuple(blocks)))
    if document.tables:
        blocks = []
        for table in document.tables:
            blocks.append(Items(((table.name, " ".join(table_sentences(table, names))),)))
            rows = tuple((rolls_phrase(row), " ".join(row_sentences(row, names))) for row in table.rows)
            if rows:
                blocks.append(Table((rolled(table.dice) or "Roll", "Result"), rows, (0.12, 0.88)))
        found.append(Section("tables", "Tables", tuple(blocks)))
    return found


def _without_count(text: str) -> str:
    return text.partition(" × ")[2] or text


def aims_sections(document: ScenarioDocument, names: Names) -> list[Section]:
    """Return objectives with their points, and who wins when."""
    found = []
    if document.objectives:
        rows = tuple(
            (names.side(one.side), f"{one.points:+d}" if one.points else "–", " ".join(objective_sentences(one, names)))
            for one in document.objectives
        )
        found.append(Section("objectives", "Objectives", (Table(("Side", "Points", "For"), rows, (0.18, 0.1, 0.72)),)))
    blocks: list[Block] = []
    if document.victory is not None:
        blocks += [Text(text) for text in victory_sentences(document.victory, names)]
        results = [("", " ".join(result_sentences(one, names))) for one in document.victory.results]
        if results:
            blocks.append(Items(tuple(results), numbered=True))
    if document.clauses:
        clauses = [(spoken(one.id), " ".join(clause_sentences(one, names))) for one in document.clauses]
        blocks += [Text("Conditions", "head"), Items(tuple(clauses))]
    if blocks:
        found.append(Section("victory", "Victory", tuple(blocks)))
    return found


def rest_sections(
    document: ScenarioDocument, names: Names, balance: str = "", credits: Sequence[str] = ()
) -> list[Section]:
    """Return special rules, notes, errors of the print, variants, rules to learn, and the sources that are credited."""
    special = [*special_sentences(document.special, names), *control_sentences(document, names)]
    kinds = [(kind.name or spoken(kind.id), " ".join(kind_sentences(kind, names))) for kind in document.roster]
    notes = [*(text for text in document.notes.splitlines() if text.strip()), *([balance] if balance else [])]
    parts: list[tuple[str, str, list[Block]]] = [
        ("special", "Special rules", [_plain(special)] if special else []),
        ("kinds", "Kinds of units of this scenario", [Items(tuple(kinds))] if kinds else []),
        (
            "places",
            "Notes to places",
            [_plain([note_sentence(one, names) for one in document.place_notes])] if document.place_notes else [],
        ),
        (
            "variants",
            "Variants",
            [Items(tuple((one.name, " ".join(variant_sentences(one, names))) for one in document.variants))]
            if document.variants
            else [],
        ),
        ("notes", "Notes", [Text(text) for text in notes]),
        (
            "errata",
            "Errors of the print, and how they are read here",
            [_plain([" ".join(erratum_sentences(one, names)) for one in document.errata])] if document.errata else [],
        ),
        (
            "rules",
            "Rules introduced",
            [Text(f"{listed(document.rules_introduced)}.")] if document.rules_introduced else [],
        ),
        (
            "sources",
            "Sources",
            [_plain(credits)] if credits else [],
        ),
    ]
    return [Section(ident, title, tuple(blocks)) for ident, title, blocks in parts if blocks]


def _plain(texts: Sequence[str]) -> Items:
    return Items(tuple(("", text) for text in texts if text))

"""The calendar of a scenario: what happens turn by turn, short where a game is long."""

import itertools
from typing import Any

import pytest
from hypothesis import given

from studio.model import (
    Clause,
    CupMarker,
    Event,
    ExtendedPlay,
    Force,
    Formation,
    MapUse,
    Period,
    ScenarioDocument,
    Support,
    Trigger,
)
from studio.model.calendar import ANY_TIME, CalendarRow, calendar_rows
from tests.model.any_document import ANY_DOCUMENT


def battle(*formations: Formation, **fields: Any) -> ScenarioDocument:
    forces = [Force(id="us", name="US", formations=formations)]
    return ScenarioDocument(
        **{"ruleset": "modern_tactics", "map": MapUse(file="a.map.json"), "forces": forces, **fields}
    )


def by_turn(rows: tuple[CalendarRow, ...]) -> dict[int, list[tuple[str, str]]]:
    return {row.turn: [(item.kind, item.title) for item in row.items] for row in rows if row.items}


def entering(turn: int, when: Trigger | None = None) -> Formation:
    return Formation(id="relief", name="Relief", arrival="enter", arrival_turn=turn, when=when)


def test_formations_stand_where_they_come() -> None:
    late = entering(2, Trigger(kind="roll", dice="1D6", least=4, first_turn=3, automatic_turn=6))
    parts = (Formation(id="b", name="B", set_up_order=2), Formation(id="a", name="A", set_up_order=1), late)
    rows = calendar_rows(battle(*parts, Formation(id="p", name="P", arrival="pool"), length=8))
    assert by_turn(rows) == {
        0: [("set_up", "A"), ("set_up", "B"), ("pool", "P")],
        3: [("arrival", "Relief")],
        6: [("arrival_latest", "Relief")],
        8: [("end", "End")],
    }
    assert [row.turn for row in rows] == list(range(9))


def test_what_happens_stands_in_its_turn() -> None:
    document = battle(
        length=6,
        first_side="us",
        events=[
            Event(id="rain", name="Rain", turn=2, last_turn=6, every=2),
            Event(id="aid", name="Aid", turn=1, last_turn=6),
            Event(id="luck", name="Luck", when=Trigger(kind="choice")),
            Event(id="end", name="Fog", when=Trigger(kind="choice", first_turn=4, automatic_turn=5)),
        ],
        support=[
            Support(id="guns", kind="artillery", first_turn=2, last_turn=4),
            Support(id="jets", kind="air_strike", when=Trigger(kind="choice")),
        ],
        cup=[CupMarker(id="s", type="storm"), CupMarker(id="t", type="tempest", enters="activation", after=3)],
        ends=("won",),
        clauses=[Clause(id="won", kind="turn", count=5)],
        extended=ExtendedPlay(turns=2, when=Trigger(kind="roll", dice="2D6", least=7)),
    )
    assert by_turn(calendar_rows(document)) == {
        0: [("cup", "storm")],
        1: [("first", "US"), ("event", "Aid")],
        2: [("event", "Rain"), ("support", "Artillery")],
        3: [("cup", "tempest")],
        4: [("event", "Rain"), ("event", "Fog"), ("support", "Artillery")],
        5: [("event", "Fog"), ("ending", "Early end")],
        6: [("event", "Rain"), ("end", "End")],
        7: [("extended", "Extended play")],
        ANY_TIME: [("event", "Luck"), ("support", "Air strike")],
    }
    rows = {row.turn: row for row in calendar_rows(document)}
    assert [turn for turn, row in rows.items() if row.extra] == [7, 8]
    assert [item.text for item in rows[4].items if item.title == "Rain"] == ["Happens again."]


def test_light_and_names_of_turns() -> None:
    periods = [Period(id="n", name="Night", first_turn=2, last_turn=3, light="night")]
    rows = calendar_rows(battle(length=4, periods=periods, turn_names=("July", "August")))
    assert [(row.turn, row.light, row.title) for row in rows] == [
        (0, "", ""),
        (1, "", "July"),
        (2, "night", "August"),
        (3, "night", ""),
        (4, "", ""),
    ]


@pytest.mark.parametrize("length", [61, 10_000])
def test_long_games_are_short(length: int) -> None:
    rows = calendar_rows(
        battle(entering(20), length=length, events=[Event(id="e", name="E", turn=30, last_turn=9_000)])
    )
    stretches = [(row.turn, row.last) for row in rows]
    assert stretches == [
        (0, 0),
        (1, 1),
        (2, 18),
        (19, 19),
        (20, 20),
        (21, 21),
        (22, 28),
        (29, 29),
        (30, 30),
        (31, 31),
        (32, length - 2),
        (length - 1, length - 1),
        (length, length),
    ]


@given(ANY_DOCUMENT)
def test_rows_follow_one_another(document: ScenarioDocument) -> None:
    rows = calendar_rows(document)
    turns = [row for row in rows if row.turn != ANY_TIME]
    assert turns[0].turn == 0
    assert all(b.turn == a.last + 1 for a, b in itertools.pairwise(turns))
    assert all(not row.items for row in turns if row.quiet)
    told = {
        (item.side, item.formation) for row in rows for item in row.items if item.kind in ("set_up", "pool", "arrival")
    }
    assert told == {(force.id, part.id) for force in document.forces for part in force.formations}
    if document.length:
        assert any(item.kind == "end" for row in rows if row.turn == document.length for item in row.items)

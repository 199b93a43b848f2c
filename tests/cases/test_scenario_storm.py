"""Scenarios under a storm of calls, and long rows of areas that are described by one another."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

import studio
from studio.api.scenario import Scenario
from studio.errors import ScenarioRuleError, StudioError
from studio.files import load_scenario, write_scenario_text
from studio.model import ScenarioDocument, ScenarioModel

SCENARIO = Path(__file__).parents[2] / "scenarios" / "armageddon-01.scenario.json"
Raw = dict[str, Any]


def opened() -> Scenario:
    return studio.open_scenario(SCENARIO, recover_unsaved=False)


@pytest.fixture(scope="module")
def raid() -> Scenario:
    return opened()


def changed(raid: Scenario, alter: Callable[[Raw], object]) -> Scenario:
    raw = msgspec.to_builtins(raid.document)
    alter(raw)
    return Scenario(ScenarioModel(msgspec.convert(raw, ScenarioDocument)), raid.map)


def formation(number: int, units: int = 0, **where: Any) -> Raw:
    own = [{"id": f"u{number}-{n}", "type": "rebel.militia"} for n in range(units)]
    return {"id": f"g{number}", "name": "Band", "units": own, "where": where}


def near(number: int) -> list[Raw]:
    return [{"areas_of": [f"g{number}"], "most": 2}]


def bands(*formations: Raw) -> Callable[[Raw], object]:
    return lambda raw: raw["forces"][0].update(formations=list(formations))


# -- areas that are described by one another -------------------------------------------------------------------------


def test_a_long_row_of_areas_is_resolved(raid: Scenario) -> None:
    row = [formation(n, distances=near(n + 1)) for n in range(2000)]
    long = changed(raid, bands(*row, formation(2000, hexes=["U9"])))
    assert set(long.area("g0")) > set(long.area("g1999"))
    assert len(long.area("g1999")) == 19
    assert "scenario.circle" not in {one.rule for one in long.check()}


def test_a_long_circle_of_areas_is_told_in_bounds(raid: Scenario) -> None:
    many = 2000
    round_ = changed(raid, bands(*(formation(n, distances=near((n + 1) % many)) for n in range(many))))
    with pytest.raises(ScenarioRuleError, match=r"is a circle; describe one") as refused:
        round_.area("g7")
    assert len(str(refused.value)) < 300
    assert round_.check().errors


def test_units_that_are_described_by_one_another_in_a_row(raid: Scenario) -> None:
    def row(raw: Raw) -> None:
        raw["forces"][0]["formations"][0]["units"] = [
            {
                "id": f"u{n}",
                "type": "rebel.militia",
                "where": {"distances": [{"units": [f"u{(n + 1) % 300}"], "least": 1}]},
            }
            for n in range(300)
        ]

    found = changed(raid, row).check()
    assert "scenario.unit_quantity" in {one.rule for one in found}


def test_a_long_row_of_carriers_is_walked_once(raid: Scenario) -> None:
    def row(raw: Raw) -> None:
        raw["forces"][0]["formations"][0]["units"] = [
            {"id": f"u{n}", "type": "rebel.militia", "carried_by": f"u{n + 1}"} for n in range(3000)
        ] + [{"id": "u3000", "type": "rebel.militia", "at": "U9"}]

    from studio.rules.areas import ScenarioAreas

    long = changed(raid, row)
    placed = ScenarioAreas(long.document, long.map.survey, long.ruleset).placed
    assert len(placed) == 3001
    assert set(placed.values()) == {(long.map.labels.cell("U9"),)}


def test_areas_of_areas_without_units_do_not_move_with_units(raid: Scenario) -> None:
    from studio.rules.areas import ScenarioAreas

    three = changed(
        raid,
        bands(
            formation(0, distances=near(1)),
            formation(1, distances=near(2)),
            formation(2, distances=[{"units": ["isil"], "least": 3}]),
            formation(3, distances=near(4)),
            formation(4, hexes=["U9"]),
        ),
    )
    areas = ScenarioAreas(three.document, three.map.survey, three.ruleset)
    moving = [areas.moves(one.where) for one in three.document.forces[0].formations]
    assert moving == [True, True, True, False, False]


# -- groups that choose together -------------------------------------------------------------------------------------


def edges(number: int, **where: Any) -> Raw:
    return formation(number, 1, edges=["north", "south"], **where)


def test_a_thousand_groups_choose_their_edges(raid: Scenario) -> None:
    row = changed(raid, bands(*(edges(n, same_edge_as=[f"g{(n + 1) % 1000}"]) for n in range(1000))))
    assert row.random_set_up(1).possible in (True, False, None)


def test_groups_that_cannot_agree_do_not_take_for_ever(raid: Scenario) -> None:
    free = [edges(n, same="edge") for n in range(1, 31)]
    torn = edges(31, same_edge_as=["g1"], other_edge_than=["g1"])
    begin = time.process_time()
    answer = changed(raid, bands(*free, torn)).set_up_answer()
    assert answer.possible is not True
    assert time.process_time() - begin < 60


# -- any calls in any order ------------------------------------------------------------------------------------------

PLACES = st.sampled_from(["U9", "V9", "T9", "A1", "Q3", "ZZ9", ""])
NAMES = st.sampled_from(["a", "b", "rebel", "isil", "rebels", "saleh", "Ä ö", "", "rebel-militia-1", "rebel-militia-3"])
LISTS = st.sampled_from(["events", "clauses", "support", "cup", "pools", "tables", "periods", "variants", "errata"])
TEXTS = st.sampled_from(["", "<b>&", "\u202e", "0D0", "x" * 200, "\t"])


class Storm(RuleBasedStateMachine):
    """Whatever is called, a refusal changes nothing, the text reads back, and every step goes back byte for byte."""

    def __init__(self) -> None:
        super().__init__()
        self.raid = opened()
        self.texts = [write_scenario_text(self.raid.model)]
        self.at = 0

    def call(self, ask: Callable[[], object]) -> None:
        before, steps = write_scenario_text(self.raid.model), len(self.raid.history)
        try:
            ask()
        except StudioError as error:
            assert str(error)
            assert write_scenario_text(self.raid.model) == before
            assert len(self.raid.history) == steps
            return
        for _ in range(len(self.raid.history) - steps):
            self.at += 1
            del self.texts[self.at :]
            self.texts.append(write_scenario_text(self.raid.model))

    @rule(name=NAMES)
    def add_force(self, name: str) -> None:
        self.call(lambda: self.raid.add_force(name or "Force", force_id=name))

    @rule(name=NAMES, force=NAMES, turn=st.integers(-1, 20))
    def add_formation(self, name: str, force: str, turn: int) -> None:
        self.call(lambda: self.raid.add_formation(force, name or "Band", arrival_turn=turn))

    @rule(name=NAMES, kind=st.sampled_from(["rebel.militia", "isil.x", ""]), at=PLACES, count=st.integers(-2, 1001))
    def place(self, name: str, kind: str, at: str, count: int) -> None:
        self.call(lambda: self.raid.place(kind, at, formation=name, count=count, anyway=True))

    @rule(name=NAMES, at=PLACES)
    def move(self, name: str, at: str) -> None:
        self.call(lambda: self.raid.move(name, at))

    @rule(name=NAMES, what=st.sampled_from(["remove", "remove_force", "remove_formation"]))
    def remove(self, name: str, what: str) -> None:
        self.call(lambda: getattr(self.raid, what)(name))

    @rule(name=NAMES, at=PLACES, within=st.integers(-1, 3))
    def area(self, name: str, at: str, within: int) -> None:
        self.call(lambda: self.raid.set_up_area(name, [at], within=within))

    @rule(where=LISTS, name=NAMES, text=TEXTS)
    def add_record(self, where: str, name: str, text: str) -> None:
        fields: Raw = {"id": name, "text": text}
        fields |= {"name": "N"} if where in {"events", "pools", "tables", "periods", "variants"} else {}
        own: dict[str, Raw] = {
            "clauses": {"kind": "turn", "count": 3},
            "tables": {"dice": text},
            "cup": {"type": "x"},
            "support": {"kind": "smoke"},
            "periods": {"first_turn": 1, "last_turn": 2},
        }
        fields |= own.get(where, {})
        self.call(lambda: self.raid.add_record(where, fields))

    @rule(where=LISTS, name=NAMES, text=TEXTS)
    def change_record(self, where: str, name: str, text: str) -> None:
        self.call(lambda: self.raid.change_record(where, name, text=text))

    @rule(where=LISTS, name=NAMES)
    def remove_record(self, where: str, name: str) -> None:
        self.call(lambda: self.raid.remove_record(where, name))

    @rule(name=NAMES, like=st.sampled_from(["", "rebel.militia", "a"]), points=st.integers(-1, 9))
    def add_kind(self, name: str, like: str, points: int) -> None:
        self.call(lambda: self.raid.add_kind(name, "Kind", like=like, points=points))

    @rule(turns=st.integers(1, 4))
    def undo(self, turns: int) -> None:
        for _ in range(turns):
            if self.at:
                assert self.raid.undo() is not None
                self.at -= 1
            assert write_scenario_text(self.raid.model) == self.texts[self.at]

    @rule(turns=st.integers(1, 4))
    def redo(self, turns: int) -> None:
        for _ in range(turns):
            if self.at + 1 < len(self.texts):
                assert self.raid.redo() is not None
                self.at += 1
            assert write_scenario_text(self.raid.model) == self.texts[self.at]

    @invariant()
    def reads_back(self) -> None:
        text = write_scenario_text(self.raid.model)
        again = load_scenario(text, name="storm").model
        assert write_scenario_text(again) == text
        assert again.to_document() == self.raid.document

    def teardown(self) -> None:
        while self.at:
            self.raid.undo()
            self.at -= 1
            assert write_scenario_text(self.raid.model) == self.texts[self.at]
        self.raid.check()


TestStorm = Storm.TestCase
TestStorm.settings = settings(max_examples=15, stateful_step_count=25)


# -- what no scenario can hold ---------------------------------------------------------------------------------------


def nested(deep: int) -> Raw:
    found: Raw = {}
    for _ in range(deep):
        found = {"also": [found]}
    return found


REFUSED: dict[str, Callable[[Scenario], object]] = {
    "half a character": lambda s: s.add_record("events", name="\ud800"),
    "half a character in a field": lambda s: s.change_force("rebel", notes="a\udfffb"),
    "half a character in a variant": lambda s: s.add_record(
        "variants", name="V", changes=[{"op": "set", "field": "title", "value": "\ud800"}]
    ),
    "a bottomless area": lambda s: s.change_formation("rebels", leaves=nested(10_000)),
    "a bottomless variant": lambda s: s.add_record(
        "variants", name="V", changes=[{"op": "set", "field": "leaves", "value": nested(10_000)}]
    ),
    "an object": lambda s: s.add_record("events", name=object()),
    "a list that is none": lambda s: s.add_record([], {}),  # type: ignore[arg-type]
    "figures without names": lambda s: s.add_kind("k", "Kind", figures=[1]),
    "a table called None": lambda s: s.roll(None, 1),  # type: ignore[arg-type]
    "a variant called 5": lambda s: s.variant(5),  # type: ignore[arg-type]
    "a folder that is not there": lambda s: s.brief("nowhere/raid.html", pictures=False),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_and_changes_nothing(raid: Scenario, what: str) -> None:
    before = write_scenario_text(raid.model)
    with pytest.raises(StudioError) as refused:
        REFUSED[what](raid)
    assert 0 < len(str(refused.value)) < 1000
    assert write_scenario_text(raid.model) == before

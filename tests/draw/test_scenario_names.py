"""Names of areas and entries: whole, apart, off counters and flags; flags of what objectives are about; smoke."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.draw.counters import spot_of
from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.scenario_marks import ScenarioMarks, areas_of
from studio.draw.scenario_names import WORDS, NameRoom, Words, words_of
from studio.draw.scenario_picture import scenario_entries, stacks_of
from studio.draw.sites import sites_of
from studio.model import MapUse
from studio.rules.standing import PlayGround

ROOT = Path(__file__).parents[2]
Box = tuple[float, float, float, float]


@pytest.fixture
def raid() -> Any:
    return studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False)


def drawn(scenario: Any, hex_px: float = 40) -> ScenarioMarks:
    """Draw a scenario's marks on bare axes and return them, with all names placed."""
    sites = sites_of(scenario.map)
    picture = Picture(subject_of(scenario.map), style_of(scenario.map, None), hex_px=hex_px, sites=sites)
    ground = PlayGround(sites.survey, scenario.document.map)
    marks = ScenarioMarks(picture, scenario.document, sites.survey, ground)
    areas = areas_of(scenario.document, ground)
    marks.areas(areas)
    marks.entries(areas)
    marks.objectives(scenario.document.objectives)
    marks.names([spot_of(sites, number) for number in stacks_of(scenario.document, sites)])
    return marks


def kept(room: NameRoom, weight: float) -> list[Box]:
    return [box for box, known in zip(room._boxes, room._weights, strict=True) if known == weight]


def overlap(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def whole(room: NameRoom, box: Box) -> bool:
    x0, y0, x1, y1 = room.picture.extent
    return bool(box[0] >= x0 and box[1] >= y0 and box[2] <= x1 and box[3] <= y1)


@pytest.mark.parametrize("name", ["armageddon-01", "armageddon-07", "armageddon-13", "tactics-05", "ignorant-armies"])
def test_names_are_whole_and_apart(name: str) -> None:
    scenario = studio.open_scenario(ROOT / "scenarios" / f"{name}.scenario.json", recover_unsaved=False)
    room = drawn(scenario).room
    names = kept(room, WORDS)
    assert names
    assert all(whole(room, box) for box in names)
    assert not any(overlap(a, b) for a, b in combinations(names, 2))


def test_a_name_leaves_counters_to_be_seen(raid: Any) -> None:
    raid.set_up_area("rebels", ["U9", "V9", "U10"], within=0)
    before = kept(drawn(raid).room, WORDS)[0]
    raid.place("rebel.militia", "U9", formation="rebels")
    raid.place("rebel.militia", "U10", formation="rebels")
    sites = sites_of(raid.map)
    spots = [spot_of(sites, number) for number in stacks_of(raid.document, sites)]
    unit = raid.map.grid.hex_height
    counters = [
        (s.x - s.size * unit / 2, s.y - s.size * unit / 2, s.x + s.size * unit / 2, s.y + s.size * unit / 2)
        for s in spots
    ]
    assert any(overlap(before, box) for box in counters)
    after = kept(drawn(raid).room, WORDS)[0]
    assert not any(overlap(after, box) for box in counters)


def test_formations_of_one_area_or_entry_share_a_name(raid: Any) -> None:
    alone = drawn(raid)
    raid.add_formation("isil", "Second wave", formation_id="second", arrival="enter", arrival_turn=4)
    raid.set_up_area("second", ["W1", "X0", "Y1", "Z0", "AA1"], edges=["north"])
    raid.add_formation("rebel", "Cousins", formation_id="cousins")
    raid.set_up_area("cousins", "U9", within=2)
    shared = drawn(raid)
    assert [len(kept(marks.room, WORDS)) for marks in (alone, shared)] == [2, 2]
    arrows = [sum(weight == 1.5 for weight in marks.room._weights) for marks in (alone, shared)]
    assert arrows[0] == arrows[1] == len(raid.area("second"))


def test_arrows_are_whole_in_half_hexes_of_the_edge(raid: Any) -> None:
    marks = drawn(raid)
    arrows = kept(marks.room, 1.5)
    assert arrows
    assert all(whole(marks.room, box) for box in arrows)


def test_an_entry_at_the_edge_of_play_points_into_play(raid: Any) -> None:
    marks = drawn(raid)
    cell = raid.map.labels.cell("Q8")  # play begins with column Q
    assert marks._way_in(cell, ())[0] > 0.8
    assert raid.document.map == MapUse(file=raid.document.map.file, first_column="Q")


def test_flags_fly_where_an_objective_says_and_show_points_if_there_are_any(raid: Any) -> None:
    from studio.draw.scenario_marks import points_text

    marks = drawn(raid)
    village = raid.add_objective("rebel", 0, "hold", where={"hexes": ["U9"], "within": 1, "terrain": ["light_urban"]})
    found = {one.id: one for one in raid.document.objectives}
    numbers = marks._aimed_at(found[village])
    labels = {raid.map.survey.directory.label(number) for number in numbers}
    assert labels == {
        label
        for label in raid.map.locations.index
        if raid.map.locations.terrain[label] == "light_urban" and raid.map.distance("U9", label) <= 1
    }
    assert marks._aimed_at(found["isil-eliminate"]) == []
    assert [points_text(points) for points in (0, 2, -3)] == ["", "2", "−3"]
    words = [
        entry.word for entry in scenario_entries(raid.document, units=True, areas=True, objectives=True, notes=True)
    ]
    assert "objective, with its points" in words


def test_smoke_of_the_scenario_is_drawn(raid: Any) -> None:
    def image() -> np.ndarray:
        figure = raid.plot(hex_px=20, key=False, areas=False, objectives=False).figure
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(int)

    before = image()
    raid.set_details(special={"smoke": ["T12"]})
    after = image()
    rows, columns = np.nonzero((before != after).any(axis=2))
    assert len(rows)
    assert np.ptp(rows) <= 22
    assert np.ptp(columns) <= 26


def test_long_names_are_broken_and_many_are_counted(raid: Any) -> None:
    picture = Picture(subject_of(raid.map), style_of(raid.map, None), hex_px=40)
    assert words_of(picture, ["Saleh"]).lines == ("Saleh",)
    assert words_of(picture, ["The wave of Saleh: activation 4"]).lines == (
        "The wave of Saleh:",
        "activation 4",
    )
    many = words_of(picture, [f"Company {n}" for n in range(9)]).lines
    assert many[-1] == "and 4 more"
    assert len(many) == 6
    tiny = Picture(subject_of(raid.map), style_of(raid.map, None), hex_px=16)
    assert words_of(tiny, ["Saleh"]).size * 16 / tiny.subject.grid.hex_height >= 8


_PLAIN = studio.new_map("armageddon_war", columns=12, rows=9)
_PICTURE = Picture(subject_of(_PLAIN), style_of(_PLAIN, None), hex_px=30)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 107), st.integers(1, 12)), min_size=1, max_size=8),
    st.lists(st.integers(0, 107), max_size=6),
)
def test_every_name_is_within_the_picture_and_the_best_of_its_tries(
    names: list[tuple[int, int]], counters: list[int]
) -> None:
    room, grid = NameRoom(_PICTURE), _PLAIN.grid
    unit = grid.hex_height
    for cell in counters:
        room.keep(np.asarray(grid.to_map(*grid.centre(cell))), 0.68 * unit, 0.68 * unit, 3.0)
    for cell, letters in names:
        words = Words(("x" * letters,), 0.26 * unit, 0.16 * letters * unit, 0.3 * unit)
        spots = np.asarray([grid.to_map(*grid.centre(cell))])
        clear = room.hidden(spots + np.array([0.0, -0.3]) * unit, words.wide, words.high)[0] == 0
        at = room.in_area(words, spots)
        box = (at[0] - words.wide / 2, at[1] - words.high / 2, at[0] + words.wide / 2, at[1] + words.high / 2)
        assert whole(room, box)
        if clear:
            others = [one for one in room._boxes[:-1] if overlap(one, box) > 0.5 * words.wide * words.high]
            assert not others

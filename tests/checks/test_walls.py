"""Continuous lines: on their border they close it; beside it they are found, and laid onto it where that is plain."""

import pytest

import studio
from studio.api import Map
from studio.model import Point
from tests.checks.makers import SOURCES, rectangle


def zones() -> Map:
    """Return two zones with a border from (1440, 0) to (1440, 1440), and a street below."""
    made = studio.new_map("phantom_fury", 6, 6)
    made.add("area", id="a", type="zone", name="1", outline=rectangle(0, 0, 1440, 1440))
    made.add("area", id="b", type="zone", name="2", outline=rectangle(1440, 0, 2880, 1440))
    made.add("area", id="s", type="street", name="S", outline=rectangle(0, 1440, 2880, 1680))
    made.set("sources", SOURCES)
    return made


def said(map_: Map) -> list[tuple[str, str, Point | None]]:
    return [(one.rule, one.at, one.point) for one in map_.check() if one.rule.startswith("map.wall_")]


def kinds(map_: Map) -> str:
    sides = map_.sides
    return str(sides[(sides.a == "1") & (sides.b == "2")].kinds.item())


@pytest.mark.parametrize(
    "line",
    [
        ((1444, 0), (1444, 1440)),
        ((1416, 0), (1416, 1440)),
        ((1430, 0), (1450, 1440)),
        ((1450, 1440), (1430, 0)),
        ((1444, 0), (1436, 700), (1444, 1440)),
        ((1445, 12), (1445, 1428)),
    ],
)
def test_a_line_beside_its_border_is_laid_onto_it(line: tuple[Point, ...]) -> None:
    map_ = zones()
    map_.add("wall", id="w", type="solid", line=line)
    assert (kinds(map_), said(map_)) == ("dashed", [("map.wall_border", "w", line[0])])
    assert "closes no border" in str(map_.check())
    assert [one.rule for one in map_.repair()] == ["map.wall_border"]
    ends = map_.features["w"].line[0], map_.features["w"].line[-1]  # type: ignore[union-attr]
    assert set(ends) == {(1440, 0), (1440, 1440)}
    assert (ends[0][1] < ends[1][1]) == (line[0][1] < line[-1][1])
    assert (kinds(map_), said(map_)) == ("solid", [])


@pytest.mark.parametrize(
    "line",
    [
        ((1480, 0), (1480, 1440)),
        ((1300, 0), (1600, 1440)),
        ((700, 0), (700, 1440)),
        ((1444, 300), (1444, 900)),
        ((700, 300), (1400, 300), (1440, 1440)),
    ],
)
def test_a_line_far_from_every_border_is_found_and_left(line: tuple[Point, ...]) -> None:
    map_ = zones()
    map_.add("wall", id="w", type="solid", line=line)
    assert said(map_) == [("map.wall_border", "w", line[0])]
    assert map_.repair("map.wall_border") == []


def test_a_line_that_closes_a_part_of_a_border_is_a_warning() -> None:
    map_ = zones()
    map_.add("wall", id="w", type="solid", line=[[1440, 0], [1440, 700]])
    assert said(map_) == [("map.wall_part", "w", (1440, 700))]
    assert not map_.check().errors
    map_.add("wall", id="v", type="solid", line=[[1440, 700], [1440, 1440]])
    assert said(map_) == []
    map_.remove("v")
    map_.add("wall", id="w", type="solid", line=[[1440, 0], [1440, 1600]])
    assert said(map_) == [("map.wall_part", "w", (1440, 1440))]


def test_along_an_outline_and_around_a_corner_a_line_is_sound() -> None:
    map_ = zones()
    map_.add("wall", id="w", type="solid", line=[[0, 0], [1440, 0], [1440, 1440], [2880, 1440]])
    assert said(map_) == []


OWN = """
id = "keeps"
title = "Keeps"
levels = [0, 2]
orientation = "flat"
features = ["area", "wall"]

[terrain.clear]
name = "Clear"
char = "."
[areas.ward]
name = "Ward"
location = true
[walls.rampart]
name = "Rampart"
closes = true
[walls.hedge]
name = "Hedge"
"""


def test_any_game_whose_walls_close_has_the_check(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "keeps.ruleset.toml"
    file.write_text(OWN, encoding="utf-8")
    map_ = studio.new_map(studio.load_ruleset(file), 6, 6)
    map_.set("sources", SOURCES)
    map_.add("area", id="a", type="ward", outline=rectangle(0, 0, 1440, 1440))
    map_.add("area", id="b", type="ward", outline=rectangle(1440, 0, 2880, 1440))
    map_.add("wall", id="h", type="hedge", line=[[300, 60], [300, 100]])
    map_.add("wall", id="parting", type="rampart", line=[[300, 480], [700, 480]])  # between the dots of two hexes
    assert said(map_) == []
    map_.add("wall", id="w", type="rampart", line=[[1000, 60], [1060, 80]])
    assert said(map_) == [("map.wall_border", "w", (1000, 60))]

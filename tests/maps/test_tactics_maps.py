"""Maps 1 to 4 of Modern Tactics: Afghanistan are reconstructions: they have to obey every fact that the text gives."""

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

import studio
from studio.model import Area, Road
from tests.maps.reading import Map, cells
from tests.maps.tactics_facts import FACTS, NAMED

ROOT = Path(__file__).parents[2]
NUMBERS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def maps() -> dict[int, Map]:
    return {n: studio.open_map(ROOT / "maps" / f"tactics-{n}.map.json", recover_unsaved=False) for n in NUMBERS}


@pytest.mark.parametrize("number", NUMBERS)
def test_every_hex_that_the_text_names_is_on_the_map(maps: dict[int, Map], number: int) -> None:
    for label in NAMED[number].split():
        assert maps[number].labels.find(label) is not None, label


@pytest.mark.parametrize(
    ("number", "last", "low", "high"), [(1, "GG", 19, 18), (2, "GG", 19, 18), (3, "O", 9, 8), (4, "O", 9, 8)]
)
def test_size_and_labels(maps: dict[int, Map], number: int, last: str, low: int, high: int) -> None:
    """Maps 1 and 2 are large, 3 and 4 small; even columns begin with row 0; only whole hexes are in play (3.1)."""
    m = maps[number]
    columns = m.labels.tables()["columns"]
    assert (columns[0], columns[-1]) == ("A", last)
    for place, column in enumerate(columns):
        first, end = (0, high) if place & 1 else (1, low)
        assert m.labels.find(f"{column}{first - 1}") is None
        assert m.labels.find(f"{column}{end + 1}") is None
        assert m.labels.find(f"{column}{first}") is not None
        assert m.labels.find(f"{column}{end}") is not None
    assert not any(m.grid.is_half(cell) for cell in range(m.grid.cells))


@pytest.mark.parametrize("number", NUMBERS)
def test_terrain_is_that_of_the_playbook(maps: dict[int, Map], number: int) -> None:
    """Playbook 1 lists no mixed woods."""
    m = maps[number]
    used = {m.model.terrain_at(cell) for cell in range(m.grid.cells) if m.grid.has(cell)}
    assert "mixed_woods" not in used
    assert {"open", "structure", "farm", "crops", "marijuana_fields", "grape_fields", "wadi", "bridge"} <= used


@pytest.mark.parametrize("number", NUMBERS)
def test_surfaces_of_roads(maps: dict[int, Map], number: int) -> None:
    """Playbook 1: all roads of map 4 are paved, on map 1 the straight line from A17 to GG1, no others."""
    m = maps[number]
    paved = [road for road in m.survey.features_of(Road) if road.surface == "paved"]
    if number == 4:
        assert len(paved) == len(m.survey.features_of(Road)) > 0
    elif number == 1:
        (line,) = paved
        path = cells(m, " ".join(line.path))
        assert (line.path[0], line.path[-1], len(path)) == ("A17", "GG1", 33)
        assert m.grid.distance(path[0], path[-1]) == 32
        centres = [m.grid.centre(cell) for cell in path]
        steps = {(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in itertools.pairwise(centres)}
        assert len(steps) == 1
    else:
        assert not paved


def test_the_large_maps_have_roads_beside_structures_and_buildings_of_many_kinds(maps: dict[int, Map]) -> None:
    for number in (1, 2):
        m = maps[number]
        assert any(place.kind == "road" for place in m.survey.directory.others)
        assert any(road.line for road in m.survey.features_of(Road))
        found = [area for area in m.survey.features_of(Area) if area.type == "structure"]
        assert any(len(m.survey.area_cells(area.id)) >= 3 for area in found)
        assert {area.level for area in found} == {0, 1}
        assert {kind for kinds in m.model.sides.values() for kind in kinds} == {"low_wall", "hedge"}


@pytest.mark.parametrize("number", NUMBERS)
def test_it_checks_clean_and_is_written_as_the_studio_writes(maps: dict[int, Map], number: int) -> None:
    m = maps[number]
    assert m.check() == []
    path = ROOT / "maps" / f"tactics-{number}.map.json"
    assert path.read_text(encoding="utf-8") == m.to_text()
    assert path.stat().st_size < 1_400_000
    assert "reconstruction" in m.model.notes
    assert "rulebook" in m.model.sources[0].title


@pytest.mark.parametrize(
    ("number", "section", "what", "holds"), FACTS, ids=[f"map {f[0]}, {f[1]}: {f[2]}" for f in FACTS]
)
def test_facts(maps: dict[int, Map], number: int, section: str, what: str, holds: Callable[[Map], bool]) -> None:
    assert holds(maps[number]), f"{section}: {what}"

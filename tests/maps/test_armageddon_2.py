"""Map 2 of Armageddon War is a reconstruction: it has to obey every fact that the rulebook gives about the print."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import studio
from studio.model import Crest
from tests.maps.reading import Map, adjacent, at, cells, edge_roads, joined, on_road

ROOT = Path(__file__).parents[2]
PATH = ROOT / "maps" / "armageddon-2.map.json"


@pytest.fixture(scope="module")
def printed() -> Map:
    return studio.open_map(PATH, recover_unsaved=False)


# -- what a fact is checked with ---------------------------------------------------------------------------------------

OTHER_CREST = "A4 B3 C3 D2 E2 F1 G1"


def terrain(m: Map, label: str) -> str:
    return m.model.terrain_at(m.labels.cell(label))


def urban(m: Map, text: str) -> bool:
    return all("urban" in terrain(m, label) for label in text.split())


def central(m: Map) -> list[int]:
    """Return the hexes of the crest line that runs from the north to the south edge."""
    (line,) = [crest for crest in m.survey.features_of(Crest) if crest.path[0] != "A4"]
    return cells(m, " ".join(line.path))


def sides_of_the_crest(m: Map) -> tuple[list[int], list[int]]:
    """Return the hexes west and those east of the central crest line."""
    crest = central(m)
    seen = {0}
    queue = [0]
    while queue:
        for other in m.grid.neighbours(queue.pop()):
            if other not in seen and other not in crest:
                seen.add(other)
                queue.append(other)
    rest = [cell for cell in range(m.grid.cells) if m.grid.has(cell) and cell not in seen and cell not in crest]
    return sorted(seen), rest


def from_crest(m: Map) -> dict[int, int]:
    near = np.min([m.grid.distances(cell) for cell in central(m)], axis=0)
    return dict(enumerate(near.tolist()))


def camp(m: Map) -> set[int]:
    """Return the hexes that the fence encloses: those that cannot be left without crossing it, but for its gate."""
    start = m.labels.cell("H12")
    seen, queue = {start}, [start]
    gates = {frozenset(cells(m, "K12 L11"))}
    while queue:
        cell = queue.pop()
        for other in m.grid.neighbours(cell):
            fenced = "fence" in m.survey.side_kinds(cell, other) or frozenset((cell, other)) in gates
            if other not in seen and not fenced:
                seen.add(other)
                queue.append(other)
    return seen


def of_terrain(m: Map, among: set[int], kind: str) -> list[int]:
    return [cell for cell in among if m.model.terrain_at(cell) == kind]


def east_of_the_crest(m: Map, text: str) -> bool:
    return set(cells(m, text)) <= set(sides_of_the_crest(m)[1])


def west_of_the_crest(m: Map, text: str) -> bool:
    return set(cells(m, text)) <= set(sides_of_the_crest(m)[0])


# -- the facts ---------------------------------------------------------------------------------------------------------

NAMED = "A4 G1 X3 Z1 Z7 X14 Y15 AA4 X12 V11 X1 O6 I12 H12 J13 E10 M7 N8 W11 Y9 Z9 X13 Y7 U1 T6 Y2 X2 Z3 Y16 O10 P10"

FACTS: list[tuple[str, str, Callable[[Map], bool]]] = [
    (
        "3.0",
        "tents of the military base count as refugee camp",
        lambda m: len(of_terrain(m, camp(m), "refugee_camp")) > 0,
    ),
    (
        "3.0",
        "a crest line runs from A4 to G1",
        lambda m: adjacent(m, OTHER_CREST) and all(m.survey.crests.ravel()[cells(m, OTHER_CREST)]),
    ),
    (
        "4.14",
        "from P11 O10 and N8 are seen past the crest of P10",
        lambda m: (
            m.labels.cell("P10") in central(m)
            and m.sight("P11", "O10").status == m.sight("P11", "N8").status == "clear"
        ),
    ),
    (
        "7.1",
        "the base lies in the west, the city in the east",
        lambda m: camp(m) <= set(sides_of_the_crest(m)[0]) and east_of_the_crest(m, "X3 Z1 Z7"),
    ),
    (
        "7.1, scenarios 12 to 14",
        "a crest line divides the map from the north to the south edge",
        lambda m: (
            at(m, m.labels.label(central(m)[0]), "north")
            and at(m, m.labels.label(central(m)[-1]), "south")
            and sum(map(len, sides_of_the_crest(m))) + len(central(m)) == len(m.labels.all())
        ),
    ),
    ("scenario 2", "mosques and hospital are urban", lambda m: urban(m, "X3 Z1 Z7")),
    (
        "scenario 2",
        "column O lies west of the crest, so that a force between it and the crest is hidden",
        lambda m: all(
            not m.labels.label(c).startswith("O") or c in sides_of_the_crest(m)[0]
            for c in range(m.grid.cells)
            if m.grid.has(c)
        ),
    ),
    (
        "scenario 2",
        "eight moves take the three civilians off the map",
        lambda m: sum(steps_off(m, label) for label in ("X3", "Z1", "Z7")) == 8,
    ),
    (
        "scenario 4",
        "limousines reach a road from X14, which has none, and the north edge on it by X1",
        lambda m: (
            not m.survey.has_road(m.labels.cell("X14"))
            and any(m.survey.has_road(c) for c in m.grid.neighbours(m.labels.cell("X14")))
            and joined(m, "X0 X1")
            and edge_roads(m, "north")[-1] == "X0"
        ),
    ),
    (
        "scenario 4",
        "there are road hexes two and more north of X12",
        lambda m: on_road(m, "X10 X9 X8") and on_road(m, "X12"),
    ),
    (
        "scenario 4",
        "light urban hexes lie north-east of X14",
        lambda m: terrain(m, "Y14") == terrain(m, "Z13") == "light_urban",
    ),
    (
        "scenarios 4, 14",
        "units enter by AA4 and by Y16, on roads",
        lambda m: edge_roads(m, "east") == ["AA4"] and on_road(m, "AA4 Y16"),
    ),
    ("scenario 6", "one road leaves by the south edge", lambda m: edge_roads(m, "south") == ["Y16"]),
    ("scenario 6", "the base holds four formations", lambda m: len(camp(m)) * 2 >= 18),
    (
        "scenario 10",
        "fourteen hexes of the base have buildings",
        lambda m: len([c for c in camp(m) if "urban" in m.model.terrain_at(c)]) == 14,
    ),
    (
        "scenario 10",
        "O6 and the hexes around it lie outside, west of the crest",
        lambda m: all(
            c not in camp(m) and c not in sides_of_the_crest(m)[1] for c in m.grid.within(m.labels.cell("O6"), 1)
        ),
    ),
    ("scenario 11", "the Russians start inside the base", lambda m: set(cells(m, "I12 H12 J13 E10")) <= camp(m)),
    (
        "scenario 11",
        "eight militia find light urban hexes inside the fence without Russians",
        lambda m: len(set(of_terrain(m, camp(m), "light_urban")) - set(cells(m, "I12 H12 J13 E10"))) * 2 >= 8,
    ),
    (
        "scenario 11",
        "M7 and N8 lie between the base and the crest",
        lambda m: west_of_the_crest(m, "M7 N8") and not set(cells(m, "M7 N8")) & camp(m),
    ),
    (
        "scenario 12",
        "urban hexes count in columns X to AA and west of them",
        lambda m: all(
            any(urban(m, label) for label in m.labels.all() if label.rstrip("0123456789") == column)
            for column in ("AA", "Z", "Y", "X", "W")
        ),
    ),
    (
        "scenario 13",
        "the defenders of the city stand in urban hexes",
        lambda m: urban(m, "W11 Y9 Z9 X13 Y7 Z7 Z1 X3 U1 T6 Y2 X2"),
    ),
    (
        "scenario 13",
        "both sides enter east of the crest",
        lambda m: east_of_the_crest(m, "Y16 U1 X0") and at(m, "Y16", "south"),
    ),
    (
        "scenario 14",
        "vehicles find roads in the urban hexes around Z3",
        lambda m: sum(m.survey.has_road(c) for c in m.grid.within(m.labels.cell("Z3"), 1)) >= 3,
    ),
]


def steps_off(m: Map, label: str) -> int:
    """Return how many moves of a hex take a unit off the map."""
    cell = m.labels.cell(label)
    edge = [c for c in range(m.grid.cells) if m.grid.has(c) and len(m.grid.neighbours(c)) < 6]
    return min(m.grid.distance(cell, c) for c in edge) + 1


@pytest.mark.parametrize("label", NAMED.split())
def test_every_hex_that_the_text_names_is_on_the_map(printed: Map, label: str) -> None:
    assert printed.labels.find(label) is not None


def test_columns_run_from_a_to_aa_and_half_hexes_lie_between_the_whole_ones(printed: Map) -> None:
    """The map is as large as map 1; half hexes are playable (3.0)."""
    m = printed
    columns = m.labels.tables()["columns"]
    assert (columns[0], columns[-1], len(columns)) == ("A", "AA", 27)
    for half in ("X0", "Z0"):
        assert m.grid.is_half(m.labels.cell(half))
    assert not any(m.grid.is_half(cell) for cell in cells(m, "W1 X1 Y1 Z1 AA4 X15"))
    assert adjacent(m, "W1 X0 Y1 Z0 AA1")


@pytest.mark.parametrize(("section", "what", "holds"), FACTS, ids=[f"{f[0]}: {f[1]}" for f in FACTS])
def test_facts(printed: Map, section: str, what: str, holds: Callable[[Map], bool]) -> None:
    assert holds(printed), f"{section}: {what}"


def test_the_crest_hides_the_two_sides_from_each_other(printed: Map) -> None:
    """Scenario 12: from two hexes west of the crest nobody sees four hexes east of it.

    Units on the other crest line stand as high as this one, so of them the statement of the text cannot hold.
    """
    m, far = printed, from_crest(printed)
    west, east = sides_of_the_crest(m)
    table = m.sight_table()
    place = {label: number for number, label in enumerate(table.names)}
    codes = table.to_array()
    above = set(cells(m, OTHER_CREST))
    rows = [place[m.labels.label(cell)] for cell in west if far[cell] >= 2 and cell not in above]
    columns = [place[m.labels.label(cell)] for cell in east if far[cell] >= 4]
    assert len(rows) > 200
    assert len(columns) > 90
    assert (codes[np.ix_(rows, columns)] == 3).all()


def test_a_unit_on_a_crest_sees_both_sides_and_others_do_not_see_across(printed: Map) -> None:
    """3.0 crest: F0 and F4 lie on both sides of the line from A4 to G1."""
    assert printed.sight("F0", "F4").status == "blocked"
    assert printed.sight("F1", "F4").status == "clear"


def test_it_says_that_it_is_a_reconstruction_and_where_its_facts_come_from(printed: Map) -> None:
    assert "reconstruction" in printed.model.notes
    assert "rulebook" in printed.model.sources[0].title


def test_it_checks_clean_and_is_written_as_the_studio_writes(printed: Map) -> None:
    assert printed.check() == []
    assert PATH.read_text(encoding="utf-8") == printed.to_text()

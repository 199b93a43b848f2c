"""Lists of adjacent zones kept by hand: one-way entries, two zones with one name, corners taken for borders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.cli import main
from studio.errors import DocumentError, UnsupportedError
from studio.rules import load_ruleset
from studio.rules.lists import read_lists

SIZE = 4


def plan(map_: Map, *, kind: str, names: list[str] | None = None) -> Map:
    """Draw SIZE x SIZE square zones, row by row."""
    for at in range(SIZE * SIZE):
        row, column = divmod(at, SIZE)
        x, y = 300 * column, 300 * row
        name = names[at] if names else str(at + 1)
        ring = [[x, y], [x + 300, y], [x + 300, y + 300], [x, y + 300]]
        map_.add("area", id=f"z{at + 1}", type=kind, name=name, outline=ring)
    return map_


def district(names: list[str] | None = None) -> Map:
    return plan(studio.new_map("phantom_fury", 4, 4), kind="zone", names=names)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> studio.Ruleset:
    file = tmp_path_factory.mktemp("game") / "mine.ruleset.toml"
    file.write_text(
        'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\nfeatures = ["area", "wall"]\n'
        '[terrain.clear]\nname = "Clear"\nchar = "."\nplayable = false\n'
        '[areas.region]\nname = "Region"\nlocation = true\n'
        '[walls.ridge]\nname = "Ridge"\ncloses = true\n'
    )
    return load_ruleset(file)


def faithful() -> dict[str, set[str]]:
    """Return who is beside whom, from the plan itself."""
    found = {}
    for at in range(SIZE * SIZE):
        row, column = divmod(at, SIZE)
        beside = [(row + dr, column + dc) for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        found[str(at + 1)] = {str(r * SIZE + c + 1) for r, c in beside if 0 <= r < SIZE and 0 <= c < SIZE}
    return found


ZONES = st.integers(1, SIZE * SIZE).map(str)


@settings(max_examples=40, deadline=None)
@given(a=ZONES, b=ZONES, game=st.booleans())
def test_every_wrong_entry_names_both_zones(own: studio.Ruleset, a: str, b: str, game: bool) -> None:
    map_ = district() if game else plan(studio.new_map(own, 4, 4), kind="region")
    lists = faithful()
    assert map_.compare_adjacency({zone: sorted(others) for zone, others in lists.items()}) == []
    if a == b:
        return
    listed = b in lists[a]
    lists[a] ^= {b}
    found = map_.compare_adjacency({zone: sorted(others) for zone, others in lists.items()})
    if listed:
        assert {(one.kind, one.a, one.b) for one in found} == {("not_listed", a, b), ("one_way", b, a)}
    else:
        assert {(one.kind, one.a, one.b) for one in found} == {("not_drawn", a, b), ("one_way", a, b)}
    for one in found:
        assert a in one.text.replace(":", "").split()
        assert b in one.text.replace(":", "").replace(",", "").split()
        assert one.text in str(found)
    corners = abs((int(a) - 1) % SIZE - (int(b) - 1) % SIZE) == abs((int(a) - 1) // SIZE - (int(b) - 1) // SIZE) == 1
    if corners:
        assert any("they meet at a corner only, at " in one.text for one in found)


@settings(max_examples=30, deadline=None)
@given(twice=st.tuples(ZONES, ZONES).filter(lambda pair: pair[0] != pair[1]))
def test_two_zones_with_one_name_stay_two(twice: tuple[str, str]) -> None:
    names = ["Midlands" if str(at + 1) in twice else str(at + 1) for at in range(SIZE * SIZE)]
    map_ = district(names)
    places = map_.locations
    assert len(places) == SIZE * SIZE
    assert places.index.is_unique
    first, second = sorted(twice, key=int)
    assert {"Midlands", f"z{second}"} <= set(places.index)
    # The one that has the name has its own neighbours, not those of the other.
    beside = {name: set(filter(None, places.neighbours[name].split(", "))) for name in places.index}
    label = {str(at + 1): str(at + 1) for at in range(SIZE * SIZE)} | {first: "Midlands", second: f"z{second}"}
    assert beside == {label[zone]: {label[other] for other in others} for zone, others in faithful().items()}
    found = map_.compare_adjacency({"Midlands": sorted(beside["Midlands"])})
    assert [one.kind for one in found] == ["same_name"]
    assert f"2 areas have this name (z{first}, z{second})" in found[0].text


def test_a_closed_border_is_none_in_a_game_of_ones_own(own: studio.Ruleset) -> None:
    map_ = plan(studio.new_map(own, 4, 4), kind="region")
    map_.add("wall", type="ridge", line=[[300, 0], [300, 300]])
    (found,) = map_.compare_adjacency({"1": ["2", "5"]})
    assert found.text == "1: its list has 2, but all of their border is closed (ridge)"
    with pytest.raises(UnsupportedError, match="1: the list says what is neighbouring; this game knows adjacent only"):
        map_.compare_adjacency({"1": {"neighbouring": ["2"]}})
    with pytest.raises(UnsupportedError, match="no area of this map is a location"):
        studio.new_map("armageddon_war", 3, 3).compare_adjacency({"1": ["2"]})


# -- files -----------------------------------------------------------------------------------------------------------


def test_lists_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "lists.csv"
    file.write_text('\ufeffzone,adjacent,neighbouring\n1,2 5,\n2,"1, 3; 6",\n\n6,2 7,11\n', encoding="utf-8")
    lists = read_lists(file)
    assert lists["2"].adjacent == ("1", "3", "6")
    assert (lists["1"].neighbouring, lists["1"].targets) == ((), None)
    found = district().compare_adjacency(file)
    assert [(one.kind, one.relation, one.a, one.b) for one in found] == [
        ("not_listed", "adjacent", "6", "5"),
        ("not_listed", "adjacent", "6", "10"),
        ("not_drawn", "neighbouring", "6", "11"),
    ]
    assert "<td>6</td><td>5</td>" in found._repr_html_()
    assert district().compare_adjacency({})._repr_html_() == "<i>the lists and the map agree</i>"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["line 1", "got the columns nothing", "adjacent, neighbouring, targets"]),
        ("zone,adjacent,near\n1,2,3\n", ["got the columns zone, adjacent, near"]),
        ("zone,adjacent\n1,2\n1,3\n,4\n2,3,4\n", ["line 3", "got 1 again", "line 4", "got no zone", "got 3 cells"]),
        ('zone,adjacent\n"1,2\n', ["is no CSV"]),
    ],
)
def test_a_faulty_file_is_named_with_its_lines(tmp_path: Path, text: str, words: list[str]) -> None:
    file = tmp_path / "lists.csv"
    file.write_text(text)
    with pytest.raises(DocumentError) as caught:
        read_lists(file)
    assert all(word in str(caught.value) for word in words)


def test_lists_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="cannot be read"):
        read_lists(tmp_path / "none.csv")
    with pytest.raises(DocumentError, match="is no file of"):
        read_lists(tmp_path)
    with pytest.raises(DocumentError, match="got 7"):
        read_lists(7)  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match=r"\$\['3'\]: got '2 4'"):
        read_lists({"3": "2 4"})
    with pytest.raises(DocumentError, match="near"):
        read_lists({"3": {"near": ["2"]}})


def test_check_with_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    map_, file = tmp_path / "a.map.json", tmp_path / "lists.csv"
    district().save(map_)
    file.write_text("zone,adjacent\n1,2\n2,1 3 6\n")
    code = main(["check", str(map_), "--lists", str(file), "--json"])
    data = [one for one in json.loads(capsys.readouterr().out)["findings"] if one["rule"] == "map.adjacency_list"]
    assert code == 1
    assert [(one["at"], one["severity"]) for one in data] == [("1 / 5", "error")]
    assert data[0]["message"] == "1 and 5 share a border, but the list of 1 has not 5 [4.1.1]"
    assert data[0]["point"] == [150, 150]
    file.write_text("zone\n")
    code = main(["check", str(map_), "--lists", str(file)])
    assert code == 1
    assert "lists.csv" in capsys.readouterr().out

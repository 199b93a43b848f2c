"""Towns by name, number and degrees, the hexes they are given, and what they become."""

import time
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer

from studio.errors import DocumentError
from studio.exchange.geography.data.sources import Layer
from studio.exchange.geography.naming import alternatives, folded, free_id, slug
from studio.exchange.geography.naming import said as column_text
from studio.exchange.geography.places import gazetteer as gazetteers
from studio.exchange.geography.places.gazetteer import Gazetteer
from studio.exchange.geography.places.towns import MOST_UNLISTED, find_towns, lay_towns
from studio.exchange.geography.spec import DataSource
from studio.model import Marker, Name
from tests.exchange.geography.placed import CRS, cell, entries, paint, said, save, work_of

RULE = {"source": "places", "key": "id", "population": "people", "label": ["city", "town"]}
KINDS = {"terrain": {"city": "city"}, "marker": {"town": "town"}}


def middle(label: str, dx: float = 0, dy: float = 0) -> tuple[float, float]:
    work = work_of(Path("no-such-folder"))
    x, y = work.model.grid.centre(cell(work, label))
    return x + dx, y + dy


def places(folder, *rows) -> None:
    """Write places, each a name, a point, a population and a number."""
    rows = [(*row, *(0, "")[len(row) - 2 :]) for row in rows]
    columns = {"name": [row[0] for row in rows], "people": [row[2] for row in rows], "id": [row[3] for row in rows]}
    save(folder, "places", [shapely.Point(row[1]) for row in rows], columns)


def found(folder, *listed, **rule):
    work = work_of(folder, towns={**RULE, **rule, "listed": [*listed]})
    find_towns(work)
    return work


def hexes(work):
    return {placed.town.name: work.label(placed.cell) for placed in work.towns}


# -- names ---------------------------------------------------------------------------------------------------------


def test_a_town_is_found_by_number_by_name_and_by_a_name_that_is_alike(tmp_path):
    places(
        tmp_path,
        ("Başra", middle("0101"), 900, "1"),
        ("Basra", middle("0202"), 5, "2"),
        ("Ţūz Khūrmātū", middle("0303"), 5, "3"),
        ("Al Muḩammarah (Khorramshahr)", middle("0404"), 5, "4"),
        ("Ağrı", middle("0501"), 5, "5"),
    )
    work = found(
        tmp_path,
        {"name": "Basra"},
        {"name": "Port", "place": "1"},
        {"name": "Tuz", "place": "tuz khurmatu"},
        {"name": "Khorramshahr"},
        {"name": "AGRI"},
    )
    assert hexes(work) == {"Basra": "0202", "Port": "0101", "Tuz": "0303", "Khorramshahr": "0404", "AGRI": "0501"}
    assert [one.text.partition(", found by ")[2] for one in entries(work, "decided", step="towns")] == [
        "a name that differs in marks or capitals",
        "another name",
        "a name that differs in marks or capitals",
    ]
    assert work.towns[0].point == pytest.approx(middle("0202"))


def test_of_several_places_of_one_name_it_is_the_largest(tmp_path):
    twins = [("Amarah", middle("0101"), 10), ("Amarah", middle("0301"), 90), ("Amarah", middle("0501"), None)]
    places(tmp_path, *twins)
    work = found(tmp_path, {"name": "Amarah"})
    assert hexes(work) == {"Amarah": "0301"}
    assert said(work, "the largest of 3 places", "decided").figures == {"people": 90, "second": 10}
    work = found(tmp_path, {"name": "Amarah"}, population="")
    assert hexes(work) == {"Amarah": "0101"} and said(work, "the first of 3 places", "finding")


def test_what_is_in_no_source_is_refused_with_the_nearest_names(tmp_path):
    places(tmp_path, ("Kirkuk", middle("0101")), (None, middle("0301")), (float("nan"), middle("0401")))
    with pytest.raises(DocumentError, match="Kirkuk"):
        found(tmp_path, {"name": "Kirkuck"})
    with pytest.raises(DocumentError, match="no place 'None'"):
        found(tmp_path, {"name": "None"})
    with pytest.raises(DocumentError, match="nothing says where it lies"):
        found(tmp_path, {"name": "Kirkuk"}, source="")


@pytest.mark.parametrize(
    ("town", "rule", "words"),
    [
        ({"name": "K", "rank": "vilage"}, {}, "allowed: city, town"),
        ({"name": "K", "rank": "tonw"}, {}, "did you mean 'town'"),
        ({"name": "K", "rank": "town"}, {"marker": {"twon": "town"}}, "towns.marker names .* 'twon'.*mean 'town'"),
        ({"name": "K"}, {"every": {"town": 5}, "label": ["Town"]}, "towns.label names the rank 'Town'.*mean 'town'"),
        ({"name": " "}, {}, "has no name"),
        ({"name": "K", "at": "9999"}, {}, "no hex of the map"),
        ({"name": "K", "lon": 45.0}, {}, "give both"),
        ({"name": "K", "lon": 45.0, "lat": float("nan")}, {}, "got|give both|Expected"),
        ({"name": "K"}, {"terrain": {"city": "citty"}}, "did you mean 'city'"),
        ({"name": "K"}, {"marker": {"city": "village"}}, "towns.marker.city"),
        ({"name": "K"}, {"place": {"city": "port"}}, "the game has none"),
        ({"name": "K"}, {"every": {"town": 5}, "population": ""}, "needs|population"),
        ({"name": "K"}, {"name": "title"}, "has no column 'title'"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(town, rule, words, tmp_path):
    places(tmp_path, ("K", middle("0101")))
    with pytest.raises((DocumentError, ValueError), match=words):
        found(tmp_path, town, **rule)


@given(st.text(max_size=20))
def test_folded_names_are_alike_whatever_their_capitals(text):
    assert folded(folded(text)) == folded(text) == folded(f" {text}-")
    assert all(one.isalnum() for one in folded(text))
    assert slug(text, "x") == slug(f"-{text} ", "x") and slug(text, "x").isascii()


def test_small_helpers_of_names():
    assert alternatives("") == [] and column_text("\ud800") == "?" and column_text(12) == "12"
    assert free_id({"a"}, "a") == "a-2" and folded("Ölçek Ø") == "olceko"


# -- hexes ---------------------------------------------------------------------------------------------------------


def test_the_hex_of_the_designer_counts_and_how_far_off_it_is_is_told(tmp_path):
    places(tmp_path, *((name, middle("0303", 30, 20)) for name in "ABC"), ("D", middle("0101", -900, -700)))
    towns = [
        {"name": name, "at": at} for name, at in zip("ABCDE", ("0303", "0304", "0605", "0101", "0204"), strict=True)
    ]
    work = found(tmp_path, *towns)
    assert hexes(work) == {"A": "0303", "B": "0304", "C": "0605", "D": "0101", "E": "0204"}
    nudged = {
        one.text[0]: (one.kind, one.figures.get("off")) for one in entries(work, "nudged", "finding", step="towns")
    }
    grid = work.model.grid
    far = grid.distance(cell(work, "0303"), cell(work, "0605"))
    assert nudged["B"] == ("nudged", 1.0) and nudged["C"] == ("finding", far)
    dx, dy = 900 * grid.scale[0], 700 * grid.scale[1]
    assert nudged["D"] == ("finding", round((dx**2 + dy**2) ** 0.5, 3)) and "A" not in nudged
    assert said(work, "E is not in places", "note").at == ("0204",)
    assert work.towns[1].point == pytest.approx(middle("0303", 30, 20))


def test_degrees_count_before_the_source(tmp_path):
    places(tmp_path, ("K", middle("0101")))
    work = work_of(tmp_path)
    world = work.placing.to_world(np.array([middle("0404")]))[0]
    lon, lat = Transformer.from_crs(CRS, "EPSG:4326", always_xy=True).transform(*world)
    work = found(tmp_path, {"name": "K", "lon": lon, "lat": lat})
    assert hexes(work) == {"K": "0404"} and work.towns[0].point == pytest.approx(middle("0404"), abs=0.01)


def test_towns_off_the_map_are_left_out_and_reported(tmp_path):
    places(tmp_path, ("Near", middle("0101", -700)), ("Far", middle("0101", 90_000)), ("Here", middle("0101")))
    work = found(tmp_path, {"name": "Near"}, {"name": "Far"}, {"name": "Here"}, {"name": "Pole", "lon": 0, "lat": 90})
    assert hexes(work) == {"Here": "0101"}
    assert [one.text.split()[0] for one in entries(work, "finding", step="towns")] == ["Near", "Far", "Pole"]
    assert len(entries(work, "note", step="towns")) == 2  # that no town has the ranks whose names are written


def test_towns_that_share_a_hex_or_a_name_are_reported(tmp_path):
    places(tmp_path, ("A", middle("0101")), ("B", middle("0101", 50)), ("C", middle("0101", 90)), ("D", middle("0202")))
    ranks = {"A": "city", "B": "city", "C": "town", "D": "town"}
    work = found(tmp_path, *({"name": name, "rank": rank} for name, rank in ranks.items()), {"name": "D", "at": "0404"})
    texts = [one.text for one in entries(work, "finding", step="towns")]
    assert [text for text in texts if "share" in text] == ["A and B share a hex as city"]
    assert any("D is listed 2 times" in text for text in texts)


# -- places that are not listed ------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(-200, 5000), st.integers(-200, 2900), st.integers(0, 50)), max_size=40),
    st.sets(st.integers(0, 29), max_size=3),
)
def test_the_largest_place_of_each_hex_without_a_town_becomes_one(rows, held):
    shapes = np.array([shapely.Point(x, y) for x, y, _ in rows], dtype=object)
    columns = {"name": [f"P{n}" for n in range(len(rows))], "id": [""] * len(rows), "people": [row[2] for row in rows]}
    listed = [{"name": f"T{one}", "at": f"{one % 6 + 1:02}{one // 6 + 1:02}"} for one in sorted(held)]
    with pytest.MonkeyPatch.context() as patch:
        layer = Layer(shapes, columns, DataSource(id="places", file=""), len(rows))
        patch.setattr(gazetteers, "read_layer", lambda *_, **__: layer)
        sources = [{"id": "places", "file": "none"}]
        every = {"town": 10, "city": 30}
        work = work_of(Path("no-such-folder"), sources=sources, towns={**RULE, "every": every, "listed": listed})
        find_towns(work)
    best: dict[int, int] = {}
    for number, (x, y, people) in enumerate(rows):
        at = int(work.model.grid.cells_at(np.array([(x, y)]))[0])
        if at >= 0 and at not in held and people >= 10 and (at not in best or people > rows[best[at]][2]):
            best[at] = number
    made = {one.cell: one.town for one in work.towns if one.town.name.startswith("P")}
    assert {at: town.name for at, town in made.items()} == {at: f"P{number}" for at, number in best.items()}
    assert all(made[at].rank == ("city" if rows[number][2] >= 30 else "town") for at, number in best.items())
    left = sum(one.figures["places"] for one in entries(work, "note", step="towns") if "more of rank" in one.text)
    inside = [row for row in rows if row[2] >= 10 and work.model.grid.cells_at(np.array([row[:2]]))[0] >= 0]
    assert left == len(inside) - len(best)


def test_a_listed_town_is_not_there_a_second_time(tmp_path):
    places(tmp_path, ("Mosul", middle("0303"), 900), ("Mōsul", middle("0302"), 800), ("Mosul", middle("0601"), 700))
    work = found(tmp_path, {"name": "Mosul", "rank": "city"}, every={"town": 100})
    assert [(one.town.name, work.label(one.cell)) for one in work.towns] == [("Mosul", "0303"), ("Mosul", "0601")]


def test_a_hundred_thousand_places_take_no_time(monkeypatch):
    count, random = 100_000, np.random.default_rng(4)
    points = shapely.points(random.uniform(0, 29_000, (count, 2)))
    columns = {
        "name": [None if n % 7 == 0 else f"Ţāwn {n % 60_000}" for n in range(count)],
        "id": list(range(count)),
        "people": random.integers(0, 10**6, count).tolist(),
    }
    layer = Layer(points, columns, DataSource(id="places", file=""), count)
    monkeypatch.setattr(gazetteers, "read_layer", lambda *_, **__: layer)
    listed = [{"name": "tawn 5", "rank": "city"}, {"name": "X", "place": "77", "rank": "city"}]
    rule = {**RULE, "every": {"town": 1000}, "listed": listed}
    work = work_of(Path("no-such-folder"), 40, 60, sources=[{"id": "places", "file": "none"}], towns=rule)
    began = time.perf_counter()
    find_towns(work)
    assert time.perf_counter() - began < 8  # a second, on a machine that is not busy
    assert len(work.towns) == MOST_UNLISTED + 2 and len({one.cell for one in work.towns}) == len(work.towns)


# -- on the map ----------------------------------------------------------------------------------------------------


def test_towns_become_terrain_markers_and_names_within_their_hexes(tmp_path):
    places(
        tmp_path,
        ("Baghdad", middle("0303")),
        ("Sumar", middle("0101")),
        ("Ur", middle("0101", 30)),
        ("X", middle("0505")),
    )
    ranks = [("Baghdad", "city"), ("Sumar", "town"), ("Ur", "town"), ("X", "spot")]
    work = found(tmp_path, *({"name": name, "rank": rank} for name, rank in ranks), **KINDS, every={"spot": 9e9})
    lay_towns(work)
    assert [work.model.terrain_at(one.cell) for one in work.towns] == ["city", "clear", "clear", "clear"]
    assert [(one.type, one.at) for one in work.model.features_of(Marker)] == [("town", "0101")]
    names = work.model.features_of(Name)
    assert [(one.text, one.size) for one in names] == [("Baghdad", 0.42), ("Sumar", 0.32), ("Ur", 0.32)]
    grid = work.model.grid
    assert grid.cells_at(np.array([one.at for one in names])).tolist() == [one.cell for one in work.towns[:3]]
    assert names[0].at == (1920, 1350)  # as on the maps that are drawn by hand: 0.3125 below the middle
    assert names[1].at != names[2].at
    assert said(work, "1 of rank city: city, a name").at == ("0303",)


def test_ranks_that_no_town_has_or_that_become_nothing_are_findings(tmp_path):
    places(tmp_path, ("Hamlet", middle("0303"), 60), ("City", middle("0101"), 900))
    rule = {
        "every": {"city": 500, "village": 50},
        "label": ["city"],
        "marker": {"city": "town", "port": "shatt_al_arab"},
    }
    work = found(tmp_path, **rule)
    assert {one.text.partition(":")[0] for one in entries(work, "finding", step="towns")} == {
        "towns.marker names the rank port, which neither every nor a listed town has",
        "towns of rank village become nothing on the map",
    }
    assert len(work.towns) == 2
    work = found(tmp_path, **rule | {"marker": {"city": "town", "village": "town"}})
    assert not entries(work, "finding", step="towns")


def test_a_name_goes_above_the_middle_where_it_would_run_into_another(tmp_path):
    listed = [
        {"name": "Penjwin", "at": "0503", "rank": "town"},
        {"name": "Sulaymaniyah", "at": "0303", "rank": "city"},
        {"name": "Ur", "at": "0105", "rank": "town"},
    ]
    work = work_of(tmp_path, grid={}, towns={"label": ["city", "town"], "listed": listed})
    find_towns(work)
    lay_towns(work)
    above = {
        one.text: one.at[1] < work.model.grid.centre(work.model.grid.cells_at(np.array([one.at]))[0])[1]
        for one in work.model.features_of(Name)
    }
    # The city chooses first, though it is listed later; what is far enough away stays below.
    assert above == {"Penjwin": True, "Sulaymaniyah": False, "Ur": False}


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_names_stay_within_hexes_of_either_kind(orientation, tmp_path):
    grid = {"orientation": orientation}
    listed = [{"name": f"T{n}", "at": f"{n % 6 + 1:02}{n // 6 + 1:02}", "rank": "city"} for n in range(30)]
    work = work_of(tmp_path, grid=grid, towns={"label": ["city"], "listed": listed})
    find_towns(work)
    lay_towns(work)
    names = work.model.features_of(Name)
    cells = work.model.grid.cells_at(np.array([one.at for one in names])).tolist()
    assert cells == list(range(30)) and all(one.at[1] > work.model.grid.centre(n)[1] for n, one in enumerate(names))
    assert not entries(work, "note", step="towns")


def test_what_the_game_forbids_on_the_terrain_is_left_out(tmp_path):
    places(tmp_path, ("Port", middle("0303")), ("Isle", middle("0101")), ("Old", middle("0303", 40)))
    work = found(
        tmp_path,
        {"name": "Port", "rank": "city"},
        {"name": "Isle", "rank": "town"},
        {"name": "Old", "rank": "town"},
        **KINDS,
    )
    paint(work, "sea", "0101")
    lay_towns(work)
    assert not work.model.features_of(Marker)
    findings = {one.text.split()[0]: one.text for one in entries(work, "finding", step="towns")}
    assert "it lies in sea" in findings["Isle"] and "it lies in city" in findings["Old"]
    assert work.model.terrain_at(cell(work, "0101")) == "sea"


def test_of_two_towns_in_a_hex_the_first_gives_it_its_terrain(tmp_path):
    places(tmp_path, ("First", middle("0303")), ("Second", middle("0303", 40)))
    kinds = {"terrain": {"city": "city", "town": "marsh"}, "marker": {"town": "town"}}
    work = found(tmp_path, {"name": "First", "rank": "city"}, {"name": "Second", "rank": "town"}, **kinds)
    lay_towns(work)
    assert work.model.terrain_at(cell(work, "0303")) == "city"
    assert "First gives the hex" in said(work, "Second would be marsh", "finding").text


def test_the_gazetteer_reads_numbers_as_they_are_written():
    made = Gazetteer(["A", "A"], [column_text(7.0), column_text(8)], [1, 2], [(0, 0), (1, 1)])
    assert made.find("7").rows == [0] and made.find("A").rows == [1, 0] and made.find("").rows == []

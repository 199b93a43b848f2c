"""The map of the Iran-Iraq War against tables typed from the text of Ignorant Armies, and against an atlas."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import studio
from studio.errors import LabelError
from studio.exchange.geography import read_spec
from studio.model import Area, Name, Road
from studio.rules.ignorant_armies.countries import border_hexes, country, kurdish_area
from studio.rules.ignorant_armies.paths import landing_hexes

ROOT = Path(__file__).parents[2]
MAP = ROOT / "maps" / "iran-iraq.map.json"
SPEC = ROOT / "maps" / "geography" / "iran-iraq" / "iran-iraq.geography.toml"
RECORD = ROOT / "maps" / "iran-iraq.geography.json"
SCENARIO = ROOT / "scenarios" / "ignorant-armies.scenario.json"

# -- what the text says ----------------------------------------------------------------------------------------------
# 2.2, 4.2, 4.5, 14.13, 11.16, errata of the map. That Umm Qasr and Bandar-e Deylam are towns is the map's choice.
NUMBERED = {
    "1521": ("Baghdad", "city", "Iraq"),
    "3812": ("Tehran", "city", "Iran"),
    "2731": ("Khorramshahr", "town", "Iran"),
    "2533": ("Umm Qasr", "town", "Iraq"),
    "3435": ("Bandar-e Deylam", "town", "Iran"),
    "2529": ("Majnoon Islands", "", "Iraq"),
}
KUWAIT = {"2234", "2235", "2334", "2434", "2435", "2534"}  # 4.3
ISLANDS = {"2634", "2635"}  # 11.17
SHATT_ON_THE_COAST = {"2733", "2834"}  # 14.13
LANDINGS = ("2633", "3435")  # 11.16

# -- what the map has besides ----------------------------------------------------------------------------------------
CITIES = {
    "Iraq": "1521 Baghdad 2531 Basra 1210 Mosul 1613 Kirkuk 1510 Arbil 1912 Sulaymaniyah 1426 Najaf",
    "Iran": "3812 Tehran 2732 Abadan 2928 Ahvaz 2418 Kermanshah 2915 Hamadan 3716 Qom 3924 Esfahan 1805 Urmia "
    "3206 Rasht",
}
TOWNS = {
    "Iraq": "1424 1524 1626 1728 2030 2532 2533 2733 2430 2427 2324 1924 2022 1919 1817 1620 1221 1321 1418 1316 1315 "
    "1616 1713 2114 2112 1811 1609 1306 1107 1106",
    "Iran": "2731 3435 3032 2931 2728 2828 2727 2825 2826 3026 3227 3230 3433 3634 3234 2523 2122 2220 2018 1917 2017 "
    "2219 2215 2414 2113 2011 2210 1910 1808 2008 1807 2107 2206 2606 2908 3410 3711 2821 3019 3318 3018 2612 3514 "
    "3819 3725",
}
SHATT = {"2531", "2631", "2632", "2731", "2732", "2833", *SHATT_ON_THE_COAST}
COAST = ["2633", "2733", "2834", "2933", "3033", "3133", "3234", "3333", "3434", "3435"]
MARSHES = {"2528", "2529", "2628", "2328", "2329", "2429", "2231", "2330", "2431", "2832"}
BANKS = {  # by the atlas: a town, and what lies across the river from it
    "1210|1310": "Mosul is west of the Tigris",
    "1315|1415": "Baiji is west of the Tigris",
    "1316|1416": "Tikrit is west of the Tigris",
    "1317|1418": "Samarra is east of the Tigris",
    "1421|1521": "Baghdad, in the east of the Tigris",
    "1521|1622": "and west of the Diyala",
    "1924|1925": "Kut is on the left bank of the Tigris",
    "1221|1321": "Falluja is east of the Euphrates, Ramadi west",
    "1424|1524": "Karbala is west of the Euphrates, Hilla east",
    "2430|2431": "Qurna is north of the Euphrates",
    "2430|2530": "and west of the Shatt",
    "2531|2631": "Basra is west of the Shatt",
    "2632|2731": "Khorramshahr is east of the Shatt",
    "2731|2732": "and north of the Karun",
    "2633|2732": "Abadan is east of the Shatt",
    "2733|2834": "Faw is west of its mouth",
    "1716|1817": "Khanaqin is east of the Diyala",
    "1310|1410": "the Great Zab runs between Mosul and Arbil",
    "2727|2728": "Bostan is north of the Karkheh, Hoveyzeh south",
    "2214|2215": "Paveh is south of the Sirwan, which is the upper Diyala",
}
ROADS = {  # by the atlas: hexes in a row that the road of 1980 enters, by the place that lies there
    "1421 1420 1419 1418": "Taji and Balad, west of the Tigris, and the barrage of Samarra",
    "1210 1209 1208 1107": "Tel Kaif and Faida, east of the Tigris",
    "1510 1410 1310 1210": "Kalak on the Great Zab, and Bartella",
    "1711 1811": "Dukan, and by Ranya to Qala Diza",
    "1609 1708 1808": "Haj Omran",
    "2112 2113": "Penjwin and Marivan",
    "1817 1917 2017 2117": "Khanaqin, Qasr-e Shirin, Sarpol-e Zahab and the pass of Pataq",
    "2026 2027 2028 2029 2030": "Hai, Rifai, Shatra and Nasiriya",
    "2022 2122 2121 2120 2220": "Badra, Mehran, Salehabad and Ilam",
    "2826 2725": "the bridge of Naderi",
    "2823 2722 2622 2721 2821": "Pol-e Dokhtar and Khorramabad",
    "2427 2526 2627 2727": "Halfaya, Chazabeh and Bostan",
    "2727 2828 2928": "Bostan, Susangerd and Ahvaz",
    "2531 2631 2731": "Tanuma and Shalamcheh",
    "2532 2433 2434 2435": "Zubair, Safwan and Kuwait",
}
KURDISH = {
    "in": "1106 1107 1306 1510 1609 1811 1912 2112 2114 1713 1805 1807 1808 2008 1910 2011 2210 2113 2215 2414 2612",
    "out": "1210 1613 1315 1521 1817 2017 2418 2107 2714 2731",
}


@pytest.fixture(scope="module")
def war() -> studio.Scenario:
    return studio.open_scenario(SCENARIO, recover_unsaved=False)


@pytest.fixture(scope="module")
def front(war: studio.Scenario) -> studio.Map:
    return war.map


def hexes(front: studio.Map, mask: NDArray[np.bool_]) -> set[str]:
    return {front.labels.label(cell) for cell in np.flatnonzero(mask).tolist()}


def terrain(front: studio.Map, label: str) -> str:
    return front.model.terrain_at(front.labels.cell(label))


def river(front: studio.Map, side: str) -> bool:
    a, b = (front.labels.cell(label) for label in side.split("|"))
    return "river" in front.model.sides.get((min(a, b), max(a, b)), ())


def towns(front: studio.Map) -> set[str]:
    return {front.labels.label(cell) for cell in front.survey.cells_with_marker("town")}


def names(front: studio.Map) -> dict[str, str]:
    found = front.survey.features_of(Name)
    return {one.text: front.labels.label(int(front.grid.cells_at(np.array([one.at]))[0])) for one in found}


# -- the text --------------------------------------------------------------------------------------------------------


def test_the_map_checks_clean_and_is_written_as_the_studio_writes(front: studio.Map) -> None:
    assert front.check() == []
    assert MAP.read_text(encoding="utf-8") == front.to_text()


def test_even_columns_alone_have_a_row_35(front: studio.Map) -> None:
    labels = {front.labels.label(cell) for cell in range(front.grid.cells) if front.survey.directory.exists(cell)}
    present = {f"{column}{row:02}" for column in range(10, 40) for row in range(5, 36) if row < 35 or column % 2 == 0}
    gone = {label for label in present if terrain(front, label) == "out_of_play"}
    assert labels == present - gone
    assert gone >= ISLANDS
    # Even columns stand higher: 2533 lies beside 2534 and below it.
    assert front.grid.distance(front.labels.cell("2533"), front.labels.cell("2634")) == 1
    assert front.grid.distance(front.labels.cell("2533"), front.labels.cell("2632")) == 2


def test_the_numbered_hexes_are_what_the_text_says(front: studio.Map) -> None:
    written = names(front)
    for label, (name, rank, owner) in NUMBERED.items():
        assert written[name] == label
        assert (terrain(front, label) == "city", label in towns(front)) == (rank == "city", rank == "town")
        assert label in hexes(front, country(front.survey, owner))


def test_kuwait_is_six_hexes_and_its_islands_are_out_of_play(war: studio.Scenario, front: studio.Map) -> None:
    assert hexes(front, country(front.survey, "Kuwait")) == KUWAIT
    assert {terrain(front, label) for label in ISLANDS} == {"out_of_play"}
    assert set(war.document.map.out_of_play) == ISLANDS
    iraqi = war.movement_state("iraq")
    assert front.step("2533", "2534", mover="ground", state=iraqi).cost is None
    assert front.step("2533", "2534", mover="ground", state=war.movement_state("iran")).cost is not None
    with pytest.raises(LabelError, match="out_of_play"):
        front.step("2533", "2634", mover="ground")


def test_the_coast_of_landings_is_one_row_of_land(front: studio.Map) -> None:
    found = {front.labels.label(cell) for cell in landing_hexes(front.survey)}
    assert found == set(COAST)
    assert (COAST[0], COAST[-1]) == LANDINGS
    for here, there in itertools.pairwise(COAST):
        assert front.grid.distance(front.labels.cell(here), front.labels.cell(there)) == 1
    assert set(COAST) & SHATT == SHATT_ON_THE_COAST  # 14.13: no other of the eight is on the coast
    for label in COAST[1:]:
        sea = [terrain(front, front.labels.label(cell)) for cell in front.grid.neighbours(front.labels.cell(label))]
        assert "sea" in sea, label


def test_the_shatt_has_eight_hexes_on_both_banks(front: studio.Map) -> None:
    marked = front.survey.cells_with_marker("shatt_al_arab")
    assert {front.labels.label(cell) for cell in marked} == SHATT
    assert len(SHATT) == 8
    banks = {name: SHATT & hexes(front, country(front.survey, name)) for name in ("Iraq", "Iran")}
    assert banks == {"Iraq": {"2531", "2631", "2632", "2733"}, "Iran": {"2731", "2732", "2833", "2834"}}
    for label in SHATT:
        cell = front.labels.cell(label)
        sides = [(min(cell, other), max(cell, other)) for other in front.grid.neighbours(cell)]
        assert any("river" in front.model.sides.get(side, ()) for side in sides), label


# -- the choices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", ["Iraq", "Iran"])
def test_cities_and_towns_are_in_their_countries(front: studio.Map, owner: str) -> None:
    own = hexes(front, country(front.survey, owner))
    words = CITIES[owner].split()
    cities = dict(zip(words[1::2], words[::2], strict=True))
    written = names(front)
    assert {name: written[name] for name in cities} == cities
    assert {label for label in own if terrain(front, label) == "city"} == set(cities.values())
    assert towns(front) & own == set(TOWNS[owner].split())


def test_no_other_cities_and_towns(front: studio.Map) -> None:
    assert len(towns(front)) == sum(len(listed.split()) for listed in TOWNS.values()) == 75
    assert (front.model.terrain == front.model.terrain_ids.index("city")).sum() == 16


def test_every_town_is_on_its_bank(front: studio.Map) -> None:
    assert [why for side, why in BANKS.items() if not river(front, side)] == []
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert (record["figures"]["wrong_banks"], record["figures"]["river_cycles"]) == (0, 0)
    assert all(one["inside"] for one in record["residuals"])


def test_roads_run_where_they_did(front: studio.Map) -> None:
    steps = {step for road in front.survey.features_of(Road) for step in itertools.pairwise(road.path)}
    for row, why in ROADS.items():
        for a, b in itertools.pairwise(row.split()):
            assert (a, b) in steps or (b, a) in steps, why
    # Below Basra the Shatt has no bridge: no road crosses from one country to the other there.
    crossed = {"|".join(sorted(step)) for step in steps if SHATT.issuperset(step) and river(front, "|".join(step))}
    assert crossed == {"2531|2631", "2731|2732"}


def test_every_choice_says_why() -> None:
    spec = read_spec(SPEC)
    for rows in (spec.towns.listed, spec.roads, spec.areas, spec.overrides, spec.fit.points):
        assert rows
        assert [one for one in rows if not one.note] == []
    assert len({road.note for road in spec.roads}) == len(spec.roads)


def test_the_ground_is_that_of_the_atlas(front: studio.Map) -> None:
    found = {
        front.labels.label(cell)
        for cell in range(front.grid.cells)
        if front.survey.directory.exists(cell) and front.model.terrain_at(cell) == "marsh"
    }
    assert found == MARSHES
    # The Zagros behind Ilam, Paveh and Masjed Soleyman, the Elburz behind Tehran, the Taurus by Amadiya.
    for label in ("2120", "2220", "2215", "2114", "3428", "3530", "3810", "3709", "1307", "1609"):
        assert terrain(front, label) == "mountains", label
    # Mesopotamia and Khuzestan.
    for label in ("1214", "1417", "1522", "1824", "2128", "2533", "2830", "2929", "2427", "1330"):
        assert terrain(front, label) in ("clear", "city"), label
    for label, name in (("1118", "lake"), ("1223", "lake"), ("2005", "lake"), ("3706", "sea"), ("2934", "sea")):
        assert terrain(front, label) == name


def test_the_kurdish_area_is_on_both_sides_of_the_border(front: studio.Map) -> None:
    area = hexes(front, kurdish_area(front.survey))
    assert area >= set(KURDISH["in"].split())
    assert not area & set(KURDISH["out"].split())
    both = [area & hexes(front, country(front.survey, name)) for name in ("Iraq", "Iran")]
    assert set.union(*both) == area
    assert min(map(len, both)) > 40
    assert len([one for one in front.survey.features_of(Area) if one.type == "kurdish_area"]) == 1


def test_sources_and_choices_are_named(front: studio.Map) -> None:
    licences = {one.title.split(":")[0]: one.licence for one in front.model.sources}
    assert licences["GeoNames"] == "CC-BY-4.0"
    assert licences["Natural Earth 1"] == licences["NOAA GLOBE"] == "public domain"
    assert licences["pyworldatlas-mapdata-standard 0.9.4"] == "CC0-1.0"
    assert all(one.licence for one in front.model.sources)
    assert "not the printed map" in front.model.notes
    assert "Kurdish active area" in front.model.notes


# -- the game on it --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "mover", "cost"),
    [
        ("1521", "1622", "ground", "1/2"),  # by road, over the bridge of the Diyala
        ("1420", "1520", "ground", "2"),  # clear, and the Tigris
        ("2531", "2631", "ground", "1/2"),  # the bridge of Basra
        ("2632", "2731", "ground", "2"),  # the Shatt
        ("2632", "2731", "marines", "1"),
        ("2731", "2732", "ground", "1/2"),  # the bridge of Khorramshahr
        ("2633", "2732", "ground", "2"),  # a city is clear ground; the Shatt
        ("2529", "2528", "ground", "2"),  # marsh
        ("2428", "2528", "ground", "3"),  # marsh, and the Tigris
        ("2217", "2216", "ground", "3"),  # mountains
        ("2217", "2216", "mountain_infantry", "1"),
        ("2216", "2217", "ground", "2"),  # hills
        ("2115", "2114", "ground", "4"),  # mountains, and the upper Diyala
        ("3234", "3334", "ground", None),  # the sea
    ],
)
def test_steps(front: studio.Map, a: str, b: str, mover: str, cost: str | None) -> None:
    assert front.step(a, b, mover=mover).cost == (None if cost is None else Fraction(cost))


def test_operational_reach_by_the_road_of_the_tigris(front: studio.Map) -> None:
    # Baghdad - 1622 - 1722 - 1823 - 1923 - Kut: five hexes of road, half a point each.
    route = front.route("1521", "1924", mover="ground")
    assert (route.labels, route.cost) == (["1521", "1622", "1722", "1823", "1923", "1924"], Fraction(5, 2))
    assert not front.route("1521", "1924", mover="ground", points=2).found
    assert front.route("1521", "1924", mover="ground", points="5/2").found


def test_turn_1_at_khorramshahr(war: studio.Scenario, front: studio.Map) -> None:
    first = war.movement_state("iraq", turn=1)
    assert front.step("2632", "2731", mover="ground", state=first).cost is not None
    assert front.step("2632", "2732", mover="ground", state=first).cost is None  # Abadan, a city (5.3)
    assert front.step("2731", "2831", mover="ground", state=first).cost is None  # no border hex
    border = hexes(front, border_hexes(front.survey, "Iran"))
    assert border >= {"1917", "2122", "2727", "2731", "2732", "2834"}
    assert not border & {"2831", "2828", "2928", "2418"}


@pytest.mark.parametrize(("side", "owner"), [("iraq", "Iraq"), ("iran", "Iran")])
def test_every_town_and_city_is_supplied_at_the_start(war: studio.Scenario, side: str, owner: str) -> None:
    entries = war.entry_places(side)
    assert entries.out_of_supply == []
    assert set(entries.supplied) == {*TOWNS[owner].split(), *CITIES[owner].split()[::2]}


def test_strategic_movement_from_baghdad(war: studio.Scenario) -> None:
    moves = war.strategic_movement("iraq", turn=2)
    found = moves.of("baghdad-division")
    assert (moves.limit, found.eligible, found.at) == (6, True, "1521")
    # Kut 5, Ali al-Gharbi 9, Amara 12, Qurna 15, Basra 17, Faw 20; Zakho at the other end of the country.
    steps = {"1924": 5, "2324": 9, "2427": 12, "2430": 15, "2531": 17, "2733": 20, "2533": 17, "1106": 18}
    assert {label: found.reach[label] for label in steps} == steps
    assert not {"2731", "1917", "2534", "2435", "2122"} & set(found.reach)


@pytest.mark.parametrize(
    ("side", "at", "off_road", "path"),
    [
        ("iraq", "2733", 0, "2733 2633 2632 2531"),
        ("iraq", "2529", 1, "2529 2430 2431 2531"),  # two points to the road: clear, and a river
        ("iraq", "2122", 0, "2122 2022 2023 1923 1823 1722 1622 1521"),
        ("iran", "3435", 0, "3435 3434 3333 3234 3133 3132 3032 2931 2832 2732"),
        ("iran", "2628", 1, "2628 2727 2828 2928"),
        ("iran", "2631", 0, "2631 2731 2732"),
    ],
)
def test_supply_lines(war: studio.Scenario, side: str, at: str, off_road: int, path: str) -> None:
    answer = war.supply(side, at=at)[0]
    assert answer.supplied
    assert (answer.off_road, " ".join(answer.path)) == (off_road, path)


def test_supply_of_the_marines_when_abadan_is_lost_or_the_coast_road_cut(war: studio.Scenario) -> None:
    lost = war.supply("iran", at="3435", control={"iraq": ["2732"]})[0]
    assert " ".join(lost.path[-4:]) == "2931 2930 2929 2928"  # on to Ahvaz
    cut = war.supply("iran", at="3435", enemy_at=["3133"])[0]
    assert cut.supplied
    assert "3433" in cut.path  # by Behbahan

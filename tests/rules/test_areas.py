"""Set-up areas of scenarios: distances from units and formations, empty and closed hexes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.errors import ScenarioRuleError, UnknownNameError
from studio.model import (
    Distance,
    Force,
    Formation,
    MapUse,
    ScenarioDocument,
    SetUp,
    SpecialRules,
    UnitRecord,
)
from studio.rules.areas import ScenarioAreas, depends_on_units

MILITIA = "rebel.militia"


@pytest.fixture(scope="module")
def ground() -> Map:
    return studio.new_map("armageddon_war", columns=6, rows=6)


def scenario(
    *formations: Formation, others: tuple[Formation, ...] = (), closed: tuple[str, ...] = ()
) -> ScenarioDocument:
    forces = [Force(id="red", name="Red", formations=formations)]
    if others:
        forces.append(Force(id="blue", name="Blue", formations=others, set_up_order=2))
    special = SpecialRules(closed=closed)
    return ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="m"), forces=forces, special=special)


def formation(name: str, where: SetUp, *at: str, kind: str = MILITIA) -> Formation:
    units = tuple(UnitRecord(id=f"{name}-{number}", type=kind, at=label) for number, label in enumerate(at, 1))
    return Formation(id=name, name=name, where=where, units=units)


def areas(made: Map, document: ScenarioDocument) -> ScenarioAreas:
    return ScenarioAreas(document, made.survey, made.ruleset)


def labels(made: Map, numbers: list[int]) -> set[str]:
    return {made.survey.directory.label(number) for number in numbers}


@settings(max_examples=60)
@given(data=st.data())
def test_distances_from_units_equal_their_definition(data: st.DataObject) -> None:
    made = studio.new_map("armageddon_war", columns=5, rows=5)
    every = made.labels.all()
    at = data.draw(st.lists(st.sampled_from(["", *every]), min_size=1, max_size=3))
    home = tuple(data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=2)))
    least, most = data.draw(st.integers(0, 3)), data.draw(st.one_of(st.none(), st.integers(0, 4)))
    named = data.draw(st.sampled_from([("red",), ("one",), ("one-1",)]))
    where = SetUp(distances=(Distance(units=named, least=least, most=most),))
    document = scenario(formation("one", SetUp(hexes=home), *at), others=(formation("two", where, ""),))
    used = at[:1] if named == ("one-1",) else at
    cell, distance = made.labels.cell, made.grid.distance
    sure = {cell(label) for label in used if label}
    may = sure | ({cell(label) for label in home} if "" in used else set())

    def fits(here: int) -> bool:
        far = all(distance(here, one) >= least for one in sure)
        return far and (most is None or any(distance(here, one) <= most for one in may))

    expected = [here for here in range(made.grid.cells) if fits(here)]
    assert areas(made, document).of_formation("two") == expected


def test_units_that_are_carried_are_where_their_carriers_are(ground: Map) -> None:
    truck = UnitRecord(id="truck", type="other.truck", at="0303")
    rider = UnitRecord(id="rider", type=MILITIA, carried_by="truck")
    near = SetUp(distances=(Distance(units=("rider",), most=0),))
    one = Formation(id="one", name="one", units=(truck, rider))
    found = areas(ground, scenario(one, formation("two", near)))
    assert labels(ground, found.of_formation("two")) == {"0303"}
    assert labels(ground, found.of_unit("rider")) == set(ground.labels.all())


def test_a_unit_has_its_own_area_before_that_of_its_formation(ground: Map) -> None:
    wire = UnitRecord(id="wire", type=MILITIA, where=SetUp(hexes=("0101",)))
    part = Formation(id="one", name="one", where=SetUp(hexes=("0202",)), units=(wire, UnitRecord(id="u", type=MILITIA)))
    found = areas(ground, scenario(part))
    assert labels(ground, found.of_unit("wire")) == {"0101"}
    assert labels(ground, found.of_unit("u")) == {"0202"}
    with pytest.raises(UnknownNameError, match="no unit 'wier'; did you mean 'wire'"):
        found.of_unit("wier")


def test_areas_of_formations_count_whether_anybody_stands_there(ground: Map) -> None:
    far = SetUp(distances=(Distance(areas_of=("one",), least=3),))
    found = areas(ground, scenario(formation("one", SetUp(hexes=("0101", "0102"))), formation("two", far)))
    cells = ground.labels.cells(["0101", "0102"])
    expected = [c for c in range(ground.grid.cells) if min(ground.grid.distance(c, one) for one in cells) >= 3]
    assert found.of_formation("two") == expected


def test_areas_that_go_round_in_a_circle_are_refused(ground: Map) -> None:
    def by(name: str) -> SetUp:
        return SetUp(distances=(Distance(areas_of=(name,), least=1),))

    found = areas(ground, scenario(formation("one", by("two")), formation("two", by("one"))))
    with pytest.raises(ScenarioRuleError, match="two -> one -> two is a circle"):
        found.of_formation("one")
    unknown = areas(ground, scenario(formation("one", by("tow")), formation("two", SetUp())))
    with pytest.raises(UnknownNameError, match="distances/areas_of: no formation 'tow'; did you mean 'two'"):
        unknown.of_formation("one")
    lost = SetUp(distances=(Distance(units=("tow",), least=1),))
    with pytest.raises(UnknownNameError, match=r"distances/units: no unit, formation or force 'tow'.*'two'"):
        areas(ground, scenario(formation("two", lost))).of_formation("two")


def test_a_formation_may_be_described_by_its_own_units(ground: Map) -> None:
    together = SetUp(hexes=("0101", "0606"), distances=(Distance(units=("one",), most=2),))
    nobody = areas(ground, scenario(formation("one", together, "", "")))
    assert labels(ground, nobody.of_formation("one")) == {"0101", "0606"}
    first = areas(ground, scenario(formation("one", together, "0101", "")))
    assert labels(ground, first.of_unit("one-2")) >= {"0101"}


def test_empty_hexes_have_no_units_of_others(ground: Map) -> None:
    free = SetUp(hexes=("0101", "0202", "0303", "0404"), empty=True)
    one, marker = formation("one", SetUp(), "0101"), formation("mark", SetUp(), "0303", kind="other.hidden_marker")
    found = areas(ground, scenario(one, marker, others=(formation("two", free, "0202", ""),)))
    kept = {"0202", "0303", "0404"}  # a marker is no unit, and the own ones are not in the way
    assert labels(ground, found.of_formation("two")) == kept
    assert labels(ground, found.of_unit("two-2")) == kept


def test_closed_places_belong_to_no_area(ground: Map) -> None:
    found = areas(ground, scenario(formation("one", SetUp(hexes=("0101", "0202"))), closed=("0101", "nowhere")))
    assert labels(ground, found.of_formation("one")) == {"0202"}


def test_where_units_matter_is_known() -> None:
    assert not depends_on_units(SetUp(distances=(Distance(places=("0101",), least=1),)))
    assert depends_on_units(SetUp(empty=True))
    assert depends_on_units(SetUp(also=(SetUp(distances=(Distance(units=("one",)),)),)))


def test_the_scenario_answers_with_all_of_it(ground: Map) -> None:
    raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    raid.set_up_area("rebels", [], distances=[{"areas_of": ["saleh"], "least": 14}])
    entry = raid.map.labels.cells(raid.area("saleh"))
    cells = raid.map.labels.cells(raid.area("rebels"))
    assert cells
    assert min(raid.map.grid.distance(a, b) for a in cells for b in entry) == 14
    assert np.all([cell in raid.play_ground.in_play for cell in cells])


def test_one_name_will_do_for_a_condition_that_lists_names() -> None:
    raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    raid.set_up_area("rebels", "U9", within=1)
    around = set(raid.area("rebels"))
    raid.set_up_area("rebels", without_terrain="light_urban", without_features="road", without="U10")
    left = {label for label in around if raid.map.locations.terrain[label] != "light_urban"} - {"U10"}
    assert set(raid.area("rebels")) == {label for label in left if not raid.map.locations.road[label]}
    assert set(raid.area("rebels")) < around

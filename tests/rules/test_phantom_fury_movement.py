"""Movement in Phantom Fury: moves, stacking, street sections, tanks, reinforcements, retreat and infiltration."""

from pathlib import Path
from typing import Any

import pytest

import studio
from studio.errors import GridError, ScenarioRuleError, UnknownNameError
from studio.model import Feature, Link, MapModel, Marker, Place
from studio.paths import Step, read_state, search
from studio.rules import get_ruleset
from studio.rules.phantom_fury.paths import Judge, judge
from studio.rules.phantom_fury.retreat import Infiltration, Retreat
from studio.rules.phantom_fury.situation import DistrictState
from studio.survey import Survey
from tests.sight.makers.phantom_fury import box, empty, put, street, zone

RULES = get_ruleset("phantom_fury")
FILE = Path(__file__).parents[2] / "maps" / "phantom-fury.map.json"
ALL = ["1", "2", "3", "4", "5"]


def joined(kind: str, a: str, b: str, *, one_way: bool = False) -> Link:
    return Link(id=f"{kind}-{a}-{b}", type=kind, a=a, b=b, one_way=one_way)


def egress(a: str, *ways: str) -> list[Link]:
    return [
        Link(id=f"egress-{a}-{order}", type="egress", a=a, b=b, one_way=True, order=order)
        for order, b in enumerate(ways, 1)
    ]


def held(kind: str, *labels: str) -> dict[str, Any]:
    """Return a field of the state with some locations."""
    return {kind: list(labels)}


def quarter(*more: Feature) -> MapModel:
    """Return zones 1 and 2, Adjacent, above street sections S1 and S2; 3 and 4 below; then S3, and zone 5."""
    return put(
        empty(12, 12),
        zone("1", (0, 0, 3, 3), "start"), zone("2", (3, 0, 6, 3)),
        street("S1", (0, 3, 3, 4)), street("S2", (3, 3, 6, 4)),
        zone("3", (0, 4, 3, 7)), zone("4", (3, 4, 6, 7)),
        street("S3", (0, 7, 6, 8)),
        zone("5", (0, 8, 6, 10)),
        box("1", "C", (10, 10), "door", "entry"), box("1", "1"), box("1", "2"), box("1", "R"),
        box("2", "OG", (10, 10), "door"), box("2", "1"), box("2", "R"),
        box("3", "C", (10, 10), "door"), box("3", "1"),
        box("4", "OG", (10, 10), "door"), box("4", "1"),
        box("5", "C", (10, 10), "door"), box("5", "OG"),
        joined("arrow", "1 C", "1 1"), joined("arrow", "1 1", "1 2"), joined("arrow", "1 2", "1 R", one_way=True),
        joined("arrow", "2 OG", "2 1"), joined("arrow", "2 1", "2 R"),
        joined("arrow", "3 C", "3 1"), joined("arrow", "4 OG", "4 1"), joined("arrow", "5 C", "5 OG"),
        joined("roof", "1 R", "2 R"),
        *more,
    )  # fmt: skip


def moving(
    model: MapModel, mover: str = "usmc_squad", options: dict[str, object] | None = None, **state: object
) -> Judge:
    survey = Survey(model, RULES.survey_scheme)
    return judge(survey, mover, options, read_state(survey.directory, DistrictState, {"controlled": ALL, **state}))


def step(a: str, b: str, mover: str = "usmc_squad", model: MapModel | None = None, **more: object) -> Step:
    """Return a step, which is the link of the network."""
    found = moving(model or quarter(), mover, **more)  # type: ignore[arg-type]
    number = found.survey.directory.number
    told = found.step(number(a), number(b))
    assert found.network.cost(number(a), number(b)) == told.halves
    return told


def cost(a: str, b: str, mover: str = "usmc_squad", model: MapModel | None = None, **more: object) -> int | None:
    found = step(a, b, mover, model, **more).cost
    return None if found is None else int(found)


def why_not(a: str, b: str, mover: str = "usmc_squad", model: MapModel | None = None, **more: object) -> str:
    barrier = step(a, b, mover, model, **more).barrier
    assert barrier is not None
    return f"[{barrier.rule}] {barrier.text}"


def stop(at: str, mover: str = "usmc_squad", **more: object) -> str:
    found = moving(quarter(), mover, **more)  # type: ignore[arg-type]
    part = found.stop(found.survey.directory.number(at))
    return "" if part is None else f"[{part.rule}] {part.text}"


# -- within a zone, and from zone to zone (12.3, 12.4) ---------------------------------------------------------------


def test_along_arrows() -> None:
    assert cost("1 C", "1 1") == cost("1 1", "1 C") == 1
    assert cost("1 2", "1 R") == 1
    for a, b in (("1 R", "1 2"), ("1 C", "1 2"), ("1", "1 C")):
        with pytest.raises(GridError, match="are not Adjacent"):
            step(a, b)


def test_over_entry_symbols_of_adjacent_zones() -> None:
    assert cost("1 R", "2 R") == cost("2 R", "1 R") == 1
    doors = quarter(joined("door", "1 1", "2 1"))
    assert cost("1 1", "2 1", model=doors) == 1
    assert step("1 1", "2 1", model=doors).parts[0].rule == "12.4"


def test_unknown_movers_and_options() -> None:
    with pytest.raises(UnknownNameError, match="unknown mover 'humvee'"):
        moving(quarter(), "humvee")
    with pytest.raises(UnknownNameError, match="crossings"):
        moving(quarter(), options={"crossings": "any"})


def test_insurgents_close_their_box() -> None:
    assert why_not("1 C", "1 1", enemies=["1 1"]) == "[12.3] 1 1: an 'Insurgents' unit is in it"
    assert why_not("1 C", "1 1", suspects=["1 1"]) == "[12.3] 1 1: a 'Suspect' marker is in it"
    assert why_not("1 C", "1 1", blocked=["1 1"]) == "[12.2] 1 1: closed at the moment"


def test_boxes_in_ruins_are_gone() -> None:
    ruins = quarter(Marker(id="m", type="rubble", at="1"))
    assert why_not("1 1", "1 2", model=ruins) == "[4.1.6] 1 2: rubble, and this location of the ruins no longer exists"
    assert cost("1 C", "1 1", model=ruins) == 1


def test_no_unit_enters_zone_27_and_no_squad_the_mosque() -> None:
    model = put(
        quarter(),
        zone("27", (6, 0, 9, 3), "no_control"), zone("26", (6, 4, 9, 7), "holy"),
        box("27", "R"), box("26", "R"), box("4", "R"),
        joined("roof", "2 R", "27 R"), joined("roof", "4 R", "26 R"),
    )  # fmt: skip
    assert why_not("2 R", "27 R", model=model) == "[12.4.1] zone 27: no unit enters it"
    assert cost("2 R", "27 R", "iif_squad", model) is None
    assert why_not("4 R", "26 R", model=model) == "[12.4.1] zone 26: no USMC squad enters the mosque"
    assert cost("4 R", "26 R", "iif_squad", model) == 1
    # Only in the mosque IIF squads meet the insurgents, one to a box.
    assert moving(model, "iif_squad", squads=["26 R"]).stop(moving(model).survey.directory.number("26 R")) is not None


def test_iif_squads_enter_no_zone_under_insurgent_control() -> None:
    assert why_not("1 R", "2 R", "iif_squad", controlled=["1"]) == (
        "[5.1.6.1] zone 2: IIF squads enter no zone under insurgent control"
    )
    assert cost("1 R", "2 R", controlled=["1"]) == cost("1 R", "2 R", "iif_squad") == 1


def test_a_squad_stays_in_a_zone_under_insurgent_control() -> None:
    assert why_not("1 R", "2 R", controlled=["2"]) == (
        "[12.1.2] zone 1: no insurgents are left, and the squad stays to take control"
    )
    assert why_not("1 R", "2 R", controlled=["2"], enemies=["1 1"]) == (
        "[12.4.2] zone 1: under insurgent control, left after a Step Loss only"
    )
    # Having suffered one it takes cover, in a zone under USMC control.
    assert cost("1 R", "2 R", controlled=["2"], enemies=["1 1"], reduced=True) == 1
    assert why_not("1 R", "2 R", controlled=[], enemies=["1 1"], reduced=True) == (
        "[12.4.2] zone 2: a squad takes cover in a zone under USMC control only"
    )
    assert cost("1 R", "2 R", controlled=["2"], reduced=True) is None
    assert cost("1 C", "1 1", controlled=[]) == 1


def test_a_squad_stays_with_its_security_element() -> None:
    assert why_not("1 R", "2 R", detached=True) == "[12.3.2.2] zone 1: a squad does not leave its Security Element"
    assert cost("1 C", "1 1", detached=True) == 1


# -- stacking (12.2) -------------------------------------------------------------------------------------------------


def test_a_zone_under_insurgent_control_holds_one_squad() -> None:
    assert why_not("1 R", "2 R", controlled=["1"], squads=["2 1"]) == (
        "[12.2.1.1] zone 2: under insurgent control it holds one squad only"
    )
    assert cost("1 R", "2 R", controlled=["1"], tanks=["2 OG"]) == 1
    assert stop("2 R", controlled=["1"]) == ""


def test_under_usmc_control_squads_pass_each_other_and_end_apart() -> None:
    assert cost("1 R", "2 R", squads=["2 R"]) == 1
    assert stop("2 R", squads=["2 R"]) == "[12.2.2] 2 R: another squad, to be passed through only"
    assert stop("2 1", squads=["2 R"]) == ""


def test_no_squad_ends_in_a_street_section() -> None:
    assert stop("S1") == "[12.2.3] S1: no squad ends its move in a street section of its own will"
    assert "does not stay in it" in why_not("1 C", "S1")


# -- street sections (12.5) ------------------------------------------------------------------------------------------


def test_crossing_a_street_section_costs_two_points() -> None:
    found = step("1 C", "3 C")
    assert [(part.rule, part.halves) for part in found.parts] == [("12.5", 2), ("12.5", 2)]
    assert found.parts[0].text == "into street section S1"
    with pytest.raises(GridError):
        step("1 1", "3 C")  # no door entry symbol
    with pytest.raises(GridError):
        step("1 C", "4 OG")  # another street section


def test_who_is_pinned_in_a_street_section_leaves_it_for_a_point() -> None:
    assert cost("S1", "1 C") == cost("S1", "3 C") == 1
    with pytest.raises(GridError):
        step("S1", "S2")  # 12.5.4


def test_both_readings_of_where_a_crossing_leads() -> None:
    model = quarter(street("S4", (0, -1, 6, 0)))
    with pytest.raises(GridError):
        step("1 C", "2 OG", model=model)
    any_box = {"crossing": "any"}
    assert cost("1 C", "2 OG", model=model, options=any_box) == 2
    assert cost("1 C", "3 C", options=any_box) == 2


def test_both_readings_of_the_symbol_of_a_street_section() -> None:
    target = Link(id="t", type="line_of_fire", a="S1", b="5")
    model = quarter(target)
    with pytest.raises(GridError):
        step("1 C", "5 C", model=model)
    assert "Sniper Attack by 1 'Insurgents' unit (zones 5)" in str(step("1 C", "3 C", model=model, enemies=["5 C"]))
    assert cost("1 C", "5 C", model=model, options={"crossing_symbols": "doors"}) == 2


def test_sniper_attacks_are_named() -> None:
    text = str(step("1 C", "3 C", enemies=["1 R", "3 1"], suspects=["1 2"]))
    assert "street section S1: Sniper Attack by 2 'Insurgents' units and 1 'Suspect' marker (zones 1, 3)" in text
    assert cost("1 C", "3 C", enemies=["1 R", "3 1"]) == 2
    assert "keeps 'Suspect' markers out of it" in str(step("1 C", "3 C", suspects=["1 2"], tanks=["S1"]))
    assert "Sniper" not in str(step("1 C", "3 C", enemies=["2 1"]))


def test_a_squad_in_a_street_section_closes_it() -> None:
    for kind in ("squads", "pinned"):
        assert why_not("1 C", "3 C", **held(kind, "S1")) == "[12.2.3] street section S1: a squad is in it already"
    assert cost("1 C", "3 C", tanks=["S1"]) == 2
    assert why_not("1 C", "3 C", blocked=["S1"]) == "[12.2.3] street section S1: closed at the moment"


def test_defensive_fire_is_named() -> None:
    text = str(step("1 C", "3 C", controlled=["1"], enemies=["3 1"]))
    assert "3 C: Defensive Fire of 1 'Insurgents' unit in zone 3" in text
    assert "Defensive" not in str(step("3 1", "3 C", enemies=["4 1"], controlled=[]))


def test_points_of_a_squad() -> None:
    model = quarter()
    assert moving(model).allowances() == {"move": "4 MP"}
    found = moving(model)
    number = found.survey.directory.number
    costs = search(found.network, [number("1 C")], 8).costs
    assert costs[number("2 R")] == 8
    assert costs[number("2 1")] == -1


# -- tanks (12.6) ----------------------------------------------------------------------------------------------------


def test_tanks_move_along_street_sections_and_into_open_ground() -> None:
    tank = "m1a1_abrams"
    assert cost("S1", "S2", tank) == cost("S2", "4 OG", tank) == cost("4 OG", "S2", tank) == 1
    with pytest.raises(GridError):
        step("S1", "1 C", tank)
    with pytest.raises(GridError):
        step("4 OG", "4 1", tank)
    assert why_not("S1", "S2", tank, tanks=["S2"]) == ("[12.2.3] street section S2: an M1A1 Abrams is in it already")
    assert cost("S1", "S2", tank, pinned=["S2"]) == 1
    assert moving(quarter(), tank).allowances() == {"0-1": "4 MP", "2-5": "3 MP", "6-8": "2 MP", "9": "1 MP"}


def test_both_readings_of_open_ground_without_a_door() -> None:
    assert cost("S3", "5 OG", "m1a1_abrams") == 1
    with pytest.raises(GridError):
        step("S3", "5 OG", "m1a1_abrams", options={"abrams_door": "needed"})
    assert cost("S3", "4 OG", "m1a1_abrams", options={"abrams_door": "needed"}) == 1


def test_both_readings_of_open_ground_with_insurgents() -> None:
    more = held("suspects", "4 OG")
    assert why_not("S2", "4 OG", "m1a1_abrams", **more) == "[12.3] 4 OG: a 'Suspect' marker is in it"
    assert cost("S2", "4 OG", "m1a1_abrams", options={"abrams_enemies": "open"}, **more) == 1


def test_tanks_end_next_to_a_zone_under_control() -> None:
    tank = "m1a1_abrams"
    assert stop("S1", tank, controlled=["3"]) == ""
    assert stop("S2", tank, controlled=["3"]) == "[12.6.3] S2: no Adjacent zone is under USMC control"
    assert stop("4 OG", tank, controlled=["5"]) == ""
    assert stop("4 OG", tank, controlled=["1"]) == "[12.6.3] 4 OG: no Neighbouring zone is under USMC control"
    assert stop("4 OG", tank, controlled=["4"]) != ""
    assert stop("4 OG", tank, controlled=["4"], options={"abrams_end": "own_zone"}) == ""


# -- reinforcements (10) ---------------------------------------------------------------------------------------------


def entries(mover: str, model: MapModel | None = None, **state: object) -> dict[str, bool]:
    found = moving(model or quarter(), mover, **state).entries()  # type: ignore[arg-type]
    return {entry.b: entry.halves is not None for entry in found}


def test_squads_enter_by_the_entry_symbol_of_a_start_zone_under_control() -> None:
    assert entries("usmc_squad") == {"1 C": True}
    assert entries("usmc_squad", controlled=["2"]) == {"1 C": False}
    assert entries("guerillas") == {}


def test_iif_squads_wait_for_a_zone_next_to_the_mosque() -> None:
    model = quarter()
    assert entries("iif_squad", model) == {"1 C": False}
    put(model, zone("26", (6, 0, 9, 3), "holy"), street("S4", (0, -1, 9, 0)))
    assert entries("iif_squad", model, controlled=["1"]) == {"1 C": True}  # Neighbouring across S4
    assert entries("iif_squad", model, controlled=["3"]) == {"1 C": False}


def test_tanks_enter_on_the_north_edge() -> None:
    north = street("N", (0, -1, 6, 0))
    model = quarter()
    put(
        model,
        north.__class__(id=north.id, type=north.type, name=north.name, outline=north.outline, tags=("north-edge",)),
    )
    tank = "m1a1_abrams"
    assert entries(tank, model) == {"N": True}
    assert entries(tank, model, controlled=["3"]) == {"N": False}
    assert entries(tank, model, tanks=["N"]) == {"N": False}


# -- retreat (13.6) --------------------------------------------------------------------------------------------------


def retreat(at: str, model: MapModel, options: dict[str, object] | None = None, **state: object) -> Retreat:
    found = moving(model, "guerillas", options, **{"controlled": [], **state})
    return found.retreat(found.survey.directory.number(at))


def routes() -> MapModel:
    out = Place(id="exit", type="exit", name="EXIT", at=(10, 10))
    return quarter(*egress("1", "3", "2", "5"), *egress("5", "EXIT"), *egress("2", "1"), out)


def test_a_guerilla_follows_its_first_route() -> None:
    found = retreat("1 R", routes())
    assert (found.zone, found.to, found.boxes) == ("1", "3", ("3 1", "3 C"))
    assert [(one.order, one.to, one.open) for one in found.tried] == [(1, "3", True)]
    assert retreat("1", routes()) == found
    with pytest.raises(GridError, match="S1 is no zone"):
        retreat("S1", routes())
    with pytest.raises(GridError, match="by retreat only"):
        step("1 C", "1 1", "guerillas")


def test_taken_boxes_close_a_route() -> None:
    found = retreat("1", routes(), enemies=["3 1"], suspects=["3 C"])
    assert found.to == "2"
    assert [(one.open, one.rule) for one in found.tried] == [(False, "12.2.1.2"), (True, "13.6.2")]
    assert retreat("1", routes(), enemies=["3 1"]).boxes == ("3 C",)
    ruins = put(routes(), Marker(id="m", type="rubble", at="2"))
    assert retreat("1", ruins, suspects=["3 1", "3 C", "2 OG", "2 1"]).to == "5"  # 2 R is gone


def test_a_squad_in_a_controlled_zone_closes_a_route() -> None:
    found = retreat("1", routes(), controlled=["3"], squads=["3 C"])
    assert found.tried[0].rule == "13.6.3"
    assert found.tried[0].text == "under USMC control with a squad in 3 C"
    # Without a squad the zone is entered, and passes back.
    found = retreat("1", routes(), controlled=["3"])
    assert (found.to, found.flips) == ("3", True)
    assert "passes back under insurgent control" in str(found)
    assert not retreat("1", routes(), squads=["3 C"]).flips


def test_no_open_route() -> None:
    found = retreat("2", routes(), suspects=["1 C", "1 1", "1 2", "1 R"])
    assert (found.to, found.rule) == ("", "13.6.2.4")
    assert str(found).startswith("Zone 2: the unit stays, since no egress route is open to it [13.6.2.4]")


def test_guarded_street_sections_isolate() -> None:
    model = routes()
    for section in ("S1", "S2"):  # in the section, and next to it
        found = retreat("1", model, tanks=[section])
        assert found.tried[0].rule == "13.6.5"
        assert found.to == "2"  # Adjacent, so that no street section lies between
    assert retreat("1", model, tanks=["S3"]).to == "3"


def test_a_squad_beside_the_street_section_isolates() -> None:
    model = put(quarter(*egress("2", "4")), street("S4", (6, 0, 7, 7)))
    assert retreat("2", model).to == "4"
    # S2 and S4 separate the two zones, and both have to be guarded.
    assert retreat("2", model, tanks=["S2"]).to == ""  # S4 is next to S2
    wide = quarter(*egress("1", "3"), zone("6", (-3, 3, 0, 4)), box("6", "C"))
    assert retreat("1", wide, controlled=["6"], squads=["6 C"]).tried[0].rule == "13.6.5"
    assert retreat("1", wide, squads=["6 C"]).to == "3"  # not under USMC control
    assert retreat("1", wide, controlled=["6"]).to == "3"  # no squad in it
    assert retreat("1", wide, pinned=["S1"]).to == "3"  # a Pinned squad in a street section does not count


def test_two_street_sections_one_behind_the_other() -> None:
    model = put(quarter(*egress("1", "6")), street("S4", (6, 3, 9, 4)), zone("6", (6, 4, 9, 7)), box("6", "C"))
    assert moving(model).situation.sections_between("zone-1", "zone-6") == []
    assert moving(model).situation.sections_between("zone-1", "zone-4") == ["street-S1", "street-S2"]
    model = put(model, *egress("3", "2"))
    assert retreat("3", model).to == "2"
    assert retreat("3", model, tanks=["S1"]).to == ""  # S1 itself, and S2 next to it
    assert retreat("3", model, tanks=["S4"]).to == "2"  # S4 is next to S2 only


def test_off_the_map() -> None:
    found = retreat("5 C", routes())
    assert (found.to, found.leaves, found.rule) == ("EXIT", True, "13.6.6")
    assert found.to_dict()["leaves"] is True


def test_both_readings_of_isolation_from_an_exit() -> None:
    more = held("tanks", "S3")
    found = retreat("5", routes(), **more)
    assert (found.to, found.tried[0].rule) == ("", "13.6.6")
    assert retreat("5", routes()).leaves
    assert retreat("5", routes(), {"exit_isolation": "none"}, **more).leaves


def test_a_route_to_the_own_zone_is_no_retreat() -> None:
    model = quarter(*egress("1", "1", "3"))
    found = retreat("1", model)
    assert (found.to, found.flips) == ("3", False)
    assert (found.tried[0].open, found.tried[0].text) == (False, "it leads to the zone that the unit is in")
    assert retreat("1", quarter(*egress("1", "1"))).to == ""


@pytest.mark.parametrize(
    ("field", "label", "kind"),
    [
        ("enemies", "3", "a zone"),
        ("suspects", "S1", "a street section"),
        ("controlled", "1 C", "a box"),
        ("fanatics", "S1", "a street section"),
        ("squads", "1", "a zone"),
        ("tanks", "1", "a zone"),
    ],
)
def test_a_state_with_locations_of_the_wrong_kind_is_refused(field: str, label: str, kind: str) -> None:
    with pytest.raises(ScenarioRuleError, match=f"{field}: {label} is {kind}, allowed: "):
        retreat("1", routes(), **{field: [label]})


def test_who_does_not_retreat() -> None:
    model = put(routes(), zone("26", (6, 0, 9, 3), "holy"), Marker(id="m", type="fanaticism", at="2"))
    assert retreat("26", model).rule == "13.6"
    assert retreat("2", model).rule == "13.4.3.3"
    assert retreat("1", model, fanatics=["1"]).rule == "13.4.3.3"
    found = retreat("1", model, security=["1"])
    assert (found.to, found.rule) == ("", "13.6.4")
    assert "its CF is reduced by 1" in found.text
    shut = quarter(*egress("1", "27"), zone("27", (6, 0, 9, 3), "no_control"))
    assert retreat("1", shut).tried[0].rule == "12.4.1"
    assert retreat("1", quarter(*egress("1", "99"))).tried[0].text == "there is no such zone"


# -- infiltration (14.4) ---------------------------------------------------------------------------------------------


def infiltrated(
    options: dict[str, object] | None = None, model: MapModel | None = None, **state: object
) -> dict[str, Infiltration]:
    found = moving(model or quarter(), "guerillas", options, **state)
    return {one.zone: one for one in found.infiltrations()}


def test_an_empty_zone_under_control_is_infiltrated() -> None:
    found = infiltrated(controlled=["1"], enemies=["2 1", "3 1"], suspects=["5 C"])
    assert list(found) == ["1"]
    assert found["1"].by == ("2", "3")
    assert str(found["1"]).startswith("Zone 1: infiltrated from zone 2, 3")
    assert infiltrated(controlled=["1"], squads=["1 C"]) == {}
    assert infiltrated(controlled=["2"], tanks=["2 OG"]) == {}


def test_bases_of_infiltration() -> None:
    found = infiltrated(controlled=["1"], enemies=["2 1"], squads=["2 OG"])
    assert [(one.to, one.open, one.text) for one in found["1"].tried] == [
        ("2", False, "USMC units are in it"), ("3", False, "nobody is in it")
    ]  # fmt: skip
    # A zone that was just infiltrated is no base for the next: all are judged as they are before.
    found = infiltrated(controlled=["1", "3"], enemies=["2 1"])
    assert found["1"].by == ("2",)
    assert found["3"].by == ()


def test_watched_street_sections_stop_infiltration() -> None:
    for kind in ("tanks", "pinned"):
        assert infiltrated(controlled=["1"], enemies=["3 1"], **held(kind, "S1"))["1"].by == ()
    wide = quarter(zone("6", (-3, 3, 0, 4)), box("6", "C"))
    found = infiltrated(model=wide, controlled=["1", "6"], enemies=["3 1"], squads=["6 C"])
    assert found["1"].by == ()
    assert "which a squad holds" in str(found["1"])
    # The tank next to the street section counts in a retreat, and not here.
    assert infiltrated(controlled=["1"], enemies=["3 1"], tanks=["S2"])["1"].by == ("3",)


def test_both_readings_of_two_street_sections() -> None:
    model = put(quarter(), street("S4", (6, 0, 7, 7)))
    more: dict[str, Any] = {"controlled": ["2"], "enemies": ["4 1"], "tanks": ["S4"]}
    assert infiltrated(model=model, **more)["2"].by == ()
    assert infiltrated({"infiltration": "all"}, model, **more)["2"].by == ("4",)
    both = {**more, "tanks": ["S2", "S4"]}
    assert infiltrated({"infiltration": "all"}, model, **both)["2"].by == ()


# -- the printed district --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed() -> studio.Map:
    return studio.open_map(FILE, recover_unsaved=False)


def test_squads_get_into_every_zone_but_the_mosque_and_zone_27(printed: studio.Map) -> None:
    zones = [one.label for one in printed.survey.directory.of(type="zone")]
    start = printed.survey.directory.number("1 C")
    reached = {}
    for mover in ("usmc_squad", "iif_squad"):
        found = printed.movement(mover, state={"controlled": zones})
        assert isinstance(found, Judge)
        costs = search(found.network, [start]).costs
        homes = found.situation.home
        boxes = [number for number in homes if found.situation.is_box(number)]
        reached[mover] = {found.situation.district.label(homes[number]) for number in boxes if costs[number] >= 0}
        left = [found.label(number) for number in boxes if costs[number] < 0]
        assert {label.split()[0] for label in left} <= {"26", "27"}
    assert reached["usmc_squad"] == set(zones) - {"26", "27"}
    assert reached["iif_squad"] == set(zones) - {"27"}


def test_tanks_get_along_all_street_sections(printed: studio.Map) -> None:
    found = printed.movement("m1a1_abrams")
    costs = search(found.network, [printed.survey.directory.number("S1")]).costs
    streets = [
        one
        for one in printed.survey.directory.of(type="street")
        if "out_of_play" not in printed.survey.area(one.feature).tags
    ]
    assert all(costs[one.number] >= 0 for one in streets)


def test_the_network_follows_the_passages(printed: studio.Map) -> None:
    """Arrows and entry symbols of the district are links both ways, unless an arrow leads one way."""
    found = printed.movement("usmc_squad")
    assert isinstance(found, Judge)
    links = {(found.label(a), found.label(b)) for a, b, _ in found.network.links.tolist()}
    for passage in found.situation.district.passages():
        if passage.by != "section":
            assert (passage.a, passage.b) in links
            assert ((passage.b, passage.a) in links) != passage.one_way


def test_a_map_is_asked_by_labels(printed: studio.Map) -> None:
    state = {"controlled": ["1", "2", "3"], "squads": ["2 R"], "enemies": ["10 C"]}
    route = printed.route("1 C", "2 R", mover="usmc_squad", points=4, state=state)
    assert route.labels == ["1 C", "2 1", "2 2", "2 R"]
    assert route.cost == 4
    assert route.text.endswith("no move ends there: 2 R: another squad, to be passed through only")
    assert route.to_dict()["stop"]["rule"] == "12.2.2"
    reach = printed.reach("1 C", mover="usmc_squad", points=4, state=state)
    assert reach.passed == ["2 R"] == reach.to_dict()["passed"]
    assert "2 2" in reach.ends
    assert printed.step("1 C", "1 1", mover="usmc_squad", state=state).cost == 1
    assert printed.retreat("1", state=state).to == "10"
    held = printed.retreat("1", state={"squads": ["10 C"], "controlled": ["10"]})
    assert [one.rule for one in held.tried] == ["13.6.3", "13.6.5"]
    # Zone 2 has a squad in it, which watches the street sections beside it.
    assert {one.zone: one.by for one in printed.infiltrations(state=state)} == {"1": (), "3": ()}
    assert [entry.b for entry in printed.entries("usmc_squad", state=state) if entry.cost is not None] == [
        "1 C", "2 OG", "3 OG"
    ]  # fmt: skip

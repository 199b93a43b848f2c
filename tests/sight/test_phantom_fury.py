"""Phantom Fury: what is next to what, lines of fire, disagreements with a list, and proposals for target symbols."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.errors import ScenarioRuleError, UnknownNameError
from studio.model import Area, Feature, Link, MapModel, Marker, Place, Wall
from studio.rules import get_ruleset
from studio.rules.lists import ZoneLists
from studio.rules.phantom_fury.compare import compare_adjacency
from studio.rules.phantom_fury.district import District
from studio.rules.phantom_fury.sight import Judge
from studio.rules.phantom_fury.suggest import OpenGround, links_for, suggest_lines_of_fire
from studio.rules.phantom_fury.views import Windows, clear_views
from studio.sight import STATUSES, Conditions, Reason, Sighting, make_table
from studio.survey import Survey
from studio.survey.stretches import Stretches
from tests.sight.makers.phantom_fury import UNIT, box, empty, make, put, street, target, zone

RULES = get_ruleset("phantom_fury")


def quarter(*more: Feature) -> MapModel:
    """Return a quarter in which everything lies that the text names: zones 2 to 4, 14 to 16, 17, 26, 27, 46 and 50."""
    return put(
        empty(12, 12),
        # A block above street section S1, and one below it.
        *(zone(name, (x, 0, x + 3, 3)) for name, x in (("2", 0), ("3", 3), ("4", 6))),
        street("S1", (0, 3, 9, 4)),
        *(zone(name, (x, 4, x + 3, 7)) for name, x in (("14", 0), ("15", 3), ("16", 6))),
        # Zone 50 has street sections on all its sides.
        street("S2", (9, 0, 10, 3)),
        street("S3", (9, 3, 10, 7)),
        zone("50", (10, 1, 13, 6)),
        street("S4", (10, 0, 14, 1)),
        street("S5", (13, 1, 14, 6)),
        street("S6", (10, 6, 14, 7)),
        # Zone 27 lies open between zones 46 and 17.
        street("S7", (0, 7, 5, 8)),
        street("S8", (5, 7, 14, 8)),
        zone("46", (0, 8, 3, 11)),
        zone("27", (3, 8, 8, 11), "no_control"),
        zone("17", (8, 8, 11, 11)),
        zone("26", (11, 8, 14, 11), "holy", "fortified"),
        *more,
    )


def survey_of(model: MapModel) -> Survey:
    return Survey(model, RULES.survey_scheme)


def judge_of(model: MapModel, conditions: Conditions | None = None, **options: object) -> Judge:
    judge: Judge = RULES.sight.judge(survey_of(model), RULES.options(options), conditions or Conditions())
    return judge


def look(model: MapModel, a: str, b: str, conditions: Conditions | None = None, **options: object) -> Sighting:
    judge = judge_of(model, conditions, **options)
    number = judge.directory.number
    found = judge.sighting(number(a), number(b))
    assert STATUSES[judge.field(number(a))[0][number(b)]] == found.status
    return found


def decisive(sighting: Sighting) -> Reason:
    """Return the reason that gives the line, or the first that takes it."""
    blocking = [reason for reason in sighting.reasons if reason.effect == "blocks"]
    return blocking[0] if blocking else sighting.reasons[-1]


def names(district: District, area_ids: Iterable[str]) -> list[str]:
    return [district.label(area_id) for area_id in district.sorted(area_ids)]


# -- what the text says of the printed map -------------------------------------------------------------------------


def test_zones_that_share_a_border_are_adjacent() -> None:
    found = look(quarter(), "3", "4")
    assert (found.status, decisive(found).rule) == ("clear", "4.1.1")
    assert decisive(found).text == "Zones 3 and 4 share a border: Adjacent"
    district = District(survey_of(quarter()))
    assert names(district, district.zones_beside("zone-3")) == ["2", "4"]


def test_zones_beside_one_street_section_are_neighbouring() -> None:
    district = District(survey_of(quarter()))
    assert {"14", "15", "16"} <= set(names(district, district.neighbouring("zone-3")))
    for name in ("14", "15", "16"):
        found = look(quarter(), "3", name)
        assert (found.status, decisive(found).rule) == ("clear", "4.1.2")
        assert decisive(found).text == f"Zones 3 and {name} are both beside street section S1: Neighbouring"
    # Adjacent zones are not Neighbouring, whatever street section both are beside.
    assert names(district, district.common_streets("zone-2", "zone-3")) == ["S1"]
    assert "zone-2" not in district.neighbouring("zone-3")


def test_a_target_symbol_joins_zones_for_fire_only() -> None:
    assert look(quarter(), "17", "46").status == "blocked"
    across = quarter(target("17", "46"), target("46", "15"))
    found = look(across, "46", "17")
    assert (found.status, decisive(found).rule) == ("clear", "4.1.2.1")
    assert decisive(found).text == "Zone 17: its target symbol names zone 46"
    district = District(survey_of(across))
    assert "zone-46" not in district.neighbouring("zone-17")
    assert "zone-46" not in district.sniper_zones("zone-17")
    # A pair that is Neighbouring as well has both reasons.
    assert [reason.rule for reason in look(across, "46", "15").reasons] == ["4.1.2", "4.1.2.1"]


def test_both_readings_of_target_symbols() -> None:
    drawn = quarter(target("46", "3"))
    assert look(drawn, "46", "3").status == look(drawn, "3", "46").status == "clear"
    assert look(drawn, "46", "3", target_symbols="as_printed").status == "clear"
    back = look(drawn, "3", "46", target_symbols="as_printed")
    assert back.status == "blocked"
    assert "Zone 46: its target symbol names zone 3, but not the other way" in [reason.text for reason in back.reasons]


def test_blocks() -> None:
    district = District(survey_of(quarter()))
    blocks = [names(district, block) for block in district.blocks()]
    assert ["14", "15", "16"] in blocks
    assert ["50"] in blocks
    assert ["2", "3", "4"] in blocks


def test_a_street_section_is_adjacent_to_all_zones_along_it() -> None:
    for name in ("2", "3", "4", "14", "15", "16"):
        found = look(quarter(), "S1", name)
        assert (found.status, decisive(found).rule) == ("clear", "4.3.1.1")
        assert decisive(found).text == f"Street section S1 and zone {name} share a border: Adjacent"
        assert look(quarter(), name, "S1").status == "clear"
    missed = look(quarter(), "S1", "50")
    assert missed.status == "blocked"
    assert decisive(missed).text == (
        "Street section S1 and zone 50: no common side, no target symbol between them; beside S1: 2, 3, 4, 14, 15, 16"
    )


def test_street_sections_with_a_common_side_are_adjacent() -> None:
    found = look(quarter(), "S1", "S3")
    assert decisive(found).text == "Street sections S1 and S3 have a common side: Adjacent"
    missed = look(quarter(), "S1", "S5")
    assert missed.status == "blocked"
    assert decisive(missed).text == "Street sections S1 and S5: no common side, so they are not Adjacent"


def test_a_target_symbol_in_a_street_section() -> None:
    drawn = quarter(target("S4", "4"), target("S4", "16", 1))
    for name in ("4", "16"):
        found = look(drawn, "S4", name)
        assert (found.status, decisive(found).rule) == ("clear", "4.3.1.2")
        assert look(drawn, name, "S4").status == "clear"
        assert look(drawn, name, "S4", target_symbols="as_printed").status == "blocked"
    district = District(survey_of(drawn))
    assert names(district, district.sniper_zones("street-S4")) == ["4", "16", "50"]
    assert district.targets["street-S4"] == ("zone-4", "zone-16")


def test_both_readings_of_neighbouring_from_a_street_section() -> None:
    assert look(quarter(), "S2", "14").status == "blocked"
    for a, b in (("S2", "16"), ("16", "S2")):
        assert look(quarter(), a, b).status == "blocked"
        found = look(quarter(), a, b, street_neighbours="next_section")
        assert (found.status, decisive(found).rule) == ("clear", "4.1.2, 11.1")
        assert decisive(found).text.endswith("are both beside street section S3: Neighbouring")


def test_fire_across_zone_27_needs_a_target_symbol() -> None:
    missed = look(quarter(), "46", "17")
    assert missed.status == "blocked"
    assert "Zone 27 lies between: fire across it needs a target symbol" in [reason.text for reason in missed.reasons]
    found = look(quarter(target("46", "17")), "17", "46")
    assert (found.status, decisive(found).rule) == ("clear", "4.1.2.1")


def test_a_corner_is_no_border() -> None:
    model = put(empty(8, 8), zone("1", (0, 0, 2, 2)), zone("2", (2, 2, 4, 4)), zone("3", (2, 0, 4, 1)))
    missed = look(model, "1", "2")
    assert missed.status == "blocked"
    assert "Zones 1 and 2 meet at a corner only: not Adjacent" in [reason.text for reason in missed.reasons]
    assert look(model, "1", "3").status == "clear"
    # A corner that lies inside the other's side is a corner all the same.
    slanted = Area(id="zone-9", type="zone", name="9", outline=((4 * UNIT, 3 * UNIT), (1500, 600), (1500, 900)))
    assert look(put(model, slanted), "2", "9").status == "blocked"
    assert District(survey_of(model)).corner("zone-2", "zone-9") == (4 * UNIT, 3 * UNIT)
    assert District(survey_of(model)).corner("zone-1", "zone-9") is None


def test_a_continuous_line_closes_a_border() -> None:
    whole = Wall(id="w", type="solid", line=((3 * UNIT, -100), (3 * UNIT, 3 * UNIT)))
    missed = look(quarter(whole), "2", "3")
    # They are beside the same street section, so what is left of them is Neighbouring.
    assert decisive(missed).rule == "4.1.2"
    alone = put(empty(8, 8), zone("1", (0, 0, 2, 2)), zone("2", (2, 0, 4, 2)))
    assert look(alone, "1", "2").status == "clear"
    part = Wall(id="part", type="solid", line=((2 * UNIT, 0), (2 * UNIT, UNIT)))
    assert look(put(alone, part), "1", "2").status == "clear"
    rest = Wall(id="rest", type="solid", line=((2 * UNIT, 2 * UNIT), (2 * UNIT, UNIT - 1)))
    missed = look(put(alone, rest), "1", "2")
    assert missed.status == "blocked"
    assert "no open border" in missed.reasons[0].text
    assert missed.reasons[1].text == "Zones 1 and 2 share a border that is all continuous line: not Adjacent"


def test_a_blocked_line_names_the_nearest_miss() -> None:
    missed = look(quarter(), "3", "50")
    assert decisive(missed).text == (
        "Zones 3 and 50: no common border, no street section beside both, no target symbol between them; "
        "nearest: S1 beside 3 is next to S3 beside 50"
    )
    far = put(empty(8, 8), zone("3", (0, 0, 2, 2)), street("S4", (0, 2, 2, 3)), zone("19", (5, 0, 7, 2)))
    missed = look(put(far, street("S7", (5, 2, 7, 3))), "3", "19")
    assert decisive(missed).text.endswith("; beside 3: S4; beside 19: S7")


# -- boxes and units -----------------------------------------------------------------------------------------------


def boxed() -> MapModel:
    return quarter(
        *(box("26", what) for what in ("OG", "C", "1", '1"', "2", "2'", "R")),
        *(box("17", what, (10, 10), *tags) for what, tags in (("C", ("door",)), ("R", ()), ("OG", ()))),
        box("50", "C"),
    )


def test_a_box_has_the_lines_of_its_zone() -> None:
    found = look(boxed(), "17 C", "26 2'")
    assert found.status == "clear"
    assert [reason.text for reason in found.reasons][:2] == [
        "17 C: a unit in it has the lines of fire of zone 17",
        "26 2': a unit in it has the lines of fire of zone 26",
    ]
    assert look(boxed(), "17 C", "50 C").status == look(boxed(), "17", "50").status == "blocked"
    assert look(boxed(), "S8", "26 R").status == "clear"


def test_both_readings_within_one_zone() -> None:
    for a, b in (("26 C", "26 R"), ("26", "26 R"), ("26 R", "26")):
        found = look(boxed(), a, b)
        assert (found.status, decisive(found).rule) == ("blocked", "11.1.1")
        found = look(boxed(), a, b, within_zone="clear")
        assert (found.status, decisive(found).rule) == ("clear", "12.7.1")
    assert look(boxed(), "26 C", "26 C").status == "clear"


def test_a_box_in_ruins_no_longer_exists() -> None:
    ruined = put(boxed(), Marker(id="m", type="rubble", at="26 2'"))
    found = look(ruined, "17", "26 2'")
    assert (found.status, decisive(found).rule) == ("blocked", "4.1.6")
    assert look(ruined, "17", "26 R").status == "clear"
    # On the zone itself the marker stands for all of 2, 2' and R; the other boxes stay.
    ruined = put(boxed(), Marker(id="m", type="rubble", at="26"))
    seen = {what: look(ruined, "17", f"26 {what}").status for what in ("OG", "C", "1", "2", "2'", "R")}
    assert seen == {"OG": "clear", "C": "clear", "1": "clear", "2": "blocked", "2'": "blocked", "R": "blocked"}


def test_egress_routes_lead_to_zones_and_exits() -> None:
    def route(name: str, a: str, b: str) -> Link:
        return Link(id=name, type="egress", a=a, b=b, one_way=True)

    def off(kind: str, name: str) -> Place:
        return Place(id=f"{kind}-1", type=kind, name=name, at=(20, 20))

    model = put(empty(6, 4), zone("1", (0, 0, 2, 2)), zone("2", (2, 0, 4, 2)), street("S1", (0, 2, 4, 3)))
    put(model, off("exit", "EXIT"), off("reinforcements", "Company reinforcements"))
    put(model, route("a", "1", "2"), route("b", "2", "EXIT"))
    assert District(survey_of(model)).misplaced() == []
    put(model, route("c", "S1", "1"), route("d", "1", "1"), route("e", "1", "S1"))
    put(model, route("f", "1", "Company reinforcements"), route("g", "1", "nowhere"))
    found = {one.link: one.text.partition(": ")[2] for one in District(survey_of(model)).misplaced()}
    assert found == {
        "c": "S1 is no zone",
        "d": "it leads from a zone to itself; off the map it leads to an exit",
        "e": "S1 is neither a zone nor an exit",
        "f": "Company reinforcements is neither a zone nor an exit",
        "g": "nowhere is neither a zone nor an exit",
    }


def test_a_box_of_no_zone_has_no_lines() -> None:
    lost = box("17", "C")
    model = put(empty(4, 4), zone("26", (0, 0, 2, 2)), street("S1", (2, 0, 3, 2)), lost)
    assert "belongs to no zone" in decisive(look(model, "26", "17 C")).text
    assert look(model, "17 C", "S1").status == "blocked"


def test_a_zone_out_of_play_has_no_lines() -> None:
    model = put(
        empty(6, 4),
        zone("1", (0, 0, 2, 2), "out_of_play"),
        zone("2", (2, 0, 4, 2)),
        street("S1", (0, 2, 4, 3)),
        box("1", "C"),
        box("1", "R", (12, 12)),
    )
    for a, b in (("1", "2"), ("2", "1 C"), ("S1", "1"), ("1", "1 C"), ("1 C", "1 R")):
        found = look(model, a, b, within_zone="clear")
        assert (found.status, decisive(found).rule) == ("blocked", "12.4.1")
        assert decisive(found).text == "Zone 1: out of play, so no unit is ever in it"
    assert look(model, "S1", "2").status == "clear"


def test_an_m1a1_fires_from_street_sections_and_not_at_rooftops() -> None:
    tank = Conditions(from_kind="m1a1_abrams")
    assert look(boxed(), "S8", "26 C", tank).status == "clear"
    for a, b in (("S8", "26 R"), ("17 OG", "26 C")):
        found = look(boxed(), a, b, tank)
        assert (found.status, decisive(found).rule) == ("blocked", "11.1.3")
        assert look(boxed(), a, b, Conditions(from_kind="usmc_squad")).status == "clear"
    with pytest.raises(ScenarioRuleError, match="m1a1_abrams"):
        look(boxed(), "S8", "26 C", Conditions(from_kind="m1a1"))


def test_modifiers_of_fire() -> None:
    model = put(boxed(), box("16", "1'"), box("16", "R"))
    modifiers = {
        (label, kind): look(model, "S8", label, Conditions(to_kind=kind)).modifiers.get("DRM", 0)
        for label in ("16 1'", "16 R", "16", "26 1", "26 R")
        for kind in ("guerillas", "martyrs", "suspect")
    }
    # The first is the text's own example; in the mosque it is +3 whatever the box.
    assert modifiers == {
        ("16 1'", "martyrs"): 2,
        ("16 1'", "guerillas"): 1,
        ("16 1'", "suspect"): 1,
        ("16 R", "martyrs"): 1,
        ("16 R", "guerillas"): 0,
        ("16 R", "suspect"): 1,
        ("16", "martyrs"): 1,
        ("16", "guerillas"): 0,
        ("16", "suspect"): 1,
        **{(label, kind): 3 for label in ("26 1", "26 R") for kind in ("guerillas", "martyrs")},
        **{(label, "suspect"): 1 for label in ("26 1", "26 R")},
    }
    strong = put(model, Marker(id="m", type="activated_strong_point", at="16"))
    found = {
        kind: look(strong, "S8", "16 1'", Conditions(to_kind=kind)).modifiers
        for kind in ("guerillas", "martyrs", "suspect")
    }
    assert found == {"guerillas": {"DRM": 3}, "martyrs": {"DRM": 3}, "suspect": {"DRM": 1}}
    assert look(model, "S8", "16 1'").modifiers == {}
    assert look(model, "S8", "S7", Conditions(to_kind="martyrs")).modifiers == {}
    assert look(model, "2", "50", Conditions(to_kind="martyrs")).modifiers == {}
    assert look(model, "26 C", "26 1", Conditions(to_kind="martyrs"), within_zone="clear").modifiers == {}
    with pytest.raises(ScenarioRuleError, match="guerillas"):
        look(model, "S8", "16", Conditions(to_kind="guerilla"))


def test_the_phantom_fury_event_helps_marines_in_and_beside_its_zone() -> None:
    model = put(boxed(), box("3", "C"), Marker(id="m", type="phantom_fury", at="15"))
    # Zone 3 is Neighbouring to 15, zone 16 Adjacent; zone 50 is neither.
    for a, b, total in (("15", "3 C", 0), ("16", "3 C", 0), ("2", "3 C", 0), ("50", "16", 0)):
        found = look(model, a, b, Conditions(to_kind="guerillas"))
        assert found.modifiers.get("DRM", 0) == total
        assert ("13.4.3.2" in {reason.rule for reason in found.reasons}) == (a != "50")
    for kind, helped in (("usmc_squad", True), ("iif_squad", False)):
        found = look(model, "16", "3 C", Conditions(to_kind="guerillas", from_kind=kind))
        assert ("13.4.3.2" in {reason.rule for reason in found.reasons}) == helped


def test_adjacent_locations() -> None:
    model = put(
        boxed(),
        Link(id="arrow-1", type="arrow", a="26 1", b="26 2"),
        Link(id="arrow-2", type="arrow", a="26 C", b="26 1", one_way=True),
        Link(id="roof-1", type="roof", a="17 R", b="26 R"),
        Link(id="door-1", type="door", a="26 C", b="17 C"),
        Link(id="door-2", type="door", a="50 C", b="S6"),
        Link(id="door-3", type="door", a="17 OG", b="50 C"),
        Link(id="arrow-3", type="arrow", a="17 C", b="26 C"),
        Link(id="fire-1", type="line_of_fire", a="17", b="S1"),
        Link(id="fire-2", type="line_of_fire", a="17", b="18"),
        Link(id="fire-3", type="line_of_fire", a="17", b="17"),
    )
    district = District(survey_of(model))
    found = {(one.a, one.b, one.by, one.one_way) for one in district.passages() if one.by != "section"}
    assert found == {
        ("26 1", "26 2", "arrow", False),
        ("26 C", "26 1", "arrow", True),
        ("17 R", "26 R", "roof", False),
        ("26 C", "17 C", "door", False),
        # A street section is Adjacent to every box with a door entry symbol in the zones beside it.
        *((f"S{number}", "50 C", "street", False) for number in (2, 3, 4, 5, 6)),
        ("S8", "17 C", "street", False),
        ("S8", "17 OG", "street", False),
        ("S8", "26 C", "street", False),
    }
    sections = {(one.a, one.b) for one in district.passages() if one.by == "section"}
    assert {("S1", "S3"), ("S2", "S3"), ("S6", "S8"), ("S7", "S8")} <= sections
    faults = {one.link: one.text for one in district.misplaced()}
    assert list(faults) == ["arrow-3", "door-3", "fire-1", "fire-2", "fire-3"]
    assert "boxes of two Adjacent zones" in faults["door-3"]
    assert "18 is no zone" in faults["fire-2"]


def test_snipers_in_a_zone_and_in_a_street_section() -> None:
    district = District(survey_of(quarter()))
    assert names(district, district.sniper_zones("zone-3")) == ["2", "4", "14", "15", "16"]
    assert names(district, district.sniper_zones("street-S3")) == ["16", "50"]


# -- many pairs at once --------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_sightings_fields_and_tables_say_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make(rng, int(rng.integers(2, 8)), int(rng.integers(2, 9)))
    options = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    tank = bool(rng.random() < 0.3)
    judge = judge_of(model, Conditions(from_kind="m1a1_abrams" if tank else ""), **options)
    table = make_table(judge.directory, judge)
    codes = table.to_array()
    numbers = judge.directory.numbers
    some = rng.permutation(len(numbers))[:40].tolist()
    for i, j in product(some[:12], some):
        a, b = int(numbers[i]), int(numbers[j])
        one = judge.sighting(a, b)
        assert STATUSES[codes[i, j]] == one.status, str(one)
        assert one.reasons
        assert one.hindrances == 0
        if options["target_symbols"] == "both_ways" and not tank:
            assert judge.sighting(b, a).status == one.status
    for i in some[:3]:
        field, hindrances = judge.field(int(numbers[i]))
        assert hindrances == {}
        assert field.shape == (len(judge.directory),)
        assert (field[numbers] == codes[i]).all()
        assert (np.delete(field, numbers) == 0).all()


def test_a_map_without_anything_has_an_empty_table() -> None:
    judge = judge_of(empty(3, 3))
    assert make_table(judge.directory, judge).to_array().shape == (0, 0)
    boxes_only = judge_of(put(empty(3, 3), box("1", "C"), box("1", "R")))
    assert make_table(boxes_only.directory, boxes_only).to_array().tolist() == [[1, 3], [3, 1]]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_adjacency_is_that_of_the_polygons(seed: int) -> None:
    model = make(np.random.default_rng(seed), 6, 6)
    for wall in model.features_of(Wall):
        del model.features[wall.id]
    district = District(survey_of(model))
    shapes = {area.id: shapely.Polygon(area.outline) for area in model.features_of(Area)}
    for a, b in product(shapes, shapes):
        if a < b:
            shared = shapely.intersection(shapes[a], shapes[b])
            assert (b in district.touching[a]) == (shared.length > 0)
            assert (district.corner(a, b) is not None) == (shared.length == 0 and not shared.is_empty)
    for zone_id in district.zones:
        across = {
            other
            for other in district.zones
            if other != zone_id
            and other not in district.touching[zone_id]
            and any(s in district.touching[other] for s in district.touching[zone_id] if s.startswith("street"))
        }
        assert district.neighbouring(zone_id) == across


@given(
    spans=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=6),
    ends=st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda pair: pair[0] != pair[1]),
    step=st.tuples(st.integers(-5, 5), st.integers(-5, 5)).filter(any),
    origin=st.tuples(st.integers(-50, 50), st.integers(-50, 50)),
)
def test_what_is_left_of_a_stretch(
    spans: list[tuple[int, int]], ends: tuple[int, int], step: tuple[int, int], origin: tuple[int, int]
) -> None:
    def at(place: int) -> tuple[int, int]:
        return origin[0] + place * step[0], origin[1] + place * step[1]

    aside = (origin[0] - step[1], origin[1] + step[0])
    others = [(at(low), at(high)) for low, high in spans]
    left = Stretches([*others, (aside, (aside[0] + step[0], aside[1] + step[1]))]).outside((at(ends[0]), at(ends[1])))
    way = 1 if ends[0] < ends[1] else -1
    free = [
        place
        for place in range(ends[0], ends[1], way)
        if not any(min(span) <= min(place, place + way) < max(span) for span in spans)
    ]
    found = [
        place for place in range(ends[0], ends[1], way) if any(_covers(one, at(place), at(place + way)) for one in left)
    ]
    assert found == free


def _covers(segment: tuple[tuple[int, int], tuple[int, int]], p: tuple[int, int], q: tuple[int, int]) -> bool:
    line = shapely.LineString(segment)
    return bool(line.distance(shapely.Point(p)) < 1e-9 and line.distance(shapely.Point(q)) < 1e-9)


# -- a list kept by hand -------------------------------------------------------------------------------------------


def lists_of(model: MapModel) -> dict[str, ZoneLists]:
    """Return what a faithful list of a map would say."""
    district = District(survey_of(model))
    return {
        district.label(one): ZoneLists(
            adjacent=tuple(names(district, district.zones_beside(one))),
            neighbouring=tuple(names(district, district.neighbouring(one))),
            targets=tuple(district.label(other) for other in district.targets.get(one, ())),
        )
        for one in district.zones
    }


def test_a_faithful_list_agrees_with_the_map() -> None:
    model = quarter(target("46", "3"))
    assert compare_adjacency(survey_of(model), lists_of(model)) == []


def test_a_zone_that_is_listed_one_way_only() -> None:
    model = quarter(target("46", "3"))
    given_ = lists_of(model)
    given_["3"] = ZoneLists(adjacent=("2",), neighbouring=given_["3"].neighbouring, targets=())
    found = compare_adjacency(survey_of(model), given_)
    assert [(one.kind, one.relation, one.a, one.b) for one in found] == [
        ("not_listed", "adjacent", "3", "4"),
        ("one_way", "adjacent", "4", "3"),
    ]
    assert found[0].text == "3 and 4 share a border, but the list of 3 has not 4"
    assert found[1].text == "4: its list has 3 as adjacent, the list of 3 has not 4"


def test_what_is_listed_but_not_drawn() -> None:
    model = put(empty(8, 8), zone("1", (0, 0, 2, 2)), zone("2", (2, 2, 4, 4)), zone("3", (2, 0, 4, 2)))
    put(model, street("S1", (4, 0, 5, 4)), Wall(id="w", type="solid", line=((2 * UNIT, 0), (2 * UNIT, 2 * UNIT))))
    given_ = {
        "1": ZoneLists(adjacent=("2", "3"), targets=("3",)),
        "2": ZoneLists(adjacent=("3", "Midlands"), neighbouring=("3", "1")),
        "9": ZoneLists(),
    }
    found = compare_adjacency(survey_of(model), given_)
    assert [one.text for one in found] == [
        "2: its list names Midlands, which is no zone of the map; allowed: 1, 2, 3",
        "9: the list has this zone, the map has not; allowed: 1, 2, 3",
        f"1: its list has 2, but they meet at a corner only, at {2 * UNIT}, {2 * UNIT}",
        "1: its list has 3, but all of their border is a continuous line",
        "1: its list has 2 as adjacent, the list of 2 has not 1",
        "2: its list has 1, but no street section is beside both",
        "2: its list has 3, but they share a border: Adjacent, so not Neighbouring",
        "1: its list has 3, but no target symbol drawn in it names that zone",
    ]


def test_two_zones_with_one_name() -> None:
    model = put(empty(8, 8), zone("Midlands", (0, 0, 2, 2)), zone("2", (2, 0, 4, 2)))
    put(model, Area(id="other", type="zone", name="Midlands", outline=((0, 480), (480, 480), (480, 960), (0, 960))))
    found = compare_adjacency(survey_of(model), {"2": ZoneLists(adjacent=("Midlands",))})
    assert (found[0].kind, found[0].a) == ("same_name", "Midlands")
    assert "2 areas have this name (other, zone-Midlands)" in found[0].text
    # Both stay apart: the first has the name, the other goes by its id.
    assert look(model, "zone-Midlands", "2").status == "clear"
    assert look(model, "Midlands", "2").status == "blocked"


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20)
def test_every_change_of_a_list_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make(rng, 7, 7, boxes=False)
    survey, given_ = survey_of(model), lists_of(model)
    assert compare_adjacency(survey, given_) == []
    if len(given_) < 2:
        return
    a, b = rng.choice(list(given_), size=2, replace=False).tolist()
    listed = set(given_[a].adjacent or ())
    given_[a] = ZoneLists(adjacent=tuple(listed ^ {b}))
    found = {(one.kind, one.a, one.b) for one in compare_adjacency(survey, given_)}
    if b in listed:
        assert found == {("not_listed", a, b), ("one_way", b, a)}
    else:
        assert found == {("not_drawn", a, b), ("one_way", a, b)}


# -- proposals -----------------------------------------------------------------------------------------------------


def avenue(*more: Feature) -> MapModel:
    """Return zones 1 and 2 at the ends of a straight street of three sections, and zone 3 round the corner."""
    return put(
        empty(16, 10),
        zone("1", (0, 0, 2, 4)),
        street("S1", (2, 1, 5, 3)),
        street("S2", (5, 1, 8, 3)),
        street("S3", (8, 1, 11, 3)),
        zone("2", (11, 0, 13, 4)),
        street("S4", (8, 3, 10, 9)),
        zone("3", (8, 9, 10, 11)),
        *more,
    )


def test_zones_that_see_each_other_along_a_street_are_proposed() -> None:
    survey = survey_of(avenue())
    found = suggest_lines_of_fire(survey, streets=False)
    assert [(one.a, one.b, one.through) for one in found] == [("1", "2", ("S1", "S2", "S3"))]
    assert found[0].segment == ((2 * UNIT, 1.5 * UNIT), (11 * UNIT, 1.5 * UNIT))
    assert found[0].length == 9 * UNIT
    # Each front is two windows, and each sees both of the other.
    assert (found[0].views, found[0].score) == (4, Fraction(1))
    steps: list[tuple[int, int]] = []
    assert suggest_lines_of_fire(survey, streets=False, progress=lambda *step: steps.append(step)) == found
    assert steps[-1][0] == steps[-1][1]


def test_proposals_of_street_sections() -> None:
    found = {(one.a, one.b) for one in suggest_lines_of_fire(survey_of(avenue()))}
    # S1 has zone 1 beside it and looks along S2 and S3 at zone 2; S4 looks out into S3, and there at zone 2.
    assert found == {("1", "2"), ("S1", "2"), ("S2", "2"), ("S2", "1"), ("S3", "1"), ("S3", "3"), ("S4", "2")}


def test_a_building_in_the_way_and_a_view_too_narrow() -> None:
    block = zone("4", (6, 2, 7, 3))
    # The hole that zone 4 fills is cut out of the street, which leaves a lane one unit wide.
    hole = avenue()
    del hole.features["street-S2"]
    lane = Area(
        id="street-S2",
        type="street",
        name="S2",
        outline=tuple(
            (UNIT * x, UNIT * y) for x, y in ((5, 1), (8, 1), (8, 3), (7, 3), (7, 2), (6, 2), (6, 3), (5, 3))
        ),
    )
    survey = survey_of(put(hole, block, lane))
    one = next(one for one in suggest_lines_of_fire(survey, streets=False) if (one.a, one.b) == ("1", "2"))
    assert 0 < one.score < 1
    assert not [
        one for one in suggest_lines_of_fire(survey, width=UNIT + 1, streets=False) if (one.a, one.b) == ("1", "2")
    ]
    across = Wall(id="w", type="solid", line=((6 * UNIT, 0), (6 * UNIT, 2 * UNIT)))
    pairs = {(one.a, one.b) for one in suggest_lines_of_fire(survey_of(put(hole, across)), streets=False)}
    assert ("1", "2") not in pairs


def test_pairs_that_see_each_other_already_are_not_proposed() -> None:
    # Zones 5 and 1 are both beside S1: Neighbouring.
    model = avenue(zone("5", (2, 3, 4, 5)))
    assert ("1", "5") not in {(one.a, one.b) for one in suggest_lines_of_fire(survey_of(model))}
    assert suggest_lines_of_fire(survey_of(avenue(target("2", "1"))), streets=False) == []
    printed = suggest_lines_of_fire(
        survey_of(avenue(target("2", "1"))), {"target_symbols": "as_printed"}, streets=False
    )
    assert [(one.a, one.b) for one in printed] == [("1", "2")]
    both = suggest_lines_of_fire(survey_of(avenue()), {"target_symbols": "as_printed"}, streets=False)
    assert [(one.a, one.b) for one in both] == [("1", "2"), ("2", "1")]


def test_windows_that_meet_in_a_corner() -> None:
    # The fronts of zones 1 and 2 meet at a right angle; a line from the corner on hides one window from the other.
    model = put(empty(8, 8), zone("1", (0, 0, 2, 2)), street("S1", (2, 0, 4, 2)), zone("2", (2, 2, 4, 4)))
    survey = survey_of(model)
    windows = OpenGround(District(survey)).windows(10 * UNIT, streets=False)
    assert len(windows) == 2

    def seen(survey: Survey) -> int:
        edge = OpenGround(District(survey)).edge
        return len(clear_views(windows, edge, lambda _a, _b: True, 1, 10**5)[0])

    assert seen(survey) == 1
    across = Wall(id="w", type="solid", line=((2 * UNIT, 2 * UNIT), (3 * UNIT, UNIT)))
    assert seen(survey_of(put(model, across))) == 0


def test_views_pass_over_open_ground_and_end_at_their_reach() -> None:
    model = put(
        empty(16, 10),
        zone("46", (0, 0, 2, 2)),
        street("S1", (2, 0, 3, 2)),
        zone("27", (3, 0, 9, 2), "no_control"),
        street("S2", (9, 0, 10, 2)),
        zone("17", (10, 0, 12, 2)),
    )
    found = suggest_lines_of_fire(survey_of(model), streets=False)
    assert [(one.a, one.b, one.through) for one in found] == [("17", "46", ("S2", "27", "S1"))]
    assert suggest_lines_of_fire(survey_of(model), streets=False, reach=8 * UNIT - 1) == []
    assert len(suggest_lines_of_fire(survey_of(model), streets=False, reach=8 * UNIT)) == 1
    for wrong in ({"width": 0}, {"window": 1.5}, {"reach": True}):
        with pytest.raises(ScenarioRuleError, match=next(iter(wrong))):
            suggest_lines_of_fire(survey_of(model), **wrong)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        suggest_lines_of_fire(survey_of(model), {"target": "both_ways"})


def test_accepted_proposals_become_target_symbols() -> None:
    drawn = studio.new_map("phantom_fury", 16, 10)
    for feature in avenue(target("2", "3", 4)).features.values():
        drawn.add(feature)
    assert drawn.sight("1", "2").status == "blocked"
    links = links_for(drawn.survey, suggest_lines_of_fire(drawn.survey, {"target_symbols": "as_printed"}))
    assert [link.order for link in links if link.a == "2"] == [5]
    for link in links:
        drawn.add(link)
    assert drawn.sight("1", "2", options={"target_symbols": "as_printed"}).status == "clear"
    assert drawn.field_of_view("S1").status("2") == "clear"
    assert suggest_lines_of_fire(drawn.survey, {"target_symbols": "as_printed"}) == []


def slow_views(survey: Survey, windows: Windows, width: int) -> set[tuple[int, int]]:
    """Find the clear views by polygons: the quadrilateral of two windows has to lie in the union of the open areas."""
    district = District(survey)
    open_areas = [
        shapely.Polygon(area.outline)
        for area in district.areas.values()
        if area.type == "street" or "no_control" in area.tags
    ]
    ground = shapely.union_all(open_areas)
    walls = shapely.union_all([shapely.LineString(wall.line) for wall in survey.features_of(Wall)])
    found = set()
    for i, j in product(range(len(windows)), repeat=2):
        if windows.owner[i] >= windows.owner[j]:
            continue
        corners = [tuple(map(int, ends[at])) for at in (i, j) for ends in (windows.first, windows.last)]
        p, q = (tuple(Fraction(u + v, 2) for u, v in zip(*pair, strict=True)) for pair in (corners[:2], corners[2:]))
        view = shapely.Polygon(corners)
        across = [(v[0] - u[0]) * (q[1] - p[1]) - (v[1] - u[1]) * (q[0] - p[0]) for u, v in (corners[:2], corners[2:])]
        far = (q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2
        facing = view.area > 0 and view.is_valid and shapely.is_ccw(view.exterior)
        convex = facing and view.convex_hull.area == view.area
        if not convex or any(value * value < width * width * far for value in across):
            continue
        inside = view.difference(ground).area == 0
        if inside and not (not walls.is_empty and view.relate_pattern(walls, "T********")):
            found.add((i, j))
    return found


@given(seed=st.integers(0, 10**6), width=st.sampled_from([1, 60, 200]))
@settings(max_examples=15)
def test_views_are_those_of_the_polygons(seed: int, width: int) -> None:
    model = make(np.random.default_rng(seed), 4, 5, boxes=False)
    survey = survey_of(model)
    ground = OpenGround(District(survey))
    windows = ground.windows(400, streets=True)
    pairs, _ = clear_views(windows, ground.edge, lambda _a, _b: True, width, 10**6)
    assert set(map(tuple, pairs.tolist())) == slow_views(survey, windows, width)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_proposals_are_new_and_run_over_open_ground(seed: int) -> None:
    model = make(np.random.default_rng(seed), 6, 7, boxes=False)
    survey = survey_of(model)
    judge = judge_of(model)
    number = judge.directory.number
    open_ = {area.name: shapely.Polygon(area.outline) for area in model.features_of(Area)}
    for one in suggest_lines_of_fire(survey):
        assert judge.sighting(number(one.a), number(one.b)).status == "blocked"
        line = shapely.LineString(one.segment)
        assert line.length == pytest.approx(one.length)
        assert sum(line.intersection(open_[name]).length for name in one.through) == pytest.approx(line.length)
        assert 0 < one.score <= 1


# -- as people use it ----------------------------------------------------------------------------------------------


def test_a_map_of_zones_by_the_api() -> None:
    drawn = studio.new_map("phantom_fury", 12, 12)
    for feature in boxed().features.values():
        drawn.add(feature)
    assert drawn.sight("3", "16").status == "clear"
    view = drawn.field_of_view("50")
    assert "50 C" in view.blocked
    assert {"50", "S3", "S4", "S5", "S6", "16"} <= set(view.clear)
    table = drawn.sight_table()
    assert len(table.names) == len(boxed().features)
    assert table.status("3", "15") == "clear"
    # Taking a street section away takes its lines away.
    drawn.remove("street-S1")
    assert drawn.sight("3", "16").status == "blocked"

"""The Phantom Fury district is a reconstruction: it has to obey every fact that the rulebook gives about the print."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

import numpy as np
import pytest
import shapely

import studio
from studio.model import Area, Link, Place
from studio.rules import get_ruleset
from studio.rules.phantom_fury.district import District
from studio.rules.phantom_fury.suggest import Proposal, suggest_lines_of_fire

ROOT = Path(__file__).parents[2]
FILE = ROOT / "maps" / "phantom-fury.map.json"

BOXES = {
    "OG": "open_ground",
    "C": "courtyard",
    "1": "first_story",
    "1'": "first_story",
    '1"': "first_story",
    "2": "second_story",
    "2'": "second_story",
    "R": "rooftop",
}

Check = Callable[[District], bool]
FACTS: list[tuple[str, str, Check]] = []


def fact(section: str) -> Callable[[Check], Check]:
    """Enter a check in the table of facts; its name says the fact."""

    def enter(check: Check) -> Check:
        FACTS.append((section, check.__name__, check))
        return check

    return enter


@pytest.fixture(scope="module")
def printed() -> studio.Map:
    return studio.open_map(FILE, recover_unsaved=False)


@pytest.fixture(scope="module")
def district(printed: studio.Map) -> District:
    return District(printed.survey)


# -- short words -------------------------------------------------------------------------------------------------------


def zone(district: District, label: str) -> Area:
    return district.areas[district.id_of(label)]


def zones(district: District) -> list[str]:
    return [district.label(area_id) for area_id in district.zones]


def tagged(district: District, tag: str) -> set[str]:
    return {label for label in zones(district) if tag in zone(district, label).tags}


def beside(district: District, label: str) -> set[str]:
    """Zones that are Adjacent to a zone or a street section, by label."""
    return {district.label(other) for other in district.zones_beside(district.id_of(label))}


def across(district: District, label: str) -> set[str]:
    """Zones that are Neighbouring to a zone."""
    return {district.label(other) for other in district.neighbouring(district.id_of(label))}


def boxes(district: District, label: str) -> dict[str, Place]:
    """Boxes of a zone by their mark."""
    return {
        name.removeprefix(f"{label} "): box
        for name, box in district.boxes.items()
        if district.home(box) == district.id_of(label)
    }


def links(district: District, kind: str) -> list[Link]:
    return [link for link in district.survey.features_of(Link) if link.type == kind]


def routes(district: District) -> dict[str, list[Link]]:
    found = defaultdict(list)
    for link in sorted(links(district, "egress"), key=lambda link: link.order):
        found[link.a].append(link)
    return found


def southern(district: District) -> set[str]:
    """Zones along the south edge."""
    edge = max(y for area in district.areas.values() for _, y in area.outline)
    return {
        label
        for label in zones(district)
        if sum(y == edge for _, y in zone(district, label).outline) >= 2  # a side, not a corner
    }


def northern_streets(district: District) -> set[str]:
    edge = min(y for area in district.areas.values() for _, y in area.outline)
    return {street for street in district.streets if sum(y == edge for _, y in district.areas[street].outline) >= 2}


def metres(district: District, label: str) -> shapely.Polygon:
    survey = district.survey
    scale = np.array(survey.grid.scale) * get_ruleset("phantom_fury").catalogue.hex_metres
    return shapely.transform(survey.polygon(district.id_of(label)), lambda points: points * scale)


# -- the table of facts ------------------------------------------------------------------------------------------------


@fact("4.1")
def there_are_61_zones_with_the_numbers_1_to_61(district: District) -> bool:
    return zones(district) == [str(number) for number in range(1, 62)]


@fact("4.1")
def a_zone_is_about_50_by_50_metres(district: District) -> bool:
    sizes = [metres(district, label).area for label in zones(district)]
    return 2200 <= median(sizes) <= 2800 and min(sizes) > 1500 and max(sizes) < 5500


@fact("4.1")
def street_sections_are_about_as_long_as_zones(district: District) -> bool:
    lengths = []
    for street in district.streets:
        x0, y0, x1, y1 = metres(district, district.label(street)).bounds
        lengths.append(max(x1 - x0, y1 - y0))
    return 45 <= median(lengths) <= 60 and min(lengths) > 25 and max(lengths) < 100


@fact("4.1.1")
def zone_3_is_adjacent_to_2_and_4(district: District) -> bool:
    return beside(district, "3") == {"2", "4"}


@fact("4.1.2")
def zone_3_is_neighbouring_to_14_15_and_16(district: District) -> bool:
    return {"14", "15", "16"} <= across(district, "3")


@fact("4.1.2.1")
def a_target_symbol_makes_46_neighbouring_to_17_for_fire_only(district: District) -> bool:
    near = beside(district, "17") | across(district, "17")
    return "46" in fired_at(district, "17") and "46" not in near


@fact("4.1.3, 6.2")
def every_circle_is_black_white_or_red(district: District) -> bool:
    colours = ("black", "white", "red")
    found = {label: [c for c in colours if c in zone(district, label).tags] for label in zones(district)}
    return all(len(found[label]) == (label != "27") for label in found) and found["26"] == ["red"]


@fact("4.1.4, 12.4.1")
def nobody_controls_or_enters_zone_27(district: District) -> bool:
    within = {box.name for box in boxes(district, "27").values()}
    ends = {end for kind in ("door", "roof") for link in links(district, kind) for end in (link.a, link.b)}
    led_to = {end for link in links(district, "egress") for end in (link.a, link.b)}
    closed = not within & (ends | district.doors) and "27" not in led_to
    return closed and tagged(district, "no_control") == tagged(district, "out_of_play") == {"27"}


@fact("4.1.5")
def zone_26_alone_is_fortified_from_the_start(district: District) -> bool:
    return tagged(district, "fortified") == tagged(district, "red") == tagged(district, "mosque") == {"26"}


@fact("4.1.6, 5.3.2")
def what_ruins_take_away_is_never_all_of_a_zone(district: District) -> bool:
    return all(set(boxes(district, label)) - {"2", "2'", "R"} for label in zones(district))


@fact("4.1.7")
def zones_have_two_or_three_routes_to_adjacent_or_neighbouring_zones(district: District) -> bool:
    found = routes(district)
    inner = set(zones(district)) - southern(district) - {"27"}
    return all(
        [link.order for link in found[label]] in ([1, 2], [1, 2, 3])
        and {link.b for link in found[label]} <= beside(district, label) | across(district, label)
        and len({link.b for link in found[label]}) == len(found[label])
        and all(link.one_way and not link.text for link in found[label])
        for label in inner
    )


@fact("4.1.7, 13.6.6")
def zones_along_the_south_edge_have_exit_alone(district: District) -> bool:
    found = routes(district)
    off_map = {place.name for place in district.off_zones.values() if place.type == "exit"}
    exits = {label for label, given in found.items() if any(link.b in off_map for link in given)}
    alone = off_map == {"EXIT"} and all(len(found[label]) == 1 for label in exits)
    return alone and exits == southern(district) == tagged(district, "exit") and len(exits) >= 5


@fact("4.2")
def every_zone_has_several_boxes_and_some_kinds_are_missing(district: District) -> bool:
    counts = [len(boxes(district, label)) for label in zones(district)]
    return min(counts) >= 2 and max(counts) < len(BOXES)


@fact("4.2.1")
def boxes_are_of_five_kinds_with_eight_marks(district: District) -> bool:
    marks = {label: boxes(district, label) for label in zones(district)}
    used = {mark for found in marks.values() for mark in found}
    right = all(box.type == BOXES[mark] for found in marks.values() for mark, box in found.items())
    return used == set(BOXES) and right and sum(map(len, marks.values())) == len(district.boxes)


@fact("4.2.1, 5.3.2")
def marks_with_dashes_follow_those_without(district: District) -> bool:
    follows = {"1'": "1", '1"': "1'", "2'": "2"}
    return all(
        follows[mark] in found
        for found in (boxes(district, label) for label in zones(district))
        for mark in follows.keys() & found.keys()
    )


@fact("4.2.2")
def arrows_join_all_boxes_of_a_zone_and_none_of_two(district: District) -> bool:
    joined = defaultdict(set)
    for link in links(district, "arrow"):
        joined[link.a].add(link.b)
        joined[link.b].add(link.a)
    for label in zones(district):
        names = {box.name for box in boxes(district, label).values()}
        if reached(next(iter(names)), joined) != names:
            return False
    return True


@fact("4.2.2")
def door_and_roof_symbols_stand_in_pairs_in_adjacent_zones(district: District) -> bool:
    for kind in ("door", "roof"):
        if not links(district, kind):
            return False
        for link in links(district, kind):
            a, b = (district.home(district.boxes[end]) for end in (link.a, link.b))
            same = district.boxes[link.a].type == district.boxes[link.b].type == "rooftop"
            if b not in district.zones_beside(a) or same != (kind == "roof"):
                return False
    return district.misplaced() == []


@fact("4.3.1.1, 12.5")
def every_zone_but_27_has_a_door_to_the_street(district: District) -> bool:
    open_ = {district.home(district.boxes[name]) for name in district.doors if "door" in district.boxes[name].tags}
    return all(district.streets_beside(area_id) for area_id in district.zones) and open_ == (
        set(district.zones) - {district.id_of("27")}
    )


@fact("4.3.1.2")
def target_symbols_of_street_sections_name_zones_not_beside_them(district: District) -> bool:
    found = {area_id: named for area_id, named in district.targets.items() if not district.is_zone(area_id)}
    return bool(found) and not any(district.zones_beside(street) & set(named) for street, named in found.items())


@fact("4.4")
def blocks_have_one_to_three_zones(district: District) -> bool:
    sizes = Counter(len(block) for block in district.blocks())
    return set(sizes) == {1, 2, 3}


@fact("4.4, 4.1.1")
def the_blocks_that_the_text_names(district: District) -> bool:
    blocks = [{district.label(area_id) for area_id in block} for block in district.blocks()]
    return all(block in blocks for block in ({"14", "15", "16"}, {"50"}, {"2", "3", "4"}))


@fact("5.1.6")
def the_mosque_is_the_holy_building(district: District) -> bool:
    return tagged(district, "holy") == {"26"}


@fact("5.3.2")
def three_suspects_find_room_in_zone_26(district: District) -> bool:
    return tagged(district, "suspects-3") == {"26"} and len(set(boxes(district, "26")) - {"2", "2'", "R"}) >= 3


@fact("6.2")
def nine_black_circles_mark_normal_start_zones(district: District) -> bool:
    start = tagged(district, "start")
    return len(start) == 9 and start == tagged(district, "black") and not start & tagged(district, "fortified")


@fact("6.3, 10.1")
def each_start_zone_has_one_entry_symbol_and_no_other_zone_has(district: District) -> bool:
    homes = [district.label(district.home(box)) for box in district.boxes.values() if "entry" in box.tags]
    return Counter(homes) == Counter(tagged(district, "start"))


@fact("6.3, 10.1 to 10.4")
def four_kinds_of_reinforcements_have_boxes_off_the_zones(district: District) -> bool:
    boxes_ = {place.name for place in district.off_zones.values() if place.type == "reinforcements"}
    return boxes_ == {f"{kind} reinforcements" for kind in ("Company", "Armoured", "Battalion", "Iraqi")}


@fact("9.2, 9.3")
def three_missions_have_spaces_from_0_to_their_maximum(district: District) -> bool:
    most = {"Dragon Eye": 4, "Super Cobra": 2, "Hornet": 1}
    spaces = {place.name for place in district.off_zones.values() if place.type == "mission_space"}
    return spaces == {f"{name} {number}" for name, top in most.items() for number in range(top + 1)}


@fact("9.3")
def every_mission_has_its_marker(district: District) -> bool:
    return {"dragon_eye", "super_cobra", "hornet"} <= set(get_ruleset("phantom_fury").marker_types)


@fact("10.2")
def tanks_enter_by_street_sections_along_the_north_edge_beside_start_zones(district: District) -> bool:
    streets = northern_streets(district)
    met = {district.label(other) for street in streets for other in district.zones_beside(street)}
    return len(streets) >= 5 and met == tagged(district, "start")


@fact("12.4.1, 12.6.2")
def tanks_reach_open_ground_in_zone_26_and_elsewhere(district: District) -> bool:
    return "OG" in boxes(district, "26") and sum("OG" in boxes(district, label) for label in zones(district)) > 20


@fact("13.4.8")
def a_rooftop_over_a_2nd_story_leads_down_into_it(district: District) -> bool:
    arrows = {frozenset((link.a, link.b)) for link in links(district, "arrow")}
    both = [label for label in zones(district) if {"R", "2"} <= boxes(district, label).keys()]
    return bool(both) and all(frozenset((f"{label} R", f"{label} 2")) in arrows for label in both)


@fact("13.6.5")
def routes_lead_across_one_street_section_or_along_two(district: District) -> bool:
    found = set()
    for link in links(district, "egress"):
        if link.b in across(district, link.a):
            found.add(len(district.common_streets(district.id_of(link.a), district.id_of(link.b))))
    return {1, 2} <= found


def fired_at(district: District, label: str) -> set[str]:
    return {district.label(other) for other in district.targets.get(district.id_of(label), ())}


def reached(start: str, joined: dict[str, set[str]]) -> set[str]:
    found, pending = {start}, [start]
    while pending:
        for other in joined[pending.pop()] - found:
            found.add(other)
            pending.append(other)
    return found


@pytest.mark.parametrize("check", [pytest.param(check, id=f"{at} {what}") for at, what, check in FACTS])
def test_a_fact_of_the_rulebook(district: District, check: Check) -> None:
    assert check(district)


# -- the drawing -------------------------------------------------------------------------------------------------------


def test_zones_and_street_sections_cover_the_district_without_gap_or_overlap(district: District) -> None:
    """Whole numbers: every edge lies between two areas or on the boundary, and the areas add up to the whole."""
    count: Counter[frozenset[tuple[int, int]]] = Counter()
    doubled = 0
    for area in district.areas.values():
        assert not area.holes
        edges = list(itertools.pairwise((*area.outline, area.outline[0])))
        count.update(frozenset(edge) for edge in edges)
        doubled += abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in edges))
    corners = [corner for edge in count for corner in edge]
    (x0, y0), (x1, y1) = map(min, zip(*corners, strict=True)), map(max, zip(*corners, strict=True))
    assert doubled == 2 * (x1 - x0) * (y1 - y0)
    assert set(count.values()) == {1, 2}
    for p, q in (edge for edge, times in count.items() if times == 1):
        assert any(p[axis] == q[axis] == end for axis, ends in ((0, (x0, x1)), (1, (y0, y1))) for end in ends)


def test_borders_are_wide_enough_to_be_seen(district: District) -> None:
    """No zone touches another area by a sliver of less than 4 m."""
    survey = district.survey
    scale = np.array(survey.grid.scale) * get_ruleset("phantom_fury").catalogue.hex_metres
    for border in survey.borders:
        length = sum(float(np.hypot(*((np.array(q) - np.array(p)) * scale))) for p, q in border.segments)
        assert length >= 4, (border.a, border.b)


def test_it_is_no_chess_board(district: District) -> None:
    upright = total = 0
    for area_id in district.zones:
        outline = district.areas[area_id].outline
        for p, q in itertools.pairwise((*outline, outline[0])):
            upright += p[0] == q[0] or p[1] == q[1]
            total += 1
    assert upright < total / 3
    assert len({len(district.areas[area_id].outline) for area_id in district.zones}) >= 4


def test_boxes_and_discs_lie_inside_their_zones_and_apart(district: District) -> None:
    for label in zones(district):
        found = boxes(district, label)
        polygon, dots = metres(district, label), [zone(district, label).dot, *(box.at for box in found.values())]
        scale = np.array(district.survey.grid.scale) * get_ruleset("phantom_fury").catalogue.hex_metres
        points = [np.array(dot) * scale for dot in dots]
        assert all(polygon.contains(shapely.Point(point).buffer(4)) for point in points), label
        assert all(np.hypot(*(p - q)) >= 8 for p, q in itertools.combinations(points, 2)), label


# -- ways --------------------------------------------------------------------------------------------------------------


def test_every_box_is_reached_from_the_start_zones_across_single_street_sections(district: District) -> None:
    """12.5.4: no squad crosses two street sections in a row; nobody enters zone 27."""
    joined = defaultdict(set)
    for passage in district.passages():
        if passage.by != "section":
            joined[passage.a].add(passage.b)
            joined[passage.b].add(passage.a)
    closed = {box.name for box in boxes(district, "27").values()}
    for name in (name for name, box in district.boxes.items() if "entry" in box.tags):
        assert set(district.boxes) - reached(name, joined) == closed


def test_tanks_reach_every_street_section_from_the_north_edge(district: District) -> None:
    joined = {street: set(district.streets_beside(street)) for street in district.streets}
    assert reached(min(northern_streets(district)), joined) == set(district.streets)


def test_every_route_leads_to_an_exit_and_none_in_a_circle(district: District) -> None:
    found = routes(district)
    onward = {label: {link.b for link in given if link.b != "EXIT"} for label, given in found.items()}
    list(TopologicalSorter(onward).static_order())  # raises CycleError on a circle
    assert {label for label, ends in onward.items() if not ends} == southern(district)
    assert set().union(*onward.values()) <= found.keys()
    assert set(found) == set(zones(district)) - {"27"}


# -- sight -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "rule"),
    [
        ("3", "2", "4.1.1"),
        ("3", "4", "4.1.1"),
        ("3", "14", "4.1.2"),
        ("3", "15", "4.1.2"),
        ("3", "16", "4.1.2"),
        ("14", "15", "4.1.1"),
        ("46", "17", "4.1.2.1"),
        ("15", "40", "4.1.2.1"),
    ],
)
def test_lines_of_fire_that_the_text_gives_and_one_across_zone_27(
    printed: studio.Map, district: District, a: str, b: str, rule: str
) -> None:
    for start, end in ((a, b), (b, a)):
        found = printed.sight(start, end)
        assert found.status == "clear"
        assert rule in {reason.rule for reason in found.reasons}
    in_a, in_b = (next(iter(boxes(district, label).values())).name for label in (a, b))
    assert printed.sight(in_a, in_b).status == "clear"


@pytest.mark.parametrize(("a", "b"), [("1", "61"), ("3", "17"), ("50", "52"), ("17", "45")])
def test_zones_without_anything_between_them_have_no_line(printed: studio.Map, a: str, b: str) -> None:
    assert printed.sight(a, b).status == "blocked"


@pytest.fixture(scope="module")
def views(printed: studio.Map) -> list[Proposal]:
    """What the streets alone suggest."""
    bare = studio.new_map("phantom_fury", printed.grid.columns, printed.grid.rows)
    for area in printed.survey.features_of(Area):
        bare.add(area)
    return suggest_lines_of_fire(bare.survey)


def test_every_target_symbol_follows_a_straight_view(district: District, views: list[Proposal]) -> None:
    seen = {frozenset((view.a, view.b)) for view in views}
    drawn = {frozenset((link.a, link.b)) for link in links(district, "line_of_fire")}
    assert frozenset(("17", "46")) in drawn
    assert drawn <= seen


def test_zones_and_street_sections_fire_across_zone_27(district: District, views: list[Proposal]) -> None:
    """11.1.1, by 4.1.2.1 and 4.3.1.2."""
    drawn = {(link.a, link.b) for link in links(district, "line_of_fire")}
    over = [view for view in views if "27" in view.through and (view.a, view.b) in drawn]
    assert {district.is_zone(district.id_of(view.a)) for view in over} == {True, False}


@pytest.mark.parametrize(
    ("label", "rule", "said"),
    [
        ("Company reinforcements", "6.3, 10", "nothing fires from or at what is off the zones"),
        ("Dragon Eye 0", "9.2", "nothing fires from or at what is off the zones"),
        ("EXIT", "13.6.6", "nothing fires from or at what is off the zones"),
        ("27", "12.4.1", "out of play"),
        ("27 C", "12.4.1", "out of play"),
    ],
)
def test_what_is_off_the_zones_or_out_of_play_has_no_line_of_fire(
    printed: studio.Map, label: str, rule: str, said: str
) -> None:
    for start, end in ((label, "26"), ("26", label)):
        found = printed.sight(start, end)
        assert found.status == "blocked"
        assert any(reason.rule == rule and said in reason.text for reason in found.reasons if reason.effect == "blocks")
    assert printed.field_of_view(label).clear == [label]


def test_what_is_off_the_zones_is_neither_zone_nor_box(district: District) -> None:
    assert len(district.off_zones) == 4 + 10 + 1
    assert not district.off_zones.keys() & district.boxes.keys()
    assert all(place.within == "" for place in district.off_zones.values())


# -- the file ----------------------------------------------------------------------------------------------------------


def test_it_says_that_it_is_a_reconstruction_and_where_its_facts_come_from(printed: studio.Map) -> None:
    assert "reconstruction" in printed.model.notes
    assert "Invented" in printed.model.notes
    assert [source.title for source in printed.model.sources][-1] == "The Wargame Studio authors"
    assert any("Phantom Fury Rulebook" in source.title for source in printed.model.sources)


def test_it_checks_clean_and_is_written_as_the_studio_writes(printed: studio.Map) -> None:
    assert printed.check() == []
    assert FILE.read_text(encoding="utf-8") == printed.to_text()
    assert FILE.stat().st_size < 1_400_000

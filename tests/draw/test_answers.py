"""Pictures of answers: lines between locations of every kind, light and shade, exposure, dead ground, comparisons."""

import itertools
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import (
    StyleError,
    draw_comparison,
    draw_dead_ground,
    draw_exposure,
    draw_field_of_view,
    draw_map,
    draw_sight,
    load_style,
)
from studio.draw.answers_picture import _classes
from studio.draw.colour import VISIONS, delta_e
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.states import _OVER
from studio.draw.trail import Trail
from studio.draw.washes import Entry, key_room, ramp
from tests.draw.scenes import at, district, drawn, has, near, pixels, rgb, street, valley

STYLE = load_style("armageddon_war")


def spot(made: Any, *point: float) -> Any:
    return np.asarray(made.grid.to_map(*point))


def sighting(start: str, end: str, status: str = "clear", **more: Any) -> dict[str, Any]:
    plain = {"hindrances": 0, "modifiers": {}, "reasons": [], "contacts": [], "profile": []}
    return {"from": start, "to": end, "status": status, **plain, **more}


def reason(at: Any, effect: str = "passes", text: str = "something") -> dict[str, Any]:
    return {"rule": "1.1", "at": at, "effect": effect, "text": text}


# -- lines of sight --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [("A.1", "0104"), ("A roof", "A.3"), ("A.2", "A.3"), ("B roof", "0907")])
def test_ends_stand_at_their_dots(pair: tuple[str, str]) -> None:
    made = street()
    axes = draw_sight(made, sighting(*pair))
    image = pixels(axes)
    directory = made.survey.directory
    for label in pair:
        dot = spot(made, *directory.dot(directory.number(label)))
        assert np.abs(at(axes, image, dot) - rgb(STYLE.verdicts["clear"].color)).max() < 12, label


def test_real_answers_of_every_game_are_drawn() -> None:
    for made, pairs in (
        (street(), [("A.1", "0104"), ("A roof", "0907"), ("A.2", "A.3")]),
        (valley(), [("0102", "0702"), ("0704 road", "0101")]),
        (district(), [("14", "15"), ("14", "26"), ("14 C", "26"), ("15", "26"), ("A", "B"), ("14 R", "14 C")]),
    ):
        for a, b in pairs:
            answer = made.sight(a, b)
            axes = draw_sight(made, answer)
            words = " ".join(text.get_text() for text in axes.figure.axes[1].texts)
            assert answer.status in words
            verdict = rgb(load_style(made.ruleset.id).verdicts[answer.status].color)
            assert (np.abs(pixels(axes) - verdict).max(axis=2) < 10).sum() > 60


def test_a_crossed_wall_stops_the_line_where_it_is_crossed() -> None:
    made = street()
    contact = {"at": "wall-9", "how": "cross", "enter": 0.5, "leave": 0.5}
    data = sighting("0205", "0208", "blocked", contacts=[contact], reasons=[reason("wall-9", "blocks")])
    trail = Trail(sites_of(made), data)
    assert trail.stop == 0.5
    axes = draw_sight(made, data)
    image = pixels(axes)
    blocked = STYLE.verdicts["blocked"].color
    assert has(near(axes, image, trail.at(0.3), 2), blocked)
    assert not has(near(axes, image, trail.at(0.7), 2), blocked)


def test_a_reason_at_a_feature_beside_the_line_has_its_number_there() -> None:
    made = street()
    data = sighting("0801", "0808", reasons=[reason("window"), reason("0802"), reason("no such place")])
    trail = Trail(sites_of(made), data)
    assert trail.share("window") is None
    assert trail.spot("window") == pytest.approx(spot(made, 2700, 1700))
    assert trail.share("0802") == pytest.approx(1 / 7)
    assert trail.spot("no such place") is None
    assert trail.share(("0801", "0808")) == 0.5
    draw_sight(made, data)


@pytest.mark.parametrize(
    ("text", "hatched"),
    [
        ("0502 hill: blind hex, 0802 (level 0) lies right behind it", "0802"),
        ("0502: blind hex behind the hill", "0502"),
        ("0502: seen down a slope, which has no blind hex", None),
    ],
)
def test_blind_hexes_are_hatched(text: str, hatched: str | None) -> None:
    made = valley()
    axes = draw_sight(made, sighting("0102", "0802", reasons=[reason("0502", "hinders", "0502: crops")]))
    plain = pixels(axes)
    dark = pixels(draw_sight(made, sighting("0102", "0802", reasons=[reason("0502", "hinders", text)])))
    for label in ("0502", "0802"):
        dot = spot(made, *made.grid.centre(made.labels.cell(label))) + np.array([0.0, 0.3])
        darker = near(axes, dark, dot, 6).mean() < near(axes, plain, dot, 6).mean() - 20
        assert darker == (label == hatched), label


def test_zones_are_tinted_and_joined_by_what_connects_them() -> None:
    made = district()
    sites = sites_of(made)
    beside = Trail(sites, sighting("14", "15", reasons=[reason(("14", "15"))]))
    assert beside.zonal
    assert beside.points[1] == pytest.approx(spot(made, 2400, 720))
    across = Trail(sites, sighting("14", "26", reasons=[reason(("14", "26"))]))
    assert [tuple(point) for point in across.points[1:-1]] == [
        pytest.approx(tuple(spot(made, *point))) for point in ((1500, 1200), (1500, 1450), (1500, 1700))
    ]
    by_symbol = Trail(sites, sighting("15", "26", reasons=[reason("15")]))
    assert len(by_symbol.points) == 2
    blocked = Trail(sites, sighting("15", "26", "blocked", reasons=[reason(("15", "26"), "blocks")]))
    assert blocked.stop == 0.5
    axes = draw_sight(made, sighting("14 C", "26", reasons=[reason(("14", "26"))]))
    inside = [near(axes, pixels(axes), spot(made, *point), 4).mean(axis=0) for point in ((800, 400), (2600, 400))]
    assert inside[0][0] < inside[1][0] - 15  # greener than the zone beside it


def test_a_side_view_shows_heights_and_eyes_that_it_is_told() -> None:
    made = valley()
    steps = [
        {"at": "0102", "level": 0, "terrain": "open", "enter": 0.0, "leave": 0.5, "eye": 2.0},
        {"at": "0202", "level": 1, "terrain": "open", "enter": 0.5, "leave": 0.75, "height": 3},
        {"at": "0302", "level": 0, "terrain": "open", "enter": 0.75, "leave": 1.0},
    ]
    axes = draw_sight(made, sighting("0102", "0302", profile=steps))
    panel = axes.figure.axes[2]
    assert panel.get_ylim()[1] > 4
    lines = [line.get_xydata() for line in panel.lines if len(line.get_xdata()) == 2]
    assert any(np.allclose(line[0], (0, 2.0)) and line[1][1] < 1 for line in lines)


def _panel(made: Any, data: dict[str, Any]) -> Any:
    return draw_sight(made, data).figure.axes[2]


def test_what_towers_over_the_line_is_cut_with_a_mark() -> None:
    made = valley()
    steps = [
        {"at": "0102", "level": 0, "terrain": "open", "enter": 0.0, "leave": 0.3},
        {"at": "0202", "level": 0, "terrain": "open", "enter": 0.3, "leave": 0.6, "height": 50},
        {"at": "0302", "level": 1, "terrain": "open", "enter": 0.6, "leave": 1.0},
    ]
    panel = _panel(made, sighting("0102", "0302", profile=steps))
    assert panel.get_ylim()[1] < 7
    assert "to 50" in {text.get_text() for text in panel.texts}
    steps[1]["height"] = 2
    panel = _panel(made, sighting("0102", "0302", profile=steps))
    assert not any(text.get_text().startswith("to ") for text in panel.texts)


@pytest.mark.parametrize("top", [1, 9, 50, 700])
def test_a_side_view_has_few_ticks(top: int) -> None:
    made = valley()
    steps = [
        {"at": "0102", "level": 0, "terrain": "open", "enter": 0.0, "leave": 0.5},
        {"at": "0202", "level": top, "terrain": "open", "enter": 0.5, "leave": 1.0},
    ]
    ticks = _panel(made, sighting("0102", "0202", profile=steps)).get_yticks()
    assert 2 <= len(ticks) <= 8
    assert len({round(b - a) for a, b in itertools.pairwise(ticks)}) == 1


def test_a_line_from_a_roof_does_not_cross_its_own_building() -> None:
    made = street()
    steps = [
        {"at": "A", "level": 2, "terrain": "building", "enter": 0.0, "leave": 0.8},
        {"at": "0907", "level": 0, "terrain": "clear", "enter": 0.8, "leave": 1.0},
    ]
    for ends, way in ((("A roof", "0907"), 1), (("0907", "A roof"), -1)):
        turned = [{**s, "enter": 1 - s["leave"], "leave": 1 - s["enter"]} for s in reversed(steps)]
        panel = _panel(made, sighting(*ends, profile=steps if way == 1 else turned))
        assert not panel.patches  # no box of the building over the line
        length = panel.get_xlim()[1]
        edges = [line.get_xydata() for line in panel.lines if len(line.get_xdata()) == 25]
        assert edges
        heights = [np.interp(x, (0, length), (2.3, 0.3)[::way]) for x, _ in edges[0]]
        assert all(y <= line for (_, y), line in zip(edges[0], heights, strict=True))
        assert max(y for _, y in edges[0]) == 2.0


def test_nothing_runs_between_zones_that_are_not_connected() -> None:
    made = district()
    answer = sighting("15", "26", "blocked", reasons=[reason(("15", "26"), "blocks")])
    axes = draw_sight(made, answer)
    assert "no connection" in {text.get_text() for text in axes.texts}
    assert not any(line.get_marker() == "x" for line in axes.lines)
    image = pixels(axes)
    trail = Trail(sites_of(made), answer)
    blocked = STYLE.verdicts["blocked"].color
    assert not any(has(near(axes, image, trail.at(t), 2), blocked) for t in (0.25, 0.35, 0.65))
    joined = draw_sight(made, sighting("14", "15", reasons=[reason(("14", "15"))]))
    assert "no connection" not in {text.get_text() for text in joined.texts}


def test_names_in_a_part_of_a_map_are_whole_or_left_out() -> None:
    made = studio.new_map("armageddon_war", columns=30, rows=5)
    x, y = made.grid.centre(made.labels.cell("0103"))
    made.add("name", text="A name at the edge", at=[x, y], size=0.5)
    made.add("name", text="Far away", at=[made.grid.centre(made.labels.cell("2903"))[0], y], size=0.5)
    axes = draw_sight(made, sighting("0203", "0503"))
    axes.figure.canvas.draw()
    shown = {text.get_text(): text for text in axes.texts}
    assert "Far away" not in shown
    panel, name = axes.get_window_extent(), shown["A name at the edge"].get_window_extent()
    assert panel.x0 <= name.x0
    assert name.x1 <= panel.x1


@pytest.mark.parametrize("pair", [("0401", "0404"), ("0404", "0401"), ("0103", "0303")])
def test_labels_of_ends_at_the_edge_of_the_map_stay_in_the_picture(pair: tuple[str, str]) -> None:
    made = studio.new_map("armageddon_war", columns=12, rows=10, half=("top",))
    axes = draw_sight(made, sighting(*pair))
    axes.figure.canvas.draw()
    panel = axes.get_window_extent()
    tags = [text for text in axes.texts if text.get_text().strip() in pair]
    assert len(tags) == 2
    for tag in tags:
        box = tag.get_window_extent()
        assert panel.y0 <= box.y0
        assert box.y1 <= panel.y1


def test_the_hatching_of_a_blind_hex_is_explained() -> None:
    made = valley()
    word = "blind: hidden from the end that looks"
    for text, told in (("0502: blind hex behind the hill", True), ("0502: crops", False)):
        axes = draw_sight(made, sighting("0102", "0802", reasons=[reason("0502", "hinders", text)]))
        assert (word in {t.get_text() for t in axes.figure.axes[1].texts}) == told


def test_a_legend_tells_hexes_from_drawn_shapes_and_names_triangles_and_dots() -> None:
    made = studio.new_map("modern_tactics", columns=8, rows=6)
    made.paint("0203", terrain="structure")
    x, y = made.grid.centre(made.labels.cell("0503"))
    outline = [[x - 300, y - 200], [x + 300, y - 200], [x + 300, y + 200], [x - 300, y + 200]]
    made.add("area", type="structure", name="S", outline=outline, level=1)
    words = [text.get_text() for text in draw_map(made, hex_px=40, legend=True).figure.texts]
    assert {"Structure (hexes)", "Structure (drawn)", "Hex of level 1"} <= set(words)
    assert len(words) == len(set(words))
    dots = {text.get_text() for text in draw_map(street(), hex_px=40, legend=True).figure.texts}
    assert {"Dot of a hex", "Dot of a room", "Roof"} <= dots


def test_the_model_alone_knows_what_stands_up() -> None:
    made = studio.new_map("armageddon_war", columns=7, rows=5).paint("0403", terrain="dense_woods")
    answer = made.sight("0203", "0603")
    one, two = (pixels(draw_sight(subject, answer)) for subject in (made, made.model))
    assert np.array_equal(one, two)
    assert any(patch.get_hatch() for patch in draw_sight(made.model, answer).figure.axes[2].patches)


# -- fields of view --------------------------------------------------------------------------------------------------


class View:
    def __init__(self, made: Any, start: str, seen: list[str], hindered: list[str] = []) -> None:  # noqa: B006
        directory = made.survey.directory
        self.start, self.codes = start, np.where(directory.present, 3, 0).astype(np.uint8)
        for code, labels in ((1, [start, *seen]), (2, hindered)):
            self.codes[[directory.number(label) for label in labels]] = code


def test_areas_are_light_or_dark_by_their_outlines() -> None:
    made = street()
    plain = draw_map(made, hex_px=60)
    before = pixels(plain)
    axes = draw_field_of_view(made, View(made, "A.1", ["A.2"]), hex_px=60)
    after = pixels(axes)
    means = {}
    for label, point in (("A.1", [3600, 2300]), ("A.2", [4800, 1200]), ("A.3", [4800, 2350]), ("0808", [5500, 3500])):
        means[label] = (
            near(axes, after, spot(made, *point), 7).mean() / near(plain, before, spot(made, *point), 7).mean()
        )
    assert means["A.1"] == pytest.approx(1, abs=0.02)
    assert means["A.2"] == pytest.approx(1, abs=0.02)
    assert means["A.3"] < 0.8
    assert means["0808"] < 0.8


def test_signs_of_places_are_ringed_and_stay_readable() -> None:
    made = street()
    plain = draw_map(made, hex_px=120)
    axes = draw_field_of_view(made, View(made, "A.1", ["A roof"]), hex_px=120)
    image, before = pixels(axes), pixels(plain)
    clear = STYLE.verdicts["clear"].color
    assert has(near(axes, image, spot(made, 3000, 1200), 26), clear)
    assert not has(near(axes, image, spot(made, 6300, 1200), 26), clear)
    seen, unseen = (near(axes, image, spot(made, x - 45, 1155), 1).mean() for x in (3000, 6300))
    assert seen == pytest.approx(near(plain, before, spot(made, 2955, 1155), 1).mean(), abs=2)
    assert unseen < 0.6 * seen
    words = {text.get_text() for text in axes.figure.axes[1].texts}
    assert {"place seen", "place not seen"} <= words


def test_letters_of_boxes_are_over_what_tells_their_state() -> None:
    made = district()
    directory = made.survey.directory
    mask = directory.present.copy()
    dead = Dead(made, [[directory.label(n) for n in np.flatnonzero(mask).tolist()]])
    dead.units = ["15"]
    axes = draw_dead_ground(made, dead, hex_px=90)
    # The letter C is light on the box, which is dark now.
    box = near(axes, pixels(axes), spot(made, 1000, 940), 9).mean(axis=1)
    assert box.min() < 120
    assert box.max() > 235
    # The number of the zone is dark on its white disc as ever.
    disc = near(axes, pixels(axes), spot(made, 1500, 1920), 9)
    assert has(disc, "#b3121a")
    assert has(disc, "#ffffff")


def test_roads_carry_discs() -> None:
    made = valley()
    at_road = Regions(sites_of(made)).spot(made.survey.directory.number("0704 road"))
    clear = load_style(made.ruleset.id).verdicts["clear"].color
    for seen, word in ((["0704 road"], "road seen"), ([], "road not seen")):
        axes = draw_field_of_view(made, View(made, "0102", seen), hex_px=60)
        assert has(near(axes, pixels(axes), at_road, 2), clear) == bool(seen)
        assert word in {text.get_text() for text in axes.figure.axes[1].texts}


def test_real_fields_of_view_of_every_game_are_drawn() -> None:
    for made, start in ((street(), "A.1"), (valley(), "0704 road"), (district(), "14")):
        axes = draw_field_of_view(made, made.field_of_view(start), hex_px=30)
        key = [text.get_text() for text in axes.figure.axes[1].texts]
        view = made.field_of_view(start)
        assert " ".join(key).startswith(f"Field of view of {start}")
        assert f"seen ({len(view.clear)})" in key
        assert f"not seen ({len(view.blocked)})" in key


# -- many locations --------------------------------------------------------------------------------------------------


class Exposed:
    def __init__(self, made: Any, counts: dict[str, int]) -> None:
        directory = made.survey.directory
        self.units = ["0101"]
        self.counts = np.where(directory.present, 0, -1).astype(np.int32)
        for label, count in counts.items():
            self.counts[directory.number(label)] = count


def test_exposure_goes_from_light_to_dark() -> None:
    made = studio.new_map("armageddon_war", columns=7, rows=5)
    axes = draw_exposure(made, Exposed(made, {"0303": 1, "0403": 2, "0503": 3}), hex_px=12)
    image = pixels(axes)

    def shade(label: str) -> float:
        return float(near(axes, image, made.grid.to_map(*made.grid.centre(made.labels.cell(label))), 2).mean())

    assert shade("0603") > shade("0303") > shade("0403") > shade("0503")


def test_exposure_has_numbers_from_eighteen_pixels_on_where_somebody_sees() -> None:
    made = studio.new_map("armageddon_war", columns=5, rows=4)
    for counts, expected in (({"0202": 1, "0203": 2}, 2), ({}, 0)):
        few, many = (drawn(draw_exposure(made, Exposed(made, counts), hex_px=size), 9.8) for size in (17, 18))
        assert many - few == 2 * expected  # a halo and a figure each


def test_exposure_and_dead_ground_of_every_game_are_drawn() -> None:
    for made, units in ((street(), ["A.1", "A roof"]), (valley(), ["0102", "0704 road"]), (district(), ["14"])):
        exposure, dead = made.exposure(units), made.dead_ground(units)
        words = [text.get_text() for text in draw_exposure(made, exposure, hex_px=30).figure.axes[1].texts]
        assert " ".join(words).startswith("Exposure to " + ", ".join(units))
        assert f"unseen ({int((exposure.counts == 0).sum())})" in words or not (exposure.counts == 0).any()
        words = [text.get_text() for text in draw_dead_ground(made, dead, hex_px=30).figure.axes[1].texts]
        assert any(f"seen by none ({int(dead.mask.sum())}, " in word for word in words)


class Dead:
    def __init__(self, made: Any, groups: list[list[str]]) -> None:
        directory = made.survey.directory
        self.units = ["0101"]
        self.regions = np.zeros(len(directory), dtype=np.int32)
        for number, labels in enumerate(groups, 1):
            self.regions[[directory.number(label) for label in labels]] = number
        self.mask = self.regions > 0


def test_dead_ground_is_dark_outlined_and_numbered() -> None:
    made = studio.new_map("armageddon_war", columns=7, rows=5)
    axes = draw_dead_ground(made, Dead(made, [["0303", "0304"], ["0602"]]), hex_px=90)
    image = pixels(axes)
    dark, light = (
        near(axes, image, np.add(made.grid.to_map(*made.grid.centre(made.labels.cell(label))), (0.2, 0.2)), 3).mean()
        for label in ("0304", "0503")
    )
    assert dark < 0.7 * light
    p, q = made.grid.side_ends(made.labels.cell("0303"), made.labels.cell("0302"))
    middle = np.mean([made.grid.to_map(*p), made.grid.to_map(*q)], axis=0)
    around = near(axes, image, middle, 4)
    assert around.min(axis=1).max() > 215  # nearly white, which the ground is not
    assert around.min() < 60
    p, q = made.grid.side_ends(made.labels.cell("0303"), made.labels.cell("0304"))
    inner = np.mean([made.grid.to_map(*p), made.grid.to_map(*q)], axis=0)
    assert near(axes, image, inner, 3).min(axis=1).max() < 215


def test_regions_have_numbers_where_they_fit() -> None:
    made = studio.new_map("armageddon_war", columns=12, rows=9)
    apart = [["0203", "0204"], ["0703"], ["1105"]]
    few = draw_dead_ground(made, Dead(made, []), hex_px=60)
    three = draw_dead_ground(made, Dead(made, apart), hex_px=60)
    assert drawn(three, 9.8) - drawn(few, 9.8) == 2 * 3
    # A hundred small hexes side by side: their numbers would run into each other.
    many = [[f"{column:02d}{row:02d}"] for column in range(1, 13) for row in range(1, 9)]
    few, crowd = (draw_dead_ground(made, Dead(made, groups), hex_px=10) for groups in ([], many))
    assert 2 * 8 < drawn(crowd, 9.8) - drawn(few, 9.8) < 2 * 60


def test_a_region_of_one_place_has_no_number() -> None:
    made = district()
    bare = drawn(draw_dead_ground(made, _dead_from("15", made, []), hex_px=60), _OVER)
    one = draw_dead_ground(made, _dead_from("15", made, [["14 C"]]), hex_px=60)
    zone = draw_dead_ground(made, _dead_from("15", made, [["14"], ["26"]]), hex_px=60)
    assert drawn(zone, _OVER) == bare
    assert drawn(one, _OVER) == bare + 2  # the box and its letter, drawn anew over the shade


def _dead_from(unit: str, made: Any, groups: list[list[str]]) -> Dead:
    dead = Dead(made, groups)
    dead.units = [unit]
    return dead


def test_dead_ground_without_any_is_drawn() -> None:
    made = studio.new_map("armageddon_war", columns=4, rows=4)
    words = [text.get_text() for text in draw_dead_ground(made, Dead(made, []), hex_px=40).figure.axes[1].texts]
    assert "seen by none (0, 0 regions)" in words


class Compared:
    first, second = "One", "Other"

    def __init__(self, made: Any, kinds: dict[str, tuple[int, int]]) -> None:
        directory = made.survey.directory
        self.codes = [np.where(directory.present, 3, 0).astype(np.uint8) for _ in range(2)]
        self.partners = np.where(directory.present, 200, 0).astype(np.int32)
        self.differs = np.zeros(len(directory), dtype=np.int32)
        for label, pair in kinds.items():
            for codes, code in zip(self.codes, pair, strict=True):
                codes[directory.number(label)] = code
            self.differs[directory.number(label)] = int(pair[0] != pair[1])

    def codes_from(self, label: str) -> tuple[Any, Any]:
        return self.codes[0], self.codes[1]


def test_a_comparison_from_one_location_tells_four_kinds_apart() -> None:
    made = studio.new_map("armageddon_war", columns=8, rows=5)
    kinds = {"0203": (1, 1), "0303": (1, 3), "0403": (3, 2), "0503": (3, 3)}
    axes = draw_comparison(made, Compared(made, kinds), "0101", hex_px=60)
    image = pixels(axes)
    colors = []
    for label in kinds:
        middle = made.grid.to_map(*made.grid.centre(made.labels.cell(label)))
        colors.append("#" + bytes(int(v) for v in near(axes, image, middle, 14).mean(axis=0)).hex())
    for vision in VISIONS:
        for i, one in enumerate(colors):
            assert all(delta_e(one, other, vision) > 9 for other in colors[i + 1 :]), vision
    words = [text.get_text() for text in axes.figure.axes[1].texts]
    assert {"both see (1)", "only One (1)", "only Other (1)"} <= set(words)


def test_a_comparison_of_all_pairs_is_a_scale() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    compared = Compared(made, {"0303": (1, 3)})
    compared.partners[made.survey.directory.number("0503")] = 0
    axes = draw_comparison(made, compared, hex_px=30)
    image = pixels(axes)
    bare = draw_map(made, hex_px=30)
    plain = pixels(bare)

    def middle(label: str) -> Any:
        return np.add(made.grid.to_map(*made.grid.centre(made.labels.cell(label))), (0.25, 0.25))

    assert near(axes, image, middle("0303"), 2).mean() < 110
    assert near(axes, image, middle("0203"), 2).mean() > near(bare, plain, middle("0203"), 2).mean()
    # Nothing was compared from there: the map as it is.
    assert np.array_equal(near(axes, image, middle("0503"), 2), near(bare, plain, middle("0503"), 2))


def test_a_comparison_of_all_pairs_counts_partners_and_leaves_the_rest_blank() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    compared = Compared(made, {})
    same = draw_comparison(made, compared, hex_px=30)
    assert "none (30)" in [text.get_text() for text in same.figure.axes[1].texts]
    number = made.survey.directory.number
    compared.differs[[number("0303"), number("0403")]] = 1, 37  # of 200: half a per cent is no 0
    axes = draw_comparison(made, compared, hex_px=30)
    assert drawn(axes, 9.8) - drawn(same, 9.8) == 2 * 2
    words = [text.get_text() for text in axes.figure.axes[1].texts]
    assert words[-5:] == ["none (28)", "1-10 (1)", "11-20 (0)", "21-30 (0)", "31-40 (1)"]
    assert "partners judged differently, of 200" in " ".join(words)


@pytest.mark.parametrize(
    ("most", "bounds"),
    [(0, []), (1, [1]), (5, [1, 2, 3, 4, 5]), (6, [2, 4, 6]), (37, [10, 20, 30, 40]), (456, [100, 200, 300, 400, 500])],
)
def test_steps_of_a_scale_are_friendly(most: int, bounds: list[int]) -> None:
    assert _classes(most) == bounds


def test_a_comparison_of_two_readings_is_drawn() -> None:
    made = studio.new_map("armageddon_war", columns=7, rows=5).paint(["0402", "0403"], terrain="light_woods")
    found = studio.compare_rulesets(made, "armageddon_war", "armageddon_war", options_b={"border_rule": "per_border"})
    for start in (None, "0103"):
        assert pixels(draw_comparison(made, found, start, hex_px=30)).std() > 5
    with pytest.raises(studio.StudioError, match="9999"):
        draw_comparison(made, found, "9999")


def test_pictures_in_axes_of_ones_own_bring_no_key() -> None:
    from matplotlib.figure import Figure

    made = studio.new_map("armageddon_war", columns=5, rows=5)
    for draw in (
        lambda ax: draw_exposure(made, Exposed(made, {}), ax=ax),
        lambda ax: draw_dead_ground(made, Dead(made, [["0303"]]), ax=ax),
        lambda ax: draw_comparison(made, Compared(made, {}), "0101", ax=ax),
        lambda ax: draw_comparison(made, Compared(made, {}), ax=ax),
    ):
        figure = Figure(figsize=(6, 5))
        axes = figure.add_subplot()
        assert draw(axes) is axes
        assert len(figure.axes) == 1


def test_the_scale_is_monotonous_in_grey() -> None:
    grey = [0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] for c in (rgb(ramp(i / 20)) for i in range(21))]
    assert all(a > b for a, b in itertools.pairwise(grey))
    assert ramp(-1) == ramp(0)
    assert ramp(2) == ramp(1)


def test_a_key_takes_more_lines_where_it_is_narrow() -> None:
    entries = [Entry("a rather long word for a sample", "#ffffff") for _ in range(4)]
    assert key_room(2000, "Title", entries) < key_room(500, "Title", entries)
    assert key_room(2000, "Title", entries[:1]) < key_room(
        300, "A title that is longer than the picture is wide", entries[:1]
    )


# -- regions ---------------------------------------------------------------------------------------------------------


def test_regions_cover_every_location_once() -> None:
    import shapely

    made = street()
    regions = Regions(sites_of(made))
    directory = made.survey.directory
    paths = [regions.path([number]) for number in directory.numbers.tolist()]
    shapes = [shapely.union_all([shapely.Polygon(ring) for ring in path.to_polygons()]) for path in paths if path]
    whole = shapely.union_all(shapes)
    assert len(shapes) == len(directory.numbers) - 2
    assert sum(shape.area for shape in shapes) == pytest.approx(whole.area, rel=1e-9)
    covered = regions.path(directory.numbers)
    for label in ("A.1", "A.3", "0104"):
        assert covered.contains_point(tuple(spot(made, *directory.dot(directory.number(label)))))
    assert {directory.label(n) for n, _ in regions.spots(directory.numbers)} == {"A roof", "B roof"}
    assert regions.path([]) is None


def test_a_rim_goes_round_each_group_and_nowhere_else() -> None:
    import shapely

    made = street()
    regions, directory = Regions(sites_of(made)), made.survey.directory
    groups = np.zeros(len(directory), dtype=int)
    for group, labels in ((1, ["0201", "0202"]), (2, ["A.2", "A.3"]), (3, ["A.1"])):
        groups[[directory.number(label) for label in labels]] = group
    rim = shapely.MultiLineString([line for line in regions.rim(groups) if len(line) > 1])

    def on(*point: float) -> bool:
        return rim.distance(shapely.Point(*spot(made, *point))) < 1e-9

    assert on(3900, 1300)
    assert on(5100, 2000)
    assert not on(4500, 1760)
    p, q = made.grid.side_ends(*(made.labels.cell(label) for label in ("0201", "0202")))
    assert not on((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
    p, q = made.grid.side_ends(*(made.labels.cell(label) for label in ("0202", "0203")))
    assert on((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
    assert regions.rim(np.zeros(len(directory))) == []


def test_a_drawn_road_has_its_disc_on_the_road() -> None:
    made = valley()
    number = made.survey.directory.number("0704 road")
    x, _ = made.grid.centre(made.labels.cell("0704"))
    assert Regions(sites_of(made)).spot(number)[0] == pytest.approx(spot(made, x + 260, 0)[0])


def test_an_unknown_game_is_no_reason_to_fail() -> None:
    made = studio.new_map("armageddon_war", columns=5, rows=5)
    made.model.ruleset = "somebody_elses"
    assert pixels(draw_map(made.model, hex_px=30)).std() > 2
    with pytest.raises(StyleError):
        load_style("somebody_elses")

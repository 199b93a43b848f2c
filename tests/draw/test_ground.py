"""What is drawn on the ground: areas, walls, openings, places, links and dots stand where the map has them."""

import json
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import draw_map, load_style, save_picture
from studio.draw.areas import ring_path
from studio.draw.fixtures import arrow_direction, hex_levels
from studio.draw.picture import Picture
from studio.draw.shapes import looked_up
from studio.draw.sites import Sites, box_letters, short_label
from studio.editor.protocol import document_state, planes_of
from tests.draw.scenes import at, box, district, has, near, pixels, rgb, street, valley

SCENES = [district, street, valley]


def spot(made: Any, *point: float) -> tuple[float, float]:
    found: tuple[float, float] = made.grid.to_map(*point)
    return found


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("hex_px", [8, 20, 60])
def test_every_game_draws_at_every_size(scene: Any, hex_px: int) -> None:
    assert pixels(draw_map(scene(), hex_px=hex_px, legend=hex_px == 60)).std() > 5


@pytest.mark.parametrize("scene", SCENES)
def test_the_same_ground_has_the_same_bytes(scene: Any, tmp_path: Any) -> None:
    files = [tmp_path / f"{n}.svg" for n in range(2)]
    for file in files:
        save_picture(draw_map(scene(), hex_px=40), file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_area_is_filled_but_for_its_holes() -> None:
    made = studio.new_map("modern_tactics", columns=8, rows=7)
    made.add("area", type="structure", outline=box(1500, 600, 2400, 1800), holes=[box(2300, 1200, 800, 600)])
    style = load_style("modern_tactics")
    axes = draw_map(made, hex_px=60, labels=False)
    image = pixels(axes)
    fill = style.areas["structure"].fill
    assert fill is not None
    assert has(near(axes, image, spot(made, 1900, 900), 6), fill)
    assert not has(near(axes, image, spot(made, 2700, 1500), 6), fill)
    assert not has(near(axes, image, spot(made, 1200, 900), 6), fill)


def test_an_outline_runs_exactly_where_it_is_drawn() -> None:
    made = studio.new_map("modern_tactics", columns=8, rows=7)
    made.add("area", type="structure", outline=[[1500, 600], [3900, 600], [2700, 2400]])
    edge = load_style("modern_tactics").areas["structure"].edge
    assert edge is not None
    axes = draw_map(made, hex_px=60, labels=False)
    image = pixels(axes)
    for point in ((2700, 600), (2100, 1500), (3300, 1500)):
        assert has(near(axes, image, spot(made, *point), 1), edge, 30), point
        assert not has(near(axes, image, np.add(spot(made, *point), (0.0, -0.2)), 1), edge, 30), point


def test_patterns_stay_within_the_part_that_is_shown() -> None:
    made = street()
    picture = Picture(
        made.model, load_style("urban_operations"), hex_px=60, extent=(2.5, 2.0, 4.5, 4.0), panels=(200, 0)
    )
    picture.ground(labels=False)
    image = pixels(picture.ax)
    right = image[:, -180:].reshape(-1, 3)
    assert np.ptp(right, axis=0).max() == 0


def test_a_border_of_two_zones_is_dashed_and_the_rest_is_not() -> None:
    made = district()
    axes = draw_map(made, hex_px=80, labels=False)
    image = pixels(axes)
    edge = rgb("#33271a")

    def share(points: Any) -> float:
        return float(np.mean([np.abs(at(axes, image, spot(made, *p)) - edge).max() < 60 for p in points]))

    dashed = share([(2400, y) for y in range(300, 1150, 10)])
    whole = share([(600, y) for y in range(300, 1150, 10)])
    facade = share([(x, 1200) for x in range(700, 2300, 10)])
    assert whole > 0.97
    assert facade > 0.97
    assert 0.3 < dashed < 0.8


def test_zones_have_white_boundaries_and_rooms_dark_partitions() -> None:
    made = street()
    axes = draw_map(made, hex_px=80, labels=False)
    image = pixels(axes)
    assert at(axes, image, spot(made, 4200, 1760)).min() > 240
    assert at(axes, image, spot(made, 3900, 1400)).max() < 110
    assert at(axes, image, spot(made, 3300, 960)).max() < 60


def test_closed_hexes_have_no_outline_and_no_number() -> None:
    bare = studio.new_map("urban_operations", columns=5, rows=5)
    inner = bare.labels.label(bare.grid.cell(2, 2))
    closed = [inner, *(bare.labels.label(cell) for cell in bare.grid.neighbours(bare.grid.cell(2, 2)))]
    corner = bare.grid.to_map(*bare.grid.corners(bare.grid.cell(2, 2))[0])
    pictures = []
    for terrain in ("clear", "unplayable"):
        bare.paint(closed, terrain=terrain)
        axes = draw_map(bare, hex_px=100)
        pictures.append(near(axes, pixels(axes), corner, 5))
    assert pictures[0].min() < pictures[1].min() - 20


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_an_arrow_follows_the_row_of_its_hex(orientation: Any) -> None:
    made = studio.new_map("armageddon_war", columns=7, rows=7, orientation=orientation)
    grid = made.grid
    here = grid.cell(3, 3)
    for direction in range(6):
        there = grid.neighbour(here, direction)
        # From the middle of the side between the two, and a little beside it.
        p, q = grid.side_ends(here, there)
        for shift in (0, 30):
            start = ((p[0] + q[0]) // 2 + shift, (p[1] + q[1]) // 2)
            way = np.subtract(grid.to_map(*grid.centre(there)), grid.to_map(*grid.centre(here)))
            found = arrow_direction(grid, start, [there])
            assert found == pytest.approx(way / np.hypot(*way), abs=1e-9)


def test_an_arrow_with_two_hexes_runs_along_their_side() -> None:
    grid = studio.new_map("armageddon_war", columns=7, rows=7).grid
    a = grid.cell(3, 3)
    b = grid.neighbour(a, 1)
    p, q = (np.array(end) for end in grid.side_ends(a, b))
    along = (q - p) * np.asarray(grid.scale)
    along = along / np.hypot(*along)
    assert arrow_direction(grid, tuple(p - (q - p)), [a, b]) == pytest.approx(along)
    assert arrow_direction(grid, tuple(q + (q - p)), [b, a]) == pytest.approx(-along)


def test_openings_are_red_and_a_closed_breach_is_hollow_and_orange() -> None:
    made = street()
    style = load_style("urban_operations")
    axes = draw_map(made, hex_px=100, labels=False)
    image = pixels(axes)
    red, orange = style.apertures["default"].color, style.apertures["breach"].color
    way = arrow_direction(made.grid, (2700, 1700), [int(made.grid.cells_at(np.array([[2400, 1700]]))[0])])
    tip = np.array(spot(made, 2700, 1700)) + way * 0.24
    assert has(near(axes, image, tip, 4), red)
    south = int(made.grid.cells_at(np.array([[4500, 2780]]))[0])
    head = np.array(spot(made, 4500, 2560)) + arrow_direction(made.grid, (4500, 2560), [south]) * 0.24
    around = near(axes, image, head, 9)
    assert has(around, orange, 30)
    assert has(around, "#ffffff", 6)
    made.add(
        {
            **{"kind": "aperture", "id": "hole", "type": "breach", "at": [4500, 2560], "into": "A.3"},
            "arrows": [made.model.features["hole"].arrows[0]],
            "open": True,
        }
    )
    axes = draw_map(made, hex_px=100, labels=False)
    assert not has(near(axes, pixels(axes), head, 3), "#ffffff", 6)


def test_a_linked_roof_points_to_the_other() -> None:
    made = street()
    axes = draw_map(made, hex_px=100, labels=False)
    image = pixels(axes)
    fill = load_style("urban_operations").places["roof"].fill
    reach = 0.5 * load_style("urban_operations").places["roof"].size / 1000
    x, y = spot(made, 3000, 1200)
    assert has(near(axes, image, (x + reach * 1.3, y), 2), fill)
    assert not has(near(axes, image, (x - reach * 1.3, y), 2), fill)
    x, y = spot(made, 6300, 1200)
    assert has(near(axes, image, (x - reach * 1.3, y), 2), fill)
    assert has(near(axes, image, (x, y), 2), "#0072b2")


def test_discs_take_the_colour_of_their_tag() -> None:
    made = district()
    axes = draw_map(made, hex_px=80, labels=False)
    image = pixels(axes)
    for name, color in (("z14", "#ffffff"), ("z15", "#1d1a17"), ("z26", "#b3121a")):
        x, y = spot(made, *made.model.features[name].dot)
        assert np.abs(at(axes, image, (x, y - 0.12)) - rgb(color)).max() < 12, name


def test_a_target_symbol_stays_in_its_zone() -> None:
    made = district()
    axes = draw_map(made, hex_px=80, labels=False)
    image = pixels(axes)
    inside = ring_path(made.grid, [made.model.features["z15"].outline])
    red = rgb(load_style("phantom_fury").links["line_of_fire"].color)
    rows, columns = np.nonzero(np.abs(image - red).max(axis=2) < 10)
    points = axes.transData.inverted().transform(np.stack([columns, image.shape[0] - 1 - rows], axis=1))
    own = points[np.hypot(*(points - spot(made, 1500, 1920)).T) > 0.3]  # the disc of zone 26 is red, too
    assert len(own) > 40
    assert inside.contains_points(own).all()


def test_triangles_mark_the_hexes_whose_dots_lie_on_the_hill() -> None:
    made = valley()
    sites = Sites(made.model)
    levels = hex_levels(sites, load_style("modern_tactics"))
    hill = ring_path(made.grid, [made.model.features["hill"].outline])
    house = made.grid.cell(6, 3)
    for cell in range(made.grid.cells):
        over = hill.contains_point(tuple(sites.hex_dot(cell)))
        assert (cell in levels) == (over or cell == house), cell
    made.add("dot", at=made.labels.label(house), point=[made.grid.centre(house)[0] - 200, made.grid.centre(house)[1]])
    assert house not in hex_levels(Sites(made.model), load_style("modern_tactics"))


def test_dots_and_drawn_roads_lie_off_the_centre() -> None:
    made = valley()
    axes = draw_map(made, hex_px=80, labels=False)
    image = pixels(axes)
    cell = made.grid.cell(4, 5)
    x, y = made.grid.centre(cell)
    assert has(near(axes, image, spot(made, x + 150, y - 60), 2), load_style("modern_tactics").dots.color)
    assert not has(near(axes, image, spot(made, x, y), 2), load_style("modern_tactics").dots.color)
    fill = load_style("modern_tactics").lines.roads["paved"].fill
    x, y = made.grid.centre(made.grid.cell(6, 5))
    assert has(near(axes, image, spot(made, x + 260, y + 40), 4), fill)
    assert not has(near(axes, image, spot(made, x, y + 40), 4), fill)


def test_a_cloud_lies_on_all_its_locations() -> None:
    made = street()
    plain = draw_map(made, hex_px=60, labels=False)
    before = pixels(plain)
    made.add("marker", type="smoke", at="A.1", also=["A.2", "0502"])
    axes = draw_map(made, hex_px=60, labels=False)
    after = pixels(axes)
    for point in ([3300, 1700], [4500, 1300], made.grid.centre(made.labels.cell("0502"))):
        changed = near(axes, after, spot(made, *point), 8) != near(plain, before, spot(made, *point), 8)
        assert changed.mean() > 0.5, point


def test_rivers_on_hexsides_lie_below_roads_on_bridges() -> None:
    made = studio.new_map("ignorant_armies", columns=6, rows=5)
    a = made.grid.cell(2, 2)
    b = made.grid.neighbour(a, 1)
    made.set_side(made.labels.label(a), made.labels.label(b), "river")
    middle = np.mean([made.grid.to_map(*made.grid.centre(cell)) for cell in (a, b)], axis=0)
    axes = draw_map(made, hex_px=80, labels=False)
    assert has(near(axes, pixels(axes), middle, 2), load_style("ignorant_armies").lines.sides["river"].color)
    made.add("road", path=[made.labels.label(a), made.labels.label(b)])
    axes = draw_map(made, hex_px=80, labels=False)
    assert has(near(axes, pixels(axes), middle, 2), load_style("ignorant_armies").lines.roads["paved"].fill)


def test_words_on_signs() -> None:
    assert [short_label(text) for text in ("Zone 17", "26", "mosque", "A12")] == ["17", "26", "mosque", "12"]
    assert [box_letters(text) for text in ("17 OG", "17 2'", "R")] == ["OG", "2'", "R"]
    assert box_letters("Zone 17 1", ["Zone 17", "Zone 1"]) == "1"


def test_a_type_without_a_look_takes_the_nearest_name() -> None:
    table = {"default": 0, "wall": 1, "high_wall": 2}
    assert [looked_up(table, name) for name in ("wall", "very_high_wall", "hedge")] == [1, 2, 0]
    assert looked_up({"wall": 1}, "hedge") is None


def test_unknown_types_draw_all_the_same() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    made.model.features.update(
        {
            record.id: record
            for record in (
                studio.model.Area(id="a", type="cave", name="Cave", outline=((900, 400), (1800, 400), (1300, 1200))),
                studio.model.Wall(id="w", type="rampart", line=((500, 500), (2500, 1500))),
                studio.model.Aperture(id="o", type="hatch", at=(1300, 800), into="0101"),
                studio.model.Place(id="p", type="nest", name="nest", at=(2000, 600)),
                studio.model.Link(id="l", type="rope", a="nest", b="0101"),
            )
        }
    )
    assert pixels(draw_map(made, hex_px=60, legend=True)).std() > 5


@pytest.mark.parametrize("scene", SCENES)
def test_the_editor_opens_maps_with_drawn_things(scene: Any) -> None:
    made = scene()
    told = json.loads(json.dumps(document_state(made)))
    assert {record["kind"] for record in told["features"]} == {
        str(type(feature).__name__).lower() for feature in made.features.values()
    }
    assert set(told["look"]["terrain"]) >= set(made.terrain_ids)
    assert planes_of(made)["terrain"]


def test_a_map_of_hexes_alone_needs_no_survey() -> None:
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    made.add("marker", type="smoke", at="0303")
    sites = Sites(made.model)
    assert sites.plain
    assert sites.dot("0303") == pytest.approx(spot(made, *made.grid.centre(made.labels.cell("0303"))))
    assert sites.others() == []
    assert "survey" not in sites.__dict__
    assert not Sites(district().model).plain
    assert not Sites(valley().model).plain

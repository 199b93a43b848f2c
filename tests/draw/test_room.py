"""Numbers, labels, trays and names keep clear of what stands on a map, of each other and of the frame."""

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import shapely

import studio
from studio.api import JoinWarning
from studio.draw import PictureError, draw_map, load_style
from studio.draw.fixtures import cells_beside
from studio.draw.letters import readable, text_path
from studio.draw.options import OptionError
from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.relief import draw_contours
from studio.draw.room import Taken, around, inside
from studio.draw.sites import sites_of
from studio.draw.standing import Standing
from studio.draw.symbols import place_look
from studio.draw.trays import tray_of
from studio.errors import UnknownNameError
from studio.rules.urban_operations.arcs import arc_of_fire
from tests.draw.scenes import at, box, district, drawn, near, pixels, street


def canvas(made: Any, hex_px: float = 60) -> Any:
    return Picture(subject_of(made), style_of(made, None), hex_px=hex_px).canvas


def standing(made: Any, hex_px: float = 60) -> Standing:
    return Standing(canvas(made, hex_px), sites_of(made))


# -- room ------------------------------------------------------------------------------------------------------------


def test_what_is_taken_counts_by_how_much_of_a_box_lies_on_it() -> None:
    taken = Taken()
    assert taken.overlap([(0, 0)], 9, 9).tolist() == [0]
    taken.add((0, 0), 2, 2)
    taken.add_line((10, 0), (14, 0), 1)
    found = taken.overlap([(0, 0), (1, 1), (2.5, 0), (12, 0.75)], 2, 2)
    assert found[:3].tolist() == [4, 1, 0]
    assert found[3] > 0


def test_places_beside_a_point_leave_it_free_and_the_nearest_come_first() -> None:
    spots = around(np.array([5.0, 5.0]), (0.5, 0.5), 2.0, 1.0)
    assert spots[0].tolist() == [5, 6]
    assert all(abs(x - 5) >= 1 or abs(y - 5) >= 0.5 for x, y in spots)
    square = shapely.box(0, 0, 10, 10)
    assert inside(square, [(5, 5), (9.5, 5)], 2, 2).tolist() == [True, False]


# -- control boxes ---------------------------------------------------------------------------------------------------


def crowded(**places: tuple[int, int]) -> Any:
    """A zone without a dot, with boxes in it."""
    made = studio.new_map("phantom_fury", columns=8, rows=7)
    made.add("area", id="z", type="zone", name="5", outline=box(900, 900, 1600, 1000))
    for name, point in places.items():
        made.add("place", type="courtyard", name=f"5 {name}", at=list(point), within="z")
    return made


def boxes(made: Any, hex_px: float = 60) -> list[Any]:
    """The boxes and the control boxes of a map, in map units."""
    found, style = [], load_style("phantom_fury")
    for feature in made.features.values():
        if getattr(feature, "within", ""):
            look = place_look(style, feature.type)
            x, y = made.grid.to_map(*feature.at)
            half = look.size / 2000
            found.append(shapely.box(x - half, y - half, x + half, y + half))
    for name, spot in standing(made, hex_px).numbers.items():
        (x, y), half = spot.at, spot.scale * style.areas["zone"].disc.box / 2000
        zone = shapely.Polygon([made.grid.to_map(*point) for point in made.features[name].outline])
        assert zone.contains(shapely.box(x - half, y - half, x + half, y + half))
        found.append(shapely.box(x - half, y - half, x + half, y + half))
    return found


@pytest.mark.parametrize(
    "places",
    [
        {"C": (1700, 1400)},
        {"C": (1700, 1400), "R": (1300, 1400), "1": (2100, 1400)},
        {f"B{n}": (1100 + 300 * (n % 5), 1080 + 320 * (n // 5)) for n in range(10)},
    ],
)
def test_a_control_box_dodges_the_boxes_of_its_zone(places: dict[str, tuple[int, int]]) -> None:
    found = boxes(crowded(**places))
    assert len(found) == len(places) + 1
    own = found[-1]
    assert all(not own.intersects(other) for other in found[:-1])


def test_a_control_box_without_room_is_smaller_and_one_with_a_dot_stays() -> None:
    free, full = standing(crowded()).numbers["z"], standing(crowded(**{
        f"B{n}": (1080 + 320 * (n % 5), 1060 + 340 * (n // 5)) for n in range(15)
    })).numbers["z"]  # fmt: skip
    assert free.scale == 1
    assert full.scale < 1
    made = district()
    spot = standing(made).numbers["z14"]
    assert spot.scale == 1
    assert spot.at == pytest.approx(made.grid.to_map(1500, 460))


def test_control_boxes_do_not_hide_one_another_or_names() -> None:
    made = crowded(C=(1700, 1400))
    made.add("area", id="y", type="zone", name="6", outline=box(900, 900, 1600, 1000))
    made.add("name", text="Market", at=[1700, 1150], size=0.4)
    found = boxes(made)
    assert all(not a.intersects(b) for a, b in itertools.combinations(found, 2))
    name = shapely.Point(*made.grid.to_map(1700, 1150))
    assert all(one.distance(name) > 0.15 for one in found[1:])


# -- trays -----------------------------------------------------------------------------------------------------------


def trays(**places: int) -> tuple[Any, list[Any]]:
    made = studio.new_map("phantom_fury", columns=12, rows=6, half=("left", "right", "top", "bottom"))
    style, found = load_style("phantom_fury"), []
    for name, x in places.items():
        made.add("place", type="reinforcements", name=name, at=[x, 900])
    sites = sites_of(made)
    for feature in made.features.values():
        found.append(tray_of(sites, style, feature, place_look(style, feature.type), feature.name))
    return made, found


def test_trays_share_the_room_between_them_and_keep_inside_the_frame() -> None:
    made, found = trays(**{"Reinforcements 1": 700, "Armoured reinforcements of the second day": 2200, "Reserve": 3600})
    left = made.grid.to_map(made.grid.frame[0], 0)[0]
    edges = [(tray.middle[0] - tray.wide / 2, tray.middle[0] + tray.wide / 2) for tray in found]
    assert edges[0][0] > left
    assert all(a[1] < b[0] for a, b in itertools.pairwise(edges))
    fonts = load_style("phantom_fury").letters.name_fonts
    for tray in found:
        assert max(text_path(line, fonts)[2] for line in tray.lines) * tray.height < tray.wide
        assert 1.25 * len(tray.lines) * tray.height < 1.15
    assert len(found[1].lines) > 1


def test_a_tray_is_as_wide_as_its_title() -> None:
    _, (short,) = trays(Reserve=3500)
    _, (long,) = trays(**{"Company reinforcements": 3500})
    assert short.wide < long.wide <= load_style("phantom_fury").places["reinforcements"].wide / 1000
    assert long.lines == ("Company reinforcements",)


# -- sheets ----------------------------------------------------------------------------------------------------------


def sheet(number: str, title: str) -> Any:
    made = studio.new_map("phantom_fury", columns=9, rows=6, title=title, half=("left", "right", "top", "bottom"))
    for n, name in enumerate((number, f"{number}b")):
        made.add("area", type="zone", name=name, outline=box(600 + 1700 * n, 700, 1500, 900))
    made.add("place", type="exit", name="EXIT", at=[3000, 2000])
    return made


@pytest.fixture(scope="module")
def joint() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        both = studio.join_maps(sheet("5", "West"), sheet("9", "East"), turned=True, shift=0.5, prefixes=("A", "B"))
        return studio.join_maps(both, sheet("7", "Caves"), edge="apart", prefixes=("", "U"))


def test_prefixes_are_written_everywhere_or_nowhere(joint: Any) -> None:
    sites = sites_of(joint)
    zone = next(f for f in joint.features.values() if getattr(f, "name", "") == "B9b")
    plain = next(f for f in joint.features.values() if getattr(f, "name", "") == "B9")
    way_out = next(f for f in joint.features.values() if getattr(f, "name", "") == "BEXIT")

    def written() -> list[str]:
        names = [sites.shown(f.name, sites.area_dot(f), number=True) for f in (zone, plain)]
        return [*names, sites.shown(way_out.name, way_out.at)]

    assert written() == ["B9b", "B9", "BEXIT"]
    sites.titled = True
    assert written() == ["9b", "9", "EXIT"]
    # The prefix of another sheet is part of a name.
    assert sites.shown("UBOOT", way_out.at) == "UBOOT"


def test_titles_with_their_prefix_stand_in_what_is_seen(joint: Any) -> None:
    axes = draw_map(joint, around="B9b", margin=1, hex_px=50)
    (x0, x1), (y1, y0) = axes.get_xlim(), axes.get_ylim()
    titles = {text.get_text(): text.get_position() for text in axes.texts}
    x, y = titles["East (B)"]
    assert x0 < x < x1
    assert y0 < y < y1
    assert "Caves (U)" not in titles


def test_a_part_ends_with_the_sheet_that_it_shows(joint: Any) -> None:
    frame = joint.grid.joint.frames[2]
    (left, top), (right, bottom) = joint.grid.to_map(*frame[:2]), joint.grid.to_map(*frame[2:])
    axes = draw_map(joint, around="U7", margin=30, hex_px=20)
    assert (*axes.get_xlim(), *axes.get_ylim()) == pytest.approx((left, right, bottom, top))


def test_names_are_never_upside_down() -> None:
    assert [readable(angle) for angle in (0, 35, 90, -90, 180, 215, 270, -120)] == [0, 35, 90, -90, 0, 35, -90, 60]
    made = studio.new_map("armageddon_war", columns=6, rows=6)
    made.add("name", text="Hill", at=list(made.grid.centre(14)), size=0.5, angle=190)
    texts = {text.get_text(): text.get_rotation() for text in draw_map(made, hex_px=40).texts}
    assert texts["Hill"] == 10


# -- Urban Operations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arrows", [[["0304"], ["0303"]], [["0303"], ["0304"]]])
def test_the_sector_of_opposite_arrows_lies_outside(arrows: list[list[str]]) -> None:
    made = studio.new_map("urban_operations", columns=8, rows=7)
    (x, y0), (_, y1) = (made.grid.centre(made.labels.cell(label)) for label in ("0303", "0304"))
    y = (y0 + y1) // 2
    made.add("area", id="h", type="building", name="A", outline=box(x, y - 700, 2000, 1400))
    made.add("area", type="room", name="A.1", outline=box(x, y - 700, 2000, 1400), within="h")
    made.add("aperture", id="door", type="aperture", at=[x, y], into="A.1", arrows=arrows)
    before, after = (draw_map(made, hex_px=50, labels=False, arcs=arcs) for arcs in (False, True))
    images = pixels(before), pixels(after)
    for side, changed in ((-1, True), (1, False)):
        spot = np.array(made.grid.to_map(x + side * 600, y + 100))
        assert (np.abs(near(before, images[0], spot, 3) - near(after, images[1], spot, 3)).max() > 8) == changed
    # As the rule has it.
    inner = made.survey.directory.dot(made.survey.directory.number("A.1"))
    mask = arc_of_fire(made.grid, (x, y), inner, [made.labels.cells(arrow) for arrow in arrows])
    assert mask[made.labels.cell("0203")]
    assert not mask[made.labels.cell("0403")]


def test_arcs_by_the_label_of_a_room() -> None:
    made = street()
    by_id, by_label = (pixels(draw_map(made, hex_px=40, arcs=arcs)) for arcs in (["window"], "A.1"))
    assert (by_id == by_label).all()
    assert drawn(draw_map(made, hex_px=40, arcs=["A.1", "window"]), 7.8) == 2  # once
    with pytest.raises(UnknownNameError, match=r"no opening has the id 'A.9'.*'A.1'"):
        draw_map(made, arcs=["A.9"])
    with pytest.raises(UnknownNameError, match=r"arcs: A.2 has no openings"):
        draw_map(made, arcs=["A.2"])


def test_a_label_dodges_a_manhole_and_a_roof() -> None:
    made = street()
    made.add("marker", type="underground_access", at="A.1")
    stood = standing(made)
    room = next(f for f in made.features.values() if getattr(f, "name", "") == "A.1")
    dot = np.asarray(made.grid.to_map(*room.dot))
    before = Taken()
    before.add(dot, 0.52, 0.52)
    spot = stood.beside(dot, (0.28, 0.28), 0.5, 0.2, stood.polygon(room))
    assert before.overlap([spot], 0.5, 0.2)[0] == 0
    # Another one finds the place taken.
    assert tuple(stood.beside(dot, (0.28, 0.28), 0.5, 0.2, stood.polygon(room))) != tuple(spot)


def test_labels_of_rooms_are_read_from_forty_pixels_on() -> None:
    made = street()

    def letters(hex_px: float) -> list[float]:
        axes = draw_map(made, hex_px=hex_px, labels=False)
        paths = [p for c in axes.collections if 10 <= c.get_zorder() < 10.01 for p in c.get_paths()]
        return [float(np.ptp(path.vertices[:, 1])) * hex_px for path in paths]

    assert not letters(30)
    for hex_px in (40, 50, 90):
        found = letters(hex_px)
        assert len(found) >= 3
        assert min(found) > 6  # of capitals and figures, in pixels


def ways_below() -> Any:
    made = studio.new_map("urban_operations", columns=10, rows=8)
    made.paint(["0303", "0806"], terrain="open_sewer").paint(["0806"], terrain="underground_sewer")
    return made


def test_a_sewer_entrance_has_a_sign_at_both_ends() -> None:
    made = ways_below()
    before = draw_map(made, hex_px=60, labels=False)
    made.add("link", type="sewer_entrance", a="0303", b="0806")
    after = draw_map(made, hex_px=60, labels=False)
    images = pixels(before), pixels(after)
    for label in ("0303", "0806"):
        middle = np.asarray(made.grid.to_map(*made.grid.centre(made.labels.cell(label))))
        assert np.abs(near(before, images[0], middle, 24) - near(after, images[1], middle, 24)).max() > 60, label
        assert (at(before, images[0], middle) == at(after, images[1], middle)).all()  # the dot is seen


@pytest.mark.parametrize(("named", "more"), [(False, 2), (True, 0)])
def test_a_manhole_has_its_letter_once(named: bool, more: int) -> None:
    made = ways_below()
    for label in ("0303", "0806"):
        made.add("marker", type="underground_access", at=label)
        if named:
            x, y = made.grid.centre(made.labels.cell(label))
            made.add("name", text="K", at=[x + 300, y], size=0.4)
    before = drawn(draw_map(made, hex_px=60, labels=False), 10)
    made.add("link", type="underground_access", a="0303", b="0806", text="K")
    # A halo and the letter itself at each end.
    assert drawn(draw_map(made, hex_px=60, labels=False), 10) - before == 2 * more


# -- Modern Tactics --------------------------------------------------------------------------------------------------


def test_every_hex_that_something_drawn_touches_shows_its_dot() -> None:
    made = studio.new_map("modern_tactics", columns=10, rows=8)
    x, y = made.grid.centre(made.labels.cell("0303"))
    made.add("area", type="compound", outline=box(x - 500, y - 300, 1000, 600))
    wx, wy = made.grid.centre(made.labels.cell("0806"))
    made.add("wall", type="high_wall", line=[[wx - 100, wy + 60], [wx + 100, wy + 60]])
    found = {made.labels.label(cell) for cell in cells_beside(sites_of(made))}
    assert {"0303", "0806", "0203", "0403"} <= found
    assert not {"0307", "0801"} & found
    dot = load_style("modern_tactics").dots
    axes = draw_map(made, hex_px=60, labels=False)
    image = pixels(axes)
    for label in ("0303", "0806", "0307"):
        point = made.grid.to_map(*made.grid.centre(made.labels.cell(label)))
        dark = near(axes, image, point, 1).mean() < 80
        assert dark == (label in found), (label, dot.color)


def hill(*, painted: bool, drawn_: bool, radius: int = 1) -> Any:
    made = studio.new_map("modern_tactics", columns=12, rows=9)
    centre = made.labels.cell("0605")
    if painted:
        made.paint([made.labels.label(cell) for cell in made.grid.within(centre, radius)], level=1)
    if drawn_:
        x, y = made.grid.centre(centre)
        turns = [np.pi * n / 8 for n in range(16)]
        outline = [[round(x + 1150 * np.cos(t)), round(y + 700 * np.sin(t))] for t in turns]
        made.add("area", type="hill", level=1, outline=outline)
    return made


def contours(made: Any) -> float:
    """Length of the contours that come from painted levels, in map units."""
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    draw_contours(axes, made.model, load_style("modern_tactics"), 0.05)
    lines = [path.to_polygons(closed_only=False) for c in axes.collections[1:2] for path in c.get_paths()]
    return sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for one in lines for line in one)


def test_a_level_has_one_contour() -> None:
    assert contours(hill(painted=True, drawn_=False)) > 5
    assert contours(hill(painted=True, drawn_=True)) == 0
    # What is painted far beyond the drawn hill keeps its own.
    wide = contours(hill(painted=True, drawn_=True, radius=3))
    assert wide == pytest.approx(contours(hill(painted=True, drawn_=False, radius=3)))


def beside_dot(made: Any, label: str) -> tuple[float, float]:
    x, y = made.grid.to_map(*made.grid.centre(made.labels.cell(label)))
    return x + 0.1, y + 0.2


def test_a_hill_throws_no_shadow_on_a_gully() -> None:
    gully = ["0803", "0804", "0805", "0806", "0807"]
    alone = studio.new_map("modern_tactics", columns=12, rows=9).paint(gully, level=-1)
    beside = studio.new_map("modern_tactics", columns=12, rows=9).paint(gully, level=-1)
    beside.paint([beside.labels.label(cell) for cell in beside.grid.within(beside.labels.cell("0605"), 1)], level=1)
    first, second = (draw_map(made, hex_px=60, labels=False) for made in (alone, beside))
    images = pixels(first), pixels(second)
    for label in gully[1:-1]:
        point = beside_dot(alone, label)
        assert (at(first, images[0], point) == at(second, images[1], point)).all(), label
    # On the ground around the gully lies no shadow of its banks.
    flat = studio.new_map("modern_tactics", columns=12, rows=9)
    axes = draw_map(flat, hex_px=60, labels=False)
    point = beside_dot(flat, "0704")
    assert (at(axes, pixels(axes), point) == at(first, images[0], point)).all()


# -- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hex_px", [0, -4, float("nan"), float("inf"), "40", True, 0.2])
def test_a_height_of_a_hex_that_is_none(hex_px: Any) -> None:
    with pytest.raises(PictureError, match=r"hex_px: got .*a number of 1 or more"):
        street().plot(hex_px=hex_px)


def test_a_picture_that_would_be_huge() -> None:
    with pytest.raises(PictureError, match=r"hex_px: got 1e\+06.*smaller hex_px"):
        street().plot(hex_px=1e6)


def test_an_unknown_option_names_the_method() -> None:
    made = street()
    with pytest.raises(OptionError, match=r"^plot: unknown option 'hexpx'; did you mean 'hex_px'"):
        made.plot(hexpx=30)
    with pytest.raises(OptionError, match=r"^plot: unknown option 'foo'"):
        made.plot(findings=True, foo=1)
    with pytest.raises(TypeError, match=r"^plot_sight: unknown option 'foo'"):
        made.plot_sight(made.sight("0101", "0102"), foo=1)

"""Signs on the ground: boxes and trays, tags, what lies over areas, clouds, arcs of fire, and parts of a map."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import PictureError, StyleError, draw_map, load_style
from studio.errors import UnknownNameError
from studio.rules.urban_operations.arcs import arc_of_fire
from tests.draw.scenes import at, box, district, drawn, has, near, pixels, rgb, street


def spot(made: Any, *point: float) -> Any:
    return np.asarray(made.grid.to_map(*point))


def middle(made: Any, label: str) -> Any:
    return spot(made, *made.grid.centre(made.labels.cell(label)))


def change(before: Any, after: Any, made: Any, label: str) -> float:
    """How much the ground of a hex differs between two pictures, beside its dot and its number."""
    point = middle(made, label) + np.array([0.22, 0.22])
    return float(np.abs(at(*before, point) - at(*after, point)).max())


def picture(made: Any, **options: Any) -> tuple[Any, Any]:
    axes = draw_map(made, **{"hex_px": 60, "labels": False, **options})
    return axes, pixels(axes)


# -- Phantom Fury ----------------------------------------------------------------------------------------------------


def test_a_door_sign_stands_towards_the_street_and_an_entry_sign_beside_its_box() -> None:
    looks = load_style("phantom_fury").places["courtyard"].tags
    made = district()
    plain = picture(made)
    record = next(f for f in made.features.values() if getattr(f, "name", "") == "14 C")
    made.add("place", id=record.id, type="courtyard", name="14 C", at=record.at, within="z14", tags=["door", "entry"])
    marked = picture(made)
    x, y = spot(made, *record.at)
    # The street runs along the lower side of zone 14.
    below, above = (np.array([x, y + way * looks["door"].place[0] / 1000]) for way in (1, -1))
    assert np.abs(near(*plain, below, 5) - near(*marked, below, 5)).max() > 60
    assert np.abs(near(*plain, above, 5) - near(*marked, above, 5)).max() < 12
    entry = np.array([x, y]) + np.array(looks["entry"].place) / 1000
    assert has(near(*marked, entry, 4), "#009e73")


def test_the_legend_names_the_signs_of_tags() -> None:
    made = district()
    made.add("place", type="open_ground", name="14 OG", at=[900, 600], within="z14", tags=["entry", "door"])
    words = [text.get_text() for text in draw_map(made, legend=True, hex_px=40).figure.texts]
    assert {"Door", "Entry"} <= set(words)
    assert "Holy" not in words


def test_a_marker_of_control_leaves_the_number_of_its_zone_to_be_read() -> None:
    made = district()
    before = picture(made, hex_px=100)
    made.add("marker", type="usmc_control", at="15")
    after = picture(made, hex_px=100)
    disc = load_style("phantom_fury").areas["zone"].disc
    x, y = spot(made, *made.features["z15"].dot)
    corner = np.array([x, y]) + 0.45 * disc.box / 1000 * np.array([1, -1])
    # A black disc where there was the ground.
    assert near(*after, corner, 6).mean() < near(*before, corner, 6).mean() - 50
    x, y = spot(made, *made.features["z14"].dot)
    assert np.abs(near(*after, (x, y), 12) - near(*before, (x, y), 12)).max() == 0


def test_a_zone_out_of_play_is_greyed() -> None:
    made = district()
    before = picture(made)
    z15 = made.features["z15"]
    made.add("area", id="z15", type="zone", name="15", outline=z15.outline, dot=z15.dot, tags=["black", "out_of_play"])
    after = picture(made)
    inside, outside = spot(made, 3900, 1000), spot(made, 900, 1000)

    def grey(image: tuple[Any, Any], point: Any) -> float:
        colors = near(*image, point, 8).mean(axis=0)
        return float(colors.max() - colors.min())

    assert grey(after, inside) < 0.7 * grey(before, inside)
    assert grey(after, outside) == grey(before, outside)


def test_a_number_stands_in_its_control_box() -> None:
    disc = load_style("phantom_fury").areas["zone"].disc
    made = district()
    axes, image = picture(made, hex_px=100)
    x, y = spot(made, *made.features["z14"].dot)
    corner = 0.41 * disc.box / 1000
    assert disc.box > disc.size
    assert has(near(axes, image, (x + corner, y - corner), 2), disc.box_fill)


def test_reinforcements_wait_in_a_tray_and_an_exit_points_down() -> None:
    places = load_style("phantom_fury").places
    made = studio.new_map("phantom_fury", columns=10, rows=8)
    made.add("place", type="reinforcements", name="Company reinforcements", at=[3500, 1200])
    made.add("place", type="exit", name="EXIT", at=[3500, 2900])
    axes, image = picture(made)
    x, y = spot(made, 3500, 1200)
    for dx in (-0.45, 0.45):
        assert has(near(axes, image, (x + dx * places["reinforcements"].wide / 1000, y + 0.2), 2), "#e9e2cf")
    x, y = spot(made, 3500, 2900)
    tip = 0.6 * places["exit"].size / 1000
    assert has(near(axes, image, (x, y + tip), 1), places["exit"].fill)
    assert not has(near(axes, image, (x, y - tip), 1), places["exit"].fill)


def test_an_egress_number_is_not_written_on_the_disc() -> None:
    made = district()
    # A zone so low that there is no room below or above its disc.
    made.add("area", id="low", type="zone", name="16", outline=box(600, 2820, 3600, 220), dot=[2400, 2930])
    before = picture(made, hex_px=90)
    made.add("link", type="egress", a="16", b="26", order=1)
    after = picture(made, hex_px=90)
    assert np.abs(before[1] - after[1]).max() > 60
    point = spot(made, 2400, 2930)
    assert np.abs(near(*before, point, 12) - near(*after, point, 12)).max() == 0


# -- Urban Operations ------------------------------------------------------------------------------------------------


def test_a_cloud_joins_its_head_and_its_tail() -> None:
    made = street()
    before = picture(made)
    made.add_cloud("toxic_cloud", "0206", "N")
    after = picture(made)
    fill = load_style("urban_operations").clouds["toxic_cloud"].fill
    between = 0.5 * (middle(made, "0206") + middle(made, "0205"))
    mean = near(*after, between, 3).mean(axis=0)
    assert np.abs(mean - rgb(fill)).max() < np.abs(near(*before, between, 3).mean(axis=0) - rgb(fill)).max()
    assert change(before, after, made, "0306") < 12


def test_a_cloud_fills_the_rooms_that_it_takes_in() -> None:
    made = street()
    before = picture(made)
    made.add("marker", type="smoke", at="0307", also=["A.3"])
    after = picture(made)
    inside, beside = spot(made, 5000, 1900), spot(made, 5000, 1100)
    assert np.abs(near(*after, inside, 4).mean(axis=0) - near(*before, inside, 4).mean(axis=0)).max() > 10
    assert np.abs(near(*after, beside, 4) - near(*before, beside, 4)).max() == 0


def test_the_arc_of_one_opening_is_shaded_hex_by_hex() -> None:
    made = street()
    before, after = picture(made), picture(made, arcs="window")
    window = made.features["window"]
    number = made.survey.directory.number("A.1")
    arrows = [made.labels.cells(arrow) for arrow in window.arrows]
    arc = set(np.flatnonzero(arc_of_fire(made.grid, window.at, made.survey.directory.dot(number), arrows)).tolist())
    assert arc
    for cell in np.flatnonzero(made.grid.present.ravel()).tolist():
        x, y = made.grid.to_map(*made.grid.centre(cell))
        frame = made.grid.frame
        wide, high = made.grid.to_map(frame[2], frame[3])
        if 0.3 < x < wide - 0.3 and 0.3 < y < high - 0.3:
            changed = change(before, after, made, made.labels.label(cell)) > 8
            assert changed == (cell in arc), made.labels.label(cell)


def test_arcs_of_all_openings_are_short_sectors() -> None:
    made = street()
    none, all_ = draw_map(made, hex_px=60), draw_map(made, hex_px=60, arcs=True)
    assert drawn(none, 7.8) == 0
    assert drawn(all_, 7.8) == 2 * 2  # a tint and a rim for each opening
    with pytest.raises(UnknownNameError, match=r"no opening has the id 'windov'.*window"):
        draw_map(made, arcs=["windov"])


def test_the_underground_is_tinted() -> None:
    made = studio.new_map("urban_operations", columns=8, rows=6)
    for name, kind, x in (("B", "building", 800), ("U", "underground", 3200)):
        made.add("area", id=name, type=kind, name=name, outline=box(x, 600, 1400, 1400))
        made.add("area", type="room", name=f"{name}.1", outline=box(x, 600, 1400, 1400), within=name)
    image = picture(made)
    above, below = (near(*image, spot(made, x + 350, 900), 8).mean(axis=0) for x in (800, 3200))
    # Darker and more violet: it loses less of its blue than of its green.
    assert below.sum() < above.sum() - 20
    assert below[2] - below[1] > above[2] - above[1]


def test_a_border_looks_as_the_game_says_not_as_its_areas_do() -> None:
    made = studio.new_map("urban_operations", columns=8, rows=6)
    made.add("area", id="house", type="building", outline=box(600, 600, 3000, 1000))
    for n, room in enumerate("aab"):
        outline = box(600 + 1000 * n, 600, 1000, 1000)
        made.add("area", type="zone", name=f"1.{n}", within="house", outline=outline, tags=[f"room:{room}"])
    axes, image = picture(made, hex_px=90)
    borders = load_style("urban_operations").borders
    assert has(near(axes, image, spot(made, 1600, 1300), 1), borders["zone_boundary"].color, 4)
    assert has(near(axes, image, spot(made, 2600, 1300), 1), borders["partition"].color, 4)
    # The facade runs on over its end.
    assert not has(near(axes, image, spot(made, 1600, 600), 1), borders["zone_boundary"].color, 4)


def test_dashes_between_zones_and_dots_between_street_sections() -> None:
    made = district()
    axes, image = picture(made, hex_px=90)
    for x, y0, y1, kind in ((2400, 300, 1150, "dashed"), (2400, 1230, 1670, "dotted")):
        color = rgb(load_style("phantom_fury").borders[kind].color)
        line = [at(axes, image, spot(made, x, y)) for y in np.linspace(y0, y1, 80)]
        drawn_ = [bool(np.abs(one - color).max() < 30) for one in line]
        assert 0.2 < np.mean(drawn_) < 0.85, kind


# -- parts of a map, and styles --------------------------------------------------------------------------------------


def test_a_part_around_locations() -> None:
    made = street()
    axes = draw_map(made, around=["0303", "A.2"], margin=1.0, hex_px=30)
    (x0, x1), (y1, y0) = axes.get_xlim(), axes.get_ylim()
    assert x0 == pytest.approx(middle(made, "0303")[0] - 1)
    assert x1 == pytest.approx(spot(made, 5100, 0)[0] + 1)  # the outline of A.2, not only its dot
    assert y0 == pytest.approx(spot(made, 0, 960)[1] - 1)
    whole = draw_map(made, hex_px=30)
    assert (y1 - y0) < whole.get_ylim()[0] - whole.get_ylim()[1]
    cut = draw_map(made, around="0101", margin=2.0)
    assert (cut.get_xlim()[0], cut.get_ylim()[1]) == (whole.get_xlim()[0], whole.get_ylim()[1])


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"extent": (0, 0, 3, 3), "around": "0101"}, PictureError, "give one of them"),
        ({"extent": (3, 0, 3, 3)}, PictureError, "x0 < x1"),
        ({"extent": (90, 90, 95, 95)}, PictureError, "off the map"),
        ({"around": "0101", "margin": -1}, PictureError, "0 or more"),
        ({"around": []}, PictureError, "name one or more"),
        ({"around": "A.9"}, UnknownNameError, "A.9"),
    ],
)
def test_what_is_no_part(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        draw_map(street(), **options)


def test_a_sign_of_a_tag_needs_a_glyph_that_there_is(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[places.courtyard.tags]\ndoor = { glyph = "gate" }\n', encoding="utf-8")
    with pytest.raises(StyleError, match=r"places\.courtyard\.tags\.door\.glyph: no glyph 'gate'"):
        load_style("phantom_fury", own)

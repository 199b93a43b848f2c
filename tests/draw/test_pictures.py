"""Pictures: the right colour in the right place, the same bytes twice, every panel where it belongs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import (
    PictureError,
    contact_sheet,
    draw_field_of_view,
    draw_map,
    draw_sight,
    load_style,
    preview_png,
    save_picture,
)
from studio.draw.relief import level_rings
from studio.draw.style import mix
from studio.rules import get_ruleset, ruleset_ids

STYLE = load_style("armageddon_war")


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


@pytest.fixture
def desert() -> Any:
    made = studio.new_map("armageddon_war", columns=9, rows=7)
    made.paint(["0302", "0303", "0403"], terrain="dense_woods")
    made.paint(["0601", "0602", "0603", "0604", "0605", "0606", "0607"], terrain="river")
    made.paint(["0805"], terrain="wadi")
    made.paint(["0205", "0206", "0305", "0306"], level=1)
    made.paint(["0305"], level=2)
    made.paint(["0901"], level=-1)
    made.set_side("0404", "0504", "fence")
    made.add({"kind": "road", "path": ["0104", "0204", "0305", "0405", "0505", "0605", "0705", "0804", "0904"]})
    made.add({"kind": "road", "path": ["0406", "0405", "0404"], "surface": "unpaved"})
    made.add({"kind": "crest", "path": ["0701", "0702", "0802"]})
    made.add({"kind": "contour", "level": 3, "line": [[480, 480], [900, 700], [1300, 500]]})
    made.add({"kind": "name", "text": "Tell $ave", "at": [2400, 1500], "angle": 10})
    made.add({"kind": "marker", "type": "smoke", "at": "0702"})
    made.add({"kind": "marker", "type": "wreck", "at": "0102"})
    return made


def pixels(axes: Any) -> np.ndarray:
    canvas = axes.figure.canvas
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


def at(axes: Any, image: np.ndarray, point: tuple[float, float]) -> np.ndarray:
    x, y = axes.transData.transform(point)
    return np.asarray(image[image.shape[0] - 1 - round(y), round(x)])


def test_flat_tints_lie_where_the_terrain_is(desert: Any) -> None:
    bare = studio.new_map("armageddon_war", columns=9, rows=7)
    for n, name in enumerate(STYLE.terrain):
        bare.paint([bare.labels.label(9 * (1 + n // 7) + n % 7)], terrain=name)
    axes = draw_map(bare, hex_px=12, labels=False)
    image = pixels(axes)
    for cell in range(bare.grid.cells):
        expected = rgb(STYLE.tint(bare.model.terrain_at(cell)))
        found = at(axes, image, bare.grid.to_map(*bare.grid.centre(cell)))
        assert np.abs(found - expected).max() <= 3, bare.labels.label(cell)


def test_level_tint_covers_the_hill_and_nothing_else() -> None:
    hill = studio.new_map("armageddon_war", columns=9, rows=9).paint(["0405", "0504", "0505", "0506"], level=1)
    axes = draw_map(hill, hex_px=12, labels=False)
    image, tinted = pixels(axes), rgb(mix(STYLE.ground, STYLE.levels.tints["1"], STYLE.levels.strength))
    inside = at(axes, image, hill.grid.to_map(*hill.grid.centre(hill.labels.cell("0505"))))
    outside = at(axes, image, hill.grid.to_map(*hill.grid.centre(hill.labels.cell("0101"))))
    assert np.abs(inside - tinted).max() < 26  # the relief's light plays on it
    assert np.abs(outside - rgb(STYLE.ground)).max() <= 3


def test_slopes_are_light_in_the_north_west_and_dark_in_the_south_east() -> None:
    hill = studio.new_map("armageddon_war", columns=11, rows=11)
    hill.paint([hill.labels.label(c) for c in hill.grid.within(hill.labels.cell("0606"), 2)], level=1)
    axes = draw_map(hill, hex_px=12, labels=False)
    image = pixels(axes)
    x, y = hill.grid.to_map(*hill.grid.centre(hill.labels.cell("0606")))
    light, dark = (at(axes, image, (x + s * 2.1, y + s * 2.0)).sum() for s in (-1, 1))
    assert light > rgb(STYLE.ground).sum() > dark


def test_woods_are_drawn_and_water_is_blue(desert: Any) -> None:
    axes = draw_map(desert, hex_px=60, labels=False)
    image = pixels(axes)
    red, green, blue = at(axes, image, desert.grid.to_map(*desert.grid.centre(desert.labels.cell("0603"))))
    assert blue > green > red
    x, y = axes.transData.transform(desert.grid.to_map(*desert.grid.centre(desert.labels.cell("0303"))))
    top = image.shape[0] - 1 - round(y)
    wood = image[top - 20 : top + 20, round(x) - 20 : round(x) + 20].reshape(-1, 3)
    assert (wood[:, 1] > wood[:, 0]).mean() > 0.9
    assert wood.std(axis=0).min() > 8  # crowns, not a fill


def test_road_reaches_the_edge_of_the_map(desert: Any) -> None:
    axes = draw_map(desert, hex_px=60, labels=False)
    image = pixels(axes)
    fill = rgb(STYLE.lines.roads["paved"].fill)
    points = [desert.grid.to_map(*desert.grid.centre(desert.labels.cell(name))) for name in ("0104", "0204", "0804")]
    for x, y in points:
        near = [at(axes, image, (x, y + dy)) for dy in (-0.03, 0.0, 0.03)]
        assert min(np.abs(color - fill).max() for color in near) < 30


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_picture_has_the_same_bytes(desert: Any, tmp_path: Path, suffix: str) -> None:
    files = [tmp_path / f"{n}{suffix}" for n in range(2)]
    for file in files:
        save_picture(draw_map(desert, hex_px=30, legend=True), file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].stat().st_size > 10_000


def test_preview_is_a_png_that_stays_the_same(desert: Any) -> None:
    one, two = preview_png(desert, size=300), preview_png(desert.model, size=300)
    assert one == two
    assert one.startswith(b"\x89PNG")


def test_a_wrong_suffix_and_a_giant_picture_are_refused(desert: Any, tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"\.png, \.svg and \.pdf"):
        save_picture(draw_map(desert, hex_px=10), tmp_path / "map.bmp")
    with pytest.raises(PictureError, match="smaller hex_px"):
        draw_map(desert, hex_px=20_000)


def test_pictures_leave_pyplot_alone(desert: Any) -> None:
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    draw_map(desert, hex_px=20)
    draw_sight(desert, desert.sight("0101", "0503"))
    assert plt.get_fignums() == before


def test_map_in_axes_of_ones_own(desert: Any) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 5))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    assert draw_map(desert, ax=axes) is axes
    assert draw_field_of_view(desert, desert.field_of_view("0504"), ax=axes) is axes
    assert len(figure.axes) == 1


@pytest.mark.parametrize(
    ("a", "b"), [("0101", "0503"), ("0302", "0404"), ("0201", "0206"), ("0805", "0305"), ("0101", "0102")]
)
def test_sight_has_a_list_and_a_profile(desert: Any, a: str, b: str) -> None:
    sighting = desert.sight(a, b)
    axes = draw_sight(desert, sighting)
    image = pixels(axes)
    panels = axes.figure.axes
    assert len(panels) == 3
    words = " ".join(text.get_text() for text in panels[1].texts)
    assert sighting.status in words
    for n in range(1, len(sighting.reasons) + 1):
        assert str(n) in words.split()
    verdict = rgb(STYLE.verdicts[sighting.status].color)
    assert (np.abs(image - verdict).max(axis=2) < 8).sum() > 60
    low, high = panels[2].get_ylim()
    assert low < min(step.level for step in sighting.profile)
    assert high > max(step.level for step in sighting.profile)


def test_sight_from_its_json_without_a_profile(desert: Any) -> None:
    data = desert.sight("0101", "0503").to_dict()
    del data["profile"]
    assert len(draw_sight(desert, data).figure.axes) == 2


def test_blocked_line_stops_with_grey_beyond() -> None:
    plain = studio.new_map("armageddon_war", columns=9, rows=5).paint(["0503", "0504"], terrain="rough")
    axes = draw_sight(plain, plain.sight("0203", "0804"))
    image = pixels(axes)
    a, b = (np.array(plain.grid.to_map(*plain.grid.centre(plain.labels.cell(c)))) for c in ("0203", "0804"))
    blocked = rgb(STYLE.verdicts["blocked"].color)
    assert np.abs(at(axes, image, tuple(a + (b - a) * 0.2)) - blocked).max() < 30
    later = [np.abs(at(axes, image, tuple(a + (b - a) * t)) - blocked).max() for t in np.linspace(0.6, 0.9, 20)]
    assert min(later) > 40


def test_field_of_view_is_light_and_shade(desert: Any) -> None:
    view = desert.field_of_view("0101")
    plain, shaded = (
        pixels(axes) for axes in (draw_map(desert, hex_px=30), draw_field_of_view(desert, view, hex_px=30))
    )
    shaded = shaded[: plain.shape[0]]
    axes = draw_map(desert, hex_px=30)
    for cell in np.flatnonzero(desert.grid.present.ravel()).tolist():
        x, y = axes.transData.transform(desert.grid.to_map(*desert.grid.centre(cell)))
        box = (slice(plain.shape[0] - round(y) - 8, plain.shape[0] - round(y) + 8), slice(round(x) - 8, round(x) + 8))
        before, after = plain[box].mean(), shaded[box].mean()
        status = view.status(desert.labels.label(cell))
        if status == "blocked":
            assert after < 0.9 * before, desert.labels.label(cell)
        elif status == "clear" and cell != view.number:
            assert after == pytest.approx(before, rel=0.02), desert.labels.label(cell)


def test_level_regions_follow_the_hexes(desert: Any) -> None:
    from shapely import Point, Polygon, unary_union

    rings = level_rings(desert.model, STYLE)
    assert sorted({ring.level for ring in rings}) == [-1, 1, 2]
    for level in (1, 2):
        drawn = unary_union([Polygon(ring.points) for ring in rings if ring.level == level])
        for cell in range(desert.grid.cells):
            centre = Point(desert.grid.to_map(*desert.grid.centre(cell)))
            assert drawn.contains(centre) == (desert.model.level_at(cell) >= level)
        hexes = unary_union(
            [desert.grid.outline(c) for c in range(desert.grid.cells) if desert.model.level_at(c) >= level]
        )
        assert drawn.difference(hexes.buffer(0.15)).area < 1e-9


def test_squashed_and_pointy_maps_draw() -> None:
    for options in ({"orientation": "pointy"}, {"half": ("left", "right", "top", "bottom")}, {"stagger": "even"}):
        made = studio.new_map("armageddon_war", columns=6, rows=6, **options)
        label = made.labels.label
        made.paint([label(7), label(8), label(14)], terrain="dunes").paint([label(9)], level=2)
        assert pixels(draw_map(made, hex_px=40)).std() > 5


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_contact_sheet_shows_every_terrain_and_thing(ruleset: str) -> None:
    words = {text.get_text().replace("\n", " ") for text in contact_sheet(ruleset).texts}
    rules = get_ruleset(ruleset)
    assert {look.title for look in load_style(ruleset).terrain.values()} <= words
    things = (rules.side_kinds, rules.marker_types, rules.area_types, rules.wall_types, rules.place_types)
    assert {thing.name for table in things for thing in table.values()} <= words

"""Pictures of maps made of geography: data beside the map, confidence, control points; and what they say in words."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import shapely
from matplotlib.collections import LineCollection

import studio
from studio.draw import PictureError, save_picture
from studio.draw.arguments import OptionError
from studio.draw.colour import VISIONS, delta_e
from studio.draw.geography_picture import (
    DataLayer,
    DataPlace,
    GeographyData,
    confidence_color,
    draw_beside,
    draw_confidence,
    draw_fit,
)
from studio.draw.geography_world import WATER, height_color
from tests.draw.scenes import at, has, near, pixels, rgb


def country(columns: int = 12, rows: int = 9) -> Any:
    return studio.new_map("ignorant_armies", columns=columns, rows=rows)


def array(*shapes: Any) -> np.ndarray:
    found = np.empty(len(shapes), dtype=object)
    found[:] = shapes
    return found


def data_of(made: Any, **fields: Any) -> GeographyData:
    """Land in the west, sea in the east, a lake, a river, a border and two towns, one of them nudged."""
    x0, y0, x1, y1 = made.grid.frame
    shore = (x0 + x1) // 2
    west = shapely.box(x0 - 2000, y0 - 2000, shore, y1 + 2000)
    lake = shapely.Point(made.grid.centre(made.grid.cell(2, 2))).buffer(400)
    river = shapely.LineString([(x0, y1), (shore, (y0 + y1) // 2)])
    half = (y0 + y1) // 2
    layers = (
        DataLayer("land", "land", array(west)),
        DataLayer("lake", "lakes", array(lake)),
        DataLayer("country", "borders", array(shapely.box(x0 - 2000, y0 - 2000, shore, half))),
        DataLayer("river", "rivers", array(river)),
    )
    cell, other = made.grid.cell(1, 4), made.grid.cell(3, 3)
    places = (
        DataPlace("Kut", tuple(map(float, made.grid.centre(cell))), cell),
        DataPlace("Amara", tuple(map(float, made.grid.centre(other))), made.grid.neighbour(other, 0)),
    )
    return GeographyData(layers=layers, places=places, credits=("Nobody's atlas (CC0)",), **fields)


def world_of(axes: Any) -> Any:
    """The axes of the data."""
    return next(one for one in axes.figure.axes if one is not axes)


def words_of(axes: Any) -> list[str]:
    return [text.get_text() for other in axes.figure.axes for text in other.texts]


def slope(points: np.ndarray) -> np.ndarray:
    """Ground that falls to the east, away from the light, so that no tint is lit beyond white."""
    return 1000.0 - 100.0 * points[:, 0]


# -- beside ----------------------------------------------------------------------------------------------------------


def test_the_data_lie_in_the_frame_of_the_map() -> None:
    made = country()
    axes = draw_beside(made, data_of(made), hex_px=36)
    world = world_of(axes)
    assert world.get_xlim() == axes.get_xlim()
    assert world.get_ylim() == axes.get_ylim()
    here, there = world.get_window_extent(), axes.get_window_extent()
    assert np.allclose([here.width, here.height, here.y0], [there.width, there.height, there.y0])
    assert here.x1 < there.x0
    image = pixels(axes)
    sea, lake = (made.grid.to_map(*made.grid.centre(made.grid.cell(*spot))) for spot in ((10, 4), (2, 2)))
    for spot in (sea, lake):
        shifted = np.add(spot, (0.12, 0.13))
        assert np.abs(at(world, image, shifted) - rgb(WATER)).max() < 12
    dry = np.add(made.grid.to_map(*made.grid.centre(made.grid.cell(4, 1))), (0.12, 0.13))
    assert np.abs(at(world, image, dry) - rgb(WATER)).max() > 20


def test_a_wide_map_has_its_data_above_it() -> None:
    made = country(30, 6)
    axes = draw_beside(made, data_of(made), hex_px=20)
    world = world_of(axes)
    here, there = world.get_window_extent(), axes.get_window_extent()
    assert here.y0 > there.y1
    assert np.allclose([here.x0, here.x1], [there.x0, there.x1])


def test_relief_is_tinted_by_height_and_the_key_names_the_range() -> None:
    made = country()
    axes = draw_beside(made, data_of(made, heights=slope), hex_px=30)
    world = world_of(axes)
    (shown,) = world.images
    colors = np.asarray(shown.get_array())
    assert colors.shape[2] == 3
    # Light falls on the whole slope alike: what a tint is, is told by the shares of its colours.
    for column, share in ((4, 1.0), (-4, 0.0)):
        got, tint = colors[:, column].mean(axis=0), rgb(height_color(share))
        assert np.abs(got / got.sum() - tint / tint.sum()).max() < 0.02
    words = words_of(axes)
    (range_,) = [word for word in words if word.startswith("heights")]
    x1 = made.grid.to_map(*made.grid.frame[2:])[0]
    lowest, highest = 1000 - 100 * x1, 1000
    first, last = (float(part) for part in range_.removeprefix("heights, ").removesuffix(" m").split(" to "))
    assert lowest <= first < lowest + 0.03 * (highest - lowest)
    assert highest - 0.03 * (highest - lowest) < last <= highest
    assert "heights from" in axes.get_label()


def test_heights_without_values_leave_bare_land() -> None:
    made = country(6, 5)
    axes = draw_beside(made, data_of(made, heights=lambda points: np.full(len(points), np.nan)))
    words = words_of(axes)
    assert not any(word.startswith("heights") for word in words)
    assert "heights" not in axes.get_label()


def test_cover_has_the_tints_of_the_game() -> None:
    made = country()
    scale = np.asarray(made.grid.scale)
    hills = shapely.box(*(np.array([6, 0]) / scale), *(np.array([9, 3]) / scale))
    draw = draw_beside(
        made,
        GeographyData(
            cover=lambda points: np.where(points[:, 0] < 4, 0, -1),
            cover_terrains=("marsh",),
            layers=(DataLayer("cover", "hills", array(hills, shapely.Point(hills.bounds[:2])), terrain="hills"),),
        ),
        hex_px=30,
    )
    from studio.draw import style_for

    style = style_for(made.ruleset, made.model.terrain_ids)
    world = world_of(draw)
    image = pixels(draw)
    assert has(near(world, image, (2.2, 4.1), 3), style.tint("marsh"))
    assert [line.get_markerfacecolor() for line in world.lines] == [style.tint("hills")]
    assert {"marsh", "hills"} <= set(words_of(draw))
    spot = near(world, image, (7.1, 1.4), 3)
    assert np.abs(spot - rgb(style.tint("hills"))).max(axis=1).min() < 30


def test_a_rubber_sheet_bends_the_grid_and_keeps_the_data() -> None:
    made = country()
    scale = np.asarray(made.grid.scale)

    def bent(points: np.ndarray) -> np.ndarray:
        return np.asarray(points) * scale + np.array([0.5, 0.0])

    straight, sheet = (draw_beside(made, data_of(made, frame=frame), hex_px=30) for frame in (None, bent))
    found = []
    for axes in (straight, sheet):
        world = world_of(axes)
        sides = next(one for one in world.collections if isinstance(one, LineCollection) and one.get_zorder() == 5)
        found.append(np.vstack(sides.get_segments()))
    assert np.allclose(found[1] - found[0], [0.5, 0.0])
    assert "straight" in straight.get_label()
    assert "bent by the rubber sheet" in sheet.get_label()


def test_nudged_places_are_marked_and_counted() -> None:
    made = country()
    axes = draw_beside(made, data_of(made), hex_px=40)
    world = world_of(axes)
    assert {"Kut", "Amara"} <= {text.get_text() for text in world.texts}
    strokes = [line for line in world.lines if len(line.get_xdata()) == 2 and line.get_linestyle() == "-"]
    assert len(strokes) == 1
    assert "2 places, 1 of them given another hex" in axes.get_label()
    assert "place that was given another hex" in words_of(axes)
    alone = draw_beside(made, GeographyData(places=data_of(made).places[:1]))
    assert "place that was given another hex" not in words_of(alone)


def test_sources_are_credited() -> None:
    made = country()
    axes = draw_beside(made, data_of(made), hex_px=40)
    assert any("Nobody's atlas (CC0)" in text.get_text() for text in axes.figure.texts)


def test_no_data_at_all_is_a_picture_too(tmp_path: Any) -> None:
    made = country(3, 3)
    axes = draw_beside(made, GeographyData())
    assert axes.get_label().startswith("Two panels in one frame. The data: none, with")
    save_picture(axes, tmp_path / "a.png")
    save_picture(draw_beside(made, GeographyData()), tmp_path / "b.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_empty_and_missing_shapes_are_passed_over() -> None:
    made = country(4, 4)
    shapes = array(None, shapely.Polygon(), shapely.box(0, 0, 3000, 3000))
    layers = tuple(DataLayer(role, role, shapes) for role in ("land", "lake", "country", "area", "building", "road"))  # type: ignore[arg-type]
    assert "land, lake, country" in draw_beside(made, GeographyData(layers=layers)).get_label()


# -- confidence ------------------------------------------------------------------------------------------------------


def test_steps_of_confidence_look_even_to_every_colour_vision() -> None:
    colors = [confidence_color(n / 10) for n in range(11)]
    for vision in VISIONS:
        steps = [delta_e(a, b, vision) for a, b in itertools.pairwise(colors)]
        assert min(steps) > 5
        assert max(steps) < 1.8 * min(steps)
        ends = [delta_e(colors[0], other, vision) for other in colors[1:]]
        assert ends == sorted(ends)


def test_confidence_is_washed_by_hex_and_the_least_sure_are_ringed_and_named() -> None:
    made = country(8, 6)
    values = np.full(made.grid.cells, 1.0)
    doubtful, open_ = made.grid.cell(2, 2), made.grid.cell(5, 3)
    values[doubtful], values[open_] = 0.1, np.nan
    axes = draw_confidence(made, values, hex_px=40)
    image = pixels(axes)
    dark, light, blank = (
        at(axes, image, np.asarray(made.grid.to_map(*made.grid.centre(cell)))).sum()
        for cell in (doubtful, made.grid.cell(6, 1), open_)
    )
    assert dark < light
    assert dark < blank
    label = made.labels.label(doubtful)
    assert f"{label}: 10 %" in [text.get_text() for text in axes.texts]
    rings = [one for one in axes.collections if isinstance(one, LineCollection) and one.get_zorder() == 9.7]
    assert [len(one.get_segments()) for one in rings] == [1, 1]
    assert f"The least sure: {label} (10 %)" in axes.get_label()
    assert f"{made.grid.cells - 1} hexes were judged" in axes.get_label()
    words = words_of(axes)
    assert "not judged" in words


def test_worst_says_how_many_are_ringed_and_sure_hexes_never_are() -> None:
    made = country(8, 6)
    values = np.linspace(0, 1, made.grid.cells)
    assert draw_confidence(made, values, worst=3).get_label().count(" %)") == 3
    assert "least sure" not in draw_confidence(made, np.ones(made.grid.cells)).get_label()
    assert "least sure" not in draw_confidence(made, values, worst=0).get_label()


@pytest.mark.parametrize("values", [np.ones(3), np.full(48, 1.5), np.full(48, -0.1)])
def test_confidence_of_another_map_is_refused(values: np.ndarray) -> None:
    with pytest.raises(PictureError, match=r"allowed 48 from 0 to 1"):
        draw_confidence(country(8, 6), values)


def test_own_axes_get_no_key() -> None:
    from matplotlib.figure import Figure

    made = country(8, 6)
    own = Figure(figsize=(6, 6)).add_subplot()
    assert draw_confidence(made, np.ones(made.grid.cells), ax=own) is own
    assert len(own.figure.axes) == 1


# -- control points --------------------------------------------------------------------------------------------------


def residual(name: str, label: str, dx: float, dy: float, inside: bool = True) -> dict[str, Any]:
    off = float(np.hypot(dx, dy))
    return {"name": name, "at": label, "dx": dx, "dy": dy, "off": off, "sheet_off": off / 2, "inside": inside}


def points_of(made: Any) -> list[dict[str, Any]]:
    label = made.labels.label
    return [
        residual("Basra", label(made.grid.cell(2, 2)), 0.1, -0.2),
        residual("Kut", label(made.grid.cell(5, 5)), 0.9, 0.3),
        residual("Ahvaz", label(made.grid.cell(8, 3)), -1.2, 0.5, inside=False),
    ]


def test_arrows_run_from_where_the_affine_puts_a_point_to_its_hex() -> None:
    made = country()
    axes = draw_fit(made, points_of(made), hex_px=40)
    arrows = [one for one in axes.texts if getattr(one, "arrow_patch", None) is not None]
    assert len(arrows) == 3
    for arrow, one in zip(arrows, points_of(made), strict=True):
        middle = np.asarray(made.grid.to_map(*made.grid.centre(made.labels.cell(one["at"]))))
        assert np.allclose(arrow.xy, middle)
        assert np.allclose(np.asarray(arrow.xyann) - middle, [one["dx"], one["dy"]])
    assert {"Basra 0.22", "Kut 0.95", "Ahvaz 1.30"} <= {text.get_text() for text in axes.texts}


def test_states_differ_by_colour_and_shape_and_are_counted_in_the_key() -> None:
    made = country()
    axes = draw_fit(made, points_of(made), hex_px=40)
    marks = {(line.get_marker(), line.get_markerfacecolor()) for line in axes.lines if line.get_zorder() == 31}
    assert len({mark for mark, _ in marks}) == len({color for _, color in marks}) == 3
    words = words_of(axes)
    for word in ("the affine puts it into its hex (1)", "the rubber sheet does (1)", "it lies outside its hex (1)"):
        assert word in words
    rms = np.sqrt(np.mean([one["off"] ** 2 for one in points_of(made)]))
    assert f"3 control points, {rms:.2f} hexes rms" in axes.get_label()
    assert "the farthest off is Ahvaz" in axes.get_label()
    states = "1 lies in its hex by the affine; 1 lies in its hex by the rubber sheet; 1 lies outside of its hex."
    assert axes.get_label().endswith(states)
    assert draw_fit(made, points_of(made)[:1], hex_px=40).get_label().endswith(" 1 lies in its hex by the affine.")
    both = draw_fit(made, points_of(made)[:1] * 2, hex_px=40)
    assert both.get_label().endswith("hexes. All 2 lie in their hexes by the affine.")


def test_arrows_can_be_drawn_longer_and_the_title_says_so() -> None:
    made = country()
    axes = draw_fit(made, points_of(made)[:1], times=3, hex_px=40)
    (arrow,) = [one for one in axes.texts if getattr(one, "arrow_patch", None) is not None]
    assert np.allclose(np.asarray(arrow.xyann) - arrow.xy, [0.3, -0.6])
    words = words_of(axes)
    assert any("arrows 3 times as long" in word for word in words)


def test_the_hex_of_a_pointy_grid_is_measured_from_centre_to_centre() -> None:
    made = studio.new_map("ignorant_armies", columns=6, rows=6, orientation="pointy")
    cell = made.grid.cell(2, 2)
    east = made.grid.neighbour(cell, 1)
    axes = draw_fit(made, [residual("X", made.labels.label(cell), 1.0, 0.0)], hex_px=40)
    (arrow,) = [one for one in axes.texts if getattr(one, "arrow_patch", None) is not None]
    assert np.allclose(arrow.xyann, made.grid.to_map(*made.grid.centre(east)))


def test_without_control_points_there_is_no_picture() -> None:
    with pytest.raises(PictureError, match=r"only a grid with \[fit\] has them"):
        draw_fit(country(), [])


def test_unknown_options_are_refused_by_name() -> None:
    with pytest.raises(OptionError, match="plot_fit: unknown option"):
        draw_fit(country(), points_of(country()), long=True)  # type: ignore[call-arg]

"""Pictures of routes and of what can be reached."""

from typing import Any

import numpy as np
import pytest

from studio.draw import draw_reach, draw_route, load_style, save_picture
from studio.draw.washes import ramp
from studio.errors import StaleAnswerError, UnsupportedError
from tests.draw.scenes import at, has, near, pixels, rgb
from tests.sight.maps import small_map

STYLE = load_style("armageddon_war")
CLEAR, HINDERED, BLOCKED = (STYLE.verdicts[name].color for name in ("clear", "hindered", "blocked"))


def dot(made: Any, *labels: str) -> np.ndarray:
    """Return the middle between some locations, in map units."""
    directory = made.survey.directory
    points = [made.grid.to_map(*directory.dot(directory.number(label))) for label in labels]
    return np.asarray(points).mean(axis=0)


def shows(made: Any, axes: Any, color: str, *labels: str) -> bool:
    return has(near(axes, pixels(axes), dot(made, *labels), 3), color)


def test_a_route_is_a_line_with_its_points() -> None:
    made = small_map(dunes="0302 0303")
    route = made.route("0301", "0304", mover="tracked")
    axes = draw_route(made, route)
    for a, b in zip(route.labels[:-1], route.labels[1:], strict=True):
        assert shows(made, axes, CLEAR, a, b)
    written = {text.get_text() for text in axes.texts}
    assert {"1", "2", "3", "4"} <= written
    assert any(route.text in text.get_text() for panel in axes.figure.axes for text in panel.texts)


def test_what_lies_beyond_the_points_is_another_line() -> None:
    made = small_map()
    axes = draw_route(made, made.route("0501", "0505", mover="tracked", points=2))
    assert shows(made, axes, CLEAR, "0501", "0502")
    assert not shows(made, axes, CLEAR, "0504", "0505")
    line = near(axes, pixels(axes), dot(made, "0504", "0505"), 14)
    assert has(line, HINDERED)


def test_a_barrier_is_crossed_out() -> None:
    made = small_map(rough=" ".join(f"{column:02}05" for column in range(1, 10)))
    route = made.route("0503", "0507", mover="wheeled")
    axes = draw_route(made, route)
    assert shows(made, axes, BLOCKED, route.miss.step.a, route.miss.step.b)
    assert not has(near(axes, pixels(axes), dot(made, "0503", "0504"), 3), BLOCKED)


def test_reach_is_shaded_by_its_points_and_what_is_out_is_hatched() -> None:
    made = small_map(dunes="0505")
    reach = made.reach("0503", mover="tracked", points=2)
    axes = draw_reach(made, reach, hex_px=60)
    image = pixels(axes)
    off = np.array([-0.33, 0.0])
    near_, far = (at(axes, image, dot(made, label) + off) for label in ("0504", "0501"))
    assert near_.sum() > far.sum() + 40  # light to dark
    assert np.abs(far - rgb(ramp(1.0))).sum() < np.abs(near_ - rgb(ramp(1.0))).sum()
    free = draw_reach(made, made.reach("0503", mover="tracked", points=1), hex_px=60)
    assert not np.array_equal(pixels(free), image)


def test_first_steps_are_hatched_otherwise() -> None:
    made = small_map(dunes="0504")
    axes = draw_reach(made, made.reach("0503", mover="wheeled", points=2), hex_px=60)
    words = [text.get_text() for panel in axes.figure.axes for text in panel.texts]
    assert "first step (1)" in words
    assert any(word.startswith("not reached (") for word in words)


def test_small_hexes_and_axes_of_ones_own(tmp_path: Any) -> None:
    made = small_map(30, 20)
    for px in (6, 20, 40):
        save_picture(draw_route(made, made.route("0503", "2515", mover="tracked"), hex_px=px), tmp_path / f"{px}.png")
        save_picture(draw_reach(made, made.reach("0503", mover="tracked"), hex_px=px), tmp_path / f"r{px}.png")
    first = (tmp_path / "20.png").read_bytes()
    save_picture(draw_route(made, made.route("0503", "2515", mover="tracked"), hex_px=20), tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == first


def test_only_answers_about_this_map_as_it_is_are_drawn() -> None:
    made, other = small_map(), small_map()
    route, reach = made.route("0301", "0304", mover="tracked"), made.reach("0301", mover="tracked", points=3)
    assert made.plot_route(route) and made.plot_reach(reach)
    for plot, answer in ((made.plot_route, reach), (made.plot_reach, route)):
        with pytest.raises(UnsupportedError, match="allowed: the R"):
            plot(answer)
    with pytest.raises(StaleAnswerError, match="another map"):
        other.plot_route(route)
    made.paint("0302", terrain="dunes")
    for plot, answer in ((made.plot_route, route), (made.plot_reach, reach)):
        with pytest.raises(StaleAnswerError, match="the map has changed"):
            plot(answer)

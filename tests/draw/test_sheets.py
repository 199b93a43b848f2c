"""Pictures of maps of several sheets: nothing outside their frames, seams and titles, what is not in play greyed."""

import warnings
from typing import Any

import numpy as np
import pytest

import studio
from studio.api import JoinWarning, Map
from studio.draw import draw_map, load_style, preview_png
from studio.model import MapUse
from tests.draw.test_pictures import at, pixels, rgb

STYLE = load_style("armageddon_war")
HALF = ("left", "right", "top", "bottom")


@pytest.fixture(scope="module")
def joint() -> Map:
    def board(title: str) -> Map:
        return studio.new_map("armageddon_war", columns=5, rows=4, title=title, half=HALF, short=True)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        both = studio.join_maps(board("West"), board("East"), turned=True, prefixes=("", "E"))
        return studio.join_maps(both, board("Caves"), edge="apart", prefixes=("", "U"))


def test_nothing_is_drawn_between_sheets_that_lie_apart(joint: Map) -> None:
    axes = draw_map(joint, hex_px=30, labels=False)
    image = pixels(axes)
    joint_frames = joint.grid.joint.frames
    left, right = joint_frames[1][2], joint_frames[2][0]
    for x in range(left + 60, right, 60):
        for y in range(joint.grid.frame[1] + 60, joint.grid.frame[3], 120):
            assert (at(axes, image, joint.grid.to_map(x, y)) == rgb(STYLE.lines.margin_color)).all()
    for cell in np.flatnonzero(joint.grid.present).tolist():
        point = joint.grid.outline(cell).centroid
        assert (at(axes, image, (point.x, point.y)) != rgb(STYLE.lines.margin_color)).any()


def test_a_seam_is_drawn_and_titles_are_written(joint: Map) -> None:
    axes = draw_map(joint, hex_px=60)
    assert [text.get_text() for text in axes.texts][-3:] == ["West", "East (E)", "Caves (U)"]
    image = pixels(axes)
    x = joint.grid.joint.frames[0][2]
    column = np.array([at(axes, image, joint.grid.to_map(x, y)) for y in range(300, 1600, 8)])
    dark = (np.abs(column - rgb(STYLE.lines.frame_color)) < 40).all(axis=1)
    assert 0.2 < dark.mean() < 0.95  # dashed
    alone = draw_map(studio.turn_map(studio.new_map("armageddon_war", columns=4, rows=3, title="Alone")), hex_px=60)
    assert "Alone" not in [text.get_text() for text in alone.texts]


def test_what_is_not_in_play_is_greyed(joint: Map) -> None:
    plain, use = pixels(draw_map(joint, hex_px=30)), MapUse(file="", sheets=("west",), out_of_play=("0302",))
    axes = draw_map(joint, hex_px=30, in_play=use)
    greyed = pixels(axes)
    for label, same in (("0303", True), ("0302", False), ("E0302", False), ("U0302", False), ("0501", True)):
        x, y = joint.grid.to_map(*joint.grid.centre(joint.labels.cell(label)))
        before, after = (at(axes, image, (x + 0.15, y + 0.1)) for image in (plain, greyed))
        assert (before == after).all() == same, label
    with pytest.raises(TypeError, match="give a scenario"):
        draw_map(joint, in_play="west")


def test_a_scenario_shows_what_is_in_play(joint: Map, tmp_path: Any) -> None:
    joint.save(tmp_path / "joint.map.json", overwrite=True)
    made = studio.new_scenario(joint)
    whole = pixels(made.plot(hex_px=20))
    made.model.document.map = MapUse(file=str(joint.path), sheets=("caves",))
    assert (pixels(made.plot(hex_px=20)) != whole).any()
    assert (pixels(made.plot(hex_px=20, in_play=None)) == whole).all()


def test_a_preview_of_a_joint_map(joint: Map) -> None:
    assert preview_png(joint).startswith(b"\x89PNG")
    assert preview_png(joint, size=12).startswith(b"\x89PNG")  # too small to draw hexes

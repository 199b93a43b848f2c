"""Pictures of supply and of what held for a move: every sign stands in the key, nothing hides what it stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import studio
from studio.draw import style_for
from studio.draw.road_ways import RoadWays
from studio.draw.state_marks import state_entries, state_words
from studio.rules import load_ruleset
from tests.draw.scenes import at, pixels
from tests.paths.boards import Unit
from tests.paths.test_ignorant_armies import board
from tests.sight.maps import small_map


def words(axes: Any) -> list[str]:
    return [text.get_text() for panel in axes.figure.axes for text in panel.texts]


ROW = ("0105", "0205", "0305", "0405", "0505")


def front() -> Any:
    units = (Unit("a", "iraq", "0305"), Unit("b", "iraq", "0510"), Unit("x", "iran", "0205"))
    return board(terrain={"0105": "city"}, roads=(ROW,), units=units).scenario()


def test_the_key_of_supply_has_every_sign() -> None:
    told = words(front().plot_supply("iraq"))
    for word in ("in supply (1)", "out of supply (1)", "source", "cuts the line", "enemy unit (1)", "road of Iraq"):
        assert word in told
    assert "road of Iran" in told  # the enemy holds a hex of it


def test_roads_of_nobody_are_in_the_key() -> None:
    scenario = board(terrain={"0105": "city"}, roads=(ROW,)).scenario()
    assert "road of nobody" in words(scenario.plot_supply(scenario.supply("iraq", control={"": "0405"})))
    assert "road of nobody" not in words(front().plot_supply("iraq"))


def test_interdiction_names_units_and_shows_enemies() -> None:
    scenario = board(
        terrain={"0105": "city"}, roads=(ROW,), units=(Unit("a", "iraq", "0505"), Unit("x", "iran", "1109"))
    ).scenario()
    told = words(scenario.plot_interdiction("iraq"))
    assert {"a", "unit of Iraq (1)", "source (1)", "enemy unit (1)"} <= set(told)


def test_what_held_is_drawn_with_the_route() -> None:
    made = small_map()
    state = {"enemies": ["0303"], "blocked": ["0404"], "flank": True}
    route = made.route("0301", "0305", mover="tracked", state=state)
    axes = made.plot_route(route)
    told = words(axes)
    assert {"enemies (1)", "closed (1)"} <= set(told)
    assert any("(with flank)" in text for text in told)
    assert sum(line.get_gid() == "state" for line in axes.lines) == 2
    bare = made.route("0301", "0305", mover="tracked")
    assert state_entries(bare.judge.state) == []  # type: ignore[attr-defined]
    assert state_words(bare.judge.state) == ""  # type: ignore[attr-defined]
    reach = made.plot_reach(made.reach("0301", mover="tracked", points=3, state=state))
    assert {"enemies (1)", "closed (1)"} <= set(words(reach))


def test_a_warning_stands_over_the_key() -> None:
    made = small_map(river="0303")
    axes = made.plot_route(made.route("0303", "0306", mover="wheeled"))
    assert any("cannot be where it starts" in text.replace("\n", " ") for text in [" ".join(words(axes))])


def test_discs_of_points_are_of_one_size_and_inside_their_hexes() -> None:
    made = small_map(columns=12, rows=12)
    axes = made.plot_route(made.route("0202", "1010", mover="wheeled"))
    discs = [line for line in axes.lines if line.get_zorder() == 36]
    assert len(discs) == len(made.route("0202", "1010", mover="wheeled").legs)
    assert len({line.get_markersize() for line in discs}) == 1
    directory, unit = made.survey.directory, made.grid.hex_height
    for line, label in zip(discs, made.route("0202", "1010", mover="wheeled").labels[1:], strict=True):
        dot = np.asarray(made.grid.to_map(*directory.dot(directory.number(label))))
        far = float(np.hypot(*(np.asarray(line.get_xydata(), dtype=float)[0] - dot)))
        assert 0.2 * unit < far < 0.35 * unit


def test_a_route_follows_the_drawn_road() -> None:
    made = small_map()
    made.add("road", path=["0203", "0303", "0403", "0503", "0603"])
    ways, cell = RoadWays(made.model), made.labels.cell
    piece = ways.piece(cell("0303"), cell("0403"))
    assert piece is not None
    ends = [np.asarray(made.grid.to_map(*made.grid.centre(cell(name)))) for name in ("0303", "0403")]
    assert np.allclose(piece[[0, -1]], ends)
    straight = np.linspace(ends[0], ends[1], len(piece))
    assert np.abs(piece - straight).max() > 0.01 * made.grid.hex_height  # it bends
    back = ways.piece(cell("0403"), cell("0303"))
    assert back is not None
    assert np.allclose(back, piece[::-1])
    assert ways.piece(cell("0303"), cell("0304")) is None


def test_every_class_of_cost_is_in_the_key_or_there_is_a_scale() -> None:
    made = small_map(columns=20, rows=20)
    few = words(made.plot_reach(made.reach("0505", mover="tracked", points=9)))
    assert [f"{n} MP" in few for n in range(10)] == [True] * 10
    many = words(made.plot_reach(made.reach("0101", mover="tracked")))
    assert any(text.startswith("0 MP to ") for text in many)


def test_terrain_is_seen_below_a_reach() -> None:
    made = small_map(light_urban="0403")
    reach = made.reach("0303", mover="tracked", points=2)
    image = pixels(axes := made.plot_reach(reach, hex_px=60))
    spots = [np.asarray(made.grid.to_map(*made.grid.centre(made.labels.cell(name)))) for name in ("0403", "0203")]
    aside = np.array([-0.3, 0.0]) * made.grid.hex_height
    town, clear = (at(axes, image, spot + aside).astype(int) for spot in spots)
    assert np.abs(town - clear).sum() > 20


# -- games of one's own ------------------------------------------------------------------------------------------------


@pytest.fixture
def harbour(tmp_path: Any) -> Any:
    file = tmp_path / "harbour.ruleset.toml"
    file.write_text(
        'id = "harbour"\ntitle = "Harbour"\nlevels = [0, 1]\nfeatures = ["area"]\n'
        '[movers.foot]\nname = "Foot"\n[terrain.clear]\nname = "Clear"\nchar = "."\nmove = { foot = 1 }\n'
        '[terrain.forest]\nname = "Forest"\nchar = "f"\nmove = { foot = 2 }\n'
        '[sides.river]\nname = "River"\n[sides.stone_wall]\nname = "Wall"\n[sides.odd]\nname = "Odd"\n'
        '[areas.land]\nname = "Land"\n[areas.region]\nname = "Region"\nlocation = true\n',
        encoding="utf-8",
    )
    return load_ruleset(file)


def test_hexsides_look_like_what_they_are_called(harbour: Any) -> None:
    sides = style_for(harbour).lines.sides
    assert sides["river"].bridged
    assert sides["stone_wall"] != sides["river"]
    assert "odd" not in sides


def test_countries_leave_the_terrain_to_be_seen(harbour: Any) -> None:
    areas = style_for(harbour).areas
    assert areas["land"].opacity < 150
    assert areas["land"].dash
    assert "region" not in areas
    made = studio.new_map(harbour, columns=6, rows=6).paint(["0302", "0303"], terrain="forest")
    bare = pixels(axes := made.plot(hex_px=40))
    made.add("area", type="land", name="Red", outline=[[0, 0], [4000, 0], [4000, 4000], [0, 4000]])
    tinted = pixels(made.plot(hex_px=40))
    spot = np.asarray(made.grid.to_map(*made.grid.centre(made.labels.cell("0303"))))
    assert np.abs(at(axes, bare, spot).astype(int) - at(axes, tinted, spot).astype(int)).max() < 60

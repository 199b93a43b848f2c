"""What the tools for lines and areas ask for: tilings stay whole, every request is one step, refusals say where."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.editor import MapEditor
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, Contour, Link, MapModel, Marker, Place, Road, Wall
from studio.model.topology.rings import area_fault, line_edges
from studio.rules import get_ruleset
from tests.model.tilings import frame_of, on_borders, random_tiling


class Asked:
    """An editor, and what it sends."""

    def __init__(self, map_: Map) -> None:
        self.map, self.seq = map_, 0
        self.editor = MapEditor(map_)
        self.sent: list[dict[str, Any]] = []
        self.editor.send = lambda content, buffers=None: self.sent.append(content)

    def __call__(self, action: str, **detail: Any) -> list[str] | None:
        """Ask for a change; return what is chosen then, None when it was refused."""
        self.seq += 1
        self.sent.clear()
        touches = detail.pop("touches", ["nothing"])
        message = {"type": "shape", "action": action, "client": "c", "seq": self.seq, "touches": touches, **detail}
        self.editor._on_message(self.editor, {"type": "many", "messages": [message]}, [])
        acks = [one["ack"] for one in self.sent if one["type"] == "patch" and one["ack"]]
        assert acks == [{"client": "c", "seq": self.seq}]
        done = [one for one in self.sent if one["type"] == "shaped"]
        if not done:
            assert self.trouble
            return None
        assert done[0]["seq"] == self.seq
        ids: list[str] = done[0]["ids"]
        return ids

    @property
    def trouble(self) -> str:
        """The words of the last refusal."""
        return next((str(one["message"]) for one in self.sent if one["type"] == "error"), "")

    @property
    def place(self) -> Any:
        return next(one["point"] for one in self.sent if one["type"] == "shape_refused")


@pytest.fixture
def ask() -> Any:
    opened: list[Asked] = []

    def make(map_: Map) -> Asked:
        opened.append(Asked(map_))
        return opened[-1]

    yield make
    for one in opened:
        one.editor.close()


Ask = Callable[[Map], Asked]


def ring(x0: int, y0: int, x1: int, y1: int) -> list[list[int]]:
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def areas_of(map_: Map) -> list[Area]:
    return [one for one in map_.features.values() if isinstance(one, Area)]


def area(map_: Map, name: str) -> Area:
    found = map_.features[name]
    assert isinstance(found, Area)
    return found


# -- areas beside each other


def test_what_overlaps_is_cut_to_shared_corners_as_it_is_asked_for(ask: Ask) -> None:
    town = studio.new_map("phantom_fury", columns=10, rows=10)
    asked = ask(town)
    assert asked("area", id="z1", kind_type="zone", name="1", points=ring(480, 480, 1920, 1920)) == ["z1"]
    slanted = [[1300, 600], [3000, 900], [2700, 2400], [1500, 2100]]
    assert asked("area", id="z2", kind_type="zone", name="2", points=slanted, overlap="cut") == ["z2"]
    one, two = area(town, "z1"), area(town, "z2")
    shared = set(one.outline) & set(two.outline)
    assert len(shared) >= 3
    assert (1920, 1920) in shared
    assert not shapely.Polygon(one.outline).relate_pattern(shapely.Polygon(two.outline), "T********")
    # What is cut off is given to nobody: both together cover what was drawn.
    drawn = shapely.Polygon(slanted).union(shapely.Polygon(ring(480, 480, 1920, 1920)))
    assert drawn.symmetric_difference(shapely.Polygon(one.outline).union(shapely.Polygon(two.outline))).area < 4000
    assert town.history == ["Draw zone 1", "Draw zone 2"]

    assert asked("area", id="z3", kind_type="street", points=ring(960, 960, 1440, 1440), overlap="over") == ["z3"]
    assert area(town, "z1").holes
    assert not town.survey.coverage(["z1", "z3"]).overlaps
    before = town.to_text()
    assert asked("area", id="z4", kind_type="zone", points=ring(600, 600, 900, 900), overlap="refuse") is None
    assert "keeps them apart" in asked.trouble
    assert " in hex " in asked.trouble
    x, y = asked.place
    assert 600 <= x <= 900
    assert 600 <= y <= 900
    assert asked("area", id="z4", kind_type="zone", points=ring(600, 600, 900, 900), overlap="cut") is None
    assert "nothing is left" in asked.trouble
    assert asked("area", id="z4", kind_type="zone", points=ring(900, 900, 1500, 1500), overlap="over") is None
    assert "covers street" in asked.trouble
    assert town.to_text() == before


def test_an_area_across_another_falls_in_pieces_that_have_names(ask: Ask) -> None:
    town = studio.new_map("phantom_fury", columns=10, rows=10)
    asked = ask(town)
    asked("area", id="street", kind_type="street", name="S1", points=ring(1920, 480, 2400, 3840))
    ids = asked("area", id="z", kind_type="zone", name="7", points=ring(480, 960, 4320, 1440))
    assert ids is not None
    assert [town.features[one].name for one in ids] == ["7", "7b"]  # type: ignore[union-attr]
    assert not town.survey.coverage(["street", *ids]).overlaps
    town.undo()
    ids = asked("area", id="z", kind_type="zone", name="7", points=ring(480, 960, 4320, 1440), overlap="over")
    assert ids == ["z"]
    assert sorted(one.name for one in areas_of(town)) == ["7", "S1", "S1b"]


def test_a_room_becomes_part_of_the_building_it_is_drawn_in(ask: Ask) -> None:
    town = studio.new_map("urban_operations", columns=10, rows=10)
    asked = ask(town)
    asked("area", id="b", kind_type="building", name="9", points=ring(480, 480, 2880, 1920))
    asked("area", id="r1", kind_type="room", name="9.1", points=ring(480, 480, 1440, 1920))
    asked("area", id="r2", kind_type="room", name="9.2", points=ring(960, 480, 2880, 1920))
    assert area(town, "r1").within == area(town, "r2").within == "b"
    assert sorted(area(town, "r2").outline) == [(1440, 480), (1440, 1920), (2880, 480), (2880, 1920)]
    asked("area", id="far", kind_type="room", name="far", points=ring(4000, 3000, 4300, 3300))
    assert area(town, "far").within == ""
    assert asked("area", kind_type="room", name="9.1", points=ring(4000, 4000, 4300, 4300)) is None
    assert "9.1" in asked.trouble


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([[480, 480], [1920, 1920], [1920, 480], [480, 1920]], "meets itself"),
        ([[480, 480], [1920, 480], [1000, 480]], "on one line"),
        ([[480, 480], [-50, 480], [480, 900]], "outside of the map"),
        ([[480, 480], [1920, 480]], "it needs 3"),
        ([[480, 480], ["a", 480], [0, 0]], "allowed: points"),
        (None, "allowed: points"),
    ],
)
def test_an_outline_that_cannot_be_is_refused_with_its_place(points: Any, words: str, ask: Ask) -> None:
    asked = ask(studio.new_map("modern_tactics", columns=8, rows=8))
    before = asked.map.to_text()
    assert asked("area", kind_type="structure", points=points) is None
    assert words in asked.trouble
    assert asked.map.to_text() == before
    assert asked.map.history == []


def test_an_unknown_type_or_action_is_told(ask: Ask) -> None:
    asked = ask(studio.new_map("modern_tactics", columns=8, rows=8))
    assert asked("area", kind_type="palace", points=ring(480, 480, 960, 960)) is None
    assert "structure" in asked.trouble
    assert asked("juggle") is None
    assert "move_vertex" in asked.trouble
    assert asked("move", ids=[], by=[1, 1]) is None
    assert "choose something" in asked.trouble
    assert asked("delete", ids=["area-9"]) is None


# -- every type of every game

GAMES = ["armageddon_war", "ignorant_armies", "modern_tactics", "phantom_fury", "urban_operations"]


@pytest.mark.parametrize("game", GAMES)
def test_every_type_of_every_game_can_be_drawn_changed_and_removed(game: str, ask: Ask) -> None:
    rules = get_ruleset(game)
    map_ = studio.new_map(game, columns=10, rows=10)
    asked, x = ask(map_), 0
    for number, kind in enumerate(rules.area_types):
        x = 300 * number
        ids = asked("area", id=f"a{number}", kind_type=kind, name=f"A {number}", points=ring(x, 500, x + 240, 900))
        assert ids == [f"a{number}"]
        assert asked("move_vertex", point=[x, 500], to=[x + 20, 520]) == []
        assert asked("insert_vertex", point=[x + 240, 700], to=[x + 200, 700]) == []
        assert len(area(map_, ids[0]).outline) == 5
        assert asked("delete_vertex", point=[x + 200, 700]) == []
    for number, kind in enumerate(rules.wall_types):
        y = 2000 + 200 * number
        assert asked("line", kind="wall", id=f"w{number}", kind_type=kind, points=[[0, y], [900, y]]) == [f"w{number}"]
        assert asked("move_vertex", point=[900, y], to=[960, y + 40]) == []
        found = map_.features[f"w{number}"]
        assert isinstance(found, Wall)
        assert found.line[-1] == (960, y + 40)
    for kind in ("contour", "road"):
        known = kind in rules.feature_kinds
        points = [[480, 3000], [1500, 3100], [2500, 3400]]
        ids = asked("line", kind=kind, id=f"l-{kind}", level=1, surface="unpaved", points=points)
        assert ids == ([f"l-{kind}"] if known else None)
        if known:
            assert asked("move_vertex", point=[1500, 3100], to=[1500, 2900]) == []
            assert asked("insert_vertex", point=[990, 2950], to=None) == []
            assert asked("delete_vertex", point=[2500, 3400]) == []
    texts = len(map_.history)
    drawn = list(map_.features)
    if drawn:
        assert asked("delete", ids=drawn) == []
        assert not map_.features
        assert len(map_.history) == texts + 1


def test_a_ruleset_of_ones_own_has_its_types(ask: Ask, tmp_path: Any) -> None:
    own = tmp_path / "gardens"
    own.mkdir()
    text = (
        'id = "gardens"\ntitle = "Gardens"\nlevels = [0, 3]\nfeatures = ["area", "wall"]\n'
        '[terrain.grass]\nname = "Grass"\nchar = "."\n[areas.bed]\nname = "Bed"\nlayer = "beds"\n'
        '[walls.hedge]\nname = "Hedge"\n'
    )
    (own / "terrain.toml").write_text(text)
    rules = studio.load_ruleset(own / "terrain.toml")
    garden = studio.new_map(rules, columns=6, rows=6)
    asked = ask(garden)
    assert [one["id"] for one in asked.editor.get_state()["catalogue"]["area_types"]] == ["bed"]
    assert asked("area", id="b1", kind_type="bed", points=ring(480, 480, 960, 960)) == ["b1"]
    assert asked("area", id="b2", kind_type="bed", points=ring(720, 480, 1440, 960)) == ["b2"]
    assert not garden.survey.coverage(["b1", "b2"]).overlaps
    assert asked("line", kind="wall", kind_type="hedge", points=[[0, 0], [900, 500]]) == ["wall-1"]


# -- lines


def test_lines_are_cut_joined_closed_and_turned_round(ask: Ask) -> None:
    desert = studio.new_map("armageddon_war", columns=10, rows=10)
    asked = ask(desert)
    asked("line", kind="contour", id="c1", level=2, points=[[480, 480], [1480, 480], [1480, 1480]])
    ids = asked("split_line", ids=["c1"], point=[1480, 980])
    assert ids is not None
    first, second = (desert.features[one] for one in ids)
    assert isinstance(first, Contour)
    assert isinstance(second, Contour)
    assert (first.line[-1], second.line[0], second.level) == ((1480, 980), (1480, 980), 2)
    assert asked("join", ids=ids) == ["c1"]
    whole = desert.features["c1"]
    assert isinstance(whole, Contour)
    assert whole.line == ((480, 480), (1480, 480), (1480, 980), (1480, 1480))
    assert asked("join", ids=["c1"]) == ["c1"]
    assert desert.features["c1"].line[-1] == (480, 480)  # type: ignore[union-attr]
    assert asked("reverse", ids=["c1"]) == ["c1"]
    assert asked("retype", ids=["c1"], kind_type=3) == ["c1"]
    assert desert.features["c1"].level == 3  # type: ignore[union-attr]
    # The corner where it is closed is one corner.
    assert asked("move_vertex", point=[480, 480], to=[500, 520]) == []
    line = desert.features["c1"].line  # type: ignore[union-attr]
    assert line[0] == line[-1] == (500, 520)
    assert asked("split_line", ids=["c1"], point=[1480, 980]) == ["c1"]
    assert desert.features["c1"].line[0] == (1480, 980)  # type: ignore[union-attr]
    asked("line", kind="contour", id="c2", level=1, points=[[480, 3000], [1480, 3000]])
    assert asked("join", ids=["c1", "c2"]) is None
    assert "is closed" in asked.trouble
    asked("line", kind="contour", id="c3", level=2, points=[[480, 3500], [1480, 3500]])
    assert asked("join", ids=["c2", "c3"]) is None
    assert "not alike" in asked.trouble


def test_a_road_leads_through_the_hexes_of_its_line_after_every_change(ask: Ask) -> None:
    desert = studio.new_map("armageddon_war", columns=10, rows=10)
    asked, grid, labels = ask(desert), desert.grid, desert.labels
    middle = [list(grid.centre(labels.cell(name))) for name in ("0202", "0502")]
    assert asked("line", kind="road", surface="unpaved", points=middle) == ["road-1"]
    road = desert.features["road-1"]
    assert isinstance(road, Road)
    assert (road.path[0], road.path[-1], road.surface) == ("0202", "0502", "unpaved")
    to = list(grid.centre(labels.cell("0507")))
    assert asked("move_vertex", point=middle[1], to=to) == []
    road = desert.features["road-1"]
    assert isinstance(road, Road)
    assert road.path[-1] == "0507"
    desert.undo()
    assert desert.features["road-1"].path[-1] == "0502"  # type: ignore[union-attr]
    ids = asked("split_line", ids=["road-1"], point=[(p + q) // 2 for p, q in zip(*middle, strict=True)])
    assert ids is not None
    assert desert.features[ids[0]].path[-1] == desert.features[ids[1]].path[0]  # type: ignore[union-attr]
    (copy,) = asked("duplicate", ids=["road-1"], by=[0, 960]) or []
    assert desert.features[copy].path[0] == "0204"  # type: ignore[union-attr]
    assert asked("line", kind="road", points=[[480, 240], [40000, 240]]) is None
    assert "outside of the map" in asked.trouble


# -- holes, copies, removal


def test_holes_are_cut_and_filled(ask: Ask) -> None:
    town = studio.new_map("modern_tactics", columns=8, rows=8)
    asked = ask(town)
    asked("area", id="s", kind_type="structure", points=ring(480, 480, 2400, 2400))
    assert asked("hole", ids=["s"], points=ring(960, 960, 1440, 1440)) == ["s"]
    assert len(area(town, "s").holes) == 1
    assert asked("hole", ids=["s"], points=ring(300, 700, 2600, 800)) is None
    assert "in pieces" in asked.trouble
    asked("area", id="t", kind_type="structure", points=ring(960, 960, 1440, 1440))
    assert asked("fill_holes", ids=["s"]) is None
    assert "keeps them apart" in asked.trouble
    asked("delete", ids=["t"])
    assert asked("fill_holes", ids=["s"]) == ["s"]
    assert area(town, "s").holes == ()
    made = [[0, 0], [480, 0], [480, 480], [0, 480]]
    with_hole = asked("area", id="u", kind_type="hill", points=ring(0, 0, 960, 960), holes=[made])
    assert with_hole == ["u"] or "does not lie inside" in asked.trouble


def test_copies_take_their_parts_along_and_removal_what_names_them(ask: Ask) -> None:
    town = studio.new_map("urban_operations", columns=12, rows=12)
    asked = ask(town)
    asked("area", id="b", kind_type="building", name="9", points=ring(480, 480, 1920, 1920))
    asked("area", id="r1", kind_type="room", name="9.1", points=ring(480, 480, 1200, 1920))
    asked("area", id="r2", kind_type="room", name="9.2", points=ring(1200, 480, 1920, 1920))
    roof = next(iter(town.ruleset.place_types))
    town.add("place", id="p", type=roof, name="R9", at=[1300, 1000], within="b")
    link = next(iter(town.ruleset.link_types))
    town.add("link", id="l", type=link, a="R9", b="9.1")
    marker = next(iter(town.ruleset.marker_types))
    town.add("marker", id="m", type=marker, at="9.1")
    ids = asked("duplicate", ids=["b"], by=[2880, 480])
    assert ids is not None
    (copy,) = ids
    parts = [one for one in town.features.values() if isinstance(one, Area | Place) and one.within == copy]
    assert sorted(one.name for one in parts) == ["9.1b", "9.2b", "R9b"]
    assert area(town, copy).outline[0] == (3360, 960)
    assert not town.survey.coverage([one.id for one in areas_of(town)]).overlaps
    assert asked("delete", ids=["b"]) == []
    assert not any(isinstance(one, Link | Marker) for one in town.features.values())
    assert {one.name for one in areas_of(town)} == {"9b", "9.1b", "9.2b"}
    town.undo()
    assert {"b", "r1", "r2", "p", "l", "m"} <= set(town.features)


def test_moves_keep_shared_borders_or_are_refused_where_the_game_keeps_areas_apart(ask: Ask) -> None:
    town = studio.new_map("phantom_fury", columns=12, rows=12)
    asked = ask(town)
    for number in range(3):
        x = 480 + 960 * number
        asked("area", id=f"z{number}", kind_type="zone", name=str(number), points=ring(x, 480, x + 960, 1440))
    assert asked("move", ids=["z1"], by=[100, 60], stretch=True) == ["z1"]
    assert not town.survey.coverage(["z0", "z1", "z2"]).overlaps
    assert area(town, "z0").outline[1] == (1540, 540)
    assert asked("move", ids=["z1"], by=[200, 0], stretch=False) is None
    assert "keeps them apart" in asked.trouble
    assert asked("move_vertex", point=[480, 480], to=[1700, 1000]) is None
    assert asked("move_vertex", point=[1540, 540], to=[1500, 400], only=["z0"]) == []
    assert area(town, "z1").outline[0] == (1540, 540)
    # What overlaps already may be moved about: that is how it is mended.
    town.add("area", id="bad", type="zone", name="9", outline=ring(480, 1000, 900, 2000))
    assert asked("move_vertex", point=[480, 2000], to=[480, 2100]) == []


# -- tilings under random messages


def tiled(rng: np.random.Generator, cuts: int) -> Map:
    rules = get_ruleset("phantom_fury")
    model = MapModel("phantom_fury", HexGrid(columns=5, rows=5), LabelScheme.ccrr(), rules.terrain_characters)
    tiles = [Area(id=one.id, type="zone", outline=one.outline) for one in random_tiling(rng, cuts)]
    model.features = {one.id: one for one in tiles}
    return Map(model)


def random_message(map_: Map, rng: np.random.Generator) -> tuple[str, dict[str, Any]]:
    areas = areas_of(map_)
    edges = [edge for one in areas for edge in line_edges(one.outline, closed=True)]
    p, q = edges[int(rng.integers(len(edges)))]
    part = rng.random()
    near = [round(p[0] + part * (q[0] - p[0])), round(p[1] + part * (q[1] - p[1]))]
    one = areas[int(rng.integers(len(areas)))]
    frame = frame_of(areas)
    on_frame = on_borders(p, [Area(id="f", type="f", outline=frame)])
    what = str(rng.choice(["move_vertex", "insert_vertex", "delete_vertex", "split", "join", "move", "area"]))
    match what:
        case "move_vertex" if not on_frame:
            far = int(rng.choice([3, 40, 400]))
            to = [p[0] + int(rng.integers(-far, far + 1)), p[1] + int(rng.integers(-far, far + 1))]
            return what, {"point": list(p), "to": to}
        case "delete_vertex" if not on_frame:
            return what, {"point": list(p)}
        case "split":
            middle = shapely.Polygon(one.outline).representative_point()
            ends = [one.outline[int(rng.integers(len(one.outline)))] for _ in range(2)]
            bend = [[round(middle.x), round(middle.y)]] if rng.random() < 0.5 else []
            return what, {"ids": [one.id], "points": [list(ends[0]), *bend, list(ends[1])]}
        case "join" if map_.survey.borders:
            border = map_.survey.borders[int(rng.integers(len(map_.survey.borders)))]
            return what, {"ids": [border.a, border.b]}
        case "move":
            inside = not any(on_borders(c, [Area(id="f", type="f", outline=frame)]) for c in one.outline)
            way = [int(rng.integers(-60, 61)), int(rng.integers(-60, 61))]
            return what, {"ids": [one.id], "by": way if inside else [0, 0], "stretch": True}
        case "area":
            x0, x1 = sorted(rng.choice(1440, 2, replace=False).tolist())
            y0, y1 = sorted(rng.choice(1200, 2, replace=False).tolist())
            points = ring(x0, y0, x1, y1)
            if rng.random() < 0.6:
                points[0] = [int(rng.integers(0, x1)), int(rng.integers(0, y1))]
            return what, {"kind_type": "zone", "points": points, "overlap": "over"}
    return "insert_vertex", {"point": near, "to": None}


@given(seed=st.integers(0, 10**6), cuts=st.integers(1, 8))
@settings(max_examples=50, deadline=None)
def test_random_messages_keep_a_tiling_whole_and_undo_to_the_byte(seed: int, cuts: int) -> None:
    rng = np.random.default_rng(seed)
    map_ = tiled(rng, cuts)
    asked = Asked(map_)
    try:
        frame = frame_of(areas_of(map_))
        ground = shapely.Polygon(frame)
        texts = [map_.to_text()]
        for _ in range(9):
            action, detail = random_message(map_, rng)
            done = asked(action, **detail)
            if done is None:
                assert map_.to_text() == texts[-1], (action, detail)
                continue
            areas = areas_of(map_)
            assert all(area_fault(one) is None for one in areas), (action, detail)
            after = shapely.Polygon(frame_of(areas))
            assert after.equals(ground) or after.symmetric_difference(ground).area < 3000, (action, detail)
            if map_.to_text() != texts[-1]:
                texts.append(map_.to_text())
        assert len(map_.history) == len(texts) - 1
        for text in reversed(texts[:-1]):
            map_.undo()
            assert map_.to_text() == text
    finally:
        asked.editor.close()


# -- quick


def test_the_usual_requests_on_a_thousand_zones_take_a_moment(ask: Ask) -> None:
    rules = get_ruleset("phantom_fury")
    model = MapModel("phantom_fury", HexGrid(columns=60, rows=60), LabelScheme.ccrr(), rules.terrain_characters)
    zones = [
        Area(
            id=f"z{c}-{r}",
            type="zone",
            name=f"{c}-{r}",
            outline=tuple((x, y) for x, y in ring(c * 960, r * 480, c * 960 + 960, r * 480 + 480)),
        )
        for c in range(40)
        for r in range(25)
    ]
    model.features = {one.id: one for one in zones}
    asked = ask(Map(model))
    taken: dict[str, list[float]] = {}
    for turn in range(3):  # the quickest of three: a busy machine is slow now and then
        x, y = 9600 + 10 * turn, 4800 + 10 * turn
        for action, detail in [
            ("move_vertex", {"point": [x, y], "to": [x + 10, y + 10]}),
            ("insert_vertex", {"point": [10080, 5280 + 480 * turn], "to": [10080, 5300 + 480 * turn]}),
            ("delete_vertex", {"point": [10080, 5300 + 480 * turn]}),
            ("split", {"ids": [f"z5-{5 + turn}"], "points": [[5280, 2400 + 480 * turn], [5280, 2880 + 480 * turn]]}),
            ("join", {"ids": [f"z6-{6 + turn}", f"z7-{6 + turn}"]}),
            ("move", {"ids": [f"z20-{20 - turn}"], "by": [20, 20], "stretch": True}),
            ("area", {"kind_type": "zone", "points": ring(20000, 6000, 21000, 6600 + turn), "overlap": "over"}),
        ]:
            begun = time.perf_counter()
            if asked(action, **detail) is None:
                assert action == "area", asked.trouble  # the one before it lies there
                assert turn
            taken.setdefault(action, []).append(time.perf_counter() - begun)
    best = {action: min(times) for action, times in taken.items()}
    # Ten times what a quiet machine needs.
    assert max(best.values()) < 0.3, best
    assert best["move_vertex"] < 0.15, best

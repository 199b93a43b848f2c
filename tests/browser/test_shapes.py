"""Lines and areas by pointer and keys: draw, choose, move shared corners, insert, delete, split, merge, snap."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.model import Area, Contour, Road, Wall
from tests.browser.page import EditorPage

pytestmark = pytest.mark.browser

MAPS = Path(__file__).parents[2] / "maps"
GROUND, FEATURES, ABOVE = 0, 1, 2

SCREEN = """([x, y]) => {
  const { view, camera } = window.studio, box = view.frame.area.getBoundingClientRect();
  const [px, py] = camera.toScreen(x * view.grid.kx, y * view.grid.ky);
  return [box.left + px / view.dpr, box.top + py / view.dpr];
}"""


HOLD = """() => {
  const real = window.toPython;
  const wait = new Promise((go) => { window.release = () => { window.toPython = real; go(); }; });
  window.toPython = (...about) => wait.then(() => real(...about));
}"""


def place(view: EditorPage, point: Any) -> tuple[float, float]:
    """Return where a lattice point is on the screen."""
    x, y = view.js(SCREEN, list(point))
    return x, y


def move(view: EditorPage, point: Any, **options: Any) -> None:
    view.page.mouse.move(*place(view, point), **options)


def click(view: EditorPage, point: Any, **options: Any) -> None:
    view.page.mouse.click(*place(view, point), **options)


def drag(view: EditorPage, point: Any, to: Any) -> None:
    move(view, point)
    view.page.mouse.down()
    move(view, to, steps=5)
    view.page.mouse.up()


def take_up(view: EditorPage, name: str) -> None:
    view.tool(name)
    view.page.wait_for_function("name => window.studio.tool === name", arg=name)


def go(view: EditorPage, point: Any, scale: float = 90) -> None:
    """Show a lattice point in the middle, large enough to work on."""
    view.js(
        """([x, y, scale]) => {
          const { view, camera } = window.studio;
          camera.zoom(scale / camera.scale, camera.width / 2, camera.height / 2, 0);
          camera.centreOn(x * view.grid.kx, y * view.grid.ky);
          view.afterMove();
        }""",
        [*point, scale],
    )
    view.idle()


def chosen(view: EditorPage) -> list[str]:
    found: list[str] = view.js("[...window.studio.view.selection].sort()")
    return found


def shown(view: EditorPage, name: str) -> Any:
    """Return the record that the browser shows."""
    return view.js("name => window.studio.store.features.get(name)?.record ?? null", name)


def message(view: EditorPage) -> str:
    text: str = view.page.inner_text(".wgs-messages")
    return text


def lit(view: EditorPage, layer: int, point: Any) -> list[int]:
    pixel: list[int] = view.js("([l, x, y]) => window.studio.pixel(l, x, y)", [layer, *place(view, point)])
    return pixel


def area(map_: Any, name: str) -> Area:
    found = map_.features[name]
    assert isinstance(found, Area)
    return found


@pytest.fixture
def fury(tmp_path: Path) -> Any:
    return studio.open_map(shutil.copy(MAPS / "phantom-fury.map.json", tmp_path), recover_unsaved=False)


@pytest.fixture
def urban(tmp_path: Path) -> Any:
    return studio.open_map(shutil.copy(MAPS / "urban-1.map.json", tmp_path), recover_unsaved=False)


def test_tools_are_there_where_the_game_has_the_thing(editor_page: Any) -> None:
    wanted = {
        "modern_tactics": {"select", "area", "wall", "drawn-road", "split", "merge"},
        "armageddon_war": {"select", "contour", "drawn-road", "merge"},
        "phantom_fury": {"select", "area", "wall", "split", "merge"},
    }
    for game, tools in wanted.items():
        view = editor_page(studio.new_map(game, columns=5, rows=5))
        all_of = ["select", "area", "wall", "contour", "drawn-road", "split", "merge"]
        found = {name for name in all_of if view.js("n => !!document.querySelector(`[data-tool='${n}']`)", name)}
        assert found == tools


def test_a_structure_is_drawn_by_clicks_that_snap(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    view, grid = editor_page(town), town.grid
    take_up(view, "area")
    view.page.click('[data-id="ruins"]')
    view.page.fill('[data-id="area-name"]', "R1")
    view.page.keyboard.press("Tab")
    cell = town.labels.cell("0404")
    corners = [grid.corners(cell)[0], grid.corners(cell)[1], grid.corners(town.labels.cell("0606"))[1]]
    before = lit(view, ABOVE, corners[0])
    inside = (corners[1][0], corners[1][1] + 120)
    ground = [lit(view, layer, inside) for layer in (GROUND, FEATURES)]
    for x, y in corners:
        click(view, (x + 14, y - 9))  # near is enough
    (px, py), (qx, qy) = grid.corners(cell)[3:5]
    click(view, ((px + qx) // 2 + 9, (py + qy) // 2 + 9))
    assert lit(view, ABOVE, corners[0]) != before
    assert "4 corners" in view.page.inner_text(".wgs-status")
    click(view, corners[0])  # the first corner closes it
    view.idle()
    made = area(town, "area-1")
    assert made.type == "ruins"
    assert made.name == "R1"
    assert made.outline == (*corners, ((px + qx) // 2, (py + qy) // 2))
    assert chosen(view) == ["area-1"]
    for _ in range(60):
        if [lit(view, layer, inside) for layer in (GROUND, FEATURES)] != ground:
            break
        view.page.wait_for_timeout(50)
    assert [lit(view, layer, inside) for layer in (GROUND, FEATURES)] != ground
    assert view.page.input_value('[data-id="area-name"]') == "R2"
    assert town.history == ["Draw ruins R1"]
    view.key("Control+z")
    view.idle()
    assert not town.features
    assert shown(view, "area-1") is None
    view.key("Control+Shift+z")
    view.idle()
    assert shown(view, "area-1")["outline"] == [list(point) for point in made.outline]


def test_rectangles_whole_hexes_and_overlaps(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    view, grid = editor_page(town), town.grid
    take_up(view, "area")
    view.page.click("text=Corners go to")
    for kind in ("corner", "side"):
        view.page.click(f'[data-snap="{kind}"]')
    drag(view, (2000, 1000), (3500, 2200))
    view.idle()
    made = area(town, "area-1")
    xs, ys = {x for x, _ in made.outline}, {y for _, y in made.outline}
    assert len(made.outline) == 4
    assert len(xs) == len(ys) == 2
    assert abs(min(xs) - 2000) < 12
    assert abs(max(ys) - 2200) < 12
    # Whole hexes: the area follows their sides, and what is there already is cut out of it.
    view.page.get_by_role("radio", name="Hexes").click()
    cells = [town.labels.cell(name) for name in ("0503", "0504", "0505")]
    view.drag(*cells)
    view.key("Enter")
    view.idle()
    hexes = area(town, "area-2")
    assert not town.survey.coverage(["area-1", "area-2"]).overlaps
    assert {grid.corners(cells[2])[n] for n in (1, 2, 3)} <= set(hexes.outline)
    assert set(hexes.outline) & set(made.outline) or any(x == max(xs) for x, _ in hexes.outline)
    view.key("Escape")
    view.click(cells[0])
    view.click(cells[0])
    view.key("Enter")
    view.idle()
    assert len(town.features) == 2
    # Two pieces are no area.
    view.click(town.labels.cell("0901"))
    view.click(town.labels.cell("0909"))
    view.key("Enter")
    assert "2 pieces" in message(view)
    view.key("Escape")
    view.page.select_option('[data-id="overlap"]', "refuse")
    view.click(cells[0])
    view.key("Enter")
    view.idle()
    assert "keeps them apart" in message(view)
    assert view.js("window.studio.view.tool.cells.size") == 1  # the drawing is not lost
    view.page.select_option('[data-id="overlap"]', "over")
    view.key("Enter")
    view.idle()
    assert len(town.features) == 3
    assert not town.survey.coverage(["area-1", "area-2", "area-3"]).overlaps
    view.key("Escape")
    view.page.get_by_role("radio", name="Hole").click()
    drag(view, (2400, 1400), (2700, 1700))
    view.idle()
    assert len(area(town, "area-1").holes) == 1
    take_up(view, "select")
    view.page.click('[data-action="shape:fill"]')
    view.idle()
    assert area(town, "area-1").holes == ()


def test_what_is_refused_stays_to_be_put_right(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    view = editor_page(town)
    take_up(view, "area")
    bow = [(1920, 960), (4080, 2640), (4080, 960), (1920, 2640)]
    for point in bow:
        click(view, point)
    view.key("Enter")
    view.idle()
    assert not town.features
    assert "meets itself" in message(view)
    assert "in hex" in message(view)
    assert view.js("window.studio.view.tool.points.length") == 4
    assert view.js("!!window.studio.view.tool.trouble")
    assert shown(view, "area-1") is None
    # The corners are dragged where they should be.
    drag(view, bow[1], (4080, 1200))
    drag(view, bow[2], (4080, 2640))
    view.key("Enter")
    view.idle()
    assert area(town, "area-1").outline == ((1920, 960), (4080, 1200), (4080, 2640), (1920, 2640))
    assert town.history == ["Draw structure area-1"]


def test_walls_contours_and_roads_by_hand(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    view = editor_page(town)
    take_up(view, "wall")
    line = [(1920, 960), (3360, 960), (3360, 2400)]
    for point in line:
        click(view, point)
    view.key("Backspace")
    click(view, line[2])
    view.page.mouse.dblclick(*place(view, line[2]))
    view.idle()
    wall = town.features["wall-1"]
    assert isinstance(wall, Wall)
    assert wall.line[:2] == tuple(line[:2])
    assert town.history == ["Draw high wall wall-1"]
    take_up(view, "drawn-road")
    view.page.get_by_role("radio", name="Unpaved").click()
    grid, labels = town.grid, town.labels
    for name in ("0803", "1003", "1005"):
        click(view, grid.centre(labels.cell(name)))
    view.key("Enter")
    view.idle()
    road = town.features["road-1"]
    assert isinstance(road, Road)
    assert road.surface == "unpaved"
    assert (road.path[0], road.path[-1]) == ("0803", "1005")

    desert = studio.new_map("armageddon_war", columns=12, rows=9)
    view = editor_page(desert)
    take_up(view, "contour")
    view.page.fill('.wgs-options input[type="number"]', "2")
    view.page.keyboard.press("Tab")
    ring = [(2880, 960), (4320, 1200), (3600, 2400)]
    for point in ring:
        click(view, point)
    click(view, ring[0])
    view.idle()
    contour = desert.features["contour-1"]
    assert isinstance(contour, Contour)
    assert contour.level == 2
    assert contour.line == (*ring, ring[0])
    # A line by hand, of a drag, is smoothed.
    drag(view, (5500, 1000), (7500, 3000))
    view.idle()
    second = desert.features["contour-2"]
    assert isinstance(second, Contour)
    assert 2 <= len(second.line) <= 8


def test_keys_alone_draw_an_area_on_corners_of_hexes(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    view, grid = editor_page(town), town.grid
    take_up(view, "area")
    view.page.focus(".wgs-area")
    cell = town.labels.cell("0505")
    view.js("cell => { window.studio.view.cursor = cell; window.studio.view.moveCursor(0, 0); }", cell)
    view.key("Space")
    view.key("Control+ArrowRight")
    assert "corner" in view.page.inner_text(".wgs-status")
    view.key("Space")
    view.key("Control+ArrowUp")
    view.key("Control+ArrowUp")
    view.key("Space")
    view.key("Enter")
    view.idle()
    made = area(town, "area-1")
    assert made.outline[0] == grid.centre(cell)
    assert made.outline[1] == grid.corners(cell)[2]
    fine = {point for one in (cell, *grid.neighbours(cell)) for point in grid.corners(one)}
    middles = {
        ((p[0] + q[0]) // 2, (p[1] + q[1]) // 2)
        for one in (cell, *grid.neighbours(cell))
        for p, q in zip(grid.corners(one), (*grid.corners(one)[1:], grid.corners(one)[0]), strict=True)
    }
    assert made.outline[2] in fine | middles
    # Choose it, walk its corners, move one, make one, remove one, move all, copy, remove: without the pointer.
    view.key("v")
    view.page.wait_for_function("window.studio.tool === 'select'")
    view.key("Escape")
    view.key("Tab")
    assert chosen(view) == ["area-1"]
    view.key(".")
    view.key(".")
    view.key("ArrowDown")
    view.key("ArrowDown")
    view.page.wait_for_function("window.studio.store.status.history.length === 2")
    assert area(town, "area-1").outline[1] == (made.outline[1][0], made.outline[1][1] + 20)
    view.key("Insert")
    view.idle()
    assert len(area(town, "area-1").outline) == 4
    view.key("Delete")
    view.idle()
    assert len(area(town, "area-1").outline) == 3
    view.key("Shift+ArrowRight")
    view.page.wait_for_function("window.studio.store.status.history.length === 5")
    view.idle()
    assert area(town, "area-1").outline[0][0] == made.outline[0][0] + 240
    view.key("Control+d")
    view.idle()
    assert chosen(view) == ["area-2"]
    view.key("Delete")
    view.idle()
    assert list(town.features) == ["area-1"]
    view.key("Tab")
    assert chosen(view) == ["area-1"]
    view.key("Tab")  # past the last one, out of the map
    assert not view.js("document.activeElement === window.studio.view.frame.area")
    view.page.focus(".wgs-area")
    for _ in range(len(town.history)):
        view.key("Control+z")
    view.idle()
    assert not town.features


def test_snapping_by_kind_straight_lines_and_none(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    town.add("area", id="s", type="structure", outline=[[2001, 1003], [3997, 1111], [3801, 2203], [2101, 2007]])
    view = editor_page(town)
    go(view, (3000, 1500), 110)
    take_up(view, "wall")
    tip = "window.studio.view.tool.tip"

    def hit(point: Any) -> tuple[str, list[int]]:
        move(view, (point[0] + 3, point[1] + 3))
        move(view, point)
        found = view.js(f"({{ kind: {tip}.kind, at: {tip}.at }})")
        return found["kind"], found["at"]

    assert hit((2010, 1012)) == ("vertex", [2001, 1003])
    kind, at = hit((2999, 1066))
    assert kind == "edge"
    assert abs(at[1] - 1057) < 12
    middle = town.grid.centre(town.labels.cell("0404"))
    # Not to the dot of a hex, unless it is wished: a wall there leaves it on neither side.
    assert hit((middle[0] + 8, middle[1] - 8))[0] == "free"
    view.page.click("text=Corners go to")
    view.page.click('[data-snap="centre"]')
    assert hit((middle[0] + 8, middle[1] - 8)) == ("centre", list(middle))
    corner = town.grid.corners(town.labels.cell("0404"))[2]
    assert hit((corner[0] - 8, corner[1] + 3)) == ("corner", list(corner))
    view.page.click('[data-snap="centre"]')
    assert hit((middle[0] + 8, middle[1] - 8))[0] == "free"
    assert hit((corner[0] - 8, corner[1] + 3))[0] == "corner"
    view.page.keyboard.down("Alt")
    assert hit((2010, 1012))[0] == "free"
    view.page.keyboard.up("Alt")
    click(view, (3010, 1500))
    start = view.js("window.studio.view.tool.points[0]")
    view.page.keyboard.down("Shift")
    kind, at = hit((start[0] + 400, start[1] + 30))
    assert kind == "straight"
    assert at[1] == start[1]
    kind, at = hit((start[0] + 300, start[1] + 290))
    assert at[0] - start[0] == at[1] - start[1]
    view.page.keyboard.up("Shift")
    assert view.js("window.studio.view.tool.tip.at.every(Number.isInteger)")


def shared_corner(map_: Any) -> Any:
    """Return a corner of three areas that can be moved a little every way."""
    for vertex in map_.vertices():
        if len([one for one in vertex.features if isinstance(map_.features[one], Area)]) < 3:
            continue
        x, y = vertex.point
        if all(map_.survey.is_sound(one) for one in vertex.features) and x > 2000 and y > 2000:
            return vertex
    raise AssertionError


def test_a_corner_of_three_zones_is_dragged_and_all_go_along(fury: Any, editor_page: Any) -> None:
    view = editor_page(fury)
    take_up(view, "select")
    vertex = shared_corner(fury)
    areas = [one for one in vertex.features if isinstance(fury.features[one], Area)]
    go(view, vertex.point, 110)
    text = fury.to_text()
    click(view, fury.survey.dot_of(area(fury, areas[0])))
    view.idle()
    assert chosen(view) == [areas[0]]
    to = (vertex.point[0] + 31, vertex.point[1] + 23)
    view.page.keyboard.down("Alt")
    move(view, vertex.point)
    view.page.mouse.down()
    view.js("window.studio.stats.times.length = 0")
    move(view, to, steps=12)
    view.page.wait_for_timeout(60)
    times = sorted(taken for _, taken in view.js("window.studio.stats.times"))
    assert times[len(times) // 2] < 16
    assert lit(view, ABOVE, to)[3] > 0
    # The guess is there before Python has answered.
    view.js(HOLD)
    view.page.mouse.up()
    view.page.keyboard.up("Alt")
    assert [list(vertex.point) in shown(view, name)["outline"] for name in areas] == [False] * len(areas)
    assert fury.history == []
    view.js("() => window.release()")
    view.idle()
    assert len(fury.history) == 1
    moved = {point for name in areas for point in area(fury, name).outline} - {vertex.point}
    near = [point for point in moved if abs(point[0] - to[0]) < 14 and abs(point[1] - to[1]) < 14]
    assert len(near) == 1
    for name in areas:
        assert vertex.point not in area(fury, name).outline
        assert near[0] in area(fury, name).outline
        assert shown(view, name)["outline"] == [list(point) for point in area(fury, name).outline]
    view.key("Control+z")
    view.idle()
    assert fury.to_text() == text
    assert shown(view, areas[1])["outline"] == [list(point) for point in area(fury, areas[1]).outline]
    view.key("Control+y")
    view.idle()
    assert near[0] in area(fury, areas[2]).outline


def test_a_move_that_cannot_be_is_taken_back_and_told(fury: Any, editor_page: Any) -> None:
    view = editor_page(fury)
    take_up(view, "select")
    vertex = shared_corner(fury)
    name = next(one for one in vertex.features if isinstance(fury.features[one], Area))
    go(view, vertex.point, 60)
    click(view, fury.survey.dot_of(area(fury, name)))
    xs = [x for x, _ in area(fury, name).outline]
    ys = [y for _, y in area(fury, name).outline]
    beyond = (vertex.point[0] + 3 * (max(xs) - min(xs)), vertex.point[1] + 3 * (max(ys) - min(ys)))
    drag(view, vertex.point, beyond)
    view.idle()
    assert fury.history == []
    assert message(view)
    assert shown(view, name)["outline"] == [list(point) for point in area(fury, name).outline]
    assert view.js("!!window.studio.view.tool.trouble")


def test_corners_are_made_and_removed_on_shared_borders(fury: Any, editor_page: Any) -> None:
    view = editor_page(fury)
    take_up(view, "select")
    border = max(
        fury.survey.borders,
        key=lambda one: max(abs(p[0] - q[0]) + abs(p[1] - q[1]) for p, q in one.segments),
    )
    p, q = max(border.segments, key=lambda one: abs(one[0][0] - one[1][0]) + abs(one[0][1] - one[1][1]))
    edges = {
        frozenset(edge) for edge in zip(area(fury, border.a).outline, area(fury, border.a).outline[1:], strict=False)
    }
    if frozenset((p, q)) not in edges:
        ring = area(fury, border.a).outline
        p, q = max(itertools.pairwise(ring), key=lambda one: abs(one[0][0] - one[1][0]) + abs(one[0][1] - one[1][1]))
    middle = ((p[0] + q[0]) // 2, (p[1] + q[1]) // 2)
    go(view, middle, 80)
    view.js("name => window.studio.view.choose([name])", border.a)
    move(view, (middle[0] + 2, middle[1]))
    before = len(area(fury, border.a).outline)
    click(view, middle)
    view.idle()
    assert len(area(fury, border.a).outline) > before
    corner = view.js("window.studio.view.tool.active")
    assert abs(corner[0] - middle[0]) <= 2
    move(view, (corner[0] + 400, corner[1] + 400))
    move(view, corner)
    view.page.mouse.click(*place(view, corner), button="right")
    view.idle()
    assert len(area(fury, border.a).outline) == before
    assert len(fury.history) == 2
    assert shown(view, border.a)["outline"] == [list(point) for point in area(fury, border.a).outline]


def test_a_zone_is_split_and_merged_again(fury: Any, editor_page: Any) -> None:
    view = editor_page(fury)
    name = max((one for one in fury.features if one.startswith("zone")), key=lambda one: fury.survey.polygon(one).area)
    ring, text = area(fury, name).outline, fury.to_text()
    box = fury.survey.polygon(name)
    go(view, (round(box.centroid.x), round(box.centroid.y)), 70)
    take_up(view, "split")
    a, b = _cut(box, ring)
    click(view, a)
    click(view, b)
    view.key("Enter")
    view.idle()
    assert message(view) == ""
    assert fury.history == [f"Split {name}"]
    first, second = chosen(view)
    new = second if first == name else first
    assert area(fury, new).name.startswith(area(fury, name).name)
    assert fury.survey.polygon(name).union(fury.survey.polygon(new)).symmetric_difference(box).area < 3000
    take_up(view, "merge")
    view.key("Escape")
    for one in (name, new):
        point = fury.survey.polygon(one).representative_point()
        click(view, (point.x, point.y))
        view.idle()
    assert new not in fury.features
    assert shown(view, new) is None
    assert len(fury.history) == 2
    view.key("Control+z")
    view.key("Control+z")
    view.idle()
    assert fury.to_text() == text


def _cut(polygon: Any, ring: Any) -> tuple[Any, Any]:
    """Return two corners of a ring between which one sees straight through the inside."""
    import shapely

    pairs = [
        (p, q)
        for number, p in enumerate(ring)
        for q in ring[number + 2 :]
        if polygon.relate_pattern(shapely.LineString([p, q]), "T********")
        and polygon.contains(shapely.LineString([p, q]))
        and polygon.boundary.intersection(shapely.LineString([p, q])).geom_type == "MultiPoint"
        and len(polygon.boundary.intersection(shapely.LineString([p, q])).geoms) == 2
    ]
    return min(pairs, key=lambda one: abs(one[0][0] - one[1][0]) + abs(one[0][1] - one[1][1]))


def test_rooms_of_a_building_are_chosen_below_each_other_and_by_a_box(urban: Any, editor_page: Any) -> None:
    view = editor_page(urban)
    take_up(view, "select")
    room = next(one for one in urban.features.values() if isinstance(one, Area) and one.type == "room" and one.within)
    point = urban.survey.polygon(room.id).representative_point()
    go(view, (round(point.x), round(point.y)), 60)
    at = (point.x, point.y)
    under = view.js(
        "([x, y]) => { const { view } = window.studio, g = view.grid;"
        " return view.tool.figures.under(x * g.kx, y * g.ky, 0.02).map((f) => f.id); }",
        list(at),
    )
    areas = [one for one in under if isinstance(urban.features[one], Area)]
    assert areas[0] == room.id
    assert room.within in areas
    click(view, at)
    first = chosen(view)
    assert first == [under[0]]
    view.page.keyboard.down("Alt")
    for _ in range(len(under) - 1):
        click(view, at)
    view.page.keyboard.up("Alt")
    assert chosen(view) == [under[-1]]
    # A box takes what lies inside as a whole; Shift adds and takes away.
    view.key("Escape")
    assert chosen(view) == []
    x0, y0, x1, y1 = urban.survey.polygon(room.within).bounds
    drag(view, (x0 - 120, y0 - 120), (x1 + 120, y1 + 120))
    inside = set(chosen(view))
    assert {room.id, room.within} <= inside
    view.page.keyboard.down("Shift")
    click(view, at)
    view.page.keyboard.up("Shift")
    assert len(inside ^ set(chosen(view))) == 1
    # Python knows what is chosen.
    for _ in range(40):
        if set(view.editor.selected) == set(chosen(view)):
            break
        view.page.wait_for_timeout(50)
    assert set(view.editor.selected) == set(chosen(view))


def test_a_building_moves_with_its_rooms_and_its_wall_is_reshaped(urban: Any, editor_page: Any) -> None:
    view = editor_page(urban)
    take_up(view, "select")
    text = urban.to_text()
    building = next(one for one in urban.features.values() if isinstance(one, Area) and one.type == "building")
    rooms = [one.id for one in urban.features.values() if isinstance(one, Area) and one.within == building.id]
    point = urban.survey.polygon(building.id).representative_point()
    go(view, (round(point.x), round(point.y)), 60)
    view.js("name => window.studio.view.choose([name])", building.id)
    view.page.focus(".wgs-area")
    view.key("ArrowRight")
    view.key("ArrowRight")
    view.page.wait_for_function("window.studio.store.status.history.length === 1")
    view.idle()
    if urban.history:
        x, y = building.outline[0]
        assert area(urban, building.id).outline[0] == (x + 20, y)
        for name in rooms:
            assert shown(view, name)["outline"] == [list(p) for p in area(urban, name).outline]
        view.key("Control+z")
        view.idle()
    assert urban.to_text() == text
    assert shown(view, building.id)["outline"] == [list(p) for p in building.outline]


def test_another_type_and_buttons_of_the_panel(editor_page: Any) -> None:
    town = studio.new_map("modern_tactics", columns=12, rows=9)
    town.add("area", id="s", type="structure", outline=[[1920, 960], [2880, 960], [2880, 1920], [1920, 1920]])
    town.add("wall", id="w1", type="high_wall", line=[[3840, 960], [4800, 960], [4800, 1440]])
    town.add("wall", id="w2", type="high_wall", line=[[4800, 1440], [5280, 1920]])
    view = editor_page(town)
    take_up(view, "select")
    # With Ctrl the chosen one alone is reshaped: borders part.
    town.add("area", id="t", type="structure", outline=[[2880, 960], [3360, 960], [3360, 1920], [2880, 1920]])
    view.push()
    click(view, (2400, 1440))
    view.page.keyboard.down("Control")
    drag(view, (2880, 1920), (2640, 2160))
    view.page.keyboard.up("Control")
    view.idle()
    assert (2640, 2160) in area(town, "s").outline
    assert (2880, 1920) in area(town, "t").outline
    view.key("Control+z")
    view.idle()
    town.remove("t")
    view.push()
    view.page.select_option('[data-id="shape-type"]', "ruins")
    view.idle()
    assert area(town, "s").type == "ruins"
    view.js("window.studio.view.choose(['w1', 'w2'])")
    view.page.click('[data-action="shape:join"]')
    view.idle()
    wall = town.features["w1"]
    assert isinstance(wall, Wall)
    assert wall.line == ((3840, 960), (4800, 960), (4800, 1440), (5280, 1920))
    assert "w2" not in town.features
    view.page.click('[data-action="shape:reverse"]')
    view.idle()
    assert town.features["w1"].line[0] == (5280, 1920)
    view.page.click('[data-action="shape:close"]')
    view.idle()
    assert town.features["w1"].line[0] == town.features["w1"].line[-1]
    view.page.click('[data-action="shape:remove"]')
    view.idle()
    assert list(town.features) == ["s"]
    assert town.history[-5:] == [
        "Change to ruins",
        "Join w1 and w2",
        "Turn w1 round",
        "Close w1",
        "Remove high wall w1",
    ]


def test_what_is_locked_or_taken_away_meanwhile_is_not_changed(editor_page: Any, urban: Any) -> None:
    view, room = editor_page(urban), area(urban, "b1.1")
    middle = tuple(sum(axis) / len(room.outline) for axis in zip(*room.outline, strict=True))
    go(view, room.outline[0], 70)
    layer = "lock => window.studio.stage.setLayer('area', { locked: lock })"
    take_up(view, "select")
    click(view, middle)
    assert chosen(view) == ["b1.1"]
    # Locked after it was chosen: no key and no drag reaches it, nor its corners.
    view.js(layer, True)
    view.key("Delete")
    drag(view, room.outline[0], (room.outline[0][0] + 90, room.outline[0][1] + 90))
    take_up(view, "merge")
    click(view, middle)
    take_up(view, "area")
    click(view, middle)
    assert view.js("window.studio.view.tool.points.length") == 0 and "locked" in view.page.inner_text(".wgs-status")
    view.idle()
    assert not urban.history
    view.js(layer, False)
    # Python takes away what is being dragged: its neighbours keep their corners.
    take_up(view, "select")
    click(view, middle)
    x, y = room.outline[0]
    move(view, (x, y))
    view.page.mouse.down()
    move(view, (x + 60, y + 60), steps=3)
    urban.erase(["b1.1"])
    view.push()
    move(view, (x + 90, y + 60), steps=3)
    view.page.mouse.up()
    view.idle()
    assert len(urban.history) == 1 and message(view) == ""

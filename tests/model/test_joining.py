"""Joining drawings: everything goes along, what merges is told, and nothing depends on the order or on a turn."""

import re
import warnings
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import studio
from studio.api import JoinWarning, Map
from studio.errors import EditError, GridError, LabelError, StudioError, UnsupportedError
from studio.grid import LabelScheme, PrefixError, SheetLabels
from studio.model import Area, Dot, Georeference, Link, MapModel, Marker, Name
from studio.survey import Survey
from tests.sight.effort import random_maps
from tests.sight.maps import MAKERS, make_game
from tests.sight.test_invariance import Judged
from tests.sight.transforms import moved

SEEDS = st.integers(0, 10**6)
SIZES = st.tuples(st.integers(2, 5), st.integers(2, 5))
EDGES = st.sampled_from(["right", "left", "top", "bottom", "apart"])
HEX_GAMES = [game for game in MAKERS if game != "phantom_fury"]
FEW = random_maps(25)


def joined(first: Map, second: Map, **options: Any) -> Map:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        return studio.join_maps(first, second, **options)


def pair(game: str, seed: int, size: tuple[int, int]) -> tuple[Map, Map]:
    """Return two random maps of a game on hexes alike."""
    rng = np.random.default_rng(seed)
    one, ruleset = make_game(game, rng, *size)
    others = (make_game(game, rng, *size)[0] for _ in range(20))
    two = next((other for other in others if other.grid.orientation == one.grid.orientation), one)
    return Map(one, ruleset=ruleset), Map(two, ruleset=ruleset)


def content(made: MapModel) -> dict[str, Any]:
    """Return what a map says of its hexes by their places, without labels."""
    grid, rename = made.grid, made.labels
    cells = np.flatnonzero(grid.present).tolist()
    return {
        "hexes": {grid.axial(c): (made.terrain_at(c), made.level_at(c), grid.is_half(c)) for c in cells},
        "sides": {(grid.axial(a), grid.axial(b)): kinds for (a, b), kinds in made.sides.items()},
        "labels": {rename.label(c): grid.axial(c) for c in cells},
    }


@pytest.mark.parametrize("game", HEX_GAMES)
@given(seed=SEEDS, size=SIZES, edge=EDGES, turned=st.booleans(), shift=st.integers(-2, 2))
@FEW
def test_a_map_within_a_joint_one_is_the_map_that_it_was(
    game: str, seed: int, size: tuple[int, int], edge: str, turned: bool, shift: int
) -> None:
    first, second = pair(game, seed, size)
    try:
        made = joined(first, second, edge=edge, turned=turned, shift=shift / 2, prefixes=("A", "B"))
    except GridError:
        assume(False)
    model, joint = made.model, made.grid.joint
    assert joint is not None
    for number, (old, prefix) in enumerate(((first, "A"), (second, "B"))):
        part = made.grid.parts[number]
        assert part.turned == (turned and number == 1)
        alone = joint.grids[number]
        assert (alone.columns, alone.rows, alone.stagger) == (old.grid.columns, old.grid.rows, old.grid.stagger)
        for cell in np.flatnonzero(old.grid.present).tolist():
            place = joint.joint_cell(number, cell)
            assert made.labels.cell(prefix + old.labels.label(cell)) == place
            if number == 0 or place not in joint.shared:
                assert made.labels.label(place) == prefix + old.labels.label(cell)
                assert model.terrain_at(place) == old.model.terrain_at(cell)
                assert model.level_at(place) == old.model.level_at(cell)
        for (a, b), kinds in old.model.sides.items():
            here = tuple(sorted((joint.joint_cell(number, a), joint.joint_cell(number, b))))
            assert set(kinds) <= set(model.sides[here]) or here[0] in joint.shared
    assert len(model.features) <= len(first.features) + len(second.features)
    assert Survey(model, made.ruleset.survey_scheme).directory.clashes.keys() <= {
        f"{prefix}{label}" for old, prefix in ((first, "A"), (second, "B")) for label in old.survey.directory.clashes
    }


@pytest.mark.parametrize("game", [game for game in HEX_GAMES if game != "modern_tactics"])
@given(seed=SEEDS, size=SIZES, turned=st.booleans())
@random_maps(12)
def test_sight_within_a_sheet_is_that_of_its_own_map(game: str, seed: int, size: tuple[int, int], turned: bool) -> None:
    first, second = pair(game, seed, size)
    try:
        made = joined(first, second, edge="apart", turned=turned, prefixes=("A", "B"), layer="other", gap=2)
    except GridError:
        assume(False)
    joint = made.grid.joint
    assert joint is not None
    after = Judged(made.model, made.ruleset, made.ruleset.options(None))
    for number, old in enumerate((first, second)):
        before = Judged(old.model, old.ruleset, old.ruleset.options(None))
        moved = set(before.directory.moved_dots)
        cells = [cell for cell in before.directory.numbers.tolist() if cell < old.grid.cells and cell not in moved]
        for a in cells[:6]:
            there = joint.joint_cell(number, a)
            one, two = before.field(a), after.field(there)
            for b in cells:
                assert one[b] == two[joint.joint_cell(number, b)], (old.labels.label(a), old.labels.label(b))


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize(("lines", "along"), [(1, 2), (1, 6), (2, 3), (3, 2)])
def test_short_lines_whose_last_place_is_no_hex(orientation: Any, stagger: Any, lines: int, along: int) -> None:
    size = (lines, along) if orientation == "flat" else (along, lines)
    plain = studio.new_map("armageddon_war", *size, orientation=orientation, stagger=stagger, short=True)
    turned = studio.turn_map(plain)
    assert sorted(turned.labels.all()) == sorted(plain.labels.all())
    assert studio.turn_map(turned).to_text() == plain.to_text()
    if lines > 1:
        return
    edge = "bottom" if orientation == "flat" else "right"
    both = joined(plain, plain, edge=edge, prefixes=("", "B"))
    assert sorted(both.labels.all()) == sorted([*plain.labels.all(), *("B" + label for label in plain.labels.all())])
    assert joined(both, plain, edge=edge, prefixes=("", "C")).grid.joint is not None


@pytest.mark.parametrize("game", HEX_GAMES)
@given(seed=SEEDS, size=SIZES)
@FEW
def test_turned_twice_a_map_is_itself(game: str, seed: int, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(seed)
    model, ruleset = make_game(game, rng, *size)
    model.features["n"] = Name(id="n", text="Here", at=(500, 300), angle=float(rng.integers(-359, 360)) / 7)
    plain = Map(model, ruleset=ruleset)
    turned = studio.turn_map(plain)
    assert turned.grid.parts[0].turned
    assert turned.features["n"].angle != model.features["n"].angle
    again = studio.turn_map(turned)
    assert again.grid == plain.grid
    assert not again.model.sheets
    assert (again.terrain == plain.terrain)[plain.grid.present].all()
    assert (again.levels == plain.levels)[plain.grid.present].all()
    assert again.model.sides == plain.model.sides
    angle = again.features["n"].angle
    assert angle == pytest.approx(model.features["n"].angle)
    again.features["n"] = msgspec.structs.replace(again.features["n"], angle=model.features["n"].angle)
    assert again.features == plain.features


@given(seed=SEEDS, size=SIZES, vertical=st.booleans(), turned=st.booleans())
@FEW
def test_left_of_a_map_is_the_same_as_a_map_right_of_it(
    seed: int, size: tuple[int, int], vertical: bool, turned: bool
) -> None:
    first, second = pair("generic", seed, size)
    one, two = ("top", "bottom") if vertical else ("left", "right")
    if turned:
        second = studio.turn_map(second)
    try:
        left = joined(first, second, edge=one, prefixes=("A", "B"))
    except GridError:
        with pytest.raises(GridError):
            joined(second, first, edge=two, prefixes=("B", "A"))
        return
    right = joined(second, first, edge=two, prefixes=("B", "A"))
    assert left.grid.present.tolist() == right.grid.present.tolist()
    assert left.grid.stagger == right.grid.stagger
    assert set(left.grid.parts) == set(right.grid.parts)
    shared = left.grid.joint.shared if left.grid.joint else {}
    there, here = content(left.model), content(right.model)
    assert there["labels"] == here["labels"] or shared
    for cell in np.flatnonzero(left.grid.present).tolist():
        if cell not in shared:
            assert left.model.terrain_at(cell) == right.model.terrain_at(cell)


def west(title: str = "West", **shape: Any) -> Map:
    return studio.new_map("armageddon_war", columns=5, rows=4, title=title, half=("left", "right"), **shape)


def test_half_hexes_merge_and_the_first_map_holds_where_they_differ() -> None:
    first, second = west(), west("East").paint("0101", terrain="light_woods", level=2)
    second.set_side("0101", "0102", "fence")
    first.set_side("0501", "0502", "river") if "river" in first.ruleset.side_kinds else None
    with pytest.warns(
        JoinWarning, match=r"0501: terrain clear of the first map holds, the second has light_woods"
    ) as seen:
        made = studio.join_maps(first, second, prefixes=("", "E"))
    assert [note.what for note in seen[0].message.notes][:2] == ["terrain", "level"]
    assert len(made.notes_on_opening) >= 2
    cell = made.labels.cell("0501")
    assert made.labels.cell("E0101") == cell
    assert made.labels.label(cell) == "0501"
    assert made.model.terrain_at(cell) == "clear"
    assert not made.grid.is_half(cell)
    assert len(made.grid.neighbours(made.labels.cell("0502"))) == 6
    assert "fence" in made.model.sides[tuple(sorted((cell, made.labels.cell("0502"))))]


def test_everything_that_is_drawn_goes_along() -> None:
    def drawn(title: str) -> Map:
        made = studio.new_map("urban_operations", columns=6, rows=6, title=title)
        made.add(
            "area", id="b1", type="building", name="1", outline=[[1200, 480], [2640, 480], [2640, 1440], [1200, 1440]]
        )
        outline = [[1200, 480], [2640, 480], [2640, 1440], [1200, 1440]]
        made.add("area", id="r1", type="room", name="1.1", outline=outline, within="b1", dot=[1900, 960])
        made.add("place", id="p1", type="roof", name="R1", at=[1900, 900], within="b1")
        made.add("link", id="l1", type="roof_access", a="1.1", b="R1")
        made.add("wall", id="w1", type="outer_wall", line=[[240, 240], [480, 960]])
        made.add("dot", id="d1", at="0505", point=[3400, 2300])
        made.add("aperture", id="a1", type="aperture", at=[1200, 960], into="1.1", arrows=[["0103"]])
        made.add("marker", id="m1", type="underground_access", at="1.1")
        made.add("name", id="n1", text=title, at="0303")
        return made

    first, second = drawn("One"), drawn("Two")
    with pytest.raises(GridError, match="label"):
        studio.join_maps(first, second)
    made = studio.join_maps(first, second, turned=True, shift=1, prefixes=("", "Z"), names=("a", "b"))
    features = made.features
    assert len(features) == 2 * len(first.features)
    assert features["b.l1"] == msgspec.structs.replace(first.features["l1"], id="b.l1", a="Z1.1", b="ZR1")
    assert features["b.r1"].within == "b.b1"
    assert features["b.a1"].into == "Z1.1"
    assert features["b.a1"].arrows == (("Z0103",),)
    assert features["b.m1"].at == "Z1.1"
    assert features["b.d1"].at == "Z0505"
    assert features["b.n1"].angle == 180
    assert features["b.b1"].name == "1"  # the number of a building is no label
    directory = made.survey.directory
    assert not directory.clashes
    assert made.sight("1.1", "R1").status == first.sight("1.1", "R1").status
    assert made.sight("Z1.1", "Z0505").status == second.sight("1.1", "0505").status
    for label in ("0505", "1.1"):
        before, after = second.survey.directory, made.survey.directory
        x, y = before.dot(before.number(label))
        assert made.grid.joint.point(1, x, y) == after.dot(after.number("Z" + label))


def test_a_joint_map_is_joined_saved_and_opened_again(tmp_path: Any) -> None:
    row = joined(west(), west("East"), prefixes=("", "E"))
    assert [sheet.id for sheet in row.model.sheets] == ["west", "east"]
    both = joined(row, row, edge="apart", prefixes=("", "U"))
    assert [sheet.id for sheet in both.model.sheets] == ["west", "east", "west-2", "east-2"]
    assert [sheet.layer for sheet in both.model.sheets] == ["surface"] * 2 + ["underground"] * 2
    twice = joined(both, both, edge="apart", prefixes=("", "Z"))
    assert [sheet.layer for sheet in twice.model.sheets] == [sheet.layer for sheet in both.model.sheets] * 2
    assert both.labels.label(both.labels.cell("UE0301")) == "UE0301"
    both.add("road", path=["0501", "E0201"])
    again = studio.open_map(both.save(tmp_path / "both.map.json"))
    assert again.to_text() == both.to_text()
    assert again.grid == both.grid
    frame = again.locations
    assert frame.loc["UE0301", ["sheet", "layer"]].tolist() == ["east-2", "underground"]
    assert not any(west().locations.get("sheet", ()))


def test_layers_see_nothing_of_each_other_and_links_join_them() -> None:
    town = studio.new_map("urban_operations", columns=5, rows=4, title="Town")
    cellar = studio.new_map("urban_operations", columns=5, rows=4, title="Cellar")
    cellar.paint(cellar.labels.all(), terrain="underground_passage")
    made = studio.join_maps(town, cellar, edge="apart", prefixes=("", "U"))
    made.add("link", type="underground_access", a="0303", b="U0202")
    assert made.sight("0303", "U0202").status == "clear"
    assert made.sight("0304", "U0202").status == "blocked"
    desert = joined(west(), west("Below"), edge="apart", prefixes=("", "U"))
    one = desert.sight("0202", "U0202")
    assert (one.status, desert.sight("U0202", "0202").status) == ("blocked", "blocked")
    assert "underground" in one.reasons[0].text
    view, table = desert.field_of_view("0202"), desert.sight_table()
    assert {view.status(label) for label in desert.labels.all() if label.startswith("U")} == {"blocked"}
    assert table.status("0202", "U0202") == "blocked"
    assert table.status("U0201", "U0202") == "clear"
    owner = desert.grid.joint.owner
    assert all(owner[a] == owner[b] for a in np.flatnonzero(owner >= 0).tolist() for b in desert.grid.neighbours(a))


def test_what_cannot_be_joined_says_why() -> None:
    first = west()
    with pytest.raises(GridError, match=r"'0101' names a hex of the sheet 'west' and another .* prefix, such as 'B'"):
        joined(first, west("East"))
    with pytest.raises(UnsupportedError, match="join maps of one game"):
        joined(first, studio.new_map("modern_tactics", columns=4, rows=4))
    with pytest.raises(UnsupportedError, match=r"edge 'rihgt'; did you mean 'right'"):
        joined(first, west(), edge="rihgt")
    with pytest.raises(GridError, match=r"shift: got 0\.25"):
        joined(first, west(), shift=0.25, prefixes=("", "B"))
    with pytest.raises(GridError, match="prefixes"):
        joined(first, west(), prefixes=("", "x" * 30))
    with pytest.raises(GridError, match="names"):
        joined(first, west(), names=("a b", ""), prefixes=("", "B"))
    with pytest.raises(GridError, match="the hexes differ"):
        joined(first, west(hex_height=2.0), prefixes=("", "B"))
    with pytest.raises(GridError, match="layer: got 'a b'"):
        joined(first, west(), edge="apart", layer="a b", prefixes=("", "B"))
    with pytest.raises(GridError, match="gap: got 0"):
        joined(first, west(), edge="apart", gap=0, prefixes=("", "B"))
    for wrong in (None, "map.json"):
        with pytest.raises(StudioError):
            studio.join_maps(first, wrong)  # type: ignore[arg-type]
        with pytest.raises(StudioError):
            studio.turn_map(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"shift": 1e300}, "shift: got 1e+300"),
        ({"shift": float("nan")}, "shift: got nan"),
        ({"shift": "1"}, "shift: got '1'"),
        ({"shift": True}, "shift: got True"),
        ({"shift": 10**400}, "up to 2000"),
        ({"gap": "a"}, "gap: got 'a'"),
        ({"gap": 1.5, "edge": "apart"}, "gap: got 1.5"),
        ({"gap": 10**400, "edge": "apart"}, "1 to 2000 columns"),
        ({"gap": 2}, "only maps with edge='apart'"),
        ({"layer": "u"}, "only maps with edge='apart'"),
        ({"layer": None}, "layer: got None"),
        ({"title": 5}, "title: got 5"),
        ({"turned": "yes"}, "turned: got 'yes'"),
        ({"edge": 5}, "edge 5"),
        *(({"names": got}, f"names: got {got!r}; allowed: two texts") for got in (None, ("a",), (1, 2), "ab", 5)),
        *(({"prefixes": got}, f"prefixes: got {got!r}; allowed: two texts") for got in (None, ("",), (1, 2), "ab")),
        *(
            ({"prefixes": ("", got)}, f"prefixes: got {got!r}; allowed are up to 20 characters")
            for got in ("\n", " ", "\t", "B\n", " B", "B,", "B\x00", "B  ")
        ),
        ({"prefixes": ("", "x" * 10_000)}, "xxx...xxx"),
        ({"names": ("", "x" * 10_000)}, "xxx...xxx"),
    ],
)
def test_arguments_that_joining_cannot_take(options: dict[str, Any], words: str) -> None:
    with pytest.raises(StudioError) as raised:
        joined(west(), west("East"), **{"prefixes": ("", "B"), **options})
    assert words in str(raised.value)
    assert len(str(raised.value)) < 300


def test_a_prefix_may_end_in_one_blank() -> None:
    assert joined(west(), west("East"), prefixes=("", "East ")).labels.cell("East 0101") > 0


@pytest.mark.parametrize("prefixes", [("", ""), ("", "B"), ("A", "A")])
@pytest.mark.parametrize("drawn", [False, True])
def test_the_prefix_that_is_proposed_works(prefixes: tuple[str, str], drawn: bool) -> None:
    board = studio.new_map("phantom_fury", 30, 4, labels=LabelScheme.lettered(), title=f"Board {prefixes} {drawn}")
    if drawn:  # the zone of the second would be called as a hex of the first is
        square = [[0, 0], [900, 0], [900, 900], [0, 900]]
        board.add("area", type="zone", name="B9", outline=square)
        board.add("area", type="zone", name="C1x", outline=[[x + 900, y] for x, y in square])
    with pytest.raises(PrefixError, match="give the second map another prefix") as raised:
        joined(board, board, edge="apart", prefixes=prefixes)
    proposed = re.search(r"prefixes=\('(.*)', '(.*)'\)", str(raised.value))
    assert proposed is not None
    assert joined(board, board, edge="apart", prefixes=proposed.groups()).model.sheets[1].prefix == proposed[2]
    assert proposed[1] == prefixes[0]
    both = joined(board, board, edge="apart", prefixes=proposed.groups())
    with pytest.raises(EditError, match="another prefix, such as ") as refused:
        both.set("sheets", [msgspec.structs.replace(sheet, prefix="") for sheet in both.sheets])
    good = re.search(r"such as '(.*?)'", str(refused.value))
    assert good is not None
    both.set("sheets", [msgspec.structs.replace(both.sheets[0], prefix=""), replaced(both.sheets[1], good[1])])


def replaced(sheet: Any, prefix: str) -> Any:
    return msgspec.structs.replace(sheet, prefix=prefix)


def quarter(title: str) -> Map:
    """Return a map with zones, one of them without a name, and with all that names them."""
    made = studio.new_map("phantom_fury", columns=8, rows=8, title=title)
    for number, name in enumerate(("1", "2", "")):
        ring = [[1000 * number + x, y] for x, y in ((0, 0), (900, 0), (900, 900), (0, 900))]
        made.add("area", id=f"z{number}", type="zone", name=name, outline=ring)
    for at in ("1", "z2", "0202"):
        made.add("marker", type="rubble", at=at, also=["2"])
    made.add("link", id="fire", type="line_of_fire", a="1", b="2")
    made.add("link", id="other", type="line_of_fire", a="z2", b="1")
    return made


def labels_of(made: Map) -> list[str]:
    return sorted(one.label for one in made.survey.directory.others)


def named_by(made: Map) -> set[tuple[str, ...]]:
    found = {(one.a, one.b) for one in made.survey.features_of(Link)}
    return found | {(one.at, *one.also) for one in made.survey.features_of(Marker)}


def faults_of(made: Map) -> set[str]:
    """Return the places of errors, but for the markers on a hex, where no unit of the game can be."""
    return {one.at for one in made.check().errors if not one.at.endswith("0202")}


def test_a_place_without_a_name_goes_by_its_id() -> None:
    made = joined(quarter("East"), quarter("West"), prefixes=("", "B"))
    assert labels_of(made) == ["1", "2", "B1", "B2", "west.z2", "z2"]
    ours = {("1", "2"), ("z2", "1"), ("z2", "2"), ("0202", "2")}
    theirs = {("B1", "B2"), ("west.z2", "B1"), ("west.z2", "B2"), ("B0202", "B2")}
    assert named_by(made) == {*ours, *theirs}
    assert faults_of(made) == set()


def test_places_follow_the_prefix_of_their_sheet() -> None:
    made = joined(quarter("East"), quarter("West"), prefixes=("", "B"))
    before, steps = made.to_text(), len(made.history)
    made.set("sheets", [made.sheets[0], replaced(made.sheets[1], "C ")])
    assert labels_of(made) == ["1", "2", "C 1", "C 2", "west.z2", "z2"]
    assert {("C 1", "C 2"), ("west.z2", "C 1"), ("C 0202", "C 2"), ("1", "2"), ("0202", "2")} <= named_by(made)
    after = made.to_text()
    assert len(made.history) == steps + 1
    made.undo()
    assert made.to_text() == before
    made.redo()
    assert made.to_text() == after
    for prefixes in (("C ", ""), ("A", "B"), ("B", "A"), ("", "B")):
        made.set("sheets", [replaced(sheet, prefix) for sheet, prefix in zip(made.sheets, prefixes, strict=True)])
        expected = [prefix + name for prefix in prefixes for name in ("1", "2")]
        assert labels_of(made) == sorted([*expected, "west.z2", "z2"])
        assert faults_of(made) == set()
    assert made.to_text() == before


def test_a_new_prefix_that_a_place_cannot_have_is_refused() -> None:
    made = joined(quarter("East"), quarter("West"), prefixes=("", "B"))
    made.add("area", type="zone", name="D1", outline=[[0, 2000], [900, 2000], [900, 2900]])
    text = made.to_text()
    with pytest.raises(EditError, match=r"'B1' would bear the label 'D1' of another place; give another prefix"):
        made.set("sheets", [made.sheets[0], replaced(made.sheets[1], "D")])
    for prefix in ("\n", " ", "B\n", ",", "x" * 21, 5):
        with pytest.raises(EditError, match="set sheets: got"):
            made.set("sheets", [made.sheets[0], {"id": "b", "prefix": prefix}])
    assert made.to_text() == text


def test_labels_say_what_sheets_there_are() -> None:
    made = joined(west(), west("East"), prefixes=("", "E"))
    with pytest.raises(LabelError, match=r"no hex 'E0109' on this map; its sheets: east from E0101 to E0504"):
        made.labels.cell("E0109")
    with pytest.raises(LabelError, match="west from 0101 to 0504"):
        made.labels.cell("0")
    assert isinstance(made.labels, SheetLabels)
    assert made.labels.sheet_number("east") == 1
    with pytest.raises(LabelError, match="did you mean 'east'"):
        made.labels.sheet_number("eastt")


def test_the_sheets_can_be_renamed_and_features_follow() -> None:
    made = joined(west(), west("East"), prefixes=("", "E"))
    made.add("road", id="r", path=["0501", "E0201"])
    sheets = [*made.sheets]
    sheets[1] = msgspec.structs.replace(sheets[1], prefix="B-", title="The east", labels=LabelScheme.lettered())
    made.set("sheets", sheets)
    assert made.features["r"].path == ("0501", "B-B1")
    made.undo()
    assert made.features["r"].path == ("0501", "E0201")
    made.redo()
    assert made.model.sheets[1].title == "The east"
    with pytest.raises(EditError, match="each part of the grid is one sheet"):
        made.set("sheets", sheets[:1])
    with pytest.raises(EditError, match="different layers, but touch"):
        made.set("sheets", [sheets[0], msgspec.structs.replace(sheets[1], layer="underground")])
    with pytest.raises(EditError, match="set `sheets` instead"):
        made.set("labels", LabelScheme.lettered())
    with pytest.raises(EditError, match="no sheets"):
        west().set("sheets", sheets)


def test_the_world_stays_where_it_is() -> None:
    placed = studio.new_map("armageddon_war", columns=4, rows=3, title="A")
    placed.set("georeference", Georeference(crs="EPSG:32637", affine=(500.0, 7.0, 1000.0, 3.0, -500.0, 9000.0)))

    def world(made: Map, label: str) -> tuple[float, float]:
        assert made.model.georeference is not None
        a, b, c, d, e, f = made.model.georeference.affine
        x, y = made.grid.to_map(*made.grid.centre(made.labels.cell(label)))
        return a * x + b * y + c, d * x + e * y + f

    turned = studio.turn_map(placed)
    beside = joined(placed, studio.new_map("armageddon_war", columns=4, rows=3), edge="left", prefixes=("", "B"))
    for made in (turned, beside):
        assert world(made, "0302") == pytest.approx(world(placed, "0302"))


@pytest.mark.parametrize("game", ["generic", "urban_operations"])
@given(seed=SEEDS, size=SIZES, edge=EDGES, turned=st.booleans())
@random_maps(25)
def test_lines_that_stay_inside_a_sheet_are_those_of_its_own_map(
    game: str, seed: int, size: tuple[int, int], edge: str, turned: bool
) -> None:
    first, second = pair(game, seed, size)
    second.model.features.clear()  # walls of the one map may be drawn into the other
    second.survey = Survey(second.model, second.ruleset.survey_scheme)
    layer = "surface" if edge == "apart" else ""
    try:
        made = joined(first, second, edge=edge, turned=turned, prefixes=("A", "B"), layer=layer)
    except GridError:
        assume(False)
    joint = made.grid.joint
    assert joint is not None
    after = Judged(made.model, made.ruleset, made.ruleset.options(None))
    before = Judged(first.model, first.ruleset, first.ruleset.options(None))
    alone = {c: joint.joint_cell(0, c) for c in np.flatnonzero(first.grid.present).tolist()}
    inside = {place for place in alone.values() if place not in joint.shared}
    moved = set(before.directory.moved_dots)
    cells = [c for c, place in alone.items() if place in inside and before.directory.exists(c) and c not in moved]
    for a in cells[:8]:
        one, two = before.field(a), after.field(alone[a])
        for b in cells:
            same = one[b] == two[alone[b]]
            assert same or after.meets_others(alone[a], alone[b], inside), (
                f"{before.judge.sighting(a, b)}\n{after.judge.sighting(alone[a], alone[b])}"
            )


@pytest.mark.parametrize("game", ["armageddon_war", "generic", "modern_tactics"])
@given(seed=SEEDS, size=SIZES, edge=EDGES, turned=st.booleans())
@FEW
def test_cut_out_again_a_sheet_is_the_map_that_was_joined(
    game: str, seed: int, size: tuple[int, int], edge: str, turned: bool
) -> None:
    first, second = pair(game, seed, size)
    try:
        made = joined(first, second, edge=edge, turned=turned, prefixes=("A", "B"))
    except GridError:
        assume(False)
    joint = made.grid.joint
    assert joint is not None
    for number, old in enumerate((first, second)):
        (x0, y0), (x1, y1) = joint.point(number, 0, 0), joint.point(number, 1, 1)
        sx, sy = x1 - x0, y1 - y0
        back, places = moved(made.model, old.grid, _back(x0, y0, sx, sy))
        back.labels = old.labels
        shared = {joint.own_cell(number, cell) for cell in joint.shared} if number else set()
        assert sorted(places.values()) == np.flatnonzero(old.grid.present).tolist()
        for cell in places.values():
            if cell not in shared:
                assert back.terrain_at(cell) == old.model.terrain_at(cell)
                assert back.level_at(cell) == old.model.level_at(cell)
        for key, kinds in old.model.sides.items():
            assert set(kinds) <= set(back.sides[key]) or set(key) & shared
        for name, feature in old.model.features.items():
            new = (
                name
                if not number or name not in first.features
                else next(one for one in back.features if one.endswith(f".{name}"))
            )
            again = back.features[new]
            changes: dict[str, Any] = {"id": name}
            if isinstance(feature, Area):
                changes |= {"within": feature.within, "name": feature.name}
            if not (isinstance(feature, Dot) and shared):
                assert msgspec.structs.replace(again, **changes) == feature


def _back(x0: int, y0: int, sx: int, sy: int) -> Any:
    return lambda point: ((point[0] - x0) * sx, (point[1] - y0) * sy)

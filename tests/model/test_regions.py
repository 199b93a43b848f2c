"""Regions of maps: copied, turned, mirrored, pasted, moved; what is drawn in them goes along exactly."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.errors import EditError
from studio.grid import HexGrid, LabelScheme
from studio.model import Marker, Paint, Road, SetSide
from studio.model.region import Region, RegionHex, read_region, write_region
from studio.model.regioncopy import copy_region, hexes_at, middle_of

MIRRORS = ("", "left-right", "top-bottom")
LAYOUTS = [(orientation, stagger) for orientation in ("flat", "pointy") for stagger in ("odd", "even")]


def new_map(columns=16, rows=14, orientation="flat", stagger="odd", ruleset="armageddon_war", **options):
    labels = LabelScheme.ccrr()
    return studio.new_map(
        ruleset, columns=columns, rows=rows, orientation=orientation, stagger=stagger, labels=labels, **options
    )


def disk(document, label, radius):
    labels = document.labels
    return [labels.label(cell) for cell in document.grid.within(labels.cell(label), radius)]


def scatter(document, labels, seed=1):
    """Give every hex and some sides something of its own."""
    rng, rules = random.Random(seed), document.ruleset
    low, high = rules.levels
    cells = document.labels.cells(list(labels))
    edits = [
        Paint(plane="terrain", cells=cells, values=[rng.choice(list(rules.terrains)) for _ in cells]),
        Paint(plane="levels", cells=cells, values=[rng.randint(low, high) for _ in cells]),
    ]
    for edit in edits:
        document.apply(edit)
    held = set(cells)
    for cell in cells:
        for other in document.grid.neighbours(cell):
            if other in held and other > cell and rng.random() < 0.3:
                document.apply(SetSide(a=cell, b=other, kinds=(rng.choice(list(rules.side_kinds)),)))


def picture(document, label, radius):
    """What lies around a hex, by axial steps."""
    grid, model = document.grid, document.model
    middle = document.labels.cell(label)
    q0, r0 = grid.axial(middle)
    cells = set(grid.within(middle, radius))

    def place(cell):
        q, r = grid.axial(cell)
        return q - q0, r - r0

    hexes = {place(cell): (model.terrain_at(cell), model.level_at(cell)) for cell in cells}
    sides = {frozenset((place(a), place(b))): kinds for (a, b), kinds in model.sides.items() if {a, b} <= cells}
    return hexes, sides


@pytest.mark.parametrize(("orientation", "stagger"), LAYOUTS)
def test_six_turns_and_two_mirrors_give_the_same_map(orientation, stagger):
    document = new_map(orientation=orientation, stagger=stagger)
    around = disk(document, "0807", 3)
    scatter(document, around)
    before = document.to_text()
    seen = {before}
    for turn in range(1, 7):
        document.move_region(around, anchor="0807", turn=1)
        assert (document.to_text() == before) == (turn == 6)
        seen.add(document.to_text())
    assert len(seen) == 6
    for mirror in MIRRORS[1:]:
        document.move_region(around, anchor="0807", mirror=mirror)
        assert document.to_text() != before
        document.move_region(around, anchor="0807", mirror=mirror)
        assert document.to_text() == before


@pytest.mark.parametrize(("orientation", "stagger"), LAYOUTS)
@pytest.mark.parametrize("mirror", MIRRORS)
@pytest.mark.parametrize("turn", [0, 1, 2, 5])
def test_motion_keeps_distances_and_true_shape(orientation, stagger, mirror, turn):
    # The truth is the plane: turned by the matrix of a sixth of a turn, in units in which hexes are regular.
    document = new_map(orientation=orientation, stagger=stagger)
    grid, middle = document.grid, document.labels.cell("0807")
    cells = grid.within(middle, 3)
    region = copy_region(document.model, cells, middle)
    placed = region.placed(turn, mirror)
    wide, high = (1, 3**0.5) if grid.flat else (3**0.5, 1)  # true lengths of the lattice's units
    for old, new in zip(region.hexes, placed.hexes, strict=True):
        q0, r0 = grid.axial(middle)
        x0, y0 = grid.centre(middle)
        x, y = grid.point_at(q0 + old.q, r0 + old.r)
        u, v = (x - x0) * wide, (y - y0) * high
        u, v = (-u if mirror == "left-right" else u), (-v if mirror == "top-bottom" else v)
        for _ in range(turn):
            u, v = u / 2 - v * 3**0.5 / 2, u * 3**0.5 / 2 + v / 2
        x1, y1 = grid.point_at(q0 + new.q, r0 + new.r)
        assert ((x1 - x0) * wide, (y1 - y0) * high) == pytest.approx((u, v), abs=1e-6)


def test_features_go_with_their_hexes():
    document = new_map()
    around = disk(document, "0807", 3)
    road = document.add("road", path=["0806", "0807", "0808"], surface="unpaved")
    through = document.add("road", path=[f"08{row:02d}" for row in range(1, 14)])
    marker = document.add("marker", type="smoke", at="0808")
    name = document.add("name", text="Tel <b>Aviv</b>", at="0806", angle=30)
    region = document.copy_region(around, anchor="0807")
    assert {feature.id for feature in region.features} == {road, f"{through}.1", marker, name}
    other = new_map()
    pasted = other.paste_region(region, "0405", turn=3)
    assert not pasted.lost
    roads = {feature.path: feature.surface for feature in other.features.values() if isinstance(feature, Road)}
    assert roads[("0406", "0405", "0404")] == "unpaved"
    assert ("0408", "0407", "0406", "0405", "0404", "0403", "0402") in roads
    marks = [feature for feature in other.features.values() if feature.__struct_config__.tag == "marker"]
    assert [(mark.type, mark.at) for mark in marks] == [("smoke", "0404")]
    texts = [feature for feature in other.features.values() if feature.__struct_config__.tag == "name"]
    assert [(text.text, text.at) for text in texts] == [
        ("Tel <b>Aviv</b>", other.grid.centre(other.labels.cell("0406")))
    ]
    assert texts[0].angle == 30  # half a turn would put it on its head
    assert len(other.history) == 1
    other.undo()
    assert not other.features


def test_move_is_one_step_and_keeps_ids():
    document = new_map()
    around = disk(document, "0505", 2)
    scatter(document, around)
    road = document.add("road", path=["0504", "0505", "0506"])
    through = document.add("road", path=[f"05{row:02d}" for row in range(1, 14)])
    before, steps = document.to_text(), len(document.history)
    was = picture(document, "0505", 2)
    pasted = document.move_region(around, "1108", anchor="0505")
    assert pasted.hexes == 19
    assert pasted.off_map == 0
    assert picture(document, "1108", 2) == was
    hexes, sides = picture(document, "0505", 2)
    assert set(hexes.values()) == {("clear", 0)}
    assert not sides
    assert document.features[road].path == ("1107", "1108", "1109")
    assert len(document.features[through].path) == 13  # it goes on beyond the region, and stays
    assert len(document.history) == steps + 1
    document.undo()
    assert document.to_text() == before


@given(st.integers(0, 2**32), st.integers(0, 5), st.sampled_from(MIRRORS), st.integers(-2, 2), st.integers(-2, 2))
def test_moves_that_overlap_lose_nothing(seed, turn, mirror, dq, dr):
    document = new_map()
    middle = document.labels.cell("0807")
    around = disk(document, "0807", 3)
    scatter(document, around, seed)
    q, r = document.grid.axial(middle)
    target = document.labels.label(document.grid.from_axial(q + dq, r + dr))
    region = document.copy_region(around, anchor="0807")
    apart = new_map()
    apart.paste_region(region, target, turn=turn, mirror=mirror)
    document.move_region(around, target, anchor="0807", turn=turn, mirror=mirror)
    assert document.to_text() == apart.to_text()


def test_what_falls_off_the_map_is_said():
    document = new_map()
    around = disk(document, "0807", 2)
    document.paint(around, terrain="marsh")
    document.add("road", path=["0707", "0807", "0908"])
    document.add("road", path=["0807", "0907"])
    document.add("name", text="Wadi", at="0805")
    region = document.copy_region(around, anchor="0807")
    other = new_map()
    pasted = other.paste_region(region, "0101")
    assert (pasted.hexes, pasted.off_map) == (7, 12)
    assert sorted(pasted.lost) == ["name Wadi", "part of road road-1", "road road-2"]
    assert [feature.path for feature in other.features.values()] == [("0101", "0201")]
    assert "12 hexes fell off the map" in str(pasted)
    with pytest.raises(EditError, match="fall off the map"):
        other.paste_region(read_region(write_region(region.placed())), "0101") if False else other.paste_region(
            Region(ruleset="armageddon_war", orientation="flat", terrains=("clear",), hexes=(RegionHex(-9, 0, 0, 0),)),
            "0101",
        )


def test_rim_of_the_region_is_added_and_inner_sides_are_replaced():
    document = new_map()
    document.set_side("0505", "0506", "fence")
    document.set_side("0504", "0505", "breached_fence")
    region = document.copy_region(["0505", "0506"], anchor="0505")
    other = new_map()
    other.set_side("0808", "0809", "breached_fence")
    other.set_side("0807", "0808", "fence")
    other.paste_region(region, "0808")
    cell = other.labels.cell
    assert other.model.sides == {
        (cell("0808"), cell("0809")): ("fence",),
        (cell("0807"), cell("0808")): ("breached_fence", "fence"),
    }


def test_places_get_free_names_and_what_hangs_on_them_follows():
    town = studio.new_map("phantom_fury", columns=12, rows=12)
    x, y = town.grid.centre(town.labels.cell(town.labels.label(4 * 12 + 4)))
    zone = town.add("area", type="zone", name="1", outline=[[x - 240, y - 120], [x + 240, y - 120], [x, y + 200]])
    marker = next(iter(town.ruleset.marker_types))
    town.add("marker", type=marker, at="1")
    around = [town.labels.label(cell) for cell in town.grid.within(4 * 12 + 4, 1)]
    pasted = town.paste_region(town.copy_region(around), town.labels.label(8 * 12 + 8))
    assert pasted.renamed == {"1": "1 2"}
    copies = [town.features[name] for name in pasted.features]
    assert [(one.name, one.type) for one in copies if hasattr(one, "outline")] == [("1 2", "zone")]
    assert [one.at for one in copies if not hasattr(one, "outline")] == ["1 2"]
    # Moved, it keeps its name, its id and its marker.
    town.undo()
    town.move_region(around, town.labels.label(8 * 12 + 8))
    assert town.features[zone].name == "1"
    assert [feature.at for feature in town.features.values() if not hasattr(feature, "outline")] == ["1"]


def test_replace_terrain_says_how_many():
    document = new_map()
    document.paint(["0101", "0202", "0303"], terrain="marsh")
    assert document.replace_terrain("marsh", "dunes", ["0101", "0303", "0404"]) == 2
    assert document.replace_terrain("marsh", "dunes") == 1
    assert document.replace_terrain("marsh", "dunes") == 0
    assert len(document.history) == 3
    with pytest.raises(EditError, match="no terrain 'mud'"):
        document.replace_terrain("mud", "clear")


def test_text_of_a_region_comes_back_and_hostile_text_is_refused():
    document = new_map()
    around = disk(document, "0505", 2)
    scatter(document, around)
    document.add("road", path=["0504", "0505", "0506"])
    region = document.copy_region(around)
    text = write_region(region)
    assert read_region(text) == region
    plain = msgspec.json.decode(text)

    def spoilt(**changes):
        return msgspec.json.encode({**plain, **changes}).decode()

    road = plain["features"][0]
    for bad, why in [
        ("", "no text"),
        ("hello", "no region"),
        ("[" * 100_000, "no region"),
        ("x" * 8_000_001, "allowed are 8,000,000"),
        ("\ud800", "no region"),
        (spoilt(studio="map"), "no region"),
        (spoilt(version=2), "no region"),
        (spoilt(more=1), "no region"),
        (spoilt(hexes=[]), "no hexes"),
        (spoilt(hexes=[[0, 0, 0, 0], [0, 0, 0, 0]]), "twice"),
        (spoilt(hexes=[[0, 0, 200, 0]]), "beyond"),
        (spoilt(hexes=[[0, 0, 0, 99]]), "no region"),
        (spoilt(hexes=[[10**9, 0, 0, 0]]), "no region"),
        (spoilt(sides=[[0, 0, 5, 5, ["fence"]]]), "none of its hexes"),
        (spoilt(features=[road, road]), "one id"),
        (spoilt(features=[{**road, "path": ["0101", "0102"]}]), "label '0101'"),
        (spoilt(features=[{**road, "line": [[0, 0], [10**15, 0]]}]), "no region has"),
        (spoilt(features=[{**road, "id": "<script>"}]), "no region"),
    ]:
        with pytest.raises(EditError, match=why):
            read_region(bad)
    with pytest.raises(EditError, match="pointy"):
        new_map(orientation="pointy").paste_region(region, "0505")
    with pytest.raises(EditError, match="no terrain"):
        studio.new_map("phantom_fury", columns=9, rows=9).paste_region(
            region, studio.new_map("phantom_fury", columns=9, rows=9).labels.label(40)
        )


def test_a_feature_that_the_game_lacks_changes_nothing():
    document, before = new_map(), new_map().to_text()
    marker = Marker(id="m", type="dragon", at="@0,0")
    strange = Region(
        ruleset="armageddon_war",
        orientation="flat",
        terrains=("clear",),
        hexes=(RegionHex(0, 0, 0, 0),),
        features=(marker,),
    )
    with pytest.raises(EditError, match="dragon"):
        document.paste_region(strange, "0505")
    assert document.to_text() == before


@pytest.mark.parametrize(("orientation", "stagger"), LAYOUTS)
def test_points_on_sides_and_corners_are_of_every_hex_there(orientation, stagger):
    grid = HexGrid(columns=7, rows=7, orientation=orientation, stagger=stagger)
    middle = 3 * 7 + 3
    assert hexes_at(grid, grid.centre(middle)) == [middle]
    for direction, (p, q) in enumerate(
        zip(grid.corners(middle), [*grid.corners(middle)[1:], grid.corners(middle)[0]], strict=True)
    ):
        assert len(hexes_at(grid, p)) == 3
        half = ((p[0] + q[0]) // 2, (p[1] + q[1]) // 2)
        assert sorted(hexes_at(grid, half)) == sorted([middle, grid.neighbour(middle, direction)])


def test_middle_is_a_hex_of_the_region():
    grid = HexGrid(columns=9, rows=9)
    ring = grid.ring(40, 3)
    assert middle_of(grid, ring) in ring
    assert middle_of(grid, grid.within(40, 2)) == 40

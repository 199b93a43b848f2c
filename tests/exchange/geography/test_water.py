"""Sea, lakes and coast: held equal to cutting one hex, and one side, after another."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.geography.data.sources import Layer
from studio.exchange.geography.ground import water
from studio.exchange.geography.ground.terrain import lay_ground
from studio.exchange.geography.ground.water import lay_coast, lay_water
from studio.exchange.geography.spec import DataSource, GridRule, RiverRule, TerrainRule, WaterRule
from studio.exchange.geography.work import Work
from tests.exchange.geography.grounds import (
    GAME,
    game,
    grids,
    hex_of,
    in_world,
    save_polygons,
    terrains,
    texts,
    town_at,
    work_of,
)

RULE = WaterRule(land="land", lakes="lakes", side="water")


def laid(work: Work, land: list[Any], lakes: list[Any] | None = None, *, ground: bool = True) -> Work:
    """Lay water of these polygons, which are on the lattice."""

    def layer(_work: Work, source: str, _rule: str, **_more: Any) -> Layer:
        shapes = np.empty(len(layers[source]), dtype=object)
        shapes[:] = layers[source]
        return Layer(shapes, {}, DataSource(id=source, file=source), len(shapes))

    layers = {"land": land, "lakes": lakes or []}
    with patch.object(water, "read_layer", layer):
        if ground:
            lay_ground(work)
        lay_water(work)
        lay_coast(work)
    return work


GRIDS = grids(5)


@st.composite
def blots(draw: Any) -> Any:
    """A polygon with few straight lines along hexsides."""
    x, y = draw(st.integers(0, 4000)), draw(st.integers(0, 2500))
    turn = np.linspace(0, 2 * np.pi, draw(st.integers(3, 12)), endpoint=False) + draw(st.floats(0, 1))
    wide, high = draw(st.integers(50, 2500)), draw(st.integers(50, 2500))
    return shapely.Polygon(np.stack((x + wide * np.cos(turn), y + high * np.sin(turn)), axis=1))


@given(
    GRIDS,
    st.lists(blots(), max_size=3),
    st.lists(blots(), max_size=2),
    st.sampled_from([0.2, 0.5, 0.9]),
    st.sampled_from([0.3, 0.8]),
    st.booleans(),
)
def test_water_is_that_of_one_cut_after_another(
    grid: GridRule, land: list[Any], lakes: list[Any], share: float, side_share: float, sea: bool
) -> None:
    rule = WaterRule(land="land" if sea else "", lakes="lakes", share=share, side="water", side_share=side_share)
    work = laid(work_of(Path(), grid=grid, water=rule), land, lakes)
    ground, lake = shapely.union_all(land), shapely.union_all(lakes)
    everywhere = shapely.box(-9000, -9000, 9000, 9000)
    outside = everywhere.difference(ground) if sea else shapely.Polygon()
    wet = shapely.union_all([outside, lake])
    hexes = work.placing.grid
    for cell in range(hexes.cells):
        if not hexes.has(cell):
            assert not work.water[cell]
            continue
        shape = hex_of(work, cell)
        parts = [shapely.intersection(shape, one, grid_size=1e-6).area / shape.area for one in (outside, wet)]
        assert work.shares["sea"][cell] == pytest.approx(parts[0], abs=1e-7)
        assert work.shares["water"][cell] == pytest.approx(parts[1], abs=1e-7)
        assert work.shares["lake"][cell] == pytest.approx(parts[1] - parts[0], abs=1e-7)
        assume((abs(parts[1] - share) > 1e-6 and abs(parts[1] - 2 * parts[0]) > 1e-6) or parts[1] == 0)
        name = ("lake" if parts[1] > 2 * parts[0] else "sea") if parts[1] >= share else "clear"
        assert work.model.terrain_at(cell) == name
        assert work.water[cell] == (name != "clear")
    wanted = []
    for a in range(hexes.cells):
        for b in hexes.neighbours(a) if hexes.has(a) else []:
            if a < b and not work.water[a] and not work.water[b]:
                side = shapely.LineString(hexes.side_ends(a, b))
                part = shapely.intersection(side, wet, grid_size=1e-6).length / side.length
                assume(abs(part - side_share) > 1e-6)
                wanted += [(a, b)] * (part >= side_share)
    assert sorted(work.model.sides) == sorted(wanted)
    assert set(work.model.sides.values()) <= {("water",)}


def test_files_are_read_and_broken_ones_mended(tmp_path: Path) -> None:
    work = work_of(tmp_path)
    # A land that crosses itself: two triangles that meet in a point; a lake in the right one.
    cross = shapely.Polygon([(0, 0), (3000, 1700), (3000, 0), (0, 1700)])
    lake = shapely.box(2400, 400, 2800, 900)
    files = {
        "land": save_polygons(tmp_path / "land.gpkg", [in_world(work, cross)]),
        "lakes": save_polygons(tmp_path / "lakes.gpkg", [in_world(work, lake)]),
    }
    work = work_of(tmp_path, files=files, water=RULE)
    lay_ground(work)
    lay_water(work)
    whole = shapely.make_valid(cross).difference(lake)
    for cell in range(work.placing.grid.cells):
        dry = hex_of(work, cell).intersection(whole).area / hex_of(work, cell).area
        assert work.shares["water"][cell] == pytest.approx(1 - dry, abs=2e-4)
        assert work.water[cell] == (dry <= 0.5)


def test_without_land_and_lakes_there_is_no_water(tmp_path: Path) -> None:
    work = laid(work_of(tmp_path, water=WaterRule(side="water")), [])
    assert not work.water.any()
    assert work.water.shape == (12,)
    assert not work.shares
    assert not work.model.sides


def test_no_polygon_of_land_is_all_sea_and_one_over_all_is_none(tmp_path: Path) -> None:
    assert set(terrains(laid(work_of(tmp_path, water=RULE), []))) == {"sea"}
    over = shapely.box(-9000, -9000, 9000, 9000)
    assert set(terrains(laid(work_of(tmp_path, water=RULE), [over]))) == {"clear"}
    assert set(terrains(laid(work_of(tmp_path, water=RULE), [over], [over]))) == {"lake"}


def test_a_share_that_is_reached_exactly_makes_water(tmp_path: Path) -> None:
    for least, wanted in ((0.5, "sea"), (0.501, "clear")):
        rule = WaterRule(land="land", share=least)
        work = laid(work_of(tmp_path, columns=1, rows=1, water=rule), [shapely.box(480, -1000, 2000, 1000)])
        assert work.shares["sea"].tolist() == [0.5]
        assert terrains(work) == [wanted]


def test_holes_and_islands(tmp_path: Path) -> None:
    work = work_of(tmp_path, columns=5, rows=5)
    hole, island = hex_of(work, 12).buffer(5), hex_of(work, 12).centroid.buffer(50)
    land = shapely.box(-500, -500, 9000, 9000).difference(hole)
    work = laid(work_of(tmp_path, columns=5, rows=5, water=RULE), [land, island])
    assert np.flatnonzero(work.water).tolist() == [12]
    said = texts(work, "finding")
    assert f"{work.label(12)}: Hexes of water alone amid land: 1" in said
    alone = laid(work_of(tmp_path, columns=5, rows=5, water=RULE), [hole])
    assert np.flatnonzero(~alone.water).tolist() == [12]
    assert f"{work.label(12)}: Hexes of land alone amid water: 1" in texts(alone, "finding")


def test_water_with_much_land_is_told(tmp_path: Path) -> None:
    work = work_of(tmp_path)
    part = hex_of(work, 5).intersection(shapely.box(*hex_of(work, 5).centroid.coords[0], 9000, 9000))
    work = laid(work_of(tmp_path, water=RULE), [part])
    entry = next(one for one in work.report.of("note") if "a tenth of which" in one.text)
    assert entry.at == (work.label(5),)


# -- towns -----------------------------------------------------------------------------------------------------------


def test_a_town_keeps_its_hex_and_the_report_says_so(tmp_path: Path) -> None:
    work = work_of(tmp_path, water=RULE, terrain=TerrainRule(base="hills"))
    work.towns = [town_at(work, 5, "Basra"), town_at(work, 6, "Kuwait")]
    laid(work, [shapely.box(-500, -500, 1100, 9000), hex_of(work, 6)])
    assert not work.water[[5, 6]].any()
    assert work.model.terrain_at(5) == "hills"
    entries = list(work.report.of("decided", step="water"))
    assert [entry.at for entry in entries] == [(work.label(5),)]
    share = float(work.shares["water"][5])
    assert share > 0.5
    assert entries[0].text == f"Basra stands here, so the hex stays land, though water covers {share:.0%} of it"
    assert entries[0].figures == {"water": round(share, 3)}


def test_a_town_that_water_cuts_off_is_found(tmp_path: Path) -> None:
    work = work_of(tmp_path, columns=5, rows=5, water=RULE)
    work.towns = [town_at(work, 12, "Basra"), town_at(work, 13, "Abadan")]
    around = [hex_of(work, cell).buffer(-60) for cell in range(25) if cell not in (12, 13)]
    laid(work, around)
    said = texts(work, "finding")
    assert f"{work.label(12)}: Basra here is cut off: water lies on every side" in said
    assert f"{work.side_label((12, 13))}: Between Basra and Abadan lies nothing but water" in said


# -- names -----------------------------------------------------------------------------------------------------------


def test_terrain_that_the_game_does_not_have(tmp_path: Path) -> None:
    rule = WaterRule(land="land", lakes="lakes", sea="see", lake="lakke")
    with pytest.raises(DocumentError) as refused:
        laid(work_of(tmp_path, water=rule), [])
    assert "12 hexes (0101, " in str(refused.value)
    assert "to be 'see'" in str(refused.value)
    assert "'sea'" in str(refused.value)
    assert "$.water.sea" in str(refused.value)
    with pytest.raises(DocumentError, match=r"\$\.water\.lake.*'lakke'.*'lake'"):
        over = shapely.box(-9000, -9000, 9000, 9000)
        laid(work_of(tmp_path, water=rule), [over], [over])


def test_a_game_without_lakes_may_have_a_source_of_them_that_fills_no_hex(tmp_path: Path) -> None:
    rules = game(GAME.replace("[terrain.lake]", "[terrain.pond]"))
    over = shapely.box(-9000, -9000, 9000, 9000)
    work = laid(work_of(tmp_path, water=RULE, rules=rules), [over], [shapely.box(0, 0, 100, 100)])
    assert not work.water.any()


def test_a_kind_of_side_that_the_game_does_not_have(tmp_path: Path) -> None:
    rule = WaterRule(land="land", side="watter")
    with pytest.raises(DocumentError, match=r"\$\.water\.side.*'watter'.*'water'"):
        laid(work_of(tmp_path, water=rule), [])


# -- sides -----------------------------------------------------------------------------------------------------------


def channel(work: Work, a: int, b: int, wide: float = 20) -> Any:
    """Land with a channel along a side."""
    side = shapely.LineString(work.placing.grid.side_ends(a, b))
    return shapely.box(-2000, -2000, 9000, 9000).difference(side.buffer(wide))


def test_a_channel_along_a_side_takes_the_place_of_a_river(tmp_path: Path) -> None:
    rivers = (RiverRule(source="rivers", kind="river"),)
    work = work_of(tmp_path, water=RULE, rivers=rivers)
    land = channel(work, 5, 6)
    work.model.sides = {(5, 6): ("border", "river"), (1, 5): ("river",)}
    work.rivers = {"Karun": [(1, 5), (5, 6)]}
    laid(work, [land])
    assert work.model.sides == {(5, 6): ("border", "water"), (1, 5): ("river",)}
    assert work.rivers == {"Karun": [(1, 5), (5, 6)]}
    entry = next(iter(work.report.of("decided", step="water")))
    assert entry.at == (work.side_label((5, 6)),)
    assert "a river ran on" in entry.text


@pytest.mark.parametrize(("part", "yes"), [(0.8, True), (0.79, False)])
def test_a_side_is_water_from_its_share_on(tmp_path: Path, part: float, yes: bool) -> None:
    work = work_of(tmp_path, water=RULE)
    (x0, y0), (x1, y1) = work.placing.grid.side_ends(1, 5)  # a side that lies level
    assert y0 == y1
    hole = shapely.box(min(x0, x1), y0 - 20, min(x0, x1) + part * abs(x1 - x0), y0 + 20)
    laid(work, [shapely.box(-2000, -2000, 9000, 9000).difference(hole)])
    assert ((1, 5) in work.model.sides) == yes


def test_sides_of_hexes_of_water_stay_bare(tmp_path: Path) -> None:
    work = laid(work_of(tmp_path, water=RULE), [hex_of(work_of(tmp_path), 5).buffer(-50)])
    assert np.flatnonzero(~work.water).tolist() == [5]
    assert not work.model.sides


def test_a_map_larger_than_the_land_is_suspected(tmp_path: Path) -> None:
    work = work_of(tmp_path, water=RULE)
    lay_ground(work)
    work.heights = {"mean": np.where(np.arange(12) == 11, 300.0, np.nan)}
    laid(work, [], ground=False)
    entry = next(one for one in work.report.of("finding") if "more than 50 m high" in one.text)
    assert entry.at == (work.label(11),)

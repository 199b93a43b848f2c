"""Terrain, levels and confidence: held equal to a loop over pixels and hexes that can be read at a glance."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pyproj import Transformer

from studio.errors import DocumentError
from studio.exchange.geography.ground.terrain import lay_ground, lay_levels, rate_confidence, share_names
from studio.exchange.geography.ground.water import lay_water
from studio.exchange.geography.spec import GridRule, LevelRule, TerrainClass, TerrainRule, WaterRule
from studio.exchange.geography.work import Work
from studio.grid.fitting import apply_affine
from tests.exchange.geography.grounds import (
    CRS,
    GAME,
    LEFT,
    SIZE,
    TOP,
    folder,
    game,
    grids,
    hex_of,
    in_world,
    over_map,
    save_polygons,
    save_raster,
    terrains,
    texts,
    town_at,
    work_of,
)

HILLS = TerrainClass(terrain="hills", source="dem", above=300)
MOUNTAINS = TerrainClass(terrain="mountains", source="dem", above=800, relief=500, within=400)


def ground_of(path: Path, values: NDArray[Any], pixel: float, *classes: TerrainClass, **rest: Any) -> Work:
    """A work whose ground is a raster of square pixels over the map, from its top left corner on."""
    left, top = rest.pop("corner", (LEFT, TOP))
    name = save_raster(path / "dem.npz", values, (pixel, 0.0, left, 0.0, -pixel, top), rest.pop("raster_crs", CRS))
    rule = TerrainRule(base=rest.pop("base", ""), classes=classes)
    files = {"dem": name} | rest.pop("files", {})
    return work_of(path, files=files, terrain=rule, **rest)


def flat_ground(path: Path, height: float, *classes: TerrainClass, **rest: Any) -> Work:
    return ground_of(path, np.full((200, 250), height), 20.0, *classes, **rest)


# -- shares ----------------------------------------------------------------------------------------------------------


def pixels_by_hex(work: Work, values: NDArray[Any], affine: Any, crs: str) -> dict[int, list[float]]:
    """The reference: the values of the pixels whose middles lie in each hex, one after another."""
    turn = Transformer.from_crs(crs, work.spec.crs, always_xy=True)
    found: dict[int, list[float]] = {cell: [] for cell in range(work.placing.grid.cells)}
    for row, line in enumerate(values.tolist()):
        for column, value in enumerate(line):
            x, y = turn.transform(*apply_affine(affine, column + 0.5, row + 0.5))
            point = work.placing.to_lattice(np.array([[x, y]]))
            cell = int(work.placing.grid.cells_at(point)[0])
            if cell >= 0 and math.isfinite(value):
                found[cell].append(value)
    return found


GRIDS = grids(4)
LYING = [  # how a raster of 24 by 24 pixels lies
    (CRS, (170.0, 0.0, LEFT, 0.0, -170.0, TOP)),
    (CRS, (130.0, 70.0, LEFT - 500, 70.0, -130.0, TOP)),  # turned
    (CRS, (90.0, 0.0, LEFT + 200, 0.0, 130.0, TOP - 3000)),  # rows from south to north, over a part
    ("EPSG:4326", (0.0017, 0.0, 45.0, 0.0, -0.0017, 31.635)),
]


@settings(max_examples=40)
@given(GRIDS, st.sampled_from(LYING), st.integers(0, 1000), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.booleans())
def test_shares_terrain_and_heights_are_those_of_a_loop(
    grid: GridRule, lying: Any, seed: int, least: float, holes: bool
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 900, (24, 24)).astype(float)
    values[rng.random((24, 24)) < 0.2 * holes] = np.nan
    crs, affine = lying
    high = TerrainClass(terrain="mountains", source="dem", above=600, share=least)
    middle = TerrainClass(terrain="hills", source="dem", above=200, below=600, share=0.4)
    with folder() as path:
        name = save_raster(path / "dem.npz", values, affine, crs)
        work = work_of(path, files={"dem": name}, grid=grid, terrain=TerrainRule(base="sea", classes=(high, middle)))
        lay_ground(work)
    for cell, here in pixels_by_hex(work, values, affine, crs).items():
        if not work.placing.grid.has(cell):
            assert not here
            continue
        tall = sum(value >= 600 for value in here)
        some = sum(200 <= value < 600 for value in here)
        assert work.shares["mountains:dem"][cell] == pytest.approx(tall / max(1, len(here)), abs=1e-9)
        assert work.shares["hills:dem"][cell] == pytest.approx(some / max(1, len(here)), abs=1e-9)
        wanted = "sea"
        if tall and tall * 10 >= round(least * 10) * len(here):
            wanted = "mountains"
        elif some and some * 10 >= 4 * len(here):
            wanted = "hills"
        assert work.model.terrain_at(cell) == wanted
        measured = {name: work.heights[name][cell] for name in ("mean", "lowest", "highest", "relief")}
        if here:
            assert measured["mean"] == pytest.approx(sum(here) / len(here))
            assert (measured["lowest"], measured["highest"]) == (min(here), max(here))
            assert measured["relief"] == max(here) - min(here)
        else:
            assert all(math.isnan(one) for one in measured.values())


def test_a_plateau_is_no_mountain_and_its_edge_is(tmp_path: Path) -> None:
    values = np.zeros((200, 350))
    values[:, 150:] = 2000
    edge = TerrainClass(terrain="mountains", source="dem", above=800, relief=500, within=400, share=0.3)
    work = ground_of(tmp_path, values, 20.0, edge, HILLS, columns=7, rows=3)
    lay_ground(work)
    names = [work.model.terrain_ids[one] for one in work.model.terrain[1].tolist()]
    assert names == ["clear", "clear", "clear", "mountains", "hills", "hills", "hills"]
    for cell, x in enumerate(work.placing.grid.centres[:, 0] * work.placing.grid.scale[0] * SIZE):
        if x < 3000 - 600 or x > 3000 + 400 + 600:
            assert work.shares["mountains:dem"][cell] == 0


def test_mountains_need_height_as_well_as_relief(tmp_path: Path) -> None:
    rough = np.tile([[0.0, 700.0]], (200, 125))
    work = ground_of(tmp_path, rough, 20.0, MOUNTAINS, HILLS)
    lay_ground(work)
    assert "mountains" not in terrains(work)
    assert not work.shares["mountains:dem"].any()
    assert work.shares["hills:dem"] == pytest.approx(np.full(12, 0.5), abs=0.02)
    high = ground_of(tmp_path, rough + 900, 20.0, MOUNTAINS, HILLS)
    lay_ground(high)
    assert set(terrains(high)) == {"mountains"}


def test_relief_closer_than_a_pixel_is_reported(tmp_path: Path) -> None:
    near = TerrainClass(terrain="hills", source="dem", relief=1, within=10)
    work = ground_of(tmp_path, np.tile([[0.0, 600.0]], (200, 125)), 20.0, near)
    lay_ground(work)
    assert "no two pixels of dem lie within 10 m of each other (they are 20 m apart)" in texts(work, "finding")
    assert set(terrains(work)) == {"clear"}


def test_values_of_land_cover(tmp_path: Path) -> None:
    values = np.tile(np.array([[10, 20, 30, 30]], dtype=np.uint8), (200, 63))
    both = TerrainClass(terrain="hills", source="dem", values=("10", "20.0"), share=0.6)
    last = TerrainClass(terrain="lake", source="dem", values=("30", "99"), share=0.3)
    work = ground_of(tmp_path, values, 20.0, both, last)
    lay_ground(work)
    assert set(terrains(work)) == {"lake"}
    assert work.shares["hills:dem"] == pytest.approx(np.full(12, 0.5), abs=0.05)
    assert "no pixel of dem on the map has the value 99" in texts(work, "finding")
    assert not work.heights  # codes are no heights


def test_the_first_class_that_reaches_its_share_wins(tmp_path: Path) -> None:
    half = np.tile(np.array([[100.0, 500.0]]), (200, 125))
    low = TerrainClass(terrain="lake", source="dem", below=300, share=0.45)
    for classes, wanted in (((low, HILLS), "lake"), ((HILLS, low), "hills")):
        few = [
            TerrainClass(terrain=one.terrain, source="dem", above=one.above, below=one.below, share=0.45)
            for one in classes
        ]
        work = ground_of(tmp_path, half, 20.0, *few)
        lay_ground(work)
        assert set(terrains(work)) == {wanted}


def test_a_share_that_is_reached_exactly_is_enough(tmp_path: Path) -> None:
    # One hex between 0 and 1000 m, of which 3 of 10 columns of pixels are high, counted below.
    for least, wanted in ((0.3, "hills"), (0.301, "clear")):
        values = np.zeros((10, 1))
        values[:3] = 500
        rule = TerrainClass(terrain="hills", source="dem", above=300, share=least)
        work = ground_of(tmp_path, values, 100.0, rule, columns=1, rows=1, corner=(LEFT + 500, TOP))
        lay_ground(work)
        assert work.shares["hills:dem"].tolist() == [0.3]
        assert terrains(work) == [wanted]


def test_two_classes_of_one_terrain_keep_their_shares_apart(tmp_path: Path) -> None:
    high = TerrainClass(terrain="hills", source="dem", above=900)
    work = flat_ground(tmp_path, 500, high, HILLS, high)
    lay_ground(work)
    assert share_names(work) == ["hills:dem", "hills:dem:2", "hills:dem:3"]
    assert [work.shares[name].max() for name in share_names(work)] == [0, 1, 0]
    assert "Hexes that hills of dem win: 0" in texts(work, "finding", step="terrain")


def test_no_classes_at_all(tmp_path: Path) -> None:
    work = work_of(tmp_path, terrain=TerrainRule(base="hills"))
    lay_ground(work)
    rate_confidence(work)
    assert set(terrains(work)) == {"hills"}
    assert work.confidence.tolist() == [1.0] * 12
    first = work_of(tmp_path)
    lay_ground(first)
    assert set(terrains(first)) == {"clear"}


# -- polygons --------------------------------------------------------------------------------------------------------


def test_polygons_by_the_exact_area_and_what_lies_outside(tmp_path: Path) -> None:
    work = work_of(tmp_path)
    # A bow tie, an island in a hole, and what lies over both, from the lattice into the world.
    bow = shapely.Polygon([(300, 100), (1500, 900), (1500, 100), (300, 900)])
    ring = shapely.box(200, 700, 2600, 1600).difference(shapely.box(700, 900, 2000, 1400))
    shapes = [bow, ring, shapely.box(1000, 1000, 1400, 1200), shapely.box(2500, 0, 2700, 5000)]
    name = save_polygons(tmp_path / "woods.gpkg", [in_world(work, one) for one in shapes])
    classes = (
        TerrainClass(terrain="hills", source="woods", share=0.4),
        TerrainClass(terrain="sea", source="woods", outside=True, share=0.9),
    )
    work = work_of(tmp_path, files={"woods": name}, terrain=TerrainRule(classes=classes))
    lay_ground(work)
    whole = shapely.union_all([shapely.make_valid(one) for one in shapes])
    for cell in range(work.placing.grid.cells):
        share = hex_of(work, cell).intersection(whole).area / hex_of(work, cell).area
        assert work.shares["hills:woods"][cell] == pytest.approx(share, abs=2e-4)
        assert work.shares["sea:woods"][cell] == pytest.approx(1 - share, abs=2e-4)
        assert work.model.terrain_at(cell) == ("hills" if share >= 0.4 else "sea" if share <= 0.1 else "clear")


def test_a_polygon_over_everything_leaves_nothing_outside(tmp_path: Path) -> None:
    name = save_polygons(tmp_path / "all.gpkg", [shapely.box(LEFT - 2e4, TOP - 2e4, LEFT + 2e4, TOP + 2e4)])
    classes = (
        TerrainClass(terrain="sea", source="all", outside=True, share=0),
        TerrainClass(terrain="hills", source="all", share=1),
    )
    grid = GridRule(columns=4, rows=3, hex_size=SIZE, left=LEFT, top=TOP, short=True, orientation="pointy")
    work = work_of(tmp_path, files={"all": name}, terrain=TerrainRule(classes=classes), grid=grid)
    lay_ground(work)
    assert set(terrains(work)) == {"hills"}
    assert not work.shares["sea:all"].any()  # not even in cells that are no hexes


# -- what is refused -------------------------------------------------------------------------------------------------


def test_every_fault_of_the_rule_is_named_at_once(tmp_path: Path) -> None:
    classes = (
        TerrainClass(terrain="hils", source="dem", above=300),
        TerrainClass(terrain="hills", source="dem", values=("1",), above=2),
        TerrainClass(terrain="hills", source="dem", above=900, below=300),
        TerrainClass(terrain="hills", source="dem", above=1, outside=True),
        TerrainClass(terrain="hills", source="dem", values=("wood",)),
        TerrainClass(terrain="hills", source="dem", above=math.inf),
    )
    work = flat_ground(tmp_path, 0, *classes, base="claer")
    with pytest.raises(DocumentError) as refused:
        lay_ground(work)
    said = str(refused.value)
    assert "7 faults" in said
    for part in (
        "unknown terrain 'claer'", "$.terrain.classes[0].terrain", "'hils'", "'hills'", "both values and heights",
        "no height is above 900 and below 300", "pixels have no outside", "the value 'wood' is no number", "inf",
    ):  # fmt: skip
        assert part in said
    assert not work.model.terrain.any()


def test_a_source_that_nobody_has(tmp_path: Path) -> None:
    work = work_of(
        tmp_path,
        files={"dem": "a.npz"},
        terrain=TerrainRule(classes=(TerrainClass(terrain="hills", source="dme", above=1),)),
    )
    with pytest.raises(DocumentError, match=r"terrain.classes\[0\] names the source 'dme'.*'dem'"):
        lay_ground(work)


def test_pixels_larger_than_hexes_are_refused(tmp_path: Path) -> None:
    work = ground_of(tmp_path, np.zeros((9, 9)), 1200.0, HILLS, corner=(LEFT - 1000, TOP + 1000))
    with pytest.raises(DocumentError, match=r"dem.npz.*\n.*larger than the hexes, 0\.[56]\d* of them to a hex"):
        lay_ground(work)


@pytest.mark.parametrize("values", [np.full((30, 40), np.nan), np.full((30, 40), np.nan, dtype=np.float32)])
def test_a_raster_of_nothing_is_refused(tmp_path: Path, values: NDArray[Any]) -> None:
    with pytest.raises(DocumentError, match="no pixel on the map has a value"):
        lay_ground(ground_of(tmp_path, values, 100.0, HILLS))


def test_a_raster_elsewhere_is_refused(tmp_path: Path) -> None:
    work = ground_of(tmp_path, np.zeros((30, 40)), 100.0, HILLS, corner=(LEFT + 90_000, TOP))
    with pytest.raises(DocumentError, match=r"dem\.npz"):
        lay_ground(work)


# -- few pixels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pixel", "kind", "said"), [
    (80.0, "note", "pixels or more"),
    (250.0, "finding", "below 30 chance has a say"),
    (620.0, "finding", "too coarse"),
])  # fmt: skip
def test_few_pixels_are_reported(tmp_path: Path, pixel: float, kind: str, said: str) -> None:
    work = work_of(tmp_path, columns=6, rows=6)
    affine, rows, columns = over_map(work, pixel, 1000)
    name = save_raster(tmp_path / "dem.npz", np.full((rows, columns), 500.0), affine)
    work = work_of(tmp_path, files={"dem": name}, terrain=TerrainRule(classes=(HILLS,)), columns=6, rows=6)
    lay_ground(work)
    entry = next(one for one in work.report.of(step="terrain") if "pixels or" in one.text)
    assert (entry.kind, said in entry.text) == (kind, True)
    middle = float(np.median(work.pixels["dem"].counts))
    assert entry.figures["pixels"] == middle
    assert work.pixels["dem"].expected == pytest.approx(np.full(36, 0.75**0.5 * 1000**2 / pixel**2), rel=0.001)


def test_half_a_map_without_data(tmp_path: Path) -> None:
    values = np.full((200, 100), 500.0)
    values[:, :20] = -9999
    work = ground_of(tmp_path, np.where(values < 0, np.nan, values), 20.0, HILLS, columns=6)
    lay_ground(work)
    rate_confidence(work)
    counts = work.pixels["dem"].counts
    none = [work.label(cell) for cell in range(18) if counts[cell] == 0]
    assert 0 < len(none) < 18
    entry = next(one for one in work.report.of("finding") if "says nothing" in one.text)
    assert entry.at == tuple(none)
    assert f"{len(none)} of 18" in entry.text
    for cell in range(18):
        known = counts[cell] > 0
        assert work.model.terrain_at(cell) == ("hills" if known else "clear")
        assert (work.confidence[cell] > 0) == known
        assert math.isnan(work.heights["mean"][cell]) != known


def test_a_value_for_no_data_counts_for_nothing(tmp_path: Path) -> None:
    lines = ["ncols 20", "nrows 20", f"xllcorner {LEFT}", f"yllcorner {TOP - 2000}", "cellsize 100", "nodata_value -1"]
    values = np.where(np.arange(400).reshape(20, 20) % 2, 500, -1)
    path = tmp_path / "dem.asc"
    path.write_text("\n".join([*lines, *(" ".join(map(str, row)) for row in values.tolist())]))
    low = TerrainClass(terrain="lake", source="dem", below=100, share=0.01)
    spec = TerrainRule(classes=(low, TerrainClass(terrain="hills", source="dem", above=400, share=1)))
    work = work_of(tmp_path, files={"dem": "dem.asc"}, terrain=spec, columns=1, rows=1, said=CRS)
    lay_ground(work)
    assert terrains(work) == ["hills"]
    rate_confidence(work)
    assert 0.4 < work.confidence[0] < 0.6  # half of the pixels are missing


# -- levels ----------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(
    st.integers(0, 1000),
    st.sampled_from(["mean", "most", "highest"]),
    st.sampled_from([(100.0,), (50.0, 100.0, 150.0)]),
)
def test_levels_are_those_of_a_loop(seed: int, by: Any, breaks: Any) -> None:
    rng = np.random.default_rng(seed)
    values = rng.choice([0.0, 50.0, 99.0, 100.0, 160.0, np.nan], (20, 17))
    affine = (160.0, 0.0, LEFT, 0.0, -160.0, TOP)
    with folder() as path:
        name = save_raster(path / "dem.npz", values, affine)
        work = work_of(path, files={"dem": name}, levels=LevelRule(source="dem", breaks=breaks, by=by))
        lay_ground(work)
        lay_levels(work)

    def level(height: float) -> int:
        return sum(height >= one for one in breaks)

    for cell, here in pixels_by_hex(work, values, affine, CRS).items():
        wanted = 0
        if here and by == "most":
            counts = [sum(level(value) == one for value in here) for one in range(len(breaks) + 1)]
            wanted = counts.index(max(counts))
        elif here:
            wanted = level(max(here) if by == "highest" else math.fsum(here) / len(here))
        assert work.model.level_at(cell) == wanted
    assert work.heights["mean"].shape == (12,)


def test_without_levels_nothing_is_laid(tmp_path: Path) -> None:
    work = work_of(tmp_path)
    lay_levels(work)
    assert not work.model.levels.any()
    assert not list(work.report.of(step="levels"))


@pytest.mark.parametrize("breaks", [(10.0, 10.0), (20.0, 10.0), (math.nan,), (1.0, math.inf)])
def test_breaks_that_do_not_ascend_are_refused(tmp_path: Path, breaks: Any) -> None:
    work = work_of(tmp_path, files={"dem": "dem.npz"}, levels=LevelRule(source="dem", breaks=breaks))
    with pytest.raises(DocumentError, match="finite heights that ascend"):
        lay_levels(work)


@pytest.mark.parametrize(("levels", "said", "remedy"), [
    ("[-1, 3]", "5 breaks make levels 0 to 5; Grounds allows -1 to 3, not 4, 5", "give 3 breaks at most"),
    ("[0, 0]", "5 breaks make levels 0 to 5; Grounds allows 0 to 0, not 1, 2, 3, 4, 5", "the game has none"),
])  # fmt: skip
def test_levels_that_the_game_does_not_have(tmp_path: Path, levels: str, said: str, remedy: str) -> None:
    rules = game(GAME.replace("[-1, 3]", levels))
    rule = LevelRule(source="dem", breaks=(1, 2, 3, 4, 5))
    work = work_of(tmp_path, files={"dem": "dem.npz"}, levels=rule, rules=rules)
    with pytest.raises(DocumentError) as refused:
        lay_levels(work)
    assert said in str(refused.value)
    assert remedy in str(refused.value)


# -- confidence ------------------------------------------------------------------------------------------------------


def sure_of(work: Work, cell: int) -> float:
    """The reference: the rules of the guide, one after another."""
    parts = [1.0]
    for rule, name in zip(work.spec.terrain.classes, share_names(work), strict=True):
        share = float(work.shares[name][cell])
        if share > 0 and share >= rule.share - 1e-9:
            parts.append((share - rule.share) / (1 - rule.share) if rule.share < 1 else 1.0)
            break
        parts.append(1 - share / rule.share if rule.share else 1.0)
    pixels = work.pixels["dem"]
    parts += [pixels.counts[cell] / 30, pixels.counts[cell] / max(1.0, pixels.expected[cell])]
    wet, least = float(work.shares["water"][cell]), work.spec.water.share
    if work.water[cell]:
        return max(0.0, (wet - least) / (1 - least))
    return max(0.0, min([*parts, 1 - wet / least]))


@settings(max_examples=25)
@given(st.integers(0, 1000), st.sampled_from([120.0, 300.0]), st.sampled_from([0.2, 0.6]))
def test_confidence_is_that_of_the_rules(seed: int, pixel: float, least: float) -> None:
    rng = np.random.default_rng(seed)
    with folder() as path:
        values = rng.integers(0, 900, (int(5000 / pixel), int(4000 / pixel))).astype(float)
        values[:, -3:] = np.nan
        high = TerrainClass(terrain="mountains", source="dem", above=600, share=least)
        low = TerrainClass(terrain="hills", source="dem", above=500, share=0.5)
        x = LEFT + float(rng.uniform(500, 3000))
        land = save_polygons(path / "land.gpkg", [shapely.box(x, TOP - 9000, LEFT + 9000, TOP + 9000)])
        water = WaterRule(land="land", share=0.5)
        work = ground_of(path, values, pixel, high, low, water=water, files={"land": land})
        lay_ground(work)
        lay_water(work)
        rate_confidence(work)
    for cell in range(work.placing.grid.cells):
        assert work.confidence[cell] == pytest.approx(sure_of(work, cell), abs=6e-4)
    entry = next(iter(work.report.of("finding", step="confidence")), None)
    order = sorted((float(work.confidence[cell]), cell) for cell in range(12) if work.confidence[cell] < 0.1)
    assert (entry.at if entry else ()) == tuple(work.label(cell) for _, cell in order)
    assert work.report.figures["confidence"] == pytest.approx(work.confidence.mean(), abs=6e-4)


def test_what_is_overridden_or_named_is_sure(tmp_path: Path) -> None:
    half = np.tile(np.array([[100.0, 500.0]]), (200, 125))
    work = ground_of(tmp_path, half, 20.0, HILLS)
    lay_ground(work)
    rate_confidence(work)
    assert work.confidence.max() < 0.3
    work.report.add("overrides", "override", "The designer wants it", (work.label(5), "0101|0102"))
    work.model.terrain.flat[7] = work.model.terrain_ids.index("lake")  # as a town does that has a terrain of its own
    rate_confidence(work)
    assert [cell for cell in range(12) if work.confidence[cell] == 1.0] == [5, 7]


def test_at_most_twenty_unsure_hexes_are_listed(tmp_path: Path) -> None:
    half = np.tile(np.array([[100.0, 500.0]]), (350, 300))
    work = ground_of(tmp_path, half, 20.0, HILLS, columns=6, rows=6)
    lay_ground(work)
    rate_confidence(work)
    entry = next(iter(work.report.of("finding", step="confidence")))
    assert len(entry.at) == 20
    assert entry.figures["hexes"] == sum(work.confidence < 0.1) > 20


def test_a_town_in_the_water_is_not_doubted(tmp_path: Path) -> None:
    name = save_polygons(tmp_path / "land.gpkg", [shapely.box(LEFT + 1500, TOP - 9000, LEFT + 9000, TOP + 9000)])
    work = flat_ground(tmp_path, 100, HILLS, water=WaterRule(land="land"), files={"land": name})
    work.towns = [town_at(work, 0)]
    lay_ground(work)
    lay_water(work)
    rate_confidence(work)
    assert not work.water[0]
    assert work.confidence[0] == 1.0


# -- the whole -------------------------------------------------------------------------------------------------------


def test_one_hex(tmp_path: Path) -> None:
    work = flat_ground(tmp_path, 500, HILLS, columns=1, rows=1, levels=LevelRule(source="dem", breaks=(400.0,)))
    for step in (lay_ground, lay_levels, rate_confidence):
        step(work)
    assert terrains(work) == ["hills"]
    assert work.model.level_at(0) == 1
    assert work.confidence.tolist() == [1.0]


def test_too_many_pixels_are_thinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.add.outer(np.arange(210.0), np.zeros(260)) * 10
    whole = ground_of(tmp_path, values, 20.0, HILLS)
    lay_ground(whole)
    monkeypatch.setattr("studio.exchange.geography.ground.heights._MANY", 10_000)
    thin = ground_of(tmp_path, values, 20.0, HILLS)
    lay_ground(thin)
    assert "one of 3 is looked at, each way" in texts(thin, "note")
    assert thin.pixels["dem"].raster.values.size <= 10_000
    assert thin.heights["mean"] == pytest.approx(whole.heights["mean"], abs=15)
    assert thin.shares["hills:dem"] == pytest.approx(whole.shares["hills:dem"], abs=0.05)


def test_twice_the_same_is_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(0, 1500, (200, 250))
    found = []
    for _ in range(2):
        work = ground_of(tmp_path, values, 20.0, MOUNTAINS, HILLS)
        lay_ground(work)
        rate_confidence(work)
        found.append((work.report.entries, work.model.terrain.tolist(), work.confidence.tolist()))
    assert found[0] == found[1]


def test_a_large_raster_takes_little_time(tmp_path: Path) -> None:
    import time

    rng = np.random.default_rng(2)
    values = np.cumsum(rng.normal(0, 30, (1100, 1200)), axis=1).astype(np.float32)
    work = ground_of(tmp_path, values, 40.0, MOUNTAINS, HILLS, columns=50, rows=44)
    began = time.perf_counter()
    lay_ground(work)
    assert time.perf_counter() - began < 8  # a third of a second where nothing else runs
    assert len(set(terrains(work))) > 1

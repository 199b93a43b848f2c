"""The grid on the world: by its corner, by a box, by control points; what is left over is told and never hidden."""

import math

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Transformer

from studio.errors import DocumentError
from studio.exchange.geodata.raster import Raster, pixel_cells
from studio.exchange.geodata.world import unit_grid
from studio.exchange.geography.placing.grids import place_grid
from studio.exchange.geography.placing.sheet import Sheet, depths
from studio.exchange.geography.spec import BoxRule, ControlPoint, FitRule, Geography, GridRule
from studio.exchange.geography.work import Report
from studio.grid import Labels, LabelScheme

CRS = "EPSG:32638"
BACK = Transformer.from_crs(CRS, "EPSG:4326", always_xy=True)
TRUE = (19_500.0, 900.0, 250_000.0, 1_100.0, -20_500.0, 3_900_000.0)
"""A printed grid that is turned, and larger in one direction than in the other."""
SPOTS = {"One": (2, 2), "Two": (17, 3), "Three": (4, 13), "Four": (15, 14), "Five": (9, 8), "Six": (12, 5)}


def spec(**more) -> Geography:
    grid = more.pop("grid", GridRule(columns=20, rows=16))
    return Geography(title="Test", ruleset="ignorant_armies", crs=more.pop("crs", CRS), grid=grid, **more)


def degrees(x: float, y: float) -> tuple[float, float]:
    lon, lat = BACK.transform(x, y)
    return round(lon, 9), round(lat, 9)


def points(moved=None, grid=None, **pins) -> tuple[ControlPoint, ...]:
    """Control points in the middle of their hexes by TRUE, some moved by so many hexes."""
    grid = grid or unit_grid(20, 16)
    a, b, c, d, e, f = TRUE
    found = []
    for name, (column, row) in SPOTS.items():
        cell = grid.cell(column, row)
        x, y = grid.to_map(*grid.centre(cell))
        dx, dy = (moved or {}).get(name, (0.0, 0.0))
        x, y = x + dx, y + dy
        lon, lat = degrees(a * x + b * y + c, d * x + e * y + f)
        label = Labels(LabelScheme(), grid).label(cell)
        found.append(ControlPoint(name=name, at=label, lon=lon, lat=lat, pin=pins.get(name, True)))
    return tuple(found)


def placed(kind="affine", chosen=None, report=None, margin=0.1, **more):
    rule = FitRule(kind=kind, points=points() if chosen is None else chosen, margin=margin)
    return place_grid(spec(fit=rule, **more), "test", report or Report(), _nowhere)


def _nowhere(point):
    raise AssertionError(point)


def test_by_its_corner():
    placing = place_grid(
        spec(grid=GridRule(columns=6, rows=5, hex_size=1000, left=500_000, top=3_500_000)), "test", Report(), _nowhere
    )
    assert placing.affine == (1000, 0.0, 500_000, 0.0, -1000, 3_500_000) and not placing.warped
    (x, y), (x2, y2) = placing.to_world(placing.grid.centres[[0, 6]])
    assert (x2 - x, y - y2) == pytest.approx((0, 1000))
    assert (x, y) == pytest.approx((500_000 + 1000 / 3**0.5, 3_500_000 - 500))


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("short", [False, True])
@given(
    west=st.floats(41, 44), south=st.floats(29, 31), wide=st.floats(0.05, 6), high=st.floats(0.05, 4),
    size=st.floats(4_000, 90_000),
)  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_hexes_cover_a_box_and_none_is_spare(  # noqa: PLR0917
    orientation, stagger, short, west, south, wide, high, size
):
    rule = GridRule(
        hex_size=size,
        box=BoxRule(west=west, south=south, east=west + wide, north=south + high),
        orientation=orientation,
        stagger=stagger,
        short=short,
    )
    placing = place_grid(spec(grid=rule), "test", Report(), _nowhere)
    lon, lat = np.meshgrid(np.linspace(west, west + wide, 23), np.linspace(south, south + high, 23))
    assert (placing.grid.cells_at(placing.from_degrees(lon.ravel(), lat.ravel())) >= 0).all()
    assert placing.hex_size == pytest.approx(size)
    x, y = Transformer.from_crs("EPSG:4326", CRS, always_xy=True).transform(lon, lat)
    x0, y0, x1, y1 = placing.grid.frame
    sx, sy = placing.grid.scale
    # Beyond the box there is less than the two lines and places that ragged edges may take.
    assert (x1 - x0) * sx < np.ptp(x) / size + 3.1 and (y1 - y0) * sy < np.ptp(y) / size + 3.1


def test_columns_of_a_box_may_be_given_and_too_few_are_a_finding():
    box = BoxRule(west=44, south=30, east=46, north=32)
    report = Report()
    place_grid(spec(grid=GridRule(hex_size=20_000, box=box, columns=4)), "test", report, _nowhere)
    assert [one.text for one in report.of("finding")] == ["4 x 12 hexes do not cover the box, which takes 12 x 12"]
    with pytest.raises(DocumentError, match=r"takes \d+ x \d+ hexes of 10, allowed 2000 each way.*hex_size of 11"):
        place_grid(spec(grid=GridRule(hex_size=10, box=box)), "test", Report(), _nowhere)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (GridRule(columns=5, rows=5, hex_size=1000), "nothing says where the grid lies"),
        (GridRule(columns=5, rows=5, hex_size=1000, left=1.0), "one of left and top is missing"),
        (GridRule(columns=5, rows=5, left=500_000, top=3e6), "hex_size is 0"),
        (GridRule(hex_size=1000, left=500_000, top=3e6), "got 0 columns and 0 rows"),
        (GridRule(columns=5, rows=5, hex_size=1000, left=9e8, top=9e8), "beyond what EPSG:32638 can show"),
        (GridRule(columns=5, rows=5, hex_size=9e7, left=0, top=0), r"a hex measures 9e\+07 metres"),
        (GridRule(columns=5, rows=5, hex_size=1e-4, left=500_000, top=3e6), "a hex measures 0.0001 metres"),
        (GridRule(hex_size=1000, box=BoxRule(west=5, east=4, south=1, north=2)), "west 5 is not west of east 4"),
        (GridRule(hex_size=1000, box=BoxRule(west=5, east=6, south=120, north=130)), "latitudes from 120 to 130"),
        (GridRule(hex_size=1000, box=BoxRule(west=5, east=6, south=2, north=2)), "south 2 is not south of north 2"),
        (
            GridRule(hex_size=1000, left=0, top=0, box=BoxRule(west=5, east=6, south=1, north=2)),
            "a box and left and top",
        ),
    ],
)
def test_what_lays_no_grid_is_refused(grid, message):
    with pytest.raises(DocumentError, match=message):
        place_grid(spec(grid=grid), "test", Report(), _nowhere)


def test_systems_in_degrees_are_refused_with_one_that_suits():
    box = GridRule(hex_size=0.2, box=BoxRule(west=44, south=-32, east=46, north=-30))
    with pytest.raises(DocumentError, match=r"in degrees.*EPSG:32738"):
        place_grid(spec(grid=box, crs="EPSG:4326"), "test", Report(), _nowhere)
    with pytest.raises(DocumentError, match="unknown coordinate reference system"):
        place_grid(spec(grid=box, crs="EPSG:1"), "test", Report(), _nowhere)


def test_a_map_outside_of_the_area_of_its_system_is_a_finding():
    report = Report()
    box = BoxRule(west=60, south=30, east=61, north=31)
    place_grid(spec(grid=GridRule(hex_size=20_000, box=box)), "test", report, _nowhere)
    assert any("lies outside the area that EPSG:32638 is made for" in one.text for one in report.of("finding"))


# -- control points --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_an_affine_is_found_again_with_size_turn_and_residuals(orientation):
    rule = GridRule(columns=20, rows=16, orientation=orientation)
    report = Report()
    chosen = points(grid=unit_grid(20, 16, orientation=orientation))
    placing = placed(chosen=chosen, report=report, grid=rule)
    assert placing.affine == pytest.approx(TRUE, rel=1e-6, abs=0.01)
    assert [one["inside"] for one in report.residuals] == [True] * 6
    assert max(one["off"] for one in report.residuals) < 1e-4
    assert report.figures["hex_size"] == pytest.approx(math.sqrt(19_500 * 20_500 + 900 * 1_100), rel=1e-6)
    facts = report.entries[0].figures
    assert facts["turn"] == pytest.approx(math.degrees(math.atan2(1_100, 19_500)), abs=1e-3)
    assert facts["along"] == pytest.approx(math.hypot(19_500, 1_100), rel=1e-4)
    assert [one.at for one in report.of(step="fit")][1:7] == [(one.at,) for one in chosen]


@given(
    a=st.floats(0.5, 2), b=st.floats(-0.4, 0.4), d=st.floats(-0.4, 0.4), e=st.floats(0.5, 2),
    east=st.floats(-1e5, 1e5), north=st.floats(-1e5, 1e5),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_any_affine_is_found_again(a, b, d, e, east, north):
    affine = (a * 9000, b * 9000, 400_000 + east, d * 9000, -e * 9000, 3_400_000 + north)
    grid = unit_grid(20, 16)
    chosen = []
    for name, (column, row) in SPOTS.items():
        x, y = grid.to_map(*grid.centre(grid.cell(column, row)))
        lon, lat = degrees(affine[0] * x + affine[1] * y + affine[2], affine[3] * x + affine[4] * y + affine[5])
        at = Labels(LabelScheme(), grid).label(grid.cell(column, row))
        chosen.append(ControlPoint(name=name, at=at, lon=lon, lat=lat))
    placing = placed(chosen=tuple(chosen))
    assert placing.affine == pytest.approx(affine, rel=1e-5, abs=0.1)


def test_a_similarity_does_not_shear():
    placing = placed("similarity")
    a, b, _, d, e, _ = placing.affine
    assert (a, b) == (-e, d) and placing.hex_size == pytest.approx(20_000, rel=0.02)
    two = points()[:2]
    assert placed("similarity", two).hex_size == pytest.approx(20_000, rel=0.05)


def test_least_squares_give_way_to_an_affine_that_holds_every_point():
    moved = {"One": (0.2, -0.3), "Two": (-0.6, -0.6), "Three": (0.4, 0.5), "Four": (0.1, 0.3), "Five": (0.1, 0.5)}
    moved["Six"] = (0.4, -0.6)
    report = Report()
    placing = placed(chosen=points(moved), report=report, margin=0.0)
    assert not placing.warped and all(one["inside"] for one in report.residuals)
    assert report.figures["rms"] > report.figures["rms_squares"]
    assert any("so the grid lies by another affine" in one.text for one in report.of("decided"))


def shuffled():
    return points({"One": (0.9, 0.0), "Two": (-0.8, 0.3), "Three": (0.0, 0.9), "Four": (0.7, -0.6)})


def test_an_affine_that_cannot_hold_the_points_is_a_finding_with_how_far():
    report = Report()
    placing = placed(chosen=shuffled(), report=report)
    assert not placing.warped
    outside = [one["name"] for one in report.residuals if not one["inside"]]
    told = [one for one in report.of("finding", step="fit") if "hexes outside of it" in one.text]
    assert outside and [one.text.split()[0] for one in told] == outside
    assert any('kind = "sheet" would bend the world' in one.text for one in report.of("finding"))
    assert report.figures["fit_depth"] < 0


def test_a_sheet_lays_every_pinned_point_inside_and_no_deeper_than_it_must():
    report = Report()
    placing = placed("sheet", shuffled(), report, margin=0.25)
    assert placing.warped and all(one["inside"] for one in report.residuals)
    lattice = placing.from_degrees([one.lon for one in shuffled()], [one.lat for one in shuffled()])
    labels = Labels(LabelScheme(), placing.grid)
    cells = placing.grid.cells_at(lattice)
    assert [labels.label(int(cell)) for cell in cells] == [one.at for one in shuffled()]
    assert report.figures["rms_final"] < report.figures["rms"]
    sheet, grid = placing.sheet, placing.grid
    corners = (np.array(grid.corners(0)) - grid.centre(0)) * placing.scale
    across = (corners + np.roll(corners, -1, axis=0)) / 2
    normals = across / np.hypot(*across.T)[:, None]

    def least(smoothing):
        bent = Sheet.of(sheet.knots, sheet.pulls, smoothing, sheet.box).bend(sheet.knots)
        return depths(bent, sheet.knots + sheet.pulls, normals).min()

    assert least(sheet.smoothing * 1.01) < 0.25 <= least(sheet.smoothing)


def test_a_sheet_is_not_used_where_an_affine_will_do():
    assert not placed("sheet").warped


def test_a_point_that_is_not_pinned_may_lie_outside():
    report = Report()
    placed("affine", points({"Five": (2.0, 0.0)}, Five=False), report)
    (five,) = (one for one in report.residuals if one["name"] == "Five")
    assert not five["inside"] and all(one["inside"] for one in report.residuals if one["name"] != "Five")
    assert [one.kind for one in report.of(step="fit") if one.text.startswith("Five lies")] == ["note"]


def test_the_same_points_give_the_same_placing():
    one, two = placed("sheet", shuffled()), placed("sheet", shuffled())
    net = one.grid.centres[::7]
    assert one.affine == two.affine and one.sheet.smoothing == two.sheet.smoothing
    assert (one.to_world(net) == two.to_world(net)).all()


@given(st.lists(st.tuples(st.floats(-2000, 15_000), st.floats(-2000, 10_000)), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_to_the_world_and_back(found):
    for placing in (placed("affine"), WARPED):
        there = placing.to_world(np.array(found))
        assert np.abs(placing.to_lattice(there) - found).max() < 1e-4


WARPED = placed("sheet", shuffled())


def test_long_lines_bend_as_the_sheet_does():
    x0, y0, x1, y1 = WARPED.grid.frame
    ends = WARPED.to_world([(x0, y0), (x1, y1)])
    lon, lat = BACK.transform(ends[:, 0], ends[:, 1])
    line = np.array([shapely.LineString(np.stack((lon, lat), axis=1)), None], dtype=object)
    bent, nothing = WARPED.shapes(line, "EPSG:4326")
    assert nothing is None
    part = np.linspace(0, 1, 301)
    points_on = WARPED.from_degrees(lon[0] + part * (lon[1] - lon[0]), lat[0] + part * (lat[1] - lat[0]))
    assert max(bent.distance(shapely.Point(point)) for point in points_on) < 3  # of 480 from hex to hex
    assert shapely.LineString([(x0, y0), (x1, y1)]).distance(shapely.Point(points_on[150])) > 30


def test_pixels_by_a_net_are_those_of_every_pixel_by_itself(monkeypatch):
    lon, lat = BACK.transform(*WARPED.to_world([(0, 0)])[0])
    raster = Raster(np.zeros((420, 520)), (0.01, 0.0, lon - 0.3, 0.0, -0.01, lat + 0.3), "EPSG:4326", None)
    quick = pixel_cells(raster, WARPED.grid, WARPED, raster.crs)
    monkeypatch.setattr("studio.exchange.geodata.raster._MANY", 10**9)
    exact = pixel_cells(raster, WARPED.grid, WARPED, raster.crs)
    assert (quick >= 0).mean() > 0.4 and (quick != exact).mean() < 2e-4
    row, column = np.nonzero(quick != exact)
    points_on = WARPED.from_degrees(lon - 0.3 + 0.01 * (column + 0.5), lat + 0.3 - 0.01 * (row + 0.5))
    for point, cell in zip(points_on, np.maximum(quick, exact)[row, column], strict=True):
        outline = shapely.LinearRing(WARPED.grid.corners(int(cell)))
        assert outline.distance(shapely.Point(point)) < 0.5


# -- refusals --------------------------------------------------------------------------------------------------------


def changed(name, **fields):
    return tuple(msgspec.structs.replace(one, **fields) if one.name == name else one for one in points())


@pytest.mark.parametrize(
    ("kind", "chosen", "message"),
    [
        ("affine", points()[:2], "got 2 control points, and a fit by affine needs 3 or more"),
        ("similarity", points()[:1], "got 1 control points, and a fit by similarity needs 2"),
        ("affine", changed("One", at="9999"), "no hex '9999' on this map"),
        ("affine", changed("One", at="nine"), "malformed hex label"),
        ("affine", changed("One", lon=33.0, lat=120.0), "lon and lat seem to be swapped"),
        ("affine", changed("One", lat=None), "one of lon and lat is missing"),
        ("affine", points()[:1] * 3, "are at 1 different places"),
    ],
)
def test_points_that_fix_nothing_are_refused(kind, chosen, message):
    with pytest.raises(DocumentError, match=message):
        placed(kind, chosen)


def test_points_on_one_line_are_refused():
    grid, chosen = unit_grid(20, 16), []
    for row in (1, 4, 9):
        y = grid.to_map(*grid.centre(grid.cell(3, row)))[1]
        lon, lat = degrees(400_000, 3_400_000 - 20_000 * y)
        chosen.append(
            ControlPoint(name=f"P{row}", at=Labels(LabelScheme(), grid).label(grid.cell(3, row)), lon=lon, lat=lat)
        )
    with pytest.raises(DocumentError, match="lie on one line on the grid"):
        placed("affine", tuple(chosen))


@pytest.mark.parametrize("kind", ["affine", "similarity", "sheet"])
def test_swapped_longitudes_and_latitudes_lie_mirrored(kind):
    swapped = tuple(msgspec.structs.replace(one, lon=one.lat, lat=one.lon) for one in points())
    with pytest.raises(DocumentError, match=r"mirrored.*lon and lat are not swapped"):
        placed(kind, swapped)


def test_one_place_in_two_hexes_is_refused_by_name():
    one = points()[0]
    twin = msgspec.structs.replace(one, name="Twin", at="0504")
    with pytest.raises(DocumentError, match=r"One \(0303\) and Twin \(0504\)"):
        placed("sheet", (*points(), twin))


def test_a_folded_sheet_is_refused_with_the_points():
    """Five and a neighbour have changed places on the grid."""
    five = points()[4]
    near = points({"Five": (0.25, 0.0)})[4]
    grid = unit_grid(20, 16)
    label = Labels(LabelScheme(), grid).label
    west, east = label(grid.cell(7, 8)), label(grid.cell(11, 8))
    pair = (msgspec.structs.replace(five, at=east), msgspec.structs.replace(near, name="Near", at=west))
    with pytest.raises(DocumentError, match=r"folded near .*(Five|Near)"):
        placed("sheet", (*points()[:4], *pair))


def test_a_wrong_label_is_found_among_good_ones():
    report = Report()
    placed("affine", changed("Six", at="0609"), report)
    assert any(one.text.startswith("Six fits the other points badly") for one in report.of("finding"))


@pytest.mark.parametrize("kind", ["affine", "sheet"])
def test_a_single_swapped_point_is_told(kind):
    lon, lat = points()[5].lon, points()[5].lat
    report = Report()
    try:
        placed(kind, changed("Six", lon=lat, lat=lon), report)
        text = " ".join(one.text for one in report.of("finding"))
    except DocumentError as error:
        text = str(error)
    assert "Six fits the other points badly" in text and "its lon and lat seem to be swapped" in text


@pytest.mark.parametrize("kind", ["similarity", "affine", "sheet"])
@pytest.mark.parametrize(("name", "shift"), [("Two", (0, 5)), ("Three", (10, 0)), ("Five", (-3, 2)), ("Six", (0, -4))])
def test_a_slip_among_five_points_is_named_with_the_hex_that_it_should_be(kind, name, shift):
    # Five points: an affine follows the slip, and what it leaves over is spread over all of them.
    chosen = [one for one in points() if one.name != "Four"]
    i = [one.name for one in chosen].index(name)
    right = chosen[i].at
    column, row = SPOTS[name]
    label = Labels(LabelScheme(), unit_grid(20, 16)).label
    wrong = label(unit_grid(20, 16).cell(column + shift[0], row + shift[1]))
    chosen[i] = msgspec.structs.replace(chosen[i], at=wrong)
    report = Report()
    try:
        placed(kind, tuple(chosen), report)
    except DocumentError as error:  # a sheet may fold; the refusal names the point then
        assert name in str(error)
        return
    told = [one for one in report.of("finding", step="fit") if name in one.text]
    assert told and told[0].at == (wrong,)
    assert f"would lie in {right}" in told[0].text or "fits the other points badly" in told[0].text


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_points_with_errors_of_one_size_have_no_slip(seed):
    rng = np.random.default_rng(seed)
    moved = {name: tuple(rng.normal(0, 0.25, 2)) for name in SPOTS}
    report = Report()
    placed("affine", points(moved), report)
    assert not [one for one in report.of("finding") if "slip in its label" in one.text]


def test_squashed_hexes_are_a_finding():
    x = {name: (column * 0.3, 0.0) for name, (column, _) in SPOTS.items()}
    report = Report()
    placed("affine", points(x), report)
    (told,) = [one for one in report.of("finding") if "as long one way as the other" in one.text]
    assert told.figures["wide"] > 1.15


def test_places_are_asked_for_where_a_point_has_no_coordinates():
    asked = []

    def places(point):
        asked.append(point.place)
        return points()[0].lon, points()[0].lat

    chosen = tuple(
        msgspec.structs.replace(one, lon=None, lat=None, place="Somewhere") if one.name == "One" else one
        for one in points()
    )
    placing = place_grid(spec(fit=FitRule(points=chosen)), "test", Report(), places)
    assert asked == ["Somewhere"] and placing.affine == placed().affine


def test_a_hex_size_that_the_points_contradict_is_a_finding():
    report = Report()
    placed(report=report, grid=GridRule(columns=20, rows=16, hex_size=30_000))
    assert any(one.text.startswith("hex_size says 30000") for one in report.of("finding"))

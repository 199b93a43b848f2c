"""Shapes that rounding parted from their neighbours by a unit are fitted to them."""

from fractions import Fraction

import shapely
import shapely.ops
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.model import Area, Wall
from studio.model.topology import area_fault, fit
from tests.checks.makers import SOURCES, rectangle

SLANTED = Area(id="a", type="zone", name="1", outline=((0, 0), (1001, 0), (1338, 997), (0, 997)))


def shared(a: Area, b: Area) -> set[tuple[int, int]]:
    return set(a.outline) & set(b.outline)


def test_a_corner_next_to_a_slanted_edge_becomes_a_corner_of_both() -> None:
    new = Area(id="b", type="zone", name="2", outline=((1001, 0), (2000, 0), (2000, 400), (1137, 400)))
    edits, made = fit({"a": SLANTED}, new)
    assert isinstance(made, Area)
    (put,) = edits
    changed = put.record["outline"]  # type: ignore[union-attr]
    corner = made.outline[3]
    assert abs(corner[0] - 1137) <= 1 and abs(corner[1] - 400) <= 1
    assert corner in [tuple(point) for point in changed]


def test_corners_of_others_next_to_its_edges_become_its_own() -> None:
    small = Area(id="s", type="zone", name="2", outline=((1169, 497), (2000, 497), (2000, 997), (1338, 997)))
    edits, made = fit({"s": small}, SLANTED)
    assert edits == []
    assert isinstance(made, Area) and (1169, 497) in made.outline


def test_a_wall_goes_to_the_corners_it_was_drawn_through_and_what_is_farther_stays() -> None:
    wall = Wall(id="w", type="solid", line=((1002, 1), (1337, 997)))
    assert fit({"a": SLANTED}, wall) == ([], Wall(id="w", type="solid", line=((1001, 0), (1338, 997))))
    far = Wall(id="w", type="solid", line=((1010, 0), (1345, 990)))
    assert fit({"a": SLANTED}, far) == ([], far)


def test_geometry_from_shapely_shares_its_borders() -> None:
    cut = shapely.LineString([(0.31, -1), (3.07, 4)])
    left, right = (part for part in shapely.ops.split(shapely.box(0, 0, 4, 3), cut).geoms)
    upper, lower = shapely.ops.split(right, shapely.LineString([(-1, 1.37), (9, 1.71)])).geoms
    found = {}
    for snap in (False, True):
        map_ = studio.new_map("phantom_fury", 8, 8)
        map_.set("sources", SOURCES)
        for name, part in (("1", left), ("2", upper), ("3", lower)):
            map_.add("area", type="zone", name=name, geometry=part, snap=snap)
        found[snap] = {one.rule for one in map_.check().errors}
        steps = len(map_.history)
        assert steps == 4
    assert found[True] == set()
    assert "map.borders_meet" in found[False]


@settings(max_examples=60, deadline=None)
@given(st.integers(300, 1500), st.integers(300, 1500), st.fractions(Fraction(1, 10), Fraction(9, 10)))
def test_what_met_on_a_slanted_edge_meets_on_the_lattice(x: int, y: int, part: Fraction) -> None:
    one = Area(id="a", type="zone", name="1", outline=((0, 0), (x, 0), (1800 - x, y), (0, y)))
    at = (round(x + part * (1800 - 2 * x)), round(part * y))
    two = Area(id="b", type="zone", name="2", outline=((x, 0), (2000, 0), (2000, at[1]), at))
    if area_fault(one) is not None or area_fault(two) is not None:
        return
    edits, made = fit({"a": one}, two)
    assert isinstance(made, Area)
    changed = [edit.record["outline"] for edit in edits]  # type: ignore[union-attr]
    outline = {tuple(point) for point in (changed[0] if changed else one.outline)}
    corner = made.outline[-1]
    edges = list(zip(one.outline, (*one.outline[1:], one.outline[0]), strict=True))
    on = any((q[0] - p[0]) * (corner[1] - p[1]) == (q[1] - p[1]) * (corner[0] - p[0]) for p, q in edges)
    assert corner in outline or on
    assert max(abs(corner[0] - at[0]), abs(corner[1] - at[1])) <= 2


def test_without_a_neighbour_nothing_changes() -> None:
    new = Area(id="b", type="zone", name="2", outline=rectangle(0, 0, 400, 400))
    assert fit({}, new) == ([], new)

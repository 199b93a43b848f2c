"""Areas laid beside each other: the same ground as a difference of polygons, with corners of both, and no overlap."""

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import EditError
from studio.model import Area, Delete, Feature, Put
from studio.model.topology import lay_area
from studio.model.topology.draft import Draft
from studio.model.topology.rings import area_fault


def star(rng: np.random.Generator, name: str, corners: int, turned: bool) -> Area:
    """Return an area whose corners all see its middle."""
    x, y = rng.integers(600, 1400, 2)
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = rng.uniform(200, 900, corners)
    ring = tuple((int(x + r * np.cos(a)), int(y + r * np.sin(a))) for a, r in zip(angles, reach, strict=True))
    return Area(id=name, type="zone", name=name, outline=ring[::-1] if turned else ring)


def polygon(area: Area) -> shapely.Polygon:
    return shapely.Polygon(area.outline, area.holes)


def after(features: dict[str, Feature], edits: list[Put | Delete]) -> dict[str, Area]:
    draft = Draft(features)
    for edit in edits:
        draft.enact(edit)
    return {one.id: one for one in draft.all() if isinstance(one, Area)}


@given(seed=st.integers(0, 10**6), corners=st.integers(3, 9), over=st.booleans(), turned=st.booleans())
@settings(max_examples=150, deadline=None)
def test_cuts_are_differences_and_leave_no_overlap(seed: int, corners: int, over: bool, turned: bool) -> None:
    rng = np.random.default_rng(seed)
    old, new = star(rng, "a", corners, turned), star(rng, "b", int(rng.integers(3, 8)), bool(rng.integers(2)))
    if area_fault(old) is not None or area_fault(new) is not None:
        return
    features: dict[str, Feature] = {"a": old}
    try:
        edits, pieces = lay_area(features, new, ["a"], over=over)
    except EditError as error:
        assert any(word in str(error) for word in ("nothing is left", "wholly", "too close", "no longer be sound"))
        if "nothing is left" in str(error):
            assert polygon(new).difference(polygon(old)).area < 4000
        return
    left = after(features, edits)  # type: ignore[arg-type]
    laid = [*left.values(), *pieces]
    assert len({one.id for one in laid}) == len({one.name for one in laid}) == len(laid)
    for one in laid:
        assert area_fault(one) is None
    shapes = [polygon(one) for one in laid]
    for n, one in enumerate(shapes):
        for other in shapes[n + 1 :]:
            assert not one.relate_pattern(other, "T********")
    whole = shapely.union_all(shapes)
    assert whole.symmetric_difference(polygon(old).union(polygon(new))).area < 6000
    first, second = (new, old) if over else (old, new)
    mine = shapely.union_all([polygon(one) for one in (pieces if over else left.values())])
    assert mine.symmetric_difference(polygon(first)).area < 6000
    theirs = shapely.union_all([polygon(one) for one in (left.values() if over else pieces)])
    assert theirs.symmetric_difference(polygon(second).difference(polygon(first))).area < 6000


def test_everyone_who_shares_an_edge_gets_the_corner_of_a_crossing() -> None:
    left = Area(id="l", type="zone", outline=((0, 0), (1000, 0), (1013, 977), (0, 1000)))
    right = Area(id="r", type="zone", outline=((1000, 0), (2000, 0), (2000, 1000), (1013, 977)))
    new = Area(id="n", type="zone", outline=((700, 300), (1400, 411), (1400, 700), (700, 700)))
    edits, (laid,) = lay_area({"l": left, "r": right}, new, ["l"])
    now = after({"l": left, "r": right}, edits)  # type: ignore[arg-type]
    shared = set(now["l"].outline) & set(now["r"].outline) & set(laid.outline)
    assert len(shared) == 2
    assert not polygon(laid).relate_pattern(polygon(now["l"]), "T********")
    # Only what it was to keep off was cut; the other neighbour still lies under it.
    assert polygon(laid).relate_pattern(polygon(now["r"]), "T********")


def test_a_hole_appears_where_one_lies_inside_the_other() -> None:
    old = Area(id="a", type="zone", name="1", outline=((0, 0), (1000, 0), (1000, 1000), (0, 1000)), dot=(100, 100))
    new = Area(id="b", type="zone", name="2", outline=((300, 300), (600, 300), (600, 600), (300, 600)))
    edits, pieces = lay_area({"a": old}, new, ["a"], over=True)
    now = after({"a": old}, edits)["a"]  # type: ignore[arg-type]
    assert pieces == [new]
    assert set(now.holes[0]) == set(new.outline)
    assert now.dot == (100, 100)
    edits, pieces = lay_area({"b": new}, old, ["b"])
    assert edits == []
    assert set(pieces[0].holes[0]) == set(new.outline)


def test_pieces_with_the_dot_keep_name_and_id() -> None:
    old = Area(id="a", type="zone", name="1", outline=((0, 0), (3000, 0), (3000, 900), (0, 900)), dot=(2900, 450))
    new = Area(id="area-1", type="zone", name="1b", outline=((1800, -10), (2400, -10), (2400, 910), (1800, 910)))
    edits, _ = lay_area({"a": old}, new, ["a"], over=True)
    now = after({"a": old}, edits)  # type: ignore[arg-type]
    assert now["a"].dot == (2900, 450)
    assert polygon(now["a"]).bounds[0] == 2400
    (other,) = [one for one in now.values() if one.id != "a"]
    # Neither the id nor the name of the new one.
    assert (other.id, other.name, other.dot) == ("area-2", "1c", None)

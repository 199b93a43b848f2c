"""What merging refuses, and what goes with the border: walls along it, links across it, routes that are one now."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from studio.api import Map
from studio.errors import EditError
from studio.model import Area, Edit, Feature, Link, Place, Wall
from studio.model.topology import merge_areas

_GUIDE = Path(__file__).parents[2] / "docs" / "drawing.md"


@pytest.fixture(scope="module")
def quarter() -> Iterator[Map]:
    """Give the quarter that the guide to drawing draws."""
    text = _GUIDE.read_text("utf-8")
    text = text[text.index(">>> quarter = ") : text.index("## Ignorant Armies")]
    names: dict[str, Any] = {}
    exec("import studio", names)
    for example in doctest.DocTestParser().get_examples(text.replace("```", "").replace('"Quarter"', '"Merging"')):
        exec(example.source, names)
        if example.source.startswith("quarter.check()"):
            break
    made = names["quarter"]
    assert isinstance(made, Map)
    yield made
    made.close()


def box(area_id: str, x0: int, y0: int, x1: int, y1: int, **more: Any) -> Area:
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Area(id=area_id, type=more.pop("type", "zone"), outline=ring, **more)


def merged(features: list[Feature], ids: list[str], name: str | None = None) -> dict[str, Any]:
    """Return the features after a merge."""
    found: dict[str, Any] = {feature.id: feature for feature in features}
    edits: list[Edit] = merge_areas(found, ids, name)
    kinds = {"area": Area, "link": Link, "wall": Wall, "place": Place}
    for edit in edits:
        if hasattr(edit, "record"):
            record: dict[str, Any] = dict(edit.record)
            found[record["id"]] = kinds[record.pop("kind")](**record)
        else:
            del found[edit.id]  # type: ignore[union-attr]
    return found


PAIR = [box("a", 0, 0, 10, 10), box("b", 10, 0, 20, 10)]


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ({"type": "street"}, "zone a and street b are of different types, 'zone' and 'street'; name areas of one type"),
        ({"level": 2}, "zone a and zone b have different levels, 0 and 2; name areas of one level"),
    ],
)
def test_areas_of_different_kinds_are_not_merged(more: dict[str, Any], match: str) -> None:
    with pytest.raises(EditError, match=match):
        merged([PAIR[0], box("b", 10, 0, 20, 10, **more)], ["a", "b"])


@pytest.mark.parametrize("ids", [*permutations("123", 2), *permutations("123", 3)])
def test_zones_of_the_quarter_merge_without_a_fault(quarter: Map, ids: tuple[str, ...]) -> None:
    assert not quarter.check()
    text = quarter.to_text()
    if set(ids) == {"1", "3"}:
        with pytest.raises(EditError, match="do not share borders"):
            quarter.merge_areas(ids)
        return
    quarter.merge_areas(ids)
    assert not quarter.check().errors
    assert "map.link_twice" not in {finding.rule for finding in quarter.check()}
    routes = [one for one in quarter.features.values() if isinstance(one, Link) and one.type == "egress"]
    assert [(one.order, one.b) for one in routes if one.a == ids[0]] == [(1, "4")]
    assert ("wall-1" in quarter.features) == ("3" not in ids)
    assert ("link-2" in quarter.features) == (not {"1", "2"} <= set(ids))
    quarter.undo()
    assert quarter.to_text() == text


def test_walls_keep_what_they_have_beside_the_border_that_is_gone() -> None:
    ends = Wall(id="ends", type="solid", line=((0, 10), (10, 10), (10, 0), (20, 0)))
    along = Wall(id="along", type="solid", line=((10, 0), (10, 3), (10, 10)))
    across = Wall(id="across", type="solid", line=((0, 5), (20, 5)))
    beyond = Wall(id="beyond", type="solid", line=((10, -5), (10, 10)))
    found = merged([*PAIR, ends, along, across, beyond], ["a", "b"])
    assert "along" not in found
    assert found["across"] == across
    assert found["beyond"].line == ((10, -5), (10, 0))
    assert found["ends"].line == ((0, 10), (10, 10))
    assert found["wall-1"].line == ((10, 0), (20, 0)) and found["wall-1"].type == "solid"
    loop = Wall(id="loop", type="solid", line=((5, 0), (10, 0), (10, 10), (5, 10), (5, 0)))
    assert merged([*PAIR, loop], ["a", "b"])["loop"].line == ((10, 10), (5, 10), (5, 0), (10, 0))
    inner = box("inner", 10, 4, 15, 10, within="b")
    assert merged([*PAIR, inner, along], ["a", "b"])["along"].line == ((10, 4), (10, 10))


def test_links_of_the_whole_are_counted_once() -> None:
    def route(link_id: str, a: str, b: str, order: int, **more: Any) -> Link:
        return Link(id=link_id, type="egress", a=a, b=b, one_way=True, order=order, **more)

    links: list[Feature] = [
        route("a-b", "a", "b", 1),
        route("a-x", "a", "x", 2),
        route("b-x", "b", "x", 1),
        route("b-y", "b", "y", 3),
        route("x-a", "x", "a", 2),
        route("x-b", "x", "b", 1),
        route("x-y", "x", "y", 3),
        route("z-y", "z", "y", 7),
        Link(id="fire-1", type="fire", a="a", b="x"),
        Link(id="fire-2", type="fire", a="b", b="x"),
        Link(id="fire-3", type="fire", a="x", b="b"),
        Link(id="twice-1", type="call", a="x", b="a"),
        Link(id="twice-2", type="call", a="x", b="a"),
        Place(id="pa", type="roof", name="a R", at=(5, 5), within="a"),
        Place(id="pb", type="roof", name="b R", at=(15, 5), within="b"),
        Place(id="pa2", type="roof", name="a C", at=(3, 3), within="a"),
        Place(id="px", type="roof", name="x R", at=(50, 5), within="x"),
        Link(id="across", type="roof", a="a R", b="b R"),
        Link(id="inside", type="arrow", a="a R", b="a C"),
        Link(id="out", type="roof", a="b R", b="x R"),
    ]
    found = merged([*PAIR, *links], ["a", "b"], name="whole")
    left = {one.id: (one.a, one.b, one.order) for one in found.values() if isinstance(one, Link)}
    assert left == {
        "b-x": ("whole", "x", 1),
        "b-y": ("whole", "y", 2),
        "x-b": ("x", "whole", 1),
        "x-y": ("x", "y", 2),
        "z-y": ("z", "y", 7),
        "fire-1": ("whole", "x", 0),
        "fire-3": ("x", "whole", 0),
        "twice-1": ("x", "whole", 0),
        "twice-2": ("x", "whole", 0),
        "inside": ("a R", "a C", 0),
        "out": ("b R", "x R", 0),
    }
    assert found["pb"].within == "a"

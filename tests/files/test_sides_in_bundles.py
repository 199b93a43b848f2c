"""Borders of areas, their kinds and neighbours in bundles, as an engine reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.files.bundle import bundle_bytes
from studio.files.reader import Bundle, BundleError, read_bundle
from studio.files.schemas import all_schemas
from tests.project.tree import ROOT


def bundle_of(name: str, folder: Path) -> Bundle:
    file = folder / f"{name}.map.json"
    file.write_bytes((ROOT / "maps" / file.name).read_bytes())
    map_ = studio.open_map(file)
    data = bundle_bytes(map_model=map_.model, scenario_model=None, survey=map_.survey, ruleset=map_.ruleset)
    target = folder / f"{name}.bundle.zip"
    target.write_bytes(data)
    return read_bundle(str(target))


@pytest.mark.parametrize("name", ["phantom-fury", "urban-1", "tactics-4"])
def test_every_side_has_kinds_that_the_ruleset_explains(name: str, tmp_path: Path) -> None:
    bundle = bundle_of(name, tmp_path)
    tables: dict[str, Any] = bundle.ruleset
    known = {**tables["sides"], **tables["borders"]}
    features = {feature["id"] for feature in bundle.map["features"]}
    assert bundle.sides
    for side in bundle.sides:
        assert side["kinds"] or side["roads"]
        assert all(known[kind]["name"] for kind in side["kinds"])
        assert set(side["through"]) <= features
        assert side["ends"] == [side["lines"][0][0], side["lines"][-1][-1]]
        assert bundle.location(side["a"])["kind"] in ("hex", "area")
        if side["b"]:
            rise = bundle.location(side["b"])["level"] - bundle.location(side["a"])["level"]
            assert side["rise"] == rise


def test_zones_beside_each_other_are_neighbours_unless_the_border_is_closed(tmp_path: Path) -> None:
    bundle = bundle_of("phantom-fury", tmp_path)
    closing = {name for name, kind in bundle.ruleset["borders"].items() if kind["closes"]}
    assert closing == {"solid", "outline"}
    for side in bundle.sides:
        if side["b"]:
            beside = side["b"] in bundle.location(side["a"])["neighbours"]
            assert beside == (not set(side["kinds"]) <= closing)


def test_links_that_join_make_neighbours(tmp_path: Path) -> None:
    bundle = bundle_of("urban-1", tmp_path)
    links = [feature for feature in bundle.map["features"] if feature["kind"] == "link"]
    joining = [link for link in links if bundle.ruleset["links"][link["type"]]["joins"]]
    assert joining
    for link in joining:
        assert link["b"] in bundle.location(link["a"])["neighbours"]
    pierced = [side for side in bundle.sides if side["through"] and "facade" in side["kinds"]]
    shut = {f["id"] for f in bundle.map["features"] if f["kind"] == "aperture" and not f.get("open", True)}
    for side in pierced:
        beside = side["b"] in bundle.location(side["a"])["neighbours"]
        assert beside == bool(set(side["through"]) - shut)


def test_a_side_of_nobody_is_refused(tmp_path: Path) -> None:
    from studio.files import reader

    check = reader._check_sides
    rest: dict[str, Any] = {"kinds": [], "roads": [], "rise": 0, "cross_halves": {}, "ends": [[0, 0], [1, 1]]}
    check([{"a": "1", "b": "", **rest}, {"a": "1", "b": "2", **rest}], {"1", "2"})
    for wrong in ({"a": "", "b": "1"}, {"a": "1", "b": "3"}):
        with pytest.raises(BundleError, match="side 0 is not between two locations, nor the outline of one"):
            check([{**wrong, **rest}], {"1", "2"})
    for odd in ({"a": "1"}, {"a": "1", "b": None}):
        with pytest.raises(BundleError, match=r"side 0: .*'b'"):
            check([{**odd, **rest}], {"1", "2"})
    with pytest.raises(BundleError, match="no list of sides"):
        check(["x"], {"1", "2"})


def test_schemas_tell_of_kinds_and_lines() -> None:
    schemas = all_schemas()
    side = msgspec.json.encode(schemas["sides.schema.json"]).decode()
    assert '"through"' in side
    assert '"lines"' in side
    assert '"closes"' in msgspec.json.encode(schemas["ruleset.schema.json"]).decode()

"""Coordinates beyond all bounds, numbers that are none, shapes of nothing, and shapes of very many corners."""

import json
import time
from collections import Counter
from collections.abc import Callable
from math import cos, inf, nan, pi, sin
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.api import Map
from studio.cli.main import main
from studio.errors import DocumentError, EditError
from studio.model import Aperture, Area, Place, Wall
from tests.checks.makers import put, rectangle, town

FAR = 10**9

WRONG: dict[str, tuple[str, Any, str]] = {
    "a corner at 1e9": ("z3", {"outline": [[0, 0], [FAR, 0], [FAR, FAR]]}, "far off the map"),
    "a corner at -1e9": ("z3", {"outline": [[0, 0], [-FAR, 0], [0, 9]]}, "far off the map"),
    "a corner beyond 64 bits": ("z3", {"outline": [[0, 0], [10**30, 0], [0, 9]]}, "far off the map"),
    "a corner between lattice points": ("z3", {"outline": [[0, 0], [9.5, 0], [9, 9]]}, "got 9.5; give"),
    "a corner of one number": ("z3", {"outline": [[0, 0], [9], [9, 9]]}, r"got \[9\]; give"),
    "a corner of words": ("z3", {"outline": [[0, 0], ["a", "b"], [9, 9]]}, "got 'a'; give"),
    "an outline of two corners": ("z3", {"outline": [[0, 0], [9, 9]]}, "outline: got .*; give"),
    "an empty outline": ("z3", {"outline": []}, r"outline: got \[\]; give"),
    "no outline": ("z3", {"outline": None}, "outline: got None; give"),
    "an empty hole": ("z3", {"holes": [[]]}, r"got \[\]; give"),
    "a wall of one point": ("wall", {"line": [[9, 9]]}, "line: got .*; give"),
    "a wall without points": ("wall", {"line": []}, r"line: got \[\]; give"),
    "a roof at 1e9": ("roof-1", {"at": [FAR, 0]}, "far off the map"),
    "a door nowhere": ("door-1", {"at": []}, r"at: got \[\]; a point is"),
    "three arrows": ("door-1", {"arrows": [["0302"], ["0302"], ["0302"]]}, "arrows: got .*; allowed"),
    "an arrow without hexes": ("door-1", {"arrows": [[]]}, "an arrow is"),
    "a dot at 1e9": ("dot", {"point": [FAR, FAR]}, "far off the map"),
}


def record(map_: Map, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(studio.files.write_map_text(map_.model))
    return next(entry for entry in found["features"] if entry["id"] == name)


@pytest.mark.parametrize("what", WRONG)
def test_the_api_refuses_it_with_its_place(what: str) -> None:
    map_ = town()
    name, fields, words = WRONG[what]
    before = map_.to_text()
    with pytest.raises(EditError, match=words):
        map_.add({**record(map_, name), **fields})
    with pytest.raises(EditError, match=name):
        map_.add({**record(map_, name), **fields})
    assert map_.to_text() == before
    assert map_.check() == []


@pytest.mark.parametrize("what", WRONG)
def test_a_file_with_it_is_refused_with_its_place_and_a_remedy(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    map_ = town()
    name, fields, _ = WRONG[what]
    data = json.loads(map_.to_text())
    next(entry for entry in data["features"] if entry["id"] == name).update(fields)
    file = tmp_path / "wrong.map.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        studio.open_map(file)
    assert any("features[" in fault.path for fault in caught.value.faults)
    assert all(fault.message and fault.remedy for fault in caught.value.faults)
    text = file.read_bytes()
    assert main(["check", str(file), "--repair", "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert {finding["rule"] for finding in shown["findings"]} == {"file"}
    assert file.read_bytes() == text


@pytest.mark.parametrize("number", [nan, inf, -inf, None, "9", True, {}])
def test_numbers_that_are_none_are_refused(number: Any) -> None:
    map_ = town()
    with pytest.raises(EditError):
        map_.add("area", id="z3", type="zone", outline=[[0, 0], [number, 0], [9, 9]])
    assert map_.check() == []


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "1e9"])
def test_numbers_that_json_has_not_are_refused(word: str, tmp_path: Path) -> None:
    text = town().to_text()
    at = text.index('"id": "wall"')
    line = text.index("[[", text.index('"line"', at)) + 2
    broken = text[:line] + word + text[text.index(",", line) :]
    file = tmp_path / "nan.map.json"
    file.write_text(broken, encoding="utf-8")
    with pytest.raises(DocumentError) as caught:
        studio.open_map(file)
    assert all(fault.message and fault.remedy for fault in caught.value.faults)


def test_what_lies_beyond_all_bounds_in_a_model_is_a_finding_and_no_traceback() -> None:
    map_ = town()
    put(
        map_,
        Area(id="far", type="building", outline=rectangle(FAR, FAR, FAR + 900, FAR + 900)),
        Wall(id="long", type="outer_wall", line=((FAR, 0), (FAR, FAR))),
        Place(id="high", type="roof", name="9 roof", at=(-FAR, -FAR)),
        Aperture(id="out", type="aperture", at=(FAR, FAR), into="1.1", arrows=(("0302",),)),
    )
    found = map_.check()
    assert {finding.at for finding in found if finding.rule == "map.off_map"} == {"far", "long", "high", "out"}
    assert next(finding.point for finding in found if finding.at == "far") == (FAR, FAR)


# -- very many -------------------------------------------------------------------------------------------------------


def star(corners: int) -> Area:
    """Return an area with very many corners, in and out."""
    angles = (2 * pi * at / corners for at in range(corners))
    reach = (4000 + 500 * (at % 2) for at in range(corners))
    ring = tuple((round(7000 + r * cos(a)), round(4800 + r * sin(a))) for a, r in zip(angles, reach, strict=True))
    return Area(id="star", type="zone", outline=ring)


def heap(count: int) -> list[Area]:
    """Return areas that all overlap each other."""
    return [
        Area(id=f"o{n}", type="zone", outline=rectangle(100 + n, 100 + n, 5000 + n, 5000 + n)) for n in range(count)
    ]


def sieve(holes: int) -> Area:
    rings = [
        rectangle(300 + 400 * (n % 30), 300 + 250 * (n // 30), 500 + 400 * (n % 30), 400 + 250 * (n // 30))
        for n in range(holes)
    ]
    return Area(id="sieve", type="zone", outline=rectangle(100, 100, 13000, 9000), holes=tuple(rings))


def twice(corners: int) -> list[Area]:
    """Return two areas whose common border of very many corners was drawn twice, a unit apart."""
    border = [(100 + n, 1000 + n % 2) for n in range(corners)]
    last = 99 + corners
    moved = [(x + 1, y + 1) for x, y in reversed(border)]
    return [
        Area(id="a", type="zone", outline=(*border, (last, 3000), (100, 3000))),
        Area(id="b", type="zone", outline=((101, 101), (last + 1, 101), *moved)),
    ]


MANY: dict[str, tuple[Callable[[], list[Area]], str | None]] = {
    "a polygon of 10 000 corners": (lambda: [star(10_000)], None),
    "2 000 areas on one heap": (lambda: heap(2000), "map.overlap"),
    "an area with 1 000 holes": (lambda: [sieve(1000)], "map.gap"),
    "a border of 2 000 corners drawn twice": (lambda: twice(2000), "map.sliver"),
}


@pytest.mark.parametrize("what", MANY)
def test_very_many_take_seconds_at_most(what: str) -> None:
    make, rule = MANY[what]
    map_ = studio.new_map("phantom_fury", 20, 20)
    put(map_, *make())
    begin = time.process_time()
    found = Counter(finding.rule for finding in map_.check().errors)
    assert time.process_time() - begin < 20
    assert (rule is None and not found) or found[str(rule)] >= 200
    assert max(found.values(), default=0) <= 201

"""Placement of marks: one list in Python and in the editor's JavaScript, and what a cartographer expects of it."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from studio.draw.hexunit import MIDS, NORMALS, hash3
from studio.draw.marks import lattice, mark_key, marks
from studio.draw.style import Style, load_style, style_ids

HERE = Path(__file__).parent
LOOK = HERE.parents[1] / "studio" / "editor" / "web" / "src" / "marks.js"
STYLE = load_style("armageddon_war")


def cases(style: Style) -> list[list[object]]:
    rnd = random.Random(2028)
    kinds = sorted(style.terrain)
    found: list[list[object]] = []
    for terrain in kinds:
        around = [[terrain] * 6, [kinds[0]] * 6, [None] * 6]
        around += [[rnd.choice([terrain, terrain, None, rnd.choice(kinds)]) for _ in range(6)] for _ in range(30)]
        for neighbours in around:
            roads, ends = rnd.choice([0, 0, rnd.randrange(64)]), rnd.choice([0, 0, 1 << rnd.randrange(6)])
            found.append([terrain, rnd.randrange(300), rnd.randrange(300), neighbours, roads, ends])
    return found


@pytest.mark.node
@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize("ruleset", style_ids())
def test_javascript_places_every_mark_where_python_does(ruleset: str) -> None:
    style = load_style(ruleset)
    todo = cases(style)
    run = subprocess.run(
        ["node", str(HERE / "marks_in_javascript.mjs"), str(LOOK)],
        input=json.dumps({"style": style.to_dict(), "cases": todo}),
        capture_output=True,
        text=True,
        check=True,
    )
    for case, theirs in zip(todo, json.loads(run.stdout), strict=True):
        assert marks(style, *case) == theirs, case


def test_hash_is_32_bit_and_spread() -> None:
    values = [hash3(c, r, k) for c in range(20) for r in range(20) for k in range(5)]
    assert all(0 <= v < 2**32 for v in values)
    assert len(set(values)) == len(values)
    ones = sum(v.bit_count() for v in values) / len(values)
    assert 15.5 < ones < 16.5


@pytest.mark.parametrize("count", [1, 7, 13, 19, 31, 37, 43, 61, 91])
def test_lattice_lies_in_the_hex(count: int) -> None:
    places = lattice(count)
    assert len(set(places)) == count
    assert all(x * nx + y * ny <= 501_000 for x, y in places for nx, ny in NORMALS)


def test_lattice_names_the_counts_that_work() -> None:
    with pytest.raises(ValueError, match="use 1, 7, 13"):
        lattice(8)


def test_woods_join_and_thin_out() -> None:
    alone = marks(STYLE, "dense_woods", 4, 4, ["clear"] * 6)
    within = marks(STYLE, "dense_woods", 4, 4, ["dense_woods"] * 6)
    crowns = [m for m in alone if str(m[1]).startswith("crown")]
    assert 0 < len(crowns) < sum(str(m[1]).startswith("crown") for m in within)
    # A crown at the edge of a wood stays inside its hex.
    for _, _, x, y, size, _, _ in crowns:
        assert all(500 - (x * nx + y * ny) / 1000 >= size * 0.3 for nx, ny in NORMALS)


def test_marks_keep_clear_of_roads() -> None:
    for terrain in ("light_urban", "dense_urban", "dense_woods", "refugee_camp"):
        for _, _, x, *_ in (m for m in marks(STYLE, terrain, 3, 5, [terrain] * 6, roads=0b001001) if len(m) == 7):
            assert abs(x) > 80, terrain


def test_footprints_follow_the_road() -> None:
    for side, axis in ((0, 90), (1, 150), (2, 30)):
        houses = [m for m in marks(STYLE, "dense_urban", 1, 1, ["dense_urban"] * 6, roads=1 << side) if len(m) == 7]
        assert houses
        assert {m[5] % 90 for m in houses} == {axis % 90}


def test_river_runs_on_to_the_edge_of_the_map() -> None:
    around = ["river", "clear", "clear", None, "clear", "clear"]
    (bed,) = (m for m in marks(STYLE, "river", 2, 9, around) if m[1] == "bed")
    assert tuple(bed[2][:2]) == MIDS[0]
    assert tuple(bed[2][-2:]) == MIDS[3]


def test_equal_keys_make_equal_marks() -> None:
    key = mark_key(STYLE, "rough", 0, 0, ["rough"] * 6)
    twin = next((c, r) for c in range(40) for r in range(1, 40) if mark_key(STYLE, "rough", c, r, ["rough"] * 6) == key)
    assert marks(STYLE, "rough", 0, 0, ["rough"] * 6) == marks(STYLE, "rough", *twin, ["rough"] * 6)

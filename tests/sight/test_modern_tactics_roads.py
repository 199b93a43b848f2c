"""Modern Tactics, 14.7: the best point of a road is found fast, and is what trying every line finds."""

import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.api import open_map
from studio.model import Area, MapModel, Road, Wall
from studio.rules.modern_tactics.road import best_line, road_stretches
from studio.rules.modern_tactics.sight import Judge
from studio.sight import Conditions
from studio.survey import Survey
from tests.sight.effort import random_maps
from tests.sight.makers.modern_tactics import RULES, small_map, strew
from tests.sight.slow_roads import slow_verdict, weigh

MAPS = Path(__file__).parents[2] / "maps"
SEEDS = st.integers(0, 10**9)


def judge_of(model: MapModel, rng: np.random.Generator) -> Judge:
    """Return a judge with the default readings, or any others, in any conditions."""
    options = RULES.options()
    conditions = Conditions()
    if rng.random() < 0.5:
        options = RULES.options(
            {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
        )
    if rng.random() < 0.2:
        conditions = Conditions(
            from_air=bool(rng.random() < 0.3), to_air=bool(rng.random() < 0.3), visibility=int(rng.choice([0, 5]))
        )
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), options, conditions)
    assert isinstance(judge, Judge)
    return judge


def hold(judge: Judge, a: int, b: int) -> int:
    """Hold the verdict of a pair against the slow search, the way back, and the line that is shown."""
    found = judge.verdict(a, b)
    assert found == slow_verdict(judge, a, b)
    if judge.conditions.from_air == judge.conditions.to_air:
        assert judge.verdict(b, a) == found
    start, end = (
        judge.scene.end(n, air=air) for n, air in ((a, judge.conditions.from_air), (b, judge.conditions.to_air))
    )
    line, _ = best_line(judge, start, end)
    assert judge.weigh(line) == found
    return found


def roads_of(judge: Judge) -> list[int]:
    return [location.number for location in judge.scene.directory.of("road")]


@pytest.mark.parametrize("both", [False, True])
@given(seed=SEEDS)
@random_maps(60)
def test_the_best_point_of_a_road_among_everything_there_is(both: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = {} if rng.random() < 0.5 else {"orientation": str(rng.choice(["flat", "pointy"]))}
    columns, rows = (int(value) for value in rng.integers(4, 10, size=2))
    model = strew(rng, columns, rows, drawn=rng.random() < 0.7, walls=rng.random() < 0.5, roads=True, **shape)
    road = model.features["r"]
    assert isinstance(road, Road)
    for label in road.path:
        if rng.random() < 0.7:
            model.terrain.ravel()[model.labels.cell(label)] = model.terrain_ids.index("structure")
    judge = judge_of(model, rng)
    roads = roads_of(judge)
    goals = roads if both else np.flatnonzero(model.grid.present).tolist()
    for a in roads[:2]:
        b = int(rng.choice(goals))
        if judge.scene.cell_of(a) != judge.scene.cell_of(b):
            hold(judge, a, b)


def street(rng: np.random.Generator, *, both: bool) -> tuple[MapModel, int, int]:
    """Return a map with a road in one hex or two, with structures and walls between them; and the hexes."""
    map_ = small_map(columns=7, rows=7)
    model, grid = map_.model, map_.grid
    cells = np.flatnonzero(grid.present).tolist()
    a = int(rng.choice(cells))
    b = int(rng.choice([cell for cell in cells if 2 <= grid.distance(a, cell) <= 4]))
    for cell in rng.choice(cells, 4).tolist():
        model.terrain.ravel()[cell] = model.terrain_ids.index(str(rng.choice(["crops", "grape_fields"])))
    for number, cell in enumerate([a, b] if both else [a]):
        label, (x, y) = model.labels.label(cell), grid.centre(cell)
        model.terrain.ravel()[cell] = model.terrain_ids.index("structure")
        dx, dy, ex, ey = (60 * rng.integers(-6, 7, size=4)).tolist()
        line = ((x + dx, y + dy), (x + ex, y + ey + (60 if (dx, dy) == (ex, ey) else 0)))
        model.features[f"r{number}"] = Road(id=f"r{number}", path=(label,), line=line)
    (ax, ay), (bx, by) = grid.centre(a), grid.centre(b)
    for number in range(int(rng.integers(1, 6))):
        step, share = int(rng.choice([60, 120, 240])), Fraction(int(rng.integers(3, 18)), 20)
        near = [int((p + share * (q - p)) // step) + int(rng.integers(-3, 4)) for p, q in ((ax, bx), (ay, by))]
        (x, y), (w, h) = (step * at for at in near), (step * rng.integers(1, 5, size=2)).tolist()
        kind, name = str(rng.choice(["structure", "structure", "hill", "bend", "tip"])), f"s{number}"
        if kind == "bend":
            model.features[name] = Wall(id=name, type="high_wall", line=((x, y), (x + w, y), (x + w, y + h)))
        elif kind == "tip":
            model.features[name] = Wall(id=name, type="high_wall", line=((x - w, y), (x, y + h // 2), (x + w, y)))
        else:
            ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            model.features[name] = Area(id=name, type=kind, outline=ring, level=int(kind == "hill"))
    for cell in rng.choice(cells, int(rng.integers(0, 5))).tolist():
        for other in grid.neighbours(cell):
            if rng.random() < 0.6:
                model.sides[(min(cell, other), max(cell, other))] = ("low_wall",)
    return model, a, b


@pytest.mark.parametrize("both", [False, True])
@given(seed=SEEDS)
@random_maps(60)
def test_the_best_point_of_a_road_with_gaps_of_no_width(both: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    model, a, b = street(rng, both=both)
    judge = judge_of(model, rng)
    road_in = {judge.scene.cell_of(number): number for number in roads_of(judge)}
    if a in road_in and (b in road_in or not both):
        hold(judge, road_in[a], road_in[b] if both else b)


def test_a_road_along_a_row_of_hexsides_is_settled_at_once() -> None:
    # All lines from one place of the first road to the second one run along hexsides, with a structure across them.
    map_ = small_map(columns=7, rows=7)
    here, there = (map_.labels.label(cell) for cell in (20, 16))
    map_.paint([here, there], terrain="structure")
    map_.add("road", path=[here], line=[[4560, 1080], [5160, 1920]])
    map_.add("road", path=[there], line=[[2160, 1440], [1920, 1440]])
    map_.add("area", type="structure", outline=[[3840, 1200], [4800, 1200], [4800, 2160], [3840, 2160]])
    judge = RULES.sight.judge(Survey(map_.model, RULES.survey_scheme), RULES.options(), Conditions())
    assert isinstance(judge, Judge)
    a, b = roads_of(judge)
    begun = time.process_time()
    assert judge.verdict(a, b) == judge.verdict(b, a) == 3
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("name", ["tactics-1", "tactics-2", "tactics-4"])
def test_roads_of_the_printed_maps(name: str) -> None:
    model = open_map(MAPS / f"{name}.map.json", recover_unsaved=False).model
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), RULES.options(), Conditions())
    assert isinstance(judge, Judge)
    rng, scene = np.random.default_rng(5), judge.scene
    roads, cells = roads_of(judge), np.flatnonzero(model.grid.present)
    for a in rng.choice(roads, 3).tolist():
        near = cells[[1 < model.grid.distance(scene.cell_of(a), cell) < 9 for cell in cells.tolist()]]
        verdicts = [hold(judge, a, b) for b in rng.choice(near, 4).tolist()]
        assert set(verdicts) <= {0, 1, 2, 3}
        for b in rng.choice(roads, 2).tolist():
            if a != b:
                _no_line_is_better(judge, a, b)


def _no_line_is_better(judge: Judge, a: int, b: int) -> None:
    ends = [judge.scene.end(number, air=False) for number in (a, b)]
    found, line = judge.verdict(a, b), best_line(judge, *ends)[0]
    assert judge.weigh(line) == found
    for one in road_stretches(judge.scene, ends[0]):
        for other in road_stretches(judge.scene, ends[1]):
            for s in range(0, 13):
                for t in range(0, 13):
                    p, q = (
                        tuple(low + Fraction(place, 12) * (high - low) for low, high in zip(*stretch, strict=True))
                        for stretch, place in ((one, s), (other, t))
                    )
                    assert weigh(judge, a, b, p, q) >= found  # type: ignore[arg-type]


def test_fields_of_view_to_and_from_roads_are_quick() -> None:
    model = open_map(MAPS / "tactics-2.map.json", recover_unsaved=False).model
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), RULES.options(), Conditions())
    roads = judge.scene.directory.of("road")
    assert judge.field(roads[0].number)[0].any()
    begun = time.process_time()
    codes, _ = judge.field(roads[1].number)
    assert time.process_time() - begun < 3
    assert {1, 2, 3} <= set(codes.tolist())

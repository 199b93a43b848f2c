"""Sight: explained lines, fields of view and tables of every game, beside other ways and what memory can do at best."""

import random
import resource
import sys
import time
import tracemalloc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.api import Map
from studio.errors import NoSightError
from studio.grid import HexGrid, LabelScheme
from studio.model import Crest, MapModel, Marker
from studio.rules import Ruleset, get_ruleset, ruleset_ids
from studio.sight import Conditions, SightJudge, make_table
from studio.sight.fast.pairs import Pairs
from studio.survey import Survey
from tests.benchmarks.measure import median, row
from tests.benchmarks.rivals import bandwidth, loop_seconds, shapely_seconds, tcod_seconds
from tests.sight.maps import MAKERS, make_game

RULES = get_ruleset("armageddon_war")
COLUMNS, ROWS = 50, 40
OPEN = ("", "open", "none")


def terrain_map(columns: int, rows: int, *, dense: float, hills: float, seed: int = 1) -> Map:
    """Return a map with obstacles strewn over it, blobs of hills and a few crests and smokes."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=columns, rows=rows)
    model = MapModel("armageddon_war", grid, LabelScheme.ccrr(pad=4), RULES.terrain_characters)
    kinds = [model.terrain_ids.index(name) for name in ("light_woods", "dense_urban", "dunes", "rough")]
    chosen = rng.choice(kinds, size=model.terrain.shape)
    model.terrain[:] = np.where(rng.random(model.terrain.shape) < dense, chosen, 0)
    if hills:
        noise = rng.random((rows // 8 + 2, columns // 8 + 2))
        coarse = np.kron(noise, np.ones((8, 8)))[:rows, :columns]
        model.levels[:] = np.digitize(coarse, [1 - hills, 1 - hills / 3, 1 - hills / 9]).astype(np.int8)
    for number in range(columns * rows // 400):
        at = model.labels.label(int(rng.integers(grid.cells)))
        kind = Marker(id=f"m{number}", type="smoke", at=at) if number % 4 == 0 else Crest(id=f"m{number}", path=(at,))
        model.features[kind.id] = kind
    return Map(model)


def blocking(model: MapModel, ruleset: Ruleset) -> NDArray[np.bool_]:
    """Return the hexes whose terrain stands in the way at all; bool, shape (cells,)."""
    closed = [ruleset.terrain(name).sight not in OPEN for name in model.terrain_ids]
    return np.array(closed)[model.terrain.ravel()] & model.grid.present.ravel()


def random_pairs(count: int, cells: int) -> list[tuple[int, int]]:
    """Return pairs of cells."""
    return [(a, b) for a, b in np.random.default_rng(5).integers(0, cells, size=(count, 2)).tolist()]


def judged(model: MapModel, ruleset: Ruleset) -> tuple[Survey, SightJudge]:
    """Return a survey and a judge with the standard readings."""
    survey = Survey(model, ruleset.survey_scheme)
    return survey, ruleset.sight.judge(survey, ruleset.options({}), Conditions())


def explained_lines() -> None:
    """Measure single lines with their explanation."""
    map_ = terrain_map(60, 50, dense=0.15, hills=0.3)
    rng = random.Random(3)
    near = [(a, rng.choice(map_.grid.within(a, 15))) for a in rng.choices(range(3000), k=200)]
    far = list(zip(range(0, 1000, 37), range(2999, 1000, -53), strict=False))
    for what, pairs, bar in (("range up to 15", near, "under 1 ms"), ("across 60 x 50", far, "")):
        named = [(map_.labels.label(a), map_.labels.label(b)) for a, b in pairs]
        one = median(lambda named=named: [map_.sight(a, b) for a, b in named]) / len(named)  # type: ignore[misc]
        row(f"one explained line, {what}", one, "ms", bar)


def fields_of_view() -> None:
    """Measure fields of view on large maps."""
    for what, dense, hills in (
        ("open", 0.002, 0.0),
        ("scattered obstacles", 0.02, 0.0),
        ("obstacles and hills", 0.05, 0.3),
        ("dense", 0.3, 0.3),
    ):
        large = terrain_map(300, 300, dense=dense, hills=hills)
        judge = large.judge()
        judge.field(0)
        for place, cell in (("middle", 150 * 300 + 150), ("corner", 0)):
            value = median(lambda judge=judge, cell=cell: judge.field(cell))  # type: ignore[misc]
            row(f"field of view 300 x 300, {what}, from the {place}", value, "ms", "under 50 ms")


def table_and_rivals() -> None:
    """Measure the table of all pairs beside the ways of others, in one run on one map."""
    map_ = terrain_map(COLUMNS, ROWS, dense=0.15, hills=0.3)
    model, cells = map_.model, COLUMNS * ROWS
    judge = map_.judge()
    start = time.perf_counter()
    judge.table(np.arange(cells))
    row("table of all pairs 50 x 40, the first one", time.perf_counter() - start, "s", "under 1.5 s")
    whole = median(lambda: judge.table(np.arange(cells)), times=5, warm=0) / 1000
    row("table of all pairs 50 x 40 (4 million ordered pairs)", whole, "s", "under 1.5 s")
    closed, pairs = blocking(model, RULES), random_pairs(20_000, cells)
    loop = loop_seconds(model.grid, closed, pairs) * cells**2
    row("cube-lerp loop over the same pairs, from 20 000 of them", loop, "s")
    row("table: times as fast as the loop", loop / whole, "x", "100 x and more")
    far = shapely_seconds(model.grid, closed, pairs[:2000]) * cells**2
    row("shapely LineString and STRtree, from 2 000 of them", far, "s")
    row("table: times as fast as shapely", far / whole, "x")
    one = median(lambda: judge.field(cells // 2 + COLUMNS // 2))
    row("field of view 50 x 40", one, "ms")
    row("field of view: times as fast as the loop", loop / cells * 1000 / one, "x")
    squares = tcod_seconds(model.grid, closed, list(range(0, cells, 7)))
    if squares is None:
        print("tcod is not there: nothing to compare with a field of view on squares")
    else:
        row("tcod, symmetric shadow cast on as many squares, a field", squares * 1000, "ms")
        row("the same for every hex", squares * cells, "s")
    spans = list(Pairs(model.grid, map_.survey.layout).spans())
    written = cells**2 / 4
    row("limit: writing 2 bits a pair", written / bandwidth(64_000_000) * 1000, "ms")
    operations = len(spans) * cells / 8 / bandwidth(cells // 8, work="or")
    row("limit: one bit operation a displacement and hex", operations * 1000, "ms")
    row("table: times the larger limit", whole / max(operations, written / bandwidth(64_000_000)), "x")


def memory_of_a_large_table() -> None:
    """Measure the memory of the largest table."""
    large = terrain_map(100, 100, dense=0.15, hills=0.3)
    judge = large.judge()
    judge.field(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    made = judge.table(np.arange(10_000))
    row("table of all pairs 100 x 100 (100 million ordered pairs)", time.perf_counter() - start, "s")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row("... more memory of the process at its peak", (after - before) / 1024, "MB", "under 100 MB")
    del made
    tracemalloc.start()
    judge.table(np.arange(10_000))
    row("... memory that numpy and Python asked for at the peak", tracemalloc.get_traced_memory()[1] / 1e6, "MB")
    tracemalloc.stop()


def every_game() -> None:
    """Measure the judge of every game on a random map of its own, beside the loop over the same hexes."""
    for game in MAKERS:
        model, ruleset = make_game(game, np.random.default_rng(2), COLUMNS, ROWS)
        survey, judge = judged(model, ruleset)
        numbers = survey.directory.numbers
        rng = np.random.default_rng(3)
        print(f"\n{game}: {len(numbers)} locations on {COLUMNS} x {ROWS} hexes")
        if not len(numbers):
            continue
        some = rng.choice(numbers, size=(100, 2)).tolist()
        row("one explained line", median(lambda: [judge.sighting(a, b) for a, b in some], times=3) / 100, "ms")  # noqa: B023
        sources = rng.choice(numbers, size=8).tolist()
        field = median(lambda: [judge.field(a) for a in sources], times=3) / len(sources)  # noqa: B023
        row("field of view", field, "ms", "300 x 300: under 50 ms")
        table = _table(survey, judge, field)
        loop = loop_seconds(model.grid, blocking(model, ruleset), random_pairs(20_000, model.grid.cells))
        row("table: times as fast as the cube-lerp loop", loop * len(numbers) ** 2 / table, "x", "100 x and more")
    judged_here = {get_ruleset(game).id for game in MAKERS if game in ruleset_ids()}
    for game in sorted(set(ruleset_ids()) - judged_here):
        print(f"\n{game}: no random maps, or no lines of sight")


def _table(survey: Survey, judge: Any, field: float) -> float:
    """Print the seconds of the table, measured where the game makes it at one blow, else from the fields of view."""
    numbers = survey.directory.numbers
    start = time.perf_counter()
    whole = judge.table(numbers) is not None
    taken = time.perf_counter() - start
    if not whole and field * len(numbers) < 20_000:
        start = time.perf_counter()
        make_table(survey.directory, judge)
        whole, taken = True, time.perf_counter() - start
    taken = taken if whole else field * len(numbers) / 1000
    row(f"table of all pairs{'' if whole else ', from some fields of view'}", taken, "s", "under 1.5 s")
    return taken


def main() -> None:
    """Print the figures."""
    memory_of_a_large_table()  # first, while nothing else has raised the peak
    explained_lines()
    fields_of_view()
    table_and_rivals()
    try:
        every_game()
    except NoSightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

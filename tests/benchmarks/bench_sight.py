"""Sight: explained lines, fields of view and tables of every game, beside other ways and what memory can do at best.

Times are those of the processor, so that what else the machine does matters less. Of each game the table of all pairs
is timed twice: the first call in a process also makes what all later ones share.
"""

import random
import resource
import sys
import time
import tracemalloc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.api import Map
from studio.errors import GridError, NoSightError
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, Crest, MapModel, Marker
from studio.rules import Ruleset, get_ruleset, ruleset_ids
from studio.sight import Conditions, SightJudge, make_table
from studio.sight.fast.pairs import Pairs
from studio.survey import Survey
from tests.benchmarks.measure import median, row
from tests.benchmarks.rivals import bandwidth, loop_seconds, shapely_seconds, tcod_seconds
from tests.sight.makers.generic import game as own_game
from tests.sight.makers.modern_tactics import outline
from tests.sight.maps import MAKERS, make_game

RULES = get_ruleset("armageddon_war")
COLUMNS, ROWS = 50, 40
OPEN = ("", "open", "none")
IN_HEXES = ("armageddon_war", "generic", "modern_tactics")  # their tables are timed on maps such as are played on


def terrain_map(columns: int, rows: int, *, dense: float, hills: float, seed: int = 1) -> Map:
    """Return a map with obstacles strewn over it, blobs of hills and a few crests and smokes."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=columns, rows=rows)
    model = MapModel("armageddon_war", grid, LabelScheme.ccrr(pad=4), RULES.terrain_characters)
    kinds = [model.terrain_ids.index(name) for name in ("light_woods", "dense_urban", "dunes", "rough")]
    chosen = rng.choice(kinds, size=model.terrain.shape)
    model.terrain[:] = np.where(rng.random(model.terrain.shape) < dense, chosen, 0)
    if hills:
        model.levels[:] = rolling(rng, columns, rows, hills)
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
        one = median(lambda named=named: [map_.sight(a, b) for a, b in named], clock=time.process_time) / len(named)  # type: ignore[misc]
        row(f"one explained line, {what}", one, "ms", bar)


def own_map(
    columns: int, rows: int, *, dense: float, hinder: float = 0, hills: float = 0, sides: float = 0
) -> tuple[MapModel, Ruleset]:
    """Return a map of a designer's own game: woods that block, towns that hinder, hills, walls and hedges."""
    ruleset, rng = own_game(), np.random.default_rng(4)
    grid = HexGrid(columns=columns, rows=rows)
    model = MapModel(ruleset.id, grid, LabelScheme.ccrr(pad=4), ruleset.terrain_characters)
    wood, town = (model.terrain_ids.index(name) for name in ("wood", "town"))
    drawn = rng.random(model.terrain.shape)
    model.terrain[:] = np.where(drawn < dense, wood, np.where(drawn < dense + hinder, town, 0))
    if hills:
        model.levels[:] = rolling(rng, columns, rows, hills)
    for cell in range(grid.cells) if sides else ():
        for other in grid.neighbours(cell):
            if cell < other and rng.random() < sides:
                model.sides[cell, other] = (str(rng.choice(["wall", "hedge"])),)
    return model, ruleset


def town_map(columns: int, rows: int, *, structures: int) -> tuple[MapModel, Ruleset]:
    """Return a map of Modern Tactics: crops, woods and structures, hills, walls and smoke, structures drawn freely."""
    rng = np.random.default_rng(6)
    grid = HexGrid(columns=columns, rows=rows, stagger="even")
    ruleset = get_ruleset("modern_tactics")
    model = MapModel(ruleset.id, grid, LabelScheme.lettered(staggered_start=0), ruleset.terrain_characters)
    names = ("crops", "marijuana_fields", "grape_fields", "structure", "mixed_woods", "rubble")
    kinds = rng.choice([model.terrain_ids.index(name) for name in names], size=model.terrain.shape)
    model.terrain[:] = np.where(rng.random(model.terrain.shape) < 0.12, kinds, 0)
    model.levels[:] = rolling(rng, columns, rows, 0.25)
    for cell in range(grid.cells):
        for other in grid.neighbours(cell):
            if cell < other and rng.random() < 0.1:
                model.sides[cell, other] = (str(rng.choice(["low_wall", "hedge"])),)
    for number in range(structures):
        ring = outline(rng, model, 6)
        model.features[f"s{number}"] = Area(id=f"s{number}", type="structure", outline=ring)
    for number in range(grid.cells // 100):
        at = model.labels.label(int(rng.integers(grid.cells)))
        model.features[f"k{number}"] = Marker(id=f"k{number}", type="smoke", at=at)
    return model, ruleset


def rolling(rng: np.random.Generator, columns: int, rows: int, share: float) -> NDArray[np.int8]:
    """Return levels 0 to 3 in blobs of eight by eight hexes, about so much of them above 0."""
    noise = rng.random((rows // 8 + 2, columns // 8 + 2))
    coarse = np.kron(noise, np.ones((8, 8)))[:rows, :columns]
    return np.digitize(coarse, [1 - share, 1 - share / 3, 1 - share / 9]).astype(np.int8)


def fields_of_view() -> None:
    """Measure fields of view on large maps of every game with hexes."""
    bar = "under 50 ms"
    for what, dense, hills in (
        ("open", 0.002, 0.0),
        ("scattered obstacles", 0.02, 0.0),
        ("obstacles and hills", 0.05, 0.3),
        ("dense", 0.3, 0.3),
    ):
        large = terrain_map(300, 300, dense=dense, hills=hills).model
        _fields(f"Armageddon War 300 x 300, {what}", large, RULES, bar)
        _fields(f"own game 300 x 300, {what}", *own_map(300, 300, dense=dense, hills=hills), bar)
    model, ruleset = own_map(300, 300, dense=0.05, hinder=0.05, hills=0.3, sides=0.02)
    _fields("own game 300 x 300, with hindrance and sides", model, ruleset, bar)
    _fields("Modern Tactics 300 x 300", *town_map(300, 300, structures=300), bar)
    for share in (0.0002, 0.002, 0.02, 0.1, 0.3):
        _fields(f"own game 1000 x 1000, {share:.2%} block", *own_map(1000, 1000, dense=share), "under 150 ms")


def _fields(what: str, model: MapModel, ruleset: Ruleset, bar: str) -> None:
    """Print how long fields of view take from the middle and from the corner of a map."""
    grid = model.grid
    _, judge = judged(model, ruleset)
    judge.field(0)
    for place, cell in (("middle", grid.cells // 2 + grid.columns // 2), ("corner", 0)):
        value = median(lambda cell=cell: judge.field(cell), times=5, clock=time.process_time)  # type: ignore[misc]
        row(f"field: {what}, {place}", value, "ms", bar)


def tables() -> None:
    """Measure tables of all pairs beside the loop: of every game with hexes, on maps such as are played on."""
    for what, (model, ruleset), bar in (
        ("own game, hexes that block", own_map(COLUMNS, ROWS, dense=0.15), 500),
        ("own game, blocking and hills", own_map(COLUMNS, ROWS, dense=0.15, hills=0.3), 100),
        (
            "own game, hindrance, hills, sides",
            own_map(COLUMNS, ROWS, dense=0.1, hinder=0.1, hills=0.3, sides=0.1),
            100,
        ),
        ("Armageddon War, hills", (terrain_map(COLUMNS, ROWS, dense=0.15, hills=0.3).model, RULES), 100),
        ("Armageddon War, strewn", make_game("armageddon_war", np.random.default_rng(2), COLUMNS, ROWS), 100),
        ("Modern Tactics, levels and sides", town_map(COLUMNS, ROWS, structures=0), 100),
        ("Modern Tactics, 40 structures", town_map(COLUMNS, ROWS, structures=40), 100),
        ("Modern Tactics, 150 structures", town_map(COLUMNS, ROWS, structures=150), 100),
        (
            "Modern Tactics, strewn, with roads, 14 x 12",
            make_game("modern_tactics", np.random.default_rng(2), 14, 12),
            0,
        ),
    ):
        _table_beside_loop(what, model, ruleset, bar)


def _table_beside_loop(what: str, model: MapModel, ruleset: Ruleset, bar: int) -> None:
    survey, judge = judged(model, ruleset)
    numbers, cells = survey.directory.numbers, model.grid.cells
    start = time.process_time()
    judge.table(numbers)
    first = time.process_time() - start
    again = median(lambda: judge.table(numbers), times=3, warm=0, clock=time.process_time) / 1000
    closed = blocking(model, ruleset)
    loop = loop_seconds(model.grid, closed, random_pairs(40_000, cells)) * len(numbers) ** 2
    row(f"table: {what}, first call", first, "s", "under 1.5 s" if bar else "")
    row(f"table: {what}", again, "s", "under 1.5 s" if bar else "")
    held = f"{bar} x and more" if bar else ""
    row("... times as fast as the loop, first call", loop / first, "x", held)
    row("... times as fast as the loop", loop / again, "x", held)


def table_and_rivals() -> None:
    """Measure the table of all pairs beside the ways of others, in one run on one map."""
    map_ = terrain_map(COLUMNS, ROWS, dense=0.15, hills=0.3)
    model, cells = map_.model, COLUMNS * ROWS
    judge = map_.judge()
    whole = median(lambda: judge.table(np.arange(cells)), times=5, clock=time.process_time) / 1000
    row("table of all pairs 50 x 40 (4 million ordered pairs)", whole, "s", "under 1.5 s")
    closed, pairs = blocking(model, RULES), random_pairs(20_000, cells)
    loop = loop_seconds(model.grid, closed, pairs) * cells**2
    row("cube-lerp loop over the same pairs, from 20 000 of them", loop, "s")
    row("table: times as fast as the loop", loop / whole, "x", "100 x and more")
    far = shapely_seconds(model.grid, closed, pairs[:2000]) * cells**2
    row("shapely LineString and STRtree, from 2 000 of them", far, "s")
    row("table: times as fast as shapely", far / whole, "x")
    one = median(lambda: judge.field(cells // 2 + COLUMNS // 2), clock=time.process_time)
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
    start = time.process_time()
    made = judge.table(np.arange(10_000))
    row("table of all pairs 100 x 100 (100 million ordered pairs)", time.process_time() - start, "s")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row("... more memory of the process at its peak", (after - before) / 1024, "MB", "under 100 MB")
    del made
    tracemalloc.start()
    judge.table(np.arange(10_000))
    row("... memory that numpy and Python asked for at the peak", tracemalloc.get_traced_memory()[1] / 1e6, "MB")
    tracemalloc.stop()


def every_game() -> None:
    """Measure single lines and fields of view of every game on a random map of its own; tables of those with areas."""
    for game in MAKERS:
        columns, rows = (COLUMNS, ROWS) if game in IN_HEXES else (14, 12)
        found = _random_map(game, columns, rows)
        if found is None:
            print(f"\n{game}: none of its random maps can be judged")
            continue
        model, ruleset, survey, judge = found
        numbers = survey.directory.numbers
        rng = np.random.default_rng(3)
        print(f"\n{game}: {len(numbers)} locations on {columns} x {rows} hexes")
        if not len(numbers):
            continue
        some = rng.choice(numbers, size=(100, 2)).tolist()
        one = median(lambda: [judge.sighting(a, b) for a, b in some], times=3, clock=time.process_time)  # noqa: B023
        row("one explained line", one / 100, "ms", "under 1 ms")
        sources = rng.choice(numbers, size=8).tolist()
        field = median(lambda: [judge.field(a) for a in sources], times=3, clock=time.process_time)  # noqa: B023
        row("field of view", field / len(sources), "ms", "300 x 300: under 50 ms")
        if game not in IN_HEXES:
            table = _table(survey, judge, field / len(sources))
            loop = loop_seconds(model.grid, blocking(model, ruleset), random_pairs(20_000, model.grid.cells))
            row("table: times as fast as the cube-lerp loop", loop * len(numbers) ** 2 / table, "x")
    judged_here = {get_ruleset(game).id for game in MAKERS if game in ruleset_ids()}
    for game in sorted(set(ruleset_ids()) - judged_here):
        print(f"\n{game}: no random maps, or no lines of sight")


def _random_map(game: str, columns: int, rows: int) -> tuple[MapModel, Ruleset, Survey, SightJudge] | None:
    """Return a random map of a game that can be judged: some have outlines that cross themselves."""
    for seed in range(2, 32):
        model, ruleset = make_game(game, np.random.default_rng(seed), columns, rows)
        try:
            survey, judge = judged(model, ruleset)
            judge.field(int(survey.directory.numbers[0]))
        except GridError:
            continue
        return model, ruleset, survey, judge
    return None


def _table(survey: Survey, judge: Any, field: float) -> float:
    """Print the seconds of the table, measured where the game makes it at one blow, else from the fields of view."""
    numbers = survey.directory.numbers
    start = time.process_time()
    whole = judge.table(numbers) is not None
    taken = time.process_time() - start
    if not whole and field * len(numbers) < 20_000:
        start = time.process_time()
        make_table(survey.directory, judge)
        whole, taken = True, time.process_time() - start
    taken = taken if whole else field * len(numbers) / 1000
    row(f"table of all pairs{'' if whole else ', from some fields of view'}", taken, "s", "under 1.5 s")
    return taken


def main() -> None:
    """Print the figures."""
    memory_of_a_large_table()  # first, while nothing else has raised the peak
    explained_lines()
    tables()
    fields_of_view()
    table_and_rivals()
    try:
        every_game()
    except NoSightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

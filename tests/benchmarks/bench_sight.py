"""Sight: one explained line, fields of view, the table of all pairs; beside a cube-lerp loop over the same pairs."""

import random
import time

import numpy as np

from studio.api import Map
from studio.grid import HexGrid, LabelScheme
from studio.model import Crest, MapModel, Marker
from studio.rules import get_ruleset
from tests.benchmarks.measure import median, row

RULES = get_ruleset("armageddon_war")


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


def cube_lerp(model: MapModel, a: int, b: int) -> bool:
    """Judge a line as most programs do: interpolate cube coordinates, round, look at the terrain. Often wrong."""
    grid = model.grid
    (qa, ra), (qb, rb) = grid.axial(a), grid.axial(b)
    steps = grid.distance(a, b)
    for step in range(1, steps):
        t = step / steps
        q, r = qa + (qb - qa) * t, ra + (rb - ra) * t
        s = -q - r
        rq, rr, rs = round(q), round(r), round(s)
        dq, dr, ds = abs(rq - q), abs(rr - r), abs(rs - s)
        if dq > dr and dq > ds:
            rq = -rr - rs
        elif dr > ds:
            rr = -rq - rs
        cell = grid.from_axial(rq, rr)
        if cell is not None and RULES.terrain(model.terrain_at(cell)).sight == "obstacle":
            return False
    return True


def main() -> None:
    """Print the figures."""
    map_ = terrain_map(60, 50, dense=0.15, hills=0.3)
    labels = map_.labels
    pairs = [
        (labels.label(a), labels.label(b)) for a, b in zip(range(0, 1000, 37), range(2999, 1000, -53), strict=False)
    ]
    rng = random.Random(3)
    near = [(a, rng.choice(map_.grid.within(a, 15))) for a in rng.choices(range(3000), k=200)]
    named = [(labels.label(a), labels.label(b)) for a, b in near]
    one = median(lambda: [map_.sight(a, b) for a, b in named]) / len(named)
    row("one explained line, range up to 15", one, "ms", "under 1 ms")
    one = median(lambda: [map_.sight(a, b) for a, b in pairs]) / len(pairs)
    row("one explained line, across 60 x 50", one, "ms")

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

    small = terrain_map(50, 40, dense=0.15, hills=0.3)
    start = time.perf_counter()
    table = small.sight_table()
    whole = time.perf_counter() - start
    row("table of all pairs 50 x 40 (4 million ordered pairs)", whole, "s")
    cells = np.random.default_rng(5).integers(0, 2000, size=(20_000, 2)).tolist()
    start = time.perf_counter()
    for a, b in cells:
        cube_lerp(small.model, a, b)
    loop = (time.perf_counter() - start) / 20_000 * 2000 * 2000
    row("cube-lerp loop over the same pairs, from 20 000 of them", loop, "s")
    row("table: times as fast as the loop", loop / whole, "x")
    row("table: share of pairs that see each other", float((table.to_array() != 3).mean()), "")


if __name__ == "__main__":
    main()

"""Movement with facings in Modern Tactics: networks of a map of 300 x 300 hexes, and what is found in them."""

import time
from typing import Any

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import Area, MapModel, Road
from studio.paths import make_reach, make_route
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.benchmarks.measure import median, row

RULES = get_ruleset("modern_tactics")
SIDE = 300
SHARES = {
    "open": 0.5,
    "crops": 0.2,
    "farm": 0.1,
    "structure": 0.06,
    "grape_fields": 0.1,
    "wadi": 0.04,
}


def country(side: int, seed: int = 1) -> Survey:
    """Return a map with terrain, a hill, low walls, 60 roads from edge to edge and 200 walled compounds."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=side, rows=side, stagger="even")
    model = MapModel("modern_tactics", grid, LabelScheme.ccrr(pad=3), RULES.terrain_characters)
    ids = [model.terrain_ids.index(name) for name in SHARES]
    model.terrain[:] = rng.choice(ids, size=model.terrain.shape, p=list(SHARES.values()))
    model.levels[side // 3 : side // 2, side // 3 : side // 2] = 1
    table = grid.neighbour_table
    for a in rng.choice(grid.cells, grid.cells // 10, replace=False).tolist():
        b = int(table[a, 2])
        if b >= 0:
            model.sides[min(a, b), max(a, b)] = ("low_wall",)
    for number, line in enumerate(rng.choice(side, size=min(60, side), replace=False).tolist()):
        path = tuple(model.labels.label(line * side + column) for column in range(side))
        name = f"road-{number}"
        model.features[name] = Road(id=name, path=path, surface=("paved", "unpaved")[number % 2])
    for number, cell in enumerate(rng.choice(grid.cells, size=200, replace=False).tolist()):
        x, y = grid.centre(cell)
        ring = ((x + 240, y + 240), (x + 2900, y + 240), (x + 2900, y + 2400), (x + 240, y + 2400))
        name = f"compound-{number}"
        model.features[name] = Area(id=name, type="compound", outline=ring)
    return Survey(model, RULES.survey_scheme)


def main() -> None:
    """Print the figures."""
    survey = country(SIDE)
    start = time.process_time()
    judge: Any = RULES.paths.judge(survey, "foot")
    row("what parts the hexes, once for all movers", (time.process_time() - start) * 1000, "ms")
    middle = SIDE * SIDE // 2 + SIDE // 2
    for mover in RULES.movers:

        def build(mover: str = mover) -> Any:
            made = RULES.paths.judge(survey, mover)
            _ = made.network
            return made

        row(f"judge and network, {mover}", median(build, times=5, clock=time.process_time), "ms", "under 500 ms")
        judge = build()
        row(f"  nodes, {judge.network.size:,}; links", len(judge.network.ends), "")
        make_reach(judge, middle, 7)
        found = median(lambda judge=judge: make_reach(judge, middle, 7), clock=time.process_time)
        row("  reach of 7 MP", found, "ms")
        found = median(lambda judge=judge: make_route(judge, middle, SIDE + 1), times=3, clock=time.process_time)
        row("  the way to the far corner, explained", found, "ms")


if __name__ == "__main__":
    main()

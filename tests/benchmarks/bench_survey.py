"""Survey: a map of a thousand zones taken afresh, and one corner of it moved.

Figures stand beside their bars, and no time is asserted. Times are those of the processor: ``python -m
tests.benchmarks.bench_survey``.
"""

import time
from functools import partial

import numpy as np

from studio.api import Map
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, MapModel, Point
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.benchmarks.measure import median as median_of
from tests.benchmarks.measure import row

RULES = get_ruleset("phantom_fury")
ACROSS, DOWN = 40, 25


median = partial(median_of, clock=time.process_time)


def zones(seed: int = 1) -> Map:
    """Return a map of a thousand zones that share crooked borders, eight corners each."""
    rng = np.random.default_rng(seed)
    shift = rng.integers(-90, 91, size=(2 * ACROSS + 1, 2 * DOWN + 1, 2))
    shift[[0, -1], :, 0] = 0
    shift[:, [0, -1], 1] = 0

    def corner(i: int, j: int) -> Point:
        return (450 * i + int(shift[i, j, 0]), 450 * j + int(shift[i, j, 1]))

    around = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
    grid = HexGrid(columns=50, rows=48)
    model = MapModel("phantom_fury", grid, LabelScheme.ccrr(), RULES.terrain_characters)
    for number in range(ACROSS * DOWN):
        i, j = 2 * (number % ACROSS), 2 * (number // ACROSS)
        outline = tuple(corner(i + di, j + dj) for di, dj in around)
        model.features[f"z{number}"] = Area(id=f"z{number}", type="zone", name=f"z {number + 1}", outline=outline)
    return Map(model)


def locate(survey: Survey) -> None:
    """Ask for the directory, the borders and the location of a label."""
    _ = survey.borders
    survey.directory.location(survey.directory.number("z 500"))


def main() -> None:
    """Print the figures."""
    map_ = zones()
    zone = map_.survey.area("z500")
    at = [zone.outline[0]]
    print(f"{len(map_.features)} zones, {len(map_.survey.borders)} borders, {len(map_.vertices())} corners")
    row(
        "survey afresh: directory, borders, a label",
        median(lambda: locate(Survey(map_.model, RULES.survey_scheme))),
        "ms",
        "under 1 s",
    )

    def move() -> None:
        x, y = at[-1]
        at.append((x + (7 if len(at) % 2 else -7), y))
        map_.move_vertex(at[-2], at[-1])

    def follow() -> None:
        move()
        locate(map_.survey)

    alone = median(move, times=15)
    whole = median(follow, times=15)
    row("one corner of four zones moved", alone, "ms")
    row("... with directory, borders and the label", whole, "ms", "under 20 ms")
    survey = median(lambda: locate(Survey(map_.model, RULES.survey_scheme)))
    row("survey afresh: times the work of a moved corner", survey / whole, "x")

    def borders() -> None:
        fresh = Survey(map_.model, RULES.survey_scheme)
        RULES.borders(fresh)

    row("survey afresh, with the kinds of all borders", median(borders, times=5), "ms", "under 1 s")
    ready = Survey(map_.model, RULES.survey_scheme)
    row("map.sides as a table, borders known", median(ready.sides, times=5), "ms")
    ids = list(map_.features)
    row("overlaps and gaps of all zones, exactly", median(lambda: ready.coverage(ids).gaps, times=5), "ms", "under 1 s")

    def split_and_merge() -> None:
        x0, x1 = zone.outline[7], zone.outline[3]
        map_.merge_areas(["z500", map_.split_area("z500", [x0, x1])])
        locate(map_.survey)

    row("a zone split and merged again", median(split_and_merge), "ms")
    everything = list(map_.features)
    row(
        "all corners snapped to hexes",
        median(lambda: map_.snap(everything, ("corners",), reach=0.05), times=1, warm=0),
        "ms",
    )


if __name__ == "__main__":
    main()

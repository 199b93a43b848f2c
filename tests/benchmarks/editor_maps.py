"""Maps for the editor's figures: varied ground, roads, sides, names and markers, in proportion to the size."""

from __future__ import annotations

import itertools
import random
from typing import Any

import studio
from studio.model import Batch, Edit, Put, SetSide

__all__ = ["sample"]

_NUMBERS = itertools.count(1)


def sample(columns: int, rows: int, seed: int = 3) -> Any:
    """Return a new map of Armageddon War with woods, towns, hills, roads, fences, names and markers."""
    rng = random.Random(seed)
    # A title of its own each time: the unsaved steps of another map are not offered for it.
    title = f"Sample {next(_NUMBERS)} of {columns * rows} hexes"
    made = studio.new_map("armageddon_war", columns=columns, rows=rows, title=title)
    _ground(made, rng, columns * rows // 60)
    edits = [*_roads(made, rng), *_names(made, rng), *_markers(made, rng), *_sides(made, rng)]
    made.apply(Batch(title="Things", edits=edits))
    return made


def _ground(made: Any, rng: random.Random, patches: int) -> None:
    """Lay patches of terrain and of height; before anything is asked of the map, so that it need not be an edit."""
    model = made.model
    for _ in range(patches):
        column, row = rng.randrange(made.grid.columns), rng.randrange(made.grid.rows)
        patch = (slice(row, row + rng.randrange(2, 9)), slice(column, column + rng.randrange(2, 9)))
        model.terrain[patch] = rng.randrange(len(model.terrain_ids))
        model.levels[patch] = rng.choice((0, 0, 1, 2))


def _roads(made: Any, rng: random.Random) -> list[Edit]:
    grid, label, found = made.grid, made.model.labels.label, []
    for number in range(min(300, grid.cells // 480)):
        path, direction = [rng.randrange(grid.cells)], rng.randrange(6)
        for _ in range(rng.randrange(5, 30)):
            following = grid.neighbour(path[-1], direction if rng.random() < 0.8 else (direction + 1) % 6)
            if following is None or following in path:
                break
            path.append(following)
        record = {"kind": "road", "id": f"road-{number}", "path": [label(cell) for cell in path]}
        if len(path) > 1:
            found.append(Put(collection="features", record=record))
    return found


def _names(made: Any, rng: random.Random) -> list[Edit]:
    places = [made.grid.centre(rng.randrange(made.grid.cells)) for _ in range(min(300, made.grid.cells // 480))]
    records = [
        {"kind": "name", "id": f"name-{n}", "text": f"Place {n}", "at": list(place)} for n, place in enumerate(places)
    ]
    return [Put(collection="features", record=record) for record in records]


def _markers(made: Any, rng: random.Random) -> list[Edit]:
    kinds, label, found = list(made.ruleset.marker_types), made.model.labels.label, []
    for number in range(min(300, made.grid.cells // 480)):
        at = label(rng.randrange(made.grid.cells))
        record = {"kind": "marker", "id": f"marker-{number}", "type": rng.choice(kinds), "at": at}
        found.append(Put(collection="features", record=record))
    return found


def _sides(made: Any, rng: random.Random) -> list[Edit]:
    grid, found = made.grid, []
    for _ in range(min(2000, grid.cells // 60)):
        cell = rng.randrange(grid.cells)
        other = grid.neighbour(cell, rng.randrange(6))
        if other is not None:
            found.append(SetSide(a=cell, b=other, kinds=("fence",)))
    return found

"""Random joint grids: a map cut into sheets with holes between them, for every game that has a maker of maps."""

import msgspec
import numpy as np

from studio.grid import HexGrid, LabelScheme, Part
from studio.model import MapModel, Sheet
from tests.sight.transforms import moved

__all__ = ["cut_into_sheets", "random_parts"]


def random_parts(rng: np.random.Generator, grid: HexGrid) -> tuple[Part, ...]:
    """Return parts that lie anywhere on a grid, some of them turned, without a hex in common."""
    lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
    plain = msgspec.structs.replace(grid, short=False, half=(), parts=())
    parts: list[Part] = []
    for _ in range(20):
        across, along = int(rng.integers(1, lines + 1)), int(rng.integers(1, positions + 1))
        columns, rows = (across, along) if grid.flat else (along, across)
        line, position = int(rng.integers(0, lines)), int(rng.integers(0, positions))
        cell = position * plain.columns + line if grid.flat else line * plain.columns + position
        q, r = plain.axial(cell)
        part = Part(
            columns=columns,
            rows=rows,
            stagger="even" if rng.random() < 0.5 else "odd",
            short=bool(along > 1 and rng.random() < 0.3),
            q=q,
            r=r,
            turned=bool(rng.random() < 0.4),
        )
        try:
            msgspec.structs.replace(plain, parts=(*parts, part))
        except ValueError:
            continue
        parts.append(part)
    return tuple(parts)


def cut_into_sheets(rng: np.random.Generator, model: MapModel) -> MapModel | None:
    """Return a map of which only the hexes of some random sheets are left; None where none fits on it."""
    parts = random_parts(rng, model.grid)
    if not parts:
        return None
    grid = msgspec.structs.replace(model.grid, short=False, half=(), parts=parts)
    sheets = tuple(
        Sheet(id=f"s{number}", labels=LabelScheme.ccrr(pad=3), prefix=chr(65 + number)) for number in range(len(parts))
    )
    return moved(model, grid, lambda point: point, sheets)[0]

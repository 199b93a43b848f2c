"""Little maps of every game, and how to look at their pictures."""

from typing import Any

import numpy as np

import studio


def rgb(color: str) -> np.ndarray:
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def pixels(axes: Any) -> np.ndarray:
    canvas = axes.figure.canvas
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(int)


def at(axes: Any, image: np.ndarray, point: Any) -> np.ndarray:
    x, y = axes.transData.transform(tuple(point))
    return np.asarray(image[image.shape[0] - 1 - round(y), round(x)])


def near(axes: Any, image: np.ndarray, point: Any, radius: int) -> np.ndarray:
    """All pixels around a point, shape (n, 3)."""
    x, y = axes.transData.transform(tuple(point))
    row, column = image.shape[0] - 1 - round(y), round(x)
    rows, columns = (slice(max(0, n - radius), n + radius + 1) for n in (row, column))
    return np.asarray(image[rows, columns].reshape(-1, 3))


def has(colors: np.ndarray, color: str, off: int = 12) -> bool:
    return bool((np.abs(colors - rgb(color)).max(axis=1) <= off).any())


def drawn(axes: Any, zorder: float) -> int:
    """How many single shapes, letters among them, are drawn at a height."""
    from matplotlib.collections import PathCollection

    found = [one for one in axes.collections if isinstance(one, PathCollection)]
    return sum(len(one.get_paths()) for one in found if zorder <= one.get_zorder() < zorder + 0.1)


def box(x: int, y: int, wide: int, high: int) -> list[list[int]]:
    return [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]


def district() -> Any:
    """Zones 14 and 15 side by side, zone 26 over the street from 14, a second street section beside it."""
    made = studio.new_map("phantom_fury", columns=8, rows=7, half=("top", "bottom", "left", "right"))
    made.add(
        "area", id="z14", type="zone", name="14", outline=box(600, 240, 1800, 960), dot=[1500, 460], tags=["white"]
    )
    made.add(
        "area", id="z15", type="zone", name="15", outline=box(2400, 240, 1800, 960), dot=[3300, 460], tags=["black"]
    )
    made.add(
        "area", id="z26", type="zone", name="26", outline=box(600, 1700, 1800, 960), dot=[1500, 1920], tags=["red"]
    )
    made.add("area", id="s1", type="street", name="A", outline=box(600, 1200, 1800, 500))
    made.add("area", id="s2", type="street", name="B", outline=box(2400, 1200, 1800, 500))
    made.add("place", type="courtyard", name="14 C", at=[1000, 940], within="z14")
    made.add("place", type="rooftop", name="14 R", at=[2000, 940], within="z14")
    made.add("link", type="arrow", a="14 C", b="14 R")
    made.add("link", type="line_of_fire", a="15", b="26", order=1)
    made.add("link", type="egress", a="14", b="15", order=1)
    made.add("link", type="egress", a="14", b="26", order=2)
    return made


def street() -> Any:
    """A building with a room and two zones, an outer wall, openings, a roof; hexes under the building are closed."""
    made = studio.new_map("urban_operations", columns=10, rows=8, half=("top", "bottom", "left", "right"))
    made.add("area", id="b", type="building", name="A", outline=box(2700, 960, 2400, 1600))
    made.add("area", id="r1", type="room", name="A.1", outline=box(2700, 960, 1200, 1600), within="b", dot=[3300, 1700])
    made.add("area", id="h", type="divided_room", name="hall", outline=box(3900, 960, 1200, 1600), within="b")
    made.add("area", id="z2", type="zone", name="A.2", outline=box(3900, 960, 1200, 800), within="h", dot=[4500, 1300])
    made.add("area", id="z3", type="zone", name="A.3", outline=box(3900, 1760, 1200, 800), within="h", dot=[4500, 2200])
    closed = [cell for cell in range(made.grid.cells) if _inside(made.grid.centre(cell), (2700, 960, 5100, 2560))]
    made.paint([made.labels.label(cell) for cell in closed], terrain="unplayable")
    made.add("place", id="roof", type="roof", name="A roof", at=[3000, 1200], within="b", level=2)
    made.add("place", id="roof2", type="roof", name="B roof", at=[6300, 1200], level=2)
    made.add("link", type="linked_roofs", a="A roof", b="B roof")
    west, south = made.grid.cells_at(np.array([[2400, 1700], [4500, 2780]])).tolist()
    made.add("aperture", id="window", type="aperture", at=[2700, 1700], into="A.1", arrows=[[made.labels.label(west)]])
    made.add(
        "aperture",
        id="hole",
        type="breach",
        at=[4500, 2560],
        into="A.3",
        arrows=[[made.labels.label(south)]],
        open=False,
    )
    made.add("wall", id="wall-9", type="outer_wall", line=[[600, 3000], [2400, 3000]])
    return made


def _inside(point: tuple[int, int], frame: tuple[int, int, int, int]) -> bool:
    return frame[0] <= point[0] <= frame[2] and frame[1] <= point[1] <= frame[3]


def valley() -> Any:
    """A hill, a two-storey structure and a road beside it, a low wall, a dot off the centre."""
    made = studio.new_map("modern_tactics", columns=9, rows=7, half=("top", "bottom", "left", "right"))
    x, y = made.grid.centre(made.grid.cell(2, 2))
    made.add("area", id="hill", type="hill", level=1, outline=box(x - 500, y - 500, 1000, 1000))
    x, y = made.grid.centre(made.grid.cell(6, 3))
    made.add("area", id="house", type="structure", level=1, outline=box(x - 120, y - 120, 240, 240))
    path = [made.labels.label(made.grid.cell(6, row)) for row in range(7)]
    made.add("road", id="road", path=path, line=[[x + 260, 0], [x + 260, 7 * 480]])
    cell = made.grid.cell(4, 5)
    x, y = made.grid.centre(cell)
    made.add("dot", at=made.labels.label(cell), point=[x + 150, y - 60])
    made.set_side(made.labels.label(cell), made.labels.label(made.grid.neighbour(cell, 0)), "low_wall")
    return made

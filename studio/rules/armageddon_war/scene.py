"""What sight in Armageddon War needs to know of every hex, gathered once for one state of a map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.rules import get_ruleset
from studio.sight import Conditions
from studio.sight.overrides import counted_terrain, smoke_cells
from studio.survey import NO_CONTOUR, Survey

if TYPE_CHECKING:
    from studio.rules import Ruleset

__all__ = ["HILL_COLOURS", "End", "Scene"]

HILL_COLOURS = 5
"""How many colours the hills have: the more, the fewer share one."""


class Scene:
    """Planes of one map for the sight judge; arrays of shape (cells,).

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions

    Raises
    ------
    UnknownNameError
        When a terrain override names a terrain that the game does not have.
    GridError
        When smoke is said to be where no hex is.
    """

    def __init__(self, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> None:
        self.survey, self.grid, self.model = survey, survey.grid, survey.model
        self.options, self.conditions = dict(options), conditions
        self.ruleset: Ruleset = get_ruleset("armageddon_war")
        self.terrain: NDArray[np.uint8] = counted_terrain(self.model, conditions.terrain_overrides)
        self.level: NDArray[np.int8] = self.model.levels.ravel()
        self.contour: NDArray[np.int8] = survey.contours.ravel()
        self.crest: NDArray[np.bool_] = survey.crests.ravel()
        self.hill: NDArray[np.int32] = survey.hills.ravel()
        classes = [self.ruleset.terrain(name).sight for name in self.model.terrain_ids]
        self.obstacle: NDArray[np.bool_] = np.array([kind == "obstacle" for kind in classes])[self.terrain]
        in_wadi = np.array([kind == "wadi" for kind in classes])[self.terrain]
        in_wadi &= self.grid.present.ravel()
        shape = (self.grid.rows, self.grid.columns)
        self.wadi: NDArray[np.int32] = survey.layout.components(in_wadi.reshape(shape)).ravel()
        self.smoke: NDArray[np.bool_] = np.zeros(self.grid.cells, dtype=bool)
        self.smoke[[*smoke_cells(self.grid, conditions.smoke), *survey.cells_with_marker("smoke")]] = True

    def terrain_name(self, cell: int) -> str:
        """Return the game's term for the terrain that a hex counts as."""
        return self.ruleset.terrain(self.model.terrain_ids[self.terrain[cell]]).name.lower()

    @cached_property
    def summit(self) -> NDArray[np.int16]:
        """Highest level of the hill that each hex belongs to; int16, shape (cells,)."""
        height = np.maximum(self.level, self.contour).astype(np.int16)
        highest = np.full(self.grid.cells + 1, NO_CONTOUR, dtype=np.int16)
        np.maximum.at(highest, self.hill, height)
        return highest[self.hill]

    @cached_property
    def hill_colour(self) -> NDArray[np.int8]:
        """A number all over a hill that tells it from most others, below ``HILL_COLOURS``; int8, shape (cells,)."""
        numbers = np.unique(self.hill, return_inverse=True)[1].ravel()
        return np.asarray(numbers % HILL_COLOURS, dtype=np.int8)

    @cached_property
    def hill_measure(self) -> NDArray[np.int8]:
        """What a hill counts in a hex that a line from elsewhere crosses, -128 off the hills; int8, shape (cells,)."""
        height = self.summit if self.options["other_hill"] == "summit" else np.maximum(self.level, self.contour)
        return np.where((self.hill > 0) & self.grid.present.ravel(), height, -128).astype(np.int8)

    @cached_property
    def flat(self) -> dict[str, NDArray[Any]]:
        """The same planes in the sheared flat layout, guards without any effect."""
        layout = self.survey.layout
        height = np.maximum(self.level, self.contour)
        if self.options["other_hill"] == "summit":
            height = self.summit.astype(np.int16)
        return {
            "present": layout.present,
            "level": layout.pack(self.level, 0),
            "contour": layout.pack(self.contour, NO_CONTOUR),
            "crest": layout.pack(self.crest, False),
            "hill": layout.pack(self.hill, 0),
            "height": layout.pack(height.astype(np.int16), 0),
            "obstacle": layout.pack(self.obstacle, False),
            "wadi": layout.pack(self.wadi, 0),
            "smoke": layout.pack(self.smoke, False),
        }

    @cached_property
    def steps(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Flat steps along the first and the second axis of each sextant; int64, shape (6,) each."""
        first = np.array(self.survey.layout.offsets, dtype=np.int64)
        return first, np.roll(first, -1)

    def heights(self, *, air: bool) -> NDArray[np.int16]:
        """Return the level from which a unit in each hex sees: one more on a crest line, one more for an air unit."""
        return self.level.astype(np.int16) + self.crest + air

    def end(self, cell: int, *, air: bool) -> End:
        """Return what matters of one end of a line."""
        return End(self, cell, air)


class End:
    """One end of a line of sight.

    Attributes
    ----------
    cell : int
    height : int
        Level that the unit sees from.
    hill : int
        Hill that it is on, 0 for none.
    contour : int
        Height of the contour in its hex, ``NO_CONTOUR`` without.
    has_contour : bool
        The contour is in its hex; units on crest lines and air units count as such (3.0 crest, 5.6).
    obstacle : bool
        It stands in a level 0 obstacle; never an air unit.
    wadi : int
        Wadi that it is in, 0 for none.
    """

    __slots__ = ("air", "cell", "contour", "has_contour", "height", "hill", "level", "obstacle", "wadi")

    def __init__(self, scene: Scene, cell: int, air: bool) -> None:
        self.cell, self.air = cell, air
        self.level = int(scene.level[cell])
        crest = bool(scene.crest[cell])
        self.height = self.level + crest + air
        self.hill = int(scene.hill[cell])
        self.contour = int(scene.contour[cell])
        self.has_contour = self.contour >= 1 or crest or air
        self.obstacle = bool(scene.obstacle[cell]) and not air
        self.wadi = int(scene.wadi[cell])

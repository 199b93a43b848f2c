"""Maps of several layers, such as a surface and its underground: no line of sight leads from one to another.

On a joint map the layers lie beside each other, though in truth one is above the other; a line drawn across would mean
nothing. Games with rules of their own for it say so with ``LAYERS = True`` in their sight module.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from studio.model import layers_of
from studio.sight.packed import PackedCodes
from studio.sight.protocol import SightJudge
from studio.sight.sighting import Reason, Sighting
from studio.survey import Survey, layer_numbers

__all__ = ["LayeredJudge", "knows_layers", "layered"]

_BLOCKED = 3


def knows_layers(rules: object) -> bool:
    """Tell whether the sight module of a game has rules of its own for what lies on different layers."""
    return bool(getattr(rules, "LAYERS", False))


def layered(judge: SightJudge, survey: Survey) -> SightJudge:
    """Return a judge that knows the layers of a map; the judge itself where there is one layer only."""
    layers = layer_numbers(survey)
    return judge if len(set(layers[layers >= 0].tolist())) < 2 else LayeredJudge(judge, survey, layers)


class LayeredJudge:
    """A judge of a map with several layers.

    Parameters
    ----------
    judge : SightJudge
        Judges the lines within a layer.
    survey : Survey
    layers : array of int16, shape (len(directory),)
        Layer of every location by its number, -1 for those on no sheet: they are seen from all layers.
    """

    def __init__(self, judge: SightJudge, survey: Survey, layers: NDArray[np.int16]) -> None:
        self.judge, self.survey, self.layers = judge, survey, layers
        self.names = layers_of(survey.grid, survey.model.sheets)

    def _apart(self, a: int) -> NDArray[np.bool_]:
        own = self.layers[a]
        apart: NDArray[np.bool_] = (self.layers >= 0) & (self.layers != own) & (own >= 0)
        return apart

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of one line."""
        one, two = int(self.layers[a]), int(self.layers[b])
        if one == two or min(one, two) < 0:
            return self.judge.sighting(a, b)
        label = self.survey.directory.label
        text = (
            f"{label(a)} is on the layer {self.names[one]}, {label(b)} on the layer {self.names[two]}: no line between"
        )
        reason = Reason("map", "", "blocks", text)
        return Sighting(label(a), label(b), "blocked", 0, {}, (reason,), (), ())

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the codes of all numbers as seen from one location, and how often each hindered one is hindered."""
        codes, hindrances = self.judge.field(a)
        apart = self._apart(a)
        flat = codes.ravel().copy()
        there = self.survey.directory.present & apart
        flat[there[: len(flat)]] = _BLOCKED
        return flat.reshape(codes.shape), {n: count for n, count in hindrances.items() if not apart[n]}

    def table(
        self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None
    ) -> NDArray[np.uint8] | PackedCodes | None:
        """Return the codes of all ordered pairs of locations, None where only fields of view can tell them."""
        codes = self.judge.table(numbers, progress)
        if codes is None or isinstance(codes, PackedCodes):
            return None
        layers = self.layers[numbers]
        apart = (layers[:, None] != layers[None, :]) & (layers[:, None] >= 0) & (layers[None, :] >= 0)
        return np.where(apart, np.uint8(_BLOCKED), codes)

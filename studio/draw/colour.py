"""Colours as people see them: simulated colour blindness and the difference of two colours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["OKABE_ITO", "VISIONS", "closest_pairs", "delta_e", "simulate"]

OKABE_ITO = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")
"""The palette of M. Okabe and K. Ito for readers of every colour vision."""

# G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A physiologically-based model for simulation of color vision
# deficiency", IEEE TVCG 15 (2009), severity 1.0; they apply to linear RGB.
_MACHADO = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
VISIONS = ("normal", *_MACHADO)
"""Kinds of colour vision that `simulate` knows."""

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def _linear(color: str) -> NDArray[np.float64]:
    value = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def simulate(color: str, vision: str) -> NDArray[np.float64]:
    """Return how a colour ``#rrggbb`` appears, as linear RGB from 0 to 1; `vision` is one of `VISIONS`."""
    linear = _linear(color)
    if vision == "normal":
        return linear
    return np.clip(np.array(_MACHADO[vision]) @ linear, 0, 1)


def _lab(linear: NDArray[np.float64]) -> tuple[float, float, float]:
    t = _XYZ @ linear / _WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return float(116 * f[1] - 16), float(500 * (f[0] - f[1])), float(200 * (f[1] - f[2]))


def delta_e(a: str, b: str, vision: str = "normal") -> float:
    """Return the CIEDE2000 difference of two colours under a kind of colour vision.

    About 2 is just seen side by side.

    Examples
    --------
    >>> delta_e("#ffffff", "#ffffff")
    0.0
    >>> round(delta_e("#000000", "#ffffff"))
    100
    """
    (l1, a1, b1), (l2, a2, b2) = _lab(simulate(a, vision)), _lab(simulate(b, vision))
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * math.cos(math.radians(hm - 30))
        + 0.24 * math.cos(math.radians(2 * hm))
        + 0.32 * math.cos(math.radians(3 * hm + 6))
        - 0.20 * math.cos(math.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rc = 2 * math.sqrt(cm**7 / (cm**7 + 25**7))
    rt = -rc * math.sin(math.radians(60 * math.exp(-(((hm - 275) / 25) ** 2))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return math.sqrt(dl * dl + dc * dc + dh * dh + rt * dc * dh)


def closest_pairs(colors: Mapping[str, str]) -> list[tuple[float, str, str, str]]:
    """Return (difference, one name, other name, vision) for every pair of colours and kind of vision, closest first."""
    return sorted(
        (delta_e(colors[a], colors[b], vision), a, b, vision)
        for a, b in itertools.combinations(colors, 2)
        for vision in VISIONS
    )

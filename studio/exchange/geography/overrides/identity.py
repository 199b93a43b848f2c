"""Whether a feature is still the one that was edited: data that grow may give its id to another one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.model import Feature, MapModel

__all__ = ["NEW", "described", "is_still"]

NEW = "nothing"
"""What a feature was that was drawn anew."""
_AT = " at "
_NEAR = 2
"""Hexes that a feature may have moved, as towns and rivers do when the data are better, and be the same one."""


def described(model: MapModel, feature: Feature) -> str:
    """Return what a feature is and where, for people and for :func:`is_still`.

    Parameters
    ----------
    model : MapModel
        That it is on.
    feature : Feature

    Returns
    -------
    str
        Such as ``area building '33' at 0512``.
    """
    points = _points(model, feature)
    cell = int(model.grid.cells_at(_middle(points))[0]) if len(points) else -1
    return _what(feature) + (_AT + model.labels.label(cell) if cell >= 0 else "")


def is_still(model: MapModel, feature: Feature, was: str) -> bool:
    """Tell whether a feature is about what it was: of one kind, type and name, and there or within two hexes.

    Parameters
    ----------
    model : MapModel
        That it is on now.
    feature : Feature
    was : str
        As :func:`described` said it; empty when nobody did.
    """
    if not was:
        return True
    if described(model, feature) == was:
        return True
    what, _, label = was.rpartition(_AT)
    cell, points = model.labels.find(label) if what else None, _points(model, feature)
    if cell is None or not len(points):
        return was == _what(feature)
    grid = model.grid
    reach = _NEAR * np.array([grid.width, grid.hex_height]) / np.array(grid.scale)
    spot = np.array(grid.centre(cell))
    near = (points.min(axis=0) - reach <= spot) & (spot <= points.max(axis=0) + reach)
    return what == _what(feature) and bool(near.all())


def _what(feature: Feature) -> str:
    kind = str(type(feature).__struct_config__.tag)
    name = getattr(feature, "name", "") or getattr(feature, "text", "")
    parts = [kind, getattr(feature, "type", ""), repr(" ".join(name.split())) if name else ""]
    return " ".join(part for part in parts if part)


def _middle(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the point of a feature that is nearest to the middle of its box: it lies on the map."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    return points[[int(np.argmin(((points - middle) ** 2).sum(axis=1)))]]


def _points(model: MapModel, feature: Any) -> NDArray[np.float64]:
    """Return where a feature lies, on the lattice; shape (n, 2), empty where nothing says it."""
    at: Any = getattr(feature, "at", None)
    labels = getattr(feature, "path", ()) or ((at,) if isinstance(at, str) else ())
    if labels:
        found: Any = [model.grid.centre(cell) for cell in map(model.labels.find, labels) if cell is not None]
    elif at is not None:
        found = [at]
    else:
        found = getattr(feature, "outline", ()) or getattr(feature, "line", ())
    return np.array(found, dtype=float).reshape(-1, 2)

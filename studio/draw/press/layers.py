"""Layers of printed maps: what belongs together, from below to above, by the zorders of the painters."""

from __future__ import annotations

__all__ = ["GROUPS", "LAYERS", "Layer", "group_of", "layer_at"]

from typing import NamedTuple


class Layer(NamedTuple):
    """A layer.

    Parameters
    ----------
    id : str
    title : str
    group : str
        What people switch on and off together.
    below : float
        Zorder at which the next one begins.
    """

    id: str
    title: str
    group: str
    below: float


LAYERS = (
    Layer("scan-below", "Scan below", "scan", 0.6),
    Layer("ground", "Ground", "terrain", 1.4),
    Layer("levels", "Levels", "relief", 1.9),
    Layer("patches", "Terrain", "terrain", 3.2),
    Layer("shading", "Shading", "relief", 3.8),
    Layer("terrain", "Terrain marks", "terrain", 4.25),
    Layer("scan", "Scan", "scan", 4.35),
    Layer("floors", "Floors", "areas", 4.95),
    Layer("hexes", "Hex grid", "hexes", 5.25),
    Layer("areas", "Areas and rooms", "areas", 5.95),
    Layer("contours", "Contours", "relief", 6.4),
    Layer("crests", "Crest lines", "sides", 6.55),
    Layer("water", "Bridged hexsides", "sides", 6.75),
    Layer("roads", "Roads", "roads", 7.7),
    Layer("arcs", "Arcs of fire", "signs", 7.95),
    Layer("sides", "Hexsides and walls", "sides", 8.35),
    Layer("openings", "Openings", "signs", 8.55),
    Layer("dots", "Dots", "signs", 8.68),
    Layer("signs", "Signs", "signs", 8.98),
    Layer("markers", "Markers", "signs", 9.25),
    Layer("set-up", "Set-up areas", "scenario", 9.9),
    Layer("numbers", "Hex numbers", "labels", 10.15),
    Layer("edge", "Edges of sheets", "frame", 10.25),
    Layer("labels", "Names", "labels", 17.0),
    Layer("play", "Out of play", "scenario", 19.0),
    Layer("frame", "Frame", "frame", 22.0),
    Layer("entries", "Entries", "scenario", 25.5),
    Layer("units", "Units", "units", 26.9),
    Layer("objectives", "Objectives and notes", "scenario", float("inf")),
)
"""All layers of a map, from below to above."""

GROUPS = {
    "scan": "Scan",
    "terrain": "Terrain",
    "relief": "Relief and contours",
    "areas": "Areas and rooms",
    "hexes": "Hex grid",
    "sides": "Hexsides, walls, crest lines",
    "roads": "Roads",
    "signs": "Signs and markers",
    "labels": "Hex numbers and names",
    "frame": "Frame",
    "scenario": "Scenario",
    "units": "Units",
    "press": "Crop marks and texts of the sheet",
}
"""What a reader of a PDF switches on and off, with its title."""

_BY_ID = {layer.id: layer for layer in LAYERS}


def layer_at(zorder: float) -> str:
    """Return the layer of what is drawn at a zorder.

    Examples
    --------
    >>> layer_at(1), layer_at(7.001), layer_at(26.02), layer_at(99)
    ('ground', 'roads', 'units', 'objectives')
    """
    return next(layer.id for layer in LAYERS if zorder < layer.below)


def group_of(layer: str) -> str:
    """Return the group of a layer; what is no layer of a map belongs to the sheet."""
    return _BY_ID[layer].group if layer in _BY_ID else "press"

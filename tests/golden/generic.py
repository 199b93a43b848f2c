"""A designer's own game: every setting of the ``[sight]`` table that changes what is said."""

from collections.abc import Iterator
from typing import Any

from studio.api import Map, new_map
from studio.sight import Conditions
from tests.golden import Line
from tests.sight.makers.generic import game


def own(sight: dict[str, Any] | None = None, **terrain: str) -> Map:
    """Return a map of 9 x 9 hexes with some hexes painted: ``own({}, wood="0303")``."""
    made = new_map(game(sight), columns=9, rows=9)
    for name, labels in terrain.items():
        made.paint(labels.split(), terrain=name)
    return made


def lines() -> Iterator[Line]:
    """Yield the lines, each on a small map of its own."""
    yield from _hexes()
    yield from _heights()
    yield from _sides()
    yield from _special()


def _hexes() -> Iterator[Line]:
    mixed = own(wood="0302", town="0303", forest="0304")
    yield "blocking and hindering terrain on level ground", mixed, "0301", "0305", {}
    towns = own({"modifiers": {"FP": -1}}, town="0302 0303", orchard="0304")
    yield "two hindrances and their modifier", towns, "0301", "0304", {}
    yield "the third hindrance blocks", towns, "0301", "0305", {}
    spine = own(wood="0402")
    yield "along one blocking hex, both must block", spine, "0303", "0503", {}
    yield "along one blocking hex, either blocks", spine, "0303", "0503", {"options": {"along": "either"}}
    yield "along one blocking hex, counted", spine, "0303", "0503", {"options": {"along": "count"}}
    yield "along two hindering hexes, the heavier counts", own(town="0402 0403"), "0303", "0503", {}
    corners = own(wood="0202 0402")
    yield "corners are free", corners, "0101", "0504", {}
    yield "corners count", corners, "0101", "0504", {"options": {"touch": "counts"}}
    yield "adjacent hexes", own(forest="0303 0304"), "0303", "0304", {}


def _heights() -> Iterator[Line]:
    hill = own(wood="0304").paint("0301", level=3)
    yield "the blind hex behind a wood", hill, "0301", "0305", {}
    yield "beyond the blind hex", hill, "0301", "0306", {}
    proportional = {"options": {"blind": "proportional"}}
    yield "blind hexes by height", hill, "0301", "0305", proportional
    interpolated = {"options": {"blind": "interpolated"}}
    yield "the true line of sight into a wood", hill, "0301", "0305", interpolated
    yield "the true line of sight over a wood", hill, "0301", "0309", interpolated
    ridge = own().paint("0304", level=2)
    yield "a ridge between two units on lower ground", ridge, "0301", "0306", {}
    yield "the ground ignored", ridge, "0301", "0306", {"options": {"ground": "ignored"}}


def _sides() -> Iterator[Line]:
    walled = own()
    walled.set_side("0302", "0303", "wall").set_side("0304", "0305", "hedge")
    yield "a wall and a hedge on the way", walled, "0301", "0306", {}
    yield "a hexside of the own hex", walled, "0302", "0304", {}
    yield "hexsides of the ends count", walled, "0302", "0304", {"options": {"end_sides": "counts"}}
    along = own()
    along.set_side("0402", "0403", "hedge")
    yield "along a hedge", along, "0303", "0503", {}
    yield "along a hedge that does not count", along, "0303", "0503", {"options": {"along_side": "free"}}


def _special() -> Iterator[Line]:
    smoky = own()
    smoky.add("marker", type="smoke", at="0303")
    smoky.add("marker", type="wreck", at="0304")
    yield "smoke and a wreck", smoky, "0301", "0306", {}
    air = {"conditions": Conditions(from_air=True)}
    yield "an air unit over a wood", own(wood="0303"), "0301", "0306", air
    haze = {"conditions": Conditions(haze_step=3, visibility=6)}
    yield "haze", own(), "0301", "0305", haze
    yield "beyond visibility", own(), "0301", "0309", haze

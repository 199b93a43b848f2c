"""What is asked for on paper: sizes, margins, inks, what is shown; every wrong value is refused by its name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec

from studio.draw.press.tones import Inks
from studio.errors import StudioError, nearest, shortened

__all__ = ["PAPERS", "PrintError", "PrintOptions", "read_options"]

PAPERS: Mapping[str, tuple[float, float]] = {
    "A5": (148.0, 210.0),
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "A2": (420.0, 594.0),
    "A1": (594.0, 841.0),
    "A0": (841.0, 1189.0),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
"""Sizes of paper in millimetres, upright."""

ONE = "one"
"""One page, as large as the map needs."""

_LEAST_HEX, _MOST_HEX = 3.0, 300.0
_MOST_SIDE = 5000.0  # millimetres of a page: what readers of PDF can show


class PrintError(StudioError, ValueError):
    """Something that cannot be printed as asked."""


class PrintOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a map or a scenario is printed; all lengths in millimetres.

    Parameters
    ----------
    hex_mm : float
        Width of a hex, from its leftmost to its rightmost point.
    flats_mm : float or None
        Instead: distance of two opposite sides, as sizes of hexes are mostly told.
    paper : str or (float, float)
        A size of paper, ``"one"`` for one page as large as the map needs, or width and height.
    orientation : {"auto", "portrait", "landscape"}
        The one that needs the fewest sheets with ``"auto"``.
    margin : float
        Unprinted rim of each sheet, with the crop marks in it.
    overlap : float
        Strip that neighbouring sheets share.
    bleed : float
        How far the picture goes on beyond the crop marks.
    marks : bool
        Crop and registration marks, and the names of the sheets.
    front : bool
        A page before the sheets: how they fit together, a ruler, the legend.
    legend : bool
    labels : bool
        Hex numbers and place names.
    inks : {"full", "safe", "grey", "saver"}
        All colours; sides in colours that everybody tells apart; greys; little ink.
    only_in_play : bool
        Nothing but the part of the map that a scenario uses.
    parts : tuple of str
        Of a map of several sheets only those with these ids, or of these layers; all when empty.
    hide : tuple of str
        Groups of layers that are left out, such as ``"labels"`` or ``"relief"``.
    units : bool or None
        Units on the map; by default unless counters are printed to set up.
    counters : bool
        Sheets of counters, the turn track and a card of the set-up too.
    counter_mm : float or None
        Width of a counter; by the size of the hexes otherwise.
    flip : {"long", "short"}
        The edge over which a printer for both sides turns the sheets of counters.
    backdrop : bool
        The scan of the map.
    dpi : int
        Of pictures in a PDF, and of a PNG.
    text : {"paths", "text"}
        Letters of an SVG: as outlines that look alike everywhere, or as text that can be changed.
    hex_data : bool
        In an SVG: a shape a hex with its label, terrain and level as data.
    most_sheets : int
        More sheets than that are refused.
    """

    hex_mm: float = 16.0
    flats_mm: float | None = None
    paper: str | tuple[float, float] = "A4"
    orientation: Literal["auto", "portrait", "landscape"] = "auto"
    margin: float = 10.0
    overlap: float = 8.0
    bleed: float = 0.0
    marks: bool = True
    front: bool = True
    legend: bool = True
    labels: bool = True
    inks: Inks = "full"
    only_in_play: bool = False
    parts: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    units: bool | None = None
    counters: bool = False
    counter_mm: float | None = None
    flip: Literal["long", "short"] = "long"
    backdrop: bool = False
    dpi: int = 300
    text: Literal["paths", "text"] = "paths"
    hex_data: bool = False
    most_sheets: int = 60

    def size(self) -> tuple[float, float] | None:
        """Return width and height of the upright paper, None for one page as large as needed."""
        if isinstance(self.paper, str):
            return None if self.paper == ONE else PAPERS[self.paper]
        return self.paper


def read_options(options: Mapping[str, Any]) -> PrintOptions:
    """Return options checked.

    Parameters
    ----------
    options : mapping
        Fields of `PrintOptions`.

    Raises
    ------
    PrintError
        Naming the option, what was got, and what is allowed.
    """
    from studio.draw.press.layers import GROUPS

    known = PrintOptions.__struct_fields__
    for name in options:
        if name not in known:
            raise PrintError(f"print: unknown option {shortened(name)}; {nearest(name, known)}")
    given = {**options}
    for name in ("parts", "hide"):
        if name in given:
            given[name] = [given[name]] if isinstance(given[name], str) else list(given[name])
    if isinstance(given.get("paper"), str):
        given["paper"] = _paper(given["paper"])
    for name, kinds in _WORDS.items():
        if name in given and given[name] not in kinds:
            raise PrintError(f"print: got {name}={shortened(given[name])}; {nearest(str(given[name]), kinds)}")
    try:
        found = msgspec.convert(given, PrintOptions)
    except msgspec.ValidationError as error:
        raise PrintError(f"print: {error}") from error
    for name in found.hide:
        if name not in GROUPS:
            raise PrintError(f"print: got hide={shortened(name)}; {nearest(name, GROUPS)}")
    _check_lengths(found)
    return found


_WORDS = {
    "orientation": ("auto", "portrait", "landscape"),
    "inks": get_args(Inks),
    "flip": ("long", "short"),
    "text": ("paths", "text"),
}


def _paper(name: str) -> str:
    for known in (*PAPERS, ONE):
        if name.lower() == known.lower():
            return known
    raise PrintError(
        f"print: got paper={shortened(name)}; {nearest(name, [*PAPERS, ONE])}, or width and height in millimetres"
    )


def _check_lengths(found: PrintOptions) -> None:
    def within(name: str, value: float, least: float, most: float, unit: str = " mm") -> None:
        if not (math.isfinite(value) and least <= value <= most):
            raise PrintError(f"print: got {name}={value:g}; allowed: {least:g} to {most:g}{unit}")

    within("hex_mm", found.hex_mm, _LEAST_HEX, _MOST_HEX)
    if found.flats_mm is not None:
        within("flats_mm", found.flats_mm, _LEAST_HEX, _MOST_HEX)
    if found.counter_mm is not None:
        within("counter_mm", found.counter_mm, 5, 60)
    within("dpi", found.dpi, 50, 1200, " dots per inch")
    within("most_sheets", found.most_sheets, 1, 100_000, " sheets")
    within("margin", found.margin, 0, 100)
    within("bleed", found.bleed, 0, 20)
    size = found.size()
    if size is not None:
        for name, value in zip(("width", "height"), size, strict=True):
            within(f"paper {name}", value, 50, _MOST_SIDE)
        room = min(size) - 2 * found.margin
        if room < 30:
            raise PrintError(
                f"print: got margin={found.margin:g}; paper of {size[0]:g} x {size[1]:g} mm has {room:g} mm left then, "
                f"and needs 30: allowed up to {(min(size) - 30) / 2:g} mm"
            )
        within("overlap", found.overlap, 0, round(room / 2, 1))
    if found.marks and found.bleed and found.margin < found.bleed + 5:
        raise PrintError(
            f"print: got bleed={found.bleed:g} with margin={found.margin:g}; crop marks need a margin of "
            f"{found.bleed + 5:g} mm then. Give a wider margin, less bleed, or marks=False"
        )

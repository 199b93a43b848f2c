"""What is cut out: the fronts and backs of all counters and markers of a scenario, as plates of ten millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
import numpy as np

from studio.draw.counterfaces import SIDE_SHAPES, Counters, side_colors
from studio.draw.counterpen import FIELD, CounterPen, Face, vertices_of
from studio.draw.press.fonts import font_file
from studio.draw.press.plate import Look, PathMark, Plate, TextMark
from studio.draw.press.source import Source
from studio.draw.press.tones import Tone, tone_of
from studio.draw.style import mix
from studio.model import UnitRecord
from studio.rules.roster import figure_of

__all__ = ["NOMINAL", "SIDE_SIGNS", "CounterSet", "Cut", "face_plate", "scaled_width"]

NOMINAL = 10.0
"""Millimetres of a counter's plate, whatever the counter measures on paper."""

_EACH = 4  # markers of a kind
_CONTROL = 12  # at most, of a side
_PAPER, _DARK, _CARD = "#ffffff", "#1d1a17", "#e9e4d6"
_FONTS = ("DejaVu Sans",)


class Cut(NamedTuple):
    """A counter to cut out: its front and its back."""

    front: Plate
    back: Plate


def face_plate(face: Face, tone: Tone) -> Plate:
    """Return the marks of a counter as a plate of ten millimetres."""
    plate, step = Plate(shared=True), NOMINAL / FIELD
    for mark in face.marks:
        points, codes = vertices_of(mark.path)
        look = Look(
            tone(mark.fill, "units", True) if mark.fill else "",
            tone(mark.stroke, "units", False) if mark.stroke else "",
            mark.width * step if mark.stroke else 0.0,
            (mark.dash * step, mark.dash * step) if mark.dash and mark.stroke else (),
            join="round",
        )
        plate.add("units", PathMark(points * step, codes, look))
    for word in face.words:
        _word(
            plate, word.text, word.x * step, word.y * step, word.size * step, tone(word.color, "units", True), word.bold
        )
    return plate


def _word(plate: Plate, text: str, x: float, y: float, size: float, color: str, bold: bool) -> None:
    from studio.draw.press.fonts import has_letters, text_width

    font = font_file(_FONTS)
    wide = text_width(text, font) * size
    look = Look(color, color if bold else "", 0.05 * size if bold else 0.0, join="round")
    mark = TextMark(text, font, x - wide / 2, y + 0.36 * size, size, wide, look)
    if has_letters(font, text):
        plate.add("units", mark)
    else:
        outline = mark.outline()
        if outline is not None:
            plate.add("units", outline)


class CounterSet:
    """All counters and markers of a scenario.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self.source, self.document = source, source.shown.document
        self.tone = tone_of(source.options.inks)
        self.counters = Counters.of(source.shown.ruleset, self.document)
        self.colors = side_colors(self.document.forces)
        self._plates: dict[Face, Plate] = {}

    def units(self) -> Iterable[Cut]:
        """Yield the counters of all units, side by side and formation by formation."""
        for side, force in enumerate(self.document.forces):
            for formation in force.formations:
                for unit in formation.units:
                    cut = self._unit(unit, side, force.name)
                    yield from [cut] * unit.count

    def markers(self) -> Iterable[Cut]:
        """Yield the markers: of turn, activation, cup, control, and those of the game."""
        document = self.document
        yield self._both(_words_face(document.length_unit.capitalize(), "▶", _CARD))
        yield from self._activation()
        for side, force in enumerate(document.forces):
            many = sum(len(one.hexes) for one in document.objectives)
            face = _words_face(force.name, "⚑", mix(self.colors[side].lower(), _PAPER, 500))
            yield from [self._both(face)] * min(_CONTROL, many)
        for name, marker in self.source.map.ruleset.marker_types.items():
            plate = self._marker(name, marker.name)
            yield from [Cut(plate, plate)] * _EACH

    def _activation(self) -> Iterable[Cut]:
        document = self.document
        parts = [(side, part) for side, force in enumerate(document.forces) for part in force.formations]
        drawn = document.cup or document.length_unit == "activation" or any(p.activation_markers != 1 for _, p in parts)
        for side, part in parts if drawn else ():
            face = _words_face(
                part.name, SIDE_SIGNS[side % len(SIDE_SIGNS)], mix(self.colors[side].lower(), _PAPER, 350)
            )
            yield from [self._both(face)] * part.activation_markers
        sides = [force.id for force in document.forces]
        for one in document.cup:
            color = self.colors[sides.index(one.side)] if one.side in sides else _CARD
            pale = mix(color.lower(), _PAPER, 350) if one.side in sides else color
            yield from [self._both(_words_face(self.counters.name(one.type), "●", pale))] * one.count

    def _unit(self, unit: UnitRecord, side: int, force: str) -> Cut:
        one = msgspec.structs.replace(unit, count=1)
        front = self.counters.face(self.counters.of_unit(one, side, self.colors[side]))
        if self._marker_kind(unit):
            return self._both(front)
        if self._has_reduced_side(unit):
            weak = msgspec.structs.replace(one, status=(*unit.status, "reduced"))
            back = self.counters.face(self.counters.of_unit(weak, side, self.colors[side]))
        else:
            back = _back_face(force, side, self.colors[side])
        return Cut(self._plate(front), self._plate(back))

    def _marker_kind(self, unit: UnitRecord) -> bool:
        return getattr(self.counters.roster.get(unit.type), "kind", "") == "marker"

    def _has_reduced_side(self, unit: UnitRecord) -> bool:
        """Tell whether a unit can be reduced: it has more than one step, or figures for then."""
        kind = self.counters.roster.get(unit.type)
        if kind is None or "reduced" in unit.status:
            return False
        reduced = any(name.startswith("reduced") and getattr(kind, name) for name in kind.__struct_fields__)
        return reduced or (figure_of(kind, "steps") or 0) > 1

    def _plate(self, face: Face) -> Plate:
        if face not in self._plates:
            self._plates[face] = face_plate(face, self.tone)
        return self._plates[face]

    def _both(self, face: Face) -> Cut:
        plate = self._plate(face)
        return Cut(plate, plate)

    def _marker(self, name: str, title: str) -> Plate:
        """Return the plate of a marker of the game: its icon as on the map, and its name."""
        from studio.draw.canvas import Canvas
        from studio.draw.letters import draw_marker
        from studio.draw.press.recorder import record
        from studio.draw.press.source import plain_axes
        from studio.draw.said import keep_words

        pen = CounterPen()
        pen.box(30, 30, 940, 940, round=70, fill=_CARD, stroke=_DARK, width=26)
        _lines(pen, title, 785, 2, 122.0)
        plate = face_plate(pen.face(), self.tone)
        px = 100.0
        ax = plain_axes((0, 0, 1, 1), px)
        ax.set_xlim(0, 1)
        ax.set_ylim(1, 0)
        with keep_words():
            draw_marker(Canvas(ax, self.source.style, 0.001, px, px * 72 / 100 / 1000), name, (0.5, 0.4), 600)
        return record(ax, plate, mm=NOMINAL / px, inks=self.source.options.inks, layer="units")


SIDE_SIGNS = ("●", "◆", "▼", "■", "○", "▬")
"""Shapes of the sides as letters."""


def _words_face(words: str, sign: str, color: str) -> Face:
    """Return a marker with a sign and some words."""
    pen = CounterPen()
    pen.box(30, 30, 940, 940, round=70, fill=color, stroke=_DARK, width=26)
    pen.word(sign, 500, 330, 330)
    _lines(pen, words, 700, 3)
    return pen.face()


def _lines(pen: CounterPen, text: str, middle: float, most: int, largest: float = 150.0) -> None:
    """Write words in a few lines around a height, as large as they go."""
    import textwrap

    longest = max((len(word) for word in text.split()), default=1)
    widths = range(max(6, longest), 19)
    wide = next((n for n in widths if len(textwrap.wrap(text, n)) <= most), 18)
    lines = textwrap.wrap(text, wide, max_lines=most, placeholder="…") or [text]
    size = min(largest, 1330 / max(6, *(len(line) for line in lines)))
    for n, line in enumerate(lines):
        pen.word(line, 500, middle + (n - (len(lines) - 1) / 2) * 1.15 * size, size)


def _back_face(force: str, side: int, color: str) -> Face:
    """Return the back of a unit that has one face only: whose it is, and nothing of what it is."""
    pen, pale = CounterPen(), mix(color.lower(), _PAPER, 250)
    pen.box(30, 30, 940, 940, round=70, fill=pale, stroke=_DARK, width=26)
    ring = {"round": 40, "stroke": _PAPER, "width": 20}
    pen.box(95, 95, 810, 810, **ring)  # type: ignore[arg-type]
    x, y, r = 500, 420, 190
    look: dict[str, Any] = {"fill": _PAPER, "stroke": _DARK, "width": 24}
    match SIDE_SHAPES[side % len(SIDE_SHAPES)]:
        case "disc":
            pen.disc(x, y, r, **look)
        case "ring":
            pen.disc(x, y, r, **look)
            pen.disc(x, y, r * 0.5, fill=pale, stroke=_DARK, width=24)
        case "diamond":
            pen.shape((x, y - r), (x + r, y), (x, y + r), (x - r, y), **look)
        case "triangle":
            pen.shape((x - r, y - r * 0.8), (x + r, y - r * 0.8), (x, y + r), **look)
        case "square":
            pen.box(x - r * 0.85, y - r * 0.85, r * 1.7, r * 1.7, **look)
        case _:
            pen.box(x - r, y - r * 0.4, 2 * r, r * 0.8, **look)
    _lines(pen, force, 770, 2)
    return pen.face()


def scaled_width(source: Source) -> float:
    """Return the width of a counter in millimetres: as asked for, or so that it lies well in a hex."""
    asked = source.options.counter_mm
    return asked if asked is not None else float(np.clip(round(2 * 0.85 * source.flats_mm) / 2, 8.0, 25.0))

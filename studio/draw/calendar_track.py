"""The parts of a turn track: boxes of turns with arriving counters, badges of events, light and dark, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.counterfaces import SIDE_SHAPES, Counters, side_colors
from studio.draw.counters import Standee, draw_counter
from studio.draw.letters import draw_text, text_path
from studio.draw.washes import DARK
from studio.model import Formation, ScenarioDocument
from studio.model.calendar import CalendarItem, CalendarRow
from studio.model.wording import alike_units

__all__ = ["BADGES", "TrackPen", "badge_key", "height_of"]

_BAND, _ARRIVAL, _FOOT = 0.24, 0.45, 0.2
"""Heights of the band of a box, of an arrival in it, and of the line of its badges, in the width of a box."""

PAPER = "#fffdf6"
_LIGHTS = {
    "": ("#e9e1cc", PAPER, DARK, ""),
    "day": ("#f4dd8d", "#fffbe8", DARK, "☀"),
    "dusk": ("#b9a1b8", "#efe6ee", DARK, "☾"),
    "dawn": ("#d9b9a0", "#f8ece2", DARK, "☀"),
    "night": ("#2f3a56", "#c9cfdd", "#ffffff", "☾"),
}
"""Colours of the band and of the ground of a box, of the letters on the band, and its sign, by the light."""

BADGES = {"event": "diamond", "support": "burst", "cup": "disc", "ending": "flag", "period": "square"}
"""Shapes of the badges of what happens in a turn."""

_BADGE_INK = {"event": "#0072b2", "support": "#b34a00", "cup": "#4d4d4d", "ending": "#111111", "period": "#5b5b8c"}
_COUNTERS, _ARRIVALS, _MOST_BADGES = 3, 3, 6
_COUNTER = 0.255


def badge_key(item: CalendarItem) -> tuple[str, str]:
    """Return what items with one number have in common: an event that happens again keeps its own."""
    return (item.kind, item.record)


def height_of(rows: Sequence[CalendarRow]) -> float:
    """Return how high the boxes of one line must be for what happens in them."""
    arrivals = max(min(_ARRIVALS, len(_arriving(row))) + 0.25 * (len(_arriving(row)) > _ARRIVALS) for row in rows)
    badges = any(item.kind in BADGES for row in rows for item in row.items)
    return max(0.62, _BAND + 0.06 + _ARRIVAL * arrivals + (_FOOT if badges else 0.04))


def _arriving(row: CalendarRow) -> list[CalendarItem]:
    return [item for item in row.items if item.kind in ("arrival", "arrival_latest")]


class Block(NamedTuple):
    """A box: its upper left corner and its size."""

    x: float
    y: float
    wide: float
    high: float


class TrackPen:
    """Draws the boxes of a turn track.

    Parameters
    ----------
    canvas : Canvas
        A unit of its axes is the width of a box.
    document : ScenarioDocument
    counters : Counters
    numbers : mapping
        Numbers of the badges by :func:`badge_key`.
    """

    def __init__(
        self,
        canvas: Canvas,
        document: ScenarioDocument,
        counters: Counters,
        numbers: Mapping[tuple[str, str], int],
    ) -> None:
        self.canvas, self.document, self.counters, self.numbers = canvas, document, counters, numbers
        self.colors = side_colors(document.forces)
        self.sides = {force.id: n for n, force in enumerate(document.forces)}
        self.parts: dict[tuple[str, str], Formation] = {
            (force.id, part.id): part for force in document.forces for part in force.formations
        }

    # -- letters -----------------------------------------------------------------------------------------------------

    def word(
        self, text: str, x: float, y: float, height: float, color: str = DARK, *, most: float = 99.0, bold: bool = False
    ) -> float:
        """Write a text from a point on to the right, cut where there is no more room; return its width."""
        fonts = self.canvas.style.letters.fonts
        text = " ".join(text.split())
        wide = text_path(text[:200], fonts)[2] * height if text else 0.0
        if wide > most:
            while len(text) > 1 and text_path(f"{text}…", fonts)[2] * height > most:
                text = text[: max(1, int(len(text) * 0.94) if len(text) > 40 else len(text) - 1)]
            text = f"{text.rstrip()}…"
            wide = text_path(text, fonts)[2] * height
        if text:
            draw_text(self.canvas, text, np.array([x + wide / 2, y]), height, color, 5, bold=bold)
        return wide

    def box(
        self, at: Block, fill: str, edge: str = DARK, width: float = 0.9, dash: object = "solid", z: float = 1
    ) -> None:
        """Draw a rectangle."""
        x, y, wide, high = at
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        self.canvas.shape(corners, Ink(z, fill, edge, width, join="round", dash=dash))

    # -- a turn ------------------------------------------------------------------------------------------------------

    def turn(self, row: CalendarRow, x: float, y: float, high: float, *, last: bool) -> None:
        """Draw the box of a turn, or of several in which nothing begins."""
        band, ground, ink, sign = _LIGHTS[row.light]
        at = Block(x + 0.02, y + 0.02, 0.96, high - 0.04)
        dash = [(0, (3, 2))] if row.extra or row.quiet else "solid"
        self.box(at, PAPER if row.quiet and not row.light else ground)
        self.box(Block(at.x, at.y, at.wide, 0.22), "#f3efe3" if row.extra else band, "none", 0, z=1.1)
        self.box(at, "none", DARK, 2.2 if last else 1.0, dash, z=1.5)
        number = f"{row.turn}–{row.last}" if row.quiet else str(row.turn)
        used = self.word(number, at.x + 0.06, at.y + 0.115, 0.15, ink, bold=True, most=0.8)
        self.word(row.title, at.x + 0.12 + used, at.y + 0.12, 0.1, ink, most=at.wide - used - (0.32 if sign else 0.16))
        if sign:
            self.word(sign, at.x + at.wide - 0.18, at.y + 0.115, 0.15, ink)
        if row.quiet:
            self.word("…", at.x + 0.38, at.y + 0.22 + (at.high - 0.22) / 2, 0.2)
        if row.extra:
            self.word("if play goes on", at.x + 0.06, at.y + 0.31, 0.085, "#555555", most=0.84)
        self._arrivals(row, at)
        self._badges(row, at)
        if last:
            self._end(at)

    def _end(self, at: Block) -> None:
        wide = 0.3
        self.box(Block(at.x + at.wide - wide, at.y + at.high - 0.17, wide, 0.17), DARK, DARK, 0.5, z=3)
        self.word("END", at.x + at.wide - wide + 0.045, at.y + at.high - 0.083, 0.1, "#ffffff", bold=True)

    def _arrivals(self, row: CalendarRow, at: Block) -> None:
        arriving = _arriving(row)
        y = at.y + 0.3 + (0.08 if row.extra else 0)
        for item in arriving[:_ARRIVALS]:
            side = self.sides.get(item.side, 0)
            self.shape(side, at.x + 0.09, y, 0.035)
            if item.kind == "arrival_latest":
                mark = "≤"
            else:
                mark = "" if self.parts[item.side, item.formation].when is None else "?"
            room = at.wide - (0.3 if mark else 0.18)
            self.title(item.title, at.x + 0.15, y, room)
            if mark:
                self.word(mark, at.x + at.wide - 0.12, y, 0.12, bold=True)
            self.counters_of(item, at.x + 0.05, y + 0.25, _COUNTER, _COUNTERS)
            y += _ARRIVAL
        if len(arriving) > _ARRIVALS:
            self.word(f"and {len(arriving) - _ARRIVALS} more", at.x + 0.09, y, 0.085, "#444444")

    def title(self, text: str, x: float, y: float, most: float) -> None:
        """Write the name of a formation in one line, or smaller in two."""
        fonts = self.canvas.style.letters.fonts
        if text_path(text[:200] or " ", fonts)[2] * 0.084 <= most or " " not in text:
            self.word(text, x, y, 0.084, most=most, bold=True)
            return
        words = text.split()
        cuts = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, min(len(words), 12))]
        first, second = min(cuts, key=lambda cut: max(len(cut[0]), len(cut[1])))
        self.word(first, x, y - 0.03, 0.075, most=most, bold=True)
        self.word(second, x, y + 0.06, 0.075, most=most, bold=True)

    def counters_of(self, item: CalendarItem, x: float, y: float, size: float, most: int) -> None:
        """Draw the counters of a formation side by side, of many the first ones and how many more there are."""
        part = self.parts[item.side, item.formation]
        side = self.sides.get(item.side, 0)
        alike = alike_units(part.units)
        for n, (unit, count) in enumerate(alike[:most]):
            look = self.counters.of_unit(msgspec.structs.replace(unit, count=min(count, 1000)), side, self.colors[side])
            spot = np.array([x + size / 2 + n * size * 1.04, y])
            draw_counter(self.canvas, Standee(self.counters.face(look)), spot, size, "flat", 3 + 0.01 * n)
        left = sum(count for _, count in alike[most:])
        if left:
            self.word(f"+{left}", x + most * size * 1.04 + 0.01, y, 0.07, "#333333")

    def shape(self, side: int, x: float, y: float, r: float) -> None:
        """Draw the shape of a side in its colour."""
        color = self.colors[side] if side < len(self.colors) else "#555555"
        ink = Ink(4, color, DARK, 0.5, join="round")
        match SIDE_SHAPES[side % len(SIDE_SHAPES)]:
            case "disc":
                self.canvas.disc((x, y), r, ink)
            case "ring":
                self.canvas.disc((x, y), r, Ink(4, PAPER, color, 1.6))
            case "diamond":
                self.canvas.shape([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], ink)
            case "triangle":
                self.canvas.shape([(x - r, y - r), (x + r, y - r), (x, y + r)], ink)
            case "square":
                self.canvas.shape([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], ink)
            case _:
                self.canvas.shape([(x - r, y - r / 2), (x + r, y - r / 2), (x + r, y + r / 2), (x - r, y + r / 2)], ink)

    # -- badges ------------------------------------------------------------------------------------------------------

    def _badges(self, row: CalendarRow, at: Block) -> None:
        shown = [item for item in row.items if item.kind in BADGES and badge_key(item) in self.numbers]
        for n, item in enumerate(shown[:_MOST_BADGES]):
            if n == _MOST_BADGES - 1 and len(shown) > _MOST_BADGES:
                self.word(f"+{len(shown) - n}", at.x + 0.04 + 0.152 * n, at.y + at.high - 0.11, 0.08)
                break
            self.badge(item.kind, str(self.numbers[badge_key(item)]), at.x + 0.1 + 0.152 * n, at.y + at.high - 0.11)

    def badge(self, kind: str, number: str, x: float, y: float, r: float = 0.07) -> None:
        """Draw a badge with its number: its shape tells what it is of."""
        ink = Ink(4, _BADGE_INK[kind], "#ffffff", 0.8, join="round")
        match BADGES[kind]:
            case "disc":
                self.canvas.disc((x, y), r, ink)
            case "diamond":
                s = 1.3 * r
                self.canvas.shape([(x, y - s), (x + s, y), (x, y + s), (x - s, y)], ink)
            case "square":
                self.canvas.shape([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], ink)
            case "flag":
                self.canvas.shape(
                    [(x - r, y - r), (x + 1.2 * r, y - r), (x + 0.8 * r, y), (x + 1.2 * r, y + r), (x - r, y + r)], ink
                )
            case _:
                angles = np.arange(16) * np.pi / 8
                reach = np.where(np.arange(16) % 2, 0.95, 1.4) * r
                self.canvas.shape(np.column_stack([x + reach * np.cos(angles), y + reach * np.sin(angles)]), ink)
        if not number:
            return
        size = 0.088 if len(number) < 2 else 0.074
        draw_text(self.canvas, number, np.array([x, y]), size, "#ffffff", 4.5, bold=True)

    # -- the set-up --------------------------------------------------------------------------------------------------

    def set_up(self, items: Sequence[CalendarItem], x: float, y: float, wide: float, across: int) -> float:
        """Draw the box of the set-up, formation beside formation in their order; return its height."""
        shown = items[: 4 * across]
        lines = max(1, -(-len(shown) // across))
        high = 0.2 + 0.44 * lines + (0.16 if len(items) > len(shown) else 0.04)
        self.box(Block(x + 0.02, y + 0.02, wide - 0.04, high - 0.04), PAPER)
        self.box(Block(x + 0.02, y + 0.02, wide - 0.04, 0.18), "#e9e1cc", "none", 0, z=1.1)
        self.box(Block(x + 0.02, y + 0.02, wide - 0.04, high - 0.04), "none", DARK, 1.0, z=1.5)
        self.word("Set-up, in this order" if len(items) > 1 else "Set-up", x + 0.08, y + 0.115, 0.125, bold=True)
        step = (wide - 0.08) / across
        for n, item in enumerate(shown):
            left, top = x + 0.08 + (n % across) * step, y + 0.28 + (n // across) * 0.44
            self.shape(self.sides.get(item.side, 0), left + 0.04, top, 0.035)
            pool = " (pool)" if item.kind == "pool" else ""
            number = f"{n + 1}  " if len(items) > 1 and not pool else ""
            self.word(f"{number}{item.title}{pool}", left + 0.1, top, 0.092, bold=True, most=step - 0.16)
            self.counters_of(item, left, top + 0.175, 0.22, max(1, int((step - 0.35) / 0.23)))
        if len(items) > len(shown):
            self.word(f"and {len(items) - len(shown)} more", x + 0.08, y + high - 0.13, 0.092, "#444444")
        return high

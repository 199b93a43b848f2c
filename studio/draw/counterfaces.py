"""What is on the counter of a unit: its sign, values, quality and state, by the roster and by the scenario."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from studio.draw.countericons import FIGURES, FRAME, SIGNS, THINGS
from studio.draw.counterpen import CounterPen, Face
from studio.draw.style import mix
from studio.model import Force, ScenarioDocument, UnitRecord
from studio.rules.roster import figure_of, roster_of

__all__ = [
    "QUALITIES",
    "SIDE_COLORS",
    "SIDE_SHAPES",
    "STATES",
    "Counters",
    "FaceOf",
    "side_colors",
]

SIDE_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours of the sides in their order, told apart by every colour vision."""

SIDE_SHAPES = ("disc", "diamond", "triangle", "square", "ring", "bar")
"""What else tells the counters of the sides apart, in their order."""

STATES = {
    "hidden": "?",
    "covert": "C",
    "reduced": "½",
    "immobilised": "I",
    "wreck": "✕",
    "shaken": "S",
    "broken": "B",
    "suppressed": "U",
    "pinned": "P",
    "detached": "D",
    "ladder": "L",
}
"""Signs of what can hold for units at the start."""

QUALITIES = {"elite": "★", "veteran": "☆", "recruit": "▽", "poor": "▼"}

_DARK, _PAPER, _WOOD = "#1d1a17", "#ffffff", "#8a6a3e"
_FOLDER = Path(__file__).parent / "rosters"
_TITLE = 128
_MARKER = "#e9e4d6"


class Table(NamedTuple):
    """What the counters of a game show."""

    title: str
    values: tuple[str, ...]
    pips: str
    block: bool
    echelon: str
    signs: Mapping[str, str]
    echelons: Mapping[str, str]


@lru_cache
def _table(ruleset: str) -> Table:
    file = _FOLDER / f"{ruleset}.toml"
    raw: dict[str, Any] = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return Table(
        raw.get("title", "name"),
        tuple(raw.get("values", ("attack", "defence", "movement", "points"))),
        raw.get("pips", ""),
        raw.get("block", False),
        raw.get("echelon", ""),
        raw.get("signs", {}),
        raw.get("echelons", {}),
    )


def _first(patterns: Mapping[str, str], kind: Any, name: str) -> str | None:
    for pattern, found in patterns.items():
        what, _, word = pattern.partition(":")
        if word and what in ("role", "kind"):
            if getattr(kind, what, "") == word:
                return found
        elif fnmatchcase(name, pattern):
            return found
    return None


class FaceOf(NamedTuple):
    """What decides how a counter looks; equal ones look alike."""

    type: str
    side: int
    color: str
    title: str
    values: str
    quality: str
    status: tuple[str, ...]
    many: int


def side_colors(forces: Sequence[Force]) -> list[str]:
    """Return the colours of the sides of a scenario: their own, else by their order."""
    return [force.color or SIDE_COLORS[n % len(SIDE_COLORS)] for n, force in enumerate(forces)]


class Counters:
    """The counters of a scenario.

    Parameters
    ----------
    ruleset : str
        Id of the game.
    roster : mapping
        Its types of unit, by id; empty for a game without a roster.
    like : mapping of str to str, optional
        Types of a designer's own with the type of the game whose sign they have.
    """

    def __init__(self, ruleset: str, roster: Mapping[str, Any], like: Mapping[str, str] | None = None) -> None:
        self.roster, self.table = roster, _table(ruleset)
        self._like = dict(like or {})
        self._faces: dict[FaceOf, Face] = {}

    @classmethod
    def of(cls, ruleset: Any, document: ScenarioDocument | None = None) -> Counters:
        """Return the counters of a game, with those of a scenario's own kinds of units.

        Parameters
        ----------
        ruleset : Ruleset
        document : ScenarioDocument, optional
        """
        if document is None or not document.roster:
            return cls(ruleset.id, ruleset.scenario.roster() if ruleset.has_scenario else {})
        like = {one.id: one.like for one in document.roster if one.like}
        return cls(ruleset.id, roster_of(ruleset, document), like)

    # -- what decides the look ---------------------------------------------------------------------------------------

    def of_unit(self, unit: UnitRecord, side: int, color: str) -> FaceOf:
        """Return what decides how units look.

        Parameters
        ----------
        unit : UnitRecord
        side : int
            Place of their force among the forces.
        color : str
            Of their force.
        """
        kind = self.roster.get(unit.type)
        title = unit.id if self.table.title == "id" else self.name(unit.type)
        return FaceOf(
            unit.type, side, color, _short(title), self._values(kind, unit), unit.quality, unit.status, unit.count
        )

    def of_type(self, unit_type: str, side: int, color: str) -> FaceOf:
        """Return what decides how a counter of a type looks, for a palette."""
        return self.of_unit(UnitRecord(id=unit_type.rpartition(".")[2], type=unit_type), side, color)

    def faces(self, document: ScenarioDocument) -> dict[str, FaceOf]:
        """Return what decides the look of all units of a scenario, by their ids."""
        colors = side_colors(document.forces)
        return {
            unit.id: self.of_unit(unit, side, colors[side])
            for side, force in enumerate(document.forces)
            for formation in force.formations
            for unit in formation.units
        }

    def name(self, unit_type: str) -> str:
        """Return what a type is called."""
        kind = self.roster.get(unit_type)
        return str(kind.name) if kind is not None else unit_type.rpartition(".")[2].replace("_", " ")

    def _values(self, kind: Any, unit: UnitRecord) -> str:
        found = [unit.figures.get(name, figure_of(kind, name) or 0) for name in self.table.values]
        return "-".join(str(value) if value else "·" for value in found) if any(found) else ""

    def _pattern(self, unit_type: str) -> str:
        """Return the type of the game by whose name the sign of a type is found."""
        seen: set[str] = set()
        while unit_type in self._like and unit_type not in seen:
            seen.add(unit_type)
            unit_type = self._like[unit_type]
        return unit_type

    # -- drawing -----------------------------------------------------------------------------------------------------

    def face(self, look: FaceOf) -> Face:
        """Return the marks of a counter; equal looks share them."""
        if look not in self._faces:
            self._faces[look] = self._drawn(look)
        return self._faces[look]

    def _drawn(self, look: FaceOf) -> Face:
        pen, kind = CounterPen(_DARK), self.roster.get(look.type)
        marker = getattr(kind, "kind", "") == "marker"
        _body(pen, look, block=self.table.block and not marker, marker=marker)
        self._sign(pen, look, kind)
        pen.word(look.title, 500, 158, min(_TITLE, 1250 / max(6, len(look.title))))
        if not marker:
            echelon = _first(self.table.echelons, kind, self._pattern(look.type)) or self.table.echelon
            pen.word(echelon if getattr(kind, "kind", "") != "support_weapon" else "", 500, 240, 84)
            _side_shape(pen, look)
        self._figures(pen, look, kind)
        _states(pen, look)
        return pen.face()

    def _sign(self, pen: CounterPen, look: FaceOf, kind: Any) -> None:
        words = (_first(self.table.signs, kind, self._pattern(look.type)) or _guess(kind)).split()
        if words[0] == "text":
            pen.word(" ".join(words[1:]), 500, 470, 330 if len(words[1]) < 3 else 250)
        elif words[0] in ("figure", "thing"):
            (FIGURES if words[0] == "figure" else THINGS)[words[1]](pen)
        elif words[0] == "plain":
            for word in words[1:]:
                SIGNS[word](pen)
        else:
            x, y, wide, high = FRAME
            pen.box(x, y, wide, high, fill=_PAPER)
            for word in words:
                if word[0] == "=":
                    pen.box(x + wide / 2 - 130, y + high - 122, 260, 122, fill=_PAPER, stroke=_DARK, width=20)
                    pen.word(word[1:], 500, y + high - 60, 104)
                else:
                    SIGNS[word](pen)
            pen.box(x, y, wide, high, stroke=_DARK, width=32)

    def _figures(self, pen: CounterPen, look: FaceOf, kind: Any) -> None:
        pips = (figure_of(kind, self.table.pips) or 0) if self.table.pips else 0
        if look.many > 1:
            pen.box(660, 745, 290, 195, round=40, fill=_DARK)
            pen.word(f"×{look.many}", 805, 845, 165, _PAPER)
        where = 500 if look.many == 1 else 345
        pen.word(look.values, where, 800 if pips else 845, 200 if len(look.values) < 6 else 165)
        for n in range(pips or 0):
            pen.disc(where + 90 * (n - (pips - 1) / 2), 920 if look.values else 860, 28, fill=_DARK)


def _guess(kind: Any) -> str:
    """Return the sign of a type that no table knows."""
    return {"vehicle": "armor", "air": "plane", "support_weapon": "plain rocket", "marker": "text !"}.get(
        getattr(kind, "kind", ""), "infantry"
    )


def _short(title: str, most: int = 16) -> str:
    """Return a name that fits on a counter."""
    words = title.replace("(", "").replace(")", "").replace("'", "").split()
    while len(" ".join(words)) > most and len(words) > 1:
        words.pop()
    text = " ".join(words)
    return text if len(text) <= most else text[: most - 1] + "…"


def _body(pen: CounterPen, look: FaceOf, *, block: bool, marker: bool) -> None:
    pale = _MARKER if marker else mix(look.color.lower(), "#ffffff", 560)
    hidden, wreck = "hidden" in look.status, "wreck" in look.status
    fill = mix(pale, "#777777", 450) if wreck else pale
    if block:
        # A block stands on its edge: two of its sides show.
        pen.shape((60, 90), (130, 20), (985, 20), (985, 880), (915, 950), (60, 950), fill=_WOOD, stroke=_DARK, width=18)
        pen.box(40, 70, 890, 890, round=30, fill=fill, stroke=_DARK, width=26, dash=60 if hidden else 0)
    else:
        pen.box(30, 30, 940, 940, round=70, fill=fill, stroke=_DARK, width=26, dash=60 if hidden else 0)
    if not marker:
        pen.box(62, 92 if block else 52, 846 if block else 876, 34, fill=look.color)
    if "reduced" in look.status:
        pen.shape((40, 960), (40, 560), (440, 960), fill=mix(look.color.lower(), "#000000", 250))


def _side_shape(pen: CounterPen, look: FaceOf) -> None:
    """Draw the shape of a side in the corner: sides are told apart without their colours."""
    x, y, r = 116, 250, 48
    match SIDE_SHAPES[look.side % len(SIDE_SHAPES)]:
        case "disc":
            pen.disc(x, y, r, fill=look.color, stroke=_PAPER, width=12)
        case "ring":
            pen.disc(x, y, r - 10, fill=_PAPER, stroke=look.color, width=26)
        case "diamond":
            pen.shape((x, y - r), (x + r, y), (x, y + r), (x - r, y), fill=look.color, stroke=_PAPER, width=12)
        case "triangle":
            pen.shape((x - r, y - r + 6), (x + r, y - r + 6), (x, y + r), fill=look.color, stroke=_PAPER, width=12)
        case "square":
            pen.box(x - r + 8, y - r + 8, 2 * r - 16, 2 * r - 16, fill=look.color, stroke=_PAPER, width=12)
        case _:
            pen.box(x - r, y - 20, 2 * r, 40, fill=look.color, stroke=_PAPER, width=12)


def _states(pen: CounterPen, look: FaceOf) -> None:
    if "wreck" in look.status:
        pen.line((110, 110), (890, 890), width=56)
        pen.line((890, 110), (110, 890), width=56)
    shown = [status for status in look.status if status != "wreck"]
    for n, status in enumerate(shown[:4]):
        x, y = 885, 270 + 165 * n
        pen.disc(x, y, 78, fill=_DARK, stroke=_PAPER, width=14)
        pen.word(STATES.get(status, "!"), x, y, 120, _PAPER)
    if look.quality:
        pen.word(QUALITIES[look.quality], 112, 380, 130)

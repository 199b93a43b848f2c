"""How the map looks to others: at the size of the print, and to readers of another colour vision."""

from __future__ import annotations

from typing import Any

from studio.editor.palettes import BOUND, closest, safe_tints
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, text
from studio.editor.panels.panel import Panel
from studio.editor.protocol import style_of
from studio.errors import EditError

__all__ = ["LooksPanel"]

_PAPERS = {"A4": (190, 277), "A3": (277, 400), "A2": (400, 574), "A1": (574, 821), "A0": (821, 1169)}
"""Millimetres that can be printed on, 10 mm of margin left."""
_SIGHTS = [
    ("normal", "as it is"),
    ("deuteranopia", "without green (deuteranopia)"),
    ("protanopia", "without red (protanopia)"),
    ("tritanopia", "without blue (tritanopia)"),
    ("grey", "in grey"),
]


class LooksPanel(Panel):
    """Print scale and colours."""

    id = "looks"
    title = "Print and colours"
    for_readers = True

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._mm, self._dpi, self._sight, self._safe = 16.0, 96.0, "normal", False

    def nodes(self) -> list[Node]:
        """Return the fields of the print scale and of the colours."""
        wide, high = self._size()
        return [
            group("Print scale", [
                field("mm", "Hex width in mm", self._mm, kind="number", low=3, high=200, step=0.5),
                text(f"hex {self._mm:g} mm: the map is {wide:.0f} × {high:.0f} mm{self._paper(wide, high)}"),
                buttons(button("print", "Show at print size")),
                field(
                    "dpi", "Screen dpi", self._dpi, kind="number", low=40, high=600, step=1,
                    hint="Browsers take a screen for one of 96. Hold a ruler to it: if 100 mm are 90, enter 107.",
                ),
            ], open=True),
            group("Colours", [
                field("sight", "Show the map", self._sight, kind="choice", choices=_SIGHTS, action="sight"),
                *self._palette(),
            ], open=True),
        ]  # fmt: skip

    def _size(self) -> tuple[float, float]:
        grid = self.editor.document.model.grid
        x0, y0, x1, y1 = grid.frame
        (left, top), (right, bottom) = grid.to_map(x0, y0), grid.to_map(x1, y1)
        return (right - left) * self._mm / grid.width, (bottom - top) * self._mm / grid.width

    def _paper(self, wide: float, high: float) -> str:
        low, long = sorted((wide, high))
        fits = next((name for name, (short, tall) in _PAPERS.items() if low <= short and long <= tall), None)
        return f", fits {fits}" if fits else ", larger than A0"

    def _tints(self) -> dict[str, str]:
        model, looks = self.editor.document.model, style_of(self.editor.document)["terrain"]
        used = {model.terrain_ids[code] for code in set(model.terrain[model.grid.present].tolist())}
        return {name: looks[name]["tint"] for name in model.terrain_ids if name in used or name in self._offered()}

    def _offered(self) -> set[str]:
        return set(self.editor.document.ruleset.terrains)

    def _palette(self) -> list[Node]:
        found = closest(self._tints())
        if found is None:
            return []
        away, one, other, sight = found
        names = " and ".join(name.replace("_", " ") for name in (one, other))
        told = f"Hardest to tell apart: {names}, difference {away:.1f} ({sight})."
        if away >= BOUND:
            return [hint(f"{told} Safe: every two terrains keep {BOUND} for every colour vision.")]
        return [
            text(f"{told} Below {BOUND}: not safe.", tone="error"),
            field("safe", "Show a palette that is safe", self._safe, kind="check", action="safe"),
        ]

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a size.

        Raises
        ------
        EditError
            When it is no size that can be.
        """
        low, high = (3.0, 200.0) if values.get("id") == "mm" else (40.0, 600.0)
        value = values.get("value")
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            msg = f"print scale: got {value!r}; allowed are {low:g} to {high:g}"
            raise EditError(msg)
        if values.get("id") == "mm":
            self._mm = float(value)
        else:
            self._dpi = float(value)

    def do_print(self, _values: dict[str, Any]) -> None:
        """Show the map as large as it will be on paper."""
        self._tell("print", mm=self._mm, dpi=self._dpi)

    def do_sight(self, values: dict[str, Any]) -> None:
        """Show the map as others see it.

        Raises
        ------
        EditError
            When there is no such sight.
        """
        sight = str(values.get("value"))
        if sight not in dict(_SIGHTS):
            msg = f"colours: got {sight!r}; allowed: {', '.join(dict(_SIGHTS))}"
            raise EditError(msg)
        self._sight = sight
        self._tell("vision", id=self._sight)

    def do_safe(self, values: dict[str, Any]) -> None:
        """Show the map with tints that every two of which can be told apart, or with its own again."""
        self._safe = bool(values.get("value"))
        style = style_of(self.editor.document)
        if self._safe:
            tints = safe_tints({**self._tints()})
            looks = {name: {**look, "tint": tints.get(name, look["tint"])} for name, look in style["terrain"].items()}
            style = {**style, "terrain": looks}
        self._tell("palette", look=style)

    def _tell(self, what: str, **about: Any) -> None:
        self.editor.tell(what, client=self.editor.client, **about)

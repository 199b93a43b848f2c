"""A map with what the editor needs and nothing else: the model, its history, and sight by the simplest of rules."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from studio.grid import HexGrid, LabelScheme, hex_line
from studio.model import Change, Edit, History, MapModel
from studio.rules import get_ruleset


class FakeSighting:
    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def to_dict(self) -> dict[str, Any]:
        return self.data


class FakeMap:
    """Dense woods block, light woods hinder; everything else is clear."""

    def __init__(
        self, columns: int = 20, rows: int = 14, title: str = "Fake map", ruleset: str = "armageddon_war", **grid: Any
    ) -> None:
        self.ruleset = get_ruleset(ruleset)
        self.model = MapModel(
            ruleset,
            HexGrid(columns=columns, rows=rows, **grid),
            LabelScheme.ccrr(pad=max(2, len(str(max(columns, rows))))),
            self.ruleset.terrain_characters,
            title=title,
        )
        self.steps = History(self.model)
        self.lock = threading.RLock()
        self.path: str | None = None
        self.saved = 0
        self.listeners: list[Callable[[Change], None]] = []
        self.fail_sight = False

    def __getattr__(self, name: str) -> Any:
        if name == "model":
            raise AttributeError(name)
        return getattr(self.model, name)

    @property
    def revision(self) -> int:
        return self.steps.revision

    @property
    def dirty(self) -> bool:
        return self.steps.revision != self.saved

    @property
    def can_undo(self) -> bool:
        return self.steps.can_undo

    @property
    def can_redo(self) -> bool:
        return self.steps.can_redo

    @property
    def history(self) -> list[str]:
        return self.steps.steps

    def _tell(self, change: Change | None) -> Change | None:
        if change is not None:
            for listener in list(self.listeners):
                listener(change)
        return change

    def apply(self, edit: Edit) -> Change:
        with self.lock:
            change = self.steps.apply(edit)
            self._tell(change)
            return change

    def undo(self) -> Change | None:
        with self.lock:
            return self._tell(self.steps.undo())

    def redo(self) -> Change | None:
        with self.lock:
            return self._tell(self.steps.redo())

    def save(self, path: str | None = None) -> None:
        self.path = path or self.path
        self.saved = self.steps.revision

    def on_change(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback)

    def _status(self, a: int, b: int) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
        reasons, contacts, status = [], [], "clear"
        for contact in hex_line(self.grid, a, b):
            names = [self.labels.label(cell) for cell in contact.cells]
            at: Any = names[0] if len(names) == 1 else names
            contacts.append(
                {"at": at, "how": contact.how, "enter": float(contact.enter), "leave": float(contact.leave)}
            )
            terrain = self.model.terrain_at(contact.cells[0])
            if contact.how != "through" or terrain not in ("light_woods", "dense_woods"):
                continue
            blocks = terrain == "dense_woods"
            effect = "blocks" if blocks else "hinders"
            status = "blocked" if blocks or status == "blocked" else "hindered"
            reasons.append({"rule": "1.1", "at": at, "effect": effect, "text": f"{at} {terrain.replace('_', ' ')}"})
        return status, reasons, contacts

    def sight(self, a: str, b: str) -> FakeSighting:
        if self.fail_sight:
            msg = "sight is out of order"
            raise RuntimeError(msg)
        status, reasons, contacts = self._status(self.labels.cell(a), self.labels.cell(b))
        count = sum(reason["effect"] == "hinders" for reason in reasons)
        return FakeSighting(
            {
                "from": a,
                "to": b,
                "status": status,
                "hindrances": count,
                "modifiers": {"DQ": -count} if count else {},
                "reasons": reasons,
                "contacts": contacts,
            }
        )

    def field_of_view(self, label: str) -> Any:
        start = self.labels.cell(label)
        codes = {"clear": 1, "hindered": 2, "blocked": 3}
        plane = np.zeros((self.grid.rows, self.grid.columns), dtype=np.uint8)
        for cell in range(self.grid.cells):
            if self.grid.has(cell):
                plane.flat[cell] = codes[self._status(start, cell)[0]]
        return SimpleNamespace(plane=plane)

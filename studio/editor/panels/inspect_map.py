"""What the inspector tells of the map itself: title, notes, where it comes from and where it lies."""

from __future__ import annotations

from typing import Any

import msgspec

from studio.editor.panels.nodes import Node, button, buttons, field, hint
from studio.errors import EditError, StudioError, shortened
from studio.model import SetField

__all__ = ["MapFields"]

_SOURCE = (("title", "Source"), ("licence", "Licence"), ("note", "What was taken"), ("url", "Address"))
_AFFINE = "six numbers a, b, c, d, e, f: world x = a x + b y + c, world y = d x + e y + f, from map units"


class MapFields:
    """The fields of a map."""

    def __init__(self, editor: Any) -> None:
        self.editor = editor
        self._faults: dict[str, tuple[Any, str]] = {}

    @property
    def _model(self) -> Any:
        return self.editor.document.model

    def owns(self, name: str) -> bool:
        """Tell whether a field is one of the map."""
        return name.startswith("map.")

    def nodes(self) -> list[Node]:
        """Return the fields, with what was refused and why."""
        model, placed = self._model, self._model.georeference
        grid = model.grid
        many = len(model.features)
        nodes = [
            hint(f"{self.editor.document.ruleset.title}, {grid.columns} × {grid.rows} hexes, {many} features."),
            self._node("map.title", "Title", model.title),
            self._node("map.notes", "Notes", model.notes, kind="area"),
        ]
        for number, source in enumerate(model.sources):
            nodes += [self._node(f"map.source.{number}.{key}", words, getattr(source, key)) for key, words in _SOURCE]
            nodes.append(buttons(button("source", f"Remove source {number + 1}", values={"remove": number})))
        nodes.append(buttons(button("source", "Add a source", values={"add": True})))
        nodes.append(
            self._node(
                "map.crs",
                "Coordinates (CRS)",
                placed.crs if placed is not None else "",
                note="such as EPSG:32637; empty: not georeferenced",
            )
        )
        numbers = (
            ", ".join(f"{value:g}" if float(f"{value:g}") == value else repr(value) for value in placed.affine)
            if placed is not None
            else ""
        )
        nodes.append(self._node("map.affine", "Georeference", numbers, note=_AFFINE))
        return nodes

    def _node(self, name: str, label: str, value: Any, *, kind: str = "text", note: str | None = None) -> Node:
        kept = self._faults.get(name)
        if kept is not None:
            return field(name, label, kept[0], kind=kind, fault=kept[1])
        return field(name, label, value, kind=kind, hint=note)

    def set(self, name: str, value: Any) -> None:
        """Change a field; a fault is said at it."""
        self._faults.pop(name, None)
        try:
            self._set(name.removeprefix("map."), value)
        except StudioError as error:
            self._faults[name] = (value, str(error))

    def _set(self, name: str, value: Any) -> None:
        if name in ("title", "notes"):
            self._apply(name, str(value or ""))
        elif name.startswith("source."):
            _, number, key = name.split(".")
            sources = self._sources()
            sources[int(number)][key] = str(value or "")
            self._apply("sources", sources)
        else:
            self._apply("georeference", self._placed(name, str(value or "").strip()))

    def _sources(self) -> list[dict[str, str]]:
        sources: list[dict[str, str]] = msgspec.to_builtins(list(self._model.sources))
        return sources

    def _placed(self, name: str, text: str) -> dict[str, Any] | None:
        old = self._model.georeference
        if not text:
            return None
        if name == "crs":
            return {"crs": text, "affine": list(old.affine) if old is not None else [1.0, 0.0, 0.0, 0.0, -1.0, 0.0]}
        try:
            numbers = [float(part) for part in text.replace(",", " ").split()]
        except ValueError as error:
            msg = f"georeference: got {shortened(text)}; allowed: {_AFFINE}"
            raise EditError(msg) from error
        if len(numbers) != 6:
            msg = f"georeference: got {len(numbers)} numbers; allowed: {_AFFINE}"
            raise EditError(msg)
        return {"crs": old.crs if old is not None else "local", "affine": numbers}

    def _apply(self, name: str, value: Any) -> None:
        if msgspec.to_builtins(getattr(self._model, name)) != value:
            self.editor.document.apply(SetField(field=name, value=value))

    def source(self, values: dict[str, Any]) -> None:
        """Add an empty source, or remove one by its number."""
        sources = self._sources()
        if values.get("add"):
            sources.append({"title": "New source", "licence": "", "note": "", "url": ""})
        else:
            del sources[int(values["remove"])]
        self._faults.clear()
        self._apply("sources", sources)

"""Fields for records of any type, made from the type, so that all that a record can say can be typed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from studio.editor.panels.nodes import Node, button, buttons, field, group
from studio.editor.panels.recordtypes import blank, label_of, shape_of, types_of, written

__all__ = ["Choices", "record_fields"]

Choices = Mapping[str, Sequence[tuple[str, str]]]
"""What can be chosen in fields that name something of the scenario, by the name of the field."""

_LONG = {"text", "notes", "situation", "read_as"}
_LISTS = "Several with commas between them."
_PAIRS = "Such as strength = 8, with commas between them."


def record_fields(
    record: msgspec.Struct,
    prefix: str,
    *,
    leave: Sequence[str] = (),
    choices: Choices | None = None,
    disabled: bool = False,
) -> list[Node]:
    """Return a field for everything that a record can say; records within it fold away.

    Parameters
    ----------
    record : Struct
    prefix : str
        Before the names of the fields in their ids, such as ``events/dust:``.
    leave : sequence of str
        Fields to leave out.
    choices : mapping, optional
        What fields of a name choose from.
    disabled : bool
        For looking only.
    """
    return _Form(choices or {}, disabled).fields(record, prefix, set(leave))


class _Form:
    def __init__(self, choices: Choices, disabled: bool) -> None:
        self.choices, self.disabled = choices, disabled

    def fields(self, record: msgspec.Struct, path: str, leave: set[str]) -> list[Node]:
        hints = types_of(type(record))
        return [
            node
            for name in record.__struct_fields__
            if name not in leave
            for node in self._field(name, hints[name], getattr(record, name), path + name)
        ]

    def _field(self, name: str, hint: Any, value: Any, key: str) -> list[Node]:
        kind, inner, optional = shape_of(hint)
        label = label_of(name)
        if kind == "record":
            return self._record(label, inner, value, key, optional=optional)
        if kind == "records":
            return self._records(label, inner, value, key)
        if name in self.choices and kind in ("text", "choice"):
            known = list(self.choices[name])
            if value and value not in dict(known):
                known.append((value, f"{value} (unknown)"))
            more: dict[str, Any] = {"kind": "choice", "choices": known}
        else:
            value, more = _plain_field(name, kind, inner, value, optional=optional)
        return [field(key, label, value, disabled=self.disabled, **more)]

    def _record(self, label: str, kind: type[Any], value: Any, key: str, *, optional: bool) -> list[Node]:
        if value is None:
            return [] if self.disabled else [buttons(button("put", f"Add: {label.lower()}", values={"id": key}))]
        nodes = self.fields(value, f"{key}.", set())
        if not self.disabled:
            nodes.append(buttons(button("drop_record", f"Remove: {label.lower()}", values={"id": key})))
        return [group(label, nodes, open=optional or value != blank(kind), name=key)]

    def _records(self, label: str, kind: type[Any], value: Sequence[Any], key: str) -> list[Node]:
        nodes: list[Node] = []
        for number, one in enumerate(value):
            inner = self.fields(one, f"{key}.{number}.", set())
            if not self.disabled:
                inner.append(buttons(button("drop_record", "Remove", values={"id": f"{key}.{number}"})))
            nodes.append(group(f"{label} {number + 1}", inner, open=number == len(value) - 1, name=f"{key}.{number}"))
        if not self.disabled:
            nodes.append(buttons(button("put", f"Add: {label.lower()}", values={"id": f"{key}.{len(value)}"})))
        return nodes


def _plain_field(name: str, kind: str, inner: Any, value: Any, *, optional: bool) -> tuple[Any, dict[str, Any]]:
    """Return what a field without records shows, and how."""
    if kind == "choice":
        words = [(str(one), str(one).replace("_", " ") or "–") for one in inner]
        return "" if value is None else str(value), {
            "kind": "choice",
            "choices": [("", "–"), *words] if optional else words,
        }
    if kind == "check" and optional:
        shown = "" if value is None else "yes" if value else "no"
        return shown, {"kind": "choice", "choices": [("", "–"), ("yes", "yes"), ("no", "no")]}
    if kind == "check":
        return bool(value), {"kind": "check"}
    if kind == "number":
        return value, {"kind": "number", "step": 1, **inner}
    if kind in ("list", "pairs"):
        return written(value), {"hint": _LISTS if kind == "list" else _PAIRS}
    if kind == "data":
        shown = "\n".join(msgspec.json.encode(one).decode() for one in value)
        return shown, {"kind": "area", "hint": "One edit a line, as JSON."}
    return value, {"kind": "area" if name in _LONG else "text"}

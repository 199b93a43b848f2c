"""What panels are made of: plain data that the browser draws, so that all that a panel knows and does is in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "Node",
    "button",
    "buttons",
    "field",
    "group",
    "heading",
    "hint",
    "picture",
    "progress",
    "row",
    "rows",
    "text",
    "verdict",
]

Node = dict[str, Any]


def _some(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def text(words: str, *, tone: str | None = None) -> Node:
    """Return a paragraph; with the tone ``"error"`` one that stands out."""
    return {"t": "text", "text": words, **_some(tone=tone)}


def hint(words: str) -> Node:
    """Return a paragraph in small, pale letters."""
    return {"t": "hint", "text": words}


def heading(words: str) -> Node:
    """Return a heading."""
    return {"t": "heading", "text": words}


def verdict(status: str, sign: str, words: str, note: str | None = None) -> Node:
    """Return a verdict that is told by colour, sign and word."""
    return {"t": "verdict", "status": status, "sign": sign, "text": words, **_some(note=note)}


def picture(src: str, alt: str) -> Node:
    """Return a picture, by its data URL and what it shows in words."""
    return {"t": "picture", "src": src, "alt": alt}


def progress(words: str, done: float, total: float, *, action: str | None = None) -> Node:
    """Return a bar, with a Cancel button where there is an action for it."""
    return {"t": "progress", "text": words, "done": done, "total": total, **_some(action=action)}


def group(title: str, nodes: Sequence[Node], *, open: bool = False, name: str | None = None) -> Node:
    """Return nodes that fold away under a title; `name` tells groups of one title apart."""
    return {"t": "group", "title": title, "open": open, "nodes": list(nodes), **_some(name=name)}


def button(
    action: str,
    label: str,
    *,
    title: str | None = None,
    primary: bool = False,
    disabled: bool = False,
    pressed: bool | None = None,
    values: Mapping[str, Any] | None = None,
) -> Node:
    """Return a button for `buttons`.

    Parameters
    ----------
    action : str
        Of the panel.
    label : str
        What stands on it.
    title : str, optional
        What the pointer is told.
    primary, disabled : bool
    pressed : bool, optional
        State of a button that stays down.
    values : mapping, optional
        What the action gets.
    """
    return {
        "action": action,
        "label": label,
        "primary": primary,
        "disabled": disabled,
        **_some(title=title, pressed=pressed, values=None if values is None else dict(values)),
    }


def buttons(*items: Node) -> Node:
    """Return a row of buttons."""
    return {"t": "buttons", "items": list(items)}


def field(
    name: str,
    label: str,
    value: Any,
    *,
    kind: str = "text",
    choices: Sequence[tuple[str, str]] | None = None,
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    action: str | None = None,
    hint: str | None = None,
    fault: str | None = None,
    disabled: bool = False,
    suggestions: Sequence[str] | None = None,
) -> Node:
    """Return a field; its action, ``set`` by default, gets ``{"id": name, "value": …}``.

    Parameters
    ----------
    name, label : str
    value
        What it holds.
    kind : {"text", "area", "number", "choice", "check", "range", "color"}
    choices : sequence of (key, words), optional
        Of a ``choice``.
    low, high, step : float, optional
        Of numbers and ranges.
    action : str, optional
    hint, fault : str, optional
        A line below: help, and what is wrong with the value.
    disabled : bool
    suggestions : sequence of str, optional
        What the browser offers while somebody types.
    """
    return {
        "t": "field",
        "id": name,
        "label": label,
        "kind": kind,
        "value": value,
        "disabled": disabled,
        **_some(
            choices=None if choices is None else [list(choice) for choice in choices],
            low=low,
            high=high,
            step=step,
            action=action,
            hint=hint,
            fault=fault,
            list=None if suggestions is None else list(suggestions),
        ),
    }


def row(
    *cells: str,
    sign: str | None = None,
    note: str | None = None,
    go: tuple[float, float] | None = None,
    action: str | None = None,
    values: Mapping[str, Any] | None = None,
    tone: str | None = None,
    chosen: bool | None = None,
    drag: Any = None,
    drop: Any = None,
    swatch: str | None = None,
) -> Node:
    """Return a line for `rows`.

    Parameters
    ----------
    *cells : str
    sign, note : str, optional
        What stands before the cells, and in small letters below them.
    go : (x, y), optional
        Point of the lattice to which a press leads.
    action : str, optional
        What a press does, with `values`.
    tone : {"error", "warning"}, optional
    chosen : bool, optional
        State of a line that can be chosen.
    drag, drop : optional
        What is carried when the line is dragged, and what it stands for when something is dropped on it: the action
        ``drop`` gets ``{"what": drag, "on": drop}``. A line dragged onto the map comes as the action ``drop_on_map``
        with ``{"what", "x", "y", "cell", "label"}``.
    swatch : str, optional
        A colour.
    """
    return {
        "cells": list(cells),
        **_some(
            sign=sign,
            note=note,
            go=None if go is None else list(go),
            action=action,
            values=None if values is None else dict(values),
            tone=tone,
            chosen=chosen,
            drag=drag,
            drop=drop,
            swatch=swatch,
        ),
    }


def rows(lines: Sequence[Node], *, columns: Sequence[str] | None = None, label: str | None = None) -> Node:
    """Return lines below one another, with the heads of their columns where there are any."""
    return {"t": "rows", "rows": list(lines), **_some(columns=None if columns is None else list(columns), label=label)}

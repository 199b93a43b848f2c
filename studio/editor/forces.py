"""What somebody does to a scenario in the browser: each message one step of its history; refusals show what holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from studio.errors import EditError, StudioError, nearest
from studio.model import Batch, Edit, SetField

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer

__all__ = ["HANDLERS", "fields_of"]

Values = Mapping[str, Any]


def fields_of(edit: Edit) -> set[str]:
    """Return the fields of the document itself that an edit sets."""
    if isinstance(edit, Batch):
        return set().union(*map(fields_of, edit.edits))
    return {edit.field} if isinstance(edit, SetField) else set()


def _ids(values: Values) -> list[str]:
    return [str(name) for name in values.get("ids", ())]


# -- units -----------------------------------------------------------------------------------------------------------


def _place(scenario: Any, values: Values) -> list[str]:
    made = scenario.place(
        str(values["unit_type"]),
        str(values.get("at", "")),
        formation=str(values["formation"]),
        force=str(values.get("force", "")),
        count=int(values.get("count", 1)),
        facing=str(values.get("facing", "")),
        anyway=True,
    )
    return [made]


def _move(scenario: Any, values: Values) -> list[str]:
    scenario.move(_ids(values), str(values["at"]), anyway=True)
    return _ids(values)


def _copy(scenario: Any, values: Values) -> list[str]:
    copied: list[str] = scenario.copy(_ids(values), str(values["at"]), anyway=True)
    return copied


def _remove(scenario: Any, values: Values) -> list[str]:
    scenario.remove(_ids(values))
    return []


def _turn(scenario: Any, values: Values) -> list[str]:
    scenario.turn_by(_ids(values), int(values["steps"]))
    return _ids(values)


def _hide(scenario: Any, values: Values) -> list[str]:
    ids = _ids(values)
    scenario.hide(ids, not all("hidden" in scenario.unit(name).status for name in ids))
    return ids


def _transfer(scenario: Any, values: Values) -> list[str]:
    scenario.transfer(_ids(values), str(values["formation"]), force=str(values.get("force", "")))
    return _ids(values)


# -- areas, objectives, notes ----------------------------------------------------------------------------------------


def _area(scenario: Any, values: Values) -> list[str]:
    labels = [str(label) for label in values["labels"]]
    taking = bool(values.get("take"))
    named = {"force": str(values.get("force", ""))}
    scenario.set_up_area(str(values["formation"]), labels, add=not taking, take=taking, **named)
    return []


def _edge(scenario: Any, values: Values) -> list[str]:
    force, name, edge = str(values.get("force", "")), str(values["formation"]), str(values["edge"])
    part = next(
        part
        for owner in scenario.document.forces
        for part in owner.formations
        if part.id == name and force in ("", owner.id)
    )
    edges = [one for one in part.where.edges if one != edge]
    scenario.set_up_area(name, force=force, edges=edges if edge in part.where.edges else [*edges, edge])
    return []


def _objective(scenario: Any, values: Values) -> list[str]:
    """Put the place into an objective, or take it out; a new objective where none is named."""
    name, label = str(values.get("objective", "")), str(values["at"])
    if not name:
        return [scenario.add_objective(str(values["side"]), int(values.get("points", 1)), hexes=label)]
    old = next((one for one in scenario.document.objectives if one.id == name), None)
    if old is None:
        msg = f"no objective {name!r}; {nearest(name, [one.id for one in scenario.document.objectives])}"
        raise EditError(msg)
    hexes = [one for one in old.hexes if one != label]
    scenario.change_objective(name, hexes=hexes if label in old.hexes else [*hexes, label])
    return [name]


def _note(scenario: Any, values: Values) -> list[str]:
    """Write the note of a place; an empty text takes it away."""
    label, text = str(values["at"]), str(values.get("text", "")).strip()
    old = next((note for note in scenario.document.place_notes if note.at == label), None)
    if old is None:
        return [scenario.add_note(label, text)] if text else []
    if text:
        scenario.change_note(old.id, text=text)
        return [old.id]
    scenario.remove_note(old.id)
    return []


def _play(scenario: Any, values: Values) -> list[str]:
    """Put places out of play, or back into it."""
    labels = [str(label) for label in values["labels"]]
    old = list(scenario.document.map.out_of_play)
    if values.get("take"):
        scenario.use_map(out_of_play=[label for label in old if label not in labels])
    else:
        scenario.use_map(out_of_play=[*old, *(label for label in labels if label not in old)])
    return []


_ACTIONS: dict[str, Callable[[Any, Values], list[str]]] = {
    "place": _place,
    "move": _move,
    "copy": _copy,
    "remove": _remove,
    "turn": _turn,
    "hide": _hide,
    "transfer": _transfer,
    "area": _area,
    "edge": _edge,
    "objective": _objective,
    "note": _note,
    "play": _play,
}


# -- messages --------------------------------------------------------------------------------------------------------


def _forces(editor: Any, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    """Do what somebody did, and tell the page what came of it."""
    scenario, values = editor.subject, message.get("values") or {}
    client = message.get("client")
    action = str(message.get("action"))
    if action not in _ACTIONS:
        msg = f"forces: no action {action!r}; {nearest(action, _ACTIONS)}"
        raise EditError(msg)
    try:
        chosen = _ACTIONS[action](scenario, values)
    except StudioError as error:
        # Nothing has changed: the page takes its guess back when the request is answered.
        editor.report(error, client=client)
        editor.answered(message)
        return
    editor.answered(message)
    warning = _warning(scenario, action, chosen)
    editor.send({"type": "forces_done", "client": client, "action": action, "chosen": chosen, "warning": warning})


def _warning(scenario: Any, action: str, chosen: list[str]) -> str:
    """Return why units may not stand where they were put: it is done all the same, and the check tells of it."""
    if action not in ("place", "move", "copy"):
        return ""
    for name in chosen:
        unit = scenario.unit(name)
        side, _ = scenario.unit_owner(name)
        why = scenario.standing.why_not(unit, unit.at, side) if unit.at else ""
        if why:
            return f"{unit.at}: {why}"
    return ""


def _state(editor: Any, _message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.send(editor.feed.whole())


def _palette(editor: Any, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.send(editor.feed.palette_faces(str(message.get("side", ""))))


def _why(editor: Any, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    """Answer whether units may stand in a place, for what the pointer is over."""
    scenario, at = editor.subject, str(message.get("at", ""))
    ids, why = [str(name) for name in message.get("ids", ())], ""
    try:
        if ids:
            for name in ids:
                side, _ = scenario.unit_owner(name)
                why = why or scenario.standing.why_not(scenario.unit(name), at, side, frozenset(ids))
        else:
            why = scenario.why_not(str(message.get("unit_type")), at, force=str(message.get("side", "")))
    except StudioError as error:
        why = str(error)
    what = {"at": at, "ids": ids, "unit_type": message.get("unit_type"), "side": message.get("side")}
    editor.send({"type": "forces_why", **what, "why": why})


HANDLERS = {"forces": _forces, "forces_state": _state, "forces_palette": _palette, "forces_why": _why}

"""Reading what movement is asked with, as people write it: the mover, and what holds, with labels for numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import msgspec

from studio.errors import ScenarioRuleError, UnknownNameError, nearest
from studio.paths.protocol import MoveState

if TYPE_CHECKING:
    from studio.survey import Directory

__all__ = ["check_mover", "read_state", "several", "written_state"]


def several(given: str | Iterable[str] | None) -> list[str]:
    """Return one label, several of them or none as a list: everywhere either will do.

    Examples
    --------
    >>> several("0304"), several(["0304", "0305"]), several(None)
    (['0304'], ['0304', '0305'], [])

    Raises
    ------
    ScenarioRuleError
        When it is nothing of that kind.
    """
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        msg = f"got {given!r} where a label or a list of labels is asked for; give one such as '0304'"
        raise ScenarioRuleError(msg)
    return list(given)


def check_mover(mover: str, movers: Collection[str], title: str) -> None:
    """Refuse a mover that a game does not have.

    Parameters
    ----------
    mover : str
    movers : collection of str
        Those of the game.
    title : str
        What the game is called.

    Raises
    ------
    UnknownNameError
        When it is none of them.
    """
    if mover not in movers:
        msg = f"unknown mover {mover!r} in {title}; {nearest(mover, movers)}"
        raise UnknownNameError(msg)


def read_state(directory: Directory, kind: type[MoveState], given: MoveState | Mapping[str, Any] | None) -> MoveState:
    """Return a state of movement from a mapping of the names of its fields.

    Parameters
    ----------
    directory : Directory
        Locations of the map.
    kind : type
        State of the game, a subclass of :class:`MoveState`.
    given : MoveState or mapping, optional
        Locations go by their labels in a mapping, by their numbers in a MoveState.

    Raises
    ------
    UnknownNameError
        When the game knows no such field.
    LabelError
        When the map has no such location.
    ScenarioRuleError
        When a value is not of the type of its field.
    """
    if given is None:
        return kind()
    if isinstance(given, MoveState):
        if not isinstance(given, kind):
            msg = f"state: got a {type(given).__name__}, allowed: a {kind.__name__} or a mapping of its fields"
            raise ScenarioRuleError(msg)
        return given
    if not isinstance(given, Mapping):
        msg = f"state: got {given!r}; give a mapping such as {{'enemies': ['0304']}}"
        raise ScenarioRuleError(msg)
    types = get_type_hints(kind)
    fields = [field.name for field in msgspec.structs.fields(kind)]
    found: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            msg = f"state: unknown {name!r}; {nearest(str(name), fields)}"
            raise UnknownNameError(msg)
        found[name] = _read(directory, name, types[name], value)
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        msg = f"state: {error}"
        raise ScenarioRuleError(msg) from error


def written_state(directory: Directory, state: MoveState) -> dict[str, Any]:
    """Return a state as people write it: labels for numbers, without the fields that say nothing.

    Parameters
    ----------
    directory : Directory
        Locations of the map.
    state : MoveState

    Returns
    -------
    dict
        What :func:`read_state` makes the same state of; plain data for JSON.
    """
    types, nothing = get_type_hints(type(state)), type(state)()
    found: dict[str, Any] = {}
    for name in (field.name for field in msgspec.structs.fields(state)):
        value = getattr(state, name)
        if value == getattr(nothing, name):
            continue
        inner = get_args(types[name])[0] if get_origin(types[name]) is frozenset else None
        if inner is int:
            found[name] = [directory.label(number) for number in sorted(value)]
        elif get_origin(inner) is tuple and set(get_args(inner)) == {int}:
            found[name] = [[directory.label(number) for number in pair] for pair in sorted(value)]
        else:
            found[name] = sorted(value) if isinstance(value, frozenset) else value
    return found


def _read(directory: Directory, name: str, kind: Any, value: Any) -> Any:
    """Return a value with numbers for labels, where its field holds locations: one, several, or pairs of them."""
    inner = get_args(kind)[0] if get_origin(kind) is frozenset else None
    if inner is None:
        return value
    pairs = get_origin(inner) is tuple
    if (isinstance(value, str) and pairs) or not isinstance(value, Iterable):
        msg = f"state: {name}: got {value!r}; give a list" + (" of pairs" if pairs else "")
        raise ScenarioRuleError(msg)
    if isinstance(value, str):
        value = several(value)
    if inner is int:
        return frozenset(directory.number(label) for label in value)
    if get_origin(inner) is tuple and set(get_args(inner)) == {int}:
        return frozenset(tuple(directory.number(label) for label in pair) for pair in value)
    return frozenset(value)

"""Objectives in words: what earns victory points, or counts as reached."""

from __future__ import annotations

import msgspec

from studio.model.aims import Objective
from studio.model.wording.areas import area_phrase, edges_phrase, labels_phrase
from studio.model.wording.english import counted, fields_told, listed, phrase, sentences, spoken
from studio.model.wording.names import Names

__all__ = ["objective_name", "objective_phrase", "objective_sentences"]

_MEASURE = {
    "once": "once",
    "casualty_points": "times the casualty points of each",
    "roster_points": "times the points of the roster of each",
}


def objective_phrase(one: Objective, names: Names) -> str:
    """Return what earns the points, without the words that its author added.

    Examples
    --------
    >>> objective_phrase(Objective(id="o", side="a", event="hold", hexes=("A1", "B2")), Names())
    'each of A1 and B2 held at the end'
    >>> objective_phrase(Objective(id="o", side="a", event="exit", edges=("north",), measure="once"), Names())
    'own units that leave by the north edge'
    """
    return _SAID[one.event](one, names)


def _many(one: Objective, text: str, word: str = "each") -> str:
    return f"{word} {text}" if one.measure == "each" else text


def _units(one: Objective, names: Names, whose: str) -> str:
    """Return the units that an objective is about."""
    kinds = names.types_of(one.unit_types)
    of = names.all_of(one.of, "or")
    each = one.measure == "each"
    if of:
        return phrase(
            f"{'each ' if each else ''}{kinds} of {of}" if kinds else f"{'each unit of ' if each else ''}{of}"
        )
    if kinds:
        return _many(one, kinds)
    return f"each {whose} unit" if each else f"{whose} units"


def _where(one: Objective, names: Names, word: str = "at") -> str:
    terrain = listed((names.terrain(name) for name in one.terrain), "or")
    return phrase(
        f"{word} {labels_phrase(one.hexes)}" if one.hexes else "",
        f"in {terrain}" if terrain else "",
        area_phrase(one.where, names) if one.where is not None else "",
        mark=", ",
    )


def _edges(one: Objective) -> str:
    return f"by {edges_phrase(one.edges)}" if one.edges else "the map"


def _eliminate(one: Objective, names: Names) -> str:
    return phrase(_units(one, names, "enemy"), "eliminated", _where(one, names), _by_edge(one))


def _by_edge(one: Objective) -> str:
    return f"on {edges_phrase(one.edges)}" if one.edges else ""


def _exit(one: Objective, names: Names) -> str:
    leaves = "that leaves" if one.measure == "each" else "that leave"
    return phrase(_units(one, names, "own"), leaves, _edges(one), _where(one, names))


def _loot(one: Objective, names: Names) -> str:
    verb = ("that loots", "leaves") if one.measure == "each" else ("that loot", "leave")
    return phrase(_units(one, names, "own"), verb[0], _where(one, names), f"and later {verb[1]}", _edges(one))


def _places(one: Objective, names: Names) -> str:
    terrain = listed((names.terrain(name) for name in one.terrain), "or")
    hexes = labels_phrase(one.hexes, "and")
    if hexes:
        what = f"each of {hexes}" if one.measure == "each" and len(one.hexes) > 1 else hexes
    else:
        what = _many(one, f"hex of {terrain}" if terrain else "place") if terrain or not one.of else ""
    return phrase(
        what,
        f"in {terrain}" if hexes and terrain else "",
        _by_edge(one),
        area_phrase(one.where, names) if one.where is not None else "",
        names.all_of(one.of, "and"),
    )


def _with(one: Objective, names: Names) -> str:
    return f"with {names.types_of(one.unit_types)}" if one.unit_types else ""


def _hold(one: Objective, names: Names) -> str:
    return phrase(_places(one, names), "held at the end", _with(one, names))


def _capture(one: Objective, names: Names) -> str:
    return phrase(_places(one, names), "captured", _with(one, names))


def _destroy(one: Objective, names: Names) -> str:
    if one.of or one.unit_types or not (one.hexes or one.terrain or one.where):
        return phrase(_units(one, names, "enemy"), "destroyed", _where(one, names), _by_edge(one))
    return phrase(_places(one, names), "destroyed")


def _survive(one: Objective, names: Names) -> str:
    return phrase(_units(one, names, "own"), "on the map at the end", _where(one, names), _by_edge(one))


def _lose(one: Objective, names: Names) -> str:
    return phrase(_units(one, names, "own"), "eliminated", _where(one, names), _by_edge(one))


def _other(one: Objective, names: Names) -> str:
    about = [*one.hexes, *(names.terrain(name) for name in one.terrain), *(names.type(name) for name in one.unit_types)]
    about += [names.whom(name) for name in one.of] + [f"the {edge} edge" for edge in one.edges]
    if one.where is not None:
        about.append(f"hexes {area_phrase(one.where, names)}")
    return f"concerns {listed(about)}" if about else ""


_SAID = {
    "eliminate": _eliminate,
    "exit": _exit,
    "hold": _hold,
    "loot_and_exit": _loot,
    "capture": _capture,
    "destroy": _destroy,
    "survive": _survive,
    "lose": _lose,
    "other": _other,
}


def objective_sentences(one: Objective, names: Names) -> list[str]:
    """Return an objective as sentences: what it is, how its points are counted, what its author added."""
    measure = _MEASURE.get(one.measure, "")
    most = f"at most {counted(one.most, 'point')}" if one.most is not None else ""
    text = objective_phrase(one, names)
    text = phrase(text, measure if one.points else "", mark=", ")
    added = one.where.text if one.where is not None else ""
    if fields_told(text, one.text):
        text = ""
    found = sentences(one.text, text, added) if one.event == "other" else sentences(text, one.text, added)
    return found + sentences(most) or sentences(f"objective “{spoken(one.id)}”")


def objective_name(name: str, names: Names) -> str:
    """Return what an objective is called: by its own words where these are short, else by what it is."""
    one: Objective | None = names.find("objective", name)
    if one is None:
        return spoken(name)
    text = one.text.strip().rstrip(".")
    if 0 < len(text) <= _SHORT:
        return text
    few = msgspec.structs.replace(one, hexes=one.hexes[:_FEW])
    left = len(one.hexes) - len(few.hexes)
    said = objective_phrase(few, names)
    return (f"{said}, and {left} more" if left else said) or spoken(name)


_SHORT, _FEW = 48, 6

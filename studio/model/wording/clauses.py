"""Clauses in words: conditions made of conditions, said once each; a circle of them is named, not followed."""

from __future__ import annotations

from collections.abc import Callable

from studio.model.aims import Clause
from studio.model.wording.english import agreeing, counted, fields_told, listed, opened, sentences, spoken
from studio.model.wording.names import Names
from studio.model.wording.objectives import objective_name

__all__ = ["clause_phrase", "clause_sentences"]

_DEEP = 3
"""Clauses within clauses that are said in full; deeper ones are named."""


def clause_phrase(name: str, names: Names, within: tuple[str, ...] = ()) -> str:
    """Return the condition of a clause as words that follow "when" or "once".

    Parameters
    ----------
    name : str
        Id of the clause.
    names : Names
    within : tuple of str
        Ids of the clauses that it is part of.
    """
    clause: Clause | None = names.find("clause", name)
    if clause is None:
        return f"“{spoken(name)}” holds"
    if name in within or len(within) >= _DEEP:
        return f"condition “{spoken(name)}” holds"
    text = clause.text.strip().rstrip(".")
    said = _SAID[clause.kind](clause, names, (*within, name))
    if clause.kind == "other" and said and text:
        return f"{opened(text)} ({said})"
    if not said:
        return opened(text) or f"condition “{spoken(name)}” holds"
    return f"{said} ({text})" if text and len(sentences(said, text)) > 1 else opened(text) if text else said


def clause_sentences(clause: Clause, names: Names) -> list[str]:
    """Return what a clause says, as sentences."""
    said = _SAID[clause.kind](clause, names, (clause.id,))
    return sentences(clause.text, said) or [f"Condition “{spoken(clause.id)}”."]


def _parts(clause: Clause, names: Names, within: tuple[str, ...]) -> list[str]:
    found = []
    for part in clause.parts:
        if names.find("clause", part) is not None:
            found.append(clause_phrase(part, names, within))
        elif names.find("objective", part) is not None:
            found.append(f"the objective “{objective_name(part, names)}” is reached")
        else:
            found.append(names.whom(part))
    return found


def _by(clause: Clause, names: Names, verb: str) -> str:
    return f" {verb} {names.side(clause.side)}" if clause.side else ""


def _all(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    parts = _parts(clause, names, within)
    if len(parts) < 2:
        return parts[0] + _by(clause, names, "for") if parts else ""
    return f"all of this holds: {'; '.join(parts)}" + _by(clause, names, "for")


def _any(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    parts = _parts(clause, names, within)
    count = clause.count
    if len(parts) < 2:
        return parts[0] + _by(clause, names, "for") if parts else ""
    least = f"at least {count}" if count > 1 else "one"
    return f"{least} of this holds: {'; '.join(parts)}" + _by(clause, names, "for")


def _not(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    parts = _parts(clause, names, within)
    if not parts:
        return ""
    return f"it is not the case that {listed(parts, 'or')}" + _by(clause, names, "for")


def _objectives(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    side = agreeing(names.side(clause.side, "the side"), "reaches", "reach")
    many, count = len(clause.parts), clause.count
    which = [f"“{objective_name(part, names)}”" for part in clause.parts]
    if not many:
        return f"{side} {f'at least {count}' if count else 'all'} of its objectives"
    if many == 1:
        return f"{side} the objective {which[0]}"
    if count and count < many:
        return f"{side} at least {count} of the objectives {listed(which)}"
    return f"{side} {'both' if many == 2 else 'all'} of the objectives {listed(which)}"


def _points(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    points = counted(clause.count, "victory point")
    return f"{agreeing(names.side(clause.side, 'the side'), 'has', 'have')} at least {points}{_about(clause, names)}"


def _casualties(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    lost = counted(clause.count, "casualty point")
    return f"{agreeing(names.side(clause.side, 'the side'), 'has', 'have')} lost at least {lost}{_about(clause, names)}"


def _about(clause: Clause, names: Names) -> str:
    return f" of {names.all_of(clause.parts)}" if clause.parts else ""


def _eliminated(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    return _gone(clause, names, "eliminated")


def _exited(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    return _gone(clause, names, "off the map")


def _gone(clause: Clause, names: Names, verb: str) -> str:
    by, many, count = _by(clause, names, "of"), len(clause.parts), clause.count
    be = "is" if count == 1 else "are"
    units = counted(count, "unit")
    if not many:
        return f"{f'at least {units}' if count else 'all units'}{by} {be} {verb}"
    who = names.all_of(clause.parts)
    be = "are" if agreeing(who, "is", "are").endswith(" are") else "is"
    if count and count < max(many, sum(_counters(part, names) for part in clause.parts)):
        return f"at least {count} of {who}{by} {'is' if count == 1 else 'are'} {verb}"
    return f"all of {who}{by} are {verb}" if many > 1 else f"{who}{by} {be} {verb}"


def _counters(name: str, names: Names) -> int:
    """Return how many counters a unit, a formation or a force has; 1 of what is not known."""
    force, part, unit = (names.find(kind, name) for kind in ("force", "formation", "unit"))
    parts = force.formations if force is not None else (part,) if part is not None else ()
    units = [one for own in parts for one in own.units] or ([unit] if unit is not None else [])
    return sum(one.count for one in units) or 1


def _turn(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    del within
    end = f"{names.turn(clause.count)} has ended" if clause.count else f"the last {names.unit} has ended"
    return end + _about(clause, names) + (f" for {names.side(clause.side)}" if clause.side else "")


def _other(clause: Clause, names: Names, within: tuple[str, ...]) -> str:
    """Return whom and what the words of a clause are about, where they do not say it themselves."""
    about = listed([names.side(clause.side), *_parts(clause, names, within)])
    if not about or fields_told(about, clause.text):
        return ""
    return f"for {about}" if clause.text.strip() else f"this holds for {about}"


_SAID: dict[str, Callable[[Clause, Names, tuple[str, ...]], str]] = {
    "all": _all,
    "any": _any,
    "not": _not,
    "objectives": _objectives,
    "points": _points,
    "casualties": _casualties,
    "eliminated": _eliminated,
    "exited": _exited,
    "turn": _turn,
    "other": _other,
}

"""The order of battle in words: units, how formations arrive, what they may not do."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from studio.model.forces import Force, Formation, Restraint, UnitRecord
from studio.model.setup import SetUp
from studio.model.wording.areas import area_parts, area_words
from studio.model.wording.english import counted, figures, listed, phrase, sentence, sentences, shown, spoken
from studio.model.wording.names import Names
from studio.model.wording.triggers import trigger_phrase

__all__ = [
    "alike_units",
    "arrival_sentences",
    "force_sentences",
    "formation_sentences",
    "ratings_phrase",
    "restraint_sentences",
    "unit_lines",
    "unit_phrase",
]

_LOADED = {"": "", "may": "loaded or not", "must": "loaded"}
_STATUS = {"ladder": "with ladders", "wreck": "as a wreck"}
_FORBIDDEN = {"move": "move", "fire": "fire", "exit": "leave the map", "enter": "enter"}
_PLAYED = {"opponent": "Played by the opponent.", "rules": "Nobody plays it: it acts by rules."}


def unit_phrase(unit: UnitRecord, names: Names, *, count: int = 0) -> str:
    """Return a unit record in words: how many, of what, in which state, where, carried by whom.

    Parameters
    ----------
    unit : UnitRecord
    names : Names
    count : int
        How many; those of the record when 0.

    Examples
    --------
    >>> unit_phrase(UnitRecord(id="t", type="us.rifle", count=3, status=("hidden",), at="A1"), Names())
    '3 × rifle (hidden), at A1'
    """
    kind = names.type(unit.type)
    called = f"{unit.name}, {kind}" if unit.name and unit.name != kind else kind
    state = phrase(
        unit.quality,
        *(_STATUS.get(status, status) for status in unit.status),
        f"facing {unit.facing}" if unit.facing else "",
        figures(unit.figures),
        mark=", ",
    )
    return phrase(
        f"{count or unit.count} × {called}" + (f" ({state})" if state else ""),
        f"at {unit.at}" if unit.at else "",
        f"with {names.whom(unit.carried_by, beside=unit.id)}" if unit.carried_by else "",
        area_words(unit.where, names) if unit.where not in (None, SetUp(hexes=(unit.at,))) else "",
        mark=", ",
    )


def unit_lines(units: Iterable[UnitRecord], names: Names) -> list[str]:
    """Return the units of a formation, those that are alike together, each with its notes.

    Examples
    --------
    >>> rifles = [UnitRecord(id=f"r{n}", type="rifle") for n in range(3)]
    >>> unit_lines(rifles, Names())
    ['3 × rifle']
    """
    lines = []
    for unit, count in alike_units(units):
        line = unit_phrase(unit, names, count=count)
        notes = unit.notes.strip()
        lines.append(f"{line}. {sentence(notes)}" if notes else line)
    return lines


def alike_units(units: Iterable[UnitRecord]) -> list[tuple[UnitRecord, int]]:
    """Return units that differ in nothing but their ids and numbers once each, with how many there are.

    Examples
    --------
    >>> rifles = [UnitRecord(id=f"r{n}", type="rifle", count=2) for n in range(3)]
    >>> [(unit.type, count) for unit, count in alike_units(rifles)]
    [('rifle', 6)]
    """
    found: dict[bytes, tuple[UnitRecord, int]] = {}
    for unit in units:
        key = msgspec.json.encode(msgspec.structs.replace(unit, id="x", count=1))
        first, before = found.get(key, (unit, 0))
        found[key] = first, before + unit.count
    return list(found.values())


def arrival_sentences(part: Formation, names: Names) -> list[str]:
    """Return how a formation comes to the map, as sentences.

    Examples
    --------
    >>> from studio.model.setup import SetUp
    >>> entering = SetUp(hexes=("W19", "GG19"))
    >>> part = Formation(id="a", name="A", arrival="enter", arrival_turn=3, loaded="must", where=entering)
    >>> arrival_sentences(part, Names())
    ['Enters in turn 3, loaded, at W19 or GG19.']
    """
    turn = part.arrival_turn
    if part.arrival == "enter":
        # Units enter when their formation acts: of activations the first is told, from which on that may be.
        fixed = part.when is None and names.unit == "turn"
        lead = f"enters in {names.turn(turn)}" if fixed else f"enters from {names.turn(turn)} on"
    elif part.arrival == "pool":
        lead = "waits in the pool" + (f", from {names.turn(turn)} on" if turn > 1 else "")
    else:
        lead = "sets up"
    since = turn if part.arrival == "enter" else 0
    when = trigger_phrase(part.when, names, since=since) if part.when is not None else ""
    area, text = area_parts(part.where, names)
    loaded = _LOADED[part.loaded]
    if lead == "sets up" and not loaded:
        lead, area = phrase(lead, area), ""
    own = phrase(lead, loaded, area, when, mark=", ")
    return sentences(f"{own}: {text}" if text else own) + _more(part)


def _more(part: Formation) -> list[str]:
    found = []
    if part.hidden:
        verb = "sets" if part.hidden == 1 else "set"
        found.append(f"{part.hidden} of its units, as the player chooses, {verb} up hidden.")
    if part.choice:
        found.append(f"Of the formations “{spoken(part.choice)}” only one enters, as the player chooses.")
    return found


def restraint_sentences(restraint: Restraint, names: Names) -> list[str]:
    """Return what units must do or may not do, and until when.

    Examples
    --------
    >>> from studio.model.setup import SetUp
    >>> restraint_sentences(Restraint(stay=SetUp(hexes=("A1",)), forbidden=("fire",)), Names())
    ['Must stay at A1 and may not fire, for the whole game.']
    """
    until = f"until {_until(restraint, names)}" if restraint.until is not None else "for the whole game"
    barred = [_FORBIDDEN[one] for one in restraint.forbidden if one != "enter"]
    area, text = area_parts(restraint.stay, names) if restraint.stay is not None else ("", "")
    area = area or text
    parts = []
    if "enter" in restraint.forbidden:
        barred.append(f"enter hexes {area}" if area else "enter")
    elif area:
        parts.append(f"must stay {area}")
    if barred:
        parts.append(f"may not {listed(barred, 'or')}")
    against = f" against {names.all_of(restraint.against, 'or')}" if restraint.against else ""
    who = names.all_of(restraint.units)
    said = f"{phrase(who, listed(parts))}{against}, {until}" if parts else phrase(who, against.strip(), mark=", ")
    return sentences(said, text if text != area else "", restraint.text)


def _until(restraint: Restraint, names: Names) -> str:
    words = trigger_phrase(restraint.until, names) if restraint.until is not None else ""
    for lead in ("when ", "once "):
        if words.startswith(lead):
            return words.removeprefix(lead)
    return f"released {words}"


def ratings_phrase(ratings: dict[str, str | int]) -> str:
    """Return ratings in words.

    Examples
    --------
    >>> ratings_phrase({"impulse": "3D6", "break_contact": 10})
    'impulse 3D6, break contact 10'
    """
    return ", ".join(f"{spoken(name)} {shown(value)}" for name, value in ratings.items())


def formation_sentences(part: Formation, names: Names) -> list[str]:
    """Return all that is said of a formation beside its units, as sentences."""
    printed = []
    if part.printed_units is not None:
        printed.append(counted(part.printed_units, "unit"))
    if part.printed_points is not None:
        printed.append(counted(part.printed_points, "point"))
    markers = counted(part.activation_markers, "activation marker")
    order = f"Sets up as number {part.set_up_order} of all formations." if part.set_up_order else ""
    return [
        *arrival_sentences(part, names),
        *([order] if order else []),
        *([f"Part of {names.whom(part.part_of)}, by whose markers it acts."] if part.part_of else []),
        *([sentence(markers)] if names.unit == "activation" or part.activation_markers != 1 else []),
        *(line for one in part.restraints for line in restraint_sentences(one, names)),
        *([sentence(area_words(part.leaves, names, lead="may leave the map"))] if part.leaves is not None else []),
        *([sentence(f"its troops are {part.quality}")] if part.quality else []),
        *([sentence(f"nation: {part.nation}")] if part.nation.strip() else []),
        *([sentence(ratings_phrase(part.ratings))] if part.ratings else []),
        *([sentence(f"printed: {listed(printed)}")] if printed else []),
        *sentences(part.notes),
    ]


def force_sentences(force: Force, names: Names) -> list[str]:
    """Return all that is said of a side beside its formations, as sentences."""
    played = force.played_by
    return [
        *([_PLAYED.get(played) or sentence(f"played by {names.side(played)}")] if played else []),
        *([sentence(f"on the side of {spoken(force.team)}")] if force.team else []),
        *([sentence(ratings_phrase(force.ratings))] if force.ratings else []),
        *sentences(force.notes),
    ]

"""Triggers in words: what lets something happen that has no fixed turn."""

from __future__ import annotations

from studio.model.schedule import Trigger
from studio.model.wording.english import agreeing, counted, listed, phrase, rolled, spoken
from studio.model.wording.names import Names

__all__ = ["trigger_phrase"]

_OF = {"clause", "event", "table", "draw", "activation"}
_EACH = {
    "turn": "",
    "casualty": "tried for each casualty",
    "initiative": "tried at each initiative",
    "once": "tried once",
}


def trigger_phrase(trigger: Trigger, names: Names, *, since: int = 0) -> str:
    """Return a trigger as a clause that follows a sentence, such as "when ISIL rolls 5 or more on 1D6".

    Parameters
    ----------
    trigger : Trigger
    names : Names
    since : int
        First turn, where it was said before.

    Examples
    --------
    >>> trigger_phrase(Trigger(kind="roll", dice="1D6", least=5, automatic_turn=8), Names())
    'when a roll of 1D6 is 5 or more, at the latest in turn 8'
    """
    text = trigger.text.strip().rstrip(".")
    if trigger.kind == "other":
        core = _as_clause(text) if text else "when the players agree that it happens"
        text = ""
    else:
        core = _CORE[trigger.kind](trigger, names)
    return phrase(phrase(core, *_details(trigger, names, since), mark=", "), f"({text})" if text else "")


def _as_clause(text: str) -> str:
    first = text.split(maxsplit=1)[0].lower()
    if first in ("when", "once", "if", "after", "before", "as", "while", "unless", "until", "at", "in", "by", "on"):
        return text[0].lower() + text[1:]
    return f"on this condition: {text}"


def _details(trigger: Trigger, names: Names, since: int) -> list[str]:
    kind, delay = trigger.kind, trigger.delay
    automatic, side = trigger.automatic_turn, names.side(trigger.side)
    said = side.lower() in trigger.text.lower()
    known = trigger.first_turn == since and not trigger.last_turn
    each = "" if trigger.each == "once" and kind not in ("roll", "morale_check", "initiative") else _EACH[trigger.each]
    return [
        f"for {side}" if side and not said and kind in ("clause", "event", "other", "draw", "table") else "",
        f"concerning {_of(trigger, names)}" if trigger.of and kind not in _OF else "",
        f"on {rolled(trigger.dice)}" if trigger.dice and kind not in ("roll", "morale_check") else "",
        f"{trigger.least} or more" if trigger.least and kind not in ("roll", "initiative") else "",
        f"with {listed(map(str, trigger.results), 'or')}" if trigger.results and kind != "table" else "",
        "" if known else names.span(trigger.first_turn, trigger.last_turn),
        each,
        f"{counted(delay, names.unit)} later" if delay else "",
        f"at the latest in {names.turn(automatic)}" if automatic else "",
    ]


def _of(trigger: Trigger, names: Names) -> str:
    for kind in ("event", "table", "cup"):
        if names.find(kind, trigger.of) is not None:
            return names.called(kind, trigger.of)
    return names.whom(trigger.of)


def _roll(trigger: Trigger, names: Names) -> str:
    dice = rolled(trigger.dice) or "the dice"
    least = f"{trigger.least} or more" if trigger.least else ""
    if trigger.side:
        side = names.side(trigger.side)
        return f"when {agreeing(side, 'rolls', 'roll')} {f'{least} on {dice}' if least else dice}"
    return f"when a roll of {dice} is {least}" if least else f"when {dice} are rolled"


def _initiative(trigger: Trigger, names: Names) -> str:
    by = f" by {trigger.least} or more" if trigger.least else ""
    return f"when {agreeing(names.side(trigger.side, 'the side'), 'wins', 'win')} the initiative{by}"


def _check(trigger: Trigger, names: Names) -> str:
    on = f" on {rolled(trigger.dice)}" if trigger.dice else ""
    return f"when {agreeing(names.side(trigger.side, 'the formation'), 'passes', 'pass')} a morale check{on}"


def _choice(trigger: Trigger, names: Names) -> str:
    return f"when {agreeing(names.side(trigger.side, 'the player'), 'chooses', 'choose')}"


def _clause(trigger: Trigger, names: Names) -> str:
    # Clauses are said by the words of aims; that module says those in which triggers stand.
    from studio.model.wording.clauses import clause_phrase

    return f"once {clause_phrase(trigger.of, names)}" if trigger.of else "once the condition is met"


def _event(trigger: Trigger, names: Names) -> str:
    return f"once “{names.called('event', trigger.of)}” happens" if trigger.of else "once the event happens"


def _table(trigger: Trigger, names: Names) -> str:
    table = f"the table “{names.called('table', trigger.of)}”" if trigger.of else "the table"
    results = listed(map(str, trigger.results), "or")
    return f"on a result of {results} in {table}" if results else f"when {table} says so"


def _draw(trigger: Trigger, names: Names) -> str:
    what = "its marker"
    if trigger.of:
        pool = names.find("pool", trigger.of)
        known = "pool" if pool is not None else "cup"
        what = "lots of " + pool.name if pool is not None else names.called(known, trigger.of)
        if known == "cup" and names.find("cup", trigger.of) is None:
            what = names.whom(trigger.of) if names.find("formation", trigger.of) else spoken(trigger.of)
    return f"when {what} is drawn from the cup"


def _activation(trigger: Trigger, names: Names) -> str:
    return f"when {agreeing(names.whom(trigger.of or trigger.side) or 'it', 'is', 'are')} activated" + (
        f" by {names.side(trigger.side)}" if trigger.of and trigger.side else ""
    )


_CORE = {
    "roll": _roll,
    "initiative": _initiative,
    "morale_check": _check,
    "choice": _choice,
    "clause": _clause,
    "event": _event,
    "table": _table,
    "draw": _draw,
    "activation": _activation,
}

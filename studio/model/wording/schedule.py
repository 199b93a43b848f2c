"""What happens when, in words: events, support from off the map, markers in the cup, periods, extended play."""

from __future__ import annotations

from studio.model.documents import ScenarioDocument
from studio.model.schedule import CupMarker, Event, ExtendedPlay, Period, Support
from studio.model.wording.areas import area_words
from studio.model.wording.clauses import clause_phrase
from studio.model.wording.english import agreeing, counted, figures, listed, phrase, rolled, sentences, shown, spoken
from studio.model.wording.names import Names
from studio.model.wording.triggers import trigger_phrase

__all__ = [
    "cup_sentences",
    "ends_at_once",
    "event_sentences",
    "event_when",
    "extended_sentence",
    "gives_phrase",
    "length_sentences",
    "options_phrase",
    "period_sentences",
    "support_name",
    "support_sentences",
]

_EVENTS = {
    "allotment": "allotment",
    "draw": "draw",
    "release": "release",
    "rule": "rule",
    "support": "support",
    "weather": "weather",
    "mobilisation": "mobilisation",
    "victory": "victory",
    "other": "",
}
_SUPPORT = {
    "artillery": "artillery",
    "air_strike": "air strike",
    "rockets": "rockets",
    "guided": "guided munitions",
    "smoke": "smoke",
    "mines": "mines",
    "drone": "drone",
    "other": "support",
}
_LIGHT = {"": "", "day": "by day", "dusk": "at dusk", "night": "by night", "dawn": "at dawn"}


def gives_phrase(gives: dict[str, str]) -> str:
    """Return what a side receives.

    Examples
    --------
    >>> gives_phrase({"replacement_points": "5", "basij": "8+1D6"})
    '5 replacement points and 8 + 1D6 basij'
    """
    return listed(f"{rolled(number)} {spoken(name)}".strip() for name, number in gives.items())


def options_phrase(options: dict[str, str | bool | int]) -> str:
    """Return options of the ruleset.

    Examples
    --------
    >>> options_phrase({"border_rule": "per_border", "fog": True})
    'border rule: per border; fog: yes'
    """
    return "; ".join(f"{spoken(name)}: {shown(value)}" for name, value in options.items())


def event_when(event: Event, names: Names) -> str:
    """Return when an event happens; empty where nothing says it.

    Examples
    --------
    >>> event_when(Event(id="e", name="Rain", turn=3, last_turn=9, every=2), Names())
    'in turn 3, again every 2 turns up to turn 9'
    """
    first, last, every = event.turn, event.last_turn, max(event.every, 1)
    again = ""
    if last > first:
        pace = f"every {names.unit}" if every == 1 else f"every {counted(every, names.unit)}"
        again = f"again {pace} up to {names.turn(last)}" if first else f"{pace} up to {names.turn(last)}"
    fixed = phrase(f"in {names.turn(first)}" if first else "", again, mark=", ")
    return phrase(fixed, trigger_phrase(event.when, names) if event.when is not None else "", mark=", ")


def event_sentences(event: Event, names: Names) -> list[str]:
    """Return what an event is: its kind, when it happens, whom it is for, what it gives."""
    side = names.side(event.side)
    gives = gives_phrase(event.gives)
    kind = _EVENTS[event.kind]
    what = (
        f"{agreeing(side or 'each side', 'receives', 'receive')} {gives}" if gives else (f"for {side}" if side else "")
    )
    lead = phrase(event_when(event, names), what, mark=": " if gives else ", ")
    found = [
        *sentences(phrase(kind, lead, mark=", " if lead[:2] in ("in", "wh", "on") else ": ") if kind else lead),
        *sentences(f"at most {counted(event.most_units, 'unit')} may enter by it" if event.most_units else ""),
        *(["Once a game."] if event.once else []),
        *sentences(event.text),
    ]
    return found or ["When it happens is not said."]


def support_name(support: Support, names: Names) -> str:
    """Return what support is called: by its own name, else its marker, else its kind; with what the name leaves out."""
    kind = _SUPPORT[support.kind]
    called = names.type(support.type) if support.type else ""
    own = support.name.strip() or called or kind.capitalize()
    more = [called if called != own else "", "" if support.kind == "other" else kind]
    about = ", ".join(text for text in more if text and text.lower() not in own.lower())
    return f"{own} ({about})" if about else own


def support_sentences(support: Support, names: Names) -> list[str]:
    """Return what support is: missions, figures, when it can be used, where it may fall."""
    side = names.side(support.side)
    missions = counted(support.missions, "mission")
    lead = f"{agreeing(side, 'has', 'have')} {missions}" if side else missions
    own = phrase(
        lead,
        names.span(support.first_turn, support.last_turn),
        trigger_phrase(support.when, names) if support.when is not None else "",
        figures(support.figures),
        mark=", ",
    )
    target = area_words(support.target, names, lead="may fall") if support.target is not None else ""
    return [*sentences(own), *sentences(target), *sentences(support.text)]


_ENTERS = {
    "start": "goes into the cup at the start",
    "first_refill": "goes into the cup when it is filled again for the first time",
    "activation": "goes into the cup",
    "event": "goes into the cup with an event",
}


def cup_sentences(marker: CupMarker, names: Names) -> list[str]:
    """Return how a marker gets into the cup and what it does."""
    lead = _ENTERS[marker.enters]
    if marker.event:
        lead = f"goes into the cup with the event “{names.called('event', marker.event)}”"
    after = f"after {names.unit} {marker.after}" if marker.after else ""
    if marker.enters == "activation" and not after:
        after = "after an activation"
    support = names.find("support", marker.support)
    means = support_name(support, names) if support is not None else spoken(marker.support)
    return [
        *sentences(
            phrase(
                f"{marker.count} of them {lead.replace('goes', 'go', 1)}" if marker.count > 1 else lead,
                after,
                f"for {names.side(marker.side)}" if marker.side else "",
                mark=", ",
            )
        ),
        *sentences(f"activates {names.whom(marker.formation)}" if marker.formation else ""),
        *sentences(f"stands for {means}" if marker.support else ""),
        *sentences("" if marker.returns else "does not go back into the cup"),
        *sentences(marker.text),
    ]


def period_sentences(period: Period, names: Names) -> list[str]:
    """Return when a period lasts and what holds in it."""
    held = phrase(
        _LIGHT[period.light],
        f"sight at most {counted(period.visibility, 'hex')}" if period.visibility else "",
        options_phrase(period.options),
        mark=", ",
    )
    when = names.span(period.first_turn, period.last_turn)
    return sentences(phrase(when, held, mark=": "), period.text)


def extended_sentence(extended: ExtendedPlay, names: Names) -> str:
    """Return what may follow the last turn."""
    most = f"up to {extended.turns} more {names.unit}s" if extended.turns > 1 else f"1 more {names.unit}"
    return sentences(f"after that {most}, {trigger_phrase(extended.when, names)}")[0]


def ends_at_once(document: ScenarioDocument, clause: str) -> bool:
    """Tell whether a clause ends the game at once, and not with the turn as the result says that it brings."""
    results = [one for one in (document.victory.results if document.victory else ()) if one.when == clause]
    return not results or any(one.immediate for one in results)


def length_sentences(document: ScenarioDocument, names: Names) -> list[str]:
    """Return how long a scenario lasts, what ends it before, what may follow, who acts first."""
    found = [f"Lasts {names.length(document.length)}." if document.length else "Lasts until a condition ends it."]
    for name in document.ends:
        lead = "at once when" if ends_at_once(document, name) else f"with the {names.unit}, once"
        found.append(f"Ends {lead} {clause_phrase(name, names)}.")
    if document.extended is not None:
        found.append(extended_sentence(document.extended, names))
    first = names.side(document.first_side)
    formation = names.whom(document.first_formation) if document.first_formation else ""
    if first or formation:
        who = agreeing(first or formation, "acts", "act")
        found.append(f"{who} first" + (f", with {formation}." if first and formation else "."))
    return [line for text in found for line in sentences(text)]

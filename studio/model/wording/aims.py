"""What a scenario is about, in words: results, victory, notes to places."""

from __future__ import annotations

from studio.model.aims import Condition, PlaceNote, Result
from studio.model.wording.clauses import clause_phrase
from studio.model.wording.english import agreeing, counted, fields_told, listed, opened, phrase, sentences
from studio.model.wording.names import Names

__all__ = ["note_sentence", "result_sentences", "victory_sentences"]


def result_sentences(result: Result, names: Names) -> list[str]:
    """Return a way in which a scenario ends.

    Examples
    --------
    >>> result_sentences(Result(side="iraq", level="major", least_points=10), Names())
    ['Iraq wins a major victory with at least 10 victory points.']
    """
    level = result.level.strip()
    if result.side:
        lead = agreeing(names.side(result.side), "wins", "win") + (
            f" a {level}{'' if 'victory' in level else ' victory'}" if level else ""
        )
        lead = lead.replace(" a e", " an e").replace(" a o", " an o")
    else:
        lead = "the game is a draw" + (f" ({level})" if level else "")
    least, most = result.least_points, result.most_points
    if least is not None and most is not None:
        points = (
            f"with {least} to {counted(most, 'victory point')}"
            if least != most
            else f"with {counted(least, 'victory point')}"
        )
    elif least is not None:
        points = f"with at least {counted(least, 'victory point')}"
    else:
        points = f"with at most {counted(most, 'victory point')}" if most is not None else ""
    when = f"when {clause_phrase(result.when, names)}" if result.when else ""
    own = phrase(lead, "at once" if result.immediate else "", points, when)
    text = result.text.strip()
    if opened(text) != text and ". " not in text:
        return sentences(f"{own}: {opened(text)}")
    return sentences(own, text)


def victory_sentences(victory: Condition, names: Names) -> list[str]:
    """Return who wins when, without the results, which are a list of their own."""
    side, other = names.side(victory.side), names.side(victory.otherwise)
    if victory.margin is not None:
        more = f"at least {counted(victory.margin, 'victory point')} more than the other side"
        own = f"{agreeing(side or 'a side', 'wins', 'win')} with {more}"
    elif side:
        own = f"{agreeing(side, 'wins', 'win')} if the condition is met"
    else:
        own = "" if victory.results or victory.text.strip() else "the side with more victory points wins"
    totals = listed(f"{names.side(one)} {number}" for one, number in victory.printed_totals.items())
    own = phrase(own, f"otherwise {agreeing(other, 'wins', 'win')}" if other else "", mark="; ")
    return [
        *sentences("" if fields_told(own, victory.text) else own, victory.text),
        *sentences(f"most points that can be earned, as printed: {totals}" if totals else ""),
    ]


def note_sentence(note: PlaceNote, names: Names) -> str:
    """Return a note to a place."""
    whose = f" (for {names.side(note.side)})" if note.side else ""
    return " ".join(sentences(f"{note.at}{whose}: {note.text}"))

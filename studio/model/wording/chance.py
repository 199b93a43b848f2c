"""What chance decides, in words: cups that lots are drawn from, random tables."""

from __future__ import annotations

from studio.model.draws import DrawPool, Lot, RandomTable, TableRow
from studio.model.wording.areas import area_words
from studio.model.wording.english import counted, figures, listed, phrase, rolled, sentences
from studio.model.wording.names import Names
from studio.model.wording.schedule import gives_phrase
from studio.model.wording.triggers import trigger_phrase

__all__ = ["lot_phrase", "pool_sentences", "rolls_phrase", "row_sentences", "table_sentences"]


def lot_phrase(lot: Lot, names: Names) -> str:
    """Return lots of one kind in words.

    Examples
    --------
    >>> lot_phrase(Lot(type="fighter", count=3, beside=("mg",)), Names()), lot_phrase(Lot(count=2), Names())
    ('3 × fighter with mg', '2 × blank')
    """
    kind = names.type(lot.type) if lot.type else ""
    called = f"{lot.name}, {kind}" if lot.name and kind and lot.name != kind else lot.name or kind or "blank"
    shown = figures(lot.figures)
    text = phrase(
        (f"{lot.count} × {called}" if lot.count else f"some {called}") + (f" ({shown})" if shown else ""),
        f"with {listed(names.type(one) for one in lot.beside)}" if lot.beside else "",
        f"and, as the owner chooses, {names.types_of(lot.choose)}" if lot.choose else "",
    )
    added = lot.text.strip().rstrip(".")
    return f"{text} ({added})" if added else text


def pool_sentences(pool: DrawPool, names: Names) -> list[str]:
    """Return what a cup is for: who draws from it, when, for what, where to."""
    when = {"set_up": "before the first turn", "revealed": "when it is revealed", "event": "when an event says so"}
    verb = "chosen and noted down in secret" if pool.how == "chosen" else "drawn by chance"
    many = f"{pool.draws} {'lot is' if pool.draws == 1 else 'lots are'}" if pool.draws else "a lot is"
    units, places = names.all_of(pool.for_units), listed(pool.places)
    own = phrase(
        f"{many} {verb}",
        f"by {names.side(pool.side)}" if pool.side else "",
        f"for each of {units}" if units else "",
        f"{'and ' if units else ''}for {'each of ' if len(pool.places) > 1 else ''}{places}" if places else "",
        when[pool.when],
    )
    return [
        *sentences(own),
        *sentences(area_words(pool.where, names, lead="placed") if pool.where is not None else ""),
        *sentences("what is drawn goes back" if pool.returns else ""),
        *sentences(pool.text),
    ]


def table_sentences(table: RandomTable, names: Names) -> list[str]:
    """Return what a table is for: who rolls which dice on it, when, how often, where units enter."""
    side = names.side(table.side)
    dice = rolled(table.dice) or "dice"
    own = phrase(
        f"{side} rolls {dice}" if side else f"roll {dice}",
        trigger_phrase(table.when, names) if table.when is not None else "",
        mark=", ",
    )
    return [
        *sentences(own),
        *sentences(f"counts at most {'once' if table.limit == 1 else f'{table.limit} times'}" if table.limit else ""),
        *sentences(
            area_words(table.where, names, lead="units that it brings enter") if table.where is not None else ""
        ),
        *sentences(table.text),
    ]


def rolls_phrase(row: TableRow) -> str:
    """Return the results that a row stands for, those in a row drawn together.

    Examples
    --------
    >>> rolls_phrase(TableRow(rolls=(2, 3, 4, 7)))
    '2–4, 7'
    """
    spans: list[list[int]] = []
    for roll in row.rolls:
        if spans and roll == spans[-1][-1] + 1:
            spans[-1].append(roll)
        else:
            spans.append([roll])
    return ", ".join(f"{one[0]}–{one[-1]}" if len(one) > 1 else str(one[0]) for one in spans)


def row_sentences(row: TableRow, names: Names) -> list[str]:
    """Return what a row of a table brings."""
    brings = listed(lot_phrase(lot, names) for lot in row.units)
    gives = gives_phrase(row.gives)
    found = sentences(row.name)
    found += sentences(brings)
    found += sentences(f"receive {gives}" if gives else "")
    found += ["Once a game."] if row.once else []
    found += sentences(f"counts {names.span(row.first_turn, row.last_turn)}" if row.first_turn or row.last_turn else "")
    return found + sentences(row.text) or [f"Nothing ({counted(len(row.rolls), 'result')})."]

"""Why a hex of a map of geography is what it is, told from the record of the import."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studio.errors import LabelError
from studio.exchange.geography.record import HexRecord, Record
from studio.exchange.geography.report import finding_line
from studio.exchange.geography.rulings import Ruling
from studio.exchange.geography.work import Entry

__all__ = ["Why", "why"]

_LAID = {
    "water": "water",
    "countries": "the land of countries that are left out",
    "towns": "a town",
    "layers": "what is laid as it is ([[layers]])",
    "overrides": "an override",
}
"""What gave a hex another terrain than its ground has, by the step."""
_TITLES = {"finding": "Look at this", "nudged": "Nudged", "override": "Override", "decided": "Decided", "note": "Note"}


@dataclass(frozen=True)
class Why:
    """Why a hex is what it is.

    Attributes
    ----------
    label : str
    terrain : str
        As the import made it.
    confidence : float
        How sure that is, 0 to 1.
    lines : tuple of (str, str)
        What each sentence is about, such as ``Ground`` or ``Override``, and the sentence.
    """

    label: str
    terrain: str
    confidence: float
    lines: tuple[tuple[str, str], ...]

    @property
    def sentences(self) -> list[str]:
        """The sentences alone."""
        return [text for _, text in self.lines]

    def __str__(self) -> str:
        head = f"{self.label}: {self.terrain.replace('_', ' ')}, {self.confidence:.0%} sure"
        return "\n".join([head, *(f"  {topic}: {text}" for topic, text in self.lines)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        left = 'style="text-align:left"'
        rows = "".join(
            f'<tr><th scope="row" {left}>{escape(topic)}</th><td {left}>{escape(text)}</td></tr>'
            for topic, text in self.lines
        )
        head = f"{self.label}: {self.terrain.replace('_', ' ')}, {self.confidence:.0%} sure"
        return (
            f'<table style="margin-left:0"><caption {left}><b>{escape(head)}</b></caption><tbody>{rows}</tbody></table>'
        )

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {
            "label": self.label,
            "terrain": self.terrain,
            "confidence": self.confidence,
            "lines": [{"about": topic, "text": text} for topic, text in self.lines],
        }


def why(record: Record, label: str, *, now: str = "") -> Why:
    """Tell why a hex is what it is: what the data say of it, which rule won, what was decided, overridden and found.

    Parameters
    ----------
    record : Record
    label : str
        Of the hex.
    now : str
        Its terrain on the map today, where that is known.

    Returns
    -------
    Why

    Raises
    ------
    LabelError
        When the record has no such hex.
    """
    names = {one.label.casefold(): one for one in record.hexes}
    one = names.get(label.strip().casefold())
    if one is None:
        known = [each.label for each in record.hexes]
        between = f"; its hexes run from {known[0]} to {known[-1]}" if known else ""
        msg = f"{label[:40]!r} is no hex of {record.title}{between}"
        raise LabelError(msg)
    lines = [*_terrain(record, one), *_heights(record, one), *_whose(one), *_sure(record, one), *_named(record, one)]
    if now and now != one.terrain:
        text = f"{_plain(now)} on the map now; the import made it {_plain(one.terrain)}"
        lines.insert(0, ("Edited since", text))
    return Why(one.label, one.terrain, one.confidence, tuple(lines))


def _plain(name: str) -> str:
    return name.replace("_", " ")


# -- terrain ---------------------------------------------------------------------------------------------------------


def _terrain(record: Record, one: HexRecord) -> Iterator[tuple[str, str]]:
    """Yield what the ground is and by which rule, and what else made it another terrain."""
    rules = {rule.name: rule for rule in record.rules}
    classes = [rule for rule in record.rules if rule.share is not None and rule.name != "water"]
    if one.by:
        what = _LAID.get(one.by, one.by)
        yield "Terrain", f"{_plain(one.terrain)} by {what}, whatever the ground is"
    if "base" in rules:
        won = rules.get(one.won)
        if won is not None and won.share is not None:
            text = f"{_plain(won.terrain)} won: {_covers(one, won)}, {won.share:.0%} is enough ({won.says})"
        elif classes:
            text = f"{_plain(rules['base'].terrain)}, as no class covers its share of the hex"
        else:
            text = f"{_plain(rules['base'].terrain)}, as the specification has no classes of terrain"
        yield "Ground", text
    names = [rule.name for rule in classes]
    first = names.index(one.won) if one.won in names else len(names)
    for number, rule in enumerate(classes):
        if number != first and one.shares.get(rule.name):
            rest = f"{rule.share:.0%} is asked" if number < first else "but that comes later in the list"
            yield "Ground", f"{_plain(rule.terrain)}: {_covers(one, rule)}, {rest} ({rule.says})"
    none = [_plain(rule.terrain) for rule in classes if rule.name != one.won and not one.shares.get(rule.name)]
    if none:
        yield "Ground", f"nothing of {', '.join(dict.fromkeys(none))} in the hex"
    yield from _water(one, rules.get("water"))


def _covers(one: HexRecord, rule: Ruling) -> str:
    return f"{one.shares.get(rule.name, 0.0):.1%} of the hex"


def _water(one: HexRecord, rule: Ruling | None) -> Iterator[tuple[str, str]]:
    if rule is None or rule.share is None:
        return
    share = one.shares.get("water", 0.0)
    parts = [f"{name} {one.shares[name]:.1%}" for name in ("sea", "lake") if one.shares.get(name)]
    if share:
        yield "Water", f"{share:.1%} of the hex ({', '.join(parts)}); {rule.share:.0%} makes it all water"


# -- heights, country, confidence ------------------------------------------------------------------------------------


def _heights(record: Record, one: HexRecord) -> Iterator[tuple[str, str]]:
    if one.mean is not None:
        relief = f", {one.relief:g} m from its lowest to its highest point" if one.relief is not None else ""
        yield "Heights", f"{one.mean:g} m in the mean{relief}"
    for rule in record.rules:
        if rule.name == "levels":
            yield "Level", rule.says


def _whose(one: HexRecord) -> Iterator[tuple[str, str]]:
    if one.country:
        yield "Country", one.country


def _sure(record: Record, one: HexRecord) -> Iterator[tuple[str, str]]:
    if not (one.shares or one.mean is not None):
        return
    if one.confidence == 1 and one.by in ("overrides", "towns", "countries"):
        yield "How sure", f"100 %: {_LAID[one.by]} said so"
        return
    mean = record.figures.get("confidence")
    beside = f"; the mean of the map is {mean:.0%}" if mean is not None else ""
    yield "How sure", f"{one.confidence:.1%}: how far shares are from tipping, and how many pixels there were{beside}"


# -- what the report has of it ---------------------------------------------------------------------------------------


def _named(record: Record, one: HexRecord) -> Iterator[tuple[str, str]]:
    """Yield the lines of the report that name the hex, or one of its sides."""
    for kind, title in _TITLES.items():
        for entry in record.of(kind):
            here = tuple(at for at in entry.at if one.label in at.split("|"))
            if here:
                yield title, _line(entry, here, one.label)


def _line(entry: Entry, here: tuple[str, ...], label: str) -> str:
    """Return a line of the report as far as it is about a hex."""
    import msgspec

    sides = tuple(at for at in here if at != label)
    step = "" if entry.kind == "override" else entry.step
    return finding_line(msgspec.structs.replace(entry, step=step, at=sides))

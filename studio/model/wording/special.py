"""The rest of a scenario in words: special rules, the part of the map in play, own kinds, errata, sources."""

from __future__ import annotations

from collections.abc import Iterator

from studio.model.documents import Erratum, ScenarioDocument, Source, SpecialRules, Variant
from studio.model.edits import Delete, Edit, Put
from studio.model.mapuse import MapUse
from studio.model.ownkinds import OwnKind
from studio.model.wording.areas import between, labels_phrase
from studio.model.wording.english import agreeing, counted, figures, listed, phrase, sentence, sentences, shown, spoken
from studio.model.wording.names import Names
from studio.model.wording.schedule import options_phrase

__all__ = [
    "control_sentences",
    "erratum_sentences",
    "kind_sentences",
    "map_sentences",
    "source_sentence",
    "special_sentences",
    "variant_sentences",
]


def special_sentences(special: SpecialRules, names: Names) -> list[str]:
    """Return the special rules of a scenario, a sentence each."""
    return [
        *_of_terrain(special, names),
        *_of_sight(special, names),
        *(sentence(text) for text in special.texts if text.strip()),
    ]


def _of_terrain(special: SpecialRules, names: Names) -> Iterator[str]:
    for old, new in special.terrain_overrides.items():
        yield sentence(f"all {names.terrain(old)} counts as {names.terrain(new)}")
    by_terrain: dict[str, list[str]] = {}
    for label, terrain in special.terrain_at.items():
        by_terrain.setdefault(terrain, []).append(label)
    for terrain, labels in by_terrain.items():
        yield sentence(f"{labels_phrase(labels, 'and')} {'is' if len(labels) == 1 else 'are'} {names.terrain(terrain)}")
    for label, defence in special.defence_at.items():
        yield f"The defence of {label} is {defence}."
    if special.road_surface:
        yield f"All roads count as {special.road_surface}."
    if closed := labels_phrase(special.closed):
        yield sentence(f"nothing may enter {closed}")
    if opened := labels_phrase(special.opened, "and"):
        yield sentence(f"open at the start: {opened}")
    if special.options:
        yield sentence(f"options of the rules: {options_phrase(special.options)}")


def _of_sight(special: SpecialRules, names: Names) -> Iterator[str]:
    if smoke := labels_phrase(special.smoke, "and"):
        yield sentence(f"permanent smoke at {smoke}")
    if special.haze_step:
        yield f"Haze: 1 point of hindrance for every {counted(special.haze_step, 'hex')} of range."
    if special.visibility or special.visibility_roll.strip():
        least = f"visibility is {counted(special.visibility, 'hex')}" if special.visibility else ""
        roll = special.visibility_roll.strip()
        dice = f"visibility is rolled: {shown(roll)}" if roll else ""
        yield sentence(phrase(least, dice, mark="; "))
    if special.visibility_modifier:
        yield sentence(f"fire beyond half of the visibility has a modifier of {special.visibility_modifier:+d}")
    if whom := listed(names.side(side) for side in special.surveillance):
        yield sentence(f"{whom} {'sees' if len(special.surveillance) == 1 else 'see'} every hex")


def map_sentences(use: MapUse) -> list[str]:
    """Return which part of the map is in play.

    Examples
    --------
    >>> map_sentences(MapUse(file="a.map.json", first_column="Q", out_of_play=("A1",)))
    ['In play: columns from Q on.', 'Not in play: A1.']
    """
    part = phrase(
        listed(map(spoken, use.sheets)),
        between("column", use.first_column, use.last_column).removeprefix("in "),
        between("row", use.first_row, use.last_row).removeprefix("in "),
        mark=", ",
    )
    left_out = labels_phrase(use.out_of_play, "and")
    found = [f"In play: {part}."] if part else ["The whole map is in play."] if not left_out else []
    return [*found, *([f"Not in play: {left_out}."] if left_out else [])]


def kind_sentences(kind: OwnKind, names: Names) -> list[str]:
    """Return what a kind of unit of the scenario's own is."""
    numbers = {
        name: value
        for name, value in (("movement", kind.movement), ("quantity", kind.quantity), ("points", kind.points))
        if value is not None
    }
    can = [
        f"{'can' if kind.transport else 'cannot'} carry foot units" if kind.transport is not None else "",
        f"{'counts' if kind.stacks else 'does not count'} towards stacking" if kind.stacks is not None else "",
    ]
    own = phrase(
        spoken(kind.kind),
        f"like {names.type(kind.like)}" if kind.like else "",
        f"role {spoken(kind.role)}" if kind.role else "",
        f"moves as {spoken(kind.mover)}" if kind.mover else "",
        f"used by {spoken(kind.used_by)}" if kind.used_by else "",
        *can,
        figures({**numbers, **kind.figures}),
        mark=", ",
    )
    return [*sentences(own), *sentences(kind.notes)]


def control_sentences(document: ScenarioDocument, names: Names) -> list[str]:
    """Return home countries, control of hexes, and sources of supply that do not work yet."""
    found = []
    for side, areas in document.home.items():
        if home := listed(names.feature(one) for one in areas):
            found.append(f"Home of {names.side(side, 'nobody')}: {home}.")
    for side, labels in document.control.items():
        if held := labels_phrase(labels, "and"):
            found.append(f"{agreeing(names.side(side, 'nobody'), 'controls', 'control')} {held} at the start.")
    if sources := listed(document.unrestored):
        found.append(f"Sources of supply that do not work yet: {sources}.")
    return [line for text in found for line in sentences(text)]


def erratum_sentences(erratum: Erratum, names: Names) -> list[str]:
    """Return where the source errs and how it is read here."""
    parts = [names.whom(one) for one in erratum.at.split("/") if one]
    at = f"{', '.join(parts)}: " if parts else ""
    printed, read = erratum.printed.strip().rstrip("."), erratum.read_as.strip().rstrip(".")
    own = phrase(f"printed “{printed}”" if printed else "", f"read as “{read}”" if read else "", mark=", ")
    return [*sentences(f"{at}{own}" if own else at.removesuffix(": ")), *sentences(erratum.text)]


def variant_sentences(variant: Variant, names: Names) -> list[str]:
    """Return what is different in a variant."""
    return [*sentences(variant.text), *(sentence(_edit(edit, names)) for edit in variant.changes)]


def _edit(edit: Edit, names: Names) -> str:
    if isinstance(edit, Put):
        record = edit.record if isinstance(edit.record, dict) else {}
        what = record.get("name") or record.get("text") or record.get("id") or "a record"
        return f"{_path(edit.collection, names) or 'something'}: {what} is added or replaced"
    if isinstance(edit, Delete):
        where, what = _path(edit.collection, names) or "something", names.whom(edit.id).strip() or "a record"
        return f"{where}: {what} is left out"
    field, value = getattr(edit, "field", ""), getattr(edit, "value", None)
    return f"{_path(field, names) or 'something'} becomes {_value(value)}"


def _path(path: str, names: Names) -> str:
    """Return the path of a record in words.

    Examples
    --------
    >>> _path("forces/isil/formations", Names())
    'forces, isil, formations'
    """
    return ", ".join(filter(None, (names.whom(part).strip() for part in path.split("/") if part.strip())))


def _value(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{spoken(str(name))} {_value(part)}" for name, part in value.items()) or "empty"
    if isinstance(value, list | tuple):
        return listed(map(_value, value)) or "empty"
    if value is None:
        return "nothing"
    return f"“{value}”" if isinstance(value, str) and " " in value else shown(value) or "empty"


def source_sentence(source: Source) -> str:
    """Return a source with its licence.

    Examples
    --------
    >>> source_sentence(Source(title="Rulebook", licence="facts only", note="Forces."))
    'Rulebook (facts only). Forces.'
    """
    title, licence = (" ".join(text.split()) for text in (source.title, source.licence))
    head = f"{title or 'Source'}" + (f" ({licence})" if licence else "")
    # A title is a name, and names keep their first letter as it is.
    stop = "" if head.endswith((".", "!", "?")) else "."
    return " ".join([head + stop, *sentences(source.note), *source.url.split()])

"""Plain English: lists, numbers, sentences. What the words of scenarios are put together with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "agreeing",
    "counted",
    "fields_told",
    "figures",
    "listed",
    "opened",
    "phrase",
    "rolled",
    "sentence",
    "sentences",
    "shown",
    "span",
    "spoken",
    "told_already",
]

_PLURALS = {"hex": "hexes", "box": "boxes", "militia": "militia", "infantry": "infantry", "basij": "basij"}
_ENDS = (".", "!", "?", ":", "…", ";", ",")
_SMALL_WORDS = """
a an and are as at be by each every for from has have her his if in is it its no not of off on or so than that the
their them then they this those to up was were when where which who will with within
"""
_OPENING_WORDS = """
a after all along an any anywhere as at before behind beside between both by each east either every for from half hexes
here if in into it its near no none north off on once one only outside south the there two up west when where within
"""
_OPENING = frozenset(_OPENING_WORDS.split())
_SMALL = frozenset(_SMALL_WORDS.split())


def spoken(name: str) -> str:
    """Return an id or a code as words.

    Examples
    --------
    >>> spoken("light_urban"), spoken("crest-2"), spoken("us.rifle")
    ('light urban', 'crest-2', 'rifle')
    """
    last = name.rpartition(".")[2] or name
    return " ".join(last.replace("_", " ").split())


def listed(items: Iterable[str], word: str = "and") -> str:
    """Return texts as a list in words; what is empty is left out.

    Examples
    --------
    >>> listed(["A1", "B2", "C3"]), listed(["A1", "B2"], "or"), listed([])
    ('A1, B2 and C3', 'A1 or B2', '')
    """
    found = [item for item in items if item]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {word} {found[-1]}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "hex"), counted(2, "hex"), counted(0, "victory point"), counted(3, "militia")
    ('1 hex', '2 hexes', '0 victory points', '3 militia')
    """
    if number in (1, -1):
        return f"{number} {noun}"
    head, _, last = noun.rpartition(" ")
    many = _PLURALS.get(last.lower()) or (last if last.endswith("s") else f"{last}s")
    return f"{number} {head} {many}" if head else f"{number} {many}"


def agreeing(name: str, one: str, many: str) -> str:
    """Return a verb with its subject: names that end like a plural are one.

    Examples
    --------
    >>> agreeing("Rebels", "has", "have"), agreeing("US", "has", "have"), agreeing("ISIL", "wins", "win")
    ('Rebels have', 'US has', 'ISIL wins')
    """
    last = name.rsplit(maxsplit=1)[-1] if name.split() else ""
    plural = (last.endswith("s") and not last.endswith(("ss", "'s"))) or last == "units" or " and " in name
    return f"{name} {many if plural else one}"


def span(first: int, last: int, unit: str) -> str:
    """Return a stretch of turns or activations; 0 is no limit.

    Examples
    --------
    >>> span(3, 3, "turn"), span(3, 5, "turn"), span(3, 0, "turn"), span(0, 5, "turn"), span(0, 0, "turn")
    ('in turn 3', 'in turns 3 to 5', 'from turn 3 on', 'up to turn 5', '')
    """
    if first and last:
        return f"in {unit} {first}" if first == last else f"in {unit}s {first} to {last}"
    if first:
        return f"from {unit} {first} on"
    return f"up to {unit} {last}" if last else ""


def rolled(dice: str) -> str:
    """Return a number or dice as they are read aloud.

    Examples
    --------
    >>> rolled("2d6+1"), rolled("8+1D6"), rolled("5"), rolled("-1")
    ('2D6 + 1', '8 + 1D6', '5', '-1')
    """
    text = dice.strip().upper()
    return text[:1] + re.sub(r"\s*([+-])\s*", r" \1 ", text[1:])


def shown(value: object) -> str:
    """Return a value of an option or a rating in words.

    Examples
    --------
    >>> shown(True), shown("per_border"), shown("3D6+1"), shown(8)
    ('yes', 'per border', '3D6 + 1', '8')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value).strip() or "–"
    return rolled(text) if re.fullmatch(r"[0-9dD+\- ]+", text) else " ".join(text.replace("_", " ").split())


def figures(values: Mapping[str, int | str]) -> str:
    """Return named figures in words.

    Examples
    --------
    >>> figures({"movement": 4, "command_range": 2})
    'movement 4, command range 2'
    """
    return ", ".join(f"{spoken(name)} {shown(value)}" for name, value in values.items())


def phrase(*parts: str, mark: str = " ") -> str:
    """Return the parts that are there, joined.

    Examples
    --------
    >>> phrase("at U9", "", "in light urban", mark=", ")
    'at U9, in light urban'
    """
    return mark.join(part for part in parts if part)


def opened(text: str) -> str:
    """Return a sentence as it goes on in another one: its first letter small, where it begins with a plain word.

    Examples
    --------
    >>> opened("On road hexes"), opened("U9 and V9"), opened("ISIL wins")
    ('on road hexes', 'U9 and V9', 'ISIL wins')
    """
    first = text.split(maxsplit=1)[0].strip(",") if text.split() else ""
    return text[0].lower() + text[1:] if first.lower() in _OPENING else text


def sentence(text: str) -> str:
    """Return a text as a sentence: it begins with a capital letter and ends with a stop; an empty one stays empty.

    Examples
    --------
    >>> sentence("enters in turn 3"), sentence("Why not?"), sentence("  ")
    ('Enters in turn 3.', 'Why not?', '')
    """
    text = text.strip()
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    closed = text.rstrip("\"'”’)]»")
    return text if closed.endswith(_ENDS) else f"{text}."


def sentences(*texts: str) -> list[str]:
    """Return texts as sentences, each once: what another of them says already is left out.

    The words of a designer often repeat what the fields say. Where all words of a sentence that is made of the fields
    stand in the designer's own, or the other way round, the fuller one is enough.

    Examples
    --------
    >>> sentences("sets up at U9 or within 2 hexes of it", "Sets up in U9 or within 2 hexes of it, hidden.", "")
    ['Sets up in U9 or within 2 hexes of it, hidden.']
    """
    found: list[str] = []
    for text in map(sentence, texts):
        if not text:
            continue
        found = [old for old in found if not told_already(old, [text])]
        if not told_already(text, found):
            found.append(text)
    return found


def fields_told(made: str, text: str) -> bool:
    """Tell whether the words of a designer say all that words made of the fields say.

    Labels, numbers, edges, terrain, names and what is excluded have to be there; how they are put together is free.

    Examples
    --------
    >>> fields_told("at B8 or adjacent to it", "In B8 or beside it.")
    True
    >>> fields_told("in columns from E on", "East of hexline D.")
    False
    >>> fields_told("each BMP-2 eliminated", "For each BMP-2 destroyed.")
    True
    """
    return bool(text.strip()) and _words(made) - _STRUCTURE <= _words(text)


_STRUCTURE_WORDS = """
adjacent area captured column destroyed each eliminated edge end enemy everywhere anywhere from held hex least leaves
leave loots loot map more most other own place play points reaches row same side time unit up victory wins win within
beside later otherwise
"""
_NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def told_already(text: str, others: Sequence[str]) -> bool:
    """Tell whether one of several texts has every word and number of another."""
    words = _words(text)
    return any(words <= _words(other) for other in others)


def _words(text: str) -> frozenset[str]:
    found = (_stem(word) for word in re.findall(r"\w+", text.lower()) if word not in _SMALL)
    return frozenset(found) or frozenset([text])


def _stem(word: str) -> str:
    if word in _NUMBERS:
        return str(_NUMBERS.index(word) + 1)
    for end in ("es", "s"):
        if word.endswith(end) and len(word) > len(end) + 2:
            return word[: -len(end)]
    return word


_STRUCTURE = frozenset(map(_stem, _STRUCTURE_WORDS.split()))

"""Whose work maps and scenarios rest on, in words: what is named wherever they are handed out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from studio.model.documents import Source
from studio.model.wording.special import source_sentence

__all__ = ["Credited", "credit_line", "credit_sentences"]


class Credited(Protocol):
    """A map, a scenario, or their documents: what says where it comes from."""

    @property
    def sources(self) -> Sequence[Source]:
        """Where it comes from."""


def credit_sentences(*credited: Credited | None) -> tuple[str, ...]:
    """Return the sources of maps and scenarios with their licences and addresses, in order, each once.

    Parameters
    ----------
    *credited : MapModel, MapDocument, ScenarioDocument or None
        None for what there is not, such as the scenario of a map alone.

    Examples
    --------
    >>> from studio.model import MapUse, ScenarioDocument
    >>> town = Source(title="Town plan", licence="CC0-1.0", url="https://example.org")
    >>> first = ScenarioDocument(ruleset="any", map=MapUse(file="a"), sources=[town, Source(title="")])
    >>> second = ScenarioDocument(ruleset="any", map=MapUse(file="a"), sources=[town, Source(title="A book")])
    >>> credit_sentences(first, None, second)
    ('Town plan (CC0-1.0). https://example.org', 'A book.')
    """
    said = (one for document in credited if document is not None for one in document.sources)
    filled = (one for one in said if any(text.strip() for text in (one.title, one.licence, one.note, one.url)))
    return tuple(dict.fromkeys(map(source_sentence, filled)))


def credit_line(credits: Iterable[str]) -> str:
    """Return credits as one line, as the properties of a file hold them; "" without any.

    Examples
    --------
    >>> credit_line(["Town plan (CC0-1.0). https://example.org", "A book."])
    'Sources: Town plan (CC0-1.0). https://example.org · A book.'
    """
    # Signs that nobody sees have no place in XML.
    plain = ("".join(sign if sign.isprintable() else " " for sign in one) for one in credits)
    line = " · ".join(" ".join(one.split()) for one in plain)
    return f"Sources: {line}" if line else ""

"""What a scenario sheet is made of, whatever it is printed as: sections of headings, texts, lists, tables, pictures."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from studio.draw.counterpen import Face

__all__ = [
    "Block",
    "Facts",
    "FormationCard",
    "Items",
    "Picture",
    "Section",
    "Sheet",
    "SideHead",
    "Table",
    "Text",
    "UnitLine",
]


class Text(NamedTuple):
    """A paragraph; `look` is "", "lead" or "note"."""

    text: str
    look: str = ""


class Items(NamedTuple):
    """A list of things, each with an optional head that is told apart, and a word about it such as its side."""

    items: tuple[tuple[str, str], ...]
    numbered: bool = False


class Facts(NamedTuple):
    """Names with what holds for them, such as "Length" and "16 activations"."""

    pairs: tuple[tuple[str, str], ...]


class Table(NamedTuple):
    """A table; `widths` are shares of the page's."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    title: str = ""


class Picture(NamedTuple):
    """A picture as PNG, with its size in pixels, and what one sees on it in words."""

    png: bytes
    size: tuple[int, int]
    alt: str


class UnitLine(NamedTuple):
    """Units that are alike: what their counter looks like, if it is shown, and what they are."""

    face: Face | None
    text: str


class SideHead(NamedTuple):
    """Where the order of battle of a side begins: its name, its colour, its shape, what is said of it."""

    name: str
    color: str
    shape: str
    lines: tuple[str, ...]


class FormationCard(NamedTuple):
    """A formation: its name in the colour of its side, what is said of it, its units."""

    name: str
    color: str
    lines: tuple[str, ...]
    units: tuple[UnitLine, ...]


Block: TypeAlias = Text | Items | Facts | Table | Picture | SideHead | FormationCard


class Section(NamedTuple):
    """A part of a sheet with its heading."""

    id: str
    title: str
    blocks: tuple[Block, ...]


class Sheet(NamedTuple):
    """A scenario sheet.

    Parameters
    ----------
    game, title, date, situation : str
    sections : tuple of Section
    footer : str
        What stands at the foot of each page.
    """

    game: str
    title: str
    date: str
    situation: str
    sections: tuple[Section, ...]
    footer: str

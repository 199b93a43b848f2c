"""Pieces in VASSAL's own words: what a counter is, and where it lies, as the one line of text that the engine keeps.

The shapes of these texts were read back from the engine: what stands here is what it writes itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Piece", "Trait", "clean", "encode", "stack_text"]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f\ufffe\uffff\ud800-\udfff]+")


class Trait(NamedTuple):
    """Something that a piece can do or has: what it is, and its state."""

    type: str
    state: str = ""


class Piece(NamedTuple):
    """A counter.

    Attributes
    ----------
    name : str
    image : str
        File in the module.
    back : str
        Picture of its other side, "" where it has none.
    turned : bool
        It begins on its other side.
    mask : str
        Picture that the other players see of it when it is hidden, "" where it cannot be.
    hidden_by : str
        Name of the side that hides it at the start.
    marks : tuple of (name, value)
        What else is known of it, such as its side.
    """

    name: str
    image: str
    back: str = ""
    turned: bool = False
    mask: str = ""
    hidden_by: str = ""
    marks: tuple[tuple[str, str], ...] = ()

    def traits(self) -> list[Trait]:
        """Return what it can do, the outermost first."""
        found = []
        if self.mask:
            hidden = encode(";", [self.hidden_by or "null", ""])
            found.append(Trait(f"obs;73,130;{self.mask};Mask;I;?;side:;Peek;;false", hidden))
        found += [Trait("delete;Delete;68,130;"), Trait("clone;Clone;67,130;")]
        if self.back:
            sides = f",{self.back};,{encode(';', ['+ (reduced)'])}"
            flip = f"emb2;;2;;Flip;2;;;2;;;;1;false;0;0;{sides};true;Flip;;;false;;1;1;true;;70,130;;;1.0"
            found.append(Trait(flip, "2" if self.turned else "1"))
        if self.marks:
            names, values = zip(*self.marks, strict=True)
            found.append(Trait("mark;" + encode(";", [encode(",", names)]), encode(",", [clean(v) for v in values])))
        return found

    def text(self, gpid: int, *, piece: str = "null", x: int = 0, y: int = 0) -> str:
        """Return the command that makes it.

        Parameters
        ----------
        gpid : int
            Number of its slot in the module.
        piece : str
            Id of the piece in a saved game.
        x, y : int
            Pixel of the board that it lies on in a saved game; its stack says which board.
        """
        kind = "piece;" + encode(";", ["", "", self.image, clean(self.name)])
        state = encode(";", ["null", str(x), str(y), str(gpid), "0"])
        for trait in reversed(self.traits()):
            kind, state = encode("\t", [trait.type, kind]), encode("\t", [trait.state, state])
        return "+/" + encode("/", [piece, kind, state])


def stack_text(stack: str, window: str, x: int, y: int, pieces: Sequence[str]) -> str:
    """Return the command that makes a stack of pieces in a saved game, the lowest first."""
    return "+/" + encode("/", [stack, "stack", encode(";", [window, str(x), str(y), *pieces, "@@-1"])])


def encode(delimiter: str, values: Sequence[str]) -> str:
    r"""Join texts as VASSAL does: what would end one of them is escaped.

    Examples
    --------
    >>> encode(";", ["a", "b;c", "d"])
    'a;b\\;c;d'
    >>> encode(";", ["'x'", "y"])
    "''x'';y"
    """
    found = []
    for value in values:
        escaped = value.replace(delimiter, "\\" + delimiter)
        quoted = value.endswith("\\") or (value.startswith("'") and value.endswith("'") and value != "")
        found.append(f"'{escaped}'" if quoted else escaped)
    return delimiter.join(found)


def clean(text: str) -> str:
    r"""Return a text without what neither XML nor VASSAL can hold.

    Examples
    --------
    >>> clean("one\ttwo\x00")
    'one two'
    """
    return " ".join(_CONTROLS.sub(" ", text).split())

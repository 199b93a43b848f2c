"""PDF files, written object by object: nothing is kept in memory, and equal pages give equal bytes."""

from __future__ import annotations

import hashlib
import zlib
from typing import IO

__all__ = ["PdfFile", "name_of", "number", "text_of"]


def number(value: float, digits: int = 4) -> str:
    """Return a number as PDF has it: without an exponent, as short as it can be.

    Examples
    --------
    >>> number(2.5), number(3.0), number(-0.00001), number(1 / 3, 6)
    ('2.5', '3', '0', '0.333333')
    """
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_of(text: str) -> str:
    """Return a text as a string of PDF, whatever its letters."""
    return "<" + ("\ufeff" + text).encode("utf-16-be").hex().upper() + ">"


def name_of(text: str) -> str:
    """Return a name of PDF."""
    return "/" + "".join(char if char.isalnum() and char.isascii() else f"#{ord(char):02X}" for char in text)


class PdfFile:
    """A PDF file that is being written.

    Parameters
    ----------
    out : binary file
    """

    def __init__(self, out: IO[bytes]) -> None:
        self._out, self._at = out, 0
        self._places: dict[int, int] = {}
        self._last = 0
        self._digest = hashlib.sha256()
        self._put(b"%PDF-1.6\n%\xe2\xe3\xcf\xd3\n")

    def _put(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._at += len(data)

    def reserve(self) -> int:
        """Return the number of an object that is written later."""
        self._last += 1
        return self._last

    def write(self, body: str | bytes, at: int | None = None) -> int:
        """Write an object; return its number."""
        found = at or self.reserve()
        self._places[found] = self._at
        data = body.encode("latin-1") if isinstance(body, str) else body
        self._put(b"%d 0 obj\n%b\nendobj\n" % (found, data))
        return found

    def stream(self, data: bytes, entries: str = "", at: int | None = None) -> int:
        """Write a stream, compressed; return its number.

        Parameters
        ----------
        data : bytes
        entries : str
            What its dictionary has beside length and filter.
        at : int, optional
            Its number, where that was reserved.
        """
        packed = zlib.compress(data, 7)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        return self.write(head.encode("latin-1") + packed + b"\nendstream", at)

    def close(self, root: int, info: int) -> None:
        """Write where everything is.

        Parameters
        ----------
        root, info : int
            Numbers of the catalogue and of what is known about the document.
        """
        start = self._at
        digest = self._digest.hexdigest()[:32].upper()
        lines = [f"xref\n0 {self._last + 1}\n0000000000 65535 f \n"]
        # What was reserved and never written is free.
        lines += [
            f"{self._places[n]:010d} 00000 n \n" if n in self._places else "0000000000 65535 f \n"
            for n in range(1, self._last + 1)
        ]
        lines.append(
            f"trailer\n<< /Size {self._last + 1} /Root {root} 0 R /Info {info} 0 R /ID [<{digest}> <{digest}>] >>\n"
            f"startxref\n{start}\n%%EOF\n"
        )
        self._put("".join(lines).encode("latin-1"))

"""The sources on paper: their list at the foot of the first page, on pages of its own, or below a poster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studio.draw.press.fonts import text_width, wrapped
from studio.draw.press.page import Page, Placed
from studio.draw.press.pen import INK, Pen

__all__ = ["credit_height", "credit_pages", "draw_credits"]

_SIZE, _HEAD = 2.3, 3.1  # millimetres of 1 em
_LINE, _AFTER = 1.35 * _SIZE, 0.5
_TOP = 5.0  # from the top of the block to its first line of sources
_GREY = "#6b665f"


def _laid(credits: Sequence[str], wide: float) -> list[tuple[str, float]]:
    """Return lines of a width, each with how far below the one before it stands."""
    font, found = Pen().font(), []
    for credit in credits:
        fitting = " ".join(part for word in credit.split() for part in _parts(word, font, wide))
        for n, line in enumerate(wrapped(fitting, font, _SIZE, wide)):
            found.append((line, _LINE if n else _LINE + _AFTER))
    return found


def _parts(word: str, font: str, wide: float) -> Iterator[str]:
    """Yield a word in parts no wider than a line: an address may be wider than a small map."""
    while len(word) > 1 and text_width(word, font) * _SIZE > wide:
        fits = next((n for n in range(len(word) - 1, 1, -1) if text_width(word[:n], font) * _SIZE <= wide), 1)
        yield word[:fits]
        word = word[fits:]
    yield word


def credit_height(credits: Sequence[str], wide: float) -> float:
    """Return the height in millimetres of the list of sources, set in lines of a width; 0 of none."""
    return _TOP + sum(step for _, step in _laid(credits, wide)) if credits else 0.0


def draw_credits(pen: Pen, credits: Sequence[str], x: float, y: float, wide: float) -> None:
    """Write the list of sources; `y` is the top of it."""
    if not credits:
        return
    pen.text(x, y + _HEAD, "Sources", _HEAD, bold=True, color=INK)
    y += _TOP
    for line, step in _laid(credits, wide):
        y += step
        pen.text(x, y, line, _SIZE, color=_GREY)


def credit_pages(credits: Sequence[str], size: tuple[float, float], side: float) -> list[Page]:
    """Return pages with nothing but sources, for a list that is too long to stand beside other things.

    Parameters
    ----------
    credits : sequence of str
    size : (wide, high)
        Of a page, in millimetres.
    side : float
        Its rim.
    """
    wide, high = size
    pages, pen, y = [], Pen(), side + 11.0
    for line, step in _laid(credits, wide - 2 * side):
        if pen.plate.marks and y + step > high - side:
            pages.append(pen)
            pen, y = Pen(), side + 11.0
        y += step
        pen.text(side, y, line, _SIZE, color=_GREY)
    pages.append(pen)
    for one in pages:
        one.text(side, side + 6.0, "Sources", 4.4, bold=True, serif=True)
    return [Page(wide, high, (Placed(one.plate),), "Sources") for one in pages]

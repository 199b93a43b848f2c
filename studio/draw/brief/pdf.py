"""Scenario sheets as PDF, laid out by reportlab: the same blocks as the HTML page, page breaks between rows."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from studio.draw.brief.pdf_counters import counter_flowable
from studio.draw.brief.pdf_style import BOLD, HEAD, SOFT, marked_up, register_fonts, styles
from studio.draw.brief.sheet import (
    Block,
    Facts,
    FormationCard,
    Items,
    Picture,
    Sheet,
    SideHead,
    Table,
    Text,
)
from studio.draw.counterpen import Face

__all__ = ["PAPERS", "sheet_pdf"]

PAPERS = ("a4", "letter")
"""Sizes of paper that sheets are laid out for."""

_MARGIN, _COUNTER, _PAD = 40.0, 27.0, 4.0
_LETTERS = 2600
"""Letters that fill about half a page: a longer text in a table goes on in another row, which a page may end at."""

_LINE = "#b9b0a0"


def sheet_pdf(sheet: Sheet, *, paper: str = "a4") -> bytes:
    """Return a sheet as PDF, the same bytes for the same sheet.

    Parameters
    ----------
    sheet : Sheet
    paper : {"a4", "letter"}
    """
    from reportlab.lib.pagesizes import A4, LETTER
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

    register_fonts()
    size = A4 if paper == "a4" else LETTER
    target = io.BytesIO()
    made = BaseDocTemplate(
        target,
        pagesize=size,
        title=f"{sheet.title} – {sheet.game}",
        author="",
        subject="Scenario sheet",
        creator="Wargame Studio",
        lang="en",
        invariant=1,
        pageCompression=1,
        allowSplitting=1,
    )
    frame = Frame(_MARGIN, _MARGIN + 8, size[0] - 2 * _MARGIN, size[1] - 2 * _MARGIN - 8, 0, 0, 0, 0)

    def foot(canvas: Any, document: Any) -> None:
        _foot(canvas, sheet.footer, document.page, size)

    made.addPageTemplates([PageTemplate("sheet", [frame], onPage=foot)])
    made.build(_Layout(size[0] - 2 * _MARGIN, size[1] - 2 * _MARGIN - 8).story(sheet))
    return target.getvalue()


def _foot(canvas: Any, footer: str, page: int, size: tuple[float, float]) -> None:
    from reportlab.lib.colors import HexColor
    from reportlab.platypus import Paragraph

    canvas.saveState()
    canvas.setStrokeColor(HexColor(_LINE))
    canvas.line(_MARGIN, _MARGIN, size[0] - _MARGIN, _MARGIN)
    shown = footer if len(footer) <= 110 else f"{footer[:40]}…{footer[-68:]}"
    words = Paragraph(marked_up(shown), styles()["note"])
    words.wrap(size[0] - 2 * _MARGIN - 30, 20)
    words.drawOn(canvas, _MARGIN, _MARGIN - 12)
    canvas.setFont(HEAD, 8)
    canvas.setFillColor(HexColor(SOFT))
    canvas.drawRightString(size[0] - _MARGIN, _MARGIN - 11, str(page))
    canvas.restoreState()


class _Layout:
    """Makes flowables of blocks."""

    def __init__(self, wide: float, high: float) -> None:
        self.wide, self.high, self.styles = wide, high, styles()
        self.faces: dict[Face, str] = {}

    def story(self, sheet: Sheet) -> list[Any]:
        """Return the whole sheet; what leads to something stays on its page."""
        from reportlab.platypus import CondPageBreak

        made: list[Any] = []
        leading: list[Any] = []
        for flowable, leads in self._flow(sheet):
            leading.append(flowable)
            if not leads:
                if len(leading) > 1:
                    needs = sum(self._height(one) for one in leading[:-1]) + self._least(flowable)
                    made.append(CondPageBreak(min(needs, 0.9 * self.high)))
                made += leading
                leading = []
        return made + leading

    def _height(self, flowable: Any) -> float:
        _, high = flowable.wrap(self.wide, self.high)
        return float(high + flowable.getSpaceBefore() + flowable.getSpaceAfter())

    def _least(self, flowable: Any) -> float:
        """Return how much of a page something needs to begin on it."""
        high = self._height(flowable)
        rows = getattr(flowable, "_rowHeights", None)
        if rows is not None:
            return float(sum(rows[:3])) + 6
        return high if isinstance(flowable, _picture_kind()) else min(high, 30.0)

    def _flow(self, sheet: Sheet) -> Iterator[tuple[Any, bool]]:
        """Yield what the sheet is made of, each with whether it leads to what follows."""
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import HRFlowable

        yield self.text(sheet.game.upper(), "game"), False
        yield self.text(sheet.title, "title"), False
        if sheet.date:
            yield self.text(sheet.date, "date"), False
        for line in sheet.situation.split("\n"):
            if line.strip():
                yield self.text(line, "lead"), False
        yield HRFlowable(width="100%", thickness=1.6, color=HexColor("#1d1a17"), spaceBefore=3, spaceAfter=2), False
        for section in sheet.sections:
            yield _heading(section.title, section.id, self.styles["h2"]), True
            for n, block in enumerate(section.blocks):
                follows = section.blocks[n + 1] if n + 1 < len(section.blocks) else None
                leads = (
                    isinstance(block, SideHead)
                    or (isinstance(block, Items) and isinstance(follows, Table))
                    or (isinstance(block, Text) and block.look == "head")
                )
                for flowable in self.block(block):
                    yield flowable, leads and follows is not None

    def block(self, block: Block) -> Iterator[Any]:
        """Yield the flowables of a block."""
        match block:
            case Text():
                yield self.text(block.text, {"head": "h3"}.get(block.look, "body"))
            case Items():
                yield from self._items(block)
            case Facts():
                yield self._table([], block.pairs, (0.2, 0.8), plain=True)
            case Table():
                yield self._table(block.head, block.rows, block.widths)
            case Picture():
                yield from self._picture(block)
            case SideHead():
                for line in block.lines:
                    yield self.text(line, "body")
            case FormationCard():
                yield self._card(block)

    def text(self, text: str, style: str) -> Any:
        """Return a paragraph."""
        from reportlab.platypus import Paragraph

        look = self.styles[style]
        return Paragraph(marked_up(text, look.fontName) or " ", look)

    def _items(self, block: Items) -> Iterator[Any]:
        from reportlab.platypus import Paragraph

        for n, (head, text) in enumerate(block.items, 1):
            lead = f"<b>{marked_up(head, BOLD)}.</b> " if head else ""
            mark = f"{n}." if block.numbered else "•"
            yield Paragraph(lead + marked_up(text), self.styles["item"], bulletText=mark)

    def _picture(self, block: Picture) -> Iterator[Any]:
        from reportlab.platypus import Spacer

        yield _fitted(block, self.high)
        yield Spacer(1, 5)

    # -- tables ------------------------------------------------------------------------------------------------------

    def _table(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float], *, plain: bool = False
    ) -> Any:
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import Table as Laid

        line, ink = HexColor(_LINE), HexColor("#1d1a17")
        cells = [[self.text(cell, "cell-bold") for cell in head]] if head else []
        starts = []
        for row in rows:
            starts.append(len(cells))
            for part in _in_parts(row, widths):
                cells.append([self.text(cell, "cell" if n else "cell-bold") for n, cell in enumerate(part)])
        look: list[tuple[Any, ...]] = [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 1 if plain else 2.2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1 if plain else 2.8),
            ("LEFTPADDING", (0, 0), (-1, -1), 0 if plain else _PAD),
        ]
        if not plain:
            look += [("LINEABOVE", (0, start), (-1, start), 0.4, line) for start in starts]
            look += [("LINEBELOW", (0, -1), (-1, -1), 0.4, line)]
        if head:
            look.append(("LINEBELOW", (0, 0), (-1, 0), 1.2, ink))
        wide = [share * self.wide for share in widths]
        return Laid(
            cells or [[""] * len(widths)], wide, repeatRows=int(bool(head)), style=look, spaceBefore=2, spaceAfter=6
        )

    def _card(self, card: FormationCard) -> Any:
        from reportlab.lib.colors import HexColor
        from reportlab.platypus import Table as Laid

        drawn = any(unit.face is not None for unit in card.units)
        first, beside = (_COUNTER + 13, _COUNTER + _PAD) if drawn else (11.0, 2.0)
        half = (self.wide - first - beside) / 2
        rows: list[list[Any]] = [[self.text(part, "card"), "", "", ""] for part in _parts_of(card.name, _LETTERS // 3)]
        rows += [
            [self.text(part, "body"), "", "", ""] for part in _parts_of(" ".join(card.lines), 2 * _LETTERS // 3) if part
        ]
        heads = len(rows)
        cells = [pair for unit in card.units for pair in self._unit(unit.face, unit.text)]
        for n in range(0, len(cells), 2):
            rows.append([*cells[n], *(cells[n + 1] if n + 1 < len(cells) else ("", ""))])
        color = HexColor(card.color)
        look: list[tuple[Any, ...]] = [
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
            ("LEFTPADDING", (0, 0), (0, -1), 9),
            ("RIGHTPADDING", (0, 0), (-1, -1), 3),
            ("LINEBEFORE", (0, 0), (0, -1), 5, color),
            ("BOX", (0, 0), (-1, -1), 0.5, HexColor(_LINE)),
            ("LEFTPADDING", (1, heads), (3, -1), 3),
            *(("SPAN", (0, row), (-1, row)) for row in range(heads)),
            ("NOSPLIT", (0, 0), (0, min(2, len(rows) - 1))),
        ]
        return Laid(rows, [first, half, beside, half], style=look, spaceBefore=3, spaceAfter=5)

    def _unit(self, face: Face | None, text: str) -> Iterator[tuple[Any, Any]]:
        """Yield the cells of units: the counter, and what they are."""
        for n, part in enumerate(_parts_of(text, _LETTERS // 3)):
            name = self.faces.setdefault(face, f"counter-{len(self.faces)}") if face is not None else ""
            counter = counter_flowable(face, name, _COUNTER) if face is not None and not n else ""
            yield counter, self.text(part, "unit")


def _picture_kind() -> Any:
    from reportlab.platypus import Image

    return Image


def _fitted(picture: Picture, page: float) -> Any:
    """Return a picture as wide as the page bears; a high one shrinks to what is left of it, if that is enough."""
    from reportlab.platypus import Image

    class Fitted(Image):  # type: ignore[misc]
        """A picture that fits."""

        def wrap(self, wide: float, high: float) -> tuple[float, float]:
            """Return its size."""
            across, down = picture.size
            room = min(high, page) - 18 if high > 0.55 * page else page - 30
            scale = min(wide / across, room / down)
            self.drawWidth, self.drawHeight = across * scale, down * scale
            return self.drawWidth, self.drawHeight

    return Fitted(io.BytesIO(picture.png), *picture.size)


def _heading(text: str, name: str, style: Any) -> Any:
    from reportlab.platypus import Paragraph

    class Heading(Paragraph):  # type: ignore[misc]
        """A heading that stands in the outline of the document."""

        def draw(self) -> None:
            """Draw the heading, and note where it is."""
            self.canv.bookmarkPage(name)
            self.canv.addOutlineEntry(text[:80], name, 0)
            super().draw()

    return Heading(marked_up(text, style.fontName), style)


def _in_parts(row: Sequence[str], widths: Sequence[float]) -> Iterator[list[str]]:
    """Yield a row of a table as rows none of which is higher than about half a page."""
    columns = [_parts_of(cell, max(40, int(_LETTERS * share))) for cell, share in zip(row, widths, strict=True)]
    for n in range(max(map(len, columns))):
        yield [column[n] if n < len(column) else "" for column in columns]


def _parts_of(text: str, most: int) -> list[str]:
    """Return a text in parts of at most so many letters, cut between words where there is a gap.

    Examples
    --------
    >>> _parts_of("one two three", 8), _parts_of("abcdefgh", 3)
    (['one two', 'three'], ['abc', 'def', 'gh'])
    """
    parts = []
    while len(text) > most:
        cut = text.rfind(" ", 1, most + 1)
        cut = cut if cut > most // 2 else most
        parts.append(text[:cut].strip())
        text = text[cut:].strip()
    return [*parts, text]

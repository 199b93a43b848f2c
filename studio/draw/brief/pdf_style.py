"""Fonts and styles of scenario sheets as PDF. The fonts come with matplotlib, so that every machine has them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

__all__ = ["BODY", "BOLD", "HEAD", "ITALIC", "SIGNS", "marked_up", "register_fonts", "styles"]

BODY, BOLD, ITALIC, HEAD, SIGNS = "StixBody", "StixBold", "StixItalic", "DejaVuHead", "DejaVuSigns"
_FILES = {
    BODY: "STIXGeneral.ttf",
    BOLD: "STIXGeneralBol.ttf",
    ITALIC: "STIXGeneralItalic.ttf",
    HEAD: "DejaVuSans-Bold.ttf",
    SIGNS: "DejaVuSans.ttf",
}
INK, SOFT = "#1d1a17", "#5a544b"


@cache
def register_fonts() -> None:
    """Make the fonts known to reportlab, once."""
    import matplotlib
    from reportlab.pdfbase.pdfmetrics import registerFont, registerFontFamily
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in _FILES.items():
        registerFont(TTFont(name, str(folder / file)))
    registerFontFamily(BODY, normal=BODY, bold=BOLD, italic=ITALIC, boldItalic=BOLD)
    registerFontFamily(HEAD, normal=HEAD, bold=HEAD, italic=HEAD, boldItalic=HEAD)


@cache
def _letters(font: str) -> frozenset[int]:
    from reportlab.pdfbase.pdfmetrics import getFont

    register_fonts()
    return frozenset(getFont(font).face.charToGlyph)


def marked_up(text: str, font: str = BODY) -> str:
    """Return a text for a paragraph: nothing in it is markup, and letters that its font lacks come from another.

    Parameters
    ----------
    text : str
    font : str
        Of the paragraph.
    """
    known = _letters(font)
    runs: list[tuple[bool, str]] = []
    for letter in " ".join(text.split()):
        if not letter.isprintable():
            continue
        has = ord(letter) in known
        if runs and runs[-1][0] == has:
            runs[-1] = (has, runs[-1][1] + letter)
        else:
            runs.append((has, letter))
    return "".join(escape(part) if has else f'<font name="{SIGNS}">{escape(part)}</font>' for has, part in runs)


@cache
def styles() -> dict[str, Any]:
    """Return the styles of paragraphs by name."""
    from reportlab.lib.colors import HexColor
    from reportlab.lib.styles import ParagraphStyle

    register_fonts()
    ink, soft = HexColor(INK), HexColor(SOFT)
    body = ParagraphStyle("body", fontName=BODY, fontSize=10, leading=12.6, textColor=ink, spaceAfter=3)
    item = ParagraphStyle("item", body, leftIndent=11, bulletIndent=1, spaceAfter=2.5)
    return {
        "body": body,
        "lead": ParagraphStyle("lead", body, fontSize=11, leading=14, spaceAfter=4),
        "note": ParagraphStyle("note", body, fontSize=8.5, leading=10.5, textColor=soft),
        "item": item,
        "cell": ParagraphStyle("cell", body, spaceAfter=0),
        "cell-bold": ParagraphStyle("cell-bold", body, fontName=BOLD, spaceAfter=0),
        "unit": ParagraphStyle("unit", body, fontSize=9.3, leading=11, spaceAfter=0),
        "game": ParagraphStyle("game", body, fontName=HEAD, fontSize=7.5, leading=10, textColor=HexColor("#6d1f1f")),
        "title": ParagraphStyle("title", body, fontName=HEAD, fontSize=19, leading=23, spaceAfter=2),
        "date": ParagraphStyle("date", body, fontName=ITALIC, fontSize=11, leading=14, textColor=soft, spaceAfter=5),
        "h2": ParagraphStyle(
            "h2",
            body,
            fontName=HEAD,
            fontSize=10.5,
            leading=13,
            textColor=HexColor("#ffffff"),
            backColor=ink,
            borderPadding=(2.5, 5, 3, 5),
            leftIndent=5,
            rightIndent=5,
            spaceBefore=12,
            spaceAfter=8,
        ),
        "h3": ParagraphStyle("h3", body, fontName=HEAD, fontSize=9.3, leading=12, spaceBefore=4, spaceAfter=2),
        "card": ParagraphStyle("card", body, fontName=HEAD, fontSize=9.3, leading=12, spaceAfter=2),
    }

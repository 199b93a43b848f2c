"""Fonts in a PDF: only the letters that are used, by their numbers in the font, and what they mean, for searching."""

from __future__ import annotations

import io
from pathlib import Path

from studio.draw.press.fonts import font_of
from studio.draw.press.pdffile import PdfFile, name_of

__all__ = ["PdfFont"]

_NO_LETTER = ".notdef"  # what fonts show for letters that they have not, always glyph 0
_TAG = "WGSTUD"  # six capitals mark a font of which only a part is there
_TABLES = frozenset({"head", "hhea", "maxp", "hmtx", "loca", "glyf", "cmap", "cvt ", "fpgm", "prep"})  # what PDF reads


class PdfFont:
    """A font that a PDF uses.

    Parameters
    ----------
    path : str
        File of a TrueType font.
    number : int
        Of its object.
    """

    def __init__(self, path: str, number: int) -> None:
        self.path, self.number = path, number
        self._font = font_of(path)
        self._cmap = self._font.getBestCmap()
        self._used: dict[int, str] = {}

    def encoded(self, text: str) -> str:
        """Return a text as the numbers of its letters, in hexadecimal digits; 0 for those that the font has not."""
        found = []
        for char in text:
            name = self._cmap.get(ord(char), _NO_LETTER)
            glyph = self._font.getGlyphID(name)
            if name != _NO_LETTER:
                self._used[glyph] = char
            found.append(f"{glyph:04X}")
        return "".join(found)

    def write(self, file: PdfFile) -> None:
        """Write the font into a file, once all its letters are known."""
        name = name_of(f"{_TAG}+{Path(self.path).stem}")
        data = self._subset()
        program = file.stream(data, f"/Length1 {len(data)}")
        descriptor = file.write(self._descriptor(name, program))
        below = file.write(
            f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont {name} /CIDToGIDMap /Identity /DW 1000 "
            f"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
            f"/FontDescriptor {descriptor} 0 R /W [{self._widths()}] >>"
        )
        meaning = file.stream(self._meaning().encode("ascii"))
        file.write(
            f"<< /Type /Font /Subtype /Type0 /BaseFont {name} /Encoding /Identity-H "
            f"/DescendantFonts [{below} 0 R] /ToUnicode {meaning} 0 R >>",
            self.number,
        )

    def _subset(self) -> bytes:
        from fontTools.subset import Options, Subsetter
        from fontTools.ttLib import TTFont

        options = Options()
        options.retain_gids = True  # the pages that use the numbers are written already
        options.notdef_outline = True
        options.layout_features = []
        options.name_IDs = []
        options.hinting = False
        font = TTFont(self.path, recalcTimestamp=False)
        for tag in [tag for tag in font.reader.keys() if tag not in _TABLES]:  # noqa: SIM118
            del font[tag]
        subsetter = Subsetter(options)
        subsetter.populate(text="".join(sorted(self._used.values())))
        subsetter.subset(font)
        made = io.BytesIO()
        font.save(made, reorderTables=True)
        return made.getvalue()

    def _descriptor(self, name: str, program: int) -> str:
        head, hhea, post = self._font["head"], self._font["hhea"], self._font["post"]
        em = 1000 / head.unitsPerEm
        box = " ".join(str(round(value * em)) for value in (head.xMin, head.yMin, head.xMax, head.yMax))
        return (
            f"<< /Type /FontDescriptor /FontName {name} /Flags 4 /FontBBox [{box}] "
            f"/ItalicAngle {round(post.italicAngle)} /Ascent {round(hhea.ascent * em)} "
            f"/Descent {round(hhea.descent * em)} /CapHeight {round(0.73 * 1000)} /StemV 80 /FontFile2 {program} 0 R >>"
        )

    def _widths(self) -> str:
        metrics, em = self._font["hmtx"].metrics, 1000 / self._font["head"].unitsPerEm
        names = {0: _NO_LETTER} | {glyph: self._cmap[ord(char)] for glyph, char in self._used.items()}
        return " ".join(f"{glyph} [{round(metrics[name][0] * em)}]" for glyph, name in sorted(names.items()))

    def _meaning(self) -> str:
        """Return what tells readers which letters the numbers stand for."""
        lines = [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def /CMapType 2 def",
            "1 begincodespacerange <0000> <FFFF> endcodespacerange",
        ]
        pairs = [
            f"<{glyph:04X}> <{char.encode('utf-16-be').hex().upper()}>" for glyph, char in sorted(self._used.items())
        ]
        for part in (pairs[n : n + 100] for n in range(0, len(pairs), 100)):
            lines += [f"{len(part)} beginbfchar", *part, "endbfchar"]
        lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
        return "\n".join(lines)

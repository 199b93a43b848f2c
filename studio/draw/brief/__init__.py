"""Scenario sheets: what a scenario says, laid out to be printed, as HTML and as PDF.

The sheet is made once, as sections of plain blocks; the two printers only lay these out, so that both say the same.
"""

from studio.draw.brief.html import sheet_html
from studio.draw.brief.making import make_sheet
from studio.draw.brief.pdf import PAPERS, sheet_pdf
from studio.draw.brief.sheet import Sheet

__all__ = ["PAPERS", "Sheet", "make_sheet", "sheet_html", "sheet_pdf"]

"""Scenario sheets for a notebook and for paper: everything that a scenario says, from its data alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio import __version__
from studio.api.calendar import ScenarioCalendar
from studio.draw.arguments import OptionError
from studio.errors import StudioError, nearest

if TYPE_CHECKING:
    from studio.draw.brief import Sheet

__all__ = ["Brief", "ScenarioBrief"]

_SUFFIXES = (".html", ".htm", ".pdf")


class Brief:
    """A scenario sheet: title, situation, map, order of battle, turn track, tables, objectives, rules, sources.

    Shows itself in a notebook; ``save`` writes it for the printer.

    Parameters
    ----------
    sheet : Sheet
    paper : {"a4", "letter"}
        That it is printed on.
    """

    def __init__(self, sheet: Sheet, paper: str = "a4") -> None:
        self.sheet, self.paper = sheet, paper

    def __repr__(self) -> str:
        return f"Brief({self.sheet.title!r}, {len(self.sheet.sections)} sections)"

    def _repr_html_(self) -> str:
        from studio.draw.brief import sheet_html

        return sheet_html(self.sheet, paper=self.paper, fragment=True)

    def to_html(self) -> str:
        """Return the sheet as one self-contained HTML page, for screens light and dark and for paper."""
        from studio.draw.brief import sheet_html

        return sheet_html(self.sheet, paper=self.paper)

    def to_pdf(self) -> bytes:
        """Return the sheet as PDF with its fonts; the same sheet gives the same bytes."""
        from studio.draw.brief import sheet_pdf

        return sheet_pdf(self.sheet, paper=self.paper)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the sheet as HTML or PDF, as the suffix of the path says.

        Raises
        ------
        OptionError
            When the suffix is none of ``.html``, ``.htm`` and ``.pdf``.
        StudioError
            When there is no such folder.
        """
        target = Path(path)
        suffix = target.suffix.lower()
        if suffix not in _SUFFIXES:
            msg = f"brief {target.name!r}: suffix {suffix or 'missing'}; allowed are {', '.join(_SUFFIXES)}"
            raise OptionError(msg)
        if not target.parent.is_dir():
            msg = f"brief {target}: there is no folder {target.parent}; make it first, or name another one"
            raise StudioError(msg)
        target.write_bytes(self.to_pdf() if suffix == ".pdf" else self.to_html().encode("utf-8"))
        return target


class ScenarioBrief(ScenarioCalendar):
    """A scenario that can be printed as a sheet."""

    def brief(self, path: str | os.PathLike[str] | None = None, *, paper: str = "a4", pictures: bool = True) -> Brief:
        """Make a printable sheet of the scenario from its data alone; with a path, write it as HTML or PDF.

        Parameters
        ----------
        path : str or path, optional
            Its suffix chooses the format: ``.html``, ``.htm`` or ``.pdf``.
        paper : {"a4", "letter"}
            Size of the paper.
        pictures : bool
            With the map and the turn track.

        Returns
        -------
        Brief
            Shows itself in a notebook.

        Raises
        ------
        OptionError
            When the paper or the suffix is unknown.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> [section.title for section in raid.brief(pictures=False).sheet.sections][:3]
        ['At a glance', 'Order of battle: Rebels', 'Order of battle: ISIL']
        """
        from studio.draw.brief import PAPERS, make_sheet

        if paper not in PAPERS:
            msg = f"brief: unknown paper {paper!r}; {nearest(str(paper), PAPERS)}"
            raise OptionError(msg)
        whole: Any = self
        if path is not None and Path(path).suffix.lower() not in _SUFFIXES:
            msg = f"brief {Path(path).name!r}: allowed suffixes are {', '.join(_SUFFIXES)}"
            raise OptionError(msg)
        with whole.lock:
            sheet = make_sheet(self, pictures=pictures, made_by=f"Wargame Studio {__version__}")
        made = Brief(sheet, paper)
        if path is not None:
            made.save(path)
        return made

"""Maps and scenarios on paper, to scale."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studio.draw.press import Printed

__all__ = ["Printing"]


class Printing:
    """A document that can be printed to scale."""

    def print(self, path: str | os.PathLike[str], **options: Any) -> Printed:
        """Print to scale: sheets of paper as PDF, or one picture of true size as SVG or PNG.

        Parameters
        ----------
        path : str or path
            Its suffix chooses the format: ``.pdf``, ``.svg`` or ``.png``.
        hex_mm : float, optional
            Width of a hex from its leftmost to its rightmost point; 16 mm by default.
        flats_mm : float, optional
            Instead: distance of two opposite sides of a hex.
        paper : str or (float, float), optional
            ``"A4"`` by default, another size such as ``"A3"``, ``"Letter"``, ``"Tabloid"``, width and height in mm, or
            ``"one"`` for one page as large as the map needs.
        orientation : {"auto", "portrait", "landscape"}, optional
            By default the one that needs the fewest sheets.
        margin, overlap, bleed : float, optional
            Rim of a sheet, what neighbours share, and what goes on beyond the crop marks, in mm: 10, 8 and 0.
        inks : {"full", "safe", "grey", "saver"}, optional
            All colours; sides in colours that everybody tells apart; greys; little ink.
        only_in_play : bool, optional
            Nothing but the part of the map that a scenario uses.
        parts : sequence of str, optional
            Of a map of several sheets only those with these ids, or of these layers.
        hide : sequence of str, optional
            Groups of layers to leave out, such as ``"labels"`` or ``"relief"``.
        units : bool, optional
            Units on the map; by default unless counters are printed.
        counters : bool, optional
            Of a scenario: sheets of counters to cut out, fronts and backs, the turn track and a card of the set-up.
        **options
            The rest of :class:`studio.draw.press.PrintOptions`.

        Returns
        -------
        Printed
            The files, how many sheets and pages, and the size of a hex.

        Raises
        ------
        PrintError
            When an option is wrong, the suffix unknown, or more sheets would be needed than are allowed.
        SaveError
            When a file cannot be written; an older one is whole.

        Examples
        --------
        >>> import studio, tempfile, pathlib
        >>> desert = studio.new_map("armageddon_war", columns=8, rows=6)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     printed = desert.print(pathlib.Path(folder) / "desert.pdf", hex_mm=20, front=False)
        >>> printed.sheets, printed.pages, printed.hex_mm
        (1, 1, 20.0)
        """
        from studio.draw.press import print_map

        document: Any = self
        with document.lock:
            return print_map(document, path, **options)

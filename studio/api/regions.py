"""Regions of a map: copied, cut, pasted, moved, turned and mirrored, and one terrain replaced by another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from studio.api.placing import MapPlacing
from studio.errors import EditError, shortened
from studio.model import Edit, Paint
from studio.model.region import Mirror, Region, read_region
from studio.model.regioncopy import copy_region, cut_edits
from studio.model.regionpaste import Pasted, move_edits, paste_edits

__all__ = ["MapRegions"]


class MapRegions(MapPlacing):
    """A drawing of which pieces can be taken and put elsewhere."""

    def copy_region(self, labels: Iterable[str], *, anchor: str | None = None, features: bool = True) -> Region:
        """Return a piece of the map: terrain, levels, hexsides, and what is drawn in it.

        Roads and crest lines that go on beyond it are taken as far as they lie in it; everything else that is drawn is
        taken where all of it lies in it. ``region.placed(turn, mirror)`` turns and mirrors it;
        ``studio.model.region.write_region`` and ``read_region`` keep it as text.

        Parameters
        ----------
        labels : iterable of str
        anchor : str, optional
            Label of the hex by which it is held; the one nearest to its middle by default.
        features : bool
            False takes terrain, levels and hexsides only.

        Returns
        -------
        Region

        Raises
        ------
        LabelError
            When a label is unknown.
        EditError
            When no hex is named.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=8, rows=8)
        >>> _ = desert.paint(["0101", "0102"], terrain="marsh")
        >>> piece = desert.copy_region(["0101", "0102"], anchor="0101")
        >>> desert.paste_region(piece, "0505", turn=1).hexes
        2
        >>> desert.model.terrain_at(desert.labels.cell("0405"))
        'marsh'
        """
        with self.lock:
            return copy_region(self.model, self._cells(labels), self._anchor(anchor), features=features)

    def cut_region(self, labels: Iterable[str], *, anchor: str | None = None, features: bool = True) -> Region:
        """Copy a piece of the map and empty it there, as one step.

        What is left is the game's first terrain at level 0. Hexsides on its rim stay.

        Parameters
        ----------
        labels : iterable of str
        anchor : str, optional
        features : bool

        Returns
        -------
        Region
        """
        with self.lock:
            cells, held = self._cells(labels), self._anchor(anchor)
            region = copy_region(self.model, cells, held, features=features, runs=False)
            self._step(f"Cut {len(cells)} hexes", cut_edits(self.model, cells, features=features))
            return region

    def paste_region(
        self, region: Region | str, at: str, *, turn: int = 0, mirror: Mirror = "", features: bool = True
    ) -> Pasted:
        """Put a piece of a map into this one, as one step.

        Parameters
        ----------
        region : Region or str
            Or its text.
        at : str
            Label of the hex for its anchor.
        turn : int
            Sixths of a turn about the anchor, clockwise.
        mirror : {"", "left-right", "top-bottom"}
            Done before the turn.
        features : bool
            False puts terrain, levels and hexsides only.

        Returns
        -------
        Pasted
            What came to lie where, and what fell off the map.

        Raises
        ------
        LabelError
            When the label is unknown.
        EditError
            When the text is no region, its hexes stand otherwise, or it is of another game.
        """
        if isinstance(region, str):
            region = read_region(region)
        if not isinstance(region, Region):
            msg = f"paste: got {shortened(region)}; give a region of copy_region or cut_region, or its text"
            raise EditError(msg)
        with self.lock:
            pasted = paste_edits(self.model, region, self.labels.cell(at), turn=turn, mirror=mirror, features=features)
            self._step(f"Paste {pasted.hexes} hexes", pasted.edits)
            return pasted

    def move_region(
        self,
        labels: Iterable[str],
        to: str | None = None,
        *,
        anchor: str | None = None,
        turn: int = 0,
        mirror: Mirror = "",
        features: bool = True,
    ) -> Pasted:
        """Move, turn or mirror a piece of the map, as one step.

        Parameters
        ----------
        labels : iterable of str
        to : str, optional
            Label of the hex for its anchor; without it, it stays there.
        anchor : str, optional
            Label of the hex by which it is held, and about which it turns; the one nearest to its middle by default.
        turn : int
            Sixths of a turn, clockwise.
        mirror : {"", "left-right", "top-bottom"}
        features : bool

        Returns
        -------
        Pasted

        Raises
        ------
        LabelError
            When a label is unknown.
        EditError
            When no hex is named, or all of it would fall off the map.
        """
        with self.lock:
            cells, held = self._cells(labels), self._anchor(anchor)
            if held is None:
                from studio.model.regioncopy import middle_of

                held = middle_of(self.grid, cells)
            target = held if to is None else self.labels.cell(to)
            pasted = move_edits(self.model, cells, target, anchor=held, turn=turn, mirror=mirror, features=features)
            title = "Turn" if target == held and turn % 6 else "Mirror" if target == held and mirror else "Move"
            self._step(f"{title} {len(cells)} hexes", pasted.edits)
            return pasted

    def replace_terrain(self, old: str, new: str, labels: Iterable[str] | None = None) -> int:
        """Paint every hex of one terrain with another, as one step.

        Parameters
        ----------
        old, new : str
            Terrain ids.
        labels : iterable of str, optional
            Where; on the whole map by default.

        Returns
        -------
        int
            How many hexes were painted.

        Raises
        ------
        EditError
            When a terrain is unknown.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=8, rows=8)
        >>> _ = desert.paint(["0101", "0402"], terrain="marsh")
        >>> desert.replace_terrain("marsh", "dunes")
        2
        """
        for name in (old, new):
            self._known("terrain", name, self.terrain_ids)
        with self.lock:
            found = (self.terrain == self.terrain_ids.index(old)) & self.grid.present
            cells = np.flatnonzero(found).tolist()
            if labels is not None:
                held = set(self._cells(labels))
                cells = [cell for cell in cells if cell in held]
            if cells and old != new:
                title = f"Replace {old.replace('_', ' ')} by {new.replace('_', ' ')} in {len(cells)} hexes"
                self._step(title, [Paint(plane="terrain", cells=cells, values=[new])])
            return len(cells)

    def _cells(self, labels: Any) -> list[int]:
        listed = [labels] if isinstance(labels, str) else self._several("region", labels)
        return list(dict.fromkeys(self.labels.cells(listed)))

    def _anchor(self, label: str | None) -> int | None:
        return None if label is None else self.labels.cell(label)

    def _step(self, title: str, edits: Iterable[Edit]) -> None:
        super()._step(title, list(edits))

"""The size of a map: rows and columns added and removed at its edges, cropped to a part of it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from studio.api.backdrop import MapBackdrop
from studio.api.document import LIVE
from studio.errors import EditError, StudioError, nearest, shortened
from studio.files import load_map, write_map_text
from studio.grid import MAX_SIZE
from studio.model import Edit, Losses, MapModel, Resize, Restore, describe
from studio.model.sizing import crop_edit, plan_resize

if TYPE_CHECKING:
    from studio.api.following import ScenarioFollowing
    from studio.api.map import Map

__all__ = ["MapSizing", "ResizeWarning", "Resized"]

_MODES = ("renumber", "keep")
_MAX_FILES, _MAX_BYTES = 500, 16 * 1024 * 1024


class ResizeWarning(UserWarning):
    """Scenarios that name a map in their files were not open when its size changed, so that they did not follow.

    Parameters
    ----------
    files : list of Path
    """

    def __init__(self, files: list[Path]) -> None:
        self.files = files
        names = ", ".join(map(_shown, files))
        super().__init__(f"{names}: {_UNOPENED}")


_UNOPENED = (
    "this scenario names the map and is not open on it, so its labels stay as they are; take the change back, open it "
    "(studio.open_scenario) and resize the map that it holds (scenario.map), or look through it with studio check"
)


class Resized(msgspec.Struct, frozen=True, kw_only=True):
    """What a change of size did, or would do.

    Attributes
    ----------
    title : str
        The change in words.
    columns, rows : int
        Size of the raw rectangle afterwards.
    losses : Losses
        What goes with removed hexes.
    scenarios : dict of str to list of str
        Open scenarios that follow, by their titles, with what each of them loses.
    unopened : list of Path
        Files of scenarios beside the map that name it and are not open on it.
    done : bool
        False where it was only worked out.
    """

    title: str
    columns: int
    rows: int
    losses: Losses
    scenarios: dict[str, list[str]] = {}
    unopened: list[Path] = []
    done: bool = True

    def lines(self) -> list[str]:
        """Return the change and its losses as sentences."""
        found = [f"{self.title}: {self.columns} x {self.rows} hexes", *self.losses.lines()]
        for title, notes in self.scenarios.items():
            found.append(f"scenario {title!r} follows" + "".join(f"; {note}" for note in notes))
        found += [f"{_shown(file)}: {_UNOPENED}" for file in self.unopened]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "title": self.title,
            "columns": self.columns,
            "rows": self.rows,
            "done": self.done,
            "losses": msgspec.to_builtins(self.losses),
            "scenarios": self.scenarios,
            "unopened": [_shown(file) for file in self.unopened],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"Resized({'; '.join(self.lines())})"

    def _repr_html_(self) -> str:
        from html import escape

        first, *others = map(escape, self.lines())
        return f"<b>{first}</b>" + "".join(f"<br>{line}" for line in others)


class MapSizing(MapBackdrop):
    """A map whose frame can be changed; everything that stays keeps its hex."""

    _sized: Resized | None = None

    def resize(
        self,
        left: int = 0,
        right: int = 0,
        top: int = 0,
        bottom: int = 0,
        *,
        terrain: str | None = None,
        labels: Literal["renumber", "keep"] = "renumber",
        dry_run: bool = False,
    ) -> Resized:
        """Add rows and columns at the edges of the map, or remove them, as one step.

        Everything that stays keeps its hex: terrain, levels, hexsides, all features, the scan, the place in the world.
        An odd number of columns on the left of a map of flat-top hexes (of rows at the top of one of pointy hexes)
        turns its stagger round. Edges with half hexes have half hexes afterwards, too; those that lay there before are
        whole then. Short lines stay short at their end.

        What lies on removed hexes goes. Roads, crests, contours, walls and areas are cut at the new edge; the first
        piece keeps the id, and areas that shared a border share it still. Scenarios that are open on this map follow.

        Parameters
        ----------
        left, right, top, bottom : int
            Columns and rows to add at each edge; a negative number removes as many.
        terrain : str, optional
            Terrain of the new hexes; the default one of the game without.
        labels : {"renumber", "keep"}
            Whether the map is counted anew from its first column and row on, and all labels follow; or every hex keeps
            its label, where the scheme can count on beyond the old edge.
        dry_run : bool
            Only work out what it would do.

        Returns
        -------
        Resized
            The new size, and what was lost.

        Warns
        -----
        ResizeWarning
            When files of scenarios beside the map name it and are not open on it.

        Raises
        ------
        EditError
            When there is no such frame (1 to 2 000 columns and rows), the map has several sheets, the labels cannot be
            so, an area cannot be cut at the new edge, or an open scenario cannot follow. Nothing was changed then.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=4)
        >>> desert.add("marker", type="wreck", at="0202")
        'marker-1'
        >>> print(desert.resize(left=1))
        Add 1 column on the left: 6 x 4 hexes
        >>> desert.features["marker-1"].at
        '0302'
        """
        numbers = {"left": left, "right": right, "top": top, "bottom": bottom}
        for edge, number in numbers.items():
            if isinstance(number, bool) or not isinstance(number, Integral):
                msg = f"resize: {edge}: got {shortened(number)}; allowed are whole numbers, -{MAX_SIZE} to {MAX_SIZE}"
                raise EditError(msg)
        if labels not in _MODES:
            msg = f"resize: labels: got {shortened(labels)}; {nearest(str(labels), _MODES)}"
            raise EditError(msg)
        if not isinstance(terrain, str | None):
            msg = f"resize: terrain: got {shortened(terrain)}; name a terrain of the game, such as 'clear'"
            raise EditError(msg)
        whole = {edge: int(number) for edge, number in numbers.items()}
        return self._to_size(Resize(**whole, terrain=terrain or "", labels=labels), dry_run=dry_run)

    def crop(
        self,
        around: str | Iterable[Any],
        *,
        labels: Literal["renumber", "keep"] = "renumber",
        dry_run: bool = False,
    ) -> Resized:
        """Reduce the map to the smallest frame around some hexes, as one step; see :meth:`resize`.

        Parameters
        ----------
        around : iterable of str, or (x0, y0, x1, y1)
            Labels of hexes; or an extent in map units, which stands for the hexes whose middle lies in it.
        labels : {"renumber", "keep"}
        dry_run : bool
            Only work out what it would do.

        Returns
        -------
        Resized

        Raises
        ------
        EditError
            As for :meth:`resize`; and when no hexes are given, or the frame around them is the map as it is.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=9, rows=8)
        >>> print(desert.crop(["0302", "0605"]))
        Remove 2 columns on the left, remove 3 columns on the right, remove 1 row at the top, remove 3 rows at the bottom: 4 x 4 hexes
        """  # noqa: E501
        with self.lock:
            edit = crop_edit(self.grid, self._cells_around(around))
        if labels not in _MODES:
            msg = f"crop: labels: got {shortened(labels)}; {nearest(str(labels), _MODES)}"
            raise EditError(msg)
        if edit == Resize():
            msg = "crop: the frame around these hexes is the map as it is; name hexes further in"
            raise EditError(msg)
        return self._to_size(msgspec.structs.replace(edit, labels=labels), dry_run=dry_run)

    def join_file(self, path: str | os.PathLike[str], target: str | os.PathLike[str], **options: Any) -> Map:
        """Join a map from a file to this one, and save both as a new map; this one stays as it is.

        Parameters
        ----------
        path : str or path
            The other map.
        target : str or path
            File to make, which must not exist yet.
        **options
            As for :func:`studio.join_maps`: ``edge``, ``turned``, ``shift``, ``prefixes``, ``title`` and so on.

        Returns
        -------
        Map
            The joint map, saved; where both differ, ``notes_on_opening`` says.

        Raises
        ------
        EditError
            When the file to make is there already, or is not named as a map.
        StudioError
            As for :func:`studio.open_map` and :func:`studio.join_maps`.
        """
        from studio.api.joining import JoinWarning, join_maps
        from studio.api.map import open_map

        goal = Path(target)
        if not goal.name.endswith(".map.json") or goal.exists() or not goal.absolute().parent.is_dir():
            why = "is there already" if goal.exists() else "is no NAME.map.json in a folder that exists"
            msg = f"join: {goal} {why}; name a new file"
            raise EditError(msg)
        other = open_map(path, recover_unsaved=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JoinWarning)  # its notes stay with the map
            made = join_maps(self, other, **options)  # type: ignore[arg-type]
        made.save(goal)
        other.close()
        return made

    # -- what is cropped to ------------------------------------------------------------------------------------------

    def _cells_around(self, around: Any) -> list[int]:
        if isinstance(around, str):
            around = [around]
        if not isinstance(around, Iterable):
            msg = f"crop: got {shortened(around)}; name hexes by their labels, or give an extent (x0, y0, x1, y1)"
            raise EditError(msg)
        given = list(around)
        if len(given) == 4 and all(isinstance(one, Real) and not isinstance(one, bool) for one in given):
            x0, y0, x1, y1 = (float(one) for one in given)
            middles = self.grid.centres * np.array(self.grid.scale)
            inside = (middles[:, 0] >= x0) & (middles[:, 0] <= x1) & (middles[:, 1] >= y0) & (middles[:, 1] <= y1)
            cells: list[int] = np.flatnonzero(inside & self.grid.present.ravel()).tolist()
        else:
            cells = self.labels.cells(given)
        if not cells:
            msg = f"crop: got {shortened(given)}, in which there is no hex; name hexes of the map"
            raise EditError(msg)
        return cells

    # -- doing it ----------------------------------------------------------------------------------------------------

    def _to_size(self, edit: Resize, *, dry_run: bool) -> Resized:
        with self.lock:
            if dry_run:
                return self._worked_out(edit)
            self.apply(edit)
            assert self._sized is not None
            report, self._sized = msgspec.structs.replace(self._sized, done=True), None
        if report.unopened:
            warnings.warn(ResizeWarning(report.unopened), stacklevel=3)
        return report

    def _allow(self, edit: Edit) -> None:
        super()._allow(edit)
        match edit:
            case Resize():
                self._sized = self._worked_out(edit)
            case Restore():
                self._check_restored(edit)

    def _worked_out(self, edit: Resize) -> Resized:
        """Work out a change of size, and refuse what the game or an open scenario could not bear."""
        plan = plan_resize(self.model, edit)
        self._check_locations(plan.losses)
        scenarios = {}
        for scenario in self._scenarios():
            scenarios[scenario.title] = scenario._losses_by(plan.moved)
        grid = plan.frame.grid
        return Resized(
            title=describe(edit),
            columns=grid.columns,
            rows=grid.rows,
            losses=plan.losses,
            scenarios=scenarios,
            unopened=self._unopened(),
            done=False,
        )

    def _check_locations(self, losses: Losses) -> None:
        """Refuse to part a location in two: both would have its label."""
        located = self.ruleset.survey_scheme.location_areas
        apart = [
            name
            for name, pieces in losses.cut.items()
            if pieces and getattr(self.features[name], "type", "") in located
        ]
        if apart:
            more = f" and {len(apart) - 8} more" if len(apart) > 8 else ""
            msg = (
                f"resize: locations that would fall apart at the new edge: {', '.join(apart[:8])}{more}. Remedy: split "
                "them first (map.split_area), so that each part has a label of its own, or move the edge"
            )
            raise EditError(msg)

    def _check_restored(self, edit: Restore) -> None:
        """Refuse a state that no map of the game could have: journals are files, and may hold anything."""
        made = MapModel(self.model.ruleset, edit.grid, edit.labels, self.ruleset.terrain_characters)
        made.perform(edit)
        try:
            load_map(write_map_text(made), name=self.name or self.title, ruleset=self.ruleset)
        except StudioError as error:
            msg = f"restore: {error}"
            raise EditError(msg) from error

    # -- scenarios -----------------------------------------------------------------------------------------------------

    def _scenarios(self) -> list[ScenarioFollowing]:
        """Return the scenarios that are open on this map."""
        from studio.api.following import ScenarioFollowing

        return [one for one in LIVE if isinstance(one, ScenarioFollowing) and getattr(one, "map", None) is self]

    def _unopened(self) -> list[Path]:
        """Return the files of scenarios beside the map that name it and are not open on it."""
        if self.path is None:
            return []
        here, target = self.path.parent, self.path.resolve()
        opened = {one.path.resolve() for one in self._scenarios() if one.path is not None}
        folders = dict.fromkeys([here, here / "scenarios", here.parent / "scenarios"])
        files = [file for folder in folders if folder.is_dir() for file in sorted(folder.glob("*.scenario.json"))]
        return [one for one in files[:_MAX_FILES] if one.resolve() not in opened and _map_of(one) == target]


class _Use(msgspec.Struct):
    file: str = ""


class _Head(msgspec.Struct):
    map: _Use


def _map_of(file: Path) -> Path | None:
    """Return the map that the file of a scenario names, None where it cannot be read."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return None
        return (file.parent / msgspec.json.decode(file.read_bytes(), type=_Head).map.file).resolve()
    except (OSError, msgspec.DecodeError, ValueError):
        return None


def _shown(file: Path) -> str:
    """Return a path as seen from the folder of work, where it lies nearby."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # another drive
        return str(file)
    return str(file) if near.count("..") > 2 else Path(near).as_posix()

"""Maps made of geography, as people use them in a notebook: the map, what was decided, how sure each hex is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from studio.api.geographyreport import check_report_name
from studio.api.geographywhy import GeographyRecord
from studio.api.keeping import gather, hinting
from studio.api.map import Map, open_map
from studio.api.remaking import Standing, game_note, lost_note, make_folder, moved_note, record_path, with_own
from studio.errors import DocumentError, Fault, StudioError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.exchange.geography import Geography
    from studio.exchange.geography.build import Made
    from studio.rules import Ruleset

__all__ = ["SPEC_ENDINGS", "GeographyImport", "import_geography"]

SPEC_ENDINGS = (".geography.toml", ".geography.json")
"""Endings of specifications."""

Progress = Callable[[str, float], None]
"""Is told the step that runs, and what part of the whole is done, 0 to 1."""


class GeographyImport(GeographyRecord):
    """A map that was made of geography.

    Attributes
    ----------
    map : Map
    record : Record
        What is kept of the import beside the map.
    notes : list of str
        What was done with files, in sentences.
    seconds : float
        How long it took.
    path : Path or None
        File of the map, None where it was not written.
    record_path : Path or None
    """

    def __init__(self, map_: Map, made: Made, notes: list[str], record_file: Path | None) -> None:
        super().__init__(made.record, map_.model)
        self.map, self.notes, self.seconds = map_, notes, made.seconds
        self.path, self.record_path = map_.path, record_file
        self._made = made

    def plot(self, **options: Any) -> Axes:
        """Draw the data with the grid over them, and the map beside; see :func:`studio.draw.draw_beside`.

        Raises
        ------
        DocumentError
            When a file of the data is gone since.
        """
        from studio.api.geographydata import picture_data
        from studio.draw import pyplot_figures
        from studio.draw.geography_picture import draw_beside

        with self.map.lock, pyplot_figures():
            axes: Axes = draw_beside(self.map, picture_data(self._made.work), **options)
            return axes

    def plot_confidence(self, **options: Any) -> Axes:
        """Draw how sure the terrain of each hex is; see :func:`studio.draw.draw_confidence`.

        Raises
        ------
        PictureError
            When the map was given another size since.
        """
        import numpy as np

        from studio.draw import pyplot_figures
        from studio.draw.geography_picture import draw_confidence

        sure = np.full(self._made.work.model.grid.cells, np.nan)
        cells = np.flatnonzero(self._made.work.model.grid.present)
        sure[cells] = [one.confidence for one in self.record.hexes]
        with self.map.lock, pyplot_figures():
            axes: Axes = draw_confidence(self.map, sure, **options)
            return axes

    def plot_fit(self, **options: Any) -> Axes:
        """Draw how far off the control points are; see :func:`studio.draw.draw_fit`.

        Raises
        ------
        PictureError
            When the specification has none.
        """
        from studio.draw import pyplot_figures
        from studio.draw.geography_picture import draw_fit

        with self.map.lock, pyplot_figures():
            axes: Axes = draw_fit(self.map, self.record.residuals, **options)
            return axes

    def save_report(self, path: str | os.PathLike[str]) -> Path:
        """Write the report.

        Parameters
        ----------
        path : path
            Its ending says how: ``.md`` for people, ``.csv`` for spreadsheets, ``.json`` for the whole record.

        Returns
        -------
        Path

        Raises
        ------
        StudioError
            When the ending is none of these.
        SaveError
            When it cannot be written.
        """
        from studio.exchange.geography.record import record_text
        from studio.exchange.geography.report import report_csv, report_markdown
        from studio.files import write_atomic

        target = Path(path)
        check_report_name(target)
        match target.suffix.lower():
            case ".md":
                text = report_markdown(self.record).encode("utf-8", "replace")
            case ".csv":
                text = report_csv(self.record)
            case _:
                text = record_text(self.record)
        write_atomic(target, text)
        return target

    def __repr__(self) -> str:
        return f"GeographyImport({self.map!r}, {len(self.record.of('finding'))} findings, {self.seconds:.1f} s)"

    def __str__(self) -> str:
        from studio.exchange.geography.report import counts_line, finding_lines, source_lines

        return "\n".join(
            [
                f"{self.map.title}: {len(self.record.hexes)} hexes in {self.seconds:.1f} s; {counts_line(self.record)}",
                *finding_lines(self.record, 10, " in .report"),
                *(f"source: {one}" for one in source_lines(self.record)),
                *(f"note: {one}" for one in self.notes),
            ]
        )

    def _repr_html_(self) -> str:
        from html import escape

        notes = "".join(f"<br>{escape(one)}" for one in self.notes)
        return f"{self.map._repr_html_()}<br>made in {self.seconds:.1f} s{notes}{self.report._repr_html_()}"


def import_geography(
    spec: str | os.PathLike[str] | Geography,
    target: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    keep: bool = False,
) -> GeographyImport:
    """Make a map of geography: of coasts, heights, rivers, borders, towns and roads of the real world.

    Parameters
    ----------
    spec : path or Geography
        The specification, ``NAME.geography.toml`` or ``.json``; or one that was made or changed in Python.
    target : path, optional
        The map's file, ``NAME.map.json``; its record is written beside it as ``NAME.geography.json``. Without it the
        map is made in memory only.
    folder : path, optional
        Where the files that the specification names are; the folder of its own file by default, else that of the work.
    progress : callable, optional
        Is told the step that runs and the part that is done, 0 to 1; in a notebook a bar shows it by default.
    keep : bool
        Of a map that was edited since it was made: keep the edits as overrides, in the specification's
        ``overrides_file``, else in ``NAME.overrides.json`` in the folder, which is used from then on. Title, notes and
        the like, which no override can say, stay on the map as they are.

    Returns
    -------
    GeographyImport

    Raises
    ------
    DocumentError
        When a file cannot be read, or the specification names what the game or the data do not have.
    ConflictError
        When a map is there that was edited since and nobody said to keep that, that has unsaved work, or that was not
        made of geography. Nothing is written.
    SaveError, StudioError
        When nothing can be written there.
    """
    from studio.exchange.geography.build import build

    goal = None if target is None else Path(target)
    order = _order(spec, folder, goal)
    rules = _game(order)
    if goal is None:
        with _shown(progress) as tell:
            made = build(order.spec, order.folder, name=order.name, progress=tell)
        return GeographyImport(_in_memory(made, rules), made, order.notes, None)
    record_path(goal)
    make_folder(goal)
    standing = Standing(goal, order.file, rules)
    standing.check(keep)
    kept = gather(order.overrides, standing)
    chosen = order.with_overrides(kept.text is not None)
    with hinting(kept), _shown(progress) as tell:
        made = build(chosen.spec, order.folder, name=order.name, progress=tell, overrides=kept.text)
    document, left = with_own(made.document, standing)
    standing.write(document, made.record, kept)
    left += moved_note(made.document, standing, order.overrides) + lost_note(made.record, standing)
    notes = [*kept.notes, *chosen.notes, *left, *game_note(rules, goal)]
    return GeographyImport(open_map(goal, ruleset=rules), made, notes, standing.record_file)


class _Order(NamedTuple):
    """What is to be made.

    Attributes
    ----------
    spec : Geography
    folder : Path
        Where its files are.
    file : Path or None
        Its own file.
    name : str
        What messages call it.
    overrides : Path
        File of overrides that edits are gathered into.
    notes : list of str
    """

    spec: Geography
    folder: Path
    file: Path | None
    name: str
    overrides: Path
    notes: list[str]

    def with_overrides(self, coming: bool = False) -> _Order:
        """Return the order with the file of overrides that is there, or is coming, and no specification names."""
        if self.spec.overrides_file or not (coming or self.overrides.exists()):
            return self
        name = self.overrides.name
        note = (
            f"the overrides in {name} are used, though the specification does not name them; write at its top: "
            f'overrides_file = "{name}"'
        )
        return self._replace(spec=msgspec.structs.replace(self.spec, overrides_file=name), notes=[*self.notes, note])


def _order(spec: Any, folder: Any, goal: Path | None) -> _Order:
    """Read what is to be made.

    Raises
    ------
    StudioError
        When a specification was given that is none.
    """
    from studio.exchange.geography.spec import Geography, read_spec

    if isinstance(spec, Geography):
        where, file = Path(folder or "."), None
        stem = "geography" if goal is None else goal.name.removesuffix(".map.json")
    elif isinstance(spec, str | os.PathLike):
        file = Path(spec)
        spec, where = read_spec(file), Path(folder) if folder is not None else file.parent
        stem = next((file.name[: -len(end)] for end in SPEC_ENDINGS if file.name.lower().endswith(end)), file.stem)
    else:
        msg = f"import_geography: got {type(spec).__name__}; give the path of a specification, or a Geography"
        raise StudioError(msg)
    overrides = where / (spec.overrides_file or f"{stem}.overrides.json")
    order = _Order(spec, where, file, str(file or spec.title), overrides, [])
    return order.with_overrides() if file is not None else order


def _game(order: _Order) -> Ruleset:
    """Return the game of a specification, also one whose file lies in its folder.

    Raises
    ------
    DocumentError
        When there is none, naming the files of games that lie there.
    """
    from studio.exchange.common.ground import known_game

    source, name = order.folder / "specification", order.spec.ruleset
    try:
        return known_game(name, source)
    except DocumentError as error:
        if error.file != str(source):  # the file of the game is there, and unsound
            raise
        there = ", ".join(sorted(one.name for one in order.folder.glob("*.ruleset.toml"))) or "none"
        remedy = (
            f"name a game that the studio knows, or put its file {name or 'ID'}.ruleset.toml beside the specification "
            f"({order.folder}: {there}; studio.load_ruleset reads others)"
        )
        faults = [Fault(one.path, one.message, remedy) for one in error.faults]
        raise DocumentError(order.name, faults) from error


def _in_memory(made: Made, rules: Ruleset) -> Map:
    """Return an unsaved map, whose steps go into a journal like those of a new one."""
    from studio.exchange.common.ground import model_of

    map_ = Map(model_of(made.document, rules, made.document.title), ruleset=rules)
    map_._start_journal()
    return map_


# -- progress ----------------------------------------------------------------------------------------------------------


def _in_notebook() -> bool:
    """Tell whether this runs in a kernel, which shows what it is told as it goes."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


@contextmanager
def _shown(progress: Progress | None) -> Iterator[Progress | None]:
    """Give what is told how far the import is: what the caller gave, else a bar in a notebook, else nothing."""
    if progress is not None or not _in_notebook():
        yield progress
        return
    from tqdm.auto import tqdm

    with tqdm(total=100, bar_format="{desc} {percentage:3.0f}% {bar}", leave=False) as bar:

        def tell(step: str, part: float) -> None:
            bar.set_description_str(step)
            bar.update(round(100 * part) - bar.n)

        yield tell

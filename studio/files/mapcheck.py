"""What a well-formed map document must also be: rows that fit the grid, known codes and names, real hexsides.

Every fault is collected, with its path in the document and its place on the map. What is found to be right is turned
into the arrays of the model on the way, so that a sound file is read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

from studio.errors import GridError, LabelError, UnknownNameError, nearest
from studio.files.faults import FaultList
from studio.files.planes import read_levels, read_terrain
from studio.grid import STEP, HexGrid, Labels, LabelScheme, SheetLabels, bind_labels
from studio.model import (
    LEVEL_LIMITS,
    Aperture,
    Area,
    Contour,
    Crest,
    Dot,
    Feature,
    MapDocument,
    MapModel,
    Marker,
    Place,
    Road,
    feature_points,
)
from studio.model.backdrop import backdrop_faults
from studio.model.sheets import check_layers

__all__ = ["NAME_MARGIN", "Catalogue", "build_map", "check_reach", "find_ruleset"]

NAME_MARGIN = 10 * STEP
"""How far from the playing area a name or a contour may lie, in lattice units (ten hexes): maps have margins."""

_MAX_LABEL = 200
_MAX_PAD, _MAX_START, _MAX_SKIP, _MAX_SEPARATOR = 12, 1_000_000, 1000, 10


class Catalogue(Protocol):
    """What a ruleset has to say about the names in a map file."""

    @property
    def terrain_characters(self) -> Mapping[str, str]:
        """Terrain ids with their characters in files, the default terrain first."""
        ...

    @property
    def levels(self) -> tuple[int, int]:
        """Lowest and highest level."""
        ...

    @property
    def side_kinds(self) -> Mapping[str, Any]:
        """What may run on a hexside, by id."""
        ...

    def drawn_types(self, kind: str) -> Mapping[str, Any]:
        """Return the types of the features of one kind, by id: of ``marker``, ``area``, ``wall`` and so on."""
        ...


def find_ruleset(name: str, folders: Iterable[Path] = ()) -> Catalogue:
    """Return the ruleset with an id.

    Parameters
    ----------
    name : str
    folders : iterable of path
        Where the file of a designer's own game may lie.

    Raises
    ------
    UnknownNameError
        When there is none.
    DocumentError
        When the file of a designer's own game is unsound.
    """
    from studio.rules import get_ruleset, ruleset_beside

    own = (ruleset_beside(name, folder) for folder in folders)
    ruleset: Catalogue = next((found for found in own if found is not None), None) or get_ruleset(name)
    return ruleset


def build_map(
    document: MapDocument, faults: FaultList, ruleset: Catalogue | None = None, folders: Iterable[Path] = ()
) -> MapModel | None:
    """Build the model of a map document.

    Parameters
    ----------
    document : MapDocument
    faults : FaultList
        Takes every fault found.
    ruleset : Catalogue, optional
        Instead of the one that the document names.
    folders : iterable of path
        Where the file of a designer's own game may lie.

    Returns
    -------
    MapModel or None
        None when there was any fault.
    """
    if ruleset is None:
        try:
            ruleset = find_ruleset(document.ruleset, folders)
        except UnknownNameError as error:
            faults.add(
                "$.ruleset",
                str(error),
                "mend the id, or put the game's ID.ruleset.toml beside the map (studio.load_ruleset reads others)",
            )
    grid = document.grid
    labels = _labels(document, faults)
    characters = ruleset.terrain_characters if ruleset else None
    terrain = read_terrain(document.terrain, grid, labels, characters, faults)
    levels = read_levels(document.levels, grid, labels, ruleset.levels if ruleset else LEVEL_LIMITS, faults)
    sides: dict[tuple[int, int], tuple[str, ...]] = {}
    _backdrop(document, faults)
    if labels:
        cells = _Cells(labels, many=len(document.sides) + len(document.features) > grid.cells // 50)
        sides = _sides(document, cells, ruleset, faults)
        _features(document, cells, ruleset, faults)
    if faults or ruleset is None or terrain is None:
        return None
    model = MapModel(
        document.ruleset,
        grid,
        document.labels,
        ruleset.terrain_characters,
        title=document.title,
        sheets=document.sheets,
    )
    model.terrain[:] = terrain
    if levels is not None:
        model.levels[:] = levels
    model.sides = sides
    model.features = {feature.id: feature for feature in document.features}
    model.notes, model.sources, model.georeference = document.notes, list(document.sources), document.georeference
    model.backdrop = document.backdrop
    return model


def check_reach(document: MapDocument, faults: FaultList) -> None:
    """Check what an edit can bring about though no file may hold it: labels beyond all bounds, points far off the map.

    The rest of a map is checked edit by edit, so that this is all that is left to look at before it is written.
    """
    for path, scheme in _schemes(document):
        _check_scheme(scheme, faults, path)
    for index, feature in enumerate(document.features):
        _feature_points(feature, f"$.features[{index}]", document.grid, faults)
    _backdrop(document, faults)


def _backdrop(document: MapDocument, faults: FaultList) -> None:
    for fault in backdrop_faults(document.backdrop) if document.backdrop is not None else ():
        faults.add(f"$.backdrop.{fault.field}", fault.message, fault.remedy)


def _schemes(document: MapDocument) -> list[tuple[str, LabelScheme]]:
    """Return the label schemes of a map with their places in the document."""
    sheets = [(f"$.sheets[{number}].labels", sheet.labels) for number, sheet in enumerate(document.sheets)]
    return [("$.labels", document.labels), *sheets]


def _check_scheme(scheme: LabelScheme, faults: FaultList, where: str = "$.labels") -> None:
    """Keep a label scheme within the bounds that keep a small file from filling the memory."""
    for name, axis in (("columns", scheme.columns), ("rows", scheme.rows)):
        path = f"{where}.{name}"
        if not 0 <= axis.pad <= _MAX_PAD:
            faults.add(f"{path}.pad", f"got {axis.pad}, allowed 0 to {_MAX_PAD} digits", "use a smaller one")
        most = _MAX_START if axis.style != "doubled_letters" else 26 * 10
        if not -most <= axis.start <= most:
            faults.add(f"{path}.start", f"got {axis.start}, allowed {-most} to {most}", "use a smaller one")
        if len(axis.skip) > _MAX_SKIP:
            faults.add(f"{path}.skip", f"got {len(axis.skip)} texts, allowed {_MAX_SKIP}", "skip fewer")
    if len(scheme.separator) > _MAX_SEPARATOR:
        faults.add(f"{where}.separator", f"got {len(scheme.separator)} characters, allowed {_MAX_SEPARATOR}")
    if scheme.staggered_start is not None and abs(scheme.staggered_start) > _MAX_START:
        message = f"got {scheme.staggered_start}, allowed {-_MAX_START} to {_MAX_START}"
        faults.add(f"{where}.staggered_start", message, "use a smaller one")


def _labels(document: MapDocument, faults: FaultList) -> Labels | None:
    """Bind the labels to the grid."""
    before, grid, sheets = faults.count, document.grid, document.sheets
    parts = len(grid.parts)
    if len(sheets) != parts:
        message = f"got {len(sheets)} sheets, allowed {parts}, one for each of grid.parts"
        faults.add("$.sheets", message, "describe each part of the grid once, in the order of the parts")
        return None
    for path, scheme in _schemes(document):
        _check_scheme(scheme, faults, path)
    if faults.count > before:
        return None
    try:
        labels = bind_labels(document.labels, grid, sheets)
        check_layers(grid, sheets)
    except GridError as error:
        faults.add("$.sheets" if sheets else "$.labels", str(error))
        return None
    return labels


# -- sides and features ----------------------------------------------------------------------------------------------


class _Cells:
    """From labels to cells, for a file that names many of them.

    Parameters
    ----------
    labels : Labels
    many : bool
        Write every label of the map down first; looking them up one by one is slower from some thousands on.
    """

    def __init__(self, labels: Labels, *, many: bool) -> None:
        self.labels, self.grid = labels, labels.grid
        self._known = _all_labels(labels) if many else {}

    def find(self, text: str, path: str, faults: FaultList) -> int | None:
        """Return the cell of a label; note a fault and return None when there is none."""
        cell = self._known.get(text)
        if cell is not None:
            return cell
        if faults.stop():
            return None
        if len(text) > _MAX_LABEL:
            faults.add(path, f"no hex has a label of {len(text)} characters", "use a label that is printed on the map")
            return None
        try:
            cell = self._known[text] = self.labels.cell(text)
        except LabelError as error:
            faults.add(path, str(error), "use a label that is printed on the map", text[:40])
        return cell

    def adjacent(self, a: int, b: int) -> bool:
        """Tell whether two hexes share a side."""
        return self.grid.direction(a, b) is not None


def _all_labels(labels: Labels) -> dict[str, int]:
    """Return every label of a map with its cell."""
    if isinstance(labels, SheetLabels):
        cells = labels.grid.present.ravel().nonzero()[0].tolist()
        return {labels.label(cell): cell for cell in cells} | labels.second_names
    tables, grid = labels.tables(), labels.grid
    columns, rows, base, sign = tables["columns"], tables["rows"], tables["base"], tables["sign"]
    separator, swapped = tables["separator"], tables["order"] == "row_first"
    known: dict[str, int] = {}
    for row, line in enumerate(grid.present.tolist()):
        first = row * grid.columns
        for column, there in enumerate(line):
            if there:
                if grid.flat:
                    parts = columns[column], rows[base[column] + sign * row]
                else:
                    parts = columns[base[row] + sign * column], rows[row]
                text = f"{parts[1]}{separator}{parts[0]}" if swapped else f"{parts[0]}{separator}{parts[1]}"
                known[text] = first + column
    return known


def _sides(
    document: MapDocument, cells: _Cells, ruleset: Catalogue | None, faults: FaultList
) -> dict[tuple[int, int], tuple[str, ...]]:
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    first: dict[tuple[int, int], int] = {}
    for index, (label_a, label_b, kinds) in enumerate(document.sides):
        if faults.stop():
            break
        path = f"$.sides[{index}]"
        a = cells.find(label_a, f"{path}[0]", faults)
        b = cells.find(label_b, f"{path}[1]", faults)
        for number, kind in enumerate(kinds):
            if faults.stop():
                break
            if ruleset and kind not in ruleset.side_kinds:
                message = f"unknown hexside kind {kind!r}; {nearest(kind, ruleset.side_kinds)}"
                at = f"{label_a[:40]}/{label_b[:40]}"
                faults.add(f"{path}[2][{number}]", message, "use a kind of the ruleset", at)
        if a is None or b is None:
            continue
        key = (a, b) if a < b else (b, a)
        if key in first:
            message = f"the side {label_a}/{label_b} is listed already as $.sides[{first[key]}]"
            faults.add(path, message, "put all kinds of one side into one record", f"{label_a}/{label_b}")
        elif not cells.adjacent(a, b):
            message = f"{label_a} and {label_b} are not adjacent (distance {cells.grid.distance(a, b)})"
            faults.add(path, message, "name two hexes that share a side", f"{label_a}/{label_b}")
        else:
            first[key] = index
            if kinds:
                found[key] = tuple(sorted(set(kinds)))
    return found


def _features(document: MapDocument, cells: _Cells, ruleset: Catalogue | None, faults: FaultList) -> None:
    first: dict[str, int] = {}
    places = {
        label
        for feature in document.features
        if isinstance(feature, Area | Place)
        for label in (feature.name, feature.id)
    }
    for index, feature in enumerate(document.features):
        if faults.stop():
            break
        path = f"$.features[{index}]"
        if feature.id in first:
            message = f"the id {feature.id!r} is taken by $.features[{first[feature.id]}]"
            faults.add(f"{path}.id", message, "give each feature an id of its own", feature.id)
        first.setdefault(feature.id, index)
        kind = str(type(feature).__struct_config__.tag)
        if ruleset and hasattr(feature, "type") and feature.type not in ruleset.drawn_types(kind):
            message = f"unknown {kind} {feature.type!r}; {nearest(feature.type, ruleset.drawn_types(kind))}"
            faults.add(f"{path}.type", message, f"use a type of {kind} that the ruleset has", feature.id)
        _feature_points(feature, path, cells.grid, faults)
        match feature:
            case Road() | Crest():
                _path(feature, path, cells, faults)
            case Marker():
                # Where places are drawn, one that a marker lay on may have been removed or renamed: the map is sound
                # all the same, and `studio check` names the marker.
                drawn = ruleset is not None and (ruleset.drawn_types("place") or ruleset.drawn_types("area"))
                for field, label in (
                    ("at", feature.at),
                    *((f"also[{n}]", text) for n, text in enumerate(feature.also)),
                ):
                    if label not in places and not drawn:
                        cells.find(label.removesuffix(" road"), f"{path}.{field}", faults)
            case Dot():
                cells.find(feature.at, f"{path}.at", faults)
            case Aperture():
                _arrows(feature, path, cells, faults)
            case Contour() if ruleset and not ruleset.levels[0] <= feature.level <= ruleset.levels[1]:
                low, high = ruleset.levels
                message = f"got level {feature.level}, allowed {low} to {high}"
                faults.add(f"{path}.level", message, "use a level of the ruleset", feature.id)


def _arrows(feature: Aperture, path: str, cells: _Cells, faults: FaultList) -> None:
    for number, arrow in enumerate(feature.arrows):
        where = f"{path}.arrows[{number}]"
        looked_up = [cells.find(text, f"{where}[{place}]", faults) for place, text in enumerate(arrow)]
        found = [cell for cell in looked_up if cell is not None]
        if len(found) < len(arrow):
            continue
        if len(found) not in (1, 2) or (len(found) == 2 and not cells.adjacent(found[0], found[1])):
            message = f"got {' '.join(arrow)!r}, allowed are one hex, or two adjacent hexes"
            faults.add(
                where, message, "name the hex where the row begins, or the two hexes beside the line", feature.id
            )


def _path(feature: Road | Crest, path: str, cells: _Cells, faults: FaultList) -> None:
    way = [cells.find(text, f"{path}.path[{number}]", faults) for number, text in enumerate(feature.path)]
    for number, (a, b) in enumerate(pairwise(way)):
        if faults.stop():
            break
        if a is not None and b is not None and not cells.adjacent(a, b):
            names = f"{feature.path[number]} and {feature.path[number + 1]}"
            message = f"{names} are not adjacent (distance {cells.grid.distance(a, b)})"
            faults.add(f"{path}.path[{number + 1}]", message, "list every hex on the way", feature.id)


def _feature_points(feature: Feature, path: str, grid: HexGrid, faults: FaultList) -> None:
    x0, y0, x1, y1 = grid.frame
    named = [(f"{path}.{field}", point) for field, point in feature_points(feature)]
    for where, (x, y) in named:
        if faults.stop():
            break
        if not (x0 - NAME_MARGIN <= x <= x1 + NAME_MARGIN and y0 - NAME_MARGIN <= y <= y1 + NAME_MARGIN):
            ranges = f"x {x0} to {x1} and y {y0} to {y1} (lattice), {NAME_MARGIN} beyond them at most"
            message = f"({x}, {y}) lies off the map, allowed {ranges}"
            faults.add(where, message, "positions are in lattice units", feature.id)

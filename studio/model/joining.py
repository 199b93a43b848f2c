"""Drawings laid on a joint grid: every hex, hexside and feature of a map in its place there, turned or not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from studio.grid import HexGrid, LabelScheme, Part, Placing, PrefixError, joint_grid
from studio.model.backdrop import moved_backdrop
from studio.model.documents import Georeference
from studio.model.features import (
    Aperture,
    Area,
    Contour,
    Dot,
    Feature,
    Identifier,
    Name,
    Place,
    Point,
    Road,
    Wall,
    relabelled,
)
from studio.model.mapmodel import MapModel
from studio.model.sheets import SURFACE, Sheet, plain_sheet

__all__ = ["JoinNote", "join_models", "lay_out", "sheets_of", "turned_model"]

_ID = msgspec.json.Decoder(Identifier)


class JoinNote(msgspec.Struct, frozen=True):
    """Something in which two maps differ where they meet; what the first map says holds.

    Attributes
    ----------
    at : str
        Label of the hex, or the labels of the two hexes of a side with a stroke between.
    what : {"terrain", "level", "hexside", "dot", "georeference"}
    first, second : str
        What each map has.
    """

    at: str
    what: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"{self.at or 'map'}: {self.what} {self.first} of the first map holds, the second has {self.second}"


def sheets_of(model: MapModel, sheet_id: str = "map") -> tuple[Sheet, ...]:
    """Return the sheets of a map; a plain map is one."""
    return model.sheets or (plain_sheet(model.title, model.labels.scheme, sheet_id=sheet_id),)


def lay_out(model: MapModel, grid: HexGrid, sheets: tuple[Sheet, ...]) -> MapModel:
    """Return an empty map of the same game on a joint grid."""
    terrain = model.terrain_characters
    return MapModel(model.ruleset, grid, LabelScheme(), terrain, title=model.title, sheets=sheets)


class _Move:
    """Where everything of one map goes on a joint map.

    Parameters
    ----------
    model : MapModel
        The map.
    made : MapModel
        The joint one.
    placing : Placing
    names : mapping of str to str
        New labels of drawn places.
    ids : mapping of str to str
        New ids of features.
    """

    def __init__(
        self, model: MapModel, made: MapModel, placing: Placing, names: Mapping[str, str], ids: Mapping[str, str]
    ) -> None:
        self.model, self.made, self.placing = model, made, placing
        self.names, self.ids = names, ids
        # What has no name goes by its id, and so it does where the id changes.
        self.by_id = {old: new for old, new in ids.items() if _goes_by_id(model, old)}
        sign = -1 if placing.turned else 1
        axials = model.grid.axials.astype(np.int64) * sign + (placing.q, placing.r)
        cells = made.grid.raw_cells(axials[:, 0], axials[:, 1])
        self.cells = np.where(model.grid.present.ravel(), cells, -1)
        (x0, y0), (x1, y1) = model.grid.point_at(0, 0), made.grid.point_at(placing.q, placing.r)
        self.sign = sign
        self.away = (x1 - sign * x0, y1 - sign * y0)

    def point(self, point: Point) -> Point:
        return self.away[0] + self.sign * point[0], self.away[1] + self.sign * point[1]

    def points(self, points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(map(self.point, points))

    def label(self, text: str) -> str:
        """Return the new text of a label: of a hex, of the road in it, or of a drawn place."""
        if text in self.names or text in self.by_id:
            return self.names.get(text) or self.by_id[text]
        hex_label = text.removesuffix(" road")
        cell = self.model.labels.find(hex_label)
        if cell is None:
            return text
        return self.made.labels.label(int(self.cells[cell])) + text[len(hex_label) :]

    def feature(self, feature: Feature) -> Feature:
        """Return a feature in its new place."""
        changes: dict[str, Any] = {"id": self.ids.get(feature.id, feature.id)}
        match feature:
            case Area():
                dot = None if feature.dot is None else self.point(feature.dot)
                holes = tuple(map(self.points, feature.holes))
                changes |= {"outline": self.points(feature.outline), "holes": holes, "dot": dot}
            case Wall() | Contour() | Road():
                changes["line"] = self.points(feature.line)
            case Name():
                changes["at"] = self.point(feature.at)
                changes["angle"] = _turned_angle(feature.angle) if self.placing.turned else feature.angle
            case Place() | Aperture():
                changes["at"] = self.point(feature.at)
            case Dot():
                changes["point"] = self.point(feature.point)
        if isinstance(feature, Area | Place):
            changes["within"] = self.ids.get(feature.within, feature.within)
            if feature.name:
                changes["name"] = self.names.get(feature.name, feature.name)
        moved: Feature = msgspec.structs.replace(relabelled(feature, self.label), **changes)
        return moved

    def sides(self) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
        for (a, b), kinds in self.model.sides.items():
            one, two = int(self.cells[a]), int(self.cells[b])
            yield (min(one, two), max(one, two)), kinds


def _goes_by_id(model: MapModel, feature_id: str) -> bool:
    feature = model.features[feature_id]
    return isinstance(feature, Area | Place) and (not feature.name or model.labels.find(feature_id) is None)


def _turned_angle(angle: float) -> float:
    """Turn a text by half a turn, so that two turns give back the very same number."""
    low = -360 if angle < 0 else 0
    return round(angle + 180 if angle - low < 180 else angle - 180, 9)


def join_models(
    first: MapModel,
    second: MapModel,
    placing: Placing,
    sheets: tuple[tuple[Sheet, ...], tuple[Sheet, ...]],
    *,
    prefixes: tuple[str, str],
    located: Collection[str],
    title: str,
) -> tuple[MapModel, list[JoinNote]]:
    """Join two maps of one game.

    Parameters
    ----------
    first, second : MapModel
        They are left as they are.
    placing : Placing
        Where the second lies in the axial frame of the first.
    sheets : (sheets of the first, sheets of the second)
    prefixes : (str, str)
        Text before the labels of drawn places of each.
    located : collection of str
        Area types that are locations, whose names are labels.
    title : str

    Returns
    -------
    MapModel
    list of JoinNote
        Where the maps differ in a hex or a side that both have; the first holds.

    Raises
    ------
    GridError
        When the maps overlap, or the joint one is too large.
    PrefixError
        When a label would name two hexes or places.
    """
    grid, where, other = joint_grid(first.grid, second.grid, placing)
    made = lay_out(first, grid, (*sheets[0], *sheets[1]))
    made.title = title
    one = _Move(first, made, where, _place_names(first, prefixes[0], located), {})
    ids = _new_ids(second, set(first.features), sheets[1][0].id)
    two = _Move(second, made, other, _place_names(second, prefixes[1], located), ids)
    _check_names(made, one, two, located)
    _lay_planes(made, two)
    notes = _plane_notes(made, one)
    _lay_planes(made, one)  # over the second: the first map holds
    made.sides = dict(one.sides())
    for key, kinds in two.sides():
        has = made.sides.get(key, ())
        if has and set(kinds) != set(has):
            at = " / ".join(made.labels.label(cell) for cell in key)
            notes.append(JoinNote(at, "hexside", ", ".join(has), ", ".join(kinds)))
        made.sides.setdefault(key, kinds)
    _join_features(made, one, two, notes)
    made.notes = "\n\n".join(dict.fromkeys(text for text in (first.notes, second.notes) if text))
    made.sources = list(dict.fromkeys([*first.sources, *second.sources]))
    made.georeference = _moved_georeference(one)
    if first.backdrop is not None:
        made.backdrop = moved_backdrop(first.backdrop, rename=one.label, move=one.point)
    if second.georeference is not None:
        notes.append(JoinNote("", "georeference", str(first.georeference is not None), second.georeference.crs))
    return made, notes


def turned_model(model: MapModel) -> MapModel:
    """Return a map turned by half a turn; turned twice it is the same again.

    Raises
    ------
    GridError
        When its labels cannot be turned.
    """
    grid, where, _ = joint_grid(model.grid, None, Placing(turned=True))
    sheets = sheets_of(model)
    if len(sheets) == 1 and _is_plain(grid, sheets[0]):
        made = MapModel(model.ruleset, _only(grid), sheets[0].labels, model.terrain_characters, title=model.title)
    else:
        made = lay_out(model, grid, sheets)
    move = _Move(model, made, where, {}, {})
    _lay_planes(made, move)
    made.sides = dict(move.sides())
    made.features = {name: move.feature(feature) for name, feature in model.features.items()}
    made.notes, made.sources = model.notes, list(model.sources)
    made.georeference = _moved_georeference(move)
    if model.backdrop is not None:
        made.backdrop = moved_backdrop(model.backdrop, rename=move.label, move=move.point)
    return made


def _only(grid: HexGrid) -> HexGrid:
    """Return the one map of a joint grid as it stands alone."""
    if grid.joint is None:
        return grid
    return grid.joint.grids[0]


def _is_plain(grid: HexGrid, sheet: Sheet) -> bool:
    part = grid.parts[0]
    laid = Part(columns=part.columns, rows=part.rows, stagger=part.stagger, short=part.short, half=part.half)
    return part == laid and grid.stagger == part.stagger and not sheet.prefix and sheet.layer == SURFACE


# -- names and ids ---------------------------------------------------------------------------------------------------


def _place_names(model: MapModel, prefix: str, located: Collection[str]) -> dict[str, str]:
    """Return the new labels of the drawn places of a map: each with the prefix; what has no name keeps its id."""
    if not prefix:
        return {}
    return {
        feature.name: prefix + feature.name
        for feature in model.features.values()
        if isinstance(feature, Place) or (isinstance(feature, Area) and feature.type in located)
        if feature.name
    }


def _new_ids(model: MapModel, taken: set[str], sheet_id: str) -> dict[str, str]:
    """Return new ids for the features whose own are taken."""
    found: dict[str, str] = {}
    used = taken | set(model.features)
    for name in model.features:
        if name not in taken:
            continue
        number, new = 1, f"{sheet_id[:40]}.{name[:50]}"
        while new in used:
            number += 1
            new = f"{sheet_id[:40]}.{name[:50]}.{number}"
        used.add(new)
        found[name] = new
    return found


def _labels_of(move: _Move, located: Collection[str]) -> dict[str, str]:
    """Return the labels of drawn places on the joint map, with the ids of their features on their own map."""
    found: dict[str, str] = {}
    for feature in move.model.features.values():
        if isinstance(feature, Place) or (isinstance(feature, Area) and feature.type in located):
            label = feature.name or feature.id
            found.setdefault(move.names.get(label, move.ids.get(label, label) if not feature.name else label), label)
    return found


def _check_names(made: MapModel, one: _Move, two: _Move, located: Collection[str]) -> None:
    """Refuse places that would bear the label of a place or a hex of the other map."""
    first, second = _labels_of(one, located), _labels_of(two, located)
    for label in second:
        if label in first:
            raise PrefixError(f"both maps have a place with the label {label!r}", "give one map another prefix")
    for move, labels in ((one, first), (two, second)):
        for label, own in labels.items():
            if made.labels.find(label) is not None and move.model.labels.find(own) is None:
                clash = f"the place {own!r} of one map would bear the label of a hex of the other, {label!r}"
                raise PrefixError(clash, "give one map another prefix")


# -- what both maps have ---------------------------------------------------------------------------------------------


def _lay_planes(made: MapModel, move: _Move) -> None:
    there = np.flatnonzero(move.cells >= 0)
    made.terrain.flat[move.cells[there]] = move.model.terrain.flat[there]
    made.levels.flat[move.cells[there]] = move.model.levels.flat[there]


def _plane_notes(made: MapModel, one: _Move) -> list[JoinNote]:
    """Say where the second map, laid already, differs from the first in the hexes that both have."""
    notes: list[JoinNote] = []
    own = {cell: number for number, cell in enumerate(one.cells.tolist()) if cell >= 0}
    parts = len(one.model.grid.parts) or 1
    shared = made.grid.joint.shared if made.grid.joint is not None else {}
    for cell, numbers in sorted(shared.items()):
        if cell not in own or max(numbers) < parts:
            continue
        label = made.labels.label(cell)
        before, after = one.model.terrain_at(own[cell]), made.terrain_at(cell)
        if before != after:
            notes.append(JoinNote(label, "terrain", before, after))
        low, high = one.model.level_at(own[cell]), made.level_at(cell)
        if low != high:
            notes.append(JoinNote(label, "level", str(low), str(high)))
    return notes


def _join_features(made: MapModel, one: _Move, two: _Move, notes: list[JoinNote]) -> None:
    made.features = {name: one.feature(feature) for name, feature in one.model.features.items()}
    dots = {feature.at: feature.point for feature in made.features.values() if isinstance(feature, Dot)}
    for old in two.model.features.values():
        feature = two.feature(old)
        if isinstance(feature, Dot) and feature.at in dots:
            if feature.point != dots[feature.at]:
                notes.append(JoinNote(feature.at, "dot", str(dots[feature.at]), str(feature.point)))
            continue
        made.features[feature.id] = feature


def _moved_georeference(move: _Move) -> Georeference | None:
    """Return where a moved map lies in the world: the same places of the world for the same hexes."""
    found = move.model.georeference
    if found is None:
        return None
    a, b, c, d, e, f = found.affine
    x, y = move.made.grid.to_map(*move.away)
    s = move.sign
    affine = (s * a, s * b, c - s * (a * x + b * y), s * d, s * e, f - s * (d * x + e * y))
    return Georeference(crs=found.crs, affine=affine)

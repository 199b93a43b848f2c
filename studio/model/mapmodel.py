"""The working copy of a map: planes of bytes for what every hex has, dictionaries for what few have.

A model changes only through :meth:`MapModel.perform`, which checks an edit before it touches anything and returns the
edit that takes it back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import EditError, nearest
from studio.grid import HexGrid, Labels, LabelScheme, bind_labels
from studio.grid.distinct import distinct
from studio.model.backdrop import Backdrop, check_backdrop, moved_backdrop
from studio.model.batch import perform_batch, refusing
from studio.model.change import Change
from studio.model.documents import Georeference, MapDocument, Plane, Source
from studio.model.edits import Batch, Delete, Edit, Paint, Put, Resize, Restore, SetField, SetSide
from studio.model.featurecheck import MARGIN, check_fit, check_text, feature_cells
from studio.model.features import (
    Feature,
    Text,
    natural_key,
    relabelled,
)
from studio.model.levels import LEVEL_LIMITS, level_character
from studio.model.moved import Moved
from studio.model.relabelling import hex_renamer
from studio.model.sheets import Sheet, check_layers
from studio.model.sizing import plan_resize, restored, state_of

__all__ = ["LEVEL_LIMITS", "MARGIN", "MapModel", "feature_cells", "level_character"]

_FIELDS: dict[str, Any] = {
    "title": Text,
    "notes": Text,
    "sources": list[Source],
    "georeference": Georeference | None,
    "backdrop": Backdrop | None,
    "hex_size": tuple[float, float],
    "labels": LabelScheme,
    "sheets": list[Sheet],
}


class MapModel:
    """A map that can be changed.

    Parameters
    ----------
    ruleset : str
        Id of the game.
    grid : HexGrid
    scheme : LabelScheme
    terrain_characters : mapping of str to str
        The terrain ids that may be used, each with its character in the file; the first is the default terrain.
    title : str
    sheets : sequence of Sheet
        One a part of the grid; none where the grid has no parts. The scheme counts for nothing then.

    Attributes
    ----------
    sheets : tuple of Sheet
    terrain : array of uint8, shape (rows, columns)
        Index into ``terrain_ids``.
    levels : array of int8, shape (rows, columns)
    sides : dict of (cell, cell) to tuple of str
        Kinds on each hexside that has any, keyed with the lower cell first.
    features : dict of str to Feature
    """

    collections = ("features",)

    def __init__(
        self,
        ruleset: str,
        grid: HexGrid,
        scheme: LabelScheme,
        terrain_characters: Mapping[str, str],
        *,
        title: str = "Untitled map",
        sheets: Sequence[Sheet] = (),
    ) -> None:
        self.ruleset, self.grid, self.title = ruleset, grid, title
        self.sheets = tuple(sheets)
        self.labels = bind_labels(scheme, grid, self.sheets)
        check_layers(grid, self.sheets)
        self.terrain_characters = dict(terrain_characters)
        self.terrain_ids = list(terrain_characters)
        self._terrain_index = {name: index for index, name in enumerate(self.terrain_ids)}
        self.terrain: NDArray[np.uint8] = np.zeros((grid.rows, grid.columns), dtype=np.uint8)
        self.levels: NDArray[np.int8] = np.zeros((grid.rows, grid.columns), dtype=np.int8)
        self.sides: dict[tuple[int, int], tuple[str, ...]] = {}
        self.features: dict[str, Feature] = {}
        self.notes = ""
        self.sources: list[Source] = []
        self.georeference: Georeference | None = None
        self.backdrop: Backdrop | None = None

    # -- reading ---------------------------------------------------------------------------------------------------

    def terrain_at(self, cell: int) -> str:
        """Return the terrain id of a hex."""
        return self.terrain_ids[self.terrain.flat[cell]]

    def level_at(self, cell: int) -> int:
        """Return the level of a hex."""
        return int(self.levels.flat[cell])

    def features_of(self, *kinds: type[Any]) -> list[Any]:
        """Return the features of some kinds, in the natural order of their ids."""
        found = [feature for feature in self.features.values() if isinstance(feature, kinds)]
        return sorted(found, key=lambda feature: natural_key(feature.id))

    def new_id(self, kind: str) -> str:
        """Return an id that is not taken, such as ``road-3``."""
        taken = {feature_id for feature_id in self.features if feature_id.startswith(kind + "-")}
        number = len(taken) + 1
        while f"{kind}-{number}" in taken:
            number += 1
        return f"{kind}-{number}"

    # -- changing --------------------------------------------------------------------------------------------------

    def perform(self, edit: Edit) -> tuple[Edit, Change]:
        """Make an edit.

        Parameters
        ----------
        edit : Edit

        Returns
        -------
        inverse : Edit
            Takes the edit back.
        change : Change
            What it touched.

        Raises
        ------
        EditError
            When the edit cannot be made; nothing has been changed then.
        """
        return refusing(self._perform, edit)

    def _perform(self, edit: Edit) -> tuple[Edit, Change]:
        match edit:
            case Paint():
                return self._paint(edit)
            case SetSide():
                return self._set_side(edit)
            case Put():
                return self._put(edit)
            case Delete():
                return self._delete(edit)
            case SetField():
                return self._set_field(edit)
            case Resize() | Restore():
                return self._resize(edit)
            case Batch():
                return perform_batch(self, edit)
        msg = f"not an edit of a map: {edit!r}"
        raise EditError(msg)

    def _paint(self, edit: Paint) -> tuple[Edit, Change]:
        cells = np.asarray(edit.cells, dtype=np.int64)
        if cells.ndim != 1:
            msg = "paint: the hexes are a plain list of cells"
            raise EditError(msg)
        if len(edit.values) not in (1, len(cells)) or not len(cells):
            msg = f"paint: got {len(cells)} hexes and {len(edit.values)} values; give one value, or one a hex"
            raise EditError(msg)
        wrong = (cells < 0) | (cells >= self.grid.cells)
        if not wrong.any():
            wrong = ~self.grid.present.ravel()[cells]
        if wrong.any():
            msg = f"paint: no hex has the cell {int(cells[wrong][0])}; cells are row * {self.grid.columns} + column"
            raise EditError(msg)
        if len(cells) > 1 and len(distinct(cells)) != len(cells):
            msg = "paint: a hex is listed twice; list each once"
            raise EditError(msg)
        new = self._codes(edit, len(cells))
        plane: NDArray[Any] = self.terrain if edit.plane == "terrain" else self.levels
        old = plane.flat[cells]
        plane.flat[cells] = new
        terrain = edit.plane == "terrain"
        if (old == old[0]).all():
            old = old[:1]
        values: list[str | int] = [self.terrain_ids[code] for code in old.tolist()] if terrain else old.tolist()
        inverse = Paint(plane=edit.plane, cells=edit.cells, values=values)
        return inverse, Change(edit=edit, cells=cells, planes=frozenset({edit.plane}))

    def _codes(self, edit: Paint, count: int) -> NDArray[Any]:
        if edit.plane == "terrain":
            codes = []
            for value in edit.values:
                if value not in self._terrain_index:
                    msg = f"paint: unknown terrain {value!r} in {self.ruleset}; {nearest(str(value), self.terrain_ids)}"
                    raise EditError(msg)
                codes.append(self._terrain_index[str(value)])
            return _each(codes, np.uint8, count)
        low, high = LEVEL_LIMITS
        for value in edit.values:
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                msg = f"paint: level {value!r}; levels are whole numbers from {low} to {high}"
                raise EditError(msg)
        return _each(edit.values, np.int8, count)

    def _set_side(self, edit: SetSide) -> tuple[Edit, Change]:
        for cell in (edit.a, edit.b):
            if not self.grid.has(cell):
                msg = f"hexside: no hex has the cell {cell}; cells are row * {self.grid.columns} + column"
                raise EditError(msg)
        if self.grid.direction(edit.a, edit.b) is None:
            names = f"{self.labels.label(edit.a)} and {self.labels.label(edit.b)}"
            far = self.grid.distance(edit.a, edit.b)
            msg = f"hexside: {names} are not adjacent (distance {far}); name two hexes that share a side"
            raise EditError(msg)
        key = (min(edit.a, edit.b), max(edit.a, edit.b))
        old = self.sides.get(key, ())
        if edit.kinds:
            self.sides[key] = tuple(sorted(set(edit.kinds)))
        else:
            self.sides.pop(key, None)
        return SetSide(a=key[0], b=key[1], kinds=old), Change(edit=edit, sides=(key,))

    def _put(self, edit: Put) -> tuple[Edit, Change]:
        if edit.collection != "features":
            msg = f"put: a map has no collection {edit.collection!r}; it has 'features'"
            raise EditError(msg)
        try:
            feature = msgspec.convert(edit.record, Feature, strict=True)
        except msgspec.ValidationError as error:
            msg = f"put: {edit.record.get('kind', 'feature')} {edit.record.get('id', '')}: {error}"
            raise EditError(msg) from error
        self.check_feature(feature)
        old = self.features.get(feature.id)
        self.features[feature.id] = feature
        inverse: Edit = Delete(collection="features", id=feature.id)
        if old is not None:
            inverse = Put(collection="features", record=msgspec.to_builtins(old))
        return inverse, Change(edit=edit, features=(feature.id,), before=(old,))

    def check_feature(self, feature: Feature) -> None:
        """Raise when a feature does not fit the grid.

        Raises
        ------
        EditError
            When a label is unknown or two hexes of a path are not adjacent.
        """
        check_fit(self, feature)

    def _delete(self, edit: Delete) -> tuple[Edit, Change]:
        if edit.collection != "features" or edit.id not in self.features:
            msg = f"delete: no {edit.collection} record {edit.id!r}; {nearest(edit.id, self.features)}"
            raise EditError(msg)
        old = self.features.pop(edit.id)
        inverse = Put(collection="features", record=msgspec.to_builtins(old))
        return inverse, Change(edit=edit, removed=(edit.id,), before=(old,))

    def _set_field(self, edit: SetField) -> tuple[Edit, Change]:
        if edit.field not in _FIELDS:
            msg = f"set: a map has no field {edit.field!r} to set; {nearest(edit.field, _FIELDS)}"
            raise EditError(msg)
        try:
            value = msgspec.convert(edit.value, _FIELDS[edit.field])
        except msgspec.ValidationError as error:
            msg = f"set {edit.field}: {error}"
            raise EditError(msg) from error
        if edit.field == "labels" and self.sheets:
            msg = "set labels: a map of several sheets has the labels of its sheets; set `sheets` instead"
            raise EditError(msg)
        if edit.field == "sheets":
            return self._set_sheets(edit, tuple(value))
        if edit.field == "labels":
            return self._relabel(edit, Labels(value, self.grid))
        if edit.field == "hex_size":
            return self._resize_hexes(edit, *value)
        if isinstance(value, Backdrop):
            check_backdrop(value)
        if isinstance(value, str):
            check_text(edit.field, value)
        if isinstance(value, Georeference) and not all(map(math.isfinite, value.affine)):
            msg = f"set georeference: got {value.affine}; the six numbers of the affine are finite"
            raise EditError(msg)
        old = msgspec.to_builtins(getattr(self, edit.field))
        setattr(self, edit.field, value)
        return SetField(field=edit.field, value=old), Change(edit=edit, meta=True)

    def _set_sheets(self, edit: SetField, sheets: tuple[Sheet, ...]) -> tuple[Edit, Change]:
        """Change titles, labels and layers of the sheets; where they lie stays as it is."""
        after = bind_labels(LabelScheme(), self.grid, sheets) if self.sheets or sheets else self.labels
        check_layers(self.grid, sheets)
        before, self.sheets = self.sheets, sheets
        inverse, change = self._relabel(edit, after)
        way_back: Edit = SetField(field="sheets", value=msgspec.to_builtins(before))
        if isinstance(inverse, Batch):
            inverse = Batch(title="Set sheets", edits=[way_back, *inverse.edits[1:]])
        else:
            inverse = way_back
        return inverse, change

    def _resize_hexes(self, edit: SetField, width: float, height: float) -> tuple[Edit, Change]:
        """Change the size of a hex in map units; nothing on the lattice moves."""
        old = self.grid
        self.grid = msgspec.structs.replace(old, hex_width=width, hex_height=height)
        self.labels = bind_labels(self.labels.scheme, self.grid, self.sheets)
        inverse = SetField(field="hex_size", value=[old.hex_width, old.hex_height])
        return inverse, Change(edit=edit, meta=True, relabelled=True)

    def _relabel(self, edit: SetField, after: Labels) -> tuple[Edit, Change]:
        """Change the labels: every feature keeps its hexes and gets their new names."""
        before, old = self.labels, self.features
        rename = hex_renamer(before, after)
        features = {name: relabelled(feature, rename) for name, feature in old.items()}
        self.labels, self.features = after, features
        inverse: Edit = SetField(field="labels", value=msgspec.to_builtins(before.scheme))
        scan = self.backdrop
        if scan is not None:
            self.backdrop = moved_backdrop(scan, rename=rename)
        # The name of a drawn place can be a label of the new scheme; going back would take it for that hex.
        back = hex_renamer(after, before)
        lost = [old[name] for name, feature in features.items() if relabelled(feature, back) != old[name]]
        puts: list[Edit] = [Put(collection="features", record=msgspec.to_builtins(feature)) for feature in lost]
        if scan is not None and self.backdrop is not None and moved_backdrop(self.backdrop, rename=back) != scan:
            puts.append(SetField(field="backdrop", value=msgspec.to_builtins(scan)))
        if puts:
            inverse = Batch(title="Set labels", edits=[inverse, *puts])
        moved = Moved(before, after)
        return inverse, Change(edit=edit, features=tuple(features), meta=True, relabelled=True, moved=moved)

    def _resize(self, edit: Resize | Restore) -> tuple[Edit, Change]:
        """Give the map another frame; everything that stays keeps its hex."""
        plan = plan_resize(self, edit) if isinstance(edit, Resize) else restored(self, edit)
        inverse = state_of(self, edit)
        self.grid, self.labels = plan.frame.grid, plan.frame.labels
        self.terrain, self.levels = plan.terrain, plan.levels
        self.sides, self.features = plan.sides, plan.features
        self.georeference, self.backdrop = plan.georeference, plan.backdrop
        features, lost = tuple(plan.features), tuple(plan.losses.lines())
        return inverse, Change(edit=edit, features=features, meta=True, relabelled=True, moved=plan.moved, lost=lost)

    # -- documents -------------------------------------------------------------------------------------------------

    def to_document(self) -> MapDocument:
        """Return the map as its file holds it; equal maps give equal documents."""
        present = self.grid.present
        terrain = Plane(
            legend={mark: name for name, mark in self.terrain_characters.items()},
            rows=_rows(self.terrain, {i: self.terrain_characters[n] for i, n in enumerate(self.terrain_ids)}, present),
        )
        levels = None
        if self.levels.any():
            used = sorted({0, *np.unique(self.levels).tolist()})
            marks = {level: level_character(level) for level in used}
            levels = Plane(
                legend={mark: level for level, mark in marks.items()}, rows=_rows(self.levels, marks, present)
            )
        label = self.labels.label
        return MapDocument(
            title=self.title,
            ruleset=self.ruleset,
            grid=self.grid,
            labels=LabelScheme() if self.sheets else self.labels.scheme,
            sheets=list(self.sheets),
            terrain=terrain,
            levels=levels,
            sides=[(label(a), label(b), kinds) for (a, b), kinds in sorted(self.sides.items())],
            features=sorted(self.features.values(), key=_feature_order),
            notes=self.notes,
            sources=list(self.sources),
            georeference=self.georeference,
            backdrop=self.backdrop,
        )


def _feature_order(feature: Feature) -> tuple[str, Any]:
    return str(type(feature).__struct_config__.tag), natural_key(feature.id)


def _rows(plane: NDArray[Any], marks: Mapping[int, str], present: NDArray[np.bool_]) -> list[str]:
    table = np.full(256, ord("?"), dtype=np.uint8)
    for code, mark in marks.items():
        table[code % 256] = ord(mark)
    text = np.where(present, table[plane.view(np.uint8)], ord(" ")).astype(np.uint8)
    return [bytes(row).decode("ascii") for row in text]


def _each(values: Sequence[Any], kind: type[np.uint8] | type[np.int8], count: int) -> NDArray[Any]:
    return np.full(count, values[0], dtype=kind) if len(values) == 1 else np.array(values, dtype=kind)

"""A map in a new frame: the plan of a change of size, what it costs, and the edit that takes it back to the byte."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import EditError, nearest
from studio.grid import HexGrid, Labels
from studio.model.backdrop import Backdrop
from studio.model.edits import Resize, Restore, describe
from studio.model.features import Aperture, Area, Feature, Link, Marker, Place
from studio.model.georeference import Georeference
from studio.model.levels import LEVEL_LIMITS
from studio.model.moved import ROAD, Moved
from studio.model.sheets import Sheet
from studio.model.sizing.carrying import Carrier
from studio.model.sizing.frames import Frame, frame_after

__all__ = ["Losses", "ResizePlan", "Sized", "plan_resize", "restored", "state_of"]

_SHOWN = 8
_NAMED = 12


class Sized(Protocol):
    """A map, as far as its size is concerned."""

    ruleset: str
    grid: HexGrid
    labels: Labels
    sheets: tuple[Sheet, ...]
    terrain_ids: list[str]
    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]
    sides: dict[tuple[int, int], tuple[str, ...]]
    features: dict[str, Feature]
    georeference: Georeference | None
    backdrop: Backdrop | None


class Losses(msgspec.Struct, frozen=True, kw_only=True):
    """What goes with removed hexes.

    Attributes
    ----------
    hexes : int
        Removed hexes.
    drawn : int
        Those of them that had other terrain than the default, or a level.
    sides : int
        Hexsides with something on them.
    features : tuple of str
        Ids of the features that are gone.
    cut : dict of str to tuple of str
        Ids of those of which a part is left, each with the ids of its further pieces.
    notes : tuple of str
        What else changed, as sentences.
    """

    hexes: int = 0
    drawn: int = 0
    sides: int = 0
    features: tuple[str, ...] = ()
    cut: dict[str, tuple[str, ...]] = {}
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.drawn or self.sides or self.features or self.cut or self.notes)

    def lines(self) -> list[str]:
        """Return the losses as sentences; none where nothing that was drawn is lost."""
        found = []
        if self.drawn:
            found.append(f"{self.drawn} of {_count(self.hexes, 'removed hex', 'es')} had a terrain or a level")
        if self.sides:
            found.append(f"{_count(self.sides, 'hexside')} removed")
        if self.features:
            found.append(f"{_count(len(self.features), 'feature')} removed: {_listed(self.features)}")
        if self.cut:
            found.append(f"{_count(len(self.cut), 'feature')} cut at the new edge: {_listed(self.cut)}")
        return [*found, *self.notes]


def _count(number: int, what: str, many: str = "s") -> str:
    return f"{number} {what}{many * (number != 1)}"


def _listed(names: Any) -> str:
    names = list(names)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


class ResizePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a change of size does, worked out before anything is done.

    Attributes
    ----------
    frame : Frame
    moved : Moved
    terrain, levels : arrays, shape (rows, columns)
    sides : dict
    features : dict of str to Feature
    georeference : Georeference or None
    backdrop : Backdrop or None
    losses : Losses
    """

    frame: Frame
    moved: Moved
    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]
    sides: dict[tuple[int, int], tuple[str, ...]]
    features: dict[str, Feature]
    georeference: Georeference | None
    backdrop: Backdrop | None
    losses: Losses


def plan_resize(model: Sized, edit: Resize) -> ResizePlan:
    """Work out what a change of size does to a map; the map stays as it is.

    Parameters
    ----------
    model : MapModel
    edit : Resize

    Returns
    -------
    ResizePlan

    Raises
    ------
    EditError
        When there is no such frame, the labels cannot be so, an area cannot be cut at the new edge, or the name of a
        place would be that of a hex.
    """
    if edit.terrain and edit.terrain not in model.terrain_ids:
        msg = f"resize: unknown terrain {edit.terrain!r} in {model.ruleset}; {nearest(edit.terrain, model.terrain_ids)}"
        raise EditError(msg)
    frame = frame_after(model.grid, model.labels, edit)
    moved = Moved(model.labels, frame.labels, edit.left, edit.top)
    _check_names(model, moved)
    carried = Carrier(model.features, frame, moved).carry()
    if carried.faults:
        more = f" and {len(carried.faults) - _SHOWN} more" if len(carried.faults) > _SHOWN else ""
        msg = (
            f"resize: areas that cannot be cut at the new edge: {', '.join(carried.faults[:_SHOWN])}{more}. Remedy: "
            "mend or split them there first, or move the edge"
        )
        raise EditError(msg)
    moved = moved._replace(gone=_gone(model.features, carried.features))
    kept, cells = _kept_cells(model.grid, moved)
    code = model.terrain_ids.index(edit.terrain) if edit.terrain else 0
    terrain = _plane(model.terrain, frame.grid, kept, cells, code)
    levels = _plane(model.levels, frame.grid, kept, cells, 0)
    sides = _sides(model, moved)
    going = model.grid.present.ravel().copy()
    going[kept] = False
    gone = np.flatnonzero(going)
    drawn = (model.terrain.ravel()[gone] != 0) | (model.levels.ravel()[gone] != 0)
    losses = Losses(
        hexes=len(gone),
        drawn=int(drawn.sum()),
        sides=len(model.sides) - len(sides),
        features=tuple(carried.gone),
        cut={name: tuple(pieces) for name, pieces in carried.cut.items()},
        notes=tuple(carried.notes),
    )
    return ResizePlan(
        frame=frame,
        moved=moved,
        terrain=terrain,
        levels=levels,
        sides=sides,
        features=carried.features,
        georeference=_georeference(model.georeference, model.grid, frame.away),
        backdrop=_backdrop(model.backdrop, moved, frame.away),
        losses=losses,
    )


def _check_names(model: Sized, moved: Moved) -> None:
    """Refuse labels by which hexes and drawn places could be mistaken for each other afterwards."""
    named = {label: one.id for one in model.features.values() if isinstance(one, Area | Place) for label in _names(one)}
    used = {label for one in model.features.values() for label in _used(one)}
    for label, feature_id in named.items():
        hex_label = label.removesuffix(ROAD)
        before, after = moved.before.find(hex_label), moved.after.find(hex_label)
        taken = before is None and after is not None
        unclear = before is not None and label in used and moved.label(label) != label
        if taken or unclear:
            why = "a hex would bear it, too" if taken else "a hex bears it, too, and moves on"
            msg = f"resize: {feature_id} has the label {label!r}, and {why}; rename it first (map.rename)"
            raise EditError(msg)


def _gone(before: dict[str, Feature], after: dict[str, Feature]) -> frozenset[str]:
    """Return the labels of drawn places that are there no more."""

    def labels(features: dict[str, Feature]) -> set[str]:
        return {label for one in features.values() if isinstance(one, Area | Place) for label in (one.name, one.id)}

    return frozenset(labels(before) - labels(after))


def _names(feature: Area | Place) -> tuple[str, ...]:
    return (feature.name,) if feature.name else (feature.id,)


def _used(feature: Feature) -> tuple[str, ...]:
    """Return the labels of locations that a feature names."""
    match feature:
        case Marker():
            return feature.at, *feature.also
        case Aperture():
            return (feature.into,)
        case Link():
            return feature.a, feature.b
    return ()


def _kept_cells(grid: HexGrid, moved: Moved) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hexes that stay, by their cells before and after."""
    before = np.flatnonzero(grid.present)
    row, column = np.divmod(before, grid.columns)
    row, column = row + moved.top, column + moved.left
    after = moved.after.grid
    inside = (row >= 0) & (row < after.rows) & (column >= 0) & (column < after.columns)
    cells = np.where(inside, row * after.columns + column, 0)
    inside &= after.present.ravel()[cells]
    return before[inside], cells[inside]


def _plane(
    plane: NDArray[Any], grid: HexGrid, kept: NDArray[np.int64], cells: NDArray[np.int64], new: int
) -> NDArray[Any]:
    made = np.where(grid.present, new, 0).astype(plane.dtype)
    made.flat[cells] = plane.ravel()[kept]
    return made


def _sides(model: Sized, moved: Moved) -> dict[tuple[int, int], tuple[str, ...]]:
    found = {}
    for (a, b), kinds in model.sides.items():
        one, two = moved.cell(a), moved.cell(b)
        if one is not None and two is not None:
            found[min(one, two), max(one, two)] = kinds
    return found


def _georeference(found: Georeference | None, grid: HexGrid, away: tuple[int, int]) -> Georeference | None:
    """Return where a map lies in the world when its origin has moved: the same places for the same hexes."""
    if found is None or away == (0, 0):
        return found
    a, b, c, d, e, f = found.affine
    x, y = grid.to_map(*away)
    return Georeference(crs=found.crs, affine=(a, b, c - a * x - b * y, d, e, f - d * x - e * y))


def _backdrop(found: Backdrop | None, moved: Moved, away: tuple[int, int]) -> Backdrop | None:
    """Return a scan whose control points keep their places; one whose hex is gone stays where its middle was."""
    if found is None:
        return None
    points = []
    for one in found.points:
        label, point = one.at, one.point
        if label and moved.label(label) is None:
            cell = moved.before.cell(label.removesuffix(ROAD))
            label, point = "", moved.before.grid.centre(cell)
        if point is not None:
            point = (point[0] + away[0], point[1] + away[1])
        points.append(msgspec.structs.replace(one, at=moved.label(label) or "", point=point))
    return msgspec.structs.replace(found, points=tuple(points))


# -- there and back ----------------------------------------------------------------------------------------------------


def state_of(model: Sized, edit: Resize | Restore) -> Restore:
    """Return the edit that brings a map back to what it is now, after an edit of its size."""
    return Restore(
        title=edit.title if isinstance(edit, Restore) else describe(edit),
        left=-edit.left,
        top=-edit.top,
        grid=model.grid,
        labels=model.labels.scheme,
        terrain_ids=list(model.terrain_ids),
        terrain=model.terrain.tobytes(),
        levels=model.levels.tobytes(),
        sides=[(a, b, kinds) for (a, b), kinds in model.sides.items()],
        features=list(model.features.values()),
        georeference=model.georeference,
        backdrop=model.backdrop,
    )


def restored(model: Sized, edit: Restore) -> ResizePlan:
    """Return the state that an edit holds, checked as far as a model knows itself.

    Raises
    ------
    EditError
        When the planes do not fit the grid, or a side is none.
    """
    grid, size = edit.grid, edit.grid.rows * edit.grid.columns
    if model.sheets or grid.joint is not None:
        msg = "restore: a map of several sheets keeps its frame"
        raise EditError(msg)
    for what, data in (("terrain", edit.terrain), ("levels", edit.levels)):
        if len(data) != size:
            msg = f"restore: {what} has {len(data)} bytes for {size} raw cells"
            raise EditError(msg)
    codes = np.frombuffer(edit.terrain, dtype=np.uint8)
    table = np.array([model.terrain_ids.index(name) for name in edit.terrain_ids], dtype=np.uint8)
    if codes.max() >= len(table):
        msg = f"restore: got the terrain code {codes.max()}, allowed 0 to {len(table) - 1}"
        raise EditError(msg)
    levels = np.frombuffer(edit.levels, dtype=np.int8)
    low, high = LEVEL_LIMITS
    if levels.min() < low or levels.max() > high:
        msg = f"restore: got the levels {levels.min()} to {levels.max()}, allowed {low} to {high}"
        raise EditError(msg)
    for a, b, kinds in edit.sides:
        if not (a < b and grid.has(a) and grid.has(b) and kinds) or grid.direction(a, b) is None:
            msg = f"restore: {a} and {b} are no hexside with something on it"
            raise EditError(msg)
    features = {feature.id: feature for feature in edit.features}
    if len(features) < len(edit.features):
        msg = "restore: two features have one id"
        raise EditError(msg)
    labels = Labels(edit.labels, grid)
    return ResizePlan(
        frame=Frame(grid, labels, (0, 0)),
        moved=Moved(model.labels, labels, edit.left, edit.top, _gone(model.features, features)),
        terrain=table[codes].reshape(grid.rows, grid.columns),
        levels=levels.reshape(grid.rows, grid.columns).copy(),
        sides={(a, b): kinds for a, b, kinds in edit.sides},
        features=features,
        georeference=edit.georeference,
        backdrop=edit.backdrop,
        losses=Losses(),
    )

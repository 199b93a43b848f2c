"""Regions put into a map: the edits, and what did not fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

import msgspec
import numpy as np

from studio.errors import EditError
from studio.model.edits import Edit, Paint, Put, SetSide
from studio.model.features import (
    Aperture,
    Area,
    Crest,
    Feature,
    Link,
    Marker,
    Place,
    Point,
    Road,
    feature_points,
    relabelled,
)
from studio.model.region import Mirror, Region, with_points
from studio.model.regioncopy import Drawn, copy_region, cut_edits, middle_of

__all__ = ["Pasted", "move_edits", "paste_edits"]

_HEX = re.compile(r"@(-?[0-9]+),(-?[0-9]+)((?: road)?)")


class Pasted(msgspec.Struct, frozen=True, kw_only=True):
    """What a region did to a map.

    Attributes
    ----------
    edits : tuple of Edit
    hexes : int
        Hexes that it was put on.
    off_map : int
        Hexes of it that fell off the map.
    features : tuple of str
        Ids of the features that it brought.
    lost : tuple of str
        What was drawn in it and fell off the map, or hangs on something that is not there.
    renamed : dict of str to str
        New names of places whose own were taken.
    """

    edits: tuple[Edit, ...]
    hexes: int
    off_map: int
    features: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    renamed: dict[str, str] = {}

    def __str__(self) -> str:
        said = [_count(self.hexes, "hex", "hexes")]
        if self.features:
            said.append(_count(len(self.features), "feature", "features"))
        text = " and ".join(said)
        if self.off_map:
            text += f"; {_count(self.off_map, 'hex', 'hexes')} fell off the map"
        if self.lost:
            more = f" and {len(self.lost) - 4} more" if len(self.lost) > 4 else ""
            text += f"; left out: {', '.join(self.lost[:4])}{more}"
        if self.renamed:
            listed = [f"{old} is {new} here" for old, new in self.renamed.items()]
            text += f"; {', '.join(listed[:3])}{' …' if len(listed) > 3 else ''}"
        return text


def _count(number: int, one: str, several: str) -> str:
    return f"{number:,} {one if number == 1 else several}"


def paste_edits(
    model: Drawn,
    region: Region,
    at: int,
    *,
    turn: int = 0,
    mirror: Mirror = "",
    features: bool = True,
    without: Collection[int] = (),
    gone: Collection[str] = (),
) -> Pasted:
    """Return the edits that put a region into a map, its anchor on a hex.

    Terrain, levels and the hexsides between its hexes replace what is there; hexsides on its rim are added to what is
    there; features are added, places with a new name where theirs is taken.

    Parameters
    ----------
    model : MapModel
    region : Region
    at : int
        Cell for its anchor.
    turn : int
        Sixths of a turn, clockwise.
    mirror : {"", "left-right", "top-bottom"}
        Done before the turn.
    features : bool
        Bring its features too.
    without : collection of int
        Hexes that were emptied earlier in the same step.
    gone : collection of str
        Ids of features that were deleted earlier in the same step; those of the region keep their ids then.

    Raises
    ------
    EditError
        When its hexes stand otherwise, or the map has no such terrain.
    """
    if region.orientation != model.grid.orientation:
        msg = f"paste: the region has {region.orientation} hexes, this map {model.grid.orientation} ones"
        raise EditError(msg)
    unknown = [name for name in region.terrains if name not in model.terrain_ids]
    if unknown:
        msg = (
            f"paste: the region is of {region.ruleset}; this map of {model.ruleset} has no terrain "
            f"{', '.join(unknown[:5])}; paste it into a map of its own game"
        )
        raise EditError(msg)
    return _Paste(model, region.placed(turn, mirror), at, without, gone).result(features)


def move_edits(
    model: Drawn, cells: Collection[int], to: int, *, anchor: int | None = None, turn: int = 0, mirror: Mirror = "",
    features: bool = True,
) -> Pasted:  # fmt: skip
    """Return the edits that move a region: cut where it was, put with its anchor on another hex.

    Roads and crest lines that go on beyond it stay where they are.

    Parameters
    ----------
    model : MapModel
    cells : collection of int
    to : int
        Cell for its anchor.
    anchor : int, optional
        The hex nearest to its middle by default.
    turn : int
    mirror : {"", "left-right", "top-bottom"}
    features : bool
    """
    anchor = middle_of(model.grid, cells) if anchor is None else anchor
    region = copy_region(model, cells, anchor, features=features, runs=False)
    plain = cut_edits(model, cells, features=features)
    gone = {edit.id for edit in plain if hasattr(edit, "id")}
    pasted = paste_edits(model, region, to, turn=turn, mirror=mirror, features=features, without=cells, gone=gone)
    covered = {cell for edit in pasted.edits if isinstance(edit, Paint) for cell in edit.cells}
    cut = cut_edits(model, cells, features=features, keep=covered)
    return msgspec.structs.replace(pasted, edits=(*cut, *pasted.edits))


class _Paste:
    """One pasting."""

    def __init__(self, model: Drawn, region: Region, at: int, without: Collection[int], gone: Collection[str]) -> None:
        self.model, self.region, self.without, self.gone = model, region, set(without), set(gone)
        self.q, self.r = model.grid.axial(at)
        self.x, self.y = model.grid.centre(at)
        self.lost: list[str] = []
        self.renamed: dict[str, str] = {}

    def cell(self, q: int, r: int) -> int | None:
        return self.model.grid.from_axial(self.q + q, self.r + r)

    def result(self, features: bool) -> Pasted:
        grid = self.model.grid
        where = np.array([(one.q, one.r) for one in self.region.hexes], dtype=np.int64)
        cells = grid.raw_cells(where[:, 0] + self.q, where[:, 1] + self.r).astype(np.int64)
        cells = np.where((cells >= 0) & grid.present.ravel()[np.maximum(cells, 0)], cells, -1)
        held = {cell for cell in cells.tolist() if cell >= 0}
        edits: list[Edit] = [*self._planes(cells.tolist()), *self._sides(held)]
        there = len(held)
        if not there:
            msg = "paste: the whole region would fall off the map; choose a hex further inside"
            raise EditError(msg)
        brought = self._features() if features else []
        edits += [Put(collection="features", record=msgspec.to_builtins(feature)) for feature in brought]
        return Pasted(
            edits=tuple(edits),
            hexes=there,
            off_map=len(cells) - there,
            features=tuple(feature.id for feature in brought),
            lost=tuple(self.lost),
            renamed=self.renamed,
        )

    def _planes(self, cells: Sequence[int]) -> Iterable[Edit]:
        """Yield the edits of terrain and levels; where hexes were emptied before, all that lie on them."""
        model, region = self.model, self.region
        found: dict[str, dict[int, str | int]] = {"terrain": {}, "levels": {}}
        for cell, one in zip(cells, region.hexes, strict=True):
            if cell < 0:
                continue
            name = region.terrains[one.terrain]
            if cell in self.without or model.terrain_ids[model.terrain.flat[cell]] != name:
                found["terrain"][cell] = name
            if cell in self.without or int(model.levels.flat[cell]) != one.level:
                found["levels"][cell] = one.level
        for plane in ("terrain", "levels"):
            values = list(found[plane].values())
            if values:
                alike = len(set(values)) == 1
                yield Paint(plane=plane, cells=list(found[plane]), values=values[:1] if alike else values)

    def _sides(self, held: set[int]) -> Iterable[Edit]:
        model = self.model
        before = {
            key: kinds for key, kinds in model.sides.items() if not (key[0] in self.without and key[1] in self.without)
        }
        after: dict[tuple[int, int], tuple[str, ...]] = {key: () for key in before if key[0] in held and key[1] in held}
        for one in self.region.sides:
            a, b = self.cell(one.q, one.r), self.cell(one.q2, one.r2)
            if a is None or b is None:
                continue
            key = (min(a, b), max(a, b))
            inner = a in held and b in held
            after[key] = tuple(sorted({*one.kinds, *(() if inner else before.get(key, ()))}))
        for (a, b), kinds in sorted(after.items()):
            if kinds != before.get((a, b), ()):
                yield SetSide(a=a, b=b, kinds=kinds)

    # -- features ------------------------------------------------------------------------------------------------------

    def _features(self) -> list[Feature]:
        """Return the features as they are put, places before what lies on them."""
        placed = [one for feature in self.region.features for one in self._on_map(feature)]
        ids = self._ids(placed)
        names = self._names(placed, ids)
        found = [made for feature in placed if (made := self._made(feature, ids, names)) is not None]
        return sorted(found, key=lambda feature: not isinstance(feature, Area | Place))

    def _point(self, point: Point) -> Point:
        return self.x + point[0], self.y + point[1]

    def _on_map(self, feature: Feature) -> Iterable[Feature]:
        """Yield a feature where all of it is on the map, of roads and crest lines the runs that are."""
        x0, y0, x1, y1 = self.model.grid.frame
        points = [self._point(point) for _, point in feature_points(feature)]
        off = [point for point in points if not (x0 <= point[0] <= x1 and y0 <= point[1] <= y1)]
        runs: list[tuple[str, ...]] = []
        whole = not off
        if isinstance(feature, Road | Crest) and whole:
            pieces = [
                (fits, tuple(run)) for fits, run in groupby(feature.path, lambda label: self._hex(label) is not None)
            ]
            whole = all(fits for fits, _ in pieces)
            drawn = isinstance(feature, Road) and bool(feature.line)
            runs = [] if drawn else [run for fits, run in pieces if fits and len(run) > 1]
        if whole:
            yield feature
            return
        self.lost.append(f"{'part of ' if runs else ''}{_said(feature)}")
        for number, run in enumerate(runs):
            name = f"{feature.id[:90]}.off{number}" if number else feature.id
            yield msgspec.structs.replace(feature, id=name, path=run)

    def _hex(self, label: str) -> int | None:
        found = _HEX.fullmatch(label)
        return self.cell(int(found[1]), int(found[2])) if found else None

    def _ids(self, placed: Sequence[Feature]) -> dict[str, str]:
        """Return the ids by those in the region: their own where they are free, else the next ones of their kind."""
        taken = set(self.model.features) - self.gone
        numbers: Counter[str] = Counter()
        found: dict[str, str] = {}
        for feature in placed:
            new, kind = feature.id, str(type(feature).__struct_config__.tag)
            fresh = new not in self.gone and (new in taken or not self.gone)
            while fresh or new in taken:
                numbers[kind] += 1
                new, fresh = f"{kind}-{numbers[kind]}", False
            taken.add(new)
            found[feature.id] = new
        return found

    def _names(self, placed: Sequence[Feature], ids: Mapping[str, str]) -> dict[str, str]:
        """Return the labels of its places by those in the region."""
        model = self.model
        taken = {
            one.name or one.id
            for one in model.features.values()
            if isinstance(one, Area | Place) and one.id not in self.gone
        }
        found: dict[str, str] = {}
        for feature in placed:
            if not isinstance(feature, Area | Place):
                continue
            found[feature.id] = ids[feature.id]
            if not feature.name:
                continue
            new, number = feature.name, 1
            while new in taken or model.labels.find(new) is not None:
                number += 1
                new = f"{feature.name} {number}"
            taken.add(new)
            found[feature.name] = new
            if new != feature.name:
                self.renamed[feature.name] = new
        return found

    def _made(self, feature: Feature, ids: Mapping[str, str], names: Mapping[str, str]) -> Feature | None:
        """Return a feature with the labels and points of this map; None where it hangs on what is not there."""
        missing: list[str] = []

        def label(text: str) -> str:
            found = _HEX.fullmatch(text)
            if found is None:
                bare = text.removeprefix("=")
                missing.extend([] if bare in names else [bare])
                return names.get(bare, bare)
            cell = self.cell(int(found[1]), int(found[2]))
            missing.extend([] if cell is not None else [text])
            return self.model.labels.label(cell) + found[3] if cell is not None else text

        lenient = feature
        if isinstance(feature, Marker):
            # A cloud that reaches beyond the region or the map is as long as it can be.
            also = tuple(
                text for text in feature.also if self._hex(text) is not None or text.removeprefix("=") in names
            )
            lenient = msgspec.structs.replace(feature, also=also)
        if isinstance(feature, Aperture):
            arrows = tuple(arrow for arrow in feature.arrows if all(self._hex(text) is not None for text in arrow))
            lenient = msgspec.structs.replace(feature, arrows=arrows)
        moved = with_points(relabelled(lenient, label), self._point)
        if missing and isinstance(moved, Link | Marker | Aperture):
            self.lost.append(_said(feature))
            return None
        changes: dict[str, str] = {"id": ids[feature.id]}
        if isinstance(moved, Area | Place):
            changes["within"] = ids.get(moved.within, "")
            changes["name"] = names.get(moved.name, moved.name)
        return msgspec.structs.replace(moved, **changes)


def _said(feature: Feature) -> str:
    """Return what a designer calls a feature."""
    kind = str(type(feature).__struct_config__.tag)
    what = getattr(feature, "name", "") or getattr(feature, "text", "") or getattr(feature, "type", "") or feature.id
    return f"{kind} {what[:40]}"

"""What a designer changed on a map since it was made, as overrides; and the file that keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from studio.errors import DocumentError
from studio.exchange.common.files import parse_json, refused, source_bytes
from studio.exchange.common.ground import listed, model_of
from studio.exchange.geography.overrides.identity import NEW, described
from studio.exchange.geography.spec import Override
from studio.files.faults import FaultList
from studio.files.structure import structural_faults
from studio.model import Area, MapDocument, MapModel, Marker, Place, natural_key
from studio.rules import Ruleset

__all__ = ["differences", "merged", "not_carried", "overrides_between", "overrides_text", "read_overrides"]

_FRAME = ("ruleset", "grid", "labels", "sheets")
_OWN = ("title", "notes", "sources", "georeference", "backdrop")
_MOST = 64 * 1024 * 1024


# -- the file ----------------------------------------------------------------------------------------------------------


def read_overrides(file: Path, text: bytes | None = None) -> list[Override]:
    """Read a file of overrides: a JSON array.

    Parameters
    ----------
    file : Path
    text : bytes, optional
        What it holds, or is going to hold; it is read when not given.

    Returns
    -------
    list of Override

    Raises
    ------
    DocumentError
        With every fault by its place in the file.
    """
    plain = parse_json(source_bytes(file, limit=_MOST) if text is None else text, file)
    if not isinstance(plain, list):
        raise refused(file, "holds no list of overrides", 'write a list of them: [{"hexes": ["0101"], ...}]')
    found: list[Override] = []
    faults = FaultList()
    for number, one in enumerate(plain):
        try:
            found.append(msgspec.convert(one, Override))
        except msgspec.ValidationError as error:
            for fault in structural_faults(one, Override, str(error)):
                faults.add(f"$[{number}]{fault.path[1:]}", fault.message, fault.remedy, fault.at)
    if faults:
        raise DocumentError(str(file), faults.all())
    return found


def overrides_text(overrides: Iterable[Override]) -> bytes:
    """Write overrides as canonical text: one a line.

    Parameters
    ----------
    overrides : iterable of Override

    Returns
    -------
    bytes
    """
    lines = [msgspec.json.format(msgspec.json.encode(one), indent=0) for one in overrides]
    return b"[\n  " + b",\n  ".join(lines) + b"\n]\n" if lines else b"[]\n"


# -- what was changed --------------------------------------------------------------------------------------------------


def not_carried(base: MapDocument, edited: MapDocument) -> list[str]:
    """Return the fields of a map that were changed and that no override can say, such as ``title``."""
    return [name for name in _OWN if getattr(base, name) != getattr(edited, name)]


def overrides_between(
    base: MapDocument, edited: MapDocument, ruleset: Ruleset, name: str = "map that was edited"
) -> list[Override]:
    """Return what was changed on a map as overrides: terrain, levels, hexsides and features.

    Parameters
    ----------
    base : MapDocument
        As it was made.
    edited : MapDocument
    ruleset : Ruleset
    name : str
        What messages call the map.

    Returns
    -------
    list of Override
        Sorted, and none that says what is so anyhow: applied to the one map, they make the other. Hexes that become one
        terrain are one override; a feature is one each.

    Raises
    ------
    DocumentError
        When the two maps have other hexes or other labels, so that nothing could be said of them by label; or when one
        of them is not sound.
    """
    other = [field for field in _FRAME if getattr(base, field) != getattr(edited, field)]
    if other:
        message = f"is not as it was made in its {' and '.join(other)}: overrides name hexes by their old labels"
        raise refused(name, message, "take that change back, or make the import under another name")
    before, after = (model_of(one, ruleset, name) for one in (base, edited))
    return [
        *_planes(before, after),
        *_sides(before, after),
        *_features(before, after),
    ]


def _planes(before: MapModel, after: MapModel) -> list[Override]:
    """Return what became of terrain, in the order of the game, and of levels, the lowest first."""
    found = []
    label = after.labels.label
    for plane in ("terrain", "levels"):
        old, new = getattr(before, plane).ravel(), getattr(after, plane).ravel()
        changed = np.flatnonzero((old != new) & after.grid.present.ravel())
        for value in sorted(set(new[changed].tolist())):
            hexes = tuple(label(int(cell)) for cell in changed[new[changed] == value])
            if plane == "terrain":
                found.append(Override(hexes=hexes, terrain=after.terrain_ids[value]))
            else:
                found.append(Override(hexes=hexes, level=value))
    return found


def _sides(before: MapModel, after: MapModel) -> list[Override]:
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    label = after.labels.label
    for key in sorted({*before.sides, *after.sides}):
        old, new = set(before.sides.get(key, ())), set(after.sides.get(key, ()))
        if old != new:
            change = tuple(sorted(new - old)), tuple(sorted(old - new))
            groups.setdefault(change, []).append("|".join(map(label, key)))
    return [Override(sides=tuple(sides), add=add, remove=gone) for (add, gone), sides in sorted(groups.items())]


def _features(before: MapModel, after: MapModel) -> list[Override]:
    """Return the features that were drawn or changed, then those that were deleted.

    Places come first, since markers lie on them; what is deleted goes last, since something may have lain on it.
    """
    put = [one for name, one in after.features.items() if before.features.get(name) != one]
    put.sort(key=lambda one: (not isinstance(one, Area | Place), type(one).__name__, natural_key(one.id)))
    gone = sorted(before.features.keys() - after.features.keys(), key=natural_key)
    markers: dict[str, list[str]] = {}
    for name in gone:
        one = before.features[name]
        if isinstance(one, Marker) and _alone(before, after, one):
            markers.setdefault(one.type, []).append(one.at)
    taken = {(kind, at) for kind, hexes in markers.items() for at in hexes}
    rest = [name for name in gone if (getattr(before.features[name], "type", ""), _at(before, name)) not in taken]
    return [
        *(Override(feature=one, was=_was(before, one.id)) for one in put),
        *(Override(hexes=tuple(sorted(hexes, key=natural_key)), no_marker=kind) for kind, hexes in markers.items()),
        *(Override(delete=name, was=_was(before, name)) for name in rest),
    ]


def _was(before: MapModel, name: str) -> str:
    old = before.features.get(name)
    return NEW if old is None else described(before, old)


def _at(model: MapModel, name: str) -> str:
    one = model.features[name]
    return one.at if isinstance(one, Marker) else ""


def _alone(before: MapModel, after: MapModel, one: Marker) -> bool:
    """Tell whether a marker that is gone can be named by its hex: it was the only one of its type there.

    That holds whatever id the next run gives to the marker.
    """
    cell = before.labels.find(one.at)
    if cell is None or before.labels.label(cell) != one.at or one.also:
        return False

    def there(model: MapModel) -> int:
        markers = (other for other in model.features.values() if isinstance(other, Marker) and other.type == one.type)
        return sum(one.at in (other.at, *other.also) for other in markers)

    return there(before) == 1 and there(after) == 0


def differences(overrides: Sequence[Override]) -> str:
    """Say in words how much a list of overrides changes.

    Examples
    --------
    >>> differences([Override(hexes=("0101", "0102"), terrain="city"), Override(delete="road-1")])
    'terrain of 2 hexes (0101, 0102), 1 feature (road-1)'
    """
    terrain = [label for one in overrides if one.terrain for label in one.hexes]
    levels = [label for one in overrides if one.level is not None for label in one.hexes]
    sides = [side for one in overrides for side in one.sides]
    features = [one.feature.id if one.feature is not None else one.delete for one in overrides]
    features = [name for name in features if name]
    markers = [label for one in overrides if one.no_marker for label in one.hexes]
    told = []
    for what, single, several, names in (
        ("terrain of ", "hex", "hexes", terrain),
        ("level of ", "hex", "hexes", levels),
        ("", "hexside", "hexsides", sides),
        ("markers of ", "hex", "hexes", markers),
        ("", "feature", "features", features),
    ):
        if names:
            told.append(f"{what}{len(names)} {single if len(names) == 1 else several} ({listed(names, 5)})")
    return ", ".join(told)


# -- old and new -------------------------------------------------------------------------------------------------------


def merged(old: Sequence[Override], new: Sequence[Override]) -> list[Override]:
    """Add overrides to those of a file; what they say otherwise is taken out of the old ones.

    Parameters
    ----------
    old : sequence of Override
    new : sequence of Override
        As :func:`overrides_between` returns them.

    Returns
    -------
    list of Override
        The old ones first, with what designers wrote of them.
    """
    terrain = {label for one in new if one.terrain for label in one.hexes}
    levels = {label for one in new if one.level is not None for label in one.hexes}
    sides: dict[tuple[str, str], bool] = {}
    for one in new:
        sides |= {(side, kind): True for side in one.sides for kind in one.add}
        sides |= {(side, kind): False for side in one.sides for kind in one.remove}
    ids = {name for one in new if (name := _id(one))}
    new = _with_first(old, new)
    kept: list[Override] = []
    for one in old:
        bare = {label for other in new if other.no_marker == one.marker for label in other.hexes}
        for part in _without_hexes(one, {"terrain": terrain, "level": levels, "marker": bare}):
            for piece in _without_sides(part, sides):
                kept += _without_features(piece, ids)
    return _joined(kept, new)


def _id(one: Override) -> str:
    """Return the id of the feature that an override is about."""
    return one.delete if one.feature is None else one.feature.id


def _with_first(old: Sequence[Override], new: Sequence[Override]) -> list[Override]:
    """Let overrides of features say what the data had before the old ones; none deletes what no data have."""
    first = {name: one.was for one in reversed(old) if (name := _id(one))}
    found = [msgspec.structs.replace(one, was=first[_id(one)]) if _id(one) in first else one for one in new]
    return [one for one in found if not (one.delete and one.was == NEW)]


def _says_something(one: Override) -> bool:
    return one != Override(hexes=one.hexes, sides=one.sides, was=one.was, note=one.note)


def _without_hexes(one: Override, taken: Mapping[str, set[str]]) -> list[Override]:
    """Take what is said otherwise of some hexes out of an override; what else it says of them stays."""
    rest, apart = one, []
    for field, labels in taken.items():
        value = getattr(one, field)
        if value in ("", None) or not labels.intersection(one.hexes):
            continue
        rest = msgspec.structs.replace(rest, **{field: None if field == "level" else ""})
        left = tuple(label for label in one.hexes if label not in labels)
        if left:
            only: dict[str, Any] = {field: value}
            apart.append(Override(hexes=left, note=one.note, **only))
    return [part for part in (rest, *apart) if _says_something(part)] if rest is not one else [one]


def _without_sides(one: Override, said: Mapping[tuple[str, str], bool]) -> list[Override]:
    """Take what is said otherwise of some hexsides out of an override, side by side."""
    against = {
        side
        for side in one.sides
        if any(said.get((side, kind)) is False for kind in one.add)
        or any(said.get((side, kind)) is True for kind in one.remove)
    }
    if not against:
        return [one]
    left = tuple(side for side in one.sides if side not in against)
    rest = msgspec.structs.replace(one, sides=left)
    if not left:
        rest = msgspec.structs.replace(rest, add=(), remove=())
    found = [rest] if _says_something(rest) else []
    for side in (side for side in one.sides if side in against):
        add = tuple(kind for kind in one.add if said.get((side, kind)) is not False)
        gone = tuple(kind for kind in one.remove if said.get((side, kind)) is not True)
        if add or gone:
            found.append(Override(sides=(side,), add=add, remove=gone, note=one.note))
    return found


def _without_features(one: Override, ids: set[str]) -> list[Override]:
    """Take out features that are put anew or deleted."""
    rest = one
    if one.feature is not None and one.feature.id in ids:
        rest = msgspec.structs.replace(rest, feature=None)
    if one.delete in ids:
        rest = msgspec.structs.replace(rest, delete="")
    if rest is not one and not _id(rest):
        rest = msgspec.structs.replace(rest, was="")
    return [rest] if rest is one or _says_something(rest) else []


def _joined(old: Iterable[Override], new: Iterable[Override]) -> list[Override]:
    """Add new overrides: hexes and sides to an old one that says the same and nothing else, where there is one."""
    found = list(old)
    plain = {key: number for number, one in reversed(list(enumerate(found))) if (key := _key(one)) is not None}
    for one in new:
        number = plain.get(_key(one) or b"")
        if number is None:
            found.append(one)
            continue
        places = "hexes" if one.hexes else "sides"
        both = sorted({*getattr(found[number], places), *getattr(one, places)}, key=natural_key)
        found[number] = msgspec.structs.replace(found[number], **{places: tuple(both)})
    return found


def _key(one: Override) -> bytes | None:
    """Return what an override says of its hexes, or of its sides, where it says one thing only."""
    bare = msgspec.structs.replace(one, hexes=(), sides=())
    of_hexes = bool(one.terrain) + (one.level is not None)
    alone = of_hexes == 1 and not one.sides if one.hexes else bool(one.sides)
    rest = msgspec.structs.replace(bare, terrain="", level=None, add=(), remove=())
    return msgspec.json.encode(bare) if alone and rest == Override() else None

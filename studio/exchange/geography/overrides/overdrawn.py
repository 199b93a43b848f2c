"""What overrides change of what is drawn: areas, hexsides, markers, names and other features."""

from __future__ import annotations

import re

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import EditError, LabelError
from studio.exchange.geography.naming import free_id
from studio.exchange.geography.overrides.identity import NEW, described, is_still
from studio.exchange.geography.overrides.overriding import Applying, Entry
from studio.exchange.geography.places.areas import outlines_of
from studio.grid import HexGrid
from studio.model import Area, Contour, Feature, Marker, Name
from studio.model.featurecheck import check_fit
from studio.model.topology.rings import place_in_area

__all__ = ["lay_drawn"]

_BELOW = 0.3125
"""How far below the middle of a hex a new name stands, in hex heights, as those of towns do."""
_UNFIT = re.compile(r"[^A-Za-z0-9_.:-]+")
"""What labels may hold and ids may not."""


def lay_drawn(run: Applying, entry: Entry) -> None:
    """Change areas, hexsides, markers, names and other features."""
    one = entry.said
    for place, name, inside in (("out_of", one.out_of, False), ("within", one.within, True)):
        if name:
            _lay_area(run, entry, place, name, inside)
    _lay_sides(run, entry)
    for place, name, there in (("no_marker", one.no_marker, False), ("marker", one.marker, True)):
        if name and run.known(entry, place, "marker", name, run.rules.marker_types):
            for label, cell in entry.hexes:
                run.say(entry, ("marker", name, cell), there, label, f"the marker {name}")
                (_put_marker if there else _take_markers)(run, entry, name, label)
    if one.name and entry.hexes:
        _write_name(run, entry, *entry.hexes[0])
    if one.delete:
        _delete(run, entry, one.delete)
    if one.feature is not None:
        _put(run, entry, one.feature)


def _lay_area(run: Applying, entry: Entry, place: str, name: str, inside: bool) -> None:
    areas = {one.id: one for one in run.model.features_of(Area)}
    if not run.known(entry, place, "area", name, areas):
        return
    first, grid = areas[name], run.model.grid
    parts = [first, *(one for one in areas.values() if _is_part(one, first))]
    before = {cell for one in parts for cell in _cells_in(grid, one).tolist()}
    cells = set(before)
    for label, cell in entry.hexes:
        run.say(entry, ("area", name, cell), inside, label, f"the area {name}")
        if (cell in cells) == inside:
            entry.same += 1
        else:
            (cells.add if inside else cells.remove)(cell)
            entry.change(f"{'into' if inside else 'out of'} the area {name}", label)
    if cells == before:
        return
    drawn = {(one.outline, one.holes) for one in parts}
    if drawn != {(one.outline, one.holes) for one in outlines_of(grid, before)}:
        text = f"the area {name} did not run along hexsides; {entry.name} has it drawn anew, round its hexes"
        run.work.report.add("overrides", "finding", text)
    for one in parts:
        del run.model.features[one.id]
    for rings in outlines_of(grid, cells):
        new = free_id(run.model.features, name)
        area = msgspec.structs.replace(first, id=new, outline=rings.outline, holes=rings.holes)
        if area.dot is not None and place_in_area(area.dot, area) <= 0:
            area = msgspec.structs.replace(area, dot=None)
        run.model.features[new] = area


def _lay_sides(run: Applying, entry: Entry) -> None:
    one, sides = entry.said, run.model.sides
    kinds = [("remove", kind, False) for kind in one.remove] + [("add", kind, True) for kind in one.add]
    known = [part for part in kinds if run.known(entry, part[0], "kind of hexside", part[1], run.rules.side_kinds)]
    for number, text in enumerate(one.sides):
        key = _side(run, entry, number, text)
        if key is None:
            continue
        label = run.work.side_label(key)
        for _, kind, there in known:
            run.say(entry, ("side", kind, key), there, label, f"the hexside kind {kind}")
            held = sides.get(key, ())
            if (kind in held) == there:
                entry.same += 1
                continue
            entry.change(f"{kind} {'added' if there else 'removed'}", label)
            left = {*held, kind} if there else {*held} - {kind}
            sides[key] = tuple(sorted(left))
            if not left:
                del sides[key]


def _side(run: Applying, entry: Entry, number: int, text: str) -> tuple[int, int] | None:
    """Return a hexside by its text; the bar may be a mark of the labels as well."""
    place, labels, grid = f"{entry.path}.sides[{number}]", run.model.labels, run.model.grid
    pairs = [(text[: at.start()], text[at.end() :]) for at in re.finditer(r"\|", text)]
    for a, b in pairs:
        one, other = labels.find(a), labels.find(b)
        if one is None or other is None:
            continue
        if grid.direction(one, other) is None:
            message = f"{a} and {b} are not adjacent (distance {grid.distance(one, other)})"
            run.faults.add(place, message, "name two hexes that share a side", text[:40])
            return None
        return min(one, other), max(one, other)
    example = run.work.side_label((0, next(iter(grid.neighbours(0)), 0)))
    for label in pairs[0] if len(pairs) == 1 else ():
        try:
            labels.cell(label)
        except LabelError as error:
            run.faults.add(place, str(error), f"write two hexes that share a side, such as {example}", text[:40])
    if len(pairs) != 1:
        message = f"got {text[:40]!r}, which is no hexside"
        run.faults.add(place, message, f"write two labels with a bar between them, such as {example}")
    return None


# -- features ------------------------------------------------------------------------------------------------


def _markers(run: Applying, kind: str, label: str) -> list[Marker]:
    """Return the markers of a kind that lie on a hex."""
    markers = (one for one in run.model.features.values() if isinstance(one, Marker) and one.type == kind)
    return [one for one in markers if label in (one.at, *one.also)]


def _put_marker(run: Applying, entry: Entry, kind: str, label: str) -> None:
    if _markers(run, kind, label):
        entry.same += 1
        return
    name = _UNFIT.sub("-", f"{kind}-{label}")
    new = free_id(run.model.features, name)
    run.model.features[new] = Marker(id=new, type=kind, at=label)
    entry.change(f"marker {kind}", label)


def _take_markers(run: Applying, entry: Entry, kind: str, label: str) -> None:
    found = _markers(run, kind, label)
    entry.same += not found
    for one in found:
        if one.at == label:
            del run.model.features[one.id]
        else:
            also = tuple(other for other in one.also if other != label)
            run.model.features[one.id] = msgspec.structs.replace(one, also=also)
        entry.change(f"no marker {kind}", label)


def _write_name(run: Applying, entry: Entry, label: str, cell: int) -> None:
    text, grid = entry.said.name, run.model.grid
    run.say(entry, ("name", cell), text, label, "the name")
    names = [one for one in run.model.features_of(Name) if grid.cells_at(np.array([one.at]))[0] == cell]
    if any(one.text == text for one in names):
        entry.same += 1
        return
    x, y = grid.centre(cell)
    if names:
        named = min(names, key=lambda one: ((one.at[0] - x) ** 2 + (one.at[1] - y) ** 2, one.id))
        run.model.features[named.id] = msgspec.structs.replace(named, text=text)
        entry.change(f"name {named.text} to {text}", label)
        return
    new = free_id(run.model.features, _UNFIT.sub("-", f"name-{label}"))
    below = round(_BELOW * grid.hex_height / grid.scale[1])
    run.model.features[new] = Name(id=new, text=text, at=(x, y + below))
    entry.change(f"name {text}", label)


def _delete(run: Applying, entry: Entry, name: str) -> None:
    run.say(entry, ("feature", name), None, name, "the feature")
    old = run.model.features.get(name)
    if old is None:
        entry.same += 1
        entry.hint = f"; there is no feature {name[:80]!r}"
    elif _is_meant(run, entry, old, "deletes"):
        del run.model.features[name]
        entry.change(f"{name} deleted")


def _put(run: Applying, entry: Entry, feature: Feature) -> None:
    run.say(entry, ("feature", feature.id), feature, feature.id, "the feature")
    inside = getattr(feature, "within", "")
    if inside in run.renamed:
        feature = msgspec.structs.replace(feature, within=run.renamed[inside])
    if not _fits(run, entry, feature):
        return
    old, add = run.model.features.get(feature.id), run.work.report.add
    if old is None and entry.said.was not in ("", NEW):
        text = f"{entry.name} changes {feature.id}, which is gone ({entry.said.was}); it is drawn as it was edited"
        add("overrides", "finding", text)
    elif old is not None and old != feature and entry.said.was == NEW:
        new = run.renamed[feature.id] = free_id(run.model.features, feature.id)
        text = f"{entry.name} draws {feature.id}, but the data have {described(run.model, old)} of that id; now {new}"
        add("overrides", "finding", text)
        feature, old = msgspec.structs.replace(feature, id=new), None
    elif old is not None and old != feature and not _is_meant(run, entry, old, "changes"):
        return
    run.model.features[feature.id] = feature
    if old == feature:
        entry.same += 1
    else:
        entry.change(f"{feature.id} {'drawn' if old is None else 'changed'}")


def _is_meant(run: Applying, entry: Entry, old: Feature, does: str) -> bool:
    """Tell whether a feature is the one that an override means; write a finding where the id is another one's now."""
    if is_still(run.model, old, entry.said.was):
        return True
    entry.left = True
    text = f"{entry.name} {does} {old.id}, which was {entry.said.was} and is now {described(run.model, old)}"
    run.work.report.add("overrides", "finding", f"{text}; it is left alone: look where the other one is")
    return False


def _fits(run: Applying, entry: Entry, feature: Feature) -> bool:
    """Tell whether a feature can be on this map of this game, and note a fault where it cannot."""
    kind, place = str(type(feature).__struct_config__.tag), "feature"
    if not run.known(entry, f"{place}.kind", "kind of feature", kind, run.rules.feature_kinds):
        return False
    type_ = getattr(feature, "type", None)
    if type_ is not None and not run.known(entry, f"{place}.type", kind, type_, run.rules.drawn_types(kind)):
        return False
    if isinstance(feature, Contour) and not run.level_fits(entry, f"{place}.level", feature.level):
        return False
    try:
        check_fit(run.model, feature)
    except EditError as error:
        # A marker may lie on a place that somebody renamed since: maps may say so, and `studio check` tells it.
        drawn = run.rules.drawn_types("place") or run.rules.drawn_types("area")
        if isinstance(feature, Marker) and drawn:
            return True
        run.faults.add(f"{entry.path}.{place}", str(error), "mend the feature", feature.id)
        return False
    return True


def _is_part(one: Area, first: Area) -> bool:
    """Tell whether an area is another part of the first one: of a country that lies in several parts, say."""
    alike = one.type == first.type and one.name == first.name
    return alike and re.fullmatch(re.escape(first.id) + r"-[0-9]+", one.id) is not None


def _cells_in(grid: HexGrid, area: Area) -> NDArray[np.int64]:
    """Return the hexes whose middles lie in an area."""
    import shapely

    polygon = shapely.Polygon(area.outline, area.holes)
    inside = np.asarray(shapely.contains_xy(polygon, grid.centres[:, 0], grid.centres[:, 1]))
    return np.flatnonzero(inside & grid.present.ravel())

"""Random districts of Phantom Fury: blocks of one to three zones in cordons of street sections."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import Area, Feature, Link, MapModel, Marker, Place, Wall
from studio.rules import get_ruleset
from studio.survey import Border, find_borders

UNIT = 240  # lattice units of one square of the plan that a district is laid out on

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in squares of the plan."""

BOXES = (
    ("OG", "open_ground"),
    ("C", "courtyard"),
    ("1", "first_story"),
    ("1'", "first_story"),
    ('1"', "first_story"),
    ("2", "second_story"),
    ("2'", "second_story"),
    ("R", "rooftop"),
)


TAGS = (("no_control",), ("fortified",), ("out_of_play",))


def empty(columns: int, rows: int) -> MapModel:
    """Return a map on which nothing is drawn."""
    rules = get_ruleset("phantom_fury")
    grid = HexGrid(columns=columns, rows=rows)
    return MapModel("phantom_fury", grid, LabelScheme.ccrr(pad=3), rules.terrain_characters)


def put(model: MapModel, *features: Feature) -> MapModel:
    """Draw features on a map."""
    for feature in features:
        assert feature.id not in model.features
        model.features[feature.id] = feature
    return model


def zone(name: str, box: Box, *tags: str, unit: int = UNIT) -> Area:
    """Return a rectangular zone."""
    return Area(id=f"zone-{name}", type="zone", name=name, outline=corners(box, unit), tags=tags)


def street(name: str, box: Box, *, unit: int = UNIT) -> Area:
    """Return a rectangular street section."""
    return Area(id=f"street-{name}", type="street", name=name, outline=corners(box, unit))


def corners(box: Box, unit: int = UNIT) -> tuple[tuple[int, int], ...]:
    """Return the corners of a rectangle on the lattice."""
    left, top, right, bottom = (unit * side for side in box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def box(zone_name: str, what: str, at: tuple[int, int] = (10, 10), *tags: str) -> Place:
    """Return a box of a zone, such as ``26 C``."""
    label = f"{zone_name} {what}"
    kind = dict(BOXES)[what]
    name = label.replace(" ", "-").replace("'", "p").replace('"', "pp")
    return Place(id=f"box-{name}", type=kind, name=label, at=at, within=f"zone-{zone_name}", tags=tags)


def target(a: str, b: str, order: int = 0) -> Link:
    """Return one number below the target symbol of a zone or street section."""
    return Link(id=f"fire-{a}-{b}", type="line_of_fire", a=a, b=b, order=order)


def make(rng: np.random.Generator, columns: int, rows: int, *, boxes: bool = True) -> MapModel:
    """Return a random district that fills a map of so many hexes.

    Zones are cut at random, some meet at corners only; borders may be closed, and the whole may be drawn aslant.
    """
    model = empty(columns, rows)
    width, height = max(4, columns * 720 // UNIT), max(4, rows * 480 // UNIT)
    zones, streets = [], []
    for kind, found in _plan(rng, width, height):
        (zones if kind == "zone" else streets).append(found)
    lean = max(1, 2400 // max(width, height))
    slant = rng.integers(-lean, lean + 1, size=2).tolist() if rng.random() < 0.5 else (0, 0)
    for number, found in enumerate(zones, 1):
        tags = TAGS[int(rng.integers(len(TAGS)))] if rng.random() < 0.25 else ()
        outline = _drawn(rng, found, slant)
        put(model, Area(id=f"zone-{number}", type="zone", name=str(number), outline=outline, tags=tags))
    for number, found in enumerate(streets, 1):
        outline = _drawn(rng, found, slant)
        put(model, Area(id=f"street-{number}", type="street", name=f"S{number}", outline=outline))
    borders = find_borders(model.features_of(Area))
    for number, border in enumerate(borders):
        if rng.random() < 0.08:
            put(model, _wall(rng, number, border))
    _symbols(rng, model, len(zones), len(streets))
    if boxes:
        _boxes(rng, model, len(zones), borders)
        for name, kind in (
            ("Company reinforcements", "reinforcements"),
            ("Hornet 0", "mission_space"),
            ("EXIT", "exit"),
        ):
            put(model, Place(id=kind, type=kind, name=name, at=(0, 0)))
    return model


def _plan(rng: np.random.Generator, width: int, height: int) -> Iterator[tuple[str, Box]]:
    """Yield zones and street sections: rows of blocks, with a street above each and below the last."""
    top = 0
    while top < height - 1:
        road = int(rng.integers(1, 3))
        yield from _street_row(rng, width, top, min(height, top + road))
        top += road
        bottom = min(height, top + int(rng.integers(4, 8)))
        if bottom - top < 3:
            break
        yield from _block_row(rng, width, top, bottom)
        top = bottom


def _street_row(rng: np.random.Generator, width: int, top: int, bottom: int) -> Iterator[tuple[str, Box]]:
    left = 0
    while left < width:
        right = min(width, left + int(rng.integers(2, 7)))
        yield "street", (left, top, right, bottom)
        left = right


def _block_row(rng: np.random.Generator, width: int, top: int, bottom: int) -> Iterator[tuple[str, Box]]:
    left = 0
    while left < width:
        right = min(width, left + int(rng.integers(3, 9)))
        yield from (
            _block(rng, (left, top, right, bottom)) if right - left > 1 else [("street", (left, top, right, bottom))]
        )
        left = right + int(rng.integers(1, 3))
        if left < width:
            yield "street", (right, top, left, bottom)
        elif right < width:
            yield "street", (right, top, width, bottom)


def _block(rng: np.random.Generator, whole: Box) -> Iterator[tuple[str, Box]]:
    kind = rng.integers(5)
    if kind == 4:
        # Two zones that meet at a corner only, and two street sections that do.
        first, second = _cut(rng, whole, across=True)
        for half, kinds in ((first, ("zone", "street")), (second, ("street", "zone"))):
            middle = (whole[0] + whole[2]) // 2
            yield kinds[0], (half[0], half[1], middle, half[3])
            yield kinds[1], (middle, half[1], half[2], half[3])
        return
    parts = [whole]
    for _ in range(min(2, int(kind))):
        at = int(rng.integers(len(parts)))
        across = bool(rng.random() < 0.5)
        size = parts[at][3] - parts[at][1] if across else parts[at][2] - parts[at][0]
        if size > 1:
            parts[at : at + 1] = _cut(rng, parts[at], across=across)
    yield from (("zone", part) for part in parts)


def _cut(rng: np.random.Generator, part: Box, *, across: bool) -> tuple[Box, Box]:
    left, top, right, bottom = part
    if across:
        at = int(rng.integers(top + 1, bottom))
        return (left, top, right, at), (left, at, right, bottom)
    at = int(rng.integers(left + 1, right))
    return (left, top, at, bottom), (at, top, right, bottom)


def _drawn(rng: np.random.Generator, part: Box, slant: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return a rectangle as drawn: aslant, and with corners more than it needs."""
    ring = list(corners(part, 1))
    if rng.random() < 0.3 and part[2] - part[0] > 1:
        ring.insert(1, (part[0] + 1, part[1]))
    if rng.random() < 0.5:
        ring.reverse()
    return tuple((UNIT * x + slant[0] * y, UNIT * y + slant[1] * x) for x, y in ring)


def _wall(rng: np.random.Generator, number: int, border: Border) -> Wall:
    """Return a continuous line along a border, all of it or a part."""
    (x0, y0), (x1, y1) = border.segments[0]
    if rng.random() < 0.3:
        x1, y1 = x0 + (x1 - x0) // UNIT * (UNIT // 2), y0 + (y1 - y0) // UNIT * (UNIT // 2)
    return Wall(id=f"wall-{number}", type="solid", line=((x0, y0), (x1, y1)))


def _symbols(rng: np.random.Generator, model: MapModel, zones: int, streets: int) -> None:
    if zones < 2:
        return
    for number in range(int(rng.integers(0, 1 + zones))):
        b = int(rng.integers(1, zones + 1))
        from_street = bool(streets and rng.random() < 0.3)
        a = f"S{rng.integers(1, streets + 1)}" if from_street else str(rng.integers(1, zones + 1))
        order = int(rng.integers(0, 4))
        put(model, Link(id=f"fire-{number}", type="line_of_fire", a=a, b=str(b), order=order))


def _boxes(rng: np.random.Generator, model: MapModel, zones: int, borders: tuple[Border, ...]) -> None:
    held: dict[str, list[str]] = {}
    for number in range(1, zones + 1):
        name = str(number)
        area = model.features[f"zone-{name}"]
        assert isinstance(area, Area)
        at = area.outline[0]
        kept = [what for what, _ in BOXES if rng.random() < 0.5]
        held[area.id] = [f"{name} {what}" for what in kept]
        put(model, *(box(name, what, at, *(("door",) if rng.random() < 0.2 else ())) for what in kept))
        for first, second in pairwise(kept):
            link = Link(id=f"arrow-{len(model.features)}", type="arrow", a=f"{name} {first}", b=f"{name} {second}")
            put(model, link)
        for what in kept:
            if what[0] in "2R" and rng.random() < 0.1:
                put(model, Marker(id=f"rubble-{len(model.features)}", type="rubble", at=f"{name} {what}"))
        if rng.random() < 0.05:
            put(model, Marker(id=f"rubble-{len(model.features)}", type="rubble", at=name))
    for border in borders:
        if held.get(border.a) and held.get(border.b) and rng.random() < 0.7:
            kind = "door" if rng.random() < 0.5 else "roof"
            a, b = (str(rng.choice(held[area_id])) for area_id in (border.a, border.b))
            put(model, Link(id=f"entry-{len(model.features)}", type=kind, a=a, b=b))

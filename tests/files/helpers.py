"""A small ruleset of its own, and random maps of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import Axis, HexGrid, LabelScheme
from studio.model import (
    Contour,
    Crest,
    MapModel,
    Marker,
    Name,
    Paint,
    Put,
    Road,
    SetField,
    SetSide,
    Source,
)


@dataclass(frozen=True)
class Stub:
    """What the files need of a ruleset."""

    terrain_characters: dict[str, str] = field(
        default_factory=lambda: {"clear": ".", "light_woods": "l", "dense_woods": "w", "marsh": "m", "town": "T"}
    )
    levels: tuple[int, int] = (-2, 12)
    side_kinds: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(("fence", "river", "wall")))
    marker_types: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(("smoke", "wreck")))

    def drawn_types(self, kind: str) -> dict[str, Any]:
        """Return the types that features of one kind can have."""
        return {"marker": self.marker_types, "area": {"house": None}, "place": {"roof": None}}.get(kind, {})


STUB = Stub()


def new_map(grid: HexGrid | None = None, scheme: LabelScheme | None = None) -> MapModel:
    """Return an empty map of the stub's game."""
    return MapModel("stub", grid or HexGrid(columns=5, rows=4), scheme or LabelScheme(), STUB.terrain_characters)


def sample_map() -> MapModel:
    """Return a small map with one of everything."""
    model = new_map()
    model.title = "Sample «map»"
    model.terrain[1, 2] = 1
    model.levels[0, 0], model.levels[3, 4] = -1, 11
    model.sides[0, 1] = ("fence",)
    for feature in (
        Road(id="road-1", path=("0101", "0201", "0301")),
        Crest(id="crest-1", path=("0102", "0202"), name="Hill"),
        Contour(id="contour-1", level=1, line=((0, 0), (480, 240), (720, 480))),
        Name(id="name-1", text='Al \'Amārah "x"', at=(480, 240), angle=30.0),
        Marker(id="marker-1", type="smoke", at="0303"),
    ):
        model.features[feature.id] = feature
    model.sources.append(Source(title="drawn for the tests", licence="CC0-1.0"))
    return model


# Text that a document can hold: everything but lone surrogates.
texts = st.text(st.characters(codec="utf-8"), max_size=20)
identifiers = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,8}", fullmatch=True)

schemes = st.sampled_from(
    [
        LabelScheme(),
        LabelScheme.lettered(),
        LabelScheme.lettered(staggered_start=0),
        LabelScheme(columns=Axis(pad=2, descending=True), rows=Axis(pad=2)),
        LabelScheme(columns=Axis(), rows=Axis(), separator="."),
        LabelScheme(columns=Axis(style="letters", skip=("I", "O")), rows=Axis(start=0)),
        LabelScheme(columns=Axis(pad=2), rows=Axis(pad=2), order="row_first"),
        LabelScheme(columns=Axis(pad=2), rows=Axis(), slant=1, separator="/"),
    ]
)


@st.composite
def grids(draw: st.DrawFn) -> HexGrid:
    """Any grid of a few hexes."""
    orientation = draw(st.sampled_from(("flat", "pointy")))
    columns, rows = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    short = draw(st.booleans()) and min(columns, rows) > 1
    return HexGrid(
        columns=columns,
        rows=rows,
        orientation=orientation,
        stagger=draw(st.sampled_from(("odd", "even"))),
        short=short,
        hex_width=draw(st.sampled_from((0.0, 1.5, 71.45))),
        hex_height=draw(st.sampled_from((1.0, 61.85, 3.0))),
        half=tuple(draw(st.lists(st.sampled_from(("top", "left", "right")), unique=True))),
    )


@st.composite
def edits(draw: st.DrawFn, model: MapModel) -> Any:
    """Any edit that a map takes."""
    present = np.flatnonzero(model.grid.present).tolist()
    cell = st.sampled_from(present)
    label = cell.map(model.labels.label)
    x0, y0, x1, y1 = model.grid.frame
    point = st.tuples(st.integers(x0, x1), st.integers(y0, y1))
    choice = draw(st.integers(0, 8))
    if choice <= 1:
        cells = draw(st.lists(cell, min_size=1, max_size=6, unique=True))
        if choice:
            return Paint(plane="levels", cells=cells, values=[draw(st.integers(*STUB.levels))])
        return Paint(plane="terrain", cells=cells, values=[draw(st.sampled_from(model.terrain_ids)) for _ in cells])
    if choice == 2:
        a = draw(cell)
        around = model.grid.neighbours(a)
        if around:
            kinds = tuple(sorted(draw(st.sets(st.sampled_from(list(STUB.side_kinds))))))
            return SetSide(a=a, b=draw(st.sampled_from(around)), kinds=kinds)
    if choice == 3:
        return SetField(field=draw(st.sampled_from(("title", "notes"))), value=draw(texts))
    if choice == 4:
        affine = tuple(draw(st.lists(st.floats(-1e6, 1e6), min_size=6, max_size=6)))
        return SetField(field="georeference", value={"crs": "EPSG:32637", "affine": affine})
    name = draw(identifiers)
    record: dict[str, Any]
    if choice == 5:
        path = [draw(cell)]
        for _ in range(draw(st.integers(0, 4))):
            path.append(draw(st.sampled_from(model.grid.neighbours(path[-1]) or path[-1:])))
            if path[-1] == path[-2]:
                path.pop()
        record = {"kind": "road", "path": tuple(map(model.labels.label, path)), "name": draw(texts)}
    elif choice == 6:
        level = draw(st.integers(*STUB.levels))
        record = {"kind": "contour", "level": level, "line": draw(st.lists(point, min_size=2, max_size=5))}
    elif choice == 7:
        record = {"kind": "marker", "type": "smoke", "at": draw(label)}
    else:
        angle = draw(st.floats(-360, 360) | st.integers(-360, 360))
        record = {"kind": "name", "text": draw(texts), "at": draw(point), "angle": angle}
    return Put(collection="features", record={"id": name, **record})


@st.composite
def maps(draw: st.DrawFn) -> MapModel:
    """Any small map."""
    try:
        model = new_map(draw(grids()), draw(schemes))
    except GridError:
        reject()  # not every scheme suits every grid
    for _ in range(draw(st.integers(0, 8))):
        model.perform(draw(edits(model)))
    model.sources = [Source(title=draw(texts), licence=draw(texts))] if draw(st.booleans()) else []
    return model


__all__ = ["STUB", "edits", "grids", "maps", "new_map", "sample_map", "schemes", "texts"]

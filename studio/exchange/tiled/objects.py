"""Objects of Tiled: features, hexsides, labels, units and areas as shapes and texts with properties."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from studio.exchange.common.drawn import KINDS, XY, Drawn, Plain, Shape, drawn_of, joined
from studio.exchange.common.forces import AreaRow, UnitRow, cells_polygons
from studio.exchange.content import Content
from studio.exchange.tiled.sizes import Sizes
from studio.exchange.tiled.tiles import prop
from studio.model import Area
from studio.survey import Survey

__all__ = ["LAYERS", "Objects"]

LAYERS = {
    "area": ("areas", "#b08a5a"),
    "contour": ("contours", "#9a6b3f"),
    "crest": ("crests", "#6e4a25"),
    "road": ("roads", "#8a4b3a"),
    "wall": ("walls", "#333333"),
    "link": ("links", "#2f6f8f"),
    "aperture": ("apertures", "#c26a1b"),
    "place": ("places", "#4a3f8f"),
    "marker": ("markers", "#777777"),
    "dot": ("dots", "#202020"),
    "name": ("names", "#202020"),
}
"""Layer and colour of each kind of feature, from the ground up."""
assert set(LAYERS) == set(KINDS)


class Objects:
    """Makes the objects of one map; each has a number of its own.

    Parameters
    ----------
    content : Content
    sizes : Sizes
    """

    def __init__(self, content: Content, sizes: Sizes) -> None:
        self.content, self.sizes = content, sizes
        self.next_id = 1
        self.next_layer = 1

    # -- pieces ------------------------------------------------------------------------------------------------------

    def layer(self, name: str, objects: list[dict[str, Any]], color: str = "", **more: Any) -> dict[str, Any]:
        """Return an object layer."""
        made = {
            "type": "objectgroup",
            "id": self.layer_id(),
            "name": name,
            "draworder": "index",
            "opacity": 1,
            "visible": True,
            "x": 0,
            "y": 0,
            "objects": objects,
        }
        return made | ({"color": color} if color else {}) | more

    def layer_id(self) -> int:
        """Return the next number of a layer."""
        self.next_layer += 1
        return self.next_layer - 1

    def thing(self, kind: str, name: str, at: tuple[float, float], fields: Mapping[str, Plain], **more: Any) -> Any:
        """Return an object at a point of the lattice."""
        x, y = self.sizes.pixel(*at)
        self.next_id += 1
        properties = sorted((prop(key, "" if value is None else value) for key, value in fields.items()), key=_name)
        made = {
            "id": self.next_id - 1,
            "name": name,
            "type": kind,
            "x": _number(x),
            "y": _number(y),
            "width": 0,
            "height": 0,
            "rotation": 0,
            "visible": True,
        }
        return made | more | ({"properties": properties} if properties else {})

    def shaped(self, kind: str, name: str, shape: Shape, fields: Mapping[str, Plain]) -> Any:
        """Return an object with a shape: a point, a polyline or a polygon."""
        points = shape.points
        if shape.kind == "point":
            return self.thing(kind, name, points[0], fields, point=True)
        x0, y0 = self.sizes.pixel(*points[0])
        path = []
        for point in points:
            x, y = self.sizes.pixel(*point)
            path.append({"x": _number(x - x0), "y": _number(y - y0)})
        return self.thing(kind, name, points[0], fields, **{"polyline" if shape.kind == "line" else "polygon": path})

    def text(self, kind: str, words: str, middle: tuple[float, float], size: float, **more: Any) -> Any:
        """Return a text around a point of the lattice, letters of a size in pixels."""
        fields, angle = more.pop("fields", {}), float(more.pop("angle", 0.0))
        wide, high = max(2.0, len(words) * 0.66 + 1) * size, 1.5 * size
        made = self.thing(kind, words, middle, fields)
        turn = np.deg2rad(-angle)  # Tiled turns clockwise, about the corner at the top left
        left = made["x"] - (wide * np.cos(turn) - high * np.sin(turn)) / 2
        top = made["y"] - (wide * np.sin(turn) + high * np.cos(turn)) / 2
        text = {"text": words, "pixelsize": max(1, round(size)), "wrap": False, "halign": "center", "valign": "center"}
        return made | {
            "x": _number(float(left)),
            "y": _number(float(top)),
            "width": _number(wide),
            "height": _number(high),
            "rotation": _number(-angle),
            "text": text | more,
        }

    # -- layers ------------------------------------------------------------------------------------------------------

    def features(self) -> Iterator[dict[str, Any]]:
        """Yield a layer a kind of feature that the map has."""
        survey = self.content.survey
        for kind, (name, color) in LAYERS.items():
            objects = [self._feature(drawn_of(survey, one), one) for one in survey.model.features_of(KINDS[kind])]
            if objects:
                yield self.layer(name, objects, color)

    def _feature(self, row: Drawn, feature: Any) -> Any:
        fields: dict[str, Plain] = {"id": row.id, **row.fields}
        if isinstance(feature, Area) and feature.holes:
            fields["holes"] = joined(feature.holes)
        if row.kind == "name":
            size = feature.size * self.sizes.high
            shape: Any = row.shape
            return self.text("name", feature.text, shape.points[0], size, fields=fields, angle=feature.angle)
        name = str(fields.get("name") or fields.get("type") or row.id)
        shape = row.shape or Shape("point", (((0.0, 0.0),),))
        return self.shaped(row.kind, name, shape, fields)

    def sides(self) -> dict[str, Any]:
        """Return the layer of hexsides: a line each from corner to corner, with the labels of the two hexes."""
        model, grid = self.content.model, self.content.model.grid
        objects = []
        for (a, b), kinds in sorted(model.sides.items()):
            fields: dict[str, Plain] = {
                "a": model.labels.label(a),
                "b": model.labels.label(b),
                "kinds": joined(kinds),
            }
            ends: tuple[XY, ...] = tuple((float(x), float(y)) for x, y in grid.side_ends(a, b))
            shape = Shape("line", (ends,))
            objects.append(self.shaped("side", ", ".join(kinds), shape, fields))
        return self.layer("sides", objects, "#1f5f9f")

    def labels(self) -> dict[str, Any]:
        """Return the layer of labels: a text near the top of each hex, with what the hex is as properties."""
        survey = self.content.survey
        grid, model = survey.grid, survey.model
        size = min(self.sizes.wide, self.sizes.high) * 0.14
        objects = []
        for cell in np.flatnonzero(grid.present).tolist():
            x, y = grid.centre(cell)
            q, r = grid.axial(cell)
            row, column = divmod(cell, grid.columns)
            fields: dict[str, Plain] = {
                "label": model.labels.label(cell),
                "column": column,
                "row": row,
                "q": q,
                "r": r,
                "half": grid.is_half(cell),
                "playable": survey.directory.exists(cell),
            }
            top = (x, y - grid.reach[1] * (0.74 if grid.flat else 0.62))
            objects.append(self.text("hex", str(fields["label"]), top, size, fields=fields, color="#5c5140"))
        return self.layer("labels", objects, "#5c5140")

    def frame(self) -> dict[str, Any]:
        """Return the layer with the edge of the playing area; half hexes reach beyond it."""
        x0, y0, x1, y1 = self.content.model.grid.frame
        wide, high = self.sizes.pixel(x1 - x0, y1 - y0)
        thing = self.thing("frame", "playing area", (x0, y0), {}, width=_number(wide), height=_number(high))
        return self.layer("frame", [thing], "#000000", visible=False)

    def areas(self, rows: Iterable[AreaRow], survey: Survey) -> dict[str, Any]:
        """Return the layer of set-up areas: a polygon each, several where an area is in pieces."""
        import shapely

        objects = []
        for row in rows:
            union = cells_polygons(survey, row.cells, row.areas)
            fields: dict[str, Plain] = {"id": row.id, "side": row.side, **row.fields}
            pieces = [] if union is None else shapely.get_parts(union).tolist()
            for piece in pieces:
                if piece.geom_type == "Polygon":
                    ring = tuple((x, y) for x, y in list(piece.exterior.coords)[:-1])
                    objects.append(self.shaped("setup_area", row.id, Shape("area", (ring,)), fields))
        return self.layer("setup areas", objects, "#2a8f4f", opacity=0.5)

    def units(self, rows: Iterable[UnitRow], gids: Mapping[str, int], px: int) -> Iterator[dict[str, Any]]:
        """Yield a layer of counters a side; those that the player places lie in rows below the map."""
        grid = self.content.model.grid
        step = px * 1.15
        bottom = self.sizes.pixel(0, grid.frame[3])[1] + self.sizes.high
        spots: dict[str, int] = {}
        below = itertools.count()
        reserves: dict[str, tuple[int, Iterator[int]]] = {}
        for side, group in itertools.groupby(rows, key=lambda row: row.side):
            objects = []
            for row in group:
                if row.point is None:
                    line, places = reserves.setdefault(row.formation, (next(below), itertools.count()))
                    x, y = step * (next(places) + 0.5), bottom + step * line
                else:
                    stack = spots.get(row.at, 0)
                    spots[row.at] = stack + 1
                    x, y = self.sizes.pixel(*row.point)
                    x, y = x + stack * px * 0.12, y - stack * px * 0.12
                fields: dict[str, Plain] = {"id": row.id, "at": row.at, "own": row.own, **row.fields}
                thing = self.thing("unit", str(row.fields.get("name", row.id)), (0, 0), fields)
                thing |= {"x": _number(x), "y": _number(y), "width": px, "height": px, "gid": gids[row.id]}
                objects.append(thing)
            yield self.layer(f"units {side}", objects)


def _name(one: dict[str, Any]) -> str:
    return str(one["name"])


def _number(value: float) -> int | float:
    """Return a number without digits that only rounding made."""
    rounded = round(float(value), 6)
    return int(rounded) if rounded.is_integer() else rounded

"""Where a sighting lies on the map: its ends, the way between them, and a point for each of its places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from studio.draw.sites import Sites, along
from studio.draw.subject import Floats

__all__ = ["Trail", "key_of"]

_NEAR = 1.6  # hex heights: a place nearer to the line than that has its number at the line


def key_of(place: Any) -> Any:
    """Return a place of a sighting as a key: a label, or the labels of a pair."""
    return place if isinstance(place, str) else tuple(place)


class Trail:
    """A sighting laid on the map, in map units.

    In a game of zones no line is drawn by the rules: there the trail runs from zone to zone through the border or the
    street section that connects them.

    Parameters
    ----------
    sites : Sites
    data : mapping
        The sighting as plain data.

    Attributes
    ----------
    points : array of shape (n, 2)
        The way from the start to the end.
    zonal : bool
    stop : float or None
        Where a blocked line stops, from 0 to 1.
    """

    def __init__(self, sites: Sites, data: Mapping[str, Any]) -> None:
        self.sites, self.grid, self.data = sites, sites.grid, data
        self.a, self.b = sites.dot(data["from"]), sites.dot(data["to"])
        self.zonal = self._is_zonal()
        self.areas = self._end_areas() if self.zonal else []
        self.points = np.asarray(self._way())
        self.spans: dict[Any, tuple[float, float]] = {}
        for contact in data["contacts"]:
            self.spans.setdefault(key_of(contact["at"]), (float(contact["enter"]), float(contact["leave"])))
        self.stop = self._stop() if data["status"] == "blocked" else None

    # -- the way ---------------------------------------------------------------------------------------------------

    def _is_zonal(self) -> bool:
        return not self.data["contacts"] and not self.sites.plain and not self.sites.directory.playable.any()

    def _end_areas(self) -> list[str]:
        """Return the ids of the areas that the two ends are or lie in."""
        directory = self.sites.directory
        found = []
        for label in (self.data["from"], self.data["to"]):
            place = directory.location(directory.number(label))
            name = place.feature if place.kind == "area" else place.within
            found += [name] if name in self.sites.subject.features else []
        return found

    def _way(self) -> list[Floats]:
        if not self.zonal or len(self.areas) < 2 or self.data["status"] == "blocked":
            return [self.a, self.b]
        first, last = self.areas
        beside = self._borders()
        if last in beside.get(first, {}):
            return [self.a, beside[first][last], self.b]
        common = sorted(beside.get(first, {}).keys() & beside.get(last, {}).keys())
        features = self.sites.subject.features
        # A street section connects two zones; a third zone does not.
        streets = [name for name in common if features[name].type not in (features[first].type, features[last].type)]
        if not streets or self._named_by_symbol():
            return [self.a, self.b]

        def detour(name: str) -> float:
            return float(sum(np.hypot(*(beside[one][name] - end)) for one, end in ((first, self.a), (last, self.b))))

        street = min(streets, key=detour)
        middle = np.asarray(self.grid.to_map(*self.sites.area_dot(features[street])))
        return [self.a, beside[first][street], middle, beside[last][street], self.b]

    def _borders(self) -> dict[str, dict[str, Floats]]:
        """Return the middle of the longest common border of every two areas that share one, by their ids."""
        known: dict[str, dict[str, Floats]] | None = self.sites.kept.get("borders")
        if known is not None:
            return known
        found: dict[str, dict[str, Floats]] = {}
        for border in self.sites.survey.borders:
            pieces = [np.asarray(piece, dtype=float) * np.asarray(self.grid.scale) for piece in border.segments]
            longest = max(pieces, key=lambda piece: float(np.hypot(*(piece[1] - piece[0]))))
            for here, there in ((border.a, border.b), (border.b, border.a)):
                found.setdefault(here, {})[there] = longest.mean(axis=0)
        self.sites.kept["borders"] = found
        return found

    def _named_by_symbol(self) -> bool:
        """Tell whether every reason stands at one location alone: then no common border gives the line."""
        return bool(self.data["reasons"]) and all(isinstance(reason["at"], str) for reason in self.data["reasons"])

    # -- points ----------------------------------------------------------------------------------------------------

    def at(self, t: float) -> Floats:
        """Return the point at a share of the way."""
        if len(self.points) == 2:
            return np.asarray(self.a + (self.b - self.a) * t)
        return along(self.points, t)

    def part(self, start: float, end: float) -> Floats:
        """Return the piece of the way between two shares of it."""
        steps = np.hypot(*np.diff(self.points, axis=0).T)
        ends = np.concatenate(([0.0], np.cumsum(steps))) / (float(steps.sum()) or 1.0)
        inner = [self.points[i] for i in range(len(self.points)) if start < ends[i] < end]
        return np.asarray([self.at(start), *inner, self.at(end)])

    def share(self, place: Any) -> float | None:
        """Return where on the way a place lies, from 0 to 1; None for one beside it and for the whole line."""
        key = key_of(place)
        if key in self.spans:
            return sum(self.spans[key]) / 2
        if key in ("", ()):
            return None
        ends = {self.data["from"]: 0.0, self.data["to"]: 1.0}
        if key in ends:
            return ends[key]
        if isinstance(key, tuple) and set(key) <= set(ends):
            return 0.5
        point = self._found(key)
        if point is None or self.zonal:
            return None
        way = self.b - self.a
        length = float(way @ way)
        t = float((point - self.a) @ way) / length if length else 0.0
        off = float(np.hypot(*(point - self.at(min(max(t, 0.0), 1.0)))))
        return min(max(t, 0.0), 1.0) if off <= _NEAR * self.grid.hex_height else None

    def spot(self, place: Any) -> Floats | None:
        """Return a point on the map for a place: on the way where it lies there, else where it is; None for neither."""
        t = self.share(place)
        if t is not None:
            return self.at(t)
        return self._found(key_of(place)) if key_of(place) else None

    def _found(self, key: Any) -> Floats | None:
        names = key if isinstance(key, tuple) else (key,)
        points = [point for point in map(self.sites.where, names) if point is not None]
        return np.mean(points, axis=0) if points else None

    def _stop(self) -> float:
        if self.zonal:
            return 0.5
        for reason in self.data["reasons"]:
            if str(reason["effect"]).startswith("block"):
                key = key_of(reason["at"])
                if key in self.spans:
                    return self.spans[key][0]
                return self.share(reason["at"]) or 0.0
        return 0.0

    # -- the part of the map to show -------------------------------------------------------------------------------

    def extent(self) -> tuple[float, float, float, float]:
        """Return the part of the map to show: the way with room around it, at least some hexes either way."""
        grid = self.grid
        x0, y0, x1, y1 = grid.frame
        frame = np.asarray([grid.to_map(x0, y0), grid.to_map(x1, y1)])
        room = 1.4 * grid.hex_height
        points = self.points
        for name in self.areas:
            area = self.sites.subject.features[name]
            points = np.vstack([points, np.asarray(area.outline, dtype=float) * np.asarray(grid.scale)])
        low, high = points.min(axis=0) - room, points.max(axis=0) + room
        least = np.asarray([7.0, 4.6]) * grid.hex_height
        missing = np.maximum(least - (high - low), 0) / 2
        low, high = low - missing, high + missing
        # Pushed back into the frame where the line lies at the map's edge.
        low, high = low + np.maximum(frame[0] - low, 0), high + np.maximum(frame[0] - low, 0)
        shift = np.maximum(high - frame[1], 0)
        low, high = np.maximum(low - shift, frame[0]), np.minimum(high - shift, frame[1])
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

"""Random small towns for the tests of Urban Operations."""

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import Aperture, Area, Dot, Feature, Link, MapModel, Marker, Place, Wall
from studio.rules import get_ruleset

RULES = get_ruleset("urban_operations")

Box = tuple[int, int, int, int]


def make(rng: np.random.Generator, columns: int, rows: int) -> MapModel:
    """Return a town of random hexes, buildings with rooms, zones and roofs, walls, apertures, markers and cellars."""
    grid = HexGrid(
        columns=columns,
        rows=rows,
        orientation=str(rng.choice(["flat", "pointy"])),  # type: ignore[arg-type]
        stagger=str(rng.choice(["odd", "even"])),  # type: ignore[arg-type]
    )
    return _Town(rng, grid).model


class _Town:
    def __init__(self, rng: np.random.Generator, grid: HexGrid) -> None:
        self.rng, self.grid = rng, grid
        self.model = MapModel("urban_operations", grid, LabelScheme.ccrr(pad=3), RULES.terrain_characters)
        # Coarse coordinates make lines touch corners and run along walls much more often.
        self.unit = int(rng.choice([240, 120, 60, 7]))
        self.boxes: list[Box] = []
        self._paint()
        for number in range(int(rng.integers(0, 1 + max(1, grid.cells // 14)))):
            self._building(number + 1)
        if rng.random() < 0.5:
            self._cellar()
        self._walls()
        self._markers()
        if rng.random() < 0.3:
            self._dots()

    def put(self, feature: Feature) -> None:
        self.model.check_feature(feature)
        self.model.features[feature.id] = feature

    def _paint(self) -> None:
        rng, model = self.rng, self.model
        dense = float(rng.choice([0.1, 0.3, 0.6]))
        share = dict.fromkeys(model.terrain_ids, 0.0)
        kinds = ["wood", "defensive_terrain", "elevation", "elevation", "water", "open_sewer", "alley"]
        for kind in kinds:
            share[kind] += dense / len(kinds)
        share["clear"] = 1 - dense
        model.terrain[:] = rng.choice(len(share), size=model.terrain.shape, p=list(share.values()))

    def _snap(self, value: float) -> int:
        return round(value / self.unit) * self.unit

    def _building(self, number: int) -> None:
        x0, y0, x1, y1 = self.grid.frame
        wide, high = (self._snap(float(self.rng.integers(500, 1700))) for _ in range(2))
        if self.boxes and self.rng.random() < 0.3:
            left, top = self.boxes[-1][2], self.boxes[-1][1]  # wall to wall with the one before
        else:
            left = self._snap(float(self.rng.integers(x0, max(x0 + 1, x1 - wide))))
            top = self._snap(float(self.rng.integers(y0, max(y0 + 1, y1 - high))))
        box = (left, top, left + wide, top + high)
        if box[2] > x1 + 2000 or any(_overlap(box, other) for other in self.boxes):
            return
        self.boxes.append(box)
        name = str(number)
        # Too narrow a building has no room for a bay.
        court = self.rng.random() < 0.2 and self._snap(wide / 3) < self._snap(2 * wide / 3)
        outline = _ring(box)
        if court:
            # A bay in the upper side makes a courtyard.
            inner = (left + self._snap(wide / 3), left + self._snap(2 * wide / 3), top + self._snap(high / 2))
            outline = ((left, top), (inner[0], top), (inner[0], inner[2]), (inner[1], inner[2]), (inner[1], top),
                       (box[2], top), (box[2], box[3]), (left, box[3]))  # fmt: skip
        self.put(Area(id=f"b{name}", type="building", name=name, outline=outline))
        pieces = self._pieces(box) if not court else [
            (left, top, inner[0], box[3]), (inner[0], inner[2], inner[1], box[3]), (inner[1], top, box[2], box[3]),
        ]  # fmt: skip
        pieces = [piece for piece in pieces if piece[0] < piece[2] and piece[1] < piece[3]]
        self._rooms(f"b{name}", name, pieces, level=0)
        inside = (self.grid.centres >= box[:2]).all(axis=1) & (self.grid.centres <= box[2:]).all(axis=1)
        if self.rng.random() < 0.9:
            self.model.terrain.ravel()[inside] = self.model.terrain_ids.index("unplayable")
        if self.rng.random() < 0.7:
            self._roof(name, box)

    def _pieces(self, box: Box) -> list[Box]:
        left, top, right, bottom = box
        x, y = self._snap((left + right) / 2), self._snap((top + 2 * bottom) / 3)
        choice = int(self.rng.integers(4))
        if choice == 0:
            return [box]
        if choice == 1:
            return [(left, top, x, bottom), (x, top, right, bottom)]
        if choice == 2:
            return [(left, top, right, y), (left, y, x, bottom), (x, y, right, bottom)]
        third = self._snap((2 * left + right) / 3)
        return [(left, top, third, bottom), (third, top, x, bottom), (x, top, right, y), (x, y, right, bottom)]

    def _rooms(self, building: str, name: str, pieces: list[Box], level: int) -> None:
        zoned = self.rng.random() < 0.4 and len(pieces) > 1
        if zoned:
            # The first two pieces are zones of one room, by their room or by their tag.
            drawn = self.rng.random() < 0.5
            if drawn:
                hall = (min(pieces[0][0], pieces[1][0]), min(pieces[0][1], pieces[1][1]),
                        max(pieces[0][2], pieces[1][2]), max(pieces[0][3], pieces[1][3]))  # fmt: skip
                self.put(Area(id=f"{building}-hall", type="divided_room", outline=_ring(hall), within=building))
        for at, piece in enumerate(pieces):
            zone = zoned and at < 2
            within = f"{building}-hall" if zone and drawn else building
            tags = ("room:hall",) if zone and not drawn else ()
            spot = (int(self.rng.integers(piece[0] + 1, piece[2])), int(self.rng.integers(piece[1] + 1, piece[3])))
            middle = ((piece[0] + piece[2]) // 2, (piece[1] + piece[3]) // 2)
            dot = middle if self.rng.random() < 0.6 else spot
            label = f"{name}.{at + 1}"
            self.put(
                Area(
                    id=f"{building}-{at + 1}",
                    type="zone" if zone else "room",
                    name=label,
                    outline=_ring(piece),
                    within=within,
                    dot=dot,
                    tags=tags,
                    level=level,
                )
            )
            for number in range(int(self.rng.integers(0, 3))):
                self._opening(f"{building}-{at + 1}-{number}", label, piece)

    def _opening(self, name: str, label: str, box: Box) -> None:
        left, top, right, bottom = box
        x, y = (left + right) // 2, (top + bottom) // 2
        at = [(left, y), (right, y), (x, top), (x, bottom)][int(self.rng.integers(4))]
        spot = (at[0] + (at[0] - x) // 2, at[1] + (at[1] - y) // 2)
        arrows = self._arrows(spot)
        if arrows:
            kind = str(self.rng.choice(["aperture", "aperture", "breach"]))
            is_open = kind == "aperture" or bool(self.rng.random() < 0.5)
            self.put(Aperture(id=name, type=kind, at=at, into=label, arrows=arrows, open=is_open))

    def _arrows(self, spot: tuple[int, int]) -> tuple[tuple[str, ...], ...]:
        cell = int(self.grid.cells_at(np.array([spot]))[0])
        if cell < 0:
            return ()
        near = [cell, *self.grid.neighbours(cell)]
        label = self.model.labels.label
        arrows = []
        for _ in range(int(self.rng.integers(1, 3))):
            one = near[int(self.rng.integers(len(near)))]
            beside = self.grid.neighbours(one)
            if self.rng.random() < 0.5 or not beside:
                arrows.append((label(one),))
            else:
                arrows.append((label(one), label(beside[int(self.rng.integers(len(beside)))])))
        return tuple(arrows)

    def _roof(self, name: str, box: Box) -> None:
        dot = (self._snap((box[0] + box[2]) / 2) or box[0] + 1, self._snap((box[1] + box[3]) / 2))
        if not (box[0] < dot[0] < box[2] and box[1] < dot[1] < box[3]):
            dot = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
        self.put(Place(id=f"roof{name}", type="roof", name=f"{name} roof", at=dot, within=f"b{name}", level=2))
        self.put(Link(id=f"stairs{name}", type="roof_access", a=f"{name}.1", b=f"{name} roof"))

    def _cellar(self) -> None:
        x, y = self.grid.centre(int(self.rng.integers(self.grid.cells)))
        box = (x - 480, y - 240, x + 960, y + 480)
        self.put(Area(id="cellar", type="underground", name="U", outline=_ring(box), level=-1))
        self._rooms("cellar", "U", [(x - 480, y - 240, x, y + 480), (x, y - 240, x + 960, y + 480)], level=-1)
        cell = int(self.rng.integers(self.grid.cells))
        if self.model.terrain_at(cell) != "unplayable":
            self.put(Link(id="manhole", type="underground_access", a=self.model.labels.label(cell), b="U.1"))
        for cell in self.rng.choice(self.grid.cells, size=min(3, self.grid.cells), replace=False).tolist():
            if self.rng.random() < 0.5 and self.model.terrain_at(cell) != "unplayable":
                self.model.terrain.ravel()[cell] = self.model.terrain_ids.index("underground_sewer")

    def _walls(self) -> None:
        for number in range(int(self.rng.integers(0, 5))):
            corners = self.grid.corners(int(self.rng.integers(self.grid.cells)))
            line = [corners[int(self.rng.integers(6))]]
            for _ in range(int(self.rng.integers(1, 4))):
                x, y = line[-1]
                dx, dy = (int(self.rng.integers(-4, 5)) * 240 for _ in range(2))
                line.append((x + dx, y + dy) if (dx or dy) else (x + 240, y))
            kind = "partition" if number == 4 else "outer_wall"
            self.put(Wall(id=f"w{number}", type=kind, line=tuple(line)))
            at = ((line[0][0] + line[1][0]) // 2, (line[0][1] + line[1][1]) // 2)
            cell = int(self.grid.cells_at(np.array([at]))[0])
            arrows = self._arrows(at)
            if kind == "outer_wall" and cell >= 0 and arrows and self.model.terrain_at(cell) != "unplayable":
                spot = self.grid.centre(cell) if self.rng.random() < 0.5 else at
                is_open = bool(self.rng.random() < 0.7)
                into = self.model.labels.label(cell)
                breach = Aperture(id=f"wb{number}", type="wall_breach", at=spot, into=into, arrows=arrows, open=is_open)
                self.put(breach)

    def _markers(self) -> None:
        label = self.model.labels.label
        playable = [cell for cell in range(self.grid.cells) if self.model.terrain_at(cell) != "unplayable"]
        names = [feature.name for feature in self.model.features.values() if isinstance(feature, Area | Place)]
        places = [name for name in names if "." in name or "roof" in name]
        kinds = ["smoke", "wreck", "fortified", "vehicle", "barricade", "toxic_cloud"]
        for number in range(int(self.rng.integers(0, 2 + self.grid.cells // 15))):
            pool = places if places and self.rng.random() < 0.5 else [label(cell) for cell in playable]
            if pool:
                at = [str(one) for one in self.rng.choice(pool, size=min(len(pool), int(self.rng.integers(1, 3))))]
                kind = str(self.rng.choice(kinds))
                self.put(Marker(id=f"m{number}", type=kind, at=at[0], also=tuple(at[1:])))

    def _dots(self) -> None:
        cell = int(self.rng.integers(self.grid.cells))
        corners = self.grid.corners(cell)
        x, y = self.grid.centre(cell)
        ends = [corners[int(self.rng.integers(6))], (x + 30, y - 60)]
        point = ends[int(self.rng.integers(2))]
        self.put(Dot(id="dot", at=self.model.labels.label(cell), point=point))


def _ring(box: Box) -> tuple[tuple[int, int], ...]:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

"""Small towns for the tests of Urban Operations: flat-top hexes, labels such as ``0302`` (column 3, row 2)."""

from studio.api import Map
from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel
from studio.rules import get_ruleset
from studio.rules.urban_operations.effect_points import EffectPoints
from studio.sight import Conditions, Sighting

RULES = get_ruleset("urban_operations")

Box = tuple[int, int, int, int]


class Town:
    """A map with shorthands for what towns are made of."""

    def __init__(self, columns: int = 12, rows: int = 12, **terrain: str) -> None:
        grid = HexGrid(columns=columns, rows=rows)
        self.map = Map(MapModel("urban_operations", grid, LabelScheme.ccrr(), RULES.terrain_characters))
        for name, labels in terrain.items():
            self.map.paint(labels.split(), terrain=name)

    def centre(self, label: str) -> tuple[int, int]:
        return self.map.grid.centre(self.map.labels.cell(label))

    def box(self, first: str, last: str = "", wide: int = 300, high: int = 200) -> Box:
        """Return the box around two hexes: it keeps well inside their sides."""
        (ax, ay), (bx, by) = self.centre(first), self.centre(last or first)
        return min(ax, bx) - wide, min(ay, by) - high, max(ax, bx) + wide, max(ay, by) + high

    def area(self, name: str, kind: str, box: Box, within: str = "", **rest: object) -> None:
        left, top, right, bottom = box
        outline = [[left, top], [right, top], [right, bottom], [left, bottom]]
        self.map.add("area", id=_id(name), type=kind, name=name, outline=outline, within=within, **rest)

    def house(self, name: str, box: Box, rooms: int = 1, roof: bool = False, zones: bool = False) -> None:
        """Put up a building with rooms, or zones of one room, from left to right: 25.1, 25.2 and so on."""
        left, top, right, bottom = box
        self.area(name, "building", box)
        grid = self.map.grid
        under = [
            self.map.labels.label(cell)
            for cell in range(grid.cells)
            if left <= grid.centre(cell)[0] <= right and top <= grid.centre(cell)[1] <= bottom
        ]
        if under:
            self.map.paint(under, terrain="unplayable")
        parent = _id(name)
        if zones:
            self.area(f"{name} hall", "divided_room", box, within=parent)
            parent = _id(f"{name} hall")
        edges = [left + (right - left) * at // rooms for at in range(rooms + 1)]
        for at in range(rooms):
            piece = (edges[at], top, edges[at + 1], bottom)
            self.area(f"{name}.{at + 1}", "zone" if zones else "room", piece, within=parent)
        if roof:
            middle = [(left + right) // 2, (top + bottom) // 2]
            self.map.add("place", type="roof", name=f"{name} roof", at=middle, within=_id(name), level=2)
            self.map.add("link", type="roof_access", a=f"{name}.1", b=f"{name} roof")

    def wall(self, *points: tuple[int, int], kind: str = "outer_wall", name: str = "wall") -> None:
        self.map.add("wall", type=kind, line=[list(point) for point in points], name=name)

    def wall_below(self, label: str, name: str = "wall", wide: int = 960) -> None:
        """Build a wall along the lower side of a hex and on both sides of it."""
        x, y = self.centre(label)
        self.wall((x - wide, y + 240), (x + wide, y + 240), name=name)

    def opening(
        self, into: str, at: tuple[int, int], *arrows: str, kind: str = "aperture", id: str = "door", open: bool = True
    ) -> None:
        """Make an opening; an arrow is ``"0504"``, the row from that hex on, or ``"0504 0604"``, along their side."""
        given = [arrow.split() for arrow in arrows]
        self.map.add("aperture", id=id, type=kind, at=list(at), into=into, arrows=given, open=open)

    def marker(self, kind: str, at: str, *also: str) -> None:
        self.map.add("marker", type=kind, at=at, also=list(also))

    def sight(self, a: str, b: str, conditions: Conditions | None = None, **options: object) -> Sighting:
        return self.map.sight(a, b, options=options, conditions=conditions or Conditions())

    def status(self, a: str, b: str, conditions: Conditions | None = None, **options: object) -> str:
        """Return the verdict, having looked from both ends."""
        there, back = self.sight(a, b, conditions, **options), self.sight(b, a, conditions, **options)
        assert there.status == back.status
        return there.status

    def why(self, a: str, b: str, **options: object) -> str:
        """Return what blocks the line, all of it."""
        reasons = self.sight(a, b, **options).reasons
        return "; ".join(reason.text for reason in reasons if reason.effect == "blocks")

    def points(self, a: str, b: str, *, fire: bool = True, **options: object) -> EffectPoints:
        number = self.map.survey.directory.number
        found: EffectPoints = self.map.judge(options).effect_points(number(a), number(b), fire=fire)  # type: ignore[attr-defined]
        assert found.total == sum(step.cost for step in found.steps)
        assert (found.start, found.end) == (a, b)
        return found

    def cost(self, a: str, b: str, *, fire: bool = True, **options: object) -> int:
        return self.points(a, b, fire=fire, **options).total


def _id(name: str) -> str:
    return "area-" + name.replace(" ", "-")

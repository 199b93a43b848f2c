"""The table of seeded faults: what is done to a sound map, and the rule, the place and the point of the finding."""

from collections.abc import Callable
from typing import NamedTuple

from studio.api import Map
from studio.model import Aperture, Area, Contour, Dot, Link, Marker, Name, Point, Road, Wall
from tests.checks.makers import change, drop, put, rectangle, side

__all__ = ["SEEDED", "Seeded"]


class Seeded(NamedTuple):
    """One fault: the check that finds it, the sound map, what is altered, where it is found, at which lattice point."""

    rule: str
    map: str
    alter: Callable[[Map], object]
    at: str
    point: Point | None = None
    repaired: bool = False


def _level(map_: Map) -> None:
    map_.model.levels.flat[map_.labels.cell("0705")] = 9


def _grass(map_: Map) -> None:
    map_.model.terrain_ids[map_.model.terrain_ids.index("clear")] = "grass"


def area(id: str, type: str, outline: tuple[Point, ...], **fields: object) -> Area:
    return Area(id=id, type=type, outline=outline, **fields)  # type: ignore[arg-type]


def far_zone(map_: Map) -> None:
    """Put a zone away from all others, with a route to it."""
    put(
        map_,
        area("a4", "zone", rectangle(2000, 0, 2300, 300), name="4"),
        Link(id="o", type="egress", a="2", b="4", order=2, one_way=True),
    )


def closing(*line: Point) -> Callable[[Map], object]:
    """Return what draws a continuous line where nothing has to pass."""

    def draw(map_: Map) -> None:
        drop(map_, "door")
        put(map_, Wall(id="w", type="solid", line=line))

    return draw


def ringed(map_: Map) -> None:
    """Lay streets around zone 2 on its free sides."""
    put(
        map_,
        area("s2", "street", rectangle(100, 600, 200, 1000)),
        area("s3", "street", rectangle(200, 900, 800, 1000)),
    )


def through_house(map_: Map) -> None:
    """Draw the road through the middle of the house."""
    first, second, _, *rest = map_.features["road"].line  # type: ignore[union-attr]
    change(map_, "road", line=(first, second, (1770, 1100), (2070, 1100), *rest))


BOW = ((1500, 100), (1700, 300), (1700, 100), (1500, 300))

DESERT = [
    Seeded("map.terrain_known", "desert", _grass, "0101", (480, 240)),
    Seeded("map.level_range", "desert", _level, "0705", (4800, 2160)),
    Seeded("map.level_step", "desert", lambda m: m.paint("0606", level=2), "0606/0605", (4080, 2640)),
    Seeded("map.side_known", "desert", lambda m: side(m, "0101", "0201", "moat"), "0101/0201", (840, 360)),
    Seeded("map.side_pair", "desert", lambda m: m.set_side("0101", "0102", "breached_fence"), "0101/0102", (480, 480)),
    Seeded("map.wadi_end", "desert", lambda m: m.set_side("0205", "0206", "wadi_end"), "0205/0206", (1200, 2640), True),
    Seeded("map.wadi_reachable", "desert", lambda m: m.paint("0906", terrain="wadi"), "0906", (6240, 2640)),
    Seeded("map.river_continuous", "desert", lambda m: m.paint("0906", terrain="river"), "0906", (6240, 2640)),
    Seeded("map.road_end", "desert", lambda m: m.add("road", path=["0808", "0807", "0806"]), "0806", (5520, 2880)),
    Seeded(
        "map.road_line",
        "desert",
        lambda m: put(m, Road(id="r", path=("0101", "0201"), line=((480, 240), (480, 900), (1200, 480)))),
        "r",
    ),
    Seeded(
        "map.contour_closed",
        "desert",
        lambda m: m.add("contour", id="c", level=1, line=[[900, 900], [1200, 1300]]),
        "c",
        (900, 900),
    ),
    Seeded(
        "map.contour_level",
        "desert",
        lambda m: put(m, Contour(id="c", level=-1, line=((900, 900), (950, 900), (900, 950), (900, 900)))),
        "c",
        (900, 900),
    ),
    Seeded("map.marker", "desert", lambda m: m.add("marker", type="barricade", at="0909"), "0909", (6240, 4080)),
    Seeded(
        "map.marker_once", "desert", lambda m: m.add("marker", type="barricade", at="0808"), "0808", (5520, 3840), True
    ),
    Seeded("map.name_inside", "desert", lambda m: put(m, Name(id="n", text="Sea", at=(-900, 0))), "n", (-900, 0)),
    Seeded("map.name_inside", "desert", lambda m: put(m, Name(id="n", text=" ", at=(900, 9))), "n", (900, 9), True),
    Seeded("map.sources", "desert", lambda m: m.set("sources", []), "sources"),
]

SHAPES = [
    Seeded(
        "map.drawn_type", "district", lambda m: put(m, Wall(id="w", type="hedge", line=((9, 9), (90, 9)))), "w", (9, 9)
    ),
    Seeded("map.tag_known", "district", lambda m: change(m, "a2", tags=("holly",)), "a2", (500, 750)),
    Seeded("map.label_once", "district", lambda m: change(m, "a2", name="1"), "1", (500, 750)),
    Seeded("map.label_once", "district", lambda m: change(m, "box-2-C", name="1 C"), "1 C", (400, 700)),
    Seeded("map.area_shape", "district", lambda m: put(m, area("bow", "zone", BOW)), "bow", (1600, 200)),
    Seeded(
        "map.area_shape",
        "district",
        lambda m: put(
            m, area("eight", "zone", ((1500, 0), (1700, 0), (1600, 100), (1700, 200), (1500, 200), (1600, 100)))
        ),
        "eight",
        (1600, 100),
    ),
    Seeded(
        "map.area_empty",
        "district",
        lambda m: put(m, area("l", "zone", ((1500, 0), (1600, 9), (1700, 18)))),
        "l",
        (1500, 0),
    ),
    Seeded("map.area_empty", "district", lambda m: put(m, area("p", "zone", ((1500, 0),) * 3)), "p", (1500, 0)),
    Seeded(
        "map.corner_repeated",
        "district",
        lambda m: change(m, "a2", outline=((200, 600), (800, 600), (800, 600), (800, 900), (200, 900))),
        "a2",
        (800, 600),
        True,
    ),
    Seeded(
        "map.corner_repeated",
        "district",
        lambda m: change(m, "a2", outline=((200, 600), (800, 600), (800, 900), (700, 990), (800, 900), (200, 900))),
        "a2",
        (700, 990),
        True,
    ),
    Seeded("map.hole", "district", lambda m: change(m, "a2", holes=(rectangle(1500, 0, 1600, 100),)), "a2", (1500, 0)),
    Seeded("map.hole", "district", lambda m: change(m, "a2", holes=(rectangle(700, 700, 900, 800),)), "a2", (800, 700)),
    Seeded(
        "map.wall_once",
        "town",
        lambda m: put(m, Wall(id="wall-2", type="outer_wall", line=m.features["wall"].line[::-1])),
        "wall-2",
        (580, 2970),
        True,
    ),
    Seeded(
        "map.wall_length",
        "district",
        lambda m: put(m, Wall(id="w", type="solid", line=((9, 9), (9, 9)))),
        "w",
        (9, 9),
        True,
    ),
    Seeded("map.dot_inside", "district", lambda m: change(m, "a2", dot=(9, 9)), "a2", (9, 9), True),
    Seeded("map.dot_inside", "town", lambda m: put(m, Dot(id="d", at="0808", point=(9, 9))), "0808", (9, 9), True),
    Seeded(
        "map.dot_once",
        "town",
        lambda m: put(m, Dot(id="dot-2", at="0808", point=(5520, 3840))),
        "0808",
        None,
        True,
    ),
    Seeded(
        "map.off_map",
        "district",
        lambda m: put(m, Wall(id="w", type="solid", line=((-9, -9), (-90, -9)))),
        "w",
        (-9, -9),
    ),
    Seeded(
        "map.overlap",
        "district",
        lambda m: put(m, area("x", "zone", rectangle(600, 700, 750, 800))),
        "a2/x",
        (675, 750),
    ),
    Seeded(
        "map.gap",
        "district",
        lambda m: change(m, "a2", holes=(rectangle(600, 750, 700, 850),)),
        "a2",
        (650, 800),
    ),
    Seeded("map.gap", "town", lambda m: drop(m, "z3"), "r2", (2120, 1300)),
    Seeded(
        "map.sliver",
        "town",
        lambda m: change(m, "z3", outline=rectangle(1920, 1212, 2320, 1400)),
        "r2",
        (2120, 1206),
    ),
    Seeded(
        "map.borders_meet",
        "town",
        lambda m: change(m, "z3", outline=((1920, 1203), (2320, 1200), (2320, 1400), (1920, 1400))),
        "z3",
        (1920, 1203),
        True,
    ),
    Seeded(
        "map.borders_meet",
        "town",
        lambda m: change(m, "r4", outline=rectangle(2324, 1000, 2520, 1400)),
        "r4",
        (2324, 1000),
        True,
    ),
    Seeded(
        "map.part_inside",
        "town",
        lambda m: change(m, "r4", outline=rectangle(2320, 1000, 2600, 1400)),
        "r4",
        (2600, 1000),
    ),
    Seeded("map.part_inside", "district", lambda m: change(m, "box-3-C", at=(1500, 700)), "box-3-C", (1500, 700)),
    Seeded("map.label_form", "district", lambda m: change(m, "a3", name="3, C"), "a3", (1100, 750)),
    Seeded("map.label_form", "district", lambda m: change(m, "box-3-C", name="3\nC"), "box-3-C", (1100, 700)),
    Seeded("map.label_form", "town", lambda m: change(m, "r4", name=" 2.1"), "r4", (2420, 1200)),
    Seeded("map.part_of", "town", lambda m: change(m, "r4", within="block"), "r4", (2420, 1200)),
    Seeded("map.part_of", "town", lambda m: change(m, "b2", within="r4"), "b2", (2420, 1200)),
    Seeded("map.whole", "town", lambda m: change(m, "z3", within="b1"), "z3", (2120, 1300)),
    Seeded(
        "map.ends_exist",
        "town",
        lambda m: put(m, Link(id="l", type="roof_access", a="1.1", b="9 roof")),
        "l",
        (1720, 1200),
    ),
    Seeded(
        "map.link_self",
        "town",
        lambda m: put(m, Link(id="l", type="linked_roofs", a="1 roof", b="1 roof")),
        "l",
        (1720, 1200),
    ),
    Seeded(
        "map.link_twice",
        "town",
        lambda m: put(m, Link(id="l2", type="roof_access", a="1.1", b="1 roof")),
        "up-1",
        None,
        True,
    ),
    Seeded(
        "map.link_twice",
        "district",
        lambda m: put(m, Link(id="door-2", type="door", a="3 C", b="2 C")),
        "door-2",
        (1100, 700),
        True,
    ),
    Seeded(
        "map.link_twice",
        "district",
        lambda m: put(m, Link(id="back", type="arrow", a="1 1", b="1 C", one_way=True)),
        "back",
        (600, 300),
    ),
    Seeded("map.wall_border", "district", closing((812, 600), (812, 900)), "w", (812, 600), True),
    Seeded("map.wall_border", "district", closing((792, 605), (806, 895)), "w", (792, 605), True),
    Seeded("map.wall_border", "district", closing((700, 600), (900, 900)), "w", (700, 600)),
    Seeded("map.wall_border", "district", closing((830, 600), (830, 900)), "w", (830, 600)),
    Seeded("map.wall_border", "district", closing((500, 600), (500, 900)), "w", (500, 600)),
    Seeded("map.wall_border", "district", closing((804, 650), (804, 800)), "w", (804, 650)),
    Seeded("map.wall_part", "district", closing((800, 600), (800, 700)), "w", (800, 700)),
    Seeded("map.wall_part", "district", closing((800, 600), (800, 950)), "w", (800, 900)),
    Seeded("map.wall_part", "district", closing((800, 600), (800, 700), (806, 900)), "w", (800, 700), True),
]

TOWN = [
    Seeded("map.aperture_on_wall", "town", lambda m: change(m, "door-1", at=(1720, 995)), "door-1", (1720, 995), True),
    Seeded("map.aperture_on_wall", "town", lambda m: change(m, "door-1", at=(1720, 900)), "door-1", (1720, 900)),
    Seeded("map.aperture_location", "town", lambda m: change(m, "door-1", at=(2000, 1000)), "door-1", (2000, 1000)),
    Seeded(
        "map.aperture_corner",
        "town",
        lambda m: put(m, Aperture(id="e", type="aperture", at=(1520, 1000), into="1.1", arrows=(("0302",),))),
        "e",
        (1520, 1000),
    ),
    Seeded(
        "map.aperture_once",
        "town",
        lambda m: put(m, Aperture(id="e", type="aperture", at=(1720, 1000), into="1.1", arrows=(("0302",),))),
        "e",
        (1720, 1000),
        True,
    ),
    Seeded("map.cloud", "town", lambda m: change(m, "smoke", also=("0507", "0606")), "0508", (3360, 3600)),
    Seeded("map.cloud", "town", lambda m: change(m, "smoke", also=("0506",)), "0508", (3360, 3600)),
    Seeded("map.place_apart", "town", lambda m: change(m, "roof-2", at=(1720, 1200)), "roof-2", (1720, 1200)),
    Seeded("map.arc_begin", "town", lambda m: change(m, "door-1", arrows=(("0801",),)), "door-1", (1720, 1000)),
    Seeded("map.arc_begin", "town", lambda m: change(m, "gap", arrows=(("0504", "0604"),)), "gap", (480, 2970)),
    Seeded("map.covered_hex", "town", lambda m: m.paint("0303", terrain="clear"), "0303", (1920, 1200), True),
    Seeded("map.dot_free", "town", lambda m: change(m, "wall", line=((480, 3000), (480, 3250))), "0107", (480, 3120)),
    Seeded("map.hex_lost", "town", lambda m: m.paint("0202", terrain="unplayable"), "0202", (1200, 960)),
    Seeded("map.arc_missing", "town", lambda m: change(m, "door-1", arrows=()), "door-1", (1720, 1000)),
    Seeded("map.arc_inward", "town", lambda m: change(m, "door-1", arrows=(("0303",),)), "door-1", (1720, 1000)),
    Seeded("map.opening_wall", "town", lambda m: change(m, "door-1", at=(1920, 1100)), "door-1", (1920, 1100)),
    Seeded("map.opening_wall", "town", lambda m: change(m, "door-2", at=(2320, 1100)), "door-2", (2320, 1100)),
    Seeded("map.opening_wall", "town", lambda m: change(m, "gap", type="breach"), "gap", (480, 2970)),
    Seeded("map.opening_wall", "town", lambda m: change(m, "door-2", type="wall_breach"), "door-2", (2420, 1400)),
    Seeded(
        "map.zone_openings",
        "town",
        lambda m: put(
            m,
            Aperture(id="e", type="aperture", at=(2020, 1000), into="1.2", arrows=(("0302",),)),
            Aperture(id="f", type="aperture", at=(2120, 1000), into="1.2", arrows=(("0302",),)),
        ),
        "1.2",
        (2120, 1000),
    ),
    Seeded("map.breach_open", "town", lambda m: change(m, "gap", open=True), "gap", (480, 2970)),
    Seeded("map.roof_access", "town", lambda m: drop(m, "up-1"), "roof-1", (1720, 1200)),
    Seeded("map.roof_access", "town", lambda m: change(m, "roof-1", at=(2100, 1200)), "up-1", (2100, 1200)),
    Seeded("map.roof_access", "town", lambda m: change(m, "up-1", a="2.1"), "up-1", (1720, 1200)),
    Seeded("map.roof_access", "town", lambda m: change(m, "up-1", b="1.2"), "up-1", (1720, 1200)),
    Seeded(
        "map.linked_roofs", "town", lambda m: change(m, "b2", outline=rectangle(2330, 1000, 2520, 1400)), "roofs", None
    ),
    Seeded("map.underground_access", "town", lambda m: change(m, "down", b="1.1", text=""), "down", (480, 240)),
    Seeded("map.underground_access", "town", lambda m: change(m, "down", text="B"), "down", (480, 240)),
    Seeded("map.underground_access", "town", lambda m: drop(m, "hole"), "down", (480, 240)),
    Seeded(
        "map.underground_marker",
        "town",
        lambda m: put(m, Marker(id="h2", type="underground_access", at="0102")),
        "0102",
        (480, 720),
    ),
    Seeded("map.sewer_entrance", "town", lambda m: change(m, "sewer", b="0102"), "sewer", (3360, 240)),
    Seeded("map.reachable", "town", lambda m: drop(m, "down"), "A", (4600, 3120)),
    Seeded("map.reachable", "town", lambda m: drop(m, "sewer"), "0901", (6240, 240)),
    Seeded("map.reachable", "town", lambda m: drop(m, "door-2", "roofs"), "2.1", (2420, 1200)),
]

DISTRICT = [
    Seeded("map.link_placed", "district", lambda m: change(m, "door", b="1 C"), "door", (400, 700)),
    Seeded("map.link_placed", "district", lambda m: change(m, "arrow", b="2 C"), "arrow", (400, 300)),
    Seeded("map.roof_symbol", "district", lambda m: change(m, "door", type="roof"), "door", (400, 700)),
    Seeded("map.door_street", "district", lambda m: drop(m, "s1"), "box-1-C", (400, 300)),
    Seeded(
        "map.target_useless",
        "district",
        lambda m: put(m, Link(id="t", type="line_of_fire", a="2", b="3")),
        "t",
        (500, 750),
    ),
    Seeded("map.egress_missing", "district", lambda m: drop(m, "out-3"), "3", (1100, 750)),
    Seeded("map.egress_order", "district", lambda m: change(m, "out-3", order=2), "3", (1100, 750)),
    Seeded(
        "map.egress_order",
        "district",
        lambda m: put(m, Link(id="o", type="egress", a="2", b="3", order=2)),
        "2",
        (500, 750),
    ),
    Seeded("map.egress_beside", "district", far_zone, "o", (500, 750)),
    Seeded("map.egress_exit", "district", lambda m: change(m, "out-2", b="3"), "2", (500, 750)),
    Seeded("map.egress_exit", "district", lambda m: drop(m, "out-2"), "2", (500, 750)),
    Seeded("map.exit_edge", "district", ringed, "out-2", (500, 750)),
    Seeded("map.zone_boxes", "district", lambda m: drop(m, "door", "box-3-C"), "3", (1100, 750)),
    Seeded("map.box_home", "district", lambda m: change(m, "box-3-C", within=""), "box-3-C", (1100, 700)),
    Seeded("map.off_zones", "district", lambda m: change(m, "exit", at=(300, 800)), "exit", (300, 800)),
    Seeded("map.start_entry", "district", lambda m: change(m, "a1", tags=()), "1", (400, 300)),
    Seeded("map.start_entry", "district", lambda m: change(m, "box-1-C", tags=("door",)), "1", (500, 350)),
    Seeded("map.start_entry", "district", lambda m: change(m, "box-1-1", tags=("entry",)), "1", (400, 300)),
    Seeded("map.box_joined", "district", lambda m: drop(m, "arrow"), "box-1-C", (400, 300)),
    Seeded("map.box_reachable", "district", lambda m: drop(m, "door"), "box-3-C", (1100, 700)),
    Seeded(
        "map.street_beside",
        "district",
        lambda m: put(m, area("s9", "street", rectangle(1500, 0, 1700, 100))),
        "s9",
        (1600, 50),
    ),
]


VALLEY = [
    Seeded("map.structure_terrain", "valley", lambda m: m.paint("0303", terrain="open"), "house", (1920, 1200)),
    Seeded("map.structure_drawn", "valley", lambda m: m.paint("0808", terrain="structure"), "0808", (5520, 3840)),
    Seeded(
        "map.structure_level",
        "valley",
        lambda m: (
            m.paint("0304", terrain="structure", level=1),
            change(m, "house", outline=rectangle(1800, 1260, 2000, 1500)),
        ),
        "house",
        (1920, 1680),
    ),
    Seeded("map.structure_road", "valley", through_house, "road", (1770, 1100)),
    Seeded("map.hill_level", "valley", lambda m: m.paint("0606", level=0), "0606", (4080, 2880)),
    Seeded(
        "map.compound_inside",
        "valley",
        lambda m: change(m, "walls", outline=rectangle(1500, 2500, 1700, 2600)),
        "walls",
        (1600, 2550),
    ),
    Seeded(
        "map.side_covered",
        "valley",
        lambda m: (m.set_side("0303", "0304", "hedge"), change(m, "house", outline=rectangle(1600, 1300, 2200, 1500))),
        "0303/0304",
        (1920, 1440),
    ),
    Seeded(
        "map.overlap",
        "valley",
        lambda m: put(m, area("shed", "ruins", rectangle(1900, 1100, 1950, 1140))),
        "house/shed",
        (1925, 1120),
    ),
]

GULF = [
    Seeded("map.road_water", "gulf", lambda m: m.paint("0103", terrain="sea"), "0103", (480, 1200)),
    Seeded("map.water_side", "gulf", lambda m: side(m, "0303", "0304", "all_water"), "0303/0304", (1920, 1440)),
]

SEEDED = [*GULF, *DESERT, *SHAPES, *TOWN, *DISTRICT, *VALLEY]

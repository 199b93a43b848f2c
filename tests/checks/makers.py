"""Sound maps of several games, each with some of everything, and how a fault is put on one as a file would hold it."""

import msgspec

import studio
from studio.api import Map
from studio.model import Delete, Feature, SetSide
from tests.sight.maps import small_map

SOURCES = [{"title": "drawn for the tests"}]


def desert() -> Map:
    """Return a map of Armageddon War."""
    made = small_map(10, 10, river="0503 0504", wadi="0205 0206", light_urban="0808")
    made.paint("0302", level=1)
    made.set_side("0204", "0205", "wadi_end").set_side("0707", "0708", ["fence", "breached_fence"])
    made.add("road", path=["1008", "0908", "0808"])
    made.add("crest", path=["0609", "0709"])
    x, y = made.grid.centre(made.labels.cell("0901"))
    made.add("contour", level=1, line=[[x, y], [x + 90, y], [x, y + 90], [x, y]])
    made.add("name", text="Hamlet", at=[x, y])
    made.add("marker", id="b", type="barricade", at="0808")
    made.set("sources", SOURCES)
    return made


def rectangle(x0: int, y0: int, x1: int, y1: int) -> tuple[tuple[int, int], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def district() -> Map:
    """Return a map of Phantom Fury: zone 1, a street, zones 2 and 3, boxes, doors, routes to an exit."""
    made = studio.new_map("phantom_fury", 4, 4)
    made.add("area", id="a1", type="zone", name="1", outline=rectangle(200, 200, 800, 500), tags=["start"])
    made.add(
        "area",
        id="s1",
        type="street",
        name="S1",
        outline=((200, 500), (800, 500), (1400, 500), (1400, 600), (800, 600), (200, 600)),
    )
    made.add("area", id="a2", type="zone", name="2", outline=rectangle(200, 600, 800, 900))
    made.add("area", id="a3", type="zone", name="3", outline=rectangle(800, 600, 1400, 900))
    boxes = (
        ("1 C", "courtyard", (400, 300), "a1", ["entry", "door"]),
        ("1 1", "first_story", (600, 300), "a1", []),
        ("2 C", "courtyard", (400, 700), "a2", ["door"]),
        ("3 C", "courtyard", (1100, 700), "a3", []),
    )
    for name, kind, at, within, tags in boxes:
        made.add("place", id=f"box-{name.replace(' ', '-')}", type=kind, name=name, at=at, within=within, tags=tags)
    made.add("place", id="exit", type="exit", name="EXIT", at=(300, 1000))
    made.add("link", id="arrow", type="arrow", a="1 C", b="1 1")
    made.add("link", id="door", type="door", a="2 C", b="3 C")
    made.add("link", id="out-1", type="egress", a="1", b="2", one_way=True, order=1)
    made.add("link", id="out-2", type="egress", a="2", b="EXIT", one_way=True, order=1)
    made.add("link", id="out-3", type="egress", a="3", b="2", one_way=True, order=1)
    made.set("sources", SOURCES)
    return made


def town() -> Map:
    """Return a map of Urban Operations: two houses wall to wall, one with zones and roofs, what lies underground."""
    made = studio.new_map("urban_operations", 9, 9)
    x, y = made.grid.centre(made.labels.cell("0303"))  # (1920, 1200)
    made.add("area", id="b1", type="building", name="1", outline=rectangle(x - 400, y - 200, x + 400, y + 200))
    made.add("area", id="r1", type="room", name="1.1", within="b1", outline=rectangle(x - 400, y - 200, x, y + 200))
    made.add("area", id="r2", type="divided_room", within="b1", outline=rectangle(x, y - 200, x + 400, y + 200))
    made.add("area", id="z2", type="zone", name="1.2", within="r2", outline=rectangle(x, y - 200, x + 400, y))
    made.add("area", id="z3", type="zone", name="1.3", within="r2", outline=rectangle(x, y, x + 400, y + 200))
    made.add("area", id="b2", type="building", name="2", outline=rectangle(x + 400, y - 200, x + 600, y + 200))
    made.add(
        "area", id="r4", type="room", name="2.1", within="b2", outline=rectangle(x + 400, y - 200, x + 600, y + 200)
    )
    made.paint("0303", terrain="unplayable")
    made.add("aperture", id="door-1", type="aperture", at=[x - 200, y - 200], into="1.1", arrows=[["0302"]])
    made.add("aperture", id="door-2", type="breach", at=[x + 500, y + 200], into="2.1", arrows=[["0404"]], open=False)
    made.add("place", id="roof-1", type="roof", name="1 roof", at=[x - 200, y], within="b1", level=2)
    made.add("place", id="roof-2", type="roof", name="2 roof", at=[x + 500, y], within="b2", level=2)
    made.add("link", id="up-1", type="roof_access", a="1.1", b="1 roof")
    made.add("link", id="up-2", type="roof_access", a="2.1", b="2 roof")
    made.add("link", id="roofs", type="linked_roofs", a="1 roof", b="2 roof")
    wx, wy = made.grid.centre(made.labels.cell("0107"))
    made.add("wall", id="wall", type="outer_wall", line=[[wx - 100, wy - 150], [wx + 100, wy - 150]])
    made.add("aperture", id="gap", type="wall_breach", at=[wx, wy - 150], into="0107", arrows=[["0106"]], open=False)
    ux, uy = made.grid.centre(made.labels.cell("0707"))
    made.add("area", id="u1", type="underground", outline=rectangle(ux - 400, uy - 200, ux + 400, uy + 200))
    made.add("area", id="ua", type="zone", name="A", within="ur", outline=rectangle(ux - 400, uy - 200, ux, uy + 200))
    made.add("area", id="ub", type="zone", name="B", within="ur", outline=rectangle(ux, uy - 200, ux + 400, uy + 200))
    made.add(
        "area", id="ur", type="divided_room", within="u1", outline=rectangle(ux - 400, uy - 200, ux + 400, uy + 200)
    )
    made.paint("0707", terrain="unplayable")
    made.add("marker", id="hole", type="underground_access", at="0101")
    made.add("link", id="down", type="underground_access", a="0101", b="A", text="A")
    made.paint("0501", terrain="open_sewer").paint("0901", terrain="underground_sewer")
    made.add("link", id="sewer", type="sewer_entrance", a="0501", b="0901")
    made.add("dot", id="dot", at="0808", point=[*made.grid.centre(made.labels.cell("0808"))])
    made.add("marker", id="smoke", type="smoke", at="0508", also=["0507", "0506"])
    made.set("sources", SOURCES)
    return made


def valley() -> Map:
    """Return a map of Modern Tactics: a house beside a road, a hill, a compound."""
    made = studio.new_map("modern_tactics", 8, 8)
    x, y = made.grid.centre(made.labels.cell("0303"))
    made.paint("0303", terrain="structure")
    made.add("area", id="house", type="structure", outline=rectangle(x - 150, y - 150, x + 150, y - 40))
    path = [f"0{column}03" for column in range(1, 9)]
    line = [made.grid.centre(cell) for cell in made.labels.cells(path)]
    made.add("road", id="road", path=path, line=[*line[:2], (x, y + 50), *line[3:]])
    x, y = made.grid.centre(made.labels.cell("0606"))
    made.paint("0606", level=1)
    made.add("area", id="hill", type="hill", level=1, outline=rectangle(x - 150, y - 150, x + 150, y + 150))
    x, y = made.grid.centre(made.labels.cell("0306"))
    made.add("area", id="walls", type="compound", outline=rectangle(x - 500, y - 200, x + 500, y + 200))
    made.set_side("0202", "0203", "low_wall")
    made.set("sources", SOURCES)
    return made


def gulf() -> Map:
    """Return a map of Ignorant Armies: a road beside a lake."""
    made = studio.new_map("ignorant_armies", 6, 6)
    made.paint(["0303", "0304"], terrain="lake").set_side("0203", "0303", "all_water")
    made.add("road", id="road", path=["0101", "0102", "0103", "0104", "0105", "0106"])
    made.set("sources", SOURCES)
    return made


MAKERS = {"gulf": gulf, "desert": desert, "district": district, "town": town, "valley": valley}


def put(map_: Map, *features: Feature) -> None:
    """Put features on the map past the API, as a hand-edited file would."""
    for feature in features:
        map_.model.features[feature.id] = feature
    map_.survey = type(map_.survey)(map_.model, map_.survey.scheme)


def change(map_: Map, id_: str, /, **fields: object) -> Map:
    """Change some fields of a feature past the API."""
    put(map_, msgspec.structs.replace(map_.features[id_], **fields))
    return map_


def drop(map_: Map, *names: str) -> None:
    for name in names:
        map_.apply(Delete(collection="features", id=name))


def side(map_: Map, a: str, b: str, *kinds: str) -> None:
    map_.model.perform(SetSide(a=map_.labels.cell(a), b=map_.labels.cell(b), kinds=kinds))

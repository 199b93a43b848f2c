"""Urban Operations: obstacles, walls, levels, blind hexes, apertures, breaches, rooms, zones (5.1, 8.2.7.8.1, 13.5)."""

from collections.abc import Iterator

from studio.sight import Conditions
from tests.golden import Line
from tests.sight.urban_town import Town


def lines() -> Iterator[Line]:
    """Yield the lines, each in a small town of its own."""
    yield from _obstacles()
    yield from _walls()
    yield from _levels()
    yield from _openings()
    yield from _inside()


def _obstacles() -> Iterator[Line]:
    yield "5.1.9.1 a wood on the way", Town(wood="0304").map, "0302", "0306", {}
    yield "5.1.9.1 along the side of an obstacle", Town(wood="0402").map, "0303", "0503", {}
    yield "5.1.9.1 an obstacle touched in a corner", Town(wood="0202").map, "0101", "0504", {}
    yield "5.1.9.1 from obstacle to obstacle", Town(wood="0302 0305").map, "0302", "0305", {}
    parked = Town()
    parked.marker("vehicle", "0304")
    yield "5.1.9.1 a vehicle marker", parked.map, "0302", "0306", {}
    there = frozenset([parked.map.labels.cell("0704")])
    yield "5.1.9.1 a vehicle of the moment", parked.map, "0702", "0706", {"conditions": Conditions(vehicles=there)}
    smoky = Town()
    smoky.marker("smoke", "0304", "0404")
    yield "5.2.3.3.2 smoke", smoky.map, "0302", "0306", {}


def _walls() -> Iterator[Line]:
    walled = Town()
    walled.wall_below("0303", "the orchard wall")
    yield "5.1.9.1 across an outer wall", walled.map, "0302", "0306", {}
    house = Town()
    house.house("25", house.box("0504", "0505"))
    yield "5.1.9.1 across a building", house.map, "0302", "0706", {}
    touched = Town()
    x, y = touched.centre("0304")
    touched.map.add("wall", type="outer_wall", id="low", line=[[x, y], [x + 900, y]])
    yield "5.1.9.1 the end of a wall", touched.map, "0302", "0306", {}
    yield (
        "5.1.9.1 the end of a wall, the other reading",
        touched.map,
        "0302",
        "0306",
        {"options": {"wall_touch": "passes"}},
    )


def _levels() -> Iterator[Line]:
    roofs = Town(defensive_terrain="0308", wood="0604")
    roofs.house("7", roofs.box("0303", "0304"), roof=True)
    yield "5.1.9.3 from a roof over an obstacle into the hex behind it", roofs.map, "7 roof", "0309", {}
    yield "5.1.9.3 from a roof beyond the blind hex", roofs.map, "7 roof", "0312", {}
    yield "5.1.9.3 from a roof to the foot of the building", roofs.map, "7 roof", "0305", {}
    yield "5.1.9.2 from a roof, and a wood on the way", roofs.map, "7 roof", "0905", {}
    hill = Town(elevation="0304 0305")
    yield "5.1.9.3 from higher ground", hill.map, "0304", "0309", {}
    ditch = Town(open_sewer="0305")
    yield "5.1.9.3 out of an open sewer", ditch.map, "0305", "0308", {}
    yield "5.1.9.3 across an open sewer", ditch.map, "0303", "0308", {}


def _openings() -> Iterator[Line]:
    house = Town()
    left, top, right, bottom = house.box("0504", "0505")
    house.house("25", (left, top, right, bottom), rooms=2)
    x, _ = house.centre("0505")
    house.opening("25.2", (x + 120, bottom), "0506", "0606", id="window")
    house.opening("25.2", (right, (top + bottom) // 2), "0604", kind="breach", id="hole", open=False)
    yield "5.1.9.4 out of an aperture, inside its arc", house.map, "25.2", "0508", {}
    yield "5.1.9.4 out of an aperture, outside its arc", house.map, "25.2", "0308", {}
    yield "5.1.9.4 a room without an aperture", house.map, "25.1", "0308", {}
    yield "5.1.9.4 a breach that has not been made", house.map, "25.2", "0704", {}
    yield (
        "5.1.9.4 a breach that has been made",
        house.map,
        "25.2",
        "0704",
        {"conditions": Conditions(opened=frozenset(["hole"]))},
    )


def _inside() -> Iterator[Line]:
    house = Town()
    house.house("25", house.box("0404", "0704"), rooms=3, roof=True)
    yield "8.2.7.8.1 from room to room", house.map, "25.1", "25.2", {}
    yield "8.2.7.8.1 across two partitions", house.map, "25.1", "25.3", {}
    yield "5.1.8 from a room to the roof", house.map, "25.1", "25 roof", {}
    yield "5.1.8 from another room to the roof", house.map, "25.3", "25 roof", {}
    zones = Town(unplayable="0404 0504 0604 0704")
    left, top, right, bottom = zones.box("0404", "0704")
    zones.area("26", "building", (left, top, right, bottom))
    zones.area("26.1", "divided_room", (left, top, right, bottom), within="area-26")
    for name, piece in (("26.1a", (left, top, left + 900, bottom)), ("26.1b", (left + 900, top, right, bottom))):
        zones.area(name, "zone", piece, within="area-26.1")
    yield "5.1.2 from zone to zone of one room", zones.map, "26.1a", "26.1b", {}

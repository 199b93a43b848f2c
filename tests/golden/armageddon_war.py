"""Armageddon War: every rule of sight once (3.0, 4.14, 4.141, 5.23, 5.6 and scenario rules)."""

from collections.abc import Iterator

from studio.sight import Conditions
from tests.golden import Line
from tests.sight.maps import small_map


def lines() -> Iterator[Line]:
    """Yield the lines, each on a small map of its own."""
    yield from _terrain()
    yield from _elevation()
    yield from _special()


def _terrain() -> Iterator[Line]:
    mixed = small_map(rough="0302", marsh="0303", dunes="0304")
    yield "4.14 obstacles and open ground between two units on the ground", mixed, "0301", "0305", {}
    yield "4.14 the terrain of the ends does not matter", small_map(dense_woods="0301 0305"), "0301", "0305", {}
    yield "4.14 adjacent hexes", small_map(dense_urban="0303 0304"), "0303", "0304", {}
    spine = small_map(light_woods="0402 0602")
    yield "4.14 along two borders", spine, "0303", "0703", {}
    yield "4.14 along one border", small_map(light_woods="0402"), "0303", "0703", {}
    both = small_map(light_woods="0402 0403")
    yield "4.14 one border of two blocking hexes", both, "0303", "0703", {}
    yield (
        "4.14 one border of two blocking hexes, counted as one",
        both,
        "0303",
        "0703",
        {"options": {"border_rule": "per_border"}},
    )
    yield "4.14 along the edge of the map", small_map(rough="0201"), "0101", "0301", {}
    corner = small_map(rough="0202 0402")
    yield "4.14 corners that are touched, chosen to count", corner, "0101", "0504", {"options": {"touch_blocks": True}}


def _elevation() -> Iterator[Line]:
    hill = small_map(rows=12).paint(["0304", "0305"], level=1)
    yield "4.14 a hill between two units on the ground", hill, "0301", "0308", {}
    yield "4.14 the far edge of the own hill", hill, "0304", "0309", {}
    yield "4.14 fire uphill", hill, "0309", "0305", {}
    ridges = small_map(rows=12).paint(["0302", "0310"], level=2).paint("0306", level=1).paint("0406", level=2)
    yield "4.14 another hill, lower where it is crossed", ridges, "0302", "0310", {}
    yield "4.14 another hill by its summit", ridges, "0302", "0310", {"options": {"other_hill": "summit"}}
    above = small_map(rows=12, light_urban="0305", dense_urban="0306 0307", cultivated="0408").paint("0302", level=1)
    yield "4.141 over an obstacle into the one behind it", above, "0302", "0307", {}
    near = small_map(rows=12, light_urban="0306", cultivated="0307").paint("0302", level=1)
    yield "4.141 over an obstacle right in front of the target", near, "0302", "0307", {}
    crest = small_map(rows=12)
    crest.add("crest", path=["0105", "0205", "0306", "0406", "0507"])
    yield "3.0 a crest line between two units on the ground", crest, "0303", "0309", {}
    yield "3.0 from a crest line", crest, "0306", "0310", {}


def _special() -> Iterator[Line]:
    bed = small_map(wadi="0303 0304 0305 0406")
    yield "3.0 along the bed of a wadi", bed, "0303", "0305", {}
    yield "3.0 out of a wadi", bed, "0303", "0307", {}
    yield "4.14 across a wadi", bed, "0203", "0503", {}
    smoky = small_map(rows=12)
    smoky.add("marker", type="smoke", at="0305")
    yield (
        "5.23 smoke on the way, air unit to air unit",
        smoky,
        "0302",
        "0308",
        {"conditions": Conditions(from_air=True, to_air=True)},
    )
    yield "5.23 into smoke from the next hex", smoky, "0304", "0305", {}
    woods = small_map(rows=12, light_woods="0304")
    yield "5.6 an air unit sees over an obstacle", woods, "0301", "0308", {"conditions": Conditions(from_air=True)}
    haze = Conditions(haze_step=4, visibility=10, visibility_modifier=-2)
    yield "special rules: haze and visibility", small_map(rows=12), "0301", "0309", {"conditions": haze}
    yield (
        "special rules: beyond visibility",
        small_map(rows=12),
        "0301",
        "0309",
        {"conditions": Conditions(visibility=6)},
    )
    watched = {"conditions": Conditions(surveillance=True)}
    yield "special rules: total surveillance", small_map(rough="0303"), "0301", "0305", watched

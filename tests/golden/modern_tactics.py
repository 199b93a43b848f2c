"""Modern Tactics: terrain, spines, drawn shapes, hexsides, levels, compounds, roads, helicopters (12 to 14, 30)."""

from collections.abc import Iterator

from studio.api import Map
from studio.sight import Conditions
from tests.golden import Line
from tests.sight.makers.modern_tactics import small_map

_PLATEAU = ["B2", "B3", "B4", "C3", "C4", "C5", "D2", "D3", "D4"]  # with C4 in the middle
_GULLY = [f"{column}{row}" for column in "CDEFG" for row in range(5, 10)]  # E7 lies two hexes inside


def lines() -> Iterator[Line]:
    """Yield the lines, each on a small map of its own."""
    yield from _terrain()
    yield from _drawn()
    yield from _levels()
    yield from _places()
    yield from _special()


def _box(map_: Map, label: str, x0: int, y0: int, x1: int, y1: int) -> list[list[int]]:
    x, y = map_.grid.centre(map_.labels.cell(label))
    return [[x + dx, y + dy] for dx, dy in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]


def _terrain() -> Iterator[Line]:
    yield "12.1 blocking terrain, and open terrain", small_map(grape_fields="C3 C5", wadi="C4"), "C2", "C6", {}
    yield "12.1 two degradations", small_map(crops="C3 C5"), "C2", "C6", {}
    yield "12.1 the third degradation", small_map(crops="C3 C4", marijuana_fields="C5"), "C2", "C6", {}
    yield "14.0 along a spine the heavier hex counts", small_map(crops="D3", grape_fields="D4"), "C4", "E4", {}
    yield "14.0 along a spine between two degrading hexes", small_map(crops="D3 D4"), "C4", "E4", {}
    marked = small_map(crops="C4")
    marked.add("marker", type="wreck", at="C4")
    marked.add("marker", type="smoke", at="C2")
    yield "13 markers, and fire out of smoke", marked, "C2", "C6", {}


def _drawn() -> Iterator[Line]:
    missed = small_map(structure="C4")
    missed.add("area", type="structure", outline=_box(missed, "C4", -200, -100, -60, 100))
    yield "12.2 a drawn structure that the line misses", missed, "C2", "C6", {}
    hit = small_map(structure="C4")
    hit.add("area", type="structure", outline=_box(hit, "C4", -200, -100, 60, 100))
    yield "14.6 a drawn structure that the line hits", hit, "C2", "C6", {}
    walled = small_map()
    walled.set_side("C4", "C5", "low_wall").set_side("C2", "C3", "hedge")
    yield "14.4 hexside terrain on the way, and of the own hex", walled, "C2", "C7", {}
    spine = small_map(crops="D3")
    spine.set_side("D3", "D4", "low_wall")
    yield "14.4 along hexside terrain", spine, "C4", "E4", {}


def _levels() -> Iterator[Line]:
    yield "12.4 a hill between two lower units", small_map().paint("C4", level=1), "C2", "C6", {}
    plateau = small_map().paint(_PLATEAU, level=1)
    yield "12.4 from the middle of a plateau", plateau, "C4", "C8", {}
    yield "12.4 from a crest hex", plateau, "C5", "C8", {}
    others = small_map().paint(["C2", "C5", "C8"], level=1)
    yield "14.5 another hill of the same level", others, "C2", "C8", {}
    above = small_map(structure="C5").paint("C2", level=1)
    yield "12.4 the blind hex behind a structure", above, "C2", "C6", {}
    yield "12.4 beyond the blind hex", above, "C2", "C7", {}
    yield "12.4 a slope has no blind hex", small_map().paint("C2", level=2).paint("C3", level=1), "C2", "C4", {}
    smoky = small_map().paint(["C2", "C8"], level=2)
    smoky.add("marker", type="smoke", at="C5")
    yield "13.8 smoke is never seen over", smoky, "C2", "C8", {}
    gully = small_map().paint(_GULLY, level=-1)
    yield "12.4 the inside of a gully from its rim", gully, "E4", "E7", {}
    yield "12.4 the inside of a gully from further away", gully, "E3", "E7", {}
    yield "30.0 the inside of a gully from the air", gully, "E1", "E7", {"conditions": Conditions(from_air=True)}


def _places() -> Iterator[Line]:
    street = small_map(columns=16, structure="G10")
    x, y = street.grid.centre(street.labels.cell("G10"))
    street.add("road", path=["F9", "G10", "H9"], line=[[x - 900, y + 200], [x + 900, y + 200]])
    street.add("area", type="structure", outline=_box(street, "G10", -150, -150, 150, 150))
    street.add("area", type="structure", outline=_box(street, "G8", -40, -100, 240, 100))
    yield "14.7 from the structure beside a road", street, "G10", "G5", {}
    yield "14.7 from the road", street, "G10 road", "G5", {}
    compound = small_map(columns=30, rows=12)
    compound.add("area", type="compound", name="K", outline=_box(compound, "X3", -1000, -700, 600, 700))
    yield "Playbook 2 out of the middle of a compound", compound, "X3", "X9", {}
    yield "Playbook 2 across the own wall", compound, "X4", "X9", {}
    yield "Playbook 2 from the wall through the compound", compound, "X4", "X0", {}
    wall = small_map()
    wall.add("wall", type="high_wall", line=_box(wall, "C5", -300, 0, 300, 0)[:2])
    yield "Playbook 2 a high wall", wall, "C2", "C8", {}


def _special() -> Iterator[Line]:
    field = small_map(crops="C4")
    yield "beyond visibility", field, "C2", "C6", {"conditions": Conditions(visibility=3)}
    tall = small_map(structure="C5").paint("C5", level=1)
    yield (
        "14.8 a structure of two storeys, seen from a helicopter",
        tall,
        "C2",
        "C6",
        {"conditions": Conditions(from_air=True)},
    )

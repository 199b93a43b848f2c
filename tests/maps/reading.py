"""What the tests of maps ask of a map: terrain, roads, edges, drawn structures, compounds, lines of sight."""

import itertools

import shapely

import studio
from studio.model import Area, Road
from studio.survey import on_edge

EDGES = ("north", "east", "south", "west")

Map = studio.Map


def cells(m: Map, text: str) -> list[int]:
    return m.labels.cells(text.split())


def are(m: Map, terrain: str, text: str) -> bool:
    return all(m.model.terrain_at(cell) == terrain for cell in cells(m, text))


def free(m: Map, text: str) -> bool:
    """Tell whether a unit on foot pays 1 MP and vehicles may stand there."""
    costs = [m.ruleset.terrain(m.model.terrain_at(cell)).move for cell in cells(m, text)]
    roads = [m.survey.has_road(cell) for cell in cells(m, text)]
    return all(str(cost["foot"]) == "1" or road for cost, road in zip(costs, roads, strict=True))


def wheels(m: Map, text: str) -> bool:
    """Tell whether wheeled vehicles may be in hexes: by terrain or on a road."""
    return all(
        m.survey.has_road(cell) or str(m.ruleset.terrain(m.model.terrain_at(cell)).move["wheeled"]) != "X"
        for cell in cells(m, text)
    )


def on_road(m: Map, text: str) -> bool:
    return all(m.survey.has_road(cell) for cell in cells(m, text))


def joined(m: Map, text: str) -> bool:
    """Tell whether roads lead from each hex to the next."""
    return all((min(pair), max(pair)) in m.survey.roads for pair in itertools.pairwise(cells(m, text)))


def adjacent(m: Map, text: str) -> bool:
    return all(m.grid.distance(a, b) == 1 for a, b in itertools.pairwise(cells(m, text)))


def at(m: Map, text: str, *edges: str) -> bool:
    return all(any(on_edge(m.grid, cell, edge) for edge in edges or EDGES) for cell in cells(m, text))


def edge_roads(m: Map, edge: str) -> list[str]:
    """Return the road hexes of an edge out of which a road leads there: it ends in them."""
    ends = {end for road in m.survey.features_of(Road) for end in (road.path[0], road.path[-1])}
    return sorted(end for end in ends if on_edge(m.grid, m.labels.cell(end), edge))


def drawn(m: Map, kind: str, label: str) -> list[Area]:
    """Return the drawn areas of a type whose inside meets that of a hex."""
    cell = m.labels.cell(label)
    return [area for area in m.survey.features_of(Area) if area.type == kind and cell in m.survey.area_cells(area.id)]


def structures(m: Map, text: str) -> bool:
    """Tell whether there is a structure in each hex, drawn, and foot units pay for it."""
    return are(m, "structure", text) and all(drawn(m, "structure", label) for label in text.split())


def storeys(m: Map, text: str) -> int:
    """Return how many storeys the one structure has that stands in all these hexes and in no other, 0 without one."""
    first, *_ = text.split()
    found = [a for a in drawn(m, "structure", first) if set(m.survey.area_cells(a.id)) == set(cells(m, text))]
    return found[0].level + 1 if len(found) == 1 else 0


def compound(m: Map, label: str) -> str:
    """Return the id of the compound that the dot of a hex is in, empty outside."""
    dot = shapely.Point(m.grid.centre(m.labels.cell(label)))
    found = [a.id for a in m.survey.features_of(Area) if a.type == "compound" and m.survey.polygon(a.id).contains(dot)]
    return found[0] if found else ""


def compounds(m: Map) -> list[Area]:
    return [area for area in m.survey.features_of(Area) if area.type == "compound"]


def holds_wall(m: Map, label: str) -> bool:
    hexagon = shapely.Polygon(m.grid.corners(m.labels.cell(label)))
    return any(m.survey.polygon(area.id).exterior.intersects(hexagon) for area in compounds(m))


def sees(m: Map, a: str, b: str) -> tuple[str, int]:
    there, back = m.sight(a, b), m.sight(b, a)
    assert (there.status, there.hindrances) == (back.status, back.hindrances)
    return there.status, there.hindrances


def blockers(m: Map, a: str, b: str) -> list[object]:
    return [reason.at for reason in m.sight(a, b).reasons if reason.effect == "blocks"]

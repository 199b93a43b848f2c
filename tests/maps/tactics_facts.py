"""What the text of Modern Tactics: Afghanistan says of the printed maps, place by place, each with its check.

Examples that show troops of other modules (Polish, Russian, Ukrainian), or terrain that no Afghan map has (mixed
woods), are of other maps and are left out. Of the others each is held against the map whose scenarios it agrees with.
"""

from collections.abc import Callable

from studio.model import Area, Road
from tests.maps.reading import (
    Map,
    adjacent,
    are,
    at,
    blockers,
    cells,
    compound,
    compounds,
    drawn,
    edge_roads,
    free,
    holds_wall,
    joined,
    on_road,
    sees,
    storeys,
    structures,
    wheels,
)

NAMED = {
    1: "A17 GG1 Y4 W4 X3 P11 H13 K16 D15 G4 R16 W9 Z4 I4 Z10 S17 L9 Z0 GG10 GG19 E15 X5 P5 Q11 T5 U10 P9 DD2 I11 AA10 "
    "T17 Y7 GG9 GG18 H15 W15 DD6 Z13 R12 F9 N5 F14 K7 M16 U4 A6 A7 C1 D0 J0 K1 EE15 EE16 Y8 T2 BB14 L3 T15 EE9 L11 N4 "
    "Q15 V6 Y13 H7 O17 P6 R9 S9 Q9 S10 S4 T4 J8 J9 K8",
    2: "V14 W13 W19 GG19 X2 FF9 H10 A1 A2 A4 H7 F15 X4 Y5 AA9 EE15 H3 G4 G5 G6 A8 A9 A10 Q5 Q15 GG3 M15 F16 W1 FF0 GG4 "
    "Y4 V10 Z6 Z15 B9 C10 D10 E11 Y12 Y13 AA13 V13 U14 S11 T11 F10 M13 O14 N13 O17 M8 T4 U10 Z13 BB12 J9 J10 K9",
    3: "C2 C3 D2 B5 D8 N5 O6 H4 A3 A6 A7 A8 I6 N3 M9 M2 N6 N7",
    4: "F6 G7 H7 I8 A2 O8 H2 N3 B8 O9 H8 L8 I9 J8 K9 I3 M4",
}

Fact = tuple[int, str, str, Callable[[Map], bool]]

OBJECTIVES_20 = "H7 O17 P6 Q11 T2 W15 Y8"


def north_of_the_highway(m: Map) -> list[Area]:
    (highway,) = [road for road in m.survey.features_of(Road) if road.surface == "paved"]
    (x0, y0), *_, (x1, y1) = (m.grid.centre(cell) for cell in cells(m, " ".join(highway.path)))

    def above(x: float, y: float) -> bool:
        return (y - y0) * (x1 - x0) < (x - x0) * (y1 - y0)

    return [area for area in compounds(m) if all(above(x, y) for x, y in area.outline)]


def without_objective(m: Map) -> set[str]:
    return {area.id for area in compounds(m)} - {compound(m, label) for label in OBJECTIVES_20.split()}


FACTS: list[Fact] = [
    # Map 1: scenarios 4, 5, 6, 7, 12, 13, 20
    (
        1,
        "scenario 4",
        "the market's H13 and D15 lie on the paved road",
        lambda m: on_road(m, "H13 D15"),
    ),
    (
        1,
        "scenario 4",
        "sections enter by these hexes",
        lambda m: at(m, "Z0 GG1 GG10 GG19") and on_road(m, "Z0 GG1 GG10 GG19"),
    ),
    (
        1,
        "scenario 4",
        "the line of road between E15 and X5",
        lambda m: joined(m, "E15 F14 G14 H13 I13 J12 K12 L11 M11 N10 O10 P9 Q9 R8 S8 T7 U7 V6 W6 X5"),
    ),
    (
        1,
        "scenario 5",
        "contacts are in compounds",
        lambda m: all(compound(m, label) for label in ("P5", "Q11", "T5", "U10")),
    ),
    (
        1,
        "scenarios 5, 20",
        "roads leave by the east and the west edge",
        lambda m: {"GG1", "GG10", "GG19"} <= set(edge_roads(m, "east")),
    ),
    (
        1,
        "scenario 13",
        "vehicles enter by several road hexes of the west edge",
        lambda m: len(edge_roads(m, "west")) >= 2,
    ),
    (
        1,
        "scenario 6",
        "set-up by vehicles on A1 to A7, exit between GG9 and GG18",
        lambda m: (
            at(m, "A1 A2 A3 A4 A5 A6 A7", "west") and wheels(m, "A1 A2 A3 A4 A5 A6 A7") and at(m, "GG9 GG18", "east")
        ),
    ),
    (1, "scenario 7", "five contacts in five different compounds", lambda m: len(compounds(m)) >= 5),
    (
        1,
        "scenario 12",
        "six contacts, one a compound, north of the paved road",
        lambda m: len(north_of_the_highway(m)) >= 6,
    ),
    (1, "scenario 12", "exit hexes", lambda m: at(m, "A6 A7", "west") and at(m, "C1 D0 J0 K1", "north")),
    (1, "scenario 12", "Humvees enter by a road hex of the west edge", lambda m: "A17" in edge_roads(m, "west")),
    (
        1,
        "scenario 20",
        "objectives are in compounds, and others hold none",
        lambda m: all(compound(m, label) for label in OBJECTIVES_20.split()) and len(without_objective(m)) >= 1,
    ),
    (
        1,
        "Playbook 2",
        "W4 and X3 are inside one compound, Y4 is outside",
        lambda m: compound(m, "W4") == compound(m, "X3") != "" and not compound(m, "Y4"),
    ),
    (
        1,
        "Playbook 2",
        "W4 and Y4 hold a piece of the wall, X3 holds none",
        lambda m: holds_wall(m, "W4") and holds_wall(m, "Y4") and not holds_wall(m, "X3"),
    ),
    (
        1,
        "Playbook 2",
        "X3 sees Y4 at the wall, and no hex beyond it",
        lambda m: sees(m, "X3", "Y4")[0] == "clear" and "X4" in blockers(m, "X3", "W6"),
    ),
    (1, "Playbook 2", "W4 sees out", lambda m: sees(m, "W4", "W6") == ("clear", 0)),
    (1, "Playbook 2", "Y4 sees inside", lambda m: sees(m, "Y4", "W4") == ("clear", 0)),
    (
        1,
        "Playbook 2",
        "P11 is a structure inside its compound, off the outer wall",
        lambda m: structures(m, "P11") and compound(m, "P11") != "" and not holds_wall(m, "P11"),
    ),
    (
        1,
        "Playbook 2",
        "P11 sees the inside only",
        lambda m: sees(m, "P11", "P12")[0] == "clear" and "R11" in blockers(m, "P11", "S11"),
    ),
    (
        1,
        "Playbook 3, bombers",
        "S4 is open, T4 beside it is a structure",
        lambda m: are(m, "open", "S4") and structures(m, "T4") and adjacent(m, "S4 T4"),
    ),
    (1, "10.3", "the blast of R9 reaches S9", lambda m: adjacent(m, "R9 S9")),
    (1, "30.5", "from Q9 to R9 and S10 for 1 MP each", lambda m: adjacent(m, "Q9 R9 S10") and free(m, "R9 S10")),
    (
        1,
        "14.8",
        "J8, J9 and K8 are one structure of two storeys",
        lambda m: storeys(m, "J8 J9 K8") == 2,
    ),
    (
        1,
        "12.4, 14.8",
        "a structure on the ground in front of it, of two hexes, hides nothing: L9 is no blind spot",
        lambda m: storeys(m, "K9 K10") == 1 and sees(m, "J8", "L9") == ("clear", 0),
    ),
    (
        1,
        "14.8",
        "inside it only adjacent hexes are seen",
        lambda m: sees(m, "K8", "J9")[0] == "blocked" and sees(m, "K8", "J8")[0] == "clear",
    ),
    # Map 2: scenarios 1, 3, 9, 10, 15, 18
    (2, "scenario 1, 12.4", "the outpost is the structures of V14 and W13", lambda m: structures(m, "V14 W13")),
    (
        2,
        "scenarios 1, 15",
        "W19 and GG19 are exits, and technicals enter there",
        lambda m: at(m, "W19 GG19", "south") and on_road(m, "W19 GG19"),
    ),
    (
        2,
        "scenario 1",
        "wheeled vehicles enter on A1, A2 and A4, not on A3",
        lambda m: wheels(m, "A1 A2 A4") and at(m, "A1 A2 A4", "west") and not wheels(m, "A3"),
    ),
    (
        2,
        "scenario 9",
        "a Bison stands on the road works",
        lambda m: on_road(m, "H3 G4 G5 G6") and joined(m, "H3 G4 G5 G6"),
    ),
    (2, "scenario 9", "exit by A8, A9 and A10", lambda m: at(m, "A8 A9 A10", "west")),
    (
        2,
        "scenarios 9, 18",
        "the road hexes of the east edge are GG3 and GG19",
        lambda m: edge_roads(m, "east") == ["GG19", "GG3"],
    ),
    (
        2,
        "scenario 10",
        "vehicles enter from W1 to FF0 in the north",
        lambda m: (
            at(m, "W1 X0 Y1 Z0 AA1 BB0 CC1 DD0 EE1 FF0", "north") and wheels(m, "W1 X0 Y1 Z0 AA1 BB0 CC1 DD0 EE1 FF0")
        ),
    ),
    (
        2,
        "scenario 10",
        "a tank and a G Wagon enter on GG3 and GG4",
        lambda m: at(m, "GG3 GG4", "east") and wheels(m, "GG3 GG4"),
    ),
    (
        2,
        "scenario 10, 24.1",
        "the strongpoints are structures that can collapse",
        lambda m: structures(m, "M15 F15 F16"),
    ),
    (2, "scenario 15", "the bomb factory is the structures of X4, Y4 and Y5", lambda m: structures(m, "X4 Y4 Y5")),
    (
        2,
        "scenario 18",
        "vehicles set up on the road in A9, B9, C10, D10 and E11",
        lambda m: joined(m, "A9 B9 C10 D10 E11") and at(m, "A9", "west"),
    ),
    (
        2,
        "scenario 18",
        "vehicles can reach two of the objectives and the east edge",
        lambda m: joined(m, "U10 V10 W10") and on_road(m, "V10 Z6 Z15"),
    ),
    (
        2,
        "12.4",
        "Y12 and Y13 are crest hexes of level 1, AA13 lies on its plateau",
        lambda m: (
            [m.model.level_at(c) for c in cells(m, "Y12 Y13 AA13 X12")] == [1, 1, 1, 0]
            and all(m.model.level_at(c) >= 1 for c in m.grid.neighbours(m.labels.cell("AA13")))
        ),
    ),
    (2, "12.4", "V13 is a blind spot behind W13 from Y12", lambda m: blockers(m, "Y12", "V13") == ["W13"]),
    (
        2,
        "12.4",
        "from Y12 U14 is seen, and V10 without any effect",
        lambda m: sees(m, "Y12", "U14")[0] != "blocked" and sees(m, "Y12", "V10") == ("clear", 0),
    ),
    (
        2,
        "12.4",
        "from Y13 S11 is seen over the degrading terrain of T11",
        lambda m: are(m, "crops", "T11") and sees(m, "Y13", "S11") == ("hindered", 1),
    ),
    (
        2,
        "12.4",
        "AA13 sees its own level, and nothing below",
        lambda m: sees(m, "AA13", "Y12")[0] == "clear" and "AA13" in blockers(m, "AA13", "S11"),
    ),
    (2, "8.2", "F10 is farm, and H7 sees it", lambda m: are(m, "farm", "F10") and sees(m, "H7", "F10")[0] != "blocked"),
    (
        2,
        "25",
        "the way from O14 over N13 to the grape fields of M13 is open",
        lambda m: are(m, "open", "O14 N13") and are(m, "grape_fields", "M13") and adjacent(m, "O14 N13 M13"),
    ),
    (
        2,
        "26",
        "O17 is a marijuana field between another and a structure",
        lambda m: (
            are(m, "marijuana_fields", "N16 O17") and structures(m, "P17") and sees(m, "N16", "P17") == ("hindered", 1)
        ),
    ),
    (2, "30.4", "M8 is a grape field", lambda m: are(m, "grape_fields", "M8")),
    (2, "28", "a LAV III fights in T4", lambda m: wheels(m, "T4")),
    (2, "33", "U10 and V10 are open and adjacent", lambda m: are(m, "open", "U10 V10") and adjacent(m, "U10 V10")),
    (
        2,
        "34.3",
        "BB12 lies two hexes from Z13, along a row",
        lambda m: m.grid.distance(*cells(m, "Z13 BB12")) == 2 and adjacent(m, "Z13 AA13 BB12"),
    ),
    (
        2,
        "14.0",
        "J10 blocks, J9 and K9 degrade, the others around J10 do nothing",
        lambda m: (
            are(m, "grape_fields", "J10")
            and are(m, "crops", "J9 K9")
            and all(m.ruleset.terrain(m.model.terrain_at(c)).sight == "none" for c in cells(m, "I10 I11 J11 K10"))
        ),
    ),
    (
        2,
        "14.0",
        "along the sides of J10 sight is blocked, along those of J9 and K9 degraded",
        lambda m: (
            sees(m, "I10", "K10")[0] == sees(m, "I11", "K11")[0] == "blocked"
            and sees(m, "J8", "K10") == sees(m, "I9", "K9") == ("hindered", 1)
        ),
    ),
    # Map 3: scenarios 8, 14, 19
    (3, "scenario 8", "N5 and O6 are road hexes", lambda m: joined(m, "N5 O6") and at(m, "O6", "east")),
    (3, "scenario 8", "what lies in ruins there in C2 and C3 stands on the map", lambda m: structures(m, "C2 C3")),
    (3, "scenario 8", "bunkers hidden in the crops of D2, B5 and D8", lambda m: are(m, "crops", "D2 B5 D8")),
    (3, "scenario 14", "the outpost: C3 and H4", lambda m: structures(m, "C3 H4")),
    (
        3,
        "scenario 14",
        "a bunker in I6, which is no structure and has no water",
        lambda m: not are(m, "structure", "I6"),
    ),
    (
        3,
        "scenario 14",
        "a Humvee enters on A3, troops on A6 to A8",
        lambda m: edge_roads(m, "west") == ["A3"] and at(m, "A6 A7 A8", "west"),
    ),
    (3, "scenario 14", "the O hexline is the east edge", lambda m: at(m, "O1 O6 O9", "east")),
    (3, "scenario 19", "the safe houses N3 and M9 are structures", lambda m: structures(m, "N3 M9")),
    (3, "scenario 19", "a technical can enter from the east", lambda m: "O6" in edge_roads(m, "east")),
    (
        3,
        "8 (heavy fire)",
        "N5 is in the open, N6 beside it a marijuana field",
        lambda m: are(m, "open", "N5") and are(m, "marijuana_fields", "N6") and adjacent(m, "N5 N6"),
    ),
    # Map 4: scenarios 2, 11, 16, 17
    (4, "scenario 2", "the patrol was hit on the road: F6, G7, H7, I8", lambda m: joined(m, "F6 G7 H7 I8")),
    (
        4,
        "scenarios 2, 16",
        "the road enters at A2 and leaves at O8",
        lambda m: edge_roads(m, "west") == ["A2"] and "O8" in edge_roads(m, "east"),
    ),
    (4, "scenario 16", "vehicles leave by O8 and O9", lambda m: at(m, "O8 O9", "east") and wheels(m, "O8 O9")),
    (
        4,
        "scenario 11",
        "the objectives H2 and N3 are high ground above the valley of B8",
        lambda m: min(m.model.level_at(c) for c in cells(m, "H2 N3")) > m.model.level_at(m.labels.cell("B8")) == 0,
    ),
    (4, "scenario 17", "the structures of the outpost are I9, J8 and K9", lambda m: structures(m, "I9 J8 K9")),
    (4, "scenario 17", "the bunkers of H8 and L8 are in no structure", lambda m: are(m, "open", "H8 L8")),
    (
        4,
        "12.4",
        "I3 is a plateau: no hex beside it is lower",
        lambda m: (
            m.model.level_at(m.labels.cell("I3")) >= 1
            and all(
                m.model.level_at(c) >= m.model.level_at(m.labels.cell("I3"))
                for c in m.grid.neighbours(m.labels.cell("I3"))
            )
        ),
    ),
    (
        4,
        "12.4",
        "I3 sees its own level and higher, and no lower one",
        lambda m: sees(m, "I3", "J1")[0] == "clear" and "I3" in blockers(m, "I3", "H5"),
    ),
    (
        4,
        "12.2, 14.5",
        "M4 holds a hill, and a line that misses it is degraded",
        lambda m: (
            bool(drawn(m, "hill", "M4"))
            and sees(m, "L2", "M5")[0] == "hindered"
            and any(r.at == "M4" and r.effect == "hinders" and "misses" in r.text for r in m.sight("L2", "M5").reasons)
        ),
    ),
    (4, "24.0", "a MaxxPro takes part in an assault on N3", lambda m: wheels(m, "N3")),
]

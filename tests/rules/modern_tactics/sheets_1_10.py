"""What the sheets of scenarios 1 to 10 of Modern Tactics: Afghanistan say, typed from the text, for the tests."""

from typing import NamedTuple


class Head(NamedTuple):
    name: str
    map: int
    turns: int
    luck_cards: int
    date: str
    first: str
    sides: dict[str, tuple[str, int, int]]
    """Impulse, infantry smoke and the losses at which contact is broken, 0 where nothing is said."""


HEADS = {
    1: Head("Under Fire", 2, 12, 3, "July 12th, 2006", "coalition",
            {"insurgent": ("3D6", 0, 0), "coalition": ("1D6+3", 4, 0)}),
    2: Head("Barton's Holdouts", 4, 10, 2, "August 22nd, 2006", "canadian",
            {"insurgent": ("3D6", 0, 0), "canadian": ("1D6+1", 4, 6)}),
    3: Head("Medusa", 2, 15, 3, "", "insurgent", {"insurgent": ("2D6+3", 0, 0), "canadian": ("3D6+3", 4, 20)}),
    4: Head("Open Market", 1, 12, 3, "", "insurgent", {"insurgent": ("2D6", 0, 0), "canadian": ("2D6+2", 4, 10)}),
    5: Head("High Value Target", 1, 9, 2, "", "insurgent", {"insurgent": ("2D6", 0, 0), "canadian": ("1D6+5", 4, 12)}),
    6: Head("Presence Patrol", 1, 12, 3, "", "insurgent", {"insurgent": ("2D6", 0, 0), "coalition": ("2D6+3", 4, 11)}),
    7: Head("Snake Pit", 1, 14, 3, "", "insurgent", {"insurgent": ("4D6", 0, 0), "canadian": ("3D6+3", 4, 18)}),
    8: Head("Dismounted Attack", 3, 8, 2, "", "insurgent", {"insurgent": ("3D6", 0, 0), "canadian": ("1D6+4", 4, 6)}),
    9: Head("Outside the Wire", 2, 12, 2, "", "canadian", {"insurgent": ("2D6", 0, 0), "canadian": ("1D6+2", 4, 0)}),
    10: Head("Strongpoint", 2, 10, 2, "", "insurgent", {"insurgent": ("2D6", 0, 0), "canadian": ("2D6+1", 4, 10)}),
}  # fmt: skip


INSURGENT = {
    "Fighters": "fighters", "Recruits": "recruits", "Fanatics": "fanatics", "Leader": "leader", "Sniper": "sniper",
    "Bomber": "bomber", "FAM": "fam", "HMG": "hmg", "SPG-9": "spg_9", "Technical": "technical",
}  # fmt: skip
CANADIAN = {
    "Rifle": "rifle", "CEng": "ceng", "JTF 2": "jtf_2", "Team": "team", "Mortar": "mortar", "Sniper": "sniper",
    "Captain": "captain", "Lieutenant": "lieutenant", "Sergeant": "sergeant", "LAV III": "lav_iii", "Bison": "bison",
    "RG-31": "rg_31", "G Wagon": "g_wagon", "Leopard 2": "leopard_2",
}  # fmt: skip
AFGHAN = {"ANA": "ana", "Lieutenant": "lieutenant", "Sergeant": "sergeant", "Humvee": "humvee"}
SUPPORT = {
    "LMG": "lmg", "RPG-7": "rpg_7", "M 72": "m_72", "Carl G": "carl_g", "Demo": "demo",
}  # fmt: skip
FIELD = {
    "Wire": "wire", "Trench": "trench", "Mines": "mines", "IED": "ied", "Bunker": "bunker", "Roadblock": "roadblock",
    "Civilians": "civilians",
}  # fmt: skip


class Group(NamedTuple):
    nation: str
    units: str
    check: int
    enters: int = 0
    """Turn of the entry, the first one of those that have to be activated; 0 for units that set up."""
    loaded: str = ""
    die: bool = False
    """The impulse of the side gains one die."""
    waits: bool = False
    """It has to be activated first."""


# Snipers who set up are hidden even where the sheet does not say so (7.5, 19.0).
GROUPS: dict[int, dict[str, Group]] = {
    1: {
        "insurgent-1": Group("insurgent", "3 Fighters, 4 Recruits, 1 Leader, 1 LMG, 2 RPG-7", 9),
        "insurgent-2": Group("insurgent", "3 Fanatics, 2 Bomber (covert), 1 Sniper (hidden), 2 LMG", 9),
        "insurgent-3": Group("insurgent", "4 Fighters, 2 Recruits, 1 FAM, 1 Leader, 2 LMG, 2 RPG-7", 9),
        "afghan": Group("afghan", "3 ANA, 3 ANA (reduced), 1 Lieutenant, 1 Sergeant, 3 LMG, 4 Wire", 8),
        "canadian": Group(
            "canadian", "2 Rifle, 1 Rifle (reduced), 2 Sergeant, 2 LMG, 1 M 72, 1 LAV III, 2 Bison", 7,
            enters=2, loaded="must", die=True, waits=True,
        ),
    },
    2: {
        "insurgent-1": Group("insurgent", "3 Fighters, 4 Recruits, 1 Sniper, 1 Leader, 2 LMG, 2 RPG-7", 8, enters=1),
        "canadian-1": Group(
            "canadian", "1 Rifle, 2 Rifle (reduced), 2 LMG, 1 Sergeant, 1 Bison (immobilised), 1 Bison (wreck)", 6
        ),
        "qrf": Group("canadian", "2 LAV III", 6, enters=2, die=True, waits=True),
    },
    3: {
        "insurgent-1": Group(
            "insurgent",
            "4 Fanatics, 6 Fighters, 8 Recruits, 1 HMG, 1 SPG-9 (hidden), 2 Sniper (hidden), 1 FAM, 3 Leader, 4 LMG, "
            "5 RPG-7, 1 Mines (hidden), 1 IED (hidden), 1 Bunker (hidden), 3 Wire, 3 Trench",
            8,
        ),
        "insurgent-2": Group("insurgent", "3 Recruits, 1 LMG, 1 RPG-7, 1 Technical", 8, enters=7),
        "canadian-1": Group(
            "canadian",
            "8 Rifle, 4 CEng, 1 Sniper, 1 Captain, 1 Lieutenant, 2 Sergeant, 1 Mortar, 3 LMG, 2 M 72, 2 Carl G, "
            "1 Demo, 4 LAV III, 2 Bison, 2 RG-31",
            7, enters=1, loaded="may",
        ),
        "air-support": Group("us", "1 Apache", 6, enters=7, waits=True),
    },
    4: {
        "insurgent-1": Group("insurgent", "2 Fighters, 3 Recruits, 1 Leader, 1 LMG, 1 RPG-7", 9),
        "insurgent-2": Group("insurgent", "1 Fanatics, 1 Bomber (covert), 1 Sniper, 1 LMG", 9, enters=7),
        "section-1": Group("canadian", "3 Rifle, 1 CEng, 1 Lieutenant, 1 LMG, 1 Carl G", 7, enters=1),
        "section-2": Group("canadian", "2 Rifle, 2 CEng, 1 Sergeant, 1 LMG, 2 Demo", 7, enters=1),
    },
    5: {
        "insurgent-1": Group(
            "insurgent", "3 Fighters, 4 Recruits, 1 Leader, 1 Bomber (covert), 1 LMG, 2 RPG-7, 1 Sniper (hidden)", 8
        ),
        "insurgent-2": Group("insurgent", "2 Fighters, 2 Recruits, 2 LMG", 8, enters=4, die=True),
        "canadian-1": Group(
            "canadian", "2 JTF 2 (elite), 1 Lieutenant, 1 LMG, 1 Demo, 2 RG-31", 7, enters=1, loaded="must"
        ),
        "canadian-2": Group(
            "canadian", "2 Rifle, 1 Lieutenant, 1 LMG, 1 Carl G, 1 LAV III, 1 Bison", 7, enters=2, loaded="must"
        ),
    },
    6: {
        "insurgent-1": Group("insurgent", "3 Fighters, 3 Recruits, 1 Sniper (hidden), 2 LMG, 2 RPG-7, 3 Wire", 8),
        "afghan": Group("afghan", "6 ANA, 1 Lieutenant, 1 Sergeant, 1 LMG, 1 RPG-7, 1 Humvee", 9, loaded="may"),
        "canadian": Group(
            "canadian", "2 Rifle, 1 Lieutenant, 1 LMG, 1 M 72, 1 RG-31", 7, enters=2, loaded="may"
        ),
    },
    7: {
        "insurgent-1": Group(
            "insurgent",
            "3 Fanatics, 4 Fighters, 4 Recruits, 2 Sniper (hidden), 1 Bomber (covert), 1 FAM, 2 Leader, 3 LMG, "
            "3 RPG-7, 1 IED (hidden), 2 Roadblock, 4 Wire",
            9,
        ),
        "insurgent-2": Group("insurgent", "1 Fanatics, 2 Bomber (covert), 1 LMG", 9, enters=7),
        "canadian-1": Group(
            "canadian",
            "8 Rifle, 3 CEng, 1 Mortar, 1 Captain, 2 Sergeant, 3 LMG, 1 Carl G, 3 M 72, 4 LAV III", 7,
            enters=1, loaded="may",
        ),
        "canadian-2": Group("canadian", "1 Leopard 2, 1 G Wagon", 7, enters=1, waits=True),
    },
    8: {
        "insurgent-1": Group(
            "insurgent",
            "3 Fighters, 2 Recruits, 1 Sniper (hidden), 1 FAM, 1 Leader, 1 LMG, 2 RPG-7, 1 Trench, 1 Wire", 8,
        ),
        "insurgent-2": Group("insurgent", "1 Fanatics, 2 Recruits, 1 LMG", 8, enters=4, die=True),
        "canadian-1": Group(
            "canadian", "3 Rifle, 1 Team, 1 Captain, 2 LMG, 1 Carl G, 1 G Wagon, 1 Bison", 7, loaded="may"
        ),
    },
    9: {
        "insurgent-1": Group(
            "insurgent", "2 Fanatics, 2 Fighters, 3 Recruits, 1 Sniper (hidden), 1 Leader, 2 LMG, 2 RPG-7", 9
        ),
        "insurgent-2": Group("insurgent", "3 Fighters, 2 Recruits, 2 LMG, 1 RPG-7", 9, enters=4, die=True),
        "canadian-1": Group(
            "canadian", "2 Rifle (reduced), 1 Sniper (hidden), 1 Sergeant, 1 LMG, 1 Bison (immobilised)", 7
        ),
        "civilians": Group("canadian", "4 Civilians", 0),
        "qrf": Group(
            "canadian", "2 Rifle, 1 Lieutenant, 2 LMG, 2 LAV III, 1 Bison", 7,
            enters=2, loaded="must", die=True, waits=True,
        ),
    },
    10: {
        "insurgent-1": Group(
            "insurgent",
            "4 Fighters, 3 Recruits, 2 Leader, 1 SPG-9 (hidden), 3 LMG, 3 RPG-7, 1 IED (hidden), 1 Bunker (hidden)", 8,
        ),
        "insurgent-2": Group("insurgent", "2 Fanatics, 2 Recruits, 1 LMG, 1 RPG-7", 8, enters=4, die=True),
        "canadian-1": Group(
            "canadian",
            "4 Rifle, 1 Lieutenant, 1 Sergeant, 2 LMG, 1 M 72, 1 Demo, 1 LAV III, 3 Bison", 7, enters=1, loaded="must",
        ),
        "canadian-2": Group("canadian", "1 Leopard 2, 1 G Wagon", 7, enters=2, die=True),
    },
}  # fmt: skip

MARKET = "E15 F14 G14 H13 I13 J12 K12 L11 M11 N10 O10 P9 Q9 R8 S8 T7 U7 V6 W6 X5"

AREAS = [
    (1, "canadian", "A1 A2 A4"),
    (2, "qrf", "A2 O8"),
    (3, "canadian-1", " ".join(f"A{n}" for n in range(1, 20))),
    (3, "insurgent-2", " ".join(f"GG{n}" for n in range(1, 20))),
    (3, "air-support", " ".join(f"GG{n}" for n in range(1, 20))),
    (4, "insurgent-1", MARKET),
    (4, "insurgent-2", " ".join(f"A{n}" for n in range(1, 20))),
    (4, "section-1", "Z0 GG1 GG10 GG19"),
    (4, "section-2", "Z0 GG1 GG10 GG19"),
    (5, "canadian-1", "A7 A17 GG1 GG10 GG19"),
    (5, "canadian-2", "A7 A17 GG1 GG10 GG19"),
    (6, "afghan", "A1 A2 A3 A4 A5 A6 A7"),
    (6, "canadian", "A1 A2 A3 A4 A5 A6 A7"),
    (9, "qrf", "GG3 GG19"),
    (10, "canadian-1", "W1 X0 Y1 Z0 AA1 BB0 CC1 DD0 EE1 FF0"),
    (10, "canadian-2", "GG3 GG4"),
]
"""Areas of which the sheet names every hex, or all road hexes or one straight edge."""

PLACES = {
    4: ("I4 X3 Z10 S17 L9", "G4 R16 W9 Z4"),
    5: ("P5 Q11 T5 U10", ""),
    6: ("I11 T5 AA10 T17 Q11 Y7", "E15 P9 DD2"),
    7: ("", "DD6 Z13 R12 F9 N5"),
    8: ("D2 B5 D8", ""),
}
"""Where contacts and civilians stand."""

CUPS = {
    4: ("drawn", "revealed", "2 Fighters, 4 Recruits, 1 Fanatics, 1 IED, 2 Bomber, 2 Sniper, 2 Civilians", 2, 5),
    5: ("chosen", "set_up", "2 Fighters, 1 Recruits, 1 Leader", 0, 4),
    6: ("drawn", "revealed", "1 Fanatics, 3 Fighters, 2 IED, 1 Bomber, 2 Civilians", 2, 6),
    7: ("drawn", "revealed", "2 Fighters, 2 Recruits, 4 Fanatics, 3 IED, 2 Bomber, 3 Civilians", 3, 1),
    8: ("chosen", "set_up", "1 Bunker", 2, 3),
}
"""How and when contacts become what, the counters, the Nulls, and the units that get them."""

CAPTURED = {3: "H7 F15 X4 Y5 AA9 EE15", 4: "H13 K16 D15", 7: "H15 P11 W15", 10: "M15 F15 F16"}

RESULTS: dict[int, list[tuple[str, str, str, bool]]] = {
    1: [("coalition", "", "relief-done", True), ("insurgent", "", "ana-destroyed", True), ("insurgent", "", "", False)],
    2: [("insurgent", "", "break-contact", True), ("canadian", "", "rescued", False), ("insurgent", "", "", False)],
    3: [("insurgent", "", "break-contact", True), ("canadian", "", "", False), ("insurgent", "", "", False)],
    4: [("insurgent", "", "break-contact", True), ("canadian", "", "all-captured", False),
        ("insurgent", "", "", False)],
    5: [("insurgent", "", "break-contact", True), ("canadian", "", "qasim-out", False),
        ("canadian", "minor", "killed-and-out", False), ("insurgent", "", "", False)],
    6: [("insurgent", "", "break-contact", True), ("coalition", "", "both-out", False), ("insurgent", "", "", False)],
    7: [("insurgent", "", "break-contact", True), ("canadian", "", "all-captured", False),
        ("insurgent", "", "", False)],
    8: [("insurgent", "", "break-contact", True), ("canadian", "", "bunker-destroyed", False),
        ("insurgent", "", "", False)],
    9: [("canadian", "", "civilian-out", True), ("insurgent", "", "civilians-destroyed", True),
        ("insurgent", "", "", False)],
    10: [("insurgent", "", "break-contact", True), ("canadian", "", "all-taken", False), ("insurgent", "", "", False)],
}  # fmt: skip
"""Side, level, clause and whether it ends the game at once."""

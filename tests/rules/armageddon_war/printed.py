"""Armageddon War, scenarios 1 to 15, as printed: typed from the text line by line, not from the files."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ORDERS", "PLAYERS", "PRINT", "ROSTER_DIFFERS", "WORDS", "Order", "Printed"]


class Printed(NamedTuple):
    """Head and end of a scenario: `play` is what of the map is in play, `first` who activates first."""

    title: str
    date: str
    map: int
    length: int
    rules: str = ""
    play: str = ""
    first: str = ""
    logistics: str = ""


PRINT = {
    1: Printed("Holding action", "March 14 2028", 1, 16, "2.01 3.0 4.1 4.171 4.3 1.32", play="columns Q-"),
    2: Printed("Evacuation", "April 3 2028", 2, 0, "4.152 2.022 5.7", logistics="rebel 1, isil 1"),
    3: Printed("Street fight", "April 16 2028", 1, 20, "5.2", play="columns -M, rows 7-"),
    4: Printed(
        "Assassination attempt",
        "May 1 2028",
        2,
        24,
        "5.4 5.42",
        play="columns U-",
        first="isil/saleh",
        logistics="isil 1, rebel 1",
    ),
    5: Printed("Playing with fire", "May 17 2028", 1, 24, "5.1 5.62", first="isil/", logistics="israel 1, isil 1"),
    6: Printed("Rhymes with Urke", "June 1 2028", 2, 30, first="russia/", logistics="turkmenistan 1, russia 1"),
    # Printed: smoke (5.24), which is 5.23.
    7: Printed("Burning Sands", "June 19 2028", 1, 30, "5.23", first="allies/", logistics="isil 1, allies 1"),
    8: Printed("Unfriendly Skies", "June 23 2028", 1, 40, "5.62 5.5", first="israel/", logistics="israel 1"),
    9: Printed("Steel Ghosts", "July 29 2028", 1, 24, "5.22 5.8"),
    10: Printed("Rogue Platoon (solo)", "August 9 2028", 2, 30, first="rebel/rebels", logistics="rebel 1"),
    11: Printed("High-tech/low-tech", "August 23 2028", 2, 30, logistics="russia 1"),
    12: Printed("Fallujah Lite", "September 11 2028", 2, 40, "5.61", first="us/", logistics="isil 2, us 2"),
    13: Printed("Détente", "September 22 2028", 2, 50, logistics="us 1, russia 1"),
    14: Printed("Strange Bedfellows", "October 2 2028", 2, 36, first="rebel/defectors"),
    15: Printed("Knife fight", "October 12 2028", 1, 24, first="russia/serduyakov"),
}

PLAYERS = {
    1: "rebel isil",
    2: "rebel isil",
    3: "rebel isil",
    4: "isil rebel",
    5: "israel isil",
    6: "turkmenistan russia",
    7: "isil allies",
    8: "israel isil",
    9: "isil us",
    10: "rebel us",
    11: "russia isil",
    12: "isil us",
    13: "isil us+israel russia+rebel",
    14: "rebel isil",
    15: "russia us",
}
"""Forces in the order of set-up; those with a plus are on one side."""


class Order(NamedTuple):
    """A formation as printed: its markers, what it has, its totals of units and points."""

    where: str
    markers: int
    has: str
    units: int | None
    points: int | None


WORDS = {
    "Mil": "Militia",
    "Inf": "Infantry",
    "Adv": "Advanced infantry",
    "IIP": "Improved infantry position",
    "IVP": "Improved vehicle position",
    "Hidden": "Hidden marker",
    "Armata": "T-14 Armata",
    "Merkava": "Merkava 4M",
    "M2A3": "Bradley M2A3",
    "Achzarit": "Achzarit 2",
    "Namer": "Namer 2",
    "AH-64D": "AH-64D Apache",
    "M977": "M977 Gun Truck",
    "Crusher": "Crusher autonomous",
    "ZSU": "ZSU-23/4",
    "Harop": "Harop drone",
    "Mortar": "60mm mortar",
    "Sagger": "Sagger ATGM",
    "DShK": "DShK HMG (infantry)",
    "RPK": "RPK LMG",
    "NG7": "Negev NG7 LMG",
    "Igla": "Igla AA rocket",
    "Konkurs": "Konkurs ATGM (vehicle)",
    "Kornet": "Kornet ATGM (vehicle)",
    "Bastion": "Bastion ATGM (vehicle)",
    "I-TOW vehicle": "I-TOW ATGM (vehicle)",
    "I-TOW infantry": "I-TOW ATGM (infantry)",
    "Mk47 vehicle": "Mk47 AGL (vehicle)",
}
"""Short words of the lists below, and what the roster calls them."""

# Abbreviated: Mil militia, Inf infantry, Adv advanced infantry, IIP and IVP improved positions, Hidden hidden marker.
ORDERS: dict[int, list[Order]] = {
    1: [
        Order("rebel/Rebels", 2, "Mil 4, Technical 1, RPG-7V 1, Sagger 1", 5, 37),
        Order("isil/Saleh Militia", 2, "BMP-2 2, Mil 4, Truck 4", 10, 48),
    ],
    2: [
        Order("rebel/Rebels", 2, "Technical 2, Mil 7, T-55A 1, RPG-7V 3, Sagger 2, DShK 2, IIP 2", 10, 85),
        Order("isil/Saleh Militia", 1, "BMP-2 3, Konkurs 3, Mil 3", 6, 77),
        Order("isil/Shaddadeh", 1, "T-72M 2, T-55A 2", 4, 60),
    ],
    3: [
        Order("rebel/Rebel Militia", 2, "Mil 6, Technical 2, RPK 2, RPG-7V 2", 8, 48),
        Order("isil/Saleh Militia", 2, "BMP-2 2, Mil 6, RPG-7V 2", 8, 54),
    ],
    4: [
        Order("isil/Saleh Militia", 2, "BMP-2 4, Mil 4, DShK 1, IIP 1, Gun truck 1, IVP 1", 10, 74),
        Order("rebel/Rebel Militia", 2, "Hidden 4, Technical 1, Mil 6, Sniper 1, RPG-7V 4, RPK 2, IED 1", 8, 61),
    ],
    5: [
        Order("israel/Palsar Recon", 1, "Humvee 2, Sniper 1, Hidden 3, Mk47 vehicle 2", 3, 44),
        Order(
            "israel/Gideon Mech. Infantry",
            2,
            "Achzarit 4, Adv 2, Inf 3, I-TOW infantry 2, Mortar 1, IIP 1, Harop 1",
            10,
            159,
        ),
        Order("isil/al-Zawarhari", 2, "M1A1 2, T-72B1 2", 4, 88),
        Order("isil/Saleh Militia", 1, "BMP-2 4, Kornet 4, Mil 4, RPK 4, ZSU 2", 8, 140),
    ],
    6: [
        Order("turkmenistan/al-Mansur", 2, "BMP-3M 2, Kornet 2, Inf 4, Truck 2, ZSU 1, IVP 1, IIP 1", 9, 108),
        Order("turkmenistan/Shaddadeh", 2, "T-72M 2, T-55A 4, T-62M 2, Bastion 2", 8, 116),
        Order("russia/Serduyakov", 1, "Armata 4", 4, 112),
        Order("russia/696th Rifle", 2, "BMP-3M 4, Kornet 4, Inf 4", 8, 168),
        Order("russia/al-Zawarhari", 1, "T-72B1 2", 2, 40),
        Order("russia/Saleh", 1, "BMP-2 2, Mil 2, RPK 2", 4, 32),
    ],
    7: [
        Order("isil/al-Mansur", 2, "BMP-3M 2, Kornet 2, Inf 4, DShK 2, RPG-29 2, ZSU 1, IIP 2", 7, 116),
        Order("isil/Shaddadeh", 2, "T-72M 2, T-55A 4, T-62M 2, Bastion 2, IVP 2", 8, 144),
        Order("allies/3-69th Armor", 2, "M1A4 4", 4, 114),
        Order("allies/1-36th Infantry", 2, "M2A3 4, I-TOW vehicle 4, Inf 4", 8, 159),
        Order("allies/Rebels", 2, "Technical 2, Sandcrawler 2, Truck 2, Mil 4, RPG-7V 2", 8, 60),
    ],
    8: [
        Order("israel/Palsar Recon", 2, "Humvee 2, I-TOW vehicle 2", 2, None),  # and the Harop, which is in the cup
        Order("israel/Gideon", 2, "Inf 4, SMAW 4", 4, None),
        Order("isil/Shaddadeh", 2, "T-72M 2, T-55A 4, T-62M 2", 8, None),
        Order("isil/Saleh", 2, "BMP-2 4, Mil 4, Gun truck 4", 12, None),
        Order("isil/al-Mansur", 2, "Humvee 4", 4, None),
    ],
    9: [
        Order("isil/al-Mansur", 2, "BMP-3M 4, Kornet 4, Truck 2, Inf 4, RPK 2, RPG-29 2", 10, 162),
        Order("isil/Saleh", 1, "Mil 3, RPK 2, Gun truck 1, Hidden 3", 4, 24),
        Order("us/1-36th Infantry", 2, "Inf 2, Adv 2, SMAW 4, Crusher 4", 8, 140),
    ],
    10: [
        Order("rebel/Rebels", 1, "Technical 2, Truck 6, Mil 6, RPG-7V 3, RPK 3", 9, 62),
        Order("us/Crusher", 2, "Crusher 4", 4, 60),
    ],
    11: [
        Order("russia/Serduyakov", 1, "Armata 3", 3, 83),
        Order("russia/696th Rifle", 1, "BMP-3M 3, Adv 3", 6, 95),
        Order("russia/Rebels", 2, "Mil 8", 8, 36),
        Order("russia/Rebels in M7 and N8", 0, "T-55A 2, Technical 2", 4, 36),
        Order("isil/Saleh", 2, "BMP-2 4, Truck 4, Mil 8, Gun truck 4, RPK 4, RPG-29 4", 20, 136),
        Order("isil/Shaddadeh", 2, "T-72M 1, T-55A 4", 5, 69),
    ],
    12: [
        Order("isil/Saleh Militia", 2, "BMP-2 4, Mil 8, RPG-7V 4, DShK 2, IIP 2", 12, 98),
        Order("isil/al-Mansur", 1, "BMP-3M 2, Inf 4, Humvee 4, Konkurs 4, RPG-29 2, Igla 1, ZSU 2", 12, 183),
        Order("isil/Shaddadeh", 1, "T-72M 2, T-62M 2, T-55A 4, Bastion 2", 8, 138),
        Order("us/3-69th Armor", 2, "M1A4 4", 4, 114),
        Order(
            "us/1-36th Infantry",
            2,
            "M2A3 4, I-TOW vehicle 4, Adv 2, Inf 2, Humvee 2, M977 2, SMAW 4",
            12,
            231,
        ),
        Order("us/3-4 Squadron", 2, "AH-64D 2", 2, 66),
    ],
    13: [
        Order("isil/Saleh Militia", 2, "BMP-2 3, Kornet 3, Mil 7, RPK 2, RPG-7V 2, DShK 2, IIP 2", 10, 120),
        Order("isil/al-Mansur", 1, "BMP-3M 2, Inf 4, Humvee 2, Kornet 2", 8, 108),
        Order("isil/Shaddadeh", 1, "T-72M 2, T-62M 2, Bastion 2", 4, 90),
        Order("us/3-69th Armor", 2, "M1A4 4", 4, 114),
        Order("us/1-36th Infantry", 2, "M2A3 4, I-TOW vehicle 4, Inf 4, SMAW 2", 8, 165),
        Order("israel/Sa'ar", 2, "Merkava 4", 4, 106),
        Order("israel/Gideon", 2, "Adv 2, Inf 2, Achzarit 2, Namer 2, SMAW 2, NG7 2", 8, 122),
        Order("russia/Serduyakov", 2, "Armata 4", 4, 114),
        Order("russia/696th Rifle", 2, "BMP-3M 4, Adv 2, Inf 2", 8, 120),
        Order("rebel/Rebels", 2, "T-72M 1, T-55A 2, Mil 8, RPG-7V 4, RPK 4, Sandcrawler 2", 13, 108),
    ],
    14: [
        Order("rebel/Rebels", 2, "Mil 8, RPK 2, RPG-7V 4, BMP-2 2, Kornet 2, Truck 2", 12, 102),
        Order("rebel/Rebels, reinforcements", 0, "Technical 4, Kornet 2", 4, 52),
        Order("isil/al-Mansur", 2, "BMP-3M 2, Inf 6, Humvee 2", 10, 96),
        Order("isil/Shaddadeh", 1, "T-72M 2, T-62M 2, T-55A 4", 8, 120),
        Order("isil/Saleh Militia", 1, "BMP-2 4, Mil 4", 8, 56),
    ],
    15: [
        Order("russia/Serduyakov", 2, "Armata 4", 4, 114),
        Order("russia/696th Rifle", 2, "BMP-3M 4, Konkurs 2, Bastion 2, Adv 2, Inf 2", 8, 170),
        Order("us/3-69th Armor", 2, "M1A4 4", 4, 114),
        Order("us/1-36th Infantry", 2, "M2A3 2, Humvee 2, I-TOW vehicle 4, M977 1, Adv 2, Inf 1, SMAW 1", 8, 164),
    ],
}

# Where what is listed gives other totals than those printed: units, points; worked out by hand with 7.3.
ROSTER_DIFFERS: dict[tuple[int, str], tuple[int, int | None]] = {
    (2, "rebel/Rebels"): (10, 89),
    (4, "isil/Saleh Militia"): (9, 74),
    (5, "isil/Saleh Militia"): (10, 140),
    (6, "turkmenistan/Shaddadeh"): (8, 140),
    (7, "allies/Rebels"): (10, 60),
    (9, "us/1-36th Infantry"): (8, 112),
    (10, "rebel/Rebels"): (14, 62),
    (12, "isil/Saleh Militia"): (12, 96),
    (14, "isil/Shaddadeh"): (8, 118),
    (14, "isil/Saleh Militia"): (8, 58),
    (15, "russia/696th Rifle"): (8, 162),
}

"""Where units of Armageddon War set up, enter, stand and ride in scenarios 1 to 15, typed from the text."""

from __future__ import annotations

__all__ = ["AREAS", "CARRIED", "ENTERS", "STANDING"]

AREAS: list[tuple[int, str, str, str]] = [
    # Scenario, formation, all hexes where the text names them; else "+inside -outside" samples.
    (1, "saleh", "W1 X0 Y1 Z0 AA1", ""),
    (1, "rebels", "", "+U9 +U7 +U11 +W9 +S9 -U6 -X9"),
    (2, "rebels", "", "+X3 +Z1 +Z7 +X5 +Z3 +Z9 +V3 +X6 +X8 -W6 -W7 -X9 -Z10 -V5 -O5"),
    (2, "saleh", "", "+O1 +O16 +P5 +O10 +P10 -N5 -S5 -Q10 -T6"),
    (2, "shaddadeh", "", "+O1 +O16 +P5 +O10 +P10 -N5 -S5 -Q10 -T6"),
    (3, "rebels", "G15 H14 H15 I14", ""),
    (3, "saleh", "G11 H11 G13 I12", ""),
    (4, "saleh-escort", "AA4", ""),
    (4, "rebels", "", "+W6 +X7 -V6 -X8 -X9 -X13 -Z2 -X3 -X4 -AA3 -AA5 -T6 -V1"),
    (5, "palsar", "", "+S1 +S7 +Y1 +Y7 +V4 -R4 -Z4 -V8 -S8 -T0"),
    (5, "gideon", "", "+S1 +S7 +Y1 +Y7 +V4 -R4 -Z4 -V8 -S8 -T0"),
    (5, "saleh", "", "+A16 +C16 +T16 +AA16 -A15 -T15"),
    (6, "mansur", "X2 X3 X4 W3 W4 Y3 Y4 Z0 Z1 Z2 Y1 Y2 AA1 AA2 Z6 Z7 Z8 Y7 Y8 AA7 AA8", ""),
    (6, "shaddadeh", "X16 Y16 Z16", ""),
    (6, "serduyakov", "", "+H12 +I12 +J13 +E10 +E9 +J14 -L11 -C10 -E8 -E15"),
    (6, "saleh", "", "+H12 +I12 +J13 +E10 +E9 +J14 -L11 -C10 -E8 -E15"),
    (7, "mansur", "", "+A10 +AA16 +B10 +T10 -A9 -T9 -G12 -M12"),
    (7, "shaddadeh", "", "+A10 +AA16 +B10 +T10 -A9 -T9 -G12 -M12"),
    (7, "armor-69", "", "+A1 +N0 +AA1 -A2 -N1"),
    (7, "infantry-36", "", "+A1 +N0 +AA1 -A2 -N1"),
    (7, "kurds", "", "+O16 +T16 +AA16 -N16 -M16 -O15 -AA15"),
    (8, "palsar", "", "+G11 +H14 +F13 +V8 +U9 -G12 -V7 -A14"),
    (8, "gideon", "", "+G11 +H14 +F13 +V8 +U9 -G12 -V7 -A14"),
    (8, "shaddadeh", "", "+A14 +A16 +B16 -B13 -H16 -F16 -A8"),
    (9, "mansur", "I13 J12 K13 L12", ""),
    (9, "saleh", "U9 V10 T7", ""),
    (9, "infantry-36", "L4 M4 Q4 P3 J2 L1", ""),
    (10, "rebels", "O5 O6 O7 N5 N6 P5 P6", ""),
    (11, "serduyakov", "I12 H12 J13 E10", ""),
    (11, "rifle-696", "I12 H12 J13 E10", ""),
    (11, "saleh", "", "+U6 +AA4 -T6 -S8 -R8 -O10"),
    (11, "shaddadeh", "", "+U8 +T8 +AA4 -S8 -R8 -O10"),
    (12, "saleh", "", "+V8 +Z7 +U8 -T7 -S8 -R7 -M8"),
    (12, "armor-69", "", "+M8 +A1 +H12 +N9 +O4 -O9 -P8 -O7 -Q7 -V8 -P9"),
    (12, "squadron-4", "", "+M8 +A1 +H12 +N9 +O4 -O9 -P8 -O7 -Q7 -V8 -P9"),
    (13, "armor-69", "", "+Y16 +S16 +AA16 -Y15 -O16 -A16 -Q16"),
    (13, "gideon", "", "+Y16 +S16 +AA16 -Y15 -O16 -A16 -Q16"),
    (13, "serduyakov", "", "+X0 +U1 +AA1 -X1 -O1 -A1 -P0"),
    (13, "rebels", "", "+X0 +U1 +AA1 -X1 -O1 -A1 -P0"),
    (14, "defectors", "Z3 Z2 Z4 Y3 Y4 AA3 AA4", ""),
    (14, "technicals", "AA4", ""),
    (14, "mansur", "", "+Z9 +T4 +A1 +X8 -Z8 -X3 -X7 -U5"),
    (14, "saleh", "AA4 Y16", ""),
    (15, "serduyakov", "V8 W8", ""),
    (15, "rifle-696", "X7 Y7 Z7 AA8", ""),
    (15, "armor-69", "", "+G11 +J13 +F13 -G12 -M12 -V8 -K13"),
]

ENTERS = {
    (1, "saleh"): 1,
    (4, "saleh-escort"): 1,
    **dict.fromkeys([(5, "zawarhari"), (5, "saleh"), (6, "shaddadeh")], 1),
    **dict.fromkeys([(7, "armor-69"), (7, "infantry-36"), (7, "kurds")], 1),
    **dict.fromkeys([(8, "shaddadeh"), (8, "saleh"), (8, "mansur")], 1),
    **dict.fromkeys([(13, "armor-69"), (13, "infantry-36"), (13, "saar"), (13, "gideon")], 1),
    **dict.fromkeys([(13, "serduyakov"), (13, "rifle-696"), (13, "rebels")], 1),
    (14, "technicals"): 13,
    (14, "saleh"): 13,
}

STANDING = {
    2: {"X3": "Civilians 1", "Z1": "Civilians 1", "Z7": "Civilians 1"},
    4: {
        "X14": "BMP-2 2",
        "Y15": "DShK HMG (infantry) 1, Gun truck 1, Improved infantry position 1, Militia 1",
        "Z1": "BMP-2 1, Improved vehicle position 1, Militia 1",
        "X3": "Militia 1",
        "V11": "Sniper 1",
    },
    5: {"V1": "Harop drone 1"},
    9: dict.fromkeys(("T7", "U9", "V10"), "Hidden marker (dirty bomb) 1"),
    11: dict.fromkeys(("M7", "N8"), "T-55A 1, Technical 1"),
    13: {
        "W11": "BMP-2 2, Kornet ATGM (vehicle) 2",
        "Y9": "BMP-2 1, Kornet ATGM (vehicle) 1, Militia 1",
        "Z9": "Militia 2, RPK LMG 2",
        "X13": "Militia 2, RPG-7V 2",
        "Y7": "DShK HMG (infantry) 1, Improved infantry position 1, Militia 1",
        "Z7": "DShK HMG (infantry) 1, Improved infantry position 1, Militia 1",
        "Z1": "BMP-3M 1, Infantry 1",
        "X3": "BMP-3M 1, Infantry 1",
        "U1": "Infantry 2",
        "T6": "Humvee 2, Kornet ATGM (vehicle) 2",
        "Y2": "T-72M 2",
        "X2": "Bastion ATGM (vehicle) 2, T-62M 2",
    },
    15: {"O10": "Humvee 1"},
}

CARRIED = {
    # What the text says is on, in or with what.
    4: "DShK>Militia",
    5: "Militia>BMP-2",
    6: "Bastion>T-62M, Kornet>BMP-3M",
    7: "Bastion>T-62M, Kornet>BMP-3M",
    12: "Bastion>T-62M, I-TOW>Bradley, Konkurs>Humvee",
    13: "Bastion>T-62M, DShK>Militia, Kornet>BMP-2, Kornet>Humvee, RPG-7V>Militia, RPK>Militia",
    14: "Kornet>BMP-2, Kornet>Technical",
    15: "Advanced>BMP-3M, Bastion>BMP-3M, I-TOW>Bradley, I-TOW>Humvee, Infantry>BMP-3M, Konkurs>BMP-3M",
}

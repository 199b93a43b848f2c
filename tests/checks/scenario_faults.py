"""The table of seeded faults of scenarios: the check that finds each, what is altered in a sound one, and where."""

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["FAULTS", "Raw", "Seed", "rebels", "saleh", "unit"]

Raw = dict[str, Any]


class Seed(NamedTuple):
    """One fault: what it is, what is done to the raw scenario, where it is found, and the file that it is done to."""

    name: str
    alter: Callable[[Raw], object]
    at: str
    base: str = "armageddon-01"


def rebels(raw: Raw) -> Raw:
    return raw["forces"][0]["formations"][0]


def saleh(raw: Raw) -> Raw:
    return raw["forces"][1]["formations"][0]


def unit(formation: Raw, name: str) -> Raw:
    return next(entry for entry in formation["units"] if entry["id"] == name)


def twice(collection: str, **record: Any) -> Callable[[Raw], object]:
    """Return what puts two records of one id into a collection."""
    return lambda raw: raw.update({collection: [{"id": "same", **record}, {"id": "same", **record}]})


def one(collection: str, **record: Any) -> Callable[[Raw], object]:
    """Return what puts one record into a collection in place of all others."""
    return lambda raw: raw.update({collection: [{"id": "x", **record}]})


def clause(**record: Any) -> Callable[[Raw], object]:
    return one("clauses", **record)


def trigger(**record: Any) -> Callable[[Raw], object]:
    """Return what lets the militia enter by a trigger."""
    return lambda raw: saleh(raw).update(when=record)


def copied(raw: Raw, **fields: Any) -> Raw:
    """Put a second formation beside the rebels, with other ids."""
    other = {**rebels(raw), "id": "more", "name": "More", **fields}
    other["units"] = [{**entry, "id": f"more-{entry['id']}", "carried_by": ""} for entry in rebels(raw)["units"]]
    raw["forces"][0]["formations"] = [*raw["forces"][0]["formations"], other]
    return other


def on_all_entries(terrain: str) -> Callable[[Raw], object]:
    def alter(raw: Raw) -> None:
        saleh(raw)["where"]["hexes"] = ["W1", "Y1"]
        raw["special"]["terrain_at"] = {"W1": terrain, "Y1": terrain}

    return alter


def held(raw: Raw) -> None:
    saleh(raw)["where"]["hexes"] = ["W1"]
    unit(rebels(raw), "rebel-technical").update(at="W1", where={"hexes": ["W1"]})


def could_be_held(raw: Raw) -> None:
    saleh(raw)["where"]["hexes"] = ["W1"]
    rebels(raw)["where"] = {"hexes": ["W1"], "within": 2}


def walled_in(raw: Raw) -> None:
    """Close all around a hex, so that nobody gets into it or out of it."""
    raw["special"]["closed"] = ["U8", "V8", "V9", "U10", "T9", "T8"]


def one_hex(raw: Raw, **condition: Any) -> None:
    rebels(raw)["where"].update(condition)


def variant(*changes: Raw) -> Callable[[Raw], object]:
    return one("variants", name="Other", changes=list(changes))


NOWHERE = {"hexes": ["A99"]}
LOST = {"hexes": ["U9"], "terrain": ["marsh"]}

ORDER_OF_BATTLE: dict[str, list[Seed]] = {
    "scenario.forces": [
        Seed("one force", lambda r: r["forces"].pop(), "forces"),
        Seed("one team", lambda r: [force.update(team="all") for force in r["forces"]], "forces"),
        Seed("no units", lambda r: rebels(r).update(units=[]), "rebel"),
    ],
    "scenario.ids_unique": [
        Seed(
            "two units with one id",
            lambda r: unit(rebels(r), "rebel-militia-2").update(id="rebel-technical"),
            "rebel-technical",
        ),
        Seed("two objectives", lambda r: r["objectives"][1].update(id="isil-eliminate"), "isil-eliminate"),
        Seed("two forces", lambda r: r["forces"][1].update(id="rebel"), "rebel"),
        Seed("two formations", lambda r: saleh(r).update(id="rebels"), "rebels"),
        Seed("two clauses", twice("clauses", kind="turn", count=3), "same"),
        Seed("two events", twice("events", name="Rain", turn=2), "same"),
        Seed("two of support", twice("support", kind="artillery"), "same"),
        Seed("two markers", twice("cup", type="formation_marker"), "same"),
        Seed("two pools", twice("pools", name="Cup", lots=[{"count": 2}]), "same"),
        Seed("two tables", twice("tables", name="Table", dice="1D6"), "same"),
        Seed("two periods", twice("periods", name="Night", first_turn=1, last_turn=2), "same"),
        Seed("two variants", twice("variants", name="Other"), "same"),
        Seed("two errata", twice("errata", text="Unclear."), "same"),
        Seed("two kinds", twice("roster", name="Camels"), "same"),
        Seed("two notes", twice("place_notes", at="Q5", text="Here."), "same"),
    ],
    "scenario.id_once": [
        Seed("unit and formation", lambda r: unit(rebels(r), "rebel-technical").update(id="saleh"), "saleh"),
        Seed(
            "clause and objective",
            lambda r: r.update(clauses=[{"id": "isil-loot", "kind": "turn", "count": 3}]),
            "isil-loot",
        ),
    ],
    "scenario.named": [
        Seed("formation", lambda r: rebels(r).update(name=" "), "rebel/rebels"),
        Seed("force", lambda r: r["forces"][0].update(name=""), "rebel"),
        Seed("scenario", lambda r: r.update(title=""), "title"),
        Seed("period", one("periods", name="", first_turn=1, last_turn=2), "periods/x"),
    ],
    "scenario.same_name": [
        Seed("formations", lambda r: copied(r, name="Rebels"), "rebel/more"),
        Seed("forces", lambda r: r["forces"][1].update(name="Rebels"), "isil"),
    ],
    "scenario.unit_known": [
        Seed(
            "no such type",
            lambda r: unit(rebels(r), "rebel-technical").update(type="rebel.tecnical"),
            "rebel/rebels/rebel-technical",
        )
    ],
    "scenario.unit_quantity": [
        Seed("too many", lambda r: unit(rebels(r), "rebel-technical").update(count=3), "rebel.technical"),
        Seed(
            "in two formations",
            lambda r: (unit(rebels(r), "rebel-technical").update(count=2), copied(r)),
            "rebel.technical",
        ),
    ],
    "scenario.own_kinds": [
        Seed(
            "that of the game",
            lambda r: r.update(roster=[{"id": "rebel.militia", "name": "M"}]),
            "roster/rebel.militia",
        ),
        Seed("like nothing", one("roster", name="Camels", like="rebel.camels"), "roster/x"),
        Seed("way of moving", one("roster", name="Camels", mover="camel"), "roster/x"),
    ],
    "scenario.hidden": [Seed("more than there are", lambda r: rebels(r).update(hidden=6), "rebel/rebels")],
    "scenario.choice": [Seed("only one", lambda r: rebels(r).update(choice="either"), "rebel/rebels")],
    "scenario.carriers": [
        Seed(
            "no transport",
            lambda r: unit(rebels(r), "rebel-militia-1").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-militia-1",
        ),
        Seed(
            "wrong user",
            lambda r: unit(rebels(r), "rebel-sagger").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-sagger",
        ),
        Seed(
            "itself",
            lambda r: unit(rebels(r), "rebel-technical").update(carried_by="rebel-technical"),
            "rebel/rebels/rebel-technical",
        ),
        Seed(
            "an enemy",
            lambda r: unit(rebels(r), "rebel-militia-1").update(carried_by="saleh-trucks"),
            "rebel/rebels/rebel-militia-1",
        ),
        Seed(
            "in a circle",
            lambda r: (
                unit(rebels(r), "rebel-militia-1").update(carried_by="rebel-militia-2"),
                unit(rebels(r), "rebel-militia-2").update(carried_by="rebel-militia-1"),
            ),
            "rebel/rebels/rebel-militia-1",
        ),
    ],
    "scenario.carriers_room": [
        Seed(
            "five in four trucks",
            lambda r: unit(saleh(r), "saleh-militia").update(count=5, carried_by="saleh-trucks"),
            "isil/saleh/saleh-trucks",
        )
    ],
    "scenario.rating_known": [
        Seed("no such", lambda r: r["forces"][0].update(ratings={"moral": 3}), "rebel/ratings.moral"),
        Seed(
            "of another",
            lambda r: rebels(r).update(ratings={"logistics_markers": 3}),
            "rebel/rebels/ratings.logistics_markers",
        ),
    ],
    "scenario.rating_value": [
        Seed(
            "too many",
            lambda r: r["forces"][0].update(ratings={"logistics_markers": 500}),
            "rebel/ratings.logistics_markers",
        ),
        Seed(
            "words",
            lambda r: r["forces"][0].update(ratings={"logistics_markers": "some"}),
            "rebel/ratings.logistics_markers",
        ),
        Seed(
            "no dice", lambda r: r["forces"][1].update(ratings={"impulse": "0D6"}), "us/ratings.impulse", "tactics-11"
        ),
    ],
}

REFERENCES: dict[str, list[Seed]] = {
    "scenario.references": [
        Seed("note off the map", one("place_notes", at="Q99", text="x"), "x"),
        Seed("note to nobody", one("place_notes", at="Q5", text="x", side="us"), "x"),
        Seed(
            "carrier",
            lambda r: unit(rebels(r), "rebel-sagger").update(carried_by="nobody"),
            "rebel/rebels/rebel-sagger",
        ),
        Seed(
            "unit off the map",
            lambda r: unit(rebels(r), "rebel-technical").update(at="ZZ9"),
            "rebel/rebels/rebel-technical",
        ),
        Seed("set-up hex", lambda r: rebels(r)["where"].update(hexes=["U99"]), "rebel/rebels/where"),
        Seed("terrain", lambda r: rebels(r)["where"].update(terrain=["lava"]), "rebel/rebels/where"),
        Seed("terrain left out", lambda r: rebels(r)["where"].update(without_terrain=["lava"]), "rebel/rebels/where"),
        Seed("feature", lambda r: rebels(r)["where"].update(features=["canal"]), "rebel/rebels/where"),
        Seed("row", lambda r: rebels(r)["where"].update(first_row="99"), "rebel/rebels/where"),
        Seed("another area", lambda r: rebels(r)["where"].update(also=[NOWHERE]), "rebel/rebels/where"),
        Seed(
            "distance from a place",
            lambda r: rebels(r)["where"].update(distances=[{"places": ["A99"]}]),
            "rebel/rebels/where",
        ),
        Seed(
            "distance from units",
            lambda r: rebels(r)["where"].update(distances=[{"units": ["nobody"]}]),
            "rebel/rebels/where",
        ),
        Seed(
            "distance from an area",
            lambda r: rebels(r)["where"].update(distances=[{"areas_of": ["nobody"]}]),
            "rebel/rebels/where",
        ),
        Seed("another edge", lambda r: saleh(r)["where"].update(other_edge_than=["nobody"]), "isil/saleh/where"),
        Seed(
            "own area of a unit",
            lambda r: rebels(r)["units"][0].update(where=NOWHERE),
            "rebel/rebels/rebel-militia-1/where",
        ),
        Seed("exit", lambda r: rebels(r).update(leaves=NOWHERE), "rebel/rebels/leaves"),
        Seed("restraint", lambda r: rebels(r).update(restraints=[{"stay": NOWHERE}]), "rebel/rebels/restraints/1"),
        Seed("restrained", lambda r: rebels(r).update(restraints=[{"units": ["nobody"]}]), "rebel/rebels/restraints/1"),
        Seed("enemy", lambda r: rebels(r).update(restraints=[{"against": ["nato"]}]), "rebel/rebels/restraints/1"),
        Seed("whole", lambda r: rebels(r).update(part_of="nobody"), "rebel/rebels"),
        Seed("part of itself", lambda r: rebels(r).update(part_of="rebels"), "rebel/rebels"),
        Seed("player", lambda r: r["forces"][0].update(played_by="rebel"), "rebel"),
        Seed("column", lambda r: r["map"].update(first_column="QQQ"), "map"),
        Seed("side", lambda r: r["objectives"][0].update(side="nato"), "isil-eliminate"),
        Seed("objective of", lambda r: r["objectives"][0].update(of=["nobody"]), "isil-eliminate"),
        Seed("objective area", lambda r: r["objectives"][0].update(where=NOWHERE), "isil-eliminate"),
        Seed("objective terrain", lambda r: r["objectives"][0].update(terrain=["lava"]), "isil-eliminate"),
        Seed("winner", lambda r: r["victory"].update(otherwise="nato"), "victory"),
        Seed("totals of nobody", lambda r: r["victory"].update(printed_totals={"nato": 3}), "victory.printed_totals"),
        Seed("result", lambda r: r["victory"].update(results=[{"side": "nato"}]), "victory.results/1"),
        Seed("result when", lambda r: r["victory"].update(results=[{"when": "never"}]), "victory.results/1"),
        Seed("end", lambda r: r.update(ends=["never"]), "ends"),
        Seed("first side", lambda r: r.update(first_side="nato"), "first_side"),
        Seed("first formation", lambda r: r.update(first_formation="nato"), "first_formation"),
        Seed("objective hex", lambda r: r["objectives"][0].update(hexes=["A99"]), "isil-eliminate"),
        Seed("objective type", lambda r: r["objectives"][2].update(unit_types=["isil.bmp2"]), "rebel-bmp-2"),
        Seed("smoke", lambda r: r["special"].update(smoke=["A99"]), "special.smoke"),
        Seed("closed", lambda r: r["special"].update(closed=["A99"]), "special.closed"),
        Seed("terrain at", lambda r: r["special"].update(terrain_at={"A99": "clear"}), "special.terrain_at"),
        Seed("surveillance", lambda r: r["special"].update(surveillance=["nato"]), "special.surveillance"),
        Seed("clause of clauses", clause(kind="all", parts=["y"]), "clauses/x"),
        Seed("clause of objectives", clause(kind="objectives", parts=["y"]), "clauses/x"),
        Seed("clause of units", clause(kind="eliminated", parts=["y"]), "clauses/x"),
        Seed("clause in words", clause(kind="other", text="Luck.", parts=["y"]), "clauses/x"),
        Seed("clause of a side", clause(kind="points", side="nato", count=3), "clauses/x"),
        Seed("event of a side", one("events", name="Rain", turn=2, side="nato"), "events/x"),
        Seed("event by a clause", one("events", name="Rain", when={"kind": "clause", "of": "y"}), "events/x"),
        Seed("event by nothing", one("events", name="Rain", when={"kind": "event"}), "events/x"),
        Seed("support of a side", one("support", kind="artillery", side="nato"), "support/x"),
        Seed("support type", one("support", kind="artillery", type="gun"), "support/x"),
        Seed("support target", one("support", kind="artillery", target=NOWHERE), "support/x"),
        Seed("support by a table", one("support", kind="artillery", when={"kind": "table", "of": "y"}), "support/x"),
        Seed("marker type", one("cup", type="joker"), "cup/x"),
        Seed("marker of a side", one("cup", type="formation_marker", side="nato"), "cup/x"),
        Seed("marker of an event", one("cup", type="formation_marker", enters="event", event="y"), "cup/x"),
        Seed("marker of support", one("cup", type="formation_marker", support="y"), "cup/x"),
        Seed("marker of a formation", one("cup", type="formation_marker", formation="y"), "cup/x"),
        Seed("pool of a side", one("pools", name="Cup", side="nato"), "pools/x"),
        Seed("pool for units", one("pools", name="Cup", for_units=["y"]), "pools/x"),
        Seed("pool places", one("pools", name="Cup", places=["A99"]), "pools/x"),
        Seed("pool area", one("pools", name="Cup", where=NOWHERE), "pools/x"),
        Seed("lot", one("pools", name="Cup", lots=[{"type": "joker"}]), "pools/x"),
        Seed("beside a lot", one("pools", name="Cup", lots=[{"beside": ["joker"]}]), "pools/x"),
        Seed("choice of a lot", one("pools", name="Cup", lots=[{"choose": ["joker"]}]), "pools/x"),
        Seed("table of a side", one("tables", name="T", dice="1D6", side="nato"), "tables/x"),
        Seed("table area", one("tables", name="T", dice="1D6", where=NOWHERE), "tables/x"),
        Seed(
            "table units",
            one("tables", name="T", dice="1D6", rows=[{"rolls": [1], "units": [{"type": "y"}]}]),
            "tables/x",
        ),
        Seed("trigger of a side", trigger(kind="roll", dice="1D6", least=3, side="nato"), "isil/saleh"),
        Seed("trigger of a marker", trigger(kind="draw", of="y"), "isil/saleh"),
        Seed("trigger of a formation", trigger(kind="activation", of="y"), "isil/saleh"),
        Seed("trigger of something", trigger(kind="other", of="y", text="Luck."), "isil/saleh"),
        Seed("extended play", lambda r: r.update(extended={"when": {"kind": "clause", "of": "y"}}), "extended"),
    ],
    "scenario.clauses": [
        Seed("no parts", clause(kind="any"), "clauses/x"),
        Seed("casualties of nobody", clause(kind="casualties", count=3), "clauses/x"),
        Seed("no turn", clause(kind="turn"), "clauses/x"),
        Seed("after the end", clause(kind="turn", count=17), "clauses/x"),
        Seed("no words", clause(kind="other"), "clauses/x"),
        Seed("too many", clause(kind="objectives", parts=["isil-loot"], count=2), "clauses/x"),
        Seed("too many units", clause(kind="eliminated", parts=["saleh-trucks"], count=5), "clauses/x"),
    ],
    "scenario.circle": [
        Seed("itself", clause(kind="all", parts=["x"]), "clauses/x"),
        Seed(
            "two clauses",
            lambda r: r.update(
                clauses=[{"id": "a", "kind": "not", "parts": ["b"]}, {"id": "b", "kind": "any", "parts": ["a"]}]
            ),
            "clauses/a",
        ),
        Seed("an event", one("events", name="Rain", when={"kind": "event", "of": "x"}), "events/x"),
        Seed("a table", one("tables", name="T", dice="1D6", when={"kind": "table", "of": "x"}), "tables/x"),
        Seed("an entry", trigger(kind="activation", of="saleh"), "isil/saleh"),
        Seed(
            "an entry after its own loss",
            lambda r: (
                r.update(clauses=[{"id": "gone", "kind": "eliminated", "parts": ["saleh"]}]),
                saleh(r).update(when={"kind": "clause", "of": "gone"}),
            ),
            "clauses/gone",
        ),
        Seed(
            "a marker",
            lambda r: r.update(
                cup=[{"id": "m", "type": "formation_marker", "enters": "event", "event": "e"}],
                events=[{"id": "e", "name": "E", "when": {"kind": "draw", "of": "m"}}],
            ),
            "events/e",
        ),
    ],
}

PLACES: dict[str, list[Seed]] = {
    "scenario.in_play": [
        Seed("unit", lambda r: unit(rebels(r), "rebel-technical").update(at="C5"), "rebel/rebels/rebel-technical"),
        Seed("objective", lambda r: r["objectives"][0].update(hexes=["C5"]), "isil-eliminate"),
        Seed("place of a cup", one("pools", name="Cup", places=["C5"]), "pools/x"),
        Seed(
            "closed",
            lambda r: (
                r["special"].update(closed=["U9"]),
                unit(rebels(r), "rebel-technical").update(at="U9"),
            ),
            "rebel/rebels/rebel-technical",
        ),
    ],
    "scenario.area": [
        Seed("nothing left", lambda r: rebels(r)["where"].update(terrain=["wadi"]), "rebel/rebels/where"),
        Seed("all closed", lambda r: (one_hex(r, within=0), r["special"].update(closed=["U9"])), "rebel/rebels/where"),
        Seed("of a unit", lambda r: rebels(r)["units"][0].update(where=LOST), "rebel/rebels/rebel-militia-1/where"),
        Seed("of an exit", lambda r: rebels(r).update(leaves=LOST), "rebel/rebels/leaves"),
        Seed("of support", one("support", kind="artillery", target=LOST), "support/x"),
        Seed("of an objective", lambda r: r["objectives"][0].update(where=LOST), "isil-eliminate"),
        Seed(
            "too far from the enemy",
            lambda r: rebels(r)["where"].update(distances=[{"areas_of": ["saleh"], "least": 40}]),
            "rebel/rebels/where",
        ),
    ],
    "scenario.area_holds": [
        Seed("too small", lambda r: one_hex(r, within=0), "rebel/rebels/where"),
        Seed("1 000 units", lambda r: unit(rebels(r), "rebel-militia-3").update(count=1000), "rebel/rebels/where"),
        Seed(
            "few in a hex",
            lambda r: one_hex(r, within=0, hexes=["U9", "V8", "T9"], most_in_hex=1),
            "rebel/rebels/where",
        ),
        Seed("many in a hex", lambda r: one_hex(r, least_in_hex=2), "rebel/rebels/where"),
        Seed("all in one", lambda r: one_hex(r, same="hex"), "rebel/rebels/where"),
        Seed(
            "with another formation",
            lambda r: (one_hex(r, within=0, hexes=["U9", "V8", "T9"]), copied(r)),
            "rebel/more/where",
        ),
        Seed(
            "terrain",
            lambda r: unit(rebels(r), "rebel-technical").update(type="other.truck", where={"hexes": ["R14"]}),
            "rebel/rebels/rebel-technical",
        ),
    ],
    "scenario.outside_area": [
        Seed("far away", lambda r: unit(rebels(r), "rebel-technical").update(at="U14"), "rebel/rebels/rebel-technical"),
        Seed(
            "out of its own",
            lambda r: unit(rebels(r), "rebel-technical").update(at="V8", where={"hexes": ["U9"]}),
            "rebel/rebels/rebel-technical",
        ),
    ],
    "scenario.stacking": [
        Seed(
            "three in a hex", lambda r: [u.update(at="U9") for u in rebels(r)["units"] if "militia" in u["type"]], "U9"
        ),
        Seed(
            "a truck in rough",
            lambda r: unit(saleh(r), "saleh-trucks").update(at="R14", count=1),
            "isil/saleh/saleh-trucks",
        ),
        Seed(
            "a truck in what is rough here",
            lambda r: (
                r["special"].update(terrain_at={"U14": "rough"}),
                unit(saleh(r), "saleh-trucks").update(at="U14", count=1),
            ),
            "isil/saleh/saleh-trucks",
        ),
    ],
    "scenario.facing": [
        Seed(
            "a game without",
            lambda r: unit(rebels(r), "rebel-technical").update(facing="N"),
            "rebel/rebels/rebel-technical",
        ),
        Seed(
            "no such side",
            lambda r: unit(rebels(r), "rebel-technical").update(facing="E"),
            "rebel/rebels/rebel-technical",
        ),
    ],
    "scenario.entry": [
        Seed("not on the edge", lambda r: saleh(r)["where"].update(hexes=["W5"]), "isil/saleh/where"),
        Seed("not in play", lambda r: saleh(r)["where"].update(hexes=["W1", "C1"]), "isil/saleh/where"),
        Seed("rough for trucks", on_all_entries("rough"), "isil/saleh/saleh-trucks"),
    ],
    "scenario.entry_held": [
        Seed("by a unit", held, "isil/saleh/where"),
        Seed("by a set-up", could_be_held, "isil/saleh/where"),
    ],
    "scenario.exit": [
        Seed("no such edge in play", lambda r: r["objectives"][1].update(edges=["west"]), "isil-loot"),
    ],
    "scenario.way_out": [
        Seed(
            "objective",
            lambda r: (walled_in(r), r["objectives"][1].update(event="exit", hexes=["U9"], edges=[])),
            "isil-loot",
        ),
        Seed("formation", lambda r: (walled_in(r), saleh(r).update(leaves={"hexes": ["U9"]})), "isil/saleh/leaves"),
    ],
    "scenario.objective_ground": [
        Seed(
            "in the sea",
            lambda r: (
                r["special"].update(terrain_at={"1212": "sea"}),
                one("objectives", side="iraq", event="hold", points=1, hexes=["1212"])(r),
            ),
            "x",
            "practice-front",
        )
    ],
    "scenario.objective_reached": [
        Seed(
            "walled in",
            lambda r: (walled_in(r), r["objectives"][1].update(event="capture", hexes=["U9"], edges=[], terrain=[])),
            "isil-loot",
        )
    ],
    "scenario.sides_meet": [
        Seed(
            "walled in and out of sight",
            lambda r: (
                rebels(r)["where"].update(hexes=["U9"], within=0),
                r["special"].update(
                    closed=["U8", "V8", "V9", "U10", "T9", "T8"],
                    terrain_at=dict.fromkeys(["U8", "V8", "V9", "U10", "T9", "T8"], "dense_urban"),
                ),
            ),
            "isil",
        )
    ],
}

SCHEDULE: dict[str, list[Seed]] = {
    "scenario.arrival": [
        Seed("after the end", lambda r: saleh(r).update(arrival_turn=17), "isil/saleh"),
        Seed(
            "after the extra turn",
            lambda r: (
                saleh(r).update(arrival_turn=18),
                r.update(extended={"turns": 1, "when": {"kind": "roll", "dice": "2D6", "least": 7}}),
            ),
            "isil/saleh",
        ),
    ],
    "scenario.turns": [
        Seed("event after the end", one("events", name="Rain", turn=17), "events/x"),
        Seed("event repeated after the end", one("events", name="Rain", turn=2, last_turn=17), "events/x"),
        Seed("event that ends first", one("events", name="Rain", turn=5, last_turn=3), "events/x"),
        Seed("event that repeats every 0", one("events", name="Rain", turn=2, last_turn=5, every=0), "events/x"),
        Seed("event without a first turn", one("events", name="Rain", last_turn=5), "events/x"),
        Seed("support", one("support", kind="artillery", first_turn=4, last_turn=2), "support/x"),
        Seed("marker", one("cup", type="formation_marker", enters="activation", after=17), "cup/x"),
        Seed("period", one("periods", name="Night", first_turn=12, last_turn=20), "periods/x"),
        Seed("row", one("tables", name="T", dice="1D6", rows=[{"rolls": [1], "first_turn": 17}]), "tables/x"),
        Seed("trigger", trigger(kind="choice", side="isil", first_turn=17), "isil/saleh"),
        Seed("by itself after the end", trigger(kind="choice", side="isil", automatic_turn=17), "isil/saleh"),
        Seed("by itself before it can", trigger(kind="choice", first_turn=5, automatic_turn=3), "isil/saleh"),
        Seed("delay", trigger(kind="choice", delay=16), "isil/saleh"),
        Seed(
            "release",
            lambda r: rebels(r).update(
                restraints=[{"forbidden": ["move"], "until": {"kind": "choice", "last_turn": 17}}]
            ),
            "rebel/rebels/restraints/1",
        ),
    ],
    "scenario.end": [Seed("never", lambda r: r.update(length=0), "length")],
    "scenario.turn_names": [Seed("too few", lambda r: r.update(turn_names=["Dawn", "Noon"]), "turn_names")],
    "scenario.periods": [
        Seed(
            "day and night",
            lambda r: r.update(
                periods=[
                    {"id": "day", "name": "Day", "first_turn": 1, "last_turn": 8, "light": "day"},
                    {"id": "night", "name": "Night", "first_turn": 8, "last_turn": 16, "light": "night"},
                ]
            ),
            "periods/night",
        )
    ],
    "scenario.dice": [
        Seed("none", trigger(kind="roll", dice="0D6", least=3), "isil/saleh"),
        Seed("one side", one("events", name="Rain", turn=2, gives={"drops": "2D1"}), "events/x"),
        Seed("two of two", one("tables", name="T", dice="2D66"), "tables/x"),
        Seed("never so high", trigger(kind="roll", dice="1D6", least=7), "isil/saleh"),
        Seed("rating", lambda r: rebels(r).update(ratings={"luck": "1D1"}), "rebel/rebels"),
    ],
    "scenario.table_rows": [
        Seed("five of six", one("tables", name="T", dice="1D6", rows=[{"rolls": [1, 2, 3, 4, 5]}]), "tables/x"),
        Seed(
            "eleven",
            one("tables", name="T", dice="2D6", rows=[{"rolls": [2, 3, 4, 5, 6, 7, 8, 9, 10, 12]}]),
            "tables/x",
        ),
    ],
    "scenario.tables": [
        Seed("never rolled", one("tables", name="T", dice="1D6", rows=[{"rolls": [7]}]), "tables/x"),
        Seed("no such two", one("tables", name="T", dice="D66", rows=[{"rolls": [17]}]), "tables/x"),
        Seed("two rows", one("tables", name="T", dice="1D6", rows=[{"rolls": [3]}, {"rolls": [3]}]), "tables/x"),
        Seed(
            "result without a row",
            lambda r: (
                r.update(tables=[{"id": "t", "name": "T", "dice": "1D6", "rows": [{"rolls": [3]}]}]),
                saleh(r).update(when={"kind": "table", "of": "t", "results": [4]}),
            ),
            "isil/saleh",
        ),
    ],
    "scenario.pools": [
        Seed("empty", one("pools", name="Cup"), "pools/x"),
        Seed("too few", one("pools", name="Cup", lots=[{"count": 2}], draws=3), "pools/x"),
        Seed("too few for the places", one("pools", name="Cup", lots=[{}], places=["U9", "V8"]), "pools/x"),
        Seed("a place twice", one("pools", name="Cup", lots=[{"count": 2}], places=["U9", "U9"]), "pools/x"),
        Seed(
            "more than in the box", one("pools", name="Cup", lots=[{"type": "rebel.technical", "count": 9}]), "pools/x"
        ),
    ],
    "scenario.cup": [Seed("no marker", lambda r: rebels(r).update(activation_markers=0), "rebel/rebels")],
}

AIMS: dict[str, list[Seed]] = {
    "scenario.printed_totals": [
        Seed("points", lambda r: rebels(r).update(printed_points=38), "rebel/rebels"),
        Seed("units", lambda r: saleh(r).update(printed_units=9), "isil/saleh"),
        Seed(
            "explained with another number",
            lambda r: (
                rebels(r).update(printed_points=38),
                r.update(errata=[{"id": "e", "at": "rebel/rebels", "printed": "38", "read_as": "36 points"}]),
            ),
            "rebel/rebels",
        ),
    ],
    "scenario.print_error": [
        Seed("told", one("errata", at="Scenario 1", printed="SETUP TURN 14", read_as="turn 1"), "Scenario 1")
    ],
    "scenario.stale_erratum": [
        Seed(
            "another number",
            one("errata", at="rebel/rebels", printed="37 points", read_as="36 points"),
            "errata/x",
        ),
        Seed("no such place", one("errata", at="rebel/rebelz", printed="36", read_as="37"), "errata/x"),
        Seed("nothing", one("errata", at="7.3"), "errata/x"),
    ],
    "scenario.victory_points": [
        Seed("total", lambda r: r["victory"]["printed_totals"].update(isil=20), "victory/isil"),
        Seed("most", lambda r: r["objectives"][0].update(most=4), "victory/isil"),
        Seed("once", lambda r: r["objectives"][0].update(measure="once"), "victory/isil"),
        Seed(
            "event",
            one("events", name="Gift", kind="victory", side="isil", turn=2, last_turn=4, gives={"victory_points": "1"}),
            "victory/isil",
        ),
    ],
    "scenario.results": [
        Seed(
            "of one side",
            lambda r: r.update(
                clauses=[{"id": "c", "kind": "turn", "count": 3}],
                victory={"results": [{"side": "isil", "when": "c"}]},
            ),
            "victory",
        ),
        Seed("by a margin", lambda r: r["victory"].update(otherwise=""), "victory"),
        Seed(
            "points that exclude each other",
            lambda r: r["victory"].update(results=[{"side": "isil", "least_points": 5, "most_points": 3}]),
            "victory.results/1",
        ),
        Seed(
            "after one that is always true",
            lambda r: r["victory"].update(results=[{"side": "isil"}, {"side": "rebel", "least_points": 3}]),
            "victory.results/1",
        ),
    ],
    "scenario.teams": [
        Seed("own losses", lambda r: r["objectives"][0].update(of=["saleh"]), "isil-eliminate"),
        Seed("own types", lambda r: r["objectives"][2].update(unit_types=["rebel.militia"]), "rebel-bmp-2"),
        Seed("against itself", lambda r: r["victory"].update(otherwise="isil"), "victory"),
    ],
    "scenario.casualty_limit": [
        Seed("force", lambda r: r["forces"][1]["ratings"].update(break_contact=900), "us", "tactics-11"),
        Seed("clause", clause(kind="casualties", side="us", count=900), "clauses/x", "tactics-11"),
    ],
}

SPECIAL: dict[str, list[Seed]] = {
    "scenario.special_rules": [
        Seed("option", lambda r: r["special"].update(options={"border_rule": "both"}), "special.options.border_rule"),
        Seed(
            "override",
            lambda r: r["special"].update(terrain_overrides={"light_urban": "lava"}),
            "special.terrain_overrides",
        ),
        Seed("terrain of a hex", lambda r: r["special"].update(terrain_at={"U9": "lava"}), "special.terrain_at.U9"),
        Seed(
            "option of a period",
            one("periods", name="Night", first_turn=1, last_turn=2, options={"night": True}),
            "periods/x/options.night",
        ),
        Seed(
            "modifier of nothing", lambda r: r["special"].update(visibility_modifier=-1), "special.visibility_modifier"
        ),
    ],
    "scenario.control": [
        Seed("side", lambda r: r.update(control={"nato": ["U9"]}), "control"),
        Seed("hex", lambda r: r.update(control={"isil": ["A99"]}), "control.isil"),
        Seed("two sides", lambda r: r.update(control={"isil": ["U9"], "rebel": ["U9"]}), "U9"),
        Seed("home", lambda r: r.update(home={"isil": ["Raqqa"]}), "home.isil"),
        Seed("home of nobody", lambda r: r.update(home={"nato": []}), "home"),
        Seed("source", lambda r: r.update(unrestored=["A99"]), "unrestored"),
    ],
    "scenario.sources": [
        Seed("none", lambda r: r.update(sources=[]), "sources"),
        Seed("no title", lambda r: r.update(sources=[{"title": " "}]), "sources/1"),
    ],
    "scenario.variant": [
        Seed(
            "no such formation",
            variant({"op": "delete", "collection": "forces/rebel/formations", "id": "y"}),
            "variants/x",
        ),
        Seed("no enemy", variant({"op": "delete", "collection": "forces", "id": "isil"}), "variants/x"),
        Seed("another map", variant({"op": "set", "field": "map", "value": {"file": "other.map.json"}}), "variants/x"),
    ],
}

FAULTS: dict[str, list[Seed]] = {**ORDER_OF_BATTLE, **REFERENCES, **PLACES, **SCHEDULE, **AIMS, **SPECIAL}

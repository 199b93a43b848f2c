"""The valid bundles of the conformance corpus: maps and scenarios of every game, and everything a writer may do."""

from __future__ import annotations

import json
import struct
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import studio
from studio.files.bundle import bundle_bytes
from studio.model import (
    Force,
    Formation,
    MapUse,
    OwnKind,
    ScenarioDocument,
    ScenarioModel,
    SetUp,
    Source,
    SpecialRules,
    UnitRecord,
)
from tests.exchange.bundle.packing import DEFLATED, bundled, changed, parts_of, text, zipped
from tests.project.tree import ROOT

GAME = """
id = "skirmish"
title = "Skirmish"
levels = [0, 2]
stacking = 2
features = ["road", "marker", "name"]
[movers.foot]
name = "Foot"
[movers.wheels]
name = "Wheels"
[movement]
road = "1/2"
elevation = 1
[terrain.clear]
name = "Clear"
char = "."
move = { foot = 1, wheels = 1 }
[terrain.woods]
name = "Woods"
char = "w"
sight = "block"
height = 2
move = { foot = 2, wheels = "X" }
[terrain.scrub]
name = "Scrub"
char = "s"
sight = "hinder"
move = { foot = 1, wheels = 2 }
[sides.wall]
name = "Wall"
cross = { foot = 1, wheels = "X" }
"""


def map_bundle(
    map_: Any, scenario: ScenarioDocument | None = None, *, sight: bool = True, preview: bool = False
) -> bytes:
    """Return the bundle of a map, or of a scenario on it."""
    special = scenario.special if scenario is not None else SpecialRules()
    return bundle_bytes(
        map_model=map_.model,
        scenario_model=None if scenario is None else ScenarioModel(scenario),
        survey=map_.survey,
        ruleset=map_.ruleset,
        sight_table=map_.sight_table(options=special.options) if sight else None,
        preview=dot() if preview else None,
    )


def dot() -> bytes:
    """Return the smallest picture: one white pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))

    head = struct.pack(">2L5B", 1, 1, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff", 0)) + chunk(b"IEND", b"")
    )


@cache
def game() -> Any:
    """Load the corpus's own game."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "skirmish.ruleset.toml"
        file.write_text(GAME, encoding="utf-8")
        return studio.load_ruleset(file)


def field(columns: int = 4, rows: int = 4, **options: Any) -> Any:
    """Return a small map of the own game with a road, a wall, a hill, woods."""
    map_ = studio.new_map(game(), columns=columns, rows=rows, title=options.pop("title", "Field"), **options)
    labels = map_.labels.all()
    if columns >= 4 and rows >= 4:
        here = [labels[row * columns : row * columns + 4] for row in range(4)]
        map_.paint([here[1][1], here[1][2]], terrain="woods").paint([here[2][1]], terrain="scrub")
        map_.paint(here[2][2], level=1).set_side(here[2][0], here[2][1], "wall")
    if rows > 1:
        map_.add("road", path=[labels[row * columns] for row in range(rows)])
    map_.model.sources = [Source(title="Drawn for the conformance corpus", licence="CC0-1.0")]
    return map_


def skirmish(**changes: Any) -> ScenarioDocument:
    """Return a scenario on the field: one side set up, one entering, kinds of units of its own."""
    own = [
        {"id": "squad", "name": "Squad", "mover": "foot", "movement": 4, "figures": {"firepower": 3}},
        {"id": "car", "name": "Car", "kind": "vehicle", "mover": "wheels", "movement": 8, "transport": True},
        {"id": "crate", "name": "Crate", "kind": "marker", "stacks": False},
    ]
    document = ScenarioDocument(
        title="A crate in the woods",
        ruleset="skirmish",
        map=MapUse(file="../maps/field.map.json", out_of_play=("0404",)),
        roster=msgspec.convert(own, list[OwnKind]),
        forces=[
            Force(
                id="blue",
                name="Blue",
                color="#0072b2",
                formations=(
                    Formation(
                        id="patrol",
                        name="Patrol",
                        where=SetUp(first_row="01", last_row="01"),
                        units=(
                            UnitRecord(id="squad-1", type="squad", at="0101"),
                            UnitRecord(id="squad-2", type="squad", status=("hidden",), count=2),
                        ),
                    ),
                ),
            ),
            Force(
                id="red",
                name="Red",
                set_up_order=2,
                formations=(
                    Formation(
                        id="raiders",
                        name="Raiders",
                        arrival="enter",
                        arrival_turn=2,
                        where=SetUp(edges=("south",)),
                        units=(
                            UnitRecord(id="car-1", type="car"),
                            UnitRecord(id="squad-3", type="squad", carried_by="car-1", figures={"movement": 3}),
                        ),
                    ),
                    Formation(id="loot", name="Loot", units=(UnitRecord(id="crate-1", type="crate", at="0202"),)),
                ),
            ),
        ],
        length=4,
        special=SpecialRules(closed=("0301",), texts=("Whoever holds the crate wins.",)),
        sources=[Source(title="Written for the conformance corpus", licence="CC0-1.0")],
    )
    return msgspec.structs.replace(document, **changes)


@cache
def small() -> bytes:
    """Return the bundle that those with other packing are made of."""
    return map_bundle(field(), skirmish())


@cache
def tiny() -> bytes:
    """Return the bundle that the broken ones are made of: four hexes."""
    use = MapUse(file="field.map.json")
    return map_bundle(field(2, 2), skirmish(title="Tiny", map=use, special=SpecialRules()), preview=True)


@cache
def bare() -> bytes:
    """Return a bundle of four hexes without a scenario."""
    return map_bundle(field(2, 2, title="Bare"), preview=True)


@cache
def _opened(name: str) -> Any:
    return studio.open_scenario(ROOT / "scenarios" / f"{name}.scenario.json", recover_unsaved=False)


def printed(name: str, *, sight: bool = True) -> bytes:
    """Return the bundle of a scenario of ours, deflated."""
    scenario = _opened(name)
    special, played = scenario.document.special, scenario.played
    table = None
    if sight:
        table = played.sight_table(options=special.options, conditions=scenario._played_conditions())
    data = bundle_bytes(
        map_model=scenario.map.model,
        scenario_model=scenario.model,
        survey=scenario.map.survey,
        ruleset=scenario.ruleset,
        sight_table=table,
    )
    return bundled(parts_of(data), method=DEFLATED)


def several_sheets() -> bytes:
    from studio.api import join_maps

    left, right = field(title="West"), field(title="East")
    joint = join_maps(left, right, prefixes=("", "E"), names=("west", "east"), title="Two sheets")
    return map_bundle(joint)


def unicode_names() -> bytes:
    """Zones whose names, and so labels, are of many scripts."""
    town = studio.new_map("phantom_fury", columns=8, rows=6, title="Gradić «Čaršija» 北京 🏰")
    names = ("Čaršija", "الفلوجة", "北京")
    for number, name in enumerate(names):
        x = 480 * number
        outline = [[x, 0], [x + 480, 0], [x + 480, 720], [x, 720]]
        town.add("area", id=f"z{number}", type="zone", name=name, outline=outline)
    town.add("place", type="rooftop", name="Čaršija R 🏰", at=[100, 100], within="z0")
    return map_bundle(town, sight=False)


def pretty(parts: dict[str, bytes]) -> dict[str, bytes]:
    """Write the JSON otherwise: indented, other order of keys, escapes for all that is not ASCII, 1.0 for 1."""
    made = {
        name: json.dumps(json.loads(data), indent=1, sort_keys=True).encode() if name.endswith(".json") else data
        for name, data in parts.items()
    }
    made["locations.json"] = made["locations.json"].replace(b'"level": 0,', b'"level": 0.0,')
    return made


def draft() -> bytes:
    """A bundle from before 1.0: no minor version, no generator, no roster, no set-up; fewer keys."""

    def bare(locations: list[dict[str, Any]]) -> None:
        for one in locations:
            for key in ("closed", "edges", "tags"):
                del one[key]

    parts = changed(parts_of(small()), "locations.json", bare)
    parts = {name: data for name, data in parts.items() if name not in ("roster.json", "setup.json", "steps.json")}
    return bundled(parts, drop=("minor", "generator"))


def later() -> bytes:
    """A bundle of a later minor version: a member and keys that a reader of 1.0 does not know."""
    parts = changed(parts_of(small()), "setup.json", lambda setup: setup.update(weather={"wind": "NE"}))
    parts = changed(parts, "sides.json", lambda sides: sides[0].update(height=2))
    return bundled({**parts, "weather.json": text([1, 2, 3])}, {"minor": 7, "season": "autumn"})


def reordered(data: bytes) -> bytes:
    return zipped(dict(reversed(parts_of(data).items())))


def other_json() -> bytes:
    return bundled(pretty(parts_of(small())))


VALID: dict[str, tuple[str, Callable[[], bytes]]] = {
    "armageddon-scenario": (
        "a scenario with every resolved member and a sight table",
        lambda: printed("armageddon-01"),
    ),
    "tactics-scenario": (
        "roads beside structures, levels, groups that enter",
        lambda: printed("tactics-01", sight=False),
    ),
    "fury-scenario": ("zones and boxes instead of hexes", lambda: printed("phantom-fury")),
    "urban-scenario": (
        "rooms, roofs, levels below the ground; no sight table",
        lambda: printed("urban-day", sight=False),
    ),
    "armies-scenario": ("a game without lines of sight; countries", lambda: printed("ignorant-armies", sight=False)),
    "own-game": ("a game of one's own with kinds of units of its own; stored, as the studio writes", small),
    "map-only": ("no scenario", lambda: map_bundle(field(title="Only a map"))),
    "no-sight": ("no sight table", lambda: map_bundle(field(), skirmish(), sight=False)),
    "empty-scenario": (
        "a scenario without units",
        lambda: map_bundle(field(), skirmish(forces=[], roster=[], title="Nobody there")),
    ),
    "one-hex": ("the smallest map", lambda: map_bundle(field(1, 1, title="One hex"))),
    "pointy": ("pointy-top hexes, a picture", lambda: map_bundle(field(5, 5, orientation="pointy"), preview=True)),
    "two-sheets": ("a map of two sheets", several_sheets),
    "unicode": ("labels of many scripts", unicode_names),
    "large": (
        "900 hexes, deflated",
        lambda: bundled(parts_of(map_bundle(field(30, 30), sight=False)), method=DEFLATED),
    ),
    "deflated": ("packed again with deflate", lambda: bundled(parts_of(small()), method=DEFLATED)),
    "streamed": (
        "packed by a program that writes sizes after the content",
        lambda: bundled(parts_of(small()), method=DEFLATED, streamed=True),
    ),
    "other-order": (
        "members in another order, bundle.json last",
        lambda: reordered(small()),
    ),
    "other-json": ("JSON written by another program: order of keys, spaces, escapes, 0.0 for 0", other_json),
    "draft": ("from before 1.0: neither minor version nor generator, roster, set-up", draft),
    "later-minor": ("from a later minor version: unknown keys and an unknown member", later),
}

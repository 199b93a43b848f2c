#!/usr/bin/env python3
"""A tiny engine: plays on a bundle with nothing but its reader, to show that a bundle needs nothing of the studio.

    python engine.py FILE.bundle.zip            # commands from the keyboard
    python engine.py FILE.bundle.zip < script   # or from a file; the answers are those of engine.mjs, letter for letter

It knows no game: it moves by what every bundle says (terrain, roads, levels, hexsides, enemies in the way), and leaves
what is special in a game to the engine that you write. ``help`` lists the commands.
"""

from __future__ import annotations

import heapq
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "studio" / "files"))  # where the studio keeps it
try:
    import reader
except ImportError:
    sys.exit("engine.py needs reader.py beside it: copy studio/files/reader.py there")

HELP = """board                what the map looks like, with units
units                where everybody is
area UNIT            where a unit may set up or enter
place UNIT LABEL     set a unit up
next                 begin the next turn
enter UNIT LABEL     bring a unit in that may enter this turn
move UNIT LABEL      move a unit the cheapest way
sight A B            ask the sight table
help, quit"""


class Refused(Exception):
    """What the engine says when something cannot be done."""


def refuse(condition: bool, message: str) -> None:
    """Say that something cannot be done, where a condition holds."""
    if condition:
        raise Refused(message)


def points(halves: int) -> str:
    """Write half points as points."""
    whole, half = divmod(halves, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


class Engine:
    """The state of one game: the turn, where the units are, and what they have left to move."""

    def __init__(self, bundle: reader.Bundle) -> None:
        self.bundle, self.turn, self.moved = bundle, 0, set[str]()
        self.places = {one["label"]: one for one in bundle.locations}
        self.order = {label: number for number, label in enumerate(self.places)}
        self.borders = {(side["a"], side["b"]): side for side in bundle.sides}
        empty = dict.fromkeys(("units", "areas", "formations", "sides", "order", "turns"), ())
        self.setup = setup = bundle.setup or empty
        self.units = {one["id"]: one for one in setup["units"]}
        self.formations = {one["id"]: one for one in setup["formations"]}
        self.enemies = {one["id"]: set(one.get("enemies", [])) for one in setup["sides"]}
        self.at = {name: one["at"] for name, one in self.units.items()}

    def unit(self, name: str) -> dict[str, Any]:
        """Return a unit."""
        refuse(name not in self.units, f"no unit {name}")
        return self.units[name]

    def place(self, label: str) -> dict[str, Any]:
        """Return a location that is in play."""
        refuse(label not in self.places, f"no location {label}")
        refuse(not self.places[label]["in_play"], f"{label} is not in play")
        return self.places[label]

    def kind(self, unit: dict[str, Any]) -> dict[str, Any]:
        """Return the kind of a unit; a plain one where the game has no roster."""
        return self.bundle.roster.get(unit["type"], {"kind": "infantry", "mover": ""})

    def held(self, label: str, side: str) -> bool:
        """Tell whether an enemy of a side stands at a location."""
        here = [one for name, one in self.units.items() if self.at[name] == label and one["side"] in self.enemies[side]]
        return any(self.kind(one)["kind"] not in ("support_weapon", "marker", "air") for one in here)

    def distance(self, a: dict[str, Any], b: dict[str, Any]) -> int:
        """Return the distance of two hexes; a long way where one is no hex."""
        q, r = (9999 if a[axis] is None or b[axis] is None else a[axis] - b[axis] for axis in "qr")
        return min((abs(q) + abs(r) + abs(q + r)) // 2, 9999)

    def step(self, a: str, b: str, mover: str) -> int | None:
        """Return what a step costs in half points; None where it is impassable."""
        rules, here, there = self.bundle.ruleset, self.places[a], self.places[b]
        side = self.borders.get((a, b)) or self.borders.get((b, a)) or {"roads": [], "cross_halves": {}}
        if there["kind"] != "hex" or mover not in there["enter_halves"]:
            return None  # what is no hex costs what its game says
        markers = [rules["markers"][name] for name in there["markers"]]
        terrain = next((one["becomes"] for one in reversed(markers) if one.get("becomes")), there["terrain"])
        cost, movement = rules["terrain"][terrain]["enter_halves"][mover], rules["movement"]
        road = movement["road_halves"]
        by_road = bool(side["roads"]) and road is not None and (cost is None or road <= cost)
        parts = [road if by_road else cost, *(one["move_halves"][mover] for one in markers)]
        rise = max(there["level"] - here["level"], 0)
        if rise:
            parts.append(None if movement["elevation_halves"] is None else rise * movement["elevation_halves"])
        if not (side["roads"] and movement["bridges"]):
            parts.append(side["cross_halves"].get(mover, 0))
        if there["closed"] or None in parts:
            return None
        return max(sum(parts), movement["least_halves"] or 0)

    def steps(self, label: str, mover: str) -> list[tuple[str, int]]:
        """Return where one step leads, and what it costs: as the bundle says, or else what its tables add up to."""
        if self.bundle.has_steps and mover in self.bundle.ruleset["movers"]:
            return self.bundle.steps(label, mover)
        costs = [(there, self.step(label, there, mover)) for there in self.places[label]["neighbours"]]
        return [(there, cost) for there, cost in costs if cost is not None and self.places[there]["in_play"]]

    def way(self, unit: dict[str, Any], end: str) -> tuple[list[str], int]:
        """Return the cheapest way of a unit to a location, and its cost."""
        start, mover = self.at[unit["id"]], self.kind(unit)["mover"]
        best, came, open_, done = {start: 0}, {start: ""}, [(0, self.order[start], start)], set[str]()
        while open_:
            cost, _, here = heapq.heappop(open_)
            if here in done:
                continue
            done.add(here)
            if here == end:
                while came[here]:
                    end, here = f"{came[here]}\n{end}", came[here]
                return end.split("\n"), cost
            for there, step in self.steps(here, mover):
                if not self.held(there, unit["side"]) and (there not in best or cost + step < best[there]):
                    best[there], came[there] = cost + step, here
                    heapq.heappush(open_, (cost + step, self.order[there], there))
        raise Refused(f"no way from {start} to {end}")

    def board(self) -> str:
        """Draw the hexes: the first letter of the terrain, = for a road, the sides of the units."""
        hexes = {(one["row"], one["column"]): one for one in self.bundle.locations if one["kind"] == "hex"}
        rows, columns = (max((place[axis] for place in hexes), default=-1) + 1 for axis in (0, 1))
        lines = []
        for row in range(rows):
            cells = [self.cell(hexes[row, column]) if (row, column) in hexes else "   " for column in range(columns)]
            lines.append(f"{row + 1:3} {' '.join(cells)}".rstrip())
        elsewhere = [(name, at) for name, at in self.at.items() if at and self.places[at]["kind"] != "hex"]
        return "\n".join([*lines, *(f"{name} in {label}" for name, label in elsewhere)])

    def cell(self, one: dict[str, Any]) -> str:
        """Draw one hex."""
        if not one["in_play"]:
            return "..."
        here = sorted({unit["side"] for name, unit in self.units.items() if self.at[name] == one["label"]})
        mark = "" if not here else here[0][0].upper() if len(here) == 1 else "*"
        return f"{one['terrain'][0]}{'=' if one['road'] else ' '}{mark or ' '}"

    def area(self, name: str) -> str:
        """List where a unit may come."""
        area = self.setup["areas"][self.unit(name)["area"]]
        return f"{name}: {area['text']}: {' '.join(area['labels']) or 'nowhere'}"

    def put(self, name: str, label: str, arrival: str) -> None:
        """Put a unit into its area."""
        unit, place = self.unit(name), self.place(label)
        formation, area = self.formations[unit["formation"]], self.setup["areas"][unit["area"]]
        refuse(bool(self.at[name]), f"{name} is on the map")
        refuse(formation["arrival"] != arrival, f"{name} does not come that way, but by: {formation['arrival']}")
        early = arrival == "enter" and self.turn < formation["arrival_turn"]
        refuse(early, f"{name} enters in turn {formation['arrival_turn']}")
        refuse(label not in area["labels"], f"{label} is not in the area of {name}: {area['text']}")
        for rule in area.get("distances", []):
            there = [self.places[self.at[other]] for other in rule["units"] if self.at.get(other)]
            near = min((self.distance(place, other) for other in there), default=rule["least"])
            wrong = near < rule["least"] or (rule["most"] is not None and near > rule["most"])
            refuse(wrong, f"{label} is {near} hexes away: {area['text']}")
        self.at[name] = label

    def next(self) -> str:
        """Begin the next turn."""
        now = next((one for one in self.setup["turns"] if one["turn"] == self.turn + 1), None)
        refuse(now is None, "the game is over")
        self.turn, self.moved = self.turn + 1, set()
        arrivals = [f"{name} may enter" for name in now.get("arrivals", [])]
        return ", ".join(filter(None, [f"turn {self.turn}", now.get("name"), now.get("light"), *arrivals]))

    def move(self, name: str, end: str) -> str:
        """Move a unit the cheapest way, as far as its allowance goes."""
        unit = self.unit(name)
        self.place(end)
        refuse(not self.at[name], f"{name} is not on the map")
        refuse(not self.turn, "the game has not begun; next begins it")
        refuse(name in self.moved, f"{name} has moved in this turn")
        labels, cost = self.way(unit, end)
        allowed = 2 * unit.get("movement", 0)
        first = len(labels) == 2 and allowed > 0 and self.bundle.ruleset["movement"]["minimum_one"]
        short = f"{name} has {points(allowed)} points; {' '.join(labels)} costs {points(cost)}"
        refuse(cost > allowed and not first, short)
        for other, one in self.units.items():
            if other == name or one.get("carried_by") == name:
                self.at[other] = end
        self.moved.add(name)
        return f"{name}: {' '.join(labels)} for {points(cost)} of {points(allowed)} points"

    def obey(self, line: str) -> str:
        """Carry out one command; return what to print."""
        command, *rest = line.split(" ")
        try:
            match command, [" ".join(rest[:1]), " ".join(rest[1:])]:
                case "board", _:
                    said = self.board()
                case "units", _:
                    said = "\n".join(f"{name}: {label or '-'}" for name, label in self.at.items()) or "nobody"
                case "area", [name, _]:
                    said = self.area(name)
                case "place" | "enter", [name, label]:
                    self.put(name, label, "enter" if command == "enter" else "set_up")
                    said = f"{name} enters at {label}" if command == "enter" else f"{name} at {label}"
                case "move", [name, label]:
                    said = self.move(name, label)
                case "next", _:
                    said = self.next()
                case "sight", [a, b]:
                    said = f"{a} to {b}: {self.bundle.sight(self.place(a)['label'], self.place(b)['label'])}"
                case "help", _:
                    said = HELP
                case _:
                    said = f"no: no command {command}; try help"
        except (Refused, reader.BundleError) as error:
            said = f"no: {error}"
        return said


def main() -> None:
    """Read a bundle, then obey commands until there are no more."""
    if len(sys.argv) != 2:
        sys.exit("usage: python engine.py FILE.bundle.zip")
    sys.stdin.reconfigure(encoding="utf-8"), sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    try:
        engine = Engine(reader.read_bundle(sys.argv[1]))
    except reader.BundleError as error:
        sys.exit(f"refused: {error}")
    print(f"{engine.bundle.title} ({len(engine.places)} locations, {len(engine.units)} units)")
    for line in filter(None, map(str.strip, sys.stdin)):
        if line == "quit":
            break
        print(f"> {line}\n{engine.obey(line)}")


if __name__ == "__main__":
    main()

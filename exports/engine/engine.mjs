// A tiny engine: plays on a bundle with nothing but its reader, to show that a bundle needs nothing of the studio.
//
//     node engine.mjs FILE.bundle.zip            // commands from the keyboard
//     node engine.mjs FILE.bundle.zip < script   // or from a file; the answers are those of engine.py, letter for letter
//
// It knows no game: it moves by what every bundle says (terrain, roads, levels, hexsides, enemies in the way), and leaves
// what is special in a game to the engine that you write. `help` lists the commands.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

function leave(message) {
  console.error(message);
  process.exit(1);
}

const places = ["./reader.mjs", "../../studio/files/reader.mjs"]; // beside this file, or where the studio keeps it
const found = places.map((place) => new URL(place, import.meta.url)).find(existsSync);
if (!found) leave("engine.mjs needs reader.mjs beside it: copy studio/files/reader.mjs there");
const { BundleError, readBundle } = await import(found);

const HELP = `board                what the map looks like, with units
units                where everybody is
area UNIT            where a unit may set up or enter
place UNIT LABEL     set a unit up
next                 begin the next turn
enter UNIT LABEL     bring a unit in that may enter this turn
move UNIT LABEL      move a unit the cheapest way
sight A B            ask the sight table
help, quit`;

/** What the engine says when something cannot be done. */
class Refused extends Error {}

function refuse(condition, message) {
  if (condition) throw new Refused(message);
}

/** Write half points as points. */
function points(halves) {
  const whole = Math.floor(halves / 2), half = halves % 2;
  return (whole || !half ? String(whole) : "") + (half ? "½" : "");
}

/** The state of one game: the turn, where the units are, and what they have left to move. */
class Engine {
  constructor(bundle) {
    this.bundle = bundle;
    this.turn = 0;
    this.places = new Map(bundle.locations.map((one) => [one.label, one]));
    this.order = new Map(bundle.locations.map((one, number) => [one.label, number]));
    this.borders = new Map(bundle.sides.map((side) => [`${side.a}\n${side.b}`, side]));
    this.setup = bundle.setup ?? { units: [], areas: [], formations: [], sides: [], order: [], turns: [] };
    const byId = (list) => new Map(list.map((one) => [one.id, one]));
    this.units = byId(this.setup.units);
    this.formations = byId(this.setup.formations);
    this.enemies = new Map(this.setup.sides.map((one) => [one.id, new Set(one.enemies ?? [])]));
    this.at = new Map(this.setup.units.map((one) => [one.id, one.at]));
    this.moved = new Set();
  }

  unit(name) {
    refuse(!this.units.has(name), `no unit ${name}`);
    return this.units.get(name);
  }

  /** Return a location that is in play. */
  place(label) {
    refuse(!this.places.has(label), `no location ${label}`);
    refuse(!this.places.get(label).in_play, `${label} is not in play`);
    return this.places.get(label);
  }

  /** Return the kind of a unit; a plain one where the game has no roster. */
  kind(unit) {
    return Object.hasOwn(this.bundle.roster, unit.type) ? this.bundle.roster[unit.type] : { kind: "infantry", mover: "" };
  }

  /** Tell whether an enemy of a side stands at a location. */
  held(label, side) {
    return [...this.units.values()].some((one) => this.at.get(one.id) === label
      && !["support_weapon", "marker", "air"].includes(this.kind(one).kind) && this.enemies.get(side).has(one.side));
  }

  /** Return the distance of two hexes; a long way where one is no hex. */
  distance(a, b) {
    if (a.q === null || b.q === null) return 9999;
    const q = a.q - b.q, r = a.r - b.r;
    return (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2;
  }

  /** Return what a step costs in half points; null where it is impassable. */
  step(a, b, mover) {
    const rules = this.bundle.ruleset, here = this.places.get(a), there = this.places.get(b);
    const side = this.borders.get(`${a}\n${b}`) ?? this.borders.get(`${b}\n${a}`) ?? { roads: [], cross_halves: {} };
    if (there.kind !== "hex" || !Object.hasOwn(there.enter_halves, mover)) return null; // it costs what its game says
    const markers = there.markers.map((name) => rules.markers[name]), { movement } = rules;
    const terrain = markers.findLast((one) => one.becomes)?.becomes ?? there.terrain;
    const cost = rules.terrain[terrain].enter_halves[mover], road = movement.road_halves;
    const byRoad = side.roads.length > 0 && road !== null && (cost === null || road <= cost);
    const parts = [byRoad ? road : cost, ...markers.map((one) => one.move_halves[mover])];
    const rise = Math.max(there.level - here.level, 0);
    if (rise) parts.push(movement.elevation_halves === null ? null : rise * movement.elevation_halves);
    if (!(side.roads.length && movement.bridges)) parts.push(side.cross_halves[mover] === undefined ? 0 : side.cross_halves[mover]);
    if (there.closed || parts.includes(null)) return null;
    return Math.max(parts.reduce((sum, part) => sum + part, 0), movement.least_halves ?? 0);
  }

  /** Return where one step leads, and what it costs: as the bundle says, or else what its tables add up to. */
  steps(label, mover) {
    if (this.bundle.hasSteps && Object.hasOwn(this.bundle.ruleset.movers, mover)) return this.bundle.steps(label, mover);
    const costs = this.places.get(label).neighbours.map((there) => [there, this.step(label, there, mover)]);
    return costs.filter(([there, cost]) => cost !== null && this.places.get(there).in_play);
  }

  /** Return the cheapest way of a unit to a location, and its cost. */
  way(unit, end) {
    const start = this.at.get(unit.id), { mover } = this.kind(unit);
    const best = new Map([[start, 0]]), came = new Map([[start, ""]]), open = new Set([start]), done = new Set();
    while (open.size) {
      let here = null;
      for (const label of open) {
        const closer = here === null ? -1 : best.get(label) - best.get(here) || this.order.get(label) - this.order.get(here);
        if (closer < 0) here = label;
      }
      open.delete(here);
      done.add(here);
      if (here === end) {
        const labels = [here];
        while (came.get(labels[0])) labels.unshift(came.get(labels[0]));
        return [labels, best.get(here)];
      }
      for (const [there, step] of this.steps(here, mover)) {
        if (done.has(there) || this.held(there, unit.side)) continue;
        if (!best.has(there) || best.get(here) + step < best.get(there)) {
          best.set(there, best.get(here) + step);
          came.set(there, here);
          open.add(there);
        }
      }
    }
    throw new Refused(`no way from ${start} to ${end}`);
  }

  /** Draw the hexes: the first letter of the terrain, = for a road, the sides of the units. */
  board() {
    const hexes = this.bundle.locations.filter((one) => one.kind === "hex");
    const drawn = new Map(hexes.map((one) => [`${one.row},${one.column}`, this.cell(one)])), lines = [];
    const rows = Math.max(-1, ...hexes.map((one) => one.row)), columns = Math.max(-1, ...hexes.map((one) => one.column));
    for (let row = 0; row <= rows; row++) {
      const cells = [...Array(columns + 1).keys()].map((column) => drawn.get(`${row},${column}`) ?? "   ");
      lines.push(`${String(row + 1).padStart(3)} ${cells.join(" ")}`.trimEnd());
    }
    for (const [name, label] of this.at) {
      if (label && this.places.get(label).kind !== "hex") lines.push(`${name} in ${label}`);
    }
    return lines.join("\n");
  }

  /** Draw one hex. */
  cell(one) {
    if (!one.in_play) return "...";
    const here = new Set([...this.units.values()].filter((unit) => this.at.get(unit.id) === one.label).map((unit) => unit.side));
    const mark = here.size === 0 ? " " : here.size === 1 ? [...here][0][0].toUpperCase() : "*";
    return `${one.terrain[0]}${one.road ? "=" : " "}${mark}`;
  }

  area(name) {
    const area = this.setup.areas[this.unit(name).area];
    return `${name}: ${area.text}: ${area.labels.join(" ") || "nowhere"}`;
  }

  /** Put a unit into its area. */
  put(name, label, arrival) {
    const unit = this.unit(name), place = this.place(label);
    const formation = this.formations.get(unit.formation), area = this.setup.areas[unit.area];
    refuse(this.at.get(name), `${name} is on the map`);
    refuse(formation.arrival !== arrival, `${name} does not come that way, but by: ${formation.arrival}`);
    refuse(arrival === "enter" && this.turn < formation.arrival_turn, `${name} enters in turn ${formation.arrival_turn}`);
    refuse(!area.labels.includes(label), `${label} is not in the area of ${name}: ${area.text}`);
    for (const rule of area.distances ?? []) {
      const there = rule.units.map((other) => this.at.get(other)).filter(Boolean).map((at) => this.places.get(at));
      const near = there.length ? Math.min(...there.map((other) => this.distance(place, other))) : rule.least;
      const wrong = near < rule.least || (rule.most !== null && near > rule.most);
      refuse(wrong, `${label} is ${near} hexes away: ${area.text}`);
    }
    this.at.set(name, label);
  }

  /** Begin the next turn. */
  next() {
    const now = this.setup.turns.find((one) => one.turn === this.turn + 1);
    refuse(!now, "the game is over");
    this.turn++;
    this.moved.clear();
    const said = [`turn ${this.turn}`, now.name, now.light, ...(now.arrivals ?? []).map((name) => `${name} may enter`)];
    return said.filter(Boolean).join(", ");
  }

  /** Move a unit the cheapest way, as far as its allowance goes. */
  move(name, end) {
    const unit = this.unit(name);
    this.place(end);
    refuse(!this.at.get(name), `${name} is not on the map`);
    refuse(!this.turn, "the game has not begun; next begins it");
    refuse(this.moved.has(name), `${name} has moved in this turn`);
    const [labels, cost] = this.way(unit, end), allowed = 2 * (unit.movement ?? 0);
    const first = labels.length === 2 && allowed > 0 && this.bundle.ruleset.movement.minimum_one;
    refuse(cost > allowed && !first, `${name} has ${points(allowed)} points; ${labels.join(" ")} costs ${points(cost)}`);
    for (const [other, one] of this.units) if (other === name || one.carried_by === name) this.at.set(other, end);
    this.moved.add(name);
    return `${name}: ${labels.join(" ")} for ${points(cost)} of ${points(allowed)} points`;
  }

  /** Carry out one command; return what to print. */
  obey(line) {
    const [command, first = "", ...rest] = line.split(" "), second = rest.join(" ");
    try {
      switch (command) {
        case "board": return this.board();
        case "units": return [...this.at].map(([name, label]) => `${name}: ${label || "-"}`).join("\n") || "nobody";
        case "area": return this.area(first);
        case "place": this.put(first, second, "set_up"); return `${first} at ${second}`;
        case "enter": this.put(first, second, "enter"); return `${first} enters at ${second}`;
        case "move": return this.move(first, second);
        case "next": return this.next();
        case "sight": return `${first} to ${second}: ${this.bundle.sight(this.place(first).label, this.place(second).label)}`;
        case "help": return HELP;
        default: throw new Refused(`no command ${command}; try help`);
      }
    } catch (error) {
      if (!(error instanceof Refused || error instanceof BundleError)) throw error;
      return `no: ${error.message}`;
    }
  }
}

if (process.argv.length !== 3) leave("usage: node engine.mjs FILE.bundle.zip");
let engine;
try {
  engine = new Engine(readBundle(readFileSync(process.argv[2])));
} catch (error) {
  if (!(error instanceof BundleError || error.syscall)) throw error; // syscall: there is no such file, or it is a folder
  leave(`refused: ${process.argv[2]}: ${error.message}`);
}
console.log(`${engine.bundle.title} (${engine.places.size} locations, ${engine.units.size} units)`);
for await (const raw of createInterface({ input: process.stdin })) {
  const line = raw.trim();
  if (line === "quit") break;
  if (line) console.log(`> ${line}\n${engine.obey(line)}`);
}

// Locations that are no hexes (studio/editor/places.py lists them): which lie under a point, and where they are.

import { BoxIndex } from "./boxes.js";

const REACH = 160;

export class Places {
  constructor(store, list) {
    this.store = store;
    this.closed = new Set(store.catalogue.closed || []);
    this.load(list);
  }

  load(list) {
    const { kx, ky } = this.store.grid;
    this.list = list.map((place) => {
      const [x, y] = place.dot, [u, v] = place.spot || place.dot, [wide, high] = place.reach || [REACH, REACH];
      return { ...place, x: x * kx, y: y * ky, u: u * kx, v: v * ky, wide: wide / 1000, high: high / 1000, r: Math.min(high, 400) / 1000 };
    });
    this.labels = new Map(this.list.map((place) => [place.label, place]));
    this.index = this.forms = null;
  }
  get count() { return this.list.length; }
  byLabel(text) { return this.labels.get(text); }

  // -- where they are -------------------------------------------------------------------------------------------------

  /** Rings of an area in world units, the outer one first; null of a place that has no outline. */
  outline(place) {
    const { kx, ky } = this.store.grid;
    return this.rings(place)?.map((ring) => ring.map(([x, y]) => [x * kx, y * ky])) || null;
  }
  rings({ kind, id }) {
    const record = kind === "area" && this.store.features.get(id)?.record;
    return record ? [record.outline, ...(record.holes || [])] : null;
  }
  /** The index is made when it is first asked, and follows the areas that are moved. */
  build() {
    this.index = new BoxIndex();
    this.known = new Map();
    this.list.forEach((place, n) => {
      if (place.id) this.known.set(place.id, n);
      this.enter(n);
    });
  }
  enter(n) {
    const place = this.list[n], rings = this.rings(place);
    if (!rings) {
      if (place.kind !== "area") this.index.set(n, [place.u - place.wide, place.v - place.high, place.u + place.wide, place.v + place.high]);
      else this.index.delete(n);
      return;
    }
    const { kx, ky } = this.store.grid, xs = rings[0].map((p) => p[0] * kx), ys = rings[0].map((p) => p[1] * ky);
    this.index.set(n, [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
    place.size = Math.abs(rings[0].reduce((sum, [x, y], i) => { const [u, v] = rings[0][(i + 1) % rings[0].length]; return sum + x * v - u * y; }, 0));
  }
  follow(ids) { if (this.index) for (const id of ids) if (this.known.has(id)) this.enter(this.known.get(id)); }

  /**
   * The locations at a point, the uppermost first: signs whose middle is near, then the areas around the point, the smallest
   * first, then the hex; after these what is stacked upon them, such as a roof.
   */
  stack(x, y) {
    const { grid } = this.store, found = [], cell = grid.cellAt(x, y);
    if (this.count) {
      if (!this.index) this.build();
      const X = Math.round(x / grid.kx), Y = Math.round(y / grid.ky), near = [...this.index.meeting(x, y, x, y)].map((n) => this.list[n]);
      const away = (p) => Math.hypot(p.u - x, p.v - y), areas = near.filter((p) => p.kind === "area" && this.rings(p).reduce((n, ring) => n + inside(ring, X, Y), 0) === 1);
      found.push(...near.filter((p) => p.kind !== "area").sort((p, q) => away(p) - away(q)), ...areas.sort((p, q) => p.size - q.size));
    }
    const hex = this.hex(cell), ids = new Set(found.flatMap((p) => [p.id, p.within]).filter(Boolean));
    if (hex) found.push(hex);
    for (const p of this.list) if (p.kind !== "area" && !found.includes(p) && (ids.has(p.within) || (p.kind === "road" && p.cell === cell))) found.push(p);
    return found;
  }
  /** The location under a point where it is no hex, else null. */
  at(x, y) {
    const first = this.count ? this.stack(x, y)[0] : null;
    return first && first.kind !== "hex" ? first : null;
  }
  /** All locations in a hex: those at its middle, and those whose dots it holds. */
  within(cell) {
    const found = this.stack(...this.store.grid.centre(cell));
    return [...found, ...this.list.filter((place) => place.cell === cell && !found.includes(place))];
  }
  /** A hex as a location, null where none is. */
  hex(cell) {
    const { grid, labels, terrainIds, planes } = this.store;
    if (!grid.has(cell) || this.closed.has(terrainIds[planes.terrain[cell]])) return null;
    const [x, y] = grid.centre(cell);
    return { kind: "hex", label: labels.of(cell), number: cell, cell, x, y };
  }

  /** What the place of a reason is: a hexside, hexes and other locations, or a drawn thing by its id or name. */
  named(at) {
    const { grid, labels, features } = this.store, names = [].concat(at), cells = names.map((name) => labels.cell(name));
    const side = names.length === 2 && cells.every((cell) => cell >= 0) && grid.sideEnds(...cells);
    if (side) return [{ line: side }];
    return names.map((name, i) => {
      if (this.labels.has(name)) return this.labels.get(name);
      if (cells[i] >= 0) return { kind: "hex", cell: cells[i] };
      const record = features.get(name)?.record || [...features.values()].map((entry) => entry.record).find((one) => one.name === name && (one.outline || one.line));
      if (record?.outline) return { kind: "area", id: record.id };
      return record?.line ? { line: record.line.map(([x, y]) => [x * grid.kx, y * grid.ky]) } : null;
    }).filter(Boolean);
  }

  // -- by name --------------------------------------------------------------------------------------------------------

  /** The location that somebody means who types a text, hexes as well; null for none. */
  find(text) {
    const wanted = String(text).trim();
    if (this.labels.has(wanted)) return this.labels.get(wanted);
    const hex = this.hex(this.store.labels.find(wanted));
    if (hex && hex.label === wanted) return hex;
    this.forms ||= new Map([...this.list].reverse().map((place) => [plain(place.label), place]));
    return this.forms.get(plain(wanted)) || hex;
  }
}

function plain(text) { return String(text).toUpperCase().replace(/\s+/g, ""); }

/** Whether a point of the lattice lies in a ring; whole numbers, so that it is exact. */
function inside(ring, x, y) {
  let odd = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i], [bx, by] = ring[j];
    if (ay > y === by > y) continue;
    const side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
    if (by > ay ? side > 0 : side < 0) odd ^= 1;
  }
  return odd;
}

// What is drawn on the map with corners of its own, on the lattice, to be hit, snapped to and moved: one index for a store.

import { BoxIndex } from "../../boxes.js";
import { segmentDistance } from "../../grid.js";

const all = new WeakMap();

/** The figures of a store; made when a tool of this part is first used, and kept up with every change. */
export function figuresOf(store) {
  if (!all.has(store)) all.set(store, new Figures(store));
  return all.get(store);
}

/** The rings and lines of a record: [{points: [[x, y]], closed, part}], lattice points; part -1 is an outline or a line. */
export function strandsOf(record) {
  if (record.kind === "area") return [record.outline, ...(record.holes || [])].map((points, i) => ({ points, closed: true, part: i - 1 }));
  if (record.kind === "wall" || record.kind === "contour" || (record.kind === "road" && record.line?.length)) return [{ points: record.line, closed: false, part: -1 }];
  return [];
}
/** A record with other rings or lines; `change(points, closed)` returns the new points. */
export function withStrands(record, change) {
  if (record.kind === "area") return { ...record, outline: change(record.outline, true), ...(record.holes?.length ? { holes: record.holes.map((hole) => change(hole, true)) } : {}) };
  return { ...record, line: change(record.line, false) };
}
/** Edges [p, q, number] of a strand. */
export function edgesOf({ points, closed }) {
  const found = [];
  for (let i = closed ? 0 : 1; i < points.length; i++) found.push([points[(i + points.length - 1) % points.length], points[i], closed ? (i + points.length - 1) % points.length : i - 1]);
  return found;
}
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];

class Figures {
  constructor(store) {
    this.store = store;
    store.on("features", ({ ids }) => ids.forEach((id) => this.follow(id)));
    store.on("reset", () => this.rebuild());
    this.rebuild();
  }
  rebuild() {
    this.byId = new Map();
    this.boxes = new BoxIndex();
    for (const id of this.store.features.keys()) this.follow(id);
  }
  follow(id) {
    const record = this.store.features.get(id)?.record;
    if (!record) {
      this.byId.delete(id);
      this.boxes.delete(id);
      return;
    }
    const strands = strandsOf(record), { kx, ky } = this.store.grid, figure = { id, record, strands };
    const points = strands.length ? strands.flatMap((strand) => strand.points) : this.anchors(record);
    if (!points.length) {
      this.byId.delete(id);
      this.boxes.delete(id);
      return;
    }
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of points) {
      box[0] = Math.min(box[0], x * kx);
      box[1] = Math.min(box[1], y * ky);
      box[2] = Math.max(box[2], x * kx);
      box[3] = Math.max(box[3], y * ky);
    }
    Object.assign(figure, { box, anchors: strands.length ? [] : points, size: record.kind === "area" ? Math.abs(area(record.outline)) : 0 });
    this.byId.set(id, figure);
    const margin = record.kind === "name" ? Math.max(4, (record.size || 0.35) * 0.32 * Math.min(record.text.length, 80)) : 0.01;
    this.boxes.set(id, [box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin]);
  }
  /** Where something without corners of its own stands, or runs through: lattice points. */
  anchors(record) {
    const { store } = this, { grid, labels } = store, place = (at) => {
      if (Array.isArray(at)) return at;
      const cell = labels.cell(at);
      if (cell >= 0) return grid.centreLattice(cell);
      const found = store.places?.byLabel?.(at);
      return found ? [Math.round(found.x / grid.kx), Math.round(found.y / grid.ky)] : null;
    };
    if (record.kind === "dot") return record.point ? [record.point] : [];
    if (record.kind === "link") return [place(record.a), place(record.b)].filter((p) => p);
    return (record.path || (record.at ? [record.at] : [])).map(place).filter((p) => p);
  }
  get(id) { return this.byId.get(id); }

  /** Figures whose boxes meet a world box. */
  meeting(x0, y0, x1, y1) { return [...this.boxes.meeting(x0, y0, x1, y1)].map((id) => this.byId.get(id)); }
  near(x, y, reach) { return this.meeting(x - reach, y - reach, x + reach, y + reach); }

  /** What lies under a world position, the topmost first: signs, lines, areas, the smallest first; links, which run all over a map, last. */
  under(x, y, reach, shows = () => true) {
    const { kx, ky } = this.store.grid, signs = [], lines = [], areas = [], links = [];
    for (const figure of this.near(x, y, reach)) {
      const { record, strands, anchors } = figure;
      if (!shows(record)) continue;
      if (record.kind === "area") {
        if (inside(record, x / kx, y / ky)) areas.push(figure);
        continue;
      }
      const runs = strands.length ? strands.map((strand) => strand.points) : anchors.length > 1 ? [anchors] : [];
      let away = Infinity;
      for (const run of runs) for (let i = 1; i < run.length; i++) away = Math.min(away, segmentDistance(x, y, [run[i - 1][0] * kx, run[i - 1][1] * ky], [run[i][0] * kx, run[i][1] * ky]));
      if (runs.length) {
        if (away <= reach) (record.kind === "link" ? links : lines).push([away, figure]);
        continue;
      }
      const [ax, ay] = anchors[0];
      if (record.kind === "name") away = Math.max(Math.abs(x - ax * kx) - (record.size || 0.35) * 0.32 * Math.min(record.text.length, 80), Math.abs(y - ay * ky) - (record.size || 0.35) * 0.5, 0);
      else away = Math.hypot(x - ax * kx, y - ay * ky);
      if (away <= Math.max(reach, record.kind === "name" ? 0 : 0.2)) signs.push([away, figure]);
    }
    const byAway = (a, b) => a[0] - b[0];
    return [...signs.sort(byAway).map(([, f]) => f), ...lines.sort(byAway).map(([, f]) => f), ...areas.sort((a, b) => a.size - b.size), ...links.sort(byAway).map(([, f]) => f)];
  }

  /** Corners within reach of a world position: [{at, ids, away}], the nearest first. */
  cornersNear(x, y, reach, only = null) {
    const { kx, ky } = this.store.grid, found = new Map();
    for (const figure of this.near(x, y, reach)) {
      if (only && !only.has(figure.id)) continue;
      for (const { points } of figure.strands) {
        for (const at of points) {
          const away = Math.hypot(at[0] * kx - x, at[1] * ky - y);
          if (away > reach) continue;
          const key = `${at[0]},${at[1]}`;
          if (!found.has(key)) found.set(key, { at, ids: [], away });
          if (!found.get(key).ids.includes(figure.id)) found.get(key).ids.push(figure.id);
        }
      }
    }
    return [...found.values()].sort((a, b) => a.away - b.away);
  }
  /** Edges within reach of a world position: [{p, q, id, away}], the nearest first. */
  edgesNear(x, y, reach, only = null) {
    const { kx, ky } = this.store.grid, found = [];
    for (const figure of this.near(x, y, reach)) {
      if (only && !only.has(figure.id)) continue;
      for (const strand of figure.strands) {
        for (const [p, q] of edgesOf(strand)) {
          const away = segmentDistance(x, y, [p[0] * kx, p[1] * ky], [q[0] * kx, q[1] * ky]);
          if (away <= reach) found.push({ p, q, id: figure.id, away });
        }
      }
    }
    return found.sort((a, b) => a.away - b.away);
  }
  /** Figures that have a corner at a lattice point. */
  sharing(at) {
    const { kx, ky } = this.store.grid;
    return this.near(at[0] * kx, at[1] * ky, 0.005).filter((figure) => figure.strands.some((strand) => strand.points.some((p) => same(p, at))));
  }
  /** What is part of some features, however deep, they included. */
  withParts(ids) {
    const found = new Set(ids);
    for (let grown = true; grown;) {
      grown = false;
      for (const { record } of this.store.features.values()) {
        if (record.within && found.has(record.within) && !found.has(record.id)) { found.add(record.id); grown = true; }
      }
    }
    return found;
  }
}

export function area(ring) {
  let sum = 0;
  ring.forEach(([x, y], i) => { const [u, v] = ring[(i + 1) % ring.length]; sum += x * v - u * y; });
  return sum / 2;
}
export function insideRing(ring, x, y) {
  let odd = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [px, py] = ring[i], [qx, qy] = ring[j];
    if (py > y !== qy > y && x < ((qx - px) * (y - py)) / (qy - py) + px) odd = !odd;
  }
  return odd;
}
export function inside(record, x, y) { return insideRing(record.outline, x, y) && !(record.holes || []).some((hole) => insideRing(hole, x, y)); }

// -- guesses: what Python will most likely answer -----------------------------------------------------------------------

const put = (record) => ({ op: "put", collection: "features", record });
const batch = (edits) => ({ op: "batch", edits });

/** Corners moved everywhere: `moves` maps "x,y" to [x, y]. */
export function movedCorners(figures, moves, only = null) {
  const ids = new Set();
  for (const key of moves.keys()) for (const { id } of figures.sharing(key.split(",").map(Number))) if (!only || only.has(id)) ids.add(id);
  const go = (p) => moves.get(`${p[0]},${p[1]}`) || p;
  return [...ids].map((id) => withStrands(figures.get(id).record, (points) => points.map(go)));
}
export function guessMoves(figures, moves) {
  const records = movedCorners(figures, moves), carried = [];
  for (const [key, to] of moves) {
    const at = key.split(",").map(Number), { kx, ky } = figures.store.grid;
    for (const { record } of figures.near(at[0] * kx, at[1] * ky, 0.005)) if ((record.kind === "place" || record.kind === "aperture") && same(record.at, at)) carried.push({ ...record, at: to });
  }
  return batch([...records, ...carried].map(put));
}
/** A corner in every edge through a point, or in those of one edge, moved to `to`. */
export function insertedCorner(figures, edge, to, only = null) {
  const { kx, ky } = figures.store.grid, [p, q] = edge, found = [];
  for (const figure of figures.near(((p[0] + q[0]) / 2) * kx, ((p[1] + q[1]) / 2) * ky, 0.005)) {
    if (only && !only.has(figure.id)) continue;
    let hit = false;
    const record = figure.strands.length && withStrands(figure.record, (points, closed) => {
      const next = [];
      points.forEach((at, i) => {
        const after = closed || i + 1 < points.length ? points[(i + 1) % points.length] : null;
        next.push(at);
        if (after && ((same(at, p) && same(after, q)) || (same(at, q) && same(after, p)))) { next.push(to); hit = true; }
      });
      return next;
    });
    if (hit) found.push(record);
  }
  return found;
}
export function withoutCorner(figures, at) {
  return figures.sharing(at).map(({ record }) => withStrands(record, (points, closed) => {
    const left = points.filter((p) => !same(p, at));
    return left.length >= (closed ? 3 : 2) ? left : points;
  }));
}
/** Features moved by a way, with what is part of them. */
export function shiftedRecords(figures, ids, dx, dy) {
  const go = ([x, y]) => [x + dx, y + dy], found = [];
  for (const id of figures.withParts(ids)) {
    const record = figures.store.features.get(id)?.record;
    if (!record) continue;
    const next = strandsOf(record).length ? withStrands(record, (points) => points.map(go)) : { ...record };
    if (Array.isArray(record.at)) next.at = go(record.at);
    if (record.dot) next.dot = go(record.dot);
    if (record.point) next.point = go(record.point);
    found.push(next);
  }
  return found;
}
export { batch, put };

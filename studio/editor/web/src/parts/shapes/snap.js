// What a corner that is drawn or dragged goes to: always a whole point of the lattice, and what was hit is shown and said.

import { edgesOf, same } from "./figures.js";

/** The kinds, in the order in which they win. */
export const KINDS = [
  ["vertex", "Corners"], ["crossing", "Crossings"], ["edge", "Edges"], ["corner", "Hex corners"], ["side", "Side middles"], ["centre", "Hex centres"], ["frame", "Map edge"],
];
const REACH = 11; // CSS pixels

export class Snapper {
  constructor(view, figures) { Object.assign(this, { view, figures }); }
  /** At first all kinds but hex centres where the game has walls: a wall through the dot of a hex leaves it on neither side. */
  get chosen() {
    const walls = this.view.store.catalogue.wall_types?.length > 0;
    return (this.view.options.snapTo ||= new Set(KINDS.map(([id]) => id).filter((id) => id !== "centre" || !walls)));
  }

  /**
   * The lattice point for a world position: {at, kind, words, edge}.
   * own: corners of what is being drawn; skip: ids not to snap to; blunt: ids whose edges are left out, since an area must not touch itself; without: lattice points that move along, and their edges.
   */
  find(x, y, { own = [], skip = null, blunt = null, without = null, last = null, shift = false, alt = false, reach = null } = {}) {
    const { grid } = this.view, { kx, ky } = grid, free = this.inFrame([Math.round(x / kx), Math.round(y / ky)]);
    if (shift && last) return { ...this.straight(x, y, last), words: "" };
    if (alt) return { at: free, kind: "free", words: "" };
    const far = reach ?? (REACH * this.view.dpr) / this.view.camera.scale, on = this.chosen, away = (at) => Math.hypot(at[0] * kx - x, at[1] * ky - y);
    const nearest = (list) => {
      let best = null;
      for (const one of list) { const d = away(one.at); if (d <= far && (!best || d < best.d)) best = { ...one, d }; }
      return best;
    };
    const moves = (at) => without?.has(`${at[0]},${at[1]}`), shown = (id) => !skip?.has(id);
    const corners = on.has("vertex") ? this.figures.cornersNear(x, y, far).filter((c) => !moves(c.at) && c.ids.some(shown)).map(({ at, ids }) => ({ at, kind: "vertex", ids })) : [];
    const ownCorners = own.length ? [{ at: own[0], kind: "own" }, ...own.slice(1).map((at) => ({ at, kind: "vertex", ids: [] }))] : [];
    let hit = nearest([...ownCorners, ...corners]);
    if (hit) return { ...hit, words: hit.kind === "own" ? "first corner" : hit.ids.length ? `corner of ${this.called(hit.ids)}` : "own corner" };
    const edges = on.has("edge") || on.has("crossing") ? this.figures.edgesNear(x, y, far).filter(({ p, q, id }) => shown(id) && !blunt?.has(id) && !moves(p) && !moves(q)) : [];
    const ownEdges = own.length > 2 ? edgesOf({ points: own, closed: false }).map(([p, q]) => ({ p, q, id: null })) : [];
    if (on.has("crossing")) {
      hit = nearest(crossings([...edges.slice(0, 24), ...ownEdges]));
      if (hit) return { ...hit, kind: "crossing", words: "crossing" };
    }
    const hexes = nearest(this.hexPoints(x, y, on)), frame = on.has("frame") ? this.frame(x, y, far) : null;
    if (on.has("edge") && edges.length) {
      // A corner of a hex that lies on the edge is both at once.
      const { p, q, id } = edges[0], at = hexes && onEdge(hexes.at, p, q) ? hexes.at : footOf(x / kx, y / ky, p, q, [kx, ky]);
      if (away(at) <= far * 1.2) return { at, kind: "edge", edge: [p, q], words: `edge of ${this.called([id])}${hexes && same(at, hexes.at) ? `, ${hexes.words}` : ""}` };
    }
    if (hexes) return { ...hexes, at: this.inFrame(hexes.at) };
    return frame || { at: free, kind: "free", words: "" };
  }
  called(ids) {
    const names = ids.map((id) => this.figures.get(id)?.record).filter(Boolean).map((record) => titleOf(this.view.store, record));
    return names.length > 2 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(" and ");
  }
  inFrame([x, y]) {
    const [x0, y0, x1, y1] = this.view.grid.frame;
    return [Math.max(x0, Math.min(x1, x)), Math.max(y0, Math.min(y1, y))];
  }
  hexPoints(x, y, on) {
    const { grid } = this.view, [x0, y0, x1, y1] = grid.frame, slack = 1e-3;
    const cell = grid.cellAt(Math.max(x0 * grid.kx + slack, Math.min(x1 * grid.kx - slack, x)), Math.max(y0 * grid.ky + slack, Math.min(y1 * grid.ky - slack, y)));
    if (cell < 0) return [];
    return finePoints(grid, cell).filter(({ kind, at }) => on.has(kind) && same(at, this.inFrame(at)));
  }
  /** The nearest point of the lines around the map. */
  frame(x, y, far) {
    const { grid } = this.view, { kx, ky } = grid;
    let best = null;
    for (const ring of grid.border) {
      ring.forEach((a, i) => {
        const b = ring[(i + 1) % ring.length], p = [Math.round(a[0] / kx), Math.round(a[1] / ky)], q = [Math.round(b[0] / kx), Math.round(b[1] / ky)];
        for (const [at, bonus] of [[footOf(x / kx, y / ky, p, q, [kx, ky]), 0], [p, far / 2]]) {
          const d = Math.hypot(at[0] * kx - x, at[1] * ky - y);
          if (d <= far && (!best || d - bonus < best.d)) best = { at, kind: "frame", edge: [p, q], words: "map edge", d: d - bonus };
        }
      });
    }
    return best;
  }
  /** Along a row of hexes, a hexside, across or straight down from the last corner: exactly, on the lattice. */
  straight(x, y, last) {
    const { grid } = this.view, { kx, ky } = grid, ways = grid.flat ? [[1, 0], [0, 1], [1, 1], [1, -1], [3, 1], [3, -1]] : [[1, 0], [0, 1], [1, 1], [1, -1], [1, 3], [1, -3]];
    let best = null;
    for (const [dx, dy] of ways) {
      const ux = dx * kx, uy = dy * ky, vx = x - last[0] * kx, vy = y - last[1] * ky, k = Math.round((vx * ux + vy * uy) / (ux * ux + uy * uy));
      const off = Math.hypot(vx - k * ux, vy - k * uy);
      if (!best || off < best.off) best = { off, k, dx, dy };
    }
    // Not beyond the map: the way stays exact.
    const [x0, y0, x1, y1] = grid.frame, step = Math.sign(best.k), out = (k) => { const px = last[0] + k * best.dx, py = last[1] + k * best.dy; return px < x0 || px > x1 || py < y0 || py > y1; };
    let { k } = best;
    while (k && out(k)) k -= step;
    return { at: [last[0] + k * best.dx, last[1] + k * best.dy], kind: "straight" };
  }
}

/** The lattice points of a hex: centre, corners, middles of sides. */
export function finePoints(grid, cell) {
  const [x, y] = grid.centreLattice(cell), ends = grid.offsets.map(([dx, dy]) => [x + dx, y + dy]);
  return [
    ...ends.map((at) => ({ at, kind: "corner", words: "hex corner" })),
    ...ends.map((p, i) => { const q = ends[(i + 1) % 6]; return { at: [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2], kind: "side", words: "middle of a hexside" }; }),
    { at: [x, y], kind: "centre", words: "hex centre" },
  ];
}
export function titleOf(store, record) {
  const types = { area: "area_types", wall: "wall_types", marker: "marker_types" }[record.kind], type = record.type && ((store.catalogue[types] || []).find((t) => t.id === record.type)?.name || record.type.replace(/_/g, " "));
  const text = [(type || record.kind).toLowerCase(), record.name || record.text || (record.kind === "contour" ? `level ${record.level}` : "")].filter(Boolean).join(" ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function gcd(a, b) { a = Math.abs(a); b = Math.abs(b); while (b) [a, b] = [b, a % b]; return a; }
export function onEdge(at, p, q) {
  return (q[0] - p[0]) * (at[1] - p[1]) === (q[1] - p[1]) * (at[0] - p[0]) && at[0] >= Math.min(p[0], q[0]) && at[0] <= Math.max(p[0], q[0]) && at[1] >= Math.min(p[1], q[1]) && at[1] <= Math.max(p[1], q[1]);
}
/** The point of an edge nearest to (X, Y): one of its own lattice points where it has some near, else the nearest of all. */
export function footOf(X, Y, p, q, [kx, ky]) {
  const dx = q[0] - p[0], dy = q[1] - p[1], wx = kx * kx, wy = ky * ky, length = wx * dx * dx + wy * dy * dy;
  const t = length ? Math.max(0, Math.min(1, (wx * dx * (X - p[0]) + wy * dy * (Y - p[1])) / length)) : 0, steps = gcd(dx, dy);
  if (steps > 1) {
    const k = Math.round(t * steps), at = [p[0] + (dx / steps) * k, p[1] + (dy / steps) * k], away = Math.hypot((at[0] - p[0] - t * dx) * kx, (at[1] - p[1] - t * dy) * ky);
    if (away < 0.03) return at;
  }
  return [Math.round(p[0] + t * dx), Math.round(p[1] + t * dy)];
}
export function crossingOf(p, q, r, s) {
  const ax = q[0] - p[0], ay = q[1] - p[1], bx = s[0] - r[0], by = s[1] - r[1], d = ax * by - ay * bx;
  if (!d) return null;
  const t = ((r[0] - p[0]) * by - (r[1] - p[1]) * bx) / d, u = ((r[0] - p[0]) * ay - (r[1] - p[1]) * ax) / d;
  return t > 0 && t < 1 && u > 0 && u < 1 ? [p[0] + t * ax, p[1] + t * ay] : null;
}
function crossings(edges) {
  const found = [];
  for (let i = 0; i < edges.length; i++) {
    for (let j = i + 1; j < edges.length; j++) {
      const at = crossingOf(edges[i].p, edges[i].q, edges[j].p, edges[j].q);
      if (at) found.push({ at: at.map(Math.round) });
    }
  }
  return found;
}

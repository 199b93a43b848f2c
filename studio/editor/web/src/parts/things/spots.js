// Where things are on the map, in world units: what the tools point at, move and erase.

import { segmentDistance } from "../../grid.js";

/** The point of a location by its label: that of its sign, or the dot of a hex. Null where there is none. */
export function spotOf(store, label) {
  const place = store.places.byLabel(label);
  if (place) return [place.u, place.v];
  const cell = store.labels.cell(label);
  if (cell < 0) return null;
  const dot = dotOf(store, label);
  return dot ? world(store, dot.point) : store.grid.centre(cell);
}
/** The record of the dot of a hex that is not in its middle. */
export function dotOf(store, label) {
  const stamp = `${store.revision} ${store.seq} ${store.pending.length}`;
  if (known.store !== store || known.stamp !== stamp) {
    const dots = [...store.features.values()].map(({ record }) => record).filter(({ kind }) => kind === "dot");
    known = { store, stamp, dots: new Map(dots.map((record) => [record.at, record])) };
  }
  return known.dots.get(label) || null;
}
let known = {};

export function world({ grid }, [x, y]) { return [x * grid.kx, y * grid.ky]; }
export function lattice({ grid }, x, y) { return [Math.round(x / grid.kx), Math.round(y / grid.ky)]; }

/** What a feature runs through or stands at; an outline comes back to its begin. */
export function lineOf(store, { record, points }) {
  switch (record.kind) {
    case "place": case "aperture": case "name": return [world(store, record.at)];
    case "dot": return [world(store, record.point)];
    case "link": return points.length === 2 ? points : [];
    case "area": return [...record.outline, record.outline[0]].map((point) => world(store, point));
    case "wall": return record.line.map((point) => world(store, point));
    default: return points;
  }
}

// How near one has to point, in hexes. Where several are near, what is small goes first.
const REACH = { marker: 0.34, name: 0, place: 0.3, aperture: 0.22, dot: 0.16, link: 0.14, wall: 0.16, road: 0.3, crest: 0.3, contour: 0.2, area: 0.12 };
const RANK = ["dot", "aperture", "place", "marker", "name", "link", "wall", "crest", "road", "contour", "area"];

/** The feature of some kinds that is pointed at, null for none. */
export function thingAt(store, x, y, kinds = RANK, layers = null) {
  if (layers) kinds = kinds.filter((kind) => !layers.locked(kind));
  let best = null, least = Infinity, rank = Infinity;
  for (const entry of store.features.values()) {
    const { record } = entry, mine = RANK.indexOf(record.kind);
    if (!kinds.includes(record.kind)) continue;
    const line = lineOf(store, entry), away = distance(record, line, x, y);
    // Small things that are pointed at go before large ones; of one kind the nearest.
    if (away <= REACH[record.kind] && (mine < rank || (mine === rank && away <= least))) { best = record; least = away; rank = mine; }
  }
  return best;
}
function distance(record, line, x, y) {
  if (!line.length) return Infinity;
  if (record.kind === "name") {
    const size = record.size || 0.35, turn = ((record.angle || 0) * Math.PI) / 180, dx = x - line[0][0], dy = y - line[0][1];
    const along = dx * Math.cos(turn) - dy * Math.sin(turn), across = dx * Math.sin(turn) + dy * Math.cos(turn);
    return Math.max(Math.abs(along) - Math.max(0.2, size * 0.32 * Math.min(record.text.length, 80)), Math.abs(across) - Math.max(0.15, size * 0.5), 0);
  }
  if (line.length === 1) return Math.hypot(x - line[0][0], y - line[0][1]);
  let least = Infinity;
  for (let i = 1; i < line.length; i++) least = Math.min(least, segmentDistance(x, y, line[i - 1], line[i]));
  return least;
}

// A display list: paths and texts with their looks, by number, and where they lie. studio/draw/inkwire.py writes it.

import { BoxIndex } from "../../boxes.js";

const GRAIN = 2000; // steps to the height of a hex
const SMALL = 8; // px a hex from which marks and texts with a least size are found where they are seen
const GROUP = ["layer", "z", "face", "edge", "alpha", "width", "least", "dash", "cap", "join", "low", "high", "pattern", "mark"];
const WORDS = ["layer", "z", "text", "x", "y", "size", "least", "middle", "wide", "font", "color", "halo", "haloWidth", "angle", "box", "alpha", "owner", "low", "high"];

const named = (names, values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));

/** Reads whole numbers of seven bits a byte. */
class Reader {
  constructor(bytes) { Object.assign(this, { bytes, at: 0 }); }
  next() {
    let value = 0, shift = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * shift;
      shift *= 128;
    } while (byte & 128);
    return value;
  }
  signed() {
    const n = this.next();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}

const TAKES = [1, 2, 3, 0];

export class InkList {
  /** flexible: dashes grow with lines that have their least width. */
  constructor(flexible = false) {
    this.flexible = flexible;
    this.number = 0;
    this.clear();
  }
  clear() {
    Object.assign(this, { shapes: [], owners: [""], groups: new Map(), items: new Map(), owned: new Map(), index: new BoxIndex(), found: null });
  }

  /** Follow a message; returns the boxes to paint anew, null when one before it is missing. */
  take(message, bytes) {
    if (message.base === 0) this.clear();
    else if (message.base !== this.number) return null;
    this.number = message.number;
    this.found = null;
    this.at = [0, 0];
    const read = new Reader(bytes), boxes = [];
    this.owners.push(...message.owners);
    for (const [id, ...values] of message.groups) this.groups.set(id, { id, ...named(GROUP, values) });
    for (let n = read.next(); n > 0; n--) this.shapes.push(this.shape(read));
    for (let n = read.next(); n > 0; n--) this.paths(read, boxes);
    for (const [id, ...values] of message.words) this.add(id, this.words(named(WORDS, values)), boxes);
    for (let n = read.next(), id = 0; n > 0; n--) this.drop((id += read.next()), boxes);
    return boxes;
  }

  shape(read) {
    const runs = [], box = [0, 0, 0, 0];
    let points = 0;
    for (let n = read.next(); n > 0; n--) {
      const value = read.next(), op = value % 4, count = (value - op) / 4;
      runs.push(op, count);
      points += TAKES[op] * count;
    }
    const xy = new Int32Array(2 * points);
    for (let i = 0, x = 0, y = 0; i < points; i++) {
      xy[2 * i] = x += read.signed();
      xy[2 * i + 1] = y += read.signed();
      if (x < box[0]) box[0] = x;
      if (y < box[1]) box[1] = y;
      if (x > box[2]) box[2] = x;
      if (y > box[3]) box[3] = y;
    }
    return { runs, xy, box };
  }

  paths(read, boxes) {
    const group = this.groups.get(read.next()), ids = [];
    for (let n = read.next(), id = 0; n > 0; n--) ids.push((id += read.next()));
    let [x, y] = this.at;
    for (const id of ids) {
      const owner = this.owners[read.next()], pieces = [];
      x += read.signed();
      y += read.signed();
      for (let n = read.next(), px = 0, py = 0; n > 0; n--) pieces.push([this.shapes[read.next()], (px += read.signed()), (py += read.signed())]);
      this.add(id, { id, group, z: group.z, owner, x, y, pieces, box: boxOf(group, x, y, pieces), path: null }, boxes);
    }
    this.at = [x, y];
  }
  words(words) {
    const em = Math.max(words.size / 1e5, words.least / 100 / SMALL), x = words.x / GRAIN, y = words.y / GRAIN, half = em * (1 + words.wide / 2000 + Math.abs(words.middle[0]) / 1000);
    return { group: words, z: words.z, owner: words.owner, words, x, y, box: [x - half, y - half, x + half, y + half] };
  }

  add(id, item, boxes) {
    item.id = id;
    this.items.set(id, item);
    this.index.set(id, item.box);
    if (item.owner) this.owned.set(item.owner, (this.owned.get(item.owner) || new Set()).add(id));
    boxes.push(item.box);
  }
  drop(id, boxes) {
    const item = this.items.get(id);
    if (!item) return;
    boxes.push(item.box);
    this.items.delete(id);
    this.index.delete(id);
    this.owned.get(item.owner)?.delete(id);
  }
  boxesOf(owner) { return [...(this.owned.get(owner) || [])].map((id) => this.items.get(id).box); }

  /** What meets a box, as [group, items] in the order in which it is painted. */
  within(box) {
    // Asked for band after band of one tile.
    if (this.found?.box !== box) {
      const groups = new Map();
      for (const id of this.index.meeting(...box)) {
        const item = this.items.get(id);
        if (!groups.has(item.group)) groups.set(item.group, []);
        groups.get(item.group).push(item);
      }
      this.found = { box, list: [...groups].sort(([a], [b]) => a.z - b.z || (a.id ?? 0) - (b.id ?? 0)) };
    }
    return this.found.list;
  }
}

/** Extent of a path in world units, with its edge; of a mark as large as it may become. */
function boxOf({ width, least, mark }, x, y, pieces) {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const [{ box }, px, py] of pieces) {
    x0 = Math.min(x0, px + box[0]); y0 = Math.min(y0, py + box[1]); x1 = Math.max(x1, px + box[2]); y1 = Math.max(y1, py + box[3]);
  }
  const grow = mark.length ? Math.max(1, mark[1] / 100 / SMALL / (mark[0] / 1000)) : 1, edge = width ? Math.max(width / 1e5, least / 100 / SMALL) : 0;
  return [(x + x0 * grow) / GRAIN - edge, (y + y0 * grow) / GRAIN - edge, (x + x1 * grow) / GRAIN + edge, (y + y1 * grow) / GRAIN + edge];
}

/** The path of an item in world units; of a mark around its anchor. Made when it is first painted. */
export function pathOf(item) {
  if (item.path) return item.path;
  const path = (item.path = new Path2D()), [ax, ay] = item.group.mark.length ? [0, 0] : [item.x, item.y];
  for (const [{ runs, xy }, px, py] of item.pieces) {
    const at = (i) => (xy[i] + (i % 2 ? ay + py : ax + px)) / GRAIN;
    path.moveTo((ax + px) / GRAIN, (ay + py) / GRAIN);
    let i = 0;
    for (let r = 0; r < runs.length; r += 2) {
      for (let n = runs[r + 1]; n > 0; n--) {
        if (runs[r] === 0) path.lineTo(at(i), at(i + 1));
        else if (runs[r] === 1) path.quadraticCurveTo(at(i), at(i + 1), at(i + 2), at(i + 3));
        else if (runs[r] === 2) path.bezierCurveTo(at(i), at(i + 1), at(i + 2), at(i + 3), at(i + 4), at(i + 5));
        else path.closePath();
        i += 2 * TAKES[runs[r]];
      }
    }
  }
  return path;
}
export { GRAIN };

// What all views of one widget share: the map as Python last told it, with the strokes on top that are still on their way.

import { Grid } from "./grid.js";
import { labelsOf } from "./labels.js";
import { Link, packCells } from "./link.js";
import { Kernel } from "./kernel.js";
import { BoxIndex } from "./boxes.js";
import { Places } from "./places.js";

const stores = new Map();

/** The store of a model: one for all its views. */
export function storeOf(model, renew = false) {
  const uid = model.get("uid");
  if (renew || !stores.has(uid)) stores.set(uid, new Store(model));
  return stores.get(uid);
}
export function dropStore(model) {
  stores.get(model.get("uid"))?.close();
  stores.delete(model.get("uid"));
}

export class Store {
  constructor(model) {
    this.model = model;
    this.link = new Link(model);
    this.link.broken = () => this.kernel.end("kernel");
    this.link.stamp = () => ({ moves: this.moves }); // Python refuses what was meant for hexes that have moved since
    this.client = Math.random().toString(36).slice(2, 10);
    this.seq = 0;
    this.pending = []; // {seq, edit, cells: Set by plane (made when asked for), ids, sides, at}
    this.listeners = new Map();
    this.parts = null; // planes of a snapshot that comes in parts
    this.received = 0;
    this.onMessage = (message, buffers) => this.receive(message, buffers || []);
    model.on("msg:custom", this.onMessage);
    this.load({
      geometry: model.get("geometry"), labels: model.get("labels"), look: model.get("look"), catalogue: model.get("catalogue"),
      features: model.get("features"), sides: model.get("sides"), places: model.get("places"), backdrop: model.get("backdrop"), status: model.get("status"), revision: model.get("revision"),
    }, { terrain: bytesOf(model.get("terrain")), levels: bytesOf(model.get("levels")), present: bytesOf(model.get("present")) });
    this.kernel = new Kernel(model, {
      ended: (why) => this.end(why),
      silent: (silent) => { if (silent !== !!this.silent) { this.silent = silent; this.emit("pending"); } },
      ask: () => this.hello(),
    });
    this.hello();
  }

  hello() { this.link.post({ type: "hello", client: this.client, revision: this.revision, complete: this.complete }, [], true); }
  close() {
    this.model.off("msg:custom", this.onMessage);
    this.kernel.close();
  }
  /** The kernel is gone: from now on the map can be looked at only. `lost`: strokes that it never took. */
  end(why) {
    this.dead = { why, lost: this.pending.filter((p) => p.seq < Infinity && !p.unknown).length };
    this.link.stop();
    this.emit("dead");
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
    return () => this.listeners.get(event).delete(listener);
  }
  emit(event, detail) { for (const listener of this.listeners.get(event) || []) listener(detail); }

  // -- the whole state ------------------------------------------------------------------------------------------------

  load(state, planes) {
    this.grid = new Grid(state.geometry, planes.present);
    // How often the hexes have moved or were renamed, and how far they are now from where they were at first, on the lattice.
    const [moves, ...origin] = state.status.moves || [0, 0, 0];
    this.shift = this.origin ? [origin[0] - this.origin[0], origin[1] - this.origin[1]] : [0, 0];
    this.shifted = this.moves !== undefined && moves !== this.moves;
    Object.assign(this, { moves, origin });
    this.geometry = state.geometry;
    this.labels = labelsOf(this.grid, state.labels);
    this.style = state.look;
    this.catalogue = state.catalogue;
    this.terrainIds = state.catalogue.terrain_ids;
    this.complete = planes.terrain?.length === this.grid.size && planes.levels?.length === this.grid.size;
    this.planes = {
      terrain: this.complete ? Uint8Array.from(planes.terrain) : new Uint8Array(this.grid.size),
      levels: this.complete ? Int8Array.from(new Int8Array(planes.levels.buffer, planes.levels.byteOffset, planes.levels.length)) : new Int8Array(this.grid.size),
    };
    this.features = new Map();
    this.sides = new Map(); // "a,b" -> {a, b, kinds}
    this.openEnds = new Set(); // keys of sides where a wadi is open
    this.handDrawn = null;
    this.roads = new Map(); // cell -> Map(id -> bits of the sides that the road crosses)
    this.featureBoxes = new BoxIndex();
    this.sideBoxes = new BoxIndex();
    this.places = new Places(this, state.places || []);
    for (const record of state.features) this.putFeature(record);
    for (const [a, b, kinds] of state.sides) this.putSide(a, b, kinds);
    this.backdrop = state.backdrop || {};
    this.status = state.status;
    this.revision = state.revision;
    this.readonly = !!this.model.get("readonly");
  }

  // -- records ------------------------------------------------------------------------------------------------------

  putFeature(record) {
    if (record.kind === "contour") this.handDrawn = null;
    this.trackRoad(this.features.get(record.id)?.record, false);
    this.trackRoad(record, true);
    const entry = { record, points: this.pointsOf(record) };
    this.features.set(record.id, entry);
    if (entry.points.length) this.featureBoxes.set(record.id, boxOf(entry.points, record.kind === "name" ? (record.size || 0.35) * (0.4 * Math.min(record.text.length, 80) + 1) : 0.7));
    else this.featureBoxes.delete(record.id);
  }
  dropFeature(id) {
    this.handDrawn = null;
    this.trackRoad(this.features.get(id)?.record, false);
    this.features.delete(id);
    this.featureBoxes.delete(id);
  }
  /** Levels whose contours were drawn by hand. */
  get drawnLevels() {
    return (this.handDrawn ||= new Set([...this.features.values()].filter((e) => e.record.kind === "contour").map((e) => e.record.level)));
  }
  /** The side by which a road that ends in a hex leaves the map: the one most nearly straight on, -1 when it ends inside. */
  wayOut(end, before) {
    const came = before === undefined ? -1 : this.grid.direction(before, end);
    if (came < 0) return -1;
    const found = [0, 1, 5].map((turn) => (came + turn) % 6).find((d) => this.grid.neighbour(end, d) < 0);
    return found === undefined ? -1 : found;
  }
  /** Bit i is set where a wadi is open towards side i. */
  endBits(cell) {
    let bits = 0;
    if (this.openEnds.size) for (let d = 0; d < 6; d++) {
      const other = this.grid.neighbour(cell, d);
      if (other >= 0 && this.openEnds.has(`${Math.min(cell, other)},${Math.max(cell, other)}`)) bits |= 1 << d;
    }
    return bits;
  }
  trackRoad(record, there) {
    if (record?.kind !== "road") return;
    const cells = this.cellsOf(record);
    cells.forEach((cell, i) => {
      let ways = this.roads.get(cell);
      if (!ways) this.roads.set(cell, (ways = new Map()));
      const bit = (other) => (other === undefined ? 0 : 1 << Math.max(0, this.grid.direction(cell, other)));
      const out = i === 0 ? this.wayOut(cell, cells[1]) : i === cells.length - 1 ? this.wayOut(cell, cells[i - 1]) : -1;
      if (there) ways.set(record.id, (ways.get(record.id) || 0) | bit(cells[i - 1]) | bit(cells[i + 1]) | (out < 0 ? 0 : 1 << out));
      else ways.delete(record.id);
    });
  }
  /** Bit i is set where a road crosses side i of a cell: houses and trees keep clear of it. */
  roadBits(cell) {
    let bits = 0;
    for (const some of this.roads.get(cell)?.values() || []) bits |= some;
    return bits;
  }
  putSide(a, b, kinds) {
    const key = `${a},${b}`;
    if (kinds.includes("wadi_end")) this.openEnds.add(key);
    else this.openEnds.delete(key);
    if (!kinds.length) {
      this.sides.delete(key);
      this.sideBoxes.delete(key);
      return;
    }
    const ends = this.grid.sideEnds(a, b);
    if (!ends) return;
    this.sides.set(key, { a, b, kinds, p: ends[0], q: ends[1] });
    this.sideBoxes.set(key, boxOf(ends, 0.4));
  }
  kindsOf(a, b) { return this.sides.get(`${Math.min(a, b)},${Math.max(a, b)}`)?.kinds || []; }

  /** World positions of what a feature runs through or stands at. */
  pointsOf(record) {
    const g = this.grid, { line, outline, path, kind } = record;
    const source = line?.length ? line : outline || path || (kind === "link" ? [record.a, record.b] : [record.point || record.at]);
    const points = source.map((at) => (typeof at === "string" ? this.pointAt(at) : at && [at[0] * g.kx, at[1] * g.ky])).filter(Boolean);
    return kind === "road" && !line?.length && points.length > 1 ? this.toEdges(record, points) : points;
  }
  /** Where the location with a label is, null without one. */
  pointAt(label) {
    const cell = this.labels.cell(label), place = cell < 0 && this.places.byLabel(label);
    return cell >= 0 ? this.grid.centre(cell) : place ? [place.x, place.y] : null;
  }
  /** A road that ends at the map's edge goes on to it; beyond it where the edge cuts its hexes. */
  toEdges(record, points) {
    const cells = this.cellsOf(record), g = this.grid, leave = (end, before) => {
      const d = this.wayOut(end, before);
      if (d < 0) return [];
      const ends = g.corners(end), [x, y] = g.centre(end), mx = (ends[d][0] + ends[(d + 1) % 6][0]) / 2, my = (ends[d][1] + ends[(d + 1) % 6][1]) / 2;
      return [g.cut ? [2 * mx - x, 2 * my - y] : [mx, my]];
    };
    return [...leave(cells[0], cells[1]), ...points, ...leave(cells[cells.length - 1], cells[cells.length - 2])];
  }
  /** Cells of a feature that runs from hex to hex. */
  cellsOf(record) { return (record.path || []).map((text) => this.labels.cell(text)).filter((cell) => cell >= 0); }
  freeId(kind) {
    let n = 1;
    while (this.features.has(`${kind}-${n}`)) n++;
    return `${kind}-${n}`;
  }

  terrainAt(cell) { return this.terrainIds[this.planes.terrain[cell]]; }
  /** Whether a hex is played on, so that its outline and its number are drawn. */
  outlined(cell) { return this.style.terrain[this.terrainAt(cell)]?.outlined !== false; }
  terrainName(id) { return this.catalogue.terrains.find((t) => t.id === id)?.name || id; }

  // -- edits: painted at once, sent, corrected ----------------------------------------------------------------------

  apply(edit) {
    if (this.dead || this.readonly) return;
    const changed = newChange();
    this.enact(edit, changed);
    this.pending.push({ seq: this.seq + 1, edit, at: performance.now() });
    this.post(edit);
    this.tell(changed);
    this.emit("pending");
  }
  /**
   * Ask Python for a change that only it can work out, such as a split. `guess`: an edit that is shown until it answers.
   * `touches`: ids of features, so that a refusal brings back those and not the whole map.
   */
  request(type, detail, guess = null, touches = []) {
    if (this.dead) return;
    this.seq += 1;
    const changed = newChange(), edit = guess || { op: "batch", edits: [] };
    this.enact(edit, changed);
    this.pending.push({ seq: this.seq, edit, at: performance.now() });
    this.link.post({ type, client: this.client, seq: this.seq, touches, ...detail });
    this.tell(changed);
    this.emit("pending");
  }
  post(edit) {
    this.seq += 1;
    const buffers = [];
    this.link.post({ type: "edit", client: this.client, seq: this.seq, edit: wire(edit, buffers) }, buffers);
  }
  /** A stroke of the brush: painted while it goes, sent as one edit at its end. */
  begin(plane, title) { return new Stroke(this, plane, title); }
  undo() { this.step("undo"); }
  redo() { this.step("redo"); }
  step(type) {
    if (this.dead) return;
    this.seq += 1;
    // What it changes is known only when Python answers; until then no stroke may think a hex has its terrain already.
    this.pending.push({ seq: this.seq, edit: { op: "batch", edits: [] }, at: performance.now(), unknown: true });
    this.link.post({ type, client: this.client, seq: this.seq });
    this.emit("pending");
  }
  get sure() { return !this.pending.some((p) => p.unknown); }
  save(path = null) { this.link.post({ type: "save", client: this.client, path }); }
  ask(type, detail) { this.link.post({ type, client: this.client, ...detail }, [], true); }

  enact(edit, changed) {
    if (edit.op === "batch") edit.edits.forEach((e) => this.enact(e, changed));
    else if (edit.op === "paint") {
      if (!edit.cells.length) return;
      const plane = this.planes[edit.plane], one = edit.values.length === 1;
      const values = edit.plane === "terrain" ? edit.values.map((id) => this.terrainIds.indexOf(id)) : edit.values;
      edit.cells.forEach((cell, i) => {
        const value = values[one ? 0 : i];
        if (value !== -1 || edit.plane === "levels") this.setCell(edit.plane, plane, cell, value, changed);
      });
    } else if (edit.op === "set_side") {
      this.putSide(Math.min(edit.a, edit.b), Math.max(edit.a, edit.b), edit.kinds);
      changed.sides.push([Math.min(edit.a, edit.b), Math.max(edit.a, edit.b)]);
    } else if (edit.op === "put") {
      this.note(changed, edit.record.id);
      this.putFeature(edit.record);
      this.note(changed, edit.record.id);
    } else if (edit.op === "delete") {
      this.note(changed, edit.id);
      this.dropFeature(edit.id);
    }
  }
  setCell(name, plane, cell, value, changed) {
    if (plane[cell] === value) return;
    plane[cell] = value;
    changed.cells.push(cell);
  }
  note(changed, id) {
    const box = this.featureBoxes.box(id), record = this.features.get(id)?.record;
    if (record?.kind === "contour") changed.relief = true;
    if (record?.kind === "road") changed.ground.push(...this.cellsOf(record));
    changed.ids.push(id);
    if (box) changed.boxes.push(box);
  }
  tell(changed) {
    if (changed.cells.length) this.emit("cells", changed.cells);
    if (changed.sides.length) this.emit("sides", changed.sides);
    if (changed.ids.length) {
      this.places.follow(changed.ids);
      this.emit("features", changed);
    }
  }

  // -- what Python says ---------------------------------------------------------------------------------------------

  receive(message, buffers) {
    this.received += 1;
    this.kernel.answered();
    const handler = { patch: "patch", snapshot: "snapshot", plane: "part", status: "setStatus" }[message.type];
    if (handler) this[handler](message, buffers);
    else this.emit(message.type, { message, buffers });
  }

  acknowledge(ack) {
    if (!ack || ack.client !== this.client) return;
    this.pending = this.pending.filter((p) => p.seq > ack.seq);
    this.emit("pending");
  }

  patch(message, buffers) {
    this.acknowledge(message.ack);
    // Of the same revision are the features that a refusal takes back.
    if (message.revision < this.revision || (message.revision === this.revision && message.base !== this.revision)) {
      if (message.status) this.setStatus(message);
      return;
    }
    if (message.base !== this.revision) {
      this.resync();
      return;
    }
    this.revision = message.revision;
    const changed = newChange(), mine = this.claims();
    if (message.terrain_ids) this.terrainIds = message.terrain_ids;
    for (const { plane, cells, values } of message.planes || []) {
      const where = words(buffers[cells]), what = bytesOf(buffers[values]), target = this.planes[plane], signed = plane === "levels";
      for (let i = 0; i < where.length; i++) {
        if (mine.cells[plane]?.has(where[i])) continue;
        this.setCell(plane, target, where[i], signed ? (what[i] << 24) >> 24 : what[i], changed);
      }
    }
    for (const [a, b, kinds] of message.sides || []) {
      if (mine.sides.has(`${a},${b}`) || same(this.kindsOf(a, b), kinds)) continue;
      this.putSide(a, b, kinds);
      changed.sides.push([a, b]);
    }
    for (const record of message.features || []) {
      if (mine.ids.has(record.id) || same(this.features.get(record.id)?.record, record)) continue;
      this.note(changed, record.id);
      this.putFeature(record);
      this.note(changed, record.id);
    }
    for (const id of message.removed || []) {
      if (mine.ids.has(id) || !this.features.has(id)) continue;
      this.note(changed, id);
      this.dropFeature(id);
    }
    if (message.places) {
      this.places.load(message.places);
      this.emit("places");
    }
    if (message.backdrop) {
      this.backdrop = message.backdrop;
      this.emit("backdrop");
    }
    if (message.status) this.setStatus(message);
    this.tell(changed);
    this.emit("revision");
  }

  /** What strokes on their way will overwrite: the answer to an older one must not flicker through. */
  claims() {
    const mine = { cells: { terrain: null, levels: null }, sides: new Set(), ids: new Set() };
    const walk = (edit) => {
      if (edit.op === "batch") edit.edits.forEach(walk);
      else if (edit.op === "paint") {
        const set = (mine.cells[edit.plane] ||= new Set());
        edit.cells.forEach((cell) => set.add(cell));
      } else if (edit.op === "set") return;
      else if (edit.op === "set_side") mine.sides.add(`${Math.min(edit.a, edit.b)},${Math.max(edit.a, edit.b)}`);
      else mine.ids.add(edit.op === "put" ? edit.record.id : edit.id);
    };
    this.pending.forEach((p) => walk(p.edit));
    return mine;
  }

  resync() { this.link.post({ type: "resync", client: this.client }, [], true); }

  snapshot(message) {
    this.acknowledge(message.ack);
    const size = message.state.geometry.rows * message.state.geometry.columns;
    this.parts = { state: message.state, missing: message.parts, planes: { terrain: new Uint8Array(size), levels: new Uint8Array(size), present: message.present ? new Uint8Array(size) : null } };
    if (!message.parts) this.finish();
  }
  part(message, buffers) {
    if (!this.parts) return;
    this.parts.planes[message.plane].set(bytesOf(buffers[0]), message.offset);
    this.parts.missing -= 1;
    if (this.parts.missing === 0) this.finish();
  }
  finish() {
    const { state, planes } = this.parts;
    this.parts = null;
    const before = JSON.stringify(this.geometry);
    this.load(state, planes);
    const changed = newChange();
    if (this.shifted) this.pending.forEach((p) => (p.edit = { op: "batch", edits: [] }));
    this.pending.forEach((p) => this.enact(p.edit, changed));
    this.emit("reset", before !== JSON.stringify(this.geometry) || this.shift.some((d) => d));
    this.emit("status");
    this.emit("pending");
  }
  setStatus(message) {
    this.status = message.status;
    this.emit("status");
  }
}

class Stroke {
  constructor(store, plane, title) {
    Object.assign(this, { store, plane, title, moves: store.moves, values: new Map(), old: new Map() });
    this.paint = { op: "paint", plane, cells: [], values: [] };
    // In the list from the start: an answer to an older edit must not paint over the stroke under way.
    this.entry = { seq: Infinity, edit: this.paint, at: Infinity };
    store.pending.push(this.entry);
  }
  has(cell) { return this.values.has(cell); }

  add(cells, value) {
    const { store } = this, plane = store.planes[this.plane], code = this.plane === "terrain" ? store.terrainIds.indexOf(value) : value, fresh = [];
    if (this.moves !== store.moves) return;
    for (const cell of cells) {
      if (this.values.has(cell) || (plane[cell] === code && store.sure)) continue;
      this.values.set(cell, value);
      this.old.set(cell, plane[cell]);
      plane[cell] = code;
      this.paint.cells.push(cell);
      this.paint.values.push(value);
      fresh.push(cell);
    }
    if (fresh.length) store.emit("cells", fresh);
  }
  end() {
    const { store, paint } = this;
    store.pending = store.pending.filter((p) => p !== this.entry);
    if (!paint.cells.length || this.moves !== store.moves) return;
    if (store.dead) {
      this.cancel();
      return;
    }
    const one = paint.values.every((v) => v === paint.values[0]);
    const edit = { op: "batch", title: this.title, edits: [{ ...paint, values: one ? paint.values.slice(0, 1) : paint.values }] };
    store.pending.push({ seq: store.seq + 1, edit, at: performance.now() });
    store.post(edit);
    store.emit("pending");
  }
  cancel() {
    const { store } = this, plane = store.planes[this.plane];
    store.pending = store.pending.filter((p) => p !== this.entry);
    if (this.moves !== store.moves) return;
    for (const [cell, value] of this.old) plane[cell] = value;
    if (this.old.size) store.emit("cells", [...this.old.keys()]);
  }
}

function newChange() { return { cells: [], sides: [], ids: [], boxes: [], ground: [], relief: false }; }
function same(a, b) { return JSON.stringify(a) === JSON.stringify(b); }
function boxOf(points, margin) {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const [x, y] of points) {
    x0 = Math.min(x0, x); y0 = Math.min(y0, y); x1 = Math.max(x1, x); y1 = Math.max(y1, y);
  }
  return [x0 - margin, y0 - margin, x1 + margin, y1 + margin];
}

/** An edit as it travels: cells as a reference to a buffer. */
export function wire(edit, buffers) {
  if (edit.op === "batch") return { ...edit, edits: edit.edits.map((e) => wire(e, buffers)) };
  if (edit.op !== "paint") return edit;
  if (edit.values.length > 1) {
    buffers.push(Uint32Array.from(edit.cells));
    return { ...edit, cells: { buffer: buffers.length - 1, runs: false } };
  }
  const packed = packCells(edit.cells);
  buffers.push(packed.bytes);
  return { ...edit, cells: { buffer: buffers.length - 1, runs: packed.runs } };
}

export function bytesOf(view) {
  if (!view) return null;
  if (view instanceof ArrayBuffer) return new Uint8Array(view);
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
function words(view) {
  const bytes = bytesOf(view); // a fresh copy: the view into the message need not be aligned
  return new Uint32Array(bytes.slice().buffer);
}

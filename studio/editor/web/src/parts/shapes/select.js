// Choose features, move them, and move, insert and remove their corners, with everyone who shares them.

import { batch, figuresOf, guessMoves, insertedCorner, movedCorners, put, same, shiftedRecords, strandsOf, withoutCorner } from "./figures.js";
import { Snapper, titleOf } from "./snap.js";
import { cornerHandle, middleHandle, outline, plate, measure, snapSign, troubleSign } from "./sketching.js";
import { ask } from "./asking.js";
import { ACCENT, stroke } from "../../above.js";
import { h } from "../../ui/dom.js";

const HANDLE = 9, NEAR = 150, HIT = 6, MOVED = 4; // CSS pixels
const TWICE = 400; // ms up to which a second click is a double click
const FEW = 60; // corners of what is chosen up to which all their handles show
const STEPS = [[1, "1 unit"], [10, "1/48 hex"], [60, "1/8 hex"], [240, "1/2 hex"]];

export class SelectTool {
  constructor(view) {
    this.view = view;
    this.figures = figuresOf(view.store);
    this.snapper = new Snapper(view, this.figures);
    Object.assign(this, { id: "select", title: "Choose and change", cursor: "default", over: null, handle: null, drag: null, active: null, trouble: null, step: 10, stretch: true, seen: null });
  }
  get keys() {
    return [["Tab", "next feature in sight"], [". ,", "next, previous corner"], ["Arrows", "move what is chosen"], ["Insert, Delete", "make, remove a corner"], ["Ctrl+D", "copy"], ["Ctrl+A", "choose all in sight"], ["Esc, Tab", "leave the map, when nothing is chosen"], ["Enter", "all fields"]];
  }
  /** What is chosen and may be changed: what lies on a locked layer is as if it were not chosen. */
  get chosen() {
    const { features } = this.view.store;
    return [...this.view.selection].filter((id) => features.has(id) && this.shows(features.get(id).record));
  }
  shows(record) { return !this.view.stage.layers.locked(record.kind); }

  // -- what is under the pointer ------------------------------------------------------------------------------------------

  reach(px) { return (px * this.view.dpr) / this.view.camera.scale; }
  under(e) { return this.figures.under(e.x, e.y, this.reach(HIT), (record) => this.shows(record)); }
  /** The handle of a chosen feature under the pointer: a corner, or the middle of an edge. */
  handleAt(e) {
    const only = new Set(this.chosen);
    if (!only.size) return null;
    const far = this.reach(HANDLE), [corner] = this.figures.cornersNear(e.x, e.y, far, only);
    if (corner) return { kind: "corner", at: corner.at };
    const { kx, ky } = this.view.grid;
    for (const { p, q } of this.figures.edgesNear(e.x, e.y, far, only)) {
      const at = middle(p, q);
      if (this.roomy(p, q) && Math.hypot(at[0] * kx - e.x, at[1] * ky - e.y) <= far) return { kind: "middle", at, edge: [p, q] };
    }
    return null;
  }
  roomy(p, q) {
    const { kx, ky } = this.view.grid;
    return Math.hypot((q[0] - p[0]) * kx, (q[1] - p[1]) * ky) > this.reach(30);
  }
  hover(e) {
    this.handle = e && !e.keyboard ? this.handleAt(e) : null;
    const under = e && !this.handle ? this.under(e) : [];
    this.over = under[0]?.id || null;
    this.at = e;
    this.view.frame.area.style.cursor = this.handle ? "move" : this.over && this.view.selection.has(this.over) ? "grab" : "default";
  }
  words() {
    if (this.active) return `corner ${this.active[0]}, ${this.active[1]}, of ${this.snapper.called(this.figures.sharing(this.active).map((f) => f.id)) || "nothing"}`;
    const figure = this.over && this.figures.get(this.over), chosen = this.chosen;
    return [figure && titleOf(this.view.store, figure.record), chosen.length && `chosen: ${chosen.length === 1 ? titleOf(this.view.store, this.view.store.features.get(chosen[0]).record) : chosen.length}`].filter(Boolean).join(" · ");
  }

  // -- pointer ------------------------------------------------------------------------------------------------------------------

  down(e) {
    this.flush();
    this.trouble = null;
    this.released = false;
    const handle = e.keyboard ? null : this.handleAt(e);
    if (handle) {
      this.active = handle.kind === "corner" ? handle.at : null;
      this.drag = { kind: handle.kind, ...handle, from: [e.px, e.py], to: handle.at, alone: e.ctrl };
      return;
    }
    this.active = null;
    const under = this.under(e), mine = under.find((figure) => this.view.selection.has(figure.id));
    const again = this.seen && performance.now() - this.seen.at > TWICE && Math.hypot(e.px - this.seen.px, e.py - this.seen.py) < 4 * this.view.dpr;
    this.drag = { kind: mine && !e.shift ? "move" : "box", under, from: [e.px, e.py], start: [e.x, e.y], end: [e.x, e.y], shift: e.shift, cycle: (e.alt || again) && !e.shift, mine, by: [0, 0], e };
  }
  move(e) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.moved && Math.hypot(e.px - drag.from[0], e.py - drag.from[1]) < MOVED * this.view.dpr) return;
    drag.moved = true;
    if (drag.kind === "box") drag.end = [e.x, e.y];
    else if (drag.kind === "move") this.dragFeatures(drag, e);
    else {
      const key = `${drag.at[0]},${drag.at[1]}`;
      drag.blunt ||= new Set((drag.kind === "corner" ? this.figures.sharing(drag.at) : this.figures.edgesNear(...worldOf(this.view, drag.at), 0.02)).map((figure) => figure.id));
      this.hit = this.snapper.find(e.x, e.y, { blunt: drag.blunt, without: drag.kind === "corner" ? new Set([key]) : null, shift: e.shift, alt: e.alt, last: drag.kind === "corner" ? drag.at : drag.edge[0] });
      drag.to = this.hit.at;
      const only = drag.alone ? new Set(this.chosen) : null;
      drag.records = drag.kind === "corner" ? movedCorners(this.figures, new Map([[key, drag.to]]), only) : insertedCorner(this.figures, drag.edge, drag.to, null);
    }
  }
  /** The corner of what moves that is nearest to the pointer snaps; the rest goes along. */
  dragFeatures(drag, e) {
    const { kx, ky } = this.view.grid;
    drag.ids ||= this.chosen;
    if (!drag.anchor) {
      const points = drag.ids.flatMap((id) => this.figures.get(id)?.strands.flatMap((strand) => strand.points) || []).concat(drag.ids.flatMap((id) => this.figures.get(id)?.anchors || []));
      drag.anchor = points.reduce((best, p) => (!best || Math.hypot(p[0] * kx - drag.start[0], p[1] * ky - drag.start[1]) < Math.hypot(best[0] * kx - drag.start[0], best[1] * ky - drag.start[1]) ? p : best), null) || [0, 0];
      drag.moving = this.figures.withParts(drag.ids);
    }
    const x = drag.anchor[0] * kx + e.x - drag.start[0], y = drag.anchor[1] * ky + e.y - drag.start[1];
    this.hit = this.snapper.find(x, y, { skip: drag.moving, shift: e.shift, alt: e.alt, last: drag.anchor });
    drag.by = [this.hit.at[0] - drag.anchor[0], this.hit.at[1] - drag.anchor[1]];
    drag.records = shiftedRecords(this.figures, drag.ids, ...drag.by);
  }
  up(e) {
    const drag = this.drag;
    this.drag = this.hit = null;
    if (!drag) return;
    if (drag.kind === "corner") {
      if (drag.moved && !same(drag.to, drag.at)) this.moveCorner(drag.at, drag.to, drag.alone);
      return;
    }
    if (drag.kind === "middle") {
      this.insertCorner(drag.edge, drag.at, drag.moved ? drag.to : drag.at);
      return;
    }
    if (!drag.moved) this.click(drag, e);
    else if (drag.kind === "box") this.chooseBox(drag);
    else if (drag.by[0] || drag.by[1]) this.moveBy(drag.ids, ...drag.by);
  }
  click({ under, cycle, shift }, e) {
    const { view } = this;
    this.seen = { px: e.px, py: e.py, at: performance.now() };
    if (!under.length) {
      if (!shift) view.choose([]);
      return;
    }
    let pick = under[0];
    if (cycle) {
      const at = under.findIndex((figure) => view.selection.has(figure.id));
      pick = under[(at + 1) % under.length];
    }
    if (shift) view.choose(view.selection.has(pick.id) ? this.chosen.filter((id) => id !== pick.id) : [...this.chosen, pick.id]);
    else view.choose([pick.id]);
    this.told();
  }
  chooseBox({ start, end, shift }) {
    const x0 = Math.min(start[0], end[0]), x1 = Math.max(start[0], end[0]), y0 = Math.min(start[1], end[1]), y1 = Math.max(start[1], end[1]);
    const held = this.figures.meeting(x0, y0, x1, y1).filter(({ box, record }) => this.shows(record) && box[0] >= x0 && box[1] >= y0 && box[2] <= x1 && box[3] <= y1).map((figure) => figure.id);
    this.view.choose([...new Set([...(shift ? this.chosen : []), ...held])]);
    this.told();
  }
  told() {
    const ids = this.chosen, { store } = this.view;
    this.view.frame.say(ids.length > 1 ? `${ids.length} chosen` : ids.length ? `Chosen: ${titleOf(store, store.features.get(ids[0]).record)}` : "Nothing chosen");
  }
  /** Right button: a corner under the pointer goes. */
  secondary(e) {
    const handle = this.handleAt(e);
    if (handle?.kind !== "corner") return false;
    this.deleteCorner(handle.at);
    return true;
  }
  finish() {
    if (this.chosen.length) this.view.frame.desk.open("inspector");
  }
  cancel() {
    clearTimeout(this.timer);
    this.nudged = null;
    this.released = false;
    if (this.drag) this.drag = this.hit = null;
    else if (this.active) this.active = null;
    else if (this.chosen.length) this.view.choose([]);
    else this.released = true; // the next Tab leaves the map
    this.trouble = null;
  }
  leave() {
    this.flush();
    this.over = this.handle = this.active = null;
  }
  refresh() {
    this.seen = this.view.selection.size ? this.seen : null;
    if (this.drag && !this.holds(this.drag)) this.drag = this.hit = null;
    if (this.active && !this.figures.sharing(this.active).length) this.active = null;
    if (this.handle) this.handle = this.at ? this.handleAt(this.at) : null;
    if (this.view.tool === this) this.view.frame.showOptions();
  }

  /** Whether what is dragged is still there: others may take it away meanwhile. */
  holds({ kind, at, edge, ids }) {
    if (kind === "box") return true;
    const mine = this.chosen, has = (p) => this.figures.sharing(p).some(({ id }) => mine.includes(id));
    return kind === "move" ? (ids ? ids.every((id) => mine.includes(id)) : mine.length > 0) : (edge || [at]).every(has);
  }

  // -- keys -----------------------------------------------------------------------------------------------------------------------

  key(ev) {
    if (ev.key === "Tab" && !ev.altKey) return this.walk(ev.shiftKey ? -1 : 1);
    if (ev.key === "," || ev.key === ".") return this.walkCorner(ev.key === "." ? 1 : -1);
    if (ev.key === "Insert") return this.insertAtActive();
    return false;
  }
  control(ev) {
    const name = ev.key.toLowerCase();
    if (name === "d") this.duplicate();
    else if (name === "a") { this.view.choose(this.inSight().map((figure) => figure.id)); this.told(); } else return false;
    return true;
  }
  arrows(dx, dy, ev) {
    if (ev.altKey || !this.chosen.length) return false;
    const n = ev.shiftKey ? 240 : this.step, by = this.nudged?.by || [0, 0];
    this.nudged = { by: [by[0] + dx * n, by[1] + dy * n], active: this.active };
    this.view.keyboard = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), 220);
    this.view.stage.redraw(2);
    return true;
  }
  /** The arrows of one go are one step. */
  flush() {
    const nudged = this.nudged;
    clearTimeout(this.timer);
    this.nudged = null;
    if (!nudged || !(nudged.by[0] || nudged.by[1])) return;
    if (nudged.active) this.moveCorner(nudged.active, [nudged.active[0] + nudged.by[0], nudged.active[1] + nudged.by[1]]);
    else this.moveBy(this.chosen, ...nudged.by);
  }
  inSight() {
    const box = this.view.camera.visible();
    return this.figures.meeting(...box).filter(({ record, box: [x0, y0, x1, y1] }) => this.shows(record) && (x0 + x1) / 2 >= box[0] && (x0 + x1) / 2 <= box[2] && (y0 + y1) / 2 >= box[1] && (y0 + y1) / 2 <= box[3])
      .sort((a, b) => Math.round(a.box[1]) - Math.round(b.box[1]) || a.box[0] - b.box[0] || (a.id < b.id ? -1 : 1));
  }
  /** Tab goes from feature to feature in sight, and past the last one out of the map. */
  walk(by) {
    const all = this.inSight(), at = all.findIndex((figure) => this.view.selection.has(figure.id)), next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
    this.active = null;
    if (this.released || !all[next]) { this.released = false; return false; }
    this.view.choose([all[next].id]);
    this.view.keyboard = true;
    const [x0, y0, x1, y1] = all[next].box, cell = this.view.grid.cellAt((x0 + x1) / 2, (y0 + y1) / 2);
    if (cell >= 0) this.view.cursor = cell;
    this.told();
    return true;
  }
  walkCorner(by) {
    const corners = this.corners();
    if (!corners.length) return false;
    this.flush();
    const at = this.active ? corners.findIndex((p) => same(p, this.active)) : -1;
    this.active = corners[(at + by + corners.length) % corners.length];
    const { kx, ky } = this.view.grid;
    this.view.camera.reveal(this.active[0] * kx, this.active[1] * ky);
    this.view.stage.moved();
    this.view.frame.say(this.words(), true);
    this.view.showUnder(this.view.under);
    return true;
  }
  corners() {
    const seen = new Map();
    for (const id of this.chosen) for (const { points } of this.figures.get(id)?.strands || []) points.forEach((p) => seen.set(`${p[0]},${p[1]}`, p));
    return [...seen.values()];
  }
  insertAtActive() {
    if (!this.active) return false;
    for (const id of this.chosen) {
      for (const { points, closed } of this.figures.get(id)?.strands || []) {
        const i = points.findIndex((p) => same(p, this.active)), q = i < 0 ? null : points[i + 1] || (closed ? points[0] : points[i - 1]);
        if (q) { this.insertCorner([this.active, q], middle(this.active, q), middle(this.active, q)); return true; }
      }
    }
    return false;
  }

  // -- what is asked of Python --------------------------------------------------------------------------------------------------

  send(action, detail, options = {}) {
    ask(this.view, action, detail, {
      ...options,
      refused: (message) => { this.trouble = message.point; options.refused?.(message); },
      done: (message) => { if (message.ids.length && options.choose) this.view.choose(message.ids); options.done?.(message); },
    });
    this.view.stage.redraw(2);
  }
  moveCorner(at, to, alone = false) {
    const only = alone ? this.chosen : null, guess = alone ? batch(movedCorners(this.figures, new Map([[`${at[0]},${at[1]}`, to]]), new Set(only)).map(put)) : guessMoves(this.figures, new Map([[`${at[0]},${at[1]}`, to]]));
    if (this.active) this.active = to;
    this.send("move_vertex", { point: at, to, only }, { guess, refused: () => { if (this.active) this.active = at; } });
  }
  insertCorner(edge, at, to) {
    this.active = to;
    this.send("insert_vertex", { point: at, to: same(at, to) ? null : to }, { guess: batch(insertedCorner(this.figures, edge, to).map(put)) });
  }
  deleteCorner(at) {
    this.active = null;
    this.handle = null;
    this.send("delete_vertex", { point: at }, { guess: batch(withoutCorner(this.figures, at).map(put)) });
  }
  moveBy(ids, dx, dy) {
    const own = shiftedRecords(this.figures, ids, dx, dy), moved = new Set(own.map((record) => record.id)), moves = new Map();
    if (this.stretch) for (const { id, kind } of own) if (kind === "area" || kind === "wall") for (const { points } of this.figures.get(id)?.strands || []) points.forEach(([x, y]) => moves.set(`${x},${y}`, [x + dx, y + dy]));
    const beside = this.stretch ? movedCorners(this.figures, moves).filter((record) => !moved.has(record.id) && (record.kind === "area" || record.kind === "wall")) : [];
    this.send("move", { ids, by: [dx, dy], stretch: this.stretch }, { guess: batch([...own, ...beside].map(put)) });
  }
  duplicate() {
    const ids = this.chosen, { grid } = this.view, [x0, y0, x1, y1] = grid.frame;
    if (!ids.length) return;
    const boxes = ids.map((id) => this.figures.get(id)?.box).filter(Boolean), right = Math.max(...boxes.map((b) => b[2])) / grid.kx, low = Math.max(...boxes.map((b) => b[3])) / grid.ky;
    // Beside the old one, by whole steps from hex to hex, and on the map.
    const by = grid.flat ? [right + 720 <= x1 ? 720 : -720, low + 240 <= y1 ? 240 : -240] : [right + 240 <= x1 ? 240 : -240, low + 720 <= y1 ? 720 : -720];
    this.send("duplicate", { ids, by }, { choose: true });
  }
  remove() {
    if (this.active) this.deleteCorner(this.active);
    else if (this.handle?.kind === "corner" && !this.view.keyboard) this.deleteCorner(this.handle.at);
    else if (this.chosen.length) {
      const ids = this.chosen, guess = batch([...this.figures.withParts(ids)].map((id) => ({ op: "delete", collection: "features", id })));
      this.send("delete", { ids }, { guess, refused: () => this.view.choose(ids) });
      this.view.choose([]);
      this.view.frame.say(`Removed ${ids.length === 1 ? ids[0] : `${ids.length} features`}`);
    } else if (this.view.selection.size) this.view.frame.say("What is chosen is locked or hidden: see Layers");
    else return false;
    return true;
  }
  change(action, detail = {}, options = {}) { this.send(action, { ids: this.chosen, ...detail }, { touches: this.chosen, choose: true, ...options }); }

  // -- the picture ------------------------------------------------------------------------------------------------------------------

  draw(ctx) {
    const { view } = this, d = view.dpr, drag = this.drag?.moved ? this.drag : null;
    const over = this.over && !view.selection.has(this.over) && !drag && this.figures.get(this.over);
    if (over) this.sketch(ctx, over, { width: 1.5, dash: [5, 4] });
    const records = drag?.records || (this.nudged && this.nudge());
    this.chosenSketch(ctx, !!records);
    if (records) for (const record of records) outline(ctx, view, strandsOf(record), { fill: record.kind === "area" && view.selection.has(record.id) ? "rgba(0,114,178,0.13)" : null });
    if (!records) this.handles(ctx);
    if (drag?.kind === "box") {
      const [px, py] = view.camera.toScreen(...drag.start), [qx, qy] = view.camera.toScreen(...drag.end);
      ctx.beginPath();
      ctx.rect(Math.min(px, qx), Math.min(py, qy), Math.abs(qx - px), Math.abs(qy - py));
      ctx.fillStyle = "rgba(0,114,178,0.1)";
      ctx.fill();
      ctx.setLineDash([5 * d, 4 * d]);
      stroke(ctx, 1.5 * d, ACCENT, 3.5 * d, "rgba(255,255,255,0.85)");
      ctx.setLineDash([]);
    }
    if (drag && this.hit && drag.kind !== "box") {
      snapSign(ctx, view, this.hit);
      if (drag.kind !== "move") cornerHandle(ctx, view, drag.to, { hot: true });
      const from = drag.kind === "move" ? drag.anchor : drag.at, text = [measure(view, from, this.hit.at), this.hit.words].filter(Boolean).join(" · ");
      if (text) plate(ctx, view, ...view.camera.toScreen(this.hit.at[0] * view.grid.kx, this.hit.at[1] * view.grid.ky), text);
    }
    if (this.trouble) troubleSign(ctx, view, this.trouble);
  }
  nudge() {
    const { by, active } = this.nudged;
    if (active) return movedCorners(this.figures, new Map([[`${active[0]},${active[1]}`, [active[0] + by[0], active[1] + by[1]]]]));
    return shiftedRecords(this.figures, this.chosen, ...by);
  }
  /** All that is chosen, in two strokes however much it is. */
  chosenSketch(ctx, changing) {
    const areas = [], lines = [], plain = changing ? { width: 1.2, dash: [3, 4], colour: "#6b6f76" } : {};
    for (const id of this.chosen) {
      const figure = this.figures.get(id);
      if (!figure) continue;
      if (!figure.strands.length) this.sketch(ctx, figure, plain);
      else (figure.record.kind === "area" ? areas : lines).push(...figure.strands);
    }
    if (areas.length) outline(ctx, this.view, areas, { ...plain, fill: changing ? null : "rgba(0,114,178,0.13)" });
    if (lines.length) outline(ctx, this.view, lines, plain);
  }
  sketch(ctx, figure, look) {
    if (figure.strands.length) { outline(ctx, this.view, figure.strands, look); return; }
    if (figure.anchors.length > 1) outline(ctx, this.view, [{ points: figure.anchors, closed: false }], { ...look, fill: null });
    const { kx, ky } = this.view.grid, { camera, dpr } = this.view;
    ctx.beginPath();
    for (const [x, y] of figure.anchors.slice(0, 2)) { const [px, py] = camera.toScreen(x * kx, y * ky); ctx.moveTo(px + Math.max(10 * dpr, camera.scale * 0.22), py); ctx.arc(px, py, Math.max(10 * dpr, camera.scale * 0.22), 0, 7); }
    if (look.dash) ctx.setLineDash(look.dash.map((n) => n * dpr));
    stroke(ctx, (look.width || 2.5) * dpr, look.colour || ACCENT, ((look.width || 2.5) + 2.5) * dpr, "rgba(255,255,255,0.9)");
    ctx.setLineDash([]);
  }
  /** Corners near the pointer, or all of a few; of the keyboard's corner too. */
  handles(ctx) {
    const { view } = this, only = new Set(this.chosen), { kx, ky } = view.grid;
    if (!only.size) return;
    const few = only.size <= FEW && this.corners().length <= FEW, near = this.reach(NEAR), at = this.at, close = (p) => few || (at && Math.hypot(p[0] * kx - at.x, p[1] * ky - at.y) < near);
    const all = few ? this.corners() : at ? this.figures.cornersNear(at.x, at.y, near, only).map((corner) => corner.at) : [];
    const figures = few ? [...only].map((id) => this.figures.get(id)).filter(Boolean) : at ? this.figures.near(at.x, at.y, near).filter((figure) => only.has(figure.id)) : [];
    for (const figure of figures) {
      for (const strand of figure.strands) {
        const { points, closed } = strand;
        points.forEach((p, i) => {
          const q = points[i + 1] || (closed ? points[0] : null);
          if (!q || !close(p) || !this.roomy(p, q)) return;
          const m = middle(p, q);
          middleHandle(ctx, view, m, this.handle?.kind === "middle" && same(this.handle.at, m));
        });
      }
    }
    for (const p of all) if (close(p)) cornerHandle(ctx, view, p, { shared: this.figures.sharing(p).length > 1, hot: (this.handle?.kind === "corner" && same(this.handle.at, p)) || (this.active && same(this.active, p)) });
    if (this.active && !all.some((p) => same(p, this.active))) cornerHandle(ctx, view, this.active, { hot: true });
  }

  // -- the side panel -----------------------------------------------------------------------------------------------------------------

  panel(build) {
    const { view } = this, { store } = view, ids = this.chosen, records = ids.map((id) => store.features.get(id).record);
    const button = (label, act, name) => h("button.wgs-plain", { type: "button", "data-action": `shape:${name}`, onclick: act }, label);
    if (ids.length) {
      build.tool.append(h("p.wgs-say", {}, ids.length === 1 ? titleOf(store, records[0]) : `${ids.length} chosen`));
      const row = h("div.wgs-row", {}), kinds = new Set(records.map((record) => record.kind)), drawn = records.every((record) => strandsOf(record).length);
      const lines = drawn && !kinds.has("area");
      if (drawn && kinds.size === 1) this.types(build, [...kinds][0], records);
      if (ids.length > 1 && (kinds.size === 1 && kinds.has("area") || (lines && ids.length === 2))) row.append(button(lines ? "Join" : "Merge", () => this.change("join"), "join"));
      if (ids.length === 1 && lines) {
        const [first, last] = [records[0].line[0], records[0].line[records[0].line.length - 1]];
        if (!same(first, last) && records[0].line.length > 2) row.append(button("Close", () => this.change("join"), "close"));
        row.append(button("Turn round", () => this.change("reverse"), "reverse"));
        if (this.active) row.append(button("Split at the corner", () => this.change("split_line", { point: this.active }), "split-line"));
      }
      if (ids.length === 1 && records[0].holes?.length) row.append(button("Fill holes", () => this.change("fill_holes"), "fill"));
      row.append(button("Copy", () => this.duplicate(), "copy"), button("Remove", () => this.remove(), "remove"));
      build.tool.append(row);
      build.tool.append(h("label.wgs-field", {}, h("span", {}, "Arrows move by"), h("select", { "aria-label": "Arrows move by", "data-id": "step", onchange: (ev) => { this.step = Number(ev.target.value); } },
        ...STEPS.map(([value, name]) => h("option", { value: String(value), selected: value === this.step }, name)))));
      build.tool.append(h("label.wgs-check", {}, h("input", { type: "checkbox", checked: this.stretch, "data-id": "stretch", onchange: (ev) => { this.stretch = ev.target.checked; } }), h("span", {}, "Neighbours keep shared borders")));
    }
    build.hint("Click what you want to change; again for what lies below, Shift adds, a drag over empty ground takes all inside. Drag what is chosen to move it, its corners to reshape it: whoever shares a corner goes along (Ctrl: only this one). A ring in the middle of an edge makes a corner; the right button or Delete removes it.");
    build.hint("Keys: Tab walks through what is in sight, . and , through corners, arrows move (Shift: half a hex), Insert makes a corner, Delete removes, Ctrl+D copies, Enter shows all fields.");
  }
  /** Another type for all that is chosen. */
  types(build, kind, records) {
    const { catalogue } = this.view.store, list = kind === "area" ? catalogue.area_types : kind === "wall" ? catalogue.wall_types : kind === "road" ? [{ id: "paved", name: "Paved" }, { id: "unpaved", name: "Unpaved" }] : null;
    if (!list || list.length < 2) return;
    const field = kind === "road" ? "surface" : "type", now = records.every((record) => record[field] === records[0][field]) ? records[0][field] : "";
    build.tool.append(h("label.wgs-field", {}, h("span", {}, kind === "road" ? "Surface" : "Type"), h("select", {
      "aria-label": "Type", "data-id": "shape-type", onchange: (ev) => this.change("retype", { kind_type: ev.target.value }, { guess: batch(records.map((record) => put({ ...record, [field]: ev.target.value }))) }),
    }, ...(now ? [] : [h("option", { value: "", selected: true }, "several")]), ...list.map(({ id, name }) => h("option", { value: id, selected: id === now }, name)))));
  }
}

function worldOf({ grid }, [x, y]) { return [x * grid.kx, y * grid.ky]; }
export function middle(p, q) { return [Math.round((p[0] + q[0]) / 2), Math.round((p[1] + q[1]) / 2)]; }

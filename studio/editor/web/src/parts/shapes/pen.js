// What tools share that set one corner after another: by clicks, by a drag, or at the keyboard's cursor.

import { batch, figuresOf, same } from "./figures.js";
import { KINDS, Snapper, finePoints } from "./snap.js";
import { cornerHandle, measure, outline, plate, snapSign, troubleSign } from "./sketching.js";
import { ask } from "./asking.js";
import { h } from "../../ui/dom.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const MOVED = 6; // CSS pixels from which a press is a drag
const GAP = 0.2, SLACK = 0.03; // hexes between the corners of a line drawn by a drag, and by how much it is smoothed

export class PenTool {
  constructor(view) {
    Object.assign(this, { view, figures: figuresOf(view.store), cursor: "crosshair", points: [], tip: null, sent: null, trouble: null, grab: null, fine: null });
    this.snapper = new Snapper(view, this.figures);
  }
  get keys() {
    return [["Click, Space", "set a corner"], ["Enter", "end the shape"], ["Backspace", "take a corner back"], ["Ctrl+Arrows", "to the corners and sides around the hex cursor"], ["Shift", "straight along the hexes"], ["Alt", "no snapping"]];
  }
  /** Fewest corners; whether a click on the first one closes the shape; whether it is a ring in any case. */
  get least() { return this.ring ? 3 : 2; }

  // -- corners ------------------------------------------------------------------------------------------------------------

  get last() { return this.points[this.points.length - 1] || null; }
  hit(e, own = this.points) {
    if (!e.keyboard) return this.snapper.find(e.x, e.y, { own, last: this.last, shift: e.shift, alt: e.alt });
    const { kx, ky } = this.view.grid, at = this.fine || this.snapper.inFrame([Math.round(e.x / kx), Math.round(e.y / ky)]);
    return { ...this.snapper.find(at[0] * kx, at[1] * ky, { own, reach: 1e-6 }), at };
  }
  down(e) {
    const hit = e.keyboard && e.cell < 0 ? null : this.hit(e);
    if (!hit) return;
    this.trouble = null;
    const i = this.points.findIndex((p) => same(p, hit.at));
    this.pressed = { from: [e.px, e.py], i, keyboard: e.keyboard, fresh: i < 0, alone: !this.points.length };
    if (i < 0) this.points.push(hit.at);
    this.tip = hit;
    this.changed();
  }
  move(e) {
    const p = this.pressed;
    if (!p || p.keyboard) { this.hover(e); return; }
    if (!p.moved && Math.hypot(e.px - p.from[0], e.py - p.from[1]) < MOVED * this.view.dpr) return;
    p.moved = true;
    if (!p.fresh) this.dragCorner(p, e);
    else if (p.alone) this.dragShape(p, e);
    else this.dragCorner({ ...p, i: this.points.length - 1 }, e);
  }
  /** A corner that is there already goes with the pointer: so a shape that was refused is put right. */
  dragCorner({ i }, e) {
    const others = this.points.filter((_, k) => k !== i);
    this.tip = this.snapper.find(e.x, e.y, { own: others, shift: e.shift, alt: e.alt, last: this.points[i - 1] || null });
    if (!others.some((p) => same(p, this.tip.at))) this.points[i] = this.tip.at;
  }
  /** A drag from the first corner: a line as it goes; areas make it a rectangle. */
  dragShape(p, e) {
    p.line = true;
    this.tip = this.hit(e);
    const { kx, ky } = this.view.grid, [x, y] = this.last;
    if (Math.hypot(e.x - x * kx, e.y - y * ky) >= GAP && !same(this.tip.at, this.last)) this.points.push(this.tip.at);
  }
  up(e) {
    const p = this.pressed;
    this.pressed = null;
    if (!p) return;
    if (p.moved && p.alone && p.fresh) { this.dragged(p, e); return; }
    if (p.moved) { this.changed(); return; }
    if (p.i === 0 && this.closable && this.points.length >= 3) this.commit(true);
  }
  dragged(p, e) {
    const hit = this.hit(e);
    if (!same(hit.at, this.last)) this.points.push(hit.at);
    this.points = smoothed(this.points, this.view.grid);
    if (this.points.length >= this.least) this.commit(false);
  }
  hover(e) {
    this.tip = e && (e.keyboard ? e.cell >= 0 : true) ? this.hit(e) : null;
  }
  key(ev) {
    if (ev.key !== "Backspace" || !this.points.length) return false;
    this.back();
    return true;
  }
  undoStep() { return this.points.length ? this.back() : false; }
  back() {
    this.points.pop();
    this.trouble = null;
    this.changed();
    return true;
  }
  finish() { this.commit(false); }
  cancel() {
    this.points = [];
    this.pressed = this.trouble = this.tip = null;
    this.changed();
  }
  leave() { this.tip = null; this.fine = null; }
  remove() {
    if (!this.points.length) return false;
    return this.back();
  }
  changed() { this.view.showUnder(this.view.under); this.view.stage.redraw(2); }

  // -- the finer points around the cursor -----------------------------------------------------------------------------------

  control(ev) {
    const way = ARROWS[ev.key];
    if (!way) return false;
    const { view } = this, { grid } = view, { kx, ky } = grid;
    if (view.cursor < 0) view.moveCursor(0, 0);
    const [x, y] = this.fine || grid.centreLattice(view.cursor), cells = [view.cursor, ...grid.neighbours(view.cursor)];
    let best = null;
    for (const cell of cells) {
      for (const { at } of finePoints(grid, cell)) {
        if (!same(at, this.snapper.inFrame(at))) continue;
        const dx = (at[0] - x) * kx, dy = (at[1] - y) * ky, along = dx * way[0] + dy * way[1], off = Math.abs(dx * way[1] + dy * way[0]);
        if (along <= 1e-9 || off > along * 1.8) continue;
        const far = along + 2 * off;
        if (!best || far < best.far) best = { at, cell, far };
      }
    }
    if (best) {
      this.fine = best.at;
      const ends = grid.corners(view.cursor), inside = ends.some(([u, v]) => Math.hypot(u - best.at[0] * kx, v - best.at[1] * ky) < 0.6);
      if (!inside) view.cursor = best.cell;
    }
    view.keyboard = true;
    view.hovered = null;
    view.camera.reveal(this.fine[0] * kx, this.fine[1] * ky);
    this.hover(view.cursorEvent());
    view.frame.say(this.words(), true);
    view.stage.moved();
    return true;
  }
  /** Plain arrows go from hex to hex: the finer point is left. */
  arrows() {
    this.fine = null;
    return false;
  }
  words() {
    const n = this.points.length, count = n ? `${n} corner${n === 1 ? "" : "s"}` : "";
    return [count, this.tip?.words].filter(Boolean).join(", ");
  }

  // -- sending --------------------------------------------------------------------------------------------------------------

  /** detail and guess of the finished shape; null when it is none yet. `closed`: ended on its first corner. */
  commit(closed) {
    const points = this.points.map((p) => [...p]);
    if (points.length < this.least) {
      if (points.length) this.view.frame.say(`${this.title} needs ${this.least} corners; Esc gives it up`);
      return;
    }
    const made = this.made(points, closed);
    if (!made) return;
    const { action, detail, record, touches, ...rest } = made, extra = rest.holes || [];
    this.points = [];
    this.tip = null;
    const sent = (this.sent = { points, strands: [{ points, closed: this.ring || closed }, ...extra.map((hole) => ({ points: hole, closed: true }))] });
    const seq = ask(this.view, action, detail, {
      guess: record ? batch([{ op: "put", collection: "features", record }]) : null,
      touches,
      done: (message) => {
        if (this.sent === sent) this.sent = null;
        this.accepted(message);
      },
      refused: (message) => {
        // The drawing is not lost: it is there again, to be put right.
        if (this.sent === sent) this.sent = null;
        if (!this.points.length) this.restore(points, rest);
        this.trouble = message.point;
        this.view.stage.redraw(2);
      },
    });
    if (!seq) this.restore(points, rest);
    this.changed();
  }
  restore(points) { this.points = points; }
  accepted({ ids }) {
    if (ids.length) this.view.choose(ids);
    this.view.frame.say(`${this.title}: ${ids.map((id) => this.snapper.called([id])).filter(Boolean).join(", ") || "done"}`);
  }

  // -- the picture ------------------------------------------------------------------------------------------------------------

  draw(ctx) {
    const { view } = this;
    if (this.sent) outline(ctx, view, this.sent.strands, { dash: [6, 5] });
    const points = this.tip && this.points.length && !this.pressed?.moved ? [...this.points, this.tip.at] : this.points;
    if (points.length > 1) {
      const ring = this.ring && points.length > 2;
      outline(ctx, view, [{ points, closed: ring }], { fill: ring ? "rgba(0,114,178,0.16)" : null });
    }
    this.decorate?.(ctx, points);
    this.points.forEach((at, i) => cornerHandle(ctx, view, at, { first: i === 0 && this.closable, hot: !!this.tip && same(this.tip.at, at) }));
    snapSign(ctx, view, this.tip);
    if (this.trouble) troubleSign(ctx, view, this.trouble);
    if (this.tip && (this.tip.words || this.points.length)) {
      const from = this.pressed?.moved ? this.points[this.points.length - 2] : this.last, text = [from && measure(view, from, this.tip.at), this.tip.words].filter(Boolean).join(" · ");
      if (text) plate(ctx, view, ...view.camera.toScreen(this.tip.at[0] * view.grid.kx, this.tip.at[1] * view.grid.ky), text);
    }
  }

  /** Which kinds corners go to. */
  snaps(build) {
    const on = this.snapper.chosen, row = h("div.wgs-snaps", { role: "group", "aria-label": "Corners go to" });
    for (const [id, name] of KINDS) {
      row.append(h("label.wgs-check", {}, h("input", { type: "checkbox", checked: on.has(id), "data-snap": id, onchange: (ev) => { if (ev.target.checked) on.add(id); else on.delete(id); } }), h("span", {}, name)));
    }
    build.tool.append(h("details.wgs-fold", { "data-group": "snaps" }, h("summary", {}, "Corners go to"), row));
  }
  pen(build, words) {
    this.snaps(build);
    build.hint(`${words} Backspace takes a corner back, Esc gives up. Shift: straight along the hexes; Alt: no snapping. Keys: arrows and Ctrl+arrows move the cursor, Space sets a corner, Enter ends.`);
  }
}

/** A line without the corners that hardly bend it. */
export function smoothed(points, { kx, ky }) {
  if (points.length < 3) return points;
  const [p, q] = [points[0], points[points.length - 1]], dx = (q[0] - p[0]) * kx, dy = (q[1] - p[1]) * ky, length = Math.hypot(dx, dy);
  let most = 0, at = 0;
  for (let i = 1; i < points.length - 1; i++) {
    const x = (points[i][0] - p[0]) * kx, y = (points[i][1] - p[1]) * ky, off = length ? Math.abs(dx * y - dy * x) / length : Math.hypot(x, y);
    if (off > most) { most = off; at = i; }
  }
  if (most <= SLACK) return [p, q];
  return [...smoothed(points.slice(0, at + 1), { kx, ky }), ...smoothed(points.slice(at), { kx, ky }).slice(1)];
}

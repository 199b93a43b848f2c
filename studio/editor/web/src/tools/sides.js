// Hexsides: click one to set or clear what runs on it, or drag along the corners of hexes.

import { drawSide } from "../look.js";
import { ACCENT, stroke } from "../above.js";

const REACH = 0.2; // a drag takes the sides whose middle it passes this near, in hexes: at a corner three sides meet

export class SideTool {
  constructor(view) {
    this.view = view;
    Object.assign(this, { id: "side", title: "Hexsides", letter: "w", icon: "side", group: "lines", turns: true, near: null, run: new Map() });
  }
  fits(catalogue) { return catalogue.side_kinds.length > 0; }
  kind() { return this.view.options.kind; }

  down(e) {
    const side = e.side;
    if (!side || !this.kind()) return;
    this.run = new Map();
    this.first = side;
    this.last = e;
    // A press at a corner may be the start of any of three sides: a drag decides.
    if (e.keyboard || fromMiddle(side, e.x, e.y) < REACH) this.take(side);
    this.drawing = !e.keyboard;
  }
  /** The first side decides: one that has the kind begins a run of clearing. */
  take(side) {
    const has = this.view.store.kindsOf(side.a, side.b).includes(this.kind());
    if (!this.run.size) this.clearing = has;
    if (has === this.clearing) this.run.set(`${side.a},${side.b}`, side);
  }
  move(e) {
    this.near = e.side;
    if (!this.drawing) return;
    const { grid } = this.view, steps = Math.max(1, Math.ceil(Math.hypot(e.x - this.last.x, e.y - this.last.y) / 0.08));
    for (let i = 1; i <= steps; i++) {
      const x = this.last.x + ((e.x - this.last.x) * i) / steps, y = this.last.y + ((e.y - this.last.y) * i) / steps, side = grid.sideAt(x, y);
      if (side && fromMiddle(side, x, y) < REACH) this.take(side);
    }
    if (e.side !== this.first) this.first = null;
    this.last = e;
  }
  up() {
    this.drawing = false;
    if (!this.run.size && this.first) this.take(this.first);
    this.first = null;
    const { store } = this.view, kind = this.kind(), edits = [];
    for (const { a, b } of this.run.values()) {
      const kinds = store.kindsOf(a, b);
      edits.push({ op: "set_side", a, b, kinds: this.clearing ? kinds.filter((k) => k !== kind) : [...kinds, kind].sort() });
    }
    this.run = new Map();
    const name = (store.catalogue.side_kinds.find((k) => k.id === kind)?.name || kind || "").toLowerCase();
    if (edits.length) store.apply({ op: "batch", title: `${this.clearing ? "Clear" : "Draw"} ${name}`, edits });
  }
  hover(e) { this.near = e ? e.side : null; }
  cancel() {
    this.drawing = false;
    this.run = new Map();
  }
  leave() { this.near = null; }
  /** What the status line says of the chosen side. */
  words() {
    if (!this.near) return "";
    const { store } = this.view, { a, b } = this.near, names = store.kindsOf(a, b).map((id) => (store.catalogue.side_kinds.find((k) => k.id === id)?.name || id).toLowerCase());
    return `side ${store.labels.of(a)}/${store.labels.of(b)}: ${names.join(", ") || "nothing"}`;
  }
  remove(e) {
    if (!e.side || !this.view.store.kindsOf(e.side.a, e.side.b).length) return false;
    this.view.store.apply({ op: "batch", title: "Clear hexside", edits: [{ op: "set_side", a: e.side.a, b: e.side.b, kinds: [] }] });
    return true;
  }

  draw(ctx, camera) {
    const px = ([x, y]) => camera.toScreen(x, y);
    ctx.save();
    ctx.globalAlpha = 0.8;
    if (!this.clearing) for (const side of this.run.values()) drawSide(ctx, this.view.store.style, this.kind(), px(side.p), px(side.q), camera.scale);
    ctx.restore();
    const shown = [...(this.clearing ? this.run.values() : []), ...(this.near ? [this.near] : [])];
    for (const side of shown) {
      const [p, q] = [px(side.p), px(side.q)];
      ctx.beginPath();
      ctx.moveTo(...p);
      ctx.lineTo(...q);
      stroke(ctx, Math.max(3, camera.scale * 0.07), ACCENT, Math.max(6, camera.scale * 0.13), "rgba(255,255,255,0.9)");
    }
  }
  panel(build) {
    build.sideKinds();
    build.hint("Click a hexside to set or clear it; drag along the corners for a run. Keys: Shift+arrows turn to a side, Space sets it, Delete clears it.");
  }
}

function fromMiddle({ p, q }, x, y) { return Math.hypot(x - (p[0] + q[0]) / 2, y - (p[1] + q[1]) / 2); }

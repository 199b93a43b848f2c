// The eraser: takes away what is pointed at, of every kind; terrain stays.

import { ThingTool } from "./base.js";
import { lineOf, thingAt } from "./spots.js";

export class Eraser extends ThingTool {
  constructor(view) {
    super(view, { id: "eraser", title: "Eraser", letter: "e", icon: "eraser", gone: [], sides: [] });
  }
  down(e) {
    this.erasing = true;
    this.gone = [];
    this.sides = [];
    this.take(e);
  }
  move(e) {
    this.hover(e);
    if (this.erasing) this.take(e);
  }
  hover(e) {
    this.target = e ? thingAt(this.store, e.x, e.y, undefined, this.view.stage.layers) : null;
    this.near = e && !this.target && !this.view.stage.layers.locked("side") && e.side && this.store.kindsOf(e.side.a, e.side.b).length ? e.side : null;
  }
  take(e) {
    this.hover(e);
    if (this.target && !this.gone.includes(this.target.id)) this.gone.push(this.target.id);
    else if (this.near && !this.sides.some(({ a, b }) => a === this.near.a && b === this.near.b)) this.sides.push(this.near);
  }
  up() {
    const { gone, sides, store } = this;
    this.erasing = false;
    this.gone = [];
    this.sides = [];
    this.target = this.near = null;
    if (!gone.length && !sides.length) return;
    const edits = [...gone.map((id) => ({ op: "delete", collection: "features", id })), ...sides.map(({ a, b }) => ({ op: "set_side", a, b, kinds: [] }))];
    // Python takes what is part of an area, and what goes by its label, along with it.
    if (sides.length && !gone.length) store.apply({ op: "batch", title: "Erase", edits });
    else store.request("erase", { ids: gone, sides: sides.map(({ a, b }) => [a, b]) }, { op: "batch", edits });
  }
  /** Delete takes away what is pointed at, of every kind. */
  remove(e) {
    this.down(e);
    const found = this.gone.length + this.sides.length > 0;
    this.up();
    return found;
  }
  cancel() {
    this.erasing = false;
    this.gone = [];
    this.sides = [];
  }
  leave() { this.target = this.near = null; }
  draw(ctx, camera) {
    const { store } = this, lines = [];
    for (const id of new Set([this.target?.id, ...this.gone])) {
      const entry = id && store.features.get(id);
      if (entry) lines.push(lineOf(store, entry));
    }
    for (const { a, b } of [this.near, ...this.sides].filter(Boolean)) {
      const side = store.sides.get(`${Math.min(a, b)},${Math.max(a, b)}`);
      if (side) lines.push([side.p, side.q]);
    }
    ctx.strokeStyle = "rgba(213,94,0,0.85)";
    ctx.lineCap = ctx.lineJoin = "round";
    for (const points of lines) {
      ctx.beginPath();
      points.forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(x, y)));
      if (points.length === 1) ctx.arc(...camera.toScreen(...points[0]), camera.scale * 0.3, 0, 7);
      ctx.lineWidth = Math.max(4, camera.scale * 0.1);
      ctx.stroke();
    }
  }
  panel(build) { build.hint("Click or drag over markers, names, places, openings, links, lines, the outlines of areas, and hexsides to remove them; what is part of an area goes with it. Terrain is not erased: paint another one over it."); }
}

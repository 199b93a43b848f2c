// Movement: press on a location to see how far a mover comes; drag from it, or move with it set, for the way to another.

import { ACCENT, drawDisc, outlineCells } from "../../above.js";
import { Asking, spotOf } from "./asking.js";

export class WaysTool {
  constructor(view) {
    Object.assign(this, { view, id: "ways", title: "Movement: reach and route", cursor: "crosshair", a: null, b: null, held: false, over: -1 });
    this.asking = new Asking(view, "ways");
  }
  enter() { this.ask(); }
  leave() { this.asking.ask({ a: "", b: "" }); }

  down(e) {
    const at = spotOf(this.view, e);
    if (!at) return;
    if (e.keyboard && this.a && !this.held) this.aim(at, true);
    else {
      this.a = at;
      this.b = null;
      this.held = false;
      this.ask();
    }
  }
  move(e) { if (this.a) this.aim(spotOf(this.view, e)); }
  up(e) {
    if (e.keyboard) return; // Space has held the goal, or begun
    this.held = !!this.b && spotOf(this.view, e)?.label === this.b.label;
    this.let = performance.now();
  }
  hover(e) {
    this.over = e ? e.cell : -1;
    if (this.a && !this.held && e) this.aim(spotOf(this.view, e));
  }
  /** Enter: sets the start, then the goal; a third one begins anew. A double click has pressed already. */
  finish(e) {
    const at = spotOf(this.view, e);
    if (!at || (!e.keyboard && performance.now() - this.let < 50)) return;
    if (!this.a || this.held) this.down(e);
    else this.aim(at, true);
  }
  aim(at, hold = false) {
    if (!at) return;
    if (at.label !== this.b?.label && !(at.label === this.a.label && !this.b)) {
      this.b = at.label === this.a.label ? null : at;
      this.ask();
    }
    this.held ||= hold && !!this.b;
  }
  ask() {
    this.asking.ask({ a: this.a?.label || "", b: this.b?.label || "" });
    this.view.stage.redraw(2);
  }
  /** The map, the scenario or the panel changed what holds; a place that moved or is gone takes its end along. */
  refresh(option) {
    if (option || !this.a) return;
    const { places } = this.view.store;
    for (const end of ["a", "b"]) {
      const now = this[end] && places.find(this[end].label);
      if (this[end]) this[end] = now && now.label === this[end].label ? { label: now.label, x: now.u ?? now.x, y: now.v ?? now.y, cell: now.cell } : null;
    }
    if (!this.a) this.b = null;
    this.held &&= !!this.b;
    this.ask();
  }
  key(ev) {
    if (ev.key !== "x" && ev.key !== "X") return false;
    if (this.b) {
      [this.a, this.b] = [this.b, this.a];
      this.held = true;
      this.ask();
    }
    return true;
  }
  cancel() {
    if (!this.a) return;
    this.a = this.b = null;
    this.held = false;
    this.ask();
  }
  remove() {
    this.cancel();
    return true;
  }
  draw(ctx, camera) {
    const { grid } = this.view, radius = Math.max(8, Math.min(13, camera.scale * 0.2));
    if (!this.a && this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
    if (this.b) drawDisc(ctx, ...camera.toScreen(this.b.x, this.b.y), "B", radius, ACCENT);
    if (this.a) drawDisc(ctx, ...camera.toScreen(this.a.x, this.a.y), "A", radius, "#1f2430");
  }
  panel(build) {
    build.hint(`Press on a location: everything that the mover can reach. Drag to another, or move on with the start set: the way there, with its running cost, or what bars it.${this.view.store.places.count ? " Alt takes what is stacked, such as a roof." : ""} Keys: Enter or Space sets start and goal, X swaps them, Esc begins anew. Who moves is chosen below.`);
  }
}

// Movement: press on a location to see how far a mover comes; drag from it, or move with it set, for the way to another.

import { ACCENT, drawDisc, outlineCells } from "../../above.js";
import { Asking, labelOf } from "./asking.js";

export class WaysTool {
  constructor(view) {
    Object.assign(this, { view, id: "ways", title: "Movement: reach and route", cursor: "crosshair", a: null, b: null, held: false });
    this.asking = new Asking(view.store, "ways");
  }
  enter() { this.ask(); }
  leave() { this.asking.ask({ a: "", b: "" }); }

  down(e) {
    const at = this.spot(e);
    if (!at) return;
    if (e.keyboard && this.a && !this.held) this.aim(at, true);
    else {
      this.a = at;
      this.b = null;
      this.held = false;
      this.ask();
    }
  }
  move(e) { if (this.a) this.aim(this.spot(e)); }
  up(e) {
    const at = this.spot(e);
    this.held = !e.keyboard && !!this.b && !!at && at.label === this.b.label;
  }
  hover(e) {
    this.over = e ? e.cell : -1;
    if (this.a && !this.held && e) this.aim(this.spot(e));
  }
  /** Enter: sets the start, then the goal; a third one begins anew. */
  finish(e) {
    const at = this.spot(e);
    if (!at) return;
    if (!this.a || this.held) this.down({ ...e, keyboard: false });
    else this.aim(at, true);
  }
  aim(at, hold = false) {
    this.held ||= hold;
    if (!at || at.label === this.b?.label) return;
    this.b = at.label === this.a.label ? null : at;
    this.ask();
  }
  spot(e) {
    const label = labelOf(this.view, e);
    return label ? { label, x: e.place?.x ?? null, y: e.place?.y ?? null, cell: e.cell } : null;
  }
  ask() {
    this.asking.ask({ a: this.a?.label || "", b: this.b?.label || "" });
    this.view.stage.redraw(2);
  }
  /** The map or the panel changed what holds. */
  refresh(option) { if (!option && this.a) this.ask(); }
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
    if (this.a) {
      this.a = this.b = null;
      this.held = false;
      this.ask();
    }
  }
  at({ cell, x, y }) {
    const { camera, grid } = this.view;
    return camera.toScreen(...(x === null || y === null ? grid.centre(cell) : [x, y]));
  }
  draw(ctx, camera) {
    const { grid } = this.view, radius = Math.max(8, Math.min(13, camera.scale * 0.2));
    if (!this.a && this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
    if (this.b) drawDisc(ctx, ...this.at(this.b), "B", radius, ACCENT);
    if (this.a) drawDisc(ctx, ...this.at(this.a), "A", radius, "#1f2430");
  }
  panel(build) {
    build.hint("Press on a location: everything that the mover can reach. Drag to another, or move on with the start set: the way there, with its running cost, or what bars it. Keys: Enter sets start and goal, X swaps them, Esc begins anew. The mover is chosen below.");
  }
}

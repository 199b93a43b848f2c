// Supply and command: who is in, who is out and why. Drag an enemy, or put one anywhere, to see what it would cut.

import { drawDisc, outlineCells } from "../../above.js";
import { Asking, labelOf } from "./asking.js";

export class SupplyTool {
  constructor(view) {
    Object.assign(this, { view, id: "supply", title: "Supply and command", cursor: "crosshair", lift: "", drop: "", over: -1 });
    this.asking = new Asking(view.store, "supply");
  }
  enter() { this.ask(); }
  leave() { this.asking.ask({ off: true }); }
  /** A press takes up what stands there, or puts a new enemy there; where it is let go it stays until Esc. */
  down(e) {
    const label = labelOf(this.view, e);
    if (!label) return;
    if (e.keyboard && this.lift) this.set(label, e.cell);
    else {
      this.lift = label;
      this.set(label, e.cell);
    }
  }
  move(e) { if (this.lift) this.set(labelOf(this.view, e), e.cell); }
  up() {}
  hover(e) {
    this.over = e ? e.cell : -1;
    this.view.stage.redraw(2);
  }
  finish(e) { this.down({ ...e, keyboard: true }); }
  set(label, cell) {
    if (!label || label === this.drop) return;
    this.drop = label;
    this.cell = cell;
    this.ask();
  }
  ask() {
    this.asking.ask({ lift: this.lift, drop: this.drop });
    this.view.stage.redraw(2);
  }
  refresh(option) { if (!option) this.ask(); }
  cancel() {
    if (!this.lift) return;
    this.lift = this.drop = "";
    this.ask();
  }
  remove() {
    this.cancel();
    return true;
  }
  draw(ctx, camera) {
    const { grid } = this.view;
    if (this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
    if (this.drop && this.cell >= 0) {
      outlineCells(ctx, grid, camera, [this.cell], { colour: "#D55E00", width: 2.5 });
      drawDisc(ctx, ...camera.toScreen(...grid.centre(this.cell)), "!", Math.max(8, Math.min(13, camera.scale * 0.2)), "#D55E00");
    }
  }
  panel(build) {
    build.hint("Every unit of the side is marked in or out, with its line and the running cost, or the nearest miss. Press on an enemy and drag it, or press on any hex: what would be if an enemy stood there. Esc or Delete takes it away. Keys: Enter or Space puts one at the cursor.");
  }
}

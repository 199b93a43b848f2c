// Supply and command: who is in, who is out and why. Drag an enemy, or put one anywhere, to see what it would cut.

import { drawDisc, outlineCells } from "../../above.js";
import { Asking, spotOf } from "./asking.js";

const ALARM = "#D55E00";

export class SupplyTool {
  constructor(view) {
    Object.assign(this, { view, id: "supply", title: "Supply and command", cursor: "crosshair", lift: "", drop: null, ids: [], marks: [], over: -1 });
    this.asking = new Asking(view, "supply", (message) => this.heard(message));
  }
  enter() { this.ask(); }
  leave() {
    this.asking.ask({ off: true });
    this.carry([]);
  }
  /** A press takes up what stands there, or puts a new enemy there; where it is let go it stays until Esc. */
  down(e) {
    const at = spotOf(this.view, e);
    if (!at) return;
    // What is supposed already goes on from where it stands.
    if (!(e.keyboard && this.lift) && at.label !== this.drop?.label) this.lift = at.label;
    this.held = true;
    this.set(at);
  }
  move(e) { if (this.held) this.set(spotOf(this.view, e)); }
  up() { this.held = false; }
  hover(e) {
    this.over = e ? e.cell : -1;
    this.view.stage.redraw(2);
  }
  finish(e) {
    if (!e.keyboard && this.view.hovered !== e) return; // a double click, which has pressed already
    this.down({ ...e, keyboard: true });
    this.held = false;
  }
  set(at) {
    if (!at || at.label === this.drop?.label) return;
    this.drop = at;
    this.ask();
  }
  ask() {
    this.asking.ask({ lift: this.lift, drop: this.drop?.label || "" });
    this.view.stage.redraw(2);
  }
  /** What is supposed is Python's: a panel can take it back, and some answers suppose nothing. */
  heard({ lift, drop, moved, marks }) {
    if (this.view.tool !== this) return;
    this.marks = marks;
    if (this.drop && !drop) {
      this.lift = "";
      this.drop = null;
    }
    this.carry(this.drop && lift === this.lift ? moved : []);
  }
  /** Counters that are supposed to stand elsewhere are not drawn where they do. */
  carry(ids) {
    this.ids = ids;
    this.view.forces?.hide(ids);
    this.view.stage.redraw(2);
  }
  refresh(option) { if (!option) this.ask(); }
  cancel() {
    this.held = false;
    if (!this.lift) return;
    this.lift = "";
    this.drop = null;
    this.carry([]);
    this.ask();
  }
  remove() {
    this.cancel();
    return true;
  }
  draw(ctx, camera) {
    const { grid } = this.view;
    if (this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
    if (this.view.forces) this.drawMarks(ctx, camera);
    if (!this.drop) return;
    if (this.drop.cell >= 0) outlineCells(ctx, grid, camera, [this.drop.cell], { colour: ALARM, width: 2.5 });
    const { forces } = this.view, [x, y] = camera.toScreen(this.drop.x, this.drop.y), px = 0.68 * camera.scale;
    const units = forces ? this.ids.map((id) => forces.forces.units.get(id)).filter(Boolean) : [];
    units.slice(-3).forEach((unit, n) => forces.counter(ctx, unit, x + n * 0.075 * px, y - n * 0.075 * px, px));
    drawDisc(ctx, x + (units.length ? px / 2 : 0), y - (units.length ? px / 2 : 0), "!", Math.max(8, Math.min(13, camera.scale * 0.2)), ALARM);
  }
  /** In or out, on the corner of the counters: those hide the marks of the answer below them. */
  drawMarks(ctx, camera) {
    const { grid } = this.view, radius = Math.max(5, Math.min(11, camera.scale * 0.17));
    for (const [u, v, fine] of this.marks || []) {
      const [x, y] = camera.toScreen(u * grid.kx, v * grid.ky), cx = x + 0.34 * camera.scale, cy = y - 0.34 * camera.scale;
      if (fine) {
        drawDisc(ctx, cx, cy, "✓", radius, "#009E73");
        continue;
      }
      ctx.fillStyle = ALARM;
      ctx.strokeStyle = "#ffffff";
      ctx.lineWidth = 2;
      ctx.beginPath();
      ctx.rect(cx - radius, cy - radius, 2 * radius, 2 * radius);
      ctx.fill();
      ctx.stroke();
      ctx.beginPath();
      ctx.moveTo(cx - radius / 2, cy - radius / 2);
      ctx.lineTo(cx + radius / 2, cy + radius / 2);
      ctx.moveTo(cx + radius / 2, cy - radius / 2);
      ctx.lineTo(cx - radius / 2, cy + radius / 2);
      ctx.stroke();
    }
  }
  panel(build) {
    build.hint("Every unit of the side is marked in or out, with its line and the running cost, or the nearest miss. Press on an enemy and drag it, or press on any hex: what would be if an enemy stood there. Keys: Enter or Space takes up the enemy at the cursor, or puts one there, and sets it down again elsewhere; Esc or Delete takes it away.");
  }
}

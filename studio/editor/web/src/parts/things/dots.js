// Dots of hexes: where lines of sight to a hex go, when it is not its middle.

import { ACCENT, outlineCells } from "../../above.js";
import { ThingTool } from "./base.js";
import { dotOf, spotOf } from "./spots.js";

const NUDGE = 30; // lattice units, a sixteenth of a hex

export class DotTool extends ThingTool {
  constructor(view) {
    super(view, { id: "dot", lies: "dot", title: "Dot of a hex", letter: "d", icon: "dot" });
  }
  down(e) {
    if (e.cell < 0) return;
    this.cell = e.cell;
    this.here = e.keyboard ? null : [e.x, e.y];
    this.dragging = !e.keyboard;
  }
  move(e) {
    if (this.dragging) this.here = [e.x, e.y];
    else this.hover(e);
  }
  up(e) {
    if (this.dragging && this.here) this.set(this.cell, this.lattice(e.x, e.y));
    this.dragging = false;
  }
  set(cell, to) {
    const hex = this.store.labels.of(cell), old = dotOf(this.store, hex), id = old?.id || this.store.freeId("dot"), record = { kind: "dot", id, at: hex, point: to };
    this.store.request("move_dot", { hex, to, id }, to ? { op: "put", collection: "features", record } : { op: "delete", collection: "features", id }, [id]);
  }
  nudge(dx, dy) {
    this.view.withCursor((e) => {
      if (e.cell < 0 || this.view.barred) return;
      const [x, y] = this.lattice(...spotOf(this.store, this.store.labels.of(e.cell)));
      this.set(e.cell, [x + dx * NUDGE, y + dy * NUDGE]);
    });
  }
  remove(e) {
    if (e.cell < 0 || this.view.barred || !dotOf(this.store, this.store.labels.of(e.cell))) return false;
    this.set(e.cell, null);
    return true;
  }
  hover(e) { this.over = e && e.cell >= 0 ? { cell: e.cell } : null; }
  cancel() { this.dragging = false; }
  draw(ctx, camera) {
    const cell = this.dragging ? this.cell : this.over?.cell ?? -1;
    if (cell < 0) return;
    outlineCells(ctx, this.view.grid, camera, [cell], { colour: ACCENT });
    const at = spotOf(this.store, this.store.labels.of(cell));
    if (at) this.spot(ctx, at, "#6b6f76");
    if (this.dragging && this.here) this.spot(ctx, this.here);
  }
  panel(build) { build.hint("Click or drag inside a hex to move its dot there; Shift+arrows nudge it at the hex cursor, Delete puts it back into the middle."); }
}

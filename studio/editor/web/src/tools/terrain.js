// Tools that paint terrain. Each stroke shows at once and travels as one edit. The brush is here; the others are a part of
// their own (parts/ground), and begin with these.

import { outlineCells } from "../above.js";

export class PaintTool {
  constructor(view) {
    this.view = view;
    this.group = "terrain";
    this.preview = [];
  }
  get plane() { return "terrain"; }
  get title1() { return `Paint ${this.view.store.terrainName(this.view.options.terrain).toLowerCase()}`; }
  value() { return this.view.options.terrain; }
  cancel() {
    this.stroke?.cancel();
    this.stroke = null;
    this.from = undefined;
    this.preview = [];
  }
  leave() { this.preview = []; }
  commit(cells) {
    const { store } = this.view, plane = store.planes.terrain, index = store.terrainIds.indexOf(this.value());
    const fresh = store.sure ? cells.filter((cell) => plane[cell] !== index) : cells;
    if (fresh.length) store.apply({ op: "batch", title: this.title1, edits: [{ op: "paint", plane: "terrain", cells: fresh, values: [this.value()] }] });
  }
  draw(ctx, camera) {
    if (this.preview.length) outlineCells(ctx, this.view.grid, camera, this.preview, { width: 2, fill: this.from === undefined ? null : "rgba(255,255,255,0.35)" });
  }
  panel(build) { build.palette(); }
}

export class Brush extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "brush", title: "Brush", letter: "b", icon: "brush" });
  }
  cells(cell) { return cell < 0 ? [] : this.view.grid.disk(cell, this.view.options.brush - 1); }
  down(e) {
    if (e.cell < 0) return;
    this.stroke = this.view.store.begin(this.plane, this.title1);
    this.last = e.cell;
    this.dab(e.cell, e);
  }
  move(e) {
    this.preview = this.cells(e.cell);
    if (!this.stroke || e.cell < 0 || e.cell === this.last) return;
    for (const cell of this.view.grid.line(this.last, e.cell).slice(1)) this.dab(cell, e);
    this.last = e.cell;
  }
  dab(cell) { this.stroke.add(this.cells(cell), this.value()); }
  up() {
    this.stroke?.end();
    this.stroke = null;
  }
  hover(e) { this.preview = e ? this.cells(e.cell) : []; }
  refresh() { if (this.view.hovered) this.hover(this.view.hovered); }
  panel(build) {
    build.brush();
    build.palette();
  }
}

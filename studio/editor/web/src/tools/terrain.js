// Tools that paint terrain and levels. Each stroke shows at once and travels as one edit.

import { outlineCells } from "../above.js";

class PaintTool {
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

export class Level extends Brush {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "level", title: "Levels", letter: "u", icon: "level", mode: "up" });
  }
  fits(catalogue) { return catalogue.levels[0] < catalogue.levels[1]; }
  get plane() { return "levels"; }
  get title1() { return { up: "Raise", down: "Lower", set: `Set level ${this.view.options.level}` }[this.mode]; }
  dab(cell, e) {
    const { store, options } = this.view, [low, high] = store.catalogue.levels;
    const by = this.mode === "set" ? 0 : (this.mode === "up") === !e.shift ? 1 : -1;
    for (const one of this.cells(cell)) {
      const value = by ? store.planes.levels[one] + by : options.level;
      if (!this.stroke.has(one)) this.stroke.add([one], Math.max(low, Math.min(high, value)));
    }
  }
  panel(build) {
    const { store, options } = this.view, [low, high] = store.catalogue.levels;
    build.choice("Change", [["up", "Raise"], ["down", "Lower"], ["set", "Set to"]], this.mode, (mode) => { this.mode = mode; this.view.frame.showOptions(); });
    if (this.mode === "set") build.number("Level", options.level, low, high, (value) => this.view.set("level", value));
    build.brush();
    build.hint("Shift turns raising into lowering.");
  }
}

export class Fill extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "fill", title: "Fill an area", letter: "g", icon: "fill" });
  }
  down(e) {
    if (e.cell >= 0) this.commit(this.view.grid.flood(e.cell, this.view.store.planes.terrain));
  }
  hover(e) { this.preview = e && e.cell >= 0 ? [e.cell] : []; }
}

class TwoPoints extends PaintTool {
  constructor(view) {
    super(view);
    this.drags = true;
  }
  down(e) {
    if (e.cell < 0) return;
    this.from = e.cell;
    this.preview = this.between(e.cell, e.cell);
  }
  move(e) { if (this.from !== undefined && e.cell >= 0) this.preview = this.between(this.from, e.cell); }
  up(e) {
    if (this.from === undefined) return;
    const cells = e.cell >= 0 ? this.between(this.from, e.cell) : this.preview;
    this.from = undefined;
    this.preview = [];
    this.commit(cells);
  }
  hover(e) { if (this.from === undefined) this.preview = e && e.cell >= 0 ? [e.cell] : []; }
}

export class Rectangle extends TwoPoints {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "rectangle", title: "Rectangle", letter: "r", icon: "rectangle" });
  }
  between(a, b) { return this.view.grid.rectangle(a, b); }
}

export class Line extends TwoPoints {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "line", title: "Line of hexes", letter: "l", icon: "line" });
  }
  between(a, b) {
    const { grid, options } = this.view, found = new Set();
    for (const cell of grid.line(a, b)) for (const near of grid.disk(cell, options.brush - 1)) found.add(near);
    return [...found];
  }
  panel(build) {
    build.brush("Width");
    build.palette();
  }
}

export class Pick extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "pick", title: "Pick terrain and level", letter: "i", icon: "pick", cursor: "copy" });
  }
  down(e) {
    if (e.cell < 0) return;
    const { store } = this.view;
    this.view.set("level", store.planes.levels[e.cell]);
    this.view.set("terrain", store.terrainAt(e.cell));
    this.view.select("brush");
    this.view.frame.say(`Picked ${store.terrainName(store.terrainAt(e.cell))}, level ${store.planes.levels[e.cell]}`);
  }
  hover(e) { this.preview = e && e.cell >= 0 ? [e.cell] : []; }
}

// Terrain and levels in one go: fill, rectangle, line, lasso, pick, replace; levels by brush.

import { Brush, PaintTool } from "../../tools/terrain.js";
import { stroke } from "../../above.js";
import { Cover, flood, regionOf, spread, within, WIDE } from "./shapes.js";

const NONE = [];

export class Level extends Brush {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "level", mode: "up" });
  }
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
    build.hint("Shift turns raising into lowering. A whole region is raised and lowered with the region tool.");
  }
}

export class Fill extends PaintTool {
  constructor(view) {
    super(view);
    this.id = "fill";
  }
  down(e) {
    if (e.cell >= 0) this.commit(flood(this.view.grid, e.cell, this.view.store.planes.terrain));
  }
  hover(e) { this.preview = e && e.cell >= 0 ? [e.cell] : []; }
}

/** Many hexes at once: they are worked out when they are drawn, not at every move of the pointer. */
class ManyTool extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { drags: true, cover: new Cover() });
  }
  draw(ctx, camera) {
    if (this.stale) this.preview = this.cells();
    this.stale = false;
    this.cover.set(this.view.grid, this.preview);
    this.cover.draw(ctx, camera, { fill: this.from === undefined ? null : "rgba(255,255,255,0.35)" });
  }
  cancel() {
    super.cancel();
    this.stale = false;
  }
}

class TwoPoints extends ManyTool {
  down(e) {
    if (e.cell < 0) return;
    this.from = this.to = e.cell;
    this.stale = true;
  }
  move(e) {
    if (this.from === undefined || e.cell < 0) return;
    this.stale ||= this.to !== e.cell;
    this.to = e.cell;
  }
  cells() { return this.between(this.from, this.to); }
  up(e) {
    if (this.from === undefined) return;
    this.move(e);
    const cells = this.cells();
    this.cancel();
    this.commit(cells);
  }
  hover(e) { if (this.from === undefined) this.preview = e && e.cell >= 0 ? [e.cell] : []; }
}

export class Rectangle extends TwoPoints {
  constructor(view) {
    super(view);
    this.id = "rectangle";
  }
  between(a, b) { return this.view.grid.rectangle(a, b); }
}

export class Line extends TwoPoints {
  constructor(view) {
    super(view);
    this.id = "line";
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

export class Lasso extends ManyTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "lasso", points: [] });
  }
  down(e) {
    this.from = e.cell;
    this.points = [[e.x, e.y]];
    this.path = new Set(e.keyboard && e.cell >= 0 ? [e.cell] : []);
    this.last = e.cell;
  }
  move(e) {
    if (!this.points.length) return;
    this.points.push([e.x, e.y]);
    // From hex to hex the line runs through centres: these hexes are meant too.
    if (e.keyboard && e.cell >= 0 && this.last >= 0) for (const cell of this.view.grid.line(this.last, e.cell)) this.path.add(cell);
    this.last = e.cell;
    this.stale = true;
  }
  cells() { return [...new Set([...within(this.view.grid, this.points), ...this.path])]; }
  up(e) {
    if (!this.points.length) return;
    if (this.points.length > 1) this.move(e);
    const cells = this.points.length > 2 ? this.cells() : e.cell >= 0 ? [e.cell] : [];
    this.cancel();
    this.commit(cells);
  }
  cancel() {
    super.cancel();
    this.points = [];
  }
  hover(e) { if (!this.points.length) this.preview = e && e.cell >= 0 ? [e.cell] : []; }
  draw(ctx, camera) {
    const wide = this.points.length > 2 && spread(this.view.grid, this.points) > WIDE;
    if (wide) this.preview = NONE;
    this.stale &&= !wide;
    super.draw(ctx, camera);
    drawLasso(ctx, camera, this.points, wide);
  }
  panel(build) {
    build.palette();
    build.hint("Draw around the hexes whose middle is to be painted. Keys: Space begins, arrows go from hex to hex, Space closes the line; Esc gives up.");
  }
}

/** wide: so many hexes that the tint shows what lies within, not which of them are meant. */
export function drawLasso(ctx, camera, points, wide = false) {
  if (points.length < 2) return;
  ctx.save();
  ctx.beginPath();
  points.forEach((p, i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(...p)));
  if (wide) {
    ctx.fillStyle = "rgba(255,255,255,0.35)";
    ctx.fill("evenodd");
  }
  ctx.setLineDash([6, 5]);
  stroke(ctx, 2, "#ffffff", 4, "rgba(0,0,0,0.6)");
  ctx.restore();
}

export class Pick extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "pick", cursor: "copy" });
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

/** One terrain for another, wherever it is: in the region that is chosen, else on the whole map. */
export class Replace extends PaintTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "replace", under: -1, within: true });
  }
  get region() {
    const region = regionOf(this.view);
    return this.within && region.size ? region : null;
  }
  found(cell) {
    const { store, grid } = this.view, { terrain } = store.planes, cells = [];
    if (cell < 0) return cells;
    if (this.region) for (const one of this.region) if (terrain[one] === terrain[cell]) cells.push(one);
    if (!this.region) for (let one = 0; one < grid.size; one++) if (terrain[one] === terrain[cell] && grid.has(one)) cells.push(one);
    return cells;
  }
  down(e) {
    if (e.cell < 0) return;
    const { store, frame } = this.view, cells = this.found(e.cell), old = store.terrainName(store.terrainAt(e.cell)), name = store.terrainName(this.value());
    if (!cells.length) frame.say(`No ${old.toLowerCase()} in the region`);
    else if (store.terrainAt(e.cell) === this.value()) frame.say(`These are ${name.toLowerCase()} already`);
    else {
      store.apply({ op: "batch", title: `Replace ${old.toLowerCase()} by ${name.toLowerCase()}`, edits: [{ op: "paint", plane: "terrain", cells, values: [this.value()] }] });
      frame.say(`${old} became ${name.toLowerCase()} in ${count(cells.length)}`);
    }
  }
  hover(e) {
    this.preview = e && e.cell >= 0 ? [e.cell] : [];
    this.under = e ? e.cell : -1;
  }
  words() {
    if (this.under < 0) return "";
    const { store } = this.view, index = store.planes.terrain[this.under], id = `${index} ${store.revision} ${this.view.region?.size}`;
    if (this.counted !== id) [this.counted, this.count] = [id, this.found(this.under).length];
    return `${count(this.count)} of ${store.terrainName(store.terrainIds[index])} → ${store.terrainName(this.value())}`;
  }
  draw(ctx, camera) {
    if (this.region) {
      (this.cover ||= new Cover()).set(this.view.grid, this.region);
      this.cover.draw(ctx, camera, { fill: "rgba(255,255,255,0.18)" });
    }
    super.draw(ctx, camera);
  }
  panel(build) {
    if (regionOf(this.view).size) build.choice("Where", [["region", "In the region"], ["map", "Everywhere"]], this.within ? "region" : "map", (where) => { this.within = where === "region"; this.view.frame.showOptions(); });
    build.palette();
    build.hint("Choose the new terrain, then click a hex of the old one: every such hex changes. Choose a region first to stay inside of it.");
  }
}

export function count(n) { return `${n.toLocaleString("en")} hex${n === 1 ? "" : "es"}`; }

// Lines from hex to hex: roads and crest lines. Click hexes or drag through them; a double click or Enter ends the line.

import { drawCrest, drawRoad } from "../look.js";
import { ACCENT, outlineCells } from "../above.js";

class PathTool {
  constructor(view) {
    this.view = view;
    this.group = "lines";
    this.cells = [];
    this.tip = -1;
  }
  fits(catalogue) { return catalogue.feature_kinds.includes(this.id); }
  down(e) {
    if (e.cell < 0) return;
    this.dragging = !e.keyboard;
    this.pressedAt = e.cell;
    if (!this.cells.length) this.cells = [e.cell];
    else this.extend(e.cell);
  }
  move(e) {
    this.tip = -1;
    if (this.dragging && e.cell >= 0) this.extend(e.cell);
  }
  up(e) {
    // A drag through several hexes is a whole line; a click is one corner of a longer one.
    const dragged = this.dragging && e.cell !== this.pressedAt && this.cells.length > 2;
    this.dragging = false;
    if (dragged && this.dragEnds !== false && this.cells[0] === this.pressedAt) this.finish();
  }
  extend(cell) {
    const last = this.cells[this.cells.length - 1];
    if (cell === last) return;
    // Going back along the line takes it back.
    if (cell === this.cells[this.cells.length - 2]) this.cells.pop();
    else this.cells.push(...this.view.grid.line(last, cell).slice(1));
  }
  hover(e) { this.tip = e && this.cells.length ? e.cell : -1; this.over = e && !this.cells.length ? e.cell : -1; }
  key(ev) {
    if (ev.key !== "Backspace" || !this.cells.length) return false;
    this.cells.pop();
    this.view.stage.redraw(2);
    return true;
  }
  undoStep() {
    if (!this.cells.length) return false;
    this.cells.pop();
    return true;
  }
  finish(e) {
    const { store } = this.view, cells = this.cells;
    if (e?.keyboard && e.cell >= 0 && cells.length) this.extend(e.cell);
    this.cells = [];
    this.tip = -1;
    if (cells.length < 2) return;
    const record = this.record(store.freeId(this.id), cells.map((cell) => store.labels.of(cell)));
    store.apply({ op: "batch", title: `Draw ${this.noun}`, edits: [{ op: "put", collection: "features", record }] });
    this.view.frame.say(`${this.noun} from ${record.path[0]} to ${record.path[record.path.length - 1]}, ${cells.length} hexes`);
  }
  cancel() {
    this.cells = [];
    this.tip = -1;
    this.dragging = false;
  }
  leave() { this.over = -1; }
  remove(e) {
    if (this.cells.length) {
      this.cells.pop();
      return true;
    }
    const found = this.view.featureAt(e.x, e.y, [this.id]);
    if (!found) return false;
    this.view.store.apply({ op: "batch", title: `Remove ${this.noun}`, edits: [{ op: "delete", collection: "features", id: found.id }] });
    return true;
  }
  draw(ctx, camera) {
    const { grid } = this.view;
    if (!this.cells.length) {
      if (this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
      return;
    }
    const cells = this.tip >= 0 ? [...this.cells, ...grid.line(this.cells[this.cells.length - 1], this.tip).slice(1)] : this.cells;
    const points = cells.map((cell) => camera.toScreen(...grid.centre(cell)));
    ctx.save();
    ctx.globalAlpha = 0.85;
    if (points.length > 1) this.trace(ctx, points, camera.scale);
    ctx.restore();
    for (const [x, y] of [points[0], points[points.length - 1]]) {
      ctx.beginPath();
      ctx.arc(x, y, 5, 0, 7);
      ctx.fillStyle = "#fff";
      ctx.fill();
      ctx.lineWidth = 2.5;
      ctx.strokeStyle = ACCENT;
      ctx.stroke();
    }
  }
}

export class RoadTool extends PathTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "road", noun: "Road", title: "Road", letter: "p", icon: "road" });
  }
  record(id, path) { return { kind: "road", id, path, surface: this.view.options.surface, name: "" }; }
  trace(ctx, points, unit) { drawRoad(ctx, this.view.store.style, points, this.view.options.surface, unit); }
  panel(build) {
    build.choice("Surface", [["paved", "Paved"], ["unpaved", "Unpaved"]], this.view.options.surface, (value) => this.view.set("surface", value));
    build.hint("Drag through hexes, or click from hex to hex; a double click or Enter ends the road, Backspace takes a step back, Esc gives up. Delete removes the road under the pointer.");
  }
}

export class CrestTool extends PathTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "crest", noun: "Crest line", title: "Crest line", letter: "k", icon: "crest" });
  }
  record(id, path) { return { kind: "crest", id, path, name: "" }; }
  trace(ctx, points, unit) { drawCrest(ctx, this.view.store.style, points, unit); }
  panel(build) { build.hint("Drag through hexes, or click from hex to hex; a double click or Enter ends the line, Backspace takes a step back. Delete removes the line under the pointer."); }
}

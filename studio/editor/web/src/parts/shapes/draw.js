// Tools that draw: areas, walls, contours, freehand roads; and the line that splits an area.

import { area, figuresOf, inside } from "./figures.js";
import { PenTool } from "./pen.js";
import { ringsOf } from "./hexes.js";
import { outline, ticks, troubleSign } from "./sketching.js";
import { outlineCells } from "../../above.js";
import { h } from "../../ui/dom.js";

function chip(view, draw) {
  const d = view.dpr, el = h("canvas.wgs-swatch", { width: Math.round(34 * d), height: Math.round(26 * d), "aria-hidden": "true", style: { width: "34px", height: "26px" } }), ctx = el.getContext("2d");
  ctx.scale(d, d);
  ctx.fillStyle = "#efe9d8";
  ctx.fillRect(0, 0, 34, 26);
  draw(ctx);
  return el;
}
/** The look of a type: its own, or that of the kind whose name it begins with, such as outer for outer_wall. */
function lookOf(style, table, id) {
  const looks = style[table] || {}, near = Object.keys(looks).filter((name) => id.startsWith(name) || id.endsWith(name)).sort((m, n) => n.length - m.length)[0];
  return looks[id] || looks[near] || looks.default || {};
}
export function areaSwatch(view, id) {
  const look = lookOf(view.store.style, "areas", id);
  return chip(view, (ctx) => {
    ctx.beginPath();
    [[5, 5], [29, 5], [29, 14], [20, 14], [20, 21], [5, 21]].forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](x, y));
    ctx.closePath();
    ctx.globalAlpha = (look.opacity ?? 1000) / 1000;
    ctx.fillStyle = look.fill || "#d8cbb4";
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = look.edge || "#4b4138";
    ctx.lineWidth = Math.max(1, (look.width ?? 30) / 16);
    ctx.setLineDash((look.dash || []).map((n) => n / 24));
    ctx.stroke();
  });
}
export function wallSwatch(view, id) {
  const look = lookOf(view.store.style, "walls", id);
  return chip(view, (ctx) => {
    ctx.beginPath();
    ctx.moveTo(4, 18);
    ctx.lineTo(16, 9);
    ctx.lineTo(30, 9);
    ctx.lineJoin = "round";
    for (const [colour, width] of [[look.casing, look.casing_width], [look.color || "#4a4038", look.width || 44]]) {
      if (!colour) continue;
      ctx.strokeStyle = colour;
      ctx.lineWidth = Math.max(1.5, width / 16);
      ctx.stroke();
    }
  });
}

/** The label after this one: 12 after 11, B4 after B3; empty where it does not count. */
export function following(name) {
  const found = /^(.*?)([0-9]+)$/.exec(name);
  return found ? `${found[1]}${String(Number(found[2]) + 1).padStart(found[2].length, "0")}` : "";
}

export class AreaTool extends PenTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "area", title: "Area", lies: "area", ring: true, closable: true, cells: new Set(), name: "" });
    view.options.areaMode ||= "corners";
    view.options.overlap ||= "cut";
  }
  types() { return this.view.store.catalogue.area_types || []; }
  type() { return this.view.options.areaType || this.types()[0]?.id; }
  get hexes() { return this.view.options.areaMode === "hexes"; }
  get hole() { return this.view.options.areaMode === "hole"; }

  // -- a rectangle by a drag --------------------------------------------------------------------------------------------------

  dragShape(p, e) {
    this.tip = this.snapper.find(e.x, e.y, { alt: e.alt });
    const [x, y] = this.points[0], [u, v] = this.tip.at;
    this.box = x !== u && y !== v ? [[x, y], [u, y], [u, v], [x, v]] : null;
  }
  dragged() {
    if (this.box) this.points = this.box;
    this.box = null;
    if (this.points.length >= 3) this.commit(true);
  }

  // -- whole hexes ----------------------------------------------------------------------------------------------------------------

  down(e) {
    if (!this.hexes) { super.down(e); return; }
    if (e.cell < 0) return;
    this.trouble = null;
    this.taking = !this.cells.has(e.cell);
    this.painting = true;
    this.take(e.cell);
  }
  move(e) {
    if (!this.hexes) super.move(e);
    else if (this.painting && e.cell >= 0) this.take(e.cell);
  }
  take(cell) {
    const from = this.lastCell >= 0 && this.painting && this.moving ? this.view.grid.line(this.lastCell, cell) : [cell];
    from.forEach((one) => (this.taking ? this.cells.add(one) : this.cells.delete(one)));
    this.lastCell = cell;
    this.moving = true;
    this.changed();
  }
  up(e) {
    if (!this.hexes) super.up(e);
    this.painting = this.moving = false;
  }
  hover(e) {
    this.over = e ? e.cell : -1;
    if (this.hexes) this.tip = null;
    else super.hover(e);
  }
  back() {
    if (!this.hexes) return super.back();
    this.cells.delete([...this.cells].pop());
    this.changed();
    return true;
  }
  key(ev) { return this.hexes ? ev.key === "Backspace" && this.cells.size > 0 && this.back() : super.key(ev); }
  undoStep() { return this.hexes ? this.cells.size > 0 && this.back() : super.undoStep(); }
  remove() { return this.hexes ? this.cells.size > 0 && this.back() : super.remove(); }
  finish(e) {
    if (!this.hexes) { super.finish(e); return; }
    if (!this.cells.size) return;
    const rings = ringsOf(this.cells, this.view.grid), outer = rings.filter((ring) => area(ring) > 0), holes = rings.filter((ring) => area(ring) < 0);
    if (outer.length !== 1) {
      this.view.frame.showError({ message: `These hexes are ${outer.length} pieces; an area is one piece`, remedy: "Add the hexes between them, or take some away." });
      return;
    }
    this.outlined = { outer: outer[0], holes };
    this.points = outer[0];
    this.commit(true);
    this.outlined = null;
  }
  cancel() {
    this.cells = new Set();
    this.box = null;
    super.cancel();
  }
  restore(points, { cells }) {
    if (cells) this.cells = cells;
    else this.points = points;
  }

  made(points) {
    const { store } = this.view, id = store.freeId("area"), type = this.type(), holes = this.outlined?.holes || [], cells = this.outlined ? this.cells : null;
    if (this.hole) {
      const found = holder(this.view, points);
      if (!found) {
        this.view.frame.showError({ message: "This hole does not lie in an area", remedy: "Draw it inside the area that gets it, or choose that area first." });
        return null;
      }
      return { action: "hole", detail: { ids: [found.id], points }, touches: [found.id] };
    }
    if (!type) return null;
    const record = { kind: "area", id, type, outline: points, holes, name: this.name, dot: null, level: this.level || 0, within: "", tags: [] };
    this.cells = new Set();
    return { action: "area", detail: { id, kind_type: type, points, holes, name: this.name, level: this.level || 0, overlap: this.view.options.overlap }, record, touches: [id], holes, cells };
  }
  accepted(message) {
    if (!this.hole) this.name = following(this.name);
    super.accepted(message);
    this.view.frame.showOptions();
  }
  decorate(ctx) {
    const { view } = this;
    if (this.box) outline(ctx, view, [{ points: this.box, closed: true }], { fill: "rgba(0,114,178,0.16)" });
    if (!this.hexes) return;
    if (this.cells.size) outlineCells(ctx, view.grid, view.camera, this.cells, { colour: "#0072B2", width: 3 * view.dpr, fill: "rgba(0,114,178,0.18)" });
    if (this.over >= 0) outlineCells(ctx, view.grid, view.camera, [this.over]);
    if (this.trouble) troubleSign(ctx, view, this.trouble);
  }
  words() { return this.hexes ? (this.cells.size ? `${this.cells.size} hex${this.cells.size === 1 ? "" : "es"} of the area` : "") : super.words(); }

  panel(build) {
    const { view } = this, { options } = view;
    if (!this.hole) build.list("Type", this.types(), this.type(), (id) => areaSwatch(view, id), (id) => view.set("areaType", id));
    build.choice("Draw", [["corners", "Corners"], ["hexes", "Hexes"], ["hole", "Hole"]], options.areaMode, (value) => { this.cancel(); view.set("areaMode", value); });
    if (this.hole) {
      this.pen(build, "Draw the outline of a hole inside an area; a click on the first corner, a double click or Enter cuts it out.");
      return;
    }
    build.tool.append(h("label.wgs-field", {}, h("span", {}, "Over others"), h("select", { "aria-label": "Where it lies over others", "data-id": "overlap", style: { minWidth: 0, width: "9.5em" }, onchange: (ev) => view.set("overlap", ev.target.value) },
      ...[["cut", "cut the new one"], ["over", "cut the others"], ["refuse", "refuse"]].map(([value, name]) => h("option", { value, selected: value === options.overlap }, name)))));
    build.tool.append(h("label.wgs-field", {}, h("span", {}, "Name"), h("input", { type: "text", "aria-label": "Name of the next area", "data-id": "area-name", style: { width: "7em", flex: "0 1 auto" }, value: this.name, maxLength: 200, spellcheck: false, onchange: (ev) => { this.name = ev.target.value.trim(); } })));
    build.number("Level", this.level || 0, view.store.catalogue.levels[0], view.store.catalogue.levels[1], (value) => { this.level = value; });
    if (this.hexes) build.hint("Click or drag over hexes; a drag that begins on one of them takes them away. Enter or a double click draws the area along their sides, Backspace takes a hex back, Esc gives up. Space takes the hex at the cursor.");
    else this.pen(build, "Click corners; a click on the first, a double click or Enter closes the area. Drag for a rectangle.");
  }
}

/** The area that a line or a ring lies in, but for its ends: the chosen one, or the smallest. */
function holder(view, points) {
  const { kx, ky } = view.grid, figures = figuresOf(view.store), middle = [];
  for (let i = 1; i < points.length; i++) middle.push([(points[i - 1][0] + points[i][0]) / 2, (points[i - 1][1] + points[i][1]) / 2]);
  const held = figures.near(middle[0][0] * kx, middle[0][1] * ky, 0.01).filter(({ record }) => record.kind === "area" && middle.every(([x, y]) => inside(record, x, y))).sort((a, b) => a.size - b.size);
  return held.find(({ id }) => view.selection.has(id)) || held[0] || null;
}

export class WallTool extends PenTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "wall", title: "Wall", lies: "wall", closable: true });
  }
  types() { return this.view.store.catalogue.wall_types || []; }
  type() { return this.view.options.wallType || this.types()[0]?.id; }
  made(points, closed) {
    const id = this.view.store.freeId("wall"), line = closed ? [...points, points[0]] : points, type = this.type();
    return type ? { action: "line", detail: { kind: "wall", id, kind_type: type, points: line }, record: { kind: "wall", id, type, line, name: "" }, touches: [id] } : null;
  }
  panel(build) {
    build.list("Type", this.types(), this.type(), (id) => wallSwatch(this.view, id), (id) => this.view.set("wallType", id));
    this.pen(build, "Click corners; a double click or Enter ends the wall, a click on the first corner closes it. Drag for a line by hand.");
  }
}

export class ContourTool extends PenTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "contour", title: "Contour", lies: "contour", closable: true });
  }
  level() { return this.view.options.contourLevel ?? 1; }
  made(points, closed) {
    const id = this.view.store.freeId("contour"), line = closed ? [...points, points[0]] : points;
    return { action: "line", detail: { kind: "contour", id, level: this.level(), points: line }, record: { kind: "contour", id, level: this.level(), line }, touches: [id] };
  }
  decorate(ctx, points) { if (points.length > 1) ticks(ctx, this.view, points, higherLeft(this.view, points)); }
  panel(build) {
    const [low, high] = this.view.store.catalogue.levels;
    build.number("Level", this.level(), low, high, (value) => this.view.set("contourLevel", value));
    this.pen(build, "The level is that of the higher side. Click points, or drag for a line by hand; a click on the first closes the contour, a double click or Enter ends it, at the map's edge for one. Ticks point to the higher side.");
  }
}

/** Whether the ground left of a line, as it runs, is the higher: by the levels there, else inside of a ring. */
export function higherLeft(view, points) {
  const { grid, store } = view, { kx, ky } = grid;
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [px, py] = [points[i - 1][0] * kx, points[i - 1][1] * ky], [qx, qy] = [points[i][0] * kx, points[i][1] * ky], length = Math.hypot(qx - px, qy - py);
    if (!length) continue;
    const nx = (qy - py) / length, ny = -(qx - px) / length, mx = (px + qx) / 2, my = (py + qy) / 2;
    const at = (side) => { const cell = grid.cellAt(mx + side * nx * 0.6, my + side * ny * 0.6); return cell < 0 ? null : store.planes.levels[cell]; };
    const [left, right] = [at(1), at(-1)];
    if (left !== null && right !== null) sum += (left - right) * length;
  }
  return sum ? sum > 0 : area(points) < 0;
}

export class DrawnRoadTool extends PenTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "drawn-road", title: "Road by hand", lies: "road" });
  }
  made(points) {
    const id = this.view.store.freeId("road"), { surface } = this.view.options;
    return { action: "line", detail: { kind: "road", id, surface, points }, touches: [id] };
  }
  panel(build) {
    const { view } = this;
    build.choice("Surface", [["paved", "Paved"], ["unpaved", "Unpaved"]], view.options.surface, (value) => view.set("surface", value));
    this.pen(build, "Click points, or drag for a line by hand; a double click or Enter ends the road. It leads through the hexes that the line runs through.");
  }
}

export class SplitTool extends PenTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "split", title: "Split", lies: "area" });
  }
  made(points) {
    const found = holder(this.view, points);
    if (!found) {
      this.view.frame.showError({ message: "This line does not lie inside an area", remedy: "Begin at the border of the area, click through its inside, and end at its border." });
      return null;
    }
    return { action: "split", detail: { ids: [found.id], points }, touches: [found.id] };
  }
  decorate(ctx, points) {
    const found = points.length > 1 && holder(this.view, points);
    if (found) outline(ctx, this.view, found.strands, { width: 1.5, fill: "rgba(0,114,178,0.10)" });
  }
  panel(build) { this.pen(build, "Draw a line from border to border of an area; a double click or Enter cuts it. The part with the dot keeps the name."); }
}

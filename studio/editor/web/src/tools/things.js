// Place names, markers, and the eraser.

import { drawMarker, drawName } from "../look.js";
import { outlineCells } from "../above.js";

class ThingTool {
  constructor(view) {
    this.view = view;
    this.group = "things";
  }
  fits(catalogue) { return catalogue.feature_kinds.includes(this.id) && (this.id !== "marker" || catalogue.marker_types.length > 0); }
  put(record, title) { this.view.store.apply({ op: "batch", title, edits: [{ op: "put", collection: "features", record }] }); }
  startMove(e, record) {
    const [x, y] = this.view.store.features.get(record.id).points[0];
    this.moving = { record, dx: x - e.x, dy: y - e.y, x, y, from: [e.px, e.py], moved: false };
  }
  move(e) {
    const m = this.moving;
    if (!m) return;
    if (!m.moved && Math.hypot(e.px - m.from[0], e.py - m.from[1]) < 5) return;
    if (!m.moved) this.hide(m.record.id);
    m.moved = true;
    m.x = e.x + m.dx;
    m.y = e.y + m.dy;
  }
  hide(id) {
    const { stage, store } = this.view;
    stage.features.hidden = id;
    const box = store.featureBoxes.box(id || this.moving?.record.id);
    if (box) stage.featuresChanged([box]);
  }
  cancel() {
    if (this.moving?.moved) this.hide(null);
    this.moving = null;
  }
  remove(e) {
    const found = this.view.featureAt(e.x, e.y, [this.id]);
    if (!found) return false;
    this.view.store.apply({ op: "batch", title: `Remove ${this.id}`, edits: [{ op: "delete", collection: "features", id: found.id }] });
    return true;
  }
}

export class NameTool extends ThingTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "name", title: "Place name", letter: "t", icon: "text", cursor: "text", size: 0.45 });
  }
  down(e) {
    const found = this.view.featureAt(e.x, e.y, ["name"]);
    if (found && e.keyboard) this.edit(found);
    else if (found) this.startMove(e, found);
    else if (e.cell >= 0) this.place = e;
  }
  up(e) {
    const m = this.moving, { grid } = this.view;
    this.moving = null;
    if (m?.moved) {
      this.view.stage.features.hidden = null;
      this.put({ ...m.record, at: [Math.round(m.x / grid.kx), Math.round(m.y / grid.ky)] }, "Move name");
    } else if (m) this.edit(m.record);
    else if (this.place) {
      this.place = null;
      this.ask(e, "", (text) => this.put({
        kind: "name", id: this.view.store.freeId("name"), text, at: [Math.round(e.x / grid.kx), Math.round(e.y / grid.ky)], size: this.size, angle: 0,
      }, `Name ${text}`));
    }
  }
  edit(record) {
    const [x, y] = this.view.store.features.get(record.id).points[0], [px, py] = this.view.camera.toScreen(x, y);
    this.ask({ px, py }, record.text, (text) => this.put({ ...record, text }, `Rename to ${text}`), () => this.view.store.apply({
      op: "batch", title: "Remove name", edits: [{ op: "delete", collection: "features", id: record.id }],
    }));
  }
  ask(e, text, done, emptied = null) {
    this.view.frame.askText(e.px / this.view.dpr, e.py / this.view.dpr, text, (value) => {
      if (value.trim() && value !== text) done(value.trim());
      else if (!value.trim() && emptied) emptied();
    });
  }
  draw(ctx, camera) {
    const m = this.moving;
    if (!m?.moved) return;
    const [x, y] = camera.toScreen(m.x, m.y);
    ctx.globalAlpha = 0.8;
    drawName(ctx, this.view.store.style, m.record, x, y, camera.scale);
    ctx.globalAlpha = 1;
  }
  panel(build) {
    build.choice("Size", [["0.3", "Small"], ["0.45", "Middle"], ["0.7", "Large"], ["1.1", "Region"]], String(this.size), (value) => { this.size = Number(value); this.view.frame.showOptions(); });
    build.hint("Click where the name goes and type; Enter sets it. Click a name to change it, drag to move it, Delete removes it.");
  }
}

export class MarkerTool extends ThingTool {
  constructor(view) {
    super(view);
    Object.assign(this, { id: "marker", title: "Marker", letter: "m", icon: "marker" });
  }
  types() { return this.view.store.catalogue.marker_types; }
  type() { return this.view.options.marker || this.types()[0]?.id; }
  down(e) {
    const found = this.view.featureAt(e.x, e.y, ["marker"]);
    if (found && !e.keyboard) this.startMove(e, found);
    else if (e.cell >= 0 && this.type()) this.place(e.cell);
  }
  place(cell) {
    const { store } = this.view, at = store.labels.of(cell), type = this.type();
    for (const { record } of store.features.values()) if (record.kind === "marker" && record.at === at && record.type === type) return;
    this.put({ kind: "marker", id: store.freeId("marker"), type, at }, `Place ${type}`);
  }
  up(e) {
    const m = this.moving;
    this.moving = null;
    if (!m?.moved) return;
    this.view.stage.features.hidden = null;
    if (e.cell < 0) this.view.stage.featuresChanged([this.view.store.featureBoxes.box(m.record.id)]);
    else this.put({ ...m.record, at: this.view.store.labels.of(e.cell) }, `Move ${m.record.type}`);
  }
  hover(e) { this.over = e ? e.cell : -1; }
  leave() { this.over = -1; }
  draw(ctx, camera) {
    const { grid, store } = this.view, m = this.moving;
    if (m?.moved) {
      const cell = grid.cellAt(m.x, m.y);
      if (cell >= 0) outlineCells(ctx, grid, camera, [cell]);
      drawMarker(ctx, store.style, m.record.type, ...camera.toScreen(m.x, m.y), camera.scale);
    } else if (this.over >= 0 && this.type()) {
      ctx.globalAlpha = 0.5;
      drawMarker(ctx, store.style, this.type(), ...camera.toScreen(...grid.centre(this.over)), camera.scale);
      ctx.globalAlpha = 1;
      outlineCells(ctx, grid, camera, [this.over]);
    }
  }
  panel(build) {
    build.markers();
    build.hint("Click a hex to place the marker; drag one to move it; Delete removes it.");
  }
}

export class Eraser {
  constructor(view) {
    this.view = view;
    Object.assign(this, { id: "eraser", title: "Eraser", letter: "e", icon: "eraser", group: "things" });
  }
  down(e) {
    this.erasing = true;
    this.gone = [];
    this.seen = new Set();
    this.take(e);
  }
  move(e) {
    this.hover(e);
    if (this.erasing) this.take(e);
  }
  hover(e) {
    this.target = e ? this.view.featureAt(e.x, e.y, ["marker", "name", "road", "crest", "contour"]) : null;
    this.near = e && !this.target && e.side && this.view.store.kindsOf(e.side.a, e.side.b).length ? e.side : null;
  }
  take(e) {
    this.hover(e);
    if (this.target && !this.seen.has(this.target.id)) {
      this.seen.add(this.target.id);
      this.gone.push({ op: "delete", collection: "features", id: this.target.id });
    } else if (this.near && !this.seen.has(`${this.near.a},${this.near.b}`)) {
      this.seen.add(`${this.near.a},${this.near.b}`);
      this.gone.push({ op: "set_side", a: this.near.a, b: this.near.b, kinds: [] });
    }
  }
  up() {
    this.erasing = false;
    if (this.gone?.length) this.view.store.apply({ op: "batch", title: "Erase", edits: this.gone });
    this.gone = [];
    this.target = this.near = null;
  }
  cancel() {
    this.erasing = false;
    this.gone = [];
  }
  leave() { this.target = this.near = null; }
  draw(ctx, camera) {
    const { store } = this.view, boxes = [];
    for (const id of [this.target?.id, ...(this.gone || []).map((edit) => edit.id)]) {
      const entry = id && store.features.get(id);
      if (entry) boxes.push(entry.points);
    }
    for (const key of [this.near && `${this.near.a},${this.near.b}`, ...(this.gone || []).map((edit) => `${edit.a},${edit.b}`)]) {
      const side = key && store.sides.get(key);
      if (side) boxes.push([side.p, side.q]);
    }
    ctx.strokeStyle = "rgba(213,94,0,0.85)";
    ctx.lineCap = ctx.lineJoin = "round";
    for (const points of boxes) {
      ctx.beginPath();
      points.forEach(([x, y], i) => ctx[i ? "lineTo" : "moveTo"](...camera.toScreen(x, y)));
      if (points.length === 1) ctx.arc(...camera.toScreen(...points[0]), camera.scale * 0.36, 0, 7);
      ctx.lineWidth = Math.max(4, camera.scale * 0.12);
      ctx.stroke();
    }
  }
  panel(build) { build.hint("Click or drag over markers, names, roads, crest lines and hexsides to remove them. Terrain is not erased: paint another one over it."); }
}

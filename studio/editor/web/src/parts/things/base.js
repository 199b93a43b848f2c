// What the tools for things have in common: they put records, move them, and ask Python what only it knows.

import { ACCENT, stroke } from "../../above.js";
import { drawName } from "../../look.js";
import { h } from "../../ui/dom.js";
import { lattice, lineOf, thingAt, world } from "./spots.js";

export class ThingTool {
  constructor(view, about) {
    Object.assign(this, { view, group: "things", over: null }, about);
  }
  get store() { return this.view.store; }
  /** Hear what Python answers, as long as this is the tool in hand and the question came from this page. */
  hear(type, answer) {
    this.view.unsubscribe.push(this.store.on(type, ({ message, buffers }) => {
      if (this.view.tool === this && message.client === this.store.client) answer(message, buffers);
    }));
  }
  /** What Python said of the game's things. */
  get game() { return this.store.things || { places: [], apertures: [], links: [], markers: [], winds: [] }; }
  lattice(x, y) { return lattice(this.store, x, y); }
  world(point) { return world(this.store, point); }
  screen(point) { return this.view.camera.toScreen(...point); }

  put(record, title) { this.store.apply({ op: "batch", title, edits: [{ op: "put", collection: "features", record }] }); }
  request(type, detail, record = null) {
    this.store.request(type, detail, record && { op: "put", collection: "features", record }, record ? [record.id] : []);
  }
  /** What is pointed at, of some kinds; nothing of a locked layer. */
  at(e, kinds = [this.id]) { return thingAt(this.store, e.x, e.y, kinds, this.view.stage.layers); }
  remove(e) {
    const found = this.at(e);
    if (!found) return false;
    this.store.request("erase", { ids: [found.id], sides: [] }, { op: "delete", collection: "features", id: found.id }, [found.id]);
    this.over = null;
    return true;
  }
  /** The label of a location as it is said: cut, for labels may be long. */
  said(label) { return label.length > 40 ? `${label.slice(0, 39)}…` : label; }

  // -- dragging ---------------------------------------------------------------------------------------------------------

  startMove(e, record) {
    const [x, y] = lineOf(this.store, this.store.features.get(record.id))[0] || [e.x, e.y];
    this.moving = { record, dx: x - e.x, dy: y - e.y, x, y, from: [e.px, e.py], moved: false };
  }
  drag(e) {
    const m = this.moving;
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
  /** The end of a drag: what was moved, with where it is, or null when it was a mere press. */
  dropped() {
    const m = this.moving;
    this.moving = null;
    if (m?.moved) this.view.stage.features.hidden = null;
    return m;
  }
  putBack(m) {
    const box = this.store.featureBoxes.box(m.record.id);
    if (box) this.view.stage.featuresChanged([box]);
  }
  move(e) { if (this.moving) this.drag(e); }
  hover(e) { this.over = e ? this.at(e) : null; }
  leave() { this.over = null; }
  cancel() {
    if (this.moving?.moved) this.hide(null);
    this.moving = null;
  }

  // -- drawing ----------------------------------------------------------------------------------------------------------

  ring(ctx, point, radius = 0.22, colour = ACCENT) {
    const [x, y] = this.screen(point);
    ctx.beginPath();
    ctx.arc(x, y, Math.max(6, radius * this.view.camera.scale), 0, 7);
    stroke(ctx, 2.5, colour, 5, "rgba(255,255,255,0.9)");
  }
  spot(ctx, point, colour = ACCENT) {
    const [x, y] = this.screen(point);
    ctx.beginPath();
    ctx.arc(x, y, 5, 0, 7);
    ctx.fillStyle = "#fff";
    ctx.fill();
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = colour;
    ctx.stroke();
  }
  /** Words beside a point, in the letters of the map. */
  caption(ctx, text, point, dy = -18) {
    const [x, y] = this.screen(point);
    drawName(ctx, this.store.style, { text: this.said(text), size: 1, angle: 0 }, x, y + dy, 15);
  }

  // -- options ----------------------------------------------------------------------------------------------------------

  /** A list of types with what was chosen; the first is chosen at first. */
  types(build, label, list, swatch) {
    build.list(label, list, this.type(), swatch, (id) => { this.chosen = id; this.changed(); });
  }
  list() { return []; }
  type() { return this.list().some((one) => one.id === this.chosen) ? this.chosen : this.list()[0]?.id; }
  typeName(id = this.type()) { return this.list().find((one) => one.id === id)?.name || id || ""; }
  changed() {
    this.view.frame.showOptions();
    this.view.stage.redraw(2);
  }
  field(build, label, value, done, props = {}) {
    const input = h("input", { type: "text", "aria-label": label, value, spellcheck: false, autocomplete: "off", style: { minWidth: 0, flex: 1, width: "100%" }, onchange: (ev) => done(ev.target.value), ...props });
    build.tool.append(h("label.wgs-field", {}, h("span", {}, label), input));
    return input;
  }
  check(build, label, value, done) {
    build.tool.append(h("label.wgs-check", {}, h("input", { type: "checkbox", checked: value, "aria-label": label, onchange: (ev) => done(ev.target.checked) }), h("span", {}, label)));
  }
  button(build, label, onclick, props = {}) { build.tool.append(h("div.wgs-row", {}, h("button.wgs-plain", { type: "button", onclick, ...props }, label))); }
  /** A patch in the colour that a type has on the map. */
  chip(table, colour) {
    const looks = this.store.style[table] || {};
    return (id) => h("i.wgs-chip", { style: { background: (looks[id] || looks.default)?.color || (looks[id] || looks.default)?.fill || colour } });
  }
}

// The sight tool: press on A, move; the line follows the pointer at once, grey until the verdict arrives. Then its colour,
// its pattern and the numbered contacts say what the list of reasons says. Ends are locations: hexes, rooms, roofs, boxes, roads.

import { bytesOf } from "../store.js";
import { drawDisc, drawSightLine, drawTag, markPlace, openRing, VERDICT } from "../above.js";

const WORDS = { clear: "✓ clear", hindered: "≈ hindered", blocked: "✕ blocked" };
const BUSY = 600; // ms after which the panel says that the answer is waited for

export class SightTool {
  constructor(view) {
    Object.assign(this, { view, id: "sight", title: "Line of sight", letter: "s", icon: "eye", group: "look", cursor: "crosshair", a: null, b: null, held: false, open: null, result: null, field: false, known: new Map() });
  }
  fits(catalogue) { return catalogue.sight; }
  get places() { return this.view.store.places; }

  /** The location that an event means; with Alt the next one that is stacked there. */
  at(e) {
    if (!e) return null;
    if (e.keyboard) return e.place || this.places.hex(e.cell);
    const all = this.places.stack(e.x, e.y);
    return (e.alt && all[1]) || all[0] || null;
  }
  down(e) {
    let at = this.at(e);
    if (!at) return;
    if (e.shift) {
      this.observe(at);
      return;
    }
    if (e.keyboard && this.a) {
      this.aim(at);
      this.held = !!this.b; // B stays where Space put it
      return;
    }
    if (this.a && !this.b) {
      // A second press on A means what is stacked upon it.
      const all = this.places.stack(e.x, e.y), n = all.findIndex((one) => one.label === this.a.label);
      if (n >= 0) at = all[(n + 1) % all.length];
    }
    this.start(at);
  }
  start(at) {
    Object.assign(this, { a: at, b: null, held: false, result: null });
    this.show();
    if (this.field) this.askField();
  }
  move(e) { this.aim(this.at(e)); }
  up(e) {
    if (!e.keyboard) this.held = !!this.b && this.at(e)?.label === this.b.label;
    this.let = performance.now();
    this.show();
  }
  hover(e) {
    this.over = this.at(e);
    if (!this.held) this.aim(this.over);
  }
  /** Enter: sets A, then B; a third one begins anew. */
  finish(e) {
    const at = this.at(e);
    if (!at || (!e.keyboard && performance.now() - this.let < 50)) return; // a double click has pressed already
    if (!this.a || this.held) this.start(at);
    else if (at.label !== this.a.label) this.fix(at);
  }
  fix(at) {
    this.aim(at);
    this.held = true;
    this.show();
  }
  aim(at) {
    if (!this.a || !at || at.label === this.b?.label) return;
    this.b = at.label === this.a.label ? null : at;
    this.renew();
  }
  renew() {
    this.result = (this.b && this.known.get(this.key2)) || null;
    if (this.b && !this.result) this.ask();
    this.show();
  }
  get key2() { return `${this.a.label}\n${this.b.label}`; }
  /** An end typed by name. */
  type(end, text) {
    const at = this.places.find(text);
    if (!at) return false;
    if (end === "a") {
      const { b } = this;
      this.start(at);
      if (b && b.label !== at.label) this.fix(b);
    } else if (this.a) this.fix(at);
    this.view.reveal(at);
    return true;
  }

  /** One question at a time, so that no queue grows behind the pointer; the newest one follows the answer. */
  ask() {
    this.asked = performance.now();
    if (this.open) return;
    this.open = this.asked;
    this.view.store.ask("sight", { a: this.a.label, b: this.b.label });
    clearTimeout(this.waits);
    this.waits = setTimeout(() => this.show(), BUSY);
  }
  answer({ a, b, result }) {
    const key = `${a}\n${b}`, { stale } = this;
    this.open = null;
    this.stale = false;
    if (result && !stale) {
      if (this.known.size > 2000) this.known.clear();
      this.known.set(key, result);
    }
    if (!this.b) return;
    if (stale || key !== this.key2) {
      if (stale || !this.result) this.ask();
    } else if (result) {
      this.result = result;
      this.latency = performance.now() - this.asked;
      this.show();
    } // else it went wrong, and the message bar says why
  }
  /** The map or the ruling changed: every verdict is asked anew. The old one stays to be read until then. */
  refresh(option) {
    if (option) return;
    this.known.clear();
    this.stale = !!this.open; // the answer under way is one about the map before
    for (const end of ["a", "b"]) if (this[end]) this[end] = this.there(this[end].label);
    if (this.a && this.b) this.ask();
    else if (this.result || this.b || !this.a) {
      // An end is gone from the map: a line without it is none.
      Object.assign(this, { b: null, held: false, result: null });
      if (!this.a) this.view.stage.setShade(null);
      this.show();
    }
    if (this.field && this.a) this.askField();
  }
  there(label) {
    const at = this.places.find(label);
    return at?.label === label ? at : null;
  }
  key(ev) {
    const act = { x: () => this.swap(), v: () => this.toggleField(), q: () => this.observe(this.b || this.a || this.over) }[ev.key.toLowerCase()];
    act?.();
    return !!act;
  }
  swap() {
    if (!this.b) return;
    [this.a, this.b] = [this.b, this.a];
    this.held = true;
    this.renew();
    if (this.field) this.askField();
  }
  /** One more of those that look, or one fewer; the panel of answers lists them. */
  observe(at) { if (at) this.view.frame.desk.act("sight", "observe", { label: at.label }); }
  toggleField(on = !this.field) {
    this.field = on;
    if (!on) this.view.stage.setShade(null);
    else if (this.a) this.askField();
    this.show();
  }
  askField() { this.view.store.ask("view", { a: this.a.label }); }
  shade({ a }, buffers) {
    if (!this.field || a !== this.a?.label) return;
    const codes = Uint8Array.from(bytesOf(buffers[0]));
    this.counts = codes.reduce((n, v) => { n[v]++; return n; }, [0, 0, 0, 0]);
    this.view.stage.setShade(codes);
    this.show();
  }
  cancel() {
    Object.assign(this, { a: null, b: null, held: false, result: null, marked: null });
    this.view.stage.setShade(null);
    this.show();
  }
  leave() { this.over = this.marked = null; }
  /** A fixed line stays on the map while another tool draws, so that one sees what comes of it. */
  get keeps() { return this.held && !!this.b; }
  show() {
    this.view.stage.redraw(2);
    if (this.view.tool === this) this.view.frame.showSight(this);
  }
  get busy() { return !!this.open && performance.now() - this.open >= BUSY - 5; }
  get distance() { return this.a.kind === "hex" && this.b?.kind === "hex" ? this.view.grid.distance(this.a.cell, this.b.cell) : 0; }
  get shaded() { return this.field && this.view.stage.shade.plane; }

  /** Reasons that bear on the verdict, in their order; what was passed over is listed apart. */
  get telling() { return this.result ? this.result.reasons.filter((reason) => reason.effect !== "passes") : []; }
  mark(reason) {
    this.marked = reason;
    this.view.stage.redraw(2);
  }
  goTo({ t, spot }) {
    const { kx, ky } = this.view.grid, way = this.result?.way, [p, q] = [way?.[0], way?.[way.length - 1]];
    const at = spot || (typeof t === "number" && p ? [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t] : null);
    if (at) this.view.goToPoint(at[0] * kx, at[1] * ky);
  }

  draw(ctx, camera, told = false) {
    const { view, a, b, result } = this, { kx, ky } = view.grid, unit = camera.scale, screen = ([x, y]) => camera.toScreen(x * kx, y * ky);
    if (!a) {
      if (this.over) markPlace(ctx, view, this.over);
      return;
    }
    const verdict = result ? result.status : "waiting", ringed = { colour: VERDICT[verdict], width: 2.5 };
    for (const id of result?.areas || []) markPlace(ctx, view, { kind: "area", id }, ringed);
    markPlace(ctx, view, a, { colour: "#56B4E9", width: 2.5 });
    if (b) markPlace(ctx, view, b, ringed);
    if (this.marked) view.store.places.named(this.marked.at).forEach((one) => markPlace(ctx, view, one, { colour: "#F0E442", width: 4 }));
    let p = camera.toScreen(a.x, a.y);
    const radius = Math.max(8, Math.min(13, unit * 0.2));
    if (b) {
      const way = result ? result.way.map(screen) : [p, camera.toScreen(b.x, b.y)], apart = result?.zonal && verdict === "blocked";
      p = way[0];
      drawSightLine(ctx, way, apart ? "apart" : verdict, result ? Math.max(0.02, Math.min(0.98, result.stop ?? 0.5)) : 1, unit);
      if (result) this.contacts(ctx, way, result, radius * 0.85, screen);
      const [x, y] = way[way.length - 1];
      drawDisc(ctx, x, y, "B", radius, "#1f2430");
      if (told && result) drawTag(ctx, x, y - radius * 2, WORDS[verdict], VERDICT[verdict]);
    }
    drawDisc(ctx, ...p, "A", radius, "#1f2430");
  }

  /** Where the line enters what it meets; openings; and reasons in their order: a disc beside the line where each one lies. */
  contacts(ctx, way, result, radius, screen) {
    const [p, q] = [way[0], way[way.length - 1]], length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1, nx = -(q[1] - p[1]) / length, ny = (q[0] - p[0]) / length, taken = [];
    for (const t of result.met) if (t > 0 && t < 1) openRing(ctx, p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t, 2.2);
    for (const [x, y, used] of result.openings) openRing(ctx, ...screen([x, y]), used ? radius * 0.8 : radius * 0.5, used ? VERDICT.clear : "#6b6f76");
    this.telling.forEach(({ t, spot, blocks }, i) => {
      if (t === null && !spot) return;
      const [x, y] = t === null ? screen(spot) : [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t], up = ny > 0 ? -1 : 1;
      let side = radius * 2.1;
      while (taken.some(([u, v, s]) => Math.hypot(u - x, v - y) < radius * 2.1 && s === side)) side += radius * 2.1;
      taken.push([x, y, side]);
      drawDisc(ctx, x + nx * side * up, y + ny * side * up, String(i + 1), radius, blocks ? VERDICT.blocked : "#3b4252");
    });
  }
  panel(build) { build.sightOf(this); }
}

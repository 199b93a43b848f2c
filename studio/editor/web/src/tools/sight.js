// The sight tool: press on A, move; the line follows the pointer at once, grey until the verdict arrives. Then its colour,
// its pattern and the numbered contacts say what the list of reasons says.

import { bytesOf } from "../store.js";
import { drawDisc, drawSightLine, outlineCells, VERDICT } from "../above.js";

const LOST = 3000; // ms after which an answer is no longer waited for

export class SightTool {
  constructor(view) {
    this.view = view;
    Object.assign(this, { id: "sight", title: "Line of sight", letter: "s", icon: "eye", group: "look", cursor: "crosshair", a: -1, b: -1, held: false, asked: 0, open: -Infinity, result: null, field: false, known: new Map() });
  }
  fits(catalogue) { return catalogue.sight; }
  down(e) {
    if (e.cell < 0) return;
    if (e.keyboard && this.a >= 0) {
      this.aim(e.cell);
      this.held = this.b >= 0; // B stays where Space put it
      return;
    }
    this.start(e.cell);
  }
  start(cell) {
    this.a = cell;
    this.b = -1;
    this.held = false;
    this.result = null;
    this.show();
    if (this.field) this.askField();
  }
  move(e) { if (e.cell >= 0) this.aim(e.cell); }
  up(e) {
    if (!e.keyboard) this.held = this.b >= 0 && e.cell === this.b && this.b !== this.a;
    this.show();
  }
  hover(e) {
    if (this.a >= 0 && !this.held && e && e.cell >= 0) this.aim(e.cell);
    this.over = e ? e.cell : -1;
  }
  /** Enter: sets A, then B; a third one begins anew. */
  finish(e) {
    if (!e || e.cell < 0) return;
    if (this.a < 0 || this.held) this.start(e.cell);
    else if (e.cell !== this.a) {
      this.aim(e.cell);
      this.held = true;
      this.show();
    }
  }
  aim(cell) {
    if (this.a < 0 || cell === this.b) return;
    this.b = cell === this.a ? -1 : cell;
    this.result = this.b < 0 ? null : this.known.get(`${this.a},${this.b}`) || null;
    if (this.b >= 0 && !this.result) this.ask();
    else this.show();
  }
  /** One question at a time: a slow answer must not let a queue grow behind the pointer. */
  ask() {
    const now = performance.now();
    this.asked = now;
    if (now - this.open < LOST) return;
    this.open = now;
    this.view.store.ask("sight", { a: this.a, b: this.b });
    clearTimeout(this.retry);
    this.retry = setTimeout(() => { if (this.a >= 0 && this.b >= 0 && !this.result && this.open > -Infinity) this.ask(); }, LOST + 50);
  }
  answer({ a, b, result }) {
    this.open = -Infinity;
    if (!result) return; // it went wrong, and the message bar says why

    if (this.known.size > 4000) this.known.clear();
    this.known.set(`${a},${b}`, result);
    if (a !== this.a || b !== this.b) {
      if (this.a >= 0 && this.b >= 0 && !this.result) this.ask();
      return;
    }
    this.result = result;
    this.latency = performance.now() - this.asked;
    this.show();
  }
  /** The map changed: every verdict is asked anew. */
  refresh(option) {
    if (option) return;
    this.known.clear();
    if (this.a >= 0 && this.b >= 0) this.ask();
    if (this.field && this.a >= 0) this.askField();
  }
  key(ev) {
    if (ev.key === "x" || ev.key === "X") this.swap();
    else if (ev.key === "v" || ev.key === "V") this.toggleField();
    else return false;
    return true;
  }
  swap() {
    if (this.b < 0) return;
    [this.a, this.b] = [this.b, this.a];
    this.held = true;
    this.result = this.known.get(`${this.a},${this.b}`) || null;
    if (!this.result) this.ask();
    if (this.field) this.askField();
    this.show();
  }
  toggleField(on = !this.field) {
    this.field = on;
    if (!on) this.view.stage.setShade(null);
    else if (this.a >= 0) this.askField();
    this.show();
  }
  askField() { this.view.store.ask("view", { a: this.a }); }
  shade({ a }, buffers) {
    if (!this.field || a !== this.a) return;
    const plane = Uint8Array.from(bytesOf(buffers[0]));
    this.counts = plane.reduce((n, v) => { n[v]++; return n; }, [0, 0, 0, 0]);
    this.view.stage.setShade(plane);
    this.show();
  }
  cancel() {
    this.a = this.b = -1;
    this.held = false;
    this.result = null;
    this.view.stage.setShade(null);
    this.show();
  }
  leave() { this.over = -1; }
  show() {
    this.view.stage.redraw(2);
    if (this.view.tool === this) this.view.frame.showSight(this.summary());
  }

  /** Reasons that bear on the verdict, in their order; what was passed over is listed apart. */
  get telling() { return this.result ? this.result.reasons.filter((reason) => reason.effect !== "passes") : []; }

  /** What the panel says, as data. */
  summary() {
    const { labels } = this.view.store, name = (cell) => (cell >= 0 ? labels.of(cell) : null);
    return { a: name(this.a), b: name(this.b), distance: this.b >= 0 ? this.view.grid.distance(this.a, this.b) : 0, held: this.held, result: this.result, field: this.field, counts: this.field && this.view.stage.shade.plane ? this.counts : null };
  }

  draw(ctx, camera) {
    const { grid } = this.view, unit = camera.scale;
    if (this.a < 0) {
      if (this.over >= 0) outlineCells(ctx, grid, camera, [this.over]);
      return;
    }
    outlineCells(ctx, grid, camera, [this.a], { colour: "#56B4E9", width: 2.5 });
    const p = camera.toScreen(...grid.centre(this.a)), radius = Math.max(8, Math.min(13, unit * 0.2));
    if (this.b >= 0) {
      const q = camera.toScreen(...grid.centre(this.b)), { result } = this;
      const verdict = result ? result.status : "waiting";
      outlineCells(ctx, grid, camera, [this.b], { colour: VERDICT[verdict], width: 2.5 });
      drawSightLine(ctx, p, q, verdict, result ? stopOf(result) : 1, unit);
      if (result) this.contacts(ctx, p, q, result, radius * 0.85);
      drawDisc(ctx, ...q, "B", radius, "#1f2430");
    }
    drawDisc(ctx, ...p, "A", radius, "#1f2430");
  }

  /** Reasons in their order: a disc beside the line where each one lies. */
  contacts(ctx, p, q, result, radius) {
    const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1, nx = -(q[1] - p[1]) / length, ny = (q[0] - p[0]) / length, taken = [];
    this.telling.forEach((reason, i) => {
      if (typeof reason.t !== "number" || reason.t <= 0 || reason.t >= 1) return;
      let side = radius * 2.1;
      while (taken.some(([t, s]) => Math.abs(t - reason.t) * length < radius * 2.1 && s === side)) side += radius * 2.1;
      taken.push([reason.t, side]);
      const up = ny > 0 ? -1 : 1;
      drawDisc(ctx, p[0] + (q[0] - p[0]) * reason.t + nx * side * up, p[1] + (q[1] - p[1]) * reason.t + ny * side * up, String(i + 1), radius, reason.blocks ? VERDICT.blocked : "#3b4252");
    });
  }
  panel(build) { build.sightOf(this); }
}

/** Where on the line it is blocked, 0 to 1. */
function stopOf(result) {
  return typeof result.stop === "number" ? Math.max(0.02, Math.min(0.98, result.stop)) : 0.5;
}

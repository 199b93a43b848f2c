// Openings: apertures and breaches. The first press sets the point on the wall, the next ones the arrows of its arc of fire.

import { ACCENT, outlineCells, stroke } from "../../above.js";
import { bytesOf } from "../../store.js";
import { segmentDistance } from "../../grid.js";
import { ThingTool } from "./base.js";

const REACH = 0.75, RED = "#c4161c", FAR = 4; // how far a wall may be; how far an arrow is followed, in hexes
let asked = 0;

export class OpeningTool extends ThingTool {
  constructor(view) {
    super(view, { id: "aperture", lies: "aperture", title: "Opening", letter: "o", icon: "opening", count: 2, open: null, hit: null, drawn: null, cells: [] });
    this.hear("wall", (message) => this.found(message));
    this.hear("arrows", (message) => this.offered(message));
    this.hear("arc", (message, buffers) => {
      if (message.key !== this.arcKey) return;
      this.cells = [...new Uint32Array(bytesOf(buffers[0]).slice().buffer)];
      this.view.stage.redraw(2);
    });
  }
  list() { return this.game.apertures; }
  isOpen() { return this.open ?? !/breach/.test(this.list().find((one) => one.id === this.type())?.sight || ""); }

  // -- the point on the wall ----------------------------------------------------------------------------------------------

  ask(e, press = 0) {
    const [x, y] = this.lattice(e.x, e.y);
    this.store.ask("wall", { kind: this.moving?.record.type || this.type(), x, y, reach: REACH, press });
  }
  found(message) {
    if (this.drawn) return;
    if (message.press && message.press !== this.press) return;
    this.hit = message.found;
    if (message.press) {
      this.press = 0;
      if (this.moving?.record) this.settle();
      else if (this.hit) this.begin(this.hit.at, this.hit.into, this.again);
      else this.view.frame.say("No wall is near enough: point at a facade or an outer wall");
    }
    this.view.stage.redraw(2);
  }
  begin(at, into, record = null) {
    this.again = null;
    this.drawn = { at, into: [...into], chosen: into[0], options: [], arrows: [], now: null, record };
    this.cells = [];
    this.offer();
    this.changed();
    this.view.frame.say(`Opening of ${this.said(into[0])}: set its arrows`);
  }
  offer() {
    const { at, chosen } = this.drawn;
    this.store.ask("arrows", { x: at[0], y: at[1], into: chosen });
  }
  offered({ at, into, options }) {
    const d = this.drawn;
    if (!d || into !== d.chosen || at[0] !== d.at[0] || at[1] !== d.at[1]) return;
    d.options = options.map((one) => {
      const begin = this.world(one.begin), [dx, dy] = this.world(one.step), length = Math.hypot(dx, dy);
      return { ...one, begin, way: [dx / length, dy / length] };
    });
    d.options.sort((p, q) => Math.atan2(p.way[1], p.way[0]) - Math.atan2(q.way[1], q.way[0]));
    if (this.last) this.aim(this.last);
    this.view.stage.redraw(2);
  }

  // -- the arrows -----------------------------------------------------------------------------------------------------------

  /** The arrow that runs nearest to the pointer, of those the one whose line comes nearest to the opening. */
  aim(e) {
    const d = this.drawn, at = this.world(d.at);
    this.last = { x: e.x, y: e.y };
    let best = null, least = Infinity;
    for (const one of d.options) {
      const end = [one.begin[0] + one.way[0] * FAR, one.begin[1] + one.way[1] * FAR];
      const from = Math.abs((at[0] - one.begin[0]) * one.way[1] - (at[1] - one.begin[1]) * one.way[0]);
      const away = segmentDistance(e.x, e.y, one.begin, end) + 0.5 * from + 0.15 * Math.hypot(at[0] - one.begin[0], at[1] - one.begin[1]);
      if (away < least) { least = away; best = one; }
    }
    this.choose(best);
  }
  choose(option) {
    const d = this.drawn;
    if (d.now === option) return;
    d.now = option;
    this.shade();
  }
  shade() {
    const d = this.drawn, arrows = this.labels();
    this.arcKey = `${d.at} ${d.chosen} ${arrows.join("|")}`;
    if (arrows.length) this.store.ask("arc", { key: this.arcKey, x: d.at[0], y: d.at[1], into: d.chosen, arrows });
    else this.cells = [];
    this.view.stage.redraw(2);
  }
  /** The arrows as they would be: those set, and the one that is aimed. */
  labels() {
    const { arrows, now } = this.drawn, all = now && !arrows.includes(now) ? [...arrows, now] : arrows;
    return all.map((one) => one.labels);
  }
  set() {
    const d = this.drawn;
    if (!d.now) return;
    if (!d.arrows.includes(d.now)) d.arrows.push(d.now);
    else return this.done(); // the same once more: it has one
    d.now = null;
    if (d.arrows.length >= this.count) this.done();
    else {
      this.view.frame.say("First arrow set; set the second, or Enter for one only");
      this.changed();
    }
  }
  done() {
    const d = this.drawn;
    this.drawn = this.hit = null;
    this.cells = [];
    const old = d.record, record = {
      kind: "aperture", id: old?.id || this.store.freeId("aperture"), type: old?.type || this.type(), at: d.at, into: d.chosen,
      arrows: d.arrows.map((one) => one.labels), open: old ? old.open : this.isOpen(),
    };
    this.request("opening", { record }, record);
    this.view.choose([record.id]);
    this.changed();
  }

  // -- pointer and keys -------------------------------------------------------------------------------------------------------

  down(e) {
    if (this.drawn) {
      if (!e.keyboard) this.aim(e);
      this.set();
      return;
    }
    const old = this.at(e);
    if (old && !e.keyboard) {
      this.startMove(e, old);
      return;
    }
    if (!this.type()) return;
    this.last = { x: e.x, y: e.y };
    this.press = ++asked;
    this.ask(e, this.press);
  }
  move(e) {
    if (!this.moving) {
      this.hover(e);
      return;
    }
    this.drag(e);
    if (this.moving.moved) this.ask(e);
  }
  up(e) {
    const m = this.moving;
    if (!m) return;
    if (!m.moved) {
      this.dropped();
      this.view.choose([m.record.id]);
      this.begin(m.record.at, [m.record.into], m.record);
      return;
    }
    this.press = ++asked;
    this.ask(e, this.press);
  }
  /** An opening that was dragged goes to the nearest point of a wall; its arc is set anew where its arrows do not fit. */
  settle() {
    const m = this.dropped();
    if (!this.hit) {
      this.putBack(m);
      this.view.frame.say("No wall is near enough");
      return;
    }
    const record = { ...m.record, at: this.hit.at, into: this.hit.into.includes(m.record.into) ? m.record.into : this.hit.into[0] };
    this.hit = null;
    this.request("opening", { record }, record);
  }
  hover(e) {
    if (!e) { this.over = null; if (!this.drawn) this.hit = null; return; }
    if (this.drawn) this.aim(e);
    else {
      this.over = this.at(e);
      if (this.type()) this.ask(e);
    }
  }
  finish() {
    if (!this.drawn) return;
    if (!this.drawn.arrows.length && this.drawn.now) this.drawn.arrows.push(this.drawn.now);
    this.done();
  }
  key(ev) {
    const d = this.drawn;
    if (!d || !d.options.length) return false;
    if (ev.key === "Backspace") {
      d.arrows.pop();
      this.shade();
      return true;
    }
    if (ev.key !== "," && ev.key !== ".") return false;
    const at = d.options.indexOf(d.now), by = ev.key === "." ? 1 : -1;
    this.choose(d.options[(at + by + d.options.length) % d.options.length]);
    this.view.frame.say(`Arrow ${d.now.labels.join(" ")}`);
    return true;
  }
  /** Shift+arrows: along the wall, before the arrows are set. */
  nudge(dx, dy) {
    const d = this.drawn;
    if (!d) return;
    this.again = d.record;
    this.drawn = null;
    this.press = ++asked;
    this.store.ask("wall", { kind: d.record?.type || this.type(), x: d.at[0] + dx * 48, y: d.at[1] + dy * 48, reach: REACH, press: this.press });
  }
  undoStep() {
    if (!this.drawn) return false;
    if (this.drawn.arrows.pop()) this.shade();
    else this.cancel();
    return true;
  }
  cancel() {
    super.cancel();
    this.drawn = this.hit = null;
    this.press = 0;
    this.cells = [];
    this.changed();
  }
  leave() {
    this.drawn = this.hit = this.over = null;
    this.cells = [];
  }

  // -- drawing ------------------------------------------------------------------------------------------------------------------

  draw(ctx, camera) {
    const d = this.drawn;
    if (!d) {
      if (this.hit) this.wall(ctx, this.hit);
      if (this.over) this.ring(ctx, this.world(this.over.at), 0.14);
      return;
    }
    if (this.cells.length) outlineCells(ctx, this.view.grid, camera, this.cells.filter((cell) => this.view.grid.has(cell)), { colour: RED, fill: "rgba(196,22,28,0.22)" });
    for (const one of d.options) if (one !== d.now && !d.arrows.includes(one)) this.tick(ctx, one);
    for (const one of new Set([...d.arrows, d.now].filter(Boolean))) this.arrow(ctx, this.world(d.at), one, d.arrows.includes(one));
    this.spot(ctx, this.world(d.at), RED);
    this.caption(ctx, d.chosen, this.world(d.at));
  }
  wall(ctx, { at, edge, into }) {
    ctx.beginPath();
    ctx.moveTo(...this.screen(this.world(edge[0])));
    ctx.lineTo(...this.screen(this.world(edge[1])));
    stroke(ctx, 3, ACCENT, 6, "rgba(255,255,255,0.85)");
    this.spot(ctx, this.world(at), RED);
    this.caption(ctx, into[0], this.world(at));
  }
  tick(ctx, { begin }) {
    ctx.beginPath();
    ctx.arc(...this.screen(begin), 3, 0, 7);
    ctx.fillStyle = "rgba(196,22,28,0.5)";
    ctx.fill();
  }
  arrow(ctx, at, { begin, way }, set) {
    const size = Math.hypot(begin[0] - at[0], begin[1] - at[1]) + 0.4, end = [begin[0] + way[0] * 0.45, begin[1] + way[1] * 0.45], [x, y] = this.screen(end), turn = Math.atan2(way[1], way[0]);
    ctx.beginPath();
    ctx.moveTo(...this.screen(at));
    if (size > 0.6) ctx.lineTo(...this.screen(begin));
    ctx.lineTo(x, y);
    for (const side of [-0.45, 0.45]) {
      ctx.moveTo(x, y);
      ctx.lineTo(x - 12 * Math.cos(turn + side), y - 12 * Math.sin(turn + side));
    }
    if (!set) ctx.setLineDash([6, 5]);
    stroke(ctx, 3, RED, 6, "rgba(255,255,255,0.9)");
    ctx.setLineDash([]);
  }
  panel(build) {
    const d = this.drawn;
    this.types(build, "Opening", this.list(), this.chip("apertures", RED));
    build.choice("Arrows", [[1, "One"], [2, "Two"]], this.count, (count) => { this.count = count; this.changed(); });
    this.check(build, "Open from the start", this.isOpen(), (on) => { this.open = on; });
    if (d && d.into.length > 1) build.choice("Belongs to", d.into.map((label) => [label, this.said(label)]), d.chosen, (label) => { d.chosen = label; d.options = []; d.arrows = []; d.now = null; this.cells = []; this.offer(); this.changed(); });
    build.hint(d ? "Move to aim the arrow, click to set it; the keys “,” and “.” go through the arrows, Enter ends with what is set, Shift+arrows move it along its wall, Backspace takes the last one back, Esc gives up." : "Click at a wall: the opening goes exactly onto it. Then set one arrow or two. Drag an opening along its wall, click it to set its arc anew; Delete removes it.");
  }
}

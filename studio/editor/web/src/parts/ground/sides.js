// Hexsides: click one to set or clear what runs on it, or drag along the corners of hexes; the run follows the pointer from
// corner to corner and goes back with it.

import { drawSide } from "../../look.js";
import { ACCENT, stroke } from "../../above.js";

const MOVED = 0.3; // hexes that the pointer must move before a press is a drag

export class SideTool {
  constructor(view) {
    Object.assign(this, { view, id: "side", turns: true, near: null, keys: SIDE_KEYS });
    this.reset();
  }
  reset() { Object.assign(this, { run: [], corners: [], pressed: null, dragging: false, walking: false, clearing: false }); }
  get store() { return this.view.store; }
  kind() { return this.view.options.kind; }
  nameOf(id) { return (this.store.catalogue.side_kinds.find((kind) => kind.id === id)?.name || id || "").toLowerCase(); }
  has(side, kind = this.kind()) { return this.store.kindsOf(side.a, side.b).includes(kind); }
  /** Why a kind cannot be on a side, empty where it can. What is there can always be cleared. */
  fault(side, kind = this.kind()) {
    const need = this.store.catalogue.side_needs?.[kind];
    if (!need || this.has(side, kind)) return "";
    const fits = need.side ? this.has(side, need.side) : [side.a, side.b].filter((cell) => need.one_of.includes(this.store.terrainAt(cell))).length === 1;
    return fits ? "" : `A ${this.nameOf(kind)} ${need.text}`;
  }

  // -- corners --------------------------------------------------------------------------------------------------------

  /** Corner of hexes nearest to a place: {key, x, y}; null off the map. */
  cornerAt(x, y) {
    const { grid } = this.view, cell = grid.cellAt(x, y);
    return cell < 0 ? null : this.cornersOf(cell).sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y))[0];
  }
  cornersOf(cell) {
    const { grid } = this.view, [X, Y] = grid.centreLattice(cell);
    return grid.offsets.map(([dx, dy]) => ({ key: `${X + dx},${Y + dy}`, x: (X + dx) * grid.kx, y: (Y + dy) * grid.ky, cell }));
  }
  /** Sides that end in a corner, each with the corner at its other end. */
  around({ key, cell }) {
    const { grid } = this.view, found = new Map();
    for (const one of [cell, ...grid.neighbours(cell)]) {
      const corners = this.cornersOf(one), i = corners.findIndex((corner) => corner.key === key);
      if (i < 0) continue;
      for (const [d, to] of [[i, corners[(i + 1) % 6]], [(i + 5) % 6, corners[(i + 5) % 6]]]) {
        const side = grid.sideOf(one, d);
        if (side && !found.has(to.key)) found.set(to.key, { side, to });
      }
    }
    return [...found.values()];
  }
  /** Go on from the last corner to the one at the pointer, always by the side that leads nearer. */
  follow(x, y) {
    const goal = this.cornerAt(x, y);
    if (!goal) return;
    for (let n = 0; n < 400; n++) {
      const last = this.corners[this.corners.length - 1];
      if (last.key === goal.key) return;
      const away = (corner) => Math.hypot(corner.x - goal.x, corner.y - goal.y);
      const step = this.around(last).sort((a, b) => away(a.to) - away(b.to))[0];
      if (!step || away(step.to) >= away(last)) return;
      this.step(step);
    }
  }
  step({ side, to }) {
    const { corners, run } = this;
    if (corners.length > 1 && corners[corners.length - 2].key === to.key) {
      corners.pop();
      run.pop();
    } else {
      corners.push(to);
      run.push(side);
    }
  }

  // -- pointer ----------------------------------------------------------------------------------------------------------

  down(e) {
    if (!this.kind()) return;
    if (e.keyboard) {
      if (this.walking) this.commit();
      else if (e.side) this.set([e.side]);
      return;
    }
    this.reset();
    this.pressed = e;
    const corner = this.cornerAt(e.x, e.y);
    if (corner) this.corners = [corner];
  }
  move(e) {
    this.near = this.dragging ? null : e.side;
    if (!this.pressed || e.keyboard || !this.corners.length) return;
    if (!this.dragging && Math.hypot(e.x - this.pressed.x, e.y - this.pressed.y) < MOVED) return;
    this.dragging = true;
    // Where the pointer was on its way matters: a quick drag is no straight line of corners.
    const last = this.last || this.pressed, steps = Math.max(1, Math.ceil(Math.hypot(e.x - last.x, e.y - last.y) / 0.25));
    for (let i = 1; i <= steps; i++) this.follow(last.x + ((e.x - last.x) * i) / steps, last.y + ((e.y - last.y) * i) / steps);
    this.last = e;
    this.near = null;
    this.clearing = this.run.length > 0 && this.has(this.run[0]);
  }
  up(e) {
    if (e.keyboard || !this.pressed) return;
    const { dragging, pressed } = this;
    this.last = null;
    if (dragging) this.commit();
    else {
      const side = pressed.side;
      this.reset();
      if (side) this.set([side]);
    }
  }
  commit() {
    const run = this.run;
    this.reset();
    if (run.length) this.set(run);
  }
  /** The first side decides: one that has the kind makes the run clear it. */
  set(run) {
    if (this.view.barred) return;
    const { store, view } = this, kind = this.kind(), clearing = this.has(run[0]), edits = [], why = new Set();
    const sides = [...new Map(run.map((side) => [`${side.a},${side.b}`, side])).values()];
    for (const side of sides) {
      const kinds = store.kindsOf(side.a, side.b), fault = clearing ? "" : this.fault(side);
      if (fault) why.add(fault);
      else if (kinds.includes(kind) === clearing) edits.push({ op: "set_side", a: side.a, b: side.b, kinds: clearing ? this.without(kinds, kind) : [...kinds, kind].sort() });
    }
    if (edits.length) store.apply({ op: "batch", title: `${clearing ? "Clear" : "Draw"} ${this.nameOf(kind)}`, edits });
    if (why.size) view.frame.say([...why].join("; "));
    else if (edits.length) view.frame.say(`${clearing ? "Cleared" : "Set"} ${this.nameOf(kind)}: ${edits.length} side${edits.length === 1 ? "" : "s"}`);
  }
  /** Without a kind, and without what cannot be there any more. */
  without(kinds, kind) {
    const needs = this.store.catalogue.side_needs || {};
    return kinds.filter((one) => one !== kind && needs[one]?.side !== kind);
  }
  hover(e) { this.near = e ? e.side : null; }
  cancel() {
    this.last = null;
    this.reset();
  }
  leave() { this.near = null; }
  finish() { if (this.walking) this.commit(); }
  remove(e) {
    if (!e.side || !this.store.kindsOf(e.side.a, e.side.b).length) return false;
    if (this.view.barred) return true;
    this.store.apply({ op: "batch", title: "Clear hexside", edits: [{ op: "set_side", a: e.side.a, b: e.side.b, kinds: [] }] });
    return true;
  }

  // -- keys -------------------------------------------------------------------------------------------------------------

  key(ev) {
    if (ev.key === "Backspace" && this.walking) {
      this.corners.pop();
      this.run.pop();
      if (!this.run.length) this.reset();
    } else if (ev.key === ";") this.pick(this.near);
    else return false;
    this.view.stage.redraw(2);
    return true;
  }
  undoStep() { return this.walking && this.key({ key: "Backspace" }); }
  /** Ctrl+arrows: from corner to corner, beginning at the side that is chosen. */
  control(ev, dx, dy) {
    if (dx === undefined || !this.kind()) return false;
    const { view } = this, { grid } = view;
    if (!this.walking) {
      if (view.cursor < 0) view.moveCursor(0, 0);
      const side = grid.sideOf(view.cursor, view.cursorSide), at = side ? side.p : grid.centre(view.cursor);
      this.reset();
      this.corners = [this.cornersOf(view.cursor).sort((a, b) => Math.hypot(a.x - at[0], a.y - at[1]) - Math.hypot(b.x - at[0], b.y - at[1]))[0]];
    }
    const last = this.corners[this.corners.length - 1], along = ({ to }) => ((to.x - last.x) * dx + (to.y - last.y) * dy) / Math.hypot(to.x - last.x, to.y - last.y);
    const next = this.around(last).sort((a, b) => along(b) - along(a))[0];
    if (next && along(next) > 0.1) {
      this.walking = true;
      this.step(next);
      if (!this.run.length) this.reset();
      this.clearing = this.run.length > 0 && this.has(this.run[0]);
      view.keyboard = true;
      view.cursor = next.side.cell;
      view.camera.reveal(next.to.x, next.to.y);
      view.stage.moved();
      view.frame.say(`${this.run.length} side${this.run.length === 1 ? "" : "s"}; Space sets them`);
    }
    return true;
  }
  /** Take up the kind of a side; of several, each in turn. */
  pick(side) {
    const kinds = side ? this.store.kindsOf(side.a, side.b) : [];
    if (!kinds.length) this.view.frame.say("Nothing runs on this side");
    else {
      this.view.set("kind", kinds[(kinds.indexOf(this.kind()) + 1) % kinds.length]);
      this.view.frame.say(`Picked ${this.nameOf(this.kind())}`);
    }
  }

  // -- on the screen ------------------------------------------------------------------------------------------------------

  /** What the status line says of the chosen side. */
  words() {
    if (this.run.length) return `${this.clearing ? "clear" : "draw"} ${this.run.length} side${this.run.length === 1 ? "" : "s"}`;
    if (!this.near) return "";
    const { labels } = this.store, { a, b } = this.near, names = this.store.kindsOf(a, b).map((id) => this.nameOf(id)), fault = this.fault(this.near);
    return `side ${labels.of(a)}/${labels.of(b)}: ${names.join(", ") || "nothing"}${fault ? ` (⊘ ${fault.toLowerCase()})` : ""}`;
  }
  draw(ctx, camera) {
    const px = ([x, y]) => camera.toScreen(x, y), { style } = this.store;
    const mark = (side, colour, dash = []) => {
      ctx.beginPath();
      ctx.moveTo(...px(side.p));
      ctx.lineTo(...px(side.q));
      ctx.setLineDash(dash);
      stroke(ctx, Math.max(3, camera.scale * 0.07), colour, Math.max(6, camera.scale * 0.13), "rgba(255,255,255,0.9)");
      ctx.setLineDash([]);
    };
    for (const side of this.run) {
      const bad = !this.clearing && this.fault(side);
      if (this.clearing || bad) mark(side, bad ? "#8a8d92" : ACCENT, bad ? [4, 6] : []);
      else {
        ctx.save();
        ctx.globalAlpha = 0.85;
        drawSide(ctx, style, this.kind(), px(side.p), px(side.q), camera.scale);
        ctx.restore();
      }
    }
    if (this.near && !this.run.length) mark(this.near, this.fault(this.near) ? "#8a8d92" : ACCENT, this.fault(this.near) ? [4, 6] : []);
    const end = this.corners[this.corners.length - 1];
    if (end && (this.dragging || this.walking)) {
      ctx.beginPath();
      ctx.arc(...camera.toScreen(end.x, end.y), 5, 0, 7);
      ctx.fillStyle = "#fff";
      ctx.fill();
      ctx.lineWidth = 2.5;
      ctx.strokeStyle = ACCENT;
      ctx.stroke();
    }
  }
  panel(build) {
    const need = this.store.catalogue.side_needs?.[this.kind()];
    build.sideKinds();
    if (need) build.hint(`A ${this.nameOf(this.kind())} ${need.text}; elsewhere it cannot be set.`);
    build.hint("Click a hexside to set or clear it; drag along corners for a run. A side can carry several kinds. Keys: Shift+arrows turn to a side, Space sets it, Ctrl+arrows walk along corners, ; picks what is there, Delete clears the side.");
  }
}

export const SIDE_KEYS = [
  ["Shift+Arrows", "turn to another side of the hex"],
  ["Space", "set or clear the side, or the run"],
  ["Ctrl+Arrows", "walk along corners (Backspace: one back)"],
  [";", "pick the kind of the side"],
  ["Delete", "clear the side"],
];

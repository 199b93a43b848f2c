// Objectives and notes: click the places that earn points, or that there is something to say about.

import { outlineCells, stroke } from "../../above.js";
import { h } from "../../ui/dom.js";

class PointTool {
  constructor(view, about) { Object.assign(this, { view, over: null, ...about }); }
  get layer() { return this.view.forces; }
  get forces() { return this.layer.forces; }
  hover(e) { this.over = e?.label ? e : null; }
  leave() { this.over = null; }
  enter() { this.layer.active = this; }
  refresh() { this.view.frame.showOptions(); }
  down(e) { this.pressed = e.label; }
  up(e) {
    const label = this.pressed;
    this.pressed = "";
    if (label && label === e.label) this.use(label, e);
  }
  draw(ctx, camera) {
    const { store, grid } = this.view, { over } = this;
    if (!over) return;
    if (store.places.byLabel(over.label)) {
      this.layer.trace(ctx, { cells: [], places: [over.label] });
      stroke(ctx, 3, "#ffffff", 6, "rgba(0,0,0,0.6)");
    } else if (over.cell >= 0) outlineCells(ctx, grid, camera, [over.cell], { width: 3 });
  }
}

export class ObjectivesTool extends PointTool {
  constructor(view) {
    super(view, { id: "objectives", title: "Objectives", chosen: "", side: "", points: 1, keys: [["Click, Space", "put a place into the objective, or take it out"]] });
    view.unsubscribe.push(view.store.on("forces_objective", ({ message }) => {
      if (message.client && message.client !== view.store.client) return;
      this.chosen = message.id;
      if (view.tool === this) view.frame.showOptions();
    }));
  }
  get owner() { return this.forces.sides.find((side) => side.id === this.side) || this.forces.sides[0]; }
  use(label) {
    if (!this.owner) {
      this.view.frame.say("Add a side first: in the panel Order of battle");
      return;
    }
    const one = this.forces.objectives.find(({ id }) => id === this.chosen);
    this.forces.request("objective", { objective: one ? one.id : "", side: this.owner.id, points: this.points, at: label });
  }
  done(chosen) { if (chosen.length) this.chosen = chosen[0]; }
  remove(e) {
    const one = this.forces.objectives.find((other) => other.hexes.includes(e.label));
    if (one) this.forces.request("objective", { objective: one.id, at: e.label });
    return true;
  }
  finish() { this.view.frame.desk.open("objectives"); }
  words() { return this.forces.objectives.filter((one) => one.hexes.includes(this.over?.label)).map((one) => `${one.points} for ${one.side}`).join(", "); }
  panel(build) {
    const { sides, objectives } = this.forces;
    if (!sides.length) {
      build.hint("Add a side first: in the panel Order of battle.");
      return;
    }
    const options = [["", "a new one"], ...objectives.map((one) => [one.id, `${one.points} for ${one.side}: ${one.hexes.slice(0, 3).join(", ") || one.text.slice(0, 30) || one.id}`])];
    build.tool.append(h("label.wgs-field", {}, h("span", {}, "Objective"), h("select", { "aria-label": "Objective", "data-forces": "objective", onchange: (ev) => {
      this.chosen = ev.target.value;
      this.view.frame.showOptions();
    } }, ...options.map(([id, text]) => h("option", { value: id, selected: id === this.chosen }, text)))));
    if (!objectives.some(({ id }) => id === this.chosen)) {
      build.choice("Earned by", sides.map((side) => [side.id, side.name]), this.owner.id, (id) => {
        this.side = id;
        this.view.frame.showOptions();
      });
      build.number("Points", this.points, -1000, 1000, (value) => { this.points = value; });
    }
    build.hint("Click a hex, zone or room to put it into the objective, or to take it out again. Enter opens the panel with all fields.");
  }
}

export class NoteTool extends PointTool {
  constructor(view) { super(view, { id: "note", title: "Notes to places", cursor: "text", keys: [["Click, Space", "write the note of a place"], ["Delete", "take it away"]] }); }
  noteAt(label) { return this.forces.notes.find((note) => note.at === label); }
  use(label) {
    const { view } = this, spot = this.forces.spot(label), old = this.noteAt(label)?.text || "";
    if (!spot) return;
    const [px, py] = view.camera.toScreen(spot.x, spot.y);
    view.frame.askText(px / view.dpr, py / view.dpr, old, (text) => { if (text.trim() !== old) this.forces.request("note", { at: label, text: text.trim() }); }, `Note at ${label}`);
  }
  remove(e) {
    if (this.noteAt(e.label)) this.forces.request("note", { at: e.label, text: "" });
    return true;
  }
  words() { return this.noteAt(this.over?.label)?.text.slice(0, 120) || ""; }
  panel(build) { build.hint("Click a hex, zone or room and type; Enter keeps the note, an empty one takes it away. Longer texts, and for whom a note is, are in the panel Notes to places."); }
}

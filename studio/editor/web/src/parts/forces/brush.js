// Tools that paint places: the area where a formation sets up or by which it enters, and what is out of play.

import { outlineCells } from "../../above.js";
import { h } from "../../ui/dom.js";

class PlacesTool {
  constructor(view, about) { Object.assign(this, { view, drags: true, painted: new Map(), taking: false, over: null, takes: "no", ...about }); }
  get layer() { return this.view.forces; }
  get forces() { return this.layer.forces; }

  /** The places under the brush: a zone or room alone, of hexes as many as the brush is large. */
  under(e) {
    const { store, grid } = this.view;
    if (e.place && e.place.kind !== "hex") return [[e.label, { place: e.label }]];
    if (e.cell < 0) return [];
    return grid.disk(e.cell, this.view.options.brush - 1).filter((cell) => store.places.hex(cell)).map((cell) => [store.labels.of(cell), { cell }]);
  }
  down(e) {
    this.taking = e.shift || e.alt || this.takes === "yes";
    this.painted.clear();
    this.painting = true;
    this.add(e);
  }
  move(e) {
    this.over = e;
    if (this.painting) this.add(e);
  }
  add(e) {
    for (const [label, what] of this.under(e)) this.painted.set(label, what);
  }
  up() {
    this.painting = false;
    const labels = [...this.painted.keys()];
    this.painted.clear();
    if (labels.length) this.done(labels, this.taking);
  }
  hover(e) { this.over = e; }
  leave() { this.over = null; }
  cancel() {
    this.painting = false;
    this.painted.clear();
  }
  enter() { this.layer.active = this; }
  refresh() { this.view.frame.showOptions(); }

  draw(ctx, camera) {
    const under = this.painting || !this.over ? [] : this.under(this.over), all = [...this.painted, ...under];
    if (!all.length) return;
    const cells = all.filter(([, what]) => what.cell !== undefined).map(([, what]) => what.cell), places = all.filter(([, what]) => what.place).map(([, what]) => what.place), colour = this.colour();
    ctx.globalAlpha = 0.35;
    this.layer.trace(ctx, { cells, places });
    ctx.fillStyle = this.taking && this.painting ? "#ffffff" : colour;
    ctx.fill();
    ctx.globalAlpha = 1;
    if (cells.length) outlineCells(ctx, this.view.grid, camera, cells, { colour: this.taking && this.painting ? "#ffffff" : colour, width: 2.5 });
    if (places.length) {
      this.layer.trace(ctx, { cells: [], places });
      ctx.lineWidth = 3;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }
  mode(build) {
    build.brush();
    build.choice("Brush", [["no", "Adds"], ["yes", "Takes away"]], this.takes, (value) => {
      this.takes = value;
      this.view.frame.showOptions();
    });
  }
}

export class AreaTool extends PlacesTool {
  constructor(view) { super(view, { id: "setup", title: "Set-up areas and entries", side: "", part: "", keys: [["Space", "begin and end a stroke"], ["Shift", "take away instead of adding"], ["1 – 7", "size of the brush"]] }); }
  get formation() {
    const all = this.forces.sides.flatMap((side) => side.formations.map((part) => ({ side, part })));
    return all.find(({ side, part }) => side.id === this.side && part.id === this.part) || all[0] || null;
  }
  colour() { return this.formation?.side.color || "#555555"; }
  done(labels, take) {
    const { formation } = this;
    if (!formation) this.view.frame.say("Add a side and a formation first: in the panel Order of battle");
    else this.forces.request("area", { formation: formation.part.id, force: formation.side.id, labels, take });
  }
  words() {
    const { formation } = this;
    return formation ? `${formation.part.name}: ${this.taking && this.painting ? "takes away" : formation.part.turn ? "enters" : "sets up"}` : "";
  }
  panel(build) {
    const { formation, forces } = this;
    if (!formation) {
      build.hint("Add a side and a formation first: in the panel Order of battle.");
      return;
    }
    const { side, part } = formation, options = forces.sides.flatMap((one) => one.formations.map((other) => [`${one.id}/${other.id}`, `${one.name}: ${other.name}`]));
    build.tool.append(h("label.wgs-field", {}, h("span", {}, "Formation"), h("select", { "aria-label": "Formation", "data-forces": "area", onchange: (ev) => {
      [this.side, this.part] = ev.target.value.split("/");
      this.view.frame.showOptions();
    } }, ...options.map(([id, text]) => h("option", { value: id, selected: id === `${side.id}/${part.id}` }, text)))));
    const places = part.cells.length + part.places.length;
    build.hint(`${part.turn ? `Enters in ${forces.unit} ${part.turn}` : "Sets up at the start"}${places ? ` in ${places} place${places === 1 ? "" : "s"}` : ", anywhere in play"}${part.within ? `: those named and what lies within ${part.within} of them` : ""}.`);
    this.mode(build);
    const row = h("div.wgs-choice", { role: "group", "aria-label": "Edges of the map" });
    for (const edge of ["north", "east", "south", "west"]) row.append(h("button", { type: "button", "aria-pressed": String(part.edges.includes(edge)), "aria-checked": String(part.edges.includes(edge)), role: "checkbox", "data-edge": edge, onclick: () => forces.request("edge", { formation: part.id, force: side.id, edge }) }, edge));
    build.tool.append(h("div.wgs-field", {}, h("span", {}, "Only on"), row));
    build.hint("Drag over hexes, zones or rooms to add them; Shift takes them away. Turn of arrival, distance and words are in the panel Order of battle.");
  }
}

export class PlayTool extends PlacesTool {
  constructor(view) { super(view, { id: "play", title: "Part in play", keys: [["Space", "begin and end a stroke"], ["Shift", "back into play"]] }); }
  colour() { return "#6b6760"; }
  done(labels, take) { this.forces.request("play", { labels, take }); }
  words() { return this.taking && this.painting ? "back into play" : "out of play"; }
  panel(build) {
    this.mode(build);
    build.hint("Drag over hexes, zones or rooms to put them out of play; Shift brings them back. Whole columns, rows and sheets are chosen in the panel Setting and map.");
  }
}

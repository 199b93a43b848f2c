// Places: locations with a dot and no outline, such as roofs, boxes of zones, reinforcement boxes.

import { ACCENT } from "../../above.js";
import { ThingTool } from "./base.js";

let asked = 0;

export class PlaceTool extends ThingTool {
  constructor(view) {
    super(view, { id: "place", lies: "place", title: "Place", letter: "n", icon: "place", press: 0 });
    this.hear("place_at", (message) => { if (message.press && message.press === this.press) this.name(message.record); });
  }
  list() { return this.game.places; }
  down(e) {
    const found = this.at(e);
    if (found && !e.keyboard) this.startMove(e, found);
    else if (found) this.rename(found);
    else if (e.cell >= 0 && this.type()) {
      const [x, y] = this.lattice(e.x, e.y);
      this.press = ++asked;
      this.store.ask("place_at", { kind: this.type(), x, y, press: this.press });
    }
  }
  up() {
    const m = this.dropped();
    if (m?.moved) this.put({ ...m.record, at: this.lattice(m.x, m.y) }, `Move ${this.said(m.record.name)}`);
    else if (m) this.rename(m.record);
  }
  /** Python has said where it goes and what it could be called. */
  name(record) {
    this.press = 0;
    const [px, py] = this.screen(this.world(record.at));
    this.view.frame.askText(px / this.view.dpr, py / this.view.dpr, record.name, (value) => {
      const name = value.trim();
      if (!name) return;
      const made = { ...record, name, id: this.store.freeId("place") };
      this.request("put_place", { record: made }, made);
      this.view.choose([made.id]);
    }, `Label of the ${this.typeName(record.type).toLowerCase()}`);
  }
  rename(record) {
    const [px, py] = this.screen(this.world(record.at));
    this.view.choose([record.id]);
    this.view.frame.askText(px / this.view.dpr, py / this.view.dpr, record.name, (value) => {
      const name = value.trim();
      if (name && name !== record.name) this.request("rename", { id: record.id, name }, { ...record, name });
    }, "Label");
  }
  nudge(dx, dy) {
    this.view.withCursor((e) => {
      const found = this.at(e);
      if (found) this.put({ ...found, at: [found.at[0] + dx * 30, found.at[1] + dy * 30] }, `Move ${this.said(found.name)}`);
    });
  }
  hover(e) {
    super.hover(e);
    this.here = e && e.cell >= 0 ? [e.x, e.y] : null;
  }
  draw(ctx) {
    const m = this.moving;
    if (m?.moved) this.spot(ctx, [m.x, m.y]);
    else if (this.over) {
      this.ring(ctx, this.world(this.over.at));
      this.caption(ctx, this.over.name, this.world(this.over.at));
    } else if (this.here) this.spot(ctx, this.here, ACCENT);
  }
  panel(build) {
    this.types(build, "Place", this.list(), this.chip("places", "#b08d57"));
    build.hint("Click where its dot goes; the next free label is offered, Enter takes it. Drag a place to move it, click it to rename it; Shift+arrows nudge it, Delete removes it.");
  }
}

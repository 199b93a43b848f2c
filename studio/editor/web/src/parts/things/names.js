// Place names: click and type; drag a line to write along it; drag a name to move it.

import { drawName } from "../../look.js";
import { ACCENT, stroke } from "../../above.js";
import { ThingTool } from "./base.js";

const TURN = 15;

export class NameTool extends ThingTool {
  constructor(view) {
    super(view, { id: "name", title: "Place name", letter: "t", icon: "text", cursor: "text", size: 0.45, angle: 0 });
  }
  down(e) {
    const found = this.at(e);
    if (found && e.keyboard) this.edit(found);
    else if (found) this.startMove(e, found);
    else if (e.cell >= 0) this.place = { x: e.x, y: e.y, px: e.px, py: e.py, to: null };
  }
  move(e) {
    if (this.moving) this.drag(e);
    else if (this.place && Math.hypot(e.px - this.place.px, e.py - this.place.py) > 24) this.place.to = [e.x, e.y];
    else if (this.place) this.place.to = null;
  }
  up(e) {
    const m = this.dropped(), from = this.place;
    this.place = null;
    if (m?.moved) this.put({ ...m.record, at: this.lattice(m.x, m.y) }, "Move name");
    else if (m) this.edit(m.record);
    else if (from?.to) {
      const x = (from.x + from.to[0]) / 2, y = (from.y + from.to[1]) / 2, [px, py] = this.screen([x, y]);
      this.write({ px, py, x, y }, slope(from.to[0] - from.x, from.to[1] - from.y));
    } else if (from) this.write(e, this.angle);
  }
  write(e, angle) {
    this.ask(e, "", (text) => {
      const id = this.store.freeId("name");
      this.put({ kind: "name", id, text, at: this.lattice(e.x, e.y), size: this.size, angle }, `Name ${this.said(text)}`);
      this.view.choose([id]);
    });
  }
  edit(record) {
    const [px, py] = this.screen(this.world(record.at));
    this.view.choose([record.id]);
    this.ask({ px, py }, record.text, (text) => this.put({ ...record, text }, `Rename to ${this.said(text)}`), () => this.store.apply({
      op: "batch", title: "Remove name", edits: [{ op: "delete", collection: "features", id: record.id }],
    }));
  }
  ask(e, text, done, emptied = null) {
    this.view.frame.askText(e.px / this.view.dpr, e.py / this.view.dpr, text, (value) => {
      if (value.trim() && value !== text) done(value.trim());
      else if (!value.trim() && emptied) emptied();
    });
  }
  /** , and . turn the name that is pointed at, else the next one. */
  key(ev) {
    if (ev.key !== "," && ev.key !== ".") return false;
    const by = ev.key === "," ? TURN : -TURN;
    this.view.withCursor((e) => {
      const found = this.at(e);
      if (found) this.put({ ...found, angle: turned(found.angle || 0, by) }, "Turn name");
      else { this.angle = turned(this.angle, by); this.changed(); }
    });
    return true;
  }
  nudge(dx, dy) {
    this.view.withCursor((e) => {
      const found = this.at(e);
      if (found) this.put({ ...found, at: [found.at[0] + dx * 30, found.at[1] + dy * 30] }, "Move name");
    });
  }
  cancel() {
    super.cancel();
    this.place = null;
  }
  draw(ctx, camera) {
    const m = this.moving;
    if (this.place?.to) {
      ctx.beginPath();
      ctx.moveTo(...this.screen([this.place.x, this.place.y]));
      ctx.lineTo(...this.screen(this.place.to));
      stroke(ctx, 2.5, ACCENT, 5, "rgba(255,255,255,0.9)");
    }
    if (!m?.moved) return;
    const [x, y] = camera.toScreen(m.x, m.y);
    ctx.globalAlpha = 0.8;
    drawName(ctx, this.store.style, m.record, x, y, camera.scale);
    ctx.globalAlpha = 1;
  }
  panel(build) {
    build.choice("Size", [["0.3", "Small"], ["0.45", "Middle"], ["0.7", "Large"], ["1.1", "Huge"]], String(this.size), (value) => { this.size = Number(value); this.changed(); });
    build.number("Angle in degrees", this.angle, -180, 180, (value) => { this.angle = value; this.changed(); });
    build.hint("Click where the name goes and type; Enter sets it. Drag a line to write along it. Click a name to change it, drag to move it; the keys “,” and “.” turn it, Shift+arrows nudge it, Delete removes it.");
  }
}

/** Degrees counter-clockwise of a line, so that what is written along it is never upside down. */
function slope(dx, dy) {
  const angle = Math.round((-Math.atan2(dy, dx) * 180) / Math.PI);
  return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle;
}
function turned(angle, by) {
  const sum = angle + by;
  return sum > 180 ? sum - 360 : sum <= -180 ? sum + 360 : sum;
}

// Markers on hexes, rooms, zones and boxes; clouds lie downwind of their heads.

import { drawMarker } from "../../look.js";
import { outlineCells } from "../../above.js";
import { h } from "../../ui/dom.js";
import { ThingTool } from "./base.js";
import { spotOf } from "./spots.js";

export class MarkerTool extends ThingTool {
  constructor(view) {
    super(view, { id: "marker", title: "Marker", letter: "m", icon: "marker", tail: { key: "", labels: [] } });
    this.hear("cloud", (message) => {
      if (message.key !== this.tail.key) return;
      this.tail.labels = message.labels;
      view.stage.redraw(2);
    });
  }
  list() { return this.store.catalogue.marker_types; }
  type() { return this.view.options.marker || this.list()[0]?.id; }
  get wind() { return this.game.winds.includes(this.blows) ? this.blows : this.game.winds[0]; }
  isCloud(type = this.type()) { return !!this.game.markers.find((one) => one.id === type)?.cloud && !!this.wind; }

  down(e) {
    const found = this.at(e);
    if (e.shift && e.label) this.cover(e.label);
    else if (found && !e.keyboard) this.startMove(e, found);
    else if (e.label && this.type()) this.place(e.label);
  }
  place(at) {
    const { store } = this, type = this.type();
    for (const { record } of store.features.values()) if (record.kind === "marker" && record.at === at && record.type === type) return;
    const record = { kind: "marker", id: store.freeId("marker"), type, at };
    this.last = record.id;
    if (this.isCloud()) this.request("put_cloud", { record, wind: this.wind }, { ...record, also: this.tail.at === at ? this.tail.labels : [] });
    else this.put(record, `Place ${this.typeName(type).toLowerCase()}`);
    this.view.choose([record.id]);
  }
  /** Shift+click: the marker that was set or pressed last covers this location too, or no longer. */
  cover(label) {
    const record = this.store.features.get(this.last)?.record;
    if (!record) {
      this.view.frame.say("Set or press a marker first; Shift+click adds what else it covers");
      return;
    }
    if (label === record.at) return;
    const also = record.also || [], now = also.includes(label) ? also.filter((one) => one !== label) : [...also, label];
    this.put({ ...record, also: now }, `Cover ${now.length + 1} locations`);
  }
  up(e) {
    const m = this.dropped();
    if (!m) return;
    this.last = m.record.id;
    if (!m.moved) this.view.choose([m.record.id]);
    else if (!e.label) this.putBack(m);
    else if (this.isCloud(m.record.type) && m.record.also?.length) this.request("put_cloud", { record: { ...m.record, at: e.label }, wind: this.wind }, { ...m.record, at: e.label });
    else this.put({ ...m.record, at: e.label }, `Move ${m.record.type}`);
  }
  hover(e) {
    this.over = e && e.label ? { label: e.label, cell: e.cell, place: e.place } : null;
    if (!this.over || !this.isCloud()) return;
    const key = `${this.type()} ${this.over.label} ${this.wind}`;
    if (key === this.tail.key) return;
    this.tail = { key, at: this.over.label, labels: [] };
    this.store.ask("cloud", { key, kind: this.type(), at: this.over.label, wind: this.wind });
  }
  key(ev) {
    if ((ev.key !== "," && ev.key !== ".") || !this.isCloud()) return false;
    const { winds } = this.game, at = winds.indexOf(this.wind);
    this.blows = winds[(at + (ev.key === "." ? 1 : winds.length - 1)) % winds.length];
    this.view.frame.say(`Wind to ${this.blows}`);
    this.changed();
    this.view.withCursor((e) => this.hover(e));
    return true;
  }
  draw(ctx, camera) {
    const { grid, store } = this.view, m = this.moving;
    if (m?.moved) {
      const cell = grid.cellAt(m.x, m.y);
      if (cell >= 0) outlineCells(ctx, grid, camera, [cell]);
      drawMarker(ctx, store.style, m.record.type, ...camera.toScreen(m.x, m.y), camera.scale);
      return;
    }
    const at = this.over && spotOf(store, this.over.label);
    if (!at || !this.type()) return;
    ctx.globalAlpha = 0.5;
    drawMarker(ctx, store.style, this.type(), ...camera.toScreen(...at), camera.scale);
    ctx.globalAlpha = 1;
    // The hexes of the tail in one outline, a ring for every room, zone and roof that it takes in.
    const tail = this.isCloud() && this.tail.at === this.over.label ? this.tail.labels : [], places = tail.filter((label) => store.places.byLabel(label));
    const cells = [...(this.over.place ? [] : [this.over.cell]), ...tail.filter((label) => !places.includes(label)).map((label) => store.labels.cell(label)).filter((cell) => cell >= 0)];
    if (cells.length) outlineCells(ctx, grid, camera, cells);
    if (this.over.place) this.ring(ctx, at, 0.36);
    for (const label of places) this.ring(ctx, spotOf(store, label), 0.2, "#ffffff");
  }
  refresh() { this.tail = { key: "", labels: [] }; }
  /** The winds as a rose of three rows of buttons: too many for one row. */
  rose(build) {
    const box = h("div", { role: "radiogroup", "aria-label": "Wind blows to", style: { display: "grid", gridTemplateColumns: "repeat(6, 1fr)", gap: "2px", margin: "2px 0 8px" } });
    for (const wind of this.game.winds) {
      const on = wind === this.wind;
      box.append(h("button", { type: "button", role: "radio", "aria-checked": String(on), style: { padding: "2px 0", fontSize: "11px", border: "1px solid var(--wgs-edge)", borderRadius: "4px", background: on ? "#0072b2" : "transparent", color: on ? "#fff" : "inherit" }, onclick: () => { this.blows = wind; this.changed(); } }, wind));
    }
    build.tool.append(h("span.wgs-faint", {}, "Wind blows to"), box);
  }
  panel(build) {
    build.markers();
    if (this.isCloud()) {
      this.rose(build);
      this.button(build, `Turn all clouds to ${this.wind}`, () => this.store.request("turn_clouds", { wind: this.wind }), { "data-action": "turn-clouds" });
    }
    build.hint(`Click a place to set the marker; drag one to move it; Shift+click adds what else the last one covers; Delete removes it.${this.isCloud() ? " The keys “,” and “.” turn the wind." : ""}`);
  }
}
